//! Shares of a count, with intervals that are right for small counts too.
use crate::distribution::{beta_quantile, binomial_two_sided};
use crate::error::{Error, Result};
use crate::estimate::{Estimate, Interval, IntervalMethod, Level};
use crate::test_result::{Rows, Test, TestResult};

fn check(count: u64, n: u64) -> Result<()> {
    if n == 0 {
        return Err(Error::too_few("proportion", 0, 1));
    }
    if count > n { Err(Error::out_of_range("proportion", "a count of at most n")) } else { Ok(()) }
}

/// Wilson's score interval (1927). Zero of n and n of n have a bound of exactly 0 or 1.
pub fn wilson(count: u64, n: u64, level: Level) -> Result<Estimate> {
    check(count, n)?;
    let (x, total, z) = (count as f64, n as f64, level.z());
    let p = x / total;
    let square = z * z;
    let centre = (x + square / 2.0) / (total + square);
    let half = z / (total + square) * (x * (1.0 - p) + square / 4.0).sqrt();
    let low = if count == 0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if count == n { 1.0 } else { (centre + half).min(1.0) };
    Ok(Estimate { value: p, se: None, interval: Interval::new(low, high, level, IntervalMethod::Wilson) })
}

/// The exact interval of Clopper and Pearson (1934).
pub fn clopper_pearson(count: u64, n: u64, level: Level) -> Result<Estimate> {
    check(count, n)?;
    let (x, total, tail) = (count as f64, n as f64, level.tail());
    let low = if count == 0 { 0.0 } else { beta_quantile(tail, x, total - x + 1.0) };
    let high = if count == n { 1.0 } else { beta_quantile(1.0 - tail, x + 1.0, total - x) };
    Ok(Estimate { value: x / total, se: None, interval: Interval::new(low, high, level, IntervalMethod::ClopperPearson) })
}

/// The exact binomial test of a share against an expected one; two-sided by adding all counts that are at most as likely.
pub fn binomial_test(count: u64, n: u64, expected: f64) -> Result<TestResult> {
    check(count, n)?;
    if !(0.0..=1.0).contains(&expected) {
        return Err(Error::out_of_range("proportion", "a probability"));
    }
    let rows = Rows { n: n as usize, missing: 0 };
    Ok(TestResult::exact(Test::ExactBinomial, count as f64, binomial_two_sided(count, n, expected), rows))
}
