//! Boards that nobody arranged, of the shipped reports, indicators and statistics, with periods and institutions by lot: what a hospital reads
//! on them tells of no stranger. The same question is asked once, as boards ask it; the lots are the same on every machine. Sixty boards with
//! few periods run with the other tests, a thousand with many among those that need minutes.

use std::{collections::BTreeMap, io::Cursor};

use domain::report_screen::{ScreenBlockKind, ScreenFile};
use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::world::World;

const SEED: u64 = 46;
const MOST_TILES: usize = 12;
/// Years in which the demo has nobody: what stands in them the test has put there.
const YEARS: [i16; 5] = [1995, 1996, 1997, 1998, 1999];
/// Of so many questions one is asked once more with many strangers, and of so many of those at least one tells of them.
const PART: usize = 3;
const FEW: usize = 10;
/// The parameter `najmanjaTudjaGrupa`.
const BOUND: i64 = 5;
const STRANGER: &str = "Tuđinac";

/// How many boards, and from how many periods and choices of institutions each of their tiles draws. Of the periods every other one is of old.
#[derive(Clone, Copy)]
struct Lots {
    boards: usize,
    periods: usize,
    choices: usize,
}

/// What a tile asks for: the report, and its parameters as text, so that equal ones are one.
type Question = (i64, String);

struct Shipped {
    id: i64,
    registar_id: Option<i64>,
    parameters: Vec<String>,
}

/// Every shipped report that can stand on a board: one that asks for a patient cannot.
async fn shipped(world: &World) -> Vec<Shipped> {
    let rows: Vec<(i64, Option<i64>, Vec<String>)> = sqlx::query_as(
        "select r.id, r.registar_id, coalesce(array_agg(p.request_naziv order by p.id) filter (where p.id is not null), '{}')
           from report r left join report_parameter p on p.izvestaj_id = r.id and p.aktivan
          where r.aktivan and r.prikazuje_se group by r.id having bool_and(p.request_naziv is distinct from 'pacijent') order by r.id",
    )
    .fetch_all(&world.db.owner)
    .await
    .unwrap();
    rows.into_iter().map(|(id, registar_id, parameters)| Shipped { id, registar_id, parameters }).collect()
}

async fn ids(world: &World, sql: &'static str) -> Vec<i64> {
    sqlx::query_scalar(sql).fetch_all(&world.db.owner).await.unwrap()
}

/// The questions of each board.
async fn boards(world: &World, size: Lots) -> Vec<Vec<Question>> {
    let reports = shipped(world).await;
    assert!(reports.len() >= 10, "{}", reports.len());
    let institutions = ids(world, "select id from institution order by id").await;
    let registers = ids(world, "select id from register where aktivan order by id").await;
    let mut lots = StdRng::seed_from_u64(SEED);
    let periods: Vec<(String, String)> = (0..size.periods)
        .map(|n| {
            let years: &[i16] = if n % 2 == 0 { &YEARS } else { &[2018, 2020, 2022, 2023, 2024] };
            let (one, other) = (*years.choose(&mut lots).unwrap(), *years.choose(&mut lots).unwrap());
            let month = lots.random_range(1..=12);
            (format!("{}-{month:02}-01", one.min(other)), format!("{}-12-31", one.max(other)))
        })
        .collect();
    let sets: Vec<Value> = (0..size.choices)
        .map(|n| {
            let chosen: Vec<String> = institutions.choose_multiple(&mut lots, 1 + n).map(ToString::to_string).collect();
            if n + 1 == size.choices { Value::Null } else { json!(chosen) }
        })
        .collect();
    (0..size.boards)
        .map(|_| {
            let (od, do_dana) = periods.choose(&mut lots).unwrap();
            (0..lots.random_range(1..=MOST_TILES))
                .map(|_| {
                    let report = reports.choose(&mut lots).unwrap();
                    let asked: Map<String, Value> = report
                        .parameters
                        .iter()
                        .map(|name| {
                            let value = match name.as_str() {
                                "od" => json!(od),
                                "do" => json!(do_dana),
                                "ustanove" => sets.choose(&mut lots).unwrap().clone(),
                                "registar" => json!(report.registar_id.unwrap_or(*registers.choose(&mut lots).unwrap()).to_string()),
                                _ => Value::Null,
                            };
                            (name.clone(), value)
                        })
                        .collect();
                    (report.id, Value::Object(asked).to_string())
                })
                .collect()
        })
        .collect()
}

/// Asks for all of them at once, as boards of many do, and reads each answer: every cell and every drawing, without what the file says of
/// groups that it leaves out.
async fn answers(world: &World, questions: impl Iterator<Item = &Question>) -> BTreeMap<Question, String> {
    let mut runs: Vec<(Question, Uuid)> = Vec::new();
    for question in questions {
        let mut run = world.new_run(question.0);
        run.parametri = serde_json::from_str(&question.1).unwrap();
        run.formati = vec!["EKRAN".to_owned()];
        runs.push((question.clone(), world.ask(run).await));
    }
    let mut read = BTreeMap::new();
    for (question, run) in runs {
        let ended = world.end(run).await;
        assert_eq!((ended.status.as_str(), ended.error_text.as_deref()), ("succeeded", None), "{question:?}");
        let (_, content) = world.files(run).await.pop().expect("a file");
        let mut file = ScreenFile::open(Cursor::new(&content)).expect("readable").expect("a report on the screen");
        let kinds: Vec<ScreenBlockKind> = file.contents().blokovi.iter().map(|block| block.vrsta).collect();
        let mut text = String::new();
        for (place, kind) in kinds.into_iter().enumerate() {
            match kind {
                ScreenBlockKind::Grafikon => text.push_str(&format!("{:?}\n", file.chart(place).expect("readable"))),
                ScreenBlockKind::Tabela | ScreenBlockKind::Tekst => {
                    for line in file.lines(place, 0, usize::MAX).expect("readable").unwrap_or_default() {
                        text.push_str(&format!("{} {:?}\n", line.tekst, line.celije));
                    }
                }
            }
        }
        read.insert(question, text);
    }
    read
}

