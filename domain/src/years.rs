//! The years in which a day can be meant. What lies outside of them is a slip of the finger (0206, 2206), at whichever door it comes in.

use std::ops::RangeInclusive;

use jiff::civil::Date;

/// The years that date pickers offer (A section 9), of everything that is examined.
pub const YEARS: RangeInclusive<i16> = 1920..=2030;
/// Of a day that may also be one of birth.
pub const YEARS_OF_LIFE: RangeInclusive<i16> = 1900..=2030;

/// The end of a sentence that begins with what the day is called; none where it lies in these years.
pub fn outside(years: &RangeInclusive<i16>, day: Date) -> Option<String> {
    (!years.contains(&day.year())).then(|| format!("nije između {}. i {}. godine", years.start(), years.end()))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn a_slip_of_the_finger_is_told_with_the_years_that_can_be_meant() {
        assert_eq!(outside(&YEARS, date(1, 1, 1)).as_deref(), Some("nije između 1920. i 2030. godine"));
        assert_eq!(outside(&YEARS_OF_LIFE, date(2206, 3, 5)).as_deref(), Some("nije između 1900. i 2030. godine"));
        for day in [date(1920, 1, 1), date(2030, 12, 31)] {
            assert_eq!((outside(&YEARS, day), outside(&YEARS_OF_LIFE, day)), (None, None), "{day}");
        }
        assert!(outside(&YEARS, date(1919, 12, 31)).is_some() && outside(&YEARS_OF_LIFE, date(1919, 12, 31)).is_none());
    }
}
