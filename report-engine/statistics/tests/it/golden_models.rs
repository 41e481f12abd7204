//! Results of R's survival, cmprsk, lm and glm on random data.
use crate::common::{Golden, Table, binary, factor};
use statistics::compare::correlation::spearman;
use statistics::compare::means::welch_t;
use statistics::compare::ranks::{kruskal_wallis, mann_whitney};
use statistics::describe::{QuantileType, summarise};
use statistics::model::cox::{CoxFit, CoxModel, Ties, cox};
use statistics::model::design::{Covariate, Term};
use statistics::model::fit::{Coefficient, Wald};
use statistics::model::linear::{LinearModel, linear};
use statistics::model::logistic::{LogisticModel, logistic};
use statistics::model::proportional::TimeScale;
use statistics::survival::competing::{CompetingFollowUp, cumulative_incidence};
use statistics::survival::curve::{Band, Curve, kaplan_meier};
use statistics::survival::follow_up::FollowUp;
use statistics::survival::gray::gray;
use statistics::survival::log_rank::{LogRank, Weight, log_rank, log_rank_trend};
use statistics::survival::nelson_aalen::nelson_aalen;
use statistics::survival::restricted_mean::restricted_mean_difference;
use statistics::{Binary, Factor, Level, Numeric};

fn follow() -> Table {
    Table::read("tests/golden/follow.csv")
}

fn walds(coefficients: &[Coefficient]) -> Vec<Wald> {
    coefficients.iter().map(|coefficient| coefficient.wald.unwrap()).collect()
}

fn numeric<'a>(table: &'a Table, name: &'a str) -> Covariate<'a> {
    Covariate::Numeric(table.numeric(name))
}

#[test]
fn regressions_of_people() {
    let (golden, people) = (Golden::read(), Table::read("tests/golden/people.csv"));
    let (category, group, events) = (people.codes("category"), people.codes("group"), people.flags("event"));
    let category = Covariate::Factor { factor: factor("category", &category, 4), reference: 0 };
    let group = Covariate::Factor { factor: factor("group", &group, 3), reference: 0 };
    let (x, two) = (numeric(&people, "x"), numeric(&people, "two"));

    let terms = [Term::Main(x), Term::Main(category), Term::Main(two), Term::Interaction(category, two)];
    let fit = linear(&LinearModel { outcome: people.numeric("y"), terms: &terms, level: Level::P95 }).unwrap();
    let all: Vec<Wald> = [fit.intercept.unwrap()].into_iter().chain(walds(&fit.coefficients)).collect();
    golden.check_all("linear", "beta", &all.iter().map(|wald| wald.beta).collect::<Vec<_>>());
    golden.check_all("linear", "se", &all.iter().map(|wald| wald.se).collect::<Vec<_>>());
    golden.check("linear", "sigma", fit.residual_sd);
    golden.check("linear", "r2_", fit.r_squared);
    golden.check("linear", "adjusted", fit.adjusted_r_squared);
    golden.check("linear", "f", fit.test.unwrap().statistic);
    golden.check_interval("linear", "interval", all[1].interval);

    let terms = [Term::Main(x), Term::Main(two), Term::Main(group)];
    let fit = logistic(&LogisticModel { outcome: binary("event", &events), terms: &terms, level: Level::P95 }).unwrap();
    let all: Vec<Wald> = [fit.intercept.unwrap()].into_iter().chain(walds(&fit.coefficients)).collect();
    golden.check_all("logistic", "beta", &all.iter().map(|wald| wald.beta).collect::<Vec<_>>());
    for (index, wald) in all.iter().enumerate() {
        // R's covariance is of its last weights but one.
        golden.check_within("logistic", &format!("se{}", index + 1), wald.se, 1e-7);
    }
    golden.check("logistic", "deviance", -2.0 * fit.log_likelihood);
    golden.check("logistic", "null", -2.0 * fit.null_log_likelihood);
    golden.check("logistic", "score", fit.tests.score.statistic);
}

