//! Phase 1 for plants that do more than hold heel and ball in place: they hold the toe tip, let the foot turn, leave some
//! coordinates free, or have a strength.
//!
//! Each plant has a spot, as every plant has. The position at which its point is held follows from the spot and from the
//! captured point at each frame ([`Hold::position`]), and the other phases take it for the spot of that frame.
//!
//! A foot that rolls from its ball onto its toe tip, or back, does not slide: the new spot is where the foot has its other
//! point at that moment. Two plants of one point without a gap between them, of which one has a hold of its own, have the
//! same spot, unless the first lets the point move along the ground.

use surefoot_core::{Floor, FootPoint, Hold, HoldKind, Vec3};

use crate::foot_points::{FOOT_POINTS, FootPoints, other};
use crate::kinematics::rotation::{about_axis, half_angle, rotate};
use crate::phases::spots::{fit_spots, new_position, snap_to_floor};
use crate::phases::turns::{self, turning_point};
use crate::plants::{ActivePlant, ActivePlants};
use crate::setup::Setup;
use crate::stream::plant_state::PlantDetails;
use crate::stream::window::Window;

/// The spots of a foot.
#[derive(Clone, Copy, Debug, Default)]
struct FootSpots {
    /// The spots of heel and front of the foot.
    spots: FootPoints<Option<Vec3>>,
    /// The spot of the toe tip, where the ball is planted too.
    toe: Option<Vec3>,
}

/// A foot at one frame.
#[derive(Clone, Copy, Debug)]
struct PlantedFoot {
    plants: ActivePlants,
    spots: FootSpots,
}

impl PlantedFoot {
    fn at(window: &Window, frame: usize, leg: usize) -> Self {
        let state = window.plants(frame, leg);
        let planted = |spots: FootPoints<Vec3>| {
            FootPoints::from_fn(|point| state.is_planted[point].then_some(spots[point]))
        };
        let spots = match window.details(frame, leg) {
            Some(PlantDetails { spots, toe, toe_spot, .. }) => {
                FootSpots { spots: planted(*spots), toe: toe.map(|_| *toe_spot) }
            }
            None => FootSpots { spots: state.planted_spots(), toe: None },
        };
        Self { plants: window.active_plants(frame, leg), spots }
    }

    /// The spot of the plant of a point with this id.
    fn spot_of(&self, point: FootPoint, id: u32) -> Option<Vec3> {
        self.plants.of(point).filter(|plant| plant.id == id)?;
        self.spot(point)
    }

    /// Whether the plant of a point keeps it in its place on the ground: it does not while the foot turns about another
    /// point.
    fn stays_in_place(&self, point: FootPoint) -> bool {
        let is_pivot = |other: &FootPoint| {
            *other != point && self.plants.of(*other).is_some_and(|plant| plant.hold.kind == HoldKind::Pivot)
        };
        let is_height = self.plants.of(point).is_some_and(|plant| plant.hold.kind == HoldKind::Height);
        !is_height && !FootPoint::ALL.iter().any(is_pivot)
    }

    /// The spot of a point, if it is planted.
    fn spot(&self, point: FootPoint) -> Option<Vec3> {
        self.plants.of(point)?;
        match point {
            FootPoint::Toe if self.plants.ball.is_some() => self.spots.toe,
            _ => self.spots.spots[point],
        }
    }
}

/// Places the spots of one foot at one frame, and the positions at which its points are held.
#[cold]
#[inline(never)]
pub(crate) fn place(window: &mut Window, setup: &Setup, frame: usize, leg: usize) {
    let before = frame.checked_sub(1).map(|before| PlantedFoot::at(window, before, leg));
    let plants = window.active_plants(frame, leg);
    let FootSpots { spots, toe } = place_spots(window, setup, frame, leg, before.as_ref());
    let holds = plants.points().map(|plant| plant.map_or(Hold::default(), |plant| plant.hold));
    let turn = turning_point(&plants).map(|_| turns::turn(window, setup, frame, leg)).unwrap_or_default();
    let slot = window.leg(frame, leg);
    let held = held_positions(slot.points(), spots, holds, turn.whole, setup.floor.as_ref());
    if let Some(details) = window.details(frame, leg).copied() {
        let (spots, toe_spot) = (spots.map(Option::unwrap_or_default), toe.unwrap_or_default());
        window.set_details(frame, leg, PlantDetails { spots, toe_spot, turn: turn.settling, ..details });
    }
    let state = frame.checked_sub(1).map(|before| *window.plants(before, leg));
    let now = window.plants_mut(frame, leg);
    let goes_on = state.filter(|before| before.is_same_as(now));
    now.set_held(held, goes_on.as_ref());
}

