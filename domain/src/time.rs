//! Time as Regix writes it: instants are stored in UTC, people and the API read Belgrade's wall clock.

use jiff::{Timestamp, civil, tz::TimeZone};

/// The zone of the interface, and of schedules that name no other.
pub const ZONE: &str = "Europe/Belgrade";

pub fn zone() -> TimeZone {
    TimeZone::get(ZONE).expect("the zone database is compiled in")
}

/// `YYYY-MM-DD HH:mm` in Belgrade: the server's text of an instant.
pub fn server_text(at: Timestamp) -> String {
    at.to_zoned(zone()).strftime("%Y-%m-%d %H:%M").to_string()
}

/// `DD.MM.YYYY.`: a date as people read it.
pub fn date_text(date: civil::Date) -> String {
    date.strftime("%d.%m.%Y.").to_string()
}

/// `DD.MM.YYYY. HH:mm`.
pub fn date_time_text(at: civil::DateTime) -> String {
    at.strftime("%d.%m.%Y. %H:%M").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_is_written_by_the_clock_of_belgrade() {
        let summer: Timestamp = "2026-07-01T10:05:00Z".parse().unwrap();
        let winter: Timestamp = "2026-12-31T23:30:00Z".parse().unwrap();
        assert_eq!(server_text(summer), "2026-07-01 12:05");
        assert_eq!(server_text(winter), "2027-01-01 00:30");
    }

    #[test]
    fn a_date_keeps_its_leading_zeros() {
        assert_eq!(date_text(civil::date(1970, 1, 2)), "02.01.1970.");
    }
}
