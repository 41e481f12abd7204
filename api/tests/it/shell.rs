//! What the shell of the web application reads: parameters, registers, sponsors, rights, warning, versions, health.

use serde_json::{Value, json};

use crate::support::{TestApp, keys};

#[tokio::test]
async fn the_sign_in_screen_knows_the_application_before_anyone_signs_in() {
    let app = TestApp::new().await;
    let application = app.anonymous().get("/api/application").await.json();
    assert_eq!(
        application,
        json!({
            "nazivAplikacije": "Regix", "autoPrijava": false, "demo": false, "verzija": env!("CARGO_PKG_VERSION"), "zakljucavanjeMinuta": 15,
            "spoljnaPrijava": null
        })
    );

    let admin = app.admin().await;
    admin.post("/api/parameters", json!({ "naziv": "nazivAplikacije", "vrednost": "Registar KCS" })).await.assert_status(201);
    admin.post("/api/parameters", json!({ "naziv": "autoPrijava", "vrednost": "true" })).await.assert_status(201);
    let application = app.anonymous().get("/api/application").await.json();
    assert_eq!((&application["nazivAplikacije"], &application["autoPrijava"]), (&json!("Registar KCS"), &json!(true)));
}

#[tokio::test]
async fn search_and_patient_parameters_are_flags_with_the_specifications_names() {
    let app = TestApp::new().await;
    let sestra = app.sestra().await;
    assert_eq!(
        sestra.get("/api/parameter/registri").await.json(),
        json!({
            "kriterijumIme": true, "kriterijumPrezime": true, "kriterijumJMBG": true, "kriterijumLBO": true, "kriterijumGodinaOd": true,
            "kriterijumGodinaDo": true, "kriterijumPol": true, "odabirDatumaPregledaPreUnosa": true, "brojRezultataUPretrazi": 200,
            "putanjaLogoaRegistara": ""
        })
    );
    assert_eq!(
        sestra.get("/api/parameter/pacijent").await.json(),
        json!({
            "prikazPacijentImeRoditelja": true, "prikazPacijentPrikazJednogPola": false, "prikazPacijentRadnoMesto": false,
            "prikazPacijentStrucnaSprema": false, "prikazPacijentZanimanje": true, "prikazPacijentAdministrativnaNapomena": false,
            "prikazPacijentMedicinskaNapomena": true
        })
    );
    assert_eq!(sestra.get("/api/parameter/izvestaji").await.json(), json!({ "ipAdresa": "https://regix.test" }));
    assert_eq!(
        sestra.get("/api/parameters/by-name/brojRezultataUPretrazi").await.json(),
        json!({ "naziv": "brojRezultataUPretrazi", "vrednost": "200" })
    );
    sestra.get("/api/parameters/by-name/nepoznat").await.assert_error(404, None, "Traženi podatak ne postoji.");
}

#[tokio::test]
async fn what_holds_of_parameters_is_told_whatever_is_saved_with_what_they_may_be() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let told = async || {
        let known = admin.get("/api/parameter/poznati").await.json();
        ["danaCuvanjaIzvestaja", "nazivAplikacije", "kriterijumPol"].map(|naziv| {
            let of = known.as_array().unwrap().iter().find(|one| one["naziv"] == naziv).unwrap();
            (of["vazi"].as_str().unwrap().to_owned(), of["dozvoljeno"].as_str().map(str::to_owned))
        })
    };
    let days = |days: &str| (days.to_owned(), Some("ceo broj od 1 do 9.999".to_owned()));
    let plain = |text: &str| (text.to_owned(), None);
    app.lay_out(&["update parameter set vrednost = '60' where naziv = 'danaCuvanjaIzvestaja'"]).await;
    assert_eq!(told().await, [days("60"), plain("Regix"), plain("true")]);
    // As an older version took it.
    app.lay_out(&[
        "update parameter set vrednost = 'trideset' where naziv = 'danaCuvanjaIzvestaja'",
        "update parameter set vrednost = 'ne' where naziv = 'kriterijumPol'",
    ])
    .await;
    assert_eq!(told().await, [days("30"), plain("Regix"), plain("true")]);
    app.lay_out(&["delete from parameter"]).await;
    assert_eq!(told().await, [days("30"), plain("Regix"), plain("true")]);
    assert_eq!(app.anonymous().get("/api/application").await.json()["nazivAplikacije"], "Regix");
    assert_eq!(admin.get("/api/parameter/registri").await.json()["kriterijumPol"], true);
}

#[tokio::test]
async fn a_value_that_nothing_would_read_is_not_saved() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    for (naziv, vrednost, message) in [
        ("danaCuvanjaIzvestaja", "trideset", "Unesite ceo broj od 1 do 9.999."),
        ("danaCuvanjaIzvestaja", "0", "Unesite ceo broj od 1 do 9.999."),
        ("danaCuvanjaIzvoza", "91", "Unesite ceo broj od 1 do 90."),
        ("zakazivanjeNajviseNeuspeha", "pet", "Unesite ceo broj od 1 do 9.999, ili 0 da se zakazani izveštaj nikada ne pauzira."),
        ("kriterijumPol", "da", "Unesite true ili false."),
    ] {
        let refused = admin.post("/api/parameters", json!({ "naziv": naziv, "vrednost": vrednost })).await;
        refused.assert_error(422, Some("vrednost"), message);
    }
}

