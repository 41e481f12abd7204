//! An example kept with a formula: what is entered, and what must come of it. A published score proves itself by the numbers of its paper.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::{refusal::Refusal, text};

/// Of one formula.
const MOST: usize = 50;
/// Values that one example names.
const MOST_VALUES: usize = 500;
/// Characters of a name.
const LONGEST_NAME: usize = 200;

/// Values by the codes of fields, as a person writes them: a number, a text, `YYYY-MM-DD`, yes or no; of a set the names or numbers of
/// items. What is not named is blank.
pub type Given = BTreeMap<String, Value>;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = FormulaExample)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Example {
    #[serde(deserialize_with = "text::optional", skip_serializing_if = "Option::is_none")]
    pub naziv: Option<String>,
    /// A calculated field that is named is not computed.
    #[serde(deserialize_with = "present", skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(value_type = Object)]
    pub ulazi: Given,
    /// Rows of sections that repeat; each is one of the section whose columns it names.
    #[serde(deserialize_with = "rows", skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<Object>)]
    pub redovi: Vec<Given>,
    #[serde(skip_serializing_if = "Circumstances::is_unknown")]
    pub okolnosti: Circumstances,
    /// Values of the previous entry.
    #[serde(deserialize_with = "present", skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(value_type = Object)]
    pub prethodno: Given,
    /// None: the result is blank.
    #[serde(deserialize_with = "result", skip_serializing_if = "Value::is_null")]
    pub rezultat: Value,
}

/// What a formula asks besides the form; what is not said is not known, and today is the day of the examination.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = FormulaExampleCircumstances)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Circumstances {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub danas: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub datum_pregleda: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub datum_rodjenja: Option<Date>,
    /// Whether male.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pol: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pol_na_rodjenju: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub prethodni_datum: Option<Date>,
}

impl Circumstances {
    fn is_unknown(&self) -> bool {
        *self == Self::default()
    }
}

impl Example {
    /// As it is told of; `at` counts from 0.
    pub fn called(&self, at: usize) -> String {
        match &self.naziv {
            Some(name) => format!("Primer „{name}”"),
            None => format!("Primer {}", at + 1),
        }
    }

    pub(super) fn refusal(examples: &[Self]) -> Option<Refusal> {
        let too_long = |example: &Self| example.naziv.as_ref().is_some_and(|name| name.chars().count() > LONGEST_NAME);
        let values = |example: &Self| example.ulazi.len() + example.prethodno.len() + example.redovi.iter().map(Given::len).sum::<usize>();
        let message = if examples.len() > MOST {
            format!("Uz formulu može stajati najviše {MOST} primera.")
        } else if examples.iter().any(too_long) {
            format!("Naziv primera može imati najviše {LONGEST_NAME} znakova.")
        } else if examples.iter().any(|example| values(example) > MOST_VALUES) {
            format!("Primer može imati najviše {MOST_VALUES} vrednosti.")
        } else {
            return None;
        };
        Some(Refusal::new("primeri", message))
    }
}

/// None at all are no examples.
pub(super) fn some<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<Example>>, D::Error> {
    Ok(Option::<Vec<Example>>::deserialize(from)?.filter(|examples| !examples.is_empty()))
}

/// Blank is one thing, and so is a whole number, whoever writes it.
fn plain(value: Value) -> Value {
    match value {
        Value::String(text) if text.trim().is_empty() => Value::Null,
        Value::Array(items) if items.is_empty() => Value::Null,
        Value::Array(items) => items.into_iter().map(plain).collect(),
        Value::Number(number) => match number.as_f64() {
            Some(float) if float.fract() == 0.0 && float.abs() < 9e15 => Value::from(float as i64),
            _ => Value::Number(number),
        },
        other => other,
    }
}

fn filled(values: Given) -> Given {
    values.into_iter().map(|(code, value)| (code, plain(value))).filter(|(_, value)| !value.is_null()).collect()
}

fn result<'de, D: Deserializer<'de>>(from: D) -> Result<Value, D::Error> {
    Value::deserialize(from).map(plain)
}

fn present<'de, D: Deserializer<'de>>(from: D) -> Result<Given, D::Error> {
    Given::deserialize(from).map(filled)
}

/// A row in which nothing stands is none.
fn rows<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Given>, D::Error> {
    Ok(Vec::<Given>::deserialize(from)?.into_iter().map(filled).filter(|row| !row.is_empty()).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_blank_in_an_example_is_not_kept() {
        let typed = json!({ "naziv": " ", "ulazi": { "a": 1, "b": null, "c": " ", "d": [] }, "redovi": [{ "x": null }, { "x": 2 }],
            "okolnosti": { "danas": null, "pol": true }, "rezultat": 7.0 });
        let example: Example = serde_json::from_value(typed).unwrap();
        assert_eq!(
            serde_json::to_value(&example).unwrap(),
            json!({ "ulazi": { "a": 1 }, "redovi": [{ "x": 2 }], "okolnosti": { "pol": true }, "rezultat": 7 })
        );
        assert!(serde_json::from_value::<Example>(json!({ "ulaz": {} })).is_err());
        assert!(serde_json::from_value::<Example>(json!({ "okolnosti": { "danas": "2026-02-30" } })).is_err());
    }

    #[test]
    fn examples_have_bounds() {
        let named = |length: usize| Example { naziv: Some("a".repeat(length)), ..Example::default() };
        assert_eq!(Example::refusal(&vec![named(200); 50]), None);
        assert!(Example::refusal(&vec![named(1); 51]).unwrap().message.contains("najviše 50 primera"));
        assert!(Example::refusal(&[named(201)]).is_some());
        let many = (0..501).map(|at| (format!("a{at}"), json!(1))).collect();
        assert!(Example::refusal(&[Example { ulazi: many, ..Example::default() }]).is_some());
    }
}
