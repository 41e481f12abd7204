//! The data of a chart, gathered into buckets while the rows pass: its size depends on the picture, not on the rows.
use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};

use jiff::ToSpan;
use jiff::civil::{Date, DateTime};

use super::picture::{Axis, Picture, Scale, Series, Tick};
use super::times;
use crate::plan::{Bucket, Chart, ChartKind, Value, show};
use crate::render::error::RenderError;
use crate::render::look::SERIES;
use crate::render::totals::{Accumulator, column_index};

/// More points than a page can show apart; what comes after is left out and the title says so.
const MAX_BUCKETS: usize = 400;
/// The same of a line over numbers or time, whose points lie as close as they are: a curve of a thousand days is one.
const MAX_POINTS: usize = 4000;
const MAX_SERIES: usize = 12;

pub struct ChartData {
    chart: Chart,
    x: usize,
    series_by: Option<usize>,
    fresh: Vec<Accumulator>,
    buckets: Vec<Key>,
    bucket_places: HashMap<Key, usize>,
    series: Vec<String>,
    series_places: HashMap<(String, usize), usize>,
    cells: HashMap<(usize, usize), Accumulator>,
    cut: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Key {
    Number(OrderedNumber),
    Date(Date),
    Moment(DateTime),
    Text(String),
}

/// A number that is one.
#[derive(Clone, Copy, Debug)]
struct OrderedNumber(f64);

impl OrderedNumber {
    fn new(number: f64) -> Option<Self> {
        // Both zeros are one place.
        number.is_finite().then_some(Self(number + 0.0))
    }
}

impl PartialEq for OrderedNumber {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for OrderedNumber {}

impl PartialOrd for OrderedNumber {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for OrderedNumber {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Hash for OrderedNumber {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

impl ChartData {
    pub fn bind(chart: &Chart, names: &[String]) -> Result<Self, RenderError> {
        let fresh = chart.series.iter().map(|series| Accumulator::of(&series.measure, names));
        let mut data = ChartData {
            chart: chart.clone(),
            x: column_index(names, &chart.x)?,
            series_by: chart.series_by.as_ref().map(|name| column_index(names, name)).transpose()?,
            fresh: fresh.collect::<Result<_, _>>()?,
            buckets: Vec::new(),
            bucket_places: HashMap::new(),
            series: Vec::new(),
            series_places: HashMap::new(),
            cells: HashMap::new(),
            cut: false,
        };
        if data.series_by.is_none() {
            for index in 0..data.fresh.len() {
                data.series_place(String::new(), index);
            }
        }
        Ok(data)
    }

    pub fn add(&mut self, row: &[Value], names: &[String]) -> Result<(), RenderError> {
        let Some(key) = self.key(&row[self.x]) else { return Ok(()) };
        let split = self.series_by.map_or_else(String::new, |column| show(&row[column], None));
        let Some(bucket) = self.bucket_place(key) else { return Ok(()) };
        for index in 0..self.fresh.len() {
            let Some(series) = self.series_place(split.clone(), index) else { continue };
            let cell = self.cells.entry((bucket, series)).or_insert_with(|| self.fresh[index].clone());
            cell.add(row, names)?;
        }
        Ok(())
    }

    fn key(&self, x: &Value) -> Option<Key> {
        let date = match x {
            Value::Null => return None,
            Value::DateTime(moment) if self.chart.bucket == Bucket::Value => return Some(Key::Moment(*moment)),
            Value::Date(date) => *date,
            Value::DateTime(moment) => moment.date(),
            number if number.is_number() => return number.as_f64().and_then(OrderedNumber::new).map(Key::Number),
            other => return Some(Key::Text(show(other, None))),
        };
        Some(Key::Date(match self.chart.bucket {
            Bucket::Month => date.first_of_month(),
            Bucket::Year => date.first_of_year(),
            Bucket::Day | Bucket::Value => date,
        }))
    }

    /// Where the keys lie: a line has numbers and time by their size, whatever else there is has equal steps.
    fn kind_of_axis(&self) -> Axis {
        let steps_of_calendar = matches!(self.chart.bucket, Bucket::Month | Bucket::Year);
        match self.buckets.first() {
            _ if self.chart.kind != ChartKind::Line => Axis::Categories,
            Some(Key::Number(_)) if self.all(|key| matches!(key, Key::Number(_))) => Axis::Numbers,
            Some(Key::Date(_) | Key::Moment(_)) if !steps_of_calendar && self.all(is_time) => Axis::Time,
            _ => Axis::Categories,
        }
    }

    fn all(&self, is: impl Fn(&Key) -> bool) -> bool {
        self.buckets.iter().all(is)
    }

    fn bucket_place(&mut self, key: Key) -> Option<usize> {
        if let Some(place) = self.bucket_places.get(&key) {
            return Some(*place);
        }
        let by_size = self.chart.kind == ChartKind::Line && !matches!(key, Key::Text(_));
        if self.buckets.len() >= if by_size { MAX_POINTS } else { MAX_BUCKETS } {
            self.cut = true;
            return None;
        }
        self.buckets.push(key.clone());
        self.bucket_places.insert(key, self.buckets.len() - 1);
        Some(self.buckets.len() - 1)
    }

    fn series_place(&mut self, split: String, index: usize) -> Option<usize> {
        let key = (split, index);
        if let Some(place) = self.series_places.get(&key) {
            return Some(*place);
        }
        if self.series.len() == MAX_SERIES {
            self.cut = true;
            return None;
        }
        let label = &self.chart.series[index].label;
        let only_split = self.fresh.len() == 1;
        self.series.push(match key.0.as_str() {
            "" => label.clone(),
            split if only_split => split.to_owned(),
            split => format!("{split}: {label}"),
        });
        self.series_places.insert(key, self.series.len() - 1);
        Some(self.series.len() - 1)
    }

