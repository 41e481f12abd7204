//! Which of a file's patients and entries are in the database already.

use std::collections::HashMap;

use domain::formula::Around;
use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;

use super::{
    data::Request,
    dates,
    drafts::{Drafts, EntryDraft, PatientDraft},
    limits,
    mapping::{Existing, Hidden},
    problems::Problems,
    shared_lbo,
    surroundings::{self, Surroundings},
};
use crate::entries::{form::EntryField, values};

/// What becomes of a draft.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    Create,
    /// It is there; whether it is written depends on the mapping's `existing`.
    Existing(i64),
    /// It was deleted on the screen, and stays so.
    Deleted,
}

pub struct Match {
    pub fate: Fate,
    /// The source's key is recorded already.
    pub recorded: bool,
    /// Another patient has the same LBO, which the mapping confirms.
    pub shares_lbo: bool,
}

pub struct Matches {
    pub patients: Vec<Match>,
    pub entries: Vec<Match>,
}

/// Finds every draft by its source key, and patients by their JMBG too.
pub async fn match_all(
    tx: &mut PgConnection,
    request: &Request<'_>,
    drafts: &mut Drafts<'_>,
    problems: &mut Problems,
) -> sqlx::Result<Matches> {
    let mut patients = match_patients(tx, request.source, drafts, problems).await?;
    shared_lbo::check(tx, &request.mapping.patient, drafts, &mut patients, problems).await?;
    let entries = match_entries(tx, request, drafts, &patients, problems).await?;
    limits::check(tx, drafts, &patients, &entries, problems).await?;
    dates::check(tx, request.mapping, drafts, &patients, &entries, problems).await?;
    Ok(Matches { patients, entries })
}

/// `pacijent:…` in the list of imported records.
pub fn patient_key(draft: &PatientDraft) -> String {
    format!("pacijent:{}", draft.key)
}

async fn match_patients(tx: &mut PgConnection, source: &str, drafts: &Drafts<'_>, problems: &mut Problems) -> sqlx::Result<Vec<Match>> {
    let recorded = recorded_patients(tx, source).await?;
    let by_jmbg = patients_by_jmbg(tx, drafts).await?;
    let alike = alike(tx, drafts).await?;
    let mut rows_by_jmbg: HashMap<&str, usize> = HashMap::new();
    let mut matches = vec![];
    for draft in &drafts.patients {
        let jmbg = draft.record.jmbg.as_deref().unwrap_or_default();
        if !jmbg.is_empty()
            && let Some(first) = rows_by_jmbg.insert(jmbg, draft.row)
        {
            problems.defect(draft.row, Some("jmbg"), format!("isti JMBG ima drugi pacijent u redu {first}"));
        }
        let same_number = by_jmbg.get(jmbg);
        let record = recorded.get(&patient_key(draft));
        let fate = match (record, same_number) {
            (Some((_, false)), _) => {
                problems.warning(draft.row, None, "pacijent je u međuvremenu obrisan, pa se preskače");
                Fate::Deleted
            }
            (Some((id, true)), other) => {
                if other.is_some_and(|other| other.id != *id) {
                    problems.defect(draft.row, Some("jmbg"), "isti JMBG ima drugi pacijent u bazi");
                }
                Fate::Existing(*id)
            }
            (None, Some(known)) => {
                compare_with_known(draft, known, problems);
                Fate::Existing(known.id)
            }
            (None, None) => {
                if let Some(id) = alike.get(&draft.row) {
                    let message = format!("u bazi postoji pacijent istog imena i datuma rođenja (broj {id}), ali drugog JMBG-a");
                    problems.warning(draft.row, None, message);
                }
                Fate::Create
            }
        };
        matches.push(Match { fate, recorded: record.is_some(), shares_lbo: false });
    }
    Ok(matches)
}

/// Patients that came from the source before, by key, and whether they are still active.
async fn recorded_patients(tx: &mut PgConnection, source: &str) -> sqlx::Result<HashMap<String, (i64, bool)>> {
    let rows = sqlx::query!(
        "select r.kljuc, p.id, p.aktivan from import_record r join patient p on p.id = r.pacijent_id
          where r.izvor = $1 and r.unos_id is null",
        source
    )
    .fetch_all(tx)
    .await?;
    Ok(rows.into_iter().map(|row| (row.kljuc, (row.id, row.aktivan))).collect())
}

