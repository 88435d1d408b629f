//! Catching (§6.3): a hand meets a ball that is thrown at it, and follows the ball while the ball slows down.
//!
//! No capture catches a ball. The ball is thrown at the moments at which an arm is stretched out, as for a punch. It
//! arrives 3 to 8 cm away from the captured hand at 3 m/s towards the shoulder, and comes to rest within 15 cm.

use super::boxing::{Impact, impacts};
use super::{Capture, Table, displacement, header, rows};
use surefoot_core::math::exp;
use surefoot_edit::reach::Goal;

/// Speed of the ball when it arrives, in metres per second.
const SPEED: f64 = 3.0;

/// Time constant with which the ball slows down in the hand, in seconds.
const SLOWS_WITHIN: f64 = 0.05;

/// Time for which the hand follows the ball, in seconds.
const FOLLOWED: f64 = 0.2;

pub fn table(capture: impl Fn(&'static str) -> Option<Capture>) -> Option<Table> {
    let mut table = Table { text: header("capture"), goals: Vec::new() };
    for (name, catches) in [("02_05", 4), ("05_02", 4)] {
        let capture = capture(name)?;
        let frames = (FOLLOWED * capture.clip.motion.fps) as usize;
        let impacts = impacts(&capture.clip, catches);
        let goals: Vec<Goal> =
            impacts.iter().enumerate().flat_map(|(n, at)| catch(n, at, frames, &capture)).collect();
        let title = format!("{}, {} catches of {} frames", capture.title(), impacts.len(), frames + 1);
        table.text += &rows(&title, &capture, &goals);
        table.goals.push(capture.goals_file(&goals));
    }
    Some(table)
}

/// The goals of one catch: one for each frame in which the ball slows down.
fn catch(n: usize, impact: &Impact, frames: usize, capture: &Capture) -> Vec<Goal> {
    let ball = impact.position + displacement(n);
    let direction = (impact.shoulder - ball).normalize();
    let fps = capture.clip.motion.fps;
    let last = capture.clip.motion.frames() - 1;
    let goal = |frame: usize| {
        let seconds = (frame - impact.frame) as f64 / fps;
        let travelled = SPEED * SLOWS_WITHIN * (1.0 - exp(-seconds / SLOWS_WITHIN));
        Goal::at_position(frame, impact.hand, ball + direction * travelled)
    };
    (impact.frame..=(impact.frame + frames).min(last)).map(goal).collect()
}
