//! How often the server would compute one expression of a statement while it plans it: a subquery's column is put in place of each use of it,
//! and what is constant is computed there and then, for which no time is bounded (decision 0071). A statement that makes too many copies is
//! refused before the server sees it.

use std::collections::HashMap;

use super::calls::{SPELT, blank, token};

/// Copies of all subqueries together. A report that was chosen on the screen makes some hundreds.
const MOST: u64 = 200_000;
/// Copies of what is long to compute, or makes long texts.
const MOST_HEAVY: u64 = 400;
const HEAVY: &[&str] = &[
    "bpchar",
    "cbrt",
    "char",
    "character",
    "exp",
    "factorial",
    "format",
    "ln",
    "log",
    "log10",
    "nchar",
    "normalize",
    "overlay",
    "pow",
    "power",
    "regexp_replace",
    "repeat",
    "replace",
    "sqrt",
];
/// A constant of so many bytes is one, too.
const LONG: usize = 1_000;
/// Words that name nothing of a subquery.
const GRAMMAR: &[&str] = &[
    "all",
    "and",
    "any",
    "as",
    "asc",
    "between",
    "by",
    "case",
    "coalesce",
    "cross",
    "desc",
    "distinct",
    "else",
    "end",
    "exists",
    "false",
    "filter",
    "first",
    "from",
    "full",
    "group",
    "having",
    "ilike",
    "in",
    "inner",
    "interval",
    "is",
    "join",
    "last",
    "lateral",
    "left",
    "like",
    "limit",
    "not",
    "null",
    "nulls",
    "on",
    "or",
    "order",
    "outer",
    "over",
    "partition",
    "right",
    "select",
    "then",
    "true",
    "when",
    "where",
];
/// A subquery with one of these is planned by itself.
const APART: &[&str] = &["distinct", "fetch", "group", "having", "limit", "offset"];
/// Selects of a statement: three thousand within one another keep the planner busy for minutes.
const MOST_SELECTS: usize = 500;
/// What two subqueries copy of one another is known after a few looks at all of them.
const LOOKS: usize = 64;

/// A select, without those inside it.
#[derive(Default)]
struct Select {
    /// How often each name is used.
    used: HashMap<String, u64>,
    heavy: u64,
    apart: bool,
    /// How many parentheses are open around it.
    depth: usize,
    has_from: bool,
    /// Selects that stand inside, but for those that `with` names.
    inside: Vec<usize>,
    /// Of these, those that are a value here: what they use is used here.
    values: Vec<usize>,
}

impl Select {
    /// How often a column of what is inside may stand here.
    fn copies(&self) -> u64 {
        self.used.values().copied().max().unwrap_or(1)
    }
}

/// Whether planning the statement would take longer than anybody waits for.
pub(super) fn too_many(sql: &str) -> bool {
    let (selects, named) = Reader::read(sql);
    if selects.len() > MOST_SELECTS {
        return true;
    }
    let ways: Vec<Vec<usize>> = selects
        .iter()
        .enumerate()
        .map(|(at, select)| {
            let by_name = select.used.keys().filter_map(|name| named.get(name)).filter(|other| **other != at);
            let all = select.inside.iter().chain(by_name).copied();
            all.filter(|inner| !selects[*inner].apart).collect()
        })
        .collect();
    let mut copies = vec![1_u64; selects.len()];
    let mut settled = false;
    for look in 0..LOOKS {
        settled = true;
        for index in 0..selects.len() {
            let at = if look % 2 == 0 { index } else { selects.len() - 1 - index };
            let here = copies[at].saturating_mul(selects[at].copies()).min(MOST + 1);
            for inner in &ways[at] {
                settled &= copies[*inner] >= here;
                copies[*inner] = copies[*inner].max(here);
            }
        }
        if settled {
            break;
        }
    }
    let heavy = selects.iter().zip(&copies).map(|(select, copies)| select.heavy.saturating_mul(*copies)).fold(0, u64::saturating_add);
    !settled || copies.iter().copied().fold(0, u64::saturating_add) > MOST.saturating_add(selects.len() as u64) || heavy > MOST_HEAVY
}

