//! p-values of several tests at once.
use crate::error::{Error, Result};

/// Holm's step-down adjustment (1979), in the order given. It holds the chance of any false finding.
pub fn holm(p: &[f64]) -> Result<Vec<f64>> {
    let order = ascending(p)?;
    let mut adjusted = vec![0.0; p.len()];
    let mut largest = 0.0_f64;
    for (place, &test) in order.iter().enumerate() {
        largest = largest.max((p.len() - place) as f64 * p[test]).min(1.0);
        adjusted[test] = largest;
    }
    Ok(adjusted)
}

/// Benjamini and Hochberg's step-up adjustment (1995), in the order given. It holds the expected share of false findings.
pub fn benjamini_hochberg(p: &[f64]) -> Result<Vec<f64>> {
    let order = ascending(p)?;
    let mut adjusted = vec![0.0; p.len()];
    let mut smallest = 1.0_f64;
    for (place, &test) in order.iter().enumerate().rev() {
        smallest = smallest.min(p.len() as f64 / (place + 1) as f64 * p[test]);
        adjusted[test] = smallest;
    }
    Ok(adjusted)
}

fn ascending(p: &[f64]) -> Result<Vec<usize>> {
    if p.iter().any(|p| !(0.0..=1.0).contains(p)) {
        return Err(Error::out_of_range("p", "a probability"));
    }
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    Ok(order)
}
