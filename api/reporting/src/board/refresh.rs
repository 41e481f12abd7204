//! What the tiles of a board show: the worker's own run of the same question of today, a colleague's that would be no other, or one that is
//! ordered now. Runs go through the queue as any other, in its turns; what has no room there waits for the next call, and so does whoever asks
//! what a colleague is being answered.

use accounts::rights::{Allowed, Reports};
use axum::extract::State;
use domain::{db, locks, recipients::ChosenRecipients, report_screen, runs::RunStatus, time::server_text};
use platform::{
    error::{Error, Result},
    extract::Json,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgConnection;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{BoardFilters, Owner, load, tiles::BoardTile};
use crate::reports::{
    definition::Report,
    queue::{Order, ReportOrder, check, run_in, run_now},
    timing::Timing,
    values::Moment,
};

/// Runs that one call orders: the queue lets a worker have few more open.
pub(super) const MOST_ORDERS: usize = 6;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(refresh))
}

#[derive(Deserialize, ToSchema)]
struct BoardRefresh {
    /// Tiles whose run is made anew, though there is one of today.
    #[serde(default)]
    iznova: Vec<Uuid>,
    /// Of the institution's board, not of the worker's own.
    #[serde(default)]
    zajednicka: bool,
}

/// What one tile shows.
#[derive(Serialize, ToSchema)]
struct BoardTileRun {
    /// The tile.
    id: Uuid,
    run: Option<Uuid>,
    /// When it was asked for; what it shows are the data of that moment.
    vreme: Option<String>,
    /// It is ordered at the next call: too many are under way.
    ceka: bool,
    /// Why there is none.
    greska: Option<String>,
}

#[utoipa::path(post, path = "/api/board/refresh", tag = "izvestaji", request_body = BoardRefresh, responses((status = 200, body = Vec<BoardTileRun>)))]
async fn refresh(
    State(state): State<AppState>,
    actor: Allowed<Reports>,
    Json(asked): Json<BoardRefresh>,
) -> Result<Json<Vec<BoardTileRun>>> {
    let ustanova_id = actor.ustanova()?;
    let owner = if asked.zajednicka { Owner::Institution(ustanova_id) } else { Owner::Worker(actor.radnik_id) };
    let board = load(&state, owner).await?;
    let mut shown = Vec::new();
    let mut ordered = 0;
    for tile in board.plocice.iter().filter(|tile| tile.izvestaj_id.is_some()) {
        let mut told = BoardTileRun { id: tile.id, run: None, vreme: None, ceka: false, greska: None };
        match order(&state, actor.radnik_id, tile, &board.filteri, ustanova_id).await {
            Ok(order) => {
                let anew = asked.iznova.contains(&tile.id);
                let known = if anew { None } else { of_today(&state, actor.radnik_id, &order).await? };
                if let Some(run) = known {
                    (told.run, told.vreme) = (Some(run.id), Some(run.vreme));
                } else {
                    match ask(&state, order, anew, ordered < MOST_ORDERS).await {
                        Ok(TileAnswer::Known(run)) => (told.run, told.vreme) = (Some(run.id), Some(run.vreme)),
                        Ok(TileAnswer::Ordered(run)) => {
                            ordered += 1;
                            (told.run, told.vreme) = (run, Some(server_text(state.clock.now())));
                        }
                        Ok(TileAnswer::Waits) | Err(Error::TooMany(_)) => told.ceka = true,
                        Err(error) => return Err(error),
                    }
                }
            }
            Err(Error::NotFound) => told.greska = Some("Ovaj izveštaj više nije u ponudi.".to_owned()),
            Err(Error::Invalid { message, .. }) => told.greska = Some(message.into_owned()),
            Err(error) => return Err(error),
        }
        shown.push(told);
    }
    Ok(Json(shown))
}

/// What became of a question that the worker has no run of.
enum TileAnswer {
    /// A colleague's run answers it.
    Known(RunOfToday),
    Ordered(Option<Uuid>),
    /// A colleague is being answered, or there is no room.
    Waits,
}

