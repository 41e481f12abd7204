//! What an expression gives of a response, as FHIRPath has it: each value is a list, nothing is an empty one. It knows nothing of formulas.

use serde_json::Value;

use super::{Aspect, Path, Selection, Sign, selection::AnswerTest};

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

/// What a response answers, and what its questionnaire offers.
pub struct Response<'a> {
    /// The answers to the questions of a selection; none where it is not known which they are.
    pub answers: &'a dyn Fn(&Selection) -> Option<Vec<Answered>>,
    /// The concepts that a question offers.
    pub options: &'a dyn Fn(&str) -> Option<Vec<Value>>,
}

/// One number, text, truth or concept; none within where there is none. None at all: a part of it is not known here.
pub fn result(path: &Path, response: &Response<'_>) -> Option<Option<Value>> {
    let items = Meaning { response }.of(path)?;
    Some(match items.as_slice() {
        [Item::Number(number)] => serde_json::Number::from_f64(*number).map(Value::Number),
        [Item::Truth(truth)] => Some(Value::Bool(*truth)),
        [Item::Text(text)] => Some(Value::String(text.clone())),
        [Item::Other(concept)] => Some(concept.clone()),
        // Several where one is asked for are an error, which gives nothing.
        _ => None,
    })
}

struct Meaning<'a> {
    response: &'a Response<'a>,
}

