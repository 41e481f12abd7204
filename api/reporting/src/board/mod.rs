//! Boards: reports on a grid that a worker wants before her, or that her institution has for everybody there. What a tile shows is a run of
//! whoever looks, by her own rights, made once a day for the same question.

mod displays;
mod mailing;
mod refresh;
mod tiles;
mod wall;

use accounts::{
    auth::Actor,
    rights::{Allowed, Boards, Reports},
};
use axum::extract::State;
use domain::db;
use platform::{
    error::{Error, Result},
    extract::Json,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::types::Json as Jsonb;
use utoipa::ToSchema;

use tiles::{BoardFilters, BoardTile};

pub fn routes() -> Routes {
    Routes::new()
        .routes(routes!(find, save))
        .routes(routes!(find_shared, save_shared))
        .merge(refresh::routes())
        .merge(displays::routes())
        .merge(mailing::routes())
}

/// For a wall: without a session.
pub fn public_routes() -> Routes {
    wall::routes()
}

#[derive(Serialize, ToSchema)]
struct Board {
    plocice: Vec<BoardTile>,
    filteri: BoardFilters,
    /// 0: nothing has been saved yet.
    verzija: i32,
}

#[derive(Deserialize, ToSchema)]
struct BoardInput {
    plocice: Vec<BoardTile>,
    filteri: BoardFilters,
    /// The version that was before the worker.
    verzija: i32,
}

/// Whose a board is.
#[derive(Clone, Copy)]
enum Owner {
    Worker(i64),
    Institution(i64),
}

impl Owner {
    /// The worker and the institution, of which one is there.
    fn columns(self) -> (Option<i64>, Option<i64>) {
        match self {
            Self::Worker(id) => (Some(id), None),
            Self::Institution(id) => (None, Some(id)),
        }
    }
}

#[utoipa::path(get, path = "/api/board", tag = "izvestaji", responses((status = 200, body = Board)))]
async fn find(State(state): State<AppState>, actor: Allowed<Reports>) -> Result<Json<Board>> {
    Ok(Json(load(&state, Owner::Worker(actor.radnik_id)).await?))
}

#[utoipa::path(put, path = "/api/board", tag = "izvestaji", request_body = BoardInput,
    responses((status = 200, body = Board), (status = 409, description = "Izmenjena u međuvremenu"), (status = 422, description = "Polje i poruka")))]
async fn save(State(state): State<AppState>, actor: Allowed<Reports>, Json(input): Json<BoardInput>) -> Result<Json<Board>> {
    write(&state, &actor, Owner::Worker(actor.radnik_id), input).await.map(Json)
}

/// The board of the institution that the worker works for now.
#[utoipa::path(get, path = "/api/institution-board", tag = "izvestaji", responses((status = 200, body = Board)))]
async fn find_shared(State(state): State<AppState>, actor: Allowed<Reports>) -> Result<Json<Board>> {
    Ok(Json(load(&state, Owner::Institution(actor.ustanova()?)).await?))
}

#[utoipa::path(put, path = "/api/institution-board", tag = "izvestaji", request_body = BoardInput,
    responses((status = 200, body = Board), (status = 409, description = "Izmenjena u međuvremenu"), (status = 422, description = "Polje i poruka")))]
async fn save_shared(State(state): State<AppState>, actor: Allowed<Boards>, Json(input): Json<BoardInput>) -> Result<Json<Board>> {
    let owner = Owner::Institution(actor.ustanova()?);
    write(&state, &actor, owner, input).await.map(Json)
}

async fn write(state: &AppState, actor: &Actor, owner: Owner, input: BoardInput) -> Result<Board> {
    let worker = actor.radnik_id;
    tiles::check(&state.db, worker, &input.plocice).await?;
    input.filteri.check()?;
    let questions = mailing::questions(state, worker, &input.plocice, &input.filteri, actor.ustanova()?).await?;
    let (radnik_id, ustanova_id) = owner.columns();
    let mut tx = db::begin(&state.db, worker).await?;
    let begun = sqlx::query!(
        "insert into board (radnik_id, ustanova_id, plocice, filteri, izmenio_id, pitanja)
         select $1::bigint, $2::bigint, $3::jsonb, $4::jsonb, $5::bigint, $7::jsonb where $6::int = 0
         on conflict do nothing",
        radnik_id,
        ustanova_id,
        Jsonb(&input.plocice) as _,
        Jsonb(&input.filteri) as _,
        worker,
        input.verzija,
        questions
    )
    .execute(&mut *tx)
    .await?
    .rows_affected();
    let changed = sqlx::query!(
        "update board set plocice = $3, filteri = $4, pitanja = $7, izmenio_id = $5, verzija = verzija + 1, vreme_poslednje_izmene = now()
          where (radnik_id = $1 or ustanova_id = $2) and verzija = $6 and $6 > 0",
        radnik_id,
        ustanova_id,
        Jsonb(&input.plocice) as _,
        Jsonb(&input.filteri) as _,
        worker,
        input.verzija,
        questions
    )
    .execute(&mut *tx)
    .await?
    .rows_affected();
    if begun + changed == 0 {
        return Err(Error::Stale(None));
    }
    tx.commit().await?;
    load(state, owner).await
}

async fn load(state: &AppState, owner: Owner) -> Result<Board> {
    let (radnik_id, ustanova_id) = owner.columns();
    let row = sqlx::query!(
        r#"select plocice as "plocice: Jsonb<Vec<BoardTile>>", filteri as "filteri: Jsonb<BoardFilters>", verzija from board
            where radnik_id = $1 or ustanova_id = $2"#,
        radnik_id,
        ustanova_id
    )
    .fetch_optional(&state.db)
    .await?;
    Ok(match row {
        Some(row) => Board { plocice: row.plocice.0, filteri: row.filteri.0, verzija: row.verzija },
        None => Board { plocice: Vec::new(), filteri: BoardFilters::default(), verzija: 0 },
    })
}
