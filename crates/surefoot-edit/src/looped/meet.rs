//! How does a whole take become a loop?

use super::{Begin, Closed, Loop, Settings, close, cycle_at, seam, whole};
use crate::distance;
use crate::pair::PairError;
use crate::take::Take;
use surefoot_core::{Floor, Vec3};

/// A motion whose end misses its start by more than this, in metres, is no loop: a person would see it.
pub const IS_NO_LOOP: f64 = 0.02;

/// How the loops of a take are found and closed: turned about up from its floor.
pub fn settings_of(take: &Take) -> Settings {
    let up = take.floor.as_ref().map_or(Vec3::Y, Floor::up);
    Settings { map: distance::Settings { up, ..Default::default() }, ..Default::default() }
}

/// The take as the loop that it is, and by how much its end misses its start, in metres.
pub fn known_as_loop(take: &Take) -> Result<(Take, f64), PairError> {
    let (performed, _) = take.from_ground().performed();
    let (looped, missed) = whole(&performed, &settings_of(take))?;
    Ok((Take { looped: Some(looped), ..take.clone() }, missed))
}

/// The take with its end made to meet its start: as it is where they meet already, unseen; else its last
/// frame becomes its first again.
pub fn meet(take: &Take) -> Result<Take, PairError> {
    let seen = take.from_ground();
    let (performed, plants) = seen.performed();
    let (looped, missed) = whole(&performed, &settings_of(take))?;
    let repeats = looped.period < performed.frames();
    if missed <= IS_NO_LOOP && (repeats || seam(&performed, &looped).is_unseen()) {
        return Ok(Take { looped: Some(looped), ..take.clone() });
    }
    let settings = Settings { begin: Begin::First, ..settings_of(take) };
    let cycle = cycle_at(&performed, 0, usize::MAX, &settings)?;
    let Closed { edited, looped, .. } = close(&performed, &plants, &take.legs, &cycle, &settings)?;
    let closed = seen.looping(&edited, &looped);
    Ok(match take.ground {
        Some(ground) => {
            Take { motion: closed.motion.with_added_velocity(ground), ground: take.ground, ..closed }
        }
        None => closed,
    })
}

impl Take {
    /// The same take with a loop for its performance.
    pub fn looping(&self, edited: &crate::Edited, looped: &Loop) -> Take {
        Take { looped: Some(*looped), ..self.performing(edited.motion.clone(), &edited.plants) }
    }
}
