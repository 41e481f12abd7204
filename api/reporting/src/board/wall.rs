//! The institution's board on a wall, for whoever has the token of a display: what its tiles show, read from the runs of who made the display.
//! Nobody is signed in by it. What can name a patient is not shown there, whatever she may see herself.

use accounts::sessions::Device;
use axum::{
    extract::State,
    http::{HeaderMap, header},
};
use domain::{
    access,
    caller::{self, Caller},
    report_screen::{ScreenBlock, ScreenBlockKind, ScreenChart, ScreenContents, ScreenFile, ScreenLine},
    runs::RunStatus,
    time::server_text,
};
use platform::{
    error::{Error, Result},
    extract::Json,
    routes::{Routes, routes},
    state::AppState,
    token::hash_token,
};
use serde::Serialize;
use serde_json::Value;
use sqlx::PgConnection;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    BoardFilters, Owner, load,
    refresh::{MOST_ORDERS, RunOfToday, of_today, order},
    tiles::BoardTile,
};
use crate::reports::{
    queue::{Order, run_now},
    screen::{reading, stored},
};

const SCHEME: &str = "Bearer ";
/// Lines of a tile: nobody scrolls a wall.
const MOST_LINES: usize = 100;
/// Calls of one display within a minute, of all its screens together: one screen asks four times while its reports are made, and seldom otherwise.
const MOST_CALLS: i32 = 30;
/// Minutes until a question is asked anew whose run has failed.
const PAUSE_MINUTES: i32 = 5;

const OF_ALL: &str = "Izveštaj obuhvata sve ustanove, pa se ne prikazuje na zidu.";
const NAMES: &str = "Izveštaj može da imenuje pacijente, pa se ne prikazuje na zidu.";
const LIST: &str = "Spisak za rad vidi samo ko je prijavljen, pa se ne prikazuje na zidu.";
const FAILED: &str = "Izveštaj nije napravljen. Pokušava se ponovo.";
const GONE: &str = "Ovaj izveštaj više nije u ponudi.";
const BUSY: &str = "Ova veza prikaza je u poslednjem minutu otvarana previše puta. Pokušava se ponovo za minut.";
const EMPTY: &str = "Izveštaj nema ovaj deo.";

pub fn routes() -> Routes {
    Routes::new().routes(routes!(show))
}

#[derive(Serialize, ToSchema)]
struct WallBoard {
    /// Whose board it is.
    ustanova: String,
    /// What the display is called.
    naziv: String,
    /// When this was answered.
    vreme: String,
    plocice: Vec<WallTile>,
}

/// What one tile shows; without content it says why, or is being made.
#[derive(Serialize, ToSchema)]
struct WallTile {
    id: Uuid,
    naslov: String,
    x: u16,
    y: u16,
    sirina: u16,
    visina: u16,
    /// When what it shows was asked for.
    vreme: Option<String>,
    /// It is being made, or waits for its turn.
    ceka: bool,
    greska: Option<String>,
    blok: Option<ScreenBlock>,
    /// The first lines of its block, at most 100.
    linije: Vec<ScreenLine>,
    grafikon: Option<ScreenChart>,
}

/// A display that shows something now.
struct OpenDisplay {
    radnik_id: i64,
    ustanova_id: i64,
    ustanova: String,
    naziv: String,
}

/// What a block of a report holds.
struct BlockContent {
    naslov: String,
    blok: ScreenBlock,
    linije: Vec<ScreenLine>,
    grafikon: Option<ScreenChart>,
}

/// The token of a display stands in `Authorization: Bearer …`, and is accepted by no other call.
#[utoipa::path(post, path = "/api/wall", tag = "izvestaji",
    responses((status = 200, body = WallBoard), (status = 401, description = "Veza ne prikazuje ništa"),
        (status = 429, description = "Previše poziva u minutu")))]
async fn show(State(state): State<AppState>, device: Device, headers: HeaderMap) -> Result<Json<WallBoard>> {
    let display = open(&state, &headers).await?;
    let caller = Caller { adresa: device.adresa, ustanova_id: Some(display.ustanova_id) };
    caller::within(caller, board_of(&state, display)).await.map(Json)
}

