//! The worker's own exports: what each holds, how far it is, until when it is there.

use accounts::rights::{Allowed, DataExport};
use axum::extract::State;
use domain::{
    exports::{Profile, RowOf, WantedStates},
    runs::RunStatus,
    time::server_text,
};
use jiff_sqlx::Timestamp;
use platform::{
    error::Result,
    extract::{Json, Query},
    page::{Page, Paging},
    routes::{Routes, routes},
    state::AppState,
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(list))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DataExportRow {
    id: Uuid,
    registar: String,
    /// None: the patients of the register.
    obrazac: Option<String>,
    red: RowOf,
    profil: Profile,
    stanja: WantedStates,
    od: Option<String>,
    #[serde(rename = "do")]
    do_: Option<String>,
    ustanove: Vec<String>,
    xlsx: bool,
    razlog: String,
    /// Only patients whom a search has shown.
    pretraga: bool,
    status: RunStatus,
    otkazivanje: bool,
    redova: i64,
    pacijenata: i64,
    /// Rows that are written so far.
    uradjeno: Option<i64>,
    bajtova: Option<i64>,
    zatrazen: String,
    istice: Option<String>,
    /// The file is there.
    spreman: bool,
    /// Why it failed.
    greska: Option<String>,
}

#[utoipa::path(get, path = "/api/data-exports", tag = "izvoz", params(Paging), responses((status = 200, body = Page<DataExportRow>)))]
async fn list(
    State(state): State<AppState>,
    actor: Allowed<DataExport>,
    Query(paging): Query<Paging>,
) -> Result<Json<Page<DataExportRow>>> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "total!" from report_run where radnik_id = $1 and izvoz_id is not null and deleted_at is null"#,
        actor.radnik_id
    )
    .fetch_one(&state.db)
    .await?;
    let rows = sqlx::query!(
        r#"select r.id, g.naziv as registar, f.naziv as "obrazac?", d.red as "red: RowOf", d.profil as "profil: Profile",
                  d.stanja as "stanja: WantedStates",
                  d.datum_od::text as od, d.datum_do::text as do_,
                  array(select u.naziv from institution u where u.id = any (d.ustanove) order by fold(u.naziv), u.id) as "ustanove!",
                  d.xlsx, d.razlog, d.pretraga_id is not null as "pretraga!", r.status as "status: RunStatus", r.cancel_requested_at is not null as "otkazivanje!", d.redova, d.pacijenata,
                  r.rows_done, a.bytes as "bytes?", r.created_at as "created_at: Timestamp", r.expires_at as "expires_at: Timestamp",
                  r.status = 'succeeded' and r.expires_at > now() and a.run_id is not null as "spreman!", r.error_text
             from report_run r
             join data_export d on d.id = r.izvoz_id
             join register g on g.id = d.registar_id
             left join form f on f.id = d.tsa_id
             left join report_artifact a on a.run_id = r.id
            where r.radnik_id = $1 and r.deleted_at is null
            order by r.created_at desc, r.id limit $2 offset $3"#,
        actor.radnik_id,
        paging.limit(),
        paging.offset()
    )
    .fetch_all(&state.db)
    .await?;
    let data = rows.into_iter().map(|row| DataExportRow {
        id: row.id,
        registar: row.registar,
        obrazac: row.obrazac,
        red: row.red,
        profil: row.profil,
        stanja: row.stanja,
        od: row.od,
        do_: row.do_,
        ustanove: row.ustanove,
        xlsx: row.xlsx,
        razlog: row.razlog,
        pretraga: row.pretraga,
        status: row.status,
        otkazivanje: row.otkazivanje,
        redova: row.redova,
        pacijenata: row.pacijenata,
        uradjeno: row.rows_done,
        bajtova: row.bytes,
        zatrazen: server_text(row.created_at.to_jiff()),
        istice: row.expires_at.map(|at| server_text(at.to_jiff())),
        spreman: row.spreman,
        greska: (row.status == RunStatus::Failed).then_some(row.error_text).flatten(),
    });
    Ok(Json(Page::of(data.collect(), total)))
}
