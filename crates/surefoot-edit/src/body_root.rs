//! Rigs whose first joint does not carry the motion of the body.
//!
//! Some rigs have a root at the origin that never moves, and a pelvis that carries the motion. An edit that moves,
//! turns or interpolates roots would swing such a body about the origin. [`BodyRoot::gather`] gives the motion of the
//! pelvis to the root, [`BodyRoot::scatter`] gives it back. World positions do not change. Rigs whose root carries the
//! motion, or moves along with the body, are left alone.

use surefoot_core::{Clip, Joint, JointId, Leg, Motion, Pose, Quat, Skeleton, Vec3, WorldPose};
use surefoot_solve::{CleanError, CleanResult, Settings, clean};

use crate::glitches;

/// Largest movement and turn of a root that is still, in metres and radians: rounding in files.
const STILL: f64 = 1e-4;

/// Smallest movement of a pelvis that carries the motion, in metres.
const MIN_MOVEMENT: f64 = 1e-3;

/// The pelvis; the first joint of a body without one.
pub fn pelvis_of(skeleton: &Skeleton, legs: &[Leg]) -> JointId {
    Leg::pelvis(legs, skeleton).unwrap_or(JointId(0))
}

/// The joints that are not part of the body: neither the pelvis nor below it, such as a root on the ground and the IK
/// goals that hang on it.
pub fn joints_outside_body(skeleton: &Skeleton, legs: &[Leg]) -> Vec<JointId> {
    let pelvis = pelvis_of(skeleton, legs);
    let is_outside = |joint: &JointId| !skeleton.with_ancestors([*joint]).contains(&pelvis);
    skeleton.ids().filter(is_outside).collect()
}

/// The world position of the pelvis, from which travel and position of the body are measured.
pub fn body_position(pose: &Pose, skeleton: &Skeleton, legs: &[Leg]) -> Vec3 {
    let path = skeleton.with_ancestors([pelvis_of(skeleton, legs)]);
    let mut world = WorldPose::default();
    pose.forward_kinematics_of(skeleton, &path, &mut world);
    path.last().map_or(Vec3::ZERO, |&pelvis| world.joint(pelvis))
}

/// A root that never moves above a pelvis that carries the motion.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyRoot {
    /// From the root to the pelvis.
    path: Vec<JointId>,
    /// The poses of these joints, of which only that of the pelvis changes.
    still: Vec<(Vec3, Quat)>,
    /// The offset of the pelvis in the skeleton.
    rest_offset: Vec3,
}

impl BodyRoot {
    /// The still root of a motion; `None` if its root carries the motion or moves along with it.
    pub fn of(motion: &Motion, legs: &[Leg]) -> Option<Self> {
        let skeleton = &motion.skeleton;
        if legs.is_empty() {
            return None;
        }
        let pelvis = pelvis_of(skeleton, legs);
        let path = skeleton.with_ancestors([pelvis]);
        let first = motion.poses.first()?;
        let is_still = |joint: &JointId| {
            let at = joint.index();
            motion.poses.iter().all(|pose| {
                pose.offsets[at].distance(first.offsets[at]) < STILL
                    && pose.rotations[at].angle_between(first.rotations[at]) < STILL
            })
        };
        let (at, above) = (pelvis.index(), &path[..path.len() - 1]);
        let moves =
            motion.poses.iter().any(|pose| pose.offsets[at].distance(first.offsets[at]) > MIN_MOVEMENT);
        if above.is_empty() || !moves || !above.iter().all(is_still) {
            return None;
        }
        let still = |joint: &JointId| (first.offsets[joint.index()], first.rotations[joint.index()]);
        let still = path.iter().map(still).collect();
        Some(Self { path, still, rest_offset: skeleton.joint(pelvis).offset })
    }

    /// The motion with its root at the pelvis.
    pub fn gather(&self, motion: &Motion) -> Motion {
        let mut gathered = motion.clone();
        gathered.skeleton = self.with_pelvis_offset(&motion.skeleton, Vec3::ZERO);
        let mut world = WorldPose::default();
        for pose in &mut gathered.poses {
            pose.forward_kinematics_of(&motion.skeleton, &self.path, &mut world);
            let pelvis = self.pelvis().index();
            let (position, rotation) = (world.positions[pelvis], world.rotations[pelvis]);
            for joint in &self.path {
                (pose.offsets[joint.index()], pose.rotations[joint.index()]) = (Vec3::ZERO, Quat::IDENTITY);
            }
            let root = self.path[0].index();
            (pose.offsets[root], pose.rotations[root]) = (position, rotation);
        }
        gathered
    }

    /// A gathered motion with its root where it was, and the motion on the pelvis.
    pub fn scatter(&self, mut motion: Motion) -> Motion {
        motion.skeleton = self.with_pelvis_offset(&motion.skeleton, self.rest_offset);
        motion.poses.iter_mut().for_each(|pose| self.scatter_pose(pose));
        motion
    }

