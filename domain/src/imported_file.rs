//! How large a file of data may be that is imported by screen.

/// The parameter, in megabytes.
pub const MOST_PARAMETER: &str = "uvozNajviseMegabajta";
/// Where no parameter says, and the most that the parameter may allow.
pub const MOST: i32 = 20;
pub const MOST_ALLOWED: i64 = 100;
