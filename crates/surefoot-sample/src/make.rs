//! From a recipe to a motion: sampled, with its plants.

use crate::bodies;
use crate::bodies::LegShape;
use crate::feet::Foot;
use crate::four_legs::FourLegs;
use crate::ground::stairs_under;
use crate::person::Person;
use crate::recipe::{Body, Kind, Recipe, SampleError};
use crate::{gaits, kinds, skate};
use surefoot_core::math::Vec3;
use surefoot_core::{Floor, FootPoint, Footplants, FrameRange, Leg, Motion, Plant, Pose, Skeleton};

/// A motion and all that is true of it.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The motion, in metres, Y up.
    pub motion: Motion,
    /// Its legs.
    pub legs: Vec<Leg>,
    /// When each heel and ball is down, and where it stood before any damage.
    pub plants: Footplants,
    /// The floor; on stairs the lowest, and the plants' spots say how high each step is.
    pub floor: Floor,
    /// Of stairs the floor itself, in triangles, with the walls between its steps; else none.
    pub stairs: Vec<[Vec3; 3]>,
}

/// The longest sample, in seconds: every frame looks at every step.
const LONGEST: f64 = 600.0;

/// Makes what the recipe asks for.
pub fn make(recipe: &Recipe) -> Result<Sample, SampleError> {
    check(recipe)?;
    let actor = Actor::new(recipe);
    let frames = (recipe.seconds * recipe.fps + 1e-9) as usize + 1;
    let times = (0..frames).map(|frame| frame as f64 / recipe.fps);
    let mut poses: Vec<Pose> = times.map(|time| actor.pose(time)).collect();
    keep_signs(&mut poses);
    let mut motion = Motion { skeleton: actor.skeleton().clone(), fps: recipe.fps, poses };
    if let Some(skate) = recipe.skate {
        skate::damage(&mut motion, skate, recipe.seed);
    }
    let sides = actor.sides().iter().zip(actor.legs());
    let plants = plants(&actor, recipe.fps, frames);
    Ok(Sample {
        motion,
        legs: sides.map(|(side, shape)| bodies::leg(side, shape)).collect(),
        stairs: if recipe.kind == Kind::Stairs { stairs_under(&plants) } else { Vec::new() },
        plants,
        floor: Floor::level(0.0),
    })
}

/// Whoever does what the recipe says.
enum Actor {
    Person(Box<Person>),
    FourLegs(Box<FourLegs>),
}

impl Actor {
    fn new(recipe: &Recipe) -> Self {
        match recipe.body {
            Body::Human | Body::NoToe => Self::Person(Box::new(Person::new(recipe))),
            Body::FourLegs => Self::FourLegs(Box::new(FourLegs::new(recipe))),
        }
    }

    fn pose(&self, time: f64) -> Pose {
        match self {
            Self::Person(person) => person.pose(time),
            Self::FourLegs(dog) => dog.pose(time),
        }
    }

    fn skeleton(&self) -> &Skeleton {
        match self {
            Self::Person(person) => &person.human.skeleton,
            Self::FourLegs(dog) => &dog.dog.skeleton,
        }
    }

    fn legs(&self) -> &[LegShape] {
        match self {
            Self::Person(person) => &person.human.legs,
            Self::FourLegs(dog) => &dog.dog.legs,
        }
    }

    fn sides(&self) -> &'static [&'static str] {
        match self {
            Self::Person(_) => &["left", "right"],
            Self::FourLegs(_) => &["front left", "front right", "hind left", "hind right"],
        }
    }

    fn feet(&self) -> &[Foot] {
        match self {
            Self::Person(person) => &person.plan.feet,
            Self::FourLegs(dog) => &dog.plan.feet,
        }
    }
}

fn check(recipe: &Recipe) -> Result<(), SampleError> {
    if !(1.0..=1000.0).contains(&recipe.fps) {
        return Err(SampleError::Fps { found: recipe.fps });
    }
    let least = kinds::least_seconds(recipe.kind, &gaits::of(recipe));
    if !(least..=LONGEST).contains(&recipe.seconds) {
        return Err(SampleError::Seconds { kind: recipe.kind, found: recipe.seconds, least });
    }
    recipe.skate.map_or(Ok(()), skate::check)
}

/// Makes each rotation the nearer of its two quaternions to the one before.
fn keep_signs(poses: &mut [Pose]) {
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
            plants.plants.extend(plants_of(leg, foot, shape, point, fps, frames));
        }
    }
    plants.sort();
    plants
}

fn plants_of(
    leg: usize,
    foot: &Foot,
    shape: &LegShape,
    point: FootPoint,
    fps: f64,
    frames: usize,
) -> Vec<Plant> {
    let plant = |(from, to, spot): (f64, f64, Vec3)| Plant {
        leg,
        point,
        frames: frames_within(from, to, fps, frames),
        spot: Some(spot),
        confidence: None,
    };
    let stays = foot.stays(&shape.foot, point).into_iter().map(plant);
    stays.filter(|plant| !plant.frames.is_empty()).collect()
}

/// The frames whose time lies in an interval, both ends included.
fn frames_within(from: f64, to: f64, fps: f64, frames: usize) -> FrameRange {
    let inside = |frame: &usize| {
        let time = *frame as f64 / fps;
        from <= time && time <= to
    };
    let first = (0..frames).find(inside).unwrap_or(frames);
    let after = (first..frames).find(|f| !inside(f)).unwrap_or(frames);
    first..after
}
