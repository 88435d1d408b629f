//! Floors: a plane, a height field or a triangle mesh.
//!
//! A floor answers two queries: the ground plane under a point, and the floor point nearest to a
//! point.

mod plane;
mod triangle;
mod grid;
mod mesh;
mod surface;
mod scattered_heights;
mod from_plants;

use std::sync::Arc;

use crate::math::Vec3;

pub use plane::Plane;
pub use surface::{Surface, SurfaceError};

/// A floor in metres, Y up. Cheap to clone: a surface is shared.
#[derive(Clone, Debug, PartialEq)]
pub enum Floor {
    /// An infinite plane, level or tilted.
    Plane(Plane),
    /// A height field or a mesh.
    Surface(Arc<Surface>),
}

impl Floor {
    /// A level floor at this height.
    pub fn level(height: f64) -> Self {
        Self::Plane(Plane::level(height))
    }

    /// The ground plane under a point: the floor itself if it is a plane, else the plane of the
    /// triangle vertically below the point, or above a point inside the ground.
    #[inline]
    pub fn plane_under(&self, point: Vec3) -> Plane {
        match self {
            Self::Plane(plane) => *plane,
            Self::Surface(surface) => surface.plane_under(point),
        }
    }

    /// Distance of a point from the ground plane under it, along the normal; negative below.
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

    /// The up direction of the whole floor: the normal of a plane, else Y.
    pub fn up(&self) -> Vec3 {
        match self {
            Self::Plane(plane) => plane.normal,
            Self::Surface(_) => Vec3::Y,
        }
    }

    /// The plane, if the floor is one.
    #[inline]
    pub fn as_plane(&self) -> Option<&Plane> {
        match self {
            Self::Plane(plane) => Some(plane),
            Self::Surface(_) => None,
        }
    }

    /// The surface, if the floor is not a plane.
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
