//! The PDF of a table: rows become pages at once, so memory does not grow with the report.
mod chart;
mod columns;
mod content;
mod embed;
mod font;
mod look;
mod marks;
mod metadata;
mod objects;
mod paper;
mod rows;
mod tags;

use super::chart::Picture;
use super::clean::legible;
use super::error::RenderError;
use super::feed::{Cells, FileFacts, Footer, GroupHeader, TableSink};
use super::file::{OutFile, explain};
use crate::plan::{Column, Format, PageSetup, Plan, TablePlan, Value, write_value};
use columns::{Measures, Place, lay_out, told_of_narrow};
use content::{TextStyle, Unit};
use font::Weight;
use paper::Paper;
use rows::{RowLook, TextBox};
use tags::Tag;

/// What is left above a table of statistics that follows on the page, and the room that its title, heads and first rows need there.
const SPACE_OF_ANALYSIS: Unit = 1_600;
const ROOM_OF_ANALYSIS: Unit = 11_000;

pub struct PdfSink {
    paper: Paper,
    columns: Vec<Column>,
    /// Empty until the first row has settled the layout.
    places: Vec<Place>,
    measures: Measures,
    /// The newest row, drawn when what follows it is known: a total never stands on a page without a row that it adds up.
    boxes: Vec<TextBox>,
    row_waits: bool,
    /// The totals that end with the waiting row.
    feet: Vec<Foot>,
    /// The header texts of the groups that are open, by level.
    open_groups: Vec<String>,
    /// Levels whose header waits for the row it must not be parted from.
    waiting: Vec<usize>,
    page_break_waits: bool,
    notes: Vec<String>,
    limit: u64,
}

/// A line of totals.
struct Foot {
    level: Option<usize>,
    boxes: Vec<TextBox>,
}

impl PdfSink {
    pub fn new(plan: &Plan, table: &TablePlan, file: OutFile, limit: u64) -> Result<Self, RenderError> {
        let paper = Paper::begin(&plan.heading, plan.page, file).map_err(|error| explain(error, Format::Pdf, limit))?;
        let mut sink = PdfSink {
            paper,
            columns: table.columns.clone(),
            places: Vec::new(),
            measures: Measures::of(plan.page.size),
            boxes: Vec::new(),
            row_waits: false,
            feet: Vec::new(),
            open_groups: vec![String::new(); table.groups.len()],
            waiting: Vec::new(),
            page_break_waits: false,
            notes: table.notes.clone(),
            limit,
        };
        sink.draw_title(table).map_err(|error| sink.failed(error))?;
        Ok(sink)
    }

    /// The heading of a section.
    fn draw_title(&mut self, table: &TablePlan) -> std::io::Result<()> {
        if let Some(title) = &table.title {
            self.paper.tagged(Tag::Heading(2), look::SECTION, title, 1700)?;
            self.paper.y += 700;
        }
        Ok(())
    }

    /// Ends the table under way and begins the one of another section on a page of its own, or a table of statistics below it.
    fn turn_to(&mut self, charts: &[Picture], table: &TablePlan, page: PageSetup) -> std::io::Result<()> {
        self.end_table(charts)?;
        if !table.is_analysis {
            self.paper.turn_to(page)?;
        } else if self.paper.room() < ROOM_OF_ANALYSIS {
            self.paper.turn()?;
        } else {
            self.paper.y += SPACE_OF_ANALYSIS;
        }
        self.columns = table.columns.clone();
        self.places.clear();
        self.boxes.clear();
        self.open_groups = vec![String::new(); table.groups.len()];
        self.waiting.clear();
        self.page_break_waits = false;
        self.notes = table.notes.clone();
        self.draw_title(table)
    }

    fn style(&self, weight: Weight) -> TextStyle {
        TextStyle { weight, size: self.measures.size, color: look::INK }
    }

    fn row_look(&self) -> RowLook {
        let style = self.style(Weight::Regular);
        RowLook { style, fill: None, rule_above: None, rule_below: Some(look::HAIRLINE), repeats: false }
    }

