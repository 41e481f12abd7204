//! What a file says became of its patients: the status in the register with its day, and the day of the death. It is recorded beside the
//! patient, once, whatever the mapping does with records that are there.

use std::collections::HashMap;

use domain::{access::Right, entry::form::EntryField, register::PatientStatus, time::date_text};
use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use serde_json::Value;
use sqlx::PgConnection;

use super::{
    data::Request,
    drafts::{Drafts, EntryDraft},
    mapping::{Existing, FileOptions, Source},
    matching::{DraftFate, DraftMatch},
    problems::{Message, Problems},
    values,
};

/// What a mapping may call beside the fields of a patient.
pub const FIELDS: [&str; 3] = [STATUS, STATUS_DAY, DEATH];
pub const STATUS: &str = "status";
pub const STATUS_DAY: &str = "statusDan";
pub const DEATH: &str = "datumSmrti";

/// What one patient's rows say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToldStatus {
    pub status: Option<PatientStatus>,
    pub day: Option<Date>,
    pub death: Option<Date>,
}

impl ToldStatus {
    /// Reads one of the fields from a text.
    pub fn fill(&mut self, name: &str, text: &str, source: &Source, options: &FileOptions) -> Result<(), Message> {
        match name {
            STATUS => self.status = Some(named(text)?),
            STATUS_DAY => self.day = Some(values::any_date(text, source, options)?),
            _ => self.death = Some(values::any_date(text, source, options)?),
        }
        Ok(())
    }

    /// What is wrong whatever the database holds, with the field that it is about.
    pub fn faults(&self, born: Option<Date>, today: Date) -> Vec<(&'static str, Message)> {
        let mut faults = Vec::new();
        if self.status == Some(PatientStatus::Preminuo) {
            faults.push((STATUS, Message::from("smrt se ne uvozi kao status: mapirajte datum smrti")));
        } else if self.status.is_some() != self.day.is_some() {
            faults.push((STATUS_DAY, Message::from("status i njegov dan idu zajedno")));
        }
        for (name, day) in [(STATUS_DAY, self.day), (DEATH, self.death)] {
            if day.is_some_and(|day| day > today) {
                faults.push((name, Message::from("dan je u budućnosti")));
            } else if let Some(born) = born.filter(|born| day.is_some_and(|day| day < *born)) {
                faults.push((name, Message::from("dan je pre rođenja pacijenta, ").hide(date_text(born))));
            }
        }
        faults
    }

    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

fn named(text: &str) -> Result<PatientStatus, Message> {
    let folded = domain::fold::fold(text);
    let known = |status: &PatientStatus| [status.name(), status.words()].iter().any(|name| domain::fold::fold(name) == folded);
    let names = PatientStatus::ALL.map(PatientStatus::name).join(", ");
    PatientStatus::ALL
        .into_iter()
        .find(known)
        .ok_or_else(|| Message::of_cell(text, format!("nije status: prevedite vrednosti kolone u {names}")))
}

/// A day in a field of an entry that sets the patient's status.
struct FieldDay<'d> {
    /// Place in the list of entries.
    entry: usize,
    patient: usize,
    row: usize,
    field: &'d EntryField,
    status: PatientStatus,
    day: Date,
}

/// Of the entries that are written: what a form says, the file says.
fn field_days<'d>(drafts: &'d Drafts<'_>, is_written: &'d dyn Fn(usize) -> bool) -> Vec<FieldDay<'d>> {
    let entries = drafts.entries.iter().enumerate().filter(|(entry, _)| is_written(*entry));
    let of_entry = |(entry, draft): (usize, &'d EntryDraft<'_>)| {
        draft.schema.form.fields.iter().filter_map(move |field| {
            let status = field.postavlja_status?;
            let day = draft.values.get(&field.id).and_then(Value::as_str)?.parse().ok()?;
            Some(FieldDay { entry, patient: draft.patient, row: draft.row, field, status, day })
        })
    };
    entries.flat_map(of_entry).collect()
}

