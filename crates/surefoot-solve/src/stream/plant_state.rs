//! The plants of one foot at one frame, and how long the foot has been planted or free.

use surefoot_core::{FootPoint, Hold, PlantKind, Vec3};

use crate::foot_points::FootPoints;
use crate::phases::turns::Turn;
use crate::plants::{ActivePlant, ActivePlants};

/// The plants of one foot at one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PlantState {
    /// Phase 1: the positions at which the planted points are held: their spots, unless they have [`PlantDetails`].
    pub spots: FootPoints<Vec3>,
    pub is_planted: FootPoints<bool>,
    /// Ids of the plants; 0 for a free point. Those of a toe tip have [`TOE_ID`] added.
    ids: FootPoints<u32>,
    flags: PlantFlags,
    /// Whether the captured point stands or slides, if that is known.
    pub kinds: FootPoints<Option<PlantKind>>,
    /// Phase 1: number of frames up to this one with the same spots, as far as 16 bits count. The slot has no room for
    /// more, and no filter is that long.
    steady_frames: u16,
}

/// Distinguishes the id of a toe-tip plant from that of a ball plant.
const TOE_ID: u32 = 1 << 31;

/// Which spots the user gave, whether the foot stands on its toe tip, and whether its plants have details: one byte,
/// since the plants of a foot fill a cache line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct PlantFlags(u8);

impl PlantFlags {
    const HEEL_SPOT: u8 = 1;
    const FRONT_SPOT: u8 = 2;
    const ON_TOE: u8 = 4;
    const DETAILS: u8 = 8;

    fn new(plants: &ActivePlants, has_spot: FootPoints<bool>) -> Self {
        let flags = [
            (has_spot.heel, Self::HEEL_SPOT),
            (has_spot.ball, Self::FRONT_SPOT),
            (plants.stands_on_toe(), Self::ON_TOE),
            (plants.has_details(), Self::DETAILS),
        ];
        Self(flags.into_iter().map(|(is_set, flag)| if is_set { flag } else { 0 }).sum())
    }

    fn has_given_spots(self) -> bool {
        self.0 & (Self::HEEL_SPOT | Self::FRONT_SPOT) != 0
    }

    fn has_given_spot(self, point: FootPoint) -> bool {
        self.0 & if point == FootPoint::Heel { Self::HEEL_SPOT } else { Self::FRONT_SPOT } != 0
    }
}

/// The plants of a foot fill one cache line.
const _: () = assert!(size_of::<PlantState>() == 64);

/// What the window stores of a foot whose plants do more than hold heel and ball in place: they hold the toe tip, leave some
/// coordinates free, or have a strength.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PlantDetails {
    pub holds: FootPoints<Hold>,
    /// Phase 1: the spots. The positions in [`PlantState`] follow from them and from the captured points.
    pub spots: FootPoints<Vec3>,
    /// The plant of the toe tip in a frame in which the ball is planted too.
    pub toe: Option<ActivePlant>,
    /// Phase 1: the spot of that plant.
    pub toe_spot: Vec3,
    /// Phase 1: the part of the turn of a foot against the capture that is lost over time.
    pub turn: Turn,
}

impl PlantDetails {
    pub fn of(plants: &ActivePlants) -> Self {
        Self {
            holds: plants.points().map(|plant| plant.map_or(Hold::default(), |plant| plant.hold)),
            toe: plants.toe.filter(|_| plants.ball.is_some()),
            ..Self::default()
        }
    }
}

impl PlantState {
    /// Sets the plants of a new frame; phase 1 fills in their spots.
    pub fn begin(&mut self, plants: &ActivePlants) {
        let FootPoints { heel, ball } = plants.points();
        let id = |plant: &Option<ActivePlant>| plant.as_ref().map_or(0, |plant| plant.id);
        let has_spot = |plant: &Option<ActivePlant>| plant.as_ref().is_some_and(|plant| plant.spot.is_some());
        let toe_id = if plants.stands_on_toe() { TOE_ID } else { 0 };
        self.ids = FootPoints { heel: id(&heel), ball: id(&ball) ^ toe_id };
        self.is_planted = FootPoints { heel: heel.is_some(), ball: ball.is_some() };
        self.flags = PlantFlags::new(plants, FootPoints { heel: has_spot(&heel), ball: has_spot(&ball) });
        let kind = |plant: Option<ActivePlant>| plant.and_then(|plant| plant.kind);
        self.kinds = FootPoints { heel: kind(heel), ball: kind(ball) };
        self.steady_frames = 0;
    }

    /// Whether the front of the foot is the toe tip.
    #[inline(always)]
    pub fn stands_on_toe(&self) -> bool {
        self.flags.0 & PlantFlags::ON_TOE != 0
    }

    /// Whether the window has [`PlantDetails`] of this foot.
    #[inline(always)]
    pub fn has_details(&self) -> bool {
        self.flags.0 & PlantFlags::DETAILS != 0
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
        self.flags.has_given_spots()
    }

    /// The plants as they were pushed; `given` are the spots that the user gave.
    pub fn active(&self, given: &FootPoints<Vec3>, details: Option<&PlantDetails>) -> ActivePlants {
        let Self { is_planted, ids, flags, kinds, .. } = self;
        let toe_id = if self.stands_on_toe() { TOE_ID } else { 0 };
        let plant = |point: FootPoint, id: u32| {
            let spot = flags.has_given_spot(point).then_some(given[point]);
            let hold = details.map_or(Hold::default(), |details| details.holds[point]);
            is_planted[point].then_some(ActivePlant { id, spot, kind: kinds[point], hold })
        };
        let heel = plant(FootPoint::Heel, ids.heel);
        match (plant(FootPoint::Ball, ids.ball ^ toe_id), self.stands_on_toe()) {
            (toe, true) => ActivePlants { heel, ball: None, toe },
            (ball, false) => ActivePlants { heel, ball, toe: details.and_then(|details| details.toe) },
        }
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

    /// Sets the positions that are held at this frame; `goes_on` if the frame before has the same plants.
    pub fn set_held(&mut self, held: FootPoints<Option<Vec3>>, goes_on: Option<&Self>) {
        self.spots = held.map(Option::unwrap_or_default);
        self.steady_frames = goes_on.map_or(1, |before| before.steady_frames.saturating_add(1));
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
