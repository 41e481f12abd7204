//! Nobody gives what she does not hold: each right alone tries every operation that gives, takes or resets, on herself, on an
//! accomplice and on those who hold more.

use std::time::Duration;

use accounts::rights::Right;
use domain::locks;
use serde_json::{Value, json};

use crate::support::{Answer, TestApp, Worker};

/// An attacker with one right and no patient, an accomplice without anything, and those worth attacking.
struct Stage<'a> {
    app: &'a TestApp,
    attacker: Worker,
    attackers_role: i64,
    accomplice: Worker,
    admin: Worker,
    admins_role: i64,
    nurse: Worker,
    nurses_role: i64,
}

impl<'a> Stage<'a> {
    /// People of their own for each right: what one attacker did is no help to the next.
    async fn new(app: &'a TestApp, right: Right) -> Self {
        let name = |who: &str| format!("{who}{}", right.number());
        let attacker = app.worker(&name("napadac"), &[right], app.ustanova).await;
        let accomplice = app.worker(&name("saucesnik"), &[], app.ustanova).await;
        let admin = app.worker(&name("glavni"), &Right::ALL, app.ustanova).await;
        let nurse = app.worker(&name("sestra"), &[], app.ustanova).await;
        app.lay_out(&["update role set pacijenti = 'ne' where ime like 'Uloga radnika napadac%' or ime like 'Uloga radnika saucesnik%'"])
            .await;
        let mut roles = Vec::new();
        for worker in [&attacker, &admin, &nurse] {
            let role = sqlx::query_scalar("select uloga_id from worker_role where radnik_id = $1").bind(worker.id);
            roles.push(role.fetch_one(&app.db.owner).await.expect("a role"));
        }
        let [attackers_role, admins_role, nurses_role] = roles[..] else { unreachable!("three roles") };
        Self { app, attacker, attackers_role, accomplice, admin, admins_role, nurse, nurses_role }
    }

    /// Everything that says who holds what, and who may sign in how.
    async fn powers(&self) -> Value {
        sqlx::query_scalar(
            "select jsonb_build_object(
                'role', (select jsonb_agg(jsonb_build_array(id, aktivan, ime, pacijenti) order by id) from role),
                'role_right', (select jsonb_agg(jsonb_build_array(uloga_id, aplikativno_pravo_id) order by uloga_id, aplikativno_pravo_id) from role_right),
                'worker_role', (select jsonb_agg(jsonb_build_array(radnik_id, uloga_id) order by radnik_id, uloga_id) from worker_role),
                'worker', (select jsonb_agg(jsonb_build_array(id, aktivan, username, password_hash, password_ws_hash) order by id) from worker),
                'member', (select jsonb_agg(jsonb_build_array(radnik_id, ustanova_id) order by radnik_id, ustanova_id) from worker_institution),
                'parameter', (select jsonb_agg(jsonb_build_array(naziv, vrednost, aktivan) order by id) from parameter))",
        )
        .fetch_one(&self.app.db.owner)
        .await
        .expect("who holds what")
    }

    /// Calls after which somebody would hold, or could sign in with, more than the attacker has.
    fn attacks(&self, right: Right) -> Vec<(&'static str, String, Value)> {
        let Self { attacker, accomplice, admin, nurse, attackers_role, admins_role, nurses_role, .. } = self;
        let reset = |of: &Worker| json!({ "radnikID": of.id, "novaLozinka": "zeleni vagon peva", "potvrdaLozinke": "zeleni vagon peva", "isAdmin": true });
        let mut calls = vec![
            ("POST", "/api/worker-password-change".to_owned(), reset(admin)),
            ("POST", "/api/worker-password-change".to_owned(), reset(nurse)),
            ("PATCH", format!("/api/workers/{}", admin.id), json!({ "passwordWS": "zeleni vagon peva" })),
            ("PUT", format!("/api/workers/{}", admin.id), json!({ "username": "ukraden" })),
            ("PATCH", format!("/api/workers/{}", nurse.id), json!({ "username": "ukradena" })),
            ("PATCH", format!("/api/workers/{}", admin.id), json!({ "aktivan": false })),
            ("DELETE", format!("/api/workers/{}", admin.id), json!({})),
            ("DELETE", format!("/api/workers/{}", nurse.id), json!({})),
            ("POST", "/api/worker-institutions".to_owned(), json!({ "radnik": admin.id, "ustanova": self.app.druga_ustanova })),
            ("POST", "/api/worker-roles-delete".to_owned(), json!({ "radnikID": admin.id, "ulogeID": [admins_role] })),
            ("POST", "/api/worker-roles-delete".to_owned(), json!({ "radnikID": nurse.id, "ulogeID": [nurses_role] })),
            ("PATCH", format!("/api/roles/{admins_role}"), json!({ "ime": "Preimenovana" })),
            ("PATCH", format!("/api/roles/{admins_role}"), json!({ "aktivan": false })),
            ("DELETE", format!("/api/roles/{nurses_role}"), json!({})),
            ("PATCH", format!("/api/roles/{nurses_role}"), json!({ "pacijenti": "uvid" })),
            ("PATCH", format!("/api/roles/{attackers_role}"), json!({ "pacijenti": "uvid" })),
            ("PUT", format!("/api/roles/{attackers_role}"), json!({ "pacijenti": "izmena" })),
            ("POST", "/api/roles".to_owned(), json!({ "ime": "Nova uloga", "pacijenti": "izmena" })),
            ("POST", "/api/role-rights-delete".to_owned(), json!({ "ulogaID": admins_role, "aplikativnaPravaID": [1, 2, 3] })),
            ("POST", "/api/parameters".to_owned(), json!({ "naziv": "blurPodatakaIzmedjuUstanova", "vrednost": "false" })),
        ];
        for to in [attacker, accomplice] {
            for role in [admins_role, nurses_role] {
                calls.push(("POST", "/api/worker-roles".to_owned(), json!({ "radnik": to.id, "uloga": role })));
            }
        }
        for other in Right::ALL.into_iter().filter(|other| *other != right) {
            calls.push(("POST", "/api/role-rights".to_owned(), json!({ "uloga": attackers_role, "aplikativnoPravo": other.number() })));
        }
        calls
    }
}

