//! Poses of a person, given the feet.
//!
//! The pelvis follows the path, shifts over the standing foot, and is as high as its legs and its style
//! allow. Pelvis, chest and arms then swing with the distance between the feet, so starting, stopping
//! and turning need no rules of their own.

use crate::actor::{Actor, human_legs};
use crate::bodies::LegShape;
use crate::bodies::human::{Arm, Human, Toes};
use crate::curves::smooth_min;
use crate::feet::{FootPose, PlantedTime};
use crate::gaits::Gait;
use crate::gaits::person::BodyStyle;
use crate::leg_ik::{max_girdle_height, pose_leg};
use crate::random::{Random, SmoothNoise};
use crate::step_plan::{LegRole, MotionPlan};
use surefoot_core::math::{PI, Quat, Vec3, axis_rotation, cos};
use surefoot_core::{FootPoint, Leg, Pose, Skeleton};

/// A person with a plan.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub human: Human,
    pub style: BodyStyle,
    pub plan: MotionPlan,
    pub idle: IdleMotion,
}

/// The small movements of a standing person.
#[derive(Clone, Debug)]
pub(crate) struct IdleMotion {
    sideways: SmoothNoise,
    forward: SmoothNoise,
    gaze: SmoothNoise,
    /// Phase of the breathing, from 0 to 1.
    breath: f64,
}

/// Postural sway while standing, in metres, root mean square (Winter: 4 to 6 mm).
const SWAY: f64 = 0.005;
/// Wandering of the gaze, in radians, root mean square.
const GAZE: f64 = 0.08;
/// Breaths per second.
const BREATH_RATE: f64 = 0.25;
/// Tilt of the chest with each breath, in radians.
const BREATH_TILT: f64 = 0.012;

/// Largest extension of a leg, as a fraction of its length. The knee is then bent by 13°; nearer to 1
/// its angular speed grows without bound as it straightens.
const MAX_EXTENSION: f64 = 0.9935;
/// Sharpness of the minimum of the height limits, per metre. At 120 the hips are 6 mm lower where two
/// limits meet; a sharper minimum makes the knees jerk there.
const HEIGHT_SHARPNESS: f64 = 120.0;
/// Position of the hips in front of the ankles while standing, in metres: over the middle of the feet.
const HIPS_FORWARD: f64 = 0.03;
/// Fraction of a style's lean that is left while standing.
const STANDING_LEAN: f64 = 0.4;
/// Forward lean per acceleration, in radians per m/s². The full atan(a/g) looks like falling.
const LEAN_PER_ACCELERATION: f64 = 0.04;
/// Forward lean per crouch depth, in radians per metre.
const LEAN_PER_CROUCH: f64 = 1.2;
/// Delay of arms and chest behind the feet, in seconds.
const ARM_DELAY: f64 = 0.04;
/// How far the gaze is ahead of the feet on a curve, in seconds.
const GAZE_LEAD: f64 = 0.35;
/// Time step of the difference that gives the acceleration, in seconds.
const ACCELERATION_STEP: f64 = 0.02;

/// Rotation from the T-pose to arms at the sides, in radians: 80°, because at 90° they would penetrate the thighs.
const ARM_DOWN: f64 = 80.0 * PI / 180.0;
/// Backward rotation of hanging upper arms, in radians.
const ARM_BACK: f64 = -4.0 * PI / 180.0;
/// Rotation of the arms per height of the body, in radians per metre: they swing up in a jump.
const ARM_SWING_PER_HEIGHT: f64 = 190.0 * PI / 180.0;
/// Flexion of a hanging hand, in radians.
const HAND_FLEXION: f64 = 8.0 * PI / 180.0;

impl IdleMotion {
    /// Drawn from a seed.
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(seed, 1);
        Self {
            sideways: SmoothNoise::new(&mut random, 0.1, 0.6),
            forward: SmoothNoise::new(&mut random, 0.1, 0.6),
            gaze: SmoothNoise::new(&mut random, 0.03, 0.25),
            breath: random.between(0.0, 1.0),
        }
    }
}

