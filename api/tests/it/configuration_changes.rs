//! What a change of configuration does to stored results: it is said before, marked after for those who compare, and nothing is
//! rewritten. How entries keep the version of their form is in `form_versions.rs`.

use accounts::rights::Right;
use serde_json::{Value, json};

use crate::support::{Answer, TestApp, TestRegister, Worker};

struct Changed {
    app: TestApp,
    register: TestRegister,
    designer: Worker,
    doctor: Worker,
    patient: i64,
    /// Two entries: broj 5 and 7, whose zbir is broj + 1.
    entries: [i64; 2],
}

impl Changed {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let designer = app.worker("urednik", &[Right::Registers], app.ustanova).await;
        let doctor = app.worker("doktor", &[Right::Reports], app.ustanova).await;
        let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
        let mut entries = [0; 2];
        for (place, (date, number)) in [("2024-05-01", 5), ("2024-06-01", 7)].into_iter().enumerate() {
            let values = json!({ "broj": number, "zbir": number + 1, "skup": [register.items["prva"]] });
            entries[place] = app.entry(&register, patient, app.ustanova, date, values).await;
        }
        Self { app, register, designer, doctor, patient, entries }
    }

    fn field(&self, code: &str) -> String {
        format!("/api/form-fields/{}", self.register.field(code))
    }

    async fn shown(&self, entry: usize) -> Value {
        self.doctor.get(&format!("/api/entry-display?haID={}", self.entries[entry])).await.json()
    }

    /// Saves an entry with another text, as somebody who corrects something unrelated.
    async fn save(&self, entry: usize, text: &str, told: bool) -> Answer {
        let shown = self.shown(entry).await;
        let mut values = shown["vrednosti"].clone();
        values[self.register.field("tekst")] = json!(text);
        let body = json!({
            "unosID": self.entries[entry], "tsaID": self.register.form, "registarID": self.register.id, "pacijentID": self.patient,
            "vrednosti": values, "verzija": shown["tsa"]["verzija"], "datumUnosa": shown["tsa"]["datumUnosa"],
            "radnikOdgovoran": self.doctor.id, "potvrdjeniRezultati": told,
        });
        self.doctor.post("/api/entry-values", body).await
    }

    /// Takes an entry to the newest version of its form.
    async fn take_over(&self, entry: usize) -> Answer {
        let shown = self.doctor.get(&format!("/api/entry-display?haID={}&najnoviji=true", self.entries[entry])).await.json();
        let body = json!({
            "unosID": self.entries[entry], "tsaID": self.register.form, "registarID": self.register.id, "pacijentID": self.patient,
            "vrednosti": shown["vrednosti"], "verzija": shown["tsa"]["verzija"], "datumUnosa": shown["tsa"]["datumUnosa"],
            "radnikOdgovoran": self.doctor.id, "obrazac": shown["obrazac"]["otisak"],
        });
        self.doctor.post("/api/entry-values", body).await
    }

    async fn marks(&self) -> Vec<(i64, i64, String)> {
        sqlx::query_as("select unos_id, polje_id, razlog from stale_result order by 1, 2").fetch_all(&self.app.db.owner).await.unwrap()
    }

    fn told(answer: &Answer) -> Value {
        answer.assert_status(409);
        serde_json::from_slice::<Value>(&answer.bytes).expect("a body")["uticaj"].clone()
    }
}

#[tokio::test]
async fn a_formula_is_changed_once_whoever_changes_it_has_said_how_many_results_differ() {
    let case = Changed::new().await;
    let zbir = case.field("zbir");
    let formula = "if($(broj) > 6, $(broj) + 10, $(broj) + 1)";
    let asked = case.designer.patch(&zbir, json!({ "formulaZaRacunanje": formula })).await;
    assert_eq!(Changed::told(&asked), json!({ "unosa": 2, "rezultata": 1, "najmanje": false }));
    assert!(asked.text().contains("2 unosa, 1 snimljeni rezultat se razlikuje"), "{}", asked.text());
    assert_eq!(case.designer.get(&zbir).await.json()["formulaZaRacunanje"], Value::Null, "nothing was saved");
    let wrong = case.designer.patch(&zbir, json!({ "formulaZaRacunanje": formula, "potvrdjenoRezultata": 2 })).await;
    assert_eq!(Changed::told(&wrong)["rezultata"], 1);
    assert_eq!(case.marks().await, []);

    case.designer.patch(&zbir, json!({ "formulaZaRacunanje": formula, "potvrdjenoRezultata": 1 })).await.assert_status(200);
    assert_eq!(case.marks().await, [(case.entries[1], case.register.fields["zbir"], "formula".to_owned())]);
    // What changes no result asks nothing.
    case.designer.patch(&zbir, json!({ "naziv": "Zbir" })).await.assert_status(200);
    case.designer.patch(&case.field("tekst"), json!({ "napomena": "x" })).await.assert_status(200);
}

