//! Expressions of XLSForm and of REDCap in the language of formulas here. Only what means the same is translated; everything else says why
//! it is not.

use std::collections::HashMap;

use rust_decimal::Decimal;

use super::{
    foreign::{Kind, Known, number_of_code},
    power,
};

#[derive(Clone, Copy, PartialEq)]
pub enum Dialect {
    XlsForm,
    RedCap,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    Number(String),
    Text(String),
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    /// A field, and the option of a checkbox.
    Field(String, Option<String>),
    Literal(Literal),
    Compare(&'static str),
    Operator(&'static str),
    Word(String),
    Open,
    Close,
    Comma,
}

type Fields = HashMap<String, Known>;

/// The formula, and what whoever reads it should know. `own`: the field that a lone point speaks of.
pub fn expression(text: &str, dialect: Dialect, fields: &Fields, own: Option<&str>) -> Result<(String, Vec<String>), String> {
    let tokens = with_dates(tokens(text, dialect, own)?);
    let mut out: Vec<String> = Vec::new();
    let mut remarks = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        at += match &tokens[at..] {
            [Token::Word(word), Token::Open, Token::Field(field, None), Token::Comma, Token::Literal(literal), Token::Close, ..]
                if word == "selected" =>
            {
                out.push(compared(known(fields, field)?, "==", literal, true)?);
                6
            }
            [Token::Field(field, Some(option)), Token::Compare(sign), Token::Literal(literal), ..] => {
                out.push(checked(known(fields, field)?, option, sign, literal)?);
                3
            }
            [Token::Field(field, Some(option)), ..] => {
                let ticked = checked(known(fields, field)?, option, "==", &Literal::Number("1".to_owned()))?;
                out.push(format!("if({ticked}, 1, 0)"));
                1
            }
            [Token::Field(..), Token::Field(..), ..] => return Err("vrednost iz drugog događaja".to_owned()),
            [Token::Field(field, None), Token::Compare(sign), Token::Literal(literal), ..] => {
                out.push(compared(known(fields, field)?, sign, literal, false)?);
                3
            }
            [Token::Literal(literal), Token::Compare(sign), Token::Field(field, None), ..] => {
                out.push(compared(known(fields, field)?, turned(sign), literal, false)?);
                3
            }
            [Token::Field(field, None), ..] => {
                out.push(value(known(fields, field)?)?);
                1
            }
            [Token::Literal(Literal::Text(text)), ..] if text.is_empty() => push(&mut out, "null"),
            [Token::Literal(literal), ..] => {
                out.push(written(literal));
                1
            }
            [Token::Compare(sign) | Token::Operator(sign), ..] => {
                out.push((*sign).to_owned());
                1
            }
            [Token::Word(word), Token::Open, Token::Close, ..] => {
                out.push(constant(word)?.to_owned());
                3
            }
            [Token::Word(word), Token::Open, ..] => {
                out.push(format!("{}(", function(word, dialect, &mut remarks)?));
                2
            }
            [Token::Word(word), ..] => return Err(format!("nepoznata reč „{word}”")),
            [Token::Open, ..] => push(&mut out, "("),
            [Token::Close, ..] => push(&mut out, ")"),
            [Token::Comma, ..] => push(&mut out, ","),
            [] => 1,
        };
    }
    let out = power::as_calls(out)?;
    Ok((out.join(" ").replace("( ", "(").replace(" )", ")").replace(" ,", ","), remarks))
}

fn push(out: &mut Vec<String>, sign: &str) -> usize {
    out.push(sign.to_owned());
    1
}

fn known<'a>(fields: &'a Fields, name: &str) -> Result<&'a Known, String> {
    match fields.get(name) {
        Some(field) if field.column => Err(format!("„{name}” stoji u sekciji koja se ponavlja")),
        Some(field) => Ok(field),
        None if ["event-name", "event-label", "arm-name", "record-name", "user-name"].contains(&name) => {
            Err(format!("„{name}” govori o događaju projekta"))
        }
        None => Err(format!("nema polja „{name}”")),
    }
}

