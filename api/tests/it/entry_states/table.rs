//! Each writing operation of the API in each state of an entry: what it does to what somebody has finished, signed or locked.

use std::collections::BTreeSet;

use accounts::rights::Right;
use axum::http::HeaderMap;
use base64::{Engine, prelude::BASE64_STANDARD};
use domain::process::{HeartbeatReport, Kind, Process};
use serde_json::{Value, json};
use uuid::Uuid;

use super::writing::PASSWORD;
use crate::support::{Answer, TestApp, TestRegister, Worker, record};
use Call::{
    Anonymise, Delete, Finish, Import, Lock, LockPeriod, Merge, Redate, Reopen, Restore, Save, SaveAnother, SaveTold, Sign, Unlock,
    UnlockPeriod, Unmerge,
};
use Then::{Becomes, Never, Refused, Stays};

const DAY: &str = "2024-02-01";

/// What an entry is when the call comes.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Before {
    InWork,
    Finished,
    Signed,
    /// Signed before.
    Locked,
    /// Signed, in a period that is locked.
    InLockedPeriod,
}

const STATES: [Before; 5] = [Before::InWork, Before::Finished, Before::Signed, Before::Locked, Before::InLockedPeriod];

/// How the call ends, and what the entry is then.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Then {
    /// 4xx, and nothing of the entry has changed.
    Refused,
    /// Done, and the entry and its state are as before, but for whose record it is in.
    Stays,
    /// Done; its state then.
    Becomes(&'static str),
    /// An entry of that state cannot come to this call.
    Never,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Call {
    Save,
    /// Whoever saves was told that a signature ends.
    SaveTold,
    /// A new one beside it, of the same day.
    SaveAnother,
    Redate,
    Delete,
    Restore,
    /// Of a file that was checked before somebody signed or locked.
    Import,
    Anonymise,
    Merge,
    Unmerge,
    Finish,
    Sign,
    Reopen,
    Lock,
    Unlock,
    LockPeriod,
    UnlockPeriod,
}

const TABLE: &[(Call, &str, &str, [Then; 5])] = &[
    (Save, "POST", "/api/entry-values", [Becomes("uRadu"), Becomes("uRadu"), Refused, Refused, Refused]),
    (SaveTold, "POST", "/api/entry-values", [Becomes("uRadu"), Becomes("uRadu"), Becomes("uRadu"), Refused, Refused]),
    (SaveAnother, "POST", "/api/entry-values", [Stays, Stays, Stays, Stays, Refused]),
    (Redate, "PUT", "/api/visits/{id}", [Becomes("uRadu"), Becomes("uRadu"), Refused, Refused, Refused]),
    (Delete, "POST", "/api/delete-entry", [Becomes("uRadu"), Becomes("uRadu"), Refused, Refused, Refused]),
    (Restore, "POST", "/api/restore-entry", [Becomes("uRadu"), Never, Never, Never, Refused]),
    (Import, "POST", "/api/data-imports/{id}/confirm", [Becomes("uRadu"), Becomes("uRadu"), Refused, Refused, Refused]),
    (
        Anonymise,
        "POST",
        "/api/patients/{id}/anonymisation",
        [Becomes("uRadu"), Becomes("uRadu"), Becomes("uRadu"), Becomes("zakljucan"), Becomes("uRadu")],
    ),
    (Merge, "POST", "/api/patient-merges", [Stays; 5]),
    (Unmerge, "POST", "/api/patient-merges/{id}/unmerge", [Stays; 5]),
    (Finish, "POST", "/api/entries/{id}/finish", [Becomes("zavrsen"), Refused, Refused, Refused, Refused]),
    (Sign, "POST", "/api/entries/{id}/sign", [Refused, Becomes("potpisan"), Becomes("potpisan"), Refused, Refused]),
    (Reopen, "POST", "/api/entries/{id}/reopen", [Refused, Becomes("uRadu"), Becomes("uRadu"), Refused, Refused]),
    (Lock, "POST", "/api/entries/{id}/lock", [Becomes("zakljucan"), Becomes("zakljucan"), Becomes("zakljucan"), Refused, Refused]),
    (Unlock, "POST", "/api/entries/{id}/unlock", [Refused, Refused, Refused, Becomes("potpisan"), Refused]),
    (LockPeriod, "POST", "/api/period-locks", [Stays; 5]),
    (UnlockPeriod, "POST", "/api/period-locks/{id}/unlock", [Never, Never, Never, Never, Stays]),
];

/// Does what another operation does, by the same function of the database.
const LIKE: &[(&str, &str)] = &[("POST /api/patient-merge-proposals/{id}/accept", "POST /api/patient-merges")];

/// Operations that write no entry. Each is called with a signed entry and its things in its path; of publishing and recomputing, an engine
/// does the rest (`report-engine/tests/engine/recomputing.rs`).
const APART: &str = "
POST /api/analyses
PUT DELETE /api/analyses/{id}
POST /api/attribute-types
PUT DELETE PATCH /api/attribute-types/{id}
POST /api/blocks
DELETE /api/blocks/{sifra}
PUT /api/board
POST /api/board/refresh
POST /api/board/report
POST /api/ciscenje-pula-konekcija
POST /api/cohort-count
POST /api/cohorts
PUT DELETE /api/cohorts/{id}
POST DELETE /api/cohorts/{id}/freeze
POST /api/consent-files
POST /api/data-exports
DELETE /api/data-exports/{id}
POST /api/data-exports/{id}/cancel
POST /api/data-imports
DELETE /api/data-imports/{id}
POST /api/data-imports/{id}/cancel
POST /api/data-imports/{id}/check
PUT /api/data-imports/{id}/mapping
POST /api/data-imports/{id}/saved-mapping
POST /api/definition-checks
POST /api/definition-drafts
POST /api/definition-imports
POST /api/delete-warning
POST /api/entries/{id}/questions
PUT DELETE /api/entry-drafts/{kljuc}
POST /api/entry-files
POST /api/entry-prints
POST /api/entry-prints/{id}/cancel
POST /api/enum-items
PUT DELETE PATCH /api/enum-items/{id}
POST /api/form-field-checks
POST /api/form-fields
PUT DELETE PATCH /api/form-fields/{id}
POST /api/forms
PUT DELETE PATCH /api/forms/{id}
POST /api/forms/{id}/copies
PUT POST DELETE /api/forms/{id}/draft
POST /api/forms/{id}/draft/own-type
POST /api/forms/{id}/draft/publish
POST /api/forms/{id}/draft/rebase
POST /api/forms/{id}/recomputations
DELETE /api/import-mappings/{id}
PUT /api/institution-board
POST /api/institutions
PUT DELETE PATCH /api/institutions/{id}
PUT DELETE /api/institutions/{id}/logo
POST /api/login
POST /api/logout
POST /api/obrisi-jasper
POST /api/oidc/sign-in
POST /api/operations/engines/{id}/drain
POST /api/operations/engines/{id}/resume
POST /api/operations/runs/{id}/cancel
POST /api/operations/runs/{id}/retry
POST /api/findings/{id}/confirm
POST /api/findings/{id}/unconfirm
POST /api/parameters
PUT DELETE PATCH /api/parameters/{id}
POST /api/patient-lookups
POST /api/patient-merge-proposals/{id}/decline
POST /api/patient-merge-proposals/{id}/withdraw
POST /api/patient-pairs
POST /api/patient-takings
POST /api/patient-takings/{id}/end
POST /api/patient-takings/{id}/seen
POST /api/patient-transfers
POST /api/patient-transfers/{id}/accept
POST /api/patient-transfers/{id}/decline
POST /api/patient-transfers/{id}/withdraw
POST /api/patients
POST /api/patients/duplicates
PATCH /api/patients/{id}
POST /api/patients/{id}/consents
POST /api/patients/{id}/statuses
PUT /api/patients/{id}/visit-plan
POST /api/planned-visits/{id}/cancel
POST /api/planned-visits/{id}/link
POST /api/planned-visits/{id}/restore
POST /api/planned-visits/{id}/unlink
POST /api/quality-rules
PUT DELETE PATCH /api/quality-rules/{id}
POST /api/quality-runs/{id}/cancel
POST /api/questions/{id}/assign
POST /api/questions/{id}/close
POST /api/questions/{id}/messages
POST /api/questions/{id}/reopen
POST /api/recipient-groups
PUT DELETE PATCH /api/recipient-groups/{id}
POST /api/recomputations/{id}/cancel
POST /api/registers
PUT DELETE PATCH /api/registers/{id}
POST /api/registers/{id}/consent-texts
POST /api/registers/{id}/copies
POST /api/registers/{id}/visit-plans
POST /api/reload-parametara
POST /api/report-categories
PUT DELETE PATCH /api/report-categories/{id}
POST /api/report-format-links
POST /api/report-format-links-delete
POST /api/report-parameter-types
PUT DELETE PATCH /api/report-parameter-types/{id}
POST /api/report-parameters
PUT DELETE PATCH /api/report-parameters/{id}
POST /api/report-queue
POST /api/report-runs/seen
DELETE /api/report-runs/{id}
POST /api/report-runs/{id}/again
POST /api/report-runs/{id}/cancel
POST /api/report-runs/{id}/send
POST /api/report-schedules/preview
DELETE /api/report-schedules/{id}
POST /api/report-schedules/{id}/pause
POST /api/report-schedules/{id}/resume
POST /api/report-schedules/{id}/run
POST /api/report-types
PUT DELETE PATCH /api/report-types/{id}
POST /api/reports
PUT DELETE PATCH /api/reports/{id}
POST /api/reports/{id}/definition-check
POST /api/reports/{id}/definitions
POST /api/reports/{id}/definitions/{broj}/publish
POST /api/reports/{id}/definitions/{broj}/trial
POST /api/reports/{id}/indicator-count
POST /api/reports/{id}/simple-definition-check
POST /api/reports/{id}/simple-definition-file
POST /api/reports/{id}/simple-definitions
POST /api/role-rights
POST /api/role-rights-delete
POST /api/roles
PUT DELETE PATCH /api/roles/{id}
POST /api/save-warning
POST /api/registers/{id}/quality-runs
POST /api/saved-searches
DELETE /api/saved-searches/{id}
POST /api/search
POST /api/search-exports
POST /api/second-factor
POST /api/second-factor/confirm
POST /api/second-factor/off
POST /api/second-factor/recovery-codes
POST /api/session/confirm
DELETE /api/sessions
DELETE /api/sessions/{id}
POST /api/socket-tickets
POST /api/sponsors
PUT DELETE PATCH /api/sponsors/{id}
POST /api/stale-results
POST /api/unused-attribute-types-delete
POST /api/upgrade-notes-dismiss
POST /api/visit-plan-previews
PUT DELETE /api/visit-plans/{id}
POST /api/visit-plans/{id}/versions
POST /api/wall
POST /api/wall-displays
DELETE /api/wall-displays/{id}
POST /api/worker-institutions
POST /api/worker-institutions-delete
POST /api/worker-password-change
POST /api/worker-roles
POST /api/worker-roles-delete
PUT /api/worker-start
POST /api/workers
PUT DELETE PATCH /api/workers/{id}
POST /api/workers/{id}/external-account-unlink
POST /api/workers/{id}/second-factor-reset
";

/// A patient with an entry of this state.
struct Pair {
    patient: i64,
    lbo: String,
    entry: i64,
    /// Of the import that waits, of the merge, of the locked period.
    other: i64,
}

struct Scene {
    app: TestApp,
    register: TestRegister,
    doctor: Worker,
}

impl Scene {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let doctor = app.worker("doktorka", &Right::ALL, app.ustanova).await;
        app.set_password(&doctor, PASSWORD).await;
        Process::new(Kind::ReportEngine, Uuid::now_v7()).heartbeat(&app.db.app, &HeartbeatReport::default()).await.unwrap();
        Self { app, register, doctor }
    }

    async fn number(&self, sql: &'static str, entry: i64) -> i64 {
        sqlx::query_scalar(sql).bind(entry).fetch_one(&self.app.db.owner).await.unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    /// The state, whether a signature holds, and what the entry is but for whose record it is in.
    async fn stands(&self, entry: i64) -> (String, bool, Value) {
        sqlx::query_as(
            "select state_of_entry(e.id), signature_of_entry(e.id) is not null,
                    jsonb_build_object('v', e.vrednosti, 'd', e.datum_unosa, 'a', e.aktivan, 'o', e.form_version_id, 'l', e.radnik_odgovoran_id)
               from entry e where e.id = $1",
        )
        .bind(entry)
        .fetch_one(&self.app.db.owner)
        .await
        .expect("the entry")
    }

    fn values(&self, entry: Option<i64>, patient: i64, number: i64) -> Value {
        json!({
            "unosID": entry, "tsaID": self.register.form, "registarID": self.register.id, "pacijentID": patient, "datumUnosa": DAY,
            "radnikOdgovoran": self.doctor.id, "vrednosti": { self.register.field("broj"): number, self.register.field("tekst"): "Ana je dobro" },
        })
    }

    async fn version(&self, entry: i64) -> i64 {
        self.number("select verzija::bigint from entry where id = $1", entry).await
    }

    async fn deed(&self, entry: i64, deed: &str) -> Answer {
        let body = json!({ "verzija": self.version(entry).await, "razlog": "Kraj kvartala", "znacenje": "autor", "lozinka": PASSWORD });
        self.doctor.post(&format!("/api/entries/{entry}/{deed}"), body).await
    }

    async fn lock_period(&self) -> Answer {
        let body = json!({ "registarID": self.register.id, "doDana": "2024-03-31", "razlog": "Kraj kvartala" });
        self.doctor.post("/api/period-locks", body).await
    }

    /// An import of the patient's entry of the day with this number, that is checked and waits to be confirmed.
    async fn checked_import(&self, place: i64, number: i64) -> i64 {
        let person = record(place);
        let text = |name: &str| person[name].as_str().expect("a text");
        let (ime, prezime, jmbg, lbo) = (text("ime"), text("prezime"), text("jmbg"), text("lbo"));
        let file =
            format!("Ime;Prezime;JMBG;LBO;Telefon;Datum pregleda;broj\n{ime};{prezime};{jmbg};{lbo};011/1234567;01.02.2024.;{number}\n");
        let body = json!({
            "registarID": self.register.id, "ustanovaID": self.app.ustanova, "fajl": "stari sistem.csv", "sadrzaj": BASE64_STANDARD.encode(file),
        });
        let id = self.doctor.post("/api/data-imports", body).await.assert_status(201).json()["id"].as_i64().expect("an import");
        let path = format!("/api/data-imports/{id}");
        let mut mapping = self.doctor.get(&format!("{path}/mapping")).await.json()["mapiranje"].clone();
        mapping["entries"][0]["existing"] = json!("update");
        self.doctor.put(&format!("{path}/mapping"), json!({ "mapiranje": mapping, "izvor": "stari" })).await.assert_status(200);
        self.doctor.post(&format!("{path}/check"), json!({})).await.assert_status(204);
        let checked = self.import_at_rest(id).await;
        assert_eq!((&checked["status"], &checked["ishod"]["gresaka"]), (&json!("checked"), &json!(0)), "{checked}");
        id
    }

    async fn confirm_import(&self, id: i64) -> Value {
        let path = format!("/api/data-imports/{id}");
        let shown = self.doctor.get(&path).await.json()["otisak"].clone();
        self.doctor.post(&format!("{path}/confirm"), json!({ "otisak": shown })).await.assert_status(204);
        self.import_at_rest(id).await
    }

    async fn import_at_rest(&self, id: i64) -> Value {
        loop {
            let import = self.doctor.get(&format!("/api/data-imports/{id}")).await.json();
            if !matches!(import["status"].as_str(), Some("checking" | "importing")) {
                return import;
            }
            tokio::task::yield_now().await;
        }
    }

    async fn saved_entry(&self, patient: i64) -> i64 {
        let saved = self.doctor.post("/api/entry-values", self.values(None, patient, 5)).await.assert_status(200).json();
        saved["snimljenUnosID"].as_i64().expect("an entry")
    }

    /// What the call is about, before the entry comes into its state.
    async fn lay_out(&self, call: Call, place: i64) -> Pair {
        let lbo = format!("{place:011}");
        if call == Import {
            let first = self.checked_import(place, 5).await;
            assert_eq!(self.confirm_import(first).await["status"], "done");
            let entry = self.number("select max(id) from entry where $1 > 0", place).await;
            let patient = self.number("select pacijent_id from entry where id = $1", entry).await;
            return Pair { patient, lbo, entry, other: self.checked_import(place, 6).await };
        }
        let patient = self.app.patient(&self.register, "Ana", "Anić", self.app.ustanova, place).await;
        let entry = self.saved_entry(patient).await;
        let mut pair = Pair { patient, lbo, entry, other: 0 };
        match call {
            Merge | Unmerge => {
                pair.other = self.app.patient(&self.register, "Ana", "Anić", self.app.ustanova, place + 1).await;
            }
            Restore => {
                let body = json!({ "id": entry });
                self.doctor.post("/api/delete-entry", body).await.assert_status(204);
            }
            _ => {}
        }
        if call == Unmerge {
            let merged = self.merge(&pair).await.assert_status(201).json();
            pair.other = merged["spajanjeID"].as_i64().expect("a merge");
        }
        pair
    }

    async fn merge(&self, pair: &Pair) -> Answer {
        let body = json!({
            "pobednikID": pair.other, "gubitnikID": pair.patient, "odGubitnika": [], "razlog": "Ista osoba", "potvrde": ["jmbgNeslaganje"],
        });
        self.doctor.post("/api/patient-merges", body).await
    }

    async fn bring(&self, pair: &mut Pair, state: Before) {
        let signs: &[&str] = match state {
            Before::InWork => &[],
            Before::Finished => &["finish"],
            Before::Signed | Before::InLockedPeriod => &["finish", "sign"],
            Before::Locked => &["finish", "sign", "lock"],
        };
        let active = self.number("select aktivan::int::bigint from entry where id = $1", pair.entry).await == 1;
        for deed in signs.iter().filter(|_| active) {
            self.deed(pair.entry, deed).await.assert_status(204);
        }
        if state == Before::InLockedPeriod {
            let lock = self.lock_period().await.assert_status(201).json()["id"].as_i64().expect("a lock");
            if pair.other == 0 {
                pair.other = lock;
            }
        }
    }

    async fn call(&self, call: Call, pair: &Pair) -> Answer {
        let doctor = &self.doctor;
        let entry = pair.entry;
        match call {
            Save | SaveTold => {
                let mut body = self.values(Some(entry), pair.patient, 6);
                body["verzija"] = json!(self.version(entry).await);
                body["potvrdjenKrajPotpisa"] = json!(call == SaveTold);
                doctor.post("/api/entry-values", body).await
            }
            SaveAnother => doctor.post("/api/entry-values", self.values(None, pair.patient, 7)).await,
            Redate => {
                let visit = self.number("select poseta_id from entry where id = $1", entry).await;
                let body = json!({ "datum": "2024-02-02", "radnikOdgovoran": doctor.id, "osnovaRadnikOdgovoran": doctor.id });
                doctor.put(&format!("/api/visits/{visit}"), body).await
            }
            Delete => doctor.post("/api/delete-entry", json!({ "id": entry })).await,
            Restore => doctor.post("/api/restore-entry", json!({ "id": entry })).await,
            Import => {
                let ended = self.confirm_import(pair.other).await;
                // The call itself only begins it.
                let status = if ended["status"] == "done" { 200 } else { 409 };
                Answer { status, headers: HeaderMap::new(), bytes: ended.to_string().into_bytes() }
            }
            Anonymise => {
                let body = json!({ "razlog": "Zahtev po zakonu", "potvrda": pair.lbo });
                doctor.post(&format!("/api/patients/{}/anonymisation", pair.patient), body).await
            }
            Merge => self.merge(pair).await,
            Unmerge => doctor.post(&format!("/api/patient-merges/{}/unmerge", pair.other), json!({})).await,
            Finish => self.deed(entry, "finish").await,
            Sign => self.deed(entry, "sign").await,
            Reopen => self.deed(entry, "reopen").await,
            Lock => self.deed(entry, "lock").await,
            Unlock => self.deed(entry, "unlock").await,
            LockPeriod => self.lock_period().await,
            UnlockPeriod => doctor.post(&format!("/api/period-locks/{}/unlock", pair.other), json!({ "razlog": "Ispravka" })).await,
        }
    }
}

/// Whether the call ended as its row says.
fn fault(
    call: Call,
    state: Before,
    then: Then,
    answer: &Answer,
    before: &(String, bool, Value),
    after: &(String, bool, Value),
) -> Option<String> {
    let told = answer.text();
    let done = (200..300).contains(&answer.status);
    let right = match then {
        Refused => {
            let locked = matches!(state, Before::Locked | Before::InLockedPeriod);
            let says_who = !locked || call == Import || ["Doktorka", "Kraj kvartala", "Otključava"].iter().all(|part| told.contains(part));
            (400..500).contains(&answer.status) && before == after && says_who
        }
        Stays => done && before == after,
        Becomes(becomes) => done && after.0 == becomes && after.1 == (becomes == "potpisan" || call == Lock && before.1),
        Never => true,
    };
    (!right).then(|| format!("{call:?} {state:?}, {then:?}: {} {told}\n    {before:?}\n    {after:?}", answer.status))
}

#[tokio::test]
async fn every_writing_operation_does_in_each_state_what_its_row_says() {
    let scene = Scene::new().await;
    let mut faults = Vec::new();
    let mut place = 0;
    for (call, _, _, row) in TABLE {
        for (state, then) in STATES.into_iter().zip(*row).filter(|(_, then)| *then != Never) {
            place += 2;
            let mut pair = scene.lay_out(*call, place).await;
            scene.bring(&mut pair, state).await;
            let before = scene.stands(pair.entry).await;
            let answer = scene.call(*call, &pair).await;
            let after = scene.stands(pair.entry).await;
            let sums = "select count(*) from entry_state where unos_id = $1 and otisak is not null";
            assert!(*call != Anonymise || scene.number(sums, pair.entry).await == 0, "a sum of erased values is left");
            faults.extend(fault(*call, state, then, &answer, &before, &after));
            scene
                .app
                .lay_out(&["update period_lock set otkljucano_at = now(), otkljucao_id = 1, razlog_otkljucavanja = 'Sledeći' where otkljucano_at is null"])
                .await;
        }
    }
    assert!(faults.is_empty(), "{} wrong:\n{}", faults.len(), faults.join("\n"));
}

/// The writing operations of the description.
fn described() -> BTreeSet<String> {
    let document = serde_json::to_value(api::openapi()).expect("plain data");
    let paths = document["paths"].as_object().expect("paths");
    let each =
        paths.iter().flat_map(|(path, item)| item.as_object().expect("operations").keys().map(move |method| (method.to_uppercase(), path)));
    each.filter(|(method, _)| method != "GET").map(|(method, path)| format!("{method} {path}")).collect()
}

fn apart() -> impl Iterator<Item = (&'static str, &'static str)> {
    APART.lines().filter(|line| !line.is_empty()).flat_map(|line| {
        let (methods, path) = line.rsplit_once(' ').expect("methods and a path");
        methods.split(' ').map(move |method| (method, path))
    })
}

#[test]
fn every_writing_operation_has_a_row() {
    let rows = TABLE.iter().map(|(_, method, path, _)| format!("{method} {path}"));
    let like = LIKE.iter().map(|(operation, _)| (*operation).to_owned());
    let listed: BTreeSet<String> = rows.chain(like).chain(apart().map(|(method, path)| format!("{method} {path}"))).collect();
    assert_eq!(listed, described(), "say in this file what a writing operation does to what is signed or locked");
    for (operation, of) in LIKE {
        assert!(TABLE.iter().any(|(_, method, path, _)| *of == format!("{method} {path}")), "{operation} is like {of}");
    }
}

#[tokio::test]
async fn operations_that_write_no_entry_leave_a_signed_one_as_it_is() {
    let scene = Scene::new().await;
    let mut pair = scene.lay_out(Save, 1).await;
    scene.bring(&mut pair, Before::Signed).await;
    let before = scene.stands(pair.entry).await;
    let document = serde_json::to_value(api::openapi()).expect("plain data");
    let body = json!({
        "id": pair.entry, "unosID": pair.entry, "pacijentID": pair.patient, "registarID": scene.register.id, "tsaID": scene.register.form,
        "verzija": 1,
    });
    for (method, path) in apart() {
        let parameters = &document["paths"][path][method.to_lowercase()]["parameters"];
        let uuid = parameters.as_array().into_iter().flatten().any(|one| one["in"] == "path" && one["schema"]["format"] == "uuid");
        let id = match path.split('/').nth(2) {
            Some("forms") => scene.register.form,
            Some("registers") => scene.register.id,
            Some("patients") => pair.patient,
            _ => pair.entry,
        };
        let named = |part: &str| match part.starts_with('{') {
            true if uuid => Uuid::nil().to_string(),
            true => id.to_string(),
            false => part.to_owned(),
        };
        let path = path.split('/').map(named).collect::<Vec<_>>().join("/");
        // Some of them end the session that calls.
        let caller = scene.app.another_session(&scene.doctor).await;
        let answer = caller.call(method, &path, Some(body.clone())).await;
        assert!(answer.status < 500, "{method} {path}: {} {}", answer.status, answer.text());
        assert_eq!(scene.stands(pair.entry).await, before, "{method} {path}: {}", answer.text());
    }
}
