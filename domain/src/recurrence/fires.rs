//! The instants of a rule.

use jiff::{
    Timestamp, ToSpan,
    civil::{Date, DateTime, Time},
    tz::TimeZone,
};

use super::{Fire, Kind, MonthdayPolicy, Rule};

/// No rule that fires at all waits longer than this between two of its days: 31 January to 31 March, and a day to spare.
const LONGEST_WAIT_DAYS: usize = 64;

/// The first fire strictly after `after`.
pub fn next_after(rule: &Rule, after: Timestamp) -> Option<Fire> {
    let time = match &rule.kind {
        Kind::Once(local) => return fire(&rule.zone, *local).filter(|fire| fire.at > after),
        Kind::Daily(time) | Kind::Weekly(_, time) | Kind::Monthly(_, _, time) => *time,
    };
    first_date(rule, after)?
        .series(1.day())
        .take(LONGEST_WAIT_DAYS)
        .take_while(|date| rule.valid_to.is_none_or(|last| *date <= last))
        .filter(|date| fires_on(&rule.kind, *date))
        .filter_map(|date| fire(&rule.zone, date.to_datetime(time)))
        .find(|fire| fire.at > after)
}

/// The next `n` fires strictly after `after`; fewer where the rule ends.
pub fn next_n(rule: &Rule, after: Timestamp, n: usize) -> Vec<Fire> {
    fires_after(rule, after).take(n).collect()
}

/// Whether nothing is left to fire after `after`: a past single execution, validity that is over or holds no chosen day.
pub fn never_fires(rule: &Rule, after: Timestamp) -> bool {
    next_after(rule, after).is_none()
}

/// All fires strictly after `after`, ascending. Unbounded for a rule without an end.
pub fn fires_after(rule: &Rule, after: Timestamp) -> Fires<'_> {
    Fires { rule, after: Some(after) }
}

/// The fires with `from <= at < to`, at most `cap` of them, and whether more were left out.
pub fn between(rule: &Rule, from: Timestamp, to: Timestamp, cap: usize) -> (Vec<Fire>, bool) {
    let Ok(before) = from.checked_sub(1.nanosecond()) else { return (Vec::new(), false) };
    let mut fires = fires_after(rule, before).take_while(|fire| fire.at < to);
    let kept = fires.by_ref().take(cap).collect();
    (kept, fires.next().is_some())
}

/// Iterator of [`fires_after`].
pub struct Fires<'a> {
    rule: &'a Rule,
    after: Option<Timestamp>,
}

impl Iterator for Fires<'_> {
    type Item = Fire;

    fn next(&mut self) -> Option<Fire> {
        let fire = next_after(self.rule, self.after?);
        self.after = fire.map(|fire| fire.at);
        fire
    }
}

/// Where the search begins. A day earlier than the local date of `after`, since a skipped time may land on the next date
/// (a zone that changes at midnight).
fn first_date(rule: &Rule, after: Timestamp) -> Option<Date> {
    let from = rule.zone.to_datetime(after).date().checked_sub(1.day()).ok()?;
    Some(rule.valid_from.map_or(from, |first| from.max(first)))
}

fn fires_on(kind: &Kind, date: Date) -> bool {
    match kind {
        Kind::Once(local) => local.date() == date,
        Kind::Daily(_) => true,
        Kind::Weekly(days, _) => days.contains(date.weekday()),
        Kind::Monthly(days, policy, _) => {
            let last = date.days_in_month();
            days.contains(date.day()) || (*policy == MonthdayPolicy::LastDay && date.day() == last && days.iter().any(|day| day > last))
        }
    }
}

/// The rule of RFC 5545: in a gap the offset before it counts (02:30 becomes 03:30), in a fold the first of the two.
fn fire(zone: &TimeZone, local: DateTime) -> Option<Fire> {
    let at = zone.to_ambiguous_timestamp(local).compatible().ok()?;
    Some(Fire { at, local })
}

/// The time shown by the clock on `date`, where it differs from the rule's `time`: that day's change skips it.
pub(super) fn shifted_time(zone: &TimeZone, date: Date, time: Time) -> Option<Time> {
    let shown = zone.to_datetime(fire(zone, date.to_datetime(time))?.at).time();
    (shown != time).then_some(shown)
}
