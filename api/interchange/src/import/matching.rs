//! Which of a file's patients and entries are in the database already.

use std::collections::HashMap;

use clinical::entries::values;
use domain::{
    entry::{self, form::EntryField, rules, units},
    formula::FormulaSurroundings,
};
use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use platform::constraints::JMBG_TAKEN;
use sqlx::PgConnection;

use super::{
    closed, consent,
    data::Request,
    dates,
    drafts::{Drafts, EntryDraft, PatientDraft},
    limits,
    mapping::{Existing, HiddenValues},
    problems::{Message, Problems, Stranger},
    schema::code,
    shared_lbo,
    status::{self, FieldDay},
    surroundings::Surroundings,
};

/// What becomes of a draft.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DraftFate {
    Create,
    /// It is there; whether it is written depends on the mapping's `existing`.
    Existing(i64),
    /// It was deleted on the screen, and stays so.
    Deleted,
}

pub struct DraftMatch {
    pub fate: DraftFate,
    /// The source's key is recorded already.
    pub recorded: bool,
    /// Another patient has the same LBO, which the mapping confirms.
    pub shares_lbo: bool,
    /// A patient whom the institution does not know: nothing of the database is compared.
    pub hidden: bool,
    /// The entry is signed or locked, and the row changes nothing of it: nothing is written.
    pub stands: bool,
}

pub struct Matches {
    pub patients: Vec<DraftMatch>,
    pub entries: Vec<DraftMatch>,
    /// What fields of the entries say of the patients' statuses.
    pub statuses: Vec<FieldDay>,
}

/// Finds every draft by its source key, and patients by their JMBG too.
pub async fn match_all(
    tx: &mut PgConnection,
    request: &Request<'_>,
    register: i64,
    drafts: &mut Drafts<'_>,
    problems: &mut Problems,
) -> sqlx::Result<Matches> {
    let mut patients = match_patients(tx, request, drafts, problems).await?;
    shared_lbo::check(tx, request, drafts, &mut patients, problems).await?;
    let mut entries = match_entries(tx, request, drafts, &patients, problems).await?;
    closed::check(tx, drafts, &mut entries, problems).await?;
    limits::check(tx, drafts, &patients, &entries, problems).await?;
    dates::check(tx, request.mapping, drafts, &patients, &entries, problems).await?;
    let statuses = status::field_days(drafts, &entries);
    status::check(tx, request, drafts, (&patients, &entries), &statuses, problems).await?;
    consent::check(tx, request, register, (drafts, &patients), problems).await?;
    Ok(Matches { patients, entries, statuses })
}

/// `pacijent:…` in the list of imported records.
pub fn patient_key(draft: &PatientDraft) -> String {
    format!("pacijent:{}", draft.key)
}

async fn match_patients(
    tx: &mut PgConnection,
    request: &Request<'_>,
    drafts: &Drafts<'_>,
    problems: &mut Problems,
) -> sqlx::Result<Vec<DraftMatch>> {
    let recorded = recorded_patients(tx, request).await?;
    let by_jmbg = patients_by_jmbg(tx, drafts, request.institution).await?;
    let alike = alike(tx, drafts, request.institution).await?;
    let mut rows_by_jmbg: HashMap<&str, usize> = HashMap::new();
    let mut matches = vec![];
    for draft in &drafts.patients {
        let jmbg = draft.record.jmbg.as_deref().unwrap_or_default();
        if !jmbg.is_empty()
            && let Some(first) = rows_by_jmbg.insert(jmbg, draft.row)
        {
            problems.defect(draft.row, Some("jmbg"), Message::from("isti JMBG ima drugi pacijent u redu ").hide(first));
        }
        let same_number = by_jmbg.get(jmbg);
        let record = recorded.get(&patient_key(draft));
        let stranger = same_number.filter(|other| !other.known).map(|other| other.id);
        let stranger = stranger.or_else(|| record.filter(|record| record.active && !record.known).map(|record| record.id));
        let fate = match (record, same_number) {
            (Some(record), _) if !record.active => {
                problems.warning(draft.row, None, "pacijent je u međuvremenu obrisan, pa se preskače");
                DraftFate::Deleted
            }
            _ if stranger.is_some() => {
                problems.defect(draft.row, Some(request.mapping.column_of("jmbg")), JMBG_TAKEN);
                DraftFate::Create
            }
            (Some(record), other) => {
                if other.is_some_and(|other| other.id != record.id) {
                    problems.defect(draft.row, Some("jmbg"), "isti JMBG ima drugi pacijent u bazi");
                }
                DraftFate::Existing(record.id)
            }
            (None, Some(known)) => {
                compare_with_known(draft, known, request.mapping.patient.existing == Existing::Update, problems);
                DraftFate::Existing(known.id)
            }
            (None, None) => {
                if let Some(id) = alike.get(&draft.row) {
                    let message = Message::from("u bazi postoji pacijent sličnog imena, rođen istog ili bliskog datuma (broj ").hide(id);
                    let message = message.say("), ali drugog JMBG-a");
                    problems.warning(draft.row, None, message);
                }
                DraftFate::Create
            }
        };
        let stranger = stranger.filter(|_| fate == DraftFate::Create);
        if let Some(holder) = stranger {
            problems.hidden.push(Stranger { row: draft.row, holder, number: jmbg.to_owned(), deed: "provera JMBG" });
        }
        matches.push(DraftMatch { fate, recorded: record.is_some(), shares_lbo: false, hidden: stranger.is_some(), stands: false });
    }
    Ok(matches)
}

