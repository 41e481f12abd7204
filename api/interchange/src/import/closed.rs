//! What no file writes: entries that are signed or locked, and days of a period that is locked.

use std::collections::HashMap;

use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;

use super::{
    drafts::Drafts,
    mapping::Existing,
    matching::{DraftFate, DraftMatch},
    problems::Problems,
};

pub async fn check(tx: &mut PgConnection, drafts: &Drafts<'_>, entries: &[DraftMatch], problems: &mut Problems) -> sqlx::Result<()> {
    let written = || {
        drafts.entries.iter().zip(entries).enumerate().filter_map(|(place, (draft, known))| match known.fate {
            DraftFate::Create => Some((place, draft, None)),
            DraftFate::Existing(id) if draft.mapping.existing == Existing::Update => Some((place, draft, Some(id))),
            _ => None,
        })
    };
    let places: Vec<i64> = written().map(|(place, ..)| place as i64).collect();
    let ids: Vec<Option<i64>> = written().map(|(_, _, id)| id).collect();
    let institutions: Vec<i64> = written().map(|(_, draft, _)| draft.institution).collect();
    let registers: Vec<i64> = written().map(|(_, draft, _)| draft.schema.form.registar_id).collect();
    let days: Vec<_> = written().map(|(_, draft, _)| draft.date.to_sqlx()).collect();
    let rows = sqlx::query!(
        r#"select w.place as "place!",
                  case when l.vrsta = 'period' then 'period' when l.vrsta = 'unos' then 'unos' when o.vrsta is not null then o.vrsta else 'potpis' end as "why!"
             from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::date[], $5::bigint[]) as w (place, id, institution, day, register)
             left join entry e on e.id = w.id
             left join lateral lock_over(w.id, w.register, coalesce(e.ustanova_id, w.institution), w.day) l on true
             left join lateral lock_over(e.id, e.registar_id, e.ustanova_id, e.datum_unosa) o on true
            where l.vrsta is not null or o.vrsta is not null or signature_of_entry(w.id) is not null"#,
        &places,
        &ids as _,
        &institutions,
        &days as _,
        &registers
    )
    .fetch_all(tx)
    .await?;
    let found: HashMap<usize, String> = rows.into_iter().map(|row| (row.place as usize, row.why)).collect();
    for (place, draft, _) in written() {
        let message = match found.get(&place).map(String::as_str) {
            Some("period") => "period kome pregled pripada je zaključan: otključava ga radnik sa pravom na zaključavanje unosa",
            Some("unos") => "postojeći unos je zaključan: otključava ga radnik sa pravom na zaključavanje unosa",
            Some(_) => "postojeći unos je potpisan: prvo ga vratite u rad, uz razlog",
            None => continue,
        };
        problems.defect(draft.row, draft.mapping.date.column.as_deref(), message);
    }
    Ok(())
}
