//! Whether a mapping fits the file and the register, before any row is read.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    entry::{form::EntryField, meaning, units},
    fold::fold,
    register::ValueType,
};

use super::{
    item_texts::ItemTexts,
    mapping::{EntryMapping, Mapping, Source},
    patient,
    problems::Problems,
    schema::{FormSchema, RegisterSchema, code},
    sheet::Sheet,
};

/// Adds a defect for everything in the mapping that the file or the register does not have.
pub fn check(mapping: &Mapping, register: &RegisterSchema, sheet: &Sheet, problems: &mut Problems) {
    for (place, column) in mapping.columns() {
        if column.is_empty() {
            problems.defect(None, Some(&format!("mapiranje {place}")), "kolona nije izabrana");
        } else if !sheet.has(column) {
            problems.defect(None, Some(&format!("mapiranje {place}")), format!("fajl nema kolonu „{column}”"));
        }
    }
    for name in mapping.patient.fields.keys() {
        if !patient::has_field(name) {
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
            Ok(schema) if !forms.insert(schema.form.id) => problems.defect(None, Some(&place), "isti formular se mapira dva puta"),
            Ok(schema) => check_entry(entry, schema, &place, &mut MappingCheck { mapping, sheet, problems }),
            Err(error) => problems.defect(None, Some(&place), error.to_string()),
        }
    }
}

fn in_rows(code: &str) -> String {
    format!("„{code}” je u sekciji koja se ponavlja: kolone sekcije se mapiraju u delu rows")
}

/// What is checked, and what is found.
struct MappingCheck<'a> {
    mapping: &'a Mapping,
    sheet: &'a Sheet,
    problems: &'a mut Problems,
}

fn check_entry(entry: &EntryMapping, schema: &FormSchema, place: &str, checked: &mut MappingCheck<'_>) {
    for (code, source) in &entry.fields {
        if let Some(field) = schema.field(code).filter(|field| !field.is_section() && !field.is_calculated()) {
            check_items(source, field, place, checked);
        }
    }
    let problems = &mut *checked.problems;
    for (code, source) in &entry.fields {
        match schema.field(code) {
            None if schema.is_column(code) => problems.defect(None, Some(place), in_rows(code)),
            None => problems.defect(None, Some(place), format!("formular „{}” nema polje „{code}”", schema.form.naziv)),
            Some(field) if field.is_section() => problems.defect(None, Some(place), in_rows(code)),
            Some(field) if field.tva_num_vrednost == ValueType::File => {
                problems.defect(None, Some(place), format!("polje „{code}” drži fajlove, koji se ne uvoze iz CSV fajla"));
            }
            Some(field) if !field.holds_value() => problems.defect(None, Some(place), format!("polje „{code}” nema vrednost")),
            Some(field) if field.is_calculated() => problems.defect(None, Some(place), format!("polje „{code}” se računa, pa se ne uvozi")),
            Some(field) => check_unit(source, field, place, problems),
        }
    }
    for (section, columns) in &entry.rows {
        match schema.field(section).filter(|field| field.is_section()) {
            Some(field) => {
                check_rows(columns, field, place, checked.problems);
                for column in &field.kolone {
                    columns.get(code(column)).into_iter().for_each(|source| check_items(source, column, place, checked));
                }
            }
            None => {
                let message = format!("formular „{}” nema sekciju koja se ponavlja „{section}”", schema.form.naziv);
                checked.problems.defect(None, Some(place), message);
            }
        }
    }
    let problems = &mut *checked.problems;
    // A choice is never required, and a field with a display formula is required only where it shows.
    let demanded = |field: &&EntryField| {
        field.tva_num_vrednost.holds_value()
            && field.tva_num_vrednost != ValueType::Choice
            && !field.opciono
            && field.prikazuje_se
            && field.formula_za_prikaz.is_none()
    };
    for field in schema.form.fields.iter().filter(demanded).filter(|field| !field.is_calculated()) {
        let code = code(field);
        if !entry.fields.contains_key(code) {
            problems.defect(None, Some(place), format!("obavezno polje „{}” (šifra „{code}”) nije mapirano", field.naziv));
        }
    }
}

