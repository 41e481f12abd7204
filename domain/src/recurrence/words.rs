//! A rule said in Serbian.

use jiff::{
    Timestamp, ToSpan,
    civil::{Time, Weekday},
};

use super::{Kind, MonthdayPolicy, Monthdays, Rule, Weekdays, fires, fires_after};
use crate::time::{ZONE, date_text, date_time_text};

/// "svakog ponedeljka i četvrtka u 07:00, od 01.03.2027."; begins with a small letter and has no full stop of its own.
pub fn description_sr(rule: &Rule) -> String {
    let mut text = match &rule.kind {
        Kind::Once(local) => format!("jednom, {}", date_time_text(*local)),
        Kind::Daily(time) => format!("svakog dana u {}", clock(*time)),
        Kind::Weekly(days, time) => format!("{} u {}", weekly(*days), clock(*time)),
        Kind::Monthly(days, policy, time) => format!("{} u {}", monthly(*days, *policy), clock(*time)),
    };
    if let Some(first) = rule.valid_from {
        text += &format!(", od {}", date_text(first));
    }
    if let Some(last) = rule.valid_to {
        text += &format!("{} do {}", if rule.valid_from.is_some() { "" } else { "," }, date_text(last));
    }
    if let Some(zone) = rule.zone.iana_name()
        && zone != ZONE
    {
        text += &format!(" ({zone})");
    }
    text
}

/// What a person should know before saving the rule: that it never fires, skips months, or meets a skipped hour.
pub fn warning_sr(rule: &Rule, now: Timestamp) -> Option<String> {
    if fires::never_fires(rule, now) {
        return Some("Po ovom rasporedu izveštaj se nikada neće izvršiti.".into());
    }
    let sentences: Vec<String> = [skipped_months(&rule.kind), skipped_hour(rule, now)].into_iter().flatten().collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

fn skipped_months(kind: &Kind) -> Option<String> {
    let Kind::Monthly(days, MonthdayPolicy::Skip, _) = kind else { return None };
    let rare: Vec<String> = days.iter().filter(|day| *day > 28).map(|day| format!("{day}.")).collect();
    let (last, others) = rare.split_last()?;
    let which = if others.is_empty() { last.clone() } else { format!("{} ili {last}", others.join(", ")) };
    Some(format!("U mesecima koji nemaju {which} dan taj dan se preskače."))
}

/// Looks a year ahead: the change of the clock comes once in it.
fn skipped_hour(rule: &Rule, now: Timestamp) -> Option<String> {
    let year = now.checked_add((366 * 24).hours()).ok()?;
    fires_after(rule, now).take_while(|fire| fire.at < year).find_map(|fire| {
        let shown = fires::shifted_time(&rule.zone, fire.local.date(), fire.local.time())?;
        Some(format!(
            "{} sat se pomera, pa se umesto u {} izvršava u {}.",
            date_text(fire.local.date()),
            clock(fire.local.time()),
            clock(shown)
        ))
    })
}

fn weekly(days: Weekdays) -> String {
    let days: Vec<Weekday> = days.iter().collect();
    match days.as_slice() {
        [] => "nijednog dana".into(),
        all if all.len() == 7 => "svakog dana".into(),
        [first, .., last] if days.len() == 5 && *first == Weekday::Monday && *last == Weekday::Friday => {
            "svakog dana od ponedeljka do petka".into()
        }
        [first, ..] => {
            let every = if is_feminine(*first) { "svake" } else { "svakog" };
            let names: Vec<String> = days.iter().map(|day| genitive(*day).to_owned()).collect();
            format!("{every} {}", listed(&names))
        }
    }
}

fn monthly(days: Monthdays, policy: MonthdayPolicy) -> String {
    let numbers: Vec<String> = days.iter().map(|day| format!("{day}.")).collect();
    let beyond_february = days.iter().any(|day| day > 28);
    match policy {
        MonthdayPolicy::LastDay if days.iter().eq([31]) => "svakog poslednjeg dana u mesecu".into(),
        MonthdayPolicy::LastDay if beyond_february => {
            format!("svakog {} u mesecu (u kraćem mesecu poslednjeg dana)", listed(&numbers))
        }
        _ => format!("svakog {} u mesecu", listed(&numbers)),
    }
}

/// "a", "a i b", "a, b i c".
fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [others @ .., last] => format!("{} i {last}", others.join(", ")),
    }
}

fn genitive(day: Weekday) -> &'static str {
    match day {
        Weekday::Monday => "ponedeljka",
        Weekday::Tuesday => "utorka",
        Weekday::Wednesday => "srede",
        Weekday::Thursday => "četvrtka",
        Weekday::Friday => "petka",
        Weekday::Saturday => "subote",
        Weekday::Sunday => "nedelje",
    }
}

fn is_feminine(day: Weekday) -> bool {
    matches!(day, Weekday::Wednesday | Weekday::Saturday | Weekday::Sunday)
}

fn clock(time: Time) -> String {
    time.strftime("%H:%M").to_string()
}
