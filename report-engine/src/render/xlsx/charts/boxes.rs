//! Boxes, for which a workbook of this format has no chart: two parts of a stacked bar from quartile to quartile over one that is not seen, with
//! whiskers as error bars. Below zero bars would turn over, so there lines and bars between them stand for it. What lies outside is a count.
use report_chart::palette::{self, on_white};
use report_chart::{BoxPlot, Figure, Mark};
use rust_xlsxwriter::{
    Chart, ChartErrorBars, ChartErrorBarsDirection, ChartErrorBarsType, ChartFormat, ChartLine, ChartMarker, ChartMarkerType, ChartRange,
    ChartSolidFill, ChartType,
};

use super::{HEAD, Page, STEPS, look, scale};
use crate::render::error::RenderError;

type Value = fn(&BoxPlot) -> f64;

/// From the first quartile to the third: the bar runs between the first series and the last.
const VALUES: [(&str, Value); 5] = [
    ("Prvi kvartil", |one| one.first_quartile),
    ("Najmanja u dometu", |one| one.low),
    ("Medijana", |one| one.median),
    ("Najveća u dometu", |one| one.high),
    ("Treći kvartil", |one| one.third_quartile),
];

pub fn chart(page: &mut Page, figure: &Figure) -> Result<Chart, RenderError> {
    let mut all: Vec<(usize, &BoxPlot)> = Vec::new();
    for mark in &figure.marks {
        if let Mark::Boxes { series, boxes } = mark {
            all.extend(boxes.iter().map(|one| (*series, one)));
        }
    }
    all.sort_by(|left, right| left.1.at.total_cmp(&right.1.at));
    let is_split = all.iter().any(|(series, _)| *series != all[0].0);
    let name = |(series, one): &(usize, &BoxPlot)| match is_split {
        true => format!("{} – {}", figure.x.told(one.at), figure.series[*series].name),
        false => figure.x.told(one.at),
    };
    let first = HEAD + 1;
    page.next_column("")?;
    for (row, one) in (first..).zip(&all) {
        page.text(row, 0, &name(one))?;
    }
    let last = first + (all.len() as u32).max(1) - 1;
    let has_bars = !figure.y.is_log() && all.iter().all(|(_, one)| one.low >= 0.0);
    let mut columns = Vec::new();
    for (head, value) in VALUES {
        let column = page.next_column(head)?;
        for (row, (_, one)) in (first..).zip(&all) {
            page.number(row, column, value(one))?;
        }
        columns.push((head, column));
    }
    let counts = page.next_column("n")?;
    let outside = page.next_column("Izvan")?;
    for (row, (_, one)) in (first..).zip(&all) {
        page.number(row, counts, one.n as f64)?;
        page.number(row, outside, one.outliers.len() as f64)?;
    }
    let boxes: Vec<&BoxPlot> = all.iter().map(|(_, one)| *one).collect();
    if has_bars { bars(page, figure, &boxes, (first, last)) } else { Ok(lines(page, figure, &columns, (first, last))) }
}

/// The parts of each bar: up to the first quartile unseen, to the median, to the third quartile.
fn bars(page: &mut Page, figure: &Figure, boxes: &[&BoxPlot], (first, last): (u32, u32)) -> Result<Chart, RenderError> {
    let parts: [(&str, Value); 5] = [
        ("Ispod kutije", |one| one.first_quartile),
        ("Do medijane", |one| one.median - one.first_quartile),
        ("Od medijane", |one| one.third_quartile - one.median),
        ("Donji krak", |one| one.first_quartile - one.low),
        ("Gornji krak", |one| one.high - one.third_quartile),
    ];
    let mut columns = Vec::new();
    for (head, value) in parts {
        let column = page.next_column(head)?;
        for (row, one) in (first..).zip(boxes) {
            page.number(row, column, value(one))?;
        }
        columns.push(column);
    }
    let sheet = page.name;
    let range = |column| ChartRange::new_from_range(sheet, first, column, last, column);
    let mut chart = Chart::new(ChartType::ColumnStacked);
    for (place, column) in columns[..3].iter().copied().enumerate() {
        let added = chart.add_series();
        added.set_name((sheet, HEAD, column)).set_categories((sheet, first, 0, last, 0)).set_values((sheet, first, column, last, column));
        added.set_overlap(100).set_gap(120);
        if place == 0 {
            added.set_format(ChartFormat::new().set_no_fill());
        } else {
            let edge = ChartLine::new().set_color(look::color_of(figure, 0)).set_width(1.25).clone();
            let light = ChartSolidFill::new().set_color(look::rgb(on_white(palette::SERIES[0], 0.25))).clone();
            added.set_format(ChartFormat::new().set_solid_fill(&light).set_border(&edge));
        }
        // Each whisker at the end that its part of the bar has.
        let whisker = match place {
            0 => Some((ChartErrorBarsDirection::Minus, columns[3])),
            2 => Some((ChartErrorBarsDirection::Plus, columns[4])),
            _ => None,
        };
        if let Some((direction, column)) = whisker {
            let custom = ChartErrorBarsType::Custom(range(column), range(column));
            added.set_y_error_bars(ChartErrorBars::new().set_type(custom).set_direction(direction));
        }
    }
    chart.legend().set_hidden();
    let values: Vec<f64> = boxes.iter().flat_map(|one| [one.low, one.high]).collect();
    scale(chart.y_axis(), &figure.y, &values, STEPS.1);
    Ok(chart)
}

/// Bars between the quartiles and lines from end to end, of a line chart that is not drawn itself.
fn lines(page: &Page, figure: &Figure, columns: &[(&str, u16)], (first, last): (u32, u32)) -> Chart {
    let mut chart = Chart::new(ChartType::Line);
    for (head, column) in columns.iter().copied() {
        let sheet = page.name;
        let added = chart.add_series();
        added.set_name((sheet, HEAD, column)).set_categories((sheet, first, 0, last, 0)).set_values((sheet, first, column, last, column));
        added.set_format(&mut look::no_line());
        if head == "Medijana" {
            let mut fill = ChartSolidFill::new().set_color(look::rgb(report_chart::palette::INK)).clone();
            added.set_marker(ChartMarker::new().set_type(ChartMarkerType::LongDash).set_size(12).set_format(&mut fill));
        } else {
            added.set_marker(ChartMarker::new().set_none());
        }
    }
    chart.set_up_down_bars(true).set_high_low_lines(true);
    chart.set_up_bar_format(&mut look::fill(figure, 0)).set_down_bar_format(&mut look::fill(figure, 0));
    chart
}
