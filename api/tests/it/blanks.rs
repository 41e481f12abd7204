//! A blank is no finding: what nobody was shown or asked is blank at every door, and never a No.

use domain::{
    db,
    formula::{self, FormulaKind, Target},
    register::ValueType,
};
use serde_json::{Value, json};

use crate::support::{TestApp, TestRegister, Worker};

/// A picture with two dots, `bolLevo` and `bolDesno`, whose marks `bolnih` counts; `rf` is a radio.
const FINDINGS: [&str; 2] = [
    "with types as (insert into attribute_type (naziv, tip_vrednosti_atributa) values ('Slika', 9) returning id),
          picture as (insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, redosled, background_image)
                      select f.tip_skupa_atributa_id, types.id, 'slika', 50, 'iVBORw0KGgo=' from types, form_field f where f.sifra = 'izbor'
                      returning id)
     insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, sifra, redosled, pretrazuje_se, ima_cek_box,
                             nadredjeni_atribut_u_tipu_skupa_id, image_coordinate_x, image_coordinate_y)
     select f.tip_skupa_atributa_id, f.tip_atributa_id, d.code, d.code, 60, true, true, picture.id, 10, d.y
       from form_field f, picture, (values ('bolLevo', 10), ('bolDesno', 20)) d (code, y) where f.sifra = 'izbor'",
    "insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, sifra, redosled, pretrazuje_se, radio_button)
     select f.tip_skupa_atributa_id, f.tip_atributa_id, c.code, c.code, 70, true, true
       from (values ('rf', 'izbor'), ('bolnih', 'broj')) c (code, kind) join form_field f on f.sifra = c.kind",
];

struct Case {
    app: TestApp,
    register: TestRegister,
    lekar: Worker,
}

impl Case {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let mut register = app.register().await;
        app.lay_out(&FINDINGS).await;
        for code in ["bolLevo", "bolDesno", "rf", "bolnih"] {
            let id: i64 =
                sqlx::query_scalar("select id from form_field where sifra = $1").bind(code).fetch_one(&app.db.owner).await.unwrap();
            register.fields.insert(code, id);
        }
        let known = |(code, id): (&&str, &i64)| formula::Field {
            id: *id,
            sifra: Some((*code).to_owned()),
            tip_vrednosti: if code.starts_with("bolL") || code.starts_with("bolD") { ValueType::Choice } else { ValueType::Number },
            ..Default::default()
        };
        let known: Vec<formula::Field> = register.fields.iter().map(known).collect();
        let counted = Target { field: register.fields["bolnih"], kind: FormulaKind::Calculation };
        let compiled = formula::compile("countif($(bolLevo), $(bolDesno))", counted, &known).expect("a formula");
        let mut tx = db::begin(&app.db.owner, db::SYSTEM_WORKER).await.unwrap();
        sqlx::query("update form_field set formula_za_racunanje_ast = $2 where id = $1")
            .bind(counted.field)
            .bind(serde_json::to_value(compiled.formula).unwrap())
            .execute(&mut *tx)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        let lekar = app.lekar().await.0;
        Self { app, register, lekar }
    }

    /// A patient with one entry, whose answers are these; the entry and the save's answer.
    async fn saved(&self, number: i64, answers: Value) -> (i64, i64, Value) {
        let patient = self.app.patient(&self.register, "Ana", "Anić", self.app.ustanova, number).await;
        let body = json!({
            "tsaID": self.register.form, "registarID": self.register.id, "pacijentID": patient, "radnikOdgovoran": self.lekar.id,
            "datumUnosa": "2026-03-05", "vrednosti": self.by_id(answers),
        });
        let saved = self.lekar.post("/api/entry-values", body).await.assert_status(200).json();
        (patient, saved["snimljenUnosID"].as_i64().unwrap(), saved)
    }

    fn by_id(&self, by_code: Value) -> Value {
        let by_code = by_code.as_object().unwrap();
        by_code.iter().map(|(code, value)| (self.register.field(code), value.clone())).collect::<serde_json::Map<_, _>>().into()
    }

    async fn found(&self, code: &str, operator: &str) -> Vec<i64> {
        let row = json!({ "poljeID": self.register.fields[code], "operator": operator });
        let body = json!({ "registarID": self.register.id, "redPretrage": [row] });
        let answer = self.lekar.post("/api/search", body).await.assert_status(200).json();
        let mut found: Vec<i64> = answer["unosi"].as_array().unwrap().iter().filter_map(|row| row["pacijentID"].as_i64()).collect();
        found.sort_unstable();
        found
    }

    /// What reports read of the entry, by code.
    async fn reported(&self, entry: i64) -> Vec<(String, Option<bool>, Option<f64>)> {
        let mut report = self.app.db.app.acquire().await.unwrap();
        sqlx::query("delete from report_scope where pid = pg_backend_pid()").execute(&mut *report).await.unwrap();
        sqlx::query("insert into report_scope (pid, radnik_id, ustanova_id) values (pg_backend_pid(), 1, $1)")
            .bind(self.app.ustanova)
            .execute(&mut *report)
            .await
            .unwrap();
        sqlx::query_as(
            "select sifra, izbor, broj::float8 from report.vrednost
              where unos_id = $1 and sifra = any ('{bolLevo,bolDesno,rf,bolnih}') order by polje_id",
        )
        .bind(entry)
        .fetch_all(&mut *report)
        .await
        .unwrap()
    }
}

