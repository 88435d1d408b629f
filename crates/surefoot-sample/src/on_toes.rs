//! Motions on the front of the foot: steps on the toe tips, and turns on the balls of the feet.
//!
//! Each foot has a curve for the place of its ball when it is flat, for its direction, and for the pitch of foot and toes; the
//! toe tip is computed from the ground up, so planted points are exactly still. The hips stay between the ankles, as high as
//! both legs reach.

use crate::actor::{Actor, human_legs};
use crate::bodies::LegShape;
use crate::bodies::human::{Human, Toes};
use crate::curves::{Curve, smooth_min};
use crate::feet::{FootPose, PlantedTime};
use crate::leg_ik::{max_girdle_height, pose_leg};
use crate::recipe::{Kind, Recipe};
use surefoot_core::math::{PI, Vec3, axis_rotation};
use surefoot_core::{FootPoint, Hold, HoldKind, Leg, Pose, Skeleton};

/// Largest extension of a leg, as a fraction of its length: the knees are bent by 20°.
const MAX_EXTENSION: f64 = 0.985;
/// Sharpness of the minimum of the heights that both legs allow, per metre.
const HEIGHT_SHARPNESS: f64 = 120.0;
/// Distance of each foot from the middle, in metres.
const HALF_STANCE: f64 = 0.1;
/// Rotation from the T-pose to arms at the sides, in radians.
const ARM_DOWN: f64 = 75.0 * PI / 180.0;
/// Shortest time between two plants of one point, in seconds: less than any frame takes.
const GAP: f64 = 1e-6;

// Times of the tiptoe, in seconds from the start.
/// The heels leave the ground.
const HEELS_OFF: f64 = 0.6;
/// The balls leave the ground.
const BALLS_OFF: f64 = 1.2;
/// The feet stand upright on their tips.
const ON_TIPS: f64 = 1.8;
/// The first step.
const FIRST_STEP: f64 = 2.1;
/// Time from one step to the next.
const STEP_PERIOD: f64 = 0.5;
/// Time in which a foot is in the air.
const STEP_TIME: f64 = 0.35;
/// Time from the end of the last step to the end of the motion.
const AFTER_STEPS: f64 = 2.0;
/// Length of a step, in metres.
const STEP_LENGTH: f64 = 0.16;
/// Height of a step, in metres.
const STEP_HEIGHT: f64 = 0.05;
/// Pitch of the feet on their tips, in radians.
const FOOT_PITCH: f64 = 70.0 * PI / 180.0;
/// Pitch of the toes on their tips, in radians.
const TOE_PITCH: f64 = 62.0 * PI / 180.0;

// Times of the turns, in seconds.
/// The first turn.
const FIRST_TURN: f64 = 0.8;
/// Time from one turn to the next.
const TURN_PERIOD: f64 = 2.0;
/// Time that a turn takes.
const TURN_TIME: f64 = 1.0;
/// Angle of a turn, in radians.
const TURN: f64 = 50.0 * PI / 180.0;

/// The shortest motion of a kind, in seconds; `None` for a kind on flat feet.
pub(crate) fn min_seconds(kind: Kind) -> Option<f64> {
    match kind {
        Kind::Tiptoe => Some(FIRST_STEP + 2.0 * STEP_PERIOD + AFTER_STEPS),
        Kind::Pivot => Some(FIRST_TURN + TURN_PERIOD),
        _ => None,
    }
}

/// A person on the front of the feet.
#[derive(Clone, Debug)]
pub(crate) struct Dancer {
    pub human: Human,
    /// Left and right.
    feet: [DancingFoot; 2],
}

/// A foot as a function of time.
#[derive(Clone, Debug)]
struct DancingFoot {
    /// Position of the ball to the side and forward, when the foot is flat.
    side: f64,
    forward: Curve,
    lift: Curve,
    yaw: Curve,
    /// How far the heel is up, in radians.
    foot_pitch: Curve,
    /// How far the ball is up about the toe tip, in radians.
    toe_pitch: Curve,
    plants: Vec<(FootPoint, HoldKind, f64, f64)>,
}

