//! Infers the floor: a plane through the foot points while they are low and still.
//!
//! The plane is level unless a tilt explains the heights clearly better. A captured floor rises by
//! a few percent when the cameras were not levelled, and a ramp by 10 %, but stairs, boxes and
//! kicks must not tilt it.

use crate::Inferred;
use crate::pose_samples::{PartialKinematics, PoseSamples};
use std::collections::{BTreeMap, BTreeSet};
use surefoot_core::floor as core_floor;
use surefoot_core::math::{Mat3, Vec3, floor as round_down};
use surefoot_core::{JointPoint, Leg, Pose};

/// Most frames in which the feet are examined.
const MOST_FRAMES: usize = 1200;

/// Speed below which a foot point is still, in metres per second. A planted point of a capture with
/// strong skate has 0.2, a slow step 0.5.
const STILL: f64 = 0.25;

/// Vertical speed below which a point stays level, in metres per second: the test for feet on a
/// treadmill, which are never still.
const LEVEL: f64 = 0.12;

/// Height above the lowest foot point from which a point is in the air, in metres: a lifted foot,
/// the heel of a foot on tiptoe.
const IN_AIR: f64 = 0.04;

/// Share of points that must be still. With fewer the motion is taken to be on a treadmill.
const FEWEST_STILL: f64 = 0.05;

/// Height of a bin of the height histogram, in metres.
const BIN: f64 = 0.03;

/// Fill of the lowest bin that can be the floor, as a fraction of the fullest bin. A smaller value mistakes a bad frame
/// below the floor for the floor, a larger one a box that people stand on.
const LOWEST_BIN: f64 = 0.2;

/// Height above the lowest bin up to which points can be part of a tilted floor, in metres.
const RISE: f64 = 0.15;

/// Side of the ground cells in which points are merged, in metres, so that a plant counts once
/// however long it lasts.
const CELL: f64 = 0.12;

/// Standard deviation of captured contact heights, in metres.
const DEVIATION: f64 = 0.012;

/// Prior standard deviation of the slope, as rise over run. A straight walk does not determine the
/// tilt across it; the prior keeps that tilt small.
const SLOPE_DEVIATION: f64 = 0.03;

/// Reduction of the squared error, in squared deviations, from which a tilted plane is chosen.
const TILT_GAIN: f64 = 16.0;

/// Slopes accepted for a tilted floor: below, it is level; above, it is stairs.
const SLOPES: core::ops::Range<f64> = 0.005..0.15;

/// Largest root mean square distance of the points from a tilted floor, in metres. More is not a
/// plane.
const LARGEST_ERROR: f64 = 0.02;

/// Infers the floor, in metres and the file's axes. `None` without usable frames, and with a warning if the feet also
/// stand far below the plane that was found: everything there would be lifted onto it.
pub(crate) fn find(
    legs: &[Leg],
    up: Vec3,
    unit_m: f64,
    samples: &PoseSamples,
    warnings: &mut Vec<String>,
) -> Option<Inferred<core_floor::Plane>> {
    let axes = Axes::new(up);
    let contacts = low_still_points(legs, &axes, unit_m, samples);
    let Some(cells) = merge_by_cell(&contacts) else {
        warnings.push("no floor was found: the motion has no usable frames".into());
        return None;
    };
    let level = fit_level(&cells);
    let tilted = fit_tilted(&cells, level);
    let (plane, tilts) = choose(level, tilted, &cells);
    let below = places_below(&contacts, &plane);
    if below as f64 > MOST_BELOW * cells.len() as f64 {
        warnings.push(rejection(below, cells.len(), &plane));
        return None;
    }
    let near = |p: &&Vec3| plane.height_of(**p).abs() < 2.0 * DEVIATION;
    let share = cells.iter().filter(near).count() as f64 / cells.len() as f64;
    let rise = plane.slope();
    let mut reason = format!("{} places where the feet are low and still", cells.len());
    reason += &if tilts {
        format!(" lie on a plane that rises by {:.1} %", 100.0 * rise)
    } else {
        format!(", {:.0} % of them level within {:.1} cm", 100.0 * share, 200.0 * DEVIATION)
    };
    // More certain with more places and frames: two feet give four places, and a single frame may
    // be in mid air.
    let spread = cells.len() as f64 / (cells.len() as f64 + 1.0);
    let frames = samples.usable.len() as f64 / (samples.usable.len() as f64 + 4.0);
    let amount = spread * frames;
    Some(Inferred {
        value: axes.floor(&plane),
        confidence: (amount * (0.3 + 0.7 * share)).clamp(0.05, 0.99),
        reason,
    })
    .filter(|plane| plane.value.normal.is_finite() && plane.value.offset.is_finite())
}

