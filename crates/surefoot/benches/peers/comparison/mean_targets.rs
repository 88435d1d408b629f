//! The repair of deep-motion-editing (its `remove_fs`), rebuilt from its description.
//!
//! A foot point that is planted is moved to its mean position in the plant, put on the floor. Within five frames at 30 fps
//! of a plant the correction fades, on both sides as in equations 3 to 7 of Kovar et al., applied to positions. Then ten
//! steps of damped least squares turn all joints towards these positions and the captured positions of all others. The
//! damping is that of the program, 4, in centimetres. The root is not moved.

use surefoot::core::math::{fade, sqrt};
use surefoot::core::{Clip, FootPoint, FrameRange, JointPoint, Leg, Motion, Vec3, WorldPose};

use super::body::{Body, rotation_by};

/// Time in which a correction fades, in seconds.
const FADE: f64 = 5.0 / 30.0;
/// Steps of inverse kinematics for each frame.
const STEPS: usize = 10;
/// Damping of a step, in metres.
const DAMPING: f64 = 0.04;

const POINTS: [FootPoint; 2] = [FootPoint::Heel, FootPoint::Ball];

/// The motion with planted points near their mean positions.
pub fn mean_targets(clip: &Clip) -> Motion {
    let feet: Vec<(JointPoint, Vec<Vec3>)> = (0..clip.legs.len())
        .flat_map(|leg| POINTS.map(|point| (*clip.legs[leg].point(point), targets(clip, leg, point))))
        .collect();
    let mut after = clip.motion.clone();
    for (frame, pose) in after.poses.iter_mut().enumerate() {
        let mut body = Body::new(&clip.motion.skeleton, pose);
        let mut goals: Vec<(JointPoint, Vec3)> =
            feet.iter().map(|(point, targets)| (*point, targets[frame])).collect();
        // The joints of a foot follow its points.
        let is_of_foot = |joint| clip.legs.iter().any(|leg: &Leg| leg.joints()[2..].contains(&joint));
        for joint in clip.motion.skeleton.ids().filter(|&joint| !is_of_foot(joint)) {
            goals.push((JointPoint { joint, offset: Vec3::ZERO }, body.world.joint(joint)));
        }
        for _ in 0..STEPS {
            step(&mut body, &clip.motion, &goals);
        }
        pose.copy_from(&body.pose);
    }
    after
}

/// Where a point of a foot should be, by frame.
fn targets(clip: &Clip, leg: usize, point: FootPoint) -> Vec<Vec3> {
    let (floor, joint_point) = (clip.floor_or_lowest_point(), clip.legs[leg].point(point));
    let mut world = WorldPose::default();
    let captured: Vec<Vec3> = clip
        .motion
        .poses
        .iter()
        .map(|pose| {
            pose.forward_kinematics(&clip.motion.skeleton, &mut world);
            world.point(joint_point)
        })
        .collect();
    let plants = clip.plants.plants.iter().filter(|plant| plant.leg == leg && plant.point == point);
    let mut plants: Vec<(FrameRange, Vec3)> = plants
        .map(|plant| {
            let inside = &captured[plant.frames.clone()];
            (plant.frames.clone(), floor.nearest(inside.iter().sum::<Vec3>() / inside.len() as f64))
        })
        .collect();
    plants.sort_by_key(|(frames, _)| frames.start);
    let window = FADE * clip.motion.fps;
    (0..captured.len()).map(|frame| target(&plants, &captured, frame, window)).collect()
}

