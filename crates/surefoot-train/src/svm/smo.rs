//! The plane between two classes with the widest margin: sequential minimal optimisation.
//!
//! The dual of the support vector machine: minimise `½ αᵀQα − Σα` with `Q = y·yᵀ·K`, `yᵀα = 0` and
//! `0 ≤ α ≤ C`. Two multipliers at a time are moved as far as is best, the two by which most is
//! won to second order (Fan, Chen and Lin 2005), as LIBSVM does. All kernels are known before, so
//! every class pair of a machine shares one table, and there is no arithmetic here but sums,
//! products and quotients: the same bits everywhere.

/// Kernels between all examples.
pub(super) struct Kernels {
    count: usize,
    values: Vec<f32>,
}

impl Kernels {
    pub fn new(count: usize, mut kernel: impl FnMut(usize, &mut Vec<f32>)) -> Self {
        let mut values = Vec::with_capacity(count * count);
        let mut row = Vec::new();
        for one in 0..count {
            kernel(one, &mut row);
            values.extend(&row);
        }
        Self { count, values }
    }

    fn row(&self, one: usize) -> &[f32] {
        &self.values[one * self.count..(one + 1) * self.count]
    }
}

/// A plane: the multiplier of each example with its side's sign, and what is taken off.
pub(super) struct Plane {
    pub weights: Vec<f64>,
    pub offset: f64,
}

/// The plane is found when no two multipliers disagree by more than this.
const EXACT: f64 = 1e-3;
/// A quadratic that is flatter than this is as flat as this: two equal examples.
const FLAT: f64 = 1e-12;
/// Moves for each example before it is taken as it is: ten times what any data needed.
const MOVES: usize = 1_000;

/// The plane between two lists of examples, by their places; above 0 for the first list.
pub(super) fn between(kernels: &Kernels, first: &[usize], second: &[usize], cost: f64) -> Plane {
    let places: Vec<usize> = first.iter().chain(second).copied().collect();
    let count = places.len();
    let side = |at: usize| if at < first.len() { 1.0 } else { -1.0 };
    let sides: Vec<f64> = (0..count).map(side).collect();
    let own: Vec<f64> = places.iter().map(|&place| f64::from(kernels.row(place)[place])).collect();
    let mut multipliers = vec![0.0; count];
    let mut slopes = vec![-1.0; count];
    for _ in 0..MOVES * count {
        let Some((one, other)) = choose(kernels, &places, &sides, &own, &multipliers, &slopes, cost) else {
            break;
        };
        let before = (multipliers[one], multipliers[other]);
        let row = kernels.row(places[one]);
        let together = f64::from(row[places[other]]);
        step(one, other, &sides, own[one] + own[other] - 2.0 * together, &slopes, &mut multipliers, cost);
        let moved = (multipliers[one] - before.0, multipliers[other] - before.1);
        let (one_row, other_row) = (row, kernels.row(places[other]));
        let (by_one, by_other) = (sides[one] * moved.0, sides[other] * moved.1);
        for (at, slope) in slopes.iter_mut().enumerate() {
            let kernel =
                f64::from(one_row[places[at]]) * by_one + f64::from(other_row[places[at]]) * by_other;
            *slope += sides[at] * kernel;
        }
    }
    let offset = offset(&sides, &multipliers, &slopes, cost);
    let weights = multipliers.iter().zip(&sides).map(|(multiplier, side)| multiplier * side).collect();
    Plane { weights, offset }
}

/// Whether a multiplier can still move so that its example counts more for the first side.
fn is_up(side: f64, multiplier: f64, cost: f64) -> bool {
    if side > 0.0 { multiplier < cost } else { multiplier > 0.0 }
}

fn is_low(side: f64, multiplier: f64, cost: f64) -> bool {
    if side > 0.0 { multiplier > 0.0 } else { multiplier < cost }
}

/// The two multipliers to move; none where the plane is found.
fn choose(
    kernels: &Kernels,
    places: &[usize],
    sides: &[f64],
    own: &[f64],
    multipliers: &[f64],
    slopes: &[f64],
    cost: f64,
) -> Option<(usize, usize)> {
    let mut one = None;
    let mut most = f64::NEG_INFINITY;
    for at in 0..places.len() {
        let pull = -sides[at] * slopes[at];
        if pull > most && is_up(sides[at], multipliers[at], cost) {
            (one, most) = (Some(at), pull);
        }
    }
    let one = one?;
    let row = kernels.row(places[one]);
    let (mut other, mut won) = (None, 0.0);
    let mut least = f64::INFINITY;
    for at in 0..places.len() {
        if !is_low(sides[at], multipliers[at], cost) {
            continue;
        }
        let pull = -sides[at] * slopes[at];
        least = least.min(pull);
        let apart = most - pull;
        if apart <= 0.0 {
            continue;
        }
        let curve = (own[one] + own[at] - 2.0 * f64::from(row[places[at]])).max(FLAT);
        let wins = apart * apart / curve;
        if wins > won {
            (other, won) = (Some(at), wins);
        }
    }
    if most - least < EXACT { None } else { other.map(|other| (one, other)) }
}

