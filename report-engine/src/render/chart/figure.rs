//! Sums by x made into a figure: its axes, and the marks that its kind asks for.
use domain::report_screen::ScreenSearch;
use report_chart::axis::Steps;
use report_chart::{Axis, Direction, Figure, Interval, Mark, Point, Scale, Series, Slice, palette, told};

use super::keys::{Key, KeyKind, in_order, kind_of};
use crate::plan::{Bucket, Chart, ChartKind, ChartScale};

/// A line of more values than these has no dots.
const MOST_DOTS: usize = 60;
const CUT: &str = " (prikazan je samo deo podataka)";

/// What a series is at a place of the axis, by its number.
type ValueAt<'a> = dyn Fn(&Key, usize) -> Option<BoundedValue> + 'a;

/// The search of a series at a place of the axis.
type SearchAt<'a> = dyn Fn(&Key, usize) -> Option<ScreenSearch> + 'a;

/// Measures by x and series, as they were gathered.
pub struct Sums<'a> {
    pub keys: &'a [Key],
    pub names: &'a [String],
    /// The value of a series at a key, and the ends about it.
    pub value: Box<ValueAt<'a>>,
    pub search: Box<SearchAt<'a>>,
    pub is_cut: bool,
}

pub type BoundedValue = (f64, Option<Bounds>);

/// From low to high about a value.
#[derive(Clone, Copy)]
pub struct Bounds {
    pub low: f64,
    pub high: f64,
}

/// A value at its place along x.
struct Spot {
    /// Among the keys in their order.
    index: usize,
    point: Point,
    bounds: Option<Bounds>,
}

/// The figure, and by the words of its values the searches that show whom they count.
pub fn figure_of_sums(chart: &Chart, sums: &Sums) -> (Figure, Vec<(String, ScreenSearch)>) {
    let keys = in_order(sums.keys, chart.bucket);
    let mut figure = Figure { title: title(chart, sums.is_cut), x: x_axis(chart, &keys), y: y_axis(chart), ..Figure::default() };
    figure.series = sums.names.iter().map(|name| Series { name: name.clone(), color: None }).collect();
    if chart.kind == ChartKind::Pie {
        pie(&mut figure, chart, &keys, sums);
        return (figure, Vec::new());
    }
    let place = |(index, key): (usize, &Key)| match key.size().filter(|_| !figure.x.is_categories()) {
        Some(size) => size,
        None => Axis::place_of(index),
    };
    let spots: Vec<Vec<Spot>> = (0..sums.names.len())
        .map(|series| {
            let spot = |(index, key): (usize, &Key)| {
                let (value, bounds) = (sums.value)(key, series)?;
                Some(Spot { index, point: Point::new(place((index, key)), value), bounds })
            };
            keys.iter().enumerate().filter_map(spot).collect()
        })
        .collect();
    for (series, spots) in spots.iter().enumerate() {
        push_marks(&mut figure.marks, chart, series, spots, keys.len(), kind_of(&keys) != KeyKind::Names);
    }
    figure.marks.extend(references(chart, Direction::Y));
    let searches = spots.iter().enumerate().flat_map(|(series, spots)| spots.iter().map(move |spot| (series, spot)));
    let searches = searches.filter_map(|(series, spot)| {
        let search = (sums.search)(&keys[spot.index], series)?;
        Some((told(&figure, series, &spot.point), search))
    });
    let searches = searches.collect();
    (figure, searches)
}

pub fn title(chart: &Chart, is_cut: bool) -> String {
    format!("{}{}", chart.title, if is_cut { CUT } else { "" })
}

/// A line has numbers and time by their size; months, years and whatever else there is have equal steps.
fn x_axis(chart: &Chart, keys: &[Key]) -> Axis {
    let steps_of_calendar = matches!(chart.bucket, Bucket::Month | Bucket::Year);
    let title = chart.x_title.as_deref().unwrap_or_default();
    match kind_of(keys) {
        KeyKind::Numbers if chart.kind.is_joined() => Axis::numbers(title),
        KeyKind::Time if chart.kind.is_joined() && !steps_of_calendar => Axis::time(title),
        _ => Axis::categories(title, keys.iter().map(|key| key.label(chart.bucket)).collect()),
    }
}

