//! Two people in one entry: edits of different fields are both kept; the same field edited by both is shown to the second.

use std::collections::BTreeSet;

use serde_json::Value;

use super::values::Values;

/// A field that both edited, differently.
#[derive(Debug, PartialEq)]
pub struct Clash {
    pub field: i64,
    pub mine: Option<Value>,
    pub theirs: Option<Value>,
}

/// Joins my values with those that are stored now, given the values that I had loaded.
pub fn merge(loaded: &Values, mine: &Values, stored: &Values) -> Result<Values, Vec<Clash>> {
    let fields: BTreeSet<i64> = loaded.keys().chain(mine.keys()).chain(stored.keys()).copied().collect();
    let mut merged = Values::new();
    let mut clashes = Vec::new();
    for field in fields {
        let (was, my, their) = (loaded.get(&field), mine.get(&field), stored.get(&field));
        let kept = if my == was || my == their {
            their
        } else if their == was {
            my
        } else {
            clashes.push(Clash { field, mine: my.cloned(), theirs: their.cloned() });
            continue;
        };
        if let Some(value) = kept {
            merged.insert(field, value.clone());
        }
    }
    if clashes.is_empty() { Ok(merged) } else { Err(clashes) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn values(pairs: &[(i64, i64)]) -> Values {
        pairs.iter().map(|(field, value)| (*field, json!(value))).collect()
    }

    #[test]
    fn different_fields_are_both_kept() {
        let merged = merge(&values(&[(1, 1), (2, 2)]), &values(&[(1, 10), (2, 2)]), &values(&[(1, 1), (2, 20), (3, 30)]));
        assert_eq!(merged, Ok(values(&[(1, 10), (2, 20), (3, 30)])));
    }

    #[test]
    fn a_value_that_one_took_out_stays_out() {
        assert_eq!(merge(&values(&[(1, 1), (2, 2)]), &values(&[(2, 2)]), &values(&[(1, 1), (2, 5)])), Ok(values(&[(2, 5)])));
    }

    #[test]
    fn the_same_field_edited_by_both_is_a_clash_that_shows_both() {
        let clash = merge(&values(&[(1, 1)]), &values(&[(1, 2)]), &values(&[]));
        assert_eq!(clash, Err(vec![Clash { field: 1, mine: Some(json!(2)), theirs: None }]));
    }

    #[test]
    fn the_same_answer_by_both_is_no_clash() {
        assert_eq!(merge(&values(&[(1, 1)]), &values(&[(1, 2)]), &values(&[(1, 2)])), Ok(values(&[(1, 2)])));
    }

    proptest! {
        #[test]
        fn no_edit_is_ever_lost(loaded in edits(), mine in edits(), stored in edits()) {
            let (loaded, mine, stored) = (values(&loaded), values(&mine), values(&stored));
            match merge(&loaded, &mine, &stored) {
                Ok(merged) => for field in 0..6 {
                    if mine.get(&field) != loaded.get(&field) { prop_assert_eq!(merged.get(&field), mine.get(&field)); }
                    if stored.get(&field) != loaded.get(&field) { prop_assert_eq!(merged.get(&field), stored.get(&field)); }
                },
                Err(clashes) => for clash in clashes {
                    prop_assert_ne!(&clash.mine, &clash.theirs);
                    prop_assert_ne!(clash.mine.as_ref(), loaded.get(&clash.field));
                    prop_assert_ne!(clash.theirs.as_ref(), loaded.get(&clash.field));
                },
            }
        }
    }

    fn edits() -> impl Strategy<Value = Vec<(i64, i64)>> {
        prop::collection::vec((0..6_i64, 0..3_i64), 0..6)
    }
}
