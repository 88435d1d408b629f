//! The cleaner: a stream of captured poses in, clean poses out.

use std::sync::Arc;

use surefoot_core::{Clip, Footplants, Pose};

use crate::kinematics::leg_fk::{CapturedPose, forward_kinematics};
use crate::phases::{self, Phase};
use crate::plants::{ActivePlants, active_plants};
use crate::report::Report;
use crate::report::cost::{CorrectionCost, LegOutput, add_output, report};
use crate::rigid_foot::RigidFeet;
use crate::settings::Settings;
use crate::setup::{LegShape, Setup, SetupError, leg_shapes};
use crate::stream::poses::Output;
use crate::stream::window::Window;
use crate::validation::{self, PoseError};

/// Takes one captured pose at a time and returns clean poses, [`lookahead`](Self::lookahead) frames later.
///
/// Nothing is allocated per frame, with one exception: the first pose whose bone offsets differ from those of the
/// skeleton, if no pose of the clip has such offsets. For a crowd, clone one cleaner for every character with the same
/// body: clones share the setup.
#[derive(Clone, Debug)]
pub struct Cleaner {
    /// Shared by the clones of a cleaner.
    setup: Arc<Setup>,
    feet: RigidFeet,
    window: Window,
    output: Output,
}

impl Cleaner {
    /// A cleaner for the body of a clip. The clip's poses show which way the knees bend; a few are enough.
    ///
    /// `longest_plant` is needed if the settings average spots over whole plants, as the default settings do: it is the
    /// length in frames of the longest plant that will be pushed. [`Settings::live`] ignores it.
    pub fn new(clip: &Clip, longest_plant: usize, settings: &Settings) -> Result<Self, SetupError> {
        let mut cleaner = Self::with_shapes(clip, &leg_shapes(clip)?, longest_plant, settings)?;
        if clip.performance_poses().iter().any(|pose| validation::has_own_offsets(pose, &cleaner.setup)) {
            cleaner.window.reserve_offsets(&cleaner.setup);
        }
        Ok(cleaner)
    }

    /// A cleaner for legs whose shapes are known, one for each leg: a live stream has no poses beforehand.
    pub fn with_shapes(
        clip: &Clip,
        shapes: &[LegShape],
        longest_plant: usize,
        settings: &Settings,
    ) -> Result<Self, SetupError> {
        let setup = Arc::new(Setup::for_phases(clip, shapes, longest_plant, settings)?);
        let (window, output) = (Window::new(&setup), Output::new(&setup));
        let feet = RigidFeet::new(&clip.motion.skeleton, &clip.legs, clip.motion.fps, settings);
        Ok(Self { setup, feet, window, output })
    }

    /// The latency: the number of frames between a pose and its clean counterpart.
    pub fn lookahead(&self) -> usize {
        self.setup.lookahead()
    }

    /// Pushes a captured pose and the plants of each leg; legs beyond the end of `plants` are free. Returns a clean
    /// pose once the first has passed all phases.
    ///
    /// A pose that is rejected is not pushed: the next one takes its place.
    pub fn push(&mut self, pose: &Pose, plants: &[ActivePlants]) -> Result<Option<&Pose>, PoseError> {
        let (frame, setup) = (self.window.pushed, &*self.setup);
        let has_own_offsets = validation::check_offsets(pose, frame, setup)?;
        validation::check_spots(plants, frame)?;
        let pose = self.feet.apply(pose, plants);
        let captured = CapturedPose { pose, has_own_offsets };
        if !self.window.store_pose(setup, frame, captured) {
            validation::check_pose(pose, frame, pose.rotations.len())?;
        }
        forward_kinematics(self.window.set_plants(frame, plants), setup, captured);
        self.window.record_travel(setup, frame);
        self.window.advance();
        let frame = phases::advance(&mut self.window, &mut self.output, setup, phases::spots::place);
        Ok(frame.map(|_| &self.output.pose))
    }

    /// Loads the cache lines that the next [`push`](Self::push) reads. Changes nothing.
    ///
    /// If thousands of cleaners take turns, the memory of the next one is not cached, and its push waits for one cache
    /// miss after the other. This function loads all lines at once, so that prefetch and push together take a tenth
    /// less time. A cleaner that runs alone gains nothing.
    pub fn prefetch(&self) {
        core::hint::black_box(self.window.prefetch());
    }

    /// Ends the stream: returns one of the remaining poses on each call, then `None`.
    pub fn finish(&mut self) -> Option<&Pose> {
        self.window.has_ended = true;
        phases::advance(&mut self.window, &mut self.output, &self.setup, phases::spots::place)?;
        Some(&self.output.pose)
    }

    /// The frame that was returned last.
    pub fn output(&self) -> Option<OutputFrame<'_>> {
        let frame = self.output_frame()?;
        Some(OutputFrame { frame, pose: &self.output.pose, cleaner: self })
    }

    fn output_frame(&self) -> Option<usize> {
        self.window.progress[Phase::LAST].checked_sub(1)
    }

    /// The legs of the frame that was returned last, and its number.
    pub(crate) fn output_legs(&self) -> Option<(usize, impl Iterator<Item = LegOutput<'_>>)> {
        let (frame, window) = (self.output_frame()?, &self.window);
        let leg_output = move |leg: usize| LegOutput::new(window, frame, leg, self.output.cost(leg));
        Some((frame, (0..self.setup.legs.len()).map(leg_output)))
    }
}

/// A frame that a [`Cleaner`] returned.
#[derive(Clone, Copy, Debug)]
pub struct OutputFrame<'a> {
    /// The number of the frame, counted from the first pushed frame.
    pub frame: usize,
    /// The clean pose.
    pub pose: &'a Pose,
    cleaner: &'a Cleaner,
}

impl<'a> OutputFrame<'a> {
    /// The plants of each leg, as they were pushed.
    pub fn active_plants(&self) -> impl ExactSizeIterator<Item = ActivePlants> + use<'a> {
        let Self { frame, cleaner, .. } = *self;
        (0..cleaner.setup.legs.len()).map(move |leg| cleaner.window.active_plants(frame, leg))
    }
}

/// Streams the performance of a clip at rest through a [`Cleaner`]: the clean poses and what each plant cost.
///
/// Plants count from the first frame of the performance. A plant of a leg that does not exist, or of frames
/// after the end of the motion, holds nothing there, and a note reports it.
pub(crate) fn clean_performance(
    clip: &Clip,
    plants: &Footplants,
    settings: &Settings,
) -> Result<(Vec<Pose>, Report), SetupError> {
    let (before, legs) = (clip.performance_poses(), clip.legs.len());
    let lengths = plants.plants.iter().map(|plant| plant.frames.len().min(before.len()));
    let mut cleaner = Cleaner::new(clip, lengths.max().unwrap_or(0), settings)?;
    let active = active_plants(before.len(), legs, plants);
    let mut poses = Vec::with_capacity(before.len());
    let mut costs = vec![CorrectionCost::default(); plants.plants.len()];
    for (frame, pose) in before.iter().enumerate() {
        let clean = cleaner.push(pose, &active[frame * legs..(frame + 1) * legs])?.cloned();
        poses.extend(clean.inspect(|_| add_output(&cleaner, &mut costs)));
    }
    while let Some(pose) = cleaner.finish().cloned() {
        add_output(&cleaner, &mut costs);
        poses.push(pose);
    }
    Ok((poses, report(plants, &costs, clip.floor.as_ref())))
}
