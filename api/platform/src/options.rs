//! Workers as the choices of a list, and the choices that a query names.

use serde::Serialize;
use utoipa::ToSchema;

use crate::page::Page;

/// A choice of a list.
#[derive(Serialize, ToSchema)]
pub struct WorkerOption {
    pub value: i64,
    pub label: String,
}

/// A worker who may be chosen, and how many there are together.
pub struct FoundWorker {
    pub value: i64,
    pub label: String,
    pub total: i64,
}

impl WorkerOption {
    pub fn page(found: Vec<FoundWorker>) -> Page<Self> {
        let total = found.first().map_or(0, |first| first.total);
        Page { total, ..Page::all(found.into_iter().map(|one| Self { value: one.value, label: one.label }).collect()) }
    }
}

/// The members of `1,2,3`; what cannot be read is none.
pub fn comma_list<T: std::str::FromStr>(list: &str) -> Vec<T> {
    list.split(',').map(str::trim).filter(|one| !one.is_empty()).filter_map(|one| one.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_without_their_blanks() {
        assert_eq!(comma_list::<i64>(" 3, 7,,x,9 "), [3, 7, 9]);
        assert_eq!(comma_list::<String>("patient,"), ["patient"]);
    }
}
