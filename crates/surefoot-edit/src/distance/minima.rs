//! Where is the map lowest?

use surefoot_core::Motion;

use super::map::{Map, Settings, distance_at};
use surefoot_core::RigidTransform;

/// Two frames at which two motions are alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Frame of the first motion; one past its last where the second follows on its end.
    pub from: usize,
    /// Frame of the second.
    pub to: usize,
    /// How far apart they are, in metres (root mean square over the joints and the window).
    pub distance: f64,
    /// Where the second motion must be put.
    pub placed: RigidTransform,
}

/// The lowest cells of a map, each the lowest within `apart` cells of it, the lowest first, as many
/// as asked for. `is_wanted` says which cells count.
pub fn minima(
    map: &Map,
    apart: usize,
    most: usize,
    is_wanted: impl Fn(usize, usize) -> bool,
) -> Vec<(usize, usize)> {
    let mut found: Vec<(f32, usize, usize)> = Vec::new();
    for row in 0..map.rows {
        for column in 0..map.columns {
            if is_wanted(row, column) && is_lowest(map, row, column, 1) && is_lowest(map, row, column, apart)
            {
                found.push((map.at(row, column), row, column));
            }
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    found.truncate(most);
    found.into_iter().map(|(_, row, column)| (row, column)).collect()
}

/// Whether no cell around is lower. Of a level ridge the first cell counts.
fn is_lowest(map: &Map, row: usize, column: usize, around: usize) -> bool {
    let own = map.at(row, column);
    let rows = row.saturating_sub(around)..(row + around + 1).min(map.rows);
    let columns = column.saturating_sub(around)..(column + around + 1).min(map.columns);
    rows.into_iter().all(|r| {
        let cells = &map.cells[r * map.columns + columns.start..r * map.columns + columns.end];
        cells.iter().enumerate().all(|(n, &cell)| {
            let is_before = (r, columns.start + n) < (row, column);
            if is_before { own < cell } else { own <= cell }
        })
    })
}

/// A cell of the map as frames: the best of those that the cell stands for.
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
            let (distance, placed) = distance_at(first, second, (from, to), settings);
            if best.is_none_or(|best| distance < best.distance) {
                best = Some(Crossing { from, to, distance, placed });
            }
        }
    }
    best.unwrap_or(Crossing { from: 0, to: 0, distance: f64::INFINITY, placed: RigidTransform::IDENTITY })
}
