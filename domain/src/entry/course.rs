//! The course of a patient as figures: the chart of an entry, and each measure and therapy of the patient's page. Screen and print draw these.
use std::collections::BTreeSet;

use jiff::civil::Date;
use report_chart::axis::Steps;
use report_chart::palette::Rgb;
use report_chart::{Axis, Direction, Figure, Legend, Mark, Point, RightAxis, Scale, Series, Size, Stretch, times};

use super::chart::{ChartPoint, PointMark};
use super::stale::{UNIT_MARK, mark_words};
use crate::register::ChartLine;
use crate::report_screen::{ScreenDrawing, drawing};
use crate::shown::number;
use crate::time::date_text;

/// Scores that differ by less than this are not drawn further apart.
const LEAST_SPAN: f64 = 1.0;
/// Lines so much larger than the others that one axis would press those flat have the axis on the right.
const MAGNITUDE: f64 = 3.0;
/// Of a colour that is none.
const OTHER: Rgb = (90, 90, 90);
/// Steps of the axis of one measure.
const STEPS: usize = 3;

/// A figure, and the words of its values by series and within one by time, as they are pointed at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Course {
    pub figure: Figure,
    pub told: Vec<String>,
}

/// What is said of a measure beside its line.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measure<'a> {
    pub unit: Option<&'a str>,
    /// The bounds that are normal.
    pub low: Option<f64>,
    pub high: Option<f64>,
}

struct Dot<'a> {
    day: Date,
    value: f64,
    mark: Option<&'a PointMark>,
}

/// The chart of `lines` over `points`: those that have numbers and nothing else, on one axis of time.
pub fn chart(lines: &[ChartLine], points: &[ChartPoint]) -> Course {
    let of_line = |line| (line, dots(points, line));
    let drawn: Vec<(&ChartLine, Vec<Dot>)> = lines
        .iter()
        .filter(|line| is_numeric(points, &line.sifra))
        .map(of_line)
        .filter(|(_, dots): &(&ChartLine, Vec<Dot>)| !dots.is_empty())
        .collect();
    let axis =
        || Axis { title: String::new(), scale: Scale::Numbers { steps: Steps::Linear, least: Some(0.0), greatest: Some(LEAST_SPAN) } };
    let right = on_the_right(&drawn);
    let mut course = Course::over_time(axis());
    course.figure.legend = Legend::Always;
    course.figure.right = (!right.is_empty()).then(|| RightAxis { axis: axis(), series: right });
    for (line, dots) in &drawn {
        course.push(line, dots, Measure::default());
    }
    course
}

/// One measure on an axis of its own, its bounds shaded, what lies outside them ringed; none without a number. `days` are those of all
/// drawings that stand below one another.
pub fn measure(line: &ChartLine, points: &[ChartPoint], of: Measure, days: &[f64]) -> Option<Course> {
    let dots = dots(points, line);
    if dots.is_empty() {
        return None;
    }
    let mut course = Course::over_time(Axis::numbers(""));
    course.figure.shared_x = days.to_vec();
    if of.low.is_some() || of.high.is_some() {
        let known: Vec<f64> = dots.iter().map(|dot| dot.value).chain(of.low).chain(of.high).collect();
        let (bottom, top) = ends_of_axis(&known);
        course.figure.y.scale = Scale::Numbers { steps: Steps::Linear, least: Some(bottom), greatest: Some(top) };
        let (from, to) = (of.low.unwrap_or(bottom), of.high.unwrap_or(top));
        if from <= to {
            course.figure.marks.push(Mark::ReferenceRange { axis: Direction::Y, from, to, words: String::new() });
        }
    }
    course.push(line, &dots, of);
    Some(course)
}

/// What is no number, a therapy for example: `texts` are those of the visits that could say it, an empty one where none does.
pub fn written(line: &ChartLine, texts: &[(Date, String)], days: &[f64]) -> Option<Course> {
    let stretches = stretches_of(texts);
    if stretches.is_empty() {
        return None;
    }
    let mut course = Course::over_time(Axis::categories("", vec![String::new()]));
    course.figure.shared_x = days.to_vec();
    course.figure.series.push(series(line));
    course.figure.marks.push(Mark::Stretches { series: 0, stretches });
    Some(course)
}

impl Course {
    fn over_time(y: Axis) -> Self {
        let figure = Figure { x: Axis::time(""), y, legend: Legend::Hidden, ..Figure::default() };
        Course { figure, told: Vec::new() }
    }

    fn push(&mut self, line: &ChartLine, dots: &[Dot], of: Measure) {
        let place = self.figure.series.len();
        let at = |dot: &Dot| Point::new(times::of_day(dot.day), dot.value);
        let points_of = |is_of: &dyn Fn(&Dot) -> bool| dots.iter().filter(|dot| is_of(dot)).map(at).collect::<Vec<Point>>();
        self.figure.series.push(series(line));
        self.figure.marks.push(Mark::Line { series: place, points: points_of(&|_| true), dots: true });
        let is_outside = |dot: &Dot| of.low.is_some_and(|low| dot.value < low) || of.high.is_some_and(|high| dot.value > high);
        let doubtful = points_of(&|dot| dot.mark.is_some());
        let outside = points_of(&|dot| dot.mark.is_none() && is_outside(dot));
        for (points, is_dashed) in [(outside, false), (doubtful, true)] {
            if !points.is_empty() {
                self.figure.marks.push(Mark::Rings { series: place, points, is_dashed });
            }
        }
        self.told.extend(dots.iter().map(|dot| told(line, dot, of.unit)));
    }

