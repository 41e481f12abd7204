//! The chart of an entry: scores over time, one line a code, as the screen draws it.
use domain::entry::chart::Point;
use jiff::civil::Date;

use super::drawing::{Drawing, Marker, Rgb};
use super::layout::{Layout, Length, Line, Measure, Role};

/// A chart with the points that it draws.
#[derive(Clone, Debug)]
pub struct EntryChart {
    /// None: its name is not printed.
    pub title: Option<String>,
    pub lines: Vec<ChartLine>,
}

#[derive(Clone, Debug)]
pub struct ChartLine {
    pub name: String,
    pub color: Rgb,
    /// By date.
    pub points: Vec<(Date, f64)>,
}

const HEIGHT: Length = 62_000;
const LEFT: Length = 9_000;
const RIGHT: Length = 3_000;
const TOP: Length = 3_000;
const BOTTOM: Length = 7_000;
const GRID: Rgb = (222, 227, 231);
const AXIS: Rgb = (150, 160, 168);
/// Dates under the axis.
const MOST_DATES: usize = 7;

impl EntryChart {
    /// The chart of `lines` over `points`; lines without a value are left out, and a chart without a line is none.
    pub fn of(title: Option<String>, lines: &[domain::entry::chart::Line], points: &[Point]) -> Option<Self> {
        let line = |line: &domain::entry::chart::Line| {
            let value = |point: &Point| Some((point.date, point.vrednosti.get(&line.sifra)?.as_f64()?));
            let points: Vec<_> = points.iter().filter_map(value).collect();
            (!points.is_empty()).then(|| ChartLine { name: line.oznaka.clone(), color: rgb(&line.boja), points })
        };
        let lines: Vec<_> = lines.iter().filter_map(line).collect();
        (!lines.is_empty()).then_some(Self { title, lines })
    }
}

/// `#rrggbb`; anything else is drawn in grey.
fn rgb(color: &str) -> Rgb {
    let number = color.strip_prefix('#').filter(|digits| digits.len() == 6).and_then(|digits| u32::from_str_radix(digits, 16).ok());
    number.map_or((90, 90, 90), |number| ((number >> 16) as u8, (number >> 8) as u8, number as u8))
}

pub fn lay_out<M: Measure>(layout: &mut Layout<'_, M>, chart: &EntryChart) {
    if let Some(title) = &chart.title {
        let from = layout.lines.len();
        layout.text(Role::Label, title);
        layout.lines[from..].iter_mut().for_each(|line| line.keep_with_next = true);
    }
    let drawing = draw(layout, chart);
    layout.lines.push(Line { height: HEIGHT, keep_with_next: true, drawing: Some(drawing), ..Line::default() });
    legend(layout, chart);
}

fn draw<M: Measure>(layout: &mut Layout<'_, M>, chart: &EntryChart) -> Drawing {
    let mut drawing = Drawing::default();
    let (width, height) = (f64::from(layout.width - LEFT - RIGHT), f64::from(HEIGHT - TOP - BOTTOM));
    let values = || chart.lines.iter().flat_map(|line| line.points.iter().map(|(_, value)| *value));
    let steps = scale(values().fold(0.0, f64::min), values().fold(0.0, f64::max));
    let (low, high) = (steps[0], steps[steps.len() - 1]);
    let mut dates: Vec<Date> = chart.lines.iter().flat_map(|line| line.points.iter().map(|(date, _)| *date)).collect();
    dates.sort_unstable();
    dates.dedup();
    let (first, last) = (day(dates[0]), day(dates[dates.len() - 1]));
    let x = |date: Date| {
        let share = if last > first { (day(date) - first) / (last - first) } else { 0.5 };
        LEFT + (share * width) as Length
    };
    let y = |value: f64| TOP + (height - (value - low) / (high - low) * height) as Length;
    let line_height = layout.measure.line_height(Role::Note);

    for step in &steps {
        let color = if *step == low { AXIS } else { GRID };
        drawing.line(vec![(LEFT, y(*step)), (layout.width - RIGHT, y(*step))], color);
        let text = number(*step);
        let wide = width_of(layout, &text);
        drawing.word((LEFT - 1_500).saturating_sub(wide), y(*step).saturating_sub(line_height / 2), text);
    }
    let every = dates.len().div_ceil(MOST_DATES);
    for (index, date) in dates.iter().enumerate().filter(|(index, _)| index % every == 0) {
        let text = domain::time::date_text(*date);
        let wide = width_of(layout, &text);
        let centre = x(*date);
        drawing.line(vec![(centre, y(low)), (centre, y(low) + 900)], AXIS);
        let left = if index == 0 && dates.len() > 1 { centre } else { centre.saturating_sub(wide / 2) };
        drawing.word(left.min(layout.width.saturating_sub(wide)), y(low) + 1_500, text);
    }
    for (index, line) in chart.lines.iter().enumerate() {
        if line.points.len() > 1 {
            drawing.line(line.points.iter().map(|(date, value)| (x(*date), y(*value))).collect(), line.color);
        }
        for (date, value) in &line.points {
            drawing.mark(Marker::of_line(index), (x(*date), y(*value)), line.color);
        }
    }
    drawing
}

