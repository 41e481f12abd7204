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
    crud::{self, ListQuery, NoScope, Resource},
    error::{Result, refuse_first},
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

#[utoipa::path(get, path = "/api/sponsors", params(ListQuery), responses((status = 200, body = Page<Record>)))]
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

    crud::selected! {
        columns "id, name, code, display_order, description, note, address, phone, website_url, logo, verzija",
        from "(select s.*, true as aktivan from sponsor s)",
        searched "name, code, description", then "name"
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
            (input.name.is_empty(), "name", "Niste uneli naziv."),
            (input.code.is_empty(), "code", "Niste uneli šifru."),
            (input.display_order.is_none(), "displayOrder", "Niste uneli prikazni redosled."),
        ])?;
        refuse_first(input.logo.as_deref().and_then(|logo| picture::refusal("logo", logo)))
    }
}
