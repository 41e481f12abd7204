//! Sponsors (B §2.4): the strip of friends of the project. Their list is public; they are the only records deleted for good.

use axum::extract::State;
use domain::picture;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    auth::Actor,
    crud::{self, Hit, ListQuery, Listing, NoScope, Resource},
    error::{Error, Result},
    extract::{Json, Query},
    page::Page,
    rights::{Access, Right},
    state::AppState,
    text,
};

pub struct Sponsor;

#[derive(Default, Serialize, Deserialize, ToSchema)]
#[schema(as = SponsorInput)]
#[serde(rename_all = "camelCase", default)]
pub struct Input {
    #[serde(deserialize_with = "text::required")]
    name: String,
    #[serde(deserialize_with = "text::required")]
    code: String,
    display_order: Option<i32>,
    #[serde(deserialize_with = "text::optional")]
    description: Option<String>,
    #[serde(deserialize_with = "text::optional")]
    note: Option<String>,
    #[serde(deserialize_with = "text::optional")]
    address: Option<String>,
    #[serde(deserialize_with = "text::optional")]
    phone: Option<String>,
    #[serde(deserialize_with = "text::optional")]
    website_url: Option<String>,
    /// A picture in base64.
    #[serde(deserialize_with = "text::optional")]
    logo: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Sponsor)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    id: i64,
    name: String,
    code: String,
    display_order: i32,
    description: Option<String>,
    note: Option<String>,
    address: Option<String>,
    phone: Option<String>,
    website_url: Option<String>,
    logo: Option<String>,
    verzija: i32,
}

/// The strip stands on the sign-in screen too.
pub fn public_routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list))
}

#[utoipa::path(get, path = "/api/sponsors", operation_id = "list_sponsors", params(ListQuery), responses((status = 200, body = Page<Record>)))]
async fn list(State(state): State<AppState>, Query(query): Query<ListQuery>) -> Result<Json<Page<Record>>> {
    crud::list::<Sponsor>(&state, &Actor::nobody(), &query, &NoScope {}).await.map(Json)
}

impl Resource for Sponsor {
    type Input = Input;
    type Record = Record;
    type Scope = NoScope;

    const NAME: &'static str = "sponsors";
    const READ: Access = Access::Everyone;
    const WRITE: Access = Access::AnyOf(&[Right::Registers]);
    const SORT: &'static [&'static str] = &["display_order", "name", "code", "description"];
    const TABLE: &'static str = "sponsor";

    /// Deleted for good.
    async fn lock_deleted(_: &mut PgConnection, _: i64) -> Result<Option<i32>> {
        Ok(None)
    }

    async fn restore(_: &mut PgConnection, _: i64) -> Result<()> {
        Ok(())
    }

    async fn page(db: &mut PgConnection, _: &Actor, listing: &Listing, _: &NoScope) -> Result<Vec<Hit>> {
        let hits = sqlx::query_as!(
            Hit,
            r#"
            select s.id, count(*) over () as "total!"
              from sponsor s
             where ($1::text is null or fold(concat_ws(' ', s.name, s.code, s.description)) like $1)
             order by case when not $3 then to_jsonb(s) -> $2 end, case when $3 then to_jsonb(s) -> $2 end desc, s.name, s.id
             limit $4 offset $5
            "#,
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
            "select id, name, code, display_order, description, note, address, phone, website_url, logo, verzija
               from sponsor where id = any($1)",
            ids
        );
        Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.id, row)).collect())
    }

    async fn lock(tx: &mut PgConnection, id: i64) -> Result<Option<i32>> {
        Ok(sqlx::query_scalar!("select verzija from sponsor where id = $1 for update", id).fetch_optional(tx).await?)
    }

    fn validate(input: &Input, _: Date) -> Result<()> {
        if input.name.is_empty() {
            return Err(Error::invalid("name", "Niste uneli naziv."));
        }
        if input.code.is_empty() {
            return Err(Error::invalid("code", "Niste uneli šifru."));
        }
        if input.display_order.is_none() {
            return Err(Error::invalid("displayOrder", "Niste uneli prikazni redosled."));
        }
        match input.logo.as_deref().and_then(|logo| picture::refusal("logo", logo)) {
            Some(refusal) => Err(refusal.into()),
            None => Ok(()),
        }
    }

    async fn remove(tx: &mut PgConnection, _: &Actor, id: i64) -> Result<()> {
        sqlx::query!("delete from sponsor where id = $1", id).execute(tx).await?;
        Ok(())
    }
}
