//! Rules of a patient's record (A section 5), in the order in which the form shows them.

use domain::{jmbg::Jmbg, text::is_email};
use jiff::civil::{Date, date};
use platform::error::{self, Error, Result};

use super::record::PatientInput;

/// The most characters of a name.
pub const NAME_LETTERS: usize = 100;

pub(super) const NO_JMBG: &str = "Niste uneli JMBG.";
pub(super) const NO_LBO: &str = "Niste uneli LBO.";
pub(super) const NO_BIRTH_DATE: &str = "Niste uneli datum rođenja.";
pub(super) const NO_FIRST_NAME: &str = "Niste uneli ime.";
pub(super) const NO_LAST_NAME: &str = "Niste uneli prezime.";

/// A field of the record and what is wrong with it.
pub type Fault = (&'static str, String);

/// What is odd about a record without being wrong: a person confirms it; an import shows it.
pub fn oddities(patient: &PatientInput) -> Vec<(&'static str, &'static str)> {
    let mut found = Vec::new();
    if let Some(jmbg) = patient.jmbg.as_deref().and_then(|text| Jmbg::parse(text.trim()).ok()) {
        if patient.datum_rodjenja.is_some_and(|birth| birth != jmbg.birth_date()) {
            found.push(("datumRodjenja", "Datum rođenja se ne slaže sa JMBG."));
        }
        if patient.pol_trenutni.is_some_and(|male| male != jmbg.is_male()) {
            found.push(("polTrenutni", "Pol se ne slaže sa JMBG."));
        }
    }
    found
}

/// Refuses a record by all of its faults.
pub fn check(patient: &PatientInput, today: Date) -> Result<()> {
    let found = faults(patient, today);
    if found.is_empty() {
        return Ok(());
    }
    Err(Error::Faults(found.into_iter().map(|(field, message)| error::Fault { field: field.into(), message: message.into() }).collect()))
}

/// Everything that keeps a record from being saved.
pub fn faults(patient: &PatientInput, today: Date) -> Vec<Fault> {
    let mut found = Vec::new();
    let mut demand = |holds: bool, field, message: &str| {
        if !holds {
            found.push((field, message.to_owned()));
        }
    };
    demand(filled(&patient.ime).is_some(), "ime", NO_FIRST_NAME);
    demand(filled(&patient.prezime).is_some(), "prezime", NO_LAST_NAME);
    match patient.datum_rodjenja {
        None => demand(false, "datumRodjenja", NO_BIRTH_DATE),
        Some(birth) => demand(
            birth >= date(1900, 1, 1) && birth <= today,
            "datumRodjenja",
            "Datum rođenja mora biti između 1900. godine i današnjeg dana.",
        ),
    }
    match filled(&patient.jmbg) {
        None => demand(false, "jmbg", NO_JMBG),
        Some(jmbg) => {
            if let Err(error) = Jmbg::parse(jmbg) {
                demand(false, "jmbg", &error.to_string());
            }
        }
    }
    match filled(&patient.lbo) {
        None => demand(false, "lbo", NO_LBO),
        Some(lbo) => demand(lbo.len() == 11 && is_digits(lbo), "lbo", "LBO mora imati 11 cifara."),
    }
    demand(patient.pol_trenutni.is_some(), "polTrenutni", "Niste izabrali pol.");
    match filled(&patient.kontakt_telefon) {
        None => demand(false, "kontaktTelefon", "Niste uneli kontakt telefon."),
        Some(phone) => demand(is_phone(phone), "kontaktTelefon", "Kontakt telefon nije u formatu XXX/XXXXXXYY."),
    }
    let mobile = filled(&patient.mobilni_telefon);
    demand(mobile.is_none_or(is_phone), "mobilniTelefon", "Mobilni telefon nije u formatu XXX/XXXXXXYY.");
    demand(filled(&patient.email).is_none_or(is_email), "email", "E-mail adresa nije ispravna.");
    for (field, label, most, text) in texts(patient) {
        let text = filled(text).unwrap_or_default();
        demand(text.chars().count() <= most, field, &too_long(label, most));
        let has_lines = field.ends_with("Napomena");
        let is_odd = |c: char| if has_lines { c.is_control() && !"\n\r\t".contains(c) } else { is_unseen(c) };
        demand(!text.contains(is_odd), field, &format!("{label}: tekst sadrži nedozvoljen znak."));
    }
    found
}

pub fn too_long(label: &str, most: usize) -> String {
    format!("{label}: najviše {most} znakova.")
}

/// Texts of free shape, as the form calls them, with the most characters of each. The notes may have lines.
fn texts(p: &PatientInput) -> [(&'static str, &'static str, usize, &Option<String>); 10] {
    [
        ("ime", "Ime", NAME_LETTERS, &p.ime),
        ("prezime", "Prezime", NAME_LETTERS, &p.prezime),
        ("imeRoditelja", "Ime roditelja", 100, &p.ime_roditelja),
        ("adresa", "Adresa", 200, &p.adresa),
        ("zanimanje", "Zanimanje", 200, &p.zanimanje),
        ("strucnaSprema", "Stručna sprema", 200, &p.strucna_sprema),
        ("radnoMesto", "Radno mesto", 200, &p.radno_mesto),
        ("brojKartona", "Broj kartona", 50, &p.broj_kartona),
        ("medicinskaNapomena", "Medicinska napomena", 10_000, &p.medicinska_napomena),
        ("administrativnaNapomena", "Administrativna napomena", 10_000, &p.administrativna_napomena),
    ]
}

/// Control characters, and those that have no width or turn the line round: a name that only looks like another.
fn is_unseen(c: char) -> bool {
    c.is_control() || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

pub fn filled(text: &Option<String>) -> Option<&str> {
    text.as_deref().map(str::trim).filter(|text| !text.is_empty())
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A number as it is stored (`064/1234567`), however its parts were typed; text of another shape as it is.
pub fn phone_text(typed: &str) -> String {
    let bare: String = typed.chars().filter(|c| !c.is_whitespace() && !matches!(c, '.' | '-' | '(' | ')')).collect();
    let national = match bare.strip_prefix("+381").or_else(|| bare.strip_prefix("00381")) {
        Some(rest) => format!("0{rest}"),
        None => bare,
    };
    let is_whole = national.starts_with('0') && (9..=11).contains(&national.len()) && is_digits(&national);
    if is_whole { format!("{}/{}", &national[..3], &national[3..]) } else { typed.to_owned() }
}

/// Three digits, a slash, six to eight digits.
fn is_phone(text: &str) -> bool {
    text.split_once('/')
        .is_some_and(|(area, number)| area.len() == 3 && (6..=8).contains(&number.len()) && is_digits(area) && is_digits(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole() -> PatientInput {
        PatientInput {
            ime: Some("Žika".into()),
            prezime: Some("Đurić".into()),
            datum_rodjenja: Some(date(1970, 1, 1)),
            jmbg: Some("0101970710001".into()),
            lbo: Some("12345678901".into()),
            pol_trenutni: Some(true),
            kontakt_telefon: Some("011/1234567".into()),
            ..PatientInput::default()
        }
    }

    fn refused(change: impl FnOnce(&mut PatientInput)) -> Option<String> {
        let mut patient = whole();
        change(&mut patient);
        match check(&patient, date(2026, 11, 21)) {
            Ok(()) => None,
            Err(Error::Faults(faults)) => faults.into_iter().next().map(|fault| fault.field.into_owned()),
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_whole_record_passes() {
        assert_eq!(refused(|_| {}), None);
    }

    #[test]
    fn every_fault_of_a_record_is_found() {
        let blank = faults(&PatientInput::default(), date(2026, 11, 21));
        let fields: Vec<_> = blank.iter().map(|(field, _)| *field).collect();
        assert_eq!(fields, ["ime", "prezime", "datumRodjenja", "jmbg", "lbo", "polTrenutni", "kontaktTelefon"]);
    }

    #[test]
    fn each_rule_names_its_field() {
        assert_eq!(refused(|p| p.ime = Some("  ".into())).as_deref(), Some("ime"));
        assert_eq!(refused(|p| p.prezime = None).as_deref(), Some("prezime"));
        assert_eq!(refused(|p| p.datum_rodjenja = None).as_deref(), Some("datumRodjenja"));
        assert_eq!(refused(|p| p.datum_rodjenja = Some(date(2027, 1, 1))).as_deref(), Some("datumRodjenja"));
        assert_eq!(refused(|p| p.jmbg = Some("0101970710004".into())).as_deref(), Some("jmbg"));
        for no_lbo in ["123", "1234567890a"] {
            assert_eq!(refused(|p| p.lbo = Some(no_lbo.into())).as_deref(), Some("lbo"));
        }
        assert_eq!(refused(|p| p.pol_trenutni = None).as_deref(), Some("polTrenutni"));
        assert_eq!(refused(|p| p.kontakt_telefon = Some("0111234567".into())).as_deref(), Some("kontaktTelefon"));
        assert_eq!(refused(|p| p.kontakt_telefon = Some("011/12345".into())).as_deref(), Some("kontaktTelefon"));
        assert_eq!(refused(|p| p.mobilni_telefon = Some("06/1234567".into())).as_deref(), Some("mobilniTelefon"));
        assert_eq!(refused(|p| p.email = Some("bez-adrese".into())).as_deref(), Some("email"));
    }

    #[test]
    fn a_phone_needs_no_slash_and_what_is_no_phone_stays_as_it_is() {
        for typed in ["0641234567", "064 123-45-67", "+381 64 1234567", "00381641234567", "(064) 123.4567"] {
            assert_eq!(phone_text(typed), "064/1234567");
        }
        for other in ["064/1234567", "06/1234567", "12345", "641234567", "064123456789", "", "nema"] {
            assert_eq!(phone_text(other), other);
        }
    }

    #[test]
    fn a_jmbg_says_what_is_wrong_with_it() {
        let said = |jmbg: &str| faults(&PatientInput { jmbg: Some(jmbg.into()), ..whole() }, date(2026, 11, 21))[0].1.clone();
        assert_eq!(said("010197071000"), "JMBG mora imati tačno 13 cifara.");
        assert_eq!(said("3102970710006"), "JMBG ne sadrži ispravan datum rođenja.");
        assert_eq!(said("0101970710004"), "Kontrolna cifra u JMBG nije ispravna.");
    }

    #[test]
    fn a_text_has_a_most_of_characters_and_none_that_is_not_seen() {
        assert_eq!(refused(|p| p.ime = Some("Ž".repeat(100))), None);
        assert_eq!(refused(|p| p.ime = Some("Ž".repeat(101))).as_deref(), Some("ime"));
        assert_eq!(refused(|p| p.broj_kartona = Some("1".repeat(51))).as_deref(), Some("brojKartona"));
        let long = faults(&PatientInput { broj_kartona: Some("1".repeat(51)), ..whole() }, date(2026, 11, 21));
        assert_eq!(long, [("brojKartona", "Broj kartona: najviše 50 znakova.".to_owned())]);
        for unseen in ["Ana\u{0}", "Ana\u{7}Marija", "Ana\nMarija", "\u{200b}", "\u{202e}anA"] {
            assert_eq!(refused(|p| p.ime = Some(unseen.into())).as_deref(), Some("ime"), "{unseen:?}");
        }
        assert_eq!(refused(|p| p.medicinska_napomena = Some("prvi red\n\tdrugi".into())), None);
        assert_eq!(refused(|p| p.medicinska_napomena = Some("zvono\u{7}".into())).as_deref(), Some("medicinskaNapomena"));
    }

    #[test]
    fn a_birth_date_or_sex_that_the_jmbg_contradicts_is_odd_and_no_fault() {
        let mut patient = whole();
        patient.datum_rodjenja = Some(date(1971, 1, 1));
        patient.pol_trenutni = Some(false);
        assert_eq!(oddities(&patient).len(), 2);
        assert!(check(&patient, date(2026, 11, 21)).is_ok());
    }
}
