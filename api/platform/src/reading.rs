//! Reads the body and the query of a call, and names the field or parameter that does not fit. Nothing of what was sent is quoted: it may
//! be a patient's.

use axum::http::Uri;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::error::{BAD_BODY, BAD_QUERY, Error, Result};

const NO_JSON: &str = "Poslati podaci nisu ispravan JSON.";

/// What serde says of a field that is not there, and of one that is there twice; its name follows.
const MISSING: &str = "missing field `";
const DUPLICATE: &str = "duplicate field `";

/// The longest name that is told.
const NAME_LETTERS: usize = 100;

pub fn body<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    let mut text = serde_json::Deserializer::from_slice(bytes);
    match serde_path_to_error::deserialize(&mut text) {
        Ok(value) => text.end().map(|()| value).map_err(|_| Error::malformed(NO_JSON)),
        Err(fault) if fault.inner().is_data() => match serde_json::from_slice(bytes) {
            Ok(sent) => Err(refusal::<T>(&fault, &sent)),
            Err(_) => Err(Error::malformed(NO_JSON)),
        },
        Err(_) => Err(Error::malformed(NO_JSON)),
    }
}

/// Reads the fields that `T` knows; one that is null is one that is not there. A value of the wrong kind is refused by its name.
pub fn fields_of_body<T: DeserializeOwned>(fields: Map<String, Value>) -> Result<T> {
    let sent = Value::Object(fields.into_iter().filter(|(_, value)| !value.is_null()).collect());
    serde_path_to_error::deserialize(&sent).map_err(|fault| refusal::<T>(&fault, &sent))
}

pub fn query<T: DeserializeOwned>(uri: &Uri) -> Result<T> {
    axum::extract::Query::try_from_uri(uri).map(|axum::extract::Query(read)| read).map_err(|rejection| {
        // axum says `Failed to deserialize query string: NAME: why`, or without a name what is missing.
        let text = rejection.body_text();
        let why = text.split_once(": ").map_or("", |(_, why)| why);
        if let Some(name) = named(why, MISSING) {
            Error::invalid(name.to_owned(), format!("Nedostaje parametar „{name}”."))
        } else if let Some(name) = named(why, DUPLICATE) {
            Error::invalid(name.to_owned(), format!("Parametar „{name}” je naveden dvaput."))
        } else {
            let name = why.split_once(": ").and_then(|(name, _)| told(name));
            name.map_or_else(|| Error::malformed(BAD_QUERY), wrong_parameter)
        }
    })
}

pub fn wrong_parameter(name: &str) -> Error {
    Error::invalid(name.to_owned(), format!("Parametar „{name}” nije ispravan."))
}

fn refusal<T: DeserializeOwned>(fault: &serde_path_to_error::Error<serde_json::Error>, sent: &Value) -> Error {
    let path = fault.path().to_string();
    let path = told(&path);
    let why = fault.inner().to_string();
    let within = |name: &str| path.map_or_else(|| name.to_owned(), |path| format!("{path}.{name}"));
    let (name, message) = if let Some(name) = named(&why, MISSING).map(within) {
        let message = format!("Nedostaje polje „{name}”.");
        (name, message)
    } else if let Some(name) = named(&why, DUPLICATE).map(within) {
        let message = format!("Polje „{name}” je navedeno dvaput.");
        (name, message)
    } else if let Some(name) = path.map(str::to_owned).or_else(|| flattened::<T>(fault.inner(), sent)) {
        let message = format!("Vrednost polja „{name}” nije ispravna.");
        (name, message)
    } else {
        return Error::malformed(BAD_BODY);
    };
    Error::invalid(name, message)
}

/// Of a structure within another (`flatten`) serde names no field: it is the one without which the rest is read, or fails otherwise. A
/// field of the outer structure is none: serde would have named it.
fn flattened<T: DeserializeOwned>(fault: &serde_json::Error, sent: &Value) -> Option<String> {
    let (fault, sent) = (reason(fault), sent.as_object()?);
    let without = |name: &String| {
        let mut rest = sent.clone();
        rest.remove(name);
        serde_json::from_value::<T>(Value::Object(rest)).err().map(|other| reason(&other))
    };
    let is_outer = |name: &String| {
        let mut odd = sent.clone();
        odd.insert(name.clone(), json!([[]]));
        let fault = serde_path_to_error::deserialize::<_, T>(&Value::Object(odd)).err();
        fault.is_some_and(|fault| fault.path().to_string() == *name)
    };
    let mut needed = Vec::new();
    for name in sent.keys().filter(|name| !is_outer(name)) {
        match without(name) {
            Some(other) if other == fault => {}
            Some(other) if named(&other, MISSING) == Some(name) => needed.push(name),
            _ => return told(name).map(str::to_owned),
        }
    }
    if let [only] = needed[..] { told(only).map(str::to_owned) } else { None }
}

