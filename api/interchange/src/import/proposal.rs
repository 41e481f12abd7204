//! A mapping as a file's header suggests it: columns known by codes and names of fields, and by the usual names of patients' data.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    entry::form::{Choice, EntryField},
    fold::fold,
    register::ValueType,
};

use super::{
    item_texts::{self, ItemTexts},
    mapping::{Columns, EntryMapping, Existing, FileOptions, HiddenValues, Mapping, PatientMapping, SharedLbo, Source},
    problems::Problems,
    schema::{FormSchema, RegisterSchema, code},
    sheet::{EXPORT_COLUMN, Sheet},
    values,
};

/// Rows that are looked at to tell how the items of a set are written.
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
    ("datumSmrti", &["datum smrti", "dan smrti", "death date"]),
    ("administrativnaNapomena", &["administrativna napomena"]),
];
/// What the day of an examination is called.
const DAYS: &[&str] = &["datum pregleda", "datum unosa", "datum posete", "datum prijema", "datum kontrole", "datum"];

/// The last of the columns with which an export of ours begins: none of them is a field's.
const LAST_OF_EXPORT: &str = "starost";
/// What may stand between the items of a set in one cell; the first is the usual one.
const MARKS: [char; 4] = ['|', ',', ';', ' '];

pub fn of_file(bytes: &[u8], register: &RegisterSchema) -> anyhow::Result<Mapping> {
    Ok(propose(&Sheet::read(bytes, &FileOptions::default(), &mut Problems::default())?, register))
}

pub(crate) fn propose(sheet: &Sheet, register: &RegisterSchema) -> Mapping {
    let columns: Vec<&str> = sheet.header().collect();
    let mut free: BTreeSet<&str> = columns.iter().copied().collect();
    let is_export = columns.first() == Some(&EXPORT_COLUMN);
    let mut fields = patient_fields(&columns, &mut free);
    if let Some(sex) = fields.get_mut("polTrenutni").filter(|_| is_export) {
        sex.translate = [("1", "M"), ("2", "Ž")].map(|(from, to)| (from.to_owned(), to.to_owned())).into();
    }
    let key = fields.get("jmbg").and_then(|source| source.column.clone()).unwrap_or_else(|| columns[0].to_owned());
    let day = DAYS.iter().find_map(|day| named(&free, day)).map(str::to_owned);
    if let Some(last) = columns.iter().position(|column| *column == LAST_OF_EXPORT).filter(|_| is_export) {
        columns[..=last].iter().for_each(|column| _ = free.remove(column));
    }
    let mut entries: Vec<EntryMapping> = vec![];
    let mut forms: Vec<&FormSchema> = register.forms.iter().collect();
    // The form that knows most of the columns takes its own first.
    forms.sort_by_key(|form| std::cmp::Reverse(form_fields(sheet, form, &free).len()));
    for form in forms {
        let fields = form_fields(sheet, form, &free);
        free.retain(|column| !fields.values().any(|source| source.names().any(|name| name == *column)));
        let mut rows = BTreeMap::new();
        for section in form.form.fields.iter().filter(|field| field.is_section()) {
            let columns = known_fields(sheet, section.kolone.iter().filter(|column| !column.is_calculated()), &free);
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
            hidden: HiddenValues::Refuse,
            date: Source::of_column(day.as_deref().unwrap_or_default()),
            institution: None,
            responsible: None,
            fields,
            rows,
        });
    }
    let items = items_mark(sheet, register, &entries);
    let decimal = entries.iter().any(|entry| has_decimal_commas(sheet, register, entry)).then_some(',');
    let patient = PatientMapping {
        key: Columns::One(key),
        existing: Existing::Keep,
        shared_lbo: SharedLbo::Refuse,
        institution: Source::default(),
        fields,
    };
    Mapping { file: FileOptions { decimal, items, ..FileOptions::default() }, patient, entries }
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

/// Those of which a free column has the code or the name; of a set in which several are chosen the items may have columns of their own.
fn known_fields<'a>(
    sheet: &Sheet,
    wanted: impl Iterator<Item = &'a EntryField> + Clone,
    free: &BTreeSet<&str>,
) -> BTreeMap<String, Source> {
    let mut fields: BTreeMap<String, Source> = BTreeMap::new();
    let others: BTreeSet<String> = wanted.clone().flat_map(|field| [plain(code(field)), plain(&field.naziv)]).collect();
    let unnamed: Vec<&str> = free.iter().copied().filter(|column| !others.contains(&plain(column))).collect();
    for field in wanted {
        let taken = |column: &str| fields.values().any(|source: &Source| source.column.as_deref() == Some(column));
        let column = [code(field), &field.naziv].into_iter().find_map(|name| named(free, name)).filter(|column| !taken(column));
        let source = match column {
            Some(column) if field.tva_num_vrednost == ValueType::Set => Some(set_source(sheet, column, field)),
            Some(column) => Some(Source::of_column(column)),
            None => item_columns(sheet, &unnamed, field),
        };
        fields.extend(source.map(|source| (code(field).to_owned(), source)));
    }
    fields
}

