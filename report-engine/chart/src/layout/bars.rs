//! Bars side by side and on one another, bins of a histogram, and boxes.
use super::frame::{Plot, shares};
use super::legend::color_of;
use super::marks::{chunks, datum, filled, told};
use super::thinning::Budget;
use super::word;
use crate::drawing::{Anchor, Drawing, Fill, Path, Place, Stroke, Word, corners};
use crate::figure::{Bin, BoxPlot, Direction, Figure, Mark, Point};
use crate::palette::{INK, Rgb, WHITE, hatching, ink_on, marker, on_white};
use crate::text;

/// Beyond this many bars the numbers above them would run together.
const MOST_NUMBERED: usize = 24;
/// Beyond these a hatching is a grey field.
const MOST_HATCHED: usize = 60;

/// Beyond so many values outside of a box each is a bare square.
const MOST_RINGS: usize = 100;

pub fn draw(figure: &Figure, plot: &Plot, budget: &Budget, drawing: &mut Drawing) {
    beside(figure, plot, budget, drawing);
    stacked(figure, plot, budget, drawing);
    for mark in &figure.marks {
        if let Mark::Histogram { series, bins } = mark {
            histogram(figure, plot, budget, *series, bins, drawing);
        }
    }
    boxes(figure, plot, budget, drawing);
}

/// The bars of one category side by side, with their numbers above while there is room for them.
fn beside<'a>(figure: &'a Figure, plot: &Plot, budget: &Budget, drawing: &mut Drawing) {
    let slots = shares(figure, |mark| matches!(mark, Mark::Bars { .. }), 0.76);
    let own = |mark: &'a Mark| if let Mark::Bars { series, bars } = mark { Some((*series, bars.as_slice())) } else { None };
    let marks: Vec<(usize, &[Point])> = figure.marks.iter().filter_map(own).collect();
    let all = || marks.iter().flat_map(|(_, bars)| bars.iter());
    let count = all().count();
    let decimals = decimals(figure, all());
    let has_errors = figure.marks.iter().any(|mark| matches!(mark, Mark::ErrorBars { .. }));
    for (series, bars) in &marks {
        let Some((_, shift, share)) = slots.iter().find(|(own, _, _)| own == series) else { continue };
        let ends = |bar: &Point| {
            let (left, right) = (plot.x(bar.x + shift - share * 0.46), plot.x(bar.x + shift + share * 0.46));
            ((left, plot.y(bar.y.max(0.0))), (right, plot.y(bar.y.min(0.0))))
        };
        for chunk in chunks(budget, bars) {
            let ends: Vec<(Place, Place)> = chunk.iter().map(ends).collect();
            rectangles(figure, budget, *series, chunk, &ends, drawing);
            if slots.len() > 1 && count <= MOST_HATCHED {
                hatch(plot, *series, &ends, drawing);
            }
        }
        for bar in bars.iter().filter(|_| count <= MOST_NUMBERED) {
            let ((left, top), (right, bottom)) = ends(bar);
            let number = value(figure, bar.y, decimals);
            let size = plot.letters * 0.93;
            if text::width(&number) * size > (right - left) * 1.05 {
                continue;
            }
            let middle = f64::midpoint(left, right);
            if !has_errors {
                let y = if bar.y < 0.0 { bottom + size } else { top - size * 0.25 };
                drawing.word(word(&number, (middle, y), Anchor::Middle, size));
            } else if bottom - top >= size * 1.6 {
                // Within the bar at its foot: above it an error bar would run through the number.
                let y = if bar.y < 0.0 { top + size * 1.1 } else { bottom - size * 0.4 };
                let color = color_of(figure, *series);
                let inside = Word { color: ink_on(color), ..word(&number, (middle, y), Anchor::Middle, size) };
                backed(&inside, color, drawing);
                drawing.word(inside);
            }
        }
    }
}

fn rectangles(figure: &Figure, budget: &Budget, series: usize, bars: &[Point], ends: &[(Place, Place)], drawing: &mut Drawing) {
    let outlines = ends.iter().map(|(from, to)| corners(*from, *to)).collect();
    let values = bars.iter().map(|bar| format!("{},{}", figure.x.told(bar.x).replace([',', ' '], "\u{a0}"), bar.y));
    let mut datum = datum(figure, budget, "bar", series, values);
    if let [bar] = bars {
        datum.values = vec![("x", figure.x.told(bar.x)), ("y", bar.y.to_string())];
        datum.told = told(figure, series, bar);
    }
    drawing.path(filled(outlines, color_of(figure, series)), Some(datum));
}

