//! The marks of a figure at their places: areas, lines and points here, bars and boxes beside.
use super::bars;
use super::frame::Plot;
use super::legend::color_of;
use super::thinning::{Budget, MOST_MARKERS};
use super::word;
use crate::axis::Axis;
use crate::drawing::{Anchor, Datum, Drawing, Fill, Path, Place, Stroke, corners};
use crate::figure::{Direction, Figure, Interval, Mark, Point, Stretch, in_order};
use crate::palette::{Rgb, WHITE, dash, marker};
use crate::text;

/// Bands, below all lines; their edges are drawn after all of them, so that one does not hide another.
pub fn areas(figure: &Figure, plot: &Plot, budget: &Budget, drawing: &mut Drawing) {
    let bands = figure.marks.iter().filter_map(|mark| match mark {
        Mark::Band { series, bounds, stepped } if !bounds.is_empty() => Some((*series, bounds, *stepped)),
        _ => None,
    });
    let mut edges = Vec::new();
    for (series, bounds, is_stepped) in bands {
        let thinned = budget.band(plot, bounds);
        let side = |value: fn(&Interval) -> f64| {
            let points: Vec<Point> = thinned.iter().map(|one| Point::new(one.at, value(one))).collect();
            if is_stepped { stairs(plot, &points) } else { points.iter().map(|point| plot.place(*point)).collect() }
        };
        let (low, high): (Vec<Place>, Vec<Place>) = (side(|one| one.low), side(|one| one.high));
        let color = color_of(figure, series);
        let outline: Vec<Place> = low.iter().copied().chain(high.iter().rev().copied()).collect();
        let path = Path { lines: vec![outline], is_closed: true, fill: Some(Fill { color, opacity: 0.16 }), stroke: None };
        let values = bounds.iter().map(|one| format!("{},{},{}", one.at, one.low, one.high));
        drawing.path(path, Some(datum(figure, budget, "band", series, values)));
        edges.push((vec![low, high], color));
    }
    for (lines, color) in edges {
        let stroke = Some(Stroke { color: crate::palette::on_white(color, 0.55), width: plot.letters * 0.05, dash: &[] });
        drawing.path(Path { lines, stroke, ..Path::default() }, None);
    }
}

/// Everything else, bars below lines and lines below points.
pub fn shapes(figure: &Figure, plot: &Plot, budget: &Budget, drawing: &mut Drawing) {
    bars::draw(figure, plot, budget, drawing);
    for mark in &figure.marks {
        match mark {
            Mark::Line { series, points, dots } => line(figure, plot, budget, (*series, points), *dots, drawing),
            Mark::Steps { series, points } => {
                let places = stairs(plot, &budget.line(plot, points));
                draw_line(figure, plot, budget, "step", (*series, points), places, drawing);
            }
            Mark::Stretches { series, stretches: all } => stretches(figure, plot, *series, all, drawing),
            Mark::ErrorBars { series, along, bars } => error_bars(figure, plot, budget, *series, *along, bars, drawing),
            _ => {}
        }
    }
    for mark in &figure.marks {
        match mark {
            Mark::Points { series, points } => scatter(figure, plot, budget, "point", *series, points, drawing),
            Mark::Censored { series, points } => censored(figure, plot, budget, *series, points, drawing),
            Mark::Rings { series, points, is_dashed } => rings(figure, plot, *series, points, *is_dashed, drawing),
            _ => {}
        }
    }
}

fn line(figure: &Figure, plot: &Plot, budget: &Budget, (series, points): (usize, &[Point]), dots: bool, drawing: &mut Drawing) {
    let kept = budget.line(plot, points);
    let at = |point: &Point| plot.place_of(series, *point);
    let places: Vec<Place> = kept.iter().map(at).collect();
    let all: usize = figure.marks.iter().map(|mark| if let Mark::Line { points, .. } = mark { points.len() } else { 0 }).sum();
    // A line of one value is a dot, or nothing is seen of it.
    let has_markers = (dots && all <= MOST_MARKERS) || places.len() == 1;
    let markers: Vec<Place> = kept.iter().filter(|point| has_markers && !is_ringed(figure, series, point)).map(at).collect();
    draw_line(figure, plot, budget, "line", (series, points), places, drawing);
    let outlines = markers.into_iter().map(|place| marker(series, place, plot.letters * 0.28)).collect();
    drawing.path(filled(outlines, color_of(figure, series)), None);
}

