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
            { "polje": field("broj"), "izvor": "unos", "unosID": first, "datum": "2026-03-12" },
            { "polje": field("tekst"), "izvor": "unos", "unosID": first, "datum": "2026-03-12" },
        ])
    );
    let same_day = case.fresh(Some("2026-06-01")).await;
    assert_eq!((case.value(&same_day, "broj"), case.value(&same_day, "tekst")), (&json!(40), &json!("ranije")));
    assert_eq!(same_day["preuzeto"][0], json!({ "polje": field("broj"), "izvor": "unos", "unosID": second, "datum": "2026-06-01" }));
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
    let marked =
        fresh["preuzeto"].as_array().unwrap().iter().map(|taken| (taken["polje"].as_i64().unwrap(), taken["izvor"].as_str().unwrap()));
    let of_the_form = ["izbor", "broj", "tekst", "skup"].map(|code| (case.register.fields[code], "obrazac"));
    assert_eq!(marked.collect::<Vec<_>>(), of_the_form, "each with its source, in the order of the form");
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
        { "polje": case.register.fields["broj"], "izvor": "upit", "unosID": null, "datum": null },
        { "polje": case.register.fields["tekst"], "izvor": "upit", "unosID": null, "datum": null },
    ]);
    assert_eq!(shown["preuzeto"], taken);
    assert_eq!(case.value(&case.fresh(Some("2011-06-01")).await, "broj"), &json!(60.0), "it follows the day");
}

/// A first value shows whatever its author wrote to whoever begins an entry, and no look at another patient stands in any record.
#[tokio::test]
async fn a_query_names_nobody_but_the_patient_of_the_entry() {
    let case = Case::new().await;
    case.app
        .lay_out(&["insert into patient (ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, ustanova_id)
                    select 'Druga', 'Osoba', '1960-01-01', '0101960715006', '01019607150', false, kontakt_telefon, ustanova_id from patient limit 1"])
        .await;
    case.ask("tekst", "select string_agg(ime, ', ') from pacijent where id <> :pacijentID").await;
    case.ask("broj", "select count(*) from pacijent where id <> :pacijentID and jmbg is null").await;
    let shown = case.fresh(Some("2026-03-12")).await;
    assert_eq!((case.value(&shown, "tekst"), case.value(&shown, "broj")), (&Value::Null, &json!(1.0)), "{shown}");
    case.ask("tekst", "select prezime || ' ' || ime from pacijent where id = :pacijentID and jmbg <> ''").await;
    assert!(case.value(&case.fresh(Some("2026-03-12")).await, "tekst").is_string(), "her own is");
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

/// A save of a new entry, as the screen sends it.
fn request(case: &Case, values: &[(&str, Value)], unconfirmed: &[&str]) -> Value {
    let values: serde_json::Map<_, _> = values.iter().map(|(code, value)| (case.register.field(code), value.clone())).collect();
    let unconfirmed: Vec<i64> = unconfirmed.iter().map(|code| case.register.fields[*code]).collect();
    json!({
        "tsaID": case.register.form, "registarID": case.register.id, "pacijentID": case.patient, "radnikOdgovoran": case.lekar.id,
        "datumUnosa": "2026-03-05", "vrednosti": values, "nepotvrdjeno": unconfirmed,
    })
}

#[tokio::test]
async fn a_first_value_that_nobody_confirmed_is_refused_by_name_and_fills_nothing_that_is_required() {
    let case = Case::new().await;
    case.change("update form_field set inicijalna_brojna_vrednost = 10 where sifra = 'broj'", &[]).await;
    let broj = ("broj", json!(10));
    let told = |name: &str| format!("Niste potvrdili početnu vrednost stavke sa nazivom: {name}.");
    let refused = async |body: Value, field: &str, message: &str| {
        case.lekar.post("/api/entry-values", body).await.assert_error(422, Some(&case.register.field(field)), message);
    };
    refused(request(&case, std::slice::from_ref(&broj), &["broj"]), "broj", &told("broj")).await;
    refused(request(&case, &[], &["broj"]), "broj", "Niste uneli stavku sa nazivom: broj.").await;
    let optional = [broj.clone(), ("tekst", json!("uredan"))];
    refused(request(&case, &optional, &["tekst"]), "tekst", &told("tekst")).await;
    let entries: i64 = sqlx::query_scalar("select count(*) from entry").fetch_one(&case.app.db.owner).await.unwrap();
    assert_eq!(entries, 0, "nothing of them is stored");

    // What a formula hides is cleared: nobody is asked about it.
    let hidden = [broj, ("skriveno", json!("početna"))];
    let saved = case.lekar.post("/api/entry-values", request(&case, &hidden, &["skriveno"])).await.assert_status(200).json();
    assert_eq!((case.value(&saved, "broj"), case.value(&saved, "skriveno")), (&json!(10), &Value::Null));
}

#[tokio::test]
async fn a_relevant_first_value_counts_once_it_is_confirmed() {
    let case = Case::new().await;
    case.change("update form_field set inicijalna_string_vrednost = 'uredan' where sifra = 'tekst'", &[]).await;
    let filled = async |entry: &Value| -> bool {
        sqlx::query_scalar("select popunjeni_relevantni from entry where id = $1")
            .bind(entry["snimljenUnosID"].as_i64().unwrap())
            .fetch_one(&case.app.db.owner)
            .await
            .unwrap()
    };
    let left_out = case.lekar.post("/api/entry-values", request(&case, &[("broj", json!(1))], &[])).await.json();
    assert_eq!(left_out["nepopunjeniRelevantni"], json!([case.register.fields["tekst"]]), "the server puts no first value in");
    assert!(!filled(&left_out).await);
    let confirmed = [("broj", json!(1)), ("tekst", json!("uredan"))];
    let confirmed = case.lekar.post("/api/entry-values", request(&case, &confirmed, &[])).await.json();
    assert!(filled(&confirmed).await, "a client that sends a value stands by it");
}

#[tokio::test]
async fn the_no_of_a_box_to_tick_is_no_first_value_and_that_of_a_radio_is() {
    let case = Case::new().await;
    case.change("update form_field set inicijalna_boolean_vrednost = false where sifra = 'izbor'", &[]).await;
    let of_radio = case.fresh(None).await;
    let taken = json!([{ "polje": case.register.fields["izbor"], "izvor": "obrazac", "unosID": null, "datum": null }]);
    assert_eq!((case.value(&of_radio, "izbor"), &of_radio["preuzeto"]), (&json!(false), &taken));
    case.change("update form_field set ima_cek_box = true where sifra = 'izbor'", &[]).await;
    let of_box = case.fresh(None).await;
    assert_eq!((case.value(&of_box, "izbor"), &of_box["preuzeto"]), (&json!(false), &json!([])));
}
