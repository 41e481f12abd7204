//! The data of a chart, gathered while the rows pass: sums by x, whose size depends on the picture, or the values of rows within a bound.
use std::collections::HashMap;

use domain::report_screen::ScreenSearch;

use super::Picture;
use super::figure::{Bounds, Sums, figure_of_sums};
use super::keys::{Key, MAX_BUCKETS};
use super::rows::RowValues;
use crate::plan::{Chart, Measure, Value, show};
use crate::render::error::RenderError;
use crate::render::searches::search_column;
use crate::render::totals::{Accumulator, column_index};

/// More points of a line over numbers or time, which lie as close as they are: a curve of a thousand days is one.
const MAX_POINTS: usize = 4000;
pub const MAX_SERIES: usize = 12;

pub struct ChartData {
    chart: Chart,
    gathered: Gathered,
}

enum Gathered {
    Sums(SumData),
    Rows(RowValues),
}

impl ChartData {
    pub fn bind(chart: &Chart, names: &[String]) -> Result<Self, RenderError> {
        let gathered = match chart.kind.is_of_rows() {
            true => Gathered::Rows(RowValues::bind(chart, names)?),
            false => Gathered::Sums(SumData::bind(chart, names)?),
        };
        Ok(ChartData { chart: chart.clone(), gathered })
    }

    pub fn add(&mut self, row: &[Value], names: &[String]) -> Result<(), RenderError> {
        match &mut self.gathered {
            Gathered::Sums(data) => data.add(&self.chart, row, names),
            Gathered::Rows(data) => {
                data.add(&self.chart, row);
                Ok(())
            }
        }
    }

    pub fn picture(&self) -> Picture {
        match &self.gathered {
            Gathered::Sums(data) => {
                let (figure, searches) = figure_of_sums(&self.chart, &data.sums());
                Picture { searches, ..Picture::new(figure, self.chart.height) }
            }
            Gathered::Rows(data) => data.picture(&self.chart),
        }
    }
}

/// Measures by x and series.
struct SumData {
    x: usize,
    series_by: Option<usize>,
    fresh: Vec<Cell>,
    buckets: Vec<Key>,
    bucket_places: HashMap<Key, usize>,
    series: SeriesNames,
    cells: HashMap<(usize, usize), Cell>,
    /// Of each measure, the column of its searches.
    search_columns: Vec<Option<usize>>,
    /// None where rows of several searches make the value.
    searches: HashMap<(usize, usize), Option<ScreenSearch>>,
    is_cut: bool,
}

/// The measure of one place, and the ends about it.
#[derive(Clone)]
struct Cell {
    value: Accumulator,
    bounds: Option<(Accumulator, Accumulator)>,
}

impl Cell {
    fn add(&mut self, row: &[Value], names: &[String]) -> Result<(), RenderError> {
        self.value.add(row, names)?;
        if let Some((low, high)) = &mut self.bounds {
            low.add(row, names)?;
            high.add(row, names)?;
        }
        Ok(())
    }
}

impl SumData {
    fn bind(chart: &Chart, names: &[String]) -> Result<Self, RenderError> {
        let cell = |series: &crate::plan::Series| -> Result<Cell, RenderError> {
            let bounds = series
                .bounds
                .as_ref()
                .map(|(low, high)| Ok::<_, RenderError>((Accumulator::of(low, names)?, Accumulator::of(high, names)?)));
            Ok(Cell { value: Accumulator::of(&series.measure, names)?, bounds: bounds.transpose()? })
        };
        Ok(SumData {
            x: column_index(names, &chart.x)?,
            series_by: chart.series_by.as_ref().map(|name| column_index(names, name)).transpose()?,
            fresh: chart.series.iter().map(cell).collect::<Result<_, _>>()?,
            buckets: Vec::new(),
            bucket_places: HashMap::new(),
            series: SeriesNames::of(chart),
            cells: HashMap::new(),
            search_columns: chart.series.iter().map(|series| search_of(&series.measure, names)).collect(),
            searches: HashMap::new(),
            is_cut: false,
        })
    }

    fn add(&mut self, chart: &Chart, row: &[Value], names: &[String]) -> Result<(), RenderError> {
        let Some(key) = Key::of(&row[self.x], chart.bucket) else { return Ok(()) };
        let split = self.series_by.map_or_else(String::new, |column| show(&row[column], None));
        let Some(bucket) = self.bucket_place(chart, key) else { return Ok(()) };
        for index in 0..self.fresh.len() {
            let Some(series) = self.series.place(chart, &split, index) else {
                self.is_cut = true;
                continue;
            };
            let cell = self.cells.entry((bucket, series)).or_insert_with(|| self.fresh[index].clone());
            cell.add(row, names)?;
            if let Some(column) = self.search_columns[index] {
                let read = ScreenSearch::read(&show(&row[column], None));
                self.searches
                    .entry((bucket, series))
                    .and_modify(|known| *known = known.take().filter(|known| Some(known) == read.as_ref()))
                    .or_insert(read);
            }
        }
        Ok(())
    }

    fn bucket_place(&mut self, chart: &Chart, key: Key) -> Option<usize> {
        if let Some(place) = self.bucket_places.get(&key) {
            return Some(*place);
        }
        let by_size = chart.kind.is_joined() && key.size().is_some();
        if self.buckets.len() >= if by_size { MAX_POINTS } else { MAX_BUCKETS } {
            self.is_cut = true;
            return None;
        }
        self.buckets.push(key.clone());
        self.bucket_places.insert(key, self.buckets.len() - 1);
        Some(self.buckets.len() - 1)
    }

    fn sums(&self) -> Sums<'_> {
        let value = move |key: &Key, series: usize| {
            let cell = self.cells.get(&(*self.bucket_places.get(key)?, series))?;
            Some((cell.value.value().as_f64()?, cell.bounds.as_ref().and_then(ends)))
        };
        let search = move |key: &Key, series: usize| self.searches.get(&(*self.bucket_places.get(key)?, series))?.clone();
        Sums { search: Box::new(search), keys: &self.buckets, names: &self.series.names, value: Box::new(value), is_cut: self.is_cut }
    }
}

fn search_of(measure: &Measure, names: &[String]) -> Option<usize> {
    match measure {
        Measure::Sum(column) => search_column(names, column),
        _ => None,
    }
}

fn ends((low, high): &(Accumulator, Accumulator)) -> Option<Bounds> {
    let (low, high) = (low.value().as_f64()?, high.value().as_f64()?);
    Some(Bounds { low, high })
}

/// The series of a chart: its measures, each split by the values of a column.
pub struct SeriesNames {
    pub names: Vec<String>,
    places: HashMap<(String, usize), usize>,
}

impl SeriesNames {
    pub fn of(chart: &Chart) -> Self {
        let mut series = SeriesNames { names: Vec::new(), places: HashMap::new() };
        if chart.series_by.is_none() {
            for index in 0..chart.series.len() {
                series.place(chart, "", index);
            }
        }
        series
    }

    /// `None` where there are too many.
    pub fn place(&mut self, chart: &Chart, split: &str, index: usize) -> Option<usize> {
        let key = (split.to_owned(), index);
        if let Some(place) = self.places.get(&key) {
            return Some(*place);
        }
        if self.names.len() == MAX_SERIES {
            return None;
        }
        let label = &chart.series[index].label;
        let only_split = chart.series.len() == 1;
        self.names.push(match split {
            "" => label.clone(),
            split if only_split => split.to_owned(),
            split => format!("{split}: {label}"),
        });
        self.places.insert(key, self.names.len() - 1);
        Some(self.names.len() - 1)
    }
}
