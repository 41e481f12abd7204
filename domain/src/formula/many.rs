//! Functions of many values: `min max avg median sd`. A field that is blank is passed over; any other blank leaves no result,
//! since what it would have been is not known. An argument that reads columns of a section stands for its values in the rows.

use std::cmp::Ordering;

use super::{Context, Expr, Function, Value, eval, round, rows};

impl Function {
    pub(super) fn is_of_many(self) -> bool {
        matches!(self, Self::Min | Self::Max | Self::Avg | Self::Median | Self::Sd)
    }
}

/// The result; `None` is blank.
pub(super) fn evaluate(function: Function, args: &[Expr], context: &Context) -> Option<f64> {
    let numbers = present(args, context)?;
    match function {
        Function::Min => numbers.into_iter().reduce(|least, x| if x < least { x } else { least }),
        Function::Max => numbers.into_iter().reduce(|most, x| if x > most { x } else { most }),
        Function::Avg => Some(mean(&numbers)),
        Function::Median => Some(median(numbers)),
        Function::Sd => deviation(&numbers),
        _ => unreachable!("only these are of many values"),
    }
}

/// The numbers that are there, one at least. Where something was passed over, constants alone are nothing to answer with.
fn present(args: &[Expr], context: &Context) -> Option<Vec<f64>> {
    let (mut numbers, mut passed, mut read) = (Vec::with_capacity(args.len()), false, false);
    for arg in args {
        for (value, may_be_passed_over) in rows::each(arg, context) {
            if value == Value::Blank && may_be_passed_over {
                passed = true;
            } else {
                numbers.push(value.as_number()?);
                read = read || !arg.is_constant();
            }
        }
    }
    (!numbers.is_empty() && (read || !passed)).then_some(numbers)
}

/// The earliest or latest of dates, times or moments; a blank is passed over as above. `None` is blank, also where two do not compare.
pub(super) fn extreme(function: Function, args: &[Expr], context: &Context) -> Option<Value> {
    let wanted = if function == Function::Latest { Ordering::Greater } else { Ordering::Less };
    let (mut best, mut passed, mut read) = (None, false, false);
    for arg in args {
        for (value, may_be_passed_over) in rows::each(arg, context) {
            if value == Value::Blank && may_be_passed_over {
                passed = true;
                continue;
            }
            let value = of_calendar(value)?;
            read = read || !arg.is_constant();
            best = match best {
                None => Some(value),
                Some(so_far) => Some(if value.compare(&so_far)? == wanted { value } else { so_far }),
            };
        }
    }
    best.filter(|_| read || !passed)
}

/// What a field had first in the earlier entries, its last, its least or its greatest there; blank ones are passed over.
pub(super) fn earlier(function: Function, arg: &Expr, context: &Context) -> Value {
    let had = |values| eval::evaluate(arg, &Context { values, row: None, ..*context });
    let mut there = context.earlier.iter().map(had).filter(|value| *value != Value::Blank);
    let wanted = match function {
        Function::LeastEarlier => Ordering::Less,
        Function::GreatestEarlier => Ordering::Greater,
        Function::LastEarlier => return there.next_back().unwrap_or(Value::Blank),
        _ => return there.next().unwrap_or(Value::Blank),
    };
    let Some(first) = there.next() else { return Value::Blank };
    let best = there.try_fold(first, |best, value| Some(if value.compare(&best)? == wanted { value } else { best }));
    best.unwrap_or(Value::Blank)
}

/// A date, a time or a moment, also one that is written as a text.
fn of_calendar(value: Value) -> Option<Value> {
    match &value {
        Value::Date(_) | Value::Time(_) | Value::Moment(_) => Some(value),
        Value::Text(_) => {
            let date = || value.as_date().map(Value::Date);
            value.as_moment().map(Value::Moment).or_else(date).or_else(|| value.as_time().map(Value::Time))
        }
        Value::Blank | Value::Number(_) | Value::Code(_) | Value::Items(_) => None,
    }
}

impl Function {
    pub(super) fn is_extreme(self) -> bool {
        matches!(self, Self::Earliest | Self::Latest)
    }
}

/// How many conditions hold, or how many values stand as the first argument asks: `countif(>= 2, $(a), $(b))`. Blanks are
/// treated as above.
pub(super) fn countif(args: &[Expr], context: &Context) -> Option<f64> {
    let (row, args) = match args.split_first() {
        Some((row, rest)) if row.is_row() => (Some(row), rest),
        _ => (None, args),
    };
    let (mut there, mut holding) = (0, 0);
    for (value, may_be_passed_over) in args.iter().flat_map(|arg| rows::each(arg, context)) {
        if value == Value::Blank && may_be_passed_over {
            continue;
        }
        let holds = match row {
            Some(row) => eval::row_holds(&value, row, context)?,
            None => value.as_truth()?,
        };
        there += 1;
        holding += i32::from(holds);
    }
    (there > 0).then(|| f64::from(holding))
}

impl Expr {
    /// A comparison without its left side.
    pub(super) fn is_row(&self) -> bool {
        use Function as F;
        matches!(self, Self::Call { f: F::Lt | F::Le | F::Gt | F::Ge | F::Eq | F::Ne, args, .. } if args.len() == 1)
    }

    /// A field, or a function that passes over fields itself.
    pub(super) fn may_be_passed_over(&self) -> bool {
        match self {
            Self::Field { .. } | Self::Item { .. } => true,
            Self::Call { f: Function::FirstRow | Function::LastRow, args, .. } => args[0].may_be_passed_over(),
            Self::Call { f, .. } => f.is_of_many() || f.is_extreme() || f.is_of_surroundings(),
            Self::Number { .. } | Self::Text { .. } | Self::Code { .. } => false,
        }
    }

    /// Whether it is the same in every entry and on every day.
    fn is_constant(&self) -> bool {
        match self {
            Self::Number { .. } | Self::Text { .. } | Self::Code { .. } => true,
            Self::Field { .. } | Self::Item { .. } => false,
            Self::Call { f, args, .. } => !f.is_of_surroundings() && args.iter().all(Self::is_constant),
        }
    }
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().copied().reduce(round::add).unwrap_or_default() / numbers.len() as f64
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
    let middle = numbers.len() / 2;
    if numbers.len() % 2 == 1 { numbers[middle] } else { round::add(numbers[middle - 1], numbers[middle]) / 2.0 }
}

/// Of a sample: divided by one less than there are. One value has none.
fn deviation(numbers: &[f64]) -> Option<f64> {
    let mean = mean(numbers);
    let squares = numbers.iter().map(|x| round::add(*x, -mean)).fold(0.0, |sum, off| sum + off * off);
    (numbers.len() > 1).then(|| (squares / (numbers.len() - 1) as f64).sqrt())
}
