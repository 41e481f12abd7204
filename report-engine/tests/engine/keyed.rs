//! What whoever knows some of her own patients' numbers, and what they have become in a report over all institutions, makes of it: nothing.
//! The audit's attacker tried all keys of a hash in ten seconds, and joined two runs by it.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use domain::report_sql::{Binds, ReportDb, Scope, Value};

use crate::world::World;

const TIME: Duration = Duration::from_secs(10);
const KNOWN: i64 = 20;

/// Of each known patient's number what it is in one run: she is known by her year of birth.
async fn run(world: &World, reports: &ReportDb) -> HashMap<i64, i64> {
    let all = Scope { run: None, radnik_id: world.radnik, ustanova_id: None };
    let found = reports.small(all, "select godina_rodjenja::bigint, id from pacijent", &Binds::new(), TIME, 1000).await.unwrap();
    let ids: HashMap<i64, i64> = sqlx::query_as("select extract(year from datum_rodjenja)::bigint, id from patient")
        .fetch_all(&world.db.owner)
        .await
        .unwrap()
        .into_iter()
        .collect();
    let number = |value: &Value| if let Value::Int(number) = value { *number } else { panic!("{value:?}") };
    found.rows.iter().map(|row| (ids[&number(&row[0])], number(&row[1]))).collect()
}

#[tokio::test]
async fn numbers_over_all_institutions_give_away_neither_their_key_nor_who_is_who_in_another_run() {
    let world = World::new().await;
    let mut tx = domain::db::begin(&world.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
    sqlx::query("update parameter set vrednost = '1' where naziv = 'najmanjaTudjaGrupa'").execute(&mut *tx).await.unwrap();
    sqlx::query(
        "insert into patient (ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, ustanova_id)
         select 'Ana', 'Anić' || n, make_date(1940 + n::int, 1, 1), lpad(n::text, 13, '0'), lpad(n::text, 11, '0'), true, '011/1234567', $1
           from generate_series(1, $2::bigint) n",
    )
    .bind(world.ustanova)
    .bind(KNOWN)
    .execute(&mut *tx)
    .await
    .unwrap();
    tx.commit().await.unwrap();
    let reports = ReportDb::new(world.db.app.clone(), &world.db.report_url, 4).unwrap();
    let (first, second) = (run(&world, &reports).await, run(&world, &reports).await);
    assert_eq!((first.len(), second.len()), (KNOWN as usize, KNOWN as usize));

    // Two runs have no number in common, no difference and no mask by which one would become the other.
    let numbers = |run: &HashMap<i64, i64>| -> HashSet<i64> { run.values().copied().collect() };
    assert!(numbers(&first).is_disjoint(&numbers(&second)));
    let between = |join: fn(i64, i64) -> i64| first.iter().map(|(id, one)| join(*one, second[id])).collect::<HashSet<_>>().len();
    assert_eq!([between(i64::wrapping_sub), between(|one, other| one ^ other)], [KNOWN as usize; 2]);
    let steps = |run: &HashMap<i64, i64>| -> HashSet<i64> {
        run.iter()
            .flat_map(|(id, one)| run.iter().filter(move |(other, _)| *other != id).map(move |(_, two)| one.wrapping_sub(*two)))
            .collect()
    };
    assert!(steps(&first).is_disjoint(&steps(&second)), "what lies between two patients is another in each run");
    // Nor do they stand in the order of what they stand for.
    let mut in_order: Vec<_> = first.iter().collect();
    in_order.sort_unstable();
    assert!(!in_order.is_sorted_by_key(|(_, number)| **number) && !in_order.iter().rev().is_sorted_by_key(|(_, number)| **number));

    // Each key that can be tried: seeds of the server's hashes as before, and digests under what a server knows of a connection.
    let (id, number) = in_order[0];
    for (what, guess) in [
        ("a hash with a seed", "hashint8extended($1, n)"),
        ("a hash of its text with a seed", "hashtextextended($1::text, n)"),
        ("a digest under a small number", "report_inside.zamena($1, int8send(n))"),
        ("a digest under a process of the server", "report_inside.zamena($1, int4send(n::int))"),
        (
            "a digest under a moment of the last second",
            "report_inside.zamena($1, int8send((extract(epoch from clock_timestamp()) * 1000000)::bigint - n))",
        ),
        ("a digest under a worker's text", "report_inside.zamena($1, convert_to(n::text, 'UTF8'))"),
        ("a digest without a key", "hashtextextended(encode(sha256(int8send($1 + 0 * n)), 'hex'), 0)"),
    ] {
        let sql = format!("select count(*) from generate_series(0, 1000000::bigint) n where {guess} = $2");
        let keys: i64 = sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).bind(*id).bind(*number).fetch_one(&world.db.owner).await.unwrap();
        assert_eq!(keys, 0, "{what}");
    }
    // What is left is a key of 256 bits for each connection.
    let (bytes, kinds): (i32, i64) = sqlx::query_as(
        "with drawn as (insert into report_scope (pid, radnik_id) select 1900000 + n, 1 from generate_series(1, 500) n returning tajna)
         select min(length(tajna)), count(distinct left(encode(tajna, 'hex'), 16)) from drawn",
    )
    .fetch_one(&world.db.app)
    .await
    .unwrap();
    assert_eq!((bytes, kinds), (32, 500));
}
