//! What a statement calls by name, read from its text: for servers whose owner may not take functions from reports (decision 0071).
//!
//! There is no call without the name of the function, so a text without the name has no call. A word that is no call at all, a column
//! list of an alias for example, is read as one; it is refused only where the server has a function of that name.

use std::collections::HashSet;

/// A name whose letters are written as numbers: it could be any.
pub(super) const SPELT: &str = "U&";

/// The words before an opening parenthesis, as the server reads them. `sql` has been scanned: whatever it opens, it closes.
pub(super) fn called(sql: &str) -> HashSet<String> {
    let mut names = HashSet::new();
    let mut name: Option<String> = None;
    let mut rest = sql;
    while let Some(first) = rest.chars().next() {
        let length = blank(rest);
        if length > 0 {
            rest = &rest[length..];
            continue;
        }
        if first == '(' {
            names.extend(name.take());
        }
        let (length, word) = token(rest);
        if word.as_deref() == Some(SPELT) {
            names.insert(SPELT.to_owned());
        }
        name = word;
        rest = &rest[length..];
    }
    names
}

/// Whether the server takes a letter for a part of a name: whatever is no ASCII is one to it, spaces of other alphabets too.
fn is_of_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || !letter.is_ascii()
}

fn begins_name(letter: char) -> bool {
    is_of_name(letter) && !letter.is_ascii_digit()
}

/// Spaces, as the server knows them, and comments.
pub(super) fn blank(rest: &str) -> usize {
    if rest.starts_with([' ', '\t', '\n', '\r', '\x0b', '\x0c']) {
        return 1;
    }
    if rest.starts_with("--") {
        return rest.find(['\n', '\r']).unwrap_or(rest.len());
    }
    if !rest.starts_with("/*") {
        return 0;
    }
    let (mut depth, mut at) = (0_usize, 0);
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest[at..].starts_with("*/") {
            (depth, at) = (depth.saturating_sub(1), at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

/// How long the token is, and the word if it is one.
pub(super) fn token(rest: &str) -> (usize, Option<String>) {
    let first = rest.chars().next().unwrap_or_default();
    let lower = |text: &str| text.get(..2).map(str::to_ascii_lowercase);
    match first {
        '\'' => (quoted(rest, '\'', false), None),
        '"' => {
            let length = quoted(rest, '"', false);
            let inside = rest[1..length].strip_suffix('"').unwrap_or(&rest[1..length]);
            (length, Some(inside.replace("\"\"", "\"")))
        }
        '$' => (dollar(rest), None),
        'e' | 'E' if rest[1..].starts_with('\'') => (escaped(rest), None),
        'u' | 'U' if lower(rest).as_deref() == Some("u&") && rest[2..].starts_with('"') => {
            (2 + quoted(&rest[2..], '"', false), Some(SPELT.to_owned()))
        }
        _ if begins_name(first) => {
            let length = rest.find(|letter| !is_of_name(letter) && letter != '$').unwrap_or(rest.len());
            (length, Some(rest[..length].to_ascii_lowercase()))
        }
        _ => (first.len_utf8(), None),
    }
}

/// The length of a quotation; a doubled quote is in it.
fn quoted(rest: &str, quote: char, backslash: bool) -> usize {
    let mut letters = rest.char_indices().skip(1).peekable();
    while let Some((at, letter)) = letters.next() {
        if backslash && letter == '\\' || letter == quote && letters.next_if(|(_, next)| *next == quote).is_some() {
            if letter != quote {
                letters.next();
            }
        } else if letter == quote {
            return at + 1;
        }
    }
    rest.len()
}

/// The length of an `E'…'`, whose parts go on behind blanks: a backslash escapes in each of them.
fn escaped(rest: &str) -> usize {
    let mut length = 1 + quoted(&rest[1..], '\'', true);
    loop {
        let mut next = length;
        while next < rest.len() && blank(&rest[next..]) > 0 {
            next += blank(&rest[next..]);
        }
        if next == length || !rest[next..].starts_with('\'') {
            return length;
        }
        length = next + quoted(&rest[next..], '\'', true);
    }
}

/// A number of a bind opens nothing.
fn dollar(rest: &str) -> usize {
    let end = rest[1..].find(|letter| !is_of_name(letter)).map(|index| index + 1);
    let opens = |end: &usize| rest[*end..].starts_with('$') && !rest[1..].starts_with(|letter: char| letter.is_ascii_digit());
    let Some(end) = end.filter(opens) else { return 1 };
    let tag = &rest[..=end];
    rest[tag.len()..].find(tag).map_or(rest.len(), |body| tag.len() + body + tag.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_a_call_is_read_and_no_text_is_one() {
        for source in [
            "select query_to_xml('select 1', true, true, '')",
            "select QUERY_TO_XML ('x')",
            "select pg_catalog.query_to_xml/* ( */-- (\n('x')",
            "select \"query_to_xml\"('x')",
            "select E'it\\'s', query_to_xml($$ ) $$)",
            "select 'it''s', query_to_xml(1)",
            "select \"a\"\"b\", query_to_xml(1)",
            // What opens or ends a quotation for the server alone would hide what stands behind it.
            "select E'a'\n'\\'' , query_to_xml(1) --'",
            "select E'a' -- x\n '\\'' , query_to_xml(1) --'",
            "select $\u{a0}$ ' $\u{a0}$ , query_to_xml(1) --'",
            "select 1 as a\u{263a}$x$, query_to_xml(1), 2 as b\u{263a}$x$",
            "select 1 as a\u{a0}$x$, query_to_xml(1), 2 as b\u{a0}$x$",
            "select $1$$ ' $$, query_to_xml(1) --'",
            "select 1 -- x\r, query_to_xml(1)",
        ] {
            assert!(called(source).contains("query_to_xml"), "{source}: {:?}", called(source));
        }
        assert!(called("select U&\"\\0071uery_to_xml\"('x')").contains(SPELT));
        for source in
            ["select 'query_to_xml(1)'", "select $x$ query_to_xml(1) $x$", "select 1 -- query_to_xml(1)", "select query_to_xml, (1)"]
        {
            assert!(!called(source).contains("query_to_xml"), "{source}");
        }
    }

    proptest::proptest! {
        #[test]
        fn reading_never_panics(source in "[a-zA-Z0-9 '\"$/*\\-:;(&\\\\\nčš_]{0,60}") {
            called(&source);
        }
    }
}