/// An orthonormal basis with two level axes and up.
struct Axes {
    side: Vec3,
    ahead: Vec3,
    up: Vec3,
}

impl Axes {
    fn new(up: Vec3) -> Self {
        let (side, ahead) = up.any_orthonormal_pair();
        Self { side, ahead, up }
    }

    /// The coordinates of a position: side, ahead, height.
    fn coordinates(&self, position: Vec3) -> Vec3 {
        Vec3::new(position.dot(self.side), position.dot(self.ahead), position.dot(self.up))
    }

    fn floor(&self, plane: &Plane) -> core_floor::Plane {
        let normal = self.up - self.side * plane.rise[0] - self.ahead * plane.rise[1];
        let length = normal.length();
        core_floor::Plane { normal: normal / length, offset: plane.height / length }
    }
}

/// The plane `height + rise · (side, ahead)`.
#[derive(Clone, Copy, Debug)]
struct Plane {
    height: f64,
    rise: [f64; 2],
}

impl Plane {
    /// Vertical distance of a point from the plane.
    fn height_of(&self, p: Vec3) -> f64 {
        p.z - self.height - self.rise[0] * p.x - self.rise[1] * p.y
    }

    fn slope(&self) -> f64 {
        (self.rise[0] * self.rise[0] + self.rise[1] * self.rise[1]).sqrt()
    }
}

/// Positions of foot points that are low and still, as coordinates in metres.
///
/// On a treadmill no point is still; then points that stay level, and without those all low points.
fn low_still_points(legs: &[Leg], axes: &Axes, unit_m: f64, samples: &PoseSamples) -> Vec<Vec3> {
    let points: Vec<JointPoint> = legs.iter().flat_map(|leg| [leg.heel, leg.ball]).collect();
    let joints: Vec<_> = points.iter().map(|point| point.joint).collect();
    let mut kinematics = PartialKinematics::new(samples.skeleton, &joints);
    // Positions of the points at every pose that was needed so far, and where those of a pose start.
    let mut placed: Vec<Vec3> = Vec::new();
    let mut starts = samples.computed_once(|pose: &Pose| {
        let world = kinematics.world(samples.skeleton, pose);
        let start = placed.len();
        placed.extend(points.iter().map(|point| axes.coordinates(world.point(point) * unit_m)));
        start
    });
    let pairs: Vec<(usize, Option<(usize, f64)>)> = samples
        .spread(MOST_FRAMES)
        .into_iter()
        .map(|at| {
            let neighbour = samples.neighbour(at).map(|(other, seconds)| (starts.get(other), seconds));
            (starts.get(at), neighbour)
        })
        .collect();
    // Positions and velocities of the low points.
    let mut low_points = Vec::new();
    for (start, neighbour) in pairs {
        let here = &placed[start..start + points.len()];
        let lowest = here.iter().map(|position| position.z).fold(f64::INFINITY, f64::min);
        let velocity = |point: usize| match neighbour {
            Some((other, seconds)) => (placed[other + point] - here[point]) / seconds,
            None => Vec3::ZERO,
        };
        let moving = here.iter().enumerate().map(|(point, &position)| (position, velocity(point)));
        low_points.extend(moving.filter(|(position, _)| position.z < lowest + IN_AIR));
    }
    let select = |is_selected: &dyn Fn(Vec3) -> bool| -> Vec<Vec3> {
        let selected = low_points.iter().filter(|(_, velocity)| is_selected(*velocity));
        selected.map(|(position, _)| *position).collect()
    };
    let still = select(&|velocity| velocity.length() < STILL);
    if still.len() as f64 >= FEWEST_STILL * low_points.len() as f64 {
        return still;
    }
    let on_belt = select(&|velocity| velocity.z.abs() < LEVEL);
    if on_belt.is_empty() { select(&|_| true) } else { on_belt }
}

