//! What is refused of registers, forms and items, and of single properties that more than one record has. The messages are those of the
//! database's own constraints too.

use crate::{
    parameters::{BAD_RESULT_COUNT, RESULT_COUNTS},
    refusal::Refusal,
};

pub const NO_NAME: &str = "Niste uneli naziv.";
pub const BAD_LIMIT: &str = "Broj mora biti veći od nule.";
pub const BAD_CODE: &str = "Šifra sme da sadrži samo slova, cifre i donju crtu i ne sme početi cifrom.";

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
