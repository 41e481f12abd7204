//! Results of R on random data, made by `golden/make.R`, and of Python's packages on the same, by `golden/make.py`; `golden/versions.txt` and
//! `golden/python-versions.txt` have the versions that made them.
use crate::common::{Golden, Table, assert_near, binary, factor};
use statistics::compare::adjust::{benjamini_hochberg, holm};
use statistics::compare::correlation::{pearson, spearman};
use statistics::compare::fisher::fisher_exact;
use statistics::compare::means::{anova, paired_t, student_t, welch_anova, welch_t};
use statistics::compare::ranks::{kruskal_wallis, mann_whitney, signed_rank};
use statistics::compare::table::{Continuity, CrossTable, chi_squared, cochran_armitage, mcnemar, mcnemar_exact};
use statistics::describe::{QuantileType, quantiles, summarise};
use statistics::proportion::{binomial_test, clopper_pearson, wilson};
use statistics::rates::funnel::{FunnelMethod, funnel_limits};
use statistics::rates::incidence::{Events, poisson_interval, rate_ratio};
use statistics::rates::standardised::{Stratum, direct_dobson, direct_gamma};
use statistics::two_by_two::TwoByTwo;
use statistics::{Degrees, Level, Numeric};

const TYPES: [QuantileType; 9] = [
    QuantileType::InverseCdf1,
    QuantileType::AveragedCdf2,
    QuantileType::NearestEven3,
    QuantileType::LinearCdf4,
    QuantileType::Hazen5,
    QuantileType::Weibull6,
    QuantileType::Linear7,
    QuantileType::MedianUnbiased8,
    QuantileType::NormalUnbiased9,
];

fn people() -> Table {
    Table::read("tests/golden/people.csv")
}

/// Whatever is held to R below is held to scipy, statsmodels and lifelines by this.
#[test]
fn r_and_python_agree_on_the_results() {
    assert!(Golden::read().check_second_opinion() > 2_500);
}

#[test]
fn descriptions() {
    let (golden, people) = (Golden::read(), people());
    for size in [1, 2, 5, 6, 7, 37, 180] {
        let (case, x) = (format!("describe{size}"), people.head("skewed", size));
        let summary = summarise(x, Level::P95, QuantileType::Linear7).unwrap();
        golden.check(&case, "mean", summary.mean);
        golden.check(&case, "median", summary.median);
        golden.check(&case, "geometric", summary.geometric_mean.unwrap());
        if size > 1 {
            golden.check(&case, "sd", summary.sd.unwrap());
            golden.check_interval(&case, "mean_interval", summary.mean_interval.unwrap());
        }
        assert_eq!(summary.median_interval.is_some(), size > 5, "{size}");
        if let Some(interval) = summary.median_interval {
            golden.check_interval(&case, "median_interval", interval);
        }
        for (place, kind) in TYPES.into_iter().enumerate() {
            let values = quantiles(x, &[0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0], kind).unwrap();
            golden.check_all(&case, &format!("type{}_", place + 1), &values);
        }
    }
}

#[test]
fn means() {
    let (golden, people) = (Golden::read(), people());
    let (two, group) = (people.codes("two"), people.codes("group"));
    let (two, group, x) = (factor("two", &two, 2), factor("group", &group, 3), people.numeric("x"));
    let welch = welch_t(x, two, Level::P95).unwrap();
    golden.check_test("welch", &welch.test);
    golden.check_interval("welch", "interval", welch.difference.interval);
    let Degrees::One(df) = welch.test.df else { panic!() };
    golden.check("welch", "df", df);
    let student = student_t(x, two, Level::P95).unwrap();
    golden.check_test("student", &student.test);
    golden.check_interval("student", "interval", student.difference.interval);
    let paired = paired_t(x, people.numeric("y"), Level::P95).unwrap();
    golden.check_test("paired", &paired.test);
    golden.check_interval("paired", "interval", paired.difference.interval);
    golden.check_test("anova", &anova(x, group).unwrap());
    let welch = welch_anova(x, group).unwrap();
    golden.check_test("welch_anova", &welch);
    assert!(
        matches!(welch.df, Degrees::Two(a, b) if { golden.check("welch_anova", "df1", a); golden.check("welch_anova", "df2", b); true })
    );
}

