//! Statistics that a template asks for over all rows of its report: by which columns, how each is shown, and in which words.

/// One analysis of the rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// Its word in the template: what a failure calls it.
    pub word: &'static str,
    /// Without one, a title of its kind stands there.
    pub title: Option<String>,
    pub language: Language,
    /// The confidence level, between 0 and 1.
    pub level: f64,
    /// The column of how many a row stands for; without one, a row is one.
    pub count: Option<String>,
    /// Whether its figure is drawn, where it has one.
    pub figure: bool,
    pub kind: AnalysisKind,
}

/// The language of the words that are not the template's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    #[default]
    Serbian,
    English,
}

#[derive(Clone, Debug, PartialEq)]
pub enum AnalysisKind {
    TableOne(TableOne),
    Compare(Comparison),
    TwoByTwo(FourfoldTable),
    Survival(Survival),
    Regression(Regression),
    Roc(RocCurves),
    Rate(Rates),
    Indicator(Indicator),
}

/// A column that makes groups.
#[derive(Clone, Debug, PartialEq)]
pub struct Grouping {
    pub column: String,
    pub label: String,
    /// Values in the order in which they stand; others follow.
    pub order: Vec<String>,
    /// Whether `order` has all of them: another one is then told.
    pub complete: bool,
}

/// A column that says whether something happened: yes or no, or whether it has a named value.
#[derive(Clone, Debug, PartialEq)]
pub struct EventColumn {
    pub column: String,
    pub label: String,
    pub value: Option<String>,
}

/// A column of numbers or of categories.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    pub column: String,
    pub label: String,
    /// `None`: numbers by their mean, others as categories.
    pub show: Option<Show>,
    /// `None`: the one that fits how it is shown.
    pub test: Option<GroupTest>,
    /// The category with which a model compares the others; `None`: the first.
    pub reference: Option<String>,
    pub order: Vec<String>,
    /// Whether `order` has all categories: another one is then told, and no model is made of it.
    pub complete: bool,
}

/// A column and what it is called.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelledColumn {
    pub column: String,
    pub label: String,
}

/// How a variable is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    Mean,
    Median,
    Category,
}

/// A test of groups that a template names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupTest {
    Student,
    Welch,
    Anova,
    WelchAnova,
    MannWhitney,
    Kruskal,
    ChiSquared,
    ChiSquaredYates,
    Fisher,
}

/// A test of two measurements of the same rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairTest {
    PairedT,
    SignedRank,
    McNemar,
    Pearson,
    Spearman,
}

#[derive(Clone, Debug, PartialEq)]
pub struct TableOne {
    pub by: Option<Grouping>,
    pub variables: Vec<Variable>,
    /// A column of all rows beside the groups.
    pub all: bool,
    pub tests: bool,
    /// Standardised mean differences.
    pub smd: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    pub value: Variable,
    pub with: ComparedWith,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ComparedWith {
    Groups(Grouping),
    /// Another column of the same rows.
    Column {
        second: LabelledColumn,
        test: PairTest,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct FourfoldTable {
    pub row: EventColumn,
    pub column: EventColumn,
    pub show: FourfoldMeasures,
}

/// What is told of a 2x2 table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FourfoldMeasures {
    /// The row is an exposure, the column an outcome.
    #[default]
    Effect,
    /// The row is a test, the column the truth.
    Accuracy,
    /// Both answer the same question.
    Agreement,
}

/// Time to an event.
#[derive(Clone, Debug, PartialEq)]
pub struct FollowUpColumns {
    pub time: LabelledColumn,
    pub event: EventColumn,
    /// The time at which one comes under watch, where that is later.
    pub entry: Option<LabelledColumn>,
    /// What the time is counted in, as it is written: `dana`.
    pub unit: Option<String>,
    /// The day up to which everybody was followed, as it is written.
    pub censored_on: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Survival {
    pub follow_up: FollowUpColumns,
    pub by: Option<Grouping>,
    /// Times at which survival is told.
    pub at: Vec<f64>,
    pub band: SurvivalBand,
    pub test: CurveTest,
    /// The time up to which the restricted mean is told.
    pub until: Option<f64>,
    /// What keeps the event from ever happening: curves are then of incidence, and not of survival.
    pub competing: Option<EventColumn>,
}

/// The scale of the interval of a survival curve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SurvivalBand {
    #[default]
    LogLog,
    Log,
    Plain,
}

/// What compares survival curves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CurveTest {
    #[default]
    LogRank,
    Gehan,
    TaroneWare,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Regression {
    pub outcome: Outcome,
    pub terms: Vec<Term>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    Number(LabelledColumn),
    Event(EventColumn),
    Time { follow_up: Box<FollowUpColumns>, strata: Option<Grouping>, ties: TieMethod },
}

/// How a Cox model takes events of one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TieMethod {
    #[default]
    Efron,
    Breslow,
}

/// A covariate, or the product of two.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    Main(Variable),
    Product(Variable, Variable),
}

