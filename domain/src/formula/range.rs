//! Between which numbers a formula's parts may lie, as far as the bounds of its fields tell: to warn of a logarithm or a
//! division that can blow up.

use super::{Expr, Field, Function, Warning};
use crate::register::ValueType;

/// An interval of numbers; the values inside it may also be blank.
#[derive(Clone, Copy)]
struct Range {
    low: f64,
    high: f64,
}

const ANY: Range = Range { low: f64::NEG_INFINITY, high: f64::INFINITY };

/// Warnings about `expr`, in the order of the text. `of_column`: it is a formula of a column, which reads one row.
pub(super) fn warnings(expr: &Expr, fields: &[Field], of_column: bool) -> Vec<Warning> {
    let mut found = Vec::new();
    range(expr, fields, of_column, &mut found);
    found.sort_by_key(|warning| warning.position);
    found
}

fn range(expr: &Expr, fields: &[Field], of_column: bool, found: &mut Vec<Warning>) -> Range {
    match expr {
        Expr::Number { v, .. } => Range { low: *v, high: *v },
        Expr::Text { .. } | Expr::Code { .. } => ANY,
        Expr::Field { code, .. } | Expr::Item { code, .. } => {
            fields.iter().find(|field| field.sifra.as_ref() == Some(code)).map_or(ANY, Range::of)
        }
        Expr::Call { f, args, at } => {
            let is_column = |code: &str| fields.iter().any(|field| field.sekcija.is_some() && field.sifra.as_deref() == Some(code));
            let mut ranges: Vec<Range> = args.iter().map(|arg| range(arg, fields, of_column, found)).collect();
            if *f == Function::Sum {
                let of_rows =
                    args.iter().zip(&mut ranges).filter(|(arg, _)| !of_column && arg.first_column(&is_column, of_column).is_some());
                of_rows.for_each(|(_, range)| *range = range.of_any_number());
            }
            let args = ranges;
            if let Some(message) = danger(*f, &args) {
                found.push(Warning { position: *at, message: message.into() });
            }
            result(*f, &args)
        }
    }
}

fn danger(function: Function, args: &[Range]) -> Option<&'static str> {
    match function {
        Function::Ln | Function::Log10 | Function::Sqrt if args[0].high < 0.0 => {
            Some("Broj je uvek negativan: ovaj deo formule nikad nema vrednost.")
        }
        Function::Div | Function::Rem if args[1].low == 0.0 && args[1].high == 0.0 => {
            Some("Deli se nulom: ovaj deo formule nikad nema pravu vrednost.")
        }
        Function::Ln | Function::Log10 if args[0].low <= 0.0 => {
            Some("Logaritam može da dobije nulu ili negativan broj: rezultat je tada 0 ili prazan. Ograničite polje odozdo.")
        }
        Function::Div | Function::Rem if args[1].low <= 0.0 && args[1].high >= 0.0 => {
            Some("Moguće je deljenje nulom: rezultat je tada 0 ili prazan. Ograničite polje kojim se deli.")
        }
        Function::Sqrt if args[0].low < 0.0 => Some("Koren može da dobije negativan broj: rezultat je tada prazan."),
        _ => None,
    }
}

