//! Small dense linear algebra: Cholesky factorisation of symmetric matrices in row-major order.

use surefoot_core::math::sqrt;

/// Replaces the lower half of a symmetric matrix of `n` rows by its Cholesky factor.
///
/// The matrices here are sums of squares plus a positive diagonal, so a pivot of zero or less comes
/// from rounding and is replaced by a tiny positive number.
pub(super) fn factor(a: &mut [f64], n: usize) {
    for i in 0..n {
        for j in 0..=i {
            let dot: f64 = (0..j).map(|k| a[i * n + k] * a[j * n + k]).sum();
            let rest = a[i * n + j] - dot;
            a[i * n + j] = if i == j { sqrt(rest.max(1e-300)) } else { rest / a[j * n + j] };
        }
    }
}

/// Replaces `b` by the solution, given the factor.
pub(super) fn solve(l: &[f64], n: usize, b: &mut [f64]) {
    for i in 0..n {
        let dot: f64 = (0..i).map(|k| l[i * n + k] * b[k]).sum();
        b[i] = (b[i] - dot) / l[i * n + i];
    }
    for i in (0..n).rev() {
        let dot: f64 = (i + 1..n).map(|k| l[k * n + i] * b[k]).sum();
        b[i] = (b[i] - dot) / l[i * n + i];
    }
}

/// Adds a multiple of one row to another.
pub(super) fn add_times(to: &mut [f64], times: f64, row: &[f64]) {
    to.iter_mut().zip(row).for_each(|(to, row)| *to += times * row);
}

/// A symmetric matrix times a vector, row by row so that the compiler can vectorise it.
pub(super) fn times(matrix: &[f64], v: &[f64]) -> Vec<f64> {
    let mut product = vec![0.0; v.len()];
    for (row, &v) in matrix.chunks_exact(v.len().max(1)).zip(v) {
        add_times(&mut product, v, row);
    }
    product
}

/// The dot product.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solution_satisfies_the_system() {
        let a = [4.0, 1.0, 0.5, 1.0, 3.0, -1.0, 0.5, -1.0, 5.0];
        let (mut l, mut x) = (a, [1.0, 2.0, 3.0]);
        factor(&mut l, 3);
        solve(&l, 3, &mut x);
        for row in 0..3 {
            let product = dot(&a[3 * row..3 * row + 3], &x);
            assert!((product - [1.0, 2.0, 3.0][row]).abs() < 1e-14);
        }
    }
}
