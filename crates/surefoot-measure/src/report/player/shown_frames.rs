//! The frames that the player shows.

/// Most frames that are stored, so that the page of a body of 40 points stays below 1 MB.
const MOST_FRAMES: usize = 2400;
/// Lowest rate to which a long motion is thinned out, in frames per second; below it steps are no longer smooth.
const LOWEST_RATE: f64 = 30.0;

/// The frames that are stored: every n-th of a range, counted from the first frame of the performance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ShownFrames {
    pub first: usize,
    pub every: usize,
    pub count: usize,
}

impl ShownFrames {
    /// All frames of a short motion. A long one is thinned out, and of a very long one the time around `middle` is shown.
    pub fn choose(frames: usize, fps: f64, middle: usize) -> Self {
        let slowest = ((fps / LOWEST_RATE) as usize).max(1);
        let every = frames.div_ceil(MOST_FRAMES).clamp(1, slowest);
        let count = frames.div_ceil(every);
        if count <= MOST_FRAMES {
            return Self { first: 0, every, count };
        }
        let (span, half) = (MOST_FRAMES * every, MOST_FRAMES * every / 2);
        let first = middle.saturating_sub(half).min(frames.saturating_sub(span));
        Self { first, every, count: MOST_FRAMES.min((frames - first).div_ceil(every)) }
    }

    /// The position of a frame among the stored ones, for a time line.
    pub fn position(&self, frame: usize) -> f64 {
        (frame as f64 - self.first as f64) / self.every as f64
    }

    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..self.count).map(move |index| self.first + index * self.every)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_motion_is_shown_whole() {
        assert_eq!(ShownFrames::choose(1000, 120.0, 500), ShownFrames { first: 0, every: 1, count: 1000 });
        assert_eq!(ShownFrames::choose(0, 120.0, 0).count, 0);
    }

    #[test]
    fn a_long_motion_is_thinned_out_to_thirty_frames_a_second() {
        assert_eq!(ShownFrames::choose(7200, 120.0, 500), ShownFrames { first: 0, every: 3, count: 2400 });
    }

    #[test]
    fn of_a_very_long_motion_the_worst_moment_is_shown() {
        let shown = ShownFrames::choose(100_000, 60.0, 50_000);
        assert_eq!((shown.every, shown.count), (2, MOST_FRAMES));
        assert!((0.0..shown.count as f64).contains(&shown.position(50_000)));
        let last = ShownFrames::choose(100_000, 60.0, 99_999);
        assert!(last.iter().all(|frame| frame < 100_000));
    }
}