/// `date('2020-01-31')` as the day itself.
fn with_dates(tokens: Vec<Token>) -> Vec<Token> {
    let mut found = Vec::with_capacity(tokens.len());
    let mut rest = tokens.as_slice();
    while let Some(first) = rest.first() {
        match rest {
            [Token::Word(word), Token::Open, day @ Token::Literal(Literal::Text(_)), Token::Close, after @ ..] if word == "date" => {
                found.push(day.clone());
                rest = after;
            }
            _ => {
                found.push(first.clone());
                rest = &rest[1..];
            }
        }
    }
    found
}

pub fn holds_files(code: &str) -> String {
    format!("„{code}” drži fajlove")
}

fn value(field: &Known) -> Result<String, String> {
    match &field.kind {
        Kind::Set { multiple: true, .. } => Err(format!("„{}” ima više vrednosti", field.code)),
        Kind::Set { items, .. } if !items.iter().any(|(_, weight)| weight.is_some()) => Err(format!("opcije polja „{}” nemaju brojeve", field.code)),
        Kind::Set { .. } => Ok(format!("$!({})", field.code)),
        Kind::File => Err(holds_files(&field.code)),
        Kind::Nothing => Err(format!("„{}” nema vrednost", field.code)),
        Kind::Number | Kind::Text | Kind::Date | Kind::Choice => Ok(format!("$({})", field.code)),
    }
}

/// A field beside a literal. `contains`: as a function asks whether an option is among those that are chosen.
pub fn compared(field: &Known, sign: &str, literal: &Literal, contains: bool) -> Result<String, String> {
    let code = &field.code;
    let text = match literal {
        Literal::Number(text) | Literal::Text(text) => text.trim(),
    };
    if text.is_empty() {
        return match sign {
            "==" => Ok(format!("isblank($({code}))")),
            "!=" => Ok(format!("!isblank($({code}))")),
            _ => Err("poređenje sa praznim".to_owned()),
        };
    }
    match &field.kind {
        Kind::Set { multiple, items } => {
            if let ("==" | "!=", true) = (sign, items.iter().any(|(option, _)| option == text)) {
                if *multiple && !contains {
                    return Err(format!("poređenje višestrukog izbora „{code}”"));
                }
                let not = if sign == "!=" { "!" } else { "" };
                return Ok(format!("{not}{}", selected(code, text)));
            }
            let mut weights = items.iter().filter(|(_, weight)| weight.is_some()).peekable();
            let by_code = weights.peek().is_some() && weights.all(|(option, weight)| number_of_code(option) == *weight);
            match (sign, text.parse::<Decimal>()) {
                ("<" | "<=" | ">" | ">=", Ok(number)) if by_code && !multiple => Ok(format!("$!({code}) {sign} {}", number.normalize())),
                _ => Err(format!("„{code}” nema opciju „{text}”")),
            }
        }
        Kind::Choice => match (sign, truth(text)) {
            ("==", Some(true)) => Ok(format!("selected($({code}), true)")),
            ("!=", Some(true)) => Ok(format!("!selected($({code}), true)")),
            ("==", Some(false)) => Ok(format!("$({code}) == 0")),
            ("!=", Some(false)) => Ok(format!("(isblank($({code})) or $({code}) == 1)")),
            _ => Err(format!("„{code}” je da ili ne, a ne „{text}”")),
        },
        Kind::Number => match text.parse::<Decimal>() {
            Ok(number) => Ok(format!("$({code}) {sign} {}", number.normalize())),
            Err(_) => Err(format!("„{text}” nije broj")),
        },
        Kind::Text => match sign {
            "==" | "!=" => Ok(format!("$({code}) {sign} {}", quoted(text))),
            _ => Err("poređenje tekstova po veličini".to_owned()),
        },
        Kind::Date => match text.parse::<jiff::civil::Date>() {
            Ok(day) => Ok(format!("$({code}) {sign} \"{day}\"")),
            Err(_) => Err(format!("„{text}” nije datum")),
        },
        Kind::File => Err(holds_files(code)),
        Kind::Nothing => Err(format!("„{code}” nema vrednost")),
    }
}