    /// The same for one pose.
    pub fn scatter_pose(&self, pose: &mut Pose) {
        let mut above = (Vec3::ZERO, Quat::IDENTITY);
        for (offset, rotation) in &self.still[..self.still.len() - 1] {
            above = (above.0 + above.1 * *offset, above.1 * *rotation);
        }
        let (root, pelvis) = (self.path[0].index(), self.pelvis().index());
        let position = pose.offsets[root];
        // The cleaner may have tilted the pelvis. A product with the identity could change bits.
        let below = self.path[1..].iter().map(|joint| pose.rotations[joint.index()]);
        let rotation = below
            .filter(|rotation| *rotation != Quat::IDENTITY)
            .fold(pose.rotations[root], |above, rotation| above * rotation);
        for (joint, still) in self.path.iter().zip(&self.still) {
            (pose.offsets[joint.index()], pose.rotations[joint.index()]) = *still;
        }
        pose.offsets[pelvis] = above.1.conjugate() * (position - above.0);
        pose.rotations[pelvis] = above.1.conjugate() * rotation;
    }

    /// The joints from the root to the pelvis.
    pub fn joints(&self) -> &[JointId] {
        &self.path
    }

    fn pelvis(&self) -> JointId {
        self.path[self.path.len() - 1]
    }

    fn with_pelvis_offset(&self, skeleton: &Skeleton, offset: Vec3) -> Skeleton {
        let pelvis = self.pelvis();
        let joint = |id: JointId| match id == pelvis {
            true => Joint { offset, ..skeleton.joint(id).clone() },
            false => skeleton.joint(id).clone(),
        };
        Skeleton::new(skeleton.ids().map(joint).collect()).unwrap_or_else(|_| skeleton.clone())
    }
}

/// Cleans a clip. Where the root of its rig is still, the pelvis is moved and the root stays where it is. Glitches are
/// repaired if the settings say so.
pub fn clean_body(clip: &Clip, settings: &Settings) -> Result<CleanResult, CleanError> {
    let glitches = glitches::of_clip(clip, settings);
    if glitches.is_empty() {
        return clean_root(clip, settings);
    }
    let repaired = Clip { motion: glitches::repaired(&clip.motion, &glitches), ..clip.clone() };
    clean_root(&repaired, settings)
}

fn clean_root(clip: &Clip, settings: &Settings) -> Result<CleanResult, CleanError> {
    let Some(body) = BodyRoot::of(&clip.motion, &clip.legs) else { return clean(clip, settings) };
    let mut result = clean(&Clip { motion: body.gather(&clip.motion), ..clip.clone() }, settings)?;
    result.clip.motion = body.scatter(result.clip.motion);
    Ok(result)
}

/// Applies a change to a clip whose root is at its body, and gives a still root back.
pub fn on_body<E>(clip: Clip, change: impl FnOnce(Clip) -> Result<Clip, E>) -> Result<Clip, E> {
    let Some(body) = BodyRoot::of(&clip.motion, &clip.legs) else { return change(clip) };
    let motion = body.gather(&clip.motion);
    let mut changed = change(Clip { motion, ..clip })?;
    changed.motion = body.scatter(changed.motion);
    Ok(changed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_sample::{Body, Recipe, make};

    #[test]
    fn gathering_keeps_the_world_and_scattering_restores_the_bits() {
        let sample = make(&Recipe { body: Body::GroundRoot, ..Recipe::default() }).unwrap();
        let body = BodyRoot::of(&sample.motion, &sample.legs).unwrap();
        let gathered = body.gather(&sample.motion);
        for (a, b) in sample.motion.poses.iter().zip(&gathered.poses) {
            let (a, b) = (a.world(&sample.motion.skeleton), b.world(&gathered.skeleton));
            assert!(a.positions[1..].iter().zip(&b.positions[1..]).all(|(a, b)| a.distance(*b) < 1e-12));
        }
        assert_eq!(body.scatter(gathered), sample.motion);
    }

    #[test]
    fn only_a_still_root_is_gathered() {
        for body in [Body::Human, Body::RootPelvis, Body::FourLegs] {
            let sample = make(&Recipe { body, ..Recipe::default() }).unwrap();
            assert_eq!(BodyRoot::of(&sample.motion, &sample.legs), None, "{body:?}");
        }
    }

    #[test]
    fn the_pelvis_of_every_rig_is_its_parent_of_both_hips() {
        for body in Body::RIGS {
            let sample = make(&Recipe { body, ..Recipe::default() }).unwrap();
            let pelvis = pelvis_of(&sample.motion.skeleton, &sample.legs);
            let name = &sample.motion.skeleton.joint(pelvis).name;
            assert!(["Hips", "pelvis"].contains(&name.as_str()), "{body:?} {name}");
        }
    }
}
