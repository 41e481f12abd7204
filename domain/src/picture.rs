//! Pictures as they travel: base64, with or without a `data:` address in front.

use std::{
    fmt,
    io::Cursor,
    sync::{Arc, Mutex, PoisonError},
};

use base64::{Engine, prelude::BASE64_STANDARD};
use image::{
    DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, Rgb, RgbImage, codecs::jpeg::JpegEncoder, imageops::FilterType,
    metadata::Orientation,
};

use crate::refusal::Refusal;

/// The most bytes of a picture (B §9).
const MAX_BYTES: usize = 1_000_000;

/// The longest side of a picture, and the most memory that showing one may take: few bytes can tell of many pixels.
const MAX_SIDE: u32 = 10_000;
const MAX_MEMORY: u64 = 200_000_000;
/// So much at one time, however many send one.
static ALONE: Mutex<()> = Mutex::new(());

/// The most pixels of a logo: all that paper shows of one.
const LOGO_WIDTH: u32 = 800;
const LOGO_HEIGHT: u32 = 400;

const KINDS: [ImageFormat; 4] = [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Gif, ImageFormat::WebP];

/// Why it is no picture, or too big. The kind shows in the first character of the base64 data (B §3); that it is one shows when it is
/// decoded.
pub fn refusal(property: &'static str, picture: &str) -> Option<Refusal> {
    judged(property, picture).err()
}

/// The picture as a logo is kept and printed: PNG on white, of no more pixels than paper shows. Nothing else of the file is left.
pub fn logo(property: &'static str, picture: &str) -> Result<Image, Refusal> {
    let decoded = judged(property, picture)?;
    on_paper(decoded).ok_or_else(|| Refusal::new(property, NO_PICTURE))
}

const NO_PICTURE: &str = "Dozvoljene su samo slike.";

fn judged(property: &'static str, picture: &str) -> Result<DynamicImage, Refusal> {
    let none = || Refusal::new(property, NO_PICTURE);
    let data = match picture.split_once(";base64,") {
        Some((kind, data)) if kind.starts_with("data:image/") => data,
        Some(_) => return Err(none()),
        None => picture,
    };
    if !data.starts_with(['/', 'i', 'R', 'U']) {
        return Err(none());
    }
    match BASE64_STANDARD.decode(data) {
        Ok(bytes) if bytes.len() > MAX_BYTES => Err(Refusal::new(property, "Slika je veća od 1.000.000 bajtova.")),
        Ok(bytes) => {
            let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
            decode(&bytes).ok_or_else(none)
        }
        Err(_) => Err(none()),
    }
}

/// Whether it can be decoded as the pictures that are shown are.
pub fn is_picture(bytes: &[u8]) -> bool {
    decode(bytes).is_some()
}

fn decode(bytes: &[u8]) -> Option<DynamicImage> {
    reader(bytes)?.decode().ok()
}

/// Turned as the camera was held.
fn upright(bytes: &[u8]) -> Option<DynamicImage> {
    let mut decoder = reader(bytes)?.into_decoder().ok().filter(|decoder| decoder.total_bytes() <= MAX_MEMORY)?;
    let turned = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut picture = DynamicImage::from_decoder(decoder).ok()?;
    picture.apply_orientation(turned);
    Some(picture)
}

fn reader(bytes: &[u8]) -> Option<ImageReader<Cursor<&[u8]>>> {
    let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().ok()?;
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_MEMORY);
    reader.limits(limits);
    reader.format().filter(|kind| KINDS.contains(kind))?;
    Some(reader)
}

/// A picture of a file in a smaller size: upright and on white, as JPEG.
#[derive(Clone)]
pub struct Photo {
    pub width: u32,
    pub height: u32,
    pub jpeg: Arc<[u8]>,
}

const PHOTO_QUALITY: u8 = 85;

impl Photo {
    /// No side longer than `most`; none where it cannot be decoded.
    pub fn read(bytes: &[u8], most: u32) -> Option<Self> {
        let picture = upright(bytes)?;
        let fitted = if picture.width().max(picture.height()) > most { picture.thumbnail(most, most) } else { picture };
        let white = on_white(&fitted);
        let mut jpeg = Vec::new();
        JpegEncoder::new_with_quality(&mut jpeg, PHOTO_QUALITY).encode_image(&white).ok()?;
        Some(Self { width: white.width(), height: white.height(), jpeg: jpeg.into() })
    }
}

impl fmt::Debug for Photo {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Photo({}×{})", self.width, self.height)
    }
}

/// A picture ready to be printed.
#[derive(Clone)]
pub struct Image {
    pub width: u32,
    pub height: u32,
    /// Three bytes a pixel, line by line.
    pub rgb: Arc<[u8]>,
    pub png: Arc<[u8]>,
}

impl Image {
    /// Reads what was kept of a logo, or a file of a picture; none where it is no picture (any more).
    pub fn read(bytes: &[u8]) -> Option<Self> {
        if bytes.len() > MAX_BYTES.max(MOST_KEPT) {
            return None;
        }
        decode(bytes).and_then(on_paper)
    }

    pub fn base64(&self) -> String {
        BASE64_STANDARD.encode(&self.png)
    }
}

/// Every pixel of a logo, and what PNG adds to them.
const MOST_KEPT: usize = (LOGO_WIDTH * LOGO_HEIGHT * 3) as usize + 64 * 1024;

impl fmt::Debug for Image {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Image({}×{})", self.width, self.height)
    }
}

