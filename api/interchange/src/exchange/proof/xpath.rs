//! What an expression of XLSForm gives, as ODK's JavaRosa evaluates it: a blank answer is an empty text, which is no number.

use std::collections::HashMap;

use jiff::{Unit, civil::Date};

use super::{Answer, Answers, Outcome, TODAY};
use crate::exchange::{
    expression::{Node, Sign},
    known_field::ExpressionField,
};

const EPOCH: Date = Date::constant(1970, 1, 1);

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Number(f64),
    Text(String),
    Truth(bool),
    /// Days since 1970; a moment has a part of one.
    Day(f64),
}

/// An expression with the fields that it reads.
pub struct Source {
    pub node: Node,
    pub fields: HashMap<String, ExpressionField>,
}

impl Source {
    pub fn condition(&self, answers: &Answers) -> Option<Outcome> {
        self.value(&self.node, answers).map(|value| Outcome::Holds(value.truth()))
    }

    /// What does not hold of the answer that is constrained is wrong; a blank answer is not asked.
    pub fn broken(&self, own: &str, answers: &Answers) -> Option<Outcome> {
        let blank = answers.get(own).is_none_or(|answer| *answer == Answer::Blank);
        self.value(&self.node, answers).map(|value| Outcome::Holds(!blank && !value.truth()))
    }

    pub fn result(&self, answers: &Answers) -> Option<Outcome> {
        let answer = match self.value(&self.node, answers)? {
            Value::Number(number) => Answer::Number(number),
            Value::Text(text) => Answer::Text(text),
            Value::Truth(truth) => Answer::Yes(truth),
            Value::Day(days) => Answer::Date(date_of(days)?),
        };
        Some(Outcome::Gives(answer))
    }

    pub fn value(&self, node: &Node, answers: &Answers) -> Option<Value> {
        let value = |node: &Node| self.value(node, answers);
        let number = |node: &Node| Some(value(node)?.number());
        Some(match node {
            Node::Number(number) => Value::Number(*number),
            Node::Text(text) => Value::Text(text.clone()),
            Node::Field(key) => self.field(key, answers)?,
            Node::Ticked(..) | Node::Rows(..) => return None,
            Node::Minus(of) => Value::Number(-number(of)?),
            Node::Call(name, args) => return self.call(name, args, answers),
            Node::Binary(sign, left, right) => match sign {
                Sign::Or => Value::Truth(value(left)?.truth() || value(right)?.truth()),
                Sign::And => Value::Truth(value(left)?.truth() && value(right)?.truth()),
                sign if sign.compares() => Value::Truth(compare(*sign, &value(left)?, &value(right)?)),
                Sign::Add => Value::Number(number(left)? + number(right)?),
                Sign::Subtract => Value::Number(number(left)? - number(right)?),
                Sign::Multiply => Value::Number(number(left)? * number(right)?),
                Sign::Divide => Value::Number(number(left)? / number(right)?),
                _ => Value::Number(number(left)? % number(right)?),
            },
        })
    }

    fn field(&self, key: &str, answers: &Answers) -> Option<Value> {
        let known = self.fields.get(key)?;
        Some(match answers.get(&known.code).unwrap_or(&Answer::Blank) {
            Answer::Blank => Value::Text(String::new()),
            Answer::Number(number) => Value::Number(*number),
            Answer::Text(text) => Value::Text(text.clone()),
            Answer::Date(day) => Value::Day(days_of(*day)),
            Answer::Yes(yes) => {
                let (on, off) = known.words();
                Value::Text(if *yes { on } else { off }.to_owned())
            }
            Answer::Options(chosen) => Value::Text(chosen.join(" ")),
        })
    }

