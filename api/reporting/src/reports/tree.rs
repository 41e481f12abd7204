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
use sqlx::PgPool;
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
async fn tree(State(state): State<AppState>, actor: Allowed<Reports>) -> Result<Json<Page<ReportTreeCategory>>> {
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
    categories.extend(analyses(&state.db, actor.radnik_id).await?);
    Ok(Json(Page::all(categories)))
}

/// Numbers of a branch that is no record.
const OF_NO_RECORD: i64 = 0;

/// The analyses that the worker sees, after all that administrators have set up.
async fn analyses(db: &PgPool, worker: i64) -> Result<Option<ReportTreeCategory>> {
    let rows = sqlx::query!(
        r#"select r.id, r.naziv, r.registar_id, r.vlasnik_id = $1 as "own!" from report r
            where r.aktivan and r.vlasnik_id is not null and r.tabla is null and sees_owned($1, r.vlasnik_id, r.vlasnik_ustanova_id) order by r.naziv, r.id"#,
        worker
    );
    let (own, shared): (Vec<_>, Vec<_>) = rows.fetch_all(db).await?.into_iter().partition(|row| row.own);
    let leaf = |(id, naziv, registar_id)| ReportTreeLeaf { id, naziv, opis: None, registar_id };
    let branch = |(place, naziv, izvestaji): (i64, &str, Vec<ReportTreeLeaf>)| {
        (!izvestaji.is_empty()).then(|| ReportTreeType { id: OF_NO_RECORD - place, naziv: naziv.to_owned(), izvestaji })
    };
    let own = own.into_iter().map(|row| leaf((row.id, row.naziv, row.registar_id))).collect();
    let shared = shared.into_iter().map(|row| leaf((row.id, row.naziv, row.registar_id))).collect();
    let tipovi: Vec<ReportTreeType> = [(1, "Moje", own), (2, "Podeljene u ustanovi", shared)].into_iter().filter_map(branch).collect();
    Ok((!tipovi.is_empty()).then(|| ReportTreeCategory { id: OF_NO_RECORD, naziv: "Analize".to_owned(), tipovi }))
}
