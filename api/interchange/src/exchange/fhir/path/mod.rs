//! FHIRPath as questionnaires use it for scores: answers chosen by `linkId`, their weights, numbers, conditions. What an expression means there
//! is told by `meaning`, how it is said here by `saying`; the two are tried on the same answers
//! (docs/decisions/0062-imports-are-proven-by-values.md).

mod meaning;
mod parse;
mod saying;
mod selection;

use self::selection::{AnswerTest, Links, Origin};
pub use self::{
    meaning::{Answered, Response, result},
    parse::{VariableText, parse},
    saying::{ResultKind, Saying},
    selection::{Aspect, ItemTree, Selection},
};

#[derive(Clone, Debug, PartialEq)]
pub enum Path {
    Number(f64),
    Text(String),
    Truth(bool),
    Empty,
    /// The response as a whole.
    Root,
    /// What the expression stands at: the response, or an item of it.
    Context,
    /// The same for an expression that stands outside of the row in which it is read.
    Outer,
    /// The questionnaire itself, where weights of options are looked up.
    Form,
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
    Xor,
    And,
    In,
    Contains,
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
    Union,
    Add,
    Subtract,
    /// Of texts: what is not there is an empty one.
    Join,
    Multiply,
    Divide,
    Whole,
    Remainder,
}

