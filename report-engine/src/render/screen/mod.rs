//! What the screen shows of a report: the lines and charts of its PDF, in a file of pages that is read a piece at a time.
mod document;
mod figure;

use std::io;

use domain::report_screen::{
    MOST_GROUPS, ScreenBlock, ScreenCellSearch, ScreenColumn, ScreenContents, ScreenGroup, ScreenLine, ScreenLineKind, ScreenParameter,
    ScreenSearch, ScreenStart, ScreenWriter,
};
use tokio::sync::mpsc::UnboundedSender;

use super::chart::Picture;
use super::clean::legible;
use super::error::RenderError;
use super::feed::{Cells, FileFacts, Footer, GroupHeader, TableSink};
use super::file::{OutFile, explain};
use super::look::made_at;
use crate::plan::{Align, CellFormat, Column, Format, Heading, PageSetup, Plan, TablePlan, Value, show};

pub use document::write_document;

/// Nobody finds the way among more tables, one below the other.
const MOST_BLOCKS: usize = 1_000;

pub struct ScreenSink {
    writer: ScreenWriter<OutFile>,
    columns: Vec<Column>,
    /// The first row has settled on which side each column stands.
    is_settled: bool,
    /// By level the group that is open, by its place among those of the block.
    open: Vec<Option<usize>>,
    limit: u64,
    /// Who is told the first page, until she is told.
    start: Option<UnboundedSender<ScreenStart>>,
}

impl ScreenSink {
    pub fn new(
        plan: &Plan,
        table: &TablePlan,
        file: OutFile,
        limit: u64,
        start: Option<UnboundedSender<ScreenStart>>,
    ) -> Result<Self, RenderError> {
        let writer = ScreenWriter::new(file, contents(&plan.heading)).map_err(|error| explain(error, Format::Screen, limit))?;
        let mut sink = ScreenSink { writer, columns: Vec::new(), is_settled: false, open: Vec::new(), limit, start };
        sink.begin(table)?;
        Ok(sink)
    }

    fn begin(&mut self, table: &TablePlan) -> Result<(), RenderError> {
        if self.writer.contents().blokovi.len() >= MOST_BLOCKS {
            return Err(RenderError::TooManySections { format: Format::Screen, limit: MOST_BLOCKS });
        }
        let column = |(place, column): (usize, &Column)| ScreenColumn {
            naslov: legible(&column.head).into_owned(),
            desno: column.align == Some(Align::Right),
            pretraga: table.head_searches.iter().find(|(led, _)| *led == place).map(|(_, search)| search.clone()),
        };
        let mut block = ScreenBlock {
            naslov: table.title.as_deref().filter(|title| !title.is_empty()).map(|title| legible(title).into_owned()),
            statistika: table.is_analysis,
            metoda: table.method.map(str::to_owned),
            kolone: table.columns.iter().enumerate().map(column).collect(),
            napomene: table.notes.iter().map(|note| legible(note).into_owned()).collect(),
            ..ScreenBlock::default()
        };
        for (_, search) in &table.head_searches {
            tell_search(&mut block, search);
        }
        self.writer.begin(block).map_err(|error| self.failed(error))?;
        self.columns = table.columns.clone();
        self.is_settled = false;
        self.open = vec![None; table.groups.len()];
        Ok(())
    }

    fn end_table(&mut self, charts: &[Picture]) -> Result<(), RenderError> {
        self.close_groups(0);
        for picture in charts.iter().filter(|picture| picture.is_shown()) {
            self.writer.chart(&figure::chart_of(picture)).map_err(|error| self.failed(error))?;
        }
        Ok(())
    }

    fn failed(&self, error: io::Error) -> RenderError {
        explain(error, Format::Screen, self.limit)
    }

    /// How many lines the block has.
    fn count(&mut self) -> u64 {
        self.writer.block().map_or(0, |block| block.linija)
    }

    fn write(&mut self, line: ScreenLine) -> Result<(), RenderError> {
        let page = self.writer.line(line).map_err(|error| self.failed(error))?;
        if let Some(linije) = page
            && let Some(start) = self.start.take()
        {
            let mut sadrzaj = self.writer.contents().clone();
            // Where the open ones end nobody knows yet.
            sadrzaj.blokovi.iter_mut().for_each(|block| block.grupe.clear());
            // Nobody may be waiting for it.
            let _ = start.send(ScreenStart { sadrzaj, linije });
        }
        Ok(())
    }

    /// Ends the groups from this level inwards that are open still.
    fn close_groups(&mut self, from: usize) {
        let end = self.count();
        let open = self.open.iter_mut().skip(from).filter_map(Option::take).collect::<Vec<_>>();
        if let Some(block) = self.writer.block() {
            for place in open {
                if let Some(group) = block.grupe.get_mut(place) {
                    group.do_linije = end;
                }
            }
        }
    }

