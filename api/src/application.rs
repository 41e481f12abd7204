//! What the sign-in screen needs to know before anyone has signed in.

use axum::extract::State;
use domain::parameters::{self, APPLICATION, AUTO_SIGN_IN, LOCK_MINUTES};
use platform::{
    error::Result,
    extract::Json,
    routes::{Routes, routes},
    state::AppState,
};
use serde::Serialize;
use utoipa::ToSchema;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(application))
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
        naziv_aplikacije: parameters.text(&APPLICATION).to_owned(),
        auto_prijava: parameters.flag(&AUTO_SIGN_IN),
        demo: state.demo,
        verzija: env!("CARGO_PKG_VERSION"),
        zakljucavanje_minuta: parameters.number(&LOCK_MINUTES).unsigned_abs(),
        spoljna_prijava: state.oidc.as_ref().map(|provider| provider.label().to_owned()),
    }))
}
