//! Charts of reports and entries: rows become figures of `report_chart` here, and each format has a small painter of them.
mod data;
mod entry;
mod figure;
mod keys;
mod rows;

use domain::report_screen::ScreenSearch;
use report_chart::{Fault, Figure};

pub use data::ChartData;
pub use entry::of_entry;

/// A chart of a file.
#[derive(Clone, Debug)]
pub struct Picture {
    pub figure: Figure,
    /// With the words along the axes and without the legend, in points.
    pub height: f32,
    /// Why there is no chart.
    pub fault: Option<Fault>,
    /// By the words of a value, the search that shows whom it counts.
    pub searches: Vec<(String, ScreenSearch)>,
}

impl Picture {
    pub fn new(figure: Figure, height: f32) -> Self {
        let fault = figure.check().err();
        Picture { figure, height, fault, searches: Vec::new() }
    }

    /// What stands in its place where it cannot be drawn.
    pub fn refusal(&self) -> Option<String> {
        let fault = self.fault.as_ref()?;
        Some(format!("Grafikon „{}“ nije nacrtan: {fault}.", self.figure.title))
    }

    pub fn is_shown(&self) -> bool {
        self.fault.is_some() || self.figure.has_values()
    }
}
