//! The files of a generated report, given to the worker who asked for it.

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
use domain::{db, time::server_text};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use tokio_util::io::ReaderStream;
use utoipa::IntoParams;
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;

use super::{
    filename::{self, FileKind},
    runs::OwnRun,
    trail::{self, Deed},
};
use crate::{
    error::{Error, Result},
    extract::{Path, Query},
    rights::{Allowed, Reports},
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
    responses((status = 200, content_type = "application/octet-stream", body = Vec<u8>), (status = 410, description = "Istekao"))
)]
async fn download(
    State(state): State<AppState>,
    actor: Allowed<Reports>,
    Path(id): Path<Uuid>,
    Query(query): Query<DownloadQuery>,
) -> Result<Response> {
    let format = query.format.to_uppercase();
    let kind = filename::kind(&format).ok_or(Error::NotFound)?;
    let stored = sqlx::query!(
        r#"select p.naziv, r.finished_at, coalesce(r.expires_at <= now(), false) as "istekao!", a.path as "path?", a.bytes as "bytes?", a.sha256 as "sha256?"
             from report_run r join report p on p.id = r.izvestaj_id
             left join report_artifact a on a.run_id = r.id and a.format = $2
            where r.id = $1 and r.radnik_id = $3 and r.deleted_at is null and r.status = 'succeeded'"#,
        id,
        format,
        actor.radnik_id
    )
    .fetch_optional(&state.db)
    .await?
    .ok_or(Error::NotFound)?;
    if stored.istekao {
        return Err(expired());
    }
    let (Some(path), Some(bytes), Some(sha256)) = (stored.path, stored.bytes, stored.sha256) else { return Err(Error::NotFound) };
    let moment = stored.finished_at.map(|at| server_text(at.to_jiff())).unwrap_or_default();
    let response = ResultFile { path, bytes, sha256, naziv: stored.naziv, moment, kind }.serve(&state, id).await?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let run = OwnRun::lock(&mut tx, actor.radnik_id, id).await?;
    trail::record(&mut tx, actor.radnik_id, Deed::Download, &run.subject(id), Some(&format)).await?;
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
    pub moment: String,
    pub kind: FileKind,
}

impl ResultFile {
    /// Sends the file as the engine stored it, or not at all.
    pub async fn serve(self, state: &AppState, run: Uuid) -> Result<Response> {
        let Self { path, bytes, sha256, naziv, moment, kind } = self;
        let path = inside(&state.config.artifact_dir, &path)?;
        let file = tokio::task::spawn_blocking(move || open_whole(&path, bytes, &sha256)).await.context("reading a result stopped")??;
        let Some(file) = file else {
            tracing::error!(%run, format = kind.extension, "a result that has not expired has no file");
            return Err(expired());
        };
        let headers = [
            (header::CONTENT_TYPE, kind.content_type.to_owned()),
            (header::CONTENT_LENGTH, bytes.to_string()),
            (header::CONTENT_DISPOSITION, filename::content_disposition(&naziv, &moment, kind.extension)),
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
