//! What a report may be written with: the views of schema `report` with every column, the types that are shown, what a template declares
//! and computes, and reports to begin from.

use accounts::rights::Allowed;
use axum::extract::State;
use configuration::crud::ReadAccess;
use domain::report_sql::READABLE;
use platform::{
    error::Result,
    extract::Json,
    routes::{Routes, routes},
    state::AppState,
};
use report_template::template::language;
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use super::store::read_files;
use crate::setup::report::Report;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(guide))
}

#[derive(Serialize, ToSchema)]
struct ReportGuide {
    pogledi: Vec<GuideView>,
    /// Functions of the query.
    funkcije: Vec<GuideWord>,
    tipovi: Vec<GuideWord>,
    /// What a template declares and computes: what is put into it, and what it is for.
    naredbe: Vec<GuideWord>,
    pocetni: Vec<GuideStart>,
}

#[derive(Serialize, ToSchema)]
struct GuideView {
    naziv: String,
    opis: String,
    kolone: Vec<GuideColumn>,
}

#[derive(Serialize, ToSchema)]
struct GuideColumn {
    naziv: String,
    tip: String,
    opis: String,
}

#[derive(Serialize, ToSchema)]
struct GuideWord {
    tekst: String,
    opis: String,
}

/// A report to copy.
#[derive(Serialize, ToSchema)]
struct GuideStart {
    naziv: String,
    opis: String,
    upit: String,
    sablon: String,
}

#[utoipa::path(get, path = "/api/report-guide", tag = "izvestaji", responses((status = 200, body = ReportGuide)))]
async fn guide(State(state): State<AppState>, _: Allowed<ReadAccess<Report>>) -> Result<Json<ReportGuide>> {
    Ok(Json(ReportGuide {
        pogledi: views(&state.db).await?,
        funkcije: functions(&state.db).await?,
        tipovi: READABLE.iter().map(|known| GuideWord { tekst: known.sql.to_owned(), opis: known.becomes.to_owned() }).collect(),
        naredbe: language::words().map(|word| GuideWord { tekst: word.example.to_owned(), opis: word.told() }).collect(),
        pocetni: starts(&state).await?,
    }))
}

async fn views(db: &PgPool) -> sqlx::Result<Vec<GuideView>> {
    let rows = sqlx::query!(
        r#"select c.relname::text as "pogled!", coalesce(obj_description(c.oid, 'pg_class'), '') as "opis_pogleda!", a.attname::text as "naziv!",
                  format_type(a.atttypid, a.atttypmod) as "tip!", coalesce(col_description(c.oid, a.attnum), '') as "opis!"
             from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
            where c.relnamespace = 'report'::regnamespace and c.relkind = 'v'
            -- Whoever is sought first stands first: the patients, their entries and values.
            order by array_position(array['pacijent', 'unos', 'vrednost']::name[], c.relname), c.relname, a.attnum"#
    )
    .fetch_all(db)
    .await?;
    let mut views: Vec<GuideView> = Vec::new();
    for row in rows {
        if views.last().is_none_or(|view| view.naziv != row.pogled) {
            views.push(GuideView { naziv: row.pogled, opis: row.opis_pogleda, kolone: Vec::new() });
        }
        let column = GuideColumn { naziv: row.naziv, tip: row.tip, opis: row.opis };
        views.last_mut().expect("the view was pushed").kolone.push(column);
    }
    Ok(views)
}

/// Those with words; the others are the views' own.
async fn functions(db: &PgPool) -> sqlx::Result<Vec<GuideWord>> {
    sqlx::query_as!(
        GuideWord,
        r#"select format('%s(%s)', p.proname, pg_get_function_arguments(p.oid)) as "tekst!", d.description as "opis!"
             from pg_proc p join pg_description d on d.objoid = p.oid and d.classoid = 'pg_proc'::regclass
            where p.pronamespace = 'report'::regnamespace order by p.proname"#
    )
    .fetch_all(db)
    .await
}

/// The folder's reports in the order of their names; the first line of each query says what it is.
async fn starts(state: &AppState) -> Result<Vec<GuideStart>> {
    let folder = state.config.template_dir.join("start");
    let mut files = match tokio::fs::read_dir(&folder).await {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        files => files.map_err(anyhow::Error::from)?,
    };
    let mut names = Vec::new();
    while let Some(file) = files.next_entry().await.map_err(anyhow::Error::from)? {
        names.extend(file.file_name().to_str().and_then(|name| name.strip_suffix(".sql")).map(str::to_owned));
    }
    names.sort();
    let mut starts = Vec::new();
    for name in names {
        let Some(texts) = read_files(&folder, &name).await? else { continue };
        let said = texts.upit.lines().next().unwrap_or_default().trim_start_matches("--").trim();
        let (naziv, opis) = said.split_once(':').unwrap_or((name.as_str(), said));
        starts.push(GuideStart { naziv: naziv.to_owned(), opis: opis.trim().to_owned(), upit: texts.upit, sablon: texts.sablon });
    }
    Ok(starts)
}