/// The contacts near the lowest well-filled bin, merged to one for each cell of the ground.
fn merge_by_cell(contacts: &[Vec3]) -> Option<Vec<Vec3>> {
    let bin = |height: f64| round_down(height / BIN) as i64;
    let mut bins: BTreeMap<i64, usize> = BTreeMap::new();
    for contact in contacts {
        *bins.entry(bin(contact.z)).or_default() += 1;
    }
    let fullest = bins.values().copied().max()? as f64;
    let (&lowest, _) = bins.iter().find(|(_, count)| **count as f64 >= LOWEST_BIN * fullest)?;
    let bottom = lowest.saturating_sub(1) as f64 * BIN;
    let mut cells: BTreeMap<(i64, i64), Vec<Vec3>> = BTreeMap::new();
    for contact in contacts.iter().filter(|t| (bottom..bottom + RISE + BIN).contains(&t.z)) {
        let cell = |along: f64| round_down(along / CELL) as i64;
        cells.entry((cell(contact.x), cell(contact.y))).or_default().push(*contact);
    }
    let merge = |mut contacts: Vec<Vec3>| {
        contacts.sort_by(|a, b| a.z.total_cmp(&b.z));
        // The lower quartile, because a heel that rolls off is already rising.
        let height = contacts[contacts.len() / 4].z;
        let mean = contacts.iter().copied().sum::<Vec3>() / contacts.len() as f64;
        Vec3::new(mean.x, mean.y, height)
    };
    Some(cells.into_values().map(merge).collect())
}

/// Depth below the floor from which a foot that stands there contradicts it, in metres. Points of a good capture are
/// within 2 cm of the floor.
const CONTRADICTION: f64 = 0.03;

/// Number of places below the inferred floor from which the floor is rejected, relative to the places on it. In
/// captures on a flat floor at most a tenth of the places are below.
const MOST_BELOW: f64 = 0.5;

fn rejection(below: usize, on: usize, plane: &Plane) -> String {
    format!(
        "the inferred floor, at a height of {:.2} m, is not used: feet stand on it in {on} places, but more than \
         {:.0} cm below it in {below} places; give the floor as a height or as `plants`",
        plane.height,
        100.0 * CONTRADICTION
    )
}

/// The number of places below the plane at which feet are low and still, counted as those on it are.
fn places_below(contacts: &[Vec3], plane: &Plane) -> usize {
    let below = contacts.iter().filter(|contact| plane.height_of(**contact) < -CONTRADICTION);
    let cell = |along: f64| round_down(along / CELL) as i64;
    below.map(|contact| (cell(contact.x), cell(contact.y))).collect::<BTreeSet<_>>().len()
}

/// Tukey's biweight of a point at distance `error` from the plane; 0 from `cutoff` on, in metres.
fn biweight(error: f64, cutoff: f64) -> f64 {
    let share = 1.0 - (error / cutoff) * (error / cutoff);
    if share > 0.0 { share * share } else { 0.0 }
}

/// Cutoffs of the reweighted least squares, in metres: from the whole rise down to three
/// deviations.
const CUTOFFS: [f64; 8] = [0.2, 0.15, 0.12, 0.09, 0.07, 0.05, 0.04, 0.04];

/// Fits a level plane by iteratively reweighted least squares.
fn fit_level(cells: &[Vec3]) -> Plane {
    let mut heights: Vec<f64> = cells.iter().map(|p| p.z).collect();
    heights.sort_by(f64::total_cmp);
    let mut height = heights[heights.len() / 3];
    for cutoff in CUTOFFS {
        let weights = || cells.iter().map(|p| (biweight(p.z - height, cutoff), p.z));
        let all: f64 = weights().map(|(weight, _)| weight).sum();
        if all > 0.0 {
            height = weights().map(|(weight, z)| weight * z).sum::<f64>() / all;
        }
    }
    Plane { height, rise: [0.0; 2] }
}

