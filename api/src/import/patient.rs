//! A patient's record as an import reads it, and the rules that a patient must keep (A section 5).

use domain::jmbg::Jmbg;
use jiff::civil::{Date, date};
use serde::Serialize;
use unicode_normalization::UnicodeNormalization;

use super::{
    mapping::{FileOptions, Source},
    sheet::shortened,
    values,
};

/// Columns of `patient`, under the names they have there.
#[derive(Serialize, Clone, Default, PartialEq, Eq, Debug)]
pub struct Patient {
    pub ime: Option<String>,
    pub prezime: Option<String>,
    pub ime_roditelja: Option<String>,
    pub datum_rodjenja: Option<Date>,
    pub jmbg: Option<String>,
    pub lbo: Option<String>,
    pub pol_trenutni: Option<bool>,
    pub pol_na_rodjenju: Option<bool>,
    pub adresa: Option<String>,
    pub broj_kartona: Option<String>,
    pub kontakt_telefon: Option<String>,
    pub email: Option<String>,
    pub mobilni_telefon: Option<String>,
    pub zanimanje: Option<String>,
    pub strucna_sprema: Option<String>,
    pub radno_mesto: Option<String>,
    pub medicinska_napomena: Option<String>,
    pub administrativna_napomena: Option<String>,
}

/// A field that a mapping may fill: its name there, its column.
pub const FIELDS: [(&str, &str); 18] = [
    ("ime", "ime"),
    ("prezime", "prezime"),
    ("imeRoditelja", "ime_roditelja"),
    ("datumRodjenja", "datum_rodjenja"),
    ("jmbg", "jmbg"),
    ("lbo", "lbo"),
    ("polTrenutni", "pol_trenutni"),
    ("polNaRodjenju", "pol_na_rodjenju"),
    ("adresa", "adresa"),
    ("brojKartona", "broj_kartona"),
    ("kontaktTelefon", "kontakt_telefon"),
    ("email", "email"),
    ("mobilniTelefon", "mobilni_telefon"),
    ("zanimanje", "zanimanje"),
    ("strucnaSprema", "strucna_sprema"),
    ("radnoMesto", "radno_mesto"),
    ("medicinskaNapomena", "medicinska_napomena"),
    ("administrativnaNapomena", "administrativna_napomena"),
];

/// Fields without which there is no patient; birth date and sex may come from the JMBG.
pub const REQUIRED: [&str; 5] = ["ime", "prezime", "jmbg", "lbo", "kontaktTelefon"];

