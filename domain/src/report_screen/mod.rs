//! A report as the screen shows it: blocks one below the other, of lines or of a chart. An engine writes them into a file of pages, and the
//! API gives out as many lines of it as a reader has before her.

mod drawing;
mod file;
mod search;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use drawing::drawing;
pub use file::{ScreenFile, ScreenWriter};
pub use search::{
    SEARCH_COLUMN, ScreenCellSearch, ScreenPickedEntry, ScreenSearch, ScreenSearchEntry, ScreenSearchPick, ScreenSearchRow, SearchPart,
};

/// What its file is called among the formats of a run. It is no format of the catalogue: nobody takes it away.
pub const FORMAT: &str = "EKRAN";

/// Lines that lie together in the file.
pub const LINES_OF_PAGE: usize = 100;

/// Groups of one table that can be folded; of more the table has its lines and no folding.
pub const MOST_GROUPS: usize = 5_000;

/// What is known of a report without its lines.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScreenContents {
    pub naslov: String,
    pub podnaslov: Option<String>,
    pub ustanova: String,
    pub radnik: String,
    /// `Generisano: 05.03.2026. 07:04`
    pub generisano: String,
    pub parametri: Vec<ScreenParameter>,
    pub blokovi: Vec<ScreenBlock>,
    /// Said of a report that does not hold every row.
    pub skraceno: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ScreenParameter {
    pub naziv: String,
    pub vrednost: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ScreenBlockKind {
    #[default]
    Tabela,
    /// Headings, paragraphs and labelled values of a flowing document.
    Tekst,
    Grafikon,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScreenBlock {
    pub vrsta: ScreenBlockKind,
    pub naslov: Option<String>,
    /// A table of statistics, whose notes name its test.
    pub statistika: bool,
    /// Of the first table of an analysis: the method that the guide tells of, by its name there.
    #[serde(default)]
    pub metoda: Option<String>,
    pub kolone: Vec<ScreenColumn>,
    /// Lines, those of groups and totals among them.
    pub linija: u64,
    /// Those that can be folded, in the order of their first lines; a group within another follows it.
    pub grupe: Vec<ScreenGroup>,
    /// There are more groups than can be folded.
    pub bez_sklapanja: bool,
    pub napomene: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ScreenColumn {
    pub naslov: String,
    /// Its values stand on the right: numbers.
    pub desno: bool,
    /// Whom a number in its head counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pretraga: Option<ScreenSearch>,
}

/// Lines between the header of a group and its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScreenGroup {
    pub nivo: u8,
    /// The line of its header.
    pub od: u64,
    /// The line behind its last one, its total among them.
    pub do_linije: u64,
    pub tekst: String,
    /// Its total, which is to be seen while it is folded.
    pub zbir: Option<ScreenLine>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ScreenLineKind {
    #[default]
    Red,
    /// The header of a group.
    Grupa,
    /// The total of a group.
    Zbir,
    /// The total of the table.
    Ukupno,
    /// The heading of a document; `nivo` says how deep.
    Naslov,
    Pasus,
    /// `tekst` is its label, its first cell the value.
    Polje,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ScreenLine {
    pub vrsta: ScreenLineKind,
    pub nivo: u8,
    pub tekst: String,
    /// As the PDF shows them.
    pub celije: Vec<String>,
    /// The places of the cells that catch the eye.
    pub istaknuto: Vec<u16>,
    /// Which numbers lead to a search.
    #[serde(default)]
    pub pretrage: Vec<ScreenCellSearch>,
}

impl ScreenLine {
    pub fn of_text(vrsta: ScreenLineKind, nivo: u8, tekst: impl Into<String>) -> Self {
        Self { vrsta, nivo, tekst: tekst.into(), ..Self::default() }
    }
}

/// A chart: drawn for a wide screen and for a narrow one, with the same values in a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScreenChart {
    pub naslov: String,
    /// In words, for who does not see it.
    pub opis: String,
    pub serije: Vec<ScreenSeries>,
    /// The widest first; none where it cannot be drawn.
    pub crtezi: Vec<ScreenDrawing>,
    /// Why it cannot.
    pub odbijeno: Option<String>,
    /// The whole drawing with its title, to take away; its marks carry their values.
    pub svg: Option<String>,
    pub zaglavlja: Vec<String>,
    pub redovi: Vec<Vec<String>>,
    /// The table does not hold every value.
    pub tabela_skracena: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ScreenSeries {
    pub naziv: String,
    pub boja: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ScreenDrawing {
    pub sirina: f64,
    pub visina: f64,
    /// From the lowest to the highest.
    pub oblici: Vec<ScreenShape>,
    pub mesta: Vec<ScreenSpot>,
}

/// A path, or a word where `tekst` is there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ScreenShape {
    /// The attribute `d`.
    pub putanja: String,
    pub ispuna: Option<String>,
    pub providnost: Option<f64>,
    pub linija: Option<String>,
    pub debljina: Option<f64>,
    pub crtice: Option<String>,
    /// `ink`, `muted` or `hairline`: colours that a dark screen replaces.
    pub uloga: Option<String>,
    pub serija: Option<String>,
    pub tekst: Option<String>,
    pub x: Option<f64>,
    pub y: Option<f64>,
    pub velicina: Option<f64>,
    /// `start`, `middle` or `end`.
    pub poravnanje: Option<String>,
    pub podebljano: bool,
    /// Runs upwards.
    pub okrenuto: bool,
}

/// Where a value lies, and its words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ScreenSpot {
    pub x: f64,
    pub y: f64,
    pub serija: String,
    pub tekst: String,
    /// The search that shows whom the value counts.
    #[serde(default)]
    pub pretraga: Option<ScreenSearch>,
}

/// The first lines of a run that is under way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScreenStart {
    pub sadrzaj: ScreenContents,
    /// Of its only block.
    pub linije: Vec<ScreenLine>,
}
