//! The store as a bucket of S3: a small file is one request, a large one is an upload in parts that nobody sees before it is completed.

use std::{
    fs::File,
    io::{self, Seek},
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, SystemTime},
};

use anyhow::Context;
use futures::TryStreamExt;
use object_store::{
    BackoffConfig, Certificate, ClientOptions, Error as S3Error, MultipartId, ObjectStore, ObjectStoreExt, PutMode, PutPayload,
    RetryConfig,
    aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey},
    multipart::MultipartStore,
    path::Path as Key,
};
use sqlx::PgPool;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use uuid::Uuid;

use super::{MARK, StoreError, StoreState};

/// An object that whoever may write does write, to know it.
const PROOF: &str = ".upis";

/// What is held in memory of a file that is uploaded; larger files go in parts of this size.
const PART: usize = 8 << 20;

/// A store that is silent for longer within one request has failed it.
const SILENCE: Duration = Duration::from_secs(30);

pub(super) struct Bucket {
    /// `s3://bucket/prefix`.
    url: String,
    s3: AmazonS3,
    prefix: Key,
    /// Whether writing is still to be proved: at first, and after it has failed.
    doubted: AtomicBool,
}

impl Bucket {
    pub(super) fn new(url: &str, more: &[(&str, String)]) -> anyhow::Result<Self> {
        let (url, authorities) = crate::tls::authorities(url)?;
        let (bucket, prefix) = parts_of(&url).with_context(|| format!("{url} is not s3://bucket/prefix"))?;
        let mut builder = AmazonS3Builder::new().with_bucket_name(bucket);
        for (key, value) in from_env() {
            builder = builder.with_config(key, value);
        }
        for (name, value) in more {
            builder = builder.with_config(name.to_ascii_lowercase().parse()?, value);
        }
        // Who writes http:// into the address means it.
        let plain = [AmazonS3ConfigKey::Endpoint, AmazonS3ConfigKey::S3Endpoint]
            .iter()
            .any(|key| builder.get_config_value(key).is_some_and(|endpoint| endpoint.starts_with("http://")));
        let mut client = ClientOptions::new()
            .with_allow_http(plain)
            .with_connect_timeout(Duration::from_secs(3))
            .with_read_timeout(SILENCE)
            // A large file may take as long as it takes.
            .with_timeout_disabled();
        if let Some(pem) = authorities {
            anyhow::ensure!(!plain, "sslrootcert asks for encryption: AWS_ENDPOINT begins with https://");
            client = client.with_no_system_certificates(true);
            for certificate in Certificate::from_pem_bundle(&pem).context("sslrootcert")? {
                client = client.with_root_certificate(certificate);
            }
        }
        let backoff = BackoffConfig { init_backoff: Duration::from_millis(200), max_backoff: Duration::from_secs(2), base: 2.0 };
        let retry = RetryConfig { backoff, max_retries: 4, retry_timeout: Duration::from_secs(20) };
        let s3 = builder.with_client_options(client).with_retry(retry).build()?;
        Ok(Self { url: url.to_owned(), s3, prefix: Key::from(prefix), doubted: AtomicBool::new(true) })
    }

    pub(super) fn address(&self) -> &str {
        &self.url
    }

    pub(super) async fn look(&self, writes: bool) -> Result<StoreState, StoreError> {
        let mark = match self.read_mark().await? {
            Some(mark) => mark,
            None => self.write_mark().await?,
        };
        if writes && self.doubted.load(Ordering::Relaxed) {
            self.s3.put(&self.key(PROOF), PutPayload::default()).await.map_err(StoreError::Away)?;
            self.doubted.store(false, Ordering::Relaxed);
        }
        Ok(StoreState { mark, free: None, full: false })
    }

    pub(super) async fn keep(&self, db: Option<&PgPool>, draft: &Path, name: &str) -> Result<(), StoreError> {
        let kept = self.upload(db, draft, &self.key(name)).await;
        if matches!(kept, Err(StoreError::Away(_))) {
            self.doubted.store(true, Ordering::Relaxed);
        }
        kept
    }

