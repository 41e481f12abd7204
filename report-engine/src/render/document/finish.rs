//! What genpdf leaves undone: title and language as readers expect them, unused faces out, streams compressed, the pictures on top and
//! those of files.
use domain::picture::Photo;
use lopdf::{Dictionary, Document, Object, ObjectId, Stream, StringFormat, dictionary};

use super::frame::Frame;
use crate::plan::Mark;
use crate::render::look::{LANGUAGE, MARK_HEIGHT, MARK_WIDTH, PRODUCER};

/// The slanted faces of the family, which no text uses; printpdf names fonts in the order of their loading.
const UNUSED_FONTS: [&[u8]; 2] = [b"F2", b"F3"];

/// The box around every glyph of the cut typeface, in thousandths of the text size.
const FONT_BOX: [i64; 4] = [-1069, -463, 1975, 1232];

/// Between two pictures, in points.
const MARK_GAP: f64 = 9.0;

/// A picture of a file, in points from the lower left corner of its page.
pub struct OnPage {
    /// From 0.
    pub page: usize,
    pub left: f64,
    pub bottom: f64,
    pub size: (f64, f64),
    pub told: String,
    pub photo: Photo,
}

/// `corner` is the upper left one of the first page's text, in points from its lower edge.
pub fn finish(bytes: &[u8], frame: &Frame, corner: (f64, f64), photos: &[OnPage]) -> Result<Vec<u8>, lopdf::Error> {
    let mut document = Document::load_mem(bytes)?;
    document.version = "1.7".to_owned();
    describe(&mut document, frame)?;
    drop_unused_fonts(&mut document);
    repair_font_boxes(&mut document);
    put_marks(&mut document, &frame.marks, corner)?;
    put_photos(&mut document, photos)?;
    document.prune_objects();
    document.compress();
    let mut out = Vec::with_capacity(bytes.len() / 2);
    document.save_to(&mut out)?;
    Ok(out)
}

fn describe(document: &mut Document, frame: &Frame) -> Result<(), lopdf::Error> {
    let created = frame.generisano.strftime("D:%Y%m%d%H%M%S").to_string();
    let info = dictionary! {
        "Title" => text(&frame.title),
        "Author" => text(&frame.author),
        "Producer" => text(PRODUCER),
        "CreationDate" => Object::String(created.into_bytes(), StringFormat::Literal),
    };
    let info = document.add_object(info);
    document.trailer.set("Info", info);
    let root = document.trailer.get(b"Root")?.as_reference()?;
    let catalog = document.get_object_mut(root)?.as_dict_mut()?;
    catalog.set("Lang", text(LANGUAGE));
    catalog.set("ViewerPreferences", dictionary! { "DisplayDocTitle" => true });
    // The marks of a print standard that the file does not meet.
    catalog.remove(b"OutputIntents");
    catalog.remove(b"Metadata");
    Ok(())
}

/// Puts the pictures on the first page, each with its words.
fn put_marks(document: &mut Document, marks: &[Mark], (left, top): (f64, f64)) -> Result<(), lopdf::Error> {
    let Some(page) = document.page_iter().next().filter(|_| !marks.is_empty()) else { return Ok(()) };
    let mut operators = b"q\n".to_vec();
    let mut x = left;
    for (index, mark) in marks.iter().enumerate() {
        let name = format!("M{index}");
        let image = document.add_object(image(mark));
        document.add_xobject(page, name.as_bytes(), image)?;
        let (width, height) = mark.fit(MARK_WIDTH, MARK_HEIGHT);
        operators.extend(drawn(&name, &mark.told, (x, top - height), (width, height)));
        x += width + MARK_GAP;
    }
    operators.extend_from_slice(b"Q\n");
    draw_first(document, page, operators)
}

/// Puts the pictures of files on their pages, each with its name. What is JPEG already is not compressed again.
fn put_photos(document: &mut Document, photos: &[OnPage]) -> Result<(), lopdf::Error> {
    let pages: Vec<ObjectId> = document.page_iter().collect();
    for (index, shown) in photos.iter().enumerate() {
        let Some(page) = pages.get(shown.page).copied() else { continue };
        let name = format!("P{index}");
        let described = described(shown.photo.width, shown.photo.height, Some("DCTDecode"));
        let image = document.add_object(Stream::new(described, shown.photo.jpeg.to_vec()));
        document.add_xobject(page, name.as_bytes(), image)?;
        draw_first(document, page, drawn(&name, &shown.told, (shown.left, shown.bottom), shown.size))?;
    }
    Ok(())
}

/// Draws a picture whose lower left corner lies there.
fn drawn(name: &str, told: &str, (x, y): (f64, f64), (width, height): (f64, f64)) -> Vec<u8> {
    let told = hex::encode(utf16(told));
    format!("/Span<</Alt<{told}>>>BDC\nq {width:.2} 0 0 {height:.2} {x:.2} {y:.2} cm /{name} Do Q\nEMC\n").into_bytes()
}

/// In front of what the page has, whatever it leaves the place and the colours at.
fn draw_first(document: &mut Document, page: ObjectId, operators: Vec<u8>) -> Result<(), lopdf::Error> {
    let first = document.add_object(Stream::new(dictionary! {}, operators));
    let mut contents = vec![Object::Reference(first)];
    contents.extend(document.get_page_contents(page).into_iter().map(Object::Reference));
    document.get_object_mut(page)?.as_dict_mut()?.set("Contents", contents);
    Ok(())
}

fn image(mark: &Mark) -> Stream {
    Stream::new(described(mark.image.width, mark.image.height, None), mark.image.rgb.to_vec())
}

fn described(width: u32, height: u32, filter: Option<&str>) -> Dictionary {
    let mut described = dictionary! {
        "Type" => "XObject",
        "Subtype" => "Image",
        "Width" => i64::from(width),
        "Height" => i64::from(height),
        "ColorSpace" => "DeviceRGB",
        "BitsPerComponent" => 8,
    };
    if let Some(filter) = filter {
        described.set("Filter", filter);
    }
    described
}

/// UTF-16 with a byte order mark, which every reader takes for Unicode.
pub fn text(value: &str) -> Object {
    Object::String(utf16(value), StringFormat::Hexadecimal)
}

fn utf16(value: &str) -> Vec<u8> {
    let units = std::iter::once(0xFEFF).chain(value.encode_utf16());
    units.flat_map(u16::to_be_bytes).collect()
}

/// printpdf lists all fonts of the document in one dictionary that every page refers to.
fn drop_unused_fonts(document: &mut Document) {
    let dictionaries = document.objects.values_mut().filter_map(|object| object.as_dict_mut().ok());
    for fonts in dictionaries.filter(|dictionary| dictionary.has(b"F0")) {
        for name in UNUSED_FONTS {
            fonts.remove(name);
        }
    }
}

/// printpdf takes the height and the sum of all widths for the box of a font; it is the box of its largest glyph.
fn repair_font_boxes(document: &mut Document) {
    let dictionaries = document.objects.values_mut().filter_map(|object| object.as_dict_mut().ok());
    for descriptor in dictionaries.filter(|dictionary| dictionary.has(b"FontBBox")) {
        descriptor.set("FontBBox", FONT_BOX.map(Object::Integer).to_vec());
    }
}
