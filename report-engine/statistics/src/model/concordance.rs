//! Harrell's C: how often the one with the higher predicted risk had the event first.
use crate::model::cox::CoxFit;
use crate::model::cox_likelihood::Subject;
use crate::numbers::ascending;

/// Pairs of which one is known to have had the event before the other, within strata.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Concordance {
    pub concordant: u64,
    pub discordant: u64,
    pub tied_risk: u64,
}

impl Concordance {
    /// C, with tied risks counted as a half (Harrell 1996); `None` without any pair.
    pub fn c(&self) -> Option<f64> {
        let pairs = self.concordant + self.discordant + self.tied_risk;
        (pairs > 0).then(|| (self.concordant as f64 + self.tied_risk as f64 / 2.0) / pairs as f64)
    }
}

impl CoxFit {
    /// Counts pairs in n log n steps. Two events at the same time are no pair; an event and a censoring at the same time are one, as in R.
    pub fn concordance(&self) -> Concordance {
        let sets = &self.risk_sets;
        let risks: Vec<f64> = (0..sets.subjects.len()).map(|place| sets.predictor(place, &self.beta)).collect();
        let mut sum = Concordance::default();
        let mut from = 0;
        for stratum in sets.subjects.chunk_by(|a, b| a.stratum == b.stratum) {
            let to = from + stratum.len();
            let by_entry = sets.by_entry.get(from..to).unwrap_or(&[]);
            count_stratum(stratum, &dense_ranks(&risks[from..to]), by_entry, from, &mut sum);
            from = to;
        }
        sum
    }
}

/// `by_entry` counts places from the first stratum on, `from` is the first of this one.
fn count_stratum(subjects: &[Subject], ranks: &[usize], by_entry: &[u32], from: usize, sum: &mut Concordance) {
    let mut later = Counts::new(ranks.iter().max().map_or(0, |most| most + 1));
    let mut entries = by_entry.iter().map(|place| *place as usize - from).peekable();
    let mut start = 0;
    for tied in subjects.chunk_by(|a, b| a.time == b.time) {
        let places = start..start + tied.len();
        start += tied.len();
        for place in places.clone().filter(|place| !subjects[*place].event) {
            later.add(ranks[place], 1);
        }
        // Those who enter at this time or later have been added, since their follow-up ends after it.
        while let Some(place) = entries.next_if(|place| subjects[*place].entry >= tied[0].time) {
            later.add(ranks[place], -1);
        }
        for place in places.clone().filter(|place| subjects[*place].event) {
            let (below, upto) = (later.below(ranks[place]), later.below(ranks[place] + 1));
            sum.concordant += below;
            sum.tied_risk += upto - below;
            sum.discordant += later.all - upto;
        }
        for place in places.filter(|place| subjects[*place].event) {
            later.add(ranks[place], 1);
        }
    }
}

/// Equal values share a rank.
fn dense_ranks(values: &[f64]) -> Vec<usize> {
    let order = ascending(values.iter().map(|value| (0, *value)));
    let mut ranks = vec![0; values.len()];
    for (rank, tied) in order.chunk_by(|a, b| values[*a as usize] == values[*b as usize]).enumerate() {
        for &place in tied {
            ranks[place as usize] = rank;
        }
    }
    ranks
}

/// Counts by rank with running sums (a Fenwick tree).
struct Counts {
    tree: Vec<i64>,
    all: u64,
}

impl Counts {
    fn new(ranks: usize) -> Counts {
        Counts { tree: vec![0; ranks + 1], all: 0 }
    }

    fn add(&mut self, rank: usize, count: i64) {
        self.all = self.all.saturating_add_signed(count);
        let mut node = rank + 1;
        while node < self.tree.len() {
            self.tree[node] += count;
            node += node & node.wrapping_neg();
        }
    }

    fn below(&self, rank: usize) -> u64 {
        let (mut node, mut sum) = (rank, 0);
        while node > 0 {
            sum += self.tree[node];
            node &= node - 1;
        }
        sum as u64
    }
}
