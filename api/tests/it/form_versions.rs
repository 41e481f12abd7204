//! An entry keeps the version of its form: whatever the form becomes, it opens, is corrected and stands in history as it was filled.

use accounts::rights::Right;
use platform::{known_forms::KnownForms, state::Parts};
use serde_json::{Value, json};

use crate::support::{Answer, TestApp, TestRegister, Worker};

struct Case {
    app: TestApp,
    register: TestRegister,
    doctor: Worker,
    designer: Worker,
    patient: i64,
    entry: i64,
}

impl Case {
    /// broj 5, zbir 6 (broj + 1), skup prva; saved by version 1.
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let doctor = app.worker("doktor", &[Right::Reports], app.ustanova).await;
        let designer = app.worker("urednik", &[Right::Registers], app.ustanova).await;
        let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
        let values = json!({ "broj": 5, "zbir": 6, "skup": [register.items["prva"]], "tekst": "nalaz" });
        let entry = app.entry(&register, patient, app.ustanova, "2024-05-01", values).await;
        Self { app, register, doctor, designer, patient, entry }
    }

    fn field(&self, code: &str) -> String {
        self.register.field(code)
    }

    /// Everything about `broj` and its neighbours becomes another, as an administrator would do it.
    async fn reconfigure(&self) {
        let path = |code: &str| format!("/api/form-fields/{}", self.field(code));
        let entries: i64 = sqlx::query_scalar("select count(*) from entry").fetch_one(&self.app.db.owner).await.unwrap();
        self.designer.patch(&path("broj"), json!({ "naziv": "Glukoza" })).await.assert_status(200);
        let formula = json!({ "formulaZaRacunanje": "$(broj) + 100", "potvrdjenoRezultata": entries });
        self.designer.patch(&path("zbir"), formula).await.assert_status(200);
        let kind = format!("/api/attribute-types/{}", self.kind("broj").await);
        let bounds = json!({ "jedinica": "mg/dL", "gornjaGranicaBrojneVrednosti": 4, "potvrdjenoRezultata": entries });
        self.designer.patch(&kind, bounds).await.assert_status(200);
        let item = format!("/api/enum-items/{}", self.register.items["prva"]);
        self.designer.patch(&item, json!({ "naziv": "početna" })).await.assert_status(200);
        self.app.lay_out(&["update form_field set aktivan = false where sifra = 'tekst'"]).await;
    }

    async fn kind(&self, code: &str) -> i64 {
        sqlx::query_scalar("select tip_atributa_id from form_field where id = $1")
            .bind(self.register.fields[code])
            .fetch_one(&self.app.db.owner)
            .await
            .unwrap()
    }

    /// As it is shown by an api that may have shown its version before, and the same by one that has shown none.
    async fn shown(&self, entry: i64) -> Value {
        let path = format!("/api/entry-display?haID={entry}");
        let shown: Value = self.doctor.get(&path).await.assert_status(200).json();
        let parts = Parts { known_forms: KnownForms::default(), ..Parts::clone(&self.app.state) };
        let other = self.app.with_parts(parts).with_token(self.doctor.token.clone());
        assert_eq!(other.get(&path).await.assert_status(200).json(), shown);
        shown
    }

    async fn newest(&self) -> Value {
        self.doctor.get(&format!("/api/entry-display?haID={}&najnoviji=true", self.entry)).await.assert_status(200).json()
    }

    async fn fresh(&self) -> Value {
        let path = format!("/api/entry-display?tsaID={}&pacijentID={}", self.register.form, self.patient);
        self.doctor.get(&path).await.assert_status(200).json()
    }

    /// A save of what is shown with other values; `by` is the description that they were typed by.
    async fn save(&self, shown: &Value, values: Value, by: Option<&Value>) -> Answer {
        let mut all = shown["vrednosti"].clone();
        for (code, value) in values.as_object().expect("values by code") {
            all[self.field(code)] = value.clone();
        }
        let known: Vec<String> = shown["autsiArray"].as_array().unwrap().iter().map(|field| field["id"].to_string()).collect();
        all.as_object_mut().unwrap().retain(|id, _| known.contains(id));
        let body = json!({
            "unosID": shown["tsa"]["unosID"], "tsaID": self.register.form, "registarID": self.register.id, "pacijentID": self.patient,
            "vrednosti": all, "verzija": shown["tsa"]["verzija"], "datumUnosa": "2024-05-01", "radnikOdgovoran": self.doctor.id,
            "obrazac": by,
        });
        self.doctor.post("/api/entry-values", body).await
    }

    async fn versions(&self) -> Vec<(i32, i64)> {
        sqlx::query_as("select v.broj, (select count(*) from entry e where e.form_version_id = v.id) from form_version v order by 1")
            .fetch_all(&self.app.db.owner)
            .await
            .unwrap()
    }

    async fn newer(&self) -> Value {
        self.doctor.get(&format!("/api/entries/{}/newer-form", self.entry)).await.assert_status(200).json()
    }

    async fn marks(&self) -> Vec<(i64, String, Option<String>)> {
        sqlx::query_as("select polje_id, razlog, jedinica from stale_result order by 1").fetch_all(&self.app.db.owner).await.unwrap()
    }
}

