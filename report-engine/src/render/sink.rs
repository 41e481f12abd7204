//! One pass over the rows that feeds every target, with caps, cancellation and clean-up.
use std::path::PathBuf;
use std::rc::Rc;

use domain::report_screen::ScreenStart;
use report_chart::Figure;
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

use super::analysis::{Gathering, Gatherings};
use super::chart::{ChartData, Picture};
use super::cross::CrossData;
use super::csv::CsvSink;
use super::document;
use super::error::RenderError;
use super::feed::{Feed, FileFacts, HeadingBand, TableSink};
use super::file::OutFile;
use super::pdf::PdfSink;
use super::screen::ScreenSink;
use super::target::{Cap, Limits, Outcome, Overflow, RenderedFile, Target};
use super::totals::column_index;
use super::xlsx::XlsxSink;
use crate::plan::{Body, Column, Flow, Format, PageSetup, Plan, Section, Sections, Source, TablePlan, Value, grouped, show};

/// What the last line of a CSV begins with where it is a note: readers of data leave out such lines when they are told of the sign.
const CSV_NOTE: &str = "# ";

/// Rows after which a cancelled run notices it.
const ROWS_BETWEEN_ASKING: usize = 16;

/// Renders every target from one pass over `rows`.
///
/// A target that fails (too many rows, a template fault) leaves the others running and removes its own partial file.
/// The call as a whole fails when the producer of rows fails or when `cancel` fires; then no file is left behind.
/// `columns` are the names of the result's columns, in the order of the cells.
pub fn render(
    targets: Vec<Target>,
    columns: &[String],
    rows: impl Iterator<Item = Result<Vec<Value>, RenderError>>,
    limits: &Limits,
    cancel: &CancellationToken,
) -> Result<Vec<Outcome>, RenderError> {
    let mut gatherings = Gatherings::default();
    let mut lanes: Vec<Lane> = targets.into_iter().map(|target| Lane::open(target, columns, limits, &mut gatherings)).collect();
    for (number, row) in rows.enumerate() {
        let row = row?;
        // Asking takes a lock.
        if number % ROWS_BETWEEN_ASKING == 0 && cancel.is_cancelled() {
            return Err(RenderError::Cancelled);
        }
        gatherings.add(&row);
        lanes.iter_mut().for_each(|lane| lane.push(&row));
        if lanes.iter().all(Lane::is_closed) {
            break;
        }
    }
    let mut outcomes = Vec::with_capacity(lanes.len());
    for lane in lanes {
        if cancel.is_cancelled() {
            discard(&outcomes);
            return Err(RenderError::Cancelled);
        }
        outcomes.push(lane.finish());
    }
    Ok(outcomes)
}

/// Deletes what was finished before the run was cancelled.
fn discard(outcomes: &[Outcome]) {
    for outcome in outcomes.iter().filter(|outcome| outcome.result.is_ok()) {
        // Best effort: the sweep of temporary files finds what could not be deleted.
        let _ = std::fs::remove_file(&outcome.path);
    }
}

/// One target under way.
struct Lane {
    format: Format,
    path: PathBuf,
    cap: Cap,
    rows: u64,
    cut: bool,
    /// Of a CSV, which has no heading to say it in.
    notices: Vec<String>,
    writing: Result<Box<dyn Writing>, RenderError>,
}

/// What turns rows into one file.
trait Writing {
    fn push(&mut self, row: &[Value]) -> Result<(), RenderError>;
    fn finish(self: Box<Self>, cut: Option<&str>) -> Result<FileFacts, RenderError>;
}

impl Lane {
    fn open(target: Target, columns: &[String], limits: &Limits, gatherings: &mut Gatherings) -> Self {
        let (format, cap) = (target.plan.format, limits.of(&target.plan));
        let writing = open_writing(&target, columns, limits, gatherings);
        let notices = if format == Format::Csv { target.notices } else { Vec::new() };
        Lane { format, path: target.path, cap, rows: 0, cut: false, notices, writing }
    }

