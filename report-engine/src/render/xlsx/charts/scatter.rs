//! Charts whose series have places of their own, two columns each: steps with doubled points, bands, error bars, points of rows.
use std::collections::{BTreeSet, HashMap};

use report_chart::figure::in_order;
use report_chart::{Axis, Direction, Figure, Interval, Mark, Point};
use rust_xlsxwriter::{
    Chart, ChartDataLabel, ChartDataLabelPosition, ChartErrorBars, ChartErrorBarsType, ChartLine, ChartLineDashType, ChartMarker,
    ChartMarkerType, ChartRange, ChartSeries, ChartType,
};

use super::{HEAD, Page, STEPS, look, scale};
use crate::render::error::RenderError;

const FIRST: u32 = HEAD + 1;

pub fn chart(page: &mut Page, figure: &Figure) -> Result<Chart, RenderError> {
    let mut chart = Chart::new(ChartType::ScatterStraight);
    for (axis, direction, most) in [(&figure.x, Direction::X, STEPS.0), (&figure.y, Direction::Y, STEPS.1)] {
        let values: Vec<f64> = figure.marks.iter().flat_map(|mark| mark.values(direction)).collect();
        let own = if direction == Direction::X { chart.x_axis() } else { chart.y_axis() };
        match axis.is_categories() {
            false => scale(own, axis, &values, most),
            // Names stand beside the points; numbers of their places would mean nothing.
            true => {
                own.set_min(0.0).set_max(axis.names().len().max(1) as f64).set_major_unit(1.0).set_num_format(";;;");
            }
        }
    }
    if figure.y.is_categories() {
        chart.y_axis().set_reverse();
    }
    let mut unnamed = Vec::new();
    let mut count = 0;
    let mut named = BTreeSet::new();
    for mark in &figure.marks {
        let drawn = add_mark(page, &mut chart, figure, mark)?;
        // Bounds, censor ticks and references say in the legend what their series says already, and so does a limit's other side.
        let is_series = matches!(mark, Mark::Line { .. } | Mark::Steps { .. } | Mark::Points { .. });
        if !is_series || !named.insert(name_of(figure, mark)) {
            unnamed.extend(count..count + drawn);
        }
        count += drawn;
    }
    if count - unnamed.len() > 1 {
        chart.legend().delete_entries(&unnamed);
    } else {
        chart.legend().set_hidden();
    }
    Ok(chart)
}

fn name_of<'a>(figure: &'a Figure, mark: &Mark) -> &'a str {
    mark.series().map_or("", |series| figure.series[series].name.as_str())
}

/// Adds what a mark is drawn by; returns how many series of the chart these are.
fn add_mark(page: &mut Page, chart: &mut Chart, figure: &Figure, mark: &Mark) -> Result<usize, RenderError> {
    let name = name_of(figure, mark);
    match mark {
        Mark::Line { series, points, dots } => {
            let marker = if *dots || points.len() == 1 { look::marker(figure, *series, 5) } else { no_marker() };
            push(chart, pair(page, figure, name, &in_order(points))?.set_format(&mut look::line(figure, *series)).set_marker(&marker));
        }
        Mark::Steps { series, points } => {
            push(chart, pair(page, figure, name, &doubled(points))?.set_format(&mut look::line(figure, *series)).set_marker(&no_marker()));
        }
        Mark::Band { series, bounds, stepped } => {
            for (words, value) in [("od", low as fn(&Interval) -> f64), ("do", high)] {
                let points: Vec<Point> = bounds.iter().map(|one| Point::new(one.at, value(one))).collect();
                let points = if *stepped { doubled(&points) } else { in_order(&points) };
                let mut bound = pair(page, figure, &format!("{name} ({words})"), &points)?;
                push(chart, bound.set_format(&mut look::thin(figure, *series)).set_marker(&no_marker()));
            }
            return Ok(2);
        }
        Mark::Points { series, points } => {
            let mut added = pair(page, figure, name, points)?;
            added.set_format(&mut look::no_line()).set_marker(&look::marker(figure, *series, 6));
            let ends = figure.marks.iter().find_map(|mark| match mark {
                Mark::ErrorBars { series: own, along, bars } if own == series => Some((*along, bars)),
                _ => None,
            });
            if let Some((along, bars)) = ends {
                add_error_bars(page, &mut added, points, along, bars)?;
            }
            if figure.y.is_categories() {
                name_points(page, &mut added, figure, points)?;
            }
            push(chart, &added);
        }
        Mark::Censored { series, points } => {
            let mut fill = look::fill(figure, *series);
            let marker = ChartMarker::new().set_type(ChartMarkerType::PlusSign).set_size(6).set_format(&mut fill).clone();
            let mut ticks = pair(page, figure, &format!("{name} (cenzurisani)"), points)?;
            push(chart, ticks.set_format(&mut look::no_line()).set_marker(&marker));
        }
        Mark::ReferenceSegment { from, to, words } => {
            push(chart, pair(page, figure, words, &[*from, *to])?.set_format(&mut reference()).set_marker(&no_marker()));
        }
        Mark::ReferenceLine { axis, at, words } => {
            let (along, other, most) = match axis {
                Direction::X => (Direction::Y, &figure.y, STEPS.1),
                Direction::Y => (Direction::X, &figure.x, STEPS.0),
            };
            let values: Vec<f64> = figure.marks.iter().flat_map(|mark| mark.values(along)).collect();
            let extent = other.extent(&values, most);
            let ends = [extent.low, extent.high].map(|end| if along == Direction::X { Point::new(end, *at) } else { Point::new(*at, end) });
            push(chart, pair(page, figure, words, &ends)?.set_format(&mut reference()).set_marker(&no_marker()));
        }
        _ => return Ok(0),
    }
    Ok(1)
}

