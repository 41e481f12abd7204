//! Columns that analyses read, gathered while the rows pass: numbers, categories and events, nothing else of a row is kept.
use std::cmp::Ordering;
use std::collections::HashMap;

use domain::report_screen::SEARCH_COLUMN;
use domain::shown::with_hyphens;
use jiff::civil::Date;
use statistics::{Binary, Factor, Numeric};

use super::problem::Problem;
use crate::plan::analysis::{EventColumn, Grouping, LabelledColumn, Show, Variable};
use crate::plan::{Value, show};
use crate::render::searches::search_column;

/// Different values that a column of categories may have.
const MOST_LEVELS: usize = 50;
const MISSING: u32 = u32::MAX;
/// What an order in English calls no and yes.
const ENGLISH_ANSWERS: [&str; 2] = ["No", "Yes"];

/// What an analysis takes a column for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    Number,
    Category,
    /// Numbers where its values are numbers, else categories.
    AsItIs,
    /// Yes or no; with a value, whether the cell is that value.
    Event(Option<String>),
}

/// One column of the result in one meaning.
pub struct StoredColumn {
    pub place: usize,
    pub meaning: Meaning,
    cells: Cells,
}

enum Cells {
    /// So many blanks, before the first value says what it is.
    Blank(usize),
    Numbers(Vec<f64>),
    Categories(Categories),
    Events(Vec<Option<bool>>),
    /// The value that the column cannot be read by.
    Unreadable(String),
}

#[derive(Default)]
struct Categories {
    codes: Vec<u32>,
    names: Vec<CategoryName>,
    places: HashMap<String, u32>,
    is_over: bool,
}

struct CategoryName {
    text: String,
    number: Option<f64>,
    /// Where the cell is no text.
    answer: Option<bool>,
}

impl CategoryName {
    /// A no and a yes are called as the order calls them.
    fn shown(&self, order: &[String]) -> &str {
        match self.answer {
            Some(answer) if order == ENGLISH_ANSWERS => ENGLISH_ANSWERS[usize::from(answer)],
            _ => &self.text,
        }
    }
}

/// Numbers with their name.
pub struct Numbers {
    pub name: String,
    pub values: Vec<Option<f64>>,
}

/// Categories in the order in which they are shown.
pub struct Levels {
    pub name: String,
    pub names: Vec<String>,
    pub codes: Vec<Option<u32>>,
}

/// Events with their name.
pub struct Events {
    pub name: String,
    pub values: Vec<Option<bool>>,
}

pub enum VariableData {
    Numbers(Numbers),
    Levels(Levels),
}

impl Meaning {
    pub fn of(variable: &Variable) -> Self {
        match variable.show {
            Some(Show::Mean | Show::Median) => Meaning::Number,
            Some(Show::Category) => Meaning::Category,
            None => Meaning::AsItIs,
        }
    }
}

impl StoredColumn {
    pub fn new(place: usize, meaning: Meaning) -> Self {
        let cells = match meaning {
            Meaning::Number => Cells::Numbers(Vec::new()),
            Meaning::Category => Cells::Categories(Categories::default()),
            Meaning::AsItIs => Cells::Blank(0),
            Meaning::Event(_) => Cells::Events(Vec::new()),
        };
        StoredColumn { place, meaning, cells }
    }

    pub fn add(&mut self, value: &Value) {
        let value = if is_blank(value) { &Value::Null } else { value };
        if let Cells::Blank(blanks) = &mut self.cells {
            match value {
                Value::Null => return *blanks += 1,
                value if value.is_number() => self.cells = Cells::Numbers(vec![f64::NAN; *blanks]),
                _ => self.cells = Cells::Categories(Categories { codes: vec![MISSING; *blanks], ..Categories::default() }),
            }
        }
        match &mut self.cells {
            Cells::Numbers(numbers) => match value {
                Value::Null => numbers.push(f64::NAN),
                value => match value.as_f64() {
                    Some(number) => numbers.push(number),
                    None => self.cells = Cells::Unreadable(show(value, None)),
                },
            },
            Cells::Categories(categories) => categories.add(value),
            Cells::Events(events) => match self.meaning.event(value) {
                Some(event) => events.push(event),
                None => self.cells = Cells::Unreadable(show(value, None)),
            },
            Cells::Blank(_) | Cells::Unreadable(_) => {}
        }
    }

