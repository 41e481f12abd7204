//! How far administering workers reaches: to those of the own institutions; who is beyond is answered as one who does not exist.

use accounts::rights::Right;
use serde_json::{Value, json};

use crate::support::{Anonymous, TestApp, Worker};

/// An administrator of the first institution, a worker of each, and one who belongs to both.
struct Stage {
    app: TestApp,
    local: Worker,
    near: Worker,
    far: Worker,
    shared: Worker,
}

impl Stage {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let local = app.worker("lokalni", &[Right::Workers, Right::Roles, Right::Institutions], app.ustanova).await;
        let near = app.worker("bliski", &[], app.ustanova).await;
        let far = app.worker("daleki", &[], app.druga_ustanova).await;
        let shared = app.worker("zajednicki", &[], app.druga_ustanova).await;
        app.join(&shared, app.ustanova).await;
        app.lay_out(&["update role set pacijenti = 'ne' where ime like 'Uloga radnika %'"]).await;
        Self { app, local, near, far, shared }
    }

    async fn role_of(&self, worker: &Worker) -> i64 {
        let role = sqlx::query_scalar("select uloga_id from worker_role where radnik_id = $1").bind(worker.id);
        role.fetch_one(&self.app.db.owner).await.expect("a role")
    }
}

async fn names(caller: &Anonymous, path: &str) -> (Vec<String>, Value) {
    let list = caller.get(path).await.json();
    let names = list["data"].as_array().expect("rows").iter().map(|row| row["ime"].as_str().expect("a name").to_owned()).collect();
    (names, list["total"].clone())
}

#[tokio::test]
async fn lists_hold_and_count_those_within_reach_only() {
    let stage = Stage::new().await;
    let (local, app) = (&stage.local, &stage.app);
    let mut expected = vec!["Bliski", "Lokalni", "Zajednicki"];
    let (mut found, total) = names(local, "/api/workers").await;
    found.sort();
    assert_eq!((found, total), (expected.iter().map(|name| (*name).to_owned()).collect(), json!(3)));
    assert_eq!(names(local, "/api/workers?filter=daleki").await, (vec![], json!(0)));
    let (members, total) = names(local, &format!("/api/workers?ustanova={}&sort=ime", app.druga_ustanova)).await;
    assert_eq!((members, total), (vec!["Zajednicki".to_owned()], json!(1)));
    assert_eq!(names(local, "/api/workers?page=1&size=3").await, (vec![], json!(3)), "behind the last page");

    let everywhere = app.admin().await;
    let (mut found, _) = names(&everywhere, "/api/workers").await;
    found.sort();
    expected.extend(["Admin", "Daleki"]);
    expected.sort_unstable();
    assert_eq!(found, expected);

    app.lay_out(&["update worker set aktivan = false where username in ('daleki', 'bliski')"]).await;
    assert_eq!(names(local, "/api/workers?aktivan=false").await, (vec!["Bliski".to_owned()], json!(1)), "deleted ones");
}

#[tokio::test]
async fn lists_of_a_worker_and_of_a_role_stop_at_the_reach() {
    let stage = Stage::new().await;
    let (local, far) = (&stage.local, &stage.far);
    let role = stage.role_of(&stage.near).await;
    stage.app.lay_out(&["insert into worker_role (radnik_id, uloga_id) select w.id, r.id from worker w, role r where w.username = 'daleki' and r.ime = 'Uloga radnika bliski'"]).await;
    assert_eq!(names(local, &format!("/api/roles/{role}/workers")).await, (vec!["Bliski".to_owned()], json!(1)));
    for path in ["roles?radnik=", "institutions?radnik=", "application-rights?radnik="] {
        let of = async |id: i64| local.get(&format!("/api/{path}{id}")).await.json();
        assert_eq!(of(far.id).await, of(999_999).await, "{path}: as one who does not exist");
        assert_eq!(of(far.id).await["total"], 0, "{path}");
    }
    assert_eq!(local.get(&format!("/api/institutions?radnik={}", stage.near.id)).await.json()["total"], 1);
}

