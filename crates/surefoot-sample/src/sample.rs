//! From a recipe to a sampled motion with its plants.

use crate::actor::{Actor, perform};
use crate::bodies::human::Toes;
use crate::ground::stairs_under;
use crate::motions::locomotion;
use crate::on_hands::{self, Performer};
use crate::on_toes::{self, Dancer};
use crate::person::Person;
use crate::quadruped::Quadruped;
use crate::recipe::{Body, Kind, Recipe, SampleError};
use crate::{carriage, damage, gaits, motions, rigs};
use surefoot_core::math::Vec3;
use surefoot_core::{Floor, Footplants, Leg, Motion};

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
    let actor = actor(recipe);
    let mut sample = perform(&*actor, recipe.fps, recipe.seconds);
    carriage::carry(recipe.kind, &mut sample.motion, &mut sample.plants, recipe.seconds);
    if let Some(skate) = recipe.skate {
        damage::damage(&mut sample.motion, skate, recipe.seed);
    }
    if recipe.kind == Kind::Stairs {
        sample.stairs = stairs_under(&sample.plants);
    }
    Ok(match actor.human() {
        Some(human) => rigs::to_rig_of(recipe.body, sample, human, recipe.seed),
        None => sample,
    })
}

/// Generates a walk of the human, straight ahead and without damage: the same sample as [`make`] for a recipe of
/// [`Kind::Walk`] and [`Body::Human`].
///
/// A program that generates nothing else does not contain the code of other motions and bodies, which is most of
/// this crate.
pub fn walk(fps: f64, seconds: f64, seed: u64) -> Result<Sample, SampleError> {
    let gait = gaits::person::WALK;
    check_fps(fps)?;
    check_seconds(Kind::Walk, seconds, locomotion::min_seconds_straight(&gait))?;
    let plan = |gait: &_, legs: &[_]| locomotion::plan_straight(seconds, gait, legs);
    let person = Person::new(Toes::Jointed, (gait, gaits::person::WALKING), plan, seed);
    Ok(perform(&person, fps, seconds))
}

/// The body that performs a recipe.
fn actor(recipe: &Recipe) -> Box<dyn Actor> {
    if let Some(performer) = Performer::new(recipe) {
        return Box::new(performer);
    }
    if let Some(dancer) = Dancer::new(recipe) {
        return Box::new(dancer);
    }
    let toes = match recipe.body {
        Body::FourLegs => return Box::new(Quadruped::new(recipe)),
        Body::NoToe => Toes::None,
        _ => Toes::Jointed,
    };
    let plan = |gait: &_, legs: &[_]| motions::plan(recipe, gait, legs);
    Box::new(Person::new(toes, gaits::person::of(recipe.kind), plan, recipe.seed))
}

fn check(recipe: &Recipe) -> Result<(), SampleError> {
    check_fps(recipe.fps)?;
    let hands = on_hands::min_seconds(recipe.kind);
    if hands.is_some() && matches!(recipe.body, Body::FourLegs | Body::NoToe) {
        return Err(SampleError::NoHands { kind: recipe.kind, body: recipe.body });
    }
    let toes = on_toes::min_seconds(recipe.kind);
    if toes.is_some() && matches!(recipe.body, Body::FourLegs | Body::NoToe) {
        return Err(SampleError::NoToes { kind: recipe.kind, body: recipe.body });
    }
    let min = hands.or(toes).unwrap_or_else(|| motions::min_seconds(recipe.kind, &gaits::of(recipe)));
    check_seconds(recipe.kind, recipe.seconds, min)?;
    recipe.skate.map_or(Ok(()), damage::check)
}

fn check_fps(fps: f64) -> Result<(), SampleError> {
    if (1.0..=1000.0).contains(&fps) { Ok(()) } else { Err(SampleError::Fps { found: fps }) }
}

fn check_seconds(kind: Kind, seconds: f64, min: f64) -> Result<(), SampleError> {
    if (min..=MAX_SECONDS).contains(&seconds) {
        return Ok(());
    }
    Err(SampleError::Seconds { kind, found: seconds, min })
}
