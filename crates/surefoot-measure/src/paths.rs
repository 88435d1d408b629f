//! World-space paths of the root and of the joints and foot points of each leg.

use crate::context::Context;
use surefoot_core::{FootPoint, JointId, Leg, Motion, Plant, Vec3, WorldPose};

/// The paths of one motion from the first frame that counts; entry 0 is that frame.
#[derive(Clone, Debug)]
pub(crate) struct Paths {
    /// Frames per second.
    pub fps: f64,
    /// Number of frames.
    pub frames: usize,
    /// The root's path; empty without joints.
    pub root: Vec<Vec3>,
    /// Paths of each leg.
    pub legs: Vec<LegPath>,
}

/// The paths of one leg's joints and points, in metres.
#[derive(Clone, Debug, Default)]
pub(crate) struct LegPath {
    pub hip: Vec<Vec3>,
    pub knee: Vec<Vec3>,
    pub ankle: Vec<Vec3>,
    pub heel: Vec<Vec3>,
    pub ball: Vec<Vec3>,
    pub toe: Vec<Vec3>,
}

impl LegPath {
    /// The path of a foot point.
    pub fn point(&self, point: FootPoint) -> &[Vec3] {
        match point {
            FootPoint::Heel => &self.heel,
            FootPoint::Ball => &self.ball,
            FootPoint::Toe => &self.toe,
        }
    }

    fn push(&mut self, leg: &Leg, world: &WorldPose) {
        self.hip.push(world.joint(leg.hip));
        self.knee.push(world.joint(leg.knee));
        self.ankle.push(world.joint(leg.ankle));
        self.heel.push(world.point(&leg.heel));
        self.ball.push(world.point(&leg.ball));
        self.toe.push(world.point(&leg.toe));
    }

    /// The angle hip–knee–ankle at each frame, in radians; a straight leg has π.
    ///
    /// A bone without length has no direction; the angle is then 0.
    pub fn knee_angles(&self) -> Vec<f64> {
        let joints = self.hip.iter().zip(&self.knee).zip(&self.ankle);
        joints.map(|((&hip, &knee), &ankle)| angle_between(hip - knee, ankle - knee)).collect()
    }
}

/// The angle between two directions; exact near 0 and π, unlike the arc cosine.
fn angle_between(a: Vec3, b: Vec3) -> f64 {
    surefoot_core::math::atan2(a.cross(b).length(), a.dot(b))
}

impl Paths {
    /// The paths of a motion; `root` is the joint that moves the body.
    pub fn of(motion: &Motion, context: &Context, root: Option<JointId>) -> Self {
        let poses = motion.poses.get(context.first_frame..).unwrap_or_default();
        let mut paths = Self {
            fps: motion.fps,
            frames: poses.len(),
            root: Vec::new(),
            legs: vec![LegPath::default(); context.legs.len()],
        };
        // Half of a body's joints are above the hips, and without arms no path needs them.
        let joints = context.legs.iter().flat_map(Leg::joints).chain(root);
        let joints = motion.skeleton.with_ancestors(joints);
        let mut world = WorldPose::default();
        for pose in poses {
            pose.forward_kinematics_of(&motion.skeleton, &joints, &mut world);
            paths.root.extend(root.map(|root| world.joint(root)));
            for (path, leg) in paths.legs.iter_mut().zip(context.legs) {
                path.push(leg, &world);
            }
        }
        paths
    }

    /// The part within a range of frames.
    pub fn within(&self, frames: core::ops::Range<usize>) -> Self {
        let part = |path: &Vec<Vec3>| path.get(frames.clone()).unwrap_or_default().to_vec();
        let leg = |leg: &LegPath| LegPath {
            hip: part(&leg.hip),
            knee: part(&leg.knee),
            ankle: part(&leg.ankle),
            heel: part(&leg.heel),
            ball: part(&leg.ball),
            toe: part(&leg.toe),
        };
        Self {
            fps: self.fps,
            frames: frames.len(),
            root: part(&self.root),
            legs: self.legs.iter().map(leg).collect(),
        }
    }

    /// The path of a point while it is planted; empty if the frames are outside the motion.
    pub fn planted_positions(&self, plant: &Plant, context: &Context) -> &[Vec3] {
        &self.legs[plant.leg].point(plant.point)[planted_frames(plant, context, self.frames)]
    }
}

/// The frames of a plant as entries of a path.
pub(crate) fn planted_frames(plant: &Plant, context: &Context, frames: usize) -> core::ops::Range<usize> {
    let end = plant.frames.end.saturating_sub(context.first_frame).min(frames);
    let start = plant.frames.start.saturating_sub(context.first_frame).min(end);
    start..end
}

/// The joint of the body: the pelvis; without one, the first joint.
///
/// Some files have a root above it that is still, or lies on the ground.
pub(crate) fn root_joint(motion: &Motion, context: &Context) -> Option<JointId> {
    Leg::pelvis(context.legs, &motion.skeleton).or_else(|| motion.skeleton.ids().next())
}

/// The speed of a point from each frame to the next, in metres per second.
pub(crate) fn speeds(path: &[Vec3], fps: f64) -> impl Iterator<Item = f64> + '_ {
    path.windows(2).map(move |pair| (pair[1] - pair[0]).length() * fps)
}
