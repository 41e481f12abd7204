//! Registers and forms as files, by the calls of the screens: out and in again, with a report before anything is stored, and from other
//! systems.

use accounts::rights::Right;
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use crate::support::{Answer, TestApp, Worker};

const CARDIOLOGY: &str = include_str!("../../demo/kardiologija.toml");
const RHEUMATOLOGY: &str = include_str!("../../demo/reumatologija.toml");

mod drafts;
mod everything;
mod foreign;
mod large;
mod meaning;
mod option_weights;
mod others;
mod questionnaires;
mod rows;
mod scores;

struct Case {
    app: TestApp,
    mila: Worker,
}

impl Case {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let mila = app.worker("mila", &[Right::Registers, Right::QualityRules], app.ustanova).await;
        Self { app, mila }
    }

    fn sent(name: &str, bytes: &[u8], register: Option<i64>) -> Value {
        json!({ "imeFajla": name, "sadrzaj": BASE64_STANDARD.encode(bytes), "registarID": register })
    }

    async fn check(&self, sent: &Value) -> Value {
        self.mila.post("/api/definition-checks", sent.clone()).await.assert_status(200).json()
    }

    /// Confirms what the report says.
    async fn confirm(&self, sent: &Value, report: &Value) -> Answer {
        let mut sent = sent.clone();
        sent["otisak"] = report["otisak"].clone();
        self.mila.post("/api/definition-imports", sent).await
    }

    /// Checks and confirms; gives the register's id and its forms'.
    async fn bring(&self, sent: &Value) -> (i64, Vec<i64>) {
        let report = self.check(sent).await;
        assert_eq!(report["greske"], json!([]));
        let stored = self.confirm(sent, &report).await.assert_status(201).json();
        let forms = stored["formulari"].as_array().unwrap().iter().map(|id| id.as_i64().unwrap()).collect();
        (stored["registarID"].as_i64().unwrap(), forms)
    }

    async fn register_file(&self, register: i64) -> String {
        self.mila.get(&format!("/api/registers/{register}/definition")).await.assert_status(200).text()
    }

    async fn form_file(&self, form: i64) -> String {
        self.mila.get(&format!("/api/forms/{form}/definition")).await.assert_status(200).text()
    }

    async fn number(&self, query: &'static str) -> i64 {
        sqlx::query_scalar(query).fetch_one(&self.app.db.owner).await.unwrap()
    }
}

/// A demo's definition with its pictures in it, as a file that is sent must have them.
fn whole(definition: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/demo/");
    definition
        .split('"')
        .map(|part| match part.ends_with(".png") {
            true => BASE64_STANDARD.encode(std::fs::read(format!("{folder}{part}")).expect("a picture of the demo")),
            false => part.to_owned(),
        })
        .collect::<Vec<_>>()
        .join("\"")
}

fn told(report: &Value, list: &str) -> Vec<String> {
    let notes = report[list].as_array().unwrap();
    notes.iter().map(|note| format!("{}: {}", note["mesto"].as_str().unwrap(), note["poruka"].as_str().unwrap())).collect()
}

#[tokio::test]
async fn a_register_goes_out_and_in_and_out_as_the_same_bytes() {
    for (name, definition) in [("kardiologija", CARDIOLOGY), ("reumatologija", RHEUMATOLOGY)] {
        let case = Case::new().await;
        let (register, _) = case.bring(&Case::sent("a.toml", whole(definition).as_bytes(), None)).await;
        let out = case.mila.get(&format!("/api/registers/{register}/definition")).await;
        assert_eq!(out.header("content-disposition"), Some(format!("attachment; filename=\"{name}.toml\"").as_str()));
        let first = out.text();
        let again = Case::sent("b.toml", first.as_bytes(), Some(register));
        let report = case.check(&again).await;
        assert_eq!((&report["izmene"], &report["ostaje"], &report["greske"]), (&json!([]), &json!([]), &json!([])), "{name}");
        let log = case.number("select count(*) from audit_log").await;
        case.bring(&again).await;
        assert_eq!(case.number("select count(*) from audit_log").await, log, "nothing was written");
        assert_eq!(case.register_file(register).await, first);
    }
}

