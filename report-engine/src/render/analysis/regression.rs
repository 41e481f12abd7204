//! Regression: coefficients with their intervals, tests of the whole model, and what it warns of.
use statistics::model::cox::{CoxFit, CoxModel, Ties, cox};
use statistics::model::design::{Covariate, Term as ModelTerm};
use statistics::model::fit::{Coefficient, GlobalTests, Wald, Warning};
use statistics::model::linear::{LinearFit, LinearModel, linear};
use statistics::model::logistic::{LogisticFit, LogisticModel, logistic};
use statistics::model::proportional::TimeScale;
use statistics::model::roc::roc;
use statistics::{Binary, Numeric};

use super::columns::{ColumnStore, Levels, VariableData};
use super::figure;
use super::survival::FollowUpData;
use super::table::{AnalysisTable, left, right};
use super::words::{Words, count, decimal, fixed, level_of, p_cell, text};
use super::{Problem, Tables};
use crate::plan::analysis::{Outcome, Regression, Term, TieMethod, Variable};
use crate::plan::{Analysis, Language, Value};

/// Decimals of coefficients, and of ratios.
const COEFFICIENT: u32 = 5;
const RATIO: u32 = 3;

/// A covariate's column with its reference.
struct CovariateData {
    column: String,
    label: String,
    data: VariableData,
    reference: u32,
    /// The category that would have been the reference, had anybody been in it.
    empty_first: Option<String>,
    /// Categories that were not there when the analysis was made.
    new: Vec<String>,
}

/// What the coefficients of a model are.
#[derive(Clone, Copy)]
enum Effect {
    Slope,
    Odds,
    Hazard,
}

pub fn tables(plan: &Regression, analysis: &Analysis, store: &ColumnStore) -> Tables {
    let words = Words(analysis.language);
    let level = level_of(analysis.level);
    let covariates = covariates(plan, store)?;
    let texts: Vec<Vec<&str>> = covariates.iter().map(CovariateData::texts).collect();
    let terms = terms(plan, &covariates, &texts);
    match &plan.outcome {
        Outcome::Number(column) => {
            let outcome = store.numbers(column)?;
            let fit = linear(&LinearModel { outcome: outcome.numeric(), terms: &terms, level })?;
            let table = coefficients(&fit.coefficients, fit.intercept.as_ref(), &covariates, Effect::Slope, analysis, words);
            let model = with_outcome(linear_model(&fit, words), column.label.clone(), words);
            Ok(with_warnings(table, model, &fit.warnings, words))
        }
        Outcome::Event(column) => {
            let outcome = store.events(column)?;
            let fit = logistic(&LogisticModel { outcome: outcome.binary(), terms: &terms, level })?;
            let table = coefficients(&fit.coefficients, fit.intercept.as_ref(), &covariates, Effect::Odds, analysis, words);
            let model = with_outcome(logistic_model(&fit, outcome.binary(), analysis, words), column.name(), words);
            Ok(with_warnings(table, model, &fit.warnings, words))
        }
        Outcome::Time { follow_up, strata, ties } => {
            let data = FollowUpData::read(follow_up, store)?;
            let strata = strata.as_ref().map(|strata| store.levels(strata)).transpose()?;
            let names = strata.as_ref().map_or_else(Vec::new, Levels::texts);
            let ties = if *ties == TieMethod::Breslow { Ties::Breslow } else { Ties::Efron };
            let strata = strata.as_ref().map(|strata| strata.factor(&names));
            let fit = cox(&CoxModel { follow_up: data.follow_up(), terms: &terms, strata, ties, level })?;
            let table = coefficients(&fit.coefficients, None, &covariates, Effect::Hazard, analysis, words);
            let (model, proportional) = cox_model(&fit, plan, analysis, words);
            let mut model = with_outcome(model, follow_up.event.name(), words);
            model.notes.extend(words.censored_on(follow_up));
            let warnings: Vec<Warning> = fit.warnings.iter().cloned().chain(proportional).collect();
            Ok(with_warnings(table, model, &warnings, words))
        }
    }
}

fn covariates(plan: &Regression, store: &ColumnStore) -> Result<Vec<CovariateData>, Problem> {
    let mut read: Vec<CovariateData> = Vec::new();
    for variable in plan.terms.iter().flat_map(Term::variables) {
        if read.iter().any(|known| known.column == variable.column) {
            continue;
        }
        read.push(covariate(variable, store)?);
    }
    Ok(read)
}

