//! What a request's parameter values must be, and what the server makes of them.

use domain::{relative_day::RelativeDay, report_sql::ParameterKind, time};
use jiff::civil::Date;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{DATE, DYNAMIC, Field, HIDDEN, NUMBER, Report, SET, TEXT};
use crate::support::{TestApp, Worker};

const FRUIT: &str = "select * from (values ('1', 'Šljiva'), ('2', 'Kruška'), ('3', 'Đumbir')) v (a, b)";

async fn report(app: &TestApp) -> Report {
    Report::with(
        &app.db,
        "sve",
        &[
            Field::new(DATE, "od", "Od datuma"),
            Field::new(DATE, "do", "Do datuma").optional(),
            Field::new(TEXT, "ime", "Ime").optional(),
            Field::new(NUMBER, "granica", "Granica").optional(),
            Field::new(SET, "voce", "Voće").query(FRUIT).optional(),
            Field::new(SET, "korpa", "Korpa").query(FRUIT).multi().optional(),
            Field::new(HIDDEN, "kod", "Kod").default("K-17"),
            Field::new(DYNAMIC, "ko", "Ko").query("radnikID"),
            Field::new(DYNAMIC, "gde", "Gde").query("ustanovaID"),
            Field::new(DYNAMIC, "registar", "Registar").query("registarID").optional(),
        ],
    )
    .await
}

async fn stored(app: &TestApp, answer: &crate::support::Answer) -> (Value, Value) {
    answer.assert_status(202);
    let run: Uuid = answer.json()["izvestajID"].as_str().unwrap().parse().unwrap();
    sqlx::query_as("select parametri, parametri_opis from report_run where id = $1").bind(run).fetch_one(&app.db.owner).await.unwrap()
}

async fn send(report: &Report, worker: &Worker, parametri: Value) -> crate::support::Answer {
    worker.post("/api/report-queue", report.request(worker, parametri)).await
}

#[tokio::test]
async fn checked_values_are_stored_with_what_people_read() {
    let app = TestApp::new().await;
    let report = report(&app).await;
    let lekar = app.lekar().await;
    let sent = json!({
        "od": "2026-01-05", "do": " 2026-01-05 ", "ime": " Đorđe ", "granica": "12,50", "voce": "2", "korpa": ["3", "1", "3"],
        "kod": "podmetnuto", "ko": "1", "gde": "999",
    });
    let (parametri, opis) = stored(&app, &send(&report, &lekar, sent).await).await;
    let expected = json!({
        "od": "2026-01-05", "do": "2026-01-05", "ime": "Đorđe", "granica": "12.5", "voce": "2", "korpa": ["3", "1"],
        "kod": "K-17", "ko": lekar.id.to_string(), "gde": app.ustanova.to_string(), "registar": null,
    });
    assert_eq!(parametri, expected);
    let read = json!([
        { "naziv": "Od datuma", "vrednost": "05.01.2026." }, { "naziv": "Do datuma", "vrednost": "05.01.2026." },
        { "naziv": "Ime", "vrednost": "Đorđe" }, { "naziv": "Granica", "vrednost": "12,5" },
        { "naziv": "Voće", "vrednost": "Kruška" }, { "naziv": "Korpa", "vrednost": "Đumbir, Šljiva" },
    ]);
    assert_eq!(opis, read);
}

#[tokio::test]
async fn a_run_now_takes_the_dates_that_days_mean_today_and_says_what_was_asked_for() {
    let app = TestApp::new().await;
    let report = report(&app).await;
    let lekar = app.lekar().await;
    let days = lekar.get("/api/report-days").await.json();
    let meant = |dan: &str| days["dani"].as_array().unwrap().iter().find(|day| day["dan"] == dan).unwrap()["datum"].clone();
    let sent = json!({ "od": "pocetak-proslog-meseca", "do": "danas", "ime": "danas" });
    let (parametri, opis) = stored(&app, &send(&report, &lekar, sent).await).await;
    assert_eq!((&parametri["od"], &parametri["do"]), (&meant("pocetak-proslog-meseca"), &meant("danas")));
    assert_eq!(parametri["ime"], "danas", "a text is a text");
    let first: Date = meant("pocetak-proslog-meseca").as_str().unwrap().parse().unwrap();
    assert_eq!(opis[0]["vrednost"], format!("{} (početak prošlog meseca)", time::date_text(first)));
    send(&report, &lekar, json!({ "od": "danas", "do": "juce" })).await.assert_error(
        422,
        Some("do"),
        "Datum „do” ne sme biti pre datuma „od”.",
    );
    send(&report, &lekar, json!({ "od": "prekosutra" })).await.assert_error(422, Some("od"), "Parametar „Od datuma” nije ispravan datum.");
}

#[tokio::test]
async fn every_offered_period_runs_forward_on_any_day() {
    let app = TestApp::new().await;
    let days = app.lekar().await.get("/api/report-days").await.json();
    let day = |word: &Value| RelativeDay::named(word.as_str().unwrap()).unwrap();
    let mut today = jiff::civil::date(2027, 1, 1);
    while today.year() < 2029 {
        for period in days["periodi"].as_array().unwrap() {
            assert!(day(&period["od"]).on(today) <= day(&period["do"]).on(today), "{} on {today}", period["naziv"]);
        }
        today = today.tomorrow().unwrap();
    }
}

