//! Scheduled reports of the worker: what is listed, seen before saving, and deleted.

use accounts::rights::{Allowed, Reports};
use axum::{extract::State, http::StatusCode};
use domain::{
    db,
    recurrence::{Rule, RuleColumns, description_sr, next_n, warning_sr},
    relative_day::RelativeDay,
    time::{clock_text, date_text, server_text},
};
use jiff::civil::{Date, Time};
use platform::{
    error::{Error, Result},
    extract::{Json, Path, Query},
    page::Page,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::{PgExecutor, PgPool, types::Json as Jsonb};
use utoipa::{IntoParams, ToSchema};

use super::{
    timing::Timing,
    trail::{self, ReportAction, Subject},
    values::DescribedValue,
};

/// Fires shown before a schedule is saved.
const PREVIEWED_FIRES: usize = 5;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(preview)).routes(routes!(list)).routes(routes!(find, delete))
}

#[derive(Serialize, ToSchema)]
struct SchedulePreview {
    /// The next five times by the clock of `zona`, `YYYY-MM-DD HH:mm`.
    sledeca: Vec<String>,
    zona: String,
    upozorenje: Option<String>,
}

/// Only what says when is read: a schedule may be previewed before its parameters are filled in.
#[utoipa::path(post, path = "/api/report-schedules/preview", tag = "izvestaji", request_body = Timing, responses((status = 200, body = SchedulePreview)))]
async fn preview(State(state): State<AppState>, _: Allowed<Reports>, Json(timing): Json<Timing>) -> Result<Json<SchedulePreview>> {
    let now = state.clock.now();
    let (stored, rule) = timing.rule()?;
    if stored.ponavljanje == 0 {
        super::timing::first_fire(&stored, &rule, now)?;
    }
    let fires = next_n(&rule, now, PREVIEWED_FIRES);
    let sledeca = fires.iter().map(|fire| clock_text(fire.at.to_zoned(rule.zone.clone()).datetime())).collect();
    Ok(Json(SchedulePreview { sledeca, upozorenje: warning_sr(&rule, now), zona: stored.vremenska_zona }))
}

/// A worker or a group whom a schedule is mailed to.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ChosenRecipient {
    pub id: i64,
    pub naziv: String,
    /// Whether it would be mailed there now.
    dostupan: bool,
}

/// A schedule's row, and the report's name.
pub struct Schedule {
    pub id: i64,
    pub izvestaj_id: i64,
    pub naziv: String,
    pub emails: Vec<String>,
    pub primaoci: Vec<ChosenRecipient>,
    pub grupe: Vec<ChosenRecipient>,
    pub formati: Vec<String>,
    pub stored: RuleColumns,
    pub parametri: serde_json::Map<String, serde_json::Value>,
    pub parametri_opis: Vec<DescribedValue>,
    sledece_izvrsavanje: Option<jiff::Timestamp>,
    pub pauzirano_od: Option<jiff::Timestamp>,
    razlog_pauze: Option<String>,
    ustanova: String,
    /// The owner still belongs to the institution.
    works_there: bool,
    registar_id: Option<i64>,
}

impl Schedule {
    /// The worker's active schedules, of one report or of all.
    pub async fn active_of(db: &PgPool, worker: i64, report: Option<i64>) -> Result<Vec<Self>> {
        Self::load(db, worker, report, None).await
    }

    /// The worker's own, while it is active.
    pub async fn find(db: impl PgExecutor<'_>, worker: i64, id: i64) -> Result<Self> {
        Self::load(db, worker, None, Some(id)).await?.pop().ok_or(Error::NotFound)
    }

