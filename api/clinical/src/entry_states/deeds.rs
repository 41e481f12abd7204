//! Finishing, signing, locking, and the ways back. Each is decided about a version of the entry, whose row is held until it is done.

use accounts::{
    auth::Actor,
    confirming,
    rights::{Allowed, EntryFinishing, EntryLocking, EntrySigning, Patients},
};
use axum::{extract::State, http::StatusCode};
use domain::{
    db,
    entry::{around::around, form::EntryForm, state::EntryState},
    time,
};
use platform::{
    error::{Error, ErrorBody, Result},
    extract::{Json, Path},
    http::ClientAddress,
    routes::{Routes, routes},
    state::AppState,
};
use serde::Deserialize;
use sqlx::{PgConnection, Postgres, Transaction};
use utoipa::ToSchema;

use super::{SignatureMeaning, StateDeed, reason};
use crate::{
    entries::values,
    patients::{PatientAccess, require},
};

/// Signed or taken back into work is what somebody has finished.
const SIGNABLE: [EntryState; 2] = [EntryState::Zavrsen, EntryState::Potpisan];

pub fn routes() -> Routes {
    Routes::new().routes(routes!(finish)).routes(routes!(sign)).routes(routes!(reopen)).routes(routes!(lock)).routes(routes!(unlock))
}

#[derive(Deserialize, ToSchema)]
struct DecidedEntry {
    /// The version that the worker decided about.
    verzija: i32,
}

#[derive(Deserialize, ToSchema)]
struct ReasonedDeed {
    verzija: i32,
    #[serde(default)]
    razlog: String,
}

#[derive(Deserialize, ToSchema)]
struct SignatureInput {
    verzija: i32,
    znacenje: Option<SignatureMeaning>,
    /// The worker's own, once more.
    #[serde(default)]
    lozinka: String,
}

/// The entry, held until the deed is done.
struct HeldEntry {
    stanje: EntryState,
    patient: i64,
    form_version: i64,
    date: jiff::civil::Date,
    values: values::Values,
}

impl HeldEntry {
    /// Of a worker who may change it, in the version that the worker saw.
    async fn of(tx: &mut PgConnection, actor: &Actor, id: i64, version: i32) -> Result<Self> {
        let held = Self::in_an_open_period(tx, actor, id, version).await?;
        sqlx::query!("select refuse_locked(e.id, e.registar_id, e.ustanova_id, e.datum_unosa) from entry e where e.id = $1", id)
            .execute(tx)
            .await?;
        Ok(held)
    }

    /// Likewise, where the entry itself may be locked.
    async fn in_an_open_period(tx: &mut PgConnection, actor: &Actor, id: i64, version: i32) -> Result<Self> {
        require(actor, Patients::Izmena)?;
        let found = sqlx::query!("select pacijent_id, ustanova_id from entry where id = $1", id).fetch_optional(&mut *tx).await?;
        let (_, access) = PatientAccess::to_entry(tx, actor, found, |entry| (entry.pacijent_id, entry.ustanova_id)).await?;
        access.require_change()?;
        sqlx::query!("select id from entry where id = $1 for update", id).fetch_one(&mut *tx).await?;
        let row = sqlx::query!(
            r#"select pacijent_id, datum_unosa, verzija, aktivan, form_version_id, vrednosti, state_of_entry(id) as "stanje!: EntryState"
                 from entry where id = $1"#,
            id
        )
        .fetch_one(&mut *tx)
        .await?;
        if !row.aktivan {
            return Err(Error::gone("Unos je u međuvremenu obrisan."));
        }
        if row.verzija != version {
            return Err(Error::conflict("Neko je izmenio unos otkad ste ga otvorili. Pogledajte izmene, pa ponovite."));
        }
        sqlx::query!("select refuse_locked(null, e.registar_id, e.ustanova_id, e.datum_unosa) from entry e where e.id = $1", id)
            .execute(tx)
            .await?;
        Ok(Self {
            stanje: row.stanje,
            patient: row.pacijent_id,
            form_version: row.form_version_id,
            date: row.datum_unosa.to_jiff(),
            values: values::from_json(&row.vrednosti),
        })
    }

