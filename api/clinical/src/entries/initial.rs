//! First values of a new entry: what its fields held last up to the day of examination, what their queries find, or what the form says;
//! each with where it was taken from, and what could not be found out.

use accounts::auth::Actor;
use domain::{
    answer::Answer,
    clock,
    register::ValueType,
    report_sql::{Bind, Binds, ReportSqlError, Scope},
};
use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use platform::{error::Result, state::AppState};
use serde::Serialize;
use serde_json::{Value, json};
use sqlx::PgConnection;
use utoipa::ToSchema;

use super::{
    form::{EntryField, EntryForm},
    values::{self, Values},
};

/// Where a first value comes from.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FirstValueSource)]
pub enum Source {
    /// An earlier entry of the patient.
    Unos,
    /// The field's query.
    Upit,
    /// The form says it of every new entry.
    Obrazac,
}

/// A first value that was not typed by anybody for this entry: the person who fills it confirms or changes it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FirstValue {
    /// The field's id.
    polje: i64,
    izvor: Source,
    /// The entry that held it, and that entry's day; none where it comes from elsewhere.
    #[serde(rename = "unosID")]
    unos_id: Option<i64>,
    datum: Option<Date>,
}

/// A field whose query found nothing out.
#[derive(Debug, Serialize, ToSchema)]
pub struct QueryFault {
    polje: i64,
    naziv: String,
    poruka: &'static str,
}

#[derive(Debug, Default)]
pub struct Initial {
    pub values: Values,
    pub taken: Vec<FirstValue>,
    pub faults: Vec<QueryFault>,
    /// Fields whose queries have not been asked yet, and what they hold where nothing is found out.
    unasked: Vec<(i64, Option<Value>)>,
}

/// Whose entry it will be, and of which day.
pub struct Visit<'a> {
    pub state: &'a AppState,
    pub actor: &'a Actor,
    pub patient: i64,
    pub day: Date,
}

/// What the application's own tables say; what the form's queries find is asked afterwards.
pub async fn of_form(db: &mut PgConnection, visit: &Visit<'_>, form: &EntryForm) -> Result<Initial> {
    let mut initial = Initial::default();
    let boxes = values::tick_boxes(&form.fields);
    for field in form.fields.iter().filter(|field| field.tva_num_vrednost.holds_value() && !field.is_calculated()) {
        // The No of a box to tick is what it says without a first value too.
        let otherwise = own(field).filter(|value| *value != Value::Bool(false) || !boxes.contains(&field.id));
        if field.initial.last_saved
            && let Some((value, taken)) = last_saved(db, visit, form, field).await?
        {
            initial.taken.push(taken);
            initial.values.insert(field.id, value);
        } else if query_of(field).is_some() {
            initial.unasked.push((field.id, otherwise));
        } else if let Some(value) = otherwise {
            initial.take(field.id, Source::Obrazac, value);
        }
    }
    Ok(initial)
}

impl Initial {
    fn take(&mut self, polje: i64, izvor: Source, value: Value) {
        self.taken.push(FirstValue { polje, izvor, unos_id: None, datum: None });
        self.values.insert(polje, value);
    }

    /// Asks the queries, one after another, and answers boxes that nothing ticks. They have connections of their own: whoever held one while waiting for them would keep it
    /// from everybody, and with a few more from itself.
    pub async fn ask(&mut self, visit: &Visit<'_>, register: i64, fields: &[EntryField]) -> Result<()> {
        for (id, otherwise) in std::mem::take(&mut self.unasked) {
            let Some((field, sql)) = fields.iter().find(|field| field.id == id).and_then(|field| Some((field, query_of(field)?))) else {
                continue;
            };
            let found = match queried(visit, register, field, sql).await? {
                Ok(found) => found,
                // A query that fails keeps nobody from the form, but it is told.
                Err(poruka) => {
                    self.faults.push(QueryFault { polje: id, naziv: field.naziv.clone(), poruka });
                    None
                }
            };
            match (found, otherwise) {
                (Some(value), _) => self.take(id, Source::Upit, value),
                (None, Some(value)) => self.take(id, Source::Obrazac, value),
                (None, None) => {}
            }
        }
        values::untick(fields, &mut self.values);
        // In the order of the form.
        self.taken.sort_by_key(|taken| fields.iter().position(|field| field.id == taken.polje));
        Ok(())
    }
}

fn query_of(field: &EntryField) -> Option<&str> {
    field.initial.query.as_deref().filter(|sql| !sql.trim().is_empty())
}

/// What the form's designer gave.
fn own(field: &EntryField) -> Option<Value> {
    match field.tva_num_vrednost {
        ValueType::Choice => field.initial.choice.map(Value::Bool),
        ValueType::Number => field.inicijalna_brojna_vrednost.map(|number| json!(number)),
        ValueType::Text => field.initial.text.clone().map(Value::String),
        ValueType::Set => field.initial.item.and_then(|item| offered(field, vec![item])),
        ValueType::Date | ValueType::Time | ValueType::Moment => field.initial.text.as_deref().and_then(|text| typed(field, text)),
        _ => None,
    }
}

