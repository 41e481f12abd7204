//! Figures of analyses: survival curves with their bands, forest plots, ROC curves, boxes.
use report_chart::axis::Steps;
use report_chart::{Axis, BoxPlot, Direction, Figure, Interval, Legend, Mark, Point, RiskRow, RiskTable, Scale, Series};
use statistics::Level;
use statistics::describe::Summary;
use statistics::model::fit::Coefficient;
use statistics::model::roc::Roc;
use statistics::rates::funnel::{FunnelMethod, funnel_limits};
use statistics::survival::competing::IncidenceStep;

use super::indicator::FunnelUnit;
use super::survival::NamedCurve;
use super::words::Words;

/// More curves than these have no bands: they would cover each other.
const MOST_BANDS: usize = 4;
/// Whiskers reach to values within so many interquartile ranges (Tukey 1977).
const WHISKER: f64 = 1.5;

fn series<'a>(names: impl Iterator<Item = &'a str>) -> Vec<Series> {
    names.map(|name| Series { name: name.to_owned(), color: None }).collect()
}

/// Curves from one downwards, with their bands, ticks of the censored, and numbers at risk under the axis.
pub fn survival(curves: &[NamedCurve], time: &str, until: Option<f64>, words: Words) -> Figure {
    let mut figure = Figure {
        x: Axis::from_zero(time),
        y: Axis::percent(words.of("Bez događaja", "Without the event")),
        series: series(curves.iter().map(|named| named.name.as_str())),
        ..Figure::default()
    };
    let mut rows = Vec::new();
    for (place, NamedCurve { curve, .. }) in curves.iter().enumerate() {
        let start = Point::new(0.0, 1.0);
        let points: Vec<Point> = curve.steps.iter().map(|step| Point::new(step.time, step.survival)).collect();
        let censored = curve.steps.iter().filter(|step| step.censored > 0).map(|step| Point::new(step.time, step.survival));
        if curves.len() <= MOST_BANDS {
            let known = curve.steps.iter().map_while(|step| Some(Interval { at: step.time, low: step.low?, high: step.high? }));
            let bounds = std::iter::once(Interval { at: 0.0, low: 1.0, high: 1.0 }).chain(known).collect();
            figure.marks.push(Mark::Band { series: place, bounds, stepped: true });
        }
        figure.marks.push(Mark::Censored { series: place, points: censored.collect() });
        figure.marks.push(Mark::Steps { series: place, points: std::iter::once(start).chain(points).collect() });
        rows.push(RiskRow { series: place, name: None, counts: curve.steps.iter().map(|step| (step.time, step.at_risk as u64)).collect() });
    }
    if let Some(at) = until {
        figure.marks.push(Mark::ReferenceLine { axis: Direction::X, at, words: "RMST".to_owned() });
    }
    figure.at_risk = Some(RiskTable { title: words.of("Pod rizikom", "At risk").to_owned(), rows });
    figure
}

/// A rising curve of incidence, up to the end of the follow-up of those it is of.
pub struct IncidenceCurve<'a> {
    pub name: String,
    pub steps: &'a [IncidenceStep],
    pub end: f64,
    /// None where the curve before it is of the same people.
    pub at_risk: Option<AtRisk>,
}

/// How many are followed just before each time.
#[derive(Clone)]
pub struct AtRisk {
    /// Who they are, where the curve is called by its event.
    pub name: Option<String>,
    pub counts: Vec<(f64, u64)>,
}

/// Curves from zero upwards, with their bands and the numbers at risk.
pub fn incidence(curves: &[IncidenceCurve], time: &str, words: Words) -> Figure {
    let mut figure = Figure {
        x: Axis::from_zero(time),
        y: Axis::percent(words.of("Kumulativna incidencija", "Cumulative incidence")),
        series: series(curves.iter().map(|curve| curve.name.as_str())),
        ..Figure::default()
    };
    let mut rows = Vec::new();
    for (place, curve) in curves.iter().enumerate() {
        let last = curve.steps.last().map_or(0.0, |step| step.incidence);
        let start = std::iter::once(Point::new(0.0, 0.0));
        let points = start.chain(curve.steps.iter().map(|step| Point::new(step.time, step.incidence)));
        let points = points.chain(std::iter::once(Point::new(curve.end, last))).collect();
        if curves.len() <= MOST_BANDS {
            let known =
                curve.steps.iter().filter_map(|step| Some(Interval { at: step.time, low: step.interval.low?, high: step.interval.high? }));
            let mut bounds: Vec<Interval> = std::iter::once(Interval { at: 0.0, low: 0.0, high: 0.0 }).chain(known).collect();
            bounds.extend(bounds.last().copied().map(|last| Interval { at: curve.end, ..last }));
            figure.marks.push(Mark::Band { series: place, bounds, stepped: true });
        }
        figure.marks.push(Mark::Steps { series: place, points });
        rows.extend(curve.at_risk.clone().map(|AtRisk { name, counts }| RiskRow { series: place, name, counts }));
    }
    figure.at_risk = Some(RiskTable { title: words.of("Pod rizikom", "At risk").to_owned(), rows });
    figure
}

