//! Splits a slow run into the levels at which a point rests: the floor, a step, a box.
//!
//! A level holds the frames within [`MAX_RISE`] of its lowest frame. The frames above it form parts,
//! each with a lowest frame and a level of its own. In the Cartesian tree of the heights, where every
//! frame is above its parent, a part is a subtree and a level is the top of a subtree. So every frame
//! is visited once, however many levels a run has.

use super::slow_runs::{MAX_RISE, MIN_RAISED_TIME};
use crate::signal::{min, quantile, work};
use crate::tracks::{PointTrack, PointTracks};
use surefoot_core::{FootPoint, FrameRange};

/// Splits a slow run into parts in which the point stays at one height, in order of time. `other` is
/// the other point of the same foot.
///
/// A part that was lifted may rest higher up, for example on a step, unless it is a heel whose ball
/// is still down: that foot stands on its ball, as when rising from a chair.
pub(super) fn split_by_height(
    run: FrameRange,
    track: &PointTrack,
    other: &PointTrack,
    tracks: &PointTracks,
) -> Vec<FrameRange> {
    let (heights, other_heights) = (&track.heights[run.clone()], &other.heights[run.clone()]);
    let tree = HeightTree::new(heights);
    let min_frames = tracks.min_run(MIN_RAISED_TIME);
    let mut level_of_frame: Vec<Option<usize>> = vec![None; heights.len()];
    let mut parts: Vec<Part> = tree.root.map(|root| Part::new(root, heights.len())).into_iter().collect();
    let mut count = 0;
    while let Some(part) = parts.pop() {
        let (level, raised) = tree.level_and_raised_parts(&part, heights);
        let others: Vec<f64> = level.iter().map(|&frame| other_heights[frame]).collect();
        let stands_on_ball = track.point == FootPoint::Heel && quantile(&others, 0.5) < part.other_limit;
        if stands_on_ball {
            continue;
        }
        level.iter().for_each(|&frame| level_of_frame[frame] = Some(count));
        count += 1;
        let other_limit = min(&others) + MAX_RISE;
        let long = raised.into_iter().filter(|part| part.frames.len() >= min_frames);
        parts.extend(long.map(|part| Part { other_limit, ..part }));
    }
    runs_of_levels(&level_of_frame, run.start)
}

/// The unbroken runs of frames of one level. `first` is the frame of the first entry.
fn runs_of_levels(level_of_frame: &[Option<usize>], first: usize) -> Vec<FrameRange> {
    let mut start = first;
    let mut runs = Vec::new();
    for run in level_of_frame.chunk_by(|a, b| a == b) {
        if run[0].is_some() {
            runs.push(start..start + run.len());
        }
        start += run.len();
    }
    runs
}

/// Consecutive frames that are all above a lower level: a subtree. Frames count from the start of the run.
struct Part {
    /// The lowest frame.
    root: usize,
    frames: FrameRange,
    /// Height of the other point below which the foot still stands on it, from the level below.
    other_limit: f64,
}

impl Part {
    /// The part of a whole run, with no level below.
    fn new(root: usize, frames: usize) -> Self {
        Self { root, frames: 0..frames, other_limit: f64::NEG_INFINITY }
    }
}

/// The Cartesian tree of some heights: the lowest frame is the root, with the trees of the frames
/// before and after it as children.
struct HeightTree {
    root: Option<usize>,
    /// The roots of the trees before and after each frame.
    children: Vec<[Option<usize>; 2]>,
}

impl HeightTree {
    /// Builds the tree in one pass: the stack holds the path from the root to the last frame.
    fn new(heights: &[f64]) -> Self {
        let mut children = vec![[None, None]; heights.len()];
        let mut path: Vec<usize> = Vec::new();
        for frame in 0..heights.len() {
            work::count(1);
            let mut before = None;
            while let Some(&last) = path.last().filter(|last| heights[**last] > heights[frame]) {
                before = Some(last);
                path.pop();
                work::count(1);
            }
            children[frame][0] = before;
            if let Some(&parent) = path.last() {
                children[parent][1] = Some(frame);
            }
            path.push(frame);
        }
        Self { root: path.first().copied(), children }
    }