/// Unknown, ended, or of somebody who may no longer: all are answered alike.
async fn open(state: &AppState, headers: &HeaderMap) -> Result<OpenDisplay> {
    let token = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix(SCHEME)).map(str::trim);
    let token = token.ok_or(Error::WallClosed)?;
    let mut db = state.db.acquire().await?;
    let found = sqlx::query!(
        "select d.id, d.radnik_id, d.ustanova_id, d.naziv, u.naziv as ustanova from wall_display d join institution u on u.id = d.ustanova_id
          where d.token_hash = $1 and d.opozvan_at is null",
        &hash_token(token).0[..]
    )
    .fetch_optional(&mut *db)
    .await?
    .ok_or(Error::WallClosed)?;
    if !access::may_show_on_wall(&mut db, found.radnik_id, found.ustanova_id).await? {
        return Err(Error::WallClosed);
    }
    count(&mut db, found.id).await?;
    sqlx::query!(
        "update wall_display set poslednji_prikaz = now()
          where id = $1 and (poslednji_prikaz is null or poslednji_prikaz < now() - interval '1 minute')",
        found.id
    )
    .execute(&mut *db)
    .await?;
    Ok(OpenDisplay { radnik_id: found.radnik_id, ustanova_id: found.ustanova_id, ustanova: found.ustanova, naziv: found.naziv })
}

/// Counts the call, or refuses it: what is refused is not written, so that who asks without end changes no row.
async fn count(db: &mut PgConnection, display: i64) -> Result<()> {
    let counted = sqlx::query!(
        "update wall_display set poziva = case when minut = date_trunc('minute', now()) then poziva + 1 else 1 end, minut = date_trunc('minute', now())
          where id = $1 and (minut is distinct from date_trunc('minute', now()) or poziva < $2)",
        display,
        MOST_CALLS
    )
    .execute(db)
    .await?
    .rows_affected();
    if counted == 0 { Err(Error::too_many(BUSY)) } else { Ok(()) }
}

async fn board_of(state: &AppState, display: OpenDisplay) -> Result<WallBoard> {
    let board = load(state, Owner::Institution(display.ustanova_id)).await?;
    let mut ordered = 0;
    let mut plocice = Vec::with_capacity(board.plocice.len());
    for tile in board.plocice {
        plocice.push(shown(state, &display, tile, &board.filteri, &mut ordered).await?);
    }
    Ok(WallBoard { ustanova: display.ustanova, naziv: display.naziv, vreme: server_text(state.clock.now()), plocice })
}

async fn shown(state: &AppState, display: &OpenDisplay, tile: BoardTile, filters: &BoardFilters, ordered: &mut usize) -> Result<WallTile> {
    let mut told = WallTile {
        id: tile.id,
        naslov: tile.naslov.clone().unwrap_or_default(),
        x: tile.x,
        y: tile.y,
        sirina: tile.sirina,
        visina: tile.visina,
        vreme: None,
        ceka: false,
        greska: None,
        blok: None,
        linije: Vec::new(),
        grafikon: None,
    };
    if tile.izvestaj_id.is_none() {
        return Ok(WallTile { greska: Some(LIST.to_owned()), ..told });
    }
    let worker = display.radnik_id;
    let order = match order(state, worker, &tile, filters, display.ustanova_id).await {
        Ok(order) => order,
        Err(Error::NotFound) => return Ok(WallTile { greska: Some(GONE.to_owned()), ..told }),
        Err(Error::Invalid { message, .. }) => return Ok(WallTile { greska: Some(message.into_owned()), ..told }),
        Err(error) => return Err(error),
    };
    if told.naslov.is_empty() {
        told.naslov.clone_from(&order.report.naziv);
    }
    if order.report.is_of_all() {
        return Ok(WallTile { greska: Some(OF_ALL.to_owned()), ..told });
    }
    match of_today(state, worker, &order).await? {
        // What has not ended is not shown: an engine may not have said yet whether it names anybody.
        Some(run) if run.status != RunStatus::Succeeded => told.ceka = true,
        Some(run) if run.bez_imena != Some(true) => told.greska = Some(NAMES.to_owned()),
        Some(run) => fill(state, &mut told, &tile, run).await?,
        None if last_named_somebody(state, &order).await? => told.greska = Some(NAMES.to_owned()),
        None if was_just_asked(state, &order).await? => told.greska = Some(FAILED.to_owned()),
        None if *ordered == MOST_ORDERS => told.ceka = true,
        None => {
            match run_now(state, order).await {
                Ok(_) => *ordered += 1,
                Err(Error::TooMany(_)) => {}
                Err(error) => return Err(error),
            }
            told.ceka = true;
        }
    }
    Ok(told)
}

