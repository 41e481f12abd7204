//! The value of a tree.

use std::{cmp::Ordering, collections::HashMap};

use jiff::{Unit, civil::Date};

use super::{Expr, Function, Value, ieee, round};

/// What a formula may look at.
pub struct Context<'a> {
    /// By code; what is missing is blank.
    pub values: &'a HashMap<String, Value>,
    /// The day by the clock of Belgrade.
    pub today: Date,
}

/// The value of `expr`, not rounded yet.
pub fn evaluate(expr: &Expr, context: &Context) -> Value {
    match expr {
        Expr::Number { v } => Value::number(*v),
        Expr::Text { v } => Value::text(v),
        Expr::Field { code, .. } => context.values.get(code).cloned().unwrap_or(Value::Blank),
        Expr::Item { code, .. } => context.values.get(code).and_then(Value::as_number).map_or(Value::Blank, Value::number),
        Expr::Call { f: Function::If, args, .. } => match evaluate(&args[0], context).as_truth() {
            Some(holds) => evaluate(&args[if holds { 1 } else { 2 }], context),
            None => Value::Blank,
        },
        Expr::Call { f, args, .. } => {
            let args: Vec<Value> = args.iter().map(|arg| evaluate(arg, context)).collect();
            apply(*f, &args, context).unwrap_or(Value::Blank)
        }
    }
}

/// `None` is blank. The parser has checked how many values there are.
fn apply(function: Function, args: &[Value], context: &Context) -> Option<Value> {
    use Function as F;
    let number = |i: usize| args[i].as_number();
    let compared = |holds: fn(Ordering) -> bool| Some(Value::truth(Some(holds(args[0].compare(&args[1])?))));
    Some(match function {
        F::Add | F::Sum => Value::number(folded(args, |a, b| a + b)?),
        F::Sub => match (&args[0], &args[1]) {
            (Value::Date(later), Value::Date(earlier)) => Value::Number(days(*earlier, *later)),
            _ => Value::number(number(0)? - number(1)?),
        },
        F::Mul => Value::number(folded(args, |a, b| a * b)?),
        F::Div => Value::number(number(0)? / number(1)?),
        F::Rem => Value::number(number(0)? % number(1)?),
        F::Neg => Value::number(-number(0)?),
        F::Lt => compared(Ordering::is_lt)?,
        F::Le => compared(Ordering::is_le)?,
        F::Gt => compared(Ordering::is_gt)?,
        F::Ge => compared(Ordering::is_ge)?,
        F::Eq => compared(Ordering::is_eq)?,
        F::Ne => compared(Ordering::is_ne)?,
        F::And => Value::truth(decided(args, false)),
        F::Or => Value::truth(decided(args, true)),
        F::Not => Value::truth(Some(!args[0].as_truth()?)),
        F::If => unreachable!("`evaluate` handles the branches"),
        F::Sqrt => Value::number(number(0)?.sqrt()),
        F::Ln => Value::number(ieee::ln(number(0)?)),
        F::Log10 => Value::number(ieee::log10(number(0)?)),
        F::Exp => Value::number(ieee::exp(number(0)?)),
        F::Pow => Value::number(ieee::pow(number(0)?, number(1)?)),
        F::Abs => Value::number(number(0)?.abs()),
        F::Floor => Value::number(number(0)?.floor()),
        F::Ceil => Value::number(number(0)?.ceil()),
        F::Round => {
            let places = if args.len() > 1 { number(1)? } else { 0.0 };
            Value::number(round::half_away(number(0)?, places.clamp(0.0, 10.0) as usize))
        }
        F::Min => Value::number(present(args).reduce(|least, x| if x < least { x } else { least })?),
        F::Max => Value::number(present(args).reduce(|most, x| if x > most { x } else { most })?),
        F::Avg => {
            let sum = present(args).reduce(|sum, x| sum + x)?;
            Value::number(sum / present(args).count() as f64)
        }
        F::Count => Value::Number(args.iter().filter(|arg| **arg != Value::Blank).count() as f64),
        F::Isblank => Value::truth(Some(args[0] == Value::Blank)),
        F::Selected => Value::truth(Some(selected(&args[0], &args[1]))),
        F::Age => Value::Number(f64::from(months(args[0].as_date()?, args[1].as_date()?)? / 12)),
        F::AgeMonths => Value::Number(f64::from(months(args[0].as_date()?, args[1].as_date()?)?)),
        F::AgeDays => {
            let days = days(args[0].as_date()?, args[1].as_date()?);
            if days < 0.0 { Value::Blank } else { Value::Number(days) }
        }
        F::DaysBetween => Value::Number(days(args[0].as_date()?, args[1].as_date()?)),
        F::Today => Value::Date(context.today),
    })
}

/// All values joined from left to right; `None` where one is blank.
fn folded(args: &[Value], join: fn(f64, f64) -> f64) -> Option<f64> {
    let (first, rest) = args.split_first()?;
    rest.iter().try_fold(first.as_number()?, |so_far, arg| Some(join(so_far, arg.as_number()?)))
}

/// The numbers that are there.
fn present(args: &[Value]) -> impl Iterator<Item = f64> {
    args.iter().filter_map(Value::as_number)
}

/// And, or: one side equal to `decisive` decides, whatever the others are; else one blank makes the answer blank.
fn decided(args: &[Value], decisive: bool) -> Option<bool> {
    let truths: Vec<Option<bool>> = args.iter().map(Value::as_truth).collect();
    if truths.contains(&Some(decisive)) {
        Some(decisive)
    } else if truths.contains(&None) {
        None
    } else {
        Some(!decisive)
    }
}

/// Whether the item with this number or name is chosen; a value that is no set is compared as it is.
fn selected(value: &Value, wanted: &Value) -> bool {
    match (value, wanted) {
        (Value::Items(items), Value::Text(name)) => items.iter().any(|item| item.name == *name),
        (Value::Items(items), wanted) => wanted.as_number().is_some_and(|num| items.iter().any(|item| item.num == num)),
        (value, wanted) => value.compare(wanted).is_some_and(Ordering::is_eq),
    }
}

/// Whole months from `from` to `to`; a month is whole on the same day of the month, or on the first day after it where the
/// month lacks that day: who was born on 29 February is a year older on 1 March. `None` where `to` comes first.
fn months(from: Date, to: Date) -> Option<i32> {
    if to < from {
        return None;
    }
    let whole = |date: Date| i32::from(date.year()) * 12 + i32::from(date.month());
    Some(whole(to) - whole(from) - i32::from(to.day() < from.day()))
}

fn days(from: Date, to: Date) -> f64 {
    let span = from.until((Unit::Day, to)).expect("two dates are some days apart");
    f64::from(span.get_days())
}
