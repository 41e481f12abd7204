//! Standardised differences of two groups, by which balance is judged apart from sample size.
use crate::column::{Factor, Numeric};
use crate::compare::table::CrossTable;
use crate::error::{Error, Result};
use crate::numbers::moments;
use nalgebra::{DMatrix, DVector};

/// The standardised mean difference, first less second: over the root of the mean of both variances (Austin 2009). Needs two values in each
/// of exactly two groups; no spread in either is [`Error::Constant`].
pub fn mean_difference(x: Numeric, by: Factor) -> Result<f64> {
    let grouped = x.by(by)?;
    let [a, b] = grouped.two(by.name)?;
    let shorter = a.len().min(b.len());
    if shorter < 2 {
        return Err(Error::too_few(x.name, shorter, 2));
    }
    let ((a_mean, a_squares), (b_mean, b_squares)) = (moments(a), moments(b));
    let variance = (a_squares / (a.len() as f64 - 1.0) + b_squares / (b.len() as f64 - 1.0)) / 2.0;
    if variance <= 0.0 { Err(Error::constant(x.name)) } else { Ok((a_mean - b_mean) / variance.sqrt()) }
}

/// The difference of two groups' shares over all categories, never negative (Yang and Dalton 2012). For two categories it is the absolute
/// standardised difference of shares. Levels that nobody has are left out.
pub fn category_difference(x: Factor, by: Factor) -> Result<f64> {
    let table = CrossTable::of(by, x)?;
    let filled: Vec<&Vec<u64>> = table.counts.iter().filter(|row| row.iter().any(|&count| count > 0)).collect();
    let [a, b] = filled[..] else { return Err(Error::two_groups(by.name, filled.len())) };
    let shares = |row: &[u64]| -> Vec<f64> {
        let total = row.iter().sum::<u64>() as f64;
        let used = (0..row.len()).filter(|&level| a[level] + b[level] > 0);
        used.map(|level| row[level] as f64 / total).collect()
    };
    let (a_shares, b_shares) = (shares(a), shares(b));
    if a_shares.len() < 2 {
        return Err(Error::constant(x.name));
    }
    // The last category follows from the others.
    let size = a_shares.len() - 1;
    let covariance = DMatrix::from_fn(size, size, |i, j| (covariance(&a_shares, i, j) + covariance(&b_shares, i, j)) / 2.0);
    let difference = DVector::from_fn(size, |i, _| a_shares[i] - b_shares[i]);
    let solved = covariance.cholesky().ok_or_else(|| Error::constant(x.name))?.solve(&difference);
    Ok(difference.dot(&solved).max(0.0).sqrt())
}

fn covariance(shares: &[f64], i: usize, j: usize) -> f64 {
    if i == j { shares[i] * (1.0 - shares[i]) } else { -shares[i] * shares[j] }
}
