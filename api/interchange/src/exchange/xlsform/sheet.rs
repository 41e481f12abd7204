//! A sheet of a workbook, row by row, and what a workbook may be.

use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap, HashSet},
    io::{Cursor, Read},
    rc::Rc,
};

use calamine::{DataRef, Reader, Xlsx};

use crate::exchange::report::Note;

/// What a workbook may unpack to, and in how many parts: a small file can say much.
const MOST_UNPACKED: u64 = 64 << 20;
const MOST_PARTS: usize = 500;
const MOST_ROWS: u32 = 20_000;
const MOST_COLUMNS: u32 = 300;
const MOST_CELLS: usize = 300_000;
const LONGEST_CELL: usize = 20_000;

/// A row of a sheet by its columns' names.
pub struct Row {
    sheet: &'static str,
    pub number: u32,
    cells: HashMap<String, String>,
    /// The columns of the sheet in their order.
    columns: Rc<Vec<String>>,
    /// In lower case, as the settings name it.
    language: Rc<String>,
    /// What was asked of the row: whatever else it has is not carried.
    read: RefCell<HashSet<String>>,
}

impl Row {
    pub fn get(&self, column: &str) -> &str {
        self.read.borrow_mut().insert(column.to_owned());
        self.cells.get(column).map(String::as_str).unwrap_or_default()
    }

    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// In the plain column, else in Serbian, else in the form's own language, else in the first one that there is.
    pub fn worded(&self, column: &str) -> &str {
        let plain = self.get(column);
        if !plain.is_empty() {
            return plain;
        }
        let prefix = format!("{column}::");
        let there = |name: &&String| name.starts_with(&prefix) && self.cells.get(*name).is_some_and(|text| !text.is_empty());
        let is_serbian = |name: &str| name.contains("(sr") || name.contains("srpski") || name.contains("serbian");
        let is_own = |name: &str| {
            let own = self.language.as_str();
            let language = &name[prefix.len()..];
            !own.is_empty() && (language == own || language.ends_with(&format!("({own})")))
        };
        let first = self.columns.iter().filter(there).min_by_key(|name| (!is_serbian(name), !is_own(name)));
        first.map(|name| self.get(name)).unwrap_or_default()
    }

    /// What the row has and nobody asked for, in the order of the columns.
    pub fn unread(&self) -> Vec<(&str, &str)> {
        let read = self.read.borrow();
        let unread = self.columns.iter().filter(|name| !read.contains(*name));
        unread.filter_map(|name| Some((name.as_str(), self.cells.get(name)?.as_str()))).collect()
    }

    pub fn has_read(&self, column: &str) -> bool {
        self.read.borrow().contains(column)
    }

    pub fn place(&self, column: &str) -> String {
        if column.is_empty() {
            format!("{}, red {}", self.sheet, self.number)
        } else {
            format!("{}, red {}, kolona „{column}”", self.sheet, self.number)
        }
    }

    pub fn is_yes(&self, column: &str) -> bool {
        matches!(self.get(column).to_lowercase().as_str(), "yes" | "true" | "true()" | "1" | "da")
    }

    pub fn is_no(&self, column: &str) -> bool {
        matches!(self.get(column).to_lowercase().as_str(), "" | "no" | "false" | "false()" | "0" | "ne")
    }
}

pub fn no_book() -> Note {
    Note::new("", "Fajl nije ispravan .xlsx.")
}

/// Unpacks every part and counts: what a packed file says of its size need not be so.
pub fn refuse_bomb(bytes: &[u8]) -> Result<(), Note> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(|_| no_book())?;
    let too_big = || Note::new("", "Fajl se raspakuje u previše podataka.");
    if archive.len() > MOST_PARTS {
        return Err(too_big());
    }
    let mut left = MOST_UNPACKED;
    for at in 0..archive.len() {
        let part = archive.by_index(at).map_err(|_| no_book())?;
        let read = std::io::copy(&mut part.take(left + 1), &mut std::io::sink()).map_err(|_| no_book())?;
        left = left.checked_sub(read).ok_or_else(too_big)?;
    }
    Ok(())
}

