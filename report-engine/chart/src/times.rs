//! Places of days and moments on an axis, and the days that are written under it.
use jiff::civil::{Date, DateTime, date};
use jiff::{Span, ToSpan, Unit};

/// A place along an axis with its word.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    pub at: f64,
    pub label: String,
}

/// Days since 1970.
pub fn of_day(day: Date) -> f64 {
    f64::from(day.since((Unit::Day, date(1970, 1, 1))).map_or(0, |span| span.get_days()))
}

/// Days since 1970, with the part of the day that has passed.
pub fn of_moment(moment: DateTime) -> f64 {
    let time = moment.time();
    let seconds = f64::from(time.hour()) * 3600.0 + f64::from(time.minute()) * 60.0 + f64::from(time.second());
    of_day(moment.date()) + seconds / 86_400.0
}

/// A place as a day, or as a day with hours where it has a part of one: `05.03.2026. 07:04`.
pub fn told(place: f64) -> String {
    let minutes = ((place - place.floor()) * 1440.0).round() as i64;
    let Some(day) = day_at(place.floor() + (minutes / 1440) as f64) else { return String::new() };
    match minutes % 1440 {
        0 => day_text(day),
        minutes => format!("{} {:02}:{:02}", day_text(day), minutes / 60, minutes % 60),
    }
}

fn day_text(day: Date) -> String {
    format!("{:02}.{:02}.{:04}.", day.day(), day.month(), day.year())
}

/// How far apart days under an axis may be, from close to far.
fn steps() -> [(Span, f64); 12] {
    [
        (1.day(), 1.0),
        (7.days(), 7.0),
        (14.days(), 14.0),
        (1.month(), 30.4),
        (3.months(), 91.3),
        (6.months(), 182.6),
        (1.year(), 365.2),
        (2.years(), 730.5),
        (5.years(), 1826.2),
        (10.years(), 3652.4),
        (25.years(), 9131.1),
        (100.years(), 36_524.3),
    ]
}

/// What is written under time: the places themselves where they are at most `most`, else about so many days between their ends, from the
/// beginning of a month or a year where a step is one.
pub fn ticks(places: &[f64], most: usize) -> Vec<Tick> {
    let tick = |at: f64| Tick { at, label: told(at) };
    let mut distinct = places.to_vec();
    distinct.sort_by(f64::total_cmp);
    distinct.dedup();
    let [first, .., last] = distinct[..] else { return distinct.into_iter().map(tick).collect() };
    if distinct.len() <= most || last - first < 2.0 {
        return if distinct.len() <= most { distinct.into_iter().map(tick).collect() } else { vec![tick(first), tick(last)] };
    }
    let between = between(first, last, most);
    if between.len() < 2 { vec![tick(first), tick(last)] } else { between }
}

fn between(first: f64, last: f64, most: usize) -> Vec<Tick> {
    let (Some(from), Some(to)) = (day_at(first.ceil()), day_at(last.floor())) else { return Vec::new() };
    let days = last - first;
    let (step, long) = steps().into_iter().find(|(_, long)| days / long <= most.max(1) as f64).unwrap_or((1000.years(), 365_242.5));
    let start = match long {
        long if long >= 90.0 => from.first_of_year(),
        long if long >= 30.0 => from.first_of_month(),
        _ => from,
    };
    let label = |day: Date| match long {
        long if long >= 365.0 => format!("{}.", day.year()),
        long if long >= 30.0 => format!("{:02}.{}.", day.month(), day.year()),
        _ => day_text(day),
    };
    let all = start.series(step).take_while(|day| *day <= to).filter(|day| *day >= from);
    all.map(|day| Tick { at: of_day(day), label: label(day) }).collect()
}

fn day_at(days: f64) -> Option<Date> {
    date(1970, 1, 1).checked_add((days.clamp(-4e6, 4e6) as i64).days()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(first: Date, last: Date) -> Vec<String> {
        between(of_day(first), of_day(last), 10).into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn days_under_an_axis_begin_weeks_months_or_years() {
        assert_eq!(labels(date(2026, 1, 5), date(2026, 1, 9)).first().map(String::as_str), Some("05.01.2026."));
        assert_eq!(
            labels(date(2026, 1, 5), date(2026, 9, 9)).join(" "),
            "02.2026. 03.2026. 04.2026. 05.2026. 06.2026. 07.2026. 08.2026. 09.2026."
        );
        assert_eq!(
            labels(date(2017, 6, 5), date(2021, 5, 9)).join(" "),
            "07.2017. 01.2018. 07.2018. 01.2019. 07.2019. 01.2020. 07.2020. 01.2021."
        );
        assert_eq!(labels(date(1990, 6, 5), date(2021, 5, 9)), ["1995.", "2000.", "2005.", "2010.", "2015.", "2020."]);
    }

    #[test]
    fn few_days_are_written_themselves_and_far_ones_have_words() {
        let days = [date(2026, 1, 5), date(2026, 1, 7), date(2027, 3, 1)].map(of_day);
        let shown: Vec<String> = ticks(&days, 12).into_iter().map(|tick| tick.label).collect();
        assert_eq!(shown, ["05.01.2026.", "07.01.2026.", "01.03.2027."]);
        assert_eq!(ticks(&[], 12), []);
        assert!(ticks(&[1e12, 2e12, 3e12], 2).iter().all(|tick| tick.at.is_finite()));
    }

    #[test]
    fn a_moment_lies_within_its_day() {
        assert_eq!(of_moment(date(1970, 1, 3).at(12, 0, 0, 0)), 2.5);
        assert_eq!(told(2.5), "03.01.1970. 12:00");
        assert_eq!(told(of_moment(date(2026, 3, 5).at(23, 59, 59, 0))), "06.03.2026.");
    }
}
