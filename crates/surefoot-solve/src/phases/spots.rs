//! Phase 1: decides where each plant stands.
//!
//! A plant that goes on keeps its spot. A new plant stands at the mean position of its point over the
//! spot window, or where its support label says (`support::held_position`), snapped onto the floor if it is near; where
//! the foot has hardly moved since its last plant, at the spot of that plant or so near that the foot need not slide
//! (`resting_feet`). The foot is rigid: if its other point is planted
//! already, the new spot is moved to the nearest position at the right distance from the other spot; if both
//! plants begin together, their middle and direction are kept and the distance is set, unless only one of
//! them is near the floor, which then stays on it.
//!
//! Reads the plants and the captured points; writes the spots. A given spot is used as it is, unless its
//! distance from the other spot differs from the length of the foot: then the spot that exists already, or
//! that of the heel, stays, and the other comes as near as the foot allows.

use surefoot_core::{Floor, FootPoint, Vec3};

use crate::foot_points::{FootPoints, other};
use crate::phases::holds;
use crate::phases::resting_feet::{slide_into, spot_before};
use crate::plants::ActivePlant;
use crate::setup::Setup;
use crate::stream::plant_state::PlantState;
use crate::stream::window::Window;
use crate::support::held_position;

/// Difference between the distance of two spots and the length of the foot that is rounding, in metres: a
/// given spot that fits to this keeps its bits.
const FITS: f64 = 1e-9;

/// Places the spots of one frame.
pub(crate) fn place(window: &mut Window, setup: &Setup, frame: usize) {
    for leg in 0..setup.legs.len() {
        if window.plants(frame, leg).count() > 0 {
            place_leg(window, setup, frame, leg);
        }
    }
}

#[inline(never)]
fn place_leg(window: &mut Window, setup: &Setup, frame: usize, leg: usize) {
    let now = window.plants(frame, leg);
    let before = frame.checked_sub(1).map(|before| *window.plants(before, leg));
    let has_details = |plants: &PlantState| plants.has_details();
    match before.filter(|before| before.is_same_as(now)) {
        _ if now.has_details() || before.as_ref().is_some_and(has_details) => {
            holds::place(window, setup, frame, leg);
        }
        Some(before) => window.plants_mut(frame, leg).continue_from(&before),
        None => {
            let spots = new_spots(window, setup, frame, leg, before.as_ref());
            window.plants_mut(frame, leg).set_spots(spots, before.as_ref());
        }
    }
}

/// The spots of a foot of which a plant begins or ends.
#[inline(never)]
fn new_spots(
    window: &Window,
    setup: &Setup,
    frame: usize,
    leg: usize,
    before: Option<&PlantState>,
) -> FootPoints<Option<Vec3>> {
    let captured = &window.leg(frame, leg).captured;
    let plants = window.active_plants(frame, leg).points();
    let kept = FootPoints::from_fn(|point| kept_spot(plants[point]?, before?, point));
    let heel_to_ball = captured.ball - captured.heel;
    fit_spots(plants, kept, heel_to_ball, setup, |point| own_position(window, setup, frame, leg, point))
}

/// The spots of a foot whose captured points are `heel_to_ball` apart.
///
/// Plants that go on have their spot in `kept`; `position` gives the position of a point whose plant begins.
pub(crate) fn fit_spots(
    plants: FootPoints<Option<ActivePlant>>,
    kept: FootPoints<Option<Vec3>>,
    heel_to_ball: Vec3,
    setup: &Setup,
    position: impl Fn(FootPoint) -> Vec3,
) -> FootPoints<Option<Vec3>> {
    let begun = FootPoints::from_fn(|point| match (plants[point], kept[point]) {
        (Some(plant), None) => Some(plant.spot.unwrap_or_else(|| position(point))),
        _ => None,
    });
    let is_given = plants.map(|plant| plant.is_some_and(|plant| plant.spot.is_some()));
    match (begun, kept) {
        (FootPoints { heel: Some(heel), ball: None }, FootPoints { heel: None, ball: Some(ball) }) => {
            let heel = fit_to_other(heel, ball, -heel_to_ball, is_given.heel, setup);
            FootPoints { heel: Some(heel), ball: Some(ball) }
        }
        (FootPoints { heel: None, ball: Some(ball) }, FootPoints { heel: Some(heel), ball: None }) => {
            let ball = fit_to_other(ball, heel, heel_to_ball, is_given.ball, setup);
            FootPoints { heel: Some(heel), ball: Some(ball) }
        }
        (FootPoints { heel: Some(heel), ball: Some(ball) }, _) => {
            fit_both(FootPoints { heel, ball }, heel_to_ball, is_given, setup).map(Some)
        }
        _ => FootPoints::from_fn(|point| begun[point].or(kept[point])),
    }
}

