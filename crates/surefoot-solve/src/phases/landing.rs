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

use super::lift::{Due, lifted_by, reached};
use super::turn::turned;
use crate::settings::Form;
use crate::setup::Setup;
use crate::slots::{Beside, Change, Seen};
use crate::window::Window;

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
const HIGH: f64 = 0.12;

/// What a free leg does since its foot will be or has been lifted.
///
/// `heights` are those of heel and ball with the change as it is.
pub(super) fn due(
    window: &Window,
    setup: &Setup,
    frame: usize,
    leg: usize,
    change: &Change,
    heights: [f64; 2],
    soft: f64,
) -> Due {
    let Some(floor) = &setup.floor else { return Due::default() };
    if setup.settings.form == Form::Paper || heights[0].min(heights[1]) > HIGH {
        return Due::default();
    }
    let lands = LANDS * setup.fps;
    let around = window.around(6, frame, (lands as usize).min(setup.frames.blend.frames));
    // A foot that is held is where it should be, and what is beyond it is none of this one's.
    let Beside { behind, ahead, .. } = &window.doing[leg].fades;
    let start = behind.map_or(around.start, |(at, _)| around.start.max(at + 1));
    let end = ahead.map_or(around.end, |(at, _)| around.end.min(at));
    let captured = window.heights(leg, start..end);
    let now = captured[frame - start];
    let off = [heights[0] - now[0], heights[1] - now[1]];
    // Most feet land without going through the floor.
    let lower = |one: f64, other: f64| if other < one { other } else { one };
    let lowest = captured.iter().fold(now, |low, at| [lower(low[0], at[0]), lower(low[1], at[1])]);
    if lowest[0] + off[0] >= 0.0 && lowest[1] + off[1] >= 0.0 {
        return Due::default();
    }
    // The frame around that asks most, by how much its foot is lifted.
    let (mut most, mut asks) = (0.0, None);
    for (at, height) in (start..end).zip(captured) {
        let (heel, ball) = (height[0] + off[0], height[1] + off[1]);
        if heel.min(ball) < 0.0 && at != frame {
            let lifted = lifted(window, floor, at, leg, change, [heel, ball], soft) - LITTLE;
            let weight = fade(at.abs_diff(frame) as f64 / lands);
            if lifted * weight > most {
                (most, asks) = (lifted * weight, Some((at, lifted, weight)));
            }
        }
    }
    // Next to a frame that is held, which does none of this, it begins at nothing.
    let begins = |held: Option<usize>| held.map_or(1.0, |by| 1.0 - fade(by as f64 / (BEGINS * lands)));
    let begun = begins(behind.map(|(at, _)| frame - at)) * begins(ahead.map(|(at, _)| at - frame));
    let Some((at, lifted, weight)) = asks else { return Due::default() };
    let weight = weight * begun;
    let asking = &window.leg(at, leg).seen;
    let way = asking.ankle - asking.hip;
    let bones = asking.bones();
    let was = bones.reach(bones.bend + change.bend) * (1.0 + change.stretch);
    let up = floor.plane_under(asking.ankle).normal;
    let steep = (-way.dot(up) / way.length().max(1e-9)).max(0.0);
    let (more, stretch) = reached(&bones, change, was, was - lifted * steep, setup.settings.stretch);
    Due {
        height: lifted * weight,
        bend: more.max(0.0) * weight,
        stretch: (stretch - change.stretch).min(0.0) * weight,
    }
}

/// By how much a foot is lifted at a frame whose change would be this one.
fn lifted(
    window: &Window,
    floor: &Floor,
    at: usize,
    leg: usize,
    change: &Change,
    [heel, ball]: [f64; 2],
    soft: f64,
) -> f64 {
    let seen = &window.leg(at, leg).seen;
    let [to_heel, to_ball] =
        [seen.heel, seen.ball].map(|point| turned(change.foot.added, point - seen.ankle));
    let (arms, heights) =
        if heel < ball { ([to_heel, to_ball], [heel, ball]) } else { ([to_ball, to_heel], [ball, heel]) };
    lifted_by(arms, heights, floor.plane_under(seen.ankle).normal, soft)
}

/// Keeps how high heel and ball are as captured.
pub(crate) fn note_heights(window: &mut Window, setup: &Setup, frame: usize, leg: usize) {
    if let Some(floor) = &setup.floor {
        let Seen { heel, ball, .. } = window.leg(frame, leg).seen;
        window.set_heights(frame, leg, [floor.above(heel), floor.above(ball)]);
    }
}
