//! The answers of an entry in words: as the screen says them, in Serbian.

use domain::entry::{
    form::{CHOICE, DATE, EntryField, NUMBER, SET, TAB, TEXT},
    outline::Part,
};
use domain::time::date_text;
use jiff::civil::Date;
use rust_decimal::{Decimal, prelude::FromPrimitive};
use serde_json::Value;

use crate::render::{
    entry::{EntryChart, EntryPart, Reference},
    text::push_decimal,
};

/// The parts one after another, groups as headings before theirs.
pub fn parts(outline: &[Part<'_>], charts: &[(i64, EntryChart)]) -> Vec<EntryPart> {
    let mut parts = Vec::new();
    tell(outline, charts, 1, &mut parts);
    parts
}

fn tell(outline: &[Part<'_>], charts: &[(i64, EntryChart)], level: u8, parts: &mut Vec<EntryPart>) {
    for part in outline {
        match part {
            Part::Heading(field) => parts.push(EntryPart::Heading { level: 3, text: field.naziv.clone() }),
            Part::Separator(_) => parts.push(EntryPart::Rule),
            Part::Chart(field) => {
                parts.extend(charts.iter().filter(|(id, _)| *id == field.id).map(|(_, chart)| EntryPart::Chart(chart.clone())));
            }
            Part::Group { field, parts: inside } => {
                let own = if field.tva_num_vrednost == TAB { level } else { level.max(2) };
                parts.push(EntryPart::Heading { level: own.min(3), text: field.naziv.clone() });
                tell(inside, charts, own + 1, parts);
            }
            Part::Image { field, marked } => {
                let names: Vec<&str> = marked.iter().map(|dot| dot.naziv.as_str()).collect();
                parts.extend(answer(field, (!names.is_empty()).then(|| names.join("; ")), None));
            }
            Part::Answer { field, value } => {
                parts.extend(answer(field, value.and_then(|value| shown(field, value)), value.and_then(Value::as_f64)));
            }
        }
    }
}

/// Nothing where neither label nor value would be printed.
fn answer(field: &EntryField, value: Option<String>, number: Option<f64>) -> Option<EntryPart> {
    let label = field.ispisuje_se_labela.then(|| field.naziv.clone());
    if label.is_none() && value.is_none() {
        return None;
    }
    Some(EntryPart::Answer { label, value, reference: reference(field, number) })
}

/// A value as a reader sees it; one that does not fit its field's type is none.
fn shown(field: &EntryField, value: &Value) -> Option<String> {
    let text = match (field.tva_num_vrednost, value) {
        (CHOICE, Value::Bool(yes)) => if *yes { "Da" } else { "Ne" }.to_owned(),
        (NUMBER, Value::Number(number)) => with_unit(field, number_text(field, number.as_f64()?)),
        (TEXT, Value::String(text)) => with_unit(field, text.trim_end().to_owned()),
        (SET, Value::Array(chosen)) => {
            let is_chosen = |id: i64| chosen.iter().any(|item| item.as_i64() == Some(id));
            let names: Vec<&str> = field.enum_stavke_sve.iter().filter(|item| is_chosen(item.id)).map(|item| item.naziv.as_str()).collect();
            names.join(if field.vertikalni_prikaz { "\n" } else { "; " })
        }
        (DATE, Value::String(text)) => date_text(text.parse::<Date>().ok()?),
        _ => return None,
    };
    (!text.trim().is_empty()).then_some(text)
}

fn with_unit(field: &EntryField, text: String) -> String {
    match field.tip_atributa.jedinica.as_deref().map(str::trim).filter(|unit| !unit.is_empty()) {
        Some(unit) => format!("{text} {unit}"),
        None => text,
    }
}

/// A calculated number has two decimals, or none where it is whole; an entered one stays as it was entered.
fn number_text(field: &EntryField, number: f64) -> String {
    let mut text = String::new();
    match Decimal::from_f64(number) {
        Some(decimal) if field.is_calculated() => push_decimal(&mut text, decimal, if number.fract() == 0.0 { 0 } else { 2 }, true),
        _ => text = plain(number),
    }
    text
}

fn plain(number: f64) -> String {
    number.to_string().replace('.', ",")
}

/// The usual range of a number, with the side on which a value lies outside it.
fn reference(field: &EntryField, number: Option<f64>) -> Option<Reference> {
    let (low, high) = (field.donja_referentna_brojna_vrednost, field.gornja_referentna_brojna_vrednost);
    let range = match (low, high) {
        _ if field.tva_num_vrednost != NUMBER => return None,
        (None, None) => return None,
        (Some(low), Some(high)) => format!("{} – {}", plain(low), plain(high)),
        (Some(low), None) => format!("od {}", plain(low)),
        (None, Some(high)) => format!("do {}", plain(high)),
    };
    let below = number.zip(low).is_some_and(|(number, low)| number < low);
    let above = number.zip(high).is_some_and(|(number, high)| number > high);
    let text = match (below, above) {
        (true, _) => format!("↓ van referentnih ({range})"),
        (_, true) => format!("↑ van referentnih ({range})"),
        _ => format!("ref. {range}"),
    };
    Some(Reference { text, outside: below || above })
}

#[cfg(test)]
mod tests {
    use domain::entry::form::{Choice, FieldType};
    use serde_json::json;

    use super::*;

    fn field(kind: i16) -> EntryField {
        EntryField { naziv: "Polje".to_owned(), tva_num_vrednost: kind, ispisuje_se_labela: true, ..EntryField::default() }
    }

    fn measured(unit: &str) -> EntryField {
        EntryField { tip_atributa: FieldType { jedinica: Some(unit.to_owned()), ..FieldType::default() }, ..field(NUMBER) }
    }

    #[test]
    fn values_are_told_by_their_type() {
        assert_eq!(shown(&field(CHOICE), &json!(true)).as_deref(), Some("Da"));
        assert_eq!(shown(&field(CHOICE), &json!(false)).as_deref(), Some("Ne"));
        assert_eq!(shown(&field(DATE), &json!("2026-03-05")).as_deref(), Some("05.03.2026."));
        assert_eq!(shown(&field(TEXT), &json!("prvi red\ndrugi\n")).as_deref(), Some("prvi red\ndrugi"));
        assert_eq!(shown(&field(DATE), &json!(true)), None);
    }

    #[test]
    fn numbers_keep_what_was_entered_and_calculated_ones_have_two_decimals() {
        assert_eq!(shown(&measured("mm/h"), &json!(7.25)).as_deref(), Some("7,25 mm/h"));
        assert_eq!(shown(&measured("godina"), &json!(2024)).as_deref(), Some("2024 godina"));
        let calculated = EntryField { formula_za_racunanje: Some(json!({})), ..field(NUMBER) };
        assert_eq!(shown(&calculated, &json!(3.4)).as_deref(), Some("3,40"));
        assert_eq!(shown(&calculated, &json!(12)).as_deref(), Some("12"));
    }

    #[test]
    fn chosen_items_are_told_in_the_order_of_the_set_and_below_each_other_where_the_field_is_vertical() {
        let item = |id: i64, naziv: &str| Choice { id, naziv: naziv.to_owned(), num_vrednost: 0.0, aktivan: id != 2 };
        let mut set = EntryField { enum_stavke_sve: vec![item(1, "prva"), item(2, "druga, ukinuta"), item(3, "treća")], ..field(SET) };
        assert_eq!(shown(&set, &json!([3, 2])).as_deref(), Some("druga, ukinuta; treća"));
        set.vertikalni_prikaz = true;
        assert_eq!(shown(&set, &json!([1, 3])).as_deref(), Some("prva\ntreća"));
    }

    #[test]
    fn a_number_outside_its_range_is_marked_with_the_side() {
        let ranged =
            EntryField { donja_referentna_brojna_vrednost: Some(3.9), gornja_referentna_brojna_vrednost: Some(6.0), ..field(NUMBER) };
        let told = |number| reference(&ranged, number).map(|reference| (reference.text, reference.outside)).unwrap();
        assert_eq!(told(Some(5.0)), ("ref. 3,9 – 6".to_owned(), false));
        assert_eq!(told(None), ("ref. 3,9 – 6".to_owned(), false));
        assert_eq!(told(Some(3.0)), ("↓ van referentnih (3,9 – 6)".to_owned(), true));
        assert_eq!(told(Some(7.0)), ("↑ van referentnih (3,9 – 6)".to_owned(), true));
    }

    #[test]
    fn a_field_without_a_printed_label_is_told_by_its_value_alone() {
        let quiet = EntryField { ispisuje_se_labela: false, ..field(TEXT) };
        assert!(answer(&quiet, None, None).is_none());
        assert!(matches!(answer(&quiet, Some("tekst".to_owned()), None), Some(EntryPart::Answer { label: None, value: Some(_), .. })));
    }
}
