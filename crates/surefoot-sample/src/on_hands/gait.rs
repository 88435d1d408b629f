//! Gaits on hands and feet: a crawl over the floor, and a climb up a wall.
//!
//! All limbs move by the same step once in each cycle, each at its own phase. The body is at the mean of its limbs,
//! averaged over half a cycle, so that it moves evenly.

use super::limb_track::{HeldPoints, LimbTrack, Rest};
use super::{BodyPath, BodyPose, HAND_THICKNESS, Plan, QUARTER, hand_rotation};
use crate::curves::glide;
use surefoot_core::math::{Quat, Vec3, axis_rotation};

/// Time of rest before the first cycle and after the last, in seconds.
const REST: f64 = 0.5;
/// Positions of the limbs that the body is the mean of, to either side in time.
const MEAN: i32 = 8;

/// A gait on hands and feet. Lengths in metres, angles in radians.
#[derive(Clone, Debug)]
pub(super) struct HandGait {
    /// Duration of a cycle, in seconds.
    period: f64,
    /// Movement of every limb in a cycle.
    step: Vec3,
    /// When each limb leaves, as a fraction of the cycle: left and right foot, left and right hand.
    phases: [f64; 4],
    /// Duration of a limb's flight, as a fraction of the cycle.
    flight: f64,
    /// Direction and height in which limbs are lifted off.
    lift: Vec3,
    /// The hips at the beginning.
    hips: Vec3,
    /// Pitch of the hips.
    pitch: f64,
    /// Bend of the spine.
    spine_bend: f64,
    /// Ball of a foot at the middle of its stance, relative to the hips; x to its own side.
    foot: Vec3,
    /// Palm of a hand, likewise.
    hand: Vec3,
    /// Pitch of the feet, heels up.
    heel_lift: f64,
    /// What the hands rest on.
    surface: Surface,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Surface {
    Floor,
    Wall,
}

impl HandGait {
    pub const fn min_seconds(&self) -> f64 {
        2.0 * REST + self.period
    }

    /// How many steps a limb has made at a time.
    fn steps(&self, phase: f64, cycles: usize, time: f64) -> f64 {
        let cycle = (time - REST) / self.period - phase;
        let last = cycles as f64 - 1.0;
        let whole = cycle.floor().clamp(0.0, last.max(0.0));
        whole + glide((cycle - whole) / self.flight, 0.4, 0.4)
    }
}

/// On hands and the balls of the feet, with the diagonal limbs together.
pub(super) const CRAWL: HandGait = HandGait {
    period: 1.3,
    step: Vec3::new(0.0, 0.0, 0.36),
    phases: [0.5, 0.0, 0.0, 0.5],
    flight: 0.34,
    lift: Vec3::new(0.0, 0.08, 0.0),
    hips: Vec3::new(0.0, 0.46, 0.0),
    pitch: 1.45,
    spine_bend: 0.05,
    foot: Vec3::new(0.13, -0.46, -0.25),
    hand: Vec3::new(0.2, -0.46 + HAND_THICKNESS, 0.45),
    heel_lift: 0.9,
    surface: Surface::Floor,
};

/// Up a wall with holds for every limb, one limb after the other.
pub(super) const CLIMB: HandGait = HandGait {
    period: 2.6,
    step: Vec3::new(0.0, 0.42, 0.0),
    phases: [0.75, 0.25, 0.0, 0.5],
    flight: 0.2,
    lift: Vec3::new(0.0, 0.0, -0.09),
    hips: Vec3::new(0.0, 1.35, 0.0),
    pitch: 0.1,
    spine_bend: 0.0,
    foot: Vec3::new(0.17, -0.70, 0.3),
    hand: Vec3::new(0.24, 0.5, 0.36 - HAND_THICKNESS),
    heel_lift: 0.15,
    surface: Surface::Wall,
};

/// The hips of a person who crawls or climbs.
#[derive(Clone, Debug)]
pub(crate) struct GaitBody {
    gait: HandGait,
    cycles: usize,
}

impl GaitBody {
    pub fn at(&self, time: f64) -> BodyPose {
        let Self { gait, cycles } = self;
        let spacing = gait.period / (4.0 * f64::from(MEAN));
        let steps_at =
            |time: f64| gait.phases.iter().map(|phase| gait.steps(*phase, *cycles, time)).sum::<f64>() / 4.0;
        let mean = (-MEAN..=MEAN).map(|n| steps_at(time + f64::from(n) * spacing)).sum::<f64>()
            / f64::from(2 * MEAN + 1);
        BodyPose {
            position: gait.hips + gait.step * mean,
            rotation: axis_rotation(0, gait.pitch),
            spine_bend: gait.spine_bend,
        }
    }
}

pub(super) fn plan(gait: &HandGait, seconds: f64) -> Plan {
    let cycles = ((seconds - 2.0 * REST) / gait.period + 1e-9) as usize;
    let limb = |limb: usize| track(gait, limb, cycles, seconds);
    Plan { limbs: core::array::from_fn(limb), body: BodyPath::Gait(GaitBody { gait: gait.clone(), cycles }) }
}

fn track(gait: &HandGait, limb: usize, cycles: usize, seconds: f64) -> LimbTrack {
    let side = if limb.is_multiple_of(2) { 1.0 } else { -1.0 };
    let phase = gait.phases[limb];
    let middle = if limb < 2 { gait.foot } else { gait.hand };
    // The body has made as much of a step as the phase when the limb leaves; half a step on either side of the middle.
    let share = phase - 0.5 + 0.5 * gait.flight;
    let first = gait.hips + Vec3::new(side * middle.x, middle.y, middle.z) + gait.step * share;
    let leaves = |cycle: usize| REST + (cycle as f64 + phase) * gait.period;
    let rest = |cycle: usize| Rest {
        from: if cycle == 0 { 0.0 } else { leaves(cycle - 1) + gait.flight * gait.period },
        to: if cycle == cycles { seconds } else { leaves(cycle) },
        position: first + gait.step * cycle as f64,
        rotation: rotation(gait, limb, side),
        held: HeldPoints::BallOrPalm,
        toe_pitch: if limb < 2 { gait.heel_lift } else { 0.0 },
    };
    LimbTrack { rests: (0..=cycles).map(rest).collect(), lift: gait.lift }
}

fn rotation(gait: &HandGait, limb: usize, side: f64) -> Quat {
    match (limb < 2, gait.surface) {
        (true, _) => axis_rotation(0, gait.heel_lift),
        (false, Surface::Floor) => axis_rotation(1, -side * QUARTER),
        (false, Surface::Wall) => hand_rotation(side, Vec3::Y, -Vec3::Z),
    }
}