/// From zero on, unless its steps are ratios or it shows rows, whose values may lie far from it.
pub fn y_axis(chart: &Chart) -> Axis {
    let title = chart.y_title.clone().unwrap_or_default();
    let scale = match chart.scale {
        ChartScale::Log => Scale::Numbers { steps: Steps::Log, least: None, greatest: None },
        ChartScale::Percent => Scale::Numbers { steps: Steps::Percent, least: Some(0.0), greatest: Some(1.0) },
        ChartScale::Linear if chart.kind.is_of_rows() && chart.kind != ChartKind::Histogram => Scale::default(),
        ChartScale::Linear => Scale::Numbers { steps: Steps::Linear, least: Some(0.0), greatest: Some(0.0) },
    };
    Axis { title, scale }
}

pub fn references(chart: &Chart, axis: Direction) -> impl Iterator<Item = Mark> {
    chart.references.iter().map(move |reference| match reference.to {
        None => Mark::ReferenceLine { axis, at: reference.from, words: reference.words.clone() },
        Some(to) => Mark::ReferenceRange { axis, from: reference.from, to, words: reference.words.clone() },
    })
}

fn push_marks(marks: &mut Vec<Mark>, chart: &Chart, series: usize, spots: &[Spot], places: usize, has_order: bool) {
    let intervals = |spots: &[Spot]| -> Vec<Interval> {
        let interval = |spot: &Spot| spot.bounds.map(|bounds| Interval { at: spot.point.x, low: bounds.low, high: bounds.high });
        spots.iter().filter_map(interval).collect()
    };
    let points = |spots: &[Spot]| -> Vec<Point> { spots.iter().map(|spot| spot.point).collect() };
    match chart.kind {
        // Over names a line would show a course that is none.
        ChartKind::Line | ChartKind::Step if !has_order => {
            marks.push(Mark::Points { series, points: points(spots) });
            push_error_bars(marks, series, intervals(spots));
        }
        ChartKind::Line | ChartKind::Step => {
            let is_stepped = chart.kind == ChartKind::Step;
            // Over months and years a missing value breaks the line; over numbers and time it joins what there is, since each series has
            // places of its own.
            let is_broken = matches!(chart.bucket, Bucket::Month | Bucket::Year);
            for unbroken in spots.chunk_by(|left, right| !is_broken || right.index == left.index + 1) {
                if unbroken.iter().any(|spot| spot.bounds.is_some()) {
                    marks.push(Mark::Band { series, bounds: intervals(unbroken), stepped: is_stepped });
                }
                marks.push(match is_stepped {
                    true => Mark::Steps { series, points: points(unbroken) },
                    false => Mark::Line { series, points: points(unbroken), dots: places <= MOST_DOTS },
                });
            }
        }
        ChartKind::Stacked => marks.push(Mark::Stacked { series, bars: points(spots) }),
        _ => {
            marks.push(Mark::Bars { series, bars: points(spots) });
            push_error_bars(marks, series, intervals(spots));
        }
    }
}

pub fn push_error_bars(marks: &mut Vec<Mark>, series: usize, bars: Vec<Interval>) {
    if !bars.is_empty() {
        marks.push(Mark::ErrorBars { series, along: Direction::Y, bars });
    }
}

/// What can be a share of a whole; the smallest ones beyond the colours become one.
fn pie(figure: &mut Figure, chart: &Chart, keys: &[Key], sums: &Sums) {
    let values = keys.iter().filter_map(|key| Some((key.label(chart.bucket), (sums.value)(key, 0)?.0)));
    let (mut shares, below): (Vec<(String, f64)>, Vec<_>) = values.filter(|(_, value)| *value != 0.0).partition(|(_, value)| *value > 0.0);
    if !below.is_empty() {
        figure.title.push_str(" (bez negativnih vrednosti)");
    }
    if shares.len() > palette::SERIES.len() {
        let mut by_size: Vec<f64> = shares.iter().map(|(_, value)| *value).collect();
        by_size.sort_by(|left, right| right.total_cmp(left));
        let mut room = palette::SERIES.len() - 1;
        let least = by_size[room - 1];
        let (mut kept, mut rest, mut count) = (Vec::new(), 0.0, 0);
        for (label, value) in shares {
            if value >= least && room > 0 {
                room -= 1;
                kept.push((label, value));
            } else {
                rest += value;
                count += 1;
            }
        }
        kept.push((format!("Ostalo ({count})"), rest));
        shares = kept;
    }
    let slices = shares.into_iter().map(|(name, value)| Slice { name, value }).collect();
    figure.marks.push(Mark::Pie { slices });
}
