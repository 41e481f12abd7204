//! A database with one report and one owner of schedules, and a Redis of the test's own.

use std::{
    net::TcpStream,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use domain::{
    recurrence::{Fire, RuleColumns, next_after},
    testing::{self, TestDb},
};
use jiff::{Timestamp, civil};
use jiff_sqlx::ToSqlx;
use sqlx::PgPool;

/// One report, and a worker who may schedule it for one institution.
pub struct Yard {
    pub db: TestDb,
    pub report: i64,
    pub worker: i64,
    pub institution: i64,
}

pub fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// Every day at `time` by the clock of Belgrade; tests change what they are about.
pub fn daily(time: &str) -> RuleColumns {
    RuleColumns {
        ponavljanje: 1,
        vreme_izvrsavanja_jednostruko: None,
        vreme_izvrsavanja_visetruko: Some(time.parse().unwrap()),
        vazi_od: None,
        vazi_do: None,
        period: Some(0),
        dan_nedelja: Vec::new(),
        dan_mesec: Vec::new(),
        politika_dana: "skip".into(),
        vremenska_zona: "Europe/Belgrade".into(),
    }
}

pub fn once(local: &str) -> RuleColumns {
    let vreme_izvrsavanja_jednostruko = Some(local.parse().unwrap());
    RuleColumns { ponavljanje: 0, vreme_izvrsavanja_jednostruko, vreme_izvrsavanja_visetruko: None, period: None, ..daily("00:00") }
}

impl Yard {
    pub async fn new() -> Self {
        let db = testing::database().await;
        let mut tx = domain::db::begin(&db.owner, 1).await.unwrap();
        let ids: (i64, i64, i64) = sqlx::query_as(
            "with category as (insert into report_category (naziv, numericka_vrednost) values ('Klinički', 1) returning id),
                  kind as (insert into report_type (naziv, numericka_vrednost, kategorija_id) select 'Tip', 1, id from category returning id),
                  report as (insert into report (naziv, numericka_vrednost, jasper_fajl, tip_id) select 'Lista', 1, 'lista', id from kind returning id),
                  institution as (insert into institution (naziv) values ('Klinika') returning id),
                  worker as (insert into worker (username, ime, prezime, ustanova_id) select 'lekar', 'Ana', 'Anić', id from institution returning id),
                  member as (insert into worker_institution (radnik_id, ustanova_id) select w.id, i.id from worker w, institution i),
                  role as (insert into role (ime) values ('Lekar') returning id),
                  rights as (insert into role_right (uloga_id, aplikativno_pravo_id) select id, 1 from role),
                  held as (insert into worker_role (radnik_id, uloga_id) select w.id, r.id from worker w, role r)
             select report.id, worker.id, institution.id from report, worker, institution",
        )
        .fetch_one(&mut *tx)
        .await
        .unwrap();
        tx.commit().await.unwrap();
        Self { db, report: ids.0, worker: ids.1, institution: ids.2 }
    }

    /// A schedule that was saved at `since`.
    pub async fn schedule(&self, stored: &RuleColumns, since: Timestamp) -> i64 {
        let next = next_after(&stored.rule().unwrap(), since).expect("the schedule fires");
        self.schedule_with_next(stored, next).await
    }

    pub async fn schedule_with_next(&self, stored: &RuleColumns, next: Fire) -> i64 {
        sqlx::query_scalar(
            "insert into report_schedule (izvestaj_id, radnik_id, ustanova_id, ponavljanje, vreme_izvrsavanja_jednostruko,
                 vreme_izvrsavanja_visetruko, vazi_od, vazi_do, period, dan_nedelja, dan_mesec, politika_dana, vremenska_zona,
                 parametri, formati, emails, sledece_izvrsavanje, sledece_lokalno)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, '{\"od\": \"2026-01-01\"}', '{PDF}', '{a@b.rs}', $14, $15)
             returning id",
        )
        .bind(self.report)
        .bind(self.worker)
        .bind(self.institution)
        .bind(stored.ponavljanje)
        .bind(stored.vreme_izvrsavanja_jednostruko.map(ToSqlx::to_sqlx))
        .bind(stored.vreme_izvrsavanja_visetruko.map(ToSqlx::to_sqlx))
        .bind(stored.vazi_od.map(ToSqlx::to_sqlx))
        .bind(stored.vazi_do.map(ToSqlx::to_sqlx))
        .bind(stored.period)
        .bind(&stored.dan_nedelja)
        .bind(&stored.dan_mesec)
        .bind(&stored.politika_dana)
        .bind(&stored.vremenska_zona)
        .bind(next.at.to_sqlx())
        .bind(next.local.to_sqlx())
        .fetch_one(&self.db.owner)
        .await
        .unwrap()
    }

    /// The fires of a schedule: nominal moment and status.
    pub async fn fires(&self, schedule: i64) -> Vec<(String, String)> {
        sqlx::query_as(
            "select to_char(fire_local, 'YYYY-MM-DD HH24:MI'), status from report_run where zakazivanje_id = $1 order by fire_local",
        )
        .bind(schedule)
        .fetch_all(&self.db.owner)
        .await
        .unwrap()
    }

    /// The next instant of a schedule and whether it is active.
    /// Why its one fire made no report: for machines, and for its owner.
    pub async fn reason(&self, schedule: i64) -> (Option<String>, Option<String>) {
        let reason = "select error_code, error_text from report_run where zakazivanje_id = $1";
        sqlx::query_as(reason).bind(schedule).fetch_one(&self.db.owner).await.unwrap()
    }

    pub async fn next(&self, schedule: i64) -> (Option<Timestamp>, bool) {
        let (next, active): (Option<jiff_sqlx::Timestamp>, bool) =
            sqlx::query_as("select sledece_izvrsavanje, aktivan from report_schedule where id = $1")
                .bind(schedule)
                .fetch_one(&self.db.owner)
                .await
                .unwrap();
        (next.map(jiff_sqlx::Timestamp::to_jiff), active)
    }

    /// Changes configuration as an administrator does.
    pub async fn administer(&self, sql: &'static str, id: i64) {
        let mut tx = domain::db::begin(&self.db.owner, 1).await.unwrap();
        sqlx::query(sql).bind(id).execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
    }

    pub async fn count(&self, sql: &'static str) -> i64 {
        count(&self.db.owner, sql).await
    }
}

