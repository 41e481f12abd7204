//! A display formula as `enableWhen`, where that means the same for every answer and for a missing one. A formula that is blank hides; `!=`
//! holds without an answer, so it stands for `!=` of ours only beside `exists`.

use domain::{
    clock,
    formula::{Expr, Function},
    register::ValueType,
};
use rust_decimal::prelude::ToPrimitive;
use serde_json::{Value, json};

use super::{
    outgoing::{Writer, coding},
    times,
};
use crate::import::definition::{AttributeType, EnumItem, FieldDefinition};

/// Conditions of one item; one alone is of either kind.
pub enum Conditions {
    All(Vec<Value>),
    Any(Vec<Value>),
}

use Conditions::{All, Any};

impl Conditions {
    fn into_all(self) -> Option<Vec<Value>> {
        match self {
            All(parts) => Some(parts),
            Any(parts) => (parts.len() == 1).then_some(parts),
        }
    }

    fn into_any(self) -> Option<Vec<Value>> {
        match self {
            Any(parts) => Some(parts),
            All(parts) => (parts.len() == 1).then_some(parts),
        }
    }
}

impl Writer<'_> {
    /// None: `enableWhen` cannot say it.
    pub fn conditions(&self, expr: &Expr) -> Option<Conditions> {
        self.said(expr, false)
    }

    fn said(&self, expr: &Expr, negated: bool) -> Option<Conditions> {
        let Expr::Call { f, args, .. } = expr else { return self.truth(expr, negated) };
        match (f, args.as_slice()) {
            (Function::Not, [one]) => self.said(one, !negated),
            (Function::Or, [blank, other]) if !negated && self.is_unless(blank, other).is_some() => self.is_unless(blank, other),
            // What is not all of them is one of them that is not.
            (Function::And | Function::Or, parts) => {
                let parts = parts.iter().map(|part| self.said(part, negated));
                if (*f == Function::And) == negated {
                    Some(Any(parts.map(|part| part?.into_any()).collect::<Option<Vec<_>>>()?.concat()))
                } else {
                    Some(All(parts.map(|part| part?.into_all()).collect::<Option<Vec<_>>>()?.concat()))
                }
            }
            (Function::Isblank, [Expr::Field { code, .. }]) => Some(All(vec![exists(self.asked(code)?.0, negated)])),
            (Function::Selected | Function::Anyof, [Expr::Field { code, .. }, wanted @ ..]) => {
                let (field, known) = self.asked(code)?;
                let each = wanted.iter().map(|value| self.selected(field, known, value, negated));
                let parts = each.collect::<Option<Vec<_>>>()?.concat();
                Some(if negated { All(parts) } else { Any(parts) })
            }
            (sign, [Expr::Field { code, .. }, value]) => self.compared(code, signed(*sign, negated)?, value),
            (sign, [Expr::Item { code, .. }, value]) => self.weighed(code, signed(*sign, negated)?, constant(value)?),
            (sign, [value, Expr::Field { code, .. }]) => self.compared(code, turned(signed(*sign, negated)?), value),
            _ => None,
        }
    }

    /// A value that stands for a condition by itself.
    fn truth(&self, expr: &Expr, negated: bool) -> Option<Conditions> {
        let Expr::Field { code, .. } = expr else { return None };
        let (field, known) = self.asked(code)?;
        match (known.tip_vrednosti, negated) {
            (ValueType::Choice, _) => Some(All(vec![boolean(field, "=", !negated)])),
            (ValueType::Number, true) => Some(All(vec![number(field, known, "=", 0.0)?])),
            (ValueType::Number, false) => Some(All(vec![exists(field, true), number(field, known, "!=", 0.0)?])),
            (ValueType::Text | ValueType::Date | ValueType::Time | ValueType::Moment | ValueType::Set, false) => {
                Some(All(vec![exists(field, true)]))
            }
            _ => None,
        }
    }

    /// `isblank($(n)) or $(n) != 5` is what `!=` says there.
    fn is_unless(&self, blank: &Expr, other: &Expr) -> Option<Conditions> {
        let Expr::Call { f: Function::Isblank, args, .. } = blank else { return None };
        let [Expr::Field { code, .. }] = args.as_slice() else { return None };
        let Expr::Call { f, args, .. } = other else { return None };
        let [Expr::Field { code: same, .. }, value] = args.as_slice() else { return None };
        let (field, known) = self.asked(code).filter(|_| same == code)?;
        let part = match (known.tip_vrednosti, f, value) {
            (ValueType::Choice, Function::Eq, value) => boolean(field, "!=", truth_of(value)? == 0.0),
            (ValueType::Choice, Function::Ne, value) => boolean(field, "!=", truth_of(value)? == 1.0),
            (_, Function::Ne, value) => self.plain(field, known, "!=", value)?,
            _ => return None,
        };
        Some(All(vec![part]))
    }

    fn selected(&self, field: &FieldDefinition, known: &AttributeType, value: &Expr, negated: bool) -> Option<Vec<Value>> {
        let sign = if negated { "!=" } else { "=" };
        if known.tip_vrednosti != ValueType::Set {
            let part = match known.tip_vrednosti {
                ValueType::Choice => boolean(field, sign, truth_of(value)? == 1.0),
                _ => self.plain(field, known, sign, value)?,
            };
            return Some(vec![part]);
        }
        let items = fitting(known, value);
        let is_offered = !items.is_empty() && items.iter().all(|item| item.moze_se_izabrati);
        is_offered.then(|| items.into_iter().map(|item| concept(field, known, item, sign)).collect())
    }

    fn compared(&self, code: &str, sign: &str, value: &Expr) -> Option<Conditions> {
        let (field, known) = self.asked(code)?;
        match known.tip_vrednosti {
            ValueType::Choice => {
                let wanted = truth_of(value)? == 1.0;
                match sign {
                    "=" => Some(All(vec![boolean(field, "=", wanted)])),
                    "!=" => Some(All(vec![boolean(field, "=", !wanted)])),
                    _ => None,
                }
            }
            ValueType::Set if constant(value).is_some() => self.weighed(code, sign, constant(value)?),
            _ => {
                let part = self.plain(field, known, sign, value)?;
                Some(All(if sign == "!=" { vec![exists(field, true), part] } else { vec![part] }))
            }
        }
    }

    /// The items whose weight stands so.
    fn weighed(&self, code: &str, sign: &str, value: f64) -> Option<Conditions> {
        let (field, known) = self.asked(code).filter(|(field, known)| known.tip_vrednosti == ValueType::Set && !field.own.multiselect)?;
        let stands = |weight: f64| match sign {
            "=" => weight == value,
            "!=" => weight != value,
            "<" => weight < value,
            "<=" => weight <= value,
            ">" => weight > value,
            _ => weight >= value,
        };
        let items: Vec<&EnumItem> = known.stavke.iter().filter(|item| weight(item).is_some_and(stands)).collect();
        let is_offered = !items.is_empty() && items.iter().all(|item| item.moze_se_izabrati);
        is_offered.then(|| Any(items.into_iter().map(|item| concept(field, known, item, "=")).collect()))
    }

    fn plain(&self, field: &FieldDefinition, known: &AttributeType, sign: &str, value: &Expr) -> Option<Value> {
        match (known.tip_vrednosti, value) {
            (ValueType::Number, value) => number(field, known, sign, constant(value)?),
            (ValueType::Text, Expr::Text { v, .. }) if ["=", "!="].contains(&sign) && !v.trim().is_empty() => {
                Some(part(field, sign, "answerString", json!(v)))
            }
            (ValueType::Date, Expr::Text { v, .. }) if v.len() == 10 && v.parse::<jiff::civil::Date>().is_ok() => {
                Some(part(field, sign, "answerDate", json!(v)))
            }
            (ValueType::Time, Expr::Text { v, .. }) => {
                Some(part(field, sign, "answerTime", json!(times::time_text(clock::time_in(v.trim())?))))
            }
            (ValueType::Moment, Expr::Text { v, .. }) => {
                Some(part(field, sign, "answerDateTime", json!(times::moment_text(clock::moment_in(v.trim())?)?)))
            }
            (ValueType::Set, Expr::Text { .. }) if !field.own.multiselect && ["=", "!="].contains(&sign) => {
                let items = fitting(known, value);
                let item = items.first().filter(|item| item.moze_se_izabrati)?;
                Some(concept(field, known, item, sign))
            }
            _ => None,
        }
    }

    /// A field that stands in the questionnaire as a question with one value.
    fn asked(&self, code: &str) -> Option<(&FieldDefinition, &AttributeType)> {
        let field = self.form.polja.iter().find(|field| field.sifra == code)?;
        let holder = self.form.polja.iter().find(|other| field.nadredjeni.as_ref() == Some(&other.sifra));
        let known = self.kind(field).filter(|known| known.tip_vrednosti.holds_value() && known.tip_vrednosti != ValueType::File)?;
        (!holder.is_some_and(|holder| holder.own.ponavlja_se)).then_some((field, known))
    }
}

