//! What genpdf leaves undone: title and language as readers expect them, unused faces out, streams compressed.
use lopdf::{Document, Object, StringFormat, dictionary};

use super::frame::Frame;
use crate::render::look::{LANGUAGE, PRODUCER};

/// The slanted faces of the family, which no text uses; printpdf names fonts in the order of their loading.
const UNUSED_FONTS: [&[u8]; 2] = [b"F2", b"F3"];

/// The box around every glyph of the cut typeface, in thousandths of the text size.
const FONT_BOX: [i64; 4] = [-1069, -463, 1975, 1232];

pub fn finish(bytes: &[u8], frame: &Frame) -> Result<Vec<u8>, lopdf::Error> {
    let mut document = Document::load_mem(bytes)?;
    document.version = "1.7".to_owned();
    describe(&mut document, frame)?;
    drop_unused_fonts(&mut document);
    repair_font_boxes(&mut document);
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

/// UTF-16 with a byte order mark, which every reader takes for Unicode.
fn text(value: &str) -> Object {
    let units = std::iter::once(0xFEFF).chain(value.encode_utf16());
    Object::String(units.flat_map(u16::to_be_bytes).collect(), StringFormat::Hexadecimal)
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
