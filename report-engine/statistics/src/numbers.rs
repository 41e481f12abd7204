//! Sums that keep their digits, and ranks with ties.

/// The sum with what each addition loses kept beside it (Knuth's two-sum, Ogita, Rump and Oishi 2005): its error does not grow with n.
pub fn sum(values: impl IntoIterator<Item = f64>) -> f64 {
    let (mut total, mut lost) = (0.0_f64, 0.0_f64);
    for value in values {
        let next = total + value;
        let added = next - total;
        lost += (total - (next - added)) + (value - added);
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

/// A number in the order in which it is sorted.
#[derive(Clone, Copy, Default)]
struct Key {
    bits: u64,
    group: u32,
    place: u32,
}

/// The places of numbers within groups: by group, then by number, then by place. Sorted byte by byte (radix sort), the bytes that all share
/// left out: days and whole numbers have few that differ.
pub fn ascending(numbers: impl Iterator<Item = (u32, f64)>) -> Vec<u32> {
    let mut keys: Vec<Key> = numbers.zip(0..).map(|((group, number), place)| Key { bits: ordered_bits(number), group, place }).collect();
    let first = keys.first().copied().unwrap_or_default();
    let (bits, groups) =
        keys.iter().fold((0, 0), |(bits, groups), key| (bits | (key.bits ^ first.bits), groups | (key.group ^ first.group)));
    let mut spare = vec![Key::default(); keys.len()];
    for shift in (0..64).step_by(8).filter(|shift| bits >> shift & 0xFF != 0) {
        distribute(&mut keys, &mut spare, |key| (key.bits >> shift) as u8);
    }
    for shift in (0..32).step_by(8).filter(|shift| groups >> shift & 0xFF != 0) {
        distribute(&mut keys, &mut spare, |key| (key.group >> shift) as u8);
    }
    keys.into_iter().map(|key| key.place).collect()
}

/// Orders keys by one byte; those that share it stay in their order.
fn distribute(keys: &mut Vec<Key>, spare: &mut Vec<Key>, byte: impl Fn(&Key) -> u8) {
    let mut starts = [0usize; 257];
    for key in keys.iter() {
        starts[byte(key) as usize + 1] += 1;
    }
    for value in 1..256 {
        starts[value] += starts[value - 1];
    }
    for key in keys.iter() {
        let start = &mut starts[byte(key) as usize];
        spare[*start] = *key;
        *start += 1;
    }
    std::mem::swap(keys, spare);
}

/// Bits that are ordered as their numbers; both zeros are one.
fn ordered_bits(number: f64) -> u64 {
    let bits = (number + 0.0).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
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
    let order = ascending(values.iter().map(|value| (0, *value)));
    let mut ranks = vec![0.0; values.len()];
    let mut tie_sum = 0.0;
    let mut start = 0;
    for ties in order.chunk_by(|a, b| values[*a as usize] == values[*b as usize]) {
        let t = ties.len() as f64;
        for row in ties {
            ranks[*row as usize] = start as f64 + (t + 1.0) / 2.0;
        }
        tie_sum += t * (t * t - 1.0);
        start += ties.len();
    }
    Ranks { ranks, tie_sum }
}
