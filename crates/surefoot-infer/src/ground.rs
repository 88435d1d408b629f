//! Where is the floor, and does it tilt?
//!
//! A plane through the foot points while they are low and still. It is level unless the data
//! clearly says otherwise: a captured floor climbs by a few hundredths when the cameras were
//! levelled badly, and a ramp by a tenth, but stairs, boxes and kicks must not tip it over.

use crate::Inferred;
use crate::sight::{Few, Sight};
use std::collections::BTreeMap;
use surefoot_core::floor;
use surefoot_core::math::{Mat3, Vec3, floor as round_down};
use surefoot_core::{JointPoint, Leg};

/// Frames in which the feet are watched, at most.
const WATCHED: usize = 1200;

/// Metres per second below which a foot point is still. A planted point of a capture that skates
/// badly is at 0.2; a slow step is at 0.5.
const STILL: f64 = 0.25;

/// Metres per second of rise or fall below which a point is level, for feet on a treadmill's belt.
const LEVEL: f64 = 0.12;

/// Points this far above the body's lowest one are in the air, in metres: a lifted foot, a
/// tiptoe's heel.
const CARRIES: f64 = 0.04;

/// Share of the watched points that must be still; below it, a treadmill is assumed.
const FEW_STILL: f64 = 0.05;

/// Height of a slice in which still points are counted, in metres.
const SLICE: f64 = 0.03;

/// The lowest slice with this share of the fullest is the floor. Much lower, and one bad frame
/// below the floor is taken for it; much higher, and a box that people stand on is.
const LOWEST: f64 = 0.2;

/// Points this far above the lowest slice may still be floor that climbs, in metres.
const CLIMB: f64 = 0.15;

/// Side of the cells in which points are taken together, in metres: a plant counts once, however
/// long it lasts.
const CELL: f64 = 0.12;

/// How far captured contacts scatter about the floor, in metres.
const SCATTER: f64 = 0.012;

/// Slopes that are expected beforehand, as rise over run. Keeps a straight walk, which shows
/// nothing about the tilt across it, from tipping the floor sideways.
const SLOPE: f64 = 0.03;

/// By how much a tilt must explain the heights better, in squared scatters, to be believed.
const GAIN: f64 = 16.0;

/// Slopes that are believed: less is no different from level, more is stairs.
const SLOPES: core::ops::Range<f64> = 0.005..0.15;

/// Largest mean distance of the points from a tilted floor, in metres; more is no plane.
const PLANE: f64 = 0.02;

/// Finds the floor. `None` without legs or frames.
pub(crate) fn find(legs: &[Leg], up: Vec3, unit_m: f64, sight: &Sight) -> Option<Inferred<floor::Plane>> {
    let axes = Axes::new(up);
    let touches = touches(legs, &axes, unit_m, sight);
    let cells = cells(&touches)?;
    let level = fit_level(&cells);
    let tilted = fit_tilted(&cells, level);
    let (plane, tilts) = choose(level, tilted, &cells);
    let near = |p: &&Vec3| plane.above(**p).abs() < 2.0 * SCATTER;
    let share = cells.iter().filter(near).count() as f64 / cells.len() as f64;
    let rise = plane.slope();
    let mut reason = format!("{} places where the feet are low and still", cells.len());
    reason += &if tilts {
        format!(" lie on a plane that climbs by {:.1} %", 100.0 * rise)
    } else {
        format!(", {:.0} % of them level within {:.1} cm", 100.0 * share, 200.0 * SCATTER)
    };
    // Two feet on one spot are four places; one frame may be in mid air.
    let places = cells.len() as f64 / (cells.len() as f64 + 1.0);
    let frames = sight.usable.len() as f64 / (sight.usable.len() as f64 + 4.0);
    let enough = places * frames;
    Some(Inferred {
        value: axes.floor(&plane),
        confidence: (enough * (0.3 + 0.7 * share)).clamp(0.05, 0.99),
        reason,
    })
    .filter(|found| found.value.normal.is_finite() && found.value.offset.is_finite())
}

