//! A patient's record as an import reads it; the rules that it must keep are those of the patient screen.

use std::collections::BTreeMap;

use clinical::patients::{PatientInput, validation};
use domain::jmbg::Jmbg;
use jiff::civil::Date;
use platform::rows::Row;
use serde_json::{Map, Value, json};
use unicode_normalization::UnicodeNormalization;

use super::{
    consent,
    mapping::{FileOptions, Source},
    problems::Message,
    status, values,
};

/// Fields without which there is no patient; birth date and sex may come from the JMBG.
pub const REQUIRED: [&str; 5] = ["ime", "prezime", "jmbg", "lbo", "kontaktTelefon"];

/// Whether a patient has a field of this name.
pub fn has_field(name: &str) -> bool {
    object(&PatientInput::default()).contains_key(name) || !is_of_record(name)
}

/// Whether it would be of the record itself, and not of what becomes of the patient or of what was agreed to.
pub fn is_of_record(name: &str) -> bool {
    !status::FIELDS.contains(&name) && !consent::has_field(name)
}

/// Fields by name, read from texts; those that could not be read are missing.
#[derive(Default)]
pub struct Fields(Map<String, Value>);

impl Fields {
    /// Reads one field from a text.
    pub fn fill(&mut self, name: &str, text: &str, source: &Source, options: &FileOptions) -> Result<(), Message> {
        let value = match name {
            "datumRodjenja" => json!(values::any_date(text, source, options)?),
            "polTrenutni" | "polNaRodjenju" => json!(sex(text)?),
            "jmbg" | "lbo" => json!(domain::jmbg::plain(text)),
            "kontaktTelefon" | "mobilniTelefon" => json!(validation::phone_text(text)),
            _ => json!(text.nfc().collect::<String>()),
        };
        self.0.insert(name.to_owned(), value);
        Ok(())
    }

    /// A field that was read, as a person would write it.
    pub fn text(&self, name: &str) -> String {
        match self.0.get(name) {
            Some(Value::Bool(male)) => if *male { "M" } else { "Ž" }.to_owned(),
            Some(Value::String(text)) => text.clone(),
            _ => String::new(),
        }
    }

    /// The record; birth date and sex come from a right JMBG where the file does not give them.
    pub fn record(self) -> PatientInput {
        let mut record: PatientInput = serde_json::from_value(Value::Object(self.0)).expect("each field was read by its type");
        if let Some(Ok(jmbg)) = record.jmbg.as_deref().map(Jmbg::parse) {
            record.datum_rodjenja = record.datum_rodjenja.or(Some(jmbg.birth_date()));
            record.pol_trenutni = record.pol_trenutni.or(Some(jmbg.is_male()));
        }
        record.pol_na_rodjenju = record.pol_na_rodjenju.or(record.pol_trenutni);
        record
    }
}

/// What keeps the record from being saved, by field. A wrong JMBG is told once: not again by the birth date and sex that it should
/// have given.
pub fn faults(record: &PatientInput, mapped: &BTreeMap<String, Source>, today: Date) -> Vec<validation::Fault> {
    let missing = |field: &str| match field {
        "datumRodjenja" => record.datum_rodjenja.is_none(),
        "polTrenutni" => record.pol_trenutni.is_none(),
        _ => false,
    };
    let from_number = |field: &str| missing(field) && !mapped.contains_key(field);
    validation::faults(record, today).into_iter().filter(|(field, _)| !from_number(field)).collect()
}

/// The record as columns of `patient`, all of them or those that the mapping fills.
pub fn columns(record: &PatientInput, mapped: Option<&BTreeMap<String, Source>>) -> Row {
    let wanted = |name: &str| mapped.is_none_or(|mapped| mapped.contains_key(name));
    object(record).into_iter().filter(|(name, _)| wanted(name)).map(|(name, value)| (snake_case(&name), value)).collect()
}

fn object(record: &PatientInput) -> Map<String, Value> {
    match serde_json::to_value(record) {
        Ok(Value::Object(fields)) => fields,
        _ => unreachable!("a record is plain data"),
    }
}

/// `datumRodjenja` as the database calls it.
fn snake_case(name: &str) -> String {
    let mut column = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            column.push('_');
        }
        column.push(letter.to_ascii_lowercase());
    }
    column
}

fn sex(text: &str) -> Result<bool, Message> {
    match domain::fold::fold(text).as_str() {
        "m" | "muski" | "musko" => Ok(true),
        "z" | "zenski" | "zensko" => Ok(false),
        _ => Err(Message::of_cell(text, "nije pol: prevedite vrednosti kolone u M i Ž")),
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn read(cells: &[(&str, &str)]) -> PatientInput {
        let source = Source::of_column("kolona");
        let mut fields = Fields::default();
        for (name, text) in cells {
            fields.fill(name, text, &source, &FileOptions::default()).unwrap();
        }
        fields.record()
    }

    #[test]
    fn the_number_gives_birth_date_and_sex_where_the_file_does_not() {
        let number = Jmbg::compose(date(1951, 3, 7), 71, false, 12).to_string();
        let record = read(&[("jmbg", &number)]);
        assert_eq!(
            (record.datum_rodjenja, record.pol_trenutni, record.pol_na_rodjenju),
            (Some(date(1951, 3, 7)), Some(false), Some(false))
        );
        let record = read(&[("jmbg", &number), ("datumRodjenja", "08.03.1951."), ("polTrenutni", "muški")]);
        assert_eq!((record.datum_rodjenja, record.pol_trenutni), (Some(date(1951, 3, 8)), Some(true)));
    }

    #[test]
    fn a_wrong_number_says_what_is_wrong_with_it() {
        let fault = |jmbg: &str| {
            faults(&read(&[("jmbg", jmbg)]), &BTreeMap::new(), date(2026, 1, 1)).into_iter().find(|(field, _)| *field == "jmbg").unwrap().1
        };
        assert_eq!(fault("123"), "JMBG mora imati tačno 13 cifara.");
        assert_eq!(fault("3002990710006"), "JMBG ne sadrži ispravan datum rođenja.");
        assert_eq!(fault("0101006505006"), "Kontrolna cifra u JMBG nije ispravna.");
    }

    #[test]
    fn spaces_dots_and_dashes_inside_a_number_are_taken() {
        let record = read(&[("jmbg", " 0101 970\u{a0}71.0001-"), ("lbo", "123-456-789 01")]);
        assert_eq!((record.jmbg.as_deref(), record.lbo.as_deref()), (Some("0101970710001"), Some("12345678901")));
    }

    #[test]
    fn every_field_has_its_column() {
        let columns: Vec<String> = columns(&PatientInput::default(), None).keys().cloned().collect();
        assert!(columns.contains(&"administrativna_napomena".to_owned()) && columns.len() == 18, "{columns:?}");
        assert!(has_field("polNaRodjenju") && !has_field("pol"));
    }

    #[test]
    fn a_digit_is_no_sex() {
        assert!(Fields::default().fill("polTrenutni", "1", &Source::of_column("pol"), &FileOptions::default()).is_err());
    }
}
