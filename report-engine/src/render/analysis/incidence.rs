//! Incidence of an event beside one that competes with it: by Aalen and Johansen, groups compared by Gray's test.
use statistics::survival::competing::{CompetingFollowUp, IncidenceStep, cumulative_incidence};
use statistics::survival::curve::{Band, Curve, kaplan_meier, kaplan_meier_by};
use statistics::survival::follow_up::FollowUp;
use statistics::survival::gray::gray;
use statistics::{Binary, Estimate, Factor, Level, Numeric};

use super::columns::{ColumnStore, Events, Levels, Numbers};
use super::compare::test_table;
use super::figure::{self, AtRisk, IncidenceCurve};
use super::survival::{risk_times, unit};
use super::table::{AnalysisTable, left, right};
use super::words::{Words, count, level_of, shortest, text, with_unit};
use super::{Problem, Tables};
use crate::plan::analysis::{EventColumn, Survival};
use crate::plan::{Analysis, Language, Value};

/// The follow-up with what ended it: 0 nothing, 1 the event, 2 the one that competes.
struct Endings {
    time: Numbers,
    causes: Vec<Option<u32>>,
    /// Rows with both, of which the event counts.
    both: usize,
    names: [String; 2],
}

/// One group: its two curves, and how long its people were followed.
struct GroupIncidence {
    name: String,
    follow_up: Curve,
    by_cause: [Vec<IncidenceStep>; 2],
}

pub fn tables(plan: &Survival, competing: &EventColumn, analysis: &Analysis, store: &ColumnStore) -> Tables {
    let words = Words(analysis.language);
    let level = level_of(analysis.level);
    let endings = Endings::read(plan, competing, store)?;
    let groups = plan.by.as_ref().map(|by| store.levels(by)).transpose()?;
    let (found, missing) = incidences(&endings, groups.as_ref(), level, words)?;
    let times = times(plan, &found);
    let mut described = described(plan, analysis, &endings, &found, &times, words);
    described.notes = notes(plan, analysis, &endings, &found, missing, words);
    let mut drawn = drawn(plan, &endings, &found, groups.is_some(), words);
    drawn.notes.extend(described.notes.first().cloned());
    let mut tables = Vec::new();
    if let Some(groups) = &groups {
        let (test, line) = tested(&endings, groups, words);
        drawn.notes.extend(line);
        tables.push(test);
    }
    described.figure = Some(drawn);
    tables.insert(0, described);
    tables.push(at_risk(plan, &endings, &found, words));
    Ok(tables)
}

impl Endings {
    fn read(plan: &Survival, competing: &EventColumn, store: &ColumnStore) -> Result<Self, Problem> {
        let time = store.numbers(&plan.follow_up.time)?;
        let (event, other): (Events, Events) = (store.events(&plan.follow_up.event)?, store.events(competing)?);
        let mut both = 0;
        let cause = |(event, other): (&Option<bool>, &Option<bool>)| match (event, other) {
            (Some(true), other) => {
                both += usize::from(*other == Some(true));
                Some(1)
            }
            (Some(false), Some(true)) => Some(2),
            (Some(false), Some(false)) => Some(0),
            (None, _) | (_, None) => None,
        };
        let causes = event.values.iter().zip(&other.values).map(cause).collect();
        Ok(Endings { time, causes, both, names: [plan.follow_up.event.name(), competing.name()] })
    }

    fn any(&self) -> Vec<Option<bool>> {
        self.causes.iter().map(|cause| cause.map(|cause| cause > 0)).collect()
    }

    fn levels(&self) -> [&str; 3] {
        ["", &self.names[0], &self.names[1]]
    }
}

