//! What the sign-in screen needs to know before anyone has signed in.

use axum::extract::State;
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    error::Result,
    extract::Json,
    parameters::{self, Parameters},
    state::AppState,
};

/// The name of the product where the parameter `nazivAplikacije` is absent or blank.
const DEFAULT_NAME: &str = "Regix";
pub const LOCK_PARAMETER: &str = "zakljucavanjeMinuta";
pub const AUTO_SIGN_IN_PARAMETER: &str = "autoPrijava";
pub const DEFAULT_LOCK_MINUTES: u32 = 15;
/// A longer one would outlive the session.
const LONGEST_LOCK_MINUTES: u32 = 480;

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
    /// After so many minutes without a key or the mouse the screen locks; 0: never.
    zakljucavanje_minuta: u32,
    /// What stands on the button of a sign-in at the hospital's provider; none where there is no provider.
    spoljna_prijava: Option<String>,
}

#[utoipa::path(get, path = "/api/application", responses((status = 200, body = Application)))]
async fn application(State(state): State<AppState>) -> Result<Json<Application>> {
    let parameters = parameters::load(&state.db).await?;
    Ok(Json(Application {
        naziv_aplikacije: name_in(&parameters),
        auto_prijava: parameters.flag(AUTO_SIGN_IN_PARAMETER, false),
        demo: state.demo,
        verzija: env!("CARGO_PKG_VERSION"),
        zakljucavanje_minuta: parameters.number(LOCK_PARAMETER, DEFAULT_LOCK_MINUTES),
        spoljna_prijava: state.oidc.as_ref().map(|provider| provider.label().to_owned()),
    }))
}

/// Why a parameter of this name may not have the value, if it is one of those that are read here.
pub fn refusal(naziv: &str, vrednost: &str) -> Option<String> {
    let fits = vrednost.trim().parse::<u32>().is_ok_and(|minutes| minutes <= LONGEST_LOCK_MINUTES);
    (naziv == LOCK_PARAMETER && !fits).then(|| format!("Unesite broj minuta od 0 do {LONGEST_LOCK_MINUTES}."))
}

/// After so many minutes without a key or the mouse the screen locks; 0: never.
pub async fn lock_minutes(db: &PgPool) -> sqlx::Result<u32> {
    Ok(parameters::load(db).await?.number(LOCK_PARAMETER, DEFAULT_LOCK_MINUTES))
}

/// What the product is called here.
pub async fn name(db: &PgPool) -> sqlx::Result<String> {
    Ok(name_in(&parameters::load(db).await?))
}

fn name_in(parameters: &Parameters) -> String {
    parameters.text("nazivAplikacije").unwrap_or(DEFAULT_NAME).to_owned()
}
