//! An indicator of quality: the share of those for whom it is so, of how many it can be told at all, its course over time and its place among
//! hospitals. Other hospitals have letters and no names, in the order of what the query calls them by.
use domain::report_screen::ScreenSearch;
use report_chart::{Axis, Figure, Point, told};
use statistics::rates::control::run_chart;
use statistics::rates::funnel::{FunnelLimits, FunnelMethod, funnel_limits, pooled_share};
use statistics::{Estimate, Level, Numeric, proportion};

use super::Tables;
use super::columns::{ColumnStore, Levels, Numbers};
use super::figure;
use super::searches::of_number;
use super::table::{AnalysisTable, left, right};
use super::words::{Words, count, fixed, level_of, share, text};
use crate::plan::analysis::{Indicator, Preferred};
use crate::plan::{Analysis, Value};

/// What rows add up to.
#[derive(Clone, Copy, Default)]
struct Counts {
    numerator: u64,
    denominator: u64,
    eligible: u64,
    excluded: u64,
    /// Rows whose numbers are withheld.
    withheld: usize,
}

/// The columns of an indicator, by row.
struct Columns {
    numerator: Numbers,
    denominator: Numbers,
    eligible: Option<Numbers>,
    excluded: Option<Numbers>,
}

/// A hospital at its place in the funnel.
pub struct FunnelUnit {
    pub name: String,
    pub is_own: bool,
    pub people: u64,
    pub share: f64,
}

/// In the place of numbers that the rule of small groups withholds.
const WITHHELD: &str = "–";

impl Counts {
    /// There are rows, and of all of them the numbers are withheld.
    fn is_withheld(self) -> bool {
        self.withheld > 0 && self.denominator == 0
    }

    fn cell(self, number: u64) -> Value {
        if self.is_withheld() { text(WITHHELD) } else { count(number as usize) }
    }

    fn share(self) -> Option<f64> {
        (self.denominator > 0 && self.numerator <= self.denominator).then(|| self.numerator as f64 / self.denominator as f64)
    }
}

impl Columns {
    fn of(plan: &Indicator, store: &ColumnStore) -> Result<Self, super::Problem> {
        Ok(Columns {
            numerator: store.numbers(&plan.numerator)?,
            denominator: store.numbers(&plan.denominator)?,
            eligible: plan.eligible.as_ref().map(|column| store.numbers(column)).transpose()?,
            excluded: plan.excluded.as_ref().map(|column| store.numbers(column)).transpose()?,
        })
    }

    fn sum(&self, rows: impl Iterator<Item = usize>) -> Counts {
        let mut counts = Counts::default();
        let whole = |value: Option<f64>| value.filter(|value| *value >= 0.0).map(|value| value.round() as u64);
        let of = |numbers: &Option<Numbers>, row: usize| numbers.as_ref().and_then(|numbers| whole(numbers.values[row])).unwrap_or(0);
        for row in rows {
            let (Some(numerator), Some(denominator)) = (whole(self.numerator.values[row]), whole(self.denominator.values[row])) else {
                counts.withheld += 1;
                continue;
            };
            counts.numerator += numerator;
            counts.denominator += denominator;
            counts.eligible += of(&self.eligible, row);
            counts.excluded += of(&self.excluded, row);
        }
        counts
    }

    fn rows(&self) -> std::ops::Range<usize> {
        0..self.numerator.values.len()
    }
}

pub fn tables(plan: &Indicator, analysis: &Analysis, store: &ColumnStore) -> Tables {
    let columns = Columns::of(plan, store)?;
    let times = plan.by.as_ref().map(|by| store.levels(by)).transpose()?;
    let units = plan.unit.as_ref().map(|unit| store.levels(unit)).transpose()?;
    let known = |levels: &Option<Levels>, row: usize| levels.as_ref().is_some_and(|levels| levels.codes[row].is_some());
    // A row of no month and of no hospital is of all; without one, the months are, or the hospitals.
    let of_all = |row: &usize| !known(&times, *row) && !known(&units, *row);
    let has_total = columns.rows().any(|row| of_all(&row));
    let in_total = |row: &usize| match (has_total, &times) {
        (true, _) => of_all(row),
        (false, Some(_)) => known(&times, *row),
        (false, None) => true,
    };
    let total = columns.sum(columns.rows().filter(in_total));
    let searches = Searches { plan, store };
    let mut tables = vec![summary(plan, analysis, total, &searches.of(total, columns.rows().filter(in_total)))];
    if let Some(times) = &times {
        tables.push(course(plan, analysis, &columns, times, &searches));
    }
    if let Some(units) = &units {
        let own = plan.own.as_ref().map(|own| store.events(own)).transpose()?;
        let is_own = |row: usize| own.as_ref().is_some_and(|own| own.values[row] == Some(true));
        tables.push(funnel(plan, analysis, &columns, units, (is_own, &searches))?);
    }
    Ok(tables)
}

