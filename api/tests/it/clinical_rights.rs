//! Who is answered what, for every call that no right closes: the table of the clinical routes. `rights/` shows that each route
//! of the API which is not in this table is refused to a worker without rights, so that none can be forgotten.

use std::collections::HashSet;

use accounts::rights::Right;
use jiff::SignedDuration;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Anonymous, Person, TestApp, TestRegister, Worker, record};

/// Whom a call is made by. Everybody but `Nobody` has a live session.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Caller {
    /// A doctor of the institution that holds the patient: has the right to reports.
    Own,
    /// Holds every right there is, in another institution.
    Other,
    /// Of the institution, with a role that gives no right.
    NoRight,
    /// Of the institution, without any role.
    NoRole,
    /// Holds every right, and works in no institution.
    Nowhere,
    /// Of the institution, with a role that opens patients to read.
    Reader,
    /// Of the institution, with every right of administration and a role that opens no patient.
    Office,
}

const CALLERS: [Caller; 7] = [Caller::Own, Caller::Other, Caller::NoRight, Caller::NoRole, Caller::Nowhere, Caller::Reader, Caller::Office];

/// One call and its answers, in the order of `CALLERS`.
struct Row {
    /// As the document names it.
    route: &'static str,
    /// Open to those who are not signed in.
    public: bool,
    statuses: [u16; 7],
    call: fn(&Scene) -> (String, Value),
}

/// What a call is about: a patient of the first institution, or one that does not exist.
struct Scene<'a> {
    register: &'a TestRegister,
    patient: i64,
    entry: i64,
    visit: i64,
    caller: &'a Worker,
    doctor: i64,
    number: i64,
    /// A print of the entry that the caller asked for, and that has expired.
    print: Uuid,
}

impl Scene<'_> {
    fn patient(&self, rest: &str) -> String {
        format!("/api/patients/{}{rest}", self.patient)
    }

    fn in_register(&self, rest: &str) -> String {
        self.patient(&format!("/{rest}registarID={}", self.register.id))
    }

    fn draft(&self) -> String {
        format!("/api/entry-drafts/unos-{}", self.entry)
    }

    fn saving(&self, entry: Option<i64>) -> Value {
        json!({
            "unosID": entry, "tsaID": self.register.form, "registarID": self.register.id, "pacijentID": self.patient, "verzija": 1,
            "vrednosti": { self.register.field("broj"): 5 }, "radnikOdgovoran": self.doctor, "datumUnosa": "2026-03-05",
        })
    }
}

const EVERYONE: [u16; 7] = [200; 7];
/// What is about patients and shows none of them: whoever has a role that opens patients.
const CLINICAL: [u16; 7] = [200, 200, 200, 403, 200, 200, 403];
/// Looking at a patient: in an institution that knows the patient as well.
const LOOKING: [u16; 7] = [200, 404, 200, 403, 404, 200, 403];
/// Changing: with a role that opens patients to change.
const CHANGING: [u16; 7] = [200, 404, 200, 403, 404, 403, 403];
/// Deleting: with any right as well.
const DELETING: [u16; 7] = [200, 404, 403, 403, 404, 403, 403];

/// What is about a planned visit that is not there.
const NO_VISIT: [u16; 7] = [404, 404, 404, 403, 404, 404, 403];

fn public(route: &'static str, statuses: [u16; 7], call: fn(&Scene) -> (String, Value)) -> Row {
    Row { public: true, ..row(route, statuses, call) }
}

fn row(route: &'static str, statuses: [u16; 7], call: fn(&Scene) -> (String, Value)) -> Row {
    Row { route, public: false, statuses, call }
}

fn path(path: impl Into<String>) -> (String, Value) {
    (path.into(), Value::Null)
}

/// The same status with another number for success.
const fn success(statuses: [u16; 7], with: u16) -> [u16; 7] {
    let mut numbers = statuses;
    let mut at = 0;
    while at < numbers.len() {
        if numbers[at] == 200 {
            numbers[at] = with;
        }
        at += 1;
    }
    numbers
}

