//! Contour lines of uneven ground.

use super::ticks::{Ticks, ticks};
use surefoot_core::{Floor, Vec3};

/// Number of height samples across the width of the plot. More makes smoother lines and larger files.
const SAMPLES: f64 = 100.0;
/// Largest number of contour heights.
const MAX_HEIGHTS: usize = 8;
/// Height range below which the ground counts as level and has no contours, in metres.
const LEVEL: f64 = 0.005;

/// The part of the ground that is plotted.
pub(super) struct Patch {
    /// Directions on the ground of right and up in the plot.
    pub axes: (Vec3, Vec3),
    /// The lower left corner, in metres along `axes`.
    pub low: (f64, f64),
    /// Width and height, in metres.
    pub size: (f64, f64),
    /// Height from which the ground is searched downwards.
    pub from: f64,
}

/// Contour lines and their heights.
pub(super) struct Contours {
    /// The heights.
    pub levels: Ticks,
    /// Line segments, in metres along the axes of the patch.
    pub pieces: Vec<[(f64, f64); 2]>,
}

/// The contours of a floor; `None` for a plane or nearly level ground.
pub(super) fn contours(floor: &Floor, patch: &Patch) -> Option<Contours> {
    floor.as_surface()?;
    let step = patch.size.0.max(patch.size.1) / SAMPLES;
    let count = |length: f64| (length / step).ceil() as usize + 1;
    let (columns, rows) = (count(patch.size.0), count(patch.size.1));
    let at =
        |column: usize, row: usize| (patch.low.0 + step * column as f64, patch.low.1 + step * row as f64);
    let height = |(right, up): (f64, f64)| {
        let over = patch.axes.0 * right + patch.axes.1 * up + Vec3::Y * patch.from;
        let plane = floor.plane_under(over);
        over.y - plane.above(over) / plane.normal.y
    };
    let corners: Vec<f64> =
        (0..rows * columns).map(|index| height(at(index % columns, index / columns))).collect();
    let low = corners.iter().copied().fold(f64::INFINITY, f64::min);
    let high = corners.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if high - low < LEVEL {
        return None;
    }
    let levels = ticks(low, high, MAX_HEIGHTS);
    let mut pieces = Vec::new();
    for (row, column) in (1..rows).flat_map(|row| (1..columns).map(move |column| (row, column))) {
        let corner = |column, row| (at(column, row), corners[row * columns + column]);
        let [a, b] = [corner(column - 1, row - 1), corner(column, row - 1)];
        let [c, d] = [corner(column - 1, row), corner(column, row)];
        for level in &levels.at {
            pieces.extend(crossing([a, b, c], *level));
            pieces.extend(crossing([d, c, b], *level));
        }
    }
    Some(Contours { levels, pieces })
}

/// A position on the patch and its height.
type Corner = ((f64, f64), f64);

/// The segment of a contour within a triangle.
fn crossing(corners: [Corner; 3], level: f64) -> Option<[(f64, f64); 2]> {
    let cut = |(from, to): (Corner, Corner)| {
        // One end is at or above the level and the other below it, so they differ.
        let share = (level - from.1) / (to.1 - from.1);
        (from.0.0 + share * (to.0.0 - from.0.0), from.0.1 + share * (to.0.1 - from.0.1))
    };
    let [a, b, c] = corners;
    let edges = [(a, b), (b, c), (c, a)];
    let mut cuts = edges.into_iter().filter(|(from, to)| (from.1 < level) != (to.1 < level)).map(cut);
    Some([cuts.next()?, cuts.next()?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_core::floor::Surface;

    #[test]
    fn a_slope_has_straight_contours_at_round_heights() {
        let surface = Surface::from_heights((0.0, 0.0), (1.0, 1.0), 2, vec![0.0, 0.4, 0.0, 0.4]).unwrap();
        let patch = Patch { axes: (Vec3::X, Vec3::Z), low: (0.0, 0.0), size: (1.0, 1.0), from: 1.0 };
        let found = contours(&surface.into(), &patch).unwrap();
        assert_eq!(found.levels.step, 0.05);
        for [from, to] in &found.pieces {
            assert!((from.0 - to.0).abs() < 1e-12, "{from:?} {to:?}");
            let level = from.0 * 0.4 / 0.05;
            assert!((level - level.round()).abs() < 1e-9);
        }
        assert!(contours(&Floor::level(0.0), &patch).is_none());
    }
}
