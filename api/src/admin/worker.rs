//! Workers (B §2.2), and a worker's own profile (A §2.11): one record, changed by two kinds of people.

use axum::extract::State;
use axum::http::StatusCode;
use domain::db::SYSTEM_WORKER;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::PgConnection;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    auth::{self, Actor},
    ceiling,
    crud::{self, Hit, Listing, Resource, Write},
    error::{Error, Result},
    extract::{Json, Path},
    passwords,
    rights::{Access, Allowed, Right},
    state::AppState,
    text,
};

pub struct Worker;

#[derive(Default, Serialize, Deserialize, ToSchema)]
#[schema(as = WorkerInput)]
#[serde(rename_all = "camelCase", default)]
pub struct Input {
    #[serde(deserialize_with = "text::required")]
    username: String,
    /// Taken on create only; later it is changed by `worker-password-change`.
    password: String,
    #[serde(deserialize_with = "text::required")]
    ime: String,
    #[serde(deserialize_with = "text::required")]
    prezime: String,
    #[serde(deserialize_with = "text::optional")]
    lbo: Option<String>,
    #[serde(deserialize_with = "text::optional")]
    jmbg: Option<String>,
    /// The primary institution; the worker becomes a member of it.
    #[serde(rename = "ustanovaID")]
    ustanova_id: Option<i64>,
    #[schema(value_type = Option<String>, format = Date)]
    datum_rodjenja: Option<jiff_sqlx::Date>,
    /// The password for web services; never shown; left out, it stays as it is.
    #[serde(rename = "passwordWS")]
    password_ws: Option<String>,
    /// True: male.
    pol: Option<bool>,
    #[serde(deserialize_with = "text::optional")]
    adresa: Option<String>,
    #[serde(deserialize_with = "text::optional")]
    email: Option<String>,
    #[serde(deserialize_with = "text::optional")]
    telefon: Option<String>,
    #[serde(deserialize_with = "text::optional")]
    sifra: Option<String>,
    #[serde(deserialize_with = "text::optional")]
    theme: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Worker)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    id: i64,
    username: String,
    ime: String,
    prezime: String,
    ime_prezime: String,
    lbo: Option<String>,
    jmbg: Option<String>,
    #[serde(rename = "ustanovaID")]
    ustanova_id: Option<i64>,
    ustanova_naziv: Option<String>,
    #[schema(value_type = Option<String>, format = Date)]
    datum_rodjenja: Option<jiff_sqlx::Date>,
    pol: Option<bool>,
    adresa: Option<String>,
    email: Option<String>,
    telefon: Option<String>,
    sifra: Option<String>,
    theme: String,
    aktivan: bool,
    verzija: i32,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Scope {
    /// Only the members of this institution.
    ustanova: Option<i64>,
}

/// What workers may change of themselves.
const OWN_FIELDS: [&str; 10] = ["ime", "prezime", "datumRodjenja", "pol", "adresa", "email", "telefon", "theme", "ustanovaID", "verzija"];

pub fn routes() -> OpenApiRouter<AppState> {
    crud::routes_but_one::<Worker>().routes(routes!(profile, change, replace, delete))
}

/// The own profile; another worker's for administrators.
#[utoipa::path(get, path = "/api/workers/{id}", operation_id = "read_workers", params(("id" = i64, Path)), responses((status = 200, body = Record)))]
async fn profile(State(state): State<AppState>, actor: Actor, Path(id): Path<i64>) -> Result<Json<Record>> {
    own_or_administered(&actor, id)?;
    crud::read::<Worker>(&mut *state.db.acquire().await?, &actor, id).await.map(Json)
}

/// Changes the own profile, or as an administrator anyone's whole record.
#[utoipa::path(patch, path = "/api/workers/{id}", operation_id = "change_workers", params(("id" = i64, Path)), request_body = Input, responses((status = 200, body = Record)))]
async fn change(
    State(state): State<AppState>,
    actor: Actor,
    Path(id): Path<i64>,
    Json(mut patch): Json<Map<String, Value>>,
) -> Result<Json<Record>> {
    own_or_administered(&actor, id)?;
    if !actor.prava.holds(Right::Workers) {
        patch.retain(|name, _| OWN_FIELDS.contains(&name.as_str()));
    }
    crud::update::<Worker>(&state, &actor, id, patch).await.map(Json)
}

#[utoipa::path(put, path = "/api/workers/{id}", operation_id = "replace_workers", params(("id" = i64, Path)), request_body = Input, responses((status = 200, body = Record)))]
async fn replace(
    State(state): State<AppState>,
    actor: Allowed<Write<Worker>>,
    Path(id): Path<i64>,
    Json(patch): Json<Map<String, Value>>,
) -> Result<Json<Record>> {
    crud::update::<Worker>(&state, &actor, id, patch).await.map(Json)
}

