//! Seconds of processor time of the three analyses that a register makes most, beside R in the same run:
//! `./dev bench statistics`, with other numbers of rows as arguments.
use statistics::compare::means::welch_t;
use statistics::compare::ranks::mann_whitney;
use statistics::compare::table::{Continuity, CrossTable, chi_squared};
use statistics::describe::{QuantileType, summarise_values};
use statistics::model::cox::{CoxModel, Ties, cox};
use statistics::model::design::{Covariate, Term};
use statistics::survival::curve::{Band, kaplan_meier_by};
use statistics::survival::follow_up::FollowUp;
use statistics::survival::log_rank::{Weight, log_rank};
use statistics::{Binary, Factor, Level, Numeric};
use std::collections::HashMap;
use std::process::Command;

/// At most a tenth of R's processor time from so many rows on.
const GOAL: f64 = 0.1;
const GOAL_ROWS: usize = 100_000;

fn main() {
    let given: Vec<usize> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let sizes = if given.is_empty() { vec![1_000, 10_000, 100_000] } else { given };
    let of_r = r_seconds(&sizes);
    println!("{:<12} {:>9} {:>10} {:>10} {:>7}", "analysis", "rows", "ours, s", "R, s", "share");
    let mut slow = Vec::new();
    for &n in &sizes {
        let data = Data::new(n);
        for (name, work) in [("KM+log-rank", Data::survival as fn(&Data)), ("Cox", Data::cox), ("Table1", Data::table_one)] {
            let ours = seconds_of(|| work(&data));
            match of_r.get(&(name.to_string(), n)) {
                Some(r) => {
                    println!("{name:<12} {n:>9} {ours:>10.4} {r:>10.3} {:>7.3}", ours / r);
                    if n >= GOAL_ROWS && ours / r > GOAL {
                        slow.push(name);
                    }
                }
                None => println!("{name:<12} {n:>9} {ours:>10.4} {:>10}", "no R"),
            }
        }
    }
    assert!(slow.is_empty(), "more than a tenth of R's time: {}", slow.join(", "));
}

/// What R took, where it is with its package survival.
fn r_seconds(sizes: &[usize]) -> HashMap<(String, usize), f64> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/statistics.R");
    let output = Command::new("Rscript").arg(script).args(sizes.iter().map(usize::to_string)).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        Some(((words.next()?.to_string(), words.next()?.parse().ok()?), words.next()?.parse().ok()?))
    };
    text.lines().filter_map(line).collect()
}

/// Of one run, over as many as take a fifth of a second: Linux counts in steps of a few milliseconds.
fn seconds_of(work: impl Fn()) -> f64 {
    let (clock, from) = (std::time::Instant::now(), processor_seconds());
    let mut runs = 0.0;
    while clock.elapsed().as_secs_f64() < 0.2 {
        work();
        runs += 1.0;
    }
    (processor_seconds() - from) / runs
}

/// Processor time of this thread, by Linux's count of nanoseconds.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("a Linux that counts processor time");
    let nanoseconds = text.split_whitespace().next().and_then(|word| word.parse::<f64>().ok());
    nanoseconds.expect("nanoseconds") / 1e9
}

struct Data {
    time: Vec<Option<f64>>,
    event: Vec<Option<bool>>,
    group: Vec<Option<u32>>,
    covariates: Vec<Vec<Option<f64>>>,
    numbers: Vec<Vec<Option<f64>>>,
    categories: Vec<Vec<Option<u32>>>,
}

/// A generator for the bench alone (SplitMix64), so that each run has the same rows.
struct Random(u64);

impl Random {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }
}

impl Data {
    fn new(n: usize) -> Data {
        let mut random = Random(1);
        let covariates: Vec<Vec<Option<f64>>> = (0..10).map(|_| (0..n).map(|_| Some(random.normal())).collect()).collect();
        let group: Vec<Option<u32>> = (0..n).map(|_| Some(u32::from(random.uniform() < 0.5))).collect();
        let ends: Vec<f64> = (0..n)
            .map(|row| {
                let effect: f64 = covariates.iter().map(|column| 0.1 * column[row].unwrap_or(0.0)).sum();
                -random.uniform().ln() / (0.001 * (effect + 0.2 * f64::from(group[row].unwrap_or(0))).exp())
            })
            .collect();
        Data {
            time: ends.iter().map(|end| Some(end.min(2000.0).ceil())).collect(),
            event: ends.iter().map(|end| Some(*end <= 2000.0)).collect(),
            group,
            covariates,
            numbers: (0..20).map(|_| (0..n).map(|_| Some((1000.0 + 150.0 * random.normal()).round() / 10.0)).collect()).collect(),
            categories: (0..10).map(|_| (0..n).map(|_| Some((4.0 * random.uniform()) as u32)).collect()).collect(),
        }
    }

    fn follow_up(&self) -> FollowUp<'_> {
        FollowUp::new(Numeric { name: "time", values: &self.time }, Binary { name: "event", values: &self.event })
    }

    fn by(&self) -> Factor<'_> {
        Factor { name: "group", levels: &["0", "1"], codes: &self.group }
    }

    fn survival(&self) {
        kaplan_meier_by(&self.follow_up(), self.by(), Band::LogLog, Level::P95).expect("curves");
        log_rank(&self.follow_up(), self.by(), None, Weight::LogRank).expect("a test");
    }

    fn cox(&self) {
        let terms: Vec<Term> = self.covariates.iter().map(|values| Term::Main(Covariate::Numeric(Numeric { name: "x", values }))).collect();
        let model = CoxModel { follow_up: self.follow_up(), terms: &terms, strata: None, ties: Ties::Efron, level: Level::P95 };
        cox(&model).expect("a model");
    }

    fn table_one(&self) {
        for values in &self.numbers {
            let x = Numeric { name: "x", values };
            for group in x.by(self.by()).expect("groups").groups {
                summarise_values("x", group, 0, Level::P95, QuantileType::Linear7).expect("a summary");
            }
            welch_t(x, self.by(), Level::P95).expect("a test");
            mann_whitney(x, self.by()).expect("a test");
        }
        for codes in &self.categories {
            let category = Factor { name: "category", levels: &["0", "1", "2", "3"], codes };
            chi_squared(&CrossTable::of(category, self.by()).expect("a table"), Continuity::None).expect("a test");
        }
    }
}
