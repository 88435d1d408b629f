//! Recognises glitches.
//!
//! In a glitch a joint is far from the curve through the frames around, further than it moves between those frames and
//! much further than neighbouring frames are from their own curves. A kick or a stamp is fast in the frames around too,
//! and a shaking capture is rough everywhere, so that neither is a glitch.

use surefoot_core::math::PI;
use surefoot_core::{FrameRange, JointId, Leg, Motion, Pose};

use super::curve::{Placement, angle_between, predicted};
use super::{Glitch, Jump};

/// Smallest jump of a joint, in radians: 4°. At 120 frames per second that is an acceleration of 115,000 °/s².
const MIN_ANGLE: f64 = 0.07;
/// Smallest jump of a root, and of the farthest point that a turning joint moves, in metres. Less is hard to see.
const MIN_DISTANCE: f64 = 0.015;
/// A jump is at least this many times as large as the largest step between the frames around: one of a single frame, and
/// a longer one, which a fast movement resembles more.
const MIN_STEPS: [f64; 2] = [1.5, 2.0];
/// A jump is at least this many times as large as the distances of the frames nearby from their own curves.
const MIN_ROUGHNESS: f64 = 4.0;
/// Smallest jumps of a joint that takes part in a glitch of other joints, in radians (1°) and metres, and their size as a
/// multiple of the distances of the frames nearby from their own curves.
const MIN_PART_ANGLE: f64 = 0.017;
const MIN_PART_DISTANCE: f64 = 0.002;
const MIN_PART_ROUGHNESS: f64 = 1.5;
/// Time on either side in which the roughness is measured, in seconds, and the fewest frames of it.
const ROUGHNESS_TIME: f64 = 0.15;
const MIN_ROUGHNESS_FRAMES: usize = 8;
/// The largest distances nearby that do not count: those of another glitch, which bends the curves of the frames beside it.
const IGNORED_FRAMES: usize = 4;
/// Fewest frames nearby from which the roughness is known. Without them nothing is a glitch.
const MIN_COUNTED_FRAMES: usize = 6;
/// Longest glitch, in seconds. A foot can tap in more time.
const MAX_SECONDS: f64 = 0.018;
/// Longest glitch in frames, which bounds the work at any frame rate.
const MAX_FRAMES: usize = 8;
/// Time of a glitch of two frames, at the most, in seconds: captures at 45 frames per second and more can have it.
const MAX_SECONDS_OF_TWO_FRAMES: f64 = 0.045;

/// Finds the glitches of the joints that carry or are part of the legs, with all other joints that jump at the same time.
/// Frames before `first_frame` are not part of the performance.
pub fn find(motion: &Motion, legs: &[Leg], first_frame: usize) -> Vec<Glitch> {
    let search = Search { motion, first_frame, levers: levers(motion, legs) };
    let toes = legs.iter().flat_map(|leg| [leg.heel.joint, leg.ball.joint, leg.toe.joint]);
    let of_legs = motion.skeleton.with_ancestors(legs.iter().flat_map(Leg::joints).chain(toes));
    let longest = longest_glitch(motion.fps);
    let mut glitches = Vec::new();
    // A frame at an end of the motion has nothing to come back to.
    let mut frame = first_frame + 2;
    while frame + 2 < motion.frames() {
        let leaves = of_legs.iter().any(|joint| search.leaves(joint.index(), frame));
        let longest = if leaves { longest } else { 0 };
        let found = (1..=longest).find_map(|length| {
            let gap = frame..frame + length;
            of_legs.iter().any(|joint| search.is_glitch(*joint, &gap)).then(|| Glitch {
                jumps: motion.skeleton.ids().filter_map(|joint| search.takes_part(joint, &gap)).collect(),
                frames: gap,
            })
        });
        frame += found.as_ref().map_or(1, |glitch| glitch.frames.len());
        glitches.extend(found);
    }
    glitches
}

/// The longest glitch, in frames.
fn longest_glitch(fps: f64) -> usize {
    let frames = |seconds: f64| (seconds * fps) as usize;
    frames(MAX_SECONDS).min(MAX_FRAMES).max(frames(MAX_SECONDS_OF_TWO_FRAMES).clamp(1, 2))
}

