//! Report categories (B §2.11): the first level of the tree of reports.

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

pub struct ReportCategory;

#[derive(Default, Serialize, Deserialize, ToSchema)]
#[schema(as = ReportCategoryInput)]
#[serde(rename_all = "camelCase", default)]
pub struct Input {
    #[serde(deserialize_with = "text::required")]
    naziv: String,
    numericka_vrednost: Option<i32>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = ReportCategory)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    id: i64,
    naziv: String,
    numericka_vrednost: i32,
    aktivan: bool,
    verzija: i32,
}

impl Resource for ReportCategory {
    type Input = Input;
    type Record = Record;
    type Scope = NoScope;

    const NAME: &'static str = "report-categories";
    const READ: Access = Access::AnyOf(&[Right::ReportSetup]);
    const WRITE: Access = Access::AnyOf(&[Right::ReportSetup]);
    const SORT: &'static [&'static str] = &["naziv", "numericka_vrednost"];

    crud::brought_back!("report_category");

    async fn page(db: &mut PgConnection, _: &Actor, listing: &Listing, _: &NoScope) -> Result<Vec<Hit>> {
        let hits = sqlx::query_as!(
            Hit,
            r#"
            select k.id, count(*) over () as "total!"
              from report_category k
             where k.aktivan = $1 and ($2::text is null or fold(concat_ws(' ', k.naziv, k.numericka_vrednost)) like $2)
             order by case when not $4 then to_jsonb(k) -> $3 end, case when $4 then to_jsonb(k) -> $3 end desc, k.naziv, k.id
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
            select k.id, k.naziv, k.numericka_vrednost, k.aktivan, k.verzija
              from report_category k
             where k.id = any($1)
            "#,
            ids
        );
        Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.id, row)).collect())
    }

    async fn lock(tx: &mut PgConnection, id: i64) -> Result<Option<i32>> {
        Ok(sqlx::query_scalar!("select verzija from report_category where id = $1 and aktivan for update", id).fetch_optional(tx).await?)
    }

    fn validate(input: &Input, _: Date) -> Result<()> {
        if input.naziv.is_empty() {
            return Err(Error::invalid("naziv", "Niste uneli naziv."));
        }
        if input.numericka_vrednost.is_none() {
            return Err(Error::invalid("numerickaVrednost", "Niste uneli numeričku vrednost."));
        }
        Ok(())
    }

    async fn usages(tx: &mut PgConnection, _: &AppState, id: i64) -> Result<Vec<String>> {
        let names = sqlx::query_scalar!("select naziv from report_type where kategorija_id = $1 and aktivan order by naziv, id", id);
        Ok(Places::default().named("kategorija je tipa izveštaja ", &names.fetch_all(tx).await?).all())
    }

    async fn remove(tx: &mut PgConnection, _: &Actor, id: i64) -> Result<()> {
        sqlx::query!("update report_category set aktivan = false where id = $1", id).execute(tx).await?;
        Ok(())
    }
}
