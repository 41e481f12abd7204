//! Small sets full of ties, zeros and empty groups: where R has an answer ours is the same.
use crate::common::{Golden, Table, assert_near, binary, factor};
use statistics::compare::correlation::pearson;
use statistics::compare::fisher::fisher_exact;
use statistics::compare::means::{anova, student_t, welch_t};
use statistics::compare::ranks::{kruskal_wallis, mann_whitney, signed_rank};
use statistics::compare::table::{Continuity, CrossTable, chi_squared};
use statistics::model::cox::{CoxModel, Ties, cox};
use statistics::model::design::{Covariate, Term};
use statistics::survival::curve::{Band, kaplan_meier};
use statistics::survival::follow_up::FollowUp;
use statistics::survival::log_rank::{Weight, log_rank};
use statistics::{Factor, Level, Numeric, Result};
use std::collections::BTreeMap;

const LEVELS: [&str; 7] = ["0", "1", "2", "3", "4", "5", "6"];

/// How often both had an answer, and the cases in which one alone had.
#[derive(Default)]
struct Tally {
    both: BTreeMap<&'static str, usize>,
    alone: Vec<String>,
}

impl Tally {
    fn compare(&mut self, golden: &Golden, case: &str, key: &'static str, ours: Result<f64>) {
        match (ours, golden.get(case, key)) {
            (Ok(ours), Some(r)) => {
                assert_near(ours, r, 1e-7, &format!("{case} {key}"));
                *self.both.entry(key).or_default() += 1;
            }
            (Err(_), None) => {}
            (ours, r) => self.alone.push(format!("{case} {key}: {ours:?}, R {r:?}")),
        }
    }
}

#[test]
fn small_sets() {
    let (golden, table) = (Golden::read(), Table::read("tests/golden/tiny.csv"));
    let sets = table.codes("set");
    let (events, groups, two, times) = (table.flags("event"), table.codes("group"), table.codes("two"), table.codes("time"));
    let mut tally = Tally::default();
    let mut from = 0;
    for set in sets.chunk_by(|a, b| a == b) {
        let range = from..from + set.len();
        from = range.end;
        let case = format!("tiny{}", set[0].unwrap());
        let numeric = |name| Numeric { name, values: &table.numeric(name).values[range.clone()] };
        let (time, x) = (numeric("time"), numeric("x"));
        let data = FollowUp::new(time, binary("event", &events[range.clone()]));
        let (group, two) = (factor("group", &groups[range.clone()], 3), factor("two", &two[range.clone()], 2));
        let days = Factor { name: "time", levels: &LEVELS, codes: &times[range.clone()] };

        let curve = kaplan_meier(&data, Band::LogLog, Level::P95).unwrap();
        golden.check_all(&case, "surv", &curve.steps.iter().map(|step| step.survival).collect::<Vec<_>>());
        // Before any event R has no log-log band, ours is of no width.
        for (index, step) in curve.steps.iter().enumerate().filter(|(_, step)| step.survival < 1.0) {
            let expected = golden.get(&case, &format!("low{}", index + 1));
            assert_eq!(step.low.is_some(), expected.is_some(), "{case} low {index}");
            if let (Some(low), Some(expected)) = (step.low, expected) {
                assert_near(low, expected, 1e-9, &case);
            }
        }
        assert_eq!(curve.median().time, golden.get(&case, "median"), "{case}");

        let mut compare = |key, ours: Result<f64>| tally.compare(&golden, &case, key, ours);
        compare("log_rank", log_rank(&data, group, None, Weight::LogRank).map(|result| result.test.statistic));
        compare("welch", welch_t(x, two, Level::P95).map(|result| result.test.p));
        compare("student", student_t(x, two, Level::P95).map(|result| result.test.p));
        compare("mann", mann_whitney(x, two).map(|test| test.p));
        compare("kruskal", kruskal_wallis(x, group).map(|test| test.p));
        compare("anova", anova(x, group).map(|test| test.p));
        compare("signed", signed_rank(x, time).map(|result| result.test.p));
        compare("pearson", pearson(x, time, Level::P95).map(|result| result.test.p));
        let counts = CrossTable::of(group, days).unwrap();
        compare("fisher", fisher_exact(&counts).map(|test| test.p));
        compare("chi", chi_squared(&counts, Continuity::Yates).map(|result| result.test.p));

        let terms = [x, numeric("two")].map(|column| Term::Main(Covariate::Numeric(column)));
        let fit = cox(&CoxModel { follow_up: data, terms: &terms, strata: None, ties: Ties::Efron, level: Level::P95 });
        if let (Ok(fit), Some(beta), Some(likelihood)) = (fit, golden.get(&case, "cox1"), golden.get(&case, "cox2")) {
            assert_near(fit.log_likelihood, likelihood, 1e-6, &format!("{case} Cox"));
            if fit.coefficients.iter().all(|coefficient| coefficient.wald.is_some()) {
                assert_near(fit.coefficients[0].wald.unwrap().beta, beta, 1e-6, &format!("{case} Cox"));
                *tally.both.entry("cox").or_default() += 1;
            }
        }
    }
    assert!(tally.alone.is_empty(), "{:#?}", tally.alone);
    assert!(tally.both.len() == 11 && tally.both.values().all(|count| *count >= 40), "{:?}", tally.both);
}
