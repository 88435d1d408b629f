//! From where to where does a motion repeat itself?

use surefoot_core::Motion;

use super::Settings;
use crate::distance::{cloud_of, distance_at, fit, map, minima, refine};
use crate::mix::log;
use crate::pair::{self, PairError};
use surefoot_core::Loop;
use surefoot_core::RigidTransform;

/// Frames between which a motion repeats itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cycle {
    /// The first frame.
    pub first: usize,
    /// The frame at which it is as at the first.
    pub last: usize,
    /// Where the first is then.
    pub travel: RigidTransform,
    /// How far they are apart, in metres (root mean square over the joints and the window).
    pub distance: f64,
}

/// How many cycles are weighed against each other.
const WEIGHED: usize = 64;

/// A cycle that travels less than this, in metres and radians, is meant to stay.
const STAYS: (f64, f64) = (0.05, 0.05);

/// The best cycles of a motion, the best first.
///
/// Best is the least distance for how fast the joints go there: of a walk that begins and ends with
/// standing, two steps, and not all of it from standing to standing.
pub fn cycles(motion: &Motion, settings: &Settings, most: usize) -> Result<Vec<Cycle>, PairError> {
    let map = map(motion, motion, &settings.map)?;
    let frames = |seconds: f64| seconds * motion.fps / map.stride as f64;
    let (shortest, longest) = (frames(settings.length.0).max(1.0), frames(settings.length.1));
    let half = settings.map.half(motion.fps);
    let is_wanted = |row: usize, column: usize| {
        let long = row as f64 - column as f64;
        long >= shortest && long <= longest
    };
    let apart = (half / map.stride / 2).max(1);
    let way = ways(motion, settings);
    let mut found: Vec<(f64, Cycle)> = minima(&map, apart, WEIGHED, is_wanted)
        .into_iter()
        .map(|cell| {
            let at = refine(motion, motion, &map, cell, &settings.map);
            let cycle = stay(Cycle { first: at.to, last: at.from, travel: at.placed, distance: at.distance });
            let speed = [cycle.first, cycle.last].map(|frame| {
                let (from, to) = (frame.saturating_sub(half), (frame + half).min(motion.frames() - 1));
                (way[to] - way[from]) / (to - from).max(1) as f64
            });
            let speed = speed[0].min(speed[1]);
            // Near the ends less is compared: what is not seen may be as far as what is.
            let seen = half.min(cycle.first) + half.min(motion.frames() - 1 - cycle.last) + 1;
            let unseen = (2 * half + 1) as f64 / seen as f64;
            (cycle.distance * surefoot_core::math::sqrt(unseen) / speed.max(1e-9), cycle)
        })
        .filter(|(_, cycle)| cycle.last > cycle.first)
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found.truncate(most);
    Ok(found.into_iter().map(|(_, cycle)| cycle).collect())
}

/// The cycle between two frames of one's own choice.
pub fn cycle_at(motion: &Motion, first: usize, last: usize, settings: &Settings) -> Result<Cycle, PairError> {
    pair::check_one(motion, 0)?;
    let last = last.min(motion.frames() - 1);
    let first = first.min(last);
    let (distance, travel) = distance_at(motion, motion, (last, first), &settings.map);
    Ok(stay(Cycle { first, last, travel, distance }))
}

fn stay(cycle: Cycle) -> Cycle {
    let travel = cycle.travel;
    let stays = travel.translation.length() < STAYS.0 && travel.angle() < STAYS.1;
    Cycle { travel: if stays { RigidTransform::IDENTITY } else { travel }, ..cycle }
}

/// How far the joints have gone up to each frame, in metres (root mean square a frame).
fn ways(motion: &Motion, settings: &Settings) -> Vec<f64> {
    let mut ways = vec![0.0];
    for step in super::seam::steps(motion, &settings.map.weights(motion)) {
        ways.push(ways[ways.len() - 1] + step);
    }
    ways
}

/// The loop that a motion is as a whole, and by how much its end misses its start, in metres.
///
/// Its last frame may be its first again, as many programs want it, or the one before.
pub fn whole(motion: &Motion, settings: &Settings) -> Result<(Loop, f64), PairError> {
    pair::check_one(motion, 0)?;
    let frames = motion.frames();
    let cloud = |frame: usize| cloud_of(motion, frame..frame + 1);
    let weights = settings.map.weights(motion);
    if repeats(motion) {
        let (missed, travel) = fit(&cloud(frames - 1), &cloud(0), &weights, settings.map.up);
        // Less than a file can show.
        let stays = travel.translation.length() < 1e-5 && travel.angle() < 1e-5;
        let travel = if stays { RigidTransform::IDENTITY } else { travel };
        return Ok((Loop { period: frames - 1, travel }, missed));
    }
    if frames < 2 {
        return Ok((Loop { period: frames, travel: RigidTransform::IDENTITY }, 0.0));
    }
    let ahead = |near: usize, far: usize| -> Vec<surefoot_core::Vec3> {
        cloud(near).iter().zip(&cloud(far)).map(|(&near, &far)| near * 2.0 - far).collect()
    };
    let own = [ahead(frames - 1, frames - 2), cloud(frames - 1)].concat();
    let other = [cloud(0), ahead(0, 1)].concat();
    let (missed, travel) = fit(&own, &other, &weights, settings.map.up);
    let stays = travel.translation.length() < 0.4 * STAYS.0 && travel.angle() < 0.4 * STAYS.1;
    Ok((Loop { period: frames, travel: if stays { RigidTransform::IDENTITY } else { travel } }, missed))
}

/// Whether the last frame is the first again: no joint is turned otherwise by as much as a quarter of
/// what the joints turn from frame to frame there.
fn repeats(motion: &Motion) -> bool {
    let turned = |a: usize, b: usize| {
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
    let step = turned(0, 1).min(turned(frames - 2, frames - 1));
    turned(0, frames - 1) <= (0.25 * step).max(1e-6)
}
