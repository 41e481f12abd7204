//! The category tree: categories, their types, the reports to choose from. Empty branches are left out.

use accounts::rights::{Allowed, Reports};
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
    Routes::new().routes(routes!(tree))
}

#[derive(Serialize, ToSchema)]
struct ReportTreeCategory {
    id: i64,
    naziv: String,
    tipovi: Vec<ReportTreeType>,
}

#[derive(Serialize, ToSchema)]
struct ReportTreeType {
    id: i64,
    naziv: String,
    izvestaji: Vec<ReportTreeLeaf>,
}

#[derive(Serialize, ToSchema)]
struct ReportTreeLeaf {
    id: i64,
    naziv: String,
    opis: Option<String>,
    /// The register whose data the report reads; null: any.
    #[serde(rename = "registarID")]
    registar_id: Option<i64>,
}

#[utoipa::path(get, path = "/api/report-categories/tree", tag = "izvestaji", responses((status = 200, body = Page<ReportTreeCategory>)))]
async fn tree(State(state): State<AppState>, _: Allowed<Reports>) -> Result<Json<Page<ReportTreeCategory>>> {
    let rows = sqlx::query!(
        "select c.id as kategorija_id, c.naziv as kategorija, t.id as tip_id, t.naziv as tip,
                r.id, r.naziv, r.opis, r.registar_id
           from report r
           join report_type t on t.id = r.tip_id and t.aktivan
           join report_category c on c.id = t.kategorija_id and c.aktivan
          where r.aktivan and r.prikazuje_se
          order by c.numericka_vrednost, c.id, t.numericka_vrednost, t.id, r.numericka_vrednost, r.id"
    )
    .fetch_all(&state.db)
    .await?;
    let mut categories: Vec<ReportTreeCategory> = Vec::new();
    for row in rows {
        let leaf = ReportTreeLeaf { id: row.id, naziv: row.naziv, opis: row.opis, registar_id: row.registar_id };
        if categories.last().is_none_or(|category| category.id != row.kategorija_id) {
            categories.push(ReportTreeCategory { id: row.kategorija_id, naziv: row.kategorija, tipovi: Vec::new() });
        }
        let types = &mut categories.last_mut().expect("the category was pushed").tipovi;
        if types.last().is_none_or(|known| known.id != row.tip_id) {
            types.push(ReportTreeType { id: row.tip_id, naziv: row.tip, izvestaji: Vec::new() });
        }
        types.last_mut().expect("the type was pushed").izvestaji.push(leaf);
    }
    Ok(Json(Page::all(categories)))
}