    fn group_look(&self, level: usize) -> RowLook {
        let fill = look::GROUP_FILLS[level.min(look::GROUP_FILLS.len() - 1)];
        RowLook { style: self.style(Weight::Bold), fill: Some(fill), rule_above: None, rule_below: None, repeats: false }
    }

    fn footer_look(&self, level: Option<usize>) -> RowLook {
        let style = self.style(Weight::Bold);
        match level {
            Some(_) => RowLook { style, fill: None, rule_above: Some(look::MUTED), rule_below: Some(look::HAIRLINE), repeats: false },
            None => RowLook {
                style,
                fill: Some(look::SUMMARY_FILL),
                rule_above: Some(look::ACCENT),
                rule_below: Some(look::ACCENT),
                repeats: false,
            },
        }
    }

    /// Settles the layout by the first row and puts the column heads on the page.
    fn begin_table(&mut self, cells: &Cells) -> std::io::Result<()> {
        let sample: Vec<&Value> = cells.iter().collect();
        self.places = lay_out(&self.columns, &sample, self.measures, &mut self.paper);
        if let Some(note) = told_of_narrow(&self.places, &mut self.paper) {
            self.paper.paragraph(look::SMALL, &note, 1050)?;
            self.paper.y += 300;
        }
        rows::draw_heads(&mut self.paper, &self.places, self.measures, false)
    }

    fn fill_boxes(&mut self, cells: &Cells) {
        let style = self.style(Weight::Regular);
        self.boxes.resize_with(self.places.len(), || TextBox::new(0, 0, String::new()));
        for (((text_box, place), column), value) in self.boxes.iter_mut().zip(&self.places).zip(&self.columns).zip(cells.iter()) {
            text_box.emphasised = column.emphasis.as_ref().is_some_and(|emphasis| emphasis.holds(value));
            text_box.text.clear();
            write_legibly(&mut text_box.text, value, place);
            text_box.x = place.x;
            text_box.width = place.width;
            text_box.align = place.align;
            text_box.break_lines(&mut self.paper.fonts, style, place.limit);
        }
    }

    /// A box over the whole width.
    fn full_box(&mut self, text: &str, style: TextStyle) -> TextBox {
        let mut text_box = TextBox::new(self.paper.left(), self.paper.inner_width(), legible(text).into_owned());
        text_box.break_lines(&mut self.paper.fonts, style, self.measures.limit(text_box.width));
        text_box.span = self.places.len().max(1) as u16;
        text_box
    }

    /// Puts the waiting group headers above the row in `boxes`, on a new page when they would be parted from it.
    fn draw_waiting_headers(&mut self) -> std::io::Result<()> {
        let style = self.style(Weight::Bold);
        let mut headers = Vec::new();
        for level in std::mem::take(&mut self.waiting) {
            let text = self.open_groups[level].clone();
            if !text.is_empty() {
                headers.push((level, self.full_box(&text, style)));
            }
        }
        let headers_height = headers.iter().map(|(_, header)| rows::height(std::slice::from_ref(header), self.measures)).sum();
        let too_low = !headers.is_empty() && self.paper.room() < headers_height + self.least_part(headers_height);
        if std::mem::take(&mut self.page_break_waits) || too_low {
            rows::turn(&mut self.paper, &self.places, self.measures)?;
        }
        for (level, header) in &headers {
            let look = self.group_look(*level);
            rows::draw(&mut self.paper, &self.places, std::slice::from_ref(header), look, self.measures)?;
        }
        Ok(())
    }

    /// How much of the row in `boxes` must stand under headers of the given height: all of it, and its totals, where a page can hold
    /// them together.
    fn least_part(&self, headers_height: Unit) -> Unit {
        let page = rows::page_room(&self.paper, &self.places, self.measures);
        let row = rows::height(&self.boxes, self.measures);
        let line = self.measures.leading + 2 * self.measures.pad_y;
        [row + self.feet_height(), row].into_iter().find(|part| headers_height + part <= page).unwrap_or(line)
    }

