//! Time of the reach edit for a long motion, half of it, and single keyframes.
//!
//! `cargo bench -p surefoot-edit --bench reach`

use std::time::Instant;

use surefoot_core::math::{axis_rotation, sin};
use surefoot_core::{Joint, JointId, JointPoint, Motion, Pose, Skeleton, Vec3};
use surefoot_edit::reach::{Form, Goal, Settings, reach};

/// Number of joints in the chain, with three angles each.
const JOINTS: usize = 20;

/// A chain of bones of 5 cm with smooth rotations of all joints.
fn chain(frames: usize) -> Motion {
    let joint = |n: usize| Joint {
        name: format!("j{n}"),
        parent: n.checked_sub(1).map(|n| JointId(n as u32)),
        offset: Vec3::new(0.0, 0.05, 0.01),
        end: None,
    };
    let skeleton = Skeleton::new((0..=JOINTS).map(joint).collect()).expect("parents come first");
    let pose = |frame: usize| {
        let mut pose = Pose::rest(&skeleton);
        for (n, rotation) in pose.rotations.iter_mut().enumerate() {
            let (t, n) = (frame as f64 / 120.0, n as f64);
            *rotation = axis_rotation(0, 0.2 + 0.2 * sin(3.0 * t + n))
                * axis_rotation(2, 0.15 * sin(5.0 * t - n))
                * axis_rotation(1, 0.1 * sin(t));
        }
        pose
    };
    let poses = (0..frames).map(pose).collect();
    Motion { skeleton, fps: 120.0, poses }
}

fn goals(motion: &Motion, count: usize) -> Vec<Goal> {
    let point = JointPoint { joint: JointId(JOINTS as u32), offset: Vec3::Y * 0.05 };
    let goal = |n: usize| {
        let frame = (n * 2 + 1) * motion.frames() / (count * 2);
        let at = motion.poses[frame].world(&motion.skeleton).point(&point);
        let shift = Vec3::new(sin(n as f64), sin(1.7 * n as f64), sin(2.3 * n as f64)) * 0.06;
        Goal::at_position(frame, point, at + shift)
    };
    (0..count).map(goal).collect()
}

/// Processor time of this thread in seconds, if the system provides it. Unlike wall time it is not
/// affected by other processes.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split_whitespace().next()?.parse::<f64>().ok()? * 1e-9)
}

/// The best of a few runs, in seconds.
fn best(runs: usize, mut work: impl FnMut()) -> f64 {
    let mut once = || {
        let (clock, busy) = (Instant::now(), processor_seconds());
        work();
        let wall = clock.elapsed().as_secs_f64();
        busy.zip(processor_seconds()).map_or(wall, |(before, after)| after - before)
    };
    (0..runs).map(|_| once()).fold(f64::INFINITY, f64::min)
}

fn main() {
    println!("60 angles, one core; the best of 5 runs");
    for form in [Form::Displacement, Form::Paper] {
        let settings = Settings { form, ..Settings::default() };
        for (frames, keys) in [(25_000, 125), (50_000, 250), (100_000, 500)] {
            let motion = chain(frames);
            let goals = goals(&motion, keys);
            let mut farthest = 0.0_f64;
            let seconds = best(5, || {
                let (_, report) = reach(&motion, &goals, &settings).expect("the goals are valid");
                farthest = report.goals.iter().map(|goal| goal.after.distance).fold(0.0, f64::max);
            });
            println!(
                "{form:?}: {frames} frames, {keys} keyframes: {seconds:.3} s, {:.0} ns a frame; missed by {farthest:.1e} m",
                seconds / frames as f64 * 1e9
            );
        }
    }
    let motion = chain(200);
    let goals = goals(&motion, 100);
    let mut steps = 0;
    let seconds = best(20, || {
        let (_, report) = reach(&motion, &goals, &Settings::default()).expect("the goals are valid");
        steps = report.goals.iter().map(|goal| goal.steps).sum();
    });
    println!(
        "a keyframe of 60 angles: {:.0} µs, {:.1} steps of BFGS; with its share of 200 frames",
        seconds / 100.0 * 1e6,
        steps as f64 / 100.0
    );
}
