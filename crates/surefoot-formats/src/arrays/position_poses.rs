//! Poses from joint positions alone.
//!
//! Positions leave the rotation of a joint about its bone open, and the rotation of the last joint of a chain. Any choice
//! gives the same positions, so the rotations are chosen for what is computed from them: a joint with several children
//! takes the rotation that fits all of them best, one with a single child the smallest rotation from its parent, and an
//! ankle the one that keeps the foot from rolling, so that a heel behind the ankle depends on the ankle and the toes only.
//! The offset of each joint is its bone in that frame, so that every position is met and bones keep their captured
//! lengths.

use surefoot_core::math::{Mat3, Quat, Vec3, sincos};
use surefoot_core::{JointId, Motion, Pose};
use surefoot_infer::{Excerpt, Overrides, infer};

use super::body::Body;
use super::joint_orders::Place;
use crate::excerpt::excerpt_frames;

/// Most frames in which bones are measured; more change nothing.
const MEASURED: usize = 1000;
/// Variation of a bone, as a share of the body's size, that is rounding: such a bone has one length.
const RIGID: f64 = 1e-5;
/// Sine of the angle between foot and up axis below which the side of the foot follows the pelvis.
const UPRIGHT_FOOT: f64 = 0.2;
/// Steps of the fit to several bones; it converges in three to eight.
const FIT_STEPS: usize = 20;

/// Poses and the offsets of their skeleton.
pub(super) struct PositionPoses {
    pub offsets: Vec<Vec3>,
    pub poses: Vec<Pose>,
}

/// The positions of the joints of a body in a row of an array.
pub(super) fn positions_in_row(body: &Body, row: &[f64]) -> Vec<Vec3> {
    let stored = |at: usize| Vec3::from_slice(&row[3 * at..]);
    let place = |place: &Place| match *place {
        Place::Stored(at) => stored(at),
        Place::Middle(a, b) => 0.5 * (stored(a) + stored(b)),
    };
    body.joints.iter().map(|joint| place(&joint.place)).collect()
}

/// Computes poses with these positions, one list per frame.
///
/// The ankles of a body whose joint order is not known are inferred, as those of any motion.
pub(super) fn poses(body: &Body, frames: &[Vec<Vec3>], fps: f64) -> PositionPoses {
    let rules = Rules::new(body, frames, &Feet::of_order(body, frames));
    let first = poses_by(&rules, frames);
    if !body.has_lengths && body.joints.iter().any(|joint| joint.offset != Vec3::ZERO) {
        return first;
    }
    match Feet::inferred(body, first, fps) {
        Ok(feet) => poses_by(&Rules::new(body, frames, &feet), frames),
        Err(without_feet) => without_feet,
    }
}

fn poses_by(rules: &Rules, frames: &[Vec<Vec3>]) -> PositionPoses {
    let body = rules.body;
    let mut poses = Vec::with_capacity(frames.len());
    let mut world = vec![Quat::IDENTITY; body.joints.len()];
    for (frame, positions) in frames.iter().enumerate() {
        rules.rotate(positions, &mut world, frame == 0);
        poses.push(pose(body, positions, &world));
    }
    let offsets = rest_offsets(body, &mut poses);
    PositionPoses { offsets, poses }
}

/// The pose with these positions and world rotations.
fn pose(body: &Body, positions: &[Vec3], world: &[Quat]) -> Pose {
    let mut pose = Pose::default();
    for (joint, (position, rotation)) in body.joints.iter().zip(positions.iter().zip(world)) {
        let (offset, rotation) = match joint.parent.map(JointId::index) {
            None => (*position, *rotation),
            Some(parent) => {
                let back = world[parent].conjugate();
                (back * (*position - positions[parent]), (back * *rotation).normalize())
            }
        };
        pose.offsets.push(offset);
        pose.rotations.push(rotation);
    }
    pose
}

