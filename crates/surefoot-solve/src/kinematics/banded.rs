//! Symmetric banded linear systems: the normal equations of a least squares over neighbouring frames.

/// A symmetric positive definite system whose equations couple only unknowns less than `band` apart.
///
/// The buffers are allocated once and reused for every system up to their size.
#[derive(Clone, Debug, Default)]
pub(crate) struct BandedSystem {
    /// Upper half of the matrix by rows of `band` entries, each from its diagonal on.
    matrix: Vec<f64>,
    right_side: Vec<f64>,
    band: usize,
    unknowns: usize,
}

/// A coefficient of an equation: the number of its unknown and its factor.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Coefficient {
    pub unknown: usize,
    pub factor: f64,
}

impl BandedSystem {
    /// Room for systems of up to `unknowns` unknowns.
    pub fn new(unknowns: usize, band: usize) -> Self {
        // Elimination of the last unknowns reaches beyond the end of the matrix, where it changes nothing that is used.
        let rows = unknowns + band;
        Self { matrix: vec![0.0; rows * band], right_side: vec![0.0; rows], band, unknowns }
    }

    /// Starts a new system of `unknowns` unknowns.
    pub fn clear(&mut self, unknowns: usize) {
        self.unknowns = unknowns;
        let rows = unknowns + self.band;
        self.matrix[..rows * self.band].fill(0.0);
        self.right_side[..rows].fill(0.0);
    }

    /// Adds `weight · (Σ factor · unknown − value)²` to the sum of squares. Coefficients are in the order of their
    /// unknowns.
    #[inline(always)]
    pub fn add(&mut self, coefficients: &[Coefficient], value: f64, weight: f64) {
        for (n, row) in coefficients.iter().enumerate() {
            let factor = weight * row.factor;
            self.right_side[row.unknown] += factor * value;
            let entries = &mut self.matrix[row.unknown * self.band..][..self.band];
            for column in &coefficients[n..] {
                entries[column.unknown - row.unknown] += factor * column.factor;
            }
        }
    }

    /// Like [`add`](Self::add), for coefficients of consecutive unknowns from `first` on, as many as the band
    /// is wide.
    #[inline(always)]
    pub fn add_dense(&mut self, first: usize, factors: &[f64], value: f64, weight: f64) {
        let right_side = &mut self.right_side[first..][..factors.len()];
        for (side, factor) in right_side.iter_mut().zip(factors) {
            *side += weight * factor * value;
        }
        let rows = &mut self.matrix[first * self.band..];
        match (factors.as_array::<TWO_LEGS>(), rows.as_chunks_mut::<TWO_LEGS>().0.first_chunk_mut()) {
            (Some(factors), Some(rows)) if UNROLLED && self.band == TWO_LEGS => {
                add_squares(rows, factors, weight)
            }
            _ => {
                for (n, row) in rows.chunks_exact_mut(self.band).take(factors.len()).enumerate() {
                    let factor = weight * factors[n];
                    for (entry, other) in row.iter_mut().zip(&factors[n..]) {
                        *entry += factor * other;
                    }
                }
            }
        }
    }

    /// Adds `weight · unknown²` to the sum of squares.
    #[inline(always)]
    pub fn add_diagonal(&mut self, unknown: usize, weight: f64) {
        self.matrix[unknown * self.band] += weight;
    }

    /// Solves the system by Cholesky factorisation: the unknowns that minimise the sum of squares. An unknown that no
    /// equation contains becomes 0.
    pub fn solve(&mut self) -> &[f64] {
        let rows = self.unknowns + self.band;
        let (matrix, right_side) = (&mut self.matrix[..rows * self.band], &mut self.right_side[..rows]);
        match self.band {
            TWO_LEGS if UNROLLED => eliminate_two_legs(matrix.as_chunks_mut().0, right_side),
            band => eliminate(matrix, right_side, band),
        }
        substitute(matrix, right_side, self.band);
        &self.right_side[..self.unknowns]
    }
}

/// Band of the system of two legs: three frames with four unknowns of the pelvis and one of each leg.
const TWO_LEGS: usize = 18;

/// Whether the loops of two legs are unrolled. A WebAssembly module is smaller without, and cleans one motion at a time.
const UNROLLED: bool = cfg!(not(target_arch = "wasm32"));

/// Repeats a statement with a constant for each number, so that the compiler knows the length of every row and
/// vectorises it: a loop over rows of 1 to 18 entries takes four times as many instructions.
macro_rules! for_each_constant {
    ($name:ident in [$($number:literal)*] $body:block) => { $({ const $name: usize = $number; $body })* };
}

