//! The text of a formula cut into tokens.

use super::FormulaError;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Number(f64),
    Text(String),
    /// `$(code)`, or `$(form.code)` of a field of another form
    Field(String),
    /// `$!(code)`
    Item(String),
    /// A function's name or an operator's word.
    Word(String),
    Sign(&'static str),
    End,
}

/// Longer signs come before those they begin with.
const SIGNS: &[&str] =
    &["===", "!==", "==", "!=", "<=", ">=", "<>", "&&", "||", "+", "-", "*", "/", "%", "(", ")", ",", "?", ":", "<", ">", "=", "!"];

/// Doubles hold any number of so many digits, and both interpreters read it alike.
const MOST_DIGITS: usize = 15;

/// Tokens with their places, `End` last.
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, usize)>, FormulaError> {
    let mut lexer = Lexer { chars: text.chars().collect(), next: 0 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip(char::is_whitespace);
        let at = lexer.next + 1;
        let token = lexer.token()?;
        let end = token == Token::End;
        tokens.push((token, at));
        if end {
            return Ok(tokens);
        }
    }
}

struct Lexer {
    chars: Vec<char>,
    next: usize,
}

impl Lexer {
    fn token(&mut self) -> Result<Token, FormulaError> {
        let Some(first) = self.peek(0) else { return Ok(Token::End) };
        match first {
            '$' => self.reference(),
            '"' | '\'' => self.quoted(first),
            '0'..='9' => self.number(),
            '.' if self.peek(1).is_some_and(|c| c.is_ascii_digit()) => self.number(),
            c if c.is_alphabetic() || c == '_' => Ok(Token::Word(self.take(|c| c.is_alphanumeric() || c == '_' || c == '.'))),
            _ => self.sign(first),
        }
    }

    fn reference(&mut self) -> Result<Token, FormulaError> {
        let at = self.next + 1;
        self.next += 1;
        let of_item = self.eat('!');
        let wrong = || FormulaError::new(at, "Šifra polja nije ispravna; piše se $(šifra) ili $!(šifra).");
        if !self.eat('(') {
            return Err(wrong());
        }
        self.skip(char::is_whitespace);
        let code = self.take(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.');
        self.skip(char::is_whitespace);
        let is_name = |part: &str| !part.is_empty() && !part.starts_with(|c: char| c.is_ascii_digit());
        if !self.eat(')') || !code.split('.').all(is_name) || code.split('.').count() > 2 {
            return Err(wrong());
        }
        Ok(if of_item { Token::Item(code) } else { Token::Field(code) })
    }

    fn quoted(&mut self, quote: char) -> Result<Token, FormulaError> {
        let at = self.next + 1;
        self.next += 1;
        let mut text = String::new();
        loop {
            let Some(letter) = self.peek(0) else { return Err(FormulaError::new(at, "Navodnik nije zatvoren.")) };
            self.next += 1;
            match letter {
                c if c == quote => return Ok(Token::Text(text)),
                '\\' => text.extend(self.peek(0).inspect(|_| self.next += 1)),
                c => text.push(c),
            }
        }
    }

    fn number(&mut self) -> Result<Token, FormulaError> {
        let at = self.next + 1;
        let mut text = self.take(|c| c.is_ascii_digit());
        if self.eat('.') {
            text.push('.');
            text += &self.take(|c| c.is_ascii_digit());
        }
        let digits = text.chars().filter(char::is_ascii_digit).count();
        let sign = usize::from(matches!(self.peek(1), Some('+' | '-')));
        if matches!(self.peek(0), Some('e' | 'E')) && self.peek(1 + sign).is_some_and(|c| c.is_ascii_digit()) {
            text.extend(&self.chars[self.next..=self.next + sign]);
            self.next += 1 + sign;
            text += &self.take(|c| c.is_ascii_digit());
        }
        if self.peek(0).is_some_and(|c| c.is_alphanumeric() || c == '.') {
            return Err(FormulaError::new(self.next + 1, "Broj nije ispravan."));
        }
        match text.parse::<f64>() {
            Ok(number) if digits <= MOST_DIGITS && (number == 0.0 || (1e-22..=1e22).contains(&number)) => Ok(Token::Number(number)),
            _ => Err(FormulaError::new(at, format!("Broj sme imati najviše {MOST_DIGITS} cifara."))),
        }
    }

    fn sign(&mut self, first: char) -> Result<Token, FormulaError> {
        let at = self.next + 1;
        let rest = &self.chars[self.next..];
        if rest.starts_with(&['*', '*']) || first == '^' {
            return Err(FormulaError::new(at, "Stepen se piše pow(osnova, izložilac)."));
        }
        let known = SIGNS.iter().find(|sign| rest.iter().copied().take(sign.len()).eq(sign.chars()));
        let sign = known.ok_or_else(|| FormulaError::new(at, format!("Neočekivan znak „{first}”.")))?;
        self.next += sign.len();
        Ok(Token::Sign(sign))
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.next + ahead).copied()
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek(0) == Some(wanted);
        self.next += usize::from(found);
        found
    }

    fn take(&mut self, belongs: impl Fn(char) -> bool) -> String {
        let taken: String = self.chars[self.next..].iter().copied().take_while(|c| belongs(*c)).collect();
        self.next += taken.chars().count();
        taken
    }

    fn skip(&mut self, belongs: impl Fn(char) -> bool) {
        self.take(belongs);
    }
}
