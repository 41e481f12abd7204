//! Quality rules and what they find: findings that begin and end with the value, confirmations of one value, whose they are, and what becomes of
//! them in a merge and an erasure.

mod doors;
mod states;

use accounts::rights::Right;
use domain::entry::quality::{RuleSet, patients_after, settle, settle_due};
use serde_json::{Value, json};

use crate::support::{Answer, TestApp, TestRegister, Worker};

struct Case {
    app: TestApp,
    register: TestRegister,
    patient: i64,
    doctor: Worker,
    admin: Worker,
}

impl Case {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
        let doctor = app.worker("doktorka", &[Right::Questions], app.ustanova).await;
        let admin = app.worker("koordinator", &[Right::QualityRules], app.ustanova).await;
        Self { app, register, patient, doctor, admin }
    }

    async fn rule(&self, more: Value) -> i64 {
        let mut body = json!({ "naziv": "Pravilo", "registarID": self.register.id });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.admin.post("/api/quality-rules", body).await.assert_status(201).json()["id"].as_i64().expect("a rule")
    }

    /// A rule about the field of numbers of the form.
    async fn rule_of_number(&self, more: Value) -> i64 {
        let mut body = json!({ "formID": self.register.form, "poljeID": self.register.fields["broj"] });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.rule(body).await
    }

    async fn save(&self, entry: Option<i64>, day: &str, values: Value) -> Answer {
        let version: Option<i32> =
            sqlx::query_scalar("select verzija from entry where id = $1").bind(entry).fetch_optional(&self.app.db.owner).await.unwrap();
        let values: serde_json::Map<String, Value> =
            values.as_object().unwrap().iter().map(|(code, value)| (self.register.field(code), value.clone())).collect();
        let body = json!({
            "unosID": entry, "tsaID": self.register.form, "registarID": self.register.id, "pacijentID": self.patient, "verzija": version,
            "vrednosti": values, "radnikOdgovoran": self.doctor.id, "datumUnosa": day,
        });
        self.doctor.post("/api/entry-values", body).await
    }

    async fn saved(&self, entry: Option<i64>, day: &str, values: Value) -> i64 {
        self.save(entry, day, values).await.assert_status(200).json()["snimljenUnosID"].as_i64().expect("an entry")
    }

    async fn findings(&self, entry: i64) -> Vec<Value> {
        let told = self.doctor.get(&format!("/api/entries/{entry}/findings")).await.assert_status(200).json();
        told["nalazi"].as_array().expect("findings").clone()
    }

    async fn listed(&self, worker: &Worker, query: &str) -> Vec<Value> {
        let page = worker.get(&format!("/api/findings?{query}")).await.assert_status(200).json();
        page["data"].as_array().expect("findings").clone()
    }

    /// As the scheduler does.
    async fn settle_due(&self) -> usize {
        let mut tx = domain::db::begin(&self.app.db.app, domain::db::SYSTEM_WORKER).await.unwrap();
        let settled = settle_due(&mut tx, 100, "2026-11-30".parse().unwrap()).await.unwrap();
        tx.commit().await.unwrap();
        settled
    }

    /// As an engine does.
    async fn run(&self) {
        self.run_by(7).await;
    }

    /// So many patients at once.
    async fn run_by(&self, patients: i64) {
        let (page, mut last) = (patients, 0);
        loop {
            let mut tx = domain::db::begin(&self.app.db.app, domain::db::SYSTEM_WORKER).await.unwrap();
            let patients = patients_after(&mut tx, self.register.id, last, page).await.unwrap();
            let Some(end) = patients.last().copied() else { return };
            let mut rules = RuleSet::of(&mut tx, self.register.id).await.unwrap();
            let (_, busy) = settle(&mut tx, &mut rules, &patients, "2026-11-30".parse().unwrap()).await.unwrap();
            tx.commit().await.unwrap();
            assert_eq!(busy, Vec::<i64>::new());
            last = end;
        }
    }

    async fn ends(&self) -> Vec<(String, i64)> {
        sqlx::query_as("select coalesce(razlog_kraja, 'traje'), count(*) from quality_finding group by 1 order by 1")
            .fetch_all(&self.app.db.owner)
            .await
            .unwrap()
    }
}

