//! Places of days and moments on an axis, and the days that are written under it.
use jiff::civil::{Date, DateTime, date};
use jiff::{Span, ToSpan, Unit};

use super::picture::Tick;
use crate::plan::push_date;

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

/// How far apart days under an axis may be, from close to far.
fn steps() -> [(Span, f64); 11] {
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
    ]
}

/// About so many days between the first and the last place: the closest steps that are few enough, from the beginning of a month or a
/// year where a step is one. Of less than two days the two ends themselves.
pub fn between(first: &Tick, last: &Tick, most: usize) -> Vec<Tick> {
    let days = last.at - first.at;
    let (Some(from), Some(to)) = (day_at(first.at.ceil()), day_at(last.at.floor())) else { return vec![first.clone(), last.clone()] };
    if days < 2.0 {
        return vec![first.clone(), last.clone()];
    }
    let (step, long) = steps().into_iter().find(|(_, long)| days / long <= most as f64).unwrap_or((25.years(), 9131.1));
    let start = match long {
        long if long >= 90.0 => from.first_of_year(),
        long if long >= 30.0 => from.first_of_month(),
        _ => from,
    };
    let label = |day: Date| match long {
        long if long >= 365.0 => format!("{}.", day.year()),
        long if long >= 30.0 => format!("{:02}.{}.", day.month(), day.year()),
        _ => {
            let mut text = String::new();
            push_date(&mut text, day);
            text
        }
    };
    let all = start.series(step).take_while(|day| *day <= to).filter(|day| *day >= from);
    all.map(|day| Tick { at: of_day(day), label: label(day) }).collect()
}

fn day_at(days: f64) -> Option<Date> {
    date(1970, 1, 1).checked_add((days as i64).days()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(first: Date, last: Date) -> Vec<String> {
        let tick = |day: Date| Tick { at: of_day(day), label: day.to_string() };
        between(&tick(first), &tick(last), 10).into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn days_under_an_axis_begin_weeks_months_or_years() {
        assert_eq!(labels(date(2026, 1, 5), date(2026, 1, 9)).first().map(String::as_str), Some("05.01.2026."));
        assert_eq!(
            labels(date(2026, 1, 5), date(2026, 9, 9)).join(" "),
            "02.2026. 03.2026. 04.2026. 05.2026. 06.2026. 07.2026. 08.2026. 09.2026."
        );
        assert_eq!(
            labels(date(2017, 6, 5), date(2021, 5, 9)),
            ["07.2017.", "01.2018.", "07.2018.", "01.2019.", "07.2019.", "01.2020.", "07.2020.", "01.2021."].map(str::to_owned)[..]
                .to_vec()
        );
        assert_eq!(labels(date(1990, 6, 5), date(2021, 5, 9)), ["1995.", "2000.", "2005.", "2010.", "2015.", "2020."]);
    }

    #[test]
    fn a_moment_lies_within_its_day() {
        assert_eq!(of_moment(date(1970, 1, 3).at(12, 0, 0, 0)), 2.5);
    }
}