impl Dancer {
    /// The dancer of a recipe; `None` for a kind on flat feet.
    pub fn new(recipe: &Recipe) -> Option<Self> {
        let feet = match recipe.kind {
            Kind::Tiptoe => [0, 1].map(|foot| tiptoe(foot, recipe.seconds)),
            Kind::Pivot => [0, 1].map(|foot| pivot(foot, recipe.seconds)),
            _ => return None,
        };
        Some(Self { human: Human::new(Toes::Jointed), feet })
    }
}

impl Actor for Dancer {
    fn skeleton(&self) -> &Skeleton {
        &self.human.skeleton
    }

    fn human(&self) -> Option<&Human> {
        Some(&self.human)
    }

    fn pose(&self, time: f64) -> Pose {
        let human = &self.human;
        let mut pose = Pose::rest(&human.skeleton);
        let feet: Vec<FootPose> =
            human.legs.iter().zip(&self.feet).map(|(shape, foot)| foot.at(shape, time)).collect();
        let pelvis = axis_rotation(1, self.feet.iter().map(|foot| foot.yaw.at(time)).sum::<f64>() / 2.0);
        let middle = (feet[0].ankle + feet[1].ankle) * 0.5;
        let mut root = Vec3::new(middle.x, 0.0, middle.z);
        let height = |(shape, foot): (&LegShape, &FootPose)| {
            max_girdle_height(shape, root + pelvis * shape.hip_in_girdle, foot.ankle, MAX_EXTENSION)
        };
        let heights: Vec<f64> = human.legs.iter().zip(&feet).map(height).collect();
        root.y = smooth_min(heights.iter().copied(), HEIGHT_SHARPNESS);
        pose.offsets[0] = root;
        pose.rotations[0] = pelvis;
        for (shape, foot) in human.legs.iter().zip(&feet) {
            pose_leg(&mut pose, shape, root, pelvis, foot);
        }
        for arm in &human.arms {
            pose.rotations[arm.upper.index()] = axis_rotation(2, -arm.side * ARM_DOWN);
        }
        pose
    }

    fn limbs(&self) -> Vec<Leg> {
        human_legs(&self.human)
    }

    fn planted_times(&self, leg: usize, point: FootPoint) -> Vec<PlantedTime> {
        let (foot, shape) = (&self.feet[leg], &self.human.legs[leg].foot);
        let plants = foot.plants.iter().filter(|(planted, ..)| *planted == point);
        let time = |&(_, kind, from, to): &(FootPoint, HoldKind, f64, f64)| {
            let at = from.max(0.0);
            let from_ball = match point {
                FootPoint::Heel => shape.heel - shape.ball,
                FootPoint::Ball => Vec3::ZERO,
                FootPoint::Toe => shape.toe_from_ball,
            };
            let spot = foot.ball(at) + axis_rotation(1, foot.yaw.at(at)) * from_ball;
            PlantedTime { from, to, spot, hold: Hold { kind, strength: 1.0 } }
        };
        plants.map(time).collect()
    }
}

impl DancingFoot {
    /// The ball of the foot on the ground, when it is flat.
    fn ball(&self, time: f64) -> Vec3 {
        Vec3::new(self.side, 0.0, self.forward.at(time))
    }

    fn at(&self, shape: &LegShape, time: f64) -> FootPose {
        let (foot_pitch, toe_pitch) = (self.foot_pitch.at(time), self.toe_pitch.at(time));
        let (foot, yaw) = (&shape.foot, axis_rotation(1, self.yaw.at(time)));
        let rotation = yaw * axis_rotation(0, foot_pitch);
        let flat_tip = self.ball(time) + yaw * foot.toe_from_ball + Vec3::Y * self.lift.at(time);
        let ball = flat_tip - yaw * axis_rotation(0, toe_pitch) * foot.toe_from_ball;
        FootPose { ankle: ball - rotation * foot.ball, rotation, toe_bend: toe_pitch - foot_pitch }
    }
}