#[tokio::test]
async fn a_finding_begins_with_the_save_and_ends_with_the_next_one() {
    let case = Case::new().await;
    let rule = case.rule_of_number(json!({ "vrsta": "granice", "gornjaGranica": 50, "poruka": "Proverite broj." })).await;
    let entry = case.saved(None, "2025-02-01", json!({ "broj": 60 })).await;
    let found = case.findings(entry).await;
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        (&found[0]["poljeID"], &found[0]["vrsta"], &found[0]["poruka"], &found[0]["potvrda"]),
        (&json!(case.register.fields["broj"]), &json!("granice"), &json!("Proverite broj."), &Value::Null)
    );
    assert_eq!(case.listed(&case.doctor, &format!("praviloID={rule}")).await.len(), 1);
    // The same value is the same finding, whoever saves whatever else.
    case.saved(Some(entry), "2025-02-01", json!({ "broj": 60, "tekst": "Drugo" })).await;
    assert_eq!(case.findings(entry).await[0]["id"], found[0]["id"]);
    case.saved(Some(entry), "2025-02-01", json!({ "broj": 40 })).await;
    assert_eq!(case.findings(entry).await, Vec::<Value>::new());
    let ended = case.listed(&case.doctor, "stanje=zavrseni").await;
    assert_eq!((ended.len(), &ended[0]["razlogKraja"]), (1, &json!("vrednost")));
    assert_eq!(case.ends().await, [("vrednost".to_owned(), 1)]);
}

#[tokio::test]
async fn what_is_confirmed_is_confirmed_of_that_value_alone() {
    let case = Case::new().await;
    case.rule_of_number(json!({ "vrsta": "granice", "gornjaGranica": 50 })).await;
    let entry = case.saved(None, "2025-02-01", json!({ "broj": 60 })).await;
    let finding = case.findings(entry).await[0]["id"].clone();
    let path = format!("/api/findings/{finding}/confirm");
    case.doctor.post(&path, json!({ "napomena": "a".repeat(501) })).await.assert_refusal(
        422,
        Some("napomena"),
        "Napomena ima najviše 500 znakova.",
    );
    case.doctor.post(&path, json!({ "napomena": "Ponovljeno merenje" })).await.assert_status(204);
    assert_eq!(case.findings(entry).await[0]["potvrda"]["napomena"], "Ponovljeno merenje");
    assert_eq!((case.listed(&case.doctor, "").await.len(), case.listed(&case.doctor, "stanje=potvrdjeni").await.len()), (0, 1));
    case.run().await;
    assert_eq!(case.listed(&case.doctor, "").await.len(), 0, "a run finds the same value confirmed");
    case.saved(Some(entry), "2025-02-01", json!({ "broj": 70 })).await;
    assert_eq!(case.listed(&case.doctor, "").await.len(), 1, "another value is a finding again");
    case.doctor.post(&path, json!({})).await.assert_status(409);
    case.saved(Some(entry), "2025-02-01", json!({ "broj": 60.0 })).await;
    assert_eq!(case.findings(entry).await[0]["potvrda"]["napomena"], "Ponovljeno merenje", "of that value it still holds");
    let again = case.findings(entry).await[0]["id"].clone();
    case.doctor.post(&format!("/api/findings/{again}/unconfirm"), json!({})).await.assert_status(204);
    assert_eq!(case.listed(&case.doctor, "").await.len(), 1);
    // Who reads alone confirms nothing.
    let reader = case.app.worker("citalac", &[], case.app.ustanova).await;
    case.app.lay_out(&["update role set pacijenti = 'uvid' where ime like 'Uloga radnika citalac'"]).await;
    reader.post(&format!("/api/findings/{again}/confirm"), json!({})).await.assert_refusal(
        403,
        None,
        "Nalaz potvrđuje ko menja pacijente.",
    );
    let deeds = case.app.log("quality_finding").await;
    assert_eq!(deeds.iter().filter(|row| row.akcija == "izmena").count(), 2, "{deeds:?}");
}

