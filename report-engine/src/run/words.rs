//! The answers of an entry in words: as the screen says them, in Serbian.

use domain::{
    answer::Answer,
    attachment::FileKind,
    entry::{changes::EntryChanges, files, form::EntryField, outline::Part, rows, stale::Stale, value_text::value_text},
    register::ValueType,
    shown::number as number_text,
};
use serde_json::Value;

use crate::render::{
    chart::Picture,
    entry::{EntryPart, Reference},
};

/// The parts one after another, groups as headings before theirs.
pub fn parts(outline: &[Part<'_>], charts: &[(i64, Picture)], marks: &[Stale]) -> Vec<EntryPart> {
    let mut teller = Teller { charts, marks, parts: Vec::new() };
    teller.tell(outline, 1);
    teller.parts
}

/// What changed since the earlier entries, a line a field.
pub fn changes(changes: &EntryChanges) -> EntryPart {
    let heads = ["Polje", "Sada", "Ranije", "Razlika"].map(str::to_owned).to_vec();
    let rows = changes.promene.iter().map(|change| {
        let now = change.sada.clone().unwrap_or_default();
        vec![change.naziv.clone(), now, change.earlier().unwrap_or_default(), change.difference().unwrap_or_default()]
    });
    EntryPart::Table { heads, rows: rows.collect() }
}

struct Teller<'a> {
    charts: &'a [(i64, Picture)],
    marks: &'a [Stale],
    parts: Vec<EntryPart>,
}

impl Teller<'_> {
    fn tell(&mut self, outline: &[Part<'_>], level: u8) {
        for part in outline {
            match part {
                Part::Heading(field) => self.parts.push(EntryPart::Heading { level: 3, text: field.naziv.clone() }),
                Part::Separator(_) => self.parts.push(EntryPart::Rule),
                Part::Chart(field) => {
                    let own = self.charts.iter().filter(|(id, _)| *id == field.id);
                    self.parts.extend(own.map(|(_, chart)| EntryPart::Chart(Box::new(chart.clone()))));
                }
                Part::Group { field, parts: inside } => {
                    let own = if field.tva_num_vrednost == ValueType::Tab { level } else { level.max(2) };
                    self.parts.push(EntryPart::Heading { level: own.min(3), text: field.naziv.clone() });
                    self.tell(inside, own + 1);
                }
                Part::Table { field, rows } => {
                    self.parts.push(EntryPart::Heading { level: level.clamp(2, 3), text: field.naziv.clone() });
                    let (heads, rows) = rows::table(field, rows);
                    self.parts.push(EntryPart::Table { heads, rows });
                }
                Part::Image { field, marked } => {
                    let told = marked.as_ref().map(|dots| marked_dots(dots));
                    self.parts.extend(answer(field, told, None, None));
                }
                Part::Answer { field, value } => {
                    let mark = self.marks.iter().find(|mark| mark.polje == field.id).map(Stale::words);
                    let shown = value.and_then(|value| value_text(field, value));
                    let number = value.and_then(|value| Answer::number(field.tva_num_vrednost, value));
                    self.parts.extend(answer(field, shown, number, mark));
                    if field.tva_num_vrednost == ValueType::File {
                        self.parts.extend(photos(*value));
                    }
                }
            }
        }
    }
}

fn marked_dots(dots: &[&EntryField]) -> String {
    if dots.is_empty() {
        return NONE_MARKED.to_owned();
    }
    dots.iter().map(|dot| dot.naziv.as_str()).collect::<Vec<_>>().join(", ")
}

/// Of a picture that was used; one that was not is blank.
const NONE_MARKED: &str = "ništa nije označeno";

const NOT_THERE: &str = "nije u skladištu fajlova.";

/// The pictures among the files, none of them read yet.
fn photos(value: Option<&Value>) -> impl Iterator<Item = EntryPart> {
    let pictures = files::of(value).into_iter().filter(|file| matches!(file.tip, FileKind::Jpeg | FileKind::Png));
    pictures.map(|file| EntryPart::Photo { file: file.id, name: file.naziv, photo: Err(NOT_THERE.to_owned()) })
}

/// Nothing where neither label nor value nor mark would be printed.
fn answer(field: &EntryField, value: Option<String>, number: Option<f64>, mark: Option<String>) -> Option<EntryPart> {
    let label = field.ispisuje_se_labela.then(|| field.naziv.clone());
    if label.is_none() && value.is_none() && mark.is_none() {
        return None;
    }
    Some(EntryPart::Answer { label, value, reference: reference(field, number), mark })
}

/// The usual range of a number, with the side on which a value lies outside it.
fn reference(field: &EntryField, number: Option<f64>) -> Option<Reference> {
    let (low, high) = (field.donja_referentna_brojna_vrednost, field.gornja_referentna_brojna_vrednost);
    let range = match (low, high) {
        _ if field.tva_num_vrednost != ValueType::Number => return None,
        (None, None) => return None,
        (Some(low), Some(high)) => format!("{} – {}", number_text(low), number_text(high)),
        (Some(low), None) => format!("od {}", number_text(low)),
        (None, Some(high)) => format!("do {}", number_text(high)),
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
    use super::*;

    fn field(kind: ValueType) -> EntryField {
        EntryField { naziv: "Polje".to_owned(), tva_num_vrednost: kind, ispisuje_se_labela: true, ..EntryField::default() }
    }

    #[test]
    fn a_number_outside_its_range_is_marked_with_the_side() {
        let ranged = EntryField {
            donja_referentna_brojna_vrednost: Some(3.9),
            gornja_referentna_brojna_vrednost: Some(6.0),
            ..field(ValueType::Number)
        };
        let told = |number| reference(&ranged, number).map(|reference| (reference.text, reference.outside)).unwrap();
        assert_eq!(told(Some(5.0)), ("ref. 3,9 – 6".to_owned(), false));
        assert_eq!(told(None), ("ref. 3,9 – 6".to_owned(), false));
        assert_eq!(told(Some(3.0)), ("↓ van referentnih (3,9 – 6)".to_owned(), true));
        assert_eq!(told(Some(7.0)), ("↑ van referentnih (3,9 – 6)".to_owned(), true));
    }

    #[test]
    fn a_picture_that_was_used_tells_its_marks_or_that_there_are_none_and_another_is_blank() {
        let (picture, dot) = (field(ValueType::Image), field(ValueType::Choice));
        let told = |marked: Option<Vec<&EntryField>>| {
            let outline = [Part::Image { field: &picture, marked: marked.clone() }];
            match parts(&outline, &[], &[]).as_slice() {
                [EntryPart::Answer { value, .. }] => value.clone(),
                _ => panic!("one answer of {marked:?}"),
            }
        };
        assert_eq!(told(Some(vec![&dot, &dot])).as_deref(), Some("Polje, Polje"));
        assert_eq!(told(Some(Vec::new())).as_deref(), Some("ništa nije označeno"));
        assert_eq!(told(None), None);
    }

    #[test]
    fn a_field_without_a_printed_label_is_told_by_its_value_alone() {
        let quiet = EntryField { ispisuje_se_labela: false, ..field(ValueType::Text) };
        assert!(answer(&quiet, None, None, None).is_none());
        assert!(matches!(
            answer(&quiet, Some("tekst".to_owned()), None, None),
            Some(EntryPart::Answer { label: None, value: Some(_), .. })
        ));
    }
}