    fn feet_height(&self) -> Unit {
        self.feet.iter().map(|foot| rows::height(&foot.boxes, self.measures) + self.space_below(foot.level)).sum()
    }

    fn space_below(&self, level: Option<usize>) -> Unit {
        if level == Some(0) { self.measures.leading / 3 } else { 0 }
    }

    /// Turns the page before a row that does not fit, and repeats the headers of the open groups above it.
    fn make_room(&mut self) -> std::io::Result<()> {
        let whole = rows::height(&self.boxes, self.measures);
        if self.paper.room() >= whole + self.feet_height() {
            return Ok(());
        }
        let row = self.least_part(0);
        if self.paper.room() >= row || whole > rows::page_room(&self.paper, &self.places, self.measures) {
            return Ok(());
        }
        rows::turn(&mut self.paper, &self.places, self.measures)?;
        for level in 0..self.open_groups.len() {
            if self.open_groups[level].is_empty() {
                continue;
            }
            let text = format!("{} (nastavak)", self.open_groups[level]);
            let look = RowLook { repeats: true, ..self.group_look(level) };
            let header = self.full_box(&text, look.style);
            if self.paper.room() < row + rows::height(std::slice::from_ref(&header), self.measures) {
                break;
            }
            rows::draw(&mut self.paper, &self.places, &[header], look, self.measures)?;
        }
        Ok(())
    }

    fn take_row(&mut self, cells: &Cells) -> std::io::Result<()> {
        self.draw_waiting()?;
        if self.places.is_empty() {
            self.begin_table(cells)?;
        }
        self.fill_boxes(cells);
        self.row_waits = true;
        Ok(())
    }

    /// Draws the row that waits, with the headers above it and the totals below.
    fn draw_waiting(&mut self) -> std::io::Result<()> {
        if !std::mem::take(&mut self.row_waits) {
            return Ok(());
        }
        if self.waiting.is_empty() {
            self.make_room()?;
        } else {
            self.draw_waiting_headers()?;
        }
        let look = self.row_look();
        rows::draw(&mut self.paper, &self.places, &self.boxes, look, self.measures)?;
        for foot in std::mem::take(&mut self.feet) {
            self.draw_foot(&foot)?;
        }
        Ok(())
    }

    fn take_foot(&mut self, footer: &Footer) -> std::io::Result<()> {
        let boxes = self.footer_boxes(footer, self.footer_look(footer.level).style);
        let foot = Foot { level: footer.level, boxes };
        if self.row_waits {
            self.feet.push(foot);
            return Ok(());
        }
        self.draw_foot(&foot)
    }

    fn draw_foot(&mut self, foot: &Foot) -> std::io::Result<()> {
        if self.paper.room() < rows::height(&foot.boxes, self.measures) {
            rows::turn(&mut self.paper, &self.places, self.measures)?;
        }
        let look = self.footer_look(foot.level);
        rows::draw(&mut self.paper, &self.places, &foot.boxes, look, self.measures)?;
        self.paper.y += self.space_below(foot.level);
        Ok(())
    }

    /// The label over the columns in front of the first total, then the totals under their columns.
    fn footer_boxes(&mut self, footer: &Footer, style: TextStyle) -> Vec<TextBox> {
        let first_total = footer.cells.iter().position(|value| !value.is_null());
        let label_end = first_total.unwrap_or(self.places.len());
        let label_width: Unit = self.places[..label_end].iter().map(|place| place.width).sum();
        let mut boxes = Vec::new();
        if label_width > 0 {
            let label = TextBox::new(self.paper.left(), label_width, legible(footer.label).into_owned());
            boxes.push(TextBox { span: label_end as u16, ..label });
        }
        for (index, (place, value)) in self.places.iter().zip(footer.cells).enumerate() {
            if index < label_end {
                continue;
            }
            let mut text = String::new();
            if index == 0 && !footer.label.is_empty() {
                text = format!("{} ", legible(footer.label));
            }
            write_legibly(&mut text, value, place);
            boxes.push(TextBox { align: place.align, ..TextBox::new(place.x, place.width, text) });
        }
        for text_box in &mut boxes {
            text_box.break_lines(&mut self.paper.fonts, style, self.measures.limit(text_box.width));
        }
        boxes
    }

