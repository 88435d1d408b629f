//! Converts a grid of heights from a file's axes to a height field, Y up.

use surefoot_core::Vec3;
use surefoot_core::floor::Surface;

use super::error::FloorError;
use crate::Space;

/// The names of the axes.
const AXES: [&str; 3] = ["x", "y", "z"];

/// The names of the ground axes.
pub(super) fn ground_names(space: &Space) -> [&'static str; 2] {
    space.ground_axes().map(|axis| AXES[axis])
}

/// Heights on a grid over the two ground axes of a file, in metres.
pub(super) struct HeightGrid {
    /// Position of the first grid point.
    pub first: [f64; 2],
    /// Distance between neighbours along each axis; may be negative.
    pub step: [f64; 2],
    /// Number of grid points along the first axis.
    pub columns: usize,
    /// The heights, row by row; a row runs along the first axis.
    pub heights: Vec<f64>,
}

impl HeightGrid {
    /// Converts the grid to a height field, Y up.
    pub fn surface(self, space: &Space) -> Result<Surface, FloorError> {
        let axes = space.ground_axes();
        let columns = self.columns.max(1);
        let rows = self.heights.len() / columns;
        let converted = |along: [f64; 2]| {
            let mut v = [0.0; 3];
            v[axes[0]] = along[0];
            v[axes[1]] = along[1];
            space.direction_from_file(Vec3::from_array(v))
        };
        // Axes are only swapped and negated, so each step is along X or Z alone.
        let first = converted(self.first);
        let (column_step, row_step) = (converted([self.step[0], 0.0]), converted([0.0, self.step[1]]));
        let swapped = column_step.x == 0.0;
        let (x, z) = if swapped { (row_step.x, column_step.z) } else { (column_step.x, row_step.z) };
        let (wide, tall) = if swapped { (rows, columns) } else { (columns, rows) };
        let heights = if !swapped && x > 0.0 && z > 0.0 {
            self.heights
        } else {
            let mut reordered = Vec::with_capacity(self.heights.len());
            for row in 0..tall {
                let row = if z > 0.0 { row } else { tall - 1 - row };
                for column in 0..wide {
                    let column = if x > 0.0 { column } else { wide - 1 - column };
                    let at = if swapped { column * columns + row } else { row * columns + column };
                    reordered.push(self.heights[at]);
                }
            }
            reordered
        };
        let low = |first: f64, step: f64, count: usize| first + step.min(0.0) * (count.max(1) - 1) as f64;
        let low = (low(first.x, x, wide), low(first.z, z, tall));
        Ok(Surface::from_heights(low, (x.abs(), z.abs()), wide, heights)?)
    }
}
