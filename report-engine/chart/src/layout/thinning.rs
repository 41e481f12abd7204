//! What the eye cannot see is not drawn: of a line at most four points a column of the plot, of points one a cell.
use super::frame::Plot;
use crate::drawing::Place;
use crate::figure::{Figure, Interval, Mark, Point, in_order};

/// Places on all lines of a figure.
const MOST_PLACES: f64 = 12_000.0;
/// Values that are written into a drawing for who reads it as data.
const MOST_VALUES: usize = 2_000;
/// Points of a figure that are drawn one by one.
const MOST_POINTS: usize = 2_000;
/// Beyond these a marker is a bare square, and values of a line have none.
pub const MOST_MARKERS: usize = 400;
/// The finest column, in units of the size.
const COLUMN: f64 = 0.5;

/// How much may be drawn, shared by the marks of a figure.
pub struct Budget {
    /// The width of a column.
    column: f64,
    /// Points that one mark may have.
    most_points: usize,
    /// Whether each value is written beside its shape.
    pub tells_values: bool,
    /// All values of the figure.
    pub values: usize,
}

impl Budget {
    pub fn of(figure: &Figure, plot: &Plot) -> Budget {
        let sizes = || figure.marks.iter().map(size_of);
        let values: usize = sizes().sum();
        // A step has a corner and a band two sides.
        let cost = |mark: &Mark| match mark {
            Mark::Line { points, .. } => 4.0 * share_of(points.len(), plot),
            Mark::Steps { points, .. } => 8.0 * share_of(points.len(), plot),
            Mark::Band { bounds, stepped: true, .. } => 16.0 * share_of(bounds.len(), plot),
            Mark::Band { bounds, .. } => 8.0 * share_of(bounds.len(), plot),
            _ => 0.0,
        };
        let lines: f64 = figure.marks.iter().map(cost).sum();
        let scattered =
            figure.marks.iter().filter(|mark| matches!(mark, Mark::Points { .. } | Mark::Censored { .. } | Mark::Boxes { .. })).count();
        Budget {
            column: (lines * plot.width / MOST_PLACES).max(COLUMN),
            most_points: MOST_POINTS / scattered.max(1),
            tells_values: values <= MOST_VALUES,
            values,
        }
    }

    /// Points by x, without those that no eye tells apart: of each column the first, the lowest, the highest and the last.
    pub fn line(&self, plot: &Plot, points: &[Point]) -> Vec<Point> {
        let sorted = in_order(points);
        if sorted.len() <= 4 * self.columns(plot) {
            return sorted;
        }
        let column = |point: &Point| (plot.x(point.x) / self.column).floor();
        sorted.chunk_by(|left, right| column(left) == column(right)).flat_map(ends_and_extremes).collect()
    }

    /// Bounds by their place, the widest of each column.
    pub fn band(&self, plot: &Plot, bounds: &[Interval]) -> Vec<Interval> {
        let mut sorted = bounds.to_vec();
        sorted.sort_by(|left, right| left.at.total_cmp(&right.at));
        if sorted.len() <= 2 * self.columns(plot) {
            return sorted;
        }
        let column = |one: &Interval| (plot.x(one.at) / self.column).floor();
        let widest = |chunk: &[Interval]| {
            let low = chunk.iter().map(|one| one.low).fold(f64::INFINITY, f64::min);
            let high = chunk.iter().map(|one| one.high).fold(f64::NEG_INFINITY, f64::max);
            [Interval { at: chunk[0].at, low, high }, Interval { at: chunk[chunk.len() - 1].at, low, high }]
        };
        sorted.chunk_by(|left, right| column(left) == column(right)).flat_map(widest).collect()
    }

    /// Places of points, one a cell; cells grow until they are few enough. The index of each is kept.
    pub fn points(&self, places: &[Place]) -> Vec<usize> {
        if places.len() <= self.most_points {
            return (0..places.len()).collect();
        }
        let mut cell = COLUMN;
        loop {
            let key = |(x, y): &Place| ((x / cell).floor() as i64, (y / cell).floor() as i64);
            let mut seen = std::collections::HashSet::new();
            let kept: Vec<usize> = (0..places.len()).filter(|index| seen.insert(key(&places[*index]))).collect();
            if kept.len() <= self.most_points || cell > 1e6 {
                return kept;
            }
            cell *= 1.4;
        }
    }

    fn columns(&self, plot: &Plot) -> usize {
        (plot.width / self.column) as usize + 1
    }
}

/// The part of the columns that so many points can fill.
fn share_of(points: usize, plot: &Plot) -> f64 {
    (points as f64 / (plot.width / COLUMN)).min(1.0)
}

fn size_of(mark: &Mark) -> usize {
    match mark {
        Mark::Line { points, .. } | Mark::Steps { points, .. } | Mark::Points { points, .. } | Mark::Censored { points, .. } => {
            points.len()
        }
        Mark::Band { bounds, .. } | Mark::ErrorBars { bars: bounds, .. } => bounds.len(),
        // They are among the values of their line.
        Mark::Rings { .. } => 0,
        Mark::Stretches { stretches, .. } => stretches.len(),
        Mark::Bars { bars, .. } | Mark::Stacked { bars, .. } => bars.len(),
        Mark::Histogram { bins, .. } => bins.len(),
        Mark::Boxes { boxes, .. } => boxes.iter().map(|one| 5 + one.outliers.len()).sum(),
        Mark::Pie { slices } => slices.len(),
        Mark::ReferenceLine { .. } | Mark::ReferenceRange { .. } | Mark::ReferenceSegment { .. } => 1,
    }
}

fn ends_and_extremes(chunk: &[Point]) -> Vec<Point> {
    let by_y = |left: &(usize, &Point), right: &(usize, &Point)| left.1.y.total_cmp(&right.1.y);
    let lowest = chunk.iter().enumerate().min_by(by_y).map_or(0, |(index, _)| index);
    let highest = chunk.iter().enumerate().max_by(by_y).map_or(0, |(index, _)| index);
    let mut kept = [0, lowest, highest, chunk.len() - 1];
    kept.sort_unstable();
    let mut kept = kept.to_vec();
    kept.dedup();
    kept.into_iter().map(|index| chunk[index]).collect()
}
