//! The number of auxiliary frames (§6.2): the published form with knots at every second frame and less often.
//!
//! The paper leaves this study to the future. The capture is resampled to 30 fps, the rate of the paper, and has the
//! goals of the boxing experiment.

use super::{Capture, Table, boxing};
use surefoot_core::math::sqrt;
use surefoot_core::{Clip, Motion, Vec3};
use surefoot_edit::reach::{
    Form, Goal, JointChange, Settings, angles, changes, mean_rotation, reach, velocities,
};
use surefoot_edit::resample::resample;

/// The rate of the capture in the paper, in frames per second.
const FPS: f64 = 30.0;

/// Distances between auxiliary frames that are compared, in frames. The paper chose 2.
const SPACINGS: [usize; 7] = [2, 3, 4, 6, 8, 12, 16];

pub fn table(capture: impl Fn(&'static str) -> Option<Capture>) -> Option<Table> {
    let mut text = String::from(
        "| capture at 30 fps | curve | velocity difference | largest turn | added velocity swings |\n|---|---|---|---|---|\n",
    );
    for name in ["13_17", "17_10"] {
        let capture = capture(name)?;
        let clip = resample(&capture.clip, FPS).expect("a rate of 30 fps");
        let goals = boxing::goals(&clip, 12);
        for (n, frames) in SPACINGS.into_iter().enumerate() {
            let settings =
                Settings { form: Form::Paper, spacing: frames as f64 / FPS, ..Settings::default() };
            let title = if n == 0 { name } else { "" };
            text += &row(title, &format!("published, every {frames} frames"), &clip, &goals, &settings);
        }
        text += &row("", "ours", &clip, &goals, &Settings::default());
    }
    Some(Table { text, goals: Vec::new() })
}

fn row(title: &str, curve: &str, clip: &Clip, goals: &[Goal], settings: &Settings) -> String {
    let settings = Settings { first_frame: clip.first_frame, ..settings.clone() };
    let (after, report) = reach(&clip.motion, goals, &settings).expect("goals of this motion");
    let changes = changes(&clip.motion, &after, &report.changed_joints, &settings);
    let sum: f64 = changes.iter().map(|change| change.velocity_rms * change.velocity_rms).sum();
    let turned = changes.iter().map(|change| change.angle_max).fold(0.0, f64::max);
    format!(
        "| {title} | {curve} | {:.2} °/s | {:.1}° | {:.1} times a second |\n",
        sqrt(sum / changes.len().max(1) as f64).to_degrees(),
        turned.to_degrees(),
        swings(&clip.motion, &after, &changes, clip.first_frame)
    )
}

/// How often the added velocity of the joint that changes most goes up and down again, per second: half the number of
/// turning points about its main axis.
fn swings(before: &Motion, after: &Motion, changes: &[JointChange], first: usize) -> f64 {
    let most = changes.iter().max_by(|a, b| a.velocity_rms.total_cmp(&b.velocity_rms));
    let Some(joint) = most.map(|change| change.joint) else { return 0.0 };
    let center = mean_rotation(before, joint);
    let velocity = |motion: &Motion| velocities(&angles(motion, joint, center)[first..], FPS);
    let (captured, edited) = (velocity(before), velocity(after));
    let added: Vec<Vec3> =
        edited.iter().zip(&captured).map(|(edited, captured)| *edited - *captured).collect();
    let energy = added.iter().fold(Vec3::ZERO, |sum, value| sum + *value * *value);
    let axis = (0..3).max_by(|&a, &b| energy[a].total_cmp(&energy[b])).unwrap_or(0);
    let turns =
        added.windows(3).filter(|v| (v[1][axis] - v[0][axis]) * (v[2][axis] - v[1][axis]) < 0.0).count();
    turns as f64 / 2.0 / (added.len() as f64 / FPS)
}