/// Estimates with their intervals, one below the other; ratios on a scale of ratios.
pub fn forest(coefficients: &[Coefficient], ratio: Option<&str>, interval: &str, words: Words) -> Option<Figure> {
    let mut names = Vec::new();
    let mut beside = Vec::new();
    let (mut bars, mut points) = (Vec::new(), Vec::new());
    for coefficient in coefficients {
        let Some(wald) = &coefficient.wald else { continue };
        let (value, bounds) = if ratio.is_some() { (wald.ratio(), wald.ratio_interval()) } else { (wald.beta, wald.interval) };
        let (Some(low), Some(high)) = (bounds.low, bounds.high) else { continue };
        if !value.is_finite() || (ratio.is_some() && low <= 0.0) {
            continue;
        }
        let at = Axis::place_of(names.len());
        bars.push(Interval { at, low, high });
        points.push(Point::new(value, at));
        beside.push(format!("{} {}", words.number(value, 2), words.interval(&bounds, 2)));
        names.push(coefficient.column.name.clone());
    }
    if names.is_empty() {
        return None;
    }
    let name = ratio.unwrap_or(words.of("Koeficijent", "Coefficient"));
    let title = format!("{name} ({interval})");
    let steps = if ratio.is_some() { Steps::Log } else { Steps::Linear };
    Some(Figure {
        x: Axis { title, scale: Scale::Numbers { steps, least: None, greatest: None } },
        y: Axis { title: String::new(), scale: Scale::Categories { names, beside } },
        series: series(std::iter::once(name)),
        marks: vec![
            Mark::ReferenceLine { axis: Direction::X, at: if ratio.is_some() { 1.0 } else { 0.0 }, words: String::new() },
            Mark::ErrorBars { series: 0, along: Direction::X, bars },
            Mark::Points { series: 0, points },
        ],
        legend: Legend::Hidden,
        ..Figure::default()
    })
}

pub fn roc(curves: &[(String, Roc)], words: Words) -> Figure {
    let mut figure = Figure {
        x: Axis::percent(words.of("1 − specifičnost", "1 − specificity")),
        y: Axis::percent(words.of("Osetljivost", "Sensitivity")),
        series: series(curves.iter().map(|(name, _)| name.as_str())),
        marks: vec![Mark::ReferenceSegment { from: Point::new(0.0, 0.0), to: Point::new(1.0, 1.0), words: String::new() }],
        ..Figure::default()
    };
    for (place, (_, curve)) in curves.iter().enumerate() {
        let points = curve.points.iter().map(|point| Point::new(1.0 - point.specificity, point.sensitivity)).collect();
        figure.marks.push(Mark::Line { series: place, points, dots: false });
    }
    figure
}

/// The series of a funnel that is the reader's own hospital.
pub const OWN_HOSPITAL: usize = 2;
/// Limits of a funnel are drawn at so many sizes.
const FUNNEL_STEPS: u64 = 80;

