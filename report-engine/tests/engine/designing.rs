//! Versions of a report's definition: the live one makes the next run, and a designer tries out a draft.

use crate::world::{Report, TEMPLATE, World};

/// Writes a version as the api does; gives its id.
async fn version(world: &World, report: i64, broj: i32, sql: &str) -> i64 {
    let mut tx = domain::db::begin(&world.db.owner, world.radnik).await.unwrap();
    let id = sqlx::query_scalar(
        "insert into report_definition (izvestaj_id, broj, upit, sablon, radnik_id) values ($1, $2, $3, $4, $5) returning id",
    )
    .bind(report)
    .bind(broj)
    .bind(sql)
    .bind(TEMPLATE)
    .bind(world.radnik)
    .fetch_one(&mut *tx)
    .await
    .unwrap();
    tx.commit().await.unwrap();
    id
}

async fn publish(world: &World, report: i64, version: Option<i64>) {
    let mut tx = domain::db::begin(&world.db.owner, world.radnik).await.unwrap();
    sqlx::query("update report set definicija_id = $2 where id = $1").bind(report).bind(version).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
}

/// Runs the report as anybody would; gives the version that made it, and the file.
async fn run(world: &World, report: i64) -> (Option<i64>, String) {
    let run = world.ask(world.new_run(report)).await;
    assert_eq!(world.end(run).await.status, "succeeded");
    (made_of(world, run).await, csv(world, run).await)
}

async fn csv(world: &World, run: uuid::Uuid) -> String {
    let files = world.files(run).await;
    let (_, content) = files.iter().find(|(format, _)| format == "CSV").expect("a CSV");
    String::from_utf8_lossy(content).trim_start_matches('\u{feff}').replace("\r\n", "\n").trim_end().to_owned()
}

async fn made_of(world: &World, run: uuid::Uuid) -> Option<i64> {
    sqlx::query_scalar("select definicija_id from report_run where id = $1").bind(run).fetch_one(&world.db.owner).await.unwrap()
}

#[tokio::test]
async fn a_published_version_makes_the_next_run_of_an_engine_that_is_up_and_so_does_one_taken_back() {
    let world = World::new().await;
    let engine = world.engine(&[]);
    let report = world.report("verzije", Report { sql: "select 'fajl' as a", ..Report::default() }).await;
    assert_eq!(run(&world, report).await, (None, "A\nfajl".to_owned()));
    let first = version(&world, report, 1, "select 'prva' as a").await;
    assert_eq!(run(&world, report).await.1, "A\nfajl", "a draft is for its designers");
    publish(&world, report, Some(first)).await;
    assert_eq!(run(&world, report).await, (Some(first), "A\nprva".to_owned()));
    let second = version(&world, report, 2, "select 'druga' as a").await;
    publish(&world, report, Some(second)).await;
    assert_eq!(run(&world, report).await, (Some(second), "A\ndruga".to_owned()));
    publish(&world, report, Some(first)).await;
    assert_eq!(run(&world, report).await, (Some(first), "A\nprva".to_owned()));
    publish(&world, report, None).await;
    assert_eq!(run(&world, report).await.1, "A\nfajl");
    engine.stop().await;
}

#[tokio::test]
async fn a_trial_shows_fifty_rows_in_each_format_and_is_mailed_to_nobody() {
    let world = World::new().await;
    let engine = world.engine(&[]);
    let report = world.report("proba", Report::default()).await;
    let draft = version(&world, report, 1, "select g as a from generate_series(1, 2000) g").await;
    let mut trial = world.new_run(report);
    trial.proba = Some(draft);
    trial.formati = ["PDF", "XLSX", "CSV"].map(str::to_owned).into();
    let run = world.ask(trial).await;
    let ended = world.end(run).await;
    assert_eq!((ended.status.as_str(), ended.rows_done, ended.truncated), ("succeeded", Some(50), true));
    let csv = csv(&world, run).await;
    assert!(csv.contains("\n50\n") && !csv.contains("\n51"), "{csv}");
    let made: i64 =
        sqlx::query_scalar("select count(*) from report_artifact where run_id = $1").bind(run).fetch_one(&world.db.owner).await.unwrap();
    assert_eq!(made, 3);
    engine.stop().await;
}

#[tokio::test]
async fn the_servers_words_are_kept_of_every_run_and_never_quote_data() {
    let world = World::new().await;
    let engine = world.engine(&[]);
    let report = world.report("greske", Report::default()).await;
    for (broj, sql, told, place) in [
        (1, "select\n  nema as a", "kolona „nema” ne postoji [column \"nema\" does not exist]", Some((2, 3))),
        (
            2,
            "select ('Pera' || g)::int as a from generate_series(1, 3) g",
            "vrednost u podacima ne može da se pretvori u traženi tip (22P02)",
            None,
        ),
        (3, "select 1 / (g - 1) as a from generate_series(1, 3) g", "deljenje nulom (22012)", None),
        // A value that is read as a name or as an expression is told by the codes of a wrong statement.
        (
            4,
            "select ('Pera ' || g)::tsquery::text as a from generate_series(1, 3) g",
            "upit nije uspeo zbog vrednosti u podacima (42601)",
            None,
        ),
        (
            5,
            "select ('Pera' || g)::regclass as a from generate_series(1, 3) g",
            "izveštaji ne pozivaju funkciju „regclass” [permission denied for function regclass]",
            None,
        ),
        (
            6,
            "select 1 as a from report.ustanova u, report.ustanova u",
            "naziv „u” je naveden dva puta [table name \"u\" specified more than once]",
            None,
        ),
    ] {
        let made = version(&world, report, broj, sql).await;
        let mut trial = world.new_run(report);
        trial.proba = Some(made);
        publish(&world, report, Some(made)).await;
        for order in [trial, world.new_run(report)] {
            let run = world.ask(order).await;
            let ended = world.end(run).await;
            assert_eq!(ended.status, "failed", "{sql}");
            let text = ended.error_text.as_deref().unwrap();
            assert!(!text.contains("nema as") && !text.contains(told), "{ended:?}");
            let detail = detail(&world, run).await.expect("the server's words");
            assert_eq!(detail["poruka"], told, "{detail}");
            assert_eq!(detail["mesto"]["red"].as_u64().zip(detail["mesto"]["kolona"].as_u64()), place, "{detail}");
            assert!(!detail.to_string().contains("Pera"), "{detail}");
        }
    }
    engine.stop().await;
}

async fn detail(world: &World, run: uuid::Uuid) -> Option<serde_json::Value> {
    sqlx::query_scalar("select error_detail from report_run where id = $1").bind(run).fetch_one(&world.db.owner).await.unwrap()
}
