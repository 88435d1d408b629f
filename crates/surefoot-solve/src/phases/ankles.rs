//! Phase 2: decides position and orientation of each planted ankle.
//!
//! A foot planted at heel and ball is rotated by the shortest arc from its captured direction to that of its
//! spots. A foot planted at one point keeps its orientation and is moved; next to frames of the same stance
//! with both points planted, their rotation correction fades in. If the free point would be below the floor,
//! the foot is rotated about the planted one just enough.
//!
//! Reads the spots (phase 1); writes the targets of planted feet. Free feet are left to phase 3.

use surefoot_core::{Floor, FootPoint, Quat, Vec3};

use crate::foot_points::{FootPoints, other};
use crate::kinematics::blend_weights::Sides;
use crate::kinematics::leg::Target;
use crate::kinematics::rotation::{exp, log, raise_above_floor, rotate, shortest_arc};
use crate::phases::Phase;
use crate::settings::FootRoll;
use crate::setup::{LegSetup, Setup};
use crate::stream::plant_state::{ContactRun, PlantState};
use crate::stream::slots::{FootRotation, LegSlot, Neighbour, Neighbours, Stance};
use crate::stream::window::Window;

/// Finds the targets of the planted feet of one frame.
pub(crate) fn aim(window: &mut Window, setup: &Setup, frame: usize) {
    for leg in 0..setup.legs.len() {
        let run = match frame.checked_sub(1) {
            Some(before) => window.contact_run(before, leg),
            None => ContactRun::default(),
        };
        let slot = window.leg(frame, leg);
        let PlantState { is_planted, spots, .. } = slot.plants;
        let target = match (is_planted.heel, is_planted.ball) {
            (true, true) => target_on_both(slot, setup, leg, spots),
            (true, false) => target_on_one(window, setup, frame, leg, FootPoint::Heel, spots.heel),
            (false, true) => target_on_one(window, setup, frame, leg, FootPoint::Ball, spots.ball),
            (false, false) => {
                window.set_contact_run(frame, leg, run.then_free());
                continue;
            }
        };
        let LegSlot { captured, rotation_correction, stance, pivot, plants, root_share, .. } =
            window.leg_mut(frame, leg);
        *root_share = 1.0;
        *pivot = plants.single_point();
        *rotation_correction = target.rotation_correction;
        *stance = Stance {
            hip_to_target: target.position - captured.hip,
            captured_reach_squared: (captured.ankle - captured.hip).length_squared(),
            bones: captured.bones(),
            bend_correction: 0.0,
        };
        window.set_contact_run(frame, leg, run.then_planted());
    }
}

fn target_on_both(slot: &LegSlot, setup: &Setup, leg: usize, spots: FootPoints<Vec3>) -> Target {
    let rotation = rotation_to_spots(slot, setup, leg, spots);
    let captured = &slot.captured;
    Target {
        position: spots.heel - rotate(rotation, captured.heel - captured.ankle),
        rotation_correction: rotation,
    }
}

fn rotation_to_spots(slot: &LegSlot, setup: &Setup, leg: usize, spots: FootPoints<Vec3>) -> Quat {
    let FootPoints { heel, ball } = slot.points();
    align_to_spots(ball - heel, slot.captured.ankle_rotation, setup, &setup.legs[leg], spots)
}

/// The rotation that points a captured foot from the spot of its heel to that of its ball, and lays the foot flat where
/// the foot roll is [`FootRoll::Flat`](crate::FootRoll::Flat).
pub(crate) fn align_to_spots(
    heel_to_ball: Vec3,
    ankle_rotation: Quat,
    setup: &Setup,
    leg: &LegSetup,
    FootPoints { heel, ball }: FootPoints<Vec3>,
) -> Quat {
    let aligned = shortest_arc(heel_to_ball, ball - heel);
    match (setup.rules.foot_roll, (ball - heel).try_normalize()) {
        (FootRoll::Flat, Some(along)) => {
            let up = setup.floor.as_ref().map_or(Vec3::Y, |floor| floor_normal(floor, heel, ball));
            let sole = aligned * ankle_rotation * leg.sole_normal;
            let across = |direction: Vec3| direction - along * direction.dot(along);
            shortest_arc(across(sole), across(up)) * aligned
        }
        _ => aligned,
    }
}

/// The floor normal under a foot.
fn floor_normal(floor: &Floor, heel: Vec3, ball: Vec3) -> Vec3 {
    match floor.as_plane() {
        Some(plane) => plane.normal,
        None => (floor.plane_under(heel).normal + floor.plane_under(ball).normal).normalize_or(Vec3::Y),
    }
}

fn target_on_one(
    window: &mut Window,
    setup: &Setup,
    frame: usize,
    leg: usize,
    point: FootPoint,
    spot: Vec3,
) -> Target {
    let (vector, depth) = fade_rotation(window, setup, frame, leg, other(point));
    let slot = window.leg(frame, leg);
    let captured = &slot.captured;
    let (planted, free) = (slot.points()[point], slot.points()[other(point)]);
    // Most feet get no rotation; multiplying by the identity would cost.
    let rotation = if vector == Vec3::ZERO { Quat::IDENTITY } else { exp(vector) };
    let rotation = match ankle_jitter(window, setup, frame, leg, point) {
        Vec3::ZERO => rotation,
        jitter => shortest_arc(captured.ankle - planted, captured.ankle - planted + jitter) * rotation,
    };
    let raise = raise_free_point(setup, spot, rotate(rotation, free - planted), depth);
    let rotation = if raise == Quat::IDENTITY { rotation } else { raise * rotation };
    Target { position: spot - rotate(rotation, planted - captured.ankle), rotation_correction: rotation }
}

