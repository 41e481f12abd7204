//! The options of a question: those that it lists, or a value set of the same file.

use std::collections::HashMap;

use rust_decimal::{Decimal, prelude::ToPrimitive};
use serde_json::Value;

use super::{ITEM_WEIGHT, OPTION_EXCLUSIVE, OPTION_PREFIX, ORDINAL, element::Element};
use crate::exchange::report::{CODE_TWICE, Note};

/// An option as the file has it.
#[derive(Clone)]
pub struct FileOption<'a> {
    /// `valueCoding`, `valueString` and so on.
    pub kind: &'a str,
    pub value: Value,
    pub system: Option<&'a str>,
    /// Unique among the options of its question; none where the file gives none.
    pub code: Option<String>,
    pub label: String,
    pub weight: Option<Decimal>,
    /// It is chosen at first.
    pub is_initial: bool,
    /// No other is chosen beside it.
    pub is_exclusive: bool,
    pub element: Element<'a>,
}

/// The options of a question, what they are called together, and what is told of them.
#[derive(Default)]
pub struct Options<'a> {
    pub name: Option<&'a str>,
    pub list: Vec<FileOption<'a>>,
    /// The systems in which a code of a kind was met.
    met: HashMap<(&'a str, String), Vec<Option<&'a str>>>,
    pub notes: Vec<Note>,
    pub warnings: Vec<Note>,
}

impl<'a> Options<'a> {
    /// Those of the item itself, else those of its value set.
    pub fn of(item: Element<'a>, sets: &HashMap<String, Element<'a>>, place: &str) -> Self {
        let listed = item.at("answerOption");
        if listed.each().next().is_some() {
            return Self::listed(listed, place);
        }
        let named = item.at("answerValueSet");
        let set = named.raw().as_str().and_then(|name| sets.get(name).or_else(|| sets.get(name.split('|').next().unwrap_or(name))));
        let Some(set) = set else { return Self::default() };
        named.take();
        Self::of_set(*set, place)
    }

    fn listed(listed: Element<'a>, place: &str) -> Self {
        let mut found = Self::default();
        for one in listed.each() {
            match option(one) {
                Some(option) => found.add(option, place),
                None => {
                    one.take();
                    found.notes.push(Note::of(place, "opcija te vrste se ne prenosi", one.raw().to_string()));
                }
            }
        }
        found
    }

    fn add(&mut self, mut option: FileOption<'a>, place: &str) {
        if let Some(code) = option.code.clone() {
            let systems = self.met.entry((option.kind, code.clone())).or_default();
            if systems.contains(&option.system) || (option.system.is_none() && !systems.is_empty()) {
                self.notes.push(Note::of(place, CODE_TWICE, code));
                return;
            }
            if !systems.is_empty() {
                option.code = Some(format!("{}|{code}", option.system.unwrap_or_default()));
            }
            systems.push(option.system);
        }
        self.list.push(option);
    }

    /// The expansion says what the set holds; what composes it says so only where it lists each concept.
    fn of_set(set: Element<'a>, place: &str) -> Self {
        let title = [set.at("title"), set.at("name")].into_iter().find_map(|name| name.text().filter(|name| !name.trim().is_empty()));
        let id = set.raw()["id"].as_str().unwrap_or_default();
        let place = format!("{place}, skup vrednosti „{}”", title.unwrap_or(id));
        let mut found = Self { name: title, ..Self::default() };
        let expansion = set.at("expansion");
        let mut concepts = Vec::new();
        found.flatten(expansion.at("contains"), &place, &mut concepts);
        let total = expansion.at("total").raw().as_u64().and_then(|total| usize::try_from(total).ok());
        let composed = set.at("compose");
        let is_part =
            total.is_some_and(|total| total > expanded(expansion.at("contains"))) || expansion.at("offset").raw().as_u64() > Some(0);
        let is_expanded = !is_part || !is_listed(composed);
        if !concepts.is_empty() && is_expanded {
            expansion.at("total").whole();
            if is_part {
                let message = format!("u fajlu je samo deo skupa: opcija je {}, a treba {}", concepts.len(), total.unwrap_or_default());
                found.notes.push(Note::new(&place, message));
            }
            // A weight may stand only with what composes the set.
            let weighed: Vec<FileOption> = composed
                .at("include")
                .each()
                .flat_map(|part| part.at("concept").each().filter_map(move |one| concept(one, part.at("system"))))
                .collect();
            for mut one in concepts {
                let same = weighed.iter().find(|other| (other.system, &other.code) == (one.system, &one.code));
                one.weight = one.weight.or(same.and_then(|same| same.weight));
                found.add(one, &place);
            }
            if expansion.is_there() {
                composed.take();
            }
        } else {
            found.compose(composed, &place);
            if !concepts.is_empty() {
                expansion.take();
            }
        }
        for name in ["timestamp", "identifier"] {
            expansion.at(name).text();
        }
        found
    }

