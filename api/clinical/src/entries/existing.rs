//! Entries that stand where another one would be made: who began them, and whether the caller may join.

use accounts::auth::Actor;
use axum::{
    http::StatusCode,
    response::{IntoResponse, Response},
};
use domain::time;
use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use platform::error::Result;
use serde::Serialize;
use sqlx::PgConnection;
use utoipa::ToSchema;

use super::count::Refusal;
use crate::patients::PatientAccess;

/// An entry of the patient, of the same form and day, that the caller may open.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExistingEntry {
    #[serde(rename = "unosID")]
    pub unos_id: i64,
    pub datum_unosa: Date,
    /// Who began it, and when.
    pub kreirao: String,
    pub datum_kreiranja: String,
    /// Whether the caller may change it, and so join what was typed for a new one.
    pub pravo_izmene: bool,
}

/// Where a new entry would be.
pub struct Place {
    pub patient: i64,
    pub form: i64,
    pub day: Date,
    /// An entry that comes there from another day: it is none of those that stand there.
    pub moved: Option<i64>,
}

/// 422: the patient has as many entries as she may.
#[derive(Debug, Serialize, ToSchema)]
pub struct NoRoom {
    message: String,
    field: &'static str,
    /// Those of the same day, which the caller may open.
    postojeci: Vec<ExistingEntry>,
}

impl IntoResponse for NoRoom {
    fn into_response(self) -> Response {
        (StatusCode::UNPROCESSABLE_ENTITY, axum::Json(self)).into_response()
    }
}

impl NoRoom {
    /// What the caller may know of those that are in the way.
    pub async fn at(db: &mut PgConnection, actor: &Actor, access: PatientAccess, place: &Place, refusal: Refusal) -> Result<Self> {
        let (field, mut message) = refusal;
        let postojeci = entries_at(db, actor, access, place).await?;
        if field == "datumUnosa" {
            message.push_str(match postojeci.len() {
                0 => "",
                1 => " Otvorite ga.",
                _ => " Otvorite jedan od njih.",
            });
        }
        Ok(Self { message, field, postojeci })
    }

    pub fn into_parts(self) -> (String, Vec<ExistingEntry>) {
        (self.message, self.postojeci)
    }
}

async fn entries_at(db: &mut PgConnection, actor: &Actor, access: PatientAccess, place: &Place) -> Result<Vec<ExistingEntry>> {
    let rows = sqlx::query!(
        r#"select e.id, e.datum_unosa, e.datum_kreiranja, e.ustanova_id, w.prezime || ' ' || w.ime as "kreirao!"
             from entry e join worker w on w.id = e.radnik_kreirao_id
            where e.pacijent_id = $1 and e.tsa_id = $2 and e.datum_unosa = $3 and e.aktivan and e.id is distinct from $4
              and (e.ustanova_id = $5 or not (select reads_own_entries_only($5, $1)))
            order by e.id"#,
        place.patient,
        place.form,
        place.day.to_sqlx() as _,
        place.moved,
        actor.ustanova_id,
    )
    .fetch_all(db)
    .await?;
    let entries = rows.into_iter().map(|row| ExistingEntry {
        unos_id: row.id,
        datum_unosa: row.datum_unosa.to_jiff(),
        kreirao: row.kreirao,
        datum_kreiranja: time::server_text(row.datum_kreiranja.to_jiff()),
        pravo_izmene: access.of_entry(actor, row.ustanova_id).change,
    });
    Ok(entries.collect())
}
