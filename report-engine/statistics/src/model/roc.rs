//! How well a score tells who has the outcome: the curve, its area with DeLong's interval, and the best cut.
use crate::column::{Binary, Numeric};
use crate::error::{Error, Result};
use crate::estimate::{Estimate, Interval, IntervalMethod, Level};
use crate::numbers::{moments, rank, sum};
use crate::test_result::{Rows, Test, TestResult};

/// Whoever has at least `threshold` tests positive; the first point, of nobody, has none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RocPoint {
    pub threshold: Option<f64>,
    pub sensitivity: f64,
    pub specificity: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Roc {
    pub cases: usize,
    pub controls: usize,
    pub missing: usize,
    /// The interval has no bounds where the score separates perfectly: DeLong's variance is zero there and says nothing.
    pub area: Estimate,
    /// From nobody to everybody positive.
    pub points: Vec<RocPoint>,
    /// The cut of the greatest sensitivity + specificity - 1 (Youden 1950), the highest one of equals.
    pub youden: RocPoint,
}

/// The curve of a score that is higher in those with the outcome; ties count a half. The variance is that of DeLong, DeLong and
/// Clarke-Pearson (1988), by the ranks of Sun and Xu (2014). Everybody or nobody with the outcome is [`Error::Constant`].
pub fn roc(score: Numeric, outcome: Binary, level: Level) -> Result<Roc> {
    let data = Scores::of(&[score], outcome)?;
    let placements = data.placements(0);
    let variance = placements.covariance(&placements);
    let area = placements.area();
    let se = variance.max(0.0).sqrt();
    let interval = if se > 0.0 {
        let half = level.z() * se;
        Interval::new((area - half).max(0.0), (area + half).min(1.0), level, IntervalMethod::DeLong)
    } else {
        Interval { low: None, high: None, level, method: IntervalMethod::DeLong }
    };
    let points = data.points();
    let youden = |point: &RocPoint| point.sensitivity + point.specificity;
    let best = points[1..].iter().fold(points[1], |best, point| if youden(point) > youden(&best) { *point } else { best });
    Ok(Roc {
        cases: data.cases[0].len(),
        controls: data.controls[0].len(),
        missing: data.missing,
        area: Estimate { value: area, se: (se > 0.0).then_some(se), interval },
        points,
        youden: best,
    })
}

/// DeLong's test of two scores of the same people. Scores that rank everybody alike are [`Error::Constant`].
pub fn compare_rocs(first: Numeric, second: Numeric, outcome: Binary) -> Result<TestResult> {
    let data = Scores::of(&[first, second], outcome)?;
    let (a, b) = (data.placements(0), data.placements(1));
    let variance = a.covariance(&a) + b.covariance(&b) - 2.0 * a.covariance(&b);
    if variance <= 1e-15 {
        return Err(Error::constant(second.name));
    }
    let rows = Rows { n: data.cases[0].len() + data.controls[0].len(), missing: data.missing };
    Ok(TestResult::of_z(Test::DeLong, (a.area() - b.area()) / variance.sqrt(), rows))
}

/// Scores of those with the outcome and of those without.
struct Scores {
    cases: Vec<Vec<f64>>,
    controls: Vec<Vec<f64>>,
    missing: usize,
}

/// For each case the share of controls below it, for each control the share of cases above it.
struct Placements {
    cases: Vec<f64>,
    controls: Vec<f64>,
}

impl Scores {
    fn of(scores: &[Numeric], outcome: Binary) -> Result<Scores> {
        let rows = scores[0].values.len();
        outcome.expect_rows(rows)?;
        scores.iter().try_for_each(|score| score.expect_rows(rows))?;
        let mut data = Scores { cases: vec![Vec::new(); scores.len()], controls: vec![Vec::new(); scores.len()], missing: 0 };
        'rows: for row in 0..rows {
            let mut values = Vec::with_capacity(scores.len());
            for score in scores {
                values.extend(score.at(row)?);
            }
            let (true, Some(event)) = (values.len() == scores.len(), outcome.values[row]) else {
                data.missing += 1;
                continue 'rows;
            };
            let group = if event { &mut data.cases } else { &mut data.controls };
            group.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
        }
        if data.cases[0].is_empty() || data.controls[0].is_empty() {
            return Err(Error::constant(outcome.name));
        }
        Ok(data)
    }

    fn placements(&self, score: usize) -> Placements {
        let (cases, controls) = (&self.cases[score], &self.controls[score]);
        let all = rank(&[&cases[..], &controls[..]].concat()).ranks;
        let (of_cases, of_controls) = all.split_at(cases.len());
        let (m, n) = (cases.len() as f64, controls.len() as f64);
        Placements {
            cases: of_cases.iter().zip(rank(cases).ranks).map(|(all, own)| (all - own) / n).collect(),
            controls: of_controls.iter().zip(rank(controls).ranks).map(|(all, own)| 1.0 - (all - own) / m).collect(),
        }
    }

    fn points(&self) -> Vec<RocPoint> {
        let cases = self.cases[0].iter().map(|score| (*score, true));
        let mut scores: Vec<(f64, bool)> = cases.chain(self.controls[0].iter().map(|score| (*score, false))).collect();
        scores.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        let (m, n) = (self.cases[0].len() as f64, self.controls[0].len() as f64);
        let mut points = vec![RocPoint { threshold: None, sensitivity: 0.0, specificity: 1.0 }];
        let (mut true_positives, mut false_positives) = (0.0, 0.0);
        for tied in scores.chunk_by(|a, b| a.0 == b.0) {
            let cases = tied.iter().filter(|(_, case)| *case).count() as f64;
            true_positives += cases;
            false_positives += tied.len() as f64 - cases;
            points.push(RocPoint { threshold: Some(tied[0].0), sensitivity: true_positives / m, specificity: 1.0 - false_positives / n });
        }
        points
    }
}

impl Placements {
    fn area(&self) -> f64 {
        sum(self.cases.iter().copied()) / self.cases.len() as f64
    }

    fn covariance(&self, other: &Placements) -> f64 {
        covariance(&self.cases, &other.cases) + covariance(&self.controls, &other.controls)
    }
}

/// The covariance of two means; one value has none.
fn covariance(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len() as f64;
    if a.len() < 2 {
        return 0.0;
    }
    let (a_mean, b_mean) = (moments(a).0, moments(b).0);
    sum(a.iter().zip(b).map(|(x, y)| (x - a_mean) * (y - b_mean))) / (n - 1.0) / n
}
