//! Covariates of a model and the columns that they become.
use crate::column::{Factor, Numeric};
use crate::error::{Error, Result};

/// A covariate. A factor is compared with its reference level.
#[derive(Clone, Copy, Debug)]
pub enum Covariate<'a> {
    Numeric(Numeric<'a>),
    Factor { factor: Factor<'a>, reference: u32 },
}

/// A covariate by itself, or the product of two.
#[derive(Clone, Copy, Debug)]
pub enum Term<'a> {
    Main(Covariate<'a>),
    Interaction(Covariate<'a>, Covariate<'a>),
}

/// A column of the model: `sex: male`, or `age * sex: male` for an interaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelColumn {
    pub name: String,
    /// The place of its term in the order given.
    pub term: usize,
}

/// A level without anybody in it, which the model leaves out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DroppedLevel {
    pub variable: String,
    pub level: String,
}

/// Complete rows as a matrix, row by row, without a column of ones.
#[derive(Clone, Debug)]
pub(crate) struct Design {
    pub columns: Vec<ModelColumn>,
    pub rows: Vec<usize>,
    pub values: Vec<f64>,
    scales: Vec<Scale>,
    pub dropped: Vec<DroppedLevel>,
}

/// A piece of a term: a number, or whether a level is met.
#[derive(Clone, Copy)]
enum Piece<'a> {
    Number(Numeric<'a>),
    Level(Factor<'a>, u32),
}

impl<'a> Covariate<'a> {
    fn expect_rows(&self, rows: usize) -> Result<()> {
        match self {
            Covariate::Numeric(numeric) => numeric.expect_rows(rows),
            Covariate::Factor { factor, .. } => factor.expect_rows(rows),
        }
    }

    fn is_there(&self, row: usize) -> Result<bool> {
        Ok(match self {
            Covariate::Numeric(numeric) => numeric.at(row)?.is_some(),
            Covariate::Factor { factor, .. } => factor.at(row)?.is_some(),
        })
    }

    /// The pieces with their names; levels in which nobody of `rows` is are left out.
    fn pieces(&self, rows: &[usize], dropped: &mut Vec<DroppedLevel>) -> Result<Vec<(String, Piece<'a>)>> {
        let (factor, reference) = match *self {
            Covariate::Numeric(numeric) => return Ok(vec![(numeric.name.into(), Piece::Number(numeric))]),
            Covariate::Factor { factor, reference } => (factor, reference as usize),
        };
        let mut people = vec![0usize; factor.levels.len()];
        for &row in rows {
            people[factor.at(row)?.unwrap_or(reference)] += 1;
        }
        if people.get(reference).is_none_or(|people| *people == 0) {
            let level = factor.levels.get(reference).copied().unwrap_or("?").into();
            return Err(Error::EmptyLevel { variable: factor.name.into(), level });
        }
        let mut pieces = Vec::new();
        for (level, label) in factor.levels.iter().enumerate().filter(|(level, _)| *level != reference) {
            if people[level] > 0 {
                pieces.push((format!("{}: {label}", factor.name), Piece::Level(factor, level as u32)));
            } else {
                let level = DroppedLevel { variable: factor.name.into(), level: (*label).into() };
                if !dropped.contains(&level) {
                    dropped.push(level);
                }
            }
        }
        if pieces.is_empty() { Err(Error::constant(factor.name)) } else { Ok(pieces) }
    }
}

impl<'a> Term<'a> {
    fn covariates(&self) -> Vec<Covariate<'a>> {
        match *self {
            Term::Main(covariate) => vec![covariate],
            Term::Interaction(a, b) => vec![a, b],
        }
    }

    fn columns(&self, rows: &[usize], dropped: &mut Vec<DroppedLevel>) -> Result<Vec<(String, Vec<Piece<'a>>)>> {
        match *self {
            Term::Main(covariate) => Ok(covariate.pieces(rows, dropped)?.into_iter().map(|(name, piece)| (name, vec![piece])).collect()),
            Term::Interaction(a, b) => {
                let (a, b) = (a.pieces(rows, dropped)?, b.pieces(rows, dropped)?);
                let product =
                    |(left, x): &(String, Piece<'a>), (right, y): &(String, Piece<'a>)| (format!("{left} * {right}"), vec![*x, *y]);
                Ok(a.iter().flat_map(|left| b.iter().map(|right| product(left, right))).collect())
            }
        }
    }
}

