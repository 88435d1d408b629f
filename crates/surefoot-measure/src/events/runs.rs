//! Runs of consecutive frames for which something holds.

use core::ops::Range;

/// The longest runs of consecutive frames below `frames` for which `holds` is true.
pub(crate) fn runs(frames: usize, holds: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for frame in (0..frames).filter(|&frame| holds(frame)) {
        match found.last_mut().filter(|run| run.end == frame) {
            Some(run) => run.end += 1,
            None => found.push(frame..frame + 1),
        }
    }
    found
}

/// Ranges sorted by their start, with those that touch or overlap merged.
pub(crate) fn merge(ranges: impl IntoIterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut merged: Vec<Range<usize>> = Vec::new();
    for run in ranges {
        match merged.last_mut().filter(|last| run.start <= last.end) {
            Some(last) => last.end = last.end.max(run.end),
            None => merged.push(run),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_end_where_the_condition_does() {
        let holds = [true, true, false, true, false, false, true];
        assert_eq!(runs(7, |frame| holds[frame]), [0..2, 3..4, 6..7]);
        assert!(runs(0, |_| true).is_empty());
    }

    #[test]
    fn ranges_that_touch_or_overlap_are_merged() {
        assert_eq!(merge([0..4, 2..3, 4..6, 8..9]), [0..6, 8..9]);
    }
}
