//! Pictures of an entry's files: as large as they are on a screen, within a box of the page, each under its name.
use domain::picture::Photo;

use super::drawing::Length;
use super::layout::{Layout, Line, Measure, Role, SPACE};

/// The most pixels of a side that paper shows over its width.
pub const PIXELS: u32 = 1_000;
const MOST_HEIGHT: Length = 110_000;
/// Of a screen with 96 pixels an inch.
const PIXEL: f64 = 25_400.0 / 96.0;

/// A picture with its size on paper.
#[derive(Clone, Debug)]
pub struct FramedPhoto {
    /// What it is, for who does not see it.
    pub told: String,
    pub photo: Photo,
    pub width: Length,
    pub height: Length,
}

pub fn lay_out<M: Measure>(layout: &mut Layout<'_, M>, name: &str, photo: &Photo) {
    let (width, height) = (f64::from(photo.width.max(1)), f64::from(photo.height.max(1)));
    let scale = (f64::from(layout.width) / width).min(f64::from(MOST_HEIGHT) / height).min(PIXEL);
    let (width, height) = ((width * scale) as Length, (height * scale) as Length);
    layout.space(SPACE / 2);
    layout.kept(Role::Note, name);
    let framed = FramedPhoto { told: name.to_owned(), photo: photo.clone(), width, height };
    layout.lines.push(Line { height: height + SPACE, photo: Some(framed), ..Line::default() });
}
