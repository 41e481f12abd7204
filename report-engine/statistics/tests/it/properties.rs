//! What holds for any data: order, units and names do not matter.
use crate::common::{assert_near, binary, factor};
use proptest::prelude::*;
use statistics::agreement::kappa;
use statistics::compare::correlation::{pearson, spearman};
use statistics::compare::means::{paired_t, welch_anova, welch_t};
use statistics::compare::ranks::{kruskal_wallis, mann_whitney};
use statistics::describe::{QuantileType, summarise};
use statistics::model::cox::{CoxFit, CoxModel, Ties, cox};
use statistics::model::design::{Covariate, Term};
use statistics::model::fit::Wald;
use statistics::model::linear::{LinearModel, linear};
use statistics::model::logistic::{LogisticModel, logistic};
use statistics::model::proportional::TimeScale;
use statistics::model::roc::{compare_rocs, roc};
use statistics::survival::competing::{CompetingFollowUp, cumulative_incidence};
use statistics::survival::curve::{Band, kaplan_meier};
use statistics::survival::follow_up::FollowUp;
use statistics::survival::gray::gray;
use statistics::survival::log_rank::{Weight, log_rank, log_rank_trend};
use statistics::survival::nelson_aalen::nelson_aalen;
use statistics::survival::restricted_mean::restricted_mean_difference;
use statistics::two_by_two::TwoByTwo;
use statistics::{Error, Level, Numeric};

#[derive(Clone, Debug)]
struct Row {
    time: f64,
    event: bool,
    x: f64,
    group: u32,
}

fn rows(ties: bool) -> impl Strategy<Value = Vec<Row>> {
    let time = if ties { (1u32..12).prop_map(f64::from).boxed() } else { (0.01f64..100.0).boxed() };
    let row = (time, any::<bool>(), -5.0f64..5.0, 0u32..2).prop_map(|(time, event, x, group)| Row { time, event, x, group });
    proptest::collection::vec(row, 8..60)
}

struct Columns {
    time: Vec<Option<f64>>,
    event: Vec<Option<bool>>,
    x: Vec<Option<f64>>,
    group: Vec<Option<u32>>,
}

impl Columns {
    fn of(rows: &[Row]) -> Columns {
        Columns {
            time: rows.iter().map(|row| Some(row.time)).collect(),
            event: rows.iter().map(|row| Some(row.event)).collect(),
            x: rows.iter().map(|row| Some(row.x)).collect(),
            group: rows.iter().map(|row| Some(row.group)).collect(),
        }
    }

    fn x(&self) -> Numeric<'_> {
        Numeric { name: "x", values: &self.x }
    }

    fn follow_up(&self) -> FollowUp<'_> {
        FollowUp::new(Numeric { name: "time", values: &self.time }, binary("event", &self.event))
    }

    fn cox_by_x(&self) -> statistics::Result<CoxFit> {
        let terms = [Term::Main(Covariate::Numeric(self.x()))];
        cox(&CoxModel { follow_up: self.follow_up(), terms: &terms, strata: None, ties: Ties::Efron, level: Level::P95 })
    }

    fn cox_by_group(&self) -> statistics::Result<CoxFit> {
        let terms = [Term::Main(Covariate::Factor { factor: factor("group", &self.group, 2), reference: 0 })];
        cox(&CoxModel { follow_up: self.follow_up(), terms: &terms, strata: None, ties: Ties::Efron, level: Level::P95 })
    }
}

fn changed(rows: &[Row], change: impl Fn(&mut Row)) -> Columns {
    let mut rows = rows.to_vec();
    rows.iter_mut().for_each(change);
    Columns::of(&rows)
}

fn beta(fit: &CoxFit) -> Option<f64> {
    fit.coefficients[0].wald.map(|wald| wald.beta)
}

fn log_rank_of(columns: &Columns, weight: Weight) -> statistics::Result<f64> {
    log_rank(&columns.follow_up(), factor("group", &columns.group, 2), None, weight).map(|result| result.test.statistic)
}

/// Time, event, a number, a group and another number of few people.
fn few() -> impl Strategy<Value = Vec<(u32, bool, u32, u32, u32)>> {
    proptest::collection::vec((0u32..6, any::<bool>(), 0u32..3, 0u32..2, 0u32..4), 2..16)
}

fn is_number(wald: Wald) -> bool {
    wald.beta.is_finite() && wald.se.is_finite() && wald.se > 0.0 && (0.0..=1.0).contains(&wald.p)
}

