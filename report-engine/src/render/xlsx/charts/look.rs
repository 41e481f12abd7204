//! How series look in a spreadsheet: colour, dash and marker by their place, as in every other format.
use report_chart::Figure;
use report_chart::palette::{Rgb, color, dash};
use rust_xlsxwriter::{ChartLine, ChartLineDashType, ChartMarker, ChartMarkerType, ChartPoint, ChartSolidFill, Color};

const MARKERS: [ChartMarkerType; 8] = [
    ChartMarkerType::Circle,
    ChartMarkerType::Square,
    ChartMarkerType::Triangle,
    ChartMarkerType::Diamond,
    ChartMarkerType::X,
    ChartMarkerType::Star,
    ChartMarkerType::PlusSign,
    ChartMarkerType::LongDash,
];
const DASHES: [ChartLineDashType; 7] = [
    ChartLineDashType::Dash,
    ChartLineDashType::RoundDot,
    ChartLineDashType::DashDot,
    ChartLineDashType::SquareDot,
    ChartLineDashType::LongDash,
    ChartLineDashType::LongDashDot,
    ChartLineDashType::LongDashDotDot,
];

pub fn color_of(figure: &Figure, series: usize) -> Color {
    rgb(figure.series[series].color.unwrap_or(color(series)))
}

pub fn rgb((red, green, blue): Rgb) -> Color {
    Color::RGB(u32::from_be_bytes([0, red, green, blue]))
}

pub fn marker(figure: &Figure, series: usize, size: u8) -> ChartMarker {
    let mut fill = fill(figure, series);
    ChartMarker::new().set_type(MARKERS[series % MARKERS.len()]).set_size(size).set_format(&mut fill).clone()
}

pub fn line(figure: &Figure, series: usize) -> ChartLine {
    let mut line = ChartLine::new().set_color(color_of(figure, series)).set_width(1.75).clone();
    if !dash(series).is_empty() {
        line.set_dash_type(DASHES[(series - 1) % DASHES.len()]);
    }
    line
}

/// A bound of a band: as its series, and thinner.
pub fn thin(figure: &Figure, series: usize) -> ChartLine {
    ChartLine::new().set_color(color_of(figure, series)).set_width(0.75).clone()
}

pub fn no_line() -> ChartLine {
    ChartLine::new().set_hidden(true).clone()
}

pub fn fill(figure: &Figure, series: usize) -> ChartSolidFill {
    ChartSolidFill::new().set_color(color_of(figure, series)).clone()
}

pub fn slice(place: usize) -> ChartPoint {
    ChartPoint::new().set_format(ChartSolidFill::new().set_color(rgb(color(place))))
}
