//! Goals for planted feet: such a goal moves the stance to which it belongs, or ends it.
//!
//! A stance is a run of plants of one foot without a gap. A goal in the middle of a stance that leaves the foot near the
//! floor means that the foot stands elsewhere, so all plants of the stance move. A goal that takes the foot off the
//! floor, or two goals of one stance at different places, mean that the foot is not planted there.

use super::super::chain::is_below;
use super::super::goals::Goal;
use surefoot_core::{Clip, FrameRange, Motion, Plant, Vec3};

/// Largest change of a planted point's height above the floor, in metres: that of a plant which cleanup still puts on the
/// floor. A goal farther up lifts the foot.
const MAX_LIFT: f64 = 0.02;

/// Largest distance between the places that two goals of one stance demand, in metres.
const SAME_PLACE: f64 = 1e-3;

/// What goals have done to a stance.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StanceChange {
    /// Index of the leg.
    pub leg: usize,
    /// The frames of the stance.
    pub frames: FrameRange,
    /// The first goal that concerns the stance.
    pub goal: usize,
    /// The change.
    pub kind: StanceChangeKind,
}

/// The kinds of changes of a stance.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum StanceChangeKind {
    /// The foot stands elsewhere: the largest displacement of a spot, in metres.
    Moved(f64),
    /// The goal lifts the foot by this height, in metres, so the plants are not held.
    Lifted(f64),
    /// Goals demand different places, by this distance in metres, so the plants are not held.
    Contradicted(f64),
}

/// The stances that goals move or end.
#[derive(Clone, Debug, Default)]
pub(super) struct Stances {
    stances: Vec<Stance>,
}

#[derive(Clone, Debug)]
struct Stance {
    change: StanceChange,
    /// The plants, by index.
    plants: Vec<usize>,
    /// The spots of the plants before and after the change.
    spots: Vec<Vec3>,
    moved: Vec<Vec3>,
    /// The goals that the stance meets.
    goals: Vec<usize>,
}

impl Stances {
    /// Finds the goals for planted feet and moves the spots of their plants in `clip`, or removes the plants. All plants
    /// of the clip have spots.
    pub fn of(goals: &[Goal], clip: &mut Clip) -> Self {
        let mut stances = Self::default();
        for (n, goal) in goals.iter().enumerate() {
            let Some((leg, plants)) = stance_of(clip, goal) else { continue };
            let known = stances.stances.iter_mut().find(|stance| stance.plants == plants);
            match known {
                Some(stance) => stance.add_goal(n, goal, clip),
                None => stances.stances.push(Stance::new(n, goal, leg, plants, clip)),
            }
        }
        stances.release(clip);
        stances
    }

