//! The days of a search in the log, in the looks and in the counts of entries.

use domain::years::{YEARS_OF_LIFE, outside};
use jiff::civil::Date;

use crate::error::{Error, Result};

/// The days of a search, the first of which must be given.
pub fn period(from: Option<&str>, until: Option<&str>) -> Result<(Date, Option<Date>)> {
    let from = day(from, "datumOd", "Datum od")?.ok_or_else(|| Error::invalid("datumOd", "Niste uneli datum od."))?;
    let until = day(until, "datumDo", "Datum do")?;
    in_order(Some(from), until, "datumDo")?;
    Ok((from, until))
}

/// One of the days of a search; none where nothing is typed.
pub fn day(text: Option<&str>, field: &'static str, label: &str) -> Result<Option<Date>> {
    match text.map(str::trim).filter(|text| !text.is_empty()) {
        None => Ok(None),
        Some(text) => {
            let day: Date = text.parse().map_err(|_| Error::invalid(field, format!("{label} nije ispravan datum.")))?;
            match outside(&YEARS_OF_LIFE, day) {
                Some(why) => Err(Error::invalid(field, format!("{label} {why}."))),
                None => Ok(Some(day)),
            }
        }
    }
}

/// `field` is that of the last day.
pub fn in_order(from: Option<Date>, until: Option<Date>, field: &'static str) -> Result<()> {
    match (from, until) {
        (Some(from), Some(until)) if until < from => Err(Error::invalid(field, "Datum do ne sme biti pre datuma od.")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_needs_its_first_day_and_the_right_order() {
        assert!(period(None, Some("2026-03-01")).is_err());
        assert!(period(Some("2026-03-02"), Some("2026-03-01")).is_err());
        assert!(period(Some("31.03.2026."), None).is_err());
        assert!(period(Some("0206-03-01"), None).is_err() && period(Some("2026-03-01"), Some("2206-03-01")).is_err());
        assert!(period(Some("2026-03-01"), Some("2026-03-01")).is_ok());
    }
}
