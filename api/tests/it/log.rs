//! The log viewer and the statistics of data entry.

use accounts::rights::Right;
use serde_json::{Value, json};

use crate::{
    reports::{Field, Report, SET, TEXT},
    support::{TestApp, TestRegister, Worker},
};

async fn save(worker: &Worker, register: &TestRegister, patient: i64, more: Value) -> Value {
    let mut body = json!({
        "tsaID": register.form, "registarID": register.id, "pacijentID": patient, "datumUnosa": "2026-03-05",
        "radnikOdgovoran": worker.id, "osnova": {},
    });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    worker.post("/api/entry-values", body).await.assert_status(200).json()
}

fn rows(answer: &Value) -> Vec<(&str, &str)> {
    answer["data"].as_array().unwrap().iter().map(|row| (row["klasa"].as_str().unwrap(), row["akcija"].as_str().unwrap())).collect()
}

#[tokio::test]
async fn the_log_tells_who_changed_which_field_of_an_entry_and_names_the_items_of_sets() {
    let app = TestApp::new().await;
    let register = app.register().await;
    let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
    let (lekar, admin) = (app.lekar().await, app.admin().await);
    let set = json!([register.items["prva"], register.items["druga"]]);
    save(&lekar, &register, patient, json!({ "vrednosti": { register.field("broj"): 7, register.field("skup"): set } })).await;

    let path = format!("/api/log?datumOd=2020-01-01&klaseArray=entry&akcijeArray=kreiranje&radniciArray={}", lekar.id);
    let found = admin.get(&path).await.assert_status(200).json();
    assert_eq!(found["skraceno"], false);
    let row = &found["data"].as_array().unwrap()[..];
    assert_eq!(row.len(), 1, "{found}");
    assert_eq!((&row[0]["klasa"], &row[0]["akcija"], &row[0]["blurPodataka"]), (&json!("entry"), &json!("kreiranje"), &json!(false)));
    let field = |naziv: &str| row[0]["polja"].as_array().unwrap().iter().find(|field| field["naziv"] == naziv).cloned().unwrap();
    assert_eq!(field("broj"), json!({ "naziv": "broj", "stara": null, "nova": 7 }));
    assert_eq!(field("skup")["nova"], "prva, druga");
}

#[tokio::test]
async fn the_log_is_narrowed_by_days_classes_deeds_and_workers() {
    let app = TestApp::new().await;
    let register = app.register().await;
    app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
    let admin = app.admin().await;
    admin.post("/api/institutions", json!({ "naziv": "Nova ustanova" })).await.assert_status(201);

    let all = admin.get("/api/log?datumOd=2020-01-01").await.assert_status(200).json();
    assert!(rows(&all).iter().any(|(klasa, _)| *klasa == "patient"), "{all}");
    let own = admin.get(&format!("/api/log?datumOd=2020-01-01&klaseArray=institution,patient&radniciArray={}", admin.id)).await.json();
    assert_eq!(rows(&own), [("institution", "kreiranje")], "{own}");
    let past = admin.get("/api/log?datumOd=2020-01-01&datumDo=2020-12-31").await.json();
    assert_eq!(rows(&past), []);

    let data = admin.get("/api/log/search-data").await.assert_status(200).json();
    for (list, member) in [("klase", "institution"), ("klase", "patient"), ("akcije", "kreiranje")] {
        assert!(data[list].as_array().unwrap().contains(&json!(member)), "{list} lacks {member}: {data}");
    }
    assert!(data["radnici"].as_array().unwrap().iter().any(|worker| worker["value"] == admin.id));
}

#[tokio::test]
async fn a_search_of_the_log_names_the_day_that_is_missing_or_wrong() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    admin.get("/api/log").await.assert_error(422, Some("datumOd"), "Niste uneli datum od.");
    admin.get("/api/log?datumOd=31.02.2026.").await.assert_error(422, Some("datumOd"), "Datum od nije ispravan datum.");
    admin.get("/api/log?datumOd=2026-03-02&datumDo=2026-03-01").await.assert_error(
        422,
        Some("datumDo"),
        "Datum do ne sme biti pre datuma od.",
    );
    admin.get("/api/log/entry-statistics?datumOd=2026-03-01").await.assert_error(422, Some("registarID"), "Niste izabrali registar.");
}