    pub fn numbers(&self, column: &LabelledColumn) -> Result<Numbers, Problem> {
        let name = column.label.clone();
        match &self.cells {
            Cells::Numbers(values) => {
                Ok(Numbers { name, values: values.iter().map(|value| (!value.is_nan()).then_some(*value)).collect() })
            }
            Cells::Blank(blanks) => Ok(Numbers { name, values: vec![None; *blanks] }),
            Cells::Unreadable(value) => Err(Problem::NotNumber { label: name, value: value.clone() }),
            Cells::Categories(_) | Cells::Events(_) => Err(Problem::NotNumber { label: name, value: String::new() }),
        }
    }

    pub fn levels(&self, label: &str, order: &[String]) -> Result<Levels, Problem> {
        match &self.cells {
            Cells::Categories(categories) if categories.is_over => {
                Err(Problem::TooManyLevels { label: label.to_owned(), most: MOST_LEVELS })
            }
            Cells::Categories(categories) => Ok(categories.sorted(label, order)),
            Cells::Blank(blanks) => Ok(Levels { name: label.to_owned(), names: Vec::new(), codes: vec![None; *blanks] }),
            _ => Err(Problem::TooManyLevels { label: label.to_owned(), most: MOST_LEVELS }),
        }
    }

    pub fn events(&self, column: &EventColumn) -> Result<Events, Problem> {
        match &self.cells {
            Cells::Events(values) => Ok(Events { name: column.label.clone(), values: values.clone() }),
            Cells::Unreadable(value) => Err(Problem::NotEvent { label: column.label.clone(), value: value.clone() }),
            _ => Err(Problem::NotEvent { label: column.label.clone(), value: String::new() }),
        }
    }

    pub fn variable(&self, variable: &Variable) -> Result<VariableData, Problem> {
        let labelled = LabelledColumn { column: variable.column.clone(), label: variable.label.clone() };
        match &self.cells {
            Cells::Categories(_) => self.levels(&variable.label, &variable.order).map(VariableData::Levels),
            Cells::Blank(_) if variable.show == Some(Show::Category) => {
                self.levels(&variable.label, &variable.order).map(VariableData::Levels)
            }
            _ => self.numbers(&labelled).map(VariableData::Numbers),
        }
    }
}

impl Meaning {
    /// `None`: the cell is neither.
    fn event(&self, value: &Value) -> Option<Option<bool>> {
        let Meaning::Event(wanted) = self else { return None };
        match (value, wanted) {
            (Value::Null, _) => Some(None),
            (value, Some(wanted)) => {
                let text = show(value, None);
                let same_number = || Some(value.as_f64()? == with_hyphens(wanted).replace(',', ".").parse::<f64>().ok()?);
                Some(Some(text.trim() == wanted || same_number().unwrap_or(false)))
            }
            (Value::Bool(yes), None) => Some(Some(*yes)),
            (Value::Text(text), None) => match text.trim().to_lowercase().as_str() {
                "1" | "da" | "true" | "t" | "yes" => Some(Some(true)),
                "0" | "ne" | "false" | "f" | "no" => Some(Some(false)),
                _ => None,
            },
            (value, None) => match value.as_f64() {
                Some(1.0) => Some(Some(true)),
                Some(0.0) => Some(Some(false)),
                _ => None,
            },
        }
    }
}

/// A text of spaces says nothing, and what is no number is blank as in every cell of a report.
fn is_blank(value: &Value) -> bool {
    match value {
        Value::Text(text) => text.trim().is_empty(),
        Value::Float(number) => !number.is_finite(),
        value => value.is_null(),
    }
}

impl Categories {
    fn add(&mut self, value: &Value) {
        if value.is_null() {
            return self.codes.push(MISSING);
        }
        let text = show(value, None).trim().to_owned();
        if let Some(code) = self.places.get(&text) {
            return self.codes.push(*code);
        }
        if self.names.len() == MOST_LEVELS {
            self.is_over = true;
            return self.codes.push(MISSING);
        }
        let code = self.names.len() as u32;
        let answer = if let Value::Bool(answer) = value { Some(*answer) } else { None };
        self.names.push(CategoryName { text: text.clone(), number: value.as_f64().or(as_order(value)), answer });
        self.places.insert(text, code);
        self.codes.push(code);
    }