/// Where a query says whom the numbers count.
struct Searches<'a> {
    plan: &'a Indicator,
    store: &'a ColumnStore,
}

/// Of those for whom it is so, of all of whom it can be told, and of those who are excluded.
#[derive(Default)]
struct NumberSearches {
    numerator: Option<ScreenSearch>,
    denominator: Option<ScreenSearch>,
    excluded: Option<ScreenSearch>,
}

impl Searches<'_> {
    /// Of the numbers of one row: a sum of several, and what is withheld, leads nowhere.
    fn of(&self, counts: Counts, mut rows: impl Iterator<Item = usize>) -> NumberSearches {
        let (Some(row), None) = (rows.next(), rows.next()) else { return NumberSearches::default() };
        if counts.withheld > 0 {
            return NumberSearches::default();
        }
        // Of nobody there is nobody to show.
        let of = |number: u64, column: &str| of_number(self.store, column, std::iter::once(row)).filter(|_| number > 0);
        NumberSearches {
            numerator: of(counts.numerator, &self.plan.numerator.column),
            denominator: of(counts.denominator, &self.plan.denominator.column),
            excluded: self.plan.excluded.as_ref().and_then(|column| of(counts.excluded, &column.column)),
        }
    }
}

fn summary(plan: &Indicator, analysis: &Analysis, total: Counts, searches: &NumberSearches) -> AnalysisTable {
    let words = Words(analysis.language);
    let mut table = AnalysisTable::new("", vec![left(words.of("Indikator", "Indicator")), right(words.of("Vrednost", "Value"))]);
    let mut led = |name: &str, value: Value, search: &Option<ScreenSearch>| {
        table.lead(1, search.clone());
        table.rows.push(vec![text(name), value]);
    };
    let mut row = |name: &str, value: Value| led(name, value, &None);
    let interval = words.interval_name(analysis.level);
    row(&format!("{}, % [{interval}]", words.of("Udeo", "Share")), text(told_share(total, level_of(analysis.level), words)));
    led(&plan.numerator.label, total.cell(total.numerator), &searches.numerator);
    led(&plan.denominator.label, total.cell(total.denominator), &searches.denominator);
    if let Some(column) = &plan.excluded {
        led(&column.label, total.cell(total.excluded), &searches.excluded);
    }
    let mut row = |name: &str, value: Value| led(name, value, &None);
    // Those of whom it should be told may be withheld alone.
    if plan.eligible.is_some() && !total.is_withheld() && total.eligible >= total.denominator {
        let told = share(total.denominator as usize, total.eligible as usize);
        row(words.of("Izvodljivost: može da se kaže", "Feasibility: can be told"), text(told));
    }
    if let Some(target) = plan.target {
        let sign = match plan.preferred {
            Preferred::Higher => "≥",
            Preferred::Lower => "≤",
        };
        row(words.of("Cilj", "Target"), text(format!("{sign} {} %", fixed(target, 1))));
        let met = total.share().map(|share| is_met(plan.preferred, share * 100.0, target));
        row(words.of("Cilj ispunjen", "Target met"), text(met.map_or("–", |met| words.yes_no(met))));
    }
    table.notes.push(words.of("Interval udela je Vilsonov.", "The interval of the share is Wilson's.").to_owned());
    if total.withheld > 0 {
        table.notes.push(told_withheld(words));
    }
    table
}

fn is_met(preferred: Preferred, percent: f64, target: f64) -> bool {
    match preferred {
        Preferred::Higher => percent >= target,
        Preferred::Lower => percent <= target,
    }
}