fn result(function: Function, args: &[Range]) -> Range {
    use Function as F;
    let (a, b) = (args.first().copied().unwrap_or(ANY), args.get(1).copied().unwrap_or(ANY));
    let of = |low, high| Range { low, high };
    match function {
        F::Add | F::Sum => args.iter().copied().reduce(|x, y| of(x.low + y.low, x.high + y.high)).unwrap_or(ANY),
        F::Sub => of(a.low - b.high, a.high - b.low),
        F::Mul => args.iter().copied().reduce(|x, y| corners(x, y, |p, q| p * q)).unwrap_or(ANY),
        F::Div if b.low > 0.0 || b.high < 0.0 => corners(a, b, |p, q| p / q),
        F::Neg => of(-a.high, -a.low),
        F::Avg | F::Min | F::Max | F::Median => args.iter().copied().reduce(hull).unwrap_or(ANY),
        F::If => hull(b, args.get(2).copied().unwrap_or(ANY)),
        F::Abs if a.low >= 0.0 => a,
        F::Abs if a.high <= 0.0 => of(-a.high, -a.low),
        F::Abs => of(0.0, a.high.max(-a.low)),
        F::Sqrt => of(a.low.max(0.0).sqrt(), a.high.max(0.0).sqrt()),
        F::Exp => of(a.low.exp(), a.high.exp()),
        F::Pow if a.low > 0.0 => of(f64::MIN_POSITIVE, f64::INFINITY),
        F::Pow if a.low == 0.0 => of(0.0, f64::INFINITY),
        F::Ln if a.low > 0.0 => of(a.low.ln(), a.high.ln()),
        F::Log10 if a.low > 0.0 => of(a.low.log10(), a.high.log10()),
        F::Floor => of(a.low.floor(), a.high.floor()),
        F::Ceil => of(a.low.ceil(), a.high.ceil()),
        F::Round => of(a.low - 0.5, a.high + 0.5),
        F::Lookup | F::Interpolate => args[1..].chunks(2).filter_map(<[Range]>::last).copied().reduce(hull).unwrap_or(ANY),
        F::Previous | F::FirstEarlier | F::LastEarlier | F::LeastEarlier | F::GreatestEarlier | F::FirstRow | F::LastRow => a,
        F::Sd | F::Count | F::Countif | F::RowCount | F::Age | F::AgeMonths | F::AgeDays => of(0.0, f64::INFINITY),
        F::Lt | F::Le | F::Gt | F::Ge | F::Eq | F::Ne | F::And | F::Or | F::Not | F::Isblank | F::Selected | F::Anyof => of(0.0, 1.0),
        F::PatientSex | F::PatientSexAtBirth | F::AnyRow | F::EveryRow => of(0.0, 1.0),
        F::Div | F::Rem | F::Pow | F::Ln | F::Log10 | F::DaysBetween | F::Today => ANY,
        F::AddDays | F::Examined | F::PatientBorn | F::PreviousDate | F::Concat | F::Join => ANY,
        F::Coalesce => args.iter().copied().reduce(hull).unwrap_or(ANY),
        F::VisitNumber | F::RowNumber => of(1.0, f64::INFINITY),
        F::Year => of(1.0, 9999.0),
        F::Month => of(1.0, 12.0),
        F::Length => of(0.0, f64::INFINITY),
        F::Contains => of(0.0, 1.0),
        F::MinutesBetween | F::HoursBetween | F::AddMinutes | F::AddMonths | F::DateOf | F::TimeOf | F::DateTime => ANY,
        F::Earliest | F::Latest => ANY,
    }
    .or_any()
}

impl Range {
    fn of(field: &Field) -> Self {
        match field.tip_vrednosti {
            ValueType::Choice => Self { low: 0.0, high: 1.0 },
            ValueType::Number => Self { low: field.donja_granica.unwrap_or(ANY.low), high: field.gornja_granica.unwrap_or(ANY.high) },
            ValueType::Set if !field.multiple => {
                field.items.iter().filter_map(|item| item.num).map(|num| Self { low: num, high: num }).reduce(hull).unwrap_or(ANY)
            }
            _ => ANY,
        }
    }

    /// The sum of one or more such numbers.
    fn of_any_number(self) -> Self {
        Self { low: if self.low < 0.0 { ANY.low } else { self.low }, high: if self.high > 0.0 { ANY.high } else { self.high } }
    }

    /// Infinity less infinity, and the like, tells nothing.
    fn or_any(self) -> Self {
        if self.low.is_nan() || self.high.is_nan() { ANY } else { self }
    }
}

fn hull(a: Range, b: Range) -> Range {
    Range { low: a.low.min(b.low), high: a.high.max(b.high) }
}

fn corners(a: Range, b: Range, join: fn(f64, f64) -> f64) -> Range {
    let corners = [join(a.low, b.low), join(a.low, b.high), join(a.high, b.low), join(a.high, b.high)];
    if corners.iter().any(|corner| corner.is_nan()) {
        return ANY;
    }
    Range { low: corners.into_iter().fold(f64::INFINITY, f64::min), high: corners.into_iter().fold(f64::NEG_INFINITY, f64::max) }
}
