//! Exact distributions of rank statistics without ties, by counting in probabilities.

/// P(U <= u) for groups of m and n: the chance of each sum of m ranks out of m + n, built one rank at a time.
pub fn rank_sum_tail(u: usize, m: usize, n: usize) -> f64 {
    let reach = m * n;
    // ways[j][s]: subsets of j of the ranks so far, whose sum is s above its least.
    let mut ways = vec![vec![0.0_f64; reach + 1]; m + 1];
    ways[0][0] = 1.0;
    for seen in 1..=m + n {
        for size in (1..=m.min(seen)).rev() {
            // Taking rank `seen` as the largest of `size` adds the seen - size ranks that were passed over.
            let passed = seen - size;
            if passed > n {
                continue;
            }
            let (smaller, larger) = ways.split_at_mut(size);
            for total in (passed..=reach).rev() {
                larger[0][total] += smaller[size - 1][total - passed];
            }
        }
    }
    share_up_to(&ways[m], u)
}

/// P(V <= v) of the sum of ranks with a positive sign among n.
pub fn signed_rank_tail(v: usize, n: usize) -> f64 {
    let reach = n * (n + 1) / 2;
    let mut ways = vec![0.0_f64; reach + 1];
    ways[0] = 1.0;
    for rank in 1..=n {
        for total in (rank..=reach).rev() {
            ways[total] += ways[total - rank];
        }
    }
    share_up_to(&ways, v)
}

fn share_up_to(ways: &[f64], limit: usize) -> f64 {
    ways[..=limit].iter().sum::<f64>() / ways.iter().sum::<f64>()
}
