//! The published boxing experiment: twelve punches of each capture get new goals.
//!
//! An impact is the frame of largest hand–shoulder distance right after a fast extension. Its goal is
//! the captured position plus 3 to 8 cm in a direction that varies from punch to punch, like the palms
//! of a partner. `cargo run --release -p surefoot-edit --example boxing -- DATA OUT` reads the captures
//! below the folder DATA, writes a goals file for each into OUT, and prints the table of
//! book/src/edits/reach.md.

use std::path::Path;

use surefoot_core::math::{sincos, sqrt};
use surefoot_core::{JointId, JointPoint, Motion, Vec3, WorldPose};
use surefoot_edit::reach::{Form, Goal, Residue, Settings, changes, measure, reach};
use surefoot_formats::Space;
use surefoot_formats::bvh::Bvh;
use surefoot_infer::{Overrides, infer};

const CAPTURES: [&str; 3] = ["13_17", "17_10", "79_08"];

/// Number of impacts, as in the published experiment.
const IMPACTS: usize = 12;

/// Shortest time between two impacts of one hand, in seconds.
const MIN_INTERVAL: f64 = 0.2;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(data), Some(out)) = (args.next(), args.next()) else {
        return Err("usage: boxing DATA OUT".into());
    };
    println!(
        "| capture | form | residue | missed: mean, largest | turned | velocity changed | ripple | slope step |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for name in CAPTURES {
        let bvh = Bvh::read(std::fs::read(Path::new(&data).join(format!("bvh/cmu/{name}.bvh")))?)?;
        let inference = infer(&bvh.excerpt(), &Overrides::default());
        let space = Space { unit_m: inference.unit_m.value, up: inference.up.value };
        let motion = bvh.motion(&space);
        let first_frame = usize::from(inference.inserted_t_pose.value);
        let goals = goals(&motion, first_frame);
        std::fs::write(Path::new(&out).join(format!("{name}.goals.json")), file(&motion, &goals, &space))?;
        let far = measure(&motion, &goals).iter().map(|goal| goal.distance).collect::<Vec<_>>();
        let frames: Vec<String> = goals.iter().map(|goal| goal.frame.to_string()).collect();
        println!(
            "| {name}: {} frames at {:.0} fps | captured | | {} | | | | |",
            motion.frames(),
            motion.fps,
            error_cell(&far)
        );
        for (form, residue) in [
            (Form::Paper, Residue::Left),
            (Form::Paper, Residue::Closed),
            (Form::Displacement, Residue::Closed),
        ] {
            row(
                &bvh,
                &space,
                &motion,
                &goals,
                &Settings { form, residue, first_frame, ..Settings::default() },
            )?;
        }
        eprintln!("{name}: frames {}", frames.join(", "));
    }
    Ok(())
}

/// One row of the table, measured in the written file.
fn row(
    bvh: &Bvh,
    space: &Space,
    motion: &Motion,
    goals: &[Goal],
    settings: &Settings,
) -> Result<(), Box<dyn std::error::Error>> {
    let (after, report) = reach(motion, goals, settings)?;
    let after = Bvh::read(bvh.write(&after, space)?)?.motion(space);
    let far: Vec<f64> = measure(&after, goals).iter().map(|goal| goal.distance).collect();
    let changes = changes(motion, &after, &report.changed_joints, settings);
    let rms = |of: fn(&surefoot_edit::reach::JointChange) -> f64| {
        let sum: f64 = changes.iter().map(|change| of(change) * of(change)).sum();
        sqrt(sum / changes.len() as f64).to_degrees()
    };
    println!(
        "| | {:?} | {:?} | {} | {:.1}° | {:.2} °/s | {:.2} °/s | {:.0e} °/s |",
        settings.form,
        settings.residue,
        error_cell(&far),
        changes.iter().map(|change| change.angle_max).fold(0.0, f64::max).to_degrees(),
        rms(|change| change.velocity_rms),
        rms(|change| change.ripple_rms),
        report.slope_step.to_degrees()
    );
    Ok(())
}

fn error_cell(far: &[f64]) -> String {
    let (mean, largest) =
        (far.iter().sum::<f64>() / far.len() as f64, far.iter().copied().fold(0.0, f64::max));
    format!("{:.5}, {:.5} mm", mean * 1e3, largest * 1e3)
}

/// The goals of the strongest punches, in order of time.
fn goals(motion: &Motion, first_frame: usize) -> Vec<Goal> {
    let mut impacts: Vec<(f64, usize, JointPoint)> = Vec::new();
    for side in ["Left", "Right"] {
        let joint = |part: &str| motion.skeleton.find(&format!("{side}{part}")).expect("a CMU body");
        impacts.extend(punches(motion, first_frame, joint("Arm"), joint("Hand")));
    }
    impacts.sort_by(|a, b| b.0.total_cmp(&a.0));
    impacts.truncate(IMPACTS);
    impacts.sort_by_key(|impact| impact.1);
    let goal = |(n, (_, frame, point)): (usize, &(f64, usize, JointPoint))| {
        let captured = motion.poses[*frame].world(&motion.skeleton).point(point);
        // Directions by the golden angle, alternating up and down, 3 to 8 cm long.
        let (sin, cos) = sincos(n as f64 * 2.399_963);
        let (up, _) = sincos(n as f64 * 1.3);
        let far = 0.03 + 0.05 * ((n * 5) % 12) as f64 / 11.0;
        Goal::at_position(*frame, *point, captured + Vec3::new(cos, 0.7 * up, sin).normalize() * far)
    };
    impacts.iter().enumerate().map(goal).collect()
}

/// The impacts of a hand: extension speed, frame and goal.
fn punches(
    motion: &Motion,
    first_frame: usize,
    arm: JointId,
    hand: JointId,
) -> Vec<(f64, usize, JointPoint)> {
    let mut world = WorldPose::default();
    let mut far: Vec<f64> = Vec::new();
    for pose in &motion.poses {
        pose.forward_kinematics(&motion.skeleton, &mut world);
        far.push((world.joint(hand) - world.joint(arm)).length());
    }
    let apart = (MIN_INTERVAL * motion.fps) as usize;
    let mut inference: Vec<(f64, usize, JointPoint)> = Vec::new();
    for frame in first_frame + apart..motion.frames().saturating_sub(apart) {
        let around = &far[frame - apart / 2..=frame + apart / 2];
        if around.iter().any(|&other| other > far[frame]) {
            continue;
        }
        // Largest extension speed of the arm before the impact.
        let before = far[frame - apart..=frame].windows(2).map(|pair| (pair[1] - pair[0]) * motion.fps);
        let speed = before.fold(0.0, f64::max);
        if inference.last().is_none_or(|last| frame - last.1 >= apart) {
            inference.push((speed, frame, JointPoint { joint: hand, offset: Vec3::ZERO }));
        }
    }
    inference
}

fn file(motion: &Motion, goals: &[Goal], space: &Space) -> String {
    let line = |goal: &Goal| {
        let position = space.direction_to_file(goal.position.unwrap_or_default());
        let name = &motion.skeleton.joint(goal.point.joint).name;
        let [x, y, z] = position.to_array();
        format!(
            "    {{ \"frame\": {}, \"joint\": \"{name}\", \"position\": [{x:.6}, {y:.6}, {z:.6}] }}",
            goal.frame
        )
    };
    let lines: Vec<String> = goals.iter().map(line).collect();
    format!("{{ \"surefoot\": \"goals/1\",\n  \"goals\": [\n{} ] }}\n", lines.join(",\n"))
}
