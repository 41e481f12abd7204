//! The value of a tree.

use std::{cmp::Ordering, collections::HashMap};

use jiff::{
    ToSpan, Unit,
    civil::{Date, DateTime},
};

use super::{
    Expr, FormulaSurroundings, Function, Value, many, round,
    rows::{self, RowAt, Rows},
    text,
};
use crate::clock;

/// What a formula may look at.
pub struct Context<'a> {
    /// By code; what is missing is blank.
    pub values: &'a HashMap<String, Value>,
    /// Those of the previous entry, likewise.
    pub previous: &'a HashMap<String, Value>,
    /// Those of all earlier entries that are known, oldest first.
    pub earlier: &'a [HashMap<String, Value>],
    pub around: &'a FormulaSurroundings,
    pub rows: &'a Rows,
    /// The row in which a part of the formula is evaluated: its cells stand before all other values.
    pub row: Option<RowAt<'a>>,
    /// Whether the formula is a column's: functions of many then read the cells of the one row, and only those asked of rows read others.
    pub of_column: bool,
}

impl Context<'_> {
    fn value(&self, code: &str) -> Option<&Value> {
        self.row.and_then(|row| row.cells.get(code)).or_else(|| self.values.get(code))
    }
}

/// The value of `expr`, not rounded yet.
pub fn evaluate(expr: &Expr, context: &Context) -> Value {
    match expr {
        Expr::Number { v, .. } => Value::number(*v),
        Expr::Text { v, .. } => Value::text(v),
        Expr::Code { v, .. } => Value::Code(v.clone()),
        Expr::Field { code, .. } => context.value(code).cloned().unwrap_or(Value::Blank),
        Expr::Item { code, .. } => context.value(code).and_then(Value::as_number).map_or(Value::Blank, Value::number),
        Expr::Call { f: Function::Previous, args, .. } => evaluate(&args[0], &Context { values: context.previous, row: None, ..*context }),
        Expr::Call { f, args, .. } if f.is_of_history() => many::earlier(*f, &args[0], context),
        Expr::Call { f: Function::If, args, .. } => match evaluate(&args[0], context).as_truth() {
            Some(holds) => evaluate(&args[if holds { 1 } else { 2 }], context),
            None => Value::Blank,
        },
        Expr::Call { f: Function::Lookup, args, .. } => found(args, context).map_or(Value::Blank, |row| evaluate(row, context)),
        Expr::Call { f: Function::Coalesce, args, .. } => {
            args.iter().map(|arg| evaluate(arg, context)).find(|value| *value != Value::Blank).unwrap_or(Value::Blank)
        }
        Expr::Call { f: f @ (Function::Earliest | Function::Latest), args, .. } => many::extreme(*f, args, context).unwrap_or(Value::Blank),
        Expr::Call { f: Function::Countif, args, .. } => many::countif(args, context).map_or(Value::Blank, Value::Number),
        Expr::Call { f: f @ (Function::Concat | Function::Join), args, .. } => {
            text::joined(*f, args, context).map_or(Value::Blank, Value::text)
        }
        Expr::Call { f: Function::RowCount, args, .. } => Value::Number(rows::count(&args[0], context)),
        Expr::Call { f: Function::RowNumber, .. } => context.row.map_or(Value::Blank, |row| Value::Number((row.place + 1) as f64)),
        Expr::Call { f: Function::FirstRow, args, .. } => {
            rows::in_rows(&args[0], context).and_then(|values| values.into_iter().next()).unwrap_or(Value::Blank)
        }
        Expr::Call { f: Function::LastRow, args, .. } => {
            rows::in_rows(&args[0], context).and_then(|values| values.into_iter().next_back()).unwrap_or(Value::Blank)
        }
        Expr::Call { f: f @ (Function::AnyRow | Function::EveryRow), args, .. } => {
            Value::truth(rows::decided(&args[0], context, *f == Function::AnyRow))
        }
        Expr::Call { f: f @ (Function::Sum | Function::Count), args, .. } => {
            let values: Vec<Value> = args.iter().flat_map(|arg| rows::each(arg, context)).map(|(value, _)| value).collect();
            apply(*f, &values, context.around).unwrap_or(Value::Blank)
        }
        Expr::Call { f, args, .. } if f.is_of_many() => many::evaluate(*f, args, context).map_or(Value::Blank, Value::number),
        Expr::Call { f, args, .. } => {
            let args: Vec<Value> = args.iter().map(|arg| evaluate(arg, context)).collect();
            apply(*f, &args, context.around).unwrap_or(Value::Blank)
        }
    }
}

/// The value beside the first row of a table that the looked up value fits; `None` is blank.
fn found<'a>(args: &'a [Expr], context: &Context) -> Option<&'a Expr> {
    let (looked_up, rows) = args.split_first()?;
    let value = evaluate(looked_up, context);
    if value == Value::Blank {
        return None;
    }
    for row in rows.chunks(2) {
        match row {
            [row, beside] => {
                if row_holds(&value, row, context)? {
                    return Some(beside);
                }
            }
            otherwise => return otherwise.first(),
        }
    }
    None
}

