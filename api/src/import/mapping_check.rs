//! Whether a mapping fits the file and the register, before any row is read.

use std::collections::BTreeSet;

use super::{
    mapping::{EntryMapping, Mapping},
    patient,
    problems::Problems,
    schema::{FormSchema, RegisterSchema},
    sheet::Sheet,
};

/// Adds a defect for everything in the mapping that the file or the register does not have.
pub fn check(mapping: &Mapping, register: &RegisterSchema, sheet: &Sheet, problems: &mut Problems) {
    for (place, column) in mapping.columns() {
        if !sheet.has(column) {
            problems.defect(None, Some(&format!("mapiranje {place}")), format!("fajl nema kolonu „{column}”"));
        }
    }
    for name in mapping.patient.fields.keys() {
        if !patient::FIELDS.iter().any(|(known, _)| known == name) {
            problems.defect(None, Some("mapiranje patient.fields"), format!("pacijent nema polje „{name}”"));
        }
    }
    for name in patient::REQUIRED {
        if !mapping.patient.fields.contains_key(name) {
            problems.defect(None, Some("mapiranje patient.fields"), format!("obavezno polje „{name}” nije mapirano"));
        }
    }
    let mut forms = BTreeSet::new();
    for entry in &mapping.entries {
        let place = format!("mapiranje entries.{}", entry.form);
        match register.form(&entry.form) {
            Ok(form) if !forms.insert(form.id) => problems.defect(None, Some(&place), "isti formular se mapira dva puta"),
            Ok(form) => check_entry(entry, form, &place, problems),
            Err(error) => problems.defect(None, Some(&place), error.to_string()),
        }
    }
}

fn check_entry(entry: &EntryMapping, form: &FormSchema, place: &str, problems: &mut Problems) {
    for code in entry.fields.keys() {
        match form.field(code) {
            None => problems.defect(None, Some(place), format!("formular „{}” nema polje „{code}”", form.naziv)),
            Some(field) if field.kind > 5 => problems.defect(None, Some(place), format!("polje „{code}” nema vrednost")),
            Some(field) if field.calculated => problems.defect(None, Some(place), format!("polje „{code}” se računa, pa se ne uvozi")),
            Some(_) => {}
        }
    }
    for field in form.fields.iter().filter(|field| (2..=5).contains(&field.kind) && !field.opcioni && field.prikazuje_se) {
        let code = field.sifra.as_deref().unwrap_or_default();
        if !field.conditional && !field.calculated && !entry.fields.contains_key(code) {
            problems.defect(None, Some(place), format!("obavezno polje „{}” (šifra „{code}”) nije mapirano", field.naziv));
        }
    }
}
