//! Which way is up from a sole?
//!
//! Seen from the ankle, for a foot that is to be laid flat: the mean of the floor's up over the
//! poses in which the foot is lowest, where it stands.

use surefoot_core::{Floor, Leg, Pose, Skeleton, Vec3, WorldPose};

/// The share of poses that count as those in which a foot stands.
const STANDS: f64 = 0.2;

/// Up from the sole of `leg`, in its ankle.
pub(crate) fn up_from_sole(skeleton: &Skeleton, leg: &Leg, poses: &[Pose], floor: Option<&Floor>) -> Vec3 {
    let uneven = floor.filter(|floor| floor.as_plane().is_none());
    let up = floor.map_or(Vec3::Y, Floor::up);
    let mut placed = WorldPose::default();
    // A few hundred frames tell as much as all.
    let stride = (poses.len() / 400).max(1);
    let mut seen: Vec<(f64, Vec3)> = Vec::new();
    for pose in poses.iter().step_by(stride) {
        pose.forward_kinematics(skeleton, &mut placed);
        let (heel, ball) = (placed.point(&leg.heel), placed.point(&leg.ball));
        let (height, up) = match uneven {
            Some(floor) => (floor.above(heel) + floor.above(ball), floor.plane_under(ball).normal),
            None => ((heel + ball).dot(up), up),
        };
        seen.push((height, placed.rotations[leg.ankle.index()].conjugate() * up));
    }
    seen.sort_by(|one, other| one.0.total_cmp(&other.0));
    let count = ((seen.len() as f64 * STANDS).ceil() as usize).min(seen.len());
    let mean: Vec3 = seen[..count].iter().map(|(_, up)| *up).sum();
    mean.try_normalize().unwrap_or(up)
}
