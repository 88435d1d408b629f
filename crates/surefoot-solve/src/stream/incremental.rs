//! Cleans a motion again and again while its plants are edited.
//!
//! Phase 1 runs on all frames after every edit: it is cheap, and an edit shows as frames whose spots differ from
//! before. The other phases look at bounded windows, so only frames within reach of such a frame can change, and only
//! those are solved again. Frames outside the changed range keep their cached result, which is bit-identical to that
//! of a complete run.

use surefoot_core::{Clip, Floor, Footplants, FrameRange, Motion, Pose, Vec3};

use crate::foot_points::FootPoints;
use crate::kinematics::leg_fk::{CapturedPose, forward_kinematics};
use crate::phases::{self, Phase, spots};
use crate::plants::{ActivePlants, active_plants};
use crate::report::Report;
use crate::report::cost::{CorrectionCost, LegOutput, add_legs, report};
use crate::rigid_foot::RigidFeet;
use crate::settings::Settings;
use crate::setup::{Setup, SetupError, leg_shapes};
use crate::stream::frame_windows::Windows;
use crate::stream::poses::Output;
use crate::stream::slots::{LegCost, LegSlot};
use crate::stream::window::Window;
use crate::validation;

/// A motion and its clean counterpart, for plants that change.
#[derive(Clone, Debug)]
pub struct IncrementalCleaner {
    floor: Option<Floor>,
    before: Motion,
    after: Motion,
    plants: Footplants,
    feet: RigidFeet,
    /// The captured poses with rigid planted feet; empty where no foot has joints between ankle and ball.
    rigid: Vec<Pose>,
    /// The setup of phase 1, which runs on all frames at once.
    spot_setup: Setup,
    /// The setup of the other phases: without a spot window, since all spots are known.
    setup: Setup,
    /// The legs and the root of every frame.
    all: Window,
    /// What the correction of every frame and leg cost.
    costs: Vec<LegCost>,
    /// The frames around the one that is being solved.
    window: Window,
    output: Output,
}

/// The bits of a spot.
type SpotBits = Option<[u64; 3]>;

/// The part of one leg's plants at one frame that the later phases and the report depend on.
#[derive(Clone, Copy, PartialEq)]
struct SpotKey {
    spots: FootPoints<SpotBits>,
    given_spots: FootPoints<SpotBits>,
    stands_on_toe: bool,
    toe_spot: SpotBits,
}

impl IncrementalCleaner {
    /// A cleaner of a motion without plants.
    ///
    /// The clip must be a performance at rest: see [`Clip::performance`] and [`Clip::relative_to_ground`].
    pub fn new(clip: Clip, settings: &Settings) -> Result<Self, SetupError> {
        let shapes = leg_shapes(&clip)?;
        let spot_setup = Setup::for_phases(&clip, &shapes, clip.motion.frames(), settings)?;
        let setup = Setup { windows: Windows { spots: 0, ..spot_setup.windows }, ..spot_setup.clone() };
        let feet = RigidFeet::new(&clip.motion.skeleton, &clip.legs, clip.motion.fps, settings);
        let Clip { motion, floor, .. } = clip;
        let mut all = Window::of_legs(&setup, motion.frames());
        for (frame, pose) in motion.poses.iter().enumerate() {
            forward_kinematics(all.legs_mut(frame), &setup, CapturedPose { pose, has_own_offsets: true });
        }
        Ok(Self {
            floor,
            costs: vec![LegCost::default(); motion.frames() * setup.legs.len()],
            rigid: if feet.is_empty() { Vec::new() } else { motion.poses.clone() },
            feet,
            after: motion.clone(),
            before: motion,
            all,
            window: Window::new(&setup),
            output: Output::new(&setup),
            spot_setup,
            setup,
            plants: Footplants::default(),
        })
    }

    /// The captured motion.
    pub fn before(&self) -> &Motion {
        &self.before
    }

    /// The clean motion.
    pub fn after(&self) -> &Motion {
        &self.after
    }

    /// The current plants.
    pub fn plants(&self) -> &Footplants {
        &self.plants
    }

    /// The report of the current plants: the same as that of [`clean`](crate::clean).
    pub fn report(&self) -> Report {
        let mut costs = vec![CorrectionCost::default(); self.plants.plants.len()];
        let legs = self.setup.legs.len();
        for frame in 0..self.before.frames() {
            let leg_output =
                |leg: usize| LegOutput::new(&self.all, frame, leg, self.costs[frame * legs + leg]);
            add_legs((0..legs).map(leg_output), &mut costs);
        }
        report(&self.plants, &costs, self.floor.as_ref())
    }

    /// Cleans the motion for other plants. Returns the ranges of frames that were solved again.
    ///
    /// A spot that is not finite is rejected, and nothing changes.
    pub fn clean(&mut self, plants: &Footplants) -> Result<Vec<FrameRange>, SetupError> {
        let (frames, legs) = (self.before.frames(), self.setup.legs.len());
        let active = active_plants(frames, legs, plants);
        for frame in 0..frames {
            validation::check_spots(&active[frame * legs..(frame + 1) * legs], frame)?;
        }
        let ranges = self.place_spots(&active);
        self.plants = plants.clone();
        ranges.iter().for_each(|range| self.solve(range.clone()));
        Ok(ranges)
    }

