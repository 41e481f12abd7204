//! Numbers of order for what was moved, added or left: what stays in its place keeps its number, so that nothing else changes with it.

use std::collections::HashMap;

use super::document::Document;

/// Between two neighbours there is room for one that an administrator adds on the screen.
const STEP: i32 = 10;

/// `redosled` of each field: those of one panel among themselves.
pub fn of_fields(document: &Document, was: &HashMap<i64, i32>) -> HashMap<i64, i32> {
    of_tree(document.polja.iter().map(|field| (field.id, field.nadredjeni)), was)
}

/// The same of ids, each with that of what it stands in.
pub fn of_tree(fields: impl Iterator<Item = (i64, Option<i64>)>, was: &HashMap<i64, i32>) -> HashMap<i64, i32> {
    let mut inside: HashMap<Option<i64>, Vec<i64>> = HashMap::new();
    for (id, holder) in fields {
        inside.entry(holder).or_default().push(id);
    }
    let mut orders = HashMap::new();
    let mut waiting = vec![(None, 0)];
    while let Some((holder, from)) = waiting.pop() {
        let Some(ids) = inside.remove(&holder) else { continue };
        let old: Vec<Option<i32>> = ids.iter().map(|id| was.get(id).copied()).collect();
        for (id, order) in ids.into_iter().zip(in_order(&old, from)) {
            orders.insert(id, order);
            waiting.push((Some(id), order));
        }
    }
    orders
}

/// Rising numbers after `from` for a list whose members have had these, or none.
pub fn in_order(was: &[Option<i32>], from: i32) -> Vec<i32> {
    let kept = longest_rising(was);
    let mut orders = Vec::with_capacity(was.len());
    let mut last = None;
    let mut place = 0;
    while place < was.len() {
        if let (true, Some(order)) = (kept[place], was[place]) {
            orders.push(order);
            last = Some(order);
            place += 1;
            continue;
        }
        let run = kept[place..].iter().position(|kept| *kept).unwrap_or(was.len() - place);
        let count = i32::try_from(run).unwrap_or(i32::MAX);
        let next = was.get(place + run).copied().flatten();
        let (low, step) = match (last, next) {
            (_, None) => (last.unwrap_or(from), STEP),
            (Some(low), Some(high)) => (low, (high - low) / (count + 1)),
            (None, Some(high)) if high - from > count => (from, (high - from) / (count + 1)),
            (None, Some(high)) => (high - STEP * (count + 1), STEP),
        };
        if step == 0 {
            // No room between the two: all of them anew.
            return (1..).take(was.len()).map(|place| from + STEP * place).collect();
        }
        orders.extend((1..=count).map(|one| low + step * one));
        last = orders.last().copied();
        place += run;
    }
    orders
}

/// The most members that already stand in the order of their numbers. Those without one are none of them.
fn longest_rising(was: &[Option<i32>]) -> Vec<bool> {
    let mut best: Vec<(usize, Option<usize>)> = Vec::with_capacity(was.len());
    for (place, own) in was.iter().enumerate() {
        let before = |earlier: &usize| matches!((was[*earlier], own), (Some(low), Some(high)) if low < *high);
        let longest = (0..place).filter(before).max_by_key(|earlier| (best[*earlier].0, std::cmp::Reverse(*earlier)));
        best.push((usize::from(own.is_some()) + longest.map_or(0, |earlier| best[earlier].0), longest));
    }
    let mut kept = vec![false; was.len()];
    let mut at = (0..was.len()).filter(|place| was[*place].is_some()).max_by_key(|place| (best[*place].0, std::cmp::Reverse(*place)));
    while let Some(place) = at {
        kept[place] = true;
        at = best[place].1;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stays_keeps_its_number() {
        assert_eq!(in_order(&[Some(10), Some(20), Some(30)], 0), [10, 20, 30]);
        assert_eq!(in_order(&[Some(10), None, Some(20)], 0), [10, 15, 20], "one is added");
        assert_eq!(in_order(&[Some(30), Some(10), Some(20)], 0), [5, 10, 20], "the last one is moved to the front");
        assert_eq!(in_order(&[Some(10), Some(20), None, None], 0), [10, 20, 30, 40]);
        assert_eq!(in_order(&[None, None], 40), [50, 60], "a new panel's fields come after it");
        assert_eq!(in_order(&[None, Some(3)], 40), [-7, 3], "before one that stands before its panel");
        assert_eq!(in_order(&[], 0), [0; 0]);
    }

    #[test]
    fn where_there_is_no_room_all_are_numbered_anew() {
        assert_eq!(in_order(&[Some(1), None, Some(2)], 0), [10, 20, 30]);
    }

    #[test]
    fn equal_numbers_are_set_apart() {
        let orders = in_order(&[Some(5), Some(5), Some(6)], 0);
        assert!(orders.windows(2).all(|pair| pair[0] < pair[1]), "{orders:?}");
    }
}
