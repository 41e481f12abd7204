//! The declarations of statistics: what each takes, read into an [`Analysis`] of the plan.
use domain::shown::with_hyphens;
use handlebars::RenderError;

use super::call::Call;
use super::language::{self, Word};
use crate::plan::analysis::{
    Analysis, AnalysisKind, ComparedWith, Comparison, CurveTest, EventColumn, FollowUpColumns, FourfoldMeasures, FourfoldTable, GroupTest,
    Grouping, Indicator, LabelledColumn, Language, Outcome, PairTest, Preferred, Rates, Regression, RocCurves, Show, Survival,
    SurvivalBand, TableOne, Term, TieMethod, Variable,
};

/// Variables that one analysis takes.
const MOST_VARIABLES: usize = 60;
/// Times at which survival is told.
const MOST_TIMES: usize = 12;
const MOST_SCORES: usize = 6;
/// Cuts of a score that a template names.
const MOST_CUTS: usize = 20;

const LANGUAGES: [(&str, Language); 2] = [("sr", Language::Serbian), ("en", Language::English)];
const SHOWS: [(&str, Show); 3] = [("mean", Show::Mean), ("median", Show::Median), ("category", Show::Category)];
const GROUP_TESTS: [(&str, GroupTest); 9] = [
    ("welch", GroupTest::Welch),
    ("student", GroupTest::Student),
    ("anova", GroupTest::Anova),
    ("welchAnova", GroupTest::WelchAnova),
    ("mannWhitney", GroupTest::MannWhitney),
    ("kruskal", GroupTest::Kruskal),
    ("chi2", GroupTest::ChiSquared),
    ("chi2yates", GroupTest::ChiSquaredYates),
    ("fisher", GroupTest::Fisher),
];
const PAIR_TESTS: [(&str, PairTest); 5] = [
    ("paired", PairTest::PairedT),
    ("wilcoxon", PairTest::SignedRank),
    ("mcnemar", PairTest::McNemar),
    ("pearson", PairTest::Pearson),
    ("spearman", PairTest::Spearman),
];
const MEASURES: [(&str, FourfoldMeasures); 3] =
    [("effect", FourfoldMeasures::Effect), ("accuracy", FourfoldMeasures::Accuracy), ("agreement", FourfoldMeasures::Agreement)];
const BANDS: [(&str, SurvivalBand); 3] = [("loglog", SurvivalBand::LogLog), ("log", SurvivalBand::Log), ("plain", SurvivalBand::Plain)];
const CURVE_TESTS: [(&str, CurveTest); 3] =
    [("logrank", CurveTest::LogRank), ("gehan", CurveTest::Gehan), ("taroneWare", CurveTest::TaroneWare)];
const TIES: [(&str, TieMethod); 2] = [("efron", TieMethod::Efron), ("breslow", TieMethod::Breslow)];
const MODELS: [(&str, Model); 3] = [("linear", Model::Linear), ("logistic", Model::Logistic), ("cox", Model::Cox)];
const DIRECTIONS: [(&str, Preferred); 2] = [("higher", Preferred::Higher), ("lower", Preferred::Lower)];
const BINARY: [(&str, bool); 2] = [("true", true), ("false", false)];

#[derive(Clone, Copy)]
enum Model {
    Linear,
    Logistic,
    Cox,
}

/// Reads one analysis from its declaration and the `variable`s in its block.
pub type ReadAnalysis = fn(&Call, &[Variable]) -> Result<AnalysisKind, RenderError>;

/// The words with what reads them.
pub const ANALYSES: [(&Word, ReadAnalysis); 8] = [
    (&language::TABLE_ONE, table_one),
    (&language::COMPARE, compare),
    (&language::TWO_BY_TWO, two_by_two),
    (&language::SURVIVAL, survival),
    (&language::REGRESSION, regression),
    (&language::ROC, roc),
    (&language::RATE, rate),
    (&language::INDICATOR, indicator),
];