/// Reads the selects of a statement, the outermost first, and those that `with` names.
struct Reader {
    selects: Vec<Select>,
    named: HashMap<String, usize>,
    here: usize,
    /// The select around each open parenthesis, and how many tokens stand before it.
    open: Vec<(usize, usize)>,
    /// The tokens so far; what a closed parenthesis holds is one.
    before: Vec<String>,
}

impl Reader {
    fn read(sql: &str) -> (Vec<Select>, HashMap<String, usize>) {
        let mut reader = Self { selects: vec![Select::default()], named: HashMap::new(), here: 0, open: Vec::new(), before: Vec::new() };
        let mut rest = beyond_blanks(sql);
        while !rest.is_empty() {
            let (length, word) = token(rest);
            let (text, behind) = rest.split_at(length);
            rest = beyond_blanks(behind);
            match (text, word) {
                ("(", _) => reader.open(rest),
                (")", _) => reader.close(),
                (text, Some(word)) => reader.word(word, text.starts_with('"'), rest),
                (text, None) => reader.sign(text),
            }
        }
        reader.use_values();
        (reader.selects, reader.named)
    }

    fn last(&self) -> &str {
        self.before.last().map_or("", String::as_str)
    }

    fn open(&mut self, after: &str) {
        let begins = |word: String| ["select", "values", "with"].contains(&word.as_str());
        let is_select = !after.starts_with('"') && token(after).1.is_some_and(begins);
        self.open.push((self.here, self.before.len()));
        if is_select {
            let inner = self.selects.len();
            let mut select = Select { depth: self.open.len(), ..Select::default() };
            let around = &self.selects[self.here];
            let is_table = ["from", "join", "lateral"].contains(&self.last()) || self.last() == "," && around.has_from;
            match name_of(&self.before) {
                Some((name, materialized)) => {
                    select.apart = materialized;
                    self.named.insert(name, inner);
                }
                None => {
                    self.selects[self.here].inside.push(inner);
                    if !is_table {
                        self.selects[self.here].values.push(inner);
                    }
                }
            }
            self.selects.push(select);
            self.here = inner;
        }
        self.before.push("(".to_owned());
    }

    fn close(&mut self) {
        let (around, length) = self.open.pop().unwrap_or_default();
        self.here = around;
        self.before.truncate(length);
        self.before.push("()".to_owned());
    }

    fn word(&mut self, word: String, quoted: bool, after: &str) {
        let (is_first, is_named, depth) = (self.last() == "select", ["::", "as"].contains(&self.last()), self.open.len());
        let select = &mut self.selects[self.here];
        let plain = !quoted && word != SPELT;
        select.has_from |= plain && word == "from" && depth == select.depth;
        select.apart |= plain && APART.contains(&word.as_str()) && depth == select.depth && (word != "distinct" || is_first);
        select.heavy += u64::from(word == SPELT || HEAVY.contains(&word.as_str()) && after.starts_with('('));
        if !(plain && GRAMMAR.contains(&word.as_str()) || is_named || after.starts_with(['(', '.'])) {
            *select.used.entry(word.clone()).or_default() += 1;
        }
        self.before.push(word);
    }

    fn sign(&mut self, text: &str) {
        self.selects[self.here].heavy += u64::from(text == "^" || text.len() > LONG);
        let is_cast = text == ":" && self.last() == ":";
        if is_cast {
            self.before.pop();
        }
        self.before.push(if is_cast { "::".to_owned() } else { text.chars().take(1).collect() });
    }

    /// A select that is a value reads the columns around it.
    fn use_values(&mut self) {
        for at in (0..self.selects.len()).rev() {
            for value in std::mem::take(&mut self.selects[at].values) {
                let used = self.selects[value].used.clone();
                for (name, times) in used {
                    *self.selects[at].used.entry(name).or_default() += times;
                }
            }
        }
    }
}