pub async fn count(db: &PgPool, sql: &'static str) -> i64 {
    sqlx::query_scalar(sql).fetch_one(db).await.unwrap()
}

pub fn locals(fires: &[(String, String)]) -> Vec<&str> {
    fires.iter().map(|(local, _)| local.as_str()).collect()
}

pub fn local(text: &str) -> civil::DateTime {
    text.parse().unwrap()
}

/// Asks until the answer is yes; fails the test after a minute.
pub async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let begun = Instant::now();
    while !holds().await {
        assert!(begun.elapsed() < Duration::from_secs(60), "in vain: {what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// A Redis that keeps nothing and ends with the test.
pub struct Redis {
    pub url: String,
    server: Option<Child>,
}

impl Redis {
    pub async fn start() -> Self {
        let program = domain::environment::required("TEST_REDIS_SERVER").expect("tests start a Redis of their own");
        let port = domain::testing::free_port();
        let server = Command::new(program)
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"])
            .stdout(Stdio::null())
            .spawn()
            .expect("the Redis of TEST_REDIS_SERVER starts");
        let redis = Self { url: format!("redis://127.0.0.1:{port}"), server: Some(server) };
        until("Redis answers", async || TcpStream::connect(("127.0.0.1", port)).is_ok()).await;
        redis
    }

    /// The place of one that has ended.
    pub fn gone(url: String) -> Self {
        Self { url, server: None }
    }

    /// Calls that wait in a queue.
    pub async fn waiting(&self, queue: &str) -> usize {
        let mut redis = redis::Client::open(self.url.as_str()).unwrap().get_multiplexed_async_connection().await.unwrap();
        let scheduled: usize = redis::cmd("ZCARD").arg(format!("{queue}:scheduled")).query_async(&mut redis).await.unwrap();
        let active: usize = redis::cmd("LLEN").arg(format!("{queue}:active")).query_async(&mut redis).await.unwrap();
        scheduled + active
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        if let Some(server) = &mut self.server {
            // It may have ended already.
            let _ = server.kill();
            let _ = server.wait();
        }
    }
}