fn covariate(variable: &Variable, store: &ColumnStore) -> Result<CovariateData, Problem> {
    let data = store.variable(variable)?;
    let (mut reference, mut empty_first, mut new) = (0, None, Vec::new());
    if let VariableData::Levels(levels) = &data {
        new = if variable.complete { levels.beyond(&variable.order) } else { Vec::new() };
        empty_first = variable.order.first().filter(|first| variable.reference.is_none() && !levels.names.contains(first)).cloned();
        let gone = variable.reference.as_ref().filter(|name| !levels.names.contains(name)).or(empty_first.as_ref());
        if let Some(gone) = gone.filter(|_| !new.is_empty()) {
            return Err(Problem::LostReference { label: variable.label.clone(), reference: gone.clone(), new });
        }
        let wanted = variable.reference.as_ref().or(levels.names.first()).cloned().unwrap_or_default();
        let found = levels.names.iter().position(|name| *name == wanted);
        let empty = || statistics::Error::EmptyLevel { variable: variable.label.clone(), level: wanted.clone() };
        reference = found.ok_or_else(empty)? as u32;
    }
    Ok(CovariateData { column: variable.column.clone(), label: variable.label.clone(), data, reference, empty_first, new })
}

impl CovariateData {
    /// That another category than the first of its order is the reference, and which are new.
    fn warnings(&self, words: Words) -> Vec<String> {
        let VariableData::Levels(levels) = &self.data else { return Vec::new() };
        let label = &self.label;
        let replaced = self.empty_first.as_ref().zip(levels.names.get(self.reference as usize)).map(|(first, reference)| match words.0 {
            Language::Serbian => {
                format!("Upozorenje: u kategoriji „{first}“ („{label}“) nema nijednog reda, pa je referentna „{reference}“.")
            }
            Language::English => format!("Warning: no row is in the category “{first}” ({label}), so the reference is “{reference}”."),
        });
        replaced.into_iter().chain(words.new_categories(label, &self.new)).collect()
    }

    fn texts(&self) -> Vec<&str> {
        match &self.data {
            VariableData::Levels(levels) => levels.texts(),
            VariableData::Numbers(_) => Vec::new(),
        }
    }

    fn covariate<'a>(&'a self, texts: &'a [&'a str]) -> Covariate<'a> {
        match &self.data {
            VariableData::Levels(levels) => Covariate::Factor { factor: levels.factor(texts), reference: self.reference },
            VariableData::Numbers(numbers) => Covariate::Numeric(numbers.numeric()),
        }
    }

    /// The line of the category that the others are compared with.
    fn reference_name(&self) -> Option<String> {
        match &self.data {
            VariableData::Levels(levels) => Some(format!("{}: {}", self.label, levels.names.get(self.reference as usize)?)),
            VariableData::Numbers(_) => None,
        }
    }
}

fn terms<'a>(plan: &Regression, covariates: &'a [CovariateData], texts: &'a [Vec<&'a str>]) -> Vec<ModelTerm<'a>> {
    let of = |variable: &Variable| {
        let place = covariates.iter().position(|known| known.column == variable.column).unwrap_or(0);
        covariates[place].covariate(&texts[place])
    };
    let term = |term: &Term| match term {
        Term::Main(variable) => ModelTerm::Main(of(variable)),
        Term::Product(first, second) => ModelTerm::Interaction(of(first), of(second)),
    };
    plan.terms.iter().map(term).collect()
}

fn coefficients(
    list: &[Coefficient],
    intercept: Option<&Wald>,
    covariates: &[CovariateData],
    effect: Effect,
    analysis: &Analysis,
    words: Words,
) -> AnalysisTable {
    let interval = words.interval_name(analysis.level);
    let mut heads = vec![left(words.of("Prediktor", "Predictor")), right(words.of("Koeficijent", "Coefficient")), right("SE")];
    match effect {
        Effect::Slope => heads.extend([right(interval), right("t")]),
        Effect::Odds => heads.extend([right("OR"), right(format!("OR: {interval}"))]),
        Effect::Hazard => heads.extend([right("HR"), right(format!("HR: {interval}"))]),
    }
    heads.push(right("p"));
    let mut table = AnalysisTable::new("", heads);
    if let Some(intercept) = intercept {
        table.rows.push(line(words.of("Odsečak", "Intercept").to_owned(), Some(intercept), effect, words));
    }
    let mut told: Vec<String> = Vec::new();
    for coefficient in list {
        let name = &coefficient.column.name;
        let main = covariates.iter().filter_map(CovariateData::reference_name).find(|reference| {
            let of_factor = reference.split_once(": ").map_or("", |(label, _)| label);
            name.starts_with(&format!("{of_factor}: ")) && !name.contains(" * ")
        });
        if let Some(reference) = main.filter(|reference| !told.contains(reference)) {
            table.rows.push(reference_line(&reference, effect, words));
            told.push(reference);
        }
        table.rows.push(line(name.clone(), coefficient.wald.as_ref(), effect, words));
    }
    table.notes.push(words.not_adjusted());
    table.notes.extend(covariates.iter().flat_map(|covariate| covariate.warnings(words)));
    let ratio = match effect {
        Effect::Slope => None,
        Effect::Odds => Some("OR"),
        Effect::Hazard => Some("HR"),
    };
    table.figure = figure::forest(list, ratio, &words.interval_name(analysis.level), words);
    table
}