proptest! {
    #[test]
    fn order_of_rows_does_not_matter(rows in rows(true)) {
        let data = Columns::of(&rows);
        let mut turned = rows.clone();
        turned.reverse();
        let turned = Columns::of(&turned);
        let curve = |columns: &Columns| kaplan_meier(&columns.follow_up(), Band::LogLog, Level::P95).unwrap().steps;
        prop_assert_eq!(curve(&data), curve(&turned));
        match (log_rank_of(&data, Weight::LogRank), log_rank_of(&turned, Weight::LogRank)) {
            (Ok(a), Ok(b)) => assert_near(a, b, 1e-9, "log-rank"),
            (a, b) => prop_assert_eq!(a, b),
        }
        if let (Ok(a), Ok(b)) = (data.cox_by_x(), turned.cox_by_x()) {
            prop_assert_eq!(beta(&a).is_some(), beta(&b).is_some());
            if let (Some(a), Some(b)) = (beta(&a), beta(&b)) {
                assert_near(a, b, 1e-6, "beta");
            }
        }
        let summary = |columns: &Columns| summarise(columns.x(), Level::P95, QuantileType::Linear7).unwrap();
        assert_near(summary(&data).mean, summary(&turned).mean, 1e-12, "mean");
        prop_assert_eq!(summary(&data).quartiles, summary(&turned).quartiles);
    }

    #[test]
    fn units_do_not_matter(rows in rows(false), scale in 0.001f64..1000.0, shift in -1000.0f64..1000.0) {
        let data = Columns::of(&rows);
        let moved = changed(&rows, |row| row.x = row.x * scale + shift);
        if let (Ok(a), Ok(b)) = (data.cox_by_x(), moved.cox_by_x()) {
            assert_near(b.log_likelihood, a.log_likelihood, 1e-7, "log-likelihood");
            if let (Some(a), Some(b)) = (beta(&a), beta(&b)) {
                assert_near(b * scale, a, 1e-5, "beta");
            }
        }
        let by = |columns: &Columns| welch_t(columns.x(), factor("group", &columns.group, 2), Level::P95).map(|result| result.test.p);
        if let (Ok(a), Ok(b)) = (by(&data), by(&moved)) {
            assert_near(b, a, 1e-6, "Welch");
        }
        let rescaled = changed(&rows, |row| row.time *= scale);
        if let (Ok(a), Ok(b)) = (log_rank_of(&data, Weight::LogRank), log_rank_of(&rescaled, Weight::LogRank)) {
            assert_near(b, a, 1e-9, "log-rank");
        }
    }

    #[test]
    fn names_of_groups_do_not_matter(rows in rows(true)) {
        let data = Columns::of(&rows);
        let swapped = changed(&rows, |row| row.group = 1 - row.group);
        let (a, b) = (factor("group", &data.group, 2), factor("group", &swapped.group, 2));
        if let (Ok(a), Ok(b)) = (log_rank_of(&data, Weight::TaroneWare), log_rank_of(&swapped, Weight::TaroneWare)) {
            assert_near(a, b, 1e-9, "Tarone-Ware");
        }
        if let (Ok(a), Ok(b)) = (mann_whitney(data.x(), a), mann_whitney(swapped.x(), b)) {
            assert_near(a.p, b.p, 1e-9, "Mann-Whitney");
        }
        if let (Ok(a), Ok(b)) = (data.cox_by_group(), swapped.cox_by_group()) {
            assert_near(a.log_likelihood, b.log_likelihood, 1e-7, "log-likelihood");
            if let (Some(a), Some(b)) = (beta(&a), beta(&b)) {
                assert_near(a, -b, 1e-6, "beta");
            }
        }
    }

    #[test]
    fn log_rank_of_a_group_and_its_double_is_zero(rows in rows(true)) {
        let mut doubled: Vec<Row> = rows.iter().map(|row| Row { group: 0, ..row.clone() }).collect();
        doubled.extend(rows.iter().map(|row| Row { group: 1, ..row.clone() }));
        let data = Columns::of(&doubled);
        for weight in [Weight::LogRank, Weight::Gehan, Weight::TaroneWare] {
            if let Ok(result) = log_rank(&data.follow_up(), factor("group", &data.group, 2), None, weight) {
                prop_assert!(result.test.statistic < 1e-18, "{}", result.test.statistic);
                prop_assert!(result.test.p > 0.999999);
            }
        }
    }

    #[test]
    fn score_test_of_a_binary_covariate_is_the_log_rank_without_ties(rows in rows(false)) {
        let data = Columns::of(&rows);
        let test = log_rank(&data.follow_up(), factor("group", &data.group, 2), None, Weight::LogRank);
        if let (Ok(test), Ok(fit)) = (test, data.cox_by_group()) {
            assert_near(fit.tests.score.statistic, test.test.statistic, 1e-8, "score");
        }
    }

    #[test]
    fn curves_fall_within_their_bands(rows in rows(true)) {
        for band in [Band::Plain, Band::Log, Band::LogLog] {
            let data = Columns::of(&rows);
            let steps = kaplan_meier(&data.follow_up(), band, Level::P95).unwrap().steps;
            prop_assert!(steps.windows(2).all(|pair| pair[1].survival <= pair[0].survival && pair[1].at_risk < pair[0].at_risk));
            for step in steps {
                prop_assert!(step.low.is_none_or(|low| (0.0..=step.survival + 1e-12).contains(&low)));
                prop_assert!(step.high.is_none_or(|high| (step.survival - 1e-12..=1.0 + 1e-12).contains(&high)));
            }
        }
    }

    #[test]
    fn area_is_the_share_of_pairs_in_order(rows in rows(true)) {
        let data = Columns::of(&rows);
        if let Ok(curve) = roc(data.x(), binary("event", &data.event), Level::P95) {
            let (cases, others): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| row.event);
            let pairs = cases.iter().flat_map(|a| others.iter().map(|b| if a.x > b.x { 1.0 } else if a.x == b.x { 0.5 } else { 0.0 }));
            assert_near(curve.area.value, pairs.sum::<f64>() / (cases.len() * others.len()) as f64, 1e-9, "area");
            let turned = changed(&rows, |row| row.x = -row.x);
            let other = roc(turned.x(), binary("event", &turned.event), Level::P95).unwrap();
            assert_near(other.area.value, 1.0 - curve.area.value, 1e-9, "turned");
        }
    }

    #[test]
    fn concordance_is_that_of_all_pairs(rows in rows(true)) {
        let data = Columns::of(&rows);
        if let Ok(fit) = data.cox_by_x() && let Some(beta) = beta(&fit) {
            let (mut right, mut all) = (0.0, 0.0);
            for first in rows.iter().filter(|row| row.event) {
                for second in rows.iter().filter(|row| row.time > first.time || (row.time == first.time && !row.event)) {
                    all += 1.0;
                    let order = (first.x - second.x) * beta;
                    right += if order > 0.0 { 1.0 } else if order == 0.0 { 0.5 } else { 0.0 };
                }
            }
            match fit.concordance().c() {
                Some(c) => assert_near(c, right / all, 1e-9, "C"),
                None => prop_assert_eq!(all, 0.0),
            }
        }
    }

    #[test]
    fn models_of_few_people_end_by_name_and_in_numbers(rows in few()) {
        let column = |of: fn(&(u32, bool, u32, u32, u32)) -> u32| rows.iter().map(|row| Some(f64::from(of(row)))).collect::<Vec<_>>();
        let (time, x, two, late) = (column(|row| row.0), column(|row| row.2), column(|row| row.3), column(|row| row.4));
        let entry: Vec<Option<f64>> = time.iter().zip(&late).map(|(time, late)| Some(time.unwrap() - 1.0 - late.unwrap())).collect();
        let event: Vec<Option<bool>> = rows.iter().map(|row| Some(row.1)).collect();
        let numeric = |name, values| Numeric { name, values };
        let terms = [("x", &x), ("two", &two)].map(|(name, values)| Term::Main(Covariate::Numeric(numeric(name, values))));
        let plain = FollowUp::new(numeric("time", &time), binary("event", &event));
        for follow_up in [plain, FollowUp { entry: Some(numeric("entry", &entry)), ..plain }] {
            for ties in [Ties::Efron, Ties::Breslow] {
                match cox(&CoxModel { follow_up, terms: &terms, strata: None, ties, level: Level::P95 }) {
                    Ok(fit) => {
                        prop_assert!(!fit.log_likelihood.is_nan() && fit.log_likelihood >= fit.null_log_likelihood - 1e-9);
                        prop_assert!(fit.coefficients.iter().filter_map(|coefficient| coefficient.wald).all(is_number));
                        let tests = [fit.tests.score, fit.tests.wald, fit.tests.likelihood_ratio];
                        prop_assert!(tests.iter().all(|test| (0.0..=1.0).contains(&test.p)));
                        if let Ok(test) = fit.test_proportionality(TimeScale::Rank) {
                            prop_assert!((0.0..=1.0).contains(&test.global.p));
                        }
                    }
                    Err(error) => prop_assert!(!matches!(error, Error::NotConverged { .. }), "Cox: {error}"),
                }
            }
        }
        match logistic(&LogisticModel { outcome: binary("event", &event), terms: &terms, level: Level::P95 }) {
            Ok(fit) => {
                prop_assert!(fit.coefficients.iter().filter_map(|coefficient| coefficient.wald).chain(fit.intercept).all(is_number));
                prop_assert!(fit.predictions.iter().all(|(_, p)| (0.0..=1.0).contains(p)));
            }
            Err(error) => prop_assert!(!matches!(error, Error::NotConverged { .. }), "logistic: {error}"),
        }
        if let Ok(fit) = linear(&LinearModel { outcome: numeric("time", &time), terms: &terms, level: Level::P95 }) {
            prop_assert!(fit.values.iter().all(|value| value.is_finite()) && !fit.r_squared.is_nan());
            prop_assert!(fit.coefficients.iter().filter_map(|coefficient| coefficient.wald).all(is_number));
        }
    }

    #[test]
    fn tests_of_few_people_are_numbers(rows in few()) {
        let column = |of: fn(&(u32, bool, u32, u32, u32)) -> u32| rows.iter().map(|row| Some(f64::from(of(row)))).collect::<Vec<_>>();
        let codes = |of: fn(&(u32, bool, u32, u32, u32)) -> u32| rows.iter().map(|row| Some(of(row))).collect::<Vec<_>>();
        let (times, numbers, others) = (column(|row| row.0), column(|row| row.2), column(|row| row.4));
        let (groups, causes, strata) = (codes(|row| row.3), codes(|row| row.2), codes(|row| row.4));
        let events: Vec<Option<bool>> = rows.iter().map(|row| Some(row.1)).collect();
        let (group, stratum) = (factor("group", &groups, 2), factor("stratum", &strata, 4));
        let (time, x) = (Numeric { name: "time", values: &times }, Numeric { name: "x", values: &numbers });
        let (y, event) = (Numeric { name: "y", values: &others }, binary("event", &events));
        let data = FollowUp::new(time, event);
        let competing = CompetingFollowUp { time, cause: factor("cause", &causes, 3), entry: None };
        let results = [
            gray(&competing, 1, group),
            gray(&competing, 2, group),
            log_rank(&data, group, Some(stratum), Weight::Gehan).map(|result| result.test),
            log_rank_trend(&data, stratum, &[0.0, 1.0, 2.0, 3.0], None).map(|result| result.test),
            restricted_mean_difference(&data, group, 2.0, Level::P95).map(|result| result.test),
            welch_t(x, group, Level::P95).map(|result| result.test),
            paired_t(x, y, Level::P95).map(|result| result.test),
            welch_anova(x, stratum),
            kruskal_wallis(x, stratum),
            pearson(x, y, Level::P95).map(|result| result.test),
            spearman(x, y, Level::P95).map(|result| result.test),
            compare_rocs(x, y, event),
            kappa(stratum, factor("stratum", &strata, 4), Level::P95).map(|result| result.test),
        ];
        for test in results.into_iter().flatten() {
            prop_assert!(!test.statistic.is_nan() && (0.0..=1.0).contains(&test.p), "{:?}", test);
        }
        for step in cumulative_incidence(&competing, Level::P95).unwrap().by_cause.into_iter().flatten() {
            prop_assert!((0.0..=1.0 + 1e-12).contains(&step.incidence) && step.se.is_finite(), "{:?}", step);
        }
        for step in nelson_aalen(&data, Level::P95).unwrap() {
            prop_assert!(step.hazard.is_finite() && step.se.is_finite());
        }
    }

    #[test]
    fn no_table_gives_a_number_that_is_none(cells in proptest::array::uniform4(0u64..30)) {
        let [a, b, c, d] = cells;
        let table = TwoByTwo { exposed_events: a, exposed_others: b, unexposed_events: c, unexposed_others: d };
        let level = Level::P95;
        let effects = [table.odds_ratio(level), table.risk_ratio(level), table.risk_difference(level), table.odds_ratio_exact(level)];
        for estimate in effects.into_iter().flatten() {
            prop_assert!(!estimate.value.is_nan());
            let low = estimate.interval.low.unwrap_or(f64::NEG_INFINITY);
            let high = estimate.interval.high.unwrap_or(f64::INFINITY);
            prop_assert!(low <= estimate.value + 1e-9 && estimate.value <= high + 1e-9, "{:?}", estimate);
        }
    }
}
