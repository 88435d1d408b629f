//! Cleans a loop so that it still loops.
//!
//! The loop is unrolled before and after itself for as long as the cleaner looks around, cleaned like any other
//! motion, and one cycle of it is kept. The cleaner then sees the same frames around the seam as around every
//! other frame, so corrections and their velocities agree at both ends.

mod seam_plants;

use core::ops::Range;

use surefoot_core::{Clip, Floor, Footplants, Loop, Motion, Plant, Pose, RigidTransform, WorldPose};

use crate::clean::CleanError;
use crate::cleaner::{Cleaner, clean_performance};
use crate::report::{Note, Report};
use crate::settings::Settings;
use crate::setup::SetupError;
use crate::validation::check_pose;

pub use seam_plants::{SAME_STANCE_M, SWING_SPEED, join_plants_at_seam};

/// A clean loop.
pub(crate) struct CleanLoop {
    /// As many poses as before.
    pub poses: Vec<Pose>,
    /// The cost of each plant of one cycle.
    pub report: Report,
    /// The plants of one cycle. Those that end after the period are held across the seam.
    pub plants: Footplants,
    /// The largest distance between a joint and the same joint one cycle later, within two frames of the seam, in
    /// metres. It is rounding.
    pub periodic_m: f64,
}

/// Largest difference between the floor and the same floor one cycle later, in metres and as the sine of an angle.
const SAME_FLOOR: f64 = 1e-6;

/// Cleans a loop. The clip contains the performance only.
pub(crate) fn clean_loop(clip: &Clip, looping: &Loop, settings: &Settings) -> Result<CleanLoop, CleanError> {
    let (period, frames) = (looping.period, clip.motion.frames());
    if frames == 0 {
        return Err(CleanError::NoFrames);
    }
    // All poses are checked here: plants are joined before the cleaner checks one cycle, and frames after the period
    // are copied.
    for (frame, pose) in clip.motion.poses.iter().enumerate() {
        check_pose(pose, frame, clip.motion.skeleton.len()).map_err(SetupError::from)?;
    }
    if period == 0 || period > frames {
        return Err(CleanError::Period { period, frames });
    }
    check_floor(clip.floor.as_ref(), &looping.travel)?;
    // Cells of several frames would be aligned differently in each cycle.
    let settings = Settings { root_cell: 0.0, ..*settings };
    let plants = join_plants_at_seam(&clip.motion, &clip.legs, &clip.plants, looping);
    let longest = plants.plants.iter().map(|plant| plant.frames.len()).max().unwrap_or(0);
    let one_cycle = with_poses(clip, clip.motion.poses[..period].to_vec());
    let cleaner = Cleaner::new(&one_cycle, longest, &settings)?;
    // A frame depends on at most this many frames on either side.
    let margin = 2 * cleaner.lookahead() + longest + 4;
    let unrolled = unroll(&clip.motion, &plants, looping, margin);
    let long = with_poses(clip, unrolled.poses);
    let (after, report) = clean_performance(&long, &unrolled.plants, &settings)?;
    let mut poses = after[margin..margin + period].to_vec();
    let periodic_m = cycle_difference(&after, &clip.motion, looping, margin);
    if frames > period {
        poses.push(looping.travel.pose(&poses[0], &clip.motion.skeleton));
        poses.extend_from_slice(&clip.motion.poses[period + 1..]);
    }
    let report = middle_cycle(report, &unrolled.is_middle_cycle, margin, period);
    Ok(CleanLoop { poses, report, plants, periodic_m })
}

fn with_poses(clip: &Clip, poses: Vec<Pose>) -> Clip {
    let Motion { skeleton, fps, .. } = &clip.motion;
    Clip {
        motion: Motion { poses, skeleton: skeleton.clone(), fps: *fps },
        legs: clip.legs.clone(),
        floor: clip.floor.clone(),
        ..Clip::default()
    }
}

fn check_floor(floor: Option<&Floor>, travel: &RigidTransform) -> Result<(), CleanError> {
    let is_same = match floor {
        _ if *travel == RigidTransform::IDENTITY => true,
        None => true,
        Some(Floor::Plane(plane)) => {
            (travel.rotation * plane.normal - plane.normal).length() < SAME_FLOOR
                && plane.normal.dot(travel.translation).abs() < SAME_FLOOR
        }
        Some(Floor::Surface(_)) => false,
    };
    if is_same { Ok(()) } else { Err(CleanError::LoopFloor) }
}