fn field<'a>(shown: &'a Value, id: &str) -> Option<&'a Value> {
    shown["autsiArray"].as_array().unwrap().iter().find(|field| field["id"].as_i64() == id.parse().ok())
}

#[tokio::test]
async fn an_entry_opens_in_the_words_units_bounds_and_options_by_which_it_was_filled() {
    let case = Case::new().await;
    let before = case.shown(case.entry).await;
    case.reconfigure().await;
    let shown = case.shown(case.entry).await;
    assert_eq!(shown["autsiArray"], before["autsiArray"], "the whole form, the deleted field too");
    assert_eq!((&shown["vrednosti"], &shown["zastareli"]), (&before["vrednosti"], &json!([])));
    assert_eq!((&shown["obrazac"]["verzija"], &shown["obrazac"]["novija"]), (&json!(1), &json!(2)));
    assert_eq!(before["obrazac"]["novija"], Value::Null);
    let day = "select (napravljena at time zone 'Europe/Belgrade')::date::text from form_version where broj = 1";
    let day: String = sqlx::query_scalar(day).fetch_one(&case.app.db.owner).await.unwrap();
    assert_eq!(shown["obrazac"]["od"], day);

    let fresh = case.fresh().await;
    let broj = field(&fresh, &case.field("broj")).expect("broj");
    assert_eq!((&broj["naziv"], &broj["tipAtributa"]["jedinica"]), (&json!("Glukoza"), &json!("mg/dL")));
    assert_eq!(field(&fresh, &case.field("tekst")), None);
    assert_eq!((&fresh["obrazac"]["verzija"], &fresh["obrazac"]["od"]), (&json!(2), &Value::Null), "nobody has saved by it yet");
    assert_eq!(case.versions().await, [(1, 1)]);
}

#[tokio::test]
async fn the_newest_entry_on_the_patients_page_is_in_its_version_too() {
    let case = Case::new().await;
    let path = format!("/api/patients/{}/latest-entries?registarID={}", case.patient, case.register.id);
    let before = case.doctor.get(&path).await.json();
    case.reconfigure().await;
    let mut now = case.doctor.get(&path).await.json();
    let marks = std::mem::replace(&mut now["data"][0]["zastareli"], json!([]));
    assert_eq!(now, before);
    let zbir = case.register.fields["zbir"];
    assert_eq!(marks, json!([{ "polje": zbir, "razlog": "formula", "jedinica": null }]), "its result stands beside others");
    let tree = format!("/api/patients/{}/entries?registarID={}", case.patient, case.register.id);
    assert_eq!(case.doctor.get(&tree).await.json()["data"][0]["unosi"][0]["zastareo"], true);
}

