//! Tokens into the tree, by the precedence that both languages share.

use super::{
    Dialect, Node, Reference, RowsAsked, Sign,
    tokens::{Token, tokens},
};

/// How deep brackets may stand in one another.
const DEEPEST: usize = 60;

/// The key of the field that an expression names, or why there is none.
pub type Resolve<'a> = &'a dyn Fn(&Reference) -> Result<String, String>;

pub fn parse(text: &str, dialect: Dialect, resolve: Resolve) -> Result<Node, String> {
    let mut parser = Parser { tokens: tokens(text, dialect)?, next: 0, depth: 0, dialect, resolve };
    let node = parser.joined(0)?;
    match parser.peek() {
        None => Ok(node),
        Some(Token::Field(_) | Token::Ticked(..)) if dialect == Dialect::RedCap => Err("vrednost iz drugog događaja".to_owned()),
        Some(Token::Close) => Err("zagrada koja nije otvorena".to_owned()),
        Some(_) => Err("nejasan izraz".to_owned()),
    }
}

struct Parser<'a> {
    tokens: Vec<Token>,
    next: usize,
    depth: usize,
    dialect: Dialect,
    resolve: Resolve<'a>,
}

/// From the loosest to the tightest.
const LEVELS: [&[Sign]; 6] = [
    &[Sign::Or],
    &[Sign::And],
    &[Sign::Equal, Sign::Unequal],
    &[Sign::Less, Sign::AtMost, Sign::More, Sign::AtLeast],
    &[Sign::Add, Sign::Subtract],
    &[Sign::Multiply, Sign::Divide, Sign::Remainder],
];

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next)
    }

    fn eat(&mut self, token: &Token) -> bool {
        let is = self.peek() == Some(token);
        self.next += usize::from(is);
        is
    }

    fn joined(&mut self, level: usize) -> Result<Node, String> {
        let Some(signs) = LEVELS.get(level) else { return self.signed() };
        let mut left = self.joined(level + 1)?;
        while let Some(Token::Sign(sign)) = self.peek().cloned().filter(|token| matches!(token, Token::Sign(sign) if signs.contains(sign)))
        {
            self.next += 1;
            left = Node::Binary(sign, Box::new(left), Box::new(self.joined(level + 1)?));
        }
        Ok(left)
    }

    fn signed(&mut self) -> Result<Node, String> {
        if self.eat(&Token::Sign(Sign::Subtract)) {
            return Ok(Node::Minus(Box::new(self.signed()?)));
        }
        let base = self.single()?;
        if !self.eat(&Token::Sign(Sign::Power)) {
            return Ok(base);
        }
        if self.peek().is_none() {
            return Err("znak „^” bez izložioca".to_owned());
        }
        let minus = self.eat(&Token::Sign(Sign::Subtract));
        let exponent = self.single()?;
        if self.peek() == Some(&Token::Sign(Sign::Power)) {
            return Err("stepen stepena, koji se čita dvojako".to_owned());
        }
        let exponent = if minus { Node::Minus(Box::new(exponent)) } else { exponent };
        Ok(Node::Binary(Sign::Power, Box::new(base), Box::new(exponent)))
    }

    fn single(&mut self) -> Result<Node, String> {
        let Some(token) = self.peek().cloned() else { return Err("izraz se prekida".to_owned()) };
        self.next += 1;
        match token {
            Token::Number(number) => Ok(Node::Number(number)),
            Token::Text(text) => Ok(Node::Text(text)),
            Token::Field(reference) => {
                if matches!(self.peek(), Some(Token::Field(Reference::Name(_)))) && matches!(reference, Reference::Name(_)) {
                    return Err("vrednost iz drugog događaja".to_owned());
                }
                (self.resolve)(&reference).map(Node::Field)
            }
            Token::Ticked(field, option) => (self.resolve)(&Reference::Name(field)).map(|key| Node::Ticked(key, option)),
            Token::Open => {
                let inside = self.nested(|parser| parser.joined(0))?;
                if self.eat(&Token::Close) { Ok(inside) } else { Err("nezatvorena zagrada".to_owned()) }
            }
            Token::Word(word) if self.eat(&Token::Open) => match self.of_rows(&word) {
                Some(node) => Ok(node),
                None => self.nested(|parser| parser.call(word)),
            },
            Token::Word(word) => Err(format!("nepoznata reč „{word}”")),
            Token::Sign(Sign::Power) => Err("znak „^” bez osnove".to_owned()),
            Token::Sign(sign) => Err(format!("znak „{}” bez vrednosti ispred", sign.written())),
            Token::Close => Err("prazna zagrada".to_owned()),
            Token::Comma => Err("neočekivan zarez".to_owned()),
        }
    }

    /// `sum(${column})`, `count(${repeat})`, `position(..)`, where they name rows.
    fn of_rows(&mut self, word: &str) -> Option<Node> {
        let asked = match word {
            _ if self.dialect != Dialect::XlsForm => return None,
            "sum" => RowsAsked::Sum,
            "count" => RowsAsked::Count,
            "position" => RowsAsked::Place,
            _ => return None,
        };
        let (Some(Token::Field(reference)), Some(Token::Close)) = (self.tokens.get(self.next), self.tokens.get(self.next + 1)) else {
            return None;
        };
        let key = (self.resolve)(&Reference::Rows(asked, Box::new(reference.clone()))).ok()?;
        self.next += 2;
        Some(Node::Rows(asked, key))
    }

    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Result<Node, String>) -> Result<Node, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("izraz je preduboko ugnežđen".to_owned());
        }
        let node = read(self)?;
        self.depth -= 1;
        Ok(node)
    }

    fn call(&mut self, word: String) -> Result<Node, String> {
        let mut args = Vec::new();
        if self.eat(&Token::Close) {
            return Ok(Node::Call(word, args));
        }
        loop {
            args.push(self.joined(0)?);
            if self.eat(&Token::Close) {
                return Ok(Node::Call(word, args));
            }
            if !self.eat(&Token::Comma) {
                return Err("nezatvorena zagrada".to_owned());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, dialect: Dialect) -> Result<Node, String> {
        parse(text, dialect, &|reference| match reference {
            Reference::Name(name) | Reference::Path(name) => Ok(name.clone()),
            Reference::Own => Ok(".".to_owned()),
            Reference::Rows(..) => Err(String::new()),
        })
    }

    fn binary(sign: Sign, left: Node, right: Node) -> Node {
        Node::Binary(sign, Box::new(left), Box::new(right))
    }

    fn field(key: &str) -> Node {
        Node::Field(key.to_owned())
    }

    #[test]
    fn precedence_is_that_of_both_languages() {
        let text = "${a} = 1 or ${b} + 2 * 3 > 4 and not(${c})";
        let sum = binary(Sign::Add, field("b"), binary(Sign::Multiply, Node::Number(2.0), Node::Number(3.0)));
        let right = binary(Sign::And, binary(Sign::More, sum, Node::Number(4.0)), Node::Call("not".to_owned(), vec![field("c")]));
        assert_eq!(read(text, Dialect::XlsForm), Ok(binary(Sign::Or, binary(Sign::Equal, field("a"), Node::Number(1.0)), right)));
        let power = binary(Sign::Power, field("a"), Node::Minus(Box::new(Node::Number(2.0))));
        assert_eq!(read("-[a]^-2", Dialect::RedCap), Ok(Node::Minus(Box::new(power))));
    }

    #[test]
    fn paths_points_and_operators_of_xpath_are_told_apart() {
        for (text, key) in [
            ("../a", "../a"),
            ("./g/a-b", "./g/a-b"),
            ("current()/../../x", "../../x"),
            ("/data/g/x", "/data/g/x"),
            ("name", "./name"),
            ("div", "./div"),
        ] {
            assert_eq!(read(text, Dialect::XlsForm), Ok(field(key)), "{text}");
        }
        assert_eq!(read(". div 2", Dialect::XlsForm), Ok(binary(Sign::Divide, field("."), Node::Number(2.0))));
        assert_eq!(read(".>=.5", Dialect::XlsForm), Ok(binary(Sign::AtLeast, field("."), Node::Number(0.5))));
        assert_eq!(read("“a”", Dialect::XlsForm), Ok(Node::Text("a".to_owned())));
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        for (text, why) in [
            ("[a]^2^[b]", "stepen stepena, koji se čita dvojako"),
            ("^[b]", "znak „^” bez osnove"),
            ("[a]^", "znak „^” bez izložioca"),
            ("[e_arm_1][a] > 1", "vrednost iz drugog događaja"),
            ("[a] = 'x", "nezatvoren navodnik"),
            ("([a]", "nezatvorena zagrada"),
            ("[a:label]", "„a” uz dodatak „:label”"),
            ("", "prazan izraz"),
            ("# samo napomena", "prazan izraz"),
        ] {
            assert_eq!(read(text, Dialect::RedCap), Err(why.to_owned()), "{text}");
        }
        assert_eq!(read(&format!("{}1{}", "(".repeat(99), ")".repeat(99)), Dialect::RedCap), Err("izraz je preduboko ugnežđen".to_owned()));
    }
}