    fn call(&self, name: &str, args: &[Node], answers: &Answers) -> Option<Value> {
        if let ("if", [condition, then, otherwise]) = (name, args) {
            let holds = self.value(condition, answers)?.truth();
            return self.value(if holds { then } else { otherwise }, answers);
        }
        let values: Vec<Value> = args.iter().map(|arg| self.value(arg, answers)).collect::<Option<_>>()?;
        let number = |math: fn(f64) -> f64| values.first().map(|value| Value::Number(math(value.number())));
        Some(match (name, values.as_slice()) {
            ("true", []) => Value::Truth(true),
            ("false", []) => Value::Truth(false),
            ("not", [one]) => Value::Truth(!one.truth()),
            ("boolean", [one]) => Value::Truth(one.truth()),
            ("number", [one]) => Value::Number(one.number()),
            ("string", [one]) => Value::Text(one.text()),
            ("selected" | "is-selected", [all, Value::Text(wanted)]) => {
                Value::Truth(all.text().split(' ').any(|one| !one.is_empty() && one == wanted.trim()))
            }
            // As Java counts them.
            ("string-length", [one]) => Value::Number(one.text().encode_utf16().count() as f64),
            ("contains", [one, Value::Text(sought)]) => Value::Truth(one.text().contains(sought.as_str())),
            ("count-selected", [all]) => Value::Number(all.text().split_whitespace().count() as f64),
            ("coalesce", [one, other]) => {
                if one.is_nothing() {
                    other.clone()
                } else {
                    one.clone()
                }
            }
            ("concat", all) => Value::Text(all.iter().map(Value::text).collect()),
            ("round", [one]) => Value::Number(rounded(one.number(), 0.0)),
            ("round", [one, places]) => Value::Number(rounded(one.number(), places.number())),
            ("int", [one]) => Value::Number(one.number().trunc()),
            ("floor", [_]) => number(f64::floor)?,
            ("ceiling", [_]) => number(f64::ceil)?,
            ("abs", [_]) => number(f64::abs)?,
            ("sqrt", [_]) => number(f64::sqrt)?,
            ("exp", [_]) => number(f64::exp)?,
            ("log", [_]) => number(f64::ln)?,
            ("log10", [_]) => number(f64::log10)?,
            ("pow", [base, exponent]) => Value::Number(base.number().powf(exponent.number())),
            ("min", [_, ..]) => Value::Number(many(&values, f64::min)),
            ("max", [_, ..]) => Value::Number(many(&values, f64::max)),
            ("today", []) => Value::Day(days_of(TODAY)),
            ("now", []) => Value::Day(days_of(TODAY) + 0.5),
            ("date", [one]) => day(one)?.map_or(Value::Text(String::new()), |days| Value::Day(days.floor())),
            ("date-time", [one]) => day(one)?.map_or(Value::Text(String::new()), Value::Day),
            ("decimal-date-time", [one]) => day(one)?.map_or(Value::Text(String::new()), Value::Number),
            ("format-date" | "format-date-time", [one, Value::Text(shape)]) if shape == "%Y-%m-%d" => match day(one)? {
                Some(days) => Value::Text(date_of(days)?.to_string()),
                None => Value::Text(String::new()),
            },
            _ => return None,
        })
    }
}

/// As `DateUtils` reads days; none within where there is none, none at all where the source would fail.
fn day(value: &Value) -> Option<Option<f64>> {
    match value {
        Value::Day(days) => Some(Some(*days)),
        Value::Number(number) => Some(Some(*number).filter(|number| number.is_finite())),
        Value::Text(text) if text.is_empty() => Some(None),
        Value::Text(text) => text.parse().ok().map(|day| Some(days_of(day))),
        Value::Truth(_) => None,
    }
}

fn days_of(day: Date) -> f64 {
    EPOCH.until((Unit::Day, day)).map(|span| f64::from(span.get_days())).unwrap_or_default()
}

fn date_of(days: f64) -> Option<Date> {
    EPOCH.checked_add(jiff::Span::new().try_days(days.floor() as i64).ok()?).ok()
}

/// Without a number among them there is none.
fn many(values: &[Value], better: fn(f64, f64) -> f64) -> f64 {
    let numbers: Vec<f64> = values.iter().map(Value::number).collect();
    if numbers.iter().any(|number| number.is_nan()) { f64::NAN } else { numbers.into_iter().reduce(better).unwrap_or(f64::NAN) }
}

/// A tie goes up, towards positive infinity; what is noise of binary arithmetic is no distance from it.
fn rounded(number: f64, places: f64) -> f64 {
    let scale = 10_f64.powi(places as i32);
    let scaled = number * scale;
    (scaled + 0.5 + scaled.abs() * 1e-12).floor() / scale
}

/// JavaRosa: truths where one is a truth, numbers where one is a number, else texts; sizes of numbers only.
pub fn compare(sign: Sign, left: &Value, right: &Value) -> bool {
    let (one, other) = (left.number(), right.number());
    // What is noise of binary arithmetic is no difference.
    let one = if (one - other).abs() <= 1e-13 * one.abs().max(other.abs()) { other } else { one };
    match sign {
        Sign::Less => one < other,
        Sign::AtMost => one <= other,
        Sign::More => one > other,
        Sign::AtLeast => one >= other,
        sign => {
            let equal = match (left, right) {
                (Value::Truth(_), _) | (_, Value::Truth(_)) => left.truth() == right.truth(),
                (Value::Number(_), _) | (_, Value::Number(_)) => (one - other).abs() < 1e-12,
                _ => left.text() == right.text(),
            };
            equal == (sign == Sign::Equal)
        }
    }
}

