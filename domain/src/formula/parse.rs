//! Tokens into the tree, by precedence: `?:`, or, and, word `not`, comparison, `+ -`, `* / %`, signs before a value.

use std::collections::BTreeSet;

use super::{
    Expr, Formula, FormulaError, Function,
    lex::{Token, tokens},
    rows::ROW_COUNT,
};

/// The longest text that is read.
const MOST_CHARS: usize = 4000;

/// How deep the tree may be: the JSON readers of both sides refuse deeper ones than twice this and some more.
const MOST_DEPTH: usize = 40;

/// Parses `text`. Whether its codes exist in a form is [`super::compile`]'s matter.
pub fn parse(text: &str) -> Result<Formula, FormulaError> {
    if text.chars().count() > MOST_CHARS {
        return Err(FormulaError::new(MOST_CHARS + 1, format!("Formula sme imati najviše {MOST_CHARS} znakova.")));
    }
    let mut parser = Parser { tokens: tokens(text)?, next: 0, nesting: 0 };
    let expr = parser.ternary()?;
    match parser.peek() {
        Token::End => {}
        Token::Sign(",") => return Err(parser.refuse("Neočekivan zarez; decimale se pišu tačkom, na primer 2.5.")),
        _ => return Err(parser.unexpected()),
    }
    if depth(&expr) > MOST_DEPTH {
        return Err(FormulaError::new(1, "Formula je previše ugnežđena."));
    }
    let (mut here, mut before) = (BTreeSet::new(), BTreeSet::new());
    collect(&expr, &mut here, &mut before);
    let (far, deps) = apart(here);
    let (far_prev, prev) = apart(before);
    Ok(Formula { v: 1, deps, prev, far, far_prev, by_code: Vec::new(), expr })
}

/// Codes of other forms' fields, and those of the form's own.
fn apart(codes: BTreeSet<String>) -> (Vec<String>, Vec<String>) {
    codes.into_iter().partition(|code| form_and_field(code).is_some())
}

/// The code of the form and that of the field, where a field of another form is named.
pub fn form_and_field(code: &str) -> Option<(&str, &str)> {
    code.split_once('.')
}

/// The codes of fields of this entry and of earlier ones.
fn collect(expr: &Expr, here: &mut BTreeSet<String>, before: &mut BTreeSet<String>) {
    match expr {
        Expr::Field { code, .. } | Expr::Item { code, .. } => {
            here.insert(code.clone());
        }
        Expr::Call { f, args, .. } if f.is_of_before() => args.iter().for_each(|arg| collect(arg, before, &mut BTreeSet::new())),
        Expr::Call { args, .. } => args.iter().for_each(|arg| collect(arg, here, before)),
        Expr::Number { .. } | Expr::Text { .. } | Expr::Code { .. } => {}
    }
}

impl Expr {
    /// Visits the node and everything under it, in the order of the text.
    pub(super) fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        visit(self);
        if let Expr::Call { args, .. } = self {
            for arg in args {
                arg.walk(visit);
            }
        }
    }
}

fn depth(expr: &Expr) -> usize {
    match expr {
        Expr::Call { args, .. } => 1 + args.iter().map(depth).max().unwrap_or(0),
        _ => 1,
    }
}

struct Parser {
    tokens: Vec<(Token, usize)>,
    next: usize,
    nesting: usize,
}

impl Parser {
    fn ternary(&mut self) -> Result<Expr, FormulaError> {
        self.nesting += 1;
        if self.nesting > MOST_DEPTH {
            return Err(self.refuse("Formula je previše ugnežđena."));
        }
        let condition = self.either()?;
        let at = self.place();
        let expr = if self.eat_sign("?") {
            let then = self.ternary()?;
            self.expect(":", "Posle „?” očekuje se i „:” sa drugom vrednošću.")?;
            let otherwise = self.ternary()?;
            call(Function::If, vec![condition, then, otherwise], at)
        } else {
            condition
        };
        self.nesting -= 1;
        Ok(expr)
    }

    fn either(&mut self) -> Result<Expr, FormulaError> {
        let mut left = self.both()?;
        loop {
            let at = self.place();
            if !(self.eat_sign("||") || self.eat_word(&["or", "ili"])) {
                return Ok(left);
            }
            let right = self.both()?;
            left = logical(Function::Or, left, right, at)?;
        }
    }

