//! Numbers as people type them, never guessed. The browser reads them the same way: `web/src/ui/typedNumber.ts`.

/// What a typed text says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NumberReading {
    Blank,
    Number(f64),
    /// `2.108`: two thousand one hundred and eight as the site writes it, or two and a bit with a decimal point.
    Either {
        grouped: f64,
        decimal: f64,
    },
    Unreadable,
}

/// Reads `7,5`, `7.5`, `2108`, `2.108,00` and `1.234.567`; one point before three digits has two readings.
pub fn typed_number(text: &str) -> NumberReading {
    let text = text.trim().replace('−', "-");
    if text.is_empty() {
        return NumberReading::Blank;
    }
    let (sign, digits) = match text.strip_prefix(['-', '+']) {
        Some(rest) => (if text.starts_with('-') { "-" } else { "" }, rest),
        None => ("", text.as_str()),
    };
    let read = |whole: &str, fraction: &str| exact(sign, whole, fraction);
    let (whole, fraction) = match digits.split_once(',') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (digits, None),
    };
    let number = match (whole.split_once('.'), fraction) {
        (None, fraction) => read(whole, fraction.unwrap_or("")),
        (Some(_), Some(fraction)) => ungrouped(whole).and_then(|whole| read(&whole, fraction)),
        (Some((before, after)), None) => match ungrouped(whole) {
            Some(joined) if after.len() == 3 => {
                let (grouped, decimal) = (read(&joined, ""), read(before, after));
                return match (grouped, decimal) {
                    (Some(grouped), Some(decimal)) => NumberReading::Either { grouped, decimal },
                    _ => NumberReading::Unreadable,
                };
            }
            Some(joined) => read(&joined, ""),
            None => read(before, after),
        },
    };
    number.map_or(NumberReading::Unreadable, NumberReading::Number)
}

/// Why a text with two readings is refused: names what it is typed into, and both.
pub fn ambiguous(name: &str, text: &str) -> String {
    let text = text.trim();
    let grouped = text.replace('.', "");
    let decimal = text.replace('.', ",");
    format!("„{name}”: „{text}” može da znači {grouped} ili {decimal}. Unesite broj bez tačke za hiljade, sa zarezom za decimale.")
}

/// The digits of `1.234.567` without the points; none where they do not part thousands.
fn ungrouped(text: &str) -> Option<String> {
    let mut groups = text.split('.');
    let first = groups.next().filter(|first| (1..=3).contains(&first.len()) && !first.starts_with('0') && is_digits(first))?;
    groups.all(|group| group.len() == 3 && is_digits(group)).then(|| format!("{first}{}", text[first.len()..].replace('.', "")))
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The number with these digits; none where a double would say others.
fn exact(sign: &str, whole: &str, fraction: &str) -> Option<f64> {
    if (whole.is_empty() && fraction.is_empty()) || !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    let whole = if whole.is_empty() { "0" } else { whole };
    let plain = if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") };
    let number: f64 = plain.parse().ok()?;
    let signed = if sign == "-" && number != 0.0 { -number } else { number };
    (number.to_string() == plain).then_some(signed)
}
