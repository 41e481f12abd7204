//! An expression of another system in the language of formulas here. Only what means the same is said; everything else tells why it cannot
//! be. A blank answer means what it means in the source: where both languages take it differently, the formula asks for it.

mod compare;
mod functions;
mod kinds;
mod options;
mod values;

#[cfg(test)]
mod tests;

use std::collections::HashMap;

pub use self::kinds::{ResultKind, kind_of};
use super::{
    expression::{Dialect, Node, Sign},
    known_field::{ExpressionField, Kind},
};

const ALWAYS: &str = "1 == 1";
const NEVER: &str = "1 == 0";

pub type Fields = HashMap<String, ExpressionField>;

/// How an expression is said where the plain way differs in rare values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    Plain,
    /// Ties of negative numbers and divisions by zero as in the source.
    Exact,
}

/// A formula, and what whoever reads it should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translation {
    pub formula: String,
    pub remarks: Vec<String>,
}

/// Whether something shows, or a value is required: blank is no.
pub fn condition(node: &Node, dialect: Dialect, fields: &Fields, manner: Manner) -> Result<Translation, String> {
    let mut writer = Writer::new(dialect, fields, manner, false);
    let part = writer.condition(node, Blank::IsNo)?;
    match (part.text.as_str(), writer.remarks.first()) {
        // All of it speaks of an option that there is not.
        (ALWAYS | NEVER, Some(why)) => Err(why.clone()),
        _ => Ok(writer.done(part)),
    }
}

/// What must hold: an answer, never blank.
/// `own`: the code of the field that is constrained; it is asked only where it has an answer.
pub fn constraint(node: &Node, dialect: Dialect, fields: &Fields, manner: Manner, own: &str) -> Result<Translation, String> {
    let mut writer = Writer { answered: own.to_owned(), ..Writer::new(dialect, fields, manner, false) };
    let part = writer.condition(node, Blank::Decided)?;
    Ok(writer.done(part))
}

/// The value of a field of this kind.
pub fn calculation(node: &Node, dialect: Dialect, fields: &Fields, manner: Manner, kind: ResultKind) -> Result<Translation, String> {
    let mut writer = Writer::new(dialect, fields, manner, true);
    let part = match kind {
        ResultKind::Truth => writer.condition(node, Blank::Decided)?,
        ResultKind::Number => writer.number(node)?,
        ResultKind::Text => writer.text(node)?,
        ResultKind::Date => writer.date(node)?,
    };
    Ok(writer.done(part))
}

/// Whether a condition that cannot be decided is no, or must be decided either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Blank {
    IsNo,
    Decided,
}

/// How tightly a part holds together, from the loosest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    And,
    Compare,
    Add,
    Multiply,
    Sign,
    Single,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PartKind {
    Number,
    Text,
    Date,
    /// A day as the number of days that XPath takes it for.
    Days,
    /// No value at all.
    Nothing,
}

/// A piece of a formula.
#[derive(Clone, Debug)]
struct Part {
    text: String,
    level: Level,
    kind: PartKind,
    may_be_blank: bool,
}

impl Part {
    fn of(text: impl Into<String>, level: Level, kind: PartKind, may_be_blank: bool) -> Self {
        Self { text: text.into(), level, kind, may_be_blank }
    }

    fn single(text: impl Into<String>, kind: PartKind, may_be_blank: bool) -> Self {
        Self::of(text, Level::Single, kind, may_be_blank)
    }

    /// A condition that is never blank.
    fn decided(text: impl Into<String>, level: Level) -> Self {
        Self::of(text, level, PartKind::Number, false)
    }

    /// A bare `false` beside an `or` is read as JavaScript's way with blanks, and refused.
    fn constant(holds: bool) -> Self {
        Self::decided(if holds { ALWAYS } else { NEVER }, Level::Compare)
    }

    /// Where at least this level is asked for.
    fn at(&self, level: Level) -> String {
        if self.level >= level { self.text.clone() } else { format!("({})", self.text) }
    }

    fn isblank(&self) -> String {
        format!("isblank({})", self.text)
    }
}

struct Writer<'a> {
    dialect: Dialect,
    fields: &'a Fields,
    manner: Manner,
    /// It gives a value, and is no condition.
    calculates: bool,
    /// The code of a field that is not blank.
    answered: String,
    remarks: Vec<String>,
}

impl<'a> Writer<'a> {
    fn new(dialect: Dialect, fields: &'a Fields, manner: Manner, calculates: bool) -> Self {
        Self { dialect, fields, manner, calculates, answered: String::new(), remarks: Vec::new() }
    }

    fn done(self, part: Part) -> Translation {
        Translation { formula: part.text, remarks: self.remarks }
    }

    fn remark(&mut self, text: &str) {
        if !self.remarks.iter().any(|known| known == text) {
            self.remarks.push(text.to_owned());
        }
    }