    /// Concepts in concepts stand one after the other; what only holds others is not chosen.
    fn flatten(&mut self, contains: Element<'a>, place: &str, concepts: &mut Vec<FileOption<'a>>) {
        for one in contains.each() {
            if one.at("abstract").flag() == Some(true) {
                let name = one.at("display").text().or(one.at("code").text()).unwrap_or_default();
                one.at("code").text();
                one.at("system").text();
                self.warnings.push(Note::of(place, "naslov među opcijama (abstract) se ne bira i ne prenosi", name));
            } else {
                concepts.extend(concept(one, one.at("system")));
            }
            self.flatten(one.at("contains"), place, concepts);
        }
    }

    fn compose(&mut self, composed: Element<'a>, place: &str) {
        for part in composed.at("include").each() {
            let listed = part.at("concept");
            if listed.each().next().is_none() {
                part.take();
                self.notes.push(Note::of(place, "deo skupa vrednosti nema opcije u samom fajlu", part.raw().to_string()));
            }
            for one in listed.each() {
                if let Some(option) = concept(one, part.at("system")) {
                    self.add(option, place);
                }
            }
        }
        for part in composed.at("exclude").each() {
            let listed = part.at("concept");
            let system = part.raw()["system"].as_str();
            if listed.each().next().is_none() {
                self.notes.push(Note::of(place, "izuzetak iz skupa vrednosti se ne prenosi", part.raw().to_string()));
            }
            let is_out = |option: &FileOption| {
                listed.each().any(|one| one.raw()["code"].as_str() == option.code.as_deref() && option.system == system)
            };
            self.list.retain(|option| !is_out(option));
            part.take();
        }
    }
}

/// How many concepts an expansion has that its total counts.
fn expanded(contains: Element) -> usize {
    contains.each().map(|one| 1 + expanded(one.at("contains"))).sum()
}

/// Whether each concept of the set stands in what composes it.
fn is_listed(composed: Element) -> bool {
    let all =
        |name: &str| composed.at(name).each().all(|part| part.at("concept").each().next().is_some() && !part.at("valueSet").is_there());
    composed.at("include").each().next().is_some() && all("include") && all("exclude")
}

fn option(one: Element) -> Option<FileOption> {
    let (kind, value) = one.members().find(|(name, _)| name.starts_with("value"))?;
    let mut option = match kind {
        "valueCoding" => coding(value)?,
        "valueString" | "valueDate" => plain(kind, value, value.text()?.to_owned()),
        "valueInteger" => plain(kind, value, value.whole()?.to_string()),
        "valueDecimal" => plain(kind, value, value.number()?.normalize().to_string()),
        _ => return None,
    };
    option.weight = weight(one).or(option.weight);
    if let Some(prefix) = one.extension(OPTION_PREFIX).text().or_else(|| value.extension(OPTION_PREFIX).text()) {
        option.label = format!("{prefix} {}", option.label);
    }
    option.is_exclusive = one.extension(OPTION_EXCLUSIVE).flag() == Some(true);
    option.is_initial = one.at("initialSelected").raw().as_bool() == Some(true);
    if !option.is_initial {
        one.at("initialSelected").flag();
    }
    Some(FileOption { element: one, ..option })
}

fn plain<'a>(kind: &'a str, value: Element<'a>, text: String) -> FileOption<'a> {
    let value_read = value.raw().clone();
    FileOption {
        kind,
        value: value_read,
        system: None,
        code: Some(text.clone()),
        label: text,
        weight: None,
        is_initial: false,
        is_exclusive: false,
        element: value,
    }
}

fn concept<'a>(one: Element<'a>, system: Element<'a>) -> Option<FileOption<'a>> {
    let mut option = coding(one)?;
    option.system = system.text();
    option.value["system"] = option.system.map_or(Value::Null, Value::from);
    Some(option)
}

fn coding(one: Element) -> Option<FileOption> {
    let (code, display) = (one.at("code").text(), one.at("display").text());
    let label = display.or(code).filter(|label| !label.trim().is_empty())?;
    let mut option = plain("valueCoding", one, label.to_owned());
    option.code = code.map(str::to_owned).filter(|code| !code.trim().is_empty());
    option.system = one.at("system").text();
    option.weight = weight(one);
    Some(option)
}

/// The two names of a weight, of R4 and of R5; a file may say both.
fn weight(one: Element) -> Option<Decimal> {
    let (first, second) = (one.extension(ORDINAL), one.extension(ITEM_WEIGHT));
    let weight = first.number().or_else(|| second.number())?;
    if super::element::number(second.raw()).is_some_and(|other| other.to_f64() == weight.to_f64()) {
        second.take();
    }
    Some(weight)
}
