//! Reading a motion file and finding out what it is about.

use std::path::{Path, PathBuf};

use surefoot_core::Floor;
use surefoot_formats::bvh::{Bvh, BvhError};
use surefoot_formats::c3d::is_c3d;
use surefoot_formats::{Space, rig};
use surefoot_infer::{Inference, Overrides};
use surefoot_job::prefer;

use crate::args::Told;
use crate::ground;
use crate::input::{self, Input};
use crate::problem::{Place, Problem};
use crate::settings::{Settings, settings_for};
use crate::tell::plain;
use crate::words::FloorWord;

/// A file that has been read.
pub struct Opened {
    /// The file's name, to show.
    pub name: String,
    /// Where it is; `None` for stdin.
    pub path: Option<PathBuf>,
    /// What is in it.
    pub bvh: Bvh,
}

/// A file that has been read and understood.
pub struct Looked {
    /// The file's name, to show.
    pub name: String,
    /// What is in it.
    pub bvh: Bvh,
    /// What the `surefoot.toml` that was heeded says.
    pub settings: Settings,
    /// What that means.
    pub understanding: Inference,
    /// A floor that is no plane, where one is asked for.
    pub uneven: Option<Uneven>,
}

/// A floor that is no plane.
pub enum Uneven {
    /// Read from a file, in metres, Y up.
    File(String, Floor),
    /// To be made from the plants, once they are known.
    Plants,
}

impl Looked {
    /// The file's unit and up axis.
    pub fn space(&self) -> Space {
        Space { unit_m: self.understanding.unit_m.value, up: self.understanding.up.value }
    }

    /// From the first frame to the last, in seconds.
    pub fn seconds(&self) -> f64 {
        self.bvh.frames().saturating_sub(1) as f64 / self.bvh.rate().value
    }
}

/// Reads a motion file.
pub fn open(file: &Path) -> Result<Opened, Problem> {
    parse(input::read(file)?)
}

/// Makes a motion of a file's bytes.
pub fn parse(input: Input) -> Result<Opened, Problem> {
    let Input { name, path, bytes } = input;
    if is_c3d(&bytes) {
        let markers = format!("{} is a C3D file: markers, and no joints to move", plain(&name));
        return Err(Problem::new(markers)
            .help("`surefoot detect walk.bvh --events trial.c3d` takes its foot strikes and foot offs"));
    }
    let parsed = input::busy(bytes.len(), "reading its numbers", || Bvh::read(bytes));
    let bvh = parsed.map_err(|error| problem_of(&name, error))?;
    Ok(Opened { name, path, bvh })
}

/// Reads a motion file and finds out what it is about, but for what the user says.
pub fn look(file: &Path, told: &Told) -> Result<Looked, Problem> {
    check_stdin(input::is_dash(file), told)?;
    understood(open(file)?, told)
}

/// The same for a file whose bytes have been read.
pub fn look_at(input: Input, told: &Told) -> Result<Looked, Problem> {
    check_stdin(input.path.is_none(), told)?;
    understood(parse(input)?, told)
}

/// Stdin can be read once.
fn check_stdin(is_motion: bool, told: &Told) -> Result<(), Problem> {
    if is_motion && told.rig.as_deref().is_some_and(input::is_dash) {
        return Err(Problem::new("the motion and --rig - both want stdin"));
    }
    Ok(())
}

fn understood(opened: Opened, told: &Told) -> Result<Looked, Problem> {
    let Opened { name, path, mut bvh } = opened;
    let settings = settings_for(path.as_deref())?;
    if let Some(fps) = told.fps.or(settings.fps) {
        bvh.set_rate(fps);
    }
    let (given, floor) = given(told, &settings, &bvh)?;
    let understanding = surefoot_job::understood(&bvh, given, floor.as_ref());
    let mut looked = Looked { name, bvh, settings, understanding, uneven: None };
    looked.uneven = match floor {
        Some(FloorWord::File(path)) => {
            let floor = ground::read(&path, told, &looked.space())?;
            Some(Uneven::File(path.display().to_string(), floor))
        }
        Some(FloorWord::Plants) => Some(Uneven::Plants),
        _ => None,
    };
    Ok(looked)
}

/// What the user says: flags, then `--rig`, then `surefoot.toml`, then its rig file.
///
/// The floor comes apart: a height is a floor only once it is known which way is up.
fn given(told: &Told, settings: &Settings, bvh: &Bvh) -> Result<(Overrides, Option<FloorWord>), Problem> {
    let (rig, settings_rig) = match (&told.rig, &settings.rig) {
        // A rig file that another overrules is not even opened.
        (Some(rig), _) => (read_rig(rig, bvh)?, Overrides::default()),
        (None, Some(rig)) => (Overrides::default(), read_rig(rig, bvh)?),
        (None, None) => Default::default(),
    };
    let flags = Overrides { unit_m: told.unit, up: told.up, ..Overrides::default() };
    let (given, floor) = prefer((flags, told.floor.clone()), rig);
    let file = Overrides { unit_m: settings.unit, up: settings.up, ..Overrides::default() };
    let (given, floor) = prefer((given, floor.or(settings.floor.clone())), file);
    let (given, floor) = prefer((given, floor), settings_rig);
    Ok((given, floor))
}

fn read_rig(path: &Path, bvh: &Bvh) -> Result<Overrides, Problem> {
    let Input { name, bytes, .. } = input::read(path)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Problem::new(format!("{name} is no rig file: its text is not UTF-8")))?;
    rig::read(&text, bvh.skeleton()).map_err(|error| Problem::in_text(&name, &text, &error.to_string()))
}

fn problem_of(name: &str, error: BvhError) -> Problem {
    let surefoot_formats::bvh::Place { line, column, text, text_column } = error.place;
    let meant = text.chars().skip(text_column).take_while(|c| !c.is_whitespace() && *c != '…');
    Problem::new(error.problem.to_string()).at(Place {
        file: name.to_owned(),
        line,
        column,
        text_column,
        length: meant.count(),
        text,
    })
}
