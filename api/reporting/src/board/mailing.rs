//! A board as a report, which is run, scheduled and mailed as any other: the engine makes it of the tiles that the board has then.

use accounts::rights::{Allowed, Reports};
use axum::extract::State;
use domain::db;
use platform::{
    error::{Error, Result},
    extract::Json,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::{BoardFilters, Owner, load, refresh::order_for, tiles::BoardTile};
use crate::reports::values::Moment;

/// No file of this name is read: the tiles have theirs.
const FILE: &str = "tabla";
const FORMAT: &str = "PDF";
/// Seconds for all tiles together; each has its own report's beside.
const LONGEST: i32 = 1800;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(report))
}

#[derive(Deserialize, ToSchema)]
struct BoardToMail {
    /// The institution's, not the worker's own.
    #[serde(default)]
    zajednicka: bool,
}

#[derive(Serialize, ToSchema)]
struct BoardReport {
    /// What is run and scheduled.
    #[serde(rename = "izvestajID")]
    izvestaj_id: i64,
}

/// The report of a board, for whoever asks: hers alone, whosever the board is. Made when it is first asked for, with what the board's tiles ask
/// for where nobody has written that down yet.
#[utoipa::path(post, path = "/api/board/report", tag = "izvestaji", request_body = BoardToMail,
    responses((status = 200, body = BoardReport), (status = 422, description = "Tabla je prazna")))]
async fn report(State(state): State<AppState>, actor: Allowed<Reports>, Json(asked): Json<BoardToMail>) -> Result<Json<BoardReport>> {
    let worker = actor.radnik_id;
    let (owner, which, naziv) = match asked.zajednicka {
        true => (Owner::Institution(actor.ustanova()?), "ustanove", "Tabla ustanove"),
        false => (Owner::Worker(worker), "moja", "Moja tabla"),
    };
    let board = load(&state, owner).await?;
    if board.plocice.iter().all(|tile| tile.izvestaj_id.is_none()) {
        return Err(Error::malformed("Tabla nema nijednu pločicu sa izveštajem. Dodajte bar jednu, pa je onda šaljite."));
    }
    // What tiles ask for is written down when the board is saved; one that was saved before that was so has none of it.
    let questions = questions(&state, worker, &board.plocice, &board.filteri, actor.ustanova()?).await?;
    let (radnik_id, ustanova_id) = owner.columns();
    let mut tx = db::begin(&state.db, worker).await?;
    sqlx::query!(
        "update board set pitanja = $4::jsonb || pitanja where (radnik_id = $1 or ustanova_id = $2) and verzija = $3 and not pitanja @> ($4::jsonb || pitanja)",
        radnik_id,
        ustanova_id,
        board.verzija,
        questions
    )
    .execute(&mut *tx)
    .await?;
    let made = sqlx::query_scalar!(
        "insert into report (naziv, numericka_vrednost, jasper_fajl, prikazuje_se, obim, najvise_sekundi, vlasnik_id, tabla)
         values ($1, 0, $2, true, 'ustanova', $3, $4, $5) on conflict (vlasnik_id, tabla) where tabla is not null do nothing returning id",
        naziv,
        FILE,
        LONGEST,
        worker,
        which
    )
    .fetch_optional(&mut *tx)
    .await?;
    let izvestaj_id = match made {
        Some(id) => {
            sqlx::query!(
                "insert into report_format_link (izvestaj_id, format_id) select $1, id from report_format where naziv_kratki = $2",
                id,
                FORMAT
            )
            .execute(&mut *tx)
            .await?;
            id
        }
        None => {
            sqlx::query_scalar!("select id from report where vlasnik_id = $1 and tabla = $2", worker, which).fetch_one(&mut *tx).await?
        }
    };
    tx.commit().await?;
    Ok(Json(BoardReport { izvestaj_id }))
}

/// What each tile asks for, for an engine that has no request before it: values and their words, with days told by the day of asking. What
/// cannot be asked now has none, and says so where it stands.
pub(super) async fn questions(
    state: &AppState,
    worker: i64,
    tiles: &[BoardTile],
    filters: &BoardFilters,
    ustanova_id: i64,
) -> Result<Value> {
    let mut questions = Map::new();
    for tile in tiles {
        match order_for(state, worker, tile, filters, ustanova_id, Moment::Later(state.today())).await {
            Ok(order) => {
                let question =
                    json!({ "registarID": order.session.registar_id, "parametri": order.values.parametri, "opis": order.values.opis });
                questions.insert(tile.id.to_string(), question);
            }
            Err(Error::NotFound | Error::Invalid { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Value::Object(questions))
}
