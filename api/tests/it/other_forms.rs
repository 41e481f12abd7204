//! Formulas that read another form of the register: `$(form.field)` of the same day, and of earlier days.

use accounts::rights::Right;
use domain::{db, entry::follow::follow_due, testing};
use interchange::import::{check, definition, formulas};
use serde_json::{Value, json};

use crate::{
    import_data::{self, ANA, MAPPING},
    import_register::{self, DEFINITION},
    support::{TestApp, TestRegister, Worker},
};

struct Case {
    app: TestApp,
    register: TestRegister,
    /// The other form, under the code `haq`, with the fields `haqdi` and `pomoc`, a set.
    haq: TestRegister,
    admin: Worker,
    lekar: Worker,
    patient: i64,
}

async fn count_of(app: &TestApp, query: &'static str) -> i64 {
    sqlx::query_scalar(query).fetch_one(&app.db.owner).await.expect("a number")
}

impl Case {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let admin = app.worker("urednik", &[Right::Registers], app.ustanova).await;
        let lekar = app.worker("lekar", &[Right::Reports], app.ustanova).await;
        let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
        let form = json!({ "registarID": register.id, "naziv": "HAQ", "sifraVeza": "haq" });
        let form = admin.post("/api/forms", form).await.assert_status(201).json()["id"].as_i64().unwrap();
        let mut haq = TestRegister { id: register.id, form, fields: Default::default(), items: register.items.clone() };
        let number = admin.post("/api/attribute-types", json!({ "naziv": "HAQ-DI", "tipVrednostiAtributa": 2 })).await.json();
        let set: i64 = count_of(&app, "select tip_atributa_id from form_field where sifra = 'skup'").await;
        for (code, of) in [("haqdi", number["id"].clone()), ("pomoc", json!(set))] {
            let field = json!({ "tipAtributaID": of, "naziv": code, "sifra": code, "redosled": 10, "tipSkupaAtributaID": form });
            let field = admin.post("/api/form-fields", field).await.assert_status(201).json();
            haq.fields.insert(code, field["id"].as_i64().unwrap());
        }
        Self { app, register, haq, admin, lekar, patient }
    }

    fn result(&self, form: i64, sifra: &str, formula: &str) -> Value {
        json!({ "naziv": sifra, "sifra": sifra, "redosled": 100, "tipSkupaAtributaID": form, "formulaZaRacunanje": formula })
    }

    /// A new calculated number; its id as a text.
    async fn calculated(&self, form: i64, sifra: &str, formula: &str) -> String {
        let mut field = self.result(form, sifra, formula);
        field["tipAtributaID"] = json!(count_of(&self.app, "select id from attribute_type where naziv = 'HAQ-DI'").await);
        self.admin.post("/api/form-fields", field).await.assert_status(201).json()["id"].to_string()
    }

    async fn refused(&self, form: i64, formula: &str, status: u16, field: Option<&str>, message: &str) {
        let mut result = self.result(form, "novo", formula);
        result["tipAtributaID"] = json!(count_of(&self.app, "select id from attribute_type where naziv = 'HAQ-DI'").await);
        self.admin.post("/api/form-fields", result).await.assert_error(status, field, message);
    }

    fn request(&self, date: &str, broj: f64) -> Value {
        json!({
            "tsaID": self.register.form, "registarID": self.register.id, "pacijentID": self.patient,
            "vrednosti": { (self.register.field("broj")): broj }, "radnikOdgovoran": self.lekar.id, "datumUnosa": date,
        })
    }

    async fn haq(&self, ustanova: i64, date: &str, values: Value) -> i64 {
        self.app.entry(&self.haq, self.patient, ustanova, date, values).await
    }
}

