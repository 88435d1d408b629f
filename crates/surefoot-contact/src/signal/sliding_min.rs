//! The minimum of the last values of a stream.

use std::collections::VecDeque;

/// Keeps the minimum of the last `window` values in a monotonic queue: constant time per value on
/// average, and no allocation after `new`.
#[derive(Clone, Debug)]
pub(crate) struct SlidingMin {
    /// Values with no smaller value after them, each with its index. The values rise, so the first is the minimum.
    rising: VecDeque<(usize, f64)>,
    pushed: usize,
    window: usize,
}

impl SlidingMin {
    /// A window of this many values; at least one.
    pub fn new(window: usize) -> Self {
        let window = window.max(1);
        Self { rising: VecDeque::with_capacity(window + 1), pushed: 0, window }
    }

    pub fn push(&mut self, value: f64) {
        while self.rising.back().is_some_and(|&(_, last)| last >= value) {
            self.rising.pop_back();
        }
        self.rising.push_back((self.pushed, value));
        self.pushed += 1;
        while self.rising.len() > 1 && self.rising[0].0 + self.window < self.pushed {
            self.rising.pop_front();
        }
    }

    /// The minimum; 0 before the first value.
    pub fn get(&self) -> f64 {
        self.rising.front().map_or(0.0, |&(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_minimum_covers_the_last_three_values() {
        let mut sliding = SlidingMin::new(3);
        let mut minimum_after = |value| {
            sliding.push(value);
            sliding.get()
        };
        let minima = [3.0, 1.0, 2.0, 5.0, 4.0, 6.0, 7.0].map(&mut minimum_after);
        assert_eq!(minima, [3.0, 1.0, 1.0, 1.0, 2.0, 4.0, 4.0]);
    }
}
