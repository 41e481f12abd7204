//! The doctors of the worker's institution, by whom the lists of those who are awaited are narrowed down.

use accounts::auth::Actor;
use axum::extract::State;
use platform::{
    error::Result,
    extract::Json,
    page::Page,
    routes::{Routes, routes},
    state::AppState,
};
use serde::Serialize;
use utoipa::ToSchema;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(doctors))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct VisitDoctor {
    id: i64,
    ime_prezime: String,
}

#[utoipa::path(get, path = "/api/planned-visit-doctors", responses((status = 200, body = Page<VisitDoctor>)))]
async fn doctors(State(state): State<AppState>, actor: Actor) -> Result<Json<Page<VisitDoctor>>> {
    let doctors = sqlx::query_as!(
        VisitDoctor,
        r#"select w.id, w.prezime || ' ' || w.ime as "ime_prezime!"
             from doctors_of($1) d join worker w on w.id = d.radnik_id order by w.prezime, w.ime, w.id"#,
        actor.ustanova_id
    );
    Ok(Json(Page::all(doctors.fetch_all(&state.db).await?)))
}
