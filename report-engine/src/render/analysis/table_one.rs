//! Table 1: each variable by groups, with what is missing of it and the test that compared them.
use domain::report_screen::ScreenSearch;
use statistics::compare::fisher::fisher_exact;
use statistics::compare::means::{anova, student_t, welch_anova, welch_t};
use statistics::compare::ranks::{kruskal_wallis, mann_whitney};
use statistics::compare::standardised::{category_difference, mean_difference};
use statistics::compare::table::{Continuity, CrossTable, chi_squared};
use statistics::describe::{QuantileType, Summary, summarise_values};
use statistics::{Error, Factor, TestResult};

use super::columns::{ColumnStore, Levels, Numbers, VariableData};
use super::notes::Footnotes;
use super::searches::of_values;
use super::table::{AnalysisTable, TableHead, left, right};
use super::words::{Words, decimal, fixed, level_of, p_cell, places_of, share, text};
use super::{Problem, Tables};
use crate::plan::analysis::{GroupTest, Show, TableOne, Variable};
use crate::plan::{Analysis, Language, Value};

/// An expected count below this asks for Fisher's test.
const LEAST_EXPECTED: f64 = 5.0;

struct Maker<'a> {
    plan: &'a TableOne,
    store: &'a ColumnStore,
    words: Words,
    level: f64,
    groups: Option<&'a Levels>,
    /// Rows that have a group.
    rows: Vec<usize>,
    footnotes: Footnotes,
}

/// A row's cells behind the groups.
struct Ending {
    missing: Value,
    p: Option<(Value, String)>,
    smd: Option<Value>,
}

pub fn tables(plan: &TableOne, analysis: &Analysis, store: &ColumnStore) -> Tables {
    let words = Words(analysis.language);
    let groups = plan.by.as_ref().map(|by| store.levels(by)).transpose()?;
    let has_group = |row: &usize| groups.as_ref().is_none_or(|groups| groups.codes[*row].is_some());
    let rows: Vec<usize> = (0..store.rows()).filter(has_group).collect();
    let mut maker = Maker { plan, store, words, level: analysis.level, groups: groups.as_ref(), rows, footnotes: Footnotes::default() };
    let mut table = AnalysisTable::new("", maker.heads());
    for (part, rows) in maker.parts().iter().enumerate() {
        table.head_searches.extend(maker.search(part, None, rows).map(|search| (part + 1, search)));
    }
    for variable in &plan.variables {
        match store.variable(variable) {
            Ok(VariableData::Numbers(numbers)) => maker.numbers(variable, &numbers, &mut table),
            Ok(VariableData::Levels(levels)) => maker.levels(variable, &levels, &mut table),
            Err(problem) => maker.problem(variable, &problem, &mut table),
        }
    }
    table.notes.extend(maker.footnotes.lines());
    if let (Some(by), Some(groups)) = (&plan.by, &groups) {
        table.notes.extend(words.left_out(groups.missing(), &by.label));
        table.notes.extend(words.small_levels(groups));
    }
    table.notes.push(maker.kinds_note());
    if plan.tests {
        table.notes.push(words.not_adjusted());
    }
    Ok(vec![table])
}