#[tokio::test]
async fn a_correction_keeps_the_version_and_is_held_to_its_bounds_formulas_and_fields() {
    let case = Case::new().await;
    case.reconfigure().await;
    let shown = case.shown(case.entry).await;
    let stamp = &shown["obrazac"]["otisak"];
    // 50 is within the bounds of version 1, and above those of today.
    let saved = case.save(&shown, json!({ "broj": 50, "tekst": "ispravka" }), Some(stamp)).await.assert_status(200).json();
    assert_eq!(saved["vrednosti"][&case.field("zbir")], 51, "by the formula of its version");
    assert_eq!(saved["vrednosti"][&case.field("tekst")], "ispravka", "a field that was deleted since");
    let shown = case.shown(case.entry).await;
    assert_eq!((&shown["obrazac"]["verzija"], &shown["vrednosti"]), (&json!(1), &saved["vrednosti"]));
    case.save(&shown, json!({ "broj": 101 }), Some(stamp)).await.assert_status(422);
    case.save(&shown, json!({ "broj": null }), Some(stamp)).await.assert_status(422);
    // Whoever knows no versions corrects by the entry's own too.
    case.save(&shown, json!({ "broj": 60 }), None).await.assert_status(200);
    assert_eq!(case.versions().await, [(1, 1)]);
}

#[tokio::test]
async fn an_option_that_was_taken_out_may_still_be_chosen_in_the_version_that_has_it() {
    let case = Case::new().await;
    case.app.lay_out(&["update enum_item set moze_se_izabrati = false where naziv = 'druga'"]).await;
    let chosen = json!({ "skup": [case.register.items["druga"]] });
    let shown = case.shown(case.entry).await;
    case.save(&shown, chosen.clone(), Some(&shown["obrazac"]["otisak"])).await.assert_status(200);
    let mut fresh = case.fresh().await;
    fresh["vrednosti"][case.field("broj")] = json!(3);
    case.save(&fresh, chosen, Some(&fresh["obrazac"]["otisak"])).await.assert_status(422);
    assert_eq!(case.versions().await, [(1, 1)], "a save that is refused leaves no version");
}

#[tokio::test]
async fn a_version_is_made_with_the_first_entry_that_is_saved_by_it_and_once() {
    let case = Case::new().await;
    let mut fresh = case.fresh().await;
    fresh["vrednosti"][case.field("broj")] = json!(3);
    case.save(&fresh, json!({}), None).await.assert_status(200);
    assert_eq!(case.versions().await, [(1, 2)], "an unchanged form has no other version");
    // What entries do not see is no other version either.
    case.app.lay_out(&["update form_field set pretrazuje_se = false", "update form set maksimalan_broj_instanci_po_pacijentu = 9"]).await;
    case.save(&fresh, json!({}), Some(&fresh["obrazac"]["otisak"])).await.assert_status(200);
    assert_eq!(case.versions().await, [(1, 3)]);
    case.reconfigure().await;
    let mut fresh = case.fresh().await;
    fresh["vrednosti"][case.field("broj")] = json!(3);
    for _ in 0..2 {
        case.save(&fresh, json!({}), Some(&fresh["obrazac"]["otisak"])).await.assert_status(200);
    }
    assert_eq!(case.versions().await, [(1, 3), (2, 2)]);
}

#[tokio::test]
async fn a_new_entry_that_was_typed_by_a_form_which_changed_meanwhile_is_refused_and_says_so() {
    let case = Case::new().await;
    let mut fresh = case.fresh().await;
    fresh["vrednosti"][case.field("broj")] = json!(3);
    case.designer.patch(&format!("/api/form-fields/{}", case.field("tekst")), json!({ "naziv": "Zaključak" })).await.assert_status(200);
    let refused = case.save(&fresh, json!({}), Some(&fresh["obrazac"]["otisak"])).await;
    refused.assert_status(409);
    let answer: Value = serde_json::from_slice(&refused.bytes).expect("a body");
    assert!(answer["message"].as_str().unwrap().starts_with("Formular je izmenjen dok ste ga popunjavali"), "{answer}");
    let now = case.fresh().await;
    assert_eq!(answer["noviObrazac"], now["obrazac"]["otisak"]);
    assert_eq!(case.versions().await, [(1, 1)]);
    case.save(&fresh, json!({}), Some(&now["obrazac"]["otisak"])).await.assert_status(200);
    assert_eq!(case.versions().await, [(1, 1), (2, 1)]);
}

