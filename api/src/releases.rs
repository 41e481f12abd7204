//! What changed in which version, of both parts of the product (A §2.14).

use accounts::rights::{Allowed, WarningsAndReleases};
use axum::extract::State;
use platform::{
    error::Result,
    extract::Json,
    routes::{Routes, routes},
    state::AppState,
};
use serde::Serialize;
use utoipa::ToSchema;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(releases))
}

/// The newest version of each part comes first.
#[derive(Default, Serialize, ToSchema)]
struct Releases {
    frontend: Vec<Release>,
    backend: Vec<Release>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Release {
    oznaka: String,
    #[schema(value_type = String, format = Date)]
    datum_od: jiff_sqlx::Date,
    /// None: the version in use.
    #[schema(value_type = Option<String>, format = Date)]
    datum_do: Option<jiff_sqlx::Date>,
    kratak_opis: String,
    izmene: Vec<Change>,
}

#[derive(Serialize, ToSchema)]
struct Change {
    broj: i32,
    naslov: String,
    opis: Option<String>,
    napomena: Option<String>,
    tiket: Option<String>,
}

#[utoipa::path(get, path = "/api/releases", responses((status = 200, body = Releases)))]
async fn releases(State(state): State<AppState>, _: Allowed<WarningsAndReleases>) -> Result<Json<Releases>> {
    let versions = sqlx::query!("select id, deo, oznaka, datum_od, datum_do, kratak_opis from release order by datum_od desc, id desc")
        .fetch_all(&state.db)
        .await?;
    let mut changes = sqlx::query!("select verzija_id, broj, naslov, opis, napomena, tiket from release_change order by broj")
        .fetch_all(&state.db)
        .await?;
    let mut releases = Releases::default();
    for version in versions {
        let izmene = changes
            .extract_if(.., |change| change.verzija_id == version.id)
            .map(|change| Change {
                broj: change.broj,
                naslov: change.naslov,
                opis: change.opis,
                napomena: change.napomena,
                tiket: change.tiket,
            })
            .collect();
        let part = if version.deo == "frontend" { &mut releases.frontend } else { &mut releases.backend };
        part.push(Release {
            oznaka: version.oznaka,
            datum_od: version.datum_od,
            datum_do: version.datum_do,
            kratak_opis: version.kratak_opis,
            izmene,
        });
    }
    Ok(Json(releases))
}
