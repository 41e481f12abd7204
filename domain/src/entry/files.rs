//! The files that a field of an entry holds: named by the entry, each once, never in it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::form::EntryField;
use crate::{
    attachment::{self, FileKind},
    shown,
};

/// A file as an entry names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttachedFile {
    pub id: i64,
    pub naziv: String,
    pub tip: FileKind,
    /// Bytes.
    pub velicina: i64,
    pub sha256: String,
}

/// The files of a stored value, in their order; what is no file is none.
pub fn of(value: Option<&Value>) -> Vec<AttachedFile> {
    let file = |file: &Value| serde_json::from_value(file.clone()).ok();
    value.and_then(Value::as_array).into_iter().flatten().filter_map(file).collect()
}

/// As the database keeps them; none where there is no file.
pub fn to_value(files: &[AttachedFile]) -> Option<Value> {
    (!files.is_empty()).then(|| json!(files))
}

/// Whether a stored value is of files.
pub fn are_files(value: &Value) -> bool {
    value.as_array().is_some_and(|files| files.first().is_some_and(|file| file.get("sha256").is_some_and(Value::is_string)))
}

/// All files in words.
pub fn text(value: &Value) -> String {
    of(Some(value)).iter().map(told).collect::<Vec<_>>().join(", ")
}

/// A file in words: its name and size.
pub fn told(file: &AttachedFile) -> String {
    format!("{} ({})", file.naziv, shown::bytes(file.velicina))
}

/// What became of the files, in words.
pub fn changes(old: Option<&Value>, new: Option<&Value>) -> Vec<String> {
    let (was, now) = (of(old), of(new));
    let without = |files: &[AttachedFile], others: &[AttachedFile], word: &str| -> Vec<String> {
        let gone = files.iter().filter(|file| !others.iter().any(|other| other.id == file.id));
        gone.map(|file| format!("{word} {}", told(file))).collect()
    };
    [without(&was, &now, "uklonjen fajl"), without(&now, &was, "dodat fajl")].concat()
}

/// Joins two people's files: those that either added stay, those that either took out go. None where the answers are no files.
pub fn merge(was: Option<&Value>, mine: Option<&Value>, theirs: Option<&Value>) -> Option<Option<Value>> {
    if ![was, mine, theirs].into_iter().flatten().any(are_files) {
        return None;
    }
    let ids = |value| -> BTreeSet<i64> { of(value).iter().map(|file| file.id).collect() };
    let (before, my, their) = (ids(was), ids(mine), ids(theirs));
    let mut joined: Vec<AttachedFile> = of(theirs).into_iter().filter(|file| my.contains(&file.id) || !before.contains(&file.id)).collect();
    joined.extend(of(mine).into_iter().filter(|file| !their.contains(&file.id) && !before.contains(&file.id)));
    Some(to_value(&joined))
}

/// The most files of a field.
pub fn most(field: &EntryField) -> usize {
    usize::try_from(field.tip_atributa.fajlovi.clone().unwrap_or_default().count()).unwrap_or_default()
}