    /// Removes the plants of stances that have ended. The plants of all others are numbered again.
    fn release(&mut self, clip: &mut Clip) {
        let is_moved = |stance: &Stance| matches!(stance.change.kind, StanceChangeKind::Moved(_));
        let ended = self.stances.iter().filter(|stance| !is_moved(stance));
        let mut removed: Vec<usize> = ended.flat_map(|stance| stance.plants.iter().copied()).collect();
        removed.sort_unstable();
        let mut index = 0;
        clip.plants.plants.retain(|_| {
            index += 1;
            removed.binary_search(&(index - 1)).is_err()
        });
        for stance in &mut self.stances {
            if !is_moved(stance) {
                (stance.plants, stance.goals) = Default::default();
            }
            for plant in &mut stance.plants {
                *plant -= removed.partition_point(|removed| removed < plant);
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        self.stances.is_empty()
    }

    /// Whether a stance that has moved meets this goal.
    pub fn meet(&self, goal: usize) -> bool {
        self.stances.iter().any(|stance| stance.goals.contains(&goal))
    }

    /// Moves the spots by what a cleaned motion leaves between points and goals. Returns the largest distance.
    pub fn correct(&self, goals: &[Goal], motion: &Motion, plants: &mut [Plant]) -> f64 {
        let mut largest: f64 = 0.0;
        for stance in self.stances.iter().filter(|stance| !stance.goals.is_empty()) {
            let sum: Vec3 = stance.goals.iter().map(|&n| miss(&goals[n], motion)).sum();
            let mean = sum / stance.goals.len() as f64;
            largest = largest.max(mean.length());
            for &plant in &stance.plants {
                plants[plant].spot = plants[plant].spot.map(|spot| spot + mean);
            }
        }
        largest
    }

    pub fn changes(&self) -> Vec<StanceChange> {
        self.stances.iter().map(|stance| stance.change.clone()).collect()
    }
}

impl Stance {
    fn new(n: usize, goal: &Goal, leg: usize, plants: Vec<usize>, clip: &mut Clip) -> Self {
        let all = &mut clip.plants.plants;
        let start = plants.iter().map(|&plant| all[plant].frames.start).min().unwrap_or(0);
        let end = plants.iter().map(|&plant| all[plant].frames.end).max().unwrap_or(0);
        let spots: Vec<Vec3> = plants.iter().map(|&plant| all[plant].spot.unwrap_or_default()).collect();
        let (moved, lift) = displaced_spots(goal, clip, &spots);
        let kind = match lift.abs() > MAX_LIFT {
            true => StanceChangeKind::Lifted(lift),
            false => StanceChangeKind::Moved(largest_distance(&moved, &spots)),
        };
        for (&plant, spot) in plants.iter().zip(&moved) {
            clip.plants.plants[plant].spot = Some(*spot);
        }
        let change = StanceChange { leg, frames: start..end, goal: n, kind };
        Self { change, plants, spots, moved, goals: vec![n] }
    }

    /// Adds another goal of the same stance.
    fn add_goal(&mut self, n: usize, goal: &Goal, clip: &Clip) {
        self.goals.push(n);
        let (demanded, _) = displaced_spots(goal, clip, &self.spots);
        let apart = largest_distance(&demanded, &self.moved);
        if matches!(self.change.kind, StanceChangeKind::Moved(_)) && apart > SAME_PLACE {
            self.change.kind = StanceChangeKind::Contradicted(apart);
        }
    }
}

fn largest_distance(ones: &[Vec3], others: &[Vec3]) -> f64 {
    ones.iter().zip(others).map(|(one, other)| one.distance(*other)).fold(0.0, f64::max)
}

/// The leg and the plants of the stance in which the foot of a goal is planted.
fn stance_of(clip: &Clip, goal: &Goal) -> Option<(usize, Vec<usize>)> {
    let skeleton = &clip.motion.skeleton;
    let leg = clip.legs.iter().position(|leg| is_below(skeleton, goal.point.joint, leg.ankle))?;
    let of_leg = |plant: &Plant| plant.leg == leg && plant.spot.is_some();
    let plants = &clip.plants.plants;
    let is_planted = |plant: &&Plant| of_leg(plant) && plant.frames.contains(&goal.frame);
    let mut frames = plants.iter().find(is_planted)?.frames.clone();
    let touches = |frames: &FrameRange, plant: &Plant| {
        plant.frames.start <= frames.end && plant.frames.end >= frames.start
    };
    loop {
        let of_stance = plants.iter().filter(|plant| of_leg(plant) && touches(&frames, plant));
        let whole = of_stance.fold(frames.clone(), |whole, plant| {
            whole.start.min(plant.frames.start)..whole.end.max(plant.frames.end)
        });
        if whole == frames {
            break;
        }
        frames = whole;
    }
    let numbers = plants.iter().enumerate().filter(|(_, plant)| of_leg(plant) && touches(&frames, plant));
    Some((leg, numbers.map(|(n, _)| n).collect()))
}

/// Where spots would be if the foot moved rigidly to its goal, and the largest change of their heights.
fn displaced_spots(goal: &Goal, clip: &Clip, spots: &[Vec3]) -> (Vec<Vec3>, f64) {
    let world = clip.motion.poses[goal.frame].world(&clip.motion.skeleton);
    let (position, rotation) = goal.in_world(&world);
    let at = world.point(&goal.point);
    let by = position.map_or(Vec3::ZERO, |position| position - at);
    let displaced = |spot: Vec3| match rotation {
        // On moving ground a spot is not where the foot is, so the foot keeps its direction.
        Some(rotation) if clip.ground_velocity.is_none() => {
            let turn = rotation * world.rotations[goal.point.joint.index()].conjugate();
            at + turn * (spot - at) + by
        }
        _ => spot + by,
    };
    let height = |spot: Vec3| clip.floor.as_ref().map_or(spot.y, |floor| floor.above(spot));
    let moved: Vec<Vec3> = spots.iter().map(|&spot| displaced(spot)).collect();
    let lifts = moved.iter().zip(spots).map(|(moved, spot)| height(*moved) - height(*spot));
    let lift = lifts.fold(0.0, |lift: f64, change| if change.abs() > lift.abs() { change } else { lift });
    (moved, lift)
}

/// From the point of a goal to its target; zero without a goal position.
pub(super) fn miss(goal: &Goal, motion: &Motion) -> Vec3 {
    let world = motion.poses[goal.frame].world(&motion.skeleton);
    goal.in_world(&world).0.map_or(Vec3::ZERO, |position| position - world.point(&goal.point))
}
