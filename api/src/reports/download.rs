//! The files of a generated report, given to the worker who asked for it and to those it was sent to.

use std::{
    io::{Read, Seek},
    path::{Component, Path as FilePath, PathBuf},
};

use anyhow::{Context, anyhow, ensure};
use axum::{
    body::Body,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use domain::{db, period::Period, runs::RunStatus, time::server_text};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use tokio_util::io::ReaderStream;
use utoipa::IntoParams;
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;

use super::{
    access::{self, Reader},
    filename::{self, FileKind},
    trail::{self, Deed},
};
use crate::{
    error::{Error, Result},
    extract::{Path, Query},
    state::AppState,
};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(download))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct DownloadQuery {
    /// Short name of a format: PDF, XLSX or CSV.
    format: String,
}

#[utoipa::path(
    get, path = "/api/report-runs/{id}/download", tag = "izvestaji", params(("id" = Uuid, Path), DownloadQuery),
    responses((status = 200, content_type = "application/octet-stream", body = Vec<u8>), (status = 403, description = "Nema pravo ili ustanovu izveštaja"), (status = 410, description = "Istekao"))
)]
async fn download(
    State(state): State<AppState>,
    reader: Reader,
    Path(id): Path<Uuid>,
    Query(query): Query<DownloadQuery>,
) -> Result<Response> {
    let format = query.format.to_uppercase();
    let run = access::open(&state.db, &reader, id).await?;
    let kind = filename::kind(&format).filter(|_| run.status == RunStatus::Succeeded).ok_or(Error::NotFound)?;
    if run.istekao {
        return Err(expired());
    }
    let file = sqlx::query!("select path, bytes, sha256 from report_artifact where run_id = $1 and format = $2", id, format)
        .fetch_optional(&state.db)
        .await?
        .ok_or(Error::NotFound)?;
    // What it is about tells two files apart better than when they were made.
    let suffix = run.period().map(Period::in_file_name).or(run.finished_at.map(server_text)).unwrap_or_default();
    let file = ResultFile { path: file.path, bytes: file.bytes, sha256: file.sha256, naziv: run.naziv.clone(), suffix, kind };
    // What is recorded was there to be given; no connection is held while the client reads.
    let response = file.serve(&state, id).await?;
    let mut tx = db::begin(&state.db, reader.radnik_id).await?;
    trail::record(&mut tx, reader.radnik_id, Deed::Download, &run.subject(id), Some(&format)).await?;
    tx.commit().await?;
    Ok(response)
}

/// A file of a finished run, and the name under which it is given out.
pub struct ResultFile {
    /// Below the artifact folder.
    pub path: String,
    pub bytes: i64,
    pub sha256: Vec<u8>,
    pub naziv: String,
    /// What tells it from others of its name: its period, or when it was made.
    pub suffix: String,
    pub kind: FileKind,
}

impl ResultFile {
    /// Sends the file as the engine stored it, or not at all.
    pub async fn serve(self, state: &AppState, run: Uuid) -> Result<Response> {
        let Self { path, bytes, sha256, naziv, suffix, kind } = self;
        let path = inside(&state.config.artifact_dir, &path)?;
        let file = tokio::task::spawn_blocking(move || open_whole(&path, bytes, &sha256)).await.context("reading a result stopped")??;
        let Some(file) = file else {
            tracing::error!(%run, format = kind.extension, "a result that has not expired has no file");
            return Err(expired());
        };
        let headers = [
            (header::CONTENT_TYPE, kind.content_type.to_owned()),
            (header::CONTENT_LENGTH, bytes.to_string()),
            (header::CONTENT_DISPOSITION, filename::content_disposition(&naziv, &suffix, kind.extension)),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
            (header::CACHE_CONTROL, "private, no-store".to_owned()),
        ];
        Ok((headers, Body::from_stream(ReaderStream::new(tokio::fs::File::from_std(file)))).into_response())
    }
}

fn expired() -> Error {
    Error::gone("Izveštaj je istekao i više nije dostupan.")
}

/// The file's place below the shared folder; a stored path that leads out of it is a broken row.
fn inside(folder: &FilePath, relative: &str) -> anyhow::Result<PathBuf> {
    let relative = FilePath::new(relative);
    let plain = relative.components().all(|part| matches!(part, Component::Normal(_)));
    ensure!(plain && relative.components().next().is_some(), "the path of a result leads out of the artifact folder");
    Ok(folder.join(relative))
}

/// Opens the file and reads it through once: what is sent is what the engine stored. `None`: there is no file.
fn open_whole(path: &FilePath, bytes: i64, sha256: &[u8]) -> anyhow::Result<Option<std::fs::File>> {
    let mut file = match std::fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(anyhow!(error).context("a result cannot be opened")),
    };
    let mut hash = Sha256::new();
    let mut length = 0;
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        hash.update(&buffer[..read]);
        length += i64::try_from(read)?;
    }
    ensure!(length == bytes && hash.finalize().as_slice() == sha256, "a result differs from what was stored");
    file.rewind()?;
    Ok(Some(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_path_stays_below_the_folder() {
        let folder = FilePath::new("/var/regix");
        assert_eq!(inside(folder, "2026/11/a.pdf").unwrap(), FilePath::new("/var/regix/2026/11/a.pdf"));
        for path in ["", "/etc/passwd", "../secret", "a/../../secret", "./a"] {
            assert!(inside(folder, path).is_err(), "{path}");
        }
    }

    #[test]
    fn a_changed_file_is_not_served() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        std::fs::write(&path, b"pol;broj\n").unwrap();
        let sha = Sha256::digest(b"pol;broj\n");
        assert!(open_whole(&path, 9, &sha).unwrap().is_some());
        assert!(open_whole(&path, 8, &sha).is_err());
        std::fs::write(&path, b"pol;brot\n").unwrap();
        assert!(open_whole(&path, 9, &sha).is_err());
        assert!(open_whole(&folder.path().join("b.csv"), 9, &sha).unwrap().is_none());
    }
}