#[tokio::test]
async fn what_the_newest_version_would_change_is_told_before_anything_is() {
    let case = Case::new().await;
    let same = case.newer().await;
    assert_eq!((&same["novija"], &same["razlike"]["izmenjena"], &same["rezultati"]), (&Value::Null, &json!([]), &json!([])));
    case.reconfigure().await;
    let told = case.newer().await;
    let id = |code: &str| case.register.fields[code];
    assert_eq!((&told["verzija"], &told["novija"]), (&json!(1), &json!(2)));
    assert_eq!(told["razlike"]["uklonjena"], json!([{ "polje": id("tekst"), "naziv": "tekst" }]));
    assert_eq!(told["razlike"]["dodata"], json!([]));
    let broj = json!({ "polje": id("broj"), "naziv": "Glukoza", "promene": [
        { "sta": "naziv", "staro": "broj", "novo": "Glukoza", "samoPravopis": false },
        { "sta": "jedinica", "staro": null, "novo": "mg/dL", "samoPravopis": false },
        { "sta": "opseg", "staro": "0 – 100", "novo": "0 – 4", "samoPravopis": false },
    ] });
    let changed = |field: &str, change: Value| json!({ "polje": id(field), "naziv": field, "promene": [change] });
    let skup = changed("skup", json!({ "sta": "stavke", "staro": "prva", "novo": "početna", "samoPravopis": true }));
    let zbir = changed("zbir", json!({ "sta": "racunanje", "staro": null, "novo": "$(broj) + 100", "samoPravopis": false }));
    assert_eq!(told["razlike"]["izmenjena"], json!([broj, skup, zbir]));
    assert_eq!(told["rezultati"], json!([{ "polje": id("zbir"), "naziv": "zbir", "staro": "6", "novo": "105" }]));
    assert_eq!(told["bezPolja"], json!([{ "polje": id("tekst"), "naziv": "tekst", "staro": "nalaz", "novo": null }]));
    assert_eq!(case.versions().await, [(1, 1)]);
}

#[tokio::test]
async fn an_entry_is_taken_to_the_newest_version_by_a_save_and_loses_nothing() {
    let case = Case::new().await;
    case.reconfigure().await;
    let shown = case.newest().await;
    assert_eq!(shown["obrazac"]["verzija"], 2);
    let mark = json!([{ "polje": case.register.fields["broj"], "razlog": "jedinica", "jedinica": null }]);
    assert_eq!(shown["zastareli"], mark, "5 was entered before there was a unit");
    assert_eq!(case.versions().await, [(1, 1)], "looking takes nobody over");
    let by = &shown["obrazac"]["otisak"];
    let saved = case.save(&shown, json!({ "datum": "2024-01-01" }), Some(by)).await.assert_status(200).json();
    assert_eq!(saved["vrednosti"][&case.field("zbir")], 105);
    assert_eq!(saved["vrednosti"][&case.field("tekst")], "nalaz", "a value without a field stays stored");
    assert_eq!(saved["vrednosti"][&case.field("broj")], 5, "nobody touched it: today's bounds do not hold it");
    assert_eq!(case.versions().await, [(1, 0), (2, 1)]);
    let after = case.shown(case.entry).await;
    assert_eq!((&after["obrazac"]["verzija"], &after["obrazac"]["novija"]), (&json!(2), &Value::Null));
    assert_eq!(after["zastareli"], mark);

    let log: Value = sqlx::query_scalar("select polja from audit_log where klasa = 'entry' and akcija = 'izmena' order by id desc limit 1")
        .fetch_one(&case.app.db.owner)
        .await
        .unwrap();
    assert!(log.as_array().unwrap().contains(&json!({ "naziv": "verzija_obrasca", "stara": 1, "nova": 2 })), "{log}");
    let view = case.doctor.get(&format!("/api/entries/{}/view", case.entry)).await.json();
    assert_eq!((&view["verzijaObrasca"], &view["prelasci"][0]["sa"], &view["prelasci"][0]["na"]), (&json!(2), &json!(1), &json!(2)));
    assert_eq!(view["prelasci"][0]["radnik"], "Test Doktor", "{view}");
    // Those who had it open in the old version hear of it; what they typed is not lost in silence.
    let stale = case.save(&shown, json!({ "broj": 2 }), Some(&json!("stari otisak"))).await;
    stale.assert_status(409);
    // What is entered anew is in today's unit, and within today's bounds.
    case.save(&after, json!({ "broj": 50 }), Some(by)).await.assert_status(422);
    case.save(&after, json!({ "broj": 3 }), Some(by)).await.assert_status(200);
    assert_eq!(case.shown(case.entry).await["zastareli"], json!([]));
    assert_eq!(case.marks().await, []);
}

