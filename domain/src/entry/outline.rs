//! What an entry shows, in the order of the screen: fields, then tabs; hidden parts left out, and groups in which nothing is filled.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;

use super::{form::EntryField, values::Values};
use crate::register::ValueType;

/// One part of an entry.
#[derive(Clone, Debug)]
pub enum Part<'a> {
    Answer {
        field: &'a EntryField,
        value: Option<&'a Value>,
    },
    Heading(&'a EntryField),
    Separator(&'a EntryField),
    Chart(&'a EntryField),
    /// A picture with its marked dots; none: it was not used.
    Image {
        field: &'a EntryField,
        marked: Option<Vec<&'a EntryField>>,
    },
    /// A section that repeats, with its rows.
    Table {
        field: &'a EntryField,
        rows: &'a Value,
    },
    /// A tab or a panel with what lies in it.
    Group {
        field: &'a EntryField,
        parts: Vec<Part<'a>>,
    },
}

/// The parts of an entry. `hidden` are the fields that display formulas hide; `drawn` are the charts that have something to show.
pub fn outline<'a>(fields: &'a [EntryField], values: &'a Values, hidden: &'a BTreeSet<i64>, drawn: &'a BTreeSet<i64>) -> Vec<Part<'a>> {
    let known: BTreeSet<i64> = fields.iter().map(|field| field.id).collect();
    let mut inside: HashMap<Option<i64>, Vec<&EntryField>> = HashMap::new();
    for field in fields {
        inside.entry(field.naredjeni_auts.filter(|parent| known.contains(parent))).or_default().push(field);
    }
    for siblings in inside.values_mut() {
        siblings.sort_by_key(|field| (field.redosled, field.id));
    }
    Outliner { inside, values, hidden, drawn }.parts(None)
}

struct Outliner<'a> {
    /// Fields by the tab, panel or image that they lie in; one whose parent is gone lies at the top.
    inside: HashMap<Option<i64>, Vec<&'a EntryField>>,
    values: &'a Values,
    hidden: &'a BTreeSet<i64>,
    drawn: &'a BTreeSet<i64>,
}

impl<'a> Outliner<'a> {
    fn children(&self, of: Option<i64>) -> &[&'a EntryField] {
        self.inside.get(&of).map_or(&[], Vec::as_slice)
    }

    /// Fields come before tabs, as on the screen.
    fn parts(&self, of: Option<i64>) -> Vec<Part<'a>> {
        let (tabs, rest): (Vec<&EntryField>, Vec<&EntryField>) =
            self.children(of).iter().partition(|field| field.tva_num_vrednost == ValueType::Tab);
        let mut parts = Vec::new();
        for field in rest.into_iter().filter(|field| self.is_shown(field)) {
            self.part(field, &mut parts);
        }
        // A tab that is hidden until the plus tab reveals it is shown where it holds a value.
        for tab in tabs.into_iter().filter(|tab| !self.hidden.contains(&tab.id)) {
            self.group(tab, &mut parts);
        }
        parts
    }

    fn is_shown(&self, field: &EntryField) -> bool {
        field.prikazuje_se && !self.hidden.contains(&field.id)
    }

    fn part(&self, field: &'a EntryField, parts: &mut Vec<Part<'a>>) {
        match field.tva_num_vrednost {
            ValueType::Heading => parts.push(Part::Heading(field)),
            ValueType::Separator => parts.push(Part::Separator(field)),
            ValueType::Panel if field.is_section() => {
                parts.extend(self.values.get(&field.id).map(|rows| Part::Table { field, rows }));
            }
            ValueType::Panel => self.group(field, parts),
            ValueType::Chart if self.drawn.contains(&field.id) => parts.push(Part::Chart(field)),
            ValueType::Image => self.image(field, parts),
            _ if field.holds_value() => parts.push(Part::Answer { field, value: self.values.get(&field.id) }),
            _ => {}
        }
    }

    fn group(&self, field: &'a EntryField, parts: &mut Vec<Part<'a>>) {
        let inside = self.parts(Some(field.id));
        if inside.iter().any(Part::is_filled) {
            parts.push(Part::Group { field, parts: inside });
        }
    }

    /// The dots of a picture are choices with a place on it; whatever else lies in it follows it.
    fn image(&self, field: &'a EntryField, parts: &mut Vec<Part<'a>>) {
        let has_picture = field.background_image.as_deref().is_some_and(|source| !source.is_empty());
        let is_dot = |inner: &&EntryField| {
            has_picture
                && inner.tva_num_vrednost == ValueType::Choice
                && inner.image_coordinate_x.is_some()
                && inner.image_coordinate_y.is_some()
        };
        let (dots, rest): (Vec<&EntryField>, Vec<&EntryField>) =
            self.children(Some(field.id)).iter().copied().filter(|inner| self.is_shown(inner)).partition(is_dot);
        if !dots.is_empty() {
            let is_marked = |dot: &&EntryField| self.values.get(&dot.id) == Some(&Value::Bool(true));
            let is_used = dots.iter().any(|dot| self.values.contains_key(&dot.id));
            parts.push(Part::Image { field, marked: is_used.then(|| dots.into_iter().filter(is_marked).collect()) });
        }
        for inner in rest {
            self.part(inner, parts);
        }
    }
}

