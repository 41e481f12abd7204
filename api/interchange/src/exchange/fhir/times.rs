//! Times as FHIR writes them: `08:05:00`, and moments with their zone, `2026-03-05T08:05:00+01:00`.

use domain::{clock, time::zone};
use jiff::{
    Timestamp,
    civil::{DateTime, Time},
};

/// None where it has seconds, which no entry holds.
pub fn time(text: &str) -> Option<Time> {
    clock::written_time(text).filter(|_| text.split(':').count() == 3)
}

/// What the clock of Belgrade shows at that moment; none where it is only a day, or has seconds.
pub fn moment(text: &str) -> Option<DateTime> {
    let at = text.parse::<Timestamp>().ok()?.to_zoned(zone()).datetime();
    (at.second() == 0 && at.subsec_nanosecond() == 0).then_some(at)
}

pub fn time_text(time: Time) -> String {
    format!("{}:00", clock::time_stored(time))
}

/// None of a moment that is beyond what a zone knows.
pub fn moment_text(at: DateTime) -> Option<String> {
    Some(at.to_zoned(zone()).ok()?.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_keeps_what_the_clock_shows() {
        let at = |text: &str| moment(text).map(clock::moment_stored);
        assert_eq!(at("2026-03-05T08:05:00+01:00").as_deref(), Some("2026-03-05T08:05"));
        assert_eq!(at("2026-07-05T08:05:00Z").as_deref(), Some("2026-07-05T10:05"));
        for text in ["2026-03-05", "2026-03-05T08:05:30Z", "08:05:00"] {
            assert_eq!(at(text), None, "{text}");
        }
        let out = |text: &str| moment_text(clock::moment_in(text).unwrap()).unwrap();
        assert_eq!([out("2026-03-05T08:05"), out("2026-07-05T08:05")], ["2026-03-05T08:05:00+01:00", "2026-07-05T08:05:00+02:00"]);
        assert_eq!(at(&out("2026-07-05T08:05")).as_deref(), Some("2026-07-05T08:05"));
        assert_eq!(time_text(time("08:05:00").unwrap()), "08:05:00");
        assert_eq!([time("08:05"), time("08:05:30")], [None, None]);
    }
}