fn incidences(endings: &Endings, groups: Option<&Levels>, level: Level, words: Words) -> Result<(Vec<GroupIncidence>, usize), Problem> {
    let events = endings.any();
    let event = Binary { name: &endings.names[0], values: &events };
    let follow_up = FollowUp::new(endings.time.numeric(), event);
    let levels = endings.levels();
    let of = |times: &[Option<f64>], codes: &[Option<u32>]| -> Result<[Vec<IncidenceStep>; 2], Problem> {
        let time = Numeric { name: &endings.time.name, values: times };
        let cause = Factor { name: &endings.names[0], levels: &levels, codes };
        let mut found = cumulative_incidence(&CompetingFollowUp { time, cause, entry: None }, level)?.by_cause;
        let second = found.pop().unwrap_or_default();
        Ok([found.pop().unwrap_or_default(), second])
    };
    let Some(groups) = groups else {
        let curve = kaplan_meier(&follow_up, Band::LogLog, level)?;
        let missing = curve.missing;
        let by_cause = of(&endings.time.values, &endings.causes)?;
        return Ok((vec![GroupIncidence { name: words.of("Svi", "All").to_owned(), follow_up: curve, by_cause }], missing));
    };
    let texts = groups.texts();
    let curves = kaplan_meier_by(&follow_up, groups.factor(&texts), Band::LogLog, level)?;
    let mut found = Vec::new();
    for (code, (name, curve)) in groups.names.iter().zip(curves.by_level).enumerate() {
        let Some(curve) = curve else { continue };
        let rows = || groups.codes.iter().enumerate().filter(|(_, group)| **group == Some(code as u32)).map(|(row, _)| row);
        let times: Vec<Option<f64>> = rows().map(|row| endings.time.values[row]).collect();
        let codes: Vec<Option<u32>> = rows().map(|row| endings.causes[row]).collect();
        found.push(GroupIncidence { name: name.clone(), follow_up: curve, by_cause: of(&times, &codes)? });
    }
    Ok((found, curves.missing))
}

/// The times that the template names, or the round ones of the numbers at risk.
fn times(plan: &Survival, found: &[GroupIncidence]) -> Vec<f64> {
    let times = if plan.at.is_empty() { risk_times(plan, found.iter().map(|group| &group.follow_up)) } else { plan.at.clone() };
    times.into_iter().filter(|time| *time > 0.0).collect()
}

fn described(
    plan: &Survival,
    analysis: &Analysis,
    endings: &Endings,
    found: &[GroupIncidence],
    times: &[f64],
    words: Words,
) -> AnalysisTable {
    let interval = words.interval_name(analysis.level);
    let mut heads = vec![
        left(plan.by.as_ref().map_or_else(|| words.of("Grupa", "Group").to_owned(), |by| by.label.clone())),
        left(words.of("Događaj", "Event")),
        right("n"),
        right(words.of("Broj događaja", "Number of events")),
        right(words.of("Cenzurisano", "Censored")),
    ];
    heads.extend(times.iter().map(|time| right(format!("F({}{}) [{interval}]", shortest(*time), unit(plan)))));
    let mut table = AnalysisTable::new("", heads);
    for GroupIncidence { name, follow_up, by_cause } in found {
        for (event, steps) in endings.names.iter().zip(by_cause) {
            let events: usize = steps.iter().map(|step| step.events).sum();
            let mut row = vec![text(name), text(event), count(follow_up.n), count(events), count(follow_up.n - follow_up.events)];
            row.extend(times.iter().map(|time| text(incidence_at(follow_up, steps, *time, words))));
            table.rows.push(row);
        }
    }
    table
}

fn incidence_at(follow_up: &Curve, steps: &[IncidenceStep], time: f64, words: Words) -> String {
    if follow_up.survival_at(time).is_none() {
        return words.of("praćenje se ranije završava", "the follow-up ends earlier").to_owned();
    }
    match steps.partition_point(|step| step.time <= time).checked_sub(1).map(|place| steps[place]) {
        Some(step) if step.interval.low.is_some() => {
            words.estimate(&Estimate { value: step.incidence, se: Some(step.se), interval: step.interval }, 3)
        }
        Some(step) => words.number(step.incidence, 3),
        None => words.number(0.0, 3),
    }
}

fn notes(plan: &Survival, analysis: &Analysis, endings: &Endings, found: &[GroupIncidence], missing: usize, words: Words) -> Vec<String> {
    let n: usize = found.iter().map(|group| group.follow_up.n).sum();
    let of = |cause: usize| -> usize { found.iter().flat_map(|group| &group.by_cause[cause]).map(|step| step.events).sum() };
    let (events, others) = (of(0), of(1));
    let longest = found.iter().filter_map(|group| group.follow_up.steps.last()).map(|step| step.time).fold(0.0, f64::max);
    let interval = words.interval_name(analysis.level);
    let [event, other] = &endings.names;
    let follow_up = format!("{}{}", shortest(longest), unit(plan));
    let mut notes = vec![match words.0 {
        Language::Serbian => format!(
            "Kumulativna incidencija po Olenu i Johansenu; {interval}: Olenova varijansa, log-log. Događaj: {event}. Konkurentski događaj: {other}. \
             n = {n}, događaja {events}, konkurentskih {others}, cenzurisano {}, najduže praćenje {follow_up}.",
            n - events - others
        ),
        Language::English => format!(
            "Cumulative incidence by Aalen and Johansen; {interval}: Aalen's variance, log-log. Event: {event}. Competing event: {other}. n = {n}, \
             events {events}, competing {others}, censored {}, longest follow-up {follow_up}.",
            n - events - others
        ),
    }];
    if endings.both > 0 {
        notes.push(match words.0 {
            Language::Serbian => format!("Upozorenje: redova sa oba događaja: {}; računa se „{event}“.", endings.both),
            Language::English => format!("Warning: rows with both events: {}; “{event}” counts.", endings.both),
        });
    }
    notes.extend(words.censored_on(&plan.follow_up));
    notes.extend(words.left_out(missing, words.of("vreme, događaji ili grupa", "time, events or group")));
    notes.extend(words.small_groups(found.iter().map(|group| (group.name.as_str(), group.follow_up.n))));
    notes
}

