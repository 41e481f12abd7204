//! The axes: hairlines behind the marks, then ticks, words, titles and numbers at risk.
use super::frame::{self, Plot};
use super::word;
use crate::axis::apart;
use crate::drawing::{Anchor, Drawing, Stroke};
use crate::figure::{Figure, Mark};
use crate::palette::{HAIRLINE, MUTED, color};
use crate::text;

fn hairline(plot: &Plot) -> Stroke {
    Stroke { color: HAIRLINE, width: plot.letters * 0.05, dash: &[] }
}

fn axis_line(plot: &Plot) -> Stroke {
    Stroke { color: MUTED, width: plot.letters * 0.07, dash: &[] }
}

/// Lines at the words of y, and of x where it has values by size.
pub fn grid(figure: &Figure, plot: &Plot, drawing: &mut Drawing) {
    if figure.y.is_categories() {
        for (at, _) in &plot.x_words {
            drawing.line(vec![(plot.x(*at), plot.top), (plot.x(*at), plot.bottom())], hairline(plot));
        }
        return;
    }
    for tick in &plot.y_words {
        drawing.line(vec![(plot.left, plot.y(tick.at)), (plot.right(), plot.y(tick.at))], hairline(plot));
    }
}

pub fn draw(figure: &Figure, plot: &Plot, drawing: &mut Drawing) {
    let (letters, bottom) = (plot.letters, plot.bottom());
    drawing.line(vec![(plot.left, plot.top), (plot.left, bottom), (plot.right(), bottom)], axis_line(plot));
    if plot.y.low < 0.0 && plot.y.high > 0.0 && !plot.y.is_log && !figure.y.is_categories() {
        drawing.line(vec![(plot.left, plot.y(0.0)), (plot.right(), plot.y(0.0))], axis_line(plot));
    }
    let room = (plot.left - letters * 0.5 - title_room(figure, plot)) / letters;
    for tick in &plot.y_words {
        let y = plot.y(tick.at);
        if !figure.y.is_categories() {
            drawing.line(vec![(plot.left - letters * 0.3, y), (plot.left, y)], axis_line(plot));
        }
        let label = text::shortened(&tick.label, room);
        drawing.word(word(&label, (plot.left - letters * 0.5, y + letters * 0.35), Anchor::End, letters).muted());
    }
    if let Some(right) = &plot.right_axis {
        let x = plot.right();
        drawing.line(vec![(x, plot.top), (x, bottom)], axis_line(plot));
        for tick in &right.words {
            let y = plot.y_on(right, tick.at);
            drawing.line(vec![(x, y), (x + letters * 0.3, y)], axis_line(plot));
            drawing.word(word(&tick.label, (x + letters * 0.5, y + letters * 0.35), Anchor::Start, letters).muted());
        }
    }
    draw_beside(figure, plot, drawing);
    let mut below = bottom + letters * 0.35;
    if frame::has_counts(figure) {
        draw_counts(figure, plot, below + letters * 0.85, drawing);
        below += letters * 1.2;
    }
    for (at, lines) in &plot.x_words {
        let x = plot.x(*at);
        if !figure.x.is_categories() {
            drawing.line(vec![(x, bottom), (x, bottom + letters * 0.3)], axis_line(plot));
        }
        for (index, line) in lines.iter().enumerate() {
            let half = text::width(line) * letters / 2.0;
            let middle = x.min(drawing.size.width - half).max(half);
            drawing.word(word(line, (middle, below + letters * (0.95 + index as f64 * 1.1)), Anchor::Middle, letters).muted());
        }
    }
    let words = if figure.x.names().len() > 1 { 2.55 } else { 1.45 };
    below += letters * words;
    draw_titles(figure, plot, &mut below, drawing);
    draw_risk(figure, plot, below, drawing);
}

fn title_room(figure: &Figure, plot: &Plot) -> f64 {
    if figure.y.title.is_empty() { 0.0 } else { plot.letters * 1.5 }
}

