//! A picture made of lines and words, which is all that genpdf draws. Places are in micrometres from the upper left corner.
pub use crate::render::look::Rgb;

pub type Length = u32;
pub type Point = (Length, Length);

#[derive(Clone, Debug, Default)]
pub struct Drawing {
    pub strokes: Vec<Stroke>,
    pub words: Vec<Word>,
}

#[derive(Clone, Debug)]
pub struct Stroke {
    pub points: Vec<Point>,
    pub color: Rgb,
}

#[derive(Clone, Debug)]
pub struct Word {
    pub x: Length,
    pub y: Length,
    pub text: String,
}

/// What a value on a line looks like; lines differ by it where a printer knows no colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    Circle,
    Square,
    Diamond,
    Cross,
}

const RADIUS: f64 = 800.0;
/// Rings that fill a marker, since there is nothing but lines.
const RINGS: [f64; 3] = [1.0, 0.62, 0.24];

impl Marker {
    pub fn of_line(index: usize) -> Self {
        [Marker::Circle, Marker::Square, Marker::Diamond, Marker::Cross][index % 4]
    }

    fn corners(self) -> &'static [(f64, f64)] {
        match self {
            Marker::Circle => {
                &[(1.0, 0.0), (0.71, 0.71), (0.0, 1.0), (-0.71, 0.71), (-1.0, 0.0), (-0.71, -0.71), (0.0, -1.0), (0.71, -0.71), (1.0, 0.0)]
            }
            Marker::Square => &[(0.85, 0.85), (-0.85, 0.85), (-0.85, -0.85), (0.85, -0.85), (0.85, 0.85)],
            Marker::Diamond => &[(1.2, 0.0), (0.0, 1.2), (-1.2, 0.0), (0.0, -1.2), (1.2, 0.0)],
            Marker::Cross => &[(0.0, 0.0), (1.0, 1.0), (-1.0, -1.0), (0.0, 0.0), (-1.0, 1.0), (1.0, -1.0)],
        }
    }
}

impl Drawing {
    pub fn line(&mut self, points: Vec<Point>, color: Rgb) {
        self.strokes.push(Stroke { points, color });
    }

    pub fn mark(&mut self, marker: Marker, (x, y): Point, color: Rgb) {
        let rings: &[f64] = if marker == Marker::Cross { &RINGS[..1] } else { &RINGS };
        for ring in rings {
            let place = |(dx, dy): &(f64, f64)| (shifted(x, dx * ring * RADIUS), shifted(y, dy * ring * RADIUS));
            self.line(marker.corners().iter().map(place).collect(), color);
        }
    }

    pub fn word(&mut self, x: Length, y: Length, text: impl Into<String>) {
        self.words.push(Word { x, y, text: text.into() });
    }
}

fn shifted(place: Length, by: f64) -> Length {
    (f64::from(place) + by).max(0.0) as Length
}
