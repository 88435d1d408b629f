//! The frames inside the cleaner: those that some phase still needs, in rings of fixed size.

mod roots;

use core::ops::Range;

use surefoot_core::{JointId, Vec3};

use crate::foot_points::FootPoints;
use crate::kinematics::leg_fk::CapturedPose;
use crate::phases::fit::pelvis::{Tilt, TiltedPelvis};
use crate::phases::fit::{CellSolutions, least_squares::LeastSquares};
use crate::phases::resting_feet::frames_behind;
use crate::phases::{Phase, Progress};
use crate::plants::{ActivePlant, ActivePlants};
use crate::setup::Setup;
use crate::stream::plant_state::{ContactRun, PlantDetails, PlantState};
use crate::stream::poses::{ChainEnd, Output, Poses};
use crate::stream::ring::{Ring, RingIndex};
use crate::stream::slots::{LegGeometry, LegSlot, LegState, RootCorrection, RootSlot, Stance};
use crate::stream::travel::{Travel, travelled};

const FREE: ActivePlants = ActivePlants { heel: None, ball: None, toe: None };

/// The frames that some phase still needs.
///
/// Values that a filter reads for many frames at once are kept apart from the slots, so that a window of
/// them is one contiguous slice.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    /// The captured poses.
    poses: Poses,
    /// Ring index of each frame, the same in all rings of frames.
    index: RingIndex,
    /// The legs of every frame, one after the other.
    legs: Vec<LegSlot>,
    leg_count: usize,
    contact_runs: Vec<ContactRun>,
    /// Spots that the user gave. Apart from the slots, since most plants have none.
    given_spots: Vec<FootPoints<Vec3>>,
    /// Details of plants that have any. Empty until the first of them: most motions have none.
    details: Vec<PlantDetails>,
    roots: Vec<RootSlot>,
    /// The state that the phases keep of each leg.
    pub leg_states: Vec<LegState>,
    /// Phase 5: the requested root corrections, summed in cells of a few frames, since a single frame at
    /// 120 fps adds little.
    root_cells: Ring<RootCorrection>,
    root_cell_index: RingIndex,
    /// Number of frames in a cell.
    root_cell: usize,
    /// The last frame that requests a root correction; 0 while there is none.
    pub last_root_request: usize,
    /// One more than the last frame with a reach deficit; 0 while there is none.
    last_deficit: usize,
    /// One more than the last frame in which root or a foot is moved; 0 while there is none.
    pub last_moved: usize,
    /// Phase 6: how the pelvis can tilt, and how it does.
    tilts: Vec<Option<Tilt>>,
    tilted: Vec<Option<TiltedPelvis>>,
    /// Phase 6: the smoothed root corrections, before the fit.
    smoothed_roots: Ring<Vec3>,
    /// Phase 6: what the knees depend on, by leg.
    leg_geometry: Ring<LegGeometry>,
    /// Phase 6: the buffers of the least squares, and the solutions of the last two cells.
    pub least_squares: LeastSquares,
    pub solutions: CellSolutions,
    /// Path travelled by the captured feet; by leg.
    travel: Ring<Travel>,
    /// Phase 4: how far free feet must be lifted out of the floor, in metres; by leg.
    lifts: Ring<f64>,
    /// Phase 4: by how much toes must be rotated to bring their tips out of the floor, in radians; by leg.
    toe_angles: Ring<f64>,
    /// The first frame that was pushed since the start.
    first_frame: usize,
    /// Number of frames that have been pushed.
    pub pushed: usize,
    /// Whether the stream has ended: no more frames will be pushed.
    pub has_ended: bool,
    /// Number of frames that each phase has completed.
    pub progress: Progress,
}