/// A motion in which glitches are looked for.
struct Search<'a> {
    motion: &'a Motion,
    first_frame: usize,
    /// The distance from each joint to the farthest point that it turns, in metres.
    levers: Vec<f64>,
}

/// Rotation in radians and distance in metres by which a joint moves or is off.
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    angle: f64,
    distance: f64,
}

impl Size {
    fn max(self, other: Self) -> Self {
        Self { angle: self.angle.max(other.angle), distance: self.distance.max(other.distance) }
    }

    fn min(self, other: Self) -> Self {
        Self { angle: self.angle.min(other.angle), distance: self.distance.min(other.distance) }
    }
}

impl Search<'_> {
    /// Whether a joint jumps away in the frames of a gap and comes back after them.
    fn is_glitch(&self, joint: JointId, gap: &FrameRange) -> bool {
        let at = joint.index();
        if gap.end + 1 >= self.motion.frames() || !self.leaves(at, gap.start) || !self.returns(at, gap.end) {
            return false;
        }
        let jump = |frame| self.off_curve(at, gap, frame);
        // A fast turn is off its curve too, but it goes on instead of coming back.
        let ends = self.step(at, gap.start - 1, gap.start).min(self.step(at, gap.end - 1, gap.end));
        let smallest = gap.clone().map(jump).fold(ends, Size::min);
        let steps = self.largest_step(at, gap);
        let least_angle = MIN_ANGLE.max(MIN_DISTANCE / self.levers[at].max(MIN_DISTANCE));
        let min_steps = MIN_STEPS[usize::from(gap.len() > 1)];
        let is_far = |jump: f64, least: f64, step: f64| jump > least && jump > min_steps * step;
        let turns = is_far(smallest.angle, least_angle, steps.angle);
        let moves = is_far(smallest.distance, MIN_DISTANCE, steps.distance);
        if !turns && !moves {
            return false;
        }
        let roughness = self.roughness(at, gap);
        let turns = turns && smallest.angle > MIN_ROUGHNESS * roughness.angle;
        let moves = moves && smallest.distance > MIN_ROUGHNESS * roughness.distance;
        turns || moves
    }

    /// The jump of a joint in a glitch that other joints show; `None` if it keeps to its curve. Joints often jump against
    /// each other, so that a smaller jump counts here: without it the repaired limb would be where it never was.
    fn takes_part(&self, joint: JointId, gap: &FrameRange) -> Option<Jump> {
        let at = joint.index();
        let jump = |frame| self.off_curve(at, gap, frame);
        let Size { angle, distance } = gap.clone().map(jump).fold(Size::default(), Size::max);
        if angle < MIN_PART_ANGLE && distance < MIN_PART_DISTANCE {
            return None;
        }
        let roughness = self.roughness(at, gap);
        let turns = angle > MIN_PART_ANGLE && angle > MIN_PART_ROUGHNESS * roughness.angle;
        let moves = distance > MIN_PART_DISTANCE && distance > MIN_PART_ROUGHNESS * roughness.distance;
        (turns || moves).then_some(Jump { joint, angle, distance })
    }

    /// Whether a joint makes a large step between two neighbouring frames, of which `outside` is the one that is not part of
    /// the glitch and `before` the one on its other side. This is cheap and rules nearly all frames out.
    fn jumps(&self, joint: usize, before: usize, outside: usize, inside: usize) -> bool {
        let [before, outside, inside] = [before, outside, inside].map(|frame| &self.motion.poses[frame]);
        // The cosine of half the angle.
        let cos = outside.rotations[joint].dot(inside.rotations[joint]).abs();
        if cos < 1.0 - 0.08 * MIN_ANGLE * MIN_ANGLE {
            return true;
        }
        // A root that travels moves as far before.
        let [a, b, c] = [before, outside, inside].map(|pose| pose.offsets[joint]);
        (c - b - (b - a)).length_squared() > 0.25 * MIN_DISTANCE * MIN_DISTANCE
    }

    fn leaves(&self, joint: usize, start: usize) -> bool {
        self.jumps(joint, start - 2, start - 1, start)
    }

    fn returns(&self, joint: usize, end: usize) -> bool {
        self.jumps(joint, end + 1, end, end - 1)
    }

    /// The distance of a joint from the curve through the frames around a gap.
    fn off_curve(&self, joint: usize, gap: &FrameRange, frame: usize) -> Size {
        let base = &self.motion.poses[gap.start - 1];
        let actual = Placement::relative(&self.motion.poses[frame], base, joint);
        let expected = predicted(self.motion, joint, gap, frame);
        Size {
            angle: (actual.rotation - expected.rotation).length().min(PI),
            distance: (actual.offset - expected.offset).length(),
        }
    }

    /// The largest step of a joint from frame to frame in the three frames on either side of a gap, and across it.
    fn largest_step(&self, joint: usize, gap: &FrameRange) -> Size {
        let last = self.motion.frames() - 1;
        let before = gap.start.saturating_sub(3).max(self.first_frame)..gap.start - 1;
        let after = gap.end..(gap.end + 2).min(last);
        let steps = before.chain(after).map(|frame| self.step(joint, frame, frame + 1));
        let across = self.step(joint, gap.start - 1, gap.end);
        let per_frame = 1.0 / (gap.len() + 1) as f64;
        let across = Size { angle: across.angle * per_frame, distance: across.distance * per_frame };
        steps.fold(across, Size::max)
    }

    fn step(&self, joint: usize, from: usize, to: usize) -> Size {
        let (from, to) = (&self.motion.poses[from], &self.motion.poses[to]);
        Size {
            angle: angle_between(from.rotations[joint], to.rotations[joint]),
            distance: from.offsets[joint].distance(to.offsets[joint]),
        }
    }

    /// How far the frames near a gap are from their own curves.
    fn roughness(&self, joint: usize, gap: &FrameRange) -> Size {
        let reach = ((ROUGHNESS_TIME * self.motion.fps) as usize).max(MIN_ROUGHNESS_FRAMES) + 2;
        let first = gap.start.saturating_sub(reach).max(self.first_frame + 2);
        let end = (gap.end + reach).min(self.motion.frames() - 2);
        // The curve of a frame goes through the two frames on either side, which must not be those of the gap.
        let apart = (first..gap.start.saturating_sub(2)).chain(gap.end + 2..end);
        let off = |frame: usize| self.off_curve(joint, &(frame..frame + 1), frame);
        let (mut angles, mut distances): (Vec<f64>, Vec<f64>) =
            apart.map(off).map(|Size { angle, distance }| (angle, distance)).unzip();
        Size { angle: largest_counted(&mut angles), distance: largest_counted(&mut distances) }
    }
}