pub fn weight(item: &EnumItem) -> Option<f64> {
    item.num_vrednost.and_then(|weight| weight.to_f64())
}

/// A number names every item with that weight; a text one item, by its code or else by its name.
fn fitting<'i>(known: &'i AttributeType, value: &Expr) -> Vec<&'i EnumItem> {
    let items = || known.stavke.iter();
    match value {
        Expr::Text { v, .. } => {
            let coded = items().find(|item| item.sifra_veza.as_ref() == Some(v));
            coded.or_else(|| items().find(|item| item.naziv == *v)).into_iter().collect()
        }
        value => constant(value).map_or_else(Vec::new, |number| items().filter(|item| weight(item) == Some(number)).collect()),
    }
}

fn constant(expr: &Expr) -> Option<f64> {
    match expr {
        Expr::Number { v, .. } => Some(*v),
        Expr::Call { f: Function::Neg, args, .. } => constant(args.first()?).map(|number| -number),
        _ => None,
    }
}

/// 1 or 0.
fn truth_of(value: &Expr) -> Option<f64> {
    constant(value).filter(|number| *number == 0.0 || *number == 1.0)
}

fn part(field: &FieldDefinition, sign: &str, kind: &str, answer: Value) -> Value {
    json!({ "question": field.sifra, "operator": sign, kind: answer })
}