#[tokio::test]
async fn a_switched_parameter_is_read_at_the_next_call() {
    let app = TestApp::new().await;
    let (admin, sestra) = (app.admin().await, app.sestra().await);
    admin.post("/api/parameters", json!({ "naziv": "kriterijumLBO", "vrednost": "false" })).await.assert_status(201);
    assert_eq!(sestra.get("/api/parameter/registri").await.json()["kriterijumLBO"], false);
}

#[tokio::test]
async fn the_warning_is_empty_until_someone_warns() {
    let app = TestApp::new().await;
    let sestra = app.sestra().await;
    assert_eq!(sestra.get("/api/warning").await.json(), json!({ "message": "" }));
    let mut tx = domain::db::begin(&app.db.owner, domain::db::SYSTEM_WORKER).await.expect("a transaction");
    sqlx::query("update warning set message = 'Sutra bez sistema'").execute(&mut *tx).await.expect("the warning");
    tx.commit().await.expect("committed");
    assert_eq!(sestra.get("/api/warning").await.json(), json!({ "message": "Sutra bez sistema" }));
}

#[tokio::test]
async fn application_rights_are_those_of_the_specification_and_that_of_data_exports() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let numbers = |answer: Value| -> Vec<i64> {
        answer["data"].as_array().expect("a list").iter().map(|right| right["numerickaVrednost"].as_i64().expect("a number")).collect()
    };
    let all = lekar.get("/api/application-rights").await.json();
    assert_eq!(keys(&all["data"][0]), ["id", "naziv", "numerickaVrednost"]);
    assert_eq!(numbers(all), [1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 24, 25, 26, 27, 28, 29, 30, 31]);
    assert_eq!(numbers(lekar.get(&format!("/api/application-rights?radnik={}", lekar.id)).await.json()), [1]);
}

#[tokio::test]
async fn versions_of_both_parts_come_newest_first_and_need_their_right() {
    let app = TestApp::new().await;
    let (admin, lekar) = (app.admin().await, app.lekar().await);
    let releases = admin.get("/api/releases").await.json();
    for part in ["frontend", "backend"] {
        let marks: Vec<&str> = releases[part].as_array().expect("versions").iter().map(|v| v["oznaka"].as_str().expect("a mark")).collect();
        assert_eq!(marks, ["2.2.0", "2.1.0", "2.0.0"], "{part}");
    }
    let current = &releases["frontend"][0];
    assert_eq!(keys(current), ["datumDo", "datumOd", "izmene", "kratakOpis", "oznaka"]);
    assert_eq!((&current["datumOd"], &current["datumDo"]), (&json!("2026-11-01"), &json!(null)));
    assert_eq!(keys(&current["izmene"][0]), ["broj", "napomena", "naslov", "opis", "tiket"]);
    lekar.get("/api/releases").await.assert_error(403, None, "Nemate pravo na ovu radnju.");
}

#[tokio::test]
async fn health_says_to_anybody_whether_parts_work_and_to_operators_which_they_are() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let health = async || app.anonymous().get("/api/health").await.json();
    let seen = health().await;
    let parts = ["database", "engines", "firing", "knowledge", "mail", "redis", "scheduler", "status", "store"];
    assert_eq!(keys(&seen), parts);
    assert!(parts.iter().filter(|part| **part != "status").all(|part| keys(&seen[*part]) == ["ok"]), "no version, no id: {seen}");
    assert_eq!((&seen["database"]["ok"], &seen["redis"]["ok"], &seen["engines"]["ok"]), (&json!(true), &json!(true), &json!(false)));
    assert_eq!(seen["status"], "degraded", "no engine and no scheduler runs");

    let system = admin.get("/api/operations").await.json()["sistem"].clone();
    assert_eq!(system["zdravlje"], seen);
    let zones = system["zone"].as_str().expect("a version");
    assert!(zones.starts_with("20") && zones[4..].starts_with(|letter: char| letter.is_ascii_lowercase()), "{zones}");
    let newest = domain::schema::MIGRATIONS.iter().map(|migration| migration.version).max();
    assert_eq!(system["migracija"].as_i64(), newest);
    assert_eq!(system["verzija"], env!("CARGO_PKG_VERSION"));
    assert!(system["baza"].as_str().is_some_and(|version| version.starts_with(|digit: char| digit.is_ascii_digit())), "{system}");

    for kind in ["report-engine", "scheduler"] {
        sqlx::query("insert into process (id, kind, version) values ($1 || '-1', $1, '2.2.0')")
            .bind(kind)
            .execute(&app.db.owner)
            .await
            .expect("a process");
    }
    assert_eq!(health().await["status"], "ok");
    app.advance(jiff::SignedDuration::from_mins(1));
    let seen = health().await;
    assert_eq!((&seen["status"], &seen["engines"]["ok"]), (&json!("degraded"), &json!(false)), "silent for a minute");
}

#[tokio::test]
async fn health_is_503_without_the_database() {
    let app = TestApp::new().await;
    app.state.vitals.db.close().await;
    let answer = app.anonymous().get("/api/health").await;
    answer.assert_status(503);
    assert!(answer.text().contains(r#""status":"down""#), "{}", answer.text());
}
