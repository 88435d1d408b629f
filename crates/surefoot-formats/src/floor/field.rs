//! From a grid in a file's axes to a height field in ours.

use surefoot_core::Vec3;
use surefoot_core::floor::Surface;

use super::error::FloorError;
use crate::Space;

/// The names of a file's axes.
const AXES: [&str; 3] = ["x", "y", "z"];

/// The two axes of the ground, in the order of the alphabet: x and z where y is up.
pub(super) fn ground_axes(space: &Space) -> [usize; 2] {
    match space.up.axis {
        0 => [1, 2],
        1 => [0, 2],
        _ => [0, 1],
    }
}

/// Their names.
pub(super) fn ground_names(space: &Space) -> [&'static str; 2] {
    ground_axes(space).map(|axis| AXES[axis])
}

/// Heights along the two axes of the ground, in metres.
pub(super) struct Heights {
    /// The place of the first.
    pub first: [f64; 2],
    /// The steps from one to the next, which may be negative.
    pub step: [f64; 2],
    /// How many there are along the first axis.
    pub columns: usize,
    /// Row by row along the second axis, each along the first.
    pub heights: Vec<f64>,
}

impl Heights {
    /// The field, turned into our axes.
    pub fn surface(self, space: &Space) -> Result<Surface, FloorError> {
        let axes = ground_axes(space);
        let columns = self.columns.max(1);
        let rows = self.heights.len() / columns;
        let turned = |along: [f64; 2]| {
            let mut v = [0.0; 3];
            v[axes[0]] = along[0];
            v[axes[1]] = along[1];
            space.direction_from_file(Vec3::from_array(v))
        };
        // Axes are only swapped and negated, so each step is along X or Z alone.
        let first = turned(self.first);
        let (over, on) = (turned([self.step[0], 0.0]), turned([0.0, self.step[1]]));
        let swapped = over.x == 0.0;
        let (x, z) = if swapped { (on.x, over.z) } else { (over.x, on.z) };
        let (wide, tall) = if swapped { (rows, columns) } else { (columns, rows) };
        let heights = if !swapped && x > 0.0 && z > 0.0 {
            self.heights
        } else {
            let mut turned = Vec::with_capacity(self.heights.len());
            for row in 0..tall {
                let row = if z > 0.0 { row } else { tall - 1 - row };
                for column in 0..wide {
                    let column = if x > 0.0 { column } else { wide - 1 - column };
                    let at = if swapped { column * columns + row } else { row * columns + column };
                    turned.push(self.heights[at]);
                }
            }
            turned
        };
        let low = |first: f64, step: f64, count: usize| first + step.min(0.0) * (count.max(1) - 1) as f64;
        let low = (low(first.x, x, wide), low(first.z, z, tall));
        Ok(Surface::from_heights(low, (x.abs(), z.abs()), wide, heights)?)
    }
}