#[tokio::test]
async fn each_kind_finds_its_fault_and_no_other() {
    let case = Case::new().await;
    let (form, number) = (case.register.form, case.register.fields["broj"]);
    let (date, text) = (case.register.fields["datum"], case.register.fields["tekst"]);
    let before = case.app.entry(&case.register, case.patient, case.app.ustanova, "2025-01-01", json!({ "broj": 5 })).await;
    let twice = case.app.entry(&case.register, case.patient, case.app.ustanova, "2025-01-01", json!({ "broj": 6 })).await;
    let wrong = case
        .app
        .entry(&case.register, case.patient, case.app.ustanova, "2025-02-01", json!({ "broj": 52, "datum": "1940-01-01", "tekst": "x" }))
        .await;
    let rules = [
        (json!({ "vrsta": "obavezno", "formID": form, "poljeID": text }), vec![before, twice]),
        (json!({ "vrsta": "granice", "formID": form, "poljeID": number, "donjaGranica": 6 }), vec![before]),
        (json!({ "vrsta": "skok", "formID": form, "poljeID": number, "razlika": 20 }), vec![wrong]),
        (json!({ "vrsta": "skok", "formID": form, "poljeID": number, "razlika": 20, "dana": 30 }), vec![]),
        (json!({ "vrsta": "jedinica", "formID": form, "poljeID": number }), vec![wrong]),
        (json!({ "vrsta": "preRodjenja", "formID": form, "poljeID": date }), vec![wrong]),
        (json!({ "vrsta": "istiDan", "formID": form }), vec![twice]),
        (json!({ "vrsta": "posleDanas" }), vec![]),
        (json!({ "vrsta": "formula", "formID": form, "formula": "$(broj) > 50 && isblank($(skriveno))" }), vec![wrong]),
        (json!({ "vrsta": "formula", "formID": form, "formula": "prethodno($(broj)) >= 6 && prethodno($(broj)) <= 6" }), vec![wrong]),
    ];
    let mut made = Vec::new();
    for (rule, entries) in rules {
        made.push((case.rule(rule.clone()).await, rule, entries));
    }
    case.run().await;
    for (id, rule, entries) in made {
        let found: Vec<i64> = sqlx::query_scalar("select unos_id from quality_finding where pravilo_id = $1 order by 1")
            .bind(id)
            .fetch_all(&case.app.db.owner)
            .await
            .unwrap();
        assert_eq!(found, entries, "{rule}");
    }
    // A death that is told later makes days impossible, and nobody has to save them.
    let dead = case.rule(json!({ "vrsta": "posleSmrti" })).await;
    case.run().await;
    sqlx::query("delete from quality_due").execute(&case.app.db.owner).await.unwrap();
    case.app
        .lay_out(&[
            "insert into patient_status (pacijent_id, status, dan, izvor, ustanova_id) select id, 'preminuo', '2025-01-20', 'potvrda', ustanova_id from patient limit 1",
        ])
        .await;
    assert_eq!(case.settle_due().await, 1);
    let found: Vec<i64> = sqlx::query_scalar("select unos_id from quality_finding where pravilo_id = $1")
        .bind(dead)
        .fetch_all(&case.app.db.owner)
        .await
        .unwrap();
    assert_eq!(found, [wrong]);
}

/// As the follow-ups of a study are that was dated into the future.
#[tokio::test]
async fn a_day_that_has_not_come_is_found_until_it_is_corrected() {
    let case = Case::new().await;
    // No door takes such a day any more; it came before there was the rule of the database.
    let late = case.app.entry(&case.register, case.patient, case.app.ustanova, "2024-12-01", json!({ "broj": 5 })).await;
    let before_the_rule =
        ["set local session_replication_role = replica", "update entry set datum_unosa = '2029-12-01' where datum_unosa = '2024-12-01'"];
    case.app.lay_out(&before_the_rule).await;
    let rule = case.rule(json!({ "vrsta": "posleDanas" })).await;
    case.run().await;
    let open = async || -> Vec<i64> {
        let found = sqlx::query_scalar("select unos_id from quality_finding where pravilo_id = $1 and kraj is null order by 1").bind(rule);
        found.fetch_all(&case.app.db.owner).await.unwrap()
    };
    assert_eq!(open().await, [late]);
    case.app.lay_out(&["update entry set datum_unosa = '2025-03-01' where datum_unosa = '2029-12-01'"]).await;
    case.settle_due().await;
    assert_eq!(open().await, Vec::<i64>::new());
}

