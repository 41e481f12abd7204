//! Ordering what was ordered before: an ended run once more, or a run of a schedule apart from its plan. The order is checked as any
//! other is, since the report, its options and the worker's institutions may have changed.

use accounts::rights::{Allowed, Reports};
use axum::{extract::State, http::StatusCode};
use domain::{
    recipients::ChosenRecipients,
    relative_day::RelativeDay,
    report_sql::ParameterKind,
    runs::{self, RunStatus},
};
use platform::{
    error::{Error, Result},
    extract::{Json, Path},
    routes::{Routes, routes},
    state::AppState,
};
use serde::Deserialize;
use serde_json::{Map, Value};
use sqlx::{PgPool, types::Json as Jsonb};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    access::left_institution,
    definition::Report,
    queue::{ReportAccepted, ReportOrder, check, run_now},
    schedules::Schedule,
    scheduling::ScheduleScope,
    timing::Timing,
    values::{Moment, SentValue, SentValues},
};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(again)).routes(routes!(run_schedule))
}

#[derive(Deserialize, ToSchema)]
struct RunAgain {
    /// Mail it to the recipients of the run too.
    posalji: bool,
    /// The same key sent twice makes one run.
    kljuc: Option<Uuid>,
}

#[derive(Deserialize, ToSchema)]
struct RunOfSchedule {
    /// The same key sent twice makes one run.
    kljuc: Option<Uuid>,
}

/// A new run with the values, formats and institution of one that has ended.
#[utoipa::path(post, path = "/api/report-runs/{id}/again", tag = "izvestaji", params(("id" = Uuid, Path)), request_body = RunAgain,
    responses((status = 202, body = ReportAccepted), (status = 409, description = "Još se izvršava"),
        (status = 422, description = "Polje i poruka")))]
async fn again(
    State(state): State<AppState>,
    actor: Allowed<Reports>,
    Path(id): Path<Uuid>,
    Json(request): Json<RunAgain>,
) -> Result<(StatusCode, Json<ReportAccepted>)> {
    if let Some(first) = earlier(&state, actor.radnik_id, request.kljuc).await? {
        return Ok(first);
    }
    let run = RepeatableRun::load(&state.db, actor.radnik_id, id).await?;
    let ordered = PastOrder {
        izvestaj_id: run.izvestaj_id,
        ustanova_id: run.ustanova_id,
        registar_id: run.registar_id,
        parametri: run.parametri.0,
        primaoci: if request.posalji { run.primaoci } else { ChosenRecipients::default() },
        formati: run.formati,
        moment: Moment::Now(state.today()),
    };
    ordered.run(&state, actor.radnik_id, request.kljuc, "Izveštaj možete da naručite iznova na tabu „Parametri”.").await
}

/// A run of the schedule now, mailed to its recipients; its plan stays as it is.
#[utoipa::path(post, path = "/api/report-schedules/{id}/run", tag = "izvestaji", params(("id" = i64, Path)), request_body = RunOfSchedule,
    responses((status = 202, body = ReportAccepted), (status = 422, description = "Polje i poruka")))]
async fn run_schedule(
    State(state): State<AppState>,
    actor: Allowed<Reports>,
    Path(id): Path<i64>,
    Json(request): Json<RunOfSchedule>,
) -> Result<(StatusCode, Json<ReportAccepted>)> {
    if let Some(first) = earlier(&state, actor.radnik_id, request.kljuc).await? {
        return Ok(first);
    }
    let kept = ScheduleScope::load(&state.db, &actor, id).await?;
    let schedule = Schedule::find(&state.db, actor.radnik_id, id).await?;
    // Its days are told by the clock of its zone, as those of its fires are.
    let today = schedule.rule().map_or_else(|| state.today(), |rule| state.clock.now().to_zoned(rule.zone).date());
    let ordered = PastOrder {
        izvestaj_id: schedule.izvestaj_id,
        ustanova_id: kept.ustanova_id,
        registar_id: kept.registar_id,
        parametri: schedule.parametri,
        primaoci: ChosenRecipients {
            emails: schedule.emails,
            radnici: schedule.primaoci.iter().map(|chosen| chosen.id).collect(),
            grupe: schedule.grupe.iter().map(|chosen| chosen.id).collect(),
        },
        formati: schedule.formati,
        moment: Moment::Now(today),
    };
    ordered.run(&state, actor.radnik_id, request.kljuc, "Izmenite zakazivanje, ili naručite izveštaj na tabu „Parametri”.").await
}