/// What words take of listed choices.
#[cfg(test)]
pub fn spellings() -> Vec<(&'static Word, Vec<&'static str>)> {
    fn of<T>(choices: &[(&'static str, T)]) -> Vec<&'static str> {
        choices.iter().map(|(spelling, _)| *spelling).collect()
    }
    vec![
        (&language::TABLE_ONE, of(&LANGUAGES)),
        (&language::COMPARE, [of(&SHOWS), of(&GROUP_TESTS), of(&PAIR_TESTS)].concat()),
        (&language::TWO_BY_TWO, of(&MEASURES)),
        (&language::SURVIVAL, [of(&BANDS), of(&CURVE_TESTS)].concat()),
        (&language::REGRESSION, [of(&MODELS), of(&TIES)].concat()),
        (&language::INDICATOR, of(&DIRECTIONS)),
        (&language::VARIABLE, [of(&SHOWS), of(&GROUP_TESTS)].concat()),
    ]
}

/// The analysis, once its block has been read.
pub fn analysis(call: &Call, variables: &[Variable]) -> Result<Analysis, RenderError> {
    let found = ANALYSES.iter().find(|(word, _)| word.name == call.name());
    let (word, read) = found.ok_or_else(|| call.refuse("nije analiza"))?;
    let level = call.number("level", 50.0..=99.9)?.map_or(0.95, |percent| f64::from(percent) / 100.0);
    let analysis = Analysis {
        word: word.name,
        title: call.text("title"),
        language: call.choice("language", &LANGUAGES)?.unwrap_or_default(),
        level,
        count: call.text("count"),
        figure: switch(call, "figure", true)?,
        kind: read(call, variables)?,
    };
    let names: Vec<&str> = analysis.columns().into_iter().map(|(name, _)| name).collect();
    match variables.iter().find(|variable| !names.contains(&variable.column.as_str())) {
        Some(variable) => Err(call.refuse(&format!("ne koristi kolonu „{}“, a „variable“ je navodi", variable.column))),
        None => Ok(analysis),
    }
}

/// One `variable` of a block.
pub fn variable(call: &Call) -> Result<Variable, RenderError> {
    let column = call.param(0)?;
    Ok(Variable {
        label: call.text("label").unwrap_or_else(|| column.clone()),
        show: call.choice("show", &SHOWS)?,
        test: call.choice("test", &GROUP_TESTS)?,
        reference: call.text("reference"),
        order: call.text("order").map_or_else(Vec::new, |order| parts(&order)),
        complete: switch(call, "complete", false)?,
        column,
    })
}

fn table_one(call: &Call, variables: &[Variable]) -> Result<AnalysisKind, RenderError> {
    let by = grouping(call, "by", variables)?;
    let mut listed = Vec::new();
    for entry in call.text("vars").map_or_else(Vec::new, |text| parts(&text)) {
        let (name, show) = match entry.split_once(':') {
            Some((name, show)) => (name.trim(), Some(call.choose("vars", show.trim(), &SHOWS)?)),
            None => (entry.as_str(), None),
        };
        let known = of_column(variables, name);
        listed.push(Variable { show: show.or(known.show), ..known });
    }
    let is_new = |variable: &&Variable| {
        let is_group = by.as_ref().is_some_and(|by| by.column == variable.column);
        !is_group && !listed.iter().any(|one| one.column == variable.column)
    };
    let added: Vec<Variable> = variables.iter().filter(is_new).cloned().collect();
    listed.extend(added);
    bounded(call, listed.len())?;
    let (all, tests, smd) = (switch(call, "all", true)?, switch(call, "tests", true)?, switch(call, "smd", false)?);
    if by.is_none() && smd {
        return Err(call.refuse("uz „smd“ traži „by“: razlika je između dve grupe"));
    }
    Ok(AnalysisKind::TableOne(TableOne { all: all || by.is_none(), tests: tests && by.is_some(), by, variables: listed, smd }))
}

fn compare(call: &Call, variables: &[Variable]) -> Result<AnalysisKind, RenderError> {
    let column = call.required_text("value")?;
    let mut value = of_column(variables, &column);
    value.show = call.choice("show", &SHOWS)?.or(value.show);
    let with = match (grouping(call, "by", variables)?, call.text("with")) {
        (Some(_), Some(_)) => return Err(call.refuse("prima ili „by“ (grupe) ili „with“ (drugo merenje istih redova)")),
        (Some(by), None) => {
            value.test = call.choice("test", &GROUP_TESTS)?.or(value.test);
            ComparedWith::Groups(by)
        }
        (None, Some(second)) => {
            let usual = if value.show == Some(Show::Median) { PairTest::SignedRank } else { PairTest::PairedT };
            let test = call.choice("test", &PAIR_TESTS)?.unwrap_or(usual);
            if test != PairTest::McNemar {
                value.show = value.show.or(Some(Show::Mean));
            }
            ComparedWith::Column { second: labelled(variables, &second), test }
        }
        (None, None) => return Err(call.refuse("traži „by“ (grupe) ili „with“ (drugo merenje istih redova)")),
    };
    Ok(AnalysisKind::Compare(Comparison { value, with }))
}

fn two_by_two(call: &Call, variables: &[Variable]) -> Result<AnalysisKind, RenderError> {
    let show = call.choice("show", &MEASURES)?.unwrap_or_default();
    Ok(AnalysisKind::TwoByTwo(FourfoldTable { row: event(call, "row", variables)?, column: event(call, "column", variables)?, show }))
}

fn survival(call: &Call, variables: &[Variable]) -> Result<AnalysisKind, RenderError> {
    let competing = call.text("competing").map(|_| event(call, "competing", variables)).transpose()?;
    let of_survival = ["until", "interval", "test", "entry"].into_iter().find(|attribute| call.text(attribute).is_some());
    if let (Some(_), Some(attribute)) = (&competing, of_survival) {
        return Err(call.refuse(&format!(
            "uz „competing“ ne prima „{attribute}“: tada računa kumulativnu incidenciju (Olen i Johansen), a grupe poredi Grejovim testom"
        )));
    }
    let until = match listed_numbers(call, "until", "jedno vreme, na primer 365")?[..] {
        [] => None,
        [time] if time > 0.0 => Some(time),
        _ => return Err(call.refuse("za „until“ prima jedno vreme veće od 0, na primer 365")),
    };
    Ok(AnalysisKind::Survival(Survival {
        follow_up: follow_up(call, variables)?,
        by: grouping(call, "by", variables)?,
        at: times(call)?,
        band: call.choice("interval", &BANDS)?.unwrap_or_default(),
        test: call.choice("test", &CURVE_TESTS)?.unwrap_or_default(),
        until,
        competing,
    }))
}

fn regression(call: &Call, variables: &[Variable]) -> Result<AnalysisKind, RenderError> {
    let kind = call.choice("kind", &MODELS)?.ok_or_else(|| call.refuse("traži „kind“: linear, logistic ili cox"))?;
    let outcome = match kind {
        Model::Linear => Outcome::Number(labelled(variables, &call.required_text("outcome")?)),
        Model::Logistic => Outcome::Event(event(call, "outcome", variables)?),
        Model::Cox => Outcome::Time {
            follow_up: Box::new(follow_up(call, variables)?),
            strata: grouping(call, "strata", variables)?,
            ties: call.choice("ties", &TIES)?.unwrap_or_default(),
        },
    };
    let mut terms = Vec::new();
    for entry in parts(&call.required_text("vars")?) {
        terms.push(match entry.split_once('*') {
            Some((first, second)) => Term::Product(of_column(variables, first.trim()), of_column(variables, second.trim())),
            None => Term::Main(of_column(variables, &entry)),
        });
    }
    bounded(call, terms.len())?;
    Ok(AnalysisKind::Regression(Regression { outcome, terms }))
}

fn roc(call: &Call, variables: &[Variable]) -> Result<AnalysisKind, RenderError> {
    let scores: Vec<LabelledColumn> = parts(&call.required_text("score")?).iter().map(|name| labelled(variables, name)).collect();
    if scores.is_empty() || scores.len() > MOST_SCORES {
        return Err(call.refuse(&format!("za „score“ prima od 1 do {MOST_SCORES} kolona")));
    }
    let mut cuts = listed_numbers(call, "cuts", "granice, na primer 0,5; 1")?;
    cuts.sort_by(f64::total_cmp);
    cuts.dedup();
    if cuts.len() > MOST_CUTS {
        return Err(call.refuse(&format!("za „cuts“ prima najviše {MOST_CUTS} granica")));
    }
    if !cuts.is_empty() && scores.len() > 1 {
        return Err(call.refuse("prima „cuts“ uz jedan skor: granice jednog skora nisu granice drugog"));
    }
    Ok(AnalysisKind::Roc(RocCurves { scores, event: event(call, "event", variables)?, cuts }))
}

fn rate(call: &Call, variables: &[Variable]) -> Result<AnalysisKind, RenderError> {
    Ok(AnalysisKind::Rate(Rates {
        events: event(call, "events", variables)?,
        time: labelled(variables, &call.required_text("time")?),
        by: grouping(call, "by", variables)?,
        per: call.number("per", 0.001..=1_000_000.0)?.map_or(1000.0, f64::from),
        unit: call.text("unit"),
    }))
}

fn indicator(call: &Call, variables: &[Variable]) -> Result<AnalysisKind, RenderError> {
    let named = |attribute: &str| call.text(attribute).map(|name| labelled(variables, &name));
    let unit = grouping(call, "unit", variables)?;
    let own = call.text("own").map(|_| event(call, "own", variables)).transpose()?;
    if own.is_some() && unit.is_none() {
        return Err(call.refuse("uz „own“ traži „unit“: kolonu ustanova"));
    }
    Ok(AnalysisKind::Indicator(Indicator {
        numerator: labelled(variables, &call.required_text("numerator")?),
        denominator: labelled(variables, &call.required_text("denominator")?),
        eligible: named("eligible"),
        excluded: named("excluded"),
        by: grouping(call, "by", variables)?,
        unit,
        own,
        target: call.number("target", 0.0..=100.0)?.map(f64::from),
        preferred: call.choice("direction", &DIRECTIONS)?.unwrap_or_default(),
    }))
}

fn follow_up(call: &Call, variables: &[Variable]) -> Result<FollowUpColumns, RenderError> {
    Ok(FollowUpColumns {
        time: labelled(variables, &call.required_text("time")?),
        event: event(call, "event", variables)?,
        entry: call.text("entry").map(|name| labelled(variables, &name)),
        unit: call.text("unit"),
        censored_on: call.text("censoredOn"),
    })
}

/// `umro`, or `ishod:umro` for the rows whose value it is.
fn event(call: &Call, attribute: &str, variables: &[Variable]) -> Result<EventColumn, RenderError> {
    let text = call.required_text(attribute)?;
    let (name, value) = match text.split_once(':') {
        Some((name, value)) => (name.trim(), Some(value.trim().to_owned())),
        None => (text.trim(), None),
    };
    if name.is_empty() || value.as_ref().is_some_and(String::is_empty) {
        return Err(call.refuse(&format!("ne razume „{attribute}“: navedite kolonu, ili kolonu i vrednost, na primer ishod:umro")));
    }
    let label = labelled(variables, name).label;
    Ok(EventColumn { column: name.to_owned(), label, value })
}

fn grouping(call: &Call, attribute: &str, variables: &[Variable]) -> Result<Option<Grouping>, RenderError> {
    let Some(name) = call.text(attribute) else { return Ok(None) };
    let name = name.trim();
    if name.is_empty() {
        return Err(call.refuse(&format!("za „{attribute}“ traži kolonu")));
    }
    let known = of_column(variables, name);
    Ok(Some(Grouping { column: known.column, label: known.label, order: known.order, complete: known.complete }))
}

fn labelled(variables: &[Variable], name: &str) -> LabelledColumn {
    let known = of_column(variables, name.trim());
    LabelledColumn { column: known.column, label: known.label }
}

/// The variable as the block tells of it, or by its name alone.
fn of_column(variables: &[Variable], name: &str) -> Variable {
    let bare = || Variable {
        column: name.to_owned(),
        label: name.to_owned(),
        show: None,
        test: None,
        reference: None,
        order: Vec::new(),
        complete: false,
    };
    variables.iter().find(|variable| variable.column == name).cloned().unwrap_or_else(bare)
}

fn times(call: &Call) -> Result<Vec<f64>, RenderError> {
    let mut times = listed_numbers(call, "at", "vremena, na primer 30, 365, 1826")?;
    if let Some(time) = times.iter().find(|time| **time < 0.0) {
        return Err(call.refuse(&format!("za „at“ ne prima „{time}“: navedite vremena, na primer 30, 365, 1826")));
    }
    if times.len() > MOST_TIMES {
        return Err(call.refuse(&format!("za „at“ prima najviše {MOST_TIMES} vremena")));
    }
    times.sort_by(f64::total_cmp);
    times.dedup();
    Ok(times)
}

/// Numbers of an attribute; between semicolons they may have decimal commas.
fn listed_numbers(call: &Call, attribute: &str, example: &str) -> Result<Vec<f64>, RenderError> {
    let mut numbers = Vec::new();
    for text in call.text(attribute).map_or_else(Vec::new, |text| parts(&text)) {
        let number: Option<f64> = with_hyphens(&text).replace(',', ".").parse().ok().filter(|number: &f64| number.is_finite());
        numbers.push(number.ok_or_else(|| call.refuse(&format!("za „{attribute}“ ne prima „{text}“: navedite {example}")))?);
    }
    Ok(numbers)
}

/// Names between commas; between semicolons where there is one, so that a name may have a comma.
fn parts(text: &str) -> Vec<String> {
    let between = if text.contains(';') { ';' } else { ',' };
    text.split(between).map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

fn bounded(call: &Call, variables: usize) -> Result<(), RenderError> {
    match variables {
        0 => Err(call.refuse("traži bar jednu kolonu: u „vars“ ili u bloku sa „variable“")),
        1..=MOST_VARIABLES => Ok(()),
        _ => Err(call.refuse(&format!("prima najviše {MOST_VARIABLES} kolona"))),
    }
}

fn switch(call: &Call, name: &str, usual: bool) -> Result<bool, RenderError> {
    Ok(call.choice(name, &BINARY)?.unwrap_or(usual))
}
