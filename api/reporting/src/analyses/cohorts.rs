//! Cohorts: the caller's own, and those that colleagues share with the institution. Only the owner changes one.

use accounts::{
    auth::Actor,
    rights::{Allowed, Reports},
};
use axum::{extract::State, http::StatusCode};
use domain::{db, text, time::date_text};
use jiff_sqlx::ToSqlx;
use platform::{
    error::{Error, Result},
    extract::{Json, Path},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, types::Json as Jsonb};
use utoipa::ToSchema;

use super::{
    cohort::{CohortChoice, CohortSource},
    members::{self, CohortCount},
    records::recompile,
};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(list, create)).routes(routes!(update, delete)).routes(routes!(freeze, thaw)).routes(routes!(count))
}

const LONGEST_NAME: usize = 200;
const MOST_COHORTS: i64 = 200;
pub const NO_NAME: &str = "Niste uneli naziv.";

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Cohort {
    id: i64,
    naziv: String,
    registar: String,
    izbor: CohortChoice,
    deljena: bool,
    /// Whether the caller may change it.
    moja: bool,
    vlasnik: String,
    /// The day of which its members are; none: they are those of each run.
    zamrznuta: Option<String>,
    /// Rows of a frozen one.
    clanova: Option<i64>,
    /// Forms that have changed since it was frozen.
    izmenjeni_formulari: Vec<String>,
    verzija: i32,
}

#[derive(Deserialize, ToSchema)]
struct CohortInput {
    #[serde(default, deserialize_with = "text::required")]
    naziv: String,
    izbor: CohortChoice,
    #[serde(default)]
    deljena: bool,
    /// Of the cohort as the caller saw it; not read of a new one.
    #[serde(default)]
    verzija: i32,
}

#[derive(Serialize, ToSchema)]
pub struct RecordId {
    pub id: i64,
}

#[utoipa::path(get, path = "/api/cohorts", tag = "analize", responses((status = 200, body = [Cohort])))]
async fn list(State(state): State<AppState>, actor: Allowed<Reports>) -> Result<Json<Vec<Cohort>>> {
    let rows = sqlx::query!(
        r#"select k.id, k.naziv, r.naziv as registar, k.izbor as "izbor: Jsonb<CohortChoice>", k.deljena, k.radnik_id = $1 as "moja!",
                  w.ime || ' ' || w.prezime as "vlasnik!", k.zamrznuta as "zamrznuta: jiff_sqlx::Date", k.verzija,
                  case when k.zamrznuta is not null then (select count(*) from cohort_member m where m.kohorta_id = k.id and m.clan) end as clanova,
                  array(select f.naziv from jsonb_each_text(k.verzije_formulara) v join form f on f.id = v.key::bigint
                         where v.value::int < (select max(b.broj) from form_version b where b.form_id = f.id) order by f.naziv) as "izmenjeni!: Vec<String>"
             from cohort k join register r on r.id = k.registar_id join worker w on w.id = k.radnik_id
            where k.aktivan and sees_owned($1, k.radnik_id, case when k.deljena then k.ustanova_id end)
            order by k.naziv, k.id"#,
        actor.radnik_id
    );
    let cohorts = rows.fetch_all(&state.db).await?.into_iter().map(|row| Cohort {
        id: row.id,
        naziv: row.naziv,
        registar: row.registar,
        izbor: row.izbor.0,
        deljena: row.deljena,
        moja: row.moja,
        vlasnik: row.vlasnik,
        zamrznuta: row.zamrznuta.map(|day| date_text(day.to_jiff())),
        clanova: row.clanova,
        izmenjeni_formulari: row.izmenjeni,
        verzija: row.verzija,
    });
    Ok(Json(cohorts.collect()))
}

#[utoipa::path(post, path = "/api/cohorts", tag = "analize", request_body = CohortInput,
    responses((status = 201, body = RecordId), (status = 422, description = "Polje i poruka")))]
async fn create(
    State(state): State<AppState>,
    actor: Allowed<Reports>,
    Json(input): Json<CohortInput>,
) -> Result<(StatusCode, Json<RecordId>)> {
    refuse_name(&input.naziv)?;
    let source = CohortSource::load(&state, input.izbor, None).await?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let own = sqlx::query_scalar!(r#"select count(*) as "n!" from cohort where radnik_id = $1 and aktivan"#, actor.radnik_id);
    if own.fetch_one(&mut *tx).await? >= MOST_COHORTS {
        return Err(Error::too_many(format!("Već imate {MOST_COHORTS} kohorti. Obrišite one koje više nisu potrebne.")));
    }
    refuse_taken(&mut tx, &actor, None, &input.naziv).await?;
    let id = sqlx::query_scalar!(
        "insert into cohort (naziv, registar_id, radnik_id, ustanova_id, deljena, izbor) values ($1, $2, $3, $4, $5, $6) returning id",
        input.naziv,
        source.choice.registar_id,
        actor.radnik_id,
        actor.ustanova()?,
        input.deljena,
        Jsonb(&source.choice) as _
    )
    .fetch_one(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(RecordId { id })))
}

