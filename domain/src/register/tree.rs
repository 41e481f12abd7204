//! The order of a form's fields, as a reader meets them: tab by tab and panel by panel. The database keeps the same for today's fields in
//! `form_field_place`; this is for fields that are none of its rows, of versions, drafts and files.

use std::collections::{HashMap, HashSet};

/// Each field before those that stand in it, those of one holder in the order in which they come. What stands in nothing that is there stands
/// at the top; what stands in itself comes last, by id.
pub fn in_tree_order<T>(fields: Vec<T>, id: impl Fn(&T) -> i64, holder: impl Fn(&T) -> Option<i64>) -> Vec<T> {
    let known: HashSet<i64> = fields.iter().map(&id).collect();
    let mut inside: HashMap<Option<i64>, Vec<T>> = HashMap::new();
    for field in fields {
        inside.entry(holder(&field).filter(|outer| known.contains(outer))).or_default().push(field);
    }
    let mut ordered = Vec::with_capacity(known.len());
    let mut waiting: Vec<T> = inside.remove(&None).unwrap_or_default();
    waiting.reverse();
    while let Some(field) = waiting.pop() {
        waiting.extend(inside.remove(&Some(id(&field))).into_iter().flatten().rev());
        ordered.push(field);
    }
    let mut circles: Vec<T> = inside.into_values().flatten().collect();
    circles.sort_by_key(|field| id(field));
    ordered.extend(circles);
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(fields: &[(i64, Option<i64>)]) -> Vec<i64> {
        in_tree_order(fields.to_vec(), |field| field.0, |field| field.1).into_iter().map(|(id, _)| id).collect()
    }

    #[test]
    fn a_field_stands_before_those_in_it() {
        assert_eq!(order(&[(1, Some(5)), (2, Some(5)), (3, None), (5, None), (6, Some(2))]), [3, 5, 1, 2, 6]);
        assert_eq!(order(&[(1, Some(9)), (2, None)]), [1, 2], "its holder is not there");
    }

    #[test]
    fn fields_in_a_circle_are_kept() {
        assert_eq!(order(&[(2, Some(1)), (1, Some(2)), (3, None)]), [3, 1, 2]);
    }
}
