//! Values for Python: arrays that are made once, dictionaries, and files.

use std::path::Path;

use numpy::ndarray::{Array, Dimension};
use numpy::{Element, PyArray};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString};
use surefoot::Leg;
use surefoot::core::{Plant, PlantKind};
use surefoot::formats::Space;
use surefoot::measure::Figures;

use crate::errors::value_error;

/// An array from the cache, made and frozen on the first call.
pub fn cached<T: Element, D: Dimension>(
    py: Python<'_>,
    cell: &PyOnceLock<Py<PyAny>>,
    make: impl FnOnce() -> Array<T, D>,
) -> PyResult<Py<PyAny>> {
    let array = cell.get_or_try_init(py, || {
        let array = PyArray::from_owned_array(py, make());
        array.call_method1("setflags", (false,))?;
        Ok::<_, PyErr>(array.into_any().unbind())
    })?;
    Ok(array.clone_ref(py))
}

/// Figures as the objects that Python's `json` makes of them.
pub fn json<'py>(py: Python<'py>, figures: &Figures) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(figures).map_err(value_error)?;
    py.import("json")?.call_method1("loads", (PyString::new(py, &text),))
}

/// Writes a file under a temporary name and renames it.
pub fn write_whole(path: &Path, bytes: &[u8]) -> PyResult<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    let part = path.with_file_name(name);
    let written = std::fs::write(&part, bytes).and_then(|()| std::fs::rename(&part, path));
    written.map_err(|error| {
        // The write has failed already; an error of the removal adds nothing.
        let _ = std::fs::remove_file(&part);
        std::io::Error::new(error.kind(), format!("{}: {error}", path.display())).into()
    })
}

/// A leg: side, the indices of hip, knee and ankle, and its points in the unit and axes of `space`.
pub fn leg_dict<'py>(py: Python<'py>, leg: &Leg, space: &Space) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("side", &leg.side)?;
    for (name, joint) in [("hip", leg.hip), ("knee", leg.knee), ("ankle", leg.ankle)] {
        dict.set_item(name, joint.index())?;
    }
    for (name, point) in [("heel", leg.heel), ("ball", leg.ball), ("toe", leg.toe)] {
        let offset = space.position_to_file(point.offset).to_array();
        dict.set_item(name, (point.joint.index(), offset.to_vec()))?;
    }
    Ok(dict)
}

/// A plant: foot, point, first and last frame, confidence, what it holds, and its label.
pub fn plant_dict<'py>(py: Python<'py>, plant: &Plant, legs: &[Leg]) -> PyResult<Bound<'py, PyDict>> {
    let leg = legs.get(plant.leg);
    let dict = PyDict::new(py);
    dict.set_item("foot", leg.map(|leg| leg.side.as_str()))?;
    dict.set_item("point", leg.map_or(plant.point.as_str(), |leg| leg.point_name(plant.point)))?;
    dict.set_item("first", plant.frames.start)?;
    dict.set_item("last", plant.frames.end.saturating_sub(1))?;
    dict.set_item("confidence", plant.confidence)?;
    dict.set_item("hold", plant.hold.kind.as_str())?;
    dict.set_item("strength", plant.hold.strength)?;
    dict.set_item("kind", plant.kind.map(PlantKind::as_str))?;
    Ok(dict)
}
