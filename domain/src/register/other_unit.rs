//! Another unit in which a number may be typed. What is stored is in the type's own unit (`entry::units`).

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{refusal::Refusal, text};

/// What is typed in it times `cinilac` plus `pomeraj` is in the own unit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OtherUnit {
    #[serde(deserialize_with = "text::required")]
    pub jedinica: String,
    pub cinilac: f64,
    #[serde(default)]
    #[schema(required)]
    pub pomeraj: f64,
}

/// A number as it was typed, in a unit that is not the field's own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TypedIn {
    pub broj: f64,
    pub jedinica: String,
}

const MOST_UNITS: usize = 10;
const LONGEST: usize = 40;
/// Factors and offsets beyond this are a slip of the pen.
const LARGEST: f64 = 1e9;

/// What the other units of a type may not say.
pub fn refusals(own: Option<&str>, units: &[OtherUnit]) -> Option<Refusal> {
    let refuse = |message: &str| Some(Refusal::new("drugeJedinice", message.to_owned()));
    let own = own.map(str::trim).filter(|own| !own.is_empty());
    if units.is_empty() {
        return None;
    }
    let Some(own) = own else { return refuse("Druge jedinice ima samo tip koji ima svoju jedinicu.") };
    if units.len() > MOST_UNITS {
        return refuse("Tip može imati najviše 10 drugih jedinica.");
    }
    let mut met = BTreeSet::from([own]);
    for unit in units {
        let name = unit.jedinica.trim();
        if name.is_empty() || name.chars().count() > LONGEST {
            return refuse("Naziv druge jedinice ima od 1 do 40 znakova.");
        }
        if name.starts_with(|first: char| first.is_ascii_digit() || "+-−.,".contains(first)) {
            return refuse(&format!("Naziv jedinice „{name}” ne može početi cifrom ni znakom broja."));
        }
        if !met.insert(name) {
            return refuse(&format!("Jedinica „{name}” stoji više puta."));
        }
        if unit.cinilac == 0.0 || !(unit.cinilac.abs() <= LARGEST && unit.pomeraj.abs() <= LARGEST) {
            return refuse(&format!("Činilac jedinice „{name}” mora biti broj različit od nule, a pomeraj broj."));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_named_once_and_has_a_factor() {
        let unit = |jedinica: &str, cinilac: f64| OtherUnit { jedinica: jedinica.to_owned(), cinilac, pomeraj: 0.0 };
        let told = |own: Option<&str>, units: &[OtherUnit]| refusals(own, units).map(|refusal| refusal.message);
        assert_eq!(told(None, &[]), None);
        assert_eq!(told(Some("mmol/L"), &[unit("mg/dL", 0.02586)]), None);
        let none = "Druge jedinice ima samo tip koji ima svoju jedinicu.";
        assert_eq!(told(Some(" "), &[unit("mg/dL", 1.0)]).as_deref(), Some(none));
        assert_eq!(told(Some("g"), &[unit(" ", 1.0)]).as_deref(), Some("Naziv druge jedinice ima od 1 do 40 znakova."));
        assert_eq!(told(Some("g"), &[unit("g", 1.0)]).as_deref(), Some("Jedinica „g” stoji više puta."));
        assert_eq!(told(Some("g"), &[unit("2g", 1.0)]).as_deref(), Some("Naziv jedinice „2g” ne može početi cifrom ni znakom broja."));
        let zero = "Činilac jedinice „mg” mora biti broj različit od nule, a pomeraj broj.";
        assert_eq!(told(Some("g"), &[unit("mg", 0.0)]).as_deref(), Some(zero));
    }
}
