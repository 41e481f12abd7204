//! Files that are attached to entries: what kinds there are, how large and how many, and whether the bytes are what they say.

mod pdf;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{parameters, picture};

/// So many megabytes a file may have where the installation allows most.
pub const MOST_MEGABYTES: i32 = parameters::FILE_MEGABYTES.most();
/// Files of one field: where its type does not say, and the most that it may allow.
pub const DEFAULT_COUNT: i32 = 5;
pub const MOST_FILES: i32 = 20;
/// Of a name.
pub const LONGEST_NAME: usize = 200;

pub const BAD_COUNT: &str = "Broj fajlova može biti od 1 do 20.";
pub const BAD_SIZE: &str = "Veličina fajla može biti od 1 do 50 MB.";
pub const NO_KIND: &str = "Izaberite bar jednu vrstu fajla.";

/// What a file is by what is in it, whatever it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum FileKind {
    Pdf,
    Jpeg,
    Png,
    Txt,
}

impl FileKind {
    pub const ALL: [Self; 4] = [Self::Pdf, Self::Jpeg, Self::Png, Self::Txt];

    /// As it is stored.
    pub fn code(self) -> &'static str {
        match self {
            Self::Pdf => "pdf",
            Self::Jpeg => "jpeg",
            Self::Png => "png",
            Self::Txt => "txt",
        }
    }

    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }

    /// As people call it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Pdf => "PDF",
            Self::Jpeg => "JPEG slika",
            Self::Png => "PNG slika",
            Self::Txt => "običan tekst",
        }
    }

    pub fn content_type(self) -> &'static str {
        match self {
            Self::Pdf => "application/pdf",
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Txt => "text/plain; charset=utf-8",
        }
    }

    fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Pdf => &["pdf"],
            Self::Jpeg => &["jpg", "jpeg"],
            Self::Png => &["png"],
            Self::Txt => &["txt"],
        }
    }
}

/// What a field takes. None: whatever is known, so many as there are by default, as large as the installation allows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct FileLimits {
    pub vrste_fajlova: Option<Vec<FileKind>>,
    pub najvise_fajlova: Option<i32>,
    pub najvise_megabajta: Option<i32>,
}

impl FileLimits {
    pub fn kinds(&self) -> &[FileKind] {
        self.vrste_fajlova.as_deref().filter(|kinds| !kinds.is_empty()).unwrap_or(&FileKind::ALL)
    }

    pub fn count(&self) -> i32 {
        self.najvise_fajlova.unwrap_or(DEFAULT_COUNT)
    }

    /// In bytes, under the installation's ceiling in megabytes.
    pub fn bytes(&self, ceiling: i32) -> i64 {
        i64::from(self.najvise_megabajta.unwrap_or(ceiling).min(ceiling)) << 20
    }

    /// In words, from a version to another.
    pub fn told(&self) -> String {
        let kinds: Vec<&str> = self.kinds().iter().map(|kind| kind.label()).collect();
        let size = self.najvise_megabajta.map(|most| format!(", najviše {most} MB")).unwrap_or_default();
        format!("{}, najviše fajlova: {}{size}", kinds.join(", "), self.count())
    }
}

/// What the bytes are, or in words what they are instead. A picture is one when it can be decoded; a PDF when it ends as one, its end leads
/// to its table of objects, and nothing in it runs or carries other files.
pub fn judged(bytes: &[u8]) -> Result<FileKind, String> {
    if bytes.is_empty() {
        return Err("Fajl je prazan.".to_owned());
    }
    if bytes.starts_with(b"%PDF-") {
        return match is_pdf(bytes) {
            true => pdf::refusal(bytes).map_or(Ok(FileKind::Pdf), Err),
            false => Err("PDF je oštećen ili nije ceo.".to_owned()),
        };
    }
    let picture = match bytes {
        [0xff, 0xd8, 0xff, ..] => Some(FileKind::Jpeg),
        [0x89, b'P', b'N', b'G', ..] => Some(FileKind::Png),
        _ => None,
    };
    if let Some(kind) = picture {
        return if picture::is_picture(bytes) { Ok(kind) } else { Err("Slika je oštećena ili je prevelika da se prikaže.".to_owned()) };
    }
    match instead(bytes) {
        Some(what) => Err(format!("Fajl je {what}, a takvi se ne prilažu.")),
        None if is_text(bytes) => Ok(FileKind::Txt),
        None => Err("Vrsta fajla nije prepoznata. Prilažu se PDF, JPEG i PNG slike i običan tekst.".to_owned()),
    }
}

/// Whether the field takes such a file; why not, in words.
pub fn refusal(kind: FileKind, limits: &FileLimits) -> Option<String> {
    let taken = limits.kinds();
    let names: Vec<&str> = taken.iter().map(|kind| kind.label()).collect();
    (!taken.contains(&kind)).then(|| format!("Fajl je {}, a polje prima: {}.", kind.label(), names.join(", ")))
}

/// The name in one line, without folders, and with the ending of what the file is.
pub fn name(given: &str, kind: FileKind) -> String {
    let last = given.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain = crate::text::in_one_line(last);
    let plain = plain.trim_matches(['.', ' ']);
    let (stem, ending) = plain.rsplit_once('.').unwrap_or((plain, ""));
    let fits = kind.extensions().contains(&ending.to_lowercase().as_str());
    let (stem, ending) = if fits { (stem, ending) } else { (plain, kind.extensions()[0]) };
    let stem: String = stem.chars().take(LONGEST_NAME - 1 - ending.chars().count()).collect();
    let stem = if stem.trim().is_empty() { "fajl" } else { stem.trim() };
    format!("{stem}.{ending}")
}

