//! When a job that failed for a passing reason is tried again, and when no more.

/// Seconds from each failed attempt to the next; the attempt after the last of them is the last.
#[derive(Clone, Copy, Debug)]
pub struct Retries(pub &'static [f64]);

impl Retries {
    /// Seconds until the next attempt, after so many; `None`: that was the last.
    pub fn after(self, attempts: i32) -> Option<f64> {
        let failed = usize::try_from(attempts).ok()?.checked_sub(1)?;
        self.0.get(failed).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_attempt_has_its_delay_and_the_last_has_none() {
        let retries = Retries(&[2.0, 8.0]);
        assert_eq!([1, 2, 3, 4].map(|attempts| retries.after(attempts)), [Some(2.0), Some(8.0), None, None]);
        assert_eq!(retries.after(0), None, "a job that was never claimed is not tried again");
    }
}
