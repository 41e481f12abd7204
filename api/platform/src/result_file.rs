//! A file of a finished run, given out as the engine has stored it or not at all.

use std::{
    fs::File,
    io::{Read, Seek},
};

use anyhow::{Context, ensure};
use axum::{
    body::Body,
    http::header,
    response::{IntoResponse, Response},
};
use domain::artifacts::StoreError;
use sha2::{Digest, Sha256};
use tokio_util::io::ReaderStream;
use uuid::Uuid;

use crate::{
    error::{Error, Result},
    file_name::{self, FileKind},
    state::AppState,
};

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
            (header::CONTENT_DISPOSITION, file_name::content_disposition(&name, kind.extension)),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
            (header::CACHE_CONTROL, "private, no-store".to_owned()),
        ];
        Ok((headers, Body::from_stream(ReaderStream::new(tokio::fs::File::from_std(file)))).into_response())
    }
}

pub fn expired() -> Error {
    Error::gone("Izveštaj je istekao i više nije dostupan.")
}

/// A store that is out of reach comes back; until then nothing is said to be gone.
pub fn unreadable(error: StoreError) -> Error {
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
