//! Motions taken from files to be edited: their plants known, all on one floor.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use surefoot_core::{Floor, Footplants, Motion, Plane, Pose, Vec3};
use surefoot_edit::distance::Placement;
use surefoot_edit::in_place::{belt, root_motion};
use surefoot_edit::retarget::{Target, is_same_body, retarget};
use surefoot_edit::{PairError, Take};
use surefoot_measure::Figures;

use crate::args::Told;
use crate::cleaning::figures;
use crate::ended::Ending;
use crate::input::is_dash;
use crate::look::{Looked, look};
use crate::plants::{self, Known};
use crate::problem::Problem;
use crate::scene::{Scene, scene};
use crate::tell::plain;

/// A file to edit.
#[derive(Args, Debug)]
pub struct One {
    /// A BVH file; - is stdin
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// When each heel and ball is down: a plants file, JSON or CSV; - is stdin
    /// [default: surefoot finds out, as `detect` does]
    #[arg(long, value_name = "PLANTS", value_hint = ValueHint::FilePath)]
    pub plants: Option<PathBuf>,
}

/// Two files that become one.
#[derive(Args, Debug)]
pub struct Two {
    /// A BVH file; - is stdin
    #[arg(value_name = "FIRST", value_hint = ValueHint::FilePath)]
    pub first: PathBuf,

    /// A BVH file of the same body at the same rate; - is stdin
    #[arg(value_name = "SECOND", value_hint = ValueHint::FilePath)]
    pub second: PathBuf,

    /// Put the second motion on the first's body beforehand, as `retarget` does
    /// [default: another body is refused]
    #[arg(long)]
    pub retarget: bool,

    /// The first file's plants, JSON or CSV [default: surefoot finds out]
    #[arg(long, value_name = "PLANTS", value_hint = ValueHint::FilePath)]
    pub plants_a: Option<PathBuf>,

    /// The second file's plants [default: surefoot finds out]
    #[arg(long, value_name = "PLANTS", value_hint = ValueHint::FilePath)]
    pub plants_b: Option<PathBuf>,
}

/// A motion to edit.
pub struct Taken {
    pub looked: Looked,
    /// The file's plants, as they were found or given.
    pub known: Known,
    /// The motion as it is edited.
    pub take: Take,
    /// Whether the floor was made from the plants.
    pub floor_of_plants: bool,
    /// What is measured of the file.
    pub figures: Figures,
}

/// Whether an edit can be made where the ground goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Belt {
    /// It can.
    Kept,
    /// It needs a body that goes: the way is given back first.
    Unrolled,
}

impl Taken {
    /// Which way is up from the floor.
    pub fn up(&self) -> Vec3 {
        self.take.floor.as_ref().map_or(Vec3::Y, Floor::up)
    }

    /// The poses before the performance: a T-pose that a program put there, or none.
    pub fn lead(&self) -> &[Pose] {
        &self.take.motion.poses[..self.take.first_frame.min(self.take.motion.frames())]
    }

    fn plane(&self) -> Option<&Plane> {
        self.take.floor.as_ref().and_then(Floor::as_plane)
    }
}

/// Two floors nearer than this, in metres under the body and as a sine, are one floor, found twice.
const SAME_FLOOR: f64 = 2e-3;

/// Takes a motion from a file.
pub fn take(one: &One, ending: &Ending, belt: Belt) -> Result<Taken, Problem> {
    plants::check_stdin(&one.file, one.plants.as_deref())?;
    let looked = look(&one.file, &ending.told)?;
    let scene = scene(&looked)?;
    taken(looked, scene, one.plants.as_deref(), ending, belt)
}

/// Takes two motions of one body: the second is read in the unit and axes of the first, with its legs,
/// and put on its floor. Each also as what is performed in it, and its plants.
pub fn take_two(two: &Two, ending: &Ending) -> Result<[(Taken, Motion, Footplants); 2], Problem> {
    let plants = [two.plants_a.as_deref(), two.plants_b.as_deref()];
    let all = [two.first.as_path(), &two.second].into_iter().chain(plants.into_iter().flatten());
    if all.filter(|name| is_dash(name)).count() > 1 {
        return Err(Problem::new("two inputs want stdin"));
    }
    let looked = look(&two.first, &ending.told)?;
    let own = scene(&looked)?;
    let first = taken(looked, own, plants[0], ending, Belt::Unrolled)?;
    let mut second = second(&first, two, ending)?;
    if let (Some(floor), Some(own)) = (first.plane(), second.plane()) {
        let onto = onto(own, floor, &second.take.motion);
        second.take.motion = onto.motion(&second.take.motion);
        for plant in &mut second.take.plants.plants {
            plant.spot = plant.spot.map(|spot| onto.place(spot));
        }
    }
    Ok([first, second].map(|taken| {
        let (motion, plants) = taken.take.performed();
        (taken, motion, plants)
    }))
}

