//! A motion cleaned again and again, while a person edits its plants.
//!
//! Where each plant stands is asked anew of all of them: that is cheap, and what a person changed
//! shows as frames whose spots are others than before. Phases 2 to 5 look at bounded windows, so only
//! the frames within reach of those can come out otherwise, and only they are solved again. Who is
//! further away keeps what he had, and it is what a whole clean would give, to the bit.

use surefoot_core::{Clip, Floor, Footplants, FrameRange, Motion, Vec3};

use crate::phases;
use crate::plants::active_plants;
use crate::report::Report;
use crate::report::cost::{Taken, Took, gather_frame, report};
use crate::settings::Settings;
use crate::setup::{Setup, SetupError, leg_shapes};
use crate::stream::poses::Out;
use crate::stream::slots::{LegSlot, Paid};
use crate::stream::window::Window;
use crate::validation;

/// A motion, and the same cleaned, for plants that change.
#[derive(Clone, Debug)]
pub struct IncrementalCleaner {
    floor: Option<Floor>,
    setup: Setup,
    before: Motion,
    after: Motion,
    /// The legs of every frame: as captured, and where they stand; and how far the root is moved.
    all: Window,
    /// What every frame took of its legs.
    paid: Vec<Paid>,
    /// The frames around the one being solved.
    window: Window,
    out: Out,
    plants: Footplants,
}

/// Where a leg's points stand, as bits: what phases 2 to 5 and the report know of its plants.
type Stands = [Option<[u64; 3]>; 4];

impl IncrementalCleaner {
    /// A motion without plants, which is as it was.
    ///
    /// The clip must be a performance at rest: see [`Clip::performance`] and [`Clip::relative_to_ground`].
    pub fn new(clip: Clip, settings: &Settings) -> Result<Self, SetupError> {
        let shapes = leg_shapes(&clip)?;
        // Spots are settled over all frames at once, and the stream after them need not wait.
        let mut setup = Setup::new(&clip, &shapes, clip.motion.frames(), settings)?;
        let Clip { motion, floor, .. } = clip;
        let mut all = Window::of_legs(&setup, motion.frames());
        for (frame, pose) in motion.poses.iter().enumerate() {
            crate::kinematics::leg_fk::see_legs(&mut all, &setup, frame, pose);
        }
        let spots = std::mem::take(&mut setup.frames.spots);
        let window = Window::new(&setup);
        setup.frames.spots = spots;
        Ok(Self {
            floor,
            paid: vec![Paid::default(); motion.frames() * setup.legs.len()],
            after: motion.clone(),
            before: motion,
            all,
            window,
            out: Out::new(&setup),
            setup,
            plants: Footplants::default(),
        })
    }

    /// The motion as captured.
    pub fn before(&self) -> &Motion {
        &self.before
    }

    /// The clean motion.
    pub fn after(&self) -> &Motion {
        &self.after
    }

    /// Who holds it.
    pub fn plants(&self) -> &Footplants {
        &self.plants
    }

    /// What the plants took: what [`clean`](crate::clean) would report.
    pub fn report(&self) -> Report {
        let mut taken = vec![Taken::default(); self.plants.plants.len()];
        let legs = self.setup.legs.len();
        for frame in 0..self.before.frames() {
            let took = |leg: usize| Took {
                slot: self.all.leg(frame, leg),
                held: self.all.held(frame, leg),
                root: self.all.root(frame).unwrap_or(Vec3::ZERO),
                paid: self.paid[frame * legs + leg],
            };
            gather_frame((0..legs).map(took), &mut taken);
        }
        report(&self.plants, &taken, self.floor.as_ref(), &self.setup.settings)
    }

