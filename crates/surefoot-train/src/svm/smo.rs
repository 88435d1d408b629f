//! The binary support vector machine: sequential minimal optimisation.
//!
//! Solves the dual: minimise `½ αᵀQα − Σα` with `Q = y·yᵀ·K`, `yᵀα = 0` and `0 ≤ α ≤ C`. Each step moves
//! the two multipliers that promise the largest decrease to second order (Fan, Chen and Lin 2005), as
//! LIBSVM does. The kernel matrix is computed before and shared by all pairs of classes. Only sums,
//! products and quotients are used here, so the result has the same bits on every machine.

/// The kernels between all examples.
pub(super) struct KernelMatrix {
    count: usize,
    values: Vec<f32>,
}

impl KernelMatrix {
    /// `fill_row` writes the row of an example.
    pub fn new(count: usize, mut fill_row: impl FnMut(usize, &mut Vec<f32>)) -> Self {
        let mut values = Vec::with_capacity(count * count);
        let mut row = Vec::new();
        for index in 0..count {
            fill_row(index, &mut row);
            values.extend(&row);
        }
        Self { count, values }
    }

    fn row(&self, index: usize) -> &[f32] {
        &self.values[index * self.count..(index + 1) * self.count]
    }
}

/// A decision boundary: `Σ weight · kernel − offset` is positive for the first class.
pub(super) struct Boundary {
    /// The signed multiplier of each example, those of the first class first.
    pub weights: Vec<f64>,
    pub offset: f64,
}

/// The solution is found when no pair of multipliers violates the optimality conditions by more than this.
const TOLERANCE: f64 = 1e-3;
/// Smallest curvature along a step, for the degenerate case of two equal examples.
const MIN_CURVATURE: f64 = 1e-12;
/// Steps per example after which the solver stops before convergence: ten times the most that any data needed.
const MAX_STEPS: usize = 1_000;

/// Finds the boundary between two classes, given by the indices of their examples.
pub(super) fn separate(kernels: &KernelMatrix, first: &[usize], second: &[usize], cost: f64) -> Boundary {
    let mut problem = Problem::new(kernels, first, second, cost);
    for _ in 0..MAX_STEPS * problem.examples.len() {
        let Some((one, other)) = problem.working_pair() else { break };
        problem.step(one, other);
    }
    let signed = problem.multipliers.iter().zip(&problem.signs).map(|(multiplier, sign)| multiplier * sign);
    Boundary { weights: signed.collect(), offset: problem.offset() }
}

/// The dual problem and its current solution. All lists are by example of the two classes.
struct Problem<'a> {
    kernels: &'a KernelMatrix,
    /// Indices in the kernel matrix.
    examples: Vec<usize>,
    /// 1 for the first class, -1 for the second.
    signs: Vec<f64>,
    /// The kernel of each example with itself.
    diagonal: Vec<f64>,
    multipliers: Vec<f64>,
    /// The gradient of the dual.
    gradient: Vec<f64>,
    cost: f64,
}

impl<'a> Problem<'a> {
    fn new(kernels: &'a KernelMatrix, first: &[usize], second: &[usize], cost: f64) -> Self {
        let examples: Vec<usize> = first.iter().chain(second).copied().collect();
        let sign = |at: usize| if at < first.len() { 1.0 } else { -1.0 };
        Self {
            kernels,
            signs: (0..examples.len()).map(sign).collect(),
            diagonal: examples.iter().map(|&index| f64::from(kernels.row(index)[index])).collect(),
            multipliers: vec![0.0; examples.len()],
            gradient: vec![-1.0; examples.len()],
            examples,
            cost,
        }
    }

    /// Whether the signed multiplier of an example can grow.
    fn can_grow(&self, at: usize) -> bool {
        let multiplier = self.multipliers[at];
        if self.signs[at] > 0.0 { multiplier < self.cost } else { multiplier > 0.0 }
    }

