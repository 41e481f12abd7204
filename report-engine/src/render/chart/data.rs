//! The data of a chart, gathered into buckets while the rows pass: its size depends on the picture, not on the rows.
use std::collections::HashMap;

use jiff::ToSpan;
use jiff::civil::Date;

use super::picture::{Picture, Scale, Series, Tick};
use crate::plan::{Bucket, Chart, ChartKind, Value, show};
use crate::render::error::RenderError;
use crate::render::look::SERIES;
use crate::render::totals::{Accumulator, column_index};

/// More points than a page can show apart; what comes after is left out and the title says so.
const MAX_BUCKETS: usize = 400;
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
    Date(Date),
    Text(String),
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
            Value::Date(date) => Some(*date),
            Value::DateTime(moment) => Some(moment.date()),
            _ => None,
        };
        Some(match (date, self.chart.bucket) {
            (Some(date), Bucket::Month) => Key::Date(date.first_of_month()),
            (Some(date), Bucket::Year) => Key::Date(date.first_of_year()),
            (Some(date), _) => Key::Date(date),
            (None, _) => Key::Text(show(x, None)),
        })
    }

    fn bucket_place(&mut self, key: Key) -> Option<usize> {
        if let Some(place) = self.bucket_places.get(&key) {
            return Some(*place);
        }
        if self.buckets.len() == MAX_BUCKETS {
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

    /// The picture; dates stand in order and missing months or years are gaps, other values stand as they came.
    pub fn picture(&self) -> Picture {
        let axis = self.axis();
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
        let ticks = axis.iter().enumerate().map(|(place, key)| Tick { at: place as f64 + 0.5, label: self.label(key) });
        let mut picture = Picture {
            kind: self.chart.kind,
            title: self.chart.title.clone(),
            y_title: self.chart.y_title.clone(),
            height: self.chart.height,
            ticks: ticks.collect(),
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
        let all_dates = keys.iter().all(|key| matches!(key, Key::Date(_)));
        if !all_dates {
            return keys;
        }
        keys.sort();
        match (self.chart.bucket, keys.first(), keys.last()) {
            (Bucket::Month, Some(Key::Date(first)), Some(Key::Date(last))) => steps(*first, *last, 1.month()),
            (Bucket::Year, Some(Key::Date(first)), Some(Key::Date(last))) => steps(*first, *last, 1.year()),
            _ => keys,
        }
    }

    fn label(&self, key: &Key) -> String {
        match (key, self.chart.bucket) {
            (Key::Text(text), _) => text.clone(),
            (Key::Date(date), Bucket::Month) => format!("{:02}.{}.", date.month(), date.year()),
            (Key::Date(date), Bucket::Year) => format!("{}.", date.year()),
            (Key::Date(date), _) => show(&Value::Date(*date), None),
        }
    }
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