/// The names of the lines with their markers, in as many rows as they need.
fn legend<M: Measure>(layout: &mut Layout<'_, M>, chart: &EntryChart) {
    let line_height = layout.measure.line_height(Role::Note);
    let mut row = Drawing::default();
    let mut left = LEFT;
    let mut rows = Vec::new();
    for (index, line) in chart.lines.iter().enumerate() {
        let name = layout.measure.covered(&line.name);
        let wide = 3_000 + width_of(layout, &name) + 6_000;
        if left + wide > layout.width && left > LEFT {
            rows.push(std::mem::take(&mut row));
            left = LEFT;
        }
        row.mark(Marker::of_line(index), (left + 1_000, line_height / 2), line.color);
        row.word(left + 3_000, 0, name);
        left += wide;
    }
    rows.push(row);
    let last = rows.len() - 1;
    layout.lines.extend(rows.into_iter().enumerate().map(|(index, drawing)| Line {
        height: line_height + 600,
        keep_with_next: index < last,
        drawing: Some(drawing),
        ..Line::default()
    }));
}

fn width_of<M: Measure>(layout: &mut Layout<'_, M>, text: &str) -> Length {
    text.chars().map(|letter| layout.measure.width(Role::Note, letter)).sum()
}

fn day(date: Date) -> f64 {
    f64::from(date.since((jiff::Unit::Day, jiff::civil::date(1970, 1, 1))).map_or(0, |span| span.get_days()))
}

/// Round steps from zero, or from below the least value, to above the greatest: two at least.
fn scale(least: f64, greatest: f64) -> Vec<f64> {
    let rough = (greatest - least).max(1.0) / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0].map(|factor| factor * power).into_iter().find(|step| *step >= rough).unwrap_or(10.0 * power);
    let from = (least / step).floor() as i64;
    let to = ((greatest / step).ceil() as i64).max(from + 1);
    (from..=to).map(|count| count as f64 * step).collect()
}

fn number(value: f64) -> String {
    let rounded = (value * 1e6).round() / 1e6;
    rounded.to_string().replace('.', ",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round_and_reach_over_every_value() {
        assert_eq!(scale(0.0, 4.7), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(scale(0.0, 62.0), [0.0, 20.0, 40.0, 60.0, 80.0]);
        assert_eq!(scale(-3.0, 4.0), [-4.0, -2.0, 0.0, 2.0, 4.0]);
        assert_eq!(scale(0.0, 0.0), [0.0, 0.2]);
    }

    #[test]
    fn a_colour_that_is_none_is_grey() {
        assert_eq!(rgb("#2563eb"), (0x25, 0x63, 0xEB));
        assert_eq!(rgb("crvena"), (90, 90, 90));
        assert_eq!(rgb("#žž"), (90, 90, 90));
    }
}