#[tokio::test]
async fn the_entry_of_the_day_and_those_before_it_are_read_whoever_holds_them() {
    let case = Case::new().await;
    let (own, other) = (case.app.ustanova, case.app.druga_ustanova);
    let mut fields = Vec::new();
    for (code, formula) in [
        ("danas", "$(haq.haqdi) + $(broj)"),
        ("pre", "prethodno($(haq.haqdi))"),
        ("prva", "prvoRanije($(haq.haqdi))"),
        ("poslednja", "coalesce($(haq.haqdi), poslednjeRanije($(haq.haqdi)))"),
        ("najbolja", "min(najmanjeRanije($(haq.haqdi)), $(haq.haqdi))"),
        ("pomoc", "if(selected($(haq.pomoc), 'druga'), 1, 0)"),
    ] {
        fields.push(case.calculated(case.register.form, code, formula).await);
    }
    case.haq(other, "2025-06-01", json!({ "haqdi": 1.5 })).await;
    case.haq(own, "2025-09-01", json!({ "haqdi": 2.25 })).await;
    case.haq(own, "2025-12-01", json!({})).await;
    // Of two on one day the one made last.
    case.haq(own, "2026-03-02", json!({ "haqdi": 3 })).await;
    case.haq(other, "2026-03-02", json!({ "haqdi": 0.5, "pomoc": [case.register.items["druga"]] })).await;
    case.haq(own, "2026-05-01", json!({ "haqdi": 0.1 })).await;
    let of = |saved: &Value| fields.iter().map(|id| saved["vrednosti"][id].clone()).collect::<Vec<_>>();
    let saved = case.lekar.post("/api/entry-values", case.request("2026-03-02", 10.0)).await.assert_status(200).json();
    assert_eq!(of(&saved), [json!(10.5), Value::Null, json!(1.5), json!(0.5), json!(0.5), json!(1)]);

    // With the day the entries are others.
    let mut request = case.request("2026-01-10", 10.0);
    request["unosID"] = saved["snimljenUnosID"].clone();
    request["verzija"] = saved["verzija"].clone();
    let saved = case.lekar.post("/api/entry-values", request).await.assert_status(200).json();
    assert_eq!(of(&saved), [Value::Null, Value::Null, json!(1.5), json!(2.25), json!(1.5), json!(0)]);
}

#[tokio::test]
async fn the_screen_is_given_what_formulas_name_of_other_forms_and_no_more() {
    let case = Case::new().await;
    let path = format!("/api/entry-display?tsaID={}&pacijentID={}", case.register.form, case.patient);
    case.haq(case.app.ustanova, "2025-06-01", json!({ "haqdi": 1.5, "pomoc": [case.register.items["prva"]] })).await;
    let deleted = case.haq(case.app.ustanova, "2025-07-01", json!({ "haqdi": 3 })).await;
    case.app.lay_out(&["update entry set aktivan = false where vrednosti @> '{}' and datum_unosa = '2025-07-01'"]).await;
    assert_eq!(case.lekar.get(&path).await.json()["drugiFormulari"], json!([]), "no formula asks");

    case.calculated(case.register.form, "zbirHaq", "$(haq.haqdi) + 1").await;
    let id = case.haq.fields["haqdi"];
    let shown = case.lekar.get(&path).await.json();
    let field = json!({ "id": id, "sifra": "haq.haqdi", "tip": 2, "stavke": [] });
    let entry = json!({ "datumUnosa": "2025-06-01", "vrednosti": { (id.to_string()): 1.5 } });
    assert_eq!(shown["drugiFormulari"], json!([{ "polja": [field], "unosi": [entry] }]), "and not of the deleted entry {deleted}");

    // Whose institution does not know the patient is told of no entry.
    let other = case.app.worker("drugi", &[Right::Reports], case.app.druga_ustanova).await;
    other.get(&path).await.assert_status(404);
}

#[tokio::test]
async fn what_another_form_reads_keeps_its_code_and_stays_and_circles_are_refused() {
    let case = Case::new().await;
    let own = case.register.form;
    let unknown = "Nepoznata šifra polja „haq.nema”. (mesto 5)";
    case.refused(own, "1 + $(haq.nema)", 422, Some("formulaZaRacunanje"), unknown).await;
    let item = "Polje „haq.pomoc” nema stavku „treća”. Stavke: prva (1), druga (2). (mesto 24)";
    case.refused(own, "selected($(haq.pomoc), 'treća')", 422, Some("formulaZaRacunanje"), item).await;
    let result = case.calculated(own, "rezultat", "$(haq.haqdi) + if(selected($(haq.pomoc), 'prva'), 1, 0)").await;

    let field = |code: &str| format!("/api/form-fields/{}", case.haq.fields[code]);
    let reads = "Formular „Pregled” čita polja drugog formulara, pa se to ne može tako snimiti: ";
    let message = format!("{reads}Formula polja „rezultat” koristi nepoznatu šifru „haq.haqdi”. Prvo izmenite tu formulu.");
    case.admin.patch(&field("haqdi"), json!({ "sifra": "drugo" })).await.assert_error(409, None, &message);
    let refused = case.admin.delete(&field("haqdi")).await;
    assert!(refused.assert_status(409).text().contains("čita ga formula „rezultat (formular Pregled)”"), "{}", refused.text());
    let form = format!("/api/forms/{}", case.haq.form);
    case.admin.patch(&form, json!({ "sifraVeza": "haq2" })).await.assert_error(409, None, &message);
    let refused = case.admin.delete(&form).await;
    assert!(refused.assert_status(409).text().contains("čita ga formula „rezultat (formular Pregled)”"), "{}", refused.text());
    let item = format!("/api/enum-items/{}", case.register.items["prva"]);
    let message = "Naziv se ne može promeniti: „prva” stoji u formuli polja „rezultat” (formular „Pregled”).";
    case.admin.patch(&item, json!({ "naziv": "Prva" })).await.assert_error(422, Some("naziv"), message);

    // Of one day no two forms wait for each other; of earlier days they may.
    case.admin.patch(&format!("/api/forms/{own}"), json!({ "sifraVeza": "pregled" })).await.assert_status(200);
    let circle = "Formulari se istog dana čitaju u krug: „Pregled” → „HAQ” → „Pregled”.";
    case.refused(case.haq.form, "$(pregled.broj) * 2", 409, None, circle).await;
    case.calculated(case.haq.form, "ranije", "prethodno($(pregled.broj)) * 2").await;

    // All may change when the formula is gone.
    case.admin.delete(&format!("/api/form-fields/{result}")).await.assert_status(204);
    case.admin.patch(&field("haqdi"), json!({ "sifra": "drugo" })).await.assert_status(200);
    case.admin.patch(&item, json!({ "naziv": "Prva" })).await.assert_status(200);
}

