//! A JSON merge patch (RFC 7396) of a record, read into what the resource takes.

use platform::error::{Error, Result};
use serde::Serialize;
use serde_json::{Map, Value};

/// The record's fields as the client sees them.
pub fn fields(record: &impl Serialize) -> Result<Map<String, Value>> {
    match serde_json::to_value(record).map_err(anyhow::Error::from)? {
        Value::Object(fields) => Ok(fields),
        _ => Err(Error::Internal(anyhow::anyhow!("a record is not a JSON object"))),
    }
}

/// The fields with the patch in them: null removes a value, any other value replaces it.
pub fn merged(mut fields: Map<String, Value>, patch: Map<String, Value>) -> Map<String, Value> {
    for (name, value) in patch {
        if value.is_null() {
            fields.remove(&name);
        } else {
            fields.insert(name, value);
        }
    }
    fields
}

/// Whoever sends the version that was loaded changes that version only.
pub fn is_stale(patch: &Map<String, Value>, verzija: i32) -> bool {
    patch.get("verzija").and_then(Value::as_i64).is_some_and(|loaded| loaded != i64::from(verzija))
}

#[cfg(test)]
mod tests {
    use platform::reading::fields_of_body as read;
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Deserialize, Serialize, Debug, PartialEq)]
    #[serde(default)]
    #[derive(Default)]
    struct Record {
        naziv: String,
        broj: Option<i32>,
    }

    fn object(value: Value) -> Map<String, Value> {
        value.as_object().cloned().expect("an object")
    }

    #[test]
    fn a_patch_changes_what_it_names_and_null_clears() {
        let record = Record { naziv: "a".into(), broj: Some(1) };
        let changed: Record = read(merged(fields(&record).unwrap(), object(json!({"broj": null, "nepoznato": 1})))).unwrap();
        assert_eq!(changed, Record { naziv: "a".into(), broj: None });
        let changed: Record = read(merged(fields(&record).unwrap(), object(json!({"naziv": "b"})))).unwrap();
        assert_eq!(changed, Record { naziv: "b".into(), broj: Some(1) });
    }

    #[test]
    fn a_value_of_the_wrong_kind_is_refused_by_its_name() {
        let refused = read::<Record>(object(json!({"naziv": "a", "broj": "mnogo"}))).unwrap_err();
        assert!(matches!(refused, Error::Invalid { field: Some(field), .. } if field == "broj"));
    }

    #[test]
    fn only_another_version_is_stale() {
        assert!(!is_stale(&object(json!({})), 3));
        assert!(!is_stale(&object(json!({"verzija": 3})), 3));
        assert!(is_stale(&object(json!({"verzija": 2})), 3));
    }
}
