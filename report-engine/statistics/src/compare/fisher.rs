//! Fisher's exact test of tables of any size, within a bound of work.
use crate::compare::table::CrossTable;
use crate::error::{Error, Result};
use crate::test_result::{Test, TestResult};
use statrs::function::factorial::ln_factorial;
use std::collections::BTreeMap;

/// Steps that one table may take: a second or two.
const WORK: usize = 20_000_000;
/// Ways to fill one column that are held at once.
const CHILDREN: usize = 1_000_000;
/// Tables as likely as the observed one count, with R's tolerance for rounding.
const TOLERANCE: f64 = 1e-7;

/// The two-sided p: the chance, with the margins fixed, of all tables that are at most as likely as the observed one. The statistic is the
/// observed table's own chance. Empty rows and columns are left out. A table that needs too much work is [`Error::TooMuchWork`]; take
/// chi-squared then, and say so.
pub fn fisher_exact(table: &CrossTable) -> Result<TestResult> {
    let counts = table.filled()?;
    let mut columns = transposed(&counts);
    let mut rows: Vec<u64> = counts.iter().map(|row| row.iter().sum()).collect();
    if columns.len() < rows.len() {
        rows = columns.iter().map(|column| column.iter().sum()).collect();
        columns = counts;
    }
    let mut sizes: Vec<u64> = columns.iter().map(|column| column.iter().sum()).collect();
    sizes.sort_unstable();
    rows.sort_unstable();
    let constant = sizes.iter().chain(&rows).map(|&m| ln_factorial(m)).sum::<f64>() - ln_factorial(table.n());
    let observed = -columns.iter().flatten().map(|&count| ln_factorial(count)).sum::<f64>();
    let p = Network::new(sizes).share_up_to(rows, observed + TOLERANCE, constant)?;
    Ok(TestResult::exact(Test::FisherExact, (constant + observed).exp(), p, table.rows()))
}

/// Margins of the rows that are still to be filled, ascending: those that differ in order only are one node.
type Node = Vec<u64>;

/// Ways to come to a node with the same product of factorials.
#[derive(Clone, Copy)]
struct Path {
    log: f64,
    ways: f64,
}

/// The least and the greatest logarithm of what is left to come from a node on.
#[derive(Clone, Copy)]
struct Range {
    least: f64,
    greatest: f64,
}

/// The network of Mehta and Patel (1983): all tables, column by column, the largest column being what the others leave. Paths that are
/// beyond the observed table whatever comes, or within it, are not followed.
struct Network {
    sizes: Vec<u64>,
    ranges: Vec<BTreeMap<Node, Range>>,
    work: usize,
}

impl Network {
    fn new(sizes: Vec<u64>) -> Network {
        Network { ranges: vec![BTreeMap::new(); sizes.len()], sizes, work: 0 }
    }

    /// The chance of tables whose logarithm, without the constant, is at most `limit`.
    fn share_up_to(&mut self, rows: Node, limit: f64, constant: f64) -> Result<f64> {
        let mut share = 0.0;
        let mut nodes: BTreeMap<Node, BTreeMap<i64, Path>> = BTreeMap::from([(rows, BTreeMap::from([(0, Path { log: 0.0, ways: 1.0 })]))]);
        for column in 0..self.sizes.len() {
            let mut next: BTreeMap<Node, BTreeMap<i64, Path>> = BTreeMap::new();
            for (node, paths) in nodes {
                let range = self.range(&node, column)?;
                let total = constant + self.log_total(&node, column);
                let (within, others): (Vec<Path>, Vec<Path>) = paths.into_values().partition(|path| path.log + range.greatest <= limit);
                share += within.iter().map(|path| (path.log + total).exp() * path.ways).sum::<f64>();
                let open: Vec<Path> = others.into_iter().filter(|path| path.log + range.least <= limit).collect();
                if open.is_empty() {
                    continue;
                }
                for (child, log) in self.children(&node, column)? {
                    self.spend(open.len())?;
                    let reached = next.entry(child).or_default();
                    open.iter().for_each(|path| add(reached, Path { log: path.log + log, ways: path.ways }));
                }
            }
            nodes = next;
        }
        Ok(share)
    }

    fn spend(&mut self, steps: usize) -> Result<()> {
        self.work += steps;
        if self.work > WORK { Err(Error::TooMuchWork { measure: "Fisher's exact test" }) } else { Ok(()) }
    }

    fn range(&mut self, node: &Node, column: usize) -> Result<Range> {
        if column + 1 == self.sizes.len() {
            let last = node.iter().map(|&count| -ln_factorial(count)).sum();
            return Ok(Range { least: last, greatest: last });
        }
        if let Some(known) = self.ranges[column].get(node) {
            return Ok(*known);
        }
        let mut range = Range { least: f64::INFINITY, greatest: f64::NEG_INFINITY };
        for (child, log) in self.children(node, column)? {
            let rest = self.range(&child, column + 1)?;
            range = Range { least: range.least.min(log + rest.least), greatest: range.greatest.max(log + rest.greatest) };
        }
        self.ranges[column].insert(node.clone(), range);
        Ok(range)
    }

    /// The logarithm of the sum over all ways to fill the columns from this one on.
    fn log_total(&self, node: &Node, column: usize) -> f64 {
        let all: u64 = node.iter().sum();
        ln_factorial(all) - node.iter().chain(&self.sizes[column..]).map(|&margin| ln_factorial(margin)).sum::<f64>()
    }

    /// Each way to fill a column, with the node that it leads to and its part of the logarithm.
    fn children(&mut self, node: &Node, column: usize) -> Result<Vec<(Node, f64)>> {
        let mut children = Vec::new();
        if column + 1 < self.sizes.len() {
            let room = CHILDREN.min(WORK - self.work.min(WORK));
            fill(&mut node.clone(), 0, self.sizes[column], 0.0, room, &mut children);
        }
        self.spend(if children.len() > CHILDREN { WORK + 1 } else { children.len() })?;
        Ok(children)
    }
}

/// Products of the same factorials differ by rounding only, far less than products of others.
fn add(paths: &mut BTreeMap<i64, Path>, path: Path) {
    let key = (path.log * 1e9).round() as i64;
    paths.entry(key).and_modify(|known| known.ways += path.ways).or_insert(path);
}

/// Takes `size` from the margins in each way, until there are more than `room` ways.
fn fill(margins: &mut [u64], row: usize, size: u64, log: f64, room: usize, children: &mut Vec<(Node, f64)>) {
    if children.len() > room {
        return;
    }
    let rest: u64 = margins[row + 1..].iter().sum();
    for taken in size.saturating_sub(rest)..=size.min(margins[row]) {
        margins[row] -= taken;
        let log = log - ln_factorial(taken);
        if row + 1 == margins.len() {
            let mut node = margins.to_vec();
            node.sort_unstable();
            children.push((node, log));
        } else {
            fill(margins, row + 1, size - taken, log, room, children);
        }
        margins[row] += taken;
    }
}

fn transposed(counts: &[Vec<u64>]) -> Vec<Vec<u64>> {
    (0..counts[0].len()).map(|column| counts.iter().map(|row| row[column]).collect()).collect()
}
