//! An expression of XLSForm (XPath as ODK has it) or of REDCap, read into a tree. What it means is told by `proof`, how it is said here by
//! `translate`.

mod parse;
mod reference;
mod tokens;

use jiff::civil::Date;

pub use self::{parse::parse, reference::resolve};
use super::proof::Answer;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Dialect {
    XlsForm,
    RedCap,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    Number(f64),
    Text(String),
    /// A field by its key in the file.
    Field(String),
    /// An option of a checkbox, 1 or 0.
    Ticked(String, String),
    Call(String, Vec<Node>),
    /// What is asked of all rows of a repeat, by the key of a column or of the repeat itself.
    Rows(RowsAsked, String),
    Minus(Box<Node>),
    Binary(Sign, Box<Node>, Box<Node>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowsAsked {
    /// The sum of a column, from outside of the repeat.
    Sum,
    /// How many rows there are.
    Count,
    /// Which row it is, from 1.
    Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Power,
}

impl Sign {
    /// As formulas here write it; a power is a function.
    pub fn written(self) -> &'static str {
        match self {
            Self::Or => "or",
            Self::And => "and",
            Self::Equal => "==",
            Self::Unequal => "!=",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::More => ">",
            Self::AtLeast => ">=",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::Power => "^",
        }
    }

    pub fn compares(self) -> bool {
        matches!(self, Self::Equal | Self::Unequal | Self::Less | Self::AtMost | Self::More | Self::AtLeast)
    }
}

/// How an expression names a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Reference {
    Name(String),
    /// A path of XPath, from the root or from the question.
    Path(String),
    /// A lone point: the question itself.
    Own,
    /// What is asked of the rows that it names.
    Rows(RowsAsked, Box<Reference>),
}

impl Node {
    /// Visits the node and everything under it.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Node)) {
        visit(self);
        match self {
            Self::Call(_, args) => args.iter().for_each(|arg| arg.walk(visit)),
            Self::Minus(of) => of.walk(visit),
            Self::Binary(_, left, right) => {
                left.walk(visit);
                right.walk(visit);
            }
            Self::Number(_) | Self::Text(_) | Self::Field(_) | Self::Ticked(..) | Self::Rows(..) => {}
        }
    }

    /// Keys of the fields that it reads, each once.
    pub fn fields(&self) -> Vec<&str> {
        let mut found: Vec<&str> = Vec::new();
        self.walk(&mut |node| {
            if let Self::Field(key) | Self::Ticked(key, _) = node
                && !found.contains(&key.as_str())
            {
                found.push(key);
            }
        });
        found
    }

    /// What it compares and computes with, as answers.
    pub fn literals(&self) -> Vec<Answer> {
        let mut found = Vec::new();
        self.walk(&mut |node| match node {
            Self::Number(number) => found.push(Answer::Number(*number)),
            Self::Text(text) => {
                found.extend(text.trim().parse().ok().filter(|number: &f64| number.is_finite()).map(Answer::Number));
                found.extend(text.trim().parse::<Date>().ok().map(Answer::Date));
                found.push(Answer::Text(text.clone()));
            }
            // Texts about as long as the one that is asked for.
            Self::Binary(_, left, right) => {
                let asks = |node: &Node| matches!(node, Self::Call(name, _) if name == "string-length");
                if let (Self::Number(number), other) | (other, Self::Number(number)) = (&**left, &**right)
                    && asks(other)
                    && (0.0..=60.0).contains(number)
                {
                    let letters = *number as usize;
                    let lengths = [letters.saturating_sub(1), letters, letters + 1];
                    found.extend(lengths.map(|count| Answer::Text("s".repeat(count))));
                }
            }
            Self::Call(name, args) if name == "contains" => {
                let around = |arg: &Node| if let Self::Text(text) = arg { Some(Answer::Text(format!("a{text}b"))) } else { None };
                found.extend(args.iter().filter_map(around));
            }
            _ => {}
        });
        found
    }
}
