//! A CSV file in memory: its bytes read by encoding and delimiter, its cells found by the header's names.

use std::{borrow::Cow, collections::HashMap};

use anyhow::bail;
use csv::StringRecord;

use super::{
    csv_file::{CsvFile, Record},
    mapping::{Delimiter, Encoding, FileOptions, Source},
    problems::{Message, Problems},
};

pub struct Sheet {
    header: StringRecord,
    columns: HashMap<String, usize>,
    rows: Vec<Record>,
    /// Of a line that repeats an instrument in an export of REDCap: the place of the line that has the rest of its record.
    heads: HashMap<usize, usize>,
    blank: Vec<String>,
    /// It is a file of our own, of faulty rows or of an export: some texts have an apostrophe that we have given them.
    returned: bool,
}

/// The column of a file of faulty rows that says what is wrong.
pub const FAULT_COLUMN: &str = "greška";
/// Columns of REDCap: which instrument a line repeats, its place among the repeats, and the event.
const REPEATED: &str = "redcap_repeat_instrument";
const REPEAT: &str = "redcap_repeat_instance";
const EVENT: &str = "redcap_event_name";
/// The first column of an export with identity (`report-engine/src/export/`).
pub const EXPORT_COLUMN: &str = "pacijent_id";
/// What a spreadsheet takes for the beginning of a formula.
const FORMULA_SIGNS: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// Whether a spreadsheet would take the text for a formula, be it behind apostrophes.
fn is_formula(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(FORMULA_SIGNS)
}

/// The text of a file that a spreadsheet opens: no formula, for an apostrophe stands before it.
pub fn guarded(text: &str) -> Option<String> {
    is_formula(text).then(|| format!("'{text}"))
}

/// What `guarded` was made of.
fn unguarded(text: &str) -> &str {
    text.strip_prefix('\'').filter(|rest| is_formula(rest)).unwrap_or(text)
}

/// A row, and its number as a spreadsheet shows it.
#[derive(Clone, Copy)]
pub struct SheetRow<'a> {
    pub number: usize,
    sheet: &'a Sheet,
    cells: &'a StringRecord,
    place: usize,
}

impl Sheet {
    pub fn read(bytes: &[u8], options: &FileOptions, problems: &mut Problems) -> anyhow::Result<Self> {
        let mut rows = CsvFile::read(bytes, options.encoding, options.delimiter)?.records;
        if rows.is_empty() {
            bail!("fajl nema zaglavlje");
        }
        let Record { number: first, cells: mut header } = rows.remove(0);
        let width = width(&header, &rows);
        header.truncate(width);
        let mut columns = HashMap::new();
        for (place, name) in header.iter().enumerate() {
            if columns.insert(name.trim().to_owned(), place).is_some() {
                problems.defect(first, Some(name), "kolona stoji više puta u zaglavlju");
            }
        }
        for Record { number, cells } in &mut rows {
            if cells.iter().skip(width).all(|cell| cell.trim().is_empty()) {
                cells.truncate(width);
            }
            if cells.len() != width {
                problems.defect(*number, None, format!("broj kolona je {}, a u zaglavlju {width}", cells.len()));
            }
        }
        let returned = columns.contains_key(FAULT_COLUMN) || header.get(0) == Some(EXPORT_COLUMN);
        let heads = heads(&columns, &rows);
        Ok(Self { header, columns, rows, heads, blank: options.blank.clone(), returned })
    }

    pub fn has(&self, column: &str) -> bool {
        self.columns.contains_key(column)
    }

    /// Whether it is an export of ours.
    pub fn is_export(&self) -> bool {
        self.header.get(0) == Some(EXPORT_COLUMN)
    }

    /// The names of the columns, as they stand.
    pub fn header(&self) -> impl Iterator<Item = &str> {
        self.header.iter().map(str::trim)
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn rows(&self) -> impl Iterator<Item = SheetRow<'_>> {
        (0..self.rows.len()).map(|place| self.row(place))
    }

    fn row(&self, place: usize) -> SheetRow<'_> {
        let Record { number, cells } = &self.rows[place];
        SheetRow { number: *number, sheet: self, cells, place }
    }
}

/// REDCap writes a record's repeats as lines of their own, which have nothing else of the record: by the place of each of them the line of its
/// record and event that has the rest.
fn heads(columns: &HashMap<String, usize>, rows: &[Record]) -> HashMap<usize, usize> {
    let Some(repeated) = columns.get(REPEATED) else { return HashMap::new() };
    let cell = |row: &Record, column: Option<&usize>| column.and_then(|at| row.cells.get(*at)).unwrap_or_default().trim().to_owned();
    let of = |row: &Record| (row.cells.get(0).unwrap_or_default().trim().to_owned(), cell(row, columns.get(EVENT)));
    let is_whole = |row: &Record| cell(row, Some(repeated)).is_empty() && cell(row, columns.get(REPEAT)).is_empty();
    let mut whole = HashMap::new();
    for (place, row) in rows.iter().enumerate().filter(|(_, row)| is_whole(row)) {
        whole.entry(of(row)).or_insert(place);
    }
    let repeats = rows.iter().enumerate().filter(|(_, row)| !cell(row, Some(repeated)).is_empty());
    repeats.filter_map(|(place, row)| Some((place, *whole.get(&of(row))?))).collect()
}

