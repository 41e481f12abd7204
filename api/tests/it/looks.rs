//! The record of every look: which rows each way of looking leaves, and who reads them how.

use accounts::rights::Right;
use domain::process::{HeartbeatReport, Kind, Process};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    reports::{Field, Report, SET, succeed},
    support::{Person, TestApp, TestRegister, Worker},
};

/// What one row says beside the deed.
#[derive(Debug, PartialEq, sqlx::FromRow)]
struct Row {
    klasa: String,
    akcija: String,
    radnik_id: Option<i64>,
    ustanova_id: Option<i64>,
    adresa: Option<String>,
    pacijenti: Vec<i64>,
}

struct Case {
    app: TestApp,
    register: TestRegister,
    own: Person,
    foreign: Person,
    lekar: Worker,
}

impl Case {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let (own, foreign) = (app.person(&register, app.ustanova, 1).await, app.person(&register, app.druga_ustanova, 2).await);
        let lekar = app.worker("lekar", &[Right::Reports], app.ustanova).await;
        Process::new(Kind::ReportEngine, Uuid::now_v7()).heartbeat(&app.db.app, &HeartbeatReport::default()).await.unwrap();
        Self { app, register, own, foreign, lekar }
    }

    async fn officer(&self, ustanova: i64) -> Worker {
        let name = format!("poverenik{ustanova}");
        let officer = self.app.worker(&name, &[Right::Looks], ustanova).await;
        let closed = format!("update role set pacijenti = 'ne' where ime = 'Uloga radnika {name}'");
        let mut tx = domain::db::begin(&self.app.db.owner, 1).await.unwrap();
        sqlx::query(sqlx::AssertSqlSafe(closed)).execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
        officer
    }

    /// The newest row of the worker.
    async fn last(&self, worker: &Worker) -> Row {
        sqlx::query_as(
            "select klasa, akcija, radnik_id, ustanova_id, adresa,
                    array(select p from patients_of_log(l.vreme_pristupa, l.id, l.pacijent_id) p order by p) as pacijenti
               from audit_log l where radnik_id = $1 order by vreme_pristupa desc, id desc limit 1",
        )
        .bind(worker.id)
        .fetch_one(&self.app.db.owner)
        .await
        .unwrap()
    }

    /// Forgets that somebody has looked: the next look is the first.
    async fn later(&self) {
        sqlx::query("update audit_log set vreme_pristupa = vreme_pristupa - interval '11 minutes'")
            .execute(&self.app.db.owner)
            .await
            .unwrap();
    }

    fn row(&self, klasa: &str, akcija: &str, pacijenti: &[i64]) -> Row {
        Row {
            klasa: klasa.to_owned(),
            akcija: akcija.to_owned(),
            radnik_id: Some(self.lekar.id),
            ustanova_id: Some(self.app.ustanova),
            adresa: Some("127.0.0.1".to_owned()),
            pacijenti: pacijenti.to_vec(),
        }
    }

    async fn looks(&self, officer: &Worker, more: &str) -> Value {
        officer.get(&format!("/api/looks?datumOd=2020-01-01&{more}")).await.assert_status(200).json()
    }
}

