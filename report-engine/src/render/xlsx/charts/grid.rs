//! Charts whose series share one column of places: lines, bars, shares of a whole, bins.
use std::collections::HashMap;

use report_chart::{Direction, Figure, Interval, Mark, Point, Slice, figure::stack_ends};
use rust_xlsxwriter::{Chart, ChartDataLabel, ChartEmptyCells, ChartErrorBars, ChartErrorBarsType, ChartPoint, ChartRange, ChartType};

use super::{HEAD, Page, STEPS, look, scale, x_extent};
use crate::render::error::RenderError;

/// A line of more values than these is drawn without dots.
const MOST_DOTS: usize = 60;
/// Its first line of numbers.
const FIRST: u32 = HEAD + 1;

/// Whether all marks are ones that share a column of places, each series with one value at most at each.
pub fn holds(figure: &Figure) -> bool {
    let marks = || figure.marks.iter().filter(|mark| !mark.is_reference());
    let is_of_grid = |mark: &Mark| match mark {
        Mark::Line { .. } | Mark::Bars { .. } | Mark::Stacked { .. } => true,
        Mark::Points { .. } | Mark::Steps { .. } | Mark::Band { .. } => figure.x.is_categories(),
        Mark::ErrorBars { along, .. } => *along == Direction::Y,
        _ => false,
    };
    let mut seen = std::collections::HashSet::new();
    let mut places = marks().flat_map(|mark| points_of(mark).iter().map(move |point| (mark.series(), point.x.to_bits())));
    !figure.y.is_categories() && marks().all(is_of_grid) && places.all(|place| seen.insert(place))
}

fn points_of(mark: &Mark) -> &[Point] {
    match mark {
        Mark::Line { points, .. } | Mark::Points { points, .. } | Mark::Steps { points, .. } => points,
        Mark::Bars { bars, .. } | Mark::Stacked { bars, .. } => bars,
        _ => &[],
    }
}

pub fn chart(page: &mut Page, figure: &Figure) -> Result<Chart, RenderError> {
    let has = |is_of: fn(&Mark) -> bool| figure.marks.iter().any(is_of);
    let is_stacked = has(|mark| matches!(mark, Mark::Stacked { .. }));
    let mut chart = Chart::new(match () {
        // Only a scatter places numbers and time where they lie.
        () if !figure.x.is_categories() => ChartType::ScatterStraight,
        () if is_stacked => ChartType::ColumnStacked,
        () if has(|mark| matches!(mark, Mark::Bars { .. })) => ChartType::Column,
        () => ChartType::Line,
    });
    let places = places(figure);
    page.column_of("", &figure.x, places.iter().copied())?;
    if !figure.x.is_categories() {
        // Series have places of their own: where another one has a value and this one has none, its line goes on.
        chart.show_empty_cells_as(ChartEmptyCells::Connected);
        scale(chart.x_axis(), &figure.x, &x_extent(figure).1, STEPS.0);
    }
    scale_y(&mut chart, figure);
    for series in 0..figure.series.len() {
        add_series(page, &mut chart, figure, series, &places, is_stacked)?;
        add_band(page, &mut chart, figure, series, &places)?;
    }
    Ok(chart)
}

/// The two ends of a band over categories, as thin lines.
fn add_band(page: &mut Page, chart: &mut Chart, figure: &Figure, series: usize, places: &[f64]) -> Result<(), RenderError> {
    let bounds: Vec<&Interval> = figure
        .marks
        .iter()
        .filter_map(|mark| match mark {
            Mark::Band { series: own, bounds, .. } if *own == series => Some(bounds),
            _ => None,
        })
        .flatten()
        .collect();
    if bounds.is_empty() {
        return Ok(());
    }
    let last = FIRST + (places.len() as u32).max(1) - 1;
    for (words, is_low) in [("od", true), ("do", false)] {
        let column = page.next_column(&format!("{} ({words})", figure.series[series].name))?;
        for one in &bounds {
            if let Some(row) = places.iter().position(|place| *place == one.at) {
                page.number(FIRST + row as u32, column, if is_low { one.low } else { one.high })?;
            }
        }
        let name = page.name;
        let added = chart.add_series();
        added.set_name((name, HEAD, column)).set_categories((name, FIRST, 0, last, 0)).set_values((name, FIRST, column, last, column));
        added.set_format(&mut look::thin(figure, series));
    }
    Ok(())
}

/// The categories, or all places of the series by size.
fn places(figure: &Figure) -> Vec<f64> {
    if figure.x.is_categories() {
        return (0..figure.x.names().len()).map(report_chart::Axis::place_of).collect();
    }
    let mut places: Vec<f64> = figure.marks.iter().flat_map(points_of).map(|point| point.x).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    places
}

