//! A time of day, and a day with a time, as an entry holds them: to the minute, by the clock of Belgrade, without a zone. Between two
//! moments lie the minutes that passed, also in the two nights of a year in which the clock is moved.
//! (docs/decisions/0104-times-are-those-of-the-wall-clock.md)

use jiff::civil::{Date, DateTime, Time, date};

use crate::time;

pub const DAY: i64 = 24 * 60;
/// Before 1983 the clock was not moved.
const FIRST_SUMMER: i16 = 1983;
/// Until 1995 the summer of the clock ended in September.
const SUMMER_UNTIL_OCTOBER: i16 = 1996;
const WINTER: i64 = 60;
const SUMMER: i64 = 120;

/// Exactly `HH:MM`.
pub fn time_in(text: &str) -> Option<Time> {
    let [a, b, b':', c, d] = text.as_bytes() else { return None };
    let two = |tens: &u8, ones: &u8| (tens.is_ascii_digit() && ones.is_ascii_digit()).then(|| (tens - b'0') * 10 + (ones - b'0'));
    let part = |tens, ones| i8::try_from(two(tens, ones)?).ok();
    Time::new(part(a, b)?, part(c, d)?, 0, 0).ok()
}

/// Exactly `YYYY-MM-DDTHH:MM`; between the day and the time may also be a space.
pub fn moment_in(text: &str) -> Option<DateTime> {
    let day = text.get(..10)?;
    let time = text.get(10..)?.strip_prefix(['T', ' '])?;
    Some(DateTime::from_parts(day_in(day)?, time_in(time)?))
}

/// Exactly `YYYY-MM-DD`.
pub fn day_in(text: &str) -> Option<Date> {
    let shaped = text.len() == 10 && text.bytes().enumerate().all(|(i, b)| if i == 4 || i == 7 { b == b'-' } else { b.is_ascii_digit() });
    if shaped { text.parse().ok() } else { None }
}

