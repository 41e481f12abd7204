//! Native charts on a sheet of their own, beside the numbers they are drawn from.
use rust_xlsxwriter::{Chart, ChartType, Color, Workbook, Worksheet};

use super::formats::Formats;
use super::set_up_page;
use crate::plan::ChartKind;
use crate::render::chart::Picture;
use crate::render::clean::one_line;
use crate::render::error::RenderError;

const SHEET: &str = "Grafikoni";
/// Rows that a chart covers at the usual row height.
const CHART_ROWS: u32 = 20;

pub fn add(workbook: &mut Workbook, charts: &[Picture], formats: &Formats) -> Result<(), RenderError> {
    if charts.iter().all(|picture| picture.ticks.is_empty()) {
        return Ok(());
    }
    let sheet = workbook.add_worksheet();
    sheet.set_name(SHEET)?;
    set_up_page(sheet, true)?;
    sheet.set_column_width(0, 24)?;
    let mut row = 0;
    for picture in charts.iter().filter(|picture| !picture.ticks.is_empty()) {
        row = add_one(sheet, picture, row, formats)?;
    }
    Ok(())
}

/// Writes the numbers from `top` down and the chart to their right; returns the row for the next one.
fn add_one(sheet: &mut Worksheet, picture: &Picture, top: u32, formats: &Formats) -> Result<u32, RenderError> {
    sheet.write_string_with_format(top, 0, one_line(&picture.title), &formats.title)?;
    let head = top + 1;
    let first = head + 1;
    let last = head + picture.ticks.len() as u32;
    for (index, tick) in picture.ticks.iter().enumerate() {
        sheet.write_string(first + index as u32, 0, one_line(&tick.label))?;
    }
    let kind = if picture.kind == ChartKind::Line { ChartType::Line } else { ChartType::Column };
    let mut chart = Chart::new(kind);
    chart.title().set_name(one_line(&picture.title).as_ref()).set_overlay(false);
    if let Some(title) = &picture.y_title {
        chart.y_axis().set_name(one_line(title).as_ref());
    }
    for (index, one) in picture.series.iter().enumerate() {
        sheet.set_column_width(index as u16 + 1, 14)?;
        let column = index as u16 + 1;
        sheet.write_string_with_format(head, column, one_line(&one.label), &formats.head)?;
        for (tick, value) in &one.points {
            sheet.write_number_with_format(first + *tick as u32, column, *value, formats.number(*value))?;
        }
        let series = chart.add_series();
        series.set_name((SHEET, head, column));
        series.set_categories((SHEET, first, 0, last, 0)).set_values((SHEET, first, column, last, column));
        let (red, green, blue) = one.color;
        let color = Color::RGB(u32::from_be_bytes([0, red, green, blue]));
        match picture.kind {
            ChartKind::Line => series.set_format(rust_xlsxwriter::ChartLine::new().set_color(color).set_width(1.75)),
            ChartKind::Bar => series.set_format(rust_xlsxwriter::ChartSolidFill::new().set_color(color)),
        };
    }
    chart.set_width(900).set_height(380);
    sheet.insert_chart(top, picture.series.len() as u16 + 2, &chart)?;
    Ok(top + CHART_ROWS.max(picture.ticks.len() as u32 + 2) + 2)
}
