//! Square cells over the ground, so that what lies under a place is found at once.

use core::ops::RangeInclusive;

/// Cells over X and Z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grid {
    /// The least X and Z.
    pub low: (f64, f64),
    /// The sides of a cell, in metres.
    pub cell: (f64, f64),
    /// Cells along X.
    pub columns: usize,
    /// Cells along Z.
    pub rows: usize,
}

impl Grid {
    /// The greatest X and Z.
    pub fn high(&self) -> (f64, f64) {
        (self.low.0 + self.cell.0 * self.columns as f64, self.low.1 + self.cell.1 * self.rows as f64)
    }

    /// The place on the grid nearest to one that may lie beyond its edge.
    pub fn clamped(&self, x: f64, z: f64) -> (f64, f64) {
        let high = self.high();
        (x.clamp(self.low.0, high.0), z.clamp(self.low.1, high.1))
    }

    /// The column of an X and how far into it, from 0 to 1. Beyond the edge the last one.
    pub fn column(&self, x: f64) -> (usize, f64) {
        within((x - self.low.0) / self.cell.0, self.columns)
    }

    /// The row of a Z and how far into it.
    pub fn row(&self, z: f64) -> (usize, f64) {
        within((z - self.low.1) / self.cell.1, self.rows)
    }

    /// The columns from one X to another, if any of them are in the grid.
    pub fn columns_from(&self, from: f64, to: f64) -> RangeInclusive<usize> {
        self.column(from).0..=self.column(to).0
    }

    /// The rows from one Z to another.
    pub fn rows_from(&self, from: f64, to: f64) -> RangeInclusive<usize> {
        self.row(from).0..=self.row(to).0
    }
}

fn within(at: f64, cells: usize) -> (usize, f64) {
    // A number below 0 becomes 0, and so does one that is none.
    let cell = (at as usize).min(cells - 1);
    (cell, (at - cell as f64).clamp(0.0, 1.0))
}
