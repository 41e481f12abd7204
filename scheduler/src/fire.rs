//! DueSchedule schedules: each one's fires become runs, or rows that say why they did not.
//!
//! A schedule is locked, its fires are written and its next time is set in one transaction, so that a scheduler may die
//! at any point. An edit waits for the lock, or is waited for.

use domain::{
    access::{self, NoReports},
    db::{self, SYSTEM_WORKER},
    jobs::Queue,
    parameters::{self, FAILURES},
    recipients::{self, Addressee, ChosenRecipients},
    recurrence::{Fire, RuleColumns, RuleError, fires_after, next_after},
    relative_day,
    runs::{self, Entry, NewRun},
};
use jiff::{SignedDuration, Timestamp};
use jiff_sqlx::ToSqlx;
use serde_json::Value as Json;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

/// How late a fire may still become a run. After downtime the newest one within this time runs; all others are `missed`.
const CATCH_UP: SignedDuration = SignedDuration::from_hours(24);

/// What one look at the schedules did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FireCounts {
    pub fired: usize,
    pub missed: usize,
    /// Refused because the previous run is still open, the owner may not, or too many runs have failed.
    pub refused: usize,
}

/// A due schedule, locked.
struct DueSchedule {
    id: i64,
    izvestaj_id: i64,
    radnik_id: i64,
    ustanova_id: i64,
    registar_id: Option<i64>,
    parametri: Json,
    parametri_opis: Json,
    formati: Vec<String>,
    recipients: ChosenRecipients,
    stored: RuleColumns,
    next: Fire,
}

/// Handles every schedule that is due at `now`. One that cannot be handled is logged and left for the next look.
pub async fn tick(db: &PgPool, now: Timestamp) -> sqlx::Result<FireCounts> {
    let mut done = FireCounts::default();
    let mut failed = Vec::new();
    loop {
        let mut tx = db::begin(db, SYSTEM_WORKER).await?;
        let Some(due) = lock_next(&mut tx, now, &failed).await? else { return Ok(done) };
        let handled = match handle(&mut tx, &due, now).await {
            Ok(handled) => tx.commit().await.map(|()| handled),
            Err(error) => Err(error),
        };
        match handled {
            Ok(handled) => {
                done.fired += handled.fired;
                done.missed += handled.missed;
                done.refused += handled.refused;
            }
            Err(error) => {
                tracing::error!(schedule = due.id, cause = %error, "a due schedule could not be handled");
                failed.push(due.id);
            }
        }
    }
}

/// The schedule that has been due longest, unless another scheduler or an edit holds it.
async fn lock_next(tx: &mut PgConnection, now: Timestamp, except: &[i64]) -> sqlx::Result<Option<DueSchedule>> {
    let row = sqlx::query!(
        r#"select id, izvestaj_id, radnik_id, ustanova_id, registar_id, parametri, parametri_opis, formati, emails, primaoci, grupe, ponavljanje,
                  vreme_izvrsavanja_jednostruko as "vreme_izvrsavanja_jednostruko: jiff_sqlx::DateTime",
                  vreme_izvrsavanja_visetruko as "vreme_izvrsavanja_visetruko: jiff_sqlx::Time",
                  vazi_od as "vazi_od: jiff_sqlx::Date", vazi_do as "vazi_do: jiff_sqlx::Date",
                  period, dan_nedelja, dan_mesec, politika_dana, vremenska_zona,
                  sledece_izvrsavanje as "sledece_izvrsavanje!: jiff_sqlx::Timestamp",
                  coalesce(sledece_lokalno, sledece_izvrsavanje at time zone vremenska_zona) as "sledece_lokalno!: jiff_sqlx::DateTime"
             from report_schedule
            where aktivan and sledece_izvrsavanje <= $1 and id <> all($2)
            order by sledece_izvrsavanje, id
            limit 1 for update skip locked"#,
        now.to_sqlx() as _,
        except,
    )
    .fetch_optional(tx)
    .await?;
    Ok(row.map(|row| DueSchedule {
        id: row.id,
        izvestaj_id: row.izvestaj_id,
        radnik_id: row.radnik_id,
        ustanova_id: row.ustanova_id,
        registar_id: row.registar_id,
        parametri: row.parametri,
        parametri_opis: row.parametri_opis,
        formati: row.formati,
        recipients: ChosenRecipients { emails: row.emails, radnici: row.primaoci, grupe: row.grupe },
        stored: RuleColumns {
            ponavljanje: row.ponavljanje,
            vreme_izvrsavanja_jednostruko: row.vreme_izvrsavanja_jednostruko.map(jiff_sqlx::DateTime::to_jiff),
            vreme_izvrsavanja_visetruko: row.vreme_izvrsavanja_visetruko.map(jiff_sqlx::Time::to_jiff),
            vazi_od: row.vazi_od.map(jiff_sqlx::Date::to_jiff),
            vazi_do: row.vazi_do.map(jiff_sqlx::Date::to_jiff),
            period: row.period,
            dan_nedelja: row.dan_nedelja,
            dan_mesec: row.dan_mesec,
            politika_dana: row.politika_dana,
            vremenska_zona: row.vremenska_zona,
        },
        next: Fire { at: row.sledece_izvrsavanje.to_jiff(), local: row.sledece_lokalno.to_jiff() },
    }))
}

