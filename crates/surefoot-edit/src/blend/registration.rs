//! Time alignment of two motions, through their landings or by dynamic time warping.
//!
//! Of all monotonic paths through the distance map from the first frames to the last, the one with
//! the least total distance is chosen. If one motion is longer than the largest ratio of speeds allows, the path ends
//! with the last frame of the shorter motion, where the mean distance is least. Steps of (1, 1), (1, k) and (k, 1) limit the ratio of playback
//! speeds to k. The path is then smoothed; a moving average keeps its ends, and slopes stay within
//! their limits because they are averages of slopes.

use surefoot_core::Motion;

use super::Settings;
use crate::distance::Map;

/// The time alignment of two motions: a monotonic curve of frame pairs from the first frames to the
/// last.
///
/// It is parametrised by the sum of both frame numbers and stores their difference at every integer
/// sum.
#[derive(Clone, Debug, PartialEq)]
pub struct Registration {
    differences: Vec<f64>,
}

/// Distance of two motions along their time alignment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoseDistance {
    /// Mean distance of paired poses, in metres.
    pub mean_m: f64,
    /// Largest distance, in metres.
    pub max_m: f64,
    /// The frames of both motions with the largest distance.
    pub at: (f64, f64),
}

/// Extra cost of a step off the diagonal, as a share of the mean cell. It keeps playback speeds equal
/// where both motions stand still and all pairs are alike; a large value would prevent time warping.
const OFF_DIAGONAL_COST: f64 = 0.05;

impl Registration {
    /// The time alignment through pairs of landings, or through the map where there are none, or where they would need
    /// other playback speeds than allowed. Returns it and whether it goes through the landings.
    pub(super) fn new(
        map: &Map,
        first: &Motion,
        second: &Motion,
        landings: Option<&[(usize, usize)]>,
        settings: &Settings,
    ) -> (Self, bool) {
        let ends = ((first.frames() - 1) as f64, (second.frames() - 1) as f64);
        let half = (settings.smooth * first.fps).round().clamp(0.0, 1e6) as usize;
        let paired = landings.map(|landings| through_landings(landings, ends));
        if let Some(points) = paired.filter(|points| has_slopes_within(points, settings.most_slope.max(1))) {
            return (Self { differences: smoothed(&smoothed(&differences(&points), half), half) }, true);
        }
        let cells = warp_path(map, settings.most_slope.max(1));
        // A subsampled map may end a few frames before the motions.
        let frame = |at: usize, count: usize, end: f64| at as f64 * end / (count - 1).max(1) as f64;
        let points: Vec<(f64, f64)> = match cells {
            Some(cells) => {
                let frames =
                    |&(r, c): &(usize, usize)| (frame(r, map.rows, ends.0), frame(c, map.columns, ends.1));
                cells.iter().map(frames).collect()
            }
            None => vec![(0.0, 0.0), ends],
        };
        let differences = smoothed(&smoothed(&differences(&points), half), half);
        (Self { differences }, false)
    }

    /// The distances of `map` along the curve.
    pub fn distance(&self, map: &Map) -> PoseDistance {
        let (mut sum, mut most, mut at) = (0.0, f64::NEG_INFINITY, (0.0, 0.0));
        let cell = |frame: f64, count: usize| ((frame / map.stride as f64).round() as usize).min(count - 1);
        for whole in 0..self.differences.len() {
            let (first, second) = self.at(whole as f64);
            let distance = f64::from(map.at(cell(first, map.rows), cell(second, map.columns)));
            sum += distance;
            if distance > most {
                (most, at) = (distance, (first, second));
            }
        }
        PoseDistance { mean_m: sum / self.differences.len() as f64, max_m: most, at }
    }

    /// The sum of both last frame numbers.
    pub fn end(&self) -> f64 {
        (self.differences.len() - 1) as f64
    }

    /// The pair of frames whose numbers add up to `sum`.
    pub fn at(&self, sum: f64) -> (f64, f64) {
        let sum = sum.clamp(0.0, self.end());
        let below = (sum as usize).min(self.differences.len().saturating_sub(2));
        let next = (below + 1).min(self.differences.len() - 1);
        let difference = self.differences[below]
            + (self.differences[next] - self.differences[below]) * (sum - below as f64);
        (0.5 * (sum + difference), 0.5 * (sum - difference))
    }
}

/// The points of an alignment through pairs of landings, from the first frames to the last.
fn through_landings(landings: &[(usize, usize)], ends: (f64, f64)) -> Vec<(f64, f64)> {
    let is_inside = |&(a, b): &(f64, f64)| a > 0.0 && b > 0.0 && a < ends.0 && b < ends.1;
    let inside = landings.iter().map(|&(a, b)| (a as f64, b as f64)).filter(is_inside);
    core::iter::once((0.0, 0.0)).chain(inside).chain([ends]).collect()
}