/// Whether `value` stands as `row` asks, a comparison without its left side; `None` is blank.
pub(super) fn row_holds(value: &Value, row: &Expr, context: &Context) -> Option<bool> {
    let Expr::Call { f, args, .. } = row else { return None };
    let order = value.compare(&evaluate(args.first()?, context))?;
    Some(match f {
        Function::Lt => order.is_lt(),
        Function::Le => order.is_le(),
        Function::Gt => order.is_gt(),
        Function::Ge => order.is_ge(),
        Function::Eq => order.is_eq(),
        _ => order.is_ne(),
    })
}

/// `None` is blank. The parser has checked how many values there are.
fn apply(function: Function, args: &[Value], around: &FormulaSurroundings) -> Option<Value> {
    use Function as F;
    let number = |i: usize| args[i].as_number();
    let compared = |holds: fn(Ordering) -> bool| Some(Value::truth(Some(holds(args[0].compare(&args[1])?))));
    Some(match function {
        F::Add => added(args)?,
        F::Sum => Value::number(folded(args, round::add)?),
        F::Sub => match (&args[0], &args[1]) {
            (Value::Date(later), Value::Date(earlier)) => Value::Number(days(*earlier, *later)),
            (Value::Date(date), by) => shifted(*date, -by.as_number()?)?,
            _ => Value::number(round::add(number(0)?, -number(1)?)),
        },
        F::Mul => Value::number(folded(args, |a, b| a * b)?),
        F::Div => Value::number(number(0)? / number(1)?),
        F::Rem => Value::number(round::remainder(number(0)?, number(1)?)),
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
        F::If | F::Min | F::Max | F::Avg | F::Median | F::Sd | F::Countif | F::Lookup | F::Concat | F::Join | F::Previous | F::RowCount => {
            unreachable!("`evaluate` handles them")
        }
        F::FirstRow | F::LastRow | F::AnyRow | F::EveryRow | F::Coalesce | F::Earliest | F::Latest | F::FirstEarlier => {
            unreachable!("`evaluate` handles them")
        }
        F::LastEarlier | F::LeastEarlier | F::GreatestEarlier | F::RowNumber => {
            unreachable!("`evaluate` handles them")
        }
        F::Sqrt => Value::number(number(0)?.sqrt()),
        F::Ln => Value::number(libm::log(number(0)?)),
        F::Log10 => Value::number(libm::log10(number(0)?)),
        F::Exp => Value::number(libm::exp(number(0)?)),
        F::Pow => Value::number(libm::pow(number(0)?, number(1)?)),
        F::Abs => Value::number(number(0)?.abs()),
        F::Floor => Value::number(round::clean(number(0)?).floor()),
        F::Ceil => Value::number(round::clean(number(0)?).ceil()),
        F::Round => {
            let places = if args.len() > 1 { number(1)? } else { 0.0 };
            Value::number(round::half_away(number(0)?, places.clamp(0.0, 10.0) as usize))
        }
        F::Count => Value::Number(args.iter().map(counted).sum::<usize>() as f64),
        F::Isblank => Value::truth(Some(args[0] == Value::Blank)),
        F::Selected | F::Anyof => Value::truth(Some(args[1..].iter().any(|wanted| selected(&args[0], wanted)))),
        F::Age => Value::Number(f64::from(months(args[0].as_date()?, args[1].as_date()?)? / 12)),
        F::AgeMonths => Value::Number(f64::from(months(args[0].as_date()?, args[1].as_date()?)?)),
        F::AgeDays => {
            let days = days(args[0].as_date()?, args[1].as_date()?);
            if days < 0.0 { Value::Blank } else { Value::Number(days) }
        }
        F::DaysBetween => Value::Number(days(args[0].as_date()?, args[1].as_date()?)),
        F::AddDays => shifted(args[0].as_date()?, number(1)?)?,
        F::MinutesBetween => Value::Number(minutes(&args[0], &args[1])?),
        F::HoursBetween => Value::Number(minutes(&args[0], &args[1])? / 60.0),
        F::AddMinutes => later(&args[0], number(1)?)?,
        F::AddMonths => months_later(args[0].as_date()?, number(1)?)?,
        F::DateOf => Value::Date(args[0].as_date()?),
        F::TimeOf => Value::Time(args[0].as_moment().map(DateTime::time).or_else(|| args[0].as_time())?),
        F::DateTime => Value::Moment(DateTime::from_parts(args[0].as_date()?, args[1].as_time()?)),
        F::Year => Value::Number(f64::from(args[0].as_date()?.year())),
        F::Month => Value::Number(f64::from(args[0].as_date()?.month())),
        F::Interpolate => {
            let numbers: Option<Vec<f64>> = args.iter().map(Value::as_number).collect();
            Value::number(interpolated(&numbers?)?)
        }
        F::Length => Value::Number(text::of(&args[0])?.chars().count() as f64),
        F::Contains => Value::truth(Some(text::of(&args[0])?.contains(&text::of(&args[1])?))),
        F::Today => Value::Date(around.today),
        F::Examined => Value::Date(around.examined?),
        F::PatientSex => Value::truth(around.patient?.male),
        F::PatientSexAtBirth => Value::truth(around.patient?.male_at_birth),
        F::PatientBorn => Value::Date(around.patient?.born?),
        F::PreviousDate => Value::Date(around.previous.as_ref()?.examined),
        F::VisitNumber => {
            around.examined?;
            Value::Number((around.earlier.len() + usize::from(around.previous.is_some()) + 1) as f64)
        }
    })
}

