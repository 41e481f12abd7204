//! How many entries of a form a patient may have, in all and on one day: those of a file count together with those that
//! are there.

use std::collections::HashMap;

use clinical::entries::count::{full_day, too_many};
use jiff::civil::Date;
use sqlx::PgConnection;

use super::{
    drafts::{Drafts, EntryDraft},
    matching::{DraftFate, DraftMatch},
    problems::Problems,
};

/// Entries by patient (place in the file), form, and date; without a date all of them.
type Counts = HashMap<(usize, i64, Option<Date>), i64>;

pub async fn check(
    tx: &mut PgConnection,
    drafts: &Drafts<'_>,
    patients: &[DraftMatch],
    entries: &[DraftMatch],
    problems: &mut Problems,
) -> sqlx::Result<()> {
    let new = || drafts.entries.iter().zip(entries).filter(|(_, known)| known.fate == DraftFate::Create).map(|(draft, _)| draft);
    let mut counts = existing(tx, new().map(|draft| draft.schema.form.id).collect(), patients).await?;
    for draft in new() {
        if !draft.schema.form.moze_se_instancirati {
            let message = format!("formular „{}” ne prima nove unose", draft.schema.form.naziv);
            problems.defect(draft.row, None, message);
        }
        for (date, limit, message) in limits(draft) {
            let count = counts.entry((draft.patient, draft.schema.form.id, date)).or_default();
            *count += 1;
            if let Some(limit) = limit.filter(|limit| *count > i64::from(*limit)) {
                problems.defect(draft.row, None, format!("„{}”: {}", draft.schema.form.naziv, message(limit)));
            }
        }
    }
    Ok(())
}

/// The day for which it holds, or none where it holds for all; how many there may be; and what is told where there are more.
type Limit = (Option<Date>, Option<i32>, fn(i32) -> String);

/// A contact is the day of an examination.
fn limits(draft: &EntryDraft<'_>) -> [Limit; 2] {
    [(None, draft.schema.form.max_instanci, too_many), (Some(draft.date), draft.schema.maksimalan_broj_instanci_po_kontaktu, full_day)]
}

async fn existing(tx: &mut PgConnection, forms: Vec<i64>, patients: &[DraftMatch]) -> sqlx::Result<Counts> {
    let existing = patients.iter().enumerate().filter_map(|(place, known)| match known.fate {
        DraftFate::Existing(id) => Some((id, place)),
        _ => None,
    });
    let places: HashMap<i64, usize> = existing.collect();
    let ids: Vec<i64> = places.keys().copied().collect();
    let rows = sqlx::query!(
        r#"select pacijent_id, tsa_id, datum_unosa, count(*) as "broj!" from entry
            where aktivan and pacijent_id = any ($1) and tsa_id = any ($2) group by pacijent_id, tsa_id, datum_unosa"#,
        &ids,
        &forms
    )
    .fetch_all(tx)
    .await?;
    let mut counts = Counts::new();
    for row in rows {
        let place = places[&row.pacijent_id];
        *counts.entry((place, row.tsa_id, Some(row.datum_unosa.to_jiff()))).or_default() += row.broj;
        *counts.entry((place, row.tsa_id, None)).or_default() += row.broj;
    }
    Ok(counts)
}