impl Maker<'_> {
    fn heads(&self) -> Vec<TableHead> {
        let words = self.words;
        let mut heads = vec![left(words.of("Promenljiva", "Variable"))];
        if self.plan.all {
            heads.push(right(format!("{} (n = {})", words.of("Svi", "All"), self.rows.len())));
        }
        if let Some(groups) = self.groups {
            heads.extend(groups.names.iter().zip(groups.counts()).map(|(name, n)| right(format!("{name} (n = {n})"))));
        }
        heads.push(right(words.of("Nedostaje", "Missing")));
        if self.plan.tests {
            heads.extend([right("p"), left("Test")]);
        }
        if self.plan.smd {
            heads.push(right("SMD"));
        }
        heads
    }

    /// The rows of each column of the table: all, then each group.
    fn parts(&self) -> Vec<Vec<usize>> {
        let all = self.plan.all.then(|| self.rows.clone());
        let groups = self.groups.map_or_else(Vec::new, |groups| {
            let mut parts = vec![Vec::new(); groups.names.len()];
            self.rows.iter().for_each(|row| parts[groups.codes[*row].unwrap_or(0) as usize].push(*row));
            parts
        });
        all.into_iter().chain(groups).collect()
    }

    fn push(&self, label: String, cells: Vec<Value>, ending: Ending, table: &mut AnalysisTable) {
        let mut row = vec![text(label)];
        row.extend(cells);
        row.push(ending.missing);
        if self.plan.tests {
            let (p, letter) = ending.p.unwrap_or((Value::Null, String::new()));
            row.extend([p, text(letter)]);
        }
        if self.plan.smd {
            row.push(ending.smd.unwrap_or(Value::Null));
        }
        table.rows.push(row);
    }

    fn missing(&self, is_there: impl Fn(usize) -> bool) -> Value {
        text(share(self.rows.iter().filter(|row| !is_there(**row)).count(), self.rows.len()))
    }

    fn numbers(&mut self, variable: &Variable, numbers: &Numbers, table: &mut AnalysisTable) {
        let is_median = variable.show == Some(Show::Median);
        let summaries: Vec<statistics::Result<Summary>> = self.parts().iter().map(|rows| self.summary(numbers, rows)).collect();
        let size = summaries.iter().flatten().map(|one| one.mean.abs().max(one.sd.unwrap_or(0.0))).fold(0.0, f64::max);
        let places = places_of(size);
        let cells = summaries.iter().map(|summary| self.summary_cell(summary, is_median, places)).collect();
        let kind = if is_median {
            self.words.of("medijana [Q1; Q3]", "median [Q1; Q3]")
        } else {
            self.words.of("srednja vrednost (SD)", "mean (SD)")
        };
        let missing = self.missing(|row| numbers.values[row].is_some());
        let p = self.plan.tests.then(|| self.number_test(variable, numbers, is_median));
        let smd = self.plan.smd.then(|| self.smd(|groups| mean_difference(numbers.numeric(), groups)));
        self.push(format!("{}, {kind}", variable.label), cells, Ending { missing, p, smd }, table);
    }

    fn summary(&self, numbers: &Numbers, rows: &[usize]) -> statistics::Result<Summary> {
        let values: Vec<f64> = rows.iter().filter_map(|row| numbers.values[*row]).collect();
        let missing = rows.len() - values.len();
        summarise_values(&numbers.name, values, missing, level_of(self.level), QuantileType::default())
    }

    fn summary_cell(&self, summary: &statistics::Result<Summary>, is_median: bool, places: u32) -> Value {
        let words = self.words;
        let Ok(summary) = summary else { return text(words.of("nema podataka", "no data")) };
        if is_median {
            let Summary { median, quartiles, .. } = summary;
            return text(format!("{} [{}; {}]", fixed(*median, places), fixed(quartiles.low, places), fixed(quartiles.high, places)));
        }
        match summary.sd {
            Some(sd) => text(format!("{} ({})", fixed(summary.mean, places), fixed(sd, places))),
            None => {
                text(format!("{} ({})", fixed(summary.mean, places), words.of("SD se ne računa od jedne vrednosti", "no SD of one value")))
            }
        }
    }

    fn levels(&mut self, variable: &Variable, levels: &Levels, table: &mut AnalysisTable) {
        let words = self.words;
        let parts = self.parts();
        let known = |rows: &Vec<usize>| rows.iter().filter(|row| levels.codes[**row].is_some()).count();
        let whole: Vec<usize> = parts.iter().map(known).collect();
        let cells = whole.iter().map(|n| text(format!("n = {n}"))).collect();
        let missing = self.missing(|row| levels.codes[row].is_some());
        let p = self.plan.tests.then(|| self.level_test(variable, levels));
        let texts = levels.texts();
        let smd = self.plan.smd.then(|| self.smd(|groups| category_difference(levels.factor(&texts), groups)));
        self.push(format!("{}, n (%)", variable.label), cells, Ending { missing, p, smd }, table);
        for (code, name) in levels.names.iter().enumerate() {
            let of_level =
                |rows: &Vec<usize>| -> Vec<usize> { rows.iter().copied().filter(|row| levels.codes[*row] == Some(code as u32)).collect() };
            for (part, rows) in parts.iter().enumerate() {
                table.lead(part + 1, self.search(part, Some(&variable.column), &of_level(rows)));
            }
            let cells = parts.iter().zip(&whole).map(|(rows, whole)| match whole {
                0 => text(words.of("nema podataka", "no data")),
                whole => text(share(of_level(rows).len(), *whole)),
            });
            let ending = Ending { missing: Value::Null, p: None, smd: None };
            self.push(format!("{}: {name}", variable.label), cells.collect(), ending, table);
        }
    }

    /// Of the rows of a cell: all that are of its group and have its value; without a column those of its head.
    fn search(&self, part: usize, column: Option<&str>, rows: &[usize]) -> Option<ScreenSearch> {
        let is_of_all = self.plan.all && part == 0;
        let by = self.plan.by.as_ref().filter(|_| !is_of_all).map(|by| by.column.as_str());
        // A row that has no group is in no cell, and no search could leave it out.
        let misses = self.plan.by.is_some() && is_of_all && self.rows.len() < self.store.rows();
        let columns: Vec<&str> = by.into_iter().chain(column).collect();
        if misses { None } else { of_values(self.store, &columns, rows) }
    }

    fn problem(&mut self, variable: &Variable, problem: &Problem, table: &mut AnalysisTable) {
        let letter = self.footnotes.letter(&self.words.problem(problem));
        let cells = self.parts().iter().map(|_| text(format!("{} ({letter})", self.words.of("nije računato", "not computed")))).collect();
        let ending = Ending { missing: Value::Null, p: None, smd: None };
        self.push(variable.label.clone(), cells, ending, table);
    }

    /// The groups as a factor over all rows.
    fn with_groups<T>(&self, of: impl FnOnce(Factor) -> statistics::Result<T>) -> statistics::Result<T> {
        match self.groups {
            Some(groups) => of(groups.factor(&groups.texts())),
            None => Err(Error::GroupCount { variable: String::new(), groups: 1, needed: "at least two" }),
        }
    }

    fn number_test(&mut self, variable: &Variable, numbers: &Numbers, is_median: bool) -> (Value, String) {
        let level = level_of(self.level);
        let filled = self.filled_groups(|row| numbers.values[row].is_some());
        let test = variable.test.unwrap_or(match (is_median, filled) {
            (false, ..=2) => GroupTest::Welch,
            (false, _) => GroupTest::WelchAnova,
            (true, ..=2) => GroupTest::MannWhitney,
            (true, _) => GroupTest::Kruskal,
        });
        let x = numbers.numeric();
        let result = self.with_groups(|by| of_numbers(test, x, by, level));
        self.p(result, test)
    }

    /// How many groups have a value: the test follows from those, not from all that are named.
    fn filled_groups(&self, is_there: impl Fn(usize) -> bool) -> usize {
        let Some(groups) = self.groups else { return 0 };
        let mut filled = vec![false; groups.names.len()];
        self.rows.iter().filter(|row| is_there(**row)).for_each(|row| filled[groups.codes[*row].unwrap_or(0) as usize] = true);
        filled.into_iter().filter(|filled| *filled).count()
    }

    fn level_test(&mut self, variable: &Variable, levels: &Levels) -> (Value, String) {
        let texts = levels.texts();
        let result = self.with_groups(|by| of_levels(variable.test, levels.factor(&texts), by));
        match result {
            Ok((test, note)) => self.told(test, note.map(|note| self.words.of(note.0, note.1))),
            Err(error) => self.refused(&error),
        }
    }

    fn p(&mut self, result: statistics::Result<Option<TestResult>>, test: GroupTest) -> (Value, String) {
        match result {
            Ok(Some(result)) => self.told(result, None),
            Ok(None) => {
                let note = match self.words.0 {
                    Language::Serbian => format!("Ne računa se: test „{}“ nije test brojeva.", spelling(test)),
                    Language::English => format!("Not computed: “{}” is no test of numbers.", spelling(test)),
                };
                let letter = self.footnotes.letter(&note);
                (text(self.words.of("nije računato", "not computed")), letter)
            }
            Err(error) => self.refused(&error),
        }
    }

    fn told(&mut self, result: TestResult, more: Option<&str>) -> (Value, String) {
        let name = self.words.test(result.test);
        let note = more.map_or_else(|| name.to_owned(), |more| format!("{name}, {more}"));
        (p_cell(result.p), self.footnotes.letter(&note))
    }

    fn refused(&mut self, error: &Error) -> (Value, String) {
        let letter = self.footnotes.letter(&self.words.error(error));
        (text(self.words.of("nije računato", "not computed")), letter)
    }

    fn smd(&mut self, of: impl FnOnce(Factor) -> statistics::Result<f64>) -> Value {
        match self.with_groups(of) {
            Ok(difference) => decimal(self.words, difference.abs(), 3),
            Err(error) => {
                let letter = self.footnotes.letter(&self.words.error(&error));
                text(format!("{} ({letter})", self.words.of("nije računato", "not computed")))
            }
        }
    }

    fn kinds_note(&self) -> String {
        let smd = if self.plan.smd {
            self.words.of(" SMD je standardizovana razlika dve grupe.", " SMD is the standardised difference of two groups.")
        } else {
            ""
        };
        let kinds = self.words.of(
            "Kvartili su tipa 7 (Hajndman i Fan). Procenti su od redova sa podatkom.",
            "Quartiles are of type 7 (Hyndman and Fan). Percentages are of rows with data.",
        );
        format!("{kinds}{smd}")
    }
}

