//! Reports (B §2.11): which template, for whom, and how long it may run.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::ToSchema;

use crate::{
    admin::usage::Places,
    auth::Actor,
    crud::{self, Hit, Listing, NoScope, Resource},
    error::{Error, Result},
    rights::{Access, Right},
    state::AppState,
    text,
};

pub struct Report;

#[derive(Serialize, Deserialize, ToSchema)]
#[schema(as = ReportInput)]
#[serde(rename_all = "camelCase", default)]
pub struct Input {
    #[serde(deserialize_with = "text::required")]
    naziv: String,
    numericka_vrednost: Option<i32>,
    /// Names the template; a plain name, never a path.
    #[serde(deserialize_with = "text::required")]
    jasper_fajl: String,
    prikazuje_se: bool,
    #[serde(deserialize_with = "text::optional")]
    opis: Option<String>,
    #[serde(rename = "tipID", alias = "tip")]
    tip_id: Option<i64>,
    /// The register whose data the report reads; none: any.
    #[serde(rename = "registarID")]
    registar_id: Option<i64>,
    /// `ustanova`: what the institution of the requesting worker knows; `sve`: all institutions.
    obim: String,
    /// Whether results may be attached to e-mails instead of linked.
    prilog_u_mejlu: bool,
    ne_salji_prazan: bool,
    najvise_sekundi: i32,
}

impl Default for Input {
    fn default() -> Self {
        Self {
            naziv: String::new(),
            numericka_vrednost: None,
            jasper_fajl: String::new(),
            prikazuje_se: false,
            opis: None,
            tip_id: None,
            registar_id: None,
            obim: "ustanova".to_owned(),
            prilog_u_mejlu: false,
            ne_salji_prazan: false,
            najvise_sekundi: 300,
        }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = Report)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    id: i64,
    naziv: String,
    numericka_vrednost: i32,
    /// Names the template; a plain name, never a path.
    jasper_fajl: String,
    prikazuje_se: bool,
    opis: Option<String>,
    #[serde(rename = "tipID")]
    tip_id: i64,
    tip_naziv: String,
    /// The register whose data the report reads; none: any.
    #[serde(rename = "registarID")]
    registar_id: Option<i64>,
    /// `ustanova`: what the institution of the requesting worker knows; `sve`: all institutions.
    obim: String,
    /// Whether results may be attached to e-mails instead of linked.
    prilog_u_mejlu: bool,
    ne_salji_prazan: bool,
    najvise_sekundi: i32,
    aktivan: bool,
    verzija: i32,
}

impl Resource for Report {
    type Input = Input;
    type Record = Record;
    type Scope = NoScope;

    const NAME: &'static str = "reports";
    const READ: Access = Access::AnyOf(&[Right::ReportSetup]);
    const WRITE: Access = Access::AnyOf(&[Right::ReportSetup]);
    const SORT: &'static [&'static str] = &["naziv", "numericka_vrednost", "jasper_fajl", "opis", "tip_naziv"];

    crud::brought_back!("report");

    async fn page(db: &mut PgConnection, _: &Actor, listing: &Listing, _: &NoScope) -> Result<Vec<Hit>> {
        let hits = sqlx::query_as!(
            Hit,
            r#"
            select i.id, count(*) over () as "total!"
              from (select i.*, t.naziv as tip_naziv from report i join report_type t on t.id = i.tip_id) i
             where i.aktivan = $1 and ($2::text is null or fold(concat_ws(' ', i.naziv, i.numericka_vrednost, i.jasper_fajl, i.opis, i.tip_naziv)) like $2)
             order by case when not $4 then to_jsonb(i) -> $3 end, case when $4 then to_jsonb(i) -> $3 end desc, i.naziv, i.id
             limit $5 offset $6
            "#,
            listing.aktivan,
            listing.like,
            listing.sort,
            listing.descending,
            listing.limit,
            listing.offset
        );
        Ok(hits.fetch_all(db).await?)
    }

    async fn fetch(db: &mut PgConnection, _: &Actor, ids: &[i64]) -> Result<Vec<(i64, Record)>> {
        let rows = sqlx::query_as!(
            Record,
            r#"
            select i.id, i.naziv, i.numericka_vrednost, i.jasper_fajl, i.prikazuje_se, i.opis, i.tip_id,
                   (select naziv from report_type where id = i.tip_id) as "tip_naziv!", i.registar_id, i.obim, i.prilog_u_mejlu,
                   i.ne_salji_prazan, i.najvise_sekundi, i.aktivan, i.verzija
              from report i
             where i.id = any($1)
            "#,
            ids
        );
        Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.id, row)).collect())
    }

    async fn lock(tx: &mut PgConnection, id: i64) -> Result<Option<i32>> {
        Ok(sqlx::query_scalar!("select verzija from report where id = $1 and aktivan for update", id).fetch_optional(tx).await?)
    }

    fn validate(input: &Input, _: Date) -> Result<()> {
        if input.naziv.is_empty() {
            return Err(Error::invalid("naziv", "Niste uneli naziv."));
        }
        if input.numericka_vrednost.is_none() {
            return Err(Error::invalid("numerickaVrednost", "Niste uneli numeričku vrednost."));
        }
        if input.jasper_fajl.is_empty() {
            return Err(Error::invalid("jasperFajl", "Niste uneli Jasper fajl."));
        }
        if input.tip_id.is_none() {
            return Err(Error::invalid("tipID", "Niste izabrali tip izveštaja."));
        }
        Ok(())
    }

    async fn usages(tx: &mut PgConnection, _: &AppState, id: i64) -> Result<Vec<String>> {
        let used = sqlx::query!(
            r#"
            select array(select w.prezime || ' ' || w.ime from report_schedule s join worker w on w.id = s.radnik_id
                          where s.izvestaj_id = $1 and s.aktivan order by 1) as "schedules!: Vec<String>",
                   (select count(*) from report_run where izvestaj_id = $1 and status in ('queued', 'running')) as "running!"
            "#,
            id
        )
        .fetch_one(tx)
        .await?;
        Ok(Places::default()
            .named("zakazao ga je radnik ", &used.schedules)
            .counted("u toku je ", used.running, ["generisanje", "generisanja", "generisanja"])
            .all())
    }

    async fn fits_again(tx: &mut PgConnection, _: &Actor, id: i64) -> Result<()> {
        let there = sqlx::query_scalar!("select t.aktivan from report i join report_type t on t.id = i.tip_id where i.id = $1", id);
        if there.fetch_one(tx).await? { Ok(()) } else { Err(Error::conflict("Prvo vratite tip ovog izveštaja.")) }
    }

    async fn remove(tx: &mut PgConnection, _: &Actor, id: i64) -> Result<()> {
        sqlx::query!("update report set aktivan = false where id = $1", id).execute(tx).await?;
        Ok(())
    }
}
