//! What a report is made of, written in the product: its query and its template in versions, checked, and one of them live. A report
//! without a live version is made from the files of the repository, which the designer opens as version 0.

pub(crate) mod check;
mod guide;
mod kept;
mod months;
pub(crate) mod simple;
pub(crate) mod store;
mod trial;

use accounts::{auth::Actor, rights::Allowed};
use axum::{extract::State, http::StatusCode};
use configuration::crud::{ReadAccess, WriteAccess};
use domain::{
    report_sql::{ReportSqlError, Scope},
    text,
    time::server_text,
};
use platform::{
    error::{Error, Result},
    extract::{Json, Path},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::setup::report::Report;

use check::Check;
use kept::{SavedReportVersion, keep};
use store::{NewVersion, Texts, VersionHead};

pub fn routes() -> Routes {
    Routes::new()
        .routes(routes!(design))
        .routes(routes!(version))
        .routes(routes!(save))
        .routes(routes!(check_texts))
        .routes(routes!(publish))
        .merge(guide::routes())
        .merge(simple::routes())
        .merge(trial::routes())
}

/// Where a report stands with its designers.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReportDesign {
    id: i64,
    naziv: String,
    /// `ustanova` or `sve`.
    obim: String,
    /// The register whose data the report reads; none: any.
    #[serde(rename = "registarID")]
    registar_id: Option<i64>,
    jasper_fajl: String,
    /// Whether it has files, which are version 0.
    ima_fajl: bool,
    /// The live version; 0: the files.
    objavljena: i32,
    /// The newest version, on which the next one is written; 0: there is none yet.
    poslednja: i32,
    /// Newest first, without their texts.
    verzije: Vec<ReportVersion>,
    /// The names that its query may use with a colon.
    parametri: Vec<ReportBind>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReportVersion {
    broj: i32,
    nacin: Origin,
    radnik: String,
    vreme: String,
    napomena: Option<String>,
}

/// How a version came to be.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[schema(as = ReportVersionOrigin)]
#[serde(rename_all = "camelCase")]
enum Origin {
    /// Chosen, in place of being written.
    Jednostavan,
    /// Typed, where the version before was chosen.
    PretvorenUSql,
    Sql,
}

impl ReportVersion {
    /// Newest first, as they came.
    fn all(heads: Vec<VersionHead>) -> Vec<Self> {
        let before: Vec<bool> = heads.iter().skip(1).map(|head| head.izabrana).chain([false]).collect();
        let origin = |izabrana, before| match (izabrana, before) {
            (true, _) => Origin::Jednostavan,
            (false, true) => Origin::PretvorenUSql,
            (false, false) => Origin::Sql,
        };
        let version = |(head, before): (VersionHead, bool)| Self {
            broj: head.broj,
            nacin: origin(head.izabrana, before),
            radnik: head.radnik,
            vreme: server_text(head.vreme.to_jiff()),
            napomena: head.napomena,
        };
        heads.into_iter().zip(before).map(version).collect()
    }
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReportBind {
    request_naziv: String,
    naziv: String,
}

#[utoipa::path(get, path = "/api/reports/{id}/definition", tag = "izvestaji", params(("id" = i64, Path)), responses((status = 200, body = ReportDesign)))]
async fn design(State(state): State<AppState>, _: Allowed<ReadAccess<Report>>, Path(id): Path<i64>) -> Result<Json<ReportDesign>> {
    let report = store::Report::find(&state.db, id).await?;
    let verzije = store::versions(&state.db, id).await?;
    let parametri = store::parameters(&state.db, id).await?;
    Ok(Json(ReportDesign {
        id,
        ima_fajl: store::file_texts(&state, &report.jasper_fajl).await?.is_some(),
        poslednja: verzije.first().map_or(0, |newest| newest.broj),
        verzije: ReportVersion::all(verzije),
        parametri: parametri.into_iter().map(|(request_naziv, naziv)| ReportBind { request_naziv, naziv }).collect(),
        naziv: report.naziv,
        obim: report.obim,
        registar_id: report.registar_id,
        jasper_fajl: report.jasper_fajl,
        objavljena: report.objavljena,
    }))
}

/// The texts of a version; of 0, those of the files.
#[derive(Serialize, ToSchema)]
struct ReportVersionTexts {
    #[serde(flatten)]
    texts: Texts,
    /// What they were made of, where they were not typed: as a body of `simple-definitions` has it.
    izbor: Option<serde_json::Value>,
}

#[utoipa::path(get, path = "/api/reports/{id}/definitions/{broj}", tag = "izvestaji", params(("id" = i64, Path), ("broj" = i32, Path)), responses((status = 200, body = ReportVersionTexts)))]
async fn version(
    State(state): State<AppState>,
    _: Allowed<ReadAccess<Report>>,
    Path((id, broj)): Path<(i64, i32)>,
) -> Result<Json<ReportVersionTexts>> {
    let report = store::Report::find(&state.db, id).await?;
    let texts = store::texts(&state, &report, broj).await?;
    Ok(Json(ReportVersionTexts { texts, izbor: store::izbor(&state.db, id, broj).await? }))
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NewReportVersion {
    #[serde(flatten)]
    texts: Texts,
    /// What was changed, for those who look later.
    #[serde(default, deserialize_with = "text::optional")]
    napomena: Option<String>,
    /// The newest version when the writing began: somebody else's newer one is not written over.
    osnova: i32,
}

/// Keeps the texts as a new version, with whatever faults they have; the same texts again are the same version.
#[utoipa::path(post, path = "/api/reports/{id}/definitions", tag = "izvestaji", params(("id" = i64, Path)), request_body = NewReportVersion,
    responses((status = 200, body = SavedReportVersion), (status = 409, description = "Neko je u međuvremenu snimio noviju verziju")))]
async fn save(
    State(state): State<AppState>,
    actor: Allowed<WriteAccess<Report>>,
    Path(id): Path<i64>,
    Json(new): Json<NewReportVersion>,
) -> Result<Json<SavedReportVersion>> {
    new.texts.refuse_too_long()?;
    let report = store::Report::find(&state.db, id).await?;
    let version = NewVersion { texts: &new.texts, izbor: None, napomena: new.napomena.as_deref(), osnova: new.osnova, period: false };
    keep(&state, &actor, &report, version).await
}

/// Refuses to try a version out that would show patients without saying whom.
async fn refuse_untraceable(state: &AppState, actor: &Actor, id: i64, broj: i32) -> Result<()> {
    let report = store::Report::find(&state.db, id).await?;
    let texts = store::texts(state, &report, broj).await?;
    check::check(state, actor, &report, &texts).await?.refuse_untraceable()
}

/// Why the report, as it is live, would be refused in this scope.
pub async fn refusal(state: &AppState, actor: &Actor, scope: Scope, id: i64) -> Result<Option<ReportSqlError>> {
    let report = store::Report::find(&state.db, id).await?;
    match store::texts(state, &report, report.objavljena).await {
        Ok(texts) => check::refusal(state, actor, scope, &report, &texts.upit).await,
        Err(Error::NotFound) => Ok(None),
        Err(error) => Err(error),
    }
}

/// What is wrong with the texts as they are typed; nothing is kept.
#[utoipa::path(post, path = "/api/reports/{id}/definition-check", tag = "izvestaji", params(("id" = i64, Path)), request_body = Texts, responses((status = 200, body = Check)))]
async fn check_texts(
    State(state): State<AppState>,
    actor: Allowed<WriteAccess<Report>>,
    Path(id): Path<i64>,
    Json(texts): Json<Texts>,
) -> Result<Json<Check>> {
    texts.refuse_too_long()?;
    let report = store::Report::find(&state.db, id).await?;
    check::check(&state, &actor, &report, &texts).await.map(Json)
}

#[derive(Deserialize, ToSchema)]
struct PublishReportVersion {
    /// The version that is live now, as the designer saw it.
    objavljena: i32,
}

/// Makes a version live, an older one too: the next run is made from it. One with faults stays a draft.
#[utoipa::path(post, path = "/api/reports/{id}/definitions/{broj}/publish", tag = "izvestaji", params(("id" = i64, Path), ("broj" = i32, Path)),
    request_body = PublishReportVersion,
    responses((status = 204), (status = 409, description = "Neko je u međuvremenu objavio drugu"), (status = 422, description = "Ima grešaka")))]
async fn publish(
    State(state): State<AppState>,
    actor: Allowed<WriteAccess<Report>>,
    Path((id, broj)): Path<(i64, i32)>,
    Json(request): Json<PublishReportVersion>,
) -> Result<StatusCode> {
    let report = store::Report::find(&state.db, id).await?;
    let texts = store::texts(&state, &report, broj).await?;
    check::check(&state, &actor, &report, &texts).await?.refuse_faults(broj)?;
    store::publish(&state, actor.radnik_id, id, broj, request.objavljena).await?;
    Ok(StatusCode::NO_CONTENT)
}
