//! The patients of rows of the log, by name as far as the reader's institutions know them; of many the first ones.

use std::collections::HashMap;

use jiff::Timestamp;
use serde::Serialize;
use sqlx::PgConnection;
use utoipa::ToSchema;

/// So many of a row are named; the others are counted.
const MOST_NAMED: i64 = 20;

/// A patient of a row.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoggedPatient {
    pub id: i64,
    pub ime_prezime: String,
}

#[derive(Debug, Clone, Default)]
pub struct Patients {
    /// Those who may be named.
    pub named: Vec<LoggedPatient>,
    /// All of them.
    pub count: i64,
}

/// A row of the log: its moment, its number and the patient that stands in it.
pub type RowKey = (Timestamp, i64, Option<i64>);

/// By the rows' numbers. `open`: the reader may be told names at all.
pub async fn of_rows(db: &mut PgConnection, rows: &[RowKey], institutions: &[i64], open: bool) -> sqlx::Result<HashMap<i64, Patients>> {
    let moments: Vec<String> = rows.iter().map(|row| row.0.to_string()).collect();
    let ids: Vec<i64> = rows.iter().map(|row| row.1).collect();
    let ones: Vec<Option<i64>> = rows.iter().map(|row| row.2).collect();
    let found = sqlx::query!(
        r#"
        select r.row_id as "row_id!", r.broj as "broj!", p.id as "id?", p.naziv as "naziv?"
          from (select u.moment::timestamptz as moment, u.row_id, u.one,
                       (select count(*) from patients_of_log(u.moment::timestamptz, u.row_id, u.one)) as broj
                  from unnest($1::text[], $2::bigint[], $3::bigint[]) u (moment, row_id, one)) r
          left join lateral (
                select s.id, f.prezime || ' ' || f.ime as naziv
                  from (select x.id from patients_of_log(r.moment, r.row_id, r.one) x (id) order by 1 limit $6) s
                  join patient f on f.id = s.id
                 where $5 and exists (select from unnest($4::bigint[]) i (id) where knows_patient(i.id, s.id))) p on true
         order by r.row_id, fold(p.naziv), p.id
        "#,
        &moments,
        &ids,
        &ones as &[Option<i64>],
        institutions,
        open,
        MOST_NAMED,
    )
    .fetch_all(db)
    .await?;
    let mut patients: HashMap<i64, Patients> = HashMap::new();
    for row in found {
        let of_row = patients.entry(row.row_id).or_default();
        of_row.count = row.broj;
        if let (Some(id), Some(ime_prezime)) = (row.id, row.naziv) {
            of_row.named.push(LoggedPatient { id, ime_prezime });
        }
    }
    Ok(patients)
}

/// Whoever is named on a page, each once: what the reading of it shows.
pub fn named(patients: &HashMap<i64, Patients>) -> Vec<i64> {
    patients.values().flat_map(|of_row| of_row.named.iter().map(|one| one.id)).collect()
}