fn table() -> Vec<Row> {
    vec![
        // Before the sign-in.
        public("GET /api/application", EVERYONE, |_| path("/api/application")),
        public("GET /api/health", EVERYONE, |_| path("/api/health")),
        public("GET /api/health/live", EVERYONE, |_| path("/api/health/live")),
        public("GET /api/health/ready", EVERYONE, |_| path("/api/health/ready")),
        public("GET /api/sponsors", EVERYONE, |_| path("/api/sponsors")),
        public("POST /api/login", [401; 7], |scene| {
            ("/api/login".into(), json!({ "username": format!("niko{}", scene.caller.id), "password": "nista" }))
        }),
        // There is no provider here.
        public("GET /api/oidc/login", [404; 7], |_| path("/api/oidc/login")),
        public("GET /api/oidc/callback", [404; 7], |_| path("/api/oidc/callback")),
        public("POST /api/oidc/sign-in", [404; 7], |_| ("/api/oidc/sign-in".into(), json!({}))),
        // By the token of a display alone, whoever is signed in.
        public("POST /api/wall", [401; 7], |_| ("/api/wall".into(), json!({}))),
        // The worker's own.
        row("GET /api/session", EVERYONE, |_| path("/api/session")),
        row("POST /api/session/confirm", [422; 7], |_| ("/api/session/confirm".into(), json!({}))),
        row("GET /api/sessions", EVERYONE, |_| path("/api/sessions")),
        row("DELETE /api/sessions/{id}", [404; 7], |_| path("/api/sessions/0")),
        row("GET /api/second-factor", EVERYONE, |_| ("/api/second-factor".into(), json!({}))),
        row("POST /api/second-factor", [422; 7], |_| ("/api/second-factor".into(), json!({}))),
        row("POST /api/second-factor/confirm", [422; 7], |_| ("/api/second-factor/confirm".into(), json!({}))),
        row("POST /api/second-factor/recovery-codes", [422; 7], |_| ("/api/second-factor/recovery-codes".into(), json!({}))),
        row("POST /api/second-factor/off", [422; 7], |_| ("/api/second-factor/off".into(), json!({}))),
        row("GET /api/application-rights", EVERYONE, |scene| path(format!("/api/application-rights?radnik={}", scene.caller.id))),
        row("GET /api/workers/{id}", EVERYONE, |scene| path(format!("/api/workers/{}", scene.caller.id))),
        row("PATCH /api/workers/{id}", EVERYONE, |scene| (format!("/api/workers/{}", scene.caller.id), json!({ "adresa": "Nova 1" }))),
        row("POST /api/worker-password-change", [422; 7], |scene| {
            ("/api/worker-password-change".into(), json!({ "radnikID": scene.caller.id, "isAdmin": false }))
        }),
        row("GET /api/worker-start", EVERYONE, |_| path("/api/worker-start")),
        row("PUT /api/worker-start", [204; 7], |_| {
            ("/api/worker-start".into(), json!({ "pocetna": "pacijenti", "nedeljniPregled": false, "javiUpite": true }))
        }),
        row("GET /api/warning", EVERYONE, |_| path("/api/warning")),
        // What a worker without a ticket is told, signed in or not.
        public("GET /api/izvestajiWebSocket", [401; 7], |_| path("/api/izvestajiWebSocket?radnikID=1&ticket=nema")),
        // What is configured.
        row("GET /api/institutions", EVERYONE, |_| path("/api/institutions")),
        row("GET /api/institutions/{id}", EVERYONE, |_| path("/api/institutions/1")),
        row("GET /api/institutions/{id}/logo", EVERYONE, |_| path("/api/institutions/1/logo")),
        row("GET /api/sponsors/{id}", EVERYONE, |_| path("/api/sponsors/1")),
        row("GET /api/parameters/by-name/{naziv}", EVERYONE, |_| path("/api/parameters/by-name/brojRezultataUPretrazi")),
        row("GET /api/parameter/registri", EVERYONE, |_| path("/api/parameter/registri")),
        row("GET /api/parameter/pacijent", EVERYONE, |_| path("/api/parameter/pacijent")),
        row("GET /api/parameter/izvestaji", EVERYONE, |_| path("/api/parameter/izvestaji")),
        row("GET /api/registers", EVERYONE, |_| path("/api/registers?aktivan=true")),
        row("GET /api/registers/{id}", EVERYONE, |scene| path(format!("/api/registers/{}", scene.register.id))),
        row("GET /api/registers/{id}/search-setup", CLINICAL, |scene| path(format!("/api/registers/{}/search-setup", scene.register.id))),
        // Patients. What the search and the duplicates keep back is shown in `blurring.rs`.
        row("POST /api/search", CLINICAL, |scene| ("/api/search".into(), json!({ "registarID": scene.register.id }))),
        row("GET /api/worklist", [200, 200, 200, 403, 422, 200, 403], |_| path("/api/worklist")),
        row("POST /api/patient-lookups", CLINICAL, |_| ("/api/patient-lookups".into(), json!({ "tekst": "nepostojeći" }))),
        row("GET /api/saved-searches", [200, 200, 200, 403, 422, 200, 403], |scene| {
            path(format!("/api/saved-searches?registarID={}", scene.register.id))
        }),
        row("POST /api/saved-searches", [200, 200, 200, 403, 422, 200, 403], |scene| {
            ("/api/saved-searches".into(), json!({ "registarID": scene.register.id, "naziv": "Moja", "upit": {} }))
        }),
        row("DELETE /api/saved-searches/{id}", [404, 404, 404, 403, 404, 404, 403], |_| path("/api/saved-searches/0")),
        row("GET /api/saved-searches/{id}/count", [404, 404, 404, 403, 422, 404, 403], |_| path("/api/saved-searches/0/count")),
        // Of no search of hers there is nothing to export.
        row("POST /api/search-exports", [404, 404, 404, 403, 404, 404, 403], |_| {
            ("/api/search-exports".into(), json!({ "zapis": 0, "oblik": "CSV" }))
        }),
        row("POST /api/patients/duplicates", [200, 200, 200, 403, 422, 403, 403], |scene| {
            ("/api/patients/duplicates".into(), record(scene.number + 1000))
        }),
        row("POST /api/patients", [201, 201, 201, 403, 422, 403, 403], |scene| ("/api/patients".into(), record(scene.number + 1000))),
        // Whose data these are, and what is told the keeper, is shown in `takings.rs`.
        row("POST /api/patient-takings", [404, 404, 404, 403, 422, 403, 403], |_| {
            let mut taking = record(3_999);
            taking["razlog"] = json!("Upućen na dalje lečenje");
            ("/api/patient-takings".into(), taking)
        }),
        row("GET /api/patient-takings", [200, 200, 200, 403, 200, 200, 403], |_| path("/api/patient-takings")),
        row("GET /api/patient-takings/unseen", [200, 200, 200, 403, 200, 200, 403], |_| path("/api/patient-takings/unseen")),
        row("POST /api/patient-takings/{id}/seen", [404, 404, 404, 403, 404, 403, 403], |_| {
            ("/api/patient-takings/0/seen".into(), json!({}))
        }),
        row("POST /api/patient-takings/{id}/end", [404, 404, 404, 403, 404, 403, 403], |_| {
            ("/api/patient-takings/0/end".into(), json!({ "razlog": "Pacijent se vratio" }))
        }),
        row("GET /api/patient-transfers/waiting", [200, 200, 200, 403, 200, 200, 403], |_| path("/api/patient-transfers/waiting")),
        row("GET /api/patients/{id}/merges", LOOKING, |scene| path(scene.patient("/merges"))),
        row("GET /api/patients/{id}", LOOKING, |scene| path(scene.patient(""))),
        row("PATCH /api/patients/{id}", CHANGING, |scene| (scene.patient(""), json!({ "zanimanje": "pekar" }))),
        row("PATCH /api/patients/{id}", DELETING, |scene| (scene.patient(""), json!({ "aktivan": false }))),
        row("GET /api/patients/{id}/archive", LOOKING, |scene| path(scene.patient("/archive"))),
        row("GET /api/patients/{id}/consents", LOOKING, |scene| path(scene.patient("/consents"))),
        row("GET /api/consent-files/{id}", [404, 404, 404, 403, 404, 404, 403], |_| path("/api/consent-files/987654321")),
        row("GET /api/patients/{id}/statuses", LOOKING, |scene| path(scene.patient("/statuses"))),
        row("GET /api/patients/{id}/views", LOOKING, |scene| path(scene.patient("/views"))),
        row("GET /api/patients/{id}/entries", LOOKING, |scene| path(scene.in_register("entries?"))),
        row("GET /api/patients/{id}/latest-entries", LOOKING, |scene| path(scene.in_register("latest-entries?"))),
        row("GET /api/patients/{id}/summary", LOOKING, |scene| path(scene.in_register("summary?"))),
        row("GET /api/patients/{id}/visits", LOOKING, |scene| path(scene.in_register("visits?"))),
        row("GET /api/patients/{id}/chart", LOOKING, |scene| path(scene.in_register("chart?sifre=broj,tekst&"))),
        row("GET /api/patients/{id}/trend", LOOKING, |scene| path(scene.in_register("trend?"))),
        row("PUT /api/visits/{id}", CHANGING, |scene| {
            (format!("/api/visits/{}", scene.visit), json!({ "datum": "2026-01-01", "radnikOdgovoran": scene.doctor }))
        }),
        // Plans of visits; `visit_plans/` shows whose they are.
        row("GET /api/my-day", CLINICAL, |_| path("/api/my-day")),
        row("GET /api/entries/{id}/questions", LOOKING, |scene| path(format!("/api/entries/{}/questions", scene.entry))),
        row("GET /api/entries/{id}/states", LOOKING, |scene| path(format!("/api/entries/{}/states", scene.entry))),
        row("GET /api/questions", CLINICAL, |_| path("/api/questions?spisak=ustanova")),
        row("GET /api/question-counts", CLINICAL, |_| path("/api/question-counts")),
        row("GET /api/finding-counts", CLINICAL, |_| path("/api/finding-counts")),
        row("GET /api/question-workers", CLINICAL, |_| path("/api/question-workers")),
        row("POST /api/questions/{id}/messages", NO_VISIT, |_| ("/api/questions/0/messages".into(), json!({ "tekst": "Da" }))),
        row("POST /api/questions/{id}/close", NO_VISIT, |_| ("/api/questions/0/close".into(), json!({ "porukaID": 0 }))),
        row("POST /api/questions/{id}/reopen", NO_VISIT, |_| ("/api/questions/0/reopen".into(), json!({ "tekst": "Ne" }))),
        row("POST /api/questions/{id}/assign", NO_VISIT, |_| ("/api/questions/0/assign".into(), json!({ "dodeljenID": 1 }))),
        row("GET /api/entries/{id}/findings", LOOKING, |scene| path(format!("/api/entries/{}/findings", scene.entry))),
        row("GET /api/entries/{id}/finding-history", LOOKING, |scene| path(format!("/api/entries/{}/finding-history", scene.entry))),
        row("GET /api/data-quality/entries", CLINICAL, |scene| path(format!("/api/data-quality/entries?registarID={}", scene.register.id))),
        row("GET /api/findings", CLINICAL, |_| path("/api/findings")),
        row("POST /api/findings/{id}/confirm", NO_VISIT, |_| ("/api/findings/0/confirm".into(), json!({}))),
        row("POST /api/findings/{id}/unconfirm", NO_VISIT, |_| ("/api/findings/0/unconfirm".into(), json!({}))),
        row("GET /api/planned-visits", CLINICAL, |_| path("/api/planned-visits?vrsta=kasni")),
        row("GET /api/planned-visit-doctors", CLINICAL, |_| path("/api/planned-visit-doctors")),
        row("GET /api/planned-visit-calendar", CLINICAL, |_| path("/api/planned-visit-calendar?od=2026-03-01&do=2026-03-31")),
        row("GET /api/patients/{id}/visit-plan", LOOKING, |scene| path(scene.in_register("visit-plan?"))),
        row("PUT /api/patients/{id}/visit-plan", success(CHANGING, 422), |scene| {
            (scene.patient("/visit-plan"), json!({ "registarID": scene.register.id, "planID": 0 }))
        }),
        row("POST /api/planned-visits/{id}/link", NO_VISIT, |_| ("/api/planned-visits/0/link".into(), json!({ "unosID": 0 }))),
        row("POST /api/planned-visits/{id}/unlink", NO_VISIT, |_| ("/api/planned-visits/0/unlink".into(), json!({}))),
        row("POST /api/planned-visits/{id}/cancel", NO_VISIT, |_| ("/api/planned-visits/0/cancel".into(), json!({ "razlog": "Na putu" }))),
        row("POST /api/planned-visits/{id}/restore", NO_VISIT, |_| ("/api/planned-visits/0/restore".into(), json!({}))),
        row("GET /api/entry-count", LOOKING, |scene| {
            path(format!("/api/entry-count?pacijentID={}&thaID={}", scene.patient, scene.register.form))
        }),
        // Entries.
        row("POST /api/stale-results", CLINICAL, |scene| ("/api/stale-results".into(), json!({ "unosi": [scene.entry] }))),
        row("GET /api/entry-display", LOOKING, |scene| path(format!("/api/entry-display?haID={}", scene.entry))),
        row("GET /api/entry-display", CHANGING, |scene| {
            path(format!("/api/entry-display?tsaID={}&pacijentID={}", scene.register.form, scene.patient))
        }),
        row("GET /api/entry-previous", LOOKING, |scene| path(format!("/api/entry-previous?haID={}&datumUnosa=2026-01-01", scene.entry))),
        row("GET /api/entries/{id}/view", LOOKING, |scene| path(format!("/api/entries/{}/view", scene.entry))),
        row("GET /api/entries/{id}/newer-form", LOOKING, |scene| path(format!("/api/entries/{}/newer-form", scene.entry))),
        row("GET /api/entries/{id}/items", LOOKING, |scene| path(format!("/api/entries/{}/items", scene.entry))),
        row("GET /api/entries/{id}/archive", LOOKING, |scene| {
            path(format!("/api/entries/{}/archive?nizAutsID={}", scene.entry, scene.register.field("tekst")))
        }),
        row("POST /api/entry-values", CHANGING, |scene| ("/api/entry-values".into(), scene.saving(None))),
        row("POST /api/entry-values", CHANGING, |scene| ("/api/entry-values".into(), scene.saving(Some(scene.entry)))),
        row("POST /api/delete-entry", success(DELETING, 204), |scene| ("/api/delete-entry".into(), json!({ "id": scene.entry }))),
        // The entry is there: nothing to bring back is no fault.
        row("POST /api/restore-entry", success(DELETING, 204), |scene| ("/api/restore-entry".into(), json!({ "id": scene.entry }))),
        row("GET /api/patients/{id}/deleted-entries", DELETING, |scene| path(scene.patient("/deleted-entries"))),
        // Each sees those of the own institution; `deleting.rs` shows whom.
        row("GET /api/deleted-patients", [200, 200, 403, 403, 422, 403, 403], |_| path("/api/deleted-patients")),
        row("POST /api/entry-prints", success(LOOKING, 202), |scene| ("/api/entry-prints".into(), json!({ "unosID": scene.entry }))),
        // How far it is tells nothing of the patient.
        row("GET /api/entry-prints/{id}", CLINICAL, |scene| path(format!("/api/entry-prints/{}", scene.print))),
        row("POST /api/entry-prints/{id}/cancel", success(LOOKING, 409), |scene| path(format!("/api/entry-prints/{}/cancel", scene.print))),
        row("GET /api/entry-prints/{id}/file", success(LOOKING, 410), |scene| path(format!("/api/entry-prints/{}/file", scene.print))),
        // Files: `entry_files.rs` shows those that are there.
        row("POST /api/entry-files", success(CHANGING, 422), |scene| {
            path(format!("/api/entry-files?pacijentID={}&tsaID={}&poljeID=0&naziv=a.pdf", scene.patient, scene.register.form))
        }),
        row("GET /api/entry-files/{id}", [404, 404, 404, 403, 404, 404, 403], |_| path("/api/entry-files/987654321")),
        // Drafts: each worker's own; the scene has one of this caller about the patient. A patient who may not be seen has none.
        row("GET /api/entry-drafts", CLINICAL, |scene| path(format!("/api/entry-drafts?kljuc=unos-{}", scene.entry))),
        row("PUT /api/entry-drafts/{kljuc}", success(CHANGING, 204), |scene| {
            (scene.draft(), json!({ "pacijentID": scene.patient, "sadrzaj": { "otkucano": 1 } }))
        }),
        row("DELETE /api/entry-drafts/{kljuc}", success(CLINICAL, 204), |scene| path(scene.draft())),
        // Last, for it ends the caller's session.
        row("POST /api/logout", [204; 7], |_| path("/api/logout")),
        row("DELETE /api/sessions", [401; 7], |_| path("/api/sessions")),
    ]
}

