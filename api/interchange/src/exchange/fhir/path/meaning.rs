//! What an expression gives of a response, as FHIRPath has it: each value is a list, nothing is an empty one. It knows nothing of formulas.

use serde_json::Value;

use super::{Aspect, Path, Selection, Sign};

/// An answer: `valueX` of a response, with the weight of an option.
#[derive(Clone, Debug)]
pub struct Answered {
    pub value: Value,
    pub weight: Option<f64>,
}

#[derive(Clone, Debug, PartialEq)]
enum Item {
    Number(f64),
    Text(String),
    Truth(bool),
    /// A concept, or a value of another kind.
    Other(Value),
}

/// One number, text or truth; none within where there is none. None at all: a part of it is not known here.
/// `answers` gives those to a question; without a name those to all.
pub fn result(path: &Path, answers: &dyn Fn(Option<&str>) -> Vec<Answered>) -> Option<Option<Value>> {
    let items = Meaning { answers }.of(path)?;
    Some(match items.as_slice() {
        [Item::Number(number)] => serde_json::Number::from_f64(*number).map(Value::Number),
        [Item::Truth(truth)] => Some(Value::Bool(*truth)),
        [Item::Text(text)] => Some(Value::String(text.clone())),
        // Several where one is asked for are an error, which gives nothing.
        _ => None,
    })
}

struct Meaning<'a> {
    answers: &'a dyn Fn(Option<&str>) -> Vec<Answered>,
}

impl Meaning<'_> {
    fn of(&self, path: &Path) -> Option<Vec<Item>> {
        if let Some(chosen) = path.chosen() {
            return self.chosen(&chosen);
        }
        Some(match path {
            Path::Number(number) => vec![Item::Number(*number)],
            Path::Text(text) => vec![Item::Text(text.clone())],
            Path::Truth(truth) => vec![Item::Truth(*truth)],
            Path::Empty => Vec::new(),
            Path::Minus(of) => numbers(number(&self.of(of)?).map(|number| -number)),
            Path::Binary(sign, left, right) => self.binary(*sign, &self.of(left)?, &self.of(right)?)?,
            Path::Call(None, name, args) if name == "iif" => {
                let holds = truth(&self.of(args.first()?)?) == Some(true);
                match args.get(if holds { 1 } else { 2 }) {
                    Some(branch) => self.of(branch)?,
                    None => Vec::new(),
                }
            }
            Path::Call(Some(of), name, args) => self.call(of, name, args)?,
            Path::Call(None, ..) | Path::Root | Path::Name(_) | Path::Member(..) => return None,
        })
    }

    fn chosen(&self, chosen: &Selection) -> Option<Vec<Item>> {
        let answers: Vec<Answered> = match &chosen.links {
            Some(links) => links.iter().flat_map(|link| (self.answers)(Some(link.as_str()))).collect(),
            None => (self.answers)(None),
        };
        let word = |answer: &Answered, name: &str| Some(Item::Text(answer.value[name].as_str()?.to_owned()));
        let items = answers.iter().filter_map(|answer| match chosen.what {
            Aspect::Answers | Aspect::Values => Some(item(&answer.value)),
            Aspect::Codes => word(answer, "code"),
            Aspect::Displays => word(answer, "display"),
            Aspect::Weights => answer.weight.map(Item::Number),
            Aspect::Items => None,
        });
        (chosen.what != Aspect::Items).then(|| items.collect())
    }

    fn binary(&self, sign: Sign, left: &[Item], right: &[Item]) -> Option<Vec<Item>> {
        let pair = number(left).zip(number(right));
        let divided = pair.filter(|(_, by)| *by != 0.0);
        Some(match sign {
            Sign::Add => numbers(pair.map(|(one, other)| one + other)),
            Sign::Subtract => numbers(pair.map(|(one, other)| one - other)),
            Sign::Multiply => numbers(pair.map(|(one, other)| one * other)),
            Sign::Divide => numbers(divided.map(|(one, other)| one / other)),
            Sign::Whole => numbers(divided.map(|(one, other)| (one / other).trunc())),
            Sign::Remainder => numbers(divided.map(|(one, other)| one % other)),
            Sign::Less => truths(pair.map(|(one, other)| below(one, other))),
            Sign::AtMost => truths(pair.map(|(one, other)| !below(other, one))),
            Sign::More => truths(pair.map(|(one, other)| below(other, one))),
            Sign::AtLeast => truths(pair.map(|(one, other)| !below(one, other))),
            Sign::Equal => truths(same(left, right)),
            Sign::Unequal => truths(same(left, right).map(|same| !same)),
            Sign::And => truths(both(truth(left), truth(right))),
            Sign::Or => truths(either(truth(left), truth(right))),
            Sign::Implies => truths(either(truth(left).map(|truth| !truth), truth(right))),
            Sign::In | Sign::Union => return None,
        })
    }

    fn call(&self, of: &Path, name: &str, args: &[Path]) -> Option<Vec<Item>> {
        let items = self.of(of)?;
        let math = |math: fn(f64) -> f64| numbers(number(&items).map(math));
        Some(match (name, args) {
            ("exists" | "hasValue", []) => truths(Some(!items.is_empty())),
            ("empty", []) => truths(Some(items.is_empty())),
            ("count", []) => vec![Item::Number(items.len() as f64)],
            ("sum", []) => {
                let all: Option<Vec<f64>> = items.iter().map(|item| number(std::slice::from_ref(item))).collect();
                numbers(all.filter(|all| !all.is_empty()).map(|all| all.into_iter().sum()))
            }
            ("not", []) => truths(truth(&items).map(|truth| !truth)),
            ("toInteger" | "toDecimal", []) => items,
            ("abs", []) => math(f64::abs),
            ("exp", []) => math(f64::exp),
            ("ln", []) => math(f64::ln),
            ("sqrt", []) => math(f64::sqrt),
            ("floor", []) => math(|number| whole(number).unwrap_or_else(|| number.floor())),
            ("ceiling", []) => math(|number| whole(number).unwrap_or_else(|| number.ceil())),
            ("truncate", []) => math(|number| whole(number).unwrap_or_else(|| number.trunc())),
            ("round", []) => numbers(number(&items).map(|number| rounded(number, 0.0))),
            ("round", [Path::Number(places)]) => numbers(number(&items).map(|number| rounded(number, *places))),
            ("power", [by]) => numbers(number(&items).zip(number(&self.of(by)?)).map(|(base, by)| base.powf(by))),
            _ => return None,
        })
    }
}

