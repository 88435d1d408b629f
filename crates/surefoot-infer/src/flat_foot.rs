//! Measures a foot that stands flat on the floor.
//!
//! Selects the frames in which ankle and toes are lowest and stillest, and averages the positions
//! of the foot's joints and the up direction in the local frame of the ankle. A motion too short to
//! contain a flat foot falls back to the rest pose.

use crate::bones::Bones;
use crate::leg_chain::LegChain;
use crate::pose_samples::{PartialKinematics, PoseSamples};
use crate::sides;
use surefoot_core::JointId;
use surefoot_core::JointPoint;
use surefoot_core::math::{Vec3, asin, atan2, sincos};
use surefoot_core::{Pose, WorldPose};

/// Most frames in which the foot is examined.
const MOST_FRAMES: usize = 800;

/// Share of the examined frames in which the foot is taken to be flat. A walker's foot is flat for
/// a fifth of the time, a runner's for a tenth.
const FLAT_SHARE: f64 = 0.08;

/// Most frames of a flat foot that are averaged.
const MOST_FLAT: usize = 48;
/// Fewest frames of a flat foot. With fewer the rest pose is used, if it stands.
const FEWEST_FLAT: usize = 4;

/// Penalty for speed, in seconds: a foot at half a leg length per second counts as one that is a
/// tenth of a leg length higher.
const SPEED_PENALTY: f64 = 0.2;

/// Largest penalty for horizontal speed, in leg lengths. On a treadmill the stance foot is faster
/// than the swing foot.
const MOST_HORIZONTAL_PENALTY: f64 = 0.05;

/// Penalty for a leaning leg or a foot rotated far from rest, in leg lengths at 90°. The feet of
/// people who lie or tumble are low and still too, but not flat, and a bad fit can turn a foot
/// upside down.
const LEAN_PENALTY: f64 = 1.0;

/// Most joints of a foot; five toes of four joints are twenty.
const MOST_JOINTS: usize = 64;

/// A joint of the foot or the end of its bone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Landmark {
    pub point: JointPoint,
    /// Mean position in the local frame of the ankle while the foot is flat.
    pub position: Vec3,
    /// Whether it is the end of a bone.
    pub is_end: bool,
}

/// A flat foot, in the local frame of its ankle.
pub(crate) struct FlatFoot {
    pub ankle: JointId,
    pub up: Vec3,
    /// The level direction of the toes.
    pub forward: Vec3,
    /// All joints and bone ends below the ankle.
    pub landmarks: Vec<Landmark>,
    /// The end of the foot's main path; `None` if the foot is too short to have a direction.
    pub tip: Option<Landmark>,
    /// The pitch of the foot in the rest pose, if that stands.
    rest_pitch: Option<f64>,
    /// World poses of the flat frames, for points on other joints than the ankle.
    frames: Vec<WorldPose>,
}

impl FlatFoot {
    /// Measures the foot of a leg.
    pub(crate) fn new(leg: &LegChain, up: Vec3, bones: &Bones, samples: &PoseSamples) -> Self {
        let joints = foot_joints(leg.ankle, bones);
        let mut needed = joints.clone();
        needed.extend([leg.hip, leg.knee, leg.ankle]);
        let tip = tip(leg.ankle, bones, samples);
        let (frames, up) = flat_frames(leg, &tip, up, &needed, samples);
        let ends = joints.iter().chain([&leg.ankle]).filter_map(|&joint| {
            let end = samples.skeleton.joint(joint).end?;
            (end.length() > 1e-9 * leg.leg_length()).then_some((JointPoint { joint, offset: end }, true))
        });
        let at_joints = joints.iter().map(|&joint| {
            let offset = Vec3::ZERO;
            (JointPoint { joint, offset }, false)
        });
        let landmark = |(point, is_end): (JointPoint, bool)| Landmark {
            position: mean_in(leg.ankle, &frames, |world| world.point(&point)),
            point,
            is_end,
        };
        let landmarks: Vec<Landmark> = at_joints.chain(ends).map(landmark).collect();
        let tip = Some(landmark((tip, tip.offset != Vec3::ZERO)))
            .filter(|tip| tip.position.length() > SHORTEST_FOOT * leg.leg_length());
        let own_up = mean_in(leg.ankle, &frames, |world| world.joint(leg.ankle) + up);
        let own_up = own_up.try_normalize().unwrap_or(up);
        let forward = tip
            .map(|tip| sides::level(tip.position, own_up))
            .filter(|level| level.length() > SHORTEST_FOOT * leg.leg_length())
            .or_else(|| {
                let ahead = |world: &WorldPose| {
                    let forward = sides::forward(&[*leg], world, up, bones, samples);
                    world.joint(leg.ankle) + forward.unwrap_or(Vec3::ZERO)
                };
                Some(sides::level(mean_in(leg.ankle, &frames, ahead), own_up))
            });
        Self {
            ankle: leg.ankle,
            rest_pitch: rest_pitch(leg, bones, samples),
            forward: (forward.and_then(Vec3::try_normalize))
                .unwrap_or_else(|| own_up.any_orthonormal_vector()),
            up: own_up,
            landmarks,
            tip,
            frames,
        }
    }