#[test]
fn ranks() {
    let (golden, people) = (Golden::read(), people());
    let (two, group) = (people.codes("two"), people.codes("group"));
    let (by_two, by_group) = (factor("two", &two, 2), factor("group", &group, 3));
    golden.check_test("mann_whitney_ties", &mann_whitney(people.numeric("tied"), by_two).unwrap());
    golden.check_test("mann_whitney_large", &mann_whitney(people.numeric("skewed"), by_two).unwrap());
    for size in [2, 3, 9, 40, 90, 120] {
        let head = factor("two", &two[..size], 2);
        if let Ok(test) = mann_whitney(people.head("skewed", size), head) {
            golden.check_test(&format!("mann_whitney{size}"), &test);
        }
    }
    golden.check_test("signed_rank_ties", &signed_rank(people.numeric("tied"), people.numeric("category")).unwrap().test);
    let eighth: Vec<Option<f64>> = people.numeric("y").values.iter().map(|y| y.map(|y| y / 8.0)).collect();
    for size in [1, 2, 8, 30, 49] {
        let other = Numeric { name: "eighth", values: &eighth[..size] };
        golden.check_test(&format!("signed_rank{size}"), &signed_rank(people.head("skewed", size), other).unwrap().test);
    }
    let other = Numeric { name: "eighth", values: &eighth };
    golden.check_test("signed_rank_large", &signed_rank(people.numeric("skewed"), other).unwrap().test);
    golden.check_test("kruskal", &kruskal_wallis(people.numeric("x"), by_group).unwrap());
    golden.check_test("kruskal_ties", &kruskal_wallis(people.numeric("tied"), by_group).unwrap());
}

#[test]
fn correlations() {
    let (golden, people) = (Golden::read(), people());
    let result = pearson(people.numeric("x"), people.numeric("y"), Level::P95).unwrap();
    golden.check("pearson", "estimate", result.coefficient);
    golden.check("pearson", "p", result.test.p);
    golden.check_interval("pearson", "interval", result.interval.unwrap());
    let result = spearman(people.numeric("tied"), people.numeric("y"), Level::P95).unwrap();
    golden.check("spearman", "estimate", result.coefficient);
    golden.check("spearman", "p", result.test.p);
    for size in [4, 7, 9] {
        let result = spearman(people.head("skewed", size), people.head("y", size), Level::P95).unwrap();
        golden.check(&format!("spearman{size}"), "p", result.test.p);
    }
}

#[test]
fn tables() {
    let (golden, people) = (Golden::read(), people());
    let (group, category) = (people.codes("group"), people.codes("category"));
    let table = CrossTable::of(factor("group", &group, 3), factor("category", &category, 4)).unwrap();
    golden.check_test("chi_squared", &chi_squared(&table, Continuity::Yates).unwrap().test);
    golden.check_within("fisher_rxc", "p", fisher_exact(&table).unwrap().p, 1e-7);
    for [a, b, c, d] in [[3, 1, 1, 3], [10, 2, 3, 15], [0, 5, 6, 4], [12, 5, 29, 2], [100, 250, 80, 310], [2, 20, 5000, 90000]] {
        let case = format!("square{a}_{b}_{c}_{d}");
        let table = CrossTable { counts: vec![vec![a, b], vec![c, d]], missing: 0 };
        golden.check_within(&case, "fisher_p", fisher_exact(&table).unwrap().p, 1e-8);
        golden.check(&case, "yates", chi_squared(&table, Continuity::Yates).unwrap().test.statistic);
        golden.check(&case, "plain", chi_squared(&table, Continuity::None).unwrap().test.statistic);
        golden.check(&case, "mcnemar", mcnemar(b, c, Continuity::Yates).unwrap().statistic);
        golden.check(&case, "mcnemar_plain", mcnemar(b, c, Continuity::None).unwrap().statistic);
        golden.check(&case, "mcnemar_exact", mcnemar_exact(b, c).unwrap().p);
        let table = TwoByTwo { exposed_events: a, exposed_others: b, unexposed_events: c, unexposed_others: d };
        let odds = table.odds_ratio_exact(Level::P95).unwrap();
        golden.check_within(&case, "odds", odds.value, 1e-8);
        for (end, bound) in [("1", odds.interval.low), ("2", odds.interval.high)] {
            golden.check_within(&case, &format!("odds_interval{end}"), bound.unwrap_or(f64::INFINITY), 1e-8);
        }
    }
    golden.check_test("trend", &cochran_armitage(&[15, 10, 5, 0], &[30, 31, 29, 12], &[0.0, 1.0, 2.0, 4.0]).unwrap());
    let p = [0.01, 0.04, 0.03, 0.005, 0.5, 0.04];
    golden.check_all("adjust", "holm", &holm(&p).unwrap());
    golden.check_all("adjust", "bh", &benjamini_hochberg(&p).unwrap());
}

