//! Rounding by decimal digits, half away from zero, the same in both interpreters.
//!
//! The digits are those of the shortest decimal that names the double, which both languages print alike. They are first
//! cut to 15 significant ones, since the last two are noise of binary arithmetic: 1.005 and 0.7 + 0.305 are both 1.01 to
//! a person with a pencil, though neither double reaches 1.005.

/// Decimal places of a calculated field.
pub const PLACES: usize = 2;

/// Digits of a double that mean something.
const SIGNIFICANT: usize = 15;

/// A positive decimal: `0.d₁d₂d₃… × 10^point`.
struct Decimal {
    digits: Vec<u8>,
    point: i32,
}

/// `number` with at most `places` decimals, a tie away from zero. Infinite stays infinite; there is no negative zero.
pub fn half_away(number: f64, places: usize) -> f64 {
    if !number.is_finite() || number == 0.0 {
        return number + 0.0;
    }
    valued(number, rounded(number, places))
}

/// [`half_away`] as plain decimal text: no exponent, no zeros at the end.
pub fn decimal_text(number: f64, places: usize) -> String {
    let Decimal { digits, point } = rounded(number, places);
    if digits.is_empty() {
        return "0".into();
    }
    let text = digits_text(&digits);
    let plain = if point <= 0 {
        format!("0.{}{text}", "0".repeat(point.unsigned_abs() as usize))
    } else if (point as usize) < text.len() {
        format!("{}.{}", &text[..point as usize], &text[point as usize..])
    } else {
        format!("{text}{}", "0".repeat(point as usize - text.len()))
    };
    if number < 0.0 { format!("-{plain}") } else { plain }
}

/// `number` with the digits that mean something: what comparisons see.
pub fn clean(number: f64) -> f64 {
    if is_whole(number) { number } else { valued(number, shortest(number).cut(SIGNIFICANT as i32)) }
}

/// `a + b` without the digits that lie beyond the fifteenth of the larger one: 1000.4 - 999.2 is 1.2, not 1.19999999999993.
pub fn add(a: f64, b: f64) -> f64 {
    let sum = a + b;
    if is_whole(sum) {
        return sum;
    }
    let exact = shortest(sum);
    let point = shortest(if a.abs() > b.abs() { a } else { b }).point;
    let kept = exact.point + SIGNIFICANT as i32 - point.max(exact.point);
    valued(sum, exact.cut(kept))
}

/// What `a` leaves over whole times `b`, with the sign of `a`; nothing where the times are whole on paper: 0.3 % 0.1 is 0.
pub fn remainder(a: f64, b: f64) -> f64 {
    let (a, b) = (clean(a), clean(b));
    let times = clean(a / b);
    if times.fract() == 0.0 && times.abs() < MOST_TIMES { 0.0 } else { a % b }
}

/// Above so many times fifteen digits do not tell whether they are whole.
const MOST_TIMES: f64 = 1e9;

/// A whole number that a double holds exactly, and what is no number of digits at all.
fn is_whole(number: f64) -> bool {
    !number.is_finite() || (number.fract() == 0.0 && number.abs() < 1e15)
}

fn valued(like: f64, decimal: Decimal) -> f64 {
    let size: f64 = format!("0.{}e{}", digits_text(&decimal.digits), decimal.point).parse().expect("digits make a number");
    if like < 0.0 && size != 0.0 { -size } else { size }
}

fn rounded(number: f64, places: usize) -> Decimal {
    let clean = shortest(number).cut(SIGNIFICANT as i32);
    let kept = clean.point + places as i32;
    clean.cut(kept)
}

/// `{:e}` prints the shortest digits: `2.675e0`.
fn shortest(number: f64) -> Decimal {
    let text = format!("{:e}", number.abs());
    let (digits, exponent) = text.split_once('e').expect("an exponent");
    let digits = digits.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
    Decimal { digits, point: exponent.parse::<i32>().expect("an exponent is a number") + 1 }
}

impl Decimal {
    /// Keeps the first `kept` digits, a five after them rounds up; zeros at the end are dropped.
    fn cut(mut self, kept: i32) -> Self {
        if kept < 0 {
            self.digits.clear();
        } else if (kept as usize) < self.digits.len() {
            let up = self.digits[kept as usize] >= 5;
            self.digits.truncate(kept as usize);
            if up {
                self.increment();
            }
        }
        while self.digits.last() == Some(&0) {
            self.digits.pop();
        }
        self
    }

    /// One more in the last place.
    fn increment(&mut self) {
        while self.digits.last() == Some(&9) {
            self.digits.pop();
        }
        match self.digits.last_mut() {
            Some(last) => *last += 1,
            None => {
                self.digits.push(1);
                self.point += 1;
            }
        }
    }
}

fn digits_text(digits: &[u8]) -> String {
    if digits.is_empty() { "0".into() } else { digits.iter().map(|digit| char::from(b'0' + digit)).collect() }
}
