//! Finds the spots of each plant, and the ankle targets of planted feet.
//!
//! A plant is held at the position of its point in its first frame. A plant that begins within a skate run is held at
//! its position at the end of the run, or at the end of the plant if that is earlier. The foot is moved and rotated to its
//! spots as in phases 1 and 2.

use surefoot_core::{FootPoint, FrameRange, Hold, Quat, Vec3};

use super::captured_motion::CapturedMotion;
use super::leg_ik::{AnkleTarget, LegFit};
use super::skate_runs::SkateRun;
use crate::foot_points::{FOOT_POINTS, FootPoints, other};
use crate::kinematics::blend_weights::{SideWeights, Sides};
use crate::kinematics::rotation::{exp, log};
use crate::phases::ankles::{align_to_spots, raise_free_point};
use crate::phases::holds::held_positions;
use crate::phases::spots::fit_spots;
use crate::report::cost::{CorrectionCost, FrameCost};

/// The spots of a foot at one frame, and the ankle target that satisfies them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StanceTarget {
    pub spots: FootPoints<Option<Vec3>>,
    /// Where the points are held at this frame: at their spots, unless the plants leave some coordinates free.
    pub held: FootPoints<Option<Vec3>>,
    /// `None` where the foot is free.
    pub target: Option<AnkleTarget>,
}

/// The stance targets of one leg, by frame.
pub(super) fn find(captured: &CapturedMotion, leg: usize, runs: &[SkateRun]) -> Vec<StanceTarget> {
    let mut targets = vec![StanceTarget::default(); captured.frames];
    let mut runs = runs.iter().filter(|run| run.begins_support(leg)).peekable();
    for stance in captured.stances(leg) {
        while runs.next_if(|run| run.last < stance.start).is_some() {}
        place_spots(captured, leg, &stance, runs.peek().copied(), &mut targets);
        aim(captured, leg, &stance, &mut targets);
    }
    targets
}

/// Places the spots of one stance.
fn place_spots(
    captured: &CapturedMotion,
    leg: usize,
    stance: &FrameRange,
    run: Option<&SkateRun>,
    targets: &mut [StanceTarget],
) {
    for frame in stance.clone() {
        let plants = captured.active_plants(frame, leg).points();
        let kept = FootPoints::from_fn(|point| {
            let before = frame.checked_sub(1).filter(|before| stance.contains(before))?;
            plants[point].filter(|plant| captured.is_held_by(before, leg, point, plant.id))?;
            targets[before].spots[point]
        });
        let position = |point: FootPoint| {
            let last = plants[point].map_or(frame, |plant| captured.last_frame_of(plant.id));
            let run = run.filter(|run| (run.first..=run.last).contains(&frame));
            let stands_at = run.map_or(frame, |run| run.last.min(last).max(frame));
            captured.leg(stands_at, leg).points[point]
        };
        let heel_to_ball = captured.leg(frame, leg).heel_to_ball();
        let is_unchanged =
            FOOT_POINTS.into_iter().all(|point| plants[point].is_some() == kept[point].is_some());
        targets[frame].spots = match is_unchanged {
            true => kept,
            false => fit_spots(plants, kept, heel_to_ball, captured.setup, position),
        };
        let holds = plants.map(|plant| plant.map_or(Hold::default(), |plant| plant.hold));
        let (points, floor) = (captured.leg(frame, leg).points, captured.setup.floor.as_ref());
        targets[frame].held = held_positions(points, targets[frame].spots, holds, 0.0, floor);
    }
}

/// A frame with both points planted, and the rotation correction of its foot.
#[derive(Clone, Copy)]
struct FlatFrame {
    frame: usize,
    rotation: Quat,
}

