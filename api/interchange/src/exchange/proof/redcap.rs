//! What an expression of REDCap gives: as the pages that it sends to a browser evaluate it (`chkNull`, `sum`, `datediff` of its
//! `base.js`), rounding as its server does. A blank number is `NaN`; any other blank answer is an empty text.

use std::{cmp::Ordering, collections::HashMap};

use jiff::{Unit, civil::Date};
use rust_decimal::prelude::ToPrimitive;

use super::{Answer, Answers, Outcome, TODAY};
use crate::exchange::{
    expression::{Node, Sign},
    known_field::{ExpressionField, Kind, number_of_code},
};

/// Of binary arithmetic: numbers nearer to each other are equal.
const NOISE: f64 = 1e-13;

/// What JavaScript calls it; REDCap writes a blank number so.
const NAN: &str = "NaN";

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Number(f64),
    Text(String),
    Truth(bool),
}

/// An expression with the fields that it reads.
pub struct Source {
    pub node: Node,
    pub fields: HashMap<String, ExpressionField>,
    /// Calculations read every field as a number, conditions only those that hold numbers.
    pub calculates: bool,
}

impl Source {
    pub fn condition(&self, answers: &Answers) -> Option<Outcome> {
        self.value(&self.node, answers).map(|value| Outcome::Holds(value.truth()))
    }

    /// A calculated field keeps numbers only.
    pub fn result(&self, answers: &Answers) -> Option<Outcome> {
        let number = match self.value(&self.node, answers)? {
            Value::Truth(_) => f64::NAN,
            other => other.number(),
        };
        Some(Outcome::Gives(if number.is_finite() { Answer::Number(number) } else { Answer::Blank }))
    }

    fn value(&self, node: &Node, answers: &Answers) -> Option<Value> {
        let value = |node: &Node| self.value(node, answers);
        let number = |node: &Node| Some(value(node)?.number());
        Some(match node {
            Node::Number(number) => Value::Number(*number),
            Node::Text(text) => Value::Text(text.clone()),
            Node::Field(key) => self.field(key, answers)?,
            Node::Ticked(key, option) => Value::Number(f64::from(u8::from(self.is_ticked(key, option, answers)?))),
            Node::Rows(..) => return None,
            Node::Minus(of) => Value::Number(-number(of)?),
            Node::Call(name, args) => return self.call(name, args, answers),
            Node::Binary(sign, left, right) => match sign {
                Sign::Or => Value::Truth(value(left)?.truth() || value(right)?.truth()),
                Sign::And => Value::Truth(value(left)?.truth() && value(right)?.truth()),
                sign if sign.compares() => return self.compared(*sign, left, right, answers),
                Sign::Add => Value::Number(number(left)? + number(right)?),
                Sign::Subtract => Value::Number(number(left)? - number(right)?),
                Sign::Multiply => Value::Number(number(left)? * number(right)?),
                Sign::Divide => Value::Number(number(left)? / number(right)?),
                Sign::Power => Value::Number(number(left)?.powf(number(right)?)),
                _ => Value::Number(number(left)? % number(right)?),
            },
        })
    }

    /// Beside an empty text, or `NaN`, a field is asked whether it is blank.
    fn compared(&self, sign: Sign, left: &Node, right: &Node, answers: &Answers) -> Option<Value> {
        let asks = |node: &Node| matches!(node, Node::Text(text) if text.is_empty() || text == NAN);
        let blank = |node: &Node| match node {
            Node::Field(key) => Some(self.answer(key, answers)? == Answer::Blank),
            _ => None,
        };
        let of_blank = if asks(right) {
            blank(left)
        } else if asks(left) {
            blank(right)
        } else {
            None
        };
        if let (Some(blank), Sign::Equal | Sign::Unequal) = (of_blank, sign) {
            return Some(Value::Truth(blank == (sign == Sign::Equal)));
        }
        Some(Value::Truth(compare(sign, &self.value(left, answers)?, &self.value(right, answers)?)))
    }

    fn answer(&self, key: &str, answers: &Answers) -> Option<Answer> {
        let known = self.fields.get(key)?;
        Some(answers.get(&known.code).cloned().unwrap_or(Answer::Blank))
    }

    fn is_ticked(&self, key: &str, option: &str, answers: &Answers) -> Option<bool> {
        Some(matches!(self.answer(key, answers)?, Answer::Options(chosen) if chosen.iter().any(|one| one == option)))
    }

    fn field(&self, key: &str, answers: &Answers) -> Option<Value> {
        let known = self.fields.get(key)?;
        if matches!(known.kind, Kind::Set { multiple: true, .. }) {
            return None;
        }
        Some(match self.answer(key, answers)? {
            Answer::Blank => blank(known, self.calculates),
            Answer::Number(number) => Value::Number(number),
            Answer::Text(text) => Value::Text(text),
            Answer::Date(day) => Value::Text(day.to_string()),
            Answer::Yes(yes) => option(known, if yes { "1" } else { "0" }, self.calculates),
            Answer::Options(chosen) => option(known, &chosen.join(" "), self.calculates),
        })
    }

