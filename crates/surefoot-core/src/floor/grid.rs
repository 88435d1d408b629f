//! A uniform grid over the ground, to find what is under a position in constant time.

use core::ops::RangeInclusive;

/// Rectangular cells over X and Z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grid {
    /// The smallest X and Z.
    pub low: (f64, f64),
    /// The size of a cell along X and Z, in metres.
    pub cell: (f64, f64),
    /// Number of cells along X.
    pub columns: usize,
    /// Number of cells along Z.
    pub rows: usize,
}

impl Grid {
    /// The largest X and Z.
    pub fn high(&self) -> (f64, f64) {
        (self.low.0 + self.cell.0 * self.columns as f64, self.low.1 + self.cell.1 * self.rows as f64)
    }

    /// The position within the grid nearest to one that may be outside.
    pub fn clamped(&self, x: f64, z: f64) -> (f64, f64) {
        let high = self.high();
        (x.clamp(self.low.0, high.0), z.clamp(self.low.1, high.1))
    }

    /// The column of an X and the position within it, from 0 to 1. Outside the grid, the last column.
    pub fn column(&self, x: f64) -> (usize, f64) {
        cell_at((x - self.low.0) / self.cell.0, self.columns)
    }

    /// The row of a Z and the position within it, from 0 to 1.
    pub fn row(&self, z: f64) -> (usize, f64) {
        cell_at((z - self.low.1) / self.cell.1, self.rows)
    }

    /// The columns from one X to another, clamped to the grid.
    pub fn columns_from(&self, from: f64, to: f64) -> RangeInclusive<usize> {
        self.column(from).0..=self.column(to).0
    }

    /// The rows from one Z to another, clamped to the grid.
    pub fn rows_from(&self, from: f64, to: f64) -> RangeInclusive<usize> {
        self.row(from).0..=self.row(to).0
    }
}

fn cell_at(at: f64, cells: usize) -> (usize, f64) {
    // The cast turns negative numbers and NaN into 0.
    let cell = (at as usize).min(cells - 1);
    (cell, (at - cell as f64).clamp(0.0, 1.0))
}
