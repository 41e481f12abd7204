//! A part of a file that remembers what was read of it. What nobody read is told, so nothing is called carried that was not.

use std::{cell::RefCell, collections::HashSet};

use rust_decimal::Decimal;
use serde_json::Value;

/// The values that were read, by their place in memory: the file stays where it is while it is read.
#[derive(Default)]
pub struct Marks(RefCell<HashSet<*const Value>>);

impl Marks {
    fn is_read(&self, value: &Value) -> bool {
        self.0.borrow().contains(&std::ptr::from_ref(value))
    }

    fn is_touched(&self, value: &Value) -> bool {
        self.is_read(value)
            || match value {
                Value::Object(members) => members.values().any(|member| self.is_touched(member)),
                Value::Array(list) => list.iter().any(|one| self.is_touched(one)),
                _ => false,
            }
    }
}

#[derive(Clone, Copy)]
pub struct Element<'a> {
    value: &'a Value,
    marks: &'a Marks,
}

/// Something that nobody read: where it stands within the element, and what it is.
pub struct UnreadValue<'a> {
    pub path: String,
    pub name: String,
    pub value: &'a Value,
}

impl<'a> Element<'a> {
    pub fn new(value: &'a Value, marks: &'a Marks) -> Self {
        Self { value, marks }
    }

    pub fn raw(self) -> &'a Value {
        self.value
    }

    pub fn is_there(self) -> bool {
        !self.value.is_null()
    }

    pub fn at(self, name: &str) -> Self {
        Self { value: &self.value[name], marks: self.marks }
    }

    /// Reads it whole.
    pub fn take(self) {
        self.marks.0.borrow_mut().insert(std::ptr::from_ref(self.value));
    }

    fn taken<T>(self, found: Option<T>) -> Option<T> {
        if found.is_some() {
            self.take();
        }
        found
    }

    pub fn text(self) -> Option<&'a str> {
        self.taken(self.value.as_str())
    }

    pub fn flag(self) -> Option<bool> {
        self.taken(self.value.as_bool())
    }

    pub fn whole(self) -> Option<i64> {
        self.taken(self.value.as_i64())
    }

    pub fn number(self) -> Option<Decimal> {
        self.taken(number(self.value))
    }

    pub fn each(self) -> impl Iterator<Item = Self> {
        self.value.as_array().into_iter().flatten().map(move |value| Self { value, marks: self.marks })
    }

    pub fn members(self) -> impl Iterator<Item = (&'a str, Self)> {
        let member = move |(name, value): (&'a String, &'a Value)| (name.as_str(), Self { value, marks: self.marks });
        self.value.as_object().into_iter().flatten().map(member)
    }

    /// The extensions of this kind.
    pub fn extensions(self, url: &str) -> impl Iterator<Item = Self> {
        self.at("extension").each().filter(move |one| one.value["url"] == url)
    }

    /// The value of the first extension of this kind, whatever its type; a null where there is none.
    pub fn extension(self, url: &str) -> Self {
        self.extensions(url).next().map_or(Self { value: &Value::Null, marks: self.marks }, Self::value)
    }

    /// `value[x]` of an extension, an answer or an option.
    pub fn value(self) -> Self {
        self.starting("value")
    }

    /// The member whose name begins so: FHIR says a value's type in its name.
    pub fn starting(self, prefix: &str) -> Self {
        let found = self.members().find(|(name, _)| name.starts_with(prefix));
        found.map_or(Self { value: &Value::Null, marks: self.marks }, |(_, element)| element)
    }

    /// What nobody read, but for the members with these names; a thing of which nothing was read is told whole.
    pub fn unread(self, but: &[&str]) -> Vec<UnreadValue<'a>> {
        let mut found = Vec::new();
        for (name, element) in self.members().filter(|(name, _)| *name != "id" && !but.contains(name)) {
            collect(element, name, name, &mut found);
        }
        found
    }
}

fn collect<'a>(element: Element<'a>, path: &str, name: &str, found: &mut Vec<UnreadValue<'a>>) {
    let Element { value, marks } = element;
    if value.is_null() || marks.is_read(value) {
        return;
    }
    let is_extension = ["extension", "modifierExtension"].contains(&name);
    match value {
        Value::Array(list) if is_extension || marks.is_touched(value) => {
            for (at, one) in list.iter().enumerate() {
                collect(Element { value: one, marks }, &format!("{path}[{at}]"), if is_extension { "[]" } else { name }, found);
            }
        }
        Value::Object(_) if marks.is_touched(value) => {
            // An extension's address says what was read.
            let said = |member: &str| member == "id" || (name == "[]" && member == "url");
            for (member, inner) in element.members().filter(|(member, _)| !said(member)) {
                collect(inner, &format!("{path}.{member}"), member, found);
            }
        }
        _ => found.push(UnreadValue { path: path.to_owned(), name: name.to_owned(), value }),
    }
}

/// As it is written, with no digit lost.
pub fn number(value: &Value) -> Option<Decimal> {
    let text = value.as_number()?.to_string();
    text.parse().ok().or_else(|| Decimal::from_scientific(&text).ok())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_nobody_read_is_told_at_its_place() {
        let file = json!({
            "id": "x", "text": "A", "maxLength": 5, "required": null,
            "extension": [{ "url": "u:1", "valueInteger": 1 }, { "url": "u:2", "valueInteger": 2 }],
            "answerOption": [{ "valueCoding": { "code": "a", "system": "s" } }, { "valueCoding": { "code": "b" } }],
            "code": [{ "code": "c" }],
        });
        let marks = Marks::default();
        let element = Element::new(&file, &marks);
        assert_eq!(element.at("text").text(), Some("A"));
        assert_eq!(element.extension("u:1").whole(), Some(1));
        assert_eq!(element.at("maxLength").text(), None, "what could not be read is not read");
        for option in element.at("answerOption").each() {
            option.value().at("code").text();
        }
        let mut told: Vec<String> = element.unread(&[]).into_iter().map(|one| format!("{} {}", one.path, one.value)).collect();
        told.sort();
        assert_eq!(
            told,
            [
                r#"answerOption[0].valueCoding.system "s""#,
                r#"code [{"code":"c"}]"#,
                r#"extension[1] {"url":"u:2","valueInteger":2}"#,
                "maxLength 5"
            ]
        );
    }
}
