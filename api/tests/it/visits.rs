//! Visits: every way of writing puts an entry into the visit of its patient, register, day and institution, and leaves no empty one.

use accounts::rights::Right;
use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use sqlx::PgPool;

use crate::support::{TestApp, TestRegister, Worker};

const DAY: &str = "2026-03-05";

struct Case {
    app: TestApp,
    register: TestRegister,
    /// Another form of the register, with one optional text.
    second: i64,
    patient: i64,
    lekar: Worker,
}

impl Case {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
        let mut tx = domain::db::begin(&app.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
        let second = sqlx::query_scalar("insert into form (registar_id, naziv, prikazni_redosled) values ($1, 'Terapija', 2) returning id")
            .bind(register.id)
            .fetch_one(&mut *tx)
            .await
            .unwrap();
        sqlx::query(
            "insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, redosled, sifra, opcioni)
             select $1, tip_atributa_id, 'Lek', 1, 'lek', true from form_field where sifra = 'tekst'",
        )
        .bind(second)
        .execute(&mut *tx)
        .await
        .unwrap();
        tx.commit().await.unwrap();
        let lekar = app.worker("lekar", &[Right::Reports], app.ustanova).await;
        Self { app, register, second, patient, lekar }
    }

    fn values(&self, by_code: &Value) -> Value {
        let values = by_code.as_object().unwrap().iter().map(|(code, value)| (self.register.field(code), value.clone()));
        values.collect::<serde_json::Map<_, _>>().into()
    }

    fn examination(&self, doctor: i64, day: &str, by_code: Value) -> Value {
        json!({ "tsaID": self.register.form, "registarID": self.register.id, "pacijentID": self.patient, "vrednosti": self.values(&by_code),
                "radnikOdgovoran": doctor, "datumUnosa": day })
    }

    fn therapy(&self, doctor: i64, day: &str) -> Value {
        json!({ "tsaID": self.second, "registarID": self.register.id, "pacijentID": self.patient, "vrednosti": {},
                "radnikOdgovoran": doctor, "datumUnosa": day })
    }

    async fn save(&self, body: Value) -> Value {
        self.lekar.post("/api/entry-values", body).await.assert_status(200).json()
    }

    async fn visits(&self) -> Vec<Value> {
        let path = format!("/api/patients/{}/visits?registarID={}", self.patient, self.register.id);
        self.lekar.get(&path).await.json()["data"].as_array().unwrap().clone()
    }

    /// The saved entry as it would be saved on another day.
    fn moved(&self, saved: &Value, mut body: Value, day: &str) -> Value {
        body["unosID"] = saved["snimljenUnosID"].clone();
        body["verzija"] = saved["verzija"].clone();
        body["osnova"] = saved["vrednosti"].clone();
        body["osnovaDatumUnosa"] = saved["datumUnosa"].clone();
        body["osnovaRadnikOdgovoran"] = saved["radnikOdgovoran"].clone();
        body["vrednosti"] = saved["vrednosti"].clone();
        body["datumUnosa"] = json!(day);
        body
    }
}

/// What is wrong with the visits: an entry in another visit than its own, an empty one, two of one key, another doctor than the first
/// entry's that names one.
async fn faults(db: &PgPool) -> Vec<String> {
    sqlx::query_scalar(
        "select 'entry ' || e.id from entry e join visit v on v.id = e.poseta_id
          where (e.pacijent_id, e.registar_id, e.datum_unosa, e.ustanova_id) is distinct from (v.pacijent_id, v.registar_id, v.datum, v.ustanova_id)
         union all
         select 'empty ' || v.id from visit v where not exists (select from entry e where e.poseta_id = v.id)
         union all
         select 'twice ' || min(v.id) from visit v group by v.pacijent_id, v.registar_id, v.datum, v.ustanova_id having count(*) > 1
         union all
         select 'doctor ' || v.id from visit v
          where v.radnik_odgovoran_id is distinct from (select e.radnik_odgovoran_id from entry e
             where e.poseta_id = v.id and e.aktivan and e.radnik_odgovoran_id is not null order by e.id limit 1)",
    )
    .fetch_all(db)
    .await
    .unwrap()
}

