//! A drawing as SVG: for the screen, for print and for a paper. Each mark carries its values (`data-kind`, `data-series`, `data-values` or
//! `data-x` and `data-y`), so that a program reads the chart as data; texts are escaped.
use std::fmt::Write as _;

use crate::drawing::{Anchor, Datum, Drawing, Item, Path, Place, Shape, Size, Word};
use crate::figure::{Fault, Figure};
use crate::layout::draw;
use crate::palette::{HAIRLINE, INK, MUTED, Rgb};
use crate::table;

/// Draws a figure as SVG, with its description for who does not see it.
pub fn to_svg(figure: &Figure, size: Size) -> Result<String, Fault> {
    Ok(write(&draw(figure, size)?, &figure.title, &table::description(figure)))
}

fn write(drawing: &Drawing, title: &str, description: &str) -> String {
    let Size { width, height, .. } = drawing.size;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
         font-family=\"'DejaVu Sans',Verdana,Arial,sans-serif\" stroke-linejoin=\"round\"><title>{}</title><desc>{}</desc>",
        escaped(title),
        escaped(description)
    );
    for item in &drawing.items {
        push_item(&mut out, item);
    }
    out.push_str("</svg>\n");
    out
}

fn push_item(out: &mut String, item: &Item) {
    match &item.shape {
        Shape::Path(path) => push_path(out, path, item.datum.as_ref()),
        Shape::Word(word) => push_word(out, word),
    }
}

fn push_path(out: &mut String, path: &Path, datum: Option<&Datum>) {
    out.push_str("<path d=\"");
    out.push_str(&path_data(path));
    out.push('"');
    match path.fill {
        Some(fill) => {
            let _ = write!(out, " fill=\"{}\"", hex(fill.color));
            if fill.opacity < 1.0 {
                let _ = write!(out, " fill-opacity=\"{}\"", fill.opacity);
            }
        }
        None => out.push_str(" fill=\"none\""),
    }
    if let Some(stroke) = path.stroke {
        let _ = write!(out, " stroke=\"{}\" stroke-width=\"{}\"", hex(stroke.color), tenth(stroke.width));
        if !stroke.dash.is_empty() {
            let dash: Vec<String> = stroke.dash.iter().map(|length| tenth(length * stroke.width)).collect();
            let _ = write!(out, " stroke-dasharray=\"{}\"", dash.join(" "));
        }
        push_role(out, stroke.color);
    }
    let Some(datum) = datum else { return out.push_str("/>") };
    let _ = write!(out, " data-kind=\"{}\"", datum.kind);
    if !datum.series.is_empty() {
        let _ = write!(out, " data-series=\"{}\"", escaped(&datum.series));
    }
    for (name, value) in &datum.values {
        let _ = write!(out, " data-{name}=\"{}\"", escaped(value));
    }
    match datum.told.as_str() {
        "" => out.push_str("/>"),
        told => {
            let _ = write!(out, "><title>{}</title></path>", escaped(told));
        }
    }
}

/// The lines of a path as the attribute `d` has them.
pub fn path_data(path: &Path) -> String {
    let mut out = String::new();
    for line in &path.lines {
        push_line(&mut out, line, path.is_closed);
    }
    out
}

/// Steps from place to place in tenths, each from where the one before ended when rounded, so that nothing adds up.
fn push_line(out: &mut String, line: &[Place], is_closed: bool) {
    let rounded = |(x, y): Place| ((x * 10.0).round() as i64, (y * 10.0).round() as i64);
    let Some((first, rest)) = line.split_first() else { return };
    let mut before = rounded(*first);
    let _ = write!(out, "M{}", pair(before));
    if rest.is_empty() {
        out.push_str("h0");
    }
    for place in rest {
        let place = rounded(*place);
        let step = (place.0 - before.0, place.1 - before.1);
        let _ = match step {
            (0, 0) => continue,
            (across, 0) => write!(out, "h{}", decimal(across)),
            (0, down) => write!(out, "v{}", decimal(down)),
            step => write!(out, "l{}", pair(step)),
        };
        before = place;
    }
    if is_closed {
        out.push('z');
    }
}

fn pair((x, y): (i64, i64)) -> String {
    let second = decimal(y);
    let between = if second.starts_with('-') { "" } else { " " };
    format!("{}{between}{second}", decimal(x))
}

/// Tenths as a number.
fn decimal(tenths: i64) -> String {
    let sign = if tenths < 0 { "-" } else { "" };
    match (tenths.unsigned_abs() / 10, tenths.unsigned_abs() % 10) {
        (whole, 0) => format!("{sign}{whole}"),
        (0, part) => format!("{sign}.{part}"),
        (whole, part) => format!("{sign}{whole}.{part}"),
    }
}

fn tenth(length: f64) -> String {
    format!("{}", (length * 100.0).round() / 100.0)
}

fn push_word(out: &mut String, word: &Word) {
    let (x, y) = (tenth(word.at.0), tenth(word.at.1));
    let _ = write!(out, "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\" fill=\"{}\"", tenth(word.size), hex(word.color));
    match word.anchor {
        Anchor::Start => {}
        Anchor::Middle => out.push_str(" text-anchor=\"middle\""),
        Anchor::End => out.push_str(" text-anchor=\"end\""),
    }
    if word.is_bold {
        out.push_str(" font-weight=\"bold\"");
    }
    if word.is_turned {
        let _ = write!(out, " transform=\"rotate(-90 {x} {y})\"");
    }
    push_role(out, word.color);
    let _ = write!(out, ">{}</text>", escaped(&word.text));
}

/// The colours that a dark screen replaces, by class.
fn push_role(out: &mut String, color: Rgb) {
    if let Some(role) = role(color) {
        let _ = write!(out, " class=\"chart-{role}\"");
    }
}

/// What a colour is for, where a dark screen has another one for it.
pub fn role(color: Rgb) -> Option<&'static str> {
    match color {
        INK => Some("ink"),
        MUTED => Some("muted"),
        HAIRLINE => Some("hairline"),
        _ => None,
    }
}

pub fn hex((red, green, blue): Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Without what XML has no place for.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' | '\r' => out.push(' '),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
            letter => out.push(letter),
        }
    }
    out
}