/// An option of a checkbox, ticked or not.
fn checked(field: &Known, option: &str, sign: &str, literal: &Literal) -> Result<String, String> {
    let Kind::Set { items, .. } = &field.kind else { return Err(format!("„{}” nema opcije", field.code)) };
    if !items.iter().any(|(known, _)| known == option) {
        return Err(format!("„{}” nema opciju „{option}”", field.code));
    }
    let (Literal::Number(text) | Literal::Text(text)) = literal;
    let ticked = match (sign, text.as_str()) {
        ("==", "1") | ("!=", "0") => true,
        ("==", "0") | ("!=", "1") => false,
        _ => return Err("opcija se poredi samo sa 1 ili 0".to_owned()),
    };
    Ok(format!("{}{}", if ticked { "" } else { "!" }, selected(&field.code, option)))
}

/// An option by its code: two may weigh the same, and one may weigh nothing.
fn selected(field: &str, option: &str) -> String {
    format!("selected($({field}), {})", quoted(option))
}

fn truth(text: &str) -> Option<bool> {
    match text.to_lowercase().as_str() {
        "1" | "yes" | "da" | "true" | "y" | "ok" => Some(true),
        "0" | "no" | "ne" | "false" | "n" => Some(false),
        _ => None,
    }
}

fn turned(sign: &'static str) -> &'static str {
    match sign {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        same => same,
    }
}

fn written(literal: &Literal) -> String {
    match literal {
        Literal::Number(number) => number.clone(),
        Literal::Text(text) => quoted(text),
    }
}

/// Texts of formulas have no way to write their own quotes; one that holds both is no text then, and the formula is refused.
fn quoted(text: &str) -> String {
    if text.contains('"') { format!("'{text}'") } else { format!("\"{text}\"") }
}

fn constant(word: &str) -> Result<&'static str, String> {
    match word {
        "today" => Ok("today()"),
        "true" => Ok("true"),
        "false" => Ok("false"),
        _ => Err(format!("nema funkcije „{word}”")),
    }
}

fn function(word: &str, dialect: Dialect, remarks: &mut Vec<String>) -> Result<&'static str, String> {
    let xlsform = dialect == Dialect::XlsForm;
    Ok(match word {
        "if" => "if",
        "not" => "!",
        "round" => "round",
        "abs" => "abs",
        "sqrt" => "sqrt",
        "exp" => "exp",
        "log10" => "log10",
        "pow" => "pow",
        "min" => "min",
        "max" => "max",
        "int" if xlsform => "floor",
        "mean" if !xlsform => "avg",
        "median" if !xlsform => "median",
        "stdev" if !xlsform => "sd",
        "sum" if !xlsform => {
            remarks.push("zbir u izvoru preskače prazno, a ovde traži sve vrednosti".to_owned());
            "sum"
        }
        _ => return Err(format!("nema funkcije „{word}”")),
    })
}

