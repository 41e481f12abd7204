//! What an attempt found: counts, and faults by their kind. Values of cells are not in it; they stand in the file of faulty rows.

use std::collections::{BTreeSet, HashMap};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::import::{
    data::Outcome,
    problems::{Problem, Problems, RecordCounts},
};

/// Rows that are named of each kind.
const NAMED: usize = 5;
/// Kinds that are shown; the file of faulty rows has all.
const KINDS: usize = 100;

#[derive(Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ImportOutcome {
    pub redova: usize,
    pub novih_pacijenata: usize,
    pub poznatih_pacijenata: usize,
    pub izmenjenih_pacijenata: u64,
    pub novih_unosa: usize,
    pub poznatih_unosa: usize,
    pub izmenjenih_unosa: u64,
    /// Rows times forms whose cells are all blank.
    pub bez_unosa: usize,
    /// Deleted on the screens, and left so.
    pub obrisanih: u64,
    pub gresaka: usize,
    pub redova_sa_greskom: usize,
    pub greske: Vec<FaultKind>,
    pub upozorenja: Vec<FaultKind>,
}

/// The same fault in any number of rows.
#[derive(Clone, Serialize, Deserialize, ToSchema, PartialEq, Debug)]
#[schema(as = ImportFaultKind)]
pub struct FaultKind {
    pub kolona: Option<String>,
    pub poruka: String,
    pub broj: usize,
    /// The first of them.
    pub redovi: Vec<usize>,
}

pub fn of_success(outcome: &Outcome) -> ImportOutcome {
    ImportOutcome {
        izmenjenih_pacijenata: outcome.patients.updated,
        izmenjenih_unosa: outcome.entries.updated,
        obrisanih: outcome.patients.deleted + outcome.entries.deleted,
        upozorenja: kinds(&outcome.warnings),
        ..of_seen(&outcome.seen)
    }
}

pub fn of_faults(problems: &Problems) -> ImportOutcome {
    let rows: BTreeSet<usize> = problems.defects.iter().filter_map(|problem| problem.row).collect();
    ImportOutcome {
        gresaka: problems.defects.len(),
        redova_sa_greskom: rows.len(),
        greske: kinds(&problems.defects),
        upozorenja: kinds(&problems.warnings),
        ..of_seen(&problems.seen)
    }
}

fn of_seen(seen: &RecordCounts) -> ImportOutcome {
    ImportOutcome {
        redova: seen.rows,
        novih_pacijenata: seen.new_patients,
        poznatih_pacijenata: seen.known_patients,
        novih_unosa: seen.new_entries,
        poznatih_unosa: seen.known_entries,
        bez_unosa: seen.without_entry,
        ..ImportOutcome::default()
    }
}

/// The most frequent first.
fn kinds(problems: &[Problem]) -> Vec<FaultKind> {
    let mut places: HashMap<(Option<&str>, &str), usize> = HashMap::new();
    let mut kinds: Vec<FaultKind> = vec![];
    for problem in problems {
        let poruka = problem.message.kind();
        let place = *places.entry((problem.column.as_deref(), poruka)).or_insert_with(|| {
            kinds.push(FaultKind { kolona: problem.column.clone(), poruka: poruka.to_owned(), broj: 0, redovi: vec![] });
            kinds.len() - 1
        });
        let kind = &mut kinds[place];
        kind.broj += 1;
        if let Some(row) = problem.row.filter(|_| kind.redovi.len() < NAMED) {
            kind.redovi.push(row);
        }
    }
    kinds.sort_by_key(|kind| std::cmp::Reverse(kind.broj));
    kinds.truncate(KINDS);
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::problems::Message;

    #[test]
    fn faults_of_one_kind_are_counted_together_and_tell_no_value() {
        let fault = |row, message: Message| Problem { row: Some(row), column: Some("puls".into()), message };
        let row = Message::from("isti JMBG ima drugi pacijent u redu ").hide(12);
        let found = kinds(&[fault(2, Message::of_cell("a", "nije broj")), fault(3, Message::of_cell("b", "nije broj")), fault(4, row)]);
        assert_eq!(found[0], FaultKind { kolona: Some("puls".into()), poruka: "„…” nije broj".into(), broj: 2, redovi: vec![2, 3] });
        assert_eq!(found[1].poruka, "isti JMBG ima drugi pacijent u redu …");
    }

    #[test]
    fn the_rules_own_words_and_numbers_are_told() {
        let rule = "Stavka sa nazivom: Puls nije u opsegu (20) - (300).";
        let found = kinds(&[Problem { row: Some(2), column: None, message: rule.into() }]);
        assert_eq!(found[0].poruka, rule);
    }
}
