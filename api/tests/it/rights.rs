//! Rights over the whole API: what a worker without any may call is in the table of `clinical_rights.rs`, and nothing else; and who is
//! let through to each operation, by each right alone, by what her roles open of patients, by institution and by the ceiling. A new
//! route is refused to everybody, or gets a row here.

use std::collections::BTreeMap;

use api::rights::{Patients, Right};
use futures::future::join_all;
use serde_json::{Value, json};

use crate::{
    clinical_rights,
    reports::Report,
    routes,
    support::{TestApp, Worker},
};

/// Open to a worker for the own record only: here they are called with another's.
const OWN_ONLY: &[(&str, &str)] = &[("GET", "/api/workers/{id}"), ("PATCH", "/api/workers/{id}"), ("POST", "/api/worker-password-change")];

#[tokio::test]
async fn a_worker_without_rights_is_refused_everything_but_the_clinical_table() {
    let app = TestApp::new().await;
    let sestra = app.sestra().await;
    let other = app.lekar().await;
    let mut table = clinical_rights::routes();
    for (method, path) in routes::operations() {
        let operation = (method.as_str(), path.as_str());
        if table.remove(format!("{method} {path}").as_str()) && !OWN_ONLY.contains(&operation) {
            continue;
        }
        let target = path.split('/').map(|part| if part.starts_with('{') { other.id.to_string() } else { part.to_owned() });
        let target = target.collect::<Vec<_>>().join("/");
        let body = if OWN_ONLY.contains(&operation) { json!({ "radnikID": other.id }) } else { json!({}) };
        let answer = sestra.call(&method, &target, Some(body)).await;
        assert_eq!(answer.status, 403, "{method} {path} is open, and has no row in the clinical table: {}", answer.text());
    }
    assert!(table.is_empty(), "rows of no route: {table:?}");
}