struct KnownPatient {
    id: i64,
    prezime_f: String,
    datum_rodjenja: Date,
}

/// One number with two birth dates is a mistyped number; another surname may be a marriage.
fn compare_with_known(draft: &PatientDraft, known: &KnownPatient, problems: &mut Problems) {
    if draft.record.datum_rodjenja.is_some_and(|born| born != known.datum_rodjenja) {
        problems.defect(draft.row, Some("jmbg"), format!("pacijent sa tim JMBG-om (broj {}) ima drugi datum rođenja", known.id));
    } else if draft.record.prezime.as_deref().is_some_and(|name| domain::fold::fold(name) != known.prezime_f) {
        problems.warning(draft.row, Some("prezime"), format!("pacijent sa tim JMBG-om (broj {}) ima drugo prezime", known.id));
    }
}

async fn patients_by_jmbg(tx: &mut PgConnection, drafts: &Drafts<'_>) -> sqlx::Result<HashMap<String, KnownPatient>> {
    let numbers: Vec<String> = drafts.patients.iter().filter_map(|draft| draft.record.jmbg.clone()).collect();
    let rows = sqlx::query!("select jmbg, id, prezime_f, datum_rodjenja from patient where aktivan and jmbg = any ($1)", &numbers)
        .fetch_all(tx)
        .await?;
    let known = rows.into_iter().map(|row| {
        let patient = KnownPatient { id: row.id, prezime_f: row.prezime_f, datum_rodjenja: row.datum_rodjenja.to_jiff() };
        (row.jmbg, patient)
    });
    Ok(known.collect())
}

/// Patients of the same folded name and birth date, by the row that resembles them.
async fn alike(tx: &mut PgConnection, drafts: &Drafts<'_>) -> sqlx::Result<HashMap<usize, i64>> {
    let (mut rows, mut names, mut surnames, mut births) = (vec![], vec![], vec![], vec![]);
    for draft in &drafts.patients {
        let record = &draft.record;
        if let (Some(ime), Some(prezime), Some(born)) = (&record.ime, &record.prezime, record.datum_rodjenja) {
            rows.push(i64::try_from(draft.row).expect("a file has fewer rows"));
            names.push(ime.clone());
            surnames.push(prezime.clone());
            births.push(born.to_sqlx());
        }
    }
    let found = sqlx::query!(
        r#"select w.red as "red!", min(p.id) as "id!"
             from unnest($1::bigint[], $2::text[], $3::text[], $4::date[]) as w(red, ime, prezime, rodjen)
             join patient p on p.aktivan and p.prezime_f = fold(w.prezime) and p.ime_f = fold(w.ime) and p.datum_rodjenja = w.rodjen
            group by w.red"#,
        &rows,
        &names,
        &surnames,
        &births as _
    )
    .fetch_all(tx)
    .await?;
    Ok(found.into_iter().map(|row| (usize::try_from(row.red).expect("it was a row"), row.id)).collect())
}

async fn match_entries(
    tx: &mut PgConnection,
    request: &Request<'_>,
    drafts: &mut Drafts<'_>,
    patients: &[Match],
    problems: &mut Problems,
) -> sqlx::Result<Vec<Match>> {
    let recorded = recorded_entries(tx, request).await?;
    let mut matches = vec![];
    for draft in &mut drafts.entries {
        let known = recorded.get(&draft.key);
        let fate = match (patients[draft.patient].fate, known) {
            (Fate::Deleted, _) => Fate::Deleted,
            (_, Some(known)) if !known.active => {
                problems.warning(draft.row, None, "unos je u međuvremenu obrisan, pa se preskače");
                Fate::Deleted
            }
            (patient, Some(known)) => {
                if patient != Fate::Existing(known.patient_id) {
                    problems.defect(draft.row, None, "unos sa tim ključem već pripada drugom pacijentu");
                }
                merge_saved(draft, known.saved.as_ref());
                Fate::Existing(known.id)
            }
            (_, None) => Fate::Create,
        };
        matches.push(Match { fate, recorded: known.is_some(), shares_lbo: false });
    }
    settle_all(tx, request, drafts, patients, &matches, problems).await?;
    Ok(matches)
}

