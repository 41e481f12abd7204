//! Patients of a file whose LBO somebody else has too: refused by their rows, unless the mapping confirms it.

use std::collections::HashMap;

use sqlx::PgConnection;

use super::{
    drafts::{Drafts, PatientDraft},
    mapping::{Existing, PatientMapping, SharedLbo},
    matching::{Fate, Match},
    problems::Problems,
};
use crate::patients::confirmations;

/// Names them, and marks those that are confirmed.
pub async fn check(
    tx: &mut PgConnection,
    mapping: &PatientMapping,
    drafts: &Drafts<'_>,
    matches: &mut [Match],
    problems: &mut Problems,
) -> sqlx::Result<()> {
    let updates = mapping.existing == Existing::Update;
    let places = (0..matches.len()).filter(|place| match matches[*place].fate {
        Fate::Create => true,
        Fate::Existing(_) => updates,
        Fate::Deleted => false,
    });
    let places: Vec<usize> = places.filter(|place| drafts.patients[*place].record.lbo.is_some()).collect();
    let others = others(tx, &places, drafts, matches).await?;
    let mut rows: HashMap<&str, usize> = HashMap::new();
    for (place, (changed, taken)) in places.into_iter().zip(others) {
        let PatientDraft { row, record, .. } = &drafts.patients[place];
        let first = rows.insert(record.lbo.as_deref().unwrap_or_default(), *row);
        let message = match first {
            _ if !changed => continue,
            Some(first) => format!("isti LBO ima drugi pacijent u redu {first}"),
            None if taken => "isti LBO ima drugi pacijent u bazi".to_owned(),
            None => continue,
        };
        let column = mapping.fields.get("lbo").and_then(|source| source.column.as_deref()).unwrap_or("lbo");
        match mapping.shared_lbo {
            SharedLbo::Refuse => problems.defect(*row, Some(column), message),
            SharedLbo::Confirm => {
                matches[place].shares_lbo = true;
                problems.warning(*row, Some(column), message);
            }
        }
    }
    Ok(())
}

/// Of each: whether the LBO is new to the patient, and whether another patient of the database has it.
async fn others(tx: &mut PgConnection, places: &[usize], drafts: &Drafts<'_>, matches: &[Match]) -> sqlx::Result<Vec<(bool, bool)>> {
    let numbers: Vec<String> = places.iter().filter_map(|place| drafts.patients[*place].record.lbo.clone()).collect();
    let own: Vec<Option<i64>> =
        places.iter().map(|place| if let Fate::Existing(id) = matches[*place].fate { Some(id) } else { None }).collect();
    confirmations::hold_lbo(&mut *tx, &numbers).await?;
    let found = sqlx::query!(
        r#"select not exists (select from patient p where p.id = w.own and p.lbo = w.lbo) as "changed!",
                  exists (select from patient p where p.lbo = w.lbo and p.aktivan and p.id is distinct from w.own) as "taken!"
             from unnest($1::text[], $2::bigint[]) with ordinality as w(lbo, own, place) order by w.place"#,
        &numbers,
        &own as _
    )
    .fetch_all(tx)
    .await?;
    Ok(found.into_iter().map(|row| (row.changed, row.taken)).collect())
}
