//! The shipped reports of the quality of data on the demo: what their files say is what SQL of the tables says.

use std::process::Command;

use calamine::{Reader, Xlsx, open_workbook};
use jiff::{
    ToSpan,
    civil::{Date, date},
};

use crate::world::{World, eventually};

/// Each report and the same by tables: register, the own institution's name, form, and numbers that are added up.
const REPORTS: [(&str, &str); 3] = [
    (
        "kvalitet-podataka",
        "select g.naziv, f.naziv, to_char(e.datum_unosa, 'MM.YYYY.'), count(*), count(*) filter (where e.popunjeni_relevantni),
                sum((select count(*) from quality_finding n where n.unos_id = e.id and n.kraj is null and n.potvrdjen_at is null))::bigint,
                sum((select count(*) from quality_finding n where n.unos_id = e.id and n.kraj is null and n.potvrdjen_at is not null))::bigint,
                sum((select count(*) from question q where q.unos_id = e.id and q.stanje <> 'zatvoren'))::bigint
           from entry e join register g on g.id = e.registar_id join form f on f.id = e.tsa_id where e.aktivan and e.ustanova_id = $1 group by 1, 2, 3",
    ),
    (
        "nalazi-pravila",
        "select g.naziv, f.naziv, r.naziv, count(*), count(*) filter (where n.kraj is null and n.potvrdjen_at is null),
                count(*) filter (where n.kraj is null and n.potvrdjen_at is not null), count(*) filter (where n.kraj is not null), 0::bigint
           from quality_finding n join quality_rule r on r.id = n.pravilo_id join entry e on e.id = n.unos_id
           join register g on g.id = e.registar_id join form f on f.id = e.tsa_id where n.ustanova_id = $1 group by 1, 2, 3",
    ),
    (
        "upiti-po-mesecima",
        "select g.naziv, f.naziv, to_char(q.vreme, 'MM.YYYY.'), count(*), count(*) filter (where q.stanje = 'otvoren'),
                count(*) filter (where q.stanje = 'odgovoren'), count(*) filter (where q.stanje = 'zatvoren'), 0::bigint
           from question q join entry e on e.id = q.unos_id join register g on g.id = e.registar_id join form f on f.id = e.tsa_id
          where q.ustanova_id = $1 group by 1, 2, 3",
    ),
];

/// From which workbooks count days.
const FIRST_DAY: Date = date(1899, 12, 30);

type Counted = (String, String, String, i64, i64, i64, i64, i64);

/// The demo with its rules looked at, some of what they found confirmed, and some entries asked about.
async fn looked_at() -> World {
    let world = World::of_the_demo().await;
    let write = async |statements: &[&'static str]| {
        let mut tx = domain::db::begin(&world.db.owner, world.radnik).await.unwrap();
        for statement in statements {
            sqlx::query(*statement).execute(&mut *tx).await.unwrap_or_else(|error| panic!("{statement}: {error}"));
        }
        tx.commit().await.unwrap();
    };
    // Small groups are another test's.
    write(&["update parameter set vrednost = '1' where naziv = 'najmanjaTudjaGrupa'", "select order_quality_run(r.id) from register r"])
        .await;
    {
        let _engine = world.engine(&[]);
        eventually("the registers are looked at", async || {
            (world.count("select count(*) from quality_run where status in ('queued', 'running')").await == 0).then_some(())
        })
        .await;
    }
    write(&[
        "update quality_finding set potvrdjen_at = clock_timestamp(), potvrdio_id = acting_worker() where id % 3 = 0",
        "insert into question (unos_id, pacijent_id, ustanova_id, poreklo, dodeljen_id)
         select e.id, e.pacijent_id, e.ustanova_id, 'kolega', acting_worker() from entry e where e.id % 11 = 0",
        "insert into question_message (upit_id, vrsta, tekst, stanje, dodeljen_id) select id, 'pitanje', 'Da li je tačno?', 'otvoren', dodeljen_id from question",
        "insert into question_message (upit_id, vrsta, stanje, dodeljen_id) select id, 'zatvaranje', 'otvoren', dodeljen_id from question where id % 2 = 0",
    ])
    .await;
    world
}

