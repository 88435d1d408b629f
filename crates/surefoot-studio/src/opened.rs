//! A file that has been read and understood: what `clean` would make of it.

use surefoot_contact::{Edges, learned};
use surefoot_core::understand::{Given, Understanding, Up, understand};
use surefoot_core::{Floor, Footplants, Leg, Motion, Placed, Plane, Pose, Vec3};
use surefoot_formats::bvh::Bvh;
use surefoot_formats::{Space, rig};
use surefoot_solve::{Again, Scene, Settings};

use crate::asked::Told;

/// A file, what was found out about it, and the same cleaned.
pub struct Opened {
    /// Its name.
    pub name: String,
    /// What is in it.
    pub bvh: Bvh,
    /// What that means.
    pub understanding: Understanding,
    /// Its unit and axis.
    pub space: Space,
    /// All of it in metres, Y up.
    pub motion: Motion,
    /// The legs in metres, Y up.
    pub legs: Vec<Leg>,
    /// The floor, where something tells.
    pub floor: Option<Floor>,
    /// Whether the floor is made from the plants.
    pub floor_of_plants: bool,
    /// The first frame of the performance: 1 after an inserted T-pose.
    pub first: usize,
    /// The performance and its cleaning.
    pub again: Again,
    /// How it is cleaned.
    pub settings: Settings,
    detect: surefoot_contact::Settings,
}

impl Opened {
    /// Reads a file; or why not, in the words of the command.
    pub fn new(name: String, bytes: &[u8], told: &Told, settings: Settings) -> Result<Self, String> {
        let mut bvh = Bvh::read(bytes.to_vec()).map_err(|error| format!("{name}: {error}"))?;
        if let Some(fps) = told.fps {
            bvh.set_rate(fps);
        }
        let understanding = understood(&bvh, told)?;
        let space = Space { unit_m: understanding.unit_m.value, up: understanding.up.value };
        let legs = match &understanding.legs {
            Ok(legs) => legs.value.iter().map(|leg| in_metres(leg, &space)).collect::<Vec<_>>(),
            Err(none) => {
                let weighed = none.weighed.iter().take(3).map(|one| format!("\nweighed: {one}"));
                let help = "\nname them in a rig file and drop it here";
                return Err(format!("no legs were found in {name}{}{help}", weighed.collect::<String>()));
            }
        };
        let mesh = told.mesh.as_ref().map(|text| surefoot_formats::floor::read_obj(text.as_bytes(), &space));
        let floor = match mesh.transpose().map_err(|error| format!("the floor's mesh: {error}"))? {
            Some(surface) => Some(Floor::from(surface)),
            None => understanding.floor.as_ref().map(|found| space.plane_in(found.value).into()),
        };
        let motion = bvh.motion(&space);
        let first = usize::from(understanding.inserted_t_pose.value).min(motion.frames());
        let again = again(&motion, &legs, floor.as_ref(), first, &settings)
            .map_err(|why| format!("cannot clean {name}: {why}"))?;
        let usual = surefoot_contact::Settings::default();
        let detect = surefoot_contact::Settings {
            first_frame: first,
            // Held, a point that no longer rests would be pulled down while it rises.
            edges: Edges::Rest,
            starts_below: told.starts_below.unwrap_or(usual.starts_below),
            goes_on_below: told.starts_below.map_or(usual.goes_on_below, |below| 2.0 * below),
            shortest_plant: told.shortest_plant.unwrap_or(usual.shortest_plant),
            ..usual
        };
        let floor_of_plants = told.floor.as_deref() == Some("plants");
        Ok(Self {
            name,
            bvh,
            understanding,
            space,
            motion,
            legs,
            floor,
            floor_of_plants,
            first,
            again,
            settings,
            detect,
        })
    }

    /// The plants that are found: the one place that asks the detector.
    pub fn detected(&self) -> Footplants {
        // The default method, named: through `detect` the models of all others would be in the page, and they
        // are larger than all the rest of it.
        let Self { motion, legs, floor, .. } = self;
        learned::detect(&learned::Model::shipped(), motion, legs, floor.as_ref(), &self.detect)
    }

    /// The clean motion, with the T-pose before it.
    pub fn after(&self) -> Motion {
        let poses = self.motion.poses[..self.first].iter().chain(&self.again.after().poses).cloned();
        Motion { poses: poses.collect(), ..self.motion.clone() }
    }

    /// The pose of a frame, before or after.
    pub fn pose(&self, after: bool, frame: usize) -> &Pose {
        match frame.checked_sub(self.first) {
            Some(frame) if after => &self.again.after().poses[frame],
            _ => &self.motion.poses[frame],
        }
    }