#[tokio::test]
async fn a_run_finds_what_sql_finds() {
    finds_what_sql_finds("select set_config('probe.pacijenata', '60', true)", 370).await;
}

#[tokio::test]
#[ignore = "long: ten thousand entries"]
async fn a_run_finds_what_sql_finds_in_ten_thousand_entries() {
    finds_what_sql_finds("select set_config('probe.pacijenata', '1667', true)", 10_000).await;
}

/// Entries by lot, the same on every machine: blanks, several on a day, and values on both sides of every bound.
async fn finds_what_sql_finds(patients: &'static str, least: i64) {
    let case = Case::new().await;
    case.app
        .lay_out(&[
            "select setseed(0.43)",
            patients,
            "insert into patient (ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, ustanova_id)
             select 'Ime', 'Prezime', '1950-01-01', lpad(n::text, 13, '0'), lpad(n::text, 11, '0'), true, '011/1234567', (select min(ustanova_id) from patient)
               from generate_series(100, 100 + current_setting('probe.pacijenata')::int) n",
            "insert into entry (pacijent_id, registar_id, tsa_id, datum_unosa, ustanova_id, vrednosti)
             select p.id, f.registar_id, f.id, '2025-01-01'::date + floor(random() * 120)::int, p.ustanova_id,
                    case when random() < 0.2 then '{}'::jsonb else jsonb_build_object((select id from form_field where sifra = 'broj')::text, floor(random() * 90)) end
               from patient p cross join generate_series(1, 6) n cross join form f",
            "analyze entry",
        ])
        .await;
    let bounds = case.rule_of_number(json!({ "vrsta": "granice", "donjaGranica": 10, "gornjaGranica": 80 })).await;
    let jump = case.rule_of_number(json!({ "vrsta": "skok", "razlika": 30, "dana": 60 })).await;
    let blank = case.rule_of_number(json!({ "vrsta": "obavezno" })).await;
    let days = case.rule(json!({ "vrsta": "istiDan" })).await;
    let entries: i64 = sqlx::query_scalar("select count(*) from entry").fetch_one(&case.app.db.owner).await.unwrap();
    assert!(entries > least, "{entries}");
    case.run_by(250).await;
    let field = case.register.field("broj");
    let expected = [
        (bounds, "select e.id from entry e where (e.vrednosti ->> $1)::float < 10 or (e.vrednosti ->> $1)::float > 80 order by 1"),
        (
            jump,
            "select e.id from entry e cross join lateral (
                 select o.datum_unosa, (o.vrednosti ->> $1)::float as broj from entry o
                  where o.pacijent_id = e.pacijent_id and o.datum_unosa < e.datum_unosa and o.vrednosti ? $1 order by o.datum_unosa desc, o.id desc limit 1) b
              where abs((e.vrednosti ->> $1)::float - b.broj) > 30 and e.datum_unosa - b.datum_unosa <= 60 order by 1",
        ),
        (blank, "select e.id from entry e where not e.vrednosti ? $1 order by 1"),
        (
            days,
            "select e.id from entry e where $1 <> '' and exists (select from entry o where o.pacijent_id = e.pacijent_id and o.datum_unosa = e.datum_unosa and o.id < e.id) order by 1",
        ),
    ];
    for (rule, sql) in expected {
        let found: Vec<i64> = sqlx::query_scalar("select unos_id from quality_finding where pravilo_id = $1 and kraj is null order by 1")
            .bind(rule)
            .fetch_all(&case.app.db.owner)
            .await
            .unwrap();
        let by_sql: Vec<i64> = sqlx::query_scalar(sql).bind(&field).fetch_all(&case.app.db.owner).await.unwrap();
        assert!(!by_sql.is_empty(), "{sql}");
        assert_eq!(found, by_sql, "{sql}");
    }
    // Another run changes nothing.
    let before = case.ends().await;
    case.run_by(250).await;
    assert_eq!(case.ends().await, before);
}

