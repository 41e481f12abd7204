//! A chart on the page of a document, where its drawing becomes lines and words.
use report_chart::drawing::{Anchor, Path, Place, Shape, Size};
use report_chart::{Drawing as ChartDrawing, draw, layout::height_for};

use super::drawing::{Drawing, Length, Point};
use super::layout::{Layout, Line, Measure, Role};
use crate::render::chart::Picture;

/// What words along the axes take of the height of a chart.
const WORDS: f64 = 10_000.0;
/// A line of the typeface is so many times as high as its letters.
const LINE: f64 = 1.17;
/// From the top of a line to its baseline, in heights of the line.
const ASCENT: f64 = 0.8;
/// A filled shape up to this size is drawn as rings within one another, since there is nothing but lines.
const MOST_RINGED: f64 = 3_000.0;
const RINGS: [f64; 3] = [1.0, 0.62, 0.24];

pub fn lay_out<M: Measure>(layout: &mut Layout<'_, M>, picture: &Picture) {
    let mut figure = picture.figure.clone();
    let title = std::mem::take(&mut figure.title);
    let letters = f64::from(layout.measure.line_height(Role::Note)) / LINE;
    let width = f64::from(layout.width);
    let plot = f64::from(picture.height) / 72.0 * 25_400.0 - WORDS;
    let height = height_for(&figure, width, letters, plot).round();
    match draw(&figure, Size { width, height, letters }) {
        Ok(chart) => {
            if !title.is_empty() {
                layout.kept(Role::Label, &title);
            }
            let drawing = Some(paint(layout, &chart));
            layout.lines.push(Line { height: height as Length, drawing, ..Line::default() });
        }
        Err(fault) => layout.text(Role::Warning, &format!("Grafikon „{title}“ nije nacrtan: {fault}.")),
    }
}

fn paint<M: Measure>(layout: &mut Layout<'_, M>, chart: &ChartDrawing) -> Drawing {
    let mut drawing = Drawing::default();
    let line_height = f64::from(layout.measure.line_height(Role::Note));
    for item in &chart.items {
        match &item.shape {
            Shape::Path(path) => push_path(&mut drawing, path),
            Shape::Word(word) => {
                let text = layout.measure.covered(&word.text);
                let wide = f64::from(width_of(layout, &text));
                let left = match word.anchor {
                    Anchor::Start => word.at.0,
                    Anchor::Middle => word.at.0 - wide / 2.0,
                    Anchor::End => word.at.0 - wide,
                };
                let left = left.min(f64::from(layout.width) - wide).max(0.0);
                drawing.word(left as Length, (word.at.1 - line_height * ASCENT).max(0.0) as Length, text);
            }
        }
    }
    drawing
}

fn push_path(drawing: &mut Drawing, path: &Path) {
    for line in &path.lines {
        match (path.stroke, path.fill) {
            (Some(stroke), _) if stroke.dash.is_empty() => drawing.line(places(line, path.is_closed), stroke.color),
            (Some(stroke), _) => {
                let lengths: Vec<f64> = stroke.dash.iter().map(|length| length * stroke.width).collect();
                dashes(line, &lengths).into_iter().for_each(|dash| drawing.line(places(&dash, false), stroke.color));
            }
            (None, Some(fill)) if fill.opacity == 1.0 => {
                let (middle, size) = middle_and_size(line);
                let rings: &[f64] = if size <= MOST_RINGED { &RINGS } else { &RINGS[..1] };
                for ring in rings {
                    let towards = |(x, y): &Place| (middle.0 + (x - middle.0) * ring, middle.1 + (y - middle.1) * ring);
                    let ring: Vec<Place> = line.iter().map(towards).collect();
                    drawing.line(places(&ring, true), fill.color);
                }
            }
            _ => {}
        }
    }
}

fn places(line: &[Place], is_closed: bool) -> Vec<Point> {
    let back = line.first().filter(|_| is_closed);
    line.iter().chain(back).map(|(x, y)| (x.max(0.0) as Length, y.max(0.0) as Length)).collect()
}

fn middle_and_size(line: &[Place]) -> (Place, f64) {
    let ends = |of: fn(&Place) -> f64| {
        let values = line.iter().map(of);
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
    };
    let ((left, right), (top, bottom)) = (ends(|(x, _)| *x), ends(|(_, y)| *y));
    ((f64::midpoint(left, right), f64::midpoint(top, bottom)), (right - left).max(bottom - top))
}

/// The drawn parts of a line whose dashes and gaps have these lengths, by turns.
fn dashes(line: &[Place], lengths: &[f64]) -> Vec<Vec<Place>> {
    let Some(first) = line.first() else { return Vec::new() };
    if lengths.iter().any(|length| *length <= 0.0) {
        return vec![line.to_vec()];
    }
    let (mut turn, mut left) = (0, lengths[0]);
    let mut parts = vec![vec![*first]];
    for pair in line.windows(2) {
        let (mut from, to) = (pair[0], pair[1]);
        loop {
            let length = (to.0 - from.0).hypot(to.1 - from.1);
            let is_drawn = turn % 2 == 0;
            if length <= left {
                left -= length;
                if let Some(part) = parts.last_mut().filter(|_| is_drawn) {
                    part.push(to);
                }
                break;
            }
            let share = left / length;
            from = (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share);
            match parts.last_mut() {
                Some(part) if is_drawn => part.push(from),
                _ => parts.push(vec![from]),
            }
            turn += 1;
            left = lengths[turn % lengths.len()];
        }
    }
    parts.retain(|part| part.len() > 1);
    parts
}

fn width_of<M: Measure>(layout: &mut Layout<'_, M>, text: &str) -> Length {
    text.chars().map(|letter| layout.measure.width(Role::Note, letter)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dashed_line_has_its_gaps_over_its_corners() {
        let parts = dashes(&[(0.0, 0.0), (10.0, 0.0), (10.0, 10.0)], &[6.0, 3.0]);
        assert_eq!(parts, [vec![(0.0, 0.0), (6.0, 0.0)], vec![(9.0, 0.0), (10.0, 0.0), (10.0, 5.0)], vec![(10.0, 8.0), (10.0, 10.0)]]);
        assert!(dashes(&[], &[6.0, 3.0]).is_empty());
    }
}
