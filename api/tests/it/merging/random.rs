//! A thousand merges and their undoing over generated histories, some records merged one into the next: every row is what it was.

use std::collections::BTreeMap;

use domain::db;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, PgConnection, PgPool};

use super::Twice;

/// A plain generator: the same numbers every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % most as u64).expect("small")
    }
}

const COLUMNS: [&str; 8] = ["ime", "adresa", "jmbg", "lbo", "broj_kartona", "email", "pol_trenutni", "datum_rodjenja"];

/// Everything that merging moves, follows or counts, row by row, without the counts of changes and their moments; a visit that ends with its
/// entries is begun anew when they come back, and has another number.
async fn rows(db: &PgPool) -> BTreeMap<String, Value> {
    let tables: Vec<String> =
        sqlx::query_scalar("select distinct tabela from merged_tables() where kako <> 'ostaje'").fetch_all(db).await.unwrap();
    let mut rows = BTreeMap::new();
    for table in tables {
        let all = format!(
            "select coalesce(jsonb_agg(r.slog order by r.slog), '[]')
               from (select to_jsonb(t) - case '{table}' when 'patient' then '{{verzija,vreme_poslednje_izmene}}'::text[]
                           when 'visit' then '{{id,vreme_kreiranja}}' when 'entry' then '{{poseta_id}}' else '{{}}' end as slog from {table} t) r"
        );
        rows.insert(table, sqlx::query_scalar(AssertSqlSafe(all)).fetch_one(db).await.unwrap());
    }
    rows
}

async fn merge(db: &mut PgConnection, left: i64, gone: i64, columns: &[&str]) -> i64 {
    sqlx::query_scalar("select merge_patients($1, $2, $3, 'Ista osoba, dva kartona')")
        .bind(left)
        .bind(gone)
        .bind(columns)
        .fetch_one(db)
        .await
        .unwrap()
}

#[tokio::test]
async fn merges_are_undone_to_the_same_rows() {
    merge_and_undo(60).await;
}

#[tokio::test]
#[ignore = "long: a thousand merges, each looked at row by row"]
async fn a_thousand_merges_are_undone_to_the_same_rows() {
    merge_and_undo(1000).await;
}

async fn merge_and_undo(most: usize) {
    let twice = Twice::here().await;
    let app = &twice.app;
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let mut people = vec![twice.left.id, twice.gone.id];
    for number in 1001..1013 {
        let keeper = [app.ustanova, app.druga_ustanova][dice.below(2)];
        let person = app.person(&twice.register, keeper, number).await;
        people.push(person.id);
        for entry in 0..dice.below(4) {
            let date = format!("202{}-0{}-1{}", dice.below(6), 1 + dice.below(9), entry);
            let holder = [app.ustanova, app.druga_ustanova][dice.below(2)];
            app.entry(&twice.register, person.id, holder, &date, json!({ "broj": dice.below(100), "tekst": "nalaz" })).await;
        }
        if dice.below(2) == 0 {
            twice.taken(person.id, [app.ustanova, app.druga_ustanova][dice.below(2)]).await;
        }
        if dice.below(2) == 0 {
            let status = format!(
                "insert into patient_status (pacijent_id, registar_id, status, dan, izvor, ustanova_id)
                 values ({}, {}, 'izgubljen', '2025-06-0{}', 'ustanova', {keeper})",
                person.id,
                twice.register.id,
                1 + dice.below(9)
            );
            twice.owner(&status).await;
        }
        twice
            .owner(&format!("insert into import_record (izvor, kljuc, pacijent_id) values ('izvor', 'pacijent:{number}', {})", person.id))
            .await;
    }
    let mut made = 0;
    while made < most {
        let (mut alive, mut undo) = (people.clone(), vec![]);
        for _ in 0..1 + dice.below(people.len() - 1) {
            let gone = alive.swap_remove(dice.below(alive.len()));
            let left = alive[dice.below(alive.len())];
            let columns: Vec<&str> = COLUMNS.into_iter().filter(|_| dice.below(3) == 0).collect();
            // Compared now and then within a chain, and always where it ends.
            let before = if undo.is_empty() || dice.below(12) == 0 { Some(rows(&app.db.owner).await) } else { None };
            let mut tx = db::begin(&app.state.db, twice.worker.id).await.unwrap();
            undo.push((merge(&mut tx, left, gone, &columns).await, before));
            tx.commit().await.unwrap();
            made += 1;
        }
        let lost = twice.number("select count(*) from entry e join patient p on p.id = e.pacijent_id where not p.aktivan").await;
        assert_eq!(lost, 0, "an entry of a record that is gone");
        let chained = twice.number("select count(*) from patient g join patient p on p.id = g.spojen_u_id where not p.aktivan").await;
        assert_eq!(chained, 0, "a record that leads to one that is gone");
        while let Some((merge, before)) = undo.pop() {
            let mut tx = db::begin(&app.state.db, twice.worker.id).await.unwrap();
            sqlx::query("select unmerge_patients($1, '[]')").bind(merge).execute(&mut *tx).await.unwrap();
            tx.commit().await.unwrap();
            if let Some(before) = before {
                let after = rows(&app.db.owner).await;
                for (table, rows) in &before {
                    assert_eq!(&after[table], rows, "{table} after merge {merge} was undone");
                }
            }
        }
    }
}
