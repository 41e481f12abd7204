//! A question as one acts on it: whose it is, and what the worker may do with it.

use accounts::{
    auth::Actor,
    rights::{Patients, Right},
};
use domain::access::changes_entry;
use platform::error::{Error, Result};
use sqlx::PgConnection;

use crate::patients::PatientAccess;

/// An entry that is asked about.
pub struct AskedEntry {
    pub pacijent_id: i64,
    pub ustanova_id: i64,
    pub tsa_id: i64,
    /// Who is asked where nobody else is named.
    pub radnik_id: i64,
}

impl AskedEntry {
    /// The entry, which must be known to the worker. One that was deleted is not asked about.
    pub async fn of(db: &mut PgConnection, actor: &Actor, id: i64) -> Result<Self> {
        let found = sqlx::query_as!(
            Self,
            r#"select pacijent_id, ustanova_id, tsa_id, coalesce(radnik_odgovoran_id, radnik_kreirao_id) as "radnik_id!"
                 from entry where id = $1 and aktivan"#,
            id
        )
        .fetch_optional(&mut *db)
        .await?;
        let (entry, _) = PatientAccess::to_entry(db, actor, found, |entry| (entry.pacijent_id, entry.ustanova_id)).await?;
        Ok(entry)
    }

    /// Whether it is of the worker's institution, whose questions about it are.
    pub fn is_own(&self, actor: &Actor) -> bool {
        changes_entry(actor.ustanova_id, self.ustanova_id)
    }
}

/// A question of the worker's institution.
pub struct HeldQuestion {
    pub id: i64,
    pub ustanova_id: i64,
    pub radnik_id: i64,
    pub dodeljen_id: i64,
    pub poslednja_poruka_id: Option<i64>,
}

impl HeldQuestion {
    /// Holds the question, so that messages of several people come one after the other. One of another institution is as if it were not there.
    pub async fn of(tx: &mut PgConnection, actor: &Actor, id: i64) -> Result<Self> {
        // The statement that reads comes after the one that waits, so that what was said meanwhile is seen.
        sqlx::query_scalar!(r#"select lock_question($1) as "there!""#, id).fetch_one(&mut *tx).await?;
        let found = sqlx::query!(
            r#"select q.id, q.pacijent_id, q.ustanova_id, q.radnik_id, q.dodeljen_id, q.poslednja_poruka_id
                 from question q join entry e on e.id = q.unos_id and e.aktivan
                where q.id = $1 and q.ustanova_id = $2"#,
            id,
            actor.ustanova_id
        )
        .fetch_optional(&mut *tx)
        .await?;
        let (found, _) = PatientAccess::to_entry(tx, actor, found, |row| (row.pacijent_id, row.ustanova_id)).await?;
        Ok(Self {
            id: found.id,
            ustanova_id: found.ustanova_id,
            radnik_id: found.radnik_id,
            dodeljen_id: found.dodeljen_id,
            poslednja_poruka_id: found.poslednja_poruka_id,
        })
    }

    /// Who changes patients answers, and who has a part in it.
    pub fn require_answer(&self, actor: &Actor) -> Result<()> {
        match may_answer(actor, self.radnik_id, self.dodeljen_id) {
            true => Ok(()),
            false => {
                Err(Error::refused("Na upit odgovara ko menja pacijente, kome je upit dodeljen, ili ko ima pravo „Upiti” ili „Nadzor”."))
            }
        }
    }

    pub fn require_close(&self, actor: &Actor) -> Result<()> {
        match may_close(actor, self.radnik_id) {
            true => Ok(()),
            false => Err(Error::refused("Upit zatvara, ponovo otvara i dodeljuje ko ga je postavio, ili ko ima pravo „Upiti”.")),
        }
    }

    /// The thread has not gone on since the worker read it.
    pub fn require_seen(&self, seen: i64) -> Result<()> {
        match self.poslednja_poruka_id == Some(seen) {
            true => Ok(()),
            false => Err(Error::conflict("U upitu ima novih poruka. Pročitajte ih, pa ponovite.")),
        }
    }
}

pub fn may_answer(actor: &Actor, asker: i64, assignee: i64) -> bool {
    actor.prava.pacijenti == Patients::Izmena
        || [asker, assignee].contains(&actor.radnik_id)
        || actor.prava.holds_any(&[Right::Questions, Right::Monitoring])
}

pub fn may_close(actor: &Actor, asker: i64) -> bool {
    asker == actor.radnik_id || actor.prava.holds(Right::Questions)
}
