//! What a file says became of its patients: the status in the register with its day, and the day of the death. It is recorded beside the
//! patient, once, whatever the mapping does with records that are there.

use std::collections::{HashMap, HashSet};

use clinical::{entries::values::Values, patients::status::note_of_field};
use domain::{access::Right, register::PatientStatus, time::date_text};
use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use serde_json::Value;
use sqlx::PgConnection;

use super::{
    data::Request,
    drafts::{Drafts, EntryDraft},
    mapping::{Existing, FileOptions, Source},
    matching::{DraftFate, DraftMatch, Matches},
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

/// A day that the file puts into, or takes out of, a field of an entry that sets the patient's status.
pub struct FieldDay {
    /// Places in the lists of entries and patients.
    entry: usize,
    patient: usize,
    row: usize,
    field: i64,
    /// The field's name.
    name: String,
    /// Where it was said, as the history has it.
    note: String,
    status: PatientStatus,
    before: Option<Date>,
    day: Option<Date>,
}

/// What the entries that are written say otherwise than before: what a form says, the file says.
pub fn field_days(drafts: &Drafts<'_>, matches: &[DraftMatch]) -> Vec<FieldDay> {
    let mut said = Vec::new();
    let written = drafts.entries.iter().zip(matches).enumerate().filter(|(_, (draft, known))| is_written(draft, known));
    for (entry, (draft, _)) in written {
        let form = &draft.schema.form;
        for field in &form.fields {
            let Some(status) = field.postavlja_status else { continue };
            let day = |values: &Values| values.get(&field.id).and_then(Value::as_str).and_then(|day| day.parse().ok());
            let (before, day): (Option<Date>, Option<Date>) = (day(&draft.before), day(&draft.values));
            if before != day {
                let note = note_of_field(form, field);
                let (row, name) = (draft.row, field.naziv.clone());
                said.push(FieldDay { entry, patient: draft.patient, row, field: field.id, name, note, status, before, day });
            }
        }
    }
    said
}

/// Whether the import writes the entry.
pub fn is_written(draft: &EntryDraft<'_>, known: &DraftMatch) -> bool {
    match known.fate {
        DraftFate::Create => true,
        DraftFate::Existing(_) => draft.mapping.existing == Existing::Update && !known.stands,
        DraftFate::Deleted => false,
    }
}

/// What is known of a patient who is there.
struct LifeOnRecord {
    born: Date,
    death: Option<Date>,
    /// The entry and the field that told the death.
    death_by: Option<(i64, i64)>,
    last: Option<Date>,
}

/// What the database makes of it: a death that is told otherwise there, entries after it, and whether the worker may record a status.
pub async fn check(
    tx: &mut PgConnection,
    request: &Request<'_>,
    drafts: &Drafts<'_>,
    (patients, entries): (&[DraftMatch], &[DraftMatch]),
    said: &[FieldDay],
    problems: &mut Problems,
) -> sqlx::Result<()> {
    let today = request.today;
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
    for (told, day) in said.iter().filter_map(|told| Some((told, told.day?))) {
        let born = match patients[told.patient].fate {
            DraftFate::Existing(id) => known.get(&id).map(|there| there.born),
            _ => drafts.patients[told.patient].record.datum_rodjenja,
        };
        let column = Some(told.name.as_str());
        if day > today {
            problems.defect(told.row, column, "dan statusa pacijenta je u budućnosti");
        } else if born.is_some_and(|born| day < born) {
            problems.defect(told.row, column, "dan statusa pacijenta je pre njegovog rođenja");
        }
    }
    let of_patients =
        drafts.patients.iter().enumerate().filter_map(|(place, draft)| Some((place, draft.row, column(DEATH), draft.told.death?)));
    let deaths = said.iter().filter(|told| told.status == PatientStatus::Preminuo);
    let of_entries = deaths.filter_map(|told| Some((told.patient, told.row, told.name.as_str(), told.day?)));
    // What such a field told before is corrected with it.
    let corrected: HashSet<(i64, i64)> = said.iter().filter_map(|told| Some((existing(&entries[told.entry])?, told.field))).collect();
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
        let stands = |there: &&LifeOnRecord| there.death_by.is_none_or(|by| !corrected.contains(&by));
        if let Some(other) = there.filter(stands).and_then(|there| there.death).filter(|other| *other != death) {
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
    let rows = sqlx::query!(
        r#"select p.id, p.datum_rodjenja, d.dan as "death?: jiff_sqlx::Date", d.unos_id, d.polje_id,
                  (select max(e.datum_unosa) from entry e where e.pacijent_id = p.id and e.aktivan) as "last: jiff_sqlx::Date"
             from patient p
             left join lateral (select s.dan, s.unos_id, s.polje_id from status_in_force s where s.pacijent_id = p.id and s.status = 'preminuo'
                                 order by s.id desc limit 1) d on true
            where p.id = any ($1)"#,
        &patients.iter().filter_map(existing).collect::<Vec<_>>()
    )
    .fetch_all(tx)
    .await?;
    let day = |day: Option<jiff_sqlx::Date>| day.map(|day| day.to_jiff());
    Ok(rows
        .into_iter()
        .map(|row| {
            let death_by = row.unos_id.zip(row.polje_id);
            (row.id, LifeOnRecord { born: row.datum_rodjenja.to_jiff(), death: day(row.death), death_by, last: day(row.last) })
        })
        .collect())
}

fn existing(known: &DraftMatch) -> Option<i64> {
    match known.fate {
        DraftFate::Existing(id) => Some(id),
        _ => None,
    }
}

/// Puts the new day in place of the one that a field told before, or takes that back, as a save does: before the entries are written, which may
/// lie behind the death that is corrected.
pub async fn correct(tx: &mut PgConnection, drafts: &Drafts<'_>, matches: &Matches) -> sqlx::Result<()> {
    let (mut entries, mut fields, mut names, mut days, mut notes, mut institutions) = (vec![], vec![], vec![], vec![], vec![], vec![]);
    for told in matches.statuses.iter().filter(|told| told.before.is_some()) {
        let Some(entry) = existing(&matches.entries[told.entry]) else { continue };
        entries.push(entry);
        fields.push(told.field);
        names.push(told.status.name().to_owned());
        days.push(told.day.map(ToSqlx::to_sqlx));
        notes.push(told.note.clone());
        institutions.push(drafts.entries[told.entry].institution);
    }
    if entries.is_empty() {
        return Ok(());
    }
    sqlx::query!(
        "insert into patient_status (pacijent_id, registar_id, status, dan, uzrok_sifra, uzrok, izvor, napomena, ispravlja_id, ponisten, ustanova_id,
                                     unos_id, polje_id)
         select t.pacijent_id, t.registar_id, t.status, case when u.undone then t.dan else w.day end, t.uzrok_sifra, t.uzrok, 'uvoz', w.note, t.id,
                u.undone, w.institution, w.entry, w.field
           from unnest($1::bigint[], $2::bigint[], $3::text[], $4::date[], $5::text[], $6::bigint[])
                    as w (entry, field, status, day, note, institution)
           join entry e on e.id = w.entry
          cross join lateral (select s.* from status_in_force s where s.pacijent_id = e.pacijent_id and s.unos_id = w.entry and s.polje_id = w.field
                                 and s.status = w.status order by s.id desc limit 1) t
          cross join lateral (select w.day is null or exists (select from status_in_force o
                                      where o.pacijent_id = t.pacijent_id and o.status = t.status and o.registar_id is not distinct from t.registar_id
                                        and o.dan = w.day and o.id <> t.id) as undone) u
          where t.dan is distinct from w.day",
        &entries,
        &fields,
        &names,
        &days as _,
        &notes,
        &institutions
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Records what is not recorded yet; `ids` are those of the patients and of the entries, in their order, and 0 of one who is skipped.
pub async fn write(
    tx: &mut PgConnection,
    register: i64,
    drafts: &Drafts<'_>,
    (ids, entry_ids): (&[i64], &[i64]),
    said: &[FieldDay],
) -> sqlx::Result<()> {
    let (mut patients, mut names, mut days, mut institutions) = (vec![], vec![], vec![], vec![]);
    let (mut entries, mut fields, mut notes) = (vec![], vec![], vec![]);
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
            notes.push(None);
        }
    }
    for (told, day) in said.iter().filter_map(|told| Some((told, told.day?))) {
        patients.push(ids[told.patient]);
        names.push(told.status.name().to_owned());
        days.push(day.to_sqlx());
        institutions.push(drafts.entries[told.entry].institution);
        entries.push(Some(entry_ids[told.entry]));
        fields.push(Some(told.field));
        notes.push(Some(told.note.clone()));
    }
    sqlx::query!(
        "insert into patient_status (pacijent_id, registar_id, status, dan, izvor, napomena, ustanova_id, unos_id, polje_id)
         select distinct on (w.patient, w.status, w.day)
                w.patient, case when w.status <> 'preminuo' then $5::bigint end, w.status, w.day, 'uvoz', w.note, w.institution, w.entry, w.field
           from unnest($1::bigint[], $2::text[], $3::date[], $4::bigint[], $6::bigint[], $7::bigint[], $8::text[])
                    as w (patient, status, day, institution, entry, field, note)
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
        &fields as _,
        &notes as _
    )
    .execute(tx)
    .await?;
    Ok(())
}