/// The spots of a foot: those of plants that go on, and new ones.
fn place_spots(
    window: &Window,
    setup: &Setup,
    frame: usize,
    leg: usize,
    before: Option<&PlantedFoot>,
) -> FootSpots {
    let plants = window.active_plants(frame, leg);
    let front = if plants.stands_on_toe() { FootPoint::Toe } else { FootPoint::Ball };
    let named = |point: FootPoint| if point == FootPoint::Heel { point } else { front };
    let kept = |point: FootPoint| before?.spot_of(point, plants.of(point)?.id);
    let points = window.leg(frame, leg).points();
    let kept_spots = FootPoints::from_fn(|point| {
        kept(named(point)).or_else(|| continued_spot(before?, &plants, named(point)))
    });
    let position = |point: FootPoint| {
        let beside = kept_spots[other(point)];
        let turned = || turned_position(before?, points, point, beside?);
        match before
            .and_then(|before| rolled_position(window, frame, leg, before, named(point)))
            .or_else(turned)
        {
            Some(position) => snap_to_floor(position, setup),
            None => new_position(window, setup, frame, leg, point, beside),
        }
    };
    let spots = fit_spots(plants.points(), kept_spots, points.ball - points.heel, setup, position);
    let toe = plants.toe.filter(|_| plants.ball.is_some()).map(|toe| {
        let begun = || toe_spot(window, setup, frame, leg, spots.ball.unwrap_or_default());
        kept(FootPoint::Toe).or(toe.spot).unwrap_or_else(begun)
    });
    FootSpots { spots, toe }
}

/// The spot of a plant that takes over from another plant of the same point, which ends at the frame before.
fn continued_spot(before: &PlantedFoot, plants: &ActivePlants, point: FootPoint) -> Option<Vec3> {
    let (last, now) = (before.plants.of(point)?, plants.of(point)?);
    let has_own_hold = |plant: ActivePlant| plant.hold != Hold::default();
    let goes_on = (has_own_hold(last) || has_own_hold(now)) && before.stays_in_place(point);
    before.spot(point).filter(|_| goes_on && now.spot.is_none())
}

/// Where a foot that rolls from its ball onto its toe tip, or back, has the point that takes over.
fn rolled_position(
    window: &Window,
    frame: usize,
    leg: usize,
    before: &PlantedFoot,
    point: FootPoint,
) -> Option<Vec3> {
    let captured = &window.leg(frame, leg).captured;
    let ball_to_toe = captured.toe - captured.ball;
    match point {
        FootPoint::Heel => None,
        FootPoint::Ball => Some(before.spot(FootPoint::Toe)? - ball_to_toe),
        FootPoint::Toe => Some(before.spot(FootPoint::Ball)? + ball_to_toe),
    }
}

/// Where a foot that has turned about its other point, which stays at `beside`, has a point that is now held in place.
fn turned_position(
    before: &PlantedFoot,
    points: FootPoints<Vec3>,
    point: FootPoint,
    beside: Vec3,
) -> Option<Vec3> {
    let has_turned = turning_point(&before.plants) == Some(other(point));
    has_turned.then(|| beside + points[point] - points[other(point)])
}

/// The spot of a toe tip whose plant begins while the ball is planted: where the foot has its tip in the last frame in which
/// both are, as far as the spot window reaches.
fn toe_spot(window: &Window, setup: &Setup, frame: usize, leg: usize, ball: Vec3) -> Vec3 {
    let end = (frame + setup.windows.spots.max(1)).min(window.pushed);
    let ids = |frame: usize| {
        let plants = window.active_plants(frame, leg);
        (plants.ball.map(|plant| plant.id), plants.toe.map(|plant| plant.id))
    };
    let last = (frame..end).take_while(|&at| ids(at) == ids(frame)).last().unwrap_or(frame);
    let captured = &window.leg(last, leg).captured;
    snap_to_floor(ball + captured.toe - captured.ball, setup)
}

/// Where the points of a foot are held at one frame: at the distance at which they are captured. A foot that turns about one
/// of them is turned against the capture by `turn`, in radians.
pub(crate) fn held_positions(
    captured: FootPoints<Vec3>,
    spots: FootPoints<Option<Vec3>>,
    holds: FootPoints<Hold>,
    turn: f64,
    floor: Option<&Floor>,
) -> FootPoints<Option<Vec3>> {
    let held = FootPoints::from_fn(|point| {
        spots[point].map(|spot| holds[point].position(spot, captured[point], floor))
    });
    let FootPoints { heel: Some(heel), ball: Some(ball) } = held else { return held };
    if FOOT_POINTS.into_iter().all(|point| holds[point].is_exact())
        && (holds.heel.kind == HoldKind::Pivot) == (holds.ball.kind == HoldKind::Pivot)
    {
        return held;
    }
    fit_foot(captured, FootPoints { heel, ball }, holds, turn, floor).map(Some)
}

