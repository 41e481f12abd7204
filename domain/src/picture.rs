//! Pictures as they travel: base64, with or without a `data:` address in front.

use std::io::Cursor;

use base64::{Engine, prelude::BASE64_STANDARD};
use image::{ImageFormat, ImageReader, Limits};

use crate::refusal::Refusal;

/// The most bytes of a picture (B §9).
const MAX_BYTES: usize = 1_000_000;

/// The longest side of a picture, and the most memory that showing one may take: few bytes can tell of many pixels.
const MAX_SIDE: u32 = 10_000;
const MAX_MEMORY: u64 = 200_000_000;

const KINDS: [ImageFormat; 4] = [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Gif, ImageFormat::WebP];

/// Why it is no picture, or too big. The kind shows in the first character of the base64 data (B §3); that it is one shows when it is
/// decoded.
pub fn refusal(property: &'static str, picture: &str) -> Option<Refusal> {
    let none = Some(Refusal::new(property, "Dozvoljene su samo slike."));
    let data = match picture.split_once(";base64,") {
        Some((kind, data)) if kind.starts_with("data:image/") => data,
        Some(_) => return none,
        None => picture,
    };
    if !data.starts_with(['/', 'i', 'R', 'U']) {
        return none;
    }
    match BASE64_STANDARD.decode(data) {
        Ok(bytes) if bytes.len() > MAX_BYTES => Some(Refusal::new(property, "Slika je veća od 1.000.000 bajtova.")),
        Ok(bytes) if is_picture(&bytes) => None,
        _ => none,
    }
}

fn is_picture(bytes: &[u8]) -> bool {
    let Ok(mut reader) = ImageReader::new(Cursor::new(bytes)).with_guessed_format() else { return false };
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_MEMORY);
    reader.limits(limits);
    reader.format().is_some_and(|kind| KINDS.contains(&kind)) && reader.decode().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passes(picture: &str) -> bool {
        refusal("logo", picture).is_none()
    }

    fn picture(kind: ImageFormat, width: u32) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        image::DynamicImage::new_rgb8(width, 40).write_to(&mut bytes, kind).unwrap();
        bytes.into_inner()
    }

    #[test]
    fn pictures_of_four_kinds_pass_and_everything_else_is_refused() {
        for kind in KINDS {
            let data = BASE64_STANDARD.encode(picture(kind, 3));
            assert!(passes(&data), "{kind:?}");
            assert!(passes(&format!("data:{};base64,{data}", kind.to_mime_type())), "{kind:?}");
        }
        for other in ["tekst", "PHN2Zz4=", "data:text/html;base64,PGI+", "i not base64"] {
            assert!(!passes(other), "{other}");
        }
    }

    #[test]
    fn what_only_begins_like_a_picture_or_is_cut_off_is_none() {
        let whole = picture(ImageFormat::Png, 40);
        let with_page = [&whole[..8], b"<script>alert(1)</script>"].concat();
        for bytes in [&whole[..8], &whole[..whole.len() / 2], &with_page] {
            assert!(!passes(&BASE64_STANDARD.encode(bytes)), "{} bytes", bytes.len());
        }
    }

    #[test]
    fn a_picture_that_is_too_long_to_be_shown_is_refused() {
        assert!(passes(&BASE64_STANDARD.encode(picture(ImageFormat::Png, MAX_SIDE))));
        assert!(!passes(&BASE64_STANDARD.encode(picture(ImageFormat::Png, MAX_SIDE + 1))));
    }

    #[test]
    fn a_picture_of_a_million_bytes_is_the_biggest() {
        let mut bytes = picture(ImageFormat::Png, 3);
        // What follows the end of a picture is not looked at.
        bytes.resize(MAX_BYTES, 0);
        assert!(passes(&BASE64_STANDARD.encode(&bytes)));
        bytes.push(0);
        assert!(!passes(&BASE64_STANDARD.encode(&bytes)));
    }
}
