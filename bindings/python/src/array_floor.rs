//! The floor of a motion from arrays: a height, a plane, a mesh, or none.

use std::sync::Arc;

use numpy::ndarray::{ArrayView2, Axis};
use numpy::{PyReadonlyArray2, PyReadonlyArrayDyn};
use pyo3::prelude::*;
use surefoot::core::floor::Surface;
use surefoot::core::{Floor, Plane, Vec3};
use surefoot::formats::Space;
use surefoot::parse::{self, FloorText};

use crate::arrays::vector;
use crate::errors::value_error;

/// The floor as Python passes it. `surefoot.from_arrays` documents it.
#[derive(FromPyObject)]
pub enum FloorArgument<'py> {
    #[pyo3(transparent)]
    Height(f64),
    #[pyo3(transparent)]
    Word(String),
    Mesh(PyReadonlyArray2<'py, f64>, PyReadonlyArray2<'py, i64>),
    Plane(PyReadonlyArrayDyn<'py, f64>, PyReadonlyArrayDyn<'py, f64>),
}

/// The floor of a motion from arrays; positions in the unit and axes of the arrays.
pub enum ArrayFloor {
    Inferred,
    None,
    /// A level floor at this height along the up axis, in metres.
    Height(f64),
    Plane {
        normal: Vec3,
        point: Vec3,
    },
    Mesh(Vec<[Vec3; 3]>),
}

impl ArrayFloor {
    /// The floor that was passed; without one it is inferred.
    pub fn new(argument: Option<FloorArgument<'_>>) -> PyResult<Self> {
        let text = match argument {
            None => return Ok(Self::Inferred),
            Some(FloorArgument::Plane(normal, point)) => return plane(&normal, &point),
            Some(FloorArgument::Mesh(vertices, triangles)) => {
                return mesh(vertices.as_array(), triangles.as_array());
            }
            Some(FloorArgument::Height(height)) => FloorText::from_numbers(&[height]),
            Some(FloorArgument::Word(word)) => parse::floor(&word),
        };
        match text.map_err(|error| value_error(format!("floor: {error}")))? {
            FloorText::None => Ok(Self::None),
            FloorText::Height(height) => Ok(Self::Height(height)),
            _ => Err(value_error("floor: expected a height in metres, a plane, a mesh or \"none\"")),
        }
    }

    /// The floor in metres, Y up.
    pub fn floor(self, inferred: Option<Plane>, space: &Space) -> PyResult<Option<Floor>> {
        let corner = |corner: Vec3| space.position_from_file(corner);
        Ok(match self {
            Self::Inferred => inferred.map(Floor::Plane),
            Self::None => None,
            Self::Height(height) => Some(Floor::level(height)),
            Self::Plane { normal, point } => {
                Some(Floor::Plane(Plane::through(corner(point), space.direction_from_file(normal))))
            }
            Self::Mesh(triangles) => {
                let surface = Surface::from_triangles(triangles.into_iter().map(|all| all.map(corner)));
                let surface = surface.map_err(|error| value_error(format!("floor: {error}")))?;
                Some(Floor::Surface(Arc::new(surface)))
            }
        })
    }
}

fn plane(normal: &PyReadonlyArrayDyn<'_, f64>, point: &PyReadonlyArrayDyn<'_, f64>) -> PyResult<ArrayFloor> {
    let [normal, point] = [normal, point].map(|array| match array.as_slice() {
        Ok(&[x, y, z]) => Ok(Vec3::new(x, y, z)),
        _ => Err(value_error("floor: expected a plane as (normal, point), three numbers each")),
    });
    let (normal, point) = (normal?, point?);
    match normal.try_normalize().filter(|_| point.is_finite()) {
        Some(normal) => Ok(ArrayFloor::Plane { normal, point }),
        None => {
            Err(value_error("floor: the normal of a plane must not be zero, and its point must be finite"))
        }
    }
}

fn mesh(vertices: ArrayView2<'_, f64>, triangles: ArrayView2<'_, i64>) -> PyResult<ArrayFloor> {
    if vertices.len_of(Axis(1)) != 3 || triangles.len_of(Axis(1)) != 3 {
        return Err(value_error(
            "floor: expected a mesh as (vertices, triangles), of shapes (V, 3) and (T, 3)",
        ));
    }
    let known = vertices.len_of(Axis(0));
    let corner = |&index: &i64| match usize::try_from(index).ok().filter(|&index| index < known) {
        Some(index) => Ok(vector(vertices.index_axis(Axis(0), index))),
        None => Err(value_error(format!("floor: found vertex {index}, expected one below {known}"))),
    };
    let triangle =
        |row: numpy::ndarray::ArrayView1<'_, i64>| Ok([corner(&row[0])?, corner(&row[1])?, corner(&row[2])?]);
    Ok(ArrayFloor::Mesh(triangles.outer_iter().map(triangle).collect::<PyResult<_>>()?))
}
