//! An indicator that was chosen on the designer, over all institutions, on a board that another hospital reads and mails: nobody is named, and of
//! few strangers the pages are the same whether one or three of them are in it. `api/tests/it/reports/simple/doors.rs` holds the query and the
//! template to what the server makes of the choice.

use domain::db;
use sqlx::AssertSqlSafe;

use crate::{
    boards::{board, letter, ordered, pages, tile},
    world::{MailServer, Report, World},
};

const QUERY: &str = include_str!("../golden/izabran-indikator/upit.sql");
const TEMPLATE: &str = include_str!("../golden/izabran-indikator/sablon.hbs");
const STRANGER: &str = "Tuđinka";
/// Patients of the reader's hospital, of whom four are in it, and of another one.
const OWN: i64 = 10;
const OTHERS: i64 = 12;

async fn write(world: &World, statements: &[String]) {
    let mut tx = db::begin(&world.db.owner, db::SYSTEM_WORKER).await.unwrap();
    for statement in statements {
        sqlx::query(AssertSqlSafe(statement.clone())).execute(&mut *tx).await.unwrap_or_else(|error| panic!("{statement}: {error}"));
    }
    tx.commit().await.unwrap();
}

/// A form of one number, and entries of both hospitals; of the other so many are below the bound of the numerator.
async fn filled(world: &World, elsewhere: i64, few: i64) {
    let below = |of: i64| format!("case when n <= {of} then 2 else 7 end");
    let entry = |surname: &str, of: i64| {
        format!(
            "insert into entry (pacijent_id, registar_id, tsa_id, datum_unosa, ustanova_id, vrednosti)
             select p.id, f.registar_id, f.id, '2026-02-10', p.ustanova_id, jsonb_build_object(a.id::text, {})
               from (select *, row_number() over (order by id) as n from patient where prezime = '{surname}') p, form f
               join form_field a on a.tip_skupa_atributa_id = f.id where f.naziv = 'Pregled'",
            below(of)
        )
    };
    let patients = |surname: &str, home: i64, from: i64, many: i64| {
        format!(
            "insert into patient (ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, ustanova_id)
             select 'Jovanka', '{surname}', '1960-01-01', lpad(n::text, 13, '3'), lpad(n::text, 11, '4'), true, '011/1234567', {home}
               from generate_series({from}, {}) n",
            from + many - 1
        )
    };
    write(
        world,
        &[
            "insert into register (naziv) values ('Proba')".to_owned(),
            "insert into form (registar_id, naziv) select id, 'Pregled' from register where naziv = 'Proba'".to_owned(),
            "insert into attribute_type (naziv, tip_vrednosti_atributa) values ('broj', 2)".to_owned(),
            "insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, redosled, sifra, pretrazuje_se)
             select f.id, a.id, 'broj', 1, 'broj', true from form f, attribute_type a where f.naziv = 'Pregled' and a.naziv = 'broj'"
                .to_owned(),
            patients("Domaća", world.ustanova, 100, OWN),
            patients(STRANGER, elsewhere, 200, OTHERS),
            entry("Domaća", 4),
            entry(STRANGER, few),
        ],
    )
    .await;
}

/// The words of the mailed pages, without the moment at which they were made.
async fn mailed(few: i64) -> Vec<String> {
    let server = MailServer::healthy();
    let world = World::with_mail(&server).await;
    let elsewhere = world.elsewhere().await;
    filled(&world, elsewhere, few).await;
    let id = async |sql: &str| world.count(sql).await.to_string();
    let query = QUERY
        .replace("{registar}", &id("select id from register where naziv = 'Proba'").await)
        .replace("{formular}", &id("select id from form where naziv = 'Pregled'").await)
        .replace("{polje}", &id("select id from form_field where sifra = 'broj' and naziv = 'broj'").await);
    let report = world.report("indikator", Report { template: TEMPLATE, sql: &query, obim: "sve", ..Report::default() }).await;
    let board = board(&world, &[tile(report, (0, 0))], "moja").await;
    let _engine = world.engine(&[]);
    let run = world.ask(ordered(&world, board)).await;
    let ended = world.end(run).await;
    assert_eq!((ended.status.as_str(), ended.error_text.as_deref()), ("succeeded", None));
    let (text, _) = letter(&server).await;
    let (_, pdf) = world.files(run).await.pop().expect("the PDF to which the letter leads");
    let pages = pages(&world, &pdf);
    let whole = pages.join("\n");
    for named in [STRANGER, "Jovanka", "Domaća", "Druga klinika", "333333"] {
        assert!(!whole.contains(named) && !text.contains(named), "{named}: {whole}");
    }
    let is_clock = |word: &&str| word.len() == 5 && word.as_bytes()[2] == b':';
    pages.iter().map(|page| page.split(' ').filter(|word| !is_clock(word)).collect::<Vec<_>>().join(" ")).collect()
}

#[tokio::test]
async fn a_chosen_indicator_that_another_hospital_mails_names_nobody_and_tells_of_no_few_strangers() {
    let one = mailed(1).await;
    assert!(one.join(" ").contains("Gde stoji crta, brojevi su premali"), "{one:?}");
    assert_eq!(one, mailed(3).await, "one of strangers or three");
    assert_eq!(one, mailed(OTHERS - 2).await, "all of them but two");
    let many = mailed(6).await;
    assert!(
        many != one && many.join(" ").contains(&format!(" 10 Pacijenti za koje može da se kaže {}", OWN + OTHERS)),
        "six are enough: {many:?}"
    );
}
