//! Statistics over the rows of a report: columns are gathered while the rows pass, once for all formats, and become tables that every
//! format draws as its own.
mod columns;
mod compare;
mod figure;
mod fourfold;
mod incidence;
mod indicator;
mod notes;
mod problem;
mod rate;
mod regression;
mod roc;
mod searches;
mod survival;
mod table;
mod table_one;
mod words;

use std::cell::RefCell;
use std::rc::Rc;

use columns::{ColumnStore, Meaning, VariableData};
use problem::Problem;
pub use table::AnalysisTable;
use words::Words;

use super::error::RenderError;
use super::target::{Cap, Overflow};
use crate::plan::analysis::{ComparedWith, EventColumn, FollowUpColumns, Outcome, PairTest, Survival, Term, Variable};
use crate::plan::{Analysis, AnalysisKind, Value};

/// Cells that the analyses of one report may gather: a million rows of ten numbers, some eighty megabytes.
const MAX_CELLS: usize = 10_000_000;

/// What is gathered for the files of one run: files that ask for the same share it.
#[derive(Default)]
pub struct Gatherings(Vec<Rc<Gathering>>);

/// The columns of some analyses, and their tables once all rows have passed.
pub struct Gathering {
    analyses: Vec<Analysis>,
    cap: Cap,
    state: RefCell<GatheringState>,
}

struct GatheringState {
    /// One for each way of counting rows.
    stores: Vec<ColumnStore>,
    is_outgrown: bool,
    tables: Option<Rc<Vec<AnalysisTable>>>,
}

impl Gatherings {
    /// The gathering of these analyses; a column that the result lacks is found here, before any row.
    pub fn of(&mut self, analyses: &[Analysis], names: &[String], cap: Cap) -> Result<Rc<Gathering>, RenderError> {
        if let Some(known) = self.0.iter().find(|known| known.analyses == analyses) {
            return Ok(known.clone());
        }
        let unknown = |column: &str| RenderError::UnknownColumn { column: column.to_owned() };
        let mut stores: Vec<ColumnStore> = Vec::new();
        for analysis in analyses {
            let count = analysis.count.as_deref();
            let place = match stores.iter().position(|store| store.counts_by() == count) {
                Some(place) => place,
                None => {
                    stores.push(ColumnStore::new(names, count).ok_or_else(|| unknown(count.unwrap_or_default()))?);
                    stores.len() - 1
                }
            };
            for (column, meaning) in meanings(analysis) {
                stores[place].want(column, meaning).ok_or_else(|| unknown(column))?;
            }
            searched(analysis).into_iter().for_each(|column| stores[place].want_searches(column));
        }
        let width: usize = stores.iter().map(ColumnStore::width).sum();
        let cap = Cap { rows: cap.rows.min((MAX_CELLS / width.max(1)) as u64), ..cap };
        let state = RefCell::new(GatheringState { stores, is_outgrown: false, tables: None });
        let gathering = Rc::new(Gathering { analyses: analyses.to_vec(), cap, state });
        self.0.push(gathering.clone());
        Ok(gathering)
    }

    pub fn add(&self, row: &[Value]) {
        self.0.iter().for_each(|gathering| gathering.add(row));
    }
}

impl Gathering {
    fn add(&self, row: &[Value]) {
        let GatheringState { stores, is_outgrown, .. } = &mut *self.state.borrow_mut();
        for store in stores {
            let times = store.times(row);
            if (store.rows() + times) as u64 > self.cap.rows {
                *is_outgrown |= self.cap.overflow == Overflow::Fail;
                continue;
            }
            (0..times).for_each(|_| store.add(row));
        }
    }

    /// Fails where there are more rows than memory is given to.
    pub fn check(&self) -> Result<(), RenderError> {
        if !self.state.borrow().is_outgrown {
            return Ok(());
        }
        let mut words: Vec<&str> = self.analyses.iter().map(|analysis| analysis.word).collect();
        words.dedup();
        Err(RenderError::AnalysisTooLarge { words: words.join(", "), limit: self.cap.rows })
    }

    /// The tables of all analyses, computed once.
    pub fn tables(&self) -> Result<Rc<Vec<AnalysisTable>>, RenderError> {
        self.check()?;
        let mut state = self.state.borrow_mut();
        if let Some(tables) = &state.tables {
            return Ok(tables.clone());
        }
        let mut tables = Vec::new();
        for analysis in &self.analyses {
            let store = state.stores.iter().find(|store| store.counts_by() == analysis.count.as_deref());
            tables.extend(store.map(|store| of_analysis(analysis, store)).unwrap_or_default());
        }
        let tables = Rc::new(tables);
        state.tables = Some(tables.clone());
        Ok(tables)
    }
}

