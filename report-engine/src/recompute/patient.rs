//! The entries of one patient, oldest first: a result that reads the previous entry reads it as it is recomputed.

use std::collections::{BTreeSet, HashMap, hash_map::Entry::Vacant};

use domain::{
    db,
    entry::{
        around::around,
        form::{EntryForm, FormError},
        form_lock,
        recompute::{Reason, Verdict, weigh},
        settle::settle,
        values::{Values, from_json, to_json},
    },
    time,
};
use jiff::civil::Date;
use sqlx::PgConnection;

use super::{
    kind::Recompute,
    queue::{self, Claimed, Counts, Held},
};
use crate::failpoint;

/// The versions that entries keep, read once each: they are never changed.
pub struct Forms {
    pub newest: EntryForm,
    kept: HashMap<i64, EntryForm>,
}

impl Forms {
    pub async fn load(db: &mut PgConnection, version: i64) -> Result<Self, FormError> {
        Ok(Self { newest: EntryForm::of_version(db, version).await?, kept: HashMap::new() })
    }

    async fn read(&mut self, db: &mut PgConnection, version: i64) -> Result<(), FormError> {
        if let Vacant(place) = self.kept.entry(version) {
            place.insert(EntryForm::of_version(db, version).await?);
        }
        Ok(())
    }
}

/// What became of a patient.
pub enum Step {
    Done,
    /// Done, and asked to stop.
    Cancelled,
    /// The form is configured otherwise since: nothing was done.
    Superseded,
    /// Another engine is at it: nothing was done.
    Lost,
}

/// Locks as a save does: the form does not change meanwhile, and whoever saves one of these entries comes before or after.
pub async fn entries_of(job: &Recompute, claimed: &Claimed, forms: &mut Forms, patient: i64) -> Result<Step, FormError> {
    let mut tx = db::begin(&job.app, claimed.radnik_id).await?;
    // No longer than the lease: another engine would begin the same patient.
    sqlx::query!(
        "select set_config('app.recomputation', $1, true) as job, set_config('lock_timeout', $2, true) as patience",
        claimed.id.to_string(),
        format!("{}ms", (job.lease_seconds * 500.0) as i64)
    )
    .fetch_one(&mut *tx)
    .await?;
    form_lock::share(&mut tx, forms.newest.id).await?;
    if !is_newest(&mut tx, &forms.newest).await? {
        return Ok(Step::Superseded);
    }
    let counts = recomputed(&mut tx, claimed, forms, patient).await?;
    failpoint::reached_async("recompute-patient").await;
    let held = queue::advance(&mut tx, claimed, patient, counts, job.lease_seconds).await?;
    if held == Held::Lost {
        return Ok(Step::Lost);
    }
    tx.commit().await?;
    Ok(if held == Held::Cancel { Step::Cancelled } else { Step::Done })
}

async fn is_newest(db: &mut PgConnection, form: &EntryForm) -> sqlx::Result<bool> {
    let today = sqlx::query_scalar!(r#"select form_today_fingerprint($1) as "otisak!""#, form.id).fetch_one(db).await?;
    Ok(today == form.otisak)
}

struct Stored {
    id: i64,
    ustanova: i64,
    examined: Date,
    /// The day on which a person saved it last: formulas that ask for today are computed by it.
    saved: Date,
    values: Values,
    version: i64,
    other_unit: Vec<i64>,
}

/// Locked in the order of their ids, as others lock several, and given in the order of their days.
async fn lock(db: &mut PgConnection, form: i64, patient: i64) -> sqlx::Result<Vec<Stored>> {
    let rows = sqlx::query!(
        r#"select e.id, e.ustanova_id, e.datum_unosa as "datum_unosa: jiff_sqlx::Date", e.vrednosti, e.form_version_id,
                  coalesce(e.datum_izmene, e.datum_kreiranja) as "saved!: jiff_sqlx::Timestamp",
                  array(select s.polje_id from stale_result s where s.unos_id = e.id and s.razlog = 'jedinica') as "other_unit!: Vec<i64>"
             from entry e
            where e.tsa_id = $1 and e.pacijent_id = $2 and e.aktivan
              and exists (select from patient p where p.id = e.pacijent_id and p.aktivan and p.anonimizovan_at is null)
            order by e.id for update of e"#,
        form,
        patient
    )
    .fetch_all(db)
    .await?;
    let stored = rows.into_iter().map(|row| Stored {
        id: row.id,
        ustanova: row.ustanova_id,
        examined: row.datum_unosa.to_jiff(),
        saved: row.saved.to_jiff().to_zoned(time::zone()).date(),
        values: from_json(&row.vrednosti),
        version: row.form_version_id,
        other_unit: row.other_unit,
    });
    let mut stored: Vec<Stored> = stored.collect();
    stored.sort_by_key(|entry| (entry.examined, entry.id));
    Ok(stored)
}

async fn recomputed(tx: &mut PgConnection, claimed: &Claimed, forms: &mut Forms, patient: i64) -> Result<Counts, FormError> {
    let mut counts = Counts::default();
    // Days of entries that stay as they are.
    let mut left = BTreeSet::new();
    for entry in lock(&mut *tx, forms.newest.id, patient).await? {
        counts.examined += 1;
        forms.read(&mut *tx, entry.version).await?;
        let (kept, newest) = (&forms.kept[&entry.version], &forms.newest);
        let around = around(&mut *tx, newest, patient, entry.ustanova, Some(entry.examined), Some(entry.id), entry.saved).await?;
        let mut verdict = weigh(kept, newest, &entry.values, &around, &entry.other_unit);
        if matches!(verdict, Verdict::Taken { .. }) && around.previous.is_some_and(|previous| left.contains(&previous.examined)) {
            verdict = Verdict::Left { reason: Reason::Prethodni, field: None };
        }
        match verdict {
            Verdict::Right => {}
            Verdict::Left { reason, field } => {
                counts.left += 1;
                left.insert(entry.examined);
                leave(&mut *tx, claimed, &entry, reason, field).await?;
            }
            Verdict::Taken { values, relevant_filled } => {
                if values == entry.values {
                    counts.taken += 1
                } else {
                    counts.changed += 1
                }
                take(&mut *tx, &entry, (kept, newest), &values, relevant_filled, claimed.form_version_id).await?;
            }
        }
    }
    Ok(counts)
}

async fn leave(tx: &mut PgConnection, claimed: &Claimed, entry: &Stored, reason: Reason, field: Option<i64>) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into recomputation_entry (preracunavanje_id, unos_id, ishod, razlog, polje_id, form_version_id, vreme)
         values ($1, $2, 'ostavljen', $3, $4, $5, clock_timestamp())",
        claimed.id,
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
    entry: &Stored,
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
