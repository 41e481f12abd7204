//! Patients of a file whose LBO somebody else has too: refused by their rows, unless the mapping confirms it.

use std::collections::HashMap;

use clinical::patients::confirmations;
use sqlx::PgConnection;

use super::{
    data::Request,
    drafts::{Drafts, PatientDraft},
    mapping::{Existing, SharedLbo},
    matching::{DraftFate, DraftMatch},
    problems::{Message, Problems, Stranger},
};

/// Names them, and marks those that are confirmed.
pub async fn check(
    tx: &mut PgConnection,
    request: &Request<'_>,
    drafts: &Drafts<'_>,
    matches: &mut [DraftMatch],
    problems: &mut Problems,
) -> sqlx::Result<()> {
    let mapping = &request.mapping.patient;
    let updates = mapping.existing == Existing::Update;
    let places = (0..matches.len()).filter(|place| !matches[*place].hidden).filter(|place| match matches[*place].fate {
        DraftFate::Create => true,
        DraftFate::Existing(_) => updates,
        DraftFate::Deleted => false,
    });
    let places: Vec<usize> = places.filter(|place| drafts.patients[*place].record.lbo.is_some()).collect();
    let others = others(tx, request, &places, drafts, matches).await?;
    let mut rows: HashMap<&str, usize> = HashMap::new();
    for (place, Other { changed, taken, hidden }) in places.into_iter().zip(others) {
        let PatientDraft { row, record, .. } = &drafts.patients[place];
        let first = rows.insert(record.lbo.as_deref().unwrap_or_default(), *row);
        let message = match first {
            _ if !changed => continue,
            Some(first) => Message::from("isti LBO ima drugi pacijent u redu ").hide(first),
            None if taken => "isti LBO ima drugi pacijent u bazi".into(),
            None => continue,
        };
        if let Some(holder) = hidden {
            let number = record.lbo.clone().unwrap_or_default();
            problems.hidden.push(Stranger { row: *row, holder, number, deed: "provera LBO" });
        }
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

struct Other {
    /// The LBO is new to the patient.
    changed: bool,
    /// Another patient of the database has it.
    taken: bool,
    /// One of those whom the institution does not know.
    hidden: Option<i64>,
}

async fn others(
    tx: &mut PgConnection,
    request: &Request<'_>,
    places: &[usize],
    drafts: &Drafts<'_>,
    matches: &[DraftMatch],
) -> sqlx::Result<Vec<Other>> {
    let numbers: Vec<String> = places.iter().filter_map(|place| drafts.patients[*place].record.lbo.clone()).collect();
    let own: Vec<Option<i64>> =
        places.iter().map(|place| if let DraftFate::Existing(id) = matches[*place].fate { Some(id) } else { None }).collect();
    confirmations::hold_lbo(&mut *tx, &numbers).await?;
    let found = sqlx::query_as!(
        Other,
        r#"select not exists (select from patient p where p.id = w.own and p.lbo = w.lbo) as "changed!",
                  exists (select from holders_of_lbo(w.lbo) h (id) where h.id is distinct from w.own) as "taken!",
                  (select min(h.id) from holders_of_lbo(w.lbo) h (id) where h.id is distinct from w.own
                      and $3::bigint is not null and not knows_patient($3, h.id)) as hidden
             from unnest($1::text[], $2::bigint[]) with ordinality as w(lbo, own, place) order by w.place"#,
        &numbers,
        &own as _,
        request.institution
    );
    found.fetch_all(tx).await
}
