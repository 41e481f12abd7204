//! What quality rules have found in the institution's entries: beside a field, as lists, confirmed as right. Findings are the institution's that
//! holds the entry, as questions are; nobody else is told of them.

mod confirm;
mod entries;
mod figures;
mod institutions;
mod list;
mod of_entry;

use accounts::auth::Actor;
use axum::middleware;
use domain::access::Patients;
use jiff::civil::Date;
use platform::routes::Routes;
use serde::{Deserialize, Serialize};
use sqlx::types::Json;
use utoipa::{IntoParams, ToSchema};

use crate::patients::require_patients;

pub fn routes() -> Routes {
    Routes::new()
        .merge(of_entry::routes())
        .merge(confirm::routes())
        .merge(list::routes())
        .merge(figures::routes())
        .merge(institutions::routes())
        .merge(entries::routes())
        .route_layer(middleware::from_fn(require_patients))
}

/// Entries of a register, by their days.
#[derive(Deserialize, IntoParams)]
struct EntryDays {
    #[serde(rename = "registarID")]
    registar_id: i64,
    /// Days of entries.
    od: Option<Date>,
    #[serde(rename = "do")]
    do_dana: Option<Date>,
}

/// Why a finding has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "camelCase")]
#[sqlx(type_name = "text", rename_all = "camelCase")]
enum FindingEnd {
    /// The value is another.
    Vrednost,
    /// The rule is another, or is switched off.
    Pravilo,
    /// The entry was deleted.
    Unos,
}

/// Who has checked a value and found it right, and when.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
struct FindingConfirmation {
    radnik: String,
    vreme: String,
    napomena: Option<String>,
}

/// The other entry that a rule has looked at.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
struct ComparedEntry {
    #[serde(rename = "unosID")]
    unos_id: i64,
    datum: String,
}

type Confirmation = Option<Json<FindingConfirmation>>;

/// Whoever may change the entry answers for what stands in it.
fn may_confirm(actor: &Actor) -> bool {
    actor.prava.pacijenti == Patients::Izmena
}