    /// On a screen; none where nothing can be drawn.
    pub fn drawn(&self, size: Size) -> Option<ScreenDrawing> {
        let mut drawn = drawing(&self.figure, size).ok()?;
        let names: BTreeSet<&str> = self.figure.series.iter().map(|series| series.name.as_str()).collect();
        // Of very many values some have no place of their own, and places of series of one name are not told apart.
        if drawn.mesta.len() == self.told.len() && names.len() == self.figure.series.len() {
            drawn.mesta.iter_mut().zip(&self.told).for_each(|(spot, told)| spot.tekst.clone_from(told));
        }
        Some(drawn)
    }
}

/// By day. A number of another unit would say what it is not on an axis of today's, so tables alone have it.
fn dots<'a>(points: &'a [ChartPoint], line: &ChartLine) -> Vec<Dot<'a>> {
    let dot = |point: &'a ChartPoint| {
        let mark = point.zastareli.get(&line.sifra);
        let value = point.vrednosti.get(&line.sifra)?.as_f64()?;
        mark.is_none_or(|mark| mark.razlog != UNIT_MARK).then_some(Dot { day: point.date, value, mark })
    };
    let mut dots: Vec<Dot> = points.iter().filter_map(dot).collect();
    dots.sort_by_key(|dot| dot.day);
    dots
}

/// What paper says of the values that are in another unit: a screen has them in its table.
pub fn not_drawn(lines: &[ChartLine], points: &[ChartPoint]) -> Option<String> {
    let is_in_other_unit = |point: &ChartPoint, line: &ChartLine| {
        let is_number = point.vrednosti.get(&line.sifra).is_some_and(serde_json::Value::is_number);
        is_number && point.zastareli.get(&line.sifra).is_some_and(|mark| mark.razlog == UNIT_MARK)
    };
    let count = points.iter().map(|point| lines.iter().filter(|line| is_in_other_unit(point, line)).count()).sum::<usize>();
    (count > 0).then(|| format!("U drugoj jedinici, zato nije nacrtano: {count}."))
}

/// Whether a line has numbers, and nothing but numbers.
fn is_numeric(points: &[ChartPoint], code: &str) -> bool {
    let mut values = points.iter().filter_map(|point| point.vrednosti.get(code)).filter(|value| !value.is_null()).peekable();
    values.peek().is_some() && values.all(serde_json::Value::is_number)
}

/// Places of the lines on the right, so divided that the flattest line is as high on its axis as it can be.
fn on_the_right(drawn: &[(&ChartLine, Vec<Dot>)]) -> Vec<usize> {
    let most = |dots: &[Dot]| dots.iter().map(|dot| dot.value.abs()).fold(0.0, f64::max);
    let mut sorted: Vec<(usize, f64)> = drawn.iter().enumerate().map(|(place, (_, dots))| (place, most(dots))).collect();
    sorted.retain(|(_, most)| *most > 0.0);
    sorted.sort_by(|left, right| left.1.total_cmp(&right.1));
    let (Some((_, least)), Some((_, greatest))) = (sorted.first().copied(), sorted.last().copied()) else { return Vec::new() };
    if greatest < MAGNITUDE * least || sorted.len() < 2 {
        return Vec::new();
    }
    let flattest = |split: usize| f64::min(least / sorted[split - 1].1, sorted[split].1 / greatest);
    let best = (1..sorted.len()).max_by(|one, other| flattest(*one).total_cmp(&flattest(*other))).unwrap_or(1);
    let right: BTreeSet<usize> = sorted[best..].iter().map(|(place, _)| *place).collect();
    right.into_iter().collect()
}

/// Where the axis of a measure begins and ends, so that what is shaded reaches as far.
fn ends_of_axis(known: &[f64]) -> (f64, f64) {
    let axis = Axis::numbers("");
    let mut ends = known.to_vec();
    // Round ends may ask for wider steps, and these for wider ends.
    for _ in 0..4 {
        let extent = axis.extent(&ends, STEPS);
        ends = vec![extent.low, extent.high];
    }
    (ends[0], ends[1])
}

/// The same text at one visit after another is one stretch; it holds until the visit that has another one.
fn stretches_of(texts: &[(Date, String)]) -> Vec<Stretch> {
    let mut sorted: Vec<&(Date, String)> = texts.iter().collect();
    sorted.sort_by_key(|(day, _)| *day);
    let mut found: Vec<Stretch> = Vec::new();
    for (day, text) in sorted {
        let at = times::of_day(*day);
        match found.last_mut() {
            Some(last) if last.words == *text => continue,
            Some(last) => last.to = Some(at),
            None => {}
        }
        found.push(Stretch { from: at, to: None, words: text.clone() });
    }
    found.retain(|stretch| !stretch.words.is_empty());
    found
}

fn told(line: &ChartLine, dot: &Dot, unit: Option<&str>) -> String {
    let mark = dot.mark.map(|mark| format!(" ({})", mark_words(&mark.razlog, mark.jedinica.as_deref()))).unwrap_or_default();
    let unit = unit.map(|unit| format!(" {unit}")).unwrap_or_default();
    format!("{}, {}: {}{unit}{mark}", line.oznaka, date_text(dot.day), number(dot.value))
}

fn series(line: &ChartLine) -> Series {
    Series { name: line.oznaka.clone(), color: Some(rgb(&line.boja)) }
}

/// `#rrggbb`; anything else is drawn in grey.
fn rgb(color: &str) -> Rgb {
    let number = color.strip_prefix('#').filter(|digits| digits.len() == 6).and_then(|digits| u32::from_str_radix(digits, 16).ok());
    number.map_or(OTHER, |number| ((number >> 16) as u8, (number >> 8) as u8, number as u8))
}