#[tokio::test]
async fn an_entry_that_somebody_took_to_the_newest_version_meanwhile_is_not_saved_by_the_old_one() {
    let case = Case::new().await;
    let shown = case.shown(case.entry).await;
    case.reconfigure().await;
    let newest = case.newest().await;
    case.save(&newest, json!({}), Some(&newest["obrazac"]["otisak"])).await.assert_status(200);
    case.save(&shown, json!({ "broj": 7 }), Some(&shown["obrazac"]["otisak"])).await.assert_status(409);
    assert_eq!(case.shown(case.entry).await["vrednosti"][&case.field("broj")], 5);
}

#[tokio::test]
async fn history_speaks_in_the_versions_that_the_entry_had() {
    let case = Case::new().await;
    case.reconfigure().await;
    let shown = case.shown(case.entry).await;
    case.save(&shown, json!({ "broj": 50, "skup": [case.register.items["druga"]] }), None).await.assert_status(200);
    let fields: Vec<String> = ["broj", "skup", "tekst"].iter().map(|code| case.field(code)).collect();
    let history = format!("/api/entries/{}/archive?nizAutsID={}", case.entry, fields.join(","));
    let told = |answer: &Value| -> Vec<(String, String, String)> {
        let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
        let rows = answer["promene"].as_array().unwrap().iter();
        rows.map(|row| (text(&row["nazivAtributa"]), text(&row["jedinica"]), text(&row["staro"]["stavke"]))).collect()
    };
    let row = |name: &str, unit: &str, items: &str| (name.to_owned(), unit.to_owned(), items.to_owned());
    let answer = case.doctor.get(&history).await.json();
    assert_eq!(told(&answer), [row("broj", "-", "-"), row("skup", "-", "prva")], "a year later, in the words of version 1");
    let names: Vec<&Value> = answer["data"].as_array().unwrap().iter().map(|row| &row["nazivAtributa"]).collect();
    assert_eq!(names, ["broj", "tekst", "skup", "broj", "skup"].map(|name| json!(name)).iter().collect::<Vec<_>>());
    let items = format!("/api/entries/{}/items", case.entry);
    let listed = case.doctor.get(&items).await.json();
    assert!(listed["data"].as_array().unwrap().iter().any(|item| item["naziv"] == "tekst"), "{listed}");

    let newest = case.newest().await;
    let by = newest["obrazac"]["otisak"].clone();
    case.save(&newest, json!({}), Some(&by)).await.assert_status(200);
    let after = case.shown(case.entry).await;
    let values = json!({ "broj": 3, "skup": [case.register.items["prva"]] });
    case.save(&after, values, Some(&by)).await.assert_status(200);
    let answer = case.doctor.get(&history).await.json();
    let expected = [row("Glukoza", "mg/dL", "-"), row("skup", "-", "druga"), row("broj", "-", "-"), row("skup", "-", "prva")];
    assert_eq!(told(&answer), expected);
    assert_eq!(answer["promene"][1]["novo"]["stavke"], "početna");
}

