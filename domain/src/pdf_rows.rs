//! How many rows a report may have in PDF: as the installation's parameter says, within what its pages can still be used for.
use sqlx::PgExecutor;

pub const PARAMETER: &str = "izvestajNajviseRedovaPdf";
pub const USUAL: u64 = 10_000;
pub const MOST_ALLOWED: u64 = 100_000;

pub async fn most(db: impl PgExecutor<'_>) -> sqlx::Result<u64> {
    let stored = sqlx::query_scalar!("select vrednost from parameter where naziv = $1 and aktivan", PARAMETER).fetch_optional(db).await?;
    Ok(stored.as_deref().and_then(within).unwrap_or(USUAL))
}

/// The number that the parameter says; `None`: it is out of bounds.
pub fn within(value: &str) -> Option<u64> {
    value.trim().parse().ok().filter(|rows| (1..=MOST_ALLOWED).contains(rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_rows_is_from_one_to_the_most_allowed() {
        assert_eq!(["1", " 25000 ", "100000"].map(within), [Some(1), Some(25_000), Some(100_000)]);
        assert_eq!(["0", "100001", "-1", "", "mnogo", "10.000"].map(within), [None; 6]);
    }
}
