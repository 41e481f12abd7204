//! Reports: choosing, asking, scheduling, following, fetching, on a real database and a real Redis.

mod again;
mod board;
mod calendar;
mod configuration;
mod designing;
mod download;
mod ending;
mod ground;
mod hosts;
mod killed;
mod naming;
mod opening;
mod option_looks;
mod options;
mod pausing;
mod place;
mod queue;
mod recipients;
mod runs;
mod schedules;
mod scope_of_all;
mod screen;
mod shipped_searches;
mod simple;
mod socket;
mod traces;
mod values;
mod wall;
mod watched;

use std::time::{Duration, Instant};

use domain::{
    db,
    report_screen::{ScreenBlock, ScreenChart, ScreenColumn, ScreenContents, ScreenGroup, ScreenLine, ScreenLineKind, ScreenWriter},
    report_sql::ParameterKind,
    testing::TestDb,
};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{TestApp, Worker};

/// A report made for a test: shown, in all three formats.
pub struct Report {
    pub id: i64,
}

/// A parameter to give a report.
#[derive(Clone)]
pub struct Field {
    kind: ParameterKind,
    request_naziv: &'static str,
    naziv: &'static str,
    opcioni: bool,
    multi_select: bool,
    logged: bool,
    link: Option<&'static str>,
    upit: Option<String>,
    podrazumevano: Option<String>,
}

pub const TEXT: ParameterKind = ParameterKind::Text;
pub const DATE: ParameterKind = ParameterKind::Date;
pub const HIDDEN: ParameterKind = ParameterKind::Hidden;
pub const SET: ParameterKind = ParameterKind::Set;
pub const NUMBER: ParameterKind = ParameterKind::Number;
pub const DYNAMIC: ParameterKind = ParameterKind::DynamicHidden;

impl Field {
    pub fn new(kind: ParameterKind, request_naziv: &'static str, naziv: &'static str) -> Self {
        Self { kind, request_naziv, naziv, opcioni: false, multi_select: false, logged: false, link: None, upit: None, podrazumevano: None }
    }

    pub fn optional(mut self) -> Self {
        self.opcioni = true;
        self
    }

    pub fn multi(mut self) -> Self {
        self.multi_select = true;
        self
    }

    pub fn logged(mut self) -> Self {
        self.logged = true;
        self
    }

    /// Its values are patients.
    pub fn of_patients(mut self) -> Self {
        self.link = Some("pacijent");
        self
    }

    pub fn query(mut self, upit: &str) -> Self {
        self.upit = Some(upit.to_owned());
        self
    }

    pub fn default(mut self, podrazumevano: &str) -> Self {
        self.podrazumevano = Some(podrazumevano.to_owned());
        self
    }
}

impl Report {
    /// One that sees every institution and has no parameter.
    pub async fn plain(db: &TestDb) -> Self {
        Self::with(db, "sve", &[]).await
    }

    pub async fn with(db: &TestDb, obim: &str, fields: &[Field]) -> Self {
        let mut tx = db::begin(&db.owner, db::SYSTEM_WORKER).await.expect("a transaction");
        let id: i64 = sqlx::query_scalar(
            "with category as (insert into report_category (naziv, numericka_vrednost) values ('Klinički ' || gen_random_uuid(), 1) returning id),
                  type as (insert into report_type (naziv, numericka_vrednost, kategorija_id) select 'Pregledi', 1, id from category returning id)
             insert into report (naziv, numericka_vrednost, jasper_fajl, prikazuje_se, opis, tip_id, obim)
             select 'Izveštaj o đacima', 1, 'djaci', true, 'Za probu', id, $1 from type returning id",
        )
        .bind(obim)
        .fetch_one(&mut *tx)
        .await
        .expect("a report");
        sqlx::query("insert into report_format_link select $1, id from report_format").bind(id).execute(&mut *tx).await.expect("formats");
        for (order, field) in (1..).zip(fields) {
            sqlx::query(
                "with type as (insert into report_parameter_type (naziv, tip_recnika, upit, logged, link) values ($2, $3, $4, $5, $11) returning id)
                 insert into report_parameter (izvestaj_id, naziv, prikazni_redosled, multi_select, opcioni, request_naziv, tip_id, podrazumevano)
                 select $1, $2, $6, $7, $8, $9, id, $10 from type",
            )
            .bind(id)
            .bind(field.naziv)
            .bind(field.kind)
            .bind(&field.upit)
            .bind(field.logged)
            .bind(order)
            .bind(field.multi_select)
            .bind(field.opcioni)
            .bind(field.request_naziv)
            .bind(&field.podrazumevano)
            .bind(field.link)
            .execute(&mut *tx)
            .await
            .expect("a parameter");
        }
        tx.commit().await.expect("committed");
        Self { id }
    }

    pub async fn parameter_id(&self, db: &TestDb, request_naziv: &str) -> i64 {
        sqlx::query_scalar("select id from report_parameter where izvestaj_id = $1 and request_naziv = $2")
            .bind(self.id)
            .bind(request_naziv)
            .fetch_one(&db.owner)
            .await
            .expect("the parameter")
    }

