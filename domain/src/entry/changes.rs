//! What an entry says otherwise than the patient's earlier entries of its form: shown on the patient's page, in the summary and in prints.

use std::collections::{BTreeSet, HashMap};

use jiff::civil::Date;
use serde::Serialize;
use sqlx::PgConnection;
use utoipa::ToSchema;

use super::{
    form::{EntryField, EntryForm},
    previous,
    value_text::value_text,
    values::Values,
};
use crate::{answer::Answer, formula::round::add, shown::number, time::date_text};

/// A field whose value is another one than before. Neither text: the field is blank there.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangedValue {
    pub polje: i64,
    pub naziv: String,
    pub sada: Option<String>,
    pub pre: Option<String>,
    /// The day of the entry that held the earlier value.
    pub datum: Option<Date>,
    /// Of two numbers in one unit.
    pub razlika: Option<f64>,
}

#[derive(Debug, Default, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EntryChanges {
    /// No earlier entry of the form holds anything.
    pub prvi_put: bool,
    pub promene: Vec<ChangedValue>,
}

impl ChangedValue {
    /// How far it is from the earlier value: `+3`.
    pub fn difference(&self) -> Option<String> {
        self.razlika.map(|by| if by > 0.0 { format!("+{}", number(by)) } else { number(by) })
    }

    /// The earlier value and its day.
    pub fn earlier(&self) -> Option<String> {
        let day = self.datum.map(|day| format!(" ({})", date_text(day))).unwrap_or_default();
        self.pre.as_ref().map(|text| format!("{text}{day}"))
    }
}

/// Of the `stored` values of `entry`, which was examined on `examined` in `institution`; what a formula hides is told nowhere. Whoever asks
/// knows the patient already.
pub async fn since_earlier(
    db: &mut PgConnection,
    form: &EntryForm,
    (stored, hidden): (&Values, &BTreeSet<i64>),
    (patient, institution): (i64, Option<i64>),
    examined: Date,
    entry: i64,
) -> sqlx::Result<EntryChanges> {
    let earlier = previous::values(db, form, patient, institution, examined, Some(entry)).await?;
    // What was left blank before this entry already is no change of it.
    let Some(last) = earlier.iter().map(|value| value.datum).max() else {
        return Ok(EntryChanges { prvi_put: true, promene: Vec::new() });
    };
    let mut earlier: HashMap<i64, previous::PreviousValue> = earlier.into_iter().map(|value| (value.polje, value)).collect();
    let names = names(&form.fields);
    let changed =
        form.fields.iter().filter(|field| field.prikazuje_se && field.tva_num_vrednost.holds_value() && !hidden.contains(&field.id));
    let changed = changed.filter_map(|field| {
        let value = stored.get(&field.id);
        let sada = value.and_then(|value| value_text(field, value));
        let was = earlier.remove(&field.id);
        let now = value.and_then(|value| Answer::number(field.tva_num_vrednost, value));
        let razlika = now.zip(was.as_ref().and_then(|was| was.broj)).map(|(now, was)| add(now, -was));
        let is_same = match razlika {
            Some(by) => by == 0.0,
            None => sada.as_deref() == was.as_ref().map(|was| was.tekst.as_str()),
        };
        let was_blank = sada.is_none() && was.as_ref().is_some_and(|was| was.datum != last);
        if is_same || was_blank {
            return None;
        }
        let datum = was.as_ref().map(|was| was.datum);
        let naziv = names.get(&field.id).cloned().unwrap_or_else(|| field.naziv.clone());
        Some(ChangedValue { polje: field.id, naziv, sada, pre: was.map(|was| was.tekst), datum, razlika })
    });
    Ok(EntryChanges { prvi_put: false, promene: changed.collect() })
}

/// Names by which fields are told outside their form: one that the form has several times is followed by that of what it lies in.
pub fn names(fields: &[EntryField]) -> HashMap<i64, String> {
    let mut times: HashMap<&str, usize> = HashMap::new();
    for field in fields.iter().filter(|field| field.holds_value()) {
        *times.entry(field.naziv.as_str()).or_default() += 1;
    }
    let around: HashMap<i64, &str> = fields.iter().map(|field| (field.id, field.naziv.as_str())).collect();
    let name = |field: &EntryField| match field.naredjeni_auts.and_then(|panel| around.get(&panel)) {
        Some(panel) if times.get(field.naziv.as_str()).is_some_and(|times| *times > 1) => format!("{} ({panel})", field.naziv),
        _ => field.naziv.clone(),
    };
    fields.iter().map(|field| (field.id, name(field))).collect()
}
