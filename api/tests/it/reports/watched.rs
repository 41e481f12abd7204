//! The real programs as they are watched: a run under way, by who asked for it and by operators, and what each program tells Prometheus.

use domain::testing::free_port;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};

use super::{
    Report, eventually,
    place::{Place, ask},
};

/// Minutes of rows, a thousand every two seconds or so, which is what an engine asks for at a time.
const SLOW: &str = "select case when pg_sleep(0.002)::text = '' then g end as a from generate_series(1, 90000) g";

/// Another report, whose query takes long.
async fn slow(place: &Place) -> Report {
    let report = Report::plain(&place.app.db).await;
    let folder = place.folder.path().join("templates/reports");
    std::fs::copy(folder.join("djaci.hbs"), folder.join("spor.hbs")).expect("a template");
    std::fs::write(folder.join("spor.sql"), SLOW).expect("a query");
    let mut tx = domain::db::begin(&place.app.db.owner, domain::db::SYSTEM_WORKER).await.expect("a transaction");
    sqlx::query("update report set jasper_fajl = 'spor' where id = $1").bind(report.id).execute(&mut *tx).await.expect("a report");
    tx.commit().await.expect("committed");
    report
}

#[tokio::test]
async fn a_run_under_way_tells_its_reader_and_operators_how_far_it_is_and_is_stopped_by_them() {
    let place = Place::new().await;
    let (lekar, admin) = (place.app.lekar().await, place.app.admin().await);
    let report = slow(&place).await;
    let _engine = place.start("report-engine", &[], &[]);
    let (_api, address) = place.api(&place.redis_url).await;
    let mut request = report.request(&lekar, json!({}));
    request["formati"] = json!(["CSV"]);
    let run = ask(&address, &lekar, &request).await;

    let own = format!("/api/report-runs/{run}");
    let told = eventually("rows are told to who asked", async || {
        let told = lekar.get(&own).await.json();
        told["redova"].as_i64().is_some_and(|rows| rows > 0).then_some(told)
    })
    .await;
    assert_eq!((&told["status"], &told["otkazivanje"], &told["kraj"]), (&json!("running"), &json!(false), &Value::Null), "{told}");
    assert!(["query", "render"].contains(&told["faza"].as_str().expect("a stage")), "{told}");
    let before = told["redova"].as_i64().expect("rows");
    let seen = eventually("operators see it go on", async || {
        let seen = admin.get("/api/operations").await.json()["izvrsavanja"].clone();
        (seen[0]["redova"].as_i64()? > before).then_some(seen)
    })
    .await;
    assert_eq!(seen.as_array().expect("runs").len(), 1);
    let seen = &seen[0];
    assert_eq!((&seen["id"], &seen["red"], &seen["pokusaj"]), (&json!(run), &json!("interactive"), &json!(1)), "{seen}");
    assert!(["query", "render"].contains(&seen["faza"].as_str().expect("a stage")), "{seen}");
    assert!(seen["sekundi"].as_f64().expect("seconds") > 0.0);
    let engine: String = sqlx::query_scalar("select host || ' ' || right(id, 6) from process where kind = 'report-engine'")
        .fetch_one(&place.app.db.owner)
        .await
        .expect("the engine");
    assert_eq!(seen["masina"], engine);

    admin.post(&format!("/api/operations/runs/{run}/cancel"), json!({})).await.assert_status(204);
    eventually("the engine lets it go", async || (lekar.get(&own).await.json()["status"] == "cancelled").then_some(())).await;
    assert_eq!(admin.get("/api/operations").await.json()["izvrsavanja"], json!([]));
    let files: i64 = sqlx::query_scalar("select count(*) from report_artifact").fetch_one(&place.app.db.owner).await.expect("a count");
    assert_eq!(files, 0);
}

/// A mail server that wants no recipient.
async fn refusing_mail() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("smtp://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            // Whoever has heard enough hangs up.
            tokio::spawn(async move { refuse(stream).await.ok() });
        }
    });
    url
}

async fn refuse(stream: TcpStream) -> std::io::Result<()> {
    let (reader, mut writer) = stream.into_split();
    writer.write_all(b"220 posta.test\r\n").await?;
    let mut lines = BufReader::new(reader).lines();
    while let Some(line) = lines.next_line().await? {
        let answer: &[u8] = if line.starts_with("RCPT") { b"550 no such mailbox\r\n" } else { b"250 ok\r\n" };
        writer.write_all(answer).await?;
    }
    Ok(())
}

/// Where a program tells its figures.
struct MetricsAddress(String);

impl MetricsAddress {
    fn of_its_own() -> Self {
        Self(format!("127.0.0.1:{}", free_port()))
    }

