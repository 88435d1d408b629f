//! Loads the motion files that a command works on, with their plants.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use surefoot::parse::FloorText;
use surefoot::text::printable;
use surefoot::{
    Clip, Error, EventsError, Floor, FloorFileError, FloorFileOptions, FloorOption, FolderSettings,
    FolderSettingsError, LoadOptions, MotionFile, SettingsProblem, TextPlace, load_beside, read_floor,
};
use surefoot_formats::SourceFile;
use surefoot_formats::c3d::C3dFitError;
use surefoot_formats::plants::PlantsError;
use surefoot_formats::source::{Format, ReadError, ReadOptions};
use surefoot_formats::{Space, rig};
use surefoot_infer::Overrides;

use crate::args::FileOptions;
use crate::input::{self, Input, is_dash};
use crate::problem::{Problem, warn};

/// A motion file and the `surefoot.toml` that applies to it.
pub struct Source {
    /// The file.
    pub file: MotionFile,
    /// The settings of the `surefoot.toml`.
    pub settings: FolderSettings,
    /// The size of the file in bytes, for progress bars.
    pub size: usize,
}

impl Source {
    /// The name of the file, for a terminal.
    pub fn name(&self) -> String {
        printable(&self.file.name)
    }

    /// The clip in the file.
    pub fn clip(&self) -> &Clip {
        &self.file.clip
    }
}

/// A motion file to edit.
#[derive(Args, Debug)]
pub struct MotionInput {
    /// A motion file; - is stdin
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// When each heel and ball is planted: a plants file, JSON or CSV, a NumPy array of labels, or a
    /// glTF or FBX file with plants in it; - is stdin
    /// [default: detected, as by `surefoot detect`]
    #[arg(long, value_name = "PLANTS", value_hint = ValueHint::FilePath)]
    pub plants: Option<PathBuf>,
}

/// A parsed motion file.
pub struct Parsed {
    /// The file's name.
    pub name: String,
    /// The path of the file; `None` for stdin.
    pub path: Option<PathBuf>,
    /// The parsed content.
    pub source: SourceFile,
}

/// Parses the bytes of a motion file.
pub fn parse(input: Input, file_options: &FileOptions) -> Result<Parsed, Problem> {
    let Input { name, path, bytes } = input;
    let beside = |name: &str| load_beside(path.as_deref()?, name);
    let animation = file_options.animation.as_deref();
    let arrays = file_options.arrays.options()?;
    let options =
        ReadOptions { name: Some(&name), animation, load_beside: Some(&beside), arrays: Some(&arrays) };
    let parsed = input::with_spinner(bytes.len(), "reading the motion", || SourceFile::read(bytes, &options));
    let source = parsed.map_err(|error| read_problem(&name, &error))?;
    Ok(Parsed { name, path, source })
}

/// The problem of a motion file that cannot be read, with its place where the file is a text.
pub fn read_problem(name: &str, error: &ReadError) -> Problem {
    match error {
        ReadError::Unsupported(Format::C3d) => Problem::new(format!("{}: {error}", printable(name)))
            .help("`surefoot detect walk.bvh --events trial.c3d` uses its foot strikes and foot offs"),
        error => match error.position() {
            Some(position) => Problem::new(error.problem()).at(TextPlace::of_position(name, position)),
            None => Problem::new(format!("cannot read {}: {error}", printable(name))),
        },
    }
}

/// Loads a motion file.
pub fn load(file: &Path, file_options: &FileOptions) -> Result<Source, Problem> {
    check_stdin(is_dash(file), file_options)?;
    load_bytes(input::read(file)?, file_options)
}

