//! How many entries of a form a patient may have, and has (A section 7).

use accounts::auth::Actor;
use axum::extract::State;
use domain::time;
use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use platform::{
    error::{Error, Result},
    extract::{Json, Query},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::{IntoParams, ToSchema};

use super::{
    dates,
    existing::{ExistingEntry, NoRoom, Place},
    locks,
};
use crate::patients::PatientAccess;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(entry_count))
}

#[derive(Deserialize, IntoParams)]
struct CountQuery {
    #[serde(rename = "pacijentID")]
    pacijent_id: i64,
    #[serde(rename = "thaID")]
    tha_id: i64,
    /// The day on which it is to be.
    #[serde(rename = "datumUnosa")]
    datum_unosa: Option<Date>,
    /// An entry that is there and moves to that day.
    #[serde(rename = "unosID")]
    unos_id: Option<i64>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EntryCount {
    /// One more entry may be made; with a day, on it.
    is_valid: bool,
    /// Why not, as the save would say it.
    poruka: Option<String>,
    max_instanci: Option<i32>,
    broj_unosa: i64,
    /// Where there is no room: those of that day, which the caller may open.
    postojeci: Vec<ExistingEntry>,
}

/// How many entries a form allows a patient.
pub struct Limits {
    pub form: i64,
    pub may_instance: bool,
    pub in_all: Option<i32>,
    /// A contact is the day of an examination.
    pub at_a_contact: Option<i32>,
}

/// What keeps the patient from one entry more: the field that is at fault, and the message.
pub type Refusal = (&'static str, String);

impl Limits {
    /// Of a new entry; without a day, whatever its day.
    pub async fn refusal(&self, db: &mut PgConnection, patient: i64, day: Option<Date>) -> sqlx::Result<Option<Refusal>> {
        if !self.may_instance {
            return Ok(Some(("tsaID", "Na ovom formularu ne mogu se dodavati novi unosi.".to_owned())));
        }
        if let Some(most) = self.in_all
            && entries_of(db, patient, self.form, None, None).await? >= i64::from(most)
        {
            return Ok(Some(("tsaID", too_many(most))));
        }
        match day {
            Some(day) => self.refusal_on(db, patient, day, None).await,
            None => Ok(None),
        }
    }

    /// Of an entry on that day; `moved` is the one that comes there from another.
    pub async fn refusal_on(&self, db: &mut PgConnection, patient: i64, day: Date, moved: Option<i64>) -> sqlx::Result<Option<Refusal>> {
        let Some(most) = self.at_a_contact else { return Ok(None) };
        let has = entries_of(db, patient, self.form, Some(day), moved).await?;
        Ok((has >= i64::from(most)).then(|| ("datumUnosa", full_day(most))))
    }
}

/// In the specification's words (A 10).
pub fn too_many(most: i32) -> String {
    format!("Nije moguće kreirati unos jer premašuje maksimalan broj mogućih kreiranih po pacijentu {most}")
}

pub fn full_day(most: i32) -> String {
    match most {
        1 => "Za taj dan već postoji unos.".to_owned(),
        most => format!("Za taj dan već postoji onoliko unosa koliko ih najviše može biti ({most})."),
    }
}

#[utoipa::path(get, path = "/api/entry-count", params(CountQuery), responses((status = 200, body = EntryCount)))]
async fn entry_count(State(state): State<AppState>, actor: Actor, Query(query): Query<CountQuery>) -> Result<Json<EntryCount>> {
    let mut db = state.db.acquire().await?;
    let access = PatientAccess::to(&mut db, &actor, query.pacijent_id).await?;
    let form = sqlx::query!(
        "select id, moze_se_instancirati, maksimalan_broj_instanci_po_pacijentu, maksimalan_broj_instanci_po_kontaktu
           from form where id = $1 and aktivan",
        query.tha_id
    )
    .fetch_optional(&mut *db)
    .await?
    .ok_or(Error::NotFound)?;
    let limits = Limits {
        form: form.id,
        may_instance: form.moze_se_instancirati,
        in_all: form.maksimalan_broj_instanci_po_pacijentu,
        at_a_contact: form.maksimalan_broj_instanci_po_kontaktu,
    };
    let day_fault = match query.datum_unosa {
        Some(day) => dates::refusal(&mut db, query.pacijent_id, day, state.clock.now().to_zoned(time::zone()).date()).await?,
        None => None,
    };
    let day_fault = match query.datum_unosa.filter(|_| day_fault.is_none()) {
        Some(day) => locks::refusal(&mut db, query.unos_id, form.id, actor.ustanova_id, day).await?,
        None => day_fault,
    };
    let is_wrong_day = day_fault.is_some();
    let refusal = match (query.unos_id, query.datum_unosa) {
        _ if day_fault.is_some() => day_fault.map(|message| ("datumUnosa", message)),
        (Some(moved), Some(day)) => limits.refusal_on(&mut db, query.pacijent_id, day, Some(moved)).await?,
        (_, day) => limits.refusal(&mut db, query.pacijent_id, day).await?,
    };
    let is_valid = refusal.is_none();
    let (poruka, postojeci) = match (refusal, query.datum_unosa.filter(|_| !is_wrong_day)) {
        (Some(refusal), Some(day)) => {
            let place = Place { patient: query.pacijent_id, form: form.id, day, moved: query.unos_id };
            let (message, existing) = NoRoom::at(&mut db, &actor, access, &place, refusal).await?.into_parts();
            (Some(message), existing)
        }
        (refusal, _) => (refusal.map(|(_, message)| message), Vec::new()),
    };
    Ok(Json(EntryCount {
        is_valid,
        poruka,
        postojeci,
        max_instanci: limits.in_all,
        // Not how many the keeper has, where only one's own are read.
        broj_unosa: sqlx::query_scalar!(
            r#"select count(*) as "n!" from entry
                where pacijent_id = $1 and tsa_id = $2 and aktivan and (ustanova_id = $3 or not (select reads_own_entries_only($3, $1)))"#,
            query.pacijent_id,
            form.id,
            actor.ustanova_id
        )
        .fetch_one(&mut *db)
        .await?,
    }))
}

/// On one day, or in all; all but one, where one is named.
async fn entries_of(db: &mut PgConnection, patient: i64, form: i64, day: Option<Date>, but: Option<i64>) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"select count(*) as "n!" from entry
            where pacijent_id = $1 and tsa_id = $2 and aktivan and ($3::date is null or datum_unosa = $3) and id is distinct from $4"#,
        patient,
        form,
        day.map(ToSqlx::to_sqlx) as _,
        but,
    )
    .fetch_one(db)
    .await
}
