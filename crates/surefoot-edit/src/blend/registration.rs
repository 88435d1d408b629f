//! Which frame of one motion goes with which of the other?
//!
//! Dynamic time warping: of all ways through the map from the first frames to the last, in steps
//! that go on in both, the one of the least distance. Steps of (1, 1), (1, k) and (k, 1) keep either
//! from being sped up more than k times against the other. The way is then smoothed, which keeps
//! both its ends and its slopes within their bounds: they become means of slopes.

use surefoot_core::Motion;

use super::Settings;
use crate::distance::Map;

/// A curve that goes on in both motions, from their first frames to their last.
///
/// Along it runs the sum of both frames; kept is their difference, at every whole sum.
#[derive(Clone, Debug, PartialEq)]
pub struct Registration {
    less: Vec<f64>,
}

/// How far apart two motions are that were brought into step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Apart {
    /// The mean distance of what goes with what, in metres.
    pub mean_m: f64,
    /// The largest.
    pub most_m: f64,
    /// The frames of both at which that is.
    pub at: (f64, f64),
}

/// What a step off the diagonal costs beyond its cells, as a share of the mean cell: where both
/// motions stand still, neither is sped up.
const OFF_DIAGONAL: f64 = 0.05;

impl Registration {
    pub(super) fn new(map: &Map, first: &Motion, second: &Motion, settings: &Settings) -> Self {
        let ends = ((first.frames() - 1) as f64, (second.frames() - 1) as f64);
        let cells = way(map, settings.most_slope.max(1));
        // A map that skips frames ends a little before the motions do.
        let frame = |at: usize, count: usize, end: f64| at as f64 * end / (count - 1).max(1) as f64;
        let points: Vec<(f64, f64)> = match cells {
            Some(cells) => {
                let frames =
                    |&(r, c): &(usize, usize)| (frame(r, map.rows, ends.0), frame(c, map.columns, ends.1));
                cells.iter().map(frames).collect()
            }
            None => vec![(0.0, 0.0), ends],
        };
        let half = (settings.smooth * first.fps).round().clamp(0.0, 1e6) as usize;
        let less = smoothed(&smoothed(&differences(&points), half), half);
        Self { less }
    }

    /// How far apart the motions stay when they are in step: the distances of `map` along the curve.
    pub fn apart(&self, map: &Map) -> Apart {
        let (mut sum, mut most, mut at) = (0.0, f64::NEG_INFINITY, (0.0, 0.0));
        let cell = |frame: f64, count: usize| ((frame / map.stride as f64).round() as usize).min(count - 1);
        for whole in 0..self.less.len() {
            let (first, second) = self.at(whole as f64);
            let distance = f64::from(map.at(cell(first, map.rows), cell(second, map.columns)));
            sum += distance;
            if distance > most {
                (most, at) = (distance, (first, second));
            }
        }
        Apart { mean_m: sum / self.less.len() as f64, most_m: most, at }
    }

    /// The sum of the last frames.
    pub fn end(&self) -> f64 {
        (self.less.len() - 1) as f64
    }

    /// The frames where their sum is `sum`.
    pub fn at(&self, sum: f64) -> (f64, f64) {
        let sum = sum.clamp(0.0, self.end());
        let below = (sum as usize).min(self.less.len().saturating_sub(2));
        let next = (below + 1).min(self.less.len() - 1);
        let less = self.less[below] + (self.less[next] - self.less[below]) * (sum - below as f64);
        (0.5 * (sum + less), 0.5 * (sum - less))
    }
}

/// The difference of both frames at every whole sum of them.
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

/// Means over `half` to either side; beyond an end the curve goes on as it came, turned about it.
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
    // To the bit: the ends are what the motions begin and end with.
    (smooth[0], smooth[last]) = (curve[0], curve[last]);
    smooth
}

/// The best way through the map; none where one motion is too much longer than the other.
fn way(map: &Map, most: usize) -> Option<Vec<(usize, usize)>> {
    let mut steps = vec![(1, 1)];
    steps.extend((2..=most).flat_map(|k| [(1, k), (k, 1)]));
    let mean = map.cells.iter().map(|&cell| f64::from(cell)).sum::<f64>() / map.cells.len().max(1) as f64;
    let mut came = vec![u8::MAX; map.cells.len()];
    let mut costs = vec![vec![f64::INFINITY; map.columns]; most + 1];
    for row in 0..map.rows {
        for column in 0..map.columns {
            let cell = f64::from(map.at(row, column));
            let mut best = if (row, column) == (0, 0) { cell } else { f64::INFINITY };
            for (n, &(down, right)) in steps.iter().enumerate() {
                if down > row || right > column {
                    continue;
                }
                let skewed = if down == right { 0.0 } else { OFF_DIAGONAL * mean };
                let before = costs[(row - down) % (most + 1)][column - right];
                let cost = before + (cell + skewed) * (down + right) as f64;
                if cost < best {
                    best = cost;
                    came[row * map.columns + column] = n as u8;
                }
            }
            costs[row % (most + 1)][column] = best;
        }
    }
    let mut at = (map.rows - 1, map.columns - 1);
    let mut way = vec![at];
    while at != (0, 0) {
        let &(down, right) = steps.get(usize::from(came[at.0 * map.columns + at.1]))?;
        at = (at.0 - down, at.1 - right);
        way.push(at);
    }
    way.reverse();
    Some(way)
}
