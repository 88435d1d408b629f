//! The motions that an edit works on: one, or two of the same body on one floor.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use surefoot::Clip;
use surefoot_core::{Motion, Plane, RigidTransform};
use surefoot_edit::PairError;
use surefoot_edit::in_place::{root_motion, treadmill_velocity};
use surefoot_edit::retarget::{TargetBody, is_same_body, retarget};

use crate::args::FileOptions;
use crate::edit_output::EditOptions;
use crate::input::is_dash;
use crate::problem::Problem;
use crate::source::{MotionInput, Source, add_plants, check_plants_stdin, load_with_legs};

/// Two motion files that become one.
#[derive(Args, Debug)]
pub struct MotionPair {
    /// A BVH file; - is stdin
    #[arg(value_name = "FIRST", value_hint = ValueHint::FilePath)]
    pub first: PathBuf,

    /// A BVH file of the same body at the same frame rate; - is stdin
    #[arg(value_name = "SECOND", value_hint = ValueHint::FilePath)]
    pub second: PathBuf,

    /// Retarget the second motion to the body of the first, as `surefoot retarget` does
    /// [default: files with different bodies are refused]
    #[arg(long)]
    pub retarget: bool,

    /// The plants of the first file, JSON or CSV [default: detected]
    #[arg(long, value_name = "PLANTS", value_hint = ValueHint::FilePath)]
    pub plants_a: Option<PathBuf>,

    /// The plants of the second file, JSON or CSV [default: detected]
    #[arg(long, value_name = "PLANTS", value_hint = ValueHint::FilePath)]
    pub plants_b: Option<PathBuf>,
}

impl MotionPair {
    /// Both files.
    pub fn files(&self) -> [&Path; 2] {
        [&self.first, &self.second]
    }
}

/// What an edit does with a motion that was captured in place, on ground that moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InPlaceMotion {
    /// It is edited as it is.
    Keep,
    /// It is given root motion first: the edit needs a body that travels.
    AddRootMotion,
}

/// Two floors closer than this, in metres under the body and as the sine of an angle, are the same floor, inferred
/// twice.
const SAME_FLOOR: f64 = 2e-3;

/// Loads a motion to edit.
pub fn load_one(
    input: &MotionInput,
    options: &EditOptions,
    in_place: InPlaceMotion,
) -> Result<Source, Problem> {
    check_plants_stdin(&input.file, input.plants.as_deref())?;
    let source = load_with_legs(&input.file, &options.file_options)?;
    with_plants(source, input.plants.as_deref(), options, in_place)
}

/// Loads two motions of one body. The second is read in the unit and axes of the first, with its legs, and put on its
/// floor.
pub fn load_two(pair: &MotionPair, options: &EditOptions) -> Result<[Source; 2], Problem> {
    let plants = [pair.plants_a.as_deref(), pair.plants_b.as_deref()];
    let all = [pair.first.as_path(), &pair.second].into_iter().chain(plants.into_iter().flatten());
    if all.filter(|name| is_dash(name)).count() > 1 {
        return Err(Problem::new("two inputs are -, but stdin can be read only once"));
    }
    let first = load_with_legs(&pair.first, &options.file_options)?;
    let first = with_plants(first, plants[0], options, InPlaceMotion::AddRootMotion)?;
    let mut second = load_second(&first, pair, options)?;
    if let (Some(floor), Some(own)) = (first.floor_plane(), second.floor_plane()) {
        let transform = between_floors(own, floor, &second.clip().motion);
        let clip = &mut second.file.clip;
        clip.motion = transform.motion(&clip.motion);
        for plant in &mut clip.plants.plants {
            plant.spot = plant.spot.map(|spot| transform.point(spot));
        }
    }
    Ok([first, second])
}