#[utoipa::path(delete, path = "/api/workers/{id}", operation_id = "delete_workers", params(("id" = i64, Path)), responses((status = 204)))]
async fn delete(State(state): State<AppState>, actor: Allowed<Write<Worker>>, Path(id): Path<i64>) -> Result<StatusCode> {
    crud::delete::<Worker>(&state, &actor, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn own_or_administered(actor: &Actor, id: i64) -> Result<()> {
    if actor.radnik_id == id { Ok(()) } else { actor.require(Right::Workers) }
}

impl Resource for Worker {
    type Input = Input;
    type Record = Record;
    type Scope = Scope;

    const NAME: &'static str = "workers";
    const READ: Access = Access::AnyOf(&[Right::Workers]);
    const WRITE: Access = Access::AnyOf(&[Right::Workers]);
    const SORT: &'static [&'static str] = &["prezime", "ime", "datum_rodjenja", "username", "ustanova_naziv", "sifra", "adresa"];

    crud::brought_back!("worker");

    async fn page(db: &mut PgConnection, _: &Actor, listing: &Listing, scope: &Scope) -> Result<Vec<Hit>> {
        let hits = sqlx::query_as!(
            Hit,
            r#"
            select w.id, count(*) over () as "total!"
              from (select w.id, w.prezime, w.ime, w.datum_rodjenja, w.username, u.naziv as ustanova_naziv, w.sifra, w.adresa, w.aktivan
                      from worker w left join institution u on u.id = w.ustanova_id
                     where w.id <> $7) w
             where w.aktivan = $1
               and ($2::text is null or fold(concat_ws(' ', w.ime, w.prezime, w.ime, w.username, w.ustanova_naziv, w.sifra, w.adresa)) like $2)
               and ($8::bigint is null or exists (select from worker_institution l where l.radnik_id = w.id and l.ustanova_id = $8))
             order by case when not $4 then to_jsonb(w) -> $3 end, case when $4 then to_jsonb(w) -> $3 end desc, w.prezime, w.ime, w.id
             limit $5 offset $6
            "#,
            listing.aktivan,
            listing.like,
            listing.sort,
            listing.descending,
            listing.limit,
            listing.offset,
            SYSTEM_WORKER,
            scope.ustanova
        );
        Ok(hits.fetch_all(db).await?)
    }

    async fn fetch(db: &mut PgConnection, _: &Actor, ids: &[i64]) -> Result<Vec<(i64, Record)>> {
        let rows = sqlx::query_as!(
            Record,
            r#"
            select w.id, w.username, w.ime, w.prezime, w.ime || ' ' || w.prezime as "ime_prezime!", w.lbo, w.jmbg, w.ustanova_id,
                   (select naziv from institution where id = w.ustanova_id) as ustanova_naziv, w.datum_rodjenja, w.pol, w.adresa, w.email,
                   w.telefon, w.sifra, w.theme, w.aktivan, w.verzija
              from worker w
             where w.id = any($1) and w.id <> $2
            "#,
            ids,
            SYSTEM_WORKER
        );
        Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.id, row)).collect())
    }

    async fn lock(tx: &mut PgConnection, id: i64) -> Result<Option<i32>> {
        let row = sqlx::query_scalar!("select verzija from worker where id = $1 and id <> $2 and aktivan for update", id, SYSTEM_WORKER);
        Ok(row.fetch_optional(tx).await?)
    }

    fn validate(input: &Input, today: Date) -> Result<()> {
        let required = [
            ("username", &input.username, "Niste uneli korisničko ime."),
            ("ime", &input.ime, "Niste uneli ime."),
            ("prezime", &input.prezime, "Niste uneli prezime."),
        ];
        for (field, value, message) in required {
            if value.is_empty() {
                return Err(Error::invalid(field, message));
            }
        }
        if input.datum_rodjenja.is_some_and(|date| date.to_jiff() > today) {
            return Err(Error::invalid("datumRodjenja", "Datum rođenja ne može biti u budućnosti."));
        }
        if input.email.as_deref().is_some_and(|email| !text::is_email(email)) {
            return Err(Error::invalid("email", "E-mail adresa nije ispravna."));
        }
        let texts = [
            ("ime", "Ime", 100, Some(&input.ime)),
            ("prezime", "Prezime", 100, Some(&input.prezime)),
            ("adresa", "Adresa", 200, input.adresa.as_ref()),
            ("telefon", "Telefon", 50, input.telefon.as_ref()),
        ];
        for (field, label, most, value) in texts {
            if value.is_some_and(|value| value.chars().count() > most) {
                return Err(Error::invalid(field, format!("{label}: najviše {most} znakova.")));
            }
        }
        Ok(())
    }

    async fn insert(tx: &mut PgConnection, _: &Actor, input: Input) -> Result<i64> {
        if input.password.is_empty() {
            return Err(Error::invalid("password", "Niste uneli šifru."));
        }
        let password_hash = passwords::hash(input.password).await?;
        let password_ws_hash = passwords::hash_if_given(input.password_ws).await?;
        let id = sqlx::query_scalar!(
            "insert into worker (username, password_hash, ime, prezime, lbo, jmbg, ustanova_id, datum_rodjenja, password_ws_hash, pol,
                                 adresa, email, telefon, sifra, theme)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, coalesce($15, 'regix')) returning id",
            input.username,
            password_hash,
            input.ime,
            input.prezime,
            input.lbo,
            input.jmbg,
            input.ustanova_id,
            input.datum_rodjenja as _,
            password_ws_hash,
            input.pol,
            input.adresa,
            input.email,
            input.telefon,
            input.sifra,
            input.theme
        )
        .fetch_one(&mut *tx)
        .await?;
        join_institution(tx, id, input.ustanova_id).await?;
        Ok(id)
    }

    async fn update(tx: &mut PgConnection, actor: &Actor, id: i64, input: Input) -> Result<()> {
        ceiling::over_worker(tx, actor, id).await?;
        if actor.prava.holds(Right::Workers) {
            join_institution(tx, id, input.ustanova_id).await?;
        } else {
            refuse_strange_institution(tx, id, input.ustanova_id).await?;
        }
        let password_ws_hash = passwords::hash_if_given(input.password_ws).await?;
        sqlx::query!(
            "update worker
                set username = $2, ime = $3, prezime = $4, lbo = $5, jmbg = $6, ustanova_id = $7, datum_rodjenja = $8,
                    password_ws_hash = coalesce($9, password_ws_hash), pol = $10, adresa = $11, email = $12, telefon = $13, sifra = $14,
                    theme = coalesce($15, 'regix')
              where id = $1",
            id,
            input.username,
            input.ime,
            input.prezime,
            input.lbo,
            input.jmbg,
            input.ustanova_id,
            input.datum_rodjenja as _,
            password_ws_hash,
            input.pol,
            input.adresa,
            input.email,
            input.telefon,
            input.sifra,
            input.theme
        )
        .execute(tx)
        .await?;
        Ok(())
    }

    /// Who brings a worker back gives the rights of all the worker's roles.
    async fn fits_again(tx: &mut PgConnection, actor: &Actor, id: i64) -> Result<()> {
        let row = sqlx::query!(
            r#"
            select coalesce(u.aktivan, true) as "there!"
              from worker w left join institution u on u.id = w.ustanova_id
             where w.id = $1
            "#,
            id
        )
        .fetch_one(&mut *tx)
        .await?;
        ceiling::over_worker(tx, actor, id).await?;
        if row.there { Ok(()) } else { Err(Error::conflict("Prvo vratite ustanovu ovog radnika.")) }
    }

    /// A deactivated worker is signed out everywhere at once.
    async fn remove(tx: &mut PgConnection, actor: &Actor, id: i64) -> Result<()> {
        if actor.radnik_id == id {
            return Err(Error::conflict("Ne možete obrisati sopstveni nalog."));
        }
        ceiling::over_worker(tx, actor, id).await?;
        let before = ceiling::givable(tx).await?;
        sqlx::query!("update worker set aktivan = false where id = $1", id).execute(&mut *tx).await?;
        auth::end_sessions(tx, id, None).await?;
        ceiling::refuse_last_loss(tx, &before).await
    }
}

