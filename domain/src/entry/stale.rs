//! Marks on stored values that today's configuration would give or read otherwise: shown with the value, on screens and on paper.

use std::collections::HashMap;

use serde::Serialize;
use sqlx::PgConnection;
use utoipa::ToSchema;

/// A mark on one stored value.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Stale {
    pub polje: i64,
    /// `formula`: today's formula gives another result; `neprovereno`: it may; `jedinica`: it was stored in another unit.
    pub razlog: String,
    /// The unit in which it was stored.
    pub jedinica: Option<String>,
}

impl Stale {
    /// As the screens say it: `web/src/messages/patients.ts`.
    pub fn words(&self) -> String {
        match (self.razlog.as_str(), self.jedinica.as_deref().map(str::trim).filter(|unit| !unit.is_empty())) {
            ("jedinica", Some(unit)) => format!("Uneto u jedinici {unit}"),
            ("jedinica", None) => "Uneto dok polje nije imalo jedinicu".to_owned(),
            ("neprovereno", _) => "Formula je promenjena posle ovog rezultata".to_owned(),
            _ => "Današnja formula daje drugi rezultat".to_owned(),
        }
    }
}

pub async fn of_entry(db: &mut PgConnection, entry: i64) -> sqlx::Result<Vec<Stale>> {
    Ok(of_entries(db, &[entry]).await?.remove(&entry).unwrap_or_default())
}

pub async fn of_entries(db: &mut PgConnection, entries: &[i64]) -> sqlx::Result<HashMap<i64, Vec<Stale>>> {
    let rows =
        sqlx::query!("select unos_id, polje_id, razlog, jedinica from stale_result where unos_id = any ($1) order by polje_id", entries);
    let mut marks: HashMap<i64, Vec<Stale>> = HashMap::new();
    for row in rows.fetch_all(db).await? {
        marks.entry(row.unos_id).or_default().push(Stale { polje: row.polje_id, razlog: row.razlog, jedinica: row.jedinica });
    }
    Ok(marks)
}
