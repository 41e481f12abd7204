//! Survival by Kaplan and Meier: groups with their medians, survival at times, the test that compares them, numbers at risk.
use statistics::survival::curve::{Band, Curve, Curves, kaplan_meier, kaplan_meier_by};
use statistics::survival::follow_up::FollowUp;
use statistics::survival::log_rank::{Weight, log_rank};
use statistics::survival::restricted_mean::restricted_mean_difference;

use super::Tables;
use super::columns::{ColumnStore, Events, Levels, Numbers};
use super::compare::{refused_row, test_rows, test_table};
use super::searches::of_values;
use super::table::{AnalysisTable, left, right};
use super::words::{Words, count, decimal, fixed, level_of, places_of, shortest, text, with_unit};
use super::{figure, incidence};
use crate::plan::analysis::{CurveTest, FollowUpColumns, Survival, SurvivalBand};
use crate::plan::{Analysis, Language, Value};

/// Steps of the numbers at risk where the template names no times.
const STEPS: usize = 5;

/// The columns of a follow-up, as they are read.
pub struct FollowUpData {
    pub time: Numbers,
    pub event: Events,
    pub entry: Option<Numbers>,
}

impl FollowUpData {
    pub fn read(columns: &FollowUpColumns, store: &ColumnStore) -> Result<Self, super::Problem> {
        Ok(FollowUpData {
            time: store.numbers(&columns.time)?,
            event: store.events(&columns.event)?,
            entry: columns.entry.as_ref().map(|entry| store.numbers(entry)).transpose()?,
        })
    }

    pub fn follow_up(&self) -> FollowUp<'_> {
        FollowUp { entry: self.entry.as_ref().map(Numbers::numeric), ..FollowUp::new(self.time.numeric(), self.event.binary()) }
    }
}

/// A curve and what it is of.
pub struct NamedCurve {
    pub name: String,
    pub curve: Curve,
}

pub fn tables(plan: &Survival, analysis: &Analysis, store: &ColumnStore) -> Tables {
    if let Some(competing) = &plan.competing {
        return incidence::tables(plan, competing, analysis, store);
    }
    let words = Words(analysis.language);
    let data = FollowUpData::read(&plan.follow_up, store)?;
    let groups = plan.by.as_ref().map(|by| store.levels(by)).transpose()?;
    let (curves, missing) = curves(plan, analysis, &data, groups.as_ref(), words)?;
    let mut described = described(plan, analysis, &curves, groups.is_some(), words);
    for (place, named) in curves.iter().enumerate() {
        let code = groups.as_ref().and_then(|groups| groups.names.iter().position(|name| *name == named.name));
        let is_of = |row: &usize| groups.as_ref().is_none_or(|groups| groups.codes[*row].map(|code| code as usize) == code);
        let rows: Vec<usize> = (0..store.rows()).filter(is_of).collect();
        let by: Vec<&str> = plan.by.iter().map(|by| by.column.as_str()).collect();
        // Whoever has no time or no event is not counted, and no search leaves them out.
        let search = of_values(store, &by, &rows).filter(|_| rows.len() == named.curve.n);
        described.searches.extend(search.map(|search| (place, 1, search)));
    }
    described.notes = notes(plan, analysis, &curves, missing, words);
    let time = with_unit(&plan.follow_up.time.label, plan.follow_up.unit.as_deref());
    let mut drawn = figure::survival(&curves, &time, plan.until, words);
    drawn.notes.extend(described.notes.first().cloned());
    described.figure = Some(drawn);
    let mut tables = vec![described];
    if let Some(groups) = &groups {
        let (test, line) = tested(plan, &data, groups, words);
        tables[0].figure.iter_mut().for_each(|figure| figure.notes.extend(line.clone()));
        tables.push(test);
    }
    if let Some(until) = plan.until {
        tables.push(restricted(plan, until, analysis, &data, groups.as_ref(), &curves));
    }
    tables.push(at_risk(plan, &curves, words));
    Ok(tables)
}

