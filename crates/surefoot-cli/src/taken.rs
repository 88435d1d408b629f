//! Motions taken from files to be edited: without a T-pose before them, their plants known, all on one
//! floor.

use std::path::Path;

use surefoot_core::{Floor, Footplants, Motion, Plane, Pose, Vec3};
use surefoot_edit::PairError;
use surefoot_edit::distance::Placement;
use surefoot_measure::Figures;

use crate::args::Told;
use crate::cleaning::{Performance, figures};
use crate::input::is_dash;
use crate::look::{Looked, look};
use crate::plants::{self, Known};
use crate::problem::Problem;
use crate::scene::{Scene, scene};
use crate::tell::plain;

/// A motion to edit.
pub struct Taken {
    pub looked: Looked,
    /// The file as it is.
    pub scene: Scene,
    /// Its plants, in the file's frames.
    pub known: Known,
    /// What is performed, and its plants: what is edited.
    pub motion: Motion,
    pub plants: Footplants,
    /// What is measured of the file.
    pub figures: Figures,
}

impl Taken {
    /// Which way is up from the floor.
    pub fn up(&self) -> Vec3 {
        self.scene.floor.as_ref().map_or(Vec3::Y, Floor::up)
    }

    /// The poses before the performance: a T-pose that a program put there, or none.
    pub fn lead(&self) -> &[Pose] {
        &self.scene.motion.poses[..self.scene.first_frame.min(self.scene.motion.frames())]
    }

    fn plane(&self) -> Option<&Plane> {
        self.scene.floor.as_ref().and_then(Floor::as_plane)
    }
}

/// Two floors nearer than this, in metres under the body and as a sine, are one floor, found twice.
const SAME_FLOOR: f64 = 2e-3;

/// Takes a motion from a file.
pub fn take(file: &Path, plants: Option<&Path>, told: &Told) -> Result<Taken, Problem> {
    plants::check_stdin(file, plants)?;
    let looked = look(file, told)?;
    let scene = scene(&looked)?;
    taken(looked, scene, plants)
}

/// Takes a second motion of the same body: read in the unit and axes of the first, with its legs, and
/// put on its floor.
pub fn take_second(first: &Taken, file: &Path, plants: Option<&Path>, told: &Told) -> Result<Taken, Problem> {
    plants::check_stdin(file, plants)?;
    let space = first.looked.space();
    let told =
        Told { unit: told.unit.or(Some(space.unit_m)), up: told.up.or(Some(space.up)), ..told.clone() };
    let looked = look(file, &told)?;
    let (own, other) = (first.looked.bvh.skeleton(), looked.bvh.skeleton());
    let mut scene = scene(&looked)?;
    if own.len() == other.len() {
        scene.legs = first.scene.legs.clone();
    }
    let mut taken = taken(looked, scene, plants)?;
    if let (Some(floor), Some(own)) = (first.plane(), taken.plane()) {
        let is_same = (own.normal - floor.normal).length() < SAME_FLOOR
            && taken.motion.poses.iter().all(|pose| {
                let root = pose.offsets.first().copied().unwrap_or_default();
                (own.above(root) - floor.above(root)).abs() < SAME_FLOOR
            });
        let onto = if is_same { Placement::STAYS } else { Placement::onto(own, floor) };
        taken.motion = onto.motion(&taken.motion);
        for plant in &mut taken.plants.plants {
            plant.spot = plant.spot.map(|spot| onto.place(spot));
        }
    }
    Ok(taken)
}

/// Two inputs cannot both be stdin.
pub fn check_two(files: [&Path; 2], plants: [Option<&Path>; 2]) -> Result<(), Problem> {
    let all = files.into_iter().chain(plants.into_iter().flatten());
    if all.filter(|name| is_dash(name)).count() > 1 {
        return Err(Problem::new("two inputs want stdin"));
    }
    Ok(())
}

/// Why two files cannot become one, and what to do about it.
pub fn pair_problem(first: &Taken, second: &Taken, error: &PairError) -> Problem {
    let names = format!("{} and {}", plain(&first.looked.name), plain(&second.looked.name));
    let problem = Problem::new(format!("cannot take {names} together: {error}"));
    match error {
        PairError::Joints { .. } | PairError::Joint { .. } | PairError::Bone { .. } => {
            problem.help("`surefoot retarget` puts one motion on the other's skeleton first")
        }
        PairError::Rates { .. } => {
            problem.help("`--fps` says what rate both have, if a file says it wrongly")
        }
        _ => problem,
    }
}

fn taken(looked: Looked, mut scene: Scene, plants: Option<&Path>) -> Result<Taken, Problem> {
    let known = plants::known(plants, &scene)?;
    scene.settle(&known.plants);
    let Performance { motion, plants, .. } = Performance::of(&scene, &known.plants);
    if motion.poses.is_empty() {
        return Err(Problem::new(format!("{} has no frames to edit", plain(&looked.name))));
    }
    let figures = figures(&scene.motion, None, &scene, &known.plants)
        .map_err(|why| Problem::new(format!("cannot measure {}: {why}", plain(&looked.name))))?;
    Ok(Taken { looked, scene, known, motion, plants, figures })
}
