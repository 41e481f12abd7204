//! A file of separated values as another program wrote it: its text by its encoding, its delimiter, and the lines that say something.
//! Data and dictionaries are read by it alike.

use std::borrow::Cow;

use anyhow::{Context, bail};
use csv::StringRecord;

use super::mapping::{Delimiter, Encoding};

pub struct CsvFile {
    /// What the text was read by.
    pub encoding: Encoding,
    pub delimiter: Delimiter,
    /// Without those whose cells are all blank.
    pub records: Vec<Record>,
}

pub struct Record {
    /// As a spreadsheet numbers its rows: blank ones count, a line that names the delimiter does not.
    pub number: usize,
    pub cells: StringRecord,
}

const NO_CSV: &str = "Fajl nije CSV. U programu za tabele ga snimite kao CSV (UTF-8).";
/// More than any hospital exports at once; a file of delimiters or of line ends alone would fill the memory.
const MOST_COLUMNS: usize = 5_000;
const MOST_ROWS: usize = 500_000;
/// Each costs eight bytes, whatever little it says.
const MOST_CELLS: usize = 25_000_000;
const LITTLE_ENDIAN: &[u8] = b"\xFF\xFE";
const BIG_ENDIAN: &[u8] = b"\xFE\xFF";

impl CsvFile {
    pub fn read(bytes: &[u8], encoding: Encoding, delimiter: Delimiter) -> anyhow::Result<Self> {
        let (text, encoding) = decode(bytes, encoding)?;
        let (named, text) = without_delimiter_line(&text);
        let delimiter = match delimiter {
            Delimiter::Auto => named.unwrap_or_else(|| recognised(text)),
            said => said,
        };
        Ok(Self { encoding, delimiter, records: records(text, delimiter.byte())? })
    }
}

fn records(text: &str, delimiter: u8) -> anyhow::Result<Vec<Record>> {
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).has_headers(false).flexible(true).from_reader(text.as_bytes());
    let mut records = vec![];
    let (mut number, mut end, mut count) = (0, 0, 0);
    let mut cells = StringRecord::new();
    loop {
        // The reader passes over lines without any character, which a spreadsheet shows.
        number += 1 + blank_lines(text, end);
        if !reader.read_record(&mut cells).with_context(|| format!("red {number} se ne može pročitati"))? {
            return Ok(records);
        }
        if cells.len() > MOST_COLUMNS {
            bail!("red {number} ima više od {MOST_COLUMNS} kolona");
        }
        if records.len() == MOST_ROWS {
            bail!("fajl ima više od {MOST_ROWS} redova: podelite ga");
        }
        end = usize::try_from(reader.position().byte()).unwrap_or(text.len());
        if cells.iter().any(|cell| !cell.trim().is_empty()) {
            count += cells.len();
            if count > MOST_CELLS {
                bail!("fajl ima više od {MOST_CELLS} ćelija: podelite ga");
            }
            records.push(Record { number, cells: cells.clone() });
        }
    }
}

/// Empty lines from the place where a record has ended.
fn blank_lines(text: &str, end: usize) -> usize {
    let (before, mut rest) = text.split_at_checked(end).unwrap_or((text, ""));
    if before.ends_with('\r') {
        rest = rest.strip_prefix('\n').unwrap_or(rest);
    }
    let mut count = 0;
    while let Some(after) = ["\r\n", "\n", "\r"].iter().find_map(|mark| rest.strip_prefix(mark)) {
        rest = after;
        count += 1;
    }
    if rest.is_empty() { 0 } else { count }
}

/// Excel's first line `sep=;`, which is no row.
fn without_delimiter_line(text: &str) -> (Option<Delimiter>, &str) {
    let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
    let line = line.trim_end_matches('\r');
    let line = line.strip_prefix('"').and_then(|line| line.strip_suffix('"')).unwrap_or(line);
    let named = line.get(..4).filter(|start| start.eq_ignore_ascii_case("sep=")).and_then(|_| Delimiter::of(&line[4..]));
    named.map_or((None, text), |named| (Some(named), rest))
}

