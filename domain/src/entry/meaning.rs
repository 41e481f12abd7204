//! What items and units mean, apart from how they are written. An item is known by its id and a unit by its text, until whoever renames one
//! says otherwise: that a unit is only spelt otherwise, or that an item of another name is another answer. The database keeps what was said
//! (`keep_meaning` in `migrations/functions/form.sql`), and each version of a form the meanings of its time. Nobody else compares names
//! or units of two versions (docs/decisions/0065-meaning-is-not-wording.md).

use super::form::{Choice, EntryField};

/// The unit in which a number is read; white space is none.
pub fn unit(field: &EntryField) -> Option<&str> {
    field.tip_atributa.jedinica.as_deref().map(str::trim).filter(|unit| !unit.is_empty())
}

/// What the unit of a field means; nothing where it has none.
pub fn unit_meaning(field: &EntryField) -> &str {
    field.tip_atributa.znacenje_jedinice.as_deref().unwrap_or_else(|| unit(field).unwrap_or_default())
}

/// Whether numbers of one field and of the other, or of a field in two versions, are in one unit.
pub fn same_unit(one: &EntryField, other: &EntryField) -> bool {
    unit_meaning(one) == unit_meaning(other)
}

/// Whether an item is the same answer in two versions, whatever it is called.
pub fn same_item(one: &Choice, other: &Choice) -> bool {
    one.id == other.id && one.znacenje == other.znacenje
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::form::FieldType;

    fn number(jedinica: &str, znacenje: Option<&str>) -> EntryField {
        let tip_atributa =
            FieldType { jedinica: Some(jedinica.to_owned()), znacenje_jedinice: znacenje.map(str::to_owned), ..FieldType::default() };
        EntryField { tip_atributa, ..EntryField::default() }
    }

    #[test]
    fn units_are_the_same_by_what_they_mean() {
        assert!(same_unit(&number("mg", None), &number(" mg ", None)));
        assert!(!same_unit(&number("mg", None), &number("g", None)));
        assert!(same_unit(&number("mg", None), &number("Mg", Some("mg"))), "only spelt otherwise");
        assert!(!same_unit(&number("mg", None), &number("mg", Some("mg (2)"))), "another one of the same text");
        assert!(same_unit(&number(" ", None), &EntryField::default()));
    }

    #[test]
    fn an_item_is_the_same_by_its_id_until_somebody_says_otherwise() {
        let item = |id, naziv: &str, znacenje: Option<&str>| Choice {
            id,
            naziv: naziv.to_owned(),
            znacenje: znacenje.map(str::to_owned),
            ..Choice::default()
        };
        assert!(same_item(&item(1, "Ne znam", None), &item(1, "Nepoznato", None)));
        assert!(!same_item(&item(1, "Ne znam", None), &item(2, "Ne znam", None)));
        assert!(!same_item(&item(1, "blag", None), &item(1, "težak", Some("težak"))));
    }
}
