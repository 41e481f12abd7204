//! A pie: its parts clockwise from the top, and beside it their names, numbers and shares, in the same order.
use std::f64::consts::TAU;

use super::word;
use crate::drawing::{Anchor, Datum, Drawing, Fill, Path, Place, Stroke, corners};
use crate::figure::Slice;
use crate::palette::{WHITE, color, ink_on};
use crate::text;

/// Corners of a whole circle.
const CORNERS: f64 = 240.0;
/// A part below this share has its number only beside the pie.
const LEAST_NUMBERED: f64 = 0.05;
const LEADING: f64 = 1.8;

pub fn least_height(slices: usize, letters: f64) -> f64 {
    (slices as f64 * LEADING + 1.0) * letters
}

pub fn draw(slices: &[Slice], top: f64, bottom: f64, drawing: &mut Drawing) {
    let letters = drawing.size.letters;
    let whole: f64 = slices.iter().map(|slice| slice.value).sum();
    let radius = ((bottom - top).min(drawing.size.width / 2.0) / 2.0 - letters * 0.5).max(letters);
    let middle = (radius + letters * 0.5, f64::midpoint(top, bottom));
    let place = |share: f64, from: f64| (middle.0 + (share * TAU).sin() * from, middle.1 - (share * TAU).cos() * from);
    let all_whole = slices.iter().all(|slice| slice.value.fract() == 0.0);
    let told = |slice: &Slice| {
        let share = text::percent(slice.value / whole, 1);
        format!("{}: {} ({share})", slice.name, text::number(slice.value, if all_whole { 0 } else { 1 }))
    };
    let mut begin = 0.0;
    for (index, slice) in slices.iter().enumerate().filter(|(_, slice)| slice.value > 0.0) {
        let share = slice.value / whole;
        let steps = (share * CORNERS).ceil().max(1.0);
        let arc = (0..=steps as u32).map(|step| place(begin + share * f64::from(step) / steps, radius));
        let corners: Vec<Place> = std::iter::once(middle).chain(arc).collect();
        // White lines between the parts keep them apart where a printer knows no colours.
        let stroke = (share < 1.0).then_some(Stroke { color: WHITE, width: letters * 0.12, dash: &[] });
        let fill = Some(Fill { color: color(index), opacity: 1.0 });
        let values = vec![("x", slice.name.clone()), ("y", slice.value.to_string())];
        let datum = Datum { kind: "slice", values, told: told(slice), ..Datum::default() };
        drawing.path(Path { lines: vec![corners], is_closed: true, fill, stroke }, Some(datum));
        if share >= LEAST_NUMBERED {
            let (x, y) = place(begin + share / 2.0, radius * 0.66);
            let mut number = word(&text::percent(share, 1), (x, y + letters * 0.35), Anchor::Middle, letters);
            (number.is_bold, number.color) = (true, ink_on(color(index)));
            drawing.word(number);
        }
        begin += share;
    }
    list(slices, told, 2.0 * radius + letters * 3.0, middle.1, drawing);
}

/// Colour, name, number and share of each part.
fn list(slices: &[Slice], told: impl Fn(&Slice) -> String, left: f64, middle: f64, drawing: &mut Drawing) {
    let letters = drawing.size.letters;
    let mut baseline = middle - (slices.len() as f64 / 2.0 - 0.5) * LEADING * letters + letters * 0.35;
    for (index, slice) in slices.iter().enumerate() {
        let swatch = corners((left, baseline - letters * 0.8), (left + letters * 0.9, baseline + letters * 0.1));
        let fill = Some(Fill { color: color(index), opacity: 1.0 });
        drawing.path(Path { lines: vec![swatch], is_closed: true, fill, stroke: None }, None);
        let whole = told(slice);
        let values = &whole[slice.name.len()..];
        let room = (drawing.size.width - left) / letters - 1.4 - text::width(values);
        let words = format!("{}{values}", text::shortened(&slice.name, room.max(2.0)));
        drawing.word(word(&words, (left + letters * 1.4, baseline), Anchor::Start, letters));
        baseline += LEADING * letters;
    }
}