impl Window {
    pub fn new(setup: &Setup) -> Self {
        let windows = &setup.windows;
        let behind = windows.longest() + setup.root_cell;
        let count = (setup.lookahead() + behind).max(windows.spots + frames_behind(setup.fps)) + 2;
        let cells = count / setup.root_cell + 2;
        let legs = setup.legs.len();
        Self {
            poses: Poses::new(setup, count),
            leg_states: vec![LegState::default(); legs],
            root_cells: Ring::new(1, cells, setup.root_weights[0].len()),
            root_cell_index: RingIndex::new(cells, 0),
            smoothed_roots: Ring::new(1, count, windows.knee.width()),
            leg_geometry: Ring::new(legs, count, windows.knee.width()),
            least_squares: LeastSquares::new(windows.knee.width(), legs),
            solutions: CellSolutions::new(setup.fit_cell),
            lifts: Ring::new(legs, count, windows.lift.width()),
            toe_angles: Ring::new(legs, count, windows.lift.width()),
            travel: Ring::new(legs, count, 0),
            pushed: 0,
            has_ended: false,
            ..Self::of_legs(setup, count)
        }
    }

    /// A window of the legs of all frames of a motion, without poses and filters: enough for phase 1.
    pub fn of_legs(setup: &Setup, frames: usize) -> Self {
        let count = frames.max(1);
        let legs = setup.legs.len();
        Self {
            poses: Poses::new(setup, 0),
            index: RingIndex::new(count, 0),
            legs: vec![LegSlot::default(); count * legs],
            leg_count: legs,
            contact_runs: vec![ContactRun::default(); count * legs],
            given_spots: vec![FootPoints::default(); count * legs],
            details: Vec::new(),
            roots: vec![RootSlot::default(); count],
            tilts: vec![None; count],
            tilted: vec![None; count],
            leg_states: Vec::new(),
            last_moved: 0,
            root_cells: Ring::new(0, 0, 0),
            root_cell_index: RingIndex::new(0, 0),
            root_cell: setup.root_cell,
            last_root_request: 0,
            last_deficit: 0,
            smoothed_roots: Ring::new(0, 0, 0),
            leg_geometry: Ring::new(0, 0, 0),
            least_squares: LeastSquares::default(),
            solutions: CellSolutions::default(),
            lifts: Ring::new(0, 0, 0),
            toe_angles: Ring::new(0, 0, 0),
            travel: Ring::new(0, 0, 0),
            first_frame: 0,
            pushed: frames,
            has_ended: true,
            progress: Progress::default(),
        }
    }

    /// Forgets all frames; the next to be pushed is `frame`, as if all legs had been free before it.
    pub fn restart(&mut self, frame: usize) {
        self.legs.fill(LegSlot::default());
        self.contact_runs.fill(ContactRun::default());
        self.roots.fill(RootSlot::default());
        self.tilts.fill(None);
        self.tilted.fill(None);
        self.leg_states.fill(LegState::before(frame));
        self.last_deficit = 0;
        self.last_root_request = 0;
        self.last_moved = 0;
        self.solutions.clear();
        self.index = RingIndex::new(self.index.count(), frame);
        self.root_cell_index = RingIndex::new(self.root_cell_index.count(), frame / self.root_cell);
        self.pushed = frame;
        self.first_frame = frame;
        self.has_ended = false;
        self.progress = Progress::all(frame);
    }

    /// Stores the pose of a frame. Returns whether its rotations are finite.
    #[must_use]
    pub fn store_pose(&mut self, setup: &Setup, frame: usize, pose: CapturedPose) -> bool {
        self.poses.store(setup, self.index.of(frame), pose)
    }

    /// Reads from most of the cache lines that the next push reads, so that they are cached: all lines of the legs in
    /// the frames that are pushed, get ankle targets (phase 2) and are written (phase 7), and one line of the legs in
    /// the frames that other phases read.
    ///
    /// Returns the sum of what it read, so that the compiler cannot remove the reads.
    pub fn prefetch(&self) -> f64 {
        let frame = |phase| self.progress[phase];
        let whole = [self.pushed, frame(Phase::Ankles), frame(Phase::Legs)];
        let part = [Phase::Spots, Phase::RootSmoothing, Phase::FitPreparation, Phase::Fit].map(frame);
        let whole = whole.into_iter().flat_map(|frame| self.legs(frame)).map(LegSlot::prefetch);
        let part = part
            .into_iter()
            .flat_map(|frame| self.legs(frame))
            .map(|leg| leg.plants.spots.heel.x + leg.stance.hip_to_target.x + leg.rotation_correction.x);
        whole.chain(part).sum::<f64>() + self.poses.prefetch(self.index.of(self.pushed))
    }

