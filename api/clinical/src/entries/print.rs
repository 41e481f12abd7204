//! "Štampaj": the saved entry, or its patient's summary, as a PDF. The print is a run like a report's, made by a report engine, and its worker's alone.

use accounts::{audit::deed_on_patient, auth::Actor};
use axum::{extract::State, http::StatusCode, response::Response};
use domain::{
    db, process,
    runs::{self, Cancel, NewPrint, RunStatus},
};
use platform::{
    error::{Error, Result},
    extract::{Json, Path},
    file_name::PDF,
    result_file::ResultFile,
    routes::{Routes, routes},
    run_order::{KEY_USED_UP, announce, one_order_at_a_time, refuse_flood},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::patients::PatientAccess;

/// What the log says of a print: the patient's list of views shows it as every other look.
const DEED: &str = "pregled za štampu";
const FETCHED: &str = "preuzimanje štampe";
const NO_ENGINE: &str = "Štampa trenutno nije dostupna. Pokušajte ponovo za nekoliko minuta.";
const UNEXPLAINED: &str = "Dokument za štampu nije mogao da se izradi.";

pub fn routes() -> Routes {
    Routes::new().routes(routes!(submit)).routes(routes!(follow)).routes(routes!(cancel)).routes(routes!(file))
}

#[derive(Deserialize, ToSchema)]
struct PrintRequest {
    #[serde(rename = "unosID")]
    unos_id: i64,
    /// The same key sent twice makes one print.
    kljuc: Option<Uuid>,
    /// The summary of the entry's patient in its register, in the place of the entry.
    #[serde(default)]
    sazetak: bool,
    /// The dates on which that patient is awaited, in the place of both.
    #[serde(default)]
    termini: bool,
}

#[derive(Serialize, ToSchema)]
struct PrintAccepted {
    #[serde(rename = "stampaID")]
    stampa_id: Uuid,
}

/// Whoever may read the entry may print it: the saved version, as it is when an engine takes it.
#[utoipa::path(
    post, path = "/api/entry-prints", request_body = PrintRequest,
    responses((status = 202, body = PrintAccepted), (status = 429, description = "Previše otvorenih izveštaja"), (status = 503, description = "Nema ko da odštampa"))
)]
async fn submit(
    State(state): State<AppState>,
    actor: Actor,
    Json(request): Json<PrintRequest>,
) -> Result<(StatusCode, Json<PrintAccepted>)> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let entry = sqlx::query!("select pacijent_id, ustanova_id, registar_id from entry where id = $1 and aktivan", request.unos_id)
        .fetch_optional(&mut *tx)
        .await?;
    let (entry, _) = PatientAccess::to_entry(&mut tx, &actor, entry, |entry| (entry.pacijent_id, entry.ustanova_id)).await?;
    one_order_at_a_time(&mut tx, actor.radnik_id).await?;
    let print = NewPrint {
        id: Uuid::now_v7(),
        unos_id: request.unos_id,
        radnik_id: actor.radnik_id,
        ustanova_id: actor.ustanova()?,
        registar_id: entry.registar_id,
        sazetak: request.sazetak,
        termini: request.termini,
    };
    let Some(id) = runs::insert_print(&mut tx, &print, request.kljuc).await? else {
        let stampa_id = sqlx::query_scalar!(
            "select id from report_run where radnik_id = $1 and client_key = $2 and unos_id = $3 and sazetak = $4 and termini = $5",
            actor.radnik_id,
            request.kljuc,
            request.unos_id,
            request.sazetak,
            request.termini
        )
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(|| Error::conflict(KEY_USED_UP))?;
        return Ok((StatusCode::ACCEPTED, Json(PrintAccepted { stampa_id })));
    };
    refuse_flood(&mut tx, print.radnik_id, print.ustanova_id).await?;
    // Nobody waits for what nobody will make.
    if !process::lives(&mut tx, process::Kind::ReportEngine).await? {
        return Err(Error::Unavailable(NO_ENGINE.into()));
    }
    deed_on_patient(&mut tx, &actor, "entry", DEED, request.unos_id, entry.pacijent_id).await?;
    tx.commit().await?;
    tokio::spawn(announce(state.clone(), id));
    Ok((StatusCode::ACCEPTED, Json(PrintAccepted { stampa_id: id })))
}

