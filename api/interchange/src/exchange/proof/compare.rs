//! What a person sees of a result of either side, and whether both are the same.

use domain::{formula::Value, register::ValueType};
use serde_json::Value as Json;

use super::answers::{Answer, Question, words};

#[derive(Clone, Debug, PartialEq)]
pub enum ProofValue {
    Blank,
    Number(f64),
    Text(String),
    Yes(bool),
}

impl ProofValue {
    /// What is not a number, and what is infinite, is no result.
    pub fn of_source(answer: &Answer) -> Self {
        match answer {
            Answer::Blank => Self::Blank,
            Answer::Number(number) if number.is_finite() => Self::Number(*number),
            Answer::Number(_) => Self::Blank,
            Answer::Text(text) if text.trim().is_empty() => Self::Blank,
            Answer::Text(text) => Self::Text(text.clone()),
            Answer::Date(day) => Self::Text(day.to_string()),
            Answer::Yes(yes) => Self::Yes(*yes),
            Answer::Options(chosen) => Self::Text(chosen.join(" ")),
        }
    }

    /// As the field keeps it, but for rounding.
    pub fn of_result(value: &Value, question: &Question) -> Self {
        match (question.field.tip_vrednosti, value) {
            (ValueType::Number, Value::Number(number)) => Self::Number(if number.is_finite() { *number } else { 0.0 }),
            (ValueType::Text, Value::Date(day)) => Self::Text(day.to_string()),
            (ValueType::Set, value) => {
                let Json::Array(chosen) = question.field.result(value) else { return Self::Blank };
                let codes = question.codes.iter().zip(&question.field.items).filter(|(_, item)| chosen.contains(&Json::from(item.id)));
                Self::of_source(&Answer::Text(codes.map(|(code, _)| code.as_str()).collect::<Vec<_>>().join(" ")))
            }
            _ => match question.field.result(value) {
                Json::Bool(yes) => Self::Yes(yes),
                Json::Number(number) => number.as_f64().map_or(Self::Blank, Self::Number),
                Json::String(text) => Self::Text(text),
                _ => Self::Blank,
            },
        }
    }

    /// A condition that is blank does not hold.
    pub fn of_condition(value: &Value) -> Self {
        Self::Yes(match value {
            Value::Blank => false,
            Value::Number(number) => *number != 0.0,
            Value::Text(_) | Value::Code(_) | Value::Date(_) | Value::Time(_) | Value::Moment(_) | Value::Items(_) => true,
        })
    }

    pub fn equals(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(one), Self::Number(other)) => (one - other).abs() <= 1e-9 * one.abs().max(other.abs()).max(1.0),
            (Self::Text(text), Self::Number(number)) | (Self::Number(number), Self::Text(text)) => {
                text.replace(',', ".").parse::<f64>().is_ok_and(|text| Self::Number(text).equals(&Self::Number(*number)))
            }
            (Self::Text(one), Self::Text(other)) => one == other || with_points(one) == with_points(other),
            (one, other) => one == other,
        }
    }

    /// Than the two that an entry keeps.
    pub fn has_more_decimals(&self) -> bool {
        if let Self::Number(number) = self {
            ((number * 100.0).round() / 100.0 - number).abs() > 1e-9 * number.abs().max(1.0)
        } else {
            false
        }
    }

    pub fn words(&self) -> String {
        match self {
            Self::Blank => "prazno".to_owned(),
            Self::Number(number) => words(&Answer::Number((number * 1e6).round() / 1e6)),
            Self::Text(text) => words(&Answer::Text(text.clone())),
            Self::Yes(yes) => words(&Answer::Yes(*yes)),
        }
    }
}

/// Numbers in a text have a decimal comma here, and a point there.
fn with_points(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let is_digit = |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(char::is_ascii_digit);
    let plain = |(at, letter): (usize, &char)| {
        if *letter == ',' && is_digit(at.checked_sub(1)) && is_digit(Some(at + 1)) { '.' } else { *letter }
    };
    letters.iter().enumerate().map(plain).collect()
}
