//! What makes the file archivable (PDF/A-2b) and well described: XMP, information dictionary, sRGB output intent.
use std::io;

use pdf_writer::types::OutputIntentSubtype;
use pdf_writer::{Chunk, Date, Filter, Name, Ref, TextStr};
use sha2::{Digest, Sha256};

use super::objects::Objects;
use crate::plan::Heading;
use crate::render::look::{LANGUAGE, PRODUCER};

/// Writes the catalog with all metadata; returns it and the information dictionary.
pub fn write_catalog(objects: &mut Objects, heading: &Heading, pages: Ref, structure: Ref) -> io::Result<(Ref, Ref)> {
    let [catalog, info, xmp, profile] = std::array::from_fn(|_| objects.reserve());
    let packet = xmp_packet(heading);
    // Archives read the packet without decoding the file: it stays uncompressed.
    objects.write(xmp, |chunk| {
        chunk.metadata(xmp, packet.as_bytes());
    })?;
    let data = objects.deflate(&srgb_profile())?;
    objects.write(profile, |chunk| {
        chunk.icc_profile(profile, &data).n(3).filter(Filter::FlateDecode);
    })?;
    objects.recycle(data);
    objects.write(info, |chunk| write_info(chunk, info, heading))?;
    objects.write(catalog, |chunk| {
        let mut root = chunk.indirect(catalog).start::<pdf_writer::writers::Catalog>();
        root.pages(pages).metadata(xmp).lang(TextStr(LANGUAGE)).pair(Name(b"StructTreeRoot"), structure);
        root.mark_info().marked(true);
        root.viewer_preferences().display_doc_title(true);
        let mut intents = root.output_intents();
        let mut intent = intents.push();
        intent.subtype(OutputIntentSubtype::PDFA).dest_output_profile(profile);
        intent.output_condition_identifier(TextStr("sRGB")).info(TextStr("sRGB IEC61966-2.1"));
    })?;
    Ok((catalog, info))
}

/// The file identifier: the same report at the same moment has the same one.
pub fn identity(heading: &Heading) -> Vec<u8> {
    let mut hash = Sha256::new();
    hash.update(heading.naslov.as_bytes());
    hash.update(heading.radnik_ime_prezime.as_bytes());
    hash.update(heading.generisano.to_string().as_bytes());
    for (naziv, vrednost) in &heading.parametri {
        hash.update(naziv.as_bytes());
        hash.update(vrednost.as_bytes());
    }
    hash.finalize()[..16].to_vec()
}

fn write_info(chunk: &mut Chunk, id: Ref, heading: &Heading) {
    let moment = heading.generisano;
    let created = Date::new(moment.year() as u16)
        .month(moment.month() as u8)
        .day(moment.day() as u8)
        .hour(moment.hour() as u8)
        .minute(moment.minute() as u8)
        .second(moment.second() as u8);
    let mut info = chunk.indirect(id).start::<pdf_writer::writers::DocumentInfo>();
    info.title(TextStr(&heading.naslov)).author(TextStr(&heading.radnik_ime_prezime));
    info.producer(TextStr(PRODUCER)).creation_date(created);
}

fn xmp_packet(heading: &Heading) -> String {
    let title = escape(&heading.naslov);
    let author = escape(&heading.radnik_ime_prezime);
    let created = heading.generisano.strftime("%Y-%m-%dT%H:%M:%S");
    format!(
        "<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n\
<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n\
<rdf:Description rdf:about=\"\" xmlns:pdfaid=\"http://www.aiim.org/pdfa/ns/id/\" \
xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" \
xmlns:pdf=\"http://ns.adobe.com/pdf/1.3/\">\n\
<pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>\n\
<dc:format>application/pdf</dc:format>\n\
<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">{title}</rdf:li></rdf:Alt></dc:title>\n\
<dc:creator><rdf:Seq><rdf:li>{author}</rdf:li></rdf:Seq></dc:creator>\n\
<dc:language><rdf:Bag><rdf:li>{LANGUAGE}</rdf:li></rdf:Bag></dc:language>\n\
<xmp:CreateDate>{created}</xmp:CreateDate><pdf:Producer>{PRODUCER}</pdf:Producer>\n\
</rdf:Description></rdf:RDF></x:xmpmeta>\n<?xpacket end=\"r\"?>"
    )
}

