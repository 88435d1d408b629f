//! What holding each plant costs: accumulates the corrections of its frames into a report.

use surefoot_core::{Floor, FootPoint, Footplants, HoldKind, Plant, Vec3};

use crate::cleaner::Cleaner;
use crate::foot_points::FootPoints;
use crate::plants::ActivePlants;
use crate::report::{Note, PlantReport, Report};
use crate::stream::slots::{LegCost, LegSlot};
use crate::stream::window::Window;

/// Distance below which a drift is rounding, in metres. A plant is held to about 1e-12 m.
const ROUNDING: f64 = 1e-9;
/// Height of a plant above or below the floor up to which it is noise of the capture, in metres. More is noted: the foot
/// stands on something that the floor does not model.
const NOISE_OF_HEIGHT: f64 = 0.02;

/// The largest corrections of one plant so far; distances in metres.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CorrectionCost {
    pub frames: usize,
    pub spot: Option<Vec3>,
    /// From the captured point to the spot.
    correction: f64,
    /// By how much the target is beyond the straight leg while the root stays as captured.
    out_of_reach: f64,
    root: f64,
    /// As a fraction of the bones' length.
    stretch: f64,
    /// From the ankle to its target.
    target_error: f64,
    /// From the cleaned point to the spot.
    drift: f64,
}

/// One leg of a cleaned frame, as the cost of its plants needs it.
pub(crate) struct LegOutput<'a> {
    pub slot: &'a LegSlot,
    /// The plants as they were pushed.
    pub plants: ActivePlants,
    pub root_correction: Vec3,
    pub cost: LegCost,
    /// The spots of plants that have details; those of the slot are the positions held at this frame.
    pub spots: FootPoints<Option<Vec3>>,
    /// The spot of a toe tip that is planted beside the ball.
    pub toe_spot: Option<Vec3>,
    /// Whether the foot turns about one of its points.
    pub turns: bool,
}

impl<'a> LegOutput<'a> {
    /// The leg of a frame that all phases have completed.
    pub fn new(window: &'a Window, frame: usize, leg: usize, cost: LegCost) -> Self {
        let (slot, details) = (window.leg(frame, leg), window.details(frame, leg));
        let spot = |point: FootPoint| Some(details?.spots[point]).filter(|_| slot.plants.is_planted[point]);
        Self {
            slot,
            plants: window.active_plants(frame, leg),
            root_correction: window.root_correction(frame).unwrap_or(Vec3::ZERO),
            cost,
            spots: FootPoints::from_fn(spot),
            toe_spot: details.filter(|details| details.toe.is_some()).map(|details| details.toe_spot),
            turns: details.is_some_and(|details| {
                [details.holds.heel, details.holds.ball].iter().any(|hold| hold.kind == HoldKind::Pivot)
            }),
        }
    }
}

/// What holding a point cost at one frame; distances in metres.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FrameCost {
    /// By how much the target is beyond the straight leg while the root stays as captured.
    pub out_of_reach: f64,
    /// Length of the root correction.
    pub root: f64,
    /// Added to the length of the bones, as a fraction.
    pub stretch: f64,
    /// From the ankle to its target.
    pub target_error: f64,
    /// From the point to its spot with the ankle on its target: not zero where the spots of heel and
    /// ball do not fit the foot.
    pub spot_error: f64,
}

