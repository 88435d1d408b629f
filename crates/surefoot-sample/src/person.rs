//! How does the rest of a person move, given the feet?
//!
//! The pelvis follows the guide, sways over the foot that stands, and is as high as its legs and
//! its manner let it be. The feet then say how far apart they are, and pelvis, chest and arms
//! swing with that: starting, stopping and turning look right without being told apart.

use crate::bodies::LegShape;
use crate::bodies::human::{Arm, Human, Toes};
use crate::curves::soft_min;
use crate::feet::FootAt;
use crate::gaits::person::{self, Manner};
use crate::kinds;
use crate::legs::{bend_leg, highest_girdle};
use crate::noise::{Random, Wander};
use crate::plan::{Part, Plan};
use crate::recipe::{Body, Recipe};
use surefoot_core::Pose;
use surefoot_core::math::{PI, Quat, Vec3, axis_rotation, cos};

/// A person with a plan.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub human: Human,
    pub manner: Manner,
    pub plan: Plan,
    pub restless: Restless,
}

/// The small movements of somebody who stands still.
#[derive(Clone, Debug)]
pub(crate) struct Restless {
    sideways: Wander,
    forward: Wander,
    gaze: Wander,
    breath: f64,
}

/// Root mean square of the sway of somebody who stands still, in metres (Winter: 4 to 6 mm).
const SWAY: f64 = 0.005;
/// How far somebody who stands looks about, root mean square, in radians.
const GAZE: f64 = 0.08;
/// Breaths per second, and how far the chest tilts with each, in radians.
const BREATHS: f64 = 0.25;
const BREATH: f64 = 0.012;

/// The greatest reach of a leg, as a share of its length.
///
/// A knee has 13° left then. Nearer to 1 the knee speeds up without bound as it straightens.
const LONGEST: f64 = 0.9935;
/// How sharply the least of the heights is taken, per metre. At 120 the hips are 6 mm lower where
/// two limits meet; sharper makes the knees jerk there.
const SHARPNESS: f64 = 120.0;
/// How far ahead the ankles the hips are, standing, in metres: weight is over the middle foot.
const OVER_FOOT: f64 = 0.03;
/// The share of a manner's lean that is left when the body stands.
const LEANS_STANDING: f64 = 0.4;
/// How far the chest leans with each m/s² that the body gathers speed, in radians. Leaning by
/// the whole of atan(a/g) looks like falling.
const LEANS_INTO: f64 = 0.04;
/// How far it leans with each metre that the body crouches, in radians.
const LEANS_DOWN: f64 = 1.2;
/// Seconds by which arms and chest trail the feet.
const ARM_LAG: f64 = 0.04;
/// Seconds by which the eyes are ahead of the feet on a curve.
const LOOKS_AHEAD: f64 = 0.35;

impl Restless {
    /// Drawn from a seed.
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(seed, 1);
        Self {
            sideways: Wander::new(&mut random, 0.1, 0.6),
            forward: Wander::new(&mut random, 0.1, 0.6),
            gaze: Wander::new(&mut random, 0.03, 0.25),
            breath: random.between(0.0, 1.0),
        }
    }
}

impl Person {
    /// A person who does what the recipe says.
    pub fn new(recipe: &Recipe) -> Self {
        let human = Human::new(match recipe.body {
            Body::NoToe => Toes::None,
            _ => Toes::Jointed,
        });
        let (gait, manner) = person::of(recipe.kind);
        let part = |leg: &LegShape| Part {
            side: leg.side,
            ahead: 0.0,
            // The left foot goes first.
            phase: if leg.side > 0.0 { 0.0 } else { 0.5 },
        };
        let parts: Vec<Part> = human.legs.iter().map(part).collect();
        Self { plan: kinds::plan(recipe, &gait, &parts), human, manner, restless: Restless::new(recipe.seed) }
    }

    /// The person at `time`.
    pub fn pose(&self, time: f64) -> Pose {
        let human = &self.human;
        let mut pose = Pose::rest(&human.skeleton);
        let feet = self.feet_at(time);
        let pelvis = self.pelvis_turn(time);
        let root = self.root(time, pelvis, &feet);
        pose.offsets[0] = root;
        pose.rotations[0] = pelvis;
        for (shape, foot) in human.legs.iter().zip(&feet) {
            bend_leg(&mut pose, shape, root, pelvis, foot);
        }
        let chest = self.chest_turn(time);
        self.bend_spine(&mut pose, pelvis, chest, time);
        for arm in &human.arms {
            self.swing_arm(&mut pose, arm, time);
        }
        pose
    }

    fn feet_at(&self, time: f64) -> [FootAt; 2] {
        core::array::from_fn(|i| self.plan.feet[i].at(&self.human.legs[i].foot, time))
    }

    /// How far the left foot is ahead of the right, in metres.
    fn ahead(&self, time: f64) -> f64 {
        let [left, right] = self.feet_at(time);
        (left.ankle - right.ankle).dot(axis_rotation(1, self.plan.guide.heading(time)) * Vec3::Z)
    }

    /// Where the weight is: 1 on the left foot, −1 on the right one.
    fn weight(&self, time: f64) -> f64 {
        let [left, right] = [0, 1].map(|i| self.plan.feet[i].in_the_air(time));
        self.plan.shift.at(time) + right - left
    }

