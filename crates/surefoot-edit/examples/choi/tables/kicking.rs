//! Kicking (§6.3): at the impact the toes meet a ball.
//!
//! An impact is the frame at which a free foot is fastest, above 25 cm and 4 m/s. The ball is 3 to 8 cm away from the
//! captured toes. The other foot is planted.

use super::{Capture, Table, displacement, header, positions, rows};
use surefoot_core::Clip;
use surefoot_edit::reach::Goal;

/// Lowest height of a kick above the floor, in metres.
const MIN_HEIGHT: f64 = 0.25;

/// Lowest speed of the toes, in metres per second: a walking foot swings at up to 4 m/s, but lower.
const MIN_SPEED: f64 = 4.0;

/// Shortest time between two kicks, in seconds.
const MIN_INTERVAL: f64 = 0.5;

pub fn table(capture: impl Fn(&'static str) -> Option<Capture>) -> Option<Table> {
    let mut table = Table { text: header("capture"), goals: Vec::new() };
    for name in ["74_04", "86_01"] {
        let capture = capture(name)?;
        let goals = goals(&capture.clip);
        let kicks = if goals.len() == 1 { "1 kick".to_owned() } else { format!("{} kicks", goals.len()) };
        let title = format!("{}, {kicks}", capture.title());
        table.text += &rows(&title, &capture, &goals);
        table.goals.push(capture.goals_file(&goals));
    }
    Some(table)
}

fn goals(clip: &Clip) -> Vec<Goal> {
    let mut kicks: Vec<(f64, Goal)> = Vec::new();
    for leg in &clip.legs {
        let toes = positions(clip, &leg.toe);
        let speed = |frame: usize| toes[frame].distance(toes[frame - 1]) * clip.motion.fps;
        for (frame, &toe) in toes.iter().enumerate().skip(clip.first_frame + 1) {
            let height = clip.floor.as_ref().map_or(toe.y, |floor| floor.above(toe));
            if height > MIN_HEIGHT && speed(frame) > MIN_SPEED {
                kicks.push((speed(frame), Goal::at_position(frame, leg.toe, toe)));
            }
        }
    }
    kicks.sort_by(|a, b| b.0.total_cmp(&a.0));
    let apart = (MIN_INTERVAL * clip.motion.fps) as usize;
    let mut goals: Vec<Goal> = Vec::new();
    for (_, kick) in kicks {
        if goals.iter().all(|goal| goal.frame.abs_diff(kick.frame) >= apart) {
            goals.push(kick);
        }
    }
    goals.sort_by_key(|goal| goal.frame);
    for (n, goal) in goals.iter_mut().enumerate() {
        goal.position = goal.position.map(|position| position + displacement(n));
    }
    goals
}
