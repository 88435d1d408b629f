//! Stances: the frames in which a foot is on the ground as a whole, for footprints.

use crate::context::Context;
use crate::paths::planted_frames;
use core::ops::Range;
use surefoot_core::{FootPoint, Plant};

/// A time in which one foot leaves one footprint.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stance {
    /// The index of the leg.
    pub leg: usize,
    /// The frames in which heel and ball are planted, or those of the only plant. Entries of a path; never empty.
    pub frames: Range<usize>,
}

/// The stances of all feet, in order of time.
///
/// A heel and a ball that are planted at the same time make one stance; a heel or ball alone makes one of its own, as
/// the balls of a run.
pub(crate) fn stances(context: &Context, frames: usize) -> Vec<Stance> {
    let plants = &context.plants.plants;
    let of = |plant: &Plant| planted_frames(plant, context, frames);
    let (heels, balls): (Vec<&Plant>, Vec<&Plant>) =
        plants.iter().filter(|plant| !of(plant).is_empty()).partition(|plant| plant.point == FootPoint::Heel);
    let mut found = Vec::new();
    let mut is_used = vec![false; balls.len()];
    for heel in &heels {
        let both = |ball: &Plant| of(heel).start.max(of(ball).start)..of(heel).end.min(of(ball).end);
        let partners =
            balls.iter().enumerate().filter(|(_, ball)| ball.leg == heel.leg && !both(ball).is_empty());
        let before = found.len();
        for (index, ball) in partners {
            is_used[index] = true;
            found.push(Stance { leg: heel.leg, frames: both(ball) });
        }
        if found.len() == before {
            found.push(Stance { leg: heel.leg, frames: of(heel) });
        }
    }
    let alone = balls.iter().zip(&is_used).filter(|(_, used)| !**used);
    found.extend(alone.map(|(ball, _)| Stance { leg: ball.leg, frames: of(ball) }));
    found.sort_by_key(|stance| (stance.frames.start, stance.leg));
    found
}
