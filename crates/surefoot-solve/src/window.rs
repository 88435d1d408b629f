//! The frames around the one being solved.

use surefoot_core::{Pose, Quat, Vec3};

use crate::cleaner::Held;
use crate::hinge::Bones;
use crate::setup::Setup;

/// All that is known of one frame.
///
/// Each phase fills in its own fields and reads only those above them.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub input: Pose,
    pub legs: Vec<LegSlot>,
    /// 2. Where the held feet would like the root, as a move.
    pub asked: Vec3,
    /// 2. How much of that is needed to reach them, in metres.
    pub needed: f64,
    /// 3. How far the root is moved.
    pub root: Option<Vec3>,
    /// 5. The clean pose.
    pub output: Pose,
}

/// All that is known of one leg at one frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LegSlot {
    pub held: Held,
    pub seen: Seen,
    /// 1. Where heel and ball stand.
    pub spots: [Option<Vec3>; 2],
    /// 2. The turn added to the foot, as axis times angle.
    pub added: Vec3,
    /// 2. Where the ankle must be, and how turned.
    pub target: Option<Target>,
    /// 4. What the knee is asked to do.
    pub ask: Ask,
    /// 4. What the leg does.
    pub change: Option<Change>,
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
    pub toe_joint: Vec3,
    pub toe_holder: Quat,
    /// How the joints that hip, knee and ankle hang from are turned.
    pub hip_holder: Quat,
    pub knee_holder: Quat,
    pub ankle_holder: Quat,
    pub ankle_turn: Quat,
}

/// Where an ankle must be, and how turned.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Target {
    pub position: Vec3,
    pub turn: Quat,
}

/// What a knee is asked to do.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ask {
    pub bones: Bones,
    /// Hip to ankle target, in metres.
    pub reach: f64,
    /// The change of bend that makes the reach, damped, in radians.
    pub bend: f64,
}

/// What is changed in a leg, each part so that it can be faded to nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Change {
    /// Turns before the hip's and the ankle's own, as axis times angle.
    pub hip: Vec3,
    pub ankle: Vec3,
    /// Added to the knee's bend, in radians.
    pub bend: f64,
    /// Added to the bones' length, as a fraction.
    pub stretch: f64,
    /// How far the ankle stays from its target, in metres.
    pub slide: f64,
    /// How much of a change this is: 1 where a point is held, falling to 0 around.
    pub share: f64,
}

/// The frames that some phase still needs, in a ring.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    slots: Vec<Slot>,
    mask: usize,
    /// How many frames have come in.
    pub pushed: usize,
    /// No more will come.
    pub ended: bool,
    /// How many frames each phase has done.
    pub done: [usize; 6],
}

impl Window {
    pub fn new(setup: &Setup) -> Self {
        let frames = setup.frames;
        let back = frames.ankles.max(frames.root).max(frames.knee).max(frames.blend);
        let count = (setup.lookahead() + back + 2).next_power_of_two();
        let rest = Pose::rest(&setup.skeleton);
        let slot = Slot {
            input: rest.clone(),
            legs: vec![LegSlot::default(); setup.legs.len()],
            asked: Vec3::ZERO,
            needed: 0.0,
            root: None,
            output: rest,
        };
        Self { slots: vec![slot; count], mask: count - 1, pushed: 0, ended: false, done: [0; 6] }
    }

    pub fn slot(&self, frame: usize) -> &Slot {
        &self.slots[frame & self.mask]
    }

    pub fn slot_mut(&mut self, frame: usize) -> &mut Slot {
        &mut self.slots[frame & self.mask]
    }

    pub fn leg(&self, frame: usize, leg: usize) -> &LegSlot {
        &self.slot(frame).legs[leg]
    }

    /// The next frame that `phase` can do, if it looks `ahead` frames ahead of it.
    ///
    /// Each phase trails the one above it by as many frames as it looks ahead, so what it reads
    /// has always been filled in. Only once that one has done every frame there is does it look
    /// less far ahead.
    pub fn next(&self, phase: usize, ahead: usize) -> Option<usize> {
        let above = if phase == 0 { self.pushed } else { self.done[phase - 1] };
        let next = self.done[phase];
        let is_all = self.ended && above == self.pushed;
        let is_ready = next < above && (is_all || next + ahead < above);
        is_ready.then_some(next)
    }

    /// The frames within `reach` of `frame` that the phase above has done.
    pub fn around(&self, phase: usize, frame: usize, reach: usize) -> core::ops::Range<usize> {
        let above = if phase == 0 { self.pushed } else { self.done[phase - 1] };
        frame.saturating_sub(reach)..(frame + reach + 1).min(above)
    }
}
