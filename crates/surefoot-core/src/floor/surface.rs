//! A floor of triangles: a height field or a mesh.
//!
//! Every cell of a height field is two triangles, so that its height is continuous and its nearest
//! point exact. Of several layers of a mesh, the ground under a point is the highest that is not
//! above the point. Walls are left out, since no foot stands on them.
//!
//! Outside the surface and in its holes the ground is level, at the height of the horizontally
//! nearest surface point.

use core::fmt;

use super::grid::Grid;
use super::mesh::{CEILING, Ground, Mesh, height_on};
use super::plane::Plane;
use super::triangle::{Triangle, nearest, upward_normal};
use crate::math::Vec3;

/// Largest coordinate, in metres: at 1000 km, `f64` still resolves a nanometre.
pub(super) const FARTHEST: f64 = 1e6;

/// Most triangles of a mesh, so that 32 bits can index the cell lists.
const MOST_TRIANGLES: usize = 1 << 26;

/// Most triangles in one cell of the grid of a mesh. The cells of scanned and modelled ground hold about ten. Every query
/// looks at all triangles of a cell: with 4,000 of them a second of motion takes a second and a half to clean.
const MOST_IN_CELL: usize = 3000;

/// A height field or a mesh.
#[derive(Clone, PartialEq)]
pub struct Surface {
    grid: Grid,
    kind: Kind,
    /// The corners of the bounding box.
    bounds: (Vec3, Vec3),
}

#[derive(Clone, PartialEq)]
enum Kind {
    /// The height at every corner of the grid, row by row along Z; a row runs along X.
    Heights(Vec<f64>),
    Mesh(Mesh),
}

/// Error of building a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SurfaceError {
    /// A height field with fewer than 2 × 2 heights, cells without size, or an incomplete row.
    BadHeightField,
    /// A mesh without triangles, or with nothing but walls.
    NoWalkableTriangle,
    /// A coordinate that is not finite or beyond 1000 km.
    NotFinite,
    /// Too many triangles.
    TooMany,
    /// Too many triangles above each other, or within a small part of the mesh.
    TooDense {
        /// The number of triangles in one place.
        found: usize,
    },
}

impl fmt::Display for SurfaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadHeightField => {
                write!(
                    f,
                    "the height field is incomplete, expected at least 2 × 2 heights in cells with a size"
                )
            }
            Self::NoWalkableTriangle => {
                write!(f, "the mesh has no triangle to stand on, expected one that is not vertical")
            }
            Self::NotFinite => write!(f, "a coordinate is not finite or beyond 1000 km"),
            Self::TooDense { found } => write!(
                f,
                "{found} triangles of the mesh are in one place, expected at most {MOST_IN_CELL}: remove the parts of the \
                 mesh that no foot touches"
            ),
            Self::TooMany => write!(f, "the mesh has too many triangles, expected at most {MOST_TRIANGLES}"),
        }
    }
}

impl core::error::Error for SurfaceError {}

