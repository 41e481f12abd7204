//! Regix HTTP API: `app` holds state and every route in one list.

pub mod accounts;
pub mod admin;
pub mod application;
pub mod archive;
pub mod backup;
pub mod check;
pub mod crud;
mod data_import;
pub mod demo;
mod entries;
mod entry_statistics;
mod exchange;
mod exports;
pub mod import;
mod log;
mod looks;
pub mod maintenance;
pub mod migrate;
pub mod operations;
pub mod parameters;
pub mod parse;
pub mod patients;
pub mod platform;
mod releases;
pub mod reports;
pub mod serve;
mod warning;

pub(crate) use accounts::{
    application_rights, ceiling, confirming, password_change, password_rules, reach, second_factor, sign_in, throttle,
};
pub use accounts::{audit, auth, duty, oidc, passwords, rights, sessions};
pub use domain::text;
pub use platform::{
    connections, constraints, error, extract, health, http, hub, known_forms, long_answers, openapi, page, parsers, pools, proxies, rows,
    sockets, state,
};
pub(crate) use platform::{continuation, deletion, identity_provider, last_change, options, period, places, reading, shared, token, web};

use axum::{Router, middleware, routing::get};
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use crate::{admin::sponsor, error::Error, openapi::Document, state::AppState};

/// Open to anyone. A route belongs here only when it must be read before the sign-in.
fn public_routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(health::routes())
        .merge(application::routes())
        .merge(sign_in::public_routes())
        .merge(oidc::public_routes())
        .merge(sponsor::public_routes())
        .merge(reports::socket::public_routes())
}

/// Open to any live session, also to that of a worker who must first see to the own account (`duty`).
fn account_routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(sign_in::routes())
        .merge(password_change::own_routes())
        .merge(second_factor::own_routes())
        .merge(sessions::routes())
        .merge(confirming::routes())
}

/// Open to a live session only; a handler that takes `Allowed<…>` asks for a right as well.
fn signed_in_routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(second_factor::routes())
        .merge(oidc::routes())
        .merge(parameters::routes())
        .merge(warning::routes())
        .merge(releases::routes())
        .merge(application_rights::routes())
        .merge(admin::routes())
        .merge(exchange::routes())
        .merge(patients::routes())
        .merge(entries::routes())
        .merge(reports::routes())
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
    let Parts { public, account, signed_in, document } = parts();
    let document = Document::new(document);
    let signed_in = signed_in.route_layer(middleware::from_fn(duty::require_done)).merge(account);
    let signed_in = signed_in.route_layer(middleware::from_fn_with_state(state.clone(), auth::require_session));
    let router = Router::new()
        .merge(public)
        .merge(signed_in)
        .route("/api/openapi.json", get(|| async { document }))
        .method_not_allowed_fallback(|| async { Error::MethodNotAllowed })
        .fallback(|| async { Error::NotFound });
    let router = match &state.web_dir {
        Some(folder) => router.fallback_service(web::application(folder)),
        None => router,
    };
    http::layers(router, &state).with_state(state)
}

/// Every route, body and error of the API.
pub fn openapi() -> OpenApi {
    parts().document
}

struct Parts {
    public: Router<AppState>,
    account: Router<AppState>,
    signed_in: Router<AppState>,
    document: OpenApi,
}

fn parts() -> Parts {
    let (public, mut public_document) = public_routes().split_for_parts();
    let (account, mut account_document) = account_routes().split_for_parts();
    let (signed_in, mut signed_in_document) = signed_in_routes().split_for_parts();
    openapi::complete(&mut public_document, false);
    openapi::complete(&mut account_document, true);
    openapi::complete(&mut signed_in_document, true);
    let mut document = openapi::base();
    document.merge(public_document);
    document.merge(account_document);
    document.merge(signed_in_document);
    openapi::tell_types_of_fields(&mut document);
    Parts { public, account, signed_in, document }
}
