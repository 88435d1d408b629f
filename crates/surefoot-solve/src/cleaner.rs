//! The cleaner: a stream of poses in, clean poses out; and the same from memory.

use surefoot_core::{FootPoint, Footplants, Motion, Plant, Pose, Quat, Vec3};

use crate::door::{self, PoseError};
use crate::phases;
use crate::report::{Note, PlantReport, Report};
use crate::settings::Settings;
use crate::setup::{Scene, Setup, SetupError};
use crate::window::Window;

/// Which points of one foot are held at one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Held {
    /// The heel's plant.
    pub heel: Option<Hold>,
    /// The ball's plant.
    pub ball: Option<Hold>,
}

/// A point held by a plant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hold {
    /// Which plant: a number that differs from the plant before.
    pub plant: u32,
    /// Where it stands, if that is given.
    pub spot: Option<Vec3>,
}

impl Held {
    pub(crate) fn points(&self) -> [Option<Hold>; 2] {
        [self.heel, self.ball]
    }
}

/// Takes a pose at a time and gives clean ones back, [`lookahead`](Self::lookahead) frames later.
///
/// Nothing is allocated after it is made.
#[derive(Clone, Debug)]
pub struct Cleaner {
    setup: Setup,
    window: Window,
    world: Vec<(Vec3, Quat)>,
}

impl Cleaner {
    /// A cleaner for a scene. `poses` show which way the knees bend; a few are enough. No plant
    /// may be longer than `longest_plant` frames if the settings' spots are of whole plants.
    pub fn new(
        scene: &Scene,
        poses: &[Pose],
        longest_plant: usize,
        settings: &Settings,
    ) -> Result<Self, SetupError> {
        let setup = Setup::new(scene, poses, longest_plant, settings)?;
        let window = Window::new(&setup);
        let world = vec![(Vec3::ZERO, Quat::IDENTITY); setup.skeleton.len()];
        Ok(Self { setup, window, world })
    }

    /// How many frames late a clean pose comes out.
    pub fn lookahead(&self) -> usize {
        self.setup.lookahead()
    }

    /// Takes one pose and who is held at it, a `Held` per leg; a leg without one is free. Gives
    /// back a clean pose when the first has gone all the way.
    ///
    /// A pose that is refused is not taken: the next one comes in its place.
    pub fn push(&mut self, pose: &Pose, held: &[Held]) -> Result<Option<&Pose>, PoseError> {
        let frame = self.window.pushed;
        door::check_pose(pose, frame, self.setup.skeleton.len())?;
        door::check_spots(held, frame)?;
        phases::see(&mut self.window, &self.setup, &mut self.world, frame, pose, held);
        self.window.pushed += 1;
        Ok(self.advance())
    }

    /// Gives back the poses still inside, one a call.
    pub fn finish(&mut self) -> Option<&Pose> {
        self.window.ended = true;
        self.advance()
    }

    fn advance(&mut self) -> Option<&Pose> {
        let frame = phases::advance(&mut self.window, &self.setup)?;
        Some(&self.window.slot(frame).pose)
    }

    /// What the frame that came out last took: the root's move, and for each leg how much its
    /// bones are stretched and how far its ankle is from its target.
    fn took(&self) -> Option<(usize, &crate::window::Slot)> {
        let frame = self.window.done[5].checked_sub(1)?;
        Some((frame, self.window.slot(frame)))
    }
}

/// Cleans a motion in memory.
///
/// This is the stream: every pose is pushed, and the rest drained. A plant of a leg that does not
/// exist, or of frames after the motion's end, holds nothing there, and a note says so.
pub fn clean(
    motion: &Motion,
    scene: &Scene,
    plants: &Footplants,
    settings: &Settings,
) -> Result<(Motion, Report), SetupError> {
    let lengths = plants.plants.iter().map(|plant| plant.frames.len().min(motion.frames()));
    let mut cleaner = Cleaner::new(scene, &motion.poses, lengths.max().unwrap_or(0), settings)?;
    let held = held_by_frame(motion.frames(), scene.legs.len(), plants);
    let mut poses = Vec::with_capacity(motion.frames());
    let mut taken = vec![Taken::default(); plants.plants.len()];
    for (frame, pose) in motion.poses.iter().enumerate() {
        let legs = scene.legs.len();
        let clean = cleaner.push(pose, &held[frame * legs..(frame + 1) * legs])?.cloned();
        gather(&mut poses, clean, &cleaner, &mut taken);
    }
    while let Some(pose) = cleaner.finish().cloned() {
        gather(&mut poses, Some(pose), &cleaner, &mut taken);
    }
    let report = report(plants, &taken, scene, settings);
    let motion = Motion { skeleton: motion.skeleton.clone(), fps: motion.fps, poses };
    Ok((motion, report))
}