fn beyond_blanks(mut rest: &str) -> &str {
    while !rest.is_empty() && blank(rest) > 0 {
        rest = &rest[blank(rest)..];
    }
    rest
}

/// What `with` calls the select that begins here (`name as (`, `name (columns) as not materialized (`), and whether it stands by itself.
fn name_of(before: &[String]) -> Option<(String, bool)> {
    let mut words = before.iter().rev().map(String::as_str).peekable();
    let mut materialized = words.next_if_eq(&"materialized").is_some();
    materialized &= words.next_if_eq(&"not").is_none();
    words.next_if_eq(&"as")?;
    words.next_if_eq(&"()");
    words.next().map(|name| (name.to_owned(), materialized))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(levels: usize, innermost: &str, grown: &str) -> String {
        let from = (0..levels).fold(innermost.to_owned(), |below, level| format!("select {grown} as a from ({below}) s{level}"));
        format!("select length(a::text) from ({from}) s")
    }

    #[test]
    fn what_doubles_is_counted_whatever_it_is_called() {
        for sql in [
            nested(18, "select 'x'::text as a", "a || a"),
            nested(18, "select 'x'::text as \"select\"", "\"select\" || \"select\"").replace(" as a ", " as \"select\" "),
            nested(18, "select 'x'", "\"?column?\" || \"?column?\"").replace(" as a ", " "),
            nested(18, "select 'x'::text as a", "(select a || a)"),
            nested(18, "select 'x'::text as \"select\"", "(\"select\" || \"select\")").replace(" as a ", " as \"select\" "),
            nested(18, "select 'x'::text as \"group\"", "\"group\" || \"group\"").replace(" as a ", " as \"group\" "),
            nested(11, "select 'x'::char(10000000)::text as a", "a || a"),
            nested(11, "select ('x'::\"bpchar\"(10000000))::text as a", "a || a"),
            nested(11, "select exp(3.1::numeric(1000, 990)) as a", "a + a"),
            nested(11, "select 9.99999 ^ 100000::numeric as a", "a + a"),
            nested(2, "select exp(3.1) as a", &["a"; 32].join(" + ")),
            format!("select {} 1", "exp(3.1::numeric(1000, 990)) + ".repeat(401)),
            {
                let parts: Vec<String> = (1..600).map(|n| format!("t{n} as (select a from t{})", n - 1)).collect();
                format!("with t0 as (select 1 as a), {} select a from t599", parts.join(", "))
            },
            {
                let parts: Vec<String> = (1..20).map(|n| format!("t{n} (a) as not materialized (select a || a from t{})", n - 1)).collect();
                format!("with t0 (a) as (select 'x'::text), {} select length(a) from t19", parts.join(", "))
            },
        ] {
            assert!(too_many(&sql), "{sql}");
        }
    }

    #[test]
    fn reports_as_they_are_written_are_none() {
        let parts = |word: &str| {
            let parts: Vec<String> = (1..20).map(|n| format!("t{n} as {word} (select a || a as a from t{})", n - 1)).collect();
            format!("with t0 as (select 'x'::text as a), {} select length(a) from t19", parts.join(", "))
        };
        for sql in [
            "select 1".to_owned(),
            format!("select {} 1", "p.godina_rodjenja + ".repeat(1_000)),
            parts("materialized"),
            nested(30, "select 'x'::text as a", "max(a)"),
            nested(18, "select 'x'::text as a", "a || a").replace(") s", " offset 0) s"),
            "select * from (select 141 * (b / 0.9) ^ -1.2 * 0.993 ^ g as egfr from unos) u where egfr < 60 or egfr is null or egfr > 90"
                .to_owned(),
        ] {
            assert!(!too_many(&sql), "{sql}");
        }
    }

    proptest::proptest! {
        #[test]
        fn reading_never_panics(source in "[a-z0-9 '\"$/*\\-:;(),.^&\\\\\nčš_]{0,60}|((select|with|as|\\(|\\)|a|,) ?){0,40}") {
            too_many(&source);
        }
    }
}