/// A test of numbers by groups; `None` where the test is one of categories.
pub fn of_numbers(test: GroupTest, x: statistics::Numeric, by: Factor, level: statistics::Level) -> statistics::Result<Option<TestResult>> {
    Ok(Some(match test {
        GroupTest::Student => student_t(x, by, level)?.test,
        GroupTest::Welch => welch_t(x, by, level)?.test,
        GroupTest::Anova => anova(x, by)?,
        GroupTest::WelchAnova => welch_anova(x, by)?,
        GroupTest::MannWhitney => mann_whitney(x, by)?,
        GroupTest::Kruskal => kruskal_wallis(x, by)?,
        GroupTest::ChiSquared | GroupTest::ChiSquaredYates | GroupTest::Fisher => return Ok(None),
    }))
}

/// What is said beside a test of categories, in both languages.
type Remark = Option<(&'static str, &'static str)>;

/// A test of categories by groups: chi-squared, and Fisher's where a count is expected to be small.
pub fn of_levels(test: Option<GroupTest>, levels: Factor, by: Factor) -> statistics::Result<(TestResult, Remark)> {
    let table = CrossTable::of(levels, by)?;
    match test {
        Some(GroupTest::Fisher) => Ok((fisher_exact(&table)?, None)),
        Some(GroupTest::ChiSquaredYates) => Ok((chi_squared(&table, Continuity::Yates)?.test, None)),
        Some(GroupTest::ChiSquared) => Ok((chi_squared(&table, Continuity::None)?.test, None)),
        _ => {
            let plain = chi_squared(&table, Continuity::None)?;
            if plain.smallest_expected >= LEAST_EXPECTED {
                return Ok((plain.test, None));
            }
            match fisher_exact(&table) {
                Err(Error::TooMuchWork { .. }) => {
                    let remark = (
                        "jer je tabela prevelika za Fišerov; ima očekivanih brojeva ispod 5",
                        "as the table is too large for Fisher's; some expected counts are below 5",
                    );
                    Ok((plain.test, Some(remark)))
                }
                exact => Ok((exact?, None)),
            }
        }
    }
}

fn spelling(test: GroupTest) -> &'static str {
    match test {
        GroupTest::Student => "student",
        GroupTest::Welch => "welch",
        GroupTest::Anova => "anova",
        GroupTest::WelchAnova => "welchAnova",
        GroupTest::MannWhitney => "mannWhitney",
        GroupTest::Kruskal => "kruskal",
        GroupTest::ChiSquared => "chi2",
        GroupTest::ChiSquaredYates => "chi2yates",
        GroupTest::Fisher => "fisher",
    }
}
