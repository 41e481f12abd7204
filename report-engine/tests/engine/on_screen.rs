//! A run that is read on the screen: its lines beside its files, its first ones before its end, and none of it in a mail.

use std::io::Cursor;

use domain::report_screen::{ScreenFile, ScreenLine};
use uuid::Uuid;

use crate::world::{MailServer, Report, World, eventually};

/// The rows of a screen among the files of a run.
fn rows_of(files: &[(String, Vec<u8>)]) -> Vec<Vec<String>> {
    let (_, content) = files.iter().find(|(format, _)| format == "EKRAN").expect("the screen");
    let mut file = ScreenFile::open(Cursor::new(content)).expect("readable").expect("a report on the screen");
    let lines: Vec<ScreenLine> = file.lines(0, 0, usize::MAX).expect("readable").expect("a table");
    lines.into_iter().map(|line| line.celije).collect()
}

async fn ask(world: &World, report: i64, emails: &[&str]) -> Uuid {
    let mut run = world.new_run(report);
    run.formati = ["CSV", "EKRAN"].map(str::to_owned).to_vec();
    run.emails = emails.iter().map(|one| (*one).to_owned()).collect();
    world.ask(run).await
}

async fn has_start(world: &World, run: Uuid) -> bool {
    world.count(&format!("select count(*) from report_run where id = '{run}' and ekran_pocetak is not null")).await == 1
}

async fn names_nobody(world: &World, run: Uuid) -> bool {
    world.count(&format!("select count(*) from report_run where id = '{run}' and bez_imena")).await == 1
}

/// A thousand rows come at once, and the last ones after a while.
const SLOW: &str = "select n::text as a, case when n > 1100 then pg_sleep(1)::text end as b from generate_series(1, 1102) n";

#[tokio::test]
async fn a_run_has_the_same_rows_on_the_screen_and_in_its_csv_and_mails_only_the_file() {
    let server = MailServer::healthy();
    let world = World::with_mail(&server).await;
    let sql = "select 'Željka' as a union all select 'đak' order by 1";
    let report = world.report("proba", Report { sql, attach: true, ..Report::default() }).await;
    let _engine = world.engine(&[]);
    let run = ask(&world, report, &["ana@bolnica.test"]).await;
    assert_eq!(world.end(run).await.status, "succeeded");
    let files = world.files(run).await;
    let csv = String::from_utf8(files[0].1.clone()).expect("UTF-8");
    let lines: Vec<Vec<String>> = csv.lines().skip(1).map(|line| vec![line.to_owned()]).collect();
    assert_eq!((rows_of(&files), files.len()), (lines, 2));
    let letter = eventually("the message comes", async || server.kept("ana@bolnica.test").pop()).await.content;
    assert_eq!(letter.matches("Content-Disposition: attachment").count(), 1, "the CSV alone: {letter}");
    assert!(!letter.contains("EKRAN") && !letter.contains(".ekran"));
}

#[tokio::test]
async fn the_first_lines_are_there_before_the_last_row_and_only_where_nobody_is_named() {
    let world = World::new().await;
    let report = world.report("spor", Report { sql: SLOW, ..Report::default() }).await;
    let _engine = world.engine(&[]);
    let run = ask(&world, report, &[]).await;
    eventually("the first lines come", async || has_start(&world, run).await.then_some(())).await;
    assert_eq!(world.row(run).await.status, "running");
    assert_eq!(world.count("select jsonb_array_length(ekran_pocetak -> 'linije')::bigint from report_run").await, 100);
    assert_eq!(world.end(run).await.status, "succeeded");
    assert!(!has_start(&world, run).await, "the file has them now");
    assert!(names_nobody(&world, run).await, "a wall may show it");
    assert_eq!(rows_of(&world.files(run).await).len(), 1102);
}

#[tokio::test]
async fn lines_that_may_name_a_patient_wait_until_the_log_has_them() {
    let world = World::new().await;
    world.patient("0101990710006").await;
    let naming = "select p.ime || n as a, p.id as pacijent_id, case when n > 1100 then pg_sleep(1)::text end as b
                    from pacijent p, generate_series(1, 1102) n";
    let report = world.report("imena", Report { sql: naming, ..Report::default() }).await;
    let _engine = world.engine(&[]);
    let run = ask(&world, report, &[]).await;
    let shown_early = async {
        loop {
            let (early, row) = (has_start(&world, run).await, world.row(run).await);
            if early || !matches!(row.status.as_str(), "queued" | "running") {
                return (early, row.status);
            }
            tokio::task::yield_now().await;
        }
    };
    assert_eq!(shown_early.await, (false, "succeeded".to_owned()));
    let looks = "select count(*) from audit_log l join audit_log_patient p on p.log_id = l.id where l.akcija = 'izrada izveštaja'";
    assert_eq!(world.count(looks).await, 1, "whom the report names is in the log");
    assert!(!names_nobody(&world, run).await, "no wall shows it");
}

#[tokio::test]
async fn a_run_is_shared_where_it_names_nobody_and_does_not_ask_who_reads() {
    let world = World::new().await;
    world.patient("0101990710006").await;
    let counted = world.report("broj", Report { sql: "select count(*)::text as a from pacijent", ..Report::default() }).await;
    let own = world.report("moje", Report { sql: "select 'Radnik ' || :radnikID::text as a from pacijent", ..Report::default() }).await;
    let named = world.report("imena", Report { sql: "select ime as a, id as pacijent_id from pacijent", ..Report::default() }).await;
    let _engine = world.engine(&[]);
    for (report, shared) in [(counted, 1), (own, 0), (named, 0)] {
        let run = ask(&world, report, &[]).await;
        assert_eq!(world.end(run).await.status, "succeeded");
        assert_eq!(world.count(&format!("select count(*) from report_run where id = '{run}' and deljiv")).await, shared, "{report}");
    }
}