#[tokio::test]
async fn each_right_alone_gives_takes_and_resets_nothing_beyond_itself() {
    let app = TestApp::new().await;
    for right in Right::ALL {
        let stage = Stage::new(&app, right).await;
        let before = stage.powers().await;
        for (method, path, body) in stage.attacks(right) {
            let answer = stage.attacker.call(method, &path, Some(body.clone())).await;
            // A role that somebody has is not deleted by anybody.
            let in_use =
                answer.status == 409 && (method == "DELETE" || body == json!({ "aktivan": false })) && path.starts_with("/api/roles/");
            assert!(answer.status == 403 || in_use, "{right:?}: {method} {path} {body}: {} {}", answer.status, answer.text());
        }
        assert_eq!(stage.powers().await, before, "{right:?}: nothing of it was done");
    }
}

fn message(answer: &Answer) -> String {
    serde_json::from_str::<Value>(&answer.text()).expect("JSON")["message"].as_str().expect("a message").to_owned()
}

#[tokio::test]
async fn a_refusal_names_what_is_missing() {
    let app = TestApp::new().await;
    let stage = Stage::new(&app, Right::Roles).await;
    let give = |right: Right| json!({ "uloga": stage.attackers_role, "aplikativnoPravo": right.number() });
    let refused = stage.attacker.post("/api/role-rights", give(Right::Parameters)).await;
    refused.assert_error(403, None, "Ne možete dati pravo koje nemate. Nedostaje vam: „Parametri”.");
    let opened = stage.attacker.patch(&format!("/api/roles/{}", stage.attackers_role), json!({ "pacijenti": "izmena" })).await;
    opened.assert_error(403, None, "Ne možete dati pravo koje nemate. Nedostaje vam: „Pacijenti: izmena”.");

    let stage = Stage::new(&app, Right::Workers).await;
    let refused = stage.attacker.post("/api/worker-roles", json!({ "radnik": stage.attacker.id, "uloga": stage.nurses_role })).await;
    assert_eq!(message(&refused), "Ova uloga daje više nego što vi imate. Nedostaje vam: „Pacijenti: izmena”.");
    let refused = stage.attacker.delete(&format!("/api/workers/{}", stage.admin.id)).await;
    assert!(message(&refused).starts_with("Ovaj radnik ima prava koja vi nemate. Nedostaje vam: „Izveštaji”, „Uloge”, „Ustanove”,"));
}

