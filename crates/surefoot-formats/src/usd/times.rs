//! The times of the frames of an animation.
//!
//! Samples are usually at whole time codes, but may be at any even steps, and exporters leave out samples that repeat the
//! one before. The frames are at all multiples of the shortest step between two samples.

use super::layer::Property;

/// Distance of a sample from its frame that is rounding, as a fraction of the step.
const ON_FRAME: f64 = 1e-3;
/// Frames beyond which a file is damaged; its size is compared with its memory before that.
const MOST_FRAMES: f64 = 1e9;

/// The times of frames, in time codes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FrameTimes {
    pub start: f64,
    pub step: f64,
    pub count: usize,
    /// Whether every sample is at a frame.
    pub is_even: bool,
}

impl Default for FrameTimes {
    fn default() -> Self {
        Self { start: 0.0, step: 1.0, count: 0, is_even: true }
    }
}

impl FrameTimes {
    /// The frames of the samples of some properties. Properties without samples are one frame.
    pub fn new<'p>(properties: impl Iterator<Item = &'p Property>) -> Self {
        let mut times: Vec<f64> =
            properties.flat_map(|property| property.samples.iter().map(|(time, _)| *time)).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        let (Some(&start), Some(&end)) = (times.first(), times.last()) else {
            return Self { count: 1, ..Self::default() };
        };
        let step = times.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::MAX, f64::min);
        let even = Self::with_step(start, end, if times.len() > 1 { step } else { 1.0 });
        let is_even = times.iter().all(|&time| even.frame_at(time).is_some());
        match is_even {
            true => even,
            false => Self { is_even, ..Self::with_step(start, end, 1.0) },
        }
    }

    fn with_step(start: f64, end: f64, step: f64) -> Self {
        let steps = ((end - start) / step).round();
        // The step from the whole length is more exact than the shortest one.
        let step = if (1.0..MOST_FRAMES).contains(&steps) { (end - start) / steps } else { step };
        Self { start, step, count: steps.clamp(0.0, MOST_FRAMES) as usize + 1, is_even: true }
    }

    /// The time of a frame.
    pub fn time(&self, frame: usize) -> f64 {
        let time = self.start + frame as f64 * self.step;
        // Whole time codes stay whole.
        let whole = time.round();
        if (time - whole).abs() < 1e-9 * self.step { whole } else { time }
    }

    /// The frame at a time; `None` between frames.
    pub fn frame_at(&self, time: f64) -> Option<usize> {
        let frame = (time - self.start) / self.step;
        let near = frame.round();
        let is_on = (frame - near).abs() <= ON_FRAME && near >= 0.0 && near < self.count as f64;
        is_on.then_some(near as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usd::layer::Stored;

    fn times(samples: &[f64]) -> FrameTimes {
        let samples = samples.iter().map(|&time| (time, Stored(0))).collect();
        FrameTimes::new([Property { samples, ..Property::default() }].iter())
    }

    #[test]
    fn samples_that_repeat_may_be_left_out() {
        assert_eq!(
            times(&[1.0, 2.0, 3.0, 7.0]),
            FrameTimes { start: 1.0, step: 1.0, count: 7, is_even: true }
        );
    }

    #[test]
    fn steps_may_be_parts_of_a_time_code() {
        let found = times(&[0.0, 0.2, 0.4, 0.6, 1.0]);
        assert_eq!((found.count, found.is_even), (6, true));
        assert_eq!(found.time(5), 1.0);
    }

    #[test]
    fn uneven_samples_give_frames_at_whole_steps() {
        let found = times(&[0.0, 1.0, 2.3, 4.0]);
        assert_eq!((found.count, found.step, found.is_even), (5, 1.0, false));
    }

    #[test]
    fn a_file_without_samples_is_one_frame() {
        assert_eq!(times(&[]).count, 1);
        assert_eq!(times(&[5.0]).count, 1);
    }
}
