//! From a recipe to a sampled motion with its plants.

use crate::bodies::{self, LegShape};
use crate::feet::{Foot, PlantedTime};
use crate::ground::stairs_under;
use crate::person::Person;
use crate::quadruped::Quadruped;
use crate::recipe::{Body, Kind, Recipe, SampleError};
use crate::{carriage, damage, gaits, motions, rigs};
use surefoot_core::math::Vec3;
use surefoot_core::{Floor, FootPoint, Footplants, FrameRange, Leg, Motion, Plant, Pose, Skeleton};

/// A generated motion with its true plants.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Sample {
    /// The motion, in metres, Y up.
    pub motion: Motion,
    /// The legs of the body.
    pub legs: Vec<Leg>,
    /// When each heel and ball is planted, and its spot without damage.
    pub plants: Footplants,
    /// The floor; for stairs the level ground in front of them or, downwards, behind them.
    pub floor: Floor,
    /// The stairs of [`Kind::Stairs`] as triangles, including the risers; empty for other kinds.
    pub stairs: Vec<[Vec3; 3]>,
}

/// The longest sample, in seconds. The time to compute a frame grows with the number of steps.
const MAX_SECONDS: f64 = 600.0;

/// Generates the motion of a recipe.
pub fn make(recipe: &Recipe) -> Result<Sample, SampleError> {
    check(recipe)?;
    let actor = Actor::new(recipe);
    let frames = (recipe.seconds * recipe.fps + 1e-9) as usize + 1;
    let times = (0..frames).map(|frame| frame as f64 / recipe.fps);
    let mut poses: Vec<Pose> = times.map(|time| actor.pose(time)).collect();
    make_quaternions_continuous(&mut poses);
    let mut motion = Motion { skeleton: actor.skeleton().clone(), fps: recipe.fps, poses };
    let mut plants = plants(&actor, recipe.fps, frames);
    carriage::carry(recipe.kind, &mut motion, &mut plants, recipe.seconds);
    if let Some(skate) = recipe.skate {
        damage::damage(&mut motion, skate, recipe.seed);
    }
    let sides = actor.sides().iter().zip(actor.legs());
    let sample = Sample {
        motion,
        legs: sides.map(|(side, shape)| bodies::leg(side, shape)).collect(),
        stairs: if recipe.kind == Kind::Stairs { stairs_under(&plants) } else { Vec::new() },
        plants,
        floor: Floor::level(0.0),
    };
    Ok(match &actor {
        Actor::Person(person) => rigs::to_rig_of(recipe.body, sample, &person.human, recipe.seed),
        Actor::Quadruped(_) => sample,
    })
}

/// The body that performs a recipe.
enum Actor {
    Person(Box<Person>),
    Quadruped(Box<Quadruped>),
}

impl Actor {
    fn new(recipe: &Recipe) -> Self {
        match recipe.body {
            Body::FourLegs => Self::Quadruped(Box::new(Quadruped::new(recipe))),
            _ => Self::Person(Box::new(Person::new(recipe))),
        }
    }

    fn pose(&self, time: f64) -> Pose {
        match self {
            Self::Person(person) => person.pose(time),
            Self::Quadruped(quadruped) => quadruped.pose(time),
        }
    }

    fn skeleton(&self) -> &Skeleton {
        match self {
            Self::Person(person) => &person.human.skeleton,
            Self::Quadruped(quadruped) => &quadruped.dog.skeleton,
        }
    }

    fn legs(&self) -> &[LegShape] {
        match self {
            Self::Person(person) => &person.human.legs,
            Self::Quadruped(quadruped) => &quadruped.dog.legs,
        }
    }

    fn sides(&self) -> &'static [&'static str] {
        match self {
            Self::Person(_) => &["left", "right"],
            Self::Quadruped(_) => &["front left", "front right", "hind left", "hind right"],
        }
    }

    fn feet(&self) -> &[Foot] {
        match self {
            Self::Person(person) => &person.plan.feet,
            Self::Quadruped(quadruped) => &quadruped.plan.feet,
        }
    }
}

fn check(recipe: &Recipe) -> Result<(), SampleError> {
    if !(1.0..=1000.0).contains(&recipe.fps) {
        return Err(SampleError::Fps { found: recipe.fps });
    }
    let min = motions::min_seconds(recipe.kind, &gaits::of(recipe));
    if !(min..=MAX_SECONDS).contains(&recipe.seconds) {
        return Err(SampleError::Seconds { kind: recipe.kind, found: recipe.seconds, min });
    }
    recipe.skate.map_or(Ok(()), damage::check)
}

/// Replaces each quaternion by its negative where that is nearer to the frame before.
fn make_quaternions_continuous(poses: &mut [Pose]) {
    for frame in 1..poses.len() {
        let (before, after) = poses.split_at_mut(frame);
        let before = &before[frame - 1].rotations;
        for (rotation, last) in after[0].rotations.iter_mut().zip(before) {
            if rotation.dot(*last) < 0.0 {
                *rotation = -*rotation;
            }
        }
    }
}

fn plants(actor: &Actor, fps: f64, frames: usize) -> Footplants {
    let mut plants = Footplants::default();
    for (leg, (foot, shape)) in actor.feet().iter().zip(actor.legs()).enumerate() {
        for point in [FootPoint::Heel, FootPoint::Ball] {
            let plant = |PlantedTime { from, to, spot }: PlantedTime| Plant {
                spot: Some(spot),
                ..Plant::new(leg, point, frames_within(from, to, fps, frames))
            };
            let all = foot.planted_times(&shape.foot, point).into_iter().map(plant);
            plants.plants.extend(all.filter(|plant| !plant.frames.is_empty()));
        }
    }
    plants.sort();
    plants
}

/// The frames in a closed time interval.
fn frames_within(from: f64, to: f64, fps: f64, frames: usize) -> FrameRange {
    let is_inside = |frame: &usize| {
        let time = *frame as f64 / fps;
        from <= time && time <= to
    };
    let first = (0..frames).find(is_inside).unwrap_or(frames);
    let end = (first..frames).find(|frame| !is_inside(frame)).unwrap_or(frames);
    first..end
}