    /// Cleans the motion for other plants. Gives back the frames that were solved again, in runs.
    ///
    /// A spot that is no finite number is refused, and nothing changes.
    pub fn clean(&mut self, plants: &Footplants) -> Result<Vec<FrameRange>, SetupError> {
        let (frames, legs) = (self.before.frames(), self.setup.legs.len());
        let held = active_plants(frames, legs, plants);
        for frame in 0..frames {
            validation::check_spots(&held[frame * legs..(frame + 1) * legs], frame)?;
        }
        let stand = |all: &Window, frame: usize| -> Vec<Stands> {
            (0..legs).map(|leg| stands(all, frame, leg)).collect()
        };
        let stood: Vec<Stands> = (0..frames).flat_map(|frame| stand(&self.all, frame)).collect();
        for frame in 0..frames {
            self.all.hold(frame, &held[frame * legs..(frame + 1) * legs]);
        }
        let mut runs: Vec<FrameRange> = Vec::new();
        let (around, apart) = (self.around(), self.warm_up());
        for frame in 0..frames {
            phases::spots::settle(&mut self.all, &self.setup, frame);
            let stood = &stood[frame * legs..(frame + 1) * legs];
            if stand(&self.all, frame) != stood {
                let (start, end) = (frame.saturating_sub(around), (frame + around + 1).min(frames));
                match runs.last_mut() {
                    Some(run) if start <= run.end + apart => run.end = end,
                    _ => runs.push(start..end),
                }
            }
        }
        self.plants = plants.clone();
        runs.iter().for_each(|run| self.solve(run.clone()));
        Ok(runs)
    }

    /// How far what a frame asks is felt, in frames: by all that the phases look around.
    fn around(&self) -> usize {
        let windows = &self.setup.frames;
        // The root's moves are averaged in cells: those that a window touches count whole.
        let root = windows.root.frames + 2 * self.setup.cell;
        [windows.ankles, windows.ease, windows.knee, windows.blend]
            .iter()
            .fold(root, |sum, reach| sum + reach.frames + 1)
    }

    /// How many frames before a run the stream begins, so that it is right when it gets there.
    fn warm_up(&self) -> usize {
        self.around() + self.setup.cell
    }

    /// Phases 2 to 5 for the frames of a run, and as many before as it takes to get into them.
    fn solve(&mut self, run: FrameRange) {
        let start = run.start.saturating_sub(self.warm_up());
        let start = start - start % self.setup.cell;
        self.window.restart(start);
        let spots = std::mem::take(&mut self.setup.frames.spots);
        for frame in start..self.before.frames() {
            self.push(frame);
            self.take(&run);
            if self.window.done[6] >= run.end {
                break;
            }
        }
        self.window.ended = true;
        while self.window.done[6] < run.end {
            self.take(&run);
        }
        self.setup.frames.spots = spots;
    }

    fn push(&mut self, frame: usize) {
        let pose = &self.before.poses[frame];
        // That they are was seen when it came.
        let _is_finite =
            self.window.keep(&self.setup, frame, pose, validation::has_own_offsets(pose, &self.setup));
        self.window.set_root(frame, None);
        for leg in 0..self.setup.legs.len() {
            let LegSlot { seen, plants, .. } = *self.all.leg(frame, leg);
            *self.window.leg_mut(frame, leg) = LegSlot { seen, plants, ..LegSlot::default() };
            phases::spots::note_off(&mut self.window, frame, leg);
            phases::clearance::landing::note_heights(&mut self.window, &self.setup, frame, leg);
        }
        self.window.come();
    }

    /// Moves the stream on by a frame and keeps what comes out, if it is of the run.
    fn take(&mut self, run: &FrameRange) {
        let done = phases::advance(&mut self.window, &mut self.out, &self.setup, |_, _, _| {});
        let Some(frame) = done.filter(|frame| run.contains(frame)) else { return };
        self.after.poses[frame].copy_from(&self.out.pose);
        self.all.set_root(frame, self.window.root(frame));
        for leg in 0..self.setup.legs.len() {
            *self.all.leg_mut(frame, leg) = *self.window.leg(frame, leg);
            self.paid[frame * self.setup.legs.len() + leg] = self.window.doing[leg].paid;
        }
    }
}

fn stands(all: &Window, frame: usize, leg: usize) -> Stands {
    let bits = |spot: Vec3| spot.to_array().map(f64::to_bits);
    let given = all.held(frame, leg).points().map(|hold| hold.and_then(|hold| hold.spot));
    let [[heel, ball], [given_heel, given_ball]] = [all.plants(frame, leg).spots(), given];
    [heel, ball, given_heel, given_ball].map(|spot| spot.map(bits))
}
