//! How many patients a saved search finds now: for a tile of a board, which leads to it. Only those whom the worker's institution knows are
//! counted, so that a count tells of no stranger; nobody is named, and nothing of it is kept.

use accounts::auth::Actor;
use axum::extract::State;
use domain::{entry::state::EntryState, register::PatientStatus};
use jiff::civil::Date;
use platform::{
    error::{Error, Result},
    extract::{Json, Path},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::search::{
    criteria::{CriterionRow, EntryScope, SearchRequest},
    entry_frame::EntryFrame,
    own_entry::OpenMatter,
    prepare, run,
};

/// Nobody reads further than that from a tile.
const MOST_COUNTED: i64 = 1_000;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(count))
}

/// Criteria as the screen keeps them.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct KeptCriteria {
    godina_od: Option<i64>,
    godina_do: Option<i64>,
    pol: Option<i16>,
    status: Option<PatientStatus>,
    stanje_unosa: Option<EntryState>,
    otvoreno: Option<OpenMatter>,
    unos_od: Option<Date>,
    unos_do: Option<Date>,
    unos_uslova: Option<EntryFrame>,
    opseg: Option<EntryScope>,
    #[serde(default)]
    redovi: Vec<CriterionRow>,
}

impl KeptCriteria {
    fn request(self, registar_id: i64) -> SearchRequest {
        SearchRequest {
            registar_id,
            godina_od: self.godina_od,
            godina_do: self.godina_do,
            pol: self.pol,
            status: self.status,
            stanje_unosa: self.stanje_unosa,
            otvoreno: self.otvoreno,
            unos_od: self.unos_od,
            unos_do: self.unos_do,
            unos_uslova: self.unos_uslova,
            opseg_uslova: self.opseg,
            red_pretrage: self.redovi,
            ..SearchRequest::default()
        }
    }
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SearchCount {
    naziv: String,
    /// Patients whom the worker's institution knows.
    broj: usize,
    /// There are more, which nobody counted.
    ima_jos: bool,
}

/// Of one's own search, or one that is shared in the institution.
#[utoipa::path(get, path = "/api/saved-searches/{id}/count", params(("id" = i64, Path)),
    responses((status = 200, body = SearchCount), (status = 404, description = "Takve pretrage nema"), (status = 422, description = "Više ne može da se traži")))]
async fn count(State(state): State<AppState>, actor: Actor, Path(id): Path<i64>) -> Result<Json<SearchCount>> {
    let saved = sqlx::query!(
        "select naziv, registar_id, upit from saved_search where id = $1 and ustanova_id = $2 and (radnik_id = $3 or deljena)",
        id,
        actor.ustanova()?,
        actor.radnik_id
    )
    .fetch_optional(&state.db)
    .await?
    .ok_or(Error::NotFound)?;
    let kept: KeptCriteria = serde_json::from_value(saved.upit)
        .map_err(|_| Error::malformed("Uslovi snimljene pretrage više ne mogu da se pročitaju. Otvorite je, pa je snimite ponovo."))?;
    let mut prepared = prepare(&state.db, actor.ustanova_id, &kept.request(saved.registar_id)).await?;
    prepared.search.known_only = true;
    let found = run::find(&state.db, &prepared.search, MOST_COUNTED).await?;
    Ok(Json(SearchCount { naziv: saved.naziv, broj: found.hits.len(), ima_jos: found.more }))
}