/// Runs formulas over what is written, each entry after those before it in time.
async fn settle_all(
    tx: &mut PgConnection,
    request: &Request<'_>,
    drafts: &mut Drafts<'_>,
    patients: &[Match],
    entries: &[Match],
    problems: &mut Problems,
) -> sqlx::Result<()> {
    let written = |draft: &EntryDraft<'_>, fate| match fate {
        Fate::Create => true,
        Fate::Existing(_) => draft.mapping.existing == Existing::Update,
        Fate::Deleted => false,
    };
    let own = |fate| if let Fate::Existing(id) = fate { Some(id) } else { None };
    let fates = drafts.entries.iter().zip(entries);
    let rewritten = fates.filter(|(draft, known)| written(draft, known.fate)).filter_map(|(_, known)| own(known.fate)).collect();
    let update = request.mapping.patient.existing;
    let mut surroundings = Surroundings::load(tx, drafts, patients, update, &rewritten, request.today).await?;
    for place in surroundings::in_order(drafts) {
        let (draft, fate) = (&mut drafts.entries[place], entries[place].fate);
        if written(draft, fate) {
            let around = surroundings.of(draft, own(fate));
            settle(draft, &around, problems);
            surroundings.settled(draft);
        }
    }
    Ok(())
}

struct KnownEntry {
    id: i64,
    patient_id: i64,
    active: bool,
    /// Its values, where the mapping updates entries.
    saved: Option<serde_json::Value>,
}

async fn recorded_entries(tx: &mut PgConnection, request: &Request<'_>) -> sqlx::Result<HashMap<String, KnownEntry>> {
    let updates = request.mapping.entries.iter().any(|entry| entry.existing == Existing::Update);
    let rows = sqlx::query!(
        r#"select r.kljuc, e.id, e.pacijent_id, e.aktivan, case when $2::boolean then e.vrednosti end as saved
             from import_record r join entry e on e.id = r.unos_id where r.izvor = $1"#,
        request.source,
        updates
    )
    .fetch_all(tx)
    .await?;
    let known = rows.into_iter().map(|row| {
        let entry = KnownEntry { id: row.id, patient_id: row.pacijent_id, active: row.aktivan, saved: row.saved };
        (row.kljuc, entry)
    });
    Ok(known.collect())
}

/// Fields that the mapping does not name keep what is saved.
fn merge_saved(draft: &mut EntryDraft<'_>, saved: Option<&serde_json::Value>) {
    let Some(saved) = saved else { return };
    let mapped: Vec<i64> = draft.mapping.fields.keys().filter_map(|code| draft.schema.field(code)).map(|field| field.id).collect();
    draft.values.extend(values::from_json(saved).into_iter().filter(|(id, _)| !mapped.contains(id)));
}

/// Runs the form's formulas over the values, and names what is hidden, missing or out of bounds.
fn settle(draft: &mut EntryDraft<'_>, around: &Around, problems: &mut Problems) {
    let form = &draft.schema.form;
    let computed = values::compute(form, std::mem::take(&mut draft.values), around);
    let code = |field: &EntryField| field.sifra.clone().unwrap_or_default();
    let column =
        |field: &EntryField| draft.mapping.fields.get(&code(field)).and_then(|source| source.column.clone()).unwrap_or(code(field));
    if draft.mapping.hidden == Hidden::Refuse {
        for field in form.fields.iter().filter(|field| computed.cleared.contains(&field.id)) {
            let message = format!("polje „{}” je skriveno zbog drugih vrednosti unosa, a ima vrednost", field.naziv);
            problems.defect(draft.row, Some(&column(field)), message);
        }
    }
    for (field, message) in values::faults(form, &computed) {
        if !draft.unread.contains(&code(field).as_str()) {
            problems.defect(draft.row, Some(&column(field)), message);
        }
    }
    draft.relevant_filled = values::blank_relevant(form, &computed).is_empty();
    draft.values = computed.values;
}
