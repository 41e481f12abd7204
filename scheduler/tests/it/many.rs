//! Several schedulers on one database.

use std::{collections::BTreeSet, sync::Arc};

use domain::recurrence::{Stored, zone_named};
use jiff::{SignedDuration, Timestamp, ToSpan, civil};
use scheduler::fire::tick;
use tokio::sync::Barrier;

use crate::support::{Yard, at, daily};

/// How wrong the clocks of the three schedulers are.
const SKEWS: [i64; 3] = [-90, 0, 90];

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn five_hundred_schedules_due_at_one_moment_fire_once_each() {
    let yard = Arc::new(Yard::new().await);
    let moment = at("2026-11-20T06:00:00Z");
    let copies = "insert into report_schedule (izvestaj_id, radnik_id, ustanova_id, ponavljanje, vreme_izvrsavanja_visetruko, period,
                      formati, sledece_izvrsavanje, sledece_lokalno)
                  select izvestaj_id, radnik_id, ustanova_id, ponavljanje, vreme_izvrsavanja_visetruko, period, formati,
                         sledece_izvrsavanje, sledece_lokalno from report_schedule, generate_series(1, 499) where id = $1";
    let first = yard.schedule(&daily("07:00"), moment - 1.hour()).await;
    sqlx::query(copies).bind(first).execute(&yard.db.owner).await.unwrap();

    let ticks = SKEWS.map(|_| {
        tokio::spawn({
            let yard = yard.clone();
            async move { tick(&yard.db.app, moment).await.unwrap().fired }
        })
    });
    let mut fired = Vec::new();
    for done in ticks {
        fired.push(done.await.unwrap());
    }
    assert_eq!(fired.iter().sum::<usize>(), 500, "{fired:?}");
    assert!(fired.iter().filter(|share| **share > 0).count() > 1, "the schedulers share the work: {fired:?}");
    assert_eq!(yard.count("select count(distinct zakazivanje_id) from report_run").await, 500);
    assert_eq!(yard.count("select count(*) from report_run").await, 500);
}

/// Three schedulers with wrong clocks go through a year of both changes of the clock, twelve hours at a time.
#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn a_simulated_year_of_three_schedulers_fires_what_the_calendar_says_and_nothing_twice() {
    let yard = Arc::new(Yard::new().await);
    let (begin, end) = (at("2026-11-01T00:00:00Z"), at("2027-11-01T00:00:00Z"));
    let mut expected = BTreeSet::new();
    for rule in rules() {
        let schedule = yard.schedule(&rule.stored, begin).await;
        for local in rule.calendar(begin, end + SignedDuration::from_secs(90)) {
            expected.insert((schedule, local));
        }
    }

    let barrier = Arc::new(Barrier::new(SKEWS.len()));
    let schedulers = SKEWS.map(|skew| tokio::spawn(live_through(yard.clone(), barrier.clone(), skew, begin, end)));
    for scheduler in schedulers {
        scheduler.await.unwrap();
    }

    let fired: Vec<(i64, String)> =
        sqlx::query_as("select zakazivanje_id, to_char(fire_local, 'YYYY-MM-DD HH24:MI') from report_run order by 1, 2")
            .fetch_all(&yard.db.owner)
            .await
            .unwrap();
    let distinct: BTreeSet<_> = fired.iter().cloned().collect();
    assert_eq!(distinct.len(), fired.len(), "a fire happened twice");
    assert_eq!(distinct.difference(&expected).collect::<Vec<_>>(), Vec::<&(i64, String)>::new(), "not in the calendar");
    assert_eq!(expected.difference(&distinct).collect::<Vec<_>>(), Vec::<&(i64, String)>::new(), "did not fire");
    assert!(fired.len() > 1000, "{} fires only", fired.len());
    assert_eq!(yard.count("select count(*) from report_run where status not in ('queued', 'succeeded')").await, 0);
}

async fn live_through(yard: Arc<Yard>, barrier: Arc<Barrier>, skew: i64, begin: Timestamp, end: Timestamp) {
    let mut now = begin;
    while now < end {
        now += 12.hours();
        if barrier.wait().await.is_leader() {
            let ended = "update report_run set status = 'succeeded', finished_at = now() where status = 'queued'";
            sqlx::query(ended).execute(&yard.db.owner).await.unwrap();
        }
        barrier.wait().await;
        tick(&yard.db.app, now + SignedDuration::from_secs(skew)).await.unwrap();
    }
}

/// A rule, and which days it means, said without the code that is tested.
struct Ruled {
    stored: Stored,
    on: fn(civil::Date) -> bool,
}

impl Ruled {
    fn calendar(&self, begin: Timestamp, end: Timestamp) -> Vec<String> {
        let zone = zone_named(&self.stored.vremenska_zona).unwrap();
        let time = self.stored.vreme_izvrsavanja_visetruko.unwrap();
        let days = civil::date(2026, 10, 30).series(1.day()).take(370).filter(|date| (self.on)(*date));
        let within = |local: &civil::DateTime| {
            let instant = zone.to_ambiguous_timestamp(*local).compatible().unwrap();
            begin < instant && instant <= end
        };
        days.map(|date| date.to_datetime(time)).filter(within).map(|local| local.strftime("%Y-%m-%d %H:%M").to_string()).collect()
    }
}

fn rules() -> Vec<Ruled> {
    use civil::Weekday::{Friday, Monday, Sunday};
    let weekly = |days: &[i16], time| Stored { period: Some(1), dan_nedelja: days.to_vec(), ..daily(time) };
    let monthly = |days: &[i16], policy: &str, time| Stored {
        period: Some(2),
        dan_mesec: days.to_vec(),
        politika_dana: policy.into(),
        ..daily(time)
    };
    let in_zone = |zone: &str, time| Stored { vremenska_zona: zone.into(), ..daily(time) };
    vec![
        Ruled { stored: daily("00:00"), on: |_| true },
        Ruled { stored: daily("02:00"), on: |_| true },
        Ruled { stored: daily("02:30"), on: |_| true },
        Ruled { stored: daily("03:00"), on: |_| true },
        Ruled { stored: weekly(&[1], "02:30"), on: |date| date.weekday() == Sunday },
        Ruled { stored: weekly(&[2, 6], "07:00"), on: |date| matches!(date.weekday(), Monday | Friday) },
        Ruled { stored: monthly(&[31], "skip", "07:00"), on: |date| date.day() == 31 },
        Ruled { stored: monthly(&[31], "last_day", "07:00"), on: |date| date.day() == date.days_in_month() },
        Ruled {
            stored: monthly(&[1, 30], "last_day", "23:59"),
            on: |date| date.day() == 1 || date.day() == 30 || (date.month() == 2 && date.day() == 28),
        },
        Ruled { stored: in_zone("America/New_York", "02:30"), on: |_| true },
        Ruled {
            stored: Stored { vazi_od: Some(civil::date(2027, 3, 20)), vazi_do: Some(civil::date(2027, 4, 5)), ..daily("02:15") },
            on: |date| date >= civil::date(2027, 3, 20) && date <= civil::date(2027, 4, 5),
        },
    ]
}