impl Meaning<'_> {
    fn of(&self, path: &Path) -> Option<Vec<Item>> {
        if let Some(chosen) = path.chosen() {
            return self.chosen(&chosen);
        }
        if let Some((link, codes)) = path.form_options() {
            let offered = (self.response.options)(&link)?;
            let is_meant = |concept: &Value| concept["code"].as_str().is_some_and(|code| codes.iter().any(|known| known == code));
            return Some(offered.into_iter().filter(is_meant).map(Item::Other).collect());
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
            Path::Call(None, name, args) if name == "coalesce" => {
                let each: Option<Vec<Vec<Item>>> = args.iter().map(|arg| self.of(arg)).collect();
                each?.into_iter().find(|items| !items.is_empty()).unwrap_or_default()
            }
            Path::Call(Some(of), name, args) => self.call(of, name, args)?,
            Path::Call(None, ..) | Path::Root | Path::Context | Path::Outer | Path::Form | Path::Name(_) | Path::Member(..) => return None,
        })
    }

    fn chosen(&self, chosen: &Selection) -> Option<Vec<Item>> {
        let answers = (self.response.answers)(chosen)?;
        let word = |answer: &Answered, name: &str| Some(Item::Text(answer.value[name].as_str()?.to_owned()));
        let each = |answer: &Answered| match chosen.what {
            Aspect::Answers | Aspect::Values => Some(item(&answer.value)),
            Aspect::Codes => word(answer, "code"),
            Aspect::Displays => word(answer, "display"),
            Aspect::Weights | Aspect::OneWeight => answer.weight.map(Item::Number),
            Aspect::Response | Aspect::Items => None,
        };
        let passes = |answer: &&Answered| match &chosen.test {
            None => true,
            Some(AnswerTest::Codes(codes)) => answer.value["code"].as_str().is_some_and(|code| codes.iter().any(|known| known == code)),
            Some(AnswerTest::Compares(sign, number)) => {
                each(answer).is_some_and(|item| compared(*sign, &[item], &[Item::Number(*number)]) == Some(true))
            }
        };
        let is_one = answers.len() == 1;
        let items = answers.iter().filter(passes).filter_map(each).collect();
        match chosen.what {
            Aspect::Response | Aspect::Items => None,
            // A code that is compared with several is the same as none of them.
            Aspect::OneWeight if !is_one => Some(Vec::new()),
            _ => Some(items),
        }
    }

    fn binary(&self, sign: Sign, left: &[Item], right: &[Item]) -> Option<Vec<Item>> {
        let pair = number(left).zip(number(right));
        let divided = pair.filter(|(_, by)| *by != 0.0);
        Some(match sign {
            Sign::Add => match (left, right) {
                ([Item::Text(one)], [Item::Text(other)]) => vec![Item::Text(format!("{one}{other}"))],
                _ => numbers(pair.map(|(one, other)| one + other)),
            },
            Sign::Join => {
                let text = |items: &[Item]| match items {
                    [] => Some(String::new()),
                    [Item::Text(text)] => Some(text.clone()),
                    _ => None,
                };
                text(left).zip(text(right)).map(|(one, other)| Item::Text(format!("{one}{other}"))).into_iter().collect()
            }
            Sign::Subtract => numbers(pair.map(|(one, other)| one - other)),
            Sign::Multiply => numbers(pair.map(|(one, other)| one * other)),
            Sign::Divide => numbers(divided.map(|(one, other)| one / other)),
            Sign::Whole => numbers(divided.map(|(one, other)| (one / other).trunc())),
            Sign::Remainder => numbers(divided.map(|(one, other)| one % other)),
            Sign::Less | Sign::AtMost | Sign::More | Sign::AtLeast | Sign::Equal | Sign::Unequal => truths(compared(sign, left, right)),
            Sign::In => truths(belongs(left, right)),
            Sign::Contains => truths(belongs(right, left)),
            Sign::Union => {
                let mut found: Vec<Item> = Vec::new();
                for item in left.iter().chain(right).filter(|item| !matches!(item, Item::Other(_))) {
                    if !found.contains(item) {
                        found.push(item.clone());
                    }
                }
                found
            }
            Sign::Xor => truths(truth(left).zip(truth(right)).map(|(one, other)| one != other)),
            Sign::And => truths(both(truth(left), truth(right))),
            Sign::Or => truths(either(truth(left), truth(right))),
            Sign::Implies => truths(either(truth(left).map(|truth| !truth), truth(right))),
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
            ("min" | "max" | "avg", []) => {
                let all: Option<Vec<f64>> = items.iter().map(|item| number(std::slice::from_ref(item))).collect();
                let all = all.filter(|all| !all.is_empty());
                numbers(all.and_then(|all| match name {
                    "min" => all.into_iter().reduce(f64::min),
                    "max" => all.into_iter().reduce(f64::max),
                    _ => Some(all.iter().sum::<f64>() / all.len() as f64),
                }))
            }
            ("combine", [other]) => [items, self.of(other)?].concat(),
            ("aggregate", [step, Path::Number(first)]) if is_running_sum(step) => {
                let all: Option<Vec<f64>> = items.iter().map(|item| number(std::slice::from_ref(item))).collect();
                numbers(all.map(|all| first + all.into_iter().sum::<f64>()))
            }
            ("length", []) => match items.as_slice() {
                [Item::Text(text)] => vec![Item::Number(text.chars().count() as f64)],
                _ => Vec::new(),
            },
            ("contains", [Path::Text(part)]) => match items.as_slice() {
                [Item::Text(text)] => truths(Some(text.contains(part.as_str()))),
                _ => Vec::new(),
            },
            ("toString", []) => match items.as_slice() {
                [Item::Number(number)] => vec![Item::Text(number.to_string())],
                [Item::Text(text)] => vec![Item::Text(text.clone())],
                _ => return None,
            },
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

/// `$this + $total`.
pub(super) fn is_running_sum(step: &Path) -> bool {
    let is = |path: &Path, name: &str| matches!(path, Path::Name(known) if known == name);
    matches!(step, Path::Binary(Sign::Add, one, other)
        if (is(one, "$this") && is(other, "$total")) || (is(one, "$total") && is(other, "$this")))
}

/// Whether the one item is among the others; not known of nothing, or of several.
fn belongs(one: &[Item], others: &[Item]) -> Option<bool> {
    let [_] = one else { return None };
    Some(others.iter().any(|other| same(one, std::slice::from_ref(other)) == Some(true)))
}

fn compared(sign: Sign, left: &[Item], right: &[Item]) -> Option<bool> {
    let pair = number(left).zip(number(right));
    match sign {
        Sign::Less => pair.map(|(one, other)| below(one, other)),
        Sign::AtMost => pair.map(|(one, other)| !below(other, one)),
        Sign::More => pair.map(|(one, other)| below(other, one)),
        Sign::AtLeast => pair.map(|(one, other)| !below(one, other)),
        Sign::Equal => same(left, right),
        Sign::Unequal => same(left, right).map(|same| !same),
        _ => None,
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
    use crate::exchange::fhir::path::{ItemTree, VariableText, parse};

    fn of(text: &str) -> Option<Option<Value>> {
        let tree = ItemTree(["n", "p", "q", "none"].map(|link| (link, None)).to_vec());
        let of = |link: &str| {
            let answer = |value: Value, weight: Option<f64>| vec![Answered { value, weight }];
            match link {
                "n" => answer(json!(5), None),
                "p" => answer(json!({ "code": "D", "display": "Svaki dan" }), Some(3.0)),
                "q" => answer(json!({ "code": "N", "display": "Nikad" }), Some(0.0)),
                _ => Vec::new(),
            }
        };
        let answers = |chosen: &Selection| Some(chosen.links_in(&tree).into_iter().flat_map(of).collect());
        let links = ["n", "p", "q", "none"].map(|link| (link, format!("%resource.item.where(linkId = '{link}').answer.value")));
        let named = |text| VariableText { text, is_outer: false };
        let variables: HashMap<&str, VariableText<'_>> = links.iter().map(|(name, text)| (*name, named(text.as_str()))).collect();
        let options = |_: &str| Some(vec![json!({ "code": "N" }), json!({ "code": "D" })]);
        result(&parse(text, &variables, &mut BTreeSet::new()).unwrap(), &Response { answers: &answers, options: &options })
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
            ("%resource.item.where(linkId != 'p').answer.weight().sum()", json!(0.0)),
            ("%resource.item.where(linkId in ('p' | 'q')).answer.where(value.code = 'D').count()", json!(1.0)),
            ("%resource.item.where(linkId in ('p' | 'q')).answer.value.ordinal().where($this >= 2).exists()", json!(true)),
            ("%resource.item.where(linkId in ('p' | 'q')).answer.value.ordinal().max()", json!(3.0)),
            ("%p.code in ('D' | 'N')", json!(true)),
            ("%resource.item.where(linkId in ('p' | 'q')).answer.value.code contains 'X'", json!(false)),
            ("iif(%n > 4, 'a' & {} & 'b', 'c')", json!("ab")),
            ("%questionnaire.item.where(linkId = 'p').answerOption.value.where(code = 'D')", json!({ "code": "D" })),
        ] {
            assert_eq!(of(source), Some(Some(expected)), "{source}");
        }
        assert_eq!(of("%p.replaceMatches('a', 'b')"), None);
    }
}
