//! The chart of an entry: scores over time, one line a code, in the colours of the screen.
use domain::{entry::chart::ChartPoint, register::ChartLine};
use jiff::civil::Date;

use super::picture::{Axis, Picture, Scale, Series, Tick};
use super::times;
use crate::plan::ChartKind;
use crate::render::look::Rgb;

/// Scores that differ by less than this are not drawn further apart.
const LEAST_SPAN: f64 = 1.0;
/// 62 mm in points.
const HEIGHT: f32 = 62.0 / 25.4 * 72.0;
const OTHER: Rgb = (90, 90, 90);

/// The chart of `lines` over `points`; lines without a value are left out, and a chart without a line is none.
pub fn of_entry(title: Option<String>, lines: &[ChartLine], points: &[ChartPoint]) -> Option<Picture> {
    let value = |line: &ChartLine, point: &ChartPoint| point.vrednosti.get(&line.sifra)?.as_f64();
    let mut dates: Vec<Date> =
        points.iter().filter(|point| lines.iter().any(|line| value(line, point).is_some())).map(|point| point.date).collect();
    dates.sort_unstable();
    dates.dedup();
    let series = lines.iter().filter_map(|line| {
        let place = |point: &ChartPoint| Some((dates.binary_search(&point.date).ok()?, value(line, point)?));
        let mut points: Vec<_> = points.iter().filter_map(place).collect();
        points.sort_by_key(|(tick, _)| *tick);
        (!points.is_empty()).then(|| Series { label: line.oznaka.clone(), color: rgb(&line.boja), points })
    });
    let series: Vec<Series> = series.collect();
    let values = series.iter().flat_map(|series| series.points.iter().map(|(_, value)| *value));
    let scale = Scale::over(values, 1.0, LEAST_SPAN);
    let ticks = dates.iter().map(|date| Tick { at: times::of_day(*date), label: domain::time::date_text(*date) }).collect();
    let title = title.unwrap_or_default();
    (!series.is_empty()).then_some(Picture {
        kind: ChartKind::Line,
        axis: Axis::Time,
        title,
        y_title: None,
        height: HEIGHT,
        ticks,
        ticks_follow: true,
        series,
        scale,
    })
}

/// `#rrggbb`; anything else is drawn in grey.
fn rgb(color: &str) -> Rgb {
    let number = color.strip_prefix('#').filter(|digits| digits.len() == 6).and_then(|digits| u32::from_str_radix(digits, 16).ok());
    number.map_or(OTHER, |number| ((number >> 16) as u8, (number >> 8) as u8, number as u8))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn visits_stand_by_their_days_in_order() {
        let point = |day: &str, score: f64| ChartPoint {
            date: day.parse().unwrap(),
            vrednosti: serde_json::json!({ "das": score }),
            naziv: String::new(),
            zastareli: HashMap::new(),
            form_version_id: 1,
        };
        let lines = [ChartLine { oznaka: "DAS28".to_owned(), sifra: "das".to_owned(), boja: String::new() }];
        let picture = of_entry(None, &lines, &[point("1970-04-01", 3.0), point("1970-01-01", 5.0), point("1970-01-03", 4.0)]).unwrap();
        assert_eq!(picture.ticks.iter().map(|tick| tick.at).collect::<Vec<_>>(), [0.0, 2.0, 90.0]);
        assert_eq!(picture.series[0].points, [(0, 5.0), (1, 4.0), (2, 3.0)]);
        assert!(picture.span().0 < 0.0 && picture.span().1 > 90.0);
    }

    #[test]
    fn a_colour_that_is_none_is_grey() {
        assert_eq!(rgb("#2563eb"), (0x25, 0x63, 0xEB));
        assert_eq!(rgb("crvena"), OTHER);
        assert_eq!(rgb("#žž"), OTHER);
    }
}
