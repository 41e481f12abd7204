//! Options of set parameters: the report role, the worker's scope, limits.

use serde_json::{Value, json};

use super::{Field, Report, SET, eventually};
use crate::support::{TestApp, Worker};

async fn options(app: &TestApp, worker: &Worker, obim: &str, upit: &str, filter: &str) -> crate::support::Answer {
    let report = Report::with(&app.db, obim, &[Field::new(SET, "izbor", "Izbor").query(upit)]).await;
    let id = report.parameter_id(&app.db, "izbor").await;
    worker.get(&format!("/api/report-parameters/{id}/options?filter={filter}")).await
}

fn labels(answer: &Value) -> Vec<&str> {
    answer["data"].as_array().unwrap().iter().map(|option| option["label"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn the_filter_ignores_case_and_diacritics_and_keeps_the_query_order() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let upit = "select * from (values (3, 'Đorđević Žika'), (1, 'Petrović Ana'), (2, 'Djordjevic Ana')) v (a, b);";
    let all = options(&app, &lekar, "sve", upit, "").await.json();
    assert_eq!(all["data"][0], json!({ "value": "3", "label": "Đorđević Žika" }));
    assert_eq!((all["total"].clone(), all["skraceno"].clone()), (json!(3), json!(false)));
    let some = options(&app, &lekar, "sve", upit, "DJORDJ").await.json();
    assert_eq!(labels(&some), ["Đorđević Žika", "Djordjevic Ana"]);
}

#[tokio::test]
async fn a_long_list_is_cut_and_says_so() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let exactly = options(&app, &lekar, "sve", "select n, 'Broj ' || n from generate_series(1, 1000) n", "").await.json();
    assert_eq!((exactly["total"].clone(), exactly["skraceno"].clone()), (json!(1000), json!(false)));
    let upit = "select n, 'Broj ' || n from generate_series(1, 5001) n";
    let more = options(&app, &lekar, "sve", upit, "").await.json();
    assert_eq!((more["total"].clone(), more["skraceno"].clone()), (json!(1000), json!(true)));
    let narrowed = options(&app, &lekar, "sve", upit, "broj%205001").await.json();
    assert_eq!((labels(&narrowed), narrowed["skraceno"].clone()), (vec!["Broj 5001"], json!(false)));
}

#[tokio::test]
async fn a_value_beyond_the_cut_is_still_accepted() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let upit = "select n, 'Broj ' || n from generate_series(1, 5001) n";
    let report = Report::with(&app.db, "sve", &[Field::new(SET, "izbor", "Izbor").query(upit)]).await;
    lekar.post("/api/report-queue", report.request(&lekar, json!({ "izbor": "5001" }))).await.assert_status(202);
}

#[tokio::test]
async fn options_show_only_patients_that_the_institution_knows() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let mut tx = domain::db::begin(&app.db.owner, 1).await.unwrap();
    let mut patients = Vec::new();
    for (ime, jmbg, ustanova) in [("Naš", "0101990710006", app.ustanova), ("Tuđi", "0101990710014", app.druga_ustanova)] {
        let id: i64 = sqlx::query_scalar(
            "insert into patient (ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, ustanova_id)
             values ($1, 'Pacijent', '1990-01-01', $2, '12345678901', true, '011/123456', $3) returning id",
        )
        .bind(ime)
        .bind(jmbg)
        .bind(ustanova)
        .fetch_one(&mut *tx)
        .await
        .unwrap();
        patients.push(id);
    }
    tx.commit().await.unwrap();
    let upit = "select id, ime from pacijent order by id";
    assert_eq!(labels(&options(&app, &lekar, "ustanova", upit, "").await.json()), ["Naš"]);
    // Over all institutions patients are no options; where groups may be of any size, there are ids, which mean nothing here.
    let ungrouped =
        "Parametar „Izbor” ne može da ponudi vrednosti: upit čita pacijente svih ustanova, a ne kaže koje pacijente drži koji red.";
    options(&app, &lekar, "sve", upit, "").await.assert_error(422, Some("izbor"), ungrouped);
    app.lay_out(&["update parameter set vrednost = '1' where naziv = 'najmanjaTudjaGrupa'"]).await;
    let all = options(&app, &lekar, "sve", upit, "").await.json();
    assert_eq!(all["total"], 2);
    for option in all["data"].as_array().unwrap() {
        assert!(option["label"] == option["value"] && !patients.iter().any(|id| option["value"] == json!(id.to_string())), "{option}");
    }

    let report = Report::with(&app.db, "ustanova", &[Field::new(SET, "pacijent", "Pacijent").query(upit).of_patients()]).await;
    let ask = |id: i64| lekar.post("/api/report-queue", report.request(&lekar, json!({ "pacijent": id.to_string() })));
    ask(patients[0]).await.assert_status(202);
    ask(patients[1]).await.assert_error(422, Some("pacijent"), "Parametar „Pacijent” sadrži vrednost koja nije ponuđena.");
    let named: Vec<Option<i64>> =
        sqlx::query_scalar("select pacijent_id from audit_log where klasa = 'report_run'").fetch_all(&app.db.owner).await.unwrap();
    assert_eq!(named, [Some(patients[0])], "the log tells whose card was asked for");
    let scopes: i64 = sqlx::query_scalar("select count(*) from report_scope").fetch_one(&app.db.owner).await.unwrap();
    assert_eq!(scopes, 0, "no scope outlives its query");
}

