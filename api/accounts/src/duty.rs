//! What a worker must do before the rest of the site opens: the session of one who has not can do that, and nothing else.

use axum::{extract::Request, middleware::Next, response::Response};
use platform::error::{Error, Result};
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::Actor;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Duty {
    /// Somebody else gave the password: change it.
    Lozinka,
    /// A role asks for signing in in two steps: set the second one up.
    DrugiFaktor,
}

impl Duty {
    /// The first one that is open.
    pub fn of(password_is_given: bool, second_factor_is_missing: bool) -> Option<Self> {
        match (password_is_given, second_factor_is_missing) {
            (true, _) => Some(Self::Lozinka),
            (false, true) => Some(Self::DrugiFaktor),
            (false, false) => None,
        }
    }

    fn message(self) -> &'static str {
        match self {
            Self::Lozinka => "Lozinku vam je dodelio neko drugi. Promenite je, pa nastavite.",
            Self::DrugiFaktor => "Vaša uloga traži prijavu u dva koraka. Podesite drugi korak, pa nastavite.",
        }
    }
}

/// Refuses whatever is not part of a duty while one is open. Stands inside of `require_session`.
pub async fn require_done(actor: Actor, request: Request, next: Next) -> Result<Response> {
    match actor.duty {
        None => Ok(next.run(request).await),
        Some(duty) => Err(Error::refused(duty.message())),
    }
}