fn is_ringed(figure: &Figure, series: usize, point: &Point) -> bool {
    figure.marks.iter().any(|mark| matches!(mark, Mark::Rings { series: own, points, .. } if *own == series && points.contains(point)))
}

/// Of the shape of the series' markers, with the ground seen through them.
fn rings(figure: &Figure, plot: &Plot, series: usize, points: &[Point], is_dashed: bool, drawing: &mut Drawing) {
    let lines = points.iter().map(|point| marker(series, plot.place_of(series, *point), plot.letters * 0.42)).collect();
    let dash: &[f64] = if is_dashed { &[1.6, 1.2] } else { &[] };
    let stroke = Some(Stroke { color: color_of(figure, series), width: plot.letters * 0.14, dash });
    drawing.path(Path { lines, is_closed: true, fill: Some(Fill { color: WHITE, opacity: 1.0 }), stroke }, None);
}

/// A box from where words begin to hold to where they cease, with as much of them as has room.
fn stretches(figure: &Figure, plot: &Plot, series: usize, all: &[Stretch], drawing: &mut Drawing) {
    let (letters, color) = (plot.letters, color_of(figure, series));
    let middle = plot.top + plot.height / 2.0;
    for Stretch { from, to, words } in all {
        let left = plot.x(*from);
        let right = to.map_or(plot.right(), |to| plot.x(to)).max(left + letters * 0.5);
        let outline = corners((left, middle - letters * 0.95), (right, middle + letters * 0.95));
        let stroke = Some(Stroke { color, width: letters * 0.09, dash: &[] });
        let until = to.map_or_else(String::new, |to| format!(" – {}", figure.x.told(to)));
        let values = vec![("from", from.to_string()), ("to", to.map_or_else(String::new, |to| to.to_string()))];
        let told = format!("{}, {}{until}: {words}", figure.series[series].name, figure.x.told(*from));
        let datum = Datum { kind: "stretch", series: figure.series[series].name.clone(), values, told };
        let fill = Some(Fill { color, opacity: 0.18 });
        drawing.path(Path { lines: vec![outline], is_closed: true, fill, stroke }, Some(datum));
        let told = text::shortened(words, (right - left) / letters - 0.8);
        drawing.word(word(&told, (left + letters * 0.4, middle + letters * 0.35), Anchor::Start, letters));
    }
}

fn draw_line(
    figure: &Figure,
    plot: &Plot,
    budget: &Budget,
    kind: &'static str,
    (series, points): (usize, &[Point]),
    places: Vec<Place>,
    drawing: &mut Drawing,
) {
    let stroke = Some(Stroke { color: color_of(figure, series), width: plot.letters * 0.18, dash: dash(series) });
    let sorted = in_order(points);
    let values = sorted.iter().map(|point| format!("{},{}", point.x, point.y));
    drawing.path(Path { lines: vec![places], stroke, ..Path::default() }, Some(datum(figure, budget, kind, series, values)));
}

/// Each value as far as the next one.
fn stairs(plot: &Plot, points: &[Point]) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::with_capacity(points.len() * 2);
    for point in points {
        let (x, y) = plot.place(*point);
        if let Some((_, before)) = places.last().copied().filter(|(_, before)| *before != y) {
            places.push((x, before));
        }
        places.push((x, y));
    }
    places
}

