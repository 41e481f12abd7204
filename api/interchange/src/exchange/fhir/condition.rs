//! One `enableWhen` in the language of formulas here, so that it holds for the same answers, for a missing one too: `!=` holds where nobody
//! has answered, every other comparison does not.

use domain::clock;
use rust_decimal::Decimal;
use serde_json::Value;

use super::{element::number, times, units};
use crate::exchange::translation::holds_files;

/// A question as conditions know it.
#[derive(Clone, Debug)]
pub struct Question {
    pub code: String,
    pub answers: Answers,
    /// The section that repeats in which it stands: it has a value in every row, which only what stands in its row reads as one.
    pub section: Option<String>,
}

impl Question {
    /// Whether it has one value for an expression of this row, or for one that stands in none.
    pub fn is_single(&self, row: Option<&str>) -> bool {
        self.section.as_deref().is_none_or(|section| row == Some(section))
    }
}

#[derive(Clone, Debug)]
pub enum Answers {
    Boolean,
    Number {
        unit: Option<Unit>,
    },
    Text,
    Date,
    Time,
    Moment,
    Options {
        options: Vec<Choosable>,
    },
    Files,
    /// A group or a heading.
    Nothing,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unit {
    pub code: Option<String>,
    pub name: Option<String>,
}

impl Unit {
    /// Of a coding or of a quantity.
    pub fn of(value: &Value) -> Option<Self> {
        let word = |name: &str| value[name].as_str().map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned);
        let unit = Self { code: word("code"), name: word("display").or_else(|| word("unit")) };
        (unit.code.is_some() || unit.name.is_some()).then_some(unit)
    }

    /// As it is shown beside a number.
    pub fn shown(&self) -> &str {
        self.name.as_deref().or(self.code.as_deref()).unwrap_or_default()
    }

    /// What a number in this unit is multiplied by to be in the other.
    pub fn factor(&self, other: &Self) -> Option<Decimal> {
        let names = |unit: &'_ Self| [unit.code.clone(), unit.name.clone()].into_iter().flatten().collect::<Vec<_>>();
        let (own, others) = (names(self), names(other));
        if own.iter().any(|name| others.contains(name)) {
            return Some(Decimal::ONE);
        }
        own.iter().find_map(|from| others.iter().find_map(|to| units::factor(from, to)))
    }
}

/// An option: its value as the file has it, and the item that it became.
#[derive(Clone, Debug)]
pub struct Choosable {
    /// `valueCoding`, `valueString` and so on.
    pub kind: String,
    pub value: Value,
    pub item: String,
    /// Of the item.
    pub code: Option<String>,
}

/// The formula, in brackets where it could be read otherwise beside `and`. `row`: the section in whose row it is asked.
pub fn formula(when: &Value, question: &Question, row: Option<&str>) -> Result<String, String> {
    let code = &question.code;
    if !question.is_single(row) {
        return Err(format!("„{code}” stoji u sekciji koja se ponavlja"));
    }
    let answer = when.as_object().and_then(|when| when.iter().find(|(name, _)| name.starts_with("answer")));
    let (kind, answer) = answer.ok_or("uslov nema odgovor")?;
    let sign = match when["operator"].as_str().unwrap_or_default() {
        "exists" => {
            return match (&question.answers, answer.as_bool()) {
                (Answers::Files, _) => Err(holds_files(code)),
                (Answers::Nothing, _) => Err(format!("„{code}” nema vrednost")),
                (_, Some(true)) => Ok(format!("!isblank($({code}))")),
                (_, Some(false)) => Ok(format!("isblank($({code}))")),
                (_, None) => Err("„exists” bez da ili ne".to_owned()),
            };
        }
        "=" => "==",
        sign @ ("!=" | ">" | "<" | ">=" | "<=") => sign,
        other => return Err(format!("nepoznat operator „{other}”")),
    };
    let other_kind = || Err(format!("odgovor druge vrste nego što je „{code}” ({kind})"));
    match &question.answers {
        Answers::Files => Err(holds_files(code)),
        Answers::Nothing => Err(format!("„{code}” nema vrednost")),
        Answers::Options { options } => chosen(code, options, sign, (kind, answer)),
        Answers::Boolean => match (sign, answer.as_bool()) {
            ("==", Some(true)) => Ok(format!("selected($({code}), true)")),
            ("==", Some(false)) => Ok(format!("$({code}) == 0")),
            ("!=", Some(true)) => Ok(format!("!selected($({code}), true)")),
            ("!=", Some(false)) => Ok(format!("(isblank($({code})) or $({code}) == 1)")),
            _ => other_kind(),
        },
        Answers::Number { unit } => match quantity(answer, unit.as_ref())? {
            Some(number) => Ok(compared(code, sign, &number.normalize().to_string())),
            None => other_kind(),
        },
        Answers::Text => match (kind.as_str(), sign, answer.as_str()) {
            (_, "==" | "!=", Some(text)) if !text.trim().is_empty() => Ok(compared(code, sign, &quoted(text)?)),
            (_, _, Some(_)) => Err("poređenje tekstova po veličini, ili sa praznim".to_owned()),
            _ => other_kind(),
        },
        Answers::Date => match answer.as_str().map(|text| (text, text.parse::<jiff::civil::Date>())) {
            Some((text, Ok(_))) if text.len() == 10 => Ok(compared(code, sign, &format!("\"{text}\""))),
            Some((text, _)) => Err(format!("„{text}” nije ceo datum")),
            None => other_kind(),
        },
        Answers::Time | Answers::Moment => {
            let Some(text) = answer.as_str() else { return other_kind() };
            let stored = match &question.answers {
                Answers::Time => times::time(text).map(clock::time_stored),
                _ => times::moment(text).map(clock::moment_stored),
            };
            let stored = stored.ok_or_else(|| format!("„{text}” nije vreme na minut"))?;
            Ok(compared(code, sign, &format!("\"{stored}\"")))
        }
    }
}

