//! `inspect`: the content of a file, and the values inferred from it.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use surefoot::Parameters;
use surefoot::parameters::{Parameter, Value};
use surefoot_formats::rig;

use crate::args::{FileOptions, Force};
use crate::input::check_exists;
use crate::output::{self, Output, print};
use crate::problem::{CommandError, Problem};
use crate::source::{add_plants, load};
use crate::stderr::write_stderr;

/// Show the content of a motion file and the values inferred from it
///
/// Prints joints, frames, frame rate, unit, up axis, floor, legs and the points of each foot, with
/// the confidence and the reason of each inferred value. To correct a wrong value, use the flags
/// below, or write a rig file with --rig-out, edit it and pass it with --rig.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot inspect walk.bvh
  surefoot inspect walk.bvh --json
  surefoot inspect walk.bvh --unit inch --up z --floor 0
  surefoot inspect walk.bvh --rig-out walk.rig.toml
  surefoot inspect walk.bvh --hold feet,hands
  surefoot inspect other.bvh --rig walk.rig.toml
  cat walk.bvh | surefoot inspect -")]
pub struct Inspect {
    /// A motion file; - is stdin
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,

    /// Print the result as one JSON value [default: as text]
    #[arg(long)]
    json: bool,

    /// Also write the inferred values to a rig file; - is stdout [default: not written]
    #[arg(long, value_name = "RIG.toml", value_hint = ValueHint::FilePath)]
    rig_out: Option<PathBuf>,

    /// Which limbs are of interest: feet, hands or feet,hands. With hands the arms are shown and written too [default:
    /// feet]
    #[arg(long, value_name = "LIMBS", value_parser = parse_hold)]
    hold: Option<Value>,

    #[command(flatten)]
    force: Force,

    #[command(flatten)]
    file_options: FileOptions,
}

fn hold() -> &'static Parameter {
    Parameter::named("hold").expect("hold is a parameter")
}

fn parse_hold(text: &str) -> Result<Value, String> {
    hold().parse(text)
}

pub fn run(args: &Inspect) -> Result<(), CommandError> {
    check_exists([args.file.as_path()])?;
    let claim = |name: &PathBuf| Output::claim(name, args.force.existing());
    let rig_out = args.rig_out.as_ref().map(claim).transpose()?;
    let rig_on_stdout = rig_out.as_ref().is_some_and(Output::is_stdout);
    if rig_on_stdout && args.json {
        let both = "--json and --rig-out - cannot both go to stdout";
        return Err(Problem::new(both).help("give the rig file a name").into());
    }
    let mut source = load(&args.file, &args.file_options)?;
    if let Some(value) = args.hold {
        let mut given = Parameters::default();
        given.set(hold(), value);
        source.file.set_detection(&given);
    }
    if let Some(output) = rig_out {
        let (skeleton, inference) = (source.file.source.skeleton(), &source.file.inference);
        let rig = match source.file.detection.hold.holds_hands() {
            true => rig::write_with_arms(skeleton, inference),
            false => rig::write(skeleton, inference),
        };
        output.write(rig.as_bytes())?;
    }
    if source.file.require_legs().is_ok() {
        // The plants show whether the ground moves.
        add_plants(&mut source.file, None)?;
    }
    let settings = source.settings.file.as_deref();
    if args.json {
        return print(&output::json(&source.file.inspect(settings))?);
    }
    let text = source.file.inspection_text(settings);
    if rig_on_stdout {
        write_stderr(&text);
        return Ok(());
    }
    print(text.as_bytes())
}
