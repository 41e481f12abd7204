//! A chart as shapes and words at their places, y running down, in the unit of its size: points on paper, pixels on a screen.
use crate::palette::Rgb;

pub use crate::palette::Place;

/// How large a chart is, and its letters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    pub width: f64,
    pub height: f64,
    /// Of the words along the axes; everything else follows.
    pub letters: f64,
}

impl Size {
    /// On paper, in points.
    pub fn paper(width: f64, height: f64) -> Self {
        Size { width, height, letters: 7.5 }
    }

    /// On a screen, in pixels.
    pub fn screen(width: f64, height: f64) -> Self {
        Size { width, height, letters: 12.0 }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    pub size: Size,
    /// From the lowest to the highest.
    pub items: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    pub shape: Shape,
    /// What it shows, for who reads the drawing as data.
    pub datum: Option<Datum>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Path(Path),
    Word(Word),
}

/// Lines through places, all of one look.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    pub lines: Vec<Vec<Place>>,
    pub is_closed: bool,
    pub fill: Option<Fill>,
    pub stroke: Option<Stroke>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fill {
    pub color: Rgb,
    /// From 0 to 1. A painter without it blends with white.
    pub opacity: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    pub color: Rgb,
    pub width: f64,
    /// Lengths of dashes and gaps, in widths of the line; empty: unbroken.
    pub dash: &'static [f64],
}

#[derive(Clone, Debug, PartialEq)]
pub struct Word {
    pub text: String,
    /// The baseline, at the side that `anchor` says.
    pub at: Place,
    pub anchor: Anchor,
    pub size: f64,
    pub color: Rgb,
    pub is_bold: bool,
    /// Runs upwards.
    pub is_turned: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// The values behind a shape.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Datum {
    /// `line`, `step`, `band`, `error`, `point`, `censored`, `bar`, `bin`, `box`, `slice`, `stretch`, `reference`
    pub kind: &'static str,
    pub series: String,
    /// Names and values, as `x` and `y`, by value and not by place.
    pub values: Vec<(&'static str, String)>,
    /// In words, for who points at it.
    pub told: String,
}

impl Word {
    /// From left to right where it lies flat; a turned one is as wide as its letters are high.
    pub fn span(&self) -> (f64, f64) {
        let wide = if self.is_turned {
            return (self.at.0 - self.size, self.at.0);
        } else if self.is_bold {
            crate::text::bold_width(&self.text) * self.size
        } else {
            crate::text::width(&self.text) * self.size
        };
        let left = match self.anchor {
            Anchor::Start => self.at.0,
            Anchor::Middle => self.at.0 - wide / 2.0,
            Anchor::End => self.at.0 - wide,
        };
        (left, left + wide)
    }
}

impl Drawing {
    pub fn words(&self) -> impl Iterator<Item = &Word> {
        self.items.iter().filter_map(|item| match &item.shape {
            Shape::Word(word) => Some(word),
            Shape::Path(_) => None,
        })
    }

    pub fn path(&mut self, path: Path, datum: Option<Datum>) {
        if path.lines.iter().any(|line| !line.is_empty()) {
            self.items.push(Item { shape: Shape::Path(path), datum });
        }
    }

    pub fn line(&mut self, places: Vec<Place>, stroke: Stroke) {
        self.path(Path { lines: vec![places], stroke: Some(stroke), ..Path::default() }, None);
    }

    pub fn word(&mut self, word: Word) {
        if !word.text.is_empty() {
            self.items.push(Item { shape: Shape::Word(word), datum: None });
        }
    }
}

/// The corners of a box between two places.
pub fn corners((left, top): Place, (right, bottom): Place) -> Vec<Place> {
    vec![(left, top), (right, top), (right, bottom), (left, bottom)]
}
