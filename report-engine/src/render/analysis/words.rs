//! The words of tables of statistics in both languages: tests, intervals, numbers.
use rust_decimal::Decimal;
use statistics::{Degrees, Estimate, Interval, IntervalMethod, Level, Test, TestResult};

use crate::plan::{Language, Value};
use domain::shown::push_decimal;

/// Below this a p is not told more closely.
const LEAST_P: f64 = 0.001;

/// The language of one analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words(pub Language);

impl Words {
    pub fn of(self, serbian: &'static str, english: &'static str) -> &'static str {
        match self.0 {
            Language::Serbian => serbian,
            Language::English => english,
        }
    }

    pub fn yes_no(self, yes: bool) -> &'static str {
        if yes { self.of("da", "yes") } else { self.of("ne", "no") }
    }

    /// `95 % IP`, as heads and notes write it.
    pub fn interval_name(self, level: f64) -> String {
        let percent = domain::shown::number((level * 10_000.0).round() / 100.0);
        format!("{percent} % {}", self.of("IP", "CI"))
    }

    pub fn interval(self, interval: &Interval, places: u32) -> String {
        let bound = |bound: Option<f64>, none: &str| bound.map_or_else(|| none.to_owned(), |value| fixed(value, places));
        let (low, high) = match interval.method {
            IntervalMethod::BrookmeyerCrowley => {
                let none = self.of("nije dostignuto", "not reached");
                (none, none)
            }
            _ => (self.of("bez donje granice", "no lower bound"), self.of("bez gornje granice", "no upper bound")),
        };
        if interval.low.is_none() && interval.high.is_none() {
            return self.of("interval se ne računa", "no interval").to_owned();
        }
        format!("[{}; {}]", bound(interval.low, low), bound(interval.high, high))
    }

    /// `0,57 [0,44; 0,69]`
    pub fn estimate(self, estimate: &Estimate, places: u32) -> String {
        format!("{} {}", self.number(estimate.value, places), self.interval(&estimate.interval, places))
    }

    pub fn number(self, value: f64, places: u32) -> String {
        if value.is_finite() { fixed(value, places) } else { self.of("beskonačno", "infinite").to_owned() }
    }

    /// `p = 0,032` or `p < 0,001`
    pub fn p(self, p: f64) -> String {
        if p < LEAST_P { "p < 0,001".to_owned() } else { format!("p = {}", fixed(p, 3)) }
    }

    pub fn test(self, test: Test) -> &'static str {
        let (serbian, english) = test_names(test);
        self.of(serbian, english)
    }

    /// The statistic as its test calls it: `t(498) = 2,13`.
    pub fn statistic(self, result: &TestResult) -> String {
        let name = match result.test {
            Test::StudentT | Test::WelchT | Test::PairedT | Test::Pearson | Test::SpearmanT => "t",
            Test::Anova | Test::WelchAnova | Test::ModelF => "F",
            Test::MannWhitneyExact | Test::MannWhitneyNormal => "U",
            Test::SignedRankExact | Test::SignedRankNormal => "V",
            Test::KruskalWallis => "H",
            Test::Kappa | Test::RestrictedMeanDifference | Test::DeLong => "z",
            Test::FisherExact | Test::McNemarExact | Test::ExactBinomial | Test::ExactPoisson | Test::SpearmanExact => {
                return self.of("egzaktno", "exact").to_owned();
            }
            _ => "χ²",
        };
        let degrees = match result.df {
            Degrees::None => String::new(),
            Degrees::One(df) => format!("({})", shortest(df)),
            Degrees::Two(first, second) => format!("({}; {})", shortest(first), shortest(second)),
        };
        format!("{name}{degrees} = {}", self.number(result.statistic, 3))
    }

    pub fn method(self, method: IntervalMethod) -> &'static str {
        let (serbian, english) = match method {
            IntervalMethod::StudentT => ("t interval", "t interval"),
            IntervalMethod::WelchT => ("Velčov t interval", "Welch t interval"),
            IntervalMethod::OrderStatistic => ("po uređenim vrednostima", "order statistics"),
            IntervalMethod::Wilson => ("Vilsonov", "Wilson"),
            IntervalMethod::ClopperPearson => ("Kloper-Pirsonov, egzaktan", "Clopper-Pearson, exact"),
            IntervalMethod::FisherZ => ("Fišerova z transformacija", "Fisher z"),
            IntervalMethod::Wald => ("Valdov", "Wald"),
            IntervalMethod::WaldLog => ("Valdov, na logaritmu", "Wald, on the logarithm"),
            IntervalMethod::ConditionalExact => ("egzaktan, uslovni", "exact, conditional"),
            IntervalMethod::Newcombe => ("Njukombov", "Newcombe"),
            IntervalMethod::GreenwoodPlain => ("Grinvudov, bez transformacije (plain)", "Greenwood, plain"),
            IntervalMethod::GreenwoodLog => ("Grinvudov, na logaritmu (log)", "Greenwood, log"),
            IntervalMethod::GreenwoodLogLog => ("Grinvudov, log-log", "Greenwood, log-log"),
            IntervalMethod::BrookmeyerCrowley => ("Brukmajer-Krolijev", "Brookmeyer-Crowley"),
            IntervalMethod::DeLong => ("DeLongov", "DeLong"),
            IntervalMethod::ExactPoisson => ("tačan Poasonov", "exact Poisson"),
            IntervalMethod::Byar => ("Bajarov", "Byar"),
            IntervalMethod::DobsonByar => ("Dobson-Bajarov", "Dobson-Byar"),
            IntervalMethod::FayFeuer => ("Fej-Fojerov", "Fay-Feuer"),
            IntervalMethod::BlandAltman => ("Bland-Altmanov", "Bland-Altman"),
        };
        self.of(serbian, english)
    }
}

