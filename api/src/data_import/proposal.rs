//! A mapping as a file's header suggests it: columns known by codes and names of fields, and by the usual names of patients' data.

use std::collections::{BTreeMap, BTreeSet};

use domain::{fold::fold, register::ValueType};

use crate::{
    entries::form::EntryField,
    import::{
        mapping::{Columns, EntryMapping, Existing, FileOptions, Hidden, Mapping, PatientMapping, SharedLbo, Source},
        schema::{FormSchema, RegisterSchema, code},
        sheet::Sheet,
    },
};

/// Rows that are looked at to tell numbers of items from their names.
const LOOKED_AT: usize = 200;

/// Fields of a patient and what their columns are called, beside the field's own name.
const USUAL: &[(&str, &[&str])] = &[
    ("ime", &["ime pacijenta", "first name"]),
    ("prezime", &["prezime pacijenta", "last name", "surname"]),
    ("imeRoditelja", &["ime oca", "ime roditelja", "roditelj"]),
    ("datumRodjenja", &["datum rođenja", "datum rodj", "dat rodj", "rođen", "rođena", "birth date"]),
    ("jmbg", &["matični broj", "JMBG pacijenta"]),
    ("lbo", &["broj LBO", "lični broj osiguranika"]),
    ("polTrenutni", &["pol", "sex"]),
    ("polNaRodjenju", &["pol na rođenju"]),
    ("adresa", &["adresa stanovanja"]),
    ("brojKartona", &["karton", "broj kartona", "broj istorije"]),
    ("kontaktTelefon", &["telefon", "tel", "kontakt", "kontakt telefon"]),
    ("email", &["e-mail", "mejl", "e-pošta"]),
    ("mobilniTelefon", &["mobilni", "mobilni telefon"]),
    ("zanimanje", &[]),
    ("strucnaSprema", &["stručna sprema"]),
    ("radnoMesto", &["radno mesto"]),
    ("medicinskaNapomena", &["medicinska napomena"]),
    ("administrativnaNapomena", &["administrativna napomena"]),
];
/// What the day of an examination is called.
const DAYS: &[&str] = &["datum pregleda", "datum unosa", "datum posete", "datum prijema", "datum kontrole", "datum"];

pub fn propose(sheet: &Sheet, register: &RegisterSchema) -> Mapping {
    let columns: Vec<&str> = sheet.header().collect();
    let mut free: BTreeSet<&str> = columns.iter().copied().collect();
    let fields = patient_fields(&columns, &mut free);
    let key = fields.get("jmbg").and_then(|source| source.column.clone()).unwrap_or_else(|| columns[0].to_owned());
    let day = DAYS.iter().find_map(|day| named(&free, day)).map(str::to_owned);
    let mut entries: Vec<EntryMapping> = vec![];
    let mut forms: Vec<&FormSchema> = register.forms.iter().collect();
    // The form that knows most of the columns takes its own first.
    forms.sort_by_key(|form| std::cmp::Reverse(form_fields(sheet, form, &free).len()));
    for form in forms {
        let fields = form_fields(sheet, form, &free);
        free.retain(|column| !fields.values().any(|source| source.column.as_deref() == Some(*column)));
        let mut rows = BTreeMap::new();
        for section in form.form.fields.iter().filter(|field| field.is_section()) {
            let columns = known_fields(sheet, section.kolone.iter(), &free);
            if !columns.is_empty() {
                free.retain(|column| !columns.values().any(|source| source.column.as_deref() == Some(*column)));
                rows.insert(code(section).to_owned(), columns);
            }
        }
        if fields.is_empty() && rows.is_empty() {
            continue;
        }
        entries.push(EntryMapping {
            form: form.sifra_veza.clone().unwrap_or_else(|| form.form.naziv.clone()),
            key: Columns::Several([Some(key.clone()), day.clone()].into_iter().flatten().collect()),
            existing: Existing::Keep,
            hidden: Hidden::Refuse,
            date: Source::of_column(day.as_deref().unwrap_or_default()),
            institution: None,
            responsible: None,
            fields,
            rows,
        });
    }
    let decimal = entries.iter().any(|entry| has_decimal_commas(sheet, register, entry)).then_some(',');
    let patient = PatientMapping {
        key: Columns::One(key),
        existing: Existing::Keep,
        shared_lbo: SharedLbo::Refuse,
        institution: Source::default(),
        fields,
    };
    Mapping { file: FileOptions { decimal, ..FileOptions::default() }, patient, entries }
}