struct RecordedPatient {
    id: i64,
    active: bool,
    /// To the institution, where the import is of one.
    known: bool,
}

/// Patients that came from the source before, by key.
async fn recorded_patients(tx: &mut PgConnection, request: &Request<'_>) -> sqlx::Result<HashMap<String, RecordedPatient>> {
    let rows = sqlx::query!(
        r#"select r.kljuc, p.id, p.aktivan, ($2::bigint is null or knows_patient($2, p.id)) as "known!"
             from import_record r join patient p on p.id = r.pacijent_id where r.izvor = $1 and r.unos_id is null"#,
        request.source,
        request.institution
    )
    .fetch_all(tx)
    .await?;
    Ok(rows.into_iter().map(|row| (row.kljuc, RecordedPatient { id: row.id, active: row.aktivan, known: row.known })).collect())
}

struct KnownPatient {
    id: i64,
    /// The number was that of a record which was merged into this one.
    merged: bool,
    prezime_f: String,
    datum_rodjenja: Date,
    known: bool,
}

/// One number with two birth dates is a mistyped number; another surname may be a marriage.
fn compare_with_known(draft: &PatientDraft, known: &KnownPatient, updates: bool, problems: &mut Problems) {
    let same = || Message::from("pacijent sa tim JMBG-om (broj ").hide(known.id);
    if known.merged {
        let today = same().say(") ima sada drugi JMBG: kartoni su spojeni");
        // What is written over the record would bring back the number that was not chosen.
        return if updates { problems.defect(draft.row, Some("jmbg"), today) } else { problems.warning(draft.row, Some("jmbg"), today) };
    }
    if draft.record.datum_rodjenja.is_some_and(|born| born != known.datum_rodjenja) {
        problems.defect(draft.row, Some("jmbg"), same().say(") ima drugi datum rođenja"));
    } else if draft.record.prezime.as_deref().is_some_and(|name| domain::fold::fold(name) != known.prezime_f) {
        problems.warning(draft.row, Some("prezime"), same().say(") ima drugo prezime"));
    }
}

async fn patients_by_jmbg(
    tx: &mut PgConnection,
    drafts: &Drafts<'_>,
    institution: Option<i64>,
) -> sqlx::Result<HashMap<String, KnownPatient>> {
    let numbers: Vec<String> = drafts.patients.iter().filter_map(|draft| draft.record.jmbg.clone()).collect();
    let rows = sqlx::query!(
        r#"select p.jmbg as "jmbg!", p.id as "id!", p.prezime_f as "prezime_f!", p.datum_rodjenja as "datum_rodjenja!",
                  ($2::bigint is null or knows_patient($2, p.id)) as "known!", false as "merged!"
             from patient p where p.aktivan and p.jmbg = any ($1)
           union all
           select a.broj, p.id, p.prezime_f, p.datum_rodjenja, ($2::bigint is null or knows_patient($2, p.id)), true
             from patient_alias a join patient p on p.id = a.pacijent_id where a.vrsta = 'jmbg' and a.broj = any ($1)"#,
        &numbers,
        institution
    )
    .fetch_all(tx)
    .await?;
    let known = rows.into_iter().map(|row| {
        let born = row.datum_rodjenja.to_jiff();
        let patient = KnownPatient { id: row.id, merged: row.merged, prezime_f: row.prezime_f, datum_rodjenja: born, known: row.known };
        (row.jmbg, patient)
    });
    Ok(known.collect())
}