fn item(value: &Value) -> Item {
    match value {
        Value::Bool(truth) => Item::Truth(*truth),
        Value::String(text) => Item::Text(text.clone()),
        Value::Number(number) => number.as_f64().map_or_else(|| Item::Other(value.clone()), Item::Number),
        // A quantity is a number of its unit, which the field has too.
        other => other["value"].as_f64().map_or_else(|| Item::Other(value.clone()), Item::Number),
    }
}

/// What is no number at all is nothing: a root of what has none, a power of what is too large.
fn numbers(number: Option<f64>) -> Vec<Item> {
    number.filter(|number| number.is_finite()).map(Item::Number).into_iter().collect()
}

fn truths(truth: Option<bool>) -> Vec<Item> {
    truth.map(Item::Truth).into_iter().collect()
}

fn number(items: &[Item]) -> Option<f64> {
    if let [Item::Number(number)] = items { Some(*number) } else { None }
}

fn truth(items: &[Item]) -> Option<bool> {
    if let [Item::Truth(truth)] = items { Some(*truth) } else { None }
}

/// None where a side is nothing.
fn same(left: &[Item], right: &[Item]) -> Option<bool> {
    if left.is_empty() || right.is_empty() {
        return None;
    }
    Some(match (number(left), number(right)) {
        (Some(one), Some(other)) => is_noise(one, other),
        _ => left == right,
    })
}

fn both(one: Option<bool>, other: Option<bool>) -> Option<bool> {
    match (one, other) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn either(one: Option<bool>, other: Option<bool>) -> Option<bool> {
    both(one.map(|one| !one), other.map(|other| !other)).map(|neither| !neither)
}

/// What is noise of binary arithmetic is no difference: there numbers are decimal.
fn is_noise(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-12 * one.abs().max(other.abs())
}

fn below(one: f64, other: f64) -> bool {
    one < other && !is_noise(one, other)
}

/// The whole number that it is but for noise.
fn whole(number: f64) -> Option<f64> {
    let near = number.round();
    is_noise(number, near).then_some(near)
}

fn rounded(number: f64, places: f64) -> f64 {
    let scale = 10_f64.powi(places as i32);
    let scaled = number.abs() * scale;
    ((scaled + 0.5 + scaled * 1e-12).floor() / scale).copysign(number)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashMap};

    use serde_json::json;

    use super::*;
    use crate::exchange::fhir::path::parse;

    fn of(text: &str) -> Option<Option<Value>> {
        let answers = |link: Option<&str>| {
            let answer = |value: Value, weight: Option<f64>| Answered { value, weight };
            match link {
                Some("n") => vec![answer(json!(5), None)],
                Some("p") => vec![answer(json!({ "code": "D", "display": "Svaki dan" }), Some(3.0))],
                Some("q") => vec![answer(json!({ "code": "N", "display": "Nikad" }), Some(0.0))],
                Some(_) => Vec::new(),
                None => vec![answer(json!({ "code": "D" }), Some(3.0)), answer(json!(5), None)],
            }
        };
        let links = ["n", "p", "q", "none"].map(|link| (link, format!("%resource.item.where(linkId = '{link}').answer.value")));
        let variables: HashMap<&str, &str> = links.iter().map(|(name, text)| (*name, text.as_str())).collect();
        result(&parse(text, &variables, &mut BTreeSet::new()).unwrap(), &answers)
    }

    #[test]
    fn nothing_makes_nothing_and_yes_and_no_are_told_without_it() {
        for (source, expected) in [
            ("%n + 1", json!(6.0)),
            ("%none + 1", Value::Null),
            ("%none > 1", Value::Null),
            ("%none > 1 and %n > 9", json!(false)),
            ("%none > 1 or %n > 1", json!(true)),
            ("iif(%none > 1, 1, 2)", json!(2.0)),
            ("iif(%n > 9, 1)", Value::Null),
            ("%none.exists()", json!(false)),
            ("%none.count()", json!(0.0)),
            ("%n / 0", Value::Null),
            ("-7 div 2", json!(-3.0)),
            ("(0 - 2.5).round()", json!(-3.0)),
        ] {
            assert_eq!(of(source), Some(Some(expected).filter(|value| !value.is_null())), "{source}");
        }
    }

    #[test]
    fn options_have_codes_words_and_weights() {
        for (source, expected) in [
            ("%p.ordinal() + %q.ordinal()", json!(3.0)),
            ("%p.code = 'D' and %q.display = 'Nikad'", json!(true)),
            ("%resource.item.where(linkId in ('p' | 'q' | 'none')).answer.value.ordinal().sum()", json!(3.0)),
            ("%resource.item.answer.value.ordinal().sum()", json!(3.0)),
            ("%resource.item.where(linkId in ('p' | 'q')).answer.count()", json!(2.0)),
        ] {
            assert_eq!(of(source), Some(Some(expected)), "{source}");
        }
        assert_eq!(of("%p.replaceMatches('a', 'b')"), None);
    }
}
