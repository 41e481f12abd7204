//! Numbers of patients that a text for the log may hold by chance, hidden in it.

/// Digits of an LBO, the shorter one of a patient's numbers; a longer run of digits may hide one, or a JMBG.
const NUMBER_DIGITS: usize = 11;
const MASK: &str = "•••";

/// Hides every run of digits that is as long as an LBO or a JMBG.
pub fn mask_numbers(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut digits = String::new();
    for letter in text.chars().map(Some).chain([None]) {
        match letter {
            Some(digit) if digit.is_ascii_digit() => digits.push(digit),
            other => {
                masked.push_str(if digits.len() >= NUMBER_DIGITS { MASK } else { &digits });
                digits.clear();
                masked.extend(other);
            }
        }
    }
    masked
}

#[cfg(test)]
mod tests {
    use super::mask_numbers;

    #[test]
    fn what_looks_like_a_jmbg_or_an_lbo_is_masked_wherever_it_stands() {
        assert_eq!(mask_numbers("0101990710006"), "•••");
        assert_eq!(mask_numbers("Petar (0101990710006), Ana 0202991715008."), "Petar (•••), Ana •••.");
        assert_eq!(mask_numbers("00101990710006"), "•••");
        assert_eq!(mask_numbers("LBO 90000000001, karton 17"), "LBO •••, karton 17");
    }

    #[test]
    fn other_numbers_stay() {
        assert_eq!(mask_numbers("01.02.2026. 1234567890"), "01.02.2026. 1234567890");
        assert_eq!(mask_numbers("šta ćeš"), "šta ćeš");
    }
}
