//! Columns of data: names with slices in which `None` is missing. Rows with a missing value are left out and counted.
use crate::error::{Error, Result};

/// A measurement.
#[derive(Clone, Copy, Debug)]
pub struct Numeric<'a> {
    pub name: &'a str,
    pub values: &'a [Option<f64>],
}

/// A yes or no.
#[derive(Clone, Copy, Debug)]
pub struct Binary<'a> {
    pub name: &'a str,
    pub values: &'a [Option<bool>],
}

/// A category. `codes` are positions in `levels`.
#[derive(Clone, Copy, Debug)]
pub struct Factor<'a> {
    pub name: &'a str,
    pub levels: &'a [&'a str],
    pub codes: &'a [Option<u32>],
}

/// The values that are there, in the order of their rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Complete {
    pub values: Vec<f64>,
    pub missing: usize,
}

/// The values of each level, empty ones included. A row is missing when its value or its level is.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupedColumn {
    pub groups: Vec<Vec<f64>>,
    pub missing: usize,
}

/// Rows in which both values are there.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairs {
    pub first: Vec<f64>,
    pub second: Vec<f64>,
    pub missing: usize,
}

impl Numeric<'_> {
    #[inline]
    pub(crate) fn at(&self, row: usize) -> Result<Option<f64>> {
        match self.values[row] {
            Some(value) if !is_computable(value) => Err(self.not_finite(row)),
            value => Ok(value),
        }
    }

    #[cold]
    fn not_finite(&self, row: usize) -> Error {
        Error::NotFinite { variable: self.name.into(), row }
    }

    pub(crate) fn expect_rows(&self, expected: usize) -> Result<()> {
        expect_rows(self.name, self.values.len(), expected)
    }

    /// The values that are there. Infinite, NaN and sizes beyond 1e±60 are refused: they are mistakes of the caller, not missing.
    pub fn complete(&self) -> Result<Complete> {
        let mut values = Vec::with_capacity(self.values.len());
        for row in 0..self.values.len() {
            values.extend(self.at(row)?);
        }
        Ok(Complete { missing: self.values.len() - values.len(), values })
    }

    pub fn by(&self, factor: Factor) -> Result<GroupedColumn> {
        factor.expect_rows(self.values.len())?;
        let mut groups = vec![Vec::new(); factor.levels.len()];
        let mut missing = 0;
        for row in 0..self.values.len() {
            match (self.at(row)?, factor.at(row)?) {
                (Some(value), Some(level)) => groups[level].push(value),
                _ => missing += 1,
            }
        }
        Ok(GroupedColumn { groups, missing })
    }

    pub fn with(&self, other: Numeric) -> Result<Pairs> {
        other.expect_rows(self.values.len())?;
        let mut pairs = Pairs { first: Vec::new(), second: Vec::new(), missing: 0 };
        for row in 0..self.values.len() {
            match (self.at(row)?, other.at(row)?) {
                (Some(a), Some(b)) => {
                    pairs.first.push(a);
                    pairs.second.push(b);
                }
                _ => pairs.missing += 1,
            }
        }
        Ok(pairs)
    }
}

impl Binary<'_> {
    pub(crate) fn expect_rows(&self, expected: usize) -> Result<()> {
        expect_rows(self.name, self.values.len(), expected)
    }
}

impl Factor<'_> {
    #[inline]
    pub(crate) fn at(&self, row: usize) -> Result<Option<usize>> {
        match self.codes[row] {
            Some(code) if code as usize >= self.levels.len() => Err(self.unknown_level(row)),
            code => Ok(code.map(|code| code as usize)),
        }
    }

    #[cold]
    fn unknown_level(&self, row: usize) -> Error {
        Error::UnknownLevel { variable: self.name.into(), row }
    }

    pub(crate) fn expect_rows(&self, expected: usize) -> Result<()> {
        expect_rows(self.name, self.codes.len(), expected)
    }
}

impl GroupedColumn {
    pub(crate) fn n(&self) -> usize {
        self.groups.iter().map(Vec::len).sum()
    }

    /// The two groups that have values.
    pub(crate) fn two(&self, variable: &str) -> Result<[&[f64]; 2]> {
        let filled = self.filled();
        match filled[..] {
            [a, b] => Ok([a, b]),
            _ => Err(Error::two_groups(variable, filled.len())),
        }
    }

    /// The groups that have values, at least two.
    pub(crate) fn several(&self, variable: &str) -> Result<Vec<&[f64]>> {
        let filled = self.filled();
        if filled.len() < 2 { Err(Error::more_groups(variable, filled.len())) } else { Ok(filled) }
    }

    fn filled(&self) -> Vec<&[f64]> {
        self.groups.iter().filter(|group| !group.is_empty()).map(Vec::as_slice).collect()
    }
}

/// Fourth powers of greater numbers, or of differences of smaller ones, leave what a float holds.
fn is_computable(value: f64) -> bool {
    value == 0.0 || (1e-60..=1e60).contains(&value.abs())
}

pub(crate) fn expect_rows(variable: &str, rows: usize, expected: usize) -> Result<()> {
    if rows == expected { Ok(()) } else { Err(Error::LengthsDiffer { variable: variable.into(), rows, expected }) }
}