async fn join_institution(tx: &mut PgConnection, radnik_id: i64, ustanova_id: Option<i64>) -> Result<()> {
    let Some(ustanova_id) = ustanova_id else { return Ok(()) };
    let active = sqlx::query_scalar!("select id from institution where id = $1 and aktivan", ustanova_id).fetch_optional(&mut *tx).await?;
    if active.is_none() {
        return Err(Error::invalid("ustanovaID", "Izabrana ustanova ne postoji."));
    }
    sqlx::query!("insert into worker_institution (radnik_id, ustanova_id) values ($1, $2) on conflict do nothing", radnik_id, ustanova_id)
        .execute(tx)
        .await?;
    Ok(())
}

/// Workers may switch among their own institutions only.
async fn refuse_strange_institution(tx: &mut PgConnection, radnik_id: i64, ustanova_id: Option<i64>) -> Result<()> {
    let current = sqlx::query_scalar!("select ustanova_id from worker where id = $1", radnik_id).fetch_one(&mut *tx).await?;
    if ustanova_id == current {
        return Ok(());
    }
    let member = sqlx::query_scalar!(
        r#"
        select exists (select from worker_institution l join institution u on u.id = l.ustanova_id and u.aktivan
                        where l.radnik_id = $1 and l.ustanova_id = $2) as "member!"
        "#,
        radnik_id,
        ustanova_id
    )
    .fetch_one(tx)
    .await?;
    if member { Ok(()) } else { Err(Error::invalid("ustanovaID", "Ne pripadate izabranoj ustanovi.")) }
}