/// Rises onto the tips of the toes, steps forward on them, and comes down.
fn tiptoe(foot: usize, seconds: f64) -> DancingFoot {
    let steps = ((seconds - AFTER_STEPS - FIRST_STEP) / STEP_PERIOD) as usize;
    let down = seconds - AFTER_STEPS + 0.3;
    let (balls_on, heels_on) = (down + ON_TIPS - BALLS_OFF, down + ON_TIPS - HEELS_OFF);
    let mut forward = Curve::constant(0.0);
    let mut lift = Curve::constant(0.0);
    let mut toe_from = BALLS_OFF + GAP;
    let mut plants = Vec::new();
    for step in (0..steps).filter(|step| step % 2 == foot) {
        let (leaves, lands) =
            (FIRST_STEP + step as f64 * STEP_PERIOD, FIRST_STEP + step as f64 * STEP_PERIOD + STEP_TIME);
        let middle = 0.5 * (leaves + lands);
        // The first step and the last one are half as long: the feet begin and end side by side.
        let length = if step == 0 || step + 1 == steps { 0.5 * STEP_LENGTH } else { STEP_LENGTH };
        forward = forward.change(leaves, lands, length);
        lift = lift.change(leaves, middle, STEP_HEIGHT).change(middle, lands, -STEP_HEIGHT);
        plants.push((FootPoint::Toe, HoldKind::Full, toe_from, leaves));
        toe_from = lands;
    }
    plants.push((FootPoint::Toe, HoldKind::Full, toe_from, balls_on - GAP));
    plants.push((FootPoint::Ball, HoldKind::Full, f64::NEG_INFINITY, BALLS_OFF));
    plants.push((FootPoint::Ball, HoldKind::Full, balls_on, f64::INFINITY));
    plants.push((FootPoint::Heel, HoldKind::Full, f64::NEG_INFINITY, HEELS_OFF));
    plants.push((FootPoint::Heel, HoldKind::Full, heels_on, f64::INFINITY));
    let up_and_down = |from: f64, to: f64, pitch: f64| {
        Curve::constant(0.0).change(from, ON_TIPS, pitch).change(down, to, -pitch)
    };
    DancingFoot {
        side: if foot == 0 { HALF_STANCE } else { -HALF_STANCE },
        forward,
        lift,
        yaw: Curve::constant(0.0),
        foot_pitch: up_and_down(HEELS_OFF, heels_on, FOOT_PITCH),
        toe_pitch: up_and_down(BALLS_OFF, balls_on, TOE_PITCH),
        plants,
    }
}

/// Turns to the left on the balls of the feet, and back.
fn pivot(foot: usize, seconds: f64) -> DancingFoot {
    let turns = ((seconds - FIRST_TURN) / TURN_PERIOD) as usize;
    let mut yaw = Curve::constant(0.0);
    let mut plants = Vec::new();
    let mut stands_from = f64::NEG_INFINITY;
    for turn in 0..turns {
        let from = FIRST_TURN + turn as f64 * TURN_PERIOD;
        let to = from + TURN_TIME;
        yaw = yaw.change(from, to, if turn % 2 == 0 { TURN } else { -TURN });
        plants.push((FootPoint::Ball, HoldKind::Full, stands_from, from));
        plants.push((FootPoint::Heel, HoldKind::Full, stands_from, from));
        plants.push((FootPoint::Ball, HoldKind::Pivot, from + GAP, to - GAP));
        plants.push((FootPoint::Heel, HoldKind::Height, from + GAP, to - GAP));
        stands_from = to;
    }
    plants.push((FootPoint::Ball, HoldKind::Full, stands_from, f64::INFINITY));
    plants.push((FootPoint::Heel, HoldKind::Full, stands_from, f64::INFINITY));
    DancingFoot {
        side: if foot == 0 { HALF_STANCE } else { -HALF_STANCE },
        forward: Curve::constant(0.0),
        lift: Curve::constant(0.0),
        yaw,
        foot_pitch: Curve::constant(0.0),
        toe_pitch: Curve::constant(0.0),
        plants,
    }
}
