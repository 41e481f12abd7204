//! `./dev bench boards`: forty people open a board of twelve tiles each, and others order runs that they wait for, with and without the boards.
//! It fails where boards cause more runs than there are questions, or where others wait more than twice as long. An engine runs as it is, the
//! one that was built beside this program.

#[path = "../tests/it/support/mod.rs"]
#[allow(dead_code, unused_imports, reason = "the measurement needs a part of what the tests do")]
mod support;

use std::{
    path::PathBuf,
    process::{Child, Command, ExitCode, Stdio},
    time::{Duration, Instant},
};

use accounts::rights::Right;
use domain::{db, environment};
use futures::future::join_all;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{TestApp, Worker};

const PEOPLE: usize = 40;
const TILES: usize = 12;
/// Runs that others wait for, one after another, and how many of them there are.
const ORDERED: usize = 12;
const OTHERS: usize = 3;
/// How often a board looks whether its tiles are there.
const LOOK: Duration = Duration::from_secs(2);
/// Others wait at most so many times as long.
const MOST: f64 = 2.0;
/// Nobody waits longer for anything.
const LONGEST: Duration = Duration::from_secs(600);

/// A query that a database works at, whose rows name nobody: of a tile, and of whoever waits.
const WORK: &str =
    "select :od::date as dan, count(*) as n, sum(length(md5(g::text || :od::text))) as rad from generate_series(1, 150000) g";
const TEMPLATE: &str = r#"{{#report}}{{col "dan" head="Dan"}}{{col "n" head="Broj"}}{{col "rad" head="Rad"}}{{/report}}"#;

struct Engine(Child);

