//! A pie: its parts clockwise from the top, and beside it their names, numbers and shares, in the same order.
use std::f64::consts::TAU;
use std::io;

use plotters_backend::{BackendColor, DrawingBackend};

use super::canvas::{Canvas, tenths};
use super::chart::{LEGEND, TITLE, all_whole, serbian, told};
use super::content::{Color, TextStyle, Unit, points, push_text, scaled};
use super::font::Weight;
use super::paper::Paper;
use super::tags::Tag;
use crate::render::chart::{Picture, Slice};
use crate::render::clean::legible;

/// Corners of a whole circle.
const CORNERS: f64 = 240.0;
/// A part below this share has its number only beside the pie.
const LEAST_NUMBERED: f64 = 0.05;
const LEADING: Unit = 1400;
const NUMBER: TextStyle = TextStyle { weight: Weight::Bold, size: 7.5, color: Color(255, 255, 255) };

pub fn draw(paper: &mut Paper, picture: &Picture) -> io::Result<()> {
    let slices = picture.slices();
    let height = points(picture.height).max(slices.len() as Unit * LEADING + 800);
    if paper.room() < 2600 + height {
        paper.turn()?;
    }
    paper.y += 1400;
    paper.paragraph(TITLE, &picture.title, 1200)?;
    paper.y += 300;
    let diameter = height.min(paper.inner_width() / 2) - 800;
    let mut operators = Vec::new();
    draw_slices(paper, &slices, diameter, height, &mut operators)?;
    paper.figure(&operators, &told(picture))?;
    draw_legend(paper, &slices, diameter + 3000, height, if all_whole(picture) { 0 } else { 1 })?;
    paper.y += height;
    Ok(())
}

fn draw_slices(paper: &mut Paper, slices: &[Slice], diameter: Unit, height: Unit, operators: &mut Vec<u8>) -> io::Result<()> {
    let (radius, middle) = (f64::from(tenths(diameter)) / 2.0, (f64::from(tenths(diameter)) / 2.0 + 40.0, f64::from(tenths(height)) / 2.0));
    let size = (tenths(paper.inner_width()) as u32, tenths(height) as u32);
    let place = |share: f64, from: f64| (middle.0 + (share * TAU).sin() * from, middle.1 - (share * TAU).cos() * from);
    let rounded = |(x, y): (f64, f64)| (x.round() as i32, y.round() as i32);
    let mut canvas = Canvas { operators, fonts: &mut paper.fonts, size };
    let failed = |error: plotters_backend::DrawingErrorKind<std::convert::Infallible>| io::Error::other(error.to_string());
    let mut begin = 0.0;
    for slice in slices {
        let steps = (slice.share * CORNERS).ceil().max(1.0);
        let arc = (0..=steps as u32).map(|step| rounded(place(begin + slice.share * f64::from(step) / steps, radius)));
        let corners: Vec<_> = std::iter::once(rounded(middle)).chain(arc).collect();
        let (red, green, blue) = slice.color;
        canvas.fill_polygon(corners.iter().copied(), &BackendColor { alpha: 1.0, rgb: (red, green, blue) }).map_err(failed)?;
        begin += slice.share;
    }
    // White lines between the parts keep them apart where a printer knows no colours.
    begin = 0.0;
    for slice in slices.iter().filter(|_| slices.len() > 1) {
        let line = [rounded(middle), rounded(place(begin, radius))];
        canvas.draw_path(line, &White).map_err(failed)?;
        begin += slice.share;
    }
    begin = 0.0;
    for slice in slices {
        if slice.share >= LEAST_NUMBERED {
            let text = percent(slice.share);
            let wide = f64::from(scaled(paper.fonts.width(NUMBER.weight, &text), NUMBER.size)) / 100.0;
            let (x, y) = place(begin + slice.share / 2.0, radius * 0.66);
            let matrix = format!("1 0 0 -1 {:.2} {:.2}", x / 10.0 - wide / 2.0, y / 10.0 + f64::from(NUMBER.size) * 0.35);
            push_text(operators, &mut paper.fonts, NUMBER, &matrix, &text);
        }
        begin += slice.share;
    }
    Ok(())
}

/// Colour, name, number and share of each part.
fn draw_legend(paper: &mut Paper, slices: &[Slice], indent: Unit, height: Unit, decimals: u32) -> io::Result<()> {
    let left = paper.left() + indent;
    let mut y = paper.y + (height - slices.len() as Unit * LEADING) / 2 + 900;
    for slice in slices {
        paper.content.rect(left, y - 650, 700, 700, Color::of(slice.color));
        let told = format!(": {} ({})", serbian(slice.value, decimals), percent(slice.share));
        let room = paper.right() - left - 1100 - paper.width_of(LEGEND, &told);
        let name = paper.shortened(LEGEND, &legible(slice.label), room);
        paper.begin_piece(Tag::Paragraph)?;
        paper.content.text(&mut paper.fonts, LEGEND, left + 1100, y, &format!("{name}{told}"));
        paper.end_piece();
        y += LEADING;
    }
    Ok(())
}

fn percent(share: f64) -> String {
    format!("{}%", serbian(share * 100.0, 1))
}

struct White;

impl plotters_backend::BackendStyle for White {
    fn color(&self) -> BackendColor {
        BackendColor { alpha: 1.0, rgb: (255, 255, 255) }
    }

    fn stroke_width(&self) -> u32 {
        8
    }
}