fn tokens(text: &str, dialect: Dialect, own: Option<&str>) -> Result<Vec<Token>, String> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (token, taken) = match first {
            '$' if dialect == Dialect::XlsForm && rest.starts_with("${") => {
                let end = rest.find('}').ok_or("nezatvorena zagrada")?;
                (Token::Field(rest[2..end].trim().to_owned(), None), end + 1)
            }
            '[' if dialect == Dialect::RedCap => {
                let end = rest.find(']').ok_or("nezatvorena zagrada")?;
                (redcap_field(&rest[1..end]), end + 1)
            }
            '"' | '\'' => {
                let end = rest[1..].find(first).ok_or("nezatvoren navodnik")?;
                (Token::Literal(Literal::Text(rest[1..=end].to_owned())), end + 2)
            }
            '(' => (Token::Open, 1),
            ')' => (Token::Close, 1),
            ',' => (Token::Comma, 1),
            '+' => (Token::Operator("+"), 1),
            '-' => (Token::Operator("-"), 1),
            '*' => (Token::Operator("*"), 1),
            '/' if dialect == Dialect::RedCap => (Token::Operator("/"), 1),
            '^' if dialect == Dialect::RedCap => (Token::Operator("^"), 1),
            '=' => (Token::Compare("=="), if rest.starts_with("==") { 2 } else { 1 }),
            '!' if rest.starts_with("!=") => (Token::Compare("!="), 2),
            '<' if rest.starts_with("<>") => (Token::Compare("!="), 2),
            '<' if rest.starts_with("<=") => (Token::Compare("<="), 2),
            '<' => (Token::Compare("<"), 1),
            '>' if rest.starts_with(">=") => (Token::Compare(">="), 2),
            '>' => (Token::Compare(">"), 1),
            '.' => match (own, rest[1..].chars().next()) {
                (Some(own), next) if next.is_none_or(|next| !next.is_ascii_digit() && !"./".contains(next)) => {
                    (Token::Field(own.to_owned(), None), 1)
                }
                _ => return Err("znak „.”".to_owned()),
            },
            digit if digit.is_ascii_digit() => {
                let end = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(rest.len());
                (Token::Literal(Literal::Number(rest[..end].to_owned())), end)
            }
            letter if letter.is_ascii_alphabetic() => word(rest, dialect),
            other => return Err(format!("znak „{other}”")),
        };
        found.push(token);
        rest = rest[taken..].trim_start();
    }
    if found.is_empty() { Err("prazan izraz".to_owned()) } else { Ok(found) }
}

fn redcap_field(inside: &str) -> Token {
    match inside.trim().split_once('(') {
        Some((field, option)) => Token::Field(field.trim().to_owned(), Some(option.trim_end_matches(')').trim().to_owned())),
        None => Token::Field(inside.trim().to_owned(), None),
    }
}

