//! The end of phase 5: a knee bends in time for a foot that is about to be lifted.
//!
//! A foot may come down as fast as two metres a second and be captured centimetres below the floor. Lifted only while it is
//! in it, it would stop dead, and its leg with it. So the leg begins sooner and ends later with what the frames around ask
//! of it, each fading with its distance. For how it swings that is a height; for how it bends it is the knee's angle: a
//! knee that is straighter now than when the foot lands would have to bend much more for as much height.
//!
//! What they ask is told from the captured foot, as far off as it is at this frame.

use surefoot_core::Floor;
use surefoot_core::math::fade;

use super::lift::{Due, SOFT, lift_share, lifted_by, missing, reached};
use crate::kinematics::rotation::turned;
use crate::settings::Form;
use crate::setup::Setup;
use crate::stream::slots::{Change, Seen};
use crate::stream::window::Window;

/// The time to either side over which a lift begins and ends, in seconds.
///
/// At 0.05 the knee of a kick that lands on a straight leg is still made faster by more than 3° a frame; beyond 0.08
/// feet are held back that come down gently.
const LANDS: f64 = 0.07;

/// The share of that time over which it begins next to a held frame.
const BEGINS: f64 = 0.5;

/// A lift up to this is made as it comes, in metres: so little is no jerk, and most feet land with less. It is what a
/// foot that stops at the floor is kept above it.
const LITTLE: f64 = 0.0015;

/// A foot higher than this does not come down within that time, in metres.
pub(crate) const HIGH: f64 = 0.12;

/// How much frames count, by how many frames they are off.
#[derive(Clone, Debug)]
pub(crate) struct Landing {
    /// How much of what a frame asks is due so far from it.
    due: Vec<f64>,
    /// How much of it is done so far from a held frame, up to where it is all.
    begun: Vec<f64>,
}

impl Landing {
    pub fn new(fps: f64) -> Self {
        let fades = |frames: f64| (0..=frames as usize).map(move |n| fade(n as f64 / frames));
        let lands = LANDS * fps;
        Self { due: fades(lands).collect(), begun: fades(BEGINS * lands).map(|left| 1.0 - left).collect() }
    }

    /// How much of what keeps a foot out of the floor is done at a frame, the nearest held ones behind and ahead of which
    /// are these: a held frame does none of it, and next to one it begins at nothing.
    pub fn begun(&self, frame: usize, nearest: [Option<usize>; 2]) -> f64 {
        let begun = |held: usize| self.begun.get(held.abs_diff(frame)).copied().unwrap_or(1.0);
        nearest[0].map_or(1.0, begun) * nearest[1].map_or(1.0, begun)
    }
}

/// What a free leg does since its foot will be or has been lifted.
///
/// `heights` are those of heel and ball with the change as it is, `nearest` the held frames behind and ahead.
pub(crate) fn due(
    window: &Window,
    setup: &Setup,
    frame: usize,
    leg: usize,
    change: &Change,
    heights: [f64; 2],
    nearest: [Option<usize>; 2],
) -> Due {
    let Some(floor) = &setup.floor else { return Due::default() };
    if setup.settings.form == Form::Paper || heights[0].min(heights[1]) > HIGH {
        return Due::default();
    }
    let landing = &setup.landing;
    let around = window.around(6, frame, (landing.due.len() - 1).min(setup.frames.blend.frames));
    // A foot that is held is where it should be, and what is beyond it is none of this one's.
    let start = nearest[0].map_or(around.start, |at| around.start.max(at + 1));
    let end = nearest[1].map_or(around.end, |at| around.end.min(at));
    let captured = window.heights(leg, start..end);
    let now = captured[frame - start];
    let off = [heights[0] - now[0], heights[1] - now[1]];
    // Most feet land without going through the floor.
    let lower = |one: f64, other: f64| if other < one { other } else { one };
    let lowest = captured.iter().fold(now, |low, at| [lower(low[0], at[0]), lower(low[1], at[1])]);
    if lowest[0] + off[0] >= 0.0 && lowest[1] + off[1] >= 0.0 {
        return Due::default();
    }
    // The frame around that asks most, by how much its foot is lifted: those nearest first, since they count most. None asks
    // for more than its foot is deep.
    let at_most = |[heel, ball]: [f64; 2]| missing(heel.min(ball), SOFT) - LITTLE;
    let deepest = at_most([lowest[0] + off[0], lowest[1] + off[1]]);
    let (mut most, mut asks) = (0.0, None);
    for (by, due) in landing.due.iter().enumerate().skip(1) {
        if deepest * due <= most {
            break;
        }
        for at in [frame.wrapping_sub(by), frame + by] {
            if !(start..end).contains(&at) {
                continue;
            }
            let height = captured[at - start];
            let heights = [height[0] + off[0], height[1] + off[1]];
            if at_most(heights) * due <= most {
                continue;
            }
            // Next to a held frame little is done of it, so little is asked: told from here, a foot that is led down as it
            // leaves its plant would seem to have left it below the floor.
            let weight = due * landing.begun(at, nearest);
            let lifted_from = |heights| lifted_from(window, floor, at, leg, change, heights);
            let all = lifted_from(heights);
            let own = || lifted_from(height.map(|height| height + change.depth));
            let lifted = (all - LITTLE) * lift_share(change, all, own);
            if lifted * weight > most {
                (most, asks) = (lifted * weight, Some((at, lifted, weight)));
            }
        }
    }
    let Some((at, lifted, weight)) = asks else { return Due::default() };
    let weight = weight * landing.begun(frame, nearest);
    let asking = &window.leg(at, leg).seen;
    let way = asking.ankle - asking.hip;
    let bones = asking.bones();
    let was = bones.reach(bones.bend + change.bend) * (1.0 + change.stretch);
    let up = floor.plane_under(asking.ankle).normal;
    let steep = (-way.dot(up) / way.length().max(1e-9)).max(0.0);
    let (more, stretch) = reached(&bones, change, was, was - lifted * steep, setup.settings.stretch_limit);
    Due {
        height: lifted * weight,
        bend: more.max(0.0) * weight,
        stretch: (stretch - change.stretch).min(0.0) * weight,
    }
}

/// By how much a foot is lifted at a frame whose change would be this one, from such heights of heel and ball.
fn lifted_from(
    window: &Window,
    floor: &Floor,
    at: usize,
    leg: usize,
    change: &Change,
    [heel, ball]: [f64; 2],
) -> f64 {
    let seen = &window.leg(at, leg).seen;
    let [to_heel, to_ball] =
        [seen.heel, seen.ball].map(|point| turned(change.foot.added, point - seen.ankle));
    let (arms, heights) =
        if heel < ball { ([to_heel, to_ball], [heel, ball]) } else { ([to_ball, to_heel], [ball, heel]) };
    lifted_by(arms, heights, floor.plane_under(seen.ankle).normal, SOFT)
}

/// Keeps how high heel and ball are as captured.
#[inline(never)]
pub(crate) fn note_heights(window: &mut Window, setup: &Setup, frame: usize, leg: usize) {
    if let Some(floor) = &setup.floor {
        let Seen { heel, ball, .. } = window.leg(frame, leg).seen;
        window.set_heights(frame, leg, [floor.above(heel), floor.above(ball)]);
    }
}