#[tokio::test]
async fn findings_end_with_their_rule_and_what_no_rule_can_be_is_refused() {
    let case = Case::new().await;
    let rule = case.rule_of_number(json!({ "vrsta": "granice", "gornjaGranica": 50 })).await;
    let entry = case.saved(None, "2025-02-01", json!({ "broj": 60 })).await;
    let path = format!("/api/quality-rules/{rule}");
    case.admin.patch(&path, json!({ "gornjaGranica": 65, "verzija": 1 })).await.assert_status(200);
    case.run().await;
    assert_eq!(case.ends().await, [("pravilo".to_owned(), 1)]);
    case.admin.patch(&path, json!({ "gornjaGranica": 55, "verzija": 2 })).await.assert_status(200);
    case.run().await;
    assert_eq!(case.findings(entry).await.len(), 1);
    case.admin.delete(&format!("{path}?verzija=3")).await;
    assert_eq!(case.findings(entry).await, Vec::<Value>::new());
    assert_eq!(case.ends().await, [("pravilo".to_owned(), 2)]);
    let (form, number, date) = (case.register.form, case.register.fields["broj"], case.register.fields["datum"]);
    for (more, field) in [
        (json!({ "vrsta": "skok", "razlika": 2 }), "formID"),
        (json!({ "vrsta": "skok", "formID": form, "razlika": 2 }), "poljeID"),
        (json!({ "vrsta": "skok", "formID": form, "poljeID": number }), "razlika"),
        (json!({ "vrsta": "skok", "formID": form, "poljeID": date, "razlika": 2 }), "poljeID"),
        (json!({ "vrsta": "skok", "formID": form, "poljeID": number, "razlika": -2 }), "razlika"),
        (json!({ "vrsta": "granice", "formID": form, "poljeID": number, "donjaGranica": 3, "gornjaGranica": 2 }), "gornjaGranica"),
        (json!({ "vrsta": "redosled", "formID": form, "poljeID": date, "drugoPoljeID": date }), "drugoPoljeID"),
        (json!({ "vrsta": "formula", "formID": form }), "formula"),
        (json!({ "vrsta": "formula", "formID": form, "formula": "$(nema) > 1" }), "formula"),
        (json!({ "vrsta": "obavezno", "formID": 987_654 }), "formID"),
    ] {
        let mut body = json!({ "naziv": "Pravilo", "registarID": case.register.id });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        assert_eq!(case.admin.post("/api/quality-rules", body).await.refusal(422)["field"], field, "{more}");
    }
    // Configuring wants a right of its own.
    case.doctor.get("/api/quality-rules").await.assert_status(403);
}