/// Finds the ankle targets of one stance.
fn aim(captured: &CapturedMotion, leg: usize, stance: &FrameRange, targets: &mut [StanceTarget]) {
    let setup = captured.setup;
    let flat_frame = |frame: usize, targets: &[StanceTarget]| match targets[frame].held {
        FootPoints { heel: Some(heel), ball: Some(ball) } => {
            let pose = captured.leg(frame, leg);
            let (spots, leg) = (FootPoints { heel, ball }, &setup.legs[leg]);
            let rotation = align_to_spots(pose.heel_to_ball(), pose.ankle_rotation, setup, leg, spots);
            Some(FlatFrame { frame, rotation })
        }
        _ => None,
    };
    // The nearest flat frame ahead is searched once and kept until it is passed.
    let (mut before, mut after): (Option<FlatFrame>, Option<FlatFrame>) = (None, None);
    let mut scanned = stance.start;
    for frame in stance.clone() {
        let flat = flat_frame(frame, targets);
        if after.is_none_or(|after| after.frame <= frame) {
            scanned = scanned.max(frame + 1);
            let found = (scanned..stance.end).find(|&at| targets[at].spots.count() == 2);
            scanned = found.unwrap_or(stance.end);
            after = found.and_then(|at| flat_frame(at, targets));
        }
        let pose = captured.leg(frame, leg);
        let (point, rotation) = match (flat, targets[frame].held) {
            (Some(flat), _) => (FootPoint::Heel, flat.rotation),
            (None, spots) => {
                let point = if spots.ball.is_some() { FootPoint::Ball } else { FootPoint::Heel };
                let Some(spot) = spots[point] else { continue };
                let rotation = exp(fade_rotation(captured, frame, before, after));
                let arm = rotation * (pose.points[other(point)] - pose.points[point]);
                (point, raise_free_point(setup, spot, arm, 0.0) * rotation)
            }
        };
        before = flat.or(before);
        let Some(spot) = targets[frame].held[point] else { continue };
        let position = spot - rotation * (pose.points[point] - pose.ankle);
        let target = AnkleTarget { position, rotation: rotation * pose.ankle_rotation };
        targets[frame].target = Some(target);
    }
}

/// The rotation corrections of the flat frames before and after in the same stance, faded to a frame, as a rotation vector.
fn fade_rotation(
    captured: &CapturedMotion,
    frame: usize,
    before: Option<FlatFrame>,
    after: Option<FlatFrame>,
) -> Vec3 {
    let (at_before, at_after) = (before.map(|flat| flat.frame), after.map(|flat| flat.frame));
    let sides = Sides::new(frame, at_before, at_after, captured.setup.windows.ankles);
    let weights = sides.weights(SideWeights::Additive);
    let faded = |side: Option<FlatFrame>, weight: f64| {
        // Most frames are far from either side, and the logarithm is expensive.
        side.filter(|_| weight > 0.0).map_or(Vec3::ZERO, |flat| log(flat.rotation) * weight)
    };
    faded(before, weights.before) + faded(after, weights.after)
}

/// Adds one frame to the costs of the plants that hold a leg.
pub(super) fn add_cost(
    costs: &mut [CorrectionCost],
    captured: &CapturedMotion,
    leg: usize,
    frame: usize,
    stance: &StanceTarget,
    fit: &LegFit,
) {
    let Some(target) = stance.target else { return };
    let pose = captured.leg(frame, leg);
    for point in FOOT_POINTS {
        let plant = captured.active_plants(frame, leg).points()[point];
        let (Some(plant), Some(spot), Some(held)) = (plant, stance.spots[point], stance.held[point]) else {
            continue;
        };
        let Some(cost) = costs.get_mut(plant.id as usize) else { continue };
        // A given spot may not fit the foot.
        let wanted = plant.spot.filter(|_| held == spot).unwrap_or(held);
        let rotation = target.rotation * pose.ankle_rotation.conjugate();
        let held_at = target.position + rotation * (pose.points[point] - pose.ankle);
        let frame_cost = FrameCost {
            out_of_reach: fit.out_of_reach,
            root: 0.0,
            stretch: fit.stretch,
            target_error: fit.target_error,
            spot_error: (held_at - wanted).length(),
        };
        cost.add_frame(plant.spot.unwrap_or(spot), wanted, pose.points[point], &frame_cost);
    }
}
