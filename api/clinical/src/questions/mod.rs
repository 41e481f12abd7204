//! Questions about an entry or a field of it, each a thread of messages: asked by a monitor or a colleague, answered, closed by who asked. They are
//! the institution's that holds the entry. What a message makes of a question says the database (`migrations/functions/question.sql`).

mod ask;
mod deeds;
mod held;
mod list;
mod thread;

use axum::middleware;
use platform::routes::Routes;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::patients::require_patients;

pub fn routes() -> Routes {
    Routes::new()
        .merge(thread::routes())
        .merge(ask::routes())
        .merge(deeds::routes())
        .merge(list::routes())
        .route_layer(middleware::from_fn(require_patients))
}

/// What a question is now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "camelCase")]
#[sqlx(type_name = "text", rename_all = "camelCase")]
enum QuestionState {
    Otvoren,
    Odgovoren,
    Zatvoren,
    PonovoOtvoren,
}

/// Who asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "camelCase")]
#[sqlx(type_name = "text", rename_all = "camelCase")]
enum QuestionOrigin {
    /// A monitor.
    Nadzor,
    Kolega,
    Pravilo,
}

/// What a message did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "camelCase")]
#[sqlx(type_name = "text", rename_all = "camelCase")]
enum MessageKind {
    Pitanje,
    Odgovor,
    Zatvaranje,
    PonovnoOtvaranje,
    Dodela,
}
