//! A path over the ground, parametrised by arc length.
//!
//! The path is a natural cubic spline through its points, parametrised by chord length, with
//! continuous direction and curvature. It continues straight beyond its ends.

use surefoot_core::math::{Vec3, acos, sqrt};

/// A position on the ground: x and z, in metres.
pub type GroundPosition = [f64; 2];

/// Why points do not define a path.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum PathError {
    /// Fewer than two distinct points.
    TooFew,
    /// A coordinate that is not finite or beyond 1000 km.
    NotFinite {
        /// Index of the point, from 0.
        point: usize,
    },
    /// A path so much longer or shorter than that of the motion that it is in another unit, or was drawn by mistake.
    Length {
        /// Its length, in metres.
        found: f64,
        /// The smallest and the largest length for this motion, in metres.
        expected: [f64; 2],
    },
    /// At the captured speed the path takes more frames than a motion may have.
    TooManyFrames {
        /// The number of frames.
        found: f64,
        /// The largest number of frames for this motion.
        most: usize,
    },
}

impl core::fmt::Display for PathError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::TooFew => write!(f, "the path has fewer than two different points, expected at least two"),
            Self::NotFinite { point } => {
                write!(f, "point {point} of the path has a coordinate that is not a number within 1000 km")
            }
            Self::Length { found, expected: [least, most] } => write!(
                f,
                "the path is {found:.1} m long, expected {least:.1} m to {most:.1} m for this motion"
            ),
            Self::TooManyFrames { found, most } => {
                write!(f, "at the captured speed the path takes {found:.0} frames, expected at most {most}")
            }
        }
    }
}

impl core::error::Error for PathError {}

/// Largest coordinate, in metres. Larger ones are mistakes and would lose precision.
const MAX_COORDINATE: f64 = 1e6;

/// Distance below which neighbouring points are merged, in metres. Spans of no length have no
/// direction.
const MIN_SPAN: f64 = 1e-6;

/// Number of pieces per span for the arc length. More makes lengths more exact and paths larger.
const PIECES: usize = 16;

/// A path through points.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    points: Vec<GroundPosition>,
    /// Chord length up to each point.
    knots: Vec<f64>,
    /// Second derivatives at each point.
    second_derivatives: Vec<GroundPosition>,
    /// Arc length up to each piece of each span.
    lengths: Vec<f64>,
}

/// Position and direction at one point of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathPoint {
    /// Position.
    pub position: GroundPosition,
    /// Direction, of unit length.
    pub direction: GroundPosition,
}

impl Path {
    /// The path through these points. Equal neighbours are merged.
    pub fn through(points: &[GroundPosition]) -> Result<Self, PathError> {
        let is_bad =
            |point: &GroundPosition| point.iter().any(|x| !x.is_finite() || x.abs() > MAX_COORDINATE);
        if let Some(point) = points.iter().position(is_bad) {
            return Err(PathError::NotFinite { point });
        }
        let mut kept: Vec<GroundPosition> = Vec::with_capacity(points.len());
        for &point in points {
            if kept.last().is_none_or(|&last| distance(last, point) > MIN_SPAN) {
                kept.push(point);
            }
        }
        if kept.len() < 2 {
            return Err(PathError::TooFew);
        }
        let mut knots = vec![0.0];
        for pair in kept.windows(2) {
            knots.push(knots[knots.len() - 1] + distance(pair[0], pair[1]));
        }
        let second_derivatives = second_derivatives(&kept, &knots);
        let mut path = Self { points: kept, knots, second_derivatives, lengths: vec![0.0] };
        path.measure();
        Ok(path)
    }

    /// The points of the spline.
    pub fn points(&self) -> &[GroundPosition] {
        &self.points
    }

    /// Arc length, in metres.
    pub fn length(&self) -> f64 {
        self.lengths[self.lengths.len() - 1]
    }

    /// The point at an arc length, in metres; on a straight line before the start and after the end.
    pub fn at(&self, metres: f64) -> PathPoint {
        let beyond = metres - metres.clamp(0.0, self.length());
        let (at, along) = self.point(self.parameter(metres.clamp(0.0, self.length())));
        let size = sqrt(along[0] * along[0] + along[1] * along[1]);
        // Where the derivative vanishes the direction is that of the chord.
        let direction = if size > 1e-9 { along.map(|x| x / size) } else { self.chord(metres) };
        PathPoint { position: [at[0] + direction[0] * beyond, at[1] + direction[1] * beyond], direction }
    }

    /// The arc length at one of the points of the spline.
    pub(super) fn length_to(&self, point: usize) -> f64 {
        self.lengths[(point * PIECES).min(self.lengths.len() - 1)]
    }

    /// The change of direction from `half` metres before to `half` metres after an arc length, from 0
    /// to π radians.
    pub(super) fn bend(&self, metres: f64, half: f64) -> f64 {
        let [a, b] = [metres - half, metres + half].map(|metres| self.at(metres).direction);
        acos((a[0] * b[0] + a[1] * b[1]).clamp(-1.0, 1.0))
    }

