//! The distance map: the distance of each pair of frames.

use surefoot_core::math::{atan2, hypot, sqrt};
use surefoot_core::{Motion, Vec3, WorldPose};

use super::cloud::{Clouds, LANES, middle, normalize, weights_by_bone};
use crate::pair::{self, PairError};
use surefoot_core::RigidTransform;
use surefoot_core::rigid_transform::to_upright;

/// Settings of a distance map.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Length of the window of frames compared around each pair, in seconds. Default 1/3.
    pub window: f64,
    /// Weight of each joint, by index; `None` for [`weights_by_bone`].
    pub weights: Option<Vec<f64>>,
    /// Up direction of the ground of both motions, of unit length. Default Y.
    pub up: Vec3,
    /// Largest number of cells. Longer motions are subsampled to every second frame, every third and
    /// so on. Default 2048 × 2048.
    pub most_cells: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { window: 1.0 / 3.0, weights: None, up: Vec3::Y, most_cells: 2048 * 2048 }
    }
}

impl Settings {
    /// Joint weights that sum to 1.
    pub(crate) fn weights(&self, motion: &Motion) -> Vec<f64> {
        match &self.weights {
            Some(weights) if weights.len() == motion.skeleton.len() => normalize(weights.clone()),
            _ => weights_by_bone(&motion.skeleton),
        }
    }

    /// Half the window, in frames.
    pub(crate) fn half(&self, fps: f64) -> usize {
        (0.5 * self.window * fps).round().clamp(0.0, 1e6) as usize
    }
}

/// The distance of every frame of one motion from every frame of another, in metres.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    /// Number of rows: sampled frames of the first motion.
    pub rows: usize,
    /// Number of columns: sampled frames of the second motion.
    pub columns: usize,
    /// Frames from one row or column to the next.
    pub stride: usize,
    /// Distances in metres, row by row.
    pub cells: Vec<f32>,
}

impl Map {
    /// The distance at one cell, in metres.
    pub fn at(&self, row: usize, column: usize) -> f32 {
        self.cells[row * self.columns + column]
    }
}

/// Sums of products of two frames: x·x' + z·z', x·z' − z·x', and y·y'.
type Common = [f64; 3];

/// Computes the distance map of two motions of one body.
///
/// Where the window extends past an end of either motion, only the part inside both is compared.
pub fn map(first: &Motion, second: &Motion, settings: &Settings) -> Result<Map, PairError> {
    pair::check(first, second)?;
    pair::check_time("window", settings.window)?;
    let mut stride = 1;
    while first.frames().div_ceil(stride) * second.frames().div_ceil(stride) > settings.most_cells.max(1) {
        stride += 1;
    }
    // A window longer than both motions compares all of both.
    let longest = first.frames().max(second.frames());
    let half = settings.half(first.fps).min(longest).div_ceil(stride);
    let (weights, level) = (settings.weights(first), to_upright(settings.up));
    let clouds = |motion| Clouds::new(motion, &weights, level, middle(motion, level), stride);
    let (a, b) = (clouds(first), clouds(second));
    let mut cells = Vec::with_capacity(a.frames * b.frames);
    let mut pairs = Ring::new(2 * half + 2, b.frames.next_multiple_of(LANES));
    let mut windows = vec![[0.0; 3]; b.frames];
    (0..half.min(a.frames)).for_each(|row| pairs.fill(row, &a, &b));
    for row in 0..a.frames {
        if row + half < a.frames {
            pairs.fill(row + half, &a, &b);
        }
        slide(&mut windows, &pairs, row, half, a.frames);
        for (column, common) in windows.iter().enumerate() {
            let back = half.min(row).min(column);
            let on = half.min(a.frames - 1 - row).min(b.frames - 1 - column);
            let count = (back + on + 1) as f64;
            let own = a.sum(row - back, row + on + 1);
            let other = b.sum(column - back, column + on + 1);
            cells.push(Fit::new(common, &own, &other, count).distance() as f32);
        }
    }
    Ok(Map { rows: a.frames, columns: b.frames, stride, cells })
}

/// Advances every window by one row along its diagonal.
fn slide(windows: &mut [Common], pairs: &Ring, row: usize, half: usize, rows: usize) {
    let columns = windows.len();
    if row == 0 {
        for (column, window) in windows.iter_mut().enumerate() {
            *window = (0..=half.min(rows - 1).min(columns - 1 - column))
                .fold([0.0; 3], |sum, t| add(sum, pairs.at(t, column + t), 1.0));
        }
        return;
    }
    for column in (1..columns).rev() {
        let mut window = windows[column - 1];
        if row + half < rows && column + half < columns {
            window = add(window, pairs.at(row + half, column + half), 1.0);
        }
        if row > half && column > half {
            window = add(window, pairs.at(row - half - 1, column - half - 1), -1.0);
        }
        windows[column] = window;
    }
    // The first column starts a new diagonal.
    windows[0] = (0..=half.min(rows - 1 - row).min(columns - 1))
        .fold([0.0; 3], |sum, t| add(sum, pairs.at(row + t, t), 1.0));
}

fn add(sum: Common, more: Common, sign: f64) -> Common {
    [sum[0] + sign * more[0], sum[1] + sign * more[1], sum[2] + sign * more[2]]
}

/// Ring buffer of the products of recent frames of the first motion with all frames of the second.
struct Ring {
    rows: Vec<Vec<Common>>,
}

