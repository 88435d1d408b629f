//! A floor of triangles: a height field or a mesh.
//!
//! A height field has two triangles in every cell, so that its height is continuous and its
//! nearest point is exact. A mesh may have any; a grid over the ground lists which lie in each
//! cell. Of several layers the ground under a point is the highest that is not above it. Walls
//! are left out: nobody stands on them.
//!
//! Beyond its edge, and in its holes, the height of the edge's nearest point goes on, level.

use core::fmt;

use super::grid::Grid;
use super::plane::Plane;
use super::triangle::{Triangle, covers, nearest, nearest_from_above, up_of};
use crate::math::Vec3;

/// A layer of the floor that is higher than this above a point is a ceiling to it, in metres.
///
/// More, and a low table is the ground of the feet under it; less, and a foot that sinks into the
/// upper of two layers falls through to the lower.
const STEP: f64 = 0.3;

/// No number may be larger: a floor is in metres, and at this size a millimetre is still told.
const FARTHEST: f64 = 1e6;

/// A height field or a mesh.
#[derive(Clone, PartialEq)]
pub struct Surface {
    grid: Grid,
    kind: Kind,
    /// The least and the greatest of each coordinate.
    bounds: (Vec3, Vec3),
}

#[derive(Clone, PartialEq)]
enum Kind {
    /// The height at every corner of the grid, row by row from the least Z, each from the least X.
    Heights(Vec<f64>),
    Mesh(Mesh),
}

#[derive(Clone, PartialEq)]
struct Mesh {
    triangles: Vec<Triangle>,
    /// Which way is up from each.
    ups: Vec<Vec3>,
    /// Where each cell's part of `listed` begins; one more for the end.
    starts: Vec<u32>,
    /// The triangles that a cell may touch, cell by cell.
    listed: Vec<u32>,
}

/// Why there is no floor in some numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SurfaceError {
    /// A height field of fewer than two by two heights, of cells without size, or whose heights
    /// are more or fewer than it says.
    BadHeightField,
    /// No triangle that one could stand on.
    NoWalkableTriangle,
    /// A number that is not finite, or more than 1000 km.
    NotFinite,
    /// More triangles than can be counted.
    TooMany,
}

impl fmt::Display for SurfaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BadHeightField => {
                "a height field needs two by two heights or more, in cells that have a size"
            }
            Self::NoWalkableTriangle => "there is no triangle to stand on",
            Self::NotFinite => "a number is not finite, or more than 1000 km",
            Self::TooMany => "there are too many triangles",
        })
    }
}

impl core::error::Error for SurfaceError {}

