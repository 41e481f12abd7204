//! Which field an expression names: REDCap by name; XLSForm by name, where one field only has it, or by a path.

use std::collections::HashMap;

use super::{Dialect, Reference, RowsAsked};
use crate::exchange::known_field::{ExpressionField, Kind};

/// The key of the field. `own`: that of the question whose expression it is.
pub fn resolve(reference: &Reference, dialect: Dialect, own: &str, fields: &HashMap<String, ExpressionField>) -> Result<String, String> {
    match (dialect, reference) {
        (Dialect::RedCap, Reference::Name(name)) => known(fields, name, name, own),
        (Dialect::XlsForm, Reference::Name(name)) => known(fields, &named(fields, name, own)?, name, own),
        (Dialect::XlsForm, Reference::Path(path)) => known(fields, &absolute(path, own).ok_or_else(|| no_field(path))?, path, own),
        (Dialect::XlsForm, Reference::Own) => known(fields, own, ".", own),
        (Dialect::XlsForm, Reference::Rows(asked, of)) => rows(fields, *asked, of, own),
        (Dialect::RedCap, _) => Err("nejasno polje".to_owned()),
    }
}

fn no_field(name: &str) -> String {
    format!("nema polja „{name}”")
}

/// The section in whose rows the question stands.
fn section_of<'a>(fields: &'a HashMap<String, ExpressionField>, key: &str) -> Option<&'a str> {
    fields.get(key).filter(|field| field.column)?.holder.as_deref()
}

/// What is asked of rows: of a column from outside of its section, of a section by its own name.
fn rows(fields: &HashMap<String, ExpressionField>, asked: RowsAsked, of: &Reference, own: &str) -> Result<String, String> {
    let key = match of {
        Reference::Name(name) => {
            let mut found = fields.keys().filter(|key| key.rsplit('/').next() == Some(name));
            found.next().filter(|_| found.next().is_none()).cloned()
        }
        Reference::Path(path) => absolute(path, own),
        Reference::Own | Reference::Rows(..) => None,
    };
    let key = key.filter(|key| fields.contains_key(key)).ok_or_else(|| "nejasni redovi".to_owned())?;
    let is_section = fields.values().any(|field| field.column && field.holder.as_ref() == Some(&key));
    let is_meant = match asked {
        RowsAsked::Sum => section_of(fields, &key).is_some_and(|section| section_of(fields, own) != Some(section)),
        RowsAsked::Count => is_section,
        RowsAsked::Place => section_of(fields, own) == Some(&key),
    };
    if is_meant { Ok(key) } else { Err("nejasni redovi".to_owned()) }
}

fn known(fields: &HashMap<String, ExpressionField>, key: &str, name: &str, own: &str) -> Result<String, String> {
    match fields.get(key) {
        Some(field) if field.column && section_of(fields, own) != field.holder.as_deref() => {
            Err(format!("„{name}” stoji u sekciji koja se ponavlja"))
        }
        Some(field) if matches!(field.kind, Kind::Nothing) => Err(format!("„{name}” nema vrednost")),
        Some(_) => Ok(key.to_owned()),
        None if ["event-name", "event-label", "arm-name", "record-name", "user-name"].contains(&name) => {
            Err(format!("„{name}” govori o događaju projekta"))
        }
        None => Err(no_field(name)),
    }
}

/// As pyxform: a name that several questions have says nothing without its path; in a repeat the question of the same row comes first.
fn named(fields: &HashMap<String, ExpressionField>, name: &str, own: &str) -> Result<String, String> {
    let has_name = |key: &&String| key.rsplit('/').next() == Some(name);
    let mut found: Vec<&String> = fields.keys().filter(has_name).collect();
    if let Some(section) = section_of(fields, own).filter(|_| found.len() > 1) {
        let beside: Vec<&String> = found.iter().copied().filter(|key| section_of(fields, key) == Some(section)).collect();
        if let [one] = beside.as_slice() {
            return Ok((*one).clone());
        }
    }
    if found.len() > 1 {
        found.retain(|key| fields.get(*key).is_some_and(|field| !matches!(field.kind, Kind::Nothing)));
    }
    match found.as_slice() {
        [] => Err(no_field(name)),
        [one] => Ok((*one).clone()),
        _ => Err(format!("više polja se zove „{name}”")),
    }
}

