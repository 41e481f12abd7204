//! What a field is to those who take data out without identity: its designer says so, and of a number whose name looks like one it is
//! taken to be one until she says otherwise.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::ValueType;
use crate::fold::fold;

/// Said of a field by its designer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "lowercase")]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum ExportMark {
    /// Tells who somebody is.
    Identitet,
    /// Years of age.
    Uzrast,
    /// A date, or a part of one.
    Datum,
    /// None of these, whatever its name.
    Nista,
}

/// What becomes of a field's values without identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum UnnamedOutput {
    Izlazi,
    /// Of the oldest it says that they are 90 and over.
    OgranicavaSe,
    IzostavljaSe,
}

const IDENTITY: [&str; 14] = [
    "ime",
    "prezime",
    "jmbg",
    "lbo",
    "telefon",
    "mobilni",
    "adresa",
    "ulica",
    "email",
    "mejl",
    "karton",
    "kartona",
    "pasos",
    "osiguranika",
];
const AGE: [&str; 4] = ["starost", "uzrast", "godine", "age"];
/// Where a name begins with it, or it stands alone.
const DATE: [&str; 6] = ["datum", "godina", "godiste", "mesec", "dan", "date"];

impl ExportMark {
    /// What the name of an unmarked field looks like: only numbers are asked, since texts never leave and dates are moved.
    pub fn guess(kind: ValueType, naziv: &str, sifra: Option<&str>) -> Option<Self> {
        if kind != ValueType::Number {
            return None;
        }
        let said = [words(naziv), words(sifra.unwrap_or_default())];
        let any = |known: &[&str]| said.iter().flatten().any(|word| known.contains(&word.as_str()));
        let first = |known: &[&str]| said.iter().filter_map(|words| words.first()).any(|word| known.contains(&word.as_str()));
        if any(&IDENTITY) {
            Some(Self::Identitet)
        } else if any(&AGE[..2]) || first(&AGE) {
            Some(Self::Uzrast)
        } else {
            first(&DATE).then_some(Self::Datum)
        }
    }

    /// What becomes of the field, and whether only its name says so.
    pub fn of(kind: ValueType, mark: Option<Self>, naziv: &str, sifra: Option<&str>) -> (UnnamedOutput, bool) {
        let guessed = mark.is_none().then(|| Self::guess(kind, naziv, sifra)).flatten();
        let unnamed = match (mark.or(guessed), kind) {
            (Some(Self::Identitet), _) | (_, ValueType::Text) => UnnamedOutput::IzostavljaSe,
            // A date itself is moved, as every date of the patient.
            (Some(Self::Datum), ValueType::Date | ValueType::Moment) => UnnamedOutput::Izlazi,
            (Some(Self::Datum), _) => UnnamedOutput::IzostavljaSe,
            (Some(Self::Uzrast), ValueType::Number) => UnnamedOutput::OgranicavaSe,
            _ => UnnamedOutput::Izlazi,
        };
        (unnamed, guessed.is_some())
    }
}

/// The words of a name, in small plain letters: `godinaRodjenja` has two.
fn words(name: &str) -> Vec<String> {
    let mut parted = String::with_capacity(name.len() + 4);
    let mut small = false;
    for letter in name.chars() {
        if letter.is_uppercase() && small {
            parted.push(' ');
        }
        small = letter.is_lowercase();
        parted.push(if letter.is_alphanumeric() { letter } else { ' ' });
    }
    fold(&parted).split_whitespace().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_taken_for_what_its_name_says_until_somebody_says_otherwise() {
        let guess = |naziv: &str| ExportMark::guess(ValueType::Number, naziv, None);
        for naziv in ["Starost", "Uzrast deteta", "Godine života", "starostNaPrijemu"] {
            assert_eq!(guess(naziv), Some(ExportMark::Uzrast), "{naziv}");
        }
        for naziv in ["Godina dijagnoze", "godinaRodjenja", "Mesec početka", "Dan pregleda"] {
            assert_eq!(guess(naziv), Some(ExportMark::Datum), "{naziv}");
        }
        for naziv in ["JMBG majke", "Telefon", "Broj kartona"] {
            assert_eq!(guess(naziv), Some(ExportMark::Identitet), "{naziv}");
        }
        for naziv in ["Broj godina pušenja", "Vreme", "Imunoglobulin", "Danazol", "SE"] {
            assert_eq!(guess(naziv), None, "{naziv}");
        }
        assert_eq!(ExportMark::guess(ValueType::Number, "A", Some("godina_upisa")), Some(ExportMark::Datum));
        assert_eq!(ExportMark::guess(ValueType::Set, "Starost", None), None);
    }

    #[test]
    fn a_mark_decides_and_nothing_is_a_mark_too() {
        let of = |kind, mark| ExportMark::of(kind, mark, "Starost", None);
        assert_eq!(of(ValueType::Number, None), (UnnamedOutput::OgranicavaSe, true));
        assert_eq!(of(ValueType::Number, Some(ExportMark::Nista)), (UnnamedOutput::Izlazi, false));
        assert_eq!(of(ValueType::Number, Some(ExportMark::Datum)), (UnnamedOutput::IzostavljaSe, false));
        assert_eq!(of(ValueType::Date, Some(ExportMark::Datum)), (UnnamedOutput::Izlazi, false));
        assert_eq!(of(ValueType::Moment, Some(ExportMark::Datum)), (UnnamedOutput::Izlazi, false));
        assert_eq!(of(ValueType::Time, None), (UnnamedOutput::Izlazi, false));
        assert_eq!(of(ValueType::Set, Some(ExportMark::Identitet)), (UnnamedOutput::IzostavljaSe, false));
        assert_eq!(of(ValueType::Text, Some(ExportMark::Nista)), (UnnamedOutput::IzostavljaSe, false));
    }
}
