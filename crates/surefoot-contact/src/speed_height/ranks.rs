//! Values by their rank.

/// The value below which this share of all lie; 0 where there is none.
pub(crate) fn at_share(values: &[f64], share: f64) -> f64 {
    let at = ((share * values.len() as f64) as usize).min(values.len().saturating_sub(1));
    values.get(at).map_or(0.0, |&guess| ranked(&mut values.to_vec(), at, guess))
}

/// The value with so many below it; `values` has more than `rank`, and is left in no order.
///
/// `guess` is any number, best one that it may well be near. Every round takes those off that are on the wrong
/// side of it.
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
        // What is no number is on neither side.
        let [Some(&a), Some(&b), Some(&c)] = [values.first(), values.get(values.len() / 2), values.last()]
        else {
            return guess;
        };
        guess = a.min(b).max(a.max(b).min(c));
    }
    let rank = rank.min(values.len() - 1);
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
        // In no order that helps.
        let mut values: Vec<f64> = (0..1000).map(f64::from).collect();
        values.iter_mut().skip(1).step_by(2).for_each(|value| *value += 1000.0);
        (0..300).for_each(|k| values.swap(k, 500 + k));
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        for (rank, &value) in sorted.iter().enumerate() {
            assert_eq!(ranked(&mut values.clone(), rank, 5e9), value);
        }
    }

    #[test]
    fn what_is_no_number_does_no_harm() {
        ranked(&mut vec![f64::NAN; 5], 2, 0.0);
        ranked(&mut vec![1.0, f64::NAN, 2.0], 2, f64::NAN);
    }
}
