//! Values of an entry as the database keeps them.

use std::collections::BTreeMap;

use serde_json::Value;

/// Values by field id; a blank one is absent.
pub type Values = BTreeMap<i64, Value>;

/// Stored values by field id; keys that are no ids are not ours.
pub fn from_json(stored: &Value) -> Values {
    let pairs = stored.as_object().into_iter().flatten();
    pairs.filter(|(_, value)| !value.is_null()).filter_map(|(id, value)| Some((id.parse().ok()?, value.clone()))).collect()
}