fn draw_titles(figure: &Figure, plot: &Plot, below: &mut f64, drawing: &mut Drawing) {
    let letters = plot.letters;
    if !figure.x.title.is_empty() {
        let title = text::shortened(&figure.x.title, drawing.size.width / letters);
        let half = text::width(&title) * letters / 2.0;
        let middle = (plot.left + plot.width / 2.0).min(drawing.size.width - half).max(half);
        drawing.word(word(&title, (middle, *below + letters), Anchor::Middle, letters).muted());
        *below += letters * 1.5;
    }
    if !figure.y.title.is_empty() {
        let title = text::shortened(&figure.y.title, (plot.height + plot.top).max(letters) / letters);
        let half = text::width(&title) * letters / 2.0;
        let middle = (plot.top + plot.height / 2.0).max(half);
        let mut turned = word(&title, (letters, middle), Anchor::Middle, letters).muted();
        turned.is_turned = true;
        drawing.word(turned);
    }
}

/// What stands at the far end of the categories of y.
fn draw_beside(figure: &Figure, plot: &Plot, drawing: &mut Drawing) {
    let letters = plot.letters;
    let room = (drawing.size.width - plot.right() - letters * 0.8) / letters;
    for (place, words) in figure.y.beside().iter().enumerate() {
        let y = plot.y(crate::Axis::place_of(place));
        let words = text::shortened(words, room);
        drawing.word(word(&words, (plot.right() + letters * 0.8, y + letters * 0.35), Anchor::Start, letters));
    }
}

/// The n of each box, where they stand apart.
fn draw_counts(figure: &Figure, plot: &Plot, baseline: f64, drawing: &mut Drawing) {
    let letters = plot.letters;
    let slots = frame::shares(figure, |mark| matches!(mark, Mark::Boxes { .. }), 0.8);
    let mut counts: Vec<(f64, String)> = Vec::new();
    for mark in &figure.marks {
        let Mark::Boxes { series, boxes } = mark else { continue };
        let Some((_, shift, _)) = slots.iter().find(|(own, _, _)| own == series) else { continue };
        let prefix = if slots.len() == 1 { "n = " } else { "" };
        counts.extend(boxes.iter().map(|one| (plot.x(one.at + shift), format!("{prefix}{}", one.n))));
    }
    counts.sort_by(|left, right| left.0.total_cmp(&right.0));
    let centres: Vec<f64> = counts.iter().map(|(x, _)| *x).collect();
    let widths: Vec<f64> = counts.iter().map(|(_, text)| (text::width(text) + 0.5) * letters).collect();
    for place in apart(&centres, &widths) {
        drawing.word(word(&counts[place].1, (centres[place], baseline), Anchor::Middle, letters).muted());
    }
    if slots.len() > 1 {
        drawing.word(word("n", (plot.left - letters * 0.5, baseline), Anchor::End, letters).muted());
    }
}

/// Under each word of x how many were still at risk then.
fn draw_risk(figure: &Figure, plot: &Plot, below: f64, drawing: &mut Drawing) {
    let Some(table) = &figure.at_risk else { return };
    let letters = plot.letters;
    drawing.word(word(&table.title, (0.0, below + letters * 1.1), Anchor::Start, letters).muted());
    let places: Vec<f64> = plot.x_words.iter().map(|(at, _)| *at).collect();
    let centres: Vec<f64> = places.iter().map(|at| plot.x(*at)).collect();
    let numbers: Vec<Vec<String>> = table.rows.iter().map(|row| places.iter().map(|at| row.at(*at).to_string()).collect()).collect();
    let widest = |place: usize| numbers.iter().map(|row| text::width(&row[place])).fold(0.0, f64::max);
    let widths: Vec<f64> = (0..places.len()).map(|place| (widest(place) + 0.5) * letters).collect();
    let chosen = apart(&centres, &widths);
    for (index, (row, numbers)) in table.rows.iter().zip(&numbers).enumerate() {
        let baseline = below + letters * (1.1 + (index as f64 + 1.0) * 1.4);
        let series = &figure.series[row.series];
        let first = centres.first().map_or(0.0, |centre| centre - widths[0] / 2.0);
        let name = text::shortened(row.name(figure), (first / letters).max(1.0));
        let mut named = word(&name, (0.0, baseline), Anchor::Start, letters);
        if row.name.is_none() {
            named.color = series.color.unwrap_or(color(row.series));
        }
        drawing.word(named);
        for place in &chosen {
            drawing.word(word(&numbers[*place], (centres[*place], baseline), Anchor::Middle, letters));
        }
    }
}
