//! Administering workers and roles: how far it reaches, and the ceiling of what one holds oneself.

use accounts::rights::Right;
use serde_json::{Value, json};
use sqlx::PgConnection;

use crate::support::{Anonymous, TestApp};

/// One who is administered: in the own institution or in another, with less than the administrator or with more.
struct Target {
    who: &'static str,
    worker: i64,
    role: i64,
    /// A deleted one that would give the same.
    former_role: i64,
    near: bool,
    above: bool,
}

async fn targets(app: &TestApp) -> Vec<Target> {
    let mut targets = Vec::new();
    for (who, ustanova, above) in [
        ("blizu", app.ustanova, false),
        ("blizu-iznad", app.ustanova, true),
        ("daleko", app.druga_ustanova, false),
        ("daleko-iznad", app.druga_ustanova, true),
    ] {
        let worker = app.worker(&format!("meta-{who}"), if above { &[Right::Log] } else { &[] }, ustanova).await;
        let role = sqlx::query_scalar("select uloga_id from worker_role where radnik_id = $1").bind(worker.id);
        let role = role.fetch_one(&app.db.owner).await.expect("a role");
        let former_role = former_role(app, worker.id, role).await;
        targets.push(Target { who, worker: worker.id, role, former_role, near: ustanova == app.ustanova, above });
    }
    app.lay_out(&["update role set pacijenti = 'ne' where ime like 'Uloga radnika meta-%'"]).await;
    targets
}

/// A deleted role of the worker with the rights of another one.
async fn former_role(app: &TestApp, worker: i64, like: i64) -> i64 {
    let mut tx = domain::db::begin(&app.db.owner, domain::db::SYSTEM_WORKER).await.expect("a transaction");
    let id = sqlx::query_scalar("insert into role (ime, aktivan) select ime || ' bivša', false from role where id = $1 returning id");
    let id: i64 = id.bind(like).fetch_one(&mut *tx).await.expect("a role");
    for statement in [
        "insert into role_right select $1, aplikativno_pravo_id from role_right where uloga_id = $2 and $3 is not null",
        "insert into worker_role (radnik_id, uloga_id) select $3::bigint, $1 where $2::bigint is not null",
    ] {
        sqlx::query(statement).bind(id).bind(like).bind(worker).execute(&mut *tx).await.expect("what it gives, and to whom");
    }
    tx.commit().await.expect("committed");
    id
}

/// Operations on a worker, and whether the ceiling bounds them. What they change they change to what it is.
fn on_worker(target: &Target, own: i64) -> Vec<(&'static str, String, Value, bool)> {
    let (id, role) = (target.worker, target.role);
    let password = json!({ "radnikID": id, "novaLozinka": "zeleni vagon peva", "potvrdaLozinke": "zeleni vagon peva", "isAdmin": true });
    vec![
        ("GET", format!("/api/workers/{id}"), json!({}), false),
        ("PATCH", format!("/api/workers/{id}"), json!({}), true),
        ("PUT", format!("/api/workers/{id}"), json!({}), true),
        ("POST", "/api/worker-password-change".to_owned(), password, true),
        ("POST", format!("/api/workers/{id}/second-factor-reset"), json!({}), true),
        ("POST", format!("/api/workers/{id}/external-account-unlink"), json!({}), true),
        ("POST", "/api/worker-roles".to_owned(), json!({ "radnik": id, "uloga": role }), true),
        ("POST", "/api/worker-roles-delete".to_owned(), json!({ "radnikID": id, "ulogeID": [] }), true),
        ("POST", "/api/worker-institutions".to_owned(), json!({ "radnik": id, "ustanova": own }), true),
        ("POST", "/api/worker-institutions-delete".to_owned(), json!({ "radnikID": id, "ustanoveID": [] }), true),
        ("DELETE", format!("/api/workers/{id}"), json!({}), true),
        ("PATCH", format!("/api/workers/{id}"), json!({ "aktivan": true }), true),
    ]
}

