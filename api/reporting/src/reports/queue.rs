//! A request for a report: checked, then queued to run now or kept as a schedule.

use accounts::rights::{Allowed, Reports};
use axum::{extract::State, http::StatusCode};
use domain::{
    db,
    jobs::Queue,
    recipients::{ChosenRecipients, addresses},
    register::rules,
    runs::{self, NewRun},
};
use platform::{
    error::{Error, Result},
    extract::Json,
    routes::{Routes, routes},
    run_order::{announce, one_order_at_a_time, refuse_flood},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::{Postgres, Transaction};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    definition::Report,
    options::Options,
    recipients::{self, Recipients},
    scheduling::{self, ScheduleScope},
    timing::Timing,
    trail::{self, ReportAction, Subject},
    values::{self, Asker, BoundValues, Moment, SentValue, SentValues},
};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(submit))
}

/// What the parameters tab sends. Fields of the original's payload that decide nothing here (`redPretrage`, `initValue`)
/// are accepted and not read.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReportRequest {
    #[serde(rename = "siID")]
    si_id: i64,
    #[serde(default)]
    #[schema(value_type = std::collections::BTreeMap<String, SentValue>)]
    parametri: SentValues,
    /// The worker who asks: nobody asks for another.
    #[serde(rename = "radnikID")]
    radnik_id: Option<i64>,
    /// The register that the worker has chosen, for reports of any register.
    #[serde(rename = "registarID")]
    registar_id: Option<i64>,
    #[serde(default)]
    emails: Vec<String>,
    /// Workers to mail it to, at the addresses of their accounts.
    #[serde(default)]
    primaoci: Vec<i64>,
    /// Groups of recipients.
    #[serde(default)]
    grupe: Vec<i64>,
    /// The worker was asked about addresses that none of her colleagues has: a link can be opened with an account only.
    #[serde(default)]
    bez_naloga: bool,
    /// Short names; absent: all of the report's.
    formati: Option<Vec<String>>,
    /// Schedule instead of running now.
    #[serde(default)]
    check_zakazivanje_buducnost: bool,
    #[serde(flatten)]
    kada: Timing,
    /// Edit this schedule.
    #[serde(rename = "zakazivanjeIzvestajaIzmenaID")]
    zakazivanje_izvestaja_izmena_id: Option<i64>,
    #[serde(rename = "zakazivanjeIzvestajaFutureID")]
    zakazivanje_izvestaja_future_id: Option<i64>,
    /// The same key sent twice makes one run or one schedule.
    kljuc: Option<Uuid>,
}

#[derive(Serialize, ToSchema)]
pub struct ReportAccepted {
    /// The run.
    #[serde(rename = "izvestajID", skip_serializing_if = "Option::is_none")]
    izvestaj_id: Option<Uuid>,
    #[serde(rename = "zakazivanjeID", skip_serializing_if = "Option::is_none")]
    zakazivanje_id: Option<i64>,
}

impl ReportAccepted {
    pub fn run(id: Uuid) -> Self {
        Self { izvestaj_id: Some(id), zakazivanje_id: None }
    }

    pub fn run_id(&self) -> Option<Uuid> {
        self.izvestaj_id
    }

    fn schedule(id: i64) -> Self {
        Self { izvestaj_id: None, zakazivanje_id: Some(id) }
    }
}

/// What is to be made of a report, before it is checked.
pub struct ReportOrder {
    pub ustanova_id: i64,
    pub registar_id: Option<i64>,
    pub parametri: SentValues,
    pub primaoci: ChosenRecipients,
    /// Absent: all of the report's.
    pub formati: Option<Vec<String>>,
    pub moment: Moment,
    pub kada: Timing,
    pub kljuc: Option<Uuid>,
}

/// A wish whose every part was checked.
pub struct Order {
    pub report: Report,
    pub session: Asker,
    pub values: BoundValues,
    pub primaoci: Recipients,
    pub formati: Vec<String>,
    /// When to run it, for one that is scheduled.
    pub kada: Timing,
    pub kljuc: Option<Uuid>,
    /// The version of the definition that its designer tries out.
    pub proba: Option<i64>,
}

#[utoipa::path(
    post, path = "/api/report-queue", tag = "izvestaji", request_body = ReportRequest,
    responses((status = 202, body = ReportAccepted), (status = 422, description = "Polje i poruka"), (status = 429, description = "Previše otvorenih izveštaja"))
)]
async fn submit(
    State(state): State<AppState>,
    actor: Allowed<Reports>,
    Json(request): Json<ReportRequest>,
) -> Result<(StatusCode, Json<ReportAccepted>)> {
    if request.radnik_id.is_some_and(|id| id != actor.radnik_id) {
        return Err(Error::Forbidden);
    }
    let edited = request.zakazivanje_izvestaja_izmena_id.or(request.zakazivanje_izvestaja_future_id);
    let accepted = match edited {
        Some(schedule) => {
            let kept = scheduling::ScheduleScope::load(&state.db, &actor, schedule).await?;
            ReportAccepted::schedule(scheduling::change(&state, schedule, order(&state, &actor, request, Some(kept)).await?).await?)
        }
        None => match earlier(&state, &actor, &request).await? {
            Some(accepted) => accepted,
            None if request.check_zakazivanje_buducnost => {
                ReportAccepted::schedule(scheduling::create(&state, order(&state, &actor, request, None).await?).await?)
            }
            None => run_now(&state, order(&state, &actor, request, None).await?).await?,
        },
    };
    Ok((StatusCode::ACCEPTED, Json(accepted)))
}