/// The mean offset of each joint. Offsets that vary by rounding only are replaced by it.
fn rest_offsets(body: &Body, poses: &mut [Pose]) -> Vec<Vec3> {
    let count = poses.len().max(1) as f64;
    let size: f64 =
        poses.first().map_or(0.0, |pose| pose.offsets.iter().skip(1).map(|bone| bone.length()).sum());
    let mut offsets = vec![Vec3::ZERO; body.joints.len()];
    for (at, _) in body.joints.iter().enumerate().filter(|(_, joint)| joint.parent.is_some()) {
        let mean = poses.iter().map(|pose| pose.offsets[at]).sum::<Vec3>() / count;
        let is_rigid = poses.iter().all(|pose| pose.offsets[at].distance(mean) <= RIGID * size);
        if is_rigid {
            poses.iter_mut().for_each(|pose| pose.offsets[at] = mean);
        }
        offsets[at] = mean;
    }
    offsets
}

/// How the rotation of a joint follows from positions.
enum Rule {
    /// The last joint of a chain rotates with its parent.
    Last,
    /// An ankle without a foot keeps one rotation.
    Footless,
    /// The smallest rotation from the parent that points the bone at the child.
    Swing { child: usize, direction: Vec3 },
    /// An ankle whose foot does not roll.
    Ankle { toes: usize },
    /// The best fit to several children, with their directions at rest.
    Fit(Vec<(usize, Vec3)>),
}

/// The ankles of a body, and the axis of the file that points up.
struct Feet {
    ankles: Vec<usize>,
    up: Vec3,
}

impl Feet {
    /// The feet of a data set, whose shins point down at rest and whose feet point ahead or are missing.
    fn of_order(body: &Body, frames: &[Vec<Vec3>]) -> Self {
        let is =
            |at: usize, direction: Vec3| !body.has_lengths && body.joints[at].offset.dot(direction) > 0.9;
        let is_shin = |at: usize| is(at, Vec3::NEG_Y);
        let is_ankle =
            |(at, below): (usize, &Vec<usize>)| is_shin(at) && !below.iter().any(|&at| is_shin(at));
        let children = body.children();
        let ankles = children.iter().enumerate().filter(|one| is_ankle(*one)).map(|(at, _)| at).collect();
        Self { ankles, up: up_axis(body, frames, &is_shin) }
    }

    /// The feet that are inferred from the poses of a motion. Without legs the poses are returned.
    fn inferred(body: &Body, made: PositionPoses, fps: f64) -> Result<Self, PositionPoses> {
        let PositionPoses { offsets, poses } = made;
        let frames = excerpt_frames(poses.len(), body.joints.len());
        let some = frames.iter().map(|&frame| poses[frame].clone()).collect();
        let motion = Motion { skeleton: body.skeleton(&offsets), fps, poses: some };
        let inference = infer(&Excerpt { motion, frames }, &Overrides::default());
        match inference.legs {
            Ok(legs) => Ok(Self {
                ankles: legs.value.iter().map(|leg| leg.ankle.index()).collect(),
                up: inference.up.value.direction(),
            }),
            Err(_) => Err(PositionPoses { offsets, poses }),
        }
    }
}

struct Rules<'a> {
    body: &'a Body,
    rules: Vec<Rule>,
    /// The axis of the file that points up.
    up: Vec3,
}

impl<'a> Rules<'a> {
    fn new(body: &'a Body, frames: &[Vec<Vec3>], feet: &Feet) -> Self {
        let rest = |at: usize| rest_direction(body, frames, at);
        let rule = |(at, children): (usize, &Vec<usize>)| {
            let is_ankle = feet.ankles.contains(&at);
            match children.as_slice() {
                [] if is_ankle => Rule::Footless,
                [] => Rule::Last,
                &[toes] if is_ankle => Rule::Ankle { toes },
                &[child] => Rule::Swing { child, direction: rest(child) },
                several => Rule::Fit(several.iter().map(|&child| (child, rest(child))).collect()),
            }
        };
        Self { body, rules: body.children().iter().enumerate().map(rule).collect(), up: feet.up }
    }

