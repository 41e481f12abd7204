//! What tables and flowing documents share on paper: colours, typefaces, and what a file says of itself.
use jiff::civil::DateTime;

pub use report_chart::palette::Rgb;

use crate::plan::push_moment;

pub const INK: Rgb = (33, 37, 41);
pub const MUTED: Rgb = (96, 106, 116);
pub const ACCENT: Rgb = (27, 86, 122);
pub const WARNING: Rgb = (168, 28, 28);

/// The box of a picture in a heading, in points.
pub const MARK_WIDTH: f64 = 150.0;
pub const MARK_HEIGHT: f64 = 40.0;

pub const LANGUAGE: &str = "sr-Latn-RS";
pub const PRODUCER: &str = concat!("Regix ", env!("CARGO_PKG_VERSION"));

/// Stands for a character that the typeface lacks.
pub const REPLACEMENT: char = '\u{FFFD}';

/// One typeface in its two weights.
pub struct Faces {
    pub regular: &'static [u8],
    pub bold: &'static [u8],
}

/// For a writer that embeds the glyphs in use.
pub const WHOLE: Faces =
    Faces { regular: include_bytes!("../../fonts/DejaVuSans.ttf"), bold: include_bytes!("../../fonts/DejaVuSans-Bold.ttf") };

/// For a writer that embeds the file as it is.
pub const CUT: Faces = Faces {
    regular: include_bytes!("../../fonts/DejaVuSans-serbian.ttf"),
    bold: include_bytes!("../../fonts/DejaVuSans-Bold-serbian.ttf"),
};

/// `Generisano: 05.03.2026. 07:04`
pub fn made_at(moment: DateTime) -> String {
    let mut text = String::from("Generisano: ");
    push_moment(&mut text, moment);
    text
}
