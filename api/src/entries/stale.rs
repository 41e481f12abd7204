//! Marks on stored values that today's configuration would give or read otherwise (`admin::impact` sets them): shown with the value,
//! said before a save replaces it, and gone with the save.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::Value;
use sqlx::PgConnection;
use utoipa::ToSchema;

use super::{form::Form, merge::alike, values::Values};

/// A mark on one stored value.
#[derive(Debug, Serialize, ToSchema)]
pub struct Stale {
    polje: i64,
    /// `formula`: today's formula gives another result; `neprovereno`: it may; `jedinica`: it was stored in another unit.
    razlog: String,
    /// The unit in which it was stored.
    jedinica: Option<String>,
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

/// A marked result that a save would replace.
#[derive(Debug, Serialize, ToSchema)]
pub struct Rewritten {
    polje: i64,
    naziv: String,
    #[schema(value_type = Object)]
    sacuvano: Option<Value>,
    #[schema(value_type = Object)]
    danas: Option<Value>,
}

/// 409: whoever saves has not been told that results change because the form is another now.
#[derive(Debug, Serialize, ToSchema)]
pub struct RewrittenAnswer {
    message: String,
    field: Option<String>,
    rezultati: Vec<Rewritten>,
}

pub async fn rewritten(
    db: &mut PgConnection,
    entry: i64,
    form: &Form,
    stored: &Values,
    computed: &Values,
) -> sqlx::Result<Option<RewrittenAnswer>> {
    let fields = form.by_id();
    let marks = of_entry(db, entry).await?.into_iter().filter(|mark| mark.razlog != "jedinica");
    let changed = marks.filter(|mark| !alike(stored.get(&mark.polje), computed.get(&mark.polje)));
    let rezultati: Vec<Rewritten> = changed
        .filter_map(|mark| {
            let naziv = fields.get(&mark.polje)?.naziv.clone();
            Some(Rewritten {
                polje: mark.polje,
                naziv,
                sacuvano: stored.get(&mark.polje).cloned(),
                danas: computed.get(&mark.polje).cloned(),
            })
        })
        .collect();
    let message = "Formular je promenjen od poslednjeg snimanja, pa će se snimanjem promeniti i rezultati:".to_owned();
    Ok((!rezultati.is_empty()).then_some(RewrittenAnswer { message, field: None, rezultati }))
}

/// A save computed every result anew; what was entered in another unit stays marked until it is entered anew.
pub async fn settle(db: &mut PgConnection, entry: i64, form: &Form) -> sqlx::Result<()> {
    let results: Vec<i64> = form.fields.iter().filter(|field| field.is_calculated()).map(|field| field.id).collect();
    sqlx::query!("delete from stale_result where unos_id = $1 and (razlog <> 'jedinica' or polje_id = any ($2))", entry, &results)
        .execute(db)
        .await?;
    Ok(())
}
