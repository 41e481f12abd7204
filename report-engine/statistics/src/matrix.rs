//! The small symmetric matrices of tests and models.
/// A symmetric matrix of which the lower triangle is kept, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Symmetric {
    size: usize,
    cells: Vec<f64>,
}

impl Symmetric {
    pub fn zeros(size: usize) -> Symmetric {
        Symmetric { size, cells: vec![0.0; size * (size + 1) / 2] }
    }

    pub fn size(&self) -> usize {
        self.size
    }

    pub fn get(&self, i: usize, j: usize) -> f64 {
        self.cells[place(i, j)]
    }

    pub fn add(&mut self, i: usize, j: usize, value: f64) {
        self.cells[place(i, j)] += value;
    }

    /// The lower triangle, row by row.
    pub fn cells(&self) -> &[f64] {
        &self.cells
    }

    pub fn cells_mut(&mut self) -> &mut [f64] {
        &mut self.cells
    }

    /// v'Mv
    pub fn quadratic(&self, v: &[f64]) -> f64 {
        (0..self.size).map(|i| v[i] * (0..self.size).map(|j| self.get(i, j) * v[j]).sum::<f64>()).sum()
    }
}

fn place(i: usize, j: usize) -> usize {
    let (row, column) = if i >= j { (i, j) } else { (j, i) };
    row * (row + 1) / 2 + column
}

/// The factor LDL' of a matrix that is not negative; rows whose pivot is nothing but rounding are left out, as a generalised inverse leaves
/// them.
pub struct Factor {
    size: usize,
    lower: Vec<f64>,
    pivots: Vec<f64>,
}

impl Factor {
    pub fn of(matrix: &Symmetric, tolerance: f64) -> Factor {
        let size = matrix.size;
        let mut lower = vec![0.0; size * size];
        let mut pivots = vec![0.0; size];
        for j in 0..size {
            let before: f64 = (0..j).map(|k| lower[j * size + k] * lower[j * size + k] * pivots[k]).sum();
            let pivot = matrix.get(j, j) - before;
            lower[j * size + j] = 1.0;
            if pivot.is_nan() || pivot <= tolerance * matrix.get(j, j) {
                continue;
            }
            pivots[j] = pivot;
            for i in j + 1..size {
                let before: f64 = (0..j).map(|k| lower[i * size + k] * lower[j * size + k] * pivots[k]).sum();
                lower[i * size + j] = (matrix.get(i, j) - before) / pivot;
            }
        }
        Factor { size, lower, pivots }
    }

    pub fn rank(&self) -> usize {
        self.pivots.iter().filter(|pivot| **pivot > 0.0).count()
    }

    /// The first row that is a combination of those before it.
    pub fn first_dependent(&self) -> Option<usize> {
        self.pivots.iter().position(|pivot| *pivot == 0.0)
    }

    /// The solution with zeros at the rows that are left out.
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let size = self.size;
        let mut x = right.to_vec();
        for i in 0..size {
            let before: f64 = (0..i).map(|k| if self.pivots[k] > 0.0 { self.lower[i * size + k] * x[k] } else { 0.0 }).sum();
            x[i] -= before;
        }
        for i in (0..size).rev() {
            if self.pivots[i] == 0.0 {
                x[i] = 0.0;
                continue;
            }
            let after: f64 = (i + 1..size).map(|k| self.lower[k * size + i] * x[k]).sum();
            x[i] = x[i] / self.pivots[i] - after;
        }
        x
    }

    pub fn inverse(&self) -> Symmetric {
        let mut inverse = Symmetric::zeros(self.size);
        for j in 0..self.size {
            let mut unit = vec![0.0; self.size];
            unit[j] = 1.0;
            let column = self.solve(&unit);
            for (i, value) in column.iter().enumerate().skip(j) {
                inverse.add(i, j, *value);
            }
        }
        inverse
    }
}

/// v'M⁻v with a generalised inverse, and the rank of M.
pub fn quadratic_of_inverse(matrix: &Symmetric, v: &[f64]) -> (f64, usize) {
    let factor = Factor::of(matrix, 1e-10);
    let statistic = factor.solve(v).iter().zip(v).map(|(a, b)| a * b).sum::<f64>();
    (statistic.max(0.0), factor.rank())
}
