//! Whose data a run shows: what the log has of its rows, its mails and its exports.

use domain::exports::Profile;

use crate::world::{MailServer, Report, World, eventually};

/// The patients of the newest row of that deed, with who and for whom.
async fn shown(world: &World, akcija: &str) -> (Option<i64>, Option<i64>, Vec<i64>) {
    sqlx::query_as(
        "select l.radnik_id, l.ustanova_id, array(select p from patients_of_log(l.vreme_pristupa, l.id, l.pacijent_id) p order by p)
           from audit_log l where l.akcija = $1 order by l.vreme_pristupa desc limit 1",
    )
    .bind(akcija)
    .fetch_one(&world.db.owner)
    .await
    .unwrap_or_else(|error| panic!("{akcija}: {error}"))
}

const PATIENTS: &str = "select ime as a, id as pacijent_id from pacijent order by id";

#[tokio::test]
async fn a_report_whose_rows_name_patients_tells_the_log_whom_it_and_its_mail_have_shown() {
    let server = MailServer::healthy();
    let world = World::with_mail(&server).await;
    let (first, second) = (world.patient("0101990710006").await, world.patient("0101990710014").await);
    let report = world.report("spisak", Report { sql: PATIENTS, ..Report::default() }).await;
    let _engine = world.engine(&[]);
    let mut run = world.new_run(report);
    run.emails = vec!["primalac@bolnica.rs".to_owned()];
    let run = world.ask(run).await;
    assert_eq!(world.end(run).await.status, "succeeded");
    let own = (Some(world.radnik), Some(world.ustanova), vec![first, second]);
    assert_eq!(shown(&world, "izrada izveštaja").await, own);
    eventually("it is sent", async || world.deliveries(run).await.iter().all(|delivery| delivery.status == "sent").then_some(())).await;
    assert_eq!(shown(&world, "slanje").await, own);
    assert_eq!(world.count("select count(*) from audit_log where akcija = 'slanje' and opis = 'Primalac: primalac@bolnica.rs'").await, 1);
}

/// What the log says of the newest run beside its patients.
async fn said(world: &World) -> String {
    sqlx::query_scalar("select coalesce(opis, '') from audit_log where akcija = 'izrada izveštaja' order by vreme_pristupa desc limit 1")
        .fetch_one(&world.db.owner)
        .await
        .expect("the row of the run")
}

#[tokio::test]
async fn a_report_that_names_patients_and_does_not_prove_whom_stands_in_the_log_with_all_whom_it_could_show() {
    let world = World::new().await;
    let first = world.patient("0101990710006").await;
    let second = world.patient("0101990710014").await;
    let _engine = world.engine(&[]);
    let unproven = || "Ne može se dokazati koje pacijente redovi imenuju: upisani su svi koje je izveštaj mogao da pokaže.".to_owned();
    let all = || vec![first, second];
    for (number, (sql, patients, opis)) in [
        ("select prezime || ' ' || ime as a from pacijent", all(), unproven()),
        ("select ime as a, null::bigint as pacijent_id from pacijent", all(), unproven()),
        ("select ime as a, id::text as pacijent_id from pacijent", all(), unproven()),
        ("select ime as a, case when jmbg = '0101990710006' then id end as pacijent_id from pacijent", all(), unproven()),
        // Found by what identifies: that somebody else was not found is known as well.
        ("select ime as a, id as pacijent_id from pacijent where jmbg = '0101990710006'", all(), unproven()),
        ("select ime as a, id as pacijent_id from pacijent order by jmbg desc limit 1", all(), unproven()),
        ("select ime as a, id as pacijent_id from pacijent order by id limit 1", vec![first], String::new()),
        ("select ime as a from pacijent where false", vec![], String::new()),
        ("select count(*)::text as a from pacijent where pol_trenutni", vec![], String::new()),
    ]
    .into_iter()
    .enumerate()
    {
        let report = world.report(&format!("spisak{number}"), Report { sql, ..Report::default() }).await;
        let run = world.ask(world.new_run(report)).await;
        assert_eq!(world.end(run).await.status, "succeeded", "{sql}");
        assert_eq!((shown(&world, "izrada izveštaja").await.2, said(&world).await), (patients, opis), "{sql}");
    }
}

#[tokio::test]
async fn over_all_institutions_no_row_names_a_patient() {
    let world = World::new().await;
    world.patient("0101990710006").await;
    // Where groups may be of any size, rows are.
    let mut tx = domain::db::begin(&world.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
    sqlx::query("update parameter set vrednost = '1' where naziv = 'najmanjaTudjaGrupa'").execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    let report = world.report("spisak", Report { sql: PATIENTS, obim: "sve", ..Report::default() }).await;
    let _engine = world.engine(&[]);
    let run = world.ask(world.new_run(report)).await;
    assert_eq!(world.end(run).await.status, "succeeded");
    assert_eq!(shown(&world, "izrada izveštaja").await.2, [0_i64; 0]);
}

#[tokio::test]
async fn an_export_tells_who_is_in_it_only_where_the_file_does() {
    let (world, source) = World::to_export().await;
    let _engine = world.engine(&[]);
    for (profil, told) in [(Profile::BezIdentiteta, false), (Profile::Identitet, true)] {
        let run = world.ask_export(world.entries(&source, profil)).await;
        assert_eq!(world.end(run).await.status, "succeeded");
        assert_eq!(!shown(&world, "izrada izvoza").await.2.is_empty(), told, "{profil:?}");
    }
}
