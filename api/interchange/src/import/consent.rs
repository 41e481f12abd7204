//! What a file says that its patients have agreed to: given or withdrawn, by purpose, on a day. Each is a row of the history, as on the
//! patient's page; what is recorded already is not recorded again.

use std::collections::HashMap;

use clinical::consents::Purpose;
use domain::{access::Right, time::date_text};
use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;

use super::{
    data::Request,
    drafts::Drafts,
    mapping::{FileOptions, Source},
    matching::{DraftFate, DraftMatch},
    problems::{Message, Problems},
    values,
};

/// `saglasnostKontakt`, `saglasnostKontaktDan`, `saglasnostKontaktTekst`.
const FIELD: &str = "saglasnost";
const DAY: &str = "Dan";
const TEXT: &str = "Tekst";

/// What a column says of a purpose.
enum Part {
    Given,
    Day,
    /// The number of the text's version.
    Text,
}

/// The field of a mapping.
fn field(purpose: Purpose, part: &str) -> String {
    let name = purpose.name();
    format!("{FIELD}{}{}{part}", name[..1].to_ascii_uppercase(), &name[1..])
}

fn part_of(name: &str) -> Option<(Purpose, Part)> {
    Purpose::ALL.into_iter().find_map(|purpose| {
        let rest = name.strip_prefix(&field(purpose, ""))?;
        let part = match rest {
            "" => Part::Given,
            DAY => Part::Day,
            TEXT => Part::Text,
            _ => return None,
        };
        Some((purpose, part))
    })
}

/// Whether a mapping may call a field so, beside those of a patient.
pub fn has_field(name: &str) -> bool {
    part_of(name).is_some()
}

/// One consent that was given, or withdrawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToldConsent {
    row: usize,
    purpose: Purpose,
    given: bool,
    day: Date,
    /// The version to which it was given, where the file says it.
    text: Option<i32>,
}

/// The cells of a row.
#[derive(Default)]
pub struct ConsentCells([OneConsent; Purpose::ALL.len()]);

#[derive(Default)]
struct OneConsent {
    given: Option<bool>,
    day: Option<Date>,
    text: Option<i32>,
    /// Something of it could not be read, and that is told.
    unread: bool,
}

impl ConsentCells {
    /// Reads one of the fields from a text.
    pub fn fill(&mut self, name: &str, text: &str, source: &Source, options: &FileOptions) -> Result<(), Message> {
        let Some((purpose, part)) = part_of(name) else { return Ok(()) };
        let cells = &mut self.0[purpose as usize];
        let read = match part {
            Part::Given => given(text).map(|given| cells.given = Some(given)),
            Part::Day => values::any_date(text, source, options).map(|day| cells.day = Some(day)),
            Part::Text => number(text).map(|number| cells.text = Some(number)),
        };
        cells.unread |= read.is_err();
        read
    }

    /// What the row says, and what is wrong with it whatever the database holds, by field.
    pub fn told(self, row: usize, born: Option<Date>, today: Date) -> (Vec<ToldConsent>, Vec<(String, Message)>) {
        let (mut told, mut faults) = (Vec::new(), Vec::new());
        for (purpose, cells) in Purpose::ALL.into_iter().zip(self.0).filter(|(_, cells)| !cells.unread) {
            let OneConsent { given, day, text, .. } = cells;
            if text.is_some() && given != Some(true) {
                faults.push((field(purpose, TEXT), Message::from("verzija teksta se navodi samo uz datu saglasnost")));
                continue;
            }
            let (given, day) = match (given, day) {
                (None, None) => continue,
                (Some(given), Some(day)) => (given, day),
                _ => {
                    faults.push((field(purpose, DAY), Message::from("saglasnost i njen dan idu zajedno")));
                    continue;
                }
            };
            if day > today {
                faults.push((field(purpose, DAY), Message::from("dan je u budućnosti")));
            } else if let Some(born) = born.filter(|born| day < *born) {
                faults.push((field(purpose, DAY), Message::from("dan je pre rođenja pacijenta, ").hide(date_text(born))));
            }
            told.push(ToldConsent { row, purpose, given, day, text });
        }
        (told, faults)
    }
}

