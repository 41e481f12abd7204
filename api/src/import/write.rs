//! Writes matched patients and entries in large statements; triggers add history, audit, projection and register rows.

use serde::Serialize;
use serde_json::json;
use sqlx::PgConnection;

use super::{
    drafts::{Drafts, EntryDraft},
    mapping::{Existing, Mapping},
    matching::{Fate, Match, Matches, patient_key},
    patient,
    progress::Progress,
    sync::{Row, Table, row},
};

/// Rows of one statement.
const CHUNK: usize = 500;

const PATIENTS: Table = Table { name: "patient", key: &["id"], soft: false };
const ENTRIES: Table = Table { name: "entry", key: &["id"], soft: false };

/// How many records of one kind went which way.
#[derive(Serialize, Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Tally {
    pub created: u64,
    pub updated: u64,
    pub unchanged: u64,
    pub deleted: u64,
}

pub struct Writer<'a> {
    pub source: &'a str,
    pub register_id: i64,
    pub mapping: &'a Mapping,
}

impl Writer<'_> {
    pub async fn write(
        &self,
        tx: &mut PgConnection,
        drafts: &Drafts<'_>,
        matches: &Matches,
        progress: &mut Progress,
    ) -> sqlx::Result<(Tally, Tally)> {
        let (patient_ids, patients) = self.patients(tx, drafts, &matches.patients, progress).await?;
        let entries = self.entries(tx, drafts, &matches.entries, &patient_ids, progress).await?;
        Ok((patients, entries))
    }

    async fn patients(
        &self,
        tx: &mut PgConnection,
        drafts: &Drafts<'_>,
        matches: &[Match],
        progress: &mut Progress,
    ) -> sqlx::Result<(Vec<i64>, Tally)> {
        let ids = ids(tx, "patient", matches).await?;
        let mut tally = tally(matches);
        let created: Vec<Row> = drafts
            .patients
            .iter()
            .zip(matches)
            .zip(&ids)
            .filter(|((_, known), _)| known.fate == Fate::Create)
            .map(|((draft, _), id)| {
                let mut created = row(serde_json::to_value(&draft.record).expect("a record is plain data"));
                created.insert("id".to_owned(), (*id).into());
                created.insert("ustanova_id".to_owned(), draft.institution_id.into());
                created
            })
            .collect();
        progress.begin("Upis pacijenata", created.len());
        insert(tx, &PATIENTS, created, progress).await?;
        if self.mapping.patient.existing == Existing::Update {
            let mapped = |column: &str| {
                patient::FIELDS.iter().any(|(name, known)| *known == column && self.mapping.patient.fields.contains_key(*name))
            };
            let existing: Vec<Row> = drafts
                .patients
                .iter()
                .zip(matches)
                .filter_map(|(draft, known)| {
                    let Fate::Existing(id) = known.fate else { return None };
                    let mut changed = row(serde_json::to_value(&draft.record).expect("a record is plain data"));
                    changed.retain(|column, _| mapped(column));
                    changed.insert("id".to_owned(), id.into());
                    Some(changed)
                })
                .collect();
            tally.updated = update(tx, &PATIENTS, existing).await?;
            tally.unchanged -= tally.updated;
        }
        let records = drafts.patients.iter().zip(matches).zip(&ids).filter(|((_, known), _)| !known.recorded);
        let (keys, recorded): (Vec<String>, Vec<i64>) = records.map(|((draft, _), id)| (patient_key(draft), *id)).unzip();
        sqlx::query("insert into import_record (izvor, kljuc, pacijent_id) select $1, kljuc, id from unnest($2::text[], $3::bigint[]) as w(kljuc, id)")
            .bind(self.source)
            .bind(keys)
            .bind(&recorded)
            .execute(&mut *tx)
            .await?;
        sqlx::query("select register_patient(id, $1) from unnest($2::bigint[]) as w(id)")
            .bind(self.register_id)
            .bind(recorded)
            .execute(tx)
            .await?;
        Ok((ids, tally))
    }

    async fn entries(
        &self,
        tx: &mut PgConnection,
        drafts: &Drafts<'_>,
        matches: &[Match],
        patient_ids: &[i64],
        progress: &mut Progress,
    ) -> sqlx::Result<Tally> {
        let ids = ids(tx, "entry", matches).await?;
        let mut tally = tally(matches);
        let new = || drafts.entries.iter().zip(matches).zip(&ids).filter(|((_, known), _)| known.fate == Fate::Create);
        let created: Vec<Row> = new().map(|((draft, _), id)| self.entry_row(draft, patient_ids[draft.patient], *id)).collect();
        progress.begin("Upis unosa", created.len());
        insert(tx, &ENTRIES, created, progress).await?;
        let keys: Vec<&str> = new().map(|((draft, _), _)| draft.key.as_str()).collect();
        sqlx::query(
            "insert into import_record (izvor, kljuc, pacijent_id, unos_id)
             select $1, w.kljuc, e.pacijent_id, e.id from unnest($2::text[], $3::bigint[]) as w(kljuc, id) join entry e on e.id = w.id",
        )
        .bind(self.source)
        .bind(keys)
        .bind(new().map(|(_, id)| *id).collect::<Vec<_>>())
        .execute(&mut *tx)
        .await?;
        for mapping in &self.mapping.entries {
            // Rows of one statement have the same columns, and those depend on the mapping.
            let existing: Vec<Row> = drafts
                .entries
                .iter()
                .zip(matches)
                .filter(|(draft, _)| std::ptr::eq(draft.mapping, mapping) && mapping.existing == Existing::Update)
                .filter_map(|(draft, known)| if let Fate::Existing(id) = known.fate { Some(entry_changes(draft, id)) } else { None })
                .collect();
            let updated = update(tx, &ENTRIES, existing).await?;
            tally.updated += updated;
            tally.unchanged -= updated;
        }
        Ok(tally)
    }

    fn entry_row(&self, draft: &EntryDraft<'_>, patient_id: i64, id: i64) -> Row {
        row(json!({
            "id": id,
            "pacijent_id": patient_id,
            "registar_id": self.register_id,
            "tsa_id": draft.form.id,
            "datum_unosa": draft.date,
            "ustanova_id": draft.institution_id,
            "radnik_odgovoran_id": draft.responsible_id,
            "popunjeni_relevantni": draft.relevant_filled,
            "vrednosti": draft.values,
        }))
    }
}

