//! Regix HTTP API: `app` holds state and every route in one list.

pub mod application;
pub mod archive;
pub mod backup;
pub mod check;
mod entry_statistics;
mod links;
mod lists;
mod log;
pub mod maintenance;
pub mod migrate;
pub mod operations;
pub mod parameters;
pub mod parse;
mod releases;
pub mod serve;
mod upgrade_notes;
mod warning;
mod worker;

use std::sync::LazyLock;

use accounts::{application_rights, auth, confirming, duty, oidc, password_change, second_factor, sessions, sign_in};
use axum::{Router, middleware, response::IntoResponse, routing::get};
use clinical::{consents, entries, entry_states, exports, looks, patients, plans, quality, questions};
use configuration::admin::{self, sponsor};
use interchange::{data_import, exchange};
use platform::{error::Error, health, http, openapi, routes::Routes, state::AppState, web};
use reporting::{analyses, board, reports, setup};
use utoipa::openapi::OpenApi;

/// Open to anyone. A route belongs here only when it must be read before the sign-in.
fn public_routes() -> Routes {
    Routes::new()
        .merge(health::routes())
        .merge(application::routes())
        .merge(sign_in::public_routes())
        .merge(oidc::public_routes())
        .merge(sponsor::public_routes())
        .merge(reports::socket::public_routes())
        .merge(board::public_routes())
}

/// Open to any live session, also to that of a worker who must first see to the own account (`duty`).
fn account_routes() -> Routes {
    Routes::new()
        .merge(sign_in::routes())
        .merge(password_change::own_routes())
        .merge(second_factor::own_routes())
        .merge(sessions::routes())
        .merge(confirming::routes())
}

/// Open to a live session only; a handler that takes `Allowed<…>` asks for a right as well.
fn signed_in_routes() -> Routes {
    Routes::new()
        .merge(second_factor::routes())
        .merge(oidc::routes())
        .merge(parameters::routes())
        .merge(warning::routes())
        .merge(releases::routes())
        .merge(application_rights::routes())
        .merge(admin::routes())
        .merge(setup::routes())
        .merge(worker::routes())
        .merge(links::routes())
        .merge(lists::routes())
        .merge(upgrade_notes::routes())
        .merge(exchange::routes())
        .merge(patients::routes())
        .merge(entries::routes())
        .merge(consents::routes())
        .merge(entry_states::routes())
        .merge(plans::routes())
        .merge(questions::routes())
        .merge(quality::routes())
        .merge(plans::own_routes())
        .merge(reports::routes())
        .merge(analyses::routes())
        .merge(board::routes())
        .merge(exports::routes())
        .merge(reports::socket::routes())
        .merge(data_import::routes())
        .merge(maintenance::routes())
        .merge(operations::routes())
        .merge(log::routes())
        .merge(looks::routes())
        .merge(entry_statistics::routes())
}

/// The whole API under `/api`, and the web application beside it.
pub fn app(state: AppState) -> Router {
    let signed_in = signed_in_routes().into_router().route_layer(middleware::from_fn(duty::require_done));
    let signed_in = signed_in.route_layer(middleware::from_fn_with_state(state.clone(), patients::merged::send_on));
    let signed_in = signed_in.merge(account_routes().into_router());
    let signed_in = signed_in.route_layer(middleware::from_fn_with_state(state.clone(), auth::require_session));
    let router = Router::new()
        .merge(public_routes().into_router())
        .merge(signed_in)
        .route("/api/openapi.json", get(description))
        .method_not_allowed_fallback(|| async { Error::MethodNotAllowed })
        .fallback(|| async { Error::NotFound });
    let router = match &state.web_dir {
        Some(folder) => router.fallback_service(web::application(folder)),
        None => router,
    };
    http::layers(router, &state).with_state(state)
}

/// Every route, body and error of the API, described when somebody first asks.
pub fn openapi() -> &'static OpenApi {
    static DOCUMENT: LazyLock<OpenApi> = LazyLock::new(|| {
        let mut document = openapi::base();
        for (routes, needs_session) in [(public_routes(), false), (account_routes(), true), (signed_in_routes(), true)] {
            let mut described = routes.describe();
            openapi::complete(&mut described, needs_session);
            document.merge(described);
        }
        openapi::tell_types_of_fields(&mut document);
        document
    });
    &DOCUMENT
}

async fn description() -> impl IntoResponse {
    static TEXT: LazyLock<String> = LazyLock::new(|| openapi().to_pretty_json().expect("the document is plain data"));
    ([("content-type", "application/json")], TEXT.as_str())
}
