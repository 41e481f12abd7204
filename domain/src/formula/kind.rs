//! What kind of value a formula's parts give, as far as its fields tell: to warn of a text used as a number, and of a formula
//! that can never have a value; and of a set read as a number while some of its items have no weight.

use std::collections::BTreeSet;

use super::{Expr, Field, FormulaKind, Function, Target, Warning, items, value};
use crate::{clock, register::ValueType};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Number,
    Text,
    Date,
    Time,
    Moment,
    Set,
    /// It depends, or is not known.
    Any,
    /// Always blank.
    Never,
}

const NEVER: &str = "Formula nikad nema vrednost.";

/// Warnings about `expr` as a formula of `target`, in the order of the text.
pub(super) fn warnings(expr: &Expr, target: Target, fields: &[Field]) -> Vec<Warning> {
    let mut reader = Reader { fields, found: Vec::new(), weighed: BTreeSet::new() };
    let kind = reader.kind(expr);
    let own = fields.iter().find(|field| field.id == target.field);
    if own.is_some_and(|own| own.tip_vrednosti == ValueType::Number) && target.kind == FormulaKind::Calculation && kind == Kind::Set {
        reader.weigh(expr, 1);
    }
    let of_result = match (target.kind, kind, own) {
        (_, Kind::Never, _) => Some(NEVER.to_owned()),
        (FormulaKind::Calculation, kind, Some(own)) => misfit(expr, kind, own),
        _ => None,
    };
    if let Some(message) = of_result {
        reader.warn(1, message);
    }
    reader.found
}

/// Why a result of this kind does not fit the field.
fn misfit(expr: &Expr, kind: Kind, own: &Field) -> Option<String> {
    match (own.tip_vrednosti, kind) {
        (ValueType::Number, Kind::Text) => Some("Rezultat je tekst, a polje je brojno: ostaje prazno.".into()),
        (ValueType::Number, Kind::Date) => Some("Rezultat je datum, a polje je brojno: ostaje prazno.".into()),
        (ValueType::Number, Kind::Time | Kind::Moment) => Some("Rezultat je vreme, a polje je brojno: ostaje prazno.".into()),
        (ValueType::Time, Kind::Number | Kind::Set | Kind::Date | Kind::Moment) => {
            Some("Rezultat nije vreme, a polje jeste: ostaje prazno.".into())
        }
        (ValueType::Moment, Kind::Number | Kind::Set | Kind::Date | Kind::Time) => {
            Some("Rezultat nije datum sa vremenom, a polje jeste: ostaje prazno.".into())
        }
        (ValueType::Date, Kind::Number | Kind::Set | Kind::Time) => Some("Rezultat nije datum, a polje jeste: ostaje prazno.".into()),
        (ValueType::Choice, Kind::Text | Kind::Date | Kind::Time | Kind::Moment) => {
            Some("Rezultat nije „da” ili „ne”: polje je „Da” kad god ima vrednosti.".into())
        }
        (ValueType::Set, _) => results(expr).into_iter().find_map(|result| match result {
            Expr::Text { v, .. } if !v.trim().is_empty() && !own.items.iter().any(|item| item.name == *v) => {
                Some(format!("Polje nema stavku „{v}”: tada ostaje prazno."))
            }
            Expr::Number { v, .. } if !own.items.iter().any(|item| item.num == Some(*v)) => {
                Some(format!("Polje nema stavku sa brojem {v}: tada ostaje prazno."))
            }
            _ => None,
        }),
        _ => None,
    }
}

/// The parts that the formula's value may be.
fn results(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Call { f: Function::If, args, .. } => args[1..].iter().flat_map(results).collect(),
        Expr::Call { f: Function::Lookup, args, .. } => args[1..].chunks(2).filter_map(<[Expr]>::last).flat_map(results).collect(),
        other => vec![other],
    }
}

struct Reader<'a> {
    fields: &'a [Field],
    found: Vec<Warning>,
    /// Sets of which it was told.
    weighed: BTreeSet<&'a str>,
}