/// Restricted means of the groups, and how the first differs from each other.
fn restricted(
    plan: &Survival,
    until: f64,
    analysis: &Analysis,
    data: &FollowUpData,
    groups: Option<&Levels>,
    curves: &[NamedCurve],
) -> AnalysisTable {
    let words = Words(analysis.language);
    let level = level_of(analysis.level);
    let places = places_of(until);
    let mean = with_unit(&format!("RMST({})", shortest(until)), plan.follow_up.unit.as_deref());
    let heads = vec![
        left(plan.by.as_ref().map_or_else(|| words.of("Grupa", "Group").to_owned(), |by| by.label.clone())),
        right(format!("{mean} [{}]", words.interval_name(analysis.level))),
        right("SE"),
        left("Test"),
    ];
    let mut table = AnalysisTable::new(words.of("Ograničena srednja vrednost (RMST)", "Restricted mean (RMST)"), heads);
    let refused = |name: String, error: &statistics::Error| vec![text(name), text(words.error(error)), text("–"), text("–")];
    for NamedCurve { name, curve } in curves {
        table.rows.push(match curve.restricted_mean(until, level) {
            Ok(mean) => {
                let se = mean.se.map_or_else(|| text("–"), |se| decimal(words, se, places + 1));
                vec![text(name), text(words.estimate(&mean, places)), se, text("–")]
            }
            Err(error) => refused(name.clone(), &error),
        });
    }
    if let (Some(groups), Some((first, others))) = (groups, curves.split_first()) {
        let texts = groups.texts();
        for other in others {
            let name = format!("{} − {}", first.name, other.name);
            // Of two groups alone: others are as if they were missing.
            let is_of = |code: &u32| [&first.name, &other.name].into_iter().any(|name| groups.names.get(*code as usize) == Some(name));
            let codes: Vec<Option<u32>> = groups.codes.iter().map(|code| code.filter(is_of)).collect();
            let by = statistics::Factor { codes: &codes, ..groups.factor(&texts) };
            table.rows.push(match restricted_mean_difference(&data.follow_up(), by, until, level) {
                Ok(found) => {
                    let se = found.difference.se.map_or_else(|| text("–"), |se| decimal(words, se, places + 1));
                    let test = format!("{}, {}", words.statistic(&found.test), words.p(found.test.p));
                    vec![text(name), text(words.estimate(&found.difference, places)), se, text(test)]
                }
                Err(error) => refused(name, &error),
            });
        }
    }
    table.notes.push(
        words
            .of(
                "RMST: površina ispod krive do tog vremena, koliko prosečno traje vreme bez događaja do njega; varijansa po Irvinu (1949), Valdov interval, razlika z testom.",
                "RMST: the area under the curve up to that time, how long the time without the event lasts on average; Irwin's variance (1949), Wald interval, differences by a z test.",
            )
            .to_owned(),
    );
    if curves.len() > 2 {
        table.notes.push(words.not_adjusted());
    }
    table
}

fn curves(
    plan: &Survival,
    analysis: &Analysis,
    data: &FollowUpData,
    groups: Option<&Levels>,
    words: Words,
) -> Result<(Vec<NamedCurve>, usize), super::Problem> {
    let band = match plan.band {
        SurvivalBand::LogLog => Band::LogLog,
        SurvivalBand::Log => Band::Log,
        SurvivalBand::Plain => Band::Plain,
    };
    let level = level_of(analysis.level);
    let Some(groups) = groups else {
        let curve = kaplan_meier(&data.follow_up(), band, level)?;
        let missing = curve.missing;
        return Ok((vec![NamedCurve { name: words.of("Svi", "All").to_owned(), curve }], missing));
    };
    let texts = groups.texts();
    let Curves { by_level, missing } = kaplan_meier_by(&data.follow_up(), groups.factor(&texts), band, level)?;
    let named = groups.names.iter().zip(by_level).filter_map(|(name, curve)| Some(NamedCurve { name: name.clone(), curve: curve? }));
    Ok((named.collect(), missing))
}

