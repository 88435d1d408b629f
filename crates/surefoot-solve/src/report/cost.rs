//! What has each plant taken?

use surefoot_core::{Floor, Footplants, Plant, Vec3};

use crate::cleaner::Cleaner;
use crate::plants::ActivePlants;
use crate::report::{Note, PlantReport, Report};
use crate::settings::Settings;
use crate::stream::slots::{LegSlot, Paid};

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

/// What one leg of the frame that came out last took.
pub(crate) struct Took<'a> {
    pub slot: &'a LegSlot,
    /// Who is held, as was said.
    pub held: ActivePlants,
    /// The root's move.
    pub root: Vec3,
    pub paid: Paid,
}

/// What holding a point took at one frame, in metres and as a fraction.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spent {
    /// How far the target is beyond the straight leg, the root left alone.
    pub beyond: f64,
    /// How far the root is moved.
    pub root: f64,
    /// Added to the bones' length.
    pub stretch: f64,
    /// How far the ankle is from its target.
    pub short: f64,
    /// How far the point would be from its spot with the ankle on its target.
    pub off: f64,
}

impl Taken {
    /// Adds one frame at which this point (0 heel, 1 ball) of this leg is held.
    pub fn add(&mut self, leg: &Took<'_>, point: usize) {
        let Took { slot, held, root, paid } = leg;
        let LegSlot { seen: leg_seen, plants, stance, .. } = slot;
        let (Some(hold), Some(stands)) = (held.points()[point], plants.spots()[point]) else { return };
        let beyond = stance.way.length() - stance.bones.longest();
        let (seen, spot) = ([leg_seen.heel, leg_seen.ball][point], hold.spot.unwrap_or(stands));
        let target = slot.target();
        let off = (target.position + target.added * (seen - leg_seen.ankle) - spot).length();
        self.add_frame(
            spot,
            seen,
            &Spent { beyond, root: root.length(), stretch: paid.stretch, short: paid.slide, off },
        );
    }

    /// Adds one frame at which a point, captured at `seen`, is held at `spot`.
    pub fn add_frame(&mut self, spot: Vec3, seen: Vec3, spent: &Spent) {
        self.frames += 1;
        self.spot = Some(spot);
        self.moved = self.moved.max((spot - seen).length());
        self.beyond = self.beyond.max(spent.beyond);
        self.root = self.root.max(spent.root);
        self.stretch = self.stretch.max(spent.stretch.abs());
        self.short = self.short.max(spent.short);
        self.slide = self.slide.max(spent.short + spent.off);
    }
}

/// Adds the frame that came out last to what each plant has taken.
pub(crate) fn gather(cleaner: &Cleaner, taken: &mut [Taken]) {
    let Some((_, legs)) = cleaner.took() else { return };
    gather_frame(legs, taken);
}

/// Adds one frame to what each plant has taken.
pub(crate) fn gather_frame<'a>(legs: impl Iterator<Item = Took<'a>>, taken: &mut [Taken]) {
    for leg in legs {
        for (point, hold) in leg.held.points().into_iter().enumerate() {
            if let Some(taken) = hold.and_then(|hold| taken.get_mut(hold.id as usize)) {
                taken.add(&leg, point);
            }
        }
    }
}

pub(crate) fn report(
    plants: &Footplants,
    taken: &[Taken],
    floor: Option<&Floor>,
    settings: &Settings,
) -> Report {
    let mut report = Report::default();
    for (plant, taken) in plants.plants.iter().zip(taken) {
        report.plants.push(PlantReport {
            leg: plant.leg,
            point: plant.point,
            frames: plant.frames.clone(),
            spot: taken.spot,
            correction_m: taken.moved,
            out_of_reach_m: taken.beyond,
            root_correction_m: taken.root,
            stretch: taken.stretch,
            drift_m: taken.slide,
        });
        note(plant, taken, floor, settings, |note| report.notes.push(note));
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
        say(Note::NotHeld { leg, point, frames: frames.clone(), held_frames: taken.frames });
    }
    if taken.short > SLIDES {
        say(Note::OutOfReach { leg, frames, drift_m: taken.slide });
    } else if taken.slide > SLIDES {
        say(Note::FootLengthMismatch { leg, point, frames, drift_m: taken.slide });
    }
    let above = floor.zip(taken.spot).map(|(floor, spot)| floor.above(spot));
    if let Some(height_m) = above.filter(|above| plant.spot.is_none() && above.abs() > settings.snap_distance)
    {
        say(Note::OffFloor { leg, point, frame: plant.frames.start, height_m });
    }
}
