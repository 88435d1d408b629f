//! Bends the knee in time for a foot that is about to be lifted.
//!
//! A foot may come down at two metres per second and be captured centimetres below the floor. Lifted only while it
//! is below the floor, it would stop abruptly, and its leg with it. So the leg begins earlier and ends later with
//! the lift that the frames around need, faded by their distance. The leg swings by a height, but its knee bends by an
//! angle: a knee that is straighter now than at the landing would have to bend much more for the same height.
//!
//! The lifts of the frames around are estimated from their captured feet, moved as far as the foot is at this frame.

use surefoot_core::Floor;
use surefoot_core::math::fade;

use super::lift::{AnticipatedLift, FootEnds, lift_height, lift_share, missing_height};
use crate::foot_points::FootPoints;
use crate::kinematics::leg::LegCorrection;
use crate::kinematics::leg_ik::{NO_LENGTH, change_reach};
use crate::kinematics::rotation::rotate;
use crate::phases::Phase;
use crate::setup::Setup;
use crate::stream::window::Window;

/// Time before and after a lift over which the leg prepares for it and returns, in seconds.
///
/// At 0.05 the knee of a kick that lands on a straight leg still accelerates by more than 3° per frame; above 0.08
/// feet that land gently are held back.
const LANDING_TIME: f64 = 0.07;

/// Fraction of that time over which a lift begins next to a planted frame. A smaller one begins more abruptly.
const ONSET: f64 = 0.5;

/// Lift that needs no preparation, in metres: a quarter of the clearance margin, which is what a foot that stops at the
/// floor keeps above it. Most feet land with less.
const NEGLIGIBLE_LIFT: f64 = 0.0015;

/// Height from which no foot comes down within the landing time, in metres. A lower value would miss fast landings; a
/// higher one costs time for feet that need nothing.
pub(crate) const NEAR_FLOOR: f64 = 0.12;

/// Weights by distance in frames.
#[derive(Clone, Debug)]
pub(crate) struct LandingWeights {
    /// Fraction of a lift that is prepared at a distance from its frame.
    prepared: Vec<f64>,
    /// Fraction of a lift that is carried out at a distance from a planted frame; 1 beyond the end.
    onset: Vec<f64>,
}

/// The nearest planted frames of a free foot, within the blend window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StanceFrames {
    pub before: Option<usize>,
    pub after: Option<usize>,
}

impl LandingWeights {
    pub fn new(fps: f64) -> Self {
        let fades = |frames: f64| (0..=frames as usize).map(move |n| fade(n as f64 / frames));
        let frames = LANDING_TIME * fps;
        Self {
            prepared: fades(frames).collect(),
            onset: fades(ONSET * frames).map(|left| 1.0 - left).collect(),
        }
    }

    /// Fraction of a lift that is carried out at a frame: a planted foot is not lifted, and next to one the lift begins
    /// at 0.
    pub fn onset(&self, frame: usize, stances: StanceFrames) -> f64 {
        let onset = |planted: usize| self.onset.get(planted.abs_diff(frame)).copied().unwrap_or(1.0);
        stances.before.map_or(1.0, onset) * stances.after.map_or(1.0, onset)
    }
}

/// A frame for whose lift the leg prepares.
struct NextLift {
    frame: usize,
    /// In metres.
    height: f64,
    /// Fraction of the lift that is prepared at the current frame.
    weight: f64,
}

/// What a free leg does because its foot will be or has been lifted.
///
/// `heights` are those of the corrected foot above the floor, in metres.
pub(crate) fn anticipate(
    window: &Window,
    setup: &Setup,
    frame: usize,
    leg: usize,
    correction: &LegCorrection,
    heights: FootPoints<f64>,
    stances: StanceFrames,
) -> AnticipatedLift {
    let Some(floor) = &setup.floor else { return AnticipatedLift::default() };
    if !setup.rules.anticipate_landings || heights.min() > NEAR_FLOOR {
        return AnticipatedLift::default();
    }
    let foot = LandingFoot { window, setup, floor, frame, leg, correction, stances };
    match foot.largest_lift(heights) {
        Some(lift) => foot.prepare(&lift),
        None => AnticipatedLift::default(),
    }
}

/// A free foot near the floor.
struct LandingFoot<'a> {
    window: &'a Window,
    setup: &'a Setup,
    floor: &'a Floor,
    frame: usize,
    leg: usize,
    correction: &'a LegCorrection,
    stances: StanceFrames,
}

