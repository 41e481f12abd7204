//! A flowing document as a sheet: labels in the first column, values in the second, small tables beside one another.
use super::cell::{fit, set_lines, text_lines};
use super::formats::{Formats, Weight};
use super::workbook::{begin_workbook, save, set_up_page, write_heading};
use crate::plan::{Block, Plan};
use crate::render::clean::clean;
use crate::render::error::RenderError;
use crate::render::feed::FileFacts;
use crate::render::file::OutFile;

pub fn write_document(plan: &Plan, blocks: &[Block], cut: Option<&str>, file: OutFile, limit: u64) -> Result<FileFacts, RenderError> {
    let mut workbook = begin_workbook(&plan.heading);
    let formats = Formats::new(&[]);
    let sheet = workbook.add_worksheet();
    set_up_page(sheet, plan.page.landscape)?;
    sheet.set_name("Izveštaj")?;
    sheet.set_column_width(0, 34)?;
    sheet.set_column_width(1, 60)?;
    let mut row = write_heading(sheet, &plan.heading, &formats)?;
    for block in blocks {
        match block {
            Block::Heading { text, .. } => {
                sheet.write_string_with_format(row, 0, fit(&clean(text)), formats.band(Weight::Group))?;
                sheet.write_blank(row, 1, formats.band(Weight::Group))?;
            }
            Block::Paragraph(text) => {
                sheet.write_string(row, 0, fit(&clean(text)))?;
            }
            Block::Field { label, value } => {
                sheet.write_string_with_format(row, 0, fit(&clean(label)), &formats.note)?;
                sheet.write_string_with_format(row, 1, fit(&clean(value)), formats.text())?;
                set_lines(sheet, row, text_lines(value))?;
            }
            Block::Table { heads, rows } => {
                for (column, head) in heads.iter().enumerate() {
                    sheet.write_string_with_format(row, column as u16, fit(&clean(head)), &formats.head)?;
                }
                for cells in rows {
                    row += 1;
                    for (column, cell) in cells.iter().enumerate() {
                        sheet.write_string_with_format(row, column as u16, fit(&clean(cell)), formats.text())?;
                    }
                }
            }
            Block::Space => {}
        }
        row += 1;
    }
    if let Some(note) = cut {
        sheet.write_string_with_format(row, 0, note, formats.band(Weight::Warning))?;
    }
    save(workbook, file, limit)
}
