//! SQL of first values and of parameters' options is planned before it is kept, on every way in: whoever wrote it is told where it is wrong
//! in PostgreSQL's own words.

use std::process::Command;

use accounts::rights::Right;
use base64::{Engine, prelude::BASE64_STANDARD};
use configuration::admin::queries::{Author, FirstValues};
use domain::report_sql::ReportDb;
use interchange::import::{definition, today};
use serde_json::{Value, json};

use crate::{
    import_register::DEFINITION,
    support::{Answer, TestApp, TestRegister, Worker},
};

const RIGHT: &str = "select extract(year from age(:datumUnosa, datum_rodjenja))::int from pacijent\n where id = :pacijentID and :radnikID > 0 \
                     and :ustanovaID > 0 and :registarID > 0";
const NEITHER: [(&str, &str); 6] = [
    ("selekt 1", "Upit nije ispravan: upit nije ispravno napisan kod „selekt” [syntax error at or near \"selekt\"] (red 1, kolona 1)."),
    ("select nema from pacijent", "Upit nije ispravan: kolona „nema” ne postoji [column \"nema\" does not exist] (red 1, kolona 8)."),
    (
        "select id\n  from nema_toga",
        "Upit nije ispravan: pogled „nema_toga” ne postoji [relation \"nema_toga\" does not exist] (red 2, kolona 8). Pogledi su nabrojani u Pomoći: \
     pacijenti su u pogledu report.pacijent, unosi u report.unos, a vrednosti u report.vrednost.",
    ),
    (
        "select 1 where 'a' = 1 + :radnikID || ",
        "Upit nije ispravan: upit se završava pre kraja izraza [syntax error at end of input] (red 1, kolona 38).",
    ),
    ("select array[1] as niz", "Upit nije ispravan: kolona „niz” je tipa int4[], koji se ne čita. Pretvorite je u tekst (::text)."),
    (
        "delete from pacijent",
        "Upit nije ispravan: upit nije ispravno napisan kod „delete” [syntax error at or near \"delete\"] (red 1, kolona 1).",
    ),
];
/// As no first value may be; PostgreSQL finds nothing wrong with the second.
const NO_FIRST_VALUE: [(&str, &str); 2] = [
    (
        "select 1\n where :pacijentID > 0 and :nepoznato > 0",
        "Upit nije ispravan: ne postoji „:nepoznato” (red 2, kolona 28). Postoje :datumUnosa, :pacijentID, :radnikID, :registarID, :ustanovaID.",
    ),
    ("select id, ime from pacijent", "Upit nije ispravan: početna vrednost je jedna kolona, a upit vraća 2: „id”, „ime”."),
];

fn of_first_value() -> impl Iterator<Item = (&'static str, &'static str)> {
    NEITHER.into_iter().chain(NO_FIRST_VALUE)
}

struct Case {
    app: TestApp,
    register: TestRegister,
    mila: Worker,
}

impl Case {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let mila = app.worker("mila", &[Right::Registers], app.ustanova).await;
        Self { app, register, mila }
    }

    fn field(&self) -> String {
        format!("/api/form-fields/{}", self.register.field("broj"))
    }

    fn draft(&self, more: &str) -> String {
        format!("/api/forms/{}/draft{more}", self.register.form)
    }

    /// The draft's document with this query of its number.
    fn asking(draft: &Value, upit: &str) -> Value {
        let mut document = draft["dokument"].clone();
        let field = document["polja"].as_array_mut().unwrap().iter_mut().find(|field| field["sifra"] == "broj").expect("a number");
        field["upitInicijalnaVrednost"] = json!(upit);
        document
    }

    async fn import(&self, path: &str, text: &str) -> Answer {
        let sent = json!({ "imeFajla": "a.toml", "sadrzaj": BASE64_STANDARD.encode(text) });
        self.mila.post(path, sent).await
    }
}

/// A register whose pulse is asked so, as a file.
fn file(upit: &str) -> String {
    let named = "sifra = \"puls\", naziv = \"Puls\",";
    DEFINITION.replace(named, &format!("{named} upitInicijalnaVrednost = {},", toml_text(upit)))
}

fn toml_text(text: &str) -> String {
    json!(text).to_string()
}

