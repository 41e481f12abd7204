//! The maintenance area (A 2.13): report templates, connection pools, parameters; and this process's own part in it.

use std::path::Path;

use accounts::rights::{Allowed, Maintenance, ReportTemplates};
use axum::{extract::State, http::StatusCode};
use domain::{
    db, maintenance,
    maintenance::Request,
    process::{self, PoolUse},
};
use platform::{
    error::{Error, Result},
    extract::Json,
    page::Page,
    routes::{Routes, routes},
    state::{AppState, POOL},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::types::Json as Jsonb;
use utoipa::ToSchema;

pub fn routes() -> Routes {
    Routes::new()
        .routes(routes!(templates))
        .routes(routes!(drop_template))
        .routes(routes!(pools))
        .routes(routes!(clean_pool))
        .routes(routes!(reload_parameters))
}

#[derive(Serialize, ToSchema)]
struct ReportTemplateFile {
    putanja: String,
    naziv: String,
}

#[utoipa::path(get, path = "/api/jasperi", tag = "odrzavanje", responses((status = 200, body = Page<ReportTemplateFile>)))]
async fn templates(State(state): State<AppState>, _: Allowed<ReportTemplates>) -> Result<Json<Page<ReportTemplateFile>>> {
    let names = template_names(&state.config.template_dir).await?;
    Ok(Json(Page::all(names.into_iter().map(|naziv| ReportTemplateFile { putanja: template_path(&naziv), naziv }).collect())))
}

/// Names of the templates, sorted.
async fn template_names(template_dir: &Path) -> anyhow::Result<Vec<String>> {
    let mut files = match tokio::fs::read_dir(template_dir.join("reports")).await {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        files => files?,
    };
    let mut names = Vec::new();
    while let Some(file) = files.next_entry().await? {
        let name = file.file_name();
        names.extend(name.to_str().and_then(|name| name.strip_suffix(".hbs")).map(str::to_owned));
    }
    names.sort();
    Ok(names)
}

fn template_path(naziv: &str) -> String {
    format!("reports/{naziv}.hbs")
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DropTemplate {
    /// As listed; empty: all.
    putanja_jaspera: String,
}

/// Drops the compiled template from every engine, so that the next run reads the file anew. The file stays.
#[utoipa::path(post, path = "/api/obrisi-jasper", tag = "odrzavanje", request_body = DropTemplate, responses((status = 204)))]
async fn drop_template(
    State(state): State<AppState>,
    actor: Allowed<Maintenance>,
    Json(request): Json<DropTemplate>,
) -> Result<StatusCode> {
    let path = request.putanja_jaspera.trim();
    let name = if path.is_empty() {
        String::new()
    } else {
        let names = template_names(&state.config.template_dir).await?;
        names.into_iter().find(|name| *name == path || template_path(name) == path).ok_or(Error::NotFound)?
    };
    ask(&state, actor.radnik_id, "jasper", &name).await
}

#[derive(Serialize, ToSchema)]
struct ConnectionPool {
    /// The process and the pool: what `dataSource` may name.
    naziv: String,
    zauzeto: u32,
    najvise: u32,
}

/// The pools of every process that has been heard of within half a minute.
#[utoipa::path(get, path = "/api/konekcije", tag = "odrzavanje", responses((status = 200, body = Page<ConnectionPool>)))]
async fn pools(State(state): State<AppState>, _: Allowed<Maintenance>) -> Result<Json<Page<ConnectionPool>>> {
    let processes = sqlx::query!(
        r#"select id, pools as "pools: Jsonb<Vec<PoolUse>>" from process where seen_at > now() - interval '30 seconds' order by kind, id"#
    )
    .fetch_all(&state.db)
    .await?;
    let pools = processes.into_iter().flat_map(|process| {
        process.pools.0.into_iter().map(move |pool| ConnectionPool {
            naziv: maintenance::pool_name(&process.id, &pool.naziv),
            zauzeto: pool.zauzeto,
            najvise: pool.najvise,
        })
    });
    Ok(Json(Page::all(pools.collect())))
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CleanPool {
    data_source: String,
}

/// Idle connections are closed, busy ones finish what they do.
#[utoipa::path(post, path = "/api/ciscenje-pula-konekcija", tag = "odrzavanje", request_body = CleanPool, responses((status = 204)))]
async fn clean_pool(State(state): State<AppState>, actor: Allowed<Maintenance>, Json(request): Json<CleanPool>) -> Result<StatusCode> {
    let source = request.data_source.trim();
    if source.is_empty() {
        return Err(Error::invalid("dataSource", "Niste uneli naziv izvora podataka."));
    }
    let known =
        sqlx::query!(r#"select id, pools as "pools: Jsonb<Vec<PoolUse>>" from process where seen_at > now() - interval '30 seconds'"#)
            .fetch_all(&state.db)
            .await?
            .iter()
            .any(|process| process.pools.iter().any(|pool| maintenance::names_pool(source, &process.id, &pool.naziv)));
    if !known {
        return Err(Error::invalid("dataSource", "Izvor podataka sa tim nazivom ne postoji."));
    }
    ask(&state, actor.radnik_id, "konekcija", source).await
}

/// Every process reads the system parameters anew.
#[utoipa::path(post, path = "/api/reload-parametara", tag = "odrzavanje", responses((status = 204)))]
async fn reload_parameters(State(state): State<AppState>, actor: Allowed<Maintenance>) -> Result<StatusCode> {
    ask(&state, actor.radnik_id, "parametri", "").await
}

/// Tells all processes, and the log who asked.
async fn ask(state: &AppState, worker: i64, vrsta: &str, cilj: &str) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, worker).await?;
    let id = sqlx::query_scalar!(
        "insert into maintenance_request (vrsta, cilj, radnik_id) values ($1, $2, $3) returning id",
        vrsta,
        cilj,
        worker
    )
    .fetch_one(&mut *tx)
    .await?;
    sqlx::query!(
        "insert into audit_log (radnik_id, klasa, akcija, red_id, opis, polja) values ($1, 'maintenance_request', 'održavanje', $2, $3, $4)",
        worker,
        id.to_string(),
        vrsta,
        json!([{ "naziv": "cilj", "stara": null, "nova": cilj }])
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// This process's own part: it does what is asked of all of them.
pub async fn attend(state: AppState) {
    let url = state.config.database_url.clone();
    maintenance::attend(&url, "regix-api-odrzavanje", |request| fulfil(&state, request)).await;
}

async fn fulfil(state: &AppState, request: Request) {
    match request {
        Request::Konekcija(target) if maintenance::names_pool(&target, &state.process.id, POOL) => {
            let closed = process::close_idle(&state.db).await;
            tracing::info!(closed, "idle connections were closed");
        }
        // Connections of the report role live for one use. Parameters are read at each call, templates by the engines.
        Request::Konekcija(_) | Request::Parametri(_) | Request::Jasper(_) | Request::Praznjenje(_) => {}
    }
}