fn line(name: String, wald: Option<&Wald>, effect: Effect, words: Words) -> Vec<Value> {
    let Some(wald) = wald else {
        let unbounded = words.of("bez granice: razdvaja ishod", "unbounded: separates the outcome");
        return std::iter::once(text(name)).chain((0..5).map(|_| text(unbounded))).collect();
    };
    let mut row = vec![text(name), decimal(words, wald.beta, COEFFICIENT), decimal(words, wald.se, COEFFICIENT)];
    match effect {
        Effect::Slope => row.extend([text(words.interval(&wald.interval, COEFFICIENT)), decimal(words, wald.statistic, 3)]),
        Effect::Odds | Effect::Hazard => {
            row.extend([decimal(words, wald.ratio(), RATIO), text(words.interval(&wald.ratio_interval(), RATIO))]);
        }
    }
    row.push(p_cell(wald.p));
    row
}

fn reference_line(name: &str, effect: Effect, words: Words) -> Vec<Value> {
    let reference = words.of("referentna", "reference");
    let one = if matches!(effect, Effect::Slope) { "0" } else { "1" };
    let mut row = vec![text(format!("{name} ({reference})"))];
    row.extend((0..5).map(|place| text(if place == 2 && one == "1" || place == 0 && one == "0" { one } else { "–" })));
    row
}

fn model_table(words: Words) -> AnalysisTable {
    AnalysisTable::new(words.of("Model", "Model"), vec![left(words.of("Mera", "Measure")), left(words.of("Vrednost", "Value"))])
}

/// The model with what it tells of in its first line.
fn with_outcome(mut model: AnalysisTable, outcome: String, words: Words) -> AnalysisTable {
    model.rows.insert(0, vec![text(words.of("Ishod", "Outcome")), text(outcome)]);
    model
}

fn size_rows(n: usize, events: Option<usize>, missing: usize, words: Words) -> Vec<Vec<Value>> {
    let mut rows = vec![vec![text("n"), count(n)]];
    rows.extend(events.map(|events| vec![text(words.of("Događaji", "Events")), count(events)]));
    rows.push(vec![text(words.of("Izostavljeno (nedostaje podatak)", "Left out (missing data)")), count(missing)]);
    rows
}

fn global_rows(tests: &GlobalTests, words: Words) -> Vec<Vec<Value>> {
    let row =
        |test: &statistics::TestResult| vec![text(words.test(test.test)), text(format!("{}, {}", words.statistic(test), words.p(test.p)))];
    vec![row(&tests.likelihood_ratio), row(&tests.wald), row(&tests.score)]
}

fn likelihood_rows(null: f64, fitted: f64, words: Words) -> Vec<Vec<Value>> {
    let value = format!("{} → {}", fixed(null, 4), fixed(fitted, 4));
    vec![vec![text(words.of("Log-verodostojnost (bez prediktora → model)", "Log-likelihood (null → model)")), text(value)]]
}

fn linear_model(fit: &LinearFit, words: Words) -> AnalysisTable {
    let mut table = model_table(words);
    table.rows = size_rows(fit.n, None, fit.missing, words);
    table.rows.push(vec![
        text("R²"),
        text(format!("{} ({} {})", fixed(fit.r_squared, 4), words.of("korigovano", "adjusted"), fixed(fit.adjusted_r_squared, 4))),
    ]);
    table.rows.push(vec![text(words.of("SD reziduala", "Residual SD")), decimal(words, fit.residual_sd, 4)]);
    if let Some(test) = &fit.test {
        table.rows.push(vec![text(words.test(test.test)), text(format!("{}, {}", words.statistic(test), words.p(test.p)))]);
    }
    table.notes.push(
        words.of("Linearna regresija, najmanji kvadrati; interval je t.", "Linear regression, least squares; t intervals.").to_owned(),
    );
    table
}

fn logistic_model(fit: &LogisticFit, outcome: Binary, analysis: &Analysis, words: Words) -> AnalysisTable {
    let mut table = model_table(words);
    table.rows = size_rows(fit.n, Some(fit.events), fit.missing, words);
    table.rows.extend(likelihood_rows(fit.null_log_likelihood, fit.log_likelihood, words));
    table.rows.extend(global_rows(&fit.tests, words));
    let mut predicted = vec![None; outcome.values.len()];
    fit.predictions.iter().for_each(|(row, probability)| predicted[*row] = Some(probability.max(1e-60)));
    let score = Numeric { name: words.of("predviđena verovatnoća", "predicted probability"), values: &predicted };
    let area = roc(score, outcome, level_of(analysis.level));
    let told = area.map_or_else(|error| words.error(&error), |found| words.estimate(&found.area, 3));
    table.rows.push(vec![text(words.of("Površina ispod ROC krive (DeLong)", "Area under the ROC curve (DeLong)")), text(told)]);
    table.notes.push(
        words
            .of(
                "Logistička regresija, najveća verodostojnost; intervali su Valdovi.",
                "Logistic regression, maximum likelihood; Wald intervals.",
            )
            .to_owned(),
    );
    table
}