    /// The frames of a part's own level, in no particular order, and the parts above it.
    fn level_and_raised_parts(&self, part: &Part, heights: &[f64]) -> (Vec<usize>, Vec<Part>) {
        let lowest = heights[part.root];
        let (mut level, mut raised) = (Vec::new(), Vec::new());
        let mut pending = vec![(part.root, part.frames.clone())];
        while let Some((frame, frames)) = pending.pop() {
            work::count(1);
            level.push(frame);
            let sides = [frames.start..frame, frame + 1..frames.end];
            for (child, frames) in self.children[frame].into_iter().zip(sides) {
                let Some(root) = child else { continue };
                // A difference, because a limit of 1e15 m + 4 cm is rounded to 1e15 m.
                if heights[root] - lowest < MAX_RISE {
                    pending.push((root, frames));
                } else {
                    raised.push(Part { root, frames, other_limit: f64::NEG_INFINITY });
                }
            }
        }
        (level, raised)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(point: FootPoint, heights: Vec<f64>) -> PointTrack {
        PointTrack {
            leg: 0,
            point,
            positions: Vec::new(),
            ground_positions: Vec::new(),
            velocities: Vec::new(),
            hip_heights: Vec::new(),
            heights,
        }
    }

    /// The parts of a ball with these heights at 100 fps.
    fn parts(heights: &[f64]) -> Vec<FrameRange> {
        let ball = track(FootPoint::Ball, heights.to_vec());
        let heel = track(FootPoint::Heel, heights.to_vec());
        let tracks = PointTracks::without_points(heights.len(), 100.0);
        split_by_height(0..heights.len(), &ball, &heel, &tracks)
    }

    /// Levels of these heights, each with its number of frames.
    fn levels(levels: &[(f64, usize)]) -> Vec<f64> {
        levels.iter().flat_map(|&(height, frames)| vec![height; frames]).collect()
    }

    #[test]
    fn a_run_is_split_into_its_levels() {
        assert_eq!(parts(&levels(&[(0.0, 50), (0.2, 40)])), [0..50, 50..90]);
        assert_eq!(parts(&levels(&[(0.4, 40), (0.0, 50), (0.2, 40)])), [0..40, 40..90, 90..130]);
        // A level that is left and reached again counts as two parts; parts that are too short are dropped.
        assert_eq!(parts(&levels(&[(0.0, 50), (0.2, 10), (0.01, 40)])), [0..50, 60..100]);
        assert!(parts(&[]).is_empty());
    }

    #[test]
    fn a_raised_heel_over_its_ball_is_no_level() {
        let heel = track(FootPoint::Heel, levels(&[(0.0, 50), (0.1, 50)]));
        let ball = track(FootPoint::Ball, vec![0.0; 100]);
        let tracks = PointTracks::without_points(100, 100.0);
        let [heels, balls] = [(&heel, &ball), (&ball, &heel)]
            .map(|(point, other)| split_by_height(0..100, point, other, &tracks));
        let expected = [0..50, 0..100].map(|part: FrameRange| vec![part]);
        assert_eq!([heels, balls], expected);
    }

    #[test]
    fn heights_without_resolution_and_without_order_are_one_level_each() {
        assert_eq!(parts(&[1e15; 100]).len(), 1);
        assert!(parts(&[f64::NAN; 100]).len() <= 100);
        assert!(parts(&[f64::INFINITY; 100]).len() <= 100);
    }

    #[test]
    fn the_work_is_linear_in_frames() {
        let heights: [fn(u32) -> f64; 3] = [
            |frame| 0.003 * f64::from(frame),
            |frame| -0.003 * f64::from(frame),
            |frame| f64::from(frame * 7919 % 1009),
        ];
        for height in heights {
            let heights = |frames: u32| (0..frames).map(height).collect::<Vec<f64>>();
            let visits = |frames: u32| work::measure(|| parts(&heights(frames)));
            let (short, long) = (visits(10_000), visits(80_000));
            assert!(short > 10_000 && long <= 8 * short + 1_000, "{short} and {long} visits");
        }
    }
}