impl Surface {
    /// A height field: `columns` heights along X in each row, the rows along Z, from the place
    /// `low` on in steps of `cell`.
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
        let is_number = |y: &f64| y.abs() <= FARTHEST;
        if !(is_near(bounds.0) && is_near(bounds.1) && heights.iter().all(is_number)) {
            return Err(SurfaceError::NotFinite);
        }
        Ok(Self { grid, kind: Kind::Heights(heights), bounds })
    }

    /// A mesh. Which way round its triangles go does not matter.
    pub fn from_triangles(triangles: impl IntoIterator<Item = [Vec3; 3]>) -> Result<Self, SurfaceError> {
        let (mut kept, mut ups) = (Vec::new(), Vec::new());
        for triangle in triangles {
            if !triangle.iter().all(|&corner| is_near(corner)) {
                return Err(SurfaceError::NotFinite);
            }
            if let Some(up) = up_of(&triangle) {
                kept.push(triangle);
                ups.push(up);
            }
        }
        if kept.is_empty() {
            return Err(SurfaceError::NoWalkableTriangle);
        }
        // Below this the lists of all cells can be counted in 32 bits.
        if kept.len() > (1 << 26) {
            return Err(SurfaceError::TooMany);
        }
        let corners = || kept.iter().flatten();
        let bounds = (
            corners().copied().reduce(Vec3::min).unwrap_or_default(),
            corners().copied().reduce(Vec3::max).unwrap_or_default(),
        );
        let grid = grid_for(&kept, bounds);
        let (starts, listed) = lists(&kept, &grid);
        Ok(Self { grid, kind: Kind::Mesh(Mesh { triangles: kept, ups, starts, listed }), bounds })
    }

    /// The least and the greatest of each coordinate, in metres.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        self.bounds
    }

    /// Whether it is a height field.
    pub fn is_height_field(&self) -> bool {
        matches!(self.kind, Kind::Heights(_))
    }

    /// How many triangles there are to stand on.
    pub fn len(&self) -> usize {
        match &self.kind {
            Kind::Heights(_) => 2 * self.grid.columns * self.grid.rows,
            Kind::Mesh(mesh) => mesh.triangles.len(),
        }
    }

    /// Never: a floor has ground.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// All triangles.
    pub fn triangles(&self) -> impl Iterator<Item = [Vec3; 3]> + '_ {
        let (field, mesh) = match &self.kind {
            Kind::Heights(_) => (self.grid.rows, None),
            Kind::Mesh(mesh) => (0, Some(mesh.triangles.iter().copied())),
        };
        let cells = (0..field).flat_map(|row| (0..self.grid.columns).map(move |column| (column, row)));
        cells.flat_map(|(column, row)| self.halves(column, row)).chain(mesh.into_iter().flatten())
    }

    /// The plane of the ground under a point: of the triangle straight below it, or above it
    /// where it is in the ground.
    // Kept out of its callers, in which a plane must cost no more than a plane.
    #[cold]
    #[inline(never)]
    pub fn plane_under(&self, point: Vec3) -> Plane {
        let (x, z) = self.grid.clamped(point.x, point.z);
        let is_beyond = (x, z) != (point.x, point.z);
        let found = match &self.kind {
            Kind::Heights(_) => Some(self.field_at(x, z)),
            Kind::Mesh(_) if is_beyond => None,
            Kind::Mesh(mesh) => self.mesh_at(mesh, point),
        };
        let (height, up) = match (found, &self.kind) {
            (Some((height, _)), _) if is_beyond => (height, Vec3::Y),
            (Some(found), _) => found,
            (None, Kind::Mesh(mesh)) => (self.edge_near(mesh, point.x, point.z), Vec3::Y),
            (None, Kind::Heights(_)) => (point.y, Vec3::Y),
        };
        Plane::through(Vec3::new(point.x, height, point.z), up)
    }

    /// The point of the floor nearest to `point`. Beyond the edge it is the one straight below.
    ///
    /// No point is farther than the one straight below, so only cells as near as that are asked.
    #[cold]
    #[inline(never)]
    pub fn nearest(&self, point: Vec3) -> Vec3 {
        let plane = self.plane_under(point);
        let below = point - Vec3::Y * (plane.above(point) / plane.normal.y);
        let mut best = (below.distance_squared(point), below);
        let reach = best.0.sqrt();
        let ceiling = point.y.max(below.y) + STEP;
        let (low, high) = (self.grid.low, self.grid.high());
        let is_out = point.x + reach < low.0
            || point.x - reach > high.0
            || point.z + reach < low.1
            || point.z - reach > high.1;
        if is_out {
            return below;
        }
        for row in self.grid.rows_from(point.z - reach, point.z + reach) {
            for column in self.grid.columns_from(point.x - reach, point.x + reach) {
                self.each_in(column, row, |triangle| {
                    let on = nearest(&triangle, point);
                    let far = on.distance_squared(point);
                    // What is far above both the point and its ground is a ceiling to it.
                    if far < best.0 && on.y <= ceiling {
                        best = (far, on);
                    }
                });
            }
        }
        best.1
    }

    /// The height and normal of the field at a place within it.
    fn field_at(&self, x: f64, z: f64) -> (f64, Vec3) {
        let (column, right) = self.grid.column(x);
        let (row, far) = self.grid.row(z);
        let [near_half, far_half] = self.halves(column, row);
        let triangle = if right + far <= 1.0 { near_half } else { far_half };
        // No half of a cell is a wall unless it is a thousand times as high as it is wide.
        let up = up_of(&triangle).unwrap_or(Vec3::Y);
        (height_on(&triangle, up, x, z), up)
    }

    /// The two triangles of a cell of a field.
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

    /// The height and normal of the layer that is the ground under a point, if there is one.
    fn mesh_at(&self, mesh: &Mesh, point: Vec3) -> Option<(f64, Vec3)> {
        let (mut below, mut over) = (None::<(f64, Vec3)>, None::<(f64, Vec3)>);
        let (column, row) = (self.grid.column(point.x).0, self.grid.row(point.z).0);
        for &index in mesh.in_cell(row * self.grid.columns + column) {
            let (triangle, up) = (&mesh.triangles[index as usize], mesh.ups[index as usize]);
            if !covers(triangle, point.x, point.z) {
                continue;
            }
            let height = height_on(triangle, up, point.x, point.z);
            if height > point.y + STEP {
                over = over.filter(|over| over.0 <= height).or(Some((height, up)));
            } else {
                below = below.filter(|below| below.0 >= height).or(Some((height, up)));
            }
        }
        below.or(over)
    }

    /// The height of the mesh's point that is nearest to a place, seen from above.
    fn edge_near(&self, mesh: &Mesh, x: f64, z: f64) -> f64 {
        let Grid { columns, rows, cell, .. } = self.grid;
        let (near_x, near_z) = self.grid.clamped(x, z);
        let (column, row) = (self.grid.column(near_x).0, self.grid.row(near_z).0);
        let beyond = (x - near_x) * (x - near_x) + (z - near_z) * (z - near_z);
        let mut best = (f64::INFINITY, 0.0);
        for ring in 0..columns.max(rows) {
            // Nothing in this ring of cells or those around it can be nearer.
            let least = ring.saturating_sub(1) as f64 * cell.0.min(cell.1);
            if best.0 < least * least + beyond {
                break;
            }
            let (left, right) = (column.saturating_sub(ring), (column + ring).min(columns - 1));
            for at_row in row.saturating_sub(ring)..=(row + ring).min(rows - 1) {
                // In the rows between only the two ends are of this ring.
                let is_end = row.abs_diff(at_row) == ring;
                let step = if is_end { 1 } else { (right - left).max(1) };
                let of_ring = |at: &usize| is_end || column.abs_diff(*at) == ring;
                for at in (left..=right).step_by(step).filter(of_ring) {
                    for &index in mesh.in_cell(at_row * columns + at) {
                        let (far, on) = nearest_from_above(&mesh.triangles[index as usize], x, z);
                        // Of two layers that end alike the higher is the ground.
                        if far < best.0 || (far == best.0 && on.y > best.1) {
                            best = (far, on.y);
                        }
                    }
                }
            }
        }
        best.1
    }

    fn each_in(&self, column: usize, row: usize, mut look: impl FnMut(Triangle)) {
        match &self.kind {
            Kind::Heights(_) => self.halves(column, row).into_iter().for_each(look),
            Kind::Mesh(mesh) => {
                for &index in mesh.in_cell(row * self.grid.columns + column) {
                    look(mesh.triangles[index as usize]);
                }
            }
        }
    }
}

