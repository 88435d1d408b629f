//! From a recipe to a sampled motion with its plants.

use crate::bodies::{self, LegShape};
use crate::feet::PlantedTime;
use crate::ground::stairs_under;
use crate::on_hands::{self, Performer};
use crate::on_toes::{self, Dancer};
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
    /// When each heel, ball and toe tip is planted, and its spot without damage.
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
    let sample = Sample {
        motion,
        legs: actor.limbs(),
        stairs: if recipe.kind == Kind::Stairs { stairs_under(&plants) } else { Vec::new() },
        plants,
        floor: Floor::level(0.0),
    };
    Ok(match &actor {
        Actor::Person(person) => rigs::to_rig_of(recipe.body, sample, &person.human, recipe.seed),
        Actor::OnToes(dancer) => rigs::to_rig_of(recipe.body, sample, &dancer.human, recipe.seed),
        Actor::OnHands(performer) => rigs::to_rig_of(recipe.body, sample, &performer.human, recipe.seed),
        Actor::Quadruped(_) => sample,
    })
}

/// The body that performs a recipe.
enum Actor {
    Person(Box<Person>),
    OnHands(Box<Performer>),
    OnToes(Box<Dancer>),
    Quadruped(Box<Quadruped>),
}

impl Actor {
    fn new(recipe: &Recipe) -> Self {
        if let Some(performer) = Performer::new(recipe) {
            return Self::OnHands(Box::new(performer));
        }
        if let Some(dancer) = Dancer::new(recipe) {
            return Self::OnToes(Box::new(dancer));
        }
        match recipe.body {
            Body::FourLegs => Self::Quadruped(Box::new(Quadruped::new(recipe))),
            _ => Self::Person(Box::new(Person::new(recipe))),
        }
    }

    fn pose(&self, time: f64) -> Pose {
        match self {
            Self::Person(person) => person.pose(time),
            Self::OnHands(performer) => performer.pose(time),
            Self::OnToes(dancer) => dancer.pose(time),
            Self::Quadruped(quadruped) => quadruped.pose(time),
        }
    }

    fn skeleton(&self) -> &Skeleton {
        match self {
            Self::Person(person) => &person.human.skeleton,
            Self::OnHands(performer) => &performer.human.skeleton,
            Self::OnToes(dancer) => &dancer.human.skeleton,
            Self::Quadruped(quadruped) => &quadruped.dog.skeleton,
        }
    }

    fn legs(&self) -> &[LegShape] {
        match self {
            Self::Person(person) => &person.human.legs,
            Self::OnHands(performer) => &performer.human.legs,
            Self::OnToes(dancer) => &dancer.human.legs,
            Self::Quadruped(quadruped) => &quadruped.dog.legs,
        }
    }

    fn sides(&self) -> &'static [&'static str] {
        match self {
            Self::Person(_) | Self::OnHands(_) | Self::OnToes(_) => &["left", "right"],
            Self::Quadruped(_) => &["front left", "front right", "hind left", "hind right"],
        }
    }

    /// The legs, and the arms of a body whose hands are planted.
    fn limbs(&self) -> Vec<Leg> {
        let legs = self.sides().iter().zip(self.legs()).map(|(side, shape)| bodies::leg(side, shape));
        let arms = match self {
            Self::OnHands(performer) => &performer.human.arms[..],
            _ => &[],
        };
        legs.chain(["left", "right"].iter().zip(arms).map(|(side, arm)| on_hands::arm_as_leg(side, arm)))
            .collect()
    }

    /// The times in which a point of a limb is planted.
    fn planted_times(&self, limb: usize, point: FootPoint) -> Vec<PlantedTime> {
        let feet = match self {
            Self::Person(person) => &person.plan.feet,
            Self::Quadruped(quadruped) => &quadruped.plan.feet,
            Self::OnHands(performer) => return performer.planted_times(limb, point),
            Self::OnToes(dancer) => return dancer.planted_times(limb, point),
        };
        feet[limb].planted_times(&self.legs()[limb].foot, point)
    }
}

fn check(recipe: &Recipe) -> Result<(), SampleError> {
    if !(1.0..=1000.0).contains(&recipe.fps) {
        return Err(SampleError::Fps { found: recipe.fps });
    }
    let hands = on_hands::min_seconds(recipe.kind);
    if hands.is_some() && matches!(recipe.body, Body::FourLegs | Body::NoToe) {
        return Err(SampleError::NoHands { kind: recipe.kind, body: recipe.body });
    }
    let toes = on_toes::min_seconds(recipe.kind);
    if toes.is_some() && matches!(recipe.body, Body::FourLegs | Body::NoToe) {
        return Err(SampleError::NoToes { kind: recipe.kind, body: recipe.body });
    }
    let min = hands.or(toes).unwrap_or_else(|| motions::min_seconds(recipe.kind, &gaits::of(recipe)));
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
    for leg in 0..actor.limbs().len() {
        for point in FootPoint::ALL {
            let plant = |PlantedTime { from, to, spot, hold }: PlantedTime| Plant {
                spot: Some(spot),
                hold,
                ..Plant::new(leg, point, frames_within(from, to, fps, frames))
            };
            let all = actor.planted_times(leg, point).into_iter().map(plant);
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
