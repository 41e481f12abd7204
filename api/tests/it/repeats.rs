//! Sections that repeat: rows that are saved, refused, joined, told of, read by reports, found and made anonymous.

use accounts::rights::Right;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Answer, Person, TestApp, TestRegister, Worker};

struct Case {
    app: TestApp,
    register: TestRegister,
    doctor: Worker,
    colleague: Worker,
    stranger: Worker,
    designer: Worker,
    person: Person,
    section: String,
    /// A text that must be filled, a number from 0 to 100, a date.
    lek: String,
    doza: String,
    od: String,
}

impl Case {
    /// The section as a designer makes it, field by field.
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        app.lay_out(&["update form_field set opcioni = true"]).await;
        let doctor = app.worker("doktor", &[Right::Reports, Right::Anonymisation, Right::Log], app.ustanova).await;
        let colleague = app.worker("kolega", &[Right::Reports], app.ustanova).await;
        let stranger = app.worker("drugde", &[Right::Reports], app.druga_ustanova).await;
        let designer = app.worker("urednik", &[Right::Registers], app.ustanova).await;
        let person = app.person(&register, app.ustanova, 4321).await;
        let none = String::new;
        let (section, lek, doza, od) = (none(), none(), none(), none());
        let mut case = Self { app, register, doctor, colleague, stranger, designer, person, section, lek, doza, od };
        let kind = json!({ "naziv": "Sekcija", "tipVrednostiAtributa": 8 });
        let panel = case.designer.post("/api/attribute-types", kind).await.json()["id"].clone();
        let made = case.make("terapija", &panel, json!({ "naziv": "Terapija", "ponavljaSe": true, "najviseRedova": 3 })).await;
        case.section = made.json()["id"].to_string();
        let inside = json!({ "nadredjeniAtributUTipuSkupaID": case.section.parse::<i64>().unwrap(), "pretrazujeSe": true });
        for (code, naziv, kind, opcioni) in [("lek", "Lek", "tekst", false), ("doza", "Doza", "broj", true), ("od", "Od", "datum", true)] {
            let mut body = inside.clone();
            crate::reports::merge(&mut body, json!({ "naziv": naziv, "opcioni": opcioni }));
            let id = case.make(code, &case.kind(kind).await, body).await.json()["id"].to_string();
            match code {
                "lek" => case.lek = id,
                "doza" => case.doza = id,
                _ => case.od = id,
            }
        }
        case
    }

    async fn kind(&self, code: &str) -> Value {
        let id: i64 = sqlx::query_scalar("select tip_atributa_id from form_field where id = $1")
            .bind(self.register.fields[code])
            .fetch_one(&self.app.db.owner)
            .await
            .unwrap();
        json!(id)
    }

    async fn make(&self, code: &str, kind: &Value, properties: Value) -> Answer {
        let mut body = json!({ "tipSkupaAtributaID": self.register.form, "tipAtributaID": kind, "sifra": code, "redosled": 100 });
        crate::reports::merge(&mut body, properties);
        self.designer.post("/api/form-fields", body).await
    }

    fn row(&self, id: i64, lek: &str, doza: Option<f64>) -> Value {
        json!({ "id": id, "v": { &self.lek: lek, &self.doza: doza } })
    }

    fn body(&self, worker: &Worker, rows: Value) -> Value {
        json!({
            "tsaID": self.register.form, "registarID": self.register.id, "pacijentID": self.person.id, "vrednosti": { &self.section: rows },
            "radnikOdgovoran": worker.id, "datumUnosa": "2026-01-05", "kljuc": Uuid::now_v7(),
        })
    }

    async fn save(&self, worker: &Worker, rows: Value) -> Answer {
        worker.post("/api/entry-values", self.body(worker, rows)).await
    }

    /// An edit of what was loaded.
    async fn edit(&self, worker: &Worker, loaded: &Value, rows: Value) -> Answer {
        let mut body = self.body(worker, rows);
        let mut edited = loaded["vrednosti"].clone();
        edited[&self.section] = body["vrednosti"][&self.section].clone();
        crate::reports::merge(
            &mut body,
            json!({ "unosID": loaded["snimljenUnosID"], "verzija": loaded["verzija"], "osnova": loaded["vrednosti"], "vrednosti": edited,
                    "radnikOdgovoran": loaded["radnikOdgovoran"], "osnovaDatumUnosa": "2026-01-05",
                    "osnovaRadnikOdgovoran": loaded["radnikOdgovoran"], "obrazac": loaded["obrazac"] }),
        );
        worker.post("/api/entry-values", body).await
    }

    fn rows<'a>(&self, saved: &'a Value) -> &'a Value {
        &saved["vrednosti"][&self.section]
    }

    async fn refused(&self, rows: Value, message: &str) {
        self.save(&self.doctor, rows).await.assert_error(422, Some(&self.section), message);
    }

    /// What reports of an institution read; none: of all of them.
    async fn report(&self, ustanova: Option<i64>, identity: bool) -> Vec<(i32, String, Option<String>)> {
        let mut report = self.app.db.app.acquire().await.unwrap();
        sqlx::query("delete from report_scope where pid = pg_backend_pid()").execute(&mut *report).await.unwrap();
        sqlx::query("insert into report_scope (pid, radnik_id, ustanova_id, identitet) values (pg_backend_pid(), 1, $1, $2)")
            .bind(ustanova)
            .bind(identity)
            .execute(&mut *report)
            .await
            .unwrap();
        sqlx::query_as(
            "select red, sifra, tekst from report.vrednost_reda where sekcija_sifra = 'terapija' order by red, redosled, polje_id",
        )
        .fetch_all(&mut *report)
        .await
        .unwrap()
    }
}

