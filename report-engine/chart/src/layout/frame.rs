//! The plot within its frame: how much room words need at each side, and where values lie in what is left.
use super::legend;
use super::series_of;
use crate::axis::{Axis, Extent, MOST_STEPS, Scale, Tick, apart};
use crate::drawing::{Place, Size};
use crate::figure::{Direction, Fault, Figure, Mark, Point, stack_ends};
use crate::text;

/// Words under an axis are this much of their size apart.
const GAP: f64 = 0.8;
/// Names of categories may be shortened where they are no more than these.
const MOST_SHORTENED: usize = 12;
/// A name is not shortened below so many letters; rather every second, third … is left out.
const LEAST_SHORTENED: f64 = 3.4;

/// The field of the marks, and the axes along it.
pub struct Plot {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
    pub letters: f64,
    pub x: Extent,
    pub y: Extent,
    /// Words under x that stand apart, each with its lines.
    pub x_words: Vec<(f64, Vec<String>)>,
    pub y_words: Vec<Tick>,
    pub right_axis: Option<RightSide>,
    /// Categories of y run down.
    is_y_down: bool,
}

/// The axis on the right with its words, and the series that are read there.
pub struct RightSide {
    extent: Extent,
    pub words: Vec<Tick>,
    series: Vec<usize>,
}

impl Plot {
    pub fn within(figure: &Figure, size: Size, top: f64, bottom: f64, is_direct: bool) -> Result<Plot, Fault> {
        let letters = size.letters;
        let top = top + above(letters);
        let height = bottom - top - below(figure, letters);
        if height < letters * 3.0 {
            return Err(Fault::TooSmall);
        }
        let (y, y_words) = along_y(&figure.y, &reach(figure, Direction::Y), &figure_values(figure, Direction::Y), height, letters);
        let right_axis = figure.right.as_ref().map(|right| {
            let marks = figure.marks.iter().filter(|mark| mark.series().is_some_and(|series| figure.is_right(series)));
            let values: Vec<f64> = marks.flat_map(|mark| mark.values(Direction::Y)).collect();
            let (extent, words) = along_y(&right.axis, &values, &values, height, letters);
            RightSide { extent, words, series: right.series.clone() }
        });
        let left = left_of(figure, &y_words, size);
        let right = right_of(figure, right_axis.as_ref(), size, is_direct);
        let width = size.width - left - right;
        if width < letters * 4.0 {
            return Err(Fault::TooSmall);
        }
        let (x, x_words) = along_x(figure, width, letters);
        Ok(Plot { left, top, width, height, letters, x, y, x_words, y_words, right_axis, is_y_down: figure.y.is_categories() })
    }

    pub fn bottom(&self) -> f64 {
        self.top + self.height
    }

    pub fn right(&self) -> f64 {
        self.left + self.width
    }

    pub fn x(&self, value: f64) -> f64 {
        self.left + self.x.share(value).clamp(-0.5, 1.5) * self.width
    }

    pub fn y(&self, value: f64) -> f64 {
        let share = self.y.share(value).clamp(-0.5, 1.5);
        self.top + if self.is_y_down { share } else { 1.0 - share } * self.height
    }

    pub fn place(&self, point: Point) -> Place {
        (self.x(point.x), self.y(point.y))
    }

    /// Where a value of the series lies, on the axis on which it is read.
    pub fn place_of(&self, series: usize, point: Point) -> Place {
        let right = self.right_axis.as_ref().filter(|right| right.series.contains(&series));
        (self.x(point.x), right.map_or_else(|| self.y(point.y), |right| self.y_on(right, point.y)))
    }

    pub fn y_on(&self, right: &RightSide, value: f64) -> f64 {
        self.top + (1.0 - right.extent.share(value).clamp(-0.5, 1.5)) * self.height
    }
}

/// Between the legend and the plot, with half the uppermost word of y.
pub fn above(letters: f64) -> f64 {
    letters * 0.9
}

/// Words, title and numbers at risk under the plot.
pub fn below(figure: &Figure, letters: f64) -> f64 {
    let boxes = if has_counts(figure) { 1.2 } else { 0.0 };
    let words = if figure.x.names().len() > 1 { 2.9 } else { 1.8 };
    let title = if figure.x.title.is_empty() { 0.0 } else { 1.5 };
    let risk = figure.at_risk.as_ref().map_or(0.0, |table| 1.7 + table.rows.len() as f64 * 1.4);
    letters * (boxes + words + title + risk)
}

