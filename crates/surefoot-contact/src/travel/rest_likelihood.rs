//! The likelihood that a planted point rests rather than creeps.

use super::runs::Distances;
use crate::tracks::{PointTrack, PointTracks};
use surefoot_core::{FrameRange, Vec3};

/// Distance along the floor from the first quarter of a plant to its last that leaves no doubt, in leg
/// lengths: 4 cm in an adult. Of captured plants 19 in 20 creep by less.
const SURE_CREEP: f64 = 0.045;
/// Difference of height from the first quarter of a plant to its last that leaves no doubt, in leg lengths: 2 cm in
/// an adult.
const SURE_RISE: f64 = 0.025;
/// Additional distance that halves the confidence, in leg lengths: 3 cm in an adult.
const DOUBTFUL_CREEP: f64 = 0.035;

/// Returns how likely a point that is down through these frames rests rather than creeps, from 0 to 1:
/// a factor of the confidence.
///
/// Where the other foot of the pair stays in the world, the ground does; else the shorter distance counts,
/// in the world or relative to the ground.
pub(crate) fn rest_likelihood(frames: &FrameRange, track: &PointTrack, tracks: &PointTracks) -> f64 {
    let quarter = (frames.len() / 4).max(1);
    let displacement = |positions: &[Vec3]| {
        let mean = |frames: FrameRange| positions[frames].iter().copied().sum::<Vec3>() / quarter as f64;
        mean(frames.end - quarter..frames.end) - mean(frames.start..frames.start + quarter)
    };
    let [world, ground] = [&track.positions, &track.ground_positions]
        .map(|positions| Distances::of(displacement(positions), tracks.up));
    // Heel and ball of the other foot. Legs are ordered left, right, left, right.
    let mut other = tracks.tracks.iter().filter(|other| other.leg == track.leg ^ 1);
    let other_stays = other.any(|other| displacement(&other.positions).length() < 0.5 * SURE_CREEP);
    let horizontal = if other_stays { world.horizontal } else { world.horizontal.min(ground.horizontal) };
    let excess = (horizontal - SURE_CREEP).max(world.vertical - SURE_RISE).max(0.0) / DOUBTFUL_CREEP;
    1.0 / (1.0 + excess * excess)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ALL, one_leg};
    use super::*;

    /// The likelihood for a point that creeps over one second.
    fn likelihood(displacement: Vec3) -> f64 {
        let tracks = one_leg(|seconds| displacement * seconds, |_| Vec3::Y);
        rest_likelihood(&ALL, &tracks.tracks[0], &tracks)
    }

    #[test]
    fn the_likelihood_falls_as_a_point_creeps_further() {
        assert_eq!(likelihood(Vec3::X * 0.05), 1.0);
        // The means of the first and last quarter are 0.75 s apart.
        let half = likelihood(Vec3::X * (SURE_CREEP + DOUBTFUL_CREEP) / 0.75);
        assert!((half - 0.5).abs() < 1e-9, "{half}");
        assert!(likelihood(Vec3::X * 0.5) < 0.1);
        assert!(likelihood(Vec3::Y * 0.1) < likelihood(Vec3::X * 0.1));
    }
}
