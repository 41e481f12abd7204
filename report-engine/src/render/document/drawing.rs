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

impl Drawing {
    pub fn line(&mut self, points: Vec<Point>, color: Rgb) {
        self.strokes.push(Stroke { points, color });
    }

    pub fn word(&mut self, x: Length, y: Length, text: impl Into<String>) {
        self.words.push(Word { x, y, text: text.into() });
    }
}
