//! Values in words: `concat`, `join`, and results of text fields.

use jiff::civil::Date;

use super::{Context, Expr, Function, Value, eval, round, rows};
use crate::clock;

/// As many decimals as a field can be entered with.
const ENTERED: usize = 10;

/// The text of a value as a clinician reads it. `None` is blank.
pub(super) fn of(value: &Value) -> Option<String> {
    match value {
        Value::Number(number) => Some(number_text(*number)),
        Value::Date(date) => Some(day_text(*date)),
        Value::Time(time) => Some(clock::time_stored(*time)),
        Value::Moment(at) => Some(format!("{} {}", day_text(at.date()), clock::time_stored(at.time()))),
        _ => value.as_text(),
    }
}

fn day_text(day: Date) -> String {
    format!("{:02}.{:02}.{:04}.", day.day(), day.month(), day.year())
}

/// All decimals where they end within those of an entered number, else two, as a result is stored; infinity is 0.
fn number_text(number: f64) -> String {
    let places = if round::half_away(number, ENTERED) == round::clean(number) { ENTERED } else { round::PLACES };
    let number = if number.is_finite() { number } else { 0.0 };
    round::decimal_text(number, places).replace('.', ",")
}

/// `concat` needs all of its values; `join` puts its first value between those of the others that are there.
pub(super) fn joined(function: Function, args: &[Expr], context: &Context) -> Option<String> {
    if function == Function::Concat {
        return args.iter().map(|arg| part(arg, context)).collect();
    }
    let (between, rest) = args.split_first()?;
    let there: Vec<String> = rest.iter().flat_map(|arg| rows::each(arg, context)).filter_map(|(value, _)| of(&value)).collect();
    if there.is_empty() { None } else { Some(there.join(&part(between, context)?)) }
}

/// A literal stands as it is, though it be nothing but a space.
fn part(arg: &Expr, context: &Context) -> Option<String> {
    match arg {
        Expr::Text { v, .. } => Some(v.clone()),
        _ => of(&eval::evaluate(arg, context)),
    }
}
