//! The pictures on top of the first sheet.
use rust_xlsxwriter::{Image, ObjectMovement, Worksheet};

use crate::plan::Mark;
use crate::render::error::RenderError;
use crate::render::look::{MARK_HEIGHT, MARK_WIDTH};

/// Points around a picture, and what screens make of a point.
const MARK_PAD: f64 = 3.0;
const PIXELS_PER_POINT: f64 = 96.0 / 72.0;

/// The pictures in a line of their own, as high as they need; returns the row below.
pub fn insert(sheet: &mut Worksheet, marks: &[Mark]) -> Result<u32, RenderError> {
    if marks.is_empty() {
        return Ok(0);
    }
    sheet.set_row_height(0, MARK_HEIGHT + 2.0 * MARK_PAD)?;
    let mut x = MARK_PAD;
    for mark in marks {
        let (width, height) = mark.fit(MARK_WIDTH, MARK_HEIGHT);
        let (width, height) = (width * PIXELS_PER_POINT, height * PIXELS_PER_POINT);
        let image = Image::new_from_buffer(&mark.image.png)?.set_scale_to_size(width, height, true);
        let image = image.set_alt_text(mark.told.as_str()).set_object_movement(ObjectMovement::DontMoveOrSizeWithCells);
        sheet.insert_image_with_offset(0, 0, &image, (x * PIXELS_PER_POINT) as u32, (MARK_PAD * PIXELS_PER_POINT) as u32)?;
        x += width / PIXELS_PER_POINT + 3.0 * MARK_PAD;
    }
    Ok(1)
}
