//! A table that an analysis has made: heads, rows, notes, ready for the sinks of all formats.
use report_chart::Figure;

use super::words::Words;
use crate::plan::{Align, Column, TablePlan, Value, show};

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
        AnalysisTable { title: part.to_owned(), heads, rows: Vec::new(), notes: Vec::new(), method: None, figure: None }
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

    /// As the sinks take it, with the names of its cells.
    pub fn plan(&self) -> (TablePlan, Vec<String>) {
        let names: Vec<String> = (0..self.heads.len()).map(|index| format!("c{index}")).collect();
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
            ..TablePlan::default()
        };
        (table, names)
    }

    /// The longest text of a column.
    fn letters(&self, index: usize) -> usize {
        let head = self.heads[index].text.split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0);
        let cells = self.rows.iter().filter_map(|row| row.get(index)).map(|cell| show(cell, None).chars().count());
        cells.max().unwrap_or(0).max(head).clamp(LETTERS.0, LETTERS.1)
    }
}
