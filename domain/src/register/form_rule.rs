//! A rule of a form: where its condition holds, its message is told; as an error it refuses the save.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{refusal::Refusal, text};

/// Characters of a message: it is read beside a field.
pub const LONGEST_MESSAGE: usize = 300;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum RuleKind {
    /// Refuses the save.
    #[default]
    Greska,
    /// Is shown, and asks for nothing.
    Upozorenje,
}

impl RuleKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Greska => "greška",
            Self::Upozorenje => "upozorenje",
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct RuleProperties {
    /// A formula: the message is told where it is true. Where it is blank, what it asks of is not known, and nothing is told.
    #[serde(deserialize_with = "text::required")]
    pub uslov: String,
    #[serde(deserialize_with = "text::required")]
    pub poruka: String,
    pub vrsta: RuleKind,
    /// Code of the field beside which it is told; none: above the form.
    #[serde(deserialize_with = "text::optional")]
    pub polje: Option<String>,
}

impl RuleProperties {
    /// `holds_value`: whether the form has a field of this code that holds a value.
    pub fn refusals(&self, holds_value: impl Fn(&str) -> bool) -> Vec<Refusal> {
        let mut found = Vec::new();
        if self.uslov.is_empty() {
            found.push(Refusal::new("uslov", "Niste uneli uslov."));
        }
        if self.poruka.is_empty() {
            found.push(Refusal::new("poruka", "Niste uneli poruku."));
        }
        if self.poruka.chars().count() > LONGEST_MESSAGE {
            found.push(Refusal::new("poruka", format!("Poruka može imati najviše {LONGEST_MESSAGE} znakova.")));
        }
        if let Some(code) = self.polje.as_deref().filter(|code| !holds_value(code)) {
            found.push(Refusal::new("polje", format!("Formular nema polje sa vrednošću čija je šifra „{code}”.")));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_has_a_condition_a_message_and_a_field_that_is_there() {
        let named = |rule: serde_json::Value| {
            let rule: RuleProperties = serde_json::from_value(rule).unwrap();
            rule.refusals(|code| code == "puls").into_iter().map(|refusal| refusal.property).collect::<Vec<_>>()
        };
        assert_eq!(named(serde_json::json!({ "uslov": "$(puls) > 200", "poruka": "Proverite puls.", "polje": "puls" })), [""; 0]);
        assert_eq!(named(serde_json::json!({ "uslov": " ", "polje": "pritisak" })), ["uslov", "poruka", "polje"]);
        assert_eq!(named(serde_json::json!({ "uslov": "1", "poruka": "a".repeat(301) })), ["poruka"]);
    }
}
