//! Boxes to tick: a box that was shown and has no tick is answered with No. The dots of a picture are boxes too, but only of a picture
//! that was used (docs/decisions/0067-first-values-and-pictures-nobody-used.md).

use std::{
    collections::{BTreeMap, BTreeSet},
    iter,
};

use serde_json::Value;

use super::{field::EntryField, values::Values};
use crate::register::ValueType;

/// Choices that are a box to tick, and that whoever fills the form sees: unticked, they are answered with No. A box in a tab that waits
/// behind the plus is not known to have been seen, and a radio stays blank until one of its answers is chosen.
pub fn tick_boxes(fields: &[EntryField]) -> BTreeSet<i64> {
    let by_id = by_id(fields);
    let is_box = |field: &EntryField| is_entered_choice(field) && (field.ima_cek_box || !field.radio_button);
    let is_seen = |field: &EntryField| outers(&by_id, field).all(|outer| outer.prikazuje_se);
    fields.iter().filter(|field| is_box(field) && field.prikazuje_se && is_seen(field)).map(|field| field.id).collect()
}

/// Answers with No every box that was shown and left without a tick. Of a picture without an answer nobody knows whether it was looked at:
/// its dots stay blank.
pub fn untick(fields: &[EntryField], entered: &mut Values) {
    let unused: BTreeSet<i64> =
        pictures(fields).into_values().filter(|dots| !dots.iter().any(|dot| entered.contains_key(dot))).flatten().collect();
    for id in tick_boxes(fields).difference(&unused) {
        entered.entry(*id).or_insert(Value::Bool(false));
    }
}

/// The dots of each picture: choices that stand on it. Without an image they are drawn as other boxes are.
fn pictures(fields: &[EntryField]) -> BTreeMap<i64, Vec<i64>> {
    let has_image = |field: &&EntryField| {
        field.tva_num_vrednost == ValueType::Image && field.background_image.as_deref().is_some_and(|image| !image.is_empty())
    };
    let mut pictures: BTreeMap<i64, Vec<i64>> = fields.iter().filter(has_image).map(|field| (field.id, Vec::new())).collect();
    let is_placed = |field: &EntryField| field.image_coordinate_x.is_some() && field.image_coordinate_y.is_some();
    for dot in fields.iter().filter(|field| is_entered_choice(field) && is_placed(field)) {
        if let Some(dots) = dot.naredjeni_auts.and_then(|outer| pictures.get_mut(&outer)) {
            dots.push(dot.id);
        }
    }
    pictures
}

fn is_entered_choice(field: &EntryField) -> bool {
    field.tva_num_vrednost == ValueType::Choice && !field.is_calculated()
}

fn by_id(fields: &[EntryField]) -> BTreeMap<i64, &EntryField> {
    fields.iter().map(|field| (field.id, field)).collect()
}

/// The panels, pictures and tabs around a field, from the inside out.
pub(super) fn outers<'a>(fields: &BTreeMap<i64, &'a EntryField>, field: &EntryField) -> impl Iterator<Item = &'a EntryField> {
    let outer = |field: &EntryField| field.naredjeni_auts.and_then(|id| fields.get(&id).copied());
    iter::successors(outer(field), move |field| outer(field)).take(fields.len())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A picture with two dots, a picture without an image with one, and a box beside them.
    fn form() -> Vec<EntryField> {
        let shown = |id, tva_num_vrednost| EntryField { id, tva_num_vrednost, prikazuje_se: true, ..EntryField::default() };
        let dot = |id, picture| EntryField {
            naredjeni_auts: Some(picture),
            image_coordinate_x: Some(1.0),
            image_coordinate_y: Some(2.0),
            ima_cek_box: true,
            ..shown(id, ValueType::Choice)
        };
        let image = EntryField { background_image: Some("iVBOR".to_owned()), ..shown(1, ValueType::Image) };
        let in_words = EntryField { image_coordinate_x: None, ..dot(13, 1) };
        vec![image, shown(2, ValueType::Image), dot(11, 1), dot(12, 1), in_words, dot(21, 2), shown(31, ValueType::Choice)]
    }

    fn unticked(entered: &[(i64, bool)]) -> Value {
        let mut values: Values = entered.iter().map(|(id, value)| (*id, json!(value))).collect();
        untick(&form(), &mut values);
        json!(values)
    }

    #[test]
    fn dots_are_answered_with_no_once_their_picture_was_used() {
        let beside = json!({ "13": false, "21": false, "31": false });
        assert_eq!(unticked(&[]), beside, "nobody is known to have looked at the picture");
        assert_eq!(unticked(&[(12, true)]), json!({ "11": false, "12": true, "13": false, "21": false, "31": false }));
        assert_eq!(unticked(&[(11, false)]), json!({ "11": false, "12": false, "13": false, "21": false, "31": false }), "none of them");
        assert_eq!(unticked(&[(31, true)]), json!({ "13": false, "21": false, "31": true }), "another box is not the picture");
    }
}
