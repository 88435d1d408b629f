//! Glitches: one or two frames in which a capture jumps away and comes back.
//!
//! A marker that is lost or swapped throws joints off for a frame. A correction that follows such a frame would spread
//! the jump over its windows, so the cleaner gets the motion without glitches. [`restore`] then puts every glitch back
//! on top of the correction, because a cleanup changes nothing that it was not asked to; with
//! [`Settings::repair_glitches`] the repaired frames stay.
//!
//! `find` recognises glitches, `curve` interpolates across them.

mod curve;
mod find;

pub use find::find;

use std::borrow::Cow;

use surefoot_core::{Clip, FrameRange, JointId, Leg, Motion, Pose};
use surefoot_solve::{Form, Settings};

/// One or two frames in which some joints jump away and come back; more at high frame rates.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Glitch {
    /// The frames.
    pub frames: FrameRange,
    /// The joints that jump, with how far they do.
    pub jumps: Vec<Jump>,
}

/// How far a joint jumps in a glitch.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Jump {
    /// The joint.
    pub joint: JointId,
    /// The largest rotation away from the frames around, in radians.
    pub angle: f64,
    /// The largest distance from the frames around, in metres: of a root, or of a joint with translations.
    pub distance: f64,
}

/// Depth below the floor that cannot be seen, in metres.
const MAX_DEPTH: f64 = 1e-3;

/// How far the lowest foot point is below the floor, in metres; 0 without a floor.
fn depth_below_floor(pose: &Pose, clip: &Clip) -> f64 {
    let Some(floor) = &clip.floor else { return 0.0 };
    let world = pose.world(&clip.motion.skeleton);
    let points = Leg::without_arms(&clip.legs).iter().flat_map(|leg| [&leg.heel, &leg.ball, &leg.toe]);
    points.map(|point| -floor.above(world.point(point))).fold(0.0, f64::max)
}

/// The glitches of a clip that is cleaned with these settings: none for the published method, which knows none, unless
/// they are repaired.
pub fn of_clip(clip: &Clip, settings: &Settings) -> Vec<Glitch> {
    if settings.form == Form::Paper && !settings.repair_glitches {
        return Vec::new();
    }
    find(&clip.motion, &clip.legs, clip.first_frame)
}

/// The motion of a clip without its glitches, for a detector of contacts.
pub fn without_glitches(clip: &Clip) -> Cow<'_, Motion> {
    match find(&clip.motion, &clip.legs, clip.first_frame).as_slice() {
        [] => Cow::Borrowed(&clip.motion),
        glitches => Cow::Owned(repaired(&clip.motion, glitches)),
    }
}

/// The motion with its glitches replaced by what lies around them.
pub fn repaired(motion: &Motion, glitches: &[Glitch]) -> Motion {
    let mut repaired = motion.clone();
    for glitch in glitches {
        for frame in glitch.frames.clone() {
            for Jump { joint, .. } in &glitch.jumps {
                let (offset, rotation) = curve::interpolated(motion, *joint, &glitch.frames, frame);
                repaired.poses[frame].offsets[joint.index()] = offset;
                repaired.poses[frame].rotations[joint.index()] = rotation;
            }
        }
    }
    repaired
}

/// Puts glitches back on top of the corrections of a motion that was cleaned without them, except those that would move a
/// planted foot.
pub fn restore(clean: &mut Motion, captured: &Clip, repaired: &Motion, glitches: &[Glitch]) {
    for glitch in glitches.iter().filter(|glitch| !glitch.moves_planted_foot(captured)) {
        for frame in glitch.frames.clone() {
            if let Some(pose) = clean.poses.get_mut(frame) {
                glitch.restore_frame(frame, pose, captured, &repaired.poses[frame]);
            }
        }
    }
}

impl Glitch {
    /// Puts the glitch back on top of the correction of one frame, unless a foot would sink below the floor. `repaired` is
    /// the pose of that frame without it.
    pub fn restore_frame(&self, frame: usize, clean: &mut Pose, captured: &Clip, repaired: &Pose) {
        let mut restored = clean.clone();
        self.add_jumps(&mut restored, &captured.motion.poses[frame], repaired);
        let depth = depth_below_floor(&restored, captured);
        if depth < MAX_DEPTH || depth <= depth_below_floor(clean, captured) {
            *clean = restored;
        }
    }

    fn add_jumps(&self, clean: &mut Pose, pose: &Pose, repaired: &Pose) {
        for Jump { joint, .. } in &self.jumps {
            let at = joint.index();
            // Without a correction the captured bits come back.
            clean.offsets[at] = match clean.offsets[at] == repaired.offsets[at] {
                true => pose.offsets[at],
                false => clean.offsets[at] + (pose.offsets[at] - repaired.offsets[at]),
            };
            clean.rotations[at] = match clean.rotations[at] == repaired.rotations[at] {
                true => pose.rotations[at],
                false => {
                    let jump = repaired.rotations[at].conjugate() * pose.rotations[at];
                    (clean.rotations[at] * jump).normalize()
                }
            };
        }
    }

    /// Whether a joint that jumps carries a foot that is planted. Then the glitch stays repaired: with it the foot would
    /// leave its spot, and with a part of it the other joints would no longer fit together.
    pub fn moves_planted_foot(&self, clip: &Clip) -> bool {
        let is_planted =
            |frames: &FrameRange| frames.start < self.frames.end && self.frames.start < frames.end;
        let planted = clip.plants.plants.iter().filter(|plant| is_planted(&plant.frames));
        let ankles = planted.filter_map(|plant| clip.legs.get(plant.leg)).map(|leg| leg.ankle);
        let carrying = clip.motion.skeleton.with_ancestors(ankles);
        self.jumps.iter().any(|jump| carrying.contains(&jump.joint))
    }
}
