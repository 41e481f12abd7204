//! What genpdf leaves undone: title and language as readers expect them, unused faces out, streams compressed, the pictures on top.
use lopdf::{Document, Object, ObjectId, Stream, StringFormat, dictionary};

use super::frame::Frame;
use crate::plan::Mark;
use crate::render::look::{LANGUAGE, MARK_HEIGHT, MARK_WIDTH, PRODUCER};

/// The slanted faces of the family, which no text uses; printpdf names fonts in the order of their loading.
const UNUSED_FONTS: [&[u8]; 2] = [b"F2", b"F3"];

/// The box around every glyph of the cut typeface, in thousandths of the text size.
const FONT_BOX: [i64; 4] = [-1069, -463, 1975, 1232];

/// Between two pictures, in points.
const MARK_GAP: f64 = 9.0;

/// `corner` is the upper left one of the first page's text, in points from its lower edge.
pub fn finish(bytes: &[u8], frame: &Frame, corner: (f64, f64)) -> Result<Vec<u8>, lopdf::Error> {
    let mut document = Document::load_mem(bytes)?;
    document.version = "1.7".to_owned();
    describe(&mut document, frame)?;
    drop_unused_fonts(&mut document);
    repair_font_boxes(&mut document);
    put_marks(&mut document, &frame.marks, corner)?;
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
        let told = hex::encode(utf16(&mark.told));
        let y = top - height;
        let draw = format!("/Span<</Alt<{told}>>>BDC\nq {width:.2} 0 0 {height:.2} {x:.2} {y:.2} cm /{name} Do Q\nEMC\n");
        operators.extend_from_slice(draw.as_bytes());
        x += width + MARK_GAP;
    }
    operators.extend_from_slice(b"Q\n");
    draw_first(document, page, operators)
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
    let described = dictionary! {
        "Type" => "XObject",
        "Subtype" => "Image",
        "Width" => i64::from(mark.image.width),
        "Height" => i64::from(mark.image.height),
        "ColorSpace" => "DeviceRGB",
        "BitsPerComponent" => 8,
    };
    Stream::new(described, mark.image.rgb.to_vec())
}

/// UTF-16 with a byte order mark, which every reader takes for Unicode.
fn text(value: &str) -> Object {
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
