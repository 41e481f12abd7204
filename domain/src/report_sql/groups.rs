//! Few patients of other institutions are no row of what is read over all of them (decision 0069): the one place of the rule, for runs,
//! trials and the options of parameters alike.
//!
//! A query over all institutions says of each row whose data it holds, in a column of patients that is not printed. A row stays where it
//! holds at least so many patients, and at least so many whom the asking institution does not know. None of them is like few: otherwise a
//! question that only one's own patients pass would tell, by its answer, that a known stranger does not pass it.

use std::collections::{HashMap, HashSet};

use super::Value;

/// The column by which a row says whose data it holds: `bigint[]`. With words behind it, it speaks of those cells alone; behind a stroke
/// stand the cells that hold totals over all rows.
pub const GROUP_COLUMN: &str = "grupa_pacijenata";
/// The column by which a row says that it holds entries of one institution.
const INSTITUTION_COLUMN: &str = "ustanova_id";
/// Rows that a result over all institutions has at most: they are judged together.
pub(super) const MOST_ROWS: usize = 20_000;

/// Which columns say whose data a row holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Guards {
    /// Where each stands in the result.
    pub places: Vec<usize>,
    /// Of `places`, the one of the whole row.
    row: Option<usize>,
    /// Rows hold totals of all of them.
    has_totals: bool,
    cells: Vec<CellGuard>,
    institution: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct CellGuard {
    /// Of `places`.
    place: usize,
    cells: Vec<usize>,
    totals: Vec<usize>,
}

/// What is no name of a column of the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UnknownCell(pub String);

impl Guards {
    pub fn of(columns: &[(&str, &str)]) -> Result<Self, UnknownCell> {
        let find = |name: &str| columns.iter().position(|(known, _)| *known == name).ok_or_else(|| UnknownCell(name.to_owned()));
        let found = |names: &str| names.split_whitespace().map(find).collect::<Result<Vec<_>, _>>();
        let mut guards = Self { institution: find(INSTITUTION_COLUMN).ok(), ..Self::default() };
        for (index, (name, kind)) in columns.iter().enumerate() {
            let Some(rest) = name.strip_prefix(GROUP_COLUMN).filter(|_| *kind == "INT8[]") else { continue };
            let place = guards.places.len();
            if !rest.is_empty() && !rest.starts_with(' ') {
                continue;
            }
            let (cells, totals) = rest.split_once('/').unwrap_or((rest, ""));
            let guard = CellGuard { place, cells: found(cells)?, totals: found(totals)? };
            guards.has_totals |= !guard.totals.is_empty();
            guards.places.push(index);
            if guard.cells.is_empty() {
                guards.row = guards.row.or(Some(place));
            } else {
                guards.cells.push(guard);
            }
        }
        Ok(guards)
    }

    pub fn has_rows(&self) -> bool {
        self.row.is_some()
    }
}

/// A row and, for each column that says so, whose data it holds. The columns themselves are null.
#[derive(Clone, Debug)]
pub(super) struct GroupedRow {
    pub cells: Vec<Value>,
    pub patients: Vec<HashSet<i64>>,
}

/// Whom the asking institution knows, by the ids of this connection.
#[derive(Debug, Default)]
pub(super) struct KnownPatients {
    /// The parameter `najmanjaTudjaGrupa`.
    pub least: usize,
    pub institution: Option<i64>,
    pub own: HashSet<i64>,
    /// Of `own`, those who are in no register but such in which it knows everybody: there is nobody to be told of.
    pub apart: HashSet<i64>,
}

