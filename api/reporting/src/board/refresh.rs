//! What the tiles of a board show: the worker's own run of the same question of today, or one that is ordered now. Runs go through the queue
//! as any other, in its turns; what has no room there waits for the next call.

use accounts::rights::{Allowed, Reports};
use axum::extract::State;
use domain::{recipients::ChosenRecipients, report_screen, runs::RunStatus, time::server_text};
use platform::{
    error::{Error, Result},
    extract::Json,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{BoardFilters, Owner, load, tiles::BoardTile};
use crate::reports::{
    definition::Report,
    queue::{Order, ReportOrder, check, run_now},
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
                let known = if asked.iznova.contains(&tile.id) { None } else { of_today(&state, actor.radnik_id, &order).await? };
                if let Some(run) = known {
                    (told.run, told.vreme) = (Some(run.id), Some(run.vreme));
                } else if ordered == MOST_ORDERS {
                    told.ceka = true;
                } else {
                    match run_now(&state, order).await {
                        Ok(accepted) => {
                            ordered += 1;
                            (told.run, told.vreme) = (accepted.run_id(), Some(server_text(state.clock.now())));
                        }
                        Err(Error::TooMany(_)) => told.ceka = true,
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
