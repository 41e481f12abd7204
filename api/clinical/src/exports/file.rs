//! The archive of an export, given to its worker alone, while she may still have it.

use accounts::rights::{Allowed, DataExport};
use axum::{extract::State, response::Response};
use domain::{access, db, exports::Profile, runs::RunStatus};
use platform::{
    error::{Error, Result},
    extract::Path,
    file_name::ZIP,
    result_file::ResultFile,
    routes::{Routes, routes},
    state::AppState,
};
use uuid::Uuid;

use super::{
    own::OwnExport,
    trail::{self, ExportAction},
};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(file))
}

#[utoipa::path(
    get, path = "/api/data-exports/{id}/file", tag = "izvoz", params(("id" = Uuid, Path)),
    responses((status = 200, content_type = "application/zip", body = Vec<u8>), (status = 403, description = "Nema više pravo ili ustanovu"), (status = 410, description = "Istekao"))
)]
async fn file(State(state): State<AppState>, actor: Allowed<DataExport>, Path(id): Path<Uuid>) -> Result<Response> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let own = OwnExport::lock(&mut tx, &actor, id).await?;
    let subject = &own.subject;
    if own.status != RunStatus::Succeeded {
        return Err(Error::NotFound);
    }
    if !access::may_export(&mut tx, actor.radnik_id, &subject.ustanove, subject.profil == Profile::Identitet).await? {
        drop(tx);
        let refusal =
            Error::refused("Nemate više pravo na ovaj izvoz: ne pripadate svim njegovim ustanovama ili vam uloga ne otvara pacijente.");
        return trail::refuse(&state.db, actor.radnik_id, subject, refusal).await;
    }
    let stored = sqlx::query!(
        r#"select coalesce(r.expires_at <= now(), false) as "istekao!", r.finished_at, a.path as "path?", a.bytes as "bytes?", a.sha256 as "sha256?"
             from report_run r left join report_artifact a on a.run_id = r.id where r.id = $1"#,
        id
    )
    .fetch_one(&mut *tx)
    .await?;
    let (false, Some(path), Some(bytes), Some(sha256)) = (stored.istekao, stored.path, stored.bytes, stored.sha256) else {
        return Err(Error::gone("Izvoz je istekao. Zatražite ga ponovo."));
    };
    // The file may be large and its store far away: no connection and no row is held while it is fetched and read through.
    tx.commit().await?;
    let made = stored.finished_at.map(|at| at.to_jiff().to_zoned(domain::time::zone()).date().to_string());
    let name = format!("izvoz {} {}", subject.naziv, made.unwrap_or_default());
    let response = ResultFile { path, bytes, sha256, name, kind: ZIP }.serve(&state, id).await?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    trail::record(&mut tx, actor.radnik_id, ExportAction::Download, subject, None).await?;
    tx.commit().await?;
    Ok(response)
}