/// The tables of one analysis; what cannot be computed is said in the place of its numbers.
fn of_analysis(analysis: &Analysis, store: &ColumnStore) -> Vec<AnalysisTable> {
    let words = Words(analysis.language);
    let title = analysis.title.clone().unwrap_or_else(|| usual_title(analysis, words));
    if store.rows() == 0 && store.uncountable().is_none() {
        return vec![AnalysisTable::sentence(title, words, words.of("Nema podataka za zadate uslove.", "There are no data."), 0)];
    }
    let countable = store.uncountable().map_or(Ok(()), |problem| Err(problem.clone()));
    let made = countable.and_then(|()| match &analysis.kind {
        AnalysisKind::TableOne(plan) => table_one::tables(plan, analysis, store),
        AnalysisKind::Compare(plan) => compare::tables(plan, analysis, store),
        AnalysisKind::TwoByTwo(plan) => fourfold::tables(plan, analysis, store),
        AnalysisKind::Survival(plan) => survival::tables(plan, analysis, store),
        AnalysisKind::Regression(plan) => regression::tables(plan, analysis, store),
        AnalysisKind::Roc(plan) => roc::tables(plan, analysis, store),
        AnalysisKind::Rate(plan) => rate::tables(plan, analysis, store),
        AnalysisKind::Indicator(plan) => indicator::tables(plan, analysis, store),
    });
    match made {
        Ok(mut tables) => {
            if let Some(first) = tables.first_mut() {
                first.method = method(&analysis.kind);
                first.notes.extend(new_categories(analysis, store, words));
            }
            for table in &mut tables {
                table.title = if table.title.is_empty() { title.clone() } else { format!("{title} – {}", table.title) };
                table.figure = table.figure.take().filter(|_| analysis.figure);
                if let Some(figure) = &mut table.figure {
                    figure.title = title.clone();
                }
            }
            tables
        }
        Err(problem) => vec![AnalysisTable::sentence(title, words, &words.problem(&problem), store.rows())],
    }
}

/// What groups, strata and variables have that no list of the day on which the analysis was saved had; a model tells of its own predictors.
fn new_categories(analysis: &Analysis, store: &ColumnStore, words: Words) -> Vec<String> {
    let mut told = Vec::new();
    if let Some(by) = analysis.grouping().filter(|by| by.complete)
        && let Ok(levels) = store.levels(by)
    {
        told.extend(words.new_categories(&by.label, &levels.beyond(&by.order)));
    }
    let variables: Vec<&Variable> = match &analysis.kind {
        AnalysisKind::TableOne(plan) => plan.variables.iter().collect(),
        AnalysisKind::Compare(plan) => vec![&plan.value],
        _ => Vec::new(),
    };
    for variable in variables.into_iter().filter(|variable| variable.complete) {
        if let Ok(VariableData::Levels(levels)) = store.variable(variable) {
            told.extend(words.new_categories(&variable.label, &levels.beyond(&variable.order)));
        }
    }
    told
}

/// Its section of `docs/vodic/statistika.md`, as the site's texts name it (`web/src/messages/methods.ts`).
fn method(kind: &AnalysisKind) -> Option<&'static str> {
    match kind {
        AnalysisKind::TableOne(_) => Some("tabela1"),
        AnalysisKind::Compare(_) => Some("poredjenje"),
        AnalysisKind::TwoByTwo(_) => Some("dvaPoDva"),
        AnalysisKind::Survival(plan) if plan.competing.is_some() => Some("konkurentni"),
        AnalysisKind::Survival(_) => Some("prezivljavanje"),
        AnalysisKind::Regression(_) => Some("povezanost"),
        AnalysisKind::Roc(_) => Some("tacnost"),
        AnalysisKind::Rate(_) => Some("stope"),
        AnalysisKind::Indicator(_) => None,
    }
}

fn usual_title(analysis: &Analysis, words: Words) -> String {
    let title = match &analysis.kind {
        AnalysisKind::TableOne(_) => words.of("Tabela 1", "Table 1"),
        AnalysisKind::Compare(_) => words.of("Poređenje", "Comparison"),
        AnalysisKind::TwoByTwo(_) => words.of("Tabela 2×2", "2×2 table"),
        AnalysisKind::Survival(plan) if plan.competing.is_some() => words.of("Kumulativna incidencija", "Cumulative incidence"),
        AnalysisKind::Survival(_) => words.of("Preživljavanje (Kaplan-Majer)", "Survival (Kaplan-Meier)"),
        AnalysisKind::Regression(plan) => match plan.outcome {
            Outcome::Number(_) => words.of("Linearna regresija", "Linear regression"),
            Outcome::Event(_) => words.of("Logistička regresija", "Logistic regression"),
            Outcome::Time { .. } => words.of("Koksova regresija", "Cox regression"),
        },
        AnalysisKind::Roc(_) => words.of("ROC analiza", "ROC analysis"),
        AnalysisKind::Rate(_) => words.of("Stope", "Rates"),
        AnalysisKind::Indicator(_) => words.of("Indikator", "Indicator"),
    };
    title.to_owned()
}

