//! Rows of sections that repeat, in a file of their own: a line for each value of each row, since one row of the data has many of them.
use std::collections::BTreeMap;

use domain::{
    answer::Answer,
    entry::{
        form::{Choice, EntryField, EntryForm},
        rows,
    },
    exports::{Export, Row},
    register::ValueType,
};

use super::{cell::Cell, profile::Patients, variables::of_value};

pub const FILE: &str = "redovi.csv";
/// `red_podataka` is the line of `podaci.csv`, the one of the names not counted.
pub const HEADS: [&str; 7] = ["red_podataka", "sekcija", "red", "polje", "vrednost", "sifra_vrednosti", "tezina_vrednosti"];

#[derive(Default)]
pub struct Sections {
    of: Vec<Section>,
    /// Names of those that are left out, because fields were chosen and they are not among them.
    pub left_out: Vec<String>,
}

struct Section {
    key: String,
    name: String,
    columns: BTreeMap<i64, Column>,
}

struct Column {
    name: String,
    kind: ValueType,
    /// An age, of which the oldest are one group.
    capped: bool,
    /// Of a set.
    items: BTreeMap<i64, Choice>,
}

/// A value of one row: all but the number of the row of the data.
pub struct Line<'a> {
    pub section: &'a str,
    pub row: usize,
    pub column: &'a str,
    /// Of a set the name of an item that was chosen.
    pub value: Cell,
    pub code: Option<&'a str>,
    pub weight: Option<f64>,
}

impl Sections {
    pub fn of(export: &Export, form: Option<&EntryForm>) -> Self {
        let all = form.into_iter().flat_map(|form| &form.fields).filter(|field| field.is_section());
        let (chosen, others): (Vec<&EntryField>, Vec<&EntryField>) =
            all.partition(|section| export.polja.as_ref().is_none_or(|chosen| chosen.contains(&section.id)));
        let of = chosen.into_iter().map(|section| Section::of(section, export)).collect();
        Self { of, left_out: others.into_iter().map(|section| section.naziv.clone()).collect() }
    }

    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// The values of the rows of one entry.
    pub fn lines<'a>(&'a self, row: &Row, patients: &Patients) -> Vec<Line<'a>> {
        let mut lines = Vec::new();
        for section in &self.of {
            let stored = row.vrednosti.as_ref().and_then(|values| values.get(&section.key));
            for (at, one) in rows::of(stored).iter().enumerate() {
                for (id, column) in &section.columns {
                    let line = |value| Line { section: &section.name, row: at + 1, column: &column.name, value, code: None, weight: None };
                    let of_item = |item: &'a Choice| Line {
                        code: item.sifra.as_deref(),
                        weight: item.num_vrednost,
                        ..line(Cell::text(Some(&item.naziv)))
                    };
                    let Some(value) = one.cells.get(id) else { continue };
                    if let Some(Answer::Set(chosen)) = Answer::of(column.kind, value) {
                        lines.extend(chosen.iter().filter_map(|item| column.items.get(item)).map(of_item));
                    } else {
                        let cell = of_value(value, column.kind, row, patients);
                        lines.push(line(if column.capped { patients.own_age(row, cell) } else { cell }));
                    }
                }
            }
        }
        lines.retain(|line| line.value != Cell::Missing);
        lines
    }
}

impl Section {
    /// Without identity no text leaves, and nothing that tells who somebody is.
    fn of(section: &EntryField, export: &Export) -> Self {
        let told = section.kolone.iter().filter(|column| !export.unnamed.is_left_out(column.id));
        let columns = told.map(|column| (column.id, Column::of(column, export.unnamed.is_capped(column.id))));
        Self { key: section.id.to_string(), name: named(section), columns: columns.collect() }
    }
}

impl Column {
    fn of(column: &EntryField, capped: bool) -> Self {
        let items = column.enum_stavke_sve.iter().map(|item| (item.id, item.clone())).collect();
        Self { name: named(column), kind: column.tva_num_vrednost, capped, items }
    }
}

fn named(field: &EntryField) -> String {
    field.sifra.clone().unwrap_or_else(|| field.naziv.clone())
}