fn on_paper(picture: DynamicImage) -> Option<Image> {
    let white = on_white(&picture);
    let fitted = match white.width() > LOGO_WIDTH || white.height() > LOGO_HEIGHT {
        true => DynamicImage::ImageRgb8(white).resize(LOGO_WIDTH, LOGO_HEIGHT, FilterType::Triangle).into_rgb8(),
        false => white,
    };
    let mut png = Cursor::new(Vec::new());
    fitted.write_to(&mut png, ImageFormat::Png).ok()?;
    let (width, height) = fitted.dimensions();
    Some(Image { width, height, rgb: fitted.into_raw().into(), png: png.into_inner().into() })
}

/// What a picture lets through is paper.
fn on_white(picture: &DynamicImage) -> RgbImage {
    let DynamicImage::ImageRgb8(opaque) = picture else {
        let pixels = picture.to_rgba8();
        return RgbImage::from_fn(pixels.width(), pixels.height(), |x, y| {
            let [red, green, blue, alpha] = pixels.get_pixel(x, y).0.map(u32::from);
            Rgb([red, green, blue].map(|part| ((part * alpha + 255 * (255 - alpha) + 127) / 255) as u8))
        });
    };
    opaque.clone()
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

    /// The first bytes of a PNG that says how large it is, and holds as much as it likes.
    fn png_of(width: u32, height: u32) -> Vec<u8> {
        let mut header = b"IHDR".to_vec();
        header.extend([width.to_be_bytes(), height.to_be_bytes()].concat());
        header.extend([8, 6, 0, 0, 0]);
        let crc = header.iter().fold(!0_u32, |sum, byte| {
            (0..8).fold(sum ^ u32::from(*byte), |sum, _| if sum & 1 == 1 { (sum >> 1) ^ 0xEDB8_8320 } else { sum >> 1 })
        });
        [b"\x89PNG\r\n\x1a\n\0\0\0\r".as_slice(), &header, &(!crc).to_be_bytes()].concat()
    }

    #[test]
    fn few_bytes_that_tell_of_many_pixels_cost_neither_time_nor_memory() {
        let started = std::time::Instant::now();
        let mut blank = Cursor::new(Vec::new());
        image::GrayImage::new(9_000, 9_000).write_to(&mut blank, ImageFormat::Png).unwrap();
        let blank = blank.into_inner();
        assert!(blank.len() < MAX_BYTES && passes(&BASE64_STANDARD.encode(&blank)), "81 MB in {} bytes are still few", blank.len());
        let jpeg = picture(ImageFormat::Jpeg, 600);
        for (what, bytes) in [
            ("a side of 60,000", png_of(60_000, 60_000)),
            ("more memory than one may take", png_of(9_000, 9_000)),
            ("half a JPEG's head", jpeg[..jpeg.len() / 8].to_vec()),
            ("nothing behind the head", jpeg[..20].to_vec()),
        ] {
            assert!(!passes(&BASE64_STANDARD.encode(&bytes)), "{what}");
        }
        assert!(started.elapsed() < std::time::Duration::from_secs(30), "{:?}", started.elapsed());
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

    #[test]
    fn a_logo_is_kept_as_paper_shows_it() {
        let mut pixels = image::RgbaImage::new(1600, 100);
        pixels.put_pixel(0, 0, image::Rgba([200, 0, 0, 255]));
        let mut bytes = Cursor::new(Vec::new());
        pixels.write_to(&mut bytes, ImageFormat::Png).unwrap();
        let kept = logo("logo", &BASE64_STANDARD.encode(bytes.into_inner())).unwrap();
        assert_eq!((kept.width, kept.height), (800, 50), "no more pixels than are seen, in the same shape");
        assert_eq!(kept.rgb.last(), Some(&255), "what is let through is white");
        let again = Image::read(&kept.png).unwrap();
        assert_eq!((again.rgb, again.png), (kept.rgb, kept.png), "what was kept is read as it is");
    }

    #[test]
    fn a_photograph_is_made_smaller_and_stands_as_the_camera_was_held() {
        let small = Photo::read(&picture(ImageFormat::Png, 160), 80).unwrap();
        assert_eq!((small.width, small.height), (80, 20));
        assert_eq!(&small.jpeg[..3], b"\xff\xd8\xff");
        let as_it_is = Photo::read(&picture(ImageFormat::Jpeg, 60), 80).unwrap();
        assert_eq!((as_it_is.width, as_it_is.height), (60, 40), "not larger than it is");
        // A quarter to the right, as cameras write it.
        let exif = b"\xff\xe1\x00\x22Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0";
        let jpeg = picture(ImageFormat::Jpeg, 60);
        let held = Photo::read(&[&jpeg[..2], exif, &jpeg[2..]].concat(), 80).unwrap();
        assert_eq!((held.width, held.height), (40, 60));
        assert!(Photo::read(b"<svg/>", 80).is_none());
    }

    #[test]
    fn what_is_no_picture_becomes_no_logo() {
        let drawing = BASE64_STANDARD.encode("<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
        for other in [drawing.as_str(), "data:image/svg+xml;base64,PHN2Zy8+", "iVBORw0KGgo="] {
            assert_eq!(logo("logo", other).unwrap_err().message, NO_PICTURE, "{other}");
        }
        assert!(Image::read(b"<svg/>").is_none());
        assert!(Image::read(&picture(ImageFormat::Png, 40)[..60]).is_none(), "cut off");
    }
}
