//! An import as its worker has it: nobody else sees it, and she only while she belongs to its institution.

use accounts::auth::Actor;
use jiff_sqlx::Timestamp;
use platform::error::{Error, Result};
use serde::Serialize;
use serde_json::Value;
use sqlx::PgConnection;

use super::may;
use crate::import::mapping::Mapping;

/// How far an import is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, sqlx::Type)]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Status {
    /// The file is here; columns are being matched to fields.
    Open,
    Checking,
    Checked,
    Importing,
    Done,
    /// Given up by its worker.
    Left,
}

/// What is told of what is only done between two attempts.
pub const BUSY: &str = "Provera ili uvoz je u toku. Sačekajte ili otkažite.";

pub struct OwnImport {
    pub id: i64,
    pub ustanova_id: i64,
    pub ustanova: String,
    pub registar_id: i64,
    pub registar: String,
    pub fajl: String,
    pub izvor: String,
    pub redova: i32,
    pub status: Status,
    pub korak: Option<String>,
    pub obradjeno: i64,
    pub ukupno: i64,
    pub prekid: Option<String>,
    pub prekid_poruka: Option<String>,
    pub ishod: Option<Value>,
    /// Of the last check without a fault.
    pub otisak: Option<String>,
    pub vreme_kreiranja: Timestamp,
}

/// What was sent, and how it is read.
pub struct Content {
    pub bytes: Vec<u8>,
    pub mapping: Mapping,
    pub faults: Value,
}

impl OwnImport {
    pub async fn load(db: &mut PgConnection, actor: &Actor, id: i64) -> Result<Self> {
        Self::all(db, actor, Some(id)).await?.pop().ok_or(Error::NotFound)
    }

    /// The newest first; one of them where it is named.
    pub async fn all(db: &mut PgConnection, actor: &Actor, id: Option<i64>) -> Result<Vec<Self>> {
        may(actor)?;
        sweep(db).await?;
        let own = sqlx::query_as!(
            Self,
            r#"select i.id, i.ustanova_id, u.naziv as ustanova, i.registar_id, r.naziv as registar, i.fajl, i.izvor, i.redova, i.status as "status: Status", i.korak,
                      i.obradjeno, i.ukupno, i.prekid, i.prekid_poruka, i.ishod, i.otisak, i.vreme_kreiranja as "vreme_kreiranja: Timestamp"
                 from data_import i join institution u on u.id = i.ustanova_id join register r on r.id = i.registar_id
                where i.radnik_id = $1 and ($2::bigint is null or i.id = $2) and works_at($1, i.ustanova_id)
                order by i.id desc limit 20"#,
            actor.radnik_id,
            id
        );
        Ok(own.fetch_all(db).await?)
    }

    /// Refuses what is only done between two attempts.
    pub fn require_resting(&self) -> Result<()> {
        match self.status {
            Status::Open | Status::Checked => Ok(()),
            Status::Checking | Status::Importing => Err(Error::conflict(BUSY)),
            Status::Done | Status::Left => Err(Error::conflict("Uvoz je završen.")),
        }
    }

    pub async fn content(&self, db: &mut PgConnection) -> Result<Content> {
        content(db, self.id).await?.ok_or_else(|| Error::gone("Fajl je obrisan. Pošaljite ga ponovo."))
    }
}

/// None: the import has ended, and its file with it.
pub async fn content(db: &mut PgConnection, id: i64) -> Result<Option<Content>> {
    let row = sqlx::query!("select sadrzaj, mapiranje, greske from data_import_file where uvoz_id = $1", id).fetch_optional(db).await?;
    let Some(row) = row else { return Ok(None) };
    let mapping = serde_json::from_value(row.mapiranje).map_err(anyhow::Error::from)?;
    Ok(Some(Content { bytes: row.sadrzaj, mapping, faults: row.greske }))
}

/// Attempts whose api has gone are over.
pub async fn sweep(db: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!("select sweep_data_imports() as swept").fetch_one(db).await?;
    Ok(())
}
