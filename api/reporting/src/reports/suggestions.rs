//! Whom a report may be mailed to, offered while a name is typed: colleagues with an address, and groups of recipients.

use accounts::rights::{Allowed, RecipientGroups, Reports};
use axum::extract::State;
use domain::fold::fold;
use platform::{
    error::Result,
    extract::{Json, Query},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use utoipa::{IntoParams, ToSchema};

/// As many of each are offered; further letters narrow them down.
const MOST_OFFERED: i64 = 20;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(offered)).routes(routes!(for_group))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct SuggestionQuery {
    /// A part of the name or of the address.
    #[serde(default)]
    trazi: String,
}

impl SuggestionQuery {
    fn like(&self) -> String {
        let typed: String = self.trazi.chars().take(100).collect();
        format!("%{}%", fold(typed.trim()).replace(['%', '_', '\\'], ""))
    }
}

#[derive(Serialize, ToSchema)]
struct OfferedRecipients {
    radnici: Vec<OfferedWorker>,
    grupe: Vec<OfferedGroup>,
}

#[derive(Serialize, ToSchema)]
struct OfferedWorker {
    id: i64,
    naziv: String,
    email: String,
}

#[derive(Serialize, ToSchema)]
struct OfferedGroup {
    id: i64,
    naziv: String,
    /// Members, whether or not they can be reached now.
    clanova: i32,
}

/// Colleagues and groups of the worker's institutions.
#[utoipa::path(get, path = "/api/report-recipients", tag = "izvestaji", params(SuggestionQuery), responses((status = 200, body = OfferedRecipients)))]
async fn offered(
    State(state): State<AppState>,
    actor: Allowed<Reports>,
    Query(typed): Query<SuggestionQuery>,
) -> Result<Json<OfferedRecipients>> {
    let workers = workers(&state.db, &typed, WorkerReach::ColleaguesOf(actor.radnik_id)).await?;
    let grupe = sqlx::query_as!(
        OfferedGroup,
        r#"select id, naziv, cardinality(radnici) + cardinality(emails) as "clanova!" from recipient_group
            where aktivan and (ustanova_id is null or works_at($1, ustanova_id)) and fold(naziv) like $2
            order by naziv collate "sr-Latn-x-icu", id limit $3"#,
        actor.radnik_id,
        typed.like(),
        MOST_OFFERED
    )
    .fetch_all(&state.db)
    .await?;
    Ok(Json(OfferedRecipients { radnici: workers, grupe }))
}

/// Whom an administrator may put into a group: any worker within reach who has an address.
#[utoipa::path(get, path = "/api/recipient-group-workers", tag = "izvestaji", params(SuggestionQuery), responses((status = 200, body = OfferedRecipients)))]
async fn for_group(
    State(state): State<AppState>,
    actor: Allowed<RecipientGroups>,
    Query(typed): Query<SuggestionQuery>,
) -> Result<Json<OfferedRecipients>> {
    Ok(Json(OfferedRecipients { radnici: workers(&state.db, &typed, WorkerReach::InReachOf(actor.radnik_id)).await?, grupe: Vec::new() }))
}

enum WorkerReach {
    ColleaguesOf(i64),
    InReachOf(i64),
}

/// Active workers with an address.
async fn workers(db: &PgPool, typed: &SuggestionQuery, offered: WorkerReach) -> Result<Vec<OfferedWorker>> {
    let (whose, colleagues) = match offered {
        WorkerReach::ColleaguesOf(worker) => (worker, true),
        WorkerReach::InReachOf(worker) => (worker, false),
    };
    let workers = sqlx::query_as!(
        OfferedWorker,
        r#"select w.id, w.ime || ' ' || w.prezime as "naziv!", btrim(w.email) as "email!" from worker w
            where w.aktivan and w.email like '%_@_%' and fold(concat_ws(' ', w.ime, w.prezime, w.ime, w.email)) like $2
              and w.id in (select c.radnik_id from colleagues_of($1) c where $4 union all select r.radnik_id from workers_in_reach($1) r where not $4)
            order by w.prezime collate "sr-Latn-x-icu", w.ime collate "sr-Latn-x-icu", w.id limit $3"#,
        whose,
        typed.like(),
        MOST_OFFERED,
        colleagues
    );
    Ok(workers.fetch_all(db).await?)
}
