//! Saves that were done, by the key that the client made for each: a save whose answer was lost is sent again and does nothing twice.

use accounts::auth::Actor;
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

use super::merge::{self, Answers, Part};

/// A save that arrived.
pub struct ArrivedSave {
    pub unos_id: i64,
    pub verzija: i32,
    /// What was sent with it: a retry that says something else says what was typed since.
    pub sent: Answers,
    /// Fields that it cleared because they were hidden.
    pub cleared: Vec<i64>,
}

impl ArrivedSave {
    /// Whether a client that loaded this version, or nothing, may not know that the save arrived.
    pub fn is_news_to(&self, loaded: Option<i32>) -> bool {
        loaded.is_none_or(|version| version <= self.verzija)
    }

    /// What a retry builds on: only what was typed after the first attempt is an edit. What that one cleared was never told, so it
    /// counts as typed anew.
    pub fn base(&self) -> Answers {
        let cleared = |part: &Part| matches!(part, Part::Polje(id) if self.cleared.contains(id));
        self.sent.iter().filter(|(part, _)| !cleared(part)).map(|(part, value)| (*part, value.clone())).collect()
    }
}

/// The worker's earlier save with this key. Two at once wait for each other.
pub async fn find(db: &mut PgConnection, actor: &Actor, key: Uuid) -> sqlx::Result<Option<ArrivedSave>> {
    sqlx::query!("select pg_advisory_xact_lock(hashtextextended($1::uuid::text, 0)) as locked", key).fetch_one(&mut *db).await?;
    let row = sqlx::query!(
        "select unos_id, verzija, poslato, ocisceno from entry_save where kljuc = $1 and radnik_id = $2",
        key,
        actor.radnik_id
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| ArrivedSave { unos_id: row.unos_id, verzija: row.verzija, sent: from_json(&row.poslato), cleared: row.ocisceno }))
}

pub async fn remember(db: &mut PgConnection, actor: &Actor, key: Uuid, done: &ArrivedSave) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into entry_save (kljuc, radnik_id, unos_id, verzija, poslato, ocisceno) values ($1, $2, $3, $4, $5, $6)
         on conflict (kljuc) do update set verzija = excluded.verzija, poslato = excluded.poslato, ocisceno = excluded.ocisceno, vreme = now()
          where entry_save.radnik_id = excluded.radnik_id",
        key,
        actor.radnik_id,
        done.unos_id,
        done.verzija,
        merge::to_json(&done.sent),
        &done.cleared,
    )
    .execute(db)
    .await?;
    Ok(())
}

fn from_json(kept: &Value) -> Answers {
    kept.as_object().into_iter().flatten().filter_map(|(name, value)| Some((Part::named(name)?, value.clone()))).collect()
}
