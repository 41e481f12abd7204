//! The files of a generated report, given to the worker who asked for it and to those it was sent to.

use std::{
    fs::File,
    io::{Read, Seek},
};

use anyhow::{Context, ensure};
use axum::{
    body::Body,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use domain::{artifacts::StoreError, db, report_wording::Wording, runs::RunStatus};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use tokio_util::io::ReaderStream;
use utoipa::IntoParams;
use uuid::Uuid;

use super::{
    access::{self, Reader},
    filename::{self, FileKind},
    readers,
    trail::{self, Deed},
};
use crate::{
    error::{Error, Result},
    extract::{Path, Query},
    routes::{Routes, routes},
    state::AppState,
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
    let name = run.file_name(&Wording::load(&state.db).await?);
    let file = ResultFile { path: file.path, bytes: file.bytes, sha256: file.sha256, name, kind };
    // What is recorded was there to be given; no connection is held while the client reads.
    let response = file.serve(&state, id).await?;
    readers::opened(&state.db, reader.radnik_id, id).await?;
    let mut tx = db::begin(&state.db, reader.radnik_id).await?;
    trail::record(&mut tx, reader.radnik_id, Deed::Download, &run.subject(id), Some(&format)).await?;
    tx.commit().await?;
    Ok(response)
}

/// A file of a finished run, and the name under which it is given out.
pub struct ResultFile {
    /// In the store of artifacts.
    pub path: String,
    pub bytes: i64,
    pub sha256: Vec<u8>,
    /// Without its extension.
    pub name: String,
    pub kind: FileKind,
}

impl ResultFile {
    /// Sends the file as the engine stored it, or not at all.
    pub async fn serve(self, state: &AppState, run: Uuid) -> Result<Response> {
        let Self { path, bytes, sha256, name, kind } = self;
        let Some(file) = state.config.artifacts.open(&path).await.map_err(unreadable)? else {
            tracing::error!(%run, format = kind.extension, "a result that has not expired has no file");
            return Err(expired());
        };
        let file = tokio::task::spawn_blocking(move || whole(file, bytes, &sha256)).await.context("reading a result stopped")??;
        let headers = [
            (header::CONTENT_TYPE, kind.content_type.to_owned()),
            (header::CONTENT_LENGTH, bytes.to_string()),
            (header::CONTENT_DISPOSITION, filename::content_disposition(&name, kind.extension)),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
            (header::CACHE_CONTROL, "private, no-store".to_owned()),
        ];
        Ok((headers, Body::from_stream(ReaderStream::new(tokio::fs::File::from_std(file)))).into_response())
    }
}

pub(super) fn expired() -> Error {
    Error::gone("Izveštaj je istekao i više nije dostupan.")
}

/// A store that is out of reach comes back; until then nothing is said to be gone.
fn unreadable(error: StoreError) -> Error {
    match error {
        StoreError::Away(_) => {
            tracing::error!(%error, "a result cannot be fetched");
            Error::Unavailable("Skladište izveštaja trenutno nije dostupno. Pokušajte ponovo za nekoliko minuta.".into())
        }
        StoreError::Io(error) => anyhow::Error::from(error).context("a result cannot be opened").into(),
    }
}

/// Reads the file through once: what is sent is what the engine stored.
pub fn whole(mut file: File, bytes: i64, sha256: &[u8]) -> anyhow::Result<File> {
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
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_file_is_not_served() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        std::fs::write(&path, b"pol;broj\n").unwrap();
        let sha = Sha256::digest(b"pol;broj\n");
        let open = || File::open(&path).unwrap();
        assert!(whole(open(), 9, &sha).is_ok());
        assert!(whole(open(), 8, &sha).is_err());
        std::fs::write(&path, b"pol;brot\n").unwrap();
        assert!(whole(open(), 9, &sha).is_err());
    }
}
