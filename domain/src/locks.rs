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
