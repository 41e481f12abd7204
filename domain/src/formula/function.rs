//! The functions of the language, operators among them.

use serde::{Deserialize, Serialize};

/// Each name is the one in the stored tree; for functions that a person may call it is also the one in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Function {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Neg,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    And,
    Or,
    Not,
    If,
    Sqrt,
    Ln,
    Log10,
    Exp,
    Pow,
    Abs,
    Floor,
    Ceil,
    Round,
    Min,
    Max,
    Sum,
    Avg,
    Median,
    Sd,
    Count,
    Isblank,
    Selected,
    Age,
    AgeMonths,
    AgeDays,
    DaysBetween,
    AddDays,
    /// Minutes from one time to another, which is of the next day where it is earlier; or from one moment to another.
    MinutesBetween,
    HoursBetween,
    AddMinutes,
    AddMonths,
    /// The day of a moment, and its time.
    DateOf,
    TimeOf,
    /// A date and a time as one moment.
    DateTime,
    Year,
    Month,
    /// Of dates, times or moments.
    Earliest,
    Latest,
    /// The first value that is there.
    Coalesce,
    /// `[x, x1, y1, x2, y2, …]`: a table of norms, linear between its knots and blank outside of them.
    Interpolate,
    Length,
    Contains,
    Today,
    Anyof,
    Countif,
    /// `[x, row, value, row, value, …, else?]`; a row is a comparison that has its right side only.
    Lookup,
    Concat,
    Join,
    /// The examination's date.
    Examined,
    PatientSex,
    PatientSexAtBirth,
    PatientBorn,
    /// The value of one field in the previous entry.
    Previous,
    PreviousDate,
    /// The value that a field had first in the patient's earlier entries of the form, its last, its least and its greatest.
    FirstEarlier,
    LastEarlier,
    LeastEarlier,
    GreatestEarlier,
    /// The day of the examination among the days on which the patient has an entry of the form, counted from 1.
    VisitNumber,
    /// How many rows a section has.
    RowCount,
    /// What a value is in the first row of a section, and in the last.
    FirstRow,
    LastRow,
    /// Whether a condition holds in some row of a section, and in every one.
    AnyRow,
    EveryRow,
    /// The place of the row among those of its section, counted from 1.
    RowNumber,
}

/// Name in a formula, function, and how many values it takes at least and at most.
pub(super) const CALLABLE: &[(&str, Function, usize, usize)] = &[
    ("if", Function::If, 3, 3),
    ("sqrt", Function::Sqrt, 1, 1),
    ("ln", Function::Ln, 1, 1),
    ("log10", Function::Log10, 1, 1),
    ("exp", Function::Exp, 1, 1),
    ("pow", Function::Pow, 2, 2),
    ("abs", Function::Abs, 1, 1),
    ("floor", Function::Floor, 1, 1),
    ("ceil", Function::Ceil, 1, 1),
    ("round", Function::Round, 1, 2),
    ("min", Function::Min, 1, usize::MAX),
    ("max", Function::Max, 1, usize::MAX),
    ("sum", Function::Sum, 1, usize::MAX),
    ("avg", Function::Avg, 1, usize::MAX),
    ("median", Function::Median, 1, usize::MAX),
    ("sd", Function::Sd, 1, usize::MAX),
    ("count", Function::Count, 1, usize::MAX),
    ("isblank", Function::Isblank, 1, 1),
    ("selected", Function::Selected, 2, 2),
    ("age", Function::Age, 2, 2),
    ("age_months", Function::AgeMonths, 2, 2),
    ("age_days", Function::AgeDays, 2, 2),
    ("days_between", Function::DaysBetween, 2, 2),
    ("add_days", Function::AddDays, 2, 2),
    ("minutes_between", Function::MinutesBetween, 2, 2),
    ("hours_between", Function::HoursBetween, 2, 2),
    ("add_minutes", Function::AddMinutes, 2, 2),
    ("add_months", Function::AddMonths, 2, 2),
    ("date_of", Function::DateOf, 1, 1),
    ("time_of", Function::TimeOf, 1, 1),
    ("date_time", Function::DateTime, 2, 2),
    ("year", Function::Year, 1, 1),
    ("month", Function::Month, 1, 1),
    ("earliest", Function::Earliest, 1, usize::MAX),
    ("latest", Function::Latest, 1, usize::MAX),
    ("coalesce", Function::Coalesce, 2, usize::MAX),
    ("interpolate", Function::Interpolate, 5, usize::MAX),
    ("length", Function::Length, 1, 1),
    ("contains", Function::Contains, 2, 2),
    ("today", Function::Today, 0, 0),
    ("anyof", Function::Anyof, 2, usize::MAX),
    ("countif", Function::Countif, 1, usize::MAX),
    ("lookup", Function::Lookup, 3, usize::MAX),
    ("concat", Function::Concat, 1, usize::MAX),
    ("join", Function::Join, 2, usize::MAX),
    ("datumpregleda", Function::Examined, 0, 0),
    ("pacijent.pol", Function::PatientSex, 0, 0),
    ("pacijent.polnarodjenju", Function::PatientSexAtBirth, 0, 0),
    ("pacijent.datumrodjenja", Function::PatientBorn, 0, 0),
    ("prethodno", Function::Previous, 1, 1),
    ("prethodnidatum", Function::PreviousDate, 0, 0),
    ("prvoranije", Function::FirstEarlier, 1, 1),
    ("poslednjeranije", Function::LastEarlier, 1, 1),
    ("najmanjeranije", Function::LeastEarlier, 1, 1),
    ("najveceranije", Function::GreatestEarlier, 1, 1),
    ("rednibrojposete", Function::VisitNumber, 0, 0),
    ("brojredova", Function::RowCount, 1, 1),
    ("prvired", Function::FirstRow, 1, 1),
    ("poslednjired", Function::LastRow, 1, 1),
    ("nekired", Function::AnyRow, 1, 1),
    ("svakired", Function::EveryRow, 1, 1),
    ("rednibrojreda", Function::RowNumber, 0, 0),
];

/// What old formulas call by the names of JavaScript.
const OF_JAVASCRIPT: &[&str] = &["sqrt", "log", "log10", "exp", "pow", "abs", "floor", "ceil", "round", "min", "max"];

impl Function {
    /// What is asked of the surroundings and not computed from values; it is written with or without brackets.
    pub(super) fn is_of_surroundings(self) -> bool {
        use Function as F;
        self.is_of_before()
            || matches!(
                self,
                F::Today
                    | F::Examined
                    | F::PatientSex
                    | F::PatientSexAtBirth
                    | F::PatientBorn
                    | F::PreviousDate
                    | F::VisitNumber
                    | F::RowNumber
            )
    }

    /// Whether its field is read in earlier entries.
    pub(super) fn is_of_before(self) -> bool {
        self == Self::Previous || self.is_of_history()
    }

    /// Whether it asks for more than the one entry before.
    pub(super) fn is_of_history(self) -> bool {
        matches!(self, Self::FirstEarlier | Self::LastEarlier | Self::LeastEarlier | Self::GreatestEarlier)
    }

    /// The function called `name`, with its least and largest number of values. Letter case does not matter.
    pub(super) fn called(name: &str) -> Option<(Self, usize, usize)> {
        let name = name.to_ascii_lowercase();
        let plain = match name.strip_prefix("math.") {
            Some("log") => "ln",
            Some(rest) if OF_JAVASCRIPT.contains(&rest) => rest,
            Some(_) => return None,
            None => &name,
        };
        CALLABLE.iter().find(|(known, ..)| *known == plain).map(|&(_, function, least, most)| (function, least, most))
    }
}