impl Piece<'_> {
    /// Of a row in which the covariate is there.
    fn value(&self, row: usize) -> f64 {
        match self {
            Piece::Number(numeric) => numeric.values[row].unwrap_or(0.0),
            Piece::Level(factor, level) => f64::from(u8::from(factor.codes[row] == Some(*level))),
        }
    }
}

impl Design {
    /// The columns of the terms over those `candidates` (rows whose outcome is there) in which no covariate is missing. Levels that nobody
    /// has are left out and named; a column without any spread is [`Error::Constant`].
    pub fn of(terms: &[Term], candidates: impl Iterator<Item = usize>, all_rows: usize) -> Result<Design> {
        let covariates: Vec<Covariate> = terms.iter().flat_map(Term::covariates).collect();
        for covariate in &covariates {
            covariate.expect_rows(all_rows)?;
        }
        let mut rows = Vec::new();
        'rows: for row in candidates {
            for covariate in &covariates {
                if !covariate.is_there(row)? {
                    continue 'rows;
                }
            }
            rows.push(row);
        }
        if rows.is_empty() {
            return Err(Error::too_few("complete rows", 0, 2));
        }
        let mut dropped = Vec::new();
        let (mut columns, mut products) = (Vec::new(), Vec::new());
        for (term, declared) in terms.iter().enumerate() {
            for (name, pieces) in declared.columns(&rows, &mut dropped)? {
                columns.push(ModelColumn { name, term });
                products.push(pieces);
            }
        }
        let mut values = Vec::with_capacity(rows.len() * columns.len());
        for &row in &rows {
            values.extend(products.iter().map(|pieces| pieces.iter().map(|piece| piece.value(row)).product::<f64>()));
        }
        let scales = column_moments(&values, columns.len());
        if let Some(place) = constant_column(&values, columns.len()) {
            return Err(Error::constant(&columns[place].name));
        }
        Ok(Design { columns, rows, values, scales, dropped })
    }

    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// Centres each column on its mean and divides it by its standard deviation, in place; the fit does not depend on units then.
    pub fn standardise(&mut self) -> Vec<Scale> {
        let width = self.width();
        for row in self.values.chunks_exact_mut(width) {
            for (value, scale) in row.iter_mut().zip(&self.scales) {
                *value = (*value - scale.mean) / scale.sd;
            }
        }
        self.scales.clone()
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    pub mean: f64,
    pub sd: f64,
}

/// Mean and standard deviation (over n) of each column of a matrix by rows, in two passes that take all columns of a row at once.
fn column_moments(values: &[f64], width: usize) -> Vec<Scale> {
    let n = (values.len() / width) as f64;
    let means: Vec<f64> = column_sums(values, width, |x, _| x).iter().map(|sum| sum / n).collect();
    let shifts = column_sums(values, width, |x, column| x - means[column]);
    let squares = column_sums(values, width, |x, column| (x - means[column]) * (x - means[column]));
    let scale = |column: usize| {
        let variance = (squares[column] - shifts[column] * shifts[column] / n) / n;
        Scale { mean: means[column] + shifts[column] / n, sd: variance.max(0.0).sqrt().max(f64::MIN_POSITIVE) }
    };
    (0..width).map(scale).collect()
}

/// Compensated as `numbers::sum` is.
fn column_sums(values: &[f64], width: usize, of: impl Fn(f64, usize) -> f64) -> Vec<f64> {
    let (mut totals, mut losses) = (vec![0.0; width], vec![0.0; width]);
    for row in values.chunks_exact(width) {
        for (column, ((total, lost), x)) in totals.iter_mut().zip(&mut losses).zip(row).enumerate() {
            let value = of(*x, column);
            let next = *total + value;
            let added = next - *total;
            *lost += (*total - (next - added)) + (value - added);
            *total = next;
        }
    }
    totals.iter().zip(losses).map(|(total, lost)| total + lost).collect()
}

fn constant_column(values: &[f64], width: usize) -> Option<usize> {
    let (first, others) = values.split_at(width);
    (0..width).find(|&column| others.iter().skip(column).step_by(width).all(|value| *value == first[column]))
}