/// Whether boxes have their n under them.
pub fn has_counts(figure: &Figure) -> bool {
    figure.marks.iter().any(|mark| matches!(mark, Mark::Boxes { .. }))
}

/// Where values lie along an axis, without what an axis reaches over besides.
fn figure_values(figure: &Figure, axis: Direction) -> Vec<f64> {
    let own = figure.marks.iter().filter(|mark| !mark.is_reference() && is_along(figure, axis, mark));
    own.flat_map(|mark| mark.values(axis)).chain(shared(figure, axis)).collect()
}

/// Values of a series on the right lie along no other y.
fn is_along(figure: &Figure, axis: Direction, mark: &Mark) -> bool {
    axis == Direction::X || !mark.series().is_some_and(|series| figure.is_right(series))
}

fn shared(figure: &Figure, axis: Direction) -> impl Iterator<Item = f64> {
    figure.shared_x.iter().copied().filter(move |_| axis == Direction::X)
}

/// What the axis reaches over: values and references, the ends of stacks, and room for the numbers above bars.
fn reach(figure: &Figure, axis: Direction) -> Vec<f64> {
    let plain = figure.marks.iter().filter(|mark| !matches!(mark, Mark::Stacked { .. }) && is_along(figure, axis, mark));
    let mut values: Vec<f64> = plain.flat_map(|mark| mark.values(axis)).chain(shared(figure, axis)).collect();
    if axis == Direction::X {
        values.extend(figure.marks.iter().filter(|mark| matches!(mark, Mark::Stacked { .. })).flat_map(|mark| mark.values(axis)));
        return values;
    }
    values.extend(stack_ends(&figure.marks));
    let has_bars = figure.marks.iter().any(|mark| matches!(mark, Mark::Bars { .. } | Mark::Stacked { .. }));
    if has_bars && !figure.y.is_percent() {
        values.iter_mut().for_each(|value| *value *= 1.06);
    }
    values
}

fn along_y(axis: &Axis, reach: &[f64], values: &[f64], height: f64, letters: f64) -> (Extent, Vec<Tick>) {
    let extent = axis.extent(reach, ((height / letters / 2.2) as usize).clamp(1, 5));
    let words = axis.ticks(&extent, values, (height / letters / 1.6) as usize);
    let words = kept_apart(words, |tick| extent.share(tick.at) * height, letters * 1.15);
    (extent, words)
}

/// The finest steps of x whose words stand apart, and the words.
fn along_x(figure: &Figure, width: f64, letters: f64) -> (Extent, Vec<(f64, Vec<String>)>) {
    let (values, places) = (reach(figure, Direction::X), figure_values(figure, Direction::X));
    let room = |tick: &Tick| (text::width(&tick.label) + GAP) * letters;
    for most in (1..=MOST_STEPS).rev() {
        let extent = figure.x.extent(&values, most);
        let ticks = figure.x.ticks(&extent, &places, most);
        let centre = |tick: &Tick| extent.share(tick.at) * width;
        let fits = ticks.windows(2).all(|pair| centre(&pair[1]) - centre(&pair[0]) >= f64::midpoint(room(&pair[0]), room(&pair[1])));
        if figure.x.is_categories() {
            return (extent, names_under(ticks, centre, width, letters));
        }
        // Days that are few and lie unevenly are left out one by one.
        let are_days = matches!(figure.x.scale, Scale::Time) && most == MOST_STEPS && ticks.len() <= most;
        if fits || most == 1 || (are_days && has_uneven(&ticks)) {
            let centres: Vec<f64> = ticks.iter().map(centre).collect();
            let widths: Vec<f64> = ticks.iter().map(room).collect();
            let chosen = apart(&centres, &widths);
            let word = |place: usize| (ticks[place].at, vec![ticks[place].label.clone()]);
            return (extent, chosen.into_iter().map(word).collect());
        }
    }
    (figure.x.extent(&values, 1), Vec::new())
}

