//! An XLSForm (.xlsx) as a form: groups as tabs and panels, repeats as sections, questions as fields.

mod question;
mod sheet;
mod survey;

use std::{
    collections::{HashMap, HashSet},
    io::{Cursor, Read},
};

use calamine::{Reader, Xlsx};

use self::{
    sheet::{Row, no_book, refuse_bomb, sheet},
    survey::Survey,
};
use super::{
    foreign::{Builder, Choice, Foreign, together},
    report::Note,
    translate::Dialect,
};

pub fn read(bytes: &[u8]) -> Result<Foreign, Note> {
    refuse_bomb(bytes)?;
    let mut book: Xlsx<_> = calamine::open_workbook_from_rs(Cursor::new(bytes)).map_err(|_| no_book())?;
    let survey = sheet(&mut book, "survey")?.ok_or_else(|| Note::new("", "Nema lista „survey”: fajl nije XLSForm."))?;
    let choices = sheet(&mut book, "choices")?.unwrap_or_default();
    let settings = sheet(&mut book, "settings")?.unwrap_or_default();
    let unmapped = other_sheets(&book);
    let setting = |name: &str| settings.first().map(|row| row.get(name).to_owned()).unwrap_or_default();
    let mut builder = Builder::new(&setting("form_id"), &setting("form_title"));
    let lists = lists(&choices, &mut builder);
    let mut reader = Survey::new(builder, lists);
    for row in &survey {
        reader.row(row)?;
    }
    let mut builder = reader.end()?;
    tell_named_values(&mut builder, &survey);
    tell_columns(&mut builder, &survey, &OF_SURVEY, &["label", "hint", "constraint_message"]);
    tell_looks(&mut builder, &survey);
    tell_columns(&mut builder, &choices, &OF_CHOICES, &["label"]);
    tell_columns(&mut builder, &settings, &OF_SETTINGS, &[]);
    Ok(together(vec![builder], Some(Dialect::XlsForm), unmapped, Vec::new()))
}

fn other_sheets<R: Read + std::io::Seek>(book: &Xlsx<R>) -> Vec<Note> {
    let known = ["survey", "choices", "settings"];
    let others = book.sheet_names().into_iter().filter(|name| !known.contains(&name.to_lowercase().as_str()));
    others.map(|name| Note::of(format!("list „{name}”"), "list se ne prenosi", name.clone())).collect()
}

fn lists(rows: &[Row], builder: &mut Builder) -> HashMap<String, Vec<Choice>> {
    let mut lists: HashMap<String, Vec<Choice>> = HashMap::new();
    for row in rows {
        let list = row.get("list_name");
        let code = if row.get("name").is_empty() { row.get("value") } else { row.get("name") };
        if list.is_empty() || code.is_empty() {
            builder.lost(Note::of(row.place(""), "opcija nema listu ili šifru", row.worded("label")));
            continue;
        }
        let known = lists.entry(list.to_owned()).or_default();
        if known.iter().any(|choice| choice.code == code) {
            builder.lost(Note::of(row.place("name"), "opcija sa tom šifrom stoji više puta u listi", code));
            continue;
        }
        known.push(Choice::coded(code.to_owned(), row.worded("label").to_owned()));
    }
    lists
}

/// Columns that are carried over, or told row by row.
const OF_SURVEY: [&str; 17] = [
    "type",
    "name",
    "label",
    "hint",
    "required",
    "relevant",
    "constraint",
    "calculation",
    "appearance",
    "default",
    "guidance_hint",
    "choice_filter",
    "read_only",
    "constraint_message",
    "repeat_count",
    "parameters",
    "disabled",
];
const OF_CHOICES: [&str; 4] = ["list_name", "name", "value", "label"];
const OF_SETTINGS: [&str; 2] = ["form_id", "form_title"];
/// What an appearance may say of a question here.
const LOOKS: [&str; 4] = ["multiline", "minimal", "autocomplete", "field-list"];

/// Each other column that says something, once. `worded`: those of which one language is carried over.
fn tell_columns(builder: &mut Builder, rows: &[Row], carried: &[&str], worded: &[&str]) {
    let mut told = HashSet::new();
    for row in rows {
        let mut names: Vec<&String> = row.cells.keys().collect();
        names.sort();
        for name in names {
            let base = name.split("::").next().unwrap_or(name);
            let language = name.contains("::") && worded.contains(&base);
            let is_lost = !carried.contains(&base) || (language && row.worded(base) != row.get(name));
            if is_lost && told.insert(name.clone()) {
                let what = if language { "drugi jezik" } else { "kolona" };
                builder.lost(Note::of(row.place(name), format!("{what} se ne prenosi (prvi put ovde)"), row.get(name)));
            }
        }
    }
}

/// Each appearance that a question has none of here, once.
fn tell_looks(builder: &mut Builder, survey: &[Row]) {
    let mut told = HashSet::new();
    for row in survey {
        for look in row.get("appearance").split_whitespace().filter(|look| !LOOKS.contains(look)) {
            if told.insert(look) {
                builder.lost(Note::of(
                    row.place("appearance"),
                    format!("izgled „{look}” se ne prenosi (prvi put ovde)"),
                    row.get("appearance"),
                ));
            }
        }
    }
}

/// Words that stand for another field's value are read as they are written.
fn tell_named_values(builder: &mut Builder, survey: &[Row]) {
    for row in survey.iter().filter(|row| builder.is_known(row.get("name"))).collect::<Vec<_>>() {
        for column in ["label", "hint"].into_iter().filter(|column| row.worded(column).contains("${")) {
            let message = "tekst pominje vrednost drugog polja: ovde stoji kako je napisan";
            builder.lost(Note::of(row.place(column), message, row.worded(column)));
        }
    }
}
