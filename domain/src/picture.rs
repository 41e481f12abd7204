//! Pictures as they travel: base64, with or without a `data:` address in front.

use base64::{Engine, prelude::BASE64_STANDARD};

use crate::refusal::Refusal;

/// The most bytes of a picture (B §9).
const MAX_BYTES: usize = 1_000_000;

/// Why it is no picture, or too big. The kind shows in the first character of the base64 data (B §3).
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
        Ok(bytes) if bytes.len() <= MAX_BYTES => None,
        Ok(_) => Some(Refusal::new(property, "Slika je veća od 1.000.000 bajtova.")),
        Err(_) => none,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passes(picture: &str) -> bool {
        refusal("logo", picture).is_none()
    }

    #[test]
    fn pictures_pass_and_everything_else_is_refused() {
        let png = BASE64_STANDARD.encode([0x89, b'P', b'N', b'G', 1, 2, 3]);
        assert!(passes(&png));
        assert!(passes(&format!("data:image/png;base64,{png}")));
        for other in ["tekst", "PHN2Zz4=", "data:text/html;base64,PGI+", "i not base64"] {
            assert!(!passes(other), "{other}");
        }
    }

    #[test]
    fn a_picture_of_a_million_bytes_is_the_biggest() {
        let mut bytes = vec![0x89; MAX_BYTES];
        assert!(passes(&BASE64_STANDARD.encode(&bytes)));
        bytes.push(0);
        assert!(!passes(&BASE64_STANDARD.encode(&bytes)));
    }
}
