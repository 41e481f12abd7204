//! What no file writes: entries that are signed or locked, and days of a period that is locked. A row that changes nothing of such an entry is no
//! fault; the entry stands as it is, its signature too.

use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;

use super::{
    drafts::{Drafts, EntryDraft},
    mapping::Existing,
    matching::{DraftFate, DraftMatch},
    problems::Problems,
};

struct ClosedEntry {
    place: i64,
    why: String,
    /// As it is; none where the row is of a new one.
    day: Option<jiff_sqlx::Date>,
    institution: Option<i64>,
    responsible: Option<i64>,
}

impl ClosedEntry {
    /// Whether the row says of the entry what it holds.
    fn is_as(&self, draft: &EntryDraft<'_>) -> bool {
        self.day.is_some_and(|day| day.to_jiff() == draft.date)
            && draft.values == draft.before
            && draft.typed == draft.typed_before
            && (draft.mapping.institution.is_none() || self.institution == Some(draft.institution))
            && (draft.mapping.responsible.is_none() || self.responsible == draft.responsible)
    }
}

pub async fn check(tx: &mut PgConnection, drafts: &Drafts<'_>, entries: &mut [DraftMatch], problems: &mut Problems) -> sqlx::Result<()> {
    let written = || {
        drafts.entries.iter().zip(entries.iter()).enumerate().filter_map(|(place, (draft, known))| match known.fate {
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
    let closed = sqlx::query_as!(
        ClosedEntry,
        r#"select w.place as "place!",
                  case when l.vrsta = 'period' then 'period' when l.vrsta = 'unos' then 'unos' when o.vrsta is not null then o.vrsta else 'potpis' end as "why!",
                  e.datum_unosa as "day?: jiff_sqlx::Date", e.ustanova_id as "institution?", e.radnik_odgovoran_id as responsible
             from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::date[], $5::bigint[]) as w (place, id, institution, day, register)
             left join entry e on e.id = w.id
             left join lateral lock_over(w.id, w.register, coalesce(e.ustanova_id, w.institution), w.day) l on true
             left join lateral lock_over(e.id, e.registar_id, e.ustanova_id, e.datum_unosa) o on true
            where l.vrsta is not null or o.vrsta is not null or signature_of_entry(w.id) is not null
            order by w.place"#,
        &places,
        &ids as _,
        &institutions,
        &days as _,
        &registers
    )
    .fetch_all(tx)
    .await?;
    for entry in closed {
        let place = usize::try_from(entry.place).expect("it was a place");
        let draft = &drafts.entries[place];
        if entry.is_as(draft) {
            entries[place].stands = true;
            continue;
        }
        let message = match entry.why.as_str() {
            "period" => "period kome pregled pripada je zaključan: otključava ga radnik sa pravom na zaključavanje unosa",
            "unos" => "postojeći unos je zaključan: otključava ga radnik sa pravom na zaključavanje unosa",
            _ => "postojeći unos je potpisan: prvo ga vratite u rad, uz razlog",
        };
        problems.defect(draft.row, draft.mapping.date.column.as_deref(), message);
    }
    Ok(())
}