impl LandingFoot<'_> {
    /// The lift of the frames around that requires most preparation at this frame.
    fn largest_lift(&self, heights: FootPoints<f64>) -> Option<NextLift> {
        let Self { window, setup, frame, leg, stances, .. } = *self;
        let landing = &setup.landing;
        let distance = (landing.prepared.len() - 1).min(setup.windows.blend.frames);
        let around = window.around(Phase::Blend, frame, distance);
        // A planted foot needs no lift, and what lies beyond it belongs to another swing.
        let start = stances.before.map_or(around.start, |at| around.start.max(at + 1));
        let end = stances.after.map_or(around.end, |at| around.end.min(at));
        let captured = window.heights(leg, start..end);
        let now = captured[frame - start];
        let moved = FootPoints { heel: heights.heel - now.heel, ball: heights.ball - now.ball };
        let height_at =
            |at: FootPoints<f64>| FootPoints { heel: at.heel + moved.heel, ball: at.ball + moved.ball };
        let lower = |one: f64, other: f64| if other < one { other } else { one };
        let lowest = captured.iter().fold(now, |low, at| FootPoints {
            heel: lower(low.heel, at.heel),
            ball: lower(low.ball, at.ball),
        });
        let lowest = height_at(lowest);
        // Most feet land without entering the floor.
        if lowest.heel >= 0.0 && lowest.ball >= 0.0 {
            return None;
        }
        // No frame needs a larger lift than its foot is deep. The nearest frames weigh most and are examined first.
        let margin = setup.rules.clearance_margin;
        let bound = |heights: FootPoints<f64>| missing_height(heights.min(), margin) - NEGLIGIBLE_LIFT;
        let largest_bound = bound(lowest);
        let (mut largest, mut found) = (0.0, None);
        for (distance, prepared) in landing.prepared.iter().enumerate().skip(1) {
            if largest_bound * prepared <= largest {
                break;
            }
            for at in [frame.wrapping_sub(distance), frame + distance] {
                if !(start..end).contains(&at) {
                    continue;
                }
                let heights = height_at(captured[at - start]);
                if bound(heights) * prepared <= largest {
                    continue;
                }
                // Little is lifted next to a planted frame, so little is prepared for it. Estimated from here, a foot that
                // descends as it leaves its plant would seem to have left it below the floor.
                let weight = prepared * landing.onset(at, stances);
                let height = self.lift_at(at, heights, captured[at - start]);
                if height * weight > largest {
                    (largest, found) = (height * weight, Some(NextLift { frame: at, height, weight }));
                }
            }
        }
        found
    }

    /// The estimated lift of a frame beyond the negligible one, in metres, from the heights of its foot with the
    /// correction of this frame and as captured.
    #[inline(always)]
    fn lift_at(&self, at: usize, heights: FootPoints<f64>, captured: FootPoints<f64>) -> f64 {
        let correction = self.correction;
        let missing = self.lift_from(at, heights);
        let captured = || self.lift_from(at, captured.map(|height| height + correction.floor_depth));
        (missing - NEGLIGIBLE_LIFT) * lift_share(correction, missing, captured)
    }

    /// The lift of the captured foot of a frame from given heights, in metres.
    fn lift_from(&self, at: usize, heights: FootPoints<f64>) -> f64 {
        let captured = &self.window.leg(at, self.leg).captured;
        let rotation = self.correction.foot.rotation_correction;
        let arms = captured.points().map(|point| rotate(rotation, point - captured.ankle));
        let up = self.floor.plane_under(captured.ankle).normal;
        lift_height(&FootEnds::new(arms, heights), up, self.setup.rules.clearance_margin)
    }

    /// What the leg does at this frame to prepare for a lift.
    fn prepare(&self, lift: &NextLift) -> AnticipatedLift {
        let Self { window, setup, floor, frame, leg, correction, stances } = *self;
        let weight = lift.weight * setup.landing.onset(frame, stances);
        let lifted = &window.leg(lift.frame, leg).captured;
        let hip_to_ankle = lifted.ankle - lifted.hip;
        let bones = lifted.bones();
        let reach = bones.reach(bones.bend + correction.bend) * (1.0 + correction.stretch);
        let up = floor.plane_under(lifted.ankle).normal;
        // The part of the lift that is along the leg.
        let along = (-hip_to_ankle.dot(up) / hip_to_ankle.length().max(NO_LENGTH)).max(0.0);
        let shorter = reach - lift.height * along;
        let change = change_reach(&bones, correction, reach, shorter, setup.rules.stretch_limit);
        AnticipatedLift {
            height: lift.height * weight,
            bend: change.bend.max(0.0) * weight,
            stretch: (change.stretch - correction.stretch).min(0.0) * weight,
        }
    }
}

/// Stores the captured heights of the free feet of a frame, for later frames to anticipate.
pub(crate) fn record_heights(window: &mut Window, setup: &Setup, frame: usize) {
    let Some(floor) = setup.floor.as_ref().filter(|_| setup.rules.anticipate_landings) else { return };
    for leg in 0..setup.legs.len() {
        let slot = window.leg(frame, leg);
        if slot.plants.count() == 0 {
            let heights = slot.captured.points().map(|point| floor.above(point));
            window.set_heights(frame, leg, heights);
        }
    }
}
