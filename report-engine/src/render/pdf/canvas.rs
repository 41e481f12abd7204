//! A drawing backend for plotters that emits PDF operators, in tenths of a point with the y axis running down.
use std::convert::Infallible;

use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontTransform};

use super::content::{Color, TextStyle, Unit, push_color, push_numbers, push_text};
use super::font::{Fonts, Weight};

/// Tenths of a point on the canvas for one point on the page.
pub const SCALE: f32 = 10.0;

type Done = Result<(), DrawingErrorKind<Infallible>>;

pub struct Canvas<'a> {
    pub operators: &'a mut Vec<u8>,
    pub fonts: &'a mut Fonts,
    /// Width and height in tenths of a point.
    pub size: (u32, u32),
}

impl Canvas<'_> {
    fn op(&mut self, operator: &str) {
        self.operators.extend_from_slice(operator.as_bytes());
        self.operators.push(b'\n');
    }

    fn numbers(&mut self, tenths: &[i32]) {
        for tenth in tenths {
            push_numbers(self.operators, &[tenth * 10]);
        }
    }

    fn path(&mut self, points: impl IntoIterator<Item = BackendCoord>) {
        for (index, (x, y)) in points.into_iter().enumerate() {
            self.numbers(&[x, y]);
            self.op(if index == 0 { "m" } else { "l" });
        }
    }

    fn stroke_style(&mut self, style: &impl BackendStyle) {
        push_color(self.operators, opaque(style.color()), b"RG");
        self.numbers(&[style.stroke_width() as i32]);
        self.op("w 1 j 1 J");
    }

    fn fill_style(&mut self, color: BackendColor) {
        push_color(self.operators, opaque(color), b"rg");
    }

    /// A circle of four curves.
    fn circle(&mut self, (x, y): BackendCoord, radius: i32) {
        let handle = (f64::from(radius) * 0.5523).round() as i32;
        self.numbers(&[x + radius, y]);
        self.op("m");
        let quarters = [
            [x + radius, y + handle, x + handle, y + radius, x, y + radius],
            [x - handle, y + radius, x - radius, y + handle, x - radius, y],
            [x - radius, y - handle, x - handle, y - radius, x, y - radius],
            [x + handle, y - radius, x + radius, y - handle, x + radius, y],
        ];
        for quarter in quarters {
            self.numbers(&quarter);
            self.op("c");
        }
    }
}

impl DrawingBackend for Canvas<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Done {
        Ok(())
    }

    fn present(&mut self) -> Done {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, color: BackendColor) -> Done {
        self.fill_style(color);
        self.numbers(&[x, y, 1, 1]);
        self.op("re f");
        Ok(())
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Done {
        self.draw_path([from, to], style)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> Done {
        if style.color().alpha > 0.0 {
            self.stroke_style(style);
            self.path(path);
            self.op("S");
        }
        Ok(())
    }

    fn draw_rect<S: BackendStyle>(&mut self, upper_left: BackendCoord, bottom_right: BackendCoord, style: &S, fill: bool) -> Done {
        if style.color().alpha == 0.0 {
            return Ok(());
        }
        if fill {
            self.fill_style(style.color());
        } else {
            self.stroke_style(style);
        }
        let (x, y) = upper_left;
        self.numbers(&[x, y, bottom_right.0 - x, bottom_right.1 - y]);
        self.op(if fill { "re f" } else { "re S" });
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(&mut self, center: BackendCoord, radius: u32, style: &S, fill: bool) -> Done {
        if fill {
            self.fill_style(style.color());
        } else {
            self.stroke_style(style);
        }
        self.circle(center, radius as i32);
        self.op(if fill { "f" } else { "S" });
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, points: I, style: &S) -> Done {
        self.fill_style(style.color());
        self.path(points);
        self.op("f");
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, place: BackendCoord) -> Done {
        let size = style.size() as f32 / SCALE;
        let width = self.fonts.width(Weight::Regular, text) as f32 * size / 1000.0;
        let anchor = style.anchor();
        let along = match anchor.h_pos {
            HPos::Left => 0.0,
            HPos::Center => -width / 2.0,
            HPos::Right => -width,
        };
        let across = match anchor.v_pos {
            VPos::Top => size * 0.85,
            VPos::Center => size * 0.35,
            VPos::Bottom => -size * 0.2,
        };
        let (x, y) = (place.0 as f32 / SCALE, place.1 as f32 / SCALE);
        // The letters stand upright in a picture whose y axis runs down.
        let matrix = match style.transform() {
            FontTransform::Rotate270 => format!("0 -1 -1 0 {:.2} {:.2}", x + across, y - along),
            FontTransform::Rotate90 => format!("0 1 1 0 {:.2} {:.2}", x - across, y + along),
            _ => format!("1 0 0 -1 {:.2} {:.2}", x + along, y + across),
        };
        let style = TextStyle { weight: Weight::Regular, size, color: opaque(style.color()) };
        push_text(self.operators, self.fonts, style, &matrix, text);
        Ok(())
    }

    fn estimate_text_size<S: BackendTextStyle>(&self, text: &str, style: &S) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        // Measuring must not use up codes of the font, so it goes by the average letter.
        let width = text.chars().count() as f64 * style.size() * 0.6;
        Ok((width as u32, style.size() as u32))
    }
}

/// The colour as it looks on white paper: archivable files hold no transparency.
fn opaque(color: BackendColor) -> Color {
    let blend = |part: u8| (f64::from(part) * color.alpha + 255.0 * (1.0 - color.alpha)).round() as u8;
    Color(blend(color.rgb.0), blend(color.rgb.1), blend(color.rgb.2))
}

/// A length of the page on the canvas.
pub fn tenths(length: Unit) -> i32 {
    length / 10
}