impl CorrectionCost {
    /// Adds one frame in which `point` of this leg is planted.
    pub fn add(&mut self, leg: &LegOutput<'_>, point: FootPoint) {
        let LegOutput { slot, plants, root_correction, cost, .. } = leg;
        let LegSlot { captured, plants: state, stance, .. } = slot;
        let Some(plant) = plants.of(point) else { return };
        let mut frame = FrameCost {
            out_of_reach: stance.hip_to_target.length() - stance.bones.longest(),
            root: root_correction.length(),
            stretch: cost.stretch,
            target_error: cost.target_error,
            spot_error: 0.0,
        };
        if point == FootPoint::Toe && plants.ball.is_some() {
            let (Some(error), Some(spot)) = (cost.toe_error, leg.toe_spot) else { return };
            return self.add_frame(spot, spot, captured.toe, &FrameCost { spot_error: error, ..frame });
        }
        let Some(held) = state.planted_spots()[point] else { return };
        let (position, target) = (slot.points()[point], slot.target());
        let held_at = target.position + target.rotation_correction * (position - captured.ankle);
        // A given spot may not fit the foot.
        let wanted = plant.spot.filter(|_| plant.hold.is_exact() && !leg.turns).unwrap_or(held);
        frame.spot_error = (held_at - wanted).length();
        self.add_frame(plant.spot.or(leg.spots[point]).unwrap_or(wanted), wanted, position, &frame);
    }

    /// Adds one frame in which a point captured at `position` is held at `held` by a plant with this spot.
    pub fn add_frame(&mut self, spot: Vec3, held: Vec3, position: Vec3, frame: &FrameCost) {
        self.frames += 1;
        self.spot = Some(spot);
        self.correction = self.correction.max((held - position).length());
        self.out_of_reach = self.out_of_reach.max(frame.out_of_reach);
        self.root = self.root.max(frame.root);
        self.stretch = self.stretch.max(frame.stretch.abs());
        self.target_error = self.target_error.max(frame.target_error);
        self.drift = self.drift.max(frame.target_error + frame.spot_error);
    }
}

/// Adds the frame that the cleaner returned last to the costs, which are indexed by plant id.
pub(crate) fn add_output(cleaner: &Cleaner, costs: &mut [CorrectionCost]) {
    let Some((_, legs)) = cleaner.output_legs() else { return };
    add_legs(legs, costs);
}

/// Adds the legs of one frame to the costs, which are indexed by plant id.
pub(crate) fn add_legs<'a>(legs: impl Iterator<Item = LegOutput<'a>>, costs: &mut [CorrectionCost]) {
    for leg in legs {
        for point in FootPoint::ALL {
            let plant = leg.plants.of(point);
            if let Some(cost) = plant.and_then(|plant| costs.get_mut(plant.id as usize)) {
                cost.add(&leg, point);
            }
        }
    }
}

/// The report of plants; `costs` has an entry for each.
pub(crate) fn report(plants: &Footplants, costs: &[CorrectionCost], floor: Option<&Floor>) -> Report {
    let mut report = Report::default();
    for (plant, cost) in plants.plants.iter().zip(costs) {
        report.plants.push(PlantReport {
            leg: plant.leg,
            point: plant.point,
            frames: plant.frames.clone(),
            spot: cost.spot,
            correction_m: cost.correction,
            out_of_reach_m: cost.out_of_reach,
            root_correction_m: cost.root,
            stretch: cost.stretch,
            drift_m: cost.drift,
        });
        add_notes(plant, cost, floor, |note| report.notes.push(note));
    }
    report
}

/// Passes the notes about a plant to `add`.
pub(crate) fn add_notes(
    plant: &Plant,
    cost: &CorrectionCost,
    floor: Option<&Floor>,
    mut add: impl FnMut(Note),
) {
    let Plant { leg, point, frames, .. } = plant.clone();
    if cost.frames < frames.len() {
        add(Note::NotHeld { leg, point, frames: frames.clone(), held_frames: cost.frames });
    }
    if cost.target_error > ROUNDING {
        add(Note::OutOfReach { leg, frames, drift_m: cost.drift });
    } else if cost.drift > ROUNDING {
        add(Note::FootLengthMismatch { leg, point, frames, drift_m: cost.drift });
    }
    let height = floor.zip(cost.spot).map(|(floor, spot)| floor.above(spot));
    let is_off = |height: &f64| plant.spot.is_none() && height.abs() > NOISE_OF_HEIGHT;
    if let Some(height_m) = height.filter(is_off) {
        add(Note::OffFloor { leg, point, frame: plant.frames.start, height_m });
    }
}