fn ways(answer: &Value) -> Vec<&str> {
    answer["data"].as_array().unwrap().iter().map(|row| row["nacin"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn every_way_of_looking_leaves_a_row_with_worker_institution_address_and_patients() {
    let case = Case::new().await;
    let (lekar, id, entry, register) = (&case.lekar, case.own.id, case.own.entry, case.register.id);
    let patient = format!("/api/patients/{id}");
    for (path, klasa, akcija) in [
        (patient.clone(), "patient", "pregled"),
        (format!("{patient}/archive"), "patient", "pregled istorije"),
        (format!("{patient}/entries?registarID={register}"), "patient", "pregled"),
        (format!("{patient}/latest-entries?registarID={register}"), "patient", "pregled"),
        (format!("{patient}/chart?sifre=broj&registarID={register}"), "patient", "pregled"),
        (format!("{patient}/trend?registarID={register}"), "patient", "pregled"),
        (format!("{patient}/deleted-entries"), "patient", "pregled"),
        (format!("/api/entry-display?haID={entry}"), "entry", "pregled"),
        (format!("/api/entry-display?tsaID={}&pacijentID={id}", case.register.form), "patient", "pregled"),
        (format!("/api/entries/{entry}/view"), "entry", "pregled istorije"),
        (format!("/api/entries/{entry}/newer-form"), "patient", "pregled"),
        (format!("/api/entries/{entry}/archive?nizAutsID={}", case.register.field("broj")), "patient", "pregled"),
    ] {
        case.later().await;
        lekar.get(&path).await.assert_status(200);
        assert_eq!(case.last(lekar).await, case.row(klasa, akcija, &[id]), "{path}");
    }

    let found = lekar.post("/api/search", json!({ "registarID": register })).await.assert_status(200).json();
    assert_eq!(case.last(lekar).await, case.row("patient_search", "pretraga", &[id]), "who was kept back is not shown: {found}");
    let zapis = found["zapis"].clone();
    assert!(zapis.is_i64(), "{found}");
    lekar.post("/api/search-exports", json!({ "zapis": zapis, "oblik": "CSV" })).await.assert_status(204);
    assert_eq!(case.last(lekar).await, case.row("patient_search", "izvoz rezultata", &[id]));
    let all = lekar.post("/api/search", json!({ "registarID": register, "sviRezultati": true })).await.assert_status(200).json();
    assert_eq!(case.last(lekar).await, case.row("patient_search", "pretraga", &[id]));
    assert!(all["zapis"].is_i64(), "{all}");

    lekar.post("/api/patients/duplicates", case.own.record.clone()).await.assert_status(200);
    assert_eq!(case.last(lekar).await, case.row("patient", "pregled spiska sličnih", &[id]));
    lekar.post("/api/patients/duplicates", case.foreign.record.clone()).await.assert_status(200);
    assert_eq!(case.last(lekar).await, case.row("patient", "provera JMBG", &[case.foreign.id]));

    lekar.post("/api/entry-prints", json!({ "unosID": entry })).await.assert_status(202);
    assert_eq!(case.last(lekar).await, case.row("entry", "pregled za štampu", &[id]));

    // Refused: a patient whom the institution does not know, and what no role of the worker opens.
    lekar.get(&format!("/api/patients/{}", case.foreign.id)).await.assert_status(404);
    assert_eq!(case.last(lekar).await, case.row("access", "odbijanje", &[case.foreign.id]));
    lekar.get(&format!("/api/entry-display?haID={}", case.foreign.entry)).await.assert_status(404);
    assert_eq!(case.last(lekar).await, case.row("access", "odbijanje", &[case.foreign.id]));
    lekar.get("/api/log?datumOd=2020-01-01").await.assert_status(403);
    assert_eq!(case.last(lekar).await, case.row("access", "odbijanje", &[]));

    // A change has its institution and its address as well.
    lekar.patch(&patient, json!({ "zanimanje": "pekar" })).await.assert_status(200);
    let changed: (String, Option<i64>, Option<String>) = sqlx::query_as(
        "select akcija, ustanova_id, adresa from audit_log where klasa = 'patient' and akcija = 'izmena' order by id desc limit 1",
    )
    .fetch_one(&case.app.db.owner)
    .await
    .unwrap();
    assert_eq!(changed, ("izmena".to_owned(), Some(case.app.ustanova), Some("127.0.0.1".to_owned())));

    lekar.patch(&patient, json!({ "aktivan": false })).await.assert_status(200);
    lekar.get("/api/deleted-patients").await.assert_status(200);
    assert_eq!(case.last(lekar).await, case.row("patient", "pregled spiska obrisanih", &[id]));
}

#[tokio::test]
async fn the_address_is_that_of_the_client_behind_a_trusted_proxy() {
    let case = Case::new().await;
    let there = case.app.another_session(&case.lekar).await.at_address("203.0.113.7");
    there.get(&format!("/api/patients/{}", case.own.id)).await.assert_status(200);
    assert_eq!(case.last(&case.lekar).await.adresa.as_deref(), Some("203.0.113.7"));
}

#[tokio::test]
async fn what_cannot_be_recorded_is_not_shown() {
    let case = Case::new().await;
    sqlx::raw_sql(
        "create function no_room() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$;
         create trigger no_room before insert on audit_log for each row execute function no_room()",
    )
    .execute(&case.app.db.owner)
    .await
    .unwrap();
    let secrets = case.own.secrets();
    for answer in [
        case.lekar.get(&format!("/api/patients/{}", case.own.id)).await,
        case.lekar.post("/api/search", json!({ "registarID": case.register.id })).await,
        case.lekar.post("/api/search", json!({ "registarID": case.register.id, "sviRezultati": true })).await,
        case.lekar.get(&format!("/api/entry-display?haID={}", case.own.entry)).await,
        case.lekar.get(&format!("/api/patients/{}/entries?registarID={}", case.own.id, case.register.id)).await,
    ] {
        answer.assert_status(500).assert_silent_about("without a record", &secrets);
    }
}

#[tokio::test]
async fn a_search_is_recorded_with_what_it_was_asked_by_and_numbers_of_persons_are_masked() {
    let case = Case::new().await;
    let jmbg = case.own.record["jmbg"].as_str().unwrap();
    let body = json!({
        "registarID": case.register.id, "prezime": "Đu", "jmbg": jmbg,
        "redPretrage": [{ "tipUnosaID": case.register.form, "poljeID": case.register.fields["broj"], "operator": ">", "vrednost": "0" }],
    });
    case.lekar.post("/api/search", body).await.assert_status(200);
    let polja: Value =
        sqlx::query_scalar("select polja from audit_log where akcija = 'pretraga'").fetch_one(&case.app.db.owner).await.unwrap();
    let told = |naziv: &str| polja.as_array().unwrap().iter().find(|one| one["naziv"] == naziv).map(|one| one["nova"].clone());
    assert_eq!((told("Prezime"), told("JMBG"), told("broj")), (Some(json!("Đu")), Some(json!("•••")), Some(json!("> 0"))), "{polja}");
    assert_eq!(told("Rezultata"), Some(json!(1)), "{polja}");
}

#[tokio::test]
async fn an_export_is_of_the_workers_own_recent_search_only() {
    let case = Case::new().await;
    let found = case.lekar.post("/api/search", json!({ "registarID": case.register.id })).await.json();
    let export = json!({ "zapis": found["zapis"], "oblik": "XLSX" });
    let colleague = case.app.worker("kolega", &[], case.app.ustanova).await;
    colleague.post("/api/search-exports", export.clone()).await.assert_error(
        404,
        None,
        "Rezultati su zastareli. Pretražite ponovo, pa izvezite.",
    );
    case.lekar.post("/api/search-exports", json!({ "zapis": found["zapis"], "oblik": "EXE" })).await.assert_error(
        422,
        Some("oblik"),
        "Nepoznat oblik fajla.",
    );
    case.lekar.post("/api/search-exports", export).await.assert_status(204);
}

#[tokio::test]
async fn options_and_files_of_reports_tell_the_patients_whom_they_show() {
    let case = Case::new().await;
    let fields = [Field::new(SET, "pacijent", "Pacijent").query("select id, ime from pacijent order by id").of_patients().multi().logged()];
    let report = Report::with(&case.app.db, "ustanova", &fields).await;
    let parameter = report.parameter_id(&case.app.db, "pacijent").await;
    case.lekar.get(&format!("/api/report-parameters/{parameter}/options?filter=")).await.assert_status(200);
    assert_eq!(case.last(&case.lekar).await, case.row("report_parameter", "izbor vrednosti", &[case.own.id]));

    let second = case.app.person(&case.register, case.app.ustanova, 3).await;
    let ids = json!([case.own.id.to_string(), second.id.to_string()]);
    let asked =
        case.lekar.post("/api/report-queue", report.request(&case.lekar, json!({ "pacijent": ids }))).await.assert_status(202).json();
    assert_eq!(case.last(&case.lekar).await, case.row("report_run", "kreiranje", &[case.own.id, second.id]));

    // The engine tells whom the rows name; who fetches the file has seen them.
    let run: Uuid = asked["izvestajID"].as_str().unwrap().parse().unwrap();
    sqlx::query(
        "with row as (insert into audit_log (radnik_id, klasa, akcija, red_id) values ($1, 'report_run', 'izrada izveštaja', $2) returning vreme_pristupa, id)
         insert into audit_log_patient select vreme_pristupa, id, $3 from row",
    )
    .bind(case.lekar.id)
    .bind(run.to_string())
    .bind(second.id)
    .execute(&case.app.db.owner)
    .await
    .unwrap();
    succeed(&case.app, run, b"a\n").await;
    case.lekar.get(&format!("/api/report-runs/{run}/download?format=CSV")).await.assert_status(200);
    let row = case.last(&case.lekar).await;
    assert_eq!((row.akcija.as_str(), row.pacijenti.contains(&second.id)), ("preuzimanje", true), "{row:?}");
}

#[tokio::test]
async fn the_log_names_no_foreign_patient_of_several_and_is_asked_about_none() {
    let case = Case::new().await;
    let admin = case.app.worker("uprava", &Right::ALL, case.app.druga_ustanova).await;
    let found = case.lekar.post("/api/search", json!({ "registarID": case.register.id, "prezime": "Đu" })).await.assert_status(200).json();
    assert_eq!(found["unosi"][0]["pacijentID"], case.own.id, "{found}");
    let path = "/api/log?datumOd=2020-01-01&akcijeArray=pretraga";
    let answer = admin.get(path).await;
    answer.assert_status(200).assert_silent_about(path, &case.own.secrets());
    let row = &answer.json()["data"][0];
    assert_eq!(
        (&row["brojPacijenata"], &row["pacijenti"], &row["polja"], &row["blurPodataka"]),
        (&json!(1), &json!([]), &json!([]), &json!(true)),
        "{row}"
    );
    let by_patient = |id: i64| format!("/api/log?datumOd=2020-01-01&pacijentID={id}");
    admin.get(&by_patient(case.own.id)).await.assert_status(404);
    let own = case.app.worker("domaci", &Right::ALL, case.app.ustanova).await;
    let seen = own.get(&by_patient(case.own.id)).await.assert_status(200).json();
    let search = seen["data"].as_array().unwrap().iter().find(|row| row["akcija"] == "pretraga").expect("the search among her rows");
    assert_eq!(search["pacijenti"][0]["id"], case.own.id, "{search}");
    assert_eq!(search["adresa"], "127.0.0.1", "{search}");
    // That the log was read is in the log, with whom it showed.
    assert_eq!(case.last(&own).await.akcija, "pregled loga");
}

#[tokio::test]
async fn a_parameter_that_holds_several_patients_names_those_whom_the_reader_may_know() {
    let case = Case::new().await;
    sqlx::query(
        "insert into audit_log (radnik_id, klasa, akcija, polja, ustanova_id)
         select $1, 'report_run', 'proba', jsonb_build_array(jsonb_build_object('naziv', 'Pacijent', 'nova', jsonb_build_object('pacijenti', $2))), $3",
    )
    .bind(case.lekar.id)
    .bind(json!([case.own.id, case.foreign.id]))
    .bind(case.app.ustanova)
    .execute(&case.app.db.owner)
    .await
    .unwrap();
    let own = case.app.worker("domaci", &Right::ALL, case.app.ustanova).await;
    let path = "/api/log?datumOd=2020-01-01&akcijeArray=proba";
    let answer = own.get(path).await;
    answer.assert_status(200).assert_silent_about(path, &case.foreign.secrets());
    let name = format!("{} {}", case.own.record["prezime"].as_str().unwrap(), case.own.record["ime"].as_str().unwrap());
    assert_eq!(answer.json()["data"][0]["polja"][0]["nova"], format!("{name}, •••"));
    // Whose roles open no patient is told none.
    case.app.lay_out(&["update role set pacijenti = 'ne' where ime = 'Uloga radnika domaci'"]).await;
    assert_eq!(own.get(path).await.json()["data"][0]["polja"], json!([]));
}

#[tokio::test]
async fn the_log_names_its_records_and_goes_on_by_pages_without_an_end() {
    let case = Case::new().await;
    let admin = case.app.worker("uprava", &Right::ALL, case.app.ustanova).await;
    sqlx::query(
        "insert into audit_log (radnik_id, klasa, akcija, red_id, vreme_pristupa)
         select $1, 'worker', 'proba', $1::text, now() - interval '1 hour' - (n / 2) * interval '1 second' from generate_series(1, 250) n",
    )
    .bind(case.lekar.id)
    .execute(&case.app.db.owner)
    .await
    .unwrap();
    let mut pages = Vec::new();
    let mut next = String::new();
    loop {
        let answer = admin.get(&format!("/api/log?datumOd=2020-01-01&akcijeArray=proba&pre={next}")).await.assert_status(200).json();
        assert_eq!(answer["data"][0]["zapis"], "Test Lekar", "{}", answer["data"][0]);
        pages.push(answer["data"].as_array().unwrap().len());
        match answer["sledeci"].as_str() {
            Some(place) => next = place.replace('+', "%2B"),
            None => break,
        }
    }
    assert_eq!(pages, [100, 100, 50], "no row is left out where several are of one moment, and none comes twice");
    admin.get("/api/log?datumOd=2020-01-01&pre=juce").await.assert_error(422, Some("pre"), "Mesto nastavka spiska nije ispravno.");
}

#[tokio::test]
async fn the_log_is_narrowed_to_a_part_of_the_day_that_may_go_over_midnight() {
    let case = Case::new().await;
    let admin = case.app.worker("uprava", &Right::ALL, case.app.ustanova).await;
    sqlx::query(
        "insert into audit_log (klasa, akcija, opis, vreme_pristupa)
         select 'role', 'proba', h::text, (date '2026-03-05' + h * interval '1 hour' + interval '30 minutes') at time zone 'Europe/Belgrade'
           from generate_series(0, 23) h",
    )
    .execute(&case.app.db.owner)
    .await
    .unwrap();
    for (hours, expected) in [
        ("vremeOd=07:30&vremeDo=09:29", vec!["8", "7"]),
        ("vremeOd=22:00&vremeDo=01:30", vec!["23", "22", "1", "0"]),
        ("vremeOd=22:30", vec!["23", "22"]),
        ("vremeDo=00:59", vec!["0"]),
    ] {
        let path = format!("/api/log?datumOd=2026-03-05&datumDo=2026-03-05&akcijeArray=proba&{hours}");
        let answer = admin.get(&path).await.assert_status(200).json();
        let seen: Vec<&str> = answer["data"].as_array().unwrap().iter().map(|row| row["opis"].as_str().unwrap()).collect();
        assert_eq!(seen, expected, "{hours}");
    }
    admin.get("/api/log?datumOd=2026-03-05&vremeOd=25:00").await.assert_error(422, Some("vremeOd"), "Vreme od mora biti oblika 07:30.");
}

#[tokio::test]
async fn the_patients_page_tells_who_looked_in_whatever_way() {
    let case = Case::new().await;
    let path = format!("/api/patients/{}", case.own.id);
    case.lekar.post("/api/search", json!({ "registarID": case.register.id })).await.assert_status(200);
    case.lekar.get(&path).await.assert_status(200);
    case.lekar.post("/api/entry-prints", json!({ "unosID": case.own.entry })).await.assert_status(202);
    let stranger = case.app.worker("stranac", &[], case.app.druga_ustanova).await;
    stranger.get(&path).await.assert_status(404);
    let views = case.lekar.get(&format!("{path}/views")).await.assert_status(200).json();
    assert_eq!(ways(&views), ["odbijanje", "stampa", "otvaranje", "pretraga"], "{views}");
    assert_eq!((&views["total"], &views["data"][0]["ustanova"]), (&json!(4), &json!("Klinika B")), "{views}");
}

#[tokio::test]
async fn an_officer_finds_all_looks_at_a_patient_and_all_of_a_worker_and_nobody_else_does() {
    let case = Case::new().await;
    let officer = case.officer(case.app.ustanova).await;
    case.lekar.post("/api/search", json!({ "registarID": case.register.id })).await.assert_status(200);
    case.lekar.get(&format!("/api/patients/{}", case.own.id)).await.assert_status(200);
    case.lekar.post("/api/entry-prints", json!({ "unosID": case.own.entry })).await.assert_status(202);

    let picked = officer.get("/api/looks/patients?filter=%C4%90u").await;
    picked.assert_error(422, Some("filter"), "Unesite bar tri slova prezimena, ili ceo JMBG.");
    let filter = |person: &Person| person.record["jmbg"].as_str().unwrap().to_owned();
    let picked = officer.get(&format!("/api/looks/patients?filter={}", filter(&case.own))).await.assert_status(200).json();
    assert_eq!(picked["data"][0]["id"], case.own.id, "{picked}");
    let none = officer.get(&format!("/api/looks/patients?filter={}", filter(&case.foreign))).await.assert_status(200).json();
    assert_eq!(none["data"], json!([]));

    let at = case.looks(&officer, &format!("pacijentID={}", case.own.id)).await;
    assert_eq!(ways(&at), ["log", "stampa", "otvaranje", "pretraga"], "the officer's own choice as well: {at}");
    let of = case.looks(&officer, &format!("radnikID={}", case.lekar.id)).await;
    assert_eq!(ways(&of), ["stampa", "otvaranje", "pretraga"], "{of}");
    let row = &of["data"][2];
    assert_eq!((&row["adresa"], &row["ustanova"], &row["brojPacijenata"]), (&json!("127.0.0.1"), &json!("Klinika A"), &json!(1)), "{row}");
    assert_eq!(row["pacijenti"][0]["id"], case.own.id, "{row}");
    assert_eq!(ways(&case.looks(&officer, &format!("radnikID={}&nacin=stampa", case.lekar.id)).await), ["stampa"]);
    officer.get("/api/looks?datumOd=2020-01-01").await.assert_error(422, Some("pacijentID"), "Izaberite pacijenta ili radnika.");

    // The officer of another institution: neither the patient, nor what was done for this one.
    let other = case.officer(case.app.druga_ustanova).await;
    let path = format!("/api/looks?datumOd=2020-01-01&pacijentID={}", case.own.id);
    other.get(&path).await.assert_status(404);
    assert_eq!(ways(&case.looks(&other, &format!("radnikID={}", case.lekar.id)).await), [""; 0]);
    let without = case.app.worker("log", &[Right::Log], case.app.ustanova).await;
    for worker in [&case.lekar, &without] {
        for path in [path.as_str(), "/api/looks/workers", "/api/looks/unusual?datumOd=2026-01-01&datumDo=2026-01-02"] {
            worker.get(path).await.assert_status(403);
        }
    }
}

#[tokio::test]
async fn a_patient_whom_the_officers_institutions_do_not_know_is_counted_and_not_named() {
    let case = Case::new().await;
    case.lekar.get(&format!("/api/patients/{}", case.foreign.id)).await.assert_status(404);
    let officer = case.officer(case.app.ustanova).await;
    let path = format!("/api/looks?datumOd=2020-01-01&radnikID={}", case.lekar.id);
    let answer = officer.get(&path).await;
    answer.assert_status(200).assert_silent_about(&path, &case.foreign.secrets());
    let row = &answer.json()["data"][0];
    assert_eq!((&row["nacin"], &row["pacijenti"], &row["brojPacijenata"]), (&json!("odbijanje"), &json!([]), &json!(1)), "{row}");
}

#[tokio::test]
async fn a_day_is_unusual_by_three_times_the_usual_one_and_by_enough_patients() {
    let case = Case::new().await;
    let officer = case.officer(case.app.ustanova).await;
    let busy = case.app.worker("vredna", &[], case.app.ustanova).await;
    // Sixty on the fifth; the one has opened ten on the days before, the other thirty.
    for (worker, usual) in [(&case.lekar, 10), (&busy, 30)] {
        sqlx::query(
            "insert into audit_log (radnik_id, ustanova_id, klasa, akcija, pacijent_id, vreme_pristupa)
             select $1, $2, 'patient', 'pregled', n, timestamptz '2026-03-05 12:00+01' - d * interval '1 day'
               from generate_series(0, 4) d, generate_series(1, 60) n where d = 0 or n <= $3",
        )
        .bind(worker.id)
        .bind(case.app.ustanova)
        .bind(usual)
        .execute(&case.app.db.owner)
        .await
        .unwrap();
    }
    let path = "/api/looks/unusual?datumOd=2026-03-01&datumDo=2026-03-31";
    let found = officer.get(path).await.assert_status(200).json();
    assert_eq!(
        found["data"],
        json!([{ "radnikID": case.lekar.id, "radnik": "Test Lekar", "dan": "2026-03-05", "mera": "otvoreno", "broj": 60, "obicno": 10.0 }])
    );
    assert_eq!(case.officer(case.app.druga_ustanova).await.get(path).await.json()["data"], json!([]));
    officer.get("/api/looks/unusual?datumOd=2026-03-01&datumDo=2026-04-01").await.assert_error(
        422,
        Some("datumDo"),
        "Period može imati najviše 31 dan.",
    );
}
