//! The floor that feet stand on: a plane, or a surface of triangles.
//!
//! Everybody asks it two things only: which plane is the ground under a point, and which point of
//! the floor is nearest. A plane is its own answer to the first.

mod plane;
mod triangle;
mod grid;
mod surface;
mod made;

use std::sync::Arc;

use crate::math::Vec3;

pub use plane::Plane;
pub use surface::{Surface, SurfaceError};

/// What feet stand on, in metres, Y up. Cheap to clone: many cleaners share one surface.
#[derive(Clone, Debug, PartialEq)]
pub enum Floor {
    /// One plane, level or tilted, without end.
    Plane(Plane),
    /// A height field or a mesh.
    Surface(Arc<Surface>),
}

impl Floor {
    /// A level floor at this height.
    pub fn level(height: f64) -> Self {
        Self::Plane(Plane::level(height))
    }

    /// The plane that is the ground under a point: the floor itself where it is one, else the
    /// plane of the triangle straight below, or straight above a point that is in the ground.
    #[inline]
    pub fn plane_under(&self, point: Vec3) -> Plane {
        match self {
            Self::Plane(plane) => *plane,
            Self::Surface(surface) => surface.plane_under(point),
        }
    }

    /// How far above the ground under it a point is, square to that ground; below is negative.
    #[inline]
    pub fn above(&self, point: Vec3) -> f64 {
        match self {
            Self::Plane(plane) => plane.above(point),
            Self::Surface(surface) => surface.plane_under(point).above(point),
        }
    }

    /// The floor point nearest to `point`.
    #[inline]
    pub fn nearest(&self, point: Vec3) -> Vec3 {
        match self {
            Self::Plane(plane) => plane.nearest(point),
            Self::Surface(surface) => surface.nearest(point),
        }
    }

    /// Which way is up from all of it: a plane's normal, else Y.
    pub fn up(&self) -> Vec3 {
        match self {
            Self::Plane(plane) => plane.normal,
            Self::Surface(_) => Vec3::Y,
        }
    }

    /// The plane, where the floor is one.
    #[inline]
    pub fn as_plane(&self) -> Option<&Plane> {
        match self {
            Self::Plane(plane) => Some(plane),
            Self::Surface(_) => None,
        }
    }

    /// The surface, where the floor is no plane.
    pub fn as_surface(&self) -> Option<&Surface> {
        match self {
            Self::Plane(_) => None,
            Self::Surface(surface) => Some(surface),
        }
    }
}

impl From<Plane> for Floor {
    fn from(plane: Plane) -> Self {
        Self::Plane(plane)
    }
}

impl From<Surface> for Floor {
    fn from(surface: Surface) -> Self {
        Self::Surface(Arc::new(surface))
    }
}
