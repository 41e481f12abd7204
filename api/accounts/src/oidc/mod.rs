//! Signing in by an OpenID Provider of the hospital, beside the password. It opens the record of a worker who is there already and makes
//! none (docs/decisions/0038-sign-in-by-openid-connect.md).

mod attempt;
mod calls;
pub mod code;
pub mod link;
mod unlink;

use platform::{
    error::{Error, Result},
    routes::Routes,
    state::AppState,
};

pub use platform::identity_provider::{Provider, Settings};

pub fn public_routes() -> Routes {
    calls::routes()
}

pub fn routes() -> Routes {
    unlink::routes()
}

/// The provider, where there is one; else its routes are as absent as any other.
fn provider(state: &AppState) -> Result<&Provider> {
    state.oidc.as_ref().ok_or(Error::NotFound)
}
