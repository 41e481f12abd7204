//! The signed form of a consent: sent while it is recorded, kept where the files of entries are.

use accounts::{
    audit::deed_on_patient,
    auth::Actor,
    rights::{Allowed, Consents as ConsentArea},
};
use axum::{body::Body, extract::State, http::StatusCode, response::Response};
use domain::{attachment::FileLimits, db};
use platform::{
    error::{Error, Result},
    extract::{Json, Path, Query},
    routes::{Routes, routes},
    state::AppState,
};
use serde::Deserialize;
use sqlx::PgConnection;
use utoipa::IntoParams;

use crate::{
    entries::files::{self, EntryFile, KeptFile, ReadQuery},
    patients::PatientAccess,
};

const GONE: &str = "Fajl više nije dostupan. Uklonite ga i priložite ponovo.";

pub fn routes() -> Routes {
    Routes::new().routes(routes!(send)).routes(routes!(read))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct SentForm {
    #[serde(rename = "pacijentID")]
    pacijent_id: i64,
    naziv: String,
}

/// Keeps a signed form until a consent names it; the body is the file. It is its worker's alone until then.
#[utoipa::path(post, path = "/api/consent-files", params(SentForm),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 201, body = EntryFile), (status = 422, description = "Polje i poruka")))]
async fn send(
    State(state): State<AppState>,
    actor: Allowed<ConsentArea>,
    Query(sent): Query<SentForm>,
    body: Body,
) -> Result<(StatusCode, Json<EntryFile>)> {
    let mut db = state.db.acquire().await?;
    PatientAccess::to(&mut db, &actor, sent.pacijent_id).await?.require_change()?;
    files::refuse_many_waiting(&mut db, &actor).await?;
    drop(db);
    let refuse = |why: String| Error::invalid("fajlID", why);
    let limits = FileLimits::default();
    let draft = files::received(&state.config.artifacts, body, limits.bytes(files::ceiling(&state).await?)).await?.map_err(refuse)?;
    let kind = files::judged(&state, &draft).await?.map_err(refuse)?;
    let file = files::stored(&state, &actor, (sent.pacijent_id, None), &sent.naziv, draft, kind).await?;
    Ok((StatusCode::CREATED, Json(file.into())))
}

/// The form is the consent's from now on.
pub async fn take(db: &mut PgConnection, actor: &Actor, patient: i64, consent: i64, file: i64) -> Result<()> {
    let taken = sqlx::query!(
        "update entry_file set saglasnost_id = $1
          where id = $2 and pacijent_id = $3 and radnik_id = $4 and polje_id is null and unos_id is null and saglasnost_id is null and sacuvan
            and not uklanja_se",
        consent,
        file,
        patient,
        actor.radnik_id
    )
    .execute(db)
    .await?;
    if taken.rows_affected() == 0 { Err(Error::invalid("fajlID", GONE)) } else { Ok(()) }
}

/// Whoever sees the patient in the register of the consent reads its form.
#[utoipa::path(get, path = "/api/consent-files/{id}", params(("id" = i64, Path), ReadQuery),
    responses((status = 200, content_type = "*/*", body = Vec<u8>), (status = 410, description = "Nije više u skladištu")))]
async fn read(State(state): State<AppState>, actor: Actor, Path(id): Path<i64>, Query(query): Query<ReadQuery>) -> Result<Response> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let found = sqlx::query_as!(
        KeptFile,
        r#"select f.pacijent_id, null::bigint as unos_id, null::bigint as ustanova_id, f.naziv, f.vrsta, f.velicina, f.sha256, f.putanja
             from entry_file f join patient_consent c on c.id = f.saglasnost_id
            where f.id = $1 and f.sacuvan and not f.uklanja_se and c.registar_id in (select * from registers_shown($2, c.pacijent_id))"#,
        id,
        actor.ustanova_id
    )
    .fetch_optional(&mut *tx)
    .await?;
    // What is hidden and what is not there are asked about alike.
    let own = actor.ustanova_id.unwrap_or_default();
    let (file, _) = PatientAccess::to_entry(&mut tx, &actor, found, |file| (file.pacijent_id, own)).await?;
    deed_on_patient(&mut tx, &actor, "patient_consent", "pregled fajla", file.pacijent_id, file.pacijent_id).await?;
    let response = files::served(&state, id, file, &query).await?;
    tx.commit().await?;
    Ok(response)
}
