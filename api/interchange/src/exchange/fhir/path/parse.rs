//! The text of an expression as a tree; a variable stands for its own expression.

use std::collections::{BTreeSet, HashMap};

use super::{Path, Sign};

const DEEPEST: usize = 60;
/// That stand in each other.
const MOST_VARIABLES: usize = 20;
/// Words and signs of an expression with those of its variables, wherever they stand: none is deeper than that.
const MOST_TOKENS: usize = 2_000;

/// From the loosest to the tightest.
const LEVELS: [&[(&str, Sign)]; 8] = [
    &[("implies", Sign::Implies)],
    &[("or", Sign::Or), ("xor", Sign::Xor)],
    &[("and", Sign::And)],
    &[("in", Sign::In), ("contains", Sign::Contains)],
    &[("=", Sign::Equal), ("!=", Sign::Unequal)],
    &[("<=", Sign::AtMost), (">=", Sign::AtLeast), ("<", Sign::Less), (">", Sign::More)],
    &[("|", Sign::Union)],
    &[("+", Sign::Add), ("-", Sign::Subtract), ("&", Sign::Join)],
];
const TIGHTEST: [(&str, Sign); 4] = [("*", Sign::Multiply), ("/", Sign::Divide), ("div", Sign::Whole), ("mod", Sign::Remainder)];

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Number(f64),
    Text(String),
    Word(String),
    Variable(String),
    Sign(&'static str),
}

/// The expression of a variable.
#[derive(Clone, Copy, Debug)]
pub struct VariableText<'a> {
    pub text: &'a str,
    /// It stands outside of the row in which it is read, and sees all rows.
    pub is_outer: bool,
}

/// `used` gets the names of the variables that stand in it.
pub fn parse(text: &str, variables: &HashMap<&str, VariableText<'_>>, used: &mut BTreeSet<String>) -> Result<Path, String> {
    Reader { variables, used, count: 0, within: Vec::new(), is_outer: false }.read(text)
}

struct Reader<'a> {
    variables: &'a HashMap<&'a str, VariableText<'a>>,
    used: &'a mut BTreeSet<String>,
    count: usize,
    /// The variables whose expressions are being read.
    within: Vec<String>,
    /// Whether what is being read stands outside of the row.
    is_outer: bool,
}

impl Reader<'_> {
    fn read(&mut self, text: &str) -> Result<Path, String> {
        let tokens = tokens(text)?;
        self.count += tokens.len();
        if self.count > MOST_TOKENS {
            return Err("izraz je predugačak".to_owned());
        }
        let mut parser = Parser { tokens, next: 0, depth: 0, reader: self };
        let path = parser.level(0)?;
        if parser.next < parser.tokens.len() { Err("nejasan izraz".to_owned()) } else { Ok(path) }
    }

    fn variable(&mut self, name: &str) -> Result<Path, String> {
        match name {
            "resource" | "rootResource" => return Ok(Path::Root),
            "context" => return Ok(self.context()),
            "questionnaire" => return Ok(Path::Form),
            _ => {}
        }
        let Some(VariableText { text, is_outer }) = self.variables.get(name).copied() else {
            return Err(format!("nema izraza „{name}”"));
        };
        if self.within.len() >= MOST_VARIABLES {
            return Err("izraz je preduboko ugnežđen".to_owned());
        }
        if self.within.iter().any(|known| known == name) {
            return Err(format!("izraz „{name}” čita sam sebe"));
        }
        self.used.insert(name.to_owned());
        self.within.push(name.to_owned());
        let around = self.is_outer;
        self.is_outer |= is_outer;
        let path = self.read(text)?;
        self.is_outer = around;
        self.within.pop();
        Ok(path)
    }

    fn context(&self) -> Path {
        if self.is_outer { Path::Outer } else { Path::Context }
    }
}

struct Parser<'p, 'a> {
    tokens: Vec<Token>,
    next: usize,
    depth: usize,
    reader: &'p mut Reader<'a>,
}

