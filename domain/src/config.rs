//! Configuration: the environment, read once at start into a struct. A missing value stops the program and names itself.

use std::path::PathBuf;

use anyhow::ensure;

use crate::{artifacts::ArtifactStore, db, environment::optional, tls};

/// What every Regix process needs.
#[derive(Clone)]
pub struct Config {
    /// Signs in as `regix_app`.
    pub database_url: String,
    /// Signs in as `regix_report`: report SQL and parameter queries, nothing else.
    pub report_database_url: String,
    pub redis_url: String,
    /// Where the api and all report-engines have the files of reports.
    pub artifacts: ArtifactStore,
    /// Folder with `reports/` and `email/`.
    pub template_dir: PathBuf,
    /// Address of the site as its users type it, without a trailing slash; links in e-mails start with it.
    pub public_url: String,
}

impl Config {
    pub fn from_env() -> anyhow::Result<Self> {
        let public_url = optional("PUBLIC_URL", "http://127.0.0.1:8080").trim_end_matches('/').to_owned();
        ensure!(
            public_url.starts_with("https://") || public_url.starts_with("http://"),
            "PUBLIC_URL is {public_url}: the site's address begins with https:// (or http://)"
        );
        Ok(Self {
            database_url: db::required("DATABASE_URL")?,
            report_database_url: db::required("REPORT_DATABASE_URL")?,
            redis_url: tls::required("REDIS_URL")?,
            artifacts: ArtifactStore::from_env()?,
            template_dir: optional("TEMPLATE_DIR", "templates").into(),
            public_url,
        })
    }
}
