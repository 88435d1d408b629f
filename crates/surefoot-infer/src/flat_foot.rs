//! How does a foot lie when it stands flat on the floor?
//!
//! Looks for the frames in which ankle and toes are lowest and stillest, and takes the mean picture
//! of the foot in its ankle's own frame: where each of its joints is, and which way is up. A motion
//! that is too short to stand in falls back on the rest pose.

use crate::bones::Bones;
use crate::hip_knee_ankle::Cut;
use crate::sides;
use crate::sight::{Few, Sight};
use surefoot_core::JointId;
use surefoot_core::JointPoint;
use surefoot_core::WorldPose;
use surefoot_core::math::{Vec3, asin, atan2, sincos};

/// Frames in which the foot is watched, at most.
const WATCHED: usize = 800;

/// The share of the watched frames that is taken for standing flat. A walker's foot is flat for a
/// fifth of the time, a runner's for a tenth.
const FLAT: f64 = 0.08;

/// Frames of a flat foot that are enough, and that are too few.
const ENOUGH: usize = 48;
const TOO_FEW: usize = 4;

/// What speed is worth against height, in seconds: a foot at half a leg a second counts as one
/// that is a tenth of a leg higher.
const SPEED: f64 = 0.2;

/// What speed along the floor is worth at most, in legs. On a treadmill the foot that stands is
/// faster than the one that swings.
const BELT: f64 = 0.05;

/// What a leg that leans, or a foot that is turned far from its rest, is worth against height, in
/// legs: lying down is as bad as a leg higher. Feet of people who lie or tumble are low and still
/// too, but not flat; and a bad fit can turn a foot upside down.
const LEAN: f64 = 1.0;

/// Joints of a foot that are looked at, at most; five toes of four joints are twenty.
const MOST_JOINTS: usize = 64;

/// A place on a foot: a joint, or the end of its bone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub point: JointPoint,
    /// Where it is in the ankle's frame while the foot stands flat.
    pub place: Vec3,
    pub is_end: bool,
}

/// A foot that stands flat, seen in its ankle's frame, the ankle at the origin.
pub(crate) struct FlatFoot {
    pub ankle: JointId,
    pub up: Vec3,
    /// Where the toes point, level.
    pub forward: Vec3,
    /// Everything below the ankle.
    pub spots: Vec<Spot>,
    /// The end of the foot's main path, if it has any length.
    pub tip: Option<Spot>,
    /// The pitch that the foot has at rest, if the body stands at rest.
    rest_pitch: Option<f64>,
    /// WorldPose bodies of the flat frames, for points on other joints than the ankle.
    frames: Vec<WorldPose>,
}

impl FlatFoot {
    /// Looks at a foot.
    pub(crate) fn new(cut: &Cut, up: Vec3, bones: &Bones, sight: &Sight) -> Self {
        let joints = foot_joints(cut.ankle, bones);
        let mut needed = joints.clone();
        needed.extend([cut.hip, cut.knee, cut.ankle]);
        let tip = tip(cut.ankle, bones, sight);
        let (frames, up) = flat_frames(cut, &tip, up, &needed, sight);
        let ends = joints.iter().chain([&cut.ankle]).filter_map(|&joint| {
            let end = sight.skeleton.joint(joint).end?;
            (end.length() > 1e-9 * cut.leg()).then_some((JointPoint { joint, offset: end }, true))
        });
        let at_joints = joints.iter().map(|&joint| {
            let offset = Vec3::ZERO;
            (JointPoint { joint, offset }, false)
        });
        let spot = |(point, is_end): (JointPoint, bool)| Spot {
            place: mean_in(cut.ankle, &frames, |placed| placed.point(&point)),
            point,
            is_end,
        };
        let spots: Vec<Spot> = at_joints.chain(ends).map(spot).collect();
        let tip = Some(spot((tip, tip.offset != Vec3::ZERO)))
            .filter(|tip| tip.place.length() > SHORTEST_FOOT * cut.leg());
        let own_up = mean_in(cut.ankle, &frames, |placed| placed.joint(cut.ankle) + up);
        let own_up = own_up.try_normalize().unwrap_or(up);
        let forward = tip
            .map(|tip| sides::level(tip.place, own_up))
            .filter(|level| level.length() > SHORTEST_FOOT * cut.leg())
            .or_else(|| {
                let ahead = |placed: &WorldPose| {
                    let forward = sides::forward(&[*cut], placed, up, bones, sight);
                    placed.joint(cut.ankle) + forward.unwrap_or(Vec3::ZERO)
                };
                Some(sides::level(mean_in(cut.ankle, &frames, ahead), own_up))
            });
        Self {
            ankle: cut.ankle,
            rest_pitch: rest_pitch(cut, bones, sight),
            forward: (forward.and_then(Vec3::try_normalize))
                .unwrap_or_else(|| own_up.any_orthonormal_vector()),
            up: own_up,
            spots,
            tip,
            frames,
        }
    }

