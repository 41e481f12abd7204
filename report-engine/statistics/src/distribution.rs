//! Tails and quantiles of distributions. The special functions are those of `statrs`; the incomplete beta is ours, since `statrs` stops its
//! fraction after 140 steps, which loses digits from some thousands of degrees of freedom.
use statrs::function::{erf, gamma};
use std::f64::consts::{PI, SQRT_2};

const LN_SQRT_2PI: f64 = 0.918_938_533_204_672_8;

pub fn normal_cdf(z: f64) -> f64 {
    0.5 * erf::erfc(-z / SQRT_2)
}

pub fn normal_two_sided(z: f64) -> f64 {
    erf::erfc(z.abs() / SQRT_2).min(1.0)
}

/// The quantile, refined by one step of Newton. `p` lies strictly between 0 and 1.
pub fn normal_quantile(p: f64) -> f64 {
    let z = -SQRT_2 * erf::erfc_inv(2.0 * p);
    let density = (-0.5 * z * z).exp() / (2.0 * PI).sqrt();
    if density > 0.0 { z - (normal_cdf(z) - p) / density } else { z }
}

/// Without degrees of freedom nothing can be told apart, and the tail is 1.
pub fn chi_squared_tail(x: f64, df: f64) -> f64 {
    if df <= 0.0 {
        return 1.0;
    }
    gamma_tail(df / 2.0, x / 2.0)
}

/// P(X > x) of a gamma variable with this shape and scale 1.
pub fn gamma_tail(shape: f64, x: f64) -> f64 {
    if x <= 0.0 {
        1.0
    } else if x.is_infinite() {
        0.0
    } else {
        gamma::gamma_ur(shape, x).clamp(0.0, 1.0)
    }
}

/// The quantile of a gamma variable with this shape and scale 1.
pub fn gamma_quantile(p: f64, shape: f64) -> f64 {
    let mut high = shape.max(1.0);
    while gamma_tail(shape, high) > 1.0 - p {
        high *= 2.0;
    }
    bisect(0.0, high, |x| 1.0 - gamma_tail(shape, x) < p)
}

pub fn t_two_sided(t: f64, df: f64) -> f64 {
    if t.is_infinite() { 0.0 } else { beta_cdf(df / (df + t * t), t * t / (df + t * t), df / 2.0, 0.5) }
}

pub fn t_quantile(p: f64, df: f64) -> f64 {
    if p < 0.5 {
        return -t_quantile(1.0 - p, df);
    }
    let two_sided = 2.0 * (1.0 - p);
    let mut high = 2.0;
    while t_two_sided(high, df) > two_sided {
        high *= 2.0;
    }
    bisect(0.0, high, |t| t_two_sided(t, df) > two_sided)
}

pub fn f_tail(f: f64, df1: f64, df2: f64) -> f64 {
    if f <= 0.0 {
        1.0
    } else if f.is_infinite() {
        0.0
    } else {
        let total = df2 + df1 * f;
        beta_cdf(df2 / total, df1 * f / total, df2 / 2.0, df1 / 2.0)
    }
}

/// P(X <= k) of a binomial variable. Negative `k` has none, `k >= n` all.
pub fn binomial_cdf(k: i64, n: u64, p: f64) -> f64 {
    if k < 0 {
        0.0
    } else if k as u64 >= n {
        1.0
    } else {
        beta_cdf(1.0 - p, p, n as f64 - k as f64, k as f64 + 1.0)
    }
}

/// The smallest k with P(X <= k) >= probability.
pub fn binomial_quantile(probability: f64, n: u64, p: f64) -> u64 {
    let (mut below, mut reached) = (-1_i64, n as i64);
    while reached - below > 1 {
        let middle = below + (reached - below) / 2;
        if binomial_cdf(middle, n, p) >= probability { reached = middle } else { below = middle }
    }
    reached as u64
}

