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
use super::turns::{angles_of, exp, log_near, mean_of};
use std::collections::BTreeMap;
use surefoot_core::{JointId, Motion, Quat, Vec3};

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
///
/// Poses hold joint by joint what curves want frame by frame: all that is turned is taken out of
/// them in one go and put back in another, not joint by joint from poses all over the memory.
pub(super) fn bend(scene: &Scene, turned: &Turned, report: &mut Report) -> Motion {
    let turn = |change| match change {
        Change::Turn(v) => Some(v),
        Change::Move(_) => None,
    };
    let held = scene.turning().map(|(joint, known)| (joint, known, turned.keys(scene, joint, turn)));
    let held: Vec<_> = held.filter(|(_, _, keys)| !keys.is_empty()).collect();
    let mut turns: Vec<Vec<Quat>> = held.iter().map(|_| Vec::with_capacity(scene.motion.frames())).collect();
    for pose in &scene.motion.poses {
        for (turns, (joint, ..)) in turns.iter_mut().zip(&held) {
            turns.push(pose.rotations[joint.index()]);
        }
    }
    let mut splines = Splines::new();
    for (turns, (joint, known, keys)) in turns.iter_mut().zip(&held) {
        let bent = Bent { scene, keys };
        let step = match scene.settings.form {
            Form::Displacement => bent.add(&mut splines, |frame, v| {
                if v != Vec3::ZERO {
                    turns[frame] = (turns[frame] * exp(v)).normalize();
                }
            }),
            Form::Paper => bent.replace(&mut splines, turns),
        };
        report.slope_step = report.slope_step.max(step * scene.motion.fps);
        report.turned.push(*joint);
        if let Some(room) = known.room {
            let beyond = |turn: &Quat| room.excess(*turn);
            let excess = turns[scene.first_frame..].iter().map(beyond).fold(0.0, f64::max);
            if excess > 1e-6 {
                report.notes.push(Note::BeyondLimit { joint: *joint, by: excess });
            }
        }
    }
    let mut after = scene.motion.clone();
    for (frame, pose) in after.poses.iter_mut().enumerate() {
        for (turns, (joint, ..)) in turns.iter().zip(&held) {
            pose.rotations[joint.index()] = turns[frame];
        }
    }
    move_roots(scene, turned, &mut after);
    after
}

fn move_roots(scene: &Scene, turned: &Turned, after: &mut Motion) {
    let skeleton = &scene.motion.skeleton;
    for joint in skeleton.ids().filter(|&joint| skeleton.parent(joint).is_none()) {
        let keys = turned.keys(scene, joint, |change| match change {
            Change::Move(v) => Some(v),
            Change::Turn(_) => None,
        });
        if !keys.is_empty() {
            let moved = |frame: usize, v| after.poses[frame].offsets[joint.index()] += v;
            Bent { scene, keys: &keys }.add(&mut Splines::new(), moved);
        }
    }
}

/// One joint and what it is held at.
struct Bent<'a> {
    scene: &'a Scene<'a>,
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

    /// Tells what a smooth curve adds at each frame. The largest step of its slope, a frame.
    fn add(&self, splines: &mut Splines, mut add: impl FnMut(usize, Vec3)) -> f64 {
        let ease = self.scene.settings.ease * self.scene.motion.fps;
        let mut step = 0.0;
        for spline in self.splines(splines, Aim::Stillness(ease)) {
            let mut curve = Curve {
                values: spline.knots.iter().map(|knot| self.added(knot.frame)).collect(),
                slopes: vec![Vec3::ZERO; spline.knots.len()],
            };
            spline.solve(&mut curve, &[]);
            spline.sample(&curve, &mut add);
            step = f64::max(step, spline.largest_step(&curve));
        }
        step
    }

    /// Puts a curve in the captured one's place. The largest step of its slope, a frame.
    fn replace(&self, splines: &mut Splines, turns: &mut [Quat]) -> f64 {
        let midst = mean_of(turns.iter().copied());
        let captured = angles_of(turns.iter().copied(), midst);
        let first = self.scene.first_frame;
        // A frame before the first is no part of the performance, and no neighbour in time.
        let mut velocity = vec![Vec3::ZERO; first];
        velocity.extend(velocities(&captured[first..]));
        let value = |frame: usize| match self.keys.binary_search_by_key(&frame, |key| key.0) {
            Ok(key) => {
                let turn = exp(captured[frame]) * exp(self.keys[key].1);
                log_near(turn, captured[frame])
            }
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
                    turns[frame] = (midst * exp(v)).normalize();
                }
            });
            step = f64::max(step, spline.largest_step(&curve));
        }
        step
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
