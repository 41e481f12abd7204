//! The version of its form that an entry keeps: what the newest one has otherwise, before somebody takes the entry over to it.

use accounts::{audit::look_at_patient, auth::Actor};
use axum::{
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use domain::{
    db,
    entry::{
        around::around,
        difference::{self, Difference, OtherResult},
        form::{EntryForm, FormError},
        other_forms,
        settle::other_units,
        stale::{EnteredUnits, Stale},
        values::{Values, from_json},
        version::{self, Publication, publications},
    },
    time,
};
use jiff::{Timestamp, civil::Date};
use platform::{
    error::Result,
    extract::{Json, Path},
    routes::{Routes, routes},
    state::AppState,
};
use serde::Serialize;
use sqlx::PgConnection;
use utoipa::ToSchema;

use crate::patients::PatientAccess;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(newer))
}

/// By which version of the form an entry is shown.
#[derive(Debug, Serialize, ToSchema)]
pub struct FormStamp {
    /// Names the description: a save says by which one its values were typed.
    pub otisak: String,
    pub verzija: i32,
    /// When it was made; none where no entry was saved by it yet.
    pub od: Option<Date>,
    /// The newest one, where that is another.
    pub novija: Option<i32>,
}

pub fn day(at: Timestamp) -> Date {
    at.to_zoned(time::zone()).date()
}

impl FormStamp {
    /// Of the form as it is configured today.
    pub async fn today(db: &mut PgConnection, form: &EntryForm) -> sqlx::Result<Self> {
        let today = version::beside(db, form.id, form.otisak.clone()).await?;
        Ok(Self { otisak: today.otisak, verzija: today.broj, od: today.napravljena.map(day), novija: None })
    }

    /// Of the version that an entry keeps.
    pub async fn kept(db: &mut PgConnection, form: &EntryForm) -> Result<Self> {
        let kept = form.version.as_ref().ok_or(FormError::Missing)?;
        let today = version::today(db, form.id).await?;
        let novija = (today.otisak != form.otisak).then_some(today.broj);
        Ok(Self { otisak: form.otisak.clone(), verzija: kept.broj, od: Some(day(kept.napravljena)), novija })
    }
}

/// What an entry's form has otherwise today.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NewerForm {
    verzija: i32,
    od: Date,
    /// None: the entry is in the newest version.
    novija: Option<i32>,
    /// When the newest one was made; none where no entry was saved by it yet.
    novija_od: Option<String>,
    /// Its publications, oldest first.
    objave: Vec<Publication>,
    razlike: Difference,
    /// Saved results that the newest version would give otherwise.
    rezultati: Vec<OtherResult>,
    /// Saved values that the newest version has no field for: they stay in the entry and in its history.
    bez_polja: Vec<OtherResult>,
}

#[utoipa::path(get, path = "/api/entries/{id}/newer-form", responses((status = 200, body = NewerForm)))]
async fn newer(State(state): State<AppState>, actor: Actor, Path(id): Path<i64>) -> Result<Json<NewerForm>> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let entry = sqlx::query!(
        "select pacijent_id, ustanova_id, tsa_id, datum_unosa, vrednosti, form_version_id from entry where id = $1 and aktivan",
        id
    )
    .fetch_optional(&mut *tx)
    .await?;
    let (entry, _) = PatientAccess::to_entry(&mut tx, &actor, entry, |entry| (entry.pacijent_id, entry.ustanova_id)).await?;
    look_at_patient(&mut tx, &actor, entry.pacijent_id).await?;
    let kept = EntryForm::of_version(&mut tx, entry.form_version_id).await?;
    let newest = EntryForm::load(&mut tx, entry.tsa_id).await?;
    let stamp = version::beside(&mut tx, newest.id, newest.otisak.clone()).await?;
    let objave = publications(&mut tx, &stamp.id.into_iter().collect::<Vec<_>>()).await?.into_values().flatten().collect();
    let stored = from_json(&entry.vrednosti);
    let (visit, today) = (entry.datum_unosa.to_jiff(), day(state.clock.now()));
    let mut around = around(&mut tx, &newest, entry.pacijent_id, entry.ustanova_id, Some(visit), Some(id), today).await?;
    around.others = other_forms::of_versions(&mut tx, (&newest, &kept), entry.pacijent_id, entry.ustanova_id).await?;
    tx.commit().await?;
    let version = kept.version.as_ref().ok_or(FormError::Missing)?;
    let is_newer = kept.otisak != newest.otisak;
    Ok(Json(NewerForm {
        verzija: version.broj,
        od: day(version.napravljena),
        novija: is_newer.then_some(stamp.broj),
        novija_od: stamp.napravljena.map(time::server_text),
        objave,
        razlike: Difference::between(&kept, &newest),
        rezultati: if is_newer { difference::other_results(&kept, &newest, &stored, &around) } else { Vec::new() },
        bez_polja: difference::without_field(&kept, &newest, &stored),
    }))
}

/// 409: the values were typed by a form that is another now.
#[derive(Debug, Serialize, ToSchema)]
pub struct OtherForm {
    message: String,
    field: Option<String>,
    /// Names the form as it is now.
    #[serde(rename = "noviObrazac")]
    novi_obrazac: String,
}

/// Nothing is saved by a form that nobody has seen: whoever typed the values goes on with the newest one.
pub fn refusal(newest: &EntryForm) -> Response {
    let message = "Formular je izmenjen dok ste ga popunjavali, pa unos nije snimljen. Ono što ste uneli nije izgubljeno: \
                   nastavite po novoj verziji formulara i snimite ponovo.";
    let answer = OtherForm { message: message.to_owned(), field: None, novi_obrazac: newest.otisak.clone() };
    (StatusCode::CONFLICT, axum::Json(answer)).into_response()
}

/// The marks of an entry that is shown by the newest version before it is saved by it.
pub fn marks(kept: &EntryForm, newest: &EntryForm, stored: &Values, entered: &EnteredUnits) -> Vec<Stale> {
    let marked = other_units(kept, newest, stored, entered);
    marked.map(|(polje, unit)| Stale { polje, razlog: "jedinica".to_owned(), jedinica: unit.map(str::to_owned) }).collect()
}
