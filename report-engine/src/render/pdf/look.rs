//! How a table looks: colours and text styles.
use super::content::{Color, TextStyle};
use super::font::Weight;
use crate::render::look;

pub const INK: Color = Color::of(look::INK);
pub const MUTED: Color = Color::of(look::MUTED);
pub const ACCENT: Color = Color::of(look::ACCENT);
pub const HEAD_FILL: Color = Color(228, 237, 243);
pub const HAIRLINE: Color = Color(214, 221, 227);
pub const GROUP_FILLS: [Color; 3] = [Color(214, 228, 238), Color(236, 242, 246), Color(246, 249, 251)];
pub const SUMMARY_FILL: Color = Color(228, 237, 243);
pub const WARNING: Color = Color::of(look::WARNING);
pub const WARNING_FILL: Color = Color(252, 235, 233);

pub const INSTITUTION: TextStyle = TextStyle { weight: Weight::Bold, size: 9.0, color: ACCENT };
pub const TITLE: TextStyle = TextStyle { weight: Weight::Bold, size: 16.0, color: INK };
pub const SECTION: TextStyle = TextStyle { weight: Weight::Bold, size: 12.0, color: ACCENT };
pub const SUBTITLE: TextStyle = TextStyle { weight: Weight::Regular, size: 10.0, color: MUTED };
pub const LABEL: TextStyle = TextStyle { weight: Weight::Regular, size: 8.0, color: MUTED };
pub const VALUE: TextStyle = TextStyle { weight: Weight::Bold, size: 8.0, color: INK };
pub const SMALL: TextStyle = TextStyle { weight: Weight::Regular, size: 7.5, color: MUTED };
pub const RUNNING: TextStyle = TextStyle { weight: Weight::Bold, size: 7.5, color: MUTED };
pub const FOOT: TextStyle = TextStyle { weight: Weight::Regular, size: 7.0, color: MUTED };
pub const CUT_MARK: TextStyle = TextStyle { weight: Weight::Bold, size: 7.0, color: WARNING };