    fn both(&mut self) -> Result<Expr, FormulaError> {
        let mut left = self.negation()?;
        loop {
            let at = self.place();
            if !(self.eat_sign("&&") || self.eat_word(&["and", "i"])) {
                return Ok(left);
            }
            let right = self.negation()?;
            left = logical(Function::And, left, right, at)?;
        }
    }

    fn negation(&mut self) -> Result<Expr, FormulaError> {
        let at = self.place();
        if !self.eat_word(&["not", "ne"]) {
            return self.comparison();
        }
        self.nested(|parser| Ok(call(Function::Not, vec![parser.negation()?], at)))
    }

    fn comparison(&mut self) -> Result<Expr, FormulaError> {
        let left = self.terms()?;
        let at = self.place();
        let Some(function) = self.comparator() else { return Ok(left) };
        self.next += 1;
        let right = self.terms()?;
        if self.comparator().is_some() {
            return Err(self.refuse("Poređenja se ne nižu; povežite ih sa „i”: $(a) > 1 i $(a) < 5."));
        }
        let (left, right) = as_sex(left, right)?;
        Ok(match (function, blank_asked(left, right)) {
            (Function::Eq, Ok(asked)) => call(Function::Isblank, vec![asked], at),
            (Function::Ne, Ok(asked)) => call(Function::Not, vec![call(Function::Isblank, vec![asked], at)], at),
            (_, Ok(asked)) => call(function, vec![asked, Expr::Text { v: String::new(), at }], at),
            (_, Err(sides)) => call(function, sides.into(), at),
        })
    }

    fn comparator(&self) -> Option<Function> {
        let Token::Sign(sign) = self.peek() else { return None };
        Some(match *sign {
            "==" | "===" | "=" => Function::Eq,
            "!=" | "!==" | "<>" => Function::Ne,
            "<" => Function::Lt,
            "<=" => Function::Le,
            ">" => Function::Gt,
            ">=" => Function::Ge,
            _ => return None,
        })
    }

    fn terms(&mut self) -> Result<Expr, FormulaError> {
        let mut left = self.factors()?;
        loop {
            let at = self.place();
            let function = match self.peek() {
                Token::Sign("+") => Function::Add,
                Token::Sign("-") => Function::Sub,
                _ => return Ok(left),
            };
            self.next += 1;
            left = chained(function, left, self.factors()?, at);
        }
    }

    fn factors(&mut self) -> Result<Expr, FormulaError> {
        let mut left = self.signed()?;
        loop {
            let at = self.place();
            let function = match self.peek() {
                Token::Sign("*") => Function::Mul,
                Token::Sign("/") => Function::Div,
                Token::Sign("%") => Function::Rem,
                _ => return Ok(left),
            };
            self.next += 1;
            left = chained(function, left, self.signed()?, at);
        }
    }

    fn signed(&mut self) -> Result<Expr, FormulaError> {
        let at = self.place();
        if self.eat_sign("-") {
            return self.nested(|parser| {
                Ok(match parser.signed()? {
                    Expr::Number { v, .. } => Expr::Number { v: -v, at },
                    other => call(Function::Neg, vec![other], at),
                })
            });
        }
        if self.eat_sign("!") {
            return self.nested(|parser| Ok(call(Function::Not, vec![parser.signed()?], at)));
        }
        if self.eat_sign("+") {
            return self.nested(Self::signed);
        }
        self.value()
    }

    fn value(&mut self) -> Result<Expr, FormulaError> {
        let (token, at) = self.tokens[self.next].clone();
        let expr = match token {
            Token::Number(v) => Expr::Number { v, at },
            Token::Text(v) => Expr::Text { v, at },
            Token::Field(code) => Expr::Field { code, at },
            Token::Item(code) => Expr::Item { code, at },
            Token::Word(word) => return self.word(&word, at),
            Token::Sign("(") => {
                self.next += 1;
                let inner = self.ternary()?;
                self.expect(")", "Nedostaje zatvorena zagrada.")?;
                return Ok(inner);
            }
            Token::Sign(_) | Token::End => return Err(self.unexpected()),
        };
        self.next += 1;
        Ok(expr)
    }

