//! Boxes, for which a workbook of this format has no chart: bars from quartile to quartile and lines from end to end over a line chart that
//! is not drawn itself. What lies outside is told in numbers.
use report_chart::{BoxPlot, Figure, Mark};
use rust_xlsxwriter::{Chart, ChartMarker, ChartMarkerType, ChartSolidFill, ChartType};

use super::{HEAD, Page, look};
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
    let mut chart = Chart::new(ChartType::Line);
    for (head, value) in VALUES {
        let column = page.next_column(head)?;
        for (row, (_, one)) in (first..).zip(&all) {
            page.number(row, column, value(one))?;
        }
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
    let counts = page.next_column("n")?;
    let outside = page.next_column("Izvan")?;
    for (row, (_, one)) in (first..).zip(&all) {
        page.number(row, counts, one.n as f64)?;
        page.number(row, outside, one.outliers.len() as f64)?;
    }
    Ok(chart)
}
