//! Native charts on a sheet of their own, beside the numbers they are drawn from.
use rust_xlsxwriter::{
    Chart, ChartDataLabel, ChartEmptyCells, ChartMarker, ChartMarkerType, ChartPoint, ChartSolidFill, ChartType, Color, Workbook, Worksheet,
};

use super::formats::Formats;
use super::set_up_page;
use crate::plan::ChartKind;
use crate::render::chart::{Axis, Picture};
use crate::render::clean::one_line;
use crate::render::error::RenderError;
use crate::render::look::Rgb;

pub const SHEET: &str = "Grafikoni";
/// Rows and columns that a chart covers at their usual size.
const CHART_ROWS: u32 = 20;
const CHART_COLUMNS: u16 = 15;
/// A line of more values than these is drawn without dots.
const MOST_DOTS: usize = 60;
/// A workbook counts days from 1900, with a leap day that there was not.
const EXCELS_1970: f64 = 25_569.0;
/// So many lines of numbers beside a chart can still be read on its page.
const PRINTED_ROWS: u32 = 40;

pub fn add(workbook: &mut Workbook, charts: &[Picture], formats: &Formats) -> Result<(), RenderError> {
    if charts.iter().all(|picture| picture.ticks.is_empty()) {
        return Ok(());
    }
    for (number, picture) in (1..).zip(charts.iter().filter(|picture| !picture.ticks.is_empty())) {
        let name = if number == 1 { SHEET.to_owned() } else { format!("{SHEET} ({number})") };
        let sheet = workbook.add_worksheet();
        sheet.set_name(&name)?;
        set_up_page(sheet, true)?;
        sheet.set_column_width(0, 24)?;
        add_one(sheet, &name, picture, formats)?;
    }
    Ok(())
}

/// Writes the numbers from the top down and the chart to their right. In print chart and numbers are one page, or the chart alone
/// where the numbers would take more.
fn add_one(sheet: &mut Worksheet, name: &str, picture: &Picture, formats: &Formats) -> Result<(), RenderError> {
    let top = 0;
    sheet.write_string_with_format(top, 0, one_line(&picture.title), &formats.title)?;
    let head = top + 1;
    let first = head + 1;
    let last = head + picture.ticks.len() as u32;
    for (index, tick) in picture.ticks.iter().enumerate() {
        let row = first + index as u32;
        match picture.axis {
            Axis::Categories => sheet.write_string(row, 0, one_line(&tick.label))?,
            Axis::Numbers => sheet.write_number_with_format(row, 0, tick.at, formats.number(tick.at))?,
            Axis::Time => sheet.write_number_with_format(row, 0, tick.at + EXCELS_1970, formats.time(tick.at))?,
        };
    }
    let mut chart = Chart::new(match picture.kind {
        // Only a scatter places numbers and time where they lie.
        ChartKind::Line if picture.axis != Axis::Categories => ChartType::ScatterStraight,
        ChartKind::Line => ChartType::Line,
        ChartKind::Bar => ChartType::Column,
        ChartKind::Stacked => ChartType::ColumnStacked,
        ChartKind::Pie => ChartType::Pie,
    });
    chart.title().set_name(one_line(&picture.title).as_ref()).set_overlay(false);
    if let Some(title) = &picture.y_title {
        chart.y_axis().set_name(one_line(title).as_ref());
    }
    if picture.axis != Axis::Categories {
        // Series have places of their own: where another one has a value and this one has none, its line goes on.
        chart.show_empty_cells_as(ChartEmptyCells::Connected);
        let from = if picture.axis == Axis::Time { EXCELS_1970 } else { 0.0 };
        let (low, high) = picture.span();
        chart.x_axis().set_min(low + from).set_max(high + from);
        if let Some(step) = picture.step() {
            chart.x_axis().set_major_unit(step);
        }
    }
    if picture.axis == Axis::Time {
        chart.x_axis().set_num_format("dd.mm.yyyy.");
    }
    for (index, one) in picture.series.iter().enumerate() {
        sheet.set_column_width(index as u16 + 1, 14)?;
        let column = index as u16 + 1;
        sheet.write_string_with_format(head, column, one_line(&one.label), &formats.head)?;
        for (tick, value) in &one.points {
            sheet.write_number_with_format(first + *tick as u32, column, *value, formats.number(*value))?;
        }
        let series = chart.add_series();
        series.set_name((name, head, column));
        series.set_categories((name, first, 0, last, 0)).set_values((name, first, column, last, column));
        let color = color_of(one.color);
        match picture.kind {
            ChartKind::Line if picture.joins() => {
                // A line of one value is a dot, or nothing is seen of it.
                if one.points.len() <= MOST_DOTS {
                    series.set_marker(&dot(color, 5));
                }
                series.set_format(rust_xlsxwriter::ChartLine::new().set_color(color).set_width(1.75))
            }
            // Over names a line would show a course that is none.
            ChartKind::Line => series.set_format(rust_xlsxwriter::ChartLine::new().set_hidden(true)).set_marker(&dot(color, 7)),
            ChartKind::Bar => series.set_format(ChartSolidFill::new().set_color(color)),
            ChartKind::Stacked => series.set_overlap(100).set_format(ChartSolidFill::new().set_color(color)),
            ChartKind::Pie => {
                let points: Vec<ChartPoint> = picture.slices().iter().map(|slice| filled(slice.color)).collect();
                series.set_points(&points).set_data_label(ChartDataLabel::new().show_percentage())
            }
        };
    }
    chart.set_width(900).set_height(380);
    let left = picture.series.len() as u16 + 2;
    sheet.insert_chart(top, left, &chart)?;
    sheet.set_print_fit_to_pages(1, 1);
    if last > PRINTED_ROWS {
        sheet.set_print_area(top, left, top + CHART_ROWS, left + CHART_COLUMNS)?;
    }
    Ok(())
}

fn dot(color: Color, size: u8) -> ChartMarker {
    ChartMarker::new().set_type(ChartMarkerType::Circle).set_size(size).set_format(ChartSolidFill::new().set_color(color)).clone()
}

fn color_of((red, green, blue): Rgb) -> Color {
    Color::RGB(u32::from_be_bytes([0, red, green, blue]))
}

fn filled(color: Rgb) -> ChartPoint {
    ChartPoint::new().set_format(ChartSolidFill::new().set_color(color_of(color)))
}
