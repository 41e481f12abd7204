//! Two people in one entry: edits of different answers are both kept; the same answer edited by both is shown to the second.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use domain::entry::{
    files,
    rows::{self, JoinedRows},
    values::alike,
};
use serde_json::Value;

/// What two people may answer differently: one of the two answers of the header, or a field of the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    DatumUnosa,
    RadnikOdgovoran,
    Polje(i64),
}

/// Its name in a request and in an answer.
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DatumUnosa => f.write_str("datumUnosa"),
            Self::RadnikOdgovoran => f.write_str("radnikOdgovoran"),
            Self::Polje(id) => write!(f, "{id}"),
        }
    }
}

impl Part {
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "datumUnosa" => Some(Self::DatumUnosa),
            "radnikOdgovoran" => Some(Self::RadnikOdgovoran),
            id => id.parse().ok().map(Self::Polje),
        }
    }
}

/// Everything that a person answers on an entry; a blank answer is absent.
pub type Answers = BTreeMap<Part, Value>;

/// Answers by the names of their parts.
pub fn to_json(answers: &Answers) -> Value {
    answers.iter().map(|(part, value)| (part.to_string(), value.clone())).collect::<serde_json::Map<_, _>>().into()
}

/// An answer that both edited, differently.
#[derive(Debug, PartialEq)]
pub struct Clash {
    pub part: Part,
    pub mine: Option<Value>,
    pub theirs: Option<Value>,
}

/// Two people's answers joined.
#[derive(Debug, Default, PartialEq)]
pub struct MergedAnswers {
    /// Everything but what clashes.
    pub answers: Answers,
    pub clashes: Vec<Clash>,
}