    /// Runs phase 1 on all frames. Returns the ranges of frames that may change.
    fn place_spots(&mut self, active: &[ActivePlants]) -> Vec<FrameRange> {
        let (frames, legs) = (self.before.frames(), self.setup.legs.len());
        let keys = |all: &Window, frame: usize| -> Vec<SpotKey> {
            (0..legs).map(|leg| spot_key(all, frame, leg)).collect()
        };
        let before: Vec<SpotKey> = (0..frames).flat_map(|frame| keys(&self.all, frame)).collect();
        for frame in 0..frames {
            self.all.set_plants(frame, &active[frame * legs..(frame + 1) * legs]);
        }
        let changed_feet = self.make_feet_rigid(active);
        let mut ranges: Vec<FrameRange> = Vec::new();
        let (influence, warm_up) = (self.influence(), self.warm_up());
        for frame in 0..frames {
            spots::place(&mut self.all, &self.spot_setup, frame);
            let has_same_feet = changed_feet.binary_search(&frame).is_err();
            if has_same_feet && keys(&self.all, frame) == before[frame * legs..(frame + 1) * legs] {
                continue;
            }
            let (start, end) = (frame.saturating_sub(influence), (frame + influence + 1).min(frames));
            match ranges.last_mut() {
                // Two ranges closer than a warm-up are cheaper to solve as one.
                Some(range) if start <= range.end + warm_up => range.end = end,
                _ => ranges.push(start..end),
            }
        }
        ranges
    }

    /// Computes the poses with rigid planted feet. Returns the frames in which they differ from before, in order.
    fn make_feet_rigid(&mut self, active: &[ActivePlants]) -> Vec<usize> {
        let (mut changed, legs) = (Vec::new(), self.setup.legs.len());
        self.feet.restart();
        for (frame, rigid) in self.rigid.iter_mut().enumerate() {
            let plants = &active[frame * legs..(frame + 1) * legs];
            let pose = self.feet.apply(&self.before.poses[frame], plants);
            if pose != rigid {
                rigid.copy_from(pose);
                let captured = CapturedPose { pose, has_own_offsets: true };
                forward_kinematics(self.all.legs_mut(frame), &self.setup, captured);
                changed.push(frame);
            }
        }
        changed
    }

    /// Largest distance, in frames, at which a plant can change a frame: the windows of all phases.
    fn influence(&self) -> usize {
        let windows = self.setup.windows.on_either_side();
        // A root cell that touches the window counts whole.
        windows
            .iter()
            .fold(2 * self.setup.root_cell + 2 * self.setup.fit_cell, |sum, window| sum + window.frames + 1)
    }

    /// Number of frames by which the stream starts before a range, so that the state of the phases is correct there.
    fn warm_up(&self) -> usize {
        self.influence() + self.setup.fit_cell
    }

    /// Runs phases 2 to 7 on a range of frames.
    fn solve(&mut self, range: FrameRange) {
        let start = range.start.saturating_sub(self.warm_up());
        let start = start - start % self.setup.fit_cell;
        self.window.restart(start);
        for frame in start..self.before.frames() {
            self.push(frame);
            self.advance(&range);
            if self.window.progress[Phase::LAST] >= range.end {
                break;
            }
        }
        self.window.has_ended = true;
        while self.window.progress[Phase::LAST] < range.end {
            self.advance(&range);
        }
    }

    fn push(&mut self, frame: usize) {
        let pose = self.rigid.get(frame).unwrap_or(&self.before.poses[frame]);
        let has_own_offsets = validation::has_own_offsets(pose, &self.setup);
        // The poses were checked when the cleaner was made.
        let _is_finite = self.window.store_pose(&self.setup, frame, CapturedPose { pose, has_own_offsets });
        self.window.set_root_correction(frame, None);
        for leg in 0..self.setup.legs.len() {
            let LegSlot { captured, plants, .. } = *self.all.leg(frame, leg);
            *self.window.leg_mut(frame, leg) = LegSlot { captured, plants, ..LegSlot::default() };
            if let Some(details) = self.all.details(frame, leg) {
                self.window.set_details(frame, leg, *details);
            }
        }
        self.window.record_travel(&self.setup, frame);
        self.window.advance();
    }

    /// Advances the stream by one frame and stores the frame that comes out, if it is in the range.
    fn advance(&mut self, range: &FrameRange) {
        let frame = phases::advance(&mut self.window, &mut self.output, &self.setup, |_, _, _| {});
        let Some(frame) = frame.filter(|frame| range.contains(frame)) else { return };
        self.after.poses[frame].copy_from(&self.output.pose);
        self.all.set_root_correction(frame, self.window.root_correction(frame));
        for leg in 0..self.setup.legs.len() {
            *self.all.leg_mut(frame, leg) = *self.window.leg(frame, leg);
            self.costs[frame * self.setup.legs.len() + leg] = self.output.cost(leg);
        }
    }
}

fn spot_key(all: &Window, frame: usize, leg: usize) -> SpotKey {
    let bits = |spot: Option<Vec3>| spot.map(|spot| spot.to_array().map(f64::to_bits));
    let given = all.active_plants(frame, leg).points().map(|plant| plant.and_then(|plant| plant.spot));
    let plants = all.plants(frame, leg);
    let toe_spot = all.details(frame, leg).filter(|details| details.toe.is_some());
    SpotKey {
        spots: plants.planted_spots().map(bits),
        given_spots: given.map(bits),
        stands_on_toe: plants.stands_on_toe(),
        toe_spot: bits(toe_spot.map(|details| details.toe_spot)),
    }
}