#[tokio::test]
async fn what_nobody_was_asked_is_blank_at_every_door() {
    let case = Case::new().await;
    let fresh = format!("/api/entry-display?tsaID={}&pacijentID={}", case.register.form, {
        case.app.patient(&case.register, "Eva", "Ević", case.app.ustanova, 9).await
    });
    assert_eq!(case.lekar.get(&fresh).await.json()["vrednosti"], json!({}), "a new entry begins with no finding");

    let (unused, entry, saved) = case.saved(1, json!({ "broj": 1 })).await;
    let blank = case.by_id(json!({ "broj": 1, "zbir": 2 }));
    assert_eq!(saved["vrednosti"], blank, "the save");
    let shown = case.lekar.get(&format!("/api/entry-display?haID={entry}")).await.json();
    assert_eq!(shown["vrednosti"], blank, "the screen");
    assert_eq!(case.reported(entry).await, [], "reports and exports");

    let (one, marked, saved) = case.saved(2, json!({ "broj": 1, "bolDesno": true })).await;
    let of_one = case.by_id(json!({ "broj": 1, "zbir": 2, "bolDesno": true, "bolLevo": false, "bolnih": 1 }));
    assert_eq!(saved["vrednosti"], of_one, "a picture that is used answers all its dots");
    let (none, _, saved) = case.saved(3, json!({ "broj": 1, "bolDesno": false, "rf": false })).await;
    let of_none = case.by_id(json!({ "broj": 1, "zbir": 2, "bolDesno": false, "bolLevo": false, "bolnih": 0, "rf": false }));
    assert_eq!(saved["vrednosti"], of_none, "and so does one of which somebody says that there are none");

    assert_eq!(case.found("bolnih", "popunjeno").await, [one, none]);
    assert_eq!(case.found("bolLevo", "nijePopunjeno").await, [unused]);
    assert_eq!(case.found("rf", "popunjeno").await, [none]);
    assert_eq!(case.found("bolDesno", "nijeIzabrano").await, [unused, none], "not chosen is whatever is not chosen, blank or No");
    let reported = case.reported(marked).await;
    let told = |code: &str, yes: Option<bool>, number| (code.to_owned(), yes, number);
    assert!(
        reported.contains(&told("bolLevo", Some(false), None)) && reported.contains(&told("bolDesno", Some(true), None)),
        "{reported:?}"
    );

    // Once it was used, taking everything back is a change that the history tells, and leaves nothing behind.
    let body = json!({
        "unosID": marked, "tsaID": case.register.form, "registarID": case.register.id, "pacijentID": one, "radnikOdgovoran": case.lekar.id,
        "datumUnosa": "2026-03-05", "vrednosti": case.by_id(json!({ "broj": 1 })), "verzija": 1,
    });
    let emptied = case.lekar.post("/api/entry-values", body).await.assert_status(200).json();
    assert_eq!(emptied["vrednosti"], blank);
    let path = format!("/api/entries/{marked}/archive?nizAutsID={}", case.register.field("bolLevo"));
    let history = case.lekar.get(&path).await.json();
    assert_eq!(history["data"].as_array().unwrap().last().unwrap()["logickaVrednost"], json!(false), "{history}");
}

#[tokio::test]
async fn an_entry_from_before_keeps_the_answers_of_its_picture() {
    let case = Case::new().await;
    let patient = case.app.patient(&case.register, "Ana", "Anić", case.app.ustanova, 1).await;
    let before = json!({ "broj": 1, "zbir": 2, "bolLevo": false, "bolDesno": false, "bolnih": 0 });
    let entry = case.app.entry(&case.register, patient, case.app.ustanova, "2026-03-05", before).await;
    let body = json!({
        "unosID": entry, "tsaID": case.register.form, "registarID": case.register.id, "pacijentID": patient, "radnikOdgovoran": case.lekar.id,
        "datumUnosa": "2026-03-05", "vrednosti": case.by_id(json!({ "broj": 2, "bolLevo": false, "bolDesno": false })), "verzija": 1,
    });
    let saved = case.lekar.post("/api/entry-values", body).await.assert_status(200).json();
    let kept = json!({ "broj": 2, "zbir": 3, "bolLevo": false, "bolDesno": false, "bolnih": 0 });
    assert_eq!(saved["vrednosti"], case.by_id(kept));
}
