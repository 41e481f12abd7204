//! Which of a file's patients and entries are in the database already, and whether the new ones may join them.

use std::collections::HashMap;

use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;

use super::{
    completeness::{self, Values},
    data::Request,
    drafts::{Drafts, EntryDraft, PatientDraft},
    mapping::{Existing, Hidden},
    problems::Problems,
    schema::FieldSchema,
};

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
    let patients = match_patients(tx, request.source, drafts, problems).await?;
    let entries = match_entries(tx, request, drafts, &patients, problems).await?;
    check_limits(tx, drafts, &patients, &entries, problems).await?;
    Ok(Matches { patients, entries })
}

/// `pacijent:…` in the list of imported records.
pub fn patient_key(draft: &PatientDraft) -> String {
    format!("pacijent:{}", draft.key)
}

struct KnownPatient {
    id: i64,
    prezime_f: String,
    datum_rodjenja: Date,
}

async fn match_patients(tx: &mut PgConnection, source: &str, drafts: &Drafts<'_>, problems: &mut Problems) -> sqlx::Result<Vec<Match>> {
    let recorded: HashMap<String, (i64, bool)> = sqlx::query_as::<_, (String, i64, bool)>(
        "select r.kljuc, p.id, p.aktivan from import_record r join patient p on p.id = r.pacijent_id where r.izvor = $1 and r.unos_id is null",
    )
    .bind(source)
    .fetch_all(&mut *tx)
    .await?
    .into_iter()
    .map(|(key, id, active)| (key, (id, active)))
    .collect();
    let by_jmbg = patients_by_jmbg(tx, drafts).await?;
    let alike = alike(tx, drafts).await?;

    let mut rows_by_jmbg: HashMap<&str, usize> = HashMap::new();
    let mut matches = vec![];
    for draft in &drafts.patients {
        let jmbg = draft.record.jmbg.as_deref().unwrap_or_default();
        if let Some(first) = rows_by_jmbg.insert(jmbg, draft.row) {
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
                    problems.warning(
                        draft.row,
                        None,
                        format!("u bazi postoji pacijent istog imena i datuma rođenja (broj {id}), ali drugog JMBG-a"),
                    );
                }
                Fate::Create
            }
        };
        matches.push(Match { fate, recorded: record.is_some() });
    }
    Ok(matches)
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
    let numbers: Vec<&str> = drafts.patients.iter().filter_map(|draft| draft.record.jmbg.as_deref()).collect();
    let rows = sqlx::query_as::<_, (String, i64, String, jiff_sqlx::Date)>(
        "select jmbg, id, prezime_f, datum_rodjenja from patient where aktivan and jmbg = any ($1)",
    )
    .bind(numbers)
    .fetch_all(tx)
    .await?;
    let known = |id, prezime_f, born: jiff_sqlx::Date| KnownPatient { id, prezime_f, datum_rodjenja: born.to_jiff() };
    Ok(rows.into_iter().map(|(jmbg, id, prezime_f, born)| (jmbg, known(id, prezime_f, born))).collect())
}

/// Patients of the same folded name and birth date, by the row that resembles them.
async fn alike(tx: &mut PgConnection, drafts: &Drafts<'_>) -> sqlx::Result<HashMap<usize, i64>> {
    let complete: Vec<_> = drafts
        .patients
        .iter()
        .filter_map(|draft| {
            Some((draft.row as i64, draft.record.ime.clone()?, draft.record.prezime.clone()?, draft.record.datum_rodjenja?))
        })
        .collect();
    let rows = sqlx::query_as::<_, (i64, i64)>(
        "select w.red, min(p.id) from unnest($1::bigint[], $2::text[], $3::text[], $4::date[]) as w(red, ime, prezime, rodjen)
           join patient p on p.aktivan and p.prezime_f = fold(w.prezime) and p.ime_f = fold(w.ime) and p.datum_rodjenja = w.rodjen
          group by w.red",
    )
    .bind(complete.iter().map(|row| row.0).collect::<Vec<_>>())
    .bind(complete.iter().map(|row| row.1.clone()).collect::<Vec<_>>())
    .bind(complete.iter().map(|row| row.2.clone()).collect::<Vec<_>>())
    .bind(complete.iter().map(|row| row.3.to_sqlx()).collect::<Vec<_>>())
    .fetch_all(tx)
    .await?;
    Ok(rows.into_iter().map(|(row, id)| (row as usize, id)).collect())
}