/// Adds the products of all pairs of factors to the upper half of a matrix.
#[inline(always)]
fn add_squares(rows: &mut [[f64; TWO_LEGS]; TWO_LEGS], factors: &[f64; TWO_LEGS], weight: f64) {
    for_each_constant!(ROW in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17] {
        let factor = weight * factors[ROW];
        for n in 0..TWO_LEGS - ROW {
            rows[ROW][n] += factor * factors[ROW + n];
        }
    });
}

/// Eliminates each unknown from the equations after it. The inverse of the diagonal is stored; 0 leaves out an unknown that
/// no equation contains.
fn eliminate(matrix: &mut [f64], right_side: &mut [f64], band: usize) {
    for unknown in 0..right_side.len() - band {
        let (done, below) = matrix.split_at_mut((unknown + 1) * band);
        let row = &mut done[unknown * band..][..band];
        row[0] = if row[0] > 0.0 { 1.0 / row[0] } else { 0.0 };
        let value = right_side[unknown];
        for (ahead, lower) in (1..band).zip(below.chunks_exact_mut(band)) {
            let factor = row[ahead] * row[0];
            right_side[unknown + ahead] -= factor * value;
            for (entry, above) in lower.iter_mut().zip(&row[ahead..]) {
                *entry -= factor * above;
            }
        }
    }
}

/// Like [`eliminate`], with the constant band of two legs.
fn eliminate_two_legs(rows: &mut [[f64; TWO_LEGS]], right_side: &mut [f64]) {
    for unknown in 0..right_side.len() - TWO_LEGS {
        let (Some(rows), Some(right_side)) = (
            rows[unknown..].first_chunk_mut::<TWO_LEGS>(),
            right_side[unknown..].first_chunk_mut::<TWO_LEGS>(),
        ) else {
            return;
        };
        let mut row = rows[0];
        row[0] = if row[0] > 0.0 { 1.0 / row[0] } else { 0.0 };
        rows[0][0] = row[0];
        let value = right_side[0];
        for_each_constant!(AHEAD in [1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17] {
            let factor = row[AHEAD] * row[0];
            right_side[AHEAD] -= factor * value;
            for n in 0..TWO_LEGS - AHEAD {
                rows[AHEAD][n] -= factor * row[AHEAD + n];
            }
        });
    }
}

/// Replaces the right side by the solution, from the last unknown to the first.
fn substitute(matrix: &[f64], right_side: &mut [f64], band: usize) {
    for unknown in (0..right_side.len() - band).rev() {
        let row = &matrix[unknown * band..][..band];
        let known: f64 =
            row[1..].iter().zip(&right_side[unknown + 1..]).map(|(entry, value)| entry * value).sum();
        right_side[unknown] = (right_side[unknown] - known) * row[0];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solution_satisfies_the_normal_equations() {
        let (unknowns, band) = (20, 5);
        let mut system = BandedSystem::new(unknowns, band);
        let factor = |row: usize, n: usize| ((row * 7 + n * 3) % 11) as f64 - 4.5;
        let value = |row: usize| (row * row % 13) as f64;
        let equation = |row: usize| -> Vec<Coefficient> {
            (0..band.min(unknowns - row))
                .map(|n| Coefficient { unknown: row + n, factor: factor(row, n) })
                .collect()
        };
        for _ in 0..2 {
            system.clear(unknowns);
            for row in 0..unknowns {
                system.add(&equation(row), value(row), 1.0 + row as f64);
                system.add_diagonal(row, 0.3);
            }
            let solution = system.solve().to_vec();
            // The gradient of the sum of squares vanishes.
            let mut gradient: Vec<f64> = solution.iter().map(|value| 0.3 * value).collect();
            for row in 0..unknowns {
                let left: f64 = equation(row).iter().map(|part| part.factor * solution[part.unknown]).sum();
                for part in equation(row) {
                    gradient[part.unknown] += (1.0 + row as f64) * part.factor * (left - value(row));
                }
            }
            assert!(gradient.iter().all(|part| part.abs() < 1e-8), "{gradient:?}");
        }
    }

    #[test]
    fn an_unknown_in_no_equation_is_zero() {
        let mut system = BandedSystem::new(3, 2);
        system.clear(3);
        system.add(&[Coefficient { unknown: 1, factor: 2.0 }], 3.0, 1.0);
        assert_eq!(system.solve(), [0.0, 1.5, 0.0]);
    }
}
