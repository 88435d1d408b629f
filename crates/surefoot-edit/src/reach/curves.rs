//! What do keyframes make of every pose?
//!
//! A joint is held at every frame that has a goal on what it carries, turned or not: else a chain
//! that ends below it would be carried off its goal. Joints that are turned nowhere keep their
//! bits, and so does every frame that a fade does not reach.

use super::chain::Scene;
use super::close::Solved;
use super::jacobian::Change;
use super::knots::{fade, knots, stretches, stride};
use super::report::{Note, Report};
use super::settings::Form;
use super::spline::{Aim, Curve, Spline};
use super::turns::{angles, exp, log_near, mean_turn};
use std::collections::BTreeMap;
use surefoot_core::{JointId, Motion, Pose, Quat, Vec3};

/// What was solved, by frame.
#[derive(Default)]
pub(super) struct Turned {
    frames: BTreeMap<usize, Solved>,
}

impl Turned {
    pub fn insert(&mut self, frame: usize, solved: Solved) {
        self.frames.insert(frame, solved);
    }

    /// What is added to a joint at each frame that it is held at; empty if nothing is anywhere.
    fn keys(
        &self,
        scene: &Scene,
        joint: JointId,
        part: impl Fn(Change) -> Option<Vec3>,
    ) -> Vec<(usize, Vec3)> {
        let mut keys = Vec::new();
        for (&frame, solved) in &self.frames {
            let change =
                solved.changes.iter().filter(|change| change.0 == joint).find_map(|change| part(change.1));
            if change.is_some() || scene.carries(joint, &scene.frames[&frame]) {
                keys.push((frame, change.unwrap_or_default()));
            }
        }
        if keys.iter().all(|key| key.1 == Vec3::ZERO) { Vec::new() } else { keys }
    }
}

/// Splines by the frames they are held at, each factored once.
type Splines = BTreeMap<Vec<usize>, Vec<Spline>>;

/// Bends every joint's curve through its keyframes.
pub(super) fn bend(scene: &Scene, turned: &Turned, report: &mut Report) -> Motion {
    let mut after = scene.motion.clone();
    let mut splines = Splines::new();
    for (joint, known) in scene.turning() {
        let keys = turned.keys(scene, joint, |change| match change {
            Change::Turn(v) => Some(v),
            Change::Move(_) => None,
        });
        if keys.is_empty() {
            continue;
        }
        let bent = Bent { scene, n: joint.index(), keys: &keys };
        let step = match scene.settings.form {
            Form::Displacement => bent.add(&mut splines, &mut after, |pose, n, v| {
                if v != Vec3::ZERO {
                    pose.rotations[n] = (pose.rotations[n] * exp(v)).normalize();
                }
            }),
            Form::Paper => bent.replace(&mut splines, &mut after, joint),
        };
        report.slope_step = report.slope_step.max(step * scene.motion.fps);
        report.turned.push(joint);
        if let Some(room) = known.room {
            let beyond = |pose: &Pose| room.excess(pose.rotations[joint.index()]);
            let excess = after.poses[scene.first_frame..].iter().map(beyond).fold(0.0, f64::max);
            if excess > 1e-6 {
                report.notes.push(Note::BeyondLimit { joint, by: excess });
            }
        }
    }
    for joint in scene.motion.skeleton.ids().filter(|&joint| scene.motion.skeleton.parent(joint).is_none()) {
        let keys = turned.keys(scene, joint, |change| match change {
            Change::Move(v) => Some(v),
            Change::Turn(_) => None,
        });
        if !keys.is_empty() {
            let bent = Bent { scene, n: joint.index(), keys: &keys };
            bent.add(&mut splines, &mut after, |pose, n, v| pose.offsets[n] += v);
        }
    }
    after
}

/// One joint and what it is held at.
struct Bent<'a> {
    scene: &'a Scene<'a>,
    n: usize,
    keys: &'a [(usize, Vec3)],
}

