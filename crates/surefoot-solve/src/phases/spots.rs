//! Phase 1: where does each plant stand?
//!
//! A point held in the frame before keeps its spot. A new plant takes the mean of the point's
//! places over what is known of it, put on the floor. The foot is rigid: if its other point
//! already stands, the new one goes to the nearest place at the right distance from it; if both
//! begin together, middle and direction stay and the distance is set; but if one of them is on the floor and the
//! other is not, that one stays.
//!
//! Reads who is held and the captured points; fills in the spots. A spot that is given is taken
//! as it is, unless the foot is too short or too long for it: then the point that stands already
//! stays, or the heel where both begin, and the other comes as near as the foot allows.

use surefoot_core::{Floor, Vec3};

use super::clearance::landing::note_heights;
use crate::plants::ActivePlant;
use crate::settings::Form;
use crate::setup::Setup;
use crate::stream::slots::{LegSlot, Plants};
use crate::stream::window::Window;

pub(crate) fn settle(window: &mut Window, setup: &Setup, frame: usize) {
    for leg in 0..setup.legs.len() {
        if window.plants(frame, leg).count() > 0 {
            stand(window, setup, frame, leg);
        } else if setup.settings.form == Form::Improved {
            note_heights(window, setup, frame, leg);
        }
    }
}

/// Finds where the points of a foot stand, and for how many frames they have stood so.
#[inline(never)]
fn stand(window: &mut Window, setup: &Setup, frame: usize, leg: usize) {
    let now = window.plants(frame, leg);
    let before = frame.checked_sub(1).map(|before| *window.plants(before, leg));
    match before.filter(|before| before.are(now)) {
        Some(before) => window.plants_mut(frame, leg).stand_on(&before),
        None => {
            let spots = new_spots(window, setup, frame, leg, before.as_ref());
            window.plants_mut(frame, leg).stand(spots, before.as_ref());
        }
    }
    if setup.settings.form == Form::Improved {
        note_off(window, frame, leg);
    }
}

/// Keeps how far the one point that is held is from its spot.
#[inline]
pub(crate) fn note_off(window: &mut Window, frame: usize, leg: usize) {
    let LegSlot { seen, plants, .. } = window.leg(frame, leg);
    let off = match plants.is_held {
        [true, false] => plants.places[0] - seen.heel,
        [false, true] => plants.places[1] - seen.ball,
        _ => return,
    };
    window.set_off(frame, leg, off);
}

/// The spots of a foot of which some plant begins or ends.
#[inline(never)]
fn new_spots(
    window: &Window,
    setup: &Setup,
    frame: usize,
    leg: usize,
    before: Option<&Plants>,
) -> [Option<Vec3>; 2] {
    let (seen, hold) = (&window.leg(frame, leg).seen, window.held(frame, leg).points());
    let kept: [Option<Vec3>; 2] = core::array::from_fn(|point| kept(hold[point]?, before?, point));
    begun(hold, kept, seen.ball - seen.heel, setup, |point| mean(window, setup, frame, leg, point))
}

/// The spots of a foot, which is captured as `along` from heel to ball, of whose points some keep theirs; `fresh`
/// tells where a point that begins would stand by itself.
pub(crate) fn begun(
    hold: [Option<ActivePlant>; 2],
    kept: [Option<Vec3>; 2],
    along: Vec3,
    setup: &Setup,
    fresh: impl Fn(usize) -> Vec3,
) -> [Option<Vec3>; 2] {
    let fresh: [Option<Vec3>; 2] = core::array::from_fn(|point| match (hold[point], kept[point]) {
        (Some(hold), None) => Some(hold.spot.unwrap_or_else(|| fresh(point))),
        _ => None,
    });
    let is_given = |point: usize| hold[point].is_some_and(|hold| hold.spot.is_some());
    match (fresh, kept) {
        ([Some(heel), None], [None, Some(ball)]) => {
            [Some(fitted(heel, ball, -along, is_given(0), setup)), Some(ball)]
        }
        ([None, Some(ball)], [Some(heel), None]) => {
            [Some(heel), Some(fitted(ball, heel, along, is_given(1), setup))]
        }
        ([Some(heel), Some(ball)], _) => together(heel, ball, along, [is_given(0), is_given(1)], setup),
        _ => [fresh[0].or(kept[0]), fresh[1].or(kept[1])],
    }
}

/// The spot of a plant that goes on.
fn kept(hold: ActivePlant, before: &Plants, point: usize) -> Option<Vec3> {
    before.number(point).filter(|plant| *plant == hold.id).and(before.spots()[point])
}

/// The mean place of a point that is newly held, over its plant as far as it is known.
#[inline(never)]
fn mean(window: &Window, setup: &Setup, frame: usize, leg: usize, point: usize) -> Vec3 {
    let plant = window.plants(frame, leg).number(point);
    let end = (frame + setup.frames.spots.max(1)).min(window.pushed);
    let (mut sum, mut count) = (Vec3::ZERO, 0.0);
    for frame in (frame..end).take_while(|&frame| window.plants(frame, leg).number(point) == plant) {
        let seen = &window.leg(frame, leg).seen;
        sum += [seen.heel, seen.ball][point];
        count += 1.0;
    }
    on_floor(sum / count, setup)
}

