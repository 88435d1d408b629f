//! Values by their rank.

/// The value below which this share of all lie; 0 where there is none.
pub(crate) fn at_share(values: &[f64], share: f64) -> f64 {
    let mut values = values.to_vec();
    let at = ((share * values.len() as f64) as usize).min(values.len().saturating_sub(1));
    if values.is_empty() { 0.0 } else { *values.select_nth_unstable_by(at, f64::total_cmp).1 }
}

/// The value with so many below it; `values` has more than `rank`, and is left in no order.
///
/// `guess` is one it may well be near: what was found where most values were the same. Every round takes those
/// off that are on the wrong side of it.
pub(crate) fn ranked(values: &mut Vec<f64>, mut rank: usize, mut guess: f64) -> f64 {
    for _ in 0..ROUNDS {
        let below = values.iter().filter(|value| **value < guess).count();
        let up_to = values.iter().filter(|value| **value <= guess).count();
        if rank < below {
            keep(values, |value| value < guess);
        } else if rank >= up_to {
            keep(values, |value| value > guess);
            rank -= up_to;
        } else {
            return guess;
        }
        let [a, b, c] = [0, values.len() / 2, values.len() - 1].map(|at| values[at]);
        guess = a.min(b).max(a.max(b).min(c));
    }
    *values.select_nth_unstable_by(rank, f64::total_cmp).1
}

/// Rounds after which the guesses are bad: of so many values each takes off half of what is left.
const ROUNDS: usize = 24;

/// Keeps some values, without a branch that could be guessed wrong for every second one.
fn keep(values: &mut Vec<f64>, is_kept: impl Fn(f64) -> bool) {
    let mut kept = 0;
    for at in 0..values.len() {
        let value = values[at];
        values[kept] = value;
        kept += usize::from(is_kept(value));
    }
    values.truncate(kept);
}

/// The least value; infinite where there is none.
pub(crate) fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_by_its_rank_whatever_is_guessed() {
        let mut state = 5u64;
        let mut draw = |sides: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % sides
        };
        for _ in 0..300 {
            let (count, sides) = (1 + draw(60), 1 + draw(40));
            let values: Vec<f64> = (0..count).map(|_| draw(sides) as f64 - 3.0).collect();
            let mut sorted = values.clone();
            sorted.sort_by(f64::total_cmp);
            let rank = draw(count) as usize;
            assert_eq!(ranked(&mut values.clone(), rank, draw(50) as f64 - 9.0), sorted[rank], "{values:?}");
        }
    }

    #[test]
    fn bad_guesses_are_given_up() {
        // The middle of three is always the second least.
        let values: Vec<f64> = (0..1000).map(f64::from).collect();
        assert_eq!(ranked(&mut values.clone(), 999, -1.0), 999.0);
    }
}
