//! Generated reports: what became of each run of the worker, and its deletion. One run is shown to its recipients as well.

use accounts::{
    auth::Actor,
    rights::{Allowed, Reports, Right},
};
use axum::{extract::State, http::StatusCode};
use domain::{
    db, report_screen,
    runs::RunStatus,
    time::{clock_text, server_text},
};
use platform::{
    error::{Error, Result},
    extract::{Json, Path, Query},
    page::{Page, Paging},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::{PgPool, types::Json as Jsonb};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::{
    access::{self, Reader},
    fault::{self, Detail, ReportQueryFault},
    readers::{self, RunRecipient},
    trail::{self, ReportAction, Subject},
    values::DescribedValue,
};

/// An engine always says why; a row without a reason was written by hand.
const UNEXPLAINED: &str = "Generisanje izveštaja nije uspelo.";

pub fn routes() -> Routes {
    Routes::new().routes(routes!(list)).routes(routes!(find, delete))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReportRun {
    #[serde(rename = "giID")]
    gi_id: Uuid,
    #[serde(rename = "izvestajID")]
    izvestaj_id: i64,
    naziv: String,
    parametri: Vec<DescribedValue>,
    /// When the files were made; until then, when they were asked for.
    vreme_generisanja: String,
    status: RunStatus,
    /// query, render, store
    faza: Option<String>,
    redova: Option<i64>,
    skraceno: bool,
    /// What its files say beside their rows.
    napomene: Vec<String>,
    greska: Option<RunError>,
    /// What can be downloaded now.
    formats: Vec<RunFormat>,
    /// It can be read on the screen: now, or from its first lines on while it is under way.
    ekran: bool,
    #[serde(rename = "zakazivanjeID")]
    zakazivanje_id: Option<i64>,
    /// When its schedule was to make it; none where nothing was planned.
    zakazano_za: Option<RunDue>,
    pocetak: Option<String>,
    kraj: Option<String>,
    istice: Option<String>,
    /// To whom it was to be mailed.
    emails: Vec<String>,
    /// Who was meant to read it; shown to the requester.
    primaoci: Vec<RunRecipient>,
    /// Every mail about it.
    isporuke: Vec<RunDelivery>,
    /// Asked to stop, and not stopped yet.
    otkazivanje: bool,
    /// The engine's last sign of life.
    poslednji_otkucaj: Option<String>,
    /// The institution whose data it shows, and who asked for it.
    ustanova: String,
    trazio: String,
    /// Whether the reader is who asked; a recipient sees neither deliveries nor other readers.
    moj: bool,
    /// Why its files cannot be had any more: the reader has left the institution.
    nedostupno: Option<String>,
    /// Who took a file of it, and when last.
    preuzimanja: Vec<RunReading>,
    /// The version of the report that it was made from, 0 of its files; told to who configures reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    verzija: Option<i32>,
}

/// A moment by the clock of the zone in which it was due, whatever the schedule's is now.
#[derive(Serialize, ToSchema)]
struct RunDue {
    vreme: String,
    zona: String,
}

#[derive(Serialize, ToSchema)]
struct RunError {
    kod: String,
    tekst: String,
    /// What the database said of the query; told to who configures reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    upit: Option<ReportQueryFault>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RunFormat {
    naziv_kratki: String,
    bytes: i64,
}

#[derive(Serialize, ToSchema)]
struct RunDelivery {
    adresa: String,
    /// pending, sending, sent, failed, uncertain
    status: String,
    /// What the mail server said.
    poruka: Option<String>,
    vreme: Option<String>,
}

#[derive(Serialize, ToSchema)]
struct RunReading {
    radnik: String,
    vreme: String,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct RunFilter {
    /// Runs of this report only.
    izvestaj: Option<i64>,
}

#[utoipa::path(get, path = "/api/report-runs", tag = "izvestaji", params(RunFilter, Paging), responses((status = 200, body = Page<ReportRun>)))]
async fn list(
    State(state): State<AppState>,
    actor: Allowed<Reports>,
    Query(filter): Query<RunFilter>,
    Query(paging): Query<Paging>,
) -> Result<Json<Page<ReportRun>>> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "total!" from report_run
            where radnik_id = $1 and deleted_at is null and izvestaj_id is not null and not proba and ($2::bigint is null or izvestaj_id = $2)"#,
        actor.radnik_id,
        filter.izvestaj
    )
    .fetch_one(&state.db)
    .await?;
    let data =
        load(&state.db, &actor, RunSelection::Own { report: filter.izvestaj, limit: paging.limit(), offset: paging.offset() }).await?;
    Ok(Json(Page::of(data, total)))
}

/// To its recipients, the run and only that.
#[utoipa::path(get, path = "/api/report-runs/{id}", tag = "izvestaji", params(("id" = Uuid, Path)), responses((status = 200, body = ReportRun), (status = 403, description = "Nema pravo ili ustanovu izveštaja"), (status = 410, description = "Istekao")))]
async fn find(State(state): State<AppState>, reader: Reader, Path(id): Path<Uuid>) -> Result<Json<ReportRun>> {
    access::open(&state.db, &reader, id).await?;
    readers::opened(&state.db, reader.radnik_id, id).await?;
    load(&state.db, &reader, RunSelection::One(id)).await?.pop().map(Json).ok_or(Error::NotFound)
}

/// Hides an ended run from its worker; its files go with the next clean-up.
#[utoipa::path(delete, path = "/api/report-runs/{id}", tag = "izvestaji", params(("id" = Uuid, Path)), responses((status = 204), (status = 409, description = "Još se izvršava")))]
async fn delete(State(state): State<AppState>, actor: Allowed<Reports>, Path(id): Path<Uuid>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let run = OwnRun::lock(&mut tx, actor.radnik_id, id).await?;
    if run.is_open() {
        return Err(Error::conflict("Izveštaj se još izvršava. Prvo otkažite generisanje."));
    }
    sqlx::query!("update report_run set deleted_at = now(), expires_at = least(expires_at, now()) where id = $1", id)
        .execute(&mut *tx)
        .await?;
    trail::record(&mut tx, actor.radnik_id, ReportAction::Delete, &run.subject(id), None).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A run that the worker owns, locked until the transaction ends.
pub struct OwnRun {
    pub izvestaj_id: i64,
    pub status: RunStatus,
    parametri: serde_json::Value,
    parametri_opis: Jsonb<Vec<DescribedValue>>,
}

impl OwnRun {
    /// Another worker's run, a deleted one, or one that prints an entry does not exist here.
    pub async fn lock(tx: &mut sqlx::PgConnection, worker: i64, id: Uuid) -> Result<Self> {
        sqlx::query_as!(
            Self,
            r#"select izvestaj_id as "izvestaj_id!", status as "status: RunStatus", parametri, parametri_opis as "parametri_opis: _" from report_run
                where id = $1 and radnik_id = $2 and deleted_at is null and izvestaj_id is not null for no key update"#,
            id,
            worker
        )
        .fetch_optional(tx)
        .await?
        .ok_or(Error::NotFound)
    }

    pub fn is_open(&self) -> bool {
        self.status.is_open()
    }

    pub fn subject(&self, id: Uuid) -> Subject<'_> {
        Subject {
            klasa: "report_run",
            red_id: id.to_string(),
            izvestaj_id: self.izvestaj_id,
            parametri: &self.parametri,
            opis: &self.parametri_opis,
        }
    }
}

/// Which runs to read.
enum RunSelection {
    /// The reader's own, of one report or of all.
    Own { report: Option<i64>, limit: i64, offset: i64 },
    /// One that the reader may open.
    One(Uuid),
}

/// Runs as the reader may see them, newest first.
async fn load(db: &PgPool, reader: &Actor, wanted: RunSelection) -> Result<Vec<ReportRun>> {
    let (report, id, limit, offset) = match wanted {
        RunSelection::Own { report, limit, offset } => (report, None, limit, offset),
        RunSelection::One(id) => (None, Some(id), 1, 0),
    };
    let rows = sqlx::query!(
        r#"select r.id, r.radnik_id, p.id as izvestaj_id, p.naziv, r.parametri_opis as "parametri_opis: Jsonb<Vec<DescribedValue>>", r.status as "status: RunStatus", r.stage, r.rows_done,
                  r.truncated, r.napomene, r.status in ('queued', 'running') and 'EKRAN' = any (r.formati) as "ceka_ekran!", r.error_code, r.error_text, r.error_detail as "error_detail: Jsonb<Detail>", r.zakazivanje_id,
                  r.fire_local as "fire_local: jiff_sqlx::DateTime", coalesce(r.fire_zone, s.vremenska_zona) as fire_zone, r.created_at, r.started_at, r.finished_at, r.expires_at,
                  r.status in ('queued', 'running') and r.cancel_requested_at is not null as "otkazivanje!",
                  r.expires_at > now() as nije_istekao, r.heartbeat_at, r.emails, u.naziv as ustanova, t.ime || ' ' || t.prezime as "trazio!",
                  works_at($1, r.ustanova_id) as "radi_u_ustanovi!",
                  case when r.definicija_id is not null then (select d.broj from report_definition d where d.id = r.definicija_id)
                       when r.template_sha is not null then 0 end as verzija
             from report_run r
             join report p on p.id = r.izvestaj_id
             join institution u on u.id = r.ustanova_id
             join worker t on t.id = r.radnik_id
             left join report_schedule s on s.id = r.zakazivanje_id
            where r.deleted_at is null and ($2::bigint is null or r.izvestaj_id = $2)
              and case when $3::uuid is null then r.radnik_id = $1 and not r.proba else r.id = $3 end
            order by r.created_at desc, r.id desc limit $4 offset $5"#,
        reader.radnik_id,
        report,
        id,
        limit,
        offset
    )
    .fetch_all(db)
    .await?;
    let configures = reader.require(Right::ReportSetup).is_ok();
    let live: Vec<Uuid> = rows.iter().filter(|row| row.nije_istekao == Some(true) && row.radi_u_ustanovi).map(|row| row.id).collect();
    let own: Vec<Uuid> = rows.iter().filter(|row| row.radnik_id == reader.radnik_id).map(|row| row.id).collect();
    let mut formats = formats(db, &live).await?;
    let screens: Vec<Uuid> =
        formats.extract_if(.., |(_, format)| format.naziv_kratki == report_screen::FORMAT).map(|(run, _)| run).collect();
    let mut deliveries = deliveries(db, &own).await?;
    let mut readings = readings(db, &own).await?;
    let mut recipients = readers::of_runs(db, &own).await?;
    Ok(rows
        .into_iter()
        .map(|row| ReportRun {
            gi_id: row.id,
            izvestaj_id: row.izvestaj_id,
            naziv: row.naziv,
            // What was asked for may name a patient of an institution that the reader has left.
            parametri: if row.radi_u_ustanovi { row.parametri_opis.0 } else { Vec::new() },
            vreme_generisanja: server_text(row.finished_at.unwrap_or(row.created_at).to_jiff()),
            status: row.status,
            faza: row.stage,
            redova: row.rows_done,
            skraceno: row.truncated,
            napomene: row.napomene,
            greska: row.error_code.map(|kod| RunError {
                kod,
                tekst: row.error_text.unwrap_or_else(|| UNEXPLAINED.to_owned()),
                upit: fault::for_author(reader, row.error_detail),
            }),
            formats: take(&mut formats, row.id),
            ekran: row.ceka_ekran || screens.contains(&row.id),
            zakazivanje_id: row.zakazivanje_id,
            zakazano_za: row.fire_local.zip(row.fire_zone).map(|(at, zona)| RunDue { vreme: clock_text(at.to_jiff()), zona }),
            pocetak: row.started_at.map(|at| server_text(at.to_jiff())),
            kraj: row.finished_at.map(|at| server_text(at.to_jiff())),
            istice: row.expires_at.map(|at| server_text(at.to_jiff())),
            emails: if row.radnik_id == reader.radnik_id { row.emails } else { Vec::new() },
            primaoci: take(&mut recipients, row.id),
            isporuke: take(&mut deliveries, row.id),
            otkazivanje: row.otkazivanje,
            poslednji_otkucaj: row.heartbeat_at.map(|at| server_text(at.to_jiff())),
            nedostupno: (!row.radi_u_ustanovi)
                .then(|| format!("Niste više radnik ustanove „{}”, pa njene izveštaje ne možete da preuzmete.", row.ustanova)),
            ustanova: row.ustanova,
            trazio: row.trazio,
            moj: row.radnik_id == reader.radnik_id,
            preuzimanja: take(&mut readings, row.id),
            verzija: row.verzija.filter(|_| configures),
        })
        .collect())
}

/// Who took a file of these runs, each worker once.
async fn readings(db: &PgPool, runs: &[Uuid]) -> Result<Vec<(Uuid, RunReading)>> {
    let ids: Vec<String> = runs.iter().map(Uuid::to_string).collect();
    let rows = sqlx::query!(
        r#"select l.red_id::uuid as "run_id!", w.ime || ' ' || w.prezime as "radnik!", max(l.vreme_pristupa) as "vreme!"
             from audit_log l join worker w on w.id = l.radnik_id
            where l.klasa = 'report_run' and l.akcija = 'preuzimanje' and l.red_id = any($1)
            group by l.red_id, w.id, w.ime, w.prezime order by 3"#,
        &ids
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.run_id, RunReading { radnik: row.radnik, vreme: server_text(row.vreme.to_jiff()) })).collect())
}

async fn formats(db: &PgPool, runs: &[Uuid]) -> Result<Vec<(Uuid, RunFormat)>> {
    let rows = sqlx::query!(
        "select a.run_id, a.format, a.bytes from report_artifact a left join report_format f on f.naziv_kratki = a.format
          where a.run_id = any($1) order by f.id, a.format",
        runs
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.run_id, RunFormat { naziv_kratki: row.format, bytes: row.bytes })).collect())
}

async fn deliveries(db: &PgPool, runs: &[Uuid]) -> Result<Vec<(Uuid, RunDelivery)>> {
    let rows = sqlx::query!(
        r#"select run_id as "run_id!", address, status, smtp_text, sent_at from report_delivery where run_id = any($1) order by id"#,
        runs
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let vreme = row.sent_at.map(|at| server_text(at.to_jiff()));
            (row.run_id, RunDelivery { adresa: row.address, status: row.status, poruka: row.smtp_text, vreme })
        })
        .collect())
}

fn take<T>(of_runs: &mut Vec<(Uuid, T)>, run: Uuid) -> Vec<T> {
    of_runs.extract_if(.., |(id, _)| *id == run).map(|(_, item)| item).collect()
}