fn is_of(id: &Value, field: &str) -> bool {
    id.as_i64() == field.parse().ok()
}

#[tokio::test]
async fn rows_are_kept_as_they_were_typed_and_blank_ones_are_none() {
    let case = Case::new().await;
    let typed = json!([case.row(7, "Aspirin", Some(50.0)), { "id": 8, "v": {} }, { "id": 9, "v": { &case.lek: "  ", &case.doza: null } },
                       case.row(10, "Insulin", None)]);
    let saved = case.save(&case.doctor, typed).await.assert_status(200).json();
    let kept = json!([{ "id": 7, "v": { &case.lek: "Aspirin", &case.doza: 50 } }, { "id": 10, "v": { &case.lek: "Insulin" } }]);
    assert_eq!(case.rows(&saved), &kept);
    let shown = case.colleague.get(&format!("/api/entry-display?haID={}", saved["snimljenUnosID"])).await.json();
    assert_eq!(&shown["vrednosti"][&case.section], &kept);
    let fields = shown["autsiArray"].as_array().unwrap();
    let section = fields.iter().find(|field| is_of(&field["id"], &case.section)).unwrap();
    let names: Vec<&str> = section["kolone"].as_array().unwrap().iter().map(|column| column["naziv"].as_str().unwrap()).collect();
    assert_eq!((section["najviseRedova"].clone(), names), (json!(3), vec!["Lek", "Doza", "Od"]));
    assert!(fields.iter().all(|field| !is_of(&field["id"], &case.lek)), "a column stands in its section alone");
}