/// Whether the import writes the entry.
pub fn is_written(draft: &EntryDraft<'_>, known: &DraftMatch) -> bool {
    match known.fate {
        DraftFate::Create => true,
        DraftFate::Existing(_) => draft.mapping.existing == Existing::Update,
        DraftFate::Deleted => false,
    }
}

/// What is known of a patient who is there.
struct LifeOnRecord {
    born: Date,
    death: Option<Date>,
    last: Option<Date>,
}

/// What the database makes of it: a death that is told otherwise there, entries after it, and whether the worker may record a status.
pub async fn check(
    tx: &mut PgConnection,
    request: &Request<'_>,
    drafts: &Drafts<'_>,
    (patients, entries): (&[DraftMatch], &[DraftMatch]),
    problems: &mut Problems,
) -> sqlx::Result<()> {
    let today = request.today;
    let writes = |entry: usize| is_written(&drafts.entries[entry], &entries[entry]);
    let said = field_days(drafts, &writes);
    if said.is_empty() && drafts.patients.iter().all(|draft| draft.told.is_empty()) {
        return Ok(());
    }
    let column = |name: &'static str| request.mapping.column_of(name);
    if request.institution.is_some() {
        let may = sqlx::query_scalar!(r#"select holds_any(acting_worker(), $1) as "may!""#, &[Right::PatientStatus.number()]);
        if !may.fetch_one(&mut *tx).await? {
            problems.defect(None, Some("mapiranje patient.fields"), "nemate pravo da beležite status pacijenta");
        }
    }
    let known = known(tx, patients).await?;
    let mut last_of_file: HashMap<usize, Date> = HashMap::new();
    for draft in &drafts.entries {
        let last = last_of_file.entry(draft.patient).or_insert(draft.date);
        *last = draft.date.max(*last);
    }
    for (place, draft) in drafts.patients.iter().enumerate().filter(|(_, draft)| !draft.told.is_empty()) {
        let there = match patients[place].fate {
            DraftFate::Existing(id) => known.get(&id),
            _ => None,
        };
        if let Some(there) = there {
            for (name, day) in [(STATUS_DAY, draft.told.day), (DEATH, draft.told.death)] {
                if day.is_some_and(|day| day < there.born) {
                    let message = Message::from("dan je pre rođenja pacijenta, koje je u bazi ").hide(date_text(there.born));
                    problems.defect(draft.row, Some(column(name)), message);
                }
            }
        }
    }
    for told in &said {
        let born = match patients[told.patient].fate {
            DraftFate::Existing(id) => known.get(&id).map(|there| there.born),
            _ => drafts.patients[told.patient].record.datum_rodjenja,
        };
        let column = Some(told.field.naziv.as_str());
        if told.day > today {
            problems.defect(told.row, column, "dan statusa pacijenta je u budućnosti");
        } else if born.is_some_and(|born| told.day < born) {
            problems.defect(told.row, column, "dan statusa pacijenta je pre njegovog rođenja");
        }
    }
    let of_patients =
        drafts.patients.iter().enumerate().filter_map(|(place, draft)| Some((place, draft.row, column(DEATH), draft.told.death?)));
    let deaths = said.iter().filter(|told| told.status == PatientStatus::Preminuo);
    let of_entries = deaths.map(|told| (told.patient, told.row, told.field.naziv.as_str(), told.day));
    let mut told_before: HashMap<usize, Date> = HashMap::new();
    for (place, row, column, death) in of_patients.chain(of_entries) {
        let there = match patients[place].fate {
            DraftFate::Existing(id) => known.get(&id),
            _ => None,
        };
        if let Some(other) = told_before.insert(place, death).filter(|other| *other != death) {
            let message = Message::from("u fajlu je i smrt ").hide(date_text(other)).say(": ispravite jedan od ta dva dana");
            problems.defect(row, Some(column), message);
        }
        if let Some(other) = there.and_then(|there| there.death).filter(|other| *other != death) {
            let message = Message::from("u bazi je zabeležena smrt ").hide(date_text(other)).say(": ispravite jedan od ta dva dana");
            problems.defect(row, Some(column), message);
        }
        let last = last_of_file.get(&place).copied().max(there.and_then(|there| there.last));
        if let Some(last) = last.filter(|last| *last > death) {
            let message =
                Message::from("smrt je pre pregleda od ").hide(date_text(last)).say(": ispravite datum smrti, ili datum pregleda");
            problems.defect(row, Some(column), message);
        }
    }
    Ok(())
}

async fn known(tx: &mut PgConnection, patients: &[DraftMatch]) -> sqlx::Result<HashMap<i64, LifeOnRecord>> {
    let existing = patients.iter().filter_map(|known| match known.fate {
        DraftFate::Existing(id) => Some(id),
        _ => None,
    });
    let rows = sqlx::query!(
        r#"select p.id, p.datum_rodjenja, death_day(p.id) as "death: jiff_sqlx::Date",
                  (select max(e.datum_unosa) from entry e where e.pacijent_id = p.id and e.aktivan) as "last: jiff_sqlx::Date"
             from patient p where p.id = any ($1)"#,
        &existing.collect::<Vec<_>>()
    )
    .fetch_all(tx)
    .await?;
    let day = |day: Option<jiff_sqlx::Date>| day.map(|day| day.to_jiff());
    Ok(rows
        .into_iter()
        .map(|row| (row.id, LifeOnRecord { born: row.datum_rodjenja.to_jiff(), death: day(row.death), last: day(row.last) }))
        .collect())
}

/// Records what is not recorded yet; `ids` are those of the patients and of the entries, in their order, and 0 of one who is skipped.
pub async fn write(
    tx: &mut PgConnection,
    register: i64,
    drafts: &Drafts<'_>,
    (ids, entry_ids): (&[i64], &[i64]),
    matches: &[DraftMatch],
) -> sqlx::Result<()> {
    let (mut patients, mut names, mut days, mut institutions) = (vec![], vec![], vec![], vec![]);
    let (mut entries, mut fields) = (vec![], vec![]);
    for (draft, id) in drafts.patients.iter().zip(ids).filter(|(_, id)| **id != 0) {
        let told = draft.told.status.map(PatientStatus::name).zip(draft.told.day);
        let death = draft.told.death.map(|day| (PatientStatus::Preminuo.name(), day));
        for (name, day) in told.into_iter().chain(death) {
            patients.push(*id);
            names.push(name.to_owned());
            days.push(day.to_sqlx());
            institutions.push(draft.institution);
            entries.push(None);
            fields.push(None);
        }
    }
    let writes = |entry: usize| is_written(&drafts.entries[entry], &matches[entry]);
    for told in field_days(drafts, &writes) {
        patients.push(ids[told.patient]);
        names.push(told.status.name().to_owned());
        days.push(told.day.to_sqlx());
        institutions.push(drafts.entries[told.entry].institution);
        entries.push(Some(entry_ids[told.entry]));
        fields.push(Some(told.field.id));
    }
    sqlx::query!(
        "insert into patient_status (pacijent_id, registar_id, status, dan, izvor, ustanova_id, unos_id, polje_id)
         select distinct on (w.patient, w.status, w.day)
                w.patient, case when w.status <> 'preminuo' then $5::bigint end, w.status, w.day, 'uvoz', w.institution, w.entry, w.field
           from unnest($1::bigint[], $2::text[], $3::date[], $4::bigint[], $6::bigint[], $7::bigint[])
                    as w (patient, status, day, institution, entry, field)
          where not exists (select from status_in_force s
                             where s.pacijent_id = w.patient and s.status = w.status and s.dan = w.day
                               and (s.registar_id is null or s.registar_id = $5))
          order by w.patient, w.status, w.day, w.entry nulls last",
        &patients,
        &names,
        &days as _,
        &institutions,
        register,
        &entries as _,
        &fields as _
    )
    .execute(tx)
    .await?;
    Ok(())
}
