//! The files of a generated report, given to the worker who asked for it and to those it was sent to.

use axum::{extract::State, response::Response};
use domain::{db, report_wording::Wording, runs::RunStatus};
use platform::{
    error::{Error, Result},
    extract::{Path, Query},
    file_name,
    result_file::{ResultFile, expired},
    routes::{Routes, routes},
    state::AppState,
};
use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

use super::{
    access::{self, Reader},
    readers,
    trail::{self, ReportAction},
};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(download))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct DownloadQuery {
    /// Short name of a format: PDF, XLSX or CSV.
    format: String,
}

#[utoipa::path(
    get, path = "/api/report-runs/{id}/download", tag = "izvestaji", params(("id" = Uuid, Path), DownloadQuery),
    responses((status = 200, content_type = "*/*", body = Vec<u8>), (status = 403, description = "Nema pravo ili ustanovu izveštaja"), (status = 410, description = "Istekao"))
)]
async fn download(
    State(state): State<AppState>,
    reader: Reader,
    Path(id): Path<Uuid>,
    Query(query): Query<DownloadQuery>,
) -> Result<Response> {
    let format = query.format.to_uppercase();
    let run = access::open(&state.db, &reader, id).await?;
    let kind = file_name::kind(&format).filter(|_| run.status == RunStatus::Succeeded).ok_or(Error::NotFound)?;
    if run.istekao {
        return Err(expired());
    }
    let file = sqlx::query!("select path, bytes, sha256 from report_artifact where run_id = $1 and format = $2", id, format)
        .fetch_optional(&state.db)
        .await?
        .ok_or(Error::NotFound)?;
    let name = run.file_name(&Wording::load(&state.db).await?);
    let file = ResultFile { path: file.path, bytes: file.bytes, sha256: file.sha256, name, kind };
    // What is recorded was there to be given; no connection is held while the client reads.
    let response = file.serve(&state, id).await?;
    readers::opened(&state.db, reader.radnik_id, id).await?;
    let mut tx = db::begin(&state.db, reader.radnik_id).await?;
    trail::record(&mut tx, reader.radnik_id, ReportAction::Download, &run.subject(id), Some(&format)).await?;
    tx.commit().await?;
    Ok(response)
}