    async fn load(db: impl PgExecutor<'_>, worker: i64, report: Option<i64>, id: Option<i64>) -> Result<Vec<Self>> {
        let rows = sqlx::query!(
            r#"select s.id, s.izvestaj_id, p.naziv, s.emails, s.formati, s.ponavljanje, s.vreme_izvrsavanja_jednostruko,
                      s.vreme_izvrsavanja_visetruko, s.vazi_od, s.vazi_do, s.period, s.dan_nedelja, s.dan_mesec, s.politika_dana,
                      s.vremenska_zona, s.parametri as "parametri: Jsonb<serde_json::Map<String, serde_json::Value>>", s.parametri_opis as "parametri_opis: Jsonb<Vec<DescribedValue>>", s.sledece_izvrsavanje,
                      s.pauzirano_od, s.razlog_pauze, s.registar_id, u.naziv as ustanova,
                      works_at($1, s.ustanova_id) as "works_there!",
                      coalesce((select jsonb_agg(jsonb_build_object('id', w.id, 'naziv', w.ime || ' ' || w.prezime,
                                       'dostupan', btrim(coalesce(w.email, '')) <> '' and w.id in (select c.radnik_id from colleagues_of($1) c)) order by x.n)
                                  from unnest(s.primaoci) with ordinality x (id, n) join worker w on w.id = x.id), '[]')
                          as "primaoci!: Jsonb<Vec<ChosenRecipient>>",
                      coalesce((select jsonb_agg(jsonb_build_object('id', g.id, 'naziv', g.naziv,
                                       'dostupan', g.aktivan and (g.ustanova_id is null or works_at($1, g.ustanova_id))) order by x.n)
                                  from unnest(s.grupe) with ordinality x (id, n) join recipient_group g on g.id = x.id), '[]')
                          as "grupe!: Jsonb<Vec<ChosenRecipient>>"
                 from report_schedule s join report p on p.id = s.izvestaj_id join institution u on u.id = s.ustanova_id
                where s.radnik_id = $1 and s.aktivan
                  and ($2::bigint is null or s.izvestaj_id = $2) and ($3::bigint is null or s.id = $3)
                order by s.sledece_izvrsavanje nulls last, s.id"#,
            worker,
            report,
            id
        )
        .fetch_all(db)
        .await?;
        Ok(rows
            .into_iter()
            .map(|row| Self {
                id: row.id,
                izvestaj_id: row.izvestaj_id,
                naziv: row.naziv,
                emails: row.emails,
                primaoci: row.primaoci.0,
                grupe: row.grupe.0,
                formati: row.formati,
                stored: RuleColumns {
                    ponavljanje: row.ponavljanje,
                    vreme_izvrsavanja_jednostruko: row.vreme_izvrsavanja_jednostruko.map(|at| at.to_jiff()),
                    vreme_izvrsavanja_visetruko: row.vreme_izvrsavanja_visetruko.map(|at| at.to_jiff()),
                    vazi_od: row.vazi_od.map(|date| date.to_jiff()),
                    vazi_do: row.vazi_do.map(|date| date.to_jiff()),
                    period: row.period,
                    dan_nedelja: row.dan_nedelja,
                    dan_mesec: row.dan_mesec,
                    politika_dana: row.politika_dana,
                    vremenska_zona: row.vremenska_zona,
                },
                parametri: row.parametri.0,
                parametri_opis: row.parametri_opis.0,
                sledece_izvrsavanje: row.sledece_izvrsavanje.map(|at| at.to_jiff()),
                pauzirano_od: row.pauzirano_od.map(|at| at.to_jiff()),
                razlog_pauze: row.razlog_pauze,
                ustanova: row.ustanova,
                works_there: row.works_there,
                registar_id: row.registar_id,
            })
            .collect())
    }