#[tokio::test]
async fn what_a_row_may_not_say_is_refused_by_section_row_and_column() {
    let case = Case::new().await;
    let good = case.row(1, "Aspirin", Some(5.0));
    case.refused(json!([good, case.row(2, "B", Some(101.0))]), "Terapija, 2. red: Doza nije u opsegu (0) - (100)").await;
    case.refused(json!([good, case.row(2, "", Some(1.0))]), "Terapija, 2. red: Niste uneli stavku sa nazivom: Lek.").await;
    let date = |text: &str| json!([{ "id": 1, "v": { &case.lek: "A", &case.od: text } }]);
    case.refused(date("31.02.2026."), "Terapija, 1. red: Od nije datum.").await;
    case.refused(date("1900-01-01"), "Terapija, 1. red: Od nije između 1920. i 2030. godine.").await;
    case.refused(json!([{ "id": 1, "v": { &case.doza: "pet" } }]), "Terapija, 1. red: Doza nije ispravna.").await;
    let four: Vec<Value> = (1..=4).map(|id| case.row(id, "A", None)).collect();
    case.refused(json!(four), "Sekcija „Terapija” može imati najviše 3 redova.").await;
    let wrong = "Redovi sekcije „Terapija” nisu ispravni.";
    case.refused(json!([good, good]), wrong).await;
    case.refused(json!("tekst"), wrong).await;
    case.refused(json!([{ "id": 0, "v": {} }]), wrong).await;
    case.refused(json!([{ "id": 1, "v": {}, "više": 1 }]), wrong).await;
    let strange = json!([{ "id": 1, "v": { case.register.field("tekst"): "A" } }]);
    case.refused(strange, "Formular je u međuvremenu izmenjen. Učitajte unos ponovo.").await;
    let mut alone = case.body(&case.doctor, Value::Null);
    alone["vrednosti"] = json!({ &case.lek: "Aspirin" });
    case.doctor.post("/api/entry-values", alone).await.assert_status(422);
    let entries: Vec<i64> = sqlx::query_scalar("select id from entry").fetch_all(&case.app.db.owner).await.unwrap();
    assert_eq!(entries, [case.person.entry], "nothing was saved");
}

#[tokio::test]
async fn rows_of_two_people_are_both_kept_and_one_cell_of_both_is_asked_about() {
    let case = Case::new().await;
    let loaded = case.save(&case.doctor, json!([case.row(1, "Aspirin", Some(50.0))])).await.json();
    case.edit(&case.doctor, &loaded, json!([case.row(1, "Aspirin", Some(75.0)), case.row(2, "Insulin", None)])).await.assert_status(200);
    let joined =
        case.edit(&case.colleague, &loaded, json!([case.row(1, "Aspirin C", Some(50.0)), case.row(3, "Brufen", None)])).await.json();
    let all = json!([{ "id": 1, "v": { &case.lek: "Aspirin C", &case.doza: 75 } }, { "id": 2, "v": { &case.lek: "Insulin" } },
                     { "id": 3, "v": { &case.lek: "Brufen" } }]);
    assert_eq!(case.rows(&joined), &all);
    let clash = case.edit(&case.doctor, &loaded, json!([case.row(1, "Aspirin", Some(80.0))])).await.refusal(409);
    let [told] = clash["sukobi"].as_array().unwrap().as_slice() else { panic!("{clash}") };
    assert_eq!((&told["polje"], &told["naziv"]), (&json!(case.section), &json!("Terapija")));
    let (mine, theirs) = (told["moje"].as_array().unwrap(), told["njihovo"].as_array().unwrap());
    assert_eq!((mine.len(), theirs.len(), &mine[0]["v"][&case.doza], &theirs[0]["v"][&case.doza]), (3, 3, &json!(80), &json!(75)));
    let now: Value =
        sqlx::query_scalar("select vrednosti from entry order by id desc limit 1").fetch_one(&case.app.db.owner).await.unwrap();
    assert_eq!(now[&case.section], all, "nothing is saved before somebody decides");
}

