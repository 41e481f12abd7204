//! The tiles of a board: where each lies, of which report it is, and what is asked of it.

use domain::{relative_day::RelativeDay, report_sql::ParameterKind};
use platform::error::{Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::PgPool;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::reports::{
    definition::{Parameter, Report},
    trail::PATIENT_LINK,
    values::{SentValues, parse_date},
};

/// Tiles of one board: whoever wants more does not look at them.
const MOST_TILES: usize = 24;
const COLUMNS: u16 = 12;
const MOST_ROWS: u16 = 240;
const LONGEST_TITLE: usize = 120;

/// What a worker works through: it is counted for whoever looks, by the screens that it leads to, and stands in no run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum BoardList {
    MojDan,
    KoKasni,
    Upiti,
    /// Open findings of rules of quality.
    Nalazi,
    Pretraga,
}

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BoardTile {
    pub id: Uuid,
    /// None: it is a list.
    #[serde(rename = "izvestajID", default)]
    pub izvestaj_id: Option<i64>,
    /// None: it is a report.
    #[serde(default)]
    pub spisak: Option<BoardList>,
    /// The saved search that a list leads to.
    #[serde(rename = "pretragaID", default)]
    pub pretraga_id: Option<i64>,
    /// For reports of any register.
    #[serde(rename = "registarID", default)]
    pub registar_id: Option<i64>,
    /// Instead of the report's own.
    #[serde(default)]
    pub naslov: Option<String>,
    /// The place of the block that is shown.
    pub blok: u16,
    /// What is asked for, by request name.
    #[schema(value_type = Object)]
    pub vrednosti: Map<String, Value>,
    pub x: u16,
    pub y: u16,
    pub sirina: u16,
    pub visina: u16,
}

/// A period for all tiles whose reports ask for one.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct BoardFilters {
    /// A day, or a word that stands for one.
    #[serde(default)]
    pub od: Option<String>,
    #[serde(default, rename = "do")]
    pub do_dana: Option<String>,
}

impl BoardFilters {
    pub fn check(&self) -> Result<()> {
        for (name, day) in [("od", &self.od), ("do", &self.do_dana)] {
            if let Some(day) = day.as_deref().filter(|day| parse_date(day).is_none() && RelativeDay::named(day).is_none()) {
                let day: String = day.chars().take(20).collect();
                return Err(Error::invalid(name, format!("„{day}” nije ispravan datum.")));
            }
        }
        Ok(())
    }
}

impl BoardTile {
    /// What is asked of the report, with the period of the board where the report has one.
    pub fn values(&self, report: &Report, filters: &BoardFilters) -> Result<SentValues> {
        let mut values = self.vrednosti.clone();
        // A parameter that the report has no more is asked for no more.
        values.retain(|name, _| report.parameter(name).is_some_and(|parameter| parameter.kind.is_shown()));
        for (name, day) in [("od", &filters.od), ("do", &filters.do_dana)] {
            let is_date = report.parameter(name).is_some_and(|parameter| parameter.kind == ParameterKind::Date);
            if let Some(day) = day.as_ref().filter(|_| is_date) {
                values.insert(name.to_owned(), Value::String(day.clone()));
            }
        }
        serde_json::from_value(Value::Object(values)).map_err(|_| Error::invalid("plocice", "Vrednosti parametara nisu ispravne."))
    }

    fn overlaps(&self, other: &Self) -> bool {
        let apart = self.x + self.sirina <= other.x || other.x + other.sirina <= self.x;
        let above = self.y + self.visina <= other.y || other.y + other.visina <= self.y;
        !apart && !above
    }
}

/// Refuses tiles that cannot stand there, and those that could name a patient: a board is for looking at, not for keeping whom one looked for.
pub async fn check(db: &PgPool, worker: i64, tiles: &[BoardTile]) -> Result<()> {
    if tiles.len() > MOST_TILES {
        return Err(Error::invalid("plocice", format!("Tabla prima najviše {MOST_TILES} pločica.")));
    }
    for (place, tile) in tiles.iter().enumerate() {
        let fits = (1..=COLUMNS).contains(&tile.sirina)
            && tile.x <= COLUMNS - tile.sirina
            && (1..=COLUMNS).contains(&tile.visina)
            && tile.y <= MOST_ROWS;
        if !fits {
            return Err(Error::invalid("plocice", "Pločica ne staje na tablu."));
        }
        if tiles[..place].iter().any(|other| other.overlaps(tile) || other.id == tile.id) {
            return Err(Error::invalid("plocice", "Pločice se preklapaju."));
        }
        if tile.naslov.as_ref().is_some_and(|title| title.chars().count() > LONGEST_TITLE) {
            return Err(Error::invalid("plocice", format!("Naslov pločice ima najviše {LONGEST_TITLE} znakova.")));
        }
        let is_search = tile.spisak == Some(BoardList::Pretraga);
        if is_search != tile.pretraga_id.is_some() || is_search && tile.registar_id.is_none() {
            return Err(Error::invalid("plocice", "Pločica pretrage navodi pretragu i njen registar."));
        }
        let report = match (tile.izvestaj_id, tile.spisak) {
            (Some(report), None) => report,
            (None, Some(_)) => continue,
            (None, None) | (Some(_), Some(_)) => return Err(Error::invalid("plocice", "Pločica je ili izveštaj ili spisak.")),
        };
        let report = match Report::load(db, worker, report).await {
            Ok(report) => report,
            // One that is on offer no more stays where it is, and says so.
            Err(Error::NotFound) => continue,
            Err(error) => return Err(error),
        };
        if report.is_board {
            return Err(Error::invalid("plocice", "Tabla ne može da stoji na tabli."));
        }
        let names_somebody =
            |parameter: &&Parameter| parameter.kind == ParameterKind::Text || parameter.link.as_deref() == Some(PATIENT_LINK);
        let asked = |name: &str| tile.vrednosti.get(name).is_some_and(|value| !value.is_null() && value != "");
        if let Some(parameter) = report.parametri.iter().filter(names_somebody).find(|parameter| asked(&parameter.request_naziv)) {
            return Err(Error::invalid(
                "plocice",
                format!("Na tabli ne može da stoji „{}”: taj parametar može da imenuje pacijenta.", parameter.naziv),
            ));
        }
    }
    Ok(())
}