#[tokio::test]
async fn a_query_sorts_serbian_text_without_a_way_into_other_schemas() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let upit = "select naziv, naziv from (values ('Čačak'), ('Ada'), ('Cetinje'), ('Đakovica'), ('Doboj')) v (naziv) order by fold(naziv)";
    let answer = options(&app, &lekar, "sve", upit, "").await.json();
    assert_eq!(labels(&answer), ["Ada", "Čačak", "Cetinje", "Đakovica", "Doboj"]);
}

#[tokio::test]
async fn the_query_may_ask_who_asks() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let answer = options(&app, &lekar, "sve", "select :radnikID, :ustanovaID where :registarID::text is null", "").await.json();
    assert_eq!(answer["data"][0], json!({ "value": lekar.id.to_string(), "label": app.ustanova.to_string() }));
}

#[tokio::test]
async fn a_query_that_fails_or_reaches_too_far_is_told_at_the_parameter() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let message = "Parametar „Izbor” ne može da ponudi vrednosti: upit nije ispravan.";
    for upit in [
        "select nema from nicega",
        "select username, password_hash from public.worker",
        "select id, naziv from ustanova; drop table public.worker",
        "insert into ustanova values (1)",
        "select set_config('statement_timeout', '0', false), pg_read_file('/etc/passwd')",
        "selekt",
        "",
    ] {
        options(&app, &lekar, "sve", upit, "").await.assert_error(422, Some("izbor"), message);
    }
}

#[tokio::test]
async fn a_query_that_an_administrator_cancels_is_not_said_to_take_too_long() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let cancel = "select count(pg_cancel_backend(pid)) from pg_stat_activity
                   where datname = current_database() and usename = 'regix_report' and state = 'active' and query like 'fetch%'";
    let (answer, ()) = tokio::join!(
        options(&app, &lekar, "sve", "select 1, pg_sleep(60)::text", ""),
        eventually("the query is cancelled", async || {
            let cancelled: i64 = sqlx::query_scalar(cancel).fetch_one(&app.db.owner).await.unwrap();
            (cancelled == 1).then_some(())
        }),
    );
    let message = "Vrednosti za „Izbor” trenutno ne mogu da se ponude: upit je prekinut na serveru. Pokušajte ponovo za koji trenutak.";
    answer.assert_error(503, None, message);
}

#[tokio::test]
async fn a_query_that_takes_too_long_is_stopped() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let answer = options(&app, &lekar, "sve", "select 1, pg_sleep(60)::text", "").await;
    let message =
        "Vrednosti za „Izbor” trenutno ne mogu da se ponude: baza je zauzeta ili upit predugo traje. Pokušajte ponovo za koji trenutak.";
    answer.assert_error(503, None, message);
    let running: i64 = sqlx::query_scalar(
        "select count(*) from pg_stat_activity where datname = current_database() and usename = 'regix_report' and state = 'active'",
    )
    .fetch_one(&app.db.owner)
    .await
    .unwrap();
    assert_eq!(running, 0);
}

/// Over all institutions an option is of enough patients whom the one that asks does not know: its own do not make up for them.
#[tokio::test]
async fn patients_of_ones_own_hide_no_stranger_among_the_options() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let born = async |ustanova: i64, numbers: std::ops::Range<i64>| {
        let mut tx = domain::db::begin(&app.db.owner, 1).await.unwrap();
        for number in numbers {
            sqlx::query(
                "insert into patient (ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, ustanova_id)
                 values ('Ana', 'Anić', '1950-05-05', lpad($1::text, 13, '7'), lpad($1::text, 11, '1'), true, '011/123456', $2)",
            )
            .bind(number)
            .bind(ustanova)
            .execute(&mut *tx)
            .await
            .unwrap();
        }
        tx.commit().await.unwrap();
    };
    let upit = "select godina_rodjenja, godina_rodjenja::text, array_agg(id) as grupa_pacijenata from pacijent group by 1";
    born(app.ustanova, 0..10).await;
    for stranger in 10..14 {
        assert_eq!(labels(&options(&app, &lekar, "sve", upit, "").await.json()), [""; 0], "{stranger}");
        born(app.druga_ustanova, stranger..stranger + 1).await;
    }
    assert_eq!(labels(&options(&app, &lekar, "sve", upit, "").await.json()), [""; 0], "four strangers");
    born(app.druga_ustanova, 14..15).await;
    assert_eq!(labels(&options(&app, &lekar, "sve", upit, "").await.json()), ["1950"]);
}