async fn handle(tx: &mut PgConnection, due: &DueSchedule, now: Timestamp) -> sqlx::Result<FireCounts> {
    let mut done = FireCounts::default();
    let rule = match due.stored.rule() {
        Ok(rule) => rule,
        Err(error) => {
            unreadable(due, &error);
            set_next(tx, due.id, None).await?;
            return Ok(done);
        }
    };
    let mut fires = vec![due.next];
    fires.extend(fires_after(&rule, due.next.at).take_while(|fire| fire.at <= now));
    let newest = fires.len() - 1;
    // Who has left since, or has no address any more, gets nothing; a group is read as it is now.
    let addressees = due.recipients.resolve(tx, due.radnik_id).await?;
    let restored = restored_at(tx).await?;
    for (i, fire) in fires.iter().enumerate() {
        let late = i < newest || now.duration_since(fire.at) > CATCH_UP || restored.is_some_and(|instant| fire.at <= instant);
        let (mut entry, refusal) = if late { (Entry::Missed, None) } else { permitted(tx, due).await? };
        let failures = if entry == Entry::Queued { too_many_failures(tx, due.id).await? } else { None };
        if failures.is_some() {
            entry = Entry::SkippedPaused;
        }
        let Some(run) = runs::insert_fire(tx, &due.run(fire, &addressees), due.id, fire.local, entry).await? else { continue };
        recipients::keep(tx, run, &addressees).await?;
        if let Some(refusal) = refusal {
            explain(tx, run, refusal.code(), refusal.text()).await?;
        }
        match entry {
            Entry::Queued => done.fired += 1,
            Entry::Missed => done.missed += 1,
            Entry::SkippedOverlap | Entry::SkippedUnauthorised | Entry::SkippedPaused | Entry::SkippedEnded => done.refused += 1,
        }
        if let Some(failures) = failures {
            pause(tx, due.id, run, failures).await?;
            return Ok(done);
        }
    }
    set_next(tx, due.id, next_after(&rule, fires[newest].at)).await?;
    Ok(done)
}

/// When the installation was last restored from a copy: what was planned before may have run where the copy was made.
async fn restored_at(tx: &mut PgConnection) -> sqlx::Result<Option<Timestamp>> {
    let last = sqlx::query_scalar!(r#"select max(vreme) as "vreme: jiff_sqlx::Timestamp" from restoration"#).fetch_one(tx).await?;
    Ok(last.map(jiff_sqlx::Timestamp::to_jiff))
}

/// Why a fire is refused. Of several reasons the first one is told: it has to be mended first.
#[derive(Clone, Copy)]
enum Refusal {
    ReportOff,
    Owner(NoReports),
}

impl Refusal {
    fn code(self) -> &'static str {
        match self {
            Self::ReportOff => "report_inactive",
            Self::Owner(lacking) => lacking.code(),
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::ReportOff => "Izveštaj je ugašen.",
            Self::Owner(lacking) => lacking.text(),
        }
    }
}

