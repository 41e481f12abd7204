//! JMBG, the Serbian personal number: DDMMYYY RR BBB K (birth date, region, serial by sex, check digit modulo 11).

use std::fmt;

use jiff::civil::Date;

/// A number whose shape, date and check digit are right.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Jmbg {
    digits: [u8; 13],
    birth_date: Date,
}

/// Why a text is no JMBG.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum JmbgError {
    #[error("JMBG mora imati tačno 13 cifara.")]
    Shape,
    #[error("JMBG ne sadrži ispravan datum rođenja.")]
    Date,
    #[error("Kontrolna cifra u JMBG nije ispravna.")]
    CheckDigit,
}

/// Weights of the first twelve digits in the check sum.
const WEIGHTS: [u32; 12] = [7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2];

impl Jmbg {
    /// Reads thirteen digits, nothing around them.
    pub fn parse(text: &str) -> Result<Self, JmbgError> {
        let bytes: [u8; 13] = text.as_bytes().try_into().map_err(|_| JmbgError::Shape)?;
        if !bytes.iter().all(u8::is_ascii_digit) {
            return Err(JmbgError::Shape);
        }
        let digits = bytes.map(|byte| byte - b'0');
        let birth_date = birth_date(&digits).ok_or(JmbgError::Date)?;
        if digits[12] != check_digit(&digits[..12]) {
            return Err(JmbgError::CheckDigit);
        }
        Ok(Self { digits, birth_date })
    }

    /// The number of the person born on `birth_date` in `region` (71 is Belgrade) with `serial` 0-499 for that sex.
    ///
    /// # Panics
    /// Where the region is over 99, the serial over 499, or the year outside 1800-2799: such numbers do not exist.
    pub fn compose(birth_date: Date, region: u8, male: bool, serial: u16) -> Self {
        assert!(region <= 99 && serial <= 499 && (1800..2800).contains(&birth_date.year()), "no such JMBG");
        let serial = if male { serial } else { serial + 500 };
        let text = format!("{:02}{:02}{:03}{region:02}{serial:03}", birth_date.day(), birth_date.month(), birth_date.year() % 1000);
        let mut digits = [0; 13];
        for (digit, byte) in digits.iter_mut().zip(text.bytes()) {
            *digit = byte - b'0';
        }
        digits[12] = check_digit(&digits[..12]);
        Self { digits, birth_date }
    }

    pub fn birth_date(self) -> Date {
        self.birth_date
    }

    /// True for a man: serials 000-499.
    pub fn is_male(self) -> bool {
        self.digits[9] < 5
    }
}

/// A JMBG or LBO as people type and paste it, without the spaces, dots and dashes between its digits.
pub fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '.' | '-' | '\u{2010}'..='\u{2015}')).collect()
}

impl fmt::Display for Jmbg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.digits.iter().try_for_each(|digit| write!(f, "{digit}"))
    }
}

/// Years are written without their thousands: 800-999 are 1800-1999, the rest 2000-2799.
fn birth_date(digits: &[u8; 13]) -> Option<Date> {
    let number = |range: std::ops::Range<usize>| digits[range].iter().fold(0_i16, |sum, digit| sum * 10 + i16::from(*digit));
    let year = number(4..7);
    let year = if year >= 800 { 1000 + year } else { 2000 + year };
    Date::new(year, i8::try_from(number(2..4)).ok()?, i8::try_from(number(0..2)).ok()?).ok()
}

