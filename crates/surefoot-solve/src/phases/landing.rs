//! The end of phase 5: a knee bends in time for a foot that is about to be lifted.
//!
//! A foot may come down as fast as two metres a second and be captured centimetres below the floor. Lifted only while it is
//! in it, it would stop dead, and its knee with it. So knee and bones begin sooner and end later with what the frames around
//! ask of them, each fading with its distance. It is the angle that is faded and not the height: a knee that is straighter now
//! than when the foot lands would have to bend much more for as much height.
//!
//! What they ask is told from the captured foot, as far off as it is at this frame.

use surefoot_core::math::fade;

use super::lift::{lifted_by, reached};
use crate::settings::Form;
use crate::setup::Setup;
use crate::slots::{Beside, Change, Seen};
use crate::window::Window;

/// The time to either side over which a lift begins and ends, in seconds.
///
/// At 0.05 the knee of a kick that lands on a straight leg is still made faster by more than 3° a frame; beyond 0.08
/// feet are held back that come down gently.
const LANDS: f64 = 0.07;

/// A foot higher than this does not come down within that time, in metres.
const HIGH: f64 = 0.12;

/// What a free leg does, since its foot will be or has been lifted: more bend, in radians, and less length, as a fraction.
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
) -> [f64; 2] {
    let Some(floor) = &setup.floor else { return [0.0; 2] };
    if setup.settings.form == Form::Paper || heights[0].min(heights[1]) > HIGH {
        return [0.0; 2];
    }
    let lands = LANDS * setup.fps;
    let around = window.around(6, frame, (lands as usize).min(setup.frames.blend.frames));
    // A foot that is held is where it should be, and what is beyond it is none of this one's.
    let Beside { behind, ahead, .. } = &window.fades[leg];
    let start = behind.map_or(around.start, |(at, _)| around.start.max(at + 1));
    let end = ahead.map_or(around.end, |(at, _)| around.end.min(at));
    let captured = window.heights(leg, start..end);
    let now = captured[frame - start];
    let off = [heights[0] - now[0], heights[1] - now[1]];
    // The frame around that asks most, by how much its foot is lifted.
    let (mut most, mut asks) = (0.0, None);
    for (at, height) in (start..end).zip(captured) {
        let (heel, ball) = (height[0] + off[0], height[1] + off[1]);
        if heel.min(ball) < soft && at != frame {
            let lifted = lifted_by(heel.min(ball), heel.max(ball), soft);
            let weight = fade(at.abs_diff(frame) as f64 / lands);
            if lifted * weight > most {
                (most, asks) = (lifted * weight, Some((at, lifted, weight)));
            }
        }
    }
    let Some((at, lifted, weight)) = asks else { return [0.0; 2] };
    let asking = &window.leg(at, leg).seen;
    let way = asking.ankle - asking.hip;
    let bones = asking.bones();
    let was = bones.reach(bones.bend + change.bend) * (1.0 + change.stretch);
    let up = floor.plane_under(asking.ankle).normal;
    let steep = (-way.dot(up) / way.length().max(1e-9)).max(0.0);
    let (more, stretch) = reached(&bones, change, was, was - lifted * steep, setup.settings.stretch);
    [more.max(0.0) * weight, (stretch - change.stretch).min(0.0) * weight]
}

/// Keeps how high heel and ball are as captured.
pub(crate) fn note_heights(window: &mut Window, setup: &Setup, frame: usize, leg: usize) {
    if let Some(floor) = &setup.floor {
        let Seen { heel, ball, .. } = window.leg(frame, leg).seen;
        window.set_heights(frame, leg, [floor.above(heel), floor.above(ball)]);
    }
}
