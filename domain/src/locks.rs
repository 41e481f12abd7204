//! The advisory locks of a database, by number; statements of migrations name them too. Nothing waits for what another lock guards.

/// Roles belong to the cluster: two installations migrated at once would trip over each other.
pub const ROLES: i64 = 7_231_840_001;
/// Partitions are made by one at a time; taken by `ensure_partitions` alone.
pub const PARTITIONS: i64 = 7_231_840_002;
/// Two imports at once would not see each other's patients.
pub const IMPORT: i64 = 7_231_840_003;
/// Changes of who holds what wait for each other: two of them side by side could each be right, and both together not.
pub const RIGHTS: i64 = 7_231_840_004;
/// Held while a month is moved into a file, and shared by `anonymise_patient`: neither sees half of the other.
pub const ARCHIVE: i64 = 7_231_840_005;
/// Engines choose the next run one after the other: each sees how many slots the last one left.
pub const TURN: i64 = 7_231_840_006;
/// What visit plans owe is caught up with by one scheduler at a time; taken by `advance_visit_plans` alone.
pub const PLANS: i64 = 7_231_840_007;
/// The seed of locks of what tiles of boards ask: of all who ask the same at once, one orders the run.
pub const BOARD_QUESTION: i64 = 7_231_840_008;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::schema;

    /// Numbers of the locks that the functions of this file take.
    fn taken(sql: &str) -> impl Iterator<Item = i64> {
        let calls = sql.split("advisory_xact_lock").skip(1).filter_map(|rest| rest.split_once('(')).map(|(_, rest)| rest);
        calls.filter_map(|rest| rest.split_once(')')?.0.parse().ok())
    }

    #[test]
    fn each_lock_has_a_number_of_its_own_and_functions_take_no_other() {
        assert_eq!(BTreeSet::from([ROLES, PARTITIONS, IMPORT, RIGHTS, ARCHIVE, TURN, PLANS, BOARD_QUESTION]).len(), 8);
        let found: Vec<(&str, i64)> = schema::DEFINITIONS.iter().flat_map(|(file, sql)| taken(sql).map(|lock| (*file, lock))).collect();
        let names: Vec<i64> = found.iter().map(|(_, lock)| *lock).collect();
        assert_eq!(names, [PARTITIONS, ARCHIVE, PLANS], "{found:?}");
    }
}