    /// Whether the signed multiplier of an example can shrink.
    fn can_shrink(&self, at: usize) -> bool {
        let multiplier = self.multipliers[at];
        if self.signs[at] > 0.0 { multiplier > 0.0 } else { multiplier < self.cost }
    }

    /// How much the dual decreases per unit that the signed multiplier grows.
    fn descent(&self, at: usize) -> f64 {
        -self.signs[at] * self.gradient[at]
    }

    /// The second derivative of the dual along a step of two multipliers.
    fn curvature(&self, one: usize, other: usize) -> f64 {
        let kernel = f64::from(self.kernels.row(self.examples[one])[self.examples[other]]);
        (self.diagonal[one] + self.diagonal[other] - 2.0 * kernel).max(MIN_CURVATURE)
    }

    /// The two multipliers to move; `None` at the solution.
    fn working_pair(&self) -> Option<(usize, usize)> {
        let mut one = None;
        let mut steepest = f64::NEG_INFINITY;
        for at in 0..self.examples.len() {
            let descent = self.descent(at);
            if descent > steepest && self.can_grow(at) {
                (one, steepest) = (Some(at), descent);
            }
        }
        let one = one?;
        let (mut other, mut best_decrease) = (None, 0.0);
        let mut least = f64::INFINITY;
        for at in (0..self.examples.len()).filter(|&at| self.can_shrink(at)) {
            let descent = self.descent(at);
            least = least.min(descent);
            let difference = steepest - descent;
            if difference <= 0.0 {
                continue;
            }
            let decrease = difference * difference / self.curvature(one, at);
            if decrease > best_decrease {
                (other, best_decrease) = (Some(at), decrease);
            }
        }
        if steepest - least < TOLERANCE { None } else { other.map(|other| (one, other)) }
    }

    /// Moves two multipliers to the minimum along their line, within their bounds, and updates the gradient.
    fn step(&mut self, one: usize, other: usize) {
        let before = (self.multipliers[one], self.multipliers[other]);
        self.move_pair(one, other);
        let change_one = self.signs[one] * (self.multipliers[one] - before.0);
        let change_other = self.signs[other] * (self.multipliers[other] - before.1);
        let (one_row, other_row) =
            (self.kernels.row(self.examples[one]), self.kernels.row(self.examples[other]));
        for (at, gradient) in self.gradient.iter_mut().enumerate() {
            let index = self.examples[at];
            let change = f64::from(one_row[index]) * change_one + f64::from(other_row[index]) * change_other;
            *gradient += self.signs[at] * change;
        }
    }

    fn move_pair(&mut self, one: usize, other: usize) {
        // y₁·α₁ + y₂·α₂ is constant along the line; t is the growth of y₁·α₁.
        let cost = self.cost;
        let unbounded = (self.descent(one) - self.descent(other)) / self.curvature(one, other);
        let room = |sign: f64, multiplier: f64| if sign > 0.0 { cost - multiplier } else { multiplier };
        let room_one = room(self.signs[one], self.multipliers[one]);
        let room_other = room(-self.signs[other], self.multipliers[other]);
        let t = unbounded.min(room_one).min(room_other);
        // A multiplier that reaches its bound is set to it exactly, because bounds are compared with `<`.
        let moved = |sign: f64, multiplier: f64, at_bound: bool| match (at_bound, sign > 0.0) {
            (true, true) => cost,
            (true, false) => 0.0,
            (false, _) => (multiplier + sign * t).clamp(0.0, cost),
        };
        self.multipliers[one] = moved(self.signs[one], self.multipliers[one], t >= room_one);
        self.multipliers[other] = moved(-self.signs[other], self.multipliers[other], t >= room_other);
    }

