//! Poses of a four-legged body, given the feet.
//!
//! The body is two pairs of legs with a trunk between them: each girdle is as high as its legs and its
//! style allow, and the trunk connects the two.

use crate::actor::{Actor, legs};
use crate::bodies::LegShape;
use crate::bodies::dog::{Dog, TRUNK_LENGTH};
use crate::bodies::human::Human;
use crate::curves::smooth_min;
use crate::feet::{FootPose, PlantedTime};
use crate::gaits::dog::{self, BodyStyle};
use crate::leg_ik::{max_girdle_height, pose_leg};
use crate::motions;
use crate::random::{Random, SmoothNoise};
use crate::recipe::Recipe;
use crate::step_plan::{LegRole, MotionPlan};
use surefoot_core::math::{PI, Quat, Vec3, asin, axis_rotation};
use surefoot_core::{FootPoint, Leg, Pose, Skeleton};

/// A dog with a plan.
#[derive(Clone, Debug)]
pub(crate) struct Quadruped {
    pub dog: Dog,
    pub style: BodyStyle,
    pub plan: MotionPlan,
    gaze: SmoothNoise,
    wag: SmoothNoise,
}

/// Indices of the front legs.
const FRONT: [usize; 2] = [0, 1];
/// Indices of the hind legs.
const HIND: [usize; 2] = [2, 3];

/// Largest extension of a leg, as a fraction of its length. Dogs stand with bent legs.
const MAX_EXTENSION: f64 = 0.98;
/// Sharpness of the minimum of the height limits, per metre: 5 mm lower where two limits meet.
const HEIGHT_SHARPNESS: f64 = 150.0;
/// Iterations that fit the trunk's slope and the girdles' heights to each other. Each leaves a tenth of
/// the error; four leave less than a millimetre.
const FIT_ITERATIONS: usize = 4;
/// Wandering of the gaze, in radians, root mean square.
const GAZE: f64 = 0.12;
/// Wagging of the tail, in radians, root mean square.
const WAG: f64 = 0.15;
/// Upward rotation of the neck, in radians.
const NECK_PITCH: f64 = -15.0 * PI / 180.0;
/// Downward rotation of the tail, in radians.
const TAIL_PITCH: f64 = -20.0 * PI / 180.0;
/// How far the gaze is ahead of the feet on a curve, in seconds.
const GAZE_LEAD: f64 = 0.3;

/// The position and rotation of the trunk.
#[derive(Clone, Copy)]
struct Trunk {
    hind: Vec3,
    front: Vec3,
    rotation: Quat,
}

impl Actor for Quadruped {
    fn skeleton(&self) -> &Skeleton {
        &self.dog.skeleton
    }

    fn human(&self) -> Option<&Human> {
        None
    }

    fn pose(&self, time: f64) -> Pose {
        let dog = &self.dog;
        let mut pose = Pose::rest(&dog.skeleton);
        let feet: [FootPose; 4] = core::array::from_fn(|i| self.plan.feet[i].at(&dog.legs[i].foot, time));
        let trunk = self.trunk(time, &feet);
        pose.offsets[0] = trunk.hind;
        pose.rotations[0] = trunk.rotation;
        for (leg, foot) in feet.iter().enumerate() {
            let girdle = if FRONT.contains(&leg) { trunk.front } else { trunk.hind };
            pose_leg(&mut pose, &dog.legs[leg], girdle, trunk.rotation, foot);
        }
        self.pose_head_and_tail(&mut pose, trunk.rotation, time);
        pose
    }

    fn limbs(&self) -> Vec<Leg> {
        legs(&["front left", "front right", "hind left", "hind right"], &self.dog.legs)
    }

    fn planted_times(&self, limb: usize, point: FootPoint) -> Vec<PlantedTime> {
        self.plan.feet[limb].planted_times(&self.dog.legs[limb].foot, point)
    }
}

impl Quadruped {
    /// A dog with the plan of a recipe.
    pub fn new(recipe: &Recipe) -> Self {
        let dog = Dog::new();
        let (gait, style, phases) = dog::of(recipe.kind);
        let role = |leg: usize| LegRole {
            side: dog.legs[leg].side,
            forward: if FRONT.contains(&leg) { 0.5 } else { -0.5 } * TRUNK_LENGTH,
            phase: phases[leg],
        };
        let legs: Vec<LegRole> = (0..4).map(role).collect();
        let mut random = Random::new(recipe.seed, 3);
        Self {
            plan: motions::plan(recipe, &gait, &legs),
            dog,
            style,
            gaze: SmoothNoise::new(&mut random, 0.05, 0.4),
            wag: SmoothNoise::new(&mut random, 0.5, 1.5),
        }
    }

