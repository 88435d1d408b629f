//! Finds feet that are on the ground and move, and therefore are not planted, for notes to the user.

use crate::leg_length::leg_length;
use crate::settings::{Edges, Settings};
use crate::signal::shifted;
use crate::threshold::PointRests;
use crate::tracks::PointTracks;
use crate::travel::{Travel, TravelRun};
use surefoot_core::{Floor, FrameRange, Leg, Motion, Vec3};

/// A foot that is on the ground and moves.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MovingFoot {
    /// Index of the leg.
    pub leg: usize,
    /// The frames in which the foot moves.
    pub frames: FrameRange,
    /// Whether the foot moves by itself or with its ground.
    pub travel: Travel,
    /// From the first position of the foot to the farthest, in metres.
    pub displacement: Vec3,
}

/// Shortest drag that is worth a note, in leg lengths: 5 cm in an adult. Feet that settle move by less.
const MIN_NOTED_DRAG: f64 = 0.06;

/// Finds feet that are dragged over the ground, or carried by a lift or a platform, in order of leg
/// and time. [`detect`](crate::detect) does not plant them unless [`Edges::Touch`] is set. None where only hands are looked
/// for.
pub fn moving_feet(
    motion: &Motion,
    legs: &[Leg],
    floor: Option<&Floor>,
    settings: &Settings,
) -> Vec<MovingFoot> {
    if !settings.hold.holds_feet() {
        return Vec::new();
    }
    let legs = Leg::without_arms(legs);
    let settings = Settings { edges: Edges::Rest, ..settings.clone() };
    let rests = PointRests::find(PointTracks::new(motion, legs, floor, settings.first_frame), &settings);
    moving_feet_of(&rests, motion, legs, settings.first_frame)
}

/// Finds moving feet from rests that were found with [`Edges::Rest`].
pub(crate) fn moving_feet_of(
    rests: &PointRests,
    motion: &Motion,
    legs: &[Leg],
    first_frame: usize,
) -> Vec<MovingFoot> {
    let up = rests.tracks.up;
    let first_pose = motion.poses.get(first_frame).map(|pose| pose.world(&motion.skeleton));
    let mut feet = Vec::new();
    for (leg, points) in rests.travel.chunks(2).enumerate() {
        let mut runs: Vec<&TravelRun> = points.iter().flat_map(|travel| &travel.runs).collect();
        runs.retain(|run| run.travel == Travel::Carried || is_noted_drag(run.displacement, up));
        runs.sort_by_key(|run| (run.travel, run.frames.start));
        let metres = first_pose.as_ref().map_or(1.0, |pose| leg_length(pose, &legs[leg]));
        let foot = |run: TravelRun| MovingFoot {
            leg,
            frames: shifted(&run.frames, first_frame),
            travel: run.travel,
            displacement: run.displacement * metres,
        };
        feet.extend(joined(&runs).into_iter().map(foot));
    }
    feet.sort_by_key(|foot| (foot.leg, foot.frames.start));
    feet
}

/// A point that mainly rises or sinks rolls or is lowered, which is part of every step.
fn is_noted_drag(displacement: Vec3, up: Vec3) -> bool {
    let height = displacement.dot(up);
    let along = (displacement - up * height).length();
    along > MIN_NOTED_DRAG && along > height.abs()
}

/// Joins the runs of heel and ball that overlap. The runs are sorted by travel and start.
fn joined(runs: &[&TravelRun]) -> Vec<TravelRun> {
    let mut joined: Vec<TravelRun> = Vec::new();
    for &run in runs {
        match joined.last_mut() {
            Some(last) if last.travel == run.travel && run.frames.start <= last.frames.end => {
                last.frames.end = last.frames.end.max(run.frames.end);
                if run.displacement.length() > last.displacement.length() {
                    last.displacement = run.displacement;
                }
            }
            _ => joined.push(run.clone()),
        }
    }
    joined
}