impl Actor for Person {
    fn skeleton(&self) -> &Skeleton {
        &self.human.skeleton
    }

    fn human(&self) -> Option<&Human> {
        Some(&self.human)
    }

    fn pose(&self, time: f64) -> Pose {
        let human = &self.human;
        let mut pose = Pose::rest(&human.skeleton);
        let feet = self.feet_at(time);
        let pelvis = self.pelvis_rotation(time);
        let root = self.root(time, pelvis, &feet);
        pose.offsets[0] = root;
        pose.rotations[0] = pelvis;
        for (shape, foot) in human.legs.iter().zip(&feet) {
            pose_leg(&mut pose, shape, root, pelvis, foot);
        }
        let chest = self.chest_rotation(time);
        self.pose_spine(&mut pose, pelvis, chest, time);
        for arm in &human.arms {
            self.pose_arm(&mut pose, arm, time);
        }
        pose
    }

    fn limbs(&self) -> Vec<Leg> {
        human_legs(&self.human)
    }

    fn planted_times(&self, limb: usize, point: FootPoint) -> Vec<PlantedTime> {
        self.plan.feet[limb].planted_times(&self.human.legs[limb].foot, point)
    }
}

impl Person {
    /// A person with the plan that `plan` makes for a gait and the legs. The seed draws the small movements.
    pub fn new(
        toes: Toes,
        (gait, style): (Gait, BodyStyle),
        plan: impl FnOnce(&Gait, &[LegRole]) -> MotionPlan,
        seed: u64,
    ) -> Self {
        let human = Human::new(toes);
        let role = |leg: &LegShape| LegRole {
            side: leg.side,
            forward: 0.0,
            // The left foot goes first.
            phase: if leg.side > 0.0 { 0.0 } else { 0.5 },
        };
        let legs: Vec<LegRole> = human.legs.iter().map(role).collect();
        Self { plan: plan(&gait, &legs), human, style, idle: IdleMotion::new(seed) }
    }

    fn feet_at(&self, time: f64) -> [FootPose; 2] {
        core::array::from_fn(|i| self.plan.feet[i].at(&self.human.legs[i].foot, time))
    }

    /// How far the left foot is ahead of the right, in metres.
    fn left_lead(&self, time: f64) -> f64 {
        let [left, right] = self.feet_at(time);
        (left.ankle - right.ankle).dot(axis_rotation(1, self.plan.path.heading(time)) * Vec3::Z)
    }

    /// The distribution of the weight: 1 on the left foot, −1 on the right.
    fn weight(&self, time: f64) -> f64 {
        let [left, right] = [0, 1].map(|i| self.plan.feet[i].unloading(time));
        self.plan.weight_shift.at(time) + right - left
    }

    /// The speed as a fraction of full speed.
    fn relative_speed(&self, time: f64) -> f64 {
        self.plan.path.speed(time) / self.plan.rhythm.speed
    }

    /// Forward lean of the chest: with the speed, into a start, away from a stop, and in a crouch.
    fn lean(&self, time: f64) -> f64 {
        let speed = |later: f64| self.plan.path.speed(time + later);
        let acceleration = (speed(ACCELERATION_STEP) - speed(-ACCELERATION_STEP)) / (2.0 * ACCELERATION_STEP);
        let moving = STANDING_LEAN + (1.0 - STANDING_LEAN) * self.relative_speed(time);
        self.style.lean * moving + LEAN_PER_ACCELERATION * acceleration
            - LEAN_PER_CROUCH * self.plan.height.at(time)
    }

    fn pelvis_rotation(&self, time: f64) -> Quat {
        let style = &self.style;
        axis_rotation(1, self.plan.path.heading(time) - style.pelvis_yaw * self.left_lead(time))
            * axis_rotation(0, self.lean(time) / 3.0)
            * axis_rotation(2, style.pelvis_drop * self.weight(time))
    }

