//! `retarget`: transfers a motion to another body.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use serde::Serialize;
use surefoot_core::{JointId, Motion, Skeleton};
use surefoot_edit::retarget::{Match, RetargetResult, TargetBody, is_same_body, retarget};
use surefoot_formats::bvh::Bvh;
use surefoot_formats::rig;

use crate::args::FileOptions;
use crate::edit_input::{InPlaceMotion, load_one};
use crate::edit_output::{Description, EditOptions, finish_edit, write_and_print};
use crate::input::{self, Input, is_dash};
use crate::problem::{CommandError, Problem, warn};
use crate::source::{MotionInput, Source, load_with_legs};
use crate::text::printable;
use surefoot::parse;

/// Transfer a motion to another body, with planted feet held
///
/// Joints are matched by their role: legs, spine, neck, head, arms, fingers. Rest poses (T-pose,
/// A-pose, captured) and joint axes may differ. The root motion is scaled by the length of the legs,
/// the plants are moved with the motion, and the feet are held as by `clean`.
///
/// The output has the skeleton, unit and axes of the target.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot retarget walk.bvh --to child.bvh
  surefoot retarget walk.bvh --to child.bvh --report walk.report.html
  surefoot retarget walk.bvh --to giant.toml -o giant.walk.bvh
  surefoot retarget walk.bvh --to robot.bvh --stretch 0 --no-clean")]
pub struct Retarget {
    #[command(flatten)]
    input: MotionInput,

    /// The target body: a BVH file, whose frames are not used, or a rig file that names one
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

/// The description of the edit in JSON.
#[derive(Serialize)]
struct Details {
    to: String,
    scale: f64,
    raised_m: f64,
    matched: Vec<Matched>,
    left_in_motion: Vec<String>,
    left_in_target: Vec<String>,
}

#[derive(Serialize)]
struct Matched {
    role: String,
    from: String,
    /// If the target joint lies between two joints: the joint after `from`, and the fraction of the way to it.
    towards: Option<(String, f64)>,
    to: String,
    how: &'static str,
}

pub fn run(args: &Retarget) -> Result<(), CommandError> {
    if is_dash(&args.to) {
        return Err(Problem::new("--to cannot be stdin: pass the name of a file").into());
    }
    let options = &args.options;
    let (names, outputs) = options.claim(&[&args.input.file, &args.to], "retarget", None)?;
    let source = load_one(&args.input, options, InPlaceMotion::Keep)?;
    let mut to = load_target(args, &source)?;
    to.file.warnings().iter().for_each(|warning| {
        warn(&format!("{}: {}", to.name(), printable(warning)));
    });
    let target = TargetBody {
        skeleton: to.clip().motion.skeleton.clone(),
        legs: to.clip().legs.clone(),
        poses: to.clip().performance_poses().to_vec(),
        floor: to.clip().floor.clone(),
    };
    let clip = source.clip();
    let RetargetResult { clip: edited, matching, scale, height_offset: raised } = retarget(clip, &target)
        .map_err(|error| {
            Problem::new(format!("cannot retarget {} to {}: {error}", source.name(), to.name()))
        })?;
    // On the same body the file of the motion is kept, with unchanged numbers copied byte for byte.
    let own = is_same_body(&clip.motion.skeleton, &target.skeleton);
    if !own {
        to.file.bvh = without_frames(&to, edited.motion.fps)?;
    }
    let (from, onto) = (&clip.motion.skeleton, &target.skeleton);
    let matched: Vec<Matched> = matching.matches.iter().map(|one| match_json(one, from, onto)).collect();
    let names_of = |joints: &[JointId], of: &Skeleton| -> Vec<String> {
        joints.iter().map(|&joint| of.joint(joint).name.clone()).collect()
    };
    let details = Details {
        to: to.file.name.clone(),
        scale,
        raised_m: raised,
        left_in_motion: names_of(&matching.unmatched_source, from),
        left_in_target: names_of(&matching.unmatched_target, onto),
        matched,
    };
    let written_like = (!own).then(|| to.file.target());
    let finished = finish_edit(&[&source], Cow::Owned(edited), written_like, options)?;
    let description = Description {
        command: "retarget",
        about: about(&details),
        table: Some(("Joints of the target and the joints they follow", rows(&details))),
        details,
    };
    write_and_print(options, (&names, outputs), &[&source], &finished, &description, None)
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
            && is_same_body(source.file.bvh.skeleton(), to.file.bvh.skeleton())
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
    let named =
        rig::skeleton_path(&text).map_err(|error| Problem::in_text(&name, &text, &error.to_string()))?;
    let Some(named) = named else {
        return Err(Problem::new(format!("{} does not name a skeleton", printable(&name)))
            .help("add a line such as skeleton = \"body.bvh\", or pass the BVH file itself"));
    };
    let folder = args.to.parent().unwrap_or(Path::new(""));
    load_with_legs(&folder.join(named), &file_options(Some(args.to.clone())))
}

/// The target file without its frames.
fn without_frames(to: &Source, fps: f64) -> Result<Bvh, Problem> {
    let skeleton = to.clip().motion.skeleton.clone();
    let empty = Motion { skeleton, fps, poses: Vec::new() };
    let cannot = |reason: String| Problem::new(format!("cannot use the skeleton of {}: {reason}", to.name()));
    let text = to.file.bvh.write(&empty, &to.file.space()).map_err(|error| cannot(error.to_string()))?;
    let mut bvh = Bvh::read(text).map_err(|error| cannot(error.to_string()))?;
    bvh.set_rate(fps);
    Ok(bvh)
}

fn match_json(one: &Match, from: &Skeleton, to: &Skeleton) -> Matched {
    Matched {
        role: one.role.to_string(),
        from: from.joint(one.from).name.clone(),
        towards: one.towards.map(|(joint, part)| (from.joint(joint).name.clone(), part)),
        to: to.joint(one.to).name.clone(),
        how: one.found_by.as_str(),
    }
}

fn about(details: &Details) -> Vec<String> {
    let Details { to, scale, raised_m, matched, left_in_motion, left_in_target } = details;
    let mut about = vec![format!(
        "Retargeted to {}, whose legs are {scale:.3} times as long: {} joints matched; {} joints of the motion and {} of \
         the target have no counterpart.",
        super::join::file_name(to),
        matched.len(),
        left_in_motion.len(),
        left_in_target.len()
    )];
    // A smaller change is rounding in the file.
    if raised_m.abs() > 1e-5 {
        let (way, by) = (if *raised_m > 0.0 { "raised" } else { "lowered" }, raised_m.abs() * 1000.0);
        about.push(format!(
            "The body was {way} by {by:.2} mm so that planted feet have their height above the floor."
        ));
    }
    about
}

fn rows(details: &Details) -> Vec<Vec<String>> {
    let mut rows = vec![["target joint", "follows", "role", "matched by"].map(String::from).to_vec()];
    for one in &details.matched {
        let from = match &one.towards {
            Some((next, part)) => format!("{}, {:.0} % to {next}", one.from, part * 100.0),
            None => one.from.clone(),
        };
        rows.push(vec![one.to.clone(), from, one.role.clone(), one.how.into()]);
    }
    let left = |name: &String| vec![name.clone(), "–".into(), "keeps its rest pose".into(), String::new()];
    rows.extend(details.left_in_target.iter().map(left));
    rows.extend(
        details
            .left_in_motion
            .iter()
            .map(|name| vec!["–".into(), name.clone(), "not used".into(), String::new()]),
    );
    rows
}
