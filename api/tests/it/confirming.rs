//! Dangerous changes: the password once more, for five minutes of one session, and a row of the log that stands out.

use accounts::rights::Right;
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::support::{Anonymous, TestApp, Worker};

const PASSWORD: &str = "zeleni vagon peva";
const DANGEROUS: &str = "opasna izmena";

async fn confirm(caller: &Anonymous, password: &str) -> crate::support::Answer {
    caller.post("/api/session/confirm", json!({ "lozinka": password })).await
}

/// An administrator who has a password and has not given it again.
async fn administrator(app: &TestApp) -> Worker {
    let admin = app.admin().await;
    app.set_password(&admin, PASSWORD).await;
    app.lay_out(&["update session set potvrdjeno_at = null"]).await;
    admin.0
}

async fn role_of(app: &TestApp, worker: &Worker) -> i64 {
    let role = sqlx::query_scalar("select uloga_id from worker_role where radnik_id = $1").bind(worker.id);
    role.fetch_one(&app.db.owner).await.expect("a role")
}

async fn id_of(app: &TestApp, statement: &'static str) -> i64 {
    sqlx::query_scalar(statement).fetch_one(&app.db.owner).await.expect("an id")
}

/// What is done, and how the log names it.
async fn changes(app: &TestApp) -> Vec<(&'static str, String, Value, &'static str)> {
    let nurse = app.worker("sestra", &[], app.ustanova).await;
    let role = role_of(app, &nurse).await;
    let (colleague, gone) =
        (app.worker("kolega", &[Right::Reports], app.ustanova).await, app.worker("bivsi", &[Right::Reports], app.ustanova).await);
    let old_role = role_of(app, &app.worker("nekadasnji", &[Right::Reports], app.ustanova).await).await;
    app.lay_out(&[
        "update worker set aktivan = false where username = 'bivsi'",
        "update role set aktivan = false where ime = 'Uloga radnika nekadasnji'",
        "update role set drugi_faktor = true where ime = 'Uloga radnika sestra'",
        "update parameter set vrednost = 'bolnica.rs' where naziv = 'izvestajDomeniPrimalaca'",
        "insert into institution (naziv) values ('Klinika C')",
        "update role set pacijenti = 'ne' where ime = 'Uloga radnika sestra'",
        "insert into report_category (naziv, numericka_vrednost) values ('Sve', 1)",
        "insert into report_type (naziv, numericka_vrednost, kategorija_id) select 'Sve', 1, id from report_category",
        "insert into report (naziv, numericka_vrednost, jasper_fajl, tip_id, obim) select 'Uzak', 1, 'uzak', id, 'ustanova' from report_type",
        "insert into role (ime) values ('Dodatna')",
    ])
    .await;
    let (report, kind) = (id_of(app, "select id from report").await, id_of(app, "select id from report_type").await);
    let extra = id_of(app, "select id from role where ime = 'Dodatna'").await;
    let parameter = id_of(app, "select id from parameter where naziv = 'blurPodatakaIzmedjuUstanova'").await;
    let right = id_of(app, "select id from application_right where numericka_vrednost = 1").await;
    let open = "Isključuje se skrivanje pacijenata između ustanova: svi radnici vide pacijente svih ustanova.";
    let wide = "Izveštaj čita podatke svih ustanova.";
    let password = json!({ "radnikID": nurse.id, "novaLozinka": PASSWORD, "potvrdaLozinke": PASSWORD, "isAdmin": true });
    let third = id_of(app, "select id from institution where naziv = 'Klinika C'").await;
    let mut changes = vec![
        ("PATCH", format!("/api/parameters/{parameter}"), json!({ "vrednost": "false" }), open),
        ("PATCH", format!("/api/reports/{report}"), json!({ "obim": "sve" }), wide),
        (
            "POST",
            "/api/reports".to_owned(),
            json!({ "naziv": "Širok", "numerickaVrednost": 2, "jasperFajl": "sirok", "tipID": kind, "obim": "sve" }),
            wide,
        ),
        ("POST", "/api/role-rights".to_owned(), json!({ "uloga": role, "aplikativnoPravo": right }), "Uloga dobija pravo „Izveštaji”."),
        ("POST", "/api/worker-roles".to_owned(), json!({ "radnik": nurse.id, "uloga": extra }), "Radnik dobija ulogu „Dodatna”."),
        ("PATCH", format!("/api/roles/{role}"), json!({ "pacijenti": "uvid" }), "Uloga otvara pacijente: čitanje."),
        ("PATCH", format!("/api/roles/{role}"), json!({ "pacijenti": "izmena" }), "Uloga otvara pacijente: čitanje i izmena."),
        ("PATCH", format!("/api/roles/{role}"), json!({ "sveUstanove": true }), "Uloga administrira radnike svih ustanova."),
        ("POST", "/api/roles".to_owned(), json!({ "ime": "Nova", "sveUstanove": true }), "Uloga administrira radnike svih ustanova."),
        ("POST", "/api/worker-password-change".to_owned(), password, "Radniku se menja lozinka."),
        ("PATCH", format!("/api/workers/{}", nurse.id), json!({ "passwordWS": PASSWORD }), "Radniku se menja lozinka za veb servise."),
        ("POST", format!("/api/workers/{}/second-factor-reset", nurse.id), json!({}), "Radniku se poništava prijava u dva koraka."),
        ("POST", format!("/api/workers/{}/external-account-unlink", nurse.id), json!({}), "Radniku se raskida veza sa spoljnim nalogom."),
        ("PATCH", format!("/api/roles/{role}"), json!({ "drugiFaktor": false }), "Uloga više ne traži prijavu u dva koraka."),
        ("PATCH", format!("/api/roles/{old_role}"), json!({ "aktivan": true }), "Vraća se obrisana uloga, sa svime što daje."),
        (
            "PATCH",
            format!("/api/workers/{}", gone.id),
            json!({ "aktivan": true }),
            "Vraća se obrisani radnik, sa ulogama i lozinkom koje je imao.",
        ),
        (
            "POST",
            "/api/worker-institutions".to_owned(),
            json!({ "radnik": colleague.id, "ustanova": app.druga_ustanova }),
            "Radnik dobija pristup ustanovi „Klinika B”.",
        ),
        ("PATCH", format!("/api/workers/{}", colleague.id), json!({ "ustanovaID": third }), "Radnik dobija pristup ustanovi „Klinika C”."),
    ];
    for (naziv, vrednost) in [
        ("najmanjaTudjaGrupa", "1"),
        ("najvisePretragaTudjihNaSat", "100000"),
        ("tudjiUnosiPreuzetogPacijenta", "true"),
        ("najvisePogresnihPreuzimanjaNaSat", "1000"),
        ("najvisePreuzimanjaNaDan", "1000"),
        ("najviseProveraBrojevaNaSat", "1000"),
        ("zakljucavanjeMinuta", "0"),
        ("autoPrijava", "true"),
        ("izvestajDomeniPrimalaca", "drugde.rs"),
        ("izvestajDomeniPrimalaca", ""),
    ] {
        let what = format!("Parametar „{naziv}” dobija vrednost koja slabije štiti pacijente i naloge.");
        changes.push(("POST", "/api/parameters".to_owned(), json!({ "naziv": naziv, "vrednost": vrednost }), what.leak()));
    }
    for (naziv, vrednost) in [("cuvanjeDnevnikaGodina", "6"), ("cuvanjeDnevnikaGodina", "5"), ("cuvanjeIstorijeGodina", "5")] {
        let what = format!("Parametar „{naziv}” dobija vrednost zbog koje se zapisi kraće čuvaju u bazi.");
        changes.push(("POST", "/api/parameters".to_owned(), json!({ "naziv": naziv, "vrednost": vrednost }), what.leak()));
    }
    changes
}