fn entry_changes(draft: &EntryDraft<'_>, id: i64) -> Row {
    let mut changed = row(json!({
        "id": id,
        "datum_unosa": draft.date,
        "popunjeni_relevantni": draft.relevant_filled,
        "vrednosti": draft.values,
    }));
    if draft.mapping.institution.is_some() {
        changed.insert("ustanova_id".to_owned(), draft.institution_id.into());
    }
    if draft.mapping.responsible.is_some() {
        changed.insert("radnik_odgovoran_id".to_owned(), draft.responsible_id.into());
    }
    changed
}

/// Ids of what is there, and fresh ones of `table` for what is new; deleted records get none (0).
async fn ids(tx: &mut PgConnection, table: &str, matches: &[Match]) -> sqlx::Result<Vec<i64>> {
    let new = matches.iter().filter(|known| known.fate == Fate::Create).count();
    let fresh: Vec<i64> = sqlx::query_scalar("select nextval(pg_get_serial_sequence($1, 'id')) from generate_series(1, $2)")
        .bind(table)
        .bind(i64::try_from(new).expect("a file has fewer rows"))
        .fetch_all(tx)
        .await?;
    let mut fresh = fresh.into_iter();
    Ok(matches
        .iter()
        .map(|known| match known.fate {
            Fate::Create => fresh.next().expect("one for each"),
            Fate::Existing(id) => id,
            Fate::Deleted => 0,
        })
        .collect())
}

fn tally(matches: &[Match]) -> Tally {
    let count = |wanted: fn(Fate) -> bool| matches.iter().filter(|known| wanted(known.fate)).count() as u64;
    Tally {
        created: count(|fate| fate == Fate::Create),
        updated: 0,
        unchanged: count(|fate| matches!(fate, Fate::Existing(_))),
        deleted: count(|fate| fate == Fate::Deleted),
    }
}

async fn insert(tx: &mut PgConnection, table: &Table, rows: Vec<Row>, progress: &mut Progress) -> sqlx::Result<()> {
    for chunk in rows.chunks(CHUNK) {
        table.insert(tx, chunk).await?;
        progress.advance(chunk.len());
    }
    Ok(())
}

async fn update(tx: &mut PgConnection, table: &Table, rows: Vec<Row>) -> sqlx::Result<u64> {
    let mut updated = 0;
    for chunk in rows.chunks(CHUNK) {
        updated += table.update(tx, chunk).await?;
    }
    Ok(updated)
}