/// Patients of a similar name and a birth date that may be the same, by the row that resembles them: the nearest of them.
async fn alike(tx: &mut PgConnection, drafts: &Drafts<'_>, institution: Option<i64>) -> sqlx::Result<HashMap<usize, i64>> {
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
        r#"select distinct on (w.red) w.red as "red!", p.id as "id!"
             from unnest($1::bigint[], $2::text[], $3::text[], $4::date[]) as w(red, ime, prezime, rodjen)
            cross join lateral (select fold(w.ime) as ime_f, fold(w.prezime) as prezime_f) n
             join patient p on p.aktivan and p.datum_rodjenja = any (near_dates(w.rodjen))
              and names_alike(p.ime_f, p.prezime_f, n.ime_f, n.prezime_f)
            where $5::bigint is null or knows_patient($5, p.id)
            order by w.red, p.datum_rodjenja = w.rodjen desc, p.ime_f = n.ime_f and p.prezime_f = n.prezime_f desc, p.id"#,
        &rows,
        &names,
        &surnames,
        &births as _,
        institution
    )
    .fetch_all(tx)
    .await?;
    Ok(found.into_iter().map(|row| (usize::try_from(row.red).expect("it was a row"), row.id)).collect())
}

async fn match_entries(
    tx: &mut PgConnection,
    request: &Request<'_>,
    drafts: &mut Drafts<'_>,
    patients: &[DraftMatch],
    problems: &mut Problems,
) -> sqlx::Result<Vec<DraftMatch>> {
    let recorded = recorded_entries(tx, request).await?;
    let mut matches = vec![];
    for draft in &mut drafts.entries {
        let known = recorded.get(&draft.key);
        let fate = match (patients[draft.patient].fate, known) {
            (DraftFate::Deleted, _) => DraftFate::Deleted,
            (_, Some(known)) if !known.active => {
                problems.warning(draft.row, None, "unos je u međuvremenu obrisan, pa se preskače");
                DraftFate::Deleted
            }
            (patient, Some(known)) => {
                if request.institution.is_some_and(|own| own != known.institution) {
                    problems.defect(draft.row, None, "unos sa tim ključem već postoji");
                }
                if patient != DraftFate::Existing(known.patient) {
                    problems.defect(draft.row, None, "unos sa tim ključem već pripada drugom pacijentu");
                }
                merge_saved(draft, known.saved.as_ref(), known.typed.as_ref());
                DraftFate::Existing(known.id)
            }
            (_, None) => DraftFate::Create,
        };
        matches.push(DraftMatch { fate, recorded: known.is_some(), shares_lbo: false, hidden: false, stands: false });
    }
    settle_all(tx, request, drafts, patients, &matches, problems).await?;
    Ok(matches)
}

/// Runs formulas over what is written, each entry after those before it in time.
async fn settle_all(
    tx: &mut PgConnection,
    request: &Request<'_>,
    drafts: &mut Drafts<'_>,
    patients: &[DraftMatch],
    entries: &[DraftMatch],
    problems: &mut Problems,
) -> sqlx::Result<()> {
    let written = |draft: &EntryDraft<'_>, fate| match fate {
        DraftFate::Create => true,
        DraftFate::Existing(_) => draft.mapping.existing == Existing::Update,
        DraftFate::Deleted => false,
    };
    let own = |fate| if let DraftFate::Existing(id) = fate { Some(id) } else { None };
    let fates = drafts.entries.iter().zip(entries);
    let rewritten = fates.filter(|(draft, known)| written(draft, known.fate)).filter_map(|(_, known)| own(known.fate)).collect();
    let mut surroundings = Surroundings::load(tx, request, drafts, patients, &rewritten).await?;
    for place in surroundings.in_order(drafts) {
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
    patient: i64,
    institution: i64,
    active: bool,
    /// Its values, where the mapping updates entries.
    saved: Option<serde_json::Value>,
    /// What was typed of them in other units.
    typed: Option<serde_json::Value>,
}

