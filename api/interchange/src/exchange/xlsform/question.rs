//! What the cells of a question say: its type, its bounds.

use rust_decimal::Decimal;

use super::sheet::Row;

pub type Bounds = (Option<Decimal>, Option<Decimal>);

/// `start=0 end=10 step=1` of a range.
pub fn parameter(row: &Row, name: &str) -> Option<Decimal> {
    let separated = |letter: char| letter.is_whitespace() || letter == ';' || letter == ',';
    let mut all = row.get("parameters").split(separated).filter_map(|one| one.split_once('='));
    all.find(|(known, _)| known.trim().eq_ignore_ascii_case(name)).and_then(|(_, value)| value.trim().parse().ok())
}

/// The kind of a question and its list, as the specification names them; older forms say the same in other words.
pub fn question_type(text: &str) -> Vec<&str> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let plain = words.join(" ").to_lowercase();
    let old = [
        ("select all that apply from ", "select_multiple"),
        ("select all that apply ", "select_multiple"),
        ("select multiple from ", "select_multiple"),
        ("select multiple ", "select_multiple"),
        ("select one from ", "select_one"),
        ("select one ", "select_one"),
        ("select1 ", "select_one"),
    ];
    if let Some((prefix, kind)) = old.into_iter().find(|(prefix, _)| plain.starts_with(prefix)) {
        let taken = prefix.split_whitespace().count();
        return [&[kind], &words[taken..]].concat();
    }
    let known =
        ["integer", "int", "decimal", "range", "text", "string", "date", "time", "datetime", "note", "calculate", "acknowledge", "trigger"];
    let known = known.into_iter().chain(["select_one", "select_multiple"]).find(|known| words[0].eq_ignore_ascii_case(known));
    match known {
        Some(known) => [&[known], &words[1..]].concat(),
        None => words,
    }
}

pub fn bounds(text: &str, whole: bool) -> Option<Bounds> {
    let (mut low, mut high) = (None, None);
    for part in text.split(" and ") {
        let part = part.trim().trim_start_matches('(').trim_end_matches(')').replace(' ', "");
        let rest = part.strip_prefix('.')?;
        let signs = [">=", "<=", ">", "<"];
        let sign = signs.into_iter().find(|sign| rest.starts_with(sign))?;
        let number: Decimal = rest[sign.len()..].parse().ok()?;
        match sign {
            ">=" => low = Some(number),
            "<=" => high = Some(number),
            // Among whole numbers the next one is the bound.
            ">" if whole => low = Some(number.floor() + Decimal::ONE),
            "<" if whole => high = Some(number.ceil() - Decimal::ONE),
            _ => return None,
        }
    }
    Some((low, high))
}

/// Below what a number is never, where a constraint says that it is above something: `. > 0`.
pub fn above(text: &str) -> Option<f64> {
    let parts = text.split(" and ").map(|part| part.replace(' ', ""));
    parts.filter_map(|part| part.trim_matches(['(', ')']).strip_prefix(".>")?.parse().ok()).map(|number: f64| number + 0.001).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_numbers_are_read_and_nothing_else() {
        let of = |text: &str, whole| bounds(text, whole).map(|(low, high)| [low, high].map(|bound| bound.map(|bound| bound.to_string())));
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(of(". >= 0 and . <= 120", true), Some([some("0"), some("120")]));
        assert_eq!(of("(. > 0) and (. < 10)", true), Some([some("1"), some("9")]));
        assert_eq!(of(".>=0.5", false), Some([some("0.5"), None]));
        assert_eq!(of(". > 0", false), None, "a decimal has no next one");
        assert_eq!(of(". <= today()", false), None);
        assert_eq!(of(". >= 0 or . = 99", true), None);
        assert_eq!(
            [above(". > 0"), above("(. > 2) and . < 9"), above(". >= 0"), above(". > 0 or . = -1")],
            [Some(0.001), Some(2.001), None, None]
        );
    }

    #[test]
    fn types_of_older_forms_are_known() {
        for (old, now) in [
            ("select one from yes_no", vec!["select_one", "yes_no"]),
            ("Select_one yes_no or_other", vec!["select_one", "yes_no", "or_other"]),
            ("select all that apply from a b", vec!["select_multiple", "a", "b"]),
            ("phone number", vec!["phone", "number"]),
        ] {
            assert_eq!(question_type(old), now);
        }
    }
}
