//! Visits (posete): the entries of a patient, register, day and institution. The database keeps which entry belongs to which
//! (`entry_visit`); here they are listed, and moved as one to another day or another doctor.

use accounts::{audit::look_at_patient, auth::Actor};
use axum::extract::State;
use domain::{db, time};
use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use platform::{
    error::{Error, ErrorBody, Result},
    extract::{Json, Path, Query},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, types};
use utoipa::{IntoParams, ToSchema};

use super::{
    dates,
    display::{ResponsibleOption, responsible_options},
    redate::{self, Redating},
    save,
};
use crate::patients::PatientAccess;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(list)).routes(routes!(change))
}

#[derive(Deserialize, IntoParams)]
struct RegisterQuery {
    #[serde(rename = "registarID")]
    registar_id: i64,
}

#[derive(Serialize, ToSchema)]
struct Visits {
    data: Vec<VisitRow>,
    total: usize,
    /// Whom a visit of the caller's institution may name as its doctor.
    lekari: Vec<ResponsibleOption>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct VisitRow {
    id: i64,
    datum: Date,
    ustanova: String,
    #[serde(rename = "lekarID")]
    lekar_id: Option<i64>,
    lekar: Option<String>,
    /// Whether the caller may move it, and begin further forms in it.
    pravo_izmene: bool,
    obrasci: Vec<VisitForm>,
}

/// A form that was filled in at the visit.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VisitForm {
    #[serde(rename = "unosID")]
    unos_id: i64,
    #[serde(rename = "tsaID")]
    tsa_id: i64,
    naziv: String,
    popunjeni_relevantni: bool,
}

/// The patient's visits in a register, newest first, with their forms.
#[utoipa::path(get, path = "/api/patients/{id}/visits", params(RegisterQuery), responses((status = 200, body = Visits)))]
async fn list(
    State(state): State<AppState>,
    actor: Actor,
    Path(id): Path<i64>,
    Query(query): Query<RegisterQuery>,
) -> Result<Json<Visits>> {
    let mut db = state.db.acquire().await?;
    let access = PatientAccess::to(&mut db, &actor, id).await?;
    look_at_patient(&mut db, &actor, id).await?;
    let rows = sqlx::query!(
        r#"
        select v.id, v.datum, v.ustanova_id, i.naziv as ustanova, v.radnik_odgovoran_id, w.prezime || ' ' || w.ime as lekar,
               jsonb_agg(jsonb_build_object('unosID', e.id, 'tsaID', e.tsa_id, 'naziv', f.naziv, 'popunjeniRelevantni', e.popunjeni_relevantni)
                         order by f.prikazni_redosled, f.id, e.id) as "obrasci!: types::Json<Vec<VisitForm>>"
          from entry e join visit v on v.id = e.poseta_id join institution i on i.id = v.ustanova_id join form f on f.id = e.tsa_id and f.aktivan
          left join worker w on w.id = v.radnik_odgovoran_id
         where e.pacijent_id = $1 and e.registar_id = $2 and e.aktivan and (e.ustanova_id = $3 or not (select reads_own_entries_only($3, $1)))
         group by v.id, i.naziv, w.prezime, w.ime order by v.datum desc, v.id desc
        "#,
        id,
        query.registar_id,
        actor.ustanova_id
    )
    .fetch_all(&mut *db)
    .await?;
    let visits = rows.into_iter().map(|row| VisitRow {
        id: row.id,
        datum: row.datum.to_jiff(),
        ustanova: row.ustanova,
        lekar_id: row.radnik_odgovoran_id,
        lekar: row.lekar,
        pravo_izmene: access.of_entry(&actor, row.ustanova_id).change,
        obrasci: row.obrasci.0,
    });
    let data: Vec<_> = visits.collect();
    let lekari = responsible_options(&mut db, &actor, None).await?;
    Ok(Json(Visits { total: data.len(), data, lekari }))
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct VisitChange {
    datum: Date,
    radnik_odgovoran: Option<i64>,
    /// The doctor of the visit as it was shown: one whom somebody else has set meanwhile is not replaced unseen.
    osnova_radnik_odgovoran: Option<i64>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ChangedVisit {
    /// The visit of the entries now: where they were moved to, with those that stood there.
    #[serde(rename = "posetaID")]
    poseta_id: i64,
    promenjeno: usize,
}

/// One day and one doctor for all forms of the visit. Each entry keeps its own history; all of them change, or none.
#[utoipa::path(put, path = "/api/visits/{id}", request_body = VisitChange,
    responses((status = 200, body = ChangedVisit), (status = 409, body = ErrorBody), (status = 422, body = ErrorBody)))]
