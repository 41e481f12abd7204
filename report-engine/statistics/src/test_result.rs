//! What any test of a hypothesis says: its name, statistic, degrees of freedom, p, n and how many rows were left out.
use crate::distribution::{chi_squared_tail, f_tail, normal_two_sided, t_two_sided};

/// A test by the name of its field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    StudentT,
    WelchT,
    PairedT,
    Anova,
    WelchAnova,
    MannWhitneyExact,
    /// The normal approximation with continuity and tie correction.
    MannWhitneyNormal,
    SignedRankExact,
    SignedRankNormal,
    KruskalWallis,
    ChiSquared,
    /// Yates's continuity correction, of 2x2 tables only.
    ChiSquaredYates,
    FisherExact,
    McNemar,
    McNemarContinuity,
    McNemarExact,
    CochranArmitage,
    Pearson,
    SpearmanExact,
    /// The t approximation with n - 2 degrees of freedom.
    SpearmanT,
    Kappa,
    LogRank,
    GehanWilcoxon,
    TaroneWare,
    LogRankTrend,
    Gray,
    LikelihoodRatio,
    Wald,
    Score,
    /// The F test of all coefficients of a linear model.
    ModelF,
    SchoenfeldScore,
    RestrictedMeanDifference,
    DeLong,
    ExactPoisson,
    ExactBinomial,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Degrees {
    None,
    One(f64),
    Two(f64, f64),
}

/// `p` is two-sided. `statistic` is infinite only for a correlation of exactly one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestResult {
    pub test: Test,
    pub statistic: f64,
    pub df: Degrees,
    pub p: f64,
    pub n: usize,
    pub missing: usize,
}

/// How many rows a test was made of, and how many were left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    pub n: usize,
    pub missing: usize,
}

impl TestResult {
    pub(crate) fn of_t(test: Test, t: f64, df: f64, rows: Rows) -> TestResult {
        TestResult { test, statistic: t, df: Degrees::One(df), p: t_two_sided(t, df), n: rows.n, missing: rows.missing }
    }

    pub(crate) fn of_z(test: Test, z: f64, rows: Rows) -> TestResult {
        TestResult { test, statistic: z, df: Degrees::None, p: normal_two_sided(z), n: rows.n, missing: rows.missing }
    }

    pub(crate) fn of_f(test: Test, f: f64, df: (f64, f64), rows: Rows) -> TestResult {
        TestResult { test, statistic: f, df: Degrees::Two(df.0, df.1), p: f_tail(f, df.0, df.1), n: rows.n, missing: rows.missing }
    }

    pub(crate) fn of_chi_squared(test: Test, statistic: f64, df: f64, rows: Rows) -> TestResult {
        TestResult { test, statistic, df: Degrees::One(df), p: chi_squared_tail(statistic, df), n: rows.n, missing: rows.missing }
    }

    pub(crate) fn exact(test: Test, statistic: f64, p: f64, rows: Rows) -> TestResult {
        TestResult { test, statistic, df: Degrees::None, p: p.clamp(0.0, 1.0), n: rows.n, missing: rows.missing }
    }
}