impl Path {
    /// None: it is computed.
    pub fn chosen(&self) -> Option<Selection> {
        match self {
            Self::Root => Some(Selection { whole: true, ..Selection::of(Origin::Top, Aspect::Response) }),
            Self::Outer => Some(Selection { whole: true, ..Selection::of(Origin::Anywhere, Aspect::Response) }),
            Self::Context => Some(Selection::of(Origin::Anywhere, Aspect::Response)),
            Self::Name(name) if name == "item" => Some(Selection::of(Origin::Anywhere, Aspect::Items)),
            Self::Member(of, name) => self.looked_up().or_else(|| of.chosen()?.member(name)),
            Self::Call(Some(of), name, args) => {
                let found = of.chosen()?;
                match (found.what, name.as_str(), args.as_slice()) {
                    (Aspect::Response, "descendants", []) => Some(Selection { from: Origin::Anywhere, what: Aspect::Items, ..found }),
                    (Aspect::Response, "repeat", [item]) if item.is_item() => {
                        Some(Selection { from: Origin::Anywhere, what: Aspect::Items, ..found })
                    }
                    (Aspect::Items, "descendants", []) => Some(found.holding(Origin::Under)),
                    (Aspect::Items, "repeat", [item]) if item.is_item() => Some(found.holding(Origin::Under)),
                    (Aspect::Items, "where", [criterion]) if found.links == Links::All => {
                        Some(Selection { links: criterion.links()?, ..found })
                    }
                    (Aspect::Answers | Aspect::Values | Aspect::Weights, "where", [criterion]) if found.test.is_none() => {
                        Some(Selection { test: Some(criterion.test()?), ..found })
                    }
                    (Aspect::Answers | Aspect::Values, "ordinal" | "weight", []) if found.test.is_none() => {
                        Some(Selection { what: Aspect::Weights, ..found })
                    }
                    (_, "first" | "single", []) if matches!(&found.links, Links::Only(links) if links.len() == 1) => Some(found),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What a path chooses, from the outside in: nothing within a choice is one of its own.
    pub fn selections(&self) -> Vec<Selection> {
        if let Some(chosen) = self.chosen() {
            return vec![chosen];
        }
        match self {
            Self::Member(of, _) | Self::Minus(of) => of.selections(),
            Self::Call(of, _, args) => of.iter().map(AsRef::as_ref).chain(args).flat_map(Self::selections).collect(),
            Self::Binary(_, left, right) => [left.selections(), right.selections()].concat(),
            _ => Vec::new(),
        }
    }

    /// Which items a criterion lets through: by `linkId = 'a' or linkId in ('b' | 'c')` those, by any other test of `linkId` those that
    /// pass it.
    fn links(&self) -> Option<Links> {
        let criterion = self.without_answered()?;
        match criterion.named_links() {
            Some(links) => Some(Links::Only(links)),
            None => criterion.lets("").map(|_| Links::Passing(Box::new(criterion.clone()))),
        }
    }

    fn named_links(&self) -> Option<Vec<String>> {
        match self {
            Self::Binary(Sign::Or, left, right) => Some([left.named_links()?, right.named_links()?].concat()),
            Self::Binary(Sign::Equal | Sign::In, name, texts) if name.is_link() => texts.texts(),
            _ => None,
        }
    }

    fn is_link(&self) -> bool {
        matches!(self, Self::Name(name) if name == "linkId") || matches!(self, Self::Member(of, name) if name == "linkId" && of.is_this())
    }

    fn is_item(&self) -> bool {
        matches!(self, Self::Name(name) if name == "item")
            || matches!(self, Self::Member(of, name) if name == "item" && **of == Self::Outer)
    }

    fn is_this(&self) -> bool {
        matches!(self, Self::Name(name) if name == "$this")
    }

    /// Without `answer.exists()` beside it: what has no answer has none that could be read either.
    fn without_answered(&self) -> Option<&Self> {
        match self {
            Self::Binary(Sign::And, one, other) if other.is_answered() => Some(one),
            Self::Binary(Sign::And, one, other) if one.is_answered() => Some(other),
            _ => (!self.is_answered()).then_some(self),
        }
    }

    fn is_answered(&self) -> bool {
        let Self::Call(Some(of), name, args) = self else { return false };
        let is_answer = |path: &Self| matches!(path, Self::Name(name) if name == "answer");
        let is_of_answer = is_answer(of) || matches!(&**of, Self::Member(of, name) if is_answer(of) && name.starts_with("value"));
        name == "exists" && args.is_empty() && is_of_answer
    }

    /// Whether an item of this `linkId` passes; none where it is no test of `linkId`.
    pub(super) fn lets(&self, link: &str) -> Option<bool> {
        match self {
            Self::Binary(Sign::Or, left, right) => Some(left.lets(link)? | right.lets(link)?),
            Self::Binary(Sign::And, left, right) => Some(left.lets(link)? & right.lets(link)?),
            Self::Binary(Sign::Equal | Sign::In, name, texts) if name.is_link() => Some(texts.texts()?.iter().any(|text| text == link)),
            Self::Binary(Sign::Unequal, name, text) if name.is_link() => match &**text {
                Self::Text(text) => Some(text != link),
                _ => None,
            },
            Self::Call(Some(of), name, args) => match (name.as_str(), args.as_slice()) {
                ("not", []) => of.lets(link).map(|lets| !lets),
                ("startsWith", [Self::Text(text)]) if of.is_link() => Some(link.starts_with(text.as_str())),
                ("endsWith", [Self::Text(text)]) if of.is_link() => Some(link.ends_with(text.as_str())),
                ("contains", [Self::Text(text)]) if of.is_link() => Some(link.contains(text.as_str())),
                _ => None,
            },
            _ => None,
        }
    }

    /// What a criterion asks of an answer: one of some codes, or how it compares with a number.
    fn test(&self) -> Option<AnswerTest> {
        match self {
            Self::Binary(Sign::Or, left, right) => match (left.test()?, right.test()?) {
                (AnswerTest::Codes(one), AnswerTest::Codes(other)) => Some(AnswerTest::Codes([one, other].concat())),
                _ => None,
            },
            Self::Binary(Sign::Equal | Sign::In, code, texts) if code.is_code() => Some(AnswerTest::Codes(texts.texts()?)),
            Self::Binary(
                sign @ (Sign::Equal | Sign::Unequal | Sign::Less | Sign::AtMost | Sign::More | Sign::AtLeast),
                subject,
                number,
            ) => match &**number {
                Self::Number(number) if subject.is_this() || subject.is_value() => Some(AnswerTest::Compares(*sign, *number)),
                _ => None,
            },
            _ => None,
        }
    }

    fn is_value(&self) -> bool {
        match self {
            Self::Name(name) => name.starts_with("value"),
            Self::Member(of, name) => name.starts_with("value") && of.is_this(),
            _ => false,
        }
    }

    /// `code`, `$this.code`, `value.code` and so on.
    fn is_code(&self) -> bool {
        match self {
            Self::Name(name) => name == "code",
            Self::Member(of, name) => name == "code" && (of.is_this() || of.is_value()),
            _ => false,
        }
    }

    fn texts(&self) -> Option<Vec<String>> {
        match self {
            Self::Text(text) => Some(vec![text.clone()]),
            Self::Binary(Sign::Union, left, right) => Some([left.texts()?, right.texts()?].concat()),
            Self::Call(Some(of), name, args) => match (name.as_str(), args.as_slice()) {
                ("combine", [other]) => Some([of.texts()?, other.texts()?].concat()),
                _ => None,
            },
            _ => None,
        }
    }

    /// A weight that is looked up among the options of the questionnaire itself by the code that was answered, as tools write it:
    /// `%questionnaire.item.where(linkId = 'a').answerOption.where(valueCoding.code = …answer.valueCoding.code).extension.where(url = …).value`.
    fn looked_up(&self) -> Option<Selection> {
        let Self::Member(extension, value) = self else { return None };
        let Self::Call(Some(of), name, args) = &**extension else { return None };
        let options = match (name.as_str(), args.as_slice(), &**of) {
            ("extension", [Self::Text(url)], options) if is_weight(url) => options,
            ("where", [Self::Binary(Sign::Equal, key, url)], Self::Member(options, member))
                if member == "extension"
                    && matches!(&**key, Self::Name(name) if name == "url")
                    && matches!(&**url, Self::Text(url) if is_weight(url)) =>
            {
                options
            }
            _ => return None,
        };
        // A weight may stand with the option, or with its coding.
        let options = match options {
            Self::Member(options, member) if member.starts_with("value") => options,
            options => options,
        };
        let Self::Call(Some(listed), name, args) = options else { return None };
        let ("where", [Self::Binary(sign @ (Sign::Equal | Sign::In), one, other)]) = (name.as_str(), args.as_slice()) else { return None };
        let answer = if one.is_code() || one.is_value() { other } else { one };
        let key = if one.is_code() || one.is_value() { one } else { other };
        let items = match &**listed {
            Self::Member(items, member) if member == "answerOption" => items,
            Self::Member(options, member) if member.starts_with("value") => match &**options {
                Self::Member(items, member) if member == "answerOption" => items,
                _ => return None,
            },
            _ => return None,
        };
        let answered = answer.chosen().filter(|answered| answered.test.is_none())?;
        let is_whole = key.is_value() && answered.what == Aspect::Values;
        let is_code = key.is_code() && answered.what == Aspect::Codes;
        let of_form = items.form_links()?;
        let is_same = matches!(&answered.links, Links::Only(links) if *links == of_form && links.len() == 1);
        let what = if *sign == Sign::In { Aspect::Weights } else { Aspect::OneWeight };
        (value.starts_with("value") && is_same && (is_whole || is_code)).then_some(Selection { what, ..answered })
    }

    /// Options of the questionnaire itself: of which question, and with which codes.
    pub(super) fn form_options(&self) -> Option<(String, Vec<String>)> {
        let (options, codes) = match self {
            Self::Call(Some(of), name, args) if name == "first" && args.is_empty() => return of.form_options(),
            Self::Call(Some(options), name, args) if name == "where" => match args.as_slice() {
                [Self::Binary(Sign::Equal, code, text)] if code.is_code() => (options, text.texts()?),
                _ => return None,
            },
            _ => return None,
        };
        let Self::Member(options, value) = &**options else { return None };
        let Self::Member(items, member) = &**options else { return None };
        let links = items.form_links()?;
        match links.as_slice() {
            [link] if value.starts_with("value") && member == "answerOption" => Some((link.clone(), codes)),
            _ => None,
        }
    }

    /// The items of the questionnaire that are named.
    fn form_links(&self) -> Option<Vec<String>> {
        match self {
            Self::Call(Some(of), name, args) if name == "where" => match (args.as_slice(), of.is_of_form()) {
                ([criterion], true) => criterion.named_links(),
                _ => None,
            },
            Self::Call(Some(of), name, args) if name == "first" && args.is_empty() => of.form_links(),
            _ => None,
        }
    }

    fn is_of_form(&self) -> bool {
        match self {
            Self::Form => true,
            Self::Member(of, name) => name == "item" && of.is_of_form(),
            Self::Call(Some(of), name, _) => matches!(name.as_str(), "descendants" | "repeat" | "where") && of.is_of_form(),
            _ => false,
        }
    }

    /// What stands behind `select(…)`, taken of this path; none where each item has to be looked at by itself.
    fn projected(&self, onto: &Self) -> Option<Self> {
        match self {
            Self::Name(name) if name == "$this" => Some(onto.clone()),
            Self::Name(name) => Some(Self::Member(Box::new(onto.clone()), name.clone())),
            Self::Member(of, name) => Some(Self::Member(Box::new(of.projected(onto)?), name.clone())),
            Self::Call(of, name, args) if args.is_empty() && matches!(name.as_str(), "ordinal" | "weight") => {
                let of = of.as_ref().map_or_else(|| Some(onto.clone()), |of| of.projected(onto))?;
                Some(Self::Call(Some(Box::new(of)), name.clone(), Vec::new()))
            }
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
            Self::Number(_)
            | Self::Text(_)
            | Self::Truth(_)
            | Self::Empty
            | Self::Root
            | Self::Context
            | Self::Outer
            | Self::Form
            | Self::Name(_) => {}
        }
    }
}

fn is_weight(url: &str) -> bool {
    ["ordinalValue", "itemWeight"].iter().any(|name| url == format!("http://hl7.org/fhir/StructureDefinition/{name}"))
}
