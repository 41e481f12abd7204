//! What a new password must be: long enough, and not one that is tried first.

use platform::error::{Error, Result};
use zxcvbn::{Score, zxcvbn};

/// Characters.
const SHORTEST: usize = 10;
const LONGEST: usize = 200;
/// How much of a password is looked at: a longer one is not guessed, and the estimate's cost grows with the square.
const LOOKED_AT: usize = 60;
/// Shorter names stand in many words by chance.
const SHORTEST_NAME: usize = 3;
/// Letters and digits that a password must have besides names.
const LEFT_WITHOUT_NAMES: usize = 5;

/// Words that stand first in lists of guesses here, besides the ones that the estimate knows from elsewhere.
const LOCAL: [&str; 22] = [
    "lozinka",
    "sifra",
    "regix",
    "registar",
    "bolnica",
    "klinika",
    "doktor",
    "lekar",
    "sestra",
    "pacijent",
    "admin",
    "administrator",
    "beograd",
    "srbija",
    "jugoslavija",
    "novisad",
    "partizan",
    "crvenazvezda",
    "zvezda",
    "delije",
    "grobari",
    "ljubav",
];

/// Refuses a password under the field's name. `own` are the worker's own names: whoever knows the worker tries them first.
pub fn require(field: &'static str, password: &str, own: &[&str]) -> Result<()> {
    let length = password.chars().count();
    if length < SHORTEST {
        return Err(Error::invalid(field, format!("Lozinka mora imati najmanje {SHORTEST} znakova.")));
    }
    if length > LONGEST {
        return Err(Error::invalid(field, format!("Lozinka: najviše {LONGEST} znakova.")));
    }
    if is_guessed(password, own) {
        return Err(Error::invalid(
            field,
            "Ova lozinka se lako pogađa. Ne koristite česte lozinke, nizove sa tastature ni svoje ime; nekoliko reči bez veze je dobro.",
        ));
    }
    Ok(())
}

/// Whether fewer than a million guesses find it. Names count without their diacritics as well.
fn is_guessed(password: &str, own: &[&str]) -> bool {
    let looked_at: String = password.chars().take(LOOKED_AT).collect();
    let mut known: Vec<String> = LOCAL.iter().map(|&word| word.to_owned()).collect();
    for name in own.iter().filter(|name| !name.trim().is_empty()) {
        known.extend([name.to_lowercase(), domain::fold::fold(name)]);
    }
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    is_mostly_a_name(&looked_at, own) || zxcvbn(&looked_at, &known).score() < Score::Two
}

/// Whether hardly anything is left of it without the names, as in `jelena-jelena` or `petrović85`.
fn is_mostly_a_name(password: &str, own: &[&str]) -> bool {
    let whole = domain::fold::fold(password);
    let mut rest = whole.clone();
    for name in own.iter().map(|name| domain::fold::fold(name)).filter(|name| name.chars().count() >= SHORTEST_NAME) {
        rest = rest.replace(&name, "");
    }
    rest != whole && rest.chars().filter(|sign| sign.is_alphanumeric()).count() < LEFT_WITHOUT_NAMES
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: [&str; 3] = ["jpetrovic", "Jelena", "Đorđević"];

    #[test]
    fn nine_characters_are_too_few_and_ten_of_chance_are_enough() {
        assert!(require("lozinka", "kž4!vQw8z", &OWN).is_err());
        assert!(require("lozinka", "kž4!vQw8zP", &OWN).is_ok());
    }

    #[test]
    fn what_is_tried_first_is_refused() {
        for password in [
            "1234567890",
            "qwertyuiop",
            "password123",
            "lozinka123",
            "crvenazvezda",
            "jelenajelena",
            "Jelena-Đorđević",
            "djordjevic1",
            "aaaaaaaaaaaa",
        ] {
            assert!(is_guessed(password, &OWN), "{password}");
        }
    }

    #[test]
    fn words_without_connexion_are_taken() {
        for password in ["tanjir-kiša-olovka", "zeleni vagon peva", "Kolibri8Pesak3"] {
            assert!(require("lozinka", password, &OWN).is_ok(), "{password}");
        }
    }

    #[test]
    fn another_ones_name_is_no_own_one() {
        assert!(is_guessed("đorđević77", &OWN));
        assert!(!is_guessed("đorđević77", &["mnikolic", "Mira", "Nikolić"]));
    }

    #[test]
    fn a_very_long_one_is_refused_before_it_costs_anything() {
        assert!(require("lozinka", &"kž4!vQw8zP".repeat(21), &OWN).is_err());
        assert!(require("lozinka", &"kž4!vQw8zP".repeat(20), &OWN).is_ok());
    }
}