/// The path from the root, whose own name does not matter.
fn absolute(path: &str, own: &str) -> Option<String> {
    let mut steps: Vec<&str> = match path.strip_prefix('/') {
        Some(_) => Vec::new(),
        None => own.split('/').skip(1).collect(),
    };
    let rest = match path.strip_prefix('/') {
        Some(rest) => rest.split_once('/')?.1,
        None => path,
    };
    for step in rest.split('/') {
        match step {
            "" | "." => {}
            ".." => {
                steps.pop()?;
            }
            name => steps.push(name),
        }
    }
    Some(format!("/{}", steps.join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields() -> HashMap<String, ExpressionField> {
        let field = |key: &str, kind| (key.to_owned(), ExpressionField { code: key.replace('/', "_"), kind, ..ExpressionField::default() });
        [
            field("/g", Kind::Nothing),
            field("/g/a", Kind::Number),
            field("/g/r", Kind::Nothing),
            field("/g/r/a", Kind::Number),
            field("/g/r/b", Kind::Number),
            field("/r", Kind::Number),
        ]
        .into()
    }

    #[test]
    fn a_path_names_one_field_and_a_name_only_where_it_is_one() {
        let of = |reference: Reference| resolve(&reference, Dialect::XlsForm, "/g/r/b", &fields());
        let path = |text: &str| of(Reference::Path(text.to_owned()));
        assert_eq!(path("../a"), Ok("/g/r/a".to_owned()));
        assert_eq!(path("../../a"), Ok("/g/a".to_owned()));
        assert_eq!(path("/data/g/a"), Ok("/g/a".to_owned()));
        assert_eq!(path("../../../../a"), Err("nema polja „../../../../a”".to_owned()));
        assert_eq!(path("../../r"), Err("„../../r” nema vrednost".to_owned()));
        assert_eq!(of(Reference::Own), Ok("/g/r/b".to_owned()));
        let name = |text: &str| of(Reference::Name(text.to_owned()));
        assert_eq!(name("b"), Ok("/g/r/b".to_owned()));
        assert_eq!(name("r"), Ok("/r".to_owned()), "a group of that name has no value");
        assert_eq!(name("a"), Err("više polja se zove „a”".to_owned()));
        assert_eq!(name("c"), Err("nema polja „c”".to_owned()));
    }

    #[test]
    fn a_row_reads_its_own_cells_and_what_is_asked_of_rows_is_asked_from_outside() {
        let column = |code: &str| ExpressionField {
            code: code.into(),
            kind: Kind::Number,
            column: true,
            holder: Some("/r".into()),
            ..ExpressionField::default()
        };
        let plain = |code: &str, kind| ExpressionField { code: code.into(), kind, ..ExpressionField::default() };
        let fields: HashMap<String, ExpressionField> = [
            ("/r", plain("r", Kind::Nothing)),
            ("/r/doza", column("doza")),
            ("/r/g/puta", column("puta")),
            ("/doza", plain("doza_2", Kind::Number)),
            ("/kg", plain("kg", Kind::Number)),
        ]
        .map(|(key, field)| (key.to_owned(), field))
        .into();
        let of = |reference: Reference, own: &str| resolve(&reference, Dialect::XlsForm, own, &fields);
        let name = |text: &str| Reference::Name(text.to_owned());
        let rows = |asked, text: &str| Reference::Rows(asked, Box::new(Reference::Path(text.to_owned())));
        assert_eq!(of(name("puta"), "/r/doza"), Ok("/r/g/puta".to_owned()));
        assert_eq!(of(name("doza"), "/r/g/puta"), Ok("/r/doza".to_owned()), "that of the row");
        assert_eq!(of(name("puta"), "/kg"), Err("„puta” stoji u sekciji koja se ponavlja".to_owned()));
        assert_eq!(of(rows(RowsAsked::Sum, "../r/doza"), "/kg"), Ok("/r/doza".to_owned()));
        assert!(of(rows(RowsAsked::Sum, "../doza"), "/r/doza").is_err(), "of one row, or of all");
        assert_eq!(of(rows(RowsAsked::Count, "../r"), "/kg"), Ok("/r".to_owned()));
        assert!(of(rows(RowsAsked::Count, "../kg"), "/kg").is_err());
        assert_eq!(of(rows(RowsAsked::Place, ".."), "/r/doza"), Ok("/r".to_owned()));
        assert_eq!(of(rows(RowsAsked::Place, "../.."), "/r/g/puta"), Ok("/r".to_owned()));
        assert!(of(rows(RowsAsked::Place, ".."), "/kg").is_err());
    }
}
