//! A writer as the entry screen is one: what was loaded, what is typed over it, and the key of the save that is not answered yet.

use rand::{Rng, rngs::StdRng};
use serde_json::{Value, json};
use uuid::Uuid;

use super::model::{Answers, DATUM, LEKAR, Outcome, Save, entered};

pub struct Writer {
    pub unos: Option<i64>,
    version: Option<i64>,
    base: Answers,
    pub mine: Answers,
    key: Uuid,
    /// The last save that was answered, for a network that delivers it once more.
    pub delivered: Option<Save>,
}

/// What there is to choose from.
pub struct Choices {
    pub doctors: [i64; 2],
    pub items: [i64; 2],
}

impl Writer {
    pub fn new(rng: &mut StdRng) -> Self {
        Self { unos: None, version: None, base: Answers::new(), mine: Answers::new(), key: key(rng), delivered: None }
    }

    /// Shows what is stored; as on the screen, only when nothing is unsaved.
    pub fn load(&mut self, unos: i64, version: i64, stored: &Answers, rng: &mut StdRng) {
        *self = Self { unos: Some(unos), version: Some(version), base: entered(stored), mine: entered(stored), ..Self::new(rng) };
    }

    pub fn is_clean(&self) -> bool {
        self.base == self.mine
    }

    /// Changes one answer. The required number, the date and the doctor are changed, never taken out.
    pub fn edit(&mut self, number: u32, choices: &Choices, rng: &mut StdRng) {
        let (part, value): (&str, Value) = match rng.random_range(0..8) {
            0 | 1 => ("broj", json!(rng.random_range(0..=100))),
            2 => ("tekst", json!(format!("tekst {number}"))),
            3 => ("skriveno", json!(format!("skriveno {number}"))),
            4 => ("izbor", json!(rng.random_bool(0.7))),
            5 => ("skup", json!(choices.items[[0..1, 1..2, 0..2][rng.random_range(0..3)].clone()])),
            6 => (DATUM, json!(format!("2026-03-{:02}", rng.random_range(1..=28)))),
            _ => (LEKAR, json!(choices.doctors[rng.random_range(0..2)])),
        };
        if matches!(part, "tekst" | "skriveno" | "skup") && rng.random_bool(0.25) {
            self.mine.remove(part);
        } else {
            self.mine.insert(part.to_owned(), value);
        }
    }

    pub fn to_send(&self) -> Save {
        Save { key: self.key, unos: self.unos, version: self.version, base: self.base.clone(), mine: self.mine.clone() }
    }

    /// What the screen makes of an answer that arrived. A clash is settled part by part, mine or theirs.
    pub fn take(&mut self, save: Save, outcome: &Outcome, unos: Option<i64>, rng: &mut StdRng) {
        match outcome {
            Outcome::Saved { version, answers, .. } => {
                self.delivered = Some(save);
                self.unos = unos;
                self.version = Some(*version);
                self.base = entered(answers);
                self.mine = entered(answers);
                self.key = key(rng);
            }
            Outcome::Clash { version, clashes, joined, stored } => {
                self.version = Some(*version);
                self.base = stored.clone();
                self.mine = joined.clone();
                for (part, (mine, theirs)) in clashes {
                    let chosen = if rng.random_bool(0.5) { mine } else { theirs };
                    self.mine.extend(chosen.clone().map(|value| (part.clone(), value)));
                }
            }
            Outcome::Gone => {}
        }
    }

    /// Parts that a save with this would change, as the writer sees it.
    pub fn edits(&self) -> Vec<(String, Value)> {
        let typed = self.mine.iter().filter(|(part, value)| self.base.get(*part) != Some(value));
        typed.map(|(part, value)| (part.clone(), value.clone())).collect()
    }
}

pub fn key(rng: &mut StdRng) -> Uuid {
    Uuid::from_bytes(rng.random())
}
