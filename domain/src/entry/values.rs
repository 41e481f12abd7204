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

/// Values as the database stores them.
pub fn to_json(values: &Values) -> Value {
    values.iter().map(|(id, value)| (id.to_string(), value.clone())).collect::<serde_json::Map<_, _>>().into()
}

/// The same answer, however it is written: a browser sends 5 where 5.0 is stored, and a set has no order.
pub fn alike(one: Option<&Value>, other: Option<&Value>) -> bool {
    match (one, other) {
        (Some(Value::Number(a)), Some(Value::Number(b))) => a == b || a.as_f64() == b.as_f64(),
        (Some(Value::Array(a)), Some(Value::Array(b))) => a.len() == b.len() && a.iter().all(|item| b.contains(item)),
        _ => one == other,
    }
}
