//! Reports written in the product: checked, kept in versions, published and taken back, tried out by who writes them.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{DATE, Field, Report, TEXT, runs::broken};
use crate::support::{TestApp, Worker};
use accounts::rights::Right;

const TEMPLATE: &str = "{{#report}}\n{{col \"naziv\" head=\"Ustanova\"}}\n{{col \"broj\" foot=\"sum\"}}\n{{/report}}";
const QUERY: &str = "select naziv, 1 as broj\n  from ustanova\n where :od::date is not null";

async fn report(app: &TestApp) -> Report {
    Report::with(&app.db, "ustanova", &[Field::new(DATE, "od", "Od dana").default("2026-01-01")]).await
}

async fn save(worker: &Worker, report: &Report, upit: &str, sablon: &str, osnova: i32) -> Value {
    let body = json!({ "upit": upit, "sablon": sablon, "osnova": osnova });
    worker.post(&format!("/api/reports/{}/definitions", report.id), body).await.json()
}

async fn design(worker: &Worker, report: &Report) -> Value {
    worker.get(&format!("/api/reports/{}/definition", report.id)).await.json()
}

async fn check(worker: &Worker, report: &Report, upit: &str, sablon: &str) -> Value {
    worker.post(&format!("/api/reports/{}/definition-check", report.id), json!({ "upit": upit, "sablon": sablon })).await.json()
}

fn publish_path(report: &Report, broj: i32) -> String {
    format!("/api/reports/{}/definitions/{broj}/publish", report.id)
}

#[tokio::test]
async fn a_version_with_faults_is_kept_and_not_published() {
    let app = TestApp::new().await;
    let (admin, report) = (app.admin().await, report(&app).await);
    let empty = design(&admin, &report).await;
    assert_eq!((&empty["imaFajl"], &empty["objavljena"], &empty["poslednja"]), (&json!(false), &json!(0), &json!(0)));
    let saved = save(&admin, &report, "select naziv,\n  form ustanova", "{{#report}}{{col \"naziv\"}}", 0).await;
    assert_eq!(saved["broj"], 1);
    let faults = saved["provera"]["greske"].as_array().expect("faults");
    assert!(faults.iter().any(|fault| fault["gde"] == "upit"), "{faults:?}");
    assert!(faults.iter().any(|fault| fault["gde"] == "sablon"), "{faults:?}");
    let refused = admin.post(&publish_path(&report, 1), json!({ "objavljena": 0 })).await;
    refused.assert_status(422);
    assert!(refused.text().contains("Verzija 1 nije objavljena"), "{}", refused.text());
    assert_eq!(design(&admin, &report).await["objavljena"], 0);

    save(&admin, &report, QUERY, TEMPLATE, 1).await;
    admin.post(&publish_path(&report, 2), json!({ "objavljena": 0 })).await.assert_status(204);
    let now = design(&admin, &report).await;
    assert_eq!((&now["objavljena"], &now["poslednja"]), (&json!(2), &json!(2)));
    let kept = admin.get(&format!("/api/reports/{}/definitions/1", report.id)).await.json();
    assert_eq!(kept["upit"], "select naziv,\n  form ustanova", "nothing that was typed is lost");
    // Versions are written by the application and changed by nobody.
    let changed = sqlx::query("update report_definition set upit = 'select 1'").execute(&app.db.app).await;
    assert!(changed.is_err());
    let written: Vec<String> =
        sqlx::query_scalar("select klasa || ' ' || akcija from audit_log where klasa in ('report_definition', 'report') order by id")
            .fetch_all(&app.db.owner)
            .await
            .unwrap();
    assert!(
        written.ends_with(&["report_definition kreiranje", "report_definition kreiranje", "report izmena"].map(str::to_owned)),
        "{written:?}"
    );
}