#[tokio::test]
async fn a_register_of_the_screens_goes_out_and_in_too() {
    let case = Case::new().await;
    // It has no code, nor has its form; two fields without a code stand in it, one of them in the other.
    let register = case.app.register().await;
    case.app
        .lay_out(&[
            "insert into attribute_type (naziv, tip_vrednosti_atributa) values ('Panel', 8)",
            "insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, redosled)
             select f.tip_skupa_atributa_id, t.id, 'Okvir \"A\"' || chr(10) || 'dva', 35 from form_field f, attribute_type t where f.sifra = 'broj' and t.naziv = 'Panel'",
            "update form_field set nadredjeni_atribut_u_tipu_skupa_id = (select id from form_field where redosled = 35) where sifra in ('tekst', 'skup')",
        ])
        .await;
    let first = case.register_file(register.id).await;
    assert!(first.contains("nadredjeni = \"-1\""), "{first}");
    let again = Case::sent("b.toml", first.as_bytes(), Some(register.id));
    assert_eq!(case.check(&again).await["izmene"], json!([]));
    let copy = case.mila.post(&format!("/api/registers/{}/copies", register.id), json!({ "naziv": "Kopija", "sifra": "kopija" })).await;
    let copy = copy.assert_status(201).json()["id"].as_i64().unwrap();
    let plain = |text: String| {
        text.lines()
            .filter(|line| !line.starts_with("naziv = \"Kopija\"") && !line.starts_with("naziv = \"Probni"))
            .map(|line| line.replace(" (kopija)", ""))
            .skip(2)
            .collect::<Vec<_>>()
            .join("\n")
    };
    assert_eq!(plain(case.register_file(copy).await), plain(first));
    let taken = case.mila.post(&format!("/api/registers/{}/copies", register.id), json!({ "naziv": "Druga", "sifra": "kopija" })).await;
    taken.assert_error(409, Some("sifra"), "Registar sa tom šifrom već postoji.");
    let form = case.mila.post(&format!("/api/forms/{}/copies", register.form), json!({ "naziv": "Pregled 2", "sifra": "pregled2" })).await;
    let form = form.assert_status(201).json()["id"].as_i64().unwrap();
    assert!(case.form_file(form).await.contains("sifra = \"zbir\""));
    assert_eq!(case.number("select count(*) from attribute_type").await, 24, "each copy has types of its own");
}

#[tokio::test]
async fn the_report_says_what_changes_and_nothing_is_stored_before_it_is_confirmed() {
    let case = Case::new().await;
    let (register, forms) = case.bring(&Case::sent("a.toml", CARDIOLOGY.as_bytes(), None)).await;
    let before = case.register_file(register).await;
    let form = case.form_file(forms[0]).await;
    let changed = form
        .replace("naziv = \"Puls\"", "naziv = \"Puls u miru\"")
        .replace("{ naziv = \"Non-Q\", numVrednost = 0 }", "{ naziv = \"Non-Q\", numVrednost = 5 }")
        .replace("sifra = \"avBlok\"", "sifra = \"avBlokPotpun\"");
    let sent = Case::sent("obrazac.toml", changed.as_bytes(), Some(register));
    let report = case.check(&sent).await;
    let line = |change: &Value| {
        let properties = change["svojstva"].as_array().unwrap().iter();
        let properties: Vec<String> =
            properties.map(|one| format!("{} {}→{}", one["svojstvo"].as_str().unwrap(), one["od"], one["na"])).collect();
        format!("{} {} {}", change["vrsta"].as_str().unwrap(), change["naziv"].as_str().unwrap(), properties.join(" "))
    };
    let lines: Vec<String> = report["izmene"].as_array().unwrap().iter().map(line).collect();
    assert_eq!(
        lines,
        ["izmenjeno Puls u miru naziv \"Puls\"→\"Puls u miru\"", "novo Kompletan AV blok ", "izmenjeno Non-Q numVrednost \"0\"→\"5\"",],
        "a changed weight is the same item"
    );
    assert_eq!(report["ostaje"], json!(["polje „Kompletan AV blok” formulara „Hospitalizacija zbog infarkta”"]));
    assert_eq!(case.register_file(register).await, before, "nothing is stored");
    case.mila.post("/api/definition-imports", sent.clone()).await.assert_status(409);
    case.confirm(&sent, &report).await.assert_status(201);
    let after = case.register_file(register).await;
    assert!(after.contains("{ naziv = \"Non-Q\", numVrednost = 5 }") && after.contains("\"Puls u miru\""), "{after}");
    assert_eq!(case.number("select count(*) from enum_item where naziv = 'Non-Q' and aktivan").await, 1);
}

