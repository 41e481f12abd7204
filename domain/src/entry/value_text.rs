//! The text of a stored value, the same wherever a person reads it: in print, in history and in messages here, on the screens by
//! `web/src/format.ts`.

use jiff::civil::Date;
use serde_json::Value;

use super::{files, form::EntryField, rows};
use crate::{
    clock,
    register::ValueType,
    shown::{number, yes_no},
    time::date_text,
};

/// A value of an entry as a reader sees it, with its unit; a blank one, and one that does not fit its field's type, is none.
pub fn value_text(field: &EntryField, value: &Value) -> Option<String> {
    let text = match (field.tva_num_vrednost, value) {
        (ValueType::Choice, Value::Bool(yes)) => yes_no(*yes).to_owned(),
        (ValueType::Number, Value::Number(stored)) => with_unit(field, number(stored.as_f64()?)),
        (ValueType::Text, Value::String(text)) if !text.trim().is_empty() => with_unit(field, text.trim_end().to_owned()),
        (ValueType::Set, Value::Array(chosen)) => {
            let is_chosen = |id: i64| chosen.iter().any(|item| item.as_i64() == Some(id));
            let names: Vec<&str> = field.enum_stavke_sve.iter().filter(|item| is_chosen(item.id)).map(|item| item.naziv.as_str()).collect();
            names.join(", ")
        }
        (ValueType::Panel, Value::Array(_)) if field.is_section() => rows::text(field, value),
        (ValueType::File, Value::Array(_)) => files::text(value),
        (ValueType::Date, Value::String(text)) => date_text(text.parse::<Date>().ok()?),
        (ValueType::Time, Value::String(text)) => clock::time_stored(clock::time_in(text)?),
        (ValueType::Moment, Value::String(text)) => clock::moment_text(clock::moment_in(text)?),
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

fn with_unit(field: &EntryField, text: String) -> String {
    match field.tip_atributa.jedinica.as_deref().map(str::trim).filter(|unit| !unit.is_empty()) {
        Some(unit) => format!("{text} {unit}"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::entry::form::{Choice, FieldType};

    /// Of the table that the browser's tests read too.
    #[derive(Deserialize)]
    struct Cases {
        values: Vec<Case>,
    }

    #[derive(Deserialize)]
    struct Case {
        tip: ValueType,
        jedinica: Option<String>,
        #[serde(default)]
        stavke: Vec<String>,
        vrednost: Value,
        tekst: Option<String>,
    }

    #[test]
    fn stored_values_are_told_by_their_type() {
        let cases: Cases = serde_json::from_str(include_str!("../../value-cases.json")).expect("the table of values");
        for Case { tip, jedinica, stavke, vrednost, tekst } in cases.values {
            let item = |(at, naziv): (usize, &String)| Choice {
                id: at as i64 + 1,
                naziv: naziv.clone(),
                num_vrednost: Some(0.0),
                aktivan: true,
                ..Choice::default()
            };
            let field = EntryField {
                tva_num_vrednost: tip,
                enum_stavke_sve: stavke.iter().enumerate().map(item).collect(),
                tip_atributa: FieldType { jedinica, ..FieldType::default() },
                ..EntryField::default()
            };
            assert_eq!(value_text(&field, &vrednost), tekst, "{tip:?} {vrednost}");
        }
    }
}