/// The spot of a plant that goes on.
fn kept_spot(plant: ActivePlant, before: &PlantState, point: FootPoint) -> Option<Vec3> {
    before.ids()[point].filter(|id| *id == plant.id).and(before.planted_spots()[point])
}

/// The mean position of a point over its plant, as far as the spot window reaches, snapped to the floor.
#[inline(never)]
pub(crate) fn mean_position(
    window: &Window,
    setup: &Setup,
    frame: usize,
    leg: usize,
    point: FootPoint,
) -> Vec3 {
    let plant = window.plants(frame, leg).ids()[point];
    let end = (frame + setup.windows.spots.max(1)).min(window.pushed);
    let (mut sum, mut count) = (Vec3::ZERO, 0.0);
    for frame in (frame..end).take_while(|&frame| window.plants(frame, leg).ids()[point] == plant) {
        sum += window.leg(frame, leg).points()[point];
        count += 1.0;
    }
    let mean = sum / count;
    spot_before(window, setup, frame, leg, point, mean).unwrap_or_else(|| {
        let mean = mean - slide_into(window, setup, frame, leg, point, mean);
        match setup.legs[leg].leg.is_arm() {
            true => raise_to_floor(mean, setup),
            false => snap_to_floor(mean, setup),
        }
    })
}

/// The position of a point whose plant begins, by its own path.
fn own_position(window: &Window, setup: &Setup, frame: usize, leg: usize, point: FootPoint) -> Vec3 {
    match setup.rules.spots_by_support {
        true => held_position(window, setup, frame, leg, point),
        false => mean_position(window, setup, frame, leg, point),
    }
}

/// The position of a point whose plant begins beside a pivot or a toe tip; `beside` is the spot of the other point of
/// its foot, if that stands already.
///
/// A foot that is held further than [`FAR_FROM_CAPTURED`] from where it is captured keeps its captured direction.
pub(crate) fn new_position(
    window: &Window,
    setup: &Setup,
    frame: usize,
    leg: usize,
    point: FootPoint,
    beside: Option<Vec3>,
) -> Vec3 {
    let position = own_position(window, setup, frame, leg, point);
    let Some(beside) = beside.filter(|_| !setup.rules.is_published) else { return position };
    let mean = mean_points(window, setup, frame, leg);
    match mean[other(point)].distance(beside) > FAR_FROM_CAPTURED {
        true => snap_to_floor(beside + mean[point] - mean[other(point)], setup),
        false => position,
    }
}

/// Distance between where a point is held and where it is captured above which the other point of its foot is no longer
/// placed where that is captured, in metres. The foot would point from one place to the other: 3 cm turn it by up to 10°.
const FAR_FROM_CAPTURED: f64 = 0.03;

/// The mean captured positions of the points of a foot over the frames with the same plants, as far as the spot window
/// reaches.
fn mean_points(window: &Window, setup: &Setup, frame: usize, leg: usize) -> FootPoints<Vec3> {
    let plants = window.plants(frame, leg);
    let end = (frame + setup.windows.spots.max(1)).min(window.pushed);
    let (mut sum, mut count) = (FootPoints::<Vec3>::default(), 0.0);
    for at in (frame..end).take_while(|&at| window.plants(at, leg).is_same_as(plants)) {
        let points = window.leg(at, leg).points();
        sum = FootPoints::from_fn(|point| sum[point] + points[point]);
        count += 1.0;
    }
    sum.map(|sum| sum / count)
}

/// A position below the floor raised onto it. The bone of a hand above the floor keeps its height: its distance from the
/// skin is not known, and the hand may be on a wall.
fn raise_to_floor(position: Vec3, setup: &Setup) -> Vec3 {
    match &setup.floor {
        Some(floor) if floor.above(position) < 0.0 => floor.nearest(position),
        _ => position,
    }
}

/// A position projected onto the floor, if it is near enough.
#[inline(never)]
pub(crate) fn snap_to_floor(position: Vec3, setup: &Setup) -> Vec3 {
    match floor_near(position, setup) {
        Some(floor) => floor.nearest(position),
        None => position,
    }
}

/// The floor, if a position is near enough to be snapped onto it.
fn floor_near(position: Vec3, setup: &Setup) -> Option<&Floor> {
    setup.floor.as_ref().filter(|floor| setup.rules.snap.contains(&floor.above(position)))
}