#[tokio::test]
async fn history_tells_a_colleague_what_became_of_each_row() {
    let case = Case::new().await;
    let first = case.save(&case.doctor, json!([case.row(1, "Aspirin", Some(50.0)), case.row(2, "Insulin", None)])).await.json();
    case.edit(&case.doctor, &first, json!([case.row(1, "Aspirin", Some(75.0)), case.row(3, "Brufen", None)])).await.assert_status(200);
    let entry = &first["snimljenUnosID"];
    let items = case.colleague.get(&format!("/api/entries/{entry}/items")).await.json();
    assert!(items["data"].as_array().unwrap().iter().any(|item| is_of(&item["id"], &case.section) && item["naziv"] == "Terapija"));
    let path = format!("/api/entries/{entry}/archive?nizAutsID={}", case.section);
    let told = case.colleague.get(&path).await.json();
    let said = ["uklonjen 2. red (Lek: Insulin)", "1. red, Doza: 50 → 75", "dodat 2. red (Lek: Brufen)"];
    assert_eq!(told["promene"][0]["redovi"], json!(said));
    let values: Vec<&Value> = told["data"].as_array().unwrap().iter().map(|row| &row["tekstVrednost"]).collect();
    assert_eq!(values, ["1) Lek: Aspirin, Doza: 75; 2) Lek: Brufen", "1) Lek: Aspirin, Doza: 50; 2) Lek: Insulin"]);
    case.stranger.get(&path).await.assert_status(404);
}

#[tokio::test]
async fn reports_read_the_rows_that_their_scope_may_see() {
    let case = Case::new().await;
    case.save(&case.doctor, json!([case.row(1, "Aspirin", Some(50.5)), case.row(2, "Insulin", Some(0.0))])).await.assert_status(200);
    let cell = |red, sifra: &str, tekst: &str| (red, sifra.to_owned(), Some(tekst.to_owned()));
    let numbers = vec![cell(1, "doza", "50,5"), cell(2, "doza", "0")];
    let all = vec![cell(1, "lek", "Aspirin"), cell(1, "doza", "50,5"), cell(2, "lek", "Insulin"), cell(2, "doza", "0")];
    assert_eq!(case.report(Some(case.app.ustanova), true).await, all);
    assert_eq!(case.report(Some(case.app.ustanova), false).await, numbers, "texts may name the patient");
    assert_eq!(case.report(Some(case.app.druga_ustanova), true).await, []);
    assert_eq!(case.report(None, false).await, numbers);
    let mut report = case.app.db.app.acquire().await.unwrap();
    sqlx::query("delete from report_scope where pid = pg_backend_pid()").execute(&mut *report).await.unwrap();
    sqlx::query("insert into report_scope (pid, radnik_id, ustanova_id, identitet) values (pg_backend_pid(), 1, null, false)")
        .execute(&mut *report)
        .await
        .unwrap();
    let text: Vec<String> =
        sqlx::query_scalar("select coalesce(vrednosti::text, '') from report.unos").fetch_all(&mut *report).await.unwrap();
    assert!(text.iter().all(|values| !values.contains("Aspirin")));
}

#[tokio::test]
async fn a_search_finds_what_stands_in_any_row_of_ones_own_patients() {
    let case = Case::new().await;
    let first = case.save(&case.doctor, json!([case.row(1, "Aspirin", Some(5.0)), case.row(2, "Insulin", Some(40.0))])).await.json();
    let found = async |worker: &Worker, field: &str, operator: &str, value: &str| {
        let row = json!({ "poljeID": field.parse::<i64>().unwrap(), "operator": operator, "vrednost": value });
        let body = json!({ "registarID": case.register.id, "redPretrage": [row] });
        worker.post("/api/search", body).await.assert_status(200).json()["unosi"].as_array().unwrap().len()
    };
    assert_eq!(found(&case.doctor, &case.doza, ">", "30").await, 1);
    assert_eq!(found(&case.doctor, &case.doza, ">", "50").await, 0);
    assert_eq!(found(&case.doctor, &case.lek, "sadrzi", "insul").await, 1);
    case.edit(&case.doctor, &first, json!([case.row(1, "Aspirin", Some(5.0))])).await.assert_status(200);
    assert_eq!(found(&case.doctor, &case.doza, ">", "30").await, 0, "a row that is gone is not found");
    assert_eq!(found(&case.doctor, &case.lek, "sadrzi", "aspi").await, 1);
}

