//! Flowing documents: the blocks a template declared, as pages, as a sheet, on the screen, or as lines of label and value; and the print of an entry.
mod chart;
mod drawing;
pub mod entry;
mod finish;
mod frame;
mod layout;
mod pdf;
pub mod photo;

pub use finish::text;

use super::csv::write_pairs;
use super::error::RenderError;
use super::feed::FileFacts;
use super::file::OutFile;
use super::look::made_at;
use super::screen;
use super::xlsx::write_document;
use crate::plan::{Block, Format, Heading, Plan};

pub fn write(plan: &Plan, blocks: &[Block], cut: Option<&str>, file: OutFile, limit: u64) -> Result<FileFacts, RenderError> {
    match plan.format {
        Format::Pdf => pdf::write(plan, blocks, cut, file, limit),
        Format::Xlsx => write_document(plan, blocks, cut, file, limit),
        Format::Screen => screen::write_document(plan, blocks, cut, file, limit),
        Format::Csv => {
            let mut lines = heading_lines(&plan.heading);
            lines.extend(blocks.iter().flat_map(lines_of));
            lines.extend(cut.map(|note| vec![note.to_owned()]));
            Ok(FileFacts { bytes: write_pairs(file, limit, &lines)?, ..FileFacts::default() })
        }
    }
}

fn heading_lines(heading: &Heading) -> Vec<Vec<String>> {
    let parametri = heading.parametri.iter().map(|(naziv, vrednost)| vec![naziv.clone(), vrednost.clone()]);
    let first = [vec![heading.naslov.clone()], vec!["Ustanova".to_owned(), heading.ustanova.clone()]];
    first.into_iter().chain(parametri).chain([vec![made_at(heading.generisano)]]).collect()
}

fn lines_of(block: &Block) -> Vec<Vec<String>> {
    match block {
        Block::Heading { text, .. } | Block::Paragraph(text) => vec![vec![text.clone()]],
        Block::Field { label, value } => vec![vec![label.clone(), value.clone()]],
        Block::Table { heads, rows } => std::iter::once(heads).chain(rows).cloned().collect(),
        Block::Space => vec![vec![String::new()]],
    }
}