    /// The angle of the foot's end below the level of the ankle, in radians.
    fn pitch(&self) -> Option<f64> {
        let tip = self.tip?.position;
        Some(atan2(-self.height(tip), self.ahead(tip)))
    }

    /// Rotates up and forward so that the foot is flat at another pitch.
    fn set_pitch(&mut self, pitch: f64) {
        let Some(now) = self.pitch() else {
            return;
        };
        let (sin, cos) = sincos(pitch - now);
        let (up, forward) = (self.up, self.forward);
        self.up = up * cos - forward * sin;
        self.forward = forward * cos + up * sin;
    }

    /// Height of a position above the ankle.
    pub(crate) fn height(&self, position: Vec3) -> f64 {
        position.dot(self.up)
    }

    /// Distance of a position ahead of the ankle.
    pub(crate) fn ahead(&self, position: Vec3) -> f64 {
        position.dot(self.forward)
    }

    /// Converts a position in the local frame of the ankle to a point on another joint of the foot.
    pub(crate) fn on(&self, joint: JointId, position: Vec3) -> JointPoint {
        let ankle = JointPoint { joint: self.ankle, offset: position };
        let offset = mean_in(joint, &self.frames, |world| world.point(&ankle));
        JointPoint { joint, offset }
    }
}

/// Gives the two feet of a pair the same flat pitch.
///
/// One foot may be tucked or on tiptoe through a whole clip. The common pitch is the median of
/// those of both feet and of the rest pose, if that stands.
pub(crate) fn match_pitches(feet: [&mut FlatFoot; 2]) {
    let [left, right] = feet;
    let (Some(one), Some(other)) = (left.pitch(), right.pitch()) else {
        return;
    };
    let mean = 0.5 * (one + other);
    let rest = (left.rest_pitch.zip(right.rest_pitch)).map_or(mean, |(a, b)| 0.5 * (a + b));
    let pitch = rest.clamp(one.min(other), one.max(other));
    left.set_pitch(pitch);
    right.set_pitch(pitch);
}

/// Length below which a foot has no direction, in leg lengths.
const SHORTEST_FOOT: f64 = 0.03;

/// The joints below an ankle, parents first.
fn foot_joints(ankle: JointId, bones: &Bones) -> Vec<JointId> {
    let mut joints = vec![ankle];
    let mut next = 0;
    while next < joints.len() && joints.len() < MOST_JOINTS {
        let children = &bones.children[joints[next].index()];
        joints.extend(children.iter().take(MOST_JOINTS));
        next += 1;
    }
    joints.remove(0);
    joints
}

/// The end of the main path below the ankle.
fn tip(ankle: JointId, bones: &Bones, samples: &PoseSamples) -> JointPoint {
    let path = bones.path(ankle);
    let joint = path[path.len() - 1];
    let offset = samples.skeleton.joint(joint).end.unwrap_or(Vec3::ZERO);
    JointPoint { joint, offset }
}

/// The mean of a position over the frames, in the local frame of a joint.
fn mean_in(joint: JointId, frames: &[WorldPose], position: impl Fn(&WorldPose) -> Vec3) -> Vec3 {
    let own = |world: &WorldPose| {
        let turn = world.rotations[joint.index()].inverse();
        turn * (position(world) - world.joint(joint))
    };
    frames.iter().map(own).sum::<Vec3>() / frames.len().max(1) as f64
}

