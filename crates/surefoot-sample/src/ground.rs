//! How high is the floor under a foot?

use crate::feet::Footprint;
use surefoot_core::math::floor;
use surefoot_core::{FootPoint, Footplants, Vec3};

/// The floor of a sample: level, or a flight of stairs across the path that goes along Z.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ground {
    /// All at height 0.
    Level,
    /// Level, then steps up, then level again.
    Stairs(Stairs),
}

/// A flight of stairs. Metres.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stairs {
    /// Where the middle of the first step is, along Z.
    pub first: f64,
    /// How deep each step is.
    pub tread: f64,
    /// How much higher than the last.
    pub riser: f64,
    /// How many there are; the last is as deep as one likes.
    pub count: f64,
}

impl Ground {
    /// The print moved to where a foot can stand: to the middle of a step, away from its edge.
    pub fn settle(&self, mut print: Footprint) -> Footprint {
        if let Self::Stairs(stairs) = self {
            let along = (print.spot.z - stairs.first) / stairs.tread;
            let step = floor(along + 0.5).min(stairs.count - 1.0);
            if step < 0.0 {
                print.spot.z = print.spot.z.min(stairs.first - 1.15 * stairs.tread);
            } else {
                let top = if step == stairs.count - 1.0 { along } else { step };
                print.spot.z = stairs.first + top.max(step) * stairs.tread;
                print.spot.y = (step + 1.0) * stairs.riser;
            }
        }
        print
    }
}

/// Heels stand this far from the edge of their step, in metres.
const FROM_EDGE: f64 = 0.02;
/// How far the floor goes on before the first plant, behind the last and to either side, in metres.
const AROUND: f64 = 2.0;

/// The stairs under these plants as triangles, risers included.
pub(crate) fn stairs_under(plants: &Footplants) -> Vec<[Vec3; 3]> {
    let spots = || plants.plants.iter().filter_map(|plant| plant.spot);
    let heels = plants.plants.iter().filter(|plant| plant.point == FootPoint::Heel);
    let mut heels: Vec<Vec3> = heels.filter_map(|plant| plant.spot).collect();
    heels.sort_by(|one, other| one.z.total_cmp(&other.z));
    let start = spots().map(|spot| spot.z).fold(f64::INFINITY, f64::min) - AROUND;
    let end = spots().map(|spot| spot.z).fold(f64::NEG_INFINITY, f64::max) + AROUND;
    let quad = |[a, b, c, d]: [Vec3; 4]| [[a, b, c], [a, c, d]];
    let across = |z: f64, y: f64| (Vec3::new(-AROUND, y, z), Vec3::new(AROUND, y, z));
    let mut triangles = Vec::new();
    let (mut from, mut height) = (start, 0.0);
    // Rounding makes no steps.
    let climbs = |heel: &Vec3, height: f64| heel.y > height + 1e-6;
    for heel in heels {
        if climbs(&heel, height) {
            let edge = heel.z - FROM_EDGE;
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
    fn a_foot_stands_in_the_middle_of_its_step() {
        let stairs = Ground::Stairs(Stairs { first: 1.0, tread: 0.5, riser: 0.2, count: 3.0 });
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
