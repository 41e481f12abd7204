//! A designer's trial of a version that others are not shown: the first rows, in every format, by the ordinary queue and with the rights
//! and the institution of any run of hers. It stands in no list and is mailed to nobody; what the database said of its query is told to
//! whoever configures reports, and to no other.

use accounts::rights::Allowed;
use axum::{extract::State, http::StatusCode};
use configuration::crud::WriteAccess;
use domain::{recipients::ChosenRecipients, runs::RunStatus};
use platform::{
    error::{Error, Result},
    extract::{Json, Path},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::types::Json as Jsonb;
use utoipa::ToSchema;
use uuid::Uuid;

use super::refuse_untraceable;
use crate::{
    reports::{
        definition::Report,
        fault::Detail,
        queue::{ReportAccepted, ReportOrder, check, run_now},
        timing::Timing,
        values::{Moment, SentValue, SentValues},
    },
    setup::report,
};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(try_out)).routes(routes!(find))
}

#[derive(Deserialize, ToSchema)]
struct ReportTrial {
    #[serde(default)]
    #[schema(value_type = std::collections::BTreeMap<String, SentValue>)]
    parametri: SentValues,
    /// The register that the worker has chosen, for reports of any register.
    #[serde(rename = "registarID")]
    registar_id: Option<i64>,
    /// The same key sent twice makes one run.
    kljuc: Option<Uuid>,
}

#[utoipa::path(post, path = "/api/reports/{id}/definitions/{broj}/trial", tag = "izvestaji", params(("id" = i64, Path), ("broj" = i32, Path)),
    request_body = ReportTrial, responses((status = 202, body = ReportAccepted), (status = 422, description = "Polje i poruka")))]
async fn try_out(
    State(state): State<AppState>,
    actor: Allowed<WriteAccess<report::Report>>,
    Path((id, broj)): Path<(i64, i32)>,
    Json(request): Json<ReportTrial>,
) -> Result<(StatusCode, Json<ReportAccepted>)> {
    let version = sqlx::query!("select id, upit from report_definition where izvestaj_id = $1 and broj = $2", id, broj)
        .fetch_optional(&state.db)
        .await?
        .ok_or(Error::NotFound)?;
    refuse_untraceable(&state, &actor, id, broj).await?;
    let report = Report::in_design(&state.db, actor.radnik_id, id, Some(version.upit)).await?;
    let wish = ReportOrder {
        ustanova_id: actor.ustanova()?,
        registar_id: request.registar_id,
        parametri: request.parametri,
        primaoci: ChosenRecipients::default(),
        formati: None,
        moment: Moment::Now(state.today()),
        kada: Timing::default(),
        kljuc: request.kljuc,
    };
    let mut order = check(&state, actor.radnik_id, report, wish).await?;
    order.proba = Some(version.id);
    Ok((StatusCode::ACCEPTED, Json(run_now(&state, order).await?)))
}

/// How a trial is doing.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReportTrialState {
    /// The version that is tried out.
    broj: i32,
    status: RunStatus,
    redova: Option<i64>,
    /// There were more rows than a trial shows.
    skraceno: bool,
    greska: Option<ReportTrialFault>,
    formati: Vec<String>,
}

#[derive(Serialize, ToSchema)]
struct ReportTrialFault {
    /// As anybody would be told.
    tekst: String,
    /// What the database said, or what is wrong with the data; it quotes no value.
    poruka: Option<String>,
    savet: Option<String>,
    red: Option<usize>,
    kolona: Option<usize>,
}

/// Her own trial; anybody else's does not exist.
#[utoipa::path(get, path = "/api/report-trials/{id}", tag = "izvestaji", params(("id" = Uuid, Path)), responses((status = 200, body = ReportTrialState)))]
async fn find(
    State(state): State<AppState>,
    actor: Allowed<WriteAccess<report::Report>>,
    Path(id): Path<Uuid>,
) -> Result<Json<ReportTrialState>> {
    let run = sqlx::query!(
        r#"select d.broj, r.status as "status: RunStatus", r.rows_done, r.truncated, r.error_text, r.error_detail as "error_detail: Jsonb<Detail>",
                  array(select a.format from report_artifact a join report_format f on f.naziv_kratki = a.format
                         where a.run_id = r.id order by f.id) as "formati!"
             from report_run r join report_definition d on d.id = r.definicija_id
            where r.id = $1 and r.radnik_id = $2 and r.proba"#,
        id,
        actor.radnik_id
    )
    .fetch_optional(&state.db)
    .await?
    .ok_or(Error::NotFound)?;
    let detail = run.error_detail.map(|detail| detail.0).unwrap_or_default();
    Ok(Json(ReportTrialState {
        broj: run.broj,
        status: run.status,
        redova: run.rows_done,
        skraceno: run.truncated,
        greska: run.error_text.map(|tekst| ReportTrialFault {
            tekst,
            poruka: detail.poruka,
            savet: detail.savet,
            red: detail.mesto.map(|place| place.line),
            kolona: detail.mesto.map(|place| place.column),
        }),
        formati: run.formati,
    }))
}