/// Whether the fire may become a run now: the owner still has the right, the institution and the report, and the
/// schedule's previous run has ended.
async fn permitted(tx: &mut PgConnection, due: &DueSchedule) -> sqlx::Result<(Entry, Option<Refusal>)> {
    let lacking = access::lacks_for_reports(tx, due.radnik_id, due.ustanova_id).await?;
    let found = sqlx::query!(
        r#"select exists (select from report where id = $1 and aktivan) as "report!",
                  exists (select from report_run where zakazivanje_id = $2 and status in ('queued', 'running')) as "overlap!""#,
        due.izvestaj_id,
        due.id,
    )
    .fetch_one(tx)
    .await?;
    let refusal = (!found.report).then_some(Refusal::ReportOff).or(lacking.map(Refusal::Owner));
    Ok(match (refusal, found.overlap) {
        (Some(_), _) => (Entry::SkippedUnauthorised, refusal),
        (None, true) => (Entry::SkippedOverlap, None),
        (None, false) => (Entry::Queued, None),
    })
}

/// Writes why the fire made no report, as its owner reads it.
async fn explain(tx: &mut PgConnection, run: Uuid, code: &str, text: &str) -> sqlx::Result<()> {
    sqlx::query!("update report_run set error_code = $2, error_text = $3 where id = $1", run, code, text).execute(tx).await?;
    Ok(())
}

/// How many runs of the schedule have failed since one succeeded, or since its owner changed or resumed it, where it is paused for so many.
async fn too_many_failures(tx: &mut PgConnection, schedule: i64) -> sqlx::Result<Option<i64>> {
    let limit = parameters::load(&mut *tx).await?.number(&FAILURES);
    let failures = sqlx::query_scalar!(
        r#"select count(*) as "failures!"
             from report_schedule s join report_run r on r.zakazivanje_id = s.id and r.status = 'failed' and r.created_at > s.neuspesi_od
            where s.id = $1
              and not exists (select from report_run o where o.zakazivanje_id = s.id and o.status = 'succeeded' and o.created_at > r.created_at)"#,
        schedule,
    )
    .fetch_one(tx)
    .await?;
    Ok((limit > 0 && failures >= i64::from(limit)).then_some(failures))
}

/// It keeps its plan and is resumed by its owner, who is told by the run that was not made.
async fn pause(tx: &mut PgConnection, schedule: i64, run: Uuid, failures: i64) -> sqlx::Result<()> {
    let reason = format!("Pauzirano posle {failures} {} zaredom.", failed_runs(failures));
    sqlx::query!(
        "update report_schedule set pauzirano_od = now(), razlog_pauze = $2, sledece_izvrsavanje = null, sledece_lokalno = null where id = $1",
        schedule,
        reason,
    )
    .execute(&mut *tx)
    .await?;
    explain(tx, run, "paused", &reason).await
}

/// As many as the number before it.
fn failed_runs(count: i64) -> &'static str {
    match (count % 100, count % 10) {
        (11..=14, _) => "neuspelih izvršavanja",
        (_, 1) => "neuspelog izvršavanja",
        (_, 2..=4) => "neuspela izvršavanja",
        _ => "neuspelih izvršavanja",
    }
}

/// A schedule without a next time has ended and is no longer shown among the scheduled ones.
async fn set_next(tx: &mut PgConnection, id: i64, next: Option<Fire>) -> sqlx::Result<()> {
    sqlx::query!(
        "update report_schedule set sledece_izvrsavanje = $2, sledece_lokalno = $3, aktivan = $4 where id = $1",
        id,
        next.map(|fire| fire.at.to_sqlx()) as _,
        next.map(|fire| fire.local.to_sqlx()) as _,
        next.is_some(),
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The database and the api keep such rows from being written; should one exist, it must not be tried for ever.
fn unreadable(due: &DueSchedule, error: &RuleError) {
    tracing::error!(schedule = due.id, field = error.field, "a schedule makes no rule and is switched off");
}

impl DueSchedule {
    /// Days that the schedule names by the day of asking are those of the planned one, however late the run begins.
    fn run(&self, fire: &Fire, addressees: &[Addressee]) -> NewRun {
        let today = fire.local.date();
        NewRun {
            id: Uuid::now_v7(),
            izvestaj_id: self.izvestaj_id,
            radnik_id: self.radnik_id,
            ustanova_id: self.ustanova_id,
            registar_id: self.registar_id,
            parametri: relative_day::values_on(&self.parametri, today),
            parametri_opis: relative_day::described_on(&self.parametri_opis, today),
            formati: self.formati.clone(),
            emails: recipients::addresses(addressees),
            queue: Queue::Scheduled,
            proba: None,
        }
    }
}