#[tokio::test]
async fn each_fault_is_told_in_its_words_and_at_its_place() {
    let app = TestApp::new().await;
    let (admin, report) = (app.admin().await, report(&app).await);
    let first = async |upit: &str, sablon: &str| check(&admin, &report, upit, sablon).await["greske"][0].clone();

    let unknown = first("select naziv, 1 as broj\n  from ustanova\n where :od::date is null and nema = 1", TEMPLATE).await;
    assert_eq!((&unknown["red"], &unknown["kolona"]), (&json!(3), &json!(30)), "{unknown}");
    assert_eq!(unknown["poruka"], "kolona „nema” ne postoji [column \"nema\" does not exist]");

    let bind = first("select naziv, 1 as broj from ustanova\n where id = :pacijent::bigint and :od::date is null", TEMPLATE).await;
    assert_eq!((&bind["gde"], &bind["red"], &bind["kolona"]), (&json!("upit"), &json!(2), &json!(13)));
    assert_eq!(bind["poruka"], "Izveštaj nema parametar sa nazivom u zahtevu „pacijent”.");

    let missing = first("select naziv from ustanova where :od::date is null", TEMPLATE).await;
    assert_eq!((&missing["gde"], &missing["red"], &missing["kolona"]), (&json!("sablon"), &json!(3), &json!(8)));
    assert_eq!(missing["poruka"], "Šablon traži kolonu „broj”, koju upit ne vraća.");
    assert_eq!(missing["savet"], "Upit vraća: naziv.");

    let text = first("select naziv, 'x' as broj from ustanova where :od::date is null", TEMPLATE).await;
    assert_eq!(text["poruka"], "Šablon sabira kolonu „broj”, koja nije broj.");

    let kind =
        first("select naziv, '1'::bytea as broj from ustanova where :od::date is null", "{{#report}}{{col \"broj\"}}{{/report}}").await;
    assert_eq!(kind["poruka"], "Kolona „broj” je tipa bytea, koji izveštaj ne ume da prikaže.");
    assert!(kind["savet"].as_str().unwrap().contains("numeric"));

    let closed = first("select 1 as broj, naziv from ustanova where :od::date is null", "{{#report}}\n{{#if a}}\n{{/report}}").await;
    assert_eq!((&closed["gde"], &closed["red"]), (&json!("sablon"), &json!(3)), "{closed}");

    let two = first("select 1;\nselect 2", TEMPLATE).await;
    assert_eq!(two["poruka"], "Upit nije ispravan: dozvoljena je samo jedna naredba (red 2).");

    let table = first("select jmbg as naziv, 1 as broj from public.patient where :od::date is null", TEMPLATE).await;
    assert!(table["poruka"].as_str().unwrap().contains("permission denied"), "the report role's walls stand: {table}");

    let unused = check(&admin, &report, "select naziv, 1 as broj, id::numeric as x from ustanova", TEMPLATE).await;
    assert_eq!(unused["greske"], json!([]));
    assert_eq!(unused["upozorenja"][0]["poruka"], "Upit ne koristi parametar „Od dana” (:od).");
    assert_eq!(unused["kolone"][2], json!({ "naziv": "x", "tip": "numeric" }));
}

#[tokio::test]
async fn a_chart_over_months_that_are_texts_is_advised_of_a_day() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let report = Report::with(&app.db, "ustanova", &[]).await;
    let sablon = r#"{{#report}}{{col "mesec"}}{{col "n"}}{{chart "bar" x="mesec" y="n" title="Po mesecima"}}{{/report}}"#;
    let by = |month: &str| format!("select {month} as mesec, count(*) as n from unos u group by 1 order by 1");
    for month in ["to_char(u.datum_unosa, 'YYYY-MM')", "to_char(date_trunc('month', u.datum_unosa), 'TMMonth YYYY.')"] {
        let found = check(&admin, &report, &by(month), sablon).await;
        assert_eq!(found["greske"], json!([]), "{found}");
        let [odd] = &found["upozorenja"].as_array().unwrap()[..] else { panic!("{found}") };
        assert!(odd["poruka"].as_str().unwrap().starts_with("Grafikon „Po mesecima” stoji nad kolonom „mesec”"), "{odd}");
        assert!(odd["savet"].as_str().unwrap().contains("date_trunc('month', dan)::date"), "{odd}");
    }
    for month in ["date_trunc('month', u.datum_unosa)::date", "to_char(u.datum_unosa, 'YYYY')"] {
        assert_eq!(check(&admin, &report, &by(month), sablon).await["upozorenja"], json!([]), "{month}");
    }
    let without = sablon.replace(r#"{{chart "bar" x="mesec" y="n" title="Po mesecima"}}"#, "");
    assert_eq!(
        check(&admin, &report, &by("to_char(u.datum_unosa, 'YYYY-MM')"), &without).await["upozorenja"],
        json!([]),
        "no picture, no advice"
    );
}

#[tokio::test]
async fn a_picture_that_the_server_lacks_is_told_before_it_is_published() {
    let app = TestApp::new().await;
    let (admin, report) = (app.admin().await, report(&app).await);
    let sablon = TEMPLATE.replace("{{#report}}", "{{#report picture=\"nema-je\" pictureAlt=\"Znak\"}}");
    let faults = check(&admin, &report, QUERY, &sablon).await["greske"].clone();
    let told = "Slike „nema-je” nema u folderu „pictures” šablona na serveru, ili se ne može pročitati.";
    assert_eq!(faults.as_array().map(Vec::len), Some(1), "{faults}");
    assert_eq!((&faults[0]["gde"], &faults[0]["red"], &faults[0]["poruka"]), (&json!("sablon"), &json!(1), &json!(told)));
    let unworded = check(&admin, &report, QUERY, &sablon.replace(" pictureAlt=\"Znak\"", "")).await["greske"].to_string();
    assert!(unworded.contains("pictureAlt"), "{unworded}");
}

