//! Where a page of a list by time ends.

use jiff::Timestamp;

use crate::error::{Error, Result};

/// Where a page ends: the next one begins before this row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Continuation {
    pub moment: Timestamp,
    pub id: i64,
}

impl Continuation {
    pub fn parse(text: Option<&str>) -> Result<Option<Self>> {
        let Some(text) = text.filter(|text| !text.is_empty()) else { return Ok(None) };
        let read = text.split_once('_').and_then(|(moment, id)| Some(Self { moment: moment.parse().ok()?, id: id.parse().ok()? }));
        read.map(Some).ok_or_else(|| Error::invalid("pre", "Mesto nastavka spiska nije ispravno."))
    }
}

impl std::fmt::Display for Continuation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}_{}", self.moment, self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_the_list_is_read_as_it_was_written() {
        let place = Continuation { moment: "2026-11-23T19:00:00.123456Z".parse().unwrap(), id: 7 };
        assert_eq!(Continuation::parse(Some(&place.to_string())).unwrap(), Some(place));
        assert_eq!(Continuation::parse(Some("")).unwrap(), None);
        for wrong in ["7", "_7", "2026-11-23T19:00:00Z_", "juče_7"] {
            assert!(Continuation::parse(Some(wrong)).is_err(), "{wrong}");
        }
    }
}
