//! Periods that are locked: the entries of a register in the worker's institution up to a day.

use accounts::rights::{Allowed, EntryLocking, Patients};
use axum::{extract::State, http::StatusCode};
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
use utoipa::{IntoParams, ToSchema};

use super::reason;
use crate::patients::require;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(list, lock)).routes(routes!(unlock)).routes(routes!(unfinished))
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PeriodLock {
    id: i64,
    #[serde(rename = "registarID")]
    registar_id: i64,
    registar: String,
    do_dana: Date,
    razlog: String,
    radnik: String,
    vreme: String,
    otkljucano: Option<String>,
    otkljucao: Option<String>,
    razlog_otkljucavanja: Option<String>,
}

#[derive(Serialize, ToSchema)]
struct PeriodLocks {
    data: Vec<PeriodLock>,
    total: usize,
}

/// Of the worker's institution, the newest first; those that were unlocked too.
#[utoipa::path(get, path = "/api/period-locks", responses((status = 200, body = PeriodLocks)))]
async fn list(State(state): State<AppState>, actor: Allowed<EntryLocking>) -> Result<Json<PeriodLocks>> {
    let rows = sqlx::query!(
        r#"select p.id, p.registar_id, g.naziv, p.do_dana, p.razlog, w.ime || ' ' || w.prezime as "radnik!", p.vreme, p.otkljucano_at,
                  o.ime || ' ' || o.prezime as otkljucao, p.razlog_otkljucavanja
             from period_lock p join register g on g.id = p.registar_id join worker w on w.id = p.radnik_id
             left join worker o on o.id = p.otkljucao_id
            where p.ustanova_id = $1 order by p.id desc"#,
        actor.ustanova()?
    )
    .fetch_all(&state.db)
    .await?;
    let data: Vec<PeriodLock> = rows
        .into_iter()
        .map(|row| PeriodLock {
            id: row.id,
            registar_id: row.registar_id,
            registar: row.naziv,
            do_dana: row.do_dana.to_jiff(),
            razlog: row.razlog,
            radnik: row.radnik,
            vreme: time::server_text(row.vreme.to_jiff()),
            otkljucano: row.otkljucano_at.map(|at| time::server_text(at.to_jiff())),
            otkljucao: row.otkljucao,
            razlog_otkljucavanja: row.razlog_otkljucavanja,
        })
        .collect();
    Ok(Json(PeriodLocks { total: data.len(), data }))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
struct PeriodQuery {
    #[serde(rename = "registarID")]
    registar_id: i64,
    do_dana: Date,
}

/// What a lock of the period would leave as it is: entries of the register in the worker's institution up to a day, that day with them, and after
/// the day that is locked already.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UnfinishedPeriod {
    /// The first day that no lock holds; none: no day is locked.
    od: Option<Date>,
    unosa: i64,
    /// That nobody has finished.
    u_radu: i64,
    /// With a question that is not closed.
    sa_upitom: i64,
    /// With a finding that neither ended nor was confirmed.
    sa_nalazom: i64,
}