/// The two-sided exact binomial p: all counts that are at most as likely as `k`, with the tolerance of R's `binom.test`.
pub fn binomial_two_sided(k: u64, n: u64, p: f64) -> f64 {
    let observed = binomial_density(k as f64, n as f64, p, 1.0 - p) * (1.0 + 1e-7);
    let likely = |count: u64| binomial_density(count as f64, n as f64, p, 1.0 - p) > observed;
    let mode = (((n + 1) as f64 * p).floor() as u64).min(n);
    if !likely(mode) {
        return 1.0;
    }
    if (k as f64) < n as f64 * p {
        let upper = first_from(mode, n, |count| !likely(count));
        let above = upper.map_or(0.0, |from| 1.0 - binomial_cdf(from as i64 - 1, n, p));
        (binomial_cdf(k as i64, n, p) + above).min(1.0)
    } else {
        let lower = first_from(0, mode, likely);
        let below = binomial_cdf(lower.unwrap_or(mode) as i64 - 1, n, p);
        (below + 1.0 - binomial_cdf(k as i64 - 1, n, p)).min(1.0)
    }
}

/// The first count in `from..=to` that holds, of a condition that stays true once it is.
fn first_from(from: u64, to: u64, holds: impl Fn(u64) -> bool) -> Option<u64> {
    if !holds(to) {
        return None;
    }
    let (mut low, mut high) = (from, to);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) { high = middle } else { low = middle + 1 }
    }
    Some(low)
}

pub fn beta_quantile(p: f64, a: f64, b: f64) -> f64 {
    bisect(0.0, 1.0, |x| beta_cdf(x, 1.0 - x, a, b) < p)
}

/// The regularised incomplete beta I_x(a, b), by Lentz's continued fraction (DLMF 8.17.22). `y` is 1 - x, given apart to keep its digits.
pub fn beta_cdf(x: f64, y: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if y <= 0.0 {
        return 1.0;
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return (1.0 - beta_fraction(y, x, b, a)).clamp(0.0, 1.0);
    }
    beta_fraction(x, y, a, b).clamp(0.0, 1.0)
}

fn beta_fraction(x: f64, y: f64, a: f64, b: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let front = b / (a + b) * binomial_density(a, a + b, x, y);
    let away = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / away(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for step in 1..20_000 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / away(1.0 + even * d);
        c = away(1.0 + even / c);
        fraction *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / away(1.0 + odd * d);
        c = away(1.0 + odd / c);
        fraction *= d * c;
        if (d * c - 1.0).abs() < 1e-15 {
            break;
        }
    }
    front * fraction
}

/// The binomial probability for real x and n, by Loader's saddle point (2000), which keeps its digits for large n. `q` is 1 - p.
pub fn binomial_density(x: f64, n: f64, p: f64, q: f64) -> f64 {
    if p <= 0.0 {
        return if x == 0.0 { 1.0 } else { 0.0 };
    }
    if q <= 0.0 {
        return if x == n { 1.0 } else { 0.0 };
    }
    if x <= 0.0 {
        return (n * if p < 0.1 { (-p).ln_1p() } else { q.ln() }).exp();
    }
    if x >= n {
        return (n * if q < 0.1 { (-q).ln_1p() } else { p.ln() }).exp();
    }
    let exponent = stirling_error(n) - stirling_error(x) - stirling_error(n - x) - deviance(x, n * p) - deviance(n - x, n * q);
    (n / (2.0 * PI * x * (n - x))).sqrt() * exponent.exp()
}

/// ln n! less Stirling's approximation.
fn stirling_error(n: f64) -> f64 {
    if n < 16.0 {
        return gamma::ln_gamma(n + 1.0) - (n + 0.5) * n.ln() + n - LN_SQRT_2PI;
    }
    let square = n * n;
    (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - (1.0 / 1680.0 - 1.0 / 1188.0 / square) / square) / square) / square) / n
}

/// x ln(x / mean) + mean - x, without cancellation where x is near the mean.
fn deviance(x: f64, mean: f64) -> f64 {
    if (x - mean).abs() >= 0.1 * (x + mean) {
        return x * (x / mean).ln() + mean - x;
    }
    let v = (x - mean) / (x + mean);
    let mut total = (x - mean) * v;
    let mut power = 2.0 * x * v;
    for step in 1..1000 {
        power *= v * v;
        let next = total + power / f64::from(2 * step + 1);
        if next == total {
            break;
        }
        total = next;
    }
    total
}

/// Where `below` turns from true to false, to the last bit.
pub fn bisect(low: f64, high: f64, below: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (low, high);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if below(middle) { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}