/// Whether the items of a set can be told as the mapping says, and where a text of the file may mean two of them.
fn check_items(source: &Source, field: &EntryField, place: &str, checked: &mut MappingCheck<'_>) {
    let MappingCheck { mapping, sheet, problems } = checked;
    let name = source.names().next().unwrap_or_else(|| code(field));
    if field.tva_num_vrednost != ValueType::Set {
        if !source.columns.is_empty() {
            let message = format!("polje „{}” nije skup, pa mu stavke nemaju svoje kolone: „{name}”", field.naziv);
            problems.defect(None, Some(place), message);
        }
        return;
    }
    let texts = ItemTexts::new(field, source.numbers);
    if let Some(weightless) = texts.weightless().filter(|_| source.numbers) {
        let why = format!("stavka „{}” polja „{}” nema težinu", weightless.naziv, field.naziv);
        if texts.all_have_codes() {
            problems.warning(None, Some(name), format!("stavke se čitaju po šiframa, a ne po težini: {why}"));
        } else {
            problems.defect(None, Some(place), format!("kolona „{name}” se ne može čitati po težini: {why}"));
        }
    }
    for (column, item) in source.columns.iter().filter(|(_, item)| !matches!(texts.find(item), Ok(Some(_)))) {
        problems.defect(None, Some(place), format!("kolona „{column}”: polje „{}” nema stavku „{item}”", field.naziv));
    }
    let doubtful: Vec<_> = texts.doubtful().collect();
    let Some(column) = source.column.as_deref().filter(|_| !doubtful.is_empty()) else { return };
    let mut found = BTreeSet::new();
    for text in sheet.rows().filter_map(|row| row.text(source).ok().flatten()) {
        found.extend(texts.parts(&text, mapping.file.items).into_iter().map(fold));
    }
    for (text, item) in doubtful.into_iter().filter(|(text, _)| found.contains(&fold(text))) {
        let message = format!("„{text}” se čita kao šifra stavke „{}”, a tako se zove i druga stavka", item.naziv);
        problems.warning(None, Some(column), message);
    }
}

/// A unit is the field's own, or one of its others; then whoever checks the file is told what becomes of its numbers.
fn check_unit(source: &Source, field: &EntryField, place: &str, problems: &mut Problems) {
    let Some(unit) = source.unit.as_deref().map(str::trim) else { return };
    let own = meaning::unit(field).unwrap_or_default();
    if let Some(other) = units::unit_of(field, unit) {
        let column = source.column.as_deref().unwrap_or_else(|| code(field));
        problems.warning(None, Some(column), format!("brojevi su u {} i upisuju se u {own}", other.jedinica));
    } else if unit != own {
        problems.defect(None, Some(place), format!("polje „{}” nema jedinicu „{unit}”", field.naziv));
    }
}

fn check_rows(columns: &BTreeMap<String, Source>, section: &EntryField, place: &str, problems: &mut Problems) {
    for name in columns.keys().filter(|name| !section.kolone.iter().any(|column| code(column) == name.as_str())) {
        problems.defect(None, Some(place), format!("sekcija „{}” nema kolonu „{name}”", section.naziv));
    }
    for column in &section.kolone {
        match columns.get(code(column)) {
            Some(_) if column.is_calculated() => {
                problems.defect(None, Some(place), format!("kolona „{}” se računa, pa se ne uvozi", code(column)));
            }
            Some(source) => check_unit(source, column, place, problems),
            None => {}
        }
    }
    // A column with a condition is required only in rows where it shows.
    let demanded = |column: &&EntryField| {
        !column.opciono
            && column.prikazuje_se
            && column.tva_num_vrednost != ValueType::Choice
            && !column.is_calculated()
            && column.formula_za_prikaz.is_none()
    };
    for column in section.kolone.iter().filter(demanded).filter(|column| !columns.contains_key(code(column))) {
        let message = format!("obavezna kolona „{}” sekcije „{}” (šifra „{}”) nije mapirana", column.naziv, section.naziv, code(column));
        problems.defect(None, Some(place), message);
    }
}
