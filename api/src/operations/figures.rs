//! Counts of the queue, of mail, of failures and of schedules, as the database has them now: for the screen and for Prometheus alike.

use domain::{runs::FailureCode, time::server_text};
use jiff_sqlx::Timestamp;
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;

/// What waits for an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum WaitingKind {
    Interactive,
    Scheduled,
    Print,
    Export,
    Trial,
    Mail,
    Recompute,
    Quality,
}

impl WaitingKind {
    /// As figures name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Interactive => "interactive",
            Self::Scheduled => "scheduled",
            Self::Print => "print",
            Self::Export => "export",
            Self::Trial => "trial",
            Self::Mail => "mail",
            Self::Recompute => "recompute",
            Self::Quality => "quality",
        }
    }
}

/// What waits in one queue.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Waiting {
    pub vrsta: WaitingKind,
    pub ceka: i64,
    pub izvrsava_se: i64,
    /// Seconds since the first of them should have happened, however often it was tried since.
    pub najstarije_sekundi: Option<f64>,
}

/// A cause of failed runs of the last 24 hours.
#[derive(Serialize, ToSchema)]
pub struct Cause {
    /// None: a newer engine wrote it, which knows more causes.
    pub sifra: Option<FailureCode>,
    pub broj: i64,
}

/// Deliveries by what became of them.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MailFigures {
    pub ceka: i64,
    pub salje_se: i64,
    /// Of the last 24 hours, as the next two.
    pub poslato: i64,
    /// The server refused them for good.
    pub odbijeno: i64,
    /// Attempts ended without an answer that decides.
    pub odustalo: i64,
    /// The server may have taken them; they are not repeated any more.
    pub neizvesno: i64,
}

/// The mail server as the engines last found it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MailServer {
    pub radi: bool,
    /// Since when it is down.
    pub ne_radi_od: Option<String>,
    /// And for how many seconds.
    pub ne_radi_sekundi: Option<f64>,
    /// Its last answer, without addresses.
    pub odgovor: Option<String>,
    /// When it last took or refused a message, or let an engine in.
    pub odgovorio: Option<String>,
    pub provereno: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FireFigures {
    pub sledece: Option<String>,
    pub poslednje: Option<String>,
    /// Schedules whose moment has passed, and by how many seconds the first.
    pub dospelo: i64,
    pub kasni_sekundi: f64,
    pub pauzirano: i64,
}

/// The last backup that was made of this database.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LastBackup {
    /// The instant whose data it holds, and how many seconds ago that was.
    pub snimljeno_od: String,
    pub stara_sekundi: f64,
    pub bajtova: i64,
    /// Files that the database names and the store did not have.
    pub nedostaje: i32,
}

pub async fn last_backup(db: &PgPool) -> sqlx::Result<Option<LastBackup>> {
    let row = sqlx::query!(
        r#"select snimljeno_od as "snimljeno_od: Timestamp", extract(epoch from clock_timestamp() - snimljeno_od)::float8 as "age!", bajtova, nedostaje
             from backup_made order by id desc limit 1"#
    );
    Ok(row.fetch_optional(db).await?.map(|row| LastBackup {
        snimljeno_od: server_text(row.snimljeno_od.to_jiff()),
        stara_sekundi: row.age,
        bajtova: row.bajtova,
        nedostaje: row.nedostaje,
    }))
}

/// Every kind is there, also when nothing of it waits.
pub async fn waiting(db: &PgPool) -> sqlx::Result<Vec<Waiting>> {
    let runs = sqlx::query_as!(
        Waiting,
        r#"with open as (
               select case when unos_id is not null then 'print' when izvoz_id is not null then 'export' when proba then 'trial' else queue end as kind, status,
                      coalesce(due_at, created_at) as since
                 from report_run where status in ('queued', 'running'))
           select k.kind as "vrsta!: WaitingKind", count(*) filter (where o.status = 'queued') as "ceka!", count(*) filter (where o.status = 'running') as "izvrsava_se!",
                  extract(epoch from clock_timestamp() - min(o.since) filter (where o.status = 'queued'))::float8
                      as najstarije_sekundi
             from unnest(array['interactive', 'scheduled', 'print', 'export', 'trial']) with ordinality k (kind, place) left join open o on o.kind = k.kind
            group by k.kind, k.place order by k.place"#
    )
    .fetch_all(db)
    .await?;
    let mail = sqlx::query_as!(
        Waiting,
        r#"select 'mail' as "vrsta!: WaitingKind", count(*) filter (where status <> 'sending') as "ceka!",
                  count(*) filter (where status = 'sending') as "izvrsava_se!",
                  extract(epoch from clock_timestamp() - min(created_at) filter (where status <> 'sending' or attempts > 1))::float8
                      as najstarije_sekundi
             from report_delivery where status in ('pending', 'sending', 'uncertain') and next_attempt_at < 'infinity'"#
    )
    .fetch_one(db)
    .await?;
    let recomputations = sqlx::query_as!(
        Waiting,
        r#"select 'recompute' as "vrsta!: WaitingKind", count(*) filter (where status = 'queued') as "ceka!",
                  count(*) filter (where status = 'running') as "izvrsava_se!",
                  extract(epoch from clock_timestamp() - min(vreme_kreiranja) filter (where status = 'queued'))::float8
                      as najstarije_sekundi
             from recomputation where status in ('queued', 'running')"#
    )
    .fetch_one(db)
    .await?;
    let quality = sqlx::query_as!(
        Waiting,
        r#"select 'quality' as "vrsta!: WaitingKind", count(*) filter (where status = 'queued') as "ceka!",
                  count(*) filter (where status = 'running') as "izvrsava_se!",
                  extract(epoch from clock_timestamp() - min(vreme_kreiranja) filter (where status = 'queued'))::float8
                      as najstarije_sekundi
             from quality_run where status in ('queued', 'running')"#
    )
    .fetch_one(db)
    .await?;
    Ok(runs.into_iter().chain([mail, recomputations, quality]).collect())
}