/// All values joined from left to right; `None` where one is blank.
fn folded(args: &[Value], join: fn(f64, f64) -> f64) -> Option<f64> {
    let (first, rest) = args.split_first()?;
    rest.iter().try_fold(first.as_number()?, |so_far, arg| Some(join(so_far, arg.as_number()?)))
}

/// `[x, x1, y1, x2, y2, …]`: on the line between two knots; `None` outside of the table.
fn interpolated(numbers: &[f64]) -> Option<f64> {
    let (x, table) = numbers.split_first()?;
    let x = round::clean(*x);
    let knots: Vec<(f64, f64)> = table.chunks_exact(2).map(|knot| (round::clean(knot[0]), knot[1])).collect();
    let between = knots.windows(2).find(|pair| pair[0].0 <= x && x <= pair[1].0)?;
    let ((first, low), (last, high)) = (between[0], between[1]);
    Some(if x <= first {
        low
    } else if x >= last {
        high
    } else {
        round::add(low, round::add(high, -low) * round::add(x, -first) / round::add(last, -first))
    })
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

/// How many values it is: each chosen item of a set is one.
fn counted(value: &Value) -> usize {
    match value {
        Value::Blank => 0,
        Value::Items(items) => items.len(),
        _ => 1,
    }
}

/// Whether the item with this number, code or name is chosen; a value that is no set is compared as it is.
fn selected(value: &Value, wanted: &Value) -> bool {
    match (value, wanted) {
        (Value::Items(items), Value::Code(code)) => items.iter().any(|item| item.code.as_ref() == Some(code)),
        (Value::Items(items), Value::Text(name)) => items.iter().any(|item| item.name == *name),
        (Value::Items(items), wanted) => wanted.as_number().is_some_and(|num| items.iter().any(|item| item.num == Some(round::clean(num)))),
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

/// Numbers, or a date and days, in any order; two dates have no sum.
fn added(args: &[Value]) -> Option<Value> {
    let (first, rest) = args.split_first()?;
    rest.iter().try_fold(first.clone(), |so_far, arg| match (&so_far, arg) {
        (Value::Date(date), by) | (by, Value::Date(date)) => shifted(*date, by.as_number()?),
        (one, other) => Some(Value::number(round::add(one.as_number()?, other.as_number()?))),
    })
}

/// The date so many whole days later, a part of a day left out; `None` outside the years 1 to 9999.
fn shifted(date: Date, by: f64) -> Option<Value> {
    let by = round::clean(by).trunc();
    if by.abs() > 4e6 {
        return None;
    }
    let moved = date.checked_add((by as i64).days()).ok()?;
    (1..=9999).contains(&moved.year()).then_some(Value::Date(moved))
}

/// Of two times of day, or of two moments; `None` where they are none, or not of one kind.
fn minutes(from: &Value, to: &Value) -> Option<f64> {
    let passed = match (from.as_moment(), to.as_moment()) {
        (Some(from), Some(to)) => clock::instant_minutes(to) - clock::instant_minutes(from),
        _ => clock::minutes_across_midnight(from.as_time()?, to.as_time()?),
    };
    Some(passed as f64)
}

/// A time of day stays one, round the clock. A part of a minute is left out.
fn later(value: &Value, by: f64) -> Option<Value> {
    let by = round::clean(by).trunc();
    if by.abs() > 6e9 {
        return None;
    }
    let by = by as i64;
    match value.as_moment() {
        Some(at) => clock::at_instant_minutes(clock::instant_minutes(at) + by).map(Value::Moment),
        None => Some(Value::Time(clock::time_at(clock::minutes_of(value.as_time()?) + by))),
    }
}

/// The same day of the month so many whole months later, or the month's last day where it lacks that day.
fn months_later(date: Date, by: f64) -> Option<Value> {
    let by = round::clean(by).trunc();
    if by.abs() > 2e5 {
        return None;
    }
    let moved = date.checked_add((by as i64).months()).ok()?;
    (1..=9999).contains(&moved.year()).then_some(Value::Date(moved))
}

fn days(from: Date, to: Date) -> f64 {
    let span = from.until((Unit::Day, to)).expect("two dates are some days apart");
    f64::from(span.get_days())
}
