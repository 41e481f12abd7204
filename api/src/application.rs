//! What the sign-in screen needs to know before anyone has signed in.

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{error::Result, extract::Json, parameters, state::AppState};

/// The name of the product where the parameter `nazivAplikacije` is absent or blank.
const DEFAULT_NAME: &str = "Regix";

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(application))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Application {
    naziv_aplikacije: String,
    auto_prijava: bool,
    demo: bool,
    verzija: &'static str,
}

#[utoipa::path(get, path = "/api/application", responses((status = 200, body = Application)))]
async fn application(State(state): State<AppState>) -> Result<Json<Application>> {
    let parameters = parameters::load(&state.db).await?;
    Ok(Json(Application {
        naziv_aplikacije: parameters.text("nazivAplikacije").unwrap_or(DEFAULT_NAME).to_owned(),
        auto_prijava: parameters.flag("autoPrijava", false),
        demo: state.demo,
        verzija: env!("CARGO_PKG_VERSION"),
    }))
}