/// How many columns there are, without those at the end that have neither a name nor a value.
fn width(header: &StringRecord, rows: &[Record]) -> usize {
    let last = |cells: &StringRecord| cells.len() - cells.iter().rev().take_while(|cell| cell.trim().is_empty()).count();
    let named = last(header);
    if rows.iter().all(|row| last(&row.cells) <= named) { named } else { header.len() }
}

impl<'a> SheetRow<'a> {
    /// The line that has the rest of what this one repeats a part of.
    pub fn head(self) -> Option<Self> {
        self.sheet.heads.get(&self.place).map(|place| self.sheet.row(*place))
    }

    /// The cell's text without surrounding blanks; none where it is empty or means "no value".
    pub fn cell(self, column: &str) -> Option<&'a str> {
        let text = self.as_sent(self.cells.get(*self.sheet.columns.get(column)?)?).trim();
        (!text.is_empty() && !self.sheet.blank.iter().any(|blank| blank == text)).then_some(text)
    }

    /// All cells as they were sent first.
    pub fn cells(self) -> impl Iterator<Item = &'a str> {
        self.cells.iter().map(move |text| self.as_sent(text))
    }

    /// Without the apostrophe that a file of ours has given the text.
    fn as_sent(self, text: &'a str) -> &'a str {
        if self.sheet.returned { unguarded(text) } else { text }
    }

    /// The cells of `columns`, joined so that no two lists of cells join alike; none where one of them is blank.
    pub fn key(self, columns: &[String]) -> Option<String> {
        let cell = |column: &String| Some(self.cell(column)?.replace('\\', "\\\\").replace('/', "\\/"));
        columns.iter().map(cell).collect::<Option<Vec<_>>>().map(|cells| cells.join("/"))
    }

    /// What `source` gives for this row.
    pub fn text(self, source: &'a Source) -> Result<Option<Cow<'a, str>>, Message> {
        if let Some(constant) = &source.constant {
            return Ok(Some(Cow::Borrowed(constant)));
        }
        let Some(text) = source.column.as_deref().and_then(|column| self.cell(column)) else {
            return Ok(source.default.as_deref().map(Cow::Borrowed));
        };
        if source.translate.is_empty() {
            return Ok(Some(Cow::Borrowed(text)));
        }
        match source.translate.get(text) {
            Some(value) => Ok((!value.is_empty()).then_some(Cow::Borrowed(value))),
            None => Err(Message::from("vrednost „").hide(text).say("” nema prevod u mapiranju")),
        }
    }
}

/// What `auto` takes the encoding and the delimiter for.
pub fn detected(bytes: &[u8]) -> anyhow::Result<(Encoding, Delimiter)> {
    CsvFile::read(bytes, Encoding::Auto, Delimiter::Auto).map(|file| (file.encoding, file.delimiter))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(bytes: &[u8]) -> Vec<Option<String>> {
        let mut problems = Problems::default();
        let sheet = Sheet::read(bytes, &FileOptions::default(), &mut problems).unwrap();
        assert!(problems.defects.is_empty(), "{:?}", problems.defects);
        let row = sheet.rows().next().unwrap();
        ["ime", "grad"].map(|column| row.cell(column).map(str::to_owned)).to_vec()
    }

    #[test]
    fn encodings_marks_and_delimiters_are_told_apart() {
        let expected = vec![Some("Živojin Đušić".to_owned()), Some("Čačak".to_owned())];
        assert_eq!(cells("ime,grad\nŽivojin Đušić,Čačak\n".as_bytes()), expected);
        assert_eq!(cells("\u{FEFF}ime;grad\r\nŽivojin Đušić;\"Čačak\"\r\n".as_bytes()), expected);
        assert_eq!(cells("ime\tgrad\nŽivojin Đušić\tČačak".as_bytes()), expected);
        assert_eq!(cells(b"ime;grad\n\x8Eivojin \xD0u\x9Ai\xE6;\xC8a\xE8ak\n"), expected);
    }

    #[test]
    fn a_row_of_another_width_and_a_doubled_column_are_defects() {
        let mut problems = Problems::default();
        Sheet::read(b"a,b,a\n1,2,3\n1,2\n", &FileOptions::default(), &mut problems).unwrap();
        let texts: Vec<String> = problems.defects.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["red 1, kolona „a”: kolona stoji više puta u zaglavlju", "red 3: broj kolona je 2, a u zaglavlju 3"]);
    }

    #[test]
    fn columns_at_the_end_without_name_and_value_are_none() {
        let read = |file: &str| {
            let mut problems = Problems::default();
            let sheet = Sheet::read(file.as_bytes(), &FileOptions::default(), &mut problems).unwrap();
            let rows: Vec<(usize, Vec<String>)> = sheet.rows().map(|row| (row.number, row.cells().map(str::to_owned).collect())).collect();
            (sheet.header().count(), rows, problems.defects.len())
        };
        assert_eq!(read("a;b;;\n1;2;;;\n;;;\n3;4\n"), (2, vec![(2, vec!["1".into(), "2".into()]), (4, vec!["3".into(), "4".into()])], 0));
        let (columns, _, defects) = read("a;b;\n1;2;3\n");
        assert_eq!((columns, defects), (3, 0), "a value without a column's name is not lost");
    }
}
