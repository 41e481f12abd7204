//! Sponsors (B §2.4): the strip of friends of the project. Their list is public; they are the only records deleted for good.

use accounts::{
    auth::{self, Actor},
    rights::{Access, Right},
};
use axum::{extract::State, http::HeaderMap};
use domain::{picture, register::rules, text};
use jiff::civil::Date;
use platform::{
    error::{Result, refuse_first},
    extract::{Json, Query},
    page::Page,
    routes::{Routes, routes},
    state::AppState,
};
use sqlx::PgConnection;

use crate::crud::{self, Column, ColumnFilters, List, ListBind, ListQuery, NoScope, Resource};

pub struct Sponsor;

crud::fields! {
    shown as Sponsor, sent as SponsorInput, deleted for good;
    text name: String,
    text code: String,
    needed display_order: i32,
    text description: Option<String>,
    text note: Option<String>,
    text address: Option<String>,
    text phone: Option<String>,
    text website_url: Option<String>,
    /// A picture in base64.
    #[serde(deserialize_with = "text::optional")]
    explained logo: Option<String>,
}

/// The strip stands on the sign-in screen too: who has not signed in gets its names, pictures and links.
pub fn public_routes() -> Routes {
    Routes::new().routes(routes!(list))
}

#[utoipa::path(get, path = "/api/sponsors", params(ListQuery, ColumnFilters<Sponsor>), responses((status = 200, body = Page<Record>)))]
async fn list(
    State(state): State<AppState>,
    headers: HeaderMap,
    Query(query): Query<ListQuery>,
    Query(filters): Query<ColumnFilters<Sponsor>>,
) -> Result<Json<Page<Record>>> {
    let actor = auth::caller_of_public(&state, &headers).await?;
    crud::list::<Sponsor>(&state, &actor, &query.resolve(&filters)?, &NoScope {}).await.map(Json)
}

impl Resource for Sponsor {
    type Input = Input;
    type Record = Record;
    type Scope = NoScope;

    const NAME: &'static str = "sponsors";
    const READ: Access = Access::Everyone;
    const WRITE: Access = Access::AnyOf(&[Right::Registers]);
    const TABLE: &'static str = "sponsor";

    const LIST: List = List {
        from: "(select s.id, s.name, s.code, s.display_order, case when $7 then s.description end as description, case when $7 then s.phone end as phone,
                      s.website_url, true as aktivan
                 from sponsor s)",
        columns: &[
            Column::number("display_order"),
            Column::text("name"),
            Column::text("code"),
            Column::text("description"),
            Column::text("phone"),
            Column::text("website_url"),
        ],
        searched: "name, code, description",
        then: "name",
        of: None,
        but: None,
    };

    fn binds(actor: &Actor, _: &NoScope) -> Vec<ListBind> {
        vec![ListBind::Flag(actor.is_somebody())]
    }

    async fn fetch(db: &mut PgConnection, actor: &Actor, ids: &[i64]) -> Result<Vec<(i64, Record)>> {
        let rows = sqlx::query_as!(
            Record,
            "select id, name, code, display_order, case when $2 then description end as description, case when $2 then note end as note,
                case when $2 then address end as address, case when $2 then phone end as phone, website_url, logo, verzija
           from sponsor where id = any($1)",
            ids,
            actor.is_somebody()
        );
        Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.id, row)).collect())
    }

    async fn lock_row(tx: &mut PgConnection, id: i64, aktivan: bool) -> Result<Option<i32>> {
        Ok(sqlx::query_scalar!("select verzija from sponsor where id = $1 and $2 for update", id, aktivan).fetch_optional(tx).await?)
    }

    /// Deleted for good: there is none to bring back.
    async fn set_active(tx: &mut PgConnection, id: i64, _: bool) -> Result<()> {
        sqlx::query!("delete from sponsor where id = $1", id).execute(tx).await?;
        Ok(())
    }

    fn validate(input: &Input, _: Date) -> Result<()> {
        crud::required([
            (input.name.is_empty(), "name", rules::NO_NAME),
            (input.code.is_empty(), "code", rules::NO_CODE),
            (input.display_order.is_none(), "displayOrder", rules::NO_ORDER),
        ])?;
        refuse_first(input.logo.as_deref().and_then(|logo| picture::refusal("logo", logo)))
    }
}