/// Each column with what the analysis takes it for.
fn meanings(analysis: &Analysis) -> Vec<(&str, Meaning)> {
    let event = |event: &EventColumn| Meaning::Event(event.value.clone());
    fn follow_up(columns: &FollowUpColumns) -> Vec<(&str, Meaning)> {
        let times = std::iter::once(&columns.time).chain(&columns.entry).map(|time| (time.column.as_str(), Meaning::Number));
        times.chain([(columns.event.column.as_str(), Meaning::Event(columns.event.value.clone()))]).collect()
    }
    let mut found: Vec<(&str, Meaning)> = Vec::new();
    let mut by = None;
    match &analysis.kind {
        AnalysisKind::TableOne(plan) => {
            by = plan.by.as_ref();
            found.extend(plan.variables.iter().map(|variable| (variable.column.as_str(), Meaning::of(variable))));
        }
        AnalysisKind::Compare(plan) => match &plan.with {
            ComparedWith::Groups(groups) => {
                by = Some(groups);
                found.push((plan.value.column.as_str(), Meaning::of(&plan.value)));
            }
            ComparedWith::Column { second, test } => {
                let meaning = if *test == PairTest::McNemar { Meaning::Event(None) } else { Meaning::Number };
                found.extend([(plan.value.column.as_str(), meaning.clone()), (second.column.as_str(), meaning)]);
            }
        },
        AnalysisKind::TwoByTwo(plan) => {
            found.extend([&plan.row, &plan.column].map(|column| (column.column.as_str(), event(column))));
        }
        AnalysisKind::Survival(plan) => {
            by = plan.by.as_ref();
            found.extend(follow_up(&plan.follow_up));
            found.extend(plan.competing.iter().map(|column| (column.column.as_str(), event(column))));
        }
        AnalysisKind::Regression(plan) => {
            match &plan.outcome {
                Outcome::Number(number) => found.push((number.column.as_str(), Meaning::Number)),
                Outcome::Event(column) => found.push((column.column.as_str(), event(column))),
                Outcome::Time { follow_up: columns, strata, .. } => {
                    by = strata.as_ref();
                    found.extend(follow_up(columns));
                }
            }
            found.extend(plan.terms.iter().flat_map(Term::variables).map(|variable| (variable.column.as_str(), Meaning::of(variable))));
        }
        AnalysisKind::Roc(plan) => {
            found.extend(plan.scores.iter().map(|score| (score.column.as_str(), Meaning::Number)));
            found.push((plan.event.column.as_str(), event(&plan.event)));
        }
        AnalysisKind::Rate(plan) => {
            by = plan.by.as_ref();
            found.extend([(plan.events.column.as_str(), event(&plan.events)), (plan.time.column.as_str(), Meaning::Number)]);
        }
        AnalysisKind::Indicator(plan) => {
            by = plan.by.as_ref();
            let counts = [Some(&plan.numerator), Some(&plan.denominator), plan.eligible.as_ref(), plan.excluded.as_ref()];
            found.extend(counts.into_iter().flatten().map(|column| (column.column.as_str(), Meaning::Number)));
            found.extend(plan.unit.iter().map(|unit| (unit.column.as_str(), Meaning::Category)));
            found.extend(plan.own.iter().map(|own| (own.column.as_str(), event(own))));
        }
    }
    found.extend(by.map(|by| (by.column.as_str(), Meaning::Category)));
    found
}

/// Columns of whose numbers or values a query may say the search.
fn searched(analysis: &Analysis) -> Vec<&str> {
    match &analysis.kind {
        AnalysisKind::Indicator(plan) => {
            let counts = [Some(&plan.numerator), Some(&plan.denominator), plan.excluded.as_ref()];
            counts.into_iter().flatten().map(|column| column.column.as_str()).collect()
        }
        AnalysisKind::TableOne(plan) if analysis.count.is_none() => {
            let variables = plan.variables.iter().map(|variable| variable.column.as_str());
            std::iter::once("").chain(plan.by.iter().map(|by| by.column.as_str())).chain(variables).collect()
        }
        AnalysisKind::Survival(Survival { by, .. }) => std::iter::once("").chain(by.iter().map(|by| by.column.as_str())).collect(),
        _ => Vec::new(),
    }
}

/// The tables of an analysis, or why it has no answer at all.
type Tables = Result<Vec<AnalysisTable>, Problem>;
