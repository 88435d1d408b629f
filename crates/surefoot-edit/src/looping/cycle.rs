//! Cycles: pairs of frames between which a motion repeats itself.

use surefoot_core::math::PI;
use surefoot_core::{Footplants, FrameRange, Motion, Quat, Vec3};

use super::exclusions::Exclusions;
use super::{Settings, strides};
use crate::distance::{Map, cloud_distance, cloud_of, distance_at, fit, map, minima, refine};
use crate::interpolate::log;
use crate::landings::{MIN_SWING_SECONDS, all_stances, landings};
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

/// A cycle that is not whole strides is ranked as if its distance were this many times larger, in a motion that has
/// strides. At 1 a pause between steps that happens to match is chosen over the walk.
const NOT_A_STRIDE: f64 = 4.0;

/// Each further stride of a cycle raises its rank by this share: of two equal cycles the shorter one is used.
const FURTHER_STRIDE: f64 = 0.5;

/// Largest distance between the ends of a stride of a gait, in metres. The strides of walks and runs repeat to 1–4 cm;
/// steps in a dance or a fight do not repeat.
const MAX_STRIDE_DISTANCE: f64 = 0.06;

/// Distance between the ends of a cycle at which it is ranked as if that distance were twice as large, in metres.
///
/// Fast motions have large distances, so cycles are compared relative to their speed. Without this limit two unlike poses
/// of a jump, 40 cm apart, were preferred to a slower cycle that closes.
const DISTANCE_THAT_DOUBLES: f64 = 0.06;

/// Largest distance between the ends of a cycle, in metres; others are the last ones of a list.
///
/// Joints that are 15 cm apart, at the root mean square, belong to another pose: the loop would move from one to the other
/// in a second, whatever the body does there.
pub const MAX_CYCLE_DISTANCE: f64 = 0.15;

/// Length of a cycle at which it is ranked as if its distance were twice as large, in seconds. Of a long capture, two poses
/// half a minute apart may be more alike than the ends of any cycle, but a loop is looked for.
const SECONDS_THAT_DOUBLE: f64 = 8.0;

/// Turn of a cycle at which it is ranked as if its distance were twice as large, in radians: 30°. Repeated, a turn is a
/// pirouette, so a straight stride is preferred where the motion has one.
const TURN_THAT_DOUBLES: f64 = 30.0 * PI / 180.0;

/// The best cycles of a motion, the best first.
///
/// Cycles are ranked by their distance divided by the speed of the joints there, those that do not close last. In a walk
/// that starts and ends standing this prefers two steps over the whole motion from stand to stand. Where the plants show
/// strides, cycles of whole strides come first. Rest poses and frozen frames are in no cycle, and a stretch that is still
/// compared with the rest of the motion is only used where there is no other.
pub fn cycles(
    motion: &Motion,
    plants: &Footplants,
    settings: &Settings,
    most: usize,
) -> Result<Vec<Cycle>, PairError> {
    let mut search = CycleSearch {
        map: map(motion, motion, &settings.map)?,
        landings: landings(plants, motion.fps),
        exclusions: Exclusions::new(motion, settings),
        motion,
        stances: all_stances(plants, motion.fps),
        settings,
        strides: Vec::new(),
        has_strides: false,
    };
    search.strides = search.find_strides();
    search.has_strides = search.strides.iter().any(|stride| stride.distance < MAX_STRIDE_DISTANCE);
    let mut found = search.cycles(|first, last| search.exclusions.is_still(first, last));
    if found.is_empty() {
        found = search.cycles(|_, _| false);
    }
    let order = |(rank, cycle): &(f64, Cycle)| (cycle.distance > MAX_CYCLE_DISTANCE, *rank);
    found.sort_by(|a, b| order(a).0.cmp(&order(b).0).then(a.0.total_cmp(&b.0)));
    let mut best: Vec<Cycle> = Vec::new();
    for (_, cycle) in found {
        let is_near = |other: &Cycle| {
            other.first.abs_diff(cycle.first).max(other.last.abs_diff(cycle.last)) < search.half().max(1) / 2
        };
        if best.len() < most && !best.iter().any(is_near) {
            best.push(cycle);
        }
    }
    Ok(best)
}

struct CycleSearch<'a> {
    motion: &'a Motion,
    stances: Vec<FrameRange>,
    settings: &'a Settings,
    map: Map,
    landings: Vec<Vec<usize>>,
    exclusions: Exclusions,
    /// Single strides, and whether one of them repeats itself.
    strides: Vec<Cycle>,
    has_strides: bool,
}

