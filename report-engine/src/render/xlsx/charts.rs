//! Native charts on a sheet of their own, beside the numbers they are drawn from.
use rust_xlsxwriter::{Chart, ChartType, Color, Workbook, Worksheet};

use super::formats::Formats;
use super::set_up_page;
use crate::plan::ChartKind;
use crate::render::chart_data::{ChartData, Picture};
use crate::render::clean::one_line;
use crate::render::error::RenderError;

const SHEET: &str = "Grafikoni";
const COLORS: [u32; 8] = [0x1B567A, 0xD06A24, 0x3A8C5C, 0x8C3E78, 0x687078, 0xC4A028, 0x48A0BE, 0xA02828];
/// Rows that a chart covers at the usual row height.
const CHART_ROWS: u32 = 20;

pub fn add(workbook: &mut Workbook, charts: &[ChartData], formats: &Formats) -> Result<(), RenderError> {
    let pictures: Vec<(&ChartData, Picture)> = charts.iter().map(|chart| (chart, chart.picture())).collect();
    if pictures.iter().all(|(_, picture)| picture.labels.is_empty()) {
        return Ok(());
    }
    let sheet = workbook.add_worksheet();
    sheet.set_name(SHEET)?;
    set_up_page(sheet, true)?;
    sheet.set_column_width(0, 24)?;
    let mut row = 0;
    for (data, picture) in &pictures {
        if !picture.labels.is_empty() {
            row = add_one(sheet, data, picture, row, formats)?;
        }
    }
    Ok(())
}

/// Writes the numbers from `top` down and the chart to their right; returns the row for the next one.
fn add_one(sheet: &mut Worksheet, data: &ChartData, picture: &Picture, top: u32, formats: &Formats) -> Result<u32, RenderError> {
    sheet.write_string_with_format(top, 0, one_line(&picture.title), &formats.title)?;
    let head = top + 1;
    let first = head + 1;
    let last = head + picture.labels.len() as u32;
    for (index, label) in picture.labels.iter().enumerate() {
        sheet.write_string(first + index as u32, 0, one_line(label))?;
    }
    let kind = if data.chart.kind == ChartKind::Line { ChartType::Line } else { ChartType::Column };
    let mut chart = Chart::new(kind);
    chart.title().set_name(one_line(&picture.title).as_ref()).set_overlay(false);
    if let Some(title) = &data.chart.y_title {
        chart.y_axis().set_name(one_line(title).as_ref());
    }
    for (index, (label, values)) in picture.series.iter().enumerate() {
        sheet.set_column_width(index as u16 + 1, 14)?;
        let column = index as u16 + 1;
        sheet.write_string_with_format(head, column, one_line(label), &formats.head)?;
        for (offset, value) in values.iter().enumerate() {
            if let Some(value) = value {
                sheet.write_number_with_format(first + offset as u32, column, *value, formats.number(*value))?;
            }
        }
        let series = chart.add_series();
        series.set_name((SHEET, head, column));
        series.set_categories((SHEET, first, 0, last, 0)).set_values((SHEET, first, column, last, column));
        let color = Color::RGB(COLORS[index % COLORS.len()]);
        match data.chart.kind {
            ChartKind::Line => series.set_format(rust_xlsxwriter::ChartLine::new().set_color(color).set_width(1.75)),
            ChartKind::Bar => series.set_format(rust_xlsxwriter::ChartSolidFill::new().set_color(color)),
        };
    }
    chart.set_width(900).set_height(380);
    sheet.insert_chart(top, picture.series.len() as u16 + 2, &chart)?;
    Ok(top + CHART_ROWS.max(picture.labels.len() as u32 + 2) + 2)
}