/// Analyses of it are made anew of what it is now.
#[utoipa::path(put, path = "/api/cohorts/{id}", tag = "analize", params(("id" = i64, Path)), request_body = CohortInput,
    responses((status = 204), (status = 409, description = "Neko ju je u međuvremenu izmenio"), (status = 422, description = "Polje i poruka")))]
async fn update(
    State(state): State<AppState>,
    actor: Allowed<Reports>,
    Path(id): Path<i64>,
    Json(input): Json<CohortInput>,
) -> Result<StatusCode> {
    refuse_name(&input.naziv)?;
    let source = CohortSource::load(&state, input.izbor, None).await?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let before = OwnCohort::lock(&mut tx, &actor, id).await?;
    before.refuse_newer(input.verzija)?;
    if before.frozen && before.izbor != serde_json::to_value(&source.choice).map_err(anyhow::Error::from)? {
        return Err(Error::conflict("Kohorta je zamrznuta: njeni uslovi se ne menjaju dok je ne odmrznete."));
    }
    refuse_taken(&mut tx, &actor, Some(id), &input.naziv).await?;
    if before.deljena && !input.deljena {
        refuse_used_by_others(&mut tx, &actor, id).await?;
    }
    sqlx::query!(
        "update cohort set naziv = $2, registar_id = $3, deljena = $4, izbor = $5 where id = $1",
        id,
        input.naziv,
        source.choice.registar_id,
        input.deljena,
        Jsonb(&source.choice) as _
    )
    .execute(&mut *tx)
    .await?;
    recompile(&state, &actor, &mut tx, id).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

#[utoipa::path(delete, path = "/api/cohorts/{id}", tag = "analize", params(("id" = i64, Path)),
    responses((status = 204), (status = 409, description = "Koriste je analize")))]
async fn delete(State(state): State<AppState>, actor: Allowed<Reports>, Path(id): Path<i64>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    OwnCohort::lock(&mut tx, &actor, id).await?;
    refuse_used_by_others(&mut tx, &actor, id).await?;
    let names = sqlx::query_scalar!("select naziv from analysis where kohorta_id = $1 and aktivan order by naziv, id", id);
    let names = names.fetch_all(&mut *tx).await?;
    if !names.is_empty() {
        return Err(Error::conflict(format!("Kohortu koriste analize: {}. Prvo obrišite njih.", names.join(", "))));
    }
    sqlx::query!("delete from cohort_member where kohorta_id = $1", id).execute(&mut *tx).await?;
    sqlx::query!("update cohort set aktivan = false, zamrznuta = null, verzije_formulara = null where id = $1", id)
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Keeps whom it has today, with the versions of its forms.
#[utoipa::path(post, path = "/api/cohorts/{id}/freeze", tag = "analize", params(("id" = i64, Path)),
    responses((status = 204), (status = 409, description = "Već je zamrznuta, ili je analiza nad svim ustanovama čita")))]
async fn freeze(State(state): State<AppState>, actor: Allowed<Reports>, Path(id): Path<i64>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let cohort = OwnCohort::lock(&mut tx, &actor, id).await?;
    if cohort.frozen {
        return Err(Error::conflict("Kohorta je već zamrznuta."));
    }
    if cohort.ustanova_id != actor.ustanova()? {
        return Err(Error::refused("Kohorta je druge vaše ustanove: pređite u nju, pa je zamrznite."));
    }
    let choice: CohortChoice = serde_json::from_value(cohort.izbor).map_err(anyhow::Error::from)?;
    let source = CohortSource::load(&state, choice, None).await?;
    let members = members::find(&state, &actor, &source).await?;
    let forms: Vec<i64> = std::iter::once(source.form.id).chain(source.others.iter().map(|(_, form)| form.id)).collect();
    let (entries, rows): (Vec<i64>, Vec<bool>) = members.iter().map(|member| (member.unos_id, member.clan)).unzip();
    sqlx::query!(
        "insert into cohort_member (kohorta_id, unos_id, clan) select $1, m.unos_id, m.clan from unnest($2::bigint[], $3::boolean[]) m (unos_id, clan)",
        id,
        &entries,
        &rows
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        r#"update cohort set zamrznuta = $2, verzije_formulara = (
               select coalesce(jsonb_object_agg(f.id::text, (select coalesce(max(v.broj), 0) from form_version v where v.form_id = f.id)), '{}')
                 from form f where f.id = any($3)) where id = $1"#,
        id,
        state.today().to_sqlx() as _,
        &forms
    )
    .execute(&mut *tx)
    .await?;
    recompile(&state, &actor, &mut tx, id).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lets it have whoever passes its conditions at each run.
#[utoipa::path(delete, path = "/api/cohorts/{id}/freeze", tag = "analize", params(("id" = i64, Path)), responses((status = 204)))]
async fn thaw(State(state): State<AppState>, actor: Allowed<Reports>, Path(id): Path<i64>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    OwnCohort::lock(&mut tx, &actor, id).await?;
    sqlx::query!("delete from cohort_member where kohorta_id = $1", id).execute(&mut *tx).await?;
    sqlx::query!("update cohort set zamrznuta = null, verzije_formulara = null where id = $1", id).execute(&mut *tx).await?;
    recompile(&state, &actor, &mut tx, id).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// How many patients and entries such a cohort has in the caller's institution.
#[utoipa::path(post, path = "/api/cohort-count", tag = "analize", request_body = CohortChoice,
    responses((status = 200, body = CohortCount), (status = 422, description = "Polje i poruka")))]
