//! Sets and choices: conditions by the options for which they hold, values by the options' codes.

use rust_decimal::prelude::ToPrimitive;

use super::{Fields, Level, Part, PartKind, number_text, quoted};
use crate::exchange::{
    expression::{Dialect, Node, Sign},
    known_field::{ExpressionField, Kind, number_of_code},
    proof::{Answer, Answers, Outcome, redcap, xpath},
};

/// A longer list is not told option by option: formulas hold so many in one another.
const MOST_TOLD: usize = 30;

/// For which options a condition holds, and whether without one.
pub struct Truths {
    pub options: Vec<bool>,
    pub blank: bool,
}

/// An option is chosen, alone or among others.
pub fn selected(known: &ExpressionField, option: &str) -> Result<Part, String> {
    match &known.kind {
        Kind::Set { .. } => {
            let at = place(known, option)?;
            Ok(Part::decided(format!("selected($({}), {})", known.code, item(known, at)), Level::Single))
        }
        Kind::Choice => {
            let (on, off) = known.words();
            let truth = if option == on {
                "true"
            } else if option == off {
                "false"
            } else {
                return Err(not_truth(known, option));
            };
            Ok(Part::decided(format!("selected($({}), {truth})", known.code), Level::Single))
        }
        Kind::Text => Ok(Part::decided(format!("selected($({}), {})", known.code, quoted(option)), Level::Single)),
        _ => Err(format!("„{}” nema opcije", known.code)),
    }
}

/// Of several that may be chosen this one is, and no other.
pub fn alone(known: &ExpressionField, option: &str, sign: Sign) -> Result<Part, String> {
    let at = place(known, option)?;
    let others = codes(known).len() - 1;
    let chosen = format!("selected($({}), {})", known.code, item(known, at));
    let no_other: Vec<String> = (0..=others).filter(|other| *other != at).map(|other| item(known, other)).collect();
    let text = if no_other.is_empty() { chosen } else { format!("{chosen} and !anyof($({}), {})", known.code, no_other.join(", ")) };
    match sign {
        Sign::Equal => Ok(Part::decided(text, Level::And)),
        Sign::Unequal => Ok(Part::decided(format!("!({text})"), Level::Single)),
        _ => Err(format!("poređenje višestrukog izbora „{}”", known.code)),
    }
}

/// What the source gives for each option; none where its evaluator does not know the condition.
pub fn truths(known: &ExpressionField, node: &Node, dialect: Dialect, calculates: bool) -> Option<Truths> {
    let fields: Fields = node.fields().into_iter().map(|key| (key.to_owned(), known.clone())).collect();
    let holds = |answer: Answer| {
        let answers = Answers::from([(known.code.clone(), answer)]);
        let outcome = match dialect {
            Dialect::XlsForm => xpath::Source { node: node.clone(), fields: fields.clone() }.condition(&answers),
            Dialect::RedCap => redcap::Source { node: node.clone(), fields: fields.clone(), calculates }.condition(&answers),
        };
        if let Some(Outcome::Holds(holds)) = outcome { Some(holds) } else { None }
    };
    let options = match &known.kind {
        Kind::Choice => [true, false].map(|yes| holds(Answer::Yes(yes))).into_iter().collect::<Option<_>>()?,
        _ => codes(known).iter().map(|code| holds(Answer::Options(vec![(*code).to_owned()]))).collect::<Option<_>>()?,
    };
    Some(Truths { options, blank: holds(Answer::Blank)? })
}

/// A condition that holds for these options.
pub fn told(known: &ExpressionField, truths: &Truths, decided: bool) -> Part {
    let field = format!("$({})", known.code);
    let count = truths.options.iter().filter(|holds| **holds).count();
    if count == truths.options.len() {
        return if truths.blank { Part::constant(true) } else { Part::decided(format!("!isblank({field})"), Level::Single) };
    }
    if count == 0 {
        return if truths.blank { Part::decided(format!("isblank({field})"), Level::Single) } else { Part::constant(false) };
    }
    if matches!(known.kind, Kind::Choice) {
        return of_choice(&field, truths, decided);
    }
    // Said by the options that are fewer: those for which it holds, or the others.
    let positive = count * 2 + usize::from(truths.blank) <= truths.options.len();
    let named: Vec<String> = (0..truths.options.len()).filter(|at| truths.options[*at] == positive).map(|at| item(known, at)).collect();
    let chosen = match named.as_slice() {
        [one] => format!("selected({field}, {one})"),
        several => format!("anyof({field}, {})", several.join(", ")),
    };
    match (positive, truths.blank) {
        (true, false) => Part::decided(chosen, Level::Single),
        (true, true) => Part::decided(format!("isblank({field}) or {chosen}"), Level::Or),
        (false, true) => Part::decided(format!("!{chosen}"), Level::Single),
        (false, false) => Part::decided(format!("!isblank({field}) and !{chosen}"), Level::And),
    }
}