#[tokio::test]
async fn texts_in_the_rows_of_an_anonymous_patient_are_gone_and_what_was_measured_stays() {
    let case = Case::new().await;
    let first = case.save(&case.doctor, json!([case.row(1, "zvrkokret", Some(5.0))])).await.json();
    let rows = json!([case.row(1, "zvrkokret drugi", Some(6.0)), case.row(2, "zvrkokret", None)]);
    case.edit(&case.doctor, &first, rows).await.assert_status(200);
    let request = json!({ "razlog": "Zahtev po zakonu, broj 17", "potvrda": case.person.record["brojKartona"] });
    case.doctor.post(&format!("/api/patients/{}/anonymisation", case.person.id), request).await.assert_status(204);
    let kept: Value =
        sqlx::query_scalar("select vrednosti from entry order by id desc limit 1").fetch_one(&case.app.db.owner).await.unwrap();
    assert_eq!(kept[&case.section], json!([{ "id": 1, "v": { &case.doza: 6 } }]));
    for place in [
        "select count(*) from value_history where vrednost::text ~ 'zvrkokret'",
        "select count(*) from audit_log where polja::text ~ 'zvrkokret'",
        "select count(*) from value_text where vrednost_f ~ 'zvrkokret'",
        "select count(*) from entry_save where poslato::text ~ 'zvrkokret'",
    ] {
        let left: i64 = sqlx::query_scalar(place).fetch_one(&case.app.db.owner).await.unwrap();
        assert_eq!(left, 0, "{place}");
    }
    let path = format!("/api/entries/{}/archive?nizAutsID={}", first["snimljenUnosID"], case.section);
    assert!(case.doctor.get(&path).await.json()["data"].as_array().unwrap().iter().any(|row| row["tekstVrednost"] == "•••"));
}

#[tokio::test]
async fn an_item_that_is_not_used_any_more_stays_in_its_row_and_is_chosen_in_no_other() {
    let case = Case::new().await;
    let inside = json!({ "naziv": "Put", "opcioni": true, "nadredjeniAtributUTipuSkupaID": case.section.parse::<i64>().unwrap() });
    let put = case.make("put", &case.kind("skup").await, inside).await.json()["id"].to_string();
    let (retired, used) = (case.register.items["prva"], case.register.items["druga"]);
    let row = |id: i64, item: i64| json!({ "id": id, "v": { &case.lek: "A", &put: [item] } });
    let saved = case.save(&case.doctor, json!([row(1, retired), row(2, used)])).await.assert_status(200).json();
    case.app.lay_out(&["update enum_item set aktivan = false where naziv = 'prva'"]).await;

    let refused = "Terapija, 1. red: Put sadrži vrednost „prva”, koja se više ne koristi.";
    case.refused(json!([row(1, retired)]), refused).await;
    case.save(&case.doctor, json!([row(1, used)])).await.assert_status(200);

    let newest = format!("/api/entry-display?haID={}&najnoviji=true", saved["snimljenUnosID"]);
    let by = case.doctor.get(&newest).await.json()["obrazac"]["otisak"].clone();
    let mut loaded = saved.clone();
    loaded["obrazac"] = by;
    let refused = "Terapija, 2. red: Put sadrži vrednost „prva”, koja se više ne koristi.";
    case.edit(&case.doctor, &loaded, json!([row(1, retired), row(2, retired)])).await.assert_error(422, Some(&case.section), refused);
    case.edit(&case.doctor, &loaded, json!([row(1, retired), row(2, used), row(3, used)])).await.assert_status(200);
}