impl Parser<'_, '_> {
    fn level(&mut self, level: usize) -> Result<Path, String> {
        let Some(signs) = LEVELS.get(level) else { return self.tightest() };
        let mut left = self.level(level + 1)?;
        while let Some(sign) = self.sign(signs) {
            let right = self.level(level + 1)?;
            left = Path::Binary(sign, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn tightest(&mut self) -> Result<Path, String> {
        let mut left = self.unary()?;
        while let Some(sign) = self.sign(&TIGHTEST) {
            let right = self.unary()?;
            left = Path::Binary(sign, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn sign(&mut self, signs: &[(&str, Sign)]) -> Option<Sign> {
        let written = match self.tokens.get(self.next)? {
            Token::Sign(sign) => *sign,
            Token::Word(word) => word.as_str(),
            _ => return None,
        };
        let found = signs.iter().find(|(known, _)| *known == written).map(|(_, sign)| *sign)?;
        self.next += 1;
        Some(found)
    }

    fn unary(&mut self) -> Result<Path, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("izraz je preduboko ugnežđen".to_owned());
        }
        let path = if self.eat("-") { Path::Minus(Box::new(self.unary()?)) } else { self.chain()? };
        self.depth -= 1;
        // A value of the type that its question has anyway.
        if matches!(self.tokens.get(self.next), Some(Token::Word(word)) if word == "as") {
            self.next += 1;
            self.chain()?;
        }
        Ok(path)
    }

    fn chain(&mut self) -> Result<Path, String> {
        let mut path = self.first()?;
        loop {
            if self.eat("[") {
                let is_first = self.tokens.get(self.next) == Some(&Token::Number(0.0));
                self.next += 1;
                if !(is_first && self.eat("]")) {
                    return Err("jedan od više odgovora po redu".to_owned());
                }
                path = Path::Call(Some(Box::new(path)), "first".to_owned(), Vec::new());
            } else if self.eat(".") {
                path = self.behind(path)?;
            } else {
                return Ok(path);
            }
        }
    }

    fn behind(&mut self, path: Path) -> Result<Path, String> {
        let Some(Token::Word(name)) = self.tokens.get(self.next).cloned() else { return Err("nejasan izraz iza tačke".to_owned()) };
        self.next += 1;
        if !self.eat("(") {
            return Ok(Path::Member(Box::new(path), name));
        }
        let args = self.arguments()?;
        Ok(match (name.as_str(), args.as_slice()) {
            ("ofType" | "as", [Path::Name(_) | Path::Member(..)]) => path,
            ("exists", [criterion]) => {
                let some = Path::Call(Some(Box::new(path)), "where".to_owned(), vec![criterion.clone()]);
                Path::Call(Some(Box::new(some)), name, Vec::new())
            }
            ("select", [part]) => match part.projected(&path) {
                Some(projected) => projected,
                None => Path::Call(Some(Box::new(path)), name, args),
            },
            _ => Path::Call(Some(Box::new(path)), name, args),
        })
    }

    fn first(&mut self) -> Result<Path, String> {
        let token = self.tokens.get(self.next).cloned().ok_or("izraz se završava pre vremena")?;
        self.next += 1;
        match token {
            Token::Number(number) => Ok(Path::Number(number)),
            Token::Text(text) => Ok(Path::Text(text)),
            Token::Variable(name) => self.reader.variable(&name),
            Token::Word(word) if self.eat("(") => Ok(Path::Call(None, word, self.arguments()?)),
            Token::Word(word) => Ok(match word.as_str() {
                "true" => Path::Truth(true),
                "false" => Path::Truth(false),
                "QuestionnaireResponse" => Path::Root,
                "item" if self.reader.is_outer => Path::Member(Box::new(Path::Outer), word),
                _ => Path::Name(word),
            }),
            Token::Sign("(") => {
                let path = self.level(0)?;
                if self.eat(")") { Ok(path) } else { Err("nedostaje zatvorena zagrada".to_owned()) }
            }
            Token::Sign("{") if self.eat("}") => Ok(Path::Empty),
            Token::Sign(sign) => Err(format!("neočekivano „{sign}”")),
        }
    }

    fn arguments(&mut self) -> Result<Vec<Path>, String> {
        let mut found = Vec::new();
        if self.eat(")") {
            return Ok(found);
        }
        loop {
            found.push(self.level(0)?);
            if self.eat(")") {
                return Ok(found);
            }
            if !self.eat(",") {
                return Err("nedostaje zatvorena zagrada".to_owned());
            }
        }
    }

    fn eat(&mut self, sign: &str) -> bool {
        let is_there = matches!(self.tokens.get(self.next), Some(Token::Sign(known)) if *known == sign);
        self.next += usize::from(is_there);
        is_there
    }
}

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    const SIGNS: [&str; 21] = ["!=", "<=", ">=", "(", ")", "{", "}", "[", "]", ",", ".", "+", "-", "*", "/", "=", "<", ">", "|", "&", "~"];
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        if first.is_ascii_digit() {
            let whole = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
            let behind = rest[whole..].strip_prefix('.').filter(|behind| behind.starts_with(|next: char| next.is_ascii_digit()));
            let length =
                behind.map_or(whole, |behind| whole + 1 + behind.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(behind.len()));
            found.push(Token::Number(rest[..length].parse().map_err(|_| format!("„{}” nije broj", &rest[..length]))?));
            rest = &rest[length..];
        } else if first == '\'' {
            let (text, behind) = quoted(&rest[1..], '\'')?;
            found.push(Token::Text(text));
            rest = behind;
        } else if let Some(behind) = rest.strip_prefix('%') {
            let (name, behind) = match behind.strip_prefix('`') {
                Some(behind) => quoted(behind, '`')?,
                None => word(behind),
            };
            found.push(Token::Variable(name));
            rest = behind;
        } else if first.is_alphabetic() || first == '_' || first == '$' {
            let (name, behind) = word(rest);
            found.push(Token::Word(name));
            rest = behind;
        } else if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
            found.push(Token::Sign(sign));
            rest = &rest[sign.len()..];
        } else {
            return Err(format!("nepoznat znak „{first}”"));
        }
        rest = rest.trim_start();
    }
    Ok(found)
}

fn word(text: &str) -> (String, &str) {
    let length = text.find(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == '$')).unwrap_or(text.len());
    (text[..length].to_owned(), &text[length..])
}

