//! The application rights: all that there are, or those that a worker holds through roles (A §6).

use axum::extract::State;
use platform::{
    error::Result,
    extract::{Json, Query},
    page::Page,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{auth::Actor, rights::Right};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(application_rights))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ApplicationRight {
    id: i64,
    naziv: String,
    numericka_vrednost: i32,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Holder {
    /// Only the rights of this worker: oneself, or for administrators of workers and roles one whom they reach.
    radnik: Option<i64>,
    /// Only the rights that this role gives; for administrators of roles.
    uloga: Option<i64>,
}

#[utoipa::path(get, path = "/api/application-rights", params(Holder), responses((status = 200, body = Page<ApplicationRight>)))]
async fn application_rights(
    State(state): State<AppState>,
    actor: Actor,
    Query(holder): Query<Holder>,
) -> Result<Json<Page<ApplicationRight>>> {
    if holder.radnik.is_some_and(|worker| worker != actor.radnik_id) {
        actor.require_any(&[Right::Workers, Right::Roles])?;
    }
    if holder.uloga.is_some() {
        actor.require(Right::Roles)?;
    }
    let rights = sqlx::query_as!(
        ApplicationRight,
        "select a.id, a.naziv, a.numericka_vrednost
           from application_right a
          where ($1::bigint is null
                 or $1 in (select radnik_id from workers_in_reach($3)) and holds_any($1, array[a.numericka_vrednost]))
            and ($2::bigint is null
                 or exists (select from role_right rr where rr.uloga_id = $2 and rr.aplikativno_pravo_id = a.id))
          order by a.numericka_vrednost",
        holder.radnik,
        holder.uloga,
        actor.radnik_id
    );
    Ok(Json(Page::all(rights.fetch_all(&state.db).await?)))
}
