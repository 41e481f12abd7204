//! Finds the named binds of a statement and numbers them.

use serde::{Deserialize, Serialize};

/// A statement whose `:name` binds became `$1`, `$2`, …
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    sql: String,
    names: Vec<String>,
    /// Where each name is first used.
    used: Vec<Place>,
    /// Where the source goes on after each bind: bytes of `sql`, and where they were in the source.
    joints: Vec<(usize, Place)>,
}

/// A place in a source, as editors count: lines and the letters of a line from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    #[serde(rename = "red")]
    pub line: usize,
    #[serde(rename = "kolona")]
    pub column: usize,
}

impl Place {
    const START: Self = Self { line: 1, column: 1 };

    /// The place behind `text`, which begins here.
    pub fn after(self, text: &str) -> Self {
        match text.rsplit_once('\n') {
            Some((before, last)) => Self { line: self.line + before.matches('\n').count() + 1, column: last.chars().count() + 1 },
            None => Self { line: self.line, column: self.column + text.chars().count() },
        }
    }

    /// The place of a byte of `source`.
    pub fn of(source: &str, byte: usize) -> Self {
        Self::START.after(source.get(..byte).unwrap_or(source))
    }
}

/// A statement that cannot be scanned, with the line of the fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("line {0}: the quotation does not end")]
    OpenQuote(usize),
    #[error("line {0}: the comment does not end")]
    OpenComment(usize),
    #[error("line {0}: more than one statement")]
    SecondStatement(usize),
    #[error("line {0}: numbered binds are not for templates")]
    NumberedBind(usize),
    #[error("the statement is empty")]
    Empty,
}

impl Fault {
    /// As whoever wrote the statement is told.
    pub fn in_serbian(self) -> String {
        let (line, what) = match self {
            Fault::OpenQuote(line) => (line, "navodnici nisu zatvoreni"),
            Fault::OpenComment(line) => (line, "komentar nije zatvoren"),
            Fault::SecondStatement(line) => (line, "dozvoljena je samo jedna naredba"),
            Fault::NumberedBind(line) => (line, "parametri se pišu po nazivu, na primer :od"),
            Fault::Empty => return "upit je prazan.".to_owned(),
        };
        format!("{what} (red {line}).")
    }

    /// The line of the fault, where it has one.
    pub fn line(self) -> Option<usize> {
        match self {
            Fault::OpenQuote(line) | Fault::OpenComment(line) | Fault::SecondStatement(line) | Fault::NumberedBind(line) => Some(line),
            Fault::Empty => None,
        }
    }
}

impl Statement {
    /// Scans `source`. Strings, quoted names, dollar quotes, comments and `::` casts are left as they are; a slice of an
    /// array with a bare name after its colon must be written with a space.
    pub fn scan(source: &str) -> Result<Self, Fault> {
        let mut scanner = Scanner {
            source,
            at: 0,
            out: String::with_capacity(source.len() + 16),
            names: Vec::new(),
            used: Vec::new(),
            joints: vec![(0, Place::START)],
            ended: false,
            empty: true,
        };
        while scanner.at < source.len() {
            scanner.step()?;
        }
        if scanner.empty {
            return Err(Fault::Empty);
        }
        Ok(Self { sql: scanner.out, names: scanner.names, used: scanner.used, joints: scanner.joints })
    }

    pub fn sql(&self) -> &str {
        &self.sql
    }

    /// The names in the order of their numbers, each once.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Where the source first uses this name.
    pub fn first_use(&self, name: &str) -> Option<Place> {
        let index = self.names.iter().position(|known| known == name)?;
        self.used.get(index).copied()
    }

    /// Where a letter of `sql`, counted from 0, stands in the source.
    pub fn place(&self, letter: usize) -> Option<Place> {
        let byte = self.sql.char_indices().map(|(byte, _)| byte).chain([self.sql.len()]).nth(letter)?;
        let (from, place) = self.joints.iter().rev().find(|(from, _)| *from <= byte)?;
        Some(place.after(&self.sql[*from..byte]))
    }
}

