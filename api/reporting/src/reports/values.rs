//! The values of a request's parameters: each checked by its type on the server, the hidden ones filled in here.

use std::collections::{BTreeMap, HashSet};

use domain::{
    relative_day::RelativeDay,
    report_sql::ParameterKind,
    shown, time,
    typed::{NumberReading, ambiguous, typed_number},
    years::{YEARS_OF_LIFE, outside},
};
use jiff::civil::Date;
use platform::error::{Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::{
    definition::{Parameter, Report},
    options::Options,
};

const LONGEST_TEXT: usize = 1_000;
const MOST_CHOICES: usize = 1_000;

/// What a client sends for one parameter.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = ReportParameterValue)]
#[serde(untagged)]
pub enum SentValue {
    One(String),
    #[schema(value_type = f64)]
    Number(serde_json::Number),
    Many(Vec<String>),
}

/// By `requestNaziv`; null is as good as absent.
pub type SentValues = BTreeMap<String, Option<SentValue>>;

/// A parameter as people read it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ReportParameterRead)]
pub struct DescribedValue {
    pub naziv: String,
    pub vrednost: String,
    /// The day by which the date is told, where a schedule keeps it so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dan: Option<RelativeDay>,
    /// The date that it means today, where a schedule's card shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sada: Option<String>,
}

/// When the values are meant for.
#[derive(Clone, Copy, Debug)]
pub enum Moment {
    /// A run that begins on this day: days that are told by it become dates.
    Now(Date),
    /// Runs to come, each with dates of its own; on this day the order is given.
    Later(Date),
}

/// What the server knows about who asks; dynamic hidden parameters take their values from it.
#[derive(Clone, Copy, Debug)]
pub struct Asker {
    pub radnik_id: i64,
    pub ustanova_id: i64,
    pub registar_id: Option<i64>,
}

/// Values that may go to the database: a text for each parameter, a list for each multi-select one, null for none.
#[derive(Debug, Default)]
pub struct BoundValues {
    pub parametri: Map<String, Value>,
    pub opis: Vec<DescribedValue>,
}

/// Checks what was sent against the report's parameters. The first fault is named by its parameter.
pub async fn check(report: &Report, sent: &SentValues, session: &Asker, options: &Options<'_>, moment: Moment) -> Result<BoundValues> {
    if let Some(unknown) = sent.keys().find(|name| report.parameter(name).is_none()) {
        return Err(Error::invalid(unknown.clone(), format!("Nepoznat parametar „{}”.", shorten(unknown))));
    }
    let mut values = BoundValues::default();
    for parameter in &report.parametri {
        let texts = match parameter.kind {
            ParameterKind::Hidden => parameter.podrazumevano.clone().into_iter().collect(),
            ParameterKind::DynamicHidden => from_session(parameter, session)?.into_iter().collect(),
            _ => texts(sent.get(&parameter.request_naziv)),
        };
        if texts.is_empty() {
            require(parameter)?;
            values.parametri.insert(parameter.request_naziv.clone(), Value::Null);
            continue;
        }
        let checked = match parameter.kind {
            ParameterKind::Text => vec![text(parameter, one(parameter, &texts)?)?],
            ParameterKind::Date => vec![date(parameter, one(parameter, &texts)?, moment)?],
            ParameterKind::Number => vec![number(parameter, one(parameter, &texts)?)?],
            ParameterKind::Set => choices(parameter, &texts, options).await?,
            ParameterKind::Hidden | ParameterKind::DynamicHidden => texts.into_iter().map(CheckedValue::plain).collect(),
        };
        values.add(parameter, checked);
    }
    dates_in_order(report, &values, moment)?;
    Ok(values)
}

/// A value, and how people read it.
struct CheckedValue {
    value: Value,
    label: String,
    dan: Option<RelativeDay>,
}

impl CheckedValue {
    fn plain(value: String) -> Self {
        Self::new(value.clone(), value)
    }

    fn new(value: impl Into<Value>, label: String) -> Self {
        Self { value: value.into(), label, dan: None }
    }
}

impl BoundValues {
    fn add(&mut self, parameter: &Parameter, checked: Vec<CheckedValue>) {
        if parameter.kind.is_shown() {
            let vrednost = checked.iter().map(|one| one.label.as_str()).collect::<Vec<_>>().join(", ");
            self.opis.push(DescribedValue {
                naziv: parameter.naziv.clone(),
                vrednost,
                dan: checked.first().and_then(|one| one.dan),
                sada: None,
            });
        }
        let mut values = checked.into_iter().map(|one| one.value);
        let value = if parameter.multi_select { Value::Array(values.collect()) } else { values.next().unwrap_or(Value::Null) };
        self.parametri.insert(parameter.request_naziv.clone(), value);
    }
}

/// The texts in what was sent, blank ones dropped (A 5: empty values are no values).
fn texts(sent: Option<&Option<SentValue>>) -> Vec<String> {
    let given = match sent {
        Some(Some(SentValue::One(text))) => vec![text.clone()],
        // A number is no text that could be read in two ways.
        Some(Some(SentValue::Number(number))) => vec![number.to_string().replace('.', ",")],
        Some(Some(SentValue::Many(texts))) => texts.clone(),
        Some(None) | None => Vec::new(),
    };
    let mut seen = HashSet::new();
    given.iter().map(|text| text.trim()).filter(|text| !text.is_empty() && seen.insert(*text)).map(str::to_owned).collect()
}

fn require(parameter: &Parameter) -> Result<()> {
    if parameter.opcioni { Ok(()) } else { Err(refuse(parameter, "je obavezan.")) }
}

fn one<'a>(parameter: &Parameter, texts: &'a [String]) -> Result<&'a str> {
    match texts {
        [only] => Ok(only),
        _ => Err(refuse(parameter, "prima samo jednu vrednost.")),
    }
}

