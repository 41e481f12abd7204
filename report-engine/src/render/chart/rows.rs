//! Charts of the rows themselves: a point a row, bins of a column, boxes over the values of each x. They keep a few numbers a row, within a
//! bound; of more the chart says that it is too large, since a part of the rows would show another distribution.
use std::collections::HashMap;

use report_chart::summary::{box_plot, histogram};
use report_chart::{Axis, Boundaries, Direction, Fault, Figure, Interval, Mark, Point, Series};

use super::Picture;
use super::data::SeriesNames;
use super::figure::{push_error_bars, references, title, y_axis};
use super::keys::{Key, KeyKind, MAX_BUCKETS, in_order, kind_of};
use crate::plan::{Bins, Chart, ChartKind, Measure, Value, show};
use crate::render::error::RenderError;
use crate::render::totals::column_index;

/// Numbers of all rows; 16 MB of them.
const MOST_VALUES: usize = 1_000_000;

pub struct RowValues {
    x: usize,
    series_by: Option<usize>,
    columns: Vec<Columns>,
    series: SeriesNames,
    /// The names of x, or what boxes stand over.
    keys: Vec<Key>,
    places: HashMap<Key, usize>,
    /// What x is where its values lie by their size.
    sized: Option<KeyKind>,
    /// By series.
    values: Vec<Vec<RowValue>>,
    count: usize,
    is_over: bool,
    is_cut: bool,
}

/// Where a series has its value and the ends about it.
struct Columns {
    /// Of a histogram x itself.
    value: Option<usize>,
    bounds: Option<(usize, usize)>,
}

struct RowValue {
    /// By its size, or the place of its key.
    x: f64,
    value: f64,
    bounds: Option<(f64, f64)>,
}

impl RowValues {
    pub fn bind(chart: &Chart, names: &[String]) -> Result<Self, RenderError> {
        let index = |measure: &Measure| match measure {
            Measure::Sum(name) => column_index(names, name).map(Some),
            _ => Ok(None),
        };
        let columns = |series: &crate::plan::Series| -> Result<Columns, RenderError> {
            let bounds = match &series.bounds {
                Some((low, high)) => index(low)?.zip(index(high)?),
                None => None,
            };
            Ok(Columns { value: index(&series.measure)?, bounds })
        };
        Ok(RowValues {
            x: column_index(names, &chart.x)?,
            series_by: chart.series_by.as_ref().map(|name| column_index(names, name)).transpose()?,
            columns: chart.series.iter().map(columns).collect::<Result<_, _>>()?,
            series: SeriesNames::of(chart),
            keys: Vec::new(),
            places: HashMap::new(),
            sized: None,
            values: Vec::new(),
            count: 0,
            is_over: false,
            is_cut: false,
        })
    }

    pub fn add(&mut self, chart: &Chart, row: &[Value]) {
        if self.is_over {
            return;
        }
        let split = self.series_by.map_or_else(String::new, |column| show(&row[column], None));
        let number = |column: usize| row[column].as_f64().filter(|number| number.is_finite());
        for index in 0..self.columns.len() {
            let Columns { value, bounds } = &self.columns[index];
            let bounds = bounds.and_then(|(low, high)| number(low).zip(number(high)));
            let Some(value) = number(value.unwrap_or(self.x)) else { continue };
            let Some(series) = self.series.place(chart, &split, index) else {
                self.is_cut = true;
                continue;
            };
            let Some(x) = self.place(chart, &row[self.x]) else { continue };
            self.values.resize_with(self.series.names.len(), Vec::new);
            self.values[series].push(RowValue { x, value, bounds });
            self.count += 1;
            if self.count > MOST_VALUES {
                self.is_over = true;
                self.values = Vec::new();
                return;
            }
        }
    }

