//! Schedules that do not fire: paused by their owner, or by runs that failed again and again.

use jiff::{SignedDuration, Timestamp};
use scheduler::fire::{FireCounts, tick};

use crate::support::{Yard, at, daily};

/// 07:00 in Belgrade.
const MORNING: &str = "2026-11-20T06:00:00Z";
const DAY: SignedDuration = SignedDuration::from_hours(24);

/// Its fire of `now` becomes a run, which ends as `status`.
async fn fire(yard: &Yard, now: Timestamp, status: &str) {
    assert_eq!(tick(&yard.db.app, now).await.unwrap(), FireCounts { fired: 1, ..FireCounts::default() }, "{now}");
    let end = "update report_run set status = $1, finished_at = now() where status = 'queued'";
    sqlx::query(end).bind(status).execute(&yard.db.owner).await.unwrap();
}

async fn limit(yard: &Yard, vrednost: &str) {
    let mut tx = domain::db::begin(&yard.db.owner, 1).await.unwrap();
    let set = "update parameter set vrednost = $1 where naziv = 'zakazivanjeNajviseNeuspeha'";
    sqlx::query(set).bind(vrednost).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
}

/// What its owner is told by the card.
async fn told(yard: &Yard, schedule: i64) -> Option<String> {
    let reason = sqlx::query_scalar("select razlog_pauze from report_schedule where id = $1 and aktivan").bind(schedule);
    reason.fetch_one(&yard.db.owner).await.unwrap()
}

fn statuses(fires: Vec<(String, String)>) -> Vec<String> {
    fires.into_iter().map(|(_, status)| status).collect()
}

#[tokio::test]
async fn a_paused_schedule_makes_neither_runs_nor_missed_rows() {
    let yard = Yard::new().await;
    let schedule = yard.schedule(&daily("07:00"), at("2026-11-19T12:00:00Z")).await;
    let pause = "update report_schedule set pauzirano_od = now(), sledece_izvrsavanje = null, sledece_lokalno = null where id = $1";
    yard.administer(pause, schedule).await;
    assert_eq!(tick(&yard.db.app, at(MORNING) + DAY * 5).await.unwrap(), FireCounts::default());
    let resume =
        "update report_schedule set pauzirano_od = null, sledece_izvrsavanje = '2026-11-26T06:00Z', sledece_lokalno = '2026-11-26 07:00'
                   where id = $1";
    yard.administer(resume, schedule).await;
    assert_eq!(tick(&yard.db.app, at("2026-11-26T06:00:00Z")).await.unwrap(), FireCounts { fired: 1, ..FireCounts::default() });
    assert_eq!(yard.fires(schedule).await, [("2026-11-26 07:00".into(), "queued".into())]);
}

#[tokio::test]
async fn a_schedule_that_ended_with_its_report_fires_no_more() {
    let yard = Yard::new().await;
    let schedule = yard.schedule(&daily("07:00"), at("2026-11-19T12:00:00Z")).await;
    let another = yard.schedule(&daily("07:00"), at("2026-11-19T12:00:00Z")).await;
    let end = "update report_schedule set aktivan = false, sledece_izvrsavanje = null, sledece_lokalno = null where id = $1";
    yard.administer(end, schedule).await;
    assert_eq!(tick(&yard.db.app, at(MORNING)).await.unwrap(), FireCounts { fired: 1, ..FireCounts::default() });
    assert_eq!((yard.fires(schedule).await, yard.fires(another).await.len()), (vec![], 1));
}

#[tokio::test]
async fn as_many_failures_in_a_row_as_the_parameter_says_pause_the_schedule_and_tell_its_owner() {
    let yard = Yard::new().await;
    yard.administer("update worker set email = 'ana@kcs.rs' where id = $1", yard.worker).await;
    limit(&yard, "2").await;
    let schedule = yard.schedule(&daily("07:00"), at("2026-11-19T12:00:00Z")).await;
    for (day, status) in (0..).zip(["failed", "succeeded", "failed", "cancelled", "failed"]) {
        fire(&yard, at(MORNING) + DAY * day, status).await;
    }
    assert_eq!(told(&yard, schedule).await, None);
    assert_eq!(tick(&yard.db.app, at(MORNING) + DAY * 5).await.unwrap(), FireCounts { refused: 1, ..FireCounts::default() });
    let reason = "Pauzirano posle 2 neuspela izvršavanja zaredom.";
    assert_eq!(told(&yard, schedule).await.as_deref(), Some(reason));
    assert_eq!(yard.next(schedule).await, (None, true));
    assert_eq!(statuses(yard.fires(schedule).await), ["failed", "succeeded", "failed", "cancelled", "failed", "skipped_paused"]);
    let mailed = "select count(*) from report_run r join report_delivery d on d.run_id = r.id and d.address = 'ana@kcs.rs'
                   where r.status = 'skipped_paused' and r.error_text = 'Pauzirano posle 2 neuspela izvršavanja zaredom.' and not r.vlasnik_video";
    assert_eq!(yard.count(mailed).await, 1);
    assert_eq!(tick(&yard.db.app, at(MORNING) + DAY * 6).await.unwrap(), FireCounts::default());
}

#[tokio::test]
async fn five_failures_are_enough_where_the_parameter_says_nothing() {
    let yard = Yard::new().await;
    limit(&yard, "mnogo").await;
    let schedule = yard.schedule(&daily("07:00"), at("2026-11-19T12:00:00Z")).await;
    for day in 0..5 {
        fire(&yard, at(MORNING) + DAY * day, "failed").await;
    }
    assert_eq!(tick(&yard.db.app, at(MORNING) + DAY * 5).await.unwrap(), FireCounts { refused: 1, ..FireCounts::default() });
    assert_eq!(told(&yard, schedule).await.as_deref(), Some("Pauzirano posle 5 neuspelih izvršavanja zaredom."));
}

#[tokio::test]
async fn no_number_of_failures_pauses_where_the_parameter_is_zero() {
    let yard = Yard::new().await;
    limit(&yard, "0").await;
    let schedule = yard.schedule(&daily("07:00"), at("2026-11-19T12:00:00Z")).await;
    for day in 0..8 {
        fire(&yard, at(MORNING) + DAY * day, "failed").await;
    }
    assert_eq!(told(&yard, schedule).await, None);
}

#[tokio::test]
async fn failures_from_before_the_schedule_was_resumed_do_not_count() {
    let yard = Yard::new().await;
    limit(&yard, "1").await;
    let schedule = yard.schedule(&daily("07:00"), at("2026-11-19T12:00:00Z")).await;
    fire(&yard, at(MORNING), "failed").await;
    yard.administer("update report_schedule set neuspesi_od = now() where id = $1", schedule).await;
    fire(&yard, at(MORNING) + DAY, "failed").await;
    assert_eq!(tick(&yard.db.app, at(MORNING) + DAY * 2).await.unwrap(), FireCounts { refused: 1, ..FireCounts::default() });
    assert_eq!(told(&yard, schedule).await.as_deref(), Some("Pauzirano posle 1 neuspelog izvršavanja zaredom."));
}