#[tokio::test]
async fn a_schedule_keeps_the_day_and_gives_it_back_to_the_form() {
    let app = TestApp::new().await;
    let report = report(&app).await;
    let lekar = app.lekar().await;
    let mut request = report.weekly(&lekar);
    request["parametri"] = json!({ "od": "pocetak-proslog-meseca", "do": "kraj-proslog-meseca" });
    let answer = lekar.post("/api/report-queue", request).await;
    answer.assert_status(202);
    let schedule = lekar.get(&format!("/api/report-schedules/{}", answer.json()["zakazivanjeID"])).await.json();
    assert_eq!(
        (&schedule["parametri"]["od"], &schedule["parametri"]["do"]),
        (&json!("pocetak-proslog-meseca"), &json!("kraj-proslog-meseca"))
    );
    let days = lekar.get("/api/report-days").await.json();
    let first = days["dani"].as_array().unwrap().iter().find(|day| day["dan"] == "pocetak-proslog-meseca").unwrap();
    let sada = time::date_text(first["datum"].as_str().unwrap().parse().unwrap());
    assert_eq!(
        schedule["parametriOpis"][0],
        json!({ "naziv": "Od datuma", "vrednost": "početak prošlog meseca", "dan": "pocetak-proslog-meseca", "sada": sada })
    );
    let kept: Value = sqlx::query_scalar("select parametri from report_schedule").fetch_one(&app.db.owner).await.unwrap();
    assert_eq!(kept["od"], json!({ "dan": "pocetak-proslog-meseca" }));
}