/// As files and people write a time: `8:05`, `08:05`, `08:05:00`. Seconds that are not 0 are more than an entry holds.
pub fn written_time(text: &str) -> Option<Time> {
    let (text, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let parts: Vec<&str> = text.split(':').collect();
    let number = |part: &str| if (1..=2).contains(&part.len()) && is_digits(part) { part.parse::<i8>().ok() } else { None };
    let (hour, minute, second) = match parts[..] {
        [hour, minute] => (hour, minute, "0"),
        [hour, minute, second] => (hour, minute, second),
        _ => return None,
    };
    let whole = number(second)? == 0 && is_digits(fraction) && fraction.bytes().all(|digit| digit == b'0');
    if whole && minute.len() == 2 { Time::new(number(hour)?, number(minute)?, 0, 0).ok() } else { None }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// As entries store it: `08:05`.
pub fn time_stored(time: Time) -> String {
    format!("{:02}:{:02}", time.hour(), time.minute())
}

/// As entries store it: `2026-03-05T08:05`.
pub fn moment_stored(at: DateTime) -> String {
    format!("{}T{}", at.date(), time_stored(at.time()))
}

/// `05.03.2026. 08:05`; a time of day is read as it is stored.
pub fn moment_text(at: DateTime) -> String {
    time::date_time_text(at)
}

/// Minutes since midnight.
pub fn minutes_of(time: Time) -> i64 {
    i64::from(time.hour()) * 60 + i64::from(time.minute())
}

/// The time of day so many minutes after midnight, of whatever day.
pub fn time_at(minutes: i64) -> Time {
    let of_day = minutes.rem_euclid(DAY);
    let part = |number: i64| i8::try_from(number).expect("hours and minutes are small");
    Time::new(part(of_day / 60), part(of_day % 60), 0, 0).expect("a minute of the day is a time")
}

/// From one time of day to another, which is of the next day where it is earlier: from 23:50 to 00:20 there are 30 minutes.
pub fn minutes_across_midnight(from: Time, to: Time) -> i64 {
    (minutes_of(to) - minutes_of(from)).rem_euclid(DAY)
}

/// Minutes since 1970 by the wall clock, by which the search orders moments.
pub fn wall_minutes(at: DateTime) -> i64 {
    days_since_1970(at.date()) * DAY + minutes_of(at.time())
}

/// The moment that the wall clock shows so many minutes after 1970 began; none outside of the years 1 to 9999.
pub fn at_wall_minutes(minutes: i64) -> Option<DateTime> {
    let days = jiff::Span::new().try_days(minutes.div_euclid(DAY)).ok()?;
    let day = date(1970, 1, 1).checked_add(days).ok()?;
    (1..=9999).contains(&day.year()).then(|| DateTime::from_parts(day, time_at(minutes)))
}

/// Minutes since 1970 that have passed, so that a difference of two is what passed between them.
pub fn instant_minutes(at: DateTime) -> i64 {
    wall_minutes(at) - ahead(at)
}

/// What the clock shows then.
pub fn at_instant_minutes(minutes: i64) -> Option<DateTime> {
    let in_summer = at_wall_minutes(minutes + SUMMER)?;
    if ahead(in_summer) == SUMMER { Some(in_summer) } else { at_wall_minutes(minutes + WINTER) }
}

fn days_since_1970(day: Date) -> i64 {
    i64::from(day.since(date(1970, 1, 1)).expect("days between dates fit").get_days())
}

/// Minutes that the clock is ahead of UTC. An hour that comes twice is the first one; one that does not come is winter's.
fn ahead(at: DateTime) -> i64 {
    let year = at.year();
    if year < FIRST_SUMMER {
        return WINTER;
    }
    let ends = if year < SUMMER_UNTIL_OCTOBER { last_sunday(year, 9, 30) } else { last_sunday(year, 10, 31) };
    let is_summer = at >= last_sunday(year, 3, 31).at(3, 0, 0, 0) && at < ends.at(3, 0, 0, 0);
    if is_summer { SUMMER } else { WINTER }
}

fn last_sunday(year: i16, month: i8, last: i8) -> Date {
    date(year, month, last - date(year, month, last).weekday().to_sunday_zero_offset())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(text: &str) -> DateTime {
        moment_in(text).unwrap()
    }

    #[test]
    fn times_are_read_exactly_and_written_as_they_were() {
        for text in ["00:00", "08:05", "23:59"] {
            assert_eq!(time_stored(time_in(text).unwrap()), text);
        }
        for text in ["24:00", "08:60", "8:05", "08:5", "0805", "08:05:00", "", "-1:00", "0a:00"] {
            assert_eq!(time_in(text), None, "{text}");
        }
        assert_eq!(moment_stored(moment("2026-03-05T08:05")), "2026-03-05T08:05");
        assert_eq!(moment("2026-03-05 08:05"), moment("2026-03-05T08:05"));
        for text in [
            "2026-03-05",
            "2026-03-05T",
            "2026-02-30T08:05",
            "2026-03-05T08:05:00",
            "2026-03-05t08:05",
            "26-03-05T08:05",
            "č026-03-05T08:05",
        ] {
            assert_eq!(moment_in(text), None, "{text}");
        }
        assert_eq!(moment_text(moment("2026-03-05T08:05")), "05.03.2026. 08:05");
    }

    #[test]
    fn files_write_times_with_seconds_that_are_zero() {
        for text in ["8:05", "08:05", "08:05:00", "8:05:0", "08:05:00.000"] {
            assert_eq!(written_time(text).map(time_stored).as_deref(), Some("08:05"), "{text}");
        }
        for text in ["8", "8:5", "08:05:01", "08:05:00.5", "25:00", "08:05Z", "8.05", "08:05:", ":05"] {
            assert_eq!(written_time(text), None, "{text}");
        }
    }

    #[test]
    fn an_earlier_time_is_of_the_next_day() {
        let between = |from: &str, to: &str| minutes_across_midnight(time_in(from).unwrap(), time_in(to).unwrap());
        assert_eq!(
            [between("23:50", "00:20"), between("08:00", "08:45"), between("08:00", "08:00"), between("08:00", "07:59")],
            [30, 45, 0, 1439]
        );
    }

    #[test]
    fn minutes_pass_as_they_do_in_the_zone_of_belgrade() {
        let zone = time::zone();
        let of_zone = |at: DateTime| at.to_zoned(zone.clone()).unwrap().timestamp().as_second() / 60;
        // The clock of 1983 and every half hour of the days on which it is moved, until 2030.
        for year in 1983..=2030 {
            for month in [3, 9, 10] {
                let last = if month == 9 { 30 } else { 31 };
                for day in 20..=last {
                    for half in 0..48 {
                        let at = date(year, month, day).at(half / 2, half % 2 * 30, 0, 0);
                        let instant = instant_minutes(at);
                        let is_skipped = moment_stored(at_instant_minutes(instant).unwrap()) != moment_stored(at) && at.hour() == 2;
                        if !is_skipped {
                            assert_eq!(instant, of_zone(at), "{at}");
                        }
                    }
                }
            }
        }
        let between = |from: &str, to: &str| instant_minutes(moment(to)) - instant_minutes(moment(from));
        assert_eq!(between("2026-03-29T01:30", "2026-03-29T03:15"), 45, "the night of 23 hours");
        assert_eq!(between("2026-10-25T01:30", "2026-10-25T03:15"), 165, "the night of 25 hours");
        assert_eq!(between("2026-11-20T23:50", "2026-11-21T00:20"), 30);
        assert_eq!(between("2026-11-21T00:20", "2026-11-20T23:50"), -30);
    }

    #[test]
    fn what_is_added_can_be_taken_away() {
        let mut at = moment("2025-12-31T23:17");
        for step in 0..4_000_i64 {
            let next = at_instant_minutes(instant_minutes(at) + 137).unwrap();
            let passed = instant_minutes(next) - instant_minutes(at);
            // The second of two equal hours is read as the first.
            assert!(passed == 137 || passed == 77, "{at} {step}: {passed}");
            at = next;
        }
        assert_eq!(at_wall_minutes(i64::MAX / 4), None);
        assert_eq!(at_wall_minutes(wall_minutes(moment("1955-07-05T10:00"))), Some(moment("1955-07-05T10:00")));
    }
}
