//! The last part of every edit: cleans, writes, measures and prints the result.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use serde::Serialize;
use surefoot::edit_files::{EditDescription, EditSummary, EditedFile, RootMotion, finish_edit};
use surefoot::text::printable;
use surefoot::{Clip, Error, MotionFile, OutputSettings, Target, plants_bytes};
use surefoot_edit::root_convention::Engine;

use crate::args::FileOptions;
use crate::commands::clean::CleanOptions;
use crate::edit_input::no_plants_problem;
use crate::input::{check_exists, with_spinner};
use crate::limits::{self, LimitOptions};
use crate::output::{Output, json, print, write_all};
use crate::output_names::{OutputNames, OutputOptions};
use crate::problem::{CommandError, Problem, warn};
use crate::source::Source;

/// The value of `--root-motion` or `--in-place`: the engine whose convention the root bone follows, if any.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootFlag(pub Option<Engine>);

fn engine() -> impl TypedValueParser<Value = RootFlag> {
    let names = Engine::ALL.map(Engine::as_str).into_iter().map(PossibleValue::new);
    let values = names.chain([PossibleValue::new("").hide(true)]);
    PossibleValuesParser::new(values.collect::<Vec<_>>()).map(|word| RootFlag(Engine::from_name(&word)))
}

/// The flags of every command that edits a motion.
#[derive(Args, Debug, Default)]
pub struct EditOptions {
    #[command(flatten)]
    pub writes: OutputOptions,

    /// Also write the plants that were held, as a file that can be edited; - is stdout [default: not written]
    #[arg(long, value_name = "PLANTS", value_hint = ValueHint::FilePath)]
    pub plants_out: Option<PathBuf>,

    /// Skip the cleanup: do not hold planted feet [default: planted feet are held]
    #[arg(long)]
    pub no_clean: bool,

    /// The motion is a loop: its end meets its start, and plants may continue across the seam
    /// [default: start and end are independent]
    #[arg(long = "loop")]
    pub looped: bool,

    /// Add root motion first, to a motion that was captured in place, as on a treadmill
    ///
    /// The speed is that of the ground under planted feet, as the median over plants.
    /// With =unity, =unreal or =godot, the root bone is put where that engine expects it: on the ground
    /// below the hips, turning with them (Unreal, Godot), or at the origin with the motion on the hips
    /// (Unity). [default: a motion in place stays in place, unless the edit needs root motion]
    #[arg(long, value_name = "ENGINE", num_args = 0..=1, require_equals = true, value_parser = engine())]
    #[arg(default_missing_value = "")]
    pub root_motion: Option<RootFlag>,

    /// Remove the root motion at the end, so that the body stays in place, as on a treadmill
    ///
    /// The speed is that at which the body passes its plants, as the median over plants; for a loop it
    /// is the travel of one cycle. With =unity, =unreal or =godot, a root bone above the hips also stays
    /// at the origin, as that engine expects. [default: root motion is kept]
    #[arg(long, value_name = "ENGINE", num_args = 0..=1, require_equals = true, value_parser = engine())]
    #[arg(default_missing_value = "")]
    pub in_place: Option<RootFlag>,

    #[command(flatten)]
    pub clean: CleanOptions,

    #[command(flatten)]
    pub limits: LimitOptions,

    #[command(flatten)]
    pub file_options: FileOptions,
}

impl EditOptions {
    /// The root motion that `--root-motion` adds. With the name of an engine a motion that travels stays as it is.
    pub fn root_motion_choice(&self) -> Option<RootMotion> {
        self.root_motion.map(|RootFlag(engine)| match engine {
            None => RootMotion::Add,
            Some(_) => RootMotion::AddWhereInPlace,
        })
    }