/// The value of the newest entry up to the day that has one.
async fn last_saved(
    db: &mut PgConnection,
    visit: &Visit<'_>,
    form: &EntryForm,
    field: &EntryField,
) -> sqlx::Result<Option<(Value, FirstValue)>> {
    let last = sqlx::query!(
        r#"select id, datum_unosa, vrednosti -> $3 as "value!" from entry
            where pacijent_id = $1 and tsa_id = $2 and aktivan and vrednosti ? $3 and datum_unosa <= $4
              and (ustanova_id = $5 or not (select reads_own_entries_only($5, $1)))
            order by datum_unosa desc, id desc limit 1"#,
        visit.patient,
        form.id,
        field.id.to_string(),
        visit.day.to_sqlx() as _,
        visit.actor.ustanova_id,
    )
    .fetch_optional(db)
    .await?;
    Ok(last.and_then(|last| {
        let taken = FirstValue { polje: field.id, izvor: Source::Unos, unos_id: Some(last.id), datum: Some(last.datum_unosa.to_jiff()) };
        let chosen = match Answer::of(field.tva_num_vrednost, &last.value)? {
            Answer::Set(chosen) => Some(chosen),
            _ => None,
        };
        let value = match chosen {
            Some(chosen) => offered(field, chosen)?,
            None => last.value,
        };
        Some((value, taken))
    }))
}

/// Chosen items without those that are not to be chosen any more.
fn offered(field: &EntryField, mut chosen: Vec<i64>) -> Option<Value> {
    chosen.retain(|id| field.enum_stavke_sve.iter().any(|item| item.aktivan && item.id == *id));
    (!chosen.is_empty()).then(|| Answer::Set(chosen).into())
}

/// The names that a field's query may use.
pub fn binds(worker: i64, institution: Option<i64>, patient: Option<i64>, register: Option<i64>, day: Date) -> Binds {
    Binds::from([
        ("pacijentID".to_owned(), Bind::Int(patient)),
        ("radnikID".to_owned(), Bind::Int(Some(worker))),
        ("ustanovaID".to_owned(), Bind::Int(institution)),
        ("registarID".to_owned(), Bind::Int(register)),
        ("datumUnosa".to_owned(), Bind::Date(Some(day))),
    ])
}

/// What the field's query finds, read under the report role within the worker's institution: the first column of the first row.
async fn queried(
    visit: &Visit<'_>,
    register: i64,
    field: &EntryField,
    sql: &str,
) -> Result<std::result::Result<Option<Value>, &'static str>> {
    let institution = visit.actor.ustanova()?;
    let binds = binds(visit.actor.radnik_id, Some(institution), Some(visit.patient), Some(register), visit.day);
    let scope = Scope { run: None, radnik_id: visit.actor.radnik_id, ustanova_id: Some(institution) };
    let found = match visit.state.report_db.first(scope, sql, &binds, visit.patient).await {
        Ok(found) => found,
        Err(error) => {
            tracing::warn!(field = field.id, %error, "the query of an initial value failed");
            return Ok(Err(reason(&error)));
        }
    };
    let Some(text) = found.filter(|text| !text.trim().is_empty()) else { return Ok(Ok(None)) };
    Ok(typed(field, &text).map(Some).ok_or("upit je dao vrednost koja ne odgovara ovom polju"))
}

/// Why a query found nothing out, for people.
fn reason(error: &ReportSqlError) -> &'static str {
    match error {
        ReportSqlError::Stopped | ReportSqlError::Interrupted => "upit je trajao predugo",
        ReportSqlError::Passing(_) => "baza trenutno ne odgovara",
        _ => "upit nije ispravan, obratite se administratoru",
    }
}

/// A text as the field's type reads it; what does not fit is no value.
fn typed(field: &EntryField, text: &str) -> Option<Value> {
    let text = text.trim();
    match field.tva_num_vrednost {
        ValueType::Choice => match text {
            "true" | "t" | "1" => Some(Value::Bool(true)),
            "false" | "f" | "0" => Some(Value::Bool(false)),
            _ => None,
        },
        ValueType::Number => text.parse::<f64>().ok().filter(|number| number.is_finite()).map(|number| json!(number)),
        ValueType::Text => (!text.is_empty()).then(|| json!(text)),
        ValueType::Set => text.parse::<i64>().ok().and_then(|id| offered(field, vec![id])),
        ValueType::Date => text.get(..10).unwrap_or(text).parse::<Date>().ok().map(|date| Answer::Date(date).into()),
        // A query's time may have seconds, which no entry holds.
        ValueType::Time => clock::time_in(text.get(..5).unwrap_or(text)).map(|time| Answer::Time(time).into()),
        ValueType::Moment => clock::moment_in(text.get(..16).unwrap_or(text)).map(|at| Answer::Moment(at).into()),
        _ => None,
    }
}