/// The displacement of the ankle that cancels fast rotations of the captured foot.
///
/// A captured foot that shakes about its ankle would shake the ankle once one of its points is planted. The displacement is
/// the difference between the filtered and the unfiltered vector from the planted point to the ankle. The filter covers as
/// many frames on either side as have the same plants, so that it vanishes at their ends.
fn ankle_jitter(window: &Window, setup: &Setup, frame: usize, leg: usize, planted: FootPoint) -> Vec3 {
    if !setup.rules.steady_ankle {
        return Vec3::ZERO;
    }
    let range = window.around(Phase::Ankles, frame, setup.windows.ankle_steady.frames);
    let steady_frames = |at: usize| window.plants(at, leg).steady_frames();
    let most = (frame - range.start).min(range.end - 1 - frame).min(steady_frames(frame).saturating_sub(1));
    let half = (1..=most).rev().find(|by| steady_frames(frame + by) > *by).unwrap_or(0);
    if half == 0 {
        return Vec3::ZERO;
    }
    let arm = |at: usize| {
        let slot = window.leg(at, leg);
        slot.captured.ankle - slot.points()[planted]
    };
    let weights = &setup.ankle_weights[half];
    let weighted = (frame - half..).zip(weights).map(|(at, weight)| arm(at) * *weight);
    weighted.sum::<Vec3>() - arm(frame)
}

/// The rotation corrections of the nearest frames with both points planted, faded to this frame, as a rotation
/// vector; and likewise the depth below the floor at which the point that is free now is planted there.
fn fade_rotation(
    window: &mut Window,
    setup: &Setup,
    frame: usize,
    leg: usize,
    free: FootPoint,
) -> (Vec3, f64) {
    find_flat_frames(window, setup, frame, leg);
    let neighbours = &window.leg_states[leg].flat_frames;
    if neighbours.before.is_none() && neighbours.after.is_none() {
        return (Vec3::ZERO, 0.0);
    }
    let (before, after) = (neighbours.frame_before(), neighbours.frame_after());
    let weights = Sides::new(frame, before, after, setup.windows.ankles).weights(setup.rules.side_weights);
    let faded = |side: &Option<Neighbour<FootRotation>>, weight: f64| match side {
        Some(Neighbour { correction, .. }) => (correction.vector * weight, correction.depths[free] * weight),
        None => (Vec3::ZERO, 0.0),
    };
    let (before, after) =
        (faded(&neighbours.before, weights.before), faded(&neighbours.after, weights.after));
    (before.0 + after.0, before.1 + after.1)
}

/// Updates the nearest frames of this stance with both points planted, within the window.
///
/// What was found for the frame before stays valid; only frames that have entered the window are examined.
fn find_flat_frames(window: &mut Window, setup: &Setup, frame: usize, leg: usize) {
    let range = window.around(Phase::Ankles, frame, setup.windows.ankles.frames);
    let count = |window: &Window, at: usize| window.plants(at, leg).count();
    let count_before = frame.checked_sub(1).map_or(0, |before| count(window, before));
    if count_before != 1 {
        let before = (count_before == 2).then(|| Neighbour {
            frame: frame - 1,
            correction: foot_rotation(window, setup, leg, frame - 1),
        });
        window.leg_states[leg].flat_frames = Neighbours { before, after: None, scanned: frame };
    }
    let neighbours = &mut window.leg_states[leg].flat_frames;
    if neighbours.frame_before().is_some_and(|at| !range.contains(&at)) {
        neighbours.before = None;
    }
    // A frame with both points planted, or with none, ends the scan.
    let mut scanned = neighbours.scanned;
    while scanned + 1 < range.end && count(window, scanned) == 1 {
        scanned += 1;
        if count(window, scanned) == 2 {
            let correction = foot_rotation(window, setup, leg, scanned);
            window.leg_states[leg].flat_frames.after = Some(Neighbour { frame: scanned, correction });
        }
    }
    window.leg_states[leg].flat_frames.scanned = scanned;
}

/// The rotation correction of a frame with both points planted, which may lie ahead of the current one.
fn foot_rotation(window: &Window, setup: &Setup, leg: usize, frame: usize) -> FootRotation {
    let slot = window.leg(frame, leg);
    let depth = |spot: Vec3| setup.floor.as_ref().map_or(0.0, |floor| (-floor.above(spot)).max(0.0));
    FootRotation {
        vector: log(rotation_to_spots(slot, setup, leg, slot.plants.spots)),
        depths: slot.plants.spots.map(depth),
    }
}

/// The smallest rotation about a planted point, at `spot`, that raises the free one, `arm` from it, out of the
/// floor, but for a `depth` that it may keep.
pub(crate) fn raise_free_point(setup: &Setup, spot: Vec3, arm: Vec3, depth: f64) -> Quat {
    let Some(floor) = &setup.floor else { return Quat::IDENTITY };
    let height = floor.above(spot);
    // A plant that keeps its own height below the floor has its foot there with it.
    let ground = if height < *setup.rules.snap.start() { height } else { 0.0 };
    raise_above_floor(floor, spot, arm, |plane| ground.min(-depth) - plane.above(spot))
}
