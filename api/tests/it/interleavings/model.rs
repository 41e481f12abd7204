//! What an entry must be after each call, told independently of the API: answers by code, whole histories, remembered saves.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use uuid::Uuid;

/// Answers by field code, `datumUnosa` and `radnikOdgovoran`; a blank one is absent.
pub type Answers = BTreeMap<String, Value>;

pub const DATUM: &str = "datumUnosa";
pub const LEKAR: &str = "radnikOdgovoran";

/// One save as it is sent.
#[derive(Debug, Clone)]
pub struct Save {
    pub key: Uuid,
    pub unos: Option<i64>,
    pub version: Option<i64>,
    pub base: Answers,
    pub mine: Answers,
}

/// What a save is answered.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    Saved {
        version: i64,
        answers: Answers,
        cleared: Vec<String>,
    },
    /// Mine and theirs of each clash, the rest joined, and what is stored.
    Clash {
        version: i64,
        clashes: BTreeMap<String, (Option<Value>, Option<Value>)>,
        joined: Answers,
        stored: Answers,
    },
    Gone,
}

#[derive(Debug, Clone, Default)]
pub struct Model {
    /// Of the only entry: none before it is made.
    pub stored: Option<Answers>,
    pub version: i64,
    pub deleted: bool,
    /// Field code and what the field held, a row for every change.
    pub history: Vec<(String, Option<Value>)>,
    /// How often the entry was written: what the log must say.
    pub writes: usize,
    /// By key: the version that came of it, what was sent, and what was cleared.
    saves: BTreeMap<Uuid, (i64, Answers, Vec<String>)>,
}

impl Model {
    pub fn save(&mut self, save: &Save) -> Outcome {
        let Some(stored) = self.stored.clone() else {
            let (answers, cleared) = computed(save.mine.clone());
            self.write(answers.clone());
            self.saves.insert(save.key, (self.version, save.mine.clone(), cleared.clone()));
            return Outcome::Saved { version: self.version, answers, cleared };
        };
        if self.deleted {
            return Outcome::Gone;
        }
        let theirs = entered(&stored);
        let base = match self.saves.get(&save.key) {
            Some((version, sent, cleared)) if save.version.is_none_or(|loaded| loaded <= *version) => {
                if *sent == save.mine {
                    return Outcome::Saved { version: self.version, answers: stored, cleared: cleared.clone() };
                }
                // That they were cleared was never told.
                sent.iter().filter(|(part, _)| !cleared.contains(part)).map(|(part, value)| (part.clone(), value.clone())).collect()
            }
            _ if save.version == Some(self.version) => theirs.clone(),
            _ => save.base.clone(),
        };
        let mut joined = Answers::new();
        let mut clashes = BTreeMap::new();
        for part in base.keys().chain(save.mine.keys()).chain(theirs.keys()) {
            let (was, my, their) = (base.get(part), save.mine.get(part), theirs.get(part));
            let (i_edited, they_edited) = (my != was, their != was);
            match (i_edited, they_edited) {
                (true, true) if my != their => {
                    clashes.insert(part.clone(), (my.cloned(), their.cloned()));
                }
                (true, false) => joined.extend(my.map(|value| (part.clone(), value.clone()))),
                _ => joined.extend(their.map(|value| (part.clone(), value.clone()))),
            }
        }
        if !clashes.is_empty() {
            return Outcome::Clash { version: self.version, clashes, joined, stored: theirs };
        }
        let (answers, cleared) = computed(joined);
        if answers != stored {
            self.write(answers.clone());
        }
        self.saves.insert(save.key, (self.version, save.mine.clone(), cleared.clone()));
        Outcome::Saved { version: self.version, answers, cleared }
    }

    fn write(&mut self, answers: Answers) {
        self.version += 1;
        self.writes += 1;
        if let Some(before) = &self.stored {
            let codes = before.keys().chain(answers.keys()).filter(|code| !is_head(code));
            let mut changed: Vec<&String> = codes.filter(|code| before.get(*code) != answers.get(*code)).collect();
            changed.sort();
            changed.dedup();
            self.history.extend(changed.into_iter().map(|code| (code.clone(), before.get(code).cloned())));
        }
        self.stored = Some(answers);
    }

    pub fn delete(&mut self) {
        if !self.deleted {
            self.deleted = true;
            self.version += 1;
            self.writes += 1;
        }
    }
}

pub fn is_head(part: &str) -> bool {
    part == DATUM || part == LEKAR
}

/// Without what the server calculates.
pub fn entered(answers: &Answers) -> Answers {
    answers.iter().filter(|(part, _)| *part != "zbir").map(|(part, value)| (part.clone(), value.clone())).collect()
}

/// The form's rules: `zbir` is `broj` and one; `skriveno` is shown while `izbor` holds.
fn computed(mut answers: Answers) -> (Answers, Vec<String>) {
    let mut cleared = Vec::new();
    if answers.get("izbor") != Some(&json!(true)) && answers.remove("skriveno").is_some() {
        cleared.push("skriveno".to_owned());
    }
    match answers.get("broj").and_then(Value::as_i64) {
        Some(broj) => answers.insert("zbir".to_owned(), json!(broj + 1)),
        None => answers.remove("zbir"),
    };
    (answers, cleared)
}
