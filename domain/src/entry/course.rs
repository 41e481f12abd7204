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

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use serde_json::{Value, json};

    use super::*;

    fn point(day: &str, vrednosti: Value) -> ChartPoint {
        ChartPoint { date: day.parse().unwrap(), vrednosti, naziv: String::new(), zastareli: HashMap::new(), form_version_id: 1 }
    }

    fn marked(day: &str, vrednosti: Value, code: &str, razlog: &str) -> ChartPoint {
        let mark = PointMark { razlog: razlog.to_owned(), jedinica: Some("g".to_owned()) };
        ChartPoint { zastareli: HashMap::from([(code.to_owned(), mark)]), ..point(day, vrednosti) }
    }

    fn line(oznaka: &str, sifra: &str) -> ChartLine {
        ChartLine { oznaka: oznaka.to_owned(), sifra: sifra.to_owned(), boja: "#2563eb".to_owned() }
    }

    fn points_of(course: &Course, series: usize) -> Vec<(f64, f64)> {
        let own = |mark: &Mark| match mark {
            Mark::Line { series: own, points, .. } if *own == series => Some(points.clone()),
            _ => None,
        };
        course.figure.marks.iter().find_map(own).unwrap().into_iter().map(|point| (point.x, point.y)).collect()
    }

    #[test]
    fn visits_stand_by_their_days_in_order_and_say_their_values_as_they_are_stored() {
        let visits = [
            point("1970-04-01", json!({ "das": 3.00005 })),
            point("1970-01-01", json!({ "das": 5 })),
            point("1970-01-03", json!({ "das": 4.5 })),
        ];
        let course = chart(&[line("DAS28", "das"), line("Nema", "nema")], &visits);
        assert_eq!(points_of(&course, 0), [(0.0, 5.0), (2.0, 4.5), (90.0, 3.00005)]);
        assert_eq!(course.told, ["DAS28, 01.01.1970.: 5", "DAS28, 03.01.1970.: 4,5", "DAS28, 01.04.1970.: 3,00005"]);
        assert_eq!(course.figure.series.len(), 1, "a line without a value is none");
        let drawn = course.drawn(Size::screen(800.0, 400.0)).unwrap();
        assert_eq!((drawn.sirina, drawn.visina), (800.0, 400.0));
        assert_eq!(drawn.mesta.iter().map(|spot| spot.tekst.clone()).collect::<Vec<_>>(), course.told);
        let [first, second, third] = &drawn.mesta[..] else { panic!("{:?}", drawn.mesta) };
        assert!((third.x - first.x) / (second.x - first.x) > 44.0, "two days are a fortyfifth of ninety");
    }

    #[test]
    fn a_number_of_another_unit_is_not_drawn_and_one_of_a_former_formula_is_ringed() {
        let visits = [
            marked("2025-01-01", json!({ "masa": 72_000 }), "masa", UNIT_MARK),
            marked("2025-02-01", json!({ "masa": 73 }), "masa", "formula"),
            point("2025-03-01", json!({ "masa": 74 })),
        ];
        let course = chart(&[line("Masa", "masa")], &visits);
        assert_eq!(points_of(&course, 0).iter().map(|(_, value)| *value).collect::<Vec<_>>(), [73.0, 74.0]);
        let rings: Vec<usize> = course
            .figure
            .marks
            .iter()
            .filter_map(|mark| if let Mark::Rings { points, is_dashed: true, .. } = mark { Some(points.len()) } else { None })
            .collect();
        assert_eq!(rings, [1]);
        assert_eq!(course.told[0], "Masa, 01.02.2025.: 73 (Današnja formula daje drugi rezultat)");
        assert_eq!(not_drawn(&[line("Masa", "masa")], &visits).as_deref(), Some("U drugoj jedinici, zato nije nacrtano: 1."));
        let text = [point("2025-01-01", json!({ "terapija": "Metotreksat" })), point("2025-02-01", json!({ "terapija": 3 }))];
        assert!(!chart(&[line("Terapija", "terapija")], &text).figure.has_values(), "what is no number has no line");
    }

    #[test]
    fn lines_of_another_magnitude_have_the_axis_on_the_right() {
        let visits =
            [point("2025-03-05", json!({ "haq": 1, "das": 2, "crp": 99 })), point("2026-03-05", json!({ "haq": 2, "das": 5, "crp": 3 }))];
        let lines = [line("HAQ", "haq"), line("DAS28", "das"), line("CRP", "crp")];
        let course = chart(&lines, &visits);
        assert_eq!(course.figure.right.as_ref().unwrap().series, [2]);
        let drawn = course.drawn(Size::screen(800.0, 400.0)).unwrap();
        let height = |place: usize| (drawn.mesta[place * 2].y - drawn.mesta[place * 2 + 1].y).abs();
        assert!(height(0) > 40.0 && height(1) > 100.0 && height(2) > 200.0, "{:?}", drawn.mesta);
        let words: Vec<&str> = drawn.oblici.iter().filter_map(|shape| shape.tekst.as_deref()).collect();
        assert!(words.contains(&"CRP (desna osa)") && words.contains(&"100") && words.contains(&"DAS28"), "{words:?}");
        assert_eq!(chart(&lines[..2], &visits).figure.right, None, "HAQ and DAS28 share one");
        assert_eq!(chart(&[], &visits).figure.right, None);
    }

    #[test]
    fn a_measure_has_its_bounds_shaded_as_far_as_its_axis_and_what_is_outside_ringed() {
        let visits = [point("2025-03-05", json!({ "crp": 12 })), point("2026-03-05", json!({ "crp": 3 }))];
        let of = Measure { unit: Some("mg/L"), low: None, high: Some(5.0) };
        let course = measure(&line("CRP", "crp"), &visits, of, &[0.0, 30_000.0]).unwrap();
        let Mark::ReferenceRange { from, to, .. } = course.figure.marks[0] else { panic!("{:?}", course.figure.marks) };
        assert_eq!((from, to), (0.0, 5.0));
        let Mark::Rings { points, is_dashed: false, .. } = &course.figure.marks[2] else { panic!("{:?}", course.figure.marks) };
        assert_eq!(points.iter().map(|point| point.y).collect::<Vec<_>>(), [12.0]);
        assert_eq!(course.told, ["CRP, 05.03.2025.: 12 mg/L", "CRP, 05.03.2026.: 3 mg/L"]);
        assert_eq!(measure(&line("Drugo", "drugo"), &visits, of, &[]), None);
        for known in [[4.0, 16.0], [5.0, 25.0], [61.0, 74.0], [0.8, 99.0], [3.0, 3.0], [-2.5, -1.9]] {
            let ends = ends_of_axis(&known);
            let extent = Axis::numbers("").extent(&[ends.0, ends.1], STEPS);
            assert_eq!((extent.low, extent.high), ends, "{known:?}");
        }
    }

    #[test]
    fn a_therapy_holds_until_the_visit_that_has_another_and_the_last_one_to_the_end() {
        let at = |day: &str, text: &str| (day.parse::<Date>().unwrap(), text.to_owned());
        let texts =
            [at("2025-01-01", "Metotreksat"), at("2025-04-01", "Metotreksat"), at("2025-07-01", ""), at("2025-10-01", "Leflunomid")];
        let day = |text: &str| times::of_day(text.parse().unwrap());
        let stretch = |from: &str, to: Option<&str>, words: &str| Stretch { from: day(from), to: to.map(day), words: words.to_owned() };
        let expected = [stretch("2025-01-01", Some("2025-07-01"), "Metotreksat"), stretch("2025-10-01", None, "Leflunomid")];
        assert_eq!(stretches_of(&texts), expected);
        let drawn = written(&line("Terapija", "t"), &texts, &[day("2025-01-01"), day("2026-01-01")]).unwrap();
        let drawn = drawn.drawn(Size::screen(760.0, 60.0)).unwrap();
        let told: Vec<&str> = drawn.mesta.iter().map(|spot| spot.tekst.as_str()).collect();
        assert_eq!(told, ["Terapija, 01.01.2025. – 01.07.2025.: Metotreksat", "Terapija, 01.10.2025.: Leflunomid"]);
        assert!(drawn.oblici.iter().any(|shape| shape.tekst.as_deref() == Some("Metotreksat")));
        assert_eq!(written(&line("Terapija", "t"), &[at("2025-01-01", "")], &[]), None);
    }

    #[test]
    fn a_colour_that_is_none_is_grey() {
        assert_eq!(rgb("#2563eb"), (0x25, 0x63, 0xEB));
        assert_eq!(rgb("crvena"), OTHER);
        assert_eq!(rgb("#žž"), OTHER);
    }
}
