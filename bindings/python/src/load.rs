//! Loads motion files with the settings of their folder, as the command does.

use std::fs;
use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyDict;
use surefoot::formats::rig;
use surefoot::formats::source::ArrayOptions;
use surefoot::infer::Overrides;
use surefoot::parse::FloorText;
use surefoot::{FloorFileOptions, FloorOption, FolderSettings, LoadOptions, MotionFile, read_floor};

use crate::clip::Clip;
use crate::errors::{Found, format_error, from_error, value_error};
use crate::options::{Facts, refuse_rest};

/// Loads a motion file. `surefoot.load` documents it.
#[pyfunction]
#[pyo3(signature = (path, **facts))]
pub fn load(py: Python<'_>, path: PathBuf, facts: Option<&Bound<'_, PyDict>>) -> PyResult<Clip> {
    let facts = take_facts(facts)?;
    py.detach(|| {
        let (file, settings) = load_file(&path, &facts)?;
        Ok(Clip::from_file(file, settings))
    })
}

/// Reads the bytes of a motion file. `surefoot.loads` documents it.
#[pyfunction]
#[pyo3(signature = (data, name, **facts))]
pub fn loads(
    py: Python<'_>,
    data: PyBackedBytes,
    name: String,
    facts: Option<&Bound<'_, PyDict>>,
) -> PyResult<Clip> {
    let facts = take_facts(facts)?;
    py.detach(|| {
        let file = load_bytes(name, data.to_vec(), &facts, &FolderSettings::default())?;
        Ok(Clip::from_file(file, FolderSettings::default()))
    })
}

fn take_facts(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Facts> {
    let Some(keywords) = keywords else { return Ok(Facts::default()) };
    let facts = Facts::take(keywords)?;
    refuse_rest(keywords, Facts::NAMES)?;
    Ok(facts)
}

/// Loads a file and the `surefoot.toml` that applies to it.
pub fn load_file(path: &Path, facts: &Facts) -> PyResult<(MotionFile, FolderSettings)> {
    let settings = FolderSettings::load_for(Some(path)).map_err(value_error)?;
    let bytes = read(path)?;
    let file = load_bytes(path.display().to_string(), bytes, facts, &settings)?;
    Ok((file, settings))
}

/// Reads a file with what is stated, and the detector's settings of its folder.
pub fn load_bytes(
    name: String,
    bytes: Vec<u8>,
    facts: &Facts,
    settings: &FolderSettings,
) -> PyResult<MotionFile> {
    let mut file = load_with_facts(name, bytes, facts, settings)?;
    file.set_detection(&settings.parameters);
    Ok(file)
}

/// Reads a file with what is stated: keywords, then the rig file, then `surefoot.toml`, then the rig file it names.
fn load_with_facts(
    name: String,
    bytes: Vec<u8>,
    facts: &Facts,
    settings: &FolderSettings,
) -> PyResult<MotionFile> {
    let arrays = ArrayOptions {
        skeleton: facts.skeleton.as_deref().map(|path| read(path).map(Into::into)).transpose()?,
        joints: facts.joints.clone(),
        rotations: facts.rotations.clone(),
    };
    let given = LoadOptions {
        arrays,
        fps: facts.fps,
        overrides: Overrides { unit_m: facts.unit, up: facts.up, ..Overrides::default() },
        floor: facts.floor.as_ref().and_then(FloorText::option),
        foot_points: facts.foot_points,
        ..LoadOptions::default()
    };
    let floor = facts.floor.clone().or_else(|| settings.floor.clone());
    let floor_file = match floor {
        Some(FloorText::File(path)) => Some(path),
        _ => None,
    };
    let rig = facts.rig.as_ref().or(settings.rig.as_ref());
    if rig.is_none() && floor_file.is_none() {
        return MotionFile::from_bytes(name, bytes, &given.or(settings.load_options())).map_err(from_error);
    }
    let first = MotionFile::from_bytes(name.clone(), bytes.clone(), &given).map_err(from_error)?;
    let rig_options = match rig {
        Some(rig) => LoadOptions { overrides: read_rig(rig, &first)?, ..LoadOptions::default() },
        None => LoadOptions::default(),
    };
    let mut options = match facts.rig {
        Some(_) => given.or(rig_options).or(settings.load_options()),
        None => given.or(settings.load_options()).or(rig_options),
    };
    if let Some(path) = floor_file {
        let file = MotionFile::from_bytes(name.clone(), bytes.clone(), &options).map_err(from_error)?;
        options.floor = Some(read_floor_file(&path, &file)?);
    }
    MotionFile::from_bytes(name, bytes, &options).map_err(from_error)
}

fn read(path: &Path) -> PyResult<Vec<u8>> {
    fs::read(path)
        .map_err(|error| std::io::Error::new(error.kind(), format!("{}: {error}", path.display())).into())
}

fn read_rig(path: &Path, file: &MotionFile) -> PyResult<Overrides> {
    let text = String::from_utf8_lossy(&read(path)?).into_owned();
    let wrong = |error: String| format_error(&format!("{}: {error}", path.display()), &Found::default());
    rig::read(&text, &file.clip.motion.skeleton).map_err(|error| wrong(error.to_string()))
}

fn read_floor_file(path: &Path, file: &MotionFile) -> PyResult<FloorOption> {
    let name = path.display().to_string();
    let floor = read_floor(&name, &read(path)?, &FloorFileOptions::default(), &file.space());
    let floor = floor.map_err(|error| format_error(&format!("{name}: {error}"), &Found::default()))?;
    Ok(FloorOption::Surface { name, floor })
}