fn text(parameter: &Parameter, text: &str) -> Result<CheckedValue> {
    match fault_of_text(text) {
        Some(why) => Err(refuse(parameter, &why)),
        None => Ok(CheckedValue::plain(text.to_owned())),
    }
}

/// What is wrong with the value of a text parameter, as the end of a sentence.
pub fn fault_of_text(text: &str) -> Option<String> {
    if text.chars().count() > LONGEST_TEXT {
        return Some(format!("ima više od {LONGEST_TEXT} znakova."));
    }
    let strange = text.chars().any(|letter| letter.is_control() && !matches!(letter, '\n' | '\r' | '\t'));
    strange.then(|| "sadrži nedozvoljene znakove.".to_owned())
}

fn date(parameter: &Parameter, text: &str, moment: Moment) -> Result<CheckedValue> {
    if let Some(day) = RelativeDay::named(text) {
        return Ok(match moment {
            Moment::Now(today) => CheckedValue::new(day.on(today).to_string(), day.text_on(today)),
            Moment::Later(_) => CheckedValue { value: day.stored(), label: day.label().to_owned(), dan: Some(day) },
        });
    }
    let date = parse_date(text).ok_or_else(|| refuse(parameter, "nije ispravan datum."))?;
    if let Some(why) = outside(&YEARS_OF_LIFE, date) {
        return Err(refuse(parameter, &format!("{why}.")));
    }
    Ok(CheckedValue::new(date.to_string(), time::date_text(date)))
}

/// `YYYY-MM-DD`.
pub fn parse_date(text: &str) -> Option<Date> {
    let shaped = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| if matches!(at, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() });
    shaped.then(|| text.parse::<Date>().ok()).flatten()
}

/// Takes a number as people type it; the value has a decimal point, the label is as numbers are shown.
fn number(parameter: &Parameter, text: &str) -> Result<CheckedValue> {
    match typed_number(text) {
        NumberReading::Number(number) => Ok(CheckedValue::new(number.to_string(), shown::number(number))),
        NumberReading::Either { .. } => Err(Error::invalid(parameter.request_naziv.clone(), ambiguous(&parameter.naziv, text))),
        NumberReading::Blank | NumberReading::Unreadable => Err(refuse(parameter, "nije ispravan broj.")),
    }
}

/// Each chosen value must be among the options that its query gives this worker now.
async fn choices(parameter: &Parameter, texts: &[String], options: &Options<'_>) -> Result<Vec<CheckedValue>> {
    if !parameter.multi_select {
        one(parameter, texts)?;
    }
    if texts.len() > MOST_CHOICES {
        return Err(refuse(parameter, &format!("ima više od {MOST_CHOICES} vrednosti.")));
    }
    let mut labels = options.labels(parameter, texts).await?;
    texts
        .iter()
        .map(|value| {
            let label = labels.remove(value).ok_or_else(|| refuse(parameter, "sadrži vrednost koja nije ponuđena."))?;
            Ok(CheckedValue::new(value.clone(), label))
        })
        .collect()
}

fn from_session(parameter: &Parameter, session: &Asker) -> Result<Option<String>> {
    match parameter.upit.as_deref().map(str::trim) {
        Some("radnikID") => Ok(Some(session.radnik_id.to_string())),
        Some("ustanovaID") => Ok(Some(session.ustanova_id.to_string())),
        Some("registarID") => Ok(session.registar_id.map(|id| id.to_string())),
        _ => Err(refuse(parameter, "nije ispravno podešen.")),
    }
}

/// A range named `od` and `do` runs forward, as its days are today. A date and a day that moves have no order yet.
fn dates_in_order(report: &Report, values: &BoundValues, moment: Moment) -> Result<()> {
    let (Moment::Now(today) | Moment::Later(today)) = moment;
    let date = |name: &str| {
        let parameter = report.parameter(name).filter(|parameter| parameter.kind == ParameterKind::Date)?;
        let value = values.parametri.get(&parameter.request_naziv)?;
        match RelativeDay::of_stored(value) {
            Some(day) => Some((day.on(today), true)),
            None => Some((parse_date(value.as_str()?)?, false)),
        }
    };
    match (date("od"), date("do")) {
        (Some((first, moves)), Some((last, moves_too))) if last < first && moves == moves_too => {
            Err(Error::invalid("do", "Datum „do” ne sme biti pre datuma „od”."))
        }
        _ => Ok(()),
    }
}

pub(super) fn refuse(parameter: &Parameter, why: &str) -> Error {
    Error::invalid(parameter.request_naziv.clone(), format!("Parametar „{}” {why}", parameter.naziv))
}

fn shorten(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(40).collect()
}