/// Loads a motion file whose bytes have been read.
pub fn load_bytes(input: Input, file_options: &FileOptions) -> Result<Source, Problem> {
    check_stdin(input.path.is_none(), file_options)?;
    let Parsed { name, path, source } = parse(input, file_options)?;
    let settings = settings_for(path.as_deref())?;
    let (mut options, floor) = load_options(file_options, &settings, &source)?;
    let mut file = match floor {
        Some(FloorText::File(path)) => {
            // The file's unit and axes, which have to be inferred first, are the floor's by default.
            let file = MotionFile::from_source(name, source, &options).map_err(motion_problem)?;
            let floor = floor_surface(&path, file_options, &file.space())?;
            options.floor = Some(FloorOption::Surface { name: path.display().to_string(), floor });
            MotionFile::from_source(file.name, file.source, &options).map_err(motion_problem)?
        }
        _ => MotionFile::from_source(name, source, &options).map_err(motion_problem)?,
    };
    file.set_detection(&settings.parameters);
    file.inference.warnings.extend(settings_warning(&settings));
    Ok(Source { size: file.source.bytes().len(), file, settings })
}

/// A warning that names the `surefoot.toml` that applies: it may be in any folder above the file.
fn settings_warning(settings: &FolderSettings) -> Option<String> {
    settings.file.as_ref().map(|path| format!("the settings in {} apply", path.display()))
}

/// Prints that warning, for a command that prints no other ones.
pub fn warn_of_settings(source: &Source) {
    settings_warning(&source.settings).iter().for_each(|warning| warn(&printable(warning)));
}

/// The problem of a file whose motion cannot be used.
fn motion_problem(error: Error) -> Problem {
    match &error {
        Error::Read { name, error } => read_problem(name, error),
        _ => Problem::new(error.to_string()),
    }
}

/// Loads a motion file in which there must be legs.
pub fn load_with_legs(file: &Path, file_options: &FileOptions) -> Result<Source, Problem> {
    check_stdin(is_dash(file), file_options)?;
    let source = load_bytes(input::read(file)?, file_options)?;
    source.file.require_legs().map_err(|no_legs| {
        let problem = Problem::new(no_legs.to_string());
        let candidates = no_legs.candidates.iter();
        candidates
            .fold(problem, |problem, candidate| problem.help(format!("candidate: {candidate}")))
            .help("name them in a rig file and pass it with --rig")
    })?;
    Ok(source)
}

fn check_stdin(is_motion: bool, file_options: &FileOptions) -> Result<(), Problem> {
    if is_motion && file_options.rig.as_deref().is_some_and(is_dash) {
        return Err(Problem::new("the motion and --rig are both -, but stdin can be read only once"));
    }
    Ok(())
}

/// The settings for a file; without a file, those of the current folder.
pub fn settings_for(file: Option<&Path>) -> Result<FolderSettings, Problem> {
    FolderSettings::load_for(file).map_err(|FolderSettingsError { path, text, problem, at, .. }| {
        let what = match &problem {
            SettingsProblem::Io(error) => return Problem::with_file(&path, "read", error),
            SettingsProblem::UnknownKey(key) => {
                let keys = FolderSettings::keys();
                match input::nearest(key, keys.iter().map(String::as_str)) {
                    Some(meant) => format!("no setting `{key}`; did you mean `{meant}`?"),
                    None => problem.to_string(),
                }
            }
            _ => problem.to_string(),
        };
        let shown = path.display().to_string();
        match at {
            Some(at) => Problem::new(what).at(TextPlace::in_text(&shown, &text, at)),
            None => Problem::new(what).help(format!("in {shown}")),
        }
    })
}

/// The facts that the user states: flags, then `--rig`, then `surefoot.toml`, then the rig file that it names.
fn load_options(
    file_options: &FileOptions,
    settings: &FolderSettings,
    source: &SourceFile,
) -> Result<(LoadOptions, Option<FloorText>), Problem> {
    let rig_options = |rig: &Path| {
        Ok::<_, Problem>(LoadOptions { overrides: read_rig(rig, source)?, ..LoadOptions::default() })
    };
    let (rig, settings_rig) = match (&file_options.rig, &settings.rig) {
        // The rig file of surefoot.toml is not opened where --rig replaces it.
        (Some(rig), _) => (rig_options(rig)?, LoadOptions::default()),
        (None, Some(rig)) => (LoadOptions::default(), rig_options(rig)?),
        (None, None) => Default::default(),
    };
    let flags = LoadOptions {
        fps: file_options.fps,
        overrides: Overrides { unit_m: file_options.unit, up: file_options.up, ..Overrides::default() },
        floor: file_options.floor.as_ref().and_then(FloorText::option),
        foot_points: file_options.foot_points,
        // Animation and arrays were chosen when the file was read.
        ..LoadOptions::default()
    };
    let rig_has_floor = rig.overrides.floor.is_some();
    let floor = file_options.floor.clone().or_else(|| settings.floor.clone().filter(|_| !rig_has_floor));
    Ok((flags.or(rig).or(settings.load_options()).or(settings_rig), floor))
}