/// What is wrong with a field: its name in a mapping, and the message.
pub type Fault = (&'static str, String);

impl Patient {
    /// Fills one field from a text.
    pub fn fill(&mut self, name: &str, text: &str, source: &Source, options: &FileOptions) -> Result<(), String> {
        let text: String = text.nfc().collect();
        match name {
            "ime" => self.ime = Some(text),
            "prezime" => self.prezime = Some(text),
            "imeRoditelja" => self.ime_roditelja = Some(text),
            "datumRodjenja" => self.datum_rodjenja = Some(values::any_date(&text, source, options)?),
            "jmbg" => self.jmbg = Some(text),
            "lbo" => self.lbo = Some(text),
            "polTrenutni" => self.pol_trenutni = Some(sex(&text)?),
            "polNaRodjenju" => self.pol_na_rodjenju = Some(sex(&text)?),
            "adresa" => self.adresa = Some(text),
            "brojKartona" => self.broj_kartona = Some(text),
            "kontaktTelefon" => self.kontakt_telefon = Some(text),
            "email" => self.email = Some(text),
            "mobilniTelefon" => self.mobilni_telefon = Some(text),
            "zanimanje" => self.zanimanje = Some(text),
            "strucnaSprema" => self.strucna_sprema = Some(text),
            "radnoMesto" => self.radno_mesto = Some(text),
            "medicinskaNapomena" => self.medicinska_napomena = Some(text),
            "administrativnaNapomena" => self.administrativna_napomena = Some(text),
            _ => return Err(format!("pacijent nema polje „{name}”")),
        }
        Ok(())
    }

    /// Takes birth date and sex from a right JMBG where the file does not give them.
    pub fn complete_from_jmbg(&mut self) {
        let Some(Ok(jmbg)) = self.jmbg.as_deref().map(Jmbg::parse) else { return };
        self.datum_rodjenja = self.datum_rodjenja.or(Some(jmbg.birth_date()));
        self.pol_trenutni = self.pol_trenutni.or(Some(jmbg.is_male()));
    }

    /// What keeps the record from being saved. Values of the fields are personal, so messages do not repeat them.
    pub fn faults(&self) -> Vec<Fault> {
        let mut found = vec![];
        let blank = |value: &Option<String>| value.as_deref().is_none_or(|text| text.trim().is_empty());
        for (name, missing) in [
            ("ime", blank(&self.ime)),
            ("prezime", blank(&self.prezime)),
            ("datumRodjenja", self.datum_rodjenja.is_none()),
            ("jmbg", blank(&self.jmbg)),
            ("lbo", blank(&self.lbo)),
            ("polTrenutni", self.pol_trenutni.is_none()),
            ("kontaktTelefon", blank(&self.kontakt_telefon)),
        ] {
            if missing {
                found.push((name, "obavezan podatak nije unet".to_owned()));
            }
        }
        if let Some(Err(error)) = self.jmbg.as_deref().map(Jmbg::parse) {
            found.push(("jmbg", error.to_string()));
        }
        if self.lbo.as_deref().is_some_and(|lbo| lbo.len() != 11 || !all_digits(lbo)) {
            found.push(("lbo", "LBO mora imati tačno 11 cifara.".to_owned()));
        }
        for (name, phone) in [("kontaktTelefon", &self.kontakt_telefon), ("mobilniTelefon", &self.mobilni_telefon)] {
            if phone.as_deref().is_some_and(|phone| !is_phone(phone)) {
                found.push((name, "telefon mora biti oblika XXX/XXXXXXYY: tri cifre, kosa crta, pa 6 do 8 cifara".to_owned()));
            }
        }
        if self.email.as_deref().is_some_and(|email| !crate::text::is_email(email)) {
            found.push(("email", "adresa elektronske pošte nije ispravna".to_owned()));
        }
        if self.datum_rodjenja.is_some_and(|born| born < date(1900, 1, 1) || born > date(2030, 12, 31)) {
            found.push(("datumRodjenja", "datum rođenja mora biti između 1900. i 2030. godine".to_owned()));
        }
        found
    }

    /// What deserves a look but does not keep the record from being saved.
    pub fn warnings(&self) -> Vec<Fault> {
        let mut found = vec![];
        let Some(Ok(jmbg)) = self.jmbg.as_deref().map(Jmbg::parse) else { return found };
        if self.datum_rodjenja.is_some_and(|born| born != jmbg.birth_date()) {
            found.push(("datumRodjenja", "datum rođenja se ne slaže sa JMBG-om".to_owned()));
        }
        // The number follows the sex at birth.
        let (name, sex) =
            if self.pol_na_rodjenju.is_some() { ("polNaRodjenju", self.pol_na_rodjenju) } else { ("polTrenutni", self.pol_trenutni) };
        if sex.is_some_and(|male| male != jmbg.is_male()) {
            found.push((name, "pol se ne slaže sa JMBG-om".to_owned()));
        }
        found
    }
}

fn sex(text: &str) -> Result<bool, String> {
    match domain::fold::fold(text).as_str() {
        "m" | "muski" | "musko" => Ok(true),
        "z" | "zenski" | "zensko" => Ok(false),
        _ => Err(format!("„{}” nije pol: prevedite vrednosti kolone u M i Ž", shortened(text))),
    }
}

fn all_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_phone(text: &str) -> bool {
    text.split_once('/')
        .is_some_and(|(area, number)| area.len() == 3 && (6..=8).contains(&number.len()) && all_digits(area) && all_digits(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn right() -> Patient {
        Patient {
            ime: Some("Đorđe".to_owned()),
            prezime: Some("Živković".to_owned()),
            datum_rodjenja: Some(date(1951, 3, 7)),
            jmbg: Some(Jmbg::compose(date(1951, 3, 7), 71, true, 12).to_string()),
            lbo: Some("12345678901".to_owned()),
            pol_trenutni: Some(true),
            kontakt_telefon: Some("011/1234567".to_owned()),
            ..Patient::default()
        }
    }

    fn fields(faults: &[Fault]) -> Vec<&str> {
        faults.iter().map(|fault| fault.0).collect()
    }

    #[test]
    fn a_right_record_has_no_faults_and_a_blank_one_names_every_required_field() {
        assert_eq!((right().faults(), right().warnings()), (vec![], vec![]));
        let blank = Patient::default().faults();
        assert_eq!(fields(&blank), ["ime", "prezime", "datumRodjenja", "jmbg", "lbo", "polTrenutni", "kontaktTelefon"]);
    }

    #[test]
    fn shapes_are_demanded() {
        for phone in ["0111234567", "011/12345", "011/123456789", "11/1234567", "011/12345a7", "011/1234567 "] {
            assert_eq!(fields(&Patient { kontakt_telefon: Some(phone.to_owned()), ..right() }.faults()), ["kontaktTelefon"], "{phone}");
            assert_eq!(fields(&Patient { mobilni_telefon: Some(phone.to_owned()), ..right() }.faults()), ["mobilniTelefon"], "{phone}");
        }
        assert_eq!(fields(&Patient { lbo: Some("1234567890".to_owned()), ..right() }.faults()), ["lbo"]);
        assert_eq!(fields(&Patient { jmbg: Some("1234567890123".to_owned()), ..right() }.faults()), ["jmbg"]);
        assert_eq!(fields(&Patient { datum_rodjenja: Some(date(1899, 12, 31)), ..right() }.faults()), ["datumRodjenja"]);
        for email in ["ana", "ana@", "@b.rs", "ana@b", "ana @b.rs", "ana@b@c.rs"] {
            assert_eq!(fields(&Patient { email: Some(email.to_owned()), ..right() }.faults()), ["email"], "{email}");
        }
    }

    #[test]
    fn a_number_that_tells_another_birth_or_sex_only_warns() {
        let other = Patient { datum_rodjenja: Some(date(1951, 3, 8)), pol_trenutni: Some(false), ..right() };
        assert_eq!((other.faults(), fields(&other.warnings())), (vec![], vec!["datumRodjenja", "polTrenutni"]));
        let changed = Patient { pol_trenutni: Some(false), pol_na_rodjenju: Some(true), ..right() };
        assert_eq!(changed.warnings(), vec![]);
    }

    #[test]
    fn the_number_gives_birth_date_and_sex_where_the_file_does_not() {
        let mut patient = Patient { datum_rodjenja: None, pol_trenutni: None, ..right() };
        patient.complete_from_jmbg();
        assert_eq!(patient, right());
    }
}
