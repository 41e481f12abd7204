//! The first rows of a file as its mapping reads them, and what the mapping lacks. Nothing of the database is told here but the
//! configuration.

use domain::{
    answer::Answer,
    entry::{form::EntryField, meaning::unit, units, value_text::answer_text},
    time::date_text,
};
use platform::error::Result;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::import::{
    consent,
    mapping::{Mapping, Source},
    mapping_check, patient,
    problems::{Message, Problems},
    schema::{RegisterSchema, code},
    sheet::{Sheet, SheetRow},
    status, values,
};

const ROWS: usize = 10;

#[derive(Serialize, ToSchema)]
pub struct ImportPreview {
    /// What keeps the mapping from being used at all.
    nedostaci: Vec<String>,
    kolone: Vec<String>,
    redovi: Vec<PreviewRow>,
}

#[derive(Serialize, ToSchema)]
struct PreviewRow {
    /// As a spreadsheet numbers it.
    red: usize,
    celije: Vec<PreviewCell>,
}

#[derive(Serialize, ToSchema)]
struct PreviewCell {
    /// Blank where the cell is.
    tekst: String,
    /// Why it cannot be read.
    greska: Option<String>,
}

/// A column of the preview: its name, where it comes from, and as what it is read.
struct Column<'a> {
    name: String,
    source: &'a Source,
    kind: Kind<'a>,
}

enum Kind<'a> {
    Patient(&'a str),
    Day,
    Field(&'a EntryField),
}

pub fn preview(bytes: &[u8], mapping: &Mapping, register: &RegisterSchema) -> Result<ImportPreview> {
    let mut problems = Problems::default();
    let sheet = match Sheet::read(bytes, &mapping.file, &mut problems) {
        Ok(sheet) => sheet,
        Err(error) => return Ok(ImportPreview { nedostaci: vec![format!("{error:#}")], kolone: vec![], redovi: vec![] }),
    };
    let mut problems = Problems::default();
    mapping_check::check(mapping, register, &sheet, &mut problems);
    let columns = columns(mapping, register);
    let row = |row: SheetRow<'_>| PreviewRow { red: row.number, celije: columns.iter().map(|column| cell(row, column, mapping)).collect() };
    Ok(ImportPreview {
        nedostaci: problems.defects.iter().map(|problem| problem.message.to_string()).collect(),
        redovi: sheet.rows().take(ROWS).map(row).collect(),
        kolone: columns.into_iter().map(|column| column.name).collect(),
    })
}

fn columns<'a>(mapping: &'a Mapping, register: &'a RegisterSchema) -> Vec<Column<'a>> {
    let known = mapping.patient.fields.iter().filter(|(name, _)| patient::has_field(name));
    let mut columns: Vec<_> = known.map(|(name, source)| Column { name: name.clone(), source, kind: Kind::Patient(name) }).collect();
    for entry in &mapping.entries {
        let Ok(form) = register.form(&entry.form) else { continue };
        columns.push(Column { name: format!("{}: datum", form.form.naziv), source: &entry.date, kind: Kind::Day });
        for (code, source) in &entry.fields {
            if let Some(field) = form.field(code).filter(|field| field.holds_value() && !field.is_section()) {
                columns.push(Column { name: field.naziv.clone(), source, kind: Kind::Field(field) });
            }
        }
        for (section, columns_of) in &entry.rows {
            let Some(section) = form.field(section).filter(|field| field.is_section()) else { continue };
            for (name, source) in columns_of {
                if let Some(field) = section.kolone.iter().find(|column| code(column) == name) {
                    let name = format!("{}: {}", section.naziv, field.naziv);
                    columns.push(Column { name, source, kind: Kind::Field(field) });
                }
            }
        }
    }
    columns
}

fn cell(row: SheetRow<'_>, column: &Column<'_>, mapping: &Mapping) -> PreviewCell {
    if let (Kind::Field(field), false) = (&column.kind, column.source.columns.is_empty()) {
        return match values::of_columns(row, field, column.source) {
            Ok(value) => PreviewCell { tekst: value.map(|value| told(field, &value)).unwrap_or_default(), greska: None },
            Err(fault) => PreviewCell { tekst: String::new(), greska: Some(fault.message.to_string()) },
        };
    }
    let read = match row.text(column.source) {
        Ok(Some(text)) => read(&text, column, mapping),
        Ok(None) => Ok(String::new()),
        Err(message) => Err(message),
    };
    match read {
        Ok(tekst) => PreviewCell { tekst, greska: None },
        Err(message) => PreviewCell { tekst: String::new(), greska: Some(message.to_string()) },
    }
}

fn read(text: &str, column: &Column<'_>, mapping: &Mapping) -> std::result::Result<String, Message> {
    match column.kind {
        Kind::Patient("datumRodjenja") => values::any_date(text, column.source, &mapping.file).map(date_text),
        Kind::Patient(name) if consent::has_field(name) => {
            consent::ConsentCells::default().fill(name, text, column.source, &mapping.file)?;
            Ok(text.to_owned())
        }
        Kind::Patient(name) if status::FIELDS.contains(&name) => {
            status::ToldStatus::default().fill(name, text, column.source, &mapping.file)?;
            Ok(text.to_owned())
        }
        Kind::Patient(name) => {
            let mut fields = patient::Fields::default();
            fields.fill(name, text, column.source, &mapping.file)?;
            Ok(fields.text(name))
        }
        Kind::Day => values::date(text, column.source, &mapping.file).map(date_text),
        Kind::Field(field) => {
            let told = told(field, &values::value(field, text, column.source, &mapping.file)?);
            Ok(match values::written_in(field, text, column.source, &mapping.file) {
                Some(typed) => format!("{told} {} ({})", unit(field).unwrap_or_default(), units::told(&typed)),
                None => told,
            })
        }
    }
}

/// A value as screens show it.
fn told(field: &EntryField, value: &Value) -> String {
    Answer::of(field.tva_num_vrednost, value).map_or_else(String::new, |answer| answer_text(field, &answer))
}
