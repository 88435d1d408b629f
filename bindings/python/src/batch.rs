//! Whole corpora: the engine of `surefoot batch`, and its parts for other engines.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict};
use surefoot::FolderSettings;
use surefoot_batch::{
    BatchSettings, CellKind, Cleaned, Clip, ClipFacts, Existing, Failure, MOTION_ENDINGS, Row, Want,
    WorkList, schema,
};

use crate::errors::value_error;
use crate::load::{load_bytes, load_file};
use crate::options::{CleanKeywords, Facts, refuse_rest};

/// Cleans a corpus. `surefoot.batch` documents it.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the Python function has the keywords")]
#[pyo3(signature = (inputs, out, jobs, shard, existing, table, reports, **settings))]
pub fn batch<'py>(
    py: Python<'py>,
    inputs: Vec<PathBuf>,
    out: PathBuf,
    jobs: usize,
    shard: Option<&str>,
    existing: &str,
    table: Option<PathBuf>,
    reports: usize,
    settings: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let clean_settings = settings.map_or(String::new(), |settings| format!("{settings:?}"));
    let keywords = CleanKeywords::take(settings)?;
    let facts = settings.map_or_else(|| Ok(Facts::default()), Facts::take)?;
    let known = format!("{}, {}", CleanKeywords::names(), Facts::NAMES);
    settings.map_or(Ok(()), |rest| refuse_rest(rest, &known))?;
    let settings = BatchSettings {
        shard: shard
            .map(str::parse)
            .transpose()
            .map_err(|error: String| value_error(format!("shard: {error}")))?,
        existing: match existing {
            "resume" => Existing::Resume,
            "overwrite" => Existing::Overwrite,
            _ => Existing::Keep,
        },
        out,
        jobs,
        table,
        reports,
        clean_settings,
    };
    let summary = py.detach(|| {
        let work = WorkList::find(&inputs, &[], &settings.out).map_err(value_error)?;
        let clean = |clip: &Clip, want: Want| clean_clip(clip, want, &keywords, &facts);
        surefoot_batch::run(&work, &settings, &clean, &|_| {}).map_err(value_error)
    })?;
    let result = PyDict::new(py);
    result.set_item("clips", summary.clips)?;
    result.set_item("cleaned", summary.clips - summary.failed)?;
    result.set_item("failed", summary.failed)?;
    result.set_item("with_events", summary.with_events)?;
    result.set_item("frames", summary.frames)?;
    result.set_item("resumed", summary.resumed)?;
    Ok(result)
}

fn clean_clip(clip: &Clip, want: Want, keywords: &CleanKeywords, facts: &Facts) -> Result<Cleaned, Failure> {
    let (file, toml) = load_file(&clip.path, facts).map_err(failure)?;
    clean_loaded(file, &clip.name, &toml, keywords, want)
}

fn clean_loaded(
    mut file: surefoot::MotionFile,
    name: &str,
    toml: &FolderSettings,
    keywords: &CleanKeywords,
    want: Want,
) -> Result<Cleaned, Failure> {
    file.require_legs().map_err(surefoot::Error::NoLegs)?;
    keywords.apply_to_detection(&mut file.detection);
    file.ensure_plants()?;
    let (warnings, mut notes) = (file.warnings(), file.clip_notes());
    let clean = file.clean(&keywords.settings(toml))?;
    notes.extend(clean.notes.iter().map(|note| note.text.clone()));
    let limits_missed = toml.limits.missed(&clean.figures);
    Cleaned::new(&ClipFacts { name: name.into(), warnings, notes, limits_missed }, clean, want)
}

/// An exception as the reason of a clip that failed, with its line.
fn failure(error: PyErr) -> Failure {
    Python::attach(|py| {
        let value = error.value(py);
        let line = value.getattr("line").ok().and_then(|line| line.extract::<Option<usize>>().ok()).flatten();
        match line {
            Some(line) => Failure::at(line, value.to_string()),
            None => Failure::new(value.to_string()),
        }
    })
}

/// Cleans the bytes of a file: the clean bytes and its row of the table as JSON. Raises what `loads` raises.
///
/// `path` is the path of the file if it is on this machine: the `surefoot.toml` of its folder then applies.
#[pyfunction]
#[pyo3(signature = (name, data, path, **settings))]
pub fn clean_bytes<'py>(
    py: Python<'py>,
    name: String,
    data: PyBackedBytes,
    path: Option<PathBuf>,
    settings: Option<&Bound<'py, PyDict>>,
) -> PyResult<(Bound<'py, PyBytes>, String)> {
    let keywords = CleanKeywords::take(settings)?;
    let facts = settings.map_or_else(|| Ok(Facts::default()), Facts::take)?;
    let known = format!("{}, {}", CleanKeywords::names(), Facts::NAMES);
    settings.map_or(Ok(()), |rest| refuse_rest(rest, &known))?;
    let (bytes, row) = py.detach(|| {
        let toml = match &path {
            Some(path) => FolderSettings::load_for(Some(path)).map_err(value_error)?,
            None => FolderSettings::default(),
        };
        let file = load_bytes(name.clone(), data.to_vec(), &facts, &toml)?;
        let clean = clean_loaded(file, &name, &toml, &keywords, Want::Motion).map_err(value_error)?;
        let row = serde_json::to_string(&clean.row).map_err(value_error)?;
        Ok::<_, PyErr>((clean.bytes, row))
    })?;
    Ok((PyBytes::new(py, &bytes), row))
}

/// The endings of the files that are taken from folders.
#[pyfunction]
pub fn motion_endings() -> Vec<&'static str> {
    MOTION_ENDINGS.to_vec()
}

/// The row of a file that could not be cleaned, as JSON.
#[pyfunction]
pub fn failed_row(name: &str, message: String, line: Option<usize>) -> PyResult<String> {
    let failure =
        line.map_or_else(|| Failure::new(message.clone()), |line| Failure::at(line, message.clone()));
    serde_json::to_string(&Row::failed(name, &failure)).map_err(value_error)
}

/// The columns of the table: name and type, which is "int64", "double" or "string".
#[pyfunction]
pub fn table_schema() -> Vec<(String, &'static str)> {
    let kind = |kind| match kind {
        CellKind::Integer => "int64",
        CellKind::Real => "double",
        CellKind::Text => "string",
    };
    schema().iter().map(|column| (column.name.clone(), kind(column.kind))).collect()
}