/// Without the place in the text, which differs where something was left out.
fn reason(fault: &serde_json::Error) -> String {
    let text = fault.to_string();
    text.split_once(" at line ").map_or(text.as_str(), |(reason, _)| reason).to_owned()
}

fn named<'a>(text: &'a str, before: &str) -> Option<&'a str> {
    text.strip_prefix(before)?.split_once('`').and_then(|(name, _)| told(name))
}

/// A name or a path of names; anything else may be what somebody wrote.
fn told(name: &str) -> Option<&str> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_-.[]".contains(c);
    (name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '[')
        && name.len() <= NAME_LETTERS
        && name.chars().all(is_name))
    .then_some(name)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use serde::{Deserialize, Serialize};

    use super::*;

    #[derive(Debug, Deserialize, Serialize)]
    struct Visit {
        pacijent: i64,
        #[serde(default)]
        polja: Vec<Place>,
        #[serde(default)]
        vrednosti: HashMap<String, bool>,
        #[serde(flatten)]
        person: Person,
    }

    #[derive(Debug, Deserialize, Serialize)]
    struct Marks {
        vrednosti: HashMap<String, bool>,
    }

    #[derive(Debug, Deserialize, Serialize)]
    struct Place {
        redosled: i32,
    }

    #[derive(Debug, Deserialize, Serialize)]
    struct Person {
        ime: String,
        broj: Option<i32>,
    }

    #[derive(Debug, Deserialize, Serialize)]
    struct Page {
        page: i64,
        #[serde(default)]
        size: Option<i64>,
    }

    fn refused<T: std::fmt::Debug>(read: Result<T>) -> (Option<String>, String) {
        match read.unwrap_err() {
            Error::Invalid { field, message } => (field.map(Into::into), message.into_owned()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_body_is_refused_by_the_place_of_what_does_not_fit() {
        let said = |sent: Value| refused(body::<Visit>(sent.to_string().as_bytes()));
        let wrong = |name: &str| (Some(name.to_owned()), format!("Vrednost polja „{name}” nije ispravna."));
        let absent = |name: &str| (Some(name.to_owned()), format!("Nedostaje polje „{name}”."));
        let whole = json!({ "pacijent": 1, "polja": [{ "redosled": 1 }], "vrednosti": { "7": true }, "ime": "Petar", "broj": 2 });
        assert_eq!(json!(body::<Visit>(whole.to_string().as_bytes()).unwrap()), whole);
        assert_eq!(said(json!({ "pacijent": "Petar", "ime": "Petar" })), wrong("pacijent"));
        assert_eq!(said(json!({ "ime": "Petar" })), absent("pacijent"));
        assert_eq!(
            said(json!({ "pacijent": 1, "ime": "Petar", "polja": [{ "redosled": 1 }, { "redosled": "Petar" }] })),
            wrong("polja[1].redosled")
        );
        assert_eq!(said(json!({ "pacijent": 1, "ime": "Petar", "polja": [{}] })), absent("polja[0].redosled"));
        assert_eq!(said(json!({ "pacijent": 1, "ime": "Petar", "broj": "Petar" })), wrong("broj"), "of a structure within");
        assert_eq!(said(json!({ "pacijent": 1, "ime": 5 })), wrong("ime"));
        assert_eq!(said(json!({ "pacijent": 1 })), absent("ime"));
    }

    #[test]
    fn nothing_that_somebody_wrote_is_quoted() {
        let whole = (None, BAD_BODY.to_owned());
        assert_eq!(refused(body::<Visit>(br#""Petar""#)), whole);
        let named = refused(body::<Marks>(r#"{"vrednosti":{"Petar Petrović":1}}"#.as_bytes()));
        assert_eq!(named, whole, "a name of a field is a word");
        assert_eq!(refused(body::<Visit>(b"{\"pacijent\":")), (None, NO_JSON.to_owned()));
        assert_eq!(refused(body::<Page>(b"{\"page\":1} Petar")), (None, NO_JSON.to_owned()));
    }

    #[test]
    fn a_query_is_refused_by_its_parameter() {
        let said = |query: &str| refused(self::query::<Page>(&format!("/api/x?{query}").parse().unwrap()));
        let wrong = |name: &str| (Some(name.to_owned()), format!("Parametar „{name}” nije ispravan."));
        assert_eq!(said("page=Petar"), wrong("page"));
        assert_eq!(said("page=1&size=Petar"), wrong("size"));
        assert_eq!(said("size=1"), (Some("page".to_owned()), "Nedostaje parametar „page”.".to_owned()));
        assert_eq!(said("page=1&page=2"), (Some("page".to_owned()), "Parametar „page” je naveden dvaput.".to_owned()));
    }
}