async fn recorded_entries(tx: &mut PgConnection, request: &Request<'_>) -> sqlx::Result<HashMap<String, KnownEntry>> {
    let updates = request.mapping.entries.iter().any(|entry| entry.existing == Existing::Update);
    let rows = sqlx::query!(
        r#"select r.kljuc, e.id, e.pacijent_id, e.ustanova_id, e.aktivan, case when $2::boolean then e.vrednosti end as saved,
                  case when $2::boolean then e.uneto_u end as typed
             from import_record r join entry e on e.id = r.unos_id where r.izvor = $1"#,
        request.source,
        updates
    )
    .fetch_all(tx)
    .await?;
    let known = rows.into_iter().map(|row| {
        let entry = KnownEntry {
            id: row.id,
            patient: row.pacijent_id,
            institution: row.ustanova_id,
            active: row.aktivan,
            saved: row.saved,
            typed: row.typed,
        };
        (row.kljuc, entry)
    });
    Ok(known.collect())
}

/// Fields that the mapping does not name keep what is saved.
fn merge_saved(draft: &mut EntryDraft<'_>, saved: Option<&serde_json::Value>, typed: Option<&serde_json::Value>) {
    draft.typed_before = typed.and_then(|typed| typed.as_object().cloned()).unwrap_or_default();
    let Some(saved) = saved else { return };
    let mapped = draft.mapping.fields.keys().chain(draft.mapping.rows.keys());
    let mapped: Vec<i64> = mapped.filter_map(|code| draft.schema.field(code)).map(|field| field.id).collect();
    draft.before = values::from_json(saved);
    draft.values.extend(draft.before.clone().into_iter().filter(|(id, _)| !mapped.contains(id)));
}

/// Runs the form's formulas over the values, and names what is hidden, missing or out of bounds.
fn settle(draft: &mut EntryDraft<'_>, around: &FormulaSurroundings, problems: &mut Problems) {
    let form = &draft.schema.form;
    let mut computed = values::compute(form, std::mem::take(&mut draft.values), around);
    computed.typed = units::kept(form, &computed.values, &draft.typed, &draft.typed_before);
    let column = |field: &EntryField| {
        let source = draft.mapping.fields.get(code(field));
        source.and_then(|source| source.names().next()).unwrap_or(code(field)).to_owned()
    };
    if draft.mapping.hidden == HiddenValues::Refuse {
        for field in form.fields.iter().filter(|field| computed.cleared.contains(&field.id)) {
            let message = format!("polje „{}” je skriveno zbog drugih vrednosti unosa, a ima vrednost", field.naziv);
            problems.defect(draft.row, Some(&column(field)), message);
        }
    }
    for section in form.fields.iter().filter(|field| field.is_section()) {
        let Some(rows) = computed.values.get(&section.id) else { continue };
        let lines = draft.lines.get(&section.id);
        for (at, message) in entry::rows::faults_by_row(section, rows, computed.typed.get(&section.id.to_string()), &computed.hidden_cells)
        {
            let line = at.and_then(|at| lines?.get(at).copied()).unwrap_or(draft.row);
            if !draft.unread_lines.contains(&line) {
                problems.defect(line, Some(code(section)), message);
            }
        }
    }
    // An import brings no files: those that are there were there.
    let faults = values::faults(form, &computed, Some(&computed.values));
    for (field, message) in faults.into_iter().filter(|(field, _)| !field.is_section()) {
        if !draft.unread.contains(&code(field)) {
            problems.defect(draft.row, Some(&column(field)), message);
        }
    }
    // A cell that could not be read is told already, and may be what a rule asks for.
    for rule in rules::errors(form, &computed).filter(|_| draft.unread.is_empty() && draft.unread_lines.is_empty()) {
        let place = rule.field(form).map(column);
        problems.defect(draft.row, place.as_deref(), rule.told(form));
    }
    draft.relevant_filled = values::blank_relevant(form, &computed).is_empty();
    draft.typed = computed.typed;
    draft.values = computed.values;
}