fn hatch(plot: &Plot, series: usize, ends: &[(Place, Place)], drawing: &mut Drawing) {
    let lines: Vec<Vec<Place>> = ends.iter().flat_map(|(from, to)| hatching(series, *from, *to, plot.letters * 0.55)).collect();
    let stroke = Some(Stroke { color: WHITE, width: plot.letters * 0.09, dash: &[] });
    drawing.path(Path { lines, stroke, ..Path::default() }, None);
}

/// The bars of one category on one another, what is below zero downwards; each with its number where it is high enough, the whole above.
fn stacked<'a>(figure: &'a Figure, plot: &Plot, budget: &Budget, drawing: &mut Drawing) {
    let own = |mark: &'a Mark| if let Mark::Stacked { series, bars } = mark { Some((*series, bars.as_slice())) } else { None };
    let marks: Vec<(usize, &[Point])> = figure.marks.iter().filter_map(own).collect();
    let all = || marks.iter().flat_map(|(_, bars)| bars.iter());
    let decimals = decimals(figure, all());
    let mut places: Vec<f64> = all().map(|bar| bar.x).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let (mut up, mut down) = (vec![0.0; places.len()], vec![0.0; places.len()]);
    let count = all().count();
    let is_numbered = places.len() <= MOST_NUMBERED;
    let size = plot.letters * 0.93;
    let middle = |at: f64| (plot.x(at - 0.34), plot.x(at), plot.x(at + 0.34));
    for (series, bars) in &marks {
        let color = color_of(figure, *series);
        for chunk in chunks(budget, bars) {
            let spans: Vec<(f64, f64, f64)> = chunk
                .iter()
                .map(|bar| {
                    let place = places.partition_point(|at| *at < bar.x);
                    let end = if bar.y < 0.0 { &mut down[place] } else { &mut up[place] };
                    let from = *end;
                    *end += bar.y;
                    (bar.x, from, from + bar.y)
                })
                .collect();
            let ends: Vec<(Place, Place)> = spans
                .iter()
                .map(|(at, from, to)| ((middle(*at).0, plot.y(from.max(*to))), (middle(*at).2, plot.y(from.min(*to)))))
                .collect();
            rectangles(figure, budget, *series, chunk, &ends, drawing);
            if marks.len() > 1 && count <= MOST_HATCHED {
                hatch(plot, *series, &ends, drawing);
            }
            // A white line between the parts keeps them apart where a printer knows no colours.
            let edges = ends
                .iter()
                .zip(&spans)
                .map(|(((left, _), (right, _)), (_, from, _))| vec![(*left, plot.y(*from)), (*right, plot.y(*from))]);
            let stroke = Some(Stroke { color: WHITE, width: plot.letters * 0.08, dash: &[] });
            drawing.path(Path { lines: edges.collect(), stroke, ..Path::default() }, None);
            for (at, from, to) in spans.into_iter().filter(|_| is_numbered) {
                let number = value(figure, to - from, decimals);
                let (left, centre, right) = middle(at);
                let high = (plot.y(from) - plot.y(to)).abs();
                if high >= size * 1.2 && text::width(&number) * size <= right - left {
                    let mut inside = word(&number, (centre, plot.y(f64::midpoint(from, to)) + size * 0.35), Anchor::Middle, size);
                    inside.color = ink_on(color);
                    if marks.len() > 1 && count <= MOST_HATCHED {
                        backed(&inside, color, drawing);
                    }
                    drawing.word(inside);
                }
            }
        }
    }
    for (at, (up, down)) in places.iter().zip(up.iter().zip(&down)).filter(|_| is_numbered) {
        if *up > 0.0 && *down == 0.0 {
            let number = value(figure, *up, decimals);
            let (left, centre, right) = middle(*at);
            if text::width(&number) * size <= (right - left) * 1.4 {
                drawing.word(word(&number, (centre, plot.y(*up) - size * 0.25), Anchor::Middle, size));
            }
        }
    }
}

/// A plain field behind a number, so that no hatching runs through it.
fn backed(number: &Word, color: Rgb, drawing: &mut Drawing) {
    let (left, right) = number.span();
    let near = number.size * 0.12;
    let field = corners((left - near, number.at.1 - number.size * 0.85), (right + near, number.at.1 + number.size * 0.15));
    drawing.path(filled(vec![field], color), None);
}

/// Numbers over the bars have the decimals of whole numbers, or at least one.
fn decimals<'a>(figure: &Figure, mut bars: impl Iterator<Item = &'a Point>) -> usize {
    let all_whole = bars.all(|bar| bar.y.fract() == 0.0);
    let reach = figure.marks.iter().flat_map(|mark| mark.values(Direction::Y)).fold(0.0f64, |most, value| most.max(value.abs()));
    match reach {
        _ if all_whole => 0,
        reach if reach >= 1.5 => 1,
        _ => 2,
    }
}