/// A loop repeated before and after itself.
struct UnrolledLoop {
    poses: Vec<Pose>,
    plants: Footplants,
    /// For each plant, whether it belongs to the middle cycle.
    is_middle_cycle: Vec<bool>,
}

/// Repeats a loop for `margin` frames before and after itself.
fn unroll(motion: &Motion, plants: &Footplants, looping: &Loop, margin: usize) -> UnrolledLoop {
    let period = looping.period as isize;
    let (from, to) = (-(margin as isize), period + margin as isize);
    // A plant that spans the seam begins one cycle before the first visible one.
    let cycles = from.div_euclid(period) - 1..=to.div_euclid(period);
    let mut poses = Vec::with_capacity((to - from) as usize);
    let mut tagged: Vec<(Plant, bool)> = Vec::new();
    let is_permanent = |plant: &Plant| plant.frames.len() >= looping.period;
    for plant in plants.plants.iter().filter(|plant| is_permanent(plant)) {
        // A plant that is held for the whole period is one plant in all cycles together.
        tagged.push((Plant { frames: 0..(to - from) as usize, ..plant.clone() }, true));
    }
    for cycle in cycles {
        let (start, transform) = (cycle * period, looping.travel.repeated(cycle));
        for frame in start.max(from)..(start + period).min(to) {
            poses.push(transform.pose(&motion.poses[(frame - start) as usize], &motion.skeleton));
        }
        for plant in plants.plants.iter().filter(|plant| !is_permanent(plant)) {
            let at = |frame: usize| (frame as isize + start).clamp(from, to) - from;
            let frames = at(plant.frames.start) as usize..at(plant.frames.end) as usize;
            if !frames.is_empty() {
                let spot = plant.spot.map(|spot| transform.point(spot));
                tagged.push((Plant { frames, spot, ..plant.clone() }, cycle == 0));
            }
        }
    }
    tagged.sort_by_key(|(plant, _)| (plant.leg, plant.point, plant.frames.start));
    let (plants, is_middle_cycle) = tagged.into_iter().unzip();
    UnrolledLoop { poses, plants: Footplants { plants }, is_middle_cycle }
}

/// The largest distance between a joint and the same joint one cycle later, within two frames of the seam.
fn cycle_difference(unrolled: &[Pose], motion: &Motion, looping: &Loop, margin: usize) -> f64 {
    let skeleton = &motion.skeleton;
    let (mut before, mut after) = (WorldPose::default(), WorldPose::default());
    let mut largest: f64 = 0.0;
    for frame in margin - 2..margin + 2 {
        unrolled[frame].forward_kinematics(skeleton, &mut before);
        unrolled[frame + looping.period].forward_kinematics(skeleton, &mut after);
        for (a, b) in before.positions.iter().zip(&after.positions) {
            largest = largest.max(looping.travel.point(*a).distance(*b));
        }
    }
    largest
}

/// The part of a report about the middle cycle, with frames counted from the start of that cycle.
fn middle_cycle(report: Report, is_middle_cycle: &[bool], margin: usize, period: usize) -> Report {
    let earlier = |frames: &mut Range<usize>| {
        *frames = frames.start.saturating_sub(margin)..frames.end.saturating_sub(margin);
    };
    let own = report.plants.into_iter().zip(is_middle_cycle).filter(|(_, is_own)| **is_own);
    let mut plants: Vec<_> = own.map(|(plant, _)| plant).collect();
    plants.iter_mut().for_each(|plant| earlier(&mut plant.frames));
    let mut notes = Vec::new();
    for mut note in report.notes {
        let start = match &note {
            Note::OutOfReach { frames, .. } | Note::FootLengthMismatch { frames, .. } => frames.start,
            Note::OffFloor { frame, .. } => *frame,
            // Only plants that the unrolled motion cuts off, in its first and last cycle, are not held.
            Note::NotHeld { .. } => continue,
        };
        if (margin..margin + period).contains(&start) {
            match &mut note {
                Note::OutOfReach { frames, .. } | Note::FootLengthMismatch { frames, .. } => earlier(frames),
                Note::OffFloor { frame, .. } => *frame -= margin,
                Note::NotHeld { .. } => {}
            }
            notes.push(note);
        }
    }
    Report { plants, notes }
}
