//! The cleaner: a stream of poses in, clean poses out; and the same from memory.

use std::sync::Arc;

use surefoot_core::{Clip, Footplants, Pose, Vec3};

use crate::phases;
use crate::plants::{ActivePlants, active_plants};
use crate::report::Report;
use crate::report::cost::{Taken, Took, gather, report};
use crate::settings::Settings;
use crate::setup::{LegShape, Setup, SetupError, leg_shapes};
use crate::stream::poses::Out;
use crate::stream::window::Window;
use crate::validation::{self, PoseError};

/// Takes a pose at a time and gives clean ones back, [`lookahead`](Self::lookahead) frames later.
///
/// Nothing is allocated after it is made; only for a pose whose joints, other than the root, are not where
/// the skeleton has them is room made once, when the first one comes that no pose had foretold. A crowd is
/// a slice of these: a fresh one, cloned for every character with the same body, shares what is fixed.
#[derive(Clone, Debug)]
pub struct Cleaner {
    /// Shared by the clones of a cleaner.
    setup: Arc<Setup>,
    window: Window,
    out: Out,
}

impl Cleaner {
    /// A cleaner for the body of a clip. The clip's poses show which way the knees bend; a few are enough.
    ///
    /// No plant may be longer than `longest_plant` frames if the settings average spots over whole plants.
    pub fn new(clip: &Clip, longest_plant: usize, settings: &Settings) -> Result<Self, SetupError> {
        let mut cleaner = Self::with_shapes(clip, &leg_shapes(clip)?, longest_plant, settings)?;
        if clip.performance_poses().iter().any(|pose| validation::has_own_offsets(pose, &cleaner.setup)) {
            cleaner.window.make_room(&cleaner.setup);
        }
        Ok(cleaner)
    }

    /// The same for legs whose shape is known, one for each leg: what a live stream has in place of
    /// poses.
    pub fn with_shapes(
        clip: &Clip,
        shapes: &[LegShape],
        longest_plant: usize,
        settings: &Settings,
    ) -> Result<Self, SetupError> {
        let setup = Arc::new(Setup::new(clip, shapes, longest_plant, settings)?);
        let (window, out) = (Window::new(&setup), Out::new(&setup));
        Ok(Self { setup, window, out })
    }

    /// How many frames late a clean pose comes out.
    pub fn lookahead(&self) -> usize {
        self.setup.lookahead()
    }

    /// Takes one pose and who is held at it, a `Held` per leg; a leg without one is free. Gives
    /// back a clean pose when the first has gone all the way.
    ///
    /// A pose that is refused is not taken: the next one comes in its place.
    pub fn push(&mut self, pose: &Pose, held: &[ActivePlants]) -> Result<Option<&Pose>, PoseError> {
        let frame = self.window.pushed;
        let is_moved = validation::check_offsets(pose, frame, &self.setup)?;
        validation::check_spots(held, frame)?;
        if !self.window.keep(&self.setup, frame, pose, is_moved) {
            validation::check_pose(pose, frame, pose.rotations.len())?;
        }
        crate::kinematics::leg_fk::see(&mut self.window, &self.setup, frame, (pose, is_moved), held);
        self.window.come();
        Ok(self.advance())
    }

    /// Brings near the memory that the next [`push`](Self::push) needs. Changes nothing.
    ///
    /// Where thousands of cleaners take turns, none of it is near, and a push waits for one part after the other; this
    /// waits for all of them at once. Then the two together take a tenth less time; a cleaner that works alone has it
    /// near already.
    pub fn prefetch(&self) {
        core::hint::black_box(self.window.fetch());
    }

    /// Gives back the poses still inside, one a call.
    pub fn finish(&mut self) -> Option<&Pose> {
        self.window.ended = true;
        self.advance()
    }

    fn advance(&mut self) -> Option<&Pose> {
        phases::advance(&mut self.window, &mut self.out, &self.setup, phases::spots::settle)?;
        Some(&self.out.pose)
    }

    /// The frame that came out last.
    pub fn output(&self) -> Option<OutputFrame<'_>> {
        let frame = self.last_frame()?;
        Some(OutputFrame { frame, pose: &self.out.pose, cleaner: self })
    }

    fn last_frame(&self) -> Option<usize> {
        self.window.done[6].checked_sub(1)
    }

    /// What the frame that came out last took of each leg.
    pub(crate) fn took(&self) -> Option<(usize, impl Iterator<Item = Took<'_>>)> {
        let (frame, window) = (self.last_frame()?, &self.window);
        let took = move |leg: usize| Took {
            slot: window.leg(frame, leg),
            held: window.held(frame, leg),
            root: window.root(frame).unwrap_or(Vec3::ZERO),
            paid: window.doing[leg].paid,
        };
        Some((frame, (0..self.setup.legs.len()).map(took)))
    }
}

/// A frame that came out of a [`Cleaner`].
#[derive(Clone, Copy, Debug)]
pub struct OutputFrame<'a> {
    /// Which frame: its place among those pushed.
    pub frame: usize,
    /// The clean pose.
    pub pose: &'a Pose,
    cleaner: &'a Cleaner,
}

impl<'a> OutputFrame<'a> {
    /// Who is held at it, leg by leg, as was said when it was pushed.
    pub fn active_plants(&self) -> impl ExactSizeIterator<Item = ActivePlants> + use<'a> {
        let Self { frame, cleaner, .. } = *self;
        (0..cleaner.setup.legs.len()).map(move |leg| cleaner.window.held(frame, leg))
    }
}

/// Streams the performance of a clip at rest through a [`Cleaner`]: the clean poses and what each plant cost.
///
/// Plants count from the first frame of the performance. A plant of a leg that does not exist, or of frames
/// after the end of the motion, holds nothing there, and a note says so.
pub(crate) fn clean_performance(
    clip: &Clip,
    plants: &Footplants,
    settings: &Settings,
) -> Result<(Vec<Pose>, Report), SetupError> {
    let (before, legs) = (clip.performance_poses(), clip.legs.len());
    let lengths = plants.plants.iter().map(|plant| plant.frames.len().min(before.len()));
    let mut cleaner = Cleaner::new(clip, lengths.max().unwrap_or(0), settings)?;
    let held = active_plants(before.len(), legs, plants);
    let mut poses = Vec::with_capacity(before.len());
    let mut taken = vec![Taken::default(); plants.plants.len()];
    for (frame, pose) in before.iter().enumerate() {
        let clean = cleaner.push(pose, &held[frame * legs..(frame + 1) * legs])?.cloned();
        poses.extend(clean.inspect(|_| gather(&cleaner, &mut taken)));
    }
    while let Some(pose) = cleaner.finish().cloned() {
        gather(&cleaner, &mut taken);
        poses.push(pose);
    }
    Ok((poses, report(plants, &taken, clip.floor.as_ref(), settings)))
}