/// By time, with the rules of a run chart.
fn course(plan: &Indicator, analysis: &Analysis, columns: &Columns, times: &Levels, searches: &Searches) -> AnalysisTable {
    let words = Words(analysis.language);
    let heads = vec![
        left(times.name.clone()),
        right(plan.numerator.label.clone()),
        right(plan.denominator.label.clone()),
        right(format!("{}, % [{}]", words.of("Udeo", "Share"), words.interval_name(analysis.level))),
    ];
    let mut table = AnalysisTable::new(words.of("kroz vreme", "over time"), heads);
    let mut shares = Vec::new();
    let mut led = Vec::new();
    let mut withheld = false;
    for (code, name) in times.names.iter().enumerate() {
        let rows = || columns.rows().filter(|row| times.codes[*row] == Some(code as u32));
        let counts = columns.sum(rows());
        withheld |= counts.withheld > 0;
        let of_time = searches.of(counts, rows());
        table.lead(1, of_time.numerator);
        table.lead(2, of_time.denominator.clone());
        led.push(of_time.denominator);
        shares.push(counts.share());
        table.rows.push(vec![
            text(name),
            counts.cell(counts.numerator),
            counts.cell(counts.denominator),
            text(told_share(counts, level_of(analysis.level), words)),
        ]);
    }
    let chart = run_chart(Numeric { name: &times.name, values: &shares });
    table.notes.push(match &chart {
        Ok(chart) => format!(
            "{} {} %. {}: {} ({} {}); {}: {} ({} {}). {}",
            words.of("Medijana", "Median"),
            fixed(chart.median * 100.0, 1),
            words.of("Najduži niz sa iste strane medijane", "Longest run on one side of the median"),
            chart.longest_run,
            words.of("slučajno najviše", "by chance at most"),
            chart.longest_run_limit,
            words.of("preseka medijane", "crossings of the median"),
            chart.crossings,
            words.of("slučajno najmanje", "by chance at least"),
            chart.crossings_limit,
            if chart.has_signal() {
                words.of("Kretanje nije samo slučajno (Anhøj 2014).", "The course is not by chance alone (Anhøj 2014).")
            } else {
                words.of("Kretanje može biti slučajno (Anhøj 2014).", "The course may be chance (Anhøj 2014).")
            }
        ),
        Err(error) => words.error(error),
    });
    if withheld {
        table.notes.push(told_withheld(words));
    }
    let median = chart.ok().map(|chart| chart.median);
    table.figure = figure::course(&times.names, &shares, median, plan.target.map(|target| target / 100.0), words);
    if let Some(figure) = &table.figure {
        let points = shares.iter().zip(led).enumerate();
        let points = points.filter_map(|(place, (share, search))| Some((Point::new(Axis::place_of(place), (*share)?), search?)));
        table.figure_searches = spots(figure, 0, points);
    }
    table
}

/// Searches of the values of a series, by their words. Values of the same words lead nowhere unless it is to the same search.
fn spots(figure: &Figure, series: usize, points: impl Iterator<Item = (Point, ScreenSearch)>) -> Vec<(String, ScreenSearch)> {
    let all: Vec<(String, ScreenSearch)> = points.map(|(point, search)| (told(figure, series, &point), search)).collect();
    let is_clear = |(words, search): &&(String, ScreenSearch)| all.iter().all(|(other, led)| other != words || led == search);
    all.iter().filter(is_clear).cloned().collect()
}

