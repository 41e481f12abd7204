//! Rules of a patient's record (A section 5), in the order in which the form shows them.

use domain::jmbg::Jmbg;
use jiff::civil::{Date, date};

use super::record::PatientInput;
use crate::error::{Error, Result};

/// What is odd about a record without being wrong: shown, never refused.
pub fn warnings(patient: &PatientInput) -> Vec<String> {
    let mut warnings = Vec::new();
    if let Some(jmbg) = patient.jmbg.as_deref().and_then(|text| Jmbg::parse(text.trim()).ok()) {
        if patient.datum_rodjenja.is_some_and(|birth| birth != jmbg.birth_date()) {
            warnings.push("Datum rođenja se ne slaže sa JMBG.".to_owned());
        }
        if patient.pol_trenutni.is_some_and(|male| male != jmbg.is_male()) {
            warnings.push("Pol se ne slaže sa JMBG.".to_owned());
        }
    }
    warnings
}

pub fn check(patient: &PatientInput, today: Date) -> Result<()> {
    required(&patient.ime, "ime", "Niste uneli ime.")?;
    required(&patient.prezime, "prezime", "Niste uneli prezime.")?;
    let birth = patient.datum_rodjenja.ok_or_else(|| Error::invalid("datumRodjenja", "Niste uneli datum rođenja."))?;
    if birth < date(1900, 1, 1) || birth > today {
        return Err(Error::invalid("datumRodjenja", "Datum rođenja mora biti između 1900. godine i današnjeg dana."));
    }
    let jmbg = required(&patient.jmbg, "jmbg", "Niste uneli JMBG.")?;
    if Jmbg::parse(jmbg).is_err() {
        return Err(Error::invalid("jmbg", "JMBG nije ispravan."));
    }
    let lbo = required(&patient.lbo, "lbo", "Niste uneli LBO.")?;
    if lbo.len() != 11 || !is_digits(lbo) {
        return Err(Error::invalid("lbo", "LBO mora imati 11 cifara."));
    }
    if patient.pol_trenutni.is_none() {
        return Err(Error::invalid("polTrenutni", "Niste izabrali pol."));
    }
    let phone = required(&patient.kontakt_telefon, "kontaktTelefon", "Niste uneli kontakt telefon.")?;
    if !is_phone(phone) {
        return Err(Error::invalid("kontaktTelefon", "Kontakt telefon nije u formatu XXX/XXXXXXYY."));
    }
    if filled(&patient.mobilni_telefon).is_some_and(|phone| !is_phone(phone)) {
        return Err(Error::invalid("mobilniTelefon", "Mobilni telefon nije u formatu XXX/XXXXXXYY."));
    }
    if filled(&patient.email).is_some_and(|email| !is_email(email)) {
        return Err(Error::invalid("email", "E-mail adresa nije ispravna."));
    }
    Ok(())
}

fn required<'a>(text: &'a Option<String>, field: &'static str, message: &'static str) -> Result<&'a str> {
    filled(text).ok_or_else(|| Error::invalid(field, message))
}

pub fn filled(text: &Option<String>) -> Option<&str> {
    text.as_deref().map(str::trim).filter(|text| !text.is_empty())
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Three digits, a slash, six to eight digits.
fn is_phone(text: &str) -> bool {
    text.split_once('/')
        .is_some_and(|(area, number)| area.len() == 3 && (6..=8).contains(&number.len()) && is_digits(area) && is_digits(number))
}

fn is_email(text: &str) -> bool {
    text.split_once('@').is_some_and(|(name, host)| {
        !name.is_empty() && host.contains('.') && !host.starts_with('.') && !host.ends_with('.') && !text.contains(char::is_whitespace)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole() -> PatientInput {
        PatientInput {
            ime: Some("Žika".into()),
            prezime: Some("Đurić".into()),
            datum_rodjenja: Some(date(1970, 1, 1)),
            jmbg: Some("0101970710006".into()),
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
            Err(Error::Invalid { field, .. }) => field.map(|field| field.into_owned()),
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_whole_record_passes() {
        assert_eq!(refused(|_| {}), None);
    }

    #[test]
    fn each_rule_names_its_field() {
        assert_eq!(refused(|p| p.ime = Some("  ".into())).as_deref(), Some("ime"));
        assert_eq!(refused(|p| p.prezime = None).as_deref(), Some("prezime"));
        assert_eq!(refused(|p| p.datum_rodjenja = None).as_deref(), Some("datumRodjenja"));
        assert_eq!(refused(|p| p.datum_rodjenja = Some(date(2027, 1, 1))).as_deref(), Some("datumRodjenja"));
        assert_eq!(refused(|p| p.jmbg = Some("0101970710007".into())).as_deref(), Some("jmbg"));
        assert_eq!(refused(|p| p.lbo = Some("123".into())).as_deref(), Some("lbo"));
        assert_eq!(refused(|p| p.pol_trenutni = None).as_deref(), Some("polTrenutni"));
        assert_eq!(refused(|p| p.kontakt_telefon = Some("0111234567".into())).as_deref(), Some("kontaktTelefon"));
        assert_eq!(refused(|p| p.kontakt_telefon = Some("011/12345".into())).as_deref(), Some("kontaktTelefon"));
        assert_eq!(refused(|p| p.mobilni_telefon = Some("06/1234567".into())).as_deref(), Some("mobilniTelefon"));
        assert_eq!(refused(|p| p.email = Some("bez-adrese".into())).as_deref(), Some("email"));
    }

    #[test]
    fn a_birth_date_or_sex_that_the_jmbg_contradicts_is_only_a_warning() {
        let mut patient = whole();
        patient.datum_rodjenja = Some(date(1971, 1, 1));
        patient.pol_trenutni = Some(false);
        assert_eq!(warnings(&patient).len(), 2);
        assert!(check(&patient, date(2026, 11, 21)).is_ok());
    }
}