/// Takes the place of a new series, since a chart of lines takes the markers of one that is pushed.
fn push(chart: &mut Chart, series: &ChartSeries) {
    *chart.add_series() = series.clone();
}

fn low(one: &Interval) -> f64 {
    one.low
}

fn high(one: &Interval) -> f64 {
    one.high
}

/// Two columns and the series over them.
fn pair(page: &mut Page, figure: &Figure, name: &str, points: &[Point]) -> Result<ChartSeries, RenderError> {
    let places = values(page, "x", &figure.x, points.iter().map(|point| point.x))?;
    let numbers = values(page, name, &figure.y, points.iter().map(|point| point.y))?;
    let (sheet, last) = (page.name, last_of(points));
    let mut series = ChartSeries::new();
    series.set_name((sheet, HEAD, numbers)).set_categories((sheet, FIRST, places, last, places));
    series.set_values((sheet, FIRST, numbers, last, numbers));
    Ok(series)
}

fn last_of(points: &[Point]) -> u32 {
    FIRST + (points.len() as u32).max(1) - 1
}

/// A column of numbers; a category has that of its place.
fn values(page: &mut Page, head: &str, axis: &Axis, values: impl Iterator<Item = f64>) -> Result<u16, RenderError> {
    if !axis.is_categories() {
        return page.column_of(head, axis, values);
    }
    page.column_of(head, &Axis::numbers(""), values)
}

fn add_error_bars(
    page: &mut Page,
    added: &mut ChartSeries,
    points: &[Point],
    along: Direction,
    bars: &[Interval],
) -> Result<(), RenderError> {
    let (below, above) = (page.next_column("ispod")?, page.next_column("iznad")?);
    let by_place: HashMap<u64, &Interval> = bars.iter().map(|one| (one.at.to_bits(), one)).collect();
    for (index, point) in points.iter().enumerate() {
        let row = FIRST + index as u32;
        let (at, value) = if along == Direction::Y { (point.x, point.y) } else { (point.y, point.x) };
        // Of rows each has its own; several may stand at one place.
        let own = if bars.len() == points.len() { bars.get(index) } else { by_place.get(&at.to_bits()).copied() };
        if let Some(one) = own.filter(|one| one.low <= value && value <= one.high) {
            page.number(row, below, value - one.low)?;
            page.number(row, above, one.high - value)?;
        }
    }
    let range = |column| ChartRange::new_from_range(page.name, FIRST, column, last_of(points), column);
    let bars = ChartErrorBars::new().set_type(ChartErrorBarsType::Custom(range(above), range(below))).clone();
    match along {
        Direction::X => added.set_x_error_bars(&bars),
        Direction::Y => added.set_y_error_bars(&bars),
    };
    Ok(())
}

/// The names of categories of y at the points, since an axis of a scatter has numbers alone. A label is that of a cell: no text is a formula.
fn name_points(page: &mut Page, added: &mut ChartSeries, figure: &Figure, points: &[Point]) -> Result<(), RenderError> {
    let column = page.next_column("Naziv")?;
    let mut labels = Vec::new();
    for (row, point) in (FIRST..).zip(points) {
        page.text(row, column, &figure.y.told(point.y))?;
        labels.push(ChartDataLabel::new().set_value((page.name, row, column)).to_custom());
    }
    added.set_data_label(ChartDataLabel::new().show_value().set_position(ChartDataLabelPosition::Above));
    added.set_custom_data_labels(&labels);
    Ok(())
}

/// Each value as far as the next one.
fn doubled(points: &[Point]) -> Vec<Point> {
    let mut steps: Vec<Point> = Vec::with_capacity(points.len() * 2);
    for point in in_order(points) {
        if let Some(before) = steps.last().copied() {
            steps.push(Point::new(point.x, before.y));
        }
        steps.push(point);
    }
    steps
}

fn no_marker() -> ChartMarker {
    ChartMarker::new().set_none().clone()
}

fn reference() -> ChartLine {
    let grey = look::rgb(report_chart::palette::MUTED);
    ChartLine::new().set_color(grey).set_width(1.0).set_dash_type(ChartLineDashType::Dash).clone()
}
