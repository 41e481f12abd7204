//! The places of a drawing at which a value can be pointed at, or walked to by keys, each with its words.
use super::frame::Plot;
use super::marks::told;
use super::{legend, write_notes, write_title};
use crate::drawing::{Drawing, Item, Place, Shape, Size};
use crate::figure::{Fault, Figure, Mark, Point, in_order};

/// Beyond so many values nobody walks from one to the next: of a longer line every second, third … has a place. The table has them all.
pub const MOST_SPOTS: usize = 1_000;

#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    pub at: Place,
    /// Empty where the figure has no series.
    pub series: String,
    pub told: String,
}

/// The spots of a figure drawn in this size, by series and within one by x.
pub fn spots(figure: &Figure, drawing: &Drawing) -> Result<Vec<Spot>, Fault> {
    let mut spots: Vec<Spot> = drawing.items.iter().filter_map(of_item).collect();
    if figure.pie().is_none() && figure.has_values() {
        let plot = plot_of(figure, drawing.size)?;
        let all: usize = figure.marks.iter().filter_map(points_of).map(|(_, points)| points.len()).sum();
        let step = all.div_ceil(MOST_SPOTS).max(1);
        for (series, points) in figure.marks.iter().filter_map(points_of) {
            let spot = |point: &Point| Spot {
                at: plot.place_of(series, *point),
                series: figure.series[series].name.clone(),
                told: told(figure, series, point),
            };
            spots.extend(in_order(points).iter().step_by(step).map(spot));
        }
    }
    let place = |spot: &Spot| figure.series.iter().position(|series| series.name == spot.series);
    spots.sort_by(|left, right| place(left).cmp(&place(right)).then(left.at.0.total_cmp(&right.at.0)));
    Ok(spots)
}

/// Where the plot begins, in letters: so far from the left charts below one another can all begin.
pub fn left_of_plot(figure: &Figure, size: Size) -> Result<f64, Fault> {
    Ok(plot_of(figure, size)?.left / size.letters)
}

/// The plot as [`super::draw`] lays it out.
fn plot_of(figure: &Figure, size: Size) -> Result<Plot, Fault> {
    let mut sheet = Drawing { size, items: Vec::new() };
    let mut top = write_title(figure, &mut sheet);
    let bottom = size.height - write_notes(figure, &mut sheet);
    let is_direct = legend::is_direct(figure, size);
    if !is_direct {
        top += legend::draw(figure, top, &mut sheet);
    }
    Plot::within(figure, size, top, bottom, is_direct)
}

/// A shape that tells one value: a bar, a slice, a box, a marker by itself. Those of a whole series tell its name only.
fn of_item(item: &Item) -> Option<Spot> {
    let datum = item.datum.as_ref().filter(|datum| !datum.told.is_empty() && datum.told != datum.series && datum.kind != "reference")?;
    let Shape::Path(path) = &item.shape else { return None };
    let places = || path.lines.iter().flatten();
    let count = places().count();
    let sum = places().fold((0.0, 0.0), |(x, y), place| (x + place.0, y + place.1));
    (count > 0).then(|| Spot { at: (sum.0 / count as f64, sum.1 / count as f64), series: datum.series.clone(), told: datum.told.clone() })
}

/// Of marks whose shapes are one for the whole series.
fn points_of(mark: &Mark) -> Option<(usize, &[Point])> {
    match mark {
        Mark::Line { series, points, .. } | Mark::Steps { series, points } => Some((*series, points)),
        _ => None,
    }
}
