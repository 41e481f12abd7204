//! Charts of reports: a [`Figure`] says what is shown, [`draw`] works out where it lies, and each format paints the [`Drawing`].
pub mod axis;
pub mod drawing;
pub mod figure;
pub mod layout;
pub mod palette;
pub mod summary;
pub mod svg;
pub mod table;
pub mod text;
pub mod times;

pub use axis::{Axis, Scale};
pub use drawing::{Drawing, Size};
pub use figure::{
    Bin, Boundaries, BoxPlot, Direction, Fault, Figure, Interval, Legend, Mark, Point, RightAxis, RiskRow, RiskTable, Series, Slice,
    Stretch,
};
pub use layout::{Spot, draw, spots, told};
pub use svg::to_svg;
