//! Runs: unbroken ranges of frames in which a condition holds.

use super::{frames_in, work};
use surefoot_core::FrameRange;

/// Returns every unbroken run of `frames` in which the condition holds.
pub(crate) fn runs_where(holds: impl Fn(usize) -> bool, frames: FrameRange) -> Vec<FrameRange> {
    work::count(frames.len());
    let mut runs: Vec<FrameRange> = Vec::new();
    for frame in frames.filter(|&frame| holds(frame)) {
        match runs.last_mut() {
            Some(run) if run.end == frame => run.end += 1,
            _ => runs.push(frame..frame + 1),
        }
    }
    runs
}

/// Moves a range to later frames: from frames of the performance to frames of the motion.
pub(crate) fn shifted(frames: &FrameRange, by: usize) -> FrameRange {
    frames.start + by..frames.end + by
}

/// Returns the frames that two ranges share; an empty range that starts inside `a` where they share none.
pub(crate) fn overlap(a: &FrameRange, b: &FrameRange) -> FrameRange {
    work::count(1);
    let start = a.start.max(b.start);
    start..a.end.min(b.end).max(start)
}

/// Returns the runs that share a frame with `frames`. The runs must be in order of time and disjoint.
pub(crate) fn overlapping<'a>(runs: &'a [FrameRange], frames: &FrameRange) -> &'a [FrameRange] {
    let first = runs.partition_point(|run| run.end <= frames.start);
    let end = runs.partition_point(|run| run.start < frames.end);
    &runs[first..end.max(first)]
}

/// The shortest run that counts, in frames: `seconds` of it, and one frame at low frame rates.
pub(crate) fn min_run(seconds: f64, fps: f64) -> usize {
    frames_in(seconds, fps).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_unbroken() {
        let frames = [true, true, false, true, false, false, true];
        assert_eq!(runs_where(|frame| frames[frame], 0..7), [0..2, 3..4, 6..7]);
        assert_eq!(runs_where(|frame| frames[frame], 1..4), [1..2, 3..4]);
    }

    #[test]
    fn overlapping_runs_are_found() {
        let runs = [0..10, 20..30, 30..40, 60..70];
        assert_eq!(overlapping(&runs, &(25..35)), [20..30, 30..40]);
        assert_eq!(overlapping(&runs, &(0..100)), runs);
        assert!(overlapping(&runs, &(10..20)).is_empty() && overlapping(&[], &(0..5)).is_empty());
    }

    #[test]
    fn ranges_that_share_no_frame_overlap_in_an_empty_range() {
        assert_eq!(overlap(&(0..10), &(5..20)), 5..10);
        assert!(overlap(&(0..10), &(12..20)).is_empty());
        assert!(overlap(&(12..20), &(0..10)).is_empty());
    }
}