impl Reader<'_> {
    fn warn(&mut self, position: usize, message: impl Into<String>) {
        self.found.push(Warning { position, message: message.into() });
    }

    fn kind(&mut self, expr: &Expr) -> Kind {
        match expr {
            Expr::Number { .. } => Kind::Number,
            Expr::Item { at, .. } => {
                self.weigh(expr, *at);
                Kind::Number
            }
            Expr::Code { .. } => Kind::Text,
            Expr::Text { v, .. } if v.trim().is_empty() => Kind::Never,
            Expr::Text { .. } => Kind::Text,
            Expr::Field { code, .. } => match self.fields.iter().find(|field| field.sifra.as_ref() == Some(code)) {
                Some(field) => Self::of_field(field),
                None => Kind::Any,
            },
            Expr::Call { f, args, at } => self.call(*f, args, *at),
        }
    }

    fn of_field(field: &Field) -> Kind {
        match field.tip_vrednosti {
            ValueType::Choice | ValueType::Number => Kind::Number,
            ValueType::Text if field.racunanje.is_none() => Kind::Text,
            ValueType::Set => Kind::Set,
            ValueType::Date => Kind::Date,
            ValueType::Time => Kind::Time,
            ValueType::Moment => Kind::Moment,
            _ => Kind::Any,
        }
    }

    fn call(&mut self, function: Function, args: &[Expr], at: usize) -> Kind {
        use Function as F;
        let kinds: Vec<Kind> = args.iter().map(|arg| self.kind(arg)).collect();
        match function {
            F::If => Self::either(if kinds[0] == Kind::Never { &[Kind::Never] } else { &kinds[1..] }),
            F::Lookup if kinds[0] == Kind::Never => Kind::Never,
            F::Lookup => Self::either(&kinds[1..].chunks(2).filter_map(<[Kind]>::last).copied().collect::<Vec<_>>()),
            F::Isblank | F::Count | F::Selected | F::Anyof | F::Countif | F::PatientSex | F::PatientSexAtBirth => Kind::Number,
            F::Today | F::Examined | F::PatientBorn | F::PreviousDate => Kind::Date,
            F::Previous | F::FirstEarlier | F::LastEarlier | F::LeastEarlier | F::GreatestEarlier | F::FirstRow | F::LastRow => kinds[0],
            F::RowCount | F::RowNumber | F::AnyRow | F::EveryRow | F::VisitNumber => Kind::Number,
            F::Concat | F::Join => Kind::Text,
            F::And | F::Or | F::Not => {
                if kinds.iter().all(|kind| *kind == Kind::Never) {
                    Kind::Never
                } else {
                    Kind::Number
                }
            }
            F::Lt | F::Le | F::Gt | F::Ge | F::Eq | F::Ne => self.comparison(args, &kinds, at),
            F::Age | F::AgeMonths | F::AgeDays | F::DaysBetween => {
                if self.all(args, &kinds, at, Kind::Date) {
                    Kind::Number
                } else {
                    Kind::Never
                }
            }
            F::MinutesBetween | F::HoursBetween => {
                let wanted = if kinds.contains(&Kind::Time) { Kind::Time } else { Kind::Moment };
                // Two texts may be either.
                let fits = kinds.iter().all(|kind| *kind == Kind::Text) || self.all(args, &kinds, at, wanted);
                if fits { Kind::Number } else { Kind::Never }
            }
            F::AddMinutes => {
                let of = kinds[0];
                let is_clock = matches!(of, Kind::Time | Kind::Moment | Kind::Text | Kind::Any);
                let fits = (is_clock || self.all(&args[..1], &kinds[..1], at, Kind::Moment))
                    && self.all(&args[1..], &kinds[1..], at, Kind::Number);
                match of {
                    _ if !fits => Kind::Never,
                    Kind::Time | Kind::Moment => of,
                    _ => Kind::Any,
                }
            }
            F::DateOf => {
                if self.all(args, &kinds, at, Kind::Date) {
                    Kind::Date
                } else {
                    Kind::Never
                }
            }
            F::TimeOf => {
                if matches!(kinds[0], Kind::Time | Kind::Text) || self.all(args, &kinds, at, Kind::Moment) {
                    Kind::Time
                } else {
                    Kind::Never
                }
            }
            F::DateTime => {
                let fits = self.all(&args[..1], &kinds[..1], at, Kind::Date) && self.all(&args[1..], &kinds[1..], at, Kind::Time);
                if fits { Kind::Moment } else { Kind::Never }
            }
            F::Year | F::Month => {
                if self.all(args, &kinds, at, Kind::Date) {
                    Kind::Number
                } else {
                    Kind::Never
                }
            }
            F::Earliest | F::Latest => {
                let (wrong, of): (Vec<usize>, Vec<usize>) = (0..kinds.len()).partition(|i| matches!(kinds[*i], Kind::Number | Kind::Set));
                let all = |reader: &mut Self, i: usize| reader.all(&args[i..=i], &kinds[i..=i], at, Kind::Date);
                let mut fits = true;
                for i in wrong {
                    fits &= all(self, i);
                }
                let of: Vec<Kind> = of.into_iter().map(|i| if kinds[i] == Kind::Text { Kind::Any } else { kinds[i] }).collect();
                if fits { Self::either(&of) } else { Kind::Never }
            }
            F::Coalesce => Self::either(&kinds),
            F::Length | F::Contains => Kind::Number,
            F::AddDays | F::AddMonths => {
                let fits = self.all(&args[..1], &kinds[..1], at, Kind::Date) && self.all(&args[1..], &kinds[1..], at, Kind::Number);
                if fits { Kind::Date } else { Kind::Never }
            }
            F::Sub if kinds == [Kind::Date, Kind::Date] => Kind::Number,
            F::Add | F::Sub
                if kinds.iter().filter(|kind| **kind == Kind::Date).count() == 1 && !(function == F::Sub && kinds[1] == Kind::Date) =>
            {
                let rest: Vec<(Expr, Kind)> = args.iter().cloned().zip(kinds).filter(|(_, kind)| *kind != Kind::Date).collect();
                let (args, kinds): (Vec<Expr>, Vec<Kind>) = rest.into_iter().unzip();
                if self.all(&args, &kinds, at, Kind::Number) { Kind::Date } else { Kind::Never }
            }
            _ => {
                if self.all(args, &kinds, at, Kind::Number) {
                    Kind::Number
                } else {
                    Kind::Never
                }
            }
        }
    }

    /// Whether all values can be read as `wanted`, a number, a date, a time or a moment; tells of those that cannot, and of texts that might not.
    fn all(&mut self, args: &[Expr], kinds: &[Kind], at: usize, wanted: Kind) -> bool {
        let mut fits = true;
        for (arg, kind) in args.iter().zip(kinds) {
            let as_text = |v: &str| match wanted {
                Kind::Date => value::date_in(v.trim()).is_some(),
                Kind::Time => clock::time_in(v.trim()).is_some(),
                Kind::Moment => clock::moment_in(v.trim()).is_some(),
                _ => value::number_in(v).is_some(),
            };
            let name = match wanted {
                Kind::Date => "datum",
                Kind::Time => "vreme",
                Kind::Moment => "datum sa vremenom",
                _ => "broj",
            };
            // The day of a moment is a date.
            let is_read = |kind: Kind| kind == wanted || kind == Kind::Any || (wanted == Kind::Date && kind == Kind::Moment);
            match (arg, kind) {
                (_, Kind::Never) => fits = false,
                (Expr::Text { v, .. }, _) if as_text(v) => {}
                (Expr::Text { v, at }, _) => {
                    self.warn(*at, format!("„{v}” nije {name}: ovaj deo formule nikad nema vrednost."));
                    fits = false;
                }
                (arg, Kind::Set) if wanted == Kind::Number => self.weigh(arg, at),
                (Expr::Field { code, at }, Kind::Text) => {
                    self.warn(*at, format!("Tekst polja „{code}” koristi se kao {name}: gde to nije, rezultat je prazan."));
                }
                (_, Kind::Text) => self.warn(at, format!("Tekst se koristi kao {name}: gde to nije, rezultat je prazan.")),
                (_, kind) if !is_read(*kind) => {
                    self.warn(at, format!("Vrednost koja nije {name} koristi se kao {name}: ovaj deo formule nikad nema vrednost."));
                    fits = false;
                }
                _ => {}
            }
        }
        fits
    }

    /// Tells of items without a weight where a set is read as a number.
    fn weigh(&mut self, expr: &Expr, at: usize) {
        const NAMED: usize = 10;
        let at = if let Expr::Field { at, .. } | Expr::Item { at, .. } = expr { *at } else { at };
        let Some(code) = items::field_of(expr) else { return };
        let Some(set) = self.fields.iter().find(|field| field.tip_vrednosti == ValueType::Set && field.sifra.as_deref() == Some(code))
        else {
            return;
        };
        let without: Vec<String> = set.items.iter().filter(|item| item.num.is_none()).map(|item| format!("„{}”", item.name)).collect();
        let Some(known) = set.sifra.as_deref().filter(|known| !without.is_empty() && !self.weighed.contains(known)) else { return };
        self.weighed.insert(known);
        let more = if without.len() > NAMED { " …" } else { "" };
        let named = without.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
        let (what, lack) = if without.len() == 1 { ("Stavka", "nema težinu") } else { ("Stavke", "nemaju težinu") };
        self.warn(at, format!("{what} {named}{more} polja „{code}” {lack}: kada je takva izabrana, ovaj deo formule je prazan."));
    }

    fn comparison(&mut self, args: &[Expr], kinds: &[Kind], at: usize) -> Kind {
        if kinds.contains(&Kind::Never) {
            return Kind::Never;
        }
        if let Some(clock) = kinds.iter().position(|kind| matches!(kind, Kind::Time | Kind::Moment))
            && args.len() > 1
        {
            let other = 1 - clock;
            let is_day = match (&args[other], kinds[other]) {
                (Expr::Text { v, .. }, _) => value::date_in(v.trim()).is_some(),
                (_, kind) => kind == Kind::Date,
            };
            let fits = (kinds[clock] == Kind::Moment && is_day) || self.all(&args[other..=other], &kinds[other..=other], at, kinds[clock]);
            return if fits { Kind::Number } else { Kind::Never };
        }
        let of = |kind: Kind| kinds.iter().position(|other| *other == kind);
        let fits = match (of(Kind::Date), of(Kind::Number)) {
            (Some(_), Some(_)) => self.all(args, kinds, at, Kind::Date),
            (Some(date), None) if args.len() > 1 => self.all(&args[1 - date..2 - date], &kinds[1 - date..2 - date], at, Kind::Date),
            (None, Some(number)) if args.len() > 1 => {
                self.all(&args[1 - number..2 - number], &kinds[1 - number..2 - number], at, Kind::Number)
            }
            _ => true,
        };
        if fits { Kind::Number } else { Kind::Never }
    }

    fn either(kinds: &[Kind]) -> Kind {
        let mut there = kinds.iter().copied().filter(|kind| *kind != Kind::Never);
        let Some(first) = there.next() else { return Kind::Never };
        if there.all(|kind| kind == first) { first } else { Kind::Any }
    }
}
