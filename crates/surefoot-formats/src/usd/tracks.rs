//! The values of an attribute at any time.

use surefoot_core::Quat;
use surefoot_core::math::slerp;

use super::error::UsdError;
use super::files::Files;
use super::layer::{Property, Stored};
use super::stage::Place;

/// What the numbers of an attribute are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Values {
    /// Rotations: x, y, z and w of each.
    Rotations,
    /// Any other numbers, which are interpolated one by one.
    Numbers,
}

/// The values of an attribute.
#[derive(Clone, Copy, Debug)]
pub(super) struct Track {
    pub place: Place,
    pub values: Values,
    /// The numbers that each value must have.
    pub count: usize,
}

impl Track {
    pub fn property<'f>(&self, files: &'f Files) -> &'f Property {
        &files.layers[self.place.layer].prims[self.place.prim].properties[self.place.property]
    }

    /// The numbers of a stored value.
    fn read(&self, files: &Files, stored: Stored) -> Result<Vec<f64>, UsdError> {
        let (layer, precision) = (&files.layers[self.place.layer], self.property(files).precision);
        let numbers = match self.values {
            Values::Rotations => layer.rotations(stored, precision, self.count),
            Values::Numbers => layer.numbers(stored, precision, self.count),
        }?;
        if numbers.len() != self.count {
            let expected = format!("{}, as many as the joints need", self.count);
            return Err(UsdError::new("a value", format_args!("{} numbers", numbers.len()), expected));
        }
        match numbers.iter().find(|number| !number.is_finite()) {
            Some(number) => Err(UsdError::new("a value", number, "finite numbers")),
            None => Ok(numbers),
        }
    }
}

/// Evaluates a track at times that grow, keeping the values of the two samples around the last time.
pub(super) struct Sampler<'f> {
    files: &'f Files,
    pub track: Track,
    /// Samples that were read last: their index and values.
    before: Option<(usize, Vec<f64>)>,
    after: Option<(usize, Vec<f64>)>,
}

impl<'f> Sampler<'f> {
    pub fn new(files: &'f Files, track: Track) -> Self {
        Self { files, track, before: None, after: None }
    }

    /// The values at a time: those of a sample, or between two of them; the first or last ones outside.
    pub fn at(&mut self, time: f64) -> Result<Vec<f64>, UsdError> {
        let property = self.track.property(self.files);
        let samples = &property.samples;
        if samples.is_empty() {
            let value = property.value.ok_or_else(|| UsdError::new("an attribute", "no value", "one"))?;
            return match &self.before {
                Some((_, values)) => Ok(values.clone()),
                None => {
                    let values = self.track.read(self.files, value)?;
                    self.before = Some((0, values.clone()));
                    Ok(values)
                }
            };
        }
        // Sums of steps such as 0.2 miss the times of samples by rounding.
        let rounding = 1e-9 * time.abs().max(1.0);
        let after = samples.partition_point(|(own, _)| *own < time - rounding).min(samples.len() - 1);
        self.move_to(after)?;
        let (_, later) = self.after.as_ref().ok_or_else(lost)?;
        if samples[after].0 <= time + rounding || after == 0 {
            return Ok(later.clone());
        }
        let (_, earlier) = self.before.as_ref().ok_or_else(lost)?;
        let (from, to) = (samples[after - 1].0, samples[after].0);
        let share = (time - from) / (to - from);
        Ok(mixed(earlier, later, share, self.track.values))
    }

    /// Reads the sample of an index and the one before.
    fn move_to(&mut self, after: usize) -> Result<(), UsdError> {
        if self.after.as_ref().is_some_and(|(index, _)| *index == after) {
            return Ok(());
        }
        let taken = self.after.take().filter(|(index, _)| index + 1 == after);
        self.before = match (taken, after.checked_sub(1)) {
            (Some(taken), _) => Some(taken),
            (None, Some(before)) => Some((before, self.sample(before)?)),
            (None, None) => None,
        };
        self.after = Some((after, self.sample(after)?));
        Ok(())
    }

    fn sample(&self, index: usize) -> Result<Vec<f64>, UsdError> {
        let property = self.track.property(self.files);
        let (time, stored) = property.samples[index];
        let place = || format!("{}, time code {time}", property.name);
        self.track.read(self.files, stored).map_err(|error| error.within(&place()))
    }
}

/// A sample was read just before.
fn lost() -> UsdError {
    UsdError::new("a sample", "nothing", "values")
}

fn mixed(from: &[f64], to: &[f64], share: f64, values: Values) -> Vec<f64> {
    match values {
        Values::Numbers => from.iter().zip(to).map(|(a, b)| a + (b - a) * share).collect(),
        Values::Rotations => {
            let pairs = from.as_chunks::<4>().0.iter().zip(to.as_chunks::<4>().0);
            let quat = |q: &[f64; 4]| unit(Quat::from_array(*q));
            pairs.flat_map(|(a, b)| slerp(quat(a), quat(b), share).to_array()).collect()
        }
    }
}

/// A rotation of length 1, which a damaged file may have as 0.
pub(super) fn unit(rotation: Quat) -> Quat {
    let length = rotation.length();
    if length > 0.0 && length.is_finite() { rotation / length } else { Quat::IDENTITY }
}