async fn execute(world: &World, sql: &'static str, ids: &[i64]) {
    let mut tx = domain::db::begin(&world.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
    sqlx::query(sql).bind(ids).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
}

/// One entry each of so many patients of a register whom the hospital knows, or does not.
async fn entries(world: &World, register: &str, known: bool, many: i64) -> Vec<i64> {
    let entries: Vec<i64> = sqlx::query_scalar(
        "select min(e.id) from entry e join register r on r.id = e.registar_id and r.sifra = $1 join patient p on p.id = e.pacijent_id
          where e.aktivan and p.aktivan and p.datum_rodjenja < '1990-01-01' and knows_patient($2, p.id) = $3
          group by p.id having bool_and((e.ustanova_id = $2) = $3) order by p.id limit $4",
    )
    .bind(register)
    .bind(world.ustanova)
    .bind(known)
    .bind(many)
    .fetch_all(&world.db.owner)
    .await
    .unwrap();
    assert_eq!(entries.len() as i64, many, "{register} {known}");
    entries
}

/// Puts each of the entries on a day of its own of those years.
async fn put_back(world: &World, entries: &[i64]) {
    let sql = "update entry e set datum_unosa = make_date(1995 + (x.n % 5)::int, 1 + (x.n % 12)::int, 1 + (x.n % 28)::int)
                 from unnest($1) with ordinality x (id, n) where e.id = x.id";
    execute(world, sql, entries).await;
}

#[tokio::test]
async fn boards_by_lot_tell_a_hospital_of_no_stranger() {
    tell_of_no_stranger(Lots { boards: 60, periods: 4, choices: 2 }).await;
}

#[tokio::test]
#[ignore = "long: a thousand boards"]
async fn a_thousand_boards_by_lot_tell_a_hospital_of_no_stranger() {
    tell_of_no_stranger(Lots { boards: 1_000, periods: 24, choices: 4 }).await;
}

async fn tell_of_no_stranger(size: Lots) {
    let world = World::of_the_demo().await;
    let strangers: Vec<i64> = sqlx::query_scalar("select p.id from patient p where not knows_patient($1, p.id)")
        .bind(world.ustanova)
        .fetch_all(&world.db.owner)
        .await
        .unwrap();
    assert!(strangers.len() > 100);
    execute(&world, "update patient set prezime = 'Tuđinac' where id = any ($1)", &strangers).await;
    let numbers: Vec<String> = sqlx::query_scalar("select unnest(array[jmbg, lbo]) from patient where id = any ($1)")
        .bind(&strangers)
        .fetch_all(&world.db.owner)
        .await
        .unwrap();
    let (mut few, mut more) = (Vec::new(), Vec::new());
    for register in ["kardiologija", "reumatologija"] {
        put_back(&world, &entries(&world, register, true, 9).await).await;
        let strangers = entries(&world, register, false, 3 * BOUND).await;
        let (first, rest) = strangers.split_at((BOUND - 1) as usize);
        few.extend_from_slice(first);
        more.extend_from_slice(rest);
    }
    let boards = boards(&world, size).await;
    let questions: BTreeMap<&Question, bool> =
        boards.iter().flatten().map(|question| (question, YEARS.iter().any(|year| question.1.contains(&format!("\"{year}-"))))).collect();
    let old = || questions.iter().filter(|(_, is_old)| **is_old).map(|(question, _)| *question);
    let _engine = world.engine(&[("ENGINE_CONCURRENCY", "6")]);

    let without = answers(&world, old()).await;
    put_back(&world, &few).await;
    let with = answers(&world, questions.keys().copied()).await;
    let mut read = 0;
    for (place, board) in boards.iter().enumerate() {
        for question in board {
            let answer = &with[question];
            assert!(!answer.contains(STRANGER), "board {place}, {question:?}: {answer}");
            if let Some(before) = without.get(question) {
                assert_eq!(answer, before, "board {place}, {question:?}: fewer than {BOUND} strangers changed what is told");
            }
            read += 1;
        }
    }
    assert!(read > size.boards, "{read}");
    let all: String = with.values().map(String::as_str).collect();
    assert_eq!(numbers.iter().find(|number| !number.is_empty() && all.contains(number.as_str())), None);

    // It is the bound that keeps them back, and not that nobody looks at those years: a part of the questions shows it.
    put_back(&world, &more).await;
    let many = answers(&world, old().step_by(PART)).await;
    let changed = many.iter().filter(|(question, answer)| without[*question] != **answer).count();
    assert!(changed * FEW > many.len(), "{changed} of {} tell of ever more strangers", many.len());
}