    pub(super) async fn open(&self, name: &str) -> Result<Option<File>, StoreError> {
        let found = match self.s3.get(&self.key(name)).await {
            Ok(found) => found,
            Err(missing @ S3Error::NotFound { .. }) => return self.believe(missing).await,
            Err(error) => return Err(StoreError::Away(error)),
        };
        let mut copy = tokio::fs::File::from_std(tempfile::tempfile()?);
        let mut pieces = found.into_stream();
        while let Some(piece) = pieces.try_next().await.map_err(StoreError::Away)? {
            copy.write_all(&piece).await?;
        }
        copy.flush().await?;
        let mut copy = copy.into_std().await;
        copy.rewind()?;
        Ok(Some(copy))
    }

    /// A server that is going down, or that has not its disks yet, may know no file at all: only one that still shows the mark is believed
    /// that a file is missing.
    async fn believe<T>(&self, missing: S3Error) -> Result<Option<T>, StoreError> {
        match self.read_mark().await? {
            Some(_) => Ok(None),
            None => Err(StoreError::Away(missing)),
        }
    }

    pub(super) async fn remove(&self, name: &str) -> Result<(), StoreError> {
        gone_is_well(self.s3.delete(&self.key(name)).await)
    }

    pub(super) async fn old(&self, age: Duration) -> Result<Vec<String>, StoreError> {
        let before = SystemTime::now() - age;
        let old = self.s3.list(Some(&self.prefix)).try_filter_map(|object| {
            let name = self.name(&object.location).filter(|name| !name.starts_with('.') && SystemTime::from(object.last_modified) < before);
            std::future::ready(Ok(name))
        });
        old.try_collect().await.map_err(StoreError::Away)
    }

    pub(super) async fn is_empty(&self) -> Result<bool, StoreError> {
        let known = |object: &object_store::ObjectMeta| self.name(&object.location).is_some_and(|name| name == MARK || name == PROOF);
        let mut objects = self.s3.list(Some(&self.prefix));
        while let Some(object) = objects.try_next().await.map_err(StoreError::Away)? {
            if !known(&object) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(super) async fn abort_old(&self, db: &PgPool, age: Duration) -> anyhow::Result<usize> {
        let uploads = sqlx::query!(
            "select upload_id, path from artifact_upload where begun_at < clock_timestamp() - make_interval(secs => $1)",
            age.as_secs_f64()
        );
        let mut aborted = 0;
        for upload in uploads.fetch_all(db).await? {
            gone_is_well(self.s3.abort_multipart(&Key::from(upload.path), &upload.upload_id).await)?;
            forget(db, &upload.upload_id).await?;
            aborted += 1;
        }
        Ok(aborted)
    }

    async fn upload(&self, db: Option<&PgPool>, draft: &Path, key: &Key) -> Result<(), StoreError> {
        let mut file = tokio::fs::File::open(draft).await?;
        if file.metadata().await?.len() <= PART as u64 {
            let mut content = Vec::new();
            file.read_to_end(&mut content).await?;
            self.s3.put(key, content.into()).await.map_err(StoreError::Away)?;
            return Ok(());
        }
        let upload = self.s3.create_multipart(key).await.map_err(StoreError::Away)?;
        if let Some(db) = db {
            remember(db, key, &upload).await;
        }
        let sent = self.send_parts(file, key, &upload).await;
        if sent.is_err() && self.s3.abort_multipart(key, &upload).await.is_err() {
            // The sweep tries again: the row stays.
            return sent;
        }
        if let Some(db) = db
            && let Err(error) = forget(db, &upload).await
        {
            tracing::warn!(%error, "the upload of a file stays noted");
        }
        sent
    }

    async fn send_parts(&self, mut file: tokio::fs::File, key: &Key, upload: &MultipartId) -> Result<(), StoreError> {
        let mut parts = Vec::new();
        loop {
            let mut part = Vec::with_capacity(PART);
            (&mut file).take(PART as u64).read_to_end(&mut part).await?;
            if part.is_empty() {
                break;
            }
            parts.push(self.s3.put_part(key, upload, parts.len(), part.into()).await.map_err(StoreError::Away)?);
        }
        self.s3.complete_multipart(key, upload, parts).await.map_err(StoreError::Away)?;
        Ok(())
    }

    async fn read_mark(&self) -> Result<Option<Uuid>, StoreError> {
        let mark = match self.s3.get(&self.key(MARK)).await {
            Ok(found) => found.bytes().await.map_err(StoreError::Away)?,
            Err(S3Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(StoreError::Away(error)),
        };
        let mark = std::str::from_utf8(&mark).ok().and_then(|text| text.trim().parse().ok());
        mark.map(Some).ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "the mark of the bucket of artifacts is no UUID").into())
    }

    /// Two that do this at once end with one mark: the store takes the first. One that knows no conditions takes the last, and the next
    /// look of the others finds it.
    async fn write_mark(&self) -> Result<Uuid, StoreError> {
        let mark = PutPayload::from(Uuid::now_v7().to_string().into_bytes());
        match self.s3.put_opts(&self.key(MARK), mark.clone(), PutMode::Create.into()).await {
            Ok(_) | Err(S3Error::AlreadyExists { .. } | S3Error::Precondition { .. }) => {}
            Err(S3Error::NotImplemented { .. } | S3Error::NotSupported { .. }) => {
                self.s3.put(&self.key(MARK), mark).await.map_err(StoreError::Away)?;
            }
            Err(error) => return Err(StoreError::Away(error)),
        }
        self.read_mark()
            .await?
            .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "the mark of the bucket of artifacts vanished").into())
    }

    fn key(&self, name: &str) -> Key {
        Key::from_iter(self.prefix.parts().chain(Key::from(name).parts()))
    }

    /// The name that a key has below the prefix.
    fn name(&self, key: &Key) -> Option<String> {
        let name = Key::from_iter(key.prefix_match(&self.prefix)?);
        Some(name.to_string())
    }
}