#[derive(Serialize, ToSchema)]
struct PrintState {
    status: RunStatus,
    /// Why it failed.
    greska: Option<String>,
}

#[utoipa::path(get, path = "/api/entry-prints/{id}", params(("id" = Uuid, Path)), responses((status = 200, body = PrintState)))]
async fn follow(State(state): State<AppState>, actor: Actor, Path(id): Path<Uuid>) -> Result<Json<PrintState>> {
    let row = sqlx::query!(
        r#"select status as "status: RunStatus", error_text from report_run where id = $1 and radnik_id = $2 and unos_id is not null"#,
        id,
        actor.radnik_id
    )
    .fetch_optional(&state.db)
    .await?
    .ok_or(Error::NotFound)?;
    let greska = (row.status == RunStatus::Failed).then(|| row.error_text.unwrap_or_else(|| UNEXPLAINED.to_owned()));
    Ok(Json(PrintState { status: row.status, greska }))
}

/// Nobody waits for it any more.
#[utoipa::path(post, path = "/api/entry-prints/{id}/cancel", params(("id" = Uuid, Path)), responses((status = 204), (status = 409, description = "Već je završen")))]
async fn cancel(State(state): State<AppState>, actor: Actor, Path(id): Path<Uuid>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    own(&mut tx, &actor, id).await?;
    if runs::request_cancel(&mut tx, id).await? == Cancel::Ended {
        return Err(Error::conflict("Izrada dokumenta je već završena."));
    }
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The PDF, while its worker may read the entry and until it expires.
#[utoipa::path(
    get, path = "/api/entry-prints/{id}/file", params(("id" = Uuid, Path)),
    responses((status = 200, content_type = "application/pdf", body = Vec<u8>), (status = 410, description = "Istekao"))
)]
async fn file(State(state): State<AppState>, actor: Actor, Path(id): Path<Uuid>) -> Result<Response> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let print = own(&mut tx, &actor, id).await?;
    let stored = sqlx::query!(
        r#"select coalesce(r.expires_at <= now(), false) as "istekao!", a.path as "path?", a.bytes as "bytes?", a.sha256 as "sha256?"
             from report_run r left join report_artifact a on a.run_id = r.id and a.format = 'PDF'
            where r.id = $1 and r.status = 'succeeded'"#,
        id
    )
    .fetch_optional(&mut *tx)
    .await?
    .ok_or(Error::NotFound)?;
    let (false, Some(path), Some(bytes), Some(sha256)) = (stored.istekao, stored.path, stored.bytes, stored.sha256) else {
        return Err(Error::gone("Dokument je istekao. Odštampajte unos ponovo."));
    };
    deed_on_patient(&mut tx, &actor, "entry", FETCHED, print.unos_id, print.pacijent_id).await?;
    tx.commit().await?;
    let file = ResultFile { path, bytes, sha256, name: format!("{} {}", print.naziv, print.datum), kind: PDF };
    file.serve(&state, id).await
}

/// A print of the worker's own.
struct OwnPrint {
    unos_id: i64,
    pacijent_id: i64,
    naziv: String,
    datum: String,
}

/// Another worker's print does not exist; neither does one whose entry was deleted or whose patient the worker may not see any more.
async fn own(db: &mut PgConnection, actor: &Actor, id: Uuid) -> Result<OwnPrint> {
    let row = sqlx::query!(
        r#"select e.id, e.pacijent_id, e.ustanova_id, case when r.sazetak or r.termini then today() else e.datum_unosa end as "datum!",
                  case when r.termini then 'Termini' when r.sazetak then 'Sažetak' else f.naziv end || ' ' || p.prezime || ' ' || p.ime as "naziv!"
             from report_run r join entry e on e.id = r.unos_id join form f on f.id = e.tsa_id join patient p on p.id = e.pacijent_id
            where r.id = $1 and r.radnik_id = $2 and e.aktivan"#,
        id,
        actor.radnik_id
    )
    .fetch_optional(&mut *db)
    .await?;
    let (row, _) = PatientAccess::to_entry(db, actor, row, |row| (row.pacijent_id, row.ustanova_id)).await?;
    Ok(OwnPrint { unos_id: row.id, pacijent_id: row.pacijent_id, naziv: row.naziv, datum: row.datum.to_jiff().to_string() })
}
