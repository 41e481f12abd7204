//! One of everything that belongs to an institution or to a worker of it, and three who call: its owner, and somebody of a third
//! institution who holds every right.

use accounts::rights::Right;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::{
    reports::{Field, Report, SET, add_screen, screen_of},
    support::{TestApp, TestRegister, Worker, institution},
};

const NUMBER: i64 = 987_654_321;
const NOBODYS_JMBG: &str = "0101000710009";
const UUID: &str = "00000000-0000-7000-8000-000000000000";

/// What a call may be about.
#[derive(Clone, Debug)]
pub struct Things {
    pub institution: i64,
    pub worker: i64,
    pub username: String,
    pub former_worker: i64,
    /// Who owns what is one worker's.
    pub owner: i64,
    pub role: i64,
    pub patient: i64,
    pub jmbg: String,
    pub former_patient: i64,
    pub former_jmbg: String,
    pub entry: i64,
    pub visit: i64,
    pub print: String,
    pub taking: i64,
    pub search: i64,
    pub group: i64,
    pub former_group: i64,
    pub run: String,
    /// One that has ended, with its file.
    pub done: String,
    pub trial: String,
    pub schedule: i64,
    pub export: String,
    pub session: i64,
    /// What all share.
    pub right: i64,
    pub register: i64,
    pub form: i64,
    pub field: String,
    pub report: i64,
    pub parameter: i64,
    /// The institution of who calls.
    pub callers: i64,
}

pub struct Scene {
    pub app: TestApp,
    pub owner: Worker,
    pub other: Worker,
    pub third: i64,
    pub ours: Things,
}

impl Scene {
    pub async fn new() -> Self {
        let app = TestApp::new().await;
        let engine =
            "insert into process (id, kind, version, seen_at) values ('engine', 'report-engine', '2.2.0', now() + interval '1 hour')";
        app.lay_out(&[engine]).await;
        let third = institution(&app.db, "Treća ustanova").await;
        let owner = app.worker("vlasnica", &Right::ALL, app.ustanova).await;
        let other = app.worker("drugde", &Right::ALL, third).await;
        let worker = app.worker("koleginica", &[Right::Reports], app.ustanova).await;
        app.lay_out(&[
            "update parameter set vrednost = '1' where naziv = 'najmanjiIzvozBezIdentiteta'",
            "update role set sve_ustanove = false, pacijenti = 'izmena'",
            "update worker set email = username || '@kcs.rs' where username in ('vlasnica', 'drugde', 'koleginica')",
        ])
        .await;
        let ours = things(&app, &owner, &worker).await;
        Self { app, owner, other, third, ours }
    }

    /// The same, as somebody of the third institution calls it.
    pub fn ours_to_others(&self) -> Things {
        Things { callers: self.third, ..self.ours.clone() }
    }

    /// What nobody has; what all share is there.
    pub fn nothing(&self, callers: i64) -> Things {
        let id = || UUID.to_owned();
        Things {
            institution: NUMBER,
            worker: NUMBER,
            username: "niko-takav".to_owned(),
            former_worker: NUMBER,
            owner: NUMBER,
            role: NUMBER,
            patient: NUMBER,
            jmbg: NOBODYS_JMBG.to_owned(),
            former_patient: NUMBER,
            former_jmbg: NOBODYS_JMBG.to_owned(),
            entry: NUMBER,
            visit: NUMBER,
            print: id(),
            taking: NUMBER,
            search: NUMBER,
            group: NUMBER,
            former_group: NUMBER,
            run: id(),
            done: id(),
            trial: id(),
            schedule: NUMBER,
            export: id(),
            session: NUMBER,
            callers,
            ..self.ours.clone()
        }
    }
}

async fn number(app: &TestApp, sql: &'static str) -> i64 {
    sqlx::query_scalar(sql).fetch_one(&app.db.owner).await.unwrap_or_else(|error| panic!("{sql}: {error}"))
}