struct Scanner<'a> {
    source: &'a str,
    at: usize,
    out: String,
    names: Vec<String>,
    used: Vec<Place>,
    joints: Vec<(usize, Place)>,
    /// A semicolon was passed: only blanks and comments may follow.
    ended: bool,
    empty: bool,
}

impl Scanner<'_> {
    fn step(&mut self) -> Result<(), Fault> {
        let rest = &self.source[self.at..];
        let first = rest.chars().next().expect("the scan is not at the end");
        if rest.starts_with("--") {
            self.copy(rest.find('\n').unwrap_or(rest.len()));
            return Ok(());
        }
        if rest.starts_with("/*") {
            return self.comment();
        }
        if first.is_whitespace() {
            self.copy(first.len_utf8());
            return Ok(());
        }
        if self.ended {
            return Err(Fault::SecondStatement(self.line()));
        }
        self.empty = self.empty && first == ';';
        match first {
            ';' => {
                self.ended = true;
                self.at += 1;
                self.join();
                Ok(())
            }
            '\'' => self.quoted('\'', self.follows_escape_prefix()),
            '"' => self.quoted('"', false),
            '$' => self.dollar(),
            ':' if rest.starts_with("::") || rest.starts_with(":=") => {
                self.copy(2);
                Ok(())
            }
            ':' => {
                self.bind();
                Ok(())
            }
            _ if first.is_alphanumeric() || first == '_' => {
                // A whole word at once: a dollar sign inside a name opens nothing.
                self.copy(word_length(rest));
                Ok(())
            }
            _ => {
                self.copy(first.len_utf8());
                Ok(())
            }
        }
    }

    fn copy(&mut self, length: usize) {
        self.out.push_str(&self.source[self.at..self.at + length]);
        self.at += length;
    }

    fn line(&self) -> usize {
        self.source[..self.at].matches('\n').count() + 1
    }

    /// Whether the quote at hand opens an `E'…'` string, in which a backslash escapes.
    fn follows_escape_prefix(&self) -> bool {
        let mut before = self.source[..self.at].chars().rev();
        matches!(before.next(), Some('e' | 'E')) && !before.next().is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '$')
    }

    fn quoted(&mut self, quote: char, backslash: bool) -> Result<(), Fault> {
        let rest = &self.source[self.at..];
        let mut letters = rest.char_indices().skip(1);
        while let Some((index, letter)) = letters.next() {
            if backslash && letter == '\\' {
                letters.next();
            } else if letter == quote {
                // A doubled quote is two adjacent quotations to this scan, which comes to the same.
                self.copy(index + 1);
                return Ok(());
            }
        }
        Err(Fault::OpenQuote(self.line()))
    }

    fn comment(&mut self) -> Result<(), Fault> {
        let rest = &self.source[self.at..];
        let (mut depth, mut index) = (0, 0);
        while index < rest.len() {
            if rest[index..].starts_with("/*") {
                depth += 1;
                index += 2;
            } else if rest[index..].starts_with("*/") {
                depth -= 1;
                index += 2;
                if depth == 0 {
                    self.copy(index);
                    return Ok(());
                }
            } else {
                index += rest[index..].chars().next().map_or(1, char::len_utf8);
            }
        }
        Err(Fault::OpenComment(self.line()))
    }

    fn dollar(&mut self) -> Result<(), Fault> {
        let rest = &self.source[self.at..];
        if rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
            return Err(Fault::NumberedBind(self.line()));
        }
        let tag_end = rest[1..].find(|c: char| !c.is_alphanumeric() && c != '_').map(|index| index + 1);
        let Some(end) = tag_end.filter(|&end| rest[end..].starts_with('$')) else {
            self.copy(1);
            return Ok(());
        };
        let tag = &rest[..=end];
        let body = rest[tag.len()..].find(tag).ok_or_else(|| Fault::OpenQuote(self.line()))?;
        self.copy(tag.len() + body + tag.len());
        Ok(())
    }

    fn bind(&mut self) {
        let rest = &self.source[self.at + 1..];
        if !rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            self.copy(1);
            return;
        }
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let name = &rest[..length];
        let number = match self.names.iter().position(|known| known == name) {
            Some(index) => index + 1,
            None => {
                self.names.push(name.to_owned());
                self.used.push(Place::of(self.source, self.at));
                self.names.len()
            }
        };
        self.join();
        self.out.push_str(&format!("${number}"));
        self.at += 1 + length;
        self.join();
    }

    fn join(&mut self) {
        self.joints.push((self.out.len(), Place::of(self.source, self.at)));
    }
}