/// Up and two level axes.
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

    /// A place in metres as side, ahead, height.
    fn seen(&self, place: Vec3) -> Vec3 {
        Vec3::new(place.dot(self.side), place.dot(self.ahead), place.dot(self.up))
    }

    fn floor(&self, plane: &Plane) -> floor::Plane {
        let normal = self.up - self.side * plane.rise[0] - self.ahead * plane.rise[1];
        let length = normal.length();
        floor::Plane { normal: normal / length, offset: plane.height / length }
    }
}

/// `height + rise · (side, ahead)`.
#[derive(Clone, Copy, Debug)]
struct Plane {
    height: f64,
    rise: [f64; 2],
}

impl Plane {
    fn above(&self, p: Vec3) -> f64 {
        p.z - self.height - self.rise[0] * p.x - self.rise[1] * p.y
    }

    fn slope(&self) -> f64 {
        (self.rise[0] * self.rise[0] + self.rise[1] * self.rise[1]).sqrt()
    }
}

/// Places of foot points that are still, in metres along the axes.
fn touches(legs: &[Leg], axes: &Axes, unit_m: f64, sight: &Sight) -> Vec<Vec3> {
    let points: Vec<JointPoint> = legs.iter().flat_map(|leg| [leg.heel, leg.ball]).collect();
    let joints: Vec<_> = points.iter().map(|point| point.joint).collect();
    let mut few = Few::new(sight.skeleton, &joints);
    let mut seen = |at: usize| -> Vec<Vec3> {
        let placed = few.place(sight.skeleton, sight.pose(at));
        (points.iter()).map(|point| axes.seen(placed.point(point) * unit_m)).collect()
    };
    let mut watched = Vec::new();
    for at in sight.spread(WATCHED) {
        let here = seen(at);
        let velocity = |then: Vec<Vec3>, seconds: f64| -> Vec<Vec3> {
            here.iter().zip(then).map(|(here, then)| (then - *here) / seconds).collect()
        };
        let velocities = match sight.moment_from(at) {
            Some((other, seconds)) => velocity(seen(other), seconds),
            None => vec![Vec3::ZERO; here.len()],
        };
        let lowest = here.iter().map(|place| place.z).fold(f64::INFINITY, f64::min);
        let seen = here.into_iter().zip(velocities);
        watched.extend(seen.filter(|(place, _)| place.z < lowest + CARRIES));
    }
    let kept = |is_kept: &dyn Fn(Vec3) -> bool| -> Vec<Vec3> {
        let kept = watched.iter().filter(|(_, velocity)| is_kept(*velocity));
        kept.map(|(place, _)| *place).collect()
    };
    let still = kept(&|velocity| velocity.length() < STILL);
    if still.len() as f64 >= FEW_STILL * watched.len() as f64 {
        return still;
    }
    let belt = kept(&|velocity| velocity.z.abs() < LEVEL);
    if belt.is_empty() { kept(&|_| true) } else { belt }
}

/// Touches near the lowest well-filled slice, one for each cell of the ground.
fn cells(touches: &[Vec3]) -> Option<Vec<Vec3>> {
    let slice = |height: f64| round_down(height / SLICE) as i64;
    let mut slices: BTreeMap<i64, usize> = BTreeMap::new();
    for touch in touches {
        *slices.entry(slice(touch.z)).or_default() += 1;
    }
    let fullest = slices.values().copied().max()? as f64;
    let (&lowest, _) = slices.iter().find(|(_, count)| **count as f64 >= LOWEST * fullest)?;
    let bottom = (lowest - 1) as f64 * SLICE;
    let mut cells: BTreeMap<(i64, i64), Vec<Vec3>> = BTreeMap::new();
    for touch in touches.iter().filter(|t| (bottom..bottom + CLIMB + SLICE).contains(&t.z)) {
        let cell = |along: f64| round_down(along / CELL) as i64;
        cells.entry((cell(touch.x), cell(touch.y))).or_default().push(*touch);
    }
    let middle = |mut touches: Vec<Vec3>| {
        touches.sort_by(|a, b| a.z.total_cmp(&b.z));
        // The lower quarter: a heel that rolls off is still on its way up.
        let height = touches[touches.len() / 4].z;
        let mean = touches.iter().copied().sum::<Vec3>() / touches.len() as f64;
        Vec3::new(mean.x, mean.y, height)
    };
    Some(cells.into_values().map(middle).collect())
}