/// Moves one of the two held positions of a foot to the distance at which the points are captured.
///
/// The point whose hold determines the position of the foot stays. The foot points towards the other held position, or as
/// captured and at the height of that position, if it turns freely.
fn fit_foot(
    captured: FootPoints<Vec3>,
    held: FootPoints<Vec3>,
    holds: FootPoints<Hold>,
    turn: f64,
    floor: Option<&Floor>,
) -> FootPoints<Vec3> {
    let anchor = anchor(&holds);
    let free = other(anchor);
    let turns = holds[anchor].kind == HoldKind::Pivot || holds[free].kind == HoldKind::Height;
    let foot = captured[free] - captured[anchor];
    let towards = held[free] - held[anchor];
    let up = floor.map_or(Vec3::Y, |floor| floor.plane_under(held[anchor]).normal);
    let turned = rotate(about_axis(up, half_angle(turn)), foot);
    let direction = if turns { at_slope(turned, towards.dot(up), up) } else { towards };
    let mut fitted = held;
    let along = direction.try_normalize().unwrap_or_else(|| foot.normalize_or_zero());
    fitted[free] = held[anchor] + along * foot.length();
    fitted
}

/// The planted point that determines where a foot is that is planted at both points.
pub(crate) fn anchor(holds: &FootPoints<Hold>) -> FootPoint {
    match anchor_rank(&holds.ball) > anchor_rank(&holds.heel) {
        true => FootPoint::Ball,
        false => FootPoint::Heel,
    }
}

/// How much the hold of a point determines where the foot is: a pivot most, then a point that is held along the ground, then
/// the stronger one.
fn anchor_rank(hold: &Hold) -> f64 {
    // A strength is at most 1.
    match hold.kind {
        HoldKind::Pivot => 4.0 + hold.strength,
        HoldKind::Full | HoldKind::Ground => 2.0 + hold.strength,
        HoldKind::Height => hold.strength,
    }
}

/// A vector as long as `foot` and in the same direction seen from above, that rises by `rise`.
fn at_slope(foot: Vec3, rise: f64, up: Vec3) -> Vec3 {
    let length = foot.length();
    let rise = rise.clamp(-length, length);
    let level = foot - up * foot.dot(up);
    match level.try_normalize() {
        Some(ahead) => ahead * (length * length - rise * rise).max(0.0).sqrt() + up * rise,
        // A foot that stands upright has no direction seen from above.
        None => foot,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOOT: FootPoints<Vec3> =
        FootPoints { heel: Vec3::new(0.0, 0.02, 0.0), ball: Vec3::new(0.0, 0.0, 0.15) };

    fn hold(kind: HoldKind, strength: f64) -> Hold {
        Hold { kind, strength }
    }

    fn held(spots: FootPoints<Vec3>, holds: FootPoints<Hold>) -> FootPoints<Vec3> {
        held_positions(FOOT, spots.map(Some), holds, 0.0, None).map(Option::unwrap)
    }

    #[test]
    fn a_foot_turns_about_its_pivot_with_the_heel_at_its_height() {
        let spots = FootPoints { heel: Vec3::new(-0.15, 0.0, 0.1), ball: Vec3::new(0.0, 0.0, 0.1) };
        let holds = FootPoints { heel: Hold::default(), ball: hold(HoldKind::Pivot, 1.0) };
        let FootPoints { heel, ball } = held(spots, holds);
        assert_eq!(ball, spots.ball);
        assert!(
            heel.y.abs() < 1e-15 && heel.x.abs() < 1e-15,
            "{heel}: level, and as captured seen from above"
        );
        assert!((heel.distance(ball) - FOOT.heel.distance(FOOT.ball)).abs() < 1e-15);
    }

    #[test]
    fn a_foot_held_at_its_heights_moves_along_the_ground_as_captured() {
        let spots = FootPoints { heel: Vec3::new(1.0, 0.0, 0.0), ball: Vec3::new(1.0, 0.0, 0.15) };
        let holds = FootPoints { heel: hold(HoldKind::Height, 1.0), ball: hold(HoldKind::Height, 1.0) };
        let FootPoints { heel, ball } = held(spots, holds);
        assert_eq!(heel, Vec3::ZERO);
        assert!(ball.x == 0.0 && ball.y == 0.0, "{ball}");
    }

    #[test]
    fn the_stronger_point_determines_where_the_foot_is() {
        let spots = FootPoints { heel: Vec3::new(0.1, 0.02, 0.0), ball: Vec3::new(0.1, 0.0, 0.15) };
        let holds = FootPoints { heel: hold(HoldKind::Full, 0.5), ball: Hold::default() };
        let FootPoints { heel, ball } = held(spots, holds);
        assert_eq!(ball, spots.ball);
        assert!(heel.x > 0.04 && heel.x < 0.06, "{heel}");
    }
}