/// An export of ours has names in the column of the set, and codes beside it, which no change of a name concerns.
fn set_source(sheet: &Sheet, column: &str, field: &EntryField) -> Source {
    let codes = format!("{column}_sifra");
    if sheet.is_export() && sheet.has(&codes) && ItemTexts::new(field, false).all_have_codes() {
        return Source::of_column(&codes);
    }
    Source { numbers: is_weighed(sheet, column, field), ..Source::of_column(column) }
}

/// Columns as REDCap (`field___1`), ODK (`field/1`, `field.1`) and exports of ours (`field_1`) call those of a set's items.
fn item_columns(sheet: &Sheet, columns: &[&str], field: &EntryField) -> Option<Source> {
    if field.tva_num_vrednost != ValueType::Set || !field.multiselect {
        return None;
    }
    let has_ticks = |column: &&&str| sheet.rows().take(LOOKED_AT).filter_map(|row| row.cell(column)).all(values::is_tick);
    let items = columns.iter().filter(has_ticks).filter_map(|column| {
        let item = item_of_column(column, field)?;
        Some(((*column).to_owned(), item_texts::code(item).unwrap_or(&item.naziv).to_owned()))
    });
    let columns: BTreeMap<String, String> = items.collect();
    (columns.len() > 1).then(|| Source { columns, ..Source::default() })
}

fn item_of_column<'a>(column: &str, field: &'a EntryField) -> Option<&'a Choice> {
    let (column, own) = (column.to_lowercase(), code(field).to_lowercase());
    let rest = column.strip_prefix(&own)?;
    let rest = ["___", "/", ".", "_"].iter().find_map(|mark| rest.strip_prefix(mark))?;
    // REDCap writes a code in small letters, and what is no letter as a line: -1 as _1.
    let lined = |code: &str| -> String {
        let lower = code.to_lowercase();
        lower.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect()
    };
    let offered = || field.enum_stavke_sve.iter().filter(|item| item.aktivan);
    let only = |is: &dyn Fn(&&Choice) -> bool| {
        let mut found = offered().filter(|item| is(item));
        found.next().filter(|_| found.next().is_none())
    };
    let coded = only(&|item| item_texts::code(item).is_some_and(|code| code.to_lowercase() == rest || lined(code) == rest));
    coded.or_else(|| only(&|item| item_texts::code(item).is_none() && !rest.is_empty() && plain(&item.naziv) == plain(rest)))
}

/// The mark between items by which the most cells can be read.
fn items_mark(sheet: &Sheet, register: &RegisterSchema, entries: &[EntryMapping]) -> char {
    let several = entries.iter().flat_map(|entry| {
        let form = register.form(&entry.form).ok();
        entry.fields.iter().filter_map(move |(name, source)| {
            let field = form?.field(name).filter(|field| field.tva_num_vrednost == ValueType::Set && field.multiselect)?;
            Some((ItemTexts::new(field, source.numbers), source.column.as_deref()?))
        })
    });
    let several: Vec<_> = several.collect();
    let cells = |column: &str| sheet.rows().take(LOOKED_AT).filter_map(move |row| row.cell(column)).collect::<BTreeSet<&str>>();
    let unread = |mark: char| -> usize {
        several.iter().map(|(texts, column)| cells(column).iter().filter(|cell| texts.read(cell, mark).is_err()).count()).sum()
    };
    MARKS.into_iter().min_by_key(|mark| unread(*mark)).expect("there are marks")
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

/// Whether the cells are the weights of the field's items: not all of them are codes or names, and each is a weight otherwise.
fn is_weighed(sheet: &Sheet, column: &str, field: &EntryField) -> bool {
    let cells: BTreeSet<&str> = sheet.rows().take(LOOKED_AT).filter_map(|row| row.cell(column)).collect();
    let can_be_read = |by_weight: bool| {
        let texts = ItemTexts::new(field, by_weight);
        cells.iter().all(|cell| MARKS.iter().any(|mark| texts.read(cell, *mark).is_ok()))
    };
    !cells.is_empty() && ItemTexts::new(field, true).weightless().is_none() && !can_be_read(false) && can_be_read(true)
}