    fn known(&self, key: &str) -> Result<&'a ExpressionField, String> {
        self.fields.get(key).ok_or_else(|| format!("nema polja „{key}”"))
    }

    fn condition(&mut self, node: &Node, blank: Blank) -> Result<Part, String> {
        match node {
            Node::Binary(sign @ (Sign::Or | Sign::And), left, right) => {
                let level = if *sign == Sign::Or { Level::Or } else { Level::And };
                let (left, right) = (self.condition(left, blank)?, self.condition(right, blank)?);
                let text = format!("{} {} {}", left.at(level), sign.written(), right.at(level));
                Ok(Part::of(text, level, PartKind::Number, left.may_be_blank || right.may_be_blank))
            }
            Node::Binary(sign, left, right) if sign.compares() => self.comparison(*sign, left, right, blank),
            Node::Call(name, args) => match (name.as_str(), args.as_slice()) {
                ("not", [one]) => {
                    let part = self.condition(one, Blank::Decided)?;
                    let text = if part.level == Level::Single { format!("!{}", part.text) } else { format!("!({})", part.text) };
                    Ok(Part::decided(text, Level::Single))
                }
                ("true", []) => Ok(Part::constant(true)),
                ("false", []) => Ok(Part::constant(false)),
                ("boolean", [one]) => self.condition(one, blank),
                ("selected" | "is-selected", [Node::Field(key), Node::Text(option)]) => {
                    let known = self.known(key)?;
                    options::selected(known, option.trim())
                }
                ("if", [asked, then, otherwise]) => {
                    let asked = self.condition(asked, Blank::Decided)?;
                    let (then, otherwise) = (self.condition(then, blank)?, self.condition(otherwise, blank)?);
                    let may_be_blank = then.may_be_blank || otherwise.may_be_blank;
                    let text = format!("if({}, {}, {})", asked.text, then.text, otherwise.text);
                    Ok(Part::single(text, PartKind::Number, may_be_blank))
                }
                ("isblankormissingcode", [one]) => Ok(Part::decided(self.any(one)?.isblank(), Level::Single)),
                ("isnumber", [one]) => {
                    let part = self.number(one)?;
                    Ok(Part::decided(format!("!isblank({} + 0)", part.at(Level::Add)), Level::Single))
                }
                // As a value each of these is this condition again.
                ("not" | "true" | "false" | "boolean" | "selected" | "is-selected" | "isblankormissingcode" | "isnumber", _) => {
                    Err(format!("„{name}” sa takvim vrednostima"))
                }
                ("contains", [one, Node::Text(sought)]) if is_part(self.dialect, sought) => self.contains(one, sought, blank),
                _ => self.truth_of_value(node, blank),
            },
            Node::Ticked(key, option) => options::selected(self.known(key)?, option),
            _ => self.truth_of_value(node, blank),
        }
    }

    /// A value where a condition is asked for: a number that is not 0, a text that is not empty.
    fn truth_of_value(&mut self, node: &Node, blank: Blank) -> Result<Part, String> {
        let part = self.any(node)?;
        match part.kind {
            PartKind::Number if !part.may_be_blank || blank == Blank::IsNo => {
                Ok(Part::of(format!("{} != 0", part.at(Level::Add)), Level::Compare, PartKind::Number, part.may_be_blank))
            }
            PartKind::Number => Ok(Part::decided(format!("!{} and {} != 0", part.isblank(), part.at(Level::Add)), Level::And)),
            PartKind::Nothing => Ok(Part::constant(false)),
            PartKind::Text | PartKind::Date | PartKind::Days => Ok(Part::decided(format!("!{}", part.isblank()), Level::Single)),
        }
    }
}

pub fn holds_files(code: &str) -> String {
    format!("„{code}” drži fajlove")
}

/// An empty text is a part of every other, also of a blank one there. REDCap takes capital and small letters for the same.
fn is_part(dialect: Dialect, sought: &str) -> bool {
    dialect == Dialect::XlsForm && !sought.trim().is_empty()
}

/// Texts of formulas have no way to write their own quotes; one that holds both is no text then, and the formula is refused.
fn quoted(text: &str) -> String {
    if text.contains('"') { format!("'{text}'") } else { format!("\"{text}\"") }
}

/// Fifteen digits are all that a formula reads.
fn number_text(number: f64) -> String {
    number.to_string()
}

fn has_value(known: &ExpressionField) -> Result<(), String> {
    match known.kind {
        Kind::File => Err(holds_files(&known.code)),
        Kind::Nothing => Err(format!("„{}” nema vrednost", known.code)),
        Kind::Clock => Err(format!("„{}” drži vreme, a izraz nad vremenom se ne prenosi", known.code)),
        _ => Ok(()),
    }
}
