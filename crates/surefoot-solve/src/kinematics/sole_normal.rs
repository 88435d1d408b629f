//! The normal of a sole, for a foot that is to be laid flat.
//!
//! Estimated as the mean floor normal, in the space of the ankle, over the poses in which the foot is
//! lowest: there it stands.

use surefoot_core::{Floor, Leg, Pose, Skeleton, Vec3, WorldPose};

/// Fraction of the poses that count as standing. A larger one includes poses in which the foot rolls; a
/// smaller one averages less noise.
const STANDING_POSES: f64 = 0.2;

/// Number of poses that the normal is estimated from: more do not change the mean measurably.
const MOST_POSES: usize = 400;

/// The sole normal of a leg in the space of its ankle, of unit length.
pub(crate) fn estimate(skeleton: &Skeleton, leg: &Leg, poses: &[Pose], floor: Option<&Floor>) -> Vec3 {
    let uneven = floor.filter(|floor| floor.as_plane().is_none());
    let up = floor.map_or(Vec3::Y, Floor::up);
    let mut world = WorldPose::default();
    let stride = (poses.len() / MOST_POSES).max(1);
    let mut candidates: Vec<(f64, Vec3)> = Vec::new();
    let joints = skeleton.with_ancestors([leg.ankle, leg.heel.joint, leg.ball.joint]);
    for pose in poses.iter().step_by(stride) {
        pose.forward_kinematics_of(skeleton, &joints, &mut world);
        let (heel, ball) = (world.point(&leg.heel), world.point(&leg.ball));
        let (height, up) = match uneven {
            Some(floor) => (floor.above(heel) + floor.above(ball), floor.plane_under(ball).normal),
            None => ((heel + ball).dot(up), up),
        };
        candidates.push((height, world.rotations[leg.ankle.index()].conjugate() * up));
    }
    candidates.sort_by(|one, other| one.0.total_cmp(&other.0));
    let count = ((candidates.len() as f64 * STANDING_POSES).ceil() as usize).min(candidates.len());
    let mean: Vec3 = candidates[..count].iter().map(|(_, normal)| *normal).sum();
    mean.try_normalize().unwrap_or(up)
}
