//! Fields and options as the expressions of another system know them.

use rust_decimal::Decimal;

/// A field as the other system's expressions know it.
#[derive(Clone, Debug, Default)]
pub struct ExpressionField {
    pub code: String,
    pub kind: Kind,
    /// It stands in a section that repeats: it has a value in every row, which only expressions of its row read.
    pub column: bool,
    /// The key of what it stands in.
    pub holder: Option<String>,
    /// The codes of yes and no of a choice, where they are not 1 and 0.
    pub truths: Option<(String, String)>,
    /// Of a number, the smallest that there may be.
    pub least: Option<f64>,
}

impl ExpressionField {
    /// The codes of yes and no.
    pub fn words(&self) -> (&str, &str) {
        self.truths.as_ref().map_or(("1", "0"), |(yes, no)| (yes, no))
    }
}

#[derive(Clone, Debug, Default)]
pub enum Kind {
    Number,
    Text,
    Date,
    /// A time of day, or a day with one: expressions do not carry it over.
    Clock,
    Choice,
    /// Items by their code there, which is theirs here too, with their weight.
    Set {
        multiple: bool,
        items: Vec<(String, Option<Decimal>)>,
    },
    File,
    /// A group or a heading.
    #[default]
    Nothing,
}

/// An option of a list there.
#[derive(Clone, Debug)]
pub struct Choice {
    pub code: String,
    pub label: String,
    /// Only where the source gives one.
    pub weight: Option<Decimal>,
}

impl Choice {
    /// Of a system that computes with the codes of options: those that are numbers are weights.
    pub fn coded(code: String, label: String) -> Self {
        Self { weight: number_of_code(&code), code, label }
    }
}

/// A code as the number that it is. One with anything else in it, as a range `18_24`, is none.
pub fn number_of_code(code: &str) -> Option<Decimal> {
    let digits = code.trim().strip_prefix('-').unwrap_or(code.trim());
    let is_number =
        digits.starts_with(|first: char| first.is_ascii_digit()) && digits.chars().all(|one| one.is_ascii_digit() || one == '.');
    code.trim().parse().ok().filter(|_| is_number)
}
