//! What kind of value a calculation of XLSForm gives, before it is translated: its field is of that type.

use super::{Fields, options};
use crate::exchange::{
    expression::{Node, Sign},
    known_field::Kind,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultKind {
    Number,
    Text,
    Date,
    /// True or false.
    Truth,
}

/// None where nothing tells it.
pub fn kind_of(node: &Node, fields: &Fields) -> Option<ResultKind> {
    use ResultKind as R;
    match node {
        Node::Number(_) | Node::Minus(_) => Some(R::Number),
        Node::Text(text) if text.is_empty() => None,
        Node::Text(_) => Some(R::Text),
        Node::Ticked(..) | Node::Rows(..) => Some(R::Number),
        Node::Binary(sign, ..) if sign.compares() || matches!(sign, Sign::Or | Sign::And) => Some(R::Truth),
        Node::Binary(..) => Some(R::Number),
        Node::Field(key) => match fields.get(key).map(|known| (&known.kind, known)) {
            Some((Kind::Number, _)) => Some(R::Number),
            Some((Kind::Date, _)) => Some(R::Date),
            Some((Kind::Set { multiple: false, .. } | Kind::Choice, known)) if options::are_numbers(known) => Some(R::Number),
            _ => Some(R::Text),
        },
        Node::Call(name, args) => match (name.as_str(), args.as_slice()) {
            ("if", [_, one, other]) | ("coalesce", [one, other]) => either(kind_of(one, fields), kind_of(other, fields)),
            ("once", [one]) => kind_of(one, fields),
            ("format-date" | "format-date-time", [_, Node::Text(shape)]) if shape == "%Y-%m-%d" => Some(R::Date),
            ("date" | "date-time" | "today" | "now" | "add-date", _) => Some(R::Date),
            ("true" | "false" | "not" | "boolean" | "selected" | "is-selected" | "regex" | "starts-with" | "ends-with" | "contains", _) => {
                Some(R::Truth)
            }
            (
                "concat" | "string" | "substr" | "substring" | "substring-before" | "substring-after" | "format-date" | "format-date-time"
                | "jr:choice-name" | "join" | "selected-at" | "uuid" | "digest" | "pulldata" | "normalize-space" | "translate"
                | "indexed-repeat" | "instance" | "property",
                _,
            ) => Some(R::Text),
            _ => Some(R::Number),
        },
    }
}

fn either(one: Option<ResultKind>, other: Option<ResultKind>) -> Option<ResultKind> {
    match (one, other) {
        (None, kind) | (kind, None) => kind,
        (Some(one), Some(other)) if one == other => Some(one),
        _ => Some(ResultKind::Text),
    }
}
