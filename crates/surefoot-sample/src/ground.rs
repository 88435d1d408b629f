//! The floor of a sample: level ground or stairs.

use crate::feet::Footprint;
use surefoot_core::math::floor;
use surefoot_core::{FootPoint, Footplants, Vec3};

/// The floor: level, or a flight of stairs across a path along Z.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ground {
    /// Height 0 everywhere.
    Level,
    /// Level, then stairs upwards or downwards, then level again.
    Stairs(Stairs),
}

/// A flight of stairs, in metres.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stairs {
    /// Position of the middle of the first tread, along Z.
    pub first: f64,
    /// Depth of a tread.
    pub tread: f64,
    /// Height of a step.
    pub riser: f64,
    /// Number of steps; the last one has no end.
    pub count: f64,
    /// Height of the ground in front of the stairs.
    pub base: f64,
}

impl Stairs {
    /// These stairs, leading down to height 0.
    pub fn downwards(self) -> Self {
        Self { riser: -self.riser, base: self.count * self.riser, ..self }
    }
}

/// Distance of a foot in front of the stairs from the middle of the first tread, in treads. A foot
/// nearer than that would stand in the first riser.
pub(crate) const CLEAR_OF_FIRST_TREAD: f64 = 1.15;

impl Ground {
    /// Moves a footprint to where a foot can stand: the middle of a tread, away from its edge.
    pub fn settle(&self, mut print: Footprint) -> Footprint {
        if let Self::Stairs(stairs) = self {
            let along = (print.spot.z - stairs.first) / stairs.tread;
            let step = floor(along + 0.5).min(stairs.count - 1.0);
            print.spot.y = stairs.base;
            if step < 0.0 {
                print.spot.z = print.spot.z.min(stairs.first - CLEAR_OF_FIRST_TREAD * stairs.tread);
            } else {
                let top = if step == stairs.count - 1.0 { along } else { step };
                print.spot.z = stairs.first + top.max(step) * stairs.tread;
                print.spot.y += (step + 1.0) * stairs.riser;
            }
        }
        print
    }
}

/// Distance of a heel from the edge of its step, in metres.
const EDGE_DISTANCE: f64 = 0.02;
/// How far the floor extends beyond the plants on all sides, in metres.
const MARGIN: f64 = 2.0;

/// Returns the stairs under the plants as triangles, including the risers.
pub(crate) fn stairs_under(plants: &Footplants) -> Vec<[Vec3; 3]> {
    let spots = || plants.plants.iter().filter_map(|plant| plant.spot);
    let heels = plants.plants.iter().filter(|plant| plant.point == FootPoint::Heel);
    let mut heels: Vec<Vec3> = heels.filter_map(|plant| plant.spot).collect();
    heels.sort_by(|one, other| one.z.total_cmp(&other.z));
    let start = spots().map(|spot| spot.z).fold(f64::INFINITY, f64::min) - MARGIN;
    let end = spots().map(|spot| spot.z).fold(f64::NEG_INFINITY, f64::max) + MARGIN;
    let quad = |[a, b, c, d]: [Vec3; 4]| [[a, b, c], [a, c, d]];
    let across = |z: f64, y: f64| (Vec3::new(-MARGIN, y, z), Vec3::new(MARGIN, y, z));
    let mut triangles = Vec::new();
    let (mut from, mut height) = (start, 0.0);
    // Ignores rounding errors.
    let is_higher = |heel: &Vec3, height: f64| heel.y > height + 1e-6;
    for heel in heels {
        if is_higher(&heel, height) {
            let edge = heel.z - EDGE_DISTANCE;
            let ((a, b), (c, d), (e, f)) = (across(from, height), across(edge, height), across(edge, heel.y));
            triangles.extend(quad([a, c, d, b]));
            triangles.extend(quad([c, e, f, d]));
            (from, height) = (edge, heel.y);
        }
    }
    let ((a, b), (c, d)) = (across(from, height), across(end, height));
    triangles.extend(quad([a, c, d, b]));
    triangles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_foot_stands_in_the_middle_of_its_tread() {
        let stairs = Ground::Stairs(Stairs { first: 1.0, tread: 0.5, riser: 0.2, count: 3.0, base: 0.0 });
        let settled = |z: f64| {
            let spot = Vec3::new(0.1, 0.0, z);
            let print = stairs.settle(Footprint { spot, yaw: 0.0 });
            (print.spot.z, print.spot.y)
        };
        assert_eq!(settled(0.0), (0.0, 0.0));
        assert_eq!(settled(0.7), (1.0 - 1.15 * 0.5, 0.0));
        assert_eq!(settled(0.8), (1.0, 0.2));
        assert_eq!(settled(1.6), (1.5, 0.4));
        assert_eq!(settled(1.9), (2.0, 3.0 * 0.2));
        assert_eq!(settled(4.0), (4.0, 3.0 * 0.2));
    }
}