#[tokio::test]
async fn dangerous_changes_ask_for_the_password_and_stand_out_in_the_log() {
    let app = TestApp::new().await;
    let changes = changes(&app).await;
    let admin = administrator(&app).await;
    let deeds = async || -> Vec<String> {
        let deeds =
            sqlx::query_scalar("select opis from audit_log where akcija = $1 and radnik_id = $2 and adresa is not null order by id");
        deeds.bind(DANGEROUS).bind(admin.id).fetch_all(&app.db.owner).await.expect("the log")
    };
    for (method, path, body, what) in &changes {
        let asked = admin.call(method, path, Some(body.clone())).await;
        asked.assert_status(428);
        let answer: Value = serde_json::from_slice(&asked.bytes).expect("JSON");
        let message = format!("{what} Potvrdite izmenu svojom lozinkom.");
        assert_eq!(answer, json!({ "message": message, "field": null, "potvrdaLozinkom": true }), "{method} {path}");
    }
    assert_eq!(deeds().await, Vec::<String>::new(), "nothing was done");

    confirm(&admin, PASSWORD).await.assert_status(204);
    for (method, path, body, _) in &changes {
        let done = admin.call(method, path, Some(body.clone())).await;
        assert!((200..300).contains(&done.status), "{method} {path}: {}", done.text());
    }
    assert_eq!(deeds().await, changes.iter().map(|(.., what)| (*what).to_owned()).collect::<Vec<_>>());
    let found = admin.get(&format!("/api/log?datumOd={}&akcijeArray=opasna%20izmena", app.state.today())).await.json();
    assert_eq!(found["data"].as_array().expect("rows").len(), changes.len());
    assert!(found["data"].as_array().expect("rows").iter().any(|row| row["zapis"] == "Test Sestra"));
}