fn error_bars(figure: &Figure, plot: &Plot, budget: &Budget, series: usize, along: Direction, bars: &[Interval], drawing: &mut Drawing) {
    let cap = plot.letters * 0.3;
    let color = color_of(figure, series);
    let stroke = Some(Stroke { color, width: plot.letters * 0.13, dash: &[] });
    for chunk in chunks(budget, bars) {
        let lines = chunk.iter().flat_map(|one| match along {
            Direction::Y => {
                let (x, low, high) = (plot.x(one.at), plot.y(one.low), plot.y(one.high));
                [vec![(x, low), (x, high)], vec![(x - cap, low), (x + cap, low)], vec![(x - cap, high), (x + cap, high)]]
            }
            Direction::X => {
                let (y, low, high) = (plot.y(one.at), plot.x(one.low), plot.x(one.high));
                [vec![(low, y), (high, y)], vec![(low, y - cap), (low, y + cap)], vec![(high, y - cap), (high, y + cap)]]
            }
        });
        let values = chunk.iter().map(|one| format!("{},{},{}", one.at, one.low, one.high));
        let mut datum = datum(figure, budget, "error", series, values);
        if let [one] = chunk {
            let (place, range) = if along == Direction::Y { (&figure.x, &figure.y) } else { (&figure.y, &figure.x) };
            datum.told = format!("{}: {} – {}", place.told(one.at), range.told(one.low), range.told(one.high));
        }
        drawing.path(Path { lines: lines.collect(), stroke, ..Path::default() }, Some(datum));
    }
}

fn scatter(figure: &Figure, plot: &Plot, budget: &Budget, kind: &'static str, series: usize, points: &[Point], drawing: &mut Drawing) {
    let places: Vec<Place> = points.iter().map(|point| plot.place(*point)).collect();
    let kept = budget.points(&places);
    let outline = |index: &usize| {
        let (x, y) = places[*index];
        let half = plot.letters * 0.09;
        if kept.len() > MOST_MARKERS {
            corners((x - half, y - half), (x + half, y + half))
        } else {
            marker(series, (x, y), plot.letters * 0.32)
        }
    };
    for chunk in chunks(budget, &kept) {
        let values = chunk.iter().map(|index| format!("{},{}", points[*index].x, points[*index].y));
        let mut datum = datum(figure, budget, kind, series, values);
        if let [index] = chunk {
            datum.told = told(figure, series, &points[*index]);
        }
        drawing.path(filled(chunk.iter().map(outline).collect(), color_of(figure, series)), Some(datum));
    }
}

fn censored(figure: &Figure, plot: &Plot, budget: &Budget, series: usize, points: &[Point], drawing: &mut Drawing) {
    let places: Vec<Place> = points.iter().map(|point| plot.place(*point)).collect();
    let half = plot.letters * 0.42;
    let kept = budget.points(&places);
    let lines = kept.iter().map(|index| vec![(places[*index].0, places[*index].1 - half), (places[*index].0, places[*index].1 + half)]);
    let stroke = Some(Stroke { color: color_of(figure, series), width: plot.letters * 0.1, dash: &[] });
    let values = points.iter().map(|point| format!("{},{}", point.x, point.y));
    drawing.path(Path { lines: lines.collect(), stroke, ..Path::default() }, Some(datum(figure, budget, "censored", series, values)));
}

/// One by one where they are few, so that each tells its own value; else all together.
pub fn chunks<'a, T>(budget: &Budget, all: &'a [T]) -> impl Iterator<Item = &'a [T]> {
    all.chunks(if budget.values <= MOST_MARKERS { 1 } else { all.len().max(1) })
}

pub fn filled(lines: Vec<Vec<Place>>, color: Rgb) -> Path {
    Path { lines, is_closed: true, fill: Some(Fill { color, opacity: 1.0 }), stroke: None }
}

pub fn datum(figure: &Figure, budget: &Budget, kind: &'static str, series: usize, values: impl Iterator<Item = String>) -> Datum {
    let series = figure.series[series].name.clone();
    let values = if budget.tells_values { vec![("values", values.collect::<Vec<_>>().join(" "))] } else { Vec::new() };
    Datum { kind, told: series.clone(), series, values }
}

/// The words of a value: as its spot and its mark have them, in every size.
pub fn told(figure: &Figure, series: usize, point: &Point) -> String {
    let series = &figure.series[series].name;
    let of = |axis: &Axis, value: f64| axis.told(value);
    match series.as_str() {
        "" => format!("{}: {}", of(&figure.x, point.x), of(&figure.y, point.y)),
        series => format!("{series}, {}: {}", of(&figure.x, point.x), of(&figure.y, point.y)),
    }
}