/// The mark that the first line that says something has most of, outside of quotes.
fn recognised(text: &str) -> Delimiter {
    let is_named = |line: &&str| line.chars().any(char::is_alphanumeric);
    let header = text.lines().find(is_named).unwrap_or_default();
    let mut counts = [(Delimiter::Comma, 0), (Delimiter::Semicolon, 0), (Delimiter::Tab, 0)];
    let mut quoted = false;
    for byte in header.bytes() {
        quoted ^= byte == b'"';
        if let Some((_, count)) = counts.iter_mut().find(|(mark, _)| !quoted && mark.byte() == byte) {
            *count += 1;
        }
    }
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or_default();
    counts.iter().find(|(_, count)| *count == most).map_or(Delimiter::Comma, |(mark, _)| *mark)
}

/// The text without a byte order mark, and the encoding that it was in.
fn decode(bytes: &[u8], encoding: Encoding) -> anyhow::Result<(Cow<'_, str>, Encoding)> {
    let wide = match (bytes.get(..2), encoding) {
        (Some(LITTLE_ENDIAN), _) => Some(encoding_rs::UTF_16LE),
        (Some(BIG_ENDIAN), _) => Some(encoding_rs::UTF_16BE),
        (_, Encoding::Utf16) => Some(encoding_rs::UTF_16LE),
        _ => None,
    };
    if let Some(wide) = wide {
        let (text, faulty) = wide.decode_with_bom_removal(bytes);
        return match encoding {
            Encoding::Auto | Encoding::Utf16 if !faulty && !text.contains('\0') => Ok((text, Encoding::Utf16)),
            Encoding::Auto | Encoding::Utf16 => bail!("fajl nije UTF-16"),
            Encoding::Utf8 | Encoding::Windows1250 => bail!("fajl je UTF-16: izaberite taj kodni raspored"),
        };
    }
    if bytes.contains(&0) {
        bail!(NO_CSV);
    }
    let without_mark = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    match (std::str::from_utf8(without_mark), encoding) {
        (Ok(text), Encoding::Auto | Encoding::Utf8) => Ok((Cow::Borrowed(text), Encoding::Utf8)),
        (Err(error), Encoding::Utf8) => {
            let row = without_mark[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
            bail!("fajl nije UTF-8 (red {row})")
        }
        _ => match encoding_rs::WINDOWS_1250.decode_without_bom_handling(bytes) {
            (text, false) => Ok((text, Encoding::Windows1250)),
            (_, true) => bail!("fajl nije Windows-1250"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> CsvFile {
        CsvFile::read(bytes, Encoding::Auto, Delimiter::Auto).unwrap()
    }

    fn rows(file: &CsvFile) -> Vec<(usize, Vec<&str>)> {
        file.records.iter().map(|record| (record.number, record.cells.iter().collect())).collect()
    }

    fn wide(text: &str, mark: &[u8], bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        mark.iter().copied().chain(text.encode_utf16().flat_map(bytes)).collect()
    }

    #[test]
    fn excels_encodings_and_its_line_of_the_delimiter_are_read() {
        let text = "sep=;\r\nime;grad\r\nŽivojin;Niš, centar\r\n";
        let expected = vec![(1, vec!["ime", "grad"]), (2, vec!["Živojin", "Niš, centar"])];
        let files = [
            (wide(text, LITTLE_ENDIAN, u16::to_le_bytes), Encoding::Utf16),
            (wide(text, BIG_ENDIAN, u16::to_be_bytes), Encoding::Utf16),
            (format!("\u{FEFF}{text}").into_bytes(), Encoding::Utf8),
            (encoding_rs::WINDOWS_1250.encode(text).0.into_owned(), Encoding::Windows1250),
            (text.replace("sep=;", "\"SEP=;\"").into_bytes(), Encoding::Utf8),
        ];
        for (bytes, encoding) in files {
            let file = read(&bytes);
            assert_eq!((rows(&file), file.encoding, file.delimiter), (expected.clone(), encoding, Delimiter::Semicolon));
        }
    }

    #[test]
    fn blank_lines_are_no_rows_and_count_as_rows() {
        let file = read(b";;\r\na;b;c\r\n1;2;3\r\n;; \r\n\r\n\n4;\"x\ny\";6\r\n;;\r\n7;8;9\r\n\r\n;;\r\n");
        let expected = vec![(2, vec!["a", "b", "c"]), (3, vec!["1", "2", "3"]), (7, vec!["4", "x\ny", "6"]), (9, vec!["7", "8", "9"])];
        assert_eq!(rows(&file), expected);
    }

    #[test]
    fn a_delimiter_within_quotes_is_none() {
        let file = read(b"\"Choices, Calculations, OR Labels\";name\n1;2\n");
        assert_eq!((file.delimiter, file.records[1].cells.len()), (Delimiter::Semicolon, 2));
        assert_eq!(read(b"samo\n1\n").delimiter, Delimiter::Comma);
    }

    #[test]
    fn more_columns_or_rows_than_anybody_has_are_refused_before_they_fill_the_memory() {
        let refused = |text: String| CsvFile::read(text.as_bytes(), Encoding::Auto, Delimiter::Auto).err().unwrap().to_string();
        assert_eq!(refused("a,".repeat(2_000_000)), "red 1 ima više od 5000 kolona");
        assert_eq!(refused("a\n".repeat(MOST_ROWS + 1)), "fajl ima više od 500000 redova: podelite ga");
        let wide = format!("a{}\n", ",".repeat(MOST_COLUMNS - 1));
        assert_eq!(refused(wide.repeat(MOST_CELLS / MOST_COLUMNS + 1)), "fajl ima više od 25000000 ćelija: podelite ga");
    }

    /// Some megabytes of one line, one cell, a quotation without an end, marks alone.
    #[test]
    fn a_file_that_is_one_line_or_one_cell_is_read_in_one_pass() {
        let length = 4 << 20;
        let started = std::time::Instant::now();
        let read = |text: &str| CsvFile::read(text.as_bytes(), Encoding::Auto, Delimiter::Auto);
        assert_eq!(read(&"x".repeat(length)).unwrap().records.len(), 1);
        assert_eq!(read(&format!("a,b\n\"{}", "x,\n".repeat(length / 3))).unwrap().records[1].cells.len(), 1, "a quotation without an end");
        assert_eq!(read(&"\"".repeat(length)).unwrap().records.len(), 1);
        assert_eq!(read(&"\n".repeat(length)).unwrap().records.len(), 0);
        assert!(read(&",".repeat(length)).is_err() && read(&"\r,".repeat(length / 2)).is_ok());
        assert!(started.elapsed() < std::time::Duration::from_secs(60), "{:?}", started.elapsed());
    }

    #[test]
    fn what_is_no_text_of_the_encoding_is_refused() {
        let refused = |bytes: &[u8], encoding| CsvFile::read(bytes, encoding, Delimiter::Auto).err().unwrap().to_string();
        assert_eq!(refused(b"PK\x03\x04\0\0", Encoding::Auto), NO_CSV);
        assert_eq!(refused(b"a\n\x8E\n", Encoding::Utf8), "fajl nije UTF-8 (red 2)");
        assert_eq!(refused(b"\xFF\xFEa", Encoding::Auto), "fajl nije UTF-16");
        assert_eq!(refused(b"\xFF\xFEa\0", Encoding::Utf8), "fajl je UTF-16: izaberite taj kodni raspored");
        assert_eq!(refused(b"a\0", Encoding::Windows1250), NO_CSV);
    }
}