/// The ends of y are told: a spreadsheet would let bars begin above zero.
fn scale_y(chart: &mut Chart, figure: &Figure) {
    let own = figure.marks.iter().filter(|mark| !matches!(mark, Mark::Stacked { .. }));
    let mut values: Vec<f64> = own.flat_map(|mark| mark.values(Direction::Y)).collect();
    values.extend(stack_ends(&figure.marks));
    scale(chart.y_axis(), &figure.y, &values, STEPS.1);
}

fn add_series(
    page: &mut Page,
    chart: &mut Chart,
    figure: &Figure,
    series: usize,
    places: &[f64],
    is_stacked: bool,
) -> Result<(), RenderError> {
    let own = || figure.marks.iter().filter(move |mark| mark.series() == Some(series));
    let values: HashMap<u64, f64> = own().flat_map(points_of).map(|point| (point.x.to_bits(), point.y)).collect();
    let rows = || (FIRST..).zip(places);
    let column = page.next_column(&figure.series[series].name)?;
    for (row, place) in rows() {
        if let Some(value) = values.get(&place.to_bits()) {
            page.number(row, column, *value)?;
        }
    }
    let last = FIRST + (places.len() as u32).max(1) - 1;
    let mut bars = None;
    for mark in own() {
        let Mark::ErrorBars { bars: ends, .. } = mark else { continue };
        let ends: HashMap<u64, (f64, f64)> = ends.iter().map(|one| (one.at.to_bits(), (one.low, one.high))).collect();
        let (below, above) = (page.next_column("ispod")?, page.next_column("iznad")?);
        for (row, place) in rows() {
            if let (Some(value), Some((low, high))) = (values.get(&place.to_bits()), ends.get(&place.to_bits())) {
                page.number(row, below, (value - low).max(0.0))?;
                page.number(row, above, (high - value).max(0.0))?;
            }
        }
        let range = |column| ChartRange::new_from_range(page.name, FIRST, column, last, column);
        bars = Some(ChartErrorBars::new().set_type(ChartErrorBarsType::Custom(range(above), range(below))).clone());
    }
    let name = page.name;
    let added = chart.add_series();
    added.set_name((name, HEAD, column)).set_categories((name, FIRST, 0, last, 0)).set_values((name, FIRST, column, last, column));
    if let Some(bars) = &bars {
        added.set_y_error_bars(bars);
    }
    let is_line = own().any(|mark| matches!(mark, Mark::Line { .. }));
    let is_bar = own().any(|mark| matches!(mark, Mark::Bars { .. } | Mark::Stacked { .. }));
    if is_bar {
        added.set_format(&mut look::fill(figure, series));
        if is_stacked {
            added.set_overlap(100);
        }
    } else if is_line {
        // A line of one value is a dot, or nothing is seen of it.
        if values.len() <= MOST_DOTS {
            added.set_marker(&look::marker(figure, series, 5));
        }
        added.set_format(&mut look::line(figure, series));
    } else {
        // Over names a line would show a course that is none, and steps are not drawn over months.
        added.set_format(&mut look::no_line()).set_marker(&look::marker(figure, series, 7));
    }
    Ok(())
}

pub fn pie(page: &mut Page, figure: &Figure, slices: &[Slice]) -> Result<Chart, RenderError> {
    let mut chart = Chart::new(ChartType::Pie);
    page.next_column("")?;
    let head = figure.series.first().map_or("", |series| series.name.as_str());
    let column = page.next_column(head)?;
    for (row, slice) in (FIRST..).zip(slices) {
        page.text(row, 0, &slice.name)?;
        page.number(row, column, slice.value)?;
    }
    let (name, last) = (page.name, FIRST + (slices.len() as u32).max(1) - 1);
    let points: Vec<ChartPoint> = (0..slices.len()).map(look::slice).collect();
    let added = chart.add_series();
    added.set_name((name, HEAD, column)).set_categories((name, FIRST, 0, last, 0)).set_values((name, FIRST, column, last, column));
    added.set_points(&points).set_data_label(ChartDataLabel::new().show_percentage());
    Ok(chart)
}

/// Columns without gaps, each named by the ends of its bin.
pub fn histogram(page: &mut Page, figure: &Figure) -> Result<Chart, RenderError> {
    let mut chart = Chart::new(ChartType::Column);
    page.next_column("")?;
    for mark in &figure.marks {
        let Mark::Histogram { series, bins } = mark else { continue };
        let column = page.next_column(&figure.series[*series].name)?;
        for (row, bin) in (FIRST..).zip(bins) {
            page.text(row, 0, &format!("{} – {}", figure.x.told(bin.from), figure.x.told(bin.to)))?;
            page.number(row, column, bin.count as f64)?;
        }
        let (name, last) = (page.name, FIRST + (bins.len() as u32).max(1) - 1);
        let added = chart.add_series();
        added.set_name((name, HEAD, column)).set_categories((name, FIRST, 0, last, 0)).set_values((name, FIRST, column, last, column));
        added.set_format(&mut look::fill(figure, *series)).set_gap(5);
    }
    Ok(chart)
}