impl KnownPatients {
    fn foreign<'a>(&self, patients: &'a HashSet<i64>) -> impl Iterator<Item = i64> + use<'a, '_> {
        patients.iter().copied().filter(|id| !self.own.contains(id))
    }

    /// `institution`: the row holds entries of this one alone.
    fn may_tell(&self, patients: &HashSet<i64>, institution: Option<i64>) -> bool {
        if patients.len() < self.least {
            return false;
        }
        let of_itself = institution.is_some() && institution == self.institution;
        match self.foreign(patients).count() {
            0 => of_itself || patients.is_subset(&self.apart),
            foreign => foreign >= self.least,
        }
    }

    /// The rows that may leave. What a total less the rows beside it would tell counts as a row: the smallest ones go with it until
    /// there are enough patients in what is missing, in each total that holds it.
    pub fn tell(&self, guards: &Guards, mut rows: Vec<GroupedRow>) -> Vec<Vec<Value>> {
        let Some(of_row) = guards.row else { return Vec::new() };
        let institution = |row: &GroupedRow| match row.cells.get(guards.institution?)? {
            Value::Int(id) => Some(*id),
            _ => None,
        };
        let mut shown: Vec<bool> = rows.iter().map(|row| self.may_tell(&row.patients[of_row], institution(row))).collect();
        while guards.has_totals && shown.iter().any(|shown| !shown) {
            let hidden = rows.iter().zip(&shown).filter(|(_, shown)| !**shown).map(|(row, _)| row);
            let missing: HashSet<i64> = hidden.flat_map(|row| self.foreign(&row.patients[of_row])).collect();
            if missing.len() >= self.least {
                break;
            }
            let smallest = (0..rows.len()).filter(|index| shown[*index]).min_by_key(|index| rows[*index].patients[of_row].len());
            let Some(smallest) = smallest else { break };
            shown[smallest] = false;
        }
        self.hide_parts(&rows, of_row, &mut shown);
        for guard in &guards.cells {
            let may_tell = |(row, shown): (&GroupedRow, &bool)| *shown && self.may_tell(&row.patients[guard.place], institution(row));
            let mut told: Vec<bool> = rows.iter().zip(&shown).map(may_tell).collect();
            self.hide_parts(&rows, guard.place, &mut told);
            let mut missing: HashSet<i64> = HashSet::new();
            for (row, _) in rows.iter_mut().zip(&told).filter(|(_, told)| !**told) {
                missing.extend(self.foreign(&row.patients[guard.place]));
                guard.cells.iter().for_each(|cell| row.cells[*cell] = Value::Null);
            }
            let lacks = told.contains(&false);
            let everybody: HashSet<i64> = rows.iter().flat_map(|row| row.patients[guard.place].iter().copied()).collect();
            if (lacks && missing.len() < self.least) || !self.may_tell(&everybody, None) {
                rows.iter_mut().for_each(|row| guard.totals.iter().for_each(|cell| row.cells[*cell] = Value::Null));
            }
        }
        rows.into_iter().zip(shown).filter(|(_, shown)| *shown).map(|(row, _)| row.cells).collect()
    }

    /// Of a row that holds what others hold, as the lines of a rollup do, a part that is left out is told by taking the other parts from it:
    /// the smallest of these go too, until enough patients of others are in what is left.
    fn hide_parts(&self, rows: &[GroupedRow], place: usize, shown: &mut [bool]) {
        let patients = |index: usize| &rows[index].patients[place];
        let is_part = |part: usize, whole: usize| patients(part).len() < patients(whole).len() && patients(part).is_subset(patients(whole));
        let mut settled = false;
        while !settled {
            settled = true;
            let hidden: Vec<(usize, i64)> =
                (0..rows.len()).filter(|index| !shown[*index]).filter_map(|index| Some((index, *patients(index).iter().next()?))).collect();
            // What holds all of a part holds this one of it: few rows are looked at for each.
            let mut holders: HashMap<i64, Vec<usize>> = hidden.iter().map(|(_, one)| (*one, Vec::new())).collect();
            for index in 0..rows.len() {
                for id in patients(index) {
                    if let Some(found) = holders.get_mut(id) {
                        found.push(index);
                    }
                }
            }
            for (hidden, one) in hidden {
                for whole in holders[&one].iter().copied() {
                    while shown[whole] && is_part(hidden, whole) {
                        let beside =
                            |index: &usize| shown[*index] && is_part(*index, whole) && patients(*index).is_disjoint(patients(hidden));
                        let parts: Vec<usize> = (0..rows.len()).filter(beside).collect();
                        let left =
                            self.foreign(patients(whole)).filter(|id| !parts.iter().any(|part| patients(*part).contains(id))).count();
                        let smallest = parts.into_iter().min_by_key(|part| patients(*part).len());
                        let Some(smallest) = smallest.filter(|_| left < self.least) else { break };
                        shown[smallest] = false;
                        settled = false;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten patients of one's own, 1 to 10; others are strangers.
    fn known() -> KnownPatients {
        KnownPatients { least: 5, institution: Some(1), own: (1..=10).collect(), apart: HashSet::new() }
    }

    fn rows(groups: &[(&str, std::ops::RangeInclusive<i64>)]) -> Vec<GroupedRow> {
        let row = |(name, patients): &(&str, std::ops::RangeInclusive<i64>)| GroupedRow {
            cells: vec![Value::Text((*name).to_owned()), Value::Int(patients.clone().count() as i64), Value::Null],
            patients: vec![patients.clone().collect()],
        };
        groups.iter().map(row).collect()
    }

    fn told(groups: &[(&str, std::ops::RangeInclusive<i64>)]) -> Vec<String> {
        let guards = Guards::of(&[("g", "TEXT"), ("n", "INT8"), (GROUP_COLUMN, "INT8[]")]).unwrap();
        known().tell(&guards, rows(groups)).into_iter().filter_map(|row| row.into_iter().next()?.into_text()).collect()
    }

    #[test]
    fn ones_own_patients_with_few_strangers_or_none_are_told_alike() {
        for strangers in 10..=14 {
            assert_eq!(told(&[("a", 1..=strangers)]), [""; 0], "{strangers}");
        }
        assert_eq!(told(&[("a", 1..=15)]), ["a"], "five strangers");
        assert_eq!(told(&[("a", 11..=14), ("b", 101..=101)]), [""; 0]);
        assert_eq!(told(&[("a", 11..=15)]), ["a"]);
    }

    #[test]
    fn what_is_missing_is_never_few() {
        assert_eq!(told(&[("a", 100..=102), ("b", 200..=206), ("c", 300..=330)]), ["b", "c"], "there is nothing to take them from");
        let guards = Guards::of(&[("g", "TEXT"), ("n", "INT8"), ("grupa_pacijenata / n", "INT8[]")]).unwrap();
        let with_total = |groups: &[(&str, std::ops::RangeInclusive<i64>)]| {
            let told = known().tell(&guards, rows(groups));
            told.into_iter().filter_map(|row| row.into_iter().next()?.into_text()).collect::<Vec<_>>()
        };
        assert_eq!(with_total(&[("a", 100..=102), ("b", 200..=206), ("c", 300..=330)]), ["c"], "the smallest goes with the few");
        assert_eq!(with_total(&[("a", 100..=102), ("b", 200..=202), ("c", 300..=330)]), ["c"], "six are enough by themselves");
        assert_eq!(with_total(&[("a", 1..=3), ("b", 200..=206), ("c", 300..=330)]), ["c"], "none of others is like three");
        assert_eq!(
            told(&[("sve", 100..=122), ("a", 100..=113), ("b", 114..=120), ("c", 121..=122)]),
            ["sve", "a"],
            "a total beside its parts"
        );
        assert_eq!(told(&[("deo", 100..=120), ("a", 100..=117), ("c", 118..=120), ("z", 500..=540)]), ["deo", "z"], "a part's total, too");
        assert_eq!(told(&[("a", 100..=113), ("b", 114..=120), ("c", 1..=1)]), ["a", "b"], "nothing is to be taken from a total");
        let rollup = [
            ("sve", 100..=150),
            ("r1", 100..=125),
            ("r1 m", 100..=121),
            ("r1 ž", 122..=125),
            ("r2", 126..=150),
            ("r2 m", 126..=149),
            ("r2 ž", 150..=150),
        ];
        assert_eq!(told(&rollup), ["sve", "r1", "r2"], "four and one are not enough together: each is taken from a total of its own");
        let own = [("sve", 1..=150), ("m", 4..=150), ("ž", 1..=3)];
        assert_eq!(told(&own), ["sve"], "three of one's own beside no stranger are like three beside four");
    }

    #[test]
    fn a_cell_is_told_of_enough_patients_and_a_total_never_by_what_it_lacks() {
        let guards =
            Guards::of(&[("m1", "NUMERIC"), ("u1", "NUMERIC"), (GROUP_COLUMN, "INT8[]"), ("grupa_pacijenata m1 / u1", "INT8[]")]).unwrap();
        let row = |all: std::ops::RangeInclusive<i64>, some: std::ops::RangeInclusive<i64>| GroupedRow {
            cells: vec![Value::Int(7), Value::Int(8), Value::Null, Value::Null],
            patients: vec![all.collect(), some.collect()],
        };
        let told = |rows| known().tell(&guards, rows).into_iter().map(|row| (row[0].is_null(), row[1].is_null())).collect::<Vec<_>>();
        assert_eq!(told(vec![row(100..=110, 100..=100), row(200..=210, 200..=210)]), [(true, true), (false, true)]);
        assert_eq!(told(vec![row(100..=110, 100..=107), row(200..=210, 200..=210)]), [(false, false); 2]);
    }

    #[test]
    fn rows_of_ones_own_are_told_where_the_row_says_so_or_nobody_else_is_in_the_register() {
        let patients: HashSet<i64> = (1..=8).collect();
        assert!(!known().may_tell(&patients, None) && !known().may_tell(&patients, Some(2)));
        assert!(known().may_tell(&patients, Some(1)));
        assert!(KnownPatients { apart: (1..=8).collect(), ..known() }.may_tell(&patients, None));
        assert!(!KnownPatients { apart: (1..=8).collect(), ..known() }.may_tell(&(1..=11).collect(), Some(1)), "a stranger among them");
    }

    #[test]
    fn a_guard_of_an_unknown_cell_is_a_fault_and_a_text_of_that_name_is_none() {
        assert_eq!(Guards::of(&[("grupa_pacijenata m1", "INT8[]")]), Err(UnknownCell("m1".to_owned())));
        assert!(!Guards::of(&[(GROUP_COLUMN, "TEXT")]).unwrap().has_rows());
        assert!(Guards::of(&[("grupa_pacijenata_x", "INT8[]")]).unwrap().places.is_empty());
    }
}
