//! Events over person-time, by groups.
use statistics::rates::incidence::{Events as EventCount, rate_ratio};
use statistics::{Error, Estimate, Level};

use super::Tables;
use super::columns::{ColumnStore, Events, Levels, Numbers};
use super::table::{AnalysisTable, left, right};
use super::words::{Words, count, level_of, p_cell, places_of, shortest, text, with_unit};
use crate::plan::analysis::Rates;
use crate::plan::{Analysis, Value};

struct GroupRate {
    name: String,
    n: usize,
    missing: usize,
    sum: EventCount,
}

pub fn tables(plan: &Rates, analysis: &Analysis, store: &ColumnStore) -> Tables {
    let words = Words(analysis.language);
    let level = level_of(analysis.level);
    let (events, time) = (store.events(&plan.events)?, store.numbers(&plan.time)?);
    refuse_mistakes(&events, &time)?;
    let groups = plan.by.as_ref().map(|by| store.levels(by)).transpose()?;
    let rates: Vec<GroupRate> = match &groups {
        Some(groups) => {
            groups.names.iter().enumerate().map(|(code, name)| sum(name, &events, &time, Some((groups, code as u32)))).collect()
        }
        None => vec![sum(words.of("Svi", "All"), &events, &time, None)],
    };
    let interval = words.interval_name(analysis.level);
    let unit = plan.unit.as_ref().map_or_else(String::new, |unit| format!(" {unit}"));
    let mut heads = vec![
        left(plan.by.as_ref().map_or_else(|| words.of("Grupa", "Group").to_owned(), |by| by.label.clone())),
        right("n"),
        right(words.of("Nedostaje", "Missing")),
        right(words.of("Događaji", "Events")),
        right(with_unit(words.of("Vreme", "Time"), plan.unit.as_deref())),
        right(format!("{} {}{unit} [{interval}]", words.of("Stopa na", "Rate per"), shortest(plan.per))),
    ];
    if groups.is_some() {
        heads.extend([right(format!("{} [{interval}]", words.of("Odnos stopa", "Rate ratio"))), right("p")]);
    }
    let mut table = AnalysisTable::new("", heads);
    for (place, rate) in rates.iter().enumerate() {
        let mut row = vec![
            text(&rate.name),
            count(rate.n),
            count(rate.missing),
            count(rate.sum.events as usize),
            text(shortest(rate.sum.person_time)),
            text(told_rate(rate, plan.per, words, level)),
        ];
        if groups.is_some() {
            row.extend(ratio(place, rate, &rates[0], words, level));
        }
        table.rows.push(row);
    }
    table.notes.push(
        words
            .of(
                "Intervali stopa su tačni Poasonovi; odnos stopa je prema prvoj grupi, sa egzaktnim uslovnim intervalom i testom.",
                "Intervals of rates are exact Poisson; rate ratios are to the first group, with the exact conditional interval and test.",
            )
            .to_owned(),
    );
    if let Some(groups) = &groups {
        table.notes.extend(words.left_out(groups.missing(), words.of("grupa", "group")));
    }
    table.notes.extend(words.small_groups(rates.iter().map(|rate| (rate.name.as_str(), rate.n))));
    Ok(vec![table])
}

/// An event without a time and a negative time are mistakes, as in a survival curve.
fn refuse_mistakes(events: &Events, time: &Numbers) -> Result<(), Error> {
    for (row, (event, value)) in events.values.iter().zip(&time.values).enumerate() {
        match value {
            None if *event == Some(true) => return Err(Error::EventWithoutTime { variable: time.name.clone(), row }),
            Some(value) if *value < 0.0 => return Err(Error::NegativeTime { variable: time.name.clone(), row }),
            _ => {}
        }
    }
    Ok(())
}

fn sum(name: &str, events: &Events, time: &Numbers, group: Option<(&Levels, u32)>) -> GroupRate {
    let mut rate = GroupRate { name: name.to_owned(), n: 0, missing: 0, sum: EventCount { events: 0, person_time: 0.0 } };
    for (row, pair) in events.values.iter().zip(&time.values).enumerate() {
        if group.is_some_and(|(groups, code)| groups.codes[row] != Some(code)) {
            continue;
        }
        let (Some(event), Some(time)) = pair else {
            rate.missing += 1;
            continue;
        };
        rate.n += 1;
        rate.sum.events += u64::from(*event);
        rate.sum.person_time += time;
    }
    rate
}

fn told_rate(rate: &GroupRate, per: f64, words: Words, level: Level) -> String {
    match rate.sum.rate(level) {
        Ok(found) => {
            let scaled = |value: f64| value * per;
            let mut interval = found.interval;
            interval.low = interval.low.map(scaled);
            interval.high = interval.high.map(scaled);
            let estimate = Estimate { value: scaled(found.value), interval, ..found };
            words.estimate(&estimate, places_of(estimate.value).max(2))
        }
        Err(error) => words.error(&error),
    }
}

fn ratio(place: usize, rate: &GroupRate, first: &GroupRate, words: Words, level: Level) -> [Value; 2] {
    if place == 0 {
        return [text(words.of("1 (referentna)", "1 (reference)")), text("–")];
    }
    match rate_ratio(rate.sum, first.sum, level) {
        Ok((estimate, test)) => [text(words.estimate(&estimate, 2)), p_cell(test.p)],
        Err(error) => [text(words.error(&error)), text("–")],
    }
}
