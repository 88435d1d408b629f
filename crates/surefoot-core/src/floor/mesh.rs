//! A triangle mesh with a grid that lists the triangles of each cell.

use super::grid::Grid;
use super::triangle::{Triangle, covers, nearest_from_above};
use crate::math::Vec3;

/// Height above a point from which a layer of the mesh is a ceiling, in metres.
///
/// With more, a low table would be the ground of the feet under it; with less, a foot that
/// penetrates the upper of two layers would fall through to the lower.
pub(super) const CEILING: f64 = 0.3;

/// Height and upward normal of the ground.
pub(super) type Ground = (f64, Vec3);

#[derive(Clone, PartialEq)]
pub(super) struct Mesh {
    triangles: Vec<Triangle>,
    /// The upward normal of each triangle.
    normals: Vec<Vec3>,
    /// For each cell the start of its part of `listed`, followed by the end of the last.
    starts: Vec<u32>,
    /// The triangles that may touch each cell, cell by cell.
    listed: Vec<u32>,
}

impl Mesh {
    /// Builds a mesh of triangles with their upward normals, and the grid for it.
    pub fn new(triangles: Vec<Triangle>, normals: Vec<Vec3>, bounds: (Vec3, Vec3)) -> (Self, Grid) {
        let grid = grid_for(&triangles, bounds);
        let (starts, listed) = lists(&triangles, &grid);
        (Self { triangles, normals, starts, listed }, grid)
    }

    /// The largest number of triangles that a query has to look at.
    pub fn densest_cell(&self) -> usize {
        self.starts.windows(2).map(|pair| (pair[1] - pair[0]) as usize).max().unwrap_or(0)
    }

    pub fn triangles(&self) -> &[Triangle] {
        &self.triangles
    }

    /// The indices of the triangles that may touch a cell.
    pub fn in_cell(&self, cell: usize) -> &[u32] {
        &self.listed[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }

    /// The ground under a point within the grid: of several layers the highest that is not a
    /// ceiling. `None` in a hole.
    pub fn ground_at(&self, grid: &Grid, point: Vec3) -> Option<Ground> {
        let (mut below, mut over) = (None::<Ground>, None::<Ground>);
        let (column, row) = (grid.column(point.x).0, grid.row(point.z).0);
        for &index in self.in_cell(row * grid.columns + column) {
            let (triangle, normal) = (&self.triangles[index as usize], self.normals[index as usize]);
            if !covers(triangle, point.x, point.z) {
                continue;
            }
            let height = height_on(triangle, normal, point.x, point.z);
            if height > point.y + CEILING {
                over = over.filter(|over| over.0 <= height).or(Some((height, normal)));
            } else {
                below = below.filter(|below| below.0 >= height).or(Some((height, normal)));
            }
        }
        below.or(over)
    }

    /// The height of the mesh point that is horizontally nearest to a position.
    ///
    /// Searches rings of cells around the position until no farther ring can be nearer.
    pub fn nearest_height(&self, grid: &Grid, x: f64, z: f64) -> f64 {
        let Grid { columns, rows, cell, .. } = *grid;
        let (near_x, near_z) = grid.clamped(x, z);
        let (column, row) = (grid.column(near_x).0, grid.row(near_z).0);
        let beyond = (x - near_x) * (x - near_x) + (z - near_z) * (z - near_z);
        let mut best = (f64::INFINITY, 0.0);
        for ring in 0..columns.max(rows) {
            let least = ring.saturating_sub(1) as f64 * cell.0.min(cell.1);
            if best.0 < least * least + beyond {
                break;
            }
            let (left, right) = (column.saturating_sub(ring), (column + ring).min(columns - 1));
            for at_row in row.saturating_sub(ring)..=(row + ring).min(rows - 1) {
                // In the rows between the first and last of a ring, only two cells belong to it.
                let is_end = row.abs_diff(at_row) == ring;
                let step = if is_end { 1 } else { (right - left).max(1) };
                let is_in_ring = |at: &usize| is_end || column.abs_diff(*at) == ring;
                for at in (left..=right).step_by(step).filter(is_in_ring) {
                    self.nearer_height(at_row * columns + at, x, z, &mut best);
                }
            }
        }
        best.1
    }

    /// Lowers `best` (squared distance, height) to the nearest point of a cell's triangles. Of two
    /// equally near the higher is the ground.
    fn nearer_height(&self, cell: usize, x: f64, z: f64, best: &mut (f64, f64)) {
        for &index in self.in_cell(cell) {
            let (distance, on) = nearest_from_above(&self.triangles[index as usize], x, z);
            if distance < best.0 || (distance == best.0 && on.y > best.1) {
                *best = (distance, on.y);
            }
        }
    }
}

/// The height of a triangle's plane at a ground position.
pub(super) fn height_on(triangle: &Triangle, normal: Vec3, x: f64, z: f64) -> f64 {
    let corner = triangle[0];
    corner.y - (normal.x * (x - corner.x) + normal.z * (z - corner.z)) / normal.y
}

/// A grid with about as many cells as there are triangles.
///
/// The cells are enlarged until the lists of all cells together are not much longer than the mesh;
/// otherwise a large triangle over many small ones would be listed in every small cell.
fn grid_for(triangles: &[Triangle], (low, high): (Vec3, Vec3)) -> Grid {
    /// Most list entries per triangle on average.
    const MOST_ENTRIES: usize = 16;
    let size = high - low;
    // Not zero: a mesh without walls extends along X and Z.
    let mut cell = (size.x * size.z / triangles.len() as f64).sqrt().max(1e-6 * size.x.max(size.z));
    loop {
        let count = |length: f64| ((length / cell).ceil() as usize).max(1);
        let (columns, rows) = (count(size.x), count(size.z));
        let cell_size = (size.x / columns as f64, size.z / rows as f64);
        let grid = Grid { low: (low.x, low.z), cell: cell_size, columns, rows };
        let few = columns.saturating_mul(rows) <= 4 * triangles.len() + 64;
        let listed: usize = triangles.iter().map(|triangle| cells_of(triangle, &grid).len()).sum();
        if (few && listed <= MOST_ENTRIES * triangles.len() + 64) || columns * rows == 1 {
            return grid;
        }
        cell *= 2.0;
    }
}

/// The cells of a triangle's bounding box.
fn cells_of(triangle: &Triangle, grid: &Grid) -> impl ExactSizeIterator<Item = usize> + use<> {
    let [a, b, c] = *triangle;
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    let (columns, rows) = (grid.columns_from(low.x, high.x), grid.rows_from(low.z, high.z));
    let (first, wide, all) = (*columns.start(), columns.end() + 1 - columns.start(), grid.columns);
    let (top, tall) = (*rows.start(), rows.end() + 1 - rows.start());
    (0..wide * tall).map(move |at| (top + at / wide) * all + first + at % wide)
}

/// The start of each cell's list, and the lists of triangles that may touch a cell.
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