fn load_second(first: &Source, pair: &MotionPair, options: &EditOptions) -> Result<Source, Problem> {
    let space = first.file.space();
    let file_options = match pair.retarget {
        // Another body may have another unit and other legs.
        true => options.file_options.clone(),
        false => FileOptions {
            unit: options.file_options.unit.or(Some(space.unit_m)),
            up: options.file_options.up.or(Some(space.up)),
            ..options.file_options.clone()
        },
    };
    let mut second = load_with_legs(&pair.second, &file_options)?;
    let is_same_size = first.file.bvh.skeleton().len() == second.file.bvh.skeleton().len();
    if is_same_size && !pair.retarget {
        second.file.clip.legs = first.clip().legs.clone();
    }
    let mut second = with_plants(second, pair.plants_b.as_deref(), options, InPlaceMotion::AddRootMotion)?;
    if pair.retarget && !is_same_body(&first.clip().motion.skeleton, &second.clip().motion.skeleton) {
        retarget_to(first, &mut second)?;
    }
    Ok(second)
}

/// Retargets the second motion to the body of the first.
fn retarget_to(first: &Source, second: &mut Source) -> Result<(), Problem> {
    let Clip { motion, legs, floor, .. } = first.clip().performance();
    let body = TargetBody { skeleton: motion.skeleton, legs, poses: motion.poses, floor };
    let [one, other] = [first.name(), second.name()];
    let retargeted = retarget(second.clip(), &body)
        .map_err(|error| Problem::new(format!("cannot retarget {other} to the body of {one}: {error}")))?;
    second.file.plants_notes.push(format!(
        "{other} was retargeted to the body of {one}, whose legs are {:.3} times as long",
        retargeted.scale
    ));
    second.file.clip = retargeted.clip;
    Ok(())
}

/// The transform from one floor to another: the identity where they are the same, so that the motion stays as it is
/// to the bit.
fn between_floors(own: &Plane, floor: &Plane, motion: &Motion) -> RigidTransform {
    let is_same = (own.normal - floor.normal).length() < SAME_FLOOR
        && motion.poses.iter().all(|pose| {
            let root = pose.offsets.first().copied().unwrap_or_default();
            (own.above(root) - floor.above(root)).abs() < SAME_FLOOR
        });
    if is_same { RigidTransform::IDENTITY } else { RigidTransform::between_floors(own, floor) }
}

/// Why two files cannot become one, and what to do about it.
pub fn pair_problem(first: &Source, second: &Source, error: &PairError) -> Problem {
    let names = format!("{} and {}", first.name(), second.name());
    let problem = Problem::new(format!("cannot combine {names}: {error}"));
    match error {
        PairError::Joints { .. } | PairError::Joint { .. } | PairError::Bone { .. } => {
            problem.help("--retarget retargets the second motion to the body of the first")
        }
        PairError::Rates { .. } => {
            problem.help("`--fps` sets the frame rate of both, if a file states it wrongly")
        }
        _ => problem,
    }
}

/// The problem of a flag that needs plants to measure a speed by.
pub fn no_speed(flag: &str) -> Problem {
    Problem::new(format!("{flag} measures the speed over the ground by planted feet, and there are none"))
        .help("pass them with --plants")
}

fn with_plants(
    mut source: Source,
    plants: Option<&Path>,
    options: &EditOptions,
    in_place: InPlaceMotion,
) -> Result<Source, Problem> {
    add_plants(&mut source.file, plants)?;
    let clip = &mut source.file.clip;
    if options.root_motion {
        let velocity = clip
            .ground_velocity
            .or_else(|| treadmill_velocity(clip))
            .ok_or_else(|| no_speed("--root-motion"))?;
        *clip = root_motion(clip, velocity);
    } else if let (InPlaceMotion::AddRootMotion, Some(velocity)) = (in_place, clip.ground_velocity) {
        *clip = clip.relative_to_ground();
        source.file.plants_notes.push(format!(
            "the motion was captured in place, on ground that moves at {:.2} m/s: it was given root motion; \
             --in-place removes it again",
            velocity.length()
        ));
    }
    Ok(source)
}