#[tokio::test]
async fn the_reports_of_the_quality_of_data_say_what_the_tables_say_in_every_format() {
    let world = looked_at().await;
    let own: String =
        sqlx::query_scalar("select naziv from institution where id = $1").bind(world.ustanova).fetch_one(&world.db.owner).await.unwrap();
    let _engine = world.engine(&[]);
    for (name, sql) in REPORTS {
        let counted: Vec<Counted> = sqlx::query_as(sql).bind(world.ustanova).fetch_all(&world.db.owner).await.unwrap();
        assert!(!counted.is_empty(), "{name}");
        let report: i64 =
            sqlx::query_scalar("select id from report where jasper_fajl = $1").bind(name).fetch_one(&world.db.owner).await.unwrap();
        let mut run = world.new_run(report);
        run.formati = ["PDF", "XLSX", "CSV"].map(str::to_owned).to_vec();
        let run = world.ask(run).await;
        let ended = world.end(run).await;
        assert_eq!((ended.status.as_str(), ended.error_text.as_deref()), ("succeeded", None), "{name}: {ended:?}");
        let files = world.files(run).await;
        let csv = String::from_utf8(files[0].1.clone()).unwrap();
        let xlsx = cells(&world, name, &files[2].1);
        for row in &counted {
            // Lines of one rule in several fields are added up, as the tables are.
            for (format, lines) in [("CSV", of_csv(&csv)), ("XLSX", xlsx.clone())] {
                assert_eq!(
                    added(name, &lines, &own, row),
                    numbers(name, row),
                    "{name}, {format}: {row:?} of {own} in {:?}",
                    &lines[..lines.len().min(4)]
                );
            }
        }
        let total: i64 = counted.iter().map(|row| row.3).sum();
        let pdf = pdf_text(&world, name, &files[1].1);
        let shown = domain::shown::number(total as f64);
        let of_own = pdf
            .lines()
            .filter(|line| line.trim_start().starts_with("Ukupno"))
            .any(|line| line.split_whitespace().any(|word| word == shown));
        assert!(of_own || counted.len() > 30 || total == 0, "{name}: {shown} in\n{pdf}");
    }
}

/// Which cells of a line are compared: behind register, institution, form and the third name.
fn places(name: &str) -> &'static [usize] {
    match name {
        "kvalitet-podataka" => &[4, 5, 7, 9, 10],
        "nalazi-pravila" => &[6, 7, 8, 9],
        _ => &[4, 5, 6, 7],
    }
}

fn numbers(name: &str, row: &Counted) -> Vec<i64> {
    [row.3, row.4, row.5, row.6, row.7][..places(name).len()].to_vec()
}

fn added(name: &str, lines: &[Vec<String>], own: &str, row: &Counted) -> Vec<i64> {
    let mut sums = vec![0; places(name).len()];
    let of_row = lines.iter().filter(|line| line.len() > 9 && line[0] == row.0 && line[1] == own && line[2] == row.1 && line[3] == row.2);
    for line in of_row {
        for (sum, place) in sums.iter_mut().zip(places(name)) {
            // A count of nobody is blank, as each that is too small.
            if !line[*place].is_empty() {
                *sum += line[*place].parse::<i64>().unwrap_or_else(|_| panic!("{place} of {line:?} is a number"));
            }
        }
    }
    sums
}

fn of_csv(text: &str) -> Vec<Vec<String>> {
    text.lines().map(|line| line.split(';').map(|cell| cell.trim_matches('"').to_owned()).collect()).collect()
}

fn cells(world: &World, name: &str, content: &[u8]) -> Vec<Vec<String>> {
    let path = world.folder.path().join(format!("{name}.xlsx"));
    std::fs::write(&path, content).unwrap();
    let mut book: Xlsx<_> = open_workbook(&path).expect("a workbook");
    let sheet = book.sheet_names()[0].clone();
    let range = book.worksheet_range(&sheet).expect("the sheet");
    range.rows().map(|row| row.iter().map(shown).collect()).collect()
}

/// A month as the other formats write it.
fn shown(cell: &calamine::Data) -> String {
    match cell {
        calamine::Data::DateTime(day) => (FIRST_DAY + (day.as_f64() as i64).days()).strftime("%m.%Y.").to_string(),
        other => other.to_string(),
    }
}

fn pdf_text(world: &World, name: &str, content: &[u8]) -> String {
    let path = world.folder.path().join(format!("{name}.pdf"));
    std::fs::write(&path, content).unwrap();
    let tool = std::env::var("PDFTOTEXT").unwrap_or_else(|_| "pdftotext".to_owned());
    let output = Command::new(&tool).arg("-layout").arg(&path).arg("-").output().unwrap_or_else(|error| panic!("{tool} must run: {error}"));
    String::from_utf8(output.stdout).unwrap()
}
