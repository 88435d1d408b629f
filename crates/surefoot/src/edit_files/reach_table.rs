//! The goals and joints of an edit with goals, as text tables.

use super::reach::{GoalResult, JointResult, ReachedFile};
use crate::printable;

impl ReachedFile<'_> {
    /// The goals and the joints that were turned, as text tables.
    pub fn table(&self) -> String {
        table(self)
    }
}

/// The number of goals that are listed; the report and `--json` list all.
const LISTED: usize = 40;

fn table(reached: &ReachedFile<'_>) -> String {
    let goals = reached.goal_results();
    let met = goals.iter().filter(|goal| goal.met).count();
    let mut text = format!("{met} of {} goals met\n", goals.len());
    if !goals.is_empty() {
        let widest = goals.iter().map(|goal| printable(goal.goal).chars().count()).max().unwrap_or(0).max(4);
        let lasts = goals.iter().any(|goal| goal.last_frame > goal.frame);
        let frames = if lasts { "frames" } else { "frame" };
        let wide = if lasts { 11 } else { 7 };
        text += &format!("\n{frames:>wide$}  {:widest$}  {:>12}  {:>14}\n", "goal", "before", "after");
        for goal in goals.iter().take(LISTED) {
            let (frame, label) = (frames_text(goal), printable(goal.goal));
            if let Some((before, after)) = goal.distance_before_m.zip(goal.distance_m) {
                let [before, after] = [before, after].map(|metres| metres * 1e3);
                text += &format!("{frame:>wide$}  {label:widest$}  {before:>9.2} mm  {after:>11.5} mm\n");
            }
            if let Some((before, after)) = goal.turn_before_rad.zip(goal.turn_rad) {
                let [before, after] = [before, after].map(f64::to_degrees);
                text += &format!("{frame:>wide$}  {label:widest$}  {before:>11.3}°  {after:>13.6}°\n");
            }
        }
        if goals.len() > LISTED {
            text += &format!("{:>wide$}  and {} more\n", "", goals.len() - LISTED);
        }
    }
    text + &joints_table(&reached.joint_results())
}

/// The frame of a goal, or its first and last one.
fn frames_text(goal: &GoalResult) -> String {
    match goal.last_frame > goal.frame {
        true => format!("{}–{}", goal.frame, goal.last_frame),
        false => goal.frame.to_string(),
    }
}

fn joints_table(joints: &[JointResult]) -> String {
    if joints.is_empty() {
        return String::new();
    }
    let widest = joints.iter().map(|joint| printable(joint.joint).chars().count()).max().unwrap_or(0).max(5);
    let mut text =
        format!("\n  {:widest$}  {:>9}  {:>15}  {:>12}\n", "joint", "turned", "velocity change", "ripple");
    for joint in joints {
        let changes =
            [joint.turned_max_rad, joint.velocity_change_rms_rad_per_s, joint.velocity_ripple_rms_rad_per_s];
        let ([turned, velocity, ripple], name) = (changes.map(f64::to_degrees), printable(joint.joint));
        text += &format!("  {name:widest$}  {turned:>8.2}°  {velocity:>11.2} °/s  {ripple:>8.2} °/s\n");
    }
    text
}