#[tokio::test]
async fn a_field_is_not_saved_with_a_query_that_cannot_be_planned() {
    let case = Case::new().await;
    let stored = case.mila.get(&case.field()).await.json();
    for (upit, message) in of_first_value() {
        let refused = case.mila.patch(&case.field(), json!({ "upitInicijalnaVrednost": upit })).await;
        refused.assert_error(422, Some("upitInicijalnaVrednost"), message);
        let mut new = json!({ "naziv": "Novo", "redosled": 99, "upitInicijalnaVrednost": upit });
        new["tipAtributaID"] = stored["tipAtributaID"].clone();
        new["tipSkupaAtributaID"] = stored["tipSkupaAtributaID"].clone();
        case.mila.post("/api/form-fields", new).await.assert_error(422, Some("upitInicijalnaVrednost"), message);
    }
    let saved = case.mila.patch(&case.field(), json!({ "upitInicijalnaVrednost": RIGHT })).await.assert_status(200).json();
    assert_eq!(saved["upitInicijalnaVrednost"], RIGHT);
    case.app.lay_out(&["update form_field set upit_inicijalna_vrednost = 'selekt 1' where sifra = 'broj'"]).await;
    case.mila.patch(&case.field(), json!({ "naziv": "Drugačije" })).await.assert_status(200);
    let whole = case.mila.get(&case.field()).await.json();
    case.mila.patch(&case.field(), whole).await.assert_error(422, Some("upitInicijalnaVrednost"), NEITHER[0].1);
}

#[tokio::test]
async fn a_draft_tells_it_at_its_field_and_is_not_published_with_it() {
    let case = Case::new().await;
    let mut draft = case.mila.post(&case.draft(""), json!({})).await.assert_status(201).json();
    for (upit, message) in of_first_value() {
        let sent = json!({ "verzija": draft["verzija"], "dokument": Case::asking(&draft, upit) });
        let saved = case.mila.put(&case.draft(""), sent).await.assert_status(200).json();
        let told = json!([{ "gde": "polje", "id": case.register.fields["broj"], "naziv": "broj", "svojstvo": "upitInicijalnaVrednost",
                            "mesto": null, "poruka": message }]);
        assert_eq!(saved["greske"], told);
        draft["verzija"] = saved["verzija"].clone();
        assert_eq!(case.mila.get(&case.draft("")).await.json()["nacrt"]["greske"], told, "whoever opens it is told too");
        let refused = case.mila.post(&case.draft("/publish"), json!({ "verzija": draft["verzija"] })).await.refusal(422);
        assert_eq!(refused, json!({ "field": "broj.upitInicijalnaVrednost", "message": format!("broj: {message}"), "greskeNacrta": told }));
    }
    let sent = json!({ "verzija": draft["verzija"], "dokument": Case::asking(&draft, RIGHT) });
    let saved = case.mila.put(&case.draft(""), sent).await.assert_status(200).json();
    assert_eq!(saved["greske"], json!([]));
    case.mila.post(&case.draft("/publish"), json!({ "verzija": saved["verzija"] })).await.assert_status(200);
}

#[tokio::test]
async fn a_query_that_stands_live_keeps_nobody_from_publishing_something_else() {
    let case = Case::new().await;
    case.app.lay_out(&["update form_field set upit_inicijalna_vrednost = 'selekt 1' where sifra = 'broj'"]).await;
    let draft = case.mila.post(&case.draft(""), json!({})).await.assert_status(201).json();
    assert_eq!(draft["greske"], json!([]));
    let mut document = draft["dokument"].clone();
    document["naziv"] = json!("Kontrola");
    let sent = json!({ "verzija": draft["verzija"], "dokument": document });
    let saved = case.mila.put(&case.draft(""), sent).await.assert_status(200).json();
    case.mila.post(&case.draft("/publish"), json!({ "verzija": saved["verzija"] })).await.assert_status(200);
}

#[tokio::test]
async fn a_file_with_it_is_refused_with_its_place() {
    let case = Case::new().await;
    for (upit, message) in of_first_value() {
        let report = case.import("/api/definition-checks", &file(upit)).await.assert_status(200).json();
        assert_eq!(report["greske"], json!([{ "mesto": "forms.pregled.puls", "poruka": message, "izvorno": null }]));
    }
    let report = case.import("/api/definition-checks", &file(RIGHT)).await.assert_status(200).json();
    assert_eq!(report["greske"], json!([]));
}