/// Who is let through; everybody else is answered 403.
#[derive(Debug, Clone, Copy)]
enum Rule {
    /// Whoever is signed in.
    Open,
    /// Who holds one of these.
    AnyOf(&'static [Right]),
    /// Whose role opens patients. How far, and whose, is told below.
    Clinical,
    /// Whose role opens patients to change.
    Changing,
}

use Rule::{AnyOf, Changing, Clinical, Open};

const NOTHING: i64 = 987_654_321;
const REPORTS: Rule = AnyOf(&[Right::Reports, Right::ReportSetup]);
const REGISTERS: Rule = AnyOf(&[Right::Registers]);
const SETUP: Rule = AnyOf(&[Right::ReportSetup]);
const PARAMETERS: Rule = AnyOf(&[Right::Parameters]);
const ROLES: Rule = AnyOf(&[Right::Roles]);
const WORKERS: Rule = AnyOf(&[Right::Workers]);
const PEOPLE: Rule = AnyOf(&[Right::Roles, Right::Workers]);
const EXPORTS: Rule = AnyOf(&[Right::DataExport]);
const STATISTICS: Rule = AnyOf(&[Right::EntryStatistics]);
const WARNINGS: Rule = AnyOf(&[Right::WarningsAndReleases]);

/// Operations of a collection and of its records.
const COLLECTION: &str = "GET POST";
const RECORD: &str = "GET PUT PATCH DELETE";

/// Rule, methods, path.
const TABLE: &[(Rule, &str, &str)] = &[
    // Public, and the worker's own.
    (Open, "GET", "/api/application"),
    (Open, "GET", "/api/health"),
    (Open, "GET", "/api/health/live"),
    (Open, "GET", "/api/health/ready"),
    (Open, "POST", "/api/login"),
    (Open, "GET", "/api/oidc/login"),
    (Open, "GET", "/api/oidc/callback"),
    (Open, "POST", "/api/oidc/sign-in"),
    (Open, "GET", "/api/izvestajiWebSocket"),
    (Open, "GET", "/api/session"),
    (Open, "POST", "/api/session/confirm"),
    (Open, "GET", "/api/sessions"),
    (Open, "DELETE", "/api/sessions/{id}"),
    (Open, "GET POST", "/api/second-factor"),
    (Open, "POST", "/api/second-factor/confirm"),
    (Open, "POST", "/api/second-factor/off"),
    (Open, "POST", "/api/second-factor/recovery-codes"),
    (Open, "GET", "/api/application-rights"),
    (Open, "GET", "/api/warning"),
    (Open, "GET", "/api/parameter/izvestaji"),
    (Open, "GET", "/api/parameter/pacijent"),
    (Open, "GET", "/api/parameter/registri"),
    (Open, "GET", "/api/parameters/by-name/{naziv}"),
    // Configuration.
    (PARAMETERS, COLLECTION, "/api/parameters"),
    (PARAMETERS, RECORD, "/api/parameters/{id}"),
    (Open, "GET", "/api/institutions"),
    (Open, "GET", "/api/institutions/{id}"),
    (AnyOf(&[Right::Institutions]), "POST", "/api/institutions"),
    (AnyOf(&[Right::Institutions]), "PUT PATCH DELETE", "/api/institutions/{id}"),
    (PEOPLE, "GET", "/api/roles"),
    (ROLES, "POST", "/api/roles"),
    (PEOPLE, "GET", "/api/roles/{id}"),
    (ROLES, "PUT PATCH DELETE", "/api/roles/{id}"),
    (PEOPLE, "GET", "/api/roles/{id}/workers"),
    (ROLES, "POST", "/api/role-rights"),
    (ROLES, "POST", "/api/role-rights-delete"),
    (WORKERS, COLLECTION, "/api/workers"),
    (WORKERS, RECORD, "/api/workers/{id}"),
    (WORKERS, "POST", "/api/workers/{id}/second-factor-reset"),
    (WORKERS, "POST", "/api/workers/{id}/external-account-unlink"),
    (WORKERS, "POST", "/api/worker-password-change"),
    (WORKERS, "POST", "/api/worker-roles"),
    (WORKERS, "POST", "/api/worker-roles-delete"),
    (WORKERS, "POST", "/api/worker-institutions"),
    (WORKERS, "POST", "/api/worker-institutions-delete"),
    (Open, "GET", "/api/registers"),
    (Open, "GET", "/api/registers/{id}"),
    (REGISTERS, "POST", "/api/registers"),
    (REGISTERS, "PUT PATCH DELETE", "/api/registers/{id}"),
    (REGISTERS, COLLECTION, "/api/forms"),
    (REGISTERS, RECORD, "/api/forms/{id}"),
    (REGISTERS, "GET", "/api/forms/{id}/versions"),
    (REGISTERS, "GET", "/api/forms/{id}/version-differences"),
    (REGISTERS, "GET POST PUT DELETE", "/api/forms/{id}/draft"),
    (REGISTERS, "GET", "/api/forms/{id}/draft/changes"),
    (REGISTERS, "GET", "/api/forms/{id}/draft/impact"),
    (REGISTERS, "POST", "/api/forms/{id}/draft/publish"),
    (REGISTERS, "POST", "/api/forms/{id}/draft/rebase"),
    (REGISTERS, COLLECTION, "/api/form-fields"),
    (REGISTERS, RECORD, "/api/form-fields/{id}"),
    (REGISTERS, "POST", "/api/form-field-checks"),
    (REGISTERS, COLLECTION, "/api/attribute-types"),
    (REGISTERS, RECORD, "/api/attribute-types/{id}"),
    (REGISTERS, COLLECTION, "/api/enum-items"),
    (REGISTERS, RECORD, "/api/enum-items/{id}"),
    (REGISTERS, "GET", "/api/value-types"),
    (Open, "GET", "/api/sponsors"),
    (Open, "GET", "/api/sponsors/{id}"),
    (REGISTERS, "POST", "/api/sponsors"),
    (REGISTERS, "PUT PATCH DELETE", "/api/sponsors/{id}"),
    // The setup of reports.
    (SETUP, COLLECTION, "/api/report-categories"),
    (SETUP, RECORD, "/api/report-categories/{id}"),
    (SETUP, COLLECTION, "/api/report-types"),
    (SETUP, RECORD, "/api/report-types/{id}"),
    (SETUP, COLLECTION, "/api/reports"),
    (SETUP, RECORD, "/api/reports/{id}"),
    (SETUP, COLLECTION, "/api/report-parameters"),
    (SETUP, RECORD, "/api/report-parameters/{id}"),
    (SETUP, COLLECTION, "/api/report-parameter-types"),
    (SETUP, RECORD, "/api/report-parameter-types/{id}"),
    (SETUP, COLLECTION, "/api/recipient-groups"),
    (SETUP, RECORD, "/api/recipient-groups/{id}"),
    (SETUP, "GET", "/api/recipient-group-workers"),
    (SETUP, "GET", "/api/report-formats"),
    (SETUP, "GET", "/api/report-parameter-kinds"),
    (SETUP, "POST", "/api/report-format-links"),
    (SETUP, "POST", "/api/report-format-links-delete"),
    (SETUP, "GET", "/api/report-guide"),
    (SETUP, "GET", "/api/simple-report-registers"),
    (SETUP, "GET", "/api/simple-report-forms/{id}"),
    (SETUP, "GET", "/api/reports/{id}/definition"),
    (SETUP, "POST", "/api/reports/{id}/definition-check"),
    (SETUP, "POST", "/api/reports/{id}/definitions"),
    (SETUP, "GET", "/api/reports/{id}/definitions/{broj}"),
    (SETUP, "POST", "/api/reports/{id}/definitions/{broj}/publish"),
    (SETUP, "POST", "/api/reports/{id}/definitions/{broj}/trial"),
    (SETUP, "POST", "/api/reports/{id}/simple-definition-check"),
    (SETUP, "POST", "/api/reports/{id}/simple-definitions"),
    (SETUP, "GET", "/api/report-trials/{id}"),
    // Reports.
    (REPORTS, "GET", "/api/report-calendar"),
    (REPORTS, "GET", "/api/report-categories/tree"),
    (REPORTS, "GET", "/api/report-days"),
    (REPORTS, "GET", "/api/report-parameters/{id}/options"),
    (REPORTS, "POST", "/api/report-queue"),
    (REPORTS, "GET", "/api/report-recipients"),
    (REPORTS, "GET", "/api/report-runs"),
    (REPORTS, "GET", "/api/report-runs/attention"),
    (REPORTS, "POST", "/api/report-runs/seen"),
    (REPORTS, "GET DELETE", "/api/report-runs/{id}"),
    (REPORTS, "POST", "/api/report-runs/{id}/again"),
    (REPORTS, "POST", "/api/report-runs/{id}/cancel"),
    (REPORTS, "GET", "/api/report-runs/{id}/download"),
    (REPORTS, "POST", "/api/report-runs/{id}/send"),
    (REPORTS, "GET", "/api/report-schedules"),
    (REPORTS, "POST", "/api/report-schedules/preview"),
    (REPORTS, "GET DELETE", "/api/report-schedules/{id}"),
    (REPORTS, "POST", "/api/report-schedules/{id}/pause"),
    (REPORTS, "POST", "/api/report-schedules/{id}/resume"),
    (REPORTS, "POST", "/api/report-schedules/{id}/run"),
    (REPORTS, "GET", "/api/reports/{id}/parameters"),
    (REPORTS, "POST", "/api/socket-tickets"),
    // Operations, the log, statistics, exports.
    (PARAMETERS, "POST", "/api/ciscenje-pula-konekcija"),
    (PARAMETERS, "GET", "/api/konekcije"),
    (AnyOf(&[Right::Parameters, Right::ReportSetup]), "GET", "/api/jasperi"),
    (PARAMETERS, "POST", "/api/obrisi-jasper"),
    (PARAMETERS, "POST", "/api/reload-parametara"),
    (PARAMETERS, "GET", "/api/operations"),
    (PARAMETERS, "POST", "/api/operations/engines/{id}/drain"),
    (PARAMETERS, "POST", "/api/operations/engines/{id}/resume"),
    (PARAMETERS, "POST", "/api/operations/runs/{id}/cancel"),
    (PARAMETERS, "POST", "/api/operations/runs/{id}/retry"),
    (AnyOf(&[Right::Log]), "GET", "/api/log"),
    (AnyOf(&[Right::Log]), "GET", "/api/log/search-data"),
    (STATISTICS, "GET", "/api/log/entry-statistics"),
    (STATISTICS, "GET", "/api/log/workers"),
    (AnyOf(&[Right::Looks]), "GET", "/api/looks"),
    (AnyOf(&[Right::Looks, Right::Log]), "GET", "/api/looks/patients"),
    (AnyOf(&[Right::Looks]), "GET", "/api/looks/unusual"),
    (AnyOf(&[Right::Looks]), "GET", "/api/looks/workers"),
    (WARNINGS, "GET", "/api/releases"),
    (WARNINGS, "POST", "/api/save-warning"),
    (WARNINGS, "POST", "/api/delete-warning"),
    (EXPORTS, "GET", "/api/data-export-options"),
    (EXPORTS, "GET", "/api/data-export-options/{id}"),
    (EXPORTS, COLLECTION, "/api/data-exports"),
    (EXPORTS, "DELETE", "/api/data-exports/{id}"),
    (EXPORTS, "POST", "/api/data-exports/{id}/cancel"),
    (EXPORTS, "GET", "/api/data-exports/{id}/file"),
    // Patients and entries.
    (Clinical, "GET", "/api/registers/{id}/search-setup"),
    (Clinical, "POST", "/api/search"),
    (Clinical, "POST", "/api/search-exports"),
    (Changing, "POST", "/api/patients"),
    (Changing, "POST", "/api/patients/duplicates"),
    (Clinical, "GET PATCH", "/api/patients/{id}"),
    (Clinical, "GET", "/api/patients/{id}/archive"),
    (AnyOf(&[Right::Anonymisation]), "GET POST", "/api/patients/{id}/anonymisation"),
    (Clinical, "GET", "/api/patients/{id}/chart"),
    (Clinical, "GET", "/api/patients/{id}/entries"),
    (Clinical, "GET", "/api/patients/{id}/latest-entries"),
    (Clinical, "GET", "/api/patients/{id}/trend"),
    (Clinical, "GET", "/api/patients/{id}/views"),
    (Clinical, "GET", "/api/patients/{id}/deleted-entries"),
    (Clinical, "GET", "/api/deleted-patients"),
    (Clinical, "GET", "/api/patient-takings"),
    (Changing, "POST", "/api/patient-takings"),
    (Clinical, "GET", "/api/patient-takings/unseen"),
    (Clinical, "POST", "/api/patient-takings/{id}/end"),
    (Clinical, "POST", "/api/patient-takings/{id}/seen"),
    (Clinical, "GET", "/api/entry-count"),
    (Clinical, "GET", "/api/entry-display"),
    (Clinical, "POST", "/api/entry-values"),
    (Clinical, "POST", "/api/delete-entry"),
    (Clinical, "POST", "/api/restore-entry"),
    (Clinical, "POST", "/api/stale-results"),
    (Clinical, "GET", "/api/entries/{id}/archive"),
    (Clinical, "GET", "/api/entries/{id}/items"),
    (Clinical, "GET", "/api/entries/{id}/newer-form"),
    (Clinical, "GET", "/api/entries/{id}/view"),
    (Clinical, "GET", "/api/entry-drafts"),
    (Clinical, "PUT DELETE", "/api/entry-drafts/{kljuc}"),
    (Clinical, "POST", "/api/entry-prints"),
    (Clinical, "GET", "/api/entry-prints/{id}"),
    (Clinical, "POST", "/api/entry-prints/{id}/cancel"),
    (Clinical, "GET", "/api/entry-prints/{id}/file"),
    // Last, for they end the caller's session.
    (Open, "POST", "/api/logout"),
    (Open, "DELETE", "/api/sessions"),
];

/// Those that need a right and a role as well, so that some whom the rule lets through are refused by what is asked after it.
const ASK_MORE: &[&str] = &[
    "GET /api/deleted-patients",
    "GET /api/looks/patients",
    "POST /api/patient-takings/{id}/seen",
    "POST /api/patient-takings/{id}/end",
    "GET /api/patients/{id}/anonymisation",
    "POST /api/patients/{id}/anonymisation",
];
/// Open to their workers, but not with a body that names another worker.
const OF_OTHERS: &[&str] = &["POST /api/worker-password-change"];

impl Rule {
    fn admits(self, caller: &Caller) -> bool {
        match self {
            Open => true,
            AnyOf(rights) => caller.right.is_some_and(|right| rights.contains(&right)),
            Clinical => caller.patients != Patients::Ne,
            Changing => caller.patients == Patients::Izmena,
        }
    }
}

/// A worker with one right, or none, whose role opens patients so far.
struct Caller {
    right: Option<Right>,
    patients: Patients,
    worker: Worker,
}

/// One for each right and each opening, in the institution.
async fn callers(app: &TestApp, ustanova: i64, prefix: &str) -> Vec<Caller> {
    let mut callers = Vec::new();
    for (patients, word) in [(Patients::Ne, "ne"), (Patients::Uvid, "uvid"), (Patients::Izmena, "izmena")] {
        for right in Right::ALL.into_iter().map(Some).chain([None]) {
            let name = format!("{prefix}-{word}-{}", right.map_or(0, Right::number));
            let worker = app.worker(&name, right.as_slice(), ustanova).await;
            callers.push(Caller { right, patients, worker });
        }
    }
    app.lay_out(&[
        "update role set pacijenti = 'ne' where ime like 'Uloga radnika %-ne-%'",
        "update role set pacijenti = 'uvid' where ime like 'Uloga radnika %-uvid-%'",
    ])
    .await;
    callers
}

/// `GET /api/roles` and its rule, of every operation.
fn rows() -> Vec<(String, &'static str, Rule)> {
    let row = |(rule, methods, path): &(Rule, &'static str, &'static str)| {
        methods.split(' ').map(|method| (method.to_owned(), *path, *rule)).collect::<Vec<_>>()
    };
    TABLE.iter().flat_map(row).collect()
}

#[test]
fn every_operation_has_one_row_and_every_row_an_operation() {
    let mut rows_of: BTreeMap<String, i32> = BTreeMap::new();
    for (method, path, _) in rows() {
        *rows_of.entry(format!("{method} {path}")).or_default() += 1;
    }
    let operations: Vec<String> = routes::operations().into_iter().map(|(method, path)| format!("{method} {path}")).collect();
    let without: Vec<&String> = operations.iter().filter(|operation| rows_of.get(*operation) != Some(&1)).collect();
    assert!(without.is_empty(), "without a row of its own: {without:#?}");
    rows_of.retain(|row, _| !operations.contains(row));
    assert!(rows_of.is_empty(), "rows of no operation: {rows_of:?}");
}

/// Every operation, about what does not exist and with nothing in its body: who is refused is answered 403, everybody else not.
#[tokio::test]
async fn each_right_alone_opens_what_the_table_says() {
    let app = TestApp::new().await;
    let engine = "insert into process (id, kind, version, seen_at) values ('engine', 'report-engine', '2.2.0', now() + interval '1 hour')";
    app.lay_out(&[engine]).await;
    let callers = callers(&app, app.ustanova, "sam").await;
    let mut wrong = Vec::new();
    for (method, path, rule) in rows() {
        let operation = format!("{method} {path}");
        let number = if path.contains("-runs/")
            || path.contains("prints/")
            || path.contains("trials/")
            || path.contains("exports/")
            || path.contains("operations/")
        {
            "00000000-0000-7000-8000-000000000000".to_owned()
        } else {
            NOTHING.to_string()
        };
        let target = path.split('/').map(|part| if part.starts_with('{') { number.clone() } else { part.to_owned() });
        let target = target.collect::<Vec<_>>().join("/");
        let body = match OF_OTHERS.contains(&operation.as_str()) {
            true => json!({ "radnikID": NOTHING, "isAdmin": true }),
            false => json!({}),
        };
        let calls = callers.iter().map(|caller| caller.worker.call(&method, &target, Some(body.clone())));
        for (caller, answer) in callers.iter().zip(join_all(calls).await) {
            let admitted = rule.admits(caller);
            let fits = match answer.status {
                403 => !admitted || ASK_MORE.contains(&operation.as_str()),
                500.. => false,
                _ => admitted,
            };
            if !fits {
                wrong.push(format!("{operation} by {:?} with {:?}: {} {}", caller.right, caller.patients, answer.status, answer.text()));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// What is about one patient: whoever's role opens patients as far as is asked, in an institution that knows the patient.
#[tokio::test]
async fn patients_open_by_the_role_and_to_the_institution_that_knows_them() {
    let app = TestApp::new().await;
    let register = app.register().await;
    let person = app.person(&register, app.ustanova, 1).await;
    let (own, other) = (callers(&app, app.ustanova, "kod").await, callers(&app, app.druga_ustanova, "drugde").await);
    let (id, entry, form, field, register) = (person.id, person.entry, register.form, register.field("broj"), register.id);
    let calls = [
        ("GET", format!("/api/patients/{id}"), Patients::Uvid, false),
        ("GET", format!("/api/patients/{id}/archive"), Patients::Uvid, false),
        ("GET", format!("/api/patients/{id}/views"), Patients::Uvid, false),
        ("GET", format!("/api/patients/{id}/entries?registarID={register}"), Patients::Uvid, false),
        ("GET", format!("/api/patients/{id}/latest-entries?registarID={register}"), Patients::Uvid, false),
        ("GET", format!("/api/patients/{id}/chart?sifre=broj&registarID={register}"), Patients::Uvid, false),
        ("GET", format!("/api/patients/{id}/trend?registarID={register}"), Patients::Uvid, false),
        ("GET", format!("/api/entry-display?haID={entry}"), Patients::Uvid, false),
        ("GET", format!("/api/entries/{entry}/view"), Patients::Uvid, false),
        ("GET", format!("/api/entries/{entry}/items"), Patients::Uvid, false),
        ("GET", format!("/api/entries/{entry}/newer-form"), Patients::Uvid, false),
        ("GET", format!("/api/entries/{entry}/archive?nizAutsID={field}"), Patients::Uvid, false),
        ("GET", format!("/api/entry-count?pacijentID={id}&thaID={form}"), Patients::Uvid, false),
        ("GET", format!("/api/entry-display?tsaID={form}&pacijentID={id}"), Patients::Izmena, false),
        ("PATCH", format!("/api/patients/{id}"), Patients::Izmena, false),
        ("GET", format!("/api/patients/{id}/deleted-entries"), Patients::Izmena, true),
    ];
    let mut wrong = Vec::new();
    for (method, path, needed, with_right) in &calls {
        for (caller, knows) in own.iter().map(|caller| (caller, true)).chain(other.iter().map(|caller| (caller, false))) {
            let expected = match () {
                () if caller.patients == Patients::Ne => 403,
                () if !knows => 404,
                () if caller.patients < *needed || *with_right && caller.right.is_none() => 403,
                () => 200,
            };
            let answer = caller.worker.call(method, path, (*method != "GET").then(|| json!({}))).await;
            if answer.status != expected {
                wrong.push(format!(
                    "{method} {path} by {:?} with {:?}, known {knows}: {} for {expected}",
                    caller.right, caller.patients, answer.status
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// One who is administered: in the own institution or in another, with less than the administrator or with more.
struct Target {
    who: &'static str,
    radnik: i64,
    uloga: i64,
    /// A deleted one that would give the same.
    bivsa_uloga: i64,
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
        let uloga = sqlx::query_scalar("select uloga_id from worker_role where radnik_id = $1").bind(worker.id);
        let uloga = uloga.fetch_one(&app.db.owner).await.expect("a role");
        let bivsa_uloga = former_role(app, worker.id, uloga).await;
        targets.push(Target { who, radnik: worker.id, uloga, bivsa_uloga, near: ustanova == app.ustanova, above });
    }
    app.lay_out(&["update role set pacijenti = 'ne' where ime like 'Uloga radnika meta-%'"]).await;
    targets
}

/// A deleted role of the worker with the rights of another one.
async fn former_role(app: &TestApp, radnik: i64, like: i64) -> i64 {
    let mut tx = domain::db::begin(&app.db.owner, domain::db::SYSTEM_WORKER).await.expect("a transaction");
    let id = sqlx::query_scalar("insert into role (ime, aktivan) select ime || ' bivša', false from role where id = $1 returning id");
    let id: i64 = id.bind(like).fetch_one(&mut *tx).await.expect("a role");
    for statement in [
        "insert into role_right select $1, aplikativno_pravo_id from role_right where uloga_id = $2 and $3 is not null",
        "insert into worker_role (radnik_id, uloga_id) select $3::bigint, $1 where $2::bigint is not null",
    ] {
        sqlx::query(statement).bind(id).bind(like).bind(radnik).execute(&mut *tx).await.expect("what it gives, and to whom");
    }
    tx.commit().await.expect("committed");
    id
}

/// Operations on a worker, and whether the ceiling bounds them. What they change they change to what it is.
fn on_worker(target: &Target, own: i64) -> Vec<(&'static str, String, Value, bool)> {
    let (id, role) = (target.radnik, target.uloga);
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
    let (id, right) = (target.uloga, json!([]));
    vec![
        ("PATCH", format!("/api/roles/{id}"), json!({})),
        ("PUT", format!("/api/roles/{id}"), json!({})),
        ("POST", "/api/role-rights-delete".to_owned(), json!({ "ulogaID": id, "aplikativnaPravaID": right })),
        ("PATCH", format!("/api/roles/{}", target.bivsa_uloga), json!({ "aktivan": true })),
    ]
}

#[tokio::test]
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
                // Those of the turn before are of its turn only.
                sqlx::query("update worker set username = 'bivsi-' || id, aktivan = false where username like 'meta-%'")
                    .execute(&mut *tx)
                    .await
                    .expect("gone");
                sqlx::query("update role set ime = 'Bivša ' || id where ime like 'Uloga radnika meta-%'")
                    .execute(&mut *tx)
                    .await
                    .expect("gone");
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
                        let answer = caller.call(method, &path, Some(body.clone())).await;
                        if !answer.status.to_string().starts_with(expected) {
                            wrong.push(format!(
                                "{name}: {method} {path} {body} on {}: {} for {expected} {}",
                                target.who,
                                answer.status,
                                answer.text()
                            ));
                        }
                    }
                    for (method, path, body) in on_role(&target) {
                        let expected = if right != Right::Roles || !reached || above { "403" } else { "2" };
                        let answer = caller.call(method, &path, Some(body.clone())).await;
                        if !answer.status.to_string().starts_with(expected) {
                            wrong.push(format!(
                                "{name}: {method} {path} {body} on {}: {} for {expected} {}",
                                target.who,
                                answer.status,
                                answer.text()
                            ));
                        }
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// What belongs to one worker, or to her institution: to everybody else it is as if it were not there, whatever rights she holds.
#[tokio::test]
async fn what_is_one_workers_is_not_there_for_others_whatever_they_hold() {
    let app = TestApp::new().await;
    let register = app.register().await;
    app.lay_out(&[
        "insert into process (id, kind, version, seen_at) values ('engine', 'report-engine', '2.2.0', now() + interval '1 hour')",
    ])
    .await;
    let person = app.person(&register, app.ustanova, 1).await;
    let owner = app.worker("vlasnica", &[Right::Reports, Right::DataExport], app.ustanova).await;
    let others = [app.worker("kolega", &Right::ALL, app.ustanova).await, app.worker("drugde", &Right::ALL, app.druga_ustanova).await];
    let report = Report::plain(&app.db).await;
    let run = report.run(&owner).await.to_string();
    let schedule = owner.post("/api/report-queue", report.weekly(&owner)).await.assert_status(202).json()["zakazivanjeID"].to_string();
    let order = json!({
        "registarID": register.id, "tsaID": register.form, "red": "unos", "ustanove": [app.ustanova], "profil": "bez_identiteta", "razlog": "Godišnja studija",
    });
    let text = |answer: &Value, name: &str| answer[name].as_str().expect("an id").to_owned();
    let export = text(&owner.post("/api/data-exports", order).await.assert_status(202).json(), "izvozID");
    let print = text(&owner.post("/api/entry-prints", json!({ "unosID": person.entry })).await.assert_status(202).json(), "stampaID");
    let session = owner.get("/api/sessions").await.json()["data"][0]["id"].to_string();
    const NOBODYS: &str = "00000000-0000-7000-8000-000000000000";
    let calls = [
        ("GET", "/api/report-runs/{}", &run, NOBODYS),
        ("GET", "/api/report-runs/{}/download?format=CSV", &run, NOBODYS),
        ("POST", "/api/report-runs/{}/again", &run, NOBODYS),
        ("POST", "/api/report-runs/{}/send", &run, NOBODYS),
        ("POST", "/api/report-runs/{}/cancel", &run, NOBODYS),
        ("DELETE", "/api/report-runs/{}", &run, NOBODYS),
        ("GET", "/api/report-schedules/{}", &schedule, "987654321"),
        ("POST", "/api/report-schedules/{}/pause", &schedule, "987654321"),
        ("POST", "/api/report-schedules/{}/resume", &schedule, "987654321"),
        ("POST", "/api/report-schedules/{}/run", &schedule, "987654321"),
        ("DELETE", "/api/report-schedules/{}", &schedule, "987654321"),
        ("POST", "/api/data-exports/{}/cancel", &export, NOBODYS),
        ("GET", "/api/data-exports/{}/file", &export, NOBODYS),
        ("DELETE", "/api/data-exports/{}", &export, NOBODYS),
        ("GET", "/api/entry-prints/{}", &print, NOBODYS),
        ("GET", "/api/entry-prints/{}/file", &print, NOBODYS),
        ("POST", "/api/entry-prints/{}/cancel", &print, NOBODYS),
        ("DELETE", "/api/sessions/{}", &session, "987654321"),
    ];
    let mut wrong = Vec::new();
    for (method, path, own, nobodys) in calls {
        let body = || (method != "GET").then(|| json!({ "posalji": false, "adresa": "ana@kcs.rs", "redniBroj": 1 }));
        for other in &others {
            let (theirs, none) = (
                other.call(method, &path.replace("{}", own), body()).await,
                other.call(method, &path.replace("{}", nobodys), body()).await,
            );
            if theirs.status != 404 || (theirs.status, theirs.text()) != (none.status, none.text()) {
                wrong.push(format!("{method} {path}: {} {} and {} {}", theirs.status, theirs.text(), none.status, none.text()));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    // All of them are still hers.
    for (method, path, own, _) in
        calls.iter().filter(|(method, path, ..)| *method == "GET" && !path.contains("file") && !path.contains("download"))
    {
        owner.call(method, &path.replace("{}", own), None).await.assert_status(200);
    }
    for list in ["/api/report-runs", "/api/report-schedules", "/api/data-exports"] {
        assert_eq!(owner.get(list).await.json()["total"], 1, "{list}");
        for other in &others {
            assert_eq!(other.get(list).await.json()["total"], 0, "{list}");
        }
    }
}