/// What the files break of the rules of their field, with the first of them. Files that the entry `had` are held to no limit that is
/// narrower since: whoever adds one or takes one out need not part with the others.
pub fn fault(field: &EntryField, value: &Value, had: Option<&Value>) -> Option<String> {
    let (files, had) = (of(Some(value)), of(had));
    let limits = field.tip_atributa.fajlovi.clone().unwrap_or_default();
    if files.len() > most(field).max(had.len()) {
        return Some(format!("Stavka sa nazivom: {} prima najviše fajlova: {}.", field.naziv, most(field)));
    }
    let new = |file: &&AttachedFile| !had.iter().any(|old| old.id == file.id);
    files.iter().filter(new).find_map(|file| {
        let told = |why: &str| format!("{}, „{}”: {why}", field.naziv, file.naziv);
        let most = limits.najvise_megabajta.filter(|most| file.velicina > i64::from(*most) << 20);
        let too_large = most.map(|most| told(&format!("Fajl je veći od {most} MB, koliko je dozvoljeno.")));
        attachment::refusal(file.tip, &limits).map(|why| told(&why)).or(too_large)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        attachment::FileLimits,
        entry::form::{EntryField, FieldType},
    };

    fn file(id: i64) -> AttachedFile {
        AttachedFile { id, naziv: format!("{id}.pdf"), tip: FileKind::Pdf, velicina: 1536, sha256: "ab".into() }
    }

    fn files(ids: &[i64]) -> Option<Value> {
        to_value(&ids.iter().map(|id| file(*id)).collect::<Vec<_>>())
    }

    #[test]
    fn what_either_added_stays_and_what_either_took_out_goes() {
        let merged = |was: &[i64], mine: &[i64], theirs: &[i64]| merge(files(was).as_ref(), files(mine).as_ref(), files(theirs).as_ref());
        assert_eq!(merged(&[1, 2], &[1, 2, 3], &[1, 2, 4]), Some(files(&[1, 2, 4, 3])));
        assert_eq!(merged(&[1, 2], &[1], &[1, 2, 4]), Some(files(&[1, 4])));
        assert_eq!(merged(&[1, 2], &[1, 2, 3], &[2]), Some(files(&[2, 3])));
        assert_eq!(merged(&[1], &[], &[1, 2]), Some(files(&[2])));
        assert_eq!(merged(&[1], &[], &[]), Some(None));
        assert_eq!(merge(Some(&json!([1])), Some(&json!([2])), None), None, "a set");
    }

    #[test]
    fn files_are_told_by_name_and_size_and_by_what_became_of_them() {
        assert_eq!(text(&files(&[1, 2]).unwrap()), "1.pdf (1,5 KB), 2.pdf (1,5 KB)");
        assert_eq!(changes(files(&[1]).as_ref(), files(&[2]).as_ref()), ["uklonjen fajl 1.pdf (1,5 KB)", "dodat fajl 2.pdf (1,5 KB)"]);
    }

    #[test]
    fn a_field_takes_so_many_of_its_kinds_and_sizes() {
        let limited = |limits: FileLimits| EntryField {
            naziv: "Nalaz".into(),
            tip_atributa: FieldType { fajlovi: Some(limits), ..FieldType::default() },
            ..EntryField::default()
        };
        let two = limited(FileLimits { najvise_fajlova: Some(2), ..FileLimits::default() });
        assert_eq!(fault(&two, &files(&[1, 2]).unwrap(), None), None);
        assert_eq!(fault(&two, &files(&[1, 2, 3]).unwrap(), None).unwrap(), "Stavka sa nazivom: Nalaz prima najviše fajlova: 2.");
        let pictures = limited(FileLimits { vrste_fajlova: Some(vec![FileKind::Png]), ..FileLimits::default() });
        assert_eq!(fault(&pictures, &files(&[1]).unwrap(), None).unwrap(), "Nalaz, „1.pdf”: Fajl je PDF, a polje prima: PNG slika.");
        let small = limited(FileLimits { najvise_megabajta: Some(1), ..FileLimits::default() });
        let large = AttachedFile { velicina: (1 << 20) + 1, ..file(1) };
        assert!(fault(&small, &to_value(&[large]).unwrap(), None).unwrap().contains("veći od 1 MB"));
        let had = |ids: &[i64], held: &[i64]| fault(&two, &files(ids).unwrap(), files(held).as_ref()).is_some();
        assert_eq!((had(&[1, 2, 3], &[1, 2, 3, 4]), had(&[1, 2, 3, 4, 5], &[1, 2, 3, 4])), (false, true), "fewer than there were");
        assert_eq!(fault(&pictures, &files(&[1]).unwrap(), files(&[1, 2]).as_ref()), None, "it was there before");
        assert!(fault(&pictures, &files(&[1, 3]).unwrap(), files(&[1]).as_ref()).unwrap().contains("3.pdf"));
    }
}