    /// Allocates room for poses that have their own offsets.
    pub fn reserve_offsets(&mut self, setup: &Setup) {
        self.poses.reserve_offsets(setup);
    }

    /// The captured position of a joint, in world space; `above` are the joints above it, from the root on.
    pub fn joint_position(&self, setup: &Setup, frame: usize, above: &[JointId], joint: JointId) -> Vec3 {
        self.poses.joint_position(setup, self.index.of(frame), above, joint)
    }

    /// Index of a leg in the lists that have an entry for every frame and leg.
    fn leg_index(&self, frame: usize, leg: usize) -> usize {
        self.index.of(frame) * self.leg_count + leg
    }

    pub fn leg(&self, frame: usize, leg: usize) -> &LegSlot {
        &self.legs[self.leg_index(frame, leg)]
    }

    pub fn leg_mut(&mut self, frame: usize, leg: usize) -> &mut LegSlot {
        let index = self.leg_index(frame, leg);
        &mut self.legs[index]
    }

    pub fn plants(&self, frame: usize, leg: usize) -> &PlantState {
        &self.leg(frame, leg).plants
    }

    pub fn plants_mut(&mut self, frame: usize, leg: usize) -> &mut PlantState {
        &mut self.leg_mut(frame, leg).plants
    }

    /// The legs of a frame.
    pub fn legs(&self, frame: usize) -> &[LegSlot] {
        let start = self.leg_index(frame, 0);
        &self.legs[start..start + self.leg_count]
    }

    pub fn legs_mut(&mut self, frame: usize) -> &mut [LegSlot] {
        let start = self.leg_index(frame, 0);
        &mut self.legs[start..start + self.leg_count]
    }

    /// Sets the plants of a frame; legs beyond the end of `plants` are free. Returns the legs.
    pub fn set_plants(&mut self, frame: usize, plants: &[ActivePlants]) -> &mut [LegSlot] {
        let start = self.leg_index(frame, 0);
        let legs = &mut self.legs[start..start + self.leg_count];
        for (n, leg) in legs.iter_mut().enumerate() {
            let plants = plants.get(n).unwrap_or(&FREE);
            leg.plants.begin(plants);
            if leg.plants.has_given_spots() {
                let spot = |plant: Option<ActivePlant>| plant.and_then(|plant| plant.spot);
                self.given_spots[start + n] = plants.points().map(|plant| spot(plant).unwrap_or_default());
            }
            if leg.plants.has_details() {
                self.details.resize(self.given_spots.len(), PlantDetails::default());
                self.details[start + n] = PlantDetails::of(plants);
            }
        }
        legs
    }

    /// The plants of a leg as they were pushed.
    pub fn active_plants(&self, frame: usize, leg: usize) -> ActivePlants {
        let index = self.leg_index(frame, leg);
        self.legs[index].plants.active(&self.given_spots[index], self.details(frame, leg))
    }

    /// The details of a leg's plants; `None` for plants that only hold heel and ball in place.
    pub fn details(&self, frame: usize, leg: usize) -> Option<&PlantDetails> {
        let index = self.leg_index(frame, leg);
        self.legs[index].plants.has_details().then(|| &self.details[index])
    }

    /// Sets the details of a leg's plants.
    pub fn set_details(&mut self, frame: usize, leg: usize, details: PlantDetails) {
        let index = self.leg_index(frame, leg);
        self.details.resize(self.given_spots.len(), PlantDetails::default());
        self.details[index] = details;
    }

    pub fn contact_run(&self, frame: usize, leg: usize) -> ContactRun {
        self.contact_runs[self.leg_index(frame, leg)]
    }

    pub fn set_contact_run(&mut self, frame: usize, leg: usize, run: ContactRun) {
        let index = self.leg_index(frame, leg);
        self.contact_runs[index] = run;
    }

    pub fn is_planted(&self, frame: usize, leg: usize) -> bool {
        self.contact_run(frame, leg).is_planted()
    }