#[tokio::test]
async fn an_entry_of_an_older_version_knows_nothing_of_the_section() {
    let case = Case::new().await;
    let section: i64 = case.section.parse().unwrap();
    case.app.lay_out(&["update form_field set aktivan = false where sifra in ('terapija', 'lek', 'doza', 'od')"]).await;
    let old = case.app.entry(&case.register, case.person.id, case.app.ustanova, "2025-05-01", json!({ "broj": 5 })).await;
    case.app.lay_out(&["update form_field set aktivan = true"]).await;
    let shown = case.doctor.get(&format!("/api/entry-display?haID={old}")).await.json();
    assert!(shown["autsiArray"].as_array().unwrap().iter().all(|field| field["id"] != json!(section)));
    let newer = case.doctor.get(&format!("/api/entries/{old}/newer-form")).await.json();
    let added: Vec<&str> = newer["razlike"]["dodata"].as_array().unwrap().iter().map(|field| field["naziv"].as_str().unwrap()).collect();
    assert_eq!(added, ["Terapija", "Lek", "Doza", "Od"]);
    let more = json!({ "najviseRedova": 20 });
    case.save(&case.doctor, json!([case.row(1, "A", None)])).await.assert_status(200);
    case.designer.patch(&format!("/api/form-fields/{section}"), more).await.assert_status(200);
    let of_today: i64 = sqlx::query_scalar("select max(id) from entry").fetch_one(&case.app.db.owner).await.unwrap();
    let changed = case.doctor.get(&format!("/api/entries/{of_today}/newer-form")).await.json()["razlike"]["izmenjena"].clone();
    let (was, now) = ("ponavlja se, najviše redova: 3", "ponavlja se, najviše redova: 20");
    let change = json!({ "sta": "ponavljanje", "staro": was, "novo": now, "samoPravopis": false });
    assert_eq!(changed, json!([{ "polje": section, "naziv": "Terapija", "promene": [change] }]));
}

#[tokio::test]
async fn a_section_with_rows_stays_one_and_what_does_not_fit_into_rows_is_refused() {
    let case = Case::new().await;
    let path = |id: &str| format!("/api/form-fields/{id}");
    let column = |properties: Value| {
        let mut body = json!({ "naziv": "Kolona", "nadredjeniAtributUTipuSkupaID": case.section.parse::<i64>().unwrap() });
        crate::reports::merge(&mut body, properties);
        body
    };
    let number = case.kind("broj").await;
    let placed = case.make("a", &number, json!({ "naziv": "Mesto", "formulaZaRacunanje": "1 + redniBrojReda" })).await.refusal(422);
    assert!(placed["message"].as_str().unwrap().starts_with("„redniBrojReda” ima samo red sekcije"), "{placed}");
    case.make("a", &number, column(json!({ "obavezanAko": "$(doza) > 1" }))).await.assert_status(422);
    let (panel, reads) = (case.kind_of_section().await, json!({ "naziv": "Zbir", "formulaZaRacunanje": "$(doza) + 1" }));
    case.make("b", &panel, column(json!({}))).await.assert_status(422);
    let refusal = case.make("c", &number, reads).await.refusal(422);
    assert!(refusal["message"].as_str().unwrap().contains("ima vrednost u svakom redu sekcije"), "{refusal}");
    case.designer.patch(&path(&case.register.field("broj")), json!({ "ponavljaSe": true })).await.assert_error(
        422,
        Some("ponavljaSe"),
        "Ponavlja se samo panel.",
    );
    let most = json!({ "najviseRedova": 201 });
    case.designer.patch(&path(&case.section), most).await.assert_status(422);

    case.designer.patch(&path(&case.section), json!({ "ponavljaSe": false, "najviseRedova": null })).await.assert_status(200);
    case.designer.patch(&path(&case.section), json!({ "ponavljaSe": true })).await.assert_status(200);
    case.save(&case.doctor, json!([case.row(1, "Aspirin", None)])).await.assert_status(200);
    case.designer.patch(&path(&case.section), json!({ "ponavljaSe": false })).await.assert_error(
        422,
        Some("ponavljaSe"),
        "Unosi imaju vrednosti polja ove sekcije, pa se njeno ponavljanje ne može menjati.",
    );
    case.designer.patch(&path(&case.lek), json!({ "nadredjeniAtributUTipuSkupaID": null })).await.assert_error(
        422,
        Some("nadredjeniAtributUTipuSkupaID"),
        "Polje ima snimljene vrednosti, pa ne može ni u sekciju koja se ponavlja ni iz nje.",
    );
    case.designer.patch(&path(&case.lek), json!({ "tipAtributaID": number })).await.assert_status(422);
    case.designer.patch(&path(&case.od), json!({ "nadredjeniAtributUTipuSkupaID": null })).await.assert_status(200);
}