#[tokio::test]
async fn whoever_is_out_of_reach_is_answered_as_one_who_does_not_exist() {
    let stage = Stage::new().await;
    let (local, app) = (&stage.local, &stage.app);
    let own_role = stage.role_of(local).await;
    let calls = |id: i64| -> Vec<(&str, String, Value)> {
        let password =
            json!({ "radnikID": id, "novaLozinka": "zeleni vagon peva", "potvrdaLozinke": "zeleni vagon peva", "isAdmin": true });
        vec![
            ("GET", format!("/api/workers/{id}"), json!({})),
            ("PATCH", format!("/api/workers/{id}"), json!({ "ime": "Drugo" })),
            ("PATCH", format!("/api/workers/{id}"), json!({ "ime": "" })),
            ("PATCH", format!("/api/workers/{id}"), json!({ "verzija": 77 })),
            ("PATCH", format!("/api/workers/{id}"), json!({ "aktivan": true })),
            ("PUT", format!("/api/workers/{id}"), json!({ "aktivan": false })),
            ("DELETE", format!("/api/workers/{id}"), json!({})),
            ("POST", "/api/worker-password-change".to_owned(), password),
            ("POST", format!("/api/workers/{id}/second-factor-reset"), json!({})),
            ("POST", format!("/api/workers/{id}/external-account-unlink"), json!({})),
            ("POST", "/api/worker-roles".to_owned(), json!({ "radnik": id, "uloga": own_role })),
            ("POST", "/api/worker-roles-delete".to_owned(), json!({ "radnikID": id, "ulogeID": [own_role] })),
            ("POST", "/api/worker-institutions".to_owned(), json!({ "radnik": id, "ustanova": app.ustanova })),
            ("POST", "/api/worker-institutions-delete".to_owned(), json!({ "radnikID": id, "ustanoveID": [app.ustanova] })),
        ]
    };
    for (far, missing) in calls(stage.far.id).into_iter().zip(calls(999_999)) {
        let answer = local.call(far.0, &far.1, Some(far.2.clone())).await;
        answer.assert_error(404, None, "Traženi podatak ne postoji.");
        let unknown = local.call(missing.0, &missing.1, Some(missing.2)).await;
        assert_eq!((answer.status, answer.text()), (unknown.status, unknown.text()), "{} {} {}", far.0, far.1, far.2);
    }
    app.lay_out(&["update worker set aktivan = false where username = 'daleki'"]).await;
    local.patch(&format!("/api/workers/{}", stage.far.id), json!({ "aktivan": true })).await.assert_status(404);

    for reached in [&stage.near, &stage.shared] {
        local.get(&format!("/api/workers/{}", reached.id)).await.assert_status(200);
        local.patch(&format!("/api/workers/{}", reached.id), json!({ "telefon": "011" })).await.assert_status(200);
        local.post("/api/worker-roles", json!({ "radnik": reached.id, "uloga": own_role })).await.assert_status(204);
    }
    local.delete(&format!("/api/workers/{}", stage.near.id)).await.assert_status(204);
    local.patch(&format!("/api/workers/{}", stage.near.id), json!({ "aktivan": true })).await.assert_status(200);
}

#[tokio::test]
async fn memberships_are_given_and_taken_within_reach_only() {
    let stage = Stage::new().await;
    let (local, app) = (&stage.local, &stage.app);
    let beyond = "Ne administrirate radnike izabrane ustanove.";
    let new = |ustanova: Value| json!({ "username": "nova", "password": "zeleni vagon peva", "ime": "Nova", "prezime": "Nova", "ustanovaID": ustanova });
    local.post("/api/workers", new(json!(app.druga_ustanova))).await.assert_error(422, Some("ustanovaID"), beyond);
    local.post("/api/workers", new(Value::Null)).await.assert_error(422, Some("ustanovaID"), "Niste izabrali ustanovu.");
    local.post("/api/workers", new(json!(app.ustanova))).await.assert_status(201);

    let near = format!("/api/workers/{}", stage.near.id);
    local.patch(&near, json!({ "ustanovaID": app.druga_ustanova })).await.assert_error(422, Some("ustanovaID"), beyond);
    let own = format!("/api/workers/{}", local.id);
    local.patch(&own, json!({ "ustanovaID": app.druga_ustanova })).await.assert_error(422, Some("ustanovaID"), beyond);
    let link = |radnik: i64| json!({ "radnik": radnik, "ustanova": app.druga_ustanova });
    for radnik in [stage.near.id, local.id] {
        local.post("/api/worker-institutions", link(radnik)).await.assert_error(422, Some("ustanova"), beyond);
    }
    app.join(&stage.near, app.druga_ustanova).await;
    let unlink = json!({ "radnikID": stage.near.id, "ustanoveID": [app.druga_ustanova] });
    local.post("/api/worker-institutions-delete", unlink.clone()).await.assert_error(422, Some("ustanoveID"), beyond);
    // Who is at home elsewhere keeps that while the rest of the record is changed.
    local.patch(&format!("/api/workers/{}", stage.shared.id), json!({ "adresa": "Nova 1" })).await.assert_status(200);

    app.join(local, app.druga_ustanova).await;
    local.post("/api/worker-institutions-delete", unlink).await.assert_status(204);
    local.get(&format!("/api/workers/{}", stage.far.id)).await.assert_status(200);
    app.lay_out(&["update institution set aktivan = false where naziv = 'Klinika B'"]).await;
    local.get(&format!("/api/workers/{}", stage.far.id)).await.assert_status(404);
}