    fn pose_head_and_tail(&self, pose: &mut Pose, trunk: Quat, time: f64) {
        let dog = &self.dog;
        let gaze = self.plan.path.heading(time + GAZE_LEAD) + GAZE * self.gaze.at(time);
        let neck = trunk.slerp(axis_rotation(1, gaze), 0.6) * axis_rotation(0, NECK_PITCH);
        pose.rotations[dog.neck.index()] = trunk.inverse() * neck;
        pose.rotations[dog.head.index()] = neck.inverse() * axis_rotation(1, gaze);
        let wag = axis_rotation(1, WAG * self.wag.at(time));
        pose.rotations[dog.tail[0].index()] = wag * axis_rotation(0, TAIL_PITCH);
        pose.rotations[dog.tail[1].index()] = wag;
    }

    /// The trunk: over the path, shifted towards the standing feet, each end as high as its legs allow.
    fn trunk(&self, time: f64, feet: &[FootPose; 4]) -> Trunk {
        let heading = axis_rotation(1, self.plan.path.heading(time));
        let weight: f64 = self.plan.weight_shift.at(time) - self.left_unloading(time);
        let middle = self.plan.path.position(time) + heading * Vec3::X * (self.style.sway * weight);
        let roll = axis_rotation(2, self.style.roll * weight);
        let mut slope = 0.0;
        let mut trunk = Trunk { hind: middle, front: middle, rotation: heading };
        for _ in 0..FIT_ITERATIONS {
            let along = heading * axis_rotation(0, -slope);
            trunk.rotation = along * roll;
            let half = along * Vec3::Z * (0.5 * TRUNK_LENGTH);
            let girdle = |legs, over: Vec3, standing_height| {
                let over = Vec3::new(over.x, 0.0, over.z);
                let limit = self.height_limits(over, trunk.rotation, legs, feet);
                over + Vec3::Y * self.girdle_height(time, legs, standing_height, limit)
            };
            trunk.hind = girdle(HIND, middle - half, self.style.hind_height);
            let front = girdle(FRONT, middle + half, self.style.front_height);
            // No kind of motion stands upright, so slopes are far below 90°.
            slope = asin(((front.y - trunk.hind.y) / TRUNK_LENGTH).clamp(-0.9, 0.9));
        }
        // The trunk is rigid, so the front legs absorb the remaining error.
        trunk.front = trunk.hind + trunk.rotation * Vec3::Z * TRUNK_LENGTH;
        trunk
    }

    /// The unloading of the left feet minus that of the right feet.
    fn left_unloading(&self, time: f64) -> f64 {
        let legs = self.dog.legs.iter().zip(&self.plan.feet);
        legs.map(|(leg, foot)| leg.side * foot.unloading(time)).sum()
    }

    /// The heights of a girdle over `over` up to which each of its legs reaches its foot.
    fn height_limits(&self, over: Vec3, rotation: Quat, legs: [usize; 2], feet: &[FootPose; 4]) -> [f64; 2] {
        legs.map(|leg| {
            let shape: &LegShape = &self.dog.legs[leg];
            let hip = over + rotation * shape.hip_in_girdle;
            max_girdle_height(shape, hip, feet[leg].ankle, MAX_EXTENSION)
        })
    }

    /// The height of a girdle in this style, within the limits of its legs.
    fn girdle_height(&self, time: f64, legs: [usize; 2], standing_height: f64, limits: [f64; 2]) -> f64 {
        let plan = &self.plan;
        let relative_speed = plan.path.speed(time) / plan.rhythm.speed;
        let floor = legs.map(|leg| plan.feet[leg].floor_height(time)).iter().sum::<f64>() / 2.0;
        let bob = relative_speed * self.style.bob * plan.rhythm.bob(time, self.style.lowest);
        let height = standing_height + floor + plan.height.at(time) - bob;
        smooth_min([limits[0], limits[1], height].into_iter(), HEIGHT_SHARPNESS)
    }
}