fn given(text: &str) -> Result<bool, Message> {
    match domain::fold::fold(text).as_str() {
        "data" | "dao" | "dala" | "da" | "1" | "true" | "yes" => Ok(true),
        "povucena" | "povukao" | "povukla" | "ne" | "0" | "false" | "no" => Ok(false),
        _ => Err(Message::of_cell(text, "ne kaže da li je saglasnost data ili povučena: prevedite vrednosti kolone u data i povučena")),
    }
}

fn number(text: &str) -> Result<i32, Message> {
    text.trim().parse().ok().filter(|number| *number > 0).ok_or_else(|| Message::of_cell(text, "nije broj verzije teksta"))
}

/// Adds what another row of the patient says; two rows do not say otherwise of one day.
pub fn join(known: &mut Vec<ToldConsent>, more: Vec<ToldConsent>) -> Vec<(String, Message)> {
    let mut faults = Vec::new();
    for told in more {
        match known.iter().find(|other| (other.purpose, other.day) == (told.purpose, told.day)) {
            None => known.push(told),
            Some(other) if (other.given, other.text) != (told.given, told.text) => {
                let message = Message::from("saglasnost istog dana je drugačija u redu ").hide(other.row);
                faults.push((field(told.purpose, ""), message));
            }
            Some(_) => {}
        }
    }
    faults
}

