//! Whom the officer may ask about: patients of her institutions by name or JMBG, and their workers.

use accounts::{
    audit::{Look, look, told},
    rights::{Allowed, LookedAt, Looks, Right},
};
use axum::extract::State;
use domain::{fold::fold, jmbg};
use jiff::civil::Date;
use platform::{
    error::{Error, Result},
    extract::{Json, Query},
    options::{FoundWorker, WorkerOption},
    page::{Narrowing, Page},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::institutions;
use crate::patients::CLOSED;

/// Fewer letters would list the hospital.
const FEWEST_LETTERS: usize = 3;
/// More are found by more letters.
const MOST: i64 = 20;
const JMBG_DIGITS: usize = 13;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(patients)).routes(routes!(workers))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct PatientsQuery {
    /// The beginning of surname and name, or a whole JMBG.
    #[serde(default)]
    filter: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PatientOption {
    id: i64,
    ime_prezime: String,
    datum_rodjenja: Date,
}

/// Patients whom the reader's institutions know, deleted ones among them.
#[utoipa::path(get, path = "/api/looks/patients", params(PatientsQuery), responses((status = 200, body = Page<PatientOption>)))]
async fn patients(
    State(state): State<AppState>,
    actor: Allowed<LookedAt>,
    Query(query): Query<PatientsQuery>,
) -> Result<Json<Page<PatientOption>>> {
    if !actor.prava.holds(Right::Looks) && !actor.prava.open_patients() {
        return Err(Error::refused(CLOSED));
    }
    let number = jmbg::plain(&query.filter);
    let is_number = number.len() == JMBG_DIGITS && number.bytes().all(|byte| byte.is_ascii_digit());
    let beginning = fold(query.filter.trim());
    if query.filter.trim().chars().count() < FEWEST_LETTERS {
        return Err(Error::invalid("filter", "Unesite bar tri slova prezimena, ili ceo JMBG."));
    }
    let mut db = state.db.acquire().await?;
    let institutions = institutions(&mut db, &actor).await?;
    let found = sqlx::query!(
        r#"
        select p.id, p.prezime || ' ' || p.ime as "ime_prezime!", p.datum_rodjenja
          from patient p
         where (p.jmbg = $1 or starts_with(p.prezime_f, split_part($2, ' ', 1)) and starts_with(p.prezime_f || ' ' || p.ime_f, $2::text))
           and exists (select from unnest($3::bigint[]) i (id) where knows_patient(i.id, p.id))
         order by p.prezime_f, p.ime_f, p.id limit $4
        "#,
        number,
        (!is_number).then_some(beginning),
        &institutions,
        MOST,
    )
    .fetch_all(&mut *db)
    .await?;
    let asked = if is_number { "JMBG".to_owned() } else { query.filter.trim().to_owned() };
    let patients: Vec<i64> = found.iter().map(|row| row.id).collect();
    let polja = vec![told("Traženo", asked), told("Rezultata", patients.len())];
    look(&mut *db, &actor, &Look { klasa: "access_log", akcija: "izbor pacijenta", polja, pacijenti: &patients, ..Look::default() })
        .await?;
    let data = found.into_iter().map(|row| PatientOption {
        id: row.id,
        ime_prezime: row.ime_prezime,
        datum_rodjenja: row.datum_rodjenja.to_jiff(),
    });
    Ok(Json(Page::all(data.collect())))
}

/// Who belongs or belonged to the officer's institutions.
#[utoipa::path(get, path = "/api/looks/workers", params(Narrowing), responses((status = 200, body = Page<WorkerOption>)))]
async fn workers(State(state): State<AppState>, actor: Allowed<Looks>, Query(asked): Query<Narrowing>) -> Result<Json<Page<WorkerOption>>> {
    let mut db = state.db.acquire().await?;
    let institutions = institutions(&mut db, &actor).await?;
    let workers = sqlx::query_as!(
        FoundWorker,
        r#"select w.id as value, w.prezime || ' ' || w.ime as "label!", count(*) over () as "total!" from worker w
            where (w.ustanova_id = any ($1)
                   or exists (select from worker_institution m where m.radnik_id = w.id and m.ustanova_id = any ($1)))
              and fold(w.prezime || ' ' || w.ime) like all ($2)
            order by fold(w.prezime), fold(w.ime), w.id limit $3"#,
        &institutions,
        &asked.words()?,
        asked.limit()
    );
    Ok(Json(WorkerOption::page(workers.fetch_all(&mut *db).await?)))
}
