//! The screen of operators, read as a whole.

use accounts::{
    auth::Actor,
    rights::{Allowed, Maintenance, Right},
};
use axum::extract::State;
use domain::{
    jobs::Queue,
    process::{self, PoolUse, RestReason},
    runs::{FailureCode, Stage},
    standing::Precondition,
    time::server_text,
};
use jiff::civil::Date;
use jiff_sqlx::Timestamp;
use platform::{
    archived::{Kind, archived_before},
    error::Result,
    extract::Json,
    health::{self, Health, HealthReading, StoreProblem},
    routes::{Routes, routes},
    state::AppState,
};
use reporting::reports::fault::{self, Detail, ReportQueryFault};
use serde::Serialize;
use sqlx::{PgPool, types::Json as Jsonb};
use utoipa::ToSchema;
use uuid::Uuid;

use super::figures::{self, Cause, FireFigures, LastBackup, MailFigures, MailServer, Waiting};

/// Rows of a list; the counts beside it are whole.
const MOST_ROWS: i64 = 100;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(operations))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Operations {
    sistem: System,
    redovi: Vec<Waiting>,
    izvrsavanja: Vec<UnderWay>,
    neuspeli: Vec<FailedRun>,
    uzroci: Vec<Cause>,
    posta: MailFigures,
    server_poste: MailServer,
    zakazivanja: FireFigures,
    /// None has been made yet, or none since a restoration.
    kopija: Option<LastBackup>,
    procesi: Vec<RunningProcess>,
}