    fn chest_rotation(&self, time: f64) -> Quat {
        let style = &self.style;
        let delayed = time - ARM_DELAY;
        let breath = BREATH_TILT * cos(2.0 * PI * (BREATH_RATE * time + self.idle.breath));
        axis_rotation(1, self.plan.path.heading(time) + style.chest_yaw * self.left_lead(delayed))
            * axis_rotation(0, self.lean(time) + breath)
            * axis_rotation(2, -0.4 * style.pelvis_drop * self.weight(time))
    }

    /// The root: over the path, shifted towards the standing foot, as high as the legs allow.
    fn root(&self, time: f64, pelvis: Quat, feet: &[FootPose; 2]) -> Vec3 {
        let sideways = self.style.sway * self.weight(time) + SWAY * self.idle.sideways.at(time);
        let forward = HIPS_FORWARD + SWAY * self.idle.forward.at(time);
        let heading = axis_rotation(1, self.plan.path.heading(time));
        let over = self.plan.path.position(time) + heading * Vec3::new(sideways, 0.0, forward);
        let limits = self.human.legs.iter().zip(feet).map(|(shape, foot)| {
            max_girdle_height(shape, over + pelvis * shape.hip_in_girdle, foot.ankle, MAX_EXTENSION)
        });
        let height = smooth_min(limits.chain([self.wanted_height(time)]), HEIGHT_SHARPNESS);
        Vec3::new(over.x, height, over.z)
    }

    /// The height of the root in this style, without the limits of the legs.
    fn wanted_height(&self, time: f64) -> f64 {
        let (style, plan) = (&self.style, &self.plan);
        let lower = style.sink + style.bob * plan.rhythm.bob(time, style.lowest);
        let floor: f64 = plan.feet.iter().map(|foot| foot.floor_height(time)).sum::<f64>() / 2.0;
        let leg = &self.human.legs[0];
        let straight = leg.length() + leg.foot.ankle_height() - leg.hip_in_girdle.y;
        style.hip_height * straight + plan.height.at(time) + floor - self.relative_speed(time) * lower
    }

    /// Distributes the rotation from the pelvis to the level head over spine and neck.
    fn pose_spine(&self, pose: &mut Pose, pelvis: Quat, chest: Quat, time: f64) {
        let human = &self.human;
        let first = pelvis.slerp(chest, 1.0 / human.spine.len() as f64);
        let each = pelvis.inverse() * first;
        for joint in human.spine {
            pose.rotations[joint.index()] = each;
        }
        let gaze = self.plan.path.heading(time + GAZE_LEAD) + GAZE * self.idle.gaze.at(time);
        let head = axis_rotation(1, gaze);
        let neck = chest.slerp(head, 0.5);
        pose.rotations[human.neck.index()] = chest.inverse() * neck;
        pose.rotations[human.head.index()] = neck.inverse() * head;
    }

    /// Lowers an arm from the T-pose and swings it with the foot of the other side.
    fn pose_arm(&self, pose: &mut Pose, arm: &Arm, time: f64) {
        let style = &self.style;
        let lead = -arm.side * self.left_lead(time - ARM_DELAY);
        let swing = style.arm_swing * lead + ARM_SWING_PER_HEIGHT * self.plan.height.at(time - ARM_DELAY);
        let elbow = style.elbow + style.elbow_swing * lead;
        let down = axis_rotation(2, -arm.side * ARM_DOWN);
        pose.rotations[arm.upper.index()] = axis_rotation(0, -swing - ARM_BACK) * down;
        pose.rotations[arm.fore.index()] = axis_rotation(1, -arm.side * elbow);
        pose.rotations[arm.hand.index()] = axis_rotation(1, -arm.side * HAND_FLEXION);
    }
}
