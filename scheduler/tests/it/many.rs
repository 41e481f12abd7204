//! Several schedulers on one database.

use std::{collections::BTreeSet, sync::Arc};

use domain::{
    recurrence::{RuleColumns, zone_named},
    relative_day::RelativeDay,
};
use jiff::{SignedDuration, Timestamp, ToSpan, civil};
use scheduler::fire::tick;
use serde_json::json;
use tokio::sync::Barrier;

use crate::support::{Yard, at, daily};

/// How wrong the clocks of the three schedulers are.
const SKEWS: [i64; 3] = [-90, 0, 90];
/// Words for days; schedules go through the pairs of them.
const DAYS: usize = RelativeDay::ALL.len();

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

/// Three schedulers with wrong clocks go through a year of both changes of the clock, twelve hours at a time, with five hundred
/// schedules whose days are told by the day of the fire.
#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
#[ignore = "long: a year of three schedulers"]
async fn a_simulated_year_of_three_schedulers_fires_what_the_calendar_says_and_nothing_twice() {
    let yard = Arc::new(Yard::new().await);
    let (begin, end) = (at("2026-11-01T00:00:00Z"), at("2027-11-01T00:00:00Z"));
    let mut expected = BTreeSet::new();
    for (i, rule) in rules().into_iter().enumerate() {
        let schedule = yard.schedule(&rule.stored, begin).await;
        let (from, until) = (RelativeDay::ALL[i % DAYS], RelativeDay::ALL[(i / DAYS) % DAYS]);
        sqlx::query("update report_schedule set parametri = $2 where id = $1")
            .bind(schedule)
            .bind(json!({ "od": from.stored(), "do": until.stored() }))
            .execute(&yard.db.owner)
            .await
            .unwrap();
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
    assert!(fired.len() > 7000, "{} fires only", fired.len());
    assert_eq!(yard.count("select count(*) from report_run where status not in ('queued', 'succeeded')").await, 0);
    assert_eq!(yard.wrong_days().await, Vec::<(i64, String)>::new());
}

impl Yard {
    /// Runs whose dates are not those that PostgreSQL's own calendar has for the words of their schedule: the schedule and its day.
    async fn wrong_days(&self) -> Vec<(i64, String)> {
        let calendar = "create function pg_temp.meant(word text, today date) returns date language sql as $$
            select (case word
                when 'danas' then today
                when 'juce' then today - 1
                when 'pre-7-dana' then today - 7
                when 'pre-30-dana' then today - 30
                when 'pre-12-meseci' then today - interval '12 months'
                when 'pocetak-nedelje' then date_trunc('week', today)
                when 'kraj-nedelje' then date_trunc('week', today) + interval '6 days'
                when 'pocetak-prosle-nedelje' then date_trunc('week', today) - interval '7 days'
                when 'kraj-prosle-nedelje' then date_trunc('week', today) - interval '1 day'
                when 'pocetak-meseca' then date_trunc('month', today)
                when 'kraj-meseca' then date_trunc('month', today) + interval '1 month' - interval '1 day'
                when 'pocetak-proslog-meseca' then date_trunc('month', today) - interval '1 month'
                when 'kraj-proslog-meseca' then date_trunc('month', today) - interval '1 day'
                when 'pocetak-kvartala' then date_trunc('quarter', today)
                when 'kraj-kvartala' then date_trunc('quarter', today) + interval '3 months' - interval '1 day'
                when 'pocetak-proslog-kvartala' then date_trunc('quarter', today) - interval '3 months'
                when 'kraj-proslog-kvartala' then date_trunc('quarter', today) - interval '1 day'
                when 'pocetak-godine' then date_trunc('year', today)
                when 'kraj-godine' then date_trunc('year', today) + interval '1 year' - interval '1 day'
                when 'pocetak-prosle-godine' then date_trunc('year', today) - interval '1 year'
                when 'kraj-prosle-godine' then date_trunc('year', today) - interval '1 day'
            end)::date $$";
        let wrong = "select s.id, to_char(r.fire_local, 'YYYY-MM-DD') from report_run r join report_schedule s on s.id = r.zakazivanje_id
                      where (r.parametri ->> 'od', r.parametri ->> 'do') is distinct from
                            (pg_temp.meant(s.parametri -> 'od' ->> 'dan', r.fire_local::date)::text,
                             pg_temp.meant(s.parametri -> 'do' ->> 'dan', r.fire_local::date)::text)";
        let mut own = self.db.owner.acquire().await.unwrap();
        sqlx::raw_sql(calendar).execute(&mut *own).await.unwrap();
        sqlx::query_as(wrong).fetch_all(&mut *own).await.unwrap()
    }
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
    stored: RuleColumns,
    on: Box<dyn Fn(civil::Date) -> bool>,
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
    let weekly = |days: &[i16], time| RuleColumns { period: Some(1), dan_nedelja: days.to_vec(), ..daily(time) };
    let monthly = |days: &[i16], policy: &str, time: &str| RuleColumns {
        period: Some(2),
        dan_mesec: days.to_vec(),
        politika_dana: policy.into(),
        ..daily(time)
    };
    let in_zone = |zone: &str, time| RuleColumns { vremenska_zona: zone.into(), ..daily(time) };
    let (first, last) = (civil::date(2027, 3, 20), civil::date(2027, 4, 5));
    let spring = RuleColumns { vazi_od: Some(first), vazi_do: Some(last), ..daily("02:15") };
    let mut rules = vec![
        ruled(daily("00:00"), |_| true),
        ruled(daily("02:00"), |_| true),
        ruled(daily("02:30"), |_| true),
        ruled(daily("03:00"), |_| true),
        ruled(weekly(&[1], "02:30"), |date| date.weekday() == Sunday),
        ruled(weekly(&[2, 6], "07:00"), |date| matches!(date.weekday(), Monday | Friday)),
        ruled(monthly(&[31], "skip", "07:00"), |date| date.day() == 31),
        ruled(monthly(&[31], "last_day", "07:00"), |date| date.day() == date.days_in_month()),
        ruled(monthly(&[1, 30], "last_day", "23:59"), |date| {
            date.day() == 1 || date.day() == 30 || (date.month() == 2 && date.day() == 28)
        }),
        ruled(in_zone("America/New_York", "02:30"), |_| true),
        ruled(spring, move |date| date >= first && date <= last),
    ];
    // Most hospitals' reports are monthly ones.
    for i in rules.len()..500 {
        let (day, hour) = (i % 28 + 1, i % 24);
        let stored = monthly(&[day as i16], "skip", &format!("{hour:02}:30"));
        let zone = ["Europe/Belgrade", "America/New_York", "Asia/Tokyo"][i % 3];
        rules.push(ruled(RuleColumns { vremenska_zona: zone.into(), ..stored }, move |date| date.day() == day as i8));
    }
    rules
}

fn ruled(stored: RuleColumns, on: impl Fn(civil::Date) -> bool + 'static) -> Ruled {
    Ruled { stored, on: Box::new(on) }
}