    /// Takes no more rows: it failed, or its cap is reached and the file says so.
    fn is_closed(&self) -> bool {
        self.cut || self.writing.is_err()
    }

    fn push(&mut self, row: &[Value]) {
        if self.is_closed() {
            return;
        }
        if self.rows == self.cap.rows {
            match self.cap.overflow {
                Overflow::Cut => self.cut = true,
                Overflow::Fail => {
                    self.writing = Err(RenderError::TooManyRows { format: self.format, limit: self.cap.rows });
                }
            }
            return;
        }
        self.rows += 1;
        if let Ok(writing) = &mut self.writing
            && let Err(error) = writing.push(row)
        {
            self.writing = Err(error);
        }
    }

    fn finish(self) -> Outcome {
        let Lane { format, path, rows, cut, notices, writing, .. } = self;
        let note = cut.then(|| cut_note(rows));
        let note = if format == Format::Csv { marked(notices.into_iter().chain(note)) } else { note };
        let result = writing.and_then(|writing| writing.finish(note.as_deref()));
        let result = result.map(|finished| RenderedFile {
            rows,
            bytes: finished.bytes,
            pages: finished.pages,
            truncated: cut,
            missing_glyphs: finished.missing_glyphs,
        });
        Outcome { format, path, result }
    }
}

/// The last line of a CSV, by which a person and a program tell that it is no row; none where nothing is to be said.
fn marked(notes: impl Iterator<Item = String>) -> Option<String> {
    let notes: Vec<String> = notes.collect();
    (!notes.is_empty()).then(|| format!("{CSV_NOTE}{}", notes.join(" ")))
}

/// What a file that does not hold every row says about itself.
fn cut_note(rows: u64) -> String {
    format!("IZVEŠTAJ JE SKRAĆEN: prikazano je prvih {} redova. Suzite uslove izveštaja.", grouped(rows))
}

fn open_writing(
    target: &Target,
    columns: &[String],
    limits: &Limits,
    gatherings: &mut Gatherings,
) -> Result<Box<dyn Writing>, RenderError> {
    let file = OutFile::create(&target.path, limits.bytes)?;
    match &target.plan.body {
        Body::Table(table) if table.sections.is_some() => SectionsWriting::open(target, table, columns, limits.bytes, file),
        Body::Table(table) if table.cross.is_some() => CrossWriting::open(target, table, columns, limits, file),
        Body::Table(table) if !table.analyses.is_empty() => {
            let gathering = gatherings.of(&table.analyses, columns, limits.analyses)?;
            AnalysesWriting::open(target, table, columns, limits.bytes, (file, gathering))
        }
        Body::Table(table) => {
            let feed = bind(&flat_where_needed(table, target.plan.format), target.plan.format, columns)?;
            let sink = open_sink(&target.plan, table, file, limits.bytes, target.start.clone())?;
            Ok(Box::new(TableWriting { feed, sink }))
        }
        Body::Document(document) => Ok(Box::new(DocumentWriting {
            body: document.clone(),
            plan: target.plan.clone(),
            columns: columns.to_vec(),
            rows: Vec::new(),
            file,
            limit: limits.bytes,
        })),
    }
}

/// `start` is told the first lines of what the screen shows, where its rows are shown as they come.
fn open_sink(
    plan: &Plan,
    table: &TablePlan,
    file: OutFile,
    limit: u64,
    start: Option<UnboundedSender<ScreenStart>>,
) -> Result<Box<dyn TableSink>, RenderError> {
    let table = flat_where_needed(table, plan.format);
    Ok(match plan.format {
        Format::Csv => Box::new(CsvSink::new(&table, file, limit)?),
        Format::Pdf => Box::new(PdfSink::new(plan, &table, file, limit)?),
        Format::Xlsx => Box::new(XlsxSink::new(plan, &table, file, limit)?),
        Format::Screen => Box::new(ScreenSink::new(plan, &table, file, limit, start)?),
    })
}

