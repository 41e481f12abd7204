//! Defects and warnings of an import, each with its row and column as they stand in the file.

use std::{collections::BTreeMap, fmt};

/// One thing that is wrong with a file or its mapping.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// Row of the file as a spreadsheet numbers it: the header is row 1. None: the mapping or the whole file.
    pub row: Option<usize>,
    pub column: Option<String>,
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.row, &self.column) {
            (Some(row), Some(column)) => write!(f, "red {row}, kolona „{column}”: {}", self.message),
            (Some(row), None) => write!(f, "red {row}: {}", self.message),
            (None, Some(place)) => write!(f, "{place}: {}", self.message),
            (None, None) => f.write_str(&self.message),
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
    pub seen: Seen,
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
pub struct Seen {
    pub rows: usize,
    pub new_patients: usize,
    pub known_patients: usize,
    pub new_entries: usize,
    pub known_entries: usize,
    pub without_entry: usize,
}

impl Problems {
    pub fn defect(&mut self, row: impl Into<Option<usize>>, column: Option<&str>, message: impl Into<String>) {
        self.defects.push(Problem { row: row.into(), column: column.map(str::to_owned), message: message.into() });
    }

    pub fn warning(&mut self, row: impl Into<Option<usize>>, column: Option<&str>, message: impl Into<String>) {
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