/// Fits a tilted plane by iteratively reweighted least squares, with the prior on its slope.
fn fit_tilted(cells: &[Vec3], start: Plane) -> Plane {
    let middle = cells.iter().copied().sum::<Vec3>() / cells.len() as f64;
    let mut plane = start;
    for cutoff in CUTOFFS {
        let mut normal = Mat3::ZERO;
        let mut right = Vec3::ZERO;
        for p in cells {
            let row = Vec3::new(p.x - middle.x, p.y - middle.y, 1.0);
            let weight = biweight(plane.height_of(*p), cutoff) / (DEVIATION * DEVIATION);
            normal += Mat3::from_cols(row * row.x, row * row.y, row) * weight;
            right += row * (p.z * weight);
        }
        normal.x_axis.x += 1.0 / (SLOPE_DEVIATION * SLOPE_DEVIATION);
        normal.y_axis.y += 1.0 / (SLOPE_DEVIATION * SLOPE_DEVIATION);
        // No point within the cutoff: the plane of the round before stays.
        if normal.determinant() <= 0.0 {
            break;
        }
        let solution = normal.inverse() * right;
        plane = Plane {
            height: solution.z - solution.x * middle.x - solution.y * middle.y,
            rise: [solution.x, solution.y],
        };
    }
    plane
}

/// The tilted plane if it fits clearly better, else the level one; and whether it is tilted.
fn choose(level: Plane, tilted: Plane, cells: &[Vec3]) -> (Plane, bool) {
    let error = |plane: &Plane| -> f64 {
        let capped = |p: &Vec3| (plane.height_of(*p) / DEVIATION).abs().min(4.0);
        cells.iter().map(|p| capped(p) * capped(p)).sum()
    };
    let prior = (tilted.slope() / SLOPE_DEVIATION) * (tilted.slope() / SLOPE_DEVIATION);
    let gain = error(&level) - error(&tilted) - prior;
    let root_mean_square = DEVIATION * (error(&tilted) / cells.len() as f64).sqrt();
    let tilts = gain > TILT_GAIN && SLOPES.contains(&tilted.slope()) && root_mean_square < LARGEST_ERROR;
    (if tilts { tilted } else { level }, tilts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(height: impl Fn(f64) -> f64) -> Vec<Vec3> {
        (0..12)
            .map(|step| {
                let ahead = 0.6 * f64::from(step);
                let side = if step % 2 == 0 { 0.1 } else { -0.1 };
                Vec3::new(side, ahead, height(ahead))
            })
            .collect()
    }

    fn inferred_plane(points: &[Vec3]) -> Plane {
        let cells = merge_by_cell(points).unwrap();
        let level = fit_level(&cells);
        choose(level, fit_tilted(&cells, level), &cells).0
    }

    #[test]
    fn a_rising_floor_is_tilted() {
        let plane = inferred_plane(&walk(|ahead| 0.03 * ahead));
        assert!((plane.rise[1] - 0.03).abs() < 0.004, "{plane:?}");
        assert!(plane.rise[0].abs() < 0.002, "{plane:?}");
    }

    #[test]
    fn a_level_floor_is_level() {
        let plane = inferred_plane(&walk(|ahead| 0.5 + 0.004 * surefoot_core::math::sin(20.0 * ahead)));
        assert_eq!(plane.rise, [0.0; 2]);
        assert!((plane.height - 0.5).abs() < 0.004, "{plane:?}");
    }

    #[test]
    fn stairs_do_not_tilt_the_floor() {
        let stairs = |ahead: f64| if ahead < 3.0 { 0.0 } else { 0.17 * round_down(ahead - 2.0) };
        let plane = inferred_plane(&walk(stairs));
        assert_eq!(plane.rise, [0.0; 2]);
        assert!(plane.height.abs() < 0.01, "{plane:?}");
    }
}
