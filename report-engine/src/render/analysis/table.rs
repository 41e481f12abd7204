//! A table that an analysis has made: heads, rows, notes, ready for the sinks of all formats.
use domain::report_screen::{SEARCH_COLUMN, ScreenSearch};
use report_chart::Figure;

use super::words::Words;
use crate::plan::{Align, Column, TablePlan, Value, show};

#[derive(Default)]
pub struct AnalysisTable {
    /// Empty until its analysis gives it one.
    pub title: String,
    pub heads: Vec<TableHead>,
    pub rows: Vec<Vec<Value>>,
    pub notes: Vec<String>,
    /// What it was computed by, as the guide has it; of the first table of an analysis.
    pub method: Option<&'static str>,
    /// What is drawn below it.
    pub figure: Option<Figure>,
    /// By row and column, the search that shows whom a number counts.
    pub searches: Vec<(usize, usize, ScreenSearch)>,
    /// The same of heads, by column.
    pub head_searches: Vec<(usize, ScreenSearch)>,
    /// The same of the figure, by the words of its values.
    pub figure_searches: Vec<(String, ScreenSearch)>,
}

pub struct TableHead {
    pub text: String,
    pub align: Align,
}

/// Letters by which a column's width is judged, at least and at most.
const LETTERS: (usize, usize) = (5, 44);

pub fn left(text: impl Into<String>) -> TableHead {
    TableHead { text: text.into(), align: Align::Left }
}

pub fn right(text: impl Into<String>) -> TableHead {
    TableHead { text: text.into(), align: Align::Right }
}

impl AnalysisTable {
    /// One that is titled by its analysis; `part` is added where an analysis has several.
    pub fn new(part: &str, heads: Vec<TableHead>) -> Self {
        AnalysisTable { title: part.to_owned(), heads, rows: Vec::new(), notes: Vec::new(), ..AnalysisTable::default() }
    }

    /// A sentence where a table would stand.
    pub fn sentence(title: String, words: Words, sentence: &str, rows: usize) -> Self {
        let mut table = AnalysisTable::new(&title, vec![left(words.of("Rezultat", "Result"))]);
        table.rows.push(vec![Value::Text(sentence.to_owned())]);
        if rows > 0 {
            table.notes.push(format!("{}: {rows}.", words.of("Redova u izveštaju", "Rows of the report")));
        }
        table
    }

    /// A cell of the row that comes next leads to a search.
    pub fn lead(&mut self, column: usize, search: Option<ScreenSearch>) {
        self.searches.extend(search.map(|search| (self.rows.len(), column, search)));
    }

    /// As the sinks take it, with the names of its cells and, behind them, of those of their searches.
    pub fn plan(&self) -> (TablePlan, Vec<String>) {
        let mut names: Vec<String> = (0..self.heads.len()).map(|index| format!("c{index}")).collect();
        let columns = self.heads.iter().zip(&names).enumerate().map(|(index, (head, name))| Column {
            width: Some(self.letters(index) as f32),
            align: Some(head.align),
            ..Column::plain(&head.text, name)
        });
        let table = TablePlan {
            title: Some(self.title.clone()),
            columns: columns.collect(),
            notes: self.notes.clone(),
            is_analysis: true,
            method: self.method,
            head_searches: self.head_searches.clone(),
            ..TablePlan::default()
        };
        names.extend(self.leading().map(|column| format!("{SEARCH_COLUMN} c{column}")));
        (table, names)
    }

    /// Columns of which a cell leads to a search.
    fn leading(&self) -> impl Iterator<Item = usize> {
        (0..self.heads.len()).filter(move |column| self.searches.iter().any(|(_, led, _)| led == column))
    }

    /// Rows with the cells of their searches, as `plan` names them.
    pub fn filled_rows(&self) -> impl Iterator<Item = Vec<Value>> {
        self.rows.iter().enumerate().map(move |(place, row)| {
            let search = |column: usize| {
                let found = self.searches.iter().find(|(row, led, _)| (*row, *led) == (place, column));
                found.and_then(|(_, _, search)| serde_json::to_string(search).ok()).map_or(Value::Null, Value::Text)
            };
            row.iter().cloned().chain(self.leading().map(search)).collect()
        })
    }

    /// The longest text of a column.
    fn letters(&self, index: usize) -> usize {
        let head = self.heads[index].text.split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0);
        let cells = self.rows.iter().filter_map(|row| row.get(index)).map(|cell| show(cell, None).chars().count());
        cells.max().unwrap_or(0).max(head).clamp(LETTERS.0, LETTERS.1)
    }
}