fn value(figure: &Figure, value: f64, decimals: usize) -> String {
    if figure.y.is_percent() { text::percent(value, 1) } else { text::number(value, decimals) }
}

fn histogram(figure: &Figure, plot: &Plot, budget: &Budget, series: usize, bins: &[Bin], drawing: &mut Drawing) {
    let color = color_of(figure, series);
    let stroke = Some(Stroke { color: WHITE, width: plot.letters * 0.08, dash: &[] });
    for chunk in chunks(budget, bins) {
        let outline = |bin: &Bin| corners((plot.x(bin.from), plot.y(bin.count as f64)), (plot.x(bin.to), plot.y(0.0)));
        let lines = chunk.iter().filter(|bin| bin.count > 0).map(outline).collect();
        let values = chunk.iter().map(|bin| format!("{},{},{}", bin.from, bin.to, bin.count));
        let mut datum = datum(figure, budget, "bin", series, values);
        if let [bin] = chunk {
            datum.told = format!("{} – {}: {}", figure.x.told(bin.from), figure.x.told(bin.to), bin.count);
        }
        drawing.path(Path { stroke, ..filled(lines, color) }, Some(datum));
    }
}

fn boxes(figure: &Figure, plot: &Plot, budget: &Budget, drawing: &mut Drawing) {
    let slots = shares(figure, |mark| matches!(mark, Mark::Boxes { .. }), 0.8);
    for mark in &figure.marks {
        let Mark::Boxes { series, boxes } = mark else { continue };
        let Some((_, shift, share)) = slots.iter().find(|(own, _, _)| own == series) else { continue };
        let half = (plot.x(share * 0.36) - plot.x(0.0)).min(plot.letters * 3.0);
        for one in boxes {
            draw_box(figure, plot, budget, *series, one, (plot.x(one.at + shift), half), drawing);
        }
    }
}

fn draw_box(figure: &Figure, plot: &Plot, budget: &Budget, series: usize, one: &BoxPlot, (x, half): (f64, f64), drawing: &mut Drawing) {
    let color = color_of(figure, series);
    let thin = Some(Stroke { color, width: plot.letters * 0.12, dash: &[] });
    let y = |value: f64| plot.y(value);
    let whiskers = vec![
        vec![(x, y(one.high)), (x, y(one.third_quartile))],
        vec![(x, y(one.first_quartile)), (x, y(one.low))],
        vec![(x - half / 2.0, y(one.high)), (x + half / 2.0, y(one.high))],
        vec![(x - half / 2.0, y(one.low)), (x + half / 2.0, y(one.low))],
    ];
    drawing.path(Path { lines: whiskers, stroke: thin, ..Path::default() }, None);
    let outline = corners((x - half, y(one.third_quartile)), (x + half, y(one.first_quartile)));
    let fill = Some(Fill { color: on_white(color, 0.25), opacity: 1.0 });
    let mut told = format!("{}: n {}, medijana {}", figure.x.told(one.at), one.n, figure.y.told(one.median));
    told.push_str(&format!(", kvartili {} i {}", figure.y.told(one.first_quartile), figure.y.told(one.third_quartile)));
    let numbers = [one.low, one.first_quartile, one.median, one.third_quartile, one.high].map(|value| value.to_string()).join(",");
    let mut datum = datum(figure, budget, "box", series, std::iter::once(numbers));
    datum.values.extend([("x", figure.x.told(one.at)), ("n", one.n.to_string())]);
    datum.told = told;
    drawing.path(Path { lines: vec![outline], is_closed: true, fill, stroke: thin }, Some(datum));
    let median = Stroke { color: INK, width: plot.letters * 0.22, dash: &[] };
    drawing.line(vec![(x - half, y(one.median)), (x + half, y(one.median))], median);
    let places: Vec<Place> = one.outliers.iter().map(|value| (x, y(*value))).collect();
    let radius = plot.letters * 0.2;
    let ring = |index: usize| match places[index] {
        (x, y) if places.len() > MOST_RINGS => corners((x - radius / 2.0, y - radius / 2.0), (x + radius / 2.0, y + radius / 2.0)),
        place => marker(0, place, radius),
    };
    let rings = budget.points(&places).into_iter().map(ring).collect();
    drawing.path(Path { lines: rings, is_closed: true, fill: Some(Fill { color: WHITE, opacity: 1.0 }), stroke: thin }, None);
}