/// A spot moved so that its distance from the `other` spot is the length of the foot; `from_other` is the
/// captured vector from the other point to this one.
#[inline(never)]
fn fit_to_other(spot: Vec3, other: Vec3, from_other: Vec3, is_given: bool, setup: &Setup) -> Vec3 {
    match is_given {
        true if ((spot - other).length() - from_other.length()).abs() <= FITS => spot,
        true => other + with_length_of(from_other, spot - other),
        false => nearest_at_distance(spot, other, from_other, setup),
    }
}

/// A vector in the direction of `direction` with the length of `captured`; `captured` itself where the
/// direction has no length.
fn with_length_of(captured: Vec3, direction: Vec3) -> Vec3 {
    direction.try_normalize().map_or(captured, |direction| direction * captured.length())
}

/// The position nearest to `position` whose distance from `other` is the length of the foot; on the floor if
/// `position` is near it.
fn nearest_at_distance(position: Vec3, other: Vec3, from_other: Vec3, setup: &Setup) -> Vec3 {
    if let Some(floor) = floor_near(position, setup) {
        let foot = floor.nearest(other);
        if floor.as_plane().is_none() {
            return along_uneven_ground(floor, foot, floor.nearest(position), other, from_other);
        }
        let length = from_other.length();
        // No level distance is left where the other point is higher than the foot is long.
        let level = (length * length - (other - foot).length_squared()).max(0.0).sqrt();
        if let Some(direction) = (floor.nearest(position) - foot).try_normalize() {
            return foot + direction * level;
        }
    }
    other + with_length_of(from_other, position - other)
}

/// Number of bisections on uneven ground: one for each bit of a double.
const BISECTIONS: usize = 60;

/// The position on uneven ground, from `foot` towards `position` as seen from above and beyond it, whose
/// distance from `other` is the length of the foot.
///
/// The length of the foot straight out is too far and `foot` too near, so bisection finds the position. Where
/// the ground jumps, as at the edge of a step, there may be none: then the foot points to `position`.
#[cold]
#[inline(never)]
fn along_uneven_ground(floor: &Floor, foot: Vec3, position: Vec3, other: Vec3, from_other: Vec3) -> Vec3 {
    let (towards, length) = (position - foot, from_other.length());
    let straight = || other + with_length_of(from_other, position - other);
    let Some(ahead) = Vec3::new(towards.x, 0.0, towards.z).try_normalize() else { return straight() };
    let ground_at = |distance: f64| {
        let over = Vec3::new(foot.x + ahead.x * distance, position.y, foot.z + ahead.z * distance);
        let plane = floor.plane_under(over);
        over - Vec3::Y * (plane.above(over) / plane.normal.y)
    };
    let (mut near, mut far) = (0.0, length);
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (near + far);
        if (ground_at(middle) - other).length() < length { near = middle } else { far = middle }
    }
    let found = ground_at(far);
    if ((found - other).length() - length).abs() < FITS { found } else { straight() }
}

/// The spots of two plants that begin together: their middle and direction stay and the distance is set.
///
/// A given spot stays, that of the heel if both are given. Of two spots of which one is near the floor, that
/// one stays.
#[inline(never)]
fn fit_both(
    FootPoints { heel, ball }: FootPoints<Vec3>,
    heel_to_ball: Vec3,
    is_given: FootPoints<bool>,
    setup: &Setup,
) -> FootPoints<Vec3> {
    if is_given.heel {
        return FootPoints { heel, ball: fit_to_other(ball, heel, heel_to_ball, is_given.ball, setup) };
    }
    if is_given.ball {
        return FootPoints { heel: nearest_at_distance(heel, ball, -heel_to_ball, setup), ball };
    }
    match (floor_near(heel, setup).is_some(), floor_near(ball, setup).is_some()) {
        (true, false) => return FootPoints { heel, ball: heel + with_length_of(heel_to_ball, ball - heel) },
        (false, true) => return FootPoints { heel: ball + with_length_of(-heel_to_ball, heel - ball), ball },
        _ => {}
    }
    let middle = (heel + ball) * 0.5;
    let half = with_length_of(heel_to_ball, ball - heel) * 0.5;
    let (heel, ball) = (middle - half, middle + half);
    // On uneven ground the straight line between the spots leaves the ground.
    match floor_near(heel, setup).filter(|floor| floor.as_plane().is_none()) {
        Some(floor) => {
            let heel = floor.nearest(heel);
            FootPoints { heel, ball: nearest_at_distance(ball, heel, heel_to_ball, setup) }
        }
        None => FootPoints { heel, ball },
    }
}
