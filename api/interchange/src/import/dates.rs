//! Days of examination against births, where one of the two is in the database already.

use std::collections::HashMap;

use domain::time::date_text;
use jiff::civil::Date;
use sqlx::PgConnection;

use super::{
    drafts::{Drafts, EntryDraft},
    mapping::{Existing, Mapping},
    matching::{Fate, Matched},
    problems::{Message, Problems},
};

/// What is known of a patient who is there: the birth, and the first examination.
struct Known {
    born: Date,
    first: Option<Date>,
}

pub async fn check(
    tx: &mut PgConnection,
    mapping: &Mapping,
    drafts: &Drafts<'_>,
    patients: &[Matched],
    entries: &[Matched],
    problems: &mut Problems,
) -> sqlx::Result<()> {
    let known = known(tx, patients).await?;
    let changes_birth = mapping.patient.existing == Existing::Update && mapping.patient.fields.contains_key("datumRodjenja");
    let of = |place: usize| match patients[place].fate {
        Fate::Existing(id) => known.get(&id),
        _ => None,
    };
    for (place, draft) in drafts.patients.iter().enumerate().filter(|_| changes_birth) {
        let (Some(there), Some(born)) = (of(place), draft.record.datum_rodjenja) else { continue };
        if let Some(first) = there.first.filter(|first| born > there.born && *first < born) {
            let message = Message::from("datum rođenja je posle postojećeg pregleda od ").hide(date_text(first));
            problems.defect(draft.row, Some("datumRodjenja"), message);
        }
    }
    // A birth that the file brings was compared as its rows were read.
    let is_written =
        |draft: &EntryDraft<'_>, fate| fate == Fate::Create || (fate != Fate::Deleted && draft.mapping.existing == Existing::Update);
    for (draft, _) in drafts.entries.iter().zip(entries).filter(|(draft, known)| !changes_birth && is_written(draft, known.fate)) {
        let compared = drafts.patients[draft.patient].record.datum_rodjenja;
        if let Some(there) = of(draft.patient).filter(|there| compared != Some(there.born) && draft.date < there.born) {
            let message = Message::from("datum pregleda je pre rođenja pacijenta, koje je u bazi ").hide(date_text(there.born));
            problems.defect(draft.row, draft.mapping.date.column.as_deref(), message);
        }
    }
    Ok(())
}

async fn known(tx: &mut PgConnection, patients: &[Matched]) -> sqlx::Result<HashMap<i64, Known>> {
    let existing = patients.iter().filter_map(|known| match known.fate {
        Fate::Existing(id) => Some(id),
        _ => None,
    });
    let rows = sqlx::query!(
        "select p.id, p.datum_rodjenja, (select min(e.datum_unosa) from entry e where e.pacijent_id = p.id and e.aktivan) as first
           from patient p where p.id = any ($1)",
        &existing.collect::<Vec<_>>()
    )
    .fetch_all(tx)
    .await?;
    let known =
        |born: jiff_sqlx::Date, first: Option<jiff_sqlx::Date>| Known { born: born.to_jiff(), first: first.map(|date| date.to_jiff()) };
    Ok(rows.into_iter().map(|row| (row.id, known(row.datum_rodjenja, row.first))).collect())
}