    /// How much of full speed the body has.
    fn under_way(&self, time: f64) -> f64 {
        self.plan.guide.speed(time) / self.plan.beat.speed
    }

    /// How far the chest leans forward: with the way, into a start, away from a stop, in a crouch.
    fn lean(&self, time: f64) -> f64 {
        let speed = |later: f64| self.plan.guide.speed(time + later);
        let gathers = (speed(0.02) - speed(-0.02)) / 0.04;
        let going = LEANS_STANDING + (1.0 - LEANS_STANDING) * self.under_way(time);
        self.manner.lean * going + LEANS_INTO * gathers - LEANS_DOWN * self.plan.height.at(time)
    }

    fn pelvis_turn(&self, time: f64) -> Quat {
        let manner = &self.manner;
        axis_rotation(1, self.plan.guide.heading(time) - manner.pelvis_turn * self.ahead(time))
            * axis_rotation(0, self.lean(time) / 3.0)
            * axis_rotation(2, manner.drop * self.weight(time))
    }

    fn chest_turn(&self, time: f64) -> Quat {
        let manner = &self.manner;
        let late = time - ARM_LAG;
        let breath = BREATH * cos(2.0 * PI * (BREATHS * time + self.restless.breath));
        axis_rotation(1, self.plan.guide.heading(time) + manner.chest_turn * self.ahead(late))
            * axis_rotation(0, self.lean(time) + breath)
            * axis_rotation(2, -0.4 * manner.drop * self.weight(time))
    }

    /// The root: over the path, towards the standing foot, as high as may be.
    fn root(&self, time: f64, pelvis: Quat, feet: &[FootAt; 2]) -> Vec3 {
        let sideways = self.manner.sway * self.weight(time) + SWAY * self.restless.sideways.at(time);
        let forward = OVER_FOOT + SWAY * self.restless.forward.at(time);
        let heading = axis_rotation(1, self.plan.guide.heading(time));
        let over = self.plan.guide.place(time) + heading * Vec3::new(sideways, 0.0, forward);
        let limits = self.human.legs.iter().zip(feet).map(|(shape, foot)| {
            highest_girdle(shape, over + pelvis * shape.hip_in_girdle, foot.ankle, LONGEST)
        });
        let height = soft_min(limits.chain([self.wish(time)]), SHARPNESS);
        Vec3::new(over.x, height, over.z)
    }

    /// The height the root would like to have.
    fn wish(&self, time: f64) -> f64 {
        let (manner, beat) = (&self.manner, &self.plan.beat);
        let phase = (time - beat.strike - manner.lowest) / beat.period;
        let lower = manner.sink + manner.bob * cos(2.0 * PI * phase);
        let level: f64 = self.plan.feet.iter().map(|foot| foot.level(time)).sum::<f64>() / 2.0;
        let leg = &self.human.legs[0];
        let straight = leg.length() + leg.foot.ankle_height() - leg.hip_in_girdle.y;
        manner.hips * straight + self.plan.height.at(time) + level - self.under_way(time) * lower
    }

    /// From the pelvis to the level head, in even shares.
    fn bend_spine(&self, pose: &mut Pose, pelvis: Quat, chest: Quat, time: f64) {
        let human = &self.human;
        let share = pelvis.slerp(chest, 1.0 / human.spine.len() as f64);
        let each = pelvis.inverse() * share;
        for joint in human.spine {
            pose.rotations[joint.index()] = each;
        }
        let gaze = self.plan.guide.heading(time + LOOKS_AHEAD) + GAZE * self.restless.gaze.at(time);
        let head = axis_rotation(1, gaze);
        let neck = chest.slerp(head, 0.5);
        pose.rotations[human.neck.index()] = chest.inverse() * neck;
        pose.rotations[human.head.index()] = neck.inverse() * head;
    }

    /// From the T-pose down, and then forward with the other side's foot.
    fn swing_arm(&self, pose: &mut Pose, arm: &Arm, time: f64) {
        let manner = &self.manner;
        let ahead = -arm.side * self.ahead(time - ARM_LAG);
        let swing = manner.arm_swing * ahead + ARMS_JUMP * self.plan.height.at(time - ARM_LAG);
        let elbow = manner.elbow + manner.elbow_swing * ahead;
        let down = axis_rotation(2, -arm.side * ARM_DOWN);
        pose.rotations[arm.upper.index()] = axis_rotation(0, -swing - ARM_BACK) * down;
        pose.rotations[arm.fore.index()] = axis_rotation(1, -arm.side * elbow);
        pose.rotations[arm.hand.index()] = axis_rotation(1, -arm.side * HAND_BENT);
    }
}

/// From the T-pose to the arms at the sides, in radians: 80°, or they would go through the thighs.
const ARM_DOWN: f64 = 80.0 * PI / 180.0;
/// How far the upper arms hang forward, in radians.
const ARM_BACK: f64 = -4.0 * PI / 180.0;
/// How far the arms go up with each metre that the body does, in radians.
const ARMS_JUMP: f64 = 190.0 * PI / 180.0;
/// How far a hand that hangs is bent, in radians.
const HAND_BENT: f64 = 8.0 * PI / 180.0;