impl Surface {
    /// Builds a height field from `columns` heights per row. Rows run along X and follow each other
    /// along Z, starting at `low` with steps of `cell`.
    pub fn from_heights(
        low: (f64, f64),
        cell: (f64, f64),
        columns: usize,
        heights: Vec<f64>,
    ) -> Result<Self, SurfaceError> {
        let rows = heights.len().checked_div(columns).unwrap_or(0);
        if columns < 2 || rows < 2 || columns * rows != heights.len() || !(cell.0 > 0.0 && cell.1 > 0.0) {
            return Err(SurfaceError::BadHeightField);
        }
        let grid = Grid { low, cell, columns: columns - 1, rows: rows - 1 };
        let (lowest, highest) =
            heights.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &y| (l.min(y), h.max(y)));
        let high = grid.high();
        let bounds = (Vec3::new(low.0, lowest, low.1), Vec3::new(high.0, highest, high.1));
        let is_valid = |y: &f64| y.abs() <= FARTHEST;
        if !(is_in_range(bounds.0) && is_in_range(bounds.1) && heights.iter().all(is_valid)) {
            return Err(SurfaceError::NotFinite);
        }
        Ok(Self { grid, kind: Kind::Heights(heights), bounds })
    }

    /// Builds a mesh. The orientation of the triangles does not matter.
    pub fn from_triangles(triangles: impl IntoIterator<Item = [Vec3; 3]>) -> Result<Self, SurfaceError> {
        let (mut walkable, mut normals) = (Vec::new(), Vec::new());
        for triangle in triangles {
            if !triangle.iter().all(|&corner| is_in_range(corner)) {
                return Err(SurfaceError::NotFinite);
            }
            if let Some(normal) = upward_normal(&triangle) {
                walkable.push(triangle);
                normals.push(normal);
            }
        }
        if walkable.is_empty() {
            return Err(SurfaceError::NoWalkableTriangle);
        }
        if walkable.len() > MOST_TRIANGLES {
            return Err(SurfaceError::TooMany);
        }
        let corners = || walkable.iter().flatten();
        let bounds = (
            corners().copied().reduce(Vec3::min).unwrap_or_default(),
            corners().copied().reduce(Vec3::max).unwrap_or_default(),
        );
        let (mesh, grid) = Mesh::new(walkable, normals, bounds);
        if mesh.densest_cell() > MOST_IN_CELL {
            return Err(SurfaceError::TooDense { found: mesh.densest_cell() });
        }
        Ok(Self { grid, kind: Kind::Mesh(mesh), bounds })
    }

    /// The lowest and highest corner of the bounding box, in metres.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        self.bounds
    }

    /// Whether the surface is a height field.
    pub fn is_height_field(&self) -> bool {
        matches!(self.kind, Kind::Heights(_))
    }

    /// The number of triangles.
    pub fn len(&self) -> usize {
        match &self.kind {
            Kind::Heights(_) => 2 * self.grid.columns * self.grid.rows,
            Kind::Mesh(mesh) => mesh.triangles().len(),
        }
    }

    /// False: a surface has at least one triangle.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// All triangles.
    pub fn triangles(&self) -> impl Iterator<Item = [Vec3; 3]> + '_ {
        let (rows, mesh) = match &self.kind {
            Kind::Heights(_) => (self.grid.rows, None),
            Kind::Mesh(mesh) => (0, Some(mesh.triangles().iter().copied())),
        };
        let cells = (0..rows).flat_map(|row| (0..self.grid.columns).map(move |column| (column, row)));
        cells.flat_map(|(column, row)| self.halves(column, row)).chain(mesh.into_iter().flatten())
    }

    /// The ground plane under a point: that of the triangle vertically below the point, or above a
    /// point inside the ground.
    // Not inlined, so that queries of a floor that is a plane stay as fast as a plane.
    #[cold]
    #[inline(never)]
    pub fn plane_under(&self, point: Vec3) -> Plane {
        let (x, z) = self.grid.clamped(point.x, point.z);
        let is_outside = (x, z) != (point.x, point.z);
        let (height, normal) = match &self.kind {
            Kind::Heights(_) if is_outside => (self.field_at(x, z).0, Vec3::Y),
            Kind::Heights(_) => self.field_at(x, z),
            Kind::Mesh(mesh) => {
                let ground = if is_outside { None } else { mesh.ground_at(&self.grid, point) };
                ground.unwrap_or_else(|| (mesh.nearest_height(&self.grid, point.x, point.z), Vec3::Y))
            }
        };
        Plane::through(Vec3::new(point.x, height, point.z), normal)
    }

    /// The surface point nearest to `point`; outside the surface, the one vertically below.
    ///
    /// No nearest point is farther than the ground below, which limits the search to a few cells.
    #[cold]
    #[inline(never)]
    pub fn nearest(&self, point: Vec3) -> Vec3 {
        let plane = self.plane_under(point);
        let below = point - Vec3::Y * (plane.above(point) / plane.normal.y);
        let mut best = (below.distance_squared(point), below);
        let reach = best.0.sqrt();
        let ceiling = point.y.max(below.y) + CEILING;
        let (low, high) = (self.grid.low, self.grid.high());
        let is_outside = point.x + reach < low.0
            || point.x - reach > high.0
            || point.z + reach < low.1
            || point.z - reach > high.1;
        if is_outside {
            return below;
        }
        for row in self.grid.rows_from(point.z - reach, point.z + reach) {
            for column in self.grid.columns_from(point.x - reach, point.x + reach) {
                self.for_each_triangle(column, row, |triangle| {
                    let on = nearest(&triangle, point);
                    let distance = on.distance_squared(point);
                    if distance < best.0 && on.y <= ceiling {
                        best = (distance, on);
                    }
                });
            }
        }
        best.1
    }

    /// The ground of the height field at a position within it.
    fn field_at(&self, x: f64, z: f64) -> Ground {
        let (column, right) = self.grid.column(x);
        let (row, far) = self.grid.row(z);
        let [near_half, far_half] = self.halves(column, row);
        let triangle = if right + far <= 1.0 { near_half } else { far_half };
        // A half of a cell a thousand times as high as wide is a wall.
        let normal = upward_normal(&triangle).unwrap_or(Vec3::Y);
        (height_on(&triangle, normal, x, z), normal)
    }

    /// The two triangles of a cell of the height field.
    fn halves(&self, column: usize, row: usize) -> [Triangle; 2] {
        let Kind::Heights(heights) = &self.kind else { return [[Vec3::ZERO; 3]; 2] };
        let Grid { low, cell, columns, .. } = self.grid;
        let corner = |column: usize, row: usize| {
            let height = heights[row * (columns + 1) + column];
            Vec3::new(low.0 + cell.0 * column as f64, height, low.1 + cell.1 * row as f64)
        };
        let (right, far) = (corner(column + 1, row), corner(column, row + 1));
        [[corner(column, row), right, far], [corner(column + 1, row + 1), far, right]]
    }

    /// Calls `visit` with every triangle that may touch a cell.
    fn for_each_triangle(&self, column: usize, row: usize, mut visit: impl FnMut(Triangle)) {
        match &self.kind {
            Kind::Heights(_) => self.halves(column, row).into_iter().for_each(visit),
            Kind::Mesh(mesh) => {
                for &index in mesh.in_cell(row * self.grid.columns + column) {
                    visit(mesh.triangles()[index as usize]);
                }
            }
        }
    }
}

/// Prints the size only: a surface is too large to print.
impl fmt::Debug for Surface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_height_field() { "field" } else { "mesh" };
        write!(f, "Surface({kind} of {} triangles, {} to {})", self.len(), self.bounds.0, self.bounds.1)
    }
}

/// Whether all coordinates of a point are finite and in range.
fn is_in_range(point: Vec3) -> bool {
    point.abs().max_element() <= FARTHEST && point.is_finite()
}
