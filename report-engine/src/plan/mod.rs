//! What is to be drawn: the page, the columns, the bands and the charts of one report in one format. A template makes a plan,
//! rendering draws it, and neither knows the other.
mod deferred;
mod format;
mod measure;
mod text;
mod value;

use jiff::civil::DateTime;

pub use deferred::{Band, Block, Fill, FillDocument, Flow, TemplateError};
pub use format::{Format, UnknownFormat};
pub use measure::{Measure, Ratio, divide};
pub use text::{CellFormat, DateFormat, NumberFormat, grouped, push_moment, show, write_value};
pub use value::Value;

/// One report in one format, ready for rows.
#[derive(Clone, Debug)]
pub struct Plan {
    pub format: Format,
    pub heading: Heading,
    pub page: PageSetup,
    pub body: Body,
}

#[derive(Clone, Debug)]
pub enum Body {
    Table(Box<TablePlan>),
    /// Filled once, when all its rows are there.
    Document(Flow),
}

/// What stands above the data in every format.
#[derive(Clone, Debug)]
pub struct Heading {
    pub naslov: String,
    pub podnaslov: Option<String>,
    pub ustanova: String,
    pub radnik_ime_prezime: String,
    pub generisano: DateTime,
    pub parametri: Vec<(String, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PageSetup {
    pub landscape: bool,
    /// Text size of the rows in points.
    pub size: f32,
}

impl PageSetup {
    /// A4 width and height in points.
    pub fn dimensions(&self) -> (f32, f32) {
        if self.landscape { (842.0, 595.0) } else { (595.0, 842.0) }
    }
}

#[derive(Clone, Debug, Default)]
pub struct TablePlan {
    pub columns: Vec<Column>,
    /// Outermost first.
    pub groups: Vec<Group>,
    pub summary: Option<Band>,
    pub charts: Vec<Chart>,
}

impl TablePlan {
    /// The same plan with the group columns in front, where they are not among the columns already.
    pub fn flat(&self) -> TablePlan {
        let is_column = |name: &str| self.columns.iter().any(|column| matches!(&column.source, Source::Field(field) if field == name));
        let missing = self.groups.iter().filter(|group| !is_column(&group.by));
        let columns = missing.map(Group::column).chain(self.columns.iter().cloned());
        TablePlan { columns: columns.collect(), ..self.clone() }
    }
}

#[derive(Clone, Debug)]
pub struct Column {
    pub head: String,
    /// Share of the line, relative to the other columns; `None` leaves it to the layout.
    pub width: Option<f32>,
    pub align: Option<Align>,
    pub format: Option<CellFormat>,
    pub source: Source,
    /// Shown under the column in group footers and in the summary.
    pub foot: Option<Measure>,
}

#[derive(Clone, Debug)]
pub enum Source {
    Field(String),
    Ratio(Ratio),
    Computed(Band),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    Left,
    Center,
    Right,
}

#[derive(Clone, Debug)]
pub struct Group {
    /// The column whose change of value starts a new group.
    pub by: String,
    pub head: String,
    pub header: Option<Band>,
    pub footer: Option<Band>,
    pub new_page: bool,
}

impl Group {
    fn column(&self) -> Column {
        Column { head: self.head.clone(), width: None, align: None, format: None, source: Source::Field(self.by.clone()), foot: None }
    }
}

#[derive(Clone, Debug)]
pub struct Chart {
    pub kind: ChartKind,
    pub title: String,
    pub x: String,
    pub bucket: Bucket,
    /// Splits each measure into one series per value of this column.
    pub series_by: Option<String>,
    pub series: Vec<Series>,
    pub y_title: Option<String>,
    pub height: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChartKind {
    Line,
    Bar,
}

/// How the values of the x column are gathered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bucket {
    Value,
    Day,
    Month,
    Year,
}

#[derive(Clone, Debug)]
pub struct Series {
    pub label: String,
    pub measure: Measure,
}