/// What anybody may know of the system's health, and what only operators do.
#[derive(Serialize, ToSchema)]
struct System {
    zdravlje: Health,
    skladiste: Option<StoreProblem>,
    /// Of the api that answers.
    verzija: &'static str,
    /// PostgreSQL's.
    baza: String,
    /// The newest migration that has run.
    migracija: Option<i64>,
    /// The version of the zone data and where it is from: a machine with old data shows here.
    zone: String,
    /// Before which day looks lie in files of the archive only; none: all are in the database.
    #[serde(rename = "uvidiUArhiviPre")]
    looks_archived_before: Option<Date>,
    /// What this process stands on and somebody should look into.
    podloga: Vec<Precondition>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UnderWay {
    id: Uuid,
    /// Empty: the print of an entry.
    izvestaj: Option<String>,
    /// The account that asked for it; for those who administer workers.
    radnik: Option<String>,
    red: Queue,
    faza: Option<Stage>,
    redova: Option<i64>,
    masina: Option<String>,
    pokusaj: i32,
    sekundi: f64,
    otkazivanje: bool,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct FailedRun {
    id: Uuid,
    izvestaj: Option<String>,
    radnik: Option<String>,
    red: Queue,
    /// None: a newer engine wrote it, which knows more causes.
    sifra: Option<FailureCode>,
    /// As its owner reads it.
    poruka: Option<String>,
    /// What the database said of the query; told to who configures reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    upit: Option<ReportQueryFault>,
    /// The report, where the query is told.
    #[serde(rename = "izvestajID", skip_serializing_if = "Option::is_none")]
    izvestaj_id: Option<i64>,
    pokusaja: i32,
    zavrsen: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RunningProcess {
    id: String,
    vrsta: process::Kind,
    verzija: String,
    masina: Option<String>,
    od: String,
    /// Seconds since it last said that it lives.
    cuti_sekundi: f64,
    ziv: bool,
    /// It is silent, and another has taken its place on its machine.
    zamenjen: bool,
    mesta: Option<i32>,
    zauzeto: Option<i32>,
    praznjenje: bool,
    /// Why an engine takes nothing new.
    odmara: Option<RestReason>,
    skladiste_slobodno: Option<i64>,
    /// Seconds that the replica which the process reads reports from is behind.
    kopija_kasni: Option<f64>,
    redis: Option<bool>,
    #[schema(value_type = Vec<ProcessPool>)]
    pulovi: Jsonb<Vec<PoolUse>>,
}

/// A pool of one process: its name, connections in use, and the most it may open.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes what `PoolUse` of the domain is as JSON")]
struct ProcessPool {
    naziv: String,
    zauzeto: u32,
    najvise: u32,
}

#[utoipa::path(get, path = "/api/operations", tag = "odrzavanje", responses((status = 200, body = Operations)))]
async fn operations(State(state): State<AppState>, actor: Allowed<Maintenance>) -> Result<Json<Operations>> {
    let db = &state.db;
    let names = actor.prava.holds(Right::Workers);
    Ok(Json(Operations {
        sistem: system(&state).await?,
        redovi: figures::waiting(db).await?,
        izvrsavanja: under_way(db, names).await?,
        neuspeli: failed(db, &actor, names).await?,
        uzroci: figures::causes(db).await?,
        posta: figures::mail(db).await?,
        server_poste: figures::mail_server(db).await?,
        zakazivanja: figures::fires(db).await?,
        kopija: figures::last_backup(db).await?,
        procesi: processes(db).await?,
    }))
}

async fn system(state: &AppState) -> sqlx::Result<System> {
    let HealthReading { health, store_problem } = health::look(state).await;
    Ok(System {
        zdravlje: health,
        skladiste: store_problem,
        verzija: env!("CARGO_PKG_VERSION"),
        baza: sqlx::query_scalar!(r#"select current_setting('server_version') as "version!""#).fetch_one(&state.db).await?,
        // The migrator's table is its own, unknown to the schema that queries are checked against.
        migracija: sqlx::query_scalar("select max(version) from _sqlx_migrations where success").fetch_one(&state.db).await?,
        zone: domain::time::zone_data(),
        looks_archived_before: archived_before(&mut *state.db.acquire().await?, Kind::Uvidi).await?,
        podloga: state.vitals.watch.findings().iter().filter(|finding| finding.warns()).map(|finding| finding.precondition).collect(),
    })
}

/// The longest first.
async fn under_way(db: &PgPool, names: bool) -> sqlx::Result<Vec<UnderWay>> {
    sqlx::query_as!(
        UnderWay,
        r#"select r.id, coalesce(t.naziv, case when r.izvoz_id is not null then 'Izvoz podataka' end) as "izvestaj?", case when $1 then w.username end as radnik, r.queue as "red: Queue", r.stage as "faza: Stage", r.rows_done as redova,
                  case when r.lease_owner is not null then concat_ws(' ', p.host, right(r.lease_owner, 6)) end as masina, r.attempt as pokusaj,
                  coalesce(extract(epoch from clock_timestamp() - r.started_at), 0)::float8 as "sekundi!",
                  r.cancel_requested_at is not null as "otkazivanje!"
             from report_run r join worker w on w.id = r.radnik_id left join report t on t.id = r.izvestaj_id left join process p on p.id = r.lease_owner
            where r.status = 'running' order by r.started_at, r.id limit $2"#,
        names,
        MOST_ROWS
    )
    .fetch_all(db)
    .await
}

/// Of the last 24 hours; those that killed their engines first, then the newest.
async fn failed(db: &PgPool, actor: &Actor, names: bool) -> sqlx::Result<Vec<FailedRun>> {
    let rows = sqlx::query!(
        r#"select r.id, coalesce(t.naziv, case when r.izvoz_id is not null then 'Izvoz podataka' end) as "izvestaj?", case when $1 then w.username end as radnik, r.queue as "red: Queue", r.error_code, r.error_text,
                  r.izvestaj_id, r.error_detail as "error_detail: Jsonb<Detail>", r.attempt,
                  r.finished_at as "finished_at: Timestamp"
             from report_run r join worker w on w.id = r.radnik_id left join report t on t.id = r.izvestaj_id
            where r.status = 'failed' and r.deleted_at is null and r.finished_at > now() - interval '24 hours'
            order by r.error_code is not distinct from 'poison' desc, r.finished_at desc, r.id limit $2"#,
        names,
        MOST_ROWS
    )
    .fetch_all(db)
    .await?;
    let told = rows.into_iter().map(|row| {
        let upit = fault::for_author(actor, row.error_detail);
        FailedRun {
            id: row.id,
            izvestaj: row.izvestaj,
            radnik: row.radnik,
            red: row.red,
            sifra: row.error_code.as_deref().and_then(FailureCode::from_name),
            poruka: row.error_text,
            izvestaj_id: row.izvestaj_id.filter(|_| upit.is_some()),
            upit,
            pokusaja: row.attempt,
            zavrsen: row.finished_at.map(|at| server_text(at.to_jiff())),
        }
    });
    Ok(told.collect())
}

/// Those heard of within the last hour: what has just died is seen to have died.
async fn processes(db: &PgPool) -> sqlx::Result<Vec<RunningProcess>> {
    let rows = sqlx::query!(
        r#"select id, kind as "kind: process::Kind", version, host, started_at as "started_at: Timestamp", slots, busy, drained_at is not null as "drained!", rests, store_free, replica_lag,
                  redis_ok, pools as "pools: Jsonb<Vec<PoolUse>>",
                  greatest(0, extract(epoch from clock_timestamp() - seen_at))::float8 as "silent!",
                  seen_at > clock_timestamp() - interval '30 seconds' as "lives!", is_replaced(id) as "replaced!"
             from process where seen_at > clock_timestamp() - interval '1 hour' order by kind, host, started_at, id"#
    )
    .fetch_all(db)
    .await?;
    let told = rows.into_iter().map(|row| RunningProcess {
        id: row.id,
        vrsta: row.kind,
        verzija: row.version,
        masina: row.host,
        od: server_text(row.started_at.to_jiff()),
        cuti_sekundi: row.silent,
        ziv: row.lives,
        zamenjen: row.replaced,
        mesta: row.slots,
        zauzeto: row.busy,
        praznjenje: row.drained,
        odmara: row.rests.as_deref().and_then(RestReason::from_name),
        skladiste_slobodno: row.store_free,
        kopija_kasni: row.replica_lag,
        redis: row.redis_ok,
        pulovi: row.pools,
    });
    Ok(told.collect())
}
