//! Covariates of a model and the columns that they become.
use crate::column::{Factor, Numeric};
use crate::error::{Error, Result};
use crate::numbers::moments;

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
    pub dropped: Vec<DroppedLevel>,
}

/// A piece of a term: a number, or whether a level is met.
#[derive(Clone, Copy)]
enum Piece<'a> {
    Number(Numeric<'a>),
    Level(Factor<'a>, usize),
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
                pieces.push((format!("{}: {label}", factor.name), Piece::Level(factor, level)));
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
    fn value(&self, row: usize) -> Result<f64> {
        Ok(match self {
            Piece::Number(numeric) => numeric.at(row)?.unwrap_or(0.0),
            Piece::Level(factor, level) => f64::from(u8::from(factor.at(row)? == Some(*level))),
        })
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
            for pieces in &products {
                let mut product = 1.0;
                for piece in pieces {
                    product *= piece.value(row)?;
                }
                values.push(product);
            }
        }
        let design = Design { columns, rows, values, dropped };
        design.check_spread()?;
        Ok(design)
    }

    pub fn width(&self) -> usize {
        self.columns.len()
    }

    fn check_spread(&self) -> Result<()> {
        for (column, described) in self.columns.iter().enumerate() {
            let first = self.values.get(column).copied().unwrap_or(0.0);
            if self.column(column).all(|value| value == first) {
                return Err(Error::constant(&described.name));
            }
        }
        Ok(())
    }

    pub fn column(&self, column: usize) -> impl Iterator<Item = f64> + '_ {
        self.values.iter().skip(column).step_by(self.width().max(1)).copied()
    }

    /// Centres each column on its mean and divides it by its standard deviation, in place; the fit does not depend on units then.
    pub fn standardise(&mut self) -> Vec<Scale> {
        let n = self.rows.len() as f64;
        let width = self.width();
        let scales: Vec<Scale> = (0..width)
            .map(|column| {
                let (mean, squares) = moments(&self.column(column).collect::<Vec<f64>>());
                Scale { mean, sd: (squares / n).sqrt().max(f64::MIN_POSITIVE) }
            })
            .collect();
        for row in self.values.chunks_mut(width.max(1)) {
            for (value, scale) in row.iter_mut().zip(&scales) {
                *value = (*value - scale.mean) / scale.sd;
            }
        }
        scales
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    pub mean: f64,
    pub sd: f64,
}