#[tokio::test]
async fn results_follow_the_other_form_through_a_save_a_deletion_and_a_return_and_nobody_has_changed_them() {
    let case = Case::new().await;
    let own = case.register.form;
    let sum = case.calculated(own, "zbirHaq", "$(haq.haqdi) + $(broj)").await;
    let twice = case.calculated(own, "dvaput", "$(zbirHaq) * 2").await;
    let first = case.calculated(own, "prva", "prvoRanije($(haq.haqdi))").await;
    let save = |date: &'static str| case.request(date, 10.0);
    let saved = case.lekar.post("/api/entry-values", save("2026-03-02")).await.assert_status(200).json();
    let later = case.lekar.post("/api/entry-values", save("2026-04-02")).await.assert_status(200).json();
    assert_eq!(saved["vrednosti"][&sum], Value::Null);
    let values = async |saved: &Value| -> Vec<Option<f64>> {
        let entry = saved["snimljenUnosID"].as_i64().unwrap();
        sqlx::query_scalar("select (vrednosti ->> f)::float8 from entry cross join unnest($2::text[]) f where id = $1")
            .bind(entry)
            .bind([&sum, &twice, &first].map(Clone::clone).to_vec())
            .fetch_all(&case.app.db.owner)
            .await
            .unwrap()
    };
    let haq = json!({
        "tsaID": case.haq.form, "registarID": case.register.id, "pacijentID": case.patient, "datumUnosa": "2026-03-02",
        "vrednosti": { (case.haq.field("haqdi")): 1.5 }, "radnikOdgovoran": case.lekar.id,
    });
    let read = case.lekar.post("/api/entry-values", haq).await.assert_status(200).json();
    assert_eq!(values(&saved).await, [Some(11.5), Some(23.0), None]);
    assert_eq!(values(&later).await, [None, None, Some(1.5)]);
    let touched = count_of(&case.app, "select count(*) from entry where datum_izmene is not null").await;
    assert_eq!(touched, 0, "nobody has changed anything");

    let entry = json!({ "id": read["snimljenUnosID"] });
    case.lekar.post("/api/delete-entry", entry.clone()).await.assert_status(204);
    assert_eq!((values(&saved).await, values(&later).await), (vec![None; 3], vec![None; 3]));
    case.lekar.post("/api/restore-entry", entry).await.assert_status(204);
    assert_eq!(values(&saved).await, [Some(11.5), Some(23.0), None]);
    let left = count_of(&case.app, "select count(*) from follow_due").await;
    assert_eq!(left, 0);
}