pub async fn causes(db: &PgPool) -> sqlx::Result<Vec<Cause>> {
    let rows = sqlx::query!(
        r#"select error_code, count(*) as "count!" from report_run
            where status = 'failed' and finished_at > now() - interval '24 hours' group by 1 order by 2 desc, 1"#
    )
    .fetch_all(db)
    .await?;
    let cause = |code: Option<String>| code.as_deref().and_then(FailureCode::from_name);
    Ok(rows.into_iter().map(|row| Cause { sifra: cause(row.error_code), broj: row.count }).collect())
}

pub async fn mail(db: &PgPool) -> sqlx::Result<MailFigures> {
    sqlx::query_as!(
        MailFigures,
        r#"select open.ceka as "ceka!", open.salje_se as "salje_se!", open.neizvesno as "neizvesno!", sent.poslato as "poslato!",
                  failed.odbijeno as "odbijeno!", failed.odustalo as "odustalo!"
             from (select count(*) filter (where status <> 'sending' and next_attempt_at < 'infinity') as ceka,
                          count(*) filter (where status = 'sending') as salje_se,
                          count(*) filter (where status = 'uncertain' and next_attempt_at = 'infinity') as neizvesno
                     from report_delivery where status in ('pending', 'sending', 'uncertain')) open,
                  (select count(*) as poslato from report_delivery where status = 'sent' and sent_at > now() - interval '24 hours') sent,
                  (select count(*) filter (where smtp_code >= 500) as odbijeno, count(*) filter (where smtp_code is null or smtp_code < 500) as odustalo
                     from report_delivery where status = 'failed' and next_attempt_at > now() - interval '24 hours') failed"#
    )
    .fetch_one(db)
    .await
}

pub async fn mail_server(db: &PgPool) -> sqlx::Result<MailServer> {
    let row = sqlx::query!(
        r#"select down_since as "down_since: Timestamp", extract(epoch from clock_timestamp() - down_since)::float8 as down_seconds,
                  nullif(concat_ws(' ', code, answer), '') as answer, answered_at as "answered_at: Timestamp", checked_at as "checked_at: Timestamp"
             from mail_server"#
    )
    .fetch_one(db)
    .await?;
    Ok(MailServer {
        radi: row.down_since.is_none(),
        ne_radi_od: row.down_since.map(|at| server_text(at.to_jiff())),
        ne_radi_sekundi: row.down_seconds,
        odgovor: row.answer,
        odgovorio: row.answered_at.map(|at| server_text(at.to_jiff())),
        provereno: server_text(row.checked_at.to_jiff()),
    })
}

pub async fn fires(db: &PgPool) -> sqlx::Result<FireFigures> {
    let row = sqlx::query!(
        r#"select min(sledece_izvrsavanje) as "sledece: Timestamp",
                  (select max(created_at) from report_run where zakazivanje_id is not null and created_at > now() - interval '40 days') as "poslednje: Timestamp",
                  count(*) filter (where sledece_izvrsavanje <= clock_timestamp()) as "dospelo!",
                  greatest(0, coalesce(extract(epoch from clock_timestamp() - min(sledece_izvrsavanje)), 0))::float8 as "kasni_sekundi!",
                  count(*) filter (where pauzirano_od is not null) as "pauzirano!"
             from report_schedule where aktivan"#
    )
    .fetch_one(db)
    .await?;
    Ok(FireFigures {
        sledece: row.sledece.map(|at| server_text(at.to_jiff())),
        poslednje: row.poslednje.map(|at| server_text(at.to_jiff())),
        dospelo: row.dospelo,
        kasni_sekundi: row.kasni_sekundi,
        pauzirano: row.pauzirano,
    })
}