/// The mean position in a plant, or the captured position with what is left of the plants around it.
fn target(plants: &[(FrameRange, Vec3)], captured: &[Vec3], frame: usize, window: f64) -> Vec3 {
    if let Some((_, mean)) = plants.iter().find(|(frames, _)| frames.contains(&frame)) {
        return *mean;
    }
    let here = captured[frame];
    let near = |&(distance, _): &(f64, Vec3)| distance <= window;
    let before = plants.iter().rev().find(|(frames, _)| frames.end <= frame);
    let before = before.map(|(frames, mean)| ((frame + 1 - frames.end) as f64, *mean)).filter(near);
    let after = plants.iter().find(|(frames, _)| frames.start > frame);
    let after = after.map(|(frames, mean)| ((frames.start - frame) as f64, *mean)).filter(near);
    let faded = |(distance, mean): (f64, Vec3)| here.lerp(mean, fade((distance + 1.0) / (window + 1.0)));
    match (before, after) {
        (None, None) => here,
        (Some(side), None) | (None, Some(side)) => faded(side),
        (Some(before), Some(after)) => {
            let share = fade((before.0 + 1.0) / (before.0 + after.0 + 1.0));
            faded(after).lerp(faded(before), share)
        }
    }
}

/// One step of damped least squares: `(JᵀJ + damping²)·x = Jᵀ·e` for a small rotation of every joint, about axes of the world.
fn step(body: &mut Body, motion: &Motion, goals: &[(JointPoint, Vec3)]) {
    let skeleton = &motion.skeleton;
    let count = 3 * skeleton.len();
    let mut normal = vec![vec![0.0; count]; count];
    let mut right = vec![0.0; count];
    for (goal, target) in goals {
        let position = body.world.point(goal);
        let error = *target - position;
        // A joint moves the points that it carries; a point at the joint itself does not move.
        let carriers: Vec<usize> =
            skeleton.with_ancestors([goal.joint]).into_iter().map(|joint| joint.index()).collect();
        let columns: Vec<(usize, Vec3)> = carriers
            .iter()
            .flat_map(|&joint| {
                let arm = position - body.world.positions[joint];
                [Vec3::X, Vec3::Y, Vec3::Z]
                    .into_iter()
                    .enumerate()
                    .map(move |(axis, direction)| (3 * joint + axis, direction.cross(arm)))
            })
            .collect();
        for &(row, moved) in &columns {
            right[row] += moved.dot(error);
            for &(column, other) in columns.iter().filter(|(column, _)| *column <= row) {
                normal[row][column] += moved.dot(other);
            }
        }
    }
    (0..count).for_each(|row| normal[row][row] += DAMPING * DAMPING);
    solve(&mut normal, &mut right);
    // From the root outwards: the rotation of a joint carries its children, whose own are relative to it.
    let rotations: Vec<_> =
        right.chunks_exact(3).map(|part| rotation_by(Vec3::new(part[0], part[1], part[2]))).collect();
    let before = body.world.rotations.clone();
    for joint in skeleton.ids() {
        let index = joint.index();
        let parent = skeleton.parent(joint);
        let parent = parent.map_or(surefoot::core::Quat::IDENTITY, |parent| before[parent.index()]);
        let turned = parent.conjugate() * rotations[index] * before[index];
        body.pose.rotations[index] = turned.normalize();
    }
    body.pose.forward_kinematics(skeleton, &mut body.world);
}

/// Solves a symmetric positive definite system, given by its lower half, in place: Cholesky.
fn solve(matrix: &mut [Vec<f64>], right: &mut [f64]) {
    let count = right.len();
    for row in 0..count {
        for column in 0..=row {
            let dot: f64 = (0..column).map(|k| matrix[row][k] * matrix[column][k]).sum();
            let rest = matrix[row][column] - dot;
            matrix[row][column] = if row == column { sqrt(rest) } else { rest / matrix[column][column] };
        }
        let dot: f64 = (0..row).map(|k| matrix[row][k] * right[k]).sum();
        right[row] = (right[row] - dot) / matrix[row][row];
    }
    for row in (0..count).rev() {
        let dot: f64 = (row + 1..count).map(|k| matrix[k][row] * right[k]).sum();
        right[row] = (right[row] - dot) / matrix[row][row];
    }
}