#[tokio::test]
async fn two_designers_do_not_write_over_each_other() {
    let app = TestApp::new().await;
    let (admin, report) = (app.admin().await, report(&app).await);
    let other = app.worker("dizajner", &[Right::ReportSetup], app.ustanova).await;
    save(&admin, &report, QUERY, TEMPLATE, 0).await;
    let path = format!("/api/reports/{}/definitions", report.id);
    let late = other.post(&path, json!({ "upit": "select 2", "sablon": TEMPLATE, "osnova": 0 })).await;
    late.assert_status(409);
    assert!(late.text().contains("verzija 1 (snimio: Admin Test)"), "{}", late.text());
    assert_eq!(save(&other, &report, QUERY, TEMPLATE, 0).await["broj"], 1, "the same texts are the same version");
    assert_eq!(save(&other, &report, &format!("{QUERY} and true"), TEMPLATE, 1).await["broj"], 2);

    admin.post(&publish_path(&report, 1), json!({ "objavljena": 0 })).await.assert_status(204);
    let late = other.post(&publish_path(&report, 2), json!({ "objavljena": 0 })).await;
    late.assert_status(409);
    assert!(late.text().contains("objavljena verzija 1"), "{}", late.text());
    other.post(&publish_path(&report, 2), json!({ "objavljena": 1 })).await.assert_status(204);
    admin.post(&publish_path(&report, 1), json!({ "objavljena": 2 })).await.assert_status(204);
    assert_eq!(design(&admin, &report).await["objavljena"], 1, "taken back");
    other.post(&publish_path(&report, 9), json!({ "objavljena": 1 })).await.assert_status(404);
    other.post(&publish_path(&report, 0), json!({ "objavljena": 1 })).await.assert_status(404);
}

#[tokio::test]
async fn the_files_of_the_repository_are_version_0_and_can_be_taken_back() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let report = Report::with(&app.db, "ustanova", &[Field::new(TEXT, "registar", "Registar").optional()]).await;
    let mut tx = domain::db::begin(&app.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
    sqlx::query("update report set jasper_fajl = 'lista-pacijenata' where id = $1").bind(report.id).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(design(&admin, &report).await["imaFajl"], true);
    let file = admin.get(&format!("/api/reports/{}/definitions/0", report.id)).await.json();
    assert!(file["upit"].as_str().unwrap().contains("report.pacijent"), "{file}");
    save(&admin, &report, "select naziv, 1 as broj from ustanova", TEMPLATE, 0).await;
    admin.post(&publish_path(&report, 1), json!({ "objavljena": 0 })).await.assert_status(204);
    admin.post(&publish_path(&report, 0), json!({ "objavljena": 1 })).await.assert_status(204);
    assert_eq!(design(&admin, &report).await["objavljena"], 0);
}

#[tokio::test]
async fn a_trial_is_its_designers_alone_and_stands_in_no_list() {
    let app = TestApp::new().await;
    let (admin, report) = (app.admin().await, report(&app).await);
    let other = app.worker("dizajner", &[Right::ReportSetup], app.ustanova).await;
    let lekar = app.lekar().await;
    save(&admin, &report, QUERY, TEMPLATE, 0).await;
    let path = format!("/api/reports/{}/definitions/1/trial", report.id);
    admin.post(&path, json!({ "parametri": {} })).await.assert_error(422, Some("od"), "Parametar „Od dana” je obavezan.");
    let asked = admin.post(&path, json!({ "parametri": { "od": "2026-01-01" } })).await;
    asked.assert_status(202);
    let run: Uuid = asked.json()["izvestajID"].as_str().unwrap().parse().unwrap();
    let state = admin.get(&format!("/api/report-trials/{run}")).await.json();
    assert_eq!((&state["status"], &state["broj"]), (&json!("queued"), &json!(1)));
    assert_eq!(admin.get("/api/report-runs").await.json()["total"], 0);
    let today = app.state.today();
    let calendar = admin.get(&format!("/api/report-calendar?od={today}&do={today}")).await.json();
    assert_eq!(calendar["dogadjaji"], json!([]));
    other.get(&format!("/api/report-trials/{run}")).await.assert_status(404);
    other.get(&format!("/api/report-runs/{run}")).await.assert_status(404);
    lekar.get(&format!("/api/report-trials/{run}")).await.assert_status(403);
    lekar.post(&path, json!({ "parametri": { "od": "2026-01-01" } })).await.assert_status(403);

    // The server's words are for its designer.
    broken(&app, run).await;
    let fault = admin.get(&format!("/api/report-trials/{run}")).await.json()["greska"].clone();
    assert_eq!((&fault["poruka"], &fault["red"]), (&json!("column nema does not exist"), &json!(2)));
    let told = admin.get(&format!("/api/report-runs/{run}")).await.json()["greska"]["upit"].clone();
    assert_eq!(told["poruka"], "column nema does not exist");
    other.get(&format!("/api/report-runs/{run}")).await.assert_status(404);
    admin.post(&format!("/api/report-runs/{run}/again"), json!({ "posalji": false })).await.assert_status(404);
}