impl Part<'_> {
    /// Whether something was entered here, or is drawn.
    fn is_filled(&self) -> bool {
        match self {
            Part::Answer { value, .. } => value.is_some(),
            Part::Image { marked, .. } => marked.is_some(),
            Part::Chart(_) => true,
            // Kept only because it is filled.
            Part::Group { .. } | Part::Table { .. } => true,
            Part::Heading(_) | Part::Separator(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn field(id: i64, kind: ValueType, parent: Option<i64>) -> EntryField {
        EntryField {
            id,
            naziv: format!("f{id}"),
            redosled: i32::try_from(id).unwrap(),
            tva_num_vrednost: kind,
            naredjeni_auts: parent,
            prikazuje_se: true,
            ..EntryField::default()
        }
    }

    /// `12(3 4=)`: ids, groups with what lies in them, `=` where there is a value.
    fn told(parts: &[Part<'_>]) -> String {
        let one = |part: &Part<'_>| match part {
            Part::Answer { field, value } => format!("{}{}", field.id, if value.is_some() { "=" } else { "" }),
            Part::Table { field, .. } => format!("{}=", field.id),
            Part::Group { field, parts } => format!("{}({})", field.id, told(parts)),
            Part::Image { field, marked } => {
                format!("{}*{}", field.id, marked.as_ref().map_or("-".to_owned(), |dots| dots.len().to_string()))
            }
            Part::Heading(field) | Part::Separator(field) | Part::Chart(field) => field.id.to_string(),
        };
        parts.iter().map(one).collect::<Vec<_>>().join(" ")
    }

    fn shown(fields: &[EntryField], filled: &[i64], hidden: &[i64]) -> String {
        let values: Values = filled.iter().map(|id| (*id, json!(true))).collect();
        let hidden = hidden.iter().copied().collect();
        let drawn = fields.iter().filter(|field| field.tva_num_vrednost == ValueType::Chart).map(|field| field.id).collect();
        told(&outline(fields, &values, &hidden, &drawn))
    }

    #[test]
    fn fields_stand_before_tabs_and_blank_ones_stay_beside_filled_ones() {
        let fields = [
            field(1, ValueType::Tab, None),
            field(2, ValueType::Choice, Some(1)),
            field(3, ValueType::Choice, Some(1)),
            field(4, ValueType::Choice, None),
        ];
        assert_eq!(shown(&fields, &[3], &[]), "4 1(2 3=)");
    }

    #[test]
    fn groups_in_which_nothing_is_filled_are_left_out_however_deep() {
        let fields = [
            field(1, ValueType::Tab, None),
            field(2, ValueType::Panel, Some(1)),
            field(3, ValueType::Heading, Some(2)),
            field(4, ValueType::Choice, Some(2)),
        ];
        assert_eq!(shown(&fields, &[], &[]), "");
        assert_eq!(shown(&fields, &[4], &[]), "1(2(3 4=))");
    }

    #[test]
    fn what_a_formula_hides_is_left_out_with_its_whole_group() {
        let fields = [
            field(1, ValueType::Choice, None),
            field(2, ValueType::Panel, None),
            field(3, ValueType::Choice, Some(2)),
            field(4, ValueType::Choice, None),
        ];
        assert_eq!(shown(&fields, &[1, 3, 4], &[2, 3, 4]), "1=");
    }

    #[test]
    fn a_tab_behind_the_plus_is_shown_where_it_holds_a_value_and_a_field_that_is_not_shown_never() {
        let mut fields = [
            field(1, ValueType::Tab, None),
            field(2, ValueType::Choice, Some(1)),
            field(3, ValueType::Tab, None),
            field(4, ValueType::Choice, Some(3)),
            field(5, ValueType::Choice, None),
        ];
        fields[0].prikazuje_se = false;
        fields[2].prikazuje_se = false;
        fields[4].prikazuje_se = false;
        assert_eq!(shown(&fields, &[2, 5], &[]), "1(2=)");
    }

    #[test]
    fn a_picture_tells_its_marked_dots() {
        let mut fields = [
            field(1, ValueType::Image, None),
            field(2, ValueType::Choice, Some(1)),
            field(3, ValueType::Choice, Some(1)),
            field(4, ValueType::Choice, Some(1)),
        ];
        assert_eq!(shown(&fields, &[2], &[]), "2= 3 4", "without a picture its dots are ordinary choices");
        fields[0].background_image = Some("slika".to_owned());
        for dot in &mut fields[1..3] {
            (dot.image_coordinate_x, dot.image_coordinate_y) = (Some(1.0), Some(1.0));
        }
        assert_eq!(shown(&fields, &[2], &[]), "1*1 4");
        assert_eq!(shown(&fields, &[4], &[]), "1*- 4=", "a picture that nobody used");
        let none = Values::from([(2, json!(false)), (3, json!(false))]);
        let nothing = BTreeSet::new();
        assert_eq!(told(&outline(&fields, &none, &nothing, &nothing)), "1*0 4", "nothing is to be marked");
    }

    #[test]
    fn a_field_whose_group_is_gone_lies_at_the_top() {
        assert_eq!(shown(&[field(1, ValueType::Choice, Some(9))], &[], &[]), "1");
    }
}