impl Bent<'_> {
    fn splines<'s>(&self, splines: &'s mut Splines, aim: Aim) -> &'s [Spline] {
        let Scene { motion, settings, first_frame, .. } = self.scene;
        let frames: Vec<usize> = self.keys.iter().map(|key| key.0).collect();
        let last = motion.frames().saturating_sub(1);
        let (stride, fade) = (stride(settings, motion.fps), fade(settings, motion.fps));
        let form = if aim == Aim::Velocity { Form::Paper } else { Form::Displacement };
        splines.entry(frames).or_insert_with_key(|frames| {
            let stretches = stretches(frames, *first_frame, last, fade);
            let spline = |stretch| Spline::new(knots(stretch, frames, stride, form), aim);
            stretches.iter().map(spline).collect()
        })
    }

    /// What is added at a frame that the joint is held at.
    fn added(&self, frame: usize) -> Vec3 {
        let key = self.keys.binary_search_by_key(&frame, |key| key.0);
        key.map_or(Vec3::ZERO, |key| self.keys[key].1)
    }

    /// Adds a smooth curve to the captured one. The largest step of its slope, a frame.
    fn add(&self, splines: &mut Splines, after: &mut Motion, add: impl Fn(&mut Pose, usize, Vec3)) -> f64 {
        let ease = self.scene.settings.ease * self.scene.motion.fps;
        // The published form has no say in how a body is moved: it is about angles.
        let mut own = Splines::new();
        let splines = if self.scene.settings.form == Form::Displacement { splines } else { &mut own };
        let mut step = 0.0;
        for spline in self.splines(splines, Aim::Stillness(ease)) {
            let mut curve = Curve {
                values: spline.knots.iter().map(|knot| self.added(knot.frame)).collect(),
                slopes: vec![Vec3::ZERO; spline.knots.len()],
            };
            spline.solve(&mut curve, &[]);
            spline.sample(&curve, |frame, v| add(&mut after.poses[frame], self.n, v));
            step = f64::max(step, spline.largest_step(&curve));
        }
        step
    }

    /// Puts a curve in the captured one's place. The largest step of its slope, a frame.
    fn replace(&self, splines: &mut Splines, after: &mut Motion, joint: JointId) -> f64 {
        let motion = self.scene.motion;
        let midst = mean_turn(motion, joint);
        let captured = angles(motion, joint, midst);
        let first = self.scene.first_frame;
        // A frame before the first is no part of the performance, and no neighbour in time.
        let mut velocity = vec![Vec3::ZERO; first];
        velocity.extend(velocities(&captured[first..]));
        let value = |frame: usize| match self.keys.binary_search_by_key(&frame, |key| key.0) {
            Ok(key) => log_near(midst.conjugate() * self.turned(frame, self.keys[key].1), captured[frame]),
            Err(_) => captured[frame],
        };
        let mut step = 0.0;
        for spline in self.splines(splines, Aim::Velocity) {
            let mut curve = Curve {
                values: spline.knots.iter().map(|knot| value(knot.frame)).collect(),
                slopes: spline.knots.iter().map(|knot| velocity[knot.frame]).collect(),
            };
            let from = spline.knots.first().map_or(0, |knot| knot.frame);
            spline.solve(&mut curve, &velocity[from..]);
            spline.sample(&curve, |frame, v| {
                if v != captured[frame] {
                    after.poses[frame].rotations[self.n] = (midst * exp(v)).normalize();
                }
            });
            step = f64::max(step, spline.largest_step(&curve));
        }
        step
    }

    fn turned(&self, frame: usize, by: Vec3) -> Quat {
        self.scene.motion.poses[frame].rotations[self.n] * exp(by)
    }
}

/// Half the way from the frame before to the one after; at the ends the way to the only neighbour.
pub(super) fn velocities(values: &[Vec3]) -> Vec<Vec3> {
    let last = values.len().saturating_sub(1);
    let velocity = |n: usize| {
        let (from, to) = (n.saturating_sub(1), (n + 1).min(last));
        (values[to] - values[from]) / (to - from).max(1) as f64
    };
    (0..values.len()).map(velocity).collect()
}