    /// Those that are named first, then numbers and days by size, then texts by letter: the order of the rows changes nothing.
    fn sorted(&self, label: &str, order: &[String]) -> Levels {
        let mut sorted: Vec<usize> = (0..self.names.len()).collect();
        let named = |name: &CategoryName| order.iter().position(|wanted| wanted == name.shown(order)).unwrap_or(usize::MAX);
        sorted.sort_by(|left, right| {
            let (left, right) = (&self.names[*left], &self.names[*right]);
            let by_size = match (left.number, right.number) {
                (Some(left), Some(right)) => left.total_cmp(&right),
                _ => Ordering::Equal,
            };
            named(left).cmp(&named(right)).then(by_size).then_with(|| left.text.cmp(&right.text))
        });
        let mut places = vec![0; sorted.len()];
        for (place, code) in sorted.iter().enumerate() {
            places[*code] = place as u32;
        }
        Levels {
            name: label.to_owned(),
            names: sorted.iter().map(|code| self.names[*code].shown(order).to_owned()).collect(),
            codes: self.codes.iter().map(|code| (*code != MISSING).then(|| places[*code as usize])).collect(),
        }
    }
}

/// Where a day or a yes lies among others.
fn as_order(value: &Value) -> Option<f64> {
    match value {
        Value::Bool(yes) => Some(f64::from(u8::from(*yes))),
        Value::Date(day) => Some(digits_of(*day)),
        Value::DateTime(moment) => Some(digits_of(moment.date())),
        _ => None,
    }
}

fn digits_of(day: Date) -> f64 {
    f64::from(day.year()) * 10_000.0 + f64::from(day.month()) * 100.0 + f64::from(day.day())
}

impl Numbers {
    pub fn numeric(&self) -> Numeric<'_> {
        Numeric { name: &self.name, values: &self.values }
    }
}

impl Events {
    pub fn binary(&self) -> Binary<'_> {
        Binary { name: &self.name, values: &self.values }
    }
}

impl Levels {
    pub fn texts(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }

    pub fn factor<'a>(&'a self, texts: &'a [&'a str]) -> Factor<'a> {
        Factor { name: &self.name, levels: texts, codes: &self.codes }
    }

    /// How many rows each level has.
    pub fn counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.names.len()];
        self.codes.iter().flatten().for_each(|code| counts[*code as usize] += 1);
        counts
    }

    /// Those that a list of all lacks.
    pub fn beyond(&self, all: &[String]) -> Vec<String> {
        self.names.iter().filter(|name| !all.contains(name)).cloned().collect()
    }

    pub fn missing(&self) -> usize {
        self.codes.iter().filter(|code| code.is_none()).count()
    }
}

/// What a query says of the searches of a column, row by row.
struct StoredSearches {
    column: String,
    place: usize,
    /// Each text once; `None`: of a row that says none.
    texts: Vec<String>,
    codes: Vec<Option<u32>>,
    places: HashMap<String, u32>,
    /// There are more than anybody could mean: none is kept.
    is_over: bool,
}

/// Texts of searches that a column may have.
const MOST_SEARCHES: usize = 1_000;

impl StoredSearches {
    fn add(&mut self, value: &Value) {
        let Value::Text(text) = value else { return self.codes.push(None) };
        if let Some(code) = self.places.get(text) {
            return self.codes.push(Some(*code));
        }
        self.is_over |= self.texts.len() == MOST_SEARCHES;
        if self.is_over {
            return self.codes.push(None);
        }
        let code = self.texts.len() as u32;
        self.texts.push(text.clone());
        self.places.insert(text.clone(), code);
        self.codes.push(Some(code));
    }

    /// What all of these rows say, where they say the same.
    fn of(&self, mut rows: impl Iterator<Item = usize>) -> Option<&str> {
        let code = self.codes[rows.next()?]?;
        (!self.is_over && rows.all(|row| self.codes[row] == Some(code))).then(|| self.texts[code as usize].as_str())
    }
}

