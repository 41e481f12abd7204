//! Which lines fold away under which: the rows of a group under its total, an inner group under the outer one.
//!
//! The writer of workbooks writes rows as they come and forgets their levels, so these are put into its finished sheets.
use std::io::{self, Read, Seek, Write};

use memchr::memmem;
use rust_xlsxwriter::Worksheet;
use zip::result::ZipResult;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::workbook::COMPRESSION;
use crate::plan::Group;

/// The levels of Excel.
const MOST_LEVELS: usize = 7;
/// A larger workbook stays flat: the second pass over it would take half as long again as all the rest.
const MOST_LINES: usize = 50_000;

pub struct Outline {
    /// How many groups that fold are around each level; the last is for the rows.
    around: Vec<u8>,
    /// The line that stays is the header, where no group has a total.
    above: bool,
    sheets: Vec<Levels>,
}

/// The level of each line of one sheet.
#[derive(Default)]
pub struct Levels(Vec<u8>);

impl Outline {
    pub fn of(groups: &[Group]) -> Self {
        let mut outline = Outline { around: Vec::new(), above: false, sheets: Vec::new() };
        outline.turn_to(groups);
        outline
    }

    /// The groups of another table.
    pub fn turn_to(&mut self, groups: &[Group]) {
        self.above = groups.iter().all(|group| group.footer.is_none());
        let folds = |group: &Group| if self.above { group.header.is_some() } else { group.footer.is_some() };
        let mut around = vec![0];
        for (index, group) in groups.iter().enumerate() {
            around.push((around[index] + u8::from(folds(group))).min(MOST_LEVELS as u8));
        }
        self.around = around;
    }

    pub fn begin_sheet(&mut self, sheet: &mut Worksheet) {
        self.sheets.push(Levels::default());
        sheet.group_symbols_above(self.above && self.around.last() > Some(&0));
    }

    /// Folds a line of the present sheet at this level of groups; none: a row.
    pub fn fold(&mut self, row: u32, level: Option<usize>) {
        let depth = level.and_then(|level| self.around.get(level)).or(self.around.last()).copied().unwrap_or(0);
        if let Some(sheet) = self.sheets.last_mut().filter(|_| depth > 0) {
            sheet.0.resize(row as usize, 0);
            sheet.0.push(depth);
        }
    }

    /// Whether nothing folds.
    pub fn is_flat(&self) -> bool {
        let lines: usize = self.sheets.iter().map(|sheet| sheet.0.len()).sum();
        lines == 0 || lines > MOST_LINES
    }

    /// Copies a finished workbook with the levels in its sheets.
    pub fn put_into(&self, whole: impl Read + Seek, out: impl Write) -> ZipResult<()> {
        let mut whole = ZipArchive::new(whole)?;
        let mut copy = ZipWriter::new_stream(out);
        let packed = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        let packed = packed.compression_level(Some(COMPRESSION.into()));
        for index in 0..whole.len() {
            let part = whole.by_index_raw(index)?;
            let Some(levels) = self.levels_of(part.name()).filter(|levels| !levels.0.is_empty()) else {
                copy.raw_copy_file(part)?;
                continue;
            };
            let options = packed.last_modified_time(part.last_modified().unwrap_or_default());
            copy.start_file(part.name(), options)?;
            drop(part);
            levels.put_into(whole.by_index(index)?, &mut copy)?;
        }
        copy.finish()?;
        Ok(())
    }

    fn levels_of(&self, part: &str) -> Option<&Levels> {
        let number: usize = part.strip_prefix("xl/worksheets/sheet")?.strip_suffix(".xml")?.parse().ok()?;
        self.sheets.get(number.checked_sub(1)?)
    }
}

const CHUNK: usize = 256 * 1024;
const ROW: &[u8] = b"<row r=\"";
const FORMAT: &[u8] = b"<sheetFormatPr";
/// As long as what is looked for, with the longest number of a row.
const TAIL: usize = 24;

impl Levels {
    /// Copies a sheet as the writer writes it. No text of a cell holds what begins a row: there it would be escaped.
    fn put_into(&self, mut sheet: impl Read, out: &mut impl Write) -> io::Result<()> {
        let (row, format) = (memmem::Finder::new(ROW), memmem::Finder::new(FORMAT));
        let mut is_head = true;
        let mut buffer = Vec::with_capacity(CHUNK + TAIL);
        loop {
            let read = (&mut sheet).take(CHUNK as u64).read_to_end(&mut buffer)?;
            // What begins in the tail may end in the next chunk.
            let end = if read == 0 { buffer.len() } else { buffer.len().saturating_sub(TAIL) };
            let mut done = 0;
            if is_head && let Some(place) = format.find(&buffer) {
                done = place + FORMAT.len();
                out.write_all(&buffer[..done])?;
                write!(out, " outlineLevelRow=\"{}\"", self.0.iter().max().unwrap_or(&0))?;
                is_head = false;
            }
            while let Some(place) = row.find(&buffer[done..]).map(|place| done + place + ROW.len()).filter(|place| *place <= end) {
                let digits = buffer[place..].iter().take_while(|letter| letter.is_ascii_digit()).count();
                // Behind the quotation mark of the number.
                let after = (place + digits + 1).min(buffer.len());
                out.write_all(&buffer[done..after])?;
                done = after;
                let number = std::str::from_utf8(&buffer[place..place + digits]).ok().and_then(|number| number.parse::<usize>().ok());
                let level = number.and_then(|number| self.0.get(number.checked_sub(1)?)).filter(|level| **level > 0);
                if let Some(level) = level {
                    write!(out, " outlineLevel=\"{level}\"")?;
                }
            }
            let written = done.max(end);
            out.write_all(&buffer[done..written])?;
            buffer.drain(..written);
            if read == 0 {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that gives some bytes at a time.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let count = self.0.len().min(out.len()).min(7);
            out[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    #[test]
    fn each_row_gets_its_level_wherever_the_chunks_end() {
        let filler = "x".repeat(1_000);
        let rows = |level: fn(usize) -> Option<usize>| -> String {
            let row = |number| {
                let level = level(number).map(|level| format!(" outlineLevel=\"{level}\"")).unwrap_or_default();
                format!("<row r=\"{number}\"{level} ht=\"30\"><c r=\"A{number}\"><is><t>&lt;row r={filler}</t></is></c></row>")
            };
            (1..=2_000).map(row).collect()
        };
        let levels = Levels((0..1_500).map(|index| (index % 3) as u8).collect());
        let mut out = Vec::new();
        let plain = format!("<sheetFormatPr defaultRowHeight=\"15\"/><sheetData>{}</sheetData>", rows(|_| None));
        levels.put_into(Slow(plain.as_bytes()), &mut out).unwrap();
        let expected = rows(|number| Some((number - 1) % 3).filter(|level| *level > 0 && number <= 1_500));
        let head = "<sheetFormatPr outlineLevelRow=\"2\" defaultRowHeight=\"15\"/><sheetData>";
        assert!(String::from_utf8(out).unwrap() == format!("{head}{expected}</sheetData>"));
    }
}