/// Made by their owner, as anybody makes them.
async fn things(app: &TestApp, owner: &Worker, worker: &Worker) -> Things {
    let register = app.register().await;
    let (person, former, taken) = (
        app.person(&register, app.ustanova, 1).await,
        app.person(&register, app.ustanova, 2).await,
        app.person(&register, app.ustanova, 3).await,
    );
    let text = |answer: &Value, name: &str| answer[name].as_str().expect("an id").to_owned();
    let id = |answer: &Value, name: &str| answer[name].as_i64().expect("a number");
    let post = async |path: &str, body: Value| owner.post(path, body).await.json();

    owner.patch(&format!("/api/patients/{}", former.id), json!({ "aktivan": false })).await.assert_status(200);
    let former_worker = app.worker("bivsa", &[], app.ustanova).await.id;
    owner.delete(&format!("/api/workers/{former_worker}")).await.assert_status(204);
    take(app, &register, &taken.record).await;

    let group = |naziv: &str| json!({ "naziv": naziv, "ustanovaID": app.ustanova, "emails": ["mira@kcs.rs"] });
    let former_group = id(&post("/api/recipient-groups", group("Bivša")).await, "id");
    owner.delete(&format!("/api/recipient-groups/{former_group}")).await.assert_status(204);

    let choice = Field::new(SET, "izbor", "Izbor").query("select id, naziv from ustanova where id = :ustanovaID::bigint").optional();
    let report = Report::with(&app.db, "ustanova", &[choice]).await;
    let definition = json!({ "upit": "select naziv from ustanova", "sablon": "{{#report}}{{col \"naziv\"}}{{/report}}", "osnova": 0 });
    post(&format!("/api/reports/{}/definitions", report.id), definition).await;
    let trial = post(&format!("/api/reports/{}/definitions/1/trial", report.id), json!({ "parametri": {} })).await;
    let export = json!({
        "registarID": register.id, "tsaID": register.form, "red": "unos", "ustanove": [app.ustanova], "profil": "bez_identiteta",
        "razlog": "Godišnja studija",
    });
    app.another_session(owner).await;
    let mark = "insert into stale_result (unos_id, polje_id, razlog) select $1, id, 'formula' from form_field limit 1";
    sqlx::query(mark).bind(person.entry).execute(&app.db.owner).await.expect("a mark");
    let print = text(&post("/api/entry-prints", json!({ "unosID": person.entry })).await, "stampaID");
    let export = text(&post("/api/data-exports", export).await, "izvozID");
    let done = report.run(owner).await.to_string();
    add_screen(app, done.parse().expect("a uuid"), &screen_of(10)).await;
    for (run, format) in [(&print, "PDF"), (&export, "ZIP"), (&done, "CSV")] {
        finish(app, run, format).await;
    }
    Things {
        institution: app.ustanova,
        worker: worker.id,
        username: "koleginica".to_owned(),
        former_worker,
        owner: owner.id,
        role: number(app, "select id from role where ime = 'Uloga radnika koleginica'").await,
        patient: person.id,
        jmbg: text(&person.record, "jmbg"),
        former_patient: former.id,
        former_jmbg: text(&former.record, "jmbg"),
        entry: person.entry,
        visit: number(app, "select poseta_id from entry order by id limit 1").await,
        print,
        taking: number(app, "select id from patient_taking").await,
        search: id(&post("/api/search", json!({ "registarID": register.id })).await, "zapis"),
        group: id(&post("/api/recipient-groups", group("Lekari")).await, "id"),
        former_group,
        run: report.run(owner).await.to_string(),
        done,
        trial: text(&trial, "izvestajID"),
        schedule: id(&post("/api/report-queue", report.weekly(owner)).await, "zakazivanjeID"),
        export,
        session: number(app, "select max(id) from session").await,
        right: number(app, "select id from application_right where numericka_vrednost = 1").await,
        register: register.id,
        form: register.form,
        field: register.field("broj"),
        report: report.id,
        parameter: report.parameter_id(&app.db, "izbor").await,
        callers: app.ustanova,
    }
}

/// As an engine ends a run: with one file.
async fn finish(app: &TestApp, run: &str, format: &str) {
    let content = b"podaci";
    let path = format!("{run}.{format}");
    std::fs::write(app.artifact_dir().join(&path), content).expect("the artifact folder is writable");
    let mut tx = domain::db::begin(&app.db.owner, domain::db::SYSTEM_WORKER).await.expect("a transaction");
    sqlx::query("insert into report_artifact (run_id, format, path, bytes, sha256, rows) values ($1::uuid, $2, $3, $5, $4, 1)")
        .bind(run)
        .bind(format)
        .bind(path)
        .bind(Sha256::digest(content).to_vec())
        .bind(content.len() as i64)
        .execute(&mut *tx)
        .await
        .expect("a file");
    sqlx::query(
        "update report_run set status = 'succeeded', finished_at = now(), expires_at = now() + interval '7 days' where id = $1::uuid",
    )
    .bind(run)
    .execute(&mut *tx)
    .await
    .expect("an end");
    tx.commit().await.expect("committed");
}

/// The second institution takes the patient over.
async fn take(app: &TestApp, register: &TestRegister, record: &Value) {
    let taker = app.worker("uzima", &[], app.druga_ustanova).await;
    let mut body = json!({ "razlog": "Upućen na dalje lečenje", "registarID": register.id });
    for name in ["ime", "prezime", "datumRodjenja", "jmbg", "lbo"] {
        body[name] = record[name].clone();
    }
    taker.post("/api/patient-takings", body).await.assert_status(200);
}