/// Who is held, frame by frame and leg by leg.
fn held_by_frame(frames: usize, legs: usize, plants: &Footplants) -> Vec<Held> {
    let mut held = vec![Held::default(); frames * legs];
    for (number, plant) in plants.plants.iter().enumerate().filter(|(_, plant)| plant.leg < legs) {
        let hold = Some(Hold { plant: number as u32, spot: plant.spot });
        for frame in plant.frames.start..plant.frames.end.min(frames) {
            let held = &mut held[frame * legs + plant.leg];
            match plant.point {
                FootPoint::Heel => held.heel = hold,
                FootPoint::Ball => held.ball = hold,
            }
        }
    }
    held
}

/// What one plant has taken so far.
#[derive(Clone, Copy, Debug, Default)]
struct Taken {
    frames: usize,
    spot: Option<Vec3>,
    moved: f64,
    /// How far the target is beyond the straight leg at most, the root left alone.
    beyond: f64,
    root: f64,
    stretch: f64,
    /// How far the ankle is from its target at most.
    short: f64,
    /// How far the point is from its spot at most.
    slide: f64,
}

fn gather(poses: &mut Vec<Pose>, pose: Option<Pose>, cleaner: &Cleaner, taken: &mut [Taken]) {
    let (Some(pose), Some((_, slot))) = (pose, cleaner.took()) else { return };
    poses.push(pose);
    for leg in &slot.legs {
        let (Some(change), Some(target), Some(root)) = (leg.change, leg.target, slot.root) else { continue };
        let beyond = (target.position - leg.seen.hip).length() - leg.bones.longest();
        let turned = target.turn * leg.seen.ankle_turn.conjugate();
        for (point, hold) in leg.held.points().into_iter().enumerate() {
            let (Some(hold), Some(stands)) = (hold, leg.spots[point]) else { continue };
            let Some(taken) = taken.get_mut(hold.plant as usize) else { continue };
            let (seen, spot) = ([leg.seen.heel, leg.seen.ball][point], hold.spot.unwrap_or(stands));
            let off = (target.position + turned * (seen - leg.seen.ankle) - spot).length();
            taken.frames += 1;
            taken.spot = Some(spot);
            taken.moved = taken.moved.max((spot - seen).length());
            taken.beyond = taken.beyond.max(beyond);
            taken.root = taken.root.max(root.length());
            taken.stretch = taken.stretch.max(change.parts.stretch.abs());
            taken.short = taken.short.max(change.slide);
            taken.slide = taken.slide.max(change.slide + off);
        }
    }
}

fn report(plants: &Footplants, taken: &[Taken], scene: &Scene, settings: &Settings) -> Report {
    let mut report = Report::default();
    for (plant, taken) in plants.plants.iter().zip(taken) {
        report.plants.push(PlantReport {
            leg: plant.leg,
            point: plant.point,
            frames: plant.frames.clone(),
            spot: taken.spot,
            moved_m: taken.moved,
            out_of_reach_m: taken.beyond,
            root_m: taken.root,
            stretch: taken.stretch,
            slide_m: taken.slide,
        });
        report.notes.extend(notes(plant, taken, scene, settings));
    }
    report
}

/// What a person should know of a plant.
fn notes(plant: &Plant, taken: &Taken, scene: &Scene, settings: &Settings) -> Vec<Note> {
    // A slide below this, in metres, is rounding.
    const SLIDES: f64 = 1e-9;
    let Plant { leg, point, frames, .. } = plant.clone();
    let mut notes = Vec::new();
    if taken.frames < frames.len() {
        notes.push(Note::NotHeld { leg, point, frames: frames.clone(), held: taken.frames });
    }
    if taken.short > SLIDES {
        notes.push(Note::OutOfReach { leg, frames, by_m: taken.slide });
    } else if taken.slide > SLIDES {
        notes.push(Note::WrongSize { leg, point, frames, by_m: taken.slide });
    }
    let above = scene.floor.as_ref().zip(taken.spot).map(|(floor, spot)| floor.above(spot));
    if let Some(above_m) = above.filter(|above| plant.spot.is_none() && above.abs() > settings.snap) {
        notes.push(Note::OffFloor { leg, point, frame: plant.frames.start, above_m });
    }
    notes
}