#[tokio::test]
async fn the_forms_of_a_day_are_one_visit_with_one_date_and_one_doctor() {
    let case = Case::new().await;
    let other = case.app.worker("drugi", &[], case.app.ustanova).await;
    let first = case.save(case.examination(other.id, DAY, json!({ "broj": 1 }))).await;
    let path = format!("/api/entry-display?tsaID={}&pacijentID={}&datumUnosa={DAY}", case.second, case.patient);
    let shown = case.lekar.get(&path).await.json();
    assert_eq!(shown["tsa"]["radnikOdgovoran"], json!(other.id), "the visit's doctor stands before the one who is signed in");
    assert_eq!(shown["poseta"]["obrasci"][0]["unosID"], first["snimljenUnosID"]);
    let elsewhere = case.lekar.get(&path.replace(DAY, "2026-03-06")).await.json();
    assert_eq!((&elsewhere["tsa"]["radnikOdgovoran"], &elsewhere["poseta"]), (&json!(case.lekar.id), &Value::Null));

    let second = case.save(case.therapy(other.id, DAY)).await;
    let visits = case.visits().await;
    assert_eq!(visits.len(), 1);
    let forms: Vec<&Value> = visits[0]["obrasci"].as_array().unwrap().iter().map(|form| &form["naziv"]).collect();
    assert_eq!((forms, &visits[0]["datum"]), (vec![&json!("Pregled"), &json!("Terapija")], &json!(DAY)));

    // Both go to another day and another doctor, each with its history.
    let change = json!({ "datum": "2026-02-01", "radnikOdgovoran": case.lekar.id, "osnovaRadnikOdgovoran": other.id });
    let changed = case.lekar.put(&format!("/api/visits/{}", visits[0]["id"]), change.clone()).await.assert_status(200).json();
    assert_eq!(changed["promenjeno"], json!(2));
    let visits = case.visits().await;
    assert_eq!((visits.len(), &visits[0]["id"], &visits[0]["datum"]), (1, &changed["posetaID"], &json!("2026-02-01")));
    assert_eq!(visits[0]["lekarID"], json!(case.lekar.id));
    for entry in [&first, &second] {
        let told: Value = sqlx::query_scalar("select polja from audit_log where klasa = 'entry' and red_id = $1 and akcija = 'izmena'")
            .bind(entry["snimljenUnosID"].to_string())
            .fetch_one(&case.app.db.owner)
            .await
            .unwrap();
        assert!(told.to_string().contains("2026-02-01"), "{told}");
    }
    assert_eq!(faults(&case.app.db.owner).await, Vec::<String>::new());
    // The visit of before is there no more, and a doctor whom somebody else has set is not replaced unseen.
    case.lekar.put("/api/visits/987654321", change).await.assert_status(404);
    let unseen = json!({ "datum": "2026-02-01", "radnikOdgovoran": other.id, "osnovaRadnikOdgovoran": null });
    case.lekar.put(&format!("/api/visits/{}", visits[0]["id"]), unseen).await.assert_status(409);
}

