//! What comes of one patient's entries is written, in the transaction of a recomputation that holds the form.

use sqlx::PgConnection;

use super::{CourseEntry, Reason, Verdict, Versions, courses};
use crate::entry::{
    form::{EntryForm, FormError},
    settle::settle,
    values::{Values, to_json},
};

/// What was done with the entries of one patient.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub examined: i64,
    /// With another result.
    pub changed: i64,
    /// In the newest version with what they had.
    pub taken: i64,
    /// As they were.
    pub left: i64,
    /// Of those that became others, how many were signed: their signatures have ended.
    pub signatures: i64,
}

/// `recomputation` is under way, and the transaction names it (`app.recomputation`); the newest of `versions` is the one that it is done by.
pub async fn carry_out(tx: &mut PgConnection, recomputation: i64, versions: &mut Versions, patient: i64) -> Result<Counts, FormError> {
    let version = versions.newest.version.as_ref().ok_or(FormError::Missing)?.id;
    let mut counts = Counts::default();
    lock(&mut *tx, versions.newest.id, patient).await?;
    for course in courses(&mut *tx, &versions.newest, &[patient]).await? {
        let verdicts = course.weigh(&mut *tx, versions).await?;
        for (entry, verdict) in course.entries.iter().zip(verdicts) {
            counts.examined += 1;
            match verdict {
                Verdict::Right => {}
                Verdict::Left { reason, field } => {
                    counts.left += 1;
                    leave(&mut *tx, recomputation, entry, reason, field).await?;
                }
                Verdict::Taken { values, relevant_filled } => {
                    *(if values == entry.values { &mut counts.taken } else { &mut counts.changed }) += 1;
                    counts.signatures += i64::from(entry.closed == Some(Reason::Potpisan));
                    let pair = versions.pair(&mut *tx, entry.version).await?;
                    take(&mut *tx, entry, pair, &values, relevant_filled, version).await?;
                }
            }
        }
    }
    Ok(counts)
}

/// Locked in the order of their ids, as others lock several.
async fn lock(db: &mut PgConnection, form: i64, patient: i64) -> sqlx::Result<()> {
    sqlx::query!("select id from entry where tsa_id = $1 and pacijent_id = $2 and aktivan order by id for update", form, patient)
        .fetch_all(db)
        .await?;
    Ok(())
}

async fn leave(tx: &mut PgConnection, recomputation: i64, entry: &CourseEntry, reason: Reason, field: Option<i64>) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into recomputation_entry (preracunavanje_id, unos_id, ishod, razlog, polje_id, form_version_id, vreme)
         values ($1, $2, 'ostavljen', $3, $4, $5, clock_timestamp())",
        recomputation,
        entry.id,
        reason as Reason,
        field,
        entry.version
    )
    .execute(tx)
    .await?;
    Ok(())
}

async fn take(
    tx: &mut PgConnection,
    entry: &CourseEntry,
    (kept, newest): (&EntryForm, &EntryForm),
    values: &Values,
    relevant_filled: bool,
    version: i64,
) -> sqlx::Result<()> {
    sqlx::query!(
        "update entry set vrednosti = $2, popunjeni_relevantni = $3, form_version_id = $4 where id = $1",
        entry.id,
        to_json(values),
        relevant_filled,
        version
    )
    .execute(&mut *tx)
    .await?;
    let kept = (entry.version != version).then_some(kept);
    settle(tx, entry.id, newest, kept, Some(&entry.values), values).await
}
