//! What is known of one leg at one frame, phase by phase.

use surefoot_core::{Quat, Vec3};
use wide::f64x2;

use crate::kinematics::knee_hinge::Bones;
use crate::plants::{ActivePlant, ActivePlants};

/// One leg at one frame: as captured, where it must be, and how it gets there.
///
/// Characters by the thousand leave no memory near, and it comes in lines of 64 bytes. So all is in one place,
/// and what a phase needs is on as few lines as can be: plants on the first, stance on the second, the foot's points
/// on the third, on the next three the leg, and on the last what a stance adds. Whether it is held at all is told by its
/// [`Spell`], which is elsewhere: a phase need not look here for legs that are free.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct LegSlot {
    pub plants: Plants,
    pub stance: Stance,
    pub seen: Seen,
    /// Phase 4: How far the leg is to turn about the line from hip to ankle, as the sine of half the angle.
    pub twist: f64,
    /// Phase 2: What turn the ankle of a held leg gets after its captured one.
    pub added: Quat,
}

impl LegSlot {
    /// Reads from each of its lines, so that they are near.
    pub fn fetch(&self) -> f64 {
        let Seen { ankle_turn, hip, knee, hip_holder, .. } = &self.seen;
        let (plants, stance) = (self.plants.places[0].x, self.stance.way.x);
        (plants + stance) + (ankle_turn.x + hip.x) + (knee.x + hip_holder.x) + self.added.x
    }

    /// Where the ankle of a held leg must be.
    pub fn target(&self) -> Target {
        Target { position: self.seen.hip + self.stance.way, added: self.added }
    }
}

/// The plants of one foot at one frame, and where they stand.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Plants {
    /// Phase 1: Where heel and ball stand, if they are held.
    pub places: [Vec3; 2],
    pub is_held: [bool; 2],
    /// The numbers of the heel's and the ball's; 0 of one that is not held.
    numbers: [u32; 2],
    /// Whether it was said where they stand.
    is_given: [bool; 2],
    /// Phase 1: For how many frames, this one included, they have stood so.
    stood_for: u32,
}

impl Plants {
    /// Others begin, of which it is not known yet where they stand.
    pub fn begin(&mut self, held: &ActivePlants) {
        for (point, hold) in [&held.heel, &held.ball].into_iter().enumerate() {
            self.numbers[point] = hold.as_ref().map_or(0, |hold| hold.id);
            self.is_held[point] = hold.is_some();
            self.is_given[point] = hold.as_ref().is_some_and(|hold| hold.spot.is_some());
        }
        self.stood_for = 0;
    }

    /// The number of a point's plant.
    pub fn number(&self, point: usize) -> Option<u32> {
        self.is_held[point].then_some(self.numbers[point])
    }

    /// Where heel and ball stand.
    pub fn spots(&self) -> [Option<Vec3>; 2] {
        core::array::from_fn(|point| self.is_held[point].then_some(self.places[point]))
    }

    /// Whether it was said where any of them stands.
    pub fn is_given(&self) -> bool {
        self.is_given != [false; 2]
    }

    /// Who is held, as it was said; `given` are the spots of those whose was.
    pub fn held(&self, given: &[Vec3; 2]) -> ActivePlants {
        let hold = |point: usize| {
            let spot = self.is_given[point].then_some(given[point]);
            self.number(point).map(|id| ActivePlant { id, spot })
        };
        ActivePlants { heel: hold(0), ball: hold(1) }
    }

    /// How many points are held.
    pub fn count(&self) -> usize {
        usize::from(self.is_held[0]) + usize::from(self.is_held[1])
    }

    pub fn stood_for(&self) -> usize {
        self.stood_for as usize
    }

    /// Whether the same plants hold the same points.
    pub fn are(&self, other: &Self) -> bool {
        (self.numbers, self.is_held) == (other.numbers, other.is_held)
    }

    /// They stand as they did in the frame before.
    pub fn stand_on(&mut self, before: &Self) {
        self.places = before.places;
        self.stood_for = before.stood_for.saturating_add(1);
    }

    /// They stand here from now on, or go on to if they did in the frame before.
    pub fn stand(&mut self, spots: [Option<Vec3>; 2], before: Option<&Self>) {
        self.places = spots.map(Option::unwrap_or_default);
        self.stood_for = match before {
            Some(before) if before.spots() == spots => before.stood_for.saturating_add(1),
            _ => 1,
        };
    }
}

/// How one leg that is held stands at one frame: all that root and knee need of it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stance {
    /// Phase 2: Hip, as captured, to ankle target.
    pub way: Vec3,
    /// Phase 2: Hip to ankle as captured, in metres, squared.
    pub captured_squared: f64,
    /// Phase 2: Thigh and shin as captured.
    pub bones: Bones,
    /// Phase 4: The change of bend that the knee is to take, in radians.
    pub bend: f64,
}

/// Phase 2: For how many frames, the last included, a leg has been held without a break; or free, then below nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spell(i32);

impl Default for Spell {
    /// Of a leg that never was held.
    fn default() -> Self {
        Self(i32::MIN)
    }
}

impl Spell {
    /// One more frame in which it is held.
    pub fn and_held(self) -> Self {
        Self(self.0.max(0).saturating_add(1))
    }

    /// One more in which it is free.
    pub fn and_free(self) -> Self {
        Self(self.0.min(0).saturating_sub(1))
    }

    pub fn is_held(self) -> bool {
        self.0 > 0
    }

    /// For how many frames, the last included, the leg has been held without a break.
    pub fn held_for(self) -> usize {
        self.0.max(0).unsigned_abs() as usize
    }

    /// The frame after the last at which it was held, up to the last, the number of which is `frame`; 0 if it
    /// never was.
    pub fn held_until(self, frame: usize) -> usize {
        (frame + 1).saturating_sub(self.0.min(0).unsigned_abs() as usize)
    }
}

