//! Charts under the table: shapes and words of a drawing become operators, the report's own font writes every word.
use std::io;

use report_chart::drawing::{Anchor, Path, Place, Shape, Word};
use report_chart::palette::on_white;
use report_chart::{Drawing, Size, draw as lay_out, layout::height_for, table};

use super::content::{Color, TextStyle, Unit, points, push_color, push_numbers, push_text, scaled};
use super::font::{Fonts, Weight};
use super::look;
use super::paper::Paper;
use crate::render::chart::Picture;
use crate::render::clean::legible;

const TITLE: TextStyle = TextStyle { weight: Weight::Bold, size: 10.0, color: look::INK };
const REFUSAL: TextStyle = TextStyle { weight: Weight::Regular, size: 9.0, color: look::WARNING };
/// What words along the axes take of the height that a template asks for, in points.
const WORDS: f64 = 28.0;
/// Title and air above a chart.
const HEAD: Unit = 2600;

/// Draws the chart at the present place, on a new page when it does not fit.
pub fn draw(paper: &mut Paper, picture: &Picture) -> io::Result<()> {
    if !picture.is_shown() {
        return Ok(());
    }
    let refuse = |paper: &mut Paper, text: &str| {
        paper.y += 1400;
        paper.paragraph(REFUSAL, text, 1200)
    };
    if let Some(refusal) = picture.refusal() {
        return refuse(paper, &refusal);
    }
    let mut figure = picture.figure.clone();
    let title = std::mem::take(&mut figure.title);
    let letters = Size::paper(0.0, 0.0).letters;
    let width = f64::from(paper.inner_width()) / 100.0;
    let plot = f64::from(picture.height) - WORDS;
    let height = points(height_for(&figure, width, letters, plot) as f32).min(paper.whole_room() - HEAD);
    let drawing = match lay_out(&figure, Size::paper(width, f64::from(height) / 100.0)) {
        Ok(drawing) => drawing,
        Err(fault) => return refuse(paper, &format!("Grafikon „{title}“ nije nacrtan: {fault}.")),
    };
    if paper.room() < HEAD + height {
        paper.turn()?;
    }
    paper.y += 1400;
    paper.paragraph(TITLE, &title, 1200)?;
    paper.y += 300;
    let operators = operators(&drawing, &mut paper.fonts);
    paper.figure(&operators, &table::description(&picture.figure))?;
    paper.y += height;
    Ok(())
}

fn operators(drawing: &Drawing, fonts: &mut Fonts) -> Vec<u8> {
    let mut out = b"1 j 1 J\n".to_vec();
    for item in &drawing.items {
        match &item.shape {
            Shape::Path(path) => push_path(&mut out, path),
            Shape::Word(word) => push_word(&mut out, fonts, word),
        }
    }
    out
}

fn push_path(out: &mut Vec<u8>, path: &Path) {
    // An archivable file holds no transparency.
    let fill = path.fill.map(|fill| on_white(fill.color, fill.opacity));
    if let Some(color) = fill {
        push_color(out, Color::of(color), b"rg");
    }
    if let Some(stroke) = path.stroke {
        push_color(out, Color::of(stroke.color), b"RG");
        push_lengths(out, &[stroke.width]);
        out.extend_from_slice(b"w [");
        push_lengths(out, &stroke.dash.iter().map(|length| length * stroke.width).collect::<Vec<_>>());
        // Round ends would fill the gaps of a dash.
        out.extend_from_slice(if stroke.dash.is_empty() { b"]0 d 1 J\n" } else { b"]0 d 0 J\n" });
    }
    for line in &path.lines {
        for (index, (x, y)) in line.iter().enumerate() {
            push_lengths(out, &[*x, *y]);
            out.extend_from_slice(if index == 0 { b"m\n" } else { b"l\n" });
        }
        if path.is_closed {
            out.extend_from_slice(b"h\n");
        }
    }
    out.extend_from_slice(match (fill, path.stroke) {
        (Some(_), Some(_)) => b"B\n",
        (Some(_), None) => b"f\n",
        (None, Some(_)) => b"S\n",
        (None, None) => b"n\n",
    });
}

fn push_lengths(out: &mut Vec<u8>, lengths: &[f64]) {
    for length in lengths {
        push_numbers(out, &[points(*length as f32)]);
    }
}

fn push_word(out: &mut Vec<u8>, fonts: &mut Fonts, word: &Word) {
    let text = legible(&word.text).replace('\n', " ");
    let weight = if word.is_bold { Weight::Bold } else { Weight::Regular };
    let style = TextStyle { weight, size: word.size as f32, color: Color::of(word.color) };
    let wide = f64::from(scaled(fonts.width(weight, &text), style.size)) / 100.0;
    let along = match word.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => -wide / 2.0,
        Anchor::End => -wide,
    };
    let (x, y): Place = word.at;
    // The letters stand upright in a picture whose y axis runs down.
    let matrix = match word.is_turned {
        true => format!("0 -1 -1 0 {x:.2} {:.2}", y - along),
        false => format!("1 0 0 -1 {:.2} {y:.2}", x + along),
    };
    push_text(out, fonts, style, &matrix, &text);
}