fn test_names(test: Test) -> (&'static str, &'static str) {
    match test {
        Test::StudentT => ("Studentov t-test", "Student's t-test"),
        Test::WelchT => ("Velčov t-test", "Welch's t-test"),
        Test::PairedT => ("upareni t-test", "paired t-test"),
        Test::Anova => ("jednofaktorska analiza varijanse (ANOVA)", "one-way ANOVA"),
        Test::WelchAnova => ("Velčova analiza varijanse", "Welch's ANOVA"),
        Test::MannWhitneyExact => ("Man-Vitnijev test, egzaktan", "Mann-Whitney test, exact"),
        Test::MannWhitneyNormal => {
            ("Man-Vitnijev test, normalna aproksimacija sa korekcijom", "Mann-Whitney test, normal approximation with correction")
        }
        Test::SignedRankExact => ("Vilkoksonov test rangova sa predznakom, egzaktan", "Wilcoxon signed-rank test, exact"),
        Test::SignedRankNormal => {
            ("Vilkoksonov test rangova sa predznakom, normalna aproksimacija", "Wilcoxon signed-rank test, normal approximation")
        }
        Test::KruskalWallis => ("Kraskal-Volisov test", "Kruskal-Wallis test"),
        Test::ChiSquared => ("hi-kvadrat test, bez korekcije", "chi-squared test, without continuity correction"),
        Test::ChiSquaredYates => ("hi-kvadrat test sa Jejtsovom korekcijom", "chi-squared test with Yates's correction"),
        Test::FisherExact => ("Fišerov egzaktni test", "Fisher's exact test"),
        Test::McNemar => ("MekNemarov test", "McNemar's test"),
        Test::McNemarContinuity => ("MekNemarov test sa korekcijom", "McNemar's test with continuity correction"),
        Test::McNemarExact => ("MekNemarov test, egzaktan", "McNemar's test, exact"),
        Test::CochranArmitage => ("Kokran-Armitidžev test trenda", "Cochran-Armitage trend test"),
        Test::Pearson => ("Pirsonova korelacija", "Pearson's correlation"),
        Test::SpearmanExact => ("Spirmanova korelacija, egzaktno", "Spearman's correlation, exact"),
        Test::SpearmanT => ("Spirmanova korelacija, t aproksimacija", "Spearman's correlation, t approximation"),
        Test::Kappa => ("Koenova kapa", "Cohen's kappa"),
        Test::LogRank => ("log-rang test", "log-rank test"),
        Test::GehanWilcoxon => ("Gehan-Vilkoksonov test", "Gehan-Wilcoxon test"),
        Test::TaroneWare => ("Tarone-Verov test", "Tarone-Ware test"),
        Test::LogRankTrend => ("log-rang test trenda", "log-rank test of trend"),
        Test::Gray => ("Grejov test", "Gray's test"),
        Test::LikelihoodRatio => ("test odnosa verodostojnosti", "likelihood-ratio test"),
        Test::Wald => ("Valdov test", "Wald test"),
        Test::Score => ("skor test", "score test"),
        Test::ModelF => ("F test modela", "F test of the model"),
        Test::SchoenfeldScore => ("test proporcionalnosti (Šenfeldovi reziduali)", "test of proportionality (Schoenfeld residuals)"),
        Test::RestrictedMeanDifference => ("z test ograničenih srednjih vremena", "z test of restricted means"),
        Test::DeLong => ("DeLongov test", "DeLong's test"),
        Test::ExactPoisson => ("egzaktni Poasonov test", "exact Poisson test"),
        Test::ExactBinomial => ("egzaktni binomni test", "exact binomial test"),
    }
}