/// Sheets and CSV carry the group columns in every row, so that a row can stand alone.
fn flat_where_needed(table: &TablePlan, format: Format) -> TablePlan {
    if format.has_groups() { table.clone() } else { table.flat() }
}

fn bind(table: &TablePlan, format: Format, names: &[String]) -> Result<Feed, RenderError> {
    match format {
        Format::Csv => Feed::bind_rows(table, names),
        Format::Pdf | Format::Xlsx | Format::Screen => Feed::bind(table, names),
    }
}

struct TableWriting {
    feed: Feed,
    sink: Box<dyn TableSink>,
}

impl Writing for TableWriting {
    fn push(&mut self, row: &[Value]) -> Result<(), RenderError> {
        self.feed.push(row, self.sink.as_mut())
    }

    fn finish(mut self: Box<Self>, cut: Option<&str>) -> Result<FileFacts, RenderError> {
        let charts = self.feed.finish(self.sink.as_mut())?;
        self.sink.finish(&charts, cut)
    }
}

/// The height of the figure of an analysis, in points.
const HEIGHT_OF_FIGURE: f32 = 240.0;

/// The rows, where the template has columns, and below them the tables of its analyses.
struct AnalysesWriting {
    rows: Option<TableWriting>,
    /// Charts of rows that are not shown; they stand below the last table.
    charts: Vec<ChartData>,
    names: Vec<String>,
    gathering: Rc<Gathering>,
    plan: Plan,
    /// Until the first table is there, where no rows are shown.
    file: Option<OutFile>,
    notes: Vec<String>,
    limit: u64,
}

impl AnalysesWriting {
    fn open(
        target: &Target,
        table: &TablePlan,
        columns: &[String],
        limit: u64,
        (file, gathering): (OutFile, Rc<Gathering>),
    ) -> Result<Box<dyn Writing>, RenderError> {
        let plan = target.plan.clone();
        if table.is_of_analyses() {
            let (notes, names) = (table.notes.clone(), columns.to_vec());
            let charts = table.charts.iter().map(|chart| ChartData::bind(chart, columns)).collect::<Result<_, _>>()?;
            return Ok(Box::new(AnalysesWriting { rows: None, charts, names, gathering, plan, file: Some(file), notes, limit }));
        }
        let feed = bind(&flat_where_needed(table, plan.format), plan.format, columns)?;
        let sink = open_sink(&plan, table, file, limit, target.start.clone())?;
        let rows = Some(TableWriting { feed, sink });
        let (charts, names) = (Vec::new(), Vec::new());
        Ok(Box::new(AnalysesWriting { rows, charts, names, gathering, plan, file: None, notes: Vec::new(), limit }))
    }
}

impl Writing for AnalysesWriting {
    fn push(&mut self, row: &[Value]) -> Result<(), RenderError> {
        self.gathering.check()?;
        self.charts.iter_mut().try_for_each(|chart| chart.add(row, &self.names))?;
        self.rows.as_mut().map_or(Ok(()), |rows| rows.push(row))
    }

    fn finish(mut self: Box<Self>, cut: Option<&str>) -> Result<FileFacts, RenderError> {
        let tables = self.gathering.tables()?;
        let mut charts = Vec::new();
        let mut open: Option<Box<dyn TableSink>> = None;
        if let Some(TableWriting { feed, mut sink }) = self.rows.take() {
            charts = feed.finish(sink.as_mut())?;
            open = Some(sink);
        }
        for (place, made) in tables.iter().enumerate() {
            let (mut table, names) = made.plan();
            if place + 1 == tables.len() {
                table.notes.append(&mut self.notes);
            }
            let mut sink = match open.take() {
                Some(mut sink) => {
                    sink.section(&std::mem::take(&mut charts), &table, self.plan.page)?;
                    sink
                }
                None => {
                    let file = self.file.take().ok_or_else(|| RenderError::Io(std::io::Error::other("the file is taken")))?;
                    open_sink(&self.plan, &table, file, self.limit, None)?
                }
            };
            let mut feed = Feed::bind(&table, &names)?;
            for row in made.filled_rows() {
                feed.push(&row, sink.as_mut())?;
            }
            feed.finish(sink.as_mut())?;
            let picture = |figure: &Figure| {
                let searches = made.figure_searches.clone();
                Picture { searches, ..Picture::new(figure.clone(), HEIGHT_OF_FIGURE) }
            };
            charts = made.figure.iter().map(picture).collect();
            open = Some(sink);
        }
        charts.extend(self.charts.iter().map(ChartData::picture));
        let sink = open.ok_or_else(|| RenderError::Io(std::io::Error::other("no table")))?;
        sink.finish(&charts, cut)
    }
}

