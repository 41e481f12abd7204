//! Which answers of a response a path chooses: of which items, which of their answers, and what of them.

use super::{Path, Sign};

#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    pub(super) from: Origin,
    pub(super) links: Links,
    pub(super) test: Option<AnswerTest>,
    /// Reached from the response as a whole: of a section that repeats it chooses in all rows, wherever it is asked.
    pub(super) whole: bool,
    pub what: Aspect,
}

/// Where items stand. Those that are named are found wherever they stand: a `linkId` is unique, and tools differ in how they reach into groups.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Origin {
    Anywhere,
    /// In no other item.
    Top,
    Inside(Box<Selection>),
    Under(Box<Selection>),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Links {
    All,
    Only(Vec<String>),
    Passing(Box<Path>),
}

/// What an answer must be to be chosen.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum AnswerTest {
    /// An option with one of these codes.
    Codes(Vec<String>),
    Compares(Sign, f64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aspect {
    Response,
    Items,
    Answers,
    Values,
    Codes,
    Displays,
    /// Of the options that are chosen.
    Weights,
    /// Of the one option that is chosen; none of several.
    OneWeight,
}

/// The items of a questionnaire in their order, each with the one that it stands in.
#[derive(Default)]
pub struct ItemTree<'a>(pub Vec<(&'a str, Option<&'a str>)>);

impl Selection {
    pub(super) fn of(from: Origin, what: Aspect) -> Self {
        Self { from, links: Links::All, test: None, whole: false, what }
    }

    /// Items that stand in these.
    pub(super) fn holding(self, origin: fn(Box<Self>) -> Origin) -> Self {
        let whole = self.whole;
        Self { whole, ..Self::of(origin(Box::new(self)), Aspect::Items) }
    }

    pub(super) fn member(self, name: &str) -> Option<Self> {
        let what = match (self.what, name) {
            (Aspect::Response, "item") => Aspect::Items,
            (Aspect::Items | Aspect::Answers, "item") => {
                let inner = Self { what: Aspect::Items, ..self };
                return Some(inner.holding(Origin::Inside));
            }
            (Aspect::Items, "answer") => Aspect::Answers,
            // The number of a quantity is its value's value.
            (Aspect::Answers | Aspect::Values, name) if name.starts_with("value") => Aspect::Values,
            (Aspect::Values, "code") if self.test.is_none() => Aspect::Codes,
            (Aspect::Values, "display") if self.test.is_none() => Aspect::Displays,
            _ => return None,
        };
        Some(Self { what, ..self })
    }

    /// Whether the items are named one by one.
    pub fn is_named(&self) -> bool {
        matches!(self.links, Links::Only(_))
    }

    /// The `linkId` of each item that is chosen.
    pub fn links_in<'a>(&'a self, tree: &ItemTree<'a>) -> Vec<&'a str> {
        let passes = |link: &str| match &self.links {
            Links::Passing(criterion) => criterion.lets(link) == Some(true),
            Links::All | Links::Only(_) => true,
        };
        if let Links::Only(links) = &self.links {
            return links.iter().map(String::as_str).collect();
        }
        let stands = |link: &str, around: Option<&str>| match &self.from {
            Origin::Anywhere => true,
            Origin::Top => around.is_none(),
            Origin::Inside(holder) => around.is_some_and(|around| holder.links_in(tree).contains(&around)),
            Origin::Under(holder) => {
                let holders = holder.links_in(tree);
                tree.around(link).iter().any(|around| holders.contains(around))
            }
        };
        tree.0.iter().filter(|(link, around)| passes(link) && stands(link, *around)).map(|(link, _)| *link).collect()
    }
}

impl<'a> ItemTree<'a> {
    /// From the inside out.
    fn around(&self, link: &str) -> Vec<&'a str> {
        let mut found = Vec::new();
        let mut next = Some(link);
        while let Some((_, Some(around))) = next.and_then(|link| self.0.iter().find(|(known, _)| *known == link)) {
            if found.contains(around) {
                break;
            }
            found.push(*around);
            next = Some(around);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashMap};

    use super::*;
    use crate::exchange::fhir::path::parse;

    fn links(text: &str) -> Vec<String> {
        let tree = ItemTree(vec![("g", None), ("a", Some("g")), ("b", Some("g")), ("i", Some("b")), ("total", None)]);
        let chosen = parse(text, &HashMap::new(), &mut BTreeSet::new()).unwrap().chosen().unwrap_or_else(|| panic!("{text} is computed"));
        chosen.links_in(&tree).into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn items_are_chosen_by_where_they_stand_and_by_their_links() {
        for (text, expected) in [
            ("%resource.item", "g total"),
            ("%resource.item.item.answer", "a b"),
            ("%resource.descendants()", "g a b i total"),
            ("item.where(linkId != 'a')", "g b i total"),
            ("%resource.item.where(linkId = 'g').item.where(linkId != 'a').answer.value", "b"),
            ("%resource.item.where(linkId = 'g').descendants()", "a b i"),
            ("%resource.item.where(linkId = 'g').item.answer.item", "i"),
            ("item.where(linkId.startsWith('t') or linkId = 'b')", "b total"),
            ("item.where((linkId = 'a').not() and linkId != 'g')", "b i total"),
            ("item.where(linkId = 'i' and answer.exists()).answer", "i"),
        ] {
            assert_eq!(links(text).join(" "), expected, "{text}");
        }
    }
}