/// What the same key has made before: a retry is answered as its first try was, whatever has changed meanwhile.
async fn earlier(state: &AppState, actor: &Allowed<Reports>, request: &ReportRequest) -> Result<Option<ReportAccepted>> {
    let Some(kljuc) = request.kljuc else { return Ok(None) };
    let mut connection = state.db.acquire().await?;
    Ok(if request.check_zakazivanje_buducnost {
        scheduling::by_key(&mut connection, actor.radnik_id, kljuc).await?.map(ReportAccepted::schedule)
    } else {
        runs::find_by_client_key(&mut connection, actor.radnik_id, kljuc).await?.map(ReportAccepted::run)
    })
}

/// `kept` is what an edited schedule keeps: it stays with its institution, whichever one the worker works for meanwhile.
async fn order(state: &AppState, actor: &Allowed<Reports>, request: ReportRequest, kept: Option<ScheduleScope>) -> Result<Order> {
    let report = Report::load(&state.db, actor.radnik_id, request.si_id).await?;
    let later = kept.is_some() || request.check_zakazivanje_buducnost;
    let wish = ReportOrder {
        ustanova_id: match &kept {
            Some(kept) => kept.ustanova_id,
            None => actor.ustanova()?,
        },
        registar_id: request.registar_id.or(kept.and_then(|kept| kept.registar_id)),
        parametri: request.parametri,
        primaoci: ChosenRecipients { emails: request.emails, radnici: request.primaoci, grupe: request.grupe },
        formati: request.formati,
        moment: if later { Moment::Later(state.today()) } else { Moment::Now(state.today()) },
        kada: request.kada,
        kljuc: request.kljuc,
    };
    let asked = request.bez_naloga;
    let order = check(state, actor.radnik_id, report, wish).await?;
    if !asked && !order.report.prilog_u_mejlu {
        recipients::ask_about_strangers(&state.db, actor.radnik_id, &order.primaoci.addressees).await?;
    }
    Ok(order)
}

pub async fn check(state: &AppState, worker: i64, report: Report, wish: ReportOrder) -> Result<Order> {
    let register = match report.registar_id.or(wish.registar_id) {
        Some(id) => Some(active_register(state, id).await?),
        None if report.needs_register(&state.config.template_dir).await => {
            return Err(Error::invalid("registarID", "Izaberite registar: izveštaj ga traži."));
        }
        None => None,
    };
    let session = Asker { radnik_id: worker, ustanova_id: wish.ustanova_id, registar_id: register };
    let options = Options::new(state, &report, session);
    let values = values::check(&report, &wish.parametri, &session, &options, wish.moment).await?;
    let primaoci = recipients::check(&state.db, worker, wish.primaoci).await?;
    let formati = report.formats_for(wish.formati.as_deref())?;
    Ok(Order { report, session, values, primaoci, formati, kada: wish.kada, kljuc: wish.kljuc, proba: None })
}

async fn active_register(state: &AppState, id: i64) -> Result<i64> {
    let known = sqlx::query_scalar!("select id from register where id = $1 and aktivan", id).fetch_optional(&state.db).await?;
    known.ok_or_else(|| Error::invalid("registarID", rules::UNKNOWN_REGISTER))
}

pub async fn run_now(state: &AppState, order: Order) -> Result<ReportAccepted> {
    let tx = db::begin(&state.db, order.session.radnik_id).await?;
    run_in(state, tx, order).await
}

/// As [`run_now`], in a transaction that has looked at others' orders; ends it.
pub async fn run_in(state: &AppState, mut tx: Transaction<'static, Postgres>, order: Order) -> Result<ReportAccepted> {
    let worker = order.session.radnik_id;
    one_order_at_a_time(&mut tx, worker).await?;
    let run = NewRun {
        id: Uuid::now_v7(),
        izvestaj_id: order.report.id,
        radnik_id: worker,
        ustanova_id: order.session.ustanova_id,
        registar_id: order.session.registar_id,
        parametri: order.values.parametri.into(),
        parametri_opis: serde_json::to_value(&order.values.opis).expect("texts are plain JSON"),
        formati: order.formati,
        emails: addresses(&order.primaoci.addressees),
        queue: Queue::Interactive,
        proba: order.proba,
    };
    let Some(id) = runs::insert(&mut tx, &run, order.kljuc).await? else {
        let first = runs::find_by_client_key(&mut tx, worker, order.kljuc.unwrap_or_default()).await?;
        return first.map(ReportAccepted::run).ok_or_else(|| anyhow::anyhow!("a key that exists names no run").into());
    };
    domain::recipients::keep(&mut tx, id, &order.primaoci.addressees).await?;
    refuse_flood(&mut tx, run.radnik_id, run.ustanova_id).await?;
    let subject = Subject {
        klasa: "report_run",
        red_id: id.to_string(),
        izvestaj_id: run.izvestaj_id,
        parametri: &run.parametri,
        opis: &order.values.opis,
    };
    let note = run.proba.is_some().then_some("proba");
    trail::record(&mut tx, worker, ReportAction::Create, &subject, note).await?;
    tx.commit().await?;
    tokio::spawn(announce(state.clone(), id));
    Ok(ReportAccepted::run(id))
}
