//! Bends the torso towards planted hands before their arms become straight.
//!
//! A leg hangs from the root, so that moving the root brings its hip nearer. The trunk between the root and the
//! shoulders bends, and a person who leans on a wall uses it before the arm is straight. So each frame gets the
//! smallest rotation of the spine that leaves every planted arm a little bent; the corrections are spread over the
//! frames around, and over all joints of the spine. The phases then make up for the rest with root and arm.
//!
//! Runs before the phases, on whole motions; motions without planted hands are not changed.

use surefoot_core::math::{Mat3, fade};
use surefoot_core::{Clip, Floor, Footplants, JointId, Leg, Plant, Pose, Quat, Skeleton, Vec3, WorldPose};

use crate::kinematics::rotation::exp;

/// Reach of an arm at which the torso starts to bend, as a fraction of the straight arm: the elbow is then bent by 28°.
/// An arm that was captured straighter may stay so. Larger values leave more to root and arm.
const COMFORTABLE_REACH: f64 = 0.97;

/// Largest rotation of the spine, in radians: 17°. More changes the pose visibly.
const MOST_LEAN: f64 = 0.3;

/// Squared lever arm below which the torso hardly moves a shoulder towards its hand, in square metres. Smaller values
/// bend the torso far for little.
const LEAST_LEVER_SQUARED: f64 = 0.005;

/// Time over which a bend of the torso fades to either side, in seconds.
const FADE_TIME: f64 = 0.3;

/// A clip whose torso is bent towards its planted hands; `None` where no arm has to reach further than is comfortable.
///
/// Plants count from the first frame of the performance.
pub(crate) fn lean(clip: &Clip, plants: &Footplants) -> Option<Clip> {
    let hands: Vec<HeldHand> = plants.plants.iter().filter_map(|plant| HeldHand::new(plant, clip)).collect();
    let spine = spine(&clip.motion.skeleton, &clip.legs);
    if hands.is_empty() || spine.is_empty() {
        return None;
    }
    let poses = clip.performance_poses();
    let mut world = WorldPose::default();
    let wanted = |(frame, pose): (usize, &Pose)| {
        let held = || hands.iter().filter(|hand| hand.plant.frames.contains(&frame));
        if held().next().is_none() {
            return Vec3::ZERO;
        }
        pose.forward_kinematics(&clip.motion.skeleton, &mut world);
        rotation_for(held().filter_map(|hand| hand.reach_row(&world, &spine)))
    };
    let wanted: Vec<Vec3> = poses.iter().enumerate().map(wanted).collect();
    if wanted.iter().all(|rotation| *rotation == Vec3::ZERO) {
        return None;
    }
    let mut leaning = clip.clone();
    let performance = leaning.motion.poses.iter_mut().skip(clip.first_frame);
    for (pose, rotation) in performance.zip(spread(&wanted, clip.motion.fps)) {
        if rotation != Vec3::ZERO {
            bend(pose, &clip.motion.skeleton, &spine, rotation);
        }
    }
    Some(leaning)
}

/// A planted hand and its spot.
struct HeldHand<'a> {
    plant: &'a Plant,
    arm: &'a Leg,
    spot: Vec3,
}

impl<'a> HeldHand<'a> {
    /// `None` for the plant of a foot.
    fn new(plant: &'a Plant, clip: &'a Clip) -> Option<Self> {
        let arm = clip.legs.get(plant.leg).filter(|leg| leg.is_arm())?;
        let first = clip.first_frame;
        let in_motion =
            Plant { frames: plant.frames.start + first..plant.frames.end + first, ..plant.clone() };
        let mean =
            || in_motion.mean_position(&clip.motion, &clip.legs).map(|mean| above(clip.floor.as_ref(), mean));
        Some(Self { plant, arm, spot: plant.spot.or_else(mean).filter(|spot| spot.is_finite())? })
    }

    /// What a small rotation of the spine must do for this hand; `None` where its arm reaches comfortably.
    fn reach_row(&self, world: &WorldPose, spine: &[JointId]) -> Option<ReachRow> {
        let Leg { hip, knee, ankle, .. } = *self.arm;
        let [shoulder, elbow, wrist] = [hip, knee, ankle].map(|joint| world.joint(joint));
        let point = world.point(self.arm.point(self.plant.point));
        let to_target = wrist + self.spot - point - shoulder;
        let straight = shoulder.distance(elbow) + elbow.distance(wrist);
        let comfortable = (COMFORTABLE_REACH * straight).max(shoulder.distance(wrist));
        let deficit = to_target.length() - comfortable;
        let towards = to_target.try_normalize().filter(|_| deficit > 0.0)?;
        let levers: Vec3 = spine.iter().map(|&joint| shoulder - world.joint(joint)).sum();
        // Each joint of the spine takes an equal share of the rotation.
        let lever = levers / spine.len() as f64;
        Some(ReachRow { axis: lever.cross(towards), deficit })
    }
}

