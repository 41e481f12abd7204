//! A report over all institutions obeys the ground on which it runs, whatever it was when it was ordered, and says what is not in it: at the
//! end of every CSV, on the row of its run, and to the owner of a schedule where there is no report.

use domain::{exports::Profile, jobs::Queue, runs::NewRun};
use jiff::{Timestamp, civil::date};
use uuid::Uuid;

use crate::{
    exporting::small_register,
    exporting_marks::change,
    few::{BY_YEAR, LINES},
    mailing::{readable, scheduled},
    world::{MailServer, Report, World, eventually},
};

const GROUPS: &str = "Sve ustanove: nema grupa sa manje od 5 pacijenata drugih ustanova.";
const YEARS: &str = "Uzrast: iz godine rođenja se računa po kalendarskoj godini.";

async fn lines(world: &World, run: Uuid) -> Vec<String> {
    let ended = world.end(run).await;
    assert_eq!((ended.status.as_str(), ended.error_text.as_deref()), ("succeeded", None));
    let (_, content) = world.files(run).await.pop().expect("a file");
    String::from_utf8(content).unwrap().trim_start_matches('\u{feff}').lines().map(str::to_owned).collect()
}

async fn notices(world: &World, run: Uuid) -> Vec<String> {
    sqlx::query_scalar("select napomene from report_run where id = $1").bind(run).fetch_one(&world.db.owner).await.unwrap()
}

#[tokio::test]
async fn a_run_obeys_the_ground_on_which_it_runs_and_not_that_of_its_order() {
    let world = World::new().await;
    let elsewhere = world.elsewhere().await;
    world.born(elsewhere, 1950, 0..3).await;
    world.born(elsewhere, 1960, 0..7).await;
    let least =
        async |least: i32| change(&world, &format!("update parameter set vrednost = '{least}' where naziv = 'najmanjaTudjaGrupa'")).await;
    least(1).await;
    let worded = LINES.replace("head=\"A\"", "head=\"Po kalendarskoj godini\"");
    let told = world.report("grupe", Report { template: &worded, sql: BY_YEAR, obim: "sve", ..Report::default() }).await;
    let own = "select godina_rodjenja::text as a, 1 as n from report.pacijent";
    let widened = world.report("prosireno", Report { template: &worded, sql: own, ..Report::default() }).await;
    let unsaid = world.report("bez-reci", Report { template: &worded, sql: BY_YEAR, obim: "sve", ..Report::default() }).await;
    let (told, later) = (world.insert(&world.new_run(told)).await, world.insert(&world.new_run(widened)).await);
    let unsaid = world.insert(&world.new_run(unsaid)).await;

    // All of it changes while they wait.
    least(5).await;
    change(&world, &format!("update report set obim = 'sve' where id = {widened}")).await;
    std::fs::write(world.template_file("bez-reci", "hbs"), LINES).unwrap();
    let _engine = world.engine(&[]);
    assert_eq!(lines(&world, told).await, ["Po kalendarskoj godini;N".to_owned(), "1960;7".to_owned(), format!("# {GROUPS};")]);
    assert_eq!(notices(&world, told).await, [GROUPS]);
    let ended = world.end(later).await;
    assert_eq!((ended.status.as_str(), ended.error_code.as_deref()), ("failed", Some("ungrouped")), "{ended:?}");
    assert_eq!(lines(&world, unsaid).await[1..], ["1960;7".to_owned(), format!("# {GROUPS} {YEARS};")]);
    assert_eq!(notices(&world, unsaid).await, [GROUPS, YEARS]);

    // The other way about there is nothing to be told.
    least(1).await;
    change(&world, &format!("update report set obim = 'ustanova' where id = {widened}")).await;
    let own = world.ask(world.new_run(widened)).await;
    assert_eq!(lines(&world, own).await, ["Po kalendarskoj godini;N"]);
    assert_eq!(notices(&world, own).await, [""; 0]);
}

#[tokio::test]
async fn an_export_that_waited_tells_no_day_either() {
    let (world, _) = World::to_export().await;
    let source = small_register(&world).await;
    let (mut by_day, mut until, mut by_search, mut named_by_day) = (
        world.entries(&source, Profile::BezIdentiteta),
        world.entries(&source, Profile::BezIdentiteta),
        world.entries(&source, Profile::BezIdentiteta),
        world.entries(&source, Profile::Identitet),
    );
    by_day.selection.datum_od = Some(date(2026, 1, 5));
    until.selection.datum_do = Some(date(2026, 1, 5));
    let (zapis, vreme): (i64, jiff_sqlx::Timestamp) = sqlx::query_as(
        r#"insert into audit_log (radnik_id, klasa, akcija, red_id, polja)
           values ($1, 'patient_search', 'pretraga', $2, '[{"vrednost": "2026-01-05"}]') returning id, vreme_pristupa"#,
    )
    .bind(world.radnik)
    .bind(source.registar.to_string())
    .fetch_one(&world.db.owner)
    .await
    .unwrap();
    let vreme: Timestamp = vreme.to_jiff();
    by_search.selection.pretraga = Some(domain::exports::LoggedSearch { zapis, vreme });
    named_by_day.selection.datum_od = Some(date(2026, 1, 5));
    let _engine = world.engine(&[]);
    for export in [by_day, until, by_search] {
        let ended = world.end(world.ask_export(export).await).await;
        assert_eq!((ended.status.as_str(), ended.error_code.as_deref()), ("failed", Some("by_day")), "{ended:?}");
    }
    assert_eq!(world.end(world.ask_export(named_by_day).await).await.status, "succeeded", "with identity every day is told");
}

