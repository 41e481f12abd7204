//! What an attribute type (tip atributa) says of the values of its fields.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{OtherUnit, ValueType, other_unit, rules};
use crate::{
    attachment::{BAD_COUNT, BAD_SIZE, FileKind, FileLimits, MOST_FILES, MOST_MEGABYTES, NO_KIND},
    refusal::Refusal,
    text,
};

/// Decimals that a type may ask for; a double holds no more of any use.
const MOST_DECIMALS: i16 = 10;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct TypeProperties {
    #[serde(deserialize_with = "text::required")]
    pub naziv: String,
    #[serde(deserialize_with = "text::optional")]
    pub napomena: Option<String>,
    pub decimale_brojne_vrednosti: Option<i16>,
    #[schema(value_type = Option<f64>)]
    pub donja_granica_brojne_vrednosti: Option<Decimal>,
    #[schema(value_type = Option<f64>)]
    pub gornja_granica_brojne_vrednosti: Option<Decimal>,
    pub sirina: Option<i32>,
    pub visina: Option<i32>,
    #[serde(deserialize_with = "text::optional")]
    pub jedinica: Option<String>,
    /// Of a field with files. None: every kind that is known.
    pub vrste_fajlova: Option<Vec<FileKind>>,
    /// None: 5.
    pub najvise_fajlova: Option<i32>,
    /// None: as large as the installation allows.
    pub najvise_megabajta: Option<i32>,
    /// In which a number may be typed too.
    pub druge_jedinice: Vec<OtherUnit>,
}

impl TypeProperties {
    pub fn refusals(&self) -> Vec<Refusal> {
        let mut found: Vec<Refusal> = rules::unnamed(&self.naziv).into_iter().collect();
        if self.decimale_brojne_vrednosti.is_some_and(|count| !(0..=MOST_DECIMALS).contains(&count)) {
            found.push(Refusal::new("decimaleBrojneVrednosti", rules::BAD_DECIMALS));
        }
        if let (Some(low), Some(high)) = (self.donja_granica_brojne_vrednosti, self.gornja_granica_brojne_vrednosti)
            && low > high
        {
            found.push(Refusal::new("donjaGranicaBrojneVrednosti", rules::BAD_BOUNDS));
        }
        if self.vrste_fajlova.as_ref().is_some_and(Vec::is_empty) {
            found.push(Refusal::new("vrsteFajlova", NO_KIND));
        }
        if self.najvise_fajlova.is_some_and(|most| !(1..=MOST_FILES).contains(&most)) {
            found.push(Refusal::new("najviseFajlova", BAD_COUNT));
        }
        if self.najvise_megabajta.is_some_and(|most| !(1..=MOST_MEGABYTES).contains(&most)) {
            found.push(Refusal::new("najviseMegabajta", BAD_SIZE));
        }
        found.extend(other_unit::refusals(self.jedinica.as_deref(), &self.druge_jedinice));
        found
    }

    /// What a type of this kind of value may not say.
    pub fn refusals_of(&self, kind: ValueType) -> Option<Refusal> {
        let wrong = kind != ValueType::Number && !self.druge_jedinice.is_empty();
        wrong.then(|| Refusal::new("drugeJedinice", "Druge jedinice ima samo brojni tip."))
    }

    /// What a field of it takes, where it holds files.
    pub fn file_limits(&self) -> FileLimits {
        let Self { vrste_fajlova, najvise_fajlova, najvise_megabajta, .. } = self.clone();
        FileLimits { vrste_fajlova, najvise_fajlova, najvise_megabajta }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_refusal_names_its_property() {
        let named = |properties| {
            let properties: TypeProperties = serde_json::from_value(properties).unwrap();
            properties.refusals().into_iter().map(|refusal| refusal.property).collect::<Vec<_>>()
        };
        assert_eq!(
            named(
                json!({ "naziv": "Puls", "decimaleBrojneVrednosti": 10, "donjaGranicaBrojneVrednosti": 1, "gornjaGranicaBrojneVrednosti": 1 })
            ),
            [""; 0]
        );
        assert_eq!(named(json!({ "naziv": "" })), ["naziv"]);
        assert_eq!(named(json!({ "naziv": "Puls", "decimaleBrojneVrednosti": 11 })), ["decimaleBrojneVrednosti"]);
        assert_eq!(
            named(json!({ "naziv": "Puls", "donjaGranicaBrojneVrednosti": 2, "gornjaGranicaBrojneVrednosti": 1 })),
            ["donjaGranicaBrojneVrednosti"]
        );
        let files = |kinds: serde_json::Value, count: i32, size: i32| {
            named(json!({ "naziv": "Nalaz", "vrsteFajlova": kinds, "najviseFajlova": count, "najviseMegabajta": size }))
        };
        assert_eq!(files(json!(["pdf", "png"]), 20, 50), [""; 0]);
        assert_eq!(files(json!([]), 21, 51), ["vrsteFajlova", "najviseFajlova", "najviseMegabajta"]);
    }
}