    /// Refuses a deed that this state does not lead to.
    fn require(&self, states: &[EntryState], refusal: &'static str) -> Result<()> {
        if !states.contains(&self.stanje) {
            return Err(Error::conflict(refusal));
        }
        Ok(())
    }
}

/// A deed about an entry that is held: what is written of it ends the transaction.
struct OpenDeed {
    tx: Transaction<'static, Postgres>,
    entry: i64,
    held: HeldEntry,
}

impl OpenDeed {
    /// About an entry that nothing locks.
    async fn about(state: &AppState, actor: &Actor, entry: i64, version: i32) -> Result<Self> {
        let mut tx = db::begin(&state.db, actor.radnik_id).await?;
        let held = HeldEntry::of(&mut tx, actor, entry, version).await?;
        Ok(Self { tx, entry, held })
    }

    /// Likewise, where the entry itself may be locked.
    async fn in_an_open_period(state: &AppState, actor: &Actor, entry: i64, version: i32) -> Result<Self> {
        let mut tx = db::begin(&state.db, actor.radnik_id).await?;
        let held = HeldEntry::in_an_open_period(&mut tx, actor, entry, version).await?;
        Ok(Self { tx, entry, held })
    }

    async fn done(mut self, stanje: EntryState, radnja: StateDeed, razlog: Option<&str>) -> Result<StatusCode> {
        sqlx::query!(
            "insert into entry_state (unos_id, stanje, radnja, razlog) values ($1, $2, $3, $4)",
            self.entry,
            stanje as _,
            radnja as _,
            razlog
        )
        .execute(&mut *self.tx)
        .await?;
        self.tx.commit().await?;
        Ok(StatusCode::NO_CONTENT)
    }
}

/// Finishes the entry where it holds everything that a save of it today would ask for.
#[utoipa::path(post, path = "/api/entries/{id}/finish", params(("id" = i64, Path)), request_body = DecidedEntry,
    responses((status = 204), (status = 409, body = ErrorBody), (status = 422, body = ErrorBody)))]
async fn finish(
    State(state): State<AppState>,
    actor: Allowed<EntryFinishing>,
    Path(id): Path<i64>,
    Json(body): Json<DecidedEntry>,
) -> Result<StatusCode> {
    let mut deed = OpenDeed::about(&state, &actor, id, body.verzija).await?;
    let held = &deed.held;
    held.require(&[EntryState::URadu], "Završava se samo unos koji je u radu.")?;
    let form = EntryForm::of_version(&mut deed.tx, held.form_version).await?;
    let today = state.clock.now().to_zoned(time::zone()).date();
    let around = around(&mut deed.tx, &form, held.patient, actor.ustanova()?, Some(held.date), Some(id), today).await?;
    let fields = form.by_id();
    let typed = held.values.iter().filter(|(field, _)| !fields.get(field).is_some_and(|field| field.is_calculated()));
    let computed = values::compute(&form, typed.map(|(field, value)| (*field, value.clone())).collect(), &around);
    values::check(&form, &computed, None)?;
    values::refuse_broken(&form, &computed, None, Some(held.date))?;
    deed.done(EntryState::Zavrsen, StateDeed::Zavrsavanje, None).await
}

/// Signs a finished entry. Whoever sits at an open session is not yet its worker: the password is asked for again, each time.
#[utoipa::path(post, path = "/api/entries/{id}/sign", params(("id" = i64, Path)), request_body = SignatureInput,
    responses((status = 204), (status = 409, body = ErrorBody), (status = 422, body = ErrorBody), (status = 428, body = ErrorBody)))]