/// Cell by cell, never as a rectangle: one cell far away would make it huge.
/// `language`: of the form, where its settings name one.
pub fn sheet<R: Read + std::io::Seek>(book: &mut Xlsx<R>, wanted: &'static str, language: &str) -> Result<Option<Vec<Row>>, Note> {
    let Some(name) = book.sheet_names().into_iter().find(|name| name.to_lowercase() == wanted) else { return Ok(None) };
    let unread = || Note::new(format!("list „{wanted}”"), "List se ne može pročitati.");
    let mut reader = book.worksheet_cells_reader(&name).map_err(|_| unread())?;
    let mut cells: BTreeMap<u32, BTreeMap<u32, String>> = BTreeMap::new();
    let mut count = 0;
    while let Some(cell) = reader.next_cell().map_err(|_| unread())? {
        let text = shown(cell.get_value());
        if text.is_empty() {
            continue;
        }
        let (row, column) = cell.get_position();
        count += 1;
        if row >= MOST_ROWS || column >= MOST_COLUMNS || count > MOST_CELLS || text.len() > LONGEST_CELL {
            let place = format!("list „{wanted}”, red {}", row.saturating_add(1));
            return Err(Note::new(
                place,
                format!("List je prevelik: najviše {MOST_ROWS} redova, {MOST_COLUMNS} kolona i {LONGEST_CELL} znakova u ćeliji."),
            ));
        }
        cells.entry(row).or_default().insert(column, text);
    }
    let mut rows = cells.into_iter();
    let Some((_, header)) = rows.next() else { return Ok(Some(Vec::new())) };
    let header: BTreeMap<u32, String> = header.into_iter().map(|(column, name)| (column, plain_header(&name))).collect();
    let mut columns: Vec<String> = header.values().cloned().collect();
    let mut met = HashSet::new();
    columns.retain(|name| met.insert(name.clone()));
    let (columns, language) = (Rc::new(columns), Rc::new(language.trim().to_lowercase()));
    let row = |(number, cells): (u32, BTreeMap<u32, String>)| {
        let cells = cells.into_iter().filter_map(|(column, text)| Some((header.get(&column)?.clone(), text)));
        let (columns, language) = (Rc::clone(&columns), Rc::clone(&language));
        Row { sheet: wanted, number: number + 1, cells: cells.collect(), columns, language, read: RefCell::default() }
    };
    Ok(Some(rows.map(row).collect()))
}

/// A column's name as the specification has it: older forms write one colon before a language, spaces, and other words.
fn plain_header(name: &str) -> String {
    let name = name.trim().to_lowercase();
    let (base, language) = match name.split_once(':') {
        Some((base, language)) => (base.trim(), Some(language.trim_start_matches(':').trim())),
        None => (name.as_str(), None),
    };
    let base = base.split_whitespace().collect::<Vec<_>>().join("_");
    let base = match base.as_str() {
        "caption" => "label",
        "command" => "type",
        "relevance" => "relevant",
        "calculate" => "calculation",
        "constraint_msg" | "constraining_message" => "constraint_message",
        "requiredmsg" | "required_msg" => "required_message",
        "readonly" => "read_only",
        "title" | "set_form_title" => "form_title",
        "id_string" | "set_form_id" => "form_id",
        "list_name" | "name" | "value" => return base,
        other => other,
    };
    language.map_or_else(|| base.to_owned(), |language| format!("{base}::{language}"))
}

fn shown(value: &DataRef<'_>) -> String {
    match value {
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) => number.to_string(),
        DataRef::String(text) => text.trim().to_owned(),
        DataRef::SharedString(text) => text.trim().to_owned(),
        DataRef::Bool(yes) => (if *yes { "true" } else { "false" }).to_owned(),
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
        DataRef::DateTime(moment) if moment.is_datetime() => {
            let (year, month, day, ..) = moment.to_ymd_hms_milli();
            format!("{year:04}-{month:02}-{day:02}")
        }
        DataRef::DateTime(moment) => moment.as_f64().to_string(),
        DataRef::Error(_) | DataRef::Empty => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_older_forms_are_known() {
        for (old, now) in [
            ("label:English", "label::english"),
            ("Label::Srpski (sr)", "label::srpski (sr)"),
            ("constraint message", "constraint_message"),
            ("relevance", "relevant"),
            ("read only", "read_only"),
            ("list name", "list_name"),
            ("media::audio::chinese", "media::audio::chinese"),
        ] {
            assert_eq!(plain_header(old), now);
        }
    }
}