#[tokio::test]
async fn what_is_held_may_be_given_taken_and_reset() {
    let app = TestApp::new().await;
    let stage = Stage::new(&app, Right::Workers).await;
    let (attacker, accomplice) = (&stage.attacker, &stage.accomplice);
    let own = json!({ "radnik": accomplice.id, "uloga": stage.attackers_role });
    attacker.post("/api/worker-roles", own).await.assert_status(204);
    let reset =
        json!({ "radnikID": accomplice.id, "novaLozinka": "zeleni vagon peva", "potvrdaLozinke": "zeleni vagon peva", "isAdmin": true });
    attacker.post("/api/worker-password-change", reset).await.assert_status(204);
    attacker.patch(&format!("/api/workers/{}", accomplice.id), json!({ "ime": "Drugo" })).await.assert_status(200);
    let back = json!({ "radnikID": accomplice.id, "ulogeID": [stage.attackers_role] });
    attacker.post("/api/worker-roles-delete", back).await.assert_status(204);
    attacker.delete(&format!("/api/workers/{}", accomplice.id)).await.assert_status(204);

    // The administrator holds it all.
    let nurse =
        json!({ "radnikID": stage.nurse.id, "novaLozinka": "zeleni vagon peva", "potvrdaLozinke": "zeleni vagon peva", "isAdmin": true });
    stage.admin.post("/api/worker-password-change", nurse).await.assert_status(204);
    let clinical = stage.admin.post("/api/roles", json!({ "ime": "Stažista", "pacijenti": "uvid" })).await.assert_status(201).json();
    assert_eq!(clinical["pacijenti"], "uvid");
    stage.admin.post("/api/worker-roles", json!({ "radnik": attacker.id, "uloga": clinical["id"] })).await.assert_status(204);
    assert_eq!(attacker.get("/api/session").await.json()["pacijenti"], "uvid");
}

#[tokio::test]
async fn a_new_role_opens_no_patient_and_an_unknown_answer_is_refused() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    assert_eq!(admin.post("/api/roles", json!({ "ime": "Nova" })).await.json()["pacijenti"], "ne");
    let odd = admin.post("/api/roles", json!({ "ime": "Druga", "pacijenti": "sve" })).await;
    odd.assert_error(422, Some("pacijenti"), "Vrednost polja „pacijenti” nije ispravna.");
}

#[tokio::test]
async fn opening_the_patients_of_all_institutions_asks_for_the_right_to_give_rights_and_stands_in_the_log() {
    let app = TestApp::new().await;
    let alone = app.worker("parametri", &[Right::Parameters], app.ustanova).await;
    let admin = app.worker("oba", &[Right::Parameters, Right::Roles], app.ustanova).await;
    let off = json!({ "naziv": "blurPodatakaIzmedjuUstanova", "vrednost": "false" });
    let missing = "Isključivanje ovog parametra otvara pacijente svih ustanova svim radnicima. Za to vam nedostaje i pravo: „Uloge”.";
    let list = alone.get("/api/parameters?filter=blurPodataka").await.json();
    let path = format!("/api/parameters/{}", list["data"][0]["id"]);
    alone.post("/api/parameters", off.clone()).await.assert_error(403, None, missing);
    alone.patch(&path, json!({ "vrednost": " false " })).await.assert_error(403, None, missing);
    let other = alone.post("/api/parameters", json!({ "naziv": "nesto", "vrednost": "false" })).await.json();
    let renamed = alone.patch(&format!("/api/parameters/{}", other["id"]), json!({ "naziv": "blurPodatakaIzmedjuUstanova" })).await;
    assert!(renamed.status == 403 || renamed.status == 409, "{}", renamed.text());

    admin.post("/api/parameters", off).await.assert_status(201);
    let deeds = async || app.log("parameter").await.into_iter().filter(|line| line.akcija == "opasna izmena").count();
    assert_eq!(deeds().await, 1);
    alone.patch(&path, json!({ "vrednost": "true" })).await.assert_status(200);
    alone.patch(&path, json!({ "opis": "Skriva" })).await.assert_status(200);
    assert_eq!(deeds().await, 1);
}

#[tokio::test]
async fn who_holds_what_changes_while_months_are_moved_into_files() {
    let app = TestApp::new().await;
    let admin = app.worker("glavni", &Right::ALL, app.ustanova).await;
    let mut moving = app.db.owner.acquire().await.unwrap();
    sqlx::query("select pg_advisory_lock($1)").bind(locks::ARCHIVE).execute(&mut *moving).await.unwrap();
    let made = admin.post("/api/roles", json!({ "ime": "Nova uloga", "pacijenti": "ne" }));
    let made = tokio::time::timeout(Duration::from_secs(20), made).await.expect("it does not wait for the archive");
    assert!(made.assert_status(201).json()["id"].is_number());
}