/// Operations on a role, likewise.
fn on_role(target: &Target) -> Vec<(&'static str, String, Value)> {
    let (id, right) = (target.role, json!([]));
    vec![
        ("PATCH", format!("/api/roles/{id}"), json!({})),
        ("PUT", format!("/api/roles/{id}"), json!({})),
        ("POST", "/api/role-rights-delete".to_owned(), json!({ "ulogaID": id, "aplikativnaPravaID": right })),
        ("PATCH", format!("/api/roles/{}", target.former_role), json!({ "aktivan": true })),
    ]
}

/// An operation, and how it is answered; `2`: whatever way of success.
type Bounded = (&'static str, String, Value, &'static str);

/// One right, how far its holder's role opens patients and reaches.
#[derive(Clone, Copy)]
struct RightHolder {
    right: Right,
    opens: bool,
    everywhere: bool,
}

impl RightHolder {
    fn expected(self, needed: Right, within: bool, otherwise: &'static str) -> &'static str {
        match () {
            () if self.right != needed => "403",
            () if within => "2",
            () => otherwise,
        }
    }
}

/// Giving beyond oneself, about a target that is near or far.
fn gifts(held: RightHolder, target: &Target, more: &Target, ids: &Ids) -> Vec<Bounded> {
    let reached = target.near || held.everywhere;
    let right = |pravo: i64| json!({ "uloga": target.role, "aplikativnoPravo": pravo });
    vec![
        ("POST", "/api/role-rights".to_owned(), right(ids.log), "403"),
        ("POST", "/api/role-rights".to_owned(), right(ids.roles), held.expected(Right::Roles, reached && !target.above, "403")),
        (
            "POST",
            "/api/worker-roles".to_owned(),
            json!({ "radnik": target.worker, "uloga": more.role }),
            if held.right == Right::Workers && !reached { "404" } else { "403" },
        ),
    ]
}

/// What is made new, or is an institution's own record, or its recipients.
fn records(held: RightHolder, name: &str, app: &TestApp) -> Vec<Bounded> {
    let roles = |within: bool| held.expected(Right::Roles, within, "403");
    let institutions = |within: bool| held.expected(Right::Institutions, within, "403");
    let groups = |within: bool| held.expected(Right::ReportSetup, within, "422");
    let group =
        |ustanova: Option<i64>| json!({ "naziv": format!("Grupa {name} {ustanova:?}"), "ustanovaID": ustanova, "emails": ["ana@kcs.rs"] });
    let post = |path: &str, body: Value, expected| ("POST", path.to_owned(), body, expected);
    let institution = |id: i64, expected| ("PATCH", format!("/api/institutions/{id}"), json!({ "telefon": "011/3" }), expected);
    vec![
        post("/api/roles", json!({ "ime": format!("Nova {name}") }), roles(true)),
        post("/api/roles", json!({ "ime": format!("Klinička {name}"), "pacijenti": "izmena" }), roles(held.opens)),
        post("/api/roles", json!({ "ime": format!("Svuda {name}"), "sveUstanove": true }), roles(held.everywhere)),
        post("/api/institutions", json!({ "naziv": format!("Nova {name}") }), institutions(held.everywhere)),
        institution(app.ustanova, institutions(true)),
        institution(app.druga_ustanova, institutions(held.everywhere)),
        post("/api/recipient-groups", group(Some(app.ustanova)), groups(true)),
        post("/api/recipient-groups", group(Some(app.druga_ustanova)), groups(held.everywhere)),
        post("/api/recipient-groups", group(None), groups(held.everywhere)),
    ]
}

/// Rights that are given in these calls.
struct Ids {
    log: i64,
    roles: i64,
}

impl Ids {
    async fn of(app: &TestApp) -> Self {
        let id = async |right: Right| {
            let id = sqlx::query_scalar("select id from application_right where numericka_vrednost = $1").bind(right.number());
            id.fetch_one(&app.db.owner).await.expect("a right")
        };
        Self { log: id(Right::Log).await, roles: id(Right::Roles).await }
    }
}

#[tokio::test]
async fn nobody_gives_or_makes_beyond_what_she_holds_and_where_she_reaches() {
    let app = TestApp::new().await;
    let ids = Ids::of(&app).await;
    let mut wrong = Vec::new();
    for (number, right) in Right::ALL.into_iter().enumerate().filter(|(_, right)| *right != Right::Log) {
        for held in [(false, false), (true, false), (true, true)].map(|(opens, everywhere)| RightHolder { right, opens, everywhere }) {
            let name = format!("daje-{number}-{}-{}", held.opens, held.everywhere);
            let caller = app.worker(&name, &[right], app.ustanova).await;
            let mut tx = domain::db::begin(&app.db.owner, domain::db::SYSTEM_WORKER).await.expect("a transaction");
            let role = sqlx::query("update role set pacijenti = $2, sve_ustanove = $3 where ime = 'Uloga radnika ' || $1");
            let opens = if held.opens { "izmena" } else { "ne" };
            role.bind(&name).bind(opens).bind(held.everywhere).execute(&mut *tx).await.expect("a role");
            forget_targets(&mut tx).await;
            tx.commit().await.expect("committed");
            let targets = targets(&app).await;
            let more = targets.iter().find(|target| target.near && target.above).expect("one who holds more");
            let mut calls = records(held, &name, &app);
            calls.extend(targets.iter().flat_map(|target| gifts(held, target, more, &ids)));
            for (method, path, body, expected) in calls {
                wrong.extend(unlike(&caller, expected, method, &path, &body).await.map(|unlike| format!("{name} {right:?}: {unlike}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// A call that is not answered by a status that begins as expected.
async fn unlike(caller: &Anonymous, expected: &str, method: &str, path: &str, body: &Value) -> Option<String> {
    let answer = caller.call(method, path, Some(body.clone())).await;
    let right = answer.status.to_string().starts_with(expected);
    (!right).then(|| format!("{method} {path} {body}: {} for {expected} {}", answer.status, answer.text()))
}

/// Those of the turn before are of its turn only.
async fn forget_targets(tx: &mut PgConnection) {
    for statement in [
        "update worker set username = 'bivsi-' || id, aktivan = false where username like 'meta-%'",
        "update role set ime = 'Bivša ' || id where ime like 'Uloga radnika meta-%'",
    ] {
        sqlx::query(statement).execute(&mut *tx).await.expect("gone");
    }
}

#[tokio::test]
#[ignore = "long: every call by a table of people"]
async fn administering_stops_at_the_reach_and_at_the_ceiling() {
    let app = TestApp::new().await;
    let mut wrong = Vec::new();
    for (number, right) in Right::ALL.into_iter().enumerate() {
        for (word, patients) in [("ne", "ne"), ("izmena", "izmena")] {
            for everywhere in [false, true] {
                let name = format!("uprava-{word}-{number}-{}", if everywhere { "sve" } else { "svoje" });
                let caller = app.worker(&name, &[right], app.ustanova).await;
                let mut tx = domain::db::begin(&app.db.owner, domain::db::SYSTEM_WORKER).await.expect("a transaction");
                let role = sqlx::query("update role set pacijenti = $2, sve_ustanove = $3 where ime = 'Uloga radnika ' || $1");
                role.bind(&name).bind(patients).bind(everywhere).execute(&mut *tx).await.expect("a role");
                forget_targets(&mut tx).await;
                tx.commit().await.expect("committed");
                for target in targets(&app).await {
                    let reached = target.near || everywhere;
                    let above = target.above && right != Right::Log;
                    for (method, path, body, bounded) in on_worker(&target, app.ustanova) {
                        let expected = match () {
                            () if right != Right::Workers => "403",
                            () if !reached => "404",
                            () if bounded && above => "403",
                            () => "2",
                        };
                        wrong.extend(
                            unlike(&caller, expected, method, &path, &body)
                                .await
                                .map(|unlike| format!("{name} on {}: {unlike}", target.who)),
                        );
                    }
                    for (method, path, body) in on_role(&target) {
                        let expected = if right != Right::Roles || !reached || above { "403" } else { "2" };
                        wrong.extend(
                            unlike(&caller, expected, method, &path, &body)
                                .await
                                .map(|unlike| format!("{name} on {}: {unlike}", target.who)),
                        );
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