    /// The world rotations of a frame. `world` holds those of the frame before, which a fit starts from.
    fn rotate(&self, positions: &[Vec3], world: &mut [Quat], is_first: bool) {
        for (at, rule) in self.rules.iter().enumerate() {
            let parent = self.body.joints[at].parent.map(JointId::index);
            let parent_rotation = parent.map_or(Quat::IDENTITY, |parent| world[parent]);
            let bone = |child: usize| (positions[child] - positions[at]).try_normalize();
            world[at] = match rule {
                Rule::Last => parent_rotation,
                Rule::Footless => Quat::from_rotation_arc(Vec3::Y, self.up),
                Rule::Swing { child, direction } => match bone(*child) {
                    Some(bone) => swing(parent_rotation * *direction, bone) * parent_rotation,
                    None => parent_rotation,
                },
                Rule::Ankle { toes } => match bone(*toes) {
                    Some(foot) => self.level_foot(foot, world[0] * Vec3::X),
                    None => parent_rotation,
                },
                Rule::Fit(children) => {
                    let pairs: Vec<(Vec3, Vec3)> =
                        children.iter().filter_map(|&(child, rest)| Some((rest, bone(child)?))).collect();
                    let start = if is_first { first_guess(&pairs, parent_rotation) } else { world[at] };
                    fit(&pairs, start)
                }
            }
            .normalize();
        }
    }

    /// The rotation of a foot in this direction whose side is level. `side` is the left of the pelvis.
    fn level_foot(&self, foot: Vec3, side: Vec3) -> Quat {
        let level = self.up.cross(foot);
        // A foot beyond the vertical keeps its left on the left.
        let level = if level.dot(side) < 0.0 { -level } else { level };
        let side = side - foot * side.dot(foot);
        let mixed = level + side * (UPRIGHT_FOOT - level.length()).max(0.0);
        let left = mixed.try_normalize().unwrap_or_else(|| foot.any_orthonormal_vector());
        Quat::from_mat3(&Mat3::from_cols(left, foot.cross(left), foot))
    }
}

/// The smallest rotation from one direction to another.
fn swing(from: Vec3, to: Vec3) -> Quat {
    Quat::from_rotation_arc(from.normalize_or(Vec3::Y), to)
}

/// The direction of the bone to a joint at rest: that of the body, or else of the first frame.
fn rest_direction(body: &Body, frames: &[Vec<Vec3>], at: usize) -> Vec3 {
    let joint = &body.joints[at];
    let stated = joint.offset.try_normalize();
    let first = || {
        let (positions, parent) = (frames.first()?, joint.parent?.index());
        (positions[at] - positions[parent]).try_normalize()
    };
    stated.or_else(first).unwrap_or(Vec3::Y)
}

/// The axis along which the bones that point down at rest point up from their ends.
fn up_axis(body: &Body, frames: &[Vec<Vec3>], is_down: &dyn Fn(usize) -> bool) -> Vec3 {
    let step = frames.len().div_ceil(MEASURED).max(1);
    let mut sum = Vec3::ZERO;
    for positions in frames.iter().step_by(step) {
        for (at, joint) in body.joints.iter().enumerate().filter(|(at, _)| is_down(*at)) {
            if let Some(parent) = joint.parent {
                sum += (positions[parent.index()] - positions[at]).normalize_or_zero();
            }
        }
    }
    let axis = (0..3).max_by(|&a, &b| sum[a].abs().total_cmp(&sum[b].abs())).unwrap_or(1);
    let mut up = Vec3::ZERO;
    up[if sum == Vec3::ZERO { 1 } else { axis }] = if sum[axis] < 0.0 { -1.0 } else { 1.0 };
    up
}