    /// How far the foot's end is below the ankle, as an angle in radians.
    fn pitch(&self) -> Option<f64> {
        let tip = self.tip?.place;
        Some(atan2(-self.height(tip), self.ahead(tip)))
    }

    /// The same foot taken to be flat at another pitch.
    fn pitched(&mut self, pitch: f64) {
        let Some(now) = self.pitch() else {
            return;
        };
        let (sin, cos) = sincos(pitch - now);
        let (up, forward) = (self.up, self.forward);
        self.up = up * cos - forward * sin;
        self.forward = forward * cos + up * sin;
    }

    /// How high a place is above the ankle; below is negative.
    pub(crate) fn height(&self, place: Vec3) -> f64 {
        place.dot(self.up)
    }

    /// How far ahead of the ankle a place is.
    pub(crate) fn ahead(&self, place: Vec3) -> f64 {
        place.dot(self.forward)
    }

    /// A place in the ankle's frame as a point on one of the foot's joints.
    pub(crate) fn on(&self, joint: JointId, place: Vec3) -> JointPoint {
        let ankle = JointPoint { joint: self.ankle, offset: place };
        let offset = mean_in(joint, &self.frames, |placed| placed.point(&ankle));
        JointPoint { joint, offset }
    }
}

/// Makes the two feet of a pair stand alike.
///
/// One foot may tuck or tiptoe through a whole clip. Both feet and the rest pose, where the body
/// stands in it, each say at which pitch the foot is flat; the middle one is believed.
pub(crate) fn agree(feet: [&mut FlatFoot; 2]) {
    let [left, right] = feet;
    let (Some(one), Some(other)) = (left.pitch(), right.pitch()) else {
        return;
    };
    let mean = 0.5 * (one + other);
    let rest = (left.rest_pitch.zip(right.rest_pitch)).map_or(mean, |(a, b)| 0.5 * (a + b));
    let pitch = rest.clamp(one.min(other), one.max(other));
    left.pitched(pitch);
    right.pitched(pitch);
}

/// A foot shorter than this, in legs, does not point anywhere.
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
fn tip(ankle: JointId, bones: &Bones, sight: &Sight) -> JointPoint {
    let path = bones.path(ankle);
    let joint = path[path.len() - 1];
    let offset = sight.skeleton.joint(joint).end.unwrap_or(Vec3::ZERO);
    JointPoint { joint, offset }
}

/// The mean of a place over the frames, in a joint's own frame.
fn mean_in(joint: JointId, frames: &[WorldPose], place: impl Fn(&WorldPose) -> Vec3) -> Vec3 {
    let own = |placed: &WorldPose| {
        let turn = placed.rotations[joint.index()].inverse();
        turn * (place(placed) - placed.joint(joint))
    };
    frames.iter().map(own).sum::<Vec3>() / frames.len().max(1) as f64
}