fn compared(code: &str, sign: &str, value: &str) -> String {
    match sign {
        "!=" => format!("(isblank($({code})) or $({code}) != {value})"),
        sign => format!("$({code}) {sign} {value}"),
    }
}

/// A number as the field keeps it.
pub fn quantity(answer: &Value, unit: Option<&Unit>) -> Result<Option<Decimal>, String> {
    if let Some(number) = number(answer) {
        return Ok(Some(number));
    }
    let Some(value) = number(&answer["value"]) else { return Ok(None) };
    let Some(given) = Unit::of(answer) else { return Ok(Some(value)) };
    let factor = unit.and_then(|own| given.factor(own)).ok_or_else(|| {
        let own = unit.map_or("nema jedinicu", Unit::shown);
        format!("jedinica uslova je „{}”, a polja „{own}”", given.shown())
    })?;
    value.checked_mul(factor).map(Some).ok_or_else(|| "prevelik broj".to_owned())
}

/// Whether one of the options that fit is chosen.
fn chosen(code: &str, options: &[Choosable], sign: &str, (kind, answer): (&str, &Value)) -> Result<String, String> {
    let mut fitting = Vec::new();
    for option in options {
        if fits(option, if sign == "!=" { "==" } else { sign }, kind, answer)? {
            fitting.push(quoted(option.code.as_deref().unwrap_or(&option.item))?);
        }
    }
    let shown = answer["code"].as_str().or(answer["display"].as_str()).map_or_else(|| answer.to_string(), str::to_owned);
    let is_elsewhere = || options.iter().any(|option| option.value["code"].is_string() && option.value["code"] == answer["code"]);
    let asked = match fitting.as_slice() {
        [] if is_elsewhere() => {
            let system = answer["system"].as_str().unwrap_or_default();
            return Err(format!("opcija „{shown}” polja „{code}” je iz drugog sistema šifara, a ne iz „{system}”"));
        }
        [] => return Err(format!("„{code}” nema opciju „{}”", shown.trim_matches('"'))),
        [one] => format!("selected($({code}), {one})"),
        several => format!("anyof($({code}), {})", several.join(", ")),
    };
    Ok(if sign == "!=" { format!("!{asked}") } else { asked })
}

fn fits(option: &Choosable, sign: &str, kind: &str, answer: &Value) -> Result<bool, String> {
    let value = &option.value;
    let ordered = |order: std::cmp::Ordering| match sign {
        "==" => order.is_eq(),
        "<" => order.is_lt(),
        "<=" => order.is_le(),
        ">" => order.is_gt(),
        _ => order.is_ge(),
    };
    match (option.kind.as_str(), kind) {
        ("valueCoding", "answerCoding") if sign == "==" => Ok(same_coding(value, answer)),
        ("valueString", "answerString") if sign == "==" => Ok(value == answer),
        ("valueInteger" | "valueDecimal", "answerInteger" | "answerDecimal") => {
            Ok(number(value).zip(number(answer)).is_some_and(|(one, other)| ordered(one.cmp(&other))))
        }
        ("valueDate", "answerDate") => Ok(value.as_str().zip(answer.as_str()).is_some_and(|(one, other)| ordered(one.cmp(other)))),
        ("valueCoding", "answerCoding") | ("valueString", "answerString") => Err("poređenje opcija po veličini".to_owned()),
        _ => Ok(false),
    }
}