/// What analyses that count alike read of a row.
pub struct ColumnStore {
    columns: Vec<StoredColumn>,
    searches: Vec<StoredSearches>,
    names: Vec<String>,
    /// The column of how many a row stands for, and where it stands.
    count: Option<(String, usize)>,
    uncountable: Option<Problem>,
    rows: usize,
}

impl ColumnStore {
    /// `None` where the result lacks the column by which rows count.
    pub fn new(names: &[String], count: Option<&str>) -> Option<Self> {
        let count = match count {
            Some(name) => Some((name.to_owned(), names.iter().position(|known| known == name)?)),
            None => None,
        };
        Some(ColumnStore { columns: Vec::new(), searches: Vec::new(), names: names.to_vec(), count, uncountable: None, rows: 0 })
    }

    pub fn counts_by(&self) -> Option<&str> {
        self.count.as_ref().map(|(name, _)| name.as_str())
    }

    /// How many the row stands for; one whose number is blank, as where it is withheld, for nobody.
    pub fn times(&mut self, row: &[Value]) -> usize {
        let Some((column, place)) = &self.count else { return 1 };
        match &row[*place] {
            Value::Null => 0,
            value => match value.as_f64().filter(|count| *count >= 0.0 && *count == count.round()) {
                Some(count) => count as usize,
                None => {
                    self.uncountable = Some(Problem::NotCount { column: column.clone(), value: show(value, None) });
                    0
                }
            },
        }
    }

    /// Why its rows cannot be counted.
    pub fn uncountable(&self) -> Option<&Problem> {
        self.uncountable.as_ref()
    }

    /// Keeps a column in a meaning; `None` where the result lacks it.
    pub fn want(&mut self, column: &str, meaning: Meaning) -> Option<()> {
        let place = self.names.iter().position(|name| name == column)?;
        if !self.columns.iter().any(|stored| stored.place == place && stored.meaning == meaning) {
            self.columns.push(StoredColumn::new(place, meaning));
        }
        Some(())
    }

    /// Keeps the searches of a column, where the result has them; an empty name: those of the whole.
    pub fn want_searches(&mut self, column: &str) {
        let place =
            if column.is_empty() { self.names.iter().position(|name| name == SEARCH_COLUMN) } else { search_column(&self.names, column) };
        let is_new = self.searches.iter().all(|known| known.column != column);
        if let Some(place) = place.filter(|_| is_new) {
            let (texts, codes, places) = (Vec::new(), Vec::new(), HashMap::new());
            self.searches.push(StoredSearches { column: column.to_owned(), place, texts, codes, places, is_over: false });
        }
    }

    /// What the result says of the searches of a column in all of these rows, where it says the same.
    pub fn search_text(&self, column: &str, rows: impl Iterator<Item = usize>) -> Option<&str> {
        self.searches.iter().find(|known| known.column == column)?.of(rows)
    }

    pub fn add(&mut self, row: &[Value]) {
        self.rows += 1;
        for column in &mut self.columns {
            column.add(&row[column.place]);
        }
        for searches in &mut self.searches {
            searches.add(&row[searches.place]);
        }
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    pub fn width(&self) -> usize {
        self.columns.len() + self.searches.len()
    }

    fn stored(&self, column: &str, meaning: &Meaning) -> Result<&StoredColumn, Problem> {
        let place = self.names.iter().position(|name| name == column);
        let found = self.columns.iter().find(|stored| Some(stored.place) == place && stored.meaning == *meaning);
        found.ok_or_else(|| Problem::NoColumn { column: column.to_owned() })
    }

    pub fn numbers(&self, column: &LabelledColumn) -> Result<Numbers, Problem> {
        self.stored(&column.column, &Meaning::Number)?.numbers(column)
    }

    pub fn levels(&self, by: &Grouping) -> Result<Levels, Problem> {
        self.stored(&by.column, &Meaning::Category)?.levels(&by.label, &by.order)
    }

    pub fn events(&self, event: &EventColumn) -> Result<Events, Problem> {
        self.stored(&event.column, &Meaning::Event(event.value.clone()))?.events(event)
    }

    pub fn variable(&self, variable: &Variable) -> Result<VariableData, Problem> {
        self.stored(&variable.column, &Meaning::of(variable))?.variable(variable)
    }
}