    /// A request to run now.
    pub fn request(&self, worker: &Worker, parametri: Value) -> Value {
        json!({ "siID": self.id, "radnikID": worker.id, "parametri": parametri, "emails": [], "bezNaloga": true, "checkZakazivanjeBuducnost": false })
    }

    /// A request for every Monday at 07:30.
    pub fn weekly(&self, worker: &Worker) -> Value {
        let mut request = self.request(worker, json!({}));
        merge(
            &mut request,
            json!({ "checkZakazivanjeBuducnost": true, "ponavljanje": 1, "vreme": "07:30", "period": 1, "danNedelja": [2] }),
        );
        request
    }

    /// Asks to run now; gives the run.
    pub async fn run(&self, worker: &Worker) -> Uuid {
        let answer = worker.post("/api/report-queue", self.request(worker, json!({}))).await;
        answer.assert_status(202);
        answer.json()["izvestajID"].as_str().expect("the run's id").parse().expect("a uuid")
    }
}

pub fn merge(into: &mut Value, more: Value) {
    let (Value::Object(into), Value::Object(more)) = (into, more) else { panic!("two records") };
    into.extend(more);
}

/// Writes what an engine would: the run ends well, with one CSV of `content`.
pub async fn succeed(app: &TestApp, run: Uuid, content: &[u8]) {
    use sha2::{Digest, Sha256};
    let path = format!("{run}.csv");
    std::fs::write(app.artifact_dir().join(&path), content).expect("the artifact folder is writable");
    sqlx::query("insert into report_artifact (run_id, format, path, bytes, sha256, rows) values ($1, 'CSV', $2, $3, $4, 1)")
        .bind(run)
        .bind(path)
        .bind(i64::try_from(content.len()).unwrap())
        .bind(Sha256::digest(content).to_vec())
        .execute(&app.db.owner)
        .await
        .expect("an artifact");
    sqlx::query(
        "update report_run set status = 'succeeded', started_at = now(), finished_at = now(), rows_done = 1, expires_at = now() + interval '30 days' where id = $1",
    )
    .bind(run)
    .execute(&app.db.owner)
    .await
    .expect("the run ends");
}

/// What the screen shows of a report: a table of so many lines in a group, and a chart.
pub fn screen_of(rows: usize) -> Vec<u8> {
    let contents = ScreenContents { naslov: "Izveštaj o đacima".to_owned(), ..ScreenContents::default() };
    let mut writer = ScreenWriter::new(Vec::new(), contents).expect("a head");
    let kolone = ["Ime", "Broj"]
        .map(|naslov| ScreenColumn { naslov: naslov.to_owned(), desno: naslov == "Broj", ..ScreenColumn::default() })
        .to_vec();
    let grupe = vec![ScreenGroup { nivo: 0, od: 0, do_linije: rows as u64 + 1, tekst: "Svi".to_owned(), zbir: None }];
    writer.begin(ScreenBlock { kolone, grupe, ..ScreenBlock::default() }).expect("a table");
    writer.line(ScreenLine::of_text(ScreenLineKind::Grupa, 0, "Svi")).expect("a group");
    for row in 0..rows {
        writer.line(ScreenLine { celije: vec![format!("Đak {row}"), row.to_string()], ..ScreenLine::default() }).expect("a line");
    }
    writer.chart(&ScreenChart { naslov: "Po polu".to_owned(), ..ScreenChart::default() }).expect("a chart");
    writer.finish(None).expect("an end")
}

/// What an engine keeps of a run for the screen.
pub async fn add_screen(app: &TestApp, run: Uuid, content: &[u8]) {
    use sha2::{Digest, Sha256};
    let path = format!("{run}.ekran");
    std::fs::write(app.artifact_dir().join(&path), content).expect("the artifact folder is writable");
    sqlx::query("insert into report_artifact (run_id, format, path, bytes, sha256, rows) values ($1, 'EKRAN', $2, $3, $4, 1)")
        .bind(run)
        .bind(path)
        .bind(i64::try_from(content.len()).unwrap())
        .bind(Sha256::digest(content).to_vec())
        .execute(&app.db.owner)
        .await
        .expect("an artifact");
}

/// The log's rows of one class, oldest first: action, description, fields.
pub async fn log_of(app: &TestApp, klasa: &str) -> Vec<(String, String, Value)> {
    sqlx::query_as("select akcija, coalesce(opis, ''), polja from audit_log where klasa = $1 order by vreme_pristupa, id")
        .bind(klasa)
        .fetch_all(&app.db.owner)
        .await
        .expect("the log")
}

/// Asks again and again until the answer is there; a test that waits for ever has failed.
pub async fn eventually<T>(what: &str, mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        if let Some(found) = ask().await {
            return found;
        }
        assert!(Instant::now() < deadline, "never came: {what}");
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
}