#[tokio::test]
async fn blank_values_are_no_values() {
    let app = TestApp::new().await;
    let report = report(&app).await;
    let lekar = app.lekar().await;
    let sent = json!({ "od": "2026-01-05", "do": "", "ime": null, "granica": "  ", "voce": [], "korpa": [""] });
    let (parametri, opis) = stored(&app, &send(&report, &lekar, sent).await).await;
    for name in ["do", "ime", "granica", "voce", "korpa"] {
        assert_eq!(parametri[name], Value::Null, "{name}");
    }
    assert_eq!(opis.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn each_wrong_value_is_refused_at_its_field() {
    let app = TestApp::new().await;
    let report = report(&app).await;
    let lekar = app.lekar().await;
    let long = "a".repeat(1001);
    let cases = [
        (json!({}), "od", "Parametar „Od datuma” je obavezan."),
        (json!({ "od": "  " }), "od", "Parametar „Od datuma” je obavezan."),
        (json!({ "od": "05.01.2026." }), "od", "Parametar „Od datuma” nije ispravan datum."),
        (json!({ "od": "2026-02-30" }), "od", "Parametar „Od datuma” nije ispravan datum."),
        (json!({ "od": "2026-1-5" }), "od", "Parametar „Od datuma” nije ispravan datum."),
        (json!({ "od": ["2026-01-05", "2026-01-06"] }), "od", "Parametar „Od datuma” prima samo jednu vrednost."),
        (json!({ "do": "2026-01-04" }), "do", "Datum „do” ne sme biti pre datuma „od”."),
        (json!({ "granica": "dvanaest" }), "granica", "Parametar „Granica” nije ispravan broj."),
        (json!({ "granica": "1.00,5" }), "granica", "Parametar „Granica” nije ispravan broj."),
        (
            json!({ "granica": "2.108" }),
            "granica",
            "„Granica”: „2.108” može da znači 2108 ili 2,108. Unesite broj bez tačke za hiljade, sa zarezom za decimale.",
        ),
        (json!({ "granica": "1e5" }), "granica", "Parametar „Granica” nije ispravan broj."),
        (json!({ "ime": "a\u{0}b" }), "ime", "Parametar „Ime” sadrži nedozvoljene znakove."),
        (json!({ "ime": long }), "ime", "Parametar „Ime” ima više od 1000 znakova."),
        (json!({ "voce": "4" }), "voce", "Parametar „Voće” sadrži vrednost koja nije ponuđena."),
        (json!({ "voce": "1' or '1'='1" }), "voce", "Parametar „Voće” sadrži vrednost koja nije ponuđena."),
        (json!({ "voce": ["1", "2"] }), "voce", "Parametar „Voće” prima samo jednu vrednost."),
        (json!({ "korpa": ["1", "9"] }), "korpa", "Parametar „Korpa” sadrži vrednost koja nije ponuđena."),
        (json!({ "nema": "1" }), "nema", "Nepoznat parametar „nema”."),
    ];
    for (change, field, message) in cases {
        let mut sent = json!({ "od": "2026-01-05" });
        if change != json!({}) {
            super::merge(&mut sent, change);
        } else {
            sent = change;
        }
        send(&report, &lekar, sent).await.assert_error(422, Some(field), message);
    }
    let runs: i64 = sqlx::query_scalar("select count(*) from report_run").fetch_one(&app.db.owner).await.unwrap();
    assert_eq!(runs, 0);
}

#[tokio::test]
async fn a_date_of_a_year_that_nobody_can_mean_is_refused_by_its_name() {
    let app = TestApp::new().await;
    let report = report(&app).await;
    let lekar = app.lekar().await;
    for day in ["0001-01-01", "0206-03-05", "1899-12-31", "2206-03-05"] {
        let told = "Parametar „Od datuma” nije između 1900. i 2030. godine.";
        send(&report, &lekar, json!({ "od": day })).await.assert_error(422, Some("od"), told);
    }
    for day in ["1900-01-01", "2030-12-31"] {
        send(&report, &lekar, json!({ "od": day })).await.assert_status(202);
    }
    let admin = app.admin().await;
    let looks = admin.get("/api/log?datumOd=0206-03-01").await;
    looks.assert_error(422, Some("datumOd"), "Datum od nije između 1900. i 2030. godine.");
}

#[tokio::test]
async fn a_number_sent_as_a_number_is_taken() {
    let app = TestApp::new().await;
    let report = report(&app).await;
    let lekar = app.lekar().await;
    let (parametri, _) = stored(&app, &send(&report, &lekar, json!({ "od": "2026-01-05", "granica": -3.25, "voce": 1 })).await).await;
    assert_eq!((parametri["granica"].clone(), parametri["voce"].clone()), (json!("-3.25"), json!("1")));
}

#[tokio::test]
async fn the_chosen_register_fills_the_dynamic_parameter_only_when_it_exists() {
    let app = TestApp::new().await;
    let report = report(&app).await;
    let lekar = app.lekar().await;
    let mut tx = domain::db::begin(&app.db.owner, 1).await.unwrap();
    let register: i64 =
        sqlx::query_scalar("insert into register (naziv) values ('Kardiologija') returning id").fetch_one(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    let mut request = report.request(&lekar, json!({ "od": "2026-01-05" }));
    request["registarID"] = json!(register);
    let (parametri, _) = stored(&app, &lekar.post("/api/report-queue", request.clone()).await).await;
    assert_eq!(parametri["registar"], json!(register.to_string()));
    request["registarID"] = json!(register + 1);
    lekar.post("/api/report-queue", request).await.assert_error(422, Some("registarID"), "Registar ne postoji.");
}

#[tokio::test]
async fn a_report_of_any_register_that_asks_for_one_is_not_run_without_it() {
    let app = TestApp::new().await;
    let register = app.register().await.id;
    let upit = "select id, naziv from tip_unosa where registar_id = :registarID::bigint";
    let report = Report::with(&app.db, "ustanova", &[Field::new(SET, "obrazac", "Obrazac").query(upit).optional()]).await;
    let plain = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let needs = async |id: i64| lekar.get(&format!("/api/reports/{id}/parameters")).await.json()["izvestaj"]["traziRegistar"].clone();
    assert_eq!((needs(report.id).await, needs(plain.id).await), (json!(true), json!(false)));
    let mut request = report.request(&lekar, json!({}));
    lekar.post("/api/report-queue", request.clone()).await.assert_error(422, Some("registarID"), "Izaberite registar: izveštaj ga traži.");
    request["registarID"] = json!(register);
    lekar.post("/api/report-queue", request).await.assert_status(202);
    let kept: Option<i64> = sqlx::query_scalar("select registar_id from report_run").fetch_one(&app.db.owner).await.unwrap();
    assert_eq!(kept, Some(register));
}

#[tokio::test]
async fn the_database_and_the_programs_number_the_kinds_of_parameters_alike() {
    let app = TestApp::new().await;
    let numbers: Vec<i16> =
        sqlx::query_scalar("select num_vrednost from report_parameter_kind order by 1").fetch_all(&app.db.owner).await.unwrap();
    assert_eq!(numbers, ParameterKind::ALL.map(ParameterKind::number));
}

#[tokio::test]
async fn days_are_told_by_the_clock_of_the_schedules_zone() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let today = async |zona: &str| {
        let days = lekar.get(&format!("/api/report-days?zona={zona}")).await.assert_status(200).json();
        days["dani"].as_array().unwrap().iter().find(|day| day["dan"] == "danas").unwrap()["datum"].as_str().unwrap().to_owned()
    };
    // Never the same day: they are 26 hours apart.
    let (east, west) = (today("Pacific/Kiritimati").await, today("Etc/GMT%2B12").await);
    assert!(east > west, "{east} {west}");
    lekar.get("/api/report-days?zona=Mars/Baza").await.assert_error(422, Some("zona"), "Nepoznata vremenska zona.");

    let report = report(&app).await;
    let mut request = report.weekly(&lekar);
    (request["parametri"], request["vremenskaZona"]) = (json!({ "od": "danas", "do": "danas" }), json!("Pacific/Kiritimati"));
    let made = lekar.post("/api/report-queue", request).await.assert_status(202).json();
    let card = lekar.get(&format!("/api/report-schedules/{}", made["zakazivanjeID"])).await.json();
    assert_eq!(card["parametriOpis"][0]["sada"], time::date_text(east.parse().unwrap()));
}