fn quoted(text: &str, quote: char) -> Result<(String, &str), String> {
    let mut found = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => found.extend(letters.next().map(|(_, letter)| letter)),
            letter if letter == quote => return Ok((found, &text[at + letter.len_utf8()..])),
            letter => found.push(letter),
        }
    }
    Err("tekst bez kraja".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::fhir::path::{Aspect, ItemTree};

    fn read(text: &str) -> Result<Path, String> {
        let named = |text| VariableText { text, is_outer: false };
        let variables = HashMap::from([("a", named("item.where(linkId = 'a').answer.value")), ("loop", named("%loop + 1"))]);
        parse(text, &variables, &mut BTreeSet::new())
    }

    fn chosen(text: &str) -> Option<(Vec<String>, Aspect)> {
        let chosen = read(text).unwrap_or_else(|why| panic!("{text}: {why}")).chosen()?;
        let links = chosen.links_in(&ItemTree::default()).into_iter().map(str::to_owned).collect();
        Some((links, chosen.what))
    }

    #[test]
    fn answers_are_chosen_by_their_links() {
        for text in [
            "%resource.item.where(linkId='/a').answer.value",
            "%resource.descendants().where(linkId = '/a').answer.valueDecimal",
            "item.repeat(item).where(linkId = '/a').answer.first().value.value",
            "QuestionnaireResponse.item.where(linkId = '/a').answer[0].value.ofType(integer)",
            "(item.where(linkId = '/a').select(answer.value) as integer)",
        ] {
            assert_eq!(chosen(text), Some((vec!["/a".to_owned()], Aspect::Values)), "{text}");
        }
        let several = chosen("%resource.item.where(linkId in ('a' | 'b') or linkId = 'c').answer.value.ordinal()");
        assert_eq!(several, Some((["a", "b", "c"].map(str::to_owned).to_vec(), Aspect::Weights)));
        assert_eq!(chosen("1 + 2"), None);
        assert_eq!(chosen("%resource.item.where(text = 'a').answer.value"), None);
    }

    #[test]
    fn a_weight_is_looked_up_among_the_options_of_its_own_question() {
        let of = |question: &str, answer: &str, extension: &str| {
            format!("%questionnaire.item.where(linkId = '{question}').answerOption.where({answer}).{extension}")
        };
        let answer = "valueCoding.code=%resource.item.where(linkId = 'a').answer.valueCoding.code";
        let ordinal = "extension.where(url='http://hl7.org/fhir/StructureDefinition/ordinalValue').valueDecimal";
        let weight = "extension('http://hl7.org/fhir/StructureDefinition/itemWeight').value";
        let one = Some((vec!["a".to_owned()], Aspect::OneWeight));
        assert_eq!(chosen(&of("a", answer, ordinal)), one);
        assert_eq!(chosen(&of("a", answer, weight)), one);
        assert_eq!(chosen(&of("a", "value = %resource.item.where(linkId = 'a').answer.value", &format!("value.{weight}"))), one);
        let several = "valueCoding.code in %resource.item.where(linkId = 'a').answer.valueCoding.code";
        assert_eq!(chosen(&of("a", several, weight)), Some((vec!["a".to_owned()], Aspect::Weights)));
        assert_eq!(chosen(&of("b", answer, ordinal)), None, "the options of another question");
        assert_eq!(chosen(&of("a", answer, "extension.where(url='urn:other').valueDecimal")), None);
    }

    #[test]
    fn signs_bind_as_the_language_says() {
        let number = |number: f64| Box::new(Path::Number(number));
        let product = Box::new(Path::Binary(Sign::Multiply, number(2.0), number(3.0)));
        assert_eq!(read("1 + 2 * 3"), Ok(Path::Binary(Sign::Add, number(1.0), product)));
        let variable = read("item.where(linkId = 'a').answer.value");
        assert_eq!(read("%a"), variable);
        assert_eq!(read("(%a)"), variable);
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        for (text, why) in [
            ("%b", "nema izraza „b”"),
            ("%loop", "izraz „loop” čita sam sebe"),
            ("(1", "nedostaje zatvorena zagrada"),
            ("1 2", "nejasan izraz"),
            ("'a", "tekst bez kraja"),
            ("1 +", "izraz se završava pre vremena"),
        ] {
            assert_eq!(read(text), Err(why.to_owned()), "{text}");
        }
        assert_eq!(read(&"(".repeat(1000)), Err("izraz je preduboko ugnežđen".to_owned()));
    }
}