impl Mesh {
    fn in_cell(&self, cell: usize) -> &[u32] {
        &self.listed[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }
}

/// A floor is shared by many and large: what is in it is not worth printing.
impl fmt::Debug for Surface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.is_height_field() { "field" } else { "mesh" };
        write!(f, "Surface({what} of {} triangles, {} to {})", self.len(), self.bounds.0, self.bounds.1)
    }
}

fn is_near(point: Vec3) -> bool {
    point.abs().max_element() <= FARTHEST && point.is_finite()
}

fn height_on(triangle: &Triangle, up: Vec3, x: f64, z: f64) -> f64 {
    let corner = triangle[0];
    corner.y - (up.x * (x - corner.x) + up.z * (z - corner.z)) / up.y
}

/// A grid with about as many cells as there are triangles.
///
/// Its cells are made larger until the lists of them all are no more than a few times as long as
/// the mesh: large triangles over small ones would else be listed without end.
fn grid_for(triangles: &[Triangle], (low, high): (Vec3, Vec3)) -> Grid {
    /// Entries in the lists for each triangle, at most, on the average.
    const LISTED: usize = 16;
    let size = high - low;
    // A mesh has ground, so it is wide both ways.
    let mut cell = (size.x * size.z / triangles.len() as f64).sqrt().max(1e-6 * size.x.max(size.z));
    loop {
        let count = |length: f64| ((length / cell).ceil() as usize).max(1);
        let (columns, rows) = (count(size.x), count(size.z));
        let cell_size = (size.x / columns as f64, size.z / rows as f64);
        let grid = Grid { low: (low.x, low.z), cell: cell_size, columns, rows };
        let few = columns.saturating_mul(rows) <= 4 * triangles.len() + 64;
        let listed: usize = triangles.iter().map(|triangle| cells_of(triangle, &grid).len()).sum();
        if (few && listed <= LISTED * triangles.len() + 64) || columns * rows == 1 {
            return grid;
        }
        cell *= 2.0;
    }
}

/// The cells in the box round a triangle.
fn cells_of(triangle: &Triangle, grid: &Grid) -> impl ExactSizeIterator<Item = usize> + use<> {
    let [a, b, c] = *triangle;
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    let (columns, rows) = (grid.columns_from(low.x, high.x), grid.rows_from(low.z, high.z));
    let (first, wide, all) = (*columns.start(), columns.end() + 1 - columns.start(), grid.columns);
    let (top, tall) = (*rows.start(), rows.end() + 1 - rows.start());
    (0..wide * tall).map(move |at| (top + at / wide) * all + first + at % wide)
}

/// Which triangles each cell may touch: where each cell's list begins, and the lists.
fn lists(triangles: &[Triangle], grid: &Grid) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; grid.columns * grid.rows + 1];
    for cell in triangles.iter().flat_map(|triangle| cells_of(triangle, grid)) {
        starts[cell + 1] += 1;
    }
    for cell in 1..starts.len() {
        starts[cell] += starts[cell - 1];
    }
    let mut next = starts.clone();
    let mut listed = vec![0; starts.last().map_or(0, |&end| end as usize)];
    for (index, triangle) in triangles.iter().enumerate() {
        for cell in cells_of(triangle, grid) {
            listed[next[cell] as usize] = index as u32;
            next[cell] += 1;
        }
    }
    (starts, listed)
}
