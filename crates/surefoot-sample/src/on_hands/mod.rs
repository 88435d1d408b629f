//! Motions in which hands are planted: a crawl, a cartwheel, a push against a wall and a climb.
//!
//! The body follows a path; every foot and hand has a track of spots at which it is held (`limb_track`), and legs and arms
//! reach for them (`leg_ik`, `arm_ik`). A file for each kind plans body and tracks.

mod arm_ik;
mod cartwheel;
mod gait;
mod limb_track;
mod push;

use crate::actor::{Actor, human_legs};
use crate::bodies::LegShape;
use crate::bodies::human::{Arm, Human, Toes};
use crate::feet::{FootPose, PlantedTime};
use crate::leg_ik::pose_leg;
use crate::recipe::{Kind, Recipe};
use arm_ik::pose_arm;
use limb_track::{HeldPoints, LimbTrack};
use surefoot_core::math::{Mat3, PI, Quat, Vec3, axis_rotation};
use surefoot_core::{FootPoint, JointPoint, Leg, Limb, Pose, Skeleton};

/// Distance of the middle of the palm from the wrist, in metres: where inference places it.
const PALM: f64 = 0.2 * 0.26;

/// Height of the bone of a flat hand above what it rests on, in metres.
const HAND_THICKNESS: f64 = 0.025;

/// A person whose hands are planted.
#[derive(Clone, Debug)]
pub(crate) struct Performer {
    pub human: Human,
    plan: Plan,
}

/// The body and the tracks of its limbs.
#[derive(Clone, Debug)]
struct Plan {
    body: BodyPath,
    /// Left and right foot, left and right hand.
    limbs: [LimbTrack; 4],
}

/// Position and rotation of the hips as functions of time.
#[derive(Clone, Debug)]
enum BodyPath {
    Push(push::PushBody),
    Cartwheel(cartwheel::CartwheelBody),
    Gait(gait::GaitBody),
}

/// The hips at one time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyPose {
    pub position: Vec3,
    pub rotation: Quat,
    /// Rotation of the chest relative to the hips, about X, in radians.
    pub spine_bend: f64,
}

impl BodyPath {
    fn at(&self, time: f64) -> BodyPose {
        match self {
            Self::Push(body) => body.at(time),
            Self::Cartwheel(body) => body.at(time),
            Self::Gait(body) => body.at(time),
        }
    }
}

/// The shortest motion of a kind, in seconds; `None` for a kind without hands.
pub(crate) fn min_seconds(kind: Kind) -> Option<f64> {
    match kind {
        Kind::Push => Some(push::MIN_SECONDS),
        Kind::Cartwheel => Some(cartwheel::MIN_SECONDS),
        Kind::Crawl => Some(gait::CRAWL.min_seconds()),
        Kind::Climb => Some(gait::CLIMB.min_seconds()),
        _ => None,
    }
}

impl Performer {
    /// The performer of a recipe; `None` for a kind without hands.
    pub fn new(recipe: &Recipe) -> Option<Self> {
        let plan = match recipe.kind {
            Kind::Push => push::plan(recipe.seconds),
            Kind::Cartwheel => cartwheel::plan(recipe.seconds),
            Kind::Crawl => gait::plan(&gait::CRAWL, recipe.seconds),
            Kind::Climb => gait::plan(&gait::CLIMB, recipe.seconds),
            _ => return None,
        };
        Some(Self { human: Human::new(Toes::Jointed), plan })
    }
}

impl Actor for Performer {
    fn skeleton(&self) -> &Skeleton {
        &self.human.skeleton
    }

    fn human(&self) -> Option<&Human> {
        Some(&self.human)
    }

    fn pose(&self, time: f64) -> Pose {
        let human = &self.human;
        let body = self.plan.body.at(time);
        let mut pose = Pose::rest(&human.skeleton);
        pose.offsets[0] = body.position;
        pose.rotations[0] = body.rotation;
        for joint in human.spine {
            pose.rotations[joint.index()] = axis_rotation(0, body.spine_bend / human.spine.len() as f64);
        }
        let [left_foot, right_foot, left_hand, right_hand] = &self.plan.limbs;
        for (shape, track) in human.legs.iter().zip([left_foot, right_foot]) {
            pose_leg(&mut pose, shape, body.position, body.rotation, &foot_pose(shape, track, &body, time));
        }
        for (arm, track) in human.arms.iter().zip([left_hand, right_hand]) {
            let (palm, rotation) = track.at(&body, time);
            let wrist = palm - rotation * Vec3::X * (arm.side * PALM);
            pose_arm(&mut pose, human, arm, wrist, rotation);
        }
        pose
    }

    fn limbs(&self) -> Vec<Leg> {
        let arms = ["left", "right"].iter().zip(&self.human.arms).map(|(side, arm)| arm_as_leg(side, arm));
        human_legs(&self.human).into_iter().chain(arms).collect()
    }

    fn planted_times(&self, limb: usize, point: FootPoint) -> Vec<PlantedTime> {
        let track = &self.plan.limbs[limb];
        let offset = match (self.human.legs.get(limb), point) {
            (Some(shape), FootPoint::Heel) => shape.foot.heel - shape.foot.ball,
            _ => Vec3::ZERO,
        };
        let holds = |held: HeldPoints| match (limb < 2, point) {
            (true, FootPoint::Heel) => held == HeldPoints::HeelAndBall,
            (false, FootPoint::Heel) => false,
            (_, FootPoint::Ball) => held != HeldPoints::None,
            (_, FootPoint::Toe) => false,
        };
        track.planted_times(holds, offset)
    }
}

/// The pose of a foot whose ball is on its track, with level toes while it is planted.
fn foot_pose(shape: &LegShape, track: &LimbTrack, body: &BodyPose, time: f64) -> FootPose {
    let (ball, rotation) = track.at(body, time);
    FootPose { ankle: ball - rotation * shape.foot.ball, rotation, toe_bend: -track.toe_pitch(time) }
}

/// An arm as the other crates describe it.
fn arm_as_leg(side: &str, arm: &Arm) -> Leg {
    let on_hand = |offset| JointPoint { joint: arm.hand, offset };
    let palm = on_hand(Vec3::X * (arm.side * PALM));
    Leg {
        side: format!("{side} hand"),
        limb: Limb::Arm,
        hip: arm.upper,
        knee: arm.fore,
        ankle: arm.hand,
        heel: on_hand(Vec3::ZERO),
        ball: palm,
        toe: palm,
    }
}

/// The rotation of a hand whose fingers point along `fingers` and whose back faces `back`.
fn hand_rotation(side: f64, fingers: Vec3, back: Vec3) -> Quat {
    let along = fingers * side;
    Quat::from_mat3(&Mat3::from_cols(along, back, along.cross(back)))
}

/// A quarter turn, in radians.
const QUARTER: f64 = PI / 2.0;
