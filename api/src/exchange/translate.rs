//! One field beside one answer, as `enableWhen` of FHIR compares them, in the language of formulas here.

use rust_decimal::Decimal;

use super::foreign::{Kind, Known, number_of_code};
pub use super::translation::holds_files;

#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    Number(String),
    Text(String),
}

/// A field beside a literal. `contains`: as a function asks whether an option is among those that are chosen.
pub fn compared(field: &Known, sign: &str, literal: &Literal, contains: bool) -> Result<String, String> {
    let code = &field.code;
    let text = match literal {
        Literal::Number(text) | Literal::Text(text) => text.trim(),
    };
    if text.is_empty() {
        return match sign {
            "==" => Ok(format!("isblank($({code}))")),
            "!=" => Ok(format!("!isblank($({code}))")),
            _ => Err("poređenje sa praznim".to_owned()),
        };
    }
    match &field.kind {
        Kind::Set { multiple, items } => {
            if let ("==" | "!=", true) = (sign, items.iter().any(|(option, _)| option == text)) {
                if *multiple && !contains {
                    return Err(format!("poređenje višestrukog izbora „{code}”"));
                }
                let not = if sign == "!=" { "!" } else { "" };
                return Ok(format!("{not}{}", selected(code, text)));
            }
            let mut weights = items.iter().filter(|(_, weight)| weight.is_some()).peekable();
            let by_code = weights.peek().is_some() && weights.all(|(option, weight)| number_of_code(option) == *weight);
            match (sign, text.parse::<Decimal>()) {
                ("<" | "<=" | ">" | ">=", Ok(number)) if by_code && !multiple => Ok(format!("$!({code}) {sign} {}", number.normalize())),
                _ => Err(format!("„{code}” nema opciju „{text}”")),
            }
        }
        Kind::Choice => match (sign, truth(text)) {
            ("==", Some(true)) => Ok(format!("selected($({code}), true)")),
            ("!=", Some(true)) => Ok(format!("!selected($({code}), true)")),
            ("==", Some(false)) => Ok(format!("$({code}) == 0")),
            ("!=", Some(false)) => Ok(format!("(isblank($({code})) or $({code}) == 1)")),
            _ => Err(format!("„{code}” je da ili ne, a ne „{text}”")),
        },
        Kind::Number => match text.parse::<Decimal>() {
            Ok(number) => Ok(format!("$({code}) {sign} {}", number.normalize())),
            Err(_) => Err(format!("„{text}” nije broj")),
        },
        Kind::Text => match sign {
            "==" | "!=" => Ok(format!("$({code}) {sign} {}", quoted(text))),
            _ => Err("poređenje tekstova po veličini".to_owned()),
        },
        Kind::Date => match text.parse::<jiff::civil::Date>() {
            Ok(day) => Ok(format!("$({code}) {sign} \"{day}\"")),
            Err(_) => Err(format!("„{text}” nije datum")),
        },
        Kind::File => Err(holds_files(code)),
        Kind::Nothing => Err(format!("„{code}” nema vrednost")),
    }
}

/// An option by its code: two may weigh the same, and one may weigh nothing.
fn selected(field: &str, option: &str) -> String {
    format!("selected($({field}), {})", quoted(option))
}

fn truth(text: &str) -> Option<bool> {
    match text.to_lowercase().as_str() {
        "1" | "yes" | "da" | "true" | "y" | "ok" => Some(true),
        "0" | "no" | "ne" | "false" | "n" => Some(false),
        _ => None,
    }
}

/// Texts of formulas have no way to write their own quotes; one that holds both is no text then, and the formula is refused.
fn quoted(text: &str) -> String {
    if text.contains('"') { format!("'{text}'") } else { format!("\"{text}\"") }
}
