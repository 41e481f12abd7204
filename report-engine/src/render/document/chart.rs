//! A chart on the page of a document, drawn of lines and words.
use super::drawing::{Drawing, Length, Marker, Rgb};
use super::layout::{Layout, Line, Measure, Role};
use crate::render::chart::Picture;

const LEFT: Length = 9_000;
const RIGHT: Length = 3_000;
const TOP: Length = 3_000;
const BOTTOM: Length = 7_000;
const GRID: Rgb = (222, 227, 231);
const AXIS: Rgb = (150, 160, 168);
/// Dates under the axis.
const MOST_LABELS: usize = 7;

pub fn lay_out<M: Measure>(layout: &mut Layout<'_, M>, picture: &Picture) {
    if !picture.title.is_empty() {
        layout.kept(Role::Label, &picture.title);
    }
    let height = (f64::from(picture.height) / 72.0 * 25_400.0).round() as Length;
    let drawing = draw(layout, picture, height);
    layout.lines.push(Line { height, keep_with_next: true, drawing: Some(drawing), ..Line::default() });
    legend(layout, picture);
}

fn draw<M: Measure>(layout: &mut Layout<'_, M>, picture: &Picture, height: Length) -> Drawing {
    let mut drawing = Drawing::default();
    let (width, height) = (f64::from(layout.width - LEFT - RIGHT), f64::from(height - TOP - BOTTOM));
    let (low, high) = (picture.scale.low(), picture.scale.high());
    let (first, last) = (picture.ticks[0].at, picture.ticks[picture.ticks.len() - 1].at);
    let x = |tick: usize| {
        let share = if last > first { (picture.ticks[tick].at - first) / (last - first) } else { 0.5 };
        LEFT + (share * width) as Length
    };
    let y = |value: f64| TOP + (height - (value - low) / (high - low) * height) as Length;
    let line_height = layout.measure.line_height(Role::Note);

    for step in picture.scale.steps() {
        let color = if step == low { AXIS } else { GRID };
        drawing.line(vec![(LEFT, y(step)), (layout.width - RIGHT, y(step))], color);
        let text = number(step);
        let wide = width_of(layout, &text);
        drawing.word((LEFT - 1_500).saturating_sub(wide), y(step).saturating_sub(line_height / 2), text);
    }
    let every = picture.ticks.len().div_ceil(MOST_LABELS);
    for (index, tick) in picture.ticks.iter().enumerate().step_by(every) {
        let text = tick.label.clone();
        let wide = width_of(layout, &text);
        let centre = x(index);
        drawing.line(vec![(centre, y(low)), (centre, y(low) + 900)], AXIS);
        let left = if index == 0 && picture.ticks.len() > 1 { centre } else { centre.saturating_sub(wide / 2) };
        drawing.word(left.min(layout.width.saturating_sub(wide)), y(low) + 1_500, text);
    }
    for (index, series) in picture.series.iter().enumerate() {
        let places: Vec<_> = series.points.iter().map(|(tick, value)| (x(*tick), y(*value))).collect();
        if places.len() > 1 {
            drawing.line(places.clone(), series.color);
        }
        for place in places {
            drawing.mark(Marker::of_line(index), place, series.color);
        }
    }
    drawing
}

/// The names of the lines with their markers, in as many rows as they need.
fn legend<M: Measure>(layout: &mut Layout<'_, M>, picture: &Picture) {
    let line_height = layout.measure.line_height(Role::Note);
    let mut row = Drawing::default();
    let mut left = LEFT;
    let mut rows = Vec::new();
    for (index, series) in picture.series.iter().enumerate() {
        let name = layout.measure.covered(&series.label);
        let wide = 3_000 + width_of(layout, &name) + 6_000;
        if left + wide > layout.width && left > LEFT {
            rows.push(std::mem::take(&mut row));
            left = LEFT;
        }
        row.mark(Marker::of_line(index), (left + 1_000, line_height / 2), series.color);
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

fn number(value: f64) -> String {
    let rounded = (value * 1e6).round() / 1e6;
    rounded.to_string().replace('.', ",")
}