#[tokio::test]
async fn the_log_keeps_back_patients_of_other_institutions_and_all_of_them_from_administration_alone() {
    let app = TestApp::new().await;
    let register = app.register().await;
    let person = app.person(&register, app.ustanova, 1).await;
    let stranger = app.worker("stranac", &Right::ALL, app.druga_ustanova).await;
    let own = app.worker("domaci", &Right::ALL, app.ustanova).await;
    let office = app.worker("uprava", &Right::ALL, app.ustanova).await;
    app.lay_out(&["update role set pacijenti = 'ne' where ime = 'Uloga radnika uprava'"]).await;

    let path = "/api/log?datumOd=2020-01-01&klaseArray=patient,entry";
    for outsider in [&stranger, &office] {
        let seen = outsider.get(path).await;
        seen.assert_status(200).assert_silent_about(path, &person.secrets());
        let seen = seen.json();
        assert!(
            !rows(&seen).is_empty()
                && seen["data"].as_array().unwrap().iter().all(|row| row["blurPodataka"] == true && row["polja"] == json!([])),
            "{seen}"
        );
    }
    let seen = own.get(path).await.json();
    assert!(seen["data"].as_array().unwrap().iter().any(|row| row["polja"].to_string().contains(&person.identity[0])), "{seen}");
}

#[tokio::test]
async fn statistics_count_what_each_worker_made_and_changed() {
    let app = TestApp::new().await;
    let register = app.register().await;
    let (ana, bora) =
        (app.patient(&register, "Ana", "Anić", app.ustanova, 1).await, app.patient(&register, "Bora", "Borić", app.ustanova, 2).await);
    let (lekar, admin) = (app.lekar().await, app.admin().await);
    let broj = |value: i64| json!({ "vrednosti": { register.field("broj"): value } });
    let first = save(&lekar, &register, ana, broj(1)).await;
    save(&lekar, &register, bora, broj(2)).await;
    let mut edit = broj(3);
    edit["unosID"] = first["snimljenUnosID"].clone();
    edit["verzija"] = first["verzija"].clone();
    edit["osnova"] = first["vrednosti"].clone();
    save(&admin, &register, ana, edit).await;
    let path = |more: &str| format!("/api/log/entry-statistics?registarID={}&datumOd=2020-01-01{more}", register.id);
    let found = admin.get(&path("")).await.assert_status(200).json();
    let mut counts: Vec<(i64, i64, i64)> = found["vrednost"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["ukupno"].as_i64().unwrap(), row["pacijenti"].as_i64().unwrap(), row["izmenjeno"].as_i64().unwrap()))
        .collect();
    counts.sort_unstable();
    assert_eq!(counts, [(0, 0, 1), (2, 2, 0)], "{found}");
    let first: i64 = found["vrednost"].as_array().unwrap().iter().map(|row| row["prvi"].as_i64().unwrap()).sum();
    assert_eq!(first, 2, "each patient has one first entry: {found}");
    let nobody = admin.get(&path("&ustanovaArray=999999")).await.json();
    assert_eq!(nobody["vrednost"], json!([]));
    let past = admin.get(&path("&datumDo=2020-12-31")).await.json();
    assert_eq!(past["vrednost"], json!([]));
    let one = admin.get(&path(&format!("&radniciArray={}", lekar.id))).await.json();
    assert_eq!(one["vrednost"].as_array().unwrap().len(), 1, "{one}");
}

#[tokio::test]
async fn the_workers_of_an_institution_are_its_members() {
    let app = TestApp::new().await;
    let (admin, other) = (app.admin().await, app.worker("drugi", &[], app.druga_ustanova).await);
    let members = admin.get(&format!("/api/log/workers?ustanovaArray={}", app.druga_ustanova)).await.assert_status(200).json();
    let ids: Vec<&Value> = members["data"].as_array().unwrap().iter().map(|one| &one["value"]).collect();
    assert_eq!(ids, [&json!(other.id)]);
}