    /// The planted legs of a frame.
    pub fn stances(&self, frame: usize) -> impl Iterator<Item = &Stance> + Clone {
        let start = self.leg_index(frame, 0);
        let runs = &self.contact_runs[start..start + self.leg_count];
        self.legs(frame).iter().zip(runs).filter(|(_, run)| run.is_planted()).map(|(leg, _)| &leg.stance)
    }

    pub fn stance_mut(&mut self, frame: usize, leg: usize) -> &mut Stance {
        &mut self.leg_mut(frame, leg).stance
    }

    /// Moves the captured pose of a frame to the output.
    pub fn take_pose(&mut self, setup: &Setup, frame: usize, output: &mut Output) {
        self.poses.take(setup, self.index.of(frame), output);
    }

    /// How the knee of a leg depends on root and roll in these frames, in order.
    pub fn leg_geometry(&self, leg: usize, frames: Range<usize>) -> &[LegGeometry] {
        self.leg_geometry.slice(leg, self.index.of(frames.start), frames.len())
    }

    pub fn set_leg_geometry(&mut self, frame: usize, leg: usize, model: LegGeometry) {
        self.leg_geometry.set(leg, self.index.of(frame), model);
    }

    /// How far a free foot must be lifted in these frames, in order.
    pub fn lifts(&self, leg: usize, frames: Range<usize>) -> &[f64] {
        self.lifts.slice(leg, self.index.of(frames.start), frames.len())
    }

    /// The path that a captured foot has travelled up to a frame.
    pub fn travel(&self, leg: usize, frame: usize) -> Travel {
        self.travel.at(leg, self.index.of(frame))
    }

    /// The first frame since the start.
    pub fn earliest(&self) -> usize {
        self.first_frame
    }

    /// The frame before this one; `None` for the first frame since the start.
    pub fn frame_before(&self, frame: usize) -> Option<usize> {
        frame.checked_sub(1).filter(|_| frame > self.first_frame)
    }

    /// Adds the path that the feet travel from the frame before to this one.
    pub fn record_travel(&mut self, setup: &Setup, frame: usize) {
        for leg in 0..self.leg_count {
            let travelled = match self.frame_before(frame) {
                Some(before) => {
                    let (from, to) = (&self.leg(before, leg).captured, &self.leg(frame, leg).captured);
                    self.travel(leg, before).plus(travelled(from, to, setup.fps))
                }
                None => Travel::default(),
            };
            self.travel.set(leg, self.index.of(frame), travelled);
        }
    }

    pub fn set_lift(&mut self, frame: usize, leg: usize, lift: f64) {
        self.lifts.set(leg, self.index.of(frame), lift);
    }

    /// By how much toes must be rotated to bring their tip out of the floor in these frames, in order, in radians.
    pub fn toe_angles(&self, leg: usize, frames: Range<usize>) -> &[f64] {
        self.toe_angles.slice(leg, self.index.of(frames.start), frames.len())
    }

    /// Stores by how much toes must be rotated.
    pub fn set_toe_angle(&mut self, frame: usize, leg: usize, angle: f64) {
        self.toe_angles.set(leg, self.index.of(frame), angle);
        if angle != 0.0 {
            self.leg_states[leg].last_sunk_toe = frame + 1;
        }
    }

    /// The captured end of a chain below the ankle, relative to the ankle.
    pub fn chain_end(&self, setup: &Setup, frame: usize, chain: &[JointId]) -> ChainEnd {
        self.poses.chain_end(setup, self.index.of(frame), chain)
    }

    /// Completes the push of a frame.
    pub fn advance(&mut self) {
        self.pushed += 1;
        self.index.advance(self.pushed);
    }

    /// Number of frames that the phase before `phase` has completed.
    #[inline(always)]
    pub fn available(&self, phase: Phase) -> usize {
        phase.previous().map_or(self.pushed, |previous| self.progress[previous])
    }

    /// The frames within `distance` of `frame` that are available to a phase.
    #[inline(always)]
    pub fn around(&self, phase: Phase, frame: usize, distance: usize) -> Range<usize> {
        frame.saturating_sub(distance)..(frame + distance + 1).min(self.available(phase))
    }
}
