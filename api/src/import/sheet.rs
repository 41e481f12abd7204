//! A CSV file in memory: its bytes read by encoding and delimiter, its cells found by the header's names.

use std::{borrow::Cow, collections::HashMap};

use anyhow::{Context, bail};
use csv::StringRecord;

use super::{
    mapping::{Delimiter, Encoding, FileOptions, Source},
    problems::Problems,
};

pub struct Sheet {
    header: StringRecord,
    columns: HashMap<String, usize>,
    rows: Vec<StringRecord>,
    blank: Vec<String>,
    /// It is a file of faulty rows of ours that was mended.
    returned: bool,
}

/// The column of a file of faulty rows that says what is wrong.
pub const FAULT_COLUMN: &str = "greška";
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
}

impl Sheet {
    pub fn read(bytes: &[u8], options: &FileOptions, problems: &mut Problems) -> anyhow::Result<Self> {
        let text = decode(bytes, options.encoding)?;
        let mut reader =
            csv::ReaderBuilder::new().delimiter(delimiter(&text, options.delimiter)).flexible(true).from_reader(text.as_bytes());
        let header = reader.headers().context("fajl nema zaglavlje")?.clone();
        let mut columns = HashMap::new();
        for (place, name) in header.iter().enumerate() {
            if columns.insert(name.trim().to_owned(), place).is_some() {
                problems.defect(1, Some(name), "kolona stoji više puta u zaglavlju");
            }
        }
        let mut rows = vec![];
        for (place, row) in reader.records().enumerate() {
            let row = row.with_context(|| format!("red {} se ne može pročitati", place + 2))?;
            if row.len() != header.len() {
                problems.defect(place + 2, None, format!("broj kolona je {}, a u zaglavlju {}", row.len(), header.len()));
            }
            rows.push(row);
        }
        let returned = columns.contains_key(FAULT_COLUMN);
        Ok(Self { header, columns, rows, blank: options.blank.clone(), returned })
    }

    pub fn has(&self, column: &str) -> bool {
        self.columns.contains_key(column)
    }

    /// The names of the columns, as they stand.
    pub fn header(&self) -> impl Iterator<Item = &str> {
        self.header.iter().map(str::trim)
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn rows(&self) -> impl Iterator<Item = SheetRow<'_>> {
        self.rows.iter().enumerate().map(|(place, cells)| SheetRow { number: place + 2, sheet: self, cells })
    }
}

impl<'a> SheetRow<'a> {
    /// The cell's text without surrounding blanks; none where it is empty or means "no value".
    pub fn cell(self, column: &str) -> Option<&'a str> {
        let text = self.as_sent(self.cells.get(*self.sheet.columns.get(column)?)?).trim();
        (!text.is_empty() && !self.sheet.blank.iter().any(|blank| blank == text)).then_some(text)
    }

    /// All cells as they were sent first.
    pub fn cells(self) -> impl Iterator<Item = &'a str> {
        self.cells.iter().map(move |text| self.as_sent(text))
    }

    /// Without the apostrophe that a file of faulty rows has got from us.
    fn as_sent(self, text: &'a str) -> &'a str {
        if self.sheet.returned { unguarded(text) } else { text }
    }

    /// The cells of `columns`, joined so that no two lists of cells join alike; none where one of them is blank.
    pub fn key(self, columns: &[String]) -> Option<String> {
        let cell = |column: &String| Some(self.cell(column)?.replace('\\', "\\\\").replace('/', "\\/"));
        columns.iter().map(cell).collect::<Option<Vec<_>>>().map(|cells| cells.join("/"))
    }

    /// What `source` gives for this row.
    pub fn text(self, source: &'a Source) -> Result<Option<Cow<'a, str>>, String> {
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
            None => Err(format!("vrednost „{}” nema prevod u mapiranju", shortened(text))),
        }
    }
}

/// A value as messages show it.
pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// What `auto` takes the encoding and the delimiter for.
pub fn detected(bytes: &[u8]) -> anyhow::Result<(Encoding, Delimiter)> {
    let text = decode(bytes, Encoding::Auto)?;
    let is_utf8 = matches!(decode(bytes, Encoding::Utf8), Ok(Cow::Borrowed(_)));
    let delimiter = match delimiter(&text, Delimiter::Auto) {
        b';' => Delimiter::Semicolon,
        b'\t' => Delimiter::Tab,
        _ => Delimiter::Comma,
    };
    Ok((if is_utf8 { Encoding::Utf8 } else { Encoding::Windows1250 }, delimiter))
}

fn decode(bytes: &[u8], encoding: Encoding) -> anyhow::Result<Cow<'_, str>> {
    let without_mark = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    match (std::str::from_utf8(without_mark), encoding) {
        (Ok(text), Encoding::Auto | Encoding::Utf8) => Ok(Cow::Borrowed(text)),
        (Err(error), Encoding::Utf8) => {
            let row = without_mark[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
            bail!("fajl nije UTF-8 (red {row})")
        }
        (_, Encoding::Auto | Encoding::Windows1250) => match encoding_rs::WINDOWS_1250.decode_without_bom_handling(bytes) {
            (text, false) => Ok(text),
            (_, true) => bail!("fajl nije Windows-1250"),
        },
    }
}

fn delimiter(text: &str, wanted: Delimiter) -> u8 {
    match wanted {
        Delimiter::Comma => b',',
        Delimiter::Semicolon => b';',
        Delimiter::Tab => b'\t',
        Delimiter::Auto => {
            let header = text.lines().next().unwrap_or_default();
            *b",;\t".iter().max_by_key(|mark| (header.bytes().filter(|byte| byte == *mark).count(), **mark == b',')).expect("three marks")
        }
    }
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
}
