//! Published results of public data, to the digits in which they were published.
use crate::common::{LEVELS, Table, assert_near, binary, factor};
use statistics::agreement::{bland_altman, kappa};
use statistics::compare::fisher::fisher_exact;
use statistics::compare::means::{anova, paired_t, welch_t};
use statistics::compare::ranks::kruskal_wallis;
use statistics::compare::table::CrossTable;
use statistics::describe::{QuantileType, summarise};
use statistics::model::cox::{CoxFit, CoxModel, Ties, cox};
use statistics::model::design::{Covariate, Term};
use statistics::model::linear::{LinearModel, linear};
use statistics::proportion::wilson;
use statistics::rates::funnel::{FunnelMethod, funnel_limits};
use statistics::rates::incidence::byar_interval;
use statistics::survival::curve::{Band, Curve, kaplan_meier_by};
use statistics::survival::follow_up::FollowUp;
use statistics::survival::log_rank::{LogRank, Weight, log_rank};
use statistics::two_by_two::TwoByTwo;
use statistics::{Factor, Level, Numeric};

/// Within one of the last published decimal: some sources cut digits off instead of rounding.
fn assert_printed(actual: f64, published: &str) {
    let decimals = published.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let expected: f64 = published.parse().unwrap();
    assert!((actual - expected).abs() <= 1.000001 * 10f64.powi(-(decimals as i32)), "{actual} instead of {published}");
}

