//! What tells series apart: colour, and without seeing colours the dash of a line, the shape of a marker and the hatching of a bar.

pub type Rgb = (u8, u8, u8);
/// Across and down.
pub type Place = (f64, f64);

pub const INK: Rgb = (33, 37, 41);
pub const MUTED: Rgb = (96, 106, 116);
pub const HAIRLINE: Rgb = (222, 227, 231);
pub const SHADE: Rgb = (150, 160, 168);
pub const WHITE: Rgb = (255, 255, 255);

/// Of the series by place. Any two stay apart for each kind of colour sight (`tests/drawing/colours.rs`), and each stands out from white.
pub const SERIES: [Rgb; 8] =
    [(27, 86, 122), (208, 106, 36), (0, 140, 110), (120, 40, 20), (120, 80, 200), (70, 150, 210), (60, 60, 60), (210, 90, 160)];

/// In widths of the line.
const DASHES: [&[f64]; 8] =
    [&[], &[6.0, 3.0], &[1.5, 2.0], &[8.0, 2.5, 1.5, 2.5], &[3.0, 1.5], &[10.0, 3.0], &[4.0, 2.0, 1.0, 2.0, 1.0, 2.0], &[1.0, 4.0]];

pub fn color(series: usize) -> Rgb {
    SERIES[series % SERIES.len()]
}

pub fn dash(series: usize) -> &'static [f64] {
    DASHES[series % DASHES.len()]
}

/// The outline of a marker around a place, of about the radius.
pub fn marker(series: usize, (x, y): Place, radius: f64) -> Vec<Place> {
    let at = |(dx, dy): &(f64, f64)| (x + dx * radius, y + dy * radius);
    match series % 8 {
        0 => ring(12).iter().map(at).collect(),
        1 => [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)].iter().map(at).collect(),
        2 => [(0.0, -1.15), (1.1, 0.85), (-1.1, 0.85)].iter().map(at).collect(),
        3 => [(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)].iter().map(at).collect(),
        4 => [(0.0, 1.15), (1.1, -0.85), (-1.1, -0.85)].iter().map(at).collect(),
        5 => ring(5).iter().map(at).collect(),
        6 => cross(0.0).iter().map(at).collect(),
        _ => cross(std::f64::consts::FRAC_PI_4).iter().map(at).collect(),
    }
}

fn ring(corners: usize) -> Vec<(f64, f64)> {
    let turn = std::f64::consts::TAU / corners as f64;
    (0..corners).map(|corner| ((turn * corner as f64).sin(), -(turn * corner as f64).cos())).collect()
}

/// A plus sign, turned.
fn cross(turn: f64) -> Vec<(f64, f64)> {
    let (thin, long) = (0.35, 1.2);
    let corners = [
        (-thin, -long),
        (thin, -long),
        (thin, -thin),
        (long, -thin),
        (long, thin),
        (thin, thin),
        (thin, long),
        (-thin, long),
        (-thin, thin),
        (-long, thin),
        (-long, -thin),
        (-thin, -thin),
    ];
    corners.iter().map(|(x, y)| (x * turn.cos() - y * turn.sin(), x * turn.sin() + y * turn.cos())).collect()
}

/// Lines over a box by which bars of a series are told from those of others; none for the first.
pub fn hatching(series: usize, (left, top): Place, (right, bottom): Place, gap: f64) -> Vec<Vec<Place>> {
    let (wide, high) = (right - left, bottom - top);
    let slanted = |rises: bool| -> Vec<Vec<Place>> {
        let count = ((wide + high) / gap).floor() as usize;
        let line = |index: usize| {
            // Where the line meets the left or the upper edge, and where it leaves by the lower or the right one.
            let reach = index as f64 * gap;
            let from = if reach <= high { (0.0, reach) } else { (reach - high, high) };
            let to = if reach <= wide { (reach, 0.0) } else { (wide, reach - wide) };
            let place = |(x, y): Place| if rises { (left + x, top + y) } else { (right - x, top + y) };
            vec![place(from), place(to)]
        };
        (1..=count).map(line).collect()
    };
    let flat = || -> Vec<Vec<Place>> {
        let count = (high / gap).floor() as usize;
        (1..=count).map(|index| bottom - index as f64 * gap).map(|y| vec![(left, y), (right, y)]).collect()
    };
    let upright = || -> Vec<Vec<Place>> {
        let count = (wide / gap).floor() as usize;
        (1..=count).map(|index| left + index as f64 * gap).map(|x| vec![(x, top), (x, bottom)]).collect()
    };
    match series % 8 {
        0 => Vec::new(),
        1 => slanted(true),
        2 => flat(),
        3 => slanted(false),
        4 => upright(),
        5 => [slanted(true), slanted(false)].concat(),
        6 => [flat(), upright()].concat(),
        _ => [flat(), slanted(true)].concat(),
    }
}

/// What is read on a ground of the colour.
pub fn ink_on(ground: Rgb) -> Rgb {
    if luminance(ground) > 0.30 { INK } else { WHITE }
}

/// From 0 of black to 1 of white, as contrast is reckoned.
pub fn luminance((red, green, blue): Rgb) -> f64 {
    let part = |byte: u8| {
        let share = f64::from(byte) / 255.0;
        if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue)
}

/// The colour as it looks on white paper.
pub fn on_white((red, green, blue): Rgb, opacity: f64) -> Rgb {
    let blend = |part: u8| (f64::from(part) * opacity + 255.0 * (1.0 - opacity)).round() as u8;
    (blend(red), blend(green), blend(blue))
}