    fn word(&mut self, word: &str, at: usize) -> Result<Expr, FormulaError> {
        let called = matches!(self.tokens[self.next + 1].0, Token::Sign("("));
        if !called {
            self.next += 1;
            return match (word.to_ascii_lowercase().as_str(), Function::called(word)) {
                ("true", _) => Ok(Expr::Number { v: 1.0, at }),
                ("false", _) => Ok(Expr::Number { v: 0.0, at }),
                ("null", _) => Ok(Expr::Text { v: String::new(), at }),
                (_, Some((function, _, 0))) => Ok(call(function, Vec::new(), at)),
                _ => Err(FormulaError::new(at, format!("Nepoznata reč „{word}”. Polje se piše $({word})."))),
            };
        }
        let Some((function, least, most)) = Function::called(word) else {
            return Err(FormulaError::new(
                at,
                match word {
                    "log" => "Funkcija „log” nije jednoznačna: upotrebite ln ili log10.".to_owned(),
                    _ => format!("Nepoznata funkcija „{word}”."),
                },
            ));
        };
        self.next += 2;
        let args = match function {
            Function::Lookup => self.table()?,
            Function::Countif if self.comparator().is_some() => {
                let row = self.row()?;
                self.expect(",", "Posle uslova navode se vrednosti: countif(>= 2, $(a), $(b)).")?;
                let rest = self.arguments()?;
                std::iter::once(row).chain(rest).collect()
            }
            _ => self.arguments()?,
        };
        if function.is_of_before() && !matches!(args[..], [Expr::Field { .. } | Expr::Item { .. }]) {
            return Err(FormulaError::new(at, format!("Piše se {word}($(šifra)) ili {word}($!(šifra)).")));
        }
        if function == Function::Interpolate {
            refuse_table(&args).map_err(|message| FormulaError::new(at, message))?;
        }
        if function == Function::RowCount && !matches!(args[..], [Expr::Field { .. }]) {
            return Err(FormulaError::new(at, ROW_COUNT));
        }
        if !(least..=most).contains(&args.len()) {
            let wanted = match (least, most) {
                (least, most) if least == most => least.to_string(),
                (least, usize::MAX) => format!("bar {least}"),
                (least, most) => format!("{least} ili {most}"),
            };
            return Err(FormulaError::new(
                at,
                format!("Broj vrednosti funkcije „{word}” treba da bude {wanted}, a naveden je {}.", args.len()),
            ));
        }
        Ok(call(function, args, at))
    }

    /// `x, < 2.6 : "a", <= 3.2 : "b", "c")`: what is looked up, the rows, and what is left for all others.
    fn table(&mut self) -> Result<Vec<Expr>, FormulaError> {
        let wanted = "Redovi tabele pišu se lookup($(x), < 2.6 : 1, <= 3.2 : 2, 3); poslednja vrednost je za sve ostalo.";
        let mut args = vec![self.ternary()?];
        self.expect(",", wanted)?;
        while self.comparator().is_some() {
            args.push(self.row()?);
            self.expect(":", wanted)?;
            args.push(self.ternary()?);
            if !self.eat_sign(",") {
                self.expect(")", wanted)?;
                return Ok(args);
            }
        }
        if args.len() == 1 {
            return Err(self.refuse(wanted));
        }
        args.push(self.ternary()?);
        self.expect(")", wanted)?;
        Ok(args)
    }

    /// A comparison without its left side.
    fn row(&mut self) -> Result<Expr, FormulaError> {
        let at = self.place();
        let Some(function) = self.comparator() else { return Err(self.unexpected()) };
        self.next += 1;
        Ok(call(function, vec![self.terms()?], at))
    }

    fn arguments(&mut self) -> Result<Vec<Expr>, FormulaError> {
        let mut args = Vec::new();
        if self.eat_sign(")") {
            return Ok(args);
        }
        loop {
            args.push(self.ternary()?);
            if self.eat_sign(",") {
                continue;
            }
            self.expect(")", "Nedostaje zatvorena zagrada.")?;
            return Ok(args);
        }
    }

    /// Guards the stack where a rule calls itself without a bracket.
    fn nested(&mut self, inner: impl FnOnce(&mut Self) -> Result<Expr, FormulaError>) -> Result<Expr, FormulaError> {
        self.nesting += 1;
        if self.nesting > MOST_DEPTH {
            return Err(self.refuse("Formula je previše ugnežđena."));
        }
        let expr = inner(self)?;
        self.nesting -= 1;
        Ok(expr)
    }

    fn peek(&self) -> &Token {
        &self.tokens[self.next].0
    }

    fn place(&self) -> usize {
        self.tokens[self.next].1
    }

    fn eat_sign(&mut self, wanted: &str) -> bool {
        let found = matches!(self.peek(), Token::Sign(sign) if *sign == wanted);
        self.next += usize::from(found);
        found
    }

