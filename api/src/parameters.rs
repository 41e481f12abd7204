//! System parameters as the rest of the API reads them: active ones, by name.

use std::{collections::HashMap, str::FromStr};

use sqlx::PgPool;

/// The active parameters. A missing or unreadable value falls back to what the reader says.
pub struct Parameters(HashMap<String, String>);

pub async fn load(db: &PgPool) -> sqlx::Result<Parameters> {
    let rows = sqlx::query!("select naziv, vrednost from parameter where aktivan").fetch_all(db).await?;
    Ok(Parameters(rows.into_iter().map(|row| (row.naziv, row.vrednost)).collect()))
}

impl Parameters {
    /// The value, unless it is absent or blank.
    pub fn text(&self, naziv: &str) -> Option<&str> {
        self.0.get(naziv).map(|vrednost| vrednost.trim()).filter(|vrednost| !vrednost.is_empty())
    }

    pub fn flag(&self, naziv: &str, default: bool) -> bool {
        match self.text(naziv) {
            Some("true") => true,
            Some("false") => false,
            _ => default,
        }
    }

    pub fn number<N: FromStr>(&self, naziv: &str, default: N) -> N {
        self.text(naziv).and_then(|vrednost| vrednost.parse().ok()).unwrap_or(default)
    }
}