    fn measure(&mut self) {
        for span in 0..self.points.len() - 1 {
            let size = self.knots[span + 1] - self.knots[span];
            for piece in 0..PIECES {
                let speed = |part: f64| {
                    let (_, along) =
                        self.point(self.knots[span] + size * (piece as f64 + part) / PIECES as f64);
                    sqrt(along[0] * along[0] + along[1] * along[1])
                };
                let length = (speed(0.0) + 4.0 * speed(0.5) + speed(1.0)) / 6.0 * size / PIECES as f64;
                self.lengths.push(self.lengths[self.lengths.len() - 1] + length);
            }
        }
    }

    /// The spline parameter (chord length) at an arc length.
    fn parameter(&self, metres: f64) -> f64 {
        let piece =
            self.lengths.partition_point(|&length| length <= metres).clamp(1, self.lengths.len() - 1) - 1;
        let (span, within) = (piece / PIECES, piece % PIECES);
        let size = self.knots[span + 1] - self.knots[span];
        let (low, high) = (self.lengths[piece], self.lengths[piece + 1]);
        let part = if high > low { (metres - low) / (high - low) } else { 0.0 };
        let from = self.knots[span] + size * within as f64 / PIECES as f64;
        // Within a piece speed is nearly constant; one Newton step makes the length exact to 1 nm.
        let speed = |u: f64| {
            let (_, along) = self.point(u);
            sqrt(along[0] * along[0] + along[1] * along[1])
        };
        let guess = from + size * part / PIECES as f64;
        let walked = (speed(from) + 4.0 * speed(0.5 * (from + guess)) + speed(guess)) / 6.0 * (guess - from);
        let ahead = speed(guess);
        if ahead > 1e-9 { guess + (metres - low - walked) / ahead } else { guess }
    }

    /// The curve and its derivative at a chord length.
    fn point(&self, u: f64) -> (GroundPosition, GroundPosition) {
        let span = self.knots.partition_point(|&knot| knot <= u).clamp(1, self.knots.len() - 1) - 1;
        let size = self.knots[span + 1] - self.knots[span];
        let (b, a) = ((u - self.knots[span]) / size, (self.knots[span + 1] - u) / size);
        let of = |axis: usize| {
            let (p, q) = (self.points[span][axis], self.points[span + 1][axis]);
            let (m, n) = (self.second_derivatives[span][axis], self.second_derivatives[span + 1][axis]);
            let position = a * p + b * q + ((a * a * a - a) * m + (b * b * b - b) * n) * size * size / 6.0;
            let along = (q - p) / size + ((3.0 * b * b - 1.0) * n - (3.0 * a * a - 1.0) * m) * size / 6.0;
            (position, along)
        };
        let ((x, dx), (z, dz)) = (of(0), of(1));
        ([x, z], [dx, dz])
    }

    fn chord(&self, metres: f64) -> GroundPosition {
        let span = self.knots.partition_point(|&knot| knot <= metres).clamp(1, self.knots.len() - 1) - 1;
        let (p, q) = (self.points[span], self.points[span + 1]);
        let size = distance(p, q);
        [(q[0] - p[0]) / size, (q[1] - p[1]) / size]
    }
}

/// Second derivatives of the natural spline, from a tridiagonal system.
fn second_derivatives(points: &[GroundPosition], knots: &[f64]) -> Vec<GroundPosition> {
    let last = points.len() - 1;
    let mut second_derivatives = vec![[0.0; 2]; points.len()];
    let mut above = vec![0.0; points.len()];
    for n in 1..last {
        let (before, after) = (knots[n] - knots[n - 1], knots[n + 1] - knots[n]);
        let pivot = 2.0 * (before + after) - before * above[n - 1];
        above[n] = after / pivot;
        for axis in 0..2 {
            let slope = |n: usize, size: f64| (points[n + 1][axis] - points[n][axis]) / size;
            let right_side = 6.0 * (slope(n, after) - slope(n - 1, before));
            second_derivatives[n][axis] = (right_side - before * second_derivatives[n - 1][axis]) / pivot;
        }
    }
    for n in (1..last).rev() {
        let next = second_derivatives[n + 1];
        for (bend, next) in second_derivatives[n].iter_mut().zip(next) {
            *bend -= above[n] * next;
        }
    }
    second_derivatives
}

/// The distance of two positions, in metres.
pub(super) fn distance(a: GroundPosition, b: GroundPosition) -> f64 {
    let (x, z) = (a[0] - b[0], a[1] - b[1]);
    sqrt(x * x + z * z)
}

/// The position on the ground below a point.
pub(super) fn ground(point: Vec3) -> GroundPosition {
    [point.x, point.z]
}
