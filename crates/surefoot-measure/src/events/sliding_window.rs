//! Minimum and maximum of each value's neighbourhood, in linear time.
//!
//! A queue holds the candidates of the window: indices whose values increase, so that the first is the minimum. A
//! value removes every later candidate that is not smaller, and each index enters and leaves the queue once.

use std::collections::VecDeque;

/// The minimum of each value and the `side` values on either side of it.
pub(crate) fn sliding_min(values: &[f64], side: usize) -> Vec<f64> {
    let mut candidates: VecDeque<usize> = VecDeque::new();
    let mut minima = Vec::with_capacity(values.len());
    let mut next = 0;
    for middle in 0..values.len() {
        while next < values.len().min(middle + side + 1) {
            while candidates.back().is_some_and(|&last| values[last] >= values[next]) {
                candidates.pop_back();
            }
            candidates.push_back(next);
            next += 1;
        }
        while candidates.front().is_some_and(|&first| first + side < middle) {
            candidates.pop_front();
        }
        // The window holds at least its middle.
        minima.extend(candidates.front().map(|&first| values[first]));
    }
    minima
}

/// The maximum of each value and the `side` values on either side of it.
pub(crate) fn sliding_max(values: &[f64], side: usize) -> Vec<f64> {
    let negated: Vec<f64> = values.iter().map(|value| -value).collect();
    sliding_min(&negated, side).into_iter().map(|value| -value).collect()
}

/// The number of frames in a duration, at least 1.
pub(crate) fn frames_in(seconds: f64, fps: f64) -> usize {
    ((seconds * fps).round() as usize).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_is_cut_at_the_ends() {
        assert_eq!(sliding_min(&[3.0, 1.0, 2.0, 5.0, 4.0], 1), [1.0, 1.0, 1.0, 2.0, 4.0]);
        assert_eq!(sliding_max(&[3.0, 1.0, 2.0, 5.0, 4.0], 1), [3.0, 3.0, 5.0, 5.0, 5.0]);
        assert_eq!(sliding_min(&[2.0, 1.0], 9), [1.0, 1.0]);
        assert!(sliding_min(&[], 2).is_empty());
    }

    #[test]
    fn the_minimum_equals_the_one_of_a_search() {
        let values: Vec<f64> = (0..200).map(|n| f64::from(n * n * 7919 % 131)).collect();
        for side in [0, 1, 5, 60, 300] {
            let search = |n: usize| {
                let window = &values[n.saturating_sub(side)..(n + side + 1).min(values.len())];
                window.iter().copied().fold(f64::INFINITY, f64::min)
            };
            assert_eq!(sliding_min(&values, side), (0..200).map(search).collect::<Vec<_>>());
        }
    }
}