/// Joins my answers with those that are stored now, given the answers that I had loaded.
pub fn merge(loaded: &Answers, mine: &Answers, stored: &Answers) -> MergedAnswers {
    let parts: BTreeSet<Part> = loaded.keys().chain(mine.keys()).chain(stored.keys()).copied().collect();
    let mut merged = MergedAnswers::default();
    for part in parts {
        let (was, my, their) = (loaded.get(&part), mine.get(&part), stored.get(&part));
        let kept = if alike(my, was) || alike(my, their) {
            their
        } else if alike(their, was) {
            my
        } else if let Some(joined) = rows::merge(was, my, their) {
            match joined {
                JoinedRows::Both(rows) => merged.answers.extend(rows.map(|rows| (part, rows))),
                JoinedRows::Either { mine, theirs } => merged.clashes.push(Clash { part, mine, theirs }),
            }
            continue;
        } else if let Some(joined) = files::merge(was, my, their) {
            merged.answers.extend(joined.map(|files| (part, files)));
            continue;
        } else {
            merged.clashes.push(Clash { part, mine: my.cloned(), theirs: their.cloned() });
            continue;
        };
        if let Some(value) = kept {
            merged.answers.insert(part, value.clone());
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn answers(pairs: &[(i64, i64)]) -> Answers {
        pairs.iter().map(|(field, value)| (Part::Polje(*field), json!(value))).collect()
    }

    fn kept(pairs: &[(i64, i64)]) -> MergedAnswers {
        MergedAnswers { answers: answers(pairs), clashes: Vec::new() }
    }

    #[test]
    fn different_fields_are_both_kept() {
        let merged = merge(&answers(&[(1, 1), (2, 2)]), &answers(&[(1, 10), (2, 2)]), &answers(&[(1, 1), (2, 20), (3, 30)]));
        assert_eq!(merged, kept(&[(1, 10), (2, 20), (3, 30)]));
    }

    #[test]
    fn a_value_that_one_took_out_stays_out() {
        assert_eq!(merge(&answers(&[(1, 1), (2, 2)]), &answers(&[(2, 2)]), &answers(&[(1, 1), (2, 5)])), kept(&[(2, 5)]));
    }

    #[test]
    fn the_same_field_edited_by_both_is_a_clash_that_shows_both_and_joins_the_rest() {
        let merged = merge(&answers(&[(1, 1), (2, 1)]), &answers(&[(1, 2), (2, 1)]), &answers(&[(2, 3)]));
        let clashes = vec![Clash { part: Part::Polje(1), mine: Some(json!(2)), theirs: None }];
        assert_eq!(merged, MergedAnswers { answers: answers(&[(2, 3)]), clashes });
    }

    #[test]
    fn the_same_answer_by_both_is_no_clash() {
        assert_eq!(merge(&answers(&[(1, 1)]), &answers(&[(1, 2)]), &answers(&[(1, 2)])), kept(&[(1, 2)]));
    }

    #[test]
    fn another_spelling_of_a_value_is_no_edit() {
        let one = |value: Value| Answers::from([(Part::Polje(1), value)]);
        assert_eq!(merge(&one(json!(5)), &one(json!(6)), &one(json!(5.0))).answers, one(json!(6)));
        assert_eq!(merge(&one(json!([1, 2])), &one(json!([2, 1])), &one(json!([3]))).answers, one(json!([3])));
    }

    #[test]
    fn an_item_taken_out_of_a_set_is_an_edit() {
        let set = |items: &[i64]| Answers::from([(Part::Polje(1), json!(items))]);
        assert_eq!(merge(&set(&[1, 2]), &set(&[1]), &set(&[1, 2])).answers, set(&[1]));
        assert_eq!(merge(&set(&[1, 2]), &set(&[1, 2]), &set(&[2])).answers, set(&[2]));
        assert_eq!(merge(&set(&[1, 2]), &set(&[1, 3]), &set(&[1, 2])).answers, set(&[1, 3]));
        assert_eq!(merge(&set(&[1, 2]), &set(&[1]), &set(&[2])).clashes.len(), 1);
    }

    #[test]
    fn the_header_is_merged_as_the_fields_are() {
        let head = |date: &str, doctor: i64| Answers::from([(Part::DatumUnosa, json!(date)), (Part::RadnikOdgovoran, json!(doctor))]);
        let merged = merge(&head("2026-03-05", 1), &head("2026-03-06", 1), &head("2026-03-05", 2));
        assert_eq!(merged, MergedAnswers { answers: head("2026-03-06", 2), clashes: Vec::new() });
        let clashes = merge(&head("2026-03-05", 1), &head("2026-03-05", 2), &head("2026-03-05", 3)).clashes;
        assert_eq!(clashes, [Clash { part: Part::RadnikOdgovoran, mine: Some(json!(2)), theirs: Some(json!(3)) }]);
    }

    fn section(rows: &[(i64, &[(i64, i64)])]) -> Answers {
        let row = |(id, cells): &(i64, &[(i64, i64)])| {
            let cells: serde_json::Map<String, Value> = cells.iter().map(|(id, value)| (id.to_string(), json!(value))).collect();
            json!({ "id": id, "v": cells })
        };
        Answers::from([(Part::Polje(1), rows.iter().map(row).collect())])
    }

    #[test]
    fn rows_of_both_are_kept_and_cells_of_one_row_are_joined() {
        let loaded = section(&[(1, &[(2, 1), (3, 1)]), (5, &[(2, 5)])]);
        let mine = section(&[(1, &[(2, 7), (3, 1)]), (5, &[(2, 5)]), (8, &[(2, 8)])]);
        let theirs = section(&[(1, &[(2, 1), (3, 9)]), (9, &[(2, 9)])]);
        let merged = merge(&loaded, &mine, &theirs);
        assert_eq!(merged.answers, section(&[(1, &[(2, 7), (3, 9)]), (9, &[(2, 9)]), (8, &[(2, 8)])]));
        assert!(merged.clashes.is_empty(), "row 5 was taken out by one and left alone by the other");
        let turned = merge(&loaded, &theirs, &mine);
        assert_eq!(turned.answers, section(&[(1, &[(2, 7), (3, 9)]), (8, &[(2, 8)]), (9, &[(2, 9)])]));
        assert!(turned.clashes.is_empty());
        assert_eq!(merge(&section(&[]), &mine, &Answers::new()).answers, mine, "the first rows");
    }

    #[test]
    fn one_cell_edited_by_both_is_a_clash_in_which_no_other_row_is_lost() {
        let loaded = section(&[(1, &[(2, 1)])]);
        let mine = section(&[(1, &[(2, 2)]), (8, &[(2, 8)])]);
        let theirs = section(&[(1, &[(2, 3)]), (9, &[(2, 9)])]);
        let clashes = merge(&loaded, &mine, &theirs).clashes;
        let both = |first: i64| section(&[(1, &[(2, first)]), (9, &[(2, 9)]), (8, &[(2, 8)])]).remove(&Part::Polje(1));
        assert_eq!(clashes, [Clash { part: Part::Polje(1), mine: both(2), theirs: both(3) }]);
    }

    #[test]
    fn a_row_that_one_took_out_and_the_other_edited_is_a_clash() {
        let clashes = merge(&section(&[(1, &[(2, 1)])]), &Answers::new(), &section(&[(1, &[(2, 3)])])).clashes;
        let theirs = section(&[(1, &[(2, 3)])]).remove(&Part::Polje(1));
        assert_eq!(clashes, [Clash { part: Part::Polje(1), mine: None, theirs }]);
        let (loaded, edited, left) = ([(1, &[(2, 1)][..]), (5, &[(2, 5)])], [(1, &[(2, 3)][..]), (5, &[(2, 5)])], [(5, &[(2, 5)][..])]);
        let clashes = merge(&section(&loaded), &section(&edited), &section(&left)).clashes;
        let answer = |rows| section(rows).remove(&Part::Polje(1));
        assert_eq!(clashes, [Clash { part: Part::Polje(1), mine: answer(&[left[0], edited[0]]), theirs: answer(&left) }]);
    }

    #[test]
    fn a_part_is_read_as_it_is_written() {
        for part in [Part::DatumUnosa, Part::RadnikOdgovoran, Part::Polje(17)] {
            assert_eq!(Part::named(&part.to_string()), Some(part));
        }
    }

    proptest! {
        #[test]
        fn no_edit_is_ever_lost(loaded in edits(), mine in edits(), stored in edits()) {
            let (loaded, mine, stored) = (answers(&loaded), answers(&mine), answers(&stored));
            let merged = merge(&loaded, &mine, &stored);
            for field in (0..6).map(Part::Polje) {
                if let Some(clash) = merged.clashes.iter().find(|clash| clash.part == field) {
                    prop_assert_ne!(&clash.mine, &clash.theirs);
                    prop_assert_ne!(clash.mine.as_ref(), loaded.get(&field));
                    prop_assert_ne!(clash.theirs.as_ref(), loaded.get(&field));
                    continue;
                }
                if mine.get(&field) != loaded.get(&field) { prop_assert_eq!(merged.answers.get(&field), mine.get(&field)); }
                if stored.get(&field) != loaded.get(&field) { prop_assert_eq!(merged.answers.get(&field), stored.get(&field)); }
            }
        }
    }

    fn edits() -> impl Strategy<Value = Vec<(i64, i64)>> {
        prop::collection::vec((0..6_i64, 0..3_i64), 0..6)
    }
}