fn escape(text: &str) -> String {
    let cleaned = crate::render::clean::one_line(text);
    cleaned.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A minimal ICC version 2 display profile of the sRGB colour space, built from the standard's own numbers.
fn srgb_profile() -> Vec<u8> {
    let description = description_tag("sRGB");
    let copyright = text_tag("CC0");
    let curve = curve_tag();
    let tags: [(&[u8; 4], Vec<u8>); 7] = [
        (b"desc", description),
        (b"cprt", copyright),
        (b"wtpt", xyz_tag([0.9642, 1.0, 0.8249])),
        (b"rXYZ", xyz_tag([0.4361, 0.2225, 0.0139])),
        (b"gXYZ", xyz_tag([0.3851, 0.7169, 0.0971])),
        (b"bXYZ", xyz_tag([0.1431, 0.0606, 0.7141])),
        (b"rTRC", curve),
    ];
    // The three curves are one and the same piece of data.
    let shared: [&[u8; 4]; 2] = [b"gTRC", b"bTRC"];
    let count = tags.len() + shared.len();
    let mut offset = 128 + 4 + 12 * count;
    let mut table = (count as u32).to_be_bytes().to_vec();
    let mut body = Vec::new();
    for (name, data) in &tags {
        push_tag_entry(&mut table, name, offset, data.len());
        if *name == b"rTRC" {
            for name in shared {
                push_tag_entry(&mut table, name, offset, data.len());
            }
        }
        body.extend_from_slice(data);
        body.resize(body.len().next_multiple_of(4), 0);
        offset = 128 + 4 + 12 * count + body.len();
    }
    let mut profile = profile_header(128 + table.len() + body.len());
    profile.extend(table);
    profile.extend(body);
    profile
}

fn profile_header(size: usize) -> Vec<u8> {
    let mut header = vec![0u8; 128];
    header[0..4].copy_from_slice(&(size as u32).to_be_bytes());
    header[8..12].copy_from_slice(&[2, 0x10, 0, 0]);
    header[12..24].copy_from_slice(b"mntrRGB XYZ ");
    // Created on the first of January 2020.
    for (place, number) in [2020u16, 1, 1].into_iter().enumerate() {
        header[24 + 2 * place..26 + 2 * place].copy_from_slice(&number.to_be_bytes());
    }
    header[36..40].copy_from_slice(b"acsp");
    let illuminant = xyz_tag([0.9642, 1.0, 0.8249]);
    header[68..80].copy_from_slice(&illuminant[8..20]);
    header
}

fn push_tag_entry(table: &mut Vec<u8>, name: &[u8; 4], offset: usize, length: usize) {
    table.extend_from_slice(name);
    table.extend_from_slice(&(offset as u32).to_be_bytes());
    table.extend_from_slice(&(length as u32).to_be_bytes());
}

fn xyz_tag(values: [f64; 3]) -> Vec<u8> {
    let mut tag = b"XYZ \0\0\0\0".to_vec();
    for value in values {
        tag.extend_from_slice(&((value * 65536.0).round() as i32).to_be_bytes());
    }
    tag
}

fn text_tag(text: &str) -> Vec<u8> {
    let mut tag = b"text\0\0\0\0".to_vec();
    tag.extend_from_slice(text.as_bytes());
    tag.push(0);
    tag
}

fn description_tag(text: &str) -> Vec<u8> {
    let mut tag = b"desc\0\0\0\0".to_vec();
    tag.extend_from_slice(&(text.len() as u32 + 1).to_be_bytes());
    tag.extend_from_slice(text.as_bytes());
    tag.push(0);
    // No Unicode and no Macintosh description.
    tag.extend_from_slice(&[0; 78]);
    tag
}

/// The sRGB transfer curve, sampled.
fn curve_tag() -> Vec<u8> {
    const SAMPLES: u32 = 256;
    let mut tag = b"curv\0\0\0\0".to_vec();
    tag.extend_from_slice(&SAMPLES.to_be_bytes());
    for sample in 0..SAMPLES {
        let encoded = f64::from(sample) / f64::from(SAMPLES - 1);
        let linear = if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) };
        tag.extend_from_slice(&((linear * 65535.0).round() as u16).to_be_bytes());
    }
    tag
}
