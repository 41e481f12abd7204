use jiff::{Timestamp, ToSpan, civil};
use proptest::prelude::*;

use super::*;

/// A daily schedule in Belgrade; tests change what they are about.
fn stored(time: &str) -> RuleColumns {
    RuleColumns {
        ponavljanje: 1,
        vreme_izvrsavanja_jednostruko: None,
        vreme_izvrsavanja_visetruko: Some(time.parse().unwrap()),
        vazi_od: None,
        vazi_do: None,
        period: Some(0),
        dan_nedelja: Vec::new(),
        dan_mesec: Vec::new(),
        politika_dana: "skip".into(),
        vremenska_zona: "Europe/Belgrade".into(),
    }
}

fn daily(time: &str) -> Rule {
    stored(time).rule().unwrap()
}

fn weekly(days: &[i16], time: &str) -> Rule {
    RuleColumns { period: Some(1), dan_nedelja: days.to_vec(), ..stored(time) }.rule().unwrap()
}

fn monthly(days: &[i16], policy: &str, time: &str) -> Rule {
    RuleColumns { period: Some(2), dan_mesec: days.to_vec(), politika_dana: policy.into(), ..stored(time) }.rule().unwrap()
}

fn once(local: &str) -> Rule {
    let local = Some(local.parse().unwrap());
    RuleColumns { ponavljanje: 0, vreme_izvrsavanja_jednostruko: local, ..stored("00:00") }.rule().unwrap()
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// The nominal local dates that fire in the given year.
fn dates(rule: &Rule, year: i16) -> Vec<String> {
    let (from, to) = (civil::date(year, 1, 1), civil::date(year + 1, 1, 1));
    let start = |date: civil::Date| date.to_zoned(rule.zone.clone()).unwrap().timestamp();
    let (fires, cut) = between(rule, start(from), start(to), 400);
    assert!(!cut);
    fires.iter().map(|fire| fire.local.date().to_string()).collect()
}

#[test]
fn both_change_days_fire_by_the_table() {
    // Time of the rule, day, instant of that day's fire. On 28 March 2027 the clock goes from 02:00 to 03:00, on
    // 25 October 2026 and 31 October 2027 from 03:00 back to 02:00.
    let table = [
        ("01:59", "2027-03-28", "2027-03-28T00:59:00Z"),
        ("02:00", "2027-03-28", "2027-03-28T01:00:00Z"),
        ("02:30", "2027-03-28", "2027-03-28T01:30:00Z"),
        ("03:00", "2027-03-28", "2027-03-28T01:00:00Z"),
        ("01:59", "2026-10-25", "2026-10-24T23:59:00Z"),
        ("02:00", "2026-10-25", "2026-10-25T00:00:00Z"),
        ("02:30", "2026-10-25", "2026-10-25T00:30:00Z"),
        ("03:00", "2026-10-25", "2026-10-25T02:00:00Z"),
        ("01:59", "2027-10-31", "2027-10-30T23:59:00Z"),
        ("02:00", "2027-10-31", "2027-10-31T00:00:00Z"),
        ("02:30", "2027-10-31", "2027-10-31T00:30:00Z"),
        ("03:00", "2027-10-31", "2027-10-31T02:00:00Z"),
    ];
    for (time, day, expected) in table {
        let day: civil::Date = day.parse().unwrap();
        let rule = daily(time);
        let noon_before = day.yesterday().unwrap().at(12, 0, 0, 0).to_zoned(rule.zone.clone()).unwrap().timestamp();
        let fires = next_n(&rule, noon_before, 2);
        assert_eq!(fires[0], Fire { at: at(expected), local: day.to_datetime(time.parse().unwrap()) }, "{time} on {day}");
        assert_eq!(fires[1].local.date(), day.tomorrow().unwrap(), "{time} on {day} fires once");
    }
}

#[test]
fn a_skipped_time_fires_right_after_the_gap_by_the_clock_on_the_wall() {
    let rule = daily("02:30");
    let fire = next_after(&rule, at("2027-03-27T12:00:00Z")).unwrap();
    assert_eq!(rule.zone.to_datetime(fire.at).to_string(), "2027-03-28T03:30:00");
    assert_eq!(fire.local.to_string(), "2027-03-28T02:30:00");
}

#[test]
fn between_the_two_passes_of_a_repeated_hour_the_next_fire_is_tomorrow() {
    let rule = daily("02:30");
    let between_passes = at("2026-10-25T01:00:00Z");
    assert_eq!(next_after(&rule, between_passes).unwrap().at, at("2026-10-26T01:30:00Z"));
}

#[test]
fn the_next_fire_is_strictly_later_than_the_moment_asked_about() {
    let rule = daily("07:00");
    let fire = next_after(&rule, at("2026-07-01T00:00:00Z")).unwrap();
    assert_eq!(fire.at, at("2026-07-01T05:00:00Z"));
    assert_eq!(next_after(&rule, fire.at).unwrap().at, at("2026-07-02T05:00:00Z"));
    assert_eq!(next_after(&rule, at("2026-07-01T04:59:59.999999999Z")).unwrap(), fire);
}

#[test]
fn years_end_and_begin_without_a_missing_day() {
    let fires = next_n(&daily("00:00"), at("2026-12-30T12:00:00Z"), 3);
    let locals: Vec<_> = fires.iter().map(|fire| fire.local.to_string()).collect();
    assert_eq!(locals, ["2026-12-31T00:00:00", "2027-01-01T00:00:00", "2027-01-02T00:00:00"]);
    assert_eq!(dates(&daily("23:59"), 2027).len(), 365);
    assert_eq!(dates(&daily("23:59"), 2028).len(), 366);
}

#[test]
fn weekday_one_is_sunday_and_seven_is_saturday() {
    let start = at("2026-11-02T12:00:00Z");
    let expected = ["2026-11-08", "2026-11-09", "2026-11-03", "2026-11-04", "2026-11-05", "2026-11-06", "2026-11-07"];
    for (number, date) in (1..=7).zip(expected) {
        assert_eq!(next_after(&weekly(&[number], "07:00"), start).unwrap().local.date().to_string(), date, "{number}");
    }
    assert_eq!(Weekdays::from_numbers(&[0]), None);
    assert_eq!(Weekdays::from_numbers(&[8]), None);
}

#[test]
fn twenty_ninth_of_february_fires_in_leap_years_only() {
    let february = |year| {
        let dates = dates(&monthly(&[29], "skip", "07:00"), year);
        assert_eq!(dates.len(), if civil::date(year, 1, 1).in_leap_year() { 12 } else { 11 });
        dates.contains(&format!("{year}-02-29"))
    };
    assert!(february(2028));
    assert!(!february(2027));
    assert!(!february(2100));
}

#[test]
fn shorter_months_are_skipped_or_fire_on_their_last_day() {
    assert_eq!(dates(&monthly(&[31], "skip", "07:00"), 2027).len(), 7);
    assert_eq!(dates(&monthly(&[30], "skip", "07:00"), 2027).len(), 11);
    let last = dates(&monthly(&[31], "last_day", "07:00"), 2027);
    assert_eq!(last.len(), 12);
    assert_eq!(last[1], "2027-02-28");
    assert_eq!(last[3], "2027-04-30");
    assert_eq!(dates(&monthly(&[30], "last_day", "07:00"), 2028)[1], "2028-02-29");
}

#[test]
fn two_days_that_fall_on_one_last_day_fire_once() {
    let dates = dates(&monthly(&[28, 29, 30, 31], "last_day", "07:00"), 2027);
    assert_eq!(dates.iter().filter(|date| date.starts_with("2027-02")).count(), 1);
    assert_eq!(dates.iter().filter(|date| date.starts_with("2027-04")).count(), 3);
    assert_eq!(dates.iter().filter(|date| date.starts_with("2027-01")).count(), 4);
}

#[test]
fn validity_includes_its_first_and_last_local_date() {
    let rule =
        RuleColumns { vazi_od: Some("2027-05-10".parse().unwrap()), vazi_do: Some("2027-05-12".parse().unwrap()), ..stored("00:15") };
    // 00:15 in Belgrade is still the day before in UTC.
    assert_eq!(dates(&rule.rule().unwrap(), 2027), ["2027-05-10", "2027-05-11", "2027-05-12"]);
    let late = RuleColumns { vreme_izvrsavanja_visetruko: Some("23:59".parse().unwrap()), ..rule };
    assert_eq!(dates(&late.rule().unwrap(), 2027), ["2027-05-10", "2027-05-11", "2027-05-12"]);
}

#[test]
fn a_rule_that_cannot_fire_is_found() {
    let now = at("2027-01-01T00:00:00Z");
    let april = RuleColumns {
        period: Some(2),
        dan_mesec: vec![31],
        vazi_od: Some("2027-04-01".parse().unwrap()),
        vazi_do: Some("2027-04-30".parse().unwrap()),
        ..stored("07:00")
    };
    assert!(never_fires(&april.rule().unwrap(), now));
    let last_day = RuleColumns { politika_dana: "last_day".into(), ..april };
    assert!(!never_fires(&last_day.rule().unwrap(), now));
    assert!(never_fires(&once("2026-12-31T23:59"), now));
    assert!(!never_fires(&once("2027-01-01T01:01"), now));
}

#[test]
fn a_single_execution_fires_once_even_inside_a_gap() {
    let rule = once("2027-03-28T02:15");
    let fires = next_n(&rule, at("2027-01-01T00:00:00Z"), 5);
    assert_eq!(fires.len(), 1);
    assert_eq!(fires[0].at, at("2027-03-28T01:15:00Z"));
}

#[test]
fn a_distant_beginning_is_waited_for() {
    let rule = RuleColumns { vazi_od: Some("2031-06-01".parse().unwrap()), ..stored("07:00") }.rule().unwrap();
    assert_eq!(next_after(&rule, at("2026-01-01T00:00:00Z")).unwrap().at, at("2031-06-01T05:00:00Z"));
}

#[test]
fn the_end_of_time_ends_the_rule_instead_of_failing() {
    let rule = daily("07:00");
    assert_eq!(next_after(&rule, Timestamp::MAX), None);
    assert!(next_n(&rule, at("9999-12-28T00:00:00Z"), 100).len() < 5);
    assert!(next_after(&rule, Timestamp::MIN).is_some());
}

#[test]
fn a_zone_of_half_hours_and_one_that_lost_a_day_keep_their_clock() {
    let kolkata = RuleColumns { vremenska_zona: "Asia/Kolkata".into(), ..stored("07:00") }.rule().unwrap();
    assert_eq!(next_after(&kolkata, at("2027-01-01T00:00:00Z")).unwrap().at, at("2027-01-01T01:30:00Z"));
    // Samoa had no 30 December 2011.
    let apia = RuleColumns { vremenska_zona: "Pacific/Apia".into(), ..stored("10:00") }.rule().unwrap();
    let fires = next_n(&apia, at("2011-12-29T00:00:00Z"), 4);
    assert!(fires.windows(2).all(|pair| pair[0].at < pair[1].at));
    let shown: Vec<_> = fires.iter().map(|fire| apia.zone.to_datetime(fire.at).date().to_string()).collect();
    assert_eq!(shown, ["2011-12-29", "2011-12-31", "2012-01-01", "2012-01-02"]);
}

#[test]
fn a_calendar_window_is_half_open_and_says_when_it_was_cut() {
    let rule = daily("07:00");
    let (from, to) = (at("2026-07-01T05:00:00Z"), at("2026-07-04T05:00:00Z"));
    let (fires, cut) = between(&rule, from, to, 10);
    assert_eq!((fires.len(), cut), (3, false));
    let (fires, cut) = between(&rule, from, to, 2);
    assert_eq!((fires.len(), cut), (2, true));
}

#[test]
fn columns_that_make_no_rule_name_their_field() {
    let refused = |stored: RuleColumns| stored.rule().unwrap_err().field;
    assert_eq!(refused(RuleColumns { vremenska_zona: "Evropa/Beograd".into(), ..stored("07:00") }), "vremenskaZona");
    assert_eq!(refused(RuleColumns { ponavljanje: 0, ..stored("07:00") }), "datumVreme");
    assert_eq!(refused(RuleColumns { ponavljanje: 2, ..stored("07:00") }), "ponavljanje");
    assert_eq!(refused(RuleColumns { vreme_izvrsavanja_visetruko: None, ..stored("07:00") }), "vreme");
    assert_eq!(refused(RuleColumns { period: None, ..stored("07:00") }), "period");
    assert_eq!(refused(RuleColumns { period: Some(1), ..stored("07:00") }), "danNedelja");
    assert_eq!(refused(RuleColumns { period: Some(2), dan_mesec: vec![32], ..stored("07:00") }), "danMesec");
    let politika_dana = "ponekad".into();
    assert_eq!(refused(RuleColumns { period: Some(2), dan_mesec: vec![1], politika_dana, ..stored("07:00") }), "politikaDana");
    let (vazi_od, vazi_do) = (Some(civil::date(2027, 2, 2)), Some(civil::date(2027, 2, 1)));
    assert_eq!(refused(RuleColumns { vazi_od, vazi_do, ..stored("07:00") }), "periodDo");
    let one_day = RuleColumns { vazi_od, vazi_do: vazi_od, ..stored("07:00") };
    assert_eq!(dates(&one_day.rule().unwrap(), 2027), ["2027-02-02"]);
}

#[test]
fn a_rule_is_said_in_serbian() {
    let said = |rule: Rule| description_sr(&rule);
    assert_eq!(said(daily("07:00")), "svakog dana u 07:00");
    assert_eq!(said(weekly(&[5, 2], "07:00")), "svakog ponedeljka i četvrtka u 07:00");
    assert_eq!(said(weekly(&[1, 7], "18:30")), "svake subote i nedelje u 18:30");
    assert_eq!(said(weekly(&[3, 4, 6], "07:00")), "svakog utorka, srede i petka u 07:00");
    assert_eq!(said(weekly(&[2, 3, 4, 5, 6], "07:00")), "svakog dana od ponedeljka do petka u 07:00");
    assert_eq!(said(weekly(&[2, 3, 4, 5, 7], "07:00")), "svakog ponedeljka, utorka, srede, četvrtka i subote u 07:00");
    assert_eq!(said(weekly(&[1, 2, 3, 4, 5, 6, 7], "07:00")), "svakog dana u 07:00");
    assert_eq!(said(monthly(&[15, 1], "skip", "07:00")), "svakog 1. i 15. u mesecu u 07:00");
    assert_eq!(said(monthly(&[31], "skip", "07:00")), "svakog 31. u mesecu u 07:00");
    assert_eq!(said(monthly(&[31], "last_day", "07:00")), "svakog poslednjeg dana u mesecu u 07:00");
    assert_eq!(said(monthly(&[15, 30], "last_day", "07:00")), "svakog 15. i 30. u mesecu (u kraćem mesecu poslednjeg dana) u 07:00");
    assert_eq!(said(monthly(&[29], "last_day", "07:00")), "svakog 29. u mesecu (u kraćem mesecu poslednjeg dana) u 07:00");
    assert_eq!(said(monthly(&[28], "last_day", "07:00")), "svakog 28. u mesecu u 07:00", "every month has it");
    assert_eq!(said(once("2027-03-05T07:00")), "jednom, 05.03.2027. 07:00");
    let (vazi_od, vazi_do) = (Some(civil::date(2027, 3, 1)), Some(civil::date(2027, 12, 31)));
    let both = RuleColumns { vazi_od, vazi_do, ..stored("07:00") };
    assert_eq!(said(both.rule().unwrap()), "svakog dana u 07:00, od 01.03.2027. do 31.12.2027.");
    let until = RuleColumns { vazi_od: None, vremenska_zona: "Europe/London".into(), ..both };
    assert_eq!(said(until.rule().unwrap()), "svakog dana u 07:00, do 31.12.2027. (Europe/London)");
}

#[test]
fn a_rule_warns_of_what_a_person_may_not_expect() {
    let now = at("2027-01-10T12:00:00Z");
    let warned = |rule: Rule| warning_sr(&rule, now).unwrap_or_default();
    assert_eq!(warned(daily("07:00")), "");
    assert_eq!(warned(monthly(&[28], "skip", "07:00")), "");
    assert_eq!(warned(monthly(&[31], "last_day", "07:00")), "");
    assert_eq!(warned(monthly(&[1, 31], "skip", "07:00")), "U mesecima koji nemaju 31. dan taj dan se preskače.");
    assert_eq!(warned(monthly(&[29, 30, 31], "skip", "07:00")), "U mesecima koji nemaju 29., 30. ili 31. dan taj dan se preskače.");
    assert_eq!(warned(daily("02:30")), "28.03.2027. sat se pomera, pa se umesto u 02:30 izvršava u 03:30.");
    assert_eq!(warned(once("2027-01-10T12:00")), "Po ovom rasporedu izveštaj se nikada neće izvršiti.");
}

/// Minute by minute, by the clock on the wall and nothing else: what a person watching it would expect of a daily rule.
fn watched(rule: &Rule, time: civil::Time, from: Timestamp, minutes: i64) -> Vec<Timestamp> {
    let mut fired = std::collections::BTreeMap::new();
    let mut previous = rule.zone.to_datetime(from - 1.minute());
    for minute in 0..minutes {
        let moment = from + minute.minutes();
        let shown = rule.zone.to_datetime(moment);
        let nominal = shown.date().to_datetime(time);
        let jumped = previous < nominal && nominal < shown && shown.duration_since(previous).as_secs() > 60;
        if shown == nominal {
            fired.entry(shown.date()).or_insert(moment);
        } else if jumped {
            // The jump leads from `previous` + 1 min to `shown`; the rule fires as far behind it as it stood inside it.
            let inside = nominal.duration_since(previous).as_secs() - 60;
            fired.entry(shown.date()).or_insert(moment + inside.seconds());
        }
        previous = shown;
    }
    fired.into_values().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_daily_rule_fires_as_a_watcher_of_the_clock_would_see_it(
        minute_of_day in 0i8..=119, change in 0usize..4, zone in prop::sample::select(vec!["Europe/Belgrade", "Europe/Berlin"]),
    ) {
        let time = civil::time(1 + minute_of_day / 60, minute_of_day % 60, 0, 0);
        let rule = RuleColumns { vremenska_zona: zone.into(), ..stored(&time.to_string()) }.rule().unwrap();
        let from = at(["2026-03-28T00:00:00Z", "2026-10-24T00:00:00Z", "2027-03-27T00:00:00Z", "2027-10-30T00:00:00Z"][change]);
        let (fires, _) = between(&rule, from, from + (72 * 60).minutes(), 10);
        let fires: Vec<_> = fires.iter().map(|fire| fire.at).collect();
        prop_assert_eq!(fires, watched(&rule, time, from, 72 * 60));
    }

    #[test]
    fn fires_increase_and_no_local_date_fires_twice(
        minute_of_day in 0i32..1440, period in 0i16..=2, weekdays in prop::collection::vec(1i16..=7, 1..4),
        monthdays in prop::collection::vec(1i16..=31, 1..4), last_day: bool, start_day in 0i32..4000,
        zone in prop::sample::select(vec!["Europe/Belgrade", "America/New_York", "Asia/Beirut", "Pacific/Apia", "Australia/Lord_Howe", "America/Sao_Paulo"]),
    ) {
        let rule = RuleColumns {
            vreme_izvrsavanja_visetruko: Some(civil::Time::midnight() + minute_of_day.minutes()),
            period: Some(period), dan_nedelja: weekdays, dan_mesec: monthdays,
            politika_dana: if last_day { "last_day" } else { "skip" }.into(), vremenska_zona: zone.into(), ..stored("00:00")
        }.rule().unwrap();
        let start = at("2008-01-01T00:00:00Z") + (start_day * 24).hours();
        let fires = next_n(&rule, start, 40);
        prop_assert_eq!(fires.len(), 40);
        prop_assert!(fires[0].at > start);
        for pair in fires.windows(2) {
            prop_assert!(pair[0].at < pair[1].at);
            prop_assert!(pair[0].local.date() < pair[1].local.date());
        }
    }
}