/// A number with so many decimals, a comma, and points between thousands.
pub fn fixed(value: f64, places: u32) -> String {
    let mut out = String::new();
    match Value::Float(value).as_decimal() {
        Some(decimal) => push_decimal(&mut out, decimal, places, true),
        None => out.push_str(&domain::shown::number(value)),
    }
    out
}

/// Whole where it is whole, else with two decimals.
pub fn shortest(value: f64) -> String {
    if value == value.round() { fixed(value, 0) } else { fixed(value, 2) }
}

/// A cell that is a number with so many decimals; what is no number is told in words.
pub fn decimal(words: Words, value: f64, places: u32) -> Value {
    let rounded = Value::Float(value).as_decimal().map(|exact| {
        let mut rounded = exact.round_dp_with_strategy(places, rust_decimal::RoundingStrategy::MidpointAwayFromZero);
        rounded.rescale(places);
        if rounded.is_zero() { Decimal::new(0, places) } else { rounded }
    });
    match rounded {
        Some(number) if value.is_finite() => Value::Decimal(number),
        _ => Value::Text(words.number(value, places)),
    }
}

pub fn count(number: usize) -> Value {
    Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

/// A p as a cell: a number, or the words that it is less than one in a thousand.
pub fn p_cell(p: f64) -> Value {
    if p < LEAST_P { Value::Text("< 0,001".to_owned()) } else { decimal(Words(Language::Serbian), p, 3) }
}

pub fn text(value: impl Into<String>) -> Value {
    Value::Text(value.into())
}

/// `30 (12,5 %)`
pub fn share(part: usize, whole: usize) -> String {
    match whole {
        0 => format!("{part}"),
        whole => format!("{} ({} %)", crate::plan::grouped(part as u64), fixed(part as f64 * 100.0 / whole as f64, 1)),
    }
}

/// Decimals that suit a measurement of this size.
pub fn places_of(size: f64) -> u32 {
    match size.abs() {
        size if size >= 10.0 => 1,
        size if size >= 1.0 => 2,
        _ => 3,
    }
}

/// The level of an analysis for a calculation.
pub fn level_of(level: f64) -> Level {
    Level::new(level).unwrap_or_default()
}

/// `Medijana, dana`
pub fn with_unit(name: &str, unit: Option<&str>) -> String {
    unit.map_or_else(|| name.to_owned(), |unit| format!("{name}, {unit}"))
}