async fn sign(
    State(state): State<AppState>,
    actor: Allowed<EntrySigning>,
    ClientAddress(address): ClientAddress,
    Path(id): Path<i64>,
    Json(body): Json<SignatureInput>,
) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let held = HeldEntry::of(&mut tx, &actor, id, body.verzija).await?;
    held.require(&SIGNABLE, "Potpisuje se samo završen unos. Prvo ga završite.")?;
    let meaning = body.znacenje.ok_or_else(|| Error::invalid("znacenje", "Niste izabrali značenje potpisa."))?;
    // Nothing is held while the password is compared.
    drop(tx);
    confirming::require_password(&state, &actor, address, body.lozinka).await?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let held = HeldEntry::of(&mut tx, &actor, id, body.verzija).await?;
    held.require(&SIGNABLE, "Potpisuje se samo završen unos. Prvo ga završite.")?;
    sqlx::query!("insert into entry_state (unos_id, stanje, radnja, znacenje) values ($1, 'potpisan', 'potpis', $2)", id, meaning as _)
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Takes a finished or signed entry back into work; a signature ends with that.
#[utoipa::path(post, path = "/api/entries/{id}/reopen", params(("id" = i64, Path)), request_body = ReasonedDeed,
    responses((status = 204), (status = 409, body = ErrorBody), (status = 422, body = ErrorBody)))]
async fn reopen(
    State(state): State<AppState>,
    actor: Allowed<EntryFinishing>,
    Path(id): Path<i64>,
    Json(body): Json<ReasonedDeed>,
) -> Result<StatusCode> {
    let deed = OpenDeed::about(&state, &actor, id, body.verzija).await?;
    deed.held.require(&SIGNABLE, "U rad se vraća samo završen ili potpisan unos.")?;
    deed.done(EntryState::URadu, StateDeed::Vracanje, Some(reason(&body.razlog)?)).await
}

/// Locks the entry, whatever its state: nobody changes, re-dates or deletes it until it is unlocked.
#[utoipa::path(post, path = "/api/entries/{id}/lock", params(("id" = i64, Path)), request_body = ReasonedDeed,
    responses((status = 204), (status = 409, body = ErrorBody), (status = 422, body = ErrorBody)))]
async fn lock(
    State(state): State<AppState>,
    actor: Allowed<EntryLocking>,
    Path(id): Path<i64>,
    Json(body): Json<ReasonedDeed>,
) -> Result<StatusCode> {
    let deed = OpenDeed::about(&state, &actor, id, body.verzija).await?;
    deed.done(EntryState::Zakljucan, StateDeed::Zakljucavanje, Some(reason(&body.razlog)?)).await
}

/// Unlocks the entry: it is again what it was, and a signature that it had holds.
#[utoipa::path(post, path = "/api/entries/{id}/unlock", params(("id" = i64, Path)), request_body = ReasonedDeed,
    responses((status = 204), (status = 409, body = ErrorBody), (status = 422, body = ErrorBody)))]
async fn unlock(
    State(state): State<AppState>,
    actor: Allowed<EntryLocking>,
    Path(id): Path<i64>,
    Json(body): Json<ReasonedDeed>,
) -> Result<StatusCode> {
    let mut deed = OpenDeed::in_an_open_period(&state, &actor, id, body.verzija).await?;
    deed.held.require(&[EntryState::Zakljucan], "Unos nije zaključan.")?;
    let before = sqlx::query_scalar!(
        r#"select case when signature_of_entry($1) is not null then 'potpisan'
                       else coalesce((select nullif(s.stanje, 'potpisan') from entry_state s
                                       where s.unos_id = $1 and s.stanje <> 'zakljucan' order by s.id desc limit 1), 'uRadu') end as "before!: EntryState""#,
        id
    )
    .fetch_one(&mut *deed.tx)
    .await?;
    deed.done(before, StateDeed::Otkljucavanje, Some(reason(&body.razlog)?)).await
}
