//! Chance that falls the same way every time: each throw is a hash of what it is for.

/// A throw for one subject and purpose (SplitMix64).
pub fn throw(purpose: u64, subject: u64) -> u64 {
    let mut mixed = purpose.wrapping_mul(0xd134_2543_de82_ef95) ^ subject.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// 0 to 1, one left out.
pub fn unit(purpose: u64, subject: u64) -> f64 {
    (throw(purpose, subject) >> 11) as f64 / (1_u64 << 53) as f64
}

/// A place in a list of which the first are far more frequent, as surnames and words are (Zipf).
pub fn rank(throw: u64, length: usize) -> usize {
    let unit = (throw >> 11) as f64 / (1_u64 << 53) as f64;
    ((length as f64).powf(unit) as usize).saturating_sub(1).min(length - 1)
}
