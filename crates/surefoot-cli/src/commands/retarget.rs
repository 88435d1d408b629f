//! `retarget`: transfers a motion to another body.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use surefoot::edit_files::{
    EditDescription, RetargetFileError, RetargetedClip, RootMotion, retarget_file, retargeted_format,
};
use surefoot::parse;
use surefoot::text::printable;
use surefoot_edit::retarget::is_same_body;
use surefoot_formats::rig;
use surefoot_formats::source::Format;

use crate::args::FileOptions;
use crate::edit_input::{Purpose, load_motion};
use crate::edit_output::{EditOptions, finish, write_and_print};
use crate::input::{self, Input, check_exists, is_dash};
use crate::problem::{CommandError, Problem, warn};
use crate::source::{MotionInput, Source, load_with_legs};

/// Transfer a motion to another body, with planted feet held
///
/// Joints are matched by their role: legs, spine, neck, head, arms, fingers. Rest poses (T-pose,
/// A-pose, captured) and joint axes may differ. The root motion is scaled by the length of the legs,
/// the plants are moved with the motion, and the feet are held as by `clean`.
///
/// The output has the skeleton, unit and axes of the target, and its format: a copy of the target, with
/// its skin. With another ending, .glb, .bvh or .usda, it is a new file with the joints of the target.
/// FBX and USD files cannot get another number of frames, so a motion on such a character becomes a
/// .glb file unless the output is named otherwise.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot retarget walk.bvh --to child.bvh
  surefoot retarget walk.bvh --to child.bvh --report walk.report.html
  surefoot retarget walk.bvh --to giant.toml -o giant.walk.bvh
  surefoot retarget walk.bvh --to robot.bvh -o robot.walk.glb
  surefoot retarget walk.bvh --to robot.bvh --no-clean")]
pub struct Retarget {
    #[command(flatten)]
    input: MotionInput,

    /// The target body: a motion file, whose frames are not used, or a rig file that names one
    ///
    /// The rig file is one written by `inspect --rig-out`, with a line `skeleton = "body.bvh"` added.
    #[arg(long, value_name = "SKELETON", value_hint = ValueHint::FilePath)]
    to: PathBuf,

    /// Unit of length of the target, like --unit [default: inferred from the size of the body]
    #[arg(long, value_name = "UNIT", value_parser = parse::unit)]
    to_unit: Option<f64>,

    /// Up axis of the target, like --up [default: inferred]
    #[arg(long, value_name = "AXIS", value_parser = parse::up_axis, allow_hyphen_values = true)]
    to_up: Option<surefoot_core::UpAxis>,

    #[command(flatten)]
    options: EditOptions,
}

pub fn run(args: &Retarget) -> Result<(), CommandError> {
    if is_dash(&args.to) {
        return Err(Problem::new("--to cannot be stdin: pass the name of a file").into());
    }
    let options = &args.options;
    check_exists([args.input.file.as_path(), &args.to])?;
    let source = load_motion(&args.input, options, Purpose::Edit(RootMotion::Keep))?;
    let to = load_target(args, &source)?;
    to.file.warnings().iter().for_each(|warning| {
        warn(&format!("{}: {}", to.name(), printable(warning)));
    });
    let (format, base) = output_format(args, &source, &to);
    let outputs = options.claim_outputs(&base, "retarget", None)?;
    let RetargetedClip { clip, mut details, target, .. } = retarget_file(&source.file, &to.file, format)
        .map_err(|error| {
            let (from, to) = (source.name(), to.name());
            Problem::new(match error {
                RetargetFileError::Retarget(error) => format!("cannot retarget {from} to {to}: {error}"),
                error => format!("cannot use the skeleton of {to}: {error}"),
            })
        })?;
    let mut result = finish(&[&source], Cow::Owned(clip), target, options)?;
    details.compare(&source.file.clip, &result.file.clip);
    result.notes.extend(details.deviation_note());
    let table = Some(("Joints of the target and the joints they follow", details.rows()));
    let description = EditDescription { command: "retarget", about: details.about(), table, details };
    write_and_print(options, outputs, &[&source], &result, &description, None)
}

/// The format of the output, and the name of the input with the ending of that format.
fn output_format(args: &Retarget, source: &Source, to: &Source) -> (Format, PathBuf) {
    let format_of = |path: &Path| Format::of_ending(path.extension()?.to_str()?);
    let format = args.options.writes.output.as_deref().and_then(format_of);
    let format = format.unwrap_or_else(|| retargeted_format(&source.file, &to.file));
    let input = &args.input.file;
    let named = [input, &args.to].into_iter().find(|path| format_of(path) == Some(format));
    let ending = match (named.and_then(|path| path.extension()), format) {
        (Some(ending), _) => ending.to_owned(),
        (None, Format::Gltf) => "glb".into(),
        (None, Format::Usd) => "usda".into(),
        (None, Format::Arrays) => "npz".into(),
        (None, Format::AcclaimMotion | Format::AcclaimSkeleton) => "amc".into(),
        (None, _) => "bvh".into(),
    };
    (format, if is_dash(input) { input.clone() } else { input.with_extension(ending) })
}

/// Reads the target: a motion file, or the one that a rig file names.
fn load_target(args: &Retarget, source: &Source) -> Result<Source, Problem> {
    let file_options = |rig: Option<PathBuf>| FileOptions {
        rig,
        unit: args.to_unit,
        up: args.to_up,
        ..FileOptions::default()
    };
    let is_rig = args.to.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml"));
    if !is_rig {
        let to = load_with_legs(&args.to, &file_options(None))?;
        // The same body has the same unit in both files, also where it was stated for one of them only.
        let has_other_unit = to.file.space().unit_m != source.file.space().unit_m;
        if args.to_unit.is_none()
            && has_other_unit
            && is_same_body(source.file.source.skeleton(), to.file.source.skeleton(), &source.file.clip.legs)
        {
            let unit = Some(source.file.space().unit_m);
            return load_with_legs(&args.to, &FileOptions { unit, ..file_options(None) });
        }
        return Ok(to);
    }
    let Input { name, bytes, .. } = input::read(&args.to)?;
    let text = String::from_utf8(bytes).map_err(|_| {
        Problem::new(format!("{} is not a rig file: its text is not UTF-8", printable(&name)))
    })?;
    let skeleton_path =
        rig::skeleton_path(&text).map_err(|error| Problem::in_text(&name, &text, &error.to_string()))?;
    let Some(skeleton_path) = skeleton_path else {
        return Err(Problem::new(format!("{} does not name a skeleton", printable(&name)))
            .help("add a line such as skeleton = \"body.bvh\", or pass the motion file itself"));
    };
    let folder = args.to.parent().unwrap_or(Path::new(""));
    load_with_legs(&folder.join(skeleton_path), &file_options(Some(args.to.clone())))
}