/// The largest of some numbers apart from [`IGNORED_FRAMES`] larger ones; infinite if there are too few.
fn largest_counted(numbers: &mut [f64]) -> f64 {
    if numbers.len() < MIN_COUNTED_FRAMES + IGNORED_FRAMES {
        return f64::INFINITY;
    }
    let at = numbers.len() - 1 - IGNORED_FRAMES;
    *numbers.select_nth_unstable_by(at, f64::total_cmp).1
}

/// The distance from each joint to the farthest joint or foot point below it in the rest pose, in metres.
fn levers(motion: &Motion, legs: &[Leg]) -> Vec<f64> {
    let skeleton = &motion.skeleton;
    let rest = Pose::rest(skeleton).world(skeleton);
    let mut levers = vec![0.0_f64; skeleton.len()];
    let points = legs.iter().flat_map(|leg| [&leg.heel, &leg.ball, &leg.toe]);
    let points = points.map(|point| (point.joint, rest.point(point)));
    for (joint, position) in skeleton.ids().map(|joint| (joint, rest.joint(joint))).chain(points) {
        let mut above = Some(joint);
        while let Some(joint) = above {
            let lever = &mut levers[joint.index()];
            *lever = lever.max(rest.joint(joint).distance(position));
            above = skeleton.parent(joint);
        }
    }
    levers
}
