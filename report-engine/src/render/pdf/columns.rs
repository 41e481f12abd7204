//! Where the columns of a table stand: declared widths are shares of the line, and no head word or date is squeezed.
use std::ops::Range;

use super::content::Unit;
use super::font::{Fonts, Weight};
use super::paper::Paper;
use crate::plan::{Align, CellFormat, Column, Value, show};
use crate::render::clean::legible;

/// A column on the page.
pub struct Place {
    pub x: Unit,
    pub width: Unit,
    /// The room of a text in it, in thousandths of the text size.
    pub limit: u32,
    pub align: Align,
    pub format: Option<CellFormat>,
    pub head: String,
    pub head_lines: Vec<Range<usize>>,
}

/// Distances that follow from the size of the text.
#[derive(Clone, Copy)]
pub struct Measures {
    pub size: f32,
    pub leading: Unit,
    pub pad_x: Unit,
    pub pad_y: Unit,
    /// From the top of a line to its baseline.
    pub baseline: Unit,
}

impl Measures {
    pub fn of(size: f32) -> Self {
        let share = |part: f32| (size * part * 100.0).round() as Unit;
        Measures { size, leading: share(1.28), pad_x: share(0.45), pad_y: share(0.3), baseline: share(1.0) }
    }

    /// The room of a text within `width`, in thousandths of its size.
    pub fn limit(&self, width: Unit) -> u32 {
        ((width - 2 * self.pad_x).max(1) as f32 * 10.0 / self.size) as u32
    }
}

/// Lays the columns out; `sample` is the first row, which settles what the template left open.
pub fn lay_out(columns: &[Column], sample: &[&Value], measures: Measures, paper: &mut Paper) -> Vec<Place> {
    let widths = share_out(columns, sample, measures, paper);
    let mut x = paper.left();
    let mut places = Vec::with_capacity(columns.len());
    for ((column, width), value) in columns.iter().zip(widths).zip(sample) {
        let head = legible(&column.head).into_owned();
        let mut head_lines = Vec::new();
        let limit = measures.limit(width);
        paper.fonts.wrap(Weight::Bold, &head, limit, &mut head_lines);
        let align = column.align.unwrap_or_else(|| column.natural_align(value));
        places.push(Place { x, width, limit, align, format: column.format.clone(), head, head_lines });
        x += width;
    }
    places
}

/// What is said above a table whose columns are too many for the page; none where three digits find room in each.
pub fn told_of_narrow(places: &[Place], paper: &mut Paper) -> Option<String> {
    let least = paper.fonts.width(Weight::Regular, "000");
    places.iter().any(|place| place.limit < least).then(|| {
        format!(
            "Ova tabela ima {} kolona, više nego što na stranicu čitljivo staje: reči i brojevi su prelomljeni. Za čitanje izaberite XLSX ili CSV, \
             ili u šablonu veću ili položenu stranicu.",
            places.len()
        )
    })
}

/// Widths that fill the line: shares as declared, but none below what its words need while others have room.
fn share_out(columns: &[Column], sample: &[&Value], measures: Measures, paper: &mut Paper) -> Vec<Unit> {
    let line = paper.inner_width();
    let shares: Vec<f32> = columns.iter().zip(sample).map(|(column, value)| column.width.unwrap_or_else(|| natural_share(value))).collect();
    let needed: Vec<Unit> = columns.iter().zip(sample).map(|(column, value)| least_width(column, value, measures, paper)).collect();
    let all_needed: Unit = needed.iter().sum();
    if all_needed >= line {
        // Too many columns for their words: the words are broken, evenly.
        return fill_line(needed.iter().map(|width| i64::from(*width) * i64::from(line) / i64::from(all_needed)), line);
    }
    let mut is_fixed = vec![false; columns.len()];
    loop {
        let taken: Unit = needed.iter().zip(&is_fixed).filter(|(_, fixed)| **fixed).map(|(width, _)| *width).sum();
        let free: f32 = shares.iter().zip(&is_fixed).filter(|(_, fixed)| !**fixed).map(|(share, _)| *share).sum();
        let width = |index: usize| {
            if is_fixed[index] { needed[index] } else { (shares[index] / free * (line - taken) as f32) as Unit }
        };
        let widths: Vec<Unit> = (0..columns.len()).map(width).collect();
        let short: Vec<usize> = (0..columns.len()).filter(|index| !is_fixed[*index] && widths[*index] < needed[*index]).collect();
        if short.is_empty() {
            return fill_line(widths.into_iter().map(i64::from), line);
        }
        short.into_iter().for_each(|index| is_fixed[index] = true);
    }
}

/// Gives what rounding left over to the last column.
fn fill_line(widths: impl Iterator<Item = i64>, line: Unit) -> Vec<Unit> {
    let mut widths: Vec<Unit> = widths.map(|width| width as Unit).collect();
    let rest = line - widths.iter().sum::<Unit>();
    if let Some(last) = widths.last_mut() {
        *last += rest;
    }
    widths
}

fn natural_share(value: &Value) -> f32 {
    match value {
        Value::Text(text) => (text.chars().count() as f32 * 4.0).clamp(50.0, 150.0),
        Value::Date(_) | Value::DateTime(_) => 60.0,
        _ => 50.0,
    }
}

/// The width below which a head word, a date or a number of the sample would have to be broken.
fn least_width(column: &Column, value: &Value, measures: Measures, paper: &mut Paper) -> Unit {
    let head = paper.longest_word(Weight::Bold, measures.size, &column.head);
    let cell = match value {
        Value::Text(_) | Value::Null => 0,
        _ => text_width(&mut paper.fonts, measures.size, &show(value, column.format.as_ref())),
    };
    // A word of a head longer than this is broken rather than given half the page.
    let cap = paper.inner_width() / 4;
    head.max(cell).min(cap) + 2 * measures.pad_x + 50
}

fn text_width(fonts: &mut Fonts, size: f32, text: &str) -> Unit {
    super::content::scaled(fonts.width(Weight::Regular, text), size)
}
