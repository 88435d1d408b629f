//! Finds when a foot stands on the tip of its toes alone, as in ballet.
//!
//! The detectors of heel and ball take such a foot for one whose ball is planted in the air, or for a free one. A foot stands on
//! its tip while the tip is on the floor and at rest and the toes are steep, for longer than a step takes to roll off: at the
//! end of a normal stance the toes are flat, or they are steep only for a moment.

use crate::settings::Settings;
use crate::signal::{rounded_confidence, runs_where, shifted};
use surefoot_core::{Floor, FootPoint, Footplants, FrameRange, Leg, Motion, Plant, Vec3, WorldPose};

/// Largest distance of a standing tip from the floor, in metres: noise of a capture, and the thickness of a shoe.
const MAX_HEIGHT: f64 = 0.025;

/// Least rise from the tip to the ball, as a fraction of their distance: toes steeper than 30°. Flatter toes stand on the ball.
const MIN_RISE: f64 = 0.5;

/// Largest speed of a standing tip, in metres per second: that of a skating foot.
const MAX_SPEED: f64 = 0.2;

/// Shortest time on the tip, in seconds. A foot that rolls off is on its tip for less.
const MIN_TIME: f64 = 0.15;

/// Half the time over which speed is measured, in seconds.
const SPEED_TIME: f64 = 0.025;

/// Adds plants of toe tips to the plants of heels and balls, and ends those where a foot stands on its tip alone.
///
/// Without a floor nothing is added: whether the tip or the ball touches the ground is then not known.
pub(crate) fn add(
    plants: &mut Footplants,
    motion: &Motion,
    legs: &[Leg],
    floor: Option<&Floor>,
    settings: &Settings,
) {
    let Some(floor) = floor else { return };
    let found: Vec<Plant> = (legs.iter().enumerate())
        .filter(|(_, leg)| has_toes(leg))
        .flat_map(|(n, leg)| plants_of(n, &ToeTrack::new(motion, leg, floor, settings.first_frame), settings))
        .collect();
    if found.is_empty() {
        return;
    }
    let shortest = (settings.min_plant * motion.fps).max(1.0) as usize;
    for toe in &found {
        plants.plants = plants.plants.iter().flat_map(|plant| without(plant, toe, shortest)).collect();
    }
    plants.plants.extend(found);
    plants.sort();
}

/// Whether the toes have a joint of their own and a length: an inferred tip of a rigid foot says nothing.
fn has_toes(leg: &Leg) -> bool {
    leg.toe.joint != leg.ankle && leg.toe.offset != Vec3::ZERO
}

/// Tip and ball of one foot, from the first frame that counts.
struct ToeTrack {
    tips: Vec<Vec3>,
    /// Height of each tip above the floor, in metres.
    heights: Vec<f64>,
    /// Rise from the tip to the ball, as a fraction of their distance.
    rises: Vec<f64>,
    fps: f64,
}

impl ToeTrack {
    fn new(motion: &Motion, leg: &Leg, floor: &Floor, first_frame: usize) -> Self {
        let mut track = Self { tips: Vec::new(), heights: Vec::new(), rises: Vec::new(), fps: motion.fps };
        let joints = motion.skeleton.with_ancestors([leg.toe.joint, leg.ball.joint]);
        let mut world = WorldPose::default();
        for pose in motion.poses.get(first_frame..).unwrap_or_default() {
            pose.forward_kinematics_of(&motion.skeleton, &joints, &mut world);
            let (tip, ball) = (world.point(&leg.toe), world.point(&leg.ball));
            let height = floor.above(tip);
            track.tips.push(tip);
            track.heights.push(height);
            // Toes without length have no direction: the quotient is not a number, and no rise.
            track.rises.push((floor.above(ball) - height) / tip.distance(ball));
        }
        track
    }

    /// Speed of the tip, in metres per second.
    fn speed(&self, frame: usize) -> f64 {
        let half = ((SPEED_TIME * self.fps) as usize).max(1);
        let (first, last) = (frame.saturating_sub(half), (frame + half).min(self.tips.len() - 1));
        self.tips[first].distance(self.tips[last]) * self.fps / (last - first).max(1) as f64
    }

    fn stands_on_tip(&self, frame: usize) -> bool {
        self.heights[frame].abs() < MAX_HEIGHT
            && self.rises[frame] > MIN_RISE
            && self.speed(frame) < MAX_SPEED
    }

    /// From 0 to 1: larger the slower the tip is.
    fn confidence(&self, frames: &FrameRange) -> f64 {
        let mean = frames.clone().map(|frame| self.speed(frame)).sum::<f64>() / frames.len() as f64;
        rounded_confidence(1.0 - 0.5 * mean / MAX_SPEED)
    }
}

/// The plants of the tip of one leg.
fn plants_of(leg: usize, track: &ToeTrack, settings: &Settings) -> Vec<Plant> {
    let runs = runs_where(|frame| track.stands_on_tip(frame), 0..track.tips.len());
    let is_long = |run: &FrameRange| run.len() as f64 >= MIN_TIME * track.fps;
    let plant = |run: FrameRange| Plant {
        confidence: Some(track.confidence(&run)),
        ..Plant::new(leg, FootPoint::Toe, shifted(&run, settings.first_frame))
    };
    runs.into_iter().filter(is_long).map(plant).collect()
}

/// The parts of a plant of the same foot before and after a plant of its tip, if they are long enough.
fn without(plant: &Plant, toe: &Plant, shortest: usize) -> Vec<Plant> {
    let is_apart = plant.frames.end <= toe.frames.start || toe.frames.end <= plant.frames.start;
    if plant.leg != toe.leg || is_apart {
        return vec![plant.clone()];
    }
    let before = plant.frames.start..toe.frames.start.max(plant.frames.start);
    let after = toe.frames.end.min(plant.frames.end)..plant.frames.end;
    let parts = [before, after].into_iter().filter(|part| part.len() >= shortest);
    parts.map(|frames| Plant { frames, ..plant.clone() }).collect()
}
