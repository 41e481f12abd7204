//! When a cell is to catch the eye: its value against a fixed one.
use domain::shown::with_hyphens;
use rust_decimal::Decimal;

use super::Value;
use super::text::show;

/// A condition on the cells of a column, such as `>= 5,1` or `= visoka`.
#[derive(Clone, Debug, PartialEq)]
pub struct Emphasis {
    relation: Relation,
    text: String,
    number: Option<Decimal>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    Equal,
    Different,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// The longer spellings first, so that none is taken for the beginning of another.
const RELATIONS: [(&str, Relation); 6] = [
    (">=", Relation::GreaterOrEqual),
    ("<=", Relation::LessOrEqual),
    ("!=", Relation::Different),
    (">", Relation::Greater),
    ("<", Relation::Less),
    ("=", Relation::Equal),
];

impl Emphasis {
    /// Reads a relation and what to compare with; only equality knows texts.
    pub fn parse(condition: &str) -> Option<Self> {
        let condition = condition.trim();
        let (rest, relation) = RELATIONS.iter().find_map(|(spelling, relation)| Some((condition.strip_prefix(spelling)?, *relation)))?;
        let text = rest.trim().to_owned();
        if text.starts_with(['=', '<', '>']) {
            return None;
        }
        let number = with_hyphens(&text).replace(',', ".").parse().ok();
        let emphasis = Emphasis { relation, number, text };
        (!emphasis.text.is_empty() && (emphasis.number.is_some() || !emphasis.needs_numbers())).then_some(emphasis)
    }

    /// Whether only numbers can meet it.
    pub fn needs_numbers(&self) -> bool {
        !matches!(self.relation, Relation::Equal | Relation::Different)
    }

    /// Whether the cell meets the condition; a blank one never does.
    pub fn holds(&self, value: &Value) -> bool {
        if value.is_null() {
            return false;
        }
        let (Some(number), Some(cell)) = (self.number, value.as_decimal()) else {
            let is_equal = show(value, None) == self.text;
            return if self.relation == Relation::Different { !is_equal } else { self.relation == Relation::Equal && is_equal };
        };
        match self.relation {
            Relation::Equal => cell == number,
            Relation::Different => cell != number,
            Relation::Less => cell < number,
            Relation::LessOrEqual => cell <= number,
            Relation::Greater => cell > number,
            Relation::GreaterOrEqual => cell >= number,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(condition: &str, value: Value) -> bool {
        Emphasis::parse(condition).expect("a condition").holds(&value)
    }

    #[test]
    fn numbers_are_compared_as_numbers() {
        for (condition, below, at, above) in [
            (">= 5,1", false, true, true),
            ("> 5.1", false, false, true),
            ("<5,1", true, false, false),
            ("<= 5,10", true, true, false),
            ("= 5,1", false, true, false),
            ("!= 5,1", true, false, true),
        ] {
            let decimal = |tenths: i64| Value::Decimal(Decimal::new(tenths, 1));
            assert_eq!([50, 51, 52].map(|tenths| holds(condition, decimal(tenths))), [below, at, above], "{condition}");
        }
        assert!(holds("> -1", Value::Int(0)) && holds(">= 3", Value::Float(3.0)));
    }

    #[test]
    fn texts_are_compared_whole_and_blanks_never_catch_the_eye() {
        assert!(holds("= visoka", Value::Text("visoka".to_owned())) && holds("!= visoka", Value::Text("niska".to_owned())));
        assert!(!holds("= visoka", Value::Text("vrlo visoka".to_owned())));
        for condition in ["= x", "!= x", "< 1", ">= 0", "!= 1"] {
            assert!(!holds(condition, Value::Null), "{condition}");
        }
        assert!(!holds("> 1", Value::Text("2".to_owned())), "a text is no number");
    }

    #[test]
    fn what_is_no_condition_is_refused() {
        for condition in ["", "5", ">", "> visoka", "=> 5", "=<5", "== 5", "visoka"] {
            assert_eq!(Emphasis::parse(condition), None, "{condition}");
        }
    }
}