#[test]
fn shares_and_counts() {
    let golden = Golden::read();
    for (count, n) in [(0, 10), (1, 10), (7, 10), (10, 10), (431, 1000), (50321, 100000)] {
        let case = format!("share{count}_{n}");
        golden.check_interval(&case, "exact", clopper_pearson(count, n, Level::P95).unwrap().interval);
        golden.check_interval(&case, "wilson", wilson(count, n, Level::P95).unwrap().interval);
        golden.check(&case, "p30_", binomial_test(count, n, 0.3).unwrap().p);
        golden.check(&case, "p50_", binomial_test(count, n, 0.5).unwrap().p);
    }
    for count in [0, 1, 5, 65, 1200, 90000] {
        golden.check_interval("poisson", &count.to_string(), poisson_interval(count, Level::P95));
    }
    let (first, second) = (Events { events: 11, person_time: 800.0 }, Events { events: 6, person_time: 1083.0 });
    let (ratio, test) = rate_ratio(first, second, Level::P95).unwrap();
    golden.check("rate_ratio", "estimate", ratio.value);
    golden.check("rate_ratio", "p", test.p);
    golden.check_interval("rate_ratio", "interval", ratio.interval);
}

#[test]
fn rocs() {
    use statistics::model::roc::{compare_rocs, roc};
    let (golden, people) = (Golden::read(), people());
    let events = people.flags("event");
    let event = binary("event", &events);
    let curve = roc(people.numeric("y"), event, Level::P95).unwrap();
    golden.check("roc", "area", curve.area.value);
    golden.check("roc", "variance", curve.area.se.unwrap().powi(2));
    golden.check("roc", "interval1", curve.area.interval.low.unwrap());
    golden.check("roc", "interval3", curve.area.interval.high.unwrap());
    golden.check("roc", "youden1", curve.youden.sensitivity);
    golden.check("roc", "youden2", curve.youden.specificity);
    let ties = roc(people.numeric("tied"), event, Level::P95).unwrap();
    golden.check("roc_ties", "area", ties.area.value);
    golden.check("roc_ties", "interval1", ties.area.interval.low.unwrap());
    golden.check("roc_two", "z", compare_rocs(people.numeric("y"), people.numeric("tied"), event).unwrap().statistic);
}

#[test]
fn rates() {
    let golden = Golden::read();
    let strata = [(3, 1000.0, 30.0), (0, 800.0, 25.0), (12, 1500.0, 25.0), (25, 900.0, 20.0)];
    let strata = strata.map(|(events, person_time, standard)| Stratum { events, person_time, standard });
    let gamma = direct_gamma(&strata, Level::P95).unwrap();
    golden.check("direct", "rate", gamma.value);
    golden.check_interval("direct", "gamma", gamma.interval);
    golden.check_interval("direct", "dobson", direct_dobson(&strata, Level::P95).unwrap().interval);
    for n in [1, 5, 40, 1000] {
        let limits = |level| funnel_limits(0.12, n, level, FunnelMethod::ExactBinomial).unwrap();
        let expected = |key| golden.get(&format!("funnel{n}"), key).unwrap();
        assert_near(limits(Level::P95).low, expected("at0.025").max(0.0), 1e-9, "inner");
        assert_near(limits(Level::P998).high, expected("at0.999").min(1.0), 1e-9, "outer");
    }
    let table = TwoByTwo { exposed_events: 10, exposed_others: 20, unexposed_events: 15, unexposed_others: 40 };
    for (key, estimate) in [("odds", table.odds_ratio(Level::P95).unwrap()), ("risk", table.risk_ratio(Level::P95).unwrap())] {
        golden.check_all("effects", key, &[estimate.value, estimate.interval.low.unwrap(), estimate.interval.high.unwrap()]);
    }
}
