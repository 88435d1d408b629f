//! Quantiles by selection: a quickselect that starts from a guess.
//!
//! Neighbouring windows of a motion have nearly the same median, so the median of the previous
//! window is a good first pivot and most calls end after two or three passes.

use super::work;

/// Returns the value below which this fraction of the values lies; 0 for an empty slice.
pub(crate) fn quantile(values: &[f64], fraction: f64) -> f64 {
    work::count(values.len());
    let rank = ((fraction * values.len() as f64) as usize).min(values.len().saturating_sub(1));
    values.get(rank).map_or(0.0, |&guess| select_rank(&mut values.to_vec(), rank, guess))
}

/// Returns the value that has `rank` smaller values; the slice must be longer than `rank` and loses
/// its order.
///
/// `guess` is the first pivot: any number, best one near the result. Each pass drops the values on
/// the wrong side of the pivot. The result is unspecified if values are NaN.
pub(crate) fn select_rank(values: &mut Vec<f64>, mut rank: usize, mut guess: f64) -> f64 {
    for _ in 0..MAX_PASSES {
        let below = values.iter().filter(|value| **value < guess).count();
        let up_to = values.iter().filter(|value| **value <= guess).count();
        if rank < below {
            retain(values, |value| value < guess);
        } else if rank >= up_to {
            retain(values, |value| value > guess);
            rank -= up_to;
        } else {
            return guess;
        }
        // NaN is on neither side of the pivot, so nothing may be left.
        let [Some(&a), Some(&b), Some(&c)] = [values.first(), values.get(values.len() / 2), values.last()]
        else {
            return guess;
        };
        guess = a.min(b).max(a.max(b).min(c));
    }
    let rank = rank.min(values.len() - 1);
    *values.select_nth_unstable_by(rank, f64::total_cmp).1
}

/// Passes after which the standard library's selection, whose worst case is linear, takes over. A
/// median of three halves the values in most passes, so 24 passes suffice for 16 million values.
const MAX_PASSES: usize = 24;

/// `Vec::retain` without its branch, which the processor would mispredict for every second value.
fn retain(values: &mut Vec<f64>, is_kept: impl Fn(f64) -> bool) {
    let mut kept = 0;
    for at in 0..values.len() {
        let value = values[at];
        values[kept] = value;
        kept += usize::from(is_kept(value));
    }
    values.truncate(kept);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_selected_value_does_not_depend_on_the_guess() {
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
            let selected = select_rank(&mut values.clone(), rank, draw(50) as f64 - 9.0);
            assert_eq!(selected, sorted[rank], "{values:?}");
        }
    }

    #[test]
    fn bad_pivots_still_give_the_right_value() {
        // An order in which the median of three is a poor pivot.
        let mut values: Vec<f64> = (0..1000).map(f64::from).collect();
        values.iter_mut().skip(1).step_by(2).for_each(|value| *value += 1000.0);
        (0..300).for_each(|k| values.swap(k, 500 + k));
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        for (rank, &value) in sorted.iter().enumerate() {
            assert_eq!(select_rank(&mut values.clone(), rank, 5e9), value);
        }
    }

    #[test]
    fn nan_does_not_panic() {
        select_rank(&mut vec![f64::NAN; 5], 2, 0.0);
        select_rank(&mut vec![1.0, f64::NAN, 2.0], 2, f64::NAN);
    }
}