/// Takes a colleague's answer, or orders one. Of all who ask the same at once one orders it: the others see that.
async fn ask(state: &AppState, order: Order, anew: bool, has_room: bool) -> Result<TileAnswer> {
    if anew {
        return if has_room { Ok(TileAnswer::Ordered(run_now(state, order).await?.run_id())) } else { Ok(TileAnswer::Waits) };
    }
    let mut tx = db::begin(&state.db, order.session.radnik_id).await?;
    let question = format!(
        "{} {} {:?} {}",
        order.report.id,
        order.session.ustanova_id,
        order.session.registar_id,
        Value::Object(order.values.parametri.clone())
    );
    sqlx::query!("select pg_advisory_xact_lock(hashtextextended($1, $2))", question, locks::BOARD_QUESTION).execute(&mut *tx).await?;
    match of_colleague(&mut tx, &order).await? {
        Some(run) if run.status == RunStatus::Succeeded => Ok(TileAnswer::Known(run)),
        Some(_) => Ok(TileAnswer::Waits),
        None if !has_room => Ok(TileAnswer::Waits),
        None => Ok(TileAnswer::Ordered(run_in(state, tx, order).await?.run_id())),
    }
}

/// A colleague's run of the same question of today, where it is the same for everybody there; one that has not ended, where the last one of its
/// report was.
async fn of_colleague(db: &mut PgConnection, order: &Order) -> Result<Option<RunOfToday>> {
    let row = sqlx::query!(
        r#"select r.id, r.created_at, r.status as "status: RunStatus", r.bez_imena from report_run r
          where r.izvestaj_id = $1 and r.ustanova_id = $2 and r.registar_id is not distinct from $3 and r.parametri = $4
            and r.formati = array[$5::text] and r.deleted_at is null and not r.proba and r.deljiv is not false
            and r.created_at >= date_trunc('day', now(), 'Europe/Belgrade')
            and (r.status = 'succeeded' and r.expires_at > now() and r.deljiv
                 or r.status in ('queued', 'running')
                    and coalesce(r.deljiv, (select l.deljiv from report_run l
                                             where l.izvestaj_id = r.izvestaj_id and l.ustanova_id = r.ustanova_id and l.deljiv is not null
                                             order by l.created_at desc limit 1)))
          order by r.status <> 'succeeded', r.created_at desc limit 1"#,
        order.report.id,
        order.session.ustanova_id,
        order.session.registar_id,
        Value::Object(order.values.parametri.clone()),
        report_screen::FORMAT
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| RunOfToday { id: row.id, vreme: server_text(row.created_at.to_jiff()), status: row.status, bez_imena: row.bez_imena }))
}

/// What a tile asks for now, checked for this worker in this institution.
pub(super) async fn order(state: &AppState, worker: i64, tile: &BoardTile, filters: &BoardFilters, ustanova_id: i64) -> Result<Order> {
    order_for(state, worker, tile, filters, ustanova_id, Moment::Now(state.today())).await
}

/// The same of another moment.
pub(super) async fn order_for(
    state: &AppState,
    worker: i64,
    tile: &BoardTile,
    filters: &BoardFilters,
    ustanova_id: i64,
    moment: Moment,
) -> Result<Order> {
    let report = Report::load(&state.db, worker, tile.izvestaj_id.ok_or(Error::NotFound)?).await?;
    let wish = ReportOrder {
        ustanova_id,
        registar_id: tile.registar_id,
        parametri: tile.values(&report, filters)?,
        primaoci: ChosenRecipients::default(),
        formati: Some(vec![report_screen::FORMAT.to_owned()]),
        moment,
        kada: Timing::default(),
        kljuc: None,
    };
    check(state, worker, report, wish).await
}

/// A run that answers a tile's question of today.
pub(super) struct RunOfToday {
    pub id: Uuid,
    /// When it was asked for.
    pub vreme: String,
    pub status: RunStatus,
    /// Its rows can name no patient and are of one institution; none: an engine of before has made it.
    pub bez_imena: Option<bool>,
}

/// The worker's newest run of the same question that is of today and can be read, or will be.
pub(super) async fn of_today(state: &AppState, worker: i64, order: &Order) -> Result<Option<RunOfToday>> {
    let row = sqlx::query!(
        r#"select id, created_at, status as "status: RunStatus", bez_imena from report_run
          where radnik_id = $1 and izvestaj_id = $2 and ustanova_id = $3 and registar_id is not distinct from $4 and parametri = $5
            and formati @> array[$6::text] and deleted_at is null and not proba
            and (status in ('queued', 'running') or status = 'succeeded' and expires_at > now())
            and created_at >= date_trunc('day', now(), 'Europe/Belgrade')
          order by created_at desc limit 1"#,
        worker,
        order.report.id,
        order.session.ustanova_id,
        order.session.registar_id,
        Value::Object(order.values.parametri.clone()),
        report_screen::FORMAT
    )
    .fetch_optional(&state.db)
    .await?;
    Ok(row.map(|row| RunOfToday { id: row.id, vreme: server_text(row.created_at.to_jiff()), status: row.status, bez_imena: row.bez_imena }))
}