/// Whether the newest run of the report for this worker may have named somebody: it is not made each day for nothing, and looked at as hers.
async fn last_named_somebody(state: &AppState, order: &Order) -> Result<bool> {
    let last = sqlx::query_scalar!(
        "select bez_imena from report_run where radnik_id = $1 and izvestaj_id = $2 and ustanova_id = $3 and bez_imena is not null
          order by created_at desc limit 1",
        order.session.radnik_id,
        order.report.id,
        order.session.ustanova_id
    )
    .fetch_optional(&state.db)
    .await?;
    Ok(last.flatten() == Some(false))
}

/// Whether the question was asked a moment ago, to no end.
async fn was_just_asked(state: &AppState, order: &Order) -> Result<bool> {
    let asked = sqlx::query_scalar!(
        r#"select exists (select from report_run
                           where radnik_id = $1 and izvestaj_id = $2 and ustanova_id = $3 and registar_id is not distinct from $4 and parametri = $5
                             and not proba and created_at > now() - make_interval(mins => $6)) as "asked!""#,
        order.session.radnik_id,
        order.report.id,
        order.session.ustanova_id,
        order.session.registar_id,
        Value::Object(order.values.parametri.clone()),
        PAUSE_MINUTES
    )
    .fetch_one(&state.db)
    .await?;
    Ok(asked)
}

async fn fill(state: &AppState, told: &mut WallTile, tile: &BoardTile, run: RunOfToday) -> Result<()> {
    let content = match stored(state, run.id).await {
        Ok(Some(file)) => {
            let place = usize::from(tile.blok);
            reading(move || match ScreenFile::open(file.checked()?)? {
                Some(mut file) => block_of(&mut file, place),
                None => Ok(None),
            })
            .await?
        }
        Ok(None) => None,
        // Its file is gone before its day.
        Err(Error::Gone(message)) => {
            told.greska = Some(message.into_owned());
            return Ok(());
        }
        Err(error) => return Err(error),
    };
    told.vreme = Some(run.vreme);
    let Some(content) = content else {
        told.greska = Some(EMPTY.to_owned());
        return Ok(());
    };
    if tile.naslov.is_none() && !content.naslov.is_empty() {
        told.naslov = content.naslov;
    }
    (told.blok, told.linije, told.grafikon) = (Some(content.blok), content.linije, content.grafikon);
    Ok(())
}

/// A block as the board shows it: the last one where there are fewer than there were.
fn block_of<R: std::io::Read + std::io::Seek>(file: &mut ScreenFile<R>, place: usize) -> anyhow::Result<Option<BlockContent>> {
    let ScreenContents { naslov, blokovi, .. } = file.contents().clone();
    let place = place.min(blokovi.len().saturating_sub(1));
    let Some(mut blok) = blokovi.into_iter().nth(place) else { return Ok(None) };
    let naslov = blok.naslov.clone().unwrap_or(naslov);
    // The lines themselves have headers and totals; nothing folds on a wall.
    blok.grupe = Vec::new();
    let (linije, grafikon) = match blok.vrsta {
        ScreenBlockKind::Grafikon => (Vec::new(), file.chart(place)?.map(seen_from_afar)),
        ScreenBlockKind::Tabela | ScreenBlockKind::Tekst => (file.lines(place, 0, MOST_LINES)?.unwrap_or_default(), None),
    };
    Ok(Some(BlockContent { naslov, blok, linije, grafikon }))
}

/// Nobody points at a value there, and nobody takes the drawing away.
fn seen_from_afar(chart: ScreenChart) -> ScreenChart {
    let mut chart = ScreenChart { svg: None, zaglavlja: Vec::new(), redovi: Vec::new(), ..chart };
    chart.crtezi.iter_mut().for_each(|drawing| drawing.mesta = Vec::new());
    chart
}
