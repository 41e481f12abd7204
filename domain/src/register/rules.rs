//! What is refused of registers, forms and items, and of single properties that more than one record has. The messages are those of the
//! database's own constraints too.

use std::{collections::HashSet, hash::Hash};

use crate::{
    parameters::{BAD_RESULT_COUNT, RESULT_COUNTS},
    refusal::Refusal,
};

pub const NO_NAME: &str = "Niste uneli naziv.";
pub const BAD_LIMIT: &str = "Broj mora biti veći od nule.";
pub const BAD_CODE: &str = "Šifra sme da sadrži samo slova, cifre i donju crtu i ne sme početi cifrom.";
pub const NO_CODE: &str = "Niste uneli šifru.";
pub const NO_NUMBER: &str = "Niste uneli numeričku vrednost.";
pub const NUMBER_AND_NONE: &str = "Stavka bez težine nema numeričku vrednost.";
pub const NO_ORDER: &str = "Niste uneli prikazni redosled.";
pub const NO_TYPE: &str = "Niste izabrali tip atributa.";
pub const NO_FORM: &str = "Niste izabrali formular.";

pub const UNKNOWN_REGISTER: &str = "Registar ne postoji.";
pub const UNKNOWN_TYPE: &str = "Tip atributa ne postoji.";
pub const BAD_DECIMALS: &str = "Broj decimala može biti od 0 do 10.";
pub const BAD_BOUNDS: &str = "Donja granica ne sme biti veća od gornje.";
/// Saved values would change their meaning with the kind of value.
pub const KIND_IN_USE: &str = "Tip vrednosti se ne može menjati jer se tip atributa koristi u formularima.";

pub const CODE_TAKEN: &str = "Polje sa tom šifrom već postoji u formularu.";
pub const STRANGE_PARENT: &str = "Nadređeno polje nije u ovom formularu.";
pub const IN_ITSELF: &str = "Polje ne može biti u samom sebi.";
pub const STRANGE_FIRST_ITEM: &str = "Početna stavka ne pripada tipu atributa.";
/// Saved values keep the shape of their field's type, and a set's values the ids of its items.
pub const TYPE_IN_USE: &str = "Polje ima snimljene vrednosti, pa mu se tip ne može promeniti.";

/// What a record must have.
pub fn unnamed(naziv: &str) -> Option<Refusal> {
    naziv.trim().is_empty().then(|| Refusal::new("naziv", NO_NAME))
}

pub fn of_register(naziv: &str, results: Option<i32>) -> Vec<Refusal> {
    let bad_count = results.is_some_and(|count| !RESULT_COUNTS.contains(&count));
    unnamed(naziv).into_iter().chain(bad_count.then(|| Refusal::new("brojRezultataUPretrazi", BAD_RESULT_COUNT))).collect()
}

pub fn of_form(naziv: &str, per_contact: Option<i32>, per_patient: Option<i32>) -> Vec<Refusal> {
    let limits = [("maksimalanBrojInstanciPoKontaktu", per_contact), ("maksimalanBrojInstanciPoPacijentu", per_patient)];
    let bad = limits.into_iter().filter(|(_, limit)| limit.is_some_and(|limit| limit < 1));
    unnamed(naziv).into_iter().chain(bad.map(|(property, _)| Refusal::new(property, BAD_LIMIT))).collect()
}

/// A field's code stands in formulas and in SQL: English letters, digits and the underscore.
pub fn bad_code(sifra: &str) -> Option<Refusal> {
    let letters = sifra.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'_');
    let starts = sifra.bytes().next().is_some_and(|first| !first.is_ascii_digit());
    (!letters || !starts).then(|| Refusal::new("sifra", BAD_CODE))
}

/// Whether a field would stand in itself. `parent` is what it stands in, `above` what another one does. A circle that others make among
/// themselves is theirs.
pub fn is_in_itself<K: Copy + Eq + Hash>(field: K, parent: Option<K>, above: impl Fn(K) -> Option<K>) -> bool {
    let mut met = HashSet::new();
    let mut next = parent;
    while let Some(outer) = next.filter(|outer| met.insert(*outer)) {
        if outer == field {
            return true;
        }
        next = above(outer);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(refusals: impl IntoIterator<Item = Refusal>) -> Vec<&'static str> {
        refusals.into_iter().map(|refusal| refusal.property).collect()
    }

    #[test]
    fn a_code_is_letters_digits_and_underscores_and_begins_with_no_digit() {
        for good in ["a", "_", "puls", "HDL_2"] {
            assert_eq!(bad_code(good), None, "{good}");
        }
        for bad in ["", "1x", "a b", "š", "a-b", "x$"] {
            assert_eq!(named(bad_code(bad)), ["sifra"], "{bad}");
        }
    }

    #[test]
    fn a_field_that_stands_in_itself_is_found_and_a_circle_of_others_ends_the_search() {
        let in_itself = |parent: Option<i64>, stored: &[(i64, i64)]| {
            is_in_itself(1, parent, |outer| stored.iter().find(|(field, _)| *field == outer).map(|(_, parent)| *parent))
        };
        assert!(in_itself(Some(1), &[]));
        assert!(in_itself(Some(2), &[(2, 3), (3, 1)]));
        assert!(!in_itself(None, &[(2, 1)]));
        assert!(!in_itself(Some(2), &[(2, 3)]));
        assert!(!in_itself(Some(2), &[(2, 3), (3, 2)]));
    }

    #[test]
    fn registers_and_forms_have_names_and_numbers_that_mean_something() {
        assert_eq!(named(of_register("Infarkt", Some(-1))), [""; 0]);
        assert_eq!(named(of_register(" ", Some(7))), ["naziv", "brojRezultataUPretrazi"]);
        assert_eq!(named(of_form("Pregled", None, Some(1))), [""; 0]);
        assert_eq!(
            named(of_form("", Some(0), Some(-1))),
            ["naziv", "maksimalanBrojInstanciPoKontaktu", "maksimalanBrojInstanciPoPacijentu"]
        );
    }
}