/// What the same key has made before, whatever has changed meanwhile.
async fn earlier(state: &AppState, worker: i64, kljuc: Option<Uuid>) -> Result<Option<(StatusCode, Json<ReportAccepted>)>> {
    let Some(kljuc) = kljuc else { return Ok(None) };
    let mut connection = state.db.acquire().await?;
    let first = runs::find_by_client_key(&mut connection, worker, kljuc).await?;
    Ok(first.map(|id| (StatusCode::ACCEPTED, Json(ReportAccepted::run(id)))))
}

/// A run that can be ordered again.
struct RepeatableRun {
    izvestaj_id: i64,
    ustanova_id: i64,
    registar_id: Option<i64>,
    parametri: Jsonb<Map<String, Value>>,
    primaoci: ChosenRecipients,
    formati: Vec<String>,
}

impl RepeatableRun {
    /// The worker's own run, of an institution to which she belongs. The print of an entry is no report, and a trial is not one yet.
    async fn load(db: &PgPool, worker: i64, id: Uuid) -> Result<Self> {
        let row = sqlx::query!(
            r#"select r.izvestaj_id as "izvestaj_id!", r.ustanova_id, r.registar_id, r.formati,
                      array(select p.adresa from report_recipient p where p.run_id = r.id and p.radnik_id is null order by p.redosled) as "emails!",
                      array(select p.radnik_id from report_recipient p where p.run_id = r.id and p.radnik_id is not null order by p.redosled) as "radnici!",
                      r.parametri as "parametri: Jsonb<Map<String, Value>>", r.status as "status: RunStatus", u.naziv as ustanova, works_at($2, r.ustanova_id) as "radi_u_ustanovi!"
                 from report_run r join institution u on u.id = r.ustanova_id
                where r.id = $1 and r.radnik_id = $2 and r.deleted_at is null and r.izvestaj_id is not null and not r.proba"#,
            id,
            worker
        )
        .fetch_optional(db)
        .await?
        .ok_or(Error::NotFound)?;
        if row.status.is_open() {
            return Err(Error::conflict("Izveštaj se još izvršava. Sačekajte da se završi."));
        }
        if !row.radi_u_ustanovi {
            return Err(left_institution(&row.ustanova));
        }
        Ok(Self {
            izvestaj_id: row.izvestaj_id,
            ustanova_id: row.ustanova_id,
            registar_id: row.registar_id,
            parametri: row.parametri,
            primaoci: ChosenRecipients { emails: row.emails, radnici: row.radnici, grupe: Vec::new() },
            formati: row.formati,
        })
    }
}

/// What a run or a schedule keeps of its order.
struct PastOrder {
    izvestaj_id: i64,
    ustanova_id: i64,
    registar_id: Option<i64>,
    parametri: Map<String, Value>,
    primaoci: ChosenRecipients,
    formati: Vec<String>,
    moment: Moment,
}

impl PastOrder {
    /// `advice` follows the reason why the order cannot be repeated as it was.
    async fn run(self, state: &AppState, worker: i64, kljuc: Option<Uuid>, advice: &str) -> Result<(StatusCode, Json<ReportAccepted>)> {
        let report = Report::load(&state.db, worker, self.izvestaj_id).await.map_err(|error| match error {
            Error::NotFound => Error::missing("Ovaj izveštaj više nije u ponudi."),
            other => other,
        })?;
        let wish = ReportOrder {
            ustanova_id: self.ustanova_id,
            registar_id: self.registar_id,
            parametri: as_sent(&report, &self.parametri),
            primaoci: self.primaoci,
            formati: Some(self.formati),
            moment: self.moment,
            kada: Timing::default(),
            kljuc,
        };
        let order = check(state, worker, report, wish).await.map_err(|error| match error {
            Error::Invalid { field, message } => Error::Invalid { field, message: format!("{message} {advice}").into() },
            other => other,
        })?;
        Ok((StatusCode::ACCEPTED, Json(run_now(state, order).await?)))
    }
}

/// Kept values as a client sends them: a number is kept with a decimal point, and read as people type it.
fn as_sent(report: &Report, kept: &Map<String, Value>) -> SentValues {
    let is_number = |name: &str| report.parameter(name).is_some_and(|parameter| parameter.kind == ParameterKind::Number);
    let sent = |(name, value): (&String, &Value)| {
        let sent = match value {
            Value::Array(texts) => SentValue::Many(texts.iter().filter_map(|text| text.as_str().map(str::to_owned)).collect()),
            Value::String(text) if is_number(name) => SentValue::One(text.replace('.', ",")),
            Value::String(text) => SentValue::One(text.clone()),
            other => SentValue::One(RelativeDay::of_stored(other)?.word().to_owned()),
        };
        Some((name.clone(), Some(sent)))
    };
    kept.iter().filter_map(sent).collect()
}