/// A rotation that fits the first two bones that are not parallel, from which the fit to all of them starts.
fn first_guess(pairs: &[(Vec3, Vec3)], parent: Quat) -> Quat {
    let frame = |a: Vec3, b: Vec3| {
        let side = a.cross(b).try_normalize()?;
        Some(Mat3::from_cols(a, side, a.cross(side)))
    };
    for (n, &(rest, bone)) in pairs.iter().enumerate() {
        for &(other_rest, other_bone) in &pairs[n + 1..] {
            let is_crossing = rest.cross(other_rest).length() > 0.1 && bone.cross(other_bone).length() > 0.1;
            if let (true, Some(from), Some(to)) =
                (is_crossing, frame(rest, other_rest), frame(bone, other_bone))
            {
                return Quat::from_mat3(&(to * from.transpose()));
            }
        }
    }
    match pairs.first() {
        Some(&(rest, bone)) => swing(parent * rest, bone) * parent,
        None => parent,
    }
}

/// The rotation that turns the directions at rest into the bones with the least squared error (Müller et al. 2016): each
/// step turns by the mean moment of the bones.
fn fit(pairs: &[(Vec3, Vec3)], mut rotation: Quat) -> Quat {
    for _ in 0..FIT_STEPS {
        let (mut moment, mut along) = (Vec3::ZERO, 0.0);
        for &(rest, bone) in pairs {
            let turned = rotation * rest;
            moment += turned.cross(bone);
            along += turned.dot(bone);
        }
        let turn = moment / (along.abs() + 1e-9);
        let angle = turn.length();
        if angle < 1e-12 {
            break;
        }
        let (sin, cos) = sincos(0.5 * angle.min(3.0));
        let axis = turn / angle * sin;
        rotation = (Quat::from_xyzw(axis.x, axis.y, axis.z, cos) * rotation).normalize();
    }
    rotation
}

#[cfg(test)]
mod tests {
    use super::super::joint_orders::JointOrder;
    use super::*;
    use surefoot_core::math::axis_rotation;

    #[test]
    fn poses_have_the_positions_that_they_were_made_from() {
        let body = Body::of_order(JointOrder::named("smpl-22").unwrap());
        let random = |n: usize| ((n * 7919 % 1000) as f64 / 500.0) - 1.0;
        let frame = |f: usize| {
            let position =
                |j: usize| Vec3::new(random(f + 31 * j), random(3 * f + 7 * j + 1), random(f * j + 5));
            (0..22).map(position).collect::<Vec<_>>()
        };
        let frames: Vec<Vec<Vec3>> = (0..20).map(frame).collect();
        let PositionPoses { offsets, poses } = poses(&body, &frames, 30.0);
        let skeleton = body.skeleton(&offsets);
        for (pose, positions) in poses.iter().zip(&frames) {
            let world = pose.world(&skeleton);
            for (found, expected) in world.positions.iter().zip(positions) {
                assert!(found.distance(*expected) < 1e-12);
            }
        }
    }

    #[test]
    fn a_fit_finds_the_rotation_of_a_rigid_body() {
        let rest = [Vec3::X, Vec3::NEG_X, Vec3::Y];
        for turn in [axis_rotation(1, 3.0), axis_rotation(0, 1.0) * axis_rotation(2, 2.5)] {
            let pairs = rest.map(|direction| (direction, turn * direction));
            let found = fit(&pairs, first_guess(&pairs, Quat::IDENTITY));
            assert!(found.dot(turn).abs() > 1.0 - 1e-12, "{turn} was found as {found}");
        }
    }

    #[test]
    fn a_foot_beyond_the_vertical_keeps_its_left() {
        let body = Body::of_order(JointOrder::named("smpl-22").unwrap());
        let rules = Rules { body: &body, rules: Vec::new(), up: Vec3::Y };
        let mut before = rules.level_foot(Vec3::Z, Vec3::X);
        for n in 1..=100 {
            let (sin, cos) = sincos(f64::from(n) * 0.025);
            let now = rules.level_foot(Vec3::new(0.0, -sin, cos), Vec3::X);
            assert!(now.dot(before).abs() > 0.999, "step {n}");
            before = now;
        }
    }
}
