//! Numbers as Serbian text, and how wide words are, so that a drawing is the same whoever paints it.

/// Letters of DejaVu Sans in thousandths of their size, from the space to the tilde. Other typefaces of a screen are narrower.
const WIDTHS: [u16; 95] = [
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 337,
    337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635, 611, 732,
    684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635,
    635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
];
/// The minus that people read, as wide as a plus.
const MINUS: char = '−';
/// Bold letters are wider by about this.
const BOLD: f64 = 1.13;

/// The width of `text` at a size of 1.
pub fn width(text: &str) -> f64 {
    text.chars().map(|letter| f64::from(thousandths(letter)) / 1000.0).sum()
}

pub fn bold_width(text: &str) -> f64 {
    width(text) * BOLD
}

fn thousandths(letter: char) -> u16 {
    let base = match letter {
        'č' | 'ć' => 'c',
        'š' => 's',
        'ž' => 'z',
        'đ' => 'd',
        'Č' | 'Ć' => 'C',
        'Š' => 'S',
        'Ž' => 'Z',
        'Đ' => 'D',
        '–' => '0',
        MINUS => '+',
        other => other,
    };
    match u32::from(base) {
        code @ 32..=126 => WIDTHS[code as usize - 32],
        0x300..=0x36F => 0,
        code if code < 0x1100 => 700,
        _ => 1000,
    }
}

/// `text`, or its beginning with an ellipsis where it is wider than `room` at a size of 1; empty where not even that fits.
pub fn shortened(text: &str, room: f64) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let mut left = room - width("…");
    let fits = |letter: &char| {
        left -= f64::from(thousandths(*letter)) / 1000.0;
        left >= 0.0
    };
    let kept: String = text.chars().take_while(fits).collect();
    if kept.is_empty() { String::new() } else { format!("{}…", kept.trim_end()) }
}

/// `text` in lines of at most `room` at a size of 1; a word wider than that is shortened.
pub fn wrapped(text: &str, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let word = shortened(word, room);
        match lines.last_mut() {
            Some(line) if width(line) + width(" ") + width(&word) <= room => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

/// A number with decimal comma and thousands points, rounded half away from zero: `1.234,50`.
pub fn number(value: f64, decimals: usize) -> String {
    decimal(value, decimals, 4)
}

/// A number under an axis: points from five digits on, and powers of ten where it is very large or its step very small.
pub fn on_axis(value: f64, step: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if value.abs() >= 1e9 || step < 1e-6 {
        let digits = (value.abs().log10().floor() - step.log10().floor()).clamp(0.0, 6.0) as usize;
        return powered(&format!("{value:.digits$e}"));
    }
    decimal(value, decimals_of(step), 5)
}

/// How many decimals tell multiples of `step` apart.
pub fn decimals_of(step: f64) -> usize {
    // 0.1 is not quite a tenth.
    (-(step * (1.0 + 1e-9)).log10().floor()).clamp(0.0, 12.0) as usize
}

/// A number in a sentence, with up to four decimals that say something: `−0,25`.
pub fn short(value: f64) -> String {
    if value.abs() >= 1e15 || (value != 0.0 && value.abs() < 1e-4) {
        return powered(&format!("{value:.2e}"));
    }
    let text = decimal(value, 4, 4);
    text.trim_end_matches('0').trim_end_matches(',').to_owned()
}

/// A place on a logarithmic axis, without needless zeros: `0,002`, `1000`.
pub fn short_power(value: f64) -> String {
    if !(1e-6..1e9).contains(&value) {
        return powered(&format!("{value:.0e}"));
    }
    let text = decimal(value, 6, 5);
    text.trim_end_matches('0').trim_end_matches(',').to_owned()
}

/// A share as a percent with as many decimals: `12,5%`.
pub fn percent(share: f64, decimals: usize) -> String {
    format!("{}%", number(share * 100.0, decimals))
}

/// A number by its power of ten, with decimal comma: `2,5e−12`.
fn powered(written: &str) -> String {
    written.replace('.', ",").replace('-', &MINUS.to_string())
}

/// Points stand from `grouped_from` digits on.
fn decimal(value: f64, decimals: usize, grouped_from: usize) -> String {
    let (whole, fraction) = rounded(value.abs(), decimals);
    let is_zero = whole.bytes().chain(fraction.bytes()).all(|digit| digit == b'0');
    let mut out = String::new();
    if value < 0.0 && !is_zero {
        out.push(MINUS);
    }
    let is_grouped = whole.len() >= grouped_from;
    for (place, digit) in whole.chars().enumerate() {
        if is_grouped && place > 0 && (whole.len() - place) % 3 == 0 {
            out.push('.');
        }
        out.push(digit);
    }
    if decimals > 0 {
        out.push(',');
        out.push_str(&fraction);
    }
    out
}

/// The digits of a number before and after the point, by its shortest decimal form: what a reader of the table sees is what is rounded.
fn rounded(value: f64, decimals: usize) -> (String, String) {
    let shown = value.to_string();
    let (whole, fraction) = shown.split_once('.').unwrap_or((&shown, ""));
    let mut digits: Vec<u8> = whole.bytes().chain(fraction.bytes().chain(std::iter::repeat(b'0')).take(decimals)).collect();
    let is_up = fraction.as_bytes().get(decimals).is_some_and(|next| *next >= b'5');
    if is_up {
        let mut place = digits.len();
        loop {
            if place == 0 {
                digits.insert(0, b'1');
                break;
            }
            place -= 1;
            if digits[place] == b'9' {
                digits[place] = b'0';
            } else {
                digits[place] += 1;
                break;
            }
        }
    }
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    let text = |digits: &[u8]| digits.iter().map(|digit| char::from(*digit)).collect();
    (text(whole), text(fraction))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_in_the_tables() {
        let shown = [(1234.5, 2), (2.675, 2), (999.95, 1), (-0.04, 1), (0.5, 0), (1e6, 0)].map(|(value, decimals)| number(value, decimals));
        assert_eq!(shown, ["1.234,50", "2,68", "1.000,0", "0,0", "1", "1.000.000"]);
        assert_eq!(short(-0.25), "−0,25");
        assert_eq!(short(100.0), "100");
        assert_eq!(percent(0.125, 1), "12,5%");
    }

    #[test]
    fn numbers_on_an_axis_have_the_decimals_of_its_step() {
        let shown = [(0.3, 0.1), (-0.4, 0.2), (2400.0, 200.0), (50_000.0, 10_000.0), (0.0, 0.1)].map(|(value, step)| on_axis(value, step));
        assert_eq!(shown, ["0,3", "−0,4", "2400", "50.000", "0"]);
        assert_eq!(on_axis(3e-9, 1e-9), "3e−9");
        assert_eq!(on_axis(2.5e12, 5e11), "2,5e12");
    }

    #[test]
    fn words_are_shortened_and_wrapped_to_their_room() {
        assert_eq!(shortened("Reumatologija", 5.0), "Reumat…");
        assert_eq!(shortened("Reumatologija", 0.5), "");
        assert_eq!(wrapped("Klinički centar Srbije", 9.0), ["Klinički centar", "Srbije"]);
        assert!(wrapped("", 5.0).is_empty());
    }
}
