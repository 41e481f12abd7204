//! The pictures on top of the first page: each is an image of the file, drawn once and told in words.
use std::io;

use pdf_writer::{Filter, Ref};

use super::content::{Unit, points};
use super::objects::Objects;
use crate::plan::Mark;
use crate::render::look::{MARK_HEIGHT, MARK_WIDTH};

pub const GAP: Unit = 900;

/// One of them in the file.
pub struct PlacedMark {
    pub name: String,
    pub id: Ref,
    pub size: (Unit, Unit),
}

pub fn embed(objects: &mut Objects, marks: &[Mark]) -> io::Result<Vec<PlacedMark>> {
    marks.iter().enumerate().map(|(index, mark)| embed_one(objects, index, mark)).collect()
}

fn embed_one(objects: &mut Objects, index: usize, mark: &Mark) -> io::Result<PlacedMark> {
    let id = objects.reserve();
    let data = objects.deflate(&mark.image.rgb)?;
    objects.write(id, |chunk| {
        let mut image = chunk.image_xobject(id, &data);
        image.filter(Filter::FlateDecode);
        image.width(mark.image.width as i32).height(mark.image.height as i32).bits_per_component(8);
        image.color_space().device_rgb();
    })?;
    objects.recycle(data);
    let (width, height) = mark.fit(MARK_WIDTH, MARK_HEIGHT);
    Ok(PlacedMark { name: format!("M{index}"), id, size: (points(width as f32), points(height as f32)) })
}
