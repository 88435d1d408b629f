//! How does a whole clip become a loop?

use super::{Begin, Closed, Settings, close, cycle_at, seam, whole};
use crate::distance;
use crate::pair::PairError;
use surefoot_core::{Clip, Floor, Loop, Vec3};

/// A motion whose end misses its start by more than this, in metres, is no loop: a person would see it.
pub const IS_NO_LOOP: f64 = 0.02;

/// How the loops of a clip are found and closed: turned about up from its floor.
pub fn settings_of(clip: &Clip) -> Settings {
    let up = clip.floor.as_ref().map_or(Vec3::Y, Floor::up);
    Settings { map: distance::Settings { up, ..Default::default() }, ..Default::default() }
}

/// The clip as the loop that it is, and by how much its end misses its start, in metres.
pub fn known_as_loop(clip: &Clip) -> Result<(Clip, f64), PairError> {
    let performance = clip.relative_to_ground().performance();
    let (looped, missed) = whole(&performance.motion, &settings_of(clip))?;
    Ok((Clip { looping: Some(looped), ..clip.clone() }, missed))
}

/// The clip with its end made to meet its start: as it is where they meet already, unseen; else its last
/// frame becomes its first again.
pub fn meet(clip: &Clip) -> Result<Clip, PairError> {
    let seen = clip.relative_to_ground();
    let Clip { motion: performed, plants, .. } = seen.performance();
    let (looped, missed) = whole(&performed, &settings_of(clip))?;
    let repeats = looped.period < performed.frames();
    if missed <= IS_NO_LOOP && (repeats || seam(&performed, &looped).is_unseen()) {
        return Ok(Clip { looping: Some(looped), ..clip.clone() });
    }
    let settings = Settings { begin: Begin::First, ..settings_of(clip) };
    let cycle = cycle_at(&performed, 0, usize::MAX, &settings)?;
    let Closed { edited, looped, .. } = close(&performed, &plants, &clip.legs, &cycle, &settings)?;
    let closed = with_loop(&seen, &edited, &looped);
    Ok(match clip.ground_velocity {
        Some(velocity) => {
            let motion = closed.motion.with_added_velocity(velocity);
            Clip { motion, ground_velocity: Some(velocity), ..closed }
        }
        None => closed,
    })
}

/// This clip with a loop for its performance.
pub fn with_loop(clip: &Clip, edited: &crate::Edited, looping: &Loop) -> Clip {
    Clip { looping: Some(*looping), ..clip.with_performance(edited.motion.clone(), &edited.plants) }
}