/// A cross-table: its columns are known when all rows are there.
struct CrossWriting {
    data: CrossData,
    charts: Vec<ChartData>,
    names: Vec<String>,
    plan: Plan,
    /// Lines that the format may hold.
    most_lines: u64,
    file: OutFile,
    limit: u64,
}

impl CrossWriting {
    fn open(
        target: &Target,
        table: &TablePlan,
        columns: &[String],
        limits: &Limits,
        file: OutFile,
    ) -> Result<Box<dyn Writing>, RenderError> {
        let plan = target.plan.clone();
        let lines = match plan.format {
            Format::Pdf => limits.pdf,
            Format::Xlsx => limits.xlsx,
            Format::Csv => limits.csv,
            Format::Screen => limits.screen,
        };
        let cross = table.cross.as_ref().ok_or_else(|| RenderError::Io(std::io::Error::other("no cross-table")))?;
        Ok(Box::new(CrossWriting {
            data: CrossData::bind(table, cross, columns)?,
            charts: table.charts.iter().map(|chart| ChartData::bind(chart, columns)).collect::<Result<_, _>>()?,
            names: columns.to_vec(),
            plan,
            most_lines: lines.rows,
            file,
            limit: limits.bytes,
        }))
    }
}

impl Writing for CrossWriting {
    fn push(&mut self, row: &[Value]) -> Result<(), RenderError> {
        self.charts.iter_mut().try_for_each(|chart| chart.add(row, &self.names))?;
        self.data.add(row)
    }

    fn finish(self: Box<Self>, cut: Option<&str>) -> Result<FileFacts, RenderError> {
        let format = self.plan.format;
        if self.data.lines() > self.most_lines {
            return Err(RenderError::TooManyRows { format, limit: self.most_lines });
        }
        let (table, names, rows) = self.data.table(format);
        let mut feed = Feed::bind(&table, &names)?;
        let mut sink = open_sink(&self.plan, &table, self.file, self.limit, None)?;
        for row in rows {
            feed.push(&row, sink.as_mut())?;
        }
        feed.finish(sink.as_mut())?;
        let charts: Vec<Picture> = self.charts.iter().map(ChartData::picture).collect();
        sink.finish(&charts, cut)
    }
}

/// Tables of a report one after the other: each begins where the value of a column changes.
struct SectionsWriting {
    sections: Sections,
    by: usize,
    names: Vec<String>,
    plan: Plan,
    /// Until the first row says which section is the first.
    file: Option<OutFile>,
    limit: u64,
    open: Option<OpenSection>,
}

struct OpenSection {
    value: Value,
    title: String,
    feed: Feed,
    sink: Box<dyn TableSink>,
}

impl SectionsWriting {
    fn open(target: &Target, table: &TablePlan, columns: &[String], limit: u64, file: OutFile) -> Result<Box<dyn Writing>, RenderError> {
        let sections = table.sections.clone().ok_or_else(|| RenderError::Io(std::io::Error::other("no sections")))?;
        // A fault in any of them is found before any row.
        for section in &sections.list {
            Feed::bind(&section.table, columns)?;
            section.heading.as_ref().map(|band| HeadingBand::bind(band, columns)).transpose()?;
        }
        let by = column_index(columns, &sections.by)?;
        let (names, plan) = (columns.to_vec(), target.plan.clone());
        Ok(Box::new(SectionsWriting { sections, by, names, plan, file: Some(file), limit, open: None }))
    }

