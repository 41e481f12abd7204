//! Saving an entry: read, merge with what others saved, compute, check, store; all of it whatever the browser already did.

use std::collections::BTreeMap;

use axum::{
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use domain::{db, time};
use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgConnection;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;

use super::{
    count::entries_of,
    form::Form,
    merge::{Clash, merge},
    values::{self, Computed, Values},
};
use crate::{
    auth::Actor,
    error::{Error, Result},
    extract::Json,
    patients::Access,
    state::AppState,
};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(save)).routes(routes!(delete))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SaveRequest {
    /// None: a new entry.
    #[serde(rename = "unosID")]
    unos_id: Option<i64>,
    #[serde(rename = "tsaID")]
    tsa_id: i64,
    #[serde(rename = "registarID")]
    registar_id: i64,
    #[serde(rename = "pacijentID")]
    pacijent_id: i64,
    /// Values by field id, as the clinician left them.
    #[schema(value_type = Object)]
    vrednosti: BTreeMap<String, Value>,
    /// Values by field id as they were loaded; with `verzija` they tell whose edit is whose.
    #[serde(default)]
    #[schema(value_type = Object)]
    osnova: BTreeMap<String, Value>,
    verzija: Option<i32>,
    radnik_odgovoran: Option<i64>,
    datum_unosa: Option<Date>,
    /// Made by the client once for each new entry: a retried save makes one entry.
    kljuc: Option<Uuid>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Saved {
    #[serde(rename = "snimljenUnosID")]
    snimljen_unos_id: i64,
    verzija: i32,
    /// Values as they are stored now: calculated, merged, hidden ones cleared.
    #[schema(value_type = Object)]
    vrednosti: Value,
    /// Fields whose values were cleared because they are hidden.
    ocisceno: Vec<i64>,
    /// Relevant fields left blank.
    nepopunjeni_relevantni: Vec<i64>,
}

/// 409: somebody else answered the same fields differently since the entry was loaded.
#[derive(Debug, Serialize, ToSchema)]
struct ClashAnswer {
    message: String,
    field: Option<String>,
    verzija: i32,
    sukobi: Vec<FieldClash>,
    /// Everything that is stored now.
    #[schema(value_type = Object)]
    vrednosti: Value,
}

#[derive(Debug, Serialize, ToSchema)]
struct FieldClash {
    polje: i64,
    naziv: String,
    #[schema(value_type = Object)]
    moje: Option<Value>,
    #[schema(value_type = Object)]
    njihovo: Option<Value>,
}

struct Stored {
    version: i32,
    values: Values,
}

#[utoipa::path(post, path = "/api/entry-values", request_body = SaveRequest,
    responses((status = 200, body = Saved), (status = 409, body = ClashAnswer)))]
async fn save(State(state): State<AppState>, actor: Actor, Json(request): Json<SaveRequest>) -> Result<Response> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    Access::to(&mut tx, &actor, request.pacijent_id).await?.require_change()?;
    if request.unos_id.is_none()
        && let Some(key) = request.kljuc
        && let Some(made) = already_made(&mut tx, &actor, request.pacijent_id, key).await?
    {
        return Ok(Json(made).into_response());
    }
    let form = Form::load(&mut tx, request.tsa_id).await?;
    if form.registar_id != request.registar_id {
        return Err(Error::NotFound);
    }
    let mine = values::read(&form, &request.vrednosti)?;
    let stored = match request.unos_id {
        Some(id) => Some(lock(&mut tx, &actor, id, &request).await?),
        None => None,
    };
    let entered = match &stored {
        Some(stored) if request.verzija != Some(stored.version) => {
            let loaded = values::from_json(&serde_json::json!(request.osnova));
            match merge(&entered_only(&form, loaded), &entered_only(&form, mine), &entered_only(&form, stored.values.clone())) {
                Ok(merged) => merged,
                Err(clashes) => return Ok(clash(&form, stored, clashes)),
            }
        }
        _ => entered_only(&form, mine),
    };
    let computed = values::compute(&form, entered, state.clock.now().to_zoned(time::zone()).date());
    values::check(&form, &computed)?;
    let date = request.datum_unosa.ok_or_else(|| Error::invalid("datumUnosa", "Niste uneli datum pregleda."))?;
    let doctor = responsible(&mut tx, &actor, request.unos_id, request.radnik_odgovoran).await?;
    let saved = store(&mut tx, &actor, &request, &form, computed, date, doctor).await?;
    sqlx::query!(
        "delete from entry_draft where radnik_id = $1 and kljuc = any ($2)",
        actor.radnik_id,
        &draft_keys(&request, saved.snimljen_unos_id)
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(Json(saved).into_response())
}

