//! `stream`: cleans frames from stdin to stdout.

use std::io::{BufReader, ErrorKind, IsTerminal};

use clap::Args;
use surefoot::stream::{CleanStreamError, StreamOptions, StreamSetup, StreamSetupError, clean_stream};
use surefoot::text::printable;
use surefoot::{FloorSource, FolderSettings, Parameters, Preset, parse};
use surefoot_formats::stream::{Encoding, Reader, StreamError, StreamProblem, StreamSettings};
use surefoot_solve::Settings;

use crate::args::{ArrayFlags, FileOptions};
use crate::parameter_flags::StreamFlags;
use crate::problem::{CommandError, Problem, reason_text, warn};
use crate::source::{load_with_legs, settings_for};

/// The help of --skeleton, which for a stream is a motion file.
const SKELETON: &str = "Read skeleton, legs, floor and frame rate from a motion file; the header must not contain joints then [default: \
                        from the header; legs that it does not name are inferred]";

/// Clean a live stream of frames from stdin to stdout, with a fixed latency
///
/// A stream is a header followed by frames, as newline-delimited JSON or in a binary format; see
/// book/src/formats/stream.md. Each frame states which heels and balls are planted. Frame n is
/// written as soon as frame n + look-ahead was read; the header of the output states the look-ahead.
///
/// If the input is cut off or wrong, all complete frames before that are cleaned and written, but
/// no end record, and the exit code is 2. It is also 2 if the reader of stdout stops reading.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  capture-program | surefoot stream | game-engine
  capture-program | surefoot stream --detect | game-engine
  capture-program | surefoot stream --skeleton actor.bvh --preset paper --stretch 0
  surefoot convert walk.bvh - --to ndjson | surefoot stream |
    surefoot convert - out.bvh --like walk.bvh")]
#[command(mut_arg("skeleton", |arg| arg.help(SKELETON).help_heading(None).display_order(0)))]
pub struct Stream {
    /// Format of the output: ndjson or binary [default: that of the input]
    #[arg(long, value_name = "FORM", value_parser = parse::stream_format)]
    to: Option<Encoding>,

    /// Detect the plants, with 0.25 s more latency; those in the frames are ignored
    #[arg(long)]
    detect: bool,

    #[command(flatten)]
    stream: CleanupOptions,

    #[command(flatten)]
    file_options: FileOptions,
}

/// The flags of the solver.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Cleanup (flags override the header)")]
struct CleanupOptions {
    /// A set of settings: live has a look-ahead below 0.9 s, clean is the same as `surefoot clean` and
    /// needs longest_plant in the header, paper is the published method [default: live]
    #[arg(long, value_name = "live|clean|paper", value_parser = Preset::from_name)]
    preset: Option<Preset>,

    #[command(flatten)]
    parameters: StreamFlags,
}

impl CleanupOptions {
    /// Flags, then the header, then `surefoot.toml`, then the preset.
    fn settings(&self, header: &StreamSettings, toml: &FolderSettings) -> Result<Settings, Problem> {
        let problem =
            |error: String| Problem::new(format!("stdin: header: \"settings\": {}", printable(&error)));
        let header = Parameters::from_json(header).map_err(problem)?;
        let refused = header.given().find(|(parameter, _)| !parameter.is_for_streams());
        if let Some((parameter, _)) = refused {
            let error = format!("{} cannot be set in a stream", parameter.name);
            return Err(problem(error));
        }
        let mut given = self.parameters.0.clone();
        if let Some(preset) = self.preset {
            given.set_preset(preset);
        }
        let given = given.or(&header).or(&toml.parameters);
        Ok(given.settings(Preset::Live))
    }
}

pub fn run(args: &Stream) -> Result<(), CommandError> {
    check_file_options(args)?;
    // Errors of the file are reported before the first frame is read.
    let arrays = &args.file_options.arrays;
    let (from_file, toml) = match &arrays.skeleton {
        Some(file) => {
            let arrays = ArrayFlags { skeleton: None, ..arrays.clone() };
            let source = load_with_legs(file, &FileOptions { arrays, ..args.file_options.clone() })?;
            if source.file.floor_source == FloorSource::Plants {
                return Err(Problem::new(
                    "--floor plants needs all plants in advance, which a stream does not have",
                )
                .help("pass a height, a plane or a file")
                .into());
            }
            let setup = StreamSetup::from_file(source.clip()).map_err(setup_problem)?;
            (Some(setup), source.settings)
        }
        None => (None, settings_for(None)?),
    };
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        stderr_line!("reading from the terminal; Ctrl-D ends it");
    }
    let (reader, header) = Reader::begin(BufReader::new(stdin.lock())).map_err(input_problem)?;
    let setup = match from_file {
        Some(setup) => setup.with_header(&header),
        None => StreamSetup::from_header(&header),
    };
    let setup = setup.map_err(setup_problem)?;
    setup.warnings.iter().for_each(|warning| warn(&printable(warning)));
    let settings = args.stream.settings(&header.settings, &toml)?;
    let options = StreamOptions { settings, encoding: args.to, detect: args.detect, on_note: warn };
    Ok(clean_stream(reader, &header, &setup, &options, std::io::stdout().lock()).map_err(problem)?)
}

