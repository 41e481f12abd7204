//! Marks on stored values that another configuration would give or read otherwise than they are stored. An entry is shown in its own
//! version of the form: a unit that came later is another version's. A result that a later formula gives otherwise is marked wherever it
//! is read beside others or kept on paper, until it is recomputed or saved anew.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::ToSchema;

/// A mark on one stored value.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Stale {
    pub polje: i64,
    /// `formula`: the formula gives another result; `neprovereno`: it may; `jedinica`: it was stored in another unit;
    /// `drugi_formular`: what it was made of in another form is another since, and the entry is signed or locked.
    pub razlog: String,
    /// The unit in which it was stored.
    pub jedinica: Option<String>,
}

/// What is said of a mark, as the screens say it: `web/src/messages/patients.ts`.
pub const OTHER_RESULT: &str = "Današnja formula daje drugi rezultat";
pub const UNCHECKED_RESULT: &str = "Formula je promenjena posle ovog rezultata";
/// What it read in another form is another since.
pub const OTHER_FORM: &str = "Podatak iz drugog formulara je promenjen posle ovog rezultata";
/// How a mark says that the value was stored in another unit.
pub const UNIT_MARK: &str = "jedinica";
/// The unit follows.
pub const OTHER_UNIT: &str = "Uneto u jedinici ";
pub const NO_UNIT: &str = "Uneto dok polje nije imalo jedinicu";

impl Stale {
    pub fn words(&self) -> String {
        mark_words(&self.razlog, self.jedinica.as_deref())
    }
}

/// A mark as a reader meets it.
pub fn mark_words(razlog: &str, jedinica: Option<&str>) -> String {
    match (razlog, jedinica.map(str::trim).filter(|unit| !unit.is_empty())) {
        (UNIT_MARK, Some(unit)) => format!("{OTHER_UNIT}{unit}"),
        (UNIT_MARK, None) => NO_UNIT.to_owned(),
        ("drugi_formular", _) => OTHER_FORM.to_owned(),
        ("neprovereno", _) => UNCHECKED_RESULT.to_owned(),
        _ => OTHER_RESULT.to_owned(),
    }
}

/// The unit in which a number was entered, where it is not that of the entry's version or of today's form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnteredUnit {
    pub jedinica: Option<String>,
    /// What it means (`meaning`).
    pub znacenje: String,
}

/// By field.
pub type EnteredUnits = BTreeMap<i64, EnteredUnit>;

pub async fn entered_units(db: &mut PgConnection, entry: i64) -> sqlx::Result<EnteredUnits> {
    let rows = sqlx::query!(r#"select polje_id as "polje!", jedinica, znacenje as "znacenje!" from unit_mark where unos_id = $1"#, entry);
    let rows = rows.fetch_all(db).await?.into_iter();
    Ok(rows.map(|row| (row.polje, EnteredUnit { jedinica: row.jedinica, znacenje: row.znacenje })).collect())
}

pub async fn of_entry(db: &mut PgConnection, entry: i64) -> sqlx::Result<Vec<Stale>> {
    Ok(of_entries(db, &[entry]).await?.remove(&entry).unwrap_or_default())
}

/// Those that were there before the entry's version: what a save by that version settles.
pub async fn known_to_version(db: &mut PgConnection, entry: i64) -> sqlx::Result<Vec<Stale>> {
    sqlx::query_as!(
        Stale,
        "select s.polje_id as polje, s.razlog, s.jedinica
           from stale_result s join entry e on e.id = s.unos_id join form_version v on v.id = e.form_version_id
          where s.unos_id = $1 and s.vreme <= v.napravljena order by s.polje_id",
        entry
    )
    .fetch_all(db)
    .await
}

pub async fn of_entries(db: &mut PgConnection, entries: &[i64]) -> sqlx::Result<HashMap<i64, Vec<Stale>>> {
    let rows = sqlx::query!(
        "select s.unos_id, s.polje_id, s.razlog, s.jedinica
           from stale_result s join entry e on e.id = s.unos_id join form_version v on v.id = e.form_version_id
          where s.unos_id = any ($1) and (s.vreme <= v.napravljena or s.razlog <> 'jedinica') order by s.polje_id",
        entries
    );
    let mut marks: HashMap<i64, Vec<Stale>> = HashMap::new();
    for row in rows.fetch_all(db).await? {
        marks.entry(row.unos_id).or_default().push(Stale { polje: row.polje_id, razlog: row.razlog, jedinica: row.jedinica });
    }
    Ok(marks)
}
