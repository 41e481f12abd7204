//! What has no answer is said by name; nothing panics and nothing is NaN.
use crate::common::{binary, factor};
use statistics::compare::correlation::pearson;
use statistics::compare::fisher::fisher_exact;
use statistics::compare::means::{anova, paired_t, student_t, welch_t};
use statistics::compare::ranks::{kruskal_wallis, mann_whitney, signed_rank};
use statistics::compare::table::{Continuity, CrossTable, chi_squared};
use statistics::describe::{QuantileType, summarise};
use statistics::model::cox::{CoxFit, CoxModel, Ties, cox};
use statistics::model::design::{Covariate, Term};
use statistics::model::fit::Warning;
use statistics::model::linear::{LinearModel, linear};
use statistics::model::logistic::{LogisticModel, logistic};
use statistics::model::roc::roc;
use statistics::survival::competing::{CompetingFollowUp, cumulative_incidence};
use statistics::survival::curve::{Band, kaplan_meier};
use statistics::survival::follow_up::FollowUp;
use statistics::survival::gray::gray;
use statistics::survival::log_rank::{Weight, log_rank};
use statistics::survival::restricted_mean::restricted_mean_difference;
use statistics::{Error, Level, Numeric, Result};

const YES: Option<bool> = Some(true);
const NO: Option<bool> = Some(false);

fn numbers(values: &[f64]) -> Vec<Option<f64>> {
    values.iter().copied().map(Some).collect()
}

fn numeric<'a>(name: &'a str, values: &'a [Option<f64>]) -> Numeric<'a> {
    Numeric { name, values }
}

fn curve_of(times: &[Option<f64>], events: &[Option<bool>]) -> Result<statistics::survival::curve::Curve> {
    kaplan_meier(&FollowUp::new(numeric("lenfol", times), binary("fstat", events)), Band::LogLog, Level::P95)
}

fn cox_of(times: &[Option<f64>], events: &[Option<bool>], x: &[Option<f64>]) -> Result<CoxFit> {
    let terms = [Term::Main(Covariate::Numeric(numeric("age", x)))];
    let follow_up = FollowUp::new(numeric("lenfol", times), binary("fstat", events));
    cox(&CoxModel { follow_up, terms: &terms, strata: None, ties: Ties::Efron, level: Level::P95 })
}

#[test]
fn event_without_a_time_is_named_and_missing_censoring_is_counted() {
    let error = curve_of(&[Some(1.0), None], &[NO, YES]).unwrap_err();
    assert_eq!(error, Error::EventWithoutTime { variable: "lenfol".into(), row: 1 });
    assert_eq!(curve_of(&[Some(1.0), None, Some(2.0)], &[NO, NO, None]).unwrap().missing, 2);
}

#[test]
fn impossible_times_are_named() {
    let variable = || "lenfol".to_string();
    assert_eq!(curve_of(&[Some(1.0), Some(-1.0)], &[NO, YES]).unwrap_err(), Error::NegativeTime { variable: variable(), row: 1 });
    assert_eq!(curve_of(&[Some(f64::NAN)], &[NO]).unwrap_err(), Error::NotFinite { variable: variable(), row: 0 });
    let (times, entries, events) = (numbers(&[5.0, 5.0]), numbers(&[1.0, 5.0]), [YES, YES]);
    let late = FollowUp { entry: Some(numeric("entry", &entries)), ..FollowUp::new(numeric("lenfol", &times), binary("fstat", &events)) };
    assert_eq!(kaplan_meier(&late, Band::Log, Level::P95).unwrap_err(), Error::EntryAfterExit { variable: variable(), row: 1 });
    assert!(matches!(curve_of(&[Some(1.0)], &[]).unwrap_err(), Error::LengthsDiffer { .. }));
    assert!(matches!(curve_of(&[], &[]).unwrap_err(), Error::TooFew { n: 0, .. }));
}