/// Moves two multipliers to where the dual is least along their line, within 0 and the cost.
fn step(
    one: usize,
    other: usize,
    sides: &[f64],
    curve: f64,
    slopes: &[f64],
    multipliers: &mut [f64],
    cost: f64,
) {
    // Along the line y₁·α₁ + y₂·α₂ stays; t is how far y₁·α₁ grows.
    let far = (-sides[one] * slopes[one] + sides[other] * slopes[other]) / curve.max(FLAT);
    let room = |side: f64, multiplier: f64| if side > 0.0 { cost - multiplier } else { multiplier };
    let grows = room(sides[one], multipliers[one]);
    let shrinks = room(-sides[other], multipliers[other]);
    let t = far.min(grows).min(shrinks);
    // At a bound exactly, not to rounding: bounds are asked for with `<`.
    let put = |side: f64, multiplier: f64, full: bool| match (full, side > 0.0) {
        (true, true) => cost,
        (true, false) => 0.0,
        (false, _) => (multiplier + side * t).clamp(0.0, cost),
    };
    multipliers[one] = put(sides[one], multipliers[one], t >= grows);
    let (side, multiplier) = (-sides[other], multipliers[other]);
    multipliers[other] = put(side, multiplier, t >= shrinks);
}

/// What is taken off: the mean over the free multipliers, else midway between the bounds.
fn offset(sides: &[f64], multipliers: &[f64], slopes: &[f64], cost: f64) -> f64 {
    let (mut sum, mut free) = (0.0, 0);
    let (mut above, mut below) = (f64::INFINITY, f64::NEG_INFINITY);
    for at in 0..sides.len() {
        let pull = sides[at] * slopes[at];
        if multipliers[at] > 0.0 && multipliers[at] < cost {
            sum += pull;
            free += 1;
        } else if is_low(sides[at], multipliers[at], cost) {
            below = below.max(pull);
        } else {
            above = above.min(pull);
        }
    }
    match free {
        0 if above.is_finite() && below.is_finite() => (above + below) / 2.0,
        0 => 0.0,
        _ => sum / f64::from(free),
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

    /// Two clouds in four dimensions that overlap.
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
    fn planes_are_those_of_libsvm() {
        for (count, cost) in [(40, 1.0), (120, 10.0), (200, 100.0)] {
            let all = clouds(count);
            let kernels = Kernels::new(count, |one, row| {
                row.clear();
                row.extend(all.iter().map(|other| kernel(&all[one], other) as f32));
            });
            let (first, second): (Vec<usize>, Vec<usize>) = (0..count).partition(|&at| at < count / 2);
            let plane = between(&kernels, &first, &second, cost);
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
            for moment in clouds(60) {
                let near = all.iter().zip(&plane.weights).map(|(one, weight)| weight * kernel(one, &moment));
                let ours = near.sum::<f64>() - plane.offset;
                let mut theirs = [0.0];
                predict_values(&model, &nodes(&moment), &mut theirs);
                // Both stop when no two multipliers disagree by more than 0.001.
                assert!((ours - theirs[0]).abs() < 0.01, "cost {cost}: {ours} and {}", theirs[0]);
            }
        }
    }

    #[test]
    fn multipliers_keep_their_bounds_and_their_balance() {
        let all = clouds(80);
        let kernels = Kernels::new(80, |one, row| {
            row.clear();
            row.extend(all.iter().map(|other| kernel(&all[one], other) as f32));
        });
        let (first, second): (Vec<usize>, Vec<usize>) = (0..80).partition(|at| at % 3 == 0);
        let plane = between(&kernels, &first, &second, 2.0);
        assert!(plane.weights.iter().sum::<f64>().abs() < 1e-9);
        assert!(plane.weights[..first.len()].iter().all(|weight| (0.0..=2.0).contains(weight)));
        assert!(plane.weights[first.len()..].iter().all(|weight| (-2.0..=0.0).contains(weight)));
    }
}