fn word(rest: &str, dialect: Dialect) -> (Token, usize) {
    let belongs = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || (dialect == Dialect::XlsForm && "-.:".contains(letter));
    let end = rest.find(|letter: char| !belongs(letter)).unwrap_or(rest.len());
    let word = rest[..end].to_lowercase();
    let token = match word.as_str() {
        "and" => Token::Operator("and"),
        "or" => Token::Operator("or"),
        "div" if dialect == Dialect::XlsForm => Token::Operator("/"),
        "mod" if dialect == Dialect::XlsForm => Token::Operator("%"),
        _ => Token::Word(word),
    };
    (token, end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields() -> Fields {
        let set =
            |multiple| Kind::Set { multiple, items: [("1", Some(1)), ("2", Some(2)), ("UNK", None)].map(|(code, weight)| (code.to_owned(), weight.map(Decimal::from))).into() };
        let all = [
            ("a", Kind::Number),
            ("b", Kind::Number),
            ("s", set(false)),
            ("m", set(true)),
            ("c", Kind::Choice),
            ("t", Kind::Text),
            ("d", Kind::Date),
        ];
        all.map(|(name, kind)| (name.to_owned(), Known { code: name.to_owned(), kind, column: false })).into()
    }

    fn of(text: &str, dialect: Dialect) -> Result<String, String> {
        expression(text, dialect, &fields(), None).map(|(formula, _)| formula)
    }

    #[test]
    fn a_lone_point_is_the_value_that_is_constrained() {
        for (source, formula) in [
            (". <= ${b}", Ok("$(a) <= $(b)")),
            (".>1 or . = 99", Ok("$(a) > 1 or $(a) == 99")),
            (". div ${b} < 2", Ok("$(a) / $(b) < 2")),
            ("../b > 1", Err("znak „.”")),
            ("string-length(.) = 3", Err("nema funkcije „string-length”")),
        ] {
            let found = expression(source, Dialect::XlsForm, &fields(), Some("a")).map(|(formula, _)| formula);
            assert_eq!(found, formula.map(str::to_owned).map_err(str::to_owned), "{source}");
        }
        let day = expression(". >= date('2020-01-31') and . <= today()", Dialect::XlsForm, &fields(), Some("d"));
        assert_eq!(day.map(|(formula, _)| formula), Ok("$(d) >= \"2020-01-31\" and $(d) <= today()".to_owned()));
        let many = expression("not(selected(., '1') and selected (., '2'))", Dialect::XlsForm, &fields(), Some("m"));
        assert_eq!(many.map(|(formula, _)| formula), Ok("!(selected($(m), \"1\") and selected($(m), \"2\"))".to_owned()));
    }

    #[test]
    fn xlsform_that_means_the_same_is_translated() {
        for (source, formula) in [
            ("${a} + ${b}", "$(a) + $(b)"),
            ("round(${a} div (${b} * ${b}), 1)", "round($(a) / ($(b) * $(b)), 1)"),
            ("${s} = '2' and ${a} >= 18", "selected($(s), \"2\") and $(a) >= 18"),
            ("${s} = 'UNK' or ${s} > 1", "selected($(s), \"UNK\") or $!(s) > 1"),
            ("selected(${m}, '1') or not(${c} = 'yes')", "selected($(m), \"1\") or !(selected($(c), true))"),
            ("${t} != ''", "!isblank($(t))"),
            ("if(${a} > 3, 1, 0)", "if($(a) > 3, 1, 0)"),
        ] {
            assert_eq!(of(source, Dialect::XlsForm).as_deref(), Ok(formula), "{source}");
        }
    }

    #[test]
    fn redcap_that_means_the_same_is_translated() {
        for (source, formula) in [
            ("[a]+[b]", "$(a) + $(b)"),
            ("[s]='1' or [m(2)]='1'", "selected($(s), \"1\") or selected($(m), \"2\")"),
            ("[m(1)] = '0'", "!selected($(m), \"1\")"),
            ("[s]+[s]", "$!(s) + $!(s)"),
            ("[c] = '0'", "$(c) == 0"),
            ("[b]/(([a]/100)^2)", "$(b) / (pow(($(a) / 100), 2))"),
            ("round([a]^0.5,1) - ([b])^(-2)", "round(pow($(a), 0.5), 1) - pow(($(b)), (- 2))"),
            ("sqrt([a])^[b]", "pow(sqrt($(a)), $(b))"),
            ("[a] <> \"\"", "!isblank($(a))"),
            ("if([a] = '7', '', [b])", "if($(a) == 7, null, $(b))"),
        ] {
            assert_eq!(of(source, Dialect::RedCap).as_deref(), Ok(formula), "{source}");
        }
    }

    #[test]
    fn what_has_no_like_says_why() {
        for (source, why) in [
            ("count-selected(${m})", "nema funkcije „count-selected”"),
            ("${nema} = 1", "nema polja „nema”"),
            ("${m} = '1'", "poređenje višestrukog izbora „m”"),
            ("${s} = '7'", "„s” nema opciju „7”"),
            ("../a", "znak „.”"),
            ("", "prazan izraz"),
            (". > 1", "znak „.”"),
        ] {
            assert_eq!(of(source, Dialect::XlsForm), Err(why.to_owned()), "{source}");
        }
        assert_eq!(
            of("[baseline_arm_1][a] > 1", Dialect::RedCap),
            Err("nema polja „baseline_arm_1”".to_owned()).or(Err("vrednost iz drugog događaja".to_owned()))
        );
        assert_eq!(of("[a]^2^[b]", Dialect::RedCap), Err("stepen stepena, koji se čita dvojako".to_owned()));
        assert_eq!(of("^[b]", Dialect::RedCap), Err("znak „^” bez osnove".to_owned()));
        assert_eq!(of("[a]^", Dialect::RedCap), Err("znak „^” bez izložioca".to_owned()));
        assert_eq!(of("datediff([d], 'today', 'y')", Dialect::RedCap), Err("nema funkcije „datediff”".to_owned()));
    }
}