/// What the database makes of it: a text that there is not, another word of the same day, and whether the worker may record consents.
pub async fn check(
    tx: &mut PgConnection,
    request: &Request<'_>,
    register: i64,
    (drafts, patients): (&Drafts<'_>, &[DraftMatch]),
    problems: &mut Problems,
) -> sqlx::Result<()> {
    if drafts.patients.iter().all(|draft| draft.consents.is_empty()) {
        return Ok(());
    }
    if request.institution.is_some() {
        let may = sqlx::query_scalar!(r#"select holds_any(acting_worker(), $1) as "may!""#, &[Right::Consents.number()]);
        if !may.fetch_one(&mut *tx).await? {
            problems.defect(None, Some("mapiranje patient.fields"), "nemate pravo da beležite saglasnosti pacijenata");
        }
    }
    let texts = sqlx::query!(r#"select svrha as "svrha: Purpose", broj from consent_text where registar_id = $1"#, register);
    let texts: Vec<(Purpose, i32)> = texts.fetch_all(&mut *tx).await?.into_iter().map(|row| (row.svrha, row.broj)).collect();
    let existing: Vec<i64> = patients.iter().filter_map(existing).collect();
    let born = sqlx::query!("select id, datum_rodjenja from patient where id = any ($1)", &existing).fetch_all(&mut *tx).await?;
    let born: HashMap<i64, Date> = born.into_iter().map(|row| (row.id, row.datum_rodjenja.to_jiff())).collect();
    let recorded = recorded(tx, register, &existing).await?;
    for (draft, known) in drafts.patients.iter().zip(patients) {
        let there = self::existing(known);
        for told in &draft.consents {
            let mut refuse = |part: &str, message: Message| {
                let field = field(told.purpose, part);
                problems.defect(told.row, Some(request.mapping.column_of(&field)), message);
            };
            if let Some(number) = told.text.filter(|number| !texts.contains(&(told.purpose, *number))) {
                refuse(TEXT, Message::from("registar za ovu svrhu nema tekst verzije ").hide(number));
            }
            if let Some(born) = there.and_then(|id| born.get(&id)).filter(|born| told.day < **born) {
                refuse(DAY, Message::from("dan je pre rođenja pacijenta, koje je u bazi ").hide(date_text(*born)));
            }
            let of_day = there.and_then(|id| recorded.get(&(id, told.purpose.name(), told.day)));
            if let Some(given) = of_day.filter(|given| **given != told.given) {
                let word = if *given { "data" } else { "povučena" };
                let message = Message::from("u bazi je za ").hide(date_text(told.day)).say(format!(" zabeleženo da je saglasnost {word}"));
                refuse("", message.say(": ispravite dan, ili zabeležite saglasnost na strani pacijenta"));
            }
            let status_told = draft.told.status == Some(domain::register::PatientStatus::PovukaoSaglasnost);
            if told.purpose == Purpose::Registar && !told.given && !status_told {
                let column = field(told.purpose, "");
                let message = "saglasnost za registar je povučena, a status pacijenta se time ne menja: beleži ga kolona statusa";
                problems.warning(told.row, Some(request.mapping.column_of(&column)), message);
            }
        }
    }
    Ok(())
}

fn existing(known: &DraftMatch) -> Option<i64> {
    match known.fate {
        DraftFate::Existing(id) => Some(id),
        _ => None,
    }
}

/// The last word of each patient, purpose and day: whether it was given.
async fn recorded(tx: &mut PgConnection, register: i64, patients: &[i64]) -> sqlx::Result<HashMap<(i64, &'static str, Date), bool>> {
    let rows = sqlx::query!(
        r#"select distinct on (pacijent_id, svrha, dan) pacijent_id, svrha as "svrha: Purpose", dat, dan from patient_consent
            where registar_id = $1 and pacijent_id = any ($2) order by pacijent_id, svrha, dan, id desc"#,
        register,
        patients
    );
    let rows = rows.fetch_all(tx).await?;
    Ok(rows.into_iter().map(|row| ((row.pacijent_id, row.svrha.name(), row.dan.to_jiff()), row.dat)).collect())
}

/// Records what is not recorded yet, the earliest first; `ids` are those of the patients in their order, and 0 of one who is skipped. What names
/// no version was given to the text of its day.
pub async fn write(tx: &mut PgConnection, register: i64, drafts: &Drafts<'_>, ids: &[i64]) -> sqlx::Result<()> {
    let (mut patients, mut purposes, mut given, mut days, mut texts, mut institutions) = (vec![], vec![], vec![], vec![], vec![], vec![]);
    for (draft, id) in drafts.patients.iter().zip(ids).filter(|(_, id)| **id != 0) {
        for told in &draft.consents {
            patients.push(*id);
            purposes.push(told.purpose.name().to_owned());
            given.push(told.given);
            days.push(told.day.to_sqlx());
            texts.push(told.text);
            institutions.push(draft.institution);
        }
    }
    if patients.is_empty() {
        return Ok(());
    }
    sqlx::query!(
        "insert into patient_consent (pacijent_id, registar_id, svrha, dat, dan, tekst_id, napomena, ustanova_id)
         select w.patient, $1, w.purpose, w.given, w.day, t.id, 'Iz uvoza podataka.', w.institution
           from unnest($2::bigint[], $3::text[], $4::boolean[], $5::date[], $6::int[], $7::bigint[])
                    as w (patient, purpose, given, day, text, institution)
           left join lateral (select t.id from consent_text t
                               where w.given and t.registar_id = $1 and t.svrha = w.purpose
                                 and (t.broj = w.text or w.text is null and (t.vreme at time zone 'Europe/Belgrade')::date <= w.day)
                               order by t.broj desc limit 1) t on true
          where not exists (select from patient_consent c
                             where c.pacijent_id = w.patient and c.registar_id = $1 and c.svrha = w.purpose and c.dan = w.day and c.dat = w.given)
          order by w.day, w.patient, w.purpose",
        register,
        &patients,
        &purposes,
        &given,
        &days as _,
        &texts as _,
        &institutions
    )
    .execute(tx)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_purpose_has_its_three_fields() {
        for name in ["saglasnostRegistar", "saglasnostIstrazivanjeDan", "saglasnostKontaktTekst", "saglasnostRazmena"] {
            assert!(has_field(name), "{name}");
        }
        for name in ["saglasnost", "saglasnostKontaktNapomena", "kontakt", "saglasnostDan"] {
            assert!(!has_field(name), "{name}");
        }
    }
}
