//! A generated report on the screen: what it holds, its lines piece by piece, its charts. Whoever may take its files away may read it here, and
//! the log has it as it has a file that was taken.

use std::fs::File;

use anyhow::Context;
use axum::extract::State;
use domain::{
    db,
    report_screen::{self, ScreenChart, ScreenContents, ScreenFile, ScreenLine, ScreenStart},
    runs::RunStatus,
};
use platform::{
    error::{Error, Result},
    extract::{Json, Path, Query},
    result_file::{expired, unreadable, whole},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::types::Json as Jsonb;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::{
    access::{self, OpenedRun, Reader},
    fault::{self, Detail, ReportQueryFault},
    readers,
    trail::{self, ReportAction},
};

/// Lines of one answer.
const MOST_LINES: u16 = 500;
/// Minutes in which looks of one worker at one report are one row of the log.
const ONE_LOOK_MINUTES: i32 = 10;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(find)).routes(routes!(lines)).routes(routes!(chart))
}

/// A report on the screen, whole or as far as it is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ScreenReport {
    #[serde(rename = "izvestajID")]
    izvestaj_id: i64,
    naziv: String,
    status: RunStatus,
    redova: Option<i64>,
    greska: Option<String>,
    /// What the database said of the query; told to who configures reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    upit: Option<ReportQueryFault>,
    /// What its files say beside their rows.
    napomene: Vec<String>,
    /// None: there is nothing to show yet, or the run was not ordered for the screen.
    sadrzaj: Option<ScreenContents>,
    /// The run has ended: what is shown is all of it.
    potpun: bool,
    /// Short names of the formats that can be taken away now.
    formati: Vec<String>,
    /// Whether the reader is who asked.
    moj: bool,
    /// What was asked for, by request name, for who asked: another run begins from it.
    #[schema(value_type = Object)]
    vrednosti: Map<String, Value>,
    #[serde(rename = "registarID")]
    registar_id: Option<i64>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct LinesQuery {
    /// The place of the block.
    blok: u16,
    /// The first line, from 0 on.
    od: u64,
    /// How many, at most 500.
    broj: u16,
}

#[derive(Serialize, ToSchema)]
struct ScreenLines {
    od: u64,
    linije: Vec<ScreenLine>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct BlockQuery {
    /// The place of the block.
    blok: u16,
}

#[utoipa::path(get, path = "/api/report-runs/{id}/screen", tag = "izvestaji", params(("id" = Uuid, Path)),
    responses((status = 200, body = ScreenReport), (status = 403, description = "Nema pravo ili ustanovu izveštaja"), (status = 410, description = "Istekao")))]
async fn find(State(state): State<AppState>, reader: Reader, Path(id): Path<Uuid>) -> Result<Json<ScreenReport>> {
    let run = access::open(&state.db, &reader, id).await?;
    if run.istekao {
        return Err(expired());
    }
    let row = sqlx::query!(
        r#"select r.rows_done, r.error_text, r.error_detail as "error_detail: Jsonb<Detail>", r.napomene, r.registar_id, r.radnik_id,
                  r.parametri as "parametri: Jsonb<Map<String, Value>>", r.ekran_pocetak as "ekran_pocetak: Jsonb<ScreenStart>",
                  array(select a.format from report_artifact a join report_format f on f.naziv_kratki = a.format
                         where a.run_id = r.id order by f.id) as "formati!"
             from report_run r where r.id = $1"#,
        id
    )
    .fetch_one(&state.db)
    .await?;
    let potpun = run.status == RunStatus::Succeeded;
    let sadrzaj = match potpun {
        true => match stored(&state, id).await? {
            Some(file) => {
                let contents = reading(move || Ok(ScreenFile::open(file.checked()?)?.map(|file| file.contents().clone()))).await?;
                if contents.is_some() {
                    note_look(&state, &reader, &run, id).await?;
                }
                contents
            }
            None => None,
        },
        false => row.ekran_pocetak.map(|start| start.0.sadrzaj),
    };
    let moj = row.radnik_id == reader.radnik_id;
    Ok(Json(ScreenReport {
        izvestaj_id: run.izvestaj_id,
        naziv: run.naziv,
        status: run.status,
        redova: row.rows_done,
        greska: row.error_text,
        upit: fault::for_author(&reader, row.error_detail),
        napomene: row.napomene,
        sadrzaj,
        potpun,
        formati: row.formati,
        moj,
        vrednosti: if moj { row.parametri.0 } else { Map::new() },
        registar_id: row.registar_id,
    }))
}

#[utoipa::path(get, path = "/api/report-runs/{id}/screen/lines", tag = "izvestaji", params(("id" = Uuid, Path), LinesQuery),
    responses((status = 200, body = ScreenLines), (status = 403, description = "Nema pravo ili ustanovu izveštaja"), (status = 410, description = "Istekao")))]
