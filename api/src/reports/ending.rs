//! Schedules of a report that its owners are not offered any more: they end with it, and each owner is told by a run that says so.

use domain::{
    jobs::Queue,
    relative_day,
    runs::{self, Entry, NewRun},
};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    trail::{self, Deed, Subject},
    values::Described,
};
use crate::error::{Ending, Error, Result};

/// Keeps the scheduler from them until the transaction ends.
pub async fn lock(tx: &mut PgConnection, izvestaj: i64) -> sqlx::Result<()> {
    sqlx::query!("select id from report_schedule where izvestaj_id = $1 and aktivan order by id for no key update", izvestaj)
        .fetch_all(tx)
        .await?;
    Ok(())
}

/// Ends them all, where whoever takes the report away has said how many they are. Nothing brings them back.
pub async fn end_all(tx: &mut PgConnection, radnik_id: i64, izvestaj: i64, told: Option<i64>) -> Result<()> {
    lock(&mut *tx, izvestaj).await?;
    let schedules = sqlx::query!(
        r#"select s.id, s.radnik_id, s.ustanova_id, s.registar_id, s.parametri, s.parametri_opis, s.formati, s.emails, r.naziv,
                  s.sledece_lokalno as "sledece_lokalno: jiff_sqlx::DateTime", (now() at time zone s.vremenska_zona)::date as "danas!: jiff_sqlx::Date"
             from report_schedule s join report r on r.id = s.izvestaj_id
            where s.izvestaj_id = $1 and s.aktivan order by s.id"#,
        izvestaj
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
        // One that is paused had no time planned.
        let planned = schedule.sledece_lokalno.map(jiff_sqlx::DateTime::to_jiff);
        let day = planned.map_or_else(|| schedule.danas.to_jiff(), |at| at.date());
        let run = NewRun {
            id: Uuid::now_v7(),
            izvestaj_id: izvestaj,
            radnik_id: schedule.radnik_id,
            ustanova_id: schedule.ustanova_id,
            registar_id: schedule.registar_id,
            parametri: relative_day::values_on(&schedule.parametri, day),
            parametri_opis: relative_day::described_on(&schedule.parametri_opis, day),
            formati: schedule.formati,
            emails: schedule.emails,
            queue: Queue::Scheduled,
            proba: None,
        };
        let run = runs::insert_fire(&mut *tx, &run, schedule.id, planned, Entry::SkippedEnded).await?;
        let reason = format!("Izveštaj „{}” više nije dostupan; zakazano generisanje je završeno.", schedule.naziv);
        sqlx::query!("update report_run set error_code = 'ended', error_text = $2 where id = $1", run, reason).execute(&mut *tx).await?;
        sqlx::query!(
            "update report_schedule set aktivan = false, sledece_izvrsavanje = null, sledece_lokalno = null where id = $1",
            schedule.id
        )
        .execute(&mut *tx)
        .await?;
        let opis: Vec<Described> = serde_json::from_value(schedule.parametri_opis)?;
        let subject = Subject {
            klasa: "report_schedule",
            red_id: schedule.id.to_string(),
            izvestaj_id: izvestaj,
            parametri: &schedule.parametri,
            opis: &opis,
        };
        trail::record(&mut *tx, radnik_id, Deed::End, &subject, None).await?;
    }
    Ok(())
}

fn count(of: usize) -> i64 {
    i64::try_from(of).unwrap_or(i64::MAX)
}
