//! Symmetric linear systems in blocks: the normal equations of a least squares over neighbouring frames.
//!
//! Each frame has the same few unknowns, and equations couple only frames that are at most two apart. The number of
//! unknowns is a constant, so that the compiler unrolls and vectorises the loops over them: otherwise a solution takes
//! four times as many instructions.

/// The coefficients between the unknowns of two frames.
pub(crate) type Block<const UNKNOWNS: usize> = [[f64; UNKNOWNS]; UNKNOWNS];

/// The equations of the unknowns of one frame. Those with the frames before follow by symmetry.
#[derive(Clone, Debug)]
pub(crate) struct BlockRow<const UNKNOWNS: usize> {
    /// Between the unknowns of the frame; only the upper half is used.
    pub own: Block<UNKNOWNS>,
    /// With the next frame.
    pub next: Block<UNKNOWNS>,
    /// With the frame after the next.
    pub second: Block<UNKNOWNS>,
}

impl<const UNKNOWNS: usize> BlockRow<UNKNOWNS> {
    pub const ZERO: Self = {
        let zero = [[0.0; UNKNOWNS]; UNKNOWNS];
        Self { own: zero, next: zero, second: zero }
    };
}

/// Writes the products of all pairs of factors.
#[inline(always)]
pub(crate) fn set_products<const UNKNOWNS: usize>(
    block: &mut Block<UNKNOWNS>,
    left: &[f64; UNKNOWNS],
    right: &[f64; UNKNOWNS],
    weight: f64,
) {
    *block = left.map(|left| right.map(|right| weight * left * right));
}

/// Adds the products of all pairs of factors.
#[inline(always)]
pub(crate) fn add_products<const UNKNOWNS: usize>(
    block: &mut Block<UNKNOWNS>,
    left: &[f64; UNKNOWNS],
    right: &[f64; UNKNOWNS],
    weight: f64,
) {
    for (row, left) in block.iter_mut().zip(left) {
        add_scaled(row, right, weight * left);
    }
}

/// Solves a positive definite system by Cholesky factorisation. The right side becomes the solution, the rows their
/// factors.
pub(crate) fn solve<const UNKNOWNS: usize>(
    rows: &mut [BlockRow<UNKNOWNS>],
    right_side: &mut [[f64; UNKNOWNS]],
) {
    for n in 0..rows.len().min(right_side.len()) {
        eliminate(&mut rows[n..], &mut right_side[n..]);
    }
    for n in (0..rows.len().min(right_side.len())).rev() {
        substitute(&rows[n], &mut right_side[n..]);
    }
}

/// Eliminates the unknowns of the first frame from the equations of the next two. The diagonal is replaced by its inverse.
fn eliminate<const UNKNOWNS: usize>(rows: &mut [BlockRow<UNKNOWNS>], right_side: &mut [[f64; UNKNOWNS]]) {
    let ([row, rows @ ..], [right, right_sides @ ..]) = (rows, right_side) else { return };
    let mut inverses = [0.0; UNKNOWNS];
    for n in 0..UNKNOWNS {
        let (mut own, mut next, mut second) = (row.own[n], row.next[n], row.second[n]);
        let mut value = right[n];
        for k in 0..n {
            let factor = -inverses[k] * row.own[k][n];
            add_scaled(&mut own, &row.own[k], factor);
            add_scaled(&mut next, &row.next[k], factor);
            add_scaled(&mut second, &row.second[k], factor);
            value += factor * right[k];
        }
        inverses[n] = 1.0 / own[n];
        own[n] = inverses[n];
        (row.own[n], row.next[n], row.second[n], right[n]) = (own, next, second, value);
    }
    let scaled: [f64; UNKNOWNS] = core::array::from_fn(|n| inverses[n] * right[n]);
    if let ([next, ..], [next_right, ..]) = (&mut *rows, &mut *right_sides) {
        subtract_products(&mut next.own, &row.next, &row.next, &inverses);
        subtract_products(&mut next.next, &row.next, &row.second, &inverses);
        subtract_scaled_rows(next_right, &row.next, &scaled);
    }
    if let ([_, second, ..], [_, second_right, ..]) = (rows, right_sides) {
        subtract_products(&mut second.own, &row.second, &row.second, &inverses);
        subtract_scaled_rows(second_right, &row.second, &scaled);
    }
}