    /// `None`: the columns make no rule any more (a zone that the database of zones has dropped).
    pub fn rule(&self) -> Option<Rule> {
        self.stored.rule().ok()
    }
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReportSchedule {
    #[serde(rename = "zakazivanjeID")]
    zakazivanje_id: i64,
    #[serde(rename = "izvestajID")]
    izvestaj_id: i64,
    naziv: String,
    emails: Vec<String>,
    /// Workers and groups that it is mailed to beside them.
    primaoci: Vec<ChosenRecipient>,
    grupe: Vec<ChosenRecipient>,
    formati: Vec<String>,
    ponavljanje: i16,
    vreme_izvrsavanja_jednostruko: Option<String>,
    vreme_izvrsavanja_visetruko: Option<String>,
    vazi_od: Option<String>,
    vazi_do: Option<String>,
    period: Option<i16>,
    dan_nedelja: Vec<i16>,
    dan_mesec: Vec<i16>,
    politika_dana: String,
    vremenska_zona: String,
    /// Raw values by request name, to fill the form again.
    #[schema(value_type = std::collections::BTreeMap<String, super::values::SentValue>)]
    parametri: serde_json::Map<String, serde_json::Value>,
    parametri_opis: Vec<DescribedValue>,
    /// By the clock of `vremenskaZona`, `YYYY-MM-DD HH:mm`.
    sledece_izvrsavanje: Option<String>,
    /// Since when it does not run; it has no next time then.
    pauzirano_od: Option<String>,
    /// Why, where it was not the owner who paused it.
    razlog_pauze: Option<String>,
    /// The rule in words.
    opis: String,
    /// The institution whose data it shows, and keeps when it is edited.
    ustanova: String,
    #[serde(rename = "registarID")]
    registar_id: Option<i64>,
}

impl ReportSchedule {
    fn at(now: jiff::Timestamp, schedule: Schedule) -> Self {
        let rule = schedule.rule();
        let today = rule.as_ref().map(|rule| now.to_zoned(rule.zone.clone()).date());
        let opis = rule.as_ref().map(description_sr).unwrap_or_default();
        let next = |rule: Rule| Some(clock_text(schedule.sledece_izvrsavanje?.to_zoned(rule.zone).datetime()));
        let sledece_izvrsavanje = rule.and_then(next);
        // What was asked for may name a patient of an institution that the owner has left.
        let (mut parametri, mut parametri_opis) = match schedule.works_there {
            true => (schedule.parametri, schedule.parametri_opis),
            false => Default::default(),
        };
        for described in &mut parametri_opis {
            described.sada = described.dan.zip(today).map(|(day, today)| date_text(day.on(today)));
        }
        parametri.retain(|_, value| !value.is_null());
        for value in parametri.values_mut() {
            if let Some(day) = RelativeDay::of_stored(value) {
                *value = day.word().into();
            }
        }
        let stored = schedule.stored;
        Self {
            zakazivanje_id: schedule.id,
            izvestaj_id: schedule.izvestaj_id,
            naziv: schedule.naziv,
            emails: schedule.emails,
            primaoci: schedule.primaoci,
            grupe: schedule.grupe,
            formati: schedule.formati,
            ponavljanje: stored.ponavljanje,
            vreme_izvrsavanja_jednostruko: stored.vreme_izvrsavanja_jednostruko.map(clock_text),
            vreme_izvrsavanja_visetruko: stored.vreme_izvrsavanja_visetruko.map(|time: Time| time.strftime("%H:%M").to_string()),
            vazi_od: stored.vazi_od.map(|date: Date| date.to_string()),
            vazi_do: stored.vazi_do.map(|date: Date| date.to_string()),
            period: stored.period,
            dan_nedelja: stored.dan_nedelja,
            dan_mesec: stored.dan_mesec,
            politika_dana: stored.politika_dana,
            vremenska_zona: stored.vremenska_zona,
            parametri,
            parametri_opis,
            sledece_izvrsavanje,
            pauzirano_od: schedule.pauzirano_od.map(server_text),
            razlog_pauze: schedule.razlog_pauze,
            opis,
            ustanova: schedule.ustanova,
            registar_id: schedule.registar_id,
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ScheduleFilter {
    /// Schedules of this report only.
    izvestaj: Option<i64>,
}

#[utoipa::path(get, path = "/api/report-schedules", tag = "izvestaji", params(ScheduleFilter), responses((status = 200, body = Page<ReportSchedule>)))]
async fn list(
    State(state): State<AppState>,
    actor: Allowed<Reports>,
    Query(filter): Query<ScheduleFilter>,
) -> Result<Json<Page<ReportSchedule>>> {
    let now = state.clock.now();
    let schedules = Schedule::active_of(&state.db, actor.radnik_id, filter.izvestaj).await?;
    Ok(Json(Page::all(schedules.into_iter().map(|schedule| ReportSchedule::at(now, schedule)).collect())))
}

#[utoipa::path(get, path = "/api/report-schedules/{id}", tag = "izvestaji", params(("id" = i64, Path)), responses((status = 200, body = ReportSchedule)))]
async fn find(State(state): State<AppState>, actor: Allowed<Reports>, Path(id): Path<i64>) -> Result<Json<ReportSchedule>> {
    Ok(Json(ReportSchedule::at(state.clock.now(), Schedule::find(&state.db, actor.radnik_id, id).await?)))
}

/// A running run of the schedule goes on; no new one starts.
#[utoipa::path(delete, path = "/api/report-schedules/{id}", tag = "izvestaji", params(("id" = i64, Path)), responses((status = 204)))]
async fn delete(State(state): State<AppState>, actor: Allowed<Reports>, Path(id): Path<i64>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let deleted = sqlx::query!(
        r#"update report_schedule set aktivan = false, sledece_izvrsavanje = null, sledece_lokalno = null
            where id = $1 and radnik_id = $2 and aktivan
           returning izvestaj_id, parametri, parametri_opis as "parametri_opis: Jsonb<Vec<DescribedValue>>""#,
        id,
        actor.radnik_id
    )
    .fetch_optional(&mut *tx)
    .await?
    .ok_or(Error::NotFound)?;
    let subject = Subject {
        klasa: "report_schedule",
        red_id: id.to_string(),
        izvestaj_id: deleted.izvestaj_id,
        parametri: &deleted.parametri,
        opis: &deleted.parametri_opis,
    };
    trail::record(&mut tx, actor.radnik_id, ReportAction::Delete, &subject, None).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