/// Of groups the curves of the event; of all together that of what competes, too.
fn drawn(plan: &Survival, endings: &Endings, found: &[GroupIncidence], is_grouped: bool, words: Words) -> report_chart::Figure {
    let time = with_unit(&plan.follow_up.time.label, plan.follow_up.unit.as_deref());
    let mut curves = Vec::new();
    for GroupIncidence { name, follow_up, by_cause } in found {
        let end = follow_up.steps.last().map_or(0.0, |step| step.time);
        let counts = follow_up.steps.iter().map(|step| (step.time, step.at_risk as u64)).collect();
        let at_risk = Some(AtRisk { name: (!is_grouped).then(|| name.clone()), counts });
        let named = if is_grouped { name } else { &endings.names[0] };
        curves.push(IncidenceCurve { name: named.clone(), steps: &by_cause[0], end, at_risk });
        if !is_grouped {
            curves.push(IncidenceCurve { name: endings.names[1].clone(), steps: &by_cause[1], end, at_risk: None });
        }
    }
    figure::incidence(&curves, &time, words)
}

/// Gray's test of each event, and the line of the first that stands under the curves.
fn tested(endings: &Endings, groups: &Levels, words: Words) -> (AnalysisTable, Option<String>) {
    let mut table = test_table(words);
    let mut line = None;
    let (texts, levels) = (groups.texts(), endings.levels());
    let cause = Factor { name: &endings.names[0], levels: &levels, codes: &endings.causes };
    let data = CompetingFollowUp { time: endings.time.numeric(), cause, entry: None };
    let name = words.test(statistics::Test::Gray);
    for (place, event) in (1..).zip(&endings.names) {
        let told = match gray(&data, place, groups.factor(&texts)) {
            Ok(found) => {
                let told = format!("{}, {}", words.statistic(&found), words.p(found.p));
                line.get_or_insert_with(|| format!("{name} ({event}): {told}."));
                told
            }
            Err(error) => words.error(&error),
        };
        table.rows.push(vec![text(format!("{name}: {event}")), text(told)]);
    }
    (table, line)
}

fn at_risk(plan: &Survival, endings: &Endings, found: &[GroupIncidence], words: Words) -> AnalysisTable {
    let times = risk_times(plan, found.iter().map(|group| &group.follow_up));
    let heads = std::iter::once(left(plan.by.as_ref().map_or_else(|| words.of("Grupa", "Group").to_owned(), |by| by.label.clone())))
        .chain(times.iter().map(|time| right(format!("{}{}", shortest(*time), unit(plan)))));
    let mut table = AnalysisTable::new(words.of("Broj pod rizikom", "Numbers at risk"), heads.collect());
    for GroupIncidence { name, follow_up, .. } in found {
        let numbers = follow_up.numbers_at_risk(&times).into_iter().map(count);
        table.rows.push(std::iter::once(text(name)).chain(numbers).collect::<Vec<Value>>());
    }
    for GroupIncidence { name, by_cause, .. } in found {
        for (event, steps) in endings.names.iter().zip(by_cause) {
            let by_then =
                times.iter().map(|time| steps.iter().take_while(|step| step.time <= *time).map(|step| step.events).sum::<usize>());
            let name = format!("{name}: {event}, {}", words.of("do tada", "by then"));
            table.rows.push(std::iter::once(text(name)).chain(by_then.map(count)).collect());
        }
    }
    table.notes.push(
        words
            .of(
                "Pod rizikom su oni koji neposredno pre tog vremena nisu imali nijedan događaj i još su praćeni.",
                "At risk are those who had neither event and were still followed just before that time.",
            )
            .to_owned(),
    );
    table
}
