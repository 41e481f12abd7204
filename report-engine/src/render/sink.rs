//! One pass over the rows that feeds every target, with caps, cancellation and clean-up.
use std::path::PathBuf;

use tokio_util::sync::CancellationToken;

use super::csv::CsvSink;
use super::document;
use super::error::RenderError;
use super::feed::{Feed, Finished, TableSink};
use super::file::OutFile;
use super::pdf::PdfSink;
use super::target::{Cap, Limits, Outcome, Overflow, Rendered, Target};
use super::xlsx::XlsxSink;
use crate::plan::{Body, Flow, Format, Plan, TablePlan, Value, grouped};

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
    let mut lanes: Vec<Lane> = targets.into_iter().map(|target| Lane::open(target, columns, limits)).collect();
    for row in rows {
        let row = row?;
        if cancel.is_cancelled() {
            return Err(RenderError::Cancelled);
        }
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
    writing: Result<Box<dyn Writing>, RenderError>,
}

/// What turns rows into one file.
trait Writing {
    fn push(&mut self, row: &[Value]) -> Result<(), RenderError>;
    fn finish(self: Box<Self>, cut: Option<&str>) -> Result<Finished, RenderError>;
}

impl Lane {
    fn open(target: Target, columns: &[String], limits: &Limits) -> Self {
        let (format, cap) = (target.plan.format, limits.of(&target.plan));
        let writing = open_writing(&target, columns, limits);
        Lane { format, path: target.path, cap, rows: 0, cut: false, writing }
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
        let Lane { format, path, rows, cut, writing, .. } = self;
        let note = cut.then(|| cut_note(rows));
        let result = writing.and_then(|writing| writing.finish(note.as_deref()));
        let result = result.map(|finished| Rendered {
            rows,
            bytes: finished.bytes,
            pages: finished.pages,
            truncated: cut,
            missing_glyphs: finished.missing_glyphs,
        });
        Outcome { format, path, result }
    }
}

/// What a file that does not hold every row says about itself.
fn cut_note(rows: u64) -> String {
    format!("IZVEŠTAJ JE SKRAĆEN: prikazano je prvih {} redova. Suzite uslove izveštaja.", grouped(rows))
}

fn open_writing(target: &Target, columns: &[String], limits: &Limits) -> Result<Box<dyn Writing>, RenderError> {
    let file = OutFile::create(&target.path, limits.bytes)?;
    match &target.plan.body {
        Body::Table(table) => {
            let feed = Feed::bind(&flat_where_needed(table, target.plan.format), columns)?;
            let sink = open_sink(&target.plan, table, file, limits.bytes)?;
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

fn open_sink(plan: &Plan, table: &TablePlan, file: OutFile, limit: u64) -> Result<Box<dyn TableSink>, RenderError> {
    let table = flat_where_needed(table, plan.format);
    Ok(match plan.format {
        Format::Csv => Box::new(CsvSink::new(&table, file, limit)?),
        Format::Pdf => Box::new(PdfSink::new(plan, &table, file, limit)?),
        Format::Xlsx => Box::new(XlsxSink::new(plan, &table, file, limit)?),
    })
}

/// Sheets and CSV carry the group columns in every row, so that a row can stand alone.
fn flat_where_needed(table: &TablePlan, format: Format) -> TablePlan {
    if format == Format::Pdf { table.clone() } else { table.flat() }
}

struct TableWriting {
    feed: Feed,
    sink: Box<dyn TableSink>,
}

impl Writing for TableWriting {
    fn push(&mut self, row: &[Value]) -> Result<(), RenderError> {
        self.feed.push(row, self.sink.as_mut())
    }

    fn finish(mut self: Box<Self>, cut: Option<&str>) -> Result<Finished, RenderError> {
        let charts = self.feed.finish(self.sink.as_mut())?;
        self.sink.finish(&charts, cut)
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

    fn finish(self: Box<Self>, cut: Option<&str>) -> Result<Finished, RenderError> {
        let blocks = self.body.blocks(&self.columns, &self.rows)?;
        document::write(&self.plan, &blocks, cut, self.file, self.limit)
    }
}