#[tokio::test]
async fn a_result_stays_as_it_was_stored_by_the_formula_of_its_version() {
    let case = Changed::new().await;
    let zbir = case.register.field("zbir");
    let body = json!({ "formulaZaRacunanje": "$(broj) + 2", "potvrdjenoRezultata": 2 });
    case.designer.patch(&case.field("zbir"), body).await.assert_status(200);
    let shown = case.shown(0).await;
    assert_eq!((&shown["vrednosti"][&zbir], &shown["zastareli"]), (&json!(6), &json!([])));
    assert_eq!(case.save(0, "ispravka", false).await.json()["vrednosti"][&zbir], 6);
    assert_eq!(case.marks().await.len(), 2, "beside an entry of today it is another result still");
    assert_eq!(case.take_over(0).await.json()["vrednosti"][&zbir], 7);
    assert_eq!(case.marks().await, [(case.entries[1], case.register.fields["zbir"], "formula".to_owned())]);
}

#[tokio::test]
async fn a_result_that_was_marked_before_its_version_is_shown_as_such_and_is_told_before_a_save_replaces_it() {
    let case = Changed::new().await;
    let zbir = case.register.field("zbir");
    // As an entry from before versions: another formula had given 60.
    let earlier = format!(
        "update entry set vrednosti = vrednosti || '{{\"{zbir}\": 60}}' where id = {entry};
         insert into stale_result (unos_id, polje_id, razlog, vreme) values ({entry}, {zbir}, 'formula', '2020-01-01')",
        entry = case.entries[0]
    );
    let mut tx = domain::db::begin(&case.app.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
    sqlx::raw_sql(sqlx::AssertSqlSafe(earlier)).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();

    let shown = case.shown(0).await;
    assert_eq!(shown["vrednosti"][&zbir], 60, "the stored one");
    let mark = json!([{ "polje": case.register.fields["zbir"], "razlog": "formula", "jedinica": null }]);
    assert_eq!(shown["zastareli"], mark);
    let of = |rest: &str| format!("/api/patients/{}/{rest}?registarID={}", case.patient, case.register.id);
    let tree = case.doctor.get(&of("entries")).await.json();
    let marked = |at: usize| tree["data"][0]["unosi"][at]["zastareo"].clone();
    assert_eq!((marked(0), marked(1)), (json!(false), json!(true)));
    let history = format!("/api/entries/{}/archive?nizAutsID={zbir}", case.entries[0]);
    assert_eq!(case.doctor.get(&history).await.json()["data"][0]["zastareo"], true);

    let refused = case.save(0, "ispravka", false).await;
    refused.assert_status(409);
    let answer: Value = serde_json::from_slice(&refused.bytes).expect("a body");
    let result = json!({ "polje": case.register.fields["zbir"], "naziv": "zbir", "sacuvano": 60, "danas": 6 });
    assert_eq!(answer["rezultati"], json!([result]));
    assert_eq!(case.shown(0).await["vrednosti"][&zbir], 60, "nothing was saved");
    assert_eq!(case.save(0, "ispravka", true).await.json()["vrednosti"][&zbir], 6);
    assert_eq!(case.shown(0).await["zastareli"], json!([]));
    let rows = case.doctor.get(&history).await.json()["data"].clone();
    assert_eq!((&rows[0]["brojnaVrednost"], &rows[0]["zastareo"]), (&json!(6.0), &json!(false)));
    case.save(0, "još jedna", false).await.assert_status(200);
}

#[tokio::test]
async fn a_search_may_ask_which_of_the_values_it_found_are_marked_and_learns_nothing_of_patients_it_does_not_know() {
    let case = Changed::new().await;
    let body = json!({ "formulaZaRacunanje": "$(broj) + 2", "potvrdjenoRezultata": 2 });
    case.designer.patch(&case.field("zbir"), body).await.assert_status(200);
    let elsewhere = case.app.patient(&case.register, "Bela", "Belić", case.app.druga_ustanova, 2).await;
    let theirs = case.app.entry(&case.register, elsewhere, case.app.druga_ustanova, "2024-05-01", json!({ "broj": 1, "zbir": 2 })).await;
    let mut tx = domain::db::begin(&case.app.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
    sqlx::query("insert into stale_result (unos_id, polje_id, razlog) values ($1, $2, 'neprovereno')")
        .bind(theirs)
        .bind(case.register.fields["zbir"])
        .execute(&mut *tx)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let zbir = case.register.fields["zbir"];
    let mark = |entry: i64, reason: &str| json!({ "unosID": entry, "polje": zbir, "razlog": reason, "jedinica": null });
    let [first, second] = case.entries;
    let asked = json!({ "unosi": [theirs, first, second, 999_999_999] });
    let own = json!({ "data": [mark(first, "formula"), mark(second, "formula")], "total": 2 });
    assert_eq!(case.doctor.post("/api/stale-results", asked.clone()).await.json(), own);
    let one = case.doctor.post("/api/stale-results", json!({ "unosi": [second] })).await.json();
    assert_eq!(one["data"], json!([mark(second, "formula")]));
    let stranger = case.app.worker("stranac", &[Right::Reports], case.app.druga_ustanova).await;
    let only = json!({ "data": [mark(theirs, "neprovereno")], "total": 1 });
    assert_eq!(stranger.post("/api/stale-results", asked).await.json(), only);
    let many: Vec<i64> = (0..10_001).collect();
    let refused = case.doctor.post("/api/stale-results", json!({ "unosi": many })).await;
    refused.assert_error(422, Some("unosi"), "Jednim pozivom se može pitati za najviše 10.000 unosa.");
}

#[tokio::test]
async fn a_formula_that_is_put_back_takes_its_marks_back() {
    let case = Changed::new().await;
    let zbir = case.field("zbir");
    case.designer.patch(&zbir, json!({ "formulaZaRacunanje": "$(broj) + 2", "potvrdjenoRezultata": 2 })).await.assert_status(200);
    case.designer.patch(&zbir, json!({ "formulaZaRacunanje": "$(broj) + 1" })).await.assert_status(200);
    assert_eq!(case.marks().await, []);
}

#[tokio::test]
async fn an_items_number_is_changed_as_a_formula_is() {
    let case = Changed::new().await;
    let body = json!({ "formulaZaRacunanje": "$(broj) + $!(skup)", "potvrdjenoRezultata": 0 });
    // skup's number is 1: the results stay.
    case.designer.patch(&case.field("zbir"), body).await.assert_status(200);
    let item = format!("/api/enum-items/{}", case.register.items["prva"]);
    let asked = case.designer.patch(&item, json!({ "numVrednost": 3 })).await;
    assert_eq!(Changed::told(&asked), json!({ "unosa": 2, "rezultata": 2, "najmanje": false }));
    case.designer.patch(&item, json!({ "naziv": "prvi izbor" })).await.assert_status(200);
    case.designer.patch(&item, json!({ "numVrednost": 3, "potvrdjenoRezultata": 2 })).await.assert_status(200);
    assert_eq!(case.marks().await.len(), 2);
    case.save(1, "nevezano", false).await.assert_status(200);
    assert_eq!(case.shown(1).await["vrednosti"][case.register.field("zbir")], 8, "by the item's number of its version");
}

#[tokio::test]
async fn a_new_item_is_told_of_where_it_makes_stored_results_others() {
    let case = Changed::new().await;
    let kind: i64 = sqlx::query_scalar("select tip_atributa_id from form_field where id = $1")
        .bind(case.register.fields["skup"])
        .fetch_one(&case.app.db.owner)
        .await
        .unwrap();
    let band = json!({
        "naziv": "Razred", "sifra": "razred", "redosled": 90, "tipSkupaAtributaID": case.register.form, "tipAtributaID": kind,
        "formulaZaRacunanje": "$(broj) - 4",
    });
    let band = case.designer.post("/api/form-fields", band).await.assert_status(201).json()["id"].to_string();
    case.take_over(0).await.assert_status(200);
    case.take_over(1).await.assert_status(200);
    assert_eq!(case.shown(0).await["vrednosti"][&band], json!([case.register.items["prva"]]));
    assert_eq!(case.shown(1).await["vrednosti"][&band], Value::Null, "there is no item of the number 3");

    let item = |number: i64| json!({ "tipAtributaID": kind, "naziv": format!("broj {number}"), "numVrednost": number });
    case.designer.post("/api/enum-items", item(10)).await.assert_status(201);
    let asked = case.designer.post("/api/enum-items", item(3)).await;
    assert_eq!(Changed::told(&asked), json!({ "unosa": 2, "rezultata": 1, "najmanje": false }));
    let mut told = item(3);
    told["potvrdjenoRezultata"] = json!(1);
    case.designer.post("/api/enum-items", told).await.assert_status(201);
    assert_eq!(case.marks().await, [(case.entries[1], band.parse::<i64>().unwrap(), "formula".to_owned())]);
}

#[tokio::test]
async fn what_comes_back_is_told_of_where_its_stored_results_are_others_now() {
    let case = Changed::new().await;
    let away = |table: &str| match table {
        "form_field" => "update form_field set aktivan = false where sifra = 'zbir'",
        _ => "update form set aktivan = false where naziv = 'Pregled'",
    };
    let other = |number: &str| match number {
        "20" => {
            "update entry set vrednosti = vrednosti || jsonb_build_object((select id::text from form_field where sifra = 'broj'), 20) where datum_unosa = '2024-05-01'"
        }
        _ => {
            "update entry set vrednosti = vrednosti || jsonb_build_object((select id::text from form_field where sifra = 'broj'), 5) where datum_unosa = '2024-05-01'"
        }
    };
    let back = async |path: &str| {
        let asked = case.designer.patch(path, json!({ "aktivan": true })).await;
        assert_eq!(Changed::told(&asked), json!({ "unosa": 2, "rezultata": 1, "najmanje": false }), "{path}");
        case.designer.patch(path, json!({ "aktivan": true, "potvrdjenoRezultata": 2 })).await.assert_status(409);
        case.designer.patch(path, json!({ "aktivan": true, "potvrdjenoRezultata": 1 })).await.assert_status(200);
        assert_eq!(case.marks().await, [(case.entries[0], case.register.fields["zbir"], "formula".to_owned())], "{path}");
    };
    case.app.lay_out(&[away("form_field"), other("20")]).await;
    back(&case.field("zbir")).await;

    // What comes back to what it was is asked of nobody, and loses its mark.
    case.app.lay_out(&[away("form_field"), other("5")]).await;
    case.designer.patch(&case.field("zbir"), json!({ "aktivan": true })).await.assert_status(200);
    assert_eq!(case.marks().await, []);

    // With its form, too.
    case.app.lay_out(&[away("form"), other("20")]).await;
    back(&format!("/api/forms/{}", case.register.form)).await;

    // An item that is away is still what it was to formulas, and so is one that comes back.
    let item = format!("/api/enum-items/{}", case.register.items["druga"]);
    case.app.lay_out(&["update enum_item set aktivan = false where naziv = 'druga'"]).await;
    case.designer.patch(&item, json!({ "aktivan": true })).await.assert_status(200);
}

#[tokio::test]
async fn values_of_another_unit_are_marked_with_theirs_until_they_are_entered_anew() {
    let case = Changed::new().await;
    let kind: i64 = sqlx::query_scalar("select tip_atributa_id from form_field where id = $1")
        .bind(case.register.fields["broj"])
        .fetch_one(&case.app.db.owner)
        .await
        .unwrap();
    let path = format!("/api/attribute-types/{kind}");
    let asked = case.designer.patch(&path, json!({ "jedinica": "g/L" })).await;
    assert_eq!(Changed::told(&asked)["rezultata"], 2);
    assert!(asked.text().contains("2 unosa, 2 vrednosti su u ranijoj jedinici."), "{}", asked.text());
    case.designer.patch(&path, json!({ "jedinica": "g/L", "potvrdjenoRezultata": 2 })).await.assert_status(200);
    let again = case.designer.patch(&path, json!({ "jedinica": "mg/L", "potvrdjenoRezultata": 2 })).await;
    again.assert_status(200);
    let mark = json!([{ "polje": case.register.fields["broj"], "razlog": "jedinica", "jedinica": null }]);
    assert_eq!(case.shown(0).await["zastareli"], json!([]), "it is shown in its own unit");
    assert_eq!(case.marks().await.len(), 2);
    case.take_over(0).await.assert_status(200);
    assert_eq!(case.shown(0).await["zastareli"], mark, "the unit in which it was stored");
    case.save(0, "nevezano", false).await.assert_status(200);
    assert_eq!(case.shown(0).await["zastareli"], mark, "another field's correction converts nothing");
    case.designer.patch(&path, json!({ "jedinica": null, "potvrdjenoRezultata": 0 })).await.assert_status(200);
    let marks = case.marks().await;
    let entries: Vec<i64> = marks.iter().map(|(entry, _, _)| *entry).collect();
    assert_eq!(entries, [case.entries[0]], "back in its own unit it is right again, but for an entry whose version has another one");
    assert_eq!(case.shown(0).await["zastareli"], mark, "its version reads it in mg/L");
    let right = "select count(*) from unit_mark where znacenje = danas";
    let right: i64 = sqlx::query_scalar(right).fetch_one(&case.app.db.owner).await.unwrap();
    assert_eq!(right, 1, "beside others it is in the unit of today, and reports leave the mark out");
}

#[tokio::test]
async fn history_and_log_keep_the_names_that_items_and_fields_had() {
    let case = Changed::new().await;
    let item = format!("/api/enum-items/{}", case.register.items["prva"]);
    case.designer.patch(&item, json!({ "naziv": "druga po redu" })).await.assert_status(200);
    case.designer.patch(&case.field("skup"), json!({ "naziv": "Izbor" })).await.assert_status(200);
    let history = format!("/api/entries/{}/archive?nizAutsID={}", case.entries[0], case.register.field("skup"));
    let row = case.doctor.get(&history).await.json()["data"][0].clone();
    assert_eq!((&row["nabrojivaVrednost"], &row["nazivAtributa"]), (&json!("prva"), &json!("skup")));
    let keeper = case.app.worker("nadzor", &[Right::Log], case.app.ustanova).await;
    let log = keeper.get("/api/log?datumOd=2020-01-01&klaseArray=entry").await.text();
    assert!(log.contains("\"prva\"") && !log.contains("druga po redu"), "{log}");
}

#[tokio::test]
async fn bounds_that_became_narrower_hold_only_what_is_typed_now() {
    let case = Changed::new().await;
    case.app.lay_out(&["update attribute_type set gornja_granica_brojne_vrednosti = 6 where naziv = 'broj'"]).await;
    case.save(1, "nevezano", false).await.assert_status(200);
    let save = async |shown: Value, number: i64| {
        let mut values = shown["vrednosti"].clone();
        values[case.register.field("broj")] = json!(number);
        let body = json!({
            "unosID": case.entries[1], "tsaID": case.register.form, "registarID": case.register.id, "pacijentID": case.patient,
            "vrednosti": values, "verzija": shown["tsa"]["verzija"], "datumUnosa": "2024-06-01", "radnikOdgovoran": case.doctor.id,
            "obrazac": shown["obrazac"]["otisak"],
        });
        case.doctor.post("/api/entry-values", body).await
    };
    save(case.shown(1).await, 8).await.assert_status(200);
    case.take_over(1).await.assert_status(200);
    save(case.shown(1).await, 9).await.assert_status(422);
    save(case.shown(1).await, 6).await.assert_status(200);
}

#[tokio::test]
async fn a_shared_set_that_is_changed_tells_its_impact_form_by_form() {
    let case = Changed::new().await;
    // Two forms have the set; a formula of the first one weighs it, and the second one has no entry.
    let set = case.register.fields["skup"];
    let kind: i64 =
        sqlx::query_scalar("select tip_atributa_id from form_field where id = $1").bind(set).fetch_one(&case.app.db.owner).await.unwrap();
    let item = case.register.items["prva"];
    let body = json!({ "formulaZaRacunanje": "if(isblank($(skup)), $(broj) + 1, $!(skup))", "potvrdjenoRezultata": 2 });
    case.designer.patch(&case.field("zbir"), body).await.assert_status(200);
    let form = json!({ "naziv": "Kontrola", "registarID": case.register.id, "sifraVeza": "kontrola" });
    let form = case.designer.post("/api/forms", form).await.assert_status(201).json()["id"].clone();
    let field = json!({ "tipSkupaAtributaID": form, "tipAtributaID": kind, "sifra": "skup", "naziv": "Skup", "redosled": 1 });
    case.designer.post("/api/form-fields", field).await.assert_status(201);
    let asked = case.designer.patch(&format!("/api/enum-items/{item}"), json!({ "numVrednost": 77, "bezTezine": false })).await;
    let told = Changed::told(&asked);
    let forms = told["formulari"].as_array().unwrap();
    assert_eq!(forms.len(), 1, "the other form has nothing that the set could change: {told}");
    assert_eq!((&forms[0]["id"], &forms[0]["unosa"]), (&json!(case.register.form), &json!(2)), "{told}");
    assert_eq!(forms[0]["rezultata"], told["rezultata"]);
}
