//! Sums that keep their digits, and ranks with ties.

/// The sum by Neumaier's compensation (1974): its error does not grow with n.
pub fn sum(values: impl IntoIterator<Item = f64>) -> f64 {
    let (mut total, mut lost) = (0.0_f64, 0.0_f64);
    for value in values {
        let next = total + value;
        lost += if total.abs() >= value.abs() { (total - next) + value } else { (value - next) + total };
        total = next;
    }
    total + lost
}

/// Mean and sum of squared deviations, in two passes with the correction of Chan, Golub and LeVeque (1983). Empty slices give zeros.
pub fn moments(values: &[f64]) -> (f64, f64) {
    if values.is_empty() {
        return (0.0, 0.0);
    }
    let n = values.len() as f64;
    let mean = sum(values.iter().copied()) / n;
    let shift = sum(values.iter().map(|x| x - mean));
    let squares = sum(values.iter().map(|x| (x - mean) * (x - mean)));
    (mean + shift / n, (squares - shift * shift / n).max(0.0))
}

/// Whether the spread is nothing but the rounding of numbers of this size.
pub fn is_constant(values: &[f64]) -> bool {
    values.windows(2).all(|pair| pair[0] == pair[1])
}

pub fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

/// Midranks from one, in the order of the values, with the sum of t³ - t over groups of t ties.
pub struct Ranks {
    pub ranks: Vec<f64>,
    pub tie_sum: f64,
}

impl Ranks {
    pub fn has_ties(&self) -> bool {
        self.tie_sum > 0.0
    }
}

pub fn rank(values: &[f64]) -> Ranks {
    let mut order: Vec<(f64, u32)> = values.iter().copied().zip(0..).collect();
    order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let mut ranks = vec![0.0; values.len()];
    let mut tie_sum = 0.0;
    let mut start = 0;
    for ties in order.chunk_by(|a, b| a.0 == b.0) {
        let t = ties.len() as f64;
        for (_, row) in ties {
            ranks[*row as usize] = start as f64 + (t + 1.0) / 2.0;
        }
        tie_sum += t * (t * t - 1.0);
        start += ties.len();
    }
    Ranks { ranks, tie_sum }
}