#[test]
fn nobody_with_the_event_has_a_curve_and_no_tests() {
    let (times, events) = (numbers(&[1.0, 2.0, 3.0, 4.0]), [NO; 4]);
    let curve = curve_of(&times, &events).unwrap();
    assert!(curve.steps.iter().all(|step| step.survival == 1.0 && step.low == Some(1.0)));
    assert_eq!(curve.median().time, None);
    let groups = [0, 0, 1, 1].map(Some);
    let follow_up = FollowUp::new(numeric("lenfol", &times), binary("fstat", &events));
    let error = log_rank(&follow_up, factor("sex", &groups, 2), None, Weight::LogRank).unwrap_err();
    assert_eq!(error, Error::NoEvents { variable: "fstat".into() });
    assert_eq!(cox_of(&times, &events, &times).unwrap_err(), Error::NoEvents { variable: "fstat".into() });
}

#[test]
fn one_group_is_said() {
    let (x, groups) = (numbers(&[1.0, 2.0, 4.0, 7.0]), [Some(1); 4]);
    let (x, by) = (numeric("hr", &x), factor("sex", &groups, 2));
    let one = |needed| Error::GroupCount { variable: "sex".into(), groups: 1, needed };
    assert_eq!(welch_t(x, by, Level::P95).unwrap_err(), one("exactly two"));
    assert_eq!(mann_whitney(x, by).unwrap_err(), one("exactly two"));
    assert_eq!(anova(x, by).unwrap_err(), one("at least two"));
    assert_eq!(kruskal_wallis(x, by).unwrap_err(), one("at least two"));
    let events = [YES; 4];
    let follow_up = FollowUp::new(x, binary("fstat", &events));
    assert_eq!(log_rank(&follow_up, by, None, Weight::LogRank).unwrap_err(), one("at least two"));
    let table = CrossTable::of(by, by).unwrap();
    assert!(matches!(chi_squared(&table, Continuity::None).unwrap_err(), Error::GroupCount { .. }));
    assert!(matches!(fisher_exact(&table).unwrap_err(), Error::GroupCount { .. }));
    assert!(matches!(roc(x, binary("fstat", &events), Level::P95).unwrap_err(), Error::Constant { .. }));
}

#[test]
fn constant_values_are_said() {
    let (x, groups) = (numbers(&[3.0; 6]), [0, 0, 0, 1, 1, 1].map(Some));
    let (x, by) = (numeric("hr", &x), factor("sex", &groups, 2));
    let constant = Error::Constant { variable: "hr".into() };
    assert_eq!(welch_t(x, by, Level::P95).unwrap_err(), constant);
    assert_eq!(student_t(x, by, Level::P95).unwrap_err(), constant);
    assert_eq!(anova(x, by).unwrap_err(), constant);
    assert_eq!(kruskal_wallis(x, by).unwrap_err(), constant);
    assert_eq!(mann_whitney(x, by).unwrap_err(), constant);
    assert_eq!(paired_t(x, x, Level::P95).unwrap_err(), constant);
    assert_eq!(signed_rank(x, x).unwrap_err(), constant);
    assert_eq!(pearson(x, x, Level::P95).unwrap_err(), constant);
    let summary = summarise(x, Level::P95, QuantileType::Linear7).unwrap();
    assert_eq!((summary.sd, summary.median), (Some(0.0), 3.0));
}

#[test]
fn constant_and_dependent_covariates_are_said() {
    let (times, events) = (numbers(&[1.0, 2.0, 3.0, 4.0, 5.0]), [YES, YES, NO, YES, NO]);
    let constant = Error::Constant { variable: "age".into() };
    assert_eq!(cox_of(&times, &events, &numbers(&[7.0; 5])).unwrap_err(), constant);
    let (x, double) = (numbers(&[1.0, 4.0, 2.0, 8.0, 5.0]), numbers(&[2.1, 8.1, 4.1, 16.1, 10.1]));
    let terms = [numeric("x", &x), numeric("double", &double)].map(|numeric| Term::Main(Covariate::Numeric(numeric)));
    let collinear = Error::Collinear { covariate: "double".into() };
    let follow_up = FollowUp::new(numeric("lenfol", &times), binary("fstat", &events));
    let model = CoxModel { follow_up, terms: &terms, strata: None, ties: Ties::Efron, level: Level::P95 };
    assert_eq!(cox(&model).unwrap_err(), collinear);
    assert_eq!(linear(&LinearModel { outcome: numeric("y", &times), terms: &terms, level: Level::P95 }).unwrap_err(), collinear);
    assert_eq!(logistic(&LogisticModel { outcome: binary("fstat", &events), terms: &terms, level: Level::P95 }).unwrap_err(), collinear);
}