fn word_length(rest: &str) -> usize {
    rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scanned(source: &str) -> (String, Vec<String>) {
        let statement = Statement::scan(source).expect("a statement");
        (statement.sql, statement.names)
    }

    #[test]
    fn binds_are_numbered_by_first_use_and_repeated_ones_share_a_number() {
        let (sql, names) = scanned("select * from t where a >= :od::date and b < :do::date and c <> :od");
        assert_eq!(sql, "select * from t where a >= $1::date and b < $2::date and c <> $1");
        assert_eq!(names, ["od", "do"]);
    }

    #[test]
    fn what_looks_like_a_bind_inside_text_stays_text() {
        for source in [
            "select ':a', '12:30'",
            "select 'it''s :a'",
            r"select E'\':a'",
            "select \":a\" from t",
            "select $$ :a ' $$",
            "select $x$ :a $$ $x$",
            "select 1 -- :a",
            "select /* :a /* :b */ :c */ 1",
            "select a::text, b[1:2]",
            "select a$b::int from t",
        ] {
            let (sql, names) = scanned(source);
            assert_eq!(sql, source);
            assert!(names.is_empty(), "{source} gave {names:?}");
        }
    }

    #[test]
    fn a_backslash_escapes_only_in_escape_strings() {
        assert_eq!(scanned(r"select '\' || :a").1, ["a"]);
        assert_eq!(Statement::scan(r"select E'\' || :a"), Err(Fault::OpenQuote(1)));
        assert_eq!(scanned(r"select type'\' || :a").1, ["a"]);
    }

    #[test]
    fn a_closing_semicolon_is_dropped_and_a_second_statement_refused() {
        assert_eq!(scanned("select 1;\n-- end\n").0, "select 1\n-- end\n");
        assert_eq!(Statement::scan("select 1;\ndrop table patient"), Err(Fault::SecondStatement(2)));
        assert_eq!(Statement::scan(" ; -- nothing"), Err(Fault::Empty));
    }

    #[test]
    fn unended_quotes_comments_and_numbered_binds_are_faults_with_their_line() {
        assert_eq!(Statement::scan("select\n'a"), Err(Fault::OpenQuote(2)));
        assert_eq!(Statement::scan("select $q$ a"), Err(Fault::OpenQuote(1)));
        assert_eq!(Statement::scan("select 1 /* a"), Err(Fault::OpenComment(1)));
        assert_eq!(Statement::scan("select\n\n$1"), Err(Fault::NumberedBind(3)));
    }

    #[test]
    fn a_letter_of_the_sent_statement_is_found_in_the_source_behind_binds_and_lines() {
        let source = "select č, :datumOd::date as od\n  from unos\n where dan > :datumOd and nema = 1";
        let statement = Statement::scan(source).expect("a statement");
        let letter = statement.sql().chars().collect::<String>().find("nema").expect("the column");
        let letter = statement.sql()[..letter].chars().count();
        assert_eq!(statement.place(letter), Some(Place { line: 3, column: 27 }));
        assert_eq!(statement.place(0), Some(Place { line: 1, column: 1 }));
        assert_eq!(statement.place(10), Some(Place { line: 1, column: 11 }), "the bind itself");
        assert_eq!(statement.place(10_000), None);
        assert_eq!(statement.first_use("datumOd"), Some(Place { line: 1, column: 11 }));
        assert_eq!(statement.first_use("nema"), None);
    }

    proptest::proptest! {
        #[test]
        fn scanning_never_panics_and_keeps_text_without_colons(source in "[a-zA-Z0-9 '\"$/*\\-:;\nčš_]{0,60}") {
            if let Ok(statement) = Statement::scan(&source)
                && !source.contains([':', ';'])
            {
                proptest::prop_assert_eq!(statement.sql(), source.as_str());
            }
        }
    }
}
