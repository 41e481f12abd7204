//! Patients and entries from a CSV file: read, check, match, write, in one transaction and all or nothing.

use std::{collections::HashMap, fmt};

use domain::locks;
use jiff::civil::Date;
use sqlx::PgConnection;

use super::{
    drafts::{Directory, Drafts, Reader},
    fingerprint::{self, Fingerprint},
    mapping::Mapping,
    mapping_check,
    matching::{self, DraftFate, DraftMatch, Matches},
    problems::{Problem, Problems, RecordCounts, Stranger},
    progress::Progress,
    schema::{RegisterName, RegisterSchema},
    sheet::Sheet,
    write::{Tally, Writer},
};

/// What to bring in, and under which name the source is remembered.
pub struct Request<'a> {
    pub register: RegisterName<'a>,
    /// Set: all of it becomes this institution's, and what others keep is told as a screen tells it.
    pub institution: Option<i64>,
    pub mapping: &'a Mapping,
    pub file: &'a [u8],
    pub source: &'a str,
    /// What `today()` in a formula gives.
    pub today: Date,
}

#[derive(Debug)]
pub struct Outcome {
    pub rows: usize,
    pub patients: Tally,
    pub entries: Tally,
    /// Rows that make no entry of a form, because all its cells are blank.
    pub without_entry: usize,
    pub warnings: Vec<Problem>,
    pub hidden: Vec<Stranger>,
    pub seen: RecordCounts,
    /// What a confirmation of this check must find again.
    pub fingerprint: Fingerprint,
}

#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Nothing is written; every defect is here.
    #[error("grešaka u fajlu: {}", .0.defects.len())]
    Defects(Problems),
    #[error(transparent)]
    Other(#[from] anyhow::Error),
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        Self::Other(error.into())
    }
}

/// Imports in the given transaction; the caller commits it, or rolls it back for a dry run.
pub async fn import(tx: &mut PgConnection, request: &Request<'_>, progress: &mut Progress) -> Result<Outcome, Failure> {
    sqlx::query!("select pg_advisory_xact_lock($1)", locks::IMPORT).execute(&mut *tx).await?;
    let register = RegisterSchema::load(tx, request.register).await?;
    let configuration = fingerprint::configuration(tx, register.id).await?;
    let directory = directory(tx, request.institution).await?;
    let mut problems = Problems::default();
    let sheet = Sheet::read(request.file, &request.mapping.file, &mut problems)?;
    problems.seen.rows = sheet.len();
    mapping_check::check(request.mapping, &register, &sheet, &mut problems);
    if !problems.defects.is_empty() {
        return Err(Failure::Defects(problems));
    }

    progress.begin("Provera redova", sheet.len());
    let reader = Reader::new(request.mapping, &register, &directory, request.today, &mut problems)?;
    let mut drafts = reader.read(&sheet, progress);
    progress.begin("Poređenje sa bazom", 0);
    let matches = matching::match_all(tx, request, register.id, &mut drafts, &mut problems).await?;
    problems.seen = seen(sheet.len(), &drafts, &matches);
    if !problems.defects.is_empty() {
        problems.defects.sort_by_key(|problem| problem.row);
        return Err(Failure::Defects(problems));
    }

    let writer = Writer { source: request.source, register: register.id, mapping: request.mapping };
    let (patients, entries) = writer.write(tx, &drafts, &matches, progress).await?;
    progress.finish();
    problems.warnings.sort_by_key(|problem| problem.row);
    let Problems { warnings, hidden, seen, .. } = problems;
    let data = fingerprint::data(request, register.id).map_err(anyhow::Error::from)?;
    let told = fingerprint::outcome(&drafts, &matches, (patients, entries), &warnings).map_err(anyhow::Error::from)?;
    let fingerprint = Fingerprint::new(data, configuration, told);
    let outcome =
        Outcome { rows: sheet.len(), patients, entries, without_entry: drafts.without_entry, warnings, hidden, seen, fingerprint };
    if request.institution.is_none() {
        note(tx, request.source, register.id, &outcome).await?;
    }
    Ok(outcome)
}

fn seen(rows: usize, drafts: &Drafts<'_>, matches: &Matches) -> RecordCounts {
    let new = |matches: &[DraftMatch]| matches.iter().filter(|known| known.fate == DraftFate::Create && !known.hidden).count();
    let known = |matches: &[DraftMatch]| matches.iter().filter(|known| matches!(known.fate, DraftFate::Existing(_))).count();
    RecordCounts {
        rows,
        new_patients: new(&matches.patients),
        known_patients: known(&matches.patients),
        new_entries: new(&matches.entries),
        known_entries: known(&matches.entries),
        without_entry: drafts.without_entry,
    }
}

async fn directory(tx: &mut PgConnection, only: Option<i64>) -> sqlx::Result<Directory> {
    let mut institutions = HashMap::new();
    for known in sqlx::query!("select id, naziv, sifra from institution where aktivan").fetch_all(&mut *tx).await? {
        let names = [Some(known.naziv), known.sifra].into_iter().flatten();
        institutions.extend(names.map(|name| (domain::fold::fold(&name), known.id)));
    }
    let workers = sqlx::query!(
        r#"select lower(username) as "username!", id from worker
            where aktivan and ($1::bigint is null or id in (select d.radnik_id from doctors_of($1) d))"#,
        only
    )
    .fetch_all(tx)
    .await?;
    Ok(Directory { only, institutions, workers: workers.into_iter().map(|worker| (worker.username, worker.id)).collect() })
}

/// One line in the log beside the rows of each patient and entry; an import that changes nothing leaves none.
async fn note(tx: &mut PgConnection, source: &str, register: i64, outcome: &Outcome) -> sqlx::Result<()> {
    let written = [outcome.patients, outcome.entries].iter().map(|tally| tally.created + tally.updated).sum::<u64>();
    if written > 0 {
        sqlx::query!(
            "insert into audit_log (radnik_id, klasa, akcija, red_id, opis) values (acting_worker(), 'import_record', 'uvoz', $1, $2)",
            register.to_string(),
            format!("izvor {source}: {outcome}")
        )
        .execute(tx)
        .await?;
    }
    Ok(())
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "redova {}; pacijenata {}; unosa {}", self.rows, self.patients, self.entries)?;
        if self.without_entry > 0 {
            write!(f, "; bez unosa (sve ćelije prazne) {}", self.without_entry)?;
        }
        Ok(())
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "novih {}, izmenjenih {}, nepromenjenih {}", self.created, self.updated, self.unchanged)?;
        if self.deleted > 0 {
            write!(f, ", obrisanih u Regixu {}", self.deleted)?;
        }
        Ok(())
    }
}
