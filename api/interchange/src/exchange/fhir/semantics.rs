//! What `enableWhen` means, as the specification has it, over answers as a QuestionnaireResponse has them: the side of the proof by values that
//! knows nothing of formulas.
//!
//! R4 and R5 (`questionnaire-enable-operator`): `=` and the comparisons are true if at least one answer has such a value, `!=` if no answer has
//! that value – so with no answer it is true – and `exists` if whether there is an answer is as asked.

use std::cmp::Ordering;

use serde_json::Value;

use super::condition::Unit;

/// Whether conditions hold together; `answers` gives the answers to a question, each `{ "valueX": … }`. None: a part is not known here.
pub fn enabled<'v>(when: &[Value], any: bool, answers: impl Fn(&str) -> Option<&'v [Value]>) -> Option<bool> {
    let parts: Option<Vec<bool>> = when.iter().map(|one| holds(one, answers(one["question"].as_str().unwrap_or_default())?)).collect();
    let parts = parts?;
    Some(if any { parts.contains(&true) } else { !parts.contains(&false) })
}

fn holds(when: &Value, answers: &[Value]) -> Option<bool> {
    let (kind, asked) = when.as_object()?.iter().find(|(name, _)| name.starts_with("answer"))?;
    let is = |wanted: fn(Ordering) -> bool| answers.iter().any(|answer| order(answer, kind, asked).is_some_and(wanted));
    Some(match when["operator"].as_str()? {
        "exists" => asked.as_bool()? != answers.is_empty(),
        "=" => is(Ordering::is_eq),
        "!=" => !is(Ordering::is_eq),
        ">" => is(Ordering::is_gt),
        ">=" => is(Ordering::is_ge),
        "<" => is(Ordering::is_lt),
        "<=" => is(Ordering::is_le),
        _ => return None,
    })
}

/// How an answer stands to what is asked; none where they do not compare.
fn order(answer: &Value, kind: &str, asked: &Value) -> Option<Ordering> {
    let (own_kind, value) = answer.as_object()?.iter().next()?;
    match (own_kind.as_str(), kind) {
        ("valueBoolean", "answerBoolean") => (value == asked).then_some(Ordering::Equal),
        ("valueInteger" | "valueDecimal", "answerInteger" | "answerDecimal") => value.as_f64()?.partial_cmp(&asked.as_f64()?),
        ("valueQuantity", "answerInteger" | "answerDecimal") => value["value"].as_f64()?.partial_cmp(&asked.as_f64()?),
        ("valueInteger" | "valueDecimal" | "valueQuantity", "answerQuantity") => {
            let number = value.as_f64().or(value["value"].as_f64())?;
            let factor = match (Unit::of(value), Unit::of(asked)) {
                (Some(own), Some(given)) => own.factor(&given)?,
                (_, None) => 1.into(),
                (None, Some(_)) => return None,
            };
            let factor: f64 = factor.to_string().parse().ok()?;
            let (own, asked) = (number * factor, asked["value"].as_f64()?);
            let near = (own - asked).abs() <= 1e-9 * own.abs().max(asked.abs()).max(1e-9);
            if near { Some(Ordering::Equal) } else { own.partial_cmp(&asked) }
        }
        ("valueDate", "answerDate") => Some(value.as_str()?.cmp(asked.as_str()?)),
        ("valueString", "answerString") => Some(value.as_str()?.cmp(asked.as_str()?)),
        ("valueCoding", "answerCoding") => same_concept(value, asked).then_some(Ordering::Equal),
        _ => None,
    }
}

/// A concept is its system and code; what is not said is not compared.
fn same_concept(answer: &Value, asked: &Value) -> bool {
    let text = |of: &Value, name: &str| of[name].as_str().unwrap_or_default().to_owned();
    let (code, asked_code) = (text(answer, "code"), text(asked, "code"));
    if code.is_empty() || asked_code.is_empty() {
        return !text(asked, "display").is_empty() && text(answer, "display") == text(asked, "display");
    }
    let (system, asked_system) = (text(answer, "system"), text(asked, "system"));
    code == asked_code && (system.is_empty() || asked_system.is_empty() || system == asked_system)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn no_answer_is_no_equal_answer() {
        let when = |operator: &str| json!({ "question": "q", "operator": operator, "answerInteger": 5 });
        for (operator, answers, expected) in [
            ("!=", json!([]), true),
            ("!=", json!([{ "valueInteger": 4 }, { "valueInteger": 5 }]), false),
            ("=", json!([{ "valueInteger": 4 }, { "valueInteger": 5 }]), true),
            ("=", json!([]), false),
            (">", json!([{ "valueDecimal": 5.5 }]), true),
            ("<", json!([]), false),
        ] {
            let answers = answers.as_array().unwrap();
            assert_eq!(enabled(&[when(operator)], false, |_| Some(answers)), Some(expected), "{operator} {answers:?}");
        }
        let exists = json!({ "question": "q", "operator": "exists", "answerBoolean": false });
        assert_eq!(enabled(&[when("="), exists], true, |_| Some(&[])), Some(true));
    }

    #[test]
    fn units_and_concepts_are_compared_as_they_are_meant() {
        let kilogram = json!([{ "valueQuantity": { "value": 0.006, "unit": "kg" } }]);
        let when = json!({ "question": "q", "operator": ">", "answerQuantity": { "value": 5, "code": "g" } });
        assert_eq!(enabled(&[when], false, |_| kilogram.as_array().map(Vec::as_slice)), Some(true));
        let chosen = json!([{ "valueCoding": { "system": "http://a", "code": "1" } }]);
        for (coding, expected) in [
            (json!({ "system": "http://a", "code": "1" }), true),
            (json!({ "system": "http://b", "code": "1" }), false),
            (json!({ "code": "1" }), true),
        ] {
            let when = json!({ "question": "q", "operator": "=", "answerCoding": coding });
            assert_eq!(enabled(&[when], false, |_| chosen.as_array().map(Vec::as_slice)), Some(expected));
        }
    }
}