pub fn unit(plan: &Survival) -> String {
    plan.follow_up.unit.as_ref().map_or_else(String::new, |unit| format!(" {unit}"))
}

fn described(plan: &Survival, analysis: &Analysis, curves: &[NamedCurve], is_grouped: bool, words: Words) -> AnalysisTable {
    let first = match (&plan.by, is_grouped) {
        (Some(by), true) => by.label.clone(),
        _ => words.of("Grupa", "Group").to_owned(),
    };
    let interval = words.interval_name(analysis.level);
    let mut heads = vec![
        left(first),
        right("n"),
        right(words.of("Događaji", "Events")),
        right(words.of("Cenzurisano", "Censored")),
        right(format!("{} [{interval}]", with_unit(words.of("Medijana", "Median"), plan.follow_up.unit.as_deref()))),
    ];
    heads.extend(plan.at.iter().map(|time| right(format!("S({}) [{interval}]", shortest(*time)))));
    let mut table = AnalysisTable::new("", heads);
    for NamedCurve { name, curve } in curves {
        let mut row = vec![text(name), count(curve.n), count(curve.events), count(curve.n - curve.events), text(median(curve, words))];
        row.extend(plan.at.iter().map(|time| text(survival_at(curve, *time, words))));
        table.rows.push(row);
    }
    table
}

fn median(curve: &Curve, words: Words) -> String {
    if curve.events == 0 {
        return words.of("bez događaja: svi su cenzurisani", "no events: all are censored").to_owned();
    }
    let median = curve.median();
    let places = median.time.map_or(0, |time| if time == time.round() { 0 } else { places_of(time) });
    match median.time {
        Some(time) => format!("{} {}", fixed(time, places), words.interval(&median.interval, places)),
        None => {
            let not_reached = words.of("nije dostignuta", "not reached");
            let low = median.interval.low.map(|low| format!(" ({} {})", words.of("donja granica", "lower bound"), shortest(low)));
            format!("{not_reached}{}", low.unwrap_or_default())
        }
    }
}

fn survival_at(curve: &Curve, time: f64, words: Words) -> String {
    match curve.survival_at(time) {
        Some(estimate) if estimate.interval.low.is_none() && estimate.interval.high.is_none() => fixed(estimate.value, 3),
        Some(estimate) => words.estimate(&estimate, 3),
        None => words.of("praćenje se ranije završava", "the follow-up ends earlier").to_owned(),
    }
}

fn notes(plan: &Survival, analysis: &Analysis, curves: &[NamedCurve], missing: usize, words: Words) -> Vec<String> {
    let n: usize = curves.iter().map(|named| named.curve.n).sum();
    let events: usize = curves.iter().map(|named| named.curve.events).sum();
    let longest = curves.iter().filter_map(|named| named.curve.steps.last()).map(|step| step.time).fold(0.0, f64::max);
    let band = curves.first().map_or("", |named| words.method(method(named.curve.band)));
    let interval = words.interval_name(analysis.level);
    let mut notes = vec![match words.0 {
        Language::Serbian => format!(
            "Kaplan i Majer; {interval}: {band}; medijana: Brukmajer-Krolijev. Događaj: {}. n = {n}, događaja {events}, cenzurisano {}, najduže praćenje {}{}.",
            plan.follow_up.event.name(),
            n - events,
            shortest(longest),
            unit(plan)
        ),
        Language::English => format!(
            "Kaplan and Meier; {interval}: {band}; median: Brookmeyer-Crowley. Event: {}. n = {n}, events {events}, censored {}, longest follow-up {}{}.",
            plan.follow_up.event.name(),
            n - events,
            shortest(longest),
            unit(plan)
        ),
    }];
    notes.extend(words.censored_on(&plan.follow_up));
    notes.extend(words.left_out(missing, words.of("vreme, događaj ili grupa", "time, event or group")));
    notes.extend(words.small_groups(curves.iter().map(|named| (named.name.as_str(), named.curve.n))));
    notes
}