/// Subtracts the product of two blocks, `leftᵀ · diagonal · right`.
#[inline(always)]
fn subtract_products<const UNKNOWNS: usize>(
    block: &mut Block<UNKNOWNS>,
    left: &Block<UNKNOWNS>,
    right: &Block<UNKNOWNS>,
    diagonal: &[f64; UNKNOWNS],
) {
    let scaled: Block<UNKNOWNS> = core::array::from_fn(|k| left[k].map(|left| -diagonal[k] * left));
    for (n, row) in block.iter_mut().enumerate() {
        // A copy stays in registers.
        let mut sum = *row;
        for (scaled, right) in scaled.iter().zip(right) {
            add_scaled(&mut sum, right, scaled[n]);
        }
        *row = sum;
    }
}

/// Subtracts each row times its factor.
#[inline(always)]
fn subtract_scaled_rows<const UNKNOWNS: usize>(
    values: &mut [f64; UNKNOWNS],
    rows: &Block<UNKNOWNS>,
    factors: &[f64; UNKNOWNS],
) {
    let mut sum = *values;
    for (row, factor) in rows.iter().zip(factors) {
        add_scaled(&mut sum, row, -factor);
    }
    *values = sum;
}

/// Replaces the first right side by the solution; those of the next two frames are solved already.
fn substitute<const UNKNOWNS: usize>(row: &BlockRow<UNKNOWNS>, right_side: &mut [[f64; UNKNOWNS]]) {
    let [right, solved @ ..] = right_side else { return };
    let zero = [0.0; UNKNOWNS];
    let (next, second) = (solved.first().unwrap_or(&zero), solved.get(1).unwrap_or(&zero));
    for n in (0..UNKNOWNS).rev() {
        let products: [f64; UNKNOWNS] =
            core::array::from_fn(|k| row.next[n][k] * next[k] + row.second[n][k] * second[k]);
        let known: f64 = products.iter().sum();
        let own: f64 = (n + 1..UNKNOWNS).map(|k| row.own[n][k] * right[k]).sum();
        right[n] = (right[n] - known - own) * row.own[n][n];
    }
}

#[inline(always)]
fn add_scaled<const UNKNOWNS: usize>(values: &mut [f64; UNKNOWNS], other: &[f64; UNKNOWNS], factor: f64) {
    for (value, other) in values.iter_mut().zip(other) {
        *value += factor * other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each frame has two unknowns and one equation with the unknowns of the next two frames.
    #[test]
    fn the_solution_satisfies_the_normal_equations() {
        for frames in 1..8usize {
            let factor = |frame: usize, n: usize| ((frame * 7 + n * 3) % 11) as f64 - 4.5;
            let value = |frame: usize| (frame * frame % 13) as f64;
            let mut rows = vec![BlockRow::<2>::ZERO; frames];
            let mut right_side = vec![[0.0; 2]; frames];
            let factors = |frame: usize| [0, 1, 2].map(|ahead| [0, 1].map(|n| factor(frame, 2 * ahead + n)));
            for frame in 0..frames {
                let of = factors(frame);
                for ahead in 0..3.min(frames - frame) {
                    let row = &mut rows[frame + ahead];
                    add_products(&mut row.own, &of[ahead], &of[ahead], 1.0);
                    if ahead + 1 < 3 && frame + ahead + 1 < frames {
                        add_products(&mut row.next, &of[ahead], &of[ahead + 1], 1.0);
                    }
                    if ahead == 0 && frame + 2 < frames {
                        add_products(&mut row.second, &of[0], &of[2], 1.0);
                    }
                    add_scaled(&mut right_side[frame + ahead], &of[ahead], value(frame));
                }
                rows[frame].own[0][0] += 0.3;
                rows[frame].own[1][1] += 0.3;
            }
            solve(&mut rows, &mut right_side);
            // The gradient of the sum of squares vanishes.
            let mut gradient: Vec<[f64; 2]> = right_side.iter().map(|x| x.map(|x| 0.3 * x)).collect();
            for frame in 0..frames {
                let of = factors(frame);
                let aheads = 0..3.min(frames - frame);
                let dot = |ahead: usize| {
                    of[ahead][0] * right_side[frame + ahead][0] + of[ahead][1] * right_side[frame + ahead][1]
                };
                let left: f64 = aheads.clone().map(dot).sum();
                for ahead in aheads {
                    add_scaled(&mut gradient[frame + ahead], &of[ahead], left - value(frame));
                }
            }
            assert!(gradient.iter().flatten().all(|part| part.abs() < 1e-8), "{frames} frames: {gradient:?}");
        }
    }
}