    fn eat_word(&mut self, wanted: &[&str]) -> bool {
        let found = matches!(self.peek(), Token::Word(word) if wanted.contains(&word.to_ascii_lowercase().as_str()));
        self.next += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str, message: &str) -> Result<(), FormulaError> {
        if self.eat_sign(sign) { Ok(()) } else { Err(self.refuse(message)) }
    }

    fn refuse(&self, message: &str) -> FormulaError {
        FormulaError::new(self.place(), message)
    }

    fn unexpected(&self) -> FormulaError {
        match self.peek() {
            Token::End => self.refuse("Formula se završava pre vremena: očekuje se vrednost."),
            Token::Sign(sign) => self.refuse(&format!("Neočekivano „{sign}”.")),
            Token::Word(word) => self.refuse(&format!("Neočekivano „{word}”.")),
            _ => self.refuse("Neočekivana vrednost: nedostaje operacija."),
        }
    }
}

fn call(f: Function, args: Vec<Expr>, at: usize) -> Expr {
    Expr::Call { f, args, at }
}

/// `a + b + c` is one call of three values, from left to right: long chains stay flat.
fn chained(function: Function, left: Expr, right: Expr, at: usize) -> Expr {
    match left {
        Expr::Call { f, mut args, at } if f == function && matches!(f, Function::Add | Function::Mul | Function::And | Function::Or) => {
            args.push(right);
            Expr::Call { f, args, at }
        }
        left => call(function, vec![left, right], at),
    }
}

/// JavaScript's `$(a) || 0` means "0 when blank"; here it would answer yes or no, so it is refused instead.
fn logical(function: Function, left: Expr, right: Expr, at: usize) -> Result<Expr, FormulaError> {
    if matches!(right, Expr::Number { .. } | Expr::Text { .. }) {
        return Err(FormulaError::new(at, "Zamena za prazno polje piše se if(isblank($(a)), 0, $(a))."));
    }
    Ok(chained(function, left, right, at))
}

/// A table of norms goes from the least x to the greatest, two values a knot.
fn refuse_table(args: &[Expr]) -> Result<(), &'static str> {
    let number = |expr: &Expr| match expr {
        Expr::Number { v, .. } => Some(*v),
        Expr::Call { f: Function::Neg, args, .. } => {
            if let [Expr::Number { v, .. }] = args.as_slice() {
                Some(-v)
            } else {
                None
            }
        }
        _ => None,
    };
    if args.len() < 5 || args.len().is_multiple_of(2) {
        return Err("Tabela se piše interpolate($(x), x1, y1, x2, y2, …), sa bar dva para brojeva.");
    }
    let knots: Vec<f64> = args[1..].iter().step_by(2).filter_map(number).collect();
    if knots.is_sorted_by(|one, next| one < next) {
        Ok(())
    } else {
        Err("Tabela funkcije „interpolate” ide od najmanjeg x ka najvećem.")
    }
}

/// What is compared with an empty text or `null`: `$(a) == ""` asks whether the field is blank.
fn blank_asked(left: Expr, right: Expr) -> Result<Expr, [Expr; 2]> {
    let empty = |side: &Expr| matches!(side, Expr::Text { v, .. } if v.trim().is_empty());
    if empty(&right) {
        Ok(left)
    } else if empty(&left) {
        Ok(right)
    } else {
        Err([left, right])
    }
}

/// A sex is 1 or 0 like any choice; compared with its letter or word it is still that.
fn as_sex(left: Expr, right: Expr) -> Result<(Expr, Expr), FormulaError> {
    let is_sex = |side: &Expr| matches!(side, Expr::Call { f: Function::PatientSex | Function::PatientSexAtBirth, .. });
    if is_sex(&left) {
        let right = sex_number(right)?;
        Ok((left, right))
    } else if is_sex(&right) {
        Ok((sex_number(left)?, right))
    } else {
        Ok((left, right))
    }
}

fn sex_number(side: Expr) -> Result<Expr, FormulaError> {
    let Expr::Text { v, at } = side else { return Ok(side) };
    match v.trim().to_lowercase().as_str() {
        "m" | "muški" | "muski" | "muško" | "musko" => Ok(Expr::Number { v: 1.0, at }),
        "ž" | "z" | "ženski" | "zenski" | "žensko" | "zensko" => Ok(Expr::Number { v: 0.0, at }),
        "" => Ok(Expr::Text { v, at }),
        _ => Err(FormulaError::new(at, "Pol se poredi sa \"M\" ili \"Ž\".")),
    }
}
