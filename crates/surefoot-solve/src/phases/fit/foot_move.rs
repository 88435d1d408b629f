//! How an ankle can move without moving a planted point: a foot planted at one point rolls about it, a free foot moves
//! along its leg.

use surefoot_core::{Floor, FootPoint, Vec3};

use crate::foot_points::other;
use crate::kinematics::rotation::{rotate, shortest_arc};
use crate::phases::ankles::raise_free_point;
use crate::phases::clearance::lowest_height;
use crate::setup::Setup;
use crate::stream::slots::{FootRange, LegSlot};

/// Least movement of the ankle along the leg for each metre that it moves by rolling. A foot whose roll moves the ankle
/// across the leg gains no reach.
const LEAST_LEVER: f64 = 0.1;

/// Change of height per metre of movement below which a point neither rises nor sinks.
const LEVEL: f64 = 1e-6;

/// A way in which an ankle can move.
///
/// Distances are those of the point of the foot that moves furthest: rolling about the heel by a few degrees hardly
/// moves the ankle, but lifts the ball visibly.
pub(crate) struct FootMove {
    /// The point that the foot rolls about; `None` for a free foot that moves without rolling.
    pivot: Option<Pivot>,
    /// Movement of the ankle per distance.
    pub direction: Vec3,
}

/// The point that a foot rolls about.
struct Pivot {
    point: FootPoint,
    position: Vec3,
}

impl FootMove {
    /// `along` is the direction from hip to ankle. `None` for a foot that cannot move.
    pub fn new(slot: &LegSlot, is_planted: bool, along: Vec3) -> Option<Self> {
        // A hand that moves along with the body.
        if slot.root_share == 0.0 {
            return None;
        }
        let Some(point) = slot.pivot else {
            return (!is_planted).then_some(Self { pivot: None, direction: along });
        };
        let position = match is_planted {
            true => slot.plants.spots[point],
            false => slot.position_of(slot.points()[point]),
        };
        let to_ankle = slot.target().position - position;
        let arm = to_ankle.try_normalize()?;
        let across = along - arm * along.dot(arm);
        let lever = across.length();
        let points = slot.points();
        let foot_length = (points[other(point)] - points[point]).length();
        let ankle_share = (to_ankle.length() / foot_length).min(1.0);
        let pivot = Some(Pivot { point, position });
        (lever > LEAST_LEVER).then(|| Self { pivot, direction: across * (ankle_share / lever) })
    }

    /// From the point that the foot rolls about to the ankle; 0 for a foot that does not roll.
    pub fn arm(&self, slot: &LegSlot) -> Vec3 {
        self.pivot.as_ref().map_or(Vec3::ZERO, |pivot| slot.target().position - pivot.position)
    }

    /// How far the foot can move without moving a free point below the floor, or deeper below it.
    pub fn range(&self, slot: &LegSlot, setup: &Setup) -> FootRange {
        let mut range = FootRange::default();
        let Some(floor) = &setup.floor else { return range };
        let (captured, ankle) = (&slot.captured, slot.target().position);
        let up = floor.plane_under(ankle).normal;
        let mut limit = |point: Vec3| {
            let position = slot.position_of(point);
            let rise = self.movement_of(position, ankle).dot(up);
            let room = floor.above(position).max(0.0);
            if rise < -LEVEL {
                range.most = range.most.min(room / -rise);
            } else if rise > LEVEL {
                range.least = range.least.max(-room / rise);
            }
        };
        let pivot = self.pivot.as_ref().map(|pivot| pivot.point);
        if pivot != Some(FootPoint::Heel) {
            limit(captured.heel);
        }
        if pivot != Some(FootPoint::Ball) || slot.plants.stands_on_toe() {
            limit(captured.ball);
        }
        range
    }

    /// The movement of a point of the foot per distance.
    fn movement_of(&self, position: Vec3, ankle: Vec3) -> Vec3 {
        let Some(pivot) = &self.pivot else { return self.direction };
        let to_ankle = ankle - pivot.position;
        to_ankle.cross(self.direction).cross(position - pivot.position) / to_ankle.length_squared()
    }

    /// Moves the foot by `distance` metres.
    pub fn apply(&self, slot: &mut LegSlot, setup: &Setup, is_planted: bool, distance: f64) {
        match &self.pivot {
            Some(pivot) => self.roll(slot, setup, pivot, distance),
            None => slot.stance.hip_to_target += self.direction * distance,
        }
        if let (false, Some(floor)) = (is_planted, &setup.floor) {
            slot.is_displaced = true;
            keep_above(floor, slot);
        }
    }

    /// Rolls a foot about its pivot.
    fn roll(&self, slot: &mut LegSlot, setup: &Setup, pivot: &Pivot, distance: f64) {
        let Pivot { point, position } = *pivot;
        let arm = slot.target().position - position;
        let captured = &slot.captured;
        let (fixed, free) = (slot.points()[point], slot.points()[other(point)]);
        // Phase 2 may have left the free point below the floor, next to frames in which it is planted there.
        let depth = setup.floor.as_ref().map_or(0.0, |floor| {
            -floor.above(position + rotate(slot.rotation_correction, free - fixed)).min(0.0)
        });
        let rotation = shortest_arc(arm, arm + self.direction * distance) * slot.rotation_correction;
        let raise = raise_free_point(setup, position, rotate(rotation, free - fixed), depth);
        slot.rotation_correction = raise * rotation;
        let ankle = position - rotate(slot.rotation_correction, fixed - captured.ankle);
        slot.stance.hip_to_target = ankle - captured.hip;
    }
}

/// Lifts a free foot that has been moved below the floor.
fn keep_above(floor: &Floor, slot: &mut LegSlot) {
    let height = lowest_height(floor, slot);
    if height < 0.0 {
        slot.stance.hip_to_target -= floor.plane_under(slot.target().position).normal * height;
    }
}