/// A leg as captured, in the world.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(crate) struct Seen {
    /// How the ankle is turned; only feet that are laid flat and toes that are turned up ask for it.
    pub ankle_turn: Quat,
    pub heel: Vec3,
    pub ball: Vec3,
    pub ankle: Vec3,
    pub hip: Vec3,
    pub knee: Vec3,
    /// The axis that the knee turns about.
    pub axis: Vec3,
    pub toe: Vec3,
    /// How the joints that hip and ankle hang from are turned.
    pub hip_holder: Quat,
    pub ankle_holder: Quat,
}

impl Seen {
    /// Thigh and shin against the knee's axis.
    pub fn bones(&self) -> Bones {
        Bones::new(self.knee - self.hip, self.ankle - self.knee, self.axis)
    }
}

/// Where an ankle must be, and what turn it gets after its captured one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Target {
    pub position: Vec3,
    pub added: Quat,
}

/// The root at one frame.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(crate) struct RootSlot {
    /// Phase 3: How far it is moved, if anything is held around.
    pub moved: Option<Vec3>,
    /// Phase 3: How far it is, smoothed, from where the legs reach.
    pub short: Vec3,
    /// The frame after the last one before this that is so; 0 if none is.
    pub earlier: usize,
}

/// Where the held feet of a frame, or of a few, would like the root, as a move.
///
/// The move, times how much it counts when moves are averaged; then how much that is.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub(crate) struct RootAsk([f64x2; 2]);

impl RootAsk {
    pub fn new(moved: Vec3, counts: f64) -> Self {
        let pull = moved * counts;
        Self([f64x2::new([pull.x, pull.y]), f64x2::new([pull.z, counts])])
    }

    /// Adds another, times a weight.
    pub fn add(&mut self, other: &Self, weight: f64x2) {
        let ([xy, z], [other_xy, other_z]) = (self.0, other.0);
        self.0 = [xy + other_xy * weight, z + other_z * weight];
    }

    pub fn counts(&self) -> f64 {
        self.0[1].to_array()[1]
    }

    /// Whether no move is asked for.
    pub fn is_still(&self) -> bool {
        let ([x, y], [z, _]) = (self.0[0].to_array(), self.0[1].to_array());
        x == 0.0 && y == 0.0 && z == 0.0
    }

    /// The mean of the moves that were added up.
    pub fn mean(&self) -> Vec3 {
        let ([x, y], [z, counts]) = (self.0[0].to_array(), self.0[1].to_array());
        Vec3::new(x, y, z) / counts
    }
}

/// What one leg is doing, from frame to frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Doing {
    /// Phase 2: The frames next to this one in which both points are held.
    pub turns: Beside<AddedTurn>,
    /// Phase 5: The frames next to this one in which it is held.
    pub fades: Beside<Edge>,
    /// Phase 5: What the frame that came out last took of it.
    pub paid: Paid,
}

impl Doing {
    /// Nothing, before that frame.
    pub fn from(frame: usize) -> Self {
        let mut doing = Self::default();
        (doing.turns.seen, doing.fades.seen) = (frame, frame);
        doing
    }
}

/// What a frame took of a leg: how much of a stretch, and how far its ankle is from the target, in metres.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Paid {
    pub stretch: f64,
    pub slide: f64,
}

/// What is changed in a leg.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Change {
    /// The turns that hip, knee and ankle get before their own.
    pub turns: [Quat; 3],
    /// Added to the knee's bend, in radians.
    pub bend: f64,
    /// Added to the bones' length, as a fraction.
    pub stretch: f64,
    /// Where the ankle is with them, and what turn it got.
    pub foot: Target,
    /// How far the ankle stays from its target, in metres.
    pub slide: f64,
    /// How deep the foot stands in the floor, in metres: a plant may be given there, or be captured so
    /// far below that it keeps its own height.
    pub depth: f64,
    /// How much of a change this is: 1 where a point is held, falling to 0 around.
    pub share: f64,
}

/// A change of a leg as numbers that may be scaled and added, so that it can be faded to nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Parts {
    /// Turns before the hip's and the ankle's own, as axis times angle.
    pub hip: Vec3,
    pub ankle: Vec3,
    /// Added to the knee's bend, in radians.
    pub bend: f64,
    /// Added to the bones' length, as a fraction.
    pub stretch: f64,
}

impl Parts {
    pub fn less(&self, other: &Parts) -> Parts {
        let mut parts = *self;
        parts.add(other, -1.0);
        parts
    }

    pub fn add(&mut self, other: &Parts, weight: f64) {
        self.hip += other.hip * weight;
        self.ankle += other.ankle * weight;
        self.bend += other.bend * weight;
        self.stretch += other.stretch * weight;
    }
}

/// The frames next to one, behind and ahead, whose change is to be faded into it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beside<T> {
    pub behind: Option<(usize, T)>,
    pub ahead: Option<(usize, T)>,
    /// The last frame that has been looked at; those after it have yet to come into view.
    pub seen: usize,
}

impl<T> Default for Beside<T> {
    fn default() -> Self {
        Self { behind: None, ahead: None, seen: 0 }
    }
}

/// The turn added to a foot that is held at both points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AddedTurn {
    /// As axis times angle.
    pub added: Vec3,
    /// How deep heel and ball stand in the floor, in metres.
    pub depths: [f64; 2],
}

/// A held leg's change at the first or last frame of its stance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub parts: Parts,
    /// How the change grows towards the edge, per frame; nothing for a stance of one frame.
    pub slope: Option<Parts>,
    pub depth: f64,
    /// The knee's bend with the change, in radians.
    pub bent: f64,
}