fn exists(field: &FieldDefinition, yes: bool) -> Value {
    part(field, "exists", "answerBoolean", json!(yes))
}

fn boolean(field: &FieldDefinition, sign: &str, yes: bool) -> Value {
    part(field, sign, "answerBoolean", json!(yes))
}

fn concept(field: &FieldDefinition, known: &AttributeType, item: &EnumItem, sign: &str) -> Value {
    part(field, sign, "answerCoding", coding(known, item))
}

fn number(field: &FieldDefinition, known: &AttributeType, sign: &str, number: f64) -> Option<Value> {
    let is_whole = known.own.decimale_brojne_vrednosti == Some(0);
    if is_whole && (number.fract() != 0.0 || number.abs() > f64::from(i32::MAX)) {
        return None;
    }
    Some(if is_whole {
        part(field, sign, "answerInteger", json!(number as i64))
    } else {
        part(field, sign, "answerDecimal", json!(number))
    })
}

fn signed(function: Function, negated: bool) -> Option<&'static str> {
    Some(match (function, negated) {
        (Function::Eq, false) | (Function::Ne, true) => "=",
        (Function::Ne, false) | (Function::Eq, true) => "!=",
        (Function::Lt, false) | (Function::Ge, true) => "<",
        (Function::Le, false) | (Function::Gt, true) => "<=",
        (Function::Gt, false) | (Function::Le, true) => ">",
        (Function::Ge, false) | (Function::Lt, true) => ">=",
        _ => return None,
    })
}

fn turned(sign: &'static str) -> &'static str {
    match sign {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        same => same,
    }
}
