//! A symmetric positive definite matrix of bandwidth 3, factored in linear time.

use core::ops::{Mul, Sub};
use surefoot_core::math::sqrt;

/// Bandwidth: the number of entries left of the diagonal. Two neighbouring knots share four unknowns.
const BAND: usize = 3;

/// The matrix, stored as the entries left of the diagonal, nearest last, and the diagonal.
#[derive(Clone, Debug, Default)]
pub(super) struct Banded {
    rows: Vec<[f64; BAND + 1]>,
}

impl Banded {
    /// A zero matrix of `n` rows.
    pub fn new(n: usize) -> Self {
        Self { rows: vec![[0.0; BAND + 1]; n] }
    }

    /// Adds to an entry and its mirror image. `row` and `column` must be within the band.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        if column <= row {
            self.rows[row][BAND - (row - column)] += value;
        }
    }

    /// Replaces the matrix by its Cholesky factor.
    pub fn factor(&mut self) {
        for i in 0..self.rows.len() {
            for j in i.saturating_sub(BAND)..=i {
                let mut rest = self.rows[i][BAND - (i - j)];
                for k in i.saturating_sub(BAND).max(j.saturating_sub(BAND))..j {
                    rest -= self.rows[i][BAND - (i - k)] * self.rows[j][BAND - (j - k)];
                }
                // The diagonal is stored inverted, which is what `solve` needs.
                let entry = if i == j { 1.0 / sqrt(rest.max(1e-300)) } else { rest * self.rows[j][BAND] };
                self.rows[i][BAND - (i - j)] = entry;
            }
        }
    }

    /// Replaces `b`, of numbers or vectors, by the solution. The matrix must be factored.
    pub fn solve<T>(&self, b: &mut [T])
    where
        T: Copy + Sub<Output = T> + Mul<f64, Output = T>,
    {
        let n = self.rows.len();
        for i in 0..n {
            for k in i.saturating_sub(BAND)..i {
                b[i] = b[i] - b[k] * self.rows[i][BAND - (i - k)];
            }
            b[i] = b[i] * self.rows[i][BAND];
        }
        for i in (0..n).rev() {
            for k in i + 1..n.min(i + BAND + 1) {
                b[i] = b[i] - b[k] * self.rows[k][BAND - (k - i)];
            }
            b[i] = b[i] * self.rows[i][BAND];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solution_satisfies_the_system() {
        let n = 9;
        let entry = |i: usize, j: usize| match i.abs_diff(j) {
            0 => 6.0 + i as f64,
            1 => -1.5,
            2 => 0.7,
            3 => 0.3,
            _ => 0.0,
        };
        let mut matrix = Banded::new(n);
        for i in 0..n {
            for j in i.saturating_sub(BAND)..=i {
                matrix.add(i, j, entry(i, j));
            }
        }
        matrix.factor();
        let mut x: Vec<f64> = (0..n).map(|i| i as f64 - 3.0).collect();
        matrix.solve(&mut x);
        for i in 0..n {
            let product: f64 = (0..n).map(|j| entry(i, j) * x[j]).sum();
            assert!((product - (i as f64 - 3.0)).abs() < 1e-13);
        }
    }
}