fn of_choice(field: &str, truths: &Truths, decided: bool) -> Part {
    match (truths.options[0], truths.blank) {
        (true, false) => Part::decided(format!("selected({field}, true)"), Level::Single),
        (true, true) => Part::decided(format!("!selected({field}, false)"), Level::Single),
        (false, true) => Part::decided(format!("!selected({field}, true)"), Level::Single),
        (false, false) if decided => Part::decided(format!("selected({field}, false)"), Level::Single),
        (false, false) => Part::of(format!("{field} == 0"), Level::Compare, PartKind::Number, true),
    }
}

/// A literal beside a choice that is none of its options.
pub fn unknown(known: &ExpressionField, literal: &Node) -> Option<String> {
    let text = match literal {
        Node::Number(number) => number_text(*number),
        Node::Text(text) => text.trim().to_owned(),
        Node::Minus(of) => match &**of {
            Node::Number(number) => number_text(-number),
            _ => return None,
        },
        _ => return None,
    };
    let same = |code: &str| code == text || matches!((numeric(code), numeric(&text)), (Some(code), Some(text)) if code == text);
    match &known.kind {
        Kind::Choice => {
            let (on, off) = known.words();
            (!same(on) && !same(off)).then(|| not_truth(known, &text))
        }
        _ => (!codes(known).into_iter().any(same)).then(|| no_option(known, &text)),
    }
}

/// As the number that its code is; blank where it is none.
pub fn number(known: &ExpressionField) -> Result<Part, String> {
    match &known.kind {
        Kind::Choice => {
            let (on, off) = known.words();
            match (numeric(on), numeric(off)) {
                (Some(1.0), Some(0.0)) => Ok(Part::single(format!("$({})", known.code), PartKind::Number, true)),
                (Some(on), Some(off)) => {
                    let text = format!("if($({}), {}, {})", known.code, number_text(on), number_text(off));
                    Ok(Part::single(text, PartKind::Number, true))
                }
                _ => Err(format!("opcije polja „{}” nisu brojevi", known.code)),
            }
        }
        Kind::Set { multiple: true, .. } => Err(format!("„{}” ima više vrednosti", known.code)),
        Kind::Set { .. } if weighs_as_coded(known) => Ok(Part::single(format!("$!({})", known.code), PartKind::Number, true)),
        _ if codes(known).iter().any(|code| numeric(code).is_some()) => {
            by_option(known, PartKind::Number, |code| numeric(code).map(number_text))
        }
        _ => Err(format!("opcije polja „{}” nisu brojevi", known.code)),
    }
}

/// As the text that its code is.
pub fn text(known: &ExpressionField) -> Result<Part, String> {
    match &known.kind {
        Kind::Choice => {
            let (on, off) = known.words();
            Ok(Part::single(format!("if($({}), {}, {})", known.code, quoted(on), quoted(off)), PartKind::Text, true))
        }
        Kind::Set { multiple: true, .. } => Err(format!("„{}” ima više vrednosti", known.code)),
        _ => by_option(known, PartKind::Text, |code| Some(quoted(code))),
    }
}

pub fn are_numbers(known: &ExpressionField) -> bool {
    match &known.kind {
        Kind::Choice => [known.words().0, known.words().1].iter().all(|code| numeric(code).is_some()),
        _ => codes(known).iter().any(|code| numeric(code).is_some()),
    }
}

fn by_option(known: &ExpressionField, kind: PartKind, said: impl Fn(&str) -> Option<String>) -> Result<Part, String> {
    let told: Vec<(usize, String)> = codes(known).iter().enumerate().filter_map(|(at, code)| Some((at, said(code)?))).collect();
    if told.len() > MOST_TOLD {
        return Err(format!("lista polja „{}” ima previše opcija", known.code));
    }
    let text = told
        .iter()
        .rev()
        .fold("null".to_owned(), |rest, (at, value)| format!("if(selected($({}), {}), {value}, {rest})", known.code, item(known, *at)));
    Ok(Part::single(text, kind, true))
}

pub fn codes(known: &ExpressionField) -> Vec<&str> {
    match &known.kind {
        Kind::Set { items, .. } => items.iter().map(|(code, _)| code.as_str()).collect(),
        _ => Vec::new(),
    }
}

fn place(known: &ExpressionField, option: &str) -> Result<usize, String> {
    codes(known).iter().position(|code| *code == option).ok_or_else(|| no_option(known, option))
}

fn no_option(known: &ExpressionField, option: &str) -> String {
    format!("„{}” nema opciju „{option}”", known.code)
}

fn not_truth(known: &ExpressionField, option: &str) -> String {
    format!("„{}” je da ili ne, a ne „{option}”", known.code)
}

/// How a formula names an item: by its code, since two may weigh the same, and one may weigh nothing.
fn item(known: &ExpressionField, at: usize) -> String {
    quoted(codes(known)[at])
}

fn numeric(code: &str) -> Option<f64> {
    number_of_code(code)?.to_f64()
}

/// Whether each option weighs what its code says, and nothing where its code is no number.
fn weighs_as_coded(known: &ExpressionField) -> bool {
    let Kind::Set { items, .. } = &known.kind else { return false };
    items.iter().any(|(_, weight)| weight.is_some()) && items.iter().all(|(code, weight)| number_of_code(code) == *weight)
}