/// What was typed into parameters of reports, their search, a schedule and the reason of an export, with a name and both numbers in it.
async fn type_everywhere(app: &TestApp, register: &TestRegister) -> Worker {
    const TYPED: &str = "Petrović Ana 0101990710006 LBO 98765432101";
    let typist = app.worker("pisac", &[Right::Reports, Right::DataExport], app.ustanova).await;
    app.lay_out(&["update parameter set vrednost = '1' where naziv = 'najmanjiIzvozBezIdentiteta'"]).await;
    let fields = [Field::new(TEXT, "ko", "Ko").logged(), Field::new(SET, "izbor", "Izbor").query("select 1, 'jedan'").optional()];
    let report = Report::with(&app.db, "ustanova", &fields).await;
    let request = report.request(&typist, json!({ "ko": TYPED }));
    typist.post("/api/report-queue", request).await.assert_status(202);
    let mut weekly = report.weekly(&typist);
    weekly["parametri"] = json!({ "ko": TYPED });
    typist.post("/api/report-queue", weekly).await.assert_status(202);
    let options = format!("/api/report-parameters/{}/options?filter=", report.parameter_id(&app.db, "izbor").await);
    typist.get(&(options + "Petrovi%C4%87%200101990710006%20LBO%2098765432101")).await.assert_status(200);
    let export = json!({
        "registarID": register.id, "tsaID": register.form, "red": "unos", "ustanove": [app.ustanova], "profil": "bez_identiteta", "razlog": TYPED,
    });
    typist.post("/api/data-exports", export).await.assert_status(202);
    typist
}

#[tokio::test]
async fn what_was_typed_in_another_institution_is_kept_back_and_numbers_from_everybody() {
    let app = TestApp::new().await;
    let register = app.register().await;
    app.person(&register, app.ustanova, 1).await;
    domain::process::Process::new(domain::process::Kind::ReportEngine, uuid::Uuid::now_v7())
        .heartbeat(&app.db.app, &domain::process::HeartbeatReport::default())
        .await
        .unwrap();
    let typist = type_everywhere(&app, &register).await;
    let (own, stranger) =
        (app.worker("domaci", &Right::ALL, app.ustanova).await, app.worker("stranac", &Right::ALL, app.druga_ustanova).await);
    for klasa in ["report_run", "report_schedule", "report_parameter", "data_export"] {
        let path = format!("/api/log?datumOd=2020-01-01&klaseArray={klasa}&radniciArray={}", typist.id);
        let seen = own.get(&path).await.assert_status(200).json();
        assert!(seen.to_string().contains("Petrović"), "{klasa}: {seen}");
        assert!(!seen.to_string().contains("98765432101") && !seen.to_string().contains("0101990710006"), "{klasa}: {seen}");
        let seen = stranger.get(&path).await.assert_status(200).json();
        assert!(!rows(&seen).is_empty() && !seen.to_string().contains("Petrović"), "{klasa}: {seen}");
        assert!(seen["data"].as_array().unwrap().iter().all(|row| row["blurPodataka"] == true && row["polja"] == json!([])), "{seen}");
    }
}

#[tokio::test]
async fn values_that_engines_of_earlier_versions_wrote_are_told_to_nobody() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    app.lay_out(&[
        "update parameter set vrednost = 'false' where naziv = 'blurPodatakaIzmedjuUstanova'",
        "insert into audit_log (radnik_id, klasa, akcija, polja) values (1, 'report_run', 'izvrsavanje', '[{\"naziv\": \"ko\", \"nova\": \"0101990710006\"}]')",
    ])
    .await;
    let seen = admin.get("/api/log?datumOd=2020-01-01&akcijeArray=izvrsavanje").await.assert_status(200).json();
    assert_eq!((rows(&seen).len(), &seen["data"][0]["polja"]), (1, &json!([])), "{seen}");
}

#[tokio::test]
async fn the_log_keeps_back_the_records_of_workers_out_of_reach() {
    let app = TestApp::new().await;
    let reader = app.worker("citalac", &[Right::Log], app.ustanova).await;
    app.worker("bliski", &[], app.ustanova).await;
    app.worker("daleki", &[], app.druga_ustanova).await;
    app.lay_out(&[
        "update worker set adresa = 'Daleka 1', telefon = '011/555', email = 'daleki@primer.rs' where username = 'daleki'",
        "update worker set adresa = 'Bliska 2' where username = 'bliski'",
        "update worker set aktivan = false where username = 'daleki'",
    ])
    .await;
    let path = "/api/log?datumOd=2020-01-01&klaseArray=worker";
    let seen = reader.get(path).await.assert_status(200).json();
    let text = seen.to_string();
    assert!(text.contains("Bliska 2"), "{text}");
    for secret in ["Daleka 1", "011/555", "daleki@primer.rs"] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
    let far = seen["data"].as_array().unwrap().iter().find(|row| row["zapis"] == "Test Daleki").expect("the deed is told");
    assert_eq!((&far["akcija"], &far["blurPodataka"]), (&json!("brisanje"), &json!(true)));
    let everywhere = app.admin().await;
    assert!(everywhere.get(path).await.json().to_string().contains("Daleka 1"));
}