fn is_pdf(bytes: &[u8]) -> bool {
    let tail = &bytes[bytes.len().saturating_sub(2048)..];
    let find = |haystack: &[u8], needle: &[u8]| haystack.windows(needle.len()).rposition(|window| window == needle);
    let (Some(end), Some(start)) = (find(tail, b"%%EOF"), find(tail, b"startxref")) else { return false };
    let between = tail.get(start + b"startxref".len()..end).unwrap_or_default();
    let offset = std::str::from_utf8(between).ok().and_then(|text| text.trim().parse::<usize>().ok());
    let Some(table) = offset.and_then(|offset| bytes.get(offset..)) else { return false };
    let table = table.trim_ascii_start();
    // A table of its own, or an object that holds it.
    table.starts_with(b"xref")
        || table.iter().take_while(|byte| byte.is_ascii_digit()).count() > 0 && find(&table[..table.len().min(64)], b"obj").is_some()
}

/// What is known and never taken.
fn instead(bytes: &[u8]) -> Option<&'static str> {
    let start = bytes.trim_ascii_start();
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
    let begins = |word: &[u8]| start.get(..word.len()).is_some_and(|first| first.eq_ignore_ascii_case(word));
    match bytes {
        [b'M', b'Z', ..] | [0x7f, b'E', b'L', b'F', ..] | [0xfe, 0xed, 0xfa, ..] | [0xcf | 0xce, 0xfa, 0xed, 0xfe, ..] => Some("program"),
        [b'P', b'K', 3 | 5, 4 | 6, ..] => Some("arhiva ili dokument programa Office"),
        [0xd0, 0xcf, 0x11, 0xe0, ..] => Some("dokument programa Office"),
        [b'G', b'I', b'F', b'8', ..] => Some("GIF slika"),
        [b'R', b'I', b'F', b'F', ..] => Some("WebP slika, zvuk ili snimak"),
        [b'#', b'!', ..] => Some("program"),
        _ if begins(b"<svg") => Some("SVG slika"),
        _ if begins(b"<") => Some("veb-strana, SVG slika ili XML"),
        _ => None,
    }
}

/// Letters and what arranges them.
fn is_text(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| !text.chars().any(|letter| letter.is_control() && !matches!(letter, '\n' | '\r' | '\t')))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::{DynamicImage, ImageFormat};

    use super::*;

    fn picture(format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        DynamicImage::new_rgb8(3, 2).write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    fn pdf() -> Vec<u8> {
        let body = b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\n".to_vec();
        let end = format!("xref\n0 1\ntrailer\n<<>>\nstartxref\n{}\n%%EOF\n", body.len());
        [body, end.into_bytes()].concat()
    }

    #[test]
    fn a_file_is_what_is_in_it() {
        assert_eq!(judged(&picture(ImageFormat::Png)), Ok(FileKind::Png));
        assert_eq!(judged(&picture(ImageFormat::Jpeg)), Ok(FileKind::Jpeg));
        assert_eq!(judged(&pdf()), Ok(FileKind::Pdf));
        assert_eq!(judged("Nalaz: uredan.\r\nŠtitna žlezda\t1,2".as_bytes()), Ok(FileKind::Txt));
    }

    #[test]
    fn what_only_begins_as_one_is_none() {
        let png = picture(ImageFormat::Png);
        for bytes in [&png[..png.len() / 2], b"\xff\xd8\xff\xe0 nije slika", b"%PDF-1.4 nije", b"%PDF-1.4\nstartxref\n99999\n%%EOF", b""] {
            assert!(judged(bytes).is_err(), "{bytes:?}");
        }
        let full = pdf();
        assert!(judged(&full[..full.len() - 20]).is_err(), "cut off");
    }

    #[test]
    fn a_program_a_page_and_a_drawing_are_told_by_what_they_are() {
        for (bytes, what) in [
            (&b"MZ\x90\0"[..], "program"),
            (b"\x7fELF\x02", "program"),
            (b"#!/bin/sh\nrm", "program"),
            (b"\xef\xbb\xbf <!DOCTYPE html><script>", "veb-strana"),
            (b"<HTML>", "veb-strana"),
            (b"<SVG xmlns=''>", "SVG"),
            (b"PK\x03\x04", "arhiva"),
            (b"GIF89a", "GIF"),
        ] {
            assert!(judged(bytes).unwrap_err().contains(what), "{bytes:?}");
        }
        assert!(judged(b"tekst\0").unwrap_err().contains("nije prepoznata"));
    }

    #[test]
    fn a_name_has_no_folders_and_the_ending_of_its_kind() {
        assert_eq!(name(r"C:\nalazi\snimak.JPG", FileKind::Jpeg), "snimak.JPG");
        assert_eq!(name("../../nalaz.exe", FileKind::Pdf), "nalaz.exe.pdf");
        assert_eq!(name("\u{202e}fdp.nalaz", FileKind::Txt), "fdp.nalaz.txt");
        assert_eq!(name("  ", FileKind::Png), "fajl.png");
        assert_eq!(name(&"š".repeat(500), FileKind::Pdf).chars().count(), LONGEST_NAME);
    }

    #[test]
    fn a_type_takes_its_kinds_under_the_ceiling_of_the_installation() {
        let limits = FileLimits { vrste_fajlova: Some(vec![FileKind::Pdf]), najvise_megabajta: Some(20), ..FileLimits::default() };
        assert_eq!((refusal(FileKind::Pdf, &limits), limits.bytes(10), limits.count()), (None, 10 << 20, 5));
        assert_eq!(refusal(FileKind::Png, &limits).unwrap(), "Fajl je PNG slika, a polje prima: PDF.");
        assert_eq!(FileLimits::default().bytes(3), 3 << 20);
    }
}