/// The mapping as the screen may have it: everything is the institution's, whatever it says.
pub fn of_institution(mut mapping: Mapping, naziv: &str) -> Mapping {
    mapping.patient.institution = Source::of_constant(naziv);
    mapping.entries.iter_mut().for_each(|entry| entry.institution = None);
    mapping
}

/// Letters and digits as a search folds them.
fn plain(name: &str) -> String {
    fold(name).chars().filter(|letter| letter.is_alphanumeric()).collect()
}

fn named<'a>(columns: &BTreeSet<&'a str>, name: &str) -> Option<&'a str> {
    let wanted = plain(name);
    columns.iter().copied().find(|column| plain(column) == wanted)
}

fn patient_fields<'a>(columns: &[&'a str], free: &mut BTreeSet<&'a str>) -> BTreeMap<String, Source> {
    let mut fields = BTreeMap::new();
    for (field, names) in USUAL {
        let wanted: Vec<String> = std::iter::once(field).chain(*names).map(|name| plain(name)).collect();
        let known = |column: &&&str| free.contains(**column) && wanted.contains(&plain(column));
        if let Some(column) = columns.iter().find(known) {
            free.remove(column);
            fields.insert((*field).to_owned(), Source::of_column(column));
        }
    }
    fields
}

fn form_fields(sheet: &Sheet, form: &FormSchema, free: &BTreeSet<&str>) -> BTreeMap<String, Source> {
    let single = form.form.fields.iter().filter(|field| field.holds_value() && !field.is_section() && !field.is_calculated());
    known_fields(sheet, single, free)
}

/// Those of which a free column has the code or the name.
fn known_fields<'a>(sheet: &Sheet, wanted: impl Iterator<Item = &'a EntryField>, free: &BTreeSet<&str>) -> BTreeMap<String, Source> {
    let mut fields = BTreeMap::new();
    for field in wanted {
        let taken = |column: &str| fields.values().any(|source: &Source| source.column.as_deref() == Some(column));
        let column = [code(field), &field.naziv].into_iter().find_map(|name| named(free, name)).filter(|column| !taken(column));
        if let Some(column) = column {
            let numbers = field.tva_num_vrednost == ValueType::Set && is_numbered(sheet, column, field);
            fields.insert(code(field).to_owned(), Source { numbers, ..Source::of_column(column) });
        }
    }
    fields
}

/// Whether numbers of the file have commas, and none has a point.
fn has_decimal_commas(sheet: &Sheet, register: &RegisterSchema, entry: &EntryMapping) -> bool {
    let Ok(form) = register.form(&entry.form) else { return false };
    let is_number = |name: &str| form.field(name).is_some_and(|field| field.tva_num_vrednost == ValueType::Number);
    let single = entry.fields.iter().filter(|(name, _)| is_number(name)).map(|(_, source)| source);
    let in_rows = entry.rows.iter().flat_map(|(section, columns)| {
        let section = form.field(section);
        let is_number = move |name: &str| {
            let mut known = section.into_iter().flat_map(|section| &section.kolone);
            known.any(|column| code(column) == name && column.tva_num_vrednost == ValueType::Number)
        };
        columns.iter().filter(move |(name, _)| is_number(name)).map(|(_, source)| source)
    });
    let columns: Vec<&str> = single.chain(in_rows).filter_map(|source| source.column.as_deref()).collect();
    let cells = || sheet.rows().take(LOOKED_AT).flat_map(|row| columns.iter().filter_map(move |column| row.cell(column)));
    let is_parted = |cell: &str, mark: char| {
        cell.contains(mark) && cell.chars().all(|letter| letter.is_ascii_digit() || letter == mark || letter == '-')
    };
    cells().any(|cell| is_parted(cell, ',')) && !cells().any(|cell| is_parted(cell, '.'))
}

/// Whether the cells are the numbers of the field's items, and not their names.
fn is_numbered(sheet: &Sheet, column: &str, field: &EntryField) -> bool {
    let cells: BTreeSet<&str> = sheet.rows().take(LOOKED_AT).filter_map(|row| row.cell(column)).collect();
    let items = || field.enum_stavke_sve.iter().filter(|item| item.aktivan);
    let number =
        |cell: &&str| cell.replace(',', ".").parse::<f64>().is_ok_and(|number| items().any(|item| item.num_vrednost == Some(number)));
    let name = |cell: &&str| items().any(|item| fold(&item.naziv) == fold(cell));
    !cells.is_empty() && cells.iter().all(number) && !cells.iter().any(name)
}