/// The routes of the table, for the test that closes all others.
pub fn routes() -> HashSet<&'static str> {
    table().into_iter().map(|row| row.route).collect()
}

/// The application with a worker of each kind.
struct Stage {
    app: TestApp,
    register: TestRegister,
    workers: Vec<Worker>,
    people: i64,
}

impl Stage {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let mut workers = Vec::new();
        for caller in CALLERS {
            let (prava, ustanova) = match caller {
                Caller::Own => (&[Right::Reports][..], app.ustanova),
                Caller::Other => (&Right::ALL[..], app.druga_ustanova),
                Caller::NoRight | Caller::NoRole => (&[][..], app.ustanova),
                Caller::Nowhere | Caller::Office => (&Right::ALL[..], app.ustanova),
                Caller::Reader => (&[Right::Reports][..], app.ustanova),
            };
            workers.push(app.worker(&format!("{caller:?}").to_lowercase(), prava, ustanova).await);
        }
        app.lay_out(&[
            "update role set pacijenti = 'uvid' where ime = 'Uloga radnika reader'",
            "update role set pacijenti = 'ne' where ime = 'Uloga radnika office'",
            "delete from worker_role where radnik_id = (select id from worker where username = 'norole')",
            "delete from worker_institution where radnik_id = (select id from worker where username = 'nowhere')",
            "update worker set ustanova_id = null where username = 'nowhere'",
            "insert into process (id, kind, version, seen_at) values ('engine', 'report-engine', '2.2.0', now() + interval '1 hour')",
            "insert into sponsor (id, name, code, display_order) values (1, 'Sponzor', 'sponzor', 1)",
        ])
        .await;
        Self { app, register, workers, people: 0 }
    }

    /// A new patient of the first institution.
    async fn person(&mut self) -> Person {
        self.people += 1;
        self.app.person(&self.register, self.app.ustanova, self.people).await
    }

    /// The scene of a patient and its entry, with a draft and a print that the caller has of them.
    async fn scene(&self, caller: usize, person: &Person) -> Scene<'_> {
        let number = self.people * 10 + caller as i64;
        let caller = &self.workers[caller];
        sqlx::query(
            "insert into entry_draft (radnik_id, kljuc, pacijent_id, sadrzaj) values ($1, $2, $3, jsonb_build_object('tekst', $4::text))
             on conflict do nothing",
        )
        .bind(caller.id)
        .bind(format!("unos-{}", person.entry))
        .bind(person.id)
        .bind(&person.identity[0])
        .execute(&self.app.db.owner)
        .await
        .expect("a draft");
        let print = Uuid::now_v7();
        sqlx::query(
            "insert into report_run (id, unos_id, radnik_id, ustanova_id, registar_id, queue, formati, status, finished_at, expires_at)
             values ($1, $2, $3, $4, $5, 'interactive', '{PDF}', 'succeeded', now(), now())",
        )
        .bind(print)
        .bind(person.entry)
        .bind(caller.id)
        .bind(self.app.ustanova)
        .bind(self.register.id)
        .execute(&self.app.db.owner)
        .await
        .expect("a print");
        let doctor = self.workers[0].id;
        let visit = sqlx::query_scalar("select poseta_id from entry where id = $1").bind(person.entry);
        let visit = visit.fetch_one(&self.app.db.owner).await.expect("a visit");
        Scene { register: &self.register, patient: person.id, entry: person.entry, visit, caller, doctor, number, print }
    }

    /// The same call about a patient and an entry that do not exist.
    fn missing(&self, caller: usize) -> Scene<'_> {
        let (caller, doctor) = (&self.workers[caller], self.workers[0].id);
        let nothing = 987_654_321;
        Scene {
            register: &self.register,
            patient: nothing,
            entry: nothing,
            visit: nothing,
            caller,
            doctor,
            number: nothing,
            print: Uuid::nil(),
        }
    }
}