#[tokio::test]
async fn who_opens_no_patient_is_told_none_where_hiding_is_off() {
    let app = TestApp::new().await;
    let register = app.register().await;
    let (first, second) = (app.person(&register, app.ustanova, 1).await, app.person(&register, app.ustanova, 2).await);
    app.lay_out(&["update parameter set vrednost = 'false' where naziv = 'blurPodatakaIzmedjuUstanova'"]).await;
    let lekar = app.lekar().await;
    let fields = [Field::new(SET, "pacijenti", "Pacijenti").query("select id, ime_prezime from pacijent").multi().logged().of_patients()];
    let report = Report::with(&app.db, "ustanova", &fields).await;
    let both = json!({ "pacijenti": [first.id.to_string(), second.id.to_string()] });
    lekar.post("/api/report-queue", report.request(&lekar, both)).await.assert_status(202);
    let office = app.worker("uprava", &[Right::Log], app.ustanova).await;
    app.lay_out(&["update role set pacijenti = 'ne' where ime = 'Uloga radnika uprava'"]).await;
    let path = "/api/log?datumOd=2020-01-01&klaseArray=report_run";
    let answer = office.get(path).await;
    answer.assert_status(200).assert_silent_about(path, &first.secrets()).assert_silent_about(path, &second.secrets());
}

#[tokio::test]
async fn the_log_names_who_was_given_a_role_and_who_lost_it_and_tells_moments_by_the_local_clock() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    app.lekar().await;
    app.lay_out(&[
        "insert into role (ime) values ('Uloga za log')",
        "insert into worker_role select w.id, r.id from worker w, role r where w.username = 'lekar' and r.ime = 'Uloga za log'",
        "delete from worker_role where uloga_id = (select id from role where ime = 'Uloga za log')",
        "insert into external_account (radnik_id, izdavalac, subjekat, povezan_at)
         select id, 'https://oidc.primer.rs', 'x', '2026-07-01 10:00+00' from worker where username = 'lekar'",
    ])
    .await;
    let seen = admin.get("/api/log?datumOd=2020-01-01&klaseArray=worker_role,external_account").await.assert_status(200).json();
    let found = |klasa: &str, akcija: &str, about: &str| {
        let all = seen["data"].as_array().unwrap().iter();
        let mut of_class = all.filter(|row| row["klasa"] == klasa && row["akcija"] == akcija);
        of_class.find(|row| row["zapis"] == about).cloned().unwrap_or_else(|| panic!("no {klasa} {akcija} {about}: {seen}"))
    };
    found("worker_role", "kreiranje", "Test Lekar – Uloga za log");
    let lost = found("worker_role", "brisanje", "Test Lekar – Uloga za log");
    let field = |row: &Value, naziv: &str| row["polja"].as_array().unwrap().iter().find(|field| field["naziv"] == naziv).cloned().unwrap();
    assert_eq!(field(&lost, "radnik_id"), json!({ "naziv": "radnik_id", "stara": "Test Lekar", "nova": null }));
    assert_eq!(field(&lost, "uloga_id")["stara"], "Uloga za log");
    let tied = found("external_account", "kreiranje", "Test Lekar – https://oidc.primer.rs");
    assert_eq!(field(&tied, "povezan_at")["nova"], "2026-07-01 12:00");
}

#[tokio::test]
async fn the_log_names_the_record_of_every_table_it_follows_and_of_every_one_that_a_field_names() {
    let app = TestApp::new().await;
    let tables: Vec<String> = sqlx::query_scalar(
        "with followed as (select tgrelid as id from pg_trigger where tgfoid = 'audit_change()'::regprocedure and not tgisinternal)
         select distinct t.id::regclass::text from (
                select id from followed
                union all select k.confrelid from pg_constraint k join followed f on f.id = k.conrelid where k.contype = 'f') t",
    )
    .fetch_all(&app.db.owner)
    .await
    .unwrap();
    assert!(tables.len() > 25, "{tables:?}");
    let named: String = sqlx::query_scalar("select pg_get_functiondef('record_name(text, text, jsonb)'::regprocedure)")
        .fetch_one(&app.db.owner)
        .await
        .unwrap();
    let nameless: Vec<_> = tables.iter().filter(|table| !named.contains(&format!("'{table}'"))).collect();
    assert!(nameless.is_empty(), "record_name does not know {nameless:?}");
}
