//! Values in words: `concat`, `join`, and results of text fields.

use super::{Context, Expr, Function, Value, eval, form::shown_number, round};

/// The text of a value as a clinician reads it. `None` is blank.
pub(super) fn of(value: &Value) -> Option<String> {
    match value {
        Value::Number(number) => Some(round::decimal_text(shown_number(*number), round::PLACES).replace('.', ",")),
        Value::Date(date) => Some(format!("{:02}.{:02}.{:04}.", date.day(), date.month(), date.year())),
        _ => value.as_text(),
    }
}

/// `concat` needs all of its values; `join` puts its first value between those of the others that are there.
pub(super) fn joined(function: Function, args: &[Expr], context: &Context) -> Option<String> {
    if function == Function::Concat {
        return args.iter().map(|arg| part(arg, context)).collect();
    }
    let (between, rest) = args.split_first()?;
    let there: Vec<String> = rest.iter().filter_map(|arg| of(&eval::evaluate(arg, context))).collect();
    if there.is_empty() { None } else { Some(there.join(&part(between, context)?)) }
}

/// A literal stands as it is, though it be nothing but a space.
fn part(arg: &Expr, context: &Context) -> Option<String> {
    match arg {
        Expr::Text { v, .. } => Some(v.clone()),
        _ => of(&eval::evaluate(arg, context)),
    }
}