#[tokio::test]
async fn a_visit_moves_whole_or_not_at_all() {
    let case = Case::new().await;
    let body = case.examination(case.lekar.id, DAY, json!({ "broj": 1 }));
    let saved = case.save(body.clone()).await;
    case.save(case.therapy(case.lekar.id, DAY)).await;
    // The therapy of that other day fills its form's only place.
    case.app.lay_out(&["update form set maksimalan_broj_instanci_po_kontaktu = 1 where naziv = 'Terapija'"]).await;
    case.save(case.therapy(case.lekar.id, "2026-03-06")).await;
    let mut moved = case.moved(&saved, body, "2026-03-06");
    moved["celaPoseta"] = json!(true);
    let refused = case.lekar.post("/api/entry-values", moved.clone()).await;
    assert_eq!(refused.status, 422, "{}", refused.text());
    assert!(refused.text().contains("Terapija: Za taj dan već postoji unos."), "{}", refused.text());
    let visits = case.visits().await;
    assert_eq!(visits.iter().map(|visit| visit["obrasci"].as_array().unwrap().len()).collect::<Vec<_>>(), [1, 2], "nothing has moved");
    let to = json!({ "datum": "2026-03-06", "radnikOdgovoran": case.lekar.id, "osnovaRadnikOdgovoran": case.lekar.id });
    case.lekar.put(&format!("/api/visits/{}", visits[1]["id"]), to).await.assert_status(422);
    // Alone the form goes, and joins the visit of that day.
    moved["celaPoseta"] = json!(false);
    case.save(moved.clone()).await;
    let forms = case.visits().await.iter().map(|visit| visit["obrasci"].as_array().unwrap().len()).collect::<Vec<_>>();
    assert_eq!(forms, [2, 1]);
    // To a day where there is room all of them go.
    let back = json!({ "datum": "2026-03-07", "radnikOdgovoran": case.lekar.id, "osnovaRadnikOdgovoran": case.lekar.id });
    let newest = case.visits().await[0]["id"].clone();
    case.lekar.put(&format!("/api/visits/{newest}"), back).await.assert_status(200);
    assert_eq!(case.visits().await[0]["datum"], json!("2026-03-07"));
    assert_eq!(faults(&case.app.db.owner).await, Vec::<String>::new());
}

#[tokio::test]
async fn two_who_save_at_once_get_one_visit() {
    let case = Case::new().await;
    let sestra = case.app.sestra().await;
    for round in 1..=15 {
        let day = format!("2025-01-{round:02}");
        let saves = [
            case.lekar.post("/api/entry-values", case.examination(case.lekar.id, &day, json!({ "broj": round }))),
            sestra.post("/api/entry-values", case.therapy(case.lekar.id, &day)),
            sestra.post("/api/entry-values", case.examination(case.lekar.id, &day, json!({ "broj": 2 }))),
        ];
        for saved in futures::future::join_all(saves).await {
            saved.assert_status(200);
        }
    }
    let visits: i64 = sqlx::query_scalar("select count(*) from visit").fetch_one(&case.app.db.owner).await.unwrap();
    assert_eq!((visits, faults(&case.app.db.owner).await), (15, Vec::new()));
}

/// Writers that insert, move, delete, bring back and reassign entries of two patients at once.
#[tokio::test]
async fn whatever_is_written_every_entry_is_in_its_visit_and_no_visit_is_empty() {
    let case = Case::new().await;
    let other = case.app.patient(&case.register, "Eva", "Ević", case.app.ustanova, 2).await;
    let writers = (0..4).map(|seed| {
        let (db, register, patients) = (case.app.db.owner.clone(), (case.register.id, case.register.form), [case.patient, other]);
        let (ustanove, doctors) = ([case.app.ustanova, case.app.druga_ustanova], [Some(case.lekar.id), Some(1), None]);
        tokio::spawn(async move {
            let mut dice = StdRng::seed_from_u64(seed);
            for _ in 0..60 {
                let mut tx = domain::db::begin(&db, domain::db::SYSTEM_WORKER).await.unwrap();
                let day = format!("2024-02-{:02}", dice.random_range(1..5));
                let (patient, ustanova) = (patients[dice.random_range(0..2)], ustanove[dice.random_range(0..2)]);
                let doctor: Option<i64> = doctors[dice.random_range(0..3)];
                let any = "(select id from entry order by md5(id::text || $1::text) limit 1 for update)";
                let chance = dice.random_range(0..1000).to_string();
                match dice.random_range(0..6) {
                    0 | 1 => sqlx::query(
                        "insert into entry (pacijent_id, registar_id, tsa_id, datum_unosa, ustanova_id, radnik_odgovoran_id)
                         values ($1, $2, $3, $4::date, $5, $6)",
                    )
                    .bind(patient)
                    .bind(register.0)
                    .bind(register.1)
                    .bind(&day)
                    .bind(ustanova)
                    .bind(doctor),
                    2 => sqlx::query(sqlx::AssertSqlSafe(format!("update entry set datum_unosa = $2::date where id = {any}")))
                        .bind(&chance)
                        .bind(&day),
                    3 => sqlx::query(sqlx::AssertSqlSafe(format!("update entry set radnik_odgovoran_id = $2 where id = {any}")))
                        .bind(&chance)
                        .bind(doctor),
                    4 => sqlx::query(sqlx::AssertSqlSafe(format!("update entry set aktivan = not aktivan where id = {any}"))).bind(&chance),
                    _ => sqlx::query(sqlx::AssertSqlSafe(format!("update entry set pacijent_id = $2 where id = {any}")))
                        .bind(&chance)
                        .bind(patient),
                }
                .execute(&mut *tx)
                .await
                .unwrap();
                tx.commit().await.unwrap();
            }
        })
    });
    for written in futures::future::join_all(writers).await {
        written.expect("no deadlock, no refusal");
    }
    assert_eq!(faults(&case.app.db.owner).await, Vec::<String>::new());
}

