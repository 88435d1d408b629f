//! What has each plant taken?

use surefoot_core::{Floor, Footplants, Plant, Vec3};

use crate::cleaner::Cleaner;
use crate::report::{Note, PlantReport, Report};
use crate::settings::Settings;
use crate::setup::Scene;
use crate::window::LegSlot;

/// What one plant has taken so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Taken {
    pub frames: usize,
    pub spot: Option<Vec3>,
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

impl Taken {
    /// Adds one frame at which this point (0 heel, 1 ball) of this leg is held.
    pub fn add(&mut self, leg: &LegSlot, root: Option<Vec3>, point: usize) {
        let (Some(change), Some(target), Some(root)) = (leg.change, leg.target, root) else { return };
        let (Some(hold), Some(stands)) = (leg.held.points()[point], leg.spots[point]) else { return };
        let beyond = (target.position - leg.seen.hip).length() - leg.bones.longest;
        let turned = target.turn * leg.seen.ankle_turn.conjugate();
        let (seen, spot) = ([leg.seen.heel, leg.seen.ball][point], hold.spot.unwrap_or(stands));
        let off = (target.position + turned * (seen - leg.seen.ankle) - spot).length();
        self.frames += 1;
        self.spot = Some(spot);
        self.moved = self.moved.max((spot - seen).length());
        self.beyond = self.beyond.max(beyond);
        self.root = self.root.max(root.length());
        self.stretch = self.stretch.max(change.stretch.abs());
        self.short = self.short.max(change.slide);
        self.slide = self.slide.max(change.slide + off);
    }
}

/// Adds the frame that came out last to what each plant has taken.
pub(crate) fn gather(cleaner: &Cleaner, taken: &mut [Taken]) {
    let Some((_, root, legs)) = cleaner.took() else { return };
    add_frame(root, legs, taken);
}

/// Adds one frame to what each plant has taken.
pub(crate) fn add_frame(root: Option<Vec3>, legs: &[LegSlot], taken: &mut [Taken]) {
    for leg in legs {
        for (point, hold) in leg.held.points().into_iter().enumerate() {
            if let Some(taken) = hold.and_then(|hold| taken.get_mut(hold.plant as usize)) {
                taken.add(leg, root, point);
            }
        }
    }
}

pub(crate) fn report(plants: &Footplants, taken: &[Taken], scene: &Scene, settings: &Settings) -> Report {
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
        note(plant, taken, scene.floor.as_ref(), settings, |note| report.notes.push(note));
    }
    report
}

/// What a person should know of a plant.
pub(crate) fn note(
    plant: &Plant,
    taken: &Taken,
    floor: Option<&Floor>,
    settings: &Settings,
    mut say: impl FnMut(Note),
) {
    // A slide below this, in metres, is rounding.
    const SLIDES: f64 = 1e-9;
    let Plant { leg, point, frames, .. } = plant.clone();
    if taken.frames < frames.len() {
        say(Note::NotHeld { leg, point, frames: frames.clone(), held: taken.frames });
    }
    if taken.short > SLIDES {
        say(Note::OutOfReach { leg, frames, by_m: taken.slide });
    } else if taken.slide > SLIDES {
        say(Note::WrongSize { leg, point, frames, by_m: taken.slide });
    }
    let above = floor.zip(taken.spot).map(|(floor, spot)| floor.above(spot));
    if let Some(above_m) = above.filter(|above| plant.spot.is_none() && above.abs() > settings.snap) {
        say(Note::OffFloor { leg, point, frame: plant.frames.start, above_m });
    }
}