/// The second motion, of the first's body or put on it.
fn second(first: &Taken, two: &Two, ending: &Ending) -> Result<Taken, Problem> {
    let space = first.looked.space();
    let told = match two.retarget {
        // Another body may have another unit, and other legs.
        true => ending.told.clone(),
        false => Told {
            unit: ending.told.unit.or(Some(space.unit_m)),
            up: ending.told.up.or(Some(space.up)),
            ..ending.told.clone()
        },
    };
    let looked = look(&two.second, &told)?;
    let mut other = scene(&looked)?;
    let is_same = first.looked.bvh.skeleton().len() == looked.bvh.skeleton().len();
    if is_same && !two.retarget {
        other.legs = first.take.legs.clone();
    }
    let mut second = taken(looked, other, two.plants_b.as_deref(), ending, Belt::Unrolled)?;
    if two.retarget && !is_same_body(&first.take.motion.skeleton, &second.take.motion.skeleton) {
        let (motion, _) = first.take.performed();
        let body = Target {
            skeleton: motion.skeleton,
            legs: first.take.legs.clone(),
            poses: motion.poses,
            floor: first.take.floor.clone(),
        };
        let [one, other] = [first, &second].map(|taken| plain(&taken.looked.name));
        let made = retarget(&second.take, &body)
            .map_err(|error| Problem::new(format!("cannot put {other} on the body of {one}: {error}")))?;
        second.known.notes.push(format!(
            "{other} was put on the body of {one}, whose legs are {:.3} times as long",
            made.scale
        ));
        second.take = made.take;
    }
    Ok(second)
}

/// From one floor onto another; a motion whose floor is that one already stays, to the bit.
fn onto(own: &Plane, floor: &Plane, motion: &Motion) -> Placement {
    let is_same = (own.normal - floor.normal).length() < SAME_FLOOR
        && motion.poses.iter().all(|pose| {
            let root = pose.offsets.first().copied().unwrap_or_default();
            (own.above(root) - floor.above(root)).abs() < SAME_FLOOR
        });
    if is_same { Placement::STAYS } else { Placement::onto(own, floor) }
}

/// Why two files cannot become one, and what to do about it.
pub fn pair_problem(first: &Taken, second: &Taken, error: &PairError) -> Problem {
    let names = format!("{} and {}", plain(&first.looked.name), plain(&second.looked.name));
    let problem = Problem::new(format!("cannot take {names} together: {error}"));
    match error {
        PairError::Joints { .. } | PairError::Joint { .. } | PairError::Bone { .. } => {
            problem.help("--retarget puts the second motion on the body of the first beforehand")
        }
        PairError::Rates { .. } => {
            problem.help("`--fps` says what rate both have, if a file says it wrongly")
        }
        _ => problem,
    }
}

/// A velocity that only planted feet can tell.
pub fn no_speed(flag: &str) -> Problem {
    Problem::new(format!("{flag} needs planted feet to tell the speed by, and there are none"))
        .help("--plants gives them")
}

fn taken(
    looked: Looked,
    mut scene: Scene,
    plants: Option<&Path>,
    ending: &Ending,
    belt_is: Belt,
) -> Result<Taken, Problem> {
    let mut known = plants::known(plants, &scene)?;
    scene.settle(&known.plants);
    let floor_of_plants = scene.floor_of_plants;
    let mut take = scene.take(&known);
    if ending.root_motion {
        let belt = take.ground.or_else(|| belt(&take)).ok_or_else(|| no_speed("--root-motion"))?;
        take = root_motion(&take, belt);
        known.ground = None;
    } else if let (Belt::Unrolled, Some(ground)) = (belt_is, known.ground) {
        known.ground = None;
        take = take.from_ground();
        known.notes.push(format!(
            "the ground moves at {:.2} m/s, as on a treadmill: the body was given its way back; --in-place takes it off",
            ground.length()
        ));
    }
    let seen = Scene::of(&take.from_ground(), floor_of_plants);
    let figures = figures(&seen.motion, None, &seen, &take.plants)
        .map_err(|why| Problem::new(format!("cannot measure {}: {why}", plain(&looked.name))))?;
    Ok(Taken { looked, known, take, floor_of_plants, figures })
}
