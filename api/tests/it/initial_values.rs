//! First values of a new entry: of the past up to its day, marked with their source; queries with typed binds, and their failures told.

use domain::db;
use serde_json::{Value, json};

use crate::support::{TestApp, TestRegister, Worker};

struct Case {
    app: TestApp,
    register: TestRegister,
    patient: i64,
    lekar: Worker,
}

impl Case {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
        let lekar = app.lekar().await.0;
        Self { app, register, patient, lekar }
    }

    async fn take_over(&self, code: &str) {
        self.change("update form_field set inicijalno_poslednja_popunjena_vrednost = true where sifra = $1", &[code]).await;
    }

    async fn ask(&self, code: &str, query: &str) {
        self.change("update form_field set upit_inicijalna_vrednost = $2 where sifra = $1", &[code, query]).await;
    }

    async fn change(&self, sql: &'static str, given: &[&str]) {
        let mut tx = db::begin(&self.app.db.owner, db::SYSTEM_WORKER).await.unwrap();
        given.iter().fold(sqlx::query(sql), |query, text| query.bind((*text).to_owned())).execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn entry(&self, date: &str, values: Value) -> i64 {
        self.app.entry(&self.register, self.patient, self.app.ustanova, date, values).await
    }

    /// A new entry of that day, or of none.
    async fn fresh(&self, date: Option<&str>) -> Value {
        let day = date.map(|date| format!("&datumUnosa={date}")).unwrap_or_default();
        let path = format!("/api/entry-display?tsaID={}&pacijentID={}{day}", self.register.form, self.patient);
        self.lekar.get(&path).await.json()
    }

    fn value<'v>(&self, shown: &'v Value, code: &str) -> &'v Value {
        &shown["vrednosti"][self.register.field(code)]
    }
}

#[tokio::test]
async fn a_backdated_visit_takes_nothing_from_later_ones() {
    let case = Case::new().await;
    case.take_over("broj").await;
    case.take_over("tekst").await;
    let first = case.entry("2026-03-12", json!({ "broj": 20, "tekst": "ranije" })).await;
    let second = case.entry("2026-06-01", json!({ "broj": 40 })).await;
    let field = |code: &str| case.register.fields[code];
    let between = case.fresh(Some("2026-05-31")).await;
    assert_eq!((case.value(&between, "broj"), case.value(&between, "tekst")), (&json!(20), &json!("ranije")));
    assert_eq!(
        between["preuzeto"],
        json!([
            { "polje": field("broj"), "unosID": first, "datum": "2026-03-12" },
            { "polje": field("tekst"), "unosID": first, "datum": "2026-03-12" },
        ])
    );
    let same_day = case.fresh(Some("2026-06-01")).await;
    assert_eq!((case.value(&same_day, "broj"), case.value(&same_day, "tekst")), (&json!(40), &json!("ranije")));
    assert_eq!(same_day["preuzeto"][0], json!({ "polje": field("broj"), "unosID": second, "datum": "2026-06-01" }));
    let before_all = case.fresh(Some("2026-03-11")).await;
    assert_eq!((case.value(&before_all, "broj"), &before_all["preuzeto"]), (&Value::Null, &json!([])));
    assert_eq!(case.value(&case.fresh(None).await, "broj"), &json!(40), "without a day, up to today");
}

#[tokio::test]
async fn a_new_entry_begins_with_what_the_form_gives() {
    let case = Case::new().await;
    case.change("update form_field set inicijalna_brojna_vrednost = 2.5 where sifra = 'broj'", &[]).await;
    case.change("update form_field set inicijalna_string_vrednost = 'uredan' where sifra = 'tekst'", &[]).await;
    case.change("update form_field set inicijalna_boolean_vrednost = true where sifra = 'izbor'", &[]).await;
    let item = "update form_field set inicijalna_enum_stavka_id = (select id from enum_item where naziv = 'druga') where sifra = 'skup'";
    case.change(item, &[]).await;
    let fresh = case.fresh(None).await;
    let value = |code| case.value(&fresh, code).clone();
    assert_eq!(
        ["broj", "tekst", "izbor", "skup"].map(value),
        [json!(2.5), json!("uredan"), json!(true), json!([case.register.items["druga"]])]
    );
    let field = fresh["autsiArray"].as_array().unwrap().iter().find(|field| field["id"] == case.register.fields["broj"]);
    assert_eq!(field.unwrap()["inicijalnaBrojnaVrednost"], 2.5);
}

#[tokio::test]
async fn an_entry_that_is_there_waits_for_no_confirmation() {
    let case = Case::new().await;
    case.take_over("broj").await;
    let entry = case.entry("2026-03-12", json!({ "broj": 20 })).await;
    assert_eq!(case.lekar.get(&format!("/api/entry-display?haID={entry}")).await.json()["preuzeto"], json!([]));
}

#[tokio::test]
async fn a_query_compares_ids_and_knows_the_day() {
    let case = Case::new().await;
    case.ask("broj", "select extract(year from age(:datumUnosa, datum_rodjenja))::int from pacijent where id = :pacijentID").await;
    case.ask("tekst", "select naziv from registar where id = :registarID and :ustanovaID > 0 and :radnikID > 0").await;
    let shown = case.fresh(Some("2001-06-01")).await;
    assert_eq!(shown["upozorenja"], json!([]));
    assert_eq!((case.value(&shown, "broj"), case.value(&shown, "tekst")), (&json!(50.0), &json!("Probni registar")));
    let taken = json!([
        { "polje": case.register.fields["broj"], "unosID": null, "datum": null },
        { "polje": case.register.fields["tekst"], "unosID": null, "datum": null },
    ]);
    assert_eq!(shown["preuzeto"], taken);
    assert_eq!(case.value(&case.fresh(Some("2011-06-01")).await, "broj"), &json!(60.0), "it follows the day");
}

#[tokio::test]
async fn what_a_query_could_not_find_out_is_told_by_its_field() {
    let case = Case::new().await;
    case.ask("broj", "select 1 from nema_toga").await;
    case.ask("datum", "select 'nije datum'").await;
    case.ask("tekst", "select ime from pacijent where false").await;
    let shown = case.fresh(Some("2026-03-12")).await;
    let told = |code: &str, poruka: &str| json!({ "polje": case.register.fields[code], "naziv": code, "poruka": poruka });
    assert_eq!(
        shown["upozorenja"],
        json!([
            told("broj", "upit nije ispravan, obratite se administratoru"),
            told("datum", "upit je dao vrednost koja ne odgovara ovom polju"),
        ]),
        "nothing found is no failure"
    );
    assert_eq!(shown["preuzeto"], json!([]));
}