#[tokio::test]
async fn entries_from_before_the_visits_are_given_theirs_and_change_in_nothing_else() {
    let case = Case::new().await;
    case.save(case.examination(case.lekar.id, DAY, json!({ "broj": 1 }))).await;
    case.save(case.therapy(case.lekar.id, DAY)).await;
    case.save(case.examination(case.lekar.id, "2026-03-06", json!({ "broj": 2 }))).await;
    let owner = &case.app.db.owner;
    let rows = || sqlx::query_scalar::<_, Value>("select jsonb_agg(to_jsonb(e) - 'poseta_id' order by e.id) from entry e").fetch_one(owner);
    let logged = || sqlx::query_scalar::<_, i64>("select count(*) from audit_log").fetch_one(owner);
    let (before, log) = (rows().await.unwrap(), logged().await.unwrap());
    sqlx::raw_sql(
        "alter table entry alter poseta_id drop not null; alter table entry disable trigger user; update entry set poseta_id = null;
         delete from visit; alter table entry enable trigger user; delete from applied_definitions",
    )
    .execute(owner)
    .await
    .unwrap();
    domain::schema::migrate(&mut owner.acquire().await.unwrap()).await.unwrap();
    assert_eq!((rows().await.unwrap(), logged().await.unwrap()), (before, log), "no version, no history");
    assert_eq!(faults(owner).await, Vec::<String>::new());
    assert_eq!(case.visits().await.len(), 2);
}

#[tokio::test]
async fn the_summary_says_what_changed_since_the_visits_before() {
    let case = Case::new().await;
    case.save(case.examination(case.lekar.id, "2026-01-01", json!({ "broj": 10.5, "tekst": "isti", "izbor": true }))).await;
    let second = case
        .save(case.examination(case.lekar.id, DAY, json!({ "broj": 13, "tekst": "isti", "skup": [case.register.items["prva"]] })))
        .await;
    case.save(case.therapy(case.lekar.id, DAY)).await;
    let path = format!("/api/patients/{}/summary?registarID={}", case.patient, case.register.id);
    let summary = case.lekar.get(&path).await.assert_status(200).json();
    assert_eq!((&summary["poseta"]["datum"], &summary["brojPoseta"], &summary["brojUnosa"]), (&json!(DAY), &json!(2), &json!(3)));
    assert_eq!(summary["prvaPoseta"], json!("2026-01-01"));
    let examination = &summary["obrasci"][0];
    assert_eq!((&examination["unosID"], &examination["poslednjaPoseta"]), (&second["snimljenUnosID"], &json!(true)));
    let changed: Vec<(&Value, &Value, &Value, &Value)> = examination["promene"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| (&change["naziv"], &change["sada"], &change["pre"], &change["razlika"]))
        .collect();
    let null = Value::Null;
    assert_eq!(
        changed,
        [
            (&json!("izbor"), &null, &json!("Da"), &null),
            (&json!("broj"), &json!("13"), &json!("10,5"), &json!(2.5)),
            (&json!("skup"), &json!("prva"), &null, &null),
            (&json!("zbir"), &json!("14"), &json!("11,5"), &json!(2.5)),
        ]
    );
    assert_eq!(summary["obrasci"][1]["prviPut"], json!(true), "a form that is new changes nothing");
    let stranger = case.app.worker("stranac", &[], case.app.druga_ustanova).await;
    stranger.get(&path).await.assert_status(404);
}
