//! What became of an entry as people see it: finished, signed, locked; and periods that are closed over the entries of a register.

mod deeds;
mod list;
mod periods;

use axum::middleware;
use platform::{
    error::{Error, Result},
    routes::Routes,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::patients::require_patients;

/// By what an entry came into a state: a person's deed, or a change that ended the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "camelCase")]
#[sqlx(type_name = "text", rename_all = "camelCase")]
enum StateDeed {
    Zavrsavanje,
    Potpis,
    Zakljucavanje,
    Otkljucavanje,
    Vracanje,
    Izmena,
    Preracunavanje,
    Anonimizacija,
}

/// What a signature means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "camelCase")]
#[sqlx(type_name = "text", rename_all = "camelCase")]
enum SignatureMeaning {
    Autor,
    Pregledao,
    Odobrio,
}

/// What a lock is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "camelCase")]
#[sqlx(type_name = "text", rename_all = "camelCase")]
enum LockKind {
    Unos,
    Period,
}

const SHORTEST_REASON: usize = 3;
const LONGEST_REASON: usize = 500;

pub fn routes() -> Routes {
    Routes::new().merge(list::routes()).merge(deeds::routes()).merge(periods::routes()).route_layer(middleware::from_fn(require_patients))
}

/// A reason as it is stored.
fn reason(given: &str) -> Result<&str> {
    let given = given.trim();
    if !(SHORTEST_REASON..=LONGEST_REASON).contains(&given.chars().count()) {
        return Err(Error::invalid("razlog", "Napišite razlog, od 3 do 500 znakova."));
    }
    Ok(given)
}
