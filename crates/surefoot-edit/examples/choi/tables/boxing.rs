//! Boxing (§6.1 and §6.2): twelve punches of each capture get other targets.
//!
//! An impact is the frame of largest hand–shoulder distance right after a fast extension. Its goal is the captured
//! position plus 3 to 8 cm.

use super::{Capture, Table, displacement, header, positions, rows};
use surefoot_core::{Clip, JointPoint, Vec3};
use surefoot_edit::reach::Goal;

/// Number of impacts, as in the published experiment.
const IMPACTS: usize = 12;

/// Shortest time between two impacts of one hand, in seconds.
const MIN_INTERVAL: f64 = 0.2;

pub fn table(capture: impl Fn(&'static str) -> Option<Capture>) -> Option<Table> {
    let mut table = Table { text: header("capture"), goals: Vec::new() };
    for name in ["13_17", "17_10", "79_08"] {
        let capture = capture(name)?;
        let goals = goals(&capture.clip, IMPACTS);
        table.text += &rows(&capture.title(), &capture, &goals);
        table.goals.push(capture.goals_file(&goals));
    }
    Some(table)
}

/// The goals of the strongest punches, in order of time.
pub fn goals(clip: &Clip, count: usize) -> Vec<Goal> {
    let goal = |(n, impact): (usize, &Impact)| {
        Goal::at_position(impact.frame, impact.hand, impact.position + displacement(n))
    };
    impacts(clip, count).iter().enumerate().map(goal).collect()
}

/// A frame at which an arm is stretched out after a fast extension.
#[derive(Clone)]
pub struct Impact {
    pub frame: usize,
    pub hand: JointPoint,
    pub position: Vec3,
    pub shoulder: Vec3,
    /// The largest speed of the extension, in metres per second.
    speed: f64,
}

/// The strongest impacts of both hands, in order of time.
pub fn impacts(clip: &Clip, count: usize) -> Vec<Impact> {
    let mut impacts: Vec<Impact> = Vec::new();
    for side in ["Left", "Right"] {
        let joint = |part: &str| clip.motion.skeleton.find(&format!("{side}{part}")).expect("a CMU body");
        impacts.extend(impacts_of(
            clip,
            ["Arm", "Hand"].map(|part| JointPoint { joint: joint(part), offset: Vec3::ZERO }),
        ));
    }
    impacts.sort_by(|a, b| b.speed.total_cmp(&a.speed));
    impacts.truncate(count);
    impacts.sort_by_key(|impact| impact.frame);
    impacts
}

fn impacts_of(clip: &Clip, [arm, hand]: [JointPoint; 2]) -> Vec<Impact> {
    let [arms, hands] = [arm, hand].map(|point| positions(clip, &point));
    let far: Vec<f64> = arms.iter().zip(&hands).map(|(arm, hand)| (*hand - *arm).length()).collect();
    let apart = (MIN_INTERVAL * clip.motion.fps) as usize;
    let mut impacts: Vec<Impact> = Vec::new();
    for frame in clip.first_frame + apart..clip.motion.frames().saturating_sub(apart) {
        let around = &far[frame - apart / 2..=frame + apart / 2];
        if around.iter().any(|&other| other > far[frame]) {
            continue;
        }
        let before = far[frame - apart..=frame].windows(2).map(|pair| (pair[1] - pair[0]) * clip.motion.fps);
        let speed = before.fold(0.0, f64::max);
        if impacts.last().is_none_or(|last| frame - last.frame >= apart) {
            impacts.push(Impact { frame, hand, position: hands[frame], shoulder: arms[frame], speed });
        }
    }
    impacts
}
