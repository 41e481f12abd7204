//! Whether a PDF is paper only: what runs, starts a program or carries other files is told by the names of its objects, which are looked
//! for in the file and in what is packed in it (docs/decisions/0074-a-pdf-that-is-more-than-paper-is-refused.md).

use std::io::Read;

use flate2::read::ZlibDecoder;

/// Names that a PDF has only where it is more than paper, and what it then is.
const MORE: [(&[u8], &str); 8] = [
    (b"JavaScript", CODE),
    (b"Rendition", CODE),
    (b"XFA", CODE),
    (b"Launch", "PDF pokreće program"),
    (b"EmbeddedFile", FILES),
    (b"EmbeddedFiles", FILES),
    (b"RichMedia", FILES),
    (b"ImportData", "PDF uvozi podatke iz drugog fajla"),
];
const CODE: &str = "PDF sadrži program (JavaScript)";
const FILES: &str = "PDF nosi druge fajlove u sebi";

/// What streams of objects unpack to, together; no more is looked through.
const MOST_OBJECTS: u64 = 64 << 20;
/// Of any other stream so much is looked through: they hold pictures and texts, and may be very long.
const BEGINNING: u64 = 1 << 20;
/// How far before its bytes the description of a stream is looked for.
const DESCRIPTION: usize = 8 << 10;

/// Why the PDF is not taken.
pub fn refusal(bytes: &[u8]) -> Option<String> {
    let advice = "Odštampajte ga kao običan PDF, pa priložite taj.";
    if let Some(what) = more_than_paper(bytes) {
        return Some(format!("{what}, a takvi se ne prilažu. {advice}"));
    }
    match packed(bytes) {
        Ok(None) => None,
        Ok(Some(what)) => Some(format!("{what}, a takvi se ne prilažu. {advice}")),
        Err(Unreadable) => Some(format!("PDF je zaključan ili spakovan tako da se ne može proveriti. {advice}")),
    }
}

/// Objects are packed in a way that is not read here.
struct Unreadable;

/// What the objects in its streams say.
fn packed(bytes: &[u8]) -> Result<Option<&'static str>, Unreadable> {
    const START: &[u8] = b"stream";
    let mut left = MOST_OBJECTS;
    let mut place = 0;
    while let Some(found) = bytes[place..].windows(START.len()).position(|window| window == START) {
        let at = place + found;
        place = at + START.len();
        if at.checked_sub(3).is_some_and(|before| &bytes[before..at] == b"end") {
            continue;
        }
        let content = match &bytes[place..] {
            [b'\r', b'\n', rest @ ..] | [b'\n' | b'\r', rest @ ..] => rest,
            _ => continue,
        };
        let said = &bytes[at.saturating_sub(DESCRIPTION)..at];
        // Its own description only.
        let said = said.windows(4).rposition(|window| window == b" obj").map_or(said, |begin| &said[begin..]);
        let holds_objects = names(said).any(|name| name == b"ObjStm");
        let mut unpacked = Vec::new();
        let most = if holds_objects { left } else { BEGINNING };
        let read = ZlibDecoder::new(content).take(most).read_to_end(&mut unpacked);
        if holds_objects {
            left -= unpacked.len() as u64;
            if read.is_err() || left == 0 {
                return Err(Unreadable);
            }
        }
        if let Some(what) = more_than_paper(&unpacked) {
            return Ok(Some(what));
        }
    }
    Ok(None)
}

fn more_than_paper(bytes: &[u8]) -> Option<&'static str> {
    names(bytes).find_map(|name| MORE.iter().find(|(known, _)| *known == name).map(|(_, what)| *what))
}

/// Every name that stands there, with its escapes read.
fn names(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    const LONGEST: usize = 64;
    let begins = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(place, _)| place + 1);
    begins.map(move |begin| {
        let mut name = Vec::new();
        let mut rest = &bytes[begin..];
        while let [first, after @ ..] = rest {
            if name.len() == LONGEST || first.is_ascii_whitespace() || *first == 0 || b"()<>[]{}/%".contains(first) {
                break;
            }
            let escaped = match rest {
                [b'#', high, low, ..] => std::str::from_utf8(&[*high, *low]).ok().and_then(|digits| u8::from_str_radix(digits, 16).ok()),
                _ => None,
            };
            name.push(escaped.unwrap_or(*first));
            rest = if escaped.is_some() { &rest[3..] } else { after };
        }
        name
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, write::ZlibEncoder};

    use super::*;

    fn stream(description: &str, content: &[u8]) -> Vec<u8> {
        [format!("7 0 obj\n<< {description} >>\nstream\n").as_bytes(), content, b"\nendstream\nendobj\n"].concat()
    }

    fn deflated(content: &[u8]) -> Vec<u8> {
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
        packed.write_all(content).unwrap();
        packed.finish().unwrap()
    }

    #[test]
    fn what_runs_starts_or_carries_is_refused_in_words() {
        for (said, word) in [
            ("<< /S /JavaScript /JS (app.alert(1)) >>", "JavaScript"),
            ("<< /S/#4aavaScr#69pt/JS 5 0 R >>", "JavaScript"),
            ("<< /AcroForm << /XFA 8 0 R >> >>", "JavaScript"),
            ("<< /S /Launch /F (cmd.exe) >>", "pokreće program"),
            ("<< /Names << /EmbeddedFiles 9 0 R >> >>", "druge fajlove"),
            ("<< /Type/EmbeddedFile>>", "druge fajlove"),
        ] {
            assert!(refusal(said.as_bytes()).unwrap().contains(word), "{said}");
            let packed = stream("/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode", &deflated(format!("1 0 {said}").as_bytes()));
            assert!(refusal(&packed).unwrap().contains(word), "packed: {said}");
            let unnamed = stream("/Filter /FlateDecode", &deflated(said.as_bytes()));
            assert!(refusal(&unnamed).unwrap().contains(word), "packed without saying so: {said}");
        }
    }

    #[test]
    fn paper_is_taken_with_its_links_pages_and_forms() {
        let page = "<< /Type /Page /Annots [<< /S /URI /URI (https://primer.rs/nalaz) >>] /Launcher 1 /AcroForm << /Fields [] >> >>";
        let objects = stream("/Type /ObjStm /Filter /FlateDecode", &deflated(page.as_bytes()));
        let picture = stream("/Subtype /Image /Filter /DCTDecode", &[0xff, 0xd8, 0xff, 0, 1, 2]);
        let text = stream("/Filter /FlateDecode", &deflated(b"BT /F1 12 Tf (Nalaz) Tj ET"));
        for whole in [page.as_bytes(), &objects, &picture, &text] {
            assert_eq!(refusal(whole), None);
        }
    }

    #[test]
    fn objects_that_cannot_be_read_are_refused() {
        let locked = stream("/Type /ObjStm /Filter /FlateDecode", b"\x13\x37 nothing that unpacks");
        assert!(refusal(&locked).unwrap().contains("ne može proveriti"));
        let bomb = stream("/Type /ObjStm /Filter /FlateDecode", &deflated(&vec![b' '; 65 << 20]));
        assert!(refusal(&bomb).unwrap().contains("ne može proveriti"));
    }
}
