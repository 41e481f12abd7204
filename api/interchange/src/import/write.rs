//! Writes matched patients and entries in large statements; triggers add history, audit, projection and register rows.

use std::collections::{HashMap, hash_map::Entry};

use clinical::{entries::values, patients::confirmations};
use domain::entry::{form::FormError, units, version};
use platform::rows::{Row, Table, row};
use serde_json::json;
use sqlx::PgConnection;

use super::{
    consent,
    drafts::{Drafts, EntryDraft},
    mapping::{Existing, Mapping},
    matching::{DraftFate, DraftMatch, Matches, patient_key},
    patient,
    progress::Progress,
    status,
};

/// Rows of one statement.
const CHUNK: usize = 200;

const PATIENTS: Table = Table { name: "patient", key: &["id"], soft: false };
const ENTRIES: Table = Table { name: "entry", key: &["id"], soft: false };

/// How many records of one kind went which way.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Tally {
    pub created: u64,
    pub updated: u64,
    pub unchanged: u64,
    pub deleted: u64,
}

pub struct Writer<'a> {
    pub source: &'a str,
    pub register: i64,
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
        let patient_ids = ids(tx, "patient", &matches.patients).await?;
        let patients = self.patients(tx, drafts, &matches.patients, &patient_ids, progress).await?;
        status::correct(tx, drafts, matches).await?;
        let entry_ids = ids(tx, "entry", &matches.entries).await?;
        let entries = self.entries(tx, drafts, &matches.entries, (&patient_ids, &entry_ids), progress).await?;
        status::write(tx, self.register, drafts, (&patient_ids, &entry_ids), &matches.statuses).await?;
        consent::write(tx, self.register, drafts, &patient_ids).await?;
        Ok((patients, entries))
    }

    async fn patients(
        &self,
        tx: &mut PgConnection,
        drafts: &Drafts<'_>,
        matches: &[DraftMatch],
        ids: &[i64],
        progress: &mut Progress,
    ) -> sqlx::Result<Tally> {
        let (mut created, mut existing, mut keys, mut keyed) = (vec![], vec![], vec![], vec![]);
        for ((draft, known), id) in drafts.patients.iter().zip(matches).zip(ids) {
            match known.fate {
                DraftFate::Create => {
                    let mut columns = patient::columns(&draft.record, None);
                    columns.insert("id".to_owned(), (*id).into());
                    columns.insert("ustanova_id".to_owned(), draft.institution.into());
                    created.push(columns);
                }
                DraftFate::Existing(_) if self.mapping.patient.existing == Existing::Update => {
                    let mut columns = patient::columns(&draft.record, Some(&self.mapping.patient.fields));
                    columns.insert("id".to_owned(), (*id).into());
                    existing.push(columns);
                }
                DraftFate::Existing(_) | DraftFate::Deleted => {}
            }
            if !known.recorded {
                keys.push(patient_key(draft));
                keyed.push(*id);
            }
        }
        progress.begin("Upis pacijenata", created.len() + existing.len());
        insert(tx, &PATIENTS, &created, progress).await?;
        let updated = update(tx, &PATIENTS, &existing, progress).await?;
        sqlx::query!(
            "insert into import_record (izvor, kljuc, pacijent_id)
             select $1, w.kljuc, w.id from unnest($2::text[], $3::bigint[]) as w(kljuc, id)",
            self.source,
            &keys,
            &keyed
        )
        .execute(&mut *tx)
        .await?;
        let sharing: Vec<i64> = matches.iter().zip(ids).filter(|(known, _)| known.shares_lbo).map(|(_, id)| *id).collect();
        confirmations::log(tx, &sharing, &[confirmations::shared_lbo()]).await?;
        let active: Vec<i64> = ids.iter().copied().filter(|id| *id != NO_ID).collect();
        sqlx::query!("select register_patient(id, $1) from unnest($2::bigint[]) as w(id)", self.register, &active).execute(tx).await?;
        Ok(tally(matches, updated))
    }

    async fn entries(
        &self,
        tx: &mut PgConnection,
        drafts: &Drafts<'_>,
        matches: &[DraftMatch],
        (patient_ids, ids): (&[i64], &[i64]),
        progress: &mut Progress,
    ) -> sqlx::Result<Tally> {
        let versions = versions(tx, drafts, matches).await?;
        let (mut created, mut keys, mut keyed) = (vec![], vec![], vec![]);
        // Rows of one statement have the same columns, and those depend on the mapping.
        let mut existing: Vec<Vec<Row>> = self.mapping.entries.iter().map(|_| vec![]).collect();
        for ((draft, known), id) in drafts.entries.iter().zip(matches).zip(ids) {
            match known.fate {
                DraftFate::Create => {
                    created.push(self.new_entry(draft, patient_ids[draft.patient], *id, versions[&draft.schema.form.id]));
                    keys.push(draft.key.clone());
                    keyed.push(*id);
                }
                DraftFate::Existing(_) if status::is_written(draft, known) => {
                    let place = self.mapping.entries.iter().position(|mapping| std::ptr::eq(mapping, draft.mapping));
                    existing[place.expect("a mapping of this import")].push(changed_entry(draft, *id, versions[&draft.schema.form.id]));
                }
                DraftFate::Existing(_) | DraftFate::Deleted => {}
            }
        }
        progress.begin("Upis unosa", created.len() + existing.iter().map(Vec::len).sum::<usize>());
        insert(tx, &ENTRIES, &created, progress).await?;
        let mut updated = 0;
        for rows in existing {
            updated += update(tx, &ENTRIES, &rows, progress).await?;
        }
        sqlx::query!(
            "insert into import_record (izvor, kljuc, pacijent_id, unos_id)
             select $1, w.kljuc, e.pacijent_id, e.id from unnest($2::text[], $3::bigint[]) as w(kljuc, id) join entry e on e.id = w.id",
            self.source,
            &keys,
            &keyed
        )
        .execute(tx)
        .await?;
        Ok(tally(matches, updated))
    }

    fn new_entry(&self, draft: &EntryDraft<'_>, patient: i64, id: i64, form_version: i64) -> Row {
        row(json!({
            "id": id,
            "pacijent_id": patient,
            "registar_id": self.register,
            "tsa_id": draft.schema.form.id,
            "datum_unosa": draft.date,
            "ustanova_id": draft.institution,
            "radnik_odgovoran_id": draft.responsible,
            "popunjeni_relevantni": draft.relevant_filled,
            "vrednosti": values::to_json(&draft.values),
            "uneto_u": units::column(&draft.typed),
            "form_version_id": form_version,
        }))
    }
}