    /// The picture; dates and numbers stand in order and missing months or years are gaps, other values stand as they came.
    pub fn picture(&self) -> Picture {
        let axis = self.axis();
        let kind_of_axis = self.kind_of_axis();
        let value = |series: usize, key: &Key| {
            let bucket = self.bucket_places.get(key)?;
            self.cells.get(&(*bucket, series))?.value().as_f64()
        };
        let series = self.series.iter().enumerate().map(|(place, label)| {
            let points = axis.iter().enumerate().filter_map(|(tick, key)| Some((tick, value(place, key)?)));
            Series { label: label.clone(), color: SERIES[place % SERIES.len()], points: points.collect() }
        });
        let series: Vec<Series> = series.collect();
        // Numbers stand above the bars.
        let headroom = if self.chart.kind == ChartKind::Line { 1.0 } else { 1.06 };
        let scale = match self.chart.kind {
            ChartKind::Stacked => Scale::over(stack_ends(&series, axis.len()).into_iter(), headroom, 0.0),
            _ => Scale::over(series.iter().flat_map(|series| series.points.iter().map(|(_, value)| *value)), headroom, 0.0),
        };
        let at = |place: usize, key: &Key| match key {
            _ if kind_of_axis == Axis::Categories => place as f64 + 0.5,
            Key::Number(number) => number.0,
            Key::Date(date) => times::of_day(*date),
            Key::Moment(moment) => times::of_moment(*moment),
            Key::Text(_) => place as f64 + 0.5,
        };
        let ticks = axis.iter().enumerate().map(|(place, key)| Tick { at: at(place, key), label: self.label(key) });
        let mut picture = Picture {
            kind: self.chart.kind,
            axis: kind_of_axis,
            title: self.chart.title.clone(),
            y_title: self.chart.y_title.clone(),
            height: self.chart.height,
            ticks: ticks.collect(),
            ticks_follow: self.all(|key| !matches!(key, Key::Text(_))),
            series,
            scale,
        };
        if self.cut {
            picture.title.push_str(" (prikazan je samo deo podataka)");
        }
        if picture.kind == ChartKind::Pie {
            shares_only(&mut picture);
        }
        picture
    }

    fn axis(&self) -> Vec<Key> {
        let mut keys = self.buckets.clone();
        if self.all(|key| matches!(key, Key::Number(_))) || self.all(is_time) {
            keys.sort();
        } else {
            return keys;
        }
        match (self.chart.bucket, keys.first(), keys.last()) {
            (Bucket::Month, Some(Key::Date(first)), Some(Key::Date(last))) => steps(*first, *last, 1.month()),
            (Bucket::Year, Some(Key::Date(first)), Some(Key::Date(last))) => steps(*first, *last, 1.year()),
            _ => keys,
        }
    }

    fn label(&self, key: &Key) -> String {
        match (key, self.chart.bucket) {
            (Key::Text(text), _) => text.clone(),
            (Key::Number(number), _) => show(&Value::Float(number.0), None),
            (Key::Moment(moment), _) => show(&Value::DateTime(*moment), None),
            (Key::Date(date), Bucket::Month) => format!("{:02}.{}.", date.month(), date.year()),
            (Key::Date(date), Bucket::Year) => format!("{}.", date.year()),
            (Key::Date(date), _) => show(&Value::Date(*date), None),
        }
    }
}

fn is_time(key: &Key) -> bool {
    matches!(key, Key::Date(_) | Key::Moment(_))
}

/// The lower and upper end of each stack of bars.
fn stack_ends(series: &[Series], ticks: usize) -> Vec<f64> {
    let mut ends = vec![0.0; 2 * ticks];
    for (tick, value) in series.iter().flat_map(|series| &series.points) {
        ends[2 * tick + usize::from(*value > 0.0)] += value;
    }
    ends
}

/// Leaves what can be a share of a whole; the smallest ones beyond the colours become one.
fn shares_only(picture: &mut Picture) {
    let points = std::mem::take(&mut picture.series[0].points);
    if points.iter().any(|(_, value)| *value < 0.0) {
        picture.title.push_str(" (bez negativnih vrednosti)");
    }
    let mut shares: Vec<(String, f64)> = points
        .into_iter()
        .filter(|(_, value)| *value > 0.0)
        .map(|(tick, value)| (std::mem::take(&mut picture.ticks[tick].label), value))
        .collect();
    if shares.len() > SERIES.len() {
        let mut by_size: Vec<f64> = shares.iter().map(|(_, value)| *value).collect();
        by_size.sort_by(|left, right| right.total_cmp(left));
        let mut room = SERIES.len() - 1;
        let least = by_size[room - 1];
        let (mut kept, mut rest, mut count) = (Vec::new(), 0.0, 0);
        for (label, value) in shares {
            if value >= least && room > 0 {
                room -= 1;
                kept.push((label, value));
            } else {
                rest += value;
                count += 1;
            }
        }
        kept.push((format!("Ostalo ({count})"), rest));
        shares = kept;
    }
    let at = |place: usize| place as f64 + 0.5;
    picture.series[0].points = shares.iter().enumerate().map(|(place, (_, value))| (place, *value)).collect();
    picture.ticks = shares.into_iter().enumerate().map(|(place, (label, _))| Tick { at: at(place), label }).collect();
}

fn steps(first: Date, last: Date, step: jiff::Span) -> Vec<Key> {
    first.series(step).take_while(|date| *date <= last).take(MAX_BUCKETS).map(Key::Date).collect()
}