#[tokio::test]
async fn findings_are_the_institutions_that_holds_the_entry() {
    let case = Case::new().await;
    case.rule_of_number(json!({ "vrsta": "granice", "gornjaGranica": 50 })).await;
    let entry = case.saved(None, "2025-02-01", json!({ "broj": 60 })).await;
    let finding = case.findings(entry).await[0]["id"].clone();
    let stranger = case.app.worker("stranac", &[Right::Questions], case.app.druga_ustanova).await;
    let path = format!("/api/entries/{entry}/findings");
    stranger.get(&path).await.assert_status(404);
    for deed in ["confirm", "unconfirm"] {
        let known = stranger.post(&format!("/api/findings/{finding}/{deed}"), json!({})).await;
        let none = stranger.post(&format!("/api/findings/999999999/{deed}"), json!({})).await;
        assert_eq!((known.status, known.text()), (404, none.text()), "{deed}");
    }
    // One entry of its own, and it knows her; the findings stay the other's.
    case.app.entry(&case.register, case.patient, case.app.druga_ustanova, "2025-03-01", json!({ "broj": 70 })).await;
    case.settle_due().await;
    assert_eq!(stranger.get(&path).await.assert_status(200).json(), json!({ "nalazi": [], "pravoPotvrde": false }));
    assert_eq!((case.listed(&stranger, "").await.len(), case.listed(&case.doctor, "").await.len()), (1, 1));
    let figures = |worker: Worker, register: i64| async move {
        let told = worker.get(&format!("/api/data-quality?registarID={register}")).await.assert_status(200).json();
        (told["ukupno"]["unosa"].clone(), told["ukupno"]["nalaza"].clone(), told["poPravilu"][0]["nalaza"].clone())
    };
    let register = case.register.id;
    assert_eq!(figures(stranger, register).await, (json!(1), json!(1), json!(1)));
    let told = case.doctor.get(&format!("/api/data-quality?registarID={register}&od=2025-01-01&do=2025-12-31")).await.json();
    assert_eq!((&told["ukupno"]["unosa"], &told["ukupno"]["nalaza"]), (&json!(1), &json!(1)));
    assert_eq!((&told["poMesecu"][0]["mesec"], &told["poLekaru"][0]["id"]), (&json!("2025-02-01"), &json!(case.doctor.id)));
    let field = told["poPolju"].as_array().unwrap().iter().find(|field| field["id"] == case.register.fields["broj"]).expect("the field");
    assert_eq!((&field["unosa"], &field["popunjeno"], &field["nalaza"]), (&json!(1), &json!(1), &json!(1)));
    assert_eq!(told["poFormularu"][0]["id"], case.register.form);
}

#[tokio::test]
async fn whoever_makes_rules_sees_all_institutions_and_no_small_group() {
    let case = Case::new().await;
    case.rule_of_number(json!({ "vrsta": "granice", "gornjaGranica": 50 })).await;
    case.saved(None, "2025-02-01", json!({ "broj": 60 })).await;
    // Six patients of another institution, of whom two have a number out of bounds.
    for number in 0..6 {
        let patient = case.app.patient(&case.register, "Ime", &format!("Prezime{number}"), case.app.druga_ustanova, number + 10).await;
        let broj = if number < 2 { 70 } else { 10 };
        case.app.entry(&case.register, patient, case.app.druga_ustanova, "2025-03-01", json!({ "broj": broj })).await;
    }
    while case.settle_due().await > 0 {}
    let register = case.register.id;
    let told = async |query: &str| {
        let path = format!("/api/data-quality/institutions?registarID={register}{query}");
        case.admin.get(&path).await.assert_status(200).json()
    };
    let row = |told: &Value, id: i64| told["data"].as_array().unwrap().iter().find(|row| row["id"] == id).cloned();
    let all = told("").await;
    assert_eq!(all["najmanje"], 5);
    assert_eq!(row(&all, case.app.ustanova), None, "one is few, the own one too: a sum less the others would tell of strangers");
    let other = row(&all, case.app.druga_ustanova).expect("six are no few");
    assert_eq!((&other["unosa"], &other["nalaza"]), (&json!(6), &json!(null)), "{all}");
    case.app.lay_out(&["update entry set datum_unosa = '2025-04-01' where id in (select id from entry order by id desc limit 2)"]).await;
    assert_eq!(row(&told("&do=2025-03-31").await, case.app.druga_ustanova), None, "four are few");
    case.app.lay_out(&["update parameter set vrednost = '1' where naziv = 'najmanjaTudjaGrupa'"]).await;
    let all = told("").await;
    assert_eq!(row(&all, case.app.druga_ustanova).expect("a row")["nalaza"], 2);
    let own = row(&all, case.app.ustanova).expect("the own institution");
    assert_eq!((&own["unosa"], &own["nalaza"]), (&json!(1), &json!(1)), "{all}");
    case.doctor.get(&format!("/api/data-quality/institutions?registarID={register}")).await.assert_status(403);
}

