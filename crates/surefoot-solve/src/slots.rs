//! What is known of one leg at one frame, phase by phase.

use surefoot_core::{Quat, Vec3};

use crate::cleaner::Held;
use crate::hinge::Bones;

/// One leg at one frame: as captured, where it must be, and how it gets there. All in one place, so that
/// a phase that comes to a frame has one place to go to: characters by the thousand leave no memory near.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LegSlot {
    pub held: Held,
    pub seen: Seen,
    pub plants: Plants,
    /// Phase 2: Where the ankle of a held leg must be.
    pub target: Target,
    pub stance: Stance,
}

/// The plants of one foot at one frame, and where they stand.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Plants {
    /// The numbers of the heel's and the ball's.
    pub plants: [Option<u32>; 2],
    /// Phase 1: Where heel and ball stand.
    pub spots: [Option<Vec3>; 2],
    /// Phase 1: For how many frames, this one included, they have stood so.
    pub stood_for: usize,
}

impl Plants {
    /// How many points are held.
    pub fn held(&self) -> usize {
        usize::from(self.spots[0].is_some()) + usize::from(self.spots[1].is_some())
    }
}

/// How one leg stands at one frame: all that root and knee need of it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stance {
    /// Phase 2: For how many frames, this one included, the leg has been held without a break. All
    /// fields but the next are of held legs only.
    pub held_for: usize,
    /// Phase 2: The frame after the last at which it was held, up to this one; 0 if it never was.
    pub held_until: usize,
    /// Phase 2: Hip, as captured, to ankle target.
    pub way: Vec3,
    /// Phase 2: Hip to ankle as captured, in metres.
    pub captured: f64,
    /// Phase 2: Thigh and shin as captured.
    pub bones: Bones,
    /// Phase 4: The change of bend that the knee is to take, in radians; and how far the leg is to turn
    /// about the line from hip to ankle, as the sine of half the angle.
    pub bend: f64,
    pub twist: f64,
}

impl Stance {
    pub fn is_held(&self) -> bool {
        self.held_for > 0
    }
}

/// A leg as captured, in the world.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen {
    pub hip: Vec3,
    pub knee: Vec3,
    pub ankle: Vec3,
    pub heel: Vec3,
    pub ball: Vec3,
    pub toe: Vec3,
    /// The axis that the knee turns about.
    pub axis: Vec3,
    /// How the joints that hip and ankle hang from are turned, and the ankle itself.
    pub hip_holder: Quat,
    pub ankle_holder: Quat,
    pub ankle_turn: Quat,
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

/// Where the held feet of a frame would like the root, as a move.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RootAsk {
    /// The move, times how much it counts.
    pub pull: Vec3,
    /// How much the move counts when moves are averaged: nothing where no foot is held.
    pub counts: f64,
    /// 1 where no foot is held, else 0.
    pub free: f64,
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
    /// How much of a change this is: 1 where a point is held, falling to 0 around. Of a leg that is left
    /// alone nothing, and the rest does not count.
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