/// Codes of two systems are two; a side that names no system, or no code, does not ask for it.
fn same_coding(option: &Value, asked: &Value) -> bool {
    let word = |of: &Value, name: &str| of[name].as_str().map(str::to_owned);
    let agree = |name: &str| word(option, name).zip(word(asked, name)).is_none_or(|(one, other)| one == other);
    match (word(option, "code"), word(asked, "code")) {
        (Some(one), Some(other)) => one == other && agree("system"),
        _ => word(option, "display").is_some() && word(option, "display") == word(asked, "display"),
    }
}

/// Texts of formulas have no way to write their own quotes.
fn quoted(text: &str) -> Result<String, String> {
    match (text.contains('"'), text.contains('\'')) {
        (false, _) => Ok(format!("\"{text}\"")),
        (true, false) => Ok(format!("'{text}'")),
        (true, true) => Err(format!("tekst sa obe vrste navodnika: {text}")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(answers: Answers, when: Value) -> Result<String, String> {
        formula(&when, &Question { code: "q".to_owned(), answers, section: None }, None)
    }

    fn option(kind: &str, value: Value, item: &str, code: Option<&str>) -> Choosable {
        Choosable { kind: kind.to_owned(), value, item: item.to_owned(), code: code.map(str::to_owned) }
    }

    #[test]
    fn a_missing_answer_is_another_than_any() {
        for (when, formula) in [
            (json!({ "operator": "!=", "answerInteger": 5 }), "(isblank($(q)) or $(q) != 5)"),
            (json!({ "operator": "=", "answerDecimal": 5.0 }), "$(q) == 5"),
            (json!({ "operator": "exists", "answerBoolean": false }), "isblank($(q))"),
        ] {
            assert_eq!(of(Answers::Number { unit: None }, when).as_deref(), Ok(formula));
        }
        let no = of(Answers::Boolean, json!({ "operator": "!=", "answerBoolean": false }));
        assert_eq!(no.as_deref(), Ok("(isblank($(q)) or $(q) == 1)"));
    }

    #[test]
    fn a_quantity_is_converted_or_told() {
        let unit = |code: &str| Some(Unit { code: Some(code.to_owned()), name: None });
        let when = json!({ "operator": ">", "answerQuantity": { "value": 5, "code": "g", "unit": "g" } });
        assert_eq!(of(Answers::Number { unit: unit("kg") }, when.clone()).as_deref(), Ok("$(q) > 0.005"));
        assert_eq!(of(Answers::Number { unit: unit("m") }, when.clone()), Err("jedinica uslova je „g”, a polja „m”".to_owned()));
        assert!(of(Answers::Number { unit: None }, when).is_err());
    }

    #[test]
    fn options_are_known_by_system_and_code_or_by_what_is_shown() {
        let options = vec![
            option("valueCoding", json!({ "system": "http://a", "code": "1", "display": "Jedan" }), "Jedan", Some("1")),
            option("valueCoding", json!({ "system": "http://b", "code": "1", "display": "Drugi" }), "Drugi", Some("http://b|1")),
            option("valueCoding", json!({ "display": "Bez \"šifre\"" }), "Bez \"šifre\"", None),
            option("valueInteger", json!(7), "7", None),
        ];
        for (when, expected) in [
            (json!({ "operator": "=", "answerCoding": { "system": "http://b", "code": "1" } }), Ok("selected($(q), \"http://b|1\")")),
            (json!({ "operator": "!=", "answerCoding": { "code": "1" } }), Ok("!anyof($(q), \"1\", \"http://b|1\")")),
            (json!({ "operator": "=", "answerCoding": { "display": "Bez \"šifre\"" } }), Ok("selected($(q), 'Bez \"šifre\"')")),
            (json!({ "operator": "=", "answerCoding": { "code": "2" } }), Err("„q” nema opciju „2”")),
            (json!({ "operator": ">", "answerCoding": { "code": "1" } }), Err("poređenje opcija po veličini")),
        ] {
            let answers = Answers::Options { options: options.clone() };
            assert_eq!(of(answers, when.clone()), expected.map(str::to_owned).map_err(str::to_owned), "{when}");
        }
        let numbers = (1..=3).map(|number| option("valueInteger", json!(number), &number.to_string(), None)).collect();
        let answers = Answers::Options { options: numbers };
        assert_eq!(of(answers, json!({ "operator": ">=", "answerInteger": 2 })).as_deref(), Ok("anyof($(q), \"2\", \"3\")"));
    }
}
