//! The warning that blinks over every screen while it is not empty (A §2.2, B §2.8).

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{error::Result, extract::Json, state::AppState};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(warning))
}

#[derive(Serialize, ToSchema)]
struct Warning {
    /// Empty: there is nothing to warn of.
    message: String,
}

#[utoipa::path(get, path = "/api/warning", responses((status = 200, body = Warning)))]
async fn warning(State(state): State<AppState>) -> Result<Json<Warning>> {
    let message = sqlx::query_scalar!("select message from warning").fetch_optional(&state.db).await?;
    Ok(Json(Warning { message: message.unwrap_or_default() }))
}
