//! Report types (B §2.11): the second level of the tree of reports.

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

pub struct ReportType;

#[derive(Default, Serialize, Deserialize, ToSchema)]
#[schema(as = ReportTypeInput)]
#[serde(rename_all = "camelCase", default)]
pub struct Input {
    #[serde(deserialize_with = "text::required")]
    naziv: String,
    numericka_vrednost: Option<i32>,
    #[serde(rename = "kategorijaID", alias = "kategorija")]
    kategorija_id: Option<i64>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = ReportType)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    id: i64,
    naziv: String,
    numericka_vrednost: i32,
    #[serde(rename = "kategorijaID")]
    kategorija_id: i64,
    kategorija_naziv: String,
    aktivan: bool,
    verzija: i32,
}

impl Resource for ReportType {
    type Input = Input;
    type Record = Record;
    type Scope = NoScope;

    const NAME: &'static str = "report-types";
    const READ: Access = Access::AnyOf(&[Right::ReportSetup]);
    const WRITE: Access = Access::AnyOf(&[Right::ReportSetup]);
    const SORT: &'static [&'static str] = &["naziv", "numericka_vrednost", "kategorija_naziv"];

    crud::brought_back!("report_type");

    async fn page(db: &mut PgConnection, _: &Actor, listing: &Listing, _: &NoScope) -> Result<Vec<Hit>> {
        let hits = sqlx::query_as!(
            Hit,
            r#"
            select t.id, count(*) over () as "total!"
              from (select t.*, k.naziv as kategorija_naziv from report_type t join report_category k on k.id = t.kategorija_id) t
             where t.aktivan = $1 and ($2::text is null or fold(concat_ws(' ', t.naziv, t.numericka_vrednost, t.kategorija_naziv)) like $2)
             order by case when not $4 then to_jsonb(t) -> $3 end, case when $4 then to_jsonb(t) -> $3 end desc, t.naziv, t.id
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
            select t.id, t.naziv, t.numericka_vrednost, t.kategorija_id, (select naziv from report_category where id =
                   t.kategorija_id) as "kategorija_naziv!", t.aktivan, t.verzija
              from report_type t
             where t.id = any($1)
            "#,
            ids
        );
        Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.id, row)).collect())
    }

    async fn lock(tx: &mut PgConnection, id: i64) -> Result<Option<i32>> {
        Ok(sqlx::query_scalar!("select verzija from report_type where id = $1 and aktivan for update", id).fetch_optional(tx).await?)
    }

    fn validate(input: &Input, _: Date) -> Result<()> {
        if input.naziv.is_empty() {
            return Err(Error::invalid("naziv", "Niste uneli naziv."));
        }
        if input.numericka_vrednost.is_none() {
            return Err(Error::invalid("numerickaVrednost", "Niste uneli numeričku vrednost."));
        }
        if input.kategorija_id.is_none() {
            return Err(Error::invalid("kategorijaID", "Niste izabrali kategoriju izveštaja."));
        }
        Ok(())
    }

    async fn usages(tx: &mut PgConnection, _: &AppState, id: i64) -> Result<Vec<String>> {
        let names = sqlx::query_scalar!("select naziv from report where tip_id = $1 and aktivan order by naziv, id", id);
        Ok(Places::default().named("tip je izveštaja ", &names.fetch_all(tx).await?).all())
    }

    async fn fits_again(tx: &mut PgConnection, _: &Actor, id: i64) -> Result<()> {
        let there =
            sqlx::query_scalar!("select k.aktivan from report_type t join report_category k on k.id = t.kategorija_id where t.id = $1", id);
        if there.fetch_one(tx).await? { Ok(()) } else { Err(Error::conflict("Prvo vratite kategoriju ovog tipa izveštaja.")) }
    }

    async fn remove(tx: &mut PgConnection, _: &Actor, id: i64) -> Result<()> {
        sqlx::query!("update report_type set aktivan = false where id = $1", id).execute(tx).await?;
        Ok(())
    }
}
