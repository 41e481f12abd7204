//! The fonts as PDF objects: each page of a face is a subset with widths, a code map and a way back to Unicode.
use std::io;

use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Filter, Name, Rect, Ref, Str};

use super::font::{Face, FontPage, Fonts};
use super::objects::Objects;

const IDENTITY: SystemInfo = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };
const UCS: SystemInfo = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"UCS"), supplement: 0 };
const CODE_MAP_NAME: &[u8] = b"OneByteIdentityH";
/// One byte of text is one glyph of the subset.
const CODE_MAP: &[u8] = b"%!PS-Adobe-3.0 Resource-CMap\n\
/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n\
/CIDSystemInfo 3 dict dup begin /Registry (Adobe) def /Ordering (Identity) def /Supplement 0 def end def\n\
/CMapName /OneByteIdentityH def\n/CMapType 1 def\n/WMode 0 def\n\
1 begincodespacerange\n<00> <FF>\nendcodespacerange\n1 begincidrange\n<00> <FF> 0\nendcidrange\n\
endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n";

/// Writes every font that was used; returns the resource names with their objects.
pub fn embed(objects: &mut Objects, fonts: &Fonts) -> io::Result<Vec<(String, Ref)>> {
    let code_map = objects.reserve();
    objects.write(code_map, |chunk| {
        chunk.cmap(code_map, CODE_MAP).name(Name(CODE_MAP_NAME)).system_info(IDENTITY);
    })?;
    let mut names = Vec::new();
    for (weight, face) in fonts.faces() {
        for (index, page) in face.pages.iter().enumerate() {
            let name = format!("{}{index}", char::from(weight.letter()));
            let number = names.len();
            names.push((name, embed_page(objects, face, page, number, code_map)?));
        }
    }
    Ok(names)
}

fn embed_page(objects: &mut Objects, face: &Face, page: &FontPage, number: usize, code_map: Ref) -> io::Result<Ref> {
    let [font, descendant, descriptor, file, to_unicode] = std::array::from_fn(|_| objects.reserve());
    let base = format!("{}+{}", subset_tag(number), face.name);
    let base = Name(base.as_bytes());

    let subset = subsetter::subset(face.data, 0, &page.glyphs).map_err(io::Error::other)?;
    let data = objects.deflate(&subset)?;
    objects.write(file, |chunk| {
        let mut stream = chunk.stream(file, &data);
        stream.filter(Filter::FlateDecode);
        stream.pair(Name(b"Length1"), subset.len() as i32);
    })?;
    objects.recycle(data);

    let mut map = UnicodeCmap::<u8>::new(Name(b"Regix-Unicode"), UCS);
    for (code, (character, _)) in page.codes.iter().enumerate().filter(|(_, (character, _))| *character != '\0') {
        map.pair(code as u8, *character);
    }
    let data = objects.deflate(map.finish().as_slice())?;
    objects.write(to_unicode, |chunk| {
        chunk.cmap(to_unicode, &data).filter(Filter::FlateDecode);
    })?;
    objects.recycle(data);

    objects.write(descriptor, |chunk| write_descriptor(chunk, descriptor, base, face, file))?;
    objects.write(descendant, |chunk| {
        let mut cid = chunk.cid_font(descendant);
        cid.subtype(CidFontType::Type2).base_font(base).system_info(IDENTITY).font_descriptor(descriptor);
        cid.default_width(0.0).cid_to_gid_map_predefined(Name(b"Identity"));
        let widths = page.codes.iter().map(|(_, width)| f32::from(*width));
        cid.widths().consecutive(0, widths);
    })?;
    objects.write(font, |chunk| {
        let mut type0 = chunk.type0_font(font);
        type0.base_font(base).encoding_cmap(code_map).descendant_font(descendant).to_unicode(to_unicode);
    })?;
    Ok(font)
}

fn write_descriptor(chunk: &mut pdf_writer::Chunk, id: Ref, base: Name, face: &Face, file: Ref) {
    let parsed = &face.parsed;
    let scale = 1000.0 / f32::from(parsed.units_per_em());
    let scaled = |units: i16| f32::from(units) * scale;
    let bounds = parsed.global_bounding_box();
    let bounds = Rect::new(scaled(bounds.x_min), scaled(bounds.y_min), scaled(bounds.x_max), scaled(bounds.y_max));
    let mut descriptor = chunk.font_descriptor(id);
    descriptor.name(base).flags(FontFlags::SYMBOLIC).bbox(bounds).italic_angle(0.0);
    descriptor.ascent(scaled(parsed.ascender())).descent(scaled(parsed.descender()));
    descriptor.cap_height(scaled(parsed.capital_height().unwrap_or(0)));
    descriptor.stem_v(if parsed.is_bold() { 140.0 } else { 80.0 }).font_file2(file);
}

/// Six capital letters, different for every subset of the file.
fn subset_tag(number: usize) -> String {
    let letters = (0..6).map(|place| char::from(b'A' + (number / 26usize.pow(5 - place) % 26) as u8));
    letters.collect()
}
