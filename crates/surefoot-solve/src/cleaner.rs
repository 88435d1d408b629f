//! The cleaner: a stream of poses in, clean poses out; and the same from memory.

use surefoot_core::{FootPoint, Footplants, Motion, Pose, Quat, Vec3};

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

    /// Takes one pose and who is held at it, a `Held` per leg. Gives back a clean one when the
    /// first has gone all the way.
    pub fn push(&mut self, pose: &Pose, held: &[Held]) -> Option<&Pose> {
        let frame = self.window.pushed;
        phases::see(&mut self.window, &self.setup, &mut self.world, frame, pose, held);
        self.window.pushed += 1;
        self.advance()
    }

    /// Gives back the poses still inside, one a call.
    pub fn finish(&mut self) -> Option<&Pose> {
        self.window.ended = true;
        self.advance()
    }

    fn advance(&mut self) -> Option<&Pose> {
        let frame = phases::advance(&mut self.window, &self.setup)?;
        Some(&self.window.slot(frame).output)
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
/// This is the stream: every pose is pushed, and the rest drained.
pub fn clean(
    motion: &Motion,
    scene: &Scene,
    plants: &Footplants,
    settings: &Settings,
) -> Result<(Motion, Report), SetupError> {
    let longest = plants.plants.iter().map(|plant| plant.frames.len()).max().unwrap_or(0);
    let mut cleaner = Cleaner::new(scene, &motion.poses, longest, settings)?;
    let held = held_by_frame(motion.frames(), scene.legs.len(), plants);
    let mut poses = Vec::with_capacity(motion.frames());
    let mut report = Report { plants: plants.plants.iter().map(plant_report).collect(), notes: Vec::new() };
    for (frame, pose) in motion.poses.iter().enumerate() {
        let legs = scene.legs.len();
        let clean = cleaner.push(pose, &held[frame * legs..(frame + 1) * legs]).cloned();
        gather(&mut poses, clean, &cleaner, plants, &mut report);
    }
    while let Some(pose) = cleaner.finish().cloned() {
        gather(&mut poses, Some(pose), &cleaner, plants, &mut report);
    }
    note_slides(&mut report);
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

fn plant_report(plant: &surefoot_core::Plant) -> PlantReport {
    PlantReport {
        leg: plant.leg,
        point: plant.point,
        frames: plant.frames.clone(),
        moved_m: 0.0,
        root_m: 0.0,
        stretch: 0.0,
        slide_m: 0.0,
    }
}

fn gather(
    poses: &mut Vec<Pose>,
    pose: Option<Pose>,
    cleaner: &Cleaner,
    plants: &Footplants,
    report: &mut Report,
) {
    let (Some(pose), Some((_, slot))) = (pose, cleaner.took()) else { return };
    poses.push(pose);
    for leg in &slot.legs {
        let (Some(change), Some(root)) = (leg.change, slot.root) else { continue };
        let points =
            [(leg.held.heel, leg.seen.heel, leg.spots[0]), (leg.held.ball, leg.seen.ball, leg.spots[1])];
        for (hold, seen, spot) in points {
            let Some(hold) = hold.filter(|hold| (hold.plant as usize) < plants.plants.len()) else {
                continue;
            };
            let plant = &mut report.plants[hold.plant as usize];
            plant.moved_m = plant.moved_m.max(spot.map_or(0.0, |spot| (spot - seen).length()));
            plant.root_m = plant.root_m.max(root.length());
            plant.stretch = plant.stretch.max(change.parts.stretch.abs());
            plant.slide_m = plant.slide_m.max(change.slide);
        }
    }
}

fn note_slides(report: &mut Report) {
    // A slide below this, in metres, is rounding.
    const SLIDES: f64 = 1e-9;
    let slides = report.plants.iter().filter(|plant| plant.slide_m > SLIDES);
    let note = |plant: &PlantReport| Note::OutOfReach {
        leg: plant.leg,
        frames: plant.frames.clone(),
        by_m: plant.slide_m,
    };
    let notes: Vec<Note> = slides.map(note).collect();
    report.notes.extend(notes);
}