#[tokio::test]
async fn what_takes_nothing_down_is_not_asked_about() {
    let app = TestApp::new().await;
    let changes = changes(&app).await;
    let admin = administrator(&app).await;
    let role = id_of(&app, "select id from role where ime = 'Uloga radnika sestra'").await;
    let report = id_of(&app, "select id from report").await;
    let nurse = id_of(&app, "select id from worker where username = 'sestra'").await;
    for (method, path, body) in [
        ("PATCH", format!("/api/roles/{role}"), json!({ "opis": "Nova", "pacijenti": "ne" })),
        ("POST", "/api/roles".to_owned(), json!({ "ime": "Bez ičega" })),
        ("POST", "/api/worker-roles".to_owned(), json!({ "radnik": nurse, "uloga": role })),
        ("PATCH", format!("/api/reports/{report}"), json!({ "opis": "Uzak" })),
        ("PATCH", format!("/api/workers/{nurse}"), json!({ "adresa": "Nova 1", "passwordWS": "" })),
        ("PATCH", changes[0].1.clone(), json!({ "vrednost": "true" })),
        // Stronger walls than those of today.
        ("POST", "/api/parameters".to_owned(), json!({ "naziv": "najmanjaTudjaGrupa", "vrednost": "6" })),
        ("POST", "/api/parameters".to_owned(), json!({ "naziv": "najvisePretragaTudjihNaSat", "vrednost": "10" })),
        ("POST", "/api/parameters".to_owned(), json!({ "naziv": "zakljucavanjeMinuta", "vrednost": "5" })),
        ("POST", "/api/parameters".to_owned(), json!({ "naziv": "cuvanjeDnevnikaGodina", "vrednost": "0" })),
        ("POST", "/api/parameters".to_owned(), json!({ "naziv": "izvestajDomeniPrimalaca", "vrednost": "bolnica.rs" })),
        ("PATCH", format!("/api/roles/{role}"), json!({ "drugiFaktor": true })),
        // Who has no rights brings none.
        ("POST", "/api/worker-institutions".to_owned(), json!({ "radnik": nurse, "ustanova": app.druga_ustanova })),
        ("DELETE", format!("/api/workers/{nurse}"), json!({})),
        ("PATCH", format!("/api/workers/{nurse}"), json!({ "aktivan": true })),
    ] {
        let done = admin.call(method, &path, Some(body)).await;
        assert!((200..300).contains(&done.status), "{method} {path}: {}", done.text());
    }
    // What is refused is refused before anybody types a password for it.
    let alone = app.worker("parametri", &[Right::Parameters], app.ustanova).await;
    app.lay_out(&["update session set potvrdjeno_at = null"]).await;
    alone.patch(&changes[0].1, json!({ "vrednost": "false" })).await.assert_status(403);
    for (naziv, vrednost) in [("najmanjaTudjaGrupa", "1"), ("tudjiUnosiPreuzetogPacijenta", "true")] {
        alone.post("/api/parameters", json!({ "naziv": naziv, "vrednost": vrednost })).await.assert_status(403);
    }
    // A parameter that is taken away leaves what stands without it.
    let id = id_of(&app, "select id from parameter where naziv = 'najmanjaTudjaGrupa'").await;
    app.lay_out(&["update parameter set vrednost = '50' where naziv = 'najmanjaTudjaGrupa'"]).await;
    alone.delete(&format!("/api/parameters/{id}")).await.assert_status(403);
    app.lay_out(&["update session set potvrdjeno_at = null"]).await;
    admin.delete(&format!("/api/parameters/{id}")).await.assert_status(428);
}

#[tokio::test]
async fn a_password_opens_one_session_for_five_minutes() {
    let app = TestApp::new().await;
    let changes = changes(&app).await;
    let admin = administrator(&app).await;
    let elsewhere = app.another_session(&admin).await;
    let (method, path, body, _) = &changes[0];
    let on = async |caller: &Anonymous| caller.call(method, path, Some(body.clone())).await.status;
    let off = async || admin.patch(path, json!({ "vrednost": "true" })).await.assert_status(200).status;

    confirm(&admin, PASSWORD).await.assert_status(204);
    assert_eq!(on(&elsewhere).await, 428, "another session of the same worker");
    app.advance(SignedDuration::from_secs(299));
    assert_eq!(on(&admin).await, 200);
    off().await;
    app.advance(SignedDuration::from_secs(2));
    assert_eq!(on(&admin).await, 428);
}

#[tokio::test]
async fn guessing_the_password_is_slowed_as_a_sign_in_is_and_stands_in_the_log() {
    let app = TestApp::new().await;
    let admin = administrator(&app).await;
    admin.post("/api/session/confirm", json!({})).await.assert_error(422, Some("lozinka"), "Niste uneli lozinku.");
    for _ in 0..5 {
        confirm(&admin, "pogrešna").await.assert_error(422, Some("lozinka"), "Lozinka nije ispravna.");
    }
    confirm(&admin, PASSWORD).await.assert_status(429);
    let changed = admin.post("/api/roles", json!({ "ime": "Nova", "pacijenti": "uvid" })).await;
    changed.assert_status(428);
    app.advance(SignedDuration::from_secs(6));
    confirm(&admin, PASSWORD).await.assert_status(204);
    let deeds: Vec<String> = app.log("session").await.into_iter().map(|line| line.akcija).collect();
    assert_eq!(deeds.iter().filter(|deed| *deed == "neuspešna potvrda lozinkom").count(), 5);
    assert_eq!(deeds.last().map(String::as_str), Some("potvrda lozinkom"));
}
