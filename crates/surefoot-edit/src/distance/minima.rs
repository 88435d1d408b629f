//! Local minima of the distance map.

use surefoot_core::Motion;

use super::map::{Map, Settings, distance_at};
use surefoot_core::RigidTransform;

/// A pair of frames at which two motions are alike, and the transform that aligns them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Frame of the first motion; one past the last if the second motion is appended.
    pub from: usize,
    /// Frame of the second motion.
    pub to: usize,
    /// Distance in metres (root mean square over the joints and the window).
    pub distance: f64,
    /// Transform that moves the second motion onto the first.
    pub transform: RigidTransform,
}

/// The smallest local minima of a map, at most `most`, smallest first.
///
/// Each is the minimum of its neighbourhood of `spacing` cells. Only cells for which `is_candidate`
/// returns true are considered.
pub fn minima(
    map: &Map,
    spacing: usize,
    most: usize,
    is_candidate: impl Fn(usize, usize) -> bool,
) -> Vec<(usize, usize)> {
    let mut minima: Vec<(f32, usize, usize)> = Vec::new();
    for row in 0..map.rows {
        for column in 0..map.columns {
            if is_candidate(row, column)
                && is_lowest(map, row, column, 1)
                && is_lowest(map, row, column, spacing)
            {
                minima.push((map.at(row, column), row, column));
            }
        }
    }
    minima.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    minima.truncate(most);
    minima.into_iter().map(|(_, row, column)| (row, column)).collect()
}

/// Whether no cell in the neighbourhood is smaller. Of equal cells the first counts.
fn is_lowest(map: &Map, row: usize, column: usize, radius: usize) -> bool {
    let own = map.at(row, column);
    let rows = row.saturating_sub(radius)..(row + radius + 1).min(map.rows);
    let columns = column.saturating_sub(radius)..(column + radius + 1).min(map.columns);
    rows.into_iter().all(|r| {
        let cells = &map.cells[r * map.columns + columns.start..r * map.columns + columns.end];
        cells.iter().enumerate().all(|(n, &cell)| {
            let is_before = (r, columns.start + n) < (row, column);
            if is_before { own < cell } else { own <= cell }
        })
    })
}

/// Refines a cell of a subsampled map to the best pair of frames around it.
pub(crate) fn refine(
    first: &Motion,
    second: &Motion,
    map: &Map,
    (row, column): (usize, usize),
    settings: &Settings,
) -> Crossing {
    let around = |at: usize, frames: usize| {
        let middle = at * map.stride;
        middle.saturating_sub(map.stride - 1)..(middle + map.stride).min(frames)
    };
    let mut best: Option<Crossing> = None;
    for from in around(row, first.frames()) {
        for to in around(column, second.frames()) {
            let (distance, transform) = distance_at(first, second, (from, to), settings);
            if best.is_none_or(|best| distance < best.distance) {
                best = Some(Crossing { from, to, distance, transform });
            }
        }
    }
    best.unwrap_or(Crossing { from: 0, to: 0, distance: f64::INFINITY, transform: RigidTransform::IDENTITY })
}
