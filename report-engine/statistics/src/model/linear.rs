//! Linear regression by least squares.
use crate::column::Numeric;
use crate::distribution::{t_quantile, t_two_sided};
use crate::error::{Error, Result};
use crate::estimate::{Interval, IntervalMethod, Level};
use crate::matrix::Symmetric;
use crate::model::design::{Design, Term};
use crate::model::fit::{Coefficient, Covariance, Wald, Warning};
use crate::model::logistic::unscaled;
use crate::numbers::{is_constant, moments, sum};
use crate::test_result::{Rows, Test, TestResult};
use nalgebra::{DMatrix, DVector};

#[derive(Clone, Copy, Debug)]
pub struct LinearModel<'a> {
    pub outcome: Numeric<'a>,
    pub terms: &'a [Term<'a>],
    pub level: Level,
}

/// `coefficients` are without the intercept; `covariance` has the intercept first. Without any residual there is nothing to test with:
/// intervals and tests are `None` then, and [`Warning::PerfectFit`] says so.
#[derive(Clone, Debug)]
pub struct LinearFit {
    pub n: usize,
    pub missing: usize,
    pub intercept_value: f64,
    pub values: Vec<f64>,
    pub intercept: Option<Wald>,
    pub coefficients: Vec<Coefficient>,
    pub covariance: Covariance,
    pub residual_sd: f64,
    pub residual_df: f64,
    pub r_squared: f64,
    pub adjusted_r_squared: f64,
    pub test: Option<TestResult>,
    pub warnings: Vec<Warning>,
}

/// Householder's QR on standardised columns. Rows with anything missing are left out. A constant outcome is [`Error::Constant`], a
/// covariate that others tell [`Error::Collinear`]; more rows than coefficients are needed.
pub fn linear(model: &LinearModel) -> Result<LinearFit> {
    let outcome = model.outcome;
    if model.terms.is_empty() {
        return Err(Error::too_few("covariates", 0, 1));
    }
    let mut known = Vec::with_capacity(outcome.values.len());
    for row in 0..outcome.values.len() {
        known.extend(outcome.at(row)?.map(|_| row));
    }
    let mut design = Design::of(model.terms, known.into_iter(), outcome.values.len())?;
    let y: Vec<f64> = design.rows.iter().filter_map(|&row| outcome.values[row]).collect();
    let (n, width) = (y.len(), design.width());
    if n < width + 2 {
        return Err(Error::too_few(outcome.name, n, width + 2));
    }
    if is_constant(&y) {
        return Err(Error::constant(outcome.name));
    }
    let scales = design.standardise();
    let (mean, total) = moments(&y);
    let centred: Vec<f64> = y.iter().map(|y| y - mean).collect();
    let (slopes, inverse) = solve(&design, &centred)?;
    let fitted = |x: &[f64]| sum(x.iter().zip(&slopes).map(|(x, b)| x * b));
    let residual = sum(design.values.chunks_exact(width).zip(&centred).map(|(x, y)| (y - fitted(x)).powi(2)));
    let df = (n - width - 1) as f64;
    let variance = residual / df;

    let mut scaled = Symmetric::zeros(width + 1);
    scaled.add(0, 0, variance / n as f64);
    for i in 0..width {
        for j in 0..=i {
            scaled.add(i + 1, j + 1, variance * inverse[(i, j)]);
        }
    }
    let standardised: Vec<f64> = [mean].into_iter().chain(slopes.iter().copied()).collect();
    let (beta, covariance) = unscaled(&standardised, &scaled, &scales);
    let perfect = residual <= 1e-24 * total;
    let t = t_quantile(1.0 - model.level.tail(), df);
    let of = |i: usize| (!perfect).then(|| wald(beta[i], covariance.get(i, i).sqrt(), t, df, model.level));
    let rows = Rows { n, missing: outcome.values.len() - n };
    let f = (total - residual) / width as f64 / variance;
    let empty = design.dropped.iter().cloned().map(Warning::EmptyLevel);
    Ok(LinearFit {
        n,
        missing: rows.missing,
        intercept_value: beta[0],
        values: beta[1..].to_vec(),
        intercept: of(0),
        coefficients: design
            .columns
            .iter()
            .enumerate()
            .map(|(i, column)| Coefficient { column: column.clone(), wald: of(i + 1) })
            .collect(),
        residual_sd: variance.sqrt(),
        residual_df: df,
        r_squared: 1.0 - residual / total,
        adjusted_r_squared: 1.0 - variance / (total / (n as f64 - 1.0)),
        test: (!perfect).then(|| TestResult::of_f(Test::ModelF, f, (width as f64, df), rows)),
        warnings: perfect.then_some(Warning::PerfectFit).into_iter().chain(empty).collect(),
        covariance,
    })
}

fn wald(beta: f64, se: f64, t: f64, df: f64, level: Level) -> Wald {
    let interval = Interval::around(beta, t * se, level, IntervalMethod::StudentT);
    Wald { beta, se, interval, statistic: beta / se, p: t_two_sided(beta / se, df) }
}

/// Slopes and the inverse of X'X.
fn solve(design: &Design, y: &[f64]) -> Result<(Vec<f64>, DMatrix<f64>)> {
    let width = design.width();
    let qr = DMatrix::from_row_slice(y.len(), width, &design.values).qr();
    let r = qr.r();
    let size = (y.len() as f64).sqrt();
    if let Some(column) = (0..width).find(|&i| r[(i, i)].abs() <= 1e-11 * size) {
        return Err(Error::Collinear { covariate: design.columns[column].name.clone() });
    }
    let mut projected = DVector::from_column_slice(y);
    qr.q_tr_mul(&mut projected);
    let slopes = projected.rows(0, width).into_owned();
    let not_solved = || Error::Collinear { covariate: design.columns[0].name.clone() };
    let slopes = r.solve_upper_triangular(&slopes).ok_or_else(not_solved)?;
    let inverse = r.solve_upper_triangular(&DMatrix::identity(width, width)).ok_or_else(not_solved)?;
    Ok((slopes.as_slice().to_vec(), &inverse * inverse.transpose()))
}
