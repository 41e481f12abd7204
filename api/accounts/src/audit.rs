//! What leaves its trace in the log without changing a row: sign-in, log-out, looks at patients, refusals. Changes are logged by triggers.

use axum::{
    extract::{MatchedPath, Request},
    http::StatusCode,
};
use domain::caller;
use platform::error::HiddenPatient;
use serde::Serialize;
use serde_json::{Value, json};
use sqlx::{PgConnection, PgExecutor, PgPool};
use utoipa::ToSchema;

use crate::{auth::Actor, sessions::Device};

/// Signing in and out, as the log viewer names it.
#[derive(Debug, Clone, Copy)]
pub enum SessionDeed {
    SignedIn,
    SignInFailed,
    SignedOut,
    /// From another session.
    EndedElsewhere,
    EndedEverywhere,
    /// The password once more, for dangerous changes.
    Confirmed,
    ConfirmationFailed,
    /// By an account of the hospital's provider.
    SignedInExternally,
    ExternalSignInFailed,
    ConfirmedExternally,
    ExternalConfirmationFailed,
}

impl SessionDeed {
    fn akcija(self) -> &'static str {
        match self {
            Self::SignedIn => "prijava",
            Self::SignInFailed => "neuspešna prijava",
            Self::SignedOut => "odjava",
            Self::EndedElsewhere => "odjava druge prijave",
            Self::EndedEverywhere => "odjava svuda",
            Self::Confirmed => "potvrda lozinkom",
            Self::ConfirmationFailed => "neuspešna potvrda lozinkom",
            Self::SignedInExternally => "prijava spoljnim nalogom",
            Self::ExternalSignInFailed => "neuspešna prijava spoljnim nalogom",
            Self::ConfirmedExternally => "potvrda spoljnim nalogom",
            Self::ExternalConfirmationFailed => "neuspešna potvrda spoljnim nalogom",
        }
    }
}

/// What is done to an account's second step.
#[derive(Debug, Clone, Copy)]
pub enum AccountDeed {
    SecondFactorOn,
    SecondFactorOff,
    SecondFactorReset,
    RecoveryCodesRenewed,
}

impl AccountDeed {
    fn akcija(self) -> &'static str {
        match self {
            Self::SecondFactorOn => "prijava u dva koraka uključena",
            Self::SecondFactorOff => "prijava u dva koraka isključena",
            Self::SecondFactorReset => "prijava u dva koraka poništena",
            Self::RecoveryCodesRenewed => "novi rezervni kodovi",
        }
    }
}

/// Logs a deed of the worker, who is none when the account that was tried does not exist, and where it came from.
pub async fn session(db: &mut PgConnection, worker: Option<i64>, deed: SessionDeed, from: &Device) -> sqlx::Result<()> {
    log(db, worker, "session", deed.akcija(), worker, from).await
}

/// Logs what a worker does to an account, mostly the own one.
pub async fn account(db: &mut PgConnection, actor: &Actor, worker: i64, deed: AccountDeed, from: &Device) -> sqlx::Result<()> {
    log(db, Some(actor.radnik_id), "second_factor", deed.akcija(), Some(worker), from).await
}

async fn log(db: &mut PgConnection, by: Option<i64>, klasa: &str, akcija: &str, about: Option<i64>, from: &Device) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into audit_log (radnik_id, ustanova_id, adresa, klasa, akcija, red_id, opis)
         values ($1, (select ustanova_id from worker where id = $1), $5, $2, $3, $4::bigint::text, 'Adresa: ' || $5)",
        by,
        klasa,
        akcija,
        about,
        from.adresa.as_deref()
    )
    .execute(db)
    .await?;
    Ok(())
}

/// What a row of the log is about, for the API's description: the log itself keeps texts, since it has rows that other versions wrote.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LogClass {
    Access,
    AccessLog,
    Analysis,
    ArchiveFile,
    AttributeType,
    Cohort,
    ConsentText,
    DataExport,
    DataImport,
    Entry,
    EntryPrint,
    EnumItem,
    ExternalAccount,
    Form,
    FormBlock,
    FormDraft,
    FormField,
    ImportRecord,
    Institution,
    InstitutionLogo,
    MaintenanceRequest,
    Parameter,
    Patient,
    PatientConsent,
    PatientMerge,
    PatientMergeProposal,
    PatientPair,
    PatientPlan,
    PatientSearch,
    PatientStatus,
    PatientTaking,
    PatientTransfer,
    PeriodLock,
    PlannedVisit,
    Process,
    QualityFinding,
    QualityRule,
    QualityRun,
    Question,
    QuestionLetter,
    RecipientGroup,
    Recomputation,
    Register,
    Report,
    ReportCategory,
    ReportDefinition,
    ReportDelivery,
    ReportFormatLink,
    ReportParameter,
    ReportParameterType,
    ReportRun,
    ReportSchedule,
    ReportType,
    Role,
    RoleRight,
    SecondFactor,
    Session,
    Sponsor,
    UpgradeNote,
    VisitDigest,
    VisitPlan,
    VisitPlanVersion,
    WallDisplay,
    Warning,
    Worker,
    WorkerInstitution,
    WorkerRole,
}

/// In what way somebody looked; the database's `look_kind` tells it of a row of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum LookWay {
    Otvaranje,
    Pretraga,
    Spisak,
    Stampa,
    Izvoz,
    Izvestaj,
    Preuzimanje,
    Slanje,
    Izbor,
    Provera,
    Log,
    Odbijanje,
}

