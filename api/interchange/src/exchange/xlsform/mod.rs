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
    expression::Dialect,
    foreign::{Builder, Foreign, together},
    known_field::Choice,
    report::Note,
};

pub fn read(bytes: &[u8]) -> Result<Foreign, Note> {
    refuse_bomb(bytes)?;
    let mut book: Xlsx<_> = calamine::open_workbook_from_rs(Cursor::new(bytes)).map_err(|_| no_book())?;
    let settings = sheet(&mut book, "settings", "")?.unwrap_or_default();
    let setting = |name: &str| settings.first().map(|row| row.get(name).to_owned()).unwrap_or_default();
    let language = setting("default_language");
    let survey = sheet(&mut book, "survey", &language)?.ok_or_else(|| Note::new("", "Nema lista „survey”: fajl nije XLSForm."))?;
    let choices = sheet(&mut book, "choices", &language)?.unwrap_or_default();
    let unmapped = other_sheets(&book);
    let mut builder = Builder::new(&setting("form_id"), &setting("form_title"));
    let lists = lists(&choices, &mut builder);
    let mut reader = Survey::new(builder, lists);
    for row in &survey {
        reader.row(row)?;
    }
    let (mut builder, kept) = reader.end()?;
    tell_named_values(&mut builder, &survey, &kept);
    tell_looks(&mut builder, &survey);
    tell_unread(&mut builder, &survey, &["label", "hint", "guidance_hint", "constraint_message"], &kept);
    tell_unread(&mut builder, &choices, &["label"], &HashSet::new());
    tell_unread(&mut builder, &settings, &[], &HashSet::new());
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

/// What an appearance may say of a question here.
const LOOKS: [&str; 4] = ["multiline", "minimal", "autocomplete", "field-list"];

/// What nobody read is not carried, and told: a column once, a cell of a column that other rows carry at its own row. `worded`: columns of
/// which one language is carried over. `kept`: the rows that became something.
fn tell_unread(builder: &mut Builder, rows: &[Row], worded: &[&str], kept: &HashSet<u32>) {
    let mut told = HashSet::new();
    for row in rows {
        for (name, text) in row.unread() {
            let base = name.split("::").next().unwrap_or(name);
            let language = name.contains("::") && worded.contains(&base);
            if !language && rows.iter().any(|other| other.has_read(name)) {
                if kept.contains(&row.number) {
                    builder.lost(Note::of(row.place(name), "to se ovde ne prenosi", text));
                }
            } else if (!language || kept.is_empty() || kept.contains(&row.number)) && told.insert(name.to_owned()) {
                let what = if language { "drugi jezik" } else { "kolona" };
                builder.lost(Note::of(row.place(name), format!("{what} se ne prenosi (prvi put ovde)"), text));
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
fn tell_named_values(builder: &mut Builder, survey: &[Row], kept: &HashSet<u32>) {
    for row in survey.iter().filter(|row| kept.contains(&row.number)) {
        for column in ["label", "hint"].into_iter().filter(|column| row.worded(column).contains("${")) {
            let message = "tekst pominje vrednost drugog polja: ovde stoji kako je napisan";
            builder.lost(Note::of(row.place(column), message, row.worded(column)));
        }
    }
}
