//! Native charts on sheets of their own, beside the numbers they are drawn from.
mod boxes;
mod grid;
mod look;
mod scatter;

use report_chart::axis::Steps;
use report_chart::{Axis, Direction, Figure, Mark, Scale};
use rust_xlsxwriter::{ChartAxis, Workbook, Worksheet};

use super::formats::{Formats, Weight};
use super::workbook::set_up_page;
use crate::render::chart::Picture;
use crate::render::clean::one_line;
use crate::render::error::RenderError;

pub const SHEET: &str = "Grafikoni";
/// Rows and columns that a chart covers at their usual size.
const CHART_ROWS: u32 = 20;
const CHART_COLUMNS: u16 = 15;
/// A workbook counts days from 1900, with a leap day that there was not.
const EXCELS_1970: f64 = 25_569.0;
/// So many lines of numbers beside a chart can still be read on its page.
const PRINTED_ROWS: u32 = 40;
/// About so many steps along x and y.
const STEPS: (usize, usize) = (12, 5);
/// The line of heads; numbers begin below it.
const HEAD: u32 = 1;

/// A sheet of a chart, with what is written there.
struct Page<'a> {
    sheet: &'a mut Worksheet,
    name: &'a str,
    formats: &'a Formats,
    /// The first free column, and the first free line below all numbers.
    column: u16,
    row: u32,
}

pub fn add(workbook: &mut Workbook, charts: &[Picture], formats: &Formats) -> Result<(), RenderError> {
    for (number, picture) in (1..).zip(charts.iter().filter(|picture| picture.is_shown())) {
        let name = if number == 1 { SHEET.to_owned() } else { format!("{SHEET} ({number})") };
        let sheet = workbook.add_worksheet();
        sheet.set_name(&name)?;
        set_up_page(sheet, true)?;
        sheet.set_column_width(0, 24)?;
        sheet.write_string_with_format(0, 0, one_line(&picture.figure.title), &formats.title)?;
        match picture.refusal() {
            Some(refusal) => {
                sheet.write_string_with_format(HEAD, 0, one_line(&refusal), formats.band(Weight::Warning))?;
            }
            None => {
                let page = Page { sheet, name: &name, formats, column: 0, row: HEAD + 1 };
                add_one(page, &picture.figure)?;
            }
        }
    }
    Ok(())
}

/// Writes the numbers from the top down and the chart to their right. In print chart and numbers are one page, or the chart alone
/// where the numbers would take more.
fn add_one(mut page: Page, figure: &Figure) -> Result<(), RenderError> {
    let is_grid = grid::holds(figure);
    let mut chart = match figure.marks.iter().find(|mark| !mark.is_reference()) {
        Some(Mark::Pie { slices }) => grid::pie(&mut page, figure, slices)?,
        Some(Mark::Histogram { .. }) => grid::histogram(&mut page, figure)?,
        Some(Mark::Boxes { .. }) => boxes::chart(&mut page, figure)?,
        _ if is_grid => grid::chart(&mut page, figure)?,
        _ => scatter::chart(&mut page, figure)?,
    };
    let last = page.row - 1;
    page.words_below(figure)?;
    chart.title().set_name(one_line(&figure.title).as_ref()).set_overlay(false);
    title(chart.x_axis(), &figure.x);
    title(chart.y_axis(), &figure.y);
    chart.set_width(900).set_height(380);
    let left = page.column + 1;
    page.sheet.insert_chart(0, left, &chart)?;
    page.sheet.set_print_fit_to_pages(1, 1);
    if last > PRINTED_ROWS {
        page.sheet.set_print_area(0, left, CHART_ROWS, left + CHART_COLUMNS)?;
    }
    Ok(())
}

fn title(axis: &mut ChartAxis, own: &Axis) {
    if !own.title.is_empty() {
        axis.set_name(one_line(&own.title).as_ref());
    }
}

