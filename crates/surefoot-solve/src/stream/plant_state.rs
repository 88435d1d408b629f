//! The plants of one foot at one frame, and how long the foot has been planted or free.

use surefoot_core::{FootPoint, PlantKind, Vec3};

use crate::foot_points::FootPoints;
use crate::plants::{ActivePlant, ActivePlants};

/// The plants of one foot at one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PlantState {
    /// Phase 1: the spots of the planted points.
    pub spots: FootPoints<Vec3>,
    pub is_planted: FootPoints<bool>,
    /// Ids of the plants; 0 for a free point.
    ids: FootPoints<u32>,
    /// Whether the spot was given by the user.
    has_given_spot: FootPoints<bool>,
    /// Whether the captured point stands or slides, if that is known.
    pub kinds: FootPoints<Option<PlantKind>>,
    /// Phase 1: number of frames up to this one with the same spots, as far as 16 bits count. The slot has no room for
    /// more, and no filter is that long.
    steady_frames: u16,
}

impl PlantState {
    /// Sets the plants of a new frame; phase 1 fills in their spots.
    pub fn begin(&mut self, plants: &ActivePlants) {
        let FootPoints { heel, ball } = plants.points();
        let id = |plant: &Option<ActivePlant>| plant.as_ref().map_or(0, |plant| plant.id);
        let has_spot = |plant: &Option<ActivePlant>| plant.as_ref().is_some_and(|plant| plant.spot.is_some());
        self.ids = FootPoints { heel: id(&heel), ball: id(&ball) };
        self.is_planted = FootPoints { heel: heel.is_some(), ball: ball.is_some() };
        self.has_given_spot = FootPoints { heel: has_spot(&heel), ball: has_spot(&ball) };
        let kind = |plant: Option<ActivePlant>| plant.and_then(|plant| plant.kind);
        self.kinds = FootPoints { heel: kind(heel), ball: kind(ball) };
        self.steady_frames = 0;
    }

    /// The ids of the plants; `None` for a free point.
    pub fn ids(&self) -> FootPoints<Option<u32>> {
        FootPoints {
            heel: self.is_planted.heel.then_some(self.ids.heel),
            ball: self.is_planted.ball.then_some(self.ids.ball),
        }
    }

    /// The planted point of a foot that is planted at one point only.
    pub fn single_point(&self) -> Option<FootPoint> {
        match (self.is_planted.heel, self.is_planted.ball) {
            (true, false) => Some(FootPoint::Heel),
            (false, true) => Some(FootPoint::Ball),
            _ => None,
        }
    }

    /// The spots; `None` for a free point.
    pub fn planted_spots(&self) -> FootPoints<Option<Vec3>> {
        FootPoints {
            heel: self.is_planted.heel.then_some(self.spots.heel),
            ball: self.is_planted.ball.then_some(self.spots.ball),
        }
    }

    /// Whether any spot was given by the user.
    pub fn has_given_spots(&self) -> bool {
        self.has_given_spot.heel || self.has_given_spot.ball
    }

    /// The plants as they were pushed; `given` are the spots that the user gave.
    pub fn active(&self, given: &FootPoints<Vec3>) -> ActivePlants {
        let Self { is_planted, ids, has_given_spot, kinds, .. } = self;
        let plant = |point: FootPoint| {
            let spot = has_given_spot[point].then_some(given[point]);
            is_planted[point].then_some(ActivePlant { id: ids[point], spot, kind: kinds[point] })
        };
        ActivePlants { heel: plant(FootPoint::Heel), ball: plant(FootPoint::Ball) }
    }

    /// Number of planted points.
    pub fn count(&self) -> usize {
        usize::from(self.is_planted.heel) + usize::from(self.is_planted.ball)
    }

    /// Number of frames up to this one with the same spots.
    pub fn steady_frames(&self) -> usize {
        usize::from(self.steady_frames)
    }

    /// Whether the same plants hold the same points.
    pub fn is_same_as(&self, other: &Self) -> bool {
        (self.ids, self.is_planted) == (other.ids, other.is_planted)
    }

    /// Keeps the spots of the frame before.
    pub fn continue_from(&mut self, before: &Self) {
        self.spots = before.spots;
        self.steady_frames = before.steady_frames.saturating_add(1);
    }

    /// Sets new spots.
    pub fn set_spots(&mut self, spots: FootPoints<Option<Vec3>>, before: Option<&Self>) {
        self.spots = spots.map(Option::unwrap_or_default);
        self.steady_frames = match before {
            Some(before) if before.planted_spots() == spots => before.steady_frames.saturating_add(1),
            _ => 1,
        };
    }
}

/// Phase 2: length of the run of frames up to this one in which a leg is planted, or negative, in which it is
/// free.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactRun(i32);

impl Default for ContactRun {
    /// A leg that was never planted.
    fn default() -> Self {
        Self(i32::MIN)
    }
}

impl ContactRun {
    /// The run one frame later, if the leg is planted there.
    pub fn then_planted(self) -> Self {
        Self(self.0.max(0).saturating_add(1))
    }

    /// The run one frame later, if the leg is free there.
    pub fn then_free(self) -> Self {
        Self(self.0.min(0).saturating_sub(1))
    }

    pub fn is_planted(self) -> bool {
        self.0 > 0
    }

    /// End of the last stance up to this frame, whose number is `frame`: the frame after the last planted
    /// one; 0 if there was none.
    pub fn stance_end(self, frame: usize) -> usize {
        (frame + 1).saturating_sub(self.0.min(0).unsigned_abs() as usize)
    }
}