    /// The floor; where there is none, a level one under the lowest place of any foot.
    pub fn floor_or_lowest(&self) -> Floor {
        let lowest = || {
            let mut lowest = f64::INFINITY;
            let mut placed = Placed::default();
            for pose in self.motion.poses.iter().skip(self.first) {
                pose.place(&self.motion.skeleton, &mut placed);
                for leg in &self.legs {
                    let points = [leg.heel, leg.ball, leg.toe].map(|point| placed.point(&point).y);
                    lowest = points.into_iter().fold(lowest, f64::min);
                }
            }
            Floor::level(if lowest.is_finite() { lowest } else { 0.0 })
        };
        self.floor.clone().unwrap_or_else(lowest)
    }

    /// Makes the floor from the plants, if that was asked for, and cleans with them.
    pub fn clean(&mut self, plants: &Footplants) -> Result<Vec<core::ops::Range<usize>>, String> {
        let mut whole = false;
        if self.floor_of_plants {
            let made = Floor::from_plants(&self.motion, &self.legs, plants, self.first);
            self.floor = made.or(self.floor.take());
            self.again = again(&self.motion, &self.legs, self.floor.as_ref(), self.first, &self.settings)?;
            whole = true;
        }
        let performed = plants.plants.iter().map(|plant| surefoot_core::Plant {
            frames: plant.frames.start.saturating_sub(self.first)
                ..plant.frames.end.saturating_sub(self.first),
            ..plant.clone()
        });
        let performed = Footplants { plants: performed.collect() };
        let runs = self.again.clean(&performed).map_err(|error| error.to_string())?;
        let later = runs.into_iter().map(|run| run.start + self.first..run.end + self.first);
        Ok(if whole { std::iter::once(0..self.motion.frames()).collect() } else { later.collect() })
    }
}

fn again(
    motion: &Motion,
    legs: &[Leg],
    floor: Option<&Floor>,
    first: usize,
    settings: &Settings,
) -> Result<Again, String> {
    let scene = Scene {
        skeleton: motion.skeleton.clone(),
        fps: motion.fps,
        legs: legs.to_vec(),
        floor: floor.cloned(),
    };
    let performed = Motion { poses: motion.poses[first..].to_vec(), ..motion.clone() };
    Again::new(performed, &scene, settings).map_err(|error| error.to_string())
}

fn in_metres(leg: &Leg, space: &Space) -> Leg {
    Leg {
        heel: space.point_in(leg.heel),
        ball: space.point_in(leg.ball),
        toe: space.point_in(leg.toe),
        ..leg.clone()
    }
}

fn understood(bvh: &Bvh, told: &Told) -> Result<Understanding, String> {
    let rig = match &told.rig {
        Some(text) => rig::read(text, bvh.skeleton()).map_err(|error| format!("the rig: {error}"))?,
        None => Given::default(),
    };
    let up = match told.up.as_deref() {
        Some(word) => Some(Up::from_word(word).ok_or("expected x, y, z, -x, -y or -z")?),
        None => None,
    };
    let mut given = Given { unit_m: told.unit.or(rig.unit_m), up: up.or(rig.up), ..rig };
    let excerpt = bvh.excerpt();
    if let Some(height) = told.floor.as_deref().and_then(|word| word.parse::<f64>().ok()) {
        let up = given.up.unwrap_or_else(|| understand(&excerpt, &given).up.value);
        given.floor = Some(Plane { normal: up.direction(), offset: height });
    }
    let mut found = understand(&excerpt, &given);
    match told.floor.as_deref() {
        Some("none") => found.floor = None,
        Some("level") => level_out(&mut found, &excerpt.motion),
        _ => {}
    }
    Ok(found)
}

/// Makes the floor that was found level, at its height in the middle of where the feet go.
fn level_out(found: &mut Understanding, motion: &Motion) {
    let Understanding { legs: Ok(legs), floor: Some(floor), .. } = found else { return };
    let (mut sum, mut count) = (Vec3::ZERO, 0.0);
    let mut placed = Placed::default();
    for pose in motion.poses.iter().skip(usize::from(found.inserted_t_pose.value)) {
        pose.place(&motion.skeleton, &mut placed);
        for leg in &legs.value {
            sum += placed.joint(leg.ankle);
            count += 1.0;
        }
    }
    let middle = sum / f64::max(count, 1.0) * found.unit_m.value;
    floor.value = floor.value.level_at(middle, found.up.value.direction());
}
