//! A flowing document (a patient's card, a letter): its block is rendered once over all rows and records the blocks
//! of the page in reading order.
use handlebars::{Handlebars, RenderError};
use serde_json::{Map, Value as Json};

use super::band::Piece;
use super::call::Call;
use super::declaration::{Declaration, Record, Shared};
use super::language;
use crate::plan::{Block, FillDocument, TemplateError, Value};

/// What stands between the declarations is white space, some for each row.
const MAX_PRINTED: usize = 32 * 1024 * 1024;

/// The block of `{{#document}}`, waiting for its rows.
#[derive(Clone, Debug)]
pub struct DocumentBody {
    band: Piece,
}

impl DocumentBody {
    pub fn new(band: Piece) -> Self {
        DocumentBody { band }
    }
}

impl FillDocument for DocumentBody {
    /// Renders the block over `rows` (as `redovi`) and returns what it declared.
    fn blocks(&self, columns: &[String], rows: &[Vec<Value>]) -> Result<Vec<Block>, TemplateError> {
        let redovi = rows.iter().map(|row| Json::Object(row_to_json(columns, row))).collect();
        let recorded = Shared::new(Vec::new());
        let mut registry = self.band.registry();
        register(&mut registry, &recorded);
        let data = Map::from_iter([("redovi".to_owned(), redovi)]);
        let printed = self.band.fill_with(&registry, data, MAX_PRINTED)?;
        if let Some(stray) = printed.lines().find(|line| !line.trim().is_empty()) {
            return Err(TemplateError::new(format!("Tekst van naredbi: „{}“", stray.trim())));
        }
        let blocks = std::mem::take(&mut *recorded.lock());
        Ok(blocks)
    }
}

fn row_to_json(columns: &[String], row: &[Value]) -> Map<String, Json> {
    columns.iter().cloned().zip(row.iter().map(Value::to_json)).collect()
}

fn register(registry: &mut Handlebars<'_>, recorded: &Shared<Vec<Block>>) {
    let mut add = |word: &'static language::Word, open: Record<Vec<Block>>, close: Option<Record<Vec<Block>>>| {
        registry.register_helper(word.name, Box::new(Declaration { recorder: recorded.clone(), word, open, close }));
    };
    add(&language::HEADING, heading, None);
    add(&language::PARAGRAPH, paragraph, None);
    add(&language::FIELD, field, None);
    add(&language::SPACE, |blocks, _| push(blocks, Block::Space), None);
    add(&language::TABLE, table, Some(|_, _| Ok(())));
    add(&language::ROW, |blocks, call| row(blocks, call), None);
}

fn push(blocks: &mut Vec<Block>, block: Block) -> Result<(), RenderError> {
    blocks.push(block);
    Ok(())
}

fn heading(blocks: &mut Vec<Block>, call: &Call) -> Result<(), RenderError> {
    let level = call.number("level", 1.0..=3.0)?.unwrap_or(1.0) as u8;
    push(blocks, Block::Heading { level, text: call.texts().concat() })
}

fn paragraph(blocks: &mut Vec<Block>, call: &Call) -> Result<(), RenderError> {
    push(blocks, Block::Paragraph(call.texts().concat()))
}

fn field(blocks: &mut Vec<Block>, call: &Call) -> Result<(), RenderError> {
    push(blocks, Block::Field { label: call.param(0)?, value: call.param(1)? })
}

fn table(blocks: &mut Vec<Block>, call: &Call) -> Result<(), RenderError> {
    call.required_block()?;
    let heads = call.texts();
    if heads.is_empty() {
        return Err(call.refuse("traži zaglavlja kolona"));
    }
    push(blocks, Block::Table { heads, rows: Vec::new() })
}

fn row(blocks: &mut [Block], call: &Call) -> Result<(), RenderError> {
    let cells = call.texts();
    match blocks.last_mut() {
        Some(Block::Table { heads, rows }) if heads.len() == cells.len() => {
            rows.push(cells);
            Ok(())
        }
        Some(Block::Table { heads, .. }) => Err(call.refuse(&format!("traži {} ćelija", heads.len()))),
        _ => Err(call.refuse("stoji samo u bloku „table“")),
    }
}