#[tokio::test]
async fn what_is_typed_in_an_older_version_is_marked_for_those_who_compare_it_and_what_is_blank_is_not() {
    let case = Case::new().await;
    case.app.lay_out(&["update form_field set opcioni = true"]).await;
    let entry = case.app.entry(&case.register, case.patient, case.app.ustanova, "2024-05-01", json!({})).await;
    case.app.lay_out(&["update attribute_type set jedinica = 'mg/dL' where naziv = 'broj'"]).await;
    let units = async || -> Vec<i64> {
        sqlx::query_scalar("select polje_id from stale_result where unos_id = $1 and razlog = 'jedinica'")
            .bind(entry)
            .fetch_all(&case.app.db.owner)
            .await
            .unwrap()
    };
    assert_eq!(units().await, [0; 0]);
    let save = async |values: Value| {
        case.save(&case.shown(entry).await, values, None).await.assert_status(200);
    };
    save(json!({ "datum": "2024-01-01" })).await;
    assert_eq!(units().await, [0; 0], "nothing is measured yet");
    save(json!({ "broj": 7 })).await;
    assert_eq!(units().await, [case.register.fields["broj"]], "7 stands in lists beside what is measured in mg/dL");
    save(json!({ "broj": null })).await;
    assert_eq!(units().await, [0; 0], "what is taken out is in no unit");
}

#[tokio::test]
async fn a_mark_of_a_later_configuration_is_for_those_who_compare_and_goes_with_the_version() {
    let case = Case::new().await;
    case.reconfigure().await;
    let (broj, zbir) = (case.register.fields["broj"], case.register.fields["zbir"]);
    assert_eq!(case.marks().await, [(broj, "jedinica".to_owned(), None), (zbir, "formula".to_owned(), None)]);
    let found = case.doctor.post("/api/stale-results", json!({ "unosi": [case.entry] })).await.json();
    assert_eq!(found["total"], 2, "a search shows it beside entries of today");
    let shown = case.shown(case.entry).await;
    case.save(&shown, json!({ "broj": 50 }), None).await.assert_status(200);
    assert_eq!(case.marks().await, [(broj, "jedinica".to_owned(), None), (zbir, "neprovereno".to_owned(), None)]);
    assert_eq!(case.shown(case.entry).await["zastareli"], json!([]));
}

#[tokio::test]
async fn versions_are_never_changed_or_deleted() {
    let case = Case::new().await;
    for attempt in ["update form_version set broj = 7", "delete from form_version", "truncate form_version cascade"] {
        let refused = sqlx::raw_sql(sqlx::AssertSqlSafe(attempt)).execute(&case.app.db.owner).await.expect_err(attempt);
        assert!(refused.to_string().contains("is never changed"), "{attempt}: {refused}");
    }
    for attempt in ["update form_version set broj = 7", "insert into form_version (form_id, broj, otisak, opis) values (1, 9, 'x', '{}')"] {
        let refused = sqlx::raw_sql(sqlx::AssertSqlSafe(attempt)).execute(&case.app.db.app).await.expect_err(attempt);
        assert!(refused.to_string().contains("permission denied"), "{attempt}: {refused}");
    }
}

#[tokio::test]
async fn what_an_api_has_shown_before_is_not_shown_where_the_database_says_otherwise() {
    let case = Case::new().await;
    let before = case.shown(case.entry).await;
    // As where another database is restored under a running api: a version of the same number has other words.
    case.app
        .lay_out(&[
            "alter table form_version disable trigger form_version_stays",
            "update form_version set otisak = reverse(otisak), opis = jsonb_set(opis, '{polja,0,naziv}', '\"Drugo\"')",
        ])
        .await;
    let names =
        |shown: &Value| -> Vec<Value> { shown["autsiArray"].as_array().unwrap().iter().map(|field| field["naziv"].clone()).collect() };
    let shown = case.shown(case.entry).await;
    assert!(names(&shown).contains(&json!("Drugo")) && !names(&before).contains(&json!("Drugo")));

    case.app.lay_out(&["update form set aktivan = false"]).await;
    case.doctor.get(&format!("/api/entry-display?haID={}", case.entry)).await.assert_status(404);
}

