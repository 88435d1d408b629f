//! The frames around the one being solved.

use core::ops::Range;

use surefoot_core::{Pose, Vec3};

use crate::ring::{Places, Ring};
use crate::setup::Setup;
use crate::slots::{AddedTurn, Beside, Change, Edge, LegSlot, Plants, RootAsk, Stance};

/// The frames that some phase still needs, in a ring.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    /// The poses as captured; clean once phase 5 has been at one, which nothing reads after.
    poses: Vec<Pose>,
    /// Where the frames stand, here and in all lists.
    places: Places,
    /// The legs of every frame, one after the other; so with all that is by the leg.
    legs: Vec<LegSlot>,
    legs_each: usize,
    /// Phase 3: How far each frame's root is moved.
    roots: Vec<Option<Vec3>>,
    /// Phase 5: What was done to each leg of the frame that came out last.
    pub changes: Vec<Change>,
    /// Phase 2: What a few frames together ask of the root. Apart from the slots, since all in a window
    /// are read for every frame; by the cell, since a frame at 120 a second tells little of its own.
    cells: Ring<RootAsk>,
    cell_places: Places,
    /// How many frames a cell has.
    cell: usize,
    /// The last cell in which a frame would like the root elsewhere; the first while there was none.
    pub last_pull: usize,
    /// Phase 2: For each leg, the frames next to this one in which both points are held.
    pub turns: Vec<Beside<AddedTurn>>,
    /// Phase 5: For each leg, the frames next to this one in which it is held.
    pub fades: Vec<Beside<Edge>>,
    /// Phase 3: How far each frame's root, smoothed, still is from where the legs reach. Likewise.
    shorts: Ring<Vec3>,
    /// The last frame with any of that; the first there is while there was none.
    pub last_short: usize,
    /// Phase 4: The change of bend and the twist that each leg is asked for, likewise; leg by leg.
    bends: Vec<Ring<[f64; 2]>>,
    /// Phase 1: How far the one point that is held is from its spot, likewise.
    offs: Vec<Ring<Vec3>>,
    /// Phase 1: How high heel and ball are over the floor as captured, likewise.
    heights: Vec<Ring<[f64; 2]>>,
    /// How many frames have come in.
    pub pushed: usize,
    /// No more will come.
    pub ended: bool,
    /// How many frames each phase has done.
    pub done: [usize; 7],
}

impl Window {
    pub fn new(setup: &Setup) -> Self {
        let frames = setup.frames;
        let back = [frames.ankles, frames.root, frames.ease, frames.knee, frames.blend];
        let back = back.map(|reach| reach.frames).into_iter().max().unwrap_or(0);
        let count = setup.lookahead() + back + setup.cell + 2;
        let cells = count / setup.cell + 2;
        let legs = setup.legs.len();
        Self {
            poses: vec![Pose::rest(&setup.skeleton); count],
            places: Places::new(count, 0),
            legs: vec![LegSlot::default(); count * legs],
            legs_each: legs,
            roots: vec![None; count],
            changes: vec![Change::default(); legs],
            cells: Ring::new(cells),
            cell_places: Places::new(cells, 0),
            cell: setup.cell,
            last_pull: 0,
            turns: vec![Beside::default(); legs],
            fades: vec![Beside::default(); legs],
            last_short: 0,
            shorts: Ring::new(count),
            bends: vec![Ring::new(count); legs],
            offs: vec![Ring::new(count); legs],
            heights: vec![Ring::new(count); legs],
            pushed: 0,
            ended: false,
            done: [0; 7],
        }
    }

    /// A window that holds the legs of every frame of a motion, and nothing else of it.
    pub fn of_legs(setup: &Setup, frames: usize) -> Self {
        let count = frames.max(1);
        let legs = setup.legs.len();
        Self {
            poses: Vec::new(),
            places: Places::new(count, 0),
            legs: vec![LegSlot::default(); count * legs],
            legs_each: legs,
            roots: vec![None; count],
            changes: Vec::new(),
            cells: Ring::new(1),
            cell_places: Places::new(1, 0),
            cell: setup.cell,
            last_pull: 0,
            turns: Vec::new(),
            fades: Vec::new(),
            last_short: 0,
            shorts: Ring::new(1),
            bends: Vec::new(),
            offs: Vec::new(),
            heights: Vec::new(),
            pushed: frames,
            ended: true,
            done: [0; 7],
        }
    }

    /// Forgets everything; the next frame to be pushed is `frame`, as if all before it were free.
    pub fn restart(&mut self, frame: usize) {
        self.legs.fill(LegSlot::default());
        self.roots.fill(None);
        self.changes.fill(Change::default());
        self.turns.fill(Beside { seen: frame, ..Beside::default() });
        self.fades.fill(Beside { seen: frame, ..Beside::default() });
        self.shorts.clear();
        self.last_short = 0;
        self.last_pull = 0;
        self.places = Places::new(self.places.count(), frame);
        self.cell_places = Places::new(self.cell_places.count(), frame / self.cell);
        self.pushed = frame;
        self.ended = false;
        self.done = [frame; 7];
    }

    pub fn pose(&self, frame: usize) -> &Pose {
        &self.poses[self.places.of(frame)]
    }