/// Shares over time, with their median and the target. Where a share is missing the line ends, and another begins behind it.
pub fn course(names: &[String], shares: &[Option<f64>], median: Option<f64>, target: Option<f64>, words: Words) -> Option<Figure> {
    if shares.iter().all(Option::is_none) {
        return None;
    }
    let mut marks: Vec<Mark> = Vec::new();
    let points: Vec<(usize, f64)> = shares.iter().enumerate().filter_map(|(place, share)| Some((place, (*share)?))).collect();
    for run in points.chunk_by(|left, right| left.0 + 1 == right.0) {
        let points = run.iter().map(|(place, share)| Point::new(Axis::place_of(*place), *share)).collect();
        marks.push(Mark::Line { series: 0, points, dots: true });
    }
    let lines = [(median, words.of("medijana", "median")), (target, words.of("cilj", "target"))];
    marks.extend(
        lines.into_iter().filter_map(|(at, words)| Some(Mark::ReferenceLine { axis: Direction::Y, at: at?, words: words.to_owned() })),
    );
    Some(Figure {
        x: Axis::categories("", names.to_vec()),
        y: Axis::percent_from_zero(words.of("Udeo", "Share")),
        series: series(std::iter::once(words.of("Udeo", "Share"))),
        marks,
        legend: Legend::Hidden,
        ..Figure::default()
    })
}

/// Hospitals by their size, within the limits between which chance alone would put them.
pub fn funnel(units: &[FunnelUnit], baseline: f64, target: Option<f64>, people: &str, words: Words) -> Option<Figure> {
    let (least, most) = (units.iter().map(|unit| unit.people).min()?, units.iter().map(|unit| unit.people).max()?);
    // Of far smaller hospitals than there are, the limits would take all the height.
    let first = (least / 2).max(1);
    let end = most + most / 10 + 1;
    let mut figure = Figure {
        x: Axis::from_zero(people),
        y: Axis::percent_from_zero(words.of("Udeo", "Share")),
        series: series(
            [
                words.of("Granice 95 %", "Limits 95 %"),
                words.of("Granice 99,8 %", "Limits 99.8 %"),
                words.of("Vaša ustanova", "Your hospital"),
                words.of("Druge ustanove", "Other hospitals"),
            ]
            .into_iter(),
        ),
        ..Figure::default()
    };
    for (place, level) in [Level::P95, Level::P998].into_iter().enumerate() {
        let sizes = (first..=end).step_by(usize::try_from(end.div_ceil(FUNNEL_STEPS)).unwrap_or(1));
        let limits: Vec<_> =
            sizes.filter_map(|n| Some((n as f64, funnel_limits(baseline, n, level, FunnelMethod::ExactBinomial).ok()?))).collect();
        let low = limits.iter().map(|(n, limits)| Point::new(*n, limits.low)).collect();
        let high = limits.iter().map(|(n, limits)| Point::new(*n, limits.high)).collect();
        figure.marks.extend([low, high].map(|points| Mark::Line { series: place, points, dots: false }));
    }
    for (series, is_own) in [(OWN_HOSPITAL, true), (OWN_HOSPITAL + 1, false)] {
        let points: Vec<Point> =
            units.iter().filter(|unit| unit.is_own == is_own).map(|unit| Point::new(unit.people as f64, unit.share)).collect();
        if !points.is_empty() {
            figure.marks.push(Mark::Points { series, points });
        }
    }
    let lines = [(Some(baseline), words.of("svi", "all")), (target, words.of("cilj", "target"))];
    let line = |(at, words): (Option<f64>, &str)| Some(Mark::ReferenceLine { axis: Direction::Y, at: at?, words: words.to_owned() });
    figure.marks.extend(lines.into_iter().filter_map(line));
    Some(figure)
}

/// A box of each group, by Tukey.
pub fn boxes(groups: Vec<(String, Vec<f64>, Summary)>, by: &str, variable: &str) -> Figure {
    let names = groups.iter().map(|(name, ..)| name.clone()).collect();
    let boxes = groups.into_iter().enumerate().map(|(place, (_, values, summary))| {
        let (low, high) = (summary.quartiles.low, summary.quartiles.high);
        let reach = WHISKER * (high - low);
        let is_within = |value: &f64| *value >= low - reach && *value <= high + reach;
        let within = || values.iter().copied().filter(is_within);
        BoxPlot {
            at: Axis::place_of(place),
            n: summary.n,
            low: within().fold(f64::INFINITY, f64::min),
            first_quartile: low,
            median: summary.median,
            third_quartile: high,
            high: within().fold(f64::NEG_INFINITY, f64::max),
            outliers: values.iter().copied().filter(|value| !is_within(value)).collect(),
        }
    });
    let boxes = boxes.collect();
    Figure {
        x: Axis::categories(by, names),
        y: Axis::numbers(variable),
        series: series(std::iter::once(variable)),
        marks: vec![Mark::Boxes { series: 0, boxes }],
        legend: Legend::Hidden,
        ..Figure::default()
    }
}
