//! Invented people: names with every Serbian letter, valid JMBGs that fit birth and sex, addresses near their institution.

use std::collections::HashSet;

use domain::jmbg::Jmbg;
use jiff::{ToSpan, civil::Date};
use serde::Deserialize;

use super::dice::Dice;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Words {
    muska_imena: Vec<String>,
    zenska_imena: Vec<String>,
    prezimena: Vec<String>,
    ulice: Vec<String>,
    zanimanja: Vec<String>,
    mesta: Vec<Places>,
}

/// Where patients of an institution live.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Places {
    /// `sifra` of the institution.
    ustanova: String,
    pozivni: String,
    /// Regions of their JMBGs.
    regioni: Vec<u8>,
    mesta: Vec<String>,
}

pub struct Person {
    pub ime: String,
    pub prezime: String,
    pub ime_roditelja: String,
    pub datum_rodjenja: Date,
    pub male: bool,
    pub jmbg: String,
    pub lbo: String,
    pub adresa: String,
    pub broj_kartona: String,
    pub kontakt_telefon: String,
    pub mobilni_telefon: String,
    pub zanimanje: String,
}

/// Makes people and remembers their numbers: no two are alike.
pub struct People {
    words: Words,
    numbers: HashSet<String>,
}

/// The columns that a person adds to a CSV file.
pub const COLUMNS: [&str; 12] = [
    "ime",
    "prezime",
    "imeRoditelja",
    "pol",
    "datumRodjenja",
    "jmbg",
    "lbo",
    "adresa",
    "brojKartona",
    "kontaktTelefon",
    "mobilniTelefon",
    "zanimanje",
];

impl People {
    pub fn new() -> anyhow::Result<Self> {
        Ok(Self { words: toml::from_str(include_str!("../../../demo/osobe.toml"))?, numbers: HashSet::new() })
    }

    /// The `number`-th person of `register`: of that age on that day, living near the institution.
    pub fn person(&mut self, register: &str, number: u64, institution: &str, male: bool, age: i16, on: Date) -> Person {
        let mut dice = Dice::of(register, number);
        let words = &self.words;
        let places = words.mesta.iter().find(|places| places.ustanova == institution).expect("places of every demo institution");
        let names = if male { &words.muska_imena } else { &words.zenska_imena };
        let datum_rodjenja = on - i32::from(age).years() - i64::try_from(dice.below(365)).expect("days").days();
        let ime = dice.pick(names).clone();
        let prezime = dice.pick(&words.prezimena).clone();
        let ime_roditelja = dice.pick(&words.muska_imena).clone();
        let adresa = format!("{} {}, {}", dice.pick(&words.ulice), 1 + dice.below(140), dice.pick(&places.mesta));
        let region = *dice.pick(&places.regioni);
        let zanimanje = if age >= 65 { words.zanimanja[0].clone() } else { dice.pick(&words.zanimanja[1..]).clone() };
        let kontakt_telefon = format!("{}/{:07}", places.pozivni, 2_000_000 + dice.below(7_000_000));
        let mobilni_telefon = format!("06{}/{:07}", dice.below(7), 1_000_000 + dice.below(9_000_000));
        let lbo = format!("{:011}", 10_000_000_000 + dice.below(80_000_000_000));
        let jmbg = loop {
            let serial = u16::try_from(dice.below(500)).expect("a serial");
            let number = Jmbg::compose(datum_rodjenja, region, male, serial).to_string();
            if self.numbers.insert(number.clone()) {
                break number;
            }
        };
        let broj_kartona = format!("{institution}-{}-{number:04}", &register[..1].to_uppercase());
        Person {
            ime,
            prezime,
            ime_roditelja,
            datum_rodjenja,
            male,
            jmbg,
            lbo,
            adresa,
            broj_kartona,
            kontakt_telefon,
            mobilni_telefon,
            zanimanje,
        }
    }
}

impl Person {
    /// Cells in the order of `COLUMNS`.
    pub fn cells(&self) -> [String; 12] {
        [
            self.ime.clone(),
            self.prezime.clone(),
            self.ime_roditelja.clone(),
            if self.male { "M" } else { "Ž" }.to_owned(),
            self.datum_rodjenja.to_string(),
            self.jmbg.clone(),
            self.lbo.clone(),
            self.adresa.clone(),
            self.broj_kartona.clone(),
            self.kontakt_telefon.clone(),
            self.mobilni_telefon.clone(),
            self.zanimanje.clone(),
        ]
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn a_person_has_the_wanted_age_sex_and_institution_every_time() {
        let on = date(2024, 2, 29);
        let make = || {
            let mut people = People::new().unwrap();
            (1..=300).map(|number| people.person("kardiologija", number, "KCV", number % 2 == 0, 71, on)).collect::<Vec<_>>()
        };
        for (number, (person, again)) in make().iter().zip(make()).enumerate() {
            assert_eq!(person.cells(), again.cells());
            let jmbg = Jmbg::parse(&person.jmbg).unwrap();
            assert_eq!((jmbg.birth_date(), jmbg.is_male()), (person.datum_rodjenja, number % 2 == 1));
            let age = person.datum_rodjenja.until((jiff::Unit::Year, on)).unwrap().get_years();
            assert_eq!(age, 71, "born {}", person.datum_rodjenja);
            assert!(person.kontakt_telefon.starts_with("021/") && person.adresa.contains(", "));
        }
        let numbers: HashSet<String> = make().into_iter().map(|person| person.jmbg).collect();
        assert_eq!(numbers.len(), 300);
    }
}