fn check_curve(golden: &Golden, case: &str, curve: &Curve) {
    for (index, step) in curve.steps.iter().enumerate() {
        let key = |name: &str| format!("{name}{}", index + 1);
        golden.check(case, &key("surv"), step.survival);
        golden.check(case, &key("risk"), step.at_risk as f64);
        for (name, bound) in [("low", step.low), ("high", step.high)] {
            match bound {
                Some(bound) => golden.check(case, &key(name), bound),
                None => assert_eq!(golden.get(case, &key(name)).filter(|value| value.is_finite()), None, "{case} {index}"),
            }
        }
    }
}

#[test]
fn curves() {
    let (golden, follow) = (Golden::read(), follow());
    let events = follow.flags("status");
    let mut data = FollowUp::new(follow.numeric("time"), binary("status", &events));
    for (name, band) in [("km_plain", Band::Plain), ("km_log", Band::Log), ("km_log-log", Band::LogLog)] {
        let curve = kaplan_meier(&data, band, Level::P95).unwrap();
        check_curve(&golden, name, &curve);
        for (place, p) in [0.25, 0.5, 0.75].into_iter().enumerate() {
            let quantile = curve.quantile(p).unwrap();
            for (offset, value) in [quantile.time, quantile.interval.low, quantile.interval.high].into_iter().enumerate() {
                let expected = golden.get(name, &format!("quantile{}", 1 + place + 3 * offset));
                assert_eq!(value, expected, "{name} quantile {p} {offset}");
            }
        }
    }
    let curve = kaplan_meier(&data, Band::LogLog, Level::P95).unwrap();
    let mean = curve.restricted_mean(60.0, Level::P95).unwrap();
    golden.check_all("rmean", "at60_", &[mean.value, mean.se.unwrap()]);
    let sex = follow.codes("sex");
    let between = restricted_mean_difference(&data, factor("sex", &sex, 2), 60.0, Level::P95).unwrap();
    golden.check("rmean_two", "difference", between.difference.value);
    golden.check("rmean_two", "se", between.difference.se.unwrap());
    let hazards = nelson_aalen(&data, Level::P95).unwrap();
    golden.check_all("nelson", "hazard", &hazards.iter().map(|step| step.hazard).collect::<Vec<_>>());
    golden.check_all("nelson", "se", &hazards.iter().map(|step| step.se).collect::<Vec<_>>());

    data.entry = Some(follow.numeric("entry"));
    let late = kaplan_meier(&data, Band::LogLog, Level::P95).unwrap();
    check_curve(&golden, "km_entry", &late);

    let times = [1.0, 1.0, 2.0, 3.0, 3.0, 4.0].map(Some);
    let events = [true, false, true, true, true, true].map(Some);
    let small = FollowUp::new(Numeric { name: "time", values: &times }, binary("event", &events));
    check_curve(&golden, "km_small", &kaplan_meier(&small, Band::LogLog, Level::P95).unwrap());
}

fn check_log_rank(golden: &Golden, case: &str, result: &LogRank) {
    golden.check(case, "chisq", result.test.statistic);
    golden.check_all(case, "observed", &result.groups.iter().map(|group| group.observed).collect::<Vec<_>>());
    golden.check_all(case, "expected", &result.groups.iter().map(|group| group.expected).collect::<Vec<_>>());
}

#[test]
fn log_ranks() {
    let (golden, follow) = (Golden::read(), follow());
    let (events, arm, sex, site) = (follow.flags("status"), follow.codes("arm"), follow.codes("sex"), follow.codes("site"));
    let data = FollowUp::new(follow.numeric("time"), binary("status", &events));
    let (arm, sex, site) = (factor("arm", &arm, 3), factor("sex", &sex, 2), factor("site", &site, 4));
    check_log_rank(&golden, "log_rank", &log_rank(&data, arm, None, Weight::LogRank).unwrap());
    check_log_rank(&golden, "log_rank_two", &log_rank(&data, sex, None, Weight::LogRank).unwrap());
    check_log_rank(&golden, "log_rank_strata", &log_rank(&data, arm, Some(site), Weight::LogRank).unwrap());
    golden.check("gehan", "chisq", log_rank(&data, arm, None, Weight::Gehan).unwrap().test.statistic);
    golden.check("tarone", "chisq", log_rank(&data, arm, None, Weight::TaroneWare).unwrap().test.statistic);
    let trend = log_rank_trend(&data, arm, &[0.0, 1.0, 3.0], None).unwrap();
    golden.check("log_rank_trend", "chisq", trend.test.statistic);
}

