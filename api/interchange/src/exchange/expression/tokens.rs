//! The text of an expression cut into tokens.

use super::{Dialect, Reference, Sign};

#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    Number(f64),
    Text(String),
    Field(Reference),
    /// A field and an option of it.
    Ticked(String, String),
    Word(String),
    Sign(Sign),
    Open,
    Close,
    Comma,
}

pub fn tokens(text: &str, dialect: Dialect) -> Result<Vec<Token>, String> {
    let plain = plain_text(text, dialect);
    let mut found: Vec<Token> = Vec::new();
    let mut rest = plain.trim_start();
    while !rest.is_empty() {
        let (token, taken) = match dialect {
            Dialect::XlsForm => of_xpath(rest, found.last())?,
            Dialect::RedCap => of_redcap(rest)?,
        };
        found.push(token);
        rest = rest[taken..].trim_start();
    }
    if found.is_empty() { Err("prazan izraz".to_owned()) } else { Ok(found) }
}

/// Quotes of a word processor are straight ones to pyxform; a line of REDCap that begins with `#` or `//` is a comment.
fn plain_text(text: &str, dialect: Dialect) -> String {
    match dialect {
        Dialect::XlsForm => text.replace(['“', '”'], "\"").replace(['‘', '’'], "'"),
        Dialect::RedCap => {
            let is_comment = |line: &&str| line.trim_start().starts_with('#') || line.trim_start().starts_with("//");
            text.lines().filter(|line| !is_comment(line)).collect::<Vec<_>>().join("\n")
        }
    }
}

fn of_xpath(rest: &str, before: Option<&Token>) -> Result<(Token, usize), String> {
    if rest.starts_with("${") {
        let end = rest.find('}').ok_or("nezatvorena zagrada")?;
        return Ok((Token::Field(Reference::Name(rest[2..end].trim().trim_start_matches("last-saved#").to_owned())), end + 1));
    }
    if let Some(path) = rest.strip_prefix("current()/") {
        let end = path_end(path);
        return Ok((Token::Field(Reference::Path(path[..end].to_owned())), "current()/".len() + end));
    }
    let first = rest.chars().next().unwrap_or_default();
    let next = rest[first.len_utf8()..].chars().next();
    match first {
        '.' if next.is_some_and(|next| next == '.' || next == '/') => {
            let end = path_end(rest);
            Ok((Token::Field(Reference::Path(rest[..end].to_owned())), end))
        }
        '.' if next.is_none_or(|next| !next.is_ascii_digit()) => Ok((Token::Field(Reference::Own), 1)),
        '/' => {
            let end = path_end(rest);
            if end < 2 { Err("znak „/”".to_owned()) } else { Ok((Token::Field(Reference::Path(rest[..end].to_owned())), end)) }
        }
        letter if letter.is_alphabetic() || letter == '_' => Ok(xpath_word(rest, before)),
        _ => common(rest, first),
    }
}

/// A word is an operator where something stands before it that it can join, a function before a bracket, else a path.
fn xpath_word(rest: &str, before: Option<&Token>) -> (Token, usize) {
    let end = rest.find(|letter: char| !(letter.is_alphanumeric() || "_-.:".contains(letter))).unwrap_or(rest.len());
    let word = &rest[..end];
    let joins = matches!(before, Some(Token::Number(_) | Token::Text(_) | Token::Field(_) | Token::Ticked(..) | Token::Close));
    let sign = match word.to_lowercase().as_str() {
        "and" => Some(Sign::And),
        "or" => Some(Sign::Or),
        "div" => Some(Sign::Divide),
        "mod" => Some(Sign::Remainder),
        _ => None,
    };
    if let Some(sign) = sign.filter(|_| joins) {
        return (Token::Sign(sign), end);
    }
    if rest[end..].trim_start().starts_with('(') {
        return (Token::Word(word.to_lowercase()), end);
    }
    let end = path_end(rest);
    (Token::Field(Reference::Path(format!("./{}", &rest[..end]))), end)
}

/// Steps of names, points and slashes.
fn path_end(path: &str) -> usize {
    path.find(|letter: char| !(letter.is_alphanumeric() || "_-.:/".contains(letter))).unwrap_or(path.len())
}

fn of_redcap(rest: &str) -> Result<(Token, usize), String> {
    let first = rest.chars().next().unwrap_or_default();
    match first {
        '[' => {
            let end = rest.find(']').ok_or("nezatvorena zagrada")?;
            Ok((redcap_field(&rest[1..end])?, end + 1))
        }
        '/' => Ok((Token::Sign(Sign::Divide), 1)),
        '^' => Ok((Token::Sign(Sign::Power), 1)),
        '%' => Ok((Token::Sign(Sign::Remainder), 1)),
        '&' if rest.starts_with("&&") => Ok((Token::Sign(Sign::And), 2)),
        '|' if rest.starts_with("||") => Ok((Token::Sign(Sign::Or), 2)),
        letter if letter.is_ascii_alphabetic() => {
            let end = rest.find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_')).unwrap_or(rest.len());
            let word = rest[..end].to_lowercase();
            let token = match word.as_str() {
                "and" => Token::Sign(Sign::And),
                "or" => Token::Sign(Sign::Or),
                _ => Token::Word(word),
            };
            Ok((token, end))
        }
        _ => common(rest, first),
    }
}

fn redcap_field(inside: &str) -> Result<Token, String> {
    let inside = inside.trim();
    if let Some((field, modifier)) = inside.split_once(':') {
        return Err(format!("„{field}” uz dodatak „:{modifier}”"));
    }
    Ok(match inside.split_once('(') {
        Some((field, option)) => Token::Ticked(field.trim().to_owned(), option.trim_end_matches(')').trim().to_owned()),
        None => Token::Field(Reference::Name(inside.to_owned())),
    })
}

fn common(rest: &str, first: char) -> Result<(Token, usize), String> {
    let signs = [
        ("==", Sign::Equal),
        ("!=", Sign::Unequal),
        ("<>", Sign::Unequal),
        ("<=", Sign::AtMost),
        (">=", Sign::AtLeast),
        ("=", Sign::Equal),
        ("<", Sign::Less),
        (">", Sign::More),
        ("+", Sign::Add),
        ("-", Sign::Subtract),
        ("*", Sign::Multiply),
    ];
    if let Some((text, sign)) = signs.into_iter().find(|(text, _)| rest.starts_with(text)) {
        return Ok((Token::Sign(sign), text.len()));
    }
    match first {
        '"' | '\'' => {
            let end = rest[1..].find(first).ok_or("nezatvoren navodnik")?;
            Ok((Token::Text(rest[1..=end].to_owned()), end + 2))
        }
        '(' => Ok((Token::Open, 1)),
        ')' => Ok((Token::Close, 1)),
        ',' => Ok((Token::Comma, 1)),
        digit if digit.is_ascii_digit() || digit == '.' => {
            let end = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(rest.len());
            let number = rest[..end].parse().map_err(|_| format!("„{}” nije broj", &rest[..end]))?;
            Ok((Token::Number(number), end))
        }
        other => Err(format!("znak „{other}”")),
    }
}
