//! What is refused, and why: the rules that several programs keep say it once.

/// A property by the specification's name, and a sentence in Serbian.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub property: &'static str,
    pub message: String,
}

impl Refusal {
    pub fn new(property: &'static str, message: impl Into<String>) -> Self {
        Self { property, message: message.into() }
    }
}
