//! Applies the solved keyframes to all poses, with one curve per joint.
//!
//! A joint has a key at every keyframe with a goal below it, even where its own change is zero;
//! otherwise its curve would move the chain below off its goal. It also has a key without a change at
//! every frame in which it is held. Joints without any change and frames outside all blend windows are
//! copied bit for bit.

use super::chain::Problem;
use super::jacobian::Change;
use super::knots::{intervals, knots, stride};
use super::report::{Note, Report};
use super::rotation_vector::{exp, log_near, mean_rotation_of, rotation_vectors_of};
use super::settings::Form;
use super::solve::KeyframeSolution;
use super::spline::{Curve, Objective, Spline};
use std::collections::BTreeMap;
use surefoot_core::{JointId, Motion, Quat, Vec3};

/// The solutions of all keyframes, by frame.
#[derive(Default)]
pub(super) struct KeyframeSolutions {
    frames: BTreeMap<usize, KeyframeSolution>,
}

impl KeyframeSolutions {
    pub fn insert(&mut self, frame: usize, solution: KeyframeSolution) {
        self.frames.insert(frame, solution);
    }

    /// The keys of a joint: frames and the change there. Empty if all changes are zero.
    fn keys(
        &self,
        problem: &Problem,
        joint: JointId,
        part: impl Fn(Change) -> Option<Vec3>,
    ) -> Vec<(usize, Vec3)> {
        let mut keys: BTreeMap<usize, Vec3> = BTreeMap::new();
        for (&frame, solution) in &self.frames {
            let change =
                solution.changes.iter().filter(|change| change.0 == joint).find_map(|change| part(change.1));
            if change.is_some() || problem.is_ancestor_of_goal(joint, &problem.frames[&frame]) {
                keys.insert(frame, change.unwrap_or_default());
            }
        }
        if keys.values().all(|change| *change == Vec3::ZERO) {
            return Vec::new();
        }
        keys.extend(problem.held_frames(joint).map(|frame| (frame, Vec3::ZERO)));
        keys.into_iter().collect()
    }
}

/// Splines by the frames of their keys, so that each system is factored once.
type Splines = BTreeMap<Vec<usize>, Vec<Spline>>;

/// Fits a curve through the keys of every joint and applies it to the motion.
///
/// Poses store all joints of a frame together, curves need all frames of a joint. The rotations are
/// gathered and scattered in one pass each, which is faster than a pass over the poses per joint.
pub(super) fn apply(problem: &Problem, solutions: &KeyframeSolutions, report: &mut Report) -> Motion {
    let rotation_of = |change| match change {
        Change::Rotation(v) => Some(v),
        Change::Translation(_) => None,
    };
    let curves = problem
        .chain_joints()
        .map(|(joint, freedom)| (joint, freedom, solutions.keys(problem, joint, rotation_of)));
    let curves: Vec<_> = curves.filter(|(_, _, keys)| !keys.is_empty()).collect();
    let mut rotations: Vec<Vec<Quat>> =
        curves.iter().map(|_| Vec::with_capacity(problem.motion.frames())).collect();
    for pose in &problem.motion.poses {
        for (rotations, (joint, ..)) in rotations.iter_mut().zip(&curves) {
            rotations.push(pose.rotations[joint.index()]);
        }
    }
    let mut splines = Splines::new();
    for (rotations, (joint, freedom, keys)) in rotations.iter_mut().zip(&curves) {
        let curve = JointCurve { problem, keys };
        let step = match problem.settings.form {
            Form::Displacement => curve.add(&mut splines, |frame, v| {
                if v != Vec3::ZERO {
                    rotations[frame] = (rotations[frame] * exp(v)).normalize();
                }
            }),
            Form::Paper => curve.replace(&mut splines, rotations),
        };
        report.slope_step = report.slope_step.max(step * problem.motion.fps);
        report.changed_joints.push(*joint);
        if let Some(bounds) = freedom.bounds {
            let excess = |rotation: &Quat| bounds.excess(*rotation);
            let excess = rotations[problem.first_frame..].iter().map(excess).fold(0.0, f64::max);
            if excess > 1e-6 {
                report.notes.push(Note::BeyondLimit { joint: *joint, by: excess });
            }
        }
    }
    let mut after = problem.motion.clone();
    for (frame, pose) in after.poses.iter_mut().enumerate() {
        for (rotations, (joint, ..)) in rotations.iter().zip(&curves) {
            pose.rotations[joint.index()] = rotations[frame];
        }
    }
    move_roots(problem, solutions, &mut after);
    after
}

