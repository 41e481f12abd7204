//! Days of examination against births and deaths, where one of the two is in the database already.

use std::collections::HashMap;

use domain::time::date_text;
use jiff::civil::Date;
use sqlx::PgConnection;

use super::{
    drafts::{Drafts, EntryDraft},
    mapping::{Existing, Mapping},
    matching::{DraftFate, DraftMatch},
    problems::{Message, Problems},
};

/// What is known of a patient who is there: the birth, and the first examination.
struct PatientDays {
    born: Date,
    first: Option<Date>,
    death: Option<Date>,
    /// The first day on which something became of her.
    first_status: Option<Date>,
}

pub async fn check(
    tx: &mut PgConnection,
    mapping: &Mapping,
    drafts: &Drafts<'_>,
    patients: &[DraftMatch],
    entries: &[DraftMatch],
    problems: &mut Problems,
) -> sqlx::Result<()> {
    let known = known(tx, patients).await?;
    let changes_birth = mapping.patient.existing == Existing::Update && mapping.patient.fields.contains_key("datumRodjenja");
    let of = |place: usize| match patients[place].fate {
        DraftFate::Existing(id) => known.get(&id),
        _ => None,
    };
    for (place, draft) in drafts.patients.iter().enumerate().filter(|_| changes_birth) {
        let (Some(there), Some(born)) = (of(place), draft.record.datum_rodjenja) else { continue };
        if let Some(first) = there.first.filter(|first| born > there.born && *first < born) {
            let message = Message::from("datum rođenja je posle postojećeg pregleda od ").hide(date_text(first));
            problems.defect(draft.row, Some("datumRodjenja"), message);
        }
        if let Some(first) = there.first_status.filter(|first| born > there.born && *first < born) {
            let message = Message::from("datum rođenja je posle dana statusa ili smrti pacijenta ").hide(date_text(first));
            problems.defect(draft.row, Some("datumRodjenja"), message);
        }
    }
    // A birth that the file brings was compared as its rows were read.
    let is_written = |draft: &EntryDraft<'_>, fate| {
        fate == DraftFate::Create || (fate != DraftFate::Deleted && draft.mapping.existing == Existing::Update)
    };
    let days = days(tx, entries).await?;
    for (draft, matched) in drafts.entries.iter().zip(entries).filter(|(draft, known)| is_written(draft, known.fate)) {
        // An entry of a day that was there before the death was told is corrected without its day.
        let stays = matches!(matched.fate, DraftFate::Existing(id) if days.get(&id) == Some(&draft.date));
        if stays {
            continue;
        }
        if let Some(death) = of(draft.patient).and_then(|there| there.death).filter(|death| draft.date > *death) {
            let message = Message::from("datum pregleda je posle smrti pacijenta, koja je u bazi ")
                .hide(date_text(death))
                .say(": ispravite datum u fajlu, ili dan smrti na strani pacijenta");
            problems.defect(draft.row, draft.mapping.date.column.as_deref(), message);
        }
    }
    for (draft, _) in drafts.entries.iter().zip(entries).filter(|(draft, known)| !changes_birth && is_written(draft, known.fate)) {
        let compared = drafts.patients[draft.patient].record.datum_rodjenja;
        if let Some(there) = of(draft.patient).filter(|there| compared != Some(there.born) && draft.date < there.born) {
            let message = Message::from("datum pregleda je pre rođenja pacijenta, koje je u bazi ").hide(date_text(there.born));
            problems.defect(draft.row, draft.mapping.date.column.as_deref(), message);
        }
    }
    Ok(())
}

/// The days of entries that are there.
async fn days(tx: &mut PgConnection, entries: &[DraftMatch]) -> sqlx::Result<HashMap<i64, Date>> {
    let existing = entries.iter().filter_map(|known| match known.fate {
        DraftFate::Existing(id) => Some(id),
        _ => None,
    });
    let rows = sqlx::query!("select id, datum_unosa from entry where id = any ($1)", &existing.collect::<Vec<_>>()).fetch_all(tx).await?;
    Ok(rows.into_iter().map(|row| (row.id, row.datum_unosa.to_jiff())).collect())
}

async fn known(tx: &mut PgConnection, patients: &[DraftMatch]) -> sqlx::Result<HashMap<i64, PatientDays>> {
    let existing = patients.iter().filter_map(|known| match known.fate {
        DraftFate::Existing(id) => Some(id),
        _ => None,
    });
    let rows = sqlx::query!(
        r#"select p.id, p.datum_rodjenja, (select min(e.datum_unosa) from entry e where e.pacijent_id = p.id and e.aktivan) as first,
                  death_day(p.id) as "death: jiff_sqlx::Date", (select min(s.dan) from status_in_force s where s.pacijent_id = p.id) as first_status
             from patient p where p.id = any ($1)"#,
        &existing.collect::<Vec<_>>()
    )
    .fetch_all(tx)
    .await?;
    let day = |day: Option<jiff_sqlx::Date>| day.map(|day| day.to_jiff());
    Ok(rows
        .into_iter()
        .map(|row| {
            let known = PatientDays {
                born: row.datum_rodjenja.to_jiff(),
                first: day(row.first),
                death: day(row.death),
                first_status: day(row.first_status),
            };
            (row.id, known)
        })
        .collect())
}