/// Calculated values are the server's, whoever sent them.
fn entered_only(form: &Form, values: Values) -> Values {
    let calculated = form.by_id();
    values.into_iter().filter(|(id, _)| !calculated.get(id).is_some_and(|field| field.is_calculated())).collect()
}

/// The names under which the browser kept a draft of this entry.
fn draft_keys(request: &SaveRequest, id: i64) -> Vec<String> {
    vec![format!("unos-{id}"), format!("novi-{}-{}", request.pacijent_id, request.tsa_id)]
}

async fn already_made(db: &mut PgConnection, actor: &Actor, pacijent: i64, key: Uuid) -> Result<Option<Saved>> {
    let row = sqlx::query!(
        "select id, verzija, vrednosti from entry where kljuc_snimanja = $1 and radnik_kreirao_id = $2 and pacijent_id = $3 and aktivan",
        key,
        actor.radnik_id,
        pacijent
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| Saved {
        snimljen_unos_id: row.id,
        verzija: row.verzija,
        vrednosti: row.vrednosti,
        ocisceno: Vec::new(),
        nepopunjeni_relevantni: Vec::new(),
    }))
}

/// The entry as it stands, locked until the save ends. Only the institution that holds it may change it.
async fn lock(db: &mut PgConnection, actor: &Actor, id: i64, request: &SaveRequest) -> Result<Stored> {
    let row =
        sqlx::query!("select verzija, vrednosti, ustanova_id, pacijent_id, tsa_id from entry where id = $1 and aktivan for update", id)
            .fetch_optional(db)
            .await?
            .ok_or(Error::NotFound)?;
    if (row.pacijent_id, row.tsa_id) != (request.pacijent_id, request.tsa_id) {
        return Err(Error::NotFound);
    }
    if actor.ustanova_id != Some(row.ustanova_id) {
        return Err(Error::Forbidden);
    }
    Ok(Stored { version: row.verzija, values: values::from_json(&row.vrednosti) })
}

fn clash(form: &Form, stored: &Stored, clashes: Vec<Clash>) -> Response {
    let names = form.by_id();
    let answer = ClashAnswer {
        message: "Neko je u međuvremenu izmenio ista polja. Izaberite koje vrednosti ostaju.".to_owned(),
        field: clashes.first().map(|clash| clash.field.to_string()),
        verzija: stored.version,
        vrednosti: values::to_json(&stored.values),
        sukobi: clashes
            .into_iter()
            .map(|clash| FieldClash {
                polje: clash.field,
                naziv: names.get(&clash.field).map(|field| field.naziv.clone()).unwrap_or_default(),
                moje: clash.mine,
                njihovo: clash.theirs,
            })
            .collect(),
    };
    (StatusCode::CONFLICT, axum::Json(answer)).into_response()
}

