//! Phase 4: lifts free feet out of the floor.
//!
//! A foot whose heel or ball would be below the floor is lifted by the least height that brings both of them out. A foot
//! may come down at two metres per second and be captured centimetres below the floor. Lifted only while it is below the
//! floor, it would stop abruptly, so the lift begins and ends gradually: each frame takes the largest lift of the frames
//! around, faded by their distance.
//!
//! Reads the feet that phase 3 has placed; writes lifted ones. Planted feet stand on their spots. Toes are raised at their
//! joint when the pose is written (`toes`), by what this phase stores.

use surefoot_core::{Floor, Vec3, math};

use crate::phases::{Phase, toes};
use crate::setup::Setup;
use crate::stream::slots::LegSlot;
use crate::stream::window::Window;

/// Depth below the floor that cannot be seen, in metres: a foot that stands on the floor is not lifted because of rounding.
pub(crate) const NEGLIGIBLE_DEPTH: f64 = 1e-6;

/// Stores how far the free feet of a frame must be lifted.
pub(crate) fn record_lift(window: &mut Window, setup: &Setup, frame: usize, leg: usize) {
    let lift = match &setup.floor {
        Some(floor) if !window.is_planted(frame, leg) => {
            let depth = -lowest_height(floor, window.leg(frame, leg));
            if depth > NEGLIGIBLE_DEPTH { depth } else { 0.0 }
        }
        _ => 0.0,
    };
    window.set_lift(frame, leg, lift);
}

/// Height of the lower of heel and ball above the floor, in metres.
pub(crate) fn lowest_height(floor: &Floor, slot: &LegSlot) -> f64 {
    let height = |point: Vec3| floor.above(slot.position_of(point));
    height(slot.captured.heel).min(height(slot.captured.ball))
}

/// Lifts the free feet of one frame, and stores by how much their toes must be rotated to come out of the floor as well.
pub(crate) fn lift(window: &mut Window, setup: &Setup, frame: usize) {
    let Some(floor) = &setup.floor else { return };
    for leg in 0..setup.legs.len() {
        if !window.is_planted(frame, leg) {
            lift_foot(window, setup, floor, frame, leg);
        }
        let angle = toes::angle_out_of_floor(window, setup, floor, frame, leg);
        window.set_toe_angle(frame, leg, angle);
    }
}

fn lift_foot(window: &mut Window, setup: &Setup, floor: &Floor, frame: usize, leg: usize) {
    let height = eased_lift(window, setup, frame, leg);
    if height > 0.0 {
        let slot = window.leg_mut(frame, leg);
        let up = floor.plane_under(slot.target().position).normal;
        slot.stance.hip_to_target += up * height;
        slot.is_displaced = true;
    }
}

/// The largest lift of the frames around, faded by their distance, in metres; at least that of the frame itself.
///
/// A planted foot is not lifted, so next to one the lift begins gradually.
fn eased_lift(window: &Window, setup: &Setup, frame: usize, leg: usize) -> f64 {
    let lift_window = setup.windows.lift;
    let range = window.around(Phase::Clearance, frame, lift_window.frames);
    let lifts = window.lifts(leg, range.clone());
    // Most feet are far from the floor.
    if lifts.iter().all(|lift| *lift == 0.0) {
        return 0.0;
    }
    let own = lifts[frame - range.start];
    let mut largest = own;
    let mut nearest_plant = f64::INFINITY;
    for (at, lift) in range.clone().zip(lifts) {
        let distance = at.abs_diff(frame) as f64;
        if window.is_planted(at, leg) {
            nearest_plant = nearest_plant.min(distance);
        } else if *lift > largest {
            largest = largest.max(lift * math::fade(distance / lift_window.length));
        }
    }
    let onset = 1.0 - math::fade((2.0 * nearest_plant / lift_window.length).min(1.0));
    own.max(largest * onset)
}
