//! The period of a report whose parameters `od` and `do` are dates: as people name it, and as files do.

use jiff::{ToSpan, civil::Date};
use serde_json::Value as Json;

use crate::time::date_text;

const MONTHS: [&str; 12] =
    ["januar", "februar", "mart", "april", "maj", "jun", "jul", "avgust", "septembar", "oktobar", "novembar", "decembar"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    from: Date,
    to: Date,
}

enum PeriodKind {
    Day,
    Month,
    Quarter(i8),
    Year,
    Other,
}

impl Period {
    /// Of a run's values; none where either end is not given as a date.
    pub fn of_values(values: &Json) -> Option<Self> {
        let date = |name: &str| values.get(name)?.as_str()?.parse::<Date>().ok();
        let (from, to) = (date("od")?, date("do")?);
        (from <= to).then_some(Self { from, to })
    }

    fn named(self) -> PeriodKind {
        let Self { from, to } = self;
        let whole = |months: i32| from.day() == 1 && to.checked_add(1.day()).is_ok_and(|next| next == from.saturating_add(months.months()));
        match from.month() {
            _ if from == to => PeriodKind::Day,
            _ if whole(1) => PeriodKind::Month,
            month if (month - 1) % 3 == 0 && whole(3) => PeriodKind::Quarter((month - 1) / 3 + 1),
            1 if whole(12) => PeriodKind::Year,
            _ => PeriodKind::Other,
        }
    }

    /// `oktobar 2026.`, `3. kvartal 2026.`, `2026.`, `05.10.2026.` or `01.10.2026. – 15.10.2026.`
    pub fn words(self) -> String {
        let year = self.from.year();
        match self.named() {
            PeriodKind::Day => date_text(self.from),
            PeriodKind::Month => format!("{} {year}.", MONTHS[usize::from(self.from.month().unsigned_abs()) - 1]),
            PeriodKind::Quarter(quarter) => format!("{quarter}. kvartal {year}."),
            PeriodKind::Year => format!("{year}."),
            PeriodKind::Other => format!("{} – {}", date_text(self.from), date_text(self.to)),
        }
    }

    /// `2026-10`, `2026-K3`, `2026`, `2026-10-05` or `2026-10-01-2026-10-15`: in the order of time where files are sorted by name.
    pub fn in_file_name(self) -> String {
        let year = self.from.year();
        match self.named() {
            PeriodKind::Day => self.from.to_string(),
            PeriodKind::Month => format!("{year}-{:02}", self.from.month()),
            PeriodKind::Quarter(quarter) => format!("{year}-K{quarter}"),
            PeriodKind::Year => year.to_string(),
            PeriodKind::Other => format!("{}-{}", self.from, self.to),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn period(from: &str, to: &str) -> Option<(String, String)> {
        Period::of_values(&json!({ "od": from, "do": to })).map(|period| (period.words(), period.in_file_name()))
    }

    #[test]
    fn a_whole_month_quarter_or_year_has_its_name_and_other_periods_their_dates() {
        for (from, to, words, file) in [
            ("2026-10-01", "2026-10-31", "oktobar 2026.", "2026-10"),
            ("2028-02-01", "2028-02-29", "februar 2028.", "2028-02"),
            ("2026-07-01", "2026-09-30", "3. kvartal 2026.", "2026-K3"),
            ("2026-01-01", "2026-12-31", "2026.", "2026"),
            ("2026-10-05", "2026-10-05", "05.10.2026.", "2026-10-05"),
            ("2026-10-01", "2026-10-15", "01.10.2026. – 15.10.2026.", "2026-10-01-2026-10-15"),
            ("2026-02-01", "2026-04-30", "01.02.2026. – 30.04.2026.", "2026-02-01-2026-04-30"),
            ("2026-03-01", "2027-02-28", "01.03.2026. – 28.02.2027.", "2026-03-01-2027-02-28"),
            ("2028-02-01", "2028-02-28", "01.02.2028. – 28.02.2028.", "2028-02-01-2028-02-28"),
        ] {
            assert_eq!(period(from, to), Some((words.to_owned(), file.to_owned())), "{from} to {to}");
        }
    }

    #[test]
    fn what_is_no_period_has_no_name() {
        assert_eq!(period("2026-10-02", "2026-10-01"), None);
        assert_eq!(period("juče", "2026-10-01"), None);
        assert_eq!(Period::of_values(&json!({ "od": "2026-10-01", "do": null })), None);
        assert_eq!(Period::of_values(&json!(null)), None);
    }
}
