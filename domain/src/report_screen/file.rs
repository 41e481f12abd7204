//! The file of a report on the screen: pages of JSON one behind the other, then what is in them and where each lies, then where that begins.
//! So a writer needs no more memory than a page, and a reader reads the pages that she shows.

use std::io::{self, Read, Seek, SeekFrom, Write};

use serde::{Deserialize, Serialize};

use super::{LINES_OF_PAGE, ScreenBlock, ScreenBlockKind, ScreenChart, ScreenContents, ScreenLine};

/// What the file begins with, with the version of its form.
const HEAD: &[u8] = b"regix-ekran 1\n";
/// Digits of the place of the contents, and a line break.
const TAIL: usize = 21;
/// Nobody writes contents of more bytes.
const MOST_CONTENTS: u64 = 64 << 20;

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Page {
    at: u64,
    bytes: u64,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Index {
    contents: ScreenContents,
    /// By block.
    pages: Vec<Vec<Page>>,
}

/// Writes blocks in their order.
pub struct ScreenWriter<W> {
    out: W,
    at: u64,
    index: Index,
    page: Vec<ScreenLine>,
}

impl<W: Write> ScreenWriter<W> {
    /// `contents` has no blocks yet.
    pub fn new(mut out: W, contents: ScreenContents) -> io::Result<Self> {
        out.write_all(HEAD)?;
        let index = Index { contents, pages: Vec::new() };
        Ok(Self { out, at: HEAD.len() as u64, index, page: Vec::new() })
    }

    pub fn contents(&self) -> &ScreenContents {
        &self.index.contents
    }

    /// Begins a block of lines, which ends the one before.
    pub fn begin(&mut self, block: ScreenBlock) -> io::Result<()> {
        self.flush_page()?;
        self.index.contents.blokovi.push(block);
        self.index.pages.push(Vec::new());
        Ok(())
    }

    /// The block under way; `None` before the first.
    pub fn block(&mut self) -> Option<&mut ScreenBlock> {
        self.index.contents.blokovi.last_mut()
    }

    /// Adds a line to the block under way; gives its page where it is full with it.
    pub fn line(&mut self, line: ScreenLine) -> io::Result<Option<Vec<ScreenLine>>> {
        self.page.push(line);
        if let Some(block) = self.block() {
            block.linija += 1;
        }
        if self.page.len() < LINES_OF_PAGE { Ok(None) } else { self.flush_page().map(Some) }
    }

    /// A block of its own.
    pub fn chart(&mut self, chart: &ScreenChart) -> io::Result<()> {
        let naslov = (!chart.naslov.is_empty()).then(|| chart.naslov.clone());
        self.begin(ScreenBlock { vrsta: ScreenBlockKind::Grafikon, naslov, ..ScreenBlock::default() })?;
        self.write_page(chart)
    }

    /// Ends the file; gives what it was written to.
    pub fn finish(mut self, cut: Option<&str>) -> io::Result<W> {
        self.flush_page()?;
        self.index.contents.skraceno = cut.map(str::to_owned);
        let index = serde_json::to_vec(&self.index)?;
        self.out.write_all(&index)?;
        self.out.write_all(format!("{:020}\n", self.at).as_bytes())?;
        Ok(self.out)
    }

    fn flush_page(&mut self) -> io::Result<Vec<ScreenLine>> {
        let page = std::mem::take(&mut self.page);
        if !page.is_empty() {
            self.write_page(&page)?;
        }
        Ok(page)
    }

    fn write_page(&mut self, page: &impl Serialize) -> io::Result<()> {
        let json = serde_json::to_vec(page)?;
        self.out.write_all(&json)?;
        let place = Page { at: self.at, bytes: json.len() as u64 };
        self.at += place.bytes;
        match self.index.pages.last_mut() {
            Some(pages) => pages.push(place),
            None => return Err(io::Error::other("a page of no block")),
        }
        Ok(())
    }
}

/// Reads what a [`ScreenWriter`] has written.
pub struct ScreenFile<R> {
    file: R,
    index: Index,
}

impl<R: Read + Seek> ScreenFile<R> {
    /// `None`: it is of an earlier form, which nobody reads any more.
    pub fn open(mut file: R) -> io::Result<Option<Self>> {
        let mut head = vec![0; HEAD.len()];
        file.seek(SeekFrom::Start(0))?;
        file.read_exact(&mut head)?;
        if head != HEAD {
            return Ok(None);
        }
        let end = file.seek(SeekFrom::End(-(TAIL as i64)))?;
        let mut tail = String::new();
        file.read_to_string(&mut tail)?;
        let at: u64 = tail.trim_end().parse().map_err(|_| broken("its end"))?;
        let length = end.checked_sub(at).filter(|length| *length <= MOST_CONTENTS).ok_or_else(|| broken("the place of its contents"))?;
        let index: Index = read(&mut file, Page { at, bytes: length })?;
        if index.contents.blokovi.len() != index.pages.len() {
            return Err(broken("its blocks"));
        }
        Ok(Some(Self { file, index }))
    }

    pub fn contents(&self) -> &ScreenContents {
        &self.index.contents
    }

    /// At most `count` lines of a block of lines from `from` on; `None`: there is no such block.
    pub fn lines(&mut self, block: usize, from: u64, count: usize) -> io::Result<Option<Vec<ScreenLine>>> {
        let is_of_lines = self.index.contents.blokovi.get(block).is_some_and(|block| block.vrsta != ScreenBlockKind::Grafikon);
        if !is_of_lines {
            return Ok(None);
        }
        let first = usize::try_from(from).unwrap_or(usize::MAX);
        let mut lines = Vec::new();
        let mut page = first / LINES_OF_PAGE;
        while lines.len() < count {
            let Some(place) = self.index.pages[block].get(page).copied() else { break };
            let all: Vec<ScreenLine> = read(&mut self.file, place)?;
            let skipped = first.saturating_sub(page * LINES_OF_PAGE);
            let room = count - lines.len();
            lines.extend(all.into_iter().skip(skipped).take(room));
            page += 1;
        }
        Ok(Some(lines))
    }

    /// `None`: the block is no chart.
    pub fn chart(&mut self, block: usize) -> io::Result<Option<ScreenChart>> {
        let is_chart = self.index.contents.blokovi.get(block).is_some_and(|block| block.vrsta == ScreenBlockKind::Grafikon);
        let place = self.index.pages.get(block).and_then(|pages| pages.first()).copied().filter(|_| is_chart);
        place.map(|place| read(&mut self.file, place)).transpose()
    }
}

fn read<T: for<'de> Deserialize<'de>>(file: &mut (impl Read + Seek), page: Page) -> io::Result<T> {
    file.seek(SeekFrom::Start(page.at))?;
    let mut json = Vec::new();
    file.take(page.bytes).read_to_end(&mut json)?;
    serde_json::from_slice(&json).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

fn broken(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("a report on the screen is broken: {what}"))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::report_screen::{ScreenColumn, ScreenLineKind};

    fn line(number: usize) -> ScreenLine {
        ScreenLine { celije: vec![number.to_string(), "č".repeat(number % 7)], ..ScreenLine::default() }
    }

    fn written() -> Vec<u8> {
        let mut writer = ScreenWriter::new(Vec::new(), ScreenContents { naslov: "Proba".to_owned(), ..ScreenContents::default() }).unwrap();
        let kolone = vec![ScreenColumn { naslov: "Broj".to_owned(), desno: true, ..ScreenColumn::default() }];
        writer.begin(ScreenBlock { kolone, ..ScreenBlock::default() }).unwrap();
        let full: Vec<usize> = (0..250).filter(|number| writer.line(line(*number)).unwrap().is_some()).collect();
        assert_eq!(full, [99, 199]);
        writer.chart(&ScreenChart { naslov: "Grafikon".to_owned(), ..ScreenChart::default() }).unwrap();
        writer.begin(ScreenBlock { vrsta: ScreenBlockKind::Tekst, ..ScreenBlock::default() }).unwrap();
        writer.line(ScreenLine::of_text(ScreenLineKind::Pasus, 0, "Kraj")).unwrap();
        writer.finish(Some("skraćeno")).unwrap()
    }

    #[test]
    fn lines_are_read_from_anywhere_across_pages() {
        let mut file = ScreenFile::open(Cursor::new(written())).unwrap().unwrap();
        let counts: Vec<u64> = file.contents().blokovi.iter().map(|block| block.linija).collect();
        assert_eq!((counts, file.contents().skraceno.as_deref()), (vec![250, 0, 1], Some("skraćeno")));
        let read = file.lines(0, 95, 120).unwrap().unwrap();
        assert_eq!(read, (95..215).map(line).collect::<Vec<_>>());
        assert_eq!(file.lines(0, 240, 100).unwrap().unwrap().len(), 10);
        assert_eq!(file.lines(0, 250, 100).unwrap(), Some(Vec::new()));
        assert_eq!(file.lines(2, 0, 100).unwrap().unwrap()[0].tekst, "Kraj");
        assert_eq!((file.lines(1, 0, 1).unwrap(), file.lines(9, 0, 1).unwrap()), (None, None));
        assert_eq!(file.chart(1).unwrap().unwrap().naslov, "Grafikon");
        assert_eq!((file.chart(0).unwrap(), file.chart(9).unwrap()), (None, None));
    }

    #[test]
    fn a_file_that_is_cut_is_refused_and_one_of_another_form_is_none() {
        let whole = written();
        for broken in [&whole[..0], &whole[..whole.len() - 1], &whole[..40]] {
            assert!(ScreenFile::open(Cursor::new(broken)).is_err());
        }
        assert!(ScreenFile::open(Cursor::new(br#"{"tabele":[],"napomena":null}"#)).unwrap().is_none());
    }
}