/// Whether the ratio of playback speeds is at most `most` between all points.
fn has_slopes_within(points: &[(f64, f64)], most: usize) -> bool {
    points.windows(2).all(|pair| {
        let (first, second) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
        first <= most as f64 * second && second <= most as f64 * first
    })
}

/// The difference of both frame numbers at every integer sum.
fn differences(points: &[(f64, f64)]) -> Vec<f64> {
    let sum = |point: &(f64, f64)| point.0 + point.1;
    let end = points.last().map_or(0.0, sum).round() as usize;
    let mut next = 0;
    let at = |whole: usize| {
        while next + 1 < points.len() && sum(&points[next]) < whole as f64 {
            next += 1;
        }
        let (to, from) = (points[next], points[next.saturating_sub(1)]);
        let long = sum(&to) - sum(&from);
        let share = if long > 0.0 { ((whole as f64 - sum(&from)) / long).clamp(0.0, 1.0) } else { 1.0 };
        (from.0 - from.1) * (1.0 - share) + (to.0 - to.1) * share
    };
    (0..=end).map(at).collect()
}

/// Moving average over `half` samples on each side. Beyond an end the curve is continued by point
/// reflection about the end.
fn smoothed(curve: &[f64], half: usize) -> Vec<f64> {
    let last = curve.len() - 1;
    let half = half.min(last);
    let value = |at: isize| -> f64 {
        if at < 0 {
            2.0 * curve[0] - curve[at.unsigned_abs()]
        } else if at as usize > last {
            2.0 * curve[last] - curve[2 * last - at as usize]
        } else {
            curve[at as usize]
        }
    };
    let mut sums = vec![0.0];
    for at in -(half as isize)..=(last + half) as isize {
        sums.push(sums[sums.len() - 1] + value(at));
    }
    let width = 2 * half + 1;
    let mut smooth: Vec<f64> = (0..=last).map(|at| (sums[at + width] - sums[at]) / width as f64).collect();
    // The ends have to be exact: they pair the first frames and the last frames.
    (smooth[0], smooth[last]) = (curve[0], curve[last]);
    smooth
}

/// The best path through the map: to the last frames of both motions, or only of the shorter one, if their lengths differ
/// by more than the largest ratio. `None` if there is no path, as for a motion of one frame.
fn warp_path(map: &Map, most: usize) -> Option<Vec<(usize, usize)>> {
    let mut steps = vec![(1, 1)];
    steps.extend((2..=most).flat_map(|k| [(1, k), (k, 1)]));
    let mean = map.cells.iter().map(|&cell| f64::from(cell)).sum::<f64>() / map.cells.len().max(1) as f64;
    let mut came_from = vec![u8::MAX; map.cells.len()];
    // Ends of paths with the whole shorter motion, and the mean distance along the best path to each.
    let mut ends: Vec<((usize, usize), f64)> = Vec::new();
    let is_whole = |row: usize, column: usize| match map.rows < map.columns {
        true => row + 1 == map.rows,
        false => column + 1 == map.columns,
    };
    let mut costs = vec![vec![f64::INFINITY; map.columns]; most + 1];
    for row in 0..map.rows {
        for column in 0..map.columns {
            let cell = f64::from(map.at(row, column));
            let mut best = if (row, column) == (0, 0) { cell } else { f64::INFINITY };
            for (n, &(down, right)) in steps.iter().enumerate() {
                if down > row || right > column {
                    continue;
                }
                let penalty = if down == right { 0.0 } else { OFF_DIAGONAL_COST * mean };
                let before = costs[(row - down) % (most + 1)][column - right];
                let cost = before + (cell + penalty) * (down + right) as f64;
                if cost < best {
                    best = cost;
                    came_from[row * map.columns + column] = n as u8;
                }
            }
            costs[row % (most + 1)][column] = best;
            if is_whole(row, column) && best.is_finite() {
                ends.push(((row, column), best / (row + column + 1) as f64));
            }
        }
    }
    let corner = (map.rows - 1, map.columns - 1);
    let nearest = ends.iter().min_by(|a, b| a.1.total_cmp(&b.1));
    let mut at = match ends.iter().any(|(end, _)| *end == corner) {
        true => corner,
        false => nearest?.0,
    };
    let mut path = vec![at];
    while at != (0, 0) {
        let &(down, right) = steps.get(usize::from(came_from[at.0 * map.columns + at.1]))?;
        at = (at.0 - down, at.1 - right);
        path.push(at);
    }
    path.reverse();
    Some(path)
}
