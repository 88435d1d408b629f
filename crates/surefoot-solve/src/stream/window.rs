//! The frames around the one being solved.

use core::ops::Range;

use surefoot_core::{Pose, Vec3};
use wide::f64x2;

use crate::plants::{ActivePlant, ActivePlants};
use crate::setup::Setup;
use crate::stream::poses::{Out, Poses};
use crate::stream::ring::{Places, Ring};
use crate::stream::slots::{Doing, LegSlot, Plants, RootAsk, RootSlot, Spell, Stance};

const FREE: ActivePlants = ActivePlants { heel: None, ball: None };

/// The frames that some phase still needs, in a ring.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    /// The poses as captured.
    poses: Poses,
    /// Where the frames stand, here and in all lists.
    places: Places,
    /// The legs of every frame, one after the other; so with all that is by the leg.
    legs: Vec<LegSlot>,
    legs_each: usize,
    /// For how long each leg has been held or free. Apart, since all phases ask for it, of more frames than their own.
    spells: Vec<Spell>,
    /// Where heel and ball were said to stand, of the plants of which it was. Apart, since for most it is not.
    given: Vec<[Vec3; 2]>,
    /// The root of every frame.
    roots: Vec<RootSlot>,
    /// What each leg is doing.
    pub doing: Vec<Doing>,
    /// Phase 2: What a few frames together ask of the root. Apart from the slots, since all in a window
    /// are read for every frame; by the cell, since a frame at 120 a second tells little of its own.
    cells: Ring<RootAsk>,
    cell_places: Places,
    /// How many frames a cell has.
    cell: usize,
    /// The last frame that would like the root elsewhere; the first while there was none.
    pub last_pull: usize,
    /// The frame after the last whose root, smoothed, is not where the legs reach; 0 while there was none.
    last_short: usize,
    /// Phase 4: The change of bend and the twist that each leg is asked for, likewise; leg by leg.
    bends: Ring<f64x2>,
    /// Phase 1: How far the one point that is held is from its spot, likewise.
    offs: Ring<Vec3>,
    /// Phase 1: How high heel and ball are over the floor as captured, likewise.
    heights: Ring<[f64; 2]>,
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
            poses: Poses::new(setup, count),
            places: Places::new(count, 0),
            legs: vec![LegSlot::default(); count * legs],
            legs_each: legs,
            spells: vec![Spell::default(); count * legs],
            given: vec![[Vec3::ZERO; 2]; count * legs],
            roots: vec![RootSlot::default(); count],
            doing: vec![Doing::default(); legs],
            cells: Ring::new(1, cells, setup.root_weights[0].len()),
            cell_places: Places::new(cells, 0),
            cell: setup.cell,
            last_pull: 0,
            last_short: 0,
            bends: Ring::new(legs, count, frames.knee.around()),
            offs: Ring::new(legs, count, frames.steady.around()),
            heights: Ring::new(legs, count, frames.blend.around()),
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
            poses: Poses::new(setup, 0),
            places: Places::new(count, 0),
            legs: vec![LegSlot::default(); count * legs],
            legs_each: legs,
            spells: vec![Spell::default(); count * legs],
            given: vec![[Vec3::ZERO; 2]; count * legs],
            roots: vec![RootSlot::default(); count],
            doing: Vec::new(),
            cells: Ring::new(0, 0, 0),
            cell_places: Places::new(0, 0),
            cell: setup.cell,
            last_pull: 0,
            last_short: 0,
            bends: Ring::new(0, 0, 0),
            offs: Ring::new(0, 0, 0),
            heights: Ring::new(0, 0, 0),
            pushed: frames,
            ended: true,
            done: [0; 7],
        }
    }

    /// Forgets everything; the next frame to be pushed is `frame`, as if all before it were free.
    pub fn restart(&mut self, frame: usize) {
        self.legs.fill(LegSlot::default());
        self.spells.fill(Spell::default());
        self.roots.fill(RootSlot::default());
        self.doing.fill(Doing::from(frame));
        self.last_short = 0;
        self.last_pull = 0;
        self.places = Places::new(self.places.count(), frame);
        self.cell_places = Places::new(self.cell_places.count(), frame / self.cell);
        self.pushed = frame;
        self.ended = false;
        self.done = [frame; 7];
    }

    /// Keeps the pose of a frame. `is_moved` says whether it has offsets of its own. Gives back whether its
    /// turns are finite.
    #[must_use]
    pub fn keep(&mut self, setup: &Setup, frame: usize, pose: &Pose, is_moved: bool) -> bool {
        self.poses.keep(setup, self.places.of(frame), pose, is_moved)
    }

    /// Reads from most of the lines that the next frame needs, so that they are near: all of the legs that come in, are
    /// aimed and go out, and of others where they stand.
    pub fn fetch(&self) -> f64 {
        let [settled, aimed, placed, _, asked, bent, out] = self.done;
        let whole = [self.pushed, aimed, out].into_iter().flat_map(|frame| self.legs(frame));
        let part = [settled, placed, asked, bent].into_iter().flat_map(|frame| self.legs(frame));
        let part = part.map(|leg| leg.plants.places[0].x + leg.stance.way.x + leg.added.x);
        whole.map(LegSlot::fetch).chain(part).sum::<f64>() + self.poses.fetch(self.places.of(self.pushed))
    }

    /// Makes room for poses that have offsets of their own.
    pub fn make_room(&mut self, setup: &Setup) {
        self.poses.make_room(setup);
    }

    pub fn root(&self, frame: usize) -> Option<Vec3> {
        self.roots[self.places.of(frame)].moved
    }

    pub fn set_root(&mut self, frame: usize, moved: Option<Vec3>) {
        let place = self.places.of(frame);
        self.roots[place].moved = moved;
    }

    /// The frames, from the last back to `start`, whose root, smoothed, is not where the legs reach, and how far it is.
    pub fn shorts(&self, start: usize) -> impl Iterator<Item = (usize, Vec3)> {
        let mut next = self.last_short;
        core::iter::from_fn(move || {
            let frame = next.checked_sub(1).filter(|frame| *frame >= start)?;
            let RootSlot { short, earlier, .. } = self.roots[self.places.of(frame)];
            next = earlier;
            Some((frame, short))
        })
    }

    /// Where smoothing moves a frame's root, and how far that still is from where the legs reach.
    pub fn set_smoothed(&mut self, frame: usize, moved: Option<Vec3>, short: Vec3) {
        let place = self.places.of(frame);
        self.roots[place] = RootSlot { moved, short, earlier: self.last_short };
        if short != Vec3::ZERO {
            self.last_short = frame + 1;
        }
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

    pub fn legs_mut(&mut self, frame: usize) -> &mut [LegSlot] {
        let start = self.place(frame, 0);
        &mut self.legs[start..start + self.legs_each]
    }

    /// Keeps who is held at a frame, of whom it is not known yet where he stands; a leg that is not told of is free.
    /// Gives back the legs.
    pub fn hold(&mut self, frame: usize, held: &[ActivePlants]) -> &mut [LegSlot] {
        let start = self.place(frame, 0);
        let legs = &mut self.legs[start..start + self.legs_each];
        for (n, leg) in legs.iter_mut().enumerate() {
            let held = held.get(n).unwrap_or(&FREE);
            leg.plants.begin(held);
            if leg.plants.is_given() {
                let spot = |hold: Option<ActivePlant>| hold.and_then(|hold| hold.spot).unwrap_or_default();
                self.given[start + n] = held.points().map(spot);
            }
        }
        legs
    }

    /// Who is held, as was said.
    pub fn held(&self, frame: usize, leg: usize) -> ActivePlants {
        let place = self.place(frame, leg);
        self.legs[place].plants.held(&self.given[place])
    }

    /// For how long a leg has been held or free.
    pub fn spell(&self, frame: usize, leg: usize) -> Spell {
        self.spells[self.place(frame, leg)]
    }

    pub fn set_spell(&mut self, frame: usize, leg: usize, spell: Spell) {
        let place = self.place(frame, leg);
        self.spells[place] = spell;
    }

    pub fn is_held(&self, frame: usize, leg: usize) -> bool {
        self.spell(frame, leg).is_held()
    }

    /// How the legs of a frame that are held stand.
    pub fn held_legs(&self, frame: usize) -> impl Iterator<Item = &Stance> + Clone {
        let start = self.place(frame, 0);
        let spells = &self.spells[start..start + self.legs_each];
        self.legs(frame).iter().zip(spells).filter(|(_, spell)| spell.is_held()).map(|(leg, _)| &leg.stance)
    }

    pub fn stance(&self, frame: usize, leg: usize) -> &Stance {
        &self.leg(frame, leg).stance
    }

    pub fn stance_mut(&mut self, frame: usize, leg: usize) -> &mut Stance {
        &mut self.leg_mut(frame, leg).stance
    }

    /// Takes out the pose of a frame, as it was captured.
    pub fn take_out(&mut self, setup: &Setup, frame: usize, out: &mut Out) {
        self.poses.take_out(setup, self.places.of(frame), out);
    }

    /// Adds what a frame asks of the root to its cell; frames come in order.
    pub fn add_root_ask(&mut self, frame: usize, ask: &RootAsk) {
        let mut cell = *ask;
        let number = frame / self.cell;
        self.cell_places.come(number);
        let place = self.cell_places.of(number);
        if !frame.is_multiple_of(self.cell) {
            let before = self.cells.at(0, place);
            cell.add(&before, f64x2::ONE);
        }
        if !ask.is_still() {
            self.last_pull = frame;
        }
        self.cells.set(0, place, cell);
    }

    /// What these cells ask of the root, in order.
    pub fn root_asks(&self, cells: Range<usize>) -> &[RootAsk] {
        self.cells.range(0, self.cell_places.of(cells.start), cells.len())
    }

    /// The changes of bend and the twists asked of a leg in these frames, in order.
    pub fn bends(&self, leg: usize, frames: Range<usize>) -> &[f64x2] {
        self.bends.range(leg, self.places.of(frames.start), frames.len())
    }

    pub fn set_bend(&mut self, frame: usize, leg: usize, bend: f64x2) {
        self.bends.set(leg, self.places.of(frame), bend);
    }

    /// How far the one point of a foot that is held in these frames is from its spot, in order.
    pub fn offs(&self, leg: usize, frames: Range<usize>) -> &[Vec3] {
        self.offs.range(leg, self.places.of(frames.start), frames.len())
    }

    pub fn set_off(&mut self, frame: usize, leg: usize, off: Vec3) {
        // A window that holds only legs has no need of them.
        if !self.offs.is_empty() {
            self.offs.set(leg, self.places.of(frame), off);
        }
    }

    /// How high heel and ball of a foot are over the floor in these frames as captured, in order.
    pub fn heights(&self, leg: usize, frames: Range<usize>) -> &[[f64; 2]] {
        self.heights.range(leg, self.places.of(frames.start), frames.len())
    }

    pub fn set_heights(&mut self, frame: usize, leg: usize, heights: [f64; 2]) {
        if !self.heights.is_empty() {
            self.heights.set(leg, self.places.of(frame), heights);
        }
    }

    /// One more frame has come in.
    pub fn come(&mut self) {
        self.pushed += 1;
        self.places.come(self.pushed);
    }

    /// The frames within `reach` of `frame` that the phase above has done.
    pub fn around(&self, phase: usize, frame: usize, reach: usize) -> Range<usize> {
        let above = if phase == 0 { self.pushed } else { self.done[phase - 1] };
        frame.saturating_sub(reach)..(frame + reach + 1).min(above)
    }
}
