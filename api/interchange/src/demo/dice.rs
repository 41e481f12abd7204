//! Chance that falls the same way every time: each throw is a hash of what it is for.

/// Throws for one subject, as `Dice::of("pregled", 17)`.
pub struct Dice {
    state: u64,
}

impl Dice {
    pub fn of(purpose: &str, subject: u64) -> Self {
        // FNV-1a of the purpose, so that throws for different purposes have nothing in common.
        let seed = purpose.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        Self { state: seed ^ subject.wrapping_mul(0x9e37_79b9_7f4a_7c15) }
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// 0 to `end - 1`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// 0 to 1, one left out.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Around 0, seldom beyond `spread` times 2.
    pub fn noise(&mut self, spread: f64) -> f64 {
        (self.unit() + self.unit() + self.unit() - 1.5) * 2.0 * spread
    }

    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[usize::try_from(self.below(from.len() as u64)).expect("a place in a list")]
    }
}
