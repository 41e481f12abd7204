//! A flowing document on the screen: its words as lines of one block, its small tables as blocks between them.
use domain::report_screen::{ScreenBlock, ScreenBlockKind, ScreenColumn, ScreenLine, ScreenLineKind, ScreenWriter};

use super::{close, contents};
use crate::plan::{Block, Format, Plan};
use crate::render::clean::legible;
use crate::render::error::RenderError;
use crate::render::feed::FileFacts;
use crate::render::file::{OutFile, explain};

pub fn write_document(plan: &Plan, blocks: &[Block], cut: Option<&str>, file: OutFile, limit: u64) -> Result<FileFacts, RenderError> {
    let failed = |error| explain(error, Format::Screen, limit);
    let mut writer = ScreenWriter::new(file, contents(&plan.heading)).map_err(failed)?;
    let mut is_text = false;
    for block in blocks {
        if let Block::Table { heads, rows } = block {
            let column = |head: &String| ScreenColumn { naslov: legible(head).into_owned(), ..ScreenColumn::default() };
            writer.begin(ScreenBlock { kolone: heads.iter().map(column).collect(), ..ScreenBlock::default() }).map_err(failed)?;
            is_text = false;
            for row in rows {
                let celije = row.iter().map(|cell| legible(cell).into_owned()).collect();
                writer.line(ScreenLine { celije, ..ScreenLine::default() }).map_err(failed)?;
            }
            continue;
        }
        let Some(line) = line_of(block) else { continue };
        if !std::mem::replace(&mut is_text, true) {
            writer.begin(ScreenBlock { vrsta: ScreenBlockKind::Tekst, ..ScreenBlock::default() }).map_err(failed)?;
        }
        writer.line(line).map_err(failed)?;
    }
    close(writer, cut, limit)
}

fn line_of(block: &Block) -> Option<ScreenLine> {
    Some(match block {
        Block::Heading { level, text } => ScreenLine::of_text(ScreenLineKind::Naslov, *level, legible(text)),
        Block::Paragraph(text) => ScreenLine::of_text(ScreenLineKind::Pasus, 0, legible(text)),
        Block::Field { label, value } => {
            let celije = vec![legible(value).into_owned()];
            ScreenLine { celije, ..ScreenLine::of_text(ScreenLineKind::Polje, 0, legible(label)) }
        }
        Block::Table { .. } | Block::Space => return None,
    })
}