/// A look at patients, as the log keeps it. What it is called decides in what way it was one (`look_kind` of the database).
#[derive(Debug, Default)]
pub struct Look<'a> {
    pub klasa: &'a str,
    pub akcija: &'a str,
    pub red_id: Option<String>,
    pub opis: Option<String>,
    /// What it was asked by, and how much it showed, as `told` makes it.
    pub polja: Vec<Value>,
    /// Whom it showed; those who were kept back are not among them.
    pub pacijenti: &'a [i64],
}

/// A value of a look, as the log's fields are.
pub fn told(naziv: &str, nova: impl Into<Value>) -> Value {
    json!({ "naziv": naziv, "stara": null, "nova": nova.into() })
}

/// Writes a look at any number of patients, in their order: many find their places in the index twice as quickly. It is a part of the
/// answer: without the row there is none.
pub async fn look(db: impl PgExecutor<'_>, actor: &Actor, look: &Look<'_>) -> sqlx::Result<i64> {
    look_of(db, actor.radnik_id, actor.ustanova_id, look).await
}

/// As [`look`], of a worker in an institution.
pub async fn look_of(db: impl PgExecutor<'_>, worker: i64, institution: Option<i64>, look: &Look<'_>) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"
        with row as (
            insert into audit_log (radnik_id, ustanova_id, adresa, klasa, akcija, red_id, opis, polja) values ($1, $2, $3, $4, $5, $6, $7, $8)
            returning vreme_pristupa, id),
        shown as (
            insert into audit_log_patient (vreme_pristupa, log_id, pacijent_id)
            select row.vreme_pristupa, row.id, u.id from row, (select distinct unnest($9::bigint[]) order by 1) u (id))
        select id as "id!" from row
        "#,
        worker,
        institution,
        caller::current().adresa,
        look.klasa,
        look.akcija,
        look.red_id.as_deref(),
        look.opis.as_deref(),
        Value::Array(look.polja.clone()),
        look.pacijenti,
    )
    .fetch_one(db)
    .await
}

/// Logs that somebody looked at a patient or an entry; changes are logged by triggers.
pub async fn deed_on_patient(
    db: &mut PgConnection,
    actor: &Actor,
    klasa: &str,
    akcija: &str,
    red_id: i64,
    patient: i64,
) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into audit_log (radnik_id, ustanova_id, adresa, klasa, akcija, red_id, pacijent_id) values ($1, $2, $3, $4, $5, $6::bigint::text, $7)",
        actor.radnik_id,
        actor.ustanova_id,
        caller::current().adresa,
        klasa,
        akcija,
        red_id,
        patient,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Logs that a version of something that is configured went live; what it changes is logged by triggers.
pub async fn published(db: &mut PgConnection, actor: &Actor, klasa: &str, red_id: i64, opis: &str) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into audit_log (radnik_id, ustanova_id, adresa, klasa, akcija, red_id, opis) values ($1, $2, $3, $4, 'objavljivanje', $5::bigint::text, $6)",
        actor.radnik_id,
        actor.ustanova_id,
        caller::current().adresa,
        klasa,
        red_id,
        opis,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Logs a look at the patient's data, unless the worker has looked from there within ten minutes: one screen asks for the data in parts.
pub async fn look_at_patient(db: &mut PgConnection, actor: &Actor, patient: i64) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into audit_log (radnik_id, ustanova_id, adresa, klasa, akcija, red_id, pacijent_id)
         select $1::bigint, $2, $3::text, 'patient', 'pregled', $4::bigint::text, $4
          where not exists (select from audit_log
                             where radnik_id = $1 and pacijent_id = $4 and akcija like 'pregled%' and adresa is not distinct from $3
                               and ustanova_id is not distinct from $2 and vreme_pristupa > now() - interval '10 minutes')",
        actor.radnik_id,
        actor.ustanova_id,
        caller::current().adresa,
        patient,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// A call as a refusal of it is logged.
pub struct Call {
    /// Method and route; never what stood in the query.
    opis: String,
    /// The patient whom the path names.
    pacijent: Option<i64>,
}

impl Call {
    pub fn of(request: &Request) -> Self {
        let route = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
        let named = route.starts_with("/api/patients/{id}").then(|| request.uri().path().split('/').nth(3)?.parse().ok()).flatten();
        Self { opis: format!("{} {route}", request.method()), pacijent: named }
    }

    /// Logs that the worker was refused: an answer of 403, or of 404 where a patient is hidden.
    pub async fn refused(&self, db: &PgPool, actor: &Actor, status: StatusCode, hidden: Option<HiddenPatient>) -> sqlx::Result<()> {
        if hidden.is_none() && status != StatusCode::FORBIDDEN {
            return Ok(());
        }
        let hidden = hidden.map(|patient| patient.0);
        sqlx::query!(
            "insert into audit_log (radnik_id, ustanova_id, adresa, klasa, akcija, opis, pacijent_id)
             values ($1, $2, $3, 'access', 'odbijanje', $4, (select id from patient where id = $5))",
            actor.radnik_id,
            actor.ustanova_id,
            caller::current().adresa,
            self.opis,
            hidden.or(self.pacijent),
        )
        .execute(db)
        .await?;
        Ok(())
    }
}
