//! The name and type under which a result is saved on the reader's disk.

use domain::fold::fold;

/// What a format's file is called and is.
pub struct FileKind {
    pub extension: &'static str,
    pub content_type: &'static str,
}

pub const PDF: FileKind = FileKind { extension: "pdf", content_type: "application/pdf" };
/// The archive of an export.
pub const ZIP: FileKind = FileKind { extension: "zip", content_type: "application/zip" };
const XLSX: FileKind = FileKind { extension: "xlsx", content_type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" };
const CSV: FileKind = FileKind { extension: "csv", content_type: "text/csv; charset=utf-8" };

/// `None`: a format that this server does not serve.
pub fn kind(format: &str) -> Option<FileKind> {
    match format {
        "PDF" => Some(PDF),
        "XLSX" => Some(XLSX),
        "CSV" => Some(CSV),
        _ => None,
    }
}

/// `attachment` with the name in ASCII for old clients and in UTF-8 (RFC 5987) for the others.
pub fn content_disposition(name: &str, extension: &str) -> String {
    let name = format!("{}.{extension}", without_separators(name));
    format!("attachment; filename=\"{}\"; filename*=UTF-8''{}", ascii(&name), percent_encoded(&name))
}

/// A name of one piece: what separates folders or ends a header has no place in it.
fn without_separators(name: &str) -> String {
    let clean: String =
        name.chars().map(|letter| if letter.is_control() || r#"/\:*?"<>|"#.contains(letter) { ' ' } else { letter }).collect();
    let name = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    let name: String = name.trim_matches('.').chars().take(200).collect();
    if name.trim().is_empty() { "izvestaj".to_owned() } else { name.trim().to_owned() }
}

/// Diacritics as plain letters, spaces as hyphens.
fn ascii(name: &str) -> String {
    let letters = fold(name);
    letters.chars().map(|letter| if letter.is_ascii_alphanumeric() || ".-_".contains(letter) { letter } else { '-' }).collect()
}

fn percent_encoded(name: &str) -> String {
    use std::fmt::Write;
    name.bytes().fold(String::new(), |mut encoded, byte| {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            write!(encoded, "%{byte:02X}").expect("a string takes what is written");
        }
        encoded
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_serbian_name_is_readable_in_both_forms() {
        assert_eq!(
            content_disposition("Pregled Đurić Ana 2026-11-20", "pdf"),
            "attachment; filename=\"pregled-djuric-ana-2026-11-20.pdf\"; \
             filename*=UTF-8''Pregled%20%C4%90uri%C4%87%20Ana%202026-11-20.pdf"
        );
    }

    #[test]
    fn a_name_cannot_leave_its_header_or_its_folder() {
        let header = content_disposition("../a\"; x=\r\nSet-Cookie: y\\z", "csv");
        let quoted: Vec<&str> = header.split('"').collect();
        assert_eq!(quoted.len(), 3, "one quoted name: {header}");
        assert!(!header.contains(['\r', '\n', '/', '\\']), "{header}");
    }

    #[test]
    fn a_name_of_nothing_usable_still_names_a_file() {
        assert!(content_disposition("///", "xlsx").contains("filename=\"izvestaj.xlsx\""));
    }
}
