//! The maximum of a signal within a centred window, in linear time (van Herk 1992).
//!
//! The frames are cut into blocks as long as the window, so a window reaches into at most two
//! blocks: the end of one and the start of the next. The running maxima from the start of each block
//! and towards the end of each block are found in one pass each, and a window combines two of them.

/// Returns the largest value within `radius` frames of each frame.
pub(crate) fn sliding_max(values: &[f64], radius: usize) -> Vec<f64> {
    let block = 2 * radius + 1;
    let (from_start, to_end) = running_maxima(values, block);
    let last_frame = values.len().saturating_sub(1);
    let window_max = |frame: usize| {
        if frame <= radius {
            // The window starts in the first block and is cut off at frame 0.
            return from_start[(frame + radius).min(last_frame)];
        }
        let (first, last) = (frame - radius, frame + radius);
        if last <= last_frame {
            return larger(to_end[first], from_start[last]);
        }
        // The window is cut off at the last frame, which ends the last block.
        let is_one_block = first / block == last_frame / block;
        if is_one_block { to_end[first] } else { larger(to_end[first], from_start[last_frame]) }
    };
    (0..values.len()).map(window_max).collect()
}

/// Returns the maxima from the start of a frame's block to the frame, and from the frame to the end of its block.
fn running_maxima(values: &[f64], block: usize) -> (Vec<f64>, Vec<f64>) {
    let mut from_start = values.to_vec();
    let mut to_end = values.to_vec();
    for block in from_start.chunks_mut(block) {
        (1..block.len()).for_each(|at| block[at] = larger(block[at - 1], block[at]));
    }
    for block in to_end.chunks_mut(block) {
        (1..block.len()).rev().for_each(|at| block[at - 1] = larger(block[at - 1], block[at]));
    }
    (from_start, to_end)
}

/// A plain comparison compiles to one instruction; `f64::max` needs more for NaN.
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_cut_off_at_both_ends() {
        let values = [1.0, 5.0, 2.0, 0.0, 3.0, 3.0, 1.0];
        assert_eq!(sliding_max(&values, 1), [5.0, 5.0, 5.0, 3.0, 3.0, 3.0, 3.0]);
        assert_eq!(sliding_max(&values, 9), [5.0; 7]);
        assert_eq!(sliding_max(&values, 0), values);
        assert_eq!(sliding_max(&[], 3), []);
    }

    #[test]
    fn the_result_equals_a_search_of_every_window() {
        let all: Vec<f64> = (0..40).map(|k| f64::from(k * k * 7 % 31)).collect();
        for count in 1..40 {
            for radius in 0..25 {
                let values = &all[..count];
                let window = |at: usize| &values[at.saturating_sub(radius)..(at + radius + 1).min(count)];
                let largest = |at: usize| window(at).iter().copied().fold(0.0, f64::max);
                assert_eq!(sliding_max(values, radius), (0..count).map(largest).collect::<Vec<_>>());
            }
        }
    }
}
