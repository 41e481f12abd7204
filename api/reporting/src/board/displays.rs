//! Displays of the institution's board on a wall: who has made which, when each was last shown, and how one is ended. The token of a display
//! is told once, to who makes it.

use accounts::rights::{Allowed, WallDisplays};
use axum::{extract::State, http::StatusCode};
use domain::{access, db};
use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use platform::{
    error::{Error, Result},
    extract::{Json, Path},
    routes::{Routes, routes},
    state::AppState,
    token::new_token,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Displays of one institution: whoever has more does not know where they hang.
const MOST_DISPLAYS: i64 = 20;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(list, create)).routes(routes!(revoke))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct WallDisplay {
    id: i64,
    naziv: String,
    /// Who has made it.
    radnik: String,
    #[schema(value_type = String, format = DateTime)]
    vreme_kreiranja: Timestamp,
    /// To the minute; none: nobody has opened it yet.
    #[schema(value_type = Option<String>, format = DateTime)]
    poslednji_prikaz: Option<Timestamp>,
    /// Who has made it still may; otherwise it shows nothing.
    vazi: bool,
}

#[derive(Deserialize, ToSchema)]
struct WallDisplayInput {
    /// Where it hangs.
    #[serde(default)]
    naziv: String,
}

#[derive(Serialize, ToSchema)]
struct WallDisplayMade {
    id: i64,
    /// Told once: nothing here knows it afterwards.
    token: String,
}

/// Those of the institution that the worker works for now, but for the ended ones.
#[utoipa::path(get, path = "/api/wall-displays", tag = "izvestaji", responses((status = 200, body = Vec<WallDisplay>)))]
async fn list(State(state): State<AppState>, actor: Allowed<WallDisplays>) -> Result<Json<Vec<WallDisplay>>> {
    let ustanova_id = actor.ustanova()?;
    let rows = sqlx::query!(
        r#"select d.id, d.naziv, d.radnik_id, w.ime || ' ' || w.prezime as "radnik!", d.vreme_kreiranja, d.poslednji_prikaz
             from wall_display d join worker w on w.id = d.radnik_id
            where d.ustanova_id = $1 and d.opozvan_at is null order by d.id"#,
        ustanova_id
    )
    .fetch_all(&state.db)
    .await?;
    let mut connection = state.db.acquire().await?;
    let mut displays = Vec::with_capacity(rows.len());
    for row in rows {
        displays.push(WallDisplay {
            id: row.id,
            naziv: row.naziv,
            radnik: row.radnik,
            vreme_kreiranja: row.vreme_kreiranja.to_jiff(),
            poslednji_prikaz: row.poslednji_prikaz.map(|at| at.to_jiff()),
            vazi: access::may_show_on_wall(&mut connection, row.radnik_id, ustanova_id).await?,
        });
    }
    Ok(Json(displays))
}

#[utoipa::path(post, path = "/api/wall-displays", tag = "izvestaji", request_body = WallDisplayInput,
    responses((status = 201, body = WallDisplayMade), (status = 422, description = "Polje i poruka"), (status = 429, description = "Previše prikaza")))]
async fn create(
    State(state): State<AppState>,
    actor: Allowed<WallDisplays>,
    Json(input): Json<WallDisplayInput>,
) -> Result<(StatusCode, Json<WallDisplayMade>)> {
    let ustanova_id = actor.ustanova()?;
    let (token, hash) = new_token();
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    if !access::may_show_on_wall(&mut tx, actor.radnik_id, ustanova_id).await? {
        return Err(Error::malformed("Prikaz na zidu prikazuje izveštaje: potrebno je i pravo „Izveštaji”."));
    }
    let known =
        sqlx::query_scalar!(r#"select count(*) as "known!" from wall_display where ustanova_id = $1 and opozvan_at is null"#, ustanova_id)
            .fetch_one(&mut *tx)
            .await?;
    if known >= MOST_DISPLAYS {
        return Err(Error::too_many(format!("Ustanova već ima {MOST_DISPLAYS} prikaza na zidu. Opozovite onaj koji se ne koristi.")));
    }
    let id = sqlx::query_scalar!(
        "insert into wall_display (ustanova_id, radnik_id, naziv, token_hash) values ($1, $2, $3, $4) returning id",
        ustanova_id,
        actor.radnik_id,
        input.naziv.trim(),
        &hash.0[..]
    )
    .fetch_one(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(WallDisplayMade { id, token })))
}

/// Whoever holds the right there ends any of them.
#[utoipa::path(delete, path = "/api/wall-displays/{id}", tag = "izvestaji", params(("id" = i64, Path)), responses((status = 204), (status = 404)))]
async fn revoke(State(state): State<AppState>, actor: Allowed<WallDisplays>, Path(id): Path<i64>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let ended = sqlx::query!(
        "update wall_display set opozvan_at = $3 where id = $1 and ustanova_id = $2 and opozvan_at is null",
        id,
        actor.ustanova()?,
        state.clock.now().to_sqlx() as _
    )
    .execute(&mut *tx)
    .await?
    .rows_affected();
    if ended == 0 {
        return Err(Error::NotFound);
    }
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