/// How much a point counts that is `away` from the plane, with a reach in metres.
fn trust(away: f64, reach: f64) -> f64 {
    let share = 1.0 - (away / reach) * (away / reach);
    if share > 0.0 { share * share } else { 0.0 }
}

/// Rounds of reweighting, each with a smaller reach: from the whole climb down to 3 scatters.
const REACHES: [f64; 8] = [0.2, 0.15, 0.12, 0.09, 0.07, 0.05, 0.04, 0.04];

/// The level plane that most points are near to.
fn fit_level(cells: &[Vec3]) -> Plane {
    let mut heights: Vec<f64> = cells.iter().map(|p| p.z).collect();
    heights.sort_by(f64::total_cmp);
    let mut height = heights[heights.len() / 3];
    for reach in REACHES {
        let trusts = || cells.iter().map(|p| (trust(p.z - height, reach), p.z));
        let all: f64 = trusts().map(|(trust, _)| trust).sum();
        if all > 0.0 {
            height = trusts().map(|(trust, z)| trust * z).sum::<f64>() / all;
        }
    }
    Plane { height, rise: [0.0; 2] }
}

/// The tilted plane that most points are near to, slopes held to what is expected.
fn fit_tilted(cells: &[Vec3], start: Plane) -> Plane {
    let middle = cells.iter().copied().sum::<Vec3>() / cells.len() as f64;
    let mut plane = start;
    for reach in REACHES {
        let mut normal = Mat3::ZERO;
        let mut right = Vec3::ZERO;
        for p in cells {
            let row = Vec3::new(p.x - middle.x, p.y - middle.y, 1.0);
            let weight = trust(plane.above(*p), reach) / (SCATTER * SCATTER);
            normal += Mat3::from_cols(row * row.x, row * row.y, row) * weight;
            right += row * (p.z * weight);
        }
        normal.x_axis.x += 1.0 / (SLOPE * SLOPE);
        normal.y_axis.y += 1.0 / (SLOPE * SLOPE);
        // No point within reach: no plane, and the last one stands.
        if normal.determinant() <= 0.0 {
            break;
        }
        let found = normal.inverse() * right;
        plane = Plane { height: found.z - found.x * middle.x - found.y * middle.y, rise: [found.x, found.y] };
    }
    plane
}

/// The tilted plane where the data clearly says so, else the level one.
fn choose(level: Plane, tilted: Plane, cells: &[Vec3]) -> (Plane, bool) {
    let misfit = |plane: &Plane| -> f64 {
        let capped = |p: &Vec3| (plane.above(*p) / SCATTER).abs().min(4.0);
        cells.iter().map(|p| capped(p) * capped(p)).sum()
    };
    let held = (tilted.slope() / SLOPE) * (tilted.slope() / SLOPE);
    let gain = misfit(&level) - misfit(&tilted) - held;
    let mean = SCATTER * (misfit(&tilted) / cells.len() as f64).sqrt();
    let tilts = gain > GAIN && SLOPES.contains(&tilted.slope()) && mean < PLANE;
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

    fn found(points: &[Vec3]) -> Plane {
        let cells = cells(points).unwrap();
        let level = fit_level(&cells);
        choose(level, fit_tilted(&cells, level), &cells).0
    }

    #[test]
    fn a_floor_that_climbs_is_tilted() {
        let plane = found(&walk(|ahead| 0.03 * ahead));
        assert!((plane.rise[1] - 0.03).abs() < 0.004, "{plane:?}");
        assert!(plane.rise[0].abs() < 0.002, "{plane:?}");
    }

    #[test]
    fn a_level_floor_is_level() {
        let plane = found(&walk(|ahead| 0.5 + 0.004 * surefoot_core::math::sin(20.0 * ahead)));
        assert_eq!(plane.rise, [0.0; 2]);
        assert!((plane.height - 0.5).abs() < 0.004, "{plane:?}");
    }

    #[test]
    fn stairs_do_not_tip_the_floor() {
        let stairs = |ahead: f64| if ahead < 3.0 { 0.0 } else { 0.17 * round_down(ahead - 2.0) };
        let plane = found(&walk(stairs));
        assert_eq!(plane.rise, [0.0; 2]);
        assert!(plane.height.abs() < 0.01, "{plane:?}");
    }
}