    fn end_table(&mut self, charts: &[Picture]) -> std::io::Result<()> {
        self.draw_waiting()?;
        if self.places.is_empty() {
            self.paper.paragraph(look::SUBTITLE, "Nema podataka za zadate uslove.", 1600)?;
        }
        self.paper.end_table()?;
        self.draw_notes()?;
        for chart in charts {
            chart::draw(&mut self.paper, chart)?;
        }
        Ok(())
    }

    fn draw_end(&mut self, charts: &[Picture], cut: Option<&str>) -> std::io::Result<()> {
        self.end_table(charts)?;
        if let Some(note) = cut {
            self.draw_warning(note)?;
        }
        if !self.paper.fonts.missing().is_empty() {
            self.draw_warning("Pismo izveštaja nema neke znakove; na njihovom mestu stoji znak \u{FFFD}.")?;
        }
        Ok(())
    }

    fn draw_notes(&mut self) -> std::io::Result<()> {
        for note in std::mem::take(&mut self.notes) {
            self.paper.y += 300;
            self.paper.paragraph(look::SMALL, &note, 1050)?;
        }
        Ok(())
    }

    fn draw_warning(&mut self, text: &str) -> std::io::Result<()> {
        let style = TextStyle { color: look::WARNING, ..self.style(Weight::Bold) };
        let text_box = self.full_box(text, style);
        let look = RowLook {
            style,
            fill: Some(look::WARNING_FILL),
            rule_above: Some(look::WARNING),
            rule_below: Some(look::WARNING),
            repeats: false,
        };
        self.paper.y += self.measures.leading;
        if self.paper.room() < rows::height(std::slice::from_ref(&text_box), self.measures) {
            self.paper.turn()?;
        }
        rows::draw(&mut self.paper, &[], &[text_box], look, self.measures)
    }

    fn failed(&self, error: std::io::Error) -> RenderError {
        explain(error, Format::Pdf, self.limit)
    }
}

impl TableSink for PdfSink {
    fn group_header(&mut self, header: &GroupHeader) -> Result<(), RenderError> {
        self.draw_waiting().map_err(|error| self.failed(error))?;
        self.open_groups[header.level] = header.text.to_owned();
        self.waiting.push(header.level);
        self.page_break_waits |= header.new_page;
        Ok(())
    }

    fn row(&mut self, cells: &Cells) -> Result<(), RenderError> {
        self.take_row(cells).map_err(|error| self.failed(error))
    }

    fn footer(&mut self, footer: &Footer) -> Result<(), RenderError> {
        self.take_foot(footer).map_err(|error| self.failed(error))
    }

    fn section(&mut self, charts: &[Picture], table: &TablePlan, page: PageSetup) -> Result<(), RenderError> {
        self.turn_to(charts, table, page).map_err(|error| self.failed(error))
    }

    fn finish(mut self: Box<Self>, charts: &[Picture], cut: Option<&str>) -> Result<FileFacts, RenderError> {
        self.draw_end(charts, cut).map_err(|error| self.failed(error))?;
        let limit = self.limit;
        self.paper.finish(cut.is_some()).map_err(|error| explain(error, Format::Pdf, limit))
    }
}

/// Appends a cell; only texts can hold what a page cannot show.
fn write_legibly(out: &mut String, value: &Value, place: &Place) {
    match value {
        Value::Text(text) => out.push_str(&legible(text)),
        _ => write_value(out, value, place.format.as_ref()),
    }
}
