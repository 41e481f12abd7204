//! What an attempt found: counts, and faults by their kind. Values of cells are not in it; they stand in the file of faulty rows.

use std::collections::{BTreeSet, HashMap};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::import::{
    data::Outcome,
    problems::{Problem, Problems, Seen},
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

fn of_seen(seen: &Seen) -> ImportOutcome {
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
    let mut places: HashMap<(Option<&str>, String), usize> = HashMap::new();
    let mut kinds: Vec<FaultKind> = vec![];
    for problem in problems {
        let poruka = without_values(&problem.message);
        let place = *places.entry((problem.column.as_deref(), poruka.clone())).or_insert_with(|| {
            kinds.push(FaultKind { kolona: problem.column.clone(), poruka, broj: 0, redovi: vec![] });
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

/// The sentence without what a cell says, and without numbers of rows and patients: `„abc” nije broj` is `„…” nije broj`.
fn without_values(message: &str) -> String {
    let mut out = String::new();
    let mut rest = message;
    while let Some((before, quoted)) = rest.split_once('„') {
        out.push_str(before);
        out.push_str("„…”");
        rest = quoted.split_once('”').map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    let words = out.split(' ').map(|word| {
        let digits = word.trim_matches(|letter: char| !letter.is_ascii_digit());
        if digits.is_empty() { word.to_owned() } else { word.replace(digits, "…") }
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_of_one_kind_are_counted_together_and_tell_no_value() {
        let fault = |row, message: &str| Problem { row: Some(row), column: Some("puls".into()), message: message.into() };
        let found = kinds(&[fault(2, "„a” nije broj"), fault(3, "„b” nije broj"), fault(4, "isti JMBG ima drugi pacijent u redu 12")]);
        assert_eq!(found[0], FaultKind { kolona: Some("puls".into()), poruka: "„…” nije broj".into(), broj: 2, redovi: vec![2, 3] });
        assert_eq!(found[1].poruka, "isti JMBG ima drugi pacijent u redu …");
        assert_eq!(without_values("„1.234” može da znači 1234 ili 1,234"), "„…” može da znači … ili …");
    }
}