/// The doctor who answers for the entry: one of the institution's workers or who did before, and required where there are any.
async fn responsible(db: &mut PgConnection, actor: &Actor, entry: Option<i64>, chosen: Option<i64>) -> Result<Option<i64>> {
    let present = match entry {
        Some(id) => sqlx::query_scalar!("select radnik_odgovoran_id from entry where id = $1", id).fetch_one(&mut *db).await?,
        None => None,
    };
    let options = super::display::responsible_options(db, actor, present).await?;
    match chosen {
        Some(id) if options.iter().any(|option| option.id == id) => Ok(Some(id)),
        Some(_) => Err(Error::invalid("radnikOdgovoran", "Izabrani ordinirajući lekar ne radi u ovoj ustanovi.")),
        None if options.is_empty() => Ok(None),
        None => Err(Error::invalid("radnikOdgovoran", "Niste uneli ordinirajućeg lekara koji je odgovoran za kreiranje.")),
    }
}

async fn store(
    db: &mut PgConnection,
    actor: &Actor,
    request: &SaveRequest,
    form: &Form,
    computed: Computed,
    date: Date,
    doctor: Option<i64>,
) -> Result<Saved> {
    let blank = values::blank_relevant(form, &computed);
    let stored = values::to_json(&computed.values);
    let (id, verzija) = match request.unos_id {
        Some(id) => {
            let verzija = sqlx::query_scalar!(
                "update entry set vrednosti = $2, datum_unosa = $3, radnik_odgovoran_id = $4, popunjeni_relevantni = $5
                  where id = $1 returning verzija",
                id,
                stored,
                date.to_sqlx() as _,
                doctor,
                blank.is_empty(),
            )
            .fetch_one(db)
            .await?;
            (id, verzija)
        }
        None => {
            may_instance(db, request.pacijent_id, form).await?;
            let row = sqlx::query!(
                "insert into entry (pacijent_id, registar_id, tsa_id, datum_unosa, ustanova_id, radnik_odgovoran_id, popunjeni_relevantni,
                                    kljuc_snimanja, vrednosti)
                 values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id, verzija",
                request.pacijent_id,
                form.registar_id,
                form.id,
                date.to_sqlx() as _,
                actor.ustanova()?,
                doctor,
                blank.is_empty(),
                request.kljuc,
                stored,
            )
            .fetch_one(db)
            .await?;
            (row.id, row.verzija)
        }
    };
    Ok(Saved { snimljen_unos_id: id, verzija, vrednosti: stored, ocisceno: computed.cleared, nepopunjeni_relevantni: blank })
}

/// Refuses one entry too many. The patient's row is locked, so that two at once are counted one after the other.
async fn may_instance(db: &mut PgConnection, pacijent: i64, form: &Form) -> Result<()> {
    if !form.moze_se_instancirati {
        return Err(Error::invalid("tsaID", "Za ovaj tip unosa ne mogu se dodavati novi unosi."));
    }
    let Some(most) = form.max_instanci else { return Ok(()) };
    sqlx::query!("select id from patient where id = $1 for update", pacijent).fetch_one(&mut *db).await?;
    if entries_of(db, pacijent, form.id).await? >= i64::from(most) {
        return Err(Error::invalid(
            "tsaID",
            format!("Nije moguće kreirati unos jer premašuje maksimalan broj mogućih kreiranih po pacijentu {most}"),
        ));
    }
    Ok(())
}

#[derive(Deserialize, ToSchema)]
struct DeleteRequest {
    id: i64,
}

/// Soft: the entry, its values and its history stay in the database.
#[utoipa::path(post, path = "/api/delete-entry", request_body = DeleteRequest, responses((status = 204)))]
async fn delete(State(state): State<AppState>, actor: Actor, Json(request): Json<DeleteRequest>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let row = sqlx::query!("select pacijent_id, ustanova_id from entry where id = $1 and aktivan for update", request.id)
        .fetch_optional(&mut *tx)
        .await?
        .ok_or(Error::NotFound)?;
    Access::to(&mut tx, &actor, row.pacijent_id).await?.require_delete()?;
    if actor.ustanova_id != Some(row.ustanova_id) {
        return Err(Error::Forbidden);
    }
    sqlx::query!("update entry set aktivan = false where id = $1", request.id).execute(&mut *tx).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