fn has_uneven(ticks: &[Tick]) -> bool {
    let steps: Vec<f64> = ticks.windows(2).map(|pair| pair[1].at - pair[0].at).collect();
    let (least, most) = steps.iter().fold((f64::INFINITY, 0.0f64), |(least, most), step| (least.min(*step), most.max(*step)));
    most > least * 1.5
}

/// Names in two lines or shortened to their step where they are few; else those that stand apart.
fn names_under(ticks: Vec<Tick>, centre: impl Fn(&Tick) -> f64, width: f64, letters: f64) -> Vec<(f64, Vec<String>)> {
    let room = width / ticks.len().max(1) as f64 / letters - GAP / 2.0;
    let all_fit = ticks.iter().all(|tick| text::width(&tick.label) <= room);
    if all_fit || (ticks.len() <= MOST_SHORTENED && room >= LEAST_SHORTENED) {
        return ticks.into_iter().map(|tick| (tick.at, two_lines(&tick.label, room))).collect();
    }
    let most = (width / 2.0 / letters - GAP).max(1.0);
    let labels: Vec<String> = ticks.iter().map(|tick| text::shortened(&tick.label, most)).collect();
    let centres: Vec<f64> = ticks.iter().map(centre).collect();
    let widths: Vec<f64> = labels.iter().map(|label| (text::width(label) + GAP) * letters).collect();
    apart(&centres, &widths).into_iter().map(|place| (ticks[place].at, vec![labels[place].clone()])).collect()
}

fn two_lines(name: &str, room: f64) -> Vec<String> {
    let lines = text::wrapped(name, room);
    if lines.len() <= 2 {
        return lines;
    }
    let rest = lines[1..].join(" ");
    vec![lines[0].clone(), text::shortened(&format!("{rest} "), room)]
}

fn kept_apart(ticks: Vec<Tick>, centre: impl Fn(&Tick) -> f64, room: f64) -> Vec<Tick> {
    let centres: Vec<f64> = ticks.iter().map(centre).collect();
    let chosen = apart(&centres, &vec![room; ticks.len()]);
    chosen.into_iter().map(|place| ticks[place].clone()).collect()
}

fn left_of(figure: &Figure, words: &[Tick], size: Size) -> f64 {
    let letters = size.letters;
    let most = if figure.y.is_categories() { 0.42 } else { 0.3 } * size.width;
    let widest = words.iter().map(|tick| text::width(&tick.label) * letters).fold(0.0, f64::max);
    let risk = figure.at_risk.iter().flat_map(|table| &table.rows).map(|row| text::width(row.name(figure)) * letters);
    let risk = risk.fold(0.0, f64::max).min(0.25 * size.width);
    let title = if figure.y.title.is_empty() { 0.0 } else { letters * 1.5 };
    // Half of a number at risk stands left of the axis, too.
    let beside = if figure.at_risk.is_some() { letters * 1.6 } else { letters };
    let own = (widest + title).max(risk + if figure.at_risk.is_some() { letters } else { 0.0 }).min(most) + beside;
    own.max(figure.least_left * letters)
}

fn right_of(figure: &Figure, right: Option<&RightSide>, size: Size, is_direct: bool) -> f64 {
    let letters = size.letters;
    let beside = figure.y.beside().iter().map(|words| text::width(words) * letters).fold(0.0, f64::max);
    let beside = if beside > 0.0 { beside.min(size.width * 0.35) + letters } else { 0.0 };
    let direct = if is_direct { legend::direct_room(figure, size) } else { 0.0 };
    // Half of a day's words; numbers are shorter.
    let half = if matches!(figure.x.scale, Scale::Time) { 3.4 } else { 1.6 };
    let widest = right.iter().flat_map(|right| &right.words).map(|tick| text::width(&tick.label)).fold(0.0, f64::max);
    letters * f64::max(half, if right.is_some() { widest + 1.0 } else { 0.0 }) + beside + direct
}

/// How bars or boxes of several series share a category: place and width of each series within a step of 1.
pub fn shares(figure: &Figure, is_of: impl Fn(&Mark) -> bool, whole: f64) -> Vec<(usize, f64, f64)> {
    let series = series_of(figure, is_of);
    let share = whole / series.len().max(1) as f64;
    let slot = |(index, series): (usize, &usize)| (*series, -whole / 2.0 + (index as f64 + 0.5) * share, share);
    series.iter().enumerate().map(slot).collect()
}
