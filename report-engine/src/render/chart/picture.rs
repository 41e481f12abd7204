//! A chart ready to be drawn: its series with their colours, what stands along x, and the steps of y.
use super::times;
use crate::plan::ChartKind;
use crate::render::look::{Rgb, SERIES};

#[derive(Clone, Debug)]
pub struct Picture {
    pub kind: ChartKind,
    pub axis: Axis,
    /// Empty: it is not printed.
    pub title: String,
    pub y_title: Option<String>,
    /// In points.
    pub height: f32,
    pub ticks: Vec<Tick>,
    /// The categories follow one another, as months do.
    pub ticks_follow: bool,
    pub series: Vec<Series>,
    pub scale: Scale,
}

/// What lies along x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Names, or months and years one after another: equal steps, the first from 0 to 1.
    Categories,
    /// Numbers, each where it lies.
    Numbers,
    /// Days since 1970, with their part of a day.
    Time,
}

/// A place along x at which values stand.
#[derive(Clone, Debug)]
pub struct Tick {
    pub at: f64,
    pub label: String,
}

#[derive(Clone, Debug)]
pub struct Series {
    pub label: String,
    pub color: Rgb,
    /// By tick, in the order of the ticks; a tick without a value is a gap.
    pub points: Vec<(usize, f64)>,
}

/// A part of a pie.
pub struct Slice<'a> {
    pub label: &'a str,
    pub value: f64,
    /// Of the whole, from 0 to 1.
    pub share: f64,
    pub color: Rgb,
}

impl Picture {
    /// The parts of a pie, in their order.
    pub fn slices(&self) -> Vec<Slice<'_>> {
        let points = self.series.first().map_or(&[][..], |series| &series.points);
        let whole: f64 = points.iter().map(|(_, value)| value).sum();
        let slice = |(place, (tick, value)): (usize, &(usize, f64))| Slice {
            label: &self.ticks[*tick].label,
            value: *value,
            share: value / whole,
            color: SERIES[place % SERIES.len()],
        };
        points.iter().enumerate().map(slice).collect()
    }

    /// The ends of x: of numbers the round ones about them, of time with a little room beside the first and the last.
    pub fn span(&self) -> (f64, f64) {
        if self.axis == Axis::Categories {
            return (0.0, self.ticks.len() as f64);
        }
        let (first, last) = (self.ticks.first().map_or(0.0, |tick| tick.at), self.ticks.last().map_or(0.0, |tick| tick.at));
        if last <= first {
            return (first - 0.5, first + 0.5);
        }
        if self.axis == Axis::Numbers {
            let (step, counts) = round_steps(first, last, STEPS_OF_NUMBERS);
            return (*counts.start() as f64 * step, *counts.end() as f64 * step);
        }
        let room = (last - first) * ROOM;
        (first - room, last + room)
    }

    /// How far apart numbers under x are written.
    pub fn step(&self) -> Option<f64> {
        match self.ticks.as_slice() {
            [first, .., last] if self.axis == Axis::Numbers => Some(round_steps(first.at, last.at, STEPS_OF_NUMBERS).0),
            _ => None,
        }
    }

    /// What is written under x: each place where they are few or names, else about so many round numbers or beginnings of months and years.
    pub fn labels(&self, most: usize) -> Vec<Tick> {
        let few = self.axis == Axis::Categories || self.ticks.len() <= most;
        match (self.axis, self.ticks.as_slice()) {
            (Axis::Numbers, [first, .., last]) if !few => numbers_about(first.at, last.at, most.min(STEPS_OF_NUMBERS)),
            (Axis::Time, [first, .., last]) if !few => times::between(first, last, most),
            _ => self.ticks.clone(),
        }
    }

    /// A line joins what has an order; over names it would show a course that is none.
    pub fn joins(&self) -> bool {
        self.axis != Axis::Categories || self.ticks_follow
    }

    pub fn has_values(&self) -> bool {
        self.series.iter().any(|series| !series.points.is_empty())
    }
}

/// Share of the axis that is left free beside the first and the last value.
const ROOM: f64 = 0.03;

/// About so many steps lie between the least and the greatest number.
const STEPS_OF_NUMBERS: usize = 12;

fn numbers_about(first: f64, last: f64, most: usize) -> Vec<Tick> {
    let (step, counts) = round_steps(first, last, most);
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    counts.map(|count| count as f64 * step).map(|at| Tick { at, label: format!("{at:.decimals$}").replace('.', ",") }).collect()
}

/// A round step, and how many of them from zero the numbers about `first` and `last` are.
fn round_steps(first: f64, last: f64, most: usize) -> (f64, std::ops::RangeInclusive<i64>) {
    let step = round_step((last - first) / most as f64);
    (step, (first / step).floor() as i64..=(last / step).ceil() as i64)
}

/// The axis of the values: round steps from zero, or from below the least value, to above the greatest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    pub step: f64,
    /// Steps from zero to the lower end, negative below it.
    from: i64,
    to: i64,
}

/// About as many steps as a chart has.
const STEPS: f64 = 5.0;

impl Scale {
    /// Over all `values`; steps are no smaller than those of `least_span`. One step at least.
    pub fn over(values: impl Iterator<Item = f64> + Clone, headroom: f64, least_span: f64) -> Self {
        let (least, greatest) = (values.clone().fold(0.0, f64::min), values.fold(0.0, f64::max) * headroom);
        let span = (greatest - least).max(least_span);
        if span <= 0.0 {
            return Scale { step: 1.0, from: 0, to: 1 };
        }
        let step = round_step(span / STEPS);
        let from = (least / step).floor() as i64;
        Scale { step, from, to: ((greatest / step).ceil() as i64).max(from + 1) }
    }

    pub fn low(&self) -> f64 {
        self.from as f64 * self.step
    }

    pub fn high(&self) -> f64 {
        self.to as f64 * self.step
    }

    pub fn steps(&self) -> impl Iterator<Item = f64> {
        let step = self.step;
        (self.from..=self.to).map(move |count| count as f64 * step)
    }
}

/// The least of 1, 2, 5 times a power of ten that is not below `step`.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    [1.0, 2.0, 5.0].map(|factor| factor * power).into_iter().find(|round| *round >= step).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(values: &[f64]) -> Vec<f64> {
        Scale::over(values.iter().copied(), 1.0, 1.0).steps().collect()
    }

    #[test]
    fn steps_are_round_and_reach_over_every_value() {
        assert_eq!(steps(&[4.7]), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(steps(&[62.0]), [0.0, 20.0, 40.0, 60.0, 80.0]);
        assert_eq!(steps(&[-3.0, 4.0]), [-4.0, -2.0, 0.0, 2.0, 4.0]);
        assert_eq!(steps(&[0.0]), [0.0, 0.2]);
    }

    #[test]
    fn an_axis_of_numbers_begins_and_ends_at_round_ones() {
        let (step, counts) = round_steps(1.0, 2358.0, STEPS_OF_NUMBERS);
        assert_eq!((step, counts), (200.0, 0..=12));
        let labels: Vec<String> = numbers_about(-0.3, 1.4, STEPS_OF_NUMBERS).into_iter().map(|tick| tick.label).collect();
        assert_eq!(labels.join(" "), "-0,4 -0,2 0,0 0,2 0,4 0,6 0,8 1,0 1,2 1,4");
    }

    #[test]
    fn headroom_makes_room_above_the_greatest_value() {
        let scale = Scale::over([100.0].into_iter(), 1.06, 0.0);
        assert_eq!((scale.low(), scale.high()), (0.0, 150.0));
    }
}
