//! Schedules that end for their owners: of a report that is not offered any more, and of an institution that the owner has left. Each
//! owner is told by a run that says so.

use domain::{
    jobs::Queue,
    relative_day,
    runs::{self, Entry, NewRun},
};
use platform::error::{Ending, Error, Result};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    trail::{self, ReportAction, Subject},
    values::DescribedValue,
};

/// Keeps the scheduler from them until the transaction ends.
pub async fn lock(tx: &mut PgConnection, report: i64) -> sqlx::Result<()> {
    sqlx::query!("select id from report_schedule where izvestaj_id = $1 and aktivan order by id for no key update", report)
        .fetch_all(tx)
        .await?;
    Ok(())
}

/// Ends them all, where whoever takes the report away has said how many they are. Nothing brings them back.
pub async fn end_all(tx: &mut PgConnection, worker: i64, report: i64, told: Option<i64>) -> Result<()> {
    lock(&mut *tx, report).await?;
    let schedules = sqlx::query_as!(
        EndedSchedule,
        r#"select s.id, s.izvestaj_id, s.radnik_id, s.ustanova_id, s.registar_id, s.parametri, s.parametri_opis, s.formati, s.emails, r.naziv,
                  u.naziv as ustanova, s.sledece_lokalno as "sledece_lokalno: _", (now() at time zone s.vremenska_zona)::date as "danas!: _"
             from report_schedule s join report r on r.id = s.izvestaj_id join institution u on u.id = s.ustanova_id
            where s.izvestaj_id = $1 and s.aktivan order by s.id"#,
        report
    )
    .fetch_all(&mut *tx)
    .await?;
    let mut owners: Vec<i64> = schedules.iter().map(|schedule| schedule.radnik_id).collect();
    owners.sort_unstable();
    owners.dedup();
    let ending = Ending { zakazivanja: count(schedules.len()), radnika: count(owners.len()) };
    if ending.zakazivanja > 0 && told != Some(ending.zakazivanja) {
        return Err(Error::Ends(ending));
    }
    for schedule in schedules {
        let reason = format!("Izveštaj „{}” više nije dostupan; zakazano generisanje je završeno.", schedule.naziv);
        schedule.end(&mut *tx, worker, &reason).await?;
    }
    Ok(())
}

/// Ends those of a worker that are of institutions which she does not belong to any more.
pub async fn end_left_behind(tx: &mut PgConnection, worker: i64, owner: i64) -> Result<()> {
    let left = sqlx::query_as!(
        EndedSchedule,
        r#"select s.id, s.izvestaj_id, s.radnik_id, s.ustanova_id, s.registar_id, s.parametri, s.parametri_opis, s.formati, s.emails, r.naziv,
                  u.naziv as ustanova, s.sledece_lokalno as "sledece_lokalno: _", (now() at time zone s.vremenska_zona)::date as "danas!: _"
             from report_schedule s join report r on r.id = s.izvestaj_id join institution u on u.id = s.ustanova_id
            where s.radnik_id = $1 and s.aktivan and not works_at($1, s.ustanova_id)
              and exists (select from worker w where w.id = $1 and w.aktivan) and u.aktivan
            order by s.id for no key update of s"#,
        owner
    );
    for schedule in left.fetch_all(&mut *tx).await? {
        let reason =
            format!("Niste više radnik ustanove „{}”; zakazano generisanje izveštaja „{}” je završeno.", schedule.ustanova, schedule.naziv);
        schedule.end(&mut *tx, worker, &reason).await?;
    }
    Ok(())
}

/// A schedule that ends.
struct EndedSchedule {
    id: i64,
    izvestaj_id: i64,
    radnik_id: i64,
    ustanova_id: i64,
    registar_id: Option<i64>,
    parametri: Value,
    parametri_opis: Value,
    formati: Vec<String>,
    emails: Vec<String>,
    naziv: String,
    ustanova: String,
    /// One that is paused has no time planned.
    sledece_lokalno: Option<jiff_sqlx::DateTime>,
    danas: jiff_sqlx::Date,
}

impl EndedSchedule {
    /// `worker` is who has made it end.
    async fn end(self, tx: &mut PgConnection, worker: i64, reason: &str) -> Result<()> {
        let planned = self.sledece_lokalno.map(jiff_sqlx::DateTime::to_jiff);
        let day = planned.map_or_else(|| self.danas.to_jiff(), |at| at.date());
        let run = NewRun {
            id: Uuid::now_v7(),
            izvestaj_id: self.izvestaj_id,
            radnik_id: self.radnik_id,
            ustanova_id: self.ustanova_id,
            registar_id: self.registar_id,
            parametri: relative_day::values_on(&self.parametri, day),
            parametri_opis: relative_day::described_on(&self.parametri_opis, day),
            formati: self.formati,
            emails: self.emails,
            queue: Queue::Scheduled,
            proba: None,
        };
        let run = runs::insert_fire(&mut *tx, &run, self.id, planned, Entry::SkippedEnded).await?;
        sqlx::query!("update report_run set error_code = 'ended', error_text = $2 where id = $1", run, reason).execute(&mut *tx).await?;
        sqlx::query!(
            "update report_schedule set aktivan = false, sledece_izvrsavanje = null, sledece_lokalno = null where id = $1",
            self.id
        )
        .execute(&mut *tx)
        .await?;
        let opis: Vec<DescribedValue> = serde_json::from_value(self.parametri_opis)?;
        let subject = Subject {
            klasa: "report_schedule",
            red_id: self.id.to_string(),
            izvestaj_id: self.izvestaj_id,
            parametri: &self.parametri,
            opis: &opis,
        };
        trail::record(&mut *tx, worker, ReportAction::End, &subject, None).await?;
        Ok(())
    }
}

fn count(of: usize) -> i64 {
    i64::try_from(of).unwrap_or(i64::MAX)
}