impl CycleSearch<'_> {
    /// Half the window of the comparison, in frames.
    fn half(&self) -> usize {
        self.settings.map.half(self.motion.fps)
    }

    /// Ranked cycles: the minima of the distance map and the single strides, without those to leave out.
    fn cycles(&self, is_left_out: impl Fn(usize, usize) -> bool) -> Vec<(f64, Cycle)> {
        let frames = |seconds: f64| seconds * self.motion.fps;
        let (shortest, longest) = (frames(self.settings.length.0).max(1.0), frames(self.settings.length.1));
        let last_frame = self.motion.frames() - 1;
        let is_candidate = |first: usize, last: usize| {
            let long = last as f64 - first as f64;
            last <= last_frame
                && long >= shortest
                && long <= longest
                && !self.exclusions.is_excluded(first, last)
                && !is_left_out(first, last)
        };
        let stride = self.map.stride;
        let spacing = (self.half() / stride / 2).max(1);
        let cells = minima(&self.map, spacing, MAX_CANDIDATES, |row, column| {
            row > column && is_candidate(column * stride, row * stride)
        });
        let cells = cells.into_iter().map(|cell| {
            let at = refine(self.motion, self.motion, &self.map, cell, &self.settings.map);
            Cycle { first: at.to, last: at.from, travel: at.transform, distance: at.distance }
        });
        let strides = self.strides.iter().copied();
        let all = cells
            .chain(strides)
            .filter(|cycle| cycle.last > cycle.first && is_candidate(cycle.first, cycle.last));
        let all = all.map(|cycle| self.held_in_place(cycle));
        all.map(|cycle| (self.rank(&cycle), self.with_simple_travel(cycle))).collect()
    }

    /// Single strides, each at the phase and length at which its ends are most alike.
    fn find_strides(&self) -> Vec<Cycle> {
        let best = |(first, last): (usize, usize)| {
            let long = last - first;
            let around = (long / 30).max(1);
            let phases = (0..PHASES).map(|n| n * long / PHASES);
            let starts = phases.flat_map(|later| {
                let lengths = long.saturating_sub(around)..=long + around;
                lengths.map(move |length| (first + later, first + later + length))
            });
            let inside = starts.filter(|&(_, last)| last < self.motion.frames());
            let cycles = inside.map(|(first, last)| {
                let (distance, travel) =
                    distance_at(self.motion, self.motion, (last, first), &self.settings.map);
                Cycle { first, last, travel, distance }
            });
            cycles.min_by(|a, b| a.distance.total_cmp(&b.distance))
        };
        strides::single_strides(&self.landings).into_iter().filter_map(best).collect()
    }

    /// A cycle through which a foot stands stays in place: the foot cannot stand and travel. Without the time for a swing
    /// it stands throughout.
    fn held_in_place(&self, cycle: Cycle) -> Cycle {
        let swing = MIN_SWING_SECONDS * self.motion.fps;
        let stands = |stance: &FrameRange| {
            let lifted = stance.start.saturating_sub(cycle.first)
                + (cycle.last + 1).saturating_sub(stance.end.max(cycle.first));
            lifted as f64 <= swing
        };
        if !self.stances.iter().any(stands) {
            return cycle;
        }
        let clouds = [cycle.last, cycle.first].map(|frame| cloud_of(self.motion, frame..frame + 1));
        let (travel, weights) = (RigidTransform::IDENTITY, self.settings.map.weights(self.motion));
        let distance = cloud_distance(&clouds[0], &clouds[1], &weights, &travel);
        Cycle { travel, distance, ..cycle }
    }

    fn rank(&self, cycle: &Cycle) -> f64 {
        let (half, last_frame) = (self.half(), self.motion.frames() - 1);
        let speed = [cycle.first, cycle.last].map(|frame| {
            self.exclusions.mean_step(frame.saturating_sub(half), (frame + half).min(last_frame))
        });
        let speed = speed[0].min(speed[1]);
        // Near the ends the window is cut off: assume the missing frames differ as much.
        let compared = half.min(cycle.first) + half.min(last_frame - cycle.last) + 1;
        let missing = (2 * half + 1) as f64 / compared as f64;
        let straight = 1.0 + cycle.travel.angle() / TURN_THAT_DOUBLES;
        let apart = cycle.distance / DISTANCE_THAT_DOUBLES;
        let long = (cycle.last - cycle.first) as f64 / self.motion.fps / SECONDS_THAT_DOUBLE;
        self.stride_preference(cycle)
            * straight
            * (1.0 + apart * apart)
            * (1.0 + long * long)
            * cycle.distance
            * surefoot_core::math::sqrt(missing)
            / speed.max(1e-9)
    }

    fn stride_preference(&self, cycle: &Cycle) -> f64 {
        match strides::count(&self.landings, cycle.first, cycle.last) {
            0 if self.has_strides => NOT_A_STRIDE,
            0 => 1.0,
            count => 1.0 + FURTHER_STRIDE * (count - 1) as f64,
        }
    }

    /// The cycle without travel that is too small to be meant.
    fn with_simple_travel(&self, cycle: Cycle) -> Cycle {
        straightened(self.motion, without_idle_travel(cycle), self.settings)
    }
}

/// Number of phases of a stride at which a cycle may start.
const PHASES: usize = 6;

/// The cycle without a turn that is too small to be meant.
fn straightened(motion: &Motion, cycle: Cycle, settings: &Settings) -> Cycle {
    let turn = cycle.travel.angle();
    if turn == 0.0 || turn > settings.max_straight_turn {
        return cycle;
    }
    let weights = settings.map.weights(motion);
    let clouds = [cycle.last, cycle.first].map(|frame| cloud_of(motion, frame..frame + 1));
    let moved = clouds[0].iter().zip(&clouds[1]).zip(&weights).map(|((a, b), weight)| (*a - *b) * *weight);
    let moved: Vec3 = moved.sum();
    let up = settings.map.up;
    let translation = moved - up * moved.dot(up);
    Cycle { travel: RigidTransform { rotation: Quat::IDENTITY, translation }, ..cycle }
}

/// The cycle between two given frames.
pub fn cycle_at(motion: &Motion, first: usize, last: usize, settings: &Settings) -> Result<Cycle, PairError> {
    pair::check_one(motion, 0)?;
    let last = last.min(motion.frames() - 1);
    let first = first.min(last);
    let (distance, travel) = distance_at(motion, motion, (last, first), &settings.map);
    Ok(straightened(motion, without_idle_travel(Cycle { first, last, travel, distance }), settings))
}

fn without_idle_travel(cycle: Cycle) -> Cycle {
    let travel = cycle.travel;
    let stays = travel.translation.length() < MAX_IDLE_TRAVEL.0 && travel.angle() < MAX_IDLE_TRAVEL.1;
    Cycle { travel: if stays { RigidTransform::IDENTITY } else { travel }, ..cycle }
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