impl Case {
    async fn kind_of_section(&self) -> Value {
        self.designer.get(&format!("/api/form-fields/{}", self.section)).await.json()["tipAtributaID"].clone()
    }
}

#[tokio::test]
async fn a_result_over_rows_is_computed_of_what_two_people_typed_and_protects_its_columns() {
    let case = Case::new().await;
    let number = case.kind("broj").await;
    let formula = "sum($(doza)) + brojRedova($(terapija)) * 1000";
    let sum = case.make("ukupno", &number, json!({ "naziv": "Ukupno", "formulaZaRacunanje": formula })).await.assert_status(201).json();
    let sum = sum["id"].to_string();
    let refused = case.make("lose", &number, json!({ "naziv": "Loše", "formulaZaRacunanje": "$(doza) + 1" })).await;
    assert!(refused.refusal(422)["message"].as_str().unwrap().starts_with("Polje „doza” ima vrednost u svakom redu sekcije."));

    let path = format!("/api/form-fields/{}", case.doza);
    case.designer.delete(&path).await.assert_error(409, None, "Polje se ne može obrisati: koristi ga formula polja „Ukupno”.");
    let saved = case.save(&case.doctor, json!([case.row(1, "Aspirin", Some(50.0))])).await.assert_status(200).json();
    assert_eq!(saved["vrednosti"][&sum], json!(1050));
    let mine = json!([case.row(1, "Aspirin", Some(50.0)), case.row(2, "Insulin", Some(5.0))]);
    let mine = case.edit(&case.doctor, &saved, mine).await.assert_status(200).json();
    assert_eq!(mine["vrednosti"][&sum], json!(2055));
    let theirs = json!([case.row(1, "Aspirin", Some(50.0)), case.row(3, "Statin", Some(20.0))]);
    let joined = case.edit(&case.colleague, &saved, theirs).await.assert_status(200).json();
    assert_eq!(joined["vrednosti"][&sum], json!(3075), "rows of both");

    let mut column = case.designer.get(&path).await.json();
    column["sifra"] = json!("kolicina");
    case.designer.put(&path, column).await.assert_error(422, Some("sifra"), "Šifru koristi formula polja „Ukupno”.");
    let panel = format!("/api/form-fields/{}", case.section);
    let mut section = case.designer.get(&panel).await.json();
    section["napomena"] = json!("Samo lekovi");
    case.designer.put(&panel, section).await.assert_status(200);
}