    /// The output names of an edit of this file, and the outputs, checked to be writable.
    pub fn check_outputs(
        &self,
        inputs: &[&Path],
        command: &str,
        other: Option<(&PathBuf, &'static str)>,
    ) -> Result<(OutputNames, Vec<Output>), Problem> {
        check_exists(inputs.iter().copied())?;
        self.claim_outputs(inputs[0], command, other)
    }

    /// The same for inputs that were read already; the default names are those for a file named `base`.
    pub fn claim_outputs(
        &self,
        base: &Path,
        command: &str,
        other: Option<(&PathBuf, &'static str)>,
    ) -> Result<(OutputNames, Vec<Output>), Problem> {
        let names = OutputNames {
            plants: self.plants_out.clone(),
            other: other.map(|(name, what)| (name.clone(), what)),
            ..OutputNames::new(base, command, &self.writes)
        };
        let outputs = names.claim(&self.writes)?;
        Ok((names, outputs))
    }
}

/// Finishes an edit of these sources: cleans it, writes it like `target`, reads it back and measures it.
pub fn finish<'a>(
    sources: &[&Source],
    edited: Cow<'a, Clip>,
    target: Option<Target>,
    options: &EditOptions,
) -> Result<EditedFile<'a>, Problem> {
    let first = sources[0];
    let settings = options.clean.settings(&first.settings)?;
    let output = OutputSettings {
        clean: (!options.no_clean).then_some(settings),
        make_loop: options.looped,
        in_place: options.in_place.is_some(),
        engine: [options.in_place, options.root_motion]
            .into_iter()
            .flatten()
            .find_map(|RootFlag(engine)| engine),
    };
    let target = target.unwrap_or_else(|| first.file.target());
    let files: Vec<&MotionFile> = sources.iter().map(|source| &source.file).collect();
    let result = with_spinner(first.size, "cleaning", || finish_edit(&files, edited, target, &output));
    result.map_err(|error| match error {
        Error::NoGroundSpeed => no_plants_problem("--in-place"),
        Error::NoRootBone(error) => Problem::new(error.to_string()).help(
            "`surefoot retarget --to RIG.bvh` moves the motion to a rig with a root bone; \
                 `surefoot sample stand --skeleton root-pelvis -o RIG.bvh` writes one",
        ),
        error => {
            let names: Vec<String> = sources.iter().map(|source| source.name()).collect();
            Problem::new(format!("cannot process {}: {error}", names.join(" and ")))
        }
    })
}

/// Writes all outputs of an edit: the motion, its plants, its report and the further output of the command.
pub fn write_outputs(
    result: &EditedFile,
    (names, outputs): (&OutputNames, Vec<Output>),
    report: Option<String>,
    other: Option<String>,
) -> Result<(), CommandError> {
    let plants = names.plants.as_ref().map(|name| plants_bytes(name, &result.file.stored_plants()));
    let texts = [report, other].map(|text| text.map(String::into_bytes));
    let others: Vec<Vec<u8>> = [plants].into_iter().chain(texts).flatten().collect();
    let bytes = [result.file.bytes.as_slice()].into_iter().chain(others.iter().map(Vec::as_slice));
    write_all(outputs.into_iter().zip(bytes).collect())
}

/// The title of a report: the name of the written file.
pub fn report_title(motion: &Path) -> String {
    motion.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Writes the outputs of an edit, prints the result and checks the limits.
pub fn write_and_print<D: Serialize>(
    options: &EditOptions,
    (names, outputs): (OutputNames, Vec<Output>),
    sources: &[&Source],
    result: &EditedFile,
    description: &EditDescription<D>,
    other: Option<String>,
) -> Result<(), CommandError> {
    let files: Vec<&MotionFile> = sources.iter().map(|source| &source.file).collect();
    let summary = EditSummary::new(&files, result, description)
        .map_err(|(name, error)| Problem::new(format!("cannot measure {}: {error}", printable(&name))))?;
    let report = names.report.as_ref().map(|_| summary.report_page(&report_title(&names.motion)));
    let report =
        report.transpose().map_err(|error| Problem::new(format!("cannot make the report: {error}")))?;
    let written = write_outputs(result, (&names, outputs), report, other);
    let limits_missed = options.limits.missed(&sources[0].settings, &result.file.figures);
    let warnings: Vec<String> = files.iter().flat_map(|file| file.warnings()).collect();
    let printed = written.and_then(|()| {
        if options.writes.json {
            return print(&json(&summary.value(names.written(), &warnings, &limits_missed))?);
        }
        warnings.iter().for_each(|warning| warn(&printable(warning)));
        names.print_text(&format!("{}\n{}", summary.text(), names.file_list("the motion")))
    });
    limits::check(printed, limits_missed)
}
