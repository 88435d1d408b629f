//! Maximum, mean and 99th percentile of a list; `None` for an empty list.

/// The largest value; `None` for an empty list.
pub(crate) fn largest(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    values.into_iter().reduce(f64::max)
}

/// The mean; `None` for an empty list.
pub(crate) fn mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut count = 0.0;
    let sum: f64 = values.into_iter().inspect(|_| count += 1.0).sum();
    (count > 0.0).then(|| sum / count)
}

/// The share of the values that are above `limit`, from 0 to 1; `None` for an empty list.
pub(crate) fn share_above(values: impl IntoIterator<Item = f64>, limit: f64) -> Option<f64> {
    mean(values.into_iter().map(|value| if value > limit { 1.0 } else { 0.0 }))
}

/// The 99th percentile by nearest rank: of n values sorted upwards the ⌈0.99·n⌉th.
///
/// It is always one of the values, and for fewer than a hundred it is the largest.
pub(crate) fn p99(mut values: Vec<f64>) -> Option<f64> {
    // ⌈99·n/100⌉ in integers: 0.99 has no exact binary representation.
    let rank = (values.len() * 99).div_ceil(100).checked_sub(1)?;
    Some(*values.select_nth_unstable_by(rank, f64::total_cmp).1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_99th_percentile_is_the_nearest_rank() {
        let counted = |n: u32| (1..=n).rev().map(f64::from).collect::<Vec<_>>();
        assert_eq!(p99(counted(100)), Some(99.0));
        assert_eq!(p99(counted(101)), Some(100.0));
        assert_eq!(p99(counted(99)), Some(99.0));
        assert_eq!(p99(counted(1000)), Some(990.0));
        assert_eq!(p99(vec![4.0]), Some(4.0));
    }

    #[test]
    fn an_empty_list_has_no_figure() {
        assert_eq!((largest([]), mean([]), share_above([], 1.0), p99(vec![])), (None, None, None, None));
    }

    #[test]
    fn values_at_the_limit_are_not_above_it() {
        assert_eq!(share_above([0.1, 0.2, 0.3, 0.4], 0.2), Some(0.5));
    }
}
