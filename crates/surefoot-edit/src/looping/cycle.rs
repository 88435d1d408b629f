//! Cycles: pairs of frames between which a motion repeats itself.

use surefoot_core::Motion;

use super::Settings;
use crate::distance::{cloud_of, distance_at, fit, map, minima, refine};
use crate::interpolate::log;
use crate::pair::{self, PairError};
use surefoot_core::Loop;
use surefoot_core::RigidTransform;

/// Two frames between which a motion repeats itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cycle {
    /// The first frame.
    pub first: usize,
    /// The frame with the pose of the first.
    pub last: usize,
    /// The transform from the first frame to the last.
    pub travel: RigidTransform,
    /// Distance of both frames, in metres (root mean square over the joints and the window).
    pub distance: f64,
}

/// Number of minima of the distance map that are ranked. Fewer may miss the best cycle in a long
/// capture.
const MAX_CANDIDATES: usize = 64;

/// Travel below which a cycle is treated as staying in place, in metres and radians: an idle sways
/// by a few centimetres.
const MAX_IDLE_TRAVEL: (f64, f64) = (0.05, 0.05);

/// The best cycles of a motion, the best first.
///
/// Cycles are ranked by their distance divided by the speed of the joints there. In a walk that
/// starts and ends standing this prefers two steps over the whole motion from stand to stand.
pub fn cycles(motion: &Motion, settings: &Settings, most: usize) -> Result<Vec<Cycle>, PairError> {
    let map = map(motion, motion, &settings.map)?;
    let frames = |seconds: f64| seconds * motion.fps / map.stride as f64;
    let (shortest, longest) = (frames(settings.length.0).max(1.0), frames(settings.length.1));
    let half = settings.map.half(motion.fps);
    let is_candidate = |row: usize, column: usize| {
        let long = row as f64 - column as f64;
        long >= shortest && long <= longest
    };
    let spacing = (half / map.stride / 2).max(1);
    let distances = cumulative_distances(motion, settings);
    let mut found: Vec<(f64, Cycle)> = minima(&map, spacing, MAX_CANDIDATES, is_candidate)
        .into_iter()
        .map(|cell| {
            let at = refine(motion, motion, &map, cell, &settings.map);
            let cycle = without_idle_travel(Cycle {
                first: at.to,
                last: at.from,
                travel: at.transform,
                distance: at.distance,
            });
            let speed = [cycle.first, cycle.last].map(|frame| {
                let (from, to) = (frame.saturating_sub(half), (frame + half).min(motion.frames() - 1));
                (distances[to] - distances[from]) / (to - from).max(1) as f64
            });
            let speed = speed[0].min(speed[1]);
            // Near the ends the window is cut off: assume the missing frames differ as much.
            let compared = half.min(cycle.first) + half.min(motion.frames() - 1 - cycle.last) + 1;
            let missing = (2 * half + 1) as f64 / compared as f64;
            (cycle.distance * surefoot_core::math::sqrt(missing) / speed.max(1e-9), cycle)
        })
        .filter(|(_, cycle)| cycle.last > cycle.first)
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found.truncate(most);
    Ok(found.into_iter().map(|(_, cycle)| cycle).collect())
}

/// The cycle between two given frames.
pub fn cycle_at(motion: &Motion, first: usize, last: usize, settings: &Settings) -> Result<Cycle, PairError> {
    pair::check_one(motion, 0)?;
    let last = last.min(motion.frames() - 1);
    let first = first.min(last);
    let (distance, travel) = distance_at(motion, motion, (last, first), &settings.map);
    Ok(without_idle_travel(Cycle { first, last, travel, distance }))
}

fn without_idle_travel(cycle: Cycle) -> Cycle {
    let travel = cycle.travel;
    let stays = travel.translation.length() < MAX_IDLE_TRAVEL.0 && travel.angle() < MAX_IDLE_TRAVEL.1;
    Cycle { travel: if stays { RigidTransform::IDENTITY } else { travel }, ..cycle }
}

/// Cumulative distance moved by the joints up to each frame, in metres (root mean square per frame).
fn cumulative_distances(motion: &Motion, settings: &Settings) -> Vec<f64> {
    let mut distances = vec![0.0];
    for step in super::seam::steps(motion, &settings.map.weights(motion)) {
        distances.push(distances[distances.len() - 1] + step);
    }
    distances
}

/// Treats the whole motion as a loop. Returns it and the gap between its end and its start, in
/// metres.
///
/// The last frame may repeat the first, as many programs expect, or precede it.
pub fn whole_motion_loop(motion: &Motion, settings: &Settings) -> Result<(Loop, f64), PairError> {
    pair::check_one(motion, 0)?;
    let frames = motion.frames();
    let cloud = |frame: usize| cloud_of(motion, frame..frame + 1);
    let weights = settings.map.weights(motion);
    if repeats(motion) {
        let (gap, travel) = fit(&cloud(frames - 1), &cloud(0), &weights, settings.map.up);
        // Below the precision of a file.
        let stays = travel.translation.length() < 1e-5 && travel.angle() < 1e-5;
        let travel = if stays { RigidTransform::IDENTITY } else { travel };
        return Ok((Loop { period: frames - 1, travel }, gap));
    }
    if frames < 2 {
        return Ok((Loop { period: frames, travel: RigidTransform::IDENTITY }, 0.0));
    }
    let extrapolate = |near: usize, far: usize| -> Vec<surefoot_core::Vec3> {
        cloud(near).iter().zip(&cloud(far)).map(|(&near, &far)| near * 2.0 - far).collect()
    };
    let own = [extrapolate(frames - 1, frames - 2), cloud(frames - 1)].concat();
    let other = [cloud(0), extrapolate(0, 1)].concat();
    let (gap, travel) = fit(&own, &other, &weights, settings.map.up);
    let stays =
        travel.translation.length() < 0.4 * MAX_IDLE_TRAVEL.0 && travel.angle() < 0.4 * MAX_IDLE_TRAVEL.1;
    Ok((Loop { period: frames, travel: if stays { RigidTransform::IDENTITY } else { travel } }, gap))
}

/// Whether the last frame repeats the first: no joint rotation differs by more than a quarter of
/// the rotation between neighbouring frames there.
fn repeats(motion: &Motion) -> bool {
    let largest_rotation = |a: usize, b: usize| {
        let (a, b) = (&motion.poses[a], &motion.poses[b]);
        let joints = motion.skeleton.ids().filter(|&joint| motion.skeleton.parent(joint).is_some());
        joints
            .map(|joint| log(a.rotations[joint.index()].conjugate() * b.rotations[joint.index()]).length())
            .fold(0.0, f64::max)
    };
    let frames = motion.frames();
    if frames < 3 {
        return false;
    }
    let step = largest_rotation(0, 1).min(largest_rotation(frames - 2, frames - 1));
    largest_rotation(0, frames - 1) <= (0.25 * step).max(1e-6)
}
