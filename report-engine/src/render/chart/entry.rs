//! The chart of an entry on its print: what its screen draws.
use domain::entry::chart::ChartPoint;
use domain::entry::course;
use domain::register::ChartLine;

use super::Picture;

/// 62 mm in points.
const HEIGHT: f32 = 62.0 / 25.4 * 72.0;

/// The chart of `lines` over `points`; lines without a value are left out, and a chart without a line is none.
pub fn of_entry(title: Option<String>, lines: &[ChartLine], points: &[ChartPoint]) -> Option<Picture> {
    let mut figure = course::chart(lines, points).figure;
    figure.title = title.unwrap_or_default();
    figure.notes.extend(course::not_drawn(lines, points));
    figure.has_values().then(|| Picture::new(figure, HEIGHT))
}