async fn lines(
    State(state): State<AppState>,
    reader: Reader,
    Path(id): Path<Uuid>,
    Query(query): Query<LinesQuery>,
) -> Result<Json<ScreenLines>> {
    let run = access::open(&state.db, &reader, id).await?;
    let (block, count) = (usize::from(query.blok), usize::from(query.broj.min(MOST_LINES)));
    if run.status == RunStatus::Running {
        return Ok(Json(ScreenLines { od: query.od, linije: first_lines(&state, id, block, query.od, count).await? }));
    }
    let file = opened(&state, &run, id).await?;
    note_look(&state, &reader, &run, id).await?;
    let from = query.od;
    let linije = reading(move || match ScreenFile::open(file.sized()?)? {
        Some(mut file) => Ok(file.lines(block, from, count)?),
        None => Ok(None),
    });
    Ok(Json(ScreenLines { od: query.od, linije: linije.await?.ok_or(Error::NotFound)? }))
}

#[utoipa::path(get, path = "/api/report-runs/{id}/screen/chart", tag = "izvestaji", params(("id" = Uuid, Path), BlockQuery),
    responses((status = 200, body = ScreenChart), (status = 403, description = "Nema pravo ili ustanovu izveštaja"), (status = 410, description = "Istekao")))]
async fn chart(
    State(state): State<AppState>,
    reader: Reader,
    Path(id): Path<Uuid>,
    Query(query): Query<BlockQuery>,
) -> Result<Json<ScreenChart>> {
    let run = access::open(&state.db, &reader, id).await?;
    let file = opened(&state, &run, id).await?;
    note_look(&state, &reader, &run, id).await?;
    let block = usize::from(query.blok);
    let chart = reading(move || match ScreenFile::open(file.sized()?)? {
        Some(mut file) => Ok(file.chart(block)?),
        None => Ok(None),
    });
    chart.await?.map(Json).ok_or(Error::NotFound)
}

/// The lines of a run that is under way, which are in its row; there are no others yet.
async fn first_lines(state: &AppState, id: Uuid, block: usize, from: u64, count: usize) -> Result<Vec<ScreenLine>> {
    let start = sqlx::query_scalar!(r#"select ekran_pocetak as "start: Jsonb<ScreenStart>" from report_run where id = $1"#, id)
        .fetch_optional(&state.db)
        .await?
        .flatten();
    let Some(Jsonb(start)) = start.filter(|_| block == 0) else { return Ok(Vec::new()) };
    let from = usize::try_from(from).unwrap_or(usize::MAX);
    Ok(start.linije.into_iter().skip(from).take(count).collect())
}

/// The file of a run on the screen, as the engine has stored it.
pub struct StoredScreen {
    file: File,
    bytes: i64,
    sha256: Vec<u8>,
}

impl StoredScreen {
    /// Read through once: what is shown is what was stored.
    pub fn checked(self) -> anyhow::Result<File> {
        whole(self.file, self.bytes, &self.sha256)
    }

    /// Each piece of one that was read through when it was opened: only that it is no other.
    fn sized(self) -> anyhow::Result<File> {
        anyhow::ensure!(i64::try_from(self.file.metadata()?.len())? == self.bytes, "a result differs from what was stored");
        Ok(self.file)
    }
}

async fn opened(state: &AppState, run: &OpenedRun, id: Uuid) -> Result<StoredScreen> {
    if run.istekao {
        return Err(expired());
    }
    if run.status != RunStatus::Succeeded {
        return Err(Error::NotFound);
    }
    stored(state, id).await?.ok_or(Error::NotFound)
}

/// `None`: the run was not ordered for the screen.
pub async fn stored(state: &AppState, id: Uuid) -> Result<Option<StoredScreen>> {
    let row = sqlx::query!("select path, bytes, sha256 from report_artifact where run_id = $1 and format = $2", id, report_screen::FORMAT)
        .fetch_optional(&state.db)
        .await?;
    let Some(row) = row else { return Ok(None) };
    let Some(file) = state.config.artifacts.open(&row.path).await.map_err(unreadable)? else {
        tracing::error!(run = %id, format = report_screen::FORMAT, "a result that has not expired has no file");
        return Err(expired());
    };
    Ok(Some(StoredScreen { file, bytes: row.bytes, sha256: row.sha256 }))
}

/// Reads a file apart from the calls that wait for nothing.
pub async fn reading<T: Send + 'static>(read: impl FnOnce() -> anyhow::Result<T> + Send + 'static) -> Result<T> {
    Ok(tokio::task::spawn_blocking(read).await.context("reading a result stopped")??)
}

/// Who reads a report on the screen has taken it as a file would be taken; once for as long as she is at it.
async fn note_look(state: &AppState, reader: &Reader, run: &OpenedRun, id: Uuid) -> Result<()> {
    readers::opened(&state.db, reader.radnik_id, id).await?;
    let noted = sqlx::query_scalar!(
        r#"select exists (select from audit_log
                           where klasa = 'report_run' and red_id = $1::uuid::text and radnik_id = $2 and akcija = 'preuzimanje'
                             and opis like '%, ' || $3::text and vreme_pristupa > now() - make_interval(mins => $4)) as "noted!""#,
        id,
        reader.radnik_id,
        report_screen::FORMAT,
        ONE_LOOK_MINUTES
    )
    .fetch_one(&state.db)
    .await?;
    if noted {
        return Ok(());
    }
    let mut tx = db::begin(&state.db, reader.radnik_id).await?;
    trail::record(&mut tx, reader.radnik_id, ReportAction::Download, &run.subject(id), Some(report_screen::FORMAT)).await?;
    tx.commit().await?;
    Ok(())
}
