//! The lowest that a point has been lately, which is the ground under it.

use std::collections::VecDeque;

/// The least of the last so many values.
#[derive(Clone, Debug)]
pub(super) struct Low {
    /// Values that none after them is below, with their numbers, rising: the first is the least.
    rising: VecDeque<(usize, f64)>,
    pushed: usize,
    keeps: usize,
}

impl Low {
    /// Keeps so many values; at least one.
    pub fn new(keeps: usize) -> Self {
        Self { rising: VecDeque::with_capacity(keeps.max(1) + 1), pushed: 0, keeps: keeps.max(1) }
    }

    pub fn push(&mut self, value: f64) {
        while self.rising.back().is_some_and(|&(_, last)| last >= value) {
            self.rising.pop_back();
        }
        self.rising.push_back((self.pushed, value));
        self.pushed += 1;
        while self.rising.len() > 1 && self.rising[0].0 + self.keeps < self.pushed {
            self.rising.pop_front();
        }
    }

    /// The least; 0 before there is any.
    pub fn least(&self) -> f64 {
        self.rising.front().map_or(0.0, |&(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_of_the_last_few() {
        let mut low = Low::new(3);
        let least: Vec<f64> = [3.0, 1.0, 2.0, 5.0, 4.0, 6.0, 7.0]
            .into_iter()
            .map(|value| {
                low.push(value);
                low.least()
            })
            .collect();
        assert_eq!(least, [3.0, 1.0, 1.0, 1.0, 2.0, 4.0, 4.0]);
    }
}