fn check_cox(golden: &Golden, case: &str, fit: &CoxFit) {
    let walds = walds(&fit.coefficients);
    golden.check_all(case, "beta", &walds.iter().map(|wald| wald.beta).collect::<Vec<_>>());
    golden.check_all(case, "se", &walds.iter().map(|wald| wald.se).collect::<Vec<_>>());
    golden.check_all(case, "loglik", &[fit.null_log_likelihood, fit.log_likelihood]);
    golden.check(case, "score", fit.tests.score.statistic);
    golden.check(case, "wald", fit.tests.wald.statistic);
    let c = fit.concordance().estimate(Level::P95).unwrap();
    golden.check(case, "concordance", c.value);
    golden.check(case, "concordance_variance", c.se.unwrap().powi(2));
}

#[test]
fn cox_models() {
    let (golden, follow) = (Golden::read(), follow());
    let (events, arm, site) = (follow.flags("status"), follow.codes("arm"), follow.codes("site"));
    let data = FollowUp::new(follow.numeric("time"), binary("status", &events));
    let arm = Covariate::Factor { factor: factor("arm", &arm, 3), reference: 0 };
    let (age, sex, site) = (numeric(&follow, "age"), numeric(&follow, "sex"), Some(factor("site", &site, 4)));
    let terms = [Term::Main(age), Term::Main(sex), Term::Main(arm)];
    let model = CoxModel { follow_up: data, terms: &terms, strata: None, ties: Ties::Efron, level: Level::P95 };
    let fit = cox(&model).unwrap();
    check_cox(&golden, "cox", &fit);
    assert_eq!(fit.missing, 2);
    let scales = [("km", TimeScale::KaplanMeier), ("rank", TimeScale::Rank), ("identity", TimeScale::Identity), ("log", TimeScale::Log)];
    for (name, scale) in scales {
        let test = fit.test_proportionality(scale).unwrap();
        let all: Vec<_> = test.by_term.iter().chain([&test.global]).collect();
        golden.check_all(&format!("zph_{name}"), "chisq", &all.iter().map(|test| test.statistic).collect::<Vec<_>>());
        golden.check_all(&format!("zph_{name}"), "p", &all.iter().map(|test| test.p).collect::<Vec<_>>());
    }
    check_cox(&golden, "cox_breslow", &cox(&CoxModel { ties: Ties::Breslow, ..model }).unwrap());

    let crossed = [Term::Main(age), Term::Main(sex), Term::Interaction(age, sex)];
    check_cox(&golden, "cox_strata", &cox(&CoxModel { terms: &crossed, strata: site, ..model }).unwrap());
    let plain = [Term::Main(age), Term::Main(sex)];
    let stratified = cox(&CoxModel { terms: &plain, strata: site, ties: Ties::Breslow, ..model }).unwrap();
    let test = stratified.test_proportionality(TimeScale::KaplanMeier).unwrap();
    golden.check_all("zph_strata", "chisq", &[test.by_term[0].statistic, test.by_term[1].statistic, test.global.statistic]);
    let late = FollowUp { entry: Some(follow.numeric("entry")), ..data };
    check_cox(&golden, "cox_entry", &cox(&CoxModel { follow_up: late, terms: &plain, ..model }).unwrap());
    let exact = FollowUp::new(follow.numeric("exact"), binary("status", &events));
    check_cox(&golden, "cox_exact", &cox(&CoxModel { follow_up: exact, terms: &[Term::Main(sex)], ..model }).unwrap());
}

