//! Where everything of a figure lies: the frame, the axes with their words, the marks. What a painter gets is finished.
mod axes;
mod bars;
mod frame;
mod legend;
mod marks;
mod pie;
mod references;
mod spots;
mod thinning;

use frame::Plot;
pub use marks::told;
pub use spots::{MOST_SPOTS, Spot, left_of_plot, spots};

use crate::drawing::{Anchor, Drawing, Size, Word};
use crate::figure::{Fault, Figure, Mark};
use crate::palette::{INK, MUTED};
use crate::text;

/// What stands in the place of a chart without values.
pub const NOTHING: &str = "Nema podataka za grafikon.";

/// The figure as shapes at their places; its title, legend, notes and numbers at risk are within the size.
pub fn draw(figure: &Figure, size: Size) -> Result<Drawing, Fault> {
    figure.check()?;
    let is_sane = |length: f64| length.is_finite() && length > 0.0 && length < 1e6;
    if !is_sane(size.width) || !is_sane(size.height) || !is_sane(size.letters) || size.width < size.letters * 10.0 {
        return Err(Fault::TooSmall);
    }
    let mut drawing = Drawing { size, items: Vec::new() };
    let mut top = write_title(figure, &mut drawing);
    if !figure.has_values() {
        let middle = (size.width / 2.0, (top + size.height) / 2.0);
        drawing.word(word(NOTHING, middle, Anchor::Middle, size.letters).muted());
        return Ok(drawing);
    }
    let bottom = size.height - write_notes(figure, &mut drawing);
    if let Some(slices) = figure.pie() {
        pie::draw(slices, top, bottom, &mut drawing);
        return Ok(drawing);
    }
    let is_direct = legend::is_direct(figure, size);
    if !is_direct {
        top += legend::draw(figure, top, &mut drawing);
    }
    let plot = Plot::within(figure, size, top, bottom, is_direct)?;
    let budget = thinning::Budget::of(figure, &plot);
    references::ranges(figure, &plot, &mut drawing);
    marks::areas(figure, &plot, &budget, &mut drawing);
    axes::grid(figure, &plot, &mut drawing);
    marks::shapes(figure, &plot, &budget, &mut drawing);
    references::lines(figure, &plot, &mut drawing);
    axes::draw(figure, &plot, &mut drawing);
    if is_direct {
        legend::direct(figure, &plot, &mut drawing);
    }
    Ok(drawing)
}

/// The least height at which the plot itself is as high as `plot`: what title, legend, words, numbers at risk and notes take beside it.
pub fn height_for(figure: &Figure, width: f64, letters: f64, plot: f64) -> f64 {
    let size = Size { width, height: 1.0, letters };
    let mut sheet = Drawing { size, items: Vec::new() };
    let title = write_title(figure, &mut sheet);
    let notes = write_notes(figure, &mut sheet);
    if let Some(slices) = figure.pie() {
        return title + notes + plot.max(pie::least_height(slices.len(), letters));
    }
    let legend = if legend::is_direct(figure, size) { 0.0 } else { legend::draw(figure, title, &mut sheet) };
    title + legend + frame::above(letters) + plot + frame::below(figure, letters) + notes
}

fn write_title(figure: &Figure, drawing: &mut Drawing) -> f64 {
    let letters = drawing.size.letters * 1.25;
    let lines = text::wrapped(&figure.title, drawing.size.width / letters / 1.13);
    for (index, line) in lines.iter().enumerate() {
        let mut title = word(line, (0.0, letters * (index as f64 * 1.3 + 1.0)), Anchor::Start, letters);
        title.is_bold = true;
        drawing.word(title);
    }
    if lines.is_empty() { 0.0 } else { letters * (lines.len() as f64 * 1.3 + 0.3) }
}

/// At the foot; returns the height that they take.
fn write_notes(figure: &Figure, drawing: &mut Drawing) -> f64 {
    let Size { width, height, letters } = drawing.size;
    let lines: Vec<String> = figure.notes.iter().flat_map(|note| text::wrapped(note, width / letters)).collect();
    let leading = letters * 1.35;
    let taken = if lines.is_empty() { 0.0 } else { lines.len() as f64 * leading + letters * 0.5 };
    for (index, line) in lines.iter().enumerate() {
        let baseline = height - taken + letters * 0.5 + (index as f64 + 0.8) * leading;
        drawing.word(word(line, (0.0, baseline), Anchor::Start, letters).muted());
    }
    taken
}

fn word(text: &str, at: (f64, f64), anchor: Anchor, size: f64) -> Word {
    Word { text: text.to_owned(), at, anchor, size, color: INK, is_bold: false, is_turned: false }
}

impl Word {
    fn muted(self) -> Self {
        Word { color: MUTED, ..self }
    }
}

/// Series that have a mark of the kind, in their order.
fn series_of(figure: &Figure, is_of: impl Fn(&Mark) -> bool) -> Vec<usize> {
    let mut found: Vec<usize> = figure.marks.iter().filter(|mark| is_of(mark)).filter_map(Mark::series).collect();
    found.sort_unstable();
    found.dedup();
    found
}