async fn count(State(state): State<AppState>, actor: Allowed<Reports>, Json(choice): Json<CohortChoice>) -> Result<Json<CohortCount>> {
    let source = CohortSource::load(&state, choice, None).await?;
    members::count(&state, &actor, &source).await.map(Json)
}

/// A cohort that the caller may use.
pub struct UsableCohort {
    pub naziv: String,
    pub source: CohortSource,
}

impl UsableCohort {
    pub async fn find(state: &AppState, actor: &Actor, id: i64) -> Result<Self> {
        let row = sqlx::query!(
            r#"select naziv, izbor as "izbor: Jsonb<CohortChoice>", zamrznuta as "zamrznuta: jiff_sqlx::Date" from cohort
                where id = $1 and aktivan and sees_owned($2, radnik_id, case when deljena then ustanova_id end)"#,
            id,
            actor.radnik_id
        );
        let row = row.fetch_optional(&state.db).await?.ok_or_else(|| Error::invalid("kohortaID", "Izabrana kohorta ne postoji."))?;
        let frozen = row.zamrznuta.map(|day| (id, day.to_jiff()));
        Ok(Self { naziv: row.naziv, source: CohortSource::load(state, row.izbor.0, frozen).await? })
    }

    /// As it stands in a transaction that has changed it.
    pub async fn within(tx: &mut PgConnection, state: &AppState, id: i64) -> Result<Self> {
        let row = sqlx::query!(
            r#"select naziv, izbor as "izbor: Jsonb<CohortChoice>", zamrznuta as "zamrznuta: jiff_sqlx::Date" from cohort where id = $1"#,
            id
        );
        let row = row.fetch_one(tx).await?;
        let frozen = row.zamrznuta.map(|day| (id, day.to_jiff()));
        Ok(Self { naziv: row.naziv, source: CohortSource::load(state, row.izbor.0, frozen).await? })
    }
}

/// A cohort of the caller's, locked until the transaction ends.
struct OwnCohort {
    ustanova_id: i64,
    deljena: bool,
    frozen: bool,
    izbor: serde_json::Value,
    verzija: i32,
}

impl OwnCohort {
    /// Another worker's does not exist here, or is refused where it is shared with the caller.
    async fn lock(tx: &mut PgConnection, actor: &Actor, id: i64) -> Result<Self> {
        let row = sqlx::query!(
            r#"select radnik_id, ustanova_id, deljena, zamrznuta is not null as "frozen!", izbor, verzija from cohort
                where id = $1 and aktivan and sees_owned($2, radnik_id, case when deljena then ustanova_id end) for update"#,
            id,
            actor.radnik_id
        );
        let row = row.fetch_optional(tx).await?.ok_or(Error::NotFound)?;
        if row.radnik_id != actor.radnik_id {
            return Err(Error::refused("Kohortu menja samo onaj ko ju je napravio."));
        }
        Ok(Self { ustanova_id: row.ustanova_id, deljena: row.deljena, frozen: row.frozen, izbor: row.izbor, verzija: row.verzija })
    }

    fn refuse_newer(&self, seen: i32) -> Result<()> {
        if self.verzija == seen { Ok(()) } else { Err(Error::conflict("Kohorta je u međuvremenu izmenjena. Otvorite je ponovo.")) }
    }
}

pub fn refuse_name(naziv: &str) -> Result<()> {
    if naziv.is_empty() {
        return Err(Error::invalid("naziv", NO_NAME));
    }
    if naziv.chars().count() > LONGEST_NAME || naziv.contains('\0') {
        return Err(Error::invalid("naziv", format!("Naziv sme da ima najviše {LONGEST_NAME} znakova.")));
    }
    Ok(())
}

async fn refuse_taken(tx: &mut PgConnection, actor: &Actor, id: Option<i64>, naziv: &str) -> Result<()> {
    let taken = sqlx::query_scalar!(
        r#"select exists (select from cohort where radnik_id = $1 and aktivan and id is distinct from $2 and fold(naziv) = fold($3)) as "taken!""#,
        actor.radnik_id,
        id,
        naziv
    );
    match taken.fetch_one(tx).await? {
        true => Err(Error::Conflict { field: Some("naziv".into()), message: "Već imate kohortu sa tim nazivom.".into() }),
        false => Ok(()),
    }
}

async fn refuse_used_by_others(tx: &mut PgConnection, actor: &Actor, id: i64) -> Result<()> {
    let others = sqlx::query_scalar!(
        r#"select count(*) as "n!" from analysis where kohorta_id = $1 and aktivan and radnik_id <> $2"#,
        id,
        actor.radnik_id
    );
    match others.fetch_one(tx).await? {
        0 => Ok(()),
        _ => Err(Error::conflict("Kohortu koriste analize drugih radnika ustanove, pa ostaje podeljena.")),
    }
}