impl Page<'_> {
    /// Takes the next column, with its head.
    fn next_column(&mut self, head: &str) -> Result<u16, RenderError> {
        let column = self.column;
        if column > 0 {
            self.sheet.set_column_width(column, 14)?;
        }
        if !head.is_empty() {
            self.sheet.write_string_with_format(HEAD, column, one_line(head), &self.formats.head)?;
        }
        self.column += 1;
        Ok(column)
    }

    fn number(&mut self, row: u32, column: u16, value: f64) -> Result<(), RenderError> {
        self.sheet.write_number_with_format(row, column, value, self.formats.number(value))?;
        self.row = self.row.max(row + 1);
        Ok(())
    }

    fn text(&mut self, row: u32, column: u16, text: &str) -> Result<(), RenderError> {
        self.sheet.write_string(row, column, one_line(text))?;
        self.row = self.row.max(row + 1);
        Ok(())
    }

    /// A place along an axis, as a spreadsheet has it.
    fn place(&mut self, axis: &Axis, row: u32, column: u16, value: f64) -> Result<(), RenderError> {
        match axis.scale {
            Scale::Categories { .. } => self.text(row, column, &axis.told(value)),
            Scale::Time => {
                self.sheet.write_number_with_format(row, column, value + EXCELS_1970, self.formats.time(value))?;
                self.row = self.row.max(row + 1);
                Ok(())
            }
            Scale::Numbers { .. } => self.number(row, column, value),
        }
    }

    /// A whole column from the first line of numbers on.
    fn column_of(&mut self, head: &str, axis: &Axis, values: impl Iterator<Item = f64>) -> Result<u16, RenderError> {
        let column = self.next_column(head)?;
        for (row, value) in (HEAD + 1..).zip(values) {
            self.place(axis, row, column, value)?;
        }
        Ok(column)
    }

    /// What no native chart draws: references, notes and numbers at risk.
    fn words_below(&mut self, figure: &Figure) -> Result<(), RenderError> {
        let mut row = self.row + 1;
        for mark in &figure.marks {
            let told = match mark {
                Mark::ReferenceLine { axis, at, words } => (words, axis_of(figure, *axis).told(*at)),
                Mark::ReferenceRange { axis, from, to, words } => {
                    (words, format!("{} – {}", axis_of(figure, *axis).told(*from), axis_of(figure, *axis).told(*to)))
                }
                _ => continue,
            };
            let words = if told.0.is_empty() { "Referenca" } else { told.0.as_str() };
            self.text(row, 0, &format!("{words}: {}", told.1))?;
            row += 1;
        }
        if let Some(table) = &figure.at_risk {
            let (extent, places) = x_extent(figure);
            let ticks = figure.x.ticks(&extent, &places, STEPS.0);
            self.text(row, 0, &table.title)?;
            for (column, tick) in (1..).zip(&ticks) {
                self.place(&figure.x, row, column, tick.at)?;
            }
            for line in &table.rows {
                row += 1;
                self.text(row, 0, line.name(figure))?;
                for (column, tick) in (1..).zip(&ticks) {
                    self.number(row, column, line.at(tick.at) as f64)?;
                }
            }
            row += 1;
        }
        for note in &figure.notes {
            self.text(row, 0, note)?;
            row += 1;
        }
        Ok(())
    }
}

fn axis_of(figure: &Figure, axis: Direction) -> &Axis {
    if axis == Direction::X { &figure.x } else { &figure.y }
}

fn x_extent(figure: &Figure) -> (report_chart::axis::Extent, Vec<f64>) {
    let places: Vec<f64> = figure.marks.iter().flat_map(|mark| mark.values(Direction::X)).collect();
    (figure.x.extent(&places, STEPS.0), places)
}

/// Where an axis of values begins and ends, its steps and its format.
fn scale(axis: &mut ChartAxis, own: &Axis, values: &[f64], most: usize) {
    match &own.scale {
        Scale::Categories { .. } => {}
        Scale::Time => {
            let extent = own.extent(values, most);
            axis.set_min(extent.low + EXCELS_1970).set_max(extent.high + EXCELS_1970).set_num_format("dd.mm.yyyy.");
        }
        Scale::Numbers { steps, .. } => {
            let extent = own.extent(values, most);
            axis.set_min(extent.low).set_max(extent.high);
            match steps {
                Steps::Linear => axis.set_major_unit(extent.step),
                Steps::Percent => axis.set_major_unit(extent.step).set_num_format("0%"),
                // A spreadsheet's axis of ratios begins and ends at powers of ten.
                Steps::Log => axis
                    .set_log_base(10)
                    .set_min(10f64.powf((extent.low.log10() + 1e-9).floor()))
                    .set_max(10f64.powf((extent.high.log10() - 1e-9).ceil())),
            };
        }
    }
}