#[tokio::test]
async fn a_column_computes_and_hides_in_each_row_and_its_results_are_the_servers() {
    let case = Case::new().await;
    let number = case.kind("broj").await;
    let column = |properties: Value| {
        let mut body =
            json!({ "nadredjeniAtributUTipuSkupaID": case.section.parse::<i64>().unwrap(), "opcioni": true, "pretrazujeSe": true });
        crate::reports::merge(&mut body, properties);
        body
    };
    let doubled = json!({ "naziv": "Dvostruko", "formulaZaRacunanje": "2 * $(doza) + redniBrojReda / 10",
                          "primeri": [{ "redovi": [{ "doza": 1 }, { "doza": 4 }], "rezultat": 8.2 }] });
    let dvostruko = case.make("dvostruko", &number, column(doubled)).await.assert_status(201).json()["id"].to_string();
    let asked = json!({ "naziv": "Razlog", "opcioni": false, "formulaZaPrikaz": "$(doza) > 10" });
    let razlog = case.make("razlog", &case.kind("tekst").await, column(asked)).await.assert_status(201).json()["id"].to_string();
    let sum = json!({ "naziv": "Zbir", "formulaZaRacunanje": "sum($(dvostruko))" });
    let zbir = case.make("zbirDvostrukih", &number, sum).await.assert_status(201).json()["id"].to_string();
    let wrong = json!({ "naziv": "Loše", "formulaZaRacunanje": "$(doza)", "primeri": [{ "redovi": [{ "doza": 1 }], "rezultat": 2 }] });
    case.make("lose", &number, column(wrong)).await.assert_error(
        422,
        Some("primeri"),
        "Primer 1: očekuje se 2, a formula daje 1 (razlika −1).",
    );

    case.refused(json!([case.row(1, "A", Some(20.0))]), "Terapija, 1. red: Niste uneli stavku sa nazivom: Razlog.").await;
    let sent = json!([{ "id": 1, "v": { &case.lek: "A", &case.doza: 5, &dvostruko: 999, &razlog: "skriven" } },
                      { "id": 2, "v": { &case.lek: "B", &case.doza: 20, &razlog: "bol" } }]);
    let saved = case.save(&case.doctor, sent).await.assert_status(200).json();
    let kept = json!([{ "id": 1, "v": { &case.lek: "A", &case.doza: 5, &dvostruko: 10.1 } },
                      { "id": 2, "v": { &case.lek: "B", &case.doza: 20, &razlog: "bol", &dvostruko: 40.2 } }]);
    assert_eq!(case.rows(&saved), &kept);
    assert_eq!(saved["vrednosti"][&zbir], json!(50.3));
    assert_eq!(saved["ocisceno"], json!([case.section.parse::<i64>().unwrap()]), "what the condition took out is told");

    // Two people's rows are joined without results, which are computed of both.
    case.edit(&case.doctor, &saved, json!([case.row(1, "A", Some(6.0)), kept[1]])).await.assert_status(200);
    let joined = case.edit(&case.colleague, &saved, json!([case.row(1, "A C", Some(5.0)), kept[1]])).await.assert_status(200).json();
    assert_eq!(case.rows(&joined)[0], json!({ "id": 1, "v": { &case.lek: "A C", &case.doza: 6, &dvostruko: 12.1 } }));
    let told = case.doctor.get(&format!("/api/entries/{}/archive?nizAutsID={}", saved["snimljenUnosID"], case.section)).await.json();
    assert!(told["promene"].to_string().contains("1. red, Dvostruko: 10,1 → 12,1"), "{told}");
    let cells = case.report(Some(case.app.ustanova), true).await;
    assert!(cells.contains(&(2, "dvostruko".to_owned(), Some("40,2".to_owned()))), "{cells:?}");
    let row = json!({ "poljeID": dvostruko.parse::<i64>().unwrap(), "operator": ">", "vrednost": "40" });
    let search = json!({ "registarID": case.register.id, "redPretrage": [row] });
    assert_eq!(case.doctor.post("/api/search", search).await.json()["unosi"].as_array().unwrap().len(), 1);

    // Another formula asks how many results become others, and they are told of the section.
    let path = format!("/api/form-fields/{dvostruko}");
    let other = json!({ "formulaZaRacunanje": "3 * $(doza)", "primeri": null });
    let asked = case.designer.patch(&path, other.clone()).await.refusal(409);
    assert_eq!(asked["uticaj"]["rezultata"], json!(2), "of the section and of the sum: {asked}");
    let mut confirmed = other;
    confirmed["potvrdjenoRezultata"] = json!(2);
    case.designer.patch(&path, confirmed).await.assert_status(200);
    let marked: Vec<i64> = sqlx::query_scalar("select polje_id from stale_result order by 1").fetch_all(&case.app.db.owner).await.unwrap();
    assert!(marked.contains(&case.section.parse().unwrap()), "{marked:?}");
}