    /// The table of a section as its format shows it.
    fn table(&self, section: &Section, title: &str) -> TablePlan {
        let mut table = flat_where_needed(&section.table, self.plan.format);
        let is_by = |column: &Column| matches!(&column.source, Source::Field(field) if *field == self.sections.by);
        if self.plan.format == Format::Csv && !table.columns.iter().any(is_by) {
            table.columns.insert(0, Column::plain(&self.sections.head, &self.sections.by));
        }
        table.title = Some(title.to_owned());
        table
    }

    fn begin(&mut self, row: &[Value]) -> Result<(), RenderError> {
        let value = row[self.by].clone();
        let shown = show(&value, None);
        let Some(section) = self.sections.of(&shown) else {
            return Err(RenderError::NoSection { column: self.sections.by.clone(), value: shown });
        };
        let title = match &section.heading {
            Some(band) => HeadingBand::bind(band, &self.names)?.fill(row)?,
            None => shown,
        };
        let (table, page) = (self.table(section, &title), section.page);
        let feed = bind(&table, self.plan.format, &self.names)?;
        let sink = match self.open.take() {
            None => self.first_sink(&table, page)?,
            Some(OpenSection { title, feed, mut sink, .. }) => {
                let charts = titled(feed.finish(sink.as_mut())?, &title);
                sink.section(&charts, &table, page)?;
                sink
            }
        };
        self.open = Some(OpenSection { value, title, feed, sink });
        Ok(())
    }

    fn first_sink(&mut self, table: &TablePlan, page: PageSetup) -> Result<Box<dyn TableSink>, RenderError> {
        let plan = Plan { page, ..self.plan.clone() };
        let file = self.file.take().ok_or_else(|| RenderError::Io(std::io::Error::other("the file is taken")))?;
        open_sink(&plan, table, file, self.limit, None)
    }
}

/// Charts that say which section they are of.
fn titled(mut charts: Vec<Picture>, title: &str) -> Vec<Picture> {
    for chart in charts.iter_mut().filter(|_| !title.is_empty()) {
        let own = &mut chart.figure.title;
        *own = if own.is_empty() { title.to_owned() } else { format!("{own} – {title}") };
    }
    charts
}

impl Writing for SectionsWriting {
    fn push(&mut self, row: &[Value]) -> Result<(), RenderError> {
        if self.open.as_ref().is_none_or(|open| open.value != row[self.by]) {
            self.begin(row)?;
        }
        match &mut self.open {
            Some(open) => open.feed.push(row, open.sink.as_mut()),
            None => Ok(()),
        }
    }

    fn finish(mut self: Box<Self>, cut: Option<&str>) -> Result<FileFacts, RenderError> {
        let Some(OpenSection { title, feed, mut sink, .. }) = self.open.take() else {
            let first = &self.sections.list[0];
            let (page, table) = (first.page, TablePlan { title: None, ..self.table(first, "") });
            return self.first_sink(&table, page)?.finish(&[], cut);
        };
        let charts = titled(feed.finish(sink.as_mut())?, &title);
        sink.finish(&charts, cut)
    }
}

struct DocumentWriting {
    body: Flow,
    plan: Plan,
    columns: Vec<String>,
    rows: Vec<Vec<Value>>,
    file: OutFile,
    limit: u64,
}

impl Writing for DocumentWriting {
    fn push(&mut self, row: &[Value]) -> Result<(), RenderError> {
        self.rows.push(row.to_vec());
        Ok(())
    }

    fn finish(self: Box<Self>, cut: Option<&str>) -> Result<FileFacts, RenderError> {
        let blocks = self.body.blocks(&self.columns, &self.rows)?;
        document::write(&self.plan, &blocks, cut, self.file, self.limit)
    }
}
