//! What is done with a question: answered, closed, opened again, given to somebody else.

use accounts::auth::Actor;
use axum::{extract::State, http::StatusCode};
use domain::db;
use jiff::civil::Date;
use platform::{
    error::Result,
    extract::{Json, Path},
    routes::{Routes, routes},
    state::AppState,
};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    MessageKind,
    ask::{message_text, require_assignee, require_due_day, say},
    held::HeldQuestion,
};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(answer)).routes(routes!(close)).routes(routes!(reopen)).routes(routes!(assign))
}

#[derive(Deserialize, ToSchema)]
struct QuestionAnswer {
    tekst: String,
}

/// Says something more in the thread. Several people may at once: each message stands in it.
#[utoipa::path(post, path = "/api/questions/{id}/messages", request_body = QuestionAnswer, responses((status = 204)))]
async fn answer(State(state): State<AppState>, actor: Actor, Path(id): Path<i64>, Json(sent): Json<QuestionAnswer>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let question = HeldQuestion::of(&mut tx, &actor, id).await?;
    question.require_answer(&actor)?;
    say(&mut tx, question.id, MessageKind::Odgovor, Some(message_text(&sent.tekst)?), question.dodeljen_id, None).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, ToSchema)]
struct QuestionClosing {
    /// May be left out.
    #[serde(default)]
    tekst: String,
    /// The last message that was read: whoever has not read the last one does not close over it.
    #[serde(rename = "porukaID")]
    poruka_id: i64,
}

/// Closes the question: who asked, or who holds the right.
#[utoipa::path(post, path = "/api/questions/{id}/close", request_body = QuestionClosing,
    responses((status = 204), (status = 409, description = "U upitu ima novih poruka")))]
async fn close(State(state): State<AppState>, actor: Actor, Path(id): Path<i64>, Json(sent): Json<QuestionClosing>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let question = HeldQuestion::of(&mut tx, &actor, id).await?;
    question.require_close(&actor)?;
    question.require_seen(sent.poruka_id)?;
    let text = match sent.tekst.trim() {
        "" => None,
        text => Some(message_text(text)?),
    };
    say(&mut tx, question.id, MessageKind::Zatvaranje, text, question.dodeljen_id, None).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Opens a closed question again, and says why.
#[utoipa::path(post, path = "/api/questions/{id}/reopen", request_body = QuestionAnswer, responses((status = 204)))]
async fn reopen(State(state): State<AppState>, actor: Actor, Path(id): Path<i64>, Json(sent): Json<QuestionAnswer>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let question = HeldQuestion::of(&mut tx, &actor, id).await?;
    question.require_close(&actor)?;
    say(&mut tx, question.id, MessageKind::PonovnoOtvaranje, Some(message_text(&sent.tekst)?), question.dodeljen_id, None).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, ToSchema)]
struct QuestionAssignment {
    #[serde(rename = "dodeljenID")]
    dodeljen_id: i64,
    /// None: no day.
    rok: Option<Date>,
}

/// Gives the question to somebody else, or moves its day.
#[utoipa::path(post, path = "/api/questions/{id}/assign", request_body = QuestionAssignment, responses((status = 204)))]
async fn assign(
    State(state): State<AppState>,
    actor: Actor,
    Path(id): Path<i64>,
    Json(sent): Json<QuestionAssignment>,
) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let question = HeldQuestion::of(&mut tx, &actor, id).await?;
    question.require_close(&actor)?;
    require_assignee(&mut tx, sent.dodeljen_id, question.ustanova_id).await?;
    require_due_day(&mut tx, sent.rok).await?;
    say(&mut tx, question.id, MessageKind::Dodela, None, sent.dodeljen_id, sent.rok).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