/// The table, and the warning that hazards are not proportional.
fn cox_model(fit: &CoxFit, plan: &Regression, analysis: &Analysis, words: Words) -> (AnalysisTable, Option<Warning>) {
    let mut table = model_table(words);
    table.rows = size_rows(fit.n, Some(fit.events), fit.missing, words);
    table.rows.extend(likelihood_rows(fit.null_log_likelihood, fit.log_likelihood, words));
    table.rows.extend(global_rows(&fit.tests, words));
    let none = || words.of("nema uporedivih parova", "no comparable pairs").to_owned();
    let c = fit.concordance().estimate(level_of(analysis.level)).map_or_else(none, |c| words.estimate(&c, 3));
    table.rows.push(vec![text(words.of("Harelov C", "Harrell's C")), text(c)]);
    let proportional = fit.test_proportionality(TimeScale::default());
    let name = words.test(statistics::Test::SchoenfeldScore);
    match &proportional {
        Ok(test) => {
            let told = |result: &statistics::TestResult| text(format!("{}, {}", words.statistic(result), words.p(result.p)));
            table.rows.push(vec![text(name), told(&test.global)]);
            let terms = plan.terms.iter().zip(&test.by_term).filter(|_| plan.terms.len() > 1);
            table.rows.extend(terms.map(|(term, result)| vec![text(format!("{name}: {}", term.name())), told(result)]));
        }
        Err(error) => table.rows.push(vec![text(name), text(words.error(error))]),
    }
    let ties = if fit.ties == Ties::Breslow { "Breslow" } else { "Efron" };
    table.notes.push(match words.0 {
        Language::Serbian => format!("Koksova regresija; događaji u isto vreme: {ties}; intervali su Valdovi, na logaritmu."),
        Language::English => format!("Cox regression; ties: {ties}; Wald intervals on the logarithm."),
    });
    (table, proportional.ok().and_then(|test| test.warning()))
}

fn with_warnings(mut table: AnalysisTable, mut model: AnalysisTable, warnings: &[Warning], words: Words) -> Vec<AnalysisTable> {
    table.notes.append(&mut model.notes);
    table.notes.extend(warnings.iter().map(|warning| told(warning, words)));
    vec![table, model]
}

fn told(warning: &Warning, words: Words) -> String {
    match (words.0, warning) {
        (Language::Serbian, Warning::FewEvents { per_column }) => {
            format!("Upozorenje: samo {} događaja po prediktoru (manje od 10); model je nepouzdan.", fixed(*per_column, 1))
        }
        (Language::English, Warning::FewEvents { per_column }) => {
            format!("Warning: only {} events per predictor (fewer than 10); the model is unreliable.", fixed(*per_column, 1))
        }
        (Language::Serbian, Warning::Separation { covariate }) => {
            format!("Upozorenje: „{covariate}“ potpuno razdvaja ishod, pa njegov efekat nema granice i ne navodi se.")
        }
        (Language::English, Warning::Separation { covariate }) => {
            format!("Warning: “{covariate}” separates the outcome, so its effect has no bound and is not given.")
        }
        (Language::Serbian, Warning::EmptyLevel(level)) => {
            format!("Upozorenje: kategorija „{}“ („{}“) nema nijedan potpun red i nije u modelu.", level.level, level.variable)
        }
        (Language::English, Warning::EmptyLevel(level)) => {
            format!("Warning: the category “{}” ({}) has no complete row and is not in the model.", level.level, level.variable)
        }
        (Language::Serbian, Warning::NotProportional { p }) => {
            format!("Upozorenje: hazardi nisu proporcionalni ({}); efekti se menjaju sa vremenom.", words.p(*p))
        }
        (Language::English, Warning::NotProportional { p }) => {
            format!("Warning: hazards are not proportional ({}); effects change with time.", words.p(*p))
        }
        (Language::Serbian, Warning::PerfectFit) => {
            "Upozorenje: model savršeno opisuje ishod; nema reziduala, pa ni testova ni intervala.".to_owned()
        }
        (Language::English, Warning::PerfectFit) => {
            "Warning: the model fits the outcome perfectly; without residuals there are no tests and no intervals.".to_owned()
        }
    }
}