/// What the environment says by AWS's names. One that is set to nothing, as compose sets what nobody gave, is not set.
fn from_env() -> impl Iterator<Item = (AmazonS3ConfigKey, String)> {
    std::env::vars_os().filter_map(|(name, value)| {
        let (name, value) = (name.into_string().ok()?, value.into_string().ok()?);
        let key = name.strip_prefix("AWS_").and_then(|_| name.to_ascii_lowercase().parse().ok())?;
        (!value.trim().is_empty()).then_some((key, value))
    })
}

fn parts_of(url: &str) -> Option<(&str, &str)> {
    let rest = url.strip_prefix("s3://")?;
    let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    (!bucket.is_empty()).then_some((bucket, prefix))
}

fn gone_is_well(result: object_store::Result<()>) -> Result<(), StoreError> {
    match result {
        Err(S3Error::NotFound { .. }) | Ok(()) => Ok(()),
        Err(error) => Err(StoreError::Away(error)),
    }
}

/// An upload that cannot be noted goes on: what would be left of it, if the process died, is the store's own to clear.
async fn remember(db: &PgPool, key: &Key, upload: &str) {
    let noted = sqlx::query!("insert into artifact_upload (upload_id, path) values ($1, $2)", upload, key.as_ref()).execute(db).await;
    if let Err(error) = noted {
        tracing::warn!(%error, "the upload of a file was not noted");
    }
}

async fn forget(db: &PgPool, upload: &str) -> sqlx::Result<()> {
    sqlx::query!("delete from artifact_upload where upload_id = $1", upload).execute(db).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_a_bucket_and_a_place_in_it() {
        assert_eq!(parts_of("s3://regix"), Some(("regix", "")));
        assert_eq!(parts_of("s3://regix/a/b"), Some(("regix", "a/b")));
        assert_eq!(parts_of("https://regix"), None);
        assert_eq!(parts_of("s3:///a"), None);
    }
}
