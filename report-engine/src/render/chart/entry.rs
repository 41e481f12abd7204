//! The chart of an entry: scores over time, one line a code, in the colours of the screen.
use domain::{entry::chart::ChartPoint, register::ChartLine};
use report_chart::axis::Steps;
use report_chart::{Axis, Figure, Legend, Mark, Point, Scale, Series, times};

use super::Picture;
use crate::render::look::Rgb;

/// Scores that differ by less than this are not drawn further apart.
const LEAST_SPAN: f64 = 1.0;
/// 62 mm in points.
const HEIGHT: f32 = 62.0 / 25.4 * 72.0;
const OTHER: Rgb = (90, 90, 90);

/// The chart of `lines` over `points`; lines without a value are left out, and a chart without a line is none.
pub fn of_entry(title: Option<String>, lines: &[ChartLine], points: &[ChartPoint]) -> Option<Picture> {
    let scale = Scale::Numbers { steps: Steps::Linear, least: Some(0.0), greatest: Some(LEAST_SPAN) };
    let y = Axis { title: String::new(), scale };
    let mut figure = Figure { title: title.unwrap_or_default(), x: Axis::time(""), y, legend: Legend::Always, ..Figure::default() };
    for line in lines {
        let value = |point: &ChartPoint| Some(Point::new(times::of_day(point.date), point.vrednosti.get(&line.sifra)?.as_f64()?));
        let mut places: Vec<Point> = points.iter().filter_map(value).collect();
        places.sort_by(|left, right| left.x.total_cmp(&right.x));
        if !places.is_empty() {
            figure.marks.push(Mark::Line { series: figure.series.len(), points: places, dots: true });
            figure.series.push(Series { name: line.oznaka.clone(), color: Some(rgb(&line.boja)) });
        }
    }
    figure.has_values().then(|| Picture::new(figure, HEIGHT))
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
        let Mark::Line { points, .. } = &picture.figure.marks[0] else { panic!("a line, not {:?}", picture.figure.marks) };
        assert_eq!(points.iter().map(|point| (point.x, point.y)).collect::<Vec<_>>(), [(0.0, 5.0), (2.0, 4.0), (90.0, 3.0)]);
    }

    #[test]
    fn a_colour_that_is_none_is_grey() {
        assert_eq!(rgb("#2563eb"), (0x25, 0x63, 0xEB));
        assert_eq!(rgb("crvena"), OTHER);
        assert_eq!(rgb("#žž"), OTHER);
    }
}