async fn called(caller: &Anonymous, row: &Row, scene: &Scene<'_>) -> crate::support::Answer {
    let (method, _) = row.route.split_once(' ').expect("a method and a path");
    let (path, body) = (row.call)(scene);
    caller.call(method, &path, Some(body).filter(|body| !body.is_null())).await
}

#[tokio::test]
async fn every_caller_is_answered_as_the_table_says_and_a_refusal_tells_nothing() {
    let mut stage = Stage::new().await;
    let mut wrong = Vec::new();
    for row in table() {
        let person = stage.person().await;
        // Backwards: who may delete comes last.
        for (index, (caller, expected)) in CALLERS.into_iter().zip(row.statuses).enumerate().rev() {
            let scene = stage.scene(index, &person).await;
            let answer = called(scene.caller, &row, &scene).await;
            let call = format!("{} by {caller:?}", row.route);
            if answer.status != expected {
                wrong.push(format!("{call}: {} instead of {expected}: {}", answer.status, answer.text()));
            }
            if answer.status >= 400 {
                answer.assert_silent_about(&call, &person.secrets());
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn a_patient_of_another_institution_is_answered_as_one_that_does_not_exist() {
    let mut stage = Stage::new().await;
    let mut compared = 0;
    for row in table() {
        let person = stage.person().await;
        for (index, caller) in CALLERS.into_iter().enumerate().filter(|(index, _)| row.statuses[*index] == 404) {
            let scene = stage.scene(index, &person).await;
            let (exists, missing) = (called(scene.caller, &row, &scene).await, called(scene.caller, &row, &stage.missing(index)).await);
            assert_eq!((exists.status, exists.text()), (missing.status, missing.text()), "{} by {caller:?}", row.route);
            compared += 1;
        }
    }
    assert!(compared > 30, "only {compared} calls compared");
}

/// Calls of the table that look at a patient and are told nothing of what the patient has.
const SHOWING_NOTHING: [&str; 4] =
    ["GET /api/patients/{id}/views", "GET /api/entry-count", "GET /api/entries/{id}/items", "GET /api/entry-drafts/{kljuc}"];

#[tokio::test]
async fn whoever_is_shown_a_patient_is_seen_looking() {
    let mut stage = Stage::new().await;
    let shows = |row: &Row| (row.statuses == LOOKING || row.route == "GET /api/entry-display") && !SHOWING_NOTHING.contains(&row.route);
    for row in table().iter().filter(|row| shows(row)) {
        let person = stage.person().await;
        let scene = stage.scene(0, &person).await;
        for _ in 0..2 {
            called(scene.caller, row, &scene).await.assert_status(200);
        }
        let views = scene.caller.get(&format!("/api/patients/{}/views", person.id)).await.json();
        assert_eq!(views["data"][0]["radnik"], "Test Own", "{}", row.route);
    }
}

#[tokio::test]
async fn without_a_session_or_with_one_that_has_ended_there_is_only_the_sign_in() {
    let mut stage = Stage::new().await;
    let person = stage.person().await;
    stage.app.advance(SignedDuration::from_hours(25));
    for row in table().iter().filter(|row| !row.public) {
        let scene = stage.scene(0, &person).await;
        for caller in [&stage.app.anonymous(), &**scene.caller, &stage.app.anonymous().with_token("nije")] {
            let answer = called(caller, row, &scene).await;
            answer.assert_error(401, None, "Prijava je istekla. Prijavite se ponovo.").assert_silent_about(row.route, &person.secrets());
        }
        stage.people += 1;
    }
}

/// The patient is known to both, since both hold an entry; each changes and deletes only its own.
#[tokio::test]
async fn an_entry_is_changed_only_by_the_institution_that_holds_it_and_reached_only_through_its_patient() {
    let mut stage = Stage::new().await;
    let (shared, hidden) = (stage.person().await, stage.person().await);
    let theirs = stage.app.entry(&stage.register, shared.id, stage.app.druga_ustanova, "2024-02-02", json!({ "broj": 1 })).await;
    let other = &stage.workers[1];
    let display = other.get(&format!("/api/entry-display?haID={}", shared.entry)).await.json();
    assert_eq!((&display["pravoIzmene"], &display["pravoBrisanja"]), (&json!(false), &json!(false)));
    let scene = |patient, entry| Scene { patient, entry, doctor: other.id, ..stage.missing(1) };
    let save = |patient, entry| other.post("/api/entry-values", scene(patient, entry).saving(Some(entry)));
    save(shared.id, shared.entry).await.assert_error(403, None, "Nemate pravo na ovu radnju.");
    other.post("/api/delete-entry", json!({ "id": shared.entry })).await.assert_error(403, None, "Nemate pravo na ovu radnju.");
    save(shared.id, hidden.entry)
        .await
        .assert_error(404, None, "Traženi podatak ne postoji.")
        .assert_silent_about("save", &hidden.secrets());
    save(shared.id, theirs).await.assert_status(200);
    other.post("/api/delete-entry", json!({ "id": theirs })).await.assert_status(204);
    // With its only entry gone, the institution does not know the patient any more.
    other.get(&format!("/api/patients/{}", shared.id)).await.assert_status(404);
}

/// A worker who moved on does not read by a retried save what was written in the former institution.
#[tokio::test]
async fn a_retried_save_after_a_change_of_institution_tells_nothing() {
    let mut stage = Stage::new().await;
    let person = stage.person().await;
    let own = &stage.workers[0];
    let mut save = Scene { patient: person.id, ..stage.missing(0) }.saving(None);
    save["kljuc"] = json!("0197f3a0-0000-7000-8000-000000000001");
    own.post("/api/entry-values", save.clone()).await.assert_status(200);
    own.post("/api/entry-values", save.clone()).await.assert_status(200);
    stage
        .app
        .lay_out(&["update worker set ustanova_id = (select id from institution where naziv = 'Klinika B') where username = 'own'"])
        .await;
    own.post("/api/entry-values", save).await.assert_error(404, None, "Traženi podatak ne postoji.");
}

/// A parameter that is gone or unreadable keeps identities closed: only the word `false` opens them.
#[tokio::test]
async fn only_the_parameter_false_opens_patients_to_other_institutions() {
    let mut stage = Stage::new().await;
    let person = stage.person().await;
    let (other, path) = (&stage.workers[1], format!("/api/patients/{}", person.id));
    stage.app.lay_out(&["update parameter set vrednost = '1' where naziv = 'najmanjaTudjaGrupa'"]).await;
    for (change, status) in [
        ("update parameter set vrednost = 'ne' where naziv = 'blurPodatakaIzmedjuUstanova'", 404),
        ("update parameter set vrednost = ' false ' where naziv = 'blurPodatakaIzmedjuUstanova'", 200),
        ("update parameter set aktivan = false where naziv = 'blurPodatakaIzmedjuUstanova'", 404),
        ("delete from parameter where naziv = 'blurPodatakaIzmedjuUstanova'", 404),
    ] {
        stage.app.lay_out(&[change]).await;
        other.get(&path).await.assert_status(status);
        let rows = other.post("/api/search", json!({ "registarID": stage.register.id })).await.json();
        assert_eq!(rows["unosi"][0]["blurPodataka"], json!(status == 404), "{change}");
    }
}