    /// Where x lies; of a histogram it is the value itself.
    fn place(&mut self, chart: &Chart, x: &Value) -> Option<f64> {
        if chart.kind == ChartKind::Histogram {
            return Some(0.0);
        }
        let key = Key::of(x, chart.bucket)?;
        if let Some(size) = key.size().filter(|_| chart.kind == ChartKind::Points) {
            self.sized = Some(kind_of(&[key]));
            return Some(size);
        }
        if let Some(place) = self.places.get(&key) {
            return Some(*place as f64);
        }
        if self.keys.len() >= MAX_BUCKETS {
            self.is_cut = true;
            return None;
        }
        self.keys.push(key.clone());
        self.places.insert(key, self.keys.len() - 1);
        Some((self.keys.len() - 1) as f64)
    }

    pub fn picture(&self, chart: &Chart) -> Picture {
        let mut figure = Figure { title: title(chart, self.is_cut), y: y_axis(chart), ..Figure::default() };
        figure.series = self.series.names.iter().map(|name| Series { name: name.clone(), color: None }).collect();
        if self.is_over {
            let fault = Some(Fault::TooManyValues(MOST_VALUES));
            return Picture { fault, ..Picture::new(figure, chart.height) };
        }
        match chart.kind {
            ChartKind::Histogram => {
                if let Err(fault) = self.bins(chart, &mut figure) {
                    return Picture { fault: Some(fault), ..Picture::new(figure, chart.height) };
                }
            }
            ChartKind::Box => self.boxes(chart, &mut figure),
            _ => self.points(chart, &mut figure),
        }
        Picture::new(figure, chart.height)
    }

    fn bins(&self, chart: &Chart, figure: &mut Figure) -> Result<(), Fault> {
        figure.x = Axis::numbers(chart.x_title.as_deref().unwrap_or(&chart.x));
        let boundaries = match chart.bins {
            Bins::Rule => Boundaries::FreedmanDiaconis,
            Bins::Count(count) => Boundaries::Count(count),
            Bins::Width(width) => Boundaries::Width(width),
        };
        for (series, values) in self.values.iter().enumerate() {
            let values: Vec<f64> = values.iter().map(|row| row.value).collect();
            figure.marks.push(Mark::Histogram { series, bins: histogram(&values, boundaries)? });
        }
        figure.marks.extend(references(chart, Direction::X));
        Ok(())
    }

    fn boxes(&self, chart: &Chart, figure: &mut Figure) {
        let keys = in_order(&self.keys, chart.bucket);
        figure.x = Axis::categories(chart.x_title.as_deref().unwrap_or_default(), keys.iter().map(|key| key.label(chart.bucket)).collect());
        for (series, rows) in self.values.iter().enumerate() {
            let mut by_key: Vec<Vec<f64>> = vec![Vec::new(); self.keys.len()];
            rows.iter().for_each(|row| by_key[row.x as usize].push(row.value));
            let plot = |(place, key): (usize, &Key)| box_plot(Axis::place_of(place), &by_key[*self.places.get(key)?]);
            figure.marks.push(Mark::Boxes { series, boxes: keys.iter().enumerate().filter_map(plot).collect() });
        }
        figure.marks.extend(references(chart, Direction::Y));
    }

    fn points(&self, chart: &Chart, figure: &mut Figure) {
        let title = chart.x_title.as_deref().unwrap_or_default();
        figure.x = match self.sized {
            Some(KeyKind::Time) => Axis::time(title),
            Some(_) => Axis::numbers(title),
            None => Axis::categories(title, self.keys.iter().map(|key| key.label(chart.bucket)).collect()),
        };
        let place = |x: f64| if self.sized.is_some() { x } else { Axis::place_of(x as usize) };
        for (series, rows) in self.values.iter().enumerate() {
            let point = |row: &RowValue| Point::new(place(row.x), row.value);
            figure.marks.push(Mark::Points { series, points: rows.iter().map(point).collect() });
            let bar = |row: &RowValue| row.bounds.map(|(low, high)| Interval { at: place(row.x), low, high });
            push_error_bars(&mut figure.marks, series, rows.iter().filter_map(bar).collect());
        }
        figure.marks.extend(references(chart, Direction::Y));
    }
}
