//! How a report looks: colours and text styles.
use super::content::{Color, TextStyle};
use super::font::Weight;

pub const INK: Color = Color(33, 37, 41);
pub const MUTED: Color = Color(96, 106, 116);
pub const ACCENT: Color = Color(27, 86, 122);
pub const HEAD_FILL: Color = Color(228, 237, 243);
pub const HAIRLINE: Color = Color(214, 221, 227);
pub const GROUP_FILLS: [Color; 3] = [Color(214, 228, 238), Color(236, 242, 246), Color(246, 249, 251)];
pub const SUMMARY_FILL: Color = Color(228, 237, 243);
pub const WARNING: Color = Color(168, 28, 28);
pub const WARNING_FILL: Color = Color(252, 235, 233);

pub const INSTITUTION: TextStyle = TextStyle { weight: Weight::Bold, size: 9.0, color: ACCENT };
pub const TITLE: TextStyle = TextStyle { weight: Weight::Bold, size: 16.0, color: INK };
pub const SUBTITLE: TextStyle = TextStyle { weight: Weight::Regular, size: 10.0, color: MUTED };
pub const LABEL: TextStyle = TextStyle { weight: Weight::Regular, size: 8.0, color: MUTED };
pub const VALUE: TextStyle = TextStyle { weight: Weight::Bold, size: 8.0, color: INK };
pub const SMALL: TextStyle = TextStyle { weight: Weight::Regular, size: 7.5, color: MUTED };
pub const RUNNING: TextStyle = TextStyle { weight: Weight::Bold, size: 7.5, color: MUTED };
pub const FOOT: TextStyle = TextStyle { weight: Weight::Regular, size: 7.0, color: MUTED };
pub const CUT_MARK: TextStyle = TextStyle { weight: Weight::Bold, size: 7.0, color: WARNING };

/// Colours of the series of a chart, told apart also in greyscale.
pub const SERIES: [Color; 8] = [
    Color(27, 86, 122),
    Color(208, 106, 36),
    Color(58, 140, 92),
    Color(140, 62, 120),
    Color(104, 112, 120),
    Color(196, 160, 40),
    Color(72, 160, 190),
    Color(160, 40, 40),
];
