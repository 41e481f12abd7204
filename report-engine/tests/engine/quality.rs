//! Runs of quality rules: all patients of a register looked at page by page, by engines that die, and cancelled between two pages.

use domain::db;

use crate::world::{World, eventually};

/// Of engines that are going to die.
const SHORT_LEASE: (&str, &str) = ("ENGINE_LEASE_SECONDS", "3");

struct Case {
    world: World,
}

#[derive(Debug, sqlx::FromRow, PartialEq)]
struct RunRow {
    status: String,
    pregledano: i64,
    unosa: i64,
    novih: i64,
}

impl Case {
    /// A hundred and twenty patients, each with an entry of a number from 1 on, and a rule that finds those over 100.
    async fn new() -> Self {
        let world = World::new().await;
        let case = Self { world };
        case.write(&[
            "insert into register (naziv) values ('Proba')",
            "insert into form (registar_id, naziv) select id, 'Pregled' from register where naziv = 'Proba'",
            "insert into attribute_type (naziv, tip_vrednosti_atributa) values ('broj', 2)",
            "insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, redosled, sifra)
             select f.id, a.id, 'broj', 1, 'broj' from form f, attribute_type a where f.naziv = 'Pregled' and a.naziv = 'broj'",
            "insert into patient (ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, ustanova_id)
             select 'Ana', 'Anić', '1960-01-01', lpad(n::text, 13, '0'), lpad(n::text, 11, '0'), true, '011/1234567', (select min(id) from institution)
               from generate_series(1, 120) n",
            "insert into entry (pacijent_id, registar_id, tsa_id, datum_unosa, ustanova_id, vrednosti)
             select p.id, f.registar_id, f.id, '2026-03-01', p.ustanova_id, jsonb_build_object(a.id::text, p.jmbg::int)
               from patient p, form f join form_field a on a.tip_skupa_atributa_id = f.id where f.naziv = 'Pregled' and p.ime = 'Ana'",
            "insert into quality_rule (registar_id, form_id, naziv, vrsta, polje_id, gornja_granica)
             select f.registar_id, f.id, 'Previše', 'granice', a.id, 100 from form f join form_field a on a.tip_skupa_atributa_id = f.id where f.naziv = 'Pregled'",
        ])
        .await;
        case
    }

    async fn write(&self, statements: &[&'static str]) {
        let mut tx = db::begin(&self.world.db.owner, db::SYSTEM_WORKER).await.unwrap();
        for statement in statements {
            sqlx::query(*statement).execute(&mut *tx).await.unwrap_or_else(|error| panic!("{statement}: {error}"));
        }
        tx.commit().await.unwrap();
    }

    async fn order(&self) {
        self.write(&["select order_quality_run(id) from register where naziv = 'Proba'"]).await;
    }

    async fn row(&self) -> RunRow {
        sqlx::query_as("select status, pregledano, unosa, novih from quality_run order by id desc limit 1")
            .fetch_one(&self.world.db.owner)
            .await
            .unwrap()
    }

    async fn end(&self) -> RunRow {
        eventually("the run ends", async || {
            let row = self.row().await;
            (!matches!(row.status.as_str(), "queued" | "running")).then_some(row)
        })
        .await
    }
}

fn row(status: &str, pregledano: i64, unosa: i64, novih: i64) -> RunRow {
    RunRow { status: status.to_owned(), pregledano, unosa, novih }
}

#[tokio::test]
async fn a_run_whose_engine_is_killed_goes_on_and_finds_each_fault_once() {
    let case = Case::new().await;
    case.order().await;
    let engine = case.world.engine(&[("ENGINE_FAILPOINT", "quality-between"), SHORT_LEASE]);
    engine.says("failpoint quality-between reached").await;
    assert_eq!(case.row().await, row("running", 10, 10, 0));
    engine.kill();
    let _second = case.world.engine(&[]);
    assert_eq!(case.end().await, row("done", 120, 120, 20));
    assert_eq!(case.world.count("select count(*) from quality_finding where kraj is null").await, 20);
}

#[tokio::test]
async fn a_cancel_stops_between_two_pages_and_a_rule_that_is_changed_begins_the_run_again() {
    let case = Case::new().await;
    case.order().await;
    let engine = case.world.engine(&[("ENGINE_FAILPOINT", "quality-between"), SHORT_LEASE]);
    engine.says("failpoint quality-between reached").await;
    case.write(&["update quality_run set cancel_requested_at = now()"]).await;
    engine.kill();
    let engine = case.world.engine(&[]);
    assert_eq!(case.end().await, row("cancelled", 10, 10, 0));
    drop(engine);

    case.order().await;
    let engine = case.world.engine(&[("ENGINE_FAILPOINT", "quality-between"), SHORT_LEASE]);
    engine.says("failpoint quality-between reached").await;
    case.write(&["update quality_rule set gornja_granica = 20", "select order_quality_run(id) from register where naziv = 'Proba'"]).await;
    engine.kill();
    let _engine = case.world.engine(&[]);
    assert_eq!(case.end().await.status, "done");
    assert_eq!(case.world.count("select count(*) from quality_finding where kraj is null").await, 100);
}
