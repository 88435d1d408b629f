//! How is a loop cleaned so that it still loops?
//!
//! The loop goes on before and after itself for as long as the cleaner looks around, is cleaned as
//! any other motion is, and one round of it is taken. What the cleaner sees around the seam is what
//! it sees around every other frame, so the corrections and their velocities agree at both ends.

use surefoot_core::{Floor, Footplants, Motion, Plant, WorldPose};
use surefoot_solve::{Cleaner, Note, Report, Scene, Settings};

use super::{Loop, plants};
use crate::distance::Placement;
use crate::end::EndError;
use crate::pair::check_one;

/// A clean loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Cleaned {
    /// The motion, of as many frames as before.
    pub motion: Motion,
    /// What each plant of one round took.
    pub report: Report,
    /// The plants of one round; those that end after it are held across the seam.
    pub plants: Footplants,
    /// How far a joint is, two frames to either side of the seam, from where it is a round later, in
    /// metres. Nothing but rounding.
    pub periodic_m: f64,
}

/// How far a floor may be off from where it is a round later, in metres and as a sine.
const SAME_FLOOR: f64 = 1e-6;

/// Cleans a loop.
pub fn clean(
    motion: &Motion,
    scene: &Scene,
    footplants: &Footplants,
    looped: &Loop,
    settings: &Settings,
) -> Result<Cleaned, EndError> {
    check_one(motion, 0).map_err(EndError::Motion)?;
    let (period, frames) = (looped.period, motion.frames());
    if period == 0 || period > frames {
        return Err(EndError::Period { period, frames });
    }
    check_floor(scene.floor.as_ref(), &looped.travel)?;
    // Cells of several frames would lie otherwise in every round.
    let settings = Settings { cell: 0.0, ..*settings };
    let held = plants::wrapped(motion, &scene.legs, footplants, looped);
    let longest = held.plants.iter().map(|plant| plant.frames.len()).max().unwrap_or(0);
    let cleaner = Cleaner::new(scene, &motion.poses[..period], longest, &settings)?;
    // What a frame depends on depends on no more than this itself, to either side.
    let around = 2 * cleaner.lookahead() + longest + 4;
    let (long, tags) = rounds(motion, &held, looped, around);
    let (after, report) = surefoot_solve::clean(&long.0, scene, &long.1, &settings)?;
    let mut poses = after.poses[around..around + period].to_vec();
    let periodic_m = apart(&after, looped, around);
    if frames > period {
        poses.push(looped.travel.pose(&poses[0], &motion.skeleton));
        poses.extend_from_slice(&motion.poses[period + 1..]);
    }
    let report = one_round(report, &tags, around, period);
    Ok(Cleaned { motion: Motion { poses, ..motion.clone() }, report, plants: held, periodic_m })
}

fn check_floor(floor: Option<&Floor>, travel: &Placement) -> Result<(), EndError> {
    let is_same = match floor {
        _ if *travel == Placement::STAYS => true,
        None => true,
        Some(Floor::Plane(plane)) => {
            (travel.turn * plane.normal - plane.normal).length() < SAME_FLOOR
                && plane.normal.dot(travel.shift).abs() < SAME_FLOOR
        }
        Some(Floor::Surface(_)) => false,
    };
    if is_same { Ok(()) } else { Err(EndError::Floor) }
}

/// A loop that goes on for `around` frames before and after itself, and for each of its plants
/// whether it is of the round in the middle.
fn rounds(
    motion: &Motion,
    held: &Footplants,
    looped: &Loop,
    around: usize,
) -> ((Motion, Footplants), Vec<bool>) {
    let period = looped.period as isize;
    let (from, to) = (-(around as isize), period + around as isize);
    // A plant across the seam begins a round before the first that is seen.
    let counts = from.div_euclid(period) - 1..=to.div_euclid(period);
    let placed: Vec<(isize, Placement)> = counts.map(|round| (round, looped.travel.times(round))).collect();
    let mut poses = Vec::with_capacity((to - from) as usize);
    let mut plants: Vec<(Plant, bool)> = Vec::new();
    let always = |plant: &Plant| plant.frames.len() >= looped.period;
    for plant in held.plants.iter().filter(|plant| always(plant)) {
        // One that is held all the time is one plant for good.
        plants.push((Plant { frames: 0..(to - from) as usize, ..plant.clone() }, true));
    }
    for (round, placement) in &placed {
        let start = round * period;
        for frame in start.max(from)..(start + period).min(to) {
            poses.push(placement.pose(&motion.poses[(frame - start) as usize], &motion.skeleton));
        }
        for plant in held.plants.iter().filter(|plant| !always(plant)) {
            let at = |frame: usize| (frame as isize + start).clamp(from, to) - from;
            let frames = at(plant.frames.start) as usize..at(plant.frames.end) as usize;
            if !frames.is_empty() {
                let spot = plant.spot.map(|spot| placement.place(spot));
                plants.push((Plant { frames, spot, ..plant.clone() }, *round == 0));
            }
        }
    }
    plants.sort_by_key(|(plant, _)| (plant.leg, plant.point, plant.frames.start));
    let (plants, tags) = plants.into_iter().unzip();
    ((Motion { poses, ..motion.clone() }, Footplants { plants }), tags)
}

/// How far joints are from where they are a round later, two frames to either side of the seam.
fn apart(long: &Motion, looped: &Loop, around: usize) -> f64 {
    let mut placed = [WorldPose::default(), WorldPose::default()];
    let mut most: f64 = 0.0;
    for frame in around - 2..around + 2 {
        long.poses[frame].forward_kinematics(&long.skeleton, &mut placed[0]);
        long.poses[frame + looped.period].forward_kinematics(&long.skeleton, &mut placed[1]);
        let [before, after] = &placed;
        for (a, b) in before.positions.iter().zip(&after.positions) {
            most = most.max(looped.travel.place(*a).distance(*b));
        }
    }
    most
}

/// What is said of the round in the middle, in its own frames.
fn one_round(report: Report, tags: &[bool], around: usize, period: usize) -> Report {
    let earlier = |frames: &mut core::ops::Range<usize>| {
        *frames = frames.start.saturating_sub(around)..frames.end.saturating_sub(around);
    };
    let mut plants: Vec<_> =
        report.plants.into_iter().zip(tags).filter(|(_, is_own)| **is_own).map(|(plant, _)| plant).collect();
    plants.iter_mut().for_each(|plant| earlier(&mut plant.frames));
    let mut notes = Vec::new();
    for mut note in report.notes {
        let start = match &note {
            Note::OutOfReach { frames, .. } | Note::WrongSize { frames, .. } => frames.start,
            Note::OffFloor { frame, .. } => *frame,
            // What the first and last rounds lack is not lacking in the middle.
            _ => continue,
        };
        if (around..around + period).contains(&start) {
            match &mut note {
                Note::OutOfReach { frames, .. } | Note::WrongSize { frames, .. } => earlier(frames),
                Note::OffFloor { frame, .. } => *frame -= around,
                _ => {}
            }
            notes.push(note);
        }
    }
    Report { plants, notes }
}
