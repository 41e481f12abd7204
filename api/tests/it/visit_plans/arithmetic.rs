//! Ten thousand plans against an oracle that counts days by itself: month ends, 29 February, both edges of each window.

use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::{Value, json};
use sqlx::Row;

use crate::support::TestApp;

/// Days since 1 January of year 0, counted by hand: nothing of it is the database's or a library's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Day {
    year: i64,
    month: i64,
    day: i64,
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn month_length(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl Day {
    fn plus_days(self, mut days: i64) -> Self {
        let mut at = self;
        while days > 0 {
            at.day += 1;
            if at.day > month_length(at.year, at.month) {
                at.day = 1;
                at.month += 1;
                if at.month > 12 {
                    (at.month, at.year) = (1, at.year + 1);
                }
            }
            days -= 1;
        }
        while days < 0 {
            at.day -= 1;
            if at.day == 0 {
                at.month -= 1;
                if at.month == 0 {
                    (at.month, at.year) = (12, at.year - 1);
                }
                at.day = month_length(at.year, at.month);
            }
            days += 1;
        }
        at
    }

    fn plus_months(self, months: i64) -> Self {
        let all = self.year * 12 + self.month - 1 + months;
        let (year, month) = (all.div_euclid(12), all.rem_euclid(12) + 1);
        Self { year, month, day: self.day.min(month_length(year, month)) }
    }

    fn text(self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[derive(Clone, Debug)]
struct Item {
    sidro: &'static str,
    pomeraj: i64,
    jedinica: &'static str,
    pre: i64,
    posle: i64,
    ceka: i64,
    ponavlja: Option<i64>,
    until: Option<i64>,
}

/// A day that calendars are wrong about, more often than not.
fn inclusion(dice: &mut StdRng) -> Day {
    let year = dice.random_range(1999..2031);
    match dice.random_range(0..4) {
        0 => Day { year: 1996 + 4 * dice.random_range(0..9), month: 2, day: 29 },
        1 => {
            let month = dice.random_range(1..13);
            Day { year, month, day: month_length(year, month) }
        }
        2 => Day { year, month: 12, day: 31 },
        _ => {
            let month = dice.random_range(1..13);
            Day { year, month, day: dice.random_range(1..=month_length(year, month)) }
        }
    }
}

fn items(dice: &mut StdRng) -> Vec<Item> {
    let count = dice.random_range(1..6);
    let item = |place: usize, dice: &mut StdRng| {
        let last = place + 1 == count;
        let ponavlja = (last && dice.random_bool(0.5)).then(|| dice.random_range(1..13));
        Item {
            sidro: if place > 0 && dice.random_bool(0.3) { "prethodna" } else { "ukljucenje" },
            pomeraj: dice.random_range(0..30),
            jedinica: ["dan", "nedelja", "mesec"].choose(dice).copied().unwrap(),
            pre: dice.random_range(0..60),
            posle: dice.random_range(0..60),
            ceka: dice.random_range(0..120),
            ponavlja,
            until: ponavlja.filter(|_| dice.random_bool(0.5)).map(|_| dice.random_range(1..60)),
        }
    };
    (0..count).map(|place| item(place, dice)).collect()
}

fn after(day: Day, offset: i64, unit: &str) -> Day {
    match unit {
        "dan" => day.plus_days(offset),
        "nedelja" => day.plus_days(7 * offset),
        _ => day.plus_months(offset),
    }
}

/// Code, number, target, window and last day of waiting of each visit.
type Window = (String, i64, Day, Day, Day, Day);

fn oracle(items: &[Item], included: Day, end: Day) -> Vec<Window> {
    let mut rows: Vec<(String, i64, Day, Day, Day, i64)> = Vec::new();
    let mut previous = included;
    for (place, item) in items.iter().enumerate() {
        let anchor = if item.sidro == "prethodna" { previous } else { included };
        let mut before = anchor;
        for turn in 0.. {
            let target = match (turn, item.ponavlja) {
                (0, _) => after(anchor, item.pomeraj, item.jedinica),
                (_, None) => break,
                (_, Some(every)) if item.sidro == "prethodna" => before.plus_months(every),
                (_, Some(every)) if item.jedinica == "mesec" => anchor.plus_months(item.pomeraj + turn * every),
                (_, Some(every)) => after(anchor, item.pomeraj, item.jedinica).plus_months(turn * every),
            };
            if turn > 0 && (target > end || item.until.is_some_and(|months| target > anchor.plus_months(months))) {
                break;
            }
            rows.push((format!("V{place}"), turn, target, target.plus_days(-item.pre), target.plus_days(item.posle), item.ceka));
            (before, previous) = (target, target);
        }
    }
    let opens: Vec<(Day, Day)> = rows.iter().map(|row| (row.2, row.3)).collect();
    let waited = |target: Day, closes: Day, days: i64| {
        let longest = closes.plus_days(days);
        let next = opens.iter().filter(|(other, _)| *other > target).map(|(_, from)| *from).min();
        let last = next.map_or(longest, |from| longest.min(from.plus_days(-1)));
        last.max(closes)
    };
    let mut windows: Vec<Window> = rows
        .iter()
        .map(|(code, turn, target, from, until, days)| (code.clone(), *turn, *target, *from, *until, waited(*target, *until, *days)))
        .collect();
    windows.sort_by(|a, b| (a.2, &a.0, a.1).cmp(&(b.2, &b.0, b.1)));
    windows
}

fn columns(items: &[Item]) -> Value {
    let item = |(place, item): (usize, &Item)| {
        json!({ "redosled": place + 1, "sifra": format!("V{place}"), "sidro": item.sidro, "pomeraj": item.pomeraj, "jedinica": item.jedinica,
                "prozor_pre": item.pre, "prozor_posle": item.posle, "ceka_dana": item.ceka, "ponavlja_meseci": item.ponavlja,
                "ponavlja_do_meseci": item.until })
    };
    items.iter().enumerate().map(item).collect()
}

#[tokio::test]
async fn ten_thousand_plans_are_dated_as_an_oracle_dates_them_and_each_edge_has_its_state() {
    let app = TestApp::new().await;
    let mut dice = StdRng::seed_from_u64(44);
    for turn in 0..10_000 {
        let (items, included) = (items(&mut dice), inclusion(&mut dice));
        let end = included.plus_months(48);
        let wanted = oracle(&items, included, end);
        let rows = sqlx::query(
            "select d.sifra, d.red::bigint, d.cilj::text, d.prozor_od::text, d.prozor_do::text, d.ceka_do::text,
                    (select array_agg(visit_state(jsonb_populate_record(null::planned_visit, to_jsonb(d)), x.dan) order by x.n)
                       from unnest(array[d.prozor_od - 1, d.prozor_od, d.prozor_do, d.prozor_do + 1, d.ceka_do, d.ceka_do + 1]) with ordinality x (dan, n))
               from preview_visits($1, $2::date, '{}', $3::date) d",
        )
        .bind(columns(&items))
        .bind(included.text())
        .bind(end.text())
        .fetch_all(&app.db.owner)
        .await
        .unwrap();
        let text = |row: &sqlx::postgres::PgRow, at: usize| row.get::<String, _>(at);
        let given: Vec<_> =
            rows.iter().map(|row| (text(row, 0), row.get::<i64, _>(1), text(row, 2), text(row, 3), text(row, 4), text(row, 5))).collect();
        let said: Vec<_> = wanted.iter().map(|(code, n, a, b, c, d)| (code.clone(), *n, a.text(), b.text(), c.text(), d.text())).collect();
        assert_eq!(given, said, "plan {turn}: {items:?} from {}", included.text());
        for (row, (.., until, waited)) in rows.iter().zip(&wanted) {
            let late = if waited > until { "kasni" } else { "propustena" };
            let last = if waited > until { "kasni" } else { "otvorena" };
            let states: Vec<String> = row.get(6);
            assert_eq!(states, ["buduca", "otvorena", "otvorena", late, last, "propustena"], "plan {turn}: {items:?}");
        }
    }
}

#[test]
fn the_oracle_knows_the_calendar() {
    let day = |year, month, day| Day { year, month, day };
    assert_eq!(day(2024, 2, 29).plus_months(12), day(2025, 2, 28));
    assert_eq!(day(2023, 1, 31).plus_months(1), day(2023, 2, 28));
    assert_eq!(day(2023, 12, 31).plus_days(60), day(2024, 2, 29));
    assert_eq!(day(2024, 3, 1).plus_days(-1), day(2024, 2, 29));
    assert_eq!(day(2100, 2, 28).plus_days(1), day(2100, 3, 1));
}