#[tokio::test]
async fn who_does_not_configure_reports_reads_and_writes_none_of_it() {
    let app = TestApp::new().await;
    let (lekar, report) = (app.lekar().await, report(&app).await);
    let of = |rest: &str| format!("/api/reports/{}/{rest}", report.id);
    lekar.get(&of("definition")).await.assert_status(403);
    lekar.get(&of("definitions/1")).await.assert_status(403);
    lekar.post(&of("definitions"), json!({ "upit": "select 1", "sablon": "", "osnova": 0 })).await.assert_status(403);
    lekar.post(&of("definition-check"), json!({ "upit": "select", "sablon": "" })).await.assert_status(403);
    lekar.post(&of("definitions/1/publish"), json!({ "objavljena": 0 })).await.assert_status(403);
}

#[tokio::test]
async fn the_guide_describes_every_column_and_its_reports_to_begin_from_pass_the_check() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let guide = admin.get("/api/report-guide").await.json();
    let views = guide["pogledi"].as_array().expect("views");
    assert!(views.iter().any(|view| view["naziv"] == "vrednost"));
    for view in views {
        assert_ne!(view["opis"], "", "{view}");
        for column in view["kolone"].as_array().expect("columns") {
            assert_ne!(column["opis"], "", "{} {column}", view["naziv"]);
        }
    }
    assert_eq!(views[0]["naziv"], "pacijent", "whoever is sought first stands first");
    let words = guide["naredbe"].to_string();
    for word in ["{{cross", "{{#section", "{{note", "emphasis", "pictureAlt", "stacked", "pie", "{{space}}", "{{#*inline"] {
        assert!(words.contains(word), "{word}: {words}");
    }
    assert!(guide["funkcije"].to_string().contains("tekst_broja"), "{}", guide["funkcije"]);
    assert!(guide["tipovi"].to_string().contains("numeric"));
    let starts = guide["pocetni"].as_array().expect("reports to begin from");
    assert_eq!(starts.len(), 4);
    for obim in ["ustanova", "sve"] {
        let report = Report::with(&app.db, obim, &[]).await;
        for start in starts {
            let found = check(&admin, &report, start["upit"].as_str().unwrap(), start["sablon"].as_str().unwrap()).await;
            // Over all institutions a list of patients and a patient's record are none.
            let of_rows = ["Lista", "Karton"].iter().any(|word| start["naziv"].as_str().unwrap().starts_with(word));
            let faults = usize::from(obim == "sve" && of_rows);
            assert_eq!(found["greske"].as_array().unwrap().len(), faults, "{}: {found}", start["naziv"]);
            assert_eq!(found["upozorenja"], json!([]), "{}", start["naziv"]);
        }
    }
    app.lekar().await.get("/api/report-guide").await.assert_status(403);
}

#[tokio::test]
async fn what_the_repository_ships_passes_the_check_of_the_designer() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    for name in [
        "aktivnost-bolesti-po-mesecima",
        "indikatori-infarkt",
        "indikatori-reumatoidni-artritis",
        "infarkt-statistika",
        "ishod-po-polu-i-dobi",
        "karton-pacijenta",
        "kvalitet-podataka",
        "lista-pacijenata",
        "nalazi-pravila",
        "popunjenost-unosa",
        "posete-po-ustanovama",
        "propustene-posete",
        "reumatoidni-artritis-statistika",
        "termini-pacijenta",
        "upiti-po-mesecima",
    ] {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../templates/reports");
        let read = |extension: &str| std::fs::read_to_string(format!("{folder}/{name}.{extension}")).unwrap();
        let sql = read("sql");
        let asked = domain::report_sql::Statement::scan(&sql).unwrap();
        let own = asked.names().iter().filter(|name| !["registarID", "radnikID", "ustanovaID"].contains(&name.as_str()));
        let field = |name: &String| {
            let field = Field::new(TEXT, name.clone().leak(), name.clone().leak()).optional();
            if sql.contains(&format!("any (:{name}::")) { field.multi() } else { field }
        };
        let report = Report::with(&app.db, "ustanova", &own.map(field).collect::<Vec<_>>()).await;
        let found = check(&admin, &report, &sql, &read("hbs")).await;
        assert_eq!(found["greske"], json!([]), "{name}");
    }
}