#[test]
fn competing_risks() {
    let (golden, follow) = (Golden::read(), follow());
    let (cause, arm, sex) = (follow.codes("cause"), follow.codes("arm"), follow.codes("sex"));
    let data = CompetingFollowUp { time: follow.numeric("time"), cause: factor("cause", &cause, 3), entry: None };
    let incidence = cumulative_incidence(&data, Level::P95).unwrap();
    for (index, steps) in incidence.by_cause.iter().enumerate() {
        let at = |time: f64| steps[steps.partition_point(|step| step.time <= time) - 1];
        let points = [10.0, 20.0, 40.0, 60.0].map(at);
        golden.check_all("incidence", &format!("est{}_", index + 1), &points.map(|step| step.incidence));
        golden.check_all("incidence", &format!("var{}_", index + 1), &points.map(|step| step.se * step.se));
        let test = gray(&data, index as u32 + 1, factor("arm", &arm, 3)).unwrap();
        golden.check("gray", &format!("statistic{}", index + 1), test.statistic);
        golden.check("gray", &format!("p{}", index + 1), test.p);
        let test = gray(&data, index as u32 + 1, factor("sex", &sex, 2)).unwrap();
        golden.check("gray_two", &format!("statistic{}", index + 1), test.statistic);
    }
}

/// The rows of `many` in make.R.
struct Many {
    time: Vec<Option<f64>>,
    status: Vec<Option<bool>>,
    status_code: Vec<Option<u32>>,
    x: Vec<Option<f64>>,
    z: Vec<Option<f64>>,
    group: Vec<Option<u32>>,
}

fn many(n: u64) -> Many {
    let status = |i: u64| (i * 31) % 11 < 4;
    Many {
        time: (0..n).map(|i| Some(((i * 7919) % 9973 / 7 + 1) as f64)).collect(),
        status: (0..n).map(|i| Some(status(i))).collect(),
        status_code: (0..n).map(|i| Some(u32::from(status(i)))).collect(),
        x: (0..n).map(|i| Some((i * 104_729 % 1009) as f64 / 10.0)).collect(),
        z: (0..n).map(|i| Some((i * 13 % 5) as f64)).collect(),
        group: (0..n).map(|i| Some(((i * 3) % 4 / 2) as u32 + u32::from((i * 17) % 29 < 5))).collect(),
    }
}

#[test]
fn many_rows() {
    let golden = Golden::read();
    for n in [10, 1000, 100_000] {
        let (case, data) = (format!("many{n}"), many(n));
        let (time, x) = (Numeric { name: "time", values: &data.time }, Numeric { name: "x", values: &data.x });
        let follow_up = FollowUp::new(time, Binary { name: "status", values: &data.status });
        let group: Factor = factor("group", &data.group, 3);
        if n > 10 {
            let z = Numeric { name: "z", values: &data.z };
            let terms = [Term::Main(Covariate::Numeric(x)), Term::Main(Covariate::Numeric(z))];
            let model = CoxModel { follow_up, terms: &terms, strata: None, ties: Ties::Efron, level: Level::P95 };
            check_cox(&golden, &case, &cox(&model).unwrap());
        }
        golden.check(&case, "log_rank", log_rank(&follow_up, group, None, Weight::LogRank).unwrap().test.statistic);
        let curve = kaplan_meier(&follow_up, Band::LogLog, Level::P95).unwrap();
        golden.check(&case, "surv", curve.steps.last().unwrap().survival);
        golden.check(&case, "sd", summarise(x, Level::P95, QuantileType::Linear7).unwrap().sd.unwrap());
        golden.check_within(&case, "kruskal", kruskal_wallis(x, group).unwrap().statistic, 1e-6);
        let status = factor("status", &data.status_code, 2);
        golden.check(&case, "welch_p", welch_t(x, status, Level::P95).unwrap().test.p);
        if n > 10 {
            golden.check(&case, "mann", mann_whitney(x, status).unwrap().p);
        }
        golden.check(&case, "spearman", spearman(x, time, Level::P95).unwrap().coefficient);
    }
}