    /// Notes a group that can be folded; of too many none can.
    fn open_group(&mut self, level: usize, text: &str) {
        let od = self.count();
        let Some(block) = self.writer.block() else { return };
        if block.grupe.len() == MOST_GROUPS {
            block.bez_sklapanja = true;
            block.grupe.clear();
            self.open.fill(None);
        }
        if block.bez_sklapanja {
            return;
        }
        block.grupe.push(ScreenGroup { nivo: level as u8, od, do_linije: od, tekst: text.to_owned(), zbir: None });
        if let Some(open) = self.open.get_mut(level) {
            *open = Some(block.grupe.len() - 1);
        }
    }

    /// Below the table stands where its numbers lead, and why a search may show another number.
    fn tell_searches(&mut self, searches: &[ScreenCellSearch]) {
        let Some(block) = self.writer.block() else { return };
        for search in searches {
            tell_search(block, &search.pretraga);
        }
    }

    /// What the template leaves open of the sides of columns, the first row says.
    fn settle(&mut self, cells: &Cells) {
        if std::mem::replace(&mut self.is_settled, true) {
            return;
        }
        if let Some(block) = self.writer.block() {
            for ((told, column), value) in block.kolone.iter_mut().zip(&self.columns).zip(cells.iter()) {
                told.desno = column.align.unwrap_or_else(|| column.natural_align(value)) == Align::Right;
            }
        }
    }
}

fn tell_search(block: &mut ScreenBlock, search: &ScreenSearch) {
    for note in figure::notes_of(search) {
        if !block.napomene.iter().any(|known| known == note) {
            block.napomene.push(note.to_owned());
        }
    }
}

impl TableSink for ScreenSink {
    fn group_header(&mut self, header: &GroupHeader) -> Result<(), RenderError> {
        self.close_groups(header.level);
        if header.text.is_empty() {
            return Ok(());
        }
        let text = legible(header.text);
        self.open_group(header.level, &text);
        self.write(ScreenLine::of_text(ScreenLineKind::Grupa, header.level as u8, text))
    }

    fn row(&mut self, cells: &Cells) -> Result<(), RenderError> {
        self.settle(cells);
        let mut line = ScreenLine::default();
        for ((index, value), column) in cells.iter().enumerate().zip(&self.columns) {
            if column.emphasis.as_ref().is_some_and(|emphasis| emphasis.holds(value)) {
                line.istaknuto.push(index as u16);
            }
            line.celije.push(shown(value, column.format.as_ref()));
        }
        line.pretrage = cells.searches();
        self.tell_searches(&line.pretrage);
        self.write(line)
    }

    fn footer(&mut self, footer: &Footer) -> Result<(), RenderError> {
        let vrsta = if footer.level.is_some() { ScreenLineKind::Zbir } else { ScreenLineKind::Ukupno };
        let mut line = ScreenLine::of_text(vrsta, footer.level.unwrap_or(0) as u8, legible(footer.label));
        line.celije = footer.cells.iter().zip(&self.columns).map(|(value, column)| shown(value, column.format.as_ref())).collect();
        let Some(level) = footer.level else {
            let is_filled = |search: &&ScreenCellSearch| footer.cells.get(usize::from(search.kolona)).is_some_and(|value| !value.is_null());
            line.pretrage = footer.searches.iter().filter(is_filled).cloned().collect();
            self.close_groups(0);
            return self.write(line);
        };
        self.close_groups(level + 1);
        self.write(line.clone())?;
        let place = self.open.get(level).copied().flatten();
        if let (Some(place), Some(block)) = (place, self.writer.block())
            && let Some(group) = block.grupe.get_mut(place)
        {
            group.zbir = Some(line);
        }
        self.close_groups(level);
        Ok(())
    }

    fn section(&mut self, charts: &[Picture], table: &TablePlan, _: PageSetup) -> Result<(), RenderError> {
        // The start is of one table; that of several small ones would be its first alone.
        self.start = None;
        self.end_table(charts)?;
        self.begin(table)
    }

    fn finish(mut self: Box<Self>, charts: &[Picture], cut: Option<&str>) -> Result<FileFacts, RenderError> {
        self.end_table(charts)?;
        let ScreenSink { writer, limit, .. } = *self;
        close(writer, cut, limit)
    }
}

/// Ends the file and keeps it.
fn close(writer: ScreenWriter<OutFile>, cut: Option<&str>, limit: u64) -> Result<FileFacts, RenderError> {
    let bytes = writer.finish(cut).and_then(OutFile::keep).map_err(|error| explain(error, Format::Screen, limit))?;
    Ok(FileFacts { bytes, ..FileFacts::default() })
}

fn shown(value: &Value, format: Option<&CellFormat>) -> String {
    legible(&show(value, format)).into_owned()
}

fn contents(heading: &Heading) -> ScreenContents {
    let parameter = |(naziv, vrednost): &(String, String)| ScreenParameter {
        naziv: legible(naziv).into_owned(),
        vrednost: legible(vrednost).into_owned(),
    };
    ScreenContents {
        naslov: legible(&heading.naslov).into_owned(),
        podnaslov: heading.podnaslov.as_deref().map(|text| legible(text).into_owned()),
        ustanova: heading.ustanova.clone(),
        radnik: heading.radnik_ime_prezime.clone(),
        generisano: made_at(heading.generisano),
        parametri: heading.parametri.iter().map(parameter).collect(),
        ..ScreenContents::default()
    }
}
