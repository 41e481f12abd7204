//! Defects and warnings of an import, each with its row and column as they stand in the file.

use std::{collections::BTreeMap, fmt};

/// One thing that is wrong with a file or its mapping.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// Row of the file as a spreadsheet numbers it: the header is row 1. None: the mapping or the whole file.
    pub row: Option<usize>,
    pub column: Option<String>,
    pub message: Message,
}

/// What is wrong, in words. What a cell says, and which row or patient is meant, is known apart from the rule's own words and numbers:
/// the kind of a fault is told without it.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Message {
    text: String,
    kind: String,
}

impl Message {
    /// `„abc” nije broj`.
    pub fn of_cell(cell: &str, what: impl AsRef<str>) -> Self {
        Self::default().say("„").hide(cell).say("” ").say(what)
    }

    pub fn say(mut self, words: impl AsRef<str>) -> Self {
        self.text.push_str(words.as_ref());
        self.kind.push_str(words.as_ref());
        self
    }

    /// What is of one row only.
    pub fn hide(mut self, what: impl fmt::Display) -> Self {
        self.text.push_str(&shortened(&what.to_string()));
        self.kind.push('…');
        self
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The same for all rows that have the fault.
    pub fn kind(&self) -> &str {
        &self.kind
    }
}

impl From<&str> for Message {
    fn from(words: &str) -> Self {
        Self::default().say(words)
    }
}

impl From<String> for Message {
    fn from(words: String) -> Self {
        Self::default().say(words)
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A value as messages show it.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.row, &self.column) {
            (Some(row), Some(column)) => write!(f, "red {row}, kolona „{column}”: {}", self.message),
            (Some(row), None) => write!(f, "red {row}: {}", self.message),
            (None, Some(place)) => write!(f, "{place}: {}", self.message),
            (None, None) => self.message.fmt(f),
        }
    }
}

/// What an import found, in the order of the file.
#[derive(Default, Debug)]
pub struct Problems {
    pub defects: Vec<Problem>,
    pub warnings: Vec<Problem>,
    /// Whom the worker was told of without knowing them.
    pub hidden: Vec<Stranger>,
    pub seen: RecordCounts,
}

/// A number of the file that is told to be somebody's whom the institution does not know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stranger {
    pub row: usize,
    pub holder: i64,
    pub number: String,
    /// As the log names it.
    pub deed: &'static str,
}

/// How many of a file's records are new, and how many were there, whether they could be written or not.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct RecordCounts {
    pub rows: usize,
    pub new_patients: usize,
    pub known_patients: usize,
    pub new_entries: usize,
    pub known_entries: usize,
    pub without_entry: usize,
}

impl Problems {
    pub fn defect(&mut self, row: impl Into<Option<usize>>, column: Option<&str>, message: impl Into<Message>) {
        self.defects.push(Problem { row: row.into(), column: column.map(str::to_owned), message: message.into() });
    }

    pub fn warning(&mut self, row: impl Into<Option<usize>>, column: Option<&str>, message: impl Into<Message>) {
        self.warnings.push(Problem { row: row.into(), column: column.map(str::to_owned), message: message.into() });
    }
}

/// The first `show` problems line by line, and how many more there are in which column: nothing goes uncounted.
pub fn listing(problems: &[Problem], show: usize) -> String {
    let mut text: String = problems.iter().take(show).map(|problem| format!("  {problem}\n")).collect();
    let rest = problems.get(show..).unwrap_or_default();
    if !rest.is_empty() {
        let mut by_column: BTreeMap<&str, usize> = BTreeMap::new();
        for problem in rest {
            *by_column.entry(problem.column.as_deref().unwrap_or("ceo red")).or_default() += 1;
        }
        let counts: Vec<_> = by_column.iter().map(|(column, count)| format!("„{column}” {count}")).collect();
        text.push_str(&format!("  … i još {} (po kolonama: {})\n", rest.len(), counts.join(", ")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_leaves_out_the_cell_and_keeps_the_rules_own_numbers() {
        let message = Message::of_cell("25.55", "ima više decimala nego što polje dozvoljava (1)");
        assert_eq!(message.text(), "„25.55” ima više decimala nego što polje dozvoljava (1)");
        assert_eq!(message.kind(), "„…” ima više decimala nego što polje dozvoljava (1)");
        let long = "š".repeat(50);
        assert_eq!(Message::of_cell(&long, "nije broj").text(), format!("„{}…” nije broj", "š".repeat(40)));
    }

    #[test]
    fn what_is_not_shown_is_counted_by_column() {
        let mut problems = Problems::default();
        for row in 2..7 {
            problems.defect(row, Some(if row % 2 == 0 { "age" } else { "hr" }), "nije broj");
        }
        problems.defect(7, None, "ima 3 kolone umesto 5");
        let text = listing(&problems.defects, 2);
        assert_eq!(
            text,
            "  red 2, kolona „age”: nije broj\n  red 3, kolona „hr”: nije broj\n  … i još 4 (po kolonama: „age” 2, „ceo red” 1, „hr” 1)\n"
        );
        assert!(!listing(&problems.defects, 6).contains("još"));
    }
}
