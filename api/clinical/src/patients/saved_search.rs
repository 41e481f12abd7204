//! Searches of a register that were saved under a name: one's own, and those that workers of the institution share. None of them names a
//! person: names, JMBG, LBO and criteria over texts are left out, as in a link.

use accounts::auth::Actor;
use axum::{extract::State, http::StatusCode};
use domain::{db, register::ValueType};
use platform::{
    error::{Error, Result},
    extract::{Json, Path, Query},
    page::Page,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgConnection;
use utoipa::{IntoParams, ToSchema};

/// Of one worker in one register.
const MOST: i64 = 50;
const LONGEST_NAME: usize = 80;
const LARGEST: usize = 20_000;
/// What tells who is looked for: never kept.
const IDENTITY: [&str; 4] = ["ime", "prezime", "jmbg", "lbo"];

pub fn routes() -> Routes {
    Routes::new().routes(routes!(list, save)).routes(routes!(remove))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct RegisterQuery {
    #[serde(rename = "registarID")]
    registar_id: i64,
}

#[derive(Serialize, ToSchema)]
struct SavedSearch {
    id: i64,
    naziv: String,
    /// Criteria as the screen has them.
    #[schema(value_type = Object)]
    upit: Value,
    deljena: bool,
    /// Whose it is, where it is another's.
    vlasnik: Option<String>,
    /// Whether it is the caller's own.
    moja: bool,
}

#[utoipa::path(get, path = "/api/saved-searches", params(RegisterQuery), responses((status = 200, body = Page<SavedSearch>)))]
async fn list(State(state): State<AppState>, actor: Actor, Query(query): Query<RegisterQuery>) -> Result<Json<Page<SavedSearch>>> {
    let rows = sqlx::query!(
        r#"select s.id, s.naziv, s.upit, s.deljena, s.radnik_id = $1 as "moja!", w.prezime || ' ' || w.ime as "vlasnik!"
             from saved_search s join worker w on w.id = s.radnik_id
            where s.registar_id = $3 and s.ustanova_id = $2 and (s.radnik_id = $1 or s.deljena)
            order by s.radnik_id <> $1, fold(s.naziv), s.id"#,
        actor.radnik_id,
        actor.ustanova()?,
        query.registar_id
    )
    .fetch_all(&state.db)
    .await?;
    let searches = rows.into_iter().map(|row| SavedSearch {
        id: row.id,
        naziv: row.naziv,
        upit: row.upit,
        deljena: row.deljena,
        vlasnik: (!row.moja).then_some(row.vlasnik),
        moja: row.moja,
    });
    Ok(Json(Page::all(searches.collect())))
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SearchToSave {
    #[serde(rename = "registarID")]
    registar_id: i64,
    naziv: String,
    /// Seen and used by the whole institution.
    #[serde(default)]
    deljena: bool,
    #[schema(value_type = Object)]
    upit: Value,
}

#[derive(Serialize, ToSchema)]
struct SearchKey {
    id: i64,
}

/// One's own search of that name gives way to this one.
#[utoipa::path(post, path = "/api/saved-searches", request_body = SearchToSave, responses((status = 200, body = SearchKey)))]
async fn save(State(state): State<AppState>, actor: Actor, Json(request): Json<SearchToSave>) -> Result<Json<SearchKey>> {
    let naziv = request.naziv.trim();
    if naziv.is_empty() || naziv.chars().count() > LONGEST_NAME {
        return Err(Error::invalid("naziv", format!("Naziv pretrage ima od 1 do {LONGEST_NAME} znakova.")));
    }
    if !request.upit.is_object() || request.upit.to_string().len() > LARGEST {
        return Err(Error::TooLarge);
    }
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    refuse_identity(&mut tx, &request).await?;
    let others = sqlx::query_scalar!(
        r#"select count(*) as "n!" from saved_search where radnik_id = $1 and registar_id = $2 and naziv <> $3"#,
        actor.radnik_id,
        request.registar_id,
        naziv
    )
    .fetch_one(&mut *tx)
    .await?;
    if others >= MOST {
        return Err(Error::invalid("naziv", format!("Možete snimiti najviše {MOST} pretraga registra. Obrišite neku.")));
    }
    let id = sqlx::query_scalar!(
        "insert into saved_search (radnik_id, ustanova_id, registar_id, naziv, deljena, upit) values ($1, $2, $3, $4, $5, $6)
         on conflict (radnik_id, ustanova_id, registar_id, naziv) do update set deljena = excluded.deljena, upit = excluded.upit
         returning id",
        actor.radnik_id,
        actor.ustanova()?,
        request.registar_id,
        naziv,
        request.deljena,
        request.upit
    )
    .fetch_one(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(Json(SearchKey { id }))
}

/// Whoever is looked for is not kept: neither a name nor a number, nor a text, which may hold either.
async fn refuse_identity(db: &mut PgConnection, request: &SearchToSave) -> Result<()> {
    let is_filled = |name: &str| request.upit.get(name).and_then(Value::as_str).is_some_and(|text| !text.trim().is_empty());
    if IDENTITY.into_iter().any(is_filled) {
        return Err(Error::invalid(
            "upit",
            "Pretraga po imenu, JMBG ili LBO se ne čuva: naziv i uslovi ne smeju da otkriju o kome je reč.",
        ));
    }
    // Those that a counted entry is chosen by are criteria, too.
    let rows = ["/redovi", "/unosUslova/izbor/uslovi"].into_iter().filter_map(|place| request.upit.pointer(place)?.as_array());
    let fields: Vec<i64> = rows.flatten().filter_map(|row| row.get("poljeID").and_then(Value::as_i64)).collect();
    let known = sqlx::query_scalar!(
        r#"select count(*) as "n!" from form_field f join form g on g.id = f.tip_skupa_atributa_id join attribute_type t on t.id = f.tip_atributa_id
            where f.id = any ($1) and g.registar_id = $2 and t.tip_vrednosti_atributa not in ($3, $4)"#,
        &fields,
        request.registar_id,
        ValueType::Text as _,
        ValueType::File as _
    )
    .fetch_one(db)
    .await?;
    let mut asked = fields;
    asked.sort_unstable();
    asked.dedup();
    if known != asked.len() as i64 {
        return Err(Error::invalid("upit", "Uslov po tekstualnom polju se ne čuva: tekst može da otkrije o kome je reč."));
    }
    Ok(())
}

/// One's own only.
#[utoipa::path(delete, path = "/api/saved-searches/{id}", responses((status = 204), (status = 404, description = "Takve pretrage nema")))]
async fn remove(State(state): State<AppState>, actor: Actor, Path(id): Path<i64>) -> Result<StatusCode> {
    let removed = sqlx::query!("delete from saved_search where id = $1 and radnik_id = $2", id, actor.radnik_id).execute(&state.db).await?;
    if removed.rows_affected() == 0 { Err(Error::NotFound) } else { Ok(StatusCode::NO_CONTENT) }
}