async fn change(
    State(state): State<AppState>,
    actor: Actor,
    Path(id): Path<i64>,
    Json(request): Json<VisitChange>,
) -> Result<Json<ChangedVisit>> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let visit = sqlx::query!("select pacijent_id, registar_id, ustanova_id, datum, radnik_odgovoran_id from visit where id = $1", id)
        .fetch_optional(&mut *tx)
        .await?;
    let (visit, access) = PatientAccess::to_entry(&mut tx, &actor, visit, |visit| (visit.pacijent_id, visit.ustanova_id)).await?;
    access.require_change()?;
    let entries = redate::others_of(&mut tx, id, 0).await?;
    let Some(first) = entries.first() else { return Err(Error::NotFound) };
    let now = visit.radnik_odgovoran_id;
    if now != request.osnova_radnik_odgovoran && now != request.radnik_odgovoran {
        return Err(Error::conflict("Neko je u međuvremenu promenio lekara posete. Učitajte je ponovo."));
    }
    redate::share_forms(&mut tx, first.id).await?;
    sqlx::query!("select id from entry where poseta_id = $1 order by id for update", id).fetch_all(&mut *tx).await?;
    let today = state.clock.now().to_zoned(time::zone()).date();
    let date =
        dates::examined(&mut tx, visit.pacijent_id, Some(request.datum), Some(visit.datum.to_jiff()), today).await.map_err(of_visit)?;
    let doctor = save::responsible(&mut tx, &actor, request.radnik_odgovoran, visit.radnik_odgovoran_id).await?;
    redate::entries(&mut tx, &actor, access, &entries, &Redating { patient: visit.pacijent_id, date, doctor: Some(doctor), today }).await?;
    let poseta_id = sqlx::query_scalar!("select poseta_id from entry where id = $1", first.id).fetch_one(&mut *tx).await?;
    tx.commit().await?;
    Ok(Json(ChangedVisit { poseta_id, promenjeno: entries.len() }))
}

/// The day has another name here than on a form.
fn of_visit(error: Error) -> Error {
    match error {
        Error::Invalid { message, .. } => Error::Invalid { field: Some("datum".into()), message },
        other => other,
    }
}

/// The visit that an entry belongs to, or a new one would join.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VisitHead {
    id: i64,
    #[serde(rename = "lekarID")]
    pub lekar_id: Option<i64>,
    lekar: Option<String>,
    /// Its other forms.
    obrasci: Vec<VisitForm>,
}

/// Whose visit it is.
pub struct VisitKey {
    pub patient: i64,
    pub register: i64,
    pub day: Date,
    pub institution: Option<i64>,
}

impl VisitHead {
    /// The visit of that day, where one has begun; `but` is the entry that is shown.
    pub async fn at(db: &mut PgConnection, key: &VisitKey, but: Option<i64>) -> sqlx::Result<Option<Self>> {
        let row = sqlx::query!(
            r#"
            select v.id, v.radnik_odgovoran_id, w.prezime || ' ' || w.ime as lekar, o.obrasci as "obrasci!: types::Json<Vec<VisitForm>>"
              from visit v left join worker w on w.id = v.radnik_odgovoran_id
             cross join lateral (select count(*) as unosa,
                    coalesce(jsonb_agg(jsonb_build_object('unosID', e.id, 'tsaID', e.tsa_id, 'naziv', f.naziv, 'popunjeniRelevantni', e.popunjeni_relevantni)
                             order by f.prikazni_redosled, f.id, e.id) filter (where e.id is distinct from $5), '[]') as obrasci
                      from entry e join form f on f.id = e.tsa_id where e.poseta_id = v.id and e.aktivan) o
             where v.pacijent_id = $1 and v.registar_id = $2 and v.datum = $3 and v.ustanova_id = $4 and o.unosa > 0
            "#,
            key.patient,
            key.register,
            key.day.to_sqlx() as _,
            key.institution,
            but
        )
        .fetch_optional(db)
        .await?;
        Ok(row.map(|row| Self { id: row.id, lekar_id: row.radnik_odgovoran_id, lekar: row.lekar, obrasci: row.obrasci.0 }))
    }
}
