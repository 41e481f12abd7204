//! Invented patients: names with every Serbian letter, as unevenly frequent as names are, and valid JMBGs.

use domain::jmbg::Jmbg;
use jiff::{
    ToSpan,
    civil::{Date, date},
};

use crate::chance::{rank, throw, unit};

/// Birth dates go round after this many patients; the serial of the JMBG then counts on.
const BIRTH_DAYS: u64 = 25_000;

pub struct Names {
    male: Vec<String>,
    female: Vec<String>,
    surnames: Vec<String>,
}

pub struct Patient {
    pub name: String,
    pub surname: String,
    pub birth: Date,
    pub male: bool,
    pub jmbg: String,
    pub lbo: String,
    /// A place in the list of institutions.
    pub institution: usize,
    pub active: bool,
    /// 0 or 1; seven of ten are in the first.
    pub register: usize,
}

impl Names {
    /// The demo's names, and some six thousand surnames composed after them.
    pub fn new() -> anyhow::Result<Self> {
        let words: toml::Table = toml::from_str(include_str!("../../demo/osobe.toml"))?;
        let list = |name: &str| -> Vec<String> {
            words[name].as_array().into_iter().flatten().filter_map(|word| word.as_str().map(str::to_owned)).collect()
        };
        let mut surnames = list("prezimena");
        for suffix in ["ić", "ović", "ević", "ac", "ski", "čić"] {
            for onset in ["B", "V", "G", "Gr", "D", "Đ", "Ž", "Z", "K", "Kr", "L", "Lj", "M", "N", "P", "R", "S", "Š", "Č", "T"] {
                for vowel in ["a", "e", "i", "o", "u"] {
                    for coda in ["b", "v", "d", "đ", "k", "l", "n", "r", "š", "t"] {
                        surnames.push(format!("{onset}{vowel}{coda}{suffix}"));
                    }
                }
            }
        }
        Ok(Self { male: list("muskaImena"), female: list("zenskaImena"), surnames })
    }

    pub fn patient(&self, number: u64, institutions: usize) -> Patient {
        let male = throw(1, number).is_multiple_of(2);
        let names = if male { &self.male } else { &self.female };
        let mut surname = self.surnames[rank(throw(2, number), self.surnames.len())].clone();
        if throw(3, number).is_multiple_of(50) {
            // As people type it who have no Serbian keyboard.
            surname = surname.replace('Đ', "Dj").replace('đ', "dj");
        }
        let birth = date(1937, 1, 1) + i64::try_from(number * 7_919 % BIRTH_DAYS).expect("days").days();
        let serial = u16::try_from(number / BIRTH_DAYS).expect("a serial");
        // The last institution knows one patient in five thousand.
        let institution = if throw(4, number).is_multiple_of(5_000) { institutions - 1 } else { rank(throw(5, number), institutions - 1) };
        Patient {
            name: names[rank(throw(6, number), names.len())].clone(),
            surname,
            birth,
            male,
            jmbg: Jmbg::compose(birth, 71, male, serial).to_string(),
            lbo: format!("{:011}", 10_000_000_000 + number * 7_368_787 % 80_000_000_000),
            institution,
            active: unit(7, number) >= 0.01,
            register: usize::from(throw(8, number) % 10 >= 7),
        }
    }
}

/// Entries of a patient: three of a hundred have none, the others one and a geometric number more, five in the mean.
pub fn entries_of(number: u64) -> u16 {
    if unit(9, number) < 0.03 {
        return 0;
    }
    let more = (1.0 - unit(10, number)).ln() / (4.15_f64 / 5.15).ln();
    1 + (more as u16).min(200)
}