    /// The offset: the mean over the free multipliers, else the middle of its bounds.
    fn offset(&self) -> f64 {
        let (mut sum, mut free) = (0.0, 0);
        let (mut above, mut below) = (f64::INFINITY, f64::NEG_INFINITY);
        for at in 0..self.examples.len() {
            let value = self.signs[at] * self.gradient[at];
            if self.multipliers[at] > 0.0 && self.multipliers[at] < self.cost {
                sum += value;
                free += 1;
            } else if self.can_shrink(at) {
                below = below.max(value);
            } else {
                above = above.min(value);
            }
        }
        match free {
            0 if above.is_finite() && below.is_finite() => (above + below) / 2.0,
            0 => 0.0,
            _ => sum / f64::from(free),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use libsvm_rs::predict::predict_values;
    use libsvm_rs::train::svm_train;
    use libsvm_rs::{KernelType, SvmNode, SvmParameterBuilder, SvmProblem, SvmType};
    use surefoot_core::math::exp;
    use surefoot_sample::Random;

    /// Two overlapping clouds in four dimensions.
    fn clouds(count: usize) -> Vec<[f64; 4]> {
        let mut random = Random::new(7, 0);
        let one = |at: usize| {
            let aside = if at < count / 2 { 0.0 } else { 0.6 };
            core::array::from_fn(|_| random.between(-1.0, 1.0) + aside)
        };
        (0..count).map(one).collect()
    }

    fn kernel(one: &[f64; 4], other: &[f64; 4]) -> f64 {
        let square: f64 = one.iter().zip(other).map(|(a, b)| (a - b) * (a - b)).sum();
        exp(-0.5 * square)
    }

    fn nodes(one: &[f64; 4]) -> Vec<SvmNode> {
        one.iter().zip(1..).map(|(&value, index)| SvmNode { index, value }).collect()
    }

    #[test]
    fn boundaries_equal_those_of_libsvm() {
        for (count, cost) in [(40, 1.0), (120, 10.0), (200, 100.0)] {
            let all = clouds(count);
            let kernels = KernelMatrix::new(count, |one, row| {
                row.clear();
                row.extend(all.iter().map(|other| kernel(&all[one], other) as f32));
            });
            let (first, second): (Vec<usize>, Vec<usize>) = (0..count).partition(|&at| at < count / 2);
            let boundary = separate(&kernels, &first, &second, cost);
            let labels = (0..count).map(|at| if at < count / 2 { 1.0 } else { -1.0 }).collect();
            let problem = SvmProblem { labels, instances: all.iter().map(nodes).collect() };
            let settings = SvmParameterBuilder::new()
                .svm_type(SvmType::CSvc)
                .kernel_type(KernelType::Rbf)
                .gamma(0.5)
                .c(cost)
                .build()
                .unwrap();
            let model = svm_train(&problem, &settings);
            for vector in clouds(60) {
                let terms =
                    all.iter().zip(&boundary.weights).map(|(one, weight)| weight * kernel(one, &vector));
                let ours = terms.sum::<f64>() - boundary.offset;
                let mut theirs = [0.0];
                predict_values(&model, &nodes(&vector), &mut theirs);
                // Both stop at a violation of 0.001, so they agree only to about that.
                assert!((ours - theirs[0]).abs() < 0.01, "cost {cost}: {ours} and {}", theirs[0]);
            }
        }
    }

    #[test]
    fn multipliers_stay_within_their_bounds_and_sum_to_zero() {
        let all = clouds(80);
        let kernels = KernelMatrix::new(80, |one, row| {
            row.clear();
            row.extend(all.iter().map(|other| kernel(&all[one], other) as f32));
        });
        let (first, second): (Vec<usize>, Vec<usize>) = (0..80).partition(|at| at % 3 == 0);
        let boundary = separate(&kernels, &first, &second, 2.0);
        assert!(boundary.weights.iter().sum::<f64>().abs() < 1e-9);
        assert!(boundary.weights[..first.len()].iter().all(|weight| (0.0..=2.0).contains(weight)));
        assert!(boundary.weights[first.len()..].iter().all(|weight| (-2.0..=0.0).contains(weight)));
    }
}
