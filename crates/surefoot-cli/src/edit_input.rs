//! The motions that an edit works on: one, or two of the same body on one floor.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use surefoot::MotionFile;
use surefoot::edit_files::{
    RootMotion, add_root_motion, put_on_floor_of, resample_to_rate_of, retarget_to_body_of, share_legs,
};
use surefoot::parameters::Value;
use surefoot_contact::Hold;
use surefoot_edit::PairError;

use crate::args::FileOptions;
use crate::edit_output::EditOptions;
use crate::input::is_dash;
use crate::output::Output;
use crate::output_names::OutputNames;
use crate::problem::Problem;
use crate::source::{MotionInput, Source, add_plants, check_plants_stdin, load_with_legs};

/// Two motion files that become one.
#[derive(Args, Debug)]
pub struct MotionPair {
    /// A motion file; - is stdin
    #[arg(value_name = "FIRST", value_hint = ValueHint::FilePath)]
    pub first: PathBuf,

    /// A motion file of the same body; another frame rate is resampled to that of the first; - is stdin
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
    /// The output names of an edit of both files, and the outputs, checked to be writable. `map` is a drawing of the
    /// distances between them.
    pub fn check_outputs(
        &self,
        options: &EditOptions,
        command: &str,
        map: Option<&PathBuf>,
    ) -> Result<(OutputNames, Vec<Output>), Problem> {
        let map = map.map(|name| (name, "the map of distances; open it in a browser"));
        options.check_outputs(&[&self.first, &self.second], command, map)
    }
}

/// What a motion is loaded for.
pub enum Purpose {
    /// To be cleaned as it is: hands can be held as well as feet.
    Clean,
    /// To be edited. The value is what the edit needs; `--root-motion` overrides it.
    Edit(RootMotion),
}

/// Loads a motion with its plants.
pub fn load_motion(input: &MotionInput, options: &EditOptions, purpose: Purpose) -> Result<Source, Problem> {
    check_plants_stdin(&input.file, input.plants.as_deref())?;
    let mut source = load_with_legs(&input.file, &options.file_options)?;
    let needed = match purpose {
        Purpose::Clean => {
            source.file.set_detection(&options.clean.detection.0);
            RootMotion::Keep
        }
        Purpose::Edit(root_motion) => {
            hold_feet(&mut source.file, options)?;
            root_motion
        }
    };
    add_plants(&mut source.file, input.plants.as_deref())?;
    let root_motion = options.root_motion_choice().unwrap_or(needed);
    add_root_motion(&mut source.file, root_motion).map_err(|_| no_plants_problem("--root-motion"))?;
    Ok(source)
}

/// Sets the detector of a motion to edit. Edits hold feet only, also where `surefoot.toml` adds hands.
fn hold_feet(file: &mut MotionFile, options: &EditOptions) -> Result<(), Problem> {
    let given = &options.clean.detection.0;
    if given.get("hold").is_some_and(|value| value != Value::Word(Hold::Feet.as_str())) {
        let problem =
            Problem::new("--hold hands works with clean, detect, inspect and batch, not with this command");
        return Err(problem.help("clean the result of the edit with `surefoot clean --hold feet,hands`"));
    }
    given.apply_to_detection(&mut file.detection);
    file.detection.hold = Hold::Feet;
    file.update_held_limbs();
    Ok(())
}

/// Loads two motions of one body. The second is read with the unit, axes and legs of the first, and put on the floor of
/// the first.
pub fn load_two(pair: &MotionPair, options: &EditOptions) -> Result<[Source; 2], Problem> {
    let plants = [pair.plants_a.as_deref(), pair.plants_b.as_deref()];
    let all = [pair.first.as_path(), &pair.second].into_iter().chain(plants.into_iter().flatten());
    if all.filter(|name| is_dash(name)).count() > 1 {
        return Err(Problem::new("two inputs are -, but stdin can be read only once"));
    }
    let root_motion = options.root_motion_choice().unwrap_or(RootMotion::AddWhereInPlace);
    let with_plants = |mut source: Source, plants: Option<&Path>| {
        hold_feet(&mut source.file, options)?;
        add_plants(&mut source.file, plants)?;
        add_root_motion(&mut source.file, root_motion).map_err(|_| no_plants_problem("--root-motion"))?;
        Ok::<_, Problem>(source)
    };
    let first = with_plants(load_with_legs(&pair.first, &options.file_options)?, plants[0])?;
    let mut second = load_with_legs(&pair.second, &second_file_options(&first, pair, options))?;
    if !pair.retarget {
        share_legs(&first.file, &mut second.file);
    }
    let mut second = with_plants(second, plants[1])?;
    resample_to_rate_of(&first.file, &mut second.file)
        .map_err(|error| Problem::new(format!("cannot resample {}: {error}", second.name())))?;
    if pair.retarget {
        retarget_to_body_of(&first.file, &mut second.file).map_err(|error| {
            let [one, other] = [first.name(), second.name()];
            Problem::new(format!("cannot retarget {other} to the body of {one}: {error}"))
        })?;
    }
    put_on_floor_of(&first.file, &mut second.file);
    Ok([first, second])
}

/// The facts about the second file. Another body may have another unit and other axes.
fn second_file_options(first: &Source, pair: &MotionPair, options: &EditOptions) -> FileOptions {
    let (space, stated) = (first.file.space(), options.file_options.clone());
    match pair.retarget {
        true => stated,
        false => FileOptions {
            unit: stated.unit.or(Some(space.unit_m)),
            up: stated.up.or(Some(space.up)),
            ..stated
        },
    }
}

/// The problem of two files that cannot be combined, with a suggestion.
pub fn pair_problem(first: &Source, second: &Source, error: &PairError) -> Problem {
    let names = format!("{} and {}", first.name(), second.name());
    let problem = Problem::new(format!("cannot combine {names}: {error}"));
    match error {
        PairError::Joints { .. } | PairError::Joint { .. } | PairError::Bone { .. } => {
            problem.help("--retarget retargets the second motion to the body of the first")
        }
        _ => problem,
    }
}

/// The problem of a flag that needs plants to measure the speed over the ground.
pub fn no_plants_problem(flag: &str) -> Problem {
    Problem::new(format!(
        "{flag} needs planted feet to measure the speed over the ground, but no plants were found"
    ))
    .help("pass them with --plants")
}