/// By hospital, within the exact limits of its size.
fn funnel(
    plan: &Indicator,
    analysis: &Analysis,
    columns: &Columns,
    units: &Levels,
    (is_own, searches): (impl Fn(usize) -> bool, &Searches),
) -> Result<AnalysisTable, super::Problem> {
    let words = Words(analysis.language);
    let heads = vec![
        left(words.of("Ustanova", "Hospital")),
        right(plan.denominator.label.clone()),
        right(format!("{}, %", words.of("Udeo", "Share"))),
        right(format!("{}, %", words.of("Granice 95 %", "Limits 95 %"))),
        right(format!("{}, %", words.of("Granice 99,8 %", "Limits 99.8 %"))),
        left(words.of("Mesto", "Place")),
    ];
    let mut table = AnalysisTable::new(words.of("po ustanovama", "by hospital"), heads);
    let mut found: Vec<(FunnelUnit, Counts)> = Vec::new();
    let mut own_search = None;
    let (mut withheld, mut others) = (0, 0);
    for code in 0..units.names.len() {
        let rows = || columns.rows().filter(move |row| units.codes[*row] == Some(code as u32));
        let counts = columns.sum(rows());
        let own = rows().any(&is_own);
        let name = if own { words.of("Vaša ustanova", "Your hospital").to_owned() } else { lettered(words, others) };
        others += usize::from(!own);
        // Whom others count, nobody else is led to.
        if own {
            own_search = searches.of(counts, rows()).denominator;
        }
        match counts.share().filter(|_| counts.withheld == 0) {
            Some(share) => found.push((FunnelUnit { name, is_own: own, people: counts.denominator, share }, counts)),
            None => withheld += 1,
        }
    }
    if withheld > 0 {
        table.notes.push(format!(
            "{}: {withheld}.",
            words.of("Ustanova čiji su brojevi premali da bi se prikazali", "Hospitals whose numbers are too small to be shown")
        ));
    }
    if found.is_empty() {
        return Ok(table);
    }
    let pairs: Vec<(u64, u64)> = found.iter().map(|(_, counts)| (counts.numerator, counts.denominator)).collect();
    let baseline = pooled_share(&pairs)?;
    // One's own stands first.
    found.sort_by_key(|(unit, _)| !unit.is_own);
    for (unit, _) in &found {
        table.lead(1, own_search.clone().filter(|_| unit.is_own));
        let inner = funnel_limits(baseline, unit.people, Level::P95, FunnelMethod::ExactBinomial)?;
        let outer = funnel_limits(baseline, unit.people, Level::P998, FunnelMethod::ExactBinomial)?;
        table.rows.push(vec![
            text(&unit.name),
            count(unit.people as usize),
            text(fixed(unit.share * 100.0, 1)),
            text(told_limits(&inner)),
            text(told_limits(&outer)),
            text(place(unit.share, &inner, &outer, words)),
        ]);
    }
    table.notes.push(format!(
        "{} {} %. {}",
        words.of("Udeo svih prikazanih ustanova je", "The share of all hospitals shown is"),
        fixed(baseline * 100.0, 1),
        words.of(
            "Granice su tačne binomne, za veličinu ustanove (Špigelhalter 2005): unutar njih razlika može biti slučajna. Druge ustanove nemaju \
             imena, a slova nisu ista za svakog čitaoca.",
            "Limits are exact binomial for the size of a hospital (Spiegelhalter 2005): within them a difference may be chance. Other hospitals have \
             no names, and their letters differ from reader to reader.",
        )
    ));
    let shown: Vec<FunnelUnit> = found.into_iter().map(|(unit, _)| unit).collect();
    table.figure = figure::funnel(&shown, baseline, plan.target.map(|target| target / 100.0), &plan.denominator.label, words);
    if let (Some(figure), Some(own)) = (&table.figure, shown.iter().find(|unit| unit.is_own)) {
        let point = own_search.map(|search| (Point::new(own.people as f64, own.share), search));
        table.figure_searches = spots(figure, figure::OWN_HOSPITAL, point.into_iter());
    }
    Ok(table)
}

/// `Ustanova A`, after Z `Ustanova AA`.
fn lettered(words: Words, place: usize) -> String {
    fn letters(place: usize) -> String {
        let last = char::from(b'A' + (place % 26) as u8);
        if place < 26 { last.to_string() } else { format!("{}{last}", letters(place / 26 - 1)) }
    }
    format!("{} {}", words.of("Ustanova", "Hospital"), letters(place))
}

fn told_withheld(words: Words) -> String {
    let told = words.of(
        "Gde stoji crta, brojevi su premali da bi se prikazali: u njima je malo pacijenata drugih ustanova.",
        "A dash stands for numbers that are too small to be shown: few patients of other hospitals are in them.",
    );
    told.to_owned()
}

fn told_limits(limits: &FunnelLimits) -> String {
    format!("{}–{}", fixed(limits.low * 100.0, 1), fixed(limits.high * 100.0, 1))
}

fn place(share: f64, inner: &FunnelLimits, outer: &FunnelLimits, words: Words) -> &'static str {
    match share {
        share if share > outer.high => words.of("iznad granice 99,8 %", "above the 99.8 % limit"),
        share if share > inner.high => words.of("iznad granice 95 %", "above the 95 % limit"),
        share if share < outer.low => words.of("ispod granice 99,8 %", "below the 99.8 % limit"),
        share if share < inner.low => words.of("ispod granice 95 %", "below the 95 % limit"),
        _ => words.of("unutar granica", "within the limits"),
    }
}

/// `65,0 [55,3; 73,6]`, in percent.
fn told_share(counts: Counts, level: Level, words: Words) -> String {
    if counts.is_withheld() {
        return WITHHELD.to_owned();
    }
    match proportion::wilson(counts.numerator, counts.denominator, level) {
        Ok(found) => {
            let mut interval = found.interval;
            interval.low = interval.low.map(|low| low * 100.0);
            interval.high = interval.high.map(|high| high * 100.0);
            words.estimate(&Estimate { value: found.value * 100.0, interval, ..found }, 1)
        }
        Err(error) => words.error(&error),
    }
}
