//! Pictures as they travel: base64, with or without a `data:` address in front.

use base64::{Engine, prelude::BASE64_STANDARD};

use crate::error::{Error, Result};

/// The most bytes of a picture (B §9).
const MAX_BYTES: usize = 1_000_000;

/// Refuses what is no picture, and what is too big. The kind shows in the first character of the base64 data (B §3).
pub fn validate(field: &'static str, picture: Option<&str>) -> Result<()> {
    let Some(picture) = picture else { return Ok(()) };
    let data = match picture.split_once(";base64,") {
        Some((kind, data)) if kind.starts_with("data:image/") => data,
        Some(_) => return Err(not_a_picture(field)),
        None => picture,
    };
    if !data.starts_with(['/', 'i', 'R', 'U']) {
        return Err(not_a_picture(field));
    }
    match BASE64_STANDARD.decode(data) {
        Ok(bytes) if bytes.len() <= MAX_BYTES => Ok(()),
        Ok(_) => Err(Error::invalid(field, "Slika je veća od 1.000.000 bajtova.")),
        Err(_) => Err(not_a_picture(field)),
    }
}

fn not_a_picture(field: &'static str) -> Error {
    Error::invalid(field, "Dozvoljene su samo slike.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_pass_and_everything_else_is_refused() {
        let png = BASE64_STANDARD.encode([0x89, b'P', b'N', b'G', 1, 2, 3]);
        assert!(validate("logo", None).is_ok());
        assert!(validate("logo", Some(&png)).is_ok());
        assert!(validate("logo", Some(&format!("data:image/png;base64,{png}"))).is_ok());
        for other in ["tekst", "PHN2Zz4=", "data:text/html;base64,PGI+", "i not base64"] {
            assert!(validate("logo", Some(other)).is_err(), "{other}");
        }
    }

    #[test]
    fn a_picture_of_a_million_bytes_is_the_biggest() {
        let mut bytes = vec![0x89; MAX_BYTES];
        assert!(validate("logo", Some(&BASE64_STANDARD.encode(&bytes))).is_ok());
        bytes.push(0);
        assert!(validate("logo", Some(&BASE64_STANDARD.encode(&bytes))).is_err());
    }
}
