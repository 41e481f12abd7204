//! Lines and ranges that values are read against, with their words.
use super::frame::Plot;
use super::word;
use crate::drawing::{Anchor, Datum, Drawing, Fill, Path, Stroke, corners};
use crate::figure::{Direction, Figure, Mark};
use crate::palette::{MUTED, SHADE};
use crate::text;

const DASH: &[f64] = &[4.0, 3.0];

/// Shaded ranges, below everything.
pub fn ranges(figure: &Figure, plot: &Plot, drawing: &mut Drawing) {
    for mark in &figure.marks {
        let Mark::ReferenceRange { axis, from, to, words } = mark else { continue };
        let (upper_left, lower_right) = match axis {
            Direction::X => ((plot.x(*from), plot.top), (plot.x(*to), plot.bottom())),
            Direction::Y => ((plot.left, plot.y(*to).min(plot.y(*from))), (plot.right(), plot.y(*from).max(plot.y(*to)))),
        };
        let fill = Some(Fill { color: SHADE, opacity: 0.22 });
        let axis = if *axis == Direction::X { &figure.x } else { &figure.y };
        let told = format!("{words}: {} – {}", axis.told(*from), axis.told(*to));
        let values = vec![("from", from.to_string()), ("to", to.to_string())];
        let path = Path { lines: vec![corners(upper_left, lower_right)], is_closed: true, fill, stroke: None };
        drawing.path(path, Some(Datum { kind: "reference", values, told, ..Datum::default() }));
    }
}

/// Lines across the plot and between two places, above all bars, and the words of all references.
pub fn lines(figure: &Figure, plot: &Plot, drawing: &mut Drawing) {
    for mark in &figure.marks {
        let Mark::ReferenceRange { axis, from, to, words } = mark else { continue };
        let size = plot.letters * 0.9;
        let (at, anchor, room) = match axis {
            Direction::X => ((plot.x(*from) + size * 0.3, plot.top + size), Anchor::Start, plot.x(*to) - plot.x(*from) - size * 0.6),
            // At the right edge, where lines end and boxes leave a margin.
            Direction::Y => ((plot.right() - size * 0.3, plot.y(*to).min(plot.y(*from)) + size), Anchor::End, plot.width * 0.6),
        };
        drawing.word(word(&text::shortened(words, room / size), at, anchor, size).muted());
    }
    let stroke = Stroke { color: MUTED, width: plot.letters * 0.1, dash: DASH };
    for mark in &figure.marks {
        let (from, to, words, values) = match mark {
            Mark::ReferenceLine { axis: Direction::X, at, words } => {
                let x = plot.x(*at);
                ((x, plot.top), (x, plot.bottom()), words, vec![("x", at.to_string())])
            }
            Mark::ReferenceLine { axis: Direction::Y, at, words } => {
                let y = plot.y(*at);
                ((plot.left, y), (plot.right(), y), words, vec![("y", at.to_string())])
            }
            Mark::ReferenceSegment { from, to, words } => {
                let ends = [("x1", from.x), ("y1", from.y), ("x2", to.x), ("y2", to.y)];
                (plot.place(*from), plot.place(*to), words, ends.map(|(name, value)| (name, value.to_string())).to_vec())
            }
            _ => continue,
        };
        let datum = Datum { kind: "reference", values, told: words.clone(), ..Datum::default() };
        drawing.path(Path { lines: vec![vec![from, to]], stroke: Some(stroke), ..Path::default() }, Some(datum));
        write_words(plot, mark, words, from, to, drawing);
    }
}

fn write_words(plot: &Plot, mark: &Mark, words: &str, from: (f64, f64), to: (f64, f64), drawing: &mut Drawing) {
    let size = plot.letters * 0.9;
    let near = plot.letters * 0.35;
    let (at, anchor, room) = match mark {
        // To the side of an upright line where there is more room.
        Mark::ReferenceLine { axis: Direction::X, .. } if from.0 - plot.left > plot.width / 2.0 => {
            ((from.0 - near, plot.top + size), Anchor::End, from.0 - plot.left - near)
        }
        Mark::ReferenceLine { axis: Direction::X, .. } => ((from.0 + near, plot.top + size), Anchor::Start, plot.right() - from.0 - near),
        Mark::ReferenceLine { .. } => {
            let above = if from.1 - plot.top > size * 1.3 { from.1 - near } else { from.1 + size };
            ((plot.right(), above), Anchor::End, plot.width)
        }
        // Below the middle of a slope.
        _ => ((f64::midpoint(from.0, to.0) + near, f64::midpoint(from.1, to.1) + size * 1.5), Anchor::Start, plot.width / 2.0 - near),
    };
    drawing.word(word(&text::shortened(words, room / size), at, anchor, size).muted());
}
