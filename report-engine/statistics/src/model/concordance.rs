//! Harrell's C: how often the one with the higher predicted risk had the event first.
use crate::estimate::{Estimate, Level};
use crate::model::cox::CoxFit;
use crate::model::cox_likelihood::Subject;
use crate::numbers::ascending;

/// Pairs of which one is known to have had the event before the other, within strata.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Concordance {
    pub concordant: u64,
    pub discordant: u64,
    pub tied_risk: u64,
    variance: f64,
}

impl Concordance {
    /// C, with tied risks counted as a half (Harrell 1996); `None` without any pair.
    pub fn c(&self) -> Option<f64> {
        let pairs = self.pairs();
        (pairs > 0).then(|| (self.concordant as f64 + self.tied_risk as f64 / 2.0) / pairs as f64)
    }

    /// C ± z·SE with the variance of the infinitesimal jackknife, as R's `concordance`. `None` without any pair.
    pub fn estimate(&self, level: Level) -> Option<Estimate> {
        self.c().map(|c| Estimate::wald(c, self.variance.sqrt(), level))
    }

    fn pairs(&self) -> u64 {
        self.concordant + self.discordant + self.tied_risk
    }
}

/// What one person has part in: all pairs, and twice those in order, a tie of risks counted once.
#[derive(Clone, Copy, Default)]
struct Share {
    pairs: i64,
    twice_right: i64,
}

impl CoxFit {
    /// Counts pairs in n log n steps. Two events at the same time are no pair; an event and a censoring at the same time are one, as in R.
    pub fn concordance(&self) -> Concordance {
        let sets = &self.risk_sets;
        let risks: Vec<f64> = (0..sets.subjects.len()).map(|place| sets.predictor(place, &self.beta)).collect();
        let mut shares = vec![Share::default(); risks.len()];
        let mut sum = Concordance::default();
        let mut from = 0;
        for stratum in sets.subjects.chunk_by(|a, b| a.stratum == b.stratum) {
            let to = from + stratum.len();
            let by_entry: Vec<usize> = sets.by_entry.get(from..to).unwrap_or(&[]).iter().map(|place| *place as usize - from).collect();
            let ranks = dense_ranks(&risks[from..to]);
            count_later(stratum, &ranks, &by_entry, &mut shares[from..to], &mut sum);
            count_earlier(stratum, &ranks, &by_entry, &mut shares[from..to]);
            from = to;
        }
        if let Some(c) = sum.c() {
            let influence = |share: &Share| share.twice_right as f64 / 2.0 - c * share.pairs as f64;
            sum.variance = shares.iter().map(|share| influence(share).powi(2)).sum::<f64>() / (sum.pairs() as f64).powi(2);
        }
        sum
    }
}

/// Pairs of each event with those who are followed longer, from the last time to the first.
fn count_later(subjects: &[Subject], ranks: &[usize], by_entry: &[usize], shares: &mut [Share], sum: &mut Concordance) {
    let mut later = Counts::new(ranks.iter().max().map_or(0, |most| most + 1));
    let mut entries = by_entry.iter().copied().peekable();
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
            let [below, same, above] = later.around(ranks[place]);
            sum.concordant += below as u64;
            sum.tied_risk += same as u64;
            sum.discordant += above as u64;
            shares[place].pairs += later.all;
            shares[place].twice_right += 2 * below + same;
        }
        for place in places.filter(|place| subjects[*place].event) {
            later.add(ranks[place], 1);
        }
    }
}

/// Pairs of each person with the events before the end of her follow-up and after her entry, from the first time to the last.
fn count_earlier(subjects: &[Subject], ranks: &[usize], by_entry: &[usize], shares: &mut [Share]) {
    let mut earlier = Counts::new(ranks.iter().max().map_or(0, |most| most + 1));
    let mut entries = by_entry.iter().rev().copied().peekable();
    let mut end = subjects.len();
    for tied in subjects.chunk_by(|a, b| a.time == b.time).rev() {
        let places = end - tied.len()..end;
        end -= tied.len();
        while let Some(place) = entries.next_if(|place| subjects[*place].entry < tied[0].time) {
            add_share(&mut shares[place], &earlier, ranks[place], -1);
        }
        for place in places.clone().filter(|place| subjects[*place].event) {
            add_share(&mut shares[place], &earlier, ranks[place], 1);
        }
        for place in places.clone().filter(|place| subjects[*place].event) {
            earlier.add(ranks[place], 1);
        }
        for place in places.filter(|place| !subjects[*place].event) {
            add_share(&mut shares[place], &earlier, ranks[place], 1);
        }
    }
}

fn add_share(share: &mut Share, earlier: &Counts, rank: usize, sign: i64) {
    let [_, same, above] = earlier.around(rank);
    share.pairs += sign * earlier.all;
    share.twice_right += sign * (2 * above + same);
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
    all: i64,
}

impl Counts {
    fn new(ranks: usize) -> Counts {
        Counts { tree: vec![0; ranks + 1], all: 0 }
    }

    fn add(&mut self, rank: usize, count: i64) {
        self.all += count;
        let mut node = rank + 1;
        while node < self.tree.len() {
            self.tree[node] += count;
            node += node & node.wrapping_neg();
        }
    }

    /// How many are below, at and above a rank.
    fn around(&self, rank: usize) -> [i64; 3] {
        let (below, upto) = (self.below(rank), self.below(rank + 1));
        [below, upto - below, self.all - upto]
    }

    fn below(&self, rank: usize) -> i64 {
        let (mut node, mut sum) = (rank, 0);
        while node > 0 {
            sum += self.tree[node];
            node &= node - 1;
        }
        sum
    }
}
