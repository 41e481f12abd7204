//! The names of the series: in rows above the plot, or each at the end of its line.
use super::frame::Plot;
use super::{series_of, word};
use crate::drawing::{Anchor, Drawing, Fill, Path, Size, Stroke, corners};
use crate::figure::{Figure, Legend, Mark, Point};
use crate::palette::{Rgb, WHITE, color, dash, hatching, marker};
use crate::text;

/// A chart narrower than this, in letters, has its names above.
const LEAST_DIRECT: f64 = 40.0;
const LEADING: f64 = 1.7;

pub fn color_of(figure: &Figure, series: usize) -> Rgb {
    figure.series[series].color.unwrap_or(color(series))
}

fn has_line(figure: &Figure, series: usize) -> bool {
    figure.marks.iter().any(|mark| matches!(mark, Mark::Line { .. } | Mark::Steps { .. }) && mark.series() == Some(series))
}

/// The name of a series, with the side on which it is read where there are two.
fn name_of(figure: &Figure, series: usize) -> String {
    let name = &figure.series[series].name;
    if figure.is_right(series) { format!("{name} (desna osa)") } else { name.clone() }
}

fn named(figure: &Figure) -> Vec<usize> {
    let shown = series_of(figure, |_| true);
    if shown.len() < 2 && figure.legend != Legend::Always { Vec::new() } else { shown }
}

/// Whether names stand at the ends of lines.
pub fn is_direct(figure: &Figure, size: Size) -> bool {
    let series = named(figure);
    figure.legend == Legend::Direct
        && size.width >= size.letters * LEAST_DIRECT
        && (1..=8).contains(&series.len())
        && series.iter().all(|series| has_line(figure, *series))
}

pub fn direct_room(figure: &Figure, size: Size) -> f64 {
    let widest = named(figure).iter().map(|series| text::width(&name_of(figure, *series)) * size.letters).fold(0.0, f64::max);
    widest.min(size.width * 0.25)
}

/// Draws rows of names from `top` on; returns the height that they take.
pub fn draw(figure: &Figure, top: f64, drawing: &mut Drawing) -> f64 {
    let letters = drawing.size.letters;
    if figure.legend == Legend::Hidden {
        return 0.0;
    }
    let (mut x, mut row) = (0.0, 0.0);
    let series = named(figure);
    for series in &series {
        let name = text::shortened(&name_of(figure, *series), drawing.size.width / letters - 4.0);
        let width = letters * (3.0 + text::width(&name) + 1.6);
        if x + width - letters * 1.6 > drawing.size.width && x > 0.0 {
            (x, row) = (0.0, row + 1.0);
        }
        let baseline = top + letters * (1.1 + row * LEADING);
        sample(figure, *series, (x, baseline - letters * 0.35), drawing);
        drawing.word(word(&name, (x + letters * 3.0, baseline), Anchor::Start, letters));
        x += width;
    }
    if series.is_empty() { 0.0 } else { letters * ((row + 1.0) * LEADING + 0.2) }
}

/// What a series looks like, in a field of two and a half letters.
fn sample(figure: &Figure, series: usize, (x, y): (f64, f64), drawing: &mut Drawing) {
    let letters = drawing.size.letters;
    let own = || figure.marks.iter().filter(move |mark| mark.series() == Some(series));
    let color = color_of(figure, series);
    let fill = Some(Fill { color, opacity: 1.0 });
    let right = x + letters * 2.5;
    if own().any(|mark| matches!(mark, Mark::Bars { .. } | Mark::Stacked { .. } | Mark::Histogram { .. } | Mark::Boxes { .. })) {
        let (from, to) = ((x + letters * 0.8, y - letters * 0.55), (right, y + letters * 0.55));
        drawing.path(Path { lines: vec![corners(from, to)], is_closed: true, fill, stroke: None }, None);
        let stroke = Some(Stroke { color: WHITE, width: letters * 0.1, dash: &[] });
        drawing.path(Path { lines: hatching(series, from, to, letters * 0.4), stroke, ..Path::default() }, None);
        return;
    }
    if has_line(figure, series) {
        drawing.line(vec![(x, y), (right, y)], Stroke { color, width: letters * 0.18, dash: dash(series) });
    }
    let has_markers = own().any(|mark| match mark {
        Mark::Points { .. } | Mark::ErrorBars { .. } => true,
        Mark::Line { dots, points, .. } => *dots || points.len() == 1,
        _ => false,
    });
    if has_markers {
        let outline = marker(series, (x + letters * 1.25, y), letters * 0.4);
        drawing.path(Path { lines: vec![outline], is_closed: true, fill, stroke: None }, None);
    }
}

/// Names at the last value of each line, moved apart where they would touch.
pub fn direct(figure: &Figure, plot: &Plot, drawing: &mut Drawing) {
    let letters = plot.letters;
    let mut names: Vec<(f64, usize)> =
        named(figure).into_iter().filter_map(|series| Some((plot.place_of(series, last_of(figure, series)?).1, series))).collect();
    names.sort_by(|left, right| left.0.total_cmp(&right.0));
    let leading = letters * 1.25;
    for place in 1..names.len() {
        names[place].0 = names[place].0.max(names[place - 1].0 + leading);
    }
    let over = names.last().map_or(0.0, |(y, _)| (y - plot.bottom()).max(0.0));
    let room = (drawing.size.width - plot.right() - letters * 0.6) / letters;
    for (y, series) in names {
        let mut name = word(
            &text::shortened(&name_of(figure, series), room),
            (plot.right() + letters * 0.6, y - over + letters * 0.35),
            Anchor::Start,
            letters,
        );
        name.color = color_of(figure, series);
        drawing.word(name);
    }
}

fn last_of(figure: &Figure, series: usize) -> Option<Point> {
    let points = figure.marks.iter().filter_map(|mark| match mark {
        Mark::Line { series: own, points, .. } | Mark::Steps { series: own, points } if *own == series => Some(points),
        _ => None,
    });
    points.flatten().copied().max_by(|left, right| left.x.total_cmp(&right.x))
}