/// A property that comes later is nothing where a form does not use it: so that the form keeps its versions, no description says a default.
#[tokio::test]
async fn a_description_says_nothing_that_is_the_default_anyway() {
    let case = Case::new().await;
    let opis: Value =
        sqlx::query_scalar("select form_description($1)").bind(case.register.form).fetch_one(&case.app.db.owner).await.unwrap();
    let fields = opis["polja"].as_array().unwrap();
    let parts = fields.iter().flat_map(|field| [field, &field["tipAtributa"], &field["izvor"]]);
    let items = opis["stavke"].as_object().unwrap().values().flat_map(|items| items.as_array().unwrap());
    let properties: Vec<(&String, &Value)> = parts.chain(items).flat_map(|part| part.as_object().unwrap()).collect();
    assert!(properties.len() > 50, "{opis}");
    let defaults = [Value::Null, json!(false), json!([])];
    let said: Vec<&String> = properties.iter().filter(|(_, value)| defaults.contains(value)).map(|(name, _)| *name).collect();
    assert!(said.is_empty(), "{said:?}");
}

#[tokio::test]
async fn an_administrator_sees_which_versions_there_are_and_compares_them() {
    let case = Case::new().await;
    case.reconfigure().await;
    let mut fresh = case.fresh().await;
    fresh["vrednosti"][case.field("broj")] = json!(3);
    case.save(&fresh, json!({}), None).await.assert_status(200);
    let path = format!("/api/forms/{}/versions", case.register.form);
    let listed = case.designer.get(&path).await.json();
    let told: Vec<(i64, i64)> =
        listed["data"].as_array().unwrap().iter().map(|row| (row["broj"].as_i64().unwrap(), row["unosa"].as_i64().unwrap())).collect();
    assert_eq!(told, [(2, 1), (1, 1)]);
    case.doctor.get(&path).await.assert_status(403);
    let path = format!("/api/forms/{}/version-differences", case.register.form);
    let between = case.designer.get(&format!("{path}?starija=1&novija=2")).await.json();
    assert_eq!(between, case.designer.get(&format!("{path}?starija=1")).await.json(), "the newest is today's");
    assert_eq!(between["uklonjena"][0]["naziv"], "tekst");
    case.designer.get(&format!("{path}?starija=1&novija=9")).await.assert_status(404);
}

#[tokio::test]
async fn a_form_of_two_thousand_fields_is_saved_quickly() {
    let case = Case::new().await;
    // What the planner knows of the fields is of the day before they were a large form's.
    sqlx::query("alter table form_field set (autovacuum_enabled = false)").execute(&case.app.db.owner).await.unwrap();
    case.app
        .lay_out(&["insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, redosled, sifra)
                    select f.tip_skupa_atributa_id, f.tip_atributa_id, 'Polje ' || n, 100 + n, 'p' || n
                      from form_field f, generate_series(1, 2000) n where f.sifra = 'broj'"])
        .await;
    let mut fresh = case.fresh().await;
    fresh["vrednosti"][case.field("broj")] = json!(3);
    let by = fresh["obrazac"]["otisak"].clone();
    case.save(&fresh, json!({}), Some(&by)).await.assert_status(200);
    let explained: Vec<String> = sqlx::query_scalar("explain (analyze, costs off, timing off, summary on) select make_form_version($1)")
        .bind(case.register.form)
        .fetch_all(&case.app.db.owner)
        .await
        .unwrap();
    let took: f64 =
        explained.iter().find_map(|line| line.strip_prefix("Execution Time: ")?.strip_suffix(" ms")?.parse().ok()).expect("a time");
    assert!(took < 2_000.0, "{took} ms: {explained:?}");
}