#[tokio::test]
async fn who_configures_while_the_report_is_open_is_not_overwritten() {
    let case = Case::new().await;
    let (register, _) = case.bring(&Case::sent("a.toml", CARDIOLOGY.as_bytes(), None)).await;
    let sent = Case::sent("b.toml", CARDIOLOGY.replace("\"Puls\"", "\"Puls u miru\"").as_bytes(), Some(register));
    let report = case.check(&sent).await;
    case.app.lay_out(&["update form_field set naziv = 'Drugi naziv' where sifra = 'bmi'"]).await;
    let refused = case.confirm(&sent, &report).await;
    assert!(refused.refusal(409)["message"].as_str().unwrap().contains("podešavanja registra, formulara ili stavki"), "{}", refused.text());
    assert_eq!(case.number("select count(*) from form_field where naziv = 'Puls u miru'").await, 0);
    let report = case.check(&sent).await;
    case.confirm(&sent, &report).await.assert_status(201);
}

#[tokio::test]
async fn results_that_become_others_are_confirmed_by_their_number() {
    let case = Case::new().await;
    let register = case.app.register().await;
    case.app.lay_out(&["update form_field set formula_za_racunanje = '$(broj) + 1' where sifra = 'zbir'"]).await;
    let patient = case.app.patient(&register, "Ana", "Anić", case.app.ustanova, 1).await;
    case.app.entry(&register, patient, case.app.ustanova, "2024-05-01", json!({ "broj": 5, "zbir": 6 })).await;
    let file = case.form_file(register.form).await.replace("$(broj) + 1", "$(broj) + 2");
    let sent = Case::sent("a.toml", file.as_bytes(), Some(register.id));
    let report = case.check(&sent).await;
    assert_eq!(report["uticaj"]["rezultata"], 1);
    let refused = case.confirm(&sent, &report).await;
    assert_eq!(refused.refusal(409)["uticaj"]["rezultata"], 1);
    assert_eq!(case.number("select count(*) from stale_result").await, 0);
    let mut confirmed = sent.clone();
    confirmed["potvrdjenoRezultata"] = json!(1);
    case.confirm(&confirmed, &report).await.assert_status(201);
    assert_eq!(case.number("select count(*) from stale_result").await, 1);
}

#[tokio::test]
async fn what_a_file_may_not_say_is_refused_with_its_place() {
    let case = Case::new().await;
    let faults = |text: String| {
        let case = &case;
        async move {
            let sent = Case::sent("a.toml", text.as_bytes(), None);
            let report = case.check(&sent).await;
            assert_eq!(report["izmene"], json!([]));
            case.confirm(&sent, &report).await.assert_status(422);
            told(&report, "greske")
        }
    };
    let broken = faults(CARDIOLOGY.replace("[[forms]]", "[[forms")).await;
    let line = CARDIOLOGY.lines().position(|line| line == "[[forms]]").unwrap() + 1;
    assert!(broken.len() == 1 && broken[0].starts_with(&format!("red {line}: TOML nije ispravan")), "{broken:?}");
    let unknown = faults(CARDIOLOGY.replace("tipAtributa = \"Srčana frekvencija\"", "tipAtributa = \"Nema\"")).await;
    assert_eq!(unknown, ["forms.hospitalizacija.puls: nema tipa atributa „Nema”"]);
    let html = BASE64_STANDARD.encode("<script>");
    let picture = faults(CARDIOLOGY.replace("naziv = \"Puls\"", &format!("naziv = \"Puls\", backgroundImage = \"{html}\""))).await;
    assert!(picture[0].ends_with("Dozvoljene su samo slike."), "{picture:?}");
    let named = faults(CARDIOLOGY.replace("naziv = \"Puls\"", "naziv = \"Puls\", backgroundImage = \"../../etc/x.png\"")).await;
    assert!(named[0].contains("slika „../../etc/x.png”"), "{named:?}");
    let zero = faults(CARDIOLOGY.replace("naziv = \"Puls\"", "naziv = \"Pu\\u0000ls\"")).await;
    assert!(zero[0].contains("U+0000"), "{zero:?}");
    let deep = faults(format!("register = {}1{}", "[".repeat(2000), "]".repeat(2000))).await;
    assert!(deep[0].starts_with("red 1: TOML nije ispravan"), "{deep:?}");
    assert_eq!(case.number("select count(*) from register").await, 0);
    case.mila.post("/api/definition-checks", Case::sent("a.exe", b"x", None)).await.assert_status(422);
    case.mila.post("/api/definition-checks", Case::sent("a.toml", &vec![b'#'; (16 << 20) + 1], None)).await.assert_status(413);
    case.bring(&Case::sent("a.toml", CARDIOLOGY.as_bytes(), None)).await;
    let twice = case.check(&Case::sent("a.toml", CARDIOLOGY.as_bytes(), None)).await;
    assert_eq!(twice["greske"].as_array().unwrap().len(), 2, "its code and its name are taken: {twice}");
}