#[tokio::test]
async fn a_deleted_entry_has_no_finding_and_one_that_comes_back_has_it_again() {
    let case = Case::new().await;
    case.rule_of_number(json!({ "vrsta": "granice", "gornjaGranica": 50 })).await;
    let entry = case.saved(None, "2025-02-01", json!({ "broj": 60 })).await;
    case.app.lay_out(&["update entry set aktivan = false"]).await;
    assert_eq!((case.listed(&case.doctor, "").await.len(), case.ends().await), (0, vec![("unos".to_owned(), 1)]));
    case.app.lay_out(&["update entry set aktivan = true"]).await;
    assert_eq!(case.settle_due().await, 1);
    assert_eq!(case.findings(entry).await.len(), 1);
}

#[tokio::test]
async fn findings_go_where_their_entry_goes() {
    let case = Case::new().await;
    case.rule_of_number(json!({ "vrsta": "granice", "gornjaGranica": 50 })).await;
    let entry = case.saved(None, "2025-02-01", json!({ "broj": 60 })).await;
    let finding = case.findings(entry).await[0]["id"].clone();
    case.doctor.post(&format!("/api/findings/{finding}/confirm"), json!({ "napomena": "Ana Anić potvrdila" })).await.assert_status(204);
    let other = case.app.patient(&case.register, "Ana", "Anić", case.app.ustanova, 2).await;
    let merger = case.app.worker("spaja", &[Right::Merging], case.app.ustanova).await;
    let mut tx = domain::db::begin(&case.app.db.owner, merger.id).await.unwrap();
    sqlx::query("select merge_patients($1, $2, '{}', 'Ista osoba, dva kartona')")
        .bind(other)
        .bind(case.patient)
        .execute(&mut *tx)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    case.settle_due().await;
    let of: (i64, bool) = sqlx::query_as("select pacijent_id, potvrdjen_at is not null from quality_finding where kraj is null")
        .fetch_one(&case.app.db.owner)
        .await
        .unwrap();
    assert_eq!(of, (other, true));
}

#[tokio::test]
async fn rules_are_switched_off_and_findings_end_but_nothing_of_them_is_deleted() {
    let case = Case::new().await;
    case.rule_of_number(json!({ "vrsta": "granice", "gornjaGranica": 50 })).await;
    case.saved(None, "2025-02-01", json!({ "broj": 60 })).await;
    for statement in
        ["delete from quality_rule", "delete from quality_finding", "delete from quality_run", "insert into quality_due values (1, 1)"]
    {
        let mut tx = domain::db::begin(&case.app.state.db, case.doctor.id).await.unwrap();
        assert!(sqlx::query(statement).execute(&mut *tx).await.is_err(), "{statement}");
    }
}

#[tokio::test]
async fn a_run_is_asked_for_once_and_cancelled() {
    let case = Case::new().await;
    let path = format!("/api/registers/{}/quality-runs", case.register.id);
    case.admin.post(&path, json!({})).await.assert_refusal(409, None, "Registar nema nijedno pravilo kvaliteta. Prvo ga napravite.");
    case.rule_of_number(json!({ "vrsta": "granice", "gornjaGranica": 50 })).await;
    let runs = case.admin.get(&path).await.assert_status(200).json();
    assert_eq!((runs["data"].as_array().unwrap().len(), &runs["data"][0]["status"]), (1, &json!("queued")), "a new rule looks at all");
    let id = case.admin.post(&path, json!({})).await.assert_status(202).json()["id"].clone();
    assert_eq!(id, runs["data"][0]["id"], "one that waits is that run");
    case.admin.post(&format!("/api/quality-runs/{id}/cancel"), json!({})).await.assert_status(204);
    case.admin.post(&format!("/api/quality-runs/{id}/cancel"), json!({})).await.assert_refusal(409, None, "Provera je već završena.");
    let again = case.admin.post(&path, json!({})).await.assert_status(202).json()["id"].clone();
    assert_ne!(again, id);
    assert_eq!(case.admin.get(&path).await.json()["data"][1]["status"], "cancelled");
}
