//! FHIRPath as questionnaires use it for scores: answers chosen by `linkId`, numbers, conditions. What an expression means there is told by
//! `meaning`, how it is said here by `saying`; the two are tried on the same answers (docs/decisions/0062-imports-are-proven-by-values.md).

mod meaning;
mod parse;
mod saying;

pub use self::{
    meaning::{Answered, result},
    parse::parse,
    saying::Saying,
};

#[derive(Clone, Debug, PartialEq)]
pub enum Path {
    Number(f64),
    Text(String),
    Truth(bool),
    Empty,
    /// The response as a whole.
    Root,
    /// A bare name.
    Name(String),
    Member(Box<Path>, String),
    /// A function, of what stands before it.
    Call(Option<Box<Path>>, String, Vec<Path>),
    Minus(Box<Path>),
    Binary(Sign, Box<Path>, Box<Path>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    Implies,
    Or,
    And,
    In,
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
    Union,
    Add,
    Subtract,
    Multiply,
    Divide,
    Whole,
    Remainder,
}

/// What a path chooses of a response.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// None: all questions.
    pub links: Option<Vec<String>>,
    pub what: Aspect,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aspect {
    Items,
    Answers,
    Values,
    Codes,
    Displays,
    /// Of the options that are chosen.
    Weights,
}

impl Path {
    /// None: it is computed.
    pub fn chosen(&self) -> Option<Selection> {
        let all = || Selection { links: None, what: Aspect::Items };
        match self {
            Self::Root => Some(all()),
            Self::Name(name) if name == "item" => Some(all()),
            Self::Member(of, name) => {
                let Selection { links, what } = of.chosen()?;
                let of = |what| Some(Selection { links: links.clone(), what });
                match (what, name.as_str()) {
                    (Aspect::Items, "item") => Some(all()),
                    (Aspect::Items, "answer") => of(Aspect::Answers),
                    // The number of a quantity is its value's value.
                    (Aspect::Answers | Aspect::Values, name) if name.starts_with("value") => of(Aspect::Values),
                    (Aspect::Values, "code") => of(Aspect::Codes),
                    (Aspect::Values, "display") => of(Aspect::Displays),
                    _ => None,
                }
            }
            Self::Call(Some(of), name, args) => {
                let found = of.chosen()?;
                match (found.what, name.as_str(), args.as_slice()) {
                    (Aspect::Items, "descendants", []) => Some(all()),
                    (Aspect::Items, "repeat", [Self::Name(item)]) if item == "item" => Some(all()),
                    (Aspect::Items, "where", [criterion]) => Some(Selection { links: Some(criterion.links()?), what: Aspect::Items }),
                    (Aspect::Answers | Aspect::Values, "ordinal" | "weight", []) => Some(Selection { what: Aspect::Weights, ..found }),
                    (_, "first", []) if found.links.as_ref().is_some_and(|links| links.len() == 1) => Some(found),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Of `linkId = 'a' or linkId in ('b' | 'c')`.
    fn links(&self) -> Option<Vec<String>> {
        match self {
            Self::Binary(Sign::Or, left, right) => Some([left.links()?, right.links()?].concat()),
            Self::Binary(Sign::Equal | Sign::In, name, texts) => {
                if matches!(&**name, Self::Name(name) if name == "linkId") {
                    texts.texts()
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    fn texts(&self) -> Option<Vec<String>> {
        match self {
            Self::Text(text) => Some(vec![text.clone()]),
            Self::Binary(Sign::Union, left, right) => Some([left.texts()?, right.texts()?].concat()),
            _ => None,
        }
    }

    /// Visits the node and everything under it.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Path)) {
        visit(self);
        match self {
            Self::Member(of, _) | Self::Minus(of) => of.walk(visit),
            Self::Call(of, _, args) => {
                if let Some(of) = of {
                    of.walk(visit);
                }
                args.iter().for_each(|arg| arg.walk(visit));
            }
            Self::Binary(_, left, right) => {
                left.walk(visit);
                right.walk(visit);
            }
            Self::Number(_) | Self::Text(_) | Self::Truth(_) | Self::Empty | Self::Root | Self::Name(_) => {}
        }
    }
}
