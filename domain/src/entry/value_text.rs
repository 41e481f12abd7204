//! The text of a stored value, the same wherever a person reads it: in print, in history and in messages here, on the screens by
//! `web/src/format.ts`.

use serde_json::Value;

use super::{files, form::EntryField, meaning::unit, rows};
use crate::{
    answer::Answer,
    clock,
    register::ValueType,
    shown::{number, yes_no},
    time::date_text,
};

/// A value of an entry as a reader sees it, with its unit; a blank one, and one that does not fit its field's type, is none.
pub fn value_text(field: &EntryField, value: &Value) -> Option<String> {
    let text = match Answer::of(field.tva_num_vrednost, value) {
        Some(answer @ (Answer::Number(_) | Answer::Text(_))) => with_unit(field, answer_text(field, &answer)),
        Some(answer) => answer_text(field, &answer),
        None if field.is_section() => rows::text(field, value),
        None if field.tva_num_vrednost == ValueType::File => files::text(value),
        None => return None,
    };
    (!text.is_empty()).then_some(text)
}

/// An answer as a reader sees it, without its unit.
pub fn answer_text(field: &EntryField, answer: &Answer) -> String {
    match answer {
        Answer::Choice(yes) => yes_no(*yes).to_owned(),
        Answer::Number(stored) => number(*stored),
        Answer::Text(text) => text.trim_end().to_owned(),
        Answer::Set(chosen) => {
            let names = field.enum_stavke_sve.iter().filter(|item| chosen.contains(&item.id)).map(|item| item.naziv.as_str());
            names.collect::<Vec<_>>().join(", ")
        }
        Answer::Date(date) => date_text(*date),
        Answer::Time(time) => clock::time_stored(*time),
        Answer::Moment(at) => clock::moment_text(*at),
    }
}

fn with_unit(field: &EntryField, text: String) -> String {
    match unit(field).filter(|_| !text.is_empty()) {
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
