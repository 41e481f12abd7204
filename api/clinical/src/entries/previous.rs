//! The previous values beside the fields of an entry, asked for anew when its day becomes another on the screen.

use accounts::{audit::look_at_patient, auth::Actor};
use axum::extract::State;
use domain::entry::previous::{self, PreviousValue};
use jiff::civil::Date;
use platform::{
    error::{Error, Result},
    extract::{Json, Query},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::{IntoParams, ToSchema};

use super::{NO_ENTRY, form::EntryForm};
use crate::patients::PatientAccess;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(of_day))
}

#[derive(Deserialize, IntoParams)]
struct PreviousQuery {
    /// An existing entry.
    #[serde(rename = "haID")]
    ha_id: Option<i64>,
    /// A new entry of this form, for this patient.
    #[serde(rename = "tsaID")]
    tsa_id: Option<i64>,
    #[serde(rename = "pacijentID")]
    pacijent_id: Option<i64>,
    #[serde(rename = "datumUnosa")]
    datum_unosa: Date,
    /// An existing entry as the newest version of its form shows it.
    #[serde(default)]
    najnoviji: bool,
}

#[derive(Serialize, ToSchema)]
struct PreviousValues {
    prethodne: Vec<PreviousValue>,
}

/// What earlier entries held last, by another day of the entry than the stored one.
#[utoipa::path(get, path = "/api/entry-previous", params(PreviousQuery), responses((status = 200, body = PreviousValues)))]
async fn of_day(State(state): State<AppState>, actor: Actor, Query(query): Query<PreviousQuery>) -> Result<Json<PreviousValues>> {
    let mut db = state.db.acquire().await?;
    let (form, patient, institution) = match (query.ha_id, query.tsa_id, query.pacijent_id) {
        (Some(id), ..) => existing(&mut db, &actor, id, query.najnoviji).await?,
        (None, Some(form), Some(patient)) => {
            PatientAccess::to(&mut db, &actor, patient).await?.require_change()?;
            (EntryForm::load(&mut db, form).await?, patient, actor.ustanova_id)
        }
        _ => return Err(Error::malformed(NO_ENTRY)),
    };
    look_at_patient(&mut db, &actor, patient).await?;
    let prethodne = previous::values(&mut db, &form, patient, institution, query.datum_unosa, query.ha_id).await?;
    Ok(Json(PreviousValues { prethodne }))
}

async fn existing(db: &mut PgConnection, actor: &Actor, id: i64, newest: bool) -> Result<(EntryForm, i64, Option<i64>)> {
    let entry = sqlx::query!("select pacijent_id, tsa_id, ustanova_id, form_version_id from entry where id = $1 and aktivan", id)
        .fetch_optional(&mut *db)
        .await?;
    let (entry, _) = PatientAccess::to_entry(db, actor, entry, |entry| (entry.pacijent_id, entry.ustanova_id)).await?;
    let form = match newest {
        true => EntryForm::load(db, entry.tsa_id).await?,
        false => EntryForm::of_version(db, entry.form_version_id).await?,
    };
    Ok((form, entry.pacijent_id, Some(entry.ustanova_id)))
}
