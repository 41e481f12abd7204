//! Somebody who knows ten patients of her own asks for reports over all institutions, and learns of no stranger by them.

use serde_json::json;

use crate::world::{MailServer, Report, World, eventually};

/// Rows by year of birth, which only those have whom the test has made for it.
pub const BY_YEAR: &str = "select p.godina_rodjenja::text as a, count(*) as n, array_agg(p.id) as grupa_pacijenata
                         from report.pacijent p group by 1 order by 1";
pub const LINES: &str = r#"{{#report}}{{col "a" head="A"}}{{col "n" head="N"}}{{/report}}"#;

impl World {
    /// A hospital whose patients are nobody's own.
    pub async fn elsewhere(&self) -> i64 {
        let mut tx = domain::db::begin(&self.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
        let id =
            sqlx::query_scalar("insert into institution (naziv) values ('Druga klinika') returning id").fetch_one(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
        id
    }

    pub async fn born(&self, ustanova: i64, year: i32, many: std::ops::Range<i64>) {
        let mut tx = domain::db::begin(&self.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
        for number in many {
            sqlx::query(
                "insert into patient (ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, ustanova_id)
                 values ('Ana', 'Anić', make_date($1, 5, 5), lpad($2::text, 13, '7'), lpad($2::text, 11, '1'), true, '011/123456', $3)",
            )
            .bind(year)
            .bind(i64::from(year) * 1_000 + number)
            .bind(ustanova)
            .execute(&mut *tx)
            .await
            .unwrap();
        }
        tx.commit().await.unwrap();
    }

    async fn lines(&self, report: i64) -> Vec<String> {
        let run = self.ask(self.new_run(report)).await;
        let ended = self.end(run).await;
        assert_eq!((ended.status.as_str(), ended.error_text.as_deref()), ("succeeded", None));
        let (_, content) = self.files(run).await.pop().expect("a file");
        String::from_utf8(content)
            .unwrap()
            .trim_start_matches('\u{feff}')
            .lines()
            .skip(1)
            .filter(|line| !line.starts_with("# "))
            .map(str::to_owned)
            .collect()
    }
}

#[tokio::test]
async fn ones_own_ten_patients_tell_of_no_stranger_beside_them() {
    let world = World::new().await;
    let elsewhere = world.elsewhere().await;
    world.born(world.ustanova, 1950, 0..10).await;
    world.born(elsewhere, 1960, 0..7).await;
    let report = world.report("godine", Report { template: LINES, sql: BY_YEAR, obim: "sve", ..Report::default() }).await;
    let _engine = world.engine(&[]);
    for strangers in 0..5 {
        // Whether nobody, one or four of others were born in that year, the file is the same.
        assert_eq!(world.lines(report).await, ["1960;7"], "{strangers}");
        world.born(elsewhere, 1950, 100 + strangers..101 + strangers).await;
    }
    assert_eq!(world.lines(report).await, ["1950;15", "1960;7"]);
    // Five patients of others are enough for whoever knows none of them, and a total does not tell what is missing.
    world.born(elsewhere, 1970, 0..3).await;
    let total = "select coalesce(p.godina_rodjenja::text, 'ukupno') as a, count(*) as n, array_agg(p.id) as grupa_pacijenata
                   from report.pacijent p group by rollup (p.godina_rodjenja) order by 1";
    let report = world.report("ukupno", Report { template: LINES, sql: total, obim: "sve", ..Report::default() }).await;
    assert_eq!(world.lines(report).await, ["1950;15", "ukupno;25"], "the three stand with seven others in what is missing");
}

/// A register that others do not fill tells of its patients, but not where they are in a shared one as well: there they would tell of whoever
/// is not among them.
#[tokio::test]
async fn a_register_of_ones_own_tells_of_nobody_in_a_shared_one() {
    let world = World::new().await;
    let elsewhere = world.elsewhere().await;
    world.born(world.ustanova, 1950, 0..10).await;
    world.born(elsewhere, 1960, 0..7).await;
    let fill = async |register: &str, year: i32| {
        let mut tx = domain::db::begin(&world.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
        sqlx::query(
            "with made as (insert into register (naziv) select $1 where not exists (select from register where naziv = $1) returning id),
                  r as (select id from made union select id from register where naziv = $1)
             insert into patient_register (pacijent_id, registar_id, ime_f, prezime_f, datum_rodjenja, pol_trenutni)
             select p.id, r.id, p.ime_f, p.prezime_f, p.datum_rodjenja, p.pol_trenutni from patient p, r
              where extract(year from p.datum_rodjenja) = $2",
        )
        .bind(register)
        .bind(year)
        .execute(&mut *tx)
        .await
        .unwrap();
        tx.commit().await.unwrap();
    };
    fill("Naš", 1950).await;
    fill("Zajednički", 1960).await;
    let report = world.report("godine", Report { template: LINES, sql: BY_YEAR, obim: "sve", ..Report::default() }).await;
    let _engine = world.engine(&[]);
    assert_eq!(world.lines(report).await, ["1950;10", "1960;7"], "nobody else is in their register");
    fill("Zajednički", 1950).await;
    assert_eq!(world.lines(report).await, ["1960;7"]);
}

#[tokio::test]
async fn what_says_of_no_row_whose_data_it_holds_is_not_run_over_all_institutions() {
    let world = World::new().await;
    let elsewhere = world.elsewhere().await;
    world.born(elsewhere, 1960, 0..9).await;
    let _engine = world.engine(&[]);
    for (name, sql) in [
        ("redovi", "select godina_rodjenja::text as a from report.pacijent"),
        ("brojevi", "select id::text as a from report.pacijent"),
        ("datumi", "select datum_unosa::text as a from report.unos"),
        ("vrednosti", "select tekst as a from report.vrednost"),
        ("tekst", "select 'x' as a, string_agg(id::text, ',') as grupa_pacijenata from report.pacijent"),
    ] {
        let report = world.report(name, Report { sql, obim: "sve", ..Report::default() }).await;
        let run = world.ask(world.new_run(report)).await;
        let ended = world.end(run).await;
        assert_eq!((ended.status.as_str(), ended.error_code.as_deref()), ("failed", Some("ungrouped")), "{name}: {ended:?}");
    }
    // Each patient by herself is few, and so are ids that are asked for as if they were text.
    let one = "select p.id::text as a, array[p.id] as grupa_pacijenata from report.pacijent p";
    let report = world.report("po-jedan", Report { sql: one, obim: "sve", ..Report::default() }).await;
    assert_eq!(world.lines(report).await, [""; 0]);
    // How things are called is nobody's data.
    let words =
        world.report("reci", Report { sql: "select naziv as a from report.ustanova order by id", obim: "sve", ..Report::default() }).await;
    assert_eq!(world.lines(words).await, ["Klinika", "Druga klinika"]);
}

#[tokio::test]
async fn what_is_mailed_is_what_is_shown_and_says_what_is_not_there() {
    let server = MailServer::healthy();
    let world = World::with_mail(&server).await;
    let elsewhere = world.elsewhere().await;
    world.born(elsewhere, 1960, 0..5).await;
    world.born(elsewhere, 1981, 0..1).await;
    world.born(elsewhere, 1982, 0..6).await;
    let by_mail = Report { template: LINES, sql: BY_YEAR, obim: "sve", attach: true, ..Report::default() };
    let report = world.report("posta", by_mail).await;
    let _engine = world.engine(&[]);
    let mut run = world.new_run(report);
    run.emails = vec!["primalac@bolnica.rs".to_owned()];
    run.parametri = json!({});
    run.formati = ["CSV", "XLSX"].map(str::to_owned).to_vec();
    let run = world.ask(run).await;
    assert_eq!(world.end(run).await.status, "succeeded");
    eventually("it is sent", async || world.deliveries(run).await.iter().all(|delivery| delivery.status == "sent").then_some(())).await;
    let files = world.files(run).await;
    let csv = String::from_utf8_lossy(&files[0].1);
    assert!(csv.contains("1960;5") && csv.contains("1982;6") && !csv.contains("1981"), "{csv}");
    let sent = format!("{:?}", server.kept("primalac@bolnica.rs"));
    assert!(!sent.contains("1981"), "{sent}");
}

/// The reports that come with the product, on the demo's hospitals.
#[tokio::test]
async fn shipped_reports_over_all_institutions_have_rows_where_there_are_patients() {
    let world = World::of_the_demo().await;
    let _engine = world.engine(&[]);
    let reports: Vec<(i64, String, Option<i64>)> =
        sqlx::query_as("select id, jasper_fajl, registar_id from report where obim = 'sve' and jasper_fajl not in ('nalazi-pravila', 'upiti-po-mesecima') order by 2")
            .fetch_all(&world.db.owner)
            .await
            .unwrap();
    // Nothing was found there yet, and nobody has asked.
    assert_eq!(reports.len(), 7);
    for (report, name, registar) in reports {
        let mut run = world.new_run(report);
        run.registar_id = registar;
        run.formati = ["PDF", "XLSX", "CSV"].map(str::to_owned).to_vec();
        let run = world.ask(run).await;
        let ended = world.end(run).await;
        assert_eq!((ended.status.as_str(), ended.error_text.as_deref()), ("succeeded", None), "{name}");
        let files = world.files(run).await;
        let csv = String::from_utf8_lossy(&files[0].1).into_owned();
        assert!(csv.lines().count() > 3, "{name}: {csv}");
    }
}