    /// The figure of this name and these labels, as Prometheus reads it.
    async fn figure(&self, line: &str) -> Option<f64> {
        let answer = reqwest::get(format!("http://{}/metrics", self.0)).await.ok()?;
        assert_eq!(answer.status(), 200);
        assert!(answer.headers()["content-type"].to_str().expect("a type").starts_with("application/openmetrics-text"));
        let text = answer.text().await.ok()?;
        assert!(text.ends_with("# EOF\n"), "{text}");
        let value = text.lines().find_map(|found| found.strip_prefix(line)?.strip_prefix(' '))?;
        Some(value.parse().expect("a number"))
    }

    async fn until(&self, line: &str, holds: impl Fn(f64) -> bool) {
        let mut last = None;
        eventually(line, async || {
            last = self.figure(line).await;
            last.is_some_and(&holds).then_some(())
        })
        .await;
    }
}

#[tokio::test]
async fn each_program_tells_prometheus_what_is_late_what_waits_what_was_refused_and_what_is_under_way() {
    let place = Place::new().await;
    let (lekar, admin, db) = (place.app.lekar().await, place.app.admin().await, &place.app.db.owner);
    let (of_api, of_scheduler, of_engine) = (MetricsAddress::of_its_own(), MetricsAddress::of_its_own(), MetricsAddress::of_its_own());
    let (_api, address) = place.api_with(&[("METRICS_BIND", &of_api.0)]).await;

    let report = Report::plain(&place.app.db).await;
    lekar.post("/api/report-queue", report.weekly(&lekar)).await.assert_status(202);
    let late = "update report_schedule set sledece_izvrsavanje = now() - interval '100 seconds', sledece_lokalno = null";
    sqlx::query(late).execute(db).await.expect("a late schedule");
    of_api.until("regix_fire_lag_seconds{}", |seconds| (100.0..200.0).contains(&seconds)).await;
    of_api.until("regix_schedules_due{}", |due| due == 1.0).await;

    let mut request = report.request(&lekar, json!({}));
    request["emails"] = json!(["niko@bolnica.test"]);
    let run = ask(&address, &lekar, &request).await;
    let old = "update report_run set created_at = now() - interval '300 seconds' where id = $1";
    sqlx::query(old).bind(run).execute(db).await.expect("an old run");
    of_api.until("regix_queue_oldest_seconds{kind=\"interactive\"}", |seconds| (300.0..400.0).contains(&seconds)).await;
    of_api.until("regix_queue_waiting{kind=\"interactive\"}", |waiting| waiting == 1.0).await;
    of_api.until("regix_mail{class=\"refused\"}", |refused| refused == 0.0).await;

    let _scheduler = place.start("scheduler", &[], &[("METRICS_BIND", &of_scheduler.0)]);
    of_scheduler.until("regix_scheduler_fires_total{outcome=\"fired\"}", |fired| fired == 1.0).await;
    of_scheduler.until("regix_scheduler_looks_total{outcome=\"done\"}", |looks| looks > 0.0).await;
    of_api.until("regix_fire_lag_seconds{}", |seconds| seconds == 0.0).await;

    let mail = refusing_mail().await;
    let _engine = place.start("report-engine", &[], &[("METRICS_BIND", &of_engine.0), ("SMTP_URL", &mail), ("ENGINE_POLL_SECONDS", "1")]);
    of_api.until("regix_mail{class=\"refused\"}", |refused| refused == 1.0).await;
    of_api.until("regix_queue_oldest_seconds{kind=\"interactive\"}", |seconds| seconds == 0.0).await;
    of_api.until("regix_processes{kind=\"report-engine\",state=\"working\"}", |working| working == 1.0).await;

    ask(&address, &lekar, &slow(&place).await.request(&lekar, json!({}))).await;
    of_api.until("regix_queue_running{kind=\"interactive\"}", |running| running == 1.0).await;
    of_engine.until("regix_engine_busy{}", |busy| busy == 1.0).await;
    of_engine.until("regix_engine_rests{reason=\"drained\"}", |rests| rests == 0.0).await;
    let engine: String = sqlx::query_scalar("select id from process where kind = 'report-engine'").fetch_one(db).await.expect("the engine");
    admin.post(&format!("/api/operations/engines/{engine}/drain"), json!({})).await.assert_status(204);
    of_engine.until("regix_engine_rests{reason=\"drained\"}", |rests| rests == 1.0).await;
    of_api.until("regix_processes{kind=\"report-engine\",state=\"resting\"}", |resting| resting == 1.0).await;
    for told in [&of_api, &of_scheduler, &of_engine] {
        told.until("regix_redis_up{}", |up| up == 1.0).await;
    }
}