async fn match_entries(
    tx: &mut PgConnection,
    request: &Request<'_>,
    drafts: &mut Drafts<'_>,
    patients: &[Match],
    problems: &mut Problems,
) -> sqlx::Result<Vec<Match>> {
    let updates = request.mapping.entries.iter().any(|entry| entry.existing == Existing::Update);
    let recorded: HashMap<String, (i64, i64, bool, Option<serde_json::Value>)> =
        sqlx::query_as::<_, (String, i64, i64, bool, Option<serde_json::Value>)>(
            "select r.kljuc, e.id, e.pacijent_id, e.aktivan, case when $2 then e.vrednosti end
           from import_record r join entry e on e.id = r.unos_id where r.izvor = $1",
        )
        .bind(request.source)
        .bind(updates)
        .fetch_all(tx)
        .await?
        .into_iter()
        .map(|(key, id, patient_id, active, values)| (key, (id, patient_id, active, values)))
        .collect();
    let mut matches = vec![];
    for draft in &mut drafts.entries {
        let known = recorded.get(&draft.key);
        let fate = match (patients[draft.patient].fate, known) {
            (Fate::Deleted, _) => Fate::Deleted,
            (_, Some((_, _, false, _))) => {
                problems.warning(draft.row, None, "unos je u međuvremenu obrisan, pa se preskače");
                Fate::Deleted
            }
            (patient, Some((id, patient_id, true, saved))) => {
                if patient != Fate::Existing(*patient_id) {
                    problems.defect(draft.row, None, "unos sa tim ključem već pripada drugom pacijentu");
                }
                merge_saved(draft, saved.as_ref());
                Fate::Existing(*id)
            }
            (_, None) => Fate::Create,
        };
        if fate == Fate::Create || (fate != Fate::Deleted && draft.mapping.existing == Existing::Update) {
            settle_entry(draft, request.today, problems);
        }
        matches.push(Match { fate, recorded: known.is_some() });
    }
    Ok(matches)
}

/// Fields that the mapping does not name keep what is saved.
fn merge_saved(draft: &mut EntryDraft<'_>, saved: Option<&serde_json::Value>) {
    let Some(saved) = saved.and_then(serde_json::Value::as_object) else { return };
    let mapped: Vec<String> =
        draft.mapping.fields.keys().filter_map(|code| draft.form.field(code)).map(|field| field.id.to_string()).collect();
    let kept: Values = saved.iter().filter(|(id, _)| !mapped.contains(id)).map(|(id, value)| (id.clone(), value.clone())).collect();
    draft.values.extend(kept);
}

/// Runs the form's formulas over the values, and names what is hidden or missing.
fn settle_entry(draft: &mut EntryDraft<'_>, today: Date, problems: &mut Problems) {
    let settled = completeness::settle(draft.form, std::mem::take(&mut draft.values), today);
    let column = |field: &FieldSchema| {
        let code = field.sifra.as_deref().unwrap_or_default();
        draft.mapping.fields.get(code).and_then(|source| source.column.clone()).unwrap_or(code.to_owned())
    };
    if draft.mapping.hidden == Hidden::Refuse {
        for field in &settled.cleared {
            let message = format!("polje „{}” je skriveno zbog drugih vrednosti unosa, a ima vrednost", field.naziv);
            problems.defect(draft.row, Some(&column(field)), message);
        }
    }
    for field in &settled.missing {
        problems.defect(draft.row, Some(&column(field)), format!("Niste uneli stavku sa nazivom: {}.", field.naziv));
    }
    draft.values = settled.values;
    draft.relevant_filled = settled.relevant_filled;
}

/// New entries count against the form's limits together with those that are there.
async fn check_limits(
    tx: &mut PgConnection,
    drafts: &Drafts<'_>,
    patients: &[Match],
    entries: &[Match],
    problems: &mut Problems,
) -> sqlx::Result<()> {
    let limited: Vec<i64> = drafts
        .entries
        .iter()
        .filter(|draft| draft.form.maksimalan_broj_instanci_po_kontaktu.or(draft.form.maksimalan_broj_instanci_po_pacijentu).is_some())
        .map(|draft| draft.form.id)
        .collect();
    if limited.is_empty() {
        return Ok(());
    }
    let ids: Vec<i64> = patients.iter().filter_map(|known| if let Fate::Existing(id) = known.fate { Some(id) } else { None }).collect();
    // Counted by patient (place in the file), form, and date; without a date all of them.
    let mut counts: HashMap<(usize, i64, Option<Date>), i64> = HashMap::new();
    let places: HashMap<i64, usize> = patients
        .iter()
        .enumerate()
        .filter_map(|(place, known)| if let Fate::Existing(id) = known.fate { Some((id, place)) } else { None })
        .collect();
    for (patient_id, form_id, date, count) in sqlx::query_as::<_, (i64, i64, jiff_sqlx::Date, i64)>(
        "select pacijent_id, tsa_id, datum_unosa, count(*) from entry
          where aktivan and pacijent_id = any ($1) and tsa_id = any ($2) group by 1, 2, 3",
    )
    .bind(ids)
    .bind(limited)
    .fetch_all(tx)
    .await?
    {
        *counts.entry((places[&patient_id], form_id, Some(date.to_jiff()))).or_default() += count;
        *counts.entry((places[&patient_id], form_id, None)).or_default() += count;
    }
    for (draft, _) in drafts.entries.iter().zip(entries).filter(|(_, known)| known.fate == Fate::Create) {
        for (date, limit, whose) in [
            (None, draft.form.maksimalan_broj_instanci_po_pacijentu, "pacijentu"),
            (Some(draft.date), draft.form.maksimalan_broj_instanci_po_kontaktu, "kontaktu"),
        ] {
            let count = counts.entry((draft.patient, draft.form.id, date)).or_default();
            *count += 1;
            if let Some(limit) = limit.filter(|limit| *count > i64::from(*limit)) {
                let message = format!(
                    "„{}”: Nije moguće kreirati unos jer premašuje maksimalan broj mogućih kreiranih po {whose} {limit}",
                    draft.form.naziv
                );
                problems.defect(draft.row, None, message);
            }
        }
    }
    Ok(())
}