/// A place put on the floor, if it is near enough to be meant there.
#[inline(never)]
pub(crate) fn on_floor(place: Vec3, setup: &Setup) -> Vec3 {
    match floor_under(place, setup) {
        Some(floor) => floor.nearest(place),
        None => place,
    }
}

fn floor_under(place: Vec3, setup: &Setup) -> Option<&Floor> {
    setup.floor.as_ref().filter(|floor| floor.above(place).abs() <= setup.settings.snap_distance)
}

/// A spot next to another one of the same foot, which is captured as `along` from the other to this.
#[inline(never)]
fn fitted(spot: Vec3, other: Vec3, along: Vec3, is_given: bool, setup: &Setup) -> Vec3 {
    // A given spot that is right to rounding keeps its bits.
    const FITS: f64 = 1e-9;
    match is_given {
        true if ((spot - other).length() - along.length()).abs() <= FITS => spot,
        true => other + towards(spot - other, along),
        false => at_distance(spot, other, along, setup),
    }
}

/// As long as `along`, and pointing as `way` does. Two points in one place leave that open: then as captured.
fn towards(way: Vec3, along: Vec3) -> Vec3 {
    way.try_normalize().map_or(along, |direction| direction * along.length())
}

/// The place nearest to `place` that is as far from `other` as `along` is long, on the floor if `place` is.
fn at_distance(place: Vec3, other: Vec3, along: Vec3, setup: &Setup) -> Vec3 {
    if let Some(floor) = floor_under(place, setup) {
        let foot = floor.nearest(other);
        if floor.as_plane().is_none() {
            return along_ground(floor, foot, floor.nearest(place), other, along);
        }
        let apart = along.length();
        let level = (apart * apart - (other - foot).length_squared()).max(0.0).sqrt();
        if let Some(direction) = (floor.nearest(place) - foot).try_normalize() {
            return foot + direction * level;
        }
    }
    other + towards(place - other, along)
}

/// The place on uneven ground, on the way from `foot` to `place` seen from above and on beyond it,
/// that is as far from `other` as `along` is long.
///
/// Straight out by as much is too far and `foot` is too near, so halving finds it. Where the ground
/// jumps, as at the edge of a step, none need be there: then the foot points to `place`.
#[cold]
#[inline(never)]
fn along_ground(floor: &Floor, foot: Vec3, place: Vec3, other: Vec3, along: Vec3) -> Vec3 {
    let (way, apart) = (place - foot, along.length());
    let straight = || other + towards(place - other, along);
    let Some(ahead) = Vec3::new(way.x, 0.0, way.z).try_normalize() else { return straight() };
    let at = |far: f64| {
        let over = Vec3::new(foot.x + ahead.x * far, place.y, foot.z + ahead.z * far);
        let plane = floor.plane_under(over);
        over - Vec3::Y * (plane.above(over) / plane.normal.y)
    };
    let (mut near, mut far) = (0.0, apart);
    // A double has no more bits than that to halve.
    for _ in 0..60 {
        let middle = 0.5 * (near + far);
        if (at(middle) - other).length() < apart { near = middle } else { far = middle }
    }
    let found = at(far);
    if ((found - other).length() - apart).abs() < 1e-9 { found } else { straight() }
}

/// Both points begin: keep the middle and the direction, set the distance. But what stands on the floor stays on it.
#[inline(never)]
fn together(heel: Vec3, ball: Vec3, along: Vec3, given: [bool; 2], setup: &Setup) -> [Option<Vec3>; 2] {
    match given {
        // A person who gives both says how the foot stands; heel and direction are taken.
        [true, ball_given] => [Some(heel), Some(fitted(ball, heel, along, ball_given, setup))],
        [false, true] => [Some(at_distance(heel, ball, -along, setup)), Some(ball)],
        [false, false] => {
            // Of one that stands on the floor and one that hangs over it, the first stays there.
            match [heel, ball].map(|place| floor_under(place, setup).is_some()) {
                [true, false] => return [Some(heel), Some(heel + towards(ball - heel, along))],
                [false, true] => return [Some(ball + towards(heel - ball, -along)), Some(ball)],
                _ => {}
            }
            let middle = (heel + ball) * 0.5;
            let half = towards(ball - heel, along) * 0.5;
            let (heel, ball) = (middle - half, middle + half);
            // Between two places on uneven ground the straight way leaves it.
            match floor_under(heel, setup).filter(|floor| floor.as_plane().is_none()) {
                Some(floor) => {
                    let heel = floor.nearest(heel);
                    [Some(heel), Some(at_distance(ball, heel, along, setup))]
                }
                None => [Some(heel), Some(ball)],
            }
        }
    }
}