/// The versions of today's forms: by those a file is read.
async fn versions(tx: &mut PgConnection, drafts: &Drafts<'_>, matches: &[DraftMatch]) -> sqlx::Result<HashMap<i64, i64>> {
    let written = drafts.entries.iter().zip(matches).filter(|(draft, known)| status::is_written(draft, known));
    let mut versions = HashMap::new();
    for (draft, _) in written {
        if let Entry::Vacant(place) = versions.entry(draft.schema.form.id) {
            let made = version::make(tx, draft.schema.form.id).await.map_err(|error| match error {
                FormError::Database(error) => error,
                FormError::Missing | FormError::Formula { .. } => sqlx::Error::RowNotFound,
            })?;
            place.insert(made);
        }
    }
    Ok(versions)
}

fn changed_entry(draft: &EntryDraft<'_>, id: i64, form_version: i64) -> Row {
    let mut changed = row(json!({
        "id": id,
        "datum_unosa": draft.date,
        "popunjeni_relevantni": draft.relevant_filled,
        "vrednosti": values::to_json(&draft.values),
        "uneto_u": units::column(&draft.typed),
        "form_version_id": form_version,
    }));
    if draft.mapping.institution.is_some() {
        changed.insert("ustanova_id".to_owned(), draft.institution.into());
    }
    if draft.mapping.responsible.is_some() {
        changed.insert("radnik_odgovoran_id".to_owned(), draft.responsible.into());
    }
    changed
}

/// Stands for a deleted record, which is written nowhere.
const NO_ID: i64 = 0;

/// Ids of what is there, and fresh ones of `table` for what is new.
async fn ids(tx: &mut PgConnection, table: &str, matches: &[DraftMatch]) -> sqlx::Result<Vec<i64>> {
    let new = matches.iter().filter(|known| known.fate == DraftFate::Create).count();
    let fresh = sqlx::query_scalar!(
        r#"select nextval(pg_get_serial_sequence($1, 'id')) as "id!" from generate_series(1, $2)"#,
        table,
        i32::try_from(new).expect("a file has fewer rows")
    )
    .fetch_all(tx)
    .await?;
    let mut fresh = fresh.into_iter();
    let id = |known: &DraftMatch| match known.fate {
        DraftFate::Create => fresh.next().expect("one for each"),
        DraftFate::Existing(id) => id,
        DraftFate::Deleted => NO_ID,
    };
    Ok(matches.iter().map(id).collect())
}

fn tally(matches: &[DraftMatch], updated: u64) -> Tally {
    let count = |wanted: fn(DraftFate) -> bool| matches.iter().filter(|known| wanted(known.fate)).count() as u64;
    Tally {
        created: count(|fate| fate == DraftFate::Create),
        updated,
        unchanged: count(|fate| matches!(fate, DraftFate::Existing(_))) - updated,
        deleted: count(|fate| fate == DraftFate::Deleted),
    }
}

async fn insert(tx: &mut PgConnection, table: &Table, rows: &[Row], progress: &mut Progress) -> sqlx::Result<()> {
    for chunk in rows.chunks(CHUNK) {
        table.insert(tx, chunk).await?;
        progress.advance(chunk.len());
    }
    Ok(())
}

/// How many of the rows really changed.
async fn update(tx: &mut PgConnection, table: &Table, rows: &[Row], progress: &mut Progress) -> sqlx::Result<u64> {
    let mut updated = 0;
    for chunk in rows.chunks(CHUNK) {
        updated += table.update(tx, chunk).await?;
        progress.advance(chunk.len());
    }
    Ok(updated)
}
