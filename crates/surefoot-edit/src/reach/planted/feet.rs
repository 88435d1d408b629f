//! Bends the legs of a body that has moved so that its feet stay on their captured paths.
//!
//! A root that moves takes both feet along. Planted feet would be brought back by the cleanup, but it would take the root
//! along; feet in the air would swing beside their steps. So each ankle is put back to its captured position and
//! orientation first, in every frame in which the body has moved. A leg that would have to be straight for that is
//! extended less, since a knee that reaches its end pops. The cleanup then brings the root to a planted foot.

use super::super::chain::is_below;
use super::super::goals::{Goal, ReachError};
use super::super::reach;
use super::super::settings::{Fade, Settings};
use surefoot_core::{Clip, JointPoint, Leg, Motion, Skeleton, Vec3, WorldPose};

/// Distance and angle below which an ankle has not moved, in metres and radians: far below the rounding of a file.
const MOVED: f64 = 1e-9;

/// `moved` with the feet where they are in `captured`, a clip of the same body.
pub(super) fn restore_feet(
    captured: &Clip,
    moved: Motion,
    settings: &Settings,
) -> Result<Motion, ReachError> {
    let goals = ankle_goals(captured, &moved);
    if goals.is_empty() {
        return Ok(moved);
    }
    let settings = Settings {
        chain_from: None,
        moves_root: false,
        held: Vec::new(),
        // Frames without a goal have feet that did not move.
        fade: Fade::Within(1.0 / moved.fps),
        limits: Default::default(),
        residue: Default::default(),
        form: Default::default(),
        ..settings.clone()
    };
    Ok(reach(&moved, &goals, &settings)?.0)
}

/// The captured positions and orientations of the ankles, as goals at all frames at which they have moved.
fn ankle_goals(captured: &Clip, moved: &Motion) -> Vec<Goal> {
    let mut goals = Vec::new();
    let (mut before, mut after) = (WorldPose::default(), WorldPose::default());
    for (frame, (pose, moved_pose)) in captured.motion.poses.iter().zip(&moved.poses).enumerate() {
        if pose == moved_pose {
            continue;
        }
        pose.forward_kinematics(&captured.motion.skeleton, &mut before);
        moved_pose.forward_kinematics(&moved.skeleton, &mut after);
        for leg in &captured.legs {
            let (ankle, n) = (leg.ankle, leg.ankle.index());
            let turned = before.rotations[n].angle_between(after.rotations[n]);
            if before.joint(ankle).distance(after.joint(ankle)) > MOVED || turned > MOVED {
                let point = JointPoint { joint: ankle, offset: Vec3::ZERO };
                let position = within_reach(&moved.skeleton, leg, &before, &after);
                let goal = Goal::at_position(frame, point, position);
                goals.push(Goal { rotation: Some(before.rotations[n]), chain_from: Some(leg.hip), ..goal });
            }
        }
    }
    goals
}

/// The captured position of an ankle, or a point on the way to it that does not straighten the leg.
///
/// With a slack of g between the captured leg and the straight one, a leg that should become longer by d keeps a slack of
/// g²/(g + d): nearly g − d if there is room, and never 0.
fn within_reach(skeleton: &Skeleton, leg: &Leg, before: &WorldPose, after: &WorldPose) -> Vec3 {
    let (hip, ankle) = (after.joint(leg.hip), before.joint(leg.ankle));
    let (captured, longest) = (before.joint(leg.hip).distance(ankle), longest_reach(skeleton, leg, before));
    let (slack, added) = (longest - captured, ankle.distance(hip) - captured);
    // A captured leg that is straight, or stretched, keeps its length.
    if added <= 0.0 || slack <= 0.0 {
        return hip + (ankle - hip).normalize_or_zero() * (captured + added.min(0.0));
    }
    hip + (ankle - hip).normalize_or_zero() * (longest - slack * slack / (slack + added))
}

/// The length of a straight leg, from hip to ankle.
fn longest_reach(skeleton: &Skeleton, leg: &Leg, world: &WorldPose) -> f64 {
    let chain =
        skeleton.with_ancestors([leg.ankle]).into_iter().filter(|&joint| is_below(skeleton, joint, leg.hip));
    let joints: Vec<Vec3> = chain.map(|joint| world.joint(joint)).collect();
    joints.windows(2).map(|bone| bone[0].distance(bone[1])).sum()
}