#[tokio::test]
async fn every_csv_over_all_institutions_ends_with_what_is_not_in_it() {
    let world = World::new().await;
    let elsewhere = world.elsewhere().await;
    world.born(elsewhere, 1960, 0..7).await;
    let raw = LINES.replacen("{{#report}}", "{{#report csv=\"sirovo\"}}", 1);
    let cross = r#"{{#report}}{{col "a" head="A"}}{{cross "g" value="n"}}{{/report}}"#;
    let sections = r#"{{#report}}{{#section by="a" head="Deo"}}{{col "n" head="N"}}{{/section}}{{/report}}"#;
    let document = r#"{{#document}}{{#each redovi}}{{field "A" a}}{{/each}}{{/document}}"#;
    let sql = BY_YEAR.replacen("count(*) as n", "count(*) as n, 'g' as g", 1);
    let _engine = world.engine(&[]);
    for (name, template) in
        [("tabela", LINES), ("sirovo", raw.as_str()), ("ukrsteno", cross), ("odeljci", sections), ("dokument", document)]
    {
        let report = world.report(name, Report { template, sql: &sql, obim: "sve", ..Report::default() }).await;
        let told = lines(&world, world.ask(world.new_run(report)).await).await;
        let [.., before, last] = &told[..] else { panic!("{name}: {told:?}") };
        assert_eq!(last.trim_end_matches(';'), format!("# {GROUPS} {YEARS}"), "{name}");
        assert!(before.contains("1960") || before.contains('7'), "{name}: {told:?}");
        // Of the own institution a file has its rows and nothing else.
        change(&world, &format!("update report set obim = 'ustanova' where id = {report}")).await;
        let own = lines(&world, world.ask(world.new_run(report)).await).await;
        assert!(own.iter().all(|line| !line.starts_with('#')), "{name}: {own:?}");
    }

    // A version, as the designer and the builder write it, shown and mailed alike.
    let report = world.report("verzija", Report { sql: "select 'fajl' as a", obim: "sve", ..Report::default() }).await;
    let mut tx = domain::db::begin(&world.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
    let version: i64 = sqlx::query_scalar(
        "insert into report_definition (izvestaj_id, broj, upit, sablon, radnik_id, izbor) values ($1, 1, $2, $3, $4, '{}') returning id",
    )
    .bind(report)
    .bind(BY_YEAR)
    .bind(LINES)
    .bind(world.radnik)
    .fetch_one(&mut *tx)
    .await
    .unwrap();
    tx.commit().await.unwrap();
    change(&world, &format!("update report set definicija_id = {version} where id = {report}")).await;
    let run = world.ask(world.new_run(report)).await;
    assert_eq!(lines(&world, run).await, ["A;N".to_owned(), "1960;7".to_owned(), format!("# {GROUPS} {YEARS};")]);
}

#[tokio::test]
async fn a_mail_says_what_the_files_say_beside_their_rows() {
    let server = MailServer::healthy();
    let world = World::with_mail(&server).await;
    let report = world.report("posta", Report { template: LINES, sql: BY_YEAR, obim: "sve", ..Report::default() }).await;
    let _engine = world.engine(&[]);
    let run = world.ask(NewRun { emails: vec!["primalac@bolnica.rs".to_owned()], ..world.new_run(report) }).await;
    eventually("it is sent", async || world.deliveries(run).await.first().is_some_and(|delivery| delivery.status == "sent").then_some(()))
        .await;
    let letter = readable(&server.kept("primalac@bolnica.rs")[0].content);
    let words = letter.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(GROUPS) && words.contains(YEARS), "{words}");
}

#[tokio::test]
async fn the_owner_of_a_schedule_is_told_at_its_fire_that_the_report_is_refused_over_all_institutions() {
    let server = MailServer::healthy();
    let world = World::with_mail(&server).await;
    let of_before = "select godina_rodjenja::text as a from report.pacijent";
    let report = world.report("pre-pravila", Report { sql: of_before, obim: "sve", ..Report::default() }).await;
    let schedule = scheduled(&world, report, "Europe/Belgrade").await;
    let fire = NewRun { queue: Queue::Scheduled, ..world.new_run(report) };
    let mut connection = world.db.app.acquire().await.unwrap();
    let due = date(2026, 3, 4).at(7, 0, 0, 0);
    domain::runs::insert_fire(&mut connection, &fire, schedule, due, domain::runs::Entry::Queued).await.unwrap().expect("a new moment");
    let _engine = world.engine(&[]);
    let letter = eventually("a letter comes", async || server.kept("vlasnik@bolnica.test").into_iter().next()).await;
    let words = readable(&letter.content).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("nije uspeo") && words.contains("čita pacijente svih ustanova, a ne kaže koje pacijente drži koji red"),
        "{words}"
    );
}