    fn call(&self, name: &str, args: &[Node], answers: &Answers) -> Option<Value> {
        if let ("if", [condition, then, otherwise]) = (name, args) {
            let holds = self.value(condition, answers)?.truth();
            return self.value(if holds { then } else { otherwise }, answers);
        }
        if let ("isblankormissingcode", [Node::Field(key)]) = (name, args) {
            return Some(Value::Truth(self.answer(key, answers)? == Answer::Blank));
        }
        let values: Vec<Value> = args.iter().map(|arg| self.value(arg, answers)).collect::<Option<_>>()?;
        let number = |math: fn(f64) -> f64| values.first().map(|value| Value::Number(math(value.number())));
        Some(match (name, values.as_slice()) {
            ("not", [one]) => Value::Truth(!one.truth()),
            ("true", []) => Value::Truth(true),
            ("false", []) => Value::Truth(false),
            ("isnumber", [one]) => Value::Truth(!matches!(one, Value::Truth(_)) && one.number().is_finite()),
            ("round", all @ [_] | all @ [_, _]) => {
                Value::Number(scaled(all, |number| (number.abs() + 0.5 + number.abs() * 1e-12).floor().copysign(number)))
            }
            ("roundup", all @ [_] | all @ [_, _]) => Value::Number(scaled(all, |number| (number - number.abs() * 1e-12).ceil())),
            ("rounddown", all @ [_] | all @ [_, _]) => Value::Number(scaled(all, |number| (number + number.abs() * 1e-12).floor())),
            ("abs", [_]) => number(f64::abs)?,
            ("sqrt", [_]) => number(f64::sqrt)?,
            ("exp", [_]) => number(f64::exp)?,
            ("log", [_]) => number(f64::ln)?,
            ("log", [one, base]) => Value::Number(one.number().ln() / base.number().ln()),
            ("log10", [_]) => number(f64::log10)?,
            ("pow", [base, exponent]) => Value::Number(base.number().powf(exponent.number())),
            ("sum", all) => {
                let numbers: Vec<f64> =
                    all.iter().filter(|one| !matches!(one, Value::Truth(_))).map(Value::number).filter(|one| one.is_finite()).collect();
                if numbers.is_empty() { Value::Text(NAN.to_owned()) } else { Value::Number(numbers.iter().sum()) }
            }
            ("min" | "max" | "mean" | "median" | "stdev", all @ [_, ..]) => {
                Value::Number(passing(all).map_or(f64::NAN, |numbers| of_many(name, numbers)))
            }
            ("datediff", [from, to, Value::Text(unit), rest @ ..]) => {
                let signed = rest.iter().any(|one| matches!(one, Value::Truth(true)) || matches!(one, Value::Text(text) if text == "true"));
                datediff(from, to, unit, signed)?
            }
            _ => return None,
        })
    }
}

/// What a blank answer of the field is to expressions.
pub fn blank(known: &ExpressionField, calculates: bool) -> Value {
    match known.kind {
        Kind::Number => Value::Text(NAN.to_owned()),
        Kind::Choice | Kind::Set { .. } if calculates => Value::Text(NAN.to_owned()),
        _ => Value::Text(String::new()),
    }
}

/// What an option is to them.
pub fn option(known: &ExpressionField, code: &str, calculates: bool) -> Value {
    match number_of_code(code).and_then(|number| number.to_f64()) {
        Some(number) if calculates || matches!(known.kind, Kind::Number) => Value::Number(number),
        _ => Value::Text(code.to_owned()),
    }
}

/// As JavaScript compares: two texts letter by letter, else numbers, an empty text being 0.
pub fn compare(sign: Sign, left: &Value, right: &Value) -> bool {
    let number = |value: &Value| match value {
        Value::Text(text) if text.trim().is_empty() => 0.0,
        other => other.number(),
    };
    let order = match (left, right) {
        (Value::Text(one), Value::Text(other)) => Some(one.as_str().cmp(other)),
        _ => match (number(left), number(right)) {
            (one, other) if (one - other).abs() <= NOISE * one.abs().max(other.abs()) => Some(Ordering::Equal),
            (one, other) => one.partial_cmp(&other),
        },
    };
    match sign {
        Sign::Equal => order.is_some_and(|order| order.is_eq()),
        Sign::Unequal => order.is_none_or(|order| order.is_ne()),
        Sign::Less => order.is_some_and(|order| order.is_lt()),
        Sign::AtMost => order.is_some_and(|order| order.is_le()),
        Sign::More => order.is_some_and(|order| order.is_gt()),
        _ => order.is_some_and(|order| order.is_ge()),
    }
}

impl Value {
    fn number(&self) -> f64 {
        match self {
            Self::Number(number) => *number,
            Self::Truth(truth) => f64::from(u8::from(*truth)),
            Self::Text(text) => text.trim().parse().unwrap_or(f64::NAN),
        }
    }

    fn truth(&self) -> bool {
        match self {
            Self::Number(number) => *number != 0.0 && !number.is_nan(),
            Self::Text(text) => !text.is_empty(),
            Self::Truth(truth) => *truth,
        }
    }
}