/// A position, raised onto the floor if it is below.
fn above(floor: Option<&Floor>, position: Vec3) -> Vec3 {
    match floor {
        Some(floor) if floor.above(position) < 0.0 => floor.nearest(position),
        _ => position,
    }
}

/// `axis · rotation = deficit` brings a shoulder near enough to its hand.
struct ReachRow {
    /// Movement of the shoulder towards its hand per radian about each axis, in metres.
    axis: Vec3,
    /// In metres.
    deficit: f64,
}

/// The rotation vector that satisfies the rows best; small where no rotation helps much.
fn rotation_for(rows: impl Iterator<Item = ReachRow>) -> Vec3 {
    let mut normal = Mat3::from_diagonal(Vec3::splat(LEAST_LEVER_SQUARED));
    let mut right = Vec3::ZERO;
    for ReachRow { axis, deficit } in rows {
        normal += Mat3::from_cols(axis * axis.x, axis * axis.y, axis * axis.z);
        right += axis * deficit;
    }
    (normal.inverse() * right).clamp_length_max(MOST_LEAN)
}

/// Rotations spread over the frames around: at each frame the largest of those around, faded by its distance, and then the
/// mean of the frames around.
fn spread(wanted: &[Vec3], fps: f64) -> Vec<Vec3> {
    let half = (FADE_TIME * fps).max(1.0);
    let eased = around(wanted, half, |sum: &mut Vec3, rotation, distance| {
        let faded = rotation * fade(distance);
        if faded.length_squared() > sum.length_squared() {
            *sum = faded;
        }
    });
    let total: f64 = offsets(0.5 * half).map(|(_, distance)| fade(distance)).sum();
    around(&eased, 0.5 * half, |sum: &mut Vec3, rotation, distance| {
        *sum += rotation * (fade(distance) / total)
    })
}

/// Combines at each frame the values up to `half` frames away; `add` gets the distance as a fraction of `half`. Beyond both
/// ends the first and the last value go on.
fn around(values: &[Vec3], half: f64, add: impl Fn(&mut Vec3, Vec3, f64)) -> Vec<Vec3> {
    let last = values.len() as isize - 1;
    let at = |frame: usize| {
        let mut sum = Vec3::ZERO;
        for (offset, distance) in offsets(half) {
            add(&mut sum, values[(frame as isize + offset).clamp(0, last) as usize], distance);
        }
        sum
    };
    (0..values.len()).map(at).collect()
}

/// Distances in frames up to `half`, and as fractions of it.
fn offsets(half: f64) -> impl Iterator<Item = (isize, f64)> {
    let whole = half as isize;
    (-whole..=whole).map(move |offset| (offset, offset.unsigned_abs() as f64 / half))
}

/// The joints that move all shoulders and no leg, from the lowest up.
fn spine(skeleton: &Skeleton, legs: &[Leg]) -> Vec<JointId> {
    let path =
        |joint: JointId| core::iter::successors(skeleton.parent(joint), |&above| skeleton.parent(above));
    let moves = |joint: JointId, leg: &Leg| path(leg.hip).any(|above| above == joint) || leg.hip == joint;
    let Some(arm) = legs.iter().find(|leg| leg.is_arm()) else { return Vec::new() };
    let mut spine: Vec<JointId> =
        path(arm.hip).filter(|joint| legs.iter().all(|leg| moves(*joint, leg) == leg.is_arm())).collect();
    spine.reverse();
    spine
}

/// Rotates the spine of a pose by a rotation vector in world space, an equal share at each of its joints.
fn bend(pose: &mut Pose, skeleton: &Skeleton, spine: &[JointId], rotation: Vec3) {
    let share = exp(rotation / spine.len() as f64);
    let world = pose.world(skeleton);
    let mut above = Quat::IDENTITY;
    for &joint in spine {
        let parent =
            skeleton.parent(joint).map_or(Quat::IDENTITY, |parent| above * world.rotations[parent.index()]);
        above = share * above;
        pose.rotations[joint.index()] = parent.conjugate() * above * world.rotations[joint.index()];
    }
}
