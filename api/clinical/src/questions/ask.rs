//! Asking about an entry or a field of it.

use accounts::{
    auth::Actor,
    rights::{Allowed, AskingQuestions, Right},
};
use axum::{extract::State, http::StatusCode};
use domain::{db, time::date_text};
use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use platform::{
    error::{Error, Result},
    extract::{Json, Path},
    page::Page,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::ToSchema;

use super::{MessageKind, QuestionOrigin, held::AskedEntry};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(ask)).routes(routes!(workers))
}

/// Characters of a message.
const LONGEST: usize = 2_000;

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct QuestionInput {
    /// None: about the whole entry.
    #[serde(rename = "poljeID")]
    polje_id: Option<i64>,
    tekst: String,
    /// None: the doctor who answers for the entry, else who made it.
    #[serde(rename = "dodeljenID")]
    dodeljen_id: Option<i64>,
    rok: Option<Date>,
    /// What a rule has found, of which the question is; none: nobody but the worker has thought of it.
    #[serde(rename = "nalazID")]
    nalaz_id: Option<i64>,
}

#[derive(Serialize, ToSchema)]
struct QuestionCreated {
    id: i64,
}

/// Asks about an entry of the worker's institution.
#[utoipa::path(post, path = "/api/entries/{id}/questions", request_body = QuestionInput,
    responses((status = 201, body = QuestionCreated), (status = 409, description = "Nalaz je u međuvremenu završen")))]
async fn ask(
    State(state): State<AppState>,
    actor: Allowed<AskingQuestions>,
    Path(id): Path<i64>,
    Json(sent): Json<QuestionInput>,
) -> Result<(StatusCode, Json<QuestionCreated>)> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let entry = AskedEntry::of(&mut tx, &actor, id).await?;
    if !entry.is_own(&actor) {
        return Err(Error::refused("O unosu druge ustanove pita ko u njoj radi."));
    }
    let text = message_text(&sent.tekst)?;
    if let Some(field) = sent.polje_id {
        require_field(&mut tx, entry.tsa_id, field).await?;
    }
    let assignee = sent.dodeljen_id.unwrap_or(entry.radnik_id);
    require_assignee(&mut tx, assignee, entry.ustanova_id).await?;
    require_due_day(&mut tx, sent.rok).await?;
    if let Some(finding) = sent.nalaz_id {
        require_finding(&mut tx, id, sent.polje_id, finding).await?;
    }
    let origin = match sent.nalaz_id {
        Some(_) => QuestionOrigin::Pravilo,
        None if actor.prava.holds(Right::Monitoring) => QuestionOrigin::Nadzor,
        None => QuestionOrigin::Kolega,
    };
    let question = sqlx::query_scalar!(
        "insert into question (unos_id, pacijent_id, ustanova_id, polje_id, poreklo, dodeljen_id, rok) values ($1, $2, $3, $4, $5, $6, $7) returning id",
        id,
        entry.pacijent_id,
        entry.ustanova_id,
        sent.polje_id,
        origin as QuestionOrigin,
        assignee,
        sent.rok.map(ToSqlx::to_sqlx) as _
    )
    .fetch_one(&mut *tx)
    .await?;
    say(&mut tx, question, MessageKind::Pitanje, Some(text), assignee, sent.rok).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(QuestionCreated { id: question })))
}

/// Adds a message to a thread; the database says what the question is then.
pub async fn say(
    tx: &mut PgConnection,
    question: i64,
    kind: MessageKind,
    text: Option<&str>,
    assignee: i64,
    due: Option<Date>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into question_message (upit_id, vrsta, tekst, stanje, dodeljen_id, rok) values ($1, $2, $3, 'otvoren', $4, $5)",
        question,
        kind as MessageKind,
        text,
        assignee,
        due.map(ToSqlx::to_sqlx) as _
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// What was typed, which must say something.
pub fn message_text(typed: &str) -> Result<&str> {
    let text = typed.trim();
    match (1..=LONGEST).contains(&text.chars().count()) {
        true => Ok(text),
        false => Err(Error::invalid("tekst", "Tekst ima od 1 do 2.000 znakova.")),
    }
}

async fn require_field(tx: &mut PgConnection, form: i64, field: i64) -> Result<()> {
    let known = sqlx::query_scalar!(
        r#"select exists (select from form_field where id = $1 and tip_skupa_atributa_id = $2) as "known!""#,
        field,
        form
    );
    match known.fetch_one(tx).await? {
        true => Ok(()),
        false => Err(Error::invalid("poljeID", "Formular unosa nema to polje.")),
    }
}

/// A question comes of a rule only where that has found something about the same field, and finds it still.
async fn require_finding(tx: &mut PgConnection, entry: i64, field: Option<i64>, finding: i64) -> Result<()> {
    let holds = sqlx::query_scalar!(
        r#"select exists (select from quality_finding
                           where id = $1 and unos_id = $2 and polje_id is not distinct from $3 and kraj is null) as "holds!""#,
        finding,
        entry,
        field
    );
    match holds.fetch_one(tx).await? {
        true => Ok(()),
        false => Err(Error::conflict("Nalaz je u međuvremenu završen: vrednost ili pravilo je promenjeno. Učitajte ga ponovo.")),
    }
}

pub async fn require_assignee(tx: &mut PgConnection, worker: i64, institution: i64) -> Result<()> {
    let may = sqlx::query_scalar!(r#"select may_be_asked($1, $2) as "may!""#, worker, institution);
    match may.fetch_one(tx).await? {
        true => Ok(()),
        false => Err(Error::invalid("dodeljenID", "Izaberite radnika ustanove čija uloga otvara pacijente.")),
    }
}

/// A due day that is past is none.
pub async fn require_due_day(tx: &mut PgConnection, due: Option<Date>) -> Result<()> {
    let today = sqlx::query_scalar!(r#"select today() as "today!""#).fetch_one(tx).await?.to_jiff();
    match due {
        Some(day) if day < today => Err(Error::invalid("rok", format!("Rok ne može biti u prošlosti (danas je {}).", date_text(today)))),
        _ => Ok(()),
    }
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AskedWorker {
    id: i64,
    ime_prezime: String,
}

/// Whom one may ask in the worker's institution.
#[utoipa::path(get, path = "/api/question-workers", responses((status = 200, body = Page<AskedWorker>)))]
async fn workers(State(state): State<AppState>, actor: Actor) -> Result<Json<Page<AskedWorker>>> {
    let workers = sqlx::query_as!(
        AskedWorker,
        r#"select w.id, w.prezime || ' ' || w.ime as "ime_prezime!"
             from members_of($1) m join worker w on w.id = m.radnik_id where opens_patients(w.id) order by w.prezime, w.ime, w.id"#,
        actor.ustanova_id
    );
    Ok(Json(Page::all(workers.fetch_all(&state.db).await?)))
}