/// The frames in which the foot is flat and their up direction; or the rest pose with its own up
/// direction if the motion has too few frames or the foot never stands on its sole.
fn flat_frames(
    leg: &LegChain,
    tip: &JointPoint,
    up: Vec3,
    needed: &[JointId],
    samples: &PoseSamples,
) -> (Vec<WorldPose>, Vec3) {
    let mut kinematics = PartialKinematics::new(samples.skeleton, needed);
    let rest_up = standing_rest(leg, tip, samples);
    let mut feet = samples.computed_once(|pose: &Pose| {
        let world = kinematics.world(samples.skeleton, pose);
        let positions = [world.joint(leg.ankle), world.point(tip)];
        (positions, world.joint(leg.hip) - positions[0], world.rotations[leg.ankle.index()])
    });
    // Penalties and indices of poses.
    let mut ranked: Vec<(f64, usize)> = Vec::new();
    for at in samples.spread(MOST_FRAMES) {
        let (here, ankle_to_hip, rotation) = feet.get(at);
        let movement = samples.neighbour(at).map_or(0.0, |(other, seconds)| {
            let (there, ..) = feet.get(other);
            let penalty = |displacement: Vec3| {
                let across = SPEED_PENALTY * sides::level(displacement, up).length() / seconds;
                SPEED_PENALTY * displacement.dot(up).abs() / seconds
                    + across.min(MOST_HORIZONTAL_PENALTY * leg.leg_length())
            };
            penalty(there[0] - here[0]) + penalty(there[1] - here[1])
        });
        let mut lean = 1.0 - ankle_to_hip.normalize_or_zero().dot(up);
        lean += rest_up.map_or(0.0, |rest_up| 1.0 - (rotation * rest_up).dot(up));
        let height = (here[0] + here[1]).dot(up);
        ranked.push((height + movement + LEAN_PENALTY * lean * leg.leg_length(), at));
    }
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let count = (ranked.len() as f64 * FLAT_SHARE) as usize;
    ranked.truncate(count.clamp(FEWEST_FLAT, MOST_FLAT));
    if ranked.len() < FEWEST_FLAT
        && let Some(up) = rest_up
    {
        return (vec![samples.rest.clone()], up);
    }
    if ranked.is_empty() {
        return (vec![samples.rest.clone()], up);
    }
    let mut world = |at: usize| kinematics.world(samples.skeleton, samples.pose(at)).clone();
    let frames: Vec<WorldPose> = ranked.into_iter().map(|(_, at)| world(at)).collect();
    if let Some(rest_up) = rest_up
        && !is_upright(leg.ankle, rest_up, up, &frames)
    {
        return (vec![samples.rest.clone()], rest_up);
    }
    (frames, up)
}

/// The cosine of 60°: a foot rotated farther from its rest pose does not stand on its sole.
const UPRIGHT: f64 = 0.5;

/// Like [`UPRIGHT`], for a motion so short that the foot may never be flat: the cosine of 37°.
const SURELY_UPRIGHT: f64 = 0.8;

/// Whether the foot stands on its sole on average. A person who kneels or lies through the whole
/// motion does not.
fn is_upright(ankle: JointId, rest_up: Vec3, up: Vec3, frames: &[WorldPose]) -> bool {
    let stands = |world: &WorldPose| (world.rotations[ankle.index()] * rest_up).dot(up);
    let least = if frames.len() > FEWEST_FLAT { UPRIGHT } else { SURELY_UPRIGHT };
    frames.iter().map(stands).sum::<f64>() >= least * frames.len() as f64
}

/// The up direction of the rest pose, if its leg is straight and its foot points ahead, not up.
fn standing_rest(leg: &LegChain, tip: &JointPoint, samples: &PoseSamples) -> Option<Vec3> {
    let ankle_to_hip = samples.rest.joint(leg.hip) - samples.rest.joint(leg.ankle);
    let up = ankle_to_hip.try_normalize().filter(|_| ankle_to_hip.length() > 0.9 * leg.leg_length())?;
    let foot = samples.rest.point(tip) - samples.rest.joint(leg.ankle);
    // Files without a real rest pose have the foot straight down or up.
    (foot.dot(up) < 0.3 * foot.length() && foot.dot(up) > -0.75 * foot.length()).then_some(up)
}

/// The pitch of the foot in the rest pose, if that stands.
fn rest_pitch(leg: &LegChain, bones: &Bones, samples: &PoseSamples) -> Option<f64> {
    let tip = tip(leg.ankle, bones, samples);
    let up = standing_rest(leg, &tip, samples)?;
    let foot = samples.rest.point(&tip) - samples.rest.joint(leg.ankle);
    Some(asin((-foot.try_normalize()?.dot(up)).clamp(-1.0, 1.0)))
}
