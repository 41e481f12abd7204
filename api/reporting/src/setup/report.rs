//! Reports (B §2.11): which template, for whom, and how long it may run.

pub mod opening;

use accounts::{
    auth::Actor,
    rights::{Access, Right},
};
use configuration::{
    admin::usage::Places,
    crud::{self, Column, List, NoScope, Resource},
};
use domain::{fold::fold, register::rules};
use jiff::civil::Date;
use platform::{
    error::{Error, Result},
    state::AppState,
};
use sqlx::PgConnection;

use crate::reports::ending;

pub struct Report;

crud::fields! {
    shown as Report, sent as ReportInput;
    text naziv: String,
    needed numericka_vrednost: i32,
    /// Names the template; a plain name, never a path.
    text jasper_fajl: String,
    prikazuje_se: bool,
    text opis: Option<String>,
    #[serde(rename = "tipID", alias = "tip")]
    needed tip_id: i64,
    shown tip_naziv: String,
    /// The register whose data the report reads; none: any.
    #[serde(rename = "registarID")]
    registar_id: Option<i64>,
    /// `ustanova`: what the institution of the requesting worker knows; `sve`: all institutions.
    obim: String = "ustanova".to_owned(),
    /// Whether results may be attached to e-mails instead of linked.
    prilog_u_mejlu: bool,
    ne_salji_prazan: bool,
    najvise_sekundi: i32 = 300,
    /// How many schedules end when the report is hidden, as whoever hides it was told.
    sent potvrdjeno_zakazivanja: Option<i64>,
}

impl Resource for Report {
    type Input = Input;
    type Record = Record;
    type Scope = NoScope;

    const NAME: &'static str = "reports";
    const READ: Access = Access::AnyOf(&[Right::ReportSetup]);
    const WRITE: Access = Access::AnyOf(&[Right::ReportSetup]);
    const TABLE: &'static str = "report";

    const LIST: List = List {
        from: "(select i.*, t.naziv as tip_naziv from report i join report_type t on t.id = i.tip_id)",
        columns: &[
            Column::text("naziv"),
            Column::number("numericka_vrednost"),
            Column::text("jasper_fajl"),
            Column::yes_no("prikazuje_se"),
            Column::text("opis"),
            Column::text("tip_naziv"),
        ],
        searched: "naziv, numericka_vrednost, jasper_fajl, opis, tip_naziv",
        then: "naziv",
        of: None,
        but: None,
    };

    async fn fetch(db: &mut PgConnection, _: &Actor, ids: &[i64]) -> Result<Vec<(i64, Record)>> {
        let rows = sqlx::query_as!(
            Record,
            r#"select id, naziv, numericka_vrednost, jasper_fajl, prikazuje_se, opis, tip_id as "tip_id!", tip_naziv, registar_id, obim,
                 prilog_u_mejlu, ne_salji_prazan, najvise_sekundi, aktivan, verzija from (select i.*, t.naziv as tip_naziv from report i join report_type t on t.id = i.tip_id) r where id = any($1)"#,
            ids
        );
        Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.id, row)).collect())
    }

    fn validate(input: &Input, _: Date) -> Result<()> {
        crud::required([
            (input.naziv.is_empty(), "naziv", rules::NO_NAME),
            (input.numericka_vrednost.is_none(), "numerickaVrednost", rules::NO_NUMBER),
            (input.jasper_fajl.is_empty(), "jasperFajl", "Niste uneli Jasper fajl."),
            (input.tip_id.is_none(), "tipID", "Niste izabrali tip izveštaja."),
        ])
    }

    /// A scheduler that holds one of its schedules may still name the report in a run.
    async fn lock(tx: &mut PgConnection, id: i64) -> Result<Option<i32>> {
        let verzija =
            sqlx::query_scalar!("select verzija from report where id = $1 and aktivan and vlasnik_id is null for no key update", id);
        Ok(verzija.fetch_optional(tx).await?)
    }

    async fn insert(tx: &mut PgConnection, actor: &Actor, input: Input) -> Result<i64> {
        refuse_taken(&mut *tx, None, &input.naziv, input.registar_id).await?;
        let id = crud::insert_row::<Self>(&mut *tx, &input).await?;
        opening::watch(tx, actor, id, &input, (false, false)).await?;
        Ok(id)
    }

    /// Who hides it ends its schedules, as who deletes it does.
    async fn update(tx: &mut PgConnection, actor: &Actor, id: i64, input: Input) -> Result<()> {
        let before = sqlx::query!("select naziv, registar_id, prikazuje_se, obim, prilog_u_mejlu from report where id = $1", id);
        let before = before.fetch_one(&mut *tx).await?;
        if fold(&before.naziv) != fold(&input.naziv) || before.registar_id != input.registar_id {
            refuse_taken(&mut *tx, Some(id), &input.naziv, input.registar_id).await?;
        }
        if before.prikazuje_se && !input.prikazuje_se {
            Self::end(&mut *tx, actor, id, input.potvrdjeno_zakazivanja).await?;
        }
        crud::update_row::<Self>(&mut *tx, id, &input).await?;
        opening::watch(tx, actor, id, &input, (before.obim == opening::EVERYWHERE, before.prilog_u_mejlu)).await
    }

    async fn usages(tx: &mut PgConnection, _: &Actor, _: &AppState, id: i64) -> Result<Vec<String>> {
        // No schedule fires between this look and its end.
        ending::lock(&mut *tx, id).await?;
        let running = sqlx::query_scalar!(
            r#"select count(*) as "running!" from report_run where izvestaj_id = $1 and status in ('queued', 'running')"#,
            id
        );
        let forms = ["generisanje", "generisanja", "generisanja"];
        Ok(Places::default().counted("u toku je ", running.fetch_one(tx).await?, forms).all())
    }

    async fn end(tx: &mut PgConnection, actor: &Actor, id: i64, told: Option<i64>) -> Result<()> {
        ending::end_all(tx, actor.radnik_id, id, told).await
    }

    async fn fits_again(tx: &mut PgConnection, _: &Actor, id: i64) -> Result<()> {
        let there = sqlx::query_scalar!("select t.aktivan from report i join report_type t on t.id = i.tip_id where i.id = $1", id);
        crud::refuse_orphan(there.fetch_one(&mut *tx).await?, "Prvo vratite tip ovog izveštaja.")?;
        let own = sqlx::query!("select naziv, registar_id from report where id = $1", id).fetch_one(&mut *tx).await?;
        refuse_taken(tx, Some(id), &own.naziv, own.registar_id).await
    }
}

/// Two reports of one name in a register, or in none, are one to whoever orders or reads them. Those of before stay until they are named
/// anew.
async fn refuse_taken(tx: &mut PgConnection, id: Option<i64>, naziv: &str, registar_id: Option<i64>) -> Result<()> {
    // Of two that are made at once the second waits here.
    sqlx::query("select pg_advisory_xact_lock(hashtextextended('report.naziv', 0))").execute(&mut *tx).await?;
    let taken = sqlx::query_scalar!(
        r#"select exists (select from report where aktivan and vlasnik_id is null and id is distinct from $1 and fold(btrim(naziv)) = fold(btrim($2))
                             and registar_id is not distinct from $3) as "taken!""#,
        id,
        naziv,
        registar_id
    );
    match taken.fetch_one(tx).await? {
        true => {
            Err(Error::Conflict { field: Some("naziv".into()), message: "Izveštaj sa tim nazivom već postoji u tom registru.".into() })
        }
        false => Ok(()),
    }
}