fn scaled(values: &[Value], round: fn(f64) -> f64) -> f64 {
    let scale = 10_f64.powf(values.get(1).map(Value::number).filter(|places| !places.is_nan()).unwrap_or_default());
    values.first().map_or(f64::NAN, |value| round(value.number() * scale) / scale)
}

/// The numbers among them, one at least: what is blank is passed over, anything else that is no number leaves no result.
fn passing(values: &[Value]) -> Option<Vec<f64>> {
    let mut numbers = Vec::new();
    for value in values {
        match value {
            Value::Number(number) if number.is_finite() => numbers.push(*number),
            // `chkNull` has made `NaN` of what is no number.
            Value::Text(text) => numbers.extend(text.trim().parse::<f64>().ok().filter(|number| number.is_finite())),
            Value::Number(_) | Value::Truth(_) => return None,
        }
    }
    (!numbers.is_empty()).then_some(numbers)
}

fn of_many(name: &str, mut numbers: Vec<f64>) -> f64 {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    match name {
        "min" => numbers.into_iter().fold(f64::INFINITY, f64::min),
        "max" => numbers.into_iter().fold(f64::NEG_INFINITY, f64::max),
        "mean" => mean,
        "stdev" => (numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / (count - 1.0)).sqrt(),
        _ => {
            numbers.sort_by(f64::total_cmp);
            let middle = numbers.len() / 2;
            if numbers.len() % 2 == 1 { numbers[middle] } else { (numbers[middle - 1] + numbers[middle]) / 2.0 }
        }
    }
}

fn datediff(from: &Value, to: &Value, unit: &str, signed: bool) -> Option<Value> {
    let day = |value: &Value| match value {
        Value::Text(text) if text == "today" => Some(Some(TODAY)),
        Value::Text(text) if text.is_empty() || text == NAN => Some(None),
        Value::Text(text) => text.parse::<Date>().ok().map(Some),
        _ => None,
    };
    let (Some(from), Some(to)) = (day(from)?, day(to)?) else { return Some(Value::Text(NAN.to_owned())) };
    let days = f64::from(from.until((Unit::Day, to)).ok()?.get_days());
    let days = if signed { days } else { days.abs() };
    Some(Value::Number(match unit {
        "y" => days / 365.2425,
        "M" => days / 30.44,
        "d" => days,
        "h" => days * 24.0,
        "m" => days * 1440.0,
        "s" => days * 86400.0,
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::expression::{Dialect, Reference, parse};

    fn source(text: &str, calculates: bool) -> Source {
        let of = |code: &str, kind| (code.to_owned(), ExpressionField { code: code.to_owned(), kind, ..ExpressionField::default() });
        let fields = [of("a", Kind::Number), of("b", Kind::Number), of("c", Kind::Choice), of("t", Kind::Text), of("d", Kind::Date)].into();
        let node = parse(text, Dialect::RedCap, &|reference| match reference {
            Reference::Name(name) => Ok(name.clone()),
            other => Err(format!("{other:?}")),
        });
        Source { node: node.unwrap(), fields, calculates }
    }

    #[test]
    fn a_blank_answer_is_what_the_pages_of_redcap_take_it_for() {
        for (text, truth) in [
            ("[a] <> 5", true),
            ("[a] < 5", false),
            ("[a] = 0", false),
            ("[a] = \"\"", true),
            ("[a] <> \"\"", false),
            ("not([a] > 5)", true),
            ("[a] = [b]", true),
            ("[c] = '0'", false),
            ("[c] = 0", true),
            ("[c] <> '1'", true),
            ("[t] <> 'x'", true),
            ("[d] < '2020-01-31'", true),
        ] {
            assert_eq!(source(text, false).condition(&Answers::new()), Some(Outcome::Holds(truth)), "{text}");
        }
    }

    #[test]
    fn results_are_numbers_or_nothing() {
        let answers = Answers::from([("a".to_owned(), Answer::Number(7.0)), ("c".to_owned(), Answer::Yes(true))]);
        for (text, number) in [
            ("sum([a], [b])", Some(7.0)),
            ("[a] + [b]", None),
            ("mean([a], [b])", Some(7.0)),
            ("max([b], 0)", Some(0.0)),
            ("stdev([a], [b])", None),
            ("[c] + 1", Some(2.0)),
            ("[a] / 0", None),
            ("if([a] > 5, 'da', 'ne')", None),
            ("[a] > 5", None),
            ("round(2.345, 2)", Some(2.35)),
            ("round(-2.5)", Some(-3.0)),
            ("datediff('2020-01-01', '2021-01-01', 'd')", Some(366.0)),
            ("([a])^2 + 2^3", Some(57.0)),
        ] {
            let wanted = number.map_or(Answer::Blank, Answer::Number);
            assert_eq!(source(text, true).result(&answers), Some(Outcome::Gives(wanted)), "{text}");
        }
        assert_eq!(source("[c] > concat('a', 'b')", true).result(&answers), None);
    }
}