#[tokio::test]
async fn a_type_that_other_forms_have_otherwise_gets_a_name_of_its_own() {
    let case = Case::new().await;
    let (first, _) = case.bring(&Case::sent("a.toml", CARDIOLOGY.as_bytes(), None)).await;
    let before = case.register_file(first).await;
    let other = CARDIOLOGY
        .replace("\"kardiologija\"", "\"druga\"")
        .replace("naziv = \"Kardiologija\"", "naziv = \"Druga\"")
        .replace("gornjaGranicaBrojneVrednosti = 300", "gornjaGranicaBrojneVrednosti = 250");
    let sent = Case::sent("b.toml", other.as_bytes(), None);
    let report = case.check(&sent).await;
    let warned = told(&report, "upozorenja");
    assert!(warned[0].contains("ovde dobija naziv „Srčana frekvencija (druga)”"), "{warned:?}");
    let (second, _) = case.bring(&sent).await;
    assert_eq!(case.register_file(first).await, before, "the other register is as it was");
    let again = Case::sent("b.toml", other.as_bytes(), Some(second));
    assert_eq!(case.check(&again).await["izmene"], json!([]), "the file is known again");
}

#[tokio::test]
async fn items_of_one_weight_are_two_and_codes_name_them() {
    let case = Case::new().await;
    let file = |items: &str| {
        format!(
            "[register]\nsifra = \"r\"\nnaziv = \"R\"\n[[attributeTypes]]\nnaziv = \"Skala\"\ntipVrednosti = \"skupovni\"\nstavke = [{items}]\n\
             [[forms]]\nsifraVeza = \"f\"\nnaziv = \"F\"\npolja = [{{ sifra = \"s\", naziv = \"S\", tipAtributa = \"Skala\" }}]\n"
        )
    };
    let first = file(
        "{ naziv = \"Levo\", numVrednost = 1 }, { naziv = \"Desno\", numVrednost = 1 }, { naziv = \"Oba\", numVrednost = 2, sifraVeza = \"o\" }",
    );
    let (register, _) = case.bring(&Case::sent("a.toml", first.as_bytes(), None)).await;
    let ids = "select string_agg(id::text, ',' order by id) from enum_item where aktivan";
    let before: String = sqlx::query_scalar(ids).fetch_one(&case.app.db.owner).await.unwrap();
    let second = file(
        "{ naziv = \"Desno\", numVrednost = 3 }, { naziv = \"Levo\", numVrednost = 1 }, { naziv = \"Obostrano\", numVrednost = 4, sifraVeza = \"o\" }",
    );
    case.bring(&Case::sent("a.toml", second.as_bytes(), Some(register))).await;
    let after: String = sqlx::query_scalar(ids).fetch_one(&case.app.db.owner).await.unwrap();
    assert_eq!(before, after, "no twin");
    let weights: Vec<String> =
        sqlx::query_scalar("select naziv || ' ' || trim_scale(num_vrednost) from enum_item where aktivan order by redosled")
            .fetch_all(&case.app.db.owner)
            .await
            .unwrap();
    assert_eq!(weights, ["Desno 3", "Levo 1", "Obostrano 4"]);
}

#[tokio::test]
async fn who_does_not_configure_registers_is_refused_each_call() {
    let case = Case::new().await;
    let register = case.app.register().await;
    let other = case.app.worker("petar", &[Right::ReportSetup], case.app.ustanova).await;
    let names = json!({ "naziv": "Kopija", "sifra": "kopija" });
    for (method, path, body) in [
        ("GET", format!("/api/registers/{}/definition", register.id), None),
        ("GET", format!("/api/forms/{}/definition", register.form), None),
        ("POST", format!("/api/registers/{}/copies", register.id), Some(names.clone())),
        ("POST", format!("/api/forms/{}/copies", register.form), Some(names)),
        ("POST", "/api/definition-checks".to_owned(), Some(Case::sent("a.toml", CARDIOLOGY.as_bytes(), None))),
        ("POST", "/api/definition-imports".to_owned(), Some(Case::sent("a.toml", CARDIOLOGY.as_bytes(), None))),
    ] {
        other.call(method, &path, body).await.assert_status(403);
    }
    assert_eq!(case.number("select count(*) from register").await, 1);
}
