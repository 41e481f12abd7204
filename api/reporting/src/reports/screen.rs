//! The result of an analysis for the screen: its tables and drawings, to whoever may open its files.

use anyhow::Context;
use axum::extract::State;
use domain::{db, runs::RunStatus};
use platform::{
    error::{Error, Result},
    extract::{Json, Path},
    result_file::{expired, whole},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    access::{self, Reader},
    readers,
    trail::{self, Deed},
};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(screen))
}

/// As the engine has written it.
#[derive(Serialize, Deserialize, ToSchema)]
struct ReportScreen {
    tabele: Vec<ReportScreenTable>,
    /// What is not whole.
    napomena: Option<String>,
}

#[derive(Serialize, Deserialize, ToSchema)]
struct ReportScreenTable {
    naslov: String,
    zaglavlja: Vec<ReportScreenHead>,
    redovi: Vec<Vec<String>>,
    napomene: Vec<String>,
    slike: Vec<ReportScreenPicture>,
}

#[derive(Serialize, Deserialize, ToSchema)]
struct ReportScreenHead {
    tekst: String,
    /// Numbers stand on the right.
    desno: bool,
}

/// A drawing, and the table of its numbers.
#[derive(Serialize, Deserialize, ToSchema)]
struct ReportScreenPicture {
    naslov: String,
    svg: Option<String>,
    /// The same for a narrow screen.
    uska: Option<String>,
    /// Why there is no drawing.
    greska: Option<String>,
    zaglavlja: Vec<String>,
    redovi: Vec<Vec<String>>,
}

#[utoipa::path(get, path = "/api/report-runs/{id}/screen", tag = "izvestaji", params(("id" = Uuid, Path)),
    responses((status = 200, body = ReportScreen), (status = 403, description = "Nema pravo ili ustanovu izveštaja"), (status = 410, description = "Istekao")))]
async fn screen(State(state): State<AppState>, reader: Reader, Path(id): Path<Uuid>) -> Result<Json<ReportScreen>> {
    let run = access::open(&state.db, &reader, id).await?;
    if run.status != RunStatus::Succeeded {
        return Err(Error::NotFound);
    }
    if run.istekao {
        return Err(expired());
    }
    let file = sqlx::query!("select path, bytes, sha256 from report_artifact where run_id = $1 and format = 'EKRAN'", id)
        .fetch_optional(&state.db)
        .await?
        .ok_or(Error::NotFound)?;
    let stored = state.config.artifacts.open(&file.path).await.map_err(anyhow::Error::from)?.ok_or_else(expired)?;
    let read = tokio::task::spawn_blocking(move || -> anyhow::Result<ReportScreen> {
        Ok(serde_json::from_reader(std::io::BufReader::new(whole(stored, file.bytes, &file.sha256)?))?)
    });
    let shown = read.await.context("reading a result stopped")??;
    readers::opened(&state.db, reader.radnik_id, id).await?;
    let mut tx = db::begin(&state.db, reader.radnik_id).await?;
    trail::record(&mut tx, reader.radnik_id, Deed::Download, &run.subject(id), Some("ekran")).await?;
    tx.commit().await?;
    Ok(Json(shown))
}
