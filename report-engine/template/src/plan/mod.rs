//! What is to be drawn: the page, the columns, the bands and the charts of one report in one format. A template makes a plan,
//! rendering draws it, and neither knows the other.
pub mod analysis;
mod chart;
mod columns;
mod deferred;
mod emphasis;
mod format;
mod measure;
mod text;

use domain::picture::Image;
use domain::report_screen::ScreenSearch;
use jiff::civil::DateTime;

pub use analysis::{Analysis, AnalysisKind, Language};
pub use chart::{Bins, Bucket, Chart, ChartKind, ChartScale, Reference, Series};
pub use columns::{ColumnKind, DeliveredColumn, Mismatch};
pub use deferred::{Band, Block, Fill, FillDocument, Flow, TemplateError};
pub use domain::report_sql::Value;
pub use emphasis::Emphasis;
pub use format::{Format, UnknownFormat};
pub use measure::{Measure, ROWS, Ratio, divide};
pub use text::{CellFormat, DateFormat, NumberFormat, grouped, push_date, push_moment, show, write_value};

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
    /// A picture of the server's own that the template asks for.
    pub picture: Option<NamedPicture>,
    /// The pictures on top, from the left: the logo of the institution, then the template's own.
    pub marks: Vec<Mark>,
}

/// What stands for a picture until the run reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPicture {
    pub name: String,
    pub told: String,
}

#[derive(Clone, Debug)]
pub struct Mark {
    /// What it shows, for who does not see it.
    pub told: String,
    pub image: Image,
}

impl Mark {
    /// Width and height in the box, as large as it gets there.
    pub fn fit(&self, most_width: f64, most_height: f64) -> (f64, f64) {
        let (width, height) = (f64::from(self.image.width.max(1)), f64::from(self.image.height.max(1)));
        let scale = (most_width / width).min(most_height / height);
        (width * scale, height * scale)
    }
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
    /// What stands above a table that is a section.
    pub title: Option<String>,
    pub columns: Vec<Column>,
    /// Outermost first.
    pub groups: Vec<Group>,
    pub summary: Option<Band>,
    /// Lines of text under the table.
    pub notes: Vec<String>,
    pub charts: Vec<Chart>,
    /// Statistics of all rows, in tables of their own below this one.
    pub analyses: Vec<Analysis>,
    /// It is a table of such an analysis: it follows on the page where there is room, and a CSV has its title and notes too.
    pub is_analysis: bool,
    /// What it was computed by, as the guide has it.
    pub method: Option<&'static str>,
    /// By column, the search that shows whom a number in its head counts.
    pub head_searches: Vec<(usize, ScreenSearch)>,
    pub cross: Option<Cross>,
    /// Tables of their own, one after the other; then nothing else is declared here.
    pub sections: Option<Sections>,
    pub csv_texts: CsvTexts,
}

/// How texts stand in a CSV.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CsvTexts {
    /// So that a spreadsheet program shows them as they are, and computes none.
    #[default]
    Safe,
    /// To the letter, for programs.
    Raw,
}

impl TablePlan {
    /// Its rows are not shown, only what is computed of them.
    pub fn is_of_analyses(&self) -> bool {
        self.columns.is_empty() && !self.analyses.is_empty()
    }

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
    /// The cells that catch the eye.
    pub emphasis: Option<Emphasis>,
    /// Shown under the column in group footers and in the summary.
    pub foot: Option<Measure>,
}

impl Column {
    /// A column of the result as it comes.
    pub fn plain(head: &str, name: &str) -> Self {
        let source = Source::Field(name.to_owned());
        Column { head: head.to_owned(), width: None, align: None, format: None, source, emphasis: None, foot: None }
    }

    /// Where its cells stand unless the template says so, by the first of them: numbers on the right.
    pub fn natural_align(&self, value: &Value) -> Align {
        let is_number = match (&self.format, &self.source) {
            (Some(format), _) => matches!(format, CellFormat::Number(_)),
            (None, Source::Ratio(_)) => true,
            (None, _) => value.is_number(),
        };
        if is_number { Align::Right } else { Align::Left }
    }
}

#[derive(Clone, Debug)]
pub enum Source {
    Field(String),
    Ratio(Ratio),
    Computed(Band),
}

/// Tables in one report: one begins where the value of a column changes.
#[derive(Clone, Debug)]
pub struct Sections {
    pub by: String,
    /// The head of that column in CSV.
    pub head: String,
    pub list: Vec<Section>,
}

#[derive(Clone, Debug)]
pub struct Section {
    /// The value that it is for; `None`: for every one that no other is for.
    pub value: Option<String>,
    pub page: PageSetup,
    /// Its heading; without one the value stands there.
    pub heading: Option<Band>,
    pub table: TablePlan,
}

impl Sections {
    /// The section of a value as it is shown.
    pub fn of(&self, value: &str) -> Option<&Section> {
        let named = self.list.iter().find(|section| section.value.as_deref() == Some(value));
        named.or_else(|| self.list.iter().find(|section| section.value.is_none()))
    }
}

/// Columns that the values of one column become.
#[derive(Clone, Debug)]
pub struct Cross {
    pub by: String,
    /// How many of the declared columns stand before them.
    pub at: usize,
    pub value: Measure,
    pub format: Option<CellFormat>,
    pub head_format: Option<CellFormat>,
    pub order_by: Option<String>,
    /// Of each of them, as in [`Column::width`].
    pub width: Option<f32>,
    pub emphasis: Option<Emphasis>,
    /// The head of the column that adds up a line.
    pub total: Option<String>,
    /// The most columns; more are a failure.
    pub limit: usize,
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
        Column::plain(&self.head, &self.by)
    }
}
