//! Which field an expression names: REDCap by name; XLSForm by name, where one field only has it, or by a path.

use std::collections::HashMap;

use super::{Dialect, Reference};
use crate::exchange::known_field::{ExpressionField, Kind};

/// The key of the field. `own`: that of the question whose expression it is.
pub fn resolve(reference: &Reference, dialect: Dialect, own: &str, fields: &HashMap<String, ExpressionField>) -> Result<String, String> {
    match (dialect, reference) {
        (Dialect::RedCap, Reference::Name(name)) => known(fields, name, name),
        (Dialect::XlsForm, Reference::Name(name)) => known(fields, &named(fields, name)?, name),
        (Dialect::XlsForm, Reference::Path(path)) => known(fields, &absolute(path, own).ok_or_else(|| no_field(path))?, path),
        (Dialect::XlsForm, Reference::Own) => known(fields, own, "."),
        (Dialect::RedCap, _) => Err("nejasno polje".to_owned()),
    }
}

fn no_field(name: &str) -> String {
    format!("nema polja „{name}”")
}

fn known(fields: &HashMap<String, ExpressionField>, key: &str, name: &str) -> Result<String, String> {
    match fields.get(key) {
        Some(field) if field.column => Err(format!("„{name}” stoji u sekciji koja se ponavlja")),
        Some(field) if matches!(field.kind, Kind::Nothing) => Err(format!("„{name}” nema vrednost")),
        Some(_) => Ok(key.to_owned()),
        None if ["event-name", "event-label", "arm-name", "record-name", "user-name"].contains(&name) => {
            Err(format!("„{name}” govori o događaju projekta"))
        }
        None => Err(no_field(name)),
    }
}

/// As pyxform: a name that several questions have says nothing without its path.
fn named(fields: &HashMap<String, ExpressionField>, name: &str) -> Result<String, String> {
    let has_name = |key: &&String| key.rsplit('/').next() == Some(name);
    let mut found: Vec<&String> = fields.keys().filter(has_name).collect();
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
}
