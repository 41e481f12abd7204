//! Tables and drawings for the site: JSON with the cells as they are read, and each drawing as SVG in two widths with the table of its numbers.
use std::io::Write;

use report_chart::{Size, to_svg};
use serde::Serialize;

use super::chart::Picture;
use super::error::RenderError;
use super::feed::{Cells, FileFacts, Footer, GroupHeader, TableSink};
use super::file::{OutFile, explain};
use crate::plan::{Align, Format, PageSetup, TablePlan, show};

/// Of a wide screen and of a telephone, in pixels.
const WIDE: (f64, f64) = (760.0, 380.0);
const NARROW: (f64, f64) = (340.0, 320.0);
/// Rows of the numbers of one drawing.
const MOST_NUMBERS: usize = 2_000;

pub struct ScreenSink {
    file: OutFile,
    limit: u64,
    shown: Vec<ShownTable>,
    note: Option<String>,
}

#[derive(Serialize)]
struct ShownTable {
    naslov: String,
    zaglavlja: Vec<ShownHead>,
    redovi: Vec<Vec<String>>,
    napomene: Vec<String>,
    slike: Vec<ShownPicture>,
}

#[derive(Serialize)]
struct ShownHead {
    tekst: String,
    desno: bool,
}

#[derive(Serialize)]
struct ShownPicture {
    naslov: String,
    svg: Option<String>,
    /// The same for a narrow screen.
    uska: Option<String>,
    /// Why there is no drawing.
    greska: Option<String>,
    zaglavlja: Vec<String>,
    redovi: Vec<Vec<String>>,
}

impl ShownTable {
    fn of(plan: &TablePlan) -> Self {
        let head = |column: &crate::plan::Column| ShownHead { tekst: column.head.clone(), desno: column.align == Some(Align::Right) };
        Self {
            naslov: plan.title.clone().unwrap_or_default(),
            zaglavlja: plan.columns.iter().map(head).collect(),
            redovi: Vec::new(),
            napomene: plan.notes.clone(),
            slike: Vec::new(),
        }
    }
}

impl ShownPicture {
    fn of(picture: &Picture) -> Self {
        let figure = &picture.figure;
        let drawn = |(width, height)| to_svg(figure, Size::screen(width, height)).ok();
        let mut numbers = report_chart::table::table(figure);
        numbers.rows.truncate(MOST_NUMBERS);
        let is_whole = picture.fault.is_none();
        Self {
            naslov: figure.title.clone(),
            svg: drawn(WIDE).filter(|_| is_whole),
            uska: drawn(NARROW).filter(|_| is_whole),
            greska: picture.refusal(),
            zaglavlja: numbers.heads,
            redovi: numbers.rows,
        }
    }
}

#[derive(Serialize)]
struct Screen {
    tabele: Vec<ShownTable>,
    napomena: Option<String>,
}

impl ScreenSink {
    pub fn new(plan: &TablePlan, file: OutFile, limit: u64) -> Self {
        ScreenSink { file, limit, shown: vec![ShownTable::of(plan)], note: None }
    }

    fn draw(&mut self, charts: &[Picture]) {
        if let Some(table) = self.shown.last_mut() {
            table.slike.extend(charts.iter().filter(|picture| picture.is_shown()).map(ShownPicture::of));
        }
    }
}

impl TableSink for ScreenSink {
    fn group_header(&mut self, _: &GroupHeader) -> Result<(), RenderError> {
        Ok(())
    }

    fn row(&mut self, cells: &Cells) -> Result<(), RenderError> {
        if let Some(table) = self.shown.last_mut() {
            table.redovi.push(cells.iter().map(|cell| show(cell, None)).collect());
        }
        Ok(())
    }

    fn footer(&mut self, _: &Footer) -> Result<(), RenderError> {
        Ok(())
    }

    fn section(&mut self, charts: &[Picture], table: &TablePlan, _: PageSetup) -> Result<(), RenderError> {
        self.draw(charts);
        self.shown.push(ShownTable::of(table));
        Ok(())
    }

    fn finish(mut self: Box<Self>, charts: &[Picture], cut: Option<&str>) -> Result<FileFacts, RenderError> {
        self.draw(charts);
        self.note = cut.map(str::to_owned);
        let ScreenSink { mut file, limit, shown, note } = *self;
        let faulty = |error| explain(error, Format::Screen, limit);
        let written = serde_json::to_vec(&Screen { tabele: shown, napomena: note }).map_err(|error| faulty(error.into()))?;
        file.write_all(&written).map_err(faulty)?;
        Ok(FileFacts { bytes: file.keep().map_err(faulty)?, ..FileFacts::default() })
    }
}
