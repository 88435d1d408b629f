//! Chooses the frames of a motion from which a file's unit, axes, legs and floor are inferred.

/// Most poses of an excerpt. Inference on that many takes milliseconds; more change no result.
const EXCERPT_FRAMES: usize = 6_000;
/// Most joint rotations of an excerpt (poses × joints), so that large skeletons stay as fast.
const EXCERPT_JOINTS: usize = 400_000;
/// Runs of consecutive frames that an excerpt takes from a longer motion, evenly spread.
const EXCERPT_RUNS: usize = 24;

/// The frames of an excerpt: all frames of a short motion, evenly spread runs of a long one.
pub fn excerpt_frames(frames: usize, joints: usize) -> Vec<usize> {
    let most = (EXCERPT_JOINTS / joints.max(1)).clamp(1, EXCERPT_FRAMES);
    if frames <= most {
        return (0..frames).collect();
    }
    // Runs of at least eight frames, so that speeds can be measured within one.
    let runs = EXCERPT_RUNS.min(most.div_ceil(8));
    let length = most / runs;
    let start = |run: usize| match runs {
        1 => 0,
        _ => (frames - length) * run / (runs - 1),
    };
    (0..runs).flat_map(|run| start(run)..start(run) + length).collect()
}