#[tokio::test]
async fn institutions_say_where_the_caller_may_send_workers() {
    let stage = Stage::new().await;
    let administered = async |worker: &Worker| -> Vec<String> {
        let list = worker.get("/api/institutions?sort=naziv").await.json();
        let rows = list["data"].as_array().expect("rows").iter().filter(|row| row["administrira"] == true);
        rows.map(|row| row["naziv"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(administered(&stage.local).await, ["Klinika A"]);
    assert_eq!(administered(&stage.near).await, Vec::<String>::new(), "who administers nobody");
    let everywhere = administered(&stage.app.admin().await.0).await;
    assert!(everywhere.contains(&"Klinika A".to_owned()) && everywhere.contains(&"Klinika B".to_owned()), "{everywhere:?}");
}

#[tokio::test]
async fn a_role_that_others_have_is_not_changed_from_here() {
    let stage = Stage::new().await;
    let (local, far) = (&stage.local, stage.role_of(&stage.far).await);
    let refused = "Ovu ulogu imaju i radnici ustanova koje ne administrirate. Menja je administrator svih ustanova.";
    for (method, path, body) in [
        ("PATCH", format!("/api/roles/{far}"), json!({ "ime": "Druga" })),
        ("DELETE", format!("/api/roles/{far}"), json!({})),
        ("POST", "/api/role-rights".to_owned(), json!({ "uloga": far, "aplikativnoPravo": 2 })),
        ("POST", "/api/role-rights-delete".to_owned(), json!({ "ulogaID": far, "aplikativnaPravaID": [2] })),
    ] {
        local.call(method, &path, Some(body)).await.assert_error(403, None, refused);
    }
    let near = stage.role_of(&stage.near).await;
    local.patch(&format!("/api/roles/{near}"), json!({ "ime": "Druga" })).await.assert_status(200);
    let admin = stage.app.admin().await;
    admin.patch(&format!("/api/roles/{far}"), json!({ "opis": "Daleka" })).await.assert_status(200);
}

#[tokio::test]
async fn who_works_in_an_institution_out_of_reach_is_not_named_when_it_is_deleted() {
    let stage = Stage::new().await;
    let beyond = "Ne administrirate ovu ustanovu. Menja je njen administrator, ili administrator svih ustanova.";
    stage.local.delete(&format!("/api/institutions/{}", stage.app.druga_ustanova)).await.assert_error(403, None, beyond);
    let own = stage.local.delete(&format!("/api/institutions/{}", stage.app.ustanova)).await;
    own.assert_status(409);
    assert!(!own.text().contains("Daleki") && own.text().contains("Zajednicki"), "{}", own.text());
}

/// What the list of institutions says of each of these two: whether the caller may change it.
async fn changeable(caller: &Anonymous, ids: [i64; 2]) -> [Value; 2] {
    let list = caller.get("/api/institutions").await.json();
    let rows = list["data"].as_array().expect("rows");
    ids.map(|id| rows.iter().find(|row| row["id"] == id).expect("listed")["menja"].clone())
}

#[tokio::test]
async fn the_list_of_institutions_says_which_the_caller_may_change() {
    let stage = Stage::new().await;
    let both = [stage.app.ustanova, stage.app.druga_ustanova];
    assert_eq!(changeable(&stage.local, both).await, [true, false]);
    let (admin, lekar) = (stage.app.admin().await, stage.app.lekar().await);
    assert_eq!(changeable(&admin, both).await, [true, true]);
    assert_eq!(changeable(&lekar, both).await, [false, false]);
}

#[tokio::test]
async fn a_new_institution_and_one_that_was_deleted_are_for_who_reaches_all() {
    let stage = Stage::new().await;
    let admin = stage.app.admin().await;
    let id = admin.post("/api/institutions", json!({ "naziv": "Dom zdravlja" })).await.json()["id"].clone();
    admin.delete(&format!("/api/institutions/{id}")).await.assert_status(204);
    let (path, back) = (format!("/api/institutions/{id}"), json!({ "aktivan": true }));
    stage.local.patch(&path, back.clone()).await.assert_error(403, None, "Obrisanu ustanovu vraća administrator svih ustanova.");
    let made = stage.local.post("/api/institutions", json!({ "naziv": "Nova" })).await;
    made.assert_error(403, None, "Novu ustanovu upisuje administrator svih ustanova.");
    admin.patch(&path, back).await.assert_status(200);
}

#[tokio::test]
async fn the_reach_of_all_is_given_by_who_has_it_and_somebody_keeps_it() {
    let stage = Stage::new().await;
    let (local, app) = (&stage.local, &stage.app);
    let missing = "Ne možete dati pravo koje nemate. Nedostaje vam: „Administrira radnike svih ustanova”.";
    local.post("/api/roles", json!({ "ime": "Svuda", "sveUstanove": true })).await.assert_error(403, None, missing);
    let own = stage.role_of(local).await;
    local.patch(&format!("/api/roles/{own}"), json!({ "sveUstanove": true })).await.assert_error(403, None, missing);

    let admin = app.admin().await;
    let everywhere = admin.post("/api/roles", json!({ "ime": "Svuda", "sveUstanove": true })).await.assert_status(201).json();
    assert_eq!(everywhere["sveUstanove"], true);
    let given = local.post("/api/worker-roles", json!({ "radnik": stage.near.id, "uloga": everywhere["id"] })).await;
    given.assert_error(403, None, "Ova uloga daje više nego što vi imate. Nedostaje vam: „Administrira radnike svih ustanova”.");
    let admins = stage.role_of(&admin).await;
    let last = admin.patch(&format!("/api/roles/{admins}"), json!({ "sveUstanove": false })).await.assert_status(409).text();
    assert!(last.contains("„Administrira radnike svih ustanova”"), "{last}");
    admin.post("/api/worker-roles", json!({ "radnik": local.id, "uloga": everywhere["id"] })).await.assert_status(204);
    local.get(&format!("/api/workers/{}", stage.far.id)).await.assert_status(200);
    admin.patch(&format!("/api/roles/{admins}"), json!({ "sveUstanove": false })).await.assert_status(200);
    admin.get(&format!("/api/workers/{}", stage.far.id)).await.assert_status(404);
    admin.get(&format!("/api/workers/{}", admin.id)).await.assert_status(200);
}

#[tokio::test]
async fn the_account_of_a_worker_of_two_institutions_is_left_to_who_reaches_both() {
    let stage = Stage::new().await;
    let (local, app, id) = (&stage.local, &stage.app, stage.shared.id);
    let refused = "Ovaj radnik pripada i ustanovi koju ne administrirate. To menja administrator svih njegovih ustanova.";
    let password = json!({ "radnikID": id, "novaLozinka": "zeleni vagon peva", "potvrdaLozinke": "zeleni vagon peva", "isAdmin": true });
    let path = format!("/api/workers/{id}");
    let changes = [
        ("POST", "/api/worker-password-change".to_owned(), password),
        ("POST", format!("{path}/second-factor-reset"), json!({})),
        ("PATCH", path.clone(), json!({ "passwordWS": "zeleni vagon peva" })),
        ("PATCH", path.clone(), json!({ "username": "drugi" })),
        ("PATCH", path.clone(), json!({ "email": "drugi@primer.rs" })),
        ("PATCH", path.clone(), json!({ "email": "" })),
        ("PATCH", path.clone(), json!({ "aktivan": false })),
        ("DELETE", path.clone(), json!({})),
    ];
    app.lay_out(&["update worker set email = 'zajednicki@primer.rs' where username = 'zajednicki'"]).await;
    for (method, path, body) in &changes {
        local.call(method, path, Some(body.clone())).await.assert_error(403, None, refused);
    }
    // What opens nothing elsewhere is changed from here, by a screen that sends the whole record.
    let mut record = local.get(&path).await.assert_status(200).json();
    record["telefon"] = json!("011/222");
    local.patch(&path, record).await.assert_status(200);
    let everywhere = app.admin().await;
    everywhere.delete(&path).await.assert_status(204);
    local.patch(&path, json!({ "aktivan": true })).await.assert_error(403, None, refused);
    everywhere.patch(&path, json!({ "aktivan": true })).await.assert_status(200);
    // Who belongs to both reaches both; an institution that is gone counts for nothing.
    app.join(local, app.druga_ustanova).await;
    local.patch(&path, json!({ "email": "treci@primer.rs" })).await.assert_status(200);
    app.lay_out(&[
        "delete from worker_institution where radnik_id = (select id from worker where username = 'lokalni') and ustanova_id = (select id from institution where naziv = 'Klinika B')",
        "update institution set aktivan = false where naziv = 'Klinika B'",
    ])
    .await;
    local.patch(&path, json!({ "email": "cetvrti@primer.rs" })).await.assert_status(200);
    let own = format!("/api/workers/{}", local.id);
    local.patch(&own, json!({ "email": "lokalni@primer.rs" })).await.assert_status(200);
}