fn main_effects<'a>(table: &'a Table, names: &[&'a str]) -> Vec<Term<'a>> {
    names.iter().map(|name| Term::Main(Covariate::Numeric(table.numeric(name)))).collect()
}

fn cox_of(table: &Table, terms: &[Term], strata: Option<Factor>, ties: Ties) -> CoxFit {
    let events = table.flags("event");
    let follow_up = FollowUp::new(table.numeric("time"), binary("event", &events));
    cox(&CoxModel { follow_up, terms, strata, ties, level: Level::P95 }).unwrap()
}

fn beta(fit: &CoxFit, column: usize) -> f64 {
    fit.coefficients[column].wald.unwrap().beta
}

fn lung_by_ecog() -> Vec<Option<Curve>> {
    let lung = Table::read("tests/data/lung.csv");
    let (events, ecog) = (lung.flags("event"), lung.codes("ecog"));
    let follow_up = FollowUp::new(lung.numeric("time"), binary("event", &events));
    let curves = kaplan_meier_by(&follow_up, factor("ecog", &ecog, 4), Band::Log, Level::P95).unwrap();
    assert_eq!(curves.missing, 1);
    curves.by_level
}

#[test]
fn lung_medians_by_ecog_are_those_of_r_survival() {
    let curves = lung_by_ecog();
    for (group, expected) in [(0, (63, 37, 394.0, 348.0, 574.0)), (1, (113, 82, 306.0, 268.0, 429.0)), (2, (50, 44, 199.0, 156.0, 288.0))] {
        let curve = curves[group].as_ref().unwrap();
        let median = curve.median();
        let (low, high) = (median.interval.low.unwrap(), median.interval.high.unwrap());
        assert_eq!((curve.n, curve.events, median.time.unwrap(), low, high), expected, "ECOG {group}");
    }
}

#[test]
fn lung_survival_at_a_year_is_that_of_r_survival() {
    let curves = lung_by_ecog();
    let curve = curves[0].as_ref().unwrap();
    let year = curve.survival_at(365.0).unwrap();
    assert_printed(year.value, "0.535");
    assert_printed(year.se.unwrap(), "0.0728");
    assert_printed(year.interval.low.unwrap(), "0.4100");
    assert_printed(year.interval.high.unwrap(), "0.699");
    assert_eq!(curve.numbers_at_risk(&[0.0, 30.0, 180.0, 365.0, 730.0]), [63, 60, 52, 22, 5]);
}

fn log_rank_of(table: &Table, by: &str, levels: usize) -> LogRank {
    let (events, groups) = (table.flags("event"), table.codes(by));
    let follow_up = FollowUp::new(table.numeric("time"), binary("event", &events));
    log_rank(&follow_up, factor(by, &groups, levels), None, Weight::LogRank).unwrap()
}

#[test]
fn ovarian_log_rank_is_that_of_r_survival() {
    let result = log_rank_of(&Table::read("tests/data/ovarian.csv"), "arm", 2);
    assert_printed(result.test.statistic, "1.063");
    assert_printed(result.test.p, "0.303");
    assert_printed(result.groups[0].expected, "5.23");
    assert_printed(result.groups[1].expected, "6.77");
}

#[test]
fn leukaemia_log_rank_is_that_of_r_survival() {
    // Maintained, then not maintained (Miller 1981); a plus sign is 0.
    let maintained = [(9, 1), (13, 1), (13, 0), (18, 1), (23, 1), (28, 0), (31, 1), (34, 1), (45, 0), (48, 1), (161, 0)];
    let others = [(5, 1), (5, 1), (8, 1), (8, 1), (12, 1), (16, 0), (23, 1), (27, 1), (30, 1), (33, 1), (43, 1), (45, 1)];
    let people: Vec<(i32, i32, u32)> = maintained.iter().map(|(t, e)| (*t, *e, 0)).chain(others.iter().map(|(t, e)| (*t, *e, 1))).collect();
    let times: Vec<Option<f64>> = people.iter().map(|person| Some(f64::from(person.0))).collect();
    let events: Vec<Option<bool>> = people.iter().map(|person| Some(person.1 == 1)).collect();
    let groups: Vec<Option<u32>> = people.iter().map(|person| Some(person.2)).collect();
    let follow_up = FollowUp::new(Numeric { name: "time", values: &times }, binary("event", &events));
    let result = log_rank(&follow_up, factor("group", &groups, 2), None, Weight::LogRank).unwrap();
    assert_eq!((result.groups[0].observed, result.groups[1].observed), (7.0, 11.0));
    assert_printed(result.groups[0].expected, "10.69");
    assert_printed(result.groups[1].expected, "7.31");
    assert_printed(result.test.statistic, "3.4");
}

#[test]
fn rossi_log_rank_by_race_is_that_of_scikit_survival() {
    let result = log_rank_of(&Table::read("tests/data/rossi.csv"), "race", 2);
    assert!((result.test.statistic - 0.576101713683918).abs() < 1e-12, "{}", result.test.statistic);
    assert!((result.test.p - 0.447844394252168).abs() < 1e-12, "{}", result.test.p);
}

#[test]
fn rossi_cox_is_that_of_scikit_survival() {
    let rossi = Table::read("tests/data/rossi.csv");
    let terms = main_effects(&rossi, &["fin", "age", "race", "wexp", "mar", "paro", "prio"]);
    let efron = cox_of(&rossi, &terms, None, Ties::Efron);
    // scikit-survival prints -0.379422166 and 0.091497081, where its iterations stop; R goes on to these.
    assert_printed(beta(&efron, 0), "-0.379422167");
    assert_printed(beta(&efron, 6), "0.091497079");
    assert!((beta(&efron, 6) - 0.091497081).abs() < 2e-9);
    assert_printed(efron.log_likelihood, "-658.7477");
    let breslow = cox_of(&rossi, &terms, None, Ties::Breslow);
    assert_printed(beta(&breslow, 0), "-0.37902189");
    assert_printed(breslow.log_likelihood, "-659.1206");
}

#[test]
fn small_cox_models_are_those_of_therneau_and_grambsch() {
    let numbers = |values: &[f64]| values.iter().copied().map(Some).collect::<Vec<_>>();
    let times = numbers(&[9.0, 3.0, 1.0, 1.0, 6.0, 6.0, 8.0]);
    let events = [Some(true), None, Some(true), Some(false), Some(true), Some(true), Some(false)];
    let x = numbers(&[0.0, 2.0, 1.0, 1.0, 1.0, 0.0, 0.0]);
    let terms = [Term::Main(Covariate::Numeric(Numeric { name: "x", values: &x }))];
    let follow_up = FollowUp::new(Numeric { name: "time", values: &times }, binary("event", &events));
    let model = CoxModel { follow_up, terms: &terms, strata: None, ties: Ties::Breslow, level: Level::P95 };
    let fit = cox(&model).unwrap();
    assert_eq!(fit.missing, 1);
    assert!((beta(&fit, 0) - (1.5 + 33f64.sqrt() / 2.0).ln()).abs() < 1e-9);

    // The example of R's coxph: stratified by sex, Efron.
    let times = numbers(&[4.0, 3.0, 1.0, 1.0, 2.0, 2.0, 3.0]);
    let events = [true, true, true, false, true, true, false].map(Some);
    let sex = [0, 0, 0, 0, 1, 1, 1].map(Some);
    let follow_up = FollowUp::new(Numeric { name: "time", values: &times }, binary("event", &events));
    let strata = Some(Factor { name: "sex", levels: &LEVELS[..2], codes: &sex });
    let wald = cox(&CoxModel { follow_up, strata, ties: Ties::Efron, ..model }).unwrap().coefficients[0].wald.unwrap();
    assert_printed(wald.beta, "0.8023");
    assert_printed(wald.se, "0.8224");
}

#[test]
fn wilms_tumour_likelihoods_are_those_of_r_survival() {
    let nwtco = Table::read("tests/data/nwtco.csv");
    let fit = cox_of(&nwtco, &main_effects(&nwtco, &["histology"]), None, Ties::Efron);
    assert_printed(fit.null_log_likelihood, "-4666.3");
    assert_printed(fit.log_likelihood, "-4532.5");
    assert_printed(fit.tests.likelihood_ratio.statistic, "267.6667");
}

#[test]
fn worcester_cox_models_are_those_of_the_textbook() {
    let whas = Table::read("../../api/demo/whas500.csv");
    let events = whas.flags("fstat");
    let follow_up = FollowUp::new(whas.numeric("lenfol"), binary("fstat", &events));
    let (sex, age) = (Covariate::Numeric(whas.numeric("gender")), Covariate::Numeric(whas.numeric("age")));
    let terms = [Term::Main(sex), Term::Main(age), Term::Interaction(sex, age)];
    let fit = cox(&CoxModel { follow_up, terms: &terms, strata: None, ties: Ties::Breslow, level: Level::P95 }).unwrap();
    assert_printed(beta(&fit, 0), "2.32852");
    assert_printed(beta(&fit, 2), "-0.03043");

    let small = Table::read("tests/data/whas100.csv");
    let wald = cox_of(&small, &main_effects(&small, &["sex"]), None, Ties::Breslow).coefficients[0].wald.unwrap();
    assert_printed(wald.beta, "0.556");
    assert_printed(wald.se, "0.2824");
}

#[test]
fn intervals_of_counts_and_shares_are_those_of_public_health_england() {
    let byar = byar_interval(65, Level::P95);
    assert_printed(byar.low.unwrap(), "50.163188");
    assert_printed(byar.high.unwrap(), "82.849139");
    let share = wilson(65, 100, Level::P95).unwrap().interval;
    assert_printed(share.low.unwrap(), "0.552544");
    assert_printed(share.high.unwrap(), "0.736358");
}

#[test]
fn funnel_limits_are_those_of_public_health_england() {
    let baseline = 0.80642448;
    let inner = funnel_limits(baseline, 5, Level::P95, FunnelMethod::Score).unwrap();
    let outer = funnel_limits(baseline, 5, Level::P998, FunnelMethod::Score).unwrap();
    assert_printed(100.0 * inner.low, "46.011039");
    assert_printed(100.0 * outer.low, "26.039864");
}

#[test]
fn differences_of_shares_are_those_of_newcombe() {
    // Statistics in Medicine 17, 1998, table II, method 10.
    for (a, m, b, n, low, high) in
        [(56, 70, 48, 80, "0.0524", "0.3339"), (9, 10, 3, 10, "0.1705", "0.8090"), (10, 10, 0, 20, "0.6791", "1.0000")]
    {
        let table = TwoByTwo { exposed_events: a, exposed_others: m - a, unexposed_events: b, unexposed_others: n - b };
        let interval = table.risk_difference(Level::P95).unwrap().interval;
        assert_printed(interval.low.unwrap(), low);
        assert_printed(interval.high.unwrap(), high);
    }
}

#[test]
fn agreement_is_that_of_the_literature() {
    // Hout, Duncan and Sobel 1987, in R's vcd: kappa 0.129, its standard error 0.0686, z 1.89.
    let counts = [[7, 7, 2, 3], [2, 8, 3, 7], [1, 5, 4, 9], [2, 8, 9, 14]];
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for (row, counts) in counts.iter().enumerate() {
        for (column, &count) in counts.iter().enumerate() {
            first.extend(std::iter::repeat_n(Some(row as u32), count));
            second.extend(std::iter::repeat_n(Some(column as u32), count));
        }
    }
    let result = kappa(factor("husband", &first, 4), factor("wife", &second, 4), Level::P95).unwrap();
    assert_printed(result.kappa.value, "0.1293");
    assert_printed(result.kappa.se.unwrap(), "0.0686");

    // Bland and Altman 1986: peak flow by two meters, bias -2.1, SD 38.8.
    let large = [494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427].map(|value| Some(f64::from(value)));
    let mini = [512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451].map(|value| Some(f64::from(value)));
    let (large, mini) = (Numeric { name: "Wright", values: &large }, Numeric { name: "mini", values: &mini });
    let result = bland_altman(large, mini, Level::P95).unwrap();
    assert_printed(result.bias.value, "-2.1");
    assert_printed(result.sd, "38.8");
    assert_printed(result.upper_limit.value, "73.9");
    assert_printed(result.lower_limit.value, "-78.1");
}

/// A column, and the group of each value, of as many values in each group.
fn groups_of(values: &[f64], levels: usize) -> (Vec<Option<f64>>, Vec<Option<u32>>) {
    let each = values.len() / levels;
    (values.iter().copied().map(Some).collect(), (0..values.len()).map(|i| Some((i / each) as u32)).collect())
}

#[test]
fn comparisons_are_those_of_the_examples_of_r() {
    // Student's own data of 1908: hours of sleep gained under two drugs.
    let sleep = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0, 1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
    let (values, codes) = groups_of(&sleep, 2);
    let welch = welch_t(Numeric { name: "extra", values: &values }, factor("drug", &codes, 2), Level::P95).unwrap();
    assert_printed(welch.test.statistic, "-1.8608");
    assert_printed(welch.test.p, "0.07939");
    assert_printed(welch.difference.interval.low.unwrap(), "-3.3654832");
    let (first, second) = (Numeric { name: "first", values: &values[..10] }, Numeric { name: "second", values: &values[10..] });
    assert_printed(paired_t(first, second, Level::P95).unwrap().test.p, "0.002833");

    // Weights of plants under three conditions (Dobson 1983).
    let plants = [
        4.17, 5.58, 5.18, 6.11, 4.50, 4.61, 5.17, 4.53, 5.33, 5.14, 4.81, 4.17, 4.41, 3.59, 5.87, 3.83, 6.03, 4.89, 4.32, 4.69, 6.31, 5.12,
        5.54, 5.50, 5.37, 5.29, 4.92, 6.15, 5.80, 5.26,
    ];
    let (values, codes) = groups_of(&plants, 3);
    let (weight, by) = (Numeric { name: "weight", values: &values }, factor("group", &codes, 3));
    let test = anova(weight, by).unwrap();
    assert_printed(test.statistic, "4.846");
    assert_printed(test.p, "0.01591");
    let test = kruskal_wallis(weight, by).unwrap();
    assert_printed(test.statistic, "7.9882");
    assert_printed(test.p, "0.01842");

    // Fisher's tea, Agresti's job satisfaction, and the twins convicted (R's fisher.test).
    let fisher =
        |counts: &[&[u64]]| fisher_exact(&CrossTable { counts: counts.iter().map(|row| row.to_vec()).collect(), missing: 0 }).unwrap().p;
    assert_printed(fisher(&[&[3, 1], &[1, 3]]), "0.4857");
    assert_printed(fisher(&[&[1, 2, 1, 0], &[3, 3, 6, 1], &[10, 10, 14, 9], &[6, 7, 12, 11]]), "0.7827");
    assert_printed(fisher(&[&[2, 15], &[10, 3]]), "0.0005367");
    let tea = TwoByTwo { exposed_events: 3, exposed_others: 1, unexposed_events: 1, unexposed_others: 3 };
    assert_printed(tea.odds_ratio_exact(Level::P95).unwrap().value, "6.4083");
}

#[test]
fn longley_regression_is_that_certified_by_nist() {
    // Employment by deflator, product, unemployed, forces, population and year: nearly collinear.
    let rows: [[f64; 7]; 16] = [
        [60323.0, 83.0, 234289.0, 2356.0, 1590.0, 107608.0, 1947.0],
        [61122.0, 88.5, 259426.0, 2325.0, 1456.0, 108632.0, 1948.0],
        [60171.0, 88.2, 258054.0, 3682.0, 1616.0, 109773.0, 1949.0],
        [61187.0, 89.5, 284599.0, 3351.0, 1650.0, 110929.0, 1950.0],
        [63221.0, 96.2, 328975.0, 2099.0, 3099.0, 112075.0, 1951.0],
        [63639.0, 98.1, 346999.0, 1932.0, 3594.0, 113270.0, 1952.0],
        [64989.0, 99.0, 365385.0, 1870.0, 3547.0, 115094.0, 1953.0],
        [63761.0, 100.0, 363112.0, 3578.0, 3350.0, 116219.0, 1954.0],
        [66019.0, 101.2, 397469.0, 2904.0, 3048.0, 117388.0, 1955.0],
        [67857.0, 104.6, 419180.0, 2822.0, 2857.0, 118734.0, 1956.0],
        [68169.0, 108.4, 442769.0, 2936.0, 2798.0, 120445.0, 1957.0],
        [66513.0, 110.8, 444546.0, 4681.0, 2637.0, 121950.0, 1958.0],
        [68655.0, 112.6, 482704.0, 3813.0, 2552.0, 123366.0, 1959.0],
        [69564.0, 114.2, 502601.0, 3931.0, 2514.0, 125368.0, 1960.0],
        [69331.0, 115.7, 518173.0, 4806.0, 2572.0, 127852.0, 1961.0],
        [70551.0, 116.9, 554894.0, 4007.0, 2827.0, 130081.0, 1962.0],
    ];
    let columns: Vec<Vec<Option<f64>>> = (0..7).map(|column| rows.iter().map(|row| Some(row[column])).collect()).collect();
    let terms: Vec<Term> = columns[1..].iter().map(|values| Term::Main(Covariate::Numeric(Numeric { name: "x", values }))).collect();
    let outcome = Numeric { name: "employed", values: &columns[0] };
    let fit = linear(&LinearModel { outcome, terms: &terms, level: Level::P95 }).unwrap();
    let certified =
        [15.0618722713733, -0.358191792925910e-01, -2.02022980381683, -1.03322686717359, -0.511041056535807e-01, 1829.15146461355];
    for (actual, certified) in fit.values.iter().zip(certified) {
        assert!((actual / certified - 1.0).abs() < 1e-9, "{actual} instead of {certified}");
    }
    assert!((fit.intercept_value / -3482258.63459582 - 1.0).abs() < 1e-9);
    assert!((fit.intercept.unwrap().se / 890420.383607373 - 1.0).abs() < 1e-9);
    assert!((fit.residual_sd / 304.854073561965 - 1.0).abs() < 1e-10);
    assert!((fit.r_squared - 0.995479004577296).abs() < 1e-12);
}

#[test]
fn standard_deviations_are_those_certified_by_nist() {
    let nist = Table::read("tests/data/nist.csv");
    let summary = |name| summarise(nist.numeric(name), Level::P95, QuantileType::Linear7).unwrap();
    for (name, sd) in
        [("michelson", 0.0790105478190518), ("lottery", 291.699727470969), ("lew", 277.332168044316), ("mavro", 0.000429123454003053)]
    {
        assert_near(summary(name).sd.unwrap(), sd, 1e-13, name);
    }
    assert!((summary("michelson").mean - 299.8524).abs() < 1e-12);
    // NumAcc4: 10000000.2, then 500 pairs of 10000000.1 and 10000000.3, whose standard deviation is a tenth.
    let hard: Vec<Option<f64>> = (0..1001).map(|i| Some(1e7 + [0.2, 0.1, 0.3][if i == 0 { 0 } else { 1 + (i + 1) % 2 }])).collect();
    let summary = summarise(Numeric { name: "NumAcc4", values: &hard }, Level::P95, QuantileType::Linear7).unwrap();
    assert!((summary.sd.unwrap() - 0.1).abs() < 1e-8, "{:?}", summary.sd);
}
