//! Examples in a space of many dimensions, and how far a new one is from each.
//!
//! Every number of an example is put on a scale on which the examples lie about 1 from their mean,
//! and kept in 16 bits. `file.rs` reads and writes what the models are made of.

mod file;

pub use file::ModelError;
pub(crate) use file::{Reader, Writer};

/// The scale of each number: its mean, and how far examples lie from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    pub(crate) means: Vec<f32>,
    pub(crate) spreads: Vec<f32>,
}

/// Numbers farther out than this many spreads are held at it: nothing was learned out there.
const FAR: f32 = 8.0;
/// No spread is less than this, in legs, radians and the like: where all examples stand alike, a
/// stance that is a centimetre wider is not a world away.
const LEAST: f64 = 0.05;
/// Steps to a spread. With 16 bits a number reaches to `FAR`.
const STEPS: f32 = 4_000.0;

impl Scale {
    /// The scale of examples, `numbers` long each.
    pub fn of(examples: &[f32], numbers: usize) -> Self {
        let count = (examples.len() / numbers.max(1)).max(1) as f64;
        let column = |at: usize| examples.iter().skip(at).step_by(numbers).map(|&number| f64::from(number));
        let mean = |at: usize| column(at).sum::<f64>() / count;
        let means: Vec<f64> = (0..numbers).map(mean).collect();
        let spread = |at: usize| {
            let square = column(at).map(|number| (number - means[at]) * (number - means[at])).sum::<f64>();
            surefoot_core::math::sqrt(square / count).max(LEAST)
        };
        let spreads = (0..numbers).map(|at| spread(at) as f32).collect();
        Self { means: means.iter().map(|&mean| mean as f32).collect(), spreads }
    }

    /// Puts a moment's numbers on the scale.
    pub fn put_on(&self, numbers: &mut [f32]) {
        for ((number, mean), spread) in numbers.iter_mut().zip(&self.means).zip(&self.spreads) {
            // A file may say that a spread is 0; then the number says nothing.
            let scaled = if *spread > 0.0 { (*number - mean) / spread } else { 0.0 };
            *number = scaled.clamp(-FAR, FAR);
        }
    }
}

/// Examples on their scale: all first numbers, then all second ones, and so on, so that the
/// distances to all of them are found side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    pub(crate) count: usize,
    pub(crate) steps: Vec<i16>,
    values: Vec<f32>,
}

impl Points {
    /// Examples that lie one after the other, `numbers` long each, on their scale.
    pub fn new(examples: &[f32], numbers: usize) -> Self {
        let count = examples.len() / numbers.max(1);
        let mut steps = Vec::with_capacity(examples.len());
        for number in 0..numbers {
            let column = examples.iter().skip(number).step_by(numbers.max(1));
            // Out of range, a number is held at the last step.
            steps.extend(
                column.map(|&value| surefoot_core::math::floor(f64::from(value * STEPS) + 0.5) as i16),
            );
        }
        Self::from_steps(count, steps)
    }

    pub(crate) fn from_steps(count: usize, steps: Vec<i16>) -> Self {
        let values = steps.iter().map(|&step| f32::from(step) / STEPS).collect();
        Self { count, steps, values }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// One example's numbers, as they are kept, in place of what was there.
    pub fn example(&self, at: usize, numbers: &mut Vec<f32>) {
        numbers.clear();
        numbers.extend(self.values.iter().skip(at).step_by(self.count.max(1)));
    }

    /// The squared distance of each from a moment on the same scale.
    pub fn distances(&self, moment: &[f32], distances: &mut Vec<f32>) {
        distances.clear();
        distances.resize(self.count, 0.0);
        if self.count == 0 {
            return;
        }
        for (number, column) in moment.iter().zip(self.values.chunks_exact(self.count)) {
            for (distance, value) in distances.iter_mut().zip(column) {
                let off = number - value;
                *distance += off * off;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_lie_about_one_from_their_mean() {
        let mut examples = vec![1.0, 5.0, 3.0, 5.0, 5.0, 5.0];
        let scale = Scale::of(&examples, 2);
        examples.chunks_mut(2).for_each(|example| scale.put_on(example));
        // A number that never changes is its mean.
        assert!(examples.iter().skip(1).step_by(2).all(|&number| number == 0.0));
        assert!((examples[4] - 1.2247).abs() < 1e-4 && examples[2] == 0.0);
    }

    #[test]
    fn distances_are_those_of_the_rounded_examples() {
        let points = Points::new(&[0.0, 1.0, 3.0, 5.0], 2);
        let mut distances = Vec::new();
        points.distances(&[0.0, 1.0], &mut distances);
        assert_eq!(distances, [0.0, 25.0]);
    }
}