impl Engine {
    /// The program of the folder that this one was built in.
    fn start(app: &TestApp) -> Self {
        let this = std::env::current_exe().expect("a path");
        let program: PathBuf = this.ancestors().nth(2).expect("a folder of programs").join("report-engine");
        assert!(program.exists(), "{} is not built", program.display());
        let child = Command::new(program)
            .env_clear()
            .envs([
                ("DATABASE_URL", app.db.app_url.clone()),
                ("REPORT_DATABASE_URL", app.db.report_url.clone()),
                ("REDIS_URL", environment::required("TEST_REDIS_URL").expect("the URL of a Redis")),
                ("SMTP_URL", "smtp://127.0.0.1:9".to_owned()),
                ("MAIL_FROM", "Regix <regix@bolnica.test>".to_owned()),
                ("PUBLIC_URL", "https://regix.test".to_owned()),
                ("ARTIFACT_DIR", app.artifact_dir().display().to_string()),
                ("TEMPLATE_DIR", concat!(env!("CARGO_MANIFEST_DIR"), "/../templates").to_owned()),
                ("RUST_LOG", "warn".to_owned()),
            ])
            .stdout(Stdio::null())
            .spawn()
            .expect("the engine starts");
        Self(child)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A report of the institution with a day as its parameter, published.
async fn report(app: &TestApp, admin: &Worker, name: &str, sql: &str) -> i64 {
    let mut tx = db::begin(&app.db.owner, db::SYSTEM_WORKER).await.expect("a transaction");
    let id: i64 = sqlx::query_scalar(
        "with category as (insert into report_category (naziv, numericka_vrednost) values ('Merenje ' || $1, 1) returning id),
              type as (insert into report_type (naziv, numericka_vrednost, kategorija_id) select 'Merenje', 1, id from category returning id)
         insert into report (naziv, numericka_vrednost, jasper_fajl, prikazuje_se, opis, tip_id, obim)
         select 'Merenje ' || $1, 1, $1, true, '', type.id, 'ustanova' from type returning id",
    )
    .bind(name)
    .fetch_one(&mut *tx)
    .await
    .expect("a report");
    sqlx::query("insert into report_format_link select $1, id from report_format").bind(id).execute(&mut *tx).await.expect("formats");
    sqlx::query(
        "with type as (insert into report_parameter_type (naziv, tip_recnika, upit, logged) values ('Dan ' || $2, $3, null, false) returning id)
         insert into report_parameter (izvestaj_id, naziv, prikazni_redosled, multi_select, opcioni, request_naziv, tip_id)
         select $1, 'Od', 1, false, false, 'od', id from type",
    )
    .bind(id)
    .bind(name)
    .bind(domain::report_sql::ParameterKind::Date)
    .execute(&mut *tx)
    .await
    .expect("a parameter");
    tx.commit().await.expect("committed");
    let texts = json!({ "upit": sql, "sablon": TEMPLATE, "napomena": null, "osnova": 0 });
    admin.post(&format!("/api/reports/{id}/definitions"), texts).await.assert_status(200);
    admin.post(&format!("/api/reports/{id}/definitions/1/publish"), json!({ "objavljena": 0 })).await.assert_status(204);
    id
}

fn day(number: usize) -> String {
    format!("2026-{:02}-{:02}", 1 + number / 28, 1 + number % 28)
}

/// Runs of the worker, each waited for before the next is ordered: the time of each.
async fn order(app: &TestApp, worker: &Worker, report: i64, first: usize) -> Vec<Duration> {
    let mut waits = Vec::new();
    for number in 0..ORDERED {
        let request = json!({ "siID": report, "radnikID": worker.id, "parametri": { "od": day(first + number) }, "emails": [], "formati": ["EKRAN"],
                              "bezNaloga": true, "checkZakazivanjeBuducnost": false });
        let began = Instant::now();
        let answer = worker.post("/api/report-queue", request).await;
        assert_eq!(answer.status, 202, "{}", answer.text());
        let run: Uuid = answer.json()["izvestajID"].as_str().expect("a run").parse().expect("an id");
        loop {
            let status: String = sqlx::query_scalar("select status from report_run where id = $1")
                .bind(run)
                .fetch_one(&app.db.owner)
                .await
                .expect("the run");
            if status == "succeeded" {
                break;
            }
            assert!(["queued", "running"].contains(&status.as_str()) && began.elapsed() < LONGEST, "the run is {status}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        waits.push(began.elapsed());
    }
    waits
}

/// All others at once, in days that nobody asked for before.
async fn others(app: &TestApp, workers: &[Worker], report: i64, first: usize) -> Duration {
    let ordered = workers.iter().enumerate().map(|(place, worker)| order(app, worker, report, first + place * ORDERED));
    let mut waits: Vec<Duration> = join_all(ordered).await.into_iter().flatten().collect();
    waits.sort_unstable();
    waits[waits.len() / 2]
}

/// Opens the board, and looks again until each tile has a run that has ended.
async fn open(app: &TestApp, worker: &Worker) -> Duration {
    let began = Instant::now();
    loop {
        let answer = worker.post("/api/board/refresh", json!({ "iznova": [] })).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let runs: Vec<Uuid> =
            answer.json().as_array().expect("tiles").iter().filter_map(|tile| tile["run"].as_str()?.parse().ok()).collect();
        let ended: i64 = sqlx::query_scalar("select count(distinct id) from report_run where id = any ($1) and status = 'succeeded'")
            .bind(&runs)
            .fetch_one(&app.db.owner)
            .await
            .expect("runs");
        if ended as usize == TILES {
            return began.elapsed();
        }
        assert!(began.elapsed() < LONGEST, "{ended} of {TILES} tiles are there");
        tokio::time::sleep(LOOK).await;
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    let app = TestApp::new().await;
    let admin = app.worker("podesava", &Right::ALL, app.ustanova).await;
    let of_tiles = report(&app, &admin, "plocica", WORK).await;
    let of_others = report(&app, &admin, "naruceno", WORK).await;
    let mut people = Vec::new();
    for number in 0..PEOPLE {
        people.push(app.worker(&format!("tabla{number}"), &[Right::Reports], app.ustanova).await);
    }
    let mut waiting = Vec::new();
    for number in 0..OTHERS {
        waiting.push(app.worker(&format!("ceka{number}"), &[Right::Reports], app.ustanova).await);
    }
    let engine = Engine::start(&app);
    let alone = others(&app, &waiting, of_others, 0).await;

    let tiles = || -> Vec<Value> {
        let tile = |place: usize| {
            json!({ "id": Uuid::now_v7(), "izvestajID": of_tiles, "registarID": null, "naslov": null, "blok": 0, "vrednosti": { "od": day(place) },
                    "x": place % 3 * 4, "y": place / 3 * 3, "sirina": 4, "visina": 3 })
        };
        (0..TILES).map(tile).collect()
    };
    for worker in &people {
        let board = json!({ "plocice": tiles(), "filteri": {}, "verzija": 0 });
        let answer = worker.put("/api/board", board).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
    let boards = join_all(people.iter().map(|worker| open(&app, worker)));
    let (mut opened, beside) = tokio::join!(boards, others(&app, &waiting, of_others, OTHERS * ORDERED));
    opened.sort_unstable();
    drop(engine);

    let runs: i64 = sqlx::query_scalar("select count(*) from report_run where izvestaj_id = $1")
        .bind(of_tiles)
        .fetch_one(&app.db.owner)
        .await
        .expect("runs of tiles");
    let ratio = beside.as_secs_f64() / alone.as_secs_f64();
    println!(
        "{PEOPLE} people, {TILES} tiles each: {runs} runs for {} looks; a board is whole after {:.1} s (median), {:.1} s (the last)",
        PEOPLE * TILES,
        opened[PEOPLE / 2].as_secs_f64(),
        opened[PEOPLE - 1].as_secs_f64()
    );
    println!("others wait {:.2} s alone and {:.2} s beside the boards: {ratio:.2} times", alone.as_secs_f64(), beside.as_secs_f64());
    let mut failed = false;
    if runs as usize > TILES {
        println!("FAILED: {TILES} questions were run {runs} times");
        failed = true;
    }
    if ratio > MOST {
        println!("FAILED: others wait {ratio:.2} times as long, at most {MOST}");
        failed = true;
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
