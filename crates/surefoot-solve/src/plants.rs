//! The plants that hold a foot at one frame: the input of the cleaner beside the pose.

use surefoot_core::{FootPoint, Footplants, Hold, PlantKind, Vec3};

use crate::foot_points::FootPoints;

/// The plants that hold one foot at one frame; `None` for a free point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ActivePlants {
    /// The plant of the heel.
    pub heel: Option<ActivePlant>,
    /// The plant of the ball.
    pub ball: Option<ActivePlant>,
    /// The plant of the toe tip. Where the ball is planted too, the toes turn at their joint to hold the tip.
    pub toe: Option<ActivePlant>,
}

/// A plant that holds a foot point at one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ActivePlant {
    /// Identifies the plant: the same in all of its frames, different from the plant before it.
    pub id: u32,
    /// The spot, if it is given; otherwise the cleaner computes it. World space, in metres.
    pub spot: Option<Vec3>,
    /// Whether the captured foot stands or slides, if that is known: [`Method::Support`](crate::Method::Support) chooses
    /// the spot by it.
    pub kind: Option<PlantKind>,
    /// Which coordinates are held, and how strongly.
    pub hold: Hold,
}

impl ActivePlants {
    /// The plant of a point.
    pub fn of(&self, point: FootPoint) -> Option<ActivePlant> {
        match point {
            FootPoint::Heel => self.heel,
            FootPoint::Ball => self.ball,
            FootPoint::Toe => self.toe,
        }
    }

    /// Whether the foot stands on its toe tip and not on its ball.
    pub(crate) fn stands_on_toe(&self) -> bool {
        self.ball.is_none() && self.toe.is_some()
    }

    /// Whether the plants do more than hold heel and ball in place.
    pub(crate) fn has_details(&self) -> bool {
        let is_special = |plant: ActivePlant| plant.hold != Hold::default();
        self.toe.is_some() || self.heel.is_some_and(is_special) || self.ball.is_some_and(is_special)
    }

    pub(crate) fn ids(&self) -> FootPoints<Option<u32>> {
        self.points().map(|plant| plant.map(|plant| plant.id))
    }

    /// The plants of the heel and of the front of the foot: the ball, or the toe tip if the foot stands on it.
    pub(crate) fn points(&self) -> FootPoints<Option<ActivePlant>> {
        FootPoints { heel: self.heel, ball: self.ball.or(self.toe) }
    }
}

/// The plants of every frame and leg, indexed `frame * legs + leg`: what [`Cleaner::push`] takes.
///
/// For plants that are known beforehand. The id of each plant is its index in the list.
///
/// [`Cleaner::push`]: crate::Cleaner::push
pub fn active_plants(frames: usize, legs: usize, plants: &Footplants) -> Vec<ActivePlants> {
    let mut active = vec![ActivePlants::default(); frames * legs];
    for (id, plant) in plants.plants.iter().enumerate().filter(|(_, plant)| plant.leg < legs) {
        let holds = Some(ActivePlant { id: id as u32, spot: plant.spot, kind: plant.kind, hold: plant.hold });
        for frame in plant.frames.start..plant.frames.end.min(frames) {
            let foot = &mut active[frame * legs + plant.leg];
            match plant.point {
                FootPoint::Heel => foot.heel = holds,
                FootPoint::Ball => foot.ball = holds,
                FootPoint::Toe => foot.toe = holds,
            }
        }
    }
    active
}