fn method(band: Band) -> statistics::IntervalMethod {
    match band {
        Band::Plain => statistics::IntervalMethod::GreenwoodPlain,
        Band::Log => statistics::IntervalMethod::GreenwoodLog,
        Band::LogLog => statistics::IntervalMethod::GreenwoodLogLog,
    }
}

/// The table of the test, and the line of it that stands under the curves.
fn tested(plan: &Survival, data: &FollowUpData, groups: &Levels, words: Words) -> (AnalysisTable, Option<String>) {
    let weight = match plan.test {
        CurveTest::LogRank => Weight::LogRank,
        CurveTest::Gehan => Weight::Gehan,
        CurveTest::TaroneWare => Weight::TaroneWare,
    };
    let mut table = test_table(words);
    let mut line = None;
    let texts = groups.texts();
    match log_rank(&data.follow_up(), groups.factor(&texts), None, weight) {
        Ok(found) => {
            table.rows = test_rows(&found.test, words);
            line = Some(format!("{}: {}, {}.", words.test(found.test.test), words.statistic(&found.test), words.p(found.test.p)));
            if weight == Weight::LogRank {
                for (name, group) in groups.names.iter().zip(&found.groups).filter(|(_, group)| group.n > 0) {
                    let name = format!("{name}: {}", words.of("opaženo / očekivano", "observed / expected"));
                    table.rows.push(vec![text(name), text(format!("{} / {}", shortest(group.observed), fixed(group.expected, 2)))]);
                }
            }
        }
        Err(error) => table.rows.push(refused_row(words.error(&error), words)),
    }
    (table, line)
}

/// The times of the numbers at risk: those that are asked for from zero on, or round steps over the follow-up.
pub fn risk_times<'a>(plan: &Survival, curves: impl Iterator<Item = &'a Curve>) -> Vec<f64> {
    if !plan.at.is_empty() {
        let from_zero = plan.at.first() != Some(&0.0);
        return from_zero.then_some(0.0).into_iter().chain(plan.at.iter().copied()).collect();
    }
    let longest = curves.filter_map(|curve| curve.steps.last()).map(|step| step.time).fold(0.0, f64::max);
    if longest <= 0.0 {
        return vec![0.0];
    }
    let step = longest / STEPS as f64;
    let power = 10f64.powf(step.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|round| *round >= step).unwrap_or(step);
    (0..=STEPS).map(|place| place as f64 * step).filter(|time| *time <= longest).collect()
}

fn at_risk(plan: &Survival, curves: &[NamedCurve], words: Words) -> AnalysisTable {
    let times = risk_times(plan, curves.iter().map(|named| &named.curve));
    let heads = std::iter::once(left(plan.by.as_ref().map_or_else(|| words.of("Grupa", "Group").to_owned(), |by| by.label.clone())))
        .chain(times.iter().map(|time| right(format!("{}{}", shortest(*time), unit(plan)))));
    let mut table = AnalysisTable::new(words.of("Broj pod rizikom", "Numbers at risk"), heads.collect());
    for NamedCurve { name, curve } in curves {
        let numbers = curve.numbers_at_risk(&times).into_iter().map(count);
        table.rows.push(std::iter::once(text(name)).chain(numbers).collect::<Vec<Value>>());
    }
    for NamedCurve { name, curve } in curves {
        let events =
            times.iter().map(|time| curve.steps.iter().take_while(|step| step.time <= *time).map(|step| step.events).sum::<usize>());
        let name = format!("{name}: {}", words.of("događaja do tada", "events by then"));
        table.rows.push(std::iter::once(text(name)).chain(events.map(count)).collect());
    }
    table.notes.push(
        words
            .of("Pod rizikom su oni čije praćenje neposredno pre tog vremena traje.", "At risk are those followed just before that time.")
            .to_owned(),
    );
    table
}
