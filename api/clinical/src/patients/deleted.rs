//! Deleted patients and entries, for who may delete them: they are listed and brought back. Nobody sees more of them than before: a
//! deleted patient only the institutions that registered the patient or hold an entry, a deleted entry only the one that holds it.

use accounts::{
    audit::{Look, look, look_at_patient, told},
    auth::Actor,
    rights::Patients,
};
use axum::extract::State;
use domain::time;
use jiff::civil::Date;
use platform::{
    deletion,
    error::{Error, Result},
    extract::{Json, Path, Query},
    page::Page,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::{IntoParams, ToSchema};

use super::{
    access::{self, PatientAccess},
    record::CHANGED,
};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(deleted_patients)).routes(routes!(deleted_entries))
}

/// The most that are listed, newest first; the rest are found by name.
const MOST: i64 = 200;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DeletedPatient {
    id: i64,
    ime: String,
    prezime: String,
    datum_rodjenja: Date,
    jmbg: String,
    verzija: i32,
    obrisao: Option<String>,
    vreme: Option<String>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct DeletedQuery {
    /// A part of the name or of the JMBG.
    filter: Option<String>,
}

/// The institution whose deleted patients the worker may bring back.
pub fn may_restore(actor: &Actor) -> Result<i64> {
    access::require(actor, Patients::Izmena)?;
    let institution = actor.ustanova()?;
    if actor.prava.is_empty() { Err(Error::Forbidden) } else { Ok(institution) }
}

#[utoipa::path(get, path = "/api/deleted-patients", params(DeletedQuery), responses((status = 200, body = Page<DeletedPatient>)))]
async fn deleted_patients(
    State(state): State<AppState>,
    actor: Actor,
    Query(query): Query<DeletedQuery>,
) -> Result<Json<Page<DeletedPatient>>> {
    let institution = may_restore(&actor)?;
    let mut db = state.db.acquire().await?;
    let rows = sqlx::query!(
        r#"
        select p.id, p.ime, p.prezime, p.datum_rodjenja, p.jmbg, p.verzija, l.vreme_pristupa as "vreme?", w.prezime || ' ' || w.ime as radnik
          from patient p
          left join lateral (select a.vreme_pristupa, a.radnik_id from audit_log a
                              where a.klasa = 'patient' and a.red_id = p.id::text and a.akcija = 'brisanje'
                              order by a.vreme_pristupa desc limit 1) l on true
          left join worker w on w.id = l.radnik_id
         where not p.aktivan and exists (select from returnable_patient o where o.pacijent_id = p.id and o.ustanova_id = $1)
           and ($2::text is null or fold(concat_ws(' ', p.prezime, p.ime, p.jmbg)) like '%' || replace(replace(fold($2), '%', ''), '_', '') || '%')
         order by l.vreme_pristupa desc nulls last, p.id desc
         limit $3
        "#,
        institution,
        query.filter.as_deref().map(str::trim).filter(|filter| !filter.is_empty()),
        MOST
    )
    .fetch_all(&mut *db)
    .await?;
    let shown: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let polja = vec![told("Rezultata", shown.len())];
    look(&mut *db, &actor, &Look { klasa: "patient", akcija: "pregled spiska obrisanih", polja, pacijenti: &shown, ..Look::default() })
        .await?;
    let data = rows.into_iter().map(|row| DeletedPatient {
        id: row.id,
        ime: row.ime,
        prezime: row.prezime,
        datum_rodjenja: row.datum_rodjenja.to_jiff(),
        jmbg: row.jmbg,
        verzija: row.verzija,
        obrisao: row.radnik,
        vreme: row.vreme.map(|at| time::server_text(at.to_jiff())),
    });
    Ok(Json(Page::all(data.collect())))
}

/// What a deleted patient was registered by.
pub struct Numbers {
    pub jmbg: String,
    pub lbo: String,
}

/// A deleted patient whom the institution may bring back. Nothing is locked yet: there may be none of whom it knows.
pub async fn find(db: &mut PgConnection, institution: i64, id: i64) -> sqlx::Result<Option<Numbers>> {
    sqlx::query_as!(
        Numbers,
        "select p.jmbg, p.lbo from patient p
          where p.id = $1 and exists (select from returnable_patient o where o.pacijent_id = p.id and o.ustanova_id = $2)",
        id,
        institution
    )
    .fetch_optional(db)
    .await
}

/// Brings the patient back; the entries were never gone.
pub async fn restore(db: &mut PgConnection, id: i64, verzija: Option<i64>) -> Result<()> {
    let version =
        sqlx::query_scalar!("select verzija from patient where id = $1 and not aktivan and anonimizovan_at is null for update", id);
    let version = version.fetch_optional(&mut *db).await?;
    if version.is_none() || verzija.is_some_and(|loaded| Some(loaded) != version.map(i64::from)) {
        return Err(Error::conflict(CHANGED));
    }
    sqlx::query!("update patient set aktivan = true where id = $1", id).execute(db).await?;
    Ok(())
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DeletedEntry {
    id: i64,
    naziv: String,
    registar: String,
    datum_unosa: Date,
    verzija: i32,
    obrisao: Option<String>,
    vreme: Option<String>,
}

/// The patient's deleted entries that the worker's institution holds, newest deletion first.
#[utoipa::path(get, path = "/api/patients/{id}/deleted-entries", params(("id" = i64, Path)), responses((status = 200, body = Page<DeletedEntry>)))]
async fn deleted_entries(State(state): State<AppState>, actor: Actor, Path(id): Path<i64>) -> Result<Json<Page<DeletedEntry>>> {
    let mut db = state.db.acquire().await?;
    PatientAccess::to(&mut db, &actor, id).await?.require_delete()?;
    look_at_patient(&mut db, &actor, id).await?;
    let rows = sqlx::query!(
        r#"select e.id, f.naziv, r.naziv as registar, e.datum_unosa, e.verzija from entry e join form f on f.id = e.tsa_id
             join register r on r.id = e.registar_id
            where e.pacijent_id = $1 and not e.aktivan and e.ustanova_id = $2 order by e.datum_izmene desc nulls last, e.id desc limit $3"#,
        id,
        actor.ustanova()?,
        MOST
    )
    .fetch_all(&mut *db)
    .await?;
    let mut deleted = deletion::of(&mut db, "entry", &rows.iter().map(|row| row.id).collect::<Vec<_>>()).await?;
    let data = rows.into_iter().map(|row| {
        let deletion = deleted.iter().position(|one| one.id == row.id).map(|at| deleted.swap_remove(at));
        let (obrisao, vreme) = deletion.map_or((None, None), |one| (one.radnik, Some(one.vreme)));
        DeletedEntry {
            id: row.id,
            naziv: row.naziv,
            registar: row.registar,
            datum_unosa: row.datum_unosa.to_jiff(),
            verzija: row.verzija,
            obrisao,
            vreme,
        }
    });
    Ok(Json(Page::all(data.collect())))
}