#[tokio::test]
async fn the_command_line_refuses_it_too_where_it_knows_the_role_that_asks() {
    let case = Case::new().await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("registar.toml");
    let run = |upit: &str, report_url: &str| {
        std::fs::write(&path, file(upit)).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_api"));
        command.args(["import", "register", "--dry-run"]).arg(&path).env("OWNER_DATABASE_URL", &case.app.db.owner_url);
        let output = command.env("REPORT_DATABASE_URL", report_url).output().unwrap();
        (output.status.success(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    };
    let (ok, output) = run(NEITHER[1].0, &case.app.db.report_url);
    assert!(!ok && output.contains(&format!("forms.pregled.puls: {}", NEITHER[1].1)) && output.contains("ništa nije upisano"), "{output}");
    let (ok, output) = run(RIGHT, &case.app.db.report_url);
    assert!(ok && !output.contains("upozorenje"), "{output}");
    let (ok, output) = run(NEITHER[1].0, "");
    assert!(ok && output.contains("upiti početnih vrednosti nisu provereni"), "{output}");
}

#[tokio::test]
async fn a_type_of_parameters_is_not_saved_with_a_query_that_cannot_be_planned() {
    let case = Case::new().await;
    let admin = case.app.admin().await;
    let sent = |upit: &str| json!({ "naziv": "Ustanova", "tipRecnika": 4, "upit": upit });
    let good = "select id::text as vrednost, naziv from ustanova where id = :ustanovaID::bigint or :radnikID > '0' or :registarID is null";
    let id = admin.post("/api/report-parameter-types", sent(good)).await.assert_status(201).json()["id"].clone();
    let path = format!("/api/report-parameter-types/{id}");
    let wrong = [
        (
            "select id from ustanova where id = :pacijentID",
            "Upit nije ispravan: ne postoji „:pacijentID” (red 1, kolona 36). Postoje :radnikID, :registarID, :ustanovaID.",
        ),
        (
            "select id from ustanova where id = :ustanovaID",
            "Upit nije ispravan: vrednosti tipa bigint i text ne mogu da se spoje operatorom „=” [operator does not exist: bigint = text] \
             (red 1, kolona 34). Pretvorite jednu vrednost u tip druge, na primer ::text ili ::bigint.",
        ),
        (
            "select id, naziv, sifra from ustanova",
            "Upit nije ispravan: prva kolona je vrednost, a druga naziv, a upit vraća 3: „id”, „naziv”, „sifra”.",
        ),
    ];
    for (upit, message) in NEITHER.into_iter().chain(wrong) {
        admin.post("/api/report-parameter-types", sent(upit)).await.assert_error(422, Some("upit"), message);
        admin.patch(&path, json!({ "upit": upit })).await.assert_error(422, Some("upit"), message);
    }
    assert_eq!(admin.get(&path).await.json()["upit"], good);
    // One of another kind asks nothing.
    admin.patch(&path, json!({ "tipRecnika": 1, "upit": "selekt 1" })).await.assert_status(200);
    admin.patch(&path, json!({ "tipRecnika": 4 })).await.assert_error(422, Some("upit"), NEITHER[0].1);
}

#[tokio::test]
async fn the_server_is_asked_with_no_connection_in_hand() {
    let case = Case::new().await;
    let (_, caller) = case.app.with_one_connection();
    let mila = caller.with_token(case.mila.token.clone());
    mila.patch(&case.field(), json!({ "upitInicijalnaVrednost": RIGHT })).await.assert_status(200);
    let draft = mila.post(&case.draft(""), json!({})).await.assert_status(201).json();
    let sent = json!({ "verzija": draft["verzija"], "dokument": Case::asking(&draft, "select 7") });
    let saved = mila.put(&case.draft(""), sent).await.assert_status(200).json();
    assert_eq!(mila.get(&case.draft("")).await.assert_status(200).json()["nacrt"]["greske"], json!([]));
    mila.post(&case.draft("/publish"), json!({ "verzija": saved["verzija"] })).await.assert_status(200);
    let sent = json!({ "imeFajla": "a.toml", "sadrzaj": BASE64_STANDARD.encode(file(RIGHT)) });
    mila.post("/api/definition-checks", sent).await.assert_status(200);
}

#[tokio::test]
async fn the_queries_of_the_demo_are_right() {
    let case = Case::new().await;
    let db = ReportDb::new(case.app.db.app.clone(), &case.app.db.report_url, 1).unwrap();
    let author = Author { radnik_id: case.mila.id, ustanova_id: Some(case.app.ustanova), today: today() };
    let mut asked = 0;
    for text in [include_str!("../../demo/kardiologija.toml"), include_str!("../../demo/reumatologija.toml")] {
        let definition = definition::parse(text, |_| Ok(vec![])).unwrap();
        let looked = FirstValues::look(&db, &author, definition.queries()).await.unwrap();
        for upit in definition.queries() {
            assert_eq!(looked.fault(Some(upit)), None, "{upit}");
            asked += 1;
        }
    }
    assert!(asked > 0);
    let admin = case.app.admin().await;
    let setup: toml::Table = include_str!("../../demo/demo.toml").parse().unwrap();
    for known in setup["tipoviParametara"].as_array().unwrap() {
        let mut sent = json!({ "naziv": known["naziv"].as_str(), "tipRecnika": known["vrsta"].as_integer() });
        for (name, value) in [("upit", known.get("upit")), ("link", known.get("link"))] {
            sent[name] = json!(value.and_then(|value| value.as_str()));
        }
        admin.post("/api/report-parameter-types", sent).await.assert_status(201);
    }
}
