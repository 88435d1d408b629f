//! `sample`: generates a motion with known plants.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use surefoot::text::printable;
use surefoot::{SampleFiles, sample_files};
use surefoot_core::Motion;
use surefoot_formats::{gltf, usd};
use surefoot_sample::{Body, Kind, Recipe, Skate};

use crate::args::Force;
use crate::input::is_dash;
use crate::output::{claim_all, write_all};
use crate::problem::{CommandError, Problem};

/// Generate a motion with known plants
///
/// Writes a BVH file in centimetres, Y up (Z up for the skeleton z-up), and a plants file beside it:
/// walk.bvh and walk.plants.json. An output named .glb or .usda is a glTF or USD file. The same flags give the same bytes on every machine.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot sample walk
  surefoot sample run -o sprint.bvh --seconds 5 --fps 120
  surefoot sample walk -o skating.bvh --skate scale=1.15
  surefoot sample walk -o walk.usda
  surefoot sample walk -o dog.bvh --skeleton four-legs
  surefoot sample stairs --floor-out stairs.obj
  surefoot sample stand -o - | surefoot inspect -")]
pub struct Sample {
    /// The kind of motion
    #[arg(value_name = "KIND", value_parser = kinds())]
    kind: Kind,

    /// The file to write: .bvh, or .glb and .usda in metres, Y up; - is stdout, without a plants file
    /// [default: KIND.bvh]
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,

    /// Frames per second, from 1 to 1000
    #[arg(long, value_name = "RATE", default_value_t = Recipe::default().fps)]
    fps: f64,

    /// Length in seconds, up to 600
    #[arg(long, value_name = "SECONDS", default_value_t = Recipe::default().seconds)]
    seconds: f64,

    /// The skeleton: a human, a human without toe joints, a dog, or the human on another rig
    ///
    /// ground-root: a root at the origin that never moves, bones along X; root-pelvis: a root on the ground and the
    /// names of Unreal; no-spine, one-spine (as in OpenSim), six-spines; twist: twist joints; z-up: a file with Z up;
    /// mirrored: right limbs reversed at rest; a-pose, i-pose, bent: other rest poses; child: scaled by 0.6.
    #[arg(long, value_name = "BODY", value_parser = bodies(), default_value = Body::Human.as_str())]
    skeleton: Body,

    /// Damage the motion so that its feet slide [default: no damage]
    ///
    /// scale=1.1    the path is longer by this factor, as after retargeting;
    /// drift=0.025  the body drifts by this many metres, as with cameras or inertial sensors;
    /// noise=0.002  every joint shakes, by this many metres at the root, as with loose markers;
    /// blend=0.5    the motion is blended with a slower copy of itself, with up to this weight.
    ///
    /// Without =AMOUNT, the amount shown here is used.
    #[arg(long, value_name = "DAMAGE[=AMOUNT]", value_parser = skate, verbatim_doc_comment)]
    skate: Option<Skate>,

    /// Seed of the random variation and of the damage
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    seed: u64,

    /// Also write the stairs as a mesh, for --floor of other commands; - is stdout
    /// [default: not written]
    #[arg(long, value_name = "FLOOR.obj", value_hint = ValueHint::FilePath)]
    floor_out: Option<PathBuf>,

    #[command(flatten)]
    force: Force,
}

pub fn run(args: &Sample) -> Result<(), CommandError> {
    let default = || PathBuf::from(format!("{}.bvh", args.kind.as_str()));
    let name = args.output.clone().unwrap_or_else(default);
    let existing = args.force.existing();
    let plants_name = name.with_extension("plants.json");
    if args.floor_out.is_some() && args.kind != Kind::Stairs {
        let level = format!("the floor of a {} is level, at height 0", args.kind.as_str());
        return Err(Problem::new(level)
            .help("only stairs need --floor-out; elsewhere pass --floor 0")
            .into());
    }
    let names: Vec<&Path> = [name.as_path()].into_iter().chain(args.floor_out.as_deref()).collect();
    let has_plants = claim_all(&names, existing)?[0].is_file();
    let names = [names, has_plants.then_some(plants_name.as_path()).into_iter().collect()].concat();
    let outputs = claim_all(&names, existing)?;
    let recipe = Recipe {
        kind: args.kind,
        body: args.skeleton,
        fps: args.fps,
        seconds: args.seconds,
        skate: args.skate,
        seed: args.seed,
    };
    let SampleFiles { bvh, motion, plants, stairs, .. } =
        sample_files(&recipe).map_err(|error| Problem::new(error.to_string()))?;
    let up = if args.skeleton == Body::ZUp { 'Z' } else { 'Y' };
    let new_file = written(&name, &motion)?;
    let space =
        if new_file.is_some() { "in metres, Y up".into() } else { format!("in centimetres, {up} up") };
    let bvh = new_file.unwrap_or(bvh);
    let floor = args.floor_out.as_ref().map(|_| stairs.as_slice());
    let bytes = [Some(bvh.as_slice()), floor, Some(plants.as_slice())].into_iter().flatten();
    write_all(outputs.into_iter().zip(bytes).collect())?;
    if has_plants {
        print_written(&name, &plants_name, &space);
    }
    if let Some(floor) = args.floor_out.as_ref().filter(|floor| !is_dash(floor)) {
        stderr_line!(
            "{}: the stairs, a mesh in centimetres, {up} up",
            printable(&floor.display().to_string())
        );
    }
    Ok(())
}

/// The motion in the format of the file's name, if that is another one than BVH.
fn written(name: &Path, motion: &Motion) -> Result<Option<Vec<u8>>, Problem> {
    let ending = name.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let bytes = match ending.to_ascii_lowercase().as_str() {
        "glb" => gltf::from_motion(motion),
        "usda" => usd::from_motion(motion),
        _ => return Ok(None),
    };
    bytes.map(Some).map_err(|error| Problem::new(error.to_string()))
}

fn print_written(motion: &Path, plants: &Path, space: &str) {
    let [motion, plants] = [motion, plants].map(|name| printable(&name.display().to_string()));
    stderr_line!("{motion}: the motion, {space}");
    stderr_line!("{plants}: its plants");
}

fn kinds() -> impl TypedValueParser<Value = Kind> {
    PossibleValuesParser::new(Kind::every().map(Kind::as_str))
        .try_map(|word| Kind::from_name(&word).ok_or("no such kind"))
}

fn bodies() -> impl TypedValueParser<Value = Body> {
    PossibleValuesParser::new(Body::ALL.into_iter().chain(Body::RIGS).map(Body::as_str))
        .try_map(|word| Body::from_name(&word).ok_or("no such body"))
}

/// The damage of `--skate`, with or without `=AMOUNT`.
fn skate(text: &str) -> Result<Skate, String> {
    let (word, amount) = match text.split_once('=') {
        Some((word, amount)) => (word, Some(amount)),
        None => (text, None),
    };
    let skate = Skate::from_name(word).ok_or("expected scale, drift, noise or blend")?;
    match amount.map(str::parse) {
        None => Ok(skate),
        Some(Ok(amount)) => Ok(skate.with_amount(amount)),
        Some(Err(_)) => Err(format!("expected a number after {word}=")),
    }
}