impl Ring {
    fn new(rows: usize, columns: usize) -> Self {
        Self { rows: vec![vec![[0.0; 3]; columns]; rows] }
    }

    fn at(&self, row: usize, column: usize) -> Common {
        self.rows[row % self.rows.len()][column]
    }

    fn fill(&mut self, row: usize, a: &Clouds, b: &Clouds) {
        let points = a.row(row);
        let count = self.rows.len();
        let blocks = b.points.chunks_exact(b.joints * 3 * LANES);
        for (into, block) in self.rows[row % count].chunks_exact_mut(LANES).zip(blocks) {
            let (mut along, mut across, mut high) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
            for (&[x, z, y], other) in points.iter().zip(block.chunks_exact(3 * LANES)) {
                for lane in 0..LANES {
                    let [ox, oz, oy] = [other[lane], other[LANES + lane], other[2 * LANES + lane]];
                    along[lane] += x * ox + z * oz;
                    across[lane] += x * oz - z * ox;
                    high[lane] += y * oy;
                }
            }
            for lane in 0..LANES {
                into[lane] = [along[lane], across[lane], high[lane]];
            }
        }
    }
}

/// The best fit of two clouds.
struct Fit {
    /// Sums about the centroids: cosine and sine of the best rotation, times a common factor.
    along: f64,
    across: f64,
    /// The part of the squared distance that does not depend on the rotation.
    rest: f64,
    count: f64,
}

impl Fit {
    fn new(common: &Common, own: &[f64; 3], other: &[f64; 3], count: f64) -> Self {
        let ([x, z, own2], [ox, oz, other2]) = (*own, *other);
        Self {
            along: common[0] - (x * ox + z * oz) / count,
            across: common[1] - (x * oz - z * ox) / count,
            rest: own2 + other2 - 2.0 * common[2] - (x * x + z * z + ox * ox + oz * oz) / count,
            count,
        }
    }

    fn distance(&self) -> f64 {
        let aligned = (self.along * self.along + self.across * self.across).sqrt();
        // Rounding may make the squared distance of a cloud from itself negative.
        ((self.rest - 2.0 * aligned) / self.count).max(0.0).sqrt()
    }
}

/// The distance of two frames and the transform that aligns the second motion with the first.
///
/// Computed directly from the point clouds, without the running sums of [`map`].
pub fn distance_at(
    first: &Motion,
    second: &Motion,
    at: (usize, usize),
    settings: &Settings,
) -> (f64, RigidTransform) {
    let half = settings.half(first.fps);
    let back = half.min(at.0).min(at.1);
    let on = half.min(first.frames() - 1 - at.0).min(second.frames() - 1 - at.1);
    let frames = |motion: &Motion, at: usize| cloud_of(motion, at - back..at + on + 1);
    fit(&frames(first, at.0), &frames(second, at.1), &settings.weights(first), settings.up)
}

/// World positions of all joints in a range of frames.
pub(crate) fn cloud_of(motion: &Motion, frames: core::ops::Range<usize>) -> Vec<Vec3> {
    let mut world = WorldPose::default();
    let mut points = Vec::with_capacity(frames.len() * motion.skeleton.len());
    for pose in &motion.poses[frames] {
        pose.forward_kinematics(&motion.skeleton, &mut world);
        points.extend_from_slice(&world.positions);
    }
    points
}

/// The smallest distance of two clouds and the transform of the second that achieves it.
///
/// `weights` has one entry per joint and repeats for every frame.
pub(crate) fn fit(first: &[Vec3], second: &[Vec3], weights: &[f64], up: Vec3) -> (f64, RigidTransform) {
    let level = to_upright(up);
    let weight = |n: usize| weights[n % weights.len()];
    let total: f64 = (0..first.len()).map(weight).sum::<f64>().max(f64::MIN_POSITIVE);
    let mean = |points: &[Vec3]| -> Vec3 {
        points.iter().enumerate().map(|(n, &point)| level * point * weight(n)).sum::<Vec3>() / total
    };
    let (own, other) = (mean(first), mean(second));
    let (mut along, mut across) = (0.0, 0.0);
    for (n, (&p, &q)) in first.iter().zip(second).enumerate() {
        let (p, q) = (level * p - own, level * q - other);
        along += weight(n) * (p.x * q.x + p.z * q.z);
        across += weight(n) * (p.x * q.z - p.z * q.x);
    }
    // Points on one vertical line have no heading: keep the rotation.
    let angle = if hypot(along, across) > 1e-12 { atan2(across, along) } else { 0.0 };
    let rotation = RigidTransform::along_ground(level, angle, 0.0, 0.0);
    let shift = own - level * rotation.point(level.conjugate() * other);
    let transform = RigidTransform::along_ground(level, angle, shift.x, shift.z);
    (cloud_distance(first, second, weights, &transform), transform)
}

/// The weighted root mean square distance of two clouds, the second transformed by `transform`.
pub(crate) fn cloud_distance(
    first: &[Vec3],
    second: &[Vec3],
    weights: &[f64],
    transform: &RigidTransform,
) -> f64 {
    let weight = |n: usize| weights[n % weights.len()];
    let (mut sum, mut total) = (0.0, 0.0);
    for (n, (&p, &q)) in first.iter().zip(second).enumerate() {
        sum += weight(n) * (p - transform.point(q)).length_squared();
        total += weight(n);
    }
    sqrt(sum / f64::max(total, f64::MIN_POSITIVE))
}