fn move_roots(problem: &Problem, solutions: &KeyframeSolutions, after: &mut Motion) {
    let skeleton = &problem.motion.skeleton;
    for joint in skeleton.ids().filter(|&joint| skeleton.parent(joint).is_none()) {
        let keys = solutions.keys(problem, joint, |change| match change {
            Change::Translation(v) => Some(v),
            Change::Rotation(_) => None,
        });
        if !keys.is_empty() {
            let add = |frame: usize, v| after.poses[frame].offsets[joint.index()] += v;
            JointCurve { problem, keys: &keys }.add(&mut Splines::new(), add);
        }
    }
}

/// The keys of one joint.
struct JointCurve<'a> {
    problem: &'a Problem<'a>,
    keys: &'a [(usize, Vec3)],
}

impl JointCurve<'_> {
    fn splines<'s>(&self, splines: &'s mut Splines, objective: Objective) -> &'s [Spline] {
        let Problem { motion, settings, first_frame, fade, .. } = self.problem;
        let frames: Vec<usize> = self.keys.iter().map(|key| key.0).collect();
        let last = motion.frames().saturating_sub(1);
        let stride = stride(settings, motion.fps);
        let form = if objective == Objective::Velocity { Form::Paper } else { Form::Displacement };
        splines.entry(frames).or_insert_with_key(|frames| {
            let intervals = intervals(frames, *first_frame, last, *fade);
            let spline = |interval| Spline::new(knots(interval, frames, stride, form), objective);
            intervals.iter().map(spline).collect()
        })
    }

    /// The change at a key; zero elsewhere.
    fn change_at(&self, frame: usize) -> Vec3 {
        let key = self.keys.binary_search_by_key(&frame, |key| key.0);
        key.map_or(Vec3::ZERO, |key| self.keys[key].1)
    }

    /// Fits a displacement curve and passes its value at each frame to `add`. Returns the largest
    /// discontinuity of its slope, per frame.
    fn add(&self, splines: &mut Splines, mut add: impl FnMut(usize, Vec3)) -> f64 {
        let ease = self.problem.settings.ease * self.problem.motion.fps;
        let mut step = 0.0;
        for spline in self.splines(splines, Objective::Stillness(ease)) {
            let mut curve = Curve {
                values: spline.knots.iter().map(|knot| self.change_at(knot.frame)).collect(),
                slopes: vec![Vec3::ZERO; spline.knots.len()],
            };
            spline.solve(&mut curve, &[]);
            spline.sample(&curve, &mut add);
            step = f64::max(step, spline.largest_step(&curve));
        }
        step
    }

    /// Replaces the captured rotations by a fitted curve. Returns the largest discontinuity of its
    /// slope, per frame.
    fn replace(&self, splines: &mut Splines, rotations: &mut [Quat]) -> f64 {
        let center = mean_rotation_of(rotations.iter().copied());
        let captured = rotation_vectors_of(rotations.iter().copied(), center);
        let first = self.problem.first_frame;
        // Frames before the performance, such as a T-pose, are not neighbours in time.
        let mut velocity = vec![Vec3::ZERO; first];
        velocity.extend(velocities(&captured[first..]));
        let value = |frame: usize| match self.keys.binary_search_by_key(&frame, |key| key.0) {
            Ok(key) => {
                let rotation = exp(captured[frame]) * exp(self.keys[key].1);
                log_near(rotation, captured[frame])
            }
            Err(_) => captured[frame],
        };
        let mut step = 0.0;
        for spline in self.splines(splines, Objective::Velocity) {
            let mut curve = Curve {
                values: spline.knots.iter().map(|knot| value(knot.frame)).collect(),
                slopes: spline.knots.iter().map(|knot| velocity[knot.frame]).collect(),
            };
            let from = spline.knots.first().map_or(0, |knot| knot.frame);
            spline.solve(&mut curve, &velocity[from..]);
            spline.sample(&curve, |frame, v| {
                if v != captured[frame] {
                    rotations[frame] = (center * exp(v)).normalize();
                }
            });
            step = f64::max(step, spline.largest_step(&curve));
        }
        step
    }
}

/// Central differences per frame; one-sided at the ends.
pub(super) fn velocities(values: &[Vec3]) -> Vec<Vec3> {
    let last = values.len().saturating_sub(1);
    let velocity = |n: usize| {
        let (from, to) = (n.saturating_sub(1), (n + 1).min(last));
        (values[to] - values[from]) / (to - from).max(1) as f64
    };
    (0..values.len()).map(velocity).collect()
}