impl Value {
    pub fn number(&self) -> f64 {
        match self {
            Self::Number(number) => *number,
            Self::Truth(truth) => f64::from(u8::from(*truth)),
            Self::Day(days) => *days,
            Self::Text(text) => {
                let plain = text.replace(',', ".");
                let plain = plain.trim();
                let allowed = plain.chars().all(|letter| letter.is_ascii_digit() || letter == '-' || letter == '.');
                if allowed { plain.parse().unwrap_or(f64::NAN) } else { f64::NAN }
            }
        }
    }

    pub fn truth(&self) -> bool {
        match self {
            Self::Truth(truth) => *truth,
            Self::Number(number) => number.abs() > 1e-12 && !number.is_nan(),
            Self::Text(text) => !text.is_empty(),
            Self::Day(_) => true,
        }
    }

    pub fn text(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Text(text) => text.clone(),
            Self::Truth(truth) => truth.to_string(),
            Self::Day(days) => date_of(*days).map(|day| day.to_string()).unwrap_or_default(),
        }
    }

    fn is_nothing(&self) -> bool {
        match self {
            Self::Text(text) => text.is_empty(),
            Self::Number(number) => number.is_nan(),
            Self::Truth(_) | Self::Day(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::expression::{Dialect, Reference, parse};

    fn of(text: &str, answers: &[(&str, Answer)]) -> Option<Outcome> {
        let names = ["a", "b", "t", "s", "d"];
        let fields = names.map(|name| (name.to_owned(), ExpressionField { code: name.to_owned(), ..ExpressionField::default() })).into();
        let node = parse(text, Dialect::XlsForm, &|reference| match reference {
            Reference::Name(name) => Ok(name.clone()),
            other => Err(format!("{other:?}")),
        });
        let answers = answers.iter().map(|(code, answer)| ((*code).to_owned(), answer.clone())).collect();
        Source { node: node.unwrap(), fields }.result(&answers)
    }

    fn holds(text: &str, answers: &[(&str, Answer)]) -> bool {
        of(text, answers) == Some(Outcome::Gives(Answer::Yes(true)))
    }

    #[test]
    fn a_blank_answer_is_no_number_and_an_empty_text() {
        for (text, truth) in [
            ("${a} != 5", true),
            ("${a} = 0", false),
            ("${a} < 5", false),
            ("not(${a} > 5)", true),
            ("${a} = ''", true),
            ("${a} = ${b}", true),
            ("${t} != 'x'", true),
            ("${a} + 1 = ${b}", false),
        ] {
            assert_eq!(holds(text, &[]), truth, "{text}");
        }
        assert_eq!(of("if(${a} >= 18, 1, 0)", &[]), Some(Outcome::Gives(Answer::Number(0.0))));
        let Some(Outcome::Gives(Answer::Number(number))) = of("min(${a}, 3)", &[]) else { panic!("a number") };
        assert!(number.is_nan());
    }

    #[test]
    fn numbers_are_cut_and_rounded_as_in_the_source() {
        let number = |text: &str, a: f64| match of(text, &[("a", Answer::Number(a))]) {
            Some(Outcome::Gives(Answer::Number(number))) => number,
            other => panic!("{other:?}"),
        };
        assert_eq!([number("int(${a})", -2.5), number("round(${a})", -2.5), number("round(${a})", 2.5)], [-2.0, -2.0, 3.0]);
        assert_eq!([number("round(${a}, 2)", 1.005), number("${a} mod 3", -7.0)], [1.01, -1.0]);
    }

    #[test]
    fn days_are_numbers_of_days() {
        let day = |text: &str| Answer::Date(text.parse().unwrap());
        assert!(holds("${d} <= today()", &[("d", day("2026-03-16"))]));
        assert!(!holds("${d} <= today()", &[]));
        assert_eq!(of("date(${d} + 28)", &[("d", day("2026-02-01"))]), Some(Outcome::Gives(day("2026-03-01"))));
        assert!(holds("${d} = '2026-02-01'", &[("d", day("2026-02-01"))]));
        assert_eq!(of("pulldata('a')", &[]), None);
    }

    #[test]
    fn a_blank_text_has_no_letters() {
        let text = |text: &str| Answer::Text(text.to_owned());
        for (source, answer, truth) in [
            ("string-length(${t}) = 0", "", true),
            ("string-length(${t}) = 5", "Žarko", true),
            ("contains(${t}, 'ark')", "Žarko", true),
            ("contains(${t}, 'žar')", "Žarko", false),
            ("contains(${t}, 'a')", "", false),
        ] {
            assert_eq!(holds(source, &[("t", text(answer))]), truth, "{source} {answer}");
        }
    }
}