/// Returns an error for facts about the file of --skeleton if --skeleton is missing.
fn check_file_options(args: &Stream) -> Result<(), Problem> {
    let FileOptions {
        rig,
        animation,
        arrays: ArrayFlags { skeleton, joints, rotations },
        fps,
        unit,
        up,
        foot_points,
        floor,
        floor_unit,
        floor_up,
        floor_cell,
        floor_height,
        floor_origin,
    } = &args.file_options;
    let flags = [
        (rig.is_some(), "--rig"),
        (animation.is_some(), "--animation"),
        (joints.is_some(), "--joints"),
        (rotations.is_some(), "--rotations"),
        (fps.is_some(), "--fps"),
        (unit.is_some(), "--unit"),
        (up.is_some(), "--up"),
        (foot_points.is_some(), "--foot-points"),
        (floor.is_some(), "--floor"),
        (floor_unit.is_some(), "--floor-unit"),
        (floor_up.is_some(), "--floor-up"),
        (floor_cell.is_some(), "--floor-cell"),
        (floor_height.is_some(), "--floor-height"),
        (floor_origin.is_some(), "--floor-origin"),
    ];
    match flags.into_iter().find(|(is_given, _)| *is_given && skeleton.is_none()) {
        None => Ok(()),
        Some((_, flag)) => {
            Err(Problem::new(format!("{flag} describes the file of --skeleton, which is missing"))
                .help("without a file, the header contains it; streams are in metres, Y up"))
        }
    }
}

fn problem(error: CleanStreamError) -> Problem {
    match error {
        CleanStreamError::Setup(error) => setup_problem(error),
        CleanStreamError::Input(error) => input_problem(error),
        CleanStreamError::Output { last, error } => output_problem(last, &error),
        error => Problem::new(format!("stdin: {error}")),
    }
}

/// The problem of a header that is not enough.
pub fn setup_problem(error: StreamSetupError) -> Problem {
    let problem = Problem::new(format!("stdin: {error}"));
    match error {
        StreamSetupError::Missing { .. } => problem.help("or take it from a file with --skeleton walk.bvh"),
        StreamSetupError::JointsGivenTwice => problem.help("leave out one of the two"),
        StreamSetupError::NoLegs { candidates } => {
            let candidates = candidates.iter().take(3);
            candidates
                .fold(problem, |problem, candidate| {
                    problem.help(format!("candidate: {}", printable(candidate)))
                })
                .help("name them in the header's \"legs\"")
        }
        StreamSetupError::NoLongestPlant => problem.help(
            "add the number of frames of the longest plant, use the preset live, or set \"spot_window\" in seconds",
        ),
        StreamSetupError::TooFarAhead { .. } => problem.help("shorten the settings' times or longest_plant"),
        error => Problem::new(error.to_string()),
    }
}

/// The problem of a wrong input, with the state of the output.
fn input_problem(error: StreamError) -> Problem {
    let problem = Problem::new(format!("stdin: {}", printable(&error.to_string())));
    match (error.at.frame, &error.problem) {
        (None, StreamProblem::Empty | StreamProblem::NotAStream { .. }) => {
            problem.help("a BVH file becomes a stream with `surefoot convert walk.bvh - --to ndjson`")
        }
        (_, StreamProblem::NoHeld) => problem.help("`surefoot stream --detect` detects them"),
        (Some(frame), _) if frame > 0 => {
            problem.help("all frames before it were written, but no end record, so that readers can notice")
        }
        _ => problem,
    }
}

fn output_problem(last: Option<usize>, error: &std::io::Error) -> Problem {
    let after = match last {
        None => "before the first frame".to_owned(),
        Some(frame) => format!("after frame {frame}"),
    };
    match error.kind() {
        ErrorKind::BrokenPipe => {
            Problem::new(format!("the reader of stdout closed it {after}; nothing more is read or written"))
        }
        _ => Problem::new(format!("cannot write to stdout {after}: {}", reason_text(error))),
    }
}