    pub fn pose_mut(&mut self, frame: usize) -> &mut Pose {
        let place = self.places.of(frame);
        &mut self.poses[place]
    }

    pub fn root(&self, frame: usize) -> Option<Vec3> {
        self.roots[self.places.of(frame)]
    }

    pub fn set_root(&mut self, frame: usize, root: Option<Vec3>) {
        let place = self.places.of(frame);
        self.roots[place] = root;
    }

    /// The place of a leg in the lists that are by the leg.
    fn place(&self, frame: usize, leg: usize) -> usize {
        self.places.of(frame) * self.legs_each + leg
    }

    pub fn leg(&self, frame: usize, leg: usize) -> &LegSlot {
        &self.legs[self.place(frame, leg)]
    }

    pub fn leg_mut(&mut self, frame: usize, leg: usize) -> &mut LegSlot {
        let place = self.place(frame, leg);
        &mut self.legs[place]
    }

    pub fn plants(&self, frame: usize, leg: usize) -> &Plants {
        &self.leg(frame, leg).plants
    }

    pub fn plants_mut(&mut self, frame: usize, leg: usize) -> &mut Plants {
        &mut self.leg_mut(frame, leg).plants
    }

    /// The legs of a frame.
    pub fn legs(&self, frame: usize) -> &[LegSlot] {
        let start = self.place(frame, 0);
        &self.legs[start..start + self.legs_each]
    }

    pub fn stance(&self, frame: usize, leg: usize) -> &Stance {
        &self.leg(frame, leg).stance
    }

    pub fn stance_mut(&mut self, frame: usize, leg: usize) -> &mut Stance {
        &mut self.leg_mut(frame, leg).stance
    }

    /// The pose, the legs and their changes of the frame that is coming out.
    pub fn out(&mut self, frame: usize) -> (&mut Pose, &[LegSlot], &[Change]) {
        let start = self.place(frame, 0);
        let legs = &self.legs[start..start + self.legs_each];
        (&mut self.poses[start / self.legs_each.max(1)], legs, &self.changes)
    }

    /// Adds what a frame asks of the root to its cell; frames come in order.
    pub fn add_root_ask(&mut self, frame: usize, ask: &RootAsk) {
        let mut cell = *ask;
        let number = frame / self.cell;
        self.cell_places.come(number);
        let place = self.cell_places.of(number);
        if !frame.is_multiple_of(self.cell) {
            let before = self.cells.at(place);
            cell.pull += before.pull;
            cell.counts += before.counts;
            cell.free += before.free;
        }
        if ask.pull != Vec3::ZERO {
            self.last_pull = number;
        }
        self.cells.set(place, cell);
    }

    /// What these cells ask of the root, in order.
    pub fn root_asks(&self, cells: Range<usize>) -> &[RootAsk] {
        self.cells.range(self.cell_places.of(cells.start), cells.len())
    }

    /// How far these frames' roots are from where the legs reach, in order.
    pub fn shorts(&self, frames: Range<usize>) -> &[Vec3] {
        self.shorts.range(self.places.of(frames.start), frames.len())
    }

    pub fn set_short(&mut self, frame: usize, short: Vec3) {
        if short != Vec3::ZERO {
            self.last_short = frame;
        }
        // Once the ring has gone round since then, there is nothing left in it to be overwritten.
        if self.last_short + self.places.count() >= frame {
            self.shorts.set(self.places.of(frame), short);
        }
    }

    /// The changes of bend and the twists asked of a leg in these frames, in order.
    pub fn bends(&self, leg: usize, frames: Range<usize>) -> &[[f64; 2]] {
        self.bends[leg].range(self.places.of(frames.start), frames.len())
    }

    pub fn set_bend(&mut self, frame: usize, leg: usize, bend: [f64; 2]) {
        self.bends[leg].set(self.places.of(frame), bend);
    }

    /// How far the one point of a foot that is held in these frames is from its spot, in order.
    pub fn offs(&self, leg: usize, frames: Range<usize>) -> &[Vec3] {
        self.offs[leg].range(self.places.of(frames.start), frames.len())
    }

    pub fn set_off(&mut self, frame: usize, leg: usize, off: Vec3) {
        // A window that holds only legs has no need of them.
        if let Some(offs) = self.offs.get_mut(leg) {
            offs.set(self.places.of(frame), off);
        }
    }

    /// How high heel and ball of a foot are over the floor in these frames as captured, in order.
    pub fn heights(&self, leg: usize, frames: Range<usize>) -> &[[f64; 2]] {
        self.heights[leg].range(self.places.of(frames.start), frames.len())
    }

    pub fn set_heights(&mut self, frame: usize, leg: usize, heights: [f64; 2]) {
        if let Some(of_leg) = self.heights.get_mut(leg) {
            of_leg.set(self.places.of(frame), heights);
        }
    }

    /// One more frame has come in.
    pub fn come(&mut self) {
        self.pushed += 1;
        self.places.come(self.pushed);
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
    pub fn around(&self, phase: usize, frame: usize, reach: usize) -> Range<usize> {
        let above = if phase == 0 { self.pushed } else { self.done[phase - 1] };
        frame.saturating_sub(reach)..(frame + reach + 1).min(above)
    }
}