#[derive(Clone, Debug, PartialEq)]
pub struct RocCurves {
    pub scores: Vec<LabelledColumn>,
    pub event: EventColumn,
    /// Cuts that are told; none: some of those that there are.
    pub cuts: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Rates {
    pub events: EventColumn,
    pub time: LabelledColumn,
    pub by: Option<Grouping>,
    /// Rates are told for so much time.
    pub per: f64,
    pub unit: Option<String>,
}

/// A share of quality from rows that are counts already, by time and by hospital.
#[derive(Clone, Debug, PartialEq)]
pub struct Indicator {
    /// Those for whom it is so.
    pub numerator: LabelledColumn,
    /// Those of whom it can be told.
    pub denominator: LabelledColumn,
    /// Those of whom it should be told.
    pub eligible: Option<LabelledColumn>,
    pub excluded: Option<LabelledColumn>,
    pub by: Option<Grouping>,
    pub unit: Option<Grouping>,
    /// Which unit is the reader's own.
    pub own: Option<EventColumn>,
    /// In percent.
    pub target: Option<f64>,
    pub preferred: Preferred,
}

/// Which way is better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preferred {
    #[default]
    Higher,
    Lower,
}

impl EventColumn {
    /// What happened: `umro`, or `ishod: umro` where it is a value.
    pub fn name(&self) -> String {
        self.value.as_ref().map_or_else(|| self.label.clone(), |value| format!("{}: {value}", self.label))
    }
}

impl Term {
    /// `starost`, or `starost * pol`.
    pub fn name(&self) -> String {
        self.variables().iter().map(|variable| variable.label.as_str()).collect::<Vec<_>>().join(" * ")
    }

    pub fn variables(&self) -> Vec<&Variable> {
        match self {
            Term::Main(one) => vec![one],
            Term::Product(first, second) => vec![first, second],
        }
    }
}

impl Analysis {
    /// The column by which it makes groups or strata.
    pub fn grouping(&self) -> Option<&Grouping> {
        match &self.kind {
            AnalysisKind::TableOne(plan) => plan.by.as_ref(),
            AnalysisKind::Compare(Comparison { with: ComparedWith::Groups(by), .. }) => Some(by),
            AnalysisKind::Survival(plan) => plan.by.as_ref(),
            AnalysisKind::Regression(Regression { outcome: Outcome::Time { strata, .. }, .. }) => strata.as_ref(),
            AnalysisKind::Rate(plan) => plan.by.as_ref(),
            AnalysisKind::Indicator(plan) => plan.by.as_ref(),
            AnalysisKind::Compare(_) | AnalysisKind::TwoByTwo(_) | AnalysisKind::Regression(_) | AnalysisKind::Roc(_) => None,
        }
    }

    /// Every column that it reads, once each, and whether it must be one of numbers.
    pub fn columns(&self) -> Vec<(&str, bool)> {
        let mut columns = ColumnList(Vec::new());
        match &self.kind {
            AnalysisKind::TableOne(table) => {
                columns.grouping(table.by.as_ref());
                table.variables.iter().for_each(|variable| columns.variable(variable));
            }
            AnalysisKind::Compare(comparison) => {
                columns.variable(&comparison.value);
                match &comparison.with {
                    ComparedWith::Groups(by) => columns.grouping(Some(by)),
                    ComparedWith::Column { second, test } => columns.add(&second.column, *test != PairTest::McNemar),
                }
            }
            AnalysisKind::TwoByTwo(table) => [&table.row, &table.column].into_iter().for_each(|event| columns.add(&event.column, false)),
            AnalysisKind::Survival(survival) => {
                columns.follow_up(&survival.follow_up);
                survival.competing.iter().for_each(|event| columns.add(&event.column, false));
                columns.grouping(survival.by.as_ref());
            }
            AnalysisKind::Regression(regression) => {
                match &regression.outcome {
                    Outcome::Number(number) => columns.add(&number.column, true),
                    Outcome::Event(event) => columns.add(&event.column, false),
                    Outcome::Time { follow_up, strata, .. } => {
                        columns.follow_up(follow_up);
                        columns.grouping(strata.as_ref());
                    }
                }
                regression.terms.iter().flat_map(Term::variables).for_each(|variable| columns.variable(variable));
            }
            AnalysisKind::Roc(roc) => {
                roc.scores.iter().for_each(|score| columns.add(&score.column, true));
                columns.add(&roc.event.column, false);
            }
            AnalysisKind::Rate(rates) => {
                columns.add(&rates.events.column, false);
                columns.add(&rates.time.column, true);
                columns.grouping(rates.by.as_ref());
            }
            AnalysisKind::Indicator(indicator) => {
                let counts =
                    [Some(&indicator.numerator), Some(&indicator.denominator), indicator.eligible.as_ref(), indicator.excluded.as_ref()];
                counts.into_iter().flatten().for_each(|column| columns.add(&column.column, true));
                columns.grouping(indicator.by.as_ref());
                columns.grouping(indicator.unit.as_ref());
                indicator.own.iter().for_each(|own| columns.add(&own.column, false));
            }
        }
        self.count.iter().for_each(|count| columns.add(count, true));
        columns.0
    }
}

struct ColumnList<'a>(Vec<(&'a str, bool)>);

impl<'a> ColumnList<'a> {
    fn add(&mut self, column: &'a str, is_number: bool) {
        match self.0.iter_mut().find(|(name, _)| *name == column) {
            Some((_, wanted)) => *wanted |= is_number,
            None => self.0.push((column, is_number)),
        }
    }

    fn grouping(&mut self, by: Option<&'a Grouping>) {
        by.iter().for_each(|by| self.add(&by.column, false));
    }

    fn variable(&mut self, variable: &'a Variable) {
        self.add(&variable.column, matches!(variable.show, Some(Show::Mean | Show::Median)));
    }

    fn follow_up(&mut self, columns: &'a FollowUpColumns) {
        self.add(&columns.time.column, true);
        self.add(&columns.event.column, false);
        columns.entry.iter().for_each(|entry| self.add(&entry.column, true));
    }
}