#[test]
fn separation_is_warned_of_and_other_covariates_keep_their_effect() {
    let x = numbers(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    let events = [NO, NO, NO, NO, YES, YES, YES, YES];
    let terms = [Term::Main(Covariate::Numeric(numeric("age", &x)))];
    let fit = logistic(&LogisticModel { outcome: binary("fstat", &events), terms: &terms, level: Level::P95 }).unwrap();
    assert!(fit.warnings.contains(&Warning::Separation { covariate: "age".into() }), "{:?}", fit.warnings);
    assert_eq!((fit.coefficients[0].wald, fit.intercept), (None, None));

    // Nobody of those with the mark has the event.
    let marks = numbers(&[0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    let other = numbers(&[3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0, 5.0, 3.5]);
    let times = numbers(&[2.0, 5.0, 3.0, 9.0, 4.0, 6.0, 7.0, 8.0, 1.0, 10.0]);
    let events = [YES, NO, YES, NO, YES, YES, YES, NO, YES, NO];
    let terms = [numeric("mark", &marks), numeric("other", &other)].map(|numeric| Term::Main(Covariate::Numeric(numeric)));
    let follow_up = FollowUp::new(numeric("lenfol", &times), binary("fstat", &events));
    let fit = cox(&CoxModel { follow_up, terms: &terms, strata: None, ties: Ties::Efron, level: Level::P95 }).unwrap();
    assert!(fit.warnings.contains(&Warning::Separation { covariate: "mark".into() }), "{:?}", fit.warnings);
    assert!(fit.warnings.contains(&Warning::FewEvents { per_column: 3.0 }));
    assert_eq!(fit.coefficients[0].wald, None);
    assert!(fit.coefficients[1].wald.unwrap().se.is_finite());
}

#[test]
fn levels_without_people_are_left_out_and_named() {
    let (x, groups) = (numbers(&[1.0, 2.0, 4.0, 7.0, 8.0, 3.0]), [0, 2, 0, 2, 2, 0].map(Some));
    let term = |reference| [Term::Main(Covariate::Factor { factor: factor("arm", &groups, 3), reference })];
    let fit = linear(&LinearModel { outcome: numeric("y", &x), terms: &term(0), level: Level::P95 }).unwrap();
    assert_eq!(fit.coefficients.len(), 1);
    assert!(matches!(&fit.warnings[..], [Warning::EmptyLevel(level)] if level.level == "1"));
    let error = linear(&LinearModel { outcome: numeric("y", &x), terms: &term(1), level: Level::P95 }).unwrap_err();
    assert_eq!(error, Error::EmptyLevel { variable: "arm".into(), level: "1".into() });
    assert!(matches!(
        linear(&LinearModel { outcome: numeric("y", &x), terms: &term(9), level: Level::P95 }),
        Err(Error::EmptyLevel { .. })
    ));
}

#[test]
fn unknown_levels_and_lengths_are_said() {
    let (x, groups) = (numbers(&[1.0, 2.0]), [Some(0), Some(7)]);
    let error = welch_t(numeric("hr", &x), factor("sex", &groups, 2), Level::P95).unwrap_err();
    assert_eq!(error, Error::UnknownLevel { variable: "sex".into(), row: 1 });
    let error = welch_t(numeric("hr", &x), factor("sex", &groups[..1], 2), Level::P95).unwrap_err();
    assert_eq!(error, Error::LengthsDiffer { variable: "sex".into(), rows: 1, expected: 2 });
}

#[test]
fn numbers_whose_squares_no_float_holds_are_refused() {
    for value in [1e200, -1e200, 1e-200, f64::INFINITY] {
        let x = numbers(&[1.0, value]);
        let error = summarise(numeric("hr", &x), Level::P95, QuantileType::Linear7).unwrap_err();
        assert_eq!(error, Error::NotFinite { variable: "hr".into(), row: 1 });
    }
}

#[test]
fn rows_of_which_none_is_complete_are_said() {
    let (times, events) = (numbers(&[1.0, 2.0]), [YES, NO]);
    assert_eq!(cox_of(&times, &events, &[None, None]).unwrap_err(), Error::TooFew { variable: "complete rows".into(), n: 0, needed: 2 });
}

#[test]
fn gray_says_who_had_no_event_and_refuses_late_entry() {
    let (times, groups) = (numbers(&[1.0, 2.0, 3.0, 4.0]), [0, 1, 0, 1].map(Some));
    let causes = [0, 1, 0, 1].map(Some);
    let data = CompetingFollowUp { time: numeric("lenfol", &times), cause: factor("cause", &causes, 3), entry: None };
    assert_eq!(gray(&data, 2, factor("sex", &groups, 2)).unwrap_err(), Error::NoEvents { variable: "cause".into() });
    assert!(gray(&data, 1, factor("sex", &groups, 2)).unwrap().p <= 1.0);
    let entries = numbers(&[0.0; 4]);
    let late = CompetingFollowUp { entry: Some(numeric("entry", &entries)), ..data };
    assert!(matches!(gray(&late, 1, factor("sex", &groups, 2)).unwrap_err(), Error::OutOfRange { .. }));
}

#[test]
fn fisher_stops_at_its_bound_of_work() {
    let counts = (0..8).map(|i| (0..8).map(|j| 40 + (i * 7 + j * 3) % 11).collect()).collect();
    assert_eq!(fisher_exact(&CrossTable { counts, missing: 0 }).unwrap_err(), Error::TooMuchWork { measure: "Fisher's exact test" });
}

#[test]
fn a_million_rows_are_read_in_one_pass_each() {
    let n = 1_000_000u32;
    let times: Vec<Option<f64>> = (0..n).map(|i| Some(f64::from(i.wrapping_mul(2_654_435_761) % 40_000))).collect();
    let events: Vec<Option<bool>> = (0..n).map(|i| Some(i % 3 == 0)).collect();
    let x: Vec<Option<f64>> = (0..n).map(|i| Some(f64::from(i.wrapping_mul(40_503) % 977))).collect();
    let groups: Vec<Option<u32>> = (0..n).map(|i| Some(i % 5)).collect();
    let follow_up = FollowUp::new(numeric("lenfol", &times), binary("fstat", &events));
    assert_eq!(curve_of(&times, &events).unwrap().n, n as usize);
    assert!(log_rank(&follow_up, factor("arm", &groups, 5), None, Weight::LogRank).unwrap().test.p <= 1.0);
    assert!(cox_of(&times, &events, &x).unwrap().coefficients[0].wald.is_some());
    assert!(roc(numeric("x", &x), binary("fstat", &events), Level::P95).unwrap().area.se.is_some());
    let arms = factor("arm", &groups, 5);
    let pairs: Vec<Option<u32>> = groups.iter().map(|group| group.map(|group| group % 2)).collect();
    let restricted = restricted_mean_difference(&follow_up, factor("pair", &pairs, 2), 30_000.0, Level::P95).unwrap();
    assert!(restricted.difference.se.is_some());
    let causes: Vec<Option<u32>> = (0..n).map(|i| Some(i % 3)).collect();
    let data = CompetingFollowUp { time: numeric("lenfol", &times), cause: factor("cause", &causes, 3), entry: None };
    assert!(gray(&data, 1, arms).unwrap().p <= 1.0);
    assert_eq!(cumulative_incidence(&data, Level::P95).unwrap().by_cause.len(), 2);
}
