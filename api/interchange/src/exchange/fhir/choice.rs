//! A question with options becomes a set.

use super::{
    ANSWER_CONSTRAINT, CONTROL, OPTION_EXCLUSIVE,
    condition::{Answers, Choosable},
    element::Element,
    incoming::{Reader, Rule, control, take_but_items},
    limits,
    options::{FileOption, Options},
    own,
};
use crate::exchange::{known_field::Choice, report::Note, words::one_line};

/// Characters of a type that is named by its options.
const LONGEST_NAME: usize = 60;

impl<'a> Reader<'a> {
    pub(super) fn choice(
        &mut self,
        item: Element<'a>,
        kind: &str,
        link: &'a str,
        name: &str,
        place: &str,
        parent: Option<&str>,
    ) -> Option<usize> {
        let options = Options::of(item, &self.sets, place);
        options.notes.into_iter().for_each(|note| self.builder.lost(note));
        self.builder.warnings.extend(options.warnings);
        if options.list.is_empty() {
            let original = item.raw()["answerValueSet"].as_str().unwrap_or(name);
            self.builder.lost(Note::of(place, "izbor nema opcije u samom fajlu", original));
            take_but_items(item);
            return None;
        }
        let constraint = [item.at("answerConstraint"), item.extension(ANSWER_CONSTRAINT)].into_iter().find(|one| one.is_there());
        if constraint.is_some_and(|one| one.text() != Some("optionsOnly")) || kind == "open-choice" {
            self.builder.lost(Note::of(place, "slobodan odgovor uz izbor se ne prenosi", name));
        }
        let multiple = item.at("repeats").flag() == Some(true);
        let is_own = |option: &FileOption| option.system == Some(own::MADE_CODES);
        self.systems.extend(options.list.iter().filter(|option| !is_own(option)).filter_map(|option| option.system));
        let code = |option: &FileOption| option.code.clone().filter(|_| !is_own(option)).unwrap_or_default();
        let choices: Vec<Choice> =
            options.list.iter().map(|one| Choice { code: code(one), label: one.label.clone(), weight: one.weight }).collect();
        let type_name = options.name.map_or_else(|| named_by(&options.list), str::to_owned);
        let (type_name, known) = self.builder.set_type(&type_name, &choices, multiple);
        let names = self.builder.items(&type_name);
        let at = self.builder.add(link, name, type_name, known, parent, place);
        let chosen = |(option, item): (&FileOption, &String)| Choosable {
            kind: option.kind.to_owned(),
            value: option.value.clone(),
            item: item.clone(),
            code: Some(code(option)).filter(|code| !code.is_empty()),
        };
        let answers = Answers::Options { options: options.list.iter().zip(&names).map(chosen).collect() };
        let known = self.question(at, answers, parent);
        self.questions.insert(link, known);
        let elements: Vec<(String, Element)> = names.iter().cloned().zip(options.list.iter().map(|option| option.element)).collect();
        let code = self.builder.field(at).sifra.clone();
        self.own.read_field(&code, item, &elements);
        let control = control(item);
        if matches!((control, multiple), (Some("drop-down" | "autocomplete" | "radio-button"), false) | (Some("check-box"), true)) {
            item.extension(CONTROL).take();
        }
        let own = &mut self.builder.field(at).own;
        (own.multiselect, own.radio_button) = (multiple, !multiple && control == Some("radio-button"));
        if !parent.is_some_and(|parent| self.builder.is_section(parent)) {
            self.first_item(item, &options.list, &names, at);
            self.exclusive(&options.list, &names, at);
        }
        Some(at)
    }

    /// The one option that is chosen at first; a field begins with no more.
    fn first_item(&mut self, item: Element<'a>, options: &[FileOption<'a>], names: &[String], at: usize) {
        let mut marked: Vec<(&String, Element)> = names
            .iter()
            .zip(options)
            .filter(|(_, one)| one.is_initial)
            .map(|(name, one)| (name, one.element.at("initialSelected")))
            .collect();
        let initial: Vec<Element> = item.at("initial").each().collect();
        if let ([], [one]) = (marked.as_slice(), initial.as_slice()) {
            let asked = one.value();
            let same = |option: &&FileOption| {
                let plain = asked.raw()["code"].as_str().map(str::to_owned);
                option.value == *asked.raw() || (plain.is_some() && plain == option.code && option.kind == "valueCoding")
            };
            let found = options.iter().position(|option| same(&option));
            marked.extend(found.map(|found| (&names[found], item.at("initial"))));
        }
        if let [(name, element)] = marked.as_slice() {
            element.take();
            self.builder.field(at).inicijalna_enum_stavka = Some((*name).clone());
        }
    }

    /// What is chosen alone: beside another it is wrong.
    fn exclusive(&mut self, options: &[FileOption<'a>], names: &[String], at: usize) {
        let field = &self.builder.field(at).sifra.clone();
        for (option, name) in options.iter().zip(names).filter(|(option, _)| option.is_exclusive) {
            let others: Vec<String> = names.iter().filter(|other| *other != name).map(|other| format!("\"{other}\"")).collect();
            let condition = format!("selected($({field}), \"{name}\") and anyof($({field}), {})", others.join(", "));
            let message = format!("„{name}” se ne bira uz drugu opciju.");
            let read = vec![option.element.extension(OPTION_EXCLUSIVE)];
            if !others.is_empty() {
                self.rules.push(Rule { rule: limits::rule(field, condition, &message), read });
            }
        }
    }
}

/// The options one after another, as many as a name holds.
fn named_by(options: &[FileOption]) -> String {
    let mut name = String::new();
    for (at, option) in options.iter().enumerate() {
        let label = one_line(&option.label);
        if at > 0 && name.chars().count() + label.chars().count() > LONGEST_NAME {
            return format!("{name}…");
        }
        if at > 0 {
            name.push_str(" / ");
        }
        name.extend(label.chars().take(LONGEST_NAME));
    }
    name
}