#[tokio::test]
async fn what_was_written_past_the_screens_is_followed_and_a_signed_entry_is_marked_as_long_as_it_says_otherwise() {
    let case = Case::new().await;
    let sum = case.calculated(case.register.form, "zbirHaq", "$(haq.haqdi) + $(broj)").await;
    let entry = async |date: &'static str| -> i64 {
        let saved = case.lekar.post("/api/entry-values", case.request(date, 10.0)).await.assert_status(200).json();
        saved["snimljenUnosID"].as_i64().unwrap()
    };
    let (finished, signed) = (entry("2026-03-02").await, entry("2026-04-02").await);
    let owner = &case.app.db.owner;
    let mut tx = db::begin(owner, case.lekar.id).await.unwrap();
    for (id, state) in [
        (finished, "insert into entry_state (unos_id, stanje, radnja) values ($1, 'zavrsen', 'zavrsavanje')"),
        (signed, "insert into entry_state (unos_id, stanje, radnja) values ($1, 'zavrsen', 'zavrsavanje')"),
        (signed, "insert into entry_state (unos_id, stanje, radnja, znacenje) values ($1, 'potpisan', 'potpis', 'autor')"),
    ] {
        sqlx::query(state).bind(id).execute(&mut *tx).await.unwrap();
    }
    tx.commit().await.unwrap();
    let follow = async || {
        let mut tx = db::begin(owner, db::SYSTEM_WORKER).await.unwrap();
        let done = follow_due(&mut tx, 10).await.unwrap();
        tx.commit().await.unwrap();
        done
    };
    let told = async |id: i64| -> (Option<f64>, String, Option<String>) {
        sqlx::query_as(
            "select (vrednosti ->> $2)::float8, state_of_entry(id), (select razlog from stale_result where unos_id = id) from entry where id = $1",
        )
        .bind(id)
        .bind(&sum)
        .fetch_one(owner)
        .await
        .unwrap()
    };
    let first = case.haq(case.app.ustanova, "2026-03-02", json!({ "haqdi": 1.5 })).await;
    let read = [first, case.haq(case.app.ustanova, "2026-04-02", json!({ "haqdi": 2.0 })).await];
    assert_eq!((follow().await, follow().await), (1, 0), "one patient, once");
    assert_eq!(told(finished).await, (Some(11.5), "uRadu".to_owned(), None));
    let of_form = Some("drugi_formular".to_owned());
    assert_eq!(told(signed).await, (None, "potpisan".to_owned(), of_form));
    let back = "select count(*) from entry_state where stanje = 'uRadu' and radnja = 'preracunavanje'";
    assert_eq!(count_of(&case.app, back).await, 1);

    let mut tx = db::begin(owner, db::SYSTEM_WORKER).await.unwrap();
    sqlx::query("update entry set aktivan = false where id = any ($1)").bind(read).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(follow().await, 1);
    assert_eq!(told(finished).await, (None, "uRadu".to_owned(), None));
    assert_eq!(told(signed).await, (None, "potpisan".to_owned(), None), "it says again what it read");
}

/// The definition with a second form, which reads the first one.
fn with_second(formula: &str) -> String {
    DEFINITION.to_owned()
        + &format!(
            "\n[[forms]]\nsifraVeza = \"zbir\"\nnaziv = \"Zbir\"\npolja = [{{ sifra = \"uneto\", naziv = \"Uneto\", tipAtributa = \"Puls\" }}, \
             {{ sifra = \"odPulsa\", naziv = \"Od pulsa\", tipAtributa = \"Puls\", formulaZaRacunanje = \"{formula}\", \
             primeri = [{{ ulazi = {{ \"pregled.puls\" = 80, uneto = 20 }}, rezultat = 100 }}] }}]\n"
        )
}

#[tokio::test]
async fn a_definition_may_read_its_other_forms_and_an_import_computes_what_its_file_brings() {
    let defects = |text: &str| {
        let definition = definition::parse(text, |name| anyhow::bail!("no picture {name}")).unwrap();
        assert_eq!(check::defects(&definition), Vec::<String>::new());
        formulas::compile(&definition).defects
    };
    let unknown = "forms.zbir.odPulsa.formulaZaRacunanje: Nepoznata šifra polja „pregled.nema”. (mesto 1)";
    assert_eq!(defects(&with_second("$(pregled.nema) + $(uneto)")), [unknown]);
    let text = with_second("$(pregled.puls) + $(uneto)");
    assert_eq!(defects(&text), Vec::<String>::new());

    let db = import_data::database_of(&text).await;
    // The file's first form is the one that reads.
    let second = "[[entries]]\nform = \"zbir\"\nkey = [\"br\", \"datum\"]\ndate = \"datum\"\n[entries.fields]\nuneto = \"uneto\"\n";
    let mapping = MAPPING.replacen("[[entries]]", &format!("{second}\n[[entries]]"), 1);
    let head = "br,ime,prezime,jmbg,lbo,telefon,pol,ustanova,datum,puls,pusi,koliko,nalaz,kontrola,uneto\n";
    let row = ANA.trim_end().to_owned() + ",20\n";
    import_data::import(&db, &mapping, head.to_owned() + &row).await.unwrap();
    let stored = "select (vrednosti ->> (select id::text from form_field where sifra = 'odPulsa'))::float8 from entry
                   where tsa_id = (select id from form where sifra_veza = 'zbir')";
    let sum: Option<f64> = sqlx::query_scalar(stored).fetch_one(&db.owner).await.unwrap();
    assert_eq!(sum, Some(92.5));

    // A file in which they read each other on one day is refused when it is stored.
    let circle = text.replace("2 * $(puls)", "2 * $(puls) + $(zbir.uneto)");
    let db = testing::database().await;
    let refused = import_register::store(&db, &circle, false).await.expect_err("a circle");
    assert!(refused.to_string().starts_with("Formulari se istog dana čitaju u krug: "), "{refused}");
}