/// 11 less the remainder; 10 and 11 are written as 0.
fn check_digit(digits: &[u8]) -> u8 {
    let sum: u32 = digits.iter().zip(WEIGHTS).map(|(digit, weight)| u32::from(*digit) * weight).sum();
    match 11 - sum % 11 {
        10 | 11 => 0,
        digit => u8::try_from(digit).expect("a remainder of 11 fits"),
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_right_number_tells_birth_date_and_sex() {
        // 0·7+1·6+0·5+1·4+0·3+0·2 + 6·7+5·6+0·5+0·4+0·3+0·2 = 82, 82 mod 11 = 5, 11 - 5 = 6.
        let woman = Jmbg::parse("0101006505006").expect_err("5 in the serial changes the sum");
        assert_eq!(woman, JmbgError::CheckDigit);
        let man = Jmbg::parse("0101006500006").unwrap();
        assert_eq!((man.birth_date(), man.is_male()), (date(2006, 1, 1), true));
        assert_eq!(Jmbg::parse("0710003730015").unwrap().birth_date(), date(2003, 10, 7));
    }

    #[derive(serde::Deserialize)]
    struct Cases {
        right: Vec<Right>,
        wrong: Vec<Wrong>,
        plain: Vec<TypedNumber>,
    }

    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Right {
        why: String,
        text: String,
        datum_rodjenja: Date,
        pol: bool,
    }

    #[derive(serde::Deserialize)]
    struct Wrong {
        why: String,
        text: String,
        fault: String,
    }

    #[derive(serde::Deserialize)]
    struct TypedNumber {
        typed: String,
        plain: String,
    }

    /// The browser's tests read the same table.
    #[test]
    fn the_shared_cases_are_read_alike() {
        let cases: Cases = serde_json::from_str(include_str!("../jmbg-cases.json")).expect("the table of cases reads");
        for case in cases.right {
            let read = Jmbg::parse(&case.text).unwrap_or_else(|error| panic!("{}: {error}", case.why));
            assert_eq!((read.birth_date(), read.is_male(), read.to_string()), (case.datum_rodjenja, case.pol, case.text), "{}", case.why);
        }
        for case in cases.wrong {
            let fault = match Jmbg::parse(&case.text) {
                Err(JmbgError::Shape) => "shape",
                Err(JmbgError::Date) => "date",
                Err(JmbgError::CheckDigit) => "check",
                Ok(_) => "none",
            };
            assert_eq!(fault, case.fault, "{}", case.why);
        }
        for case in cases.plain {
            assert_eq!(plain(&case.typed), case.plain, "{}", case.typed);
        }
    }

    #[test]
    fn letters_spaces_and_other_lengths_are_no_number() {
        for text in ["", "010100650000", "01010065000066", "010100650000A", " 101006500006", "٠101006500006"] {
            assert_eq!(Jmbg::parse(text), Err(JmbgError::Shape), "{text}");
        }
    }

    #[test]
    fn a_date_that_is_not_in_the_calendar_is_refused() {
        for text in ["3002990710006", "0013990710006", "2902001710006"] {
            assert_eq!(Jmbg::parse(text), Err(JmbgError::Date), "{text}");
        }
        let leap_day = Jmbg::compose(date(2004, 2, 29), 71, false, 3);
        assert_eq!(Jmbg::parse(&leap_day.to_string()), Ok(leap_day));
    }

    #[test]
    fn ten_and_eleven_are_written_as_zero() {
        // 0101990710ab: 0·7+1·6+0·5+1·4+9·3+9·2 + 0·7+7·6+1·5+0·4+a·3+b·2 = 102 + 3a + 2b. Remainders of 102+10, 102+8, 102+3+6:
        // 112 mod 11 = 2, 110 mod 11 = 0, 111 mod 11 = 1, so that 11 minus them is 9, 11 and 10.
        let serial = |serial| Jmbg::compose(date(1990, 1, 1), 71, true, serial).to_string();
        assert_eq!(serial(5), "0101990710059");
        assert_eq!(serial(4), "0101990710040");
        assert_eq!(serial(13), "0101990710130");
    }

    proptest! {
        #[test]
        fn what_is_composed_parses_back_and_one_wrong_digit_is_seen(
            days in 0..45_000_i64, region in 0..100_u8, male: bool, serial in 0..500_u16, place in 0..12_usize, step in 1..10_u8,
        ) {
            let born = date(1900, 1, 1).saturating_add(jiff::Span::new().days(days));
            let jmbg = Jmbg::compose(born, region, male, serial);
            let text = jmbg.to_string();
            prop_assert_eq!(Jmbg::parse(&text), Ok(jmbg));
            prop_assert_eq!((jmbg.birth_date(), jmbg.is_male()), (born, male));
            let mut wrong = text.into_bytes();
            wrong[place] = b'0' + (wrong[place] - b'0' + step) % 10;
            // Remainders 0 and 1 share the digit 0, so a wrong digit can hide only behind a zero.
            if wrong[12] != b'0' {
                prop_assert!(Jmbg::parse(std::str::from_utf8(&wrong).unwrap()).is_err());
            }
        }
    }
}
