//! Marks on stored values (`admin::impact` sets them): told of the entries that a search found, said before a save replaces a marked
//! value, and gone with the save.

use accounts::auth::Actor;
use axum::extract::State;
use domain::entry::stale::{Stale, known_to_version};
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

use super::{
    form::EntryForm,
    values::{Values, alike},
};

/// Entries that one call may ask about.
const MOST_ENTRIES: usize = 10_000;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(of_found))
}

#[derive(Deserialize, ToSchema)]
struct StaleRequest {
    /// Ids of entries, at most 10,000.
    unosi: Vec<i64>,
}

#[derive(Serialize, ToSchema)]
struct StaleResults {
    data: Vec<StaleResult>,
    total: usize,
}

/// A mark on one stored value of one entry.
#[derive(Serialize, ToSchema)]
struct StaleResult {
    #[serde(rename = "unosID")]
    unos_id: i64,
    #[serde(flatten)]
    mark: Stale,
}

/// Marks of these entries. Of a patient whom the worker's institution does not know, as of no patient, there are none.
#[utoipa::path(post, path = "/api/stale-results", request_body = StaleRequest, responses((status = 200, body = StaleResults)))]
async fn of_found(State(state): State<AppState>, actor: Actor, Json(request): Json<StaleRequest>) -> Result<Json<StaleResults>> {
    if request.unosi.len() > MOST_ENTRIES {
        return Err(Error::invalid("unosi", "Jednim pozivom se može pitati za najviše 10.000 unosa."));
    }
    let rows = sqlx::query!(
        "select s.unos_id, s.polje_id, s.razlog, s.jedinica
           from stale_result s join entry e on e.id = s.unos_id join patient p on p.id = e.pacijent_id
          where s.unos_id = any ($1) and e.aktivan and p.aktivan and knows_patient($2, p.id)
            and (e.ustanova_id = $2 or not reads_own_entries_only($2, p.id))
          order by s.unos_id, s.polje_id",
        &request.unosi,
        actor.ustanova_id
    )
    .fetch_all(&state.db)
    .await?;
    let data: Vec<StaleResult> = rows
        .into_iter()
        .map(|row| StaleResult { unos_id: row.unos_id, mark: Stale { polje: row.polje_id, razlog: row.razlog, jedinica: row.jedinica } })
        .collect();
    Ok(Json(StaleResults { total: data.len(), data }))
}

/// A marked result that a save would replace.
#[derive(Debug, Serialize, ToSchema)]
pub struct RewrittenResult {
    polje: i64,
    naziv: String,
    #[schema(value_type = Object)]
    sacuvano: Option<Value>,
    #[schema(value_type = Object)]
    danas: Option<Value>,
}

/// 409: whoever saves has not been told that results change because the form is another now.
#[derive(Debug, Serialize, ToSchema)]
pub struct RewrittenAnswer {
    message: String,
    field: Option<String>,
    rezultati: Vec<RewrittenResult>,
}

pub async fn rewritten(
    db: &mut PgConnection,
    entry: i64,
    form: &EntryForm,
    stored: &Values,
    computed: &Values,
) -> sqlx::Result<Option<RewrittenAnswer>> {
    let fields = form.by_id();
    let marks = known_to_version(db, entry).await?.into_iter().filter(|mark| mark.razlog != "jedinica");
    let changed = marks.filter(|mark| !alike(stored.get(&mark.polje), computed.get(&mark.polje)));
    let rezultati: Vec<RewrittenResult> = changed
        .filter_map(|mark| {
            let naziv = fields.get(&mark.polje)?.naziv.clone();
            Some(RewrittenResult {
                polje: mark.polje,
                naziv,
                sacuvano: stored.get(&mark.polje).cloned(),
                danas: computed.get(&mark.polje).cloned(),
            })
        })
        .collect();
    let message = "Formular je promenjen od poslednjeg snimanja, pa će se snimanjem promeniti i rezultati:".to_owned();
    Ok((!rezultati.is_empty()).then_some(RewrittenAnswer { message, field: None, rezultati }))
}
