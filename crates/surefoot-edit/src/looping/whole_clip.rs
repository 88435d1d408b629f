//! Loops made of a whole clip.

use super::{ClosedLoop, LoopStart, Settings, close, cycle_at, seam, whole_motion_loop};
use crate::distance;
use crate::pair::PairError;
use surefoot_core::{Clip, Floor, Loop, Vec3};

/// Largest gap between end and start of a loop, in metres (root mean square over the joints).
///
/// Larger gaps are visible as a jump, so the clip is not treated as a loop.
pub const MAX_LOOP_GAP: f64 = 0.02;

/// Default settings for a clip, with up from its floor.
pub fn settings_for(clip: &Clip) -> Settings {
    let up = clip.floor.as_ref().map_or(Vec3::Y, Floor::up);
    let weights = Some(distance::weights_of_body(&clip.motion.skeleton, &clip.legs));
    Settings { map: distance::Settings { up, weights, ..Default::default() }, ..Default::default() }
}

/// Sets `looping` of a clip that is a loop as a whole. Returns the clip and the gap between its end
/// and its start, in metres; compare it with [`MAX_LOOP_GAP`].
pub fn detect_loop(clip: &Clip) -> Result<(Clip, f64), PairError> {
    let performance = clip.relative_to_ground().performance();
    let (looping, gap) = whole_motion_loop(&performance.motion, &settings_for(clip))?;
    Ok((Clip { looping: Some(looping), ..clip.clone() }, gap))
}

/// Closes a whole clip into a loop.
///
/// A clip that loops already is returned unchanged with `looping` set. Otherwise end and start are
/// eased into each other, and the last frame repeats the first.
pub fn close_loop(clip: &Clip) -> Result<Clip, PairError> {
    let at_rest = clip.relative_to_ground();
    let Clip { motion: performance, plants, .. } = at_rest.performance();
    let (looping, gap) = whole_motion_loop(&performance, &settings_for(clip))?;
    let repeats = looping.period < performance.frames();
    if gap <= MAX_LOOP_GAP && (repeats || seam(&performance, &clip.legs, &looping).is_smooth()) {
        return Ok(Clip { looping: Some(looping), ..clip.clone() });
    }
    let settings = Settings { start: LoopStart::First, ..settings_for(clip) };
    let cycle = cycle_at(&performance, 0, usize::MAX, &settings)?;
    let ClosedLoop { edit, looping, .. } = close(&performance, &plants, &clip.legs, &cycle, &settings)?;
    let closed = with_loop(&at_rest, &edit, &looping);
    Ok(match clip.ground_velocity {
        Some(velocity) => {
            let motion = closed.motion.with_added_velocity(velocity);
            Clip { motion, ground_velocity: Some(velocity), ..closed }
        }
        None => closed,
    })
}

/// Replaces a clip by a loop. Frames before the performance are left out: a T-pose would flash up in every round.
pub fn with_loop(clip: &Clip, edited: &crate::EditResult, looping: &Loop) -> Clip {
    Clip {
        motion: edited.motion.clone(),
        plants: edited.plants.clone(),
        looping: Some(*looping),
        first_frame: 0,
        ..clip.clone()
    }
}