#[utoipa::path(get, path = "/api/period-locks/unfinished", params(PeriodQuery), responses((status = 200, body = UnfinishedPeriod)))]
async fn unfinished(
    State(state): State<AppState>,
    actor: Allowed<EntryLocking>,
    Query(query): Query<PeriodQuery>,
) -> Result<Json<UnfinishedPeriod>> {
    let from = sqlx::query_scalar!(
        "select max(do_dana) + 1 from period_lock where registar_id = $1 and ustanova_id = $2 and otkljucano_at is null",
        query.registar_id,
        actor.ustanova()?
    )
    .fetch_one(&state.db)
    .await?;
    let counted = sqlx::query!(
        r#"select count(*) as "unosa!",
                  count(*) filter (where coalesce(s.stanje, 'uRadu') = 'uRadu') as "u_radu!",
                  count(*) filter (where e.id in (select u.unos_id from open_question u where u.ustanova_id = $2)) as "sa_upitom!",
                  count(*) filter (where e.id in (select n.unos_id from open_finding n where n.ustanova_id = $2)) as "sa_nalazom!"
             from entry e join patient p on p.id = e.pacijent_id and p.aktivan left join last_entry_state s on s.unos_id = e.id
            where e.aktivan and e.registar_id = $1 and e.ustanova_id = $2 and e.datum_unosa <= $3
              and ($4::date is null or e.datum_unosa >= $4)"#,
        query.registar_id,
        actor.ustanova()?,
        query.do_dana.to_sqlx() as _,
        from as _
    )
    .fetch_one(&state.db)
    .await?;
    Ok(Json(UnfinishedPeriod {
        od: from.map(jiff_sqlx::Date::to_jiff),
        unosa: counted.unosa,
        u_radu: counted.u_radu,
        sa_upitom: counted.sa_upitom,
        sa_nalazom: counted.sa_nalazom,
    }))
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PeriodLockInput {
    #[serde(rename = "registarID")]
    registar_id: Option<i64>,
    do_dana: Option<Date>,
    #[serde(default)]
    razlog: String,
}

#[derive(Serialize, ToSchema)]
struct LockedPeriod {
    id: i64,
}

/// Locks the entries of the register in the worker's institution up to a day, that day with them.
#[utoipa::path(post, path = "/api/period-locks", request_body = PeriodLockInput,
    responses((status = 201, body = LockedPeriod), (status = 422, body = ErrorBody)))]
async fn lock(
    State(state): State<AppState>,
    actor: Allowed<EntryLocking>,
    Json(body): Json<PeriodLockInput>,
) -> Result<(StatusCode, Json<LockedPeriod>)> {
    require(&actor, Patients::Izmena)?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let register = match body.registar_id {
        Some(id) => sqlx::query_scalar!("select id from register where id = $1 and aktivan", id).fetch_optional(&mut *tx).await?,
        None => None,
    };
    let register = register.ok_or_else(|| Error::invalid("registarID", "Niste izabrali registar."))?;
    let day = body.do_dana.ok_or_else(|| Error::invalid("doDana", "Niste uneli dan do koga se zaključava."))?;
    let today = state.clock.now().to_zoned(time::zone()).date();
    if day >= today {
        return Err(Error::invalid("doDana", format!("Zaključava se do dana koji je prošao (danas je {}).", time::date_text(today))));
    }
    let id = sqlx::query_scalar!(
        "insert into period_lock (registar_id, ustanova_id, do_dana, razlog) values ($1, $2, $3, $4) returning id",
        register,
        actor.ustanova()?,
        day.to_sqlx() as _,
        reason(&body.razlog)?
    )
    .fetch_one(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(LockedPeriod { id })))
}

#[derive(Deserialize, ToSchema)]
struct PeriodUnlock {
    #[serde(default)]
    razlog: String,
}

/// Unlocks a period of the worker's institution.
#[utoipa::path(post, path = "/api/period-locks/{id}/unlock", params(("id" = i64, Path)), request_body = PeriodUnlock,
    responses((status = 204), (status = 409, body = ErrorBody), (status = 422, body = ErrorBody)))]
async fn unlock(
    State(state): State<AppState>,
    actor: Allowed<EntryLocking>,
    Path(id): Path<i64>,
    Json(body): Json<PeriodUnlock>,
) -> Result<StatusCode> {
    require(&actor, Patients::Izmena)?;
    let why = reason(&body.razlog)?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let there = sqlx::query_scalar!(
        r#"select otkljucano_at is not null as "over!" from period_lock where id = $1 and ustanova_id = $2 for update"#,
        id,
        actor.ustanova()?
    )
    .fetch_optional(&mut *tx)
    .await?;
    if there.ok_or(Error::NotFound)? {
        return Err(Error::conflict("Period je već otključan."));
    }
    sqlx::query!(
        "update period_lock set otkljucano_at = clock_timestamp(), otkljucao_id = acting_worker(), razlog_otkljucavanja = $2 where id = $1",
        id,
        why
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