/// The frames in which the foot is flat, and up in them; the rest pose and its own up where the
/// motion is too short to tell.
fn flat_frames(
    cut: &Cut,
    tip: &JointPoint,
    up: Vec3,
    needed: &[JointId],
    sight: &Sight,
) -> (Vec<WorldPose>, Vec3) {
    let mut few = Few::new(sight.skeleton, needed);
    let rest_up = standing_rest(cut, tip, sight);
    let mut watched: Vec<(f64, usize)> = Vec::new();
    for at in sight.spread(WATCHED) {
        let placed = few.place(sight.skeleton, sight.pose(at));
        let here = [placed.joint(cut.ankle), placed.point(tip)];
        let leg = placed.joint(cut.hip) - here[0];
        let turn = placed.rotations[cut.ankle.index()];
        let unrest = sight.moment_from(at).map_or(0.0, |(other, seconds)| {
            let placed = few.place(sight.skeleton, sight.pose(other));
            let there = [placed.joint(cut.ankle), placed.point(tip)];
            let unrest = |way: Vec3| {
                let across = SPEED * sides::level(way, up).length() / seconds;
                SPEED * way.dot(up).abs() / seconds + across.min(BELT * cut.leg())
            };
            unrest(there[0] - here[0]) + unrest(there[1] - here[1])
        });
        let mut lean = 1.0 - leg.normalize_or_zero().dot(up);
        lean += rest_up.map_or(0.0, |rest_up| 1.0 - (turn * rest_up).dot(up));
        let height = (here[0] + here[1]).dot(up);
        watched.push((height + unrest + LEAN * lean * cut.leg(), at));
    }
    watched.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let share = (watched.len() as f64 * FLAT) as usize;
    watched.truncate(share.clamp(TOO_FEW, ENOUGH));
    if watched.len() < TOO_FEW
        && let Some(up) = rest_up
    {
        return (vec![sight.rest.clone()], up);
    }
    if watched.is_empty() {
        return (vec![sight.rest.clone()], up);
    }
    let mut place = |at: usize| few.place(sight.skeleton, sight.pose(at)).clone();
    let frames: Vec<WorldPose> = watched.into_iter().map(|(_, at)| place(at)).collect();
    if let Some(rest_up) = rest_up
        && !is_upright(cut.ankle, rest_up, up, &frames)
    {
        return (vec![sight.rest.clone()], rest_up);
    }
    (frames, up)
}

/// The cosine of 60°: a foot turned farther from its rest does not stand on its sole.
const UPRIGHT: f64 = 0.5;

/// The cosine of 37°, for a motion that is so short that the foot may never stand flat in it.
const SURELY_UPRIGHT: f64 = 0.8;

/// Whether a foot stands on its sole, in the mean. One that kneels or lies through the whole motion
/// does not: its sole looks up.
fn is_upright(ankle: JointId, rest_up: Vec3, up: Vec3, frames: &[WorldPose]) -> bool {
    let stands = |placed: &WorldPose| (placed.rotations[ankle.index()] * rest_up).dot(up);
    let least = if frames.len() > TOO_FEW { UPRIGHT } else { SURELY_UPRIGHT };
    frames.iter().map(stands).sum::<f64>() >= least * frames.len() as f64
}

/// Up at rest, if the body stands at rest with its foot ahead of the ankle and no higher.
fn standing_rest(cut: &Cut, tip: &JointPoint, sight: &Sight) -> Option<Vec3> {
    let leg = sight.rest.joint(cut.hip) - sight.rest.joint(cut.ankle);
    let up = leg.try_normalize().filter(|_| leg.length() > 0.9 * cut.leg())?;
    let foot = sight.rest.point(tip) - sight.rest.joint(cut.ankle);
    // Straight down or up is how a file draws a foot that it has no rest pose for.
    (foot.dot(up) < 0.3 * foot.length() && foot.dot(up) > -0.75 * foot.length()).then_some(up)
}

/// The pitch of the foot at rest, if the body stands at rest.
fn rest_pitch(cut: &Cut, bones: &Bones, sight: &Sight) -> Option<f64> {
    let tip = tip(cut.ankle, bones, sight);
    let up = standing_rest(cut, &tip, sight)?;
    let foot = sight.rest.point(&tip) - sight.rest.joint(cut.ankle);
    Some(asin((-foot.try_normalize()?.dot(up)).clamp(-1.0, 1.0)))
}