/// Reads a floor file for a motion of this unit and up axis.
fn floor_surface(path: &Path, file_options: &FileOptions, motion: &Space) -> Result<Floor, Problem> {
    let options = FloorFileOptions {
        unit: file_options.floor_unit,
        up: file_options.floor_up,
        cell: file_options.floor_cell,
        heights: file_options.floor_height,
        origin: file_options.floor_origin,
    };
    let no_size = || {
        Problem::new(format!("{}: {}", path.display(), FloorFileError::NoSize))
            .help("add --floor-cell and --floor-height, as --floor-cell 5cm --floor-height 0..50cm")
    };
    let is_image = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pgm"));
    if is_image && options.image().is_none() {
        return Err(no_size());
    }
    let Input { name, bytes, .. } = input::read(path)?;
    read_floor(&path.to_string_lossy(), &bytes, &options, motion).map_err(|error| match error {
        FloorFileError::NoSize => no_size(),
        error => floor_problem(&name, &bytes, &error.to_string()),
    })
}

fn floor_problem(name: &str, bytes: &[u8], error: &str) -> Problem {
    // An excerpt of a binary image would be unreadable.
    let is_text = bytes.iter().take(1000).all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
    match is_text {
        true => Problem::in_text(name, &String::from_utf8_lossy(bytes), error),
        false => Problem::new(format!("{name}: {error}")),
    }
}

fn read_rig(path: &Path, source: &SourceFile) -> Result<Overrides, Problem> {
    let Input { name, bytes, .. } = input::read(path)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Problem::new(format!("{name} is not a rig file: its text is not UTF-8")))?;
    rig::read(&text, source.skeleton()).map_err(|error| Problem::in_text(&name, &text, &error.to_string()))
}

/// Returns an error where motion and plants are both to be read from stdin.
pub fn check_plants_stdin(motion: &Path, plants: Option<&Path>) -> Result<(), Problem> {
    if is_dash(motion) && plants.is_some_and(is_dash) {
        return Err(Problem::new("the motion and --plants are both -, but stdin can be read only once"));
    }
    Ok(())
}

/// Reads the plants of a file, or detects them where no plants file is given.
pub fn add_plants(file: &mut MotionFile, plants: Option<&Path>) -> Result<(), Problem> {
    let Some(path) = plants else {
        return file.detect_plants().map_err(|error| Problem::new(error.to_string()));
    };
    let Input { name, bytes, .. } = input::read(path)?;
    file.read_plants(&name, &bytes).map_err(|error| match error {
        Error::Plants { error, .. } => plants_problem(&name, &bytes, &error),
        error => events_problem(&error),
    })
}

fn plants_problem(name: &str, bytes: &[u8], error: &PlantsError) -> Problem {
    let problem = Problem::in_text(name, &String::from_utf8_lossy(bytes), &error.to_string());
    match error {
        PlantsError::Frames { .. } | PlantsError::Fps { .. } => {
            problem.help("plants belong to one motion; `surefoot detect` writes those of this one")
        }
        _ => problem,
    }
}

/// The problem of a C3D file whose events cannot be used.
pub fn events_problem(error: &Error) -> Problem {
    let problem = Problem::new(error.to_string());
    match error {
        Error::Events { error: EventsError::Fit(C3dFitError::Length { .. }), .. } => problem
            .help("`detect --events-start SECONDS` sets the time in the C3D file at which the motion begins"),
        _ => problem,
    }
}
